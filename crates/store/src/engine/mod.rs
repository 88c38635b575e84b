//! The two engines, SQLite and PostgreSQL, behind one transaction: [`tx::Tx`], its parameters and rows, and the queues before it.

pub(crate) mod append_only;
pub(crate) mod backup;
mod deadline;
pub(crate) mod fair_queue;
mod file_watch;
pub(crate) mod filter;
pub(crate) mod job;
pub(crate) mod migrations;
pub(crate) mod moving;
mod names;
#[cfg(feature = "observe-statements")]
pub mod observe;
pub mod param;
pub(crate) mod postgres;
pub(crate) mod priority;
pub(crate) mod record;
pub mod row;
pub(crate) mod serving;
pub(crate) mod sqlite;
pub(crate) mod status;
pub mod tx;
pub mod url;

/// What a database is opened for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// To serve it. On SQLite there is one server; on PostgreSQL there may be several, and a newer one may bring the tables up to date while
    /// older ones are at work.
    Serve,
    /// For a command, which must not bring the tables up to date under a server.
    Command,
}
