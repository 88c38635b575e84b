//! Interface features that span areas.

mod abuse;
mod alike;
mod downloads;
mod failures;
mod forms;
pub(crate) mod headers;
mod languages;
mod large_reads;
mod lists;
mod overview;
mod redirects;
pub(crate) mod routes;
mod submissions;
mod texts;
mod unfinished;
