//! The OAuth 2.0 server, statement by statement: each test is named by the RFC and section that it holds the server to.

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
