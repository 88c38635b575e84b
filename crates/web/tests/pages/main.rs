//! The pages over HTTP, as a browser without scripts uses them.

#![expect(clippy::unwrap_used, reason = "a failure here is a failed test")]

mod abuse;
mod account_mails;
mod alike;
mod browser;
mod contacts;
mod data;
mod documents;
mod downloads;
mod expenses;
mod failures;
mod forms;
mod headers;
mod hours;
mod invoices;
mod journal;
mod languages;
mod large_reads;
mod lists;
mod overview;
mod password;
mod redirects;
mod routes;
mod second_factor;
mod security;
mod settings;
mod sign_in;
mod sign_up;
mod submissions;
mod texts;
mod vat;
mod year;
