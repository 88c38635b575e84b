//! All data of an account as one JSON document, written while it is read: no account is too large for it.

use crate::App;
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
};
use store::StoreError;
use tokio::sync::mpsc;

/// Exports that run at once on a server: each holds a connection to the database for as long as the visitor takes to read.
pub(crate) const AT_ONCE: usize = 2;
/// Bytes that are handed on at once.
const CHUNK: usize = 64 * 1024;
/// Chunks that wait for a visitor who reads slowly.
const WAITING: usize = 4;

const ABOUT: &str = "All data of this account, table by table; tables without rows are left out. Amounts are euro cents, hours are \
                     hundredths of an hour, VAT rates are hundredths of a percent. Left out are what passwords, codes, keys and links \
                     are recognised by.";

impl App {
    /// All data of an account, as the body of an answer with the type `application/json`. When the reading fails half-way the answer is
    /// cut off, which the browser tells as a failed download.
    ///
    /// # Errors
    /// Too many exports are running.
    pub fn export(&self, account: i64) -> Result<Body, Error> {
        let busy = |_| Error::Store(StoreError::Unavailable("too many exports are running".into()));
        let place = Arc::clone(self.exports()).try_acquire_owned().map_err(busy)?;
        let (chunks, arriving) = mpsc::channel(WAITING);
        let (app, now) = (self.clone(), self.now());
        tokio::task::spawn_blocking(move || {
            let _place = place;
            if app.read_blocking(telling(account, now, chunks.clone())).is_err() {
                // The visitor may have gone; then nobody is there to be told.
                drop(chunks.blocking_send(Err(io::Error::other("the export could not be finished"))));
            }
        });
        let next = |mut arriving: mpsc::Receiver<_>| async move { arriving.recv().await.map(|chunk| (chunk, arriving)) };
        Ok(Body::from_stream(stream::unfold(arriving, next)))
    }
}

type Chunks = mpsc::Sender<Result<Bytes, io::Error>>;

/// The question that tells everything. It can run only once: what was handed on cannot be taken back.
fn telling(account: i64, now: Timestamp, chunks: Chunks) -> impl FnMut(&mut store::Tx<'_>) -> Result<(), Error> + Send + 'static {
    let begun = AtomicBool::new(false);
    move |tx| {
        if begun.swap(true, Ordering::Relaxed) {
            return Err(Error::Store(StoreError::Unavailable("the export was interrupted".into())));
        }
        let mut writer = Writer { chunks: chunks.clone(), text: String::new(), table: None };
        writer.text = format!("{{\"about\":{},\"exportedAt\":{}", json!(ABOUT), json!(now.to_string()));
        data::export(tx, account, &mut |table, row| writer.row(table, row))?;
        writer.end()
    }
}

struct Writer {
    chunks: Chunks,
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
        let fields: serde_json::Map<String, Json> = row.iter().map(|(name, value)| (name.clone(), json_of(value))).collect();
        self.text.push('\n');
        self.text += &Json::Object(fields).to_string();
        if self.text.len() >= CHUNK { self.hand_on() } else { Ok(()) }
    }

    fn end(&mut self) -> Result<(), Error> {
        self.text.push_str(if self.table.is_some() { "]\n}\n" } else { "\n}\n" });
        self.hand_on()
    }

    fn hand_on(&mut self) -> Result<(), Error> {
        let chunk = std::mem::take(&mut self.text);
        let gone = |_| Error::Store(StoreError::Unavailable("the visitor has gone".into()));
        self.chunks.blocking_send(Ok(chunk.into())).map_err(gone)
    }
}

fn json_of(value: &Value) -> Json {
    match value {
        Value::Null => Json::Null,
        Value::Int(value) => json!(value),
        Value::Text(value) => json!(value),
        // The hash chain's, as `verify` prints them.
        Value::Bytes(value) => value.iter().map(|byte| format!("{byte:02x}")).collect::<String>().into(),
        Value::Date(value) => value.to_string().into(),
        Value::Time(value) => value.to_string().into(),
    }
}
