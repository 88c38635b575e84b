//! OAuth 2.0 server: each test names the RFC and section of the statement that it checks.

#![expect(clippy::unwrap_used, reason = "a failure is a failed test")]

mod authorize_endpoint;
mod bearer;
mod clients;
mod exchange;
mod grants;
mod help;
mod library;
mod metadata;
mod races;
mod refresh;
mod requests;
mod revocation;
mod token_endpoint;
