//! Comparison of expenses and receipts with the journal.

use super::{
    CHUNK, Recomputed, Verification,
    booked::{Detail, Document, Entries, Entry, posted},
};
use crate::{Context, Error, expenses};
use ledger::{
    booking,
    chart::codes,
    description::{Description, DescriptionKind, ReceiptHash},
    entry::SourceType,
    money::Cents,
    purchase::BusinessShare,
};
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, BTreeSet};
use store::{
    Tx,
    expenses::{self as rows, Expense, ExpensePayment},
    receipts,
};

/// Hashes of the receipts currently linked, by expense.
type Links = BTreeMap<i64, BTreeSet<ReceiptHash>>;

pub(super) fn verify(
    tx: &mut Tx<'_>,
    cx: &Context,
    verification: &mut Verification,
    sums: &mut Recomputed,
) -> Result<(), Error> {
    let mut links = Links::new();
    for (expense, hash) in receipts::links(tx, cx.actor.account)? {
        links.entry(expense).or_default().insert(hash);
    }
    let (mut after, mut existing, mut assets) = (i64::MIN, BTreeSet::new(), BTreeMap::new());
    loop {
        let chunk = rows::after(tx, cx.actor.account, after, CHUNK)?;
        let Some(last) = chunk.last() else { break };
        after = last.id;
        for expense in chunk {
            existing.insert(expense.id);
            assets.extend(expense.asset_id.map(|asset| (expense.id, asset)));
            check_expense(tx, cx, &expense, verification, sums)?;
            check_links(&expense, links.get(&expense.id), verification, sums);
        }
    }
    sums.assets = assets;
    for (id, _) in sums.booked.ids(SourceType::Expense).filter(|(id, _)| !existing.contains(id)) {
        verification.discrepancies.push(format!("expense {id} is booked, but its row is missing"));
    }
    check_receipts(tx, cx, verification, sums)
}

/// Whether an entry books the purchase itself, rather than its payment or a repayment of its VAT.
fn is_purchase(entry: &Entry) -> bool {
    matches!(entry.kind, DescriptionKind::Expense | DescriptionKind::OpeningBalance)
}

fn check_expense(
    tx: &mut Tx<'_>,
    cx: &Context,
    expense: &Expense,
    verification: &mut Verification,
    sums: &Recomputed,
) -> Result<(), Error> {
    let id = expense.id;
    let entries = sums.booked.of(expenses::source(id));
    let label = format!("expense {id}");
    let mut report = |what: String| verification.discrepancies.push(format!("{label}: {what}"));
    let mut booked = None;
    match expenses::price_again(tx, cx.actor.account, expense) {
        Ok(priced) => {
            if expense.is_opening_item() && expense.business_share != BusinessShare::WHOLE {
                report("it is an opening item, but partly private".into());
            }
            let computed = (priced.net, priced.vat, priced.deductible, priced.total);
            if computed != (expense.net, expense.vat, expense.deductible, expense.total) {
                report("its totals differ from those of its lines".into());
            }
            booked = Some(if expense.is_opening_item() {
                booking::opening_payable(expenses::source(id), "", "", expense.date, expense.total)
            } else {
                expenses::entry(expense, &priced, &[])
            });
        }
        Err(Error::Internal(what)) => report(what),
        Err(other) => return Err(other),
    }
    let payments = rows::payments(tx, cx.actor.account, id)?;
    let paid: Cents = payments
        .iter()
        .filter(|payment| payment.undone_at.is_none())
        .map(|payment| payment.amount)
        .sum();
    if paid != expense.amount_paid {
        report(format!(
            "it records that {} was paid, but its payments add up to {paid}",
            expense.amount_paid
        ));
    }
    let expected = (expense.amount_due(), expense.vat_repaid);
    let actual = (-entries.on(codes::PAYABLES), entries.on(codes::VAT_NOT_DEDUCTIBLE));
    if actual != expected {
        let ((payable, repaid), (booked, booked_repaid)) = (expected, actual);
        report(format!(
            "{payable} is to be paid and {repaid} of VAT was paid back, but {booked} and {booked_repaid} are booked"
        ));
    }
    check_payments(&label, &payments, entries, verification);
    if let Some(booked) = booked {
        let document = Document {
            name: &label,
            sums: &[posted([&booked])],
            detail: Detail::Full,
            undone: expense.undone_at.is_some(),
            // An open item of the opening balance is booked on the date of that balance.
            date: Some(expense.date).filter(|_| !expense.is_opening_item()),
            entry_id: Some(expense.entry_id),
        };
        document.compare(
            entries.iter().filter(|entry| is_purchase(entry)),
            &mut verification.discrepancies,
        );
    }
    Ok(())
}

/// Checks that each payment of a bill is booked by the entry that it names, and that each entry
/// that books a payment belongs to a stored payment.
fn check_payments(
    label: &str,
    payments: &[ExpensePayment],
    entries: &Entries,
    verification: &mut Verification,
) {
    let taken_back = entries.taken_back();
    let mut named = BTreeSet::new();
    for (place, payment) in (1_i64..).zip(payments) {
        let mut report = |what: &str| {
            verification.discrepancies.push(format!("{label}: its payment {} {what}", payment.id))
        };
        if payment.id != place {
            report("is out of sequence: an earlier one is missing");
        }
        if !named.insert(payment.entry_id) {
            report("names the entry of another payment");
        }
        let is_it =
            |entry: &&Entry| entry.is_original() && entry.kind == DescriptionKind::ExpensePayment;
        let Some(entry) = entries.by_id(payment.entry_id).filter(is_it) else {
            report("names an entry that does not book it");
            continue;
        };
        let recovered = [(codes::INPUT_VAT_HIGH, payment.vat_recovered)];
        let about = Description::of(DescriptionKind::Expense);
        let source = expenses::source(payment.expense_id);
        let expected = booking::expense_payment(
            source,
            about,
            payment.date,
            payment.amount,
            payment.method,
            &recovered,
        );
        if Detail::OwnDay.of([entry]) != Detail::OwnDay.fold(&posted([&expected])) {
            report("differs from its entry in amount or method");
        }
        if entry.date != payment.date {
            report("differs from its entry in date");
        }
        if taken_back.contains(&entry.id) != payment.undone_at.is_some() {
            report("does not agree with the journal on whether it was undone");
        }
    }
    // When a return is reopened, its corrections are booked again and the payment names the new
    // entry. So does a payment that deducted repaid VAT again, once that VAT is not deductible. The
    // reversed entries of both therefore need no payment.
    let is_current = |entry: &&Entry| {
        let is_replaced =
            entry.corrects().is_some() || !entry.on(codes::VAT_NOT_DEDUCTIBLE).is_zero();
        !is_replaced || !taken_back.contains(&entry.id)
    };
    let booked = entries
        .iter()
        .filter(|entry| entry.is_original() && entry.kind == DescriptionKind::ExpensePayment);
    for entry in booked.filter(is_current).filter(|entry| !named.contains(&entry.id)) {
        verification
            .discrepancies
            .push(format!("{label}: entry {} books a payment whose row is missing", entry.id));
    }
}

/// Checks that an expense has the receipts that its entry names. Once the return has been filed,
/// receipts can change without a new entry.
fn check_links(
    expense: &Expense,
    links: Option<&BTreeSet<ReceiptHash>>,
    verification: &mut Verification,
    sums: &Recomputed,
) {
    let entries = sums.booked.of(expenses::source(expense.id));
    let Some(entry) = entries.iter().rfind(|entry| entry.is_original() && is_purchase(entry))
    else {
        return;
    };
    let booked: BTreeSet<ReceiptHash> = if expense.undone_at.is_some() {
        BTreeSet::new()
    } else {
        entry.receipts.iter().copied().collect()
    };
    let linked = links.cloned().unwrap_or_default();
    let may_differ = expense.undone_at.is_none() && sums.was_filed(entry.vat_date);
    if linked != booked && !may_differ {
        verification.discrepancies.push(format!(
            "expense {}: its receipts are not those that it was booked from",
            expense.id
        ));
    }
}

/// Checks that each file matches its hash, and that each hash in the journal has a file.
fn check_receipts(
    tx: &mut Tx<'_>,
    cx: &Context,
    verification: &mut Verification,
    sums: &Recomputed,
) -> Result<(), Error> {
    let mut kept: BTreeSet<ReceiptHash> = BTreeSet::new();
    for (id, hash, is_booked, same) in
        receipts::check(tx, cx.actor.account, |bytes| Sha256::digest(bytes).into())?
    {
        kept.insert(hash);
        if !same {
            verification
                .discrepancies
                .push(format!("the file of receipt {id} was changed, or is gone"));
        }
        // A receipt that is marked as booked but is not in the journal is no discrepancy: receipts
        // can be added without an entry after filing.
        if !is_booked && sums.receipts.contains(&hash) {
            verification.discrepancies.push(format!("receipt {id} is booked, but can be deleted"));
        }
    }
    let lost = sums.receipts.difference(&kept).count();
    if lost > 0 {
        verification
            .discrepancies
            .push(format!("{lost} receipts that entries were booked from are gone"));
    }
    Ok(())
}
