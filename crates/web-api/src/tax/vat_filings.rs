//! VAT filings: the return of each quarter, open or filed, and the postings in its boxes.

use super::vat_boxes::{
    self, BoxBody, DraftsBody, OfWhichDraftsBody, PostingBody, VersionBody, postings,
};
use super::vat_returns::read_filing;
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
use ledger::{calendar::Quarter, vat_period::VatPeriod};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::json;
use service::{
    Context, Error,
    vat_filings::{self, QuarterReturn},
};
use store::Lane;
use web_core::{
    AppState, ReadContext,
    catalogue::{
        NOT_FOUND, OTHER_PERIOD, PERIOD_FILED, PERIOD_NOT_FILED, PERIOD_NOT_OVER, YEAR_CLOSED,
    },
    input::{self, file_return},
    problem::Problem,
};

/// The VAT return of a quarter.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "VatFiling")]
struct FilingBody {
    /// Calendar year.
    year: i16,
    /// Quarter, 1 to 4.
    #[schemars(range(min = 1, max = 4))]
    quarter: u8,
    /// VAT periods in which the quarter is filed: the quarter itself, its months, or its year.
    #[schemars(example = &["2026-Q1"])]
    periods: Vec<String>,
    /// First day.
    period_start: Date,
    /// Last day.
    period_end: Date,
    /// Last day to file and pay.
    due_date: Date,
    /// `open` or `filed`. Nothing that affects the return can be booked in a filed period.
    #[schemars(extend("enum" = ["open", "filed"]))]
    status: &'static str,
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
    /// All filed versions, oldest first; empty if the quarter is filed by month or by year.
    versions: Vec<VersionBody>,
    /// Number of journal entries dated in the quarter.
    entry_count: i64,
}

impl From<&QuarterReturn> for FilingBody {
    fn from(view: &QuarterReturn) -> Self {
        let (quarter, details) = (view.quarter, &view.details);
        Self {
            year: quarter.year(),
            quarter: quarter.number(),
            periods: view.returns.iter().map(|of| of.period.to_string()).collect(),
            period_start: quarter.first_day(),
            period_end: quarter.last_day(),
            due_date: view.deadline().file_by,
            status: if view.is_filed() { "filed" } else { "open" },
            filed_at: view.last_filed().map(|filing| Moment(filing.filed_at)),
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
        Operation::list::<FilingBody, _, _>("/vat-filings", "listVatFilings", list)
            .says(
                "List VAT returns",
                "Returns the four quarters of a year, including those that are not over. Without \
                 a year, returns all quarters that have journal entries or were filed, newest \
                 first.",
            )
            .with_query(listed),
        Operation::read::<FilingBody, _, _>("/vat-filings/{year}/{quarter}", "readVatFiling", read)
            .says(
                "Read the VAT return of a quarter",
                "Returns the current state of an open return, or a filed return as it was filed.",
            ),
        Operation::act::<FilingBody, _, _>(
            "/vat-filings/{year}/{quarter}/file",
            "fileVatReturn",
            Answer::Changed,
            file,
        )
        .says(
            "File the VAT return of a quarter",
            "Records the return as filed; nothing is sent to the tax office. Nothing more \
                 that affects the return can be booked in the quarter. The amount payable moves \
                 to account 1780 on the last day of the quarter, or on the first day after the \
                 closed years if its year is closed. Drafts in the return are reported in \
                 `ofWhichDrafts` and do not prevent filing. The ICP declarations that end in the \
                 quarter are filed too, unless `icp` is false.",
        )
        .with_body(input::schema(file_return), json!({ "icp": true }))
        .or_without_body()
        .or(&[PERIOD_FILED, PERIOD_NOT_OVER, OTHER_PERIOD])
        .files_returns()
        .for_dutch_accounts(),
        Operation::act::<FilingBody, _, _>(
            "/vat-filings/{year}/{quarter}/reopen",
            "reopenVatReturn",
            Answer::Changed,
            reopen,
        )
        .says(
            "Reopen a filed VAT return",
            "Reverses the settlement; the filed version stays in `versions`. Corrections of \
                 the quarter that an open return includes move to its own return. No body is \
                 required.",
        )
        .or(&[PERIOD_NOT_FILED, YEAR_CLOSED, OTHER_PERIOD])
        .files_returns()
        .for_dutch_accounts(),
        Operation::list::<PostingBody, _, _>(
            "/vat-filings/{year}/{quarter}/boxes/{box}",
            "listVatBoxPostings",
            postings_of_box,
        )
        .says(
            "List the postings in a box",
            "The postings add up to the amounts of the box. They are sorted by date and entry.",
        )
        .with_query(postings)
        .or(&[NOT_FOUND]),
    ]
}

/// Year, `updatedSince`, last quarter of the previous page, and page size.
type Periods = (Option<i16>, Option<Timestamp>, Option<Quarter>, i64);

/// Reads the year, `updatedSince`, the last quarter of the previous page, and the page size.
fn periods(query: &mut Query) -> Periods {
    let meaning =
        "Year of the returns. Default: all quarters that have journal entries or were filed.";
    let year = query.integer("year", meaning, 2000, 2099).and_then(|year| i16::try_from(year).ok());
    let after = query.cursor(|place| {
        let (year, quarter) = place.split_once(' ')?;
        Quarter::new(year.parse().ok()?, quarter.parse().ok()?)
    });
    let meaning = "Leaves out filed returns that were last filed or reopened before this time. \
                   Open returns change with every entry, and are always included.";
    (year, query.moment("updatedSince", meaning), after, query.limit())
}

/// Like [`periods`], but also returns whether the query filters by external id.
fn listed(query: &mut Query) -> (bool, Periods) {
    (query.wants_external_id(), periods(query))
}

async fn list(
    State(app): State<AppState>,
    Extension(cx): Extension<Context>,
    Extension(books): Extension<ReadContext>,
    listing: Listing,
) -> Result<Response, Problem> {
    let (wants_none, (year, since, after, limit)) = listing.read(listed)?;
    let account = cx.actor.account;
    let list = move |tx: &mut store::Tx<'_>| {
        if wants_none {
            return Ok(reply::no_rows());
        }
        let quarters: Vec<Quarter> = match year {
            Some(year) => (1..=4)
                .filter_map(|number| Quarter::new(year, number))
                .filter(|quarter| Some(*quarter) > after)
                .collect(),
            None => {
                let all = vat_filings::quarters(tx, &cx)?.into_iter();
                all.filter(|quarter| after.is_none_or(|after| *quarter < after)).collect()
            }
        };
        let quarters = match since {
            Some(since) => vat_filings::quarters_changed_since(tx, &cx, quarters, since)?,
            None => quarters,
        };
        let quarters = store::Page::of(quarters, limit);
        let read = |quarter: &Quarter| vat_filings::read_quarter(tx, &cx, *quarter);
        let page = store::Page {
            rows: quarters.rows.iter().map(read).collect::<Result<_, _>>()?,
            more: quarters.more,
        };
        let place =
            |last: &QuarterReturn| format!("{} {}", last.quarter.year(), last.quarter.number());
        Ok(reply::rows(&page, place, |view| reply::body(&FilingBody::from(view))))
    };
    let page = books.query(Lane::of(account).list(), list).await?;
    Ok(reply::page(page, &app.config().base_url, &listing))
}

async fn read(
    Extension(cx): Extension<Context>,
    Extension(books): Extension<ReadContext>,
    Path((year, quarter)): Path<(String, String)>,
    RawQuery(raw): RawQuery,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    query::none(raw.as_deref())?;
    let quarter = query::quarter(&year, &quarter)?;
    let view = books
        .query(cx.actor.account, move |tx| vat_filings::read_quarter(tx, &cx, quarter))
        .await?;
    Ok(reply::resource(&headers, &FilingBody::from(&view)))
}

/// Returns a quarter's return as the body of a response; `id` is the return's id in the change
/// feed.
pub(crate) fn shown(tx: &mut store::Tx<'_>, cx: &Context, id: i64) -> Result<Vec<u8>, Error> {
    let quarter = VatPeriod::from_id(id)
        .and_then(VatPeriod::as_quarter)
        .ok_or(Error::NotFound("VAT return"))?;
    Ok(reply::body(&FilingBody::from(&vat_filings::read_quarter(tx, cx, quarter)?)))
}

async fn file(
    State(app): State<AppState>,
    Extension(cx): Extension<Context>,
    Path((year, quarter)): Path<(String, String)>,
    request: Request,
) -> Result<Response, Problem> {
    let icp = read_filing(request).await?;
    let quarter = query::quarter(&year, &quarter)?;
    let account = cx.actor.account;
    let file = move |tx: &mut store::Tx<'_>| {
        let period = vat_filings::period_of_quarter(&cx, quarter)?;
        vat_filings::file_if(tx, &cx, period, icp, &|_| true)
            .map(|details| QuarterReturn::of(quarter, details))
    };
    once::answer(&app, account, file, move |view| reply::changed(&FilingBody::from(&view))).await
}

async fn reopen(
    State(app): State<AppState>,
    Extension(cx): Extension<Context>,
    Path((year, quarter)): Path<(String, String)>,
    request: Request,
) -> Result<Response, Problem> {
    body::read_none(request).await?;
    let quarter = query::quarter(&year, &quarter)?;
    let account = cx.actor.account;
    let reopen = move |tx: &mut store::Tx<'_>| {
        let period = vat_filings::period_of_quarter(&cx, quarter)?;
        vat_filings::reopen(tx, &cx, period)?;
        vat_filings::read_quarter(tx, &cx, quarter)
    };
    once::answer(&app, account, reopen, move |view| reply::changed(&FilingBody::from(&view))).await
}

async fn postings_of_box(
    State(app): State<AppState>,
    Extension(cx): Extension<Context>,
    Extension(books): Extension<ReadContext>,
    Path((year, quarter, vat_box)): Path<(String, String, String)>,
    listing: Listing,
) -> Result<Response, Problem> {
    let quarter = query::quarter(&year, &quarter)?;
    vat_boxes::list_postings((app, cx, books), quarter.into(), vat_box, listing).await
}
