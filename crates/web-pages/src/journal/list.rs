//! `/journal`: all entries of a year, filtered by quarter, account and kind.

use crate::{
    frame::{
        download::{Cell, Download, MOST_ROWS},
        list::ListState,
    },
    page::{Authenticated, see_other},
    texts::Phrase,
};
use askama::Template;
use axum::response::Response;
use jiff::civil::{Date, date};
use ledger::{
    calendar::{Quarter, amsterdam_today},
    description::DescriptionKind,
    entry::{JournalEntry, Posting, SourceType},
    money::Cents,
};
use service::{Context, Error, entries, ledger_cards};
use store::{
    Page, Tx,
    journal::{EntryFilter, Period, StoredEntry},
};
use web_core::problem::Problem;

/// Number of entries per page.
const ROWS: i64 = 50;
/// Maximum number of lines shown for an entry.
const LINES: usize = 20;
/// Columns of a download.
const COLUMNS: [&str; 10] = [
    "entry",
    "date",
    "vatDate",
    "description",
    "sourceType",
    "sourceId",
    "account",
    "debit",
    "credit",
    "vatBox",
];

#[derive(Template)]
#[template(path = "journal/journal.html")]
struct View<'a> {
    page: &'a Authenticated,
    list: ListState,
    years: Vec<i16>,
    year: i16,
    entries: Page<StoredEntry>,
    /// Label, debit total and credit total. The label names the account, the quarter or the year.
    /// `None` for a list filtered by kind or text, for which no totals are stored.
    sums: Option<(String, Cents, Cents)>,
    /// Cursor of the previous page.
    before: Option<(Date, i64)>,
}

impl View<'_> {
    fn year_options(&self) -> Vec<(String, bool)> {
        self.years.iter().map(|year| (year.to_string(), *year == self.year)).collect()
    }

    fn quarters(&self) -> Vec<(&'static str, String)> {
        let quarter = |number: u8| {
            Quarter::new(self.year, number)
                .map_or(String::new(), |quarter| self.page.texts.quarter(quarter))
        };
        [("1", 1), ("2", 2), ("3", 3), ("4", 4)]
            .map(|(value, number)| (value, quarter(number)))
            .to_vec()
    }

    fn accounts(&self) -> Vec<(String, String)> {
        self.page.account_choices(self.page.all_accounts())
    }

    fn kinds(&self) -> Vec<(&'static str, Phrase<'static>)> {
        SourceType::ALL.iter().map(|kind| (kind.as_str(), kind_name(self.page, *kind))).collect()
    }

    fn kind(&self, entry: &JournalEntry) -> Phrase<'static> {
        entry_kind(self.page, entry)
    }

    fn words(&self, entry: &JournalEntry) -> String {
        entry.words(self.page.texts.language)
    }

    /// Lines of an entry that fit in the list.
    #[expect(clippy::unused_self, reason = "a template reaches it by its view")]
    fn shown<'e>(&self, entry: &'e JournalEntry) -> &'e [Posting] {
        let all = entry.postings();
        all.get(..LINES).unwrap_or(all)
    }

    /// Number of lines of an entry, if more than the list shows.
    #[expect(clippy::unused_self, reason = "a template reaches it by its view")]
    fn more_lines(&self, entry: &JournalEntry) -> Option<usize> {
        Some(entry.postings().len()).filter(|count| *count > LINES)
    }

    fn is_filtered(&self) -> bool {
        ["quarter", "account", "kind", "q"].iter().any(|name| !self.list.value(name).is_empty())
    }

    /// URL of the next page.
    fn next(&self) -> Option<String> {
        let last = self.entries.rows.last().filter(|_| self.entries.more)?;
        Some(self.list.with("after", &format!("{}_{}", last.entry.date(), last.id)))
    }

    /// URL of the previous page.
    fn previous(&self) -> Option<String> {
        let place = self.before.map(|(day, id)| format!("{day}_{id}")).unwrap_or_default();
        (!self.list.value("after").is_empty()).then(|| self.list.with("after", &place))
    }
}

/// Name of an entry's kind: the name of its source, or that of a VAT payment or refund.
pub(super) fn entry_kind(page: &Authenticated, entry: &JournalEntry) -> Phrase<'static> {
    match entry.description().kind {
        DescriptionKind::VatPayment => page.texts.t("journal-kind-vat-payment"),
        DescriptionKind::VatRefund => page.texts.t("journal-kind-vat-refund"),
        _ => kind_name(page, entry.source().kind),
    }
}

/// Name of a kind of source.
pub(crate) fn kind_name(page: &Authenticated, kind: SourceType) -> Phrase<'static> {
    let texts = page.texts;
    match kind {
        SourceType::Invoice => texts.t("journal-kind-invoice"),
        SourceType::CreditNote => texts.t("journal-kind-credit-note"),
        SourceType::Payment => texts.t("journal-kind-payment"),
        SourceType::Refund => texts.t("journal-kind-refund"),
        SourceType::WriteOff => texts.t("journal-kind-write-off"),
        SourceType::Payout => texts.t("journal-kind-payout"),
        SourceType::Expense => texts.t("journal-kind-expense"),
        SourceType::Asset => texts.t("journal-kind-asset"),
        SourceType::Mileage => texts.t("journal-kind-mileage"),
        SourceType::VatFiling => texts.t("journal-kind-vat-filing"),
        SourceType::Manual => texts.t("journal-kind-manual"),
        SourceType::OpeningBalance => texts.t("journal-kind-opening-balance"),
        SourceType::Transfer => texts.t("journal-kind-transfer"),
        SourceType::PrivateBooking => texts.t("journal-kind-private"),
        SourceType::Accrual => texts.t("journal-kind-accrual"),
        SourceType::Loan => texts.t("journal-kind-loan"),
        SourceType::LoanRepayment => texts.t("journal-kind-repayment"),
        SourceType::VatMove => texts.t("journal-kind-vat-move"),
        SourceType::VatRevision => texts.t("journal-kind-vat-revision"),
        SourceType::VatDue => texts.t("journal-kind-vat-due"),
        SourceType::PrivateUse => texts.t("journal-kind-private-use"),
    }
}

/// Year in the URL; by default the current year.
pub(super) fn year_of(page: &Authenticated, list: &ListState) -> i16 {
    let asked = list.value("year").parse().ok().filter(|year| (2000..=2099).contains(year));
    asked.unwrap_or_else(|| amsterdam_today(page.app.now()).year())
}

/// Years to choose from: those with entries, and the given year.
pub(crate) fn years_with(mut years: Vec<i16>, year: i16) -> Vec<i16> {
    if !years.contains(&year) {
        years.push(year);
        years.sort_unstable_by(|a, b| b.cmp(a));
    }
    years
}

/// Quarter in the URL.
fn quarter_of(list: &ListState, year: i16) -> Option<Quarter> {
    list.value("quarter").parse().ok().and_then(|number| Quarter::new(year, number))
}

fn filter(page: &Authenticated, list: &ListState, year: i16, limit: i64) -> EntryFilter {
    let period = match quarter_of(list, year) {
        Some(quarter) => Period::Days(quarter.first_day(), quarter.last_day()),
        None => Period::Days(date(year, 1, 1), date(year, 12, 31)),
    };
    let after = list.value("after").split_once('_');
    EntryFilter {
        period,
        account_code: page.account_code(list.value("account")),
        source_type: SourceType::parse(list.value("kind")),
        booked_since: None,
        after: after.and_then(|(day, id)| Some((day.parse::<Date>().ok()?, id.parse().ok()?))),
        newest_first: list.order().1,
        limit,
    }
}

/// `GET /journal`
pub(super) async fn show(page: Authenticated) -> Result<Response, Problem> {
    let cx = page.context();
    let list = ListState::of(&page, "-date");
    let year = year_of(&page, &list);
    let (filter, text) = (filter(&page, &list, year, ROWS), list.text());
    let (quarter, is_kept) =
        (quarter_of(&list, year), filter.source_type.is_none() && text.is_none());
    let months = quarter.map_or((1, 12), |quarter| {
        let [first, _, last] = quarter.months();
        (first, last)
    });
    let code = filter.account_code;
    let read = move |tx: &mut Tx<'_>| {
        let found = entries::search(tx, &cx, &filter, text.as_deref())?;
        let before = match (filter.after, found.rows.first()) {
            (Some(_), Some(first)) => place_before(tx, &cx, &filter, text.as_deref(), first)?,
            _ => None,
        };
        let sums =
            if is_kept { Some(ledger_cards::moved_in(tx, &cx, code, year, months)?) } else { None };
        Ok((found, before, ledger_cards::years(tx, &cx)?, sums))
    };
    let (entries, before, years, sums) = page.list(read).await?;
    let of = match (code, quarter) {
        (Some(code), _) => page.account_name(code),
        (None, Some(quarter)) => page.texts.quarter(quarter),
        (None, None) => page.t("journal-sum").with("year", year.to_string().as_str()).to_string(),
    };
    let sums = sums.map(|(debit, credit)| (of, debit, credit));
    page.show(&View {
        page: &page,
        list,
        years: years_with(years, year),
        year,
        entries,
        sums,
        before,
    })
}

/// Cursor of the page before the one that starts with `first`, found by reading a page and one
/// more entry backwards from `first`.
fn place_before(
    tx: &mut Tx<'_>,
    cx: &Context,
    filter: &EntryFilter,
    text: Option<&str>,
    first: &StoredEntry,
) -> Result<Option<(Date, i64)>, Error> {
    let back = EntryFilter {
        after: Some((first.entry.date(), first.id)),
        newest_first: !filter.newest_first,
        limit: ROWS + 1,
        ..filter.clone()
    };
    let found = entries::search(tx, cx, &back, text)?.rows;
    let place = usize::try_from(ROWS).ok().and_then(|place| found.get(place));
    Ok(place.map(|stored| (stored.entry.date(), stored.id)))
}

/// `GET /manual-entries`: redirects to the manual entries of the journal.
pub(super) async fn by_hand() -> Response {
    see_other("/journal?kind=manual")
}

/// `GET /journal.csv`, `GET /journal.xlsx`: the lines of the filtered entries, for a spreadsheet.
pub(super) async fn download(page: Authenticated) -> Result<Response, Problem> {
    let cx = page.context();
    let list = ListState::of(&page, "-date");
    let year = year_of(&page, &list);
    let (mut filter, language, format) =
        (filter(&page, &list, year, 500), page.texts.language, page.format());
    let text = list.text();
    filter.after = None;
    let read = move |tx: &mut Tx<'_>| {
        let (mut file, mut count) =
            (Download::begin(format, &format!("journal-{year}"), &COLUMNS)?, 0);
        let mut filter = filter.clone();
        loop {
            let found = entries::search(tx, &cx, &filter, text.as_deref())?;
            for stored in &found.rows {
                count += 1;
                lines(&mut file, stored, &stored.entry.words(language))?;
            }
            filter.after = found.rows.last().map(|last| (last.entry.date(), last.id));
            if !found.more || count >= MOST_ROWS {
                return file.finish();
            }
        }
    };
    Ok(page.list(read).await?)
}

fn lines(file: &mut Download, stored: &StoredEntry, words: &str) -> Result<(), Error> {
    let entry = &stored.entry;
    for posting in entry.postings() {
        file.row([
            Cell::number(stored.id),
            Cell::Day(entry.date()),
            Cell::Day(entry.vat_date()),
            Cell::Text(words),
            Cell::Text(entry.source().kind.as_str()),
            Cell::number(entry.source().id),
            Cell::Text(&posting.account().to_string()),
            Cell::number(posting.debited()),
            Cell::number(posting.credited()),
            Cell::text(posting.vat_box().map(ledger::vat::VatBox::as_str)),
        ])?;
    }
    Ok(())
}
