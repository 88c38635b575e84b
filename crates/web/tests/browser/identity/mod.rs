//! Accounts and people.

mod password;
mod second_factor;
mod signing_in;
mod signing_up;
