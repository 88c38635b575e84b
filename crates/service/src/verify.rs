//! The proof of the books: everything that is stored beside the entries, recomputed from the entries.

use crate::{Actor, Error, invoices, numbering, vat_filings};
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
    Tx,
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
    /// What the entries of invoices and credit notes put on receivables, by document.
    receivable: BTreeMap<(SourceType, i64), Cents>,
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
    walk_invoices(tx, actor, last_ids[Noun::Invoice as usize], &mut proof, &mut sums)?;
    compare_months(tx, actor.account, &sums.months, &mut proof)?;
    compare_quarters(tx, actor.account, &sums.quarters, &mut proof)?;
    compare_filings(tx, actor.account, &sums.months, &mut proof)?;
    proof.discrepancies.extend(time::differences(tx, actor.account)?);
    Ok(proof)
}

fn walk_journal(
    tx: &mut Tx<'_>,
    account: i64,
    proof: &mut Proof,
    sums: &mut Recomputed,
    progress: &dyn Fn(i64),
) -> Result<(), Error> {
    let mut after = 0;
    loop {
        let chunk = journal::after(tx, account, after, CHUNK)?;
        let Some(last) = chunk.last() else { return Ok(()) };
        after = last.id;
        for raw in chunk {
            let id = raw.id;
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
        if posting.account() == codes::RECEIVABLES {
            let source = entry.source();
            *sums.receivable.entry((source.kind, source.id)).or_default() += posting.debited() - posting.credited();
        }
    }
    let quarter = Quarter::of(date);
    sums.quarters.entry((quarter.year(), quarter.number())).or_default().entries += 1;
}

fn walk_invoices(tx: &mut Tx<'_>, actor: &Actor, last_id: i64, proof: &mut Proof, sums: &mut Recomputed) -> Result<(), Error> {
    let mut after = 0;
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
            let printed = numbering::format(&actor.number_pattern, invoice.number_year, invoice.number_in_year);
            if printed.as_deref() != Ok(invoice.number.as_str()) && !invoice.number.contains(&invoice.number_in_year.to_string())
            {
                proof.discrepancies.push(format!("invoice {} is printed as {}", invoice.id, invoice.number));
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
        proof.discrepancies.push(format!("the number series stand at {stored:?}, the invoices at {numbers:?}"));
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
    let booked = sums.receivable.get(&(kind, invoice.id)).copied().unwrap_or_default();
    if booked != invoice.total {
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
        Err(Error::Store(error)) => return Err(Error::Store(error)),
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

fn compare_quarters(tx: &mut Tx<'_>, account: i64, recomputed: &QuarterSums, proof: &mut Proof) -> Result<(), Error> {
    let mut stored = QuarterSums::new();
    for (year, quarter, sums) in books::all_quarter_totals(tx, account)? {
        stored.insert((year, quarter), sums);
    }
    for key in stored.keys().chain(recomputed.keys().filter(|key| !stored.contains_key(key))) {
        let (kept, found) = (stored.get(key).copied().unwrap_or_default(), recomputed.get(key).copied().unwrap_or_default());
        if kept != found {
            proof
                .discrepancies
                .push(format!("the counts of {} quarter {} are kept as {kept:?}, recomputed {found:?}", key.0, key.1));
        }
    }
    Ok(())
}

/// A filed period takes no bookings, so its return must still be what was filed.
fn compare_filings(tx: &mut Tx<'_>, account: i64, recomputed: &MonthSums, proof: &mut Proof) -> Result<(), Error> {
    for filing in filings::filed(tx, account)? {
        let quarter = filing.quarter;
        let months = quarter.months();
        let totals = recomputed.iter().filter(|((year, month, _, _), _)| *year == quarter.year() && months.contains(month)).map(
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
