//! Problem details (RFC 9457): the one place that turns failures into responses.

use crate::{
    catalogue::{self, ProblemKind},
    input::english,
    refusals::{self, sentence},
};
use axum::{
    http::{HeaderValue, Method, StatusCode, header},
    response::{IntoResponse, Response},
};
use jiff::civil::Date;
use serde::Serialize;
use serde_json::Value;
use service::{BankError, Error, Fault, FilePlace, InvoiceError};
use std::{
    sync::{Mutex, PoisonError},
    time::{Duration, Instant},
};
use store::StoreError;
use tracing::{error, warn};

/// Minimum time between log lines about rejected requests.
const BUSY_LOGGED: Duration = Duration::from_secs(60);
/// Minimum time between log lines about an unavailable database.
const UNAVAILABLE_LOGGED: Duration = Duration::from_secs(10);

/// A failure on its way to the client. The outermost layer, which knows the request's id and the
/// server's address, renders it.
#[derive(Debug, Clone)]
pub struct Problem {
    /// Kind, as listed in the catalogue.
    pub kind: &'static ProblemKind,
    detail: String,
    faults: Vec<FaultAt>,
    proposal: Option<Box<Value>>,
    next_possible_on: Option<Date>,
    headers: Vec<(header::HeaderName, HeaderValue)>,
}

/// A fault, with the JSON pointer or the parameter to which it belongs.
#[derive(Debug, Clone, Serialize)]
pub struct FaultAt {
    #[serde(skip_serializing_if = "Option::is_none")]
    pointer: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    parameter: Option<String>,
    /// Name of the file in an uploaded archive.
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<String>,
    /// Line of an uploaded file, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<u32>,
    code: &'static str,
    message: String,
}

impl FaultAt {
    /// A fault in a query or path parameter.
    pub fn parameter(name: &str, code: &'static str, message: impl Into<String>) -> Self {
        Self {
            pointer: None,
            parameter: Some(name.to_owned()),
            file: None,
            line: None,
            code,
            message: message.into(),
        }
    }
}

impl FaultAt {
    /// Returns the message, prefixed with the name of the field unless the message contains it:
    /// clients may show the message without the pointer.
    fn named(&self) -> String {
        let path = self
            .pointer
            .as_deref()
            .map(|pointer| pointer.trim_start_matches('/'))
            .or(self.parameter.as_deref())
            .unwrap_or("");
        let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
        let names_it = self.message.split(|c| !is_word(c)).any(|word| word == path);
        if path.is_empty() || names_it {
            self.message.clone()
        } else {
            format!("`{path}`: {}", self.message)
        }
    }
}

impl From<Fault> for FaultAt {
    fn from(fault: Fault) -> Self {
        let message = english::message(&fault);
        let FilePlace { file, line } = fault.place.map(|place| *place).unwrap_or_default();
        Self {
            pointer: Some(fault.path),
            parameter: None,
            file,
            line,
            code: fault.reason.code(),
            message,
        }
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ProblemBody<'p> {
    r#type: String,
    title: &'p str,
    status: u16,
    detail: &'p str,
    code: &'p str,
    request_id: &'p str,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    errors: &'p [FaultAt],
    #[serde(skip_serializing_if = "Option::is_none")]
    proposal: Option<&'p Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    next_possible_on: Option<String>,
}

impl Problem {
    /// Creates a problem with its detail.
    pub fn new(kind: &'static ProblemKind, detail: impl Into<String>) -> Self {
        Self {
            kind,
            detail: detail.into(),
            faults: Vec::new(),
            proposal: None,
            next_possible_on: None,
            headers: Vec::new(),
        }
    }

    /// Creates a 422 with the faults in the input.
    pub fn invalid(faults: impl IntoIterator<Item = impl Into<FaultAt>>) -> Self {
        let faults: Vec<FaultAt> = faults.into_iter().map(Into::into).collect();
        let detail = match &faults[..] {
            [only] => sentence(&only.named()),
            several => format!("{} values cannot be used; errors lists them all.", several.len()),
        };
        Self { faults, ..Self::new(catalogue::VALIDATION_FAILED, detail) }
    }

    /// Creates a 422 with the first faults of a file that has `count` of them.
    pub fn invalid_file(faults: Vec<Fault>, count: usize) -> Self {
        let listed = faults.len();
        let problem = Self::invalid(faults);
        if count <= listed {
            return problem;
        }
        let detail =
            format!("{count} values in the file cannot be used; errors lists the first {listed}.");
        Self { detail, ..problem }
    }

    /// Adds a proposal for reading a CSV file.
    pub fn with_proposal(self, proposal: Value) -> Self {
        Self { proposal: Some(Box::new(proposal)), ..self }
    }

    /// Adds a header to the response.
    pub fn with_header(mut self, name: header::HeaderName, value: &str) -> Self {
        if let Ok(value) = HeaderValue::from_str(value) {
            self.headers.push((name, value));
        }
        self
    }

    /// Returns the explanation in English.
    pub fn detail(&self) -> &str {
        &self.detail
    }

    /// Additional headers of the response.
    pub fn headers(&self) -> &[(header::HeaderName, HeaderValue)] {
        &self.headers
    }

    /// Renders the response with the request's id and URLs on this server.
    pub fn render(&self, base_url: &str, request_id: &str) -> Response {
        let body = ProblemBody {
            r#type: format!("{base_url}/docs/errors#{}", self.kind.code),
            title: self.kind.title,
            status: self.kind.status,
            detail: &self.detail,
            code: self.kind.code,
            request_id,
            errors: &self.faults,
            proposal: self.proposal.as_deref(),
            next_possible_on: self.next_possible_on.map(|day| day.to_string()),
        };
        // Strings and numbers always serialize.
        let json = serde_json::to_vec(&body).unwrap_or_default();
        let status =
            StatusCode::from_u16(self.kind.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        let mut response =
            (status, [(header::CONTENT_TYPE, "application/problem+json")], json).into_response();
        for (name, value) in &self.headers {
            response.headers_mut().append(name, value.clone());
        }
        response
    }
}

/// An empty response that carries the problem to the outermost layer.
impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let status =
            StatusCode::from_u16(self.kind.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        let mut response = status.into_response();
        response.extensions_mut().insert(self);
        response
    }
}

impl From<Error> for Problem {
    fn from(error: Error) -> Self {
        match error {
            Error::Invalid(faults) => return Self::invalid(faults),
            Error::Store(error) => return Self::from_storage(error),
            Error::Busy(what) => {
                log_busy(what);
                return Self::unavailable();
            }
            _ => {}
        }
        let explanation = refusals::explanation(&error);
        // No API operation is expected to fail with this error.
        if explanation.kind.code == catalogue::INTERNAL.code {
            return Self::logged(&error);
        }
        let problem = Self::new(explanation.kind, explanation.into_detail());
        match error {
            Error::IdempotencyKeyReused => {
                let fault = FaultAt::parameter(
                    "Idempotency-Key",
                    "taken",
                    "another request was carried out under this key",
                );
                Self { faults: vec![fault], ..problem }
            }
            Error::Invoice(InvoiceError::TooManyMails { .. })
            | Error::Bank(BankError::TooManyStatements { .. }) => {
                problem.with_header(header::RETRY_AFTER, "3600")
            }
            Error::Invoice(InvoiceError::RemindedRecently { next }) => {
                Self { next_possible_on: Some(next), ..problem }
            }
            _ => problem,
        }
    }
}

impl Problem {
    /// Converts a storage failure to a problem.
    fn from_storage(error: StoreError) -> Self {
        match error {
            StoreError::Unavailable(reason) => {
                log_unavailable(&reason);
                Self::unavailable()
            }
            StoreError::NotWritable(reason) => {
                log_unavailable(&reason);
                Self::new(
                    catalogue::UNAVAILABLE,
                    "Nothing can be written just now: the server's disk is full or takes nothing. Nothing was half-written, and reading goes \
                     on; send the request again after the seconds that Retry-After names.",
                )
                .with_header(header::RETRY_AFTER, "5")
            }
            StoreError::TooLong => Self::new(
                catalogue::QUERY_TOO_LONG,
                "The query took longer than it may and was stopped; ask for less: a shorter period, a lower limit, another filter.",
            ),
            StoreError::NumberTaken => Self::new(
                catalogue::NUMBER_TAKEN,
                "The next number by the account's number pattern is that of an invoice that there is; choose another pattern in the settings.",
            ),
            // The admission of API requests replaces this problem with one that fits the
            // credential.
            StoreError::AccountClosed => Self::new(
                catalogue::INVALID_API_KEY,
                "The account is closed; its keys and sessions have ended.",
            ),
            other => Self::logged(&Error::Store(other)),
        }
    }

    /// Logs an error and creates a 500.
    fn logged(error: &Error) -> Self {
        error!(reason = %error, "a request failed");
        Self::internal()
    }
}

/// Logs that the database is unavailable, at most once per ten seconds.
fn log_unavailable(reason: &str) {
    static LAST: Mutex<Option<Instant>> = Mutex::new(None);
    let mut last = LAST.lock().unwrap_or_else(PoisonError::into_inner);
    if last.is_none_or(|last| last.elapsed() >= UNAVAILABLE_LOGGED) {
        *last = Some(Instant::now());
        error!(%reason, "the database is unavailable; logged at most once per ten seconds");
    }
}

/// Logs a reached concurrency limit, at most once per minute.
fn log_busy(what: &'static str) {
    static LAST: Mutex<Option<Instant>> = Mutex::new(None);
    let mut last = LAST.lock().unwrap_or_else(PoisonError::into_inner);
    if last.is_none_or(|last| last.elapsed() >= BUSY_LOGGED) {
        *last = Some(Instant::now());
        warn!(what, "concurrency limit reached; rejecting requests");
    }
}

impl Problem {
    /// Creates a 500.
    pub fn internal() -> Self {
        Self::new(
            catalogue::INTERNAL,
            "Something went wrong on our side and nothing was half-written; please tell the operator the requestId.",
        )
    }

    /// Creates a 503: the books of a test account are being emptied.
    pub fn being_emptied() -> Self {
        let detail = "The test account is being emptied; nothing was done. Send the request again after the second that Retry-After names.";
        Self::new(catalogue::UNAVAILABLE, detail).with_header(header::RETRY_AFTER, "1")
    }

    /// Creates a 503: the database is unavailable.
    pub fn unavailable() -> Self {
        Self::new(
            catalogue::UNAVAILABLE,
            "The service cannot answer just now; send the request again after the seconds that Retry-After names.",
        )
        .with_header(header::RETRY_AFTER, "1")
    }
}

/// Answers 404 to a path without a route.
pub async fn unknown_route() -> Problem {
    Problem::new(
        catalogue::UNKNOWN_ROUTE,
        "There is nothing at this address; check the path for typing errors. All addresses of the API are at /api/docs.",
    )
}

/// Answers 405.
pub async fn method_not_allowed(method: Method) -> Problem {
    let method: String = method.as_str().chars().take(20).collect();
    Problem::new(
        catalogue::METHOD_NOT_ALLOWED,
        format!("The address does not know {method}; the header Allow lists what it knows."),
    )
}
