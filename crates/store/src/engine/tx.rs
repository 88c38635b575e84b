//! Transactions: the same operations on either engine.
//!
//! Statements are written once, in the SQL that both engines share, with numbered parameters `?1`,
//! `?2`, …. On PostgreSQL, statements without results are queued and sent together with the next
//! query or with the commit (pipelining). A transaction therefore costs one round trip per query
//! plus one.

use crate::{
    StoreError,
    change_kinds::{Event, ResourceKind, Topic},
    engine::postgres::session::Session,
    param::Param,
    row::Row,
};
use std::{collections::HashMap, fmt::Write as _};

/// Maximum number of rows per INSERT statement; longer lists need several statements.
const ROWS_PER_STATEMENT: usize = 50;

/// Builds placeholders `?first, …` for a list of ids, with the ids to bind. The number of
/// placeholders is rounded up, so that lists of different lengths share a few prepared statements.
pub(crate) fn id_list(ids: &[i64], first: usize) -> (String, Vec<i64>) {
    let mut padded = ids.to_vec();
    // Repeating the last id changes nothing; an empty list is padded with 0, which no row has.
    padded.resize(ids.len().max(1).next_power_of_two(), ids.last().copied().unwrap_or(0));
    let places: Vec<String> =
        (first..first + padded.len()).map(|place| format!("?{place}")).collect();
    (places.join(", "), padded)
}

/// A transaction on one of the engines.
pub struct Tx<'a> {
    engine: TxEngine<'a>,
    /// Number of write statements sent.
    writes: u64,
    /// Changes not yet written to the change feed.
    recorded: Vec<Recorded>,
    /// Position of each resource in `recorded`: an import changes many thousands.
    places: HashMap<(ResourceKind, i64), usize>,
    /// Accounts whose feeds have new rows that are not yet committed.
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
    /// More specific topics of the change, for webhooks.
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
            places: HashMap::new(),
            reported: Vec::new(),
            #[cfg(feature = "observe-statements")]
            number: crate::observe::next_transaction(),
        }
    }

    #[cfg(feature = "observe-statements")]
    fn show(&self, sql: &str, params: &[Param<'_>]) {
        let postgres = matches!(self.engine, TxEngine::Postgres(_));
        crate::observe::sent(&crate::observe::Sent {
            sql,
            params,
            postgres,
            transaction: self.number,
        });
    }

    /// Records a change of a resource for the feed of the account whose books are locked. Functions
    /// that write a row of such a resource call this themselves, so that no command can forget to
    /// record it.
    pub(crate) fn record(&mut self, kind: ResourceKind, id: i64, event: Event) {
        match self.places.get(&(kind, id)).map(|place| &mut self.recorded[*place]) {
            // A resource created in this transaction is still reported as created, even if it is
            // changed afterwards.
            Some(recorded) if (recorded.event, event) == (Event::Created, Event::Updated) => {}
            Some(recorded) => recorded.event = event,
            None => {
                self.places.insert((kind, id), self.recorded.len());
                self.recorded.push(Recorded { kind, id, event, topics: Vec::new() });
            }
        }
    }

    /// Records a change of a resource together with its topic for webhooks.
    pub fn record_topic(&mut self, kind: ResourceKind, id: i64, topic: Topic) {
        self.record(kind, id, Event::Updated);
        let recorded = self.places.get(&(kind, id)).map(|place| &mut self.recorded[*place]);
        if let Some(recorded) = recorded.filter(|recorded| !recorded.topics.contains(&topic)) {
            recorded.topics.push(topic);
        }
    }

    /// Takes the recorded changes, so that the caller can write them to the account's feed.
    pub(crate) fn report(&mut self, account: i64) -> Vec<Recorded> {
        if !self.recorded.is_empty() {
            self.reported.push(account);
        }
        self.places.clear();
        std::mem::take(&mut self.recorded)
    }

    /// Accounts whose feeds have new rows once the transaction has been committed.
    ///
    /// # Panics
    /// A change was recorded but not written to a feed: the command did not lock the account's
    /// books.
    pub(crate) fn reported(&mut self) -> Vec<i64> {
        assert!(
            self.recorded.is_empty(),
            "changes recorded without locking the books: {:?}",
            self.recorded
        );
        std::mem::take(&mut self.reported)
    }

    /// Number of write statements sent.
    pub(crate) fn writes(&self) -> u64 {
        self.writes
    }

    /// Returns all rows of a query.
    ///
    /// # Errors
    /// The database rejected the query or is unavailable, or `read` failed on a row.
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
            TxEngine::Postgres(tx) => {
                tx.query(sql, params)?.iter().map(|row| read(&Row::Postgres(row))).collect()
            }
        }
    }

    /// Returns the first row of a query, if any.
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

    /// Returns the only row of a query.
    ///
    /// # Errors
    /// As for [`Tx::query`], and if there is no row.
    pub fn query_one<T>(
        &mut self,
        sql: &str,
        params: &[Param<'_>],
        read: impl FnMut(&Row<'_>) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        self.query_opt(sql, params, read)?
            .ok_or_else(|| StoreError::Unreadable("a required row is missing".into()))
    }

    /// Announces the queries that will run before the next write, so that PostgreSQL can answer
    /// them in one round trip. `questions` runs these queries, each of which returns no rows during
    /// the announcement. SQLite ignores the call, as it has no round trips.
    pub fn prefetch(&mut self, questions: impl FnOnce(&mut Tx<'_>)) {
        if let TxEngine::Postgres(session) = &mut self.engine {
            session.record(|session| questions(&mut Tx::postgres(session)));
        }
    }

    /// Runs a statement without results. On PostgreSQL, a failure may show only at the next query
    /// or at the commit; the transaction fails either way.
    ///
    /// # Errors
    /// The database rejected the statement or is unavailable.
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

    /// Inserts many rows: `head` is the statement up to its columns, `tail` follows the values
    /// (such as `ON CONFLICT …`), and `params` holds the values row after row.
    ///
    /// # Errors
    /// As for [`Tx::execute`].
    pub fn insert_rows(
        &mut self,
        head: &str,
        columns: usize,
        params: &[Param<'_>],
        tail: &str,
    ) -> Result<(), StoreError> {
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

    /// Updates the statistics by which PostgreSQL plans queries of these tables, after many rows have
    /// been added: autovacuum takes a minute. Does nothing on SQLite.
    pub(crate) fn analyze(&mut self, tables: &str) -> Result<(), StoreError> {
        match &self.engine {
            TxEngine::Sqlite(_) => Ok(()),
            TxEngine::Postgres(_) => self.execute(&format!("ANALYZE {tables}"), &[]),
        }
    }

    /// Returns the first row of a query, if any, and locks it until the end of the transaction.
    /// SQLite needs no lock, as it has a single writer.
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
