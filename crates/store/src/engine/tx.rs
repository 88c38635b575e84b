//! A transaction in progress: the same few verbs on either engine.
//!
//! Statements are written once, with numbered parameters `?1`, `?2`, …, in the SQL that both engines share. On PostgreSQL a
//! statement that gives no rows is only queued; what is queued travels together with the next question, or with the
//! commit, so that a transaction costs as many round trips as it asks questions, plus one.

use crate::{
    StoreError,
    change_kinds::{Event, ResourceKind, Topic},
    engine::postgres::session::Session,
    param::Param,
    row::Row,
};
use std::fmt::Write as _;

/// Rows written by one statement at the most; longer lists take several.
const ROWS_PER_STATEMENT: usize = 50;

/// Placeholders `?first, …` for a list of ids, and the ids to bind: their number is rounded up, so that lists of many lengths share
/// a few prepared statements.
pub(crate) fn id_list(ids: &[i64], first: usize) -> (String, Vec<i64>) {
    let mut padded = ids.to_vec();
    // The last id again changes nothing; of no ids there is none that exists.
    padded.resize(ids.len().max(1).next_power_of_two(), ids.last().copied().unwrap_or(0));
    let places: Vec<String> = (first..first + padded.len()).map(|place| format!("?{place}")).collect();
    (places.join(", "), padded)
}

/// A transaction on one of the engines.
pub struct Tx<'a> {
    engine: TxEngine<'a>,
    /// How many statements that write were sent.
    writes: u64,
    /// What was written that the change feed is to report.
    recorded: Vec<Recorded>,
    /// The accounts whose feeds report something that is not committed yet.
    reported: Vec<i64>,
    #[cfg(feature = "observe-statements")]
    number: u64,
}

/// A change that is not in the feed yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Recorded {
    pub(crate) kind: ResourceKind,
    pub(crate) id: i64,
    pub(crate) event: Event,
    /// What was done with it, as far as webhooks name that more closely.
    pub(crate) topics: Vec<Topic>,
}

enum TxEngine<'a> {
    Sqlite(&'a rusqlite::Connection),
    Postgres(&'a mut Session),
}

impl<'a> Tx<'a> {
    pub(crate) fn sqlite(connection: &'a rusqlite::Connection) -> Self {
        Self::of(TxEngine::Sqlite(connection))
    }

    pub(crate) fn postgres(session: &'a mut Session) -> Self {
        Self::of(TxEngine::Postgres(session))
    }

    fn of(engine: TxEngine<'a>) -> Self {
        Self {
            engine,
            writes: 0,
            recorded: Vec::new(),
            reported: Vec::new(),
            #[cfg(feature = "observe-statements")]
            number: crate::observe::next_transaction(),
        }
    }

    #[cfg(feature = "observe-statements")]
    fn show(&self, sql: &str, params: &[Param<'_>]) {
        let postgres = matches!(self.engine, TxEngine::Postgres(_));
        crate::observe::sent(&crate::observe::Sent { sql, params, postgres, transaction: self.number });
    }

    /// Records a change of a resource for the feed of the account whose books are locked. Whatever writes a row of such a resource does this
    /// beside it, so that no command can forget it.
    pub(crate) fn record(&mut self, kind: ResourceKind, id: i64, event: Event) {
        match self.recorded.iter_mut().find(|recorded| recorded.kind == kind && recorded.id == id) {
            // What was made just now is new to everybody, whatever was done with it since.
            Some(recorded) if (recorded.event, event) == (Event::Created, Event::Updated) => {}
            Some(recorded) => recorded.event = event,
            None => self.recorded.push(Recorded { kind, id, event, topics: Vec::new() }),
        }
    }

    /// Records for webhooks what was done with a resource, beside the change of it.
    pub fn record_topic(&mut self, kind: ResourceKind, id: i64, topic: Topic) {
        self.record(kind, id, Event::Updated);
        let recorded = self.recorded.iter_mut().find(|recorded| recorded.kind == kind && recorded.id == id);
        if let Some(recorded) = recorded.filter(|recorded| !recorded.topics.contains(&topic)) {
            recorded.topics.push(topic);
        }
    }

    /// What was recorded for the feed of this account, which is reported now.
    pub(crate) fn report(&mut self, account: i64) -> Vec<Recorded> {
        if !self.recorded.is_empty() {
            self.reported.push(account);
        }
        std::mem::take(&mut self.recorded)
    }

    /// The accounts whose feeds report more once the transaction is committed.
    ///
    /// # Panics
    /// Something was recorded that no feed reports: whoever wrote it did not lock the account's books.
    pub(crate) fn reported(&mut self) -> Vec<i64> {
        assert!(self.recorded.is_empty(), "written without the books being locked: {:?}", self.recorded);
        std::mem::take(&mut self.reported)
    }

    /// How many statements that write were sent.
    pub(crate) fn writes(&self) -> u64 {
        self.writes
    }

    /// All rows that a query gives.
    ///
    /// # Errors
    /// The database refused or is away, or `read` could not make sense of a row.
    pub fn query<T>(
        &mut self,
        sql: &str,
        params: &[Param<'_>],
        mut read: impl FnMut(&Row<'_>) -> Result<T, StoreError>,
    ) -> Result<Vec<T>, StoreError> {
        #[cfg(feature = "observe-statements")]
        self.show(sql, params);
        match &mut self.engine {
            TxEngine::Sqlite(connection) => {
                let mut statement = connection.prepare_cached(sql)?;
                let mut rows = statement.query(rusqlite::params_from_iter(params))?;
                let mut all = Vec::new();
                while let Some(row) = rows.next()? {
                    all.push(read(&Row::Sqlite(row))?);
                }
                Ok(all)
            }
            TxEngine::Postgres(tx) => tx.query(sql, params)?.iter().map(|row| read(&Row::Postgres(row))).collect(),
        }
    }

    /// The first row that a query gives, if any.
    ///
    /// # Errors
    /// As for [`Tx::query`].
    pub fn query_opt<T>(
        &mut self,
        sql: &str,
        params: &[Param<'_>],
        read: impl FnMut(&Row<'_>) -> Result<T, StoreError>,
    ) -> Result<Option<T>, StoreError> {
        Ok(self.query(sql, params, read)?.into_iter().next())
    }

    /// The one row that a query must give.
    ///
    /// # Errors
    /// As for [`Tx::query`], and when there is no row.
    pub fn query_one<T>(
        &mut self,
        sql: &str,
        params: &[Param<'_>],
        read: impl FnMut(&Row<'_>) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        self.query_opt(sql, params, read)?.ok_or_else(|| StoreError::Unreadable("a row that must be there is missing".into()))
    }

    /// Announces which queries will follow before anything more is written, so that PostgreSQL can answer them in one round trip:
    /// `questions` asks them as they will be asked, and gets no rows yet. SQLite answers at once anyway and does nothing here.
    pub fn prefetch(&mut self, questions: impl FnOnce(&mut Tx<'_>)) {
        if let TxEngine::Postgres(session) = &mut self.engine {
            session.record(|session| questions(&mut Tx::postgres(session)));
        }
    }

    /// Runs a statement that gives no rows. On PostgreSQL its failure may show only at the next question or at the commit;
    /// the transaction fails either way.
    ///
    /// # Errors
    /// The database refused or is away.
    pub fn execute(&mut self, sql: &str, params: &[Param<'_>]) -> Result<(), StoreError> {
        #[cfg(feature = "observe-statements")]
        self.show(sql, params);
        self.writes += 1;
        match &mut self.engine {
            TxEngine::Sqlite(connection) => {
                connection.prepare_cached(sql)?.execute(rusqlite::params_from_iter(params))?;
            }
            TxEngine::Postgres(tx) => tx.execute(sql, params),
        }
        Ok(())
    }

    /// Writes many rows: `head` is the statement up to its columns, `tail` what follows the values (such as `ON CONFLICT …`),
    /// `params` the values row after row.
    ///
    /// # Errors
    /// As for [`Tx::execute`].
    pub fn insert_rows(&mut self, head: &str, columns: usize, params: &[Param<'_>], tail: &str) -> Result<(), StoreError> {
        for chunk in params.chunks(columns * ROWS_PER_STATEMENT) {
            let mut sql = String::with_capacity(head.len() + tail.len() + chunk.len() * 6);
            sql.push_str(head);
            for place in 0..chunk.len() {
                let opening = match (place, place % columns) {
                    (0, _) => " VALUES (",
                    (_, 0) => "), (",
                    _ => ", ",
                };
                // Writing to a String cannot fail.
                let _ = write!(sql, "{opening}?{}", place + 1);
            }
            sql.push_str(") ");
            sql.push_str(tail);
            self.execute(&sql, chunk)?;
        }
        Ok(())
    }

    /// The first row that a query gives, if any, locked until the end of the transaction so that those who want it wait for each
    /// other. SQLite has a single writer anyway.
    ///
    /// # Errors
    /// As for [`Tx::query`].
    pub fn query_opt_for_update<T>(
        &mut self,
        sql: &str,
        params: &[Param<'_>],
        read: impl FnMut(&Row<'_>) -> Result<T, StoreError>,
    ) -> Result<Option<T>, StoreError> {
        match &self.engine {
            TxEngine::Sqlite(_) => self.query_opt(sql, params, read),
            TxEngine::Postgres(_) => self.query_opt(&format!("{sql} FOR UPDATE"), params, read),
        }
    }
}
