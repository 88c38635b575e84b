//! HTTP as every interface needs it: addresses, cookies, files, limits, metrics, problems.

pub(crate) mod address;
pub(crate) mod assets;
pub mod catalogue;
pub(crate) mod cookies;
pub(crate) mod limits;
pub mod metrics;
pub(crate) mod problem;
mod process;
pub(crate) mod request_body;
pub(crate) mod shared_counts;

use std::time::Duration;

/// How long a request may take in all.
pub(crate) const TIME_LIMIT: Duration = Duration::from_secs(30);
