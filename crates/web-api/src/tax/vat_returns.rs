//! VAT returns of the periods in which the account files: months, quarters or years.

use super::vat_boxes::{
    self, BoxBody, DraftsBody, OfWhichDraftsBody, PostingBody, VersionBody, postings,
};
use crate::{
    body,
    moment::Moment,
    number::Amount,
    once,
    operation::{Answer, Operation},
    query::{self, Listing, Query},
    reply,
};
use axum::{
    Extension,
    extract::{Path, RawQuery, Request, State},
    http::HeaderMap,
    response::Response,
};
use jiff::{Timestamp, civil::Date};
use ledger::vat_period::{VatPeriod, VatUnit};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::json;
use service::{
    Context, Error,
    vat_filings::{self, VatReturnDetails},
};
use store::Lane;
use web_core::{
    AppState, ReadContext,
    catalogue::{NOT_FOUND, PERIOD_FILED, PERIOD_NOT_FILED, PERIOD_NOT_OVER, YEAR_CLOSED},
    input::{self, file_return, names_of},
    problem::Problem,
};

/// The VAT return of a period.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "VatReturn")]
struct ReturnBody {
    /// Id of the VAT period: `2026-05`, `2026-Q2` or `2026`.
    #[schemars(example = &"2026-05")]
    period: String,
    /// Length of the period: `month`, `quarter` or `year`.
    #[schemars(extend("enum" = names_of(VatUnit::ALL)))]
    unit: &'static str,
    /// Calendar year.
    year: i16,
    /// First day.
    period_start: Date,
    /// Last day.
    period_end: Date,
    /// Last day to file and pay; null if no return is required.
    due_date: Option<Date>,
    /// `open` or `filed`. Nothing that affects the return can be booked in a filed period.
    #[schemars(extend("enum" = ["open", "filed"]))]
    status: &'static str,
    /// Whether no return is required: the small businesses scheme (KOR) applies and all boxes are
    /// empty.
    #[schemars(example = &false)]
    nothing_to_declare: bool,
    /// Time of the last filing, even if the return was reopened since.
    filed_at: Option<Moment>,
    /// Boxes in the order of the form.
    boxes: Vec<BoxBody>,
    /// Exact amount payable; negative if it is to be received.
    payable: Amount,
    /// Declared amount payable in whole euros.
    declared_payable: i64,
    /// Drafts included in the return: their VAT is declared, but not due until they are sent.
    draft_invoices: DraftsBody,
    /// Part of the return that comes from drafts.
    of_which_drafts: OfWhichDraftsBody,
    /// All filed versions, oldest first.
    versions: Vec<VersionBody>,
    /// Number of journal entries dated in the period.
    entry_count: i64,
}

impl From<&VatReturnDetails> for ReturnBody {
    fn from(details: &VatReturnDetails) -> Self {
        let period = details.period;
        Self {
            period: period.to_string(),
            unit: period.unit().as_str(),
            year: period.calendar_year(),
            period_start: period.first_day(),
            period_end: period.last_day(),
            due_date: details.is_asked_for().then(|| details.deadline().file_by),
            status: if details.filed().is_some() { "filed" } else { "open" },
            nothing_to_declare: !details.is_asked_for(),
            filed_at: details.last_filed().map(|filing| Moment(filing.filed_at)),
            boxes: details.vat_return.lines.iter().map(BoxBody::from).collect(),
            payable: Amount(details.vat_return.payable),
            declared_payable: details.vat_return.declared_payable,
            draft_invoices: details.totals.due_drafts.into(),
            of_which_drafts: details.totals.due_drafts.into(),
            versions: details
                .versions
                .iter()
                .map(|(filing, boxes)| VersionBody::new(filing, boxes))
                .collect(),
            entry_count: details.totals.entries,
        }
    }
}

pub(crate) fn operations() -> Vec<Operation> {
    vec![
        Operation::list::<ReturnBody, _, _>("/vat-returns", "listVatReturns", list)
            .says(
                "List the VAT returns of the account's periods",
                "Returns all periods of a year, oldest first. Without a year, returns all periods \
                 from the first journal entry to the current one, newest first.",
            )
            .with_query(listed),
        Operation::read::<ReturnBody, _, _>("/vat-returns/{period}", "readVatReturn", read)
            .says(
                "Read the VAT return of a period",
                "Returns the current state of an open return, or a filed return as it was filed. \
                 The period is a month (`2026-05`), quarter (`2026-Q2`) or year (`2026`), by the \
                 unit in which the account files; the detail of the problem names the right ones.",
            )
            .or(&[NOT_FOUND]),
        Operation::act::<ReturnBody, _, _>(
            "/vat-returns/{period}/file",
            "fileVatReturnOfPeriod",
            Answer::Changed,
            file,
        )
        .says(
            "File the VAT return of a period",
            "Records the return as filed; nothing is sent to the tax office. Nothing more \
                 that affects the return can be booked in the period. The amount payable moves \
                 to account 1780 on the last day of the period, or on the first day after the \
                 closed years if its year is closed. The ICP declarations that end in the period \
                 are filed too, unless `icp` is false.",
        )
        .with_body(input::schema(file_return), json!({ "icp": true }))
        .or_without_body()
        .or(&[NOT_FOUND, PERIOD_FILED, PERIOD_NOT_OVER])
        .files_returns()
        .for_dutch_accounts(),
        Operation::act::<ReturnBody, _, _>(
            "/vat-returns/{period}/reopen",
            "reopenVatReturnOfPeriod",
            Answer::Changed,
            reopen,
        )
        .says(
            "Reopen the filed VAT return of a period",
            "Reverses the settlement; the filed version stays in `versions`. Corrections of \
                 the period that an open return includes move to its own return. No body is \
                 required.",
        )
        .or(&[NOT_FOUND, PERIOD_NOT_FILED, YEAR_CLOSED])
        .files_returns()
        .for_dutch_accounts(),
        Operation::list::<PostingBody, _, _>(
            "/vat-returns/{period}/boxes/{box}",
            "listVatReturnPostings",
            postings_of_box,
        )
        .says(
            "List the postings in a box of a period's return",
            "The postings add up to the amounts of the box. They are sorted by date and entry.",
        )
        .with_query(postings)
        .or(&[NOT_FOUND]),
    ]
}

/// Filter and page of the list: year, whether filed, `updatedSince`, last period of the previous
/// page, and page size.
type Filter = (Option<i16>, Option<bool>, Option<Timestamp>, Option<VatPeriod>, i64);

fn listed(query: &mut Query) -> (bool, Filter) {
    const STATES: &[(&str, bool)] = &[("open", false), ("filed", true)];
    let wants_external_id = query.wants_external_id();
    let meaning = "Year of the returns. Default: all periods from the first journal entry to the current one.";
    let year = query.integer("year", meaning, 2000, 2099).and_then(|year| i16::try_from(year).ok());
    let filed = query.choice("status", "Returns only open, or only filed returns.", STATES);
    let meaning = "Leaves out filed returns that were last filed or reopened before this time. \
                   Open returns change with every entry, and are always included.";
    let since = query.moment("updatedSince", meaning);
    (wants_external_id, (year, filed, since, query.cursor(VatPeriod::parse), query.limit()))
}

async fn list(
    State(app): State<AppState>,
    Extension(cx): Extension<Context>,
    Extension(books): Extension<ReadContext>,
    listing: Listing,
) -> Result<Response, Problem> {
    let (wants_external_id, (year, filed, since, after, limit)) = listing.read(listed)?;
    let account = cx.actor.account;
    let list = move |tx: &mut store::Tx<'_>| {
        if wants_external_id {
            return Ok(reply::no_rows());
        }
        let mut periods = match year {
            Some(year) => vat_filings::returns_of_year(&cx, year),
            None => vat_filings::returns(tx, &cx)?,
        };
        periods.retain(|period| {
            after.is_none_or(|after| if year.is_some() { *period > after } else { *period < after })
        });
        if let Some(since) = since {
            periods = vat_filings::changed_since(tx, &cx, periods, since)?;
        }
        let wanted = usize::try_from(limit).unwrap_or(usize::MAX).saturating_add(1);
        let mut returns = Vec::new();
        for period in periods {
            let details = vat_filings::read(tx, &cx, period)?;
            if filed.is_none_or(|filed| filed == details.filed().is_some()) {
                returns.push(details);
            }
            if returns.len() == wanted {
                break;
            }
        }
        let place = |last: &VatReturnDetails| last.period.to_string();
        Ok(reply::rows(&store::Page::of(returns, limit), place, |details| {
            reply::body(&ReturnBody::from(details))
        }))
    };
    let page = books.query(Lane::of(account).list(), list).await?;
    Ok(reply::page(page, &app.config().base_url, &listing))
}

async fn read(
    Extension(cx): Extension<Context>,
    Extension(books): Extension<ReadContext>,
    Path(period): Path<String>,
    RawQuery(raw): RawQuery,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    query::none(raw.as_deref())?;
    let period = query::period(&period)?;
    let details =
        books.query(cx.actor.account, move |tx| vat_filings::read(tx, &cx, period)).await?;
    Ok(reply::resource(&headers, &ReturnBody::from(&details)))
}

/// Returns a return as the body of a response; `id` is the return's id in the change feed.
pub(crate) fn shown(tx: &mut store::Tx<'_>, cx: &Context, id: i64) -> Result<Vec<u8>, Error> {
    let period = VatPeriod::from_id(id).ok_or(Error::NotFound("VAT return"))?;
    Ok(reply::body(&ReturnBody::from(&vat_filings::read(tx, cx, period)?)))
}

/// Reads from the body, which is optional, whether ICP declarations are filed too.
pub(super) async fn read_filing(request: Request) -> Result<bool, Problem> {
    let parsed = input::json(&body::read_optional(request).await?, file_return);
    parsed.command.ok_or_else(|| Error::Invalid(parsed.faults).into())
}

async fn file(
    State(app): State<AppState>,
    Extension(cx): Extension<Context>,
    Path(period): Path<String>,
    request: Request,
) -> Result<Response, Problem> {
    let icp = read_filing(request).await?;
    let period = query::period(&period)?;
    let account = cx.actor.account;
    let file = move |tx: &mut store::Tx<'_>| vat_filings::file_if(tx, &cx, period, icp, &|_| true);
    once::answer(&app, account, file, move |details| reply::changed(&ReturnBody::from(&details)))
        .await
}

async fn reopen(
    State(app): State<AppState>,
    Extension(cx): Extension<Context>,
    Path(period): Path<String>,
    request: Request,
) -> Result<Response, Problem> {
    body::read_none(request).await?;
    let period = query::period(&period)?;
    let account = cx.actor.account;
    let reopen = move |tx: &mut store::Tx<'_>| {
        vat_filings::reopen(tx, &cx, period)?;
        vat_filings::read(tx, &cx, period)
    };
    once::answer(&app, account, reopen, move |details| reply::changed(&ReturnBody::from(&details)))
        .await
}

async fn postings_of_box(
    State(app): State<AppState>,
    Extension(cx): Extension<Context>,
    Extension(books): Extension<ReadContext>,
    Path((period, vat_box)): Path<(String, String)>,
    listing: Listing,
) -> Result<Response, Problem> {
    let period = query::period(&period)?;
    vat_filings::require_period(&cx, period).map_err(Error::from)?;
    vat_boxes::list_postings((app, cx, books), period, vat_box, listing).await
}
