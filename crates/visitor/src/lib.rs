//! For tests and measurements: a browser without scripts. It keeps cookies, reads the pages that our templates write, and sends their forms.

#![expect(clippy::unwrap_used, reason = "this crate is test code: a failure here is a failed test")]

pub mod page;
mod reply;
mod visitor;

pub use reply::Reply;
pub use visitor::{FORM, Visitor, agent, send, try_send};
