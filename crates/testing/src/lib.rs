//! Shared test helpers: temporary databases on both engines, a settable clock, and a server in the
//! test's process.

#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "this crate is test code: a failure here is a failed test"
)]

pub mod authenticator;
pub mod by_quarter;
pub mod database;
pub mod description;
pub mod mail;
pub mod raw;
pub mod receiver;
pub mod server;
pub mod statements;
pub mod year;

pub use database::{Database, Engine};
pub use mail::SentMail;
pub use raw::Raw;
pub use receiver::{Behaviour, Received, Receiver};
pub use server::Server;
pub use visitor::{Reply, Visitor, page};

/// Defines each test twice: for SQLite and for PostgreSQL.
#[macro_export]
macro_rules! on_both_engines {
    ($($(#[$attribute:meta])* fn $name:ident($engine:ident) $body:block)*) => {
        mod on_sqlite { $($(#[$attribute])* #[test] fn $name() { super::$name($crate::Engine::Sqlite) })* }
        mod on_postgres { $($(#[$attribute])* #[test] fn $name() { super::$name($crate::Engine::Postgres) })* }
        $(fn $name($engine: $crate::Engine) $body)*
    };
}
