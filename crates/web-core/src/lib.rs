//! Shared core of the interfaces: HTTP, input readers, application state, capacity, outbox.
//!
//! `web-api`, `web-pages` and `web-open` depend on this crate and not on each other; `web` joins
//! them into one router.

pub mod answers;
pub mod audit_files;
pub mod authorization;
pub mod caller;
pub mod calls;
pub mod capacity;
pub mod config;
pub mod customer_links;
pub mod documents;
mod exports;
pub mod http;
pub mod input;
mod jobs;
pub mod outbox;
pub mod passwords;
pub mod quotes;
pub mod refusals;
pub mod state;
pub mod statements;
pub mod suggestions;
pub mod uploads;
pub mod urls;

pub use address::{BadProxy, TrustedProxy};
pub use config::{Build, Config};
pub use http::{address, assets, catalogue, cookies, json_body, limits, metrics, problem};
pub use input::english;
pub use limits::RateLimit;
pub use mail::html as letter_html;
pub use outbox::webhooks::sender::{Resolve, WebhookSender};
pub use state::{AppState, ReadContext};
