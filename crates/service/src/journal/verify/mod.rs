//! Verification of the books: recomputes all derived data from the entries and compares it with
//! what is stored.

mod bank;
mod batches;
mod booked;
mod documents;
mod opening;
mod purchases;
mod quotes;
mod records;
mod recurring;
mod registers;
mod totals;

use self::booked::{Booked, Entries};
use crate::{Context, Error};
use jiff::civil::Date;
use ledger::{
    calendar::Month,
    chain::{self, Hash},
    chart::{AccountCode, codes},
    description::ReceiptHash,
    entry::{JournalEntry, SourceType},
    money::Cents,
    vat::VatBox,
    vat_period::VatPeriod,
};
use std::collections::{BTreeMap, BTreeSet};
use store::{
    StoreError, Tx,
    books::{self, DocumentTotals, IdSequence},
    journal::{self, RawEntry},
    sales_totals::{Group, Sums},
    time,
};

/// Number of rows read per query.
const CHUNK: i64 = 2_000;

/// Result of a verification.
#[derive(Debug, Clone, Default)]
pub struct Verification {
    /// Number of entries checked.
    pub entries: i64,
    /// Number of invoices and credit notes checked.
    pub invoices: i64,
    /// Hash of the last entry. A copy of this hash that is kept elsewhere can later show that no
    /// earlier entry was changed.
    pub head: Hash,
    /// Descriptions of the discrepancies.
    pub discrepancies: Vec<String>,
}

type MonthSums = BTreeMap<(i16, i8, AccountCode), (Cents, Cents)>;
type VatSums = BTreeMap<(Month, AccountCode, VatBox), (Cents, Cents)>;
type DocumentSums = BTreeMap<Month, DocumentTotals>;
type SalesSums = BTreeMap<Group, Sums>;

/// Data recomputed while walking through the journal.
#[derive(Default)]
struct Recomputed {
    months: MonthSums,
    vat: VatSums,
    documents: DocumentSums,
    sales: SalesSums,
    /// Entries by source document.
    booked: Booked,
    /// Ids of the assets that expenses refer to, by expense.
    assets: BTreeMap<i64, i64>,
    /// Receipts that entries were booked from.
    receipts: BTreeSet<ReceiptHash>,
    /// Unreversed settlements of VAT returns, by entry: the return's source id and the amount
    /// owed.
    settled: BTreeMap<i64, (i64, Cents)>,
    /// Like `settled`, including reversed settlements.
    settlements: BTreeMap<i64, (i64, Cents)>,
    /// Balance of account 1785 for each corrected period. It is zero once a return carries the
    /// correction.
    waiting: BTreeMap<VatPeriod, Cents>,
    /// VAT of other member states on the documents, in cents.
    foreign_vat: Cents,
    postings: i64,
    /// Records of documents in the hash chain.
    records: records::Records,
}

impl Recomputed {
    /// Whether a return that covers `day` was ever filed, even if it has since been reopened.
    fn was_filed(&self, day: Date) -> bool {
        let sources = VatPeriod::all_of(day).map(VatPeriod::id);
        self.settlements.values().any(|(settled, _)| sources.contains(settled))
    }
}

/// Balances of receivables (1300) and of amounts owed to customers (1630).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Open {
    due: Cents,
    refund: Cents,
}

impl Open {
    fn of(entries: &Entries) -> Self {
        Self { due: entries.on(codes::RECEIVABLES), refund: -entries.on(codes::OWED_TO_CUSTOMERS) }
    }

    fn add(&mut self, other: Self) {
        self.due += other.due;
        self.refund += other.refund;
    }
}

/// Number of entries of an account, for a progress bar.
///
/// # Errors
/// The storage failed.
pub fn size(tx: &mut Tx<'_>, account: i64) -> Result<i64, Error> {
    Ok(books::heads(tx, account)?.0[IdSequence::Entry as usize])
}

/// Describes the books that cannot be verified because the row of their account, its membership or
/// its owner is missing.
///
/// # Errors
/// The storage failed.
pub fn lost_accounts(tx: &mut Tx<'_>) -> Result<Vec<String>, Error> {
    let lost = store::accounts::lost(tx)?;
    let words = |id| {
        format!(
            "account {id} has books, but the row of the account, of its membership or of its owner is gone"
        )
    };
    Ok(lost.into_iter().map(words).collect())
}

/// Verifies the books of an account. Calls `progress` with the number of entries checked so far.
///
/// # Errors
/// The storage failed. Defects of the books are discrepancies, not errors.
// Long: the checks in order.
pub fn verify_books(
    tx: &mut Tx<'_>,
    cx: &Context,
    progress: &dyn Fn(i64),
) -> Result<Verification, Error> {
    let mut verification = Verification::default();
    let mut sums = Recomputed::default();
    let Some((last_ids, head)) = books::find_heads(tx, cx.actor.account)? else {
        verification.discrepancies.push("the account has no books: their row is gone".into());
        return Ok(verification);
    };
    walk_journal(tx, cx.actor.account, &mut verification, &mut sums, progress)?;
    let last_entry = last_ids[IdSequence::Entry as usize];
    if last_entry != verification.entries {
        verification.discrepancies.push(format!(
            "the books say that there are {last_entry} entries, but {} were found",
            verification.entries
        ));
    }
    let last_document = last_ids[IdSequence::Document as usize];
    if last_document != sums.records.last {
        let actual = sums.records.last;
        verification
            .discrepancies
            .push(format!("the books say that the last record of a document is {last_document}, but {actual} was found"));
    }
    if head != verification.head {
        verification
            .discrepancies
            .push("the last entry's hash is not the head of the chain that the books keep".into());
    }
    verification.discrepancies.extend(unknown_accounts(cx, &sums.months));
    sums.booked.verify_reversals(&mut verification.discrepancies);
    let walked = documents::verify(
        tx,
        cx,
        last_ids[IdSequence::Invoice as usize],
        &mut verification,
        &mut sums,
    );
    unless_unreadable(walked, "an invoice or a payment", &mut verification)?;
    let walked = purchases::verify(tx, cx, &mut verification, &mut sums);
    unless_unreadable(walked, "an expense or a receipt", &mut verification)?;
    let walked = registers::verify(tx, cx, &mut verification, &sums);
    unless_unreadable(
        walked,
        "a payout, a trip, a payment of VAT, an event or an asset",
        &mut verification,
    )?;
    let walked = opening::verify(tx, cx.actor.account, &mut verification);
    unless_unreadable(walked, "what was open when the books began", &mut verification)?;
    let compared = records::verify(tx, cx.actor.account, &sums.records, &mut verification);
    unless_unreadable(compared, "a kept document", &mut verification)?;
    let compared = totals::verify_months(tx, cx.actor.account, &sums.months, &mut verification);
    unless_unreadable(compared, "the totals of a month", &mut verification)?;
    let compared = totals::verify_vat(tx, cx.actor.account, &sums.vat, &mut verification);
    unless_unreadable(compared, "the totals of a VAT period", &mut verification)?;
    let compared =
        totals::verify_documents(tx, cx.actor.account, &sums.documents, &mut verification);
    unless_unreadable(compared, "the counts of a month", &mut verification)?;
    let compared = totals::verify_sales(tx, cx.actor.account, &sums.sales, &mut verification);
    unless_unreadable(compared, "the totals of sales", &mut verification)?;
    for (period, waiting) in sums.waiting.iter().filter(|(_, waiting)| !waiting.is_zero()) {
        verification
            .discrepancies
            .push(format!("{waiting} of the corrections of {period} is not carried by any return"));
    }
    let compared = totals::verify_filings(tx, cx.actor.account, &sums, &mut verification);
    unless_unreadable(compared, "a filed return", &mut verification)?;
    let compared = bank::verify(tx, cx, &mut verification);
    unless_unreadable(compared, "a bank statement or a bank line", &mut verification)?;
    let compared = batches::verify(tx, cx, &mut verification);
    unless_unreadable(compared, "a batch of payments", &mut verification)?;
    let compared = quotes::verify(tx, cx, &mut verification);
    unless_unreadable(compared, "a quote", &mut verification)?;
    let compared = recurring::verify(tx, cx, &mut verification);
    unless_unreadable(compared, "a recurring invoice", &mut verification)?;
    for (sequence, last, actual) in books::last_of_others(tx, cx.actor.account)? {
        // Rows of these kinds can be deleted, so the row with the last id may be missing.
        let can_go = matches!(
            sequence,
            "receipt"
                | "time entry"
                | "logged hours"
                | "webhook"
                | "webhook delivery"
                | "bank line"
                | "bank mapping"
        );
        if last < actual || (last != actual && !can_go) {
            verification.discrepancies.push(format!(
                "the books say that the last {sequence} is {last}, but {actual} was found"
            ));
        }
    }
    verification.discrepancies.extend(books::gaps(tx, cx.actor.account)?);
    verification.discrepancies.extend(books::missing_references(tx, cx.actor.account)?);
    verification.discrepancies.extend(time::differences(tx, cx.actor.account)?);
    Ok(verification)
}

/// Describes the own accounts whose postings have another class than the account, or for which there
/// is no account.
fn unknown_accounts(cx: &Context, months: &MonthSums) -> Vec<String> {
    let own = &cx.actor.own_accounts;
    let posted: BTreeSet<AccountCode> =
        months.keys().map(|(.., code)| *code).filter(|code| code.is_own()).collect();
    let differs = |code: &AccountCode| own.code_of(*code) != Some(*code);
    let words = |code: AccountCode| {
        if code.is_of_bank() {
            format!("postings on account {code} belong to no bank account")
        } else {
            format!("postings on account {code} have another class than that account of the owner")
        }
    };
    posted.into_iter().filter(differs).map(words).collect()
}

/// Turns an unreadable value into a discrepancy, so that the verification continues; passes other
/// storage failures on.
fn unless_unreadable(
    done: Result<(), Error>,
    what: &str,
    verification: &mut Verification,
) -> Result<(), Error> {
    match done {
        Err(Error::Store(StoreError::Unreadable(why))) => {
            verification.discrepancies.push(format!("{what} cannot be read: {why}"));
            Ok(())
        }
        other => other,
    }
}

fn walk_journal(
    tx: &mut Tx<'_>,
    account: i64,
    verification: &mut Verification,
    sums: &mut Recomputed,
    progress: &dyn Fn(i64),
) -> Result<(), Error> {
    let mut after = i64::MIN;
    let mut records = records::Walk::default();
    loop {
        let chunk = journal::after(tx, account, after, CHUNK)?;
        let Some(last) = chunk.last() else { break };
        after = last.id;
        for raw in chunk {
            let id = raw.id;
            records.up_to(tx, account, id, verification, &mut sums.records)?;
            sums.postings += i64::try_from(raw.postings.len()).unwrap_or(0);
            if id < 1 {
                verification
                    .discrepancies
                    .push(format!("entry {id}: the first entry of the books has id 1"));
                continue;
            }
            verification.entries += 1;
            if id != verification.entries {
                verification
                    .discrepancies
                    .push(format!("entry {} is missing before entry {id}", verification.entries));
                verification.entries = id;
            }
            match check_entry(&raw, account, &verification.head) {
                Ok(entry) => count_entry(id, &entry, sums),
                Err(what) => verification.discrepancies.push(format!("entry {id}: {what}")),
            }
            // The chain continues from the stored hash, so that one change is reported once and not
            // for every later entry.
            verification.head = raw.hash.clone().unwrap_or(verification.head);
        }
        progress(verification.entries);
    }
    records.up_to(tx, account, i64::MAX, verification, &mut sums.records)?;
    let stored = journal::count_postings(tx, account)?;
    if stored != sums.postings {
        let (strays, matched) = (stored - sums.postings, sums.postings);
        verification
            .discrepancies
            .push(format!("{strays} postings belong to no entry; {matched} do"));
    }
    Ok(())
}

/// Rebuilds an entry from its rows and compares its hash.
fn check_entry(raw: &RawEntry, account: i64, previous: &Hash) -> Result<JournalEntry, String> {
    let mut postings = Vec::with_capacity(raw.postings.len());
    for (place, posting) in (1_i64..).zip(&raw.postings) {
        let (line, posting) = posting.clone()?;
        if line != place {
            return Err(format!("line {place} of its postings is missing or was renumbered"));
        }
        postings.push(posting);
    }
    let entry =
        JournalEntry::restore(raw.head.clone()?, postings).map_err(|error| error.to_string())?;
    let hash = chain::entry_hash(
        previous,
        account,
        raw.id,
        &entry,
        raw.created_at.clone()?.as_microsecond(),
    );
    if hash == raw.hash.clone()? {
        Ok(entry)
    } else {
        Err("its hash does not match: it was changed after it was booked".into())
    }
}

fn count_entry(id: i64, entry: &JournalEntry, sums: &mut Recomputed) {
    let date = entry.date();
    for posting in entry.postings() {
        let add = |sum: &mut (Cents, Cents)| {
            sum.0 += posting.debited();
            sum.1 += posting.credited();
        };
        add(sums.months.entry((date.year(), date.month(), posting.account())).or_default());
        if let Some(vat_box) = posting.vat_box() {
            add(sums
                .vat
                .entry((Month::of(entry.vat_date()), posting.account(), vat_box))
                .or_default());
        }
    }
    let on = |account: AccountCode| -> Cents {
        let its = entry.postings().iter().filter(|posting| posting.account() == account);
        its.map(|posting| posting.debited() - posting.credited()).sum()
    };
    let source = entry.source();
    if source.kind == SourceType::VatFiling {
        match entry.reverses() {
            None => {
                sums.settled.insert(id, (source.id, -on(codes::VAT_SETTLEMENT)));
                sums.settlements.insert(id, (source.id, -on(codes::VAT_SETTLEMENT)));
            }
            Some(settled) => drop(sums.settled.remove(&settled)),
        }
    }
    sums.booked.add(id, entry);
    sums.receipts.extend(&entry.description().receipts);
    if let Some(period) = entry.corrects_period() {
        *sums.waiting.entry(period).or_default() += on(codes::VAT_CORRECTIONS);
    }
    sums.documents.entry(Month::of(date)).or_default().entries += 1;
}
