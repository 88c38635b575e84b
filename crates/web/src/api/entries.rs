//! `GET /entries`: the journal of a period.

use super::{number::Amount, query::Query, reply};
use crate::{App, Reading, problem::Problem};
use axum::{
    Extension,
    extract::{RawQuery, State},
    response::Response,
};
use jiff::{
    Timestamp,
    civil::{self, Date},
};
use ledger::{
    calendar::Quarter,
    chart::{self, AccountCode},
    entry::{Posting, SourceType},
};
use serde::Serialize;
use service::{Actor, entries};
use std::fmt::Write as _;
use store::journal::{EntryFilter, StoredEntry};

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct EntryBody {
    id: i64,
    date: Date,
    year: i16,
    quarter: u8,
    description: String,
    source: SourceBody,
    reverses_entry_id: Option<i64>,
    lines: Vec<LineBody>,
    hash: String,
    created_at: Timestamp,
}

#[derive(Serialize)]
struct SourceBody {
    r#type: &'static str,
    id: i64,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct LineBody {
    account_code: String,
    account_name: &'static str,
    rgs_code: &'static str,
    debit: Amount,
    credit: Amount,
    vat_box: Option<&'static str>,
}

impl From<&Posting> for LineBody {
    fn from(posting: &Posting) -> Self {
        let account = chart::account(posting.account());
        Self {
            account_code: posting.account().to_string(),
            account_name: account.english,
            rgs_code: account.rgs,
            debit: Amount(posting.debited()),
            credit: Amount(posting.credited()),
            vat_box: posting.vat_box().map(ledger::vat::VatBox::as_str),
        }
    }
}

impl From<StoredEntry> for EntryBody {
    fn from(stored: StoredEntry) -> Self {
        let entry = &stored.entry;
        let quarter = Quarter::of(entry.date());
        Self {
            id: stored.id,
            date: entry.date(),
            year: quarter.year(),
            quarter: quarter.number(),
            description: entry.description().to_owned(),
            source: SourceBody { r#type: entry.source().kind.as_str(), id: entry.source().id },
            reverses_entry_id: entry.reverses(),
            lines: entry.postings().iter().map(LineBody::from).collect(),
            hash: stored.hash.iter().fold(String::with_capacity(64), |mut hash, byte| {
                // Writing to a String cannot fail.
                let _ = write!(hash, "{byte:02x}");
                hash
            }),
            created_at: stored.created_at,
        }
    }
}

pub(super) async fn list(
    State(app): State<App>,
    Extension(actor): Extension<Actor>,
    Extension(books): Extension<Reading>,
    RawQuery(raw): RawQuery,
) -> Result<Response, Problem> {
    let mut query = Query::of(raw.as_deref());
    let has_year = raw.as_deref().is_some_and(|raw| form_urlencoded::parse(raw.as_bytes()).any(|(name, _)| name == "year"));
    let year = query.integer("year", 2000, 2099);
    if !has_year {
        query.fault("year", "required", "give year, four digits");
    }
    let quarter = query.integer("quarter", 1, 4);
    let account_code = query.parsed("accountCode", AccountCode::parse, "give the code of an account of the chart, four digits");
    let source_type =
        query.parsed("sourceType", SourceType::parse, "give one of: invoice, creditNote, payment, expense, vatFiling, manual");
    let limit = query.limit();
    let after = query.cursor(|place| {
        let (date, id) = place.split_once(' ')?;
        Some((date.parse::<Date>().ok()?, id.parse::<i64>().ok()?))
    })?;
    query.finish()?;
    let year = year.and_then(|year| i16::try_from(year).ok()).unwrap_or(2000);
    let (from, to) = match quarter.and_then(|quarter| Quarter::new(year, u8::try_from(quarter).ok()?)) {
        Some(quarter) => (quarter.first_day(), quarter.last_day()),
        None => (civil::date(year, 1, 1), civil::date(year, 12, 31)),
    };
    // One row more than the page tells whether there is a next one.
    let filter = EntryFilter { from, to, account_code, source_type, after, limit: limit + 1 };
    let mut rows = books.ask(move |tx| entries::list(tx, &actor, &filter)).await?;
    let more = rows.len() as i64 > limit;
    rows.truncate(usize::try_from(limit).unwrap_or(usize::MAX));
    let next = rows.last().filter(|_| more).map(|last| format!("{} {}", last.entry.date(), last.id));
    let address = format!("{}/api/v1/entries", app.settings().base_url);
    Ok(reply::page(rows.into_iter().map(EntryBody::from).collect(), next, &address, raw.as_deref()))
}
