//! A browser without JavaScript, for tests and benchmarks. It keeps cookies, parses the pages that
//! our templates render, and submits their forms.

#![expect(clippy::unwrap_used, reason = "this crate is test code: a failure here is a failed test")]

pub mod page;
mod reply;
mod visitor;

pub use reply::Reply;
pub use visitor::{FORM, Visitor, agent, send, try_send};
