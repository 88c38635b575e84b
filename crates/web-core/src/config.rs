//! The operator's configuration.

use crate::{address::TrustedProxy, limits::RateLimit, outbox::webhooks::sender::WebhookSender};
use service::people::EncryptionKey;
use store::accounts::Plan;

/// The operator's configuration.
#[derive(Debug, Clone)]
pub struct Config {
    /// Public origin of the server, without a trailing slash. Links and the issuer are derived from
    /// this setting, never from headers of a request.
    pub base_url: String,
    /// Lowest plan that may use the API.
    pub api_min_plan: Plan,
    /// Rate limit per account; `None` turns rate limits off.
    pub rate_limit: Option<RateLimit>,
    /// Whether requests are counted across all nodes that share the database.
    pub shared_limits: bool,
    /// Rate limit for open data per client address.
    pub open_data_rate_limit: Option<RateLimit>,
    /// Proxies whose `X-Forwarded-For` is trusted.
    pub trusted_proxies: Vec<TrustedProxy>,
    /// Plan of accounts opened by signing up; `None` disables sign-up.
    pub sign_up_plan: Option<Plan>,
    /// Key that encrypts second factors; without a key, two-factor authentication is unavailable.
    pub encryption_key: Option<EncryptionKey>,
    /// Sender of webhook messages.
    pub webhooks: WebhookSender,
    /// Version of the program, for `/readyz` and the metrics.
    pub build: Build,
}

/// Version of the program.
#[derive(Debug, Clone, Copy, Default)]
pub struct Build {
    /// Version number.
    pub version: &'static str,
    /// Commit from which the program was built.
    pub commit: &'static str,
}
