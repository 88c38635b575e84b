//! The change feed: an ordered log of changes to the account's resources, for synchronisation.

use crate::{
    credentials,
    moment::Moment,
    operation::Operation,
    query::{self, Query},
    reply,
};
use axum::{
    Extension,
    extract::{RawQuery, State},
    http::{HeaderMap, header},
    response::Response,
};
use ledger::vat_period::VatPeriod;
use schemars::JsonSchema;
use serde::Serialize;
use service::{
    Context, Error,
    changes::{self, Part, Wanted},
};
use std::time::Duration;
use store::{
    Lane, Tx,
    changes::{ChangeRow, Event, ResourceKind},
};
use tokio::time::{Instant, sleep_until};
use web_core::{
    AppState, ReadContext, catalogue::RATE_LIMITED, http::TIME_LIMIT, input::names,
    problem::Problem,
};

/// Maximum value of `after`, because JSON clients represent larger integers inexactly.
const LAST_SEQUENCE: i64 = (1 << 53) - 1;
/// Maximum duration of a long poll in seconds.
const LONGEST_WAIT: i64 = 30;
/// Part of the request's time limit that is reserved for work other than waiting.
const RESERVE: Duration = Duration::from_secs(1);
/// Polling interval while waiting, for changes made by other nodes or the command line.
const LOOKS_EVERY: Duration = Duration::from_millis(500);

/// A change of a resource.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "ChangeEntry")]
struct ChangeBody {
    /// Sequence number, counted from 1 within the account, in the order of commits.
    sequence: i64,
    /// Type of the changed resource. More types may be added.
    #[serde(rename = "type")]
    #[schemars(extend("enum" = names(ResourceKind::ALL)))]
    kind: &'static str,
    /// Id of the resource. For a VAT return, the number of its period: 20261 is the first quarter
    /// of 2026, 202605 is May 2026, and 2026 the whole year.
    id: i64,
    /// VAT period of a VAT return or ICP declaration: `2026-05`, `2026-Q1` or `2026`.
    #[schemars(example = &"2026-Q1")]
    period: Option<String>,
    /// Id of the invoice, for a payment.
    invoice_id: Option<i64>,
    /// Kind of change. Sending, paying, reminding and undoing are reported as `updated`.
    #[schemars(extend("enum" = names(Event::ALL)))]
    change: &'static str,
    /// Time of the change, equal to the `updatedAt` of the written resource.
    at: Moment,
}

impl From<&ChangeRow> for ChangeBody {
    fn from(ChangeRow { change, invoice_id }: &ChangeRow) -> Self {
        let period = match change.kind {
            ResourceKind::VatFiling
            | ResourceKind::VatReturn
            | ResourceKind::Icp
            | ResourceKind::OssReturn => VatPeriod::from_id(change.id),
            ResourceKind::Kor => i16::try_from(change.id).ok().and_then(VatPeriod::year),
            _ => None,
        };
        Self {
            sequence: change.sequence,
            kind: change.kind.as_str(),
            id: change.id,
            period: period.map(|period| period.to_string()),
            invoice_id: *invoice_id,
            change: change.event.as_str(),
            at: Moment(change.at),
        }
    }
}

pub(crate) fn operations() -> Vec<Operation> {
    vec![
        Operation::list::<ChangeBody, _, _>("/changes", "listChanges", list)
            .says(
                "List changes",
                "Lists the changes of the account's resources, oldest first. Read each resource \
                 to get its current state. A client that continues after the last `sequence` it \
                 has seen misses no change, regardless of concurrent writes. Each command adds \
                 one row per changed resource; rows are kept permanently. Send `nextCursor` as \
                 `after` to continue; it is null at the end of the feed. A response may have few \
                 rows or none before the end of the feed if `types` excludes most changes.\n\n\
                 The feed and the webhooks cover `invoice`, `creditNote`, `payment` (on an \
                 invoice), `contact`, `project`, `timeEntry`, `hoursLog`, `expense`, \
                 `vatFiling`, `vatReturn`, `icp`, `kor`, `ossReturn`, `bankStatement`, `bankLine`, `paymentBatch`, `quote`, `article` and `recurringInvoice`; the feed also \
                 covers `bankAccount`. They do not cover the resources at `/accruals`, `/assets`, `/bank-rules`, `/entries`, `/ledger-accounts`, `/loans`, \
                 `/manual-entries`, `/mileage`, `/opening-balance`, `/oss`, `/payouts`, \
                 `/private-bookings`, `/private-use`, `/receipts`, `/reminders`, `/timer`, `/transfers`, \
                 `/vat-accounting`, `/vat-payments`, `/vat-periods`, `/vat-revisions`, \
                 `/vat-scheme` and `/years`: request those lists with `updatedSince`. Changes of \
                 `vatReturn`, `icp`, `kor`, `ossReturn`, `bankAccount`, `bankStatement`, `bankLine`, `paymentBatch`, `quote`, `article` and `recurringInvoice` are returned only if \
                 `types` names them.",
            )
            .with_query(asked),
    ]
}

/// Reads the filter, and the maximum time to wait for a change.
fn asked(query: &mut Query) -> (Wanted, Duration) {
    let after = query.integer(
        "after",
        "Returns only changes after this sequence number: the last one that you have seen. \
         Default: 0, the beginning.",
        0,
        LAST_SEQUENCE,
    );
    let kinds = query.choices(
        "types",
        "Comma-separated types of changes to return. Default: all except `vatReturn`, `icp`, `kor`, `ossReturn`, `bankAccount`, `bankStatement`, `bankLine`, `paymentBatch`, `quote`, `article` and `recurringInvoice`.",
        ResourceKind::ALL,
    );
    let limit = query.limit();
    let wait = query.integer(
        "wait",
        "Maximum number of seconds to wait for a change if there is none yet. Default: 0. At most \
         ten requests of an account can wait at the same time; further ones are answered with 429.",
        0,
        LONGEST_WAIT,
    );
    let wait = Duration::from_secs(wait.and_then(|wait| u64::try_from(wait).ok()).unwrap_or(0));
    (Wanted { after: after.unwrap_or(0), kinds: kinds.unwrap_or_else(default_kinds), limit }, wait)
}

/// Kinds of resource reported to clients that do not name any kinds.
fn default_kinds() -> Vec<ResourceKind> {
    let all = ResourceKind::ALL.iter().map(|(_, kind)| *kind);
    all.filter(|kind| kind.is_reported_by_default()).collect()
}

async fn list(
    State(app): State<AppState>,
    Extension(cx): Extension<Context>,
    Extension(books): Extension<ReadContext>,
    RawQuery(raw): RawQuery,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let begun = Instant::now();
    let (wanted, wait) = query::read(raw.as_deref(), asked)?;
    let mut part = books.query(cx.actor.account, reading(&cx, &wanted)).await?;
    if ends_empty(&part) && !wait.is_zero() {
        books.give_back();
        let until = begun + wait.min(TIME_LIMIT - RESERVE);
        part = wait_for(&app, &cx, wanted, part, until).await?;
        // Rejects credentials that were revoked during the wait.
        credentials::authenticate(&app, &app.environment(cx.env.client.clone()), &headers).await?;
    }
    let next = part.more.then_some(part.read_to);
    let page = store::Page { rows: part.rows, more: part.more };
    let page = reply::rows(&page, |_| String::new(), |row| reply::body(&ChangeBody::from(row)));
    Ok(reply::feed(
        page,
        next,
        &format!("{}/api/v1/changes", app.config().base_url),
        raw.as_deref(),
    ))
}

fn reading(
    cx: &Context,
    wanted: &Wanted,
) -> impl FnMut(&mut Tx<'_>) -> Result<Part, Error> + Send + 'static {
    let (cx, wanted) = (cx.clone(), wanted.clone());
    move |tx| changes::read(tx, &cx, &wanted)
}

/// Whether the end of the feed was reached without a change to report.
fn ends_empty(part: &Part) -> bool {
    part.rows.is_empty() && !part.more
}

/// Waits for a change, the deadline or a shutdown. Holds no database connection while waiting.
async fn wait_for(
    app: &AppState,
    cx: &Context,
    mut wanted: Wanted,
    mut part: Part,
    until: Instant,
) -> Result<Part, Problem> {
    let watch = app.store().watch(cx.actor.account).ok_or_else(too_many)?;
    loop {
        // Subscribed before reading, so that no change after the read is missed.
        let reported = watch.reported();
        wanted.after = part.read_to;
        part = app.query(Lane::of(cx.actor.account).single(), reading(cx, &wanted)).await?;
        if !ends_empty(&part) || Instant::now() >= until {
            return Ok(part);
        }
        tokio::select! {
            () = reported => {}
            () = sleep_until(until.min(Instant::now() + LOOKS_EVERY)) => {}
            () = app.stopping() => return Ok(part),
        }
    }
}

fn too_many() -> Problem {
    let detail =
        "Too many requests wait for changes already; end one of them, or ask without wait.";
    Problem::new(RATE_LIMITED, detail).with_header(header::RETRY_AFTER, "1")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{operation::Answer, operations};
    use std::collections::BTreeSet;
    use store::changes::WEBHOOK_TYPES;

    fn root(kind: ResourceKind) -> &'static str {
        match kind {
            ResourceKind::Invoice | ResourceKind::CreditNote | ResourceKind::Payment => "invoices",
            ResourceKind::Contact => "contacts",
            ResourceKind::Project => "projects",
            ResourceKind::TimeEntry => "time-entries",
            ResourceKind::HoursLog => "hours-log",
            ResourceKind::Expense => "expenses",
            ResourceKind::VatFiling => "vat-filings",
            ResourceKind::VatReturn => "vat-returns",
            ResourceKind::Icp => "icp-declarations",
            ResourceKind::Kor => "kor",
            ResourceKind::OssReturn => "oss-returns",
            ResourceKind::BankAccount => "bank-accounts",
            ResourceKind::BankStatement => "bank-statements",
            ResourceKind::BankLine => "bank-lines",
            ResourceKind::PaymentBatch => "payment-batches",
            ResourceKind::Quote => "quotes",
            ResourceKind::Article => "articles",
            ResourceKind::RecurringInvoice => "recurring-invoices",
        }
    }

    /// Joins names as in a sentence: `a`, `b` and `c`.
    fn in_words(names: &[String]) -> String {
        let (last, others) = names.split_last().unwrap();
        format!("{} and {last}", others.join(", "))
    }

    #[test]
    fn description_and_guide_list_the_resources_with_and_without_changes() {
        let operations = operations();
        let changing = operations
            .iter()
            .filter(|operation| operation.method != "get" || operation.answer == Answer::Page);
        let mut without: BTreeSet<&str> =
            changing.filter_map(|operation| operation.path.split('/').nth(1)).collect();
        for (_, kind) in ResourceKind::ALL {
            without.remove(root(*kind));
        }
        // The feed itself, and paths that are not part of the books.
        for other in ["changes", "webhooks", "test"] {
            assert!(without.remove(other), "{other}");
        }
        let is_payment = |name: &str| if name == "payment" { " (on an invoice)" } else { "" };
        let only_in_feed = "bankAccount";
        let names = || ResourceKind::ALL.iter().map(|(name, _)| *name);
        let with: Vec<_> = names()
            .filter(|name| *name != only_in_feed)
            .map(|name| format!("`{name}`{}", is_payment(name)))
            .collect();
        let without: Vec<_> = without.into_iter().map(|root| format!("`/{root}`")).collect();
        let expected = format!(
            "The feed and the webhooks cover {}; the feed also covers `{only_in_feed}`. They do not cover the resources at {}: request",
            in_words(&with),
            in_words(&without)
        );
        let described =
            operations.iter().find(|operation| operation.id == "listChanges").unwrap().description;
        for text in [described, include_str!("../../../docs/integrating.md")] {
            let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
            assert!(text.contains(&expected), "{expected}");
        }
        let of_webhooks: BTreeSet<&str> =
            WEBHOOK_TYPES.iter().map(|(kind, ..)| kind.as_str()).collect();
        assert_eq!(of_webhooks, names().filter(|name| *name != only_in_feed).collect());
    }
}
