//! The REST API under `/api/v1`: its operations, and where each is.

mod access;
use web_core::json_body as body;
mod changes;
pub mod credentials;
mod examples;
mod hours;
mod identity;
mod journal;
mod links;
mod moment;
mod number;
pub mod once;
pub(crate) mod openapi;
pub mod operation;
mod purchases;
mod query;
pub mod reply;
mod requirements;
mod resource;
mod sales;
mod tax;
mod undoing;

pub use access::webhooks;
use axum::{
    Router,
    body::Bytes,
    extract::State,
    http::{HeaderMap, Uri, header},
    routing::{MethodRouter, any, get},
};
use hours::{hours_log, projects, time_entries, timer};
use identity::account;
use journal::{entries, events};
use operation::Operation;
use purchases::{assets, expenses, mileage, receipts};
pub use requirements::requirements;
use sales::{contacts, invoice_documents, invoices, messages, payments, payouts, write_offs};
use std::{
    collections::BTreeSet,
    sync::{Arc, OnceLock},
};
use tax::{audit_files, summary, vat_filings, vat_payments, vat_scheme, years};
use web_core::{
    AppState, catalogue,
    problem::{self, Problem},
};

/// Characters of a resource's name at most.
const LONGEST_NAME: usize = 32;

/// All operations of the API.
pub fn operations() -> Vec<Operation> {
    let groups = [
        account::operations(),
        invoices::operations(),
        invoice_documents::operations(),
        messages::operations(),
        payments::operations(),
        write_offs::operations(),
        payouts::operations(),
        contacts::operations(),
        expenses::operations(),
        receipts::operations(),
        assets::operations(),
        mileage::operations(),
        projects::operations(),
        time_entries::operations(),
        hours_log::operations(),
        timer::operations(),
        entries::operations(),
        events::operations(),
        vat_filings::operations(),
        vat_payments::operations(),
        vat_scheme::operations(),
        years::operations(),
        summary::operations(),
        audit_files::operations(),
        changes::operations(),
        webhooks::operations(),
        access::test_account::operations(),
    ];
    groups.into_iter().flatten().collect()
}

/// `GET /api/openapi.json`: the description, made when it is first asked for.
pub fn description() -> MethodRouter<AppState> {
    let made = Arc::new(OnceLock::<(Bytes, String)>::new());
    get(move |State(app): State<AppState>, headers: HeaderMap| async move {
        let (description, tag) = made.get_or_init(|| {
            let description = Bytes::from(openapi::document(&app.config().base_url, &operations()).to_string());
            let tag = reply::weak_tag(&description);
            (description, tag)
        });
        // Kept, and asked for again by its tag before it is used.
        ([(header::CACHE_CONTROL, "no-cache")], reply::document(&headers, description, tag))
    })
}

/// Every operation under `/api/v1`, a POST with what `around_post` puts around it.
pub fn router(around_post: impl Fn(MethodRouter<AppState>) -> MethodRouter<AppState>) -> Router<AppState> {
    let mut under = Router::new();
    for operation in operations() {
        let route = if operation.method == "post" { around_post(operation.route) } else { operation.route };
        under = under.route(operation.path, route);
    }
    let under = under.fallback(unknown_route).method_not_allowed_fallback(problem::method_not_allowed);
    // A nest does not reach its own address with a slash at the end.
    let root = Router::new().route("/api/v1/", any(problem::unknown_route));
    Router::new().nest("/api/v1", under).merge(root)
}

/// There is nothing at an address; of one that is nearly right it is told what is wrong with it.
async fn unknown_route(uri: Uri) -> Problem {
    let nothing = |hint: &str| Problem::new(catalogue::UNKNOWN_ROUTE, format!("There is nothing at this address; {hint}."));
    match uri.path() {
        path if path.len() > 1 && path.ends_with('/') => nothing("leave out the slash at its end"),
        path if path.contains("/external/") => nothing("a slash in an externalId is written as %2F in the address"),
        path => match meant(path) {
            Some(resource) => nothing(&format!("did you mean /api/v1/{resource}? All addresses are at /api/docs")),
            None => problem::unknown_route().await,
        },
    }
}

/// The resource whose name is at most two typing errors from the one in an address that does not exist.
fn meant(path: &str) -> Option<&'static str> {
    static RESOURCES: OnceLock<BTreeSet<&'static str>> = OnceLock::new();
    let resources = RESOURCES.get_or_init(|| operations().iter().filter_map(|operation| resource_in(operation.path)).collect());
    // A client may write anything, at any length.
    let typed = resource_in(path).filter(|typed| typed.len() <= LONGEST_NAME)?;
    let near = resources.iter().map(|name| (strsim::damerau_levenshtein(typed, name), *name)).min()?;
    (1..=2).contains(&near.0).then_some(near.1)
}

/// The first part of a path.
fn resource_in(path: &str) -> Option<&str> {
    path.split('/').nth(1)
}

/// Reads any bytes as the body of every request; for the fuzz targets.
#[cfg(fuzzing)]
pub fn read_bodies(bytes: &[u8]) {
    let Ok(json) = body::parse(bytes) else { return };
    let day = jiff::civil::date(2026, 3, 15);
    contacts::try_body(&json);
    expenses::try_body(&json);
    hours_log::try_body(&json);
    invoices::try_body(&json, day);
    payments::try_body(&json, day);
    time_entries::try_body(&json);
}
