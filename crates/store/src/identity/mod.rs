//! Tables for accounts, people and sign-in.

pub mod accounts;
pub mod closing;
pub mod mail_tokens;
pub mod people;
pub mod person_events;
pub(crate) mod person_id;
pub mod plan;
pub mod sessions;
pub mod submissions;
pub mod test_accounts;
pub(crate) mod test_mode;
pub mod unfinished;
