//! Tables of who has an account and how they sign in.

pub mod account_events;
pub mod accounts;
pub mod closing;
pub mod mail_tokens;
pub mod people;
pub mod plan;
pub mod sessions;
pub mod submissions;
