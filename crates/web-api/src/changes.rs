//! The change feed: what happened to the account's resources, in order, so that a program that syncs misses nothing.

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
use web_core::{AppState, ReadContext, catalogue::RATE_LIMITED, http::TIME_LIMIT, problem::Problem};

/// The last sequence number that every client can tell from its neighbours.
const LAST_SEQUENCE: i64 = (1 << 53) - 1;
/// For how many seconds an answer may be waited for.
const LONGEST_WAIT: i64 = 30;
/// What of the time that a request may take is left for the rest of it.
const RESERVE: Duration = Duration::from_secs(1);
/// How often those who wait look by themselves: what another node or the command line writes is not reported here.
const LOOKS_EVERY: Duration = Duration::from_millis(500);

/// A change of a resource.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "ChangeEntry")]
struct ChangeBody {
    /// Counts from 1 in the account, in the order in which changes are committed.
    sequence: i64,
    /// What changed; there may be more types in time.
    #[serde(rename = "type")]
    #[schemars(extend("enum" = names(ResourceKind::ALL)))]
    kind: &'static str,
    /// Its id. Of a VAT return, which has none, the year and the quarter: 20261 is the first quarter of 2026.
    id: i64,
    /// Of a payment, the invoice that it is on.
    invoice_id: Option<i64>,
    /// What became of it. Sending, paying, reminding and taking back are `updated`.
    #[schemars(extend("enum" = names(Event::ALL)))]
    change: &'static str,
    /// When; also the `updatedAt` of what was written.
    at: Moment,
}

fn names<T>(all: &[(&'static str, T)]) -> Vec<&'static str> {
    all.iter().map(|(name, _)| *name).collect()
}

impl From<&ChangeRow> for ChangeBody {
    fn from(ChangeRow { change, invoice_id }: &ChangeRow) -> Self {
        Self {
            sequence: change.sequence,
            kind: change.kind.as_str(),
            id: change.id,
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
                "What happened to the account's resources since you last asked, oldest first: read each of them as it is now. Whoever goes \
                 on after the last `sequence` that they saw misses nothing, whatever else writes. Each command adds one row for each \
                 resource that it changed; rows stay for good. `nextCursor` is what to send as `after`, or null where the answer reaches \
                 the end of the feed; an answer can have few rows, or none, and not reach the end where `types` leaves most out.\n\n\
                 The feed and the webhooks cover `invoice`, `creditNote`, `payment` (on an invoice), `contact`, `project`, `timeEntry`, \
                 `hoursLog`, `expense` and `vatFiling`. They do not cover what is at `/accruals`, `/assets`, `/entries`, `/loans`, \
                 `/manual-entries`, `/mileage`, `/opening-balance`, `/payouts`, `/private-bookings`, `/private-use`, `/receipts`, `/timer`, \
                 `/transfers`, `/vat-payments`, `/vat-scheme` and `/years`: ask those lists for what changed with `updatedSince`.",
            )
            .with_query(asked),
    ]
}

/// What is wanted, and for how long it may be waited for.
fn asked(query: &mut Query) -> (Wanted, Duration) {
    let after = query.integer(
        "after",
        "Only changes after this sequence number: the last one that you saw. Default: 0, from the beginning.",
        0,
        LAST_SEQUENCE,
    );
    let kinds = query.choices("types", "Only changes of these types, with commas between. Default: all.", ResourceKind::ALL);
    let limit = query.limit();
    let wait = query.integer(
        "wait",
        "While there is nothing new, wait for so many seconds at the most and answer as soon as there is something. Default: 0. Ten \
         requests of an account can wait at once; beyond that the answer is 429.",
        0,
        LONGEST_WAIT,
    );
    let wait = Duration::from_secs(wait.and_then(|wait| u64::try_from(wait).ok()).unwrap_or(0));
    (Wanted { after: after.unwrap_or(0), kinds: kinds.unwrap_or_default(), limit }, wait)
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
        // Whoever was shut out meanwhile gets no answer.
        credentials::authenticate(&app, &app.environment(cx.env.client.clone()), &headers).await?;
    }
    let next = part.more.then_some(part.read_to);
    let page = store::Page { rows: part.rows, more: part.more };
    let page = reply::rows(&page, |_| String::new(), |row| reply::body(&ChangeBody::from(row)));
    Ok(reply::feed(page, next, &format!("{}/api/v1/changes", app.config().base_url), raw.as_deref()))
}

fn reading(cx: &Context, wanted: &Wanted) -> impl FnMut(&mut Tx<'_>) -> Result<Part, Error> + Send + 'static {
    let (cx, wanted) = (cx.clone(), wanted.clone());
    move |tx| changes::read(tx, &cx, &wanted)
}

/// Whether there is nothing to report.
fn ends_empty(part: &Part) -> bool {
    part.rows.is_empty() && !part.more
}

/// Waits until there is something to report, until the time is up, or until the server stops. Nothing of the database is kept meanwhile.
async fn wait_for(app: &AppState, cx: &Context, mut wanted: Wanted, mut part: Part, until: Instant) -> Result<Part, Problem> {
    let watch = app.store().watch(cx.actor.account).ok_or_else(too_many)?;
    loop {
        // From here on a change wakes this; what came before is seen.
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
    let detail = "Too many requests wait for changes already; end one of them, or ask without wait.";
    Problem::new(RATE_LIMITED, detail).with_header(header::RETRY_AFTER, "1")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{operation::Answer, operations};
    use std::collections::BTreeSet;
    use store::changes::WEBHOOK_TYPES;

    /// First part of the paths of a type.
    fn root(kind: ResourceKind) -> &'static str {
        match kind {
            ResourceKind::Invoice | ResourceKind::CreditNote | ResourceKind::Payment => "invoices",
            ResourceKind::Contact => "contacts",
            ResourceKind::Project => "projects",
            ResourceKind::TimeEntry => "time-entries",
            ResourceKind::HoursLog => "hours-log",
            ResourceKind::Expense => "expenses",
            ResourceKind::VatFiling => "vat-filings",
        }
    }

    /// A list in words: `a`, `b` and `c`.
    fn in_words(names: &[String]) -> String {
        let (last, others) = names.split_last().unwrap();
        format!("{} and {last}", others.join(", "))
    }

    #[test]
    fn description_and_guide_list_the_resources_with_and_without_changes() {
        let operations = operations();
        let changing = operations.iter().filter(|operation| operation.method != "get" || operation.answer == Answer::Page);
        let mut without: BTreeSet<&str> = changing.filter_map(|operation| operation.path.split('/').nth(1)).collect();
        for (_, kind) in ResourceKind::ALL {
            without.remove(root(*kind));
        }
        // No part of the books, or about the feed itself.
        for other in ["changes", "webhooks", "test"] {
            assert!(without.remove(other), "{other}");
        }
        let is_payment = |name: &str| if name == "payment" { " (on an invoice)" } else { "" };
        let with: Vec<_> = ResourceKind::ALL.iter().map(|(name, _)| format!("`{name}`{}", is_payment(name))).collect();
        let without: Vec<_> = without.into_iter().map(|root| format!("`/{root}`")).collect();
        let wanted = format!(
            "The feed and the webhooks cover {}. They do not cover what is at {}: ask",
            in_words(&with),
            in_words(&without)
        );
        let described = operations.iter().find(|operation| operation.id == "listChanges").unwrap().description;
        for text in [described, include_str!("../../../docs/integrating.md")] {
            let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
            assert!(text.contains(&wanted), "{wanted}");
        }
        let of_webhooks: BTreeSet<&str> = WEBHOOK_TYPES.iter().map(|(kind, ..)| kind.as_str()).collect();
        assert_eq!(of_webhooks, ResourceKind::ALL.iter().map(|(name, _)| *name).collect());
    }
}
