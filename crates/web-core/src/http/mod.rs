//! HTTP code shared by the interfaces, such as client addresses, cookies, files, limits, metrics
//! and problems.

pub mod address;
pub mod assets;
pub mod catalogue;
pub mod cookies;
pub mod entity_tags;
pub mod json_body;
pub mod keyed_request;
pub mod limits;
pub mod metrics;
pub mod problem;
mod process;
pub mod request_body;
pub mod shared_counts;

use std::time::Duration;

/// Time limit for a request.
pub const TIME_LIMIT: Duration = Duration::from_secs(30);
