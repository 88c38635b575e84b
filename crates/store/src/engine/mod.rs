//! The two engines, SQLite and PostgreSQL, behind one transaction type: [`tx::Tx`], with its
//! parameters, rows and queues.

pub(crate) mod append_only;
pub(crate) mod backup;
pub(crate) mod checksum;
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
pub(crate) mod table;
pub mod tx;
pub mod url;

/// Purpose of opening a database.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// For a server. SQLite allows one server. PostgreSQL allows several, and a newer one may
    /// migrate the schema while older ones run.
    Serve,
    /// For a command, which must not migrate the schema under a running server.
    Command,
}
