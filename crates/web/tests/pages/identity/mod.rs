//! Accounts and people.

mod account_mails;
mod data;
mod password;
mod second_factor;
mod security;
mod sign_in;
mod sign_up;
