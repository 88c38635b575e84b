//! What the operator decides.

use crate::{address::TrustedProxy, limits::RateLimit, outbox::webhooks::sender::WebhookSender};
use service::people::EncryptionKey;
use store::accounts::Plan;

/// What the operator decides.
#[derive(Debug, Clone)]
pub struct Config {
    /// The origin that people and programs reach the server by, without a trailing slash. Links and issuer come from it and never
    /// from what a request says of itself.
    pub base_url: String,
    /// The lowest plan that may use the API.
    pub api_min_plan: Plan,
    /// How many requests an account may make.
    pub rate_limit: Option<RateLimit>,
    /// Whether that counts over all nodes that share the database.
    pub shared_limits: bool,
    /// How many requests for open data may come from one address.
    pub open_data_rate_limit: Option<RateLimit>,
    /// Proxies whose word is taken on where a request comes from.
    pub trusted_proxies: Vec<TrustedProxy>,
    /// The plan of those who sign up by themselves; nobody can when there is none.
    pub sign_up_plan: Option<Plan>,
    /// What second factors are encrypted with; without it there are none.
    pub encryption_key: Option<EncryptionKey>,
    /// What sends messages to webhooks.
    pub webhooks: WebhookSender,
    /// Which program this is, for `/readyz` and the metrics.
    pub build: Build,
}

/// Which program this is.
#[derive(Debug, Clone, Copy, Default)]
pub struct Build {
    /// Its version.
    pub version: &'static str,
    /// The commit that it was built from.
    pub commit: &'static str,
}
