//! Batches of payments against their checksums, and against what bank lines paid.

use super::{CHUNK, Verification};
use crate::{
    Context, Error,
    payment_batches::{self, Counted},
};
use ledger::{money::Cents, payment_batch::BatchStatus};
use std::collections::BTreeSet;
use store::{Tx, payment_batches as rows};

/// Verifies batches of payments.
pub(super) fn verify(
    tx: &mut Tx<'_>,
    cx: &Context,
    verification: &mut Verification,
) -> Result<(), Error> {
    let mut say = |what: String| verification.discrepancies.push(what);
    let (mut after, mut bills) = (0, BTreeSet::new());
    loop {
        let batches = rows::check(tx, cx.actor.account, after, CHUNK)?;
        let Some((last, _)) = batches.last() else { break };
        after = last.id;
        for (batch, is_intact) in &batches {
            if !is_intact {
                say(format!("payment batch {} was changed outside the program", batch.id));
            }
            let sum: Cents = batch.items.iter().map(|item| item.amount).sum();
            if sum != batch.total {
                say(format!("payment batch {} of {} has items of {sum}", batch.id, batch.total));
            }
            if batch.status != BatchStatus::Cancelled {
                bills.extend(batch.items.iter().map(|item| item.expense_id));
            }
            if cx.actor.own_accounts.banks().by_id(batch.bank_account_id).is_none() {
                say(format!("payment batch {} belongs to no bank account", batch.id));
            }
        }
    }
    for bill in bills {
        for Counted { before, after } in payment_batches::counted(tx, cx, bill)? {
            if before != after {
                let id = before.id;
                say(format!(
                    "payment batch {id} is unlike the bank lines that paid expense {bill}"
                ));
            }
        }
    }
    Ok(())
}
