//! `/open-data`: figures of Dutch tax law with their sources, and calculators. All of it is public
//! and needs no account.
//!
//! Pages, JSON, CSV, the OpenAPI description, the catalogue for data portals (DCAT) and the tools
//! for assistants (MCP) are all derived from the definitions in the crate `tax`. No part reads the
//! books or a session, so `/open-data` works during a database outage.

mod calculators;
mod calendar;
mod catalog;
mod chart;
mod csv;
mod datasets;
pub mod frame;
mod invoice;
mod invoice_page;
mod json;
mod mcp;
mod openapi;
mod respond;
mod result;
mod schema;

use axum::{
    Router,
    extract::{RawQuery, State},
    http::{HeaderMap, StatusCode, Uri},
    middleware::from_fn,
    response::Response,
    routing::{any_service, get, post},
};
use frame::Frame;
use jiff::civil::Date;
use ledger::language::Language;
use respond::Document;
use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
};
use tax::{calculator, fault::Fault};
use web_core::{
    catalogue,
    problem::{self, FaultAt, Problem},
};

/// State shared by the handlers.
struct OpenData {
    /// Base URL of the server, without a trailing slash.
    base: String,
    /// Returns the current date.
    today: Box<dyn Fn() -> Date + Send + Sync>,
    /// Cache of documents that do not depend on a selection, each created on first request.
    kept: Mutex<HashMap<String, Document>>,
}

type Shared = State<Arc<OpenData>>;

impl OpenData {
    /// Returns the document of that name from the cache, creating it if needed.
    fn keep(
        &self,
        name: &str,
        make: impl FnOnce() -> Result<Document, Problem>,
    ) -> Result<Document, Problem> {
        let kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner).get(name).cloned();
        if let Some(document) = kept {
            return Ok(document);
        }
        let document = make()?;
        self.kept
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .insert(name.to_owned(), document.clone());
        Ok(document)
    }
}

/// Returns the router for everything below `/open-data`, for a server with this base URL.
pub fn router<S: Clone + Send + Sync + 'static>(
    base_url: &str,
    today: impl Fn() -> Date + Clone + Send + Sync + 'static,
) -> Router<S> {
    let shared = Arc::new(OpenData {
        base: base_url.to_owned(),
        today: Box::new(today.clone()),
        kept: Mutex::default(),
    });
    Router::new()
        .route("/open-data", get(datasets::index).options(preflight))
        .route("/open-data/catalog.json", get(list).options(preflight))
        .route("/open-data/catalog.jsonld", get(dcat).options(preflight))
        .route("/open-data/openapi.json", get(description).options(preflight))
        .route("/open-data/deadlines.ics", get(calendar::deadlines).options(preflight))
        .route("/open-data/calculators/invoice.json", post(invoice::send).options(preflight))
        .route("/open-data/calculators/{id}", get(calculators::show).options(preflight))
        .route("/open-data/{id}", get(datasets::show).options(preflight))
        .route("/open-data/mcp", any_service(mcp::service(today)).layer(from_fn(mcp::in_json_rpc)))
        .route("/open-data/{first}/{*rest}", get(not_found).options(preflight))
        .method_not_allowed_fallback(problem::method_not_allowed)
        .with_state(shared)
}

/// Answers a preflight request. `middleware/open_data_admission.rs` adds the CORS headers.
async fn preflight() -> StatusCode {
    StatusCode::NO_CONTENT
}

async fn list(
    State(shared): Shared,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let (language, rest) = asked_language(query.as_deref());
    nothing_else(&rest)?;
    let make =
        || Ok(Document::new("application/json", catalog::list(&shared.base, language).to_string()));
    Ok(shared.keep(&format!("catalog {}", tag(language)), make)?.answer(&headers))
}

async fn dcat(
    State(shared): Shared,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    nothing_else(&asked_language(query.as_deref()).1)?;
    let make = || Ok(Document::new("application/ld+json", catalog::dcat(&shared.base).to_string()));
    Ok(shared.keep("dcat", make)?.answer(&headers))
}

async fn description(
    State(shared): Shared,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    nothing_else(&asked_language(query.as_deref()).1)?;
    let make = || {
        Ok(Document::new(
            "application/json",
            openapi::document(&shared.base, &invoice::schema()).to_string(),
        ))
    };
    Ok(shared.keep("openapi", make)?.answer(&headers))
}

/// Returns the language in the parameter `lang`, by default English, and the other parameters.
fn asked_language(query: Option<&str>) -> (Language, Vec<(String, String)>) {
    let mut language = Language::English;
    let mut rest = Vec::new();
    for (name, text) in form_urlencoded::parse(query.unwrap_or("").as_bytes()) {
        match (name.as_ref(), text.as_ref()) {
            ("lang", "nl") => language = Language::Dutch,
            ("lang", "en") => language = Language::English,
            _ if rest.len() < MOST_PARAMETERS => rest.push((name.into_owned(), text.into_owned())),
            _ => {}
        }
    }
    (language, rest)
}

/// Maximum number of parameters that are read; no calculator has that many.
const MOST_PARAMETERS: usize = 100;

fn nothing_else(parameters: &[(String, String)]) -> Result<(), Problem> {
    let faults = calculator::repeated_or_unknown(&borrowed(parameters), &[]);
    if faults.is_empty() { Ok(()) } else { Err(refused(&faults, Language::English)) }
}

/// Returns all faults as one problem.
fn refused(faults: &[Fault], language: Language) -> Problem {
    // The message has no full stop, like the messages of the API.
    let message = |fault: &Fault| fault.message.get(language).trim_end_matches('.').to_owned();
    Problem::invalid(
        faults.iter().map(|fault| FaultAt::parameter(&fault.parameter, fault.code, message(fault))),
    )
}

fn borrowed(parameters: &[(String, String)]) -> Vec<(&str, &str)> {
    parameters.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect()
}

fn tag(language: Language) -> &'static str {
    match language {
        Language::Dutch => "nl",
        Language::English => "en",
    }
}

async fn not_found(
    RawQuery(query): RawQuery,
    uri: Uri,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let frame = Frame::new("/open-data", query.as_deref(), &headers);
    unknown((!uri.path().contains('.')).then_some(&frame))
}

/// Responds to an unknown name.
fn unknown(frame: Option<&Frame>) -> Result<Response, Problem> {
    match frame {
        Some(frame) => frame.not_found(),
        None => Err(Problem::new(
            catalogue::UNKNOWN_ROUTE,
            "There is nothing of that name; /open-data/catalog.json lists what there is.",
        )),
    }
}
