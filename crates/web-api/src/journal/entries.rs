//! Journal entries.

use crate::{
    entry_lines::LineBody,
    moment::Moment,
    operation::Operation,
    query::{self, Listing, Query},
    reply,
    resource::{self, Resource},
    sales::invoice_body::PeriodBody,
};
use axum::{Extension, extract::State, response::Response};
use jiff::civil::{self, Date};
use ledger::{
    calendar::{self, Quarter},
    entry::{JournalEntry, SourceType},
    named::Named,
};
use schemars::JsonSchema;
use serde::Serialize;
use service::{
    Context, Error,
    entries::{self, EntryDetails},
};
use std::fmt::Write as _;
use store::{
    Lane, Tx,
    journal::{EntryFilter, Period},
};
use web_core::{AppState, ReadContext, input::names_of, problem::Problem};

/// A journal entry. Debits equal credits; entries are never changed or deleted, only reversed.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "Entry")]
pub(crate) struct EntryBody {
    /// Id, unique within the account, in order of booking.
    id: i64,
    /// Date of the entry.
    date: Date,
    /// Year of the date.
    year: i16,
    /// Quarter of the date, 1 to 4.
    #[schemars(range(min = 1, max = 4))]
    quarter: u8,
    /// Date on which the VAT becomes due. It determines the VAT return in which the entry is
    /// included.
    vat_date: Date,
    /// For an entry that corrects a filed VAT period, the calendar quarter in which that period
    /// ends.
    corrects_period: Option<PeriodBody>,
    /// Id of the filed VAT period that the entry corrects: `2026-05`, `2026-Q2` or `2026`.
    #[schemars(example = &"2026-Q1")]
    corrects_period_id: Option<String>,
    /// Description in the language of the account.
    description: String,
    /// Source of the entry.
    source: SourceBody,
    /// Id of the line of a bank statement whose booking includes the entry.
    #[schemars(example = &1)]
    bank_line_id: Option<i64>,
    /// Id of the entry that this entry reverses.
    reverses_entry_id: Option<i64>,
    /// Postings.
    lines: Vec<LineBody>,
    /// SHA-256 in hexadecimal over this entry and the previous hash in the chain; it reveals
    /// changes made outside the program.
    #[schemars(regex(pattern = "^[0-9a-f]{64}$"))]
    #[schemars(example = &"646035c7071d119948ae5f9313d51834b1515e0f5d3e9099b70e13ec97f5ea66")]
    hash: String,
    /// Time of booking.
    created_at: Moment,
}

/// The source of an entry.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Source")]
pub(crate) struct SourceBody {
    /// Type, such as `invoice`, `payment`, `expense`, `vatFiling` or `manual`. More types may be
    /// added.
    #[schemars(extend("enum" = names_of(SourceType::ALL)))]
    r#type: &'static str,
    /// Id of the source within its type.
    id: i64,
}

impl Resource for EntryDetails {
    type Key = i64;
    type Body<'r> = EntryBody;
    const PATH: &'static str = "/entries/{id}";
    const NAME: &'static str = "entry";

    fn key(&self) -> i64 {
        self.stored.id
    }

    fn body(&self, cx: &Context) -> EntryBody {
        let entry = &self.stored.entry;
        let quarter = Quarter::of(entry.date());
        EntryBody {
            id: self.stored.id,
            date: entry.date(),
            year: quarter.year(),
            quarter: quarter.number(),
            vat_date: entry.vat_date(),
            corrects_period: entry.corrects_period().map(PeriodBody::from),
            corrects_period_id: entry.corrects_period().map(|period| period.to_string()),
            description: entry.words(cx.actor.language),
            source: SourceBody { r#type: entry.source().kind.as_str(), id: entry.source().id },
            bank_line_id: self.bank_line_id,
            reverses_entry_id: entry.reverses(),
            lines: entry
                .postings()
                .iter()
                .map(|posting| LineBody::new(posting, &cx.actor.own_accounts))
                .collect(),
            hash: self.stored.hash.iter().fold(String::with_capacity(64), |mut hash, byte| {
                // Cannot fail: the target is a String.
                let _ = write!(hash, "{byte:02x}");
                hash
            }),
            created_at: Moment(self.stored.created_at),
        }
    }

    fn find(tx: &mut Tx<'_>, cx: &Context, id: i64) -> Result<Self, Error> {
        entries::details(tx, cx, id)
    }
}

pub(crate) fn operations() -> Vec<Operation> {
    vec![
        Operation::list::<EntryBody, _, _>("/entries", "listEntries", list)
            .says(
                "List journal entries",
                "Returns the entries dated in a year or quarter, or those of a VAT return, oldest \
                 first.",
            )
            .with_query(listed),
        Operation::read_of::<EntryDetails>("readEntry").says("Read a journal entry", ""),
    ]
}

fn filter(query: &mut Query) -> EntryFilter {
    let by_vat_period = query.has("vatPeriod");
    let vat_period = query.vat_period(
        "vatPeriod",
        "VAT period, such as 2026-Q1: returns the entries of its return. `year` and `quarter` are \
         ignored then.",
    );
    let meaning = "Year of the entries' dates. Required without vatPeriod.";
    let year = if by_vat_period {
        query.integer("year", meaning, 2000, 2099)
    } else {
        query.required_integer("year", meaning, 2000, 2099)
    };
    let quarter = query.integer("quarter", "Quarter of the year. Default: the whole year.", 1, 4);
    let account_code = query
        .account_code("accountCode", "Returns only entries with a posting on this ledger account.");
    let source_type = query.choice(
        "sourceType",
        "Returns only entries with this type of source.",
        SourceType::NAMED,
    );
    let meaning = "Returns only entries booked at or after this time; entries never change.";
    let booked_since = query.moment("updatedSince", meaning);
    let limit = query.limit();
    let after = query.cursor(|place| {
        let (date, id) = place.split_once(' ')?;
        Some((calendar::parse_date(date).ok()?, query::whole(id)?))
    });
    let year = year.and_then(|year| i16::try_from(year).ok()).unwrap_or(2000);
    let period = match (
        vat_period,
        quarter.and_then(|quarter| Quarter::new(year, u8::try_from(quarter).ok()?)),
    ) {
        (Some(period), _) => Period::Vat(period),
        (None, Some(quarter)) => Period::Days(quarter.first_day(), quarter.last_day()),
        (None, None) => Period::Days(civil::date(year, 1, 1), civil::date(year, 12, 31)),
    };
    EntryFilter {
        period,
        account_code,
        source_type,
        booked_since,
        after,
        newest_first: false,
        limit,
    }
}

/// Like [`filter`]; also returns whether the query filters by external id, in which case the list
/// is empty, because entries have no external id.
fn listed(query: &mut Query) -> (bool, EntryFilter) {
    (query.wants_external_id(), filter(query))
}

async fn list(
    State(app): State<AppState>,
    Extension(cx): Extension<Context>,
    Extension(books): Extension<ReadContext>,
    listing: Listing,
) -> Result<Response, Problem> {
    let (wants_none, mut filter) = listing.read(listed)?;
    if let Some(code) = &mut filter.account_code {
        *code = query::account_of_books("accountCode", *code, &cx.actor.own_accounts)?;
    }
    let (account, by_vat_day) = (cx.actor.account, matches!(filter.period, Period::Vat(_)));
    let list = move |tx: &mut Tx<'_>| {
        if wants_none {
            return Ok(reply::no_rows());
        }
        let page = entries::list_details(tx, &cx, &filter)?;
        let day = |entry: &JournalEntry| if by_vat_day { entry.vat_date() } else { entry.date() };
        let place = |last: &EntryDetails| format!("{} {}", day(&last.stored.entry), last.stored.id);
        Ok(reply::rows(&page, place, |entry| resource::shown(entry, &cx)))
    };
    let page = books.query(Lane::of(account).list(), list).await?;
    Ok(reply::page(page, &app.config().base_url, &listing))
}
