//! Answers that are on their way to clients: how many bytes of them the server holds, in all and of each account. Clients that ask and do
//! not read make their own account wait, and nobody else.

use axum::{
    body::{Body, Bytes, HttpBody},
    response::Response,
};
use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};
use store::page::PAGE_BYTES;
use tokio::sync::Notify;

/// Bytes of one account: four of the largest pages.
const OF_ONE: usize = 4 * PAGE_BYTES;
/// Bytes of all accounts, above which lists wait.
const OF_ALL: usize = 24 * PAGE_BYTES;
/// Answers with fewer bytes are not counted: a connection holds as much by itself.
const LARGE: usize = 32 * 1024;

/// Answers that are on their way.
#[derive(Default)]
pub struct Answers {
    usage: Mutex<Usage>,
    freed: Notify,
}

#[derive(Default)]
struct Usage {
    bytes: usize,
    accounts: HashMap<i64, usize>,
}

impl Usage {
    fn of(&self, account: i64) -> usize {
        self.accounts.get(&account).copied().unwrap_or(0)
    }

    fn add(&mut self, account: i64, bytes: usize) {
        self.bytes += bytes;
        *self.accounts.entry(account).or_default() += bytes;
    }
}

/// Bytes that are held, until it is dropped.
pub struct Share {
    answers: Arc<Answers>,
    account: i64,
    bytes: usize,
}

impl Share {
    /// Holds this many bytes from now on.
    fn resize(&mut self, bytes: usize) {
        let mut usage = self.answers.usage();
        usage.bytes = usage.bytes - self.bytes + bytes;
        let of_one = usage.of(self.account) - self.bytes + bytes;
        if of_one == 0 {
            usage.accounts.remove(&self.account);
        } else {
            usage.accounts.insert(self.account, of_one);
        }
        drop(usage);
        let freed = bytes < self.bytes;
        self.bytes = bytes;
        if freed {
            self.answers.freed.notify_waiters();
        }
    }
}

impl Drop for Share {
    fn drop(&mut self) {
        self.resize(0);
    }
}

impl Answers {
    fn usage(&self) -> MutexGuard<'_, Usage> {
        self.usage.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// How many bytes are held.
    pub fn bytes(&self) -> usize {
        self.usage().bytes
    }

    /// Whether an account may be given another answer.
    pub fn has_room(&self, account: i64) -> bool {
        self.usage().of(account) < OF_ONE
    }

    /// Waits until an account may be given another answer.
    pub async fn room(&self, account: i64) {
        self.wait(|usage| (usage.of(account) < OF_ONE).then_some(())).await;
    }

    /// Waits until there is room for a page of a list, and takes it.
    pub async fn page(self: &Arc<Self>, account: i64) -> Share {
        let take = |usage: &mut Usage| {
            let fits = usage.of(account) + PAGE_BYTES <= OF_ONE && usage.bytes + PAGE_BYTES <= OF_ALL;
            fits.then(|| usage.add(account, PAGE_BYTES))
        };
        self.wait(take).await;
        Share { answers: Arc::clone(self), account, bytes: PAGE_BYTES }
    }

    async fn wait(&self, mut take: impl FnMut(&mut Usage) -> Option<()>) {
        loop {
            let mut freed = std::pin::pin!(self.freed.notified());
            // Before looking, so that what is freed meanwhile is not missed.
            freed.as_mut().enable();
            let taken = take(&mut self.usage());
            if taken.is_some() {
                return;
            }
            freed.await;
        }
    }

    /// Counts the bytes of an answer until the last of them was handed to the client's connection. `room` is what was taken for it
    /// before it was made; it becomes as large as the answer, without being given back in between.
    pub async fn counted(self: &Arc<Self>, account: i64, answer: Response, room: Option<Share>) -> Response {
        let size = answer.body().size_hint().exact().and_then(|size| usize::try_from(size).ok()).unwrap_or(0);
        if size < LARGE {
            return answer;
        }
        let mut share = room.unwrap_or_else(|| Share { answers: Arc::clone(self), account, bytes: 0 });
        share.resize(size);
        let (head, body) = answer.into_parts();
        // It is in memory already, so this neither waits nor copies nor fails.
        let bytes = axum::body::to_bytes(body, usize::MAX).await.unwrap_or_default();
        Response::from_parts(head, Body::from(Bytes::from_owner(Counted { bytes, _share: share })))
    }
}

/// Bytes that are counted as long as somebody has them.
struct Counted {
    bytes: Bytes,
    _share: Share,
}

impl AsRef<[u8]> for Counted {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures_util::FutureExt;

    #[tokio::test]
    async fn an_account_that_does_not_read_waits_and_others_do_not() {
        let answers = Arc::new(Answers::default());
        let mut pages = Vec::new();
        for _ in 0..4 {
            pages.push(answers.page(1).now_or_never().unwrap());
        }
        assert!(answers.page(1).now_or_never().is_none() && answers.room(1).now_or_never().is_none());
        assert!(!answers.has_room(1) && answers.has_room(2));
        let other = answers.page(2).now_or_never().unwrap();
        let mut waiting = std::pin::pin!(answers.page(1));
        assert!(waiting.as_mut().now_or_never().is_none());
        pages.pop();
        let next = waiting.await;
        assert_eq!(answers.bytes(), 5 * PAGE_BYTES);
        drop((pages, next, other));
        assert!(answers.bytes() == 0 && answers.usage().accounts.is_empty(), "nothing is kept of who holds nothing");
    }

    #[tokio::test]
    async fn all_accounts_together_have_a_bound() {
        let answers = Arc::new(Answers::default());
        let pages: Vec<Share> = (0..24).filter_map(|account| answers.page(account).now_or_never()).collect();
        assert_eq!(pages.len(), 24);
        assert!(answers.page(99).now_or_never().is_none());
        // What is not a list goes on.
        answers.room(99).now_or_never().unwrap();
    }

    #[tokio::test]
    async fn a_large_answer_counts_until_its_bytes_are_gone() {
        let answers = Arc::new(Answers::default());
        let small = answers.counted(1, Response::new(Body::from(vec![b'x'; LARGE - 1])), None).await;
        assert_eq!(answers.bytes(), 0);
        let large = answers.counted(1, Response::new(Body::from(vec![b'x'; LARGE])), None).await;
        assert_eq!((answers.bytes(), large.body().size_hint().exact()), (LARGE, Some(LARGE as u64)));
        // The body is gone, its bytes wait in the connection.
        let bytes = axum::body::to_bytes(large.into_body(), usize::MAX).await.unwrap();
        let rest = bytes.slice(LARGE - 1..);
        drop(bytes);
        assert_eq!((answers.bytes(), &rest[..]), (LARGE, &b"x"[..]));
        drop((rest, small));
        assert_eq!(answers.bytes(), 0);
    }

    #[tokio::test]
    async fn what_was_taken_for_a_page_becomes_as_large_as_its_answer() {
        let answers = Arc::new(Answers::default());
        let mut pages = Vec::new();
        for _ in 0..4 {
            pages.push(answers.page(1).now_or_never().unwrap());
        }
        let answer = answers.counted(1, Response::new(Body::from(vec![b'x'; PAGE_BYTES])), pages.pop()).await;
        assert_eq!(answers.bytes(), 4 * PAGE_BYTES);
        assert!(answers.page(1).now_or_never().is_none());
        drop((answer, pages));
        assert!(answers.bytes() == 0 && answers.usage().accounts.is_empty());
    }
}
