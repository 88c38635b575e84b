//! `GET /entries` and `GET /entries/{id}`: the journal.

use super::{
    fields::{names, or_null},
    number::Amount,
    openapi::posting_box_names,
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
use jiff::{
    Timestamp,
    civil::{self, Date},
};
use ledger::{
    calendar::{self, Quarter},
    chart,
    entry::{Posting, SourceType},
};
use schemars::JsonSchema;
use serde::Serialize;
use service::{Actor, entries};
use std::fmt::Write as _;
use store::journal::{EntryFilter, StoredEntry};

/// A journal entry. Debits equal credits, always; entries are never changed or deleted, only reversed.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "Entry")]
pub(super) struct EntryBody {
    /// Unique in the account; the order of booking.
    id: i64,
    /// The day that it is booked on.
    date: Date,
    /// The year of that day.
    year: i16,
    /// The quarter of that day, 1 to 4.
    #[schemars(range(min = 1, max = 4))]
    quarter: u8,
    /// What it is about.
    description: String,
    /// What it was made for.
    source: SourceBody,
    /// The entry that it takes back.
    reverses_entry_id: Option<i64>,
    /// Its postings.
    lines: Vec<LineBody>,
    /// SHA-256 in hexadecimal over this entry and the hash of the one before it, so that a change behind the back of the program is found.
    #[schemars(regex(pattern = "^[0-9a-f]{64}$"))]
    #[schemars(example = &"646035c7071d119948ae5f9313d51834b1515e0f5d3e9099b70e13ec97f5ea66")]
    hash: String,
    /// When it was booked.
    created_at: Timestamp,
}

/// What an entry was made for.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Source")]
pub(super) struct SourceBody {
    /// `invoice`, `creditNote`, `payment`, `expense`, `vatFiling` or `manual`.
    #[schemars(extend("enum" = names(SOURCES)))]
    r#type: &'static str,
    /// Its id among those of its kind.
    id: i64,
}

/// A posting: an amount on one side of an account.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "EntryLine")]
pub(super) struct LineBody {
    /// The account of the chart, four digits.
    #[schemars(regex(pattern = "^[0-9]{4}$"))]
    #[schemars(example = &"8000")]
    account_code: String,
    /// Its name in English.
    #[schemars(example = &"Revenue at the high rate")]
    account_name: &'static str,
    /// Its code in the Dutch reference chart of accounts (RGS 3.7).
    #[schemars(example = &"WOmzNodOdh")]
    rgs_code: &'static str,
    /// Euros on the debit side; 0.00 when it is on the other.
    debit: Amount,
    /// Euros on the credit side.
    credit: Amount,
    /// The box of the VAT return that it counts in, such as `1a`.
    #[schemars(extend("enum" = or_null(posting_box_names())))]
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

pub(super) fn operations() -> Vec<Operation> {
    vec![
        Operation::list::<EntryBody, _, _>("/entries", "listEntries", list)
            .says("List journal entries", "The entries dated in a year or quarter, oldest first.")
            .with_query(filter),
        Operation::read::<EntryBody, _, _>("/entries/{id}", "readEntry", read).says("Read a journal entry", "").or(&[NOT_FOUND]),
    ]
}

pub(super) const SOURCES: &[(&str, SourceType)] = &[
    ("invoice", SourceType::Invoice),
    ("creditNote", SourceType::CreditNote),
    ("payment", SourceType::Payment),
    ("expense", SourceType::Expense),
    ("vatFiling", SourceType::VatFiling),
    ("manual", SourceType::Manual),
];

fn filter(query: &mut Query) -> EntryFilter {
    let year = query.required_integer("year", "The year of the entries' days.", 2000, 2099);
    let quarter = query.integer("quarter", "A quarter of that year. Default: the whole year.", 1, 4);
    let account_code = query.account_code("accountCode", "Only entries with a posting on this account of the chart.");
    let source_type = query.choice("sourceType", "Only entries made for this kind of thing.", SOURCES);
    let limit = query.limit();
    let after = query.cursor(|place| {
        let (date, id) = place.split_once(' ')?;
        Some((calendar::parse_date(date).ok()?, query::whole(id)?))
    });
    let year = year.and_then(|year| i16::try_from(year).ok()).unwrap_or(2000);
    let (from, to) = match quarter.and_then(|quarter| Quarter::new(year, u8::try_from(quarter).ok()?)) {
        Some(quarter) => (quarter.first_day(), quarter.last_day()),
        None => (civil::date(year, 1, 1), civil::date(year, 12, 31)),
    };
    EntryFilter { from, to, account_code, source_type, after, limit }
}

async fn list(
    State(app): State<App>,
    Extension(actor): Extension<Actor>,
    Extension(books): Extension<Reading>,
    RawQuery(raw): RawQuery,
) -> Result<Response, Problem> {
    let mut filter = query::read(raw.as_deref(), filter)?;
    let limit = filter.limit;
    filter.limit += 1;
    let rows = books.ask(move |tx| entries::list(tx, &actor, &filter)).await?;
    let (rows, next) = page_of(rows, limit, |last| format!("{} {}", last.entry.date(), last.id));
    let address = format!("{}/api/v1/entries", app.settings().base_url);
    Ok(reply::page(rows.into_iter().map(EntryBody::from).collect(), next, &address, raw.as_deref()))
}

async fn read(
    Extension(actor): Extension<Actor>,
    Extension(books): Extension<Reading>,
    Path(id): Path<String>,
    RawQuery(raw): RawQuery,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    query::none(raw.as_deref())?;
    let id = query::id(&id, "entry")?;
    let entry = books.ask(move |tx| entries::read(tx, &actor, id)).await?;
    Ok(reply::resource(&headers, &EntryBody::from(entry)))
}
