//! Pages over HTTP, as a browser without JavaScript uses them.

#![expect(clippy::unwrap_used, reason = "a failure here is a failed test")]

mod access;
mod bank;
mod help;
mod hours;
mod identity;
mod interface;
mod journal;
mod purchases;
mod sales;
mod settings;
mod tax;
