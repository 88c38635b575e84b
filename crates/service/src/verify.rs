//! The proof of the books: everything that is stored beside the entries, recomputed from the entries.

use crate::{Actor, Error, invoices, vat_filings};
use ledger::{
    calendar::Quarter,
    chain::{self, Hash},
    chart::{AccountCode, codes},
    entry::{JournalEntry, Source, SourceType},
    money::Cents,
    summary::MonthTotal,
    vat::VatBox,
    vat_return::{self, Total},
};
use std::collections::BTreeMap;
use store::{
    StoreError, Tx,
    books::{self, Noun, QuarterTotals},
    filings,
    invoices::{self as invoice_rows, Kind},
    journal::{self, RawEntry},
    payments, time,
};

/// Rows that are read at once.
const CHUNK: i64 = 2_000;

/// What the proof found.
#[derive(Debug, Clone, Default)]
pub struct Proof {
    /// Entries that were looked at.
    pub entries: i64,
    /// Invoices and credit notes that were looked at.
    pub invoices: i64,
    /// The hash of the last entry: whoever keeps it elsewhere can later show that nothing before it was changed.
    pub head: Hash,
    /// Each thing that is not as it should be, in words.
    pub discrepancies: Vec<String>,
}

type MonthSums = BTreeMap<(i16, i8, AccountCode, Option<VatBox>), (Cents, Cents)>;
type QuarterSums = BTreeMap<(i16, u8), QuarterTotals>;

/// What the walk through the journal adds up.
#[derive(Default)]
struct Recomputed {
    months: MonthSums,
    quarters: QuarterSums,
    /// What was booked of invoices and credit notes, by document.
    documents: BTreeMap<(SourceType, i64), Booked>,
    /// How often a return was settled, less how often that was reversed, by source id.
    settled: BTreeMap<i64, i64>,
    postings: i64,
}

/// What the entries of an invoice or credit note say of it.
#[derive(Default)]
struct Booked {
    receivable: Cents,
    /// The description of its last booking; the printed number is in it.
    description: Box<str>,
}

/// How many entries an account has, for a progress bar.
///
/// # Errors
/// The storage failed.
pub fn size(tx: &mut Tx<'_>, account: i64) -> Result<i64, Error> {
    Ok(books::heads(tx, account)?.0[Noun::Entry as usize])
}

/// Proves the books of an account. `progress` is told how many entries have been looked at.
///
/// # Errors
/// The storage failed; what is wrong with the books is not an error but a discrepancy.
pub fn prove(tx: &mut Tx<'_>, actor: &Actor, progress: &dyn Fn(i64)) -> Result<Proof, Error> {
    let mut proof = Proof::default();
    let mut sums = Recomputed::default();
    let (last_ids, head) = books::heads(tx, actor.account)?;
    walk_journal(tx, actor.account, &mut proof, &mut sums, progress)?;
    let last_entry = last_ids[Noun::Entry as usize];
    if last_entry != proof.entries {
        proof.discrepancies.push(format!("the books say that there are {last_entry} entries, but {} were found", proof.entries));
    }
    if head != proof.head {
        proof.discrepancies.push("the last entry's hash is not the head of the chain that the books keep".into());
    }
    let walked = walk_invoices(tx, actor, last_ids[Noun::Invoice as usize], &mut proof, &mut sums);
    unless_unreadable(walked, "an invoice", &mut proof)?;
    let compared = compare_months(tx, actor.account, &sums.months, &mut proof);
    unless_unreadable(compared, "the totals of a month", &mut proof)?;
    let compared = compare_quarters(tx, actor.account, &sums.quarters, &mut proof);
    unless_unreadable(compared, "the counts of a quarter", &mut proof)?;
    let compared = compare_filings(tx, actor.account, &sums, &mut proof);
    unless_unreadable(compared, "a filed return", &mut proof)?;
    for (noun, last, found) in books::last_of_others(tx, actor.account)? {
        if last != found {
            proof.discrepancies.push(format!("the books say that the last {noun} is {last}, but {found} was found"));
        }
    }
    proof.discrepancies.extend(time::differences(tx, actor.account)?);
    Ok(proof)
}

/// What cannot be read is a discrepancy, and the proof goes on; other failures of the storage end it.
fn unless_unreadable(done: Result<(), Error>, what: &str, proof: &mut Proof) -> Result<(), Error> {
    match done {
        Err(Error::Store(StoreError::Unreadable(why))) => {
            proof.discrepancies.push(format!("{what} cannot be read: {why}"));
            Ok(())
        }
        other => other,
    }
}

fn walk_journal(
    tx: &mut Tx<'_>,
    account: i64,
    proof: &mut Proof,
    sums: &mut Recomputed,
    progress: &dyn Fn(i64),
) -> Result<(), Error> {
    let mut after = i64::MIN;
    loop {
        let chunk = journal::after(tx, account, after, CHUNK)?;
        let Some(last) = chunk.last() else { break };
        after = last.id;
        for raw in chunk {
            let id = raw.id;
            sums.postings += i64::try_from(raw.postings.len()).unwrap_or(0);
            if id < 1 {
                proof.discrepancies.push(format!("entry {id}: the first entry of the books is 1"));
                continue;
            }
            proof.entries += 1;
            if id != proof.entries {
                proof.discrepancies.push(format!("entry {} is missing before entry {id}", proof.entries));
                proof.entries = id;
            }
            match check_entry(&raw, account, &proof.head) {
                Ok(entry) => count_entry(&entry, sums),
                Err(what) => proof.discrepancies.push(format!("entry {id}: {what}")),
            }
            // The chain goes on from what is stored, so that one change is told once and not for every entry after it.
            proof.head = raw.hash.clone().unwrap_or(proof.head);
        }
        progress(proof.entries);
    }
    let stored = journal::count_postings(tx, account)?;
    if stored != sums.postings {
        let (strays, found) = (stored - sums.postings, sums.postings);
        proof.discrepancies.push(format!("{strays} postings belong to no entry, beside the {found} that do"));
    }
    Ok(())
}

/// Puts an entry together again and compares its hash.
fn check_entry(raw: &RawEntry, account: i64, previous: &Hash) -> Result<JournalEntry, String> {
    let mut postings = Vec::with_capacity(raw.postings.len());
    for (place, posting) in (1_i64..).zip(&raw.postings) {
        let (line, posting) = posting.clone()?;
        if line != place {
            return Err(format!("line {place} of its postings is missing or was renumbered"));
        }
        postings.push(posting);
    }
    let source = Source { kind: raw.source_type.clone()?, id: raw.source_id.clone()? };
    let entry = JournalEntry::restore(raw.date.clone()?, raw.description.clone()?, source, raw.reverses.clone()?, postings)
        .map_err(|error| error.to_string())?;
    let hash = chain::entry_hash(previous, account, raw.id, &entry, raw.created_at.clone()?.as_microsecond());
    if hash == raw.hash.clone()? { Ok(entry) } else { Err("its hash does not fit: it was changed after it was booked".into()) }
}

fn count_entry(entry: &JournalEntry, sums: &mut Recomputed) {
    let date = entry.date();
    for posting in entry.postings() {
        let sum = sums.months.entry((date.year(), date.month(), posting.account(), posting.vat_box())).or_default();
        sum.0 += posting.debited();
        sum.1 += posting.credited();
    }
    let source = entry.source();
    match source.kind {
        SourceType::Invoice | SourceType::CreditNote => {
            let booked = sums.documents.entry((source.kind, source.id)).or_default();
            let receivable = entry.postings().iter().filter(|posting| posting.account() == codes::RECEIVABLES);
            booked.receivable += receivable.map(|posting| posting.debited() - posting.credited()).sum();
            if entry.reverses().is_none() {
                booked.description = entry.description().into();
            }
        }
        SourceType::VatFiling => {
            *sums.settled.entry(source.id).or_default() += if entry.reverses().is_none() { 1 } else { -1 };
        }
        SourceType::Payment | SourceType::Expense | SourceType::Manual => {}
    }
    let quarter = Quarter::of(date);
    sums.quarters.entry((quarter.year(), quarter.number())).or_default().entries += 1;
}

fn walk_invoices(tx: &mut Tx<'_>, actor: &Actor, last_id: i64, proof: &mut Proof, sums: &mut Recomputed) -> Result<(), Error> {
    let mut after = i64::MIN;
    let mut numbers: BTreeMap<i16, i64> = BTreeMap::new();
    let mut credited: BTreeMap<i64, Cents> = BTreeMap::new();
    let mut said: BTreeMap<i64, Cents> = BTreeMap::new();
    loop {
        let chunk = invoice_rows::after(tx, actor.account, after, CHUNK)?;
        let Some(last) = chunk.last() else { break };
        after = last.id;
        for invoice in chunk {
            proof.invoices += 1;
            let number = numbers.entry(invoice.number_year).or_default();
            *number += 1;
            if *number != invoice.number_in_year {
                let (wanted, found) = (*number, invoice.number_in_year);
                proof
                    .discrepancies
                    .push(format!("invoice {} has number {found} of {}, but {wanted} was next", invoice.id, invoice.number_year));
                *number = found;
            }
            let quarter = Quarter::of(invoice.invoice_date);
            let counted = invoices::counted(&invoice);
            let sum = sums.quarters.entry((quarter.year(), quarter.number())).or_default();
            sum.invoices += counted.invoices;
            sum.drafts += counted.drafts;
            sum.draft_vat += counted.draft_vat;
            sum.paid += counted.paid;
            sum.outstanding += counted.outstanding;
            check_invoice(tx, actor, &invoice, sums, proof)?;
            if let Some(of) = invoice.credited_invoice_id {
                *credited.entry(of).or_default() -= invoice.total;
            }
            if !invoice.amount_credited.is_zero() {
                said.insert(invoice.id, invoice.amount_credited);
            }
        }
    }
    // A credit note of nothing takes nothing back.
    credited.retain(|_, amount| !amount.is_zero());
    if credited != said {
        proof.discrepancies.push("what invoices say was credited differs from their credit notes".into());
    }
    let stored: BTreeMap<i16, i64> = invoice_rows::series(tx, actor.account)?.into_iter().collect();
    if stored != numbers {
        for year in stored.keys().chain(numbers.keys().filter(|year| !stored.contains_key(year))) {
            let (kept, found) = (stored.get(year).copied().unwrap_or(0), numbers.get(year).copied().unwrap_or(0));
            if kept != found {
                proof.discrepancies.push(format!("the number series of {year} stands at {kept}, its invoices at {found}"));
            }
        }
    }
    if last_id != proof.invoices {
        proof.discrepancies.push(format!("the books say that there are {last_id} invoices, but {} were found", proof.invoices));
    }
    Ok(())
}

fn check_invoice(
    tx: &mut Tx<'_>,
    actor: &Actor,
    invoice: &invoice_rows::Invoice,
    sums: &Recomputed,
    proof: &mut Proof,
) -> Result<(), Error> {
    let number = &invoice.number;
    let kind = if invoice.kind == Kind::Invoice { SourceType::Invoice } else { SourceType::CreditNote };
    let none = Booked::default();
    let Booked { receivable: booked, description } = sums.documents.get(&(kind, invoice.id)).unwrap_or(&none);
    if !tells(description, number) {
        proof.discrepancies.push(format!("invoice {} is printed as {number}, but booked as {description:?}", invoice.id));
    }
    if *booked != invoice.total {
        proof.discrepancies.push(format!("invoice {number} totals {}, but {booked} is booked", invoice.total));
    }
    match invoices::read(tx, actor, invoice.id) {
        Ok(view) => {
            let subtotal: Cents = view.groups.iter().map(|group| group.base).sum();
            let vat: Cents = view.groups.iter().map(|group| group.amount).sum();
            if (subtotal, vat, subtotal + vat) != (invoice.subtotal, invoice.vat_total, invoice.total) {
                proof.discrepancies.push(format!("invoice {number} totals {}, but its lines {}", invoice.total, subtotal + vat));
            }
            if view.lines.iter().map(|(_, amount)| *amount).sum::<Cents>() != subtotal {
                proof.discrepancies.push(format!("the amounts of invoice {number}'s lines differ from what its lines say"));
            }
        }
        Err(Error::Store(error)) if !matches!(error, StoreError::Unreadable(_)) => return Err(Error::Store(error)),
        Err(other) => proof.discrepancies.push(format!("invoice {number}: {other}")),
    }
    if !invoice.amount_paid.is_zero() {
        let paid: Cents = payments::by_invoice(tx, actor.account, invoice.id)?.iter().map(|payment| payment.amount).sum();
        if paid != invoice.amount_paid {
            proof.discrepancies.push(format!("invoice {number} says that {} was paid, its payments {paid}", invoice.amount_paid));
        }
    }
    Ok(())
}

/// Whether an entry's description holds a printed number, whole.
fn tells(description: &str, number: &str) -> bool {
    !number.is_empty()
        && description.match_indices(number).any(|(at, _)| {
            let (before, after) = (&description[..at], &description[at + number.len()..]);
            before.ends_with(' ') && (after.is_empty() || after.starts_with([',', ' ']))
        })
}

fn compare_months(tx: &mut Tx<'_>, account: i64, recomputed: &MonthSums, proof: &mut Proof) -> Result<(), Error> {
    let stored: MonthSums = journal::month_totals(tx, account, i16::MAX)?
        .into_iter()
        .map(|MonthTotal { year, month, total }| ((year, month, total.account, total.vat_box), (total.debit, total.credit)))
        .collect();
    for key in stored.keys().chain(recomputed.keys().filter(|key| !stored.contains_key(key))) {
        let none = (Cents::ZERO, Cents::ZERO);
        let (kept, found) = (stored.get(key).copied().unwrap_or(none), recomputed.get(key).copied().unwrap_or(none));
        if kept != found {
            let (year, month, account, vat_box) = key;
            let of_box = vat_box.map_or(String::new(), |vat_box| format!(" in box {}", vat_box.as_str()));
            proof.discrepancies.push(format!(
                "the totals of {year}-{month:02} on account {account}{of_box} are kept as {}/{}, the entries say {}/{}",
                kept.0, kept.1, found.0, found.1
            ));
        }
    }
    Ok(())
}

/// Which sums of a quarter are kept otherwise than they are recomputed.
fn differences(kept: &QuarterTotals, found: &QuarterTotals) -> Vec<String> {
    let sums = |totals: &QuarterTotals| {
        [
            ("the entries", totals.entries.to_string()),
            ("the invoices", totals.invoices.to_string()),
            ("the drafts", totals.drafts.to_string()),
            ("the VAT on drafts", totals.draft_vat.to_string()),
            ("the paid invoices", totals.paid.to_string()),
            ("the outstanding amount", totals.outstanding.to_string()),
        ]
    };
    let both = sums(kept).into_iter().zip(sums(found));
    let differ = both.filter(|((_, kept), (_, found))| kept != found);
    differ.map(|((name, kept), (_, found))| format!("{name} are kept as {kept}, recomputed {found}")).collect()
}

fn compare_quarters(tx: &mut Tx<'_>, account: i64, recomputed: &QuarterSums, proof: &mut Proof) -> Result<(), Error> {
    let mut stored = QuarterSums::new();
    for (year, quarter, sums) in books::all_quarter_totals(tx, account)? {
        stored.insert((year, quarter), sums);
    }
    for key in stored.keys().chain(recomputed.keys().filter(|key| !stored.contains_key(key))) {
        let (kept, found) = (stored.get(key).copied().unwrap_or_default(), recomputed.get(key).copied().unwrap_or_default());
        if kept != found {
            proof.discrepancies.push(format!("of quarter {} of {}, {}", key.1, key.0, differences(&kept, &found).join(", ")));
        }
    }
    Ok(())
}

/// A filed period takes no bookings, so its return must still be what was filed; and the journal settles what is filed, nothing else.
fn compare_filings(tx: &mut Tx<'_>, account: i64, recomputed: &Recomputed, proof: &mut Proof) -> Result<(), Error> {
    let all = filings::filed(tx, account)?;
    let filed: BTreeMap<i64, i64> = all.iter().map(|filing| (vat_filings::source(filing.quarter).id, 1)).collect();
    for source in filed.keys().chain(recomputed.settled.keys().filter(|source| !filed.contains_key(source))) {
        let found = recomputed.settled.get(source).copied().unwrap_or_default();
        if found != filed.get(source).copied().unwrap_or_default() {
            let (what, is) = (format!("{} quarter {}", source / 10, source % 10), filed.contains_key(source));
            let is = if is { "is filed" } else { "is not filed" };
            proof.discrepancies.push(format!("the return of {what} {is}, but the journal has {found} settlements of it"));
        }
    }
    for filing in all {
        let quarter = filing.quarter;
        let months = quarter.months();
        let totals =
            recomputed.months.iter().filter(|((year, month, _, _), _)| *year == quarter.year() && months.contains(month)).map(
                |((_, _, account, vat_box), (debit, credit))| Total {
                    account: *account,
                    vat_box: *vat_box,
                    debit: *debit,
                    credit: *credit,
                },
            );
        let now = vat_return::vat_return(totals);
        let boxes = filings::boxes(tx, account, quarter)?;
        let same = boxes.len() == now.lines.len()
            && boxes.iter().zip(&now.lines).all(|(filed, line)| {
                (filed.vat_box.as_str(), filed.turnover, filed.vat, filed.declared_turnover, filed.declared_vat)
                    == (line.vat_box, line.turnover, line.vat, line.declared_turnover, line.declared_vat)
            });
        if !same || now.payable != filing.payable || now.declared_payable != filing.declared_payable {
            let what = vat_filings::name(quarter);
            proof
                .discrepancies
                .push(format!("the return of {what} was filed with {}, the entries say {}", filing.payable, now.payable));
        }
    }
    Ok(())
}
