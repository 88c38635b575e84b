//! Streamed responses, such as the export of all account data as one JSON document. Memory use does
//! not depend on the size of the account.

use crate::AppState;
use axum::body::{Body, Bytes};
use futures_util::stream;
use jiff::Timestamp;
use serde_json::{Value as Json, json};
use service::{
    Error,
    people::data::{self, Value},
};
use std::{
    io,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};
use store::StoreError;
use tokio::{runtime::Handle, sync::mpsc, time::Instant};

/// Size of a chunk in bytes.
const CHUNK: usize = 64 * 1024;
/// Maximum number of chunks buffered for a slow client.
const WAITING: usize = 4;
/// Time limits for slow clients.
const TIMEOUTS: Timeouts =
    Timeouts { chunk: Duration::from_secs(30), whole: Duration::from_secs(600) };

/// Maximum time that a client may take to read a chunk and the whole response.
#[derive(Clone, Copy)]
struct Timeouts {
    chunk: Duration,
    whole: Duration,
}

const ABOUT: &str = "All data of this account, table by table; tables without rows are left out. Amounts are euro cents, hours are \
                     hundredths of an hour, VAT rates are hundredths of a percent. Left out are what passwords, codes, keys and links \
                     are recognised by.";

impl AppState {
    /// Returns all data of an account as a streamed body of type `application/json`. If reading
    /// fails half-way or the client reads too slowly, the response is cut off, which a browser
    /// shows as a failed download.
    ///
    /// # Errors
    /// Too many exports are running, or this account already has one running.
    pub fn export(&self, account: i64) -> Result<Body, Error> {
        self.export_within(account, TIMEOUTS)
    }

    fn export_within(&self, account: i64, timeouts: Timeouts) -> Result<Body, Error> {
        let now = self.now();
        self.stream_within(account, timeouts, |hand| read_all(account, now, hand))
    }

    /// Returns the output of a query as a streamed body, subject to the same limits as an export of
    /// all data.
    ///
    /// # Errors
    /// Too many exports are running, or this account already has one running.
    pub fn stream(
        &self,
        account: i64,
        write: impl Fn(&mut store::Tx<'_>, &mut dyn io::Write) -> Result<(), Error> + Send + 'static,
    ) -> Result<Body, Error> {
        self.stream_within(account, TIMEOUTS, |hand| {
            let begun = AtomicBool::new(false);
            move |tx: &mut store::Tx<'_>| {
                if begun.swap(true, Ordering::Relaxed) {
                    return Err(Error::Store(StoreError::Unavailable(
                        "the export was interrupted".into(),
                    )));
                }
                let mut out = io::BufWriter::with_capacity(CHUNK, hand.clone());
                write(tx, &mut out)?;
                io::Write::flush(&mut out)
                    .map_err(|error| Error::Store(StoreError::Unavailable(error.to_string())))
            }
        })
    }

    fn stream_within<Q>(
        &self,
        account: i64,
        timeouts: Timeouts,
        question: impl FnOnce(Hand) -> Q,
    ) -> Result<Body, Error>
    where
        Q: FnMut(&mut store::Tx<'_>) -> Result<(), Error> + Send + 'static,
    {
        let place = self.capacity().exports.try_acquire(account)?;
        let (chunks, arriving) = mpsc::channel(WAITING);
        let complete = Arc::new(AtomicBool::new(false));
        let last = chunks.clone();
        let hand = Hand {
            chunks,
            runtime: Handle::current(),
            timeouts,
            until: Instant::now() + timeouts.whole,
        };
        let (app, done, question) = (self.clone(), Arc::clone(&complete), question(hand));
        tokio::task::spawn_blocking(move || {
            // The query runs outside the account's lane, which it would block for minutes. The
            // number of concurrent exports has its own limit.
            let read = app.store().read_blocking(question);
            done.store(read.is_ok(), Ordering::Release);
            // The last sender is dropped after the permit, so a client that has received everything
            // can start the next export.
            drop(place);
            drop(last);
        });
        let next = |(mut arriving, complete): (mpsc::Receiver<Bytes>, Arc<AtomicBool>)| async move {
            match arriving.recv().await {
                Some(chunk) => Some((Ok(chunk), (arriving, complete))),
                None if complete.load(Ordering::Acquire) => None,
                None => Some((
                    Err(io::Error::other("the export could not be finished")),
                    (arriving, complete),
                )),
            }
        };
        Ok(Body::from_stream(stream::unfold((arriving, complete), next)))
    }
}

/// Sends chunks to the client, with time limits.
#[derive(Clone)]
struct Hand {
    chunks: mpsc::Sender<Bytes>,
    runtime: Handle,
    timeouts: Timeouts,
    until: Instant,
}

impl Hand {
    fn give(&self, chunk: Bytes) -> Result<(), Error> {
        let until = self.until.min(Instant::now() + self.timeouts.chunk);
        let sent = self
            .runtime
            .block_on(async { tokio::time::timeout_at(until, self.chunks.send(chunk)).await });
        match sent {
            Ok(Ok(())) => Ok(()),
            Ok(Err(_)) => {
                Err(Error::Store(StoreError::Unavailable("the client has disconnected".into())))
            }
            Err(_) => {
                Err(Error::Store(StoreError::Unavailable("the client reads too slowly".into())))
            }
        }
    }
}

impl io::Write for Hand {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.give(Bytes::copy_from_slice(bytes)).map_err(io::Error::other)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Returns the query that reads everything. The query cannot be retried, because chunks that were
/// already sent cannot be recalled.
fn read_all(
    account: i64,
    now: Timestamp,
    hand: Hand,
) -> impl FnMut(&mut store::Tx<'_>) -> Result<(), Error> + Send + 'static {
    let begun = AtomicBool::new(false);
    move |tx| {
        if begun.swap(true, Ordering::Relaxed) {
            return Err(Error::Store(StoreError::Unavailable("the export was interrupted".into())));
        }
        let mut writer = Writer { hand: hand.clone(), text: String::new(), table: None };
        writer.text =
            format!("{{\"about\":{},\"exportedAt\":{}", json!(ABOUT), json!(now.to_string()));
        data::export(tx, account, &mut |table, row| writer.row(table, row))?;
        writer.end()
    }
}

struct Writer {
    hand: Hand,
    text: String,
    table: Option<&'static str>,
}

impl Writer {
    fn row(&mut self, table: &'static str, row: &[(String, Value)]) -> Result<(), Error> {
        if self.table == Some(table) {
            self.text.push(',');
        } else {
            if self.table.is_some() {
                self.text.push(']');
            }
            self.text += &format!(",\n\"{table}\":[");
            self.table = Some(table);
        }
        let fields: serde_json::Map<String, Json> =
            row.iter().map(|(name, value)| (name.clone(), json_of(value))).collect();
        self.text.push('\n');
        self.text += &Json::Object(fields).to_string();
        if self.text.len() >= CHUNK { self.hand_on() } else { Ok(()) }
    }

    fn end(&mut self) -> Result<(), Error> {
        self.text.push_str(if self.table.is_some() { "]\n}\n" } else { "\n}\n" });
        self.hand_on()
    }

    fn hand_on(&mut self) -> Result<(), Error> {
        self.hand.give(std::mem::take(&mut self.text).into())
    }
}

fn json_of(value: &Value) -> Json {
    match value {
        Value::Null => Json::Null,
        Value::Int(value) => json!(value),
        Value::Text(value) => json!(value),
        // Hashes of the hash chain, in hexadecimal as `verify` prints them.
        Value::Bytes(value) => {
            value.iter().map(|byte| format!("{byte:02x}")).collect::<String>().into()
        }
        Value::Date(value) => value.to_string().into(),
        Value::Time(value) => value.to_string().into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        Config,
        capacity::{Asker, Capacity},
    };
    use ledger::country::CountryCode;
    use mail::{Delivery, Mailer};
    use service::{
        Environment,
        accounts::{self, OpenAccount},
        environment::{Clock, System},
        people::events::{self, EventKind},
    };
    use store::{DatabaseUrl, Store, accounts::Plan};
    use tokio::{
        io::{AsyncReadExt, AsyncWriteExt},
        net::{TcpListener, TcpStream},
    };

    #[test]
    fn an_account_has_one_export_at_a_time_and_a_server_two() {
        let exports = Capacity::default().exports;
        let first = exports.try_acquire(1).unwrap();
        assert!(matches!(exports.try_acquire(1), Err(Error::Busy(_))));
        let second = exports.try_acquire(2).unwrap();
        assert!(matches!(exports.try_acquire(3), Err(Error::Busy(_))));
        drop(first);
        let again = exports.try_acquire(1).unwrap();
        drop((second, again));
        assert_eq!(exports.usage(), (0, 0));
    }

    #[tokio::test]
    async fn a_client_that_does_not_read_is_cut_off_and_the_buffer_is_limited() {
        for timeouts in [
            Timeouts { chunk: Duration::from_millis(1), whole: Duration::from_secs(600) },
            Timeouts { chunk: Duration::from_secs(600), whole: Duration::from_millis(1) },
        ] {
            let (chunks, mut arriving) = mpsc::channel(WAITING);
            let hand = Hand {
                chunks,
                runtime: Handle::current(),
                timeouts,
                until: Instant::now() + timeouts.whole,
            };
            let read = tokio::task::spawn_blocking(move || {
                let mut writer = Writer { hand, text: String::new(), table: None };
                let row = [("text".to_owned(), Value::Text("x".repeat(CHUNK)))];
                // Simulates an account with unlimited data.
                loop {
                    writer.row("contacts", &row)?;
                }
                #[expect(unreachable_code, reason = "states the type")]
                Ok::<(), Error>(())
            });
            assert!(read.await.unwrap().is_err());
            let mut bytes = 0;
            while let Some(chunk) = arriving.recv().await {
                bytes += chunk.len();
            }
            assert!(bytes <= WAITING * (CHUNK + 100), "{bytes}");
        }
    }

    /// Returns the state of a server, and an account with more data than sockets and buffers can
    /// hold.
    fn large(folder: &std::path::Path) -> (AppState, i64) {
        let base_url = "http://127.0.0.1".to_owned();
        let store = Store::open(&DatabaseUrl::Sqlite(folder.join("books.db")), 4).unwrap();
        let mailer =
            Mailer::new(&Delivery::Folder(folder.to_owned()), "books@example.com", &base_url)
                .unwrap();
        let country = CountryCode::NL;
        let open = OpenAccount {
            email: "anna@example.com".into(),
            name: "Anna".into(),
            country,
            plan: Plan::Free,
            password: None,
        };
        let env = Environment::at(System.now());
        let account = store
            .write_blocking(move |tx| {
                accounts::open(tx, &env, &open)?;
                let account = accounts::by_email(tx, &open.email)?;
                for _ in 0..400 {
                    events::record(
                        tx,
                        &env,
                        account.owner.id,
                        EventKind::KeyCreated,
                        &"x".repeat(CHUNK),
                    )?;
                }
                Ok::<_, Error>(account.id)
            })
            .unwrap();
        let settings = Config {
            base_url,
            api_min_plan: Plan::Free,
            rate_limit: None,
            shared_limits: false,
            open_data_rate_limit: None,
            trusted_proxies: Vec::new(),
            sign_up_plan: None,
            encryption_key: None,
            webhooks: crate::WebhookSender::new(
                service::access::webhook_targets::WebhookTargets::default(),
            ),
            build: crate::Build::default(),
        };
        (
            AppState::new(store, Box::new(System), Arc::new(System), mailer, settings).unwrap(),
            account,
        )
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn a_slow_client_is_cut_off_and_the_next_gets_its_permit() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().to_owned();
        let (app, account) = tokio::task::spawn_blocking(move || large(&path)).await.unwrap();
        for timeouts in [
            Timeouts { chunk: Duration::from_millis(100), whole: Duration::from_secs(600) },
            Timeouts { chunk: Duration::from_secs(600), whole: Duration::from_millis(500) },
        ] {
            let exporting = app.clone();
            let handler =
                move || async move { exporting.export_within(account, timeouts).unwrap() };
            let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
            let address = listener.local_addr().unwrap();
            let router = axum::Router::new().route("/", axum::routing::get(handler));
            tokio::spawn(axum::serve(listener, router).into_future());
            let mut visitor = TcpStream::connect(address).await.unwrap();
            visitor.write_all(b"GET / HTTP/1.1\r\nhost: x\r\n\r\n").await.unwrap();
            let mut begun = [0; 12];
            visitor.read_exact(&mut begun).await.unwrap();
            assert_eq!(&begun, b"HTTP/1.1 200");
            assert!(matches!(app.export(account), Err(Error::Busy(_))));
            // The client stops reading. The export's permit is released once the client has been
            // cut off.
            let free = app.capacity().exports.acquire(account, Asker::Server);
            drop(tokio::time::timeout(Duration::from_secs(20), free).await.unwrap().unwrap());
            let mut rest = Vec::new();
            let _ = visitor.read_to_end(&mut rest).await;
            // A complete response ends with an empty chunk (RFC 9112, section 7.1).
            assert!(
                rest.len() > CHUNK && rest.len() < 400 * CHUNK && !rest.ends_with(b"0\r\n\r\n"),
                "{}",
                rest.len()
            );
        }
        let whole = axum::body::to_bytes(app.export(account).unwrap(), usize::MAX).await.unwrap();
        assert!(whole.len() > 400 * CHUNK && whole.ends_with(b"]\n}\n"));
    }
}
