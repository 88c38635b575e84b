//! The REST API under `/api/v1`: operations, router and description.

mod access;
use web_core::json_body as body;
mod changes;
pub mod credentials;
mod dry_run;
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
use journal::{
    bank_accounts, bank_lines, bank_rules, bank_statements, bank_suggestions, entries, entry_lines,
    events, ledger_accounts,
};
use operation::Operation;
use purchases::{assets, expenses, mileage, payment_batches, receipts};
pub use requirements::requirements;
use sales::{
    articles, contacts, invoice_documents, invoices, messages, payments, payouts, quotes,
    recurring, reminders, write_offs,
};
use std::{
    collections::BTreeSet,
    sync::{Arc, OnceLock},
};
use tax::{
    audit_files, closing_steps, icp, kor, oss, summary, vat_accounting, vat_filings, vat_payments,
    vat_periods, vat_returns, vat_revisions, vat_scheme, years,
};
use web_core::{
    AppState, catalogue,
    problem::{self, Problem},
};

/// Maximum length in bytes of a path segment that is compared with the names of resources.
const LONGEST_NAME: usize = 32;

/// Returns all operations of the API.
pub fn operations() -> Vec<Operation> {
    let groups = [
        account::operations(),
        invoices::operations(),
        invoice_documents::operations(),
        quotes::operations(),
        recurring::operations(),
        reminders::operations(),
        messages::operations(),
        payments::operations(),
        write_offs::operations(),
        payouts::operations(),
        contacts::operations(),
        articles::operations(),
        expenses::operations(),
        receipts::operations(),
        assets::operations(),
        mileage::operations(),
        projects::operations(),
        time_entries::operations(),
        hours_log::operations(),
        timer::operations(),
        entries::operations(),
        ledger_accounts::operations(),
        bank_accounts::operations(),
        bank_statements::operations(),
        bank_lines::operations(),
        bank_suggestions::operations(),
        bank_rules::operations(),
        payment_batches::operations(),
        events::operations(),
        vat_filings::operations(),
        icp::operations(),
        vat_returns::operations(),
        vat_periods::operations(),
        vat_payments::operations(),
        vat_scheme::operations(),
        vat_accounting::operations(),
        kor::operations(),
        oss::operations(),
        years::operations(),
        closing_steps::operations(),
        vat_revisions::operations(),
        summary::operations(),
        audit_files::operations(),
        changes::operations(),
        webhooks::operations(),
        access::test_account::operations(),
    ];
    groups.into_iter().flatten().collect()
}

/// Handler of `GET /api/openapi.json`. The description is generated on the first request.
pub fn description() -> MethodRouter<AppState> {
    let cached = Arc::new(OnceLock::<(Bytes, String)>::new());
    get(move |State(app): State<AppState>, headers: HeaderMap| async move {
        let (description, tag) = cached.get_or_init(|| {
            let description =
                Bytes::from(openapi::document(&app.config().base_url, &operations()).to_string());
            let tag = reply::weak_tag(&description);
            (description, tag)
        });
        // Clients may cache the description, but must revalidate it by its tag.
        ([(header::CACHE_CONTROL, "no-cache")], reply::document(&headers, description, tag))
    })
}

/// Returns the router for all operations under `/api/v1`; `around_post` wraps the POST routes.
pub fn router(
    around_post: impl Fn(MethodRouter<AppState>) -> MethodRouter<AppState>,
) -> Router<AppState> {
    let mut under = Router::new();
    for operation in operations() {
        let route =
            if operation.method == "post" { around_post(operation.route) } else { operation.route };
        under = under.route(operation.path, route);
    }
    let under =
        under.fallback(unknown_route).method_not_allowed_fallback(problem::method_not_allowed);
    // The nested router does not match its own path if that ends with a slash.
    let root = Router::new().route("/api/v1/", any(problem::unknown_route));
    Router::new().nest("/api/v1", under).merge(root)
}

/// Answers a request for an unknown path, with a hint if the path is nearly right.
async fn unknown_route(uri: Uri) -> Problem {
    let nothing = |hint: &str| {
        Problem::new(catalogue::UNKNOWN_ROUTE, format!("There is nothing at this address; {hint}."))
    };
    match uri.path() {
        path if path.len() > 1 && path.ends_with('/') => nothing("leave out the slash at its end"),
        path if path.contains("/external/") => {
            nothing("a slash in an externalId is written as %2F in the address")
        }
        path => match similar_resource(path) {
            Some(resource) => {
                nothing(&format!("did you mean /api/v1/{resource}? All addresses are at /api/docs"))
            }
            None => problem::unknown_route().await,
        },
    }
}

/// Returns the resource whose name is at most two typing errors away from the one in the path.
fn similar_resource(path: &str) -> Option<&'static str> {
    static RESOURCES: OnceLock<BTreeSet<&'static str>> = OnceLock::new();
    let resources = RESOURCES.get_or_init(|| {
        operations().iter().filter_map(|operation| resource_in(operation.path)).collect()
    });
    // The path comes from the client and may have any length.
    let name = resource_in(path).filter(|name| name.len() <= LONGEST_NAME)?;
    let near =
        resources.iter().map(|other| (strsim::damerau_levenshtein(name, other), *other)).min()?;
    (1..=2).contains(&near.0).then_some(near.1)
}

/// Returns the first segment of a path.
fn resource_in(path: &str) -> Option<&str> {
    path.split('/').nth(1)
}

/// Parses arbitrary bytes as each kind of request body, for the fuzz targets.
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
