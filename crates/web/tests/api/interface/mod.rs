//! Rules of the API that span areas: pagination, idempotency, change feed, problems, description.

mod additive;
mod api_docs;
mod bad_requests;
mod changed_since;
mod changes;
mod conditional;
mod details;
mod idempotency;
mod large_reads;
mod lists;
mod openapi;
mod refusals;
mod replays;
mod strangers;
mod transport;
