//! What is counted, in the text format of Prometheus.

use prometheus_client::{
    encoding::{EncodeLabelSet, text},
    metrics::{counter::Counter, family::Family, histogram::Histogram},
    registry::Registry,
};
use std::time::Duration;

/// Counters of the server.
pub struct Metrics {
    registry: Registry,
    requests: Family<RequestLabels, Counter>,
    seconds: Family<RouteLabels, Histogram>,
    password_hashes: Counter,
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

impl Default for Metrics {
    fn default() -> Self {
        let mut registry = Registry::with_prefix("grootboek");
        let requests = Family::default();
        registry.register("http_requests", "Requests answered, by route and status", requests.clone());
        let seconds = Family::new_with_constructor(latencies as fn() -> Histogram);
        registry.register("http_request_duration_seconds", "Time to answer, by route", seconds.clone());
        let password_hashes = Counter::default();
        let help = "Passwords hashed or compared; each takes tens of milliseconds of a processor";
        registry.register("password_hashes", help, password_hashes.clone());
        Self { registry, requests, seconds, password_hashes }
    }
}

/// Buckets in seconds, around what is promised (milliseconds) and up to the time limit.
fn latencies() -> Histogram {
    Histogram::new([0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0, 30.0])
}

impl Metrics {
    pub(crate) fn count(&self, route: &str, status: u16, took: Duration) {
        self.requests.get_or_create(&RequestLabels { route: route.to_owned(), status }).inc();
        self.seconds.get_or_create(&RouteLabels { route: route.to_owned() }).observe(took.as_secs_f64());
    }

    /// Counts passwords that are hashed or compared.
    pub(crate) fn password_hashes(&self) -> Counter {
        self.password_hashes.clone()
    }

    /// All counters as text.
    #[must_use]
    pub fn render(&self) -> String {
        let mut page = String::new();
        // Writing to a String cannot fail.
        let _ = text::encode(&mut page, &self.registry);
        page
    }
}
