//! Backpressure: limits the bytes of responses that clients have yet to receive, per account and in
//! total. Clients that send requests but read no responses block only their own account.

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

/// Maximum number of bytes per account: four pages of the maximum size.
const OF_ONE: usize = 4 * PAGE_BYTES;
/// Maximum number of bytes for all accounts together; a list waits while its page would exceed this
/// limit.
const OF_ALL: usize = 24 * PAGE_BYTES;
/// Minimum size of a counted response, in bytes. Smaller ones fit in a connection's buffer.
const LARGE: usize = 32 * 1024;

/// Responses that clients have yet to receive.
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

/// Reservation of bytes; released on drop.
pub struct Share {
    answers: Arc<Answers>,
    account: i64,
    bytes: usize,
}

impl Share {
    /// Changes the size of the reservation.
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

    /// Returns the total number of reserved bytes.
    pub fn bytes(&self) -> usize {
        self.usage().bytes
    }

    /// Whether an account is below its limit.
    pub fn has_room(&self, account: i64) -> bool {
        self.usage().of(account) < OF_ONE
    }

    /// Waits until an account is below its limit.
    pub async fn room(&self, account: i64) {
        self.wait(|usage| (usage.of(account) < OF_ONE).then_some(())).await;
    }

    /// Waits until a page of a list fits within the limits, and reserves its maximum size.
    pub async fn page(self: &Arc<Self>, account: i64) -> Share {
        let take = |usage: &mut Usage| {
            let fits =
                usage.of(account) + PAGE_BYTES <= OF_ONE && usage.bytes + PAGE_BYTES <= OF_ALL;
            fits.then(|| usage.add(account, PAGE_BYTES))
        };
        self.wait(take).await;
        Share { answers: Arc::clone(self), account, bytes: PAGE_BYTES }
    }

    async fn wait(&self, mut take: impl FnMut(&mut Usage) -> Option<()>) {
        loop {
            let mut freed = std::pin::pin!(self.freed.notified());
            // Registered before the check, so that no release in between is missed.
            freed.as_mut().enable();
            let taken = take(&mut self.usage());
            if taken.is_some() {
                return;
            }
            freed.await;
        }
    }

    /// Counts the bytes of a response until the client's connection has consumed all of them.
    /// `room` is the reservation made before the response existed; it is resized to the response
    /// without being released.
    pub async fn counted(
        self: &Arc<Self>,
        account: i64,
        answer: Response,
        room: Option<Share>,
    ) -> Response {
        let size = answer
            .body()
            .size_hint()
            .exact()
            .and_then(|size| usize::try_from(size).ok())
            .unwrap_or(0);
        if size < LARGE {
            return answer;
        }
        let mut share =
            room.unwrap_or_else(|| Share { answers: Arc::clone(self), account, bytes: 0 });
        share.resize(size);
        let (head, body) = answer.into_parts();
        // The body is already in memory, so this neither waits nor copies nor fails.
        let bytes = axum::body::to_bytes(body, usize::MAX).await.unwrap_or_default();
        Response::from_parts(head, Body::from(Bytes::from_owner(Counted { bytes, _share: share })))
    }
}

/// Bytes that remain reserved until the last reference is dropped.
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
        assert!(
            answers.page(1).now_or_never().is_none() && answers.room(1).now_or_never().is_none()
        );
        assert!(!answers.has_room(1) && answers.has_room(2));
        let other = answers.page(2).now_or_never().unwrap();
        let mut waiting = std::pin::pin!(answers.page(1));
        assert!(waiting.as_mut().now_or_never().is_none());
        pages.pop();
        let next = waiting.await;
        assert_eq!(answers.bytes(), 5 * PAGE_BYTES);
        drop((pages, next, other));
        assert!(
            answers.bytes() == 0 && answers.usage().accounts.is_empty(),
            "accounts without bytes are removed"
        );
    }

    #[tokio::test]
    async fn all_accounts_together_have_a_limit() {
        let answers = Arc::new(Answers::default());
        let pages: Vec<Share> =
            (0..24).filter_map(|account| answers.page(account).now_or_never()).collect();
        assert_eq!(pages.len(), 24);
        assert!(answers.page(99).now_or_never().is_none());
        // Only lists wait for the limit of all accounts.
        answers.room(99).now_or_never().unwrap();
    }

    #[tokio::test]
    async fn a_large_answer_counts_until_its_bytes_are_gone() {
        let answers = Arc::new(Answers::default());
        let small =
            answers.counted(1, Response::new(Body::from(vec![b'x'; LARGE - 1])), None).await;
        assert_eq!(answers.bytes(), 0);
        let large = answers.counted(1, Response::new(Body::from(vec![b'x'; LARGE])), None).await;
        assert_eq!(
            (answers.bytes(), large.body().size_hint().exact()),
            (LARGE, Some(LARGE as u64))
        );
        // The body has been consumed, but a slice still holds its last byte, as a connection would
        // while sending.
        let bytes = axum::body::to_bytes(large.into_body(), usize::MAX).await.unwrap();
        let rest = bytes.slice(LARGE - 1..);
        drop(bytes);
        assert_eq!((answers.bytes(), &rest[..]), (LARGE, &b"x"[..]));
        drop((rest, small));
        assert_eq!(answers.bytes(), 0);
    }

    #[tokio::test]
    async fn the_reservation_of_a_page_is_resized_to_its_response() {
        let answers = Arc::new(Answers::default());
        let mut pages = Vec::new();
        for _ in 0..4 {
            pages.push(answers.page(1).now_or_never().unwrap());
        }
        let answer = answers
            .counted(1, Response::new(Body::from(vec![b'x'; PAGE_BYTES])), pages.pop())
            .await;
        assert_eq!(answers.bytes(), 4 * PAGE_BYTES);
        assert!(answers.page(1).now_or_never().is_none());
        drop((answer, pages));
        assert!(answers.bytes() == 0 && answers.usage().accounts.is_empty());
    }
}
