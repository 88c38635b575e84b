//! The options of `serve`, in groups.

use super::{Migrations, PlanName, Switch, address, at_least_one, positive, whole_number};
use clap::Args;
use std::{net::SocketAddr, path::PathBuf};
use web::TrustedProxy;

#[derive(Args)]
pub(crate) struct ServeOptions {
    /// The address to listen on; port 0 takes a free one
    #[arg(long, value_parser = address, default_value = "127.0.0.1:8080", env = "GROOTBOEK_LISTEN", help_heading = NETWORK)]
    pub(crate) listen: SocketAddr,
    /// The origin that people and programs reach the server by; needed unless the listen address is a loopback address
    /// [default: http:// and the listen address]
    #[arg(long, env = "GROOTBOEK_BASE_URL", value_name = "URL", help_heading = NETWORK)]
    pub(crate) base_url: Option<String>,
    /// Allow a base URL with http: that is not this machine (keys then travel unencrypted)
    #[arg(long, help_heading = NETWORK)]
    pub(crate) allow_http: bool,
    /// A reverse proxy, as an address or a network, whose X-Forwarded-For tells where a request comes from; may be given again, or several
    /// separated by commas
    #[arg(long = "trusted-proxy", value_delimiter = ',', env = "GROOTBOEK_TRUSTED_PROXY", value_name = "IP|CIDR", help_heading = NETWORK)]
    pub(crate) trusted_proxies: Vec<TrustedProxy>,
    /// Let webhooks lead to addresses of this machine and its private networks, with http: too; for tests and for receivers inside the own network
    #[arg(long, env = "GROOTBOEK_WEBHOOK_ALLOW_PRIVATE", help_heading = NETWORK)]
    pub(crate) webhook_allow_private: bool,
    /// Serve metrics for Prometheus on this address, at /metrics
    #[arg(long, value_parser = address, env = "GROOTBOEK_METRICS_LISTEN", value_name = "ADDRESS", help_heading = NETWORK)]
    pub(crate) metrics_listen: Option<SocketAddr>,
    #[command(flatten)]
    pub(crate) mail: MailOptions,
    /// Whether people can sign up by themselves
    #[arg(long, default_value = "on", env = "GROOTBOEK_SIGN_UP", help_heading = PEOPLE)]
    pub(crate) sign_up: Switch,
    /// The plan of those who sign up
    #[arg(long, default_value = "free", env = "GROOTBOEK_SIGN_UP_PLAN", help_heading = PEOPLE)]
    pub(crate) sign_up_plan: PlanName,
    /// The lowest plan that may use the API
    #[arg(long, default_value = "starter", env = "GROOTBOEK_API_MIN_PLAN", help_heading = PEOPLE)]
    pub(crate) api_min_plan: PlanName,
    /// The file with the 32 bytes that second factors are encrypted with; made if it is not there. Every server of the same database needs the
    /// same file [default: beside the SQLite file, with .secret at its end; for PostgreSQL none, and then there is no second factor]
    #[arg(long, env = "GROOTBOEK_SECRET_FILE", value_name = "FILE", help_heading = PEOPLE)]
    pub(crate) secret_file: Option<PathBuf>,
    /// Start though no second factor in the database opens with the secret, and make a secret if there is none: the owners of those second
    /// factors then sign in by a recovery code
    #[arg(long, help_heading = PEOPLE)]
    pub(crate) new_secret: bool,
    /// Whether the server brings the tables up to date when it starts; with `never` it starts only when nothing is due, and `grootboek migrate`
    /// is run beforehand
    #[arg(long, default_value = "auto", env = "GROOTBOEK_MIGRATE", help_heading = DATABASE)]
    pub(crate) migrate: Migrations,
    /// Requests a minute per account, on this node unless --shared-limits is given; 0 means no limit
    #[arg(long, value_parser = whole_number, default_value_t = 600, env = "GROOTBOEK_RATE_LIMIT", value_name = "N", help_heading = LIMITS)]
    pub(crate) rate_limit: u32,
    /// Requests per account that may come at once; 1 or more
    #[arg(long, value_parser = positive, default_value_t = 100, env = "GROOTBOEK_RATE_BURST", value_name = "N", help_heading = LIMITS)]
    pub(crate) rate_burst: u32,
    /// Let the requests of an account count over all nodes on the PostgreSQL database. An SQLite file has one node, and then this changes nothing
    #[arg(long, env = "GROOTBOEK_SHARED_LIMITS", help_heading = LIMITS)]
    pub(crate) shared_limits: bool,
    /// Requests a minute for open data from one address, on this node; 0, or --rate-limit 0, means no limit
    #[arg(long, value_parser = whole_number, default_value_t = 600, env = "GROOTBOEK_OPEN_DATA_RATE_LIMIT", value_name = "N", help_heading = LIMITS)]
    pub(crate) open_data_rate_limit: u32,
    /// Idle read connections kept on SQLite [default: 8], connections on PostgreSQL [default: 16]
    #[arg(long, value_parser = at_least_one, env = "GROOTBOEK_CONNECTIONS", value_name = "N", help_heading = LIMITS)]
    pub(crate) connections: Option<usize>,
    /// Open connections from clients at the most
    #[arg(long, value_parser = at_least_one, default_value_t = 4096, env = "GROOTBOEK_MAX_CLIENTS", value_name = "N", help_heading = LIMITS)]
    pub(crate) max_clients: usize,
}

/// How mails go out.
#[derive(Args, Default)]
pub(crate) struct MailOptions {
    /// The server that sends mails: smtp://user:password@host:587 (STARTTLS) or smtps://user:password@host:465; without one they are written
    /// into a folder
    #[arg(long, env = "GROOTBOEK_SMTP", hide_env_values = true, value_name = "URL", help_heading = MAIL)]
    pub(crate) smtp: Option<String>,
    /// The sender of mails [default: grootboek at the host of the base URL]
    #[arg(long, env = "GROOTBOEK_MAIL_FROM", value_name = "ADDRESS", help_heading = MAIL)]
    pub(crate) mail_from: Option<String>,
    /// The folder for mails when there is no SMTP server [default: mail beside the SQLite file; for PostgreSQL grootboek/mail in the platform's
    /// data directory]
    #[arg(long, env = "GROOTBOEK_MAIL_FOLDER", value_name = "FOLDER", help_heading = MAIL)]
    pub(crate) mail_folder: Option<PathBuf>,
}

const NETWORK: &str = "Network";
const MAIL: &str = "Mail";
const PEOPLE: &str = "People and plans";
const DATABASE: &str = "Database";
const LIMITS: &str = "Limits";
