//! VAT filings: the return of each quarter, open or filed, and the postings behind each of its boxes.

use super::{
    entries::SOURCES,
    fields::names,
    number::Amount,
    openapi::{box_names, posting_box_names},
    operation::Operation,
    query::{self, Query, page_of},
    reply,
};
use crate::{App, Reading, catalogue::NOT_FOUND, problem::Problem};
use axum::{
    Extension,
    extract::{Path, RawQuery, State},
    http::HeaderMap,
    response::Response,
};
use jiff::{Timestamp, civil::Date};
use ledger::{
    calendar::{self, Quarter},
    chart,
    money::Cents,
    vat::Language,
    vat_return::{self, BoxLine},
};
use schemars::JsonSchema;
use serde::Serialize;
use service::{
    Actor, Error,
    vat_filings::{self, FilingView},
};
use store::journal::BoxPosting;

/// The VAT return of a quarter.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "VatFiling")]
struct FilingBody {
    /// The year.
    year: i16,
    /// The quarter, 1 to 4.
    #[schemars(range(min = 1, max = 4))]
    quarter: u8,
    /// Its first day.
    period_start: Date,
    /// Its last day.
    period_end: Date,
    /// The last day to declare and pay.
    due_date: Date,
    /// `open` or `filed`; a filed period takes no more bookings.
    #[schemars(extend("enum" = ["open", "filed"]))]
    status: &'static str,
    /// When it was filed; also of one that was opened again since.
    filed_at: Option<Timestamp>,
    /// The boxes of the form, in its order.
    boxes: Vec<BoxBody>,
    /// To pay, exact; negative is to be received.
    payable: Amount,
    /// To pay as declared, in whole euros.
    declared_payable: i64,
    /// How much of it still stands on drafts.
    draft_invoices: DraftsBody,
    /// Journal entries dated in the quarter.
    entry_count: i64,
}

/// A box of the form.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "VatFilingBox")]
struct BoxBody {
    /// Its name, such as `1a`; `5g` is the total.
    #[schemars(extend("enum" = box_names()))]
    r#box: &'static str,
    /// What the form says beside it, in English.
    description: &'static str,
    /// Turnover or purchases excluding VAT, where the box asks for it.
    turnover: Option<Amount>,
    /// VAT, where the box asks for it.
    vat: Option<Amount>,
    /// Turnover as declared: whole euros, rounded in the taxpayer's favour.
    declared_turnover: Option<i64>,
    /// VAT as declared: whole euros, rounded in the taxpayer's favour.
    declared_vat: Option<i64>,
}

/// What of a return still stands on drafts.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "DraftInvoices")]
struct DraftsBody {
    /// How many drafts.
    count: i64,
    /// The VAT on them.
    vat: Amount,
}

/// A posting behind a box. What all postings add to `turnover` and `vat` is what the box says.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "VatBoxPosting")]
struct PostingBody {
    /// The journal entry.
    entry_id: i64,
    /// The entry's day.
    date: Date,
    /// What the entry is about.
    description: String,
    /// What the entry was made for: `invoice`, `creditNote`, `payment`, `expense`, `vatFiling` or `manual`.
    #[schemars(extend("enum" = names(SOURCES)))]
    source_type: &'static str,
    /// Its id among those of its kind.
    source_id: i64,
    /// The account of the chart, four digits.
    #[schemars(regex(pattern = "^[0-9]{4}$"))]
    #[schemars(example = &"8000")]
    account_code: String,
    /// Its name in English.
    #[schemars(example = &"Revenue at the high rate")]
    account_name: &'static str,
    /// The box that the posting itself is marked with; another than the one asked for only under `5a` and `5g`.
    #[schemars(extend("enum" = posting_box_names()))]
    vat_box: &'static str,
    /// What it adds to the turnover of the box.
    turnover: Amount,
    /// What it adds to the VAT of the box.
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

impl From<&FilingView> for FilingBody {
    fn from(view: &FilingView) -> Self {
        let (quarter, filing) = (view.quarter, view.filing.as_ref());
        Self {
            year: quarter.year(),
            quarter: quarter.number(),
            period_start: quarter.first_day(),
            period_end: quarter.last_day(),
            due_date: quarter.vat_due_date(),
            status: if filing.is_some_and(|filing| filing.filed) { "filed" } else { "open" },
            filed_at: filing.map(|filing| filing.filed_at),
            boxes: view.vat_return.lines.iter().map(BoxBody::from).collect(),
            payable: Amount(view.vat_return.payable),
            declared_payable: view.vat_return.declared_payable,
            draft_invoices: DraftsBody { count: view.totals.drafts, vat: Amount(view.totals.draft_vat) },
            entry_count: view.totals.entries,
        }
    }
}

impl PostingBody {
    /// Under 5a only VAT counts, and under 5g VAT less input VAT.
    fn new(line: &str, behind: BoxPosting) -> Self {
        let posting = &behind.posting;
        let vat_box = posting.vat_box().map_or("", ledger::vat::VatBox::as_str);
        let credited = posting.credited() - posting.debited();
        let mut share =
            posting.vat_box().map(|vat_box| vat_return::share(posting.account(), vat_box, credited)).unwrap_or_default();
        if line != vat_box {
            share.turnover = Cents::ZERO;
            if vat_box == "5b" {
                share.vat = -share.vat;
            }
        }
        Self {
            entry_id: behind.entry_id,
            date: behind.date,
            description: behind.description,
            source_type: behind.source.kind.as_str(),
            source_id: behind.source.id,
            account_code: posting.account().to_string(),
            account_name: chart::account(posting.account()).english,
            vat_box,
            turnover: Amount(share.turnover),
            vat: Amount(share.vat),
        }
    }
}

pub(super) fn operations() -> Vec<Operation> {
    vec![
        Operation::list::<FilingBody, _, _>("/vat-filings", "listVatFilings", list)
            .says("List the VAT returns of a year", "One for each quarter, whether it is over or not.")
            .with_query(quarters),
        Operation::read::<FilingBody, _, _>("/vat-filings/{year}/{quarter}", "readVatFiling", read)
            .says("Read the VAT return of a quarter", "As the books stand now; of a filed quarter, as it was filed."),
        Operation::list::<PostingBody, _, _>("/vat-filings/{year}/{quarter}/boxes/{box}", "listVatBoxPostings", explain)
            .says("List the postings behind a box", "Their sum is the box. By day and entry.")
            .with_query(postings)
            .or(&[NOT_FOUND]),
    ]
}

/// The quarters of a year after the one where the last page ended, and how many to give.
fn quarters(query: &mut Query) -> (Vec<Quarter>, i64) {
    let year = query.required_integer("year", "The year of the returns.", 2000, 2099).and_then(|year| i16::try_from(year).ok());
    let after = query.cursor(|place| place.parse::<u8>().ok().filter(|quarter| (1..=4).contains(quarter))).unwrap_or(0);
    let quarters = (after + 1..=4).filter_map(|quarter| Quarter::new(year?, quarter)).collect();
    (quarters, query.limit())
}

async fn list(
    State(app): State<App>,
    Extension(actor): Extension<Actor>,
    Extension(books): Extension<Reading>,
    RawQuery(raw): RawQuery,
) -> Result<Response, Problem> {
    let (quarters, limit) = query::read(raw.as_deref(), quarters)?;
    let (quarters, next) = page_of(quarters, limit, |last| last.number().to_string());
    let read_all = move |tx: &mut store::Tx<'_>| -> Result<Vec<FilingView>, Error> {
        quarters.iter().map(|quarter| vat_filings::read(tx, &actor, *quarter)).collect()
    };
    let views = books.ask(read_all).await?;
    let address = format!("{}/api/v1/vat-filings", app.settings().base_url);
    Ok(reply::page(views.iter().map(FilingBody::from).collect(), next, &address, raw.as_deref()))
}

async fn read(
    Extension(actor): Extension<Actor>,
    Extension(books): Extension<Reading>,
    Path((year, quarter)): Path<(String, String)>,
    RawQuery(raw): RawQuery,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    query::none(raw.as_deref())?;
    let quarter = query::quarter(&year, &quarter)?;
    let view = books.ask(move |tx| vat_filings::read(tx, &actor, quarter)).await?;
    Ok(reply::resource(&headers, &FilingBody::from(&view)))
}

/// Day, entry and line of the last posting on the page before, and how many to give.
fn postings(query: &mut Query) -> (Option<(Date, i64, i64)>, i64) {
    let after = query.cursor(|place| {
        let mut parts = place.split(' ');
        let after = (calendar::parse_date(parts.next()?).ok()?, query::whole(parts.next()?)?, query::whole(parts.next()?)?);
        parts.next().is_none().then_some(after)
    });
    (after, query.limit())
}

async fn explain(
    State(app): State<App>,
    Extension(actor): Extension<Actor>,
    Extension(books): Extension<Reading>,
    Path((year, quarter, line)): Path<(String, String, String)>,
    RawQuery(raw): RawQuery,
) -> Result<Response, Problem> {
    let (after, limit) = query::read(raw.as_deref(), postings)?;
    let quarter = query::quarter(&year, &quarter)?;
    let asked = line.clone();
    let rows = books.ask(move |tx| vat_filings::behind(tx, &actor, quarter, &asked, after, limit + 1)).await?;
    let rows = rows.ok_or(Error::NotFound("box of the VAT return (1a to 1e, 2a, 3a to 3c, 4a, 4b, 5a, 5b, 5g)"))?;
    let (rows, next) = page_of(rows, limit, |last| format!("{} {} {}", last.date, last.entry_id, last.line));
    let address = format!("{}/api/v1/vat-filings/{}/{}/boxes/{line}", app.settings().base_url, quarter.year(), quarter.number());
    let rows = rows.into_iter().map(|posting| PostingBody::new(&line, posting)).collect();
    Ok(reply::page(rows, next, &address, raw.as_deref()))
}
