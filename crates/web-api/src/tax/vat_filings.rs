//! VAT filings: the return of each quarter, open or filed, and the postings in its boxes.

use crate::{
    body,
    moment::Moment,
    number::Amount,
    once,
    openapi::{box_names, posting_box_names},
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
use jiff::Timestamp;
use jiff::civil::Date;
use ledger::{
    calendar::{self, Quarter},
    chart,
    entry::SourceType,
    language::Language,
    money::Cents,
    vat_return::{self, BoxLine},
};
use schemars::JsonSchema;
use serde::Serialize;
use service::{
    Context, Error,
    vat_filings::{self, VatReturnDetails},
};
use store::{
    Lane,
    books::Drafts,
    filings::{FiledBox, Filing},
    journal::BoxPosting,
};
use web_core::{
    AppState, ReadContext,
    catalogue::{NOT_FOUND, PERIOD_FILED, PERIOD_NOT_FILED, PERIOD_NOT_OVER, YEAR_CLOSED},
    input::names_of,
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
    /// All filed versions, oldest first.
    versions: Vec<VersionBody>,
    /// Number of journal entries dated in the quarter.
    entry_count: i64,
}

/// A box of the form.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "VatFilingBox")]
struct BoxBody {
    /// Name, such as `1a`; `5g` is the total.
    #[schemars(extend("enum" = box_names()))]
    r#box: &'static str,
    /// Label on the form, in English.
    description: &'static str,
    /// Turnover or purchases excluding VAT, if the box has it.
    turnover: Option<Amount>,
    /// Amount of VAT, if the box has it.
    vat: Option<Amount>,
    /// Declared turnover in whole euros, rounded in the taxpayer's favour.
    declared_turnover: Option<i64>,
    /// Declared VAT in whole euros, rounded in the taxpayer's favour.
    declared_vat: Option<i64>,
}

/// A filed version of a return.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "VatFilingVersion")]
struct VersionBody {
    /// Version number, starting at 1.
    version: i64,
    /// Time of filing.
    filed_at: Moment,
    /// Time of reopening.
    reopened_at: Option<Moment>,
    /// Boxes as filed.
    boxes: Vec<BoxBody>,
    /// Declared amount payable in whole euros; negative if it is to be received.
    declared_payable: i64,
}

impl VersionBody {
    fn new(filing: &Filing, boxes: &[FiledBox]) -> Self {
        let body = |filed: &FiledBox| {
            let name = vat_return::line_name(&filed.vat_box)?;
            let line = BoxLine {
                vat_box: name,
                turnover: filed.turnover,
                vat: filed.vat,
                declared_turnover: filed.declared_turnover,
                declared_vat: filed.declared_vat,
            };
            Some(BoxBody::from(&line))
        };
        Self {
            version: filing.version,
            filed_at: Moment(filing.filed_at),
            reopened_at: filing.reopened_at.map(Moment),
            boxes: boxes.iter().filter_map(body).collect(),
            declared_payable: filing.declared_payable,
        }
    }
}

/// Part that comes from drafts, which are booked but not due yet.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "OfWhichDrafts")]
pub(crate) struct OfWhichDraftsBody {
    /// Number of drafts.
    count: i64,
    /// Amount excluding VAT.
    revenue: Amount,
    /// VAT on the drafts.
    vat: Amount,
    /// Amount including VAT.
    amount: Amount,
}

impl From<Drafts> for OfWhichDraftsBody {
    fn from(drafts: Drafts) -> Self {
        Self {
            count: drafts.count,
            revenue: Amount(drafts.revenue),
            vat: Amount(drafts.vat),
            amount: Amount(drafts.amount),
        }
    }
}

/// Part of a return that comes from drafts.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "DraftInvoices")]
struct DraftsBody {
    /// Number of drafts.
    count: i64,
    /// VAT on the drafts.
    vat: Amount,
}

/// A posting in a box. The postings add up to the `turnover` and `vat` of the box.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "VatBoxPosting")]
struct PostingBody {
    /// Id of the journal entry.
    entry_id: i64,
    /// Date of the entry.
    date: Date,
    /// Date on which its VAT becomes due.
    vat_date: Date,
    /// Description of the entry.
    description: String,
    /// Type of the source: `invoice`, `creditNote`, `payment`, `expense`, `asset`, `mileage`,
    /// `vatFiling` or `manual`. More types may be added.
    #[schemars(extend("enum" = names_of(SourceType::ALL)))]
    source_type: &'static str,
    /// Id of the source within its type.
    source_id: i64,
    /// Code of the ledger account, four digits.
    #[schemars(regex(pattern = "^[0-9]{4}$"))]
    #[schemars(example = &"8000")]
    account_code: String,
    /// Name of the ledger account in English.
    #[schemars(example = &"Revenue at the high rate")]
    account_name: &'static str,
    /// Box of the posting itself; it differs from the requested box only for `5a` and `5g`.
    #[schemars(extend("enum" = posting_box_names()))]
    vat_box: &'static str,
    /// Contribution to the turnover of the box.
    turnover: Amount,
    /// Contribution to the VAT of the box.
    vat: Amount,
}

impl From<&BoxLine> for BoxBody {
    fn from(line: &BoxLine) -> Self {
        Self {
            r#box: line.vat_box,
            description: line.description(Language::English),
            turnover: line.turnover.map(Amount),
            vat: line.vat.map(Amount),
            declared_turnover: line.declared_turnover,
            declared_vat: line.declared_vat,
        }
    }
}

impl From<&VatReturnDetails> for FilingBody {
    fn from(view: &VatReturnDetails) -> Self {
        let quarter = view.quarter;
        Self {
            year: quarter.year(),
            quarter: quarter.number(),
            period_start: quarter.first_day(),
            period_end: quarter.last_day(),
            due_date: view.deadline().file_by,
            status: if view.filed().is_some() { "filed" } else { "open" },
            filed_at: view.last_filed().map(|filing| Moment(filing.filed_at)),
            boxes: view.vat_return.lines.iter().map(BoxBody::from).collect(),
            payable: Amount(view.vat_return.payable),
            declared_payable: view.vat_return.declared_payable,
            draft_invoices: DraftsBody {
                count: view.totals.due_drafts.count,
                vat: Amount(view.totals.due_drafts.vat),
            },
            of_which_drafts: view.totals.due_drafts.into(),
            versions: view
                .versions
                .iter()
                .map(|(filing, boxes)| VersionBody::new(filing, boxes))
                .collect(),
            entry_count: view.totals.entries,
        }
    }
}

impl PostingBody {
    /// Box 5a counts only VAT, and 5g VAT less input VAT.
    fn new(line: &str, row: &BoxPosting, language: Language) -> Self {
        let posting = &row.posting;
        let vat_box = posting.vat_box().map_or("", ledger::vat::VatBox::as_str);
        let credited = posting.credited() - posting.debited();
        let mut share = posting
            .vat_box()
            .map(|vat_box| vat_return::share(posting.account(), vat_box, credited))
            .unwrap_or_default();
        if line != vat_box {
            share.turnover = Cents::ZERO;
            if vat_box == "5b" {
                share.vat = -share.vat;
            }
        }
        Self {
            entry_id: row.entry_id,
            date: row.head.date,
            vat_date: row.head.vat_date,
            description: row.head.description.words(language, row.head.reverses.is_some()),
            source_type: row.head.source.kind.as_str(),
            source_id: row.head.source.id,
            account_code: posting.account().to_string(),
            account_name: chart::account(posting.account()).english,
            vat_box,
            turnover: Amount(share.turnover),
            vat: Amount(share.vat),
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
                 `ofWhichDrafts` and do not prevent filing. No body is required.",
        )
        .or(&[PERIOD_FILED, PERIOD_NOT_OVER])
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
        .or(&[PERIOD_NOT_FILED, YEAR_CLOSED])
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

/// Year, time of filing, last quarter of the previous page, and number of rows.
type Periods = (Option<i16>, Option<Timestamp>, Option<Quarter>, i64);

/// Reads the year, the time of filing, the last quarter of the previous page, and the number of
/// rows.
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

/// Reads the same query, and whether it filters by external id.
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
                let all = vat_filings::periods(tx, &cx)?.into_iter();
                all.filter(|quarter| after.is_none_or(|after| *quarter < after)).collect()
            }
        };
        let quarters = match since {
            Some(since) => vat_filings::changed_since(tx, &cx, quarters, since)?,
            None => quarters,
        };
        let quarters = store::Page::of(quarters, limit);
        let read = |quarter: &Quarter| vat_filings::read(tx, &cx, *quarter);
        let page = store::Page {
            rows: quarters.rows.iter().map(read).collect::<Result<_, _>>()?,
            more: quarters.more,
        };
        let place =
            |last: &VatReturnDetails| format!("{} {}", last.quarter.year(), last.quarter.number());
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
    let view = books.query(cx.actor.account, move |tx| vat_filings::read(tx, &cx, quarter)).await?;
    Ok(reply::resource(&headers, &FilingBody::from(&view)))
}

/// Returns the bytes of a return in an answer; `id` is its id in the change feed.
pub(crate) fn shown(tx: &mut store::Tx<'_>, cx: &Context, id: i64) -> Result<Vec<u8>, Error> {
    let quarter = store::filings::quarter_of(id).ok_or(Error::NotFound("VAT return"))?;
    Ok(reply::body(&FilingBody::from(&vat_filings::read(tx, cx, quarter)?)))
}

async fn file(
    State(app): State<AppState>,
    Extension(cx): Extension<Context>,
    Path((year, quarter)): Path<(String, String)>,
    request: Request,
) -> Result<Response, Problem> {
    body::read_none(request).await?;
    let quarter = query::quarter(&year, &quarter)?;
    once::answer(
        &app,
        cx.actor.account,
        move |tx| vat_filings::file(tx, &cx, quarter),
        move |view| reply::changed(&FilingBody::from(&view)),
    )
    .await
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
        vat_filings::reopen(tx, &cx, quarter)?;
        vat_filings::read(tx, &cx, quarter)
    };
    once::answer(&app, account, reopen, move |view| reply::changed(&FilingBody::from(&view))).await
}

/// Reads the VAT date, entry and line of the last posting on the previous page, and the number of
/// rows.
fn postings(query: &mut Query) -> (Option<(Date, i64, i64)>, i64) {
    let after = query.cursor(|place| {
        let mut parts = place.split(' ');
        let after = (
            calendar::parse_date(parts.next()?).ok()?,
            query::whole(parts.next()?)?,
            query::whole(parts.next()?)?,
        );
        parts.next().is_none().then_some(after)
    });
    (after, query.limit())
}

async fn postings_of_box(
    State(app): State<AppState>,
    Extension(cx): Extension<Context>,
    Extension(books): Extension<ReadContext>,
    Path((year, quarter, line)): Path<(String, String, String)>,
    listing: Listing,
) -> Result<Response, Problem> {
    let (after, limit) = listing.read(postings)?;
    let quarter = query::quarter(&year, &quarter)?;
    let (account, vat_box, language) = (cx.actor.account, line.clone(), cx.actor.language);
    let list = move |tx: &mut store::Tx<'_>| {
        let rows = vat_filings::postings_of_box(tx, &cx, quarter, &vat_box, after, limit + 1)?;
        let rows = rows.ok_or(Error::NotFound(
            "box of the VAT return (1a to 1e, 2a, 3a to 3c, 4a, 4b, 5a, 5b, 5g)",
        ))?;
        let place =
            |last: &BoxPosting| format!("{} {} {}", last.head.vat_date, last.entry_id, last.line);
        Ok(reply::rows(&store::Page::of(rows, limit), place, |row| {
            reply::body(&PostingBody::new(&vat_box, row, language))
        }))
    };
    let page = books.query(Lane::of(account).list(), list).await?;
    Ok(reply::page(page, &app.config().base_url, &listing))
}
