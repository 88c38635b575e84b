//! The audit file of a year: everything that was booked, as the tax office and accountants read it, written while it is read.

use crate::{Context, Error, accounts};
pub use documents::xaf::Version;
use documents::{
    invoice::Address,
    xaf::{
        self, AuditFile, AuditFileError, Company, Entry, EntryLine, Head, Journal, JournalKind, LineVat, OpeningLine, Relation,
        RelationRole, Totals, VatCode,
    },
};
use jiff::civil::{Date, date};
use ledger::{
    chart::{self, CHART, Class, codes},
    description::DescriptionKind,
    entry::SourceType,
    identifiers::{KvkNumber, VatNumber},
    language::Language,
    money::Cents,
    vat::{VatBox, VatRate},
};
use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    io::Write,
};
use store::{
    StoreError, Tx,
    accounts::Account,
    books, contacts,
    journal::{self, EntryFilter, Period, StoredEntry, audit},
};

/// Entries that are read at once.
const CHUNK: i64 = 500;
/// The version of RGS that the chart's codes are of.
const RGS: &str = "3.7";
/// The accounts on which customers' debts, and what is owed to customers, stand.
const OF_CUSTOMERS: [chart::AccountCode; 2] = [codes::RECEIVABLES, codes::OWED_TO_CUSTOMERS];

/// The journal that a kind of entry is written in.
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
        // Each kind has a journal of its own, so that each is in the order of its days.
        SourceType::Asset => ("BMD", "Bedrijfsmiddelen", JournalKind::Memorial),
        SourceType::Mileage => ("KMS", "Zakelijke kilometers", JournalKind::Memorial),
        SourceType::OpeningBalance => ("BEG", "Beginbalans", JournalKind::Memorial),
        SourceType::Transfer => ("OVB", "Overboekingen", JournalKind::Memorial),
        SourceType::PrivateBooking => ("PRI", "Privé-opnamen en -stortingen", JournalKind::Memorial),
        SourceType::Accrual => ("OVL", "Overlopende posten", JournalKind::Memorial),
        SourceType::Loan => ("LEN", "Leningen", JournalKind::Memorial),
        SourceType::LoanRepayment => ("AFL", "Aflossingen en rente", JournalKind::Memorial),
        SourceType::PrivateUse => ("PVG", "Privégebruik", JournalKind::Memorial),
    };
    Journal { id: id.to_owned(), name: name.to_owned(), kind }
}

/// Writes the audit file of a year.
///
/// # Errors
/// The storage failed, the output does not take it, or the entries are not what the kept sums say.
pub fn write<W: Write>(tx: &mut Tx<'_>, cx: &Context, year: i16, version: Version, out: W) -> Result<W, Error> {
    let (first, last) = bounds(year);
    let opening = opening(tx, cx, first, last)?;
    let head = head(tx, cx, year, &opening)?;
    let mut file = AuditFile::begin(out, version, &head).map_err(of_file)?;
    for kind in SourceType::ALL {
        let mut begun = false;
        each(tx, cx.actor.account, (first, last), *kind, |stored, contact| {
            if opening.entries.contains(&stored.id) {
                return Ok(());
            }
            if !std::mem::replace(&mut begun, true) {
                file.journal(&journal_of(*kind)).map_err(of_file)?;
            }
            write_entry(&mut file, stored, contact)
        })?;
    }
    file.finish().map_err(of_file)
}

/// Hands each entry of a kind on some days to `take`, in the order of their days, with the contact whose it is; only so many are held at once.
fn each(
    tx: &mut Tx<'_>,
    account: i64,
    (first, last): (Date, Date),
    kind: SourceType,
    mut take: impl FnMut(&StoredEntry, Option<i64>) -> Result<(), Error>,
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
        let customers = customers(tx, account, kind, &page.rows)?;
        for stored in &page.rows {
            take(stored, customers.get(&stored.entry.source().id).copied())?;
        }
        match page.rows.last() {
            Some(last) if page.more => after = Some((last.entry.date(), last.id)),
            _ => return Ok(()),
        }
    }
}

/// What the books began with, where that was in the year: it is the file's opening balance and none of its transactions.
#[derive(Default)]
struct Opening {
    /// The entries that book it.
    entries: BTreeSet<i64>,
    /// What they come to by account; of debits positive.
    sums: BTreeMap<chart::AccountCode, Cents>,
    /// What customers owed, by contact.
    owed: HashMap<i64, Cents>,
    totals: Totals,
}

impl Opening {
    fn add(&mut self, stored: &StoredEntry, contact: Option<i64>) {
        self.entries.insert(stored.id);
        for posting in stored.entry.postings() {
            let amount = posting.debited() - posting.credited();
            *self.sums.entry(posting.account()).or_default() += amount;
            self.totals.lines += 1;
            self.totals.debit += posting.debited();
            self.totals.credit += posting.credited();
            if let Some(contact) = contact.filter(|_| OF_CUSTOMERS.contains(&posting.account())) {
                *self.owed.entry(contact).or_default() += amount;
            }
        }
    }
}

/// Reads what the books began with in a year, with the invoices that were open then.
fn opening(tx: &mut Tx<'_>, cx: &Context, first: Date, last: Date) -> Result<Opening, Error> {
    let mut found = Opening::default();
    let day = books::terms(tx, cx.actor.account)?.and_then(|terms| terms.opening);
    let Some(day) = day.filter(|day| (first..=last).contains(day)) else { return Ok(found) };
    for kind in [SourceType::OpeningBalance, SourceType::Invoice, SourceType::Expense] {
        each(tx, cx.actor.account, (day, day), kind, |stored, contact| {
            if stored.entry.description().kind == DescriptionKind::OpeningBalance {
                found.add(stored, contact);
            }
            Ok(())
        })?;
    }
    Ok(found)
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

fn write_entry<W: Write>(file: &mut AuditFile<W>, stored: &StoredEntry, contact: Option<i64>) -> Result<(), Error> {
    let entry = &stored.entry;
    let about = entry.description();
    let relation = contact.map(|id| id.to_string());
    let codes: Vec<String> = entry.postings().iter().map(|posting| posting.account().to_string()).collect();
    let lines: Vec<EntryLine<'_>> = entry
        .postings()
        .iter()
        .zip(&codes)
        .map(|(posting, code)| {
            let of_customer = OF_CUSTOMERS.contains(&posting.account());
            EntryLine {
                account: code,
                amount: posting.debited() - posting.credited(),
                document: about.number.as_deref().unwrap_or_default(),
                effective: entry.vat_date(),
                relation: relation.as_deref().filter(|_| of_customer),
                invoice: about.number.as_deref().filter(|_| of_customer),
                vat: posting.vat_box().and_then(|vat_box| line_vat(entry, vat_box, posting.account(), entry.vat_date())),
            }
        })
        .collect();
    let words = entry.words(Language::Dutch);
    let written = Entry { number: stored.id, description: &words, date: entry.date(), lines: &lines };
    file.entry(&written).map_err(of_file)
}

/// The VAT on a line of turnover: what the entry books under the same box on an account of VAT, where it is the box of one rate.
fn line_vat(
    entry: &ledger::entry::JournalEntry,
    vat_box: VatBox,
    code: chart::AccountCode,
    on: Date,
) -> Option<LineVat<'static>> {
    let is_vat = |code| chart::account(code).role != chart::Role::Ordinary;
    if is_vat(code) {
        return None;
    }
    let same = entry.postings().iter().filter(|other| other.vat_box() == Some(vat_box) && is_vat(other.account()));
    let amount: Cents = same.map(|other| other.debited() - other.credited()).sum();
    let rate = match vat_box {
        VatBox::B1a => VatRate::high_on(on),
        VatBox::B1b => VatRate::low_on(on),
        _ if amount.is_zero() => VatRate::ZERO,
        _ => return None,
    };
    Some(LineVat { code: vat_box.as_str(), rate, amount })
}

/// Whose entries are, by the document behind them.
fn customers(tx: &mut Tx<'_>, account: i64, kind: SourceType, entries: &[StoredEntry]) -> Result<HashMap<i64, i64>, Error> {
    let ids: Vec<i64> = entries.iter().map(|stored| stored.entry.source().id).collect();
    let found = match kind {
        _ if ids.is_empty() => Vec::new(),
        SourceType::Invoice | SourceType::CreditNote => audit::customers(tx, account, &ids)?,
        SourceType::Payment | SourceType::Refund => audit::payers(tx, account, &ids)?,
        SourceType::WriteOff => audit::debtors(tx, account, &ids)?,
        _ => Vec::new(),
    };
    Ok(found.into_iter().collect())
}

fn head(tx: &mut Tx<'_>, cx: &Context, year: i16, opening: &Opening) -> Result<Head, Error> {
    let account = accounts::own(tx, cx)?;
    let (first, last) = bounds(year);
    let mut before: BTreeMap<chart::AccountCode, Cents> = BTreeMap::new();
    let mut totals =
        Totals { lines: u64::try_from(audit::lines(tx, cx.actor.account, first, last)?).unwrap_or(0), ..Totals::default() };
    for sums in journal::month_totals(tx, cx.actor.account, (year, 12))? {
        if sums.year == year {
            totals.debit += sums.debit;
            totals.credit += sums.credit;
        } else {
            // The result of the years before is equity.
            let code = if is_result(sums.account) { codes::EQUITY } else { sums.account };
            *before.entry(code).or_default() += sums.debit - sums.credit;
        }
    }
    totals.lines -= opening.totals.lines;
    totals.debit -= opening.totals.debit;
    totals.credit -= opening.totals.credit;
    for (code, amount) in &opening.sums {
        *before.entry(*code).or_default() += *amount;
    }
    before.retain(|_, amount| !amount.is_zero());
    let chart = CHART.iter().map(|account| xaf::Account {
        code: account.code.to_string(),
        name: account.dutch.to_owned(),
        in_balance_sheet: !is_result(account.code),
        rgs: account.rgs.to_owned(),
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
        relations: relations(tx, cx.actor.account, first, last, &opening.owed)?,
        accounts: chart.collect(),
        vat_codes: vat_codes.collect(),
        opening: before.into_iter().map(|(code, amount)| OpeningLine { account: code.to_string(), amount }).collect(),
        totals,
    })
}

fn is_result(code: chart::AccountCode) -> bool {
    !matches!(chart::account(code).class, Class::Asset | Class::Liability | Class::Equity)
}

fn company(account: &Account) -> Company {
    // The form has no place that says so.
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

fn relations(
    tx: &mut Tx<'_>,
    account: i64,
    first: Date,
    last: Date,
    began_with: &HashMap<i64, Cents>,
) -> Result<Vec<Relation>, Error> {
    let codes = OF_CUSTOMERS.map(|code| i64::from(code.get()));
    let mut relations = Vec::new();
    for owed in audit::owed(tx, account, &codes, first, last)? {
        let Some(contact) = contacts::by_id(tx, account, owed.contact)? else { continue };
        let party = contact.party;
        relations.push(Relation {
            id: owed.contact.to_string(),
            name: party.name,
            role: RelationRole::Customer,
            address: Address { street: party.street, postal_code: party.postal_code, city: party.city, country: party.country },
            email: party.email,
            kvk_number: party.kvk_number.as_deref().and_then(|text| KvkNumber::parse(text).ok()),
            vat_number: party.vat_number.as_deref().and_then(|text| VatNumber::parse(text).ok()),
            account: codes::RECEIVABLES.to_string(),
            opening: owed.opening + began_with.get(&owed.contact).copied().unwrap_or_default(),
            closing: owed.closing,
        });
    }
    Ok(relations)
}
