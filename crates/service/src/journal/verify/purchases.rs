//! Expenses and receipts against what the journal says of them.

use super::{CHUNK, Recomputed, Verification};
use crate::{Context, Error, expenses};
use ledger::{description::ReceiptHash, money::Cents};
use sha2::{Digest, Sha256};
use std::collections::BTreeSet;
use store::{
    Tx,
    expenses::{self as rows, Expense},
    receipts,
};

/// What the entries of an expense say of it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Bill {
    /// What is still to be paid.
    pub(super) payable: Cents,
    /// Deducted VAT that was paid back.
    pub(super) vat_repaid: Cents,
}

pub(super) fn verify(tx: &mut Tx<'_>, cx: &Context, verification: &mut Verification, sums: &Recomputed) -> Result<(), Error> {
    let mut after = i64::MIN;
    let mut known = BTreeSet::new();
    loop {
        let chunk = rows::after(tx, cx.actor.account, after, CHUNK)?;
        let Some(last) = chunk.last() else { break };
        after = last.id;
        for expense in chunk {
            known.insert(expense.id);
            check_expense(tx, cx, &expense, verification, sums)?;
        }
    }
    for id in sums.expenses.keys().filter(|id| !known.contains(id)) {
        verification.discrepancies.push(format!("expense {id} is booked, but it is not there"));
    }
    check_receipts(tx, cx, verification, sums)
}

fn check_expense(
    tx: &mut Tx<'_>,
    cx: &Context,
    expense: &Expense,
    verification: &mut Verification,
    sums: &Recomputed,
) -> Result<(), Error> {
    let id = expense.id;
    let mut report = |what: String| verification.discrepancies.push(format!("expense {id}: {what}"));
    match expenses::price_again(tx, cx.actor.account, expense) {
        Ok(priced) => {
            let computed = (priced.net, priced.vat, priced.deductible, priced.total);
            if computed != (expense.net, expense.vat, expense.deductible, expense.total) {
                report("its sums are not those of its lines".into());
            }
        }
        Err(Error::Internal(what)) => report(what),
        Err(other) => return Err(other),
    }
    let payments = rows::payments(tx, cx.actor.account, id)?;
    let paid: Cents = payments.iter().filter(|payment| payment.undone_at.is_none()).map(|payment| payment.amount).sum();
    if paid != expense.amount_paid {
        report(format!("it says that {} was paid, its payments {paid}", expense.amount_paid));
    }
    let wanted = Bill { payable: expense.amount_due(), vat_repaid: expense.vat_repaid };
    match sums.expenses.get(&id) {
        None => report("it is not booked".into()),
        Some(booked) if *booked != wanted => report(format!(
            "{} is to be paid and {} of VAT was paid back, but {} and {} is booked",
            wanted.payable, wanted.vat_repaid, booked.payable, booked.vat_repaid
        )),
        Some(_) => {}
    }
    Ok(())
}

/// Each file has its hash, and each hash in the journal a file.
fn check_receipts(tx: &mut Tx<'_>, cx: &Context, verification: &mut Verification, sums: &Recomputed) -> Result<(), Error> {
    let mut kept: BTreeSet<ReceiptHash> = BTreeSet::new();
    for (id, hash, same) in receipts::check(tx, cx.actor.account, |bytes| Sha256::digest(bytes).into())? {
        kept.insert(hash);
        if !same {
            verification.discrepancies.push(format!("the file of receipt {id} was changed, or is gone"));
        }
    }
    let lost = sums.receipts.difference(&kept).count();
    if lost > 0 {
        verification.discrepancies.push(format!("{lost} receipts that entries were booked from are gone"));
    }
    Ok(())
}
