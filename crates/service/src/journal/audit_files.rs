//! Audit file (XAF) for a year: all entries, in the format that the tax office and accountants
//! read. The file is streamed: each entry is written as it is read.

mod relations;
mod vat;

use self::relations::{Balances, Party, has_subledger};
use crate::{Context, Error, accounts, ledger_cards};
pub use documents::xaf::Version;
use documents::{
    invoice::Address,
    xaf::{
        self, AuditFile, AuditFileError, Company, Entry, EntryLine, Head, Journal, JournalKind,
        OpeningLine, Totals, VatCode,
    },
};
use jiff::civil::{Date, date};
use ledger::{
    chart::{self, CHART, Class},
    description::DescriptionKind,
    entry::SourceType,
    identifiers::{KvkNumber, VatNumber},
    language::Language,
    money::Cents,
    vat::VatBox,
};
use std::{
    collections::{BTreeMap, BTreeSet},
    io::Write,
};
use store::{
    StoreError, Tx,
    accounts::Account,
    books,
    journal::{self, EntryFilter, Period, StoredEntry, audit},
};

/// Number of entries read per query.
const CHUNK: i64 = 500;
/// RGS version of the codes in the chart of accounts.
const RGS: &str = "3.7";

/// Returns the journal that contains entries of this kind.
fn journal_of(kind: SourceType) -> Journal {
    let (id, name, kind) = match kind {
        SourceType::Invoice => ("VRK", "Verkoopfacturen", JournalKind::Sales),
        SourceType::CreditNote => ("CRN", "Creditnota's", JournalKind::Sales),
        SourceType::Payment => ("BET", "Betalingen van klanten", JournalKind::Other),
        SourceType::Refund => ("TRG", "Terugbetalingen aan klanten", JournalKind::Other),
        SourceType::WriteOff => ("ONI", "Oninbare vorderingen", JournalKind::Memorial),
        SourceType::Payout => ("UIT", "Uitbetalingen van betaalproviders", JournalKind::Other),
        SourceType::Expense => ("INK", "Uitgaven", JournalKind::Purchases),
        SourceType::VatFiling => ("BTW", "Btw-aangiften", JournalKind::Memorial),
        SourceType::Manual => ("MEM", "Memoriaal", JournalKind::Memorial),
        // Each kind has its own journal, because the file contains the entries kind by kind: a
        // journal of several kinds would not be in date order.
        SourceType::Asset => ("BMD", "Bedrijfsmiddelen", JournalKind::Memorial),
        SourceType::Mileage => ("KMS", "Zakelijke kilometers", JournalKind::Memorial),
        SourceType::OpeningBalance => ("BEG", "Beginbalans", JournalKind::Memorial),
        SourceType::Transfer => ("OVB", "Overboekingen", JournalKind::Memorial),
        SourceType::PrivateBooking => {
            ("PRI", "Privé-opnamen en -stortingen", JournalKind::Memorial)
        }
        SourceType::Accrual => ("OVL", "Overlopende posten", JournalKind::Memorial),
        SourceType::Loan => ("LEN", "Leningen", JournalKind::Memorial),
        SourceType::LoanRepayment => ("AFL", "Aflossingen en rente", JournalKind::Memorial),
        SourceType::VatMove => ("BVP", "Btw op vooruitbetalingen", JournalKind::Memorial),
        SourceType::VatRevision => ("HZB", "Herziening btw", JournalKind::Memorial),
        SourceType::VatDue => ("BKS", "Btw kasstelsel", JournalKind::Memorial),
        SourceType::PrivateUse => ("PVG", "Privégebruik", JournalKind::Memorial),
    };
    Journal { id: id.to_owned(), name: name.to_owned(), kind }
}

/// Writes the audit file for a year to `out`.
///
/// # Errors
/// The storage failed, writing to the output failed, or the entries contradict the stored totals.
pub fn write<W: Write>(
    tx: &mut Tx<'_>,
    cx: &Context,
    year: i16,
    version: Version,
    out: W,
) -> Result<W, Error> {
    let (first, last) = bounds(year);
    let opening = opening(tx, cx, first, last)?;
    let head = head(tx, cx, year, &opening)?;
    let mut file = AuditFile::begin(out, version, &head).map_err(of_file)?;
    for kind in SourceType::ALL {
        let mut begun = false;
        each(tx, cx.actor.account, (first, last), *kind, |stored, party| {
            if opening.entries.contains(&stored.id) {
                return Ok(());
            }
            if !std::mem::replace(&mut begun, true) {
                file.journal(&journal_of(*kind)).map_err(of_file)?;
            }
            write_entry(&mut file, stored, party)
        })?;
    }
    file.finish().map_err(of_file)
}

/// Passes each entry of a kind in a range of days to `take`, in date order, with its customer or
/// supplier. Entries are read in chunks of [`CHUNK`] to limit memory use.
fn each(
    tx: &mut Tx<'_>,
    account: i64,
    (first, last): (Date, Date),
    kind: SourceType,
    mut take: impl FnMut(&StoredEntry, Option<&Party>) -> Result<(), Error>,
) -> Result<(), Error> {
    let mut after = None;
    loop {
        let filter = EntryFilter {
            period: Period::Days(first, last),
            account_code: None,
            source_type: Some(kind),
            booked_since: None,
            after,
            limit: CHUNK,
            newest_first: false,
        };
        let page = journal::in_period(tx, account, &filter)?;
        let parties = relations::of_entries(tx, account, kind, &page.rows)?;
        for stored in &page.rows {
            take(stored, parties.get(&stored.entry.source().id))?;
        }
        match page.rows.last() {
            Some(last) if page.more => after = Some((last.entry.date(), last.id)),
            _ => return Ok(()),
        }
    }
}

/// Opening balance of the books, if it is dated in this year; otherwise empty. The file contains it
/// as its opening balance, so its entries are not listed among the transactions.
#[derive(Default)]
struct Opening {
    /// Ids of the entries that book the opening balance.
    entries: BTreeSet<i64>,
    /// Balance by account: debit minus credit.
    sums: BTreeMap<chart::AccountCode, Cents>,
    /// Part of `sums` that consists of open items of customers and suppliers.
    open_items: Balances,
    totals: Totals,
}

impl Opening {
    fn add(&mut self, stored: &StoredEntry, party: Option<&Party>) {
        self.entries.insert(stored.id);
        for posting in stored.entry.postings() {
            let amount = posting.debited() - posting.credited();
            *self.sums.entry(posting.account()).or_default() += amount;
            self.totals.lines += 1;
            self.totals.debit += posting.debited();
            self.totals.credit += posting.credited();
            if let Some(party) = party.filter(|_| has_subledger(posting.account())) {
                *self.open_items.entry((party.clone(), posting.account())).or_default() += amount;
            }
        }
    }
}

/// Reads the opening balance of the books if it is dated in the year, including the invoices and
/// bills that were open at that time.
fn opening(tx: &mut Tx<'_>, cx: &Context, first: Date, last: Date) -> Result<Opening, Error> {
    let mut opening = Opening::default();
    let day = books::terms(tx, cx.actor.account)?.and_then(|terms| terms.opening);
    let Some(day) = day.filter(|day| (first..=last).contains(day)) else { return Ok(opening) };
    for kind in [SourceType::OpeningBalance, SourceType::Invoice, SourceType::Expense] {
        each(tx, cx.actor.account, (day, day), kind, |stored, party| {
            if stored.entry.description().kind == DescriptionKind::OpeningBalance {
                opening.add(stored, party);
            }
            Ok(())
        })?;
    }
    Ok(opening)
}

fn of_file(error: AuditFileError) -> Error {
    match error {
        AuditFileError::Output(error) => Error::Store(StoreError::Unavailable(error.to_string())),
        other => Error::Store(StoreError::Unreadable(other.to_string())),
    }
}

fn bounds(year: i16) -> (Date, Date) {
    (date(year, 1, 1), date(year, 12, 31))
}

fn write_entry<W: Write>(
    file: &mut AuditFile<W>,
    stored: &StoredEntry,
    party: Option<&Party>,
) -> Result<(), Error> {
    let entry = &stored.entry;
    let about = entry.description();
    let relation = party.map(Party::id);
    let codes: Vec<String> =
        entry.postings().iter().map(|posting| posting.account().to_string()).collect();
    let lines: Vec<EntryLine<'_>> = entry
        .postings()
        .iter()
        .zip(&codes)
        .zip(vat::of_lines(entry))
        .map(|((posting, code), vat)| {
            let has_subledger = has_subledger(posting.account());
            EntryLine {
                account: code,
                amount: posting.debited() - posting.credited(),
                document: about.number.as_deref().unwrap_or_default(),
                effective: entry.vat_date(),
                relation: relation.as_deref().filter(|_| has_subledger),
                invoice: about.number.as_deref().filter(|_| has_subledger),
                vat,
            }
        })
        .collect();
    let words = entry.words(Language::Dutch);
    let written =
        Entry { number: stored.id, description: &words, date: entry.date(), lines: &lines };
    file.entry(&written).map_err(of_file)
}

fn head(tx: &mut Tx<'_>, cx: &Context, year: i16, opening: &Opening) -> Result<Head, Error> {
    let account = accounts::own(tx, cx)?;
    let (first, last) = bounds(year);
    let mut before: BTreeMap<chart::AccountCode, Cents> = BTreeMap::new();
    let mut totals = Totals {
        lines: u64::try_from(audit::lines(tx, cx.actor.account, first, last)?).unwrap_or(0),
        ..Totals::default()
    };
    // The trial balance has already added earlier years' results and the private accounts to
    // equity.
    for of in ledger_cards::trial_balance(tx, cx, year)? {
        before.insert(of.code, of.opening);
        totals.debit += of.debit;
        totals.credit += of.credit;
    }
    totals.lines -= opening.totals.lines;
    totals.debit -= opening.totals.debit;
    totals.credit -= opening.totals.credit;
    for (code, amount) in &opening.sums {
        *before.entry(*code).or_default() += *amount;
    }
    before.retain(|_, amount| !amount.is_zero());
    let own = &cx.actor.own_accounts;
    let codes: BTreeSet<chart::AccountCode> =
        CHART.iter().map(|account| account.code).chain(own.codes()).collect();
    let chart = codes.into_iter().map(|code| xaf::Account {
        code: code.to_string(),
        name: own.name(code, Language::Dutch).to_owned(),
        in_balance_sheet: !is_result(code),
        rgs: own.rgs(code).to_owned(),
    });
    let vat_codes = VatBox::ALL.iter().map(|vat_box| VatCode {
        id: vat_box.as_str().to_owned(),
        description: vat_box.description(Language::Dutch).to_owned(),
        due_on: None,
        deducted_on: None,
    });
    Ok(Head {
        year,
        created: cx.today(),
        software_version: env!("CARGO_PKG_VERSION").to_owned(),
        rgs_version: RGS.to_owned(),
        company: company(&account),
        relations: relations::all(tx, cx.actor.account, (first, last), &opening.open_items)?,
        accounts: chart.collect(),
        vat_codes: vat_codes.collect(),
        opening: before
            .into_iter()
            .map(|(code, amount)| OpeningLine { account: code.to_string(), amount })
            .collect(),
        totals,
    })
}

fn is_result(code: chart::AccountCode) -> bool {
    !matches!(code.class(), Some(Class::Asset | Class::Liability | Class::Equity))
}

fn company(account: &Account) -> Company {
    // The format has no field that marks a test account, so the company's name shows it.
    let test = if account.test.is_some() { "TEST: " } else { "" };
    Company {
        name: format!("{test}{}", account.name),
        address: Address {
            street: account.street.clone(),
            postal_code: account.postal_code.clone(),
            city: account.city.clone(),
            country: account.country,
        },
        kvk_number: account.kvk_number.as_deref().and_then(|text| KvkNumber::parse(text).ok()),
        vat_number: account.vat_number.as_deref().and_then(|text| VatNumber::parse(text).ok()),
    }
}
