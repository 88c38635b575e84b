//! Counters and gauges, in the text formats of OpenMetrics and Prometheus.

use crate::{
    Build,
    http::{catalogue, process},
};
use jiff::Timestamp;
use prometheus_client::{
    encoding::{EncodeLabelSet, text},
    metrics::{counter::Counter, family::Family, gauge::Gauge, histogram::Histogram, info::Info},
    registry::{Registry, Unit},
};
use std::time::Duration;
use store::Status;

/// Counters of the server.
pub struct Metrics {
    registry: Registry,
    requests: Family<RequestLabels, Counter>,
    seconds: Family<RouteLabels, Histogram>,
    refusals: Family<RefusalLabels, Counter>,
    sign_ins: Family<SignInLabels, Counter>,
    mails: Family<DeliveryLabels, Counter>,
    webhooks: Family<DeliveryLabels, Counter>,
    password_hashes: Counter,
    gauges: Gauges,
}

/// Gauges that are updated before each rendering.
#[derive(Default)]
struct Gauges {
    database_up: Gauge,
    connections: Family<ConnectionLabels, Gauge>,
    waiting: Family<QueueLabels, Gauge>,
    tasks: Family<TaskLabels, Gauge>,
    outbox: Family<OutboxLabels, Gauge>,
    outbox_oldest: Gauge,
    process: process::Gauges,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct RequestLabels {
    route: String,
    status: u16,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct RouteLabels {
    route: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct RefusalLabels {
    code: &'static str,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct SignInLabels {
    result: &'static str,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct DeliveryLabels {
    result: &'static str,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct ConnectionLabels {
    state: &'static str,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct QueueLabels {
    queue: &'static str,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct TaskLabels {
    task: &'static str,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct OutboxLabels {
    state: &'static str,
}

/// Result of a sign-in attempt on the pages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SignIn {
    /// A session was started.
    Succeeded,
    /// The password was right; a code is required.
    CodeAsked,
    /// Email address and password do not match.
    WrongPassword,
    /// The code was wrong.
    WrongCode,
    /// The email address is not confirmed.
    Unconfirmed,
    /// There were too many attempts.
    Throttled,
}

/// Result of an attempt to deliver an email or a webhook message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DeliveryResult {
    /// The email or message was accepted.
    Sent,
    /// The email or message was not accepted; delivery will be retried.
    Deferred,
    /// The email or message was not accepted; delivery will not be retried.
    Failed,
}

impl SignIn {
    fn as_str(self) -> &'static str {
        match self {
            Self::Succeeded => "succeeded",
            Self::CodeAsked => "code_asked",
            Self::WrongPassword => "wrong_password",
            Self::WrongCode => "wrong_code",
            Self::Unconfirmed => "unconfirmed",
            Self::Throttled => "slowed",
        }
    }
}

impl DeliveryResult {
    fn as_str(self) -> &'static str {
        match self {
            Self::Sent => "sent",
            Self::Deferred => "deferred",
            Self::Failed => "failed",
        }
    }
}

/// Values from the database for the metrics.
#[derive(Debug, Default, Clone, Copy)]
pub struct Observed {
    /// Time of the last backup, the epoch if there is none yet; `None` if backups are made by other
    /// tools.
    pub backup: Option<Timestamp>,
    /// Time of the last verification of all books, the epoch if there is none yet.
    pub verify: Timestamp,
    /// Number of queued emails.
    pub mails_waiting: i64,
    /// Number of emails that failed permanently.
    pub mails_failed: i64,
    /// Creation time of the oldest queued email.
    pub mails_oldest: Option<Timestamp>,
}

impl Metrics {
    /// Creates the metrics for a program of this version.
    pub fn new(build: Build) -> Self {
        let mut all = Registry::default();
        let registry = all.sub_registry_with_prefix("grootboek");
        let schema = store::known_schema().to_string();
        let labels = vec![
            ("version", build.version.to_owned()),
            ("commit", build.commit.to_owned()),
            ("schema", schema),
        ];
        registry.register(
            "build",
            "Version, commit and supported schema version",
            Info::new(labels),
        );
        let requests = Family::default();
        registry.register(
            "http_requests",
            "Requests answered, by route and status",
            requests.clone(),
        );
        let seconds = Family::new_with_constructor(latencies as fn() -> Histogram);
        registry.register(
            "http_request_duration_seconds",
            "Time to answer, by route",
            seconds.clone(),
        );
        let refusals: Family<RefusalLabels, Counter> = Family::default();
        // The counter is exported from the start, so that the first fault shows up as an increase.
        drop(refusals.get_or_create(&RefusalLabels { code: catalogue::INTERNAL.code }));
        registry.register(
            "refusals",
            "Requests refused, by the code of the problem",
            refusals.clone(),
        );
        let sign_ins: Family<SignInLabels, Counter> = Family::default();
        registry.register("sign_ins", "Sign-in attempts on the pages, by result", sign_ins.clone());
        let mails: Family<DeliveryLabels, Counter> = Family::default();
        registry.register("mails", "Attempts to deliver mails, by result", mails.clone());
        let webhooks: Family<DeliveryLabels, Counter> = Family::default();
        registry.register(
            "webhook_messages",
            "Attempts to deliver webhook messages, by result",
            webhooks.clone(),
        );
        // The counters are exported from the start, so that the first delivery shows up as an
        // increase.
        for result in [DeliveryResult::Sent, DeliveryResult::Deferred, DeliveryResult::Failed] {
            drop(mails.get_or_create(&DeliveryLabels { result: result.as_str() }));
            drop(webhooks.get_or_create(&DeliveryLabels { result: result.as_str() }));
        }
        let password_hashes = Counter::default();
        let help =
            "Passwords hashed or verified; each takes tens of milliseconds of processor time";
        registry.register("password_hashes", help, password_hashes.clone());
        let gauges = Gauges::register(registry);
        gauges.process.register(&mut all);
        Self {
            registry: all,
            requests,
            seconds,
            refusals,
            sign_ins,
            mails,
            webhooks,
            password_hashes,
            gauges,
        }
    }
}

impl Gauges {
    fn register(registry: &mut Registry) -> Self {
        let gauges = Self::default();
        registry.register(
            "database_up",
            "1 if the database is available",
            gauges.database_up.clone(),
        );
        let help = "Database connections, by state";
        registry.register("database_connections", help, gauges.connections.clone());
        let help = "Queue lengths of the database: commands (at most 4096) and lists";
        registry.register("database_waiting", help, gauges.waiting.clone());
        let help = "Time of the last backup and verification; 0 if there was none";
        registry.register_with_unit(
            "last_done_timestamp",
            help,
            Unit::Seconds,
            gauges.tasks.clone(),
        );
        registry.register("outbox_mails", "Mails in the outbox, by state", gauges.outbox.clone());
        let help = "Creation time of the oldest queued mail; 0 if there is none";
        registry.register_with_unit(
            "outbox_oldest_timestamp",
            help,
            Unit::Seconds,
            gauges.outbox_oldest.clone(),
        );
        gauges
    }
}

/// Histogram of latencies: buckets in seconds, from one millisecond up to the time limit.
fn latencies() -> Histogram {
    Histogram::new([
        0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0,
    ])
}

impl Metrics {
    /// Counts a request and its duration.
    pub fn count(&self, route: &str, status: u16, code: &'static str, took: Duration) {
        self.requests.get_or_create(&RequestLabels { route: route.to_owned(), status }).inc();
        self.seconds
            .get_or_create(&RouteLabels { route: route.to_owned() })
            .observe(took.as_secs_f64());
        if !code.is_empty() {
            self.refusals.get_or_create(&RefusalLabels { code }).inc();
        }
    }

    /// Counts an attempt to sign in.
    pub fn signed_in(&self, result: SignIn) {
        self.sign_ins.get_or_create(&SignInLabels { result: result.as_str() }).inc();
    }

    /// Counts an attempt to deliver an email.
    pub fn mailed(&self, result: DeliveryResult) {
        self.mails.get_or_create(&DeliveryLabels { result: result.as_str() }).inc();
    }

    /// Counts an attempt to deliver a message to a webhook.
    pub fn sent_to_webhook(&self, result: DeliveryResult) {
        self.webhooks.get_or_create(&DeliveryLabels { result: result.as_str() }).inc();
    }

    /// Returns the counter of password jobs: hashing and verification.
    pub fn password_hashes(&self) -> Counter {
        self.password_hashes.clone()
    }

    /// Updates the gauges; `observed` is `None` if the database is unavailable.
    pub fn observe(&self, status: Status, observed: Option<Observed>) {
        let number = |count: usize| i64::try_from(count).unwrap_or(i64::MAX);
        let gauges = &self.gauges;
        let busy = status.connections_busy;
        for (state, count) in
            [("busy", busy), ("idle", status.connections_open.saturating_sub(busy))]
        {
            gauges.connections.get_or_create(&ConnectionLabels { state }).set(number(count));
        }
        for (queue, count) in
            [("commands", status.commands_waiting), ("lists", status.lists_waiting)]
        {
            gauges.waiting.get_or_create(&QueueLabels { queue }).set(number(count));
        }
        gauges.database_up.set(i64::from(observed.is_some()));
        if let Some(observed) = observed {
            for (task, at) in [("backup", observed.backup), ("verify", Some(observed.verify))] {
                if let Some(at) = at {
                    gauges.tasks.get_or_create(&TaskLabels { task }).set(at.as_second());
                }
            }
            for (state, count) in
                [("waiting", observed.mails_waiting), ("failed", observed.mails_failed)]
            {
                gauges.outbox.get_or_create(&OutboxLabels { state }).set(count);
            }
            gauges.outbox_oldest.set(observed.mails_oldest.map_or(0, Timestamp::as_second));
        }
        gauges.process.look();
    }

    /// Returns content type and text of all metrics: OpenMetrics 1.0 if the `Accept` header names
    /// it, else version 0.0.4 of Prometheus' text format.
    #[must_use]
    pub fn render(&self, accept: &str) -> (&'static str, String) {
        let mut page = String::new();
        // Writing to a String cannot fail.
        let _ = text::encode(&mut page, &self.registry);
        if accept.contains("application/openmetrics-text") {
            return ("application/openmetrics-text; version=1.0.0; charset=utf-8", page);
        }
        ("text/plain; version=0.0.4; charset=utf-8", plain(&page))
    }
}

/// Converts OpenMetrics to version 0.0.4 of Prometheus' text format. The samples stay the same. In
/// the comments, counters and infos get the suffix of their samples, an info becomes a gauge, and
/// units are dropped.
fn plain(page: &str) -> String {
    let mut plain = String::with_capacity(page.len());
    let mut help = "";
    for line in page.lines() {
        let Some(comment) = line.strip_prefix("# ") else {
            plain.extend([line, "\n"]);
            continue;
        };
        let (keyword, rest) = comment.split_once(' ').unwrap_or((comment, ""));
        let (name, value) = rest.split_once(' ').unwrap_or((rest, ""));
        let (suffix, kind) = match value {
            "counter" => ("_total", value),
            "info" => ("_info", "gauge"),
            _ => ("", value),
        };
        match keyword {
            "HELP" => help = value,
            "TYPE" => {
                plain += &format!("# HELP {name}{suffix} {help}\n# TYPE {name}{suffix} {kind}\n")
            }
            _ => {}
        }
    }
    plain
}
