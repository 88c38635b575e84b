//! Options of `serve`, in groups.

use super::{Migrations, PlanName, Switch, address, at_least_one, positive, whole_number};
use clap::Args;
use std::{net::SocketAddr, path::PathBuf};
use web::TrustedProxy;

#[derive(Args)]
pub(crate) struct ServeOptions {
    /// Address to listen on; port 0 selects a free port
    #[arg(long, value_parser = address, default_value = "127.0.0.1:8080", env = "GROOTBOEK_LISTEN", help_heading = NETWORK)]
    pub(crate) listen: SocketAddr,
    /// Public origin of the server, used by people and programs; required unless the listen address
    /// is a loopback address [default: http:// and the listen address]
    #[arg(long, env = "GROOTBOEK_BASE_URL", value_name = "URL", help_heading = NETWORK)]
    pub(crate) base_url: Option<String>,
    /// Allow a base URL with http: that is not local (keys are then sent unencrypted)
    #[arg(long, help_heading = NETWORK)]
    pub(crate) allow_http: bool,
    /// Reverse proxy, as an address or a network, whose X-Forwarded-For gives the client's address;
    /// may be repeated, or several separated by commas
    #[arg(long = "trusted-proxy", value_delimiter = ',', env = "GROOTBOEK_TRUSTED_PROXY", value_name = "IP|CIDR", help_heading = NETWORK)]
    pub(crate) trusted_proxies: Vec<TrustedProxy>,
    /// Allow webhooks to addresses of this host and of private networks, also with http:; for tests
    /// and for receivers in your own network
    #[arg(long, env = "GROOTBOEK_WEBHOOK_ALLOW_PRIVATE", help_heading = NETWORK)]
    pub(crate) webhook_allow_private: bool,
    /// Serve metrics for Prometheus on this address, at /metrics
    #[arg(long, value_parser = address, env = "GROOTBOEK_METRICS_LISTEN", value_name = "ADDRESS", help_heading = NETWORK)]
    pub(crate) metrics_listen: Option<SocketAddr>,
    #[command(flatten)]
    pub(crate) mail: MailOptions,
    /// Allow people to sign up
    #[arg(long, default_value = "on", env = "GROOTBOEK_SIGN_UP", help_heading = PEOPLE)]
    pub(crate) sign_up: Switch,
    /// Plan of new accounts from sign-up
    #[arg(long, default_value = "free", env = "GROOTBOEK_SIGN_UP_PLAN", help_heading = PEOPLE)]
    pub(crate) sign_up_plan: PlanName,
    /// Lowest plan with access to the API
    #[arg(long, default_value = "starter", env = "GROOTBOEK_API_MIN_PLAN", help_heading = PEOPLE)]
    pub(crate) api_min_plan: PlanName,
    /// File with the 32-byte key that encrypts second factors; created if it does not exist. All
    /// servers of a database need the same file [default: next to the SQLite file, with .secret
    /// appended; none for PostgreSQL, which disables second factors]
    #[arg(long, env = "GROOTBOEK_SECRET_FILE", value_name = "FILE", help_heading = PEOPLE)]
    pub(crate) secret_file: Option<PathBuf>,
    /// Start even if the secret decrypts no second factor in the database, and create a secret if
    /// there is none: owners of those second factors then sign in with a recovery code
    #[arg(long, help_heading = PEOPLE)]
    pub(crate) new_secret: bool,
    /// Migrate the tables at startup; with `never`, the server starts only if no migration is due,
    /// and `grootboek migrate` is run beforehand
    #[arg(long, default_value = "auto", env = "GROOTBOEK_MIGRATE", help_heading = DATABASE)]
    pub(crate) migrate: Migrations,
    /// Requests per minute and account, on this node unless --shared-limits is set; 0 means no
    /// limit
    #[arg(long, value_parser = whole_number, default_value_t = 600, env = "GROOTBOEK_RATE_LIMIT", value_name = "N", help_heading = LIMITS)]
    pub(crate) rate_limit: u32,
    /// Size of a burst of requests per account; at least 1
    #[arg(long, value_parser = positive, default_value_t = 100, env = "GROOTBOEK_RATE_BURST", value_name = "N", help_heading = LIMITS)]
    pub(crate) rate_burst: u32,
    /// Count the requests of an account across all nodes of the PostgreSQL database. No effect on
    /// SQLite, which has one node
    #[arg(long, env = "GROOTBOEK_SHARED_LIMITS", help_heading = LIMITS)]
    pub(crate) shared_limits: bool,
    /// Requests per minute for open data from one address, on this node; 0, or --rate-limit 0,
    /// means no limit
    #[arg(long, value_parser = whole_number, default_value_t = 600, env = "GROOTBOEK_OPEN_DATA_RATE_LIMIT", value_name = "N", help_heading = LIMITS)]
    pub(crate) open_data_rate_limit: u32,
    /// Number of idle read connections to SQLite [default: 8], or of connections to PostgreSQL
    /// [default: 16]
    #[arg(long, value_parser = at_least_one, env = "GROOTBOEK_CONNECTIONS", value_name = "N", help_heading = LIMITS)]
    pub(crate) connections: Option<usize>,
    /// Maximum number of open client connections
    #[arg(long, value_parser = at_least_one, default_value_t = 4096, env = "GROOTBOEK_MAX_CLIENTS", value_name = "N", help_heading = LIMITS)]
    pub(crate) max_clients: usize,
}

/// Options for sending emails.
#[derive(Args, Default)]
pub(crate) struct MailOptions {
    /// Mail server: smtp://user:password@host:587 (STARTTLS) or smtps://user:password@host:465;
    /// without one, emails are written to a folder
    #[arg(long, env = "GROOTBOEK_SMTP", hide_env_values = true, value_name = "URL", help_heading = MAIL)]
    pub(crate) smtp: Option<String>,
    /// Sender address of emails [default: grootboek at the host of the base URL]
    #[arg(long, env = "GROOTBOEK_MAIL_FROM", value_name = "ADDRESS", help_heading = MAIL)]
    pub(crate) mail_from: Option<String>,
    /// Folder for emails if there is no SMTP server [default: mail next to the SQLite file; for
    /// PostgreSQL grootboek/mail in the platform's data directory]
    #[arg(long, env = "GROOTBOEK_MAIL_FOLDER", value_name = "FOLDER", help_heading = MAIL)]
    pub(crate) mail_folder: Option<PathBuf>,
}

const NETWORK: &str = "Network";
const MAIL: &str = "Mail";
const PEOPLE: &str = "People and plans";
const DATABASE: &str = "Database";
const LIMITS: &str = "Limits";
