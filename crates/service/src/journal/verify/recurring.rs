//! Recurring invoices against their checksums, their lines, their occurrences and their invoices.

use super::{CHUNK, Verification};
use crate::{Context, Error};
use ledger::{invoice, schedule::OccurrenceStatus};
use store::{
    Tx,
    recurring::{self as rows, Recurring},
};

/// Verifies recurring invoices.
pub(super) fn verify(
    tx: &mut Tx<'_>,
    cx: &Context,
    verification: &mut Verification,
) -> Result<(), Error> {
    let account = cx.actor.account;
    let mut after = 0;
    loop {
        let all = rows::check(tx, account, after, CHUNK)?;
        let Some((last, _)) = all.last() else { break };
        after = last.id;
        for (recurring, is_intact) in &all {
            let id = recurring.id;
            if !is_intact {
                let what = format!("recurring invoice {id} was changed outside the program");
                verification.discrepancies.push(what);
            }
            if !adds_up(recurring) {
                let what =
                    format!("recurring invoice {id} of {} is unlike its lines", recurring.total);
                verification.discrepancies.push(what);
            }
            verify_occurrences(tx, account, recurring, verification)?;
        }
    }
    for id in rows::strays(tx, account)? {
        let what = format!("invoice {id} names an occurrence of no recurring invoice");
        verification.discrepancies.push(what);
    }
    Ok(())
}

/// Verifies that each passed occurrence is stored, and that each one that was made has one invoice,
/// which names it.
fn verify_occurrences(
    tx: &mut Tx<'_>,
    account: i64,
    recurring: &Recurring,
    verification: &mut Verification,
) -> Result<(), Error> {
    let id = recurring.id;
    let mut say = |what: String| verification.discrepancies.push(what);
    let occurrences = rows::check_occurrences(tx, account, id)?;
    for (occurrence, is_intact) in &occurrences {
        let number = occurrence.number;
        if !is_intact {
            say(format!(
                "occurrence {number} of recurring invoice {id} was changed outside the program"
            ));
        }
        if (occurrence.status == OccurrenceStatus::Made) != occurrence.invoice_id.is_some() {
            say(format!("occurrence {number} of recurring invoice {id} is unlike its invoice"));
        }
    }
    let passed = occurrences.iter().map(|(occurrence, _)| occurrence.number);
    let passed: Vec<i64> = passed.filter(|number| *number < recurring.next_number).collect();
    if !passed.iter().copied().eq(1..recurring.next_number) {
        say(format!("occurrences of recurring invoice {id} are missing"));
    }
    let made: Vec<_> = occurrences
        .iter()
        .filter_map(|(occurrence, _)| {
            Some((occurrence.invoice_id?, Some(occurrence.number), Some(occurrence.date)))
        })
        .collect();
    if made != rows::invoices_naming(tx, account, id)? {
        say(format!("the invoices of recurring invoice {id} do not name its occurrences"));
    }
    Ok(())
}

/// Whether the amounts of a recurring invoice follow from its lines.
fn adds_up(recurring: &Recurring) -> bool {
    let lines: Vec<_> = recurring.content.lines.iter().map(|(line, _)| line.clone()).collect();
    let amounts = recurring.content.lines.iter().map(|(_, amount)| amount);
    let discount = recurring.particulars.discount;
    let priced = invoice::price_less(discount, &lines, recurring.priced_on, recurring.prices());
    priced.is_ok_and(|priced| {
        let sums = (priced.subtotal, priced.vat_total, priced.total);
        sums == (recurring.subtotal, recurring.vat_total, recurring.total)
            && amounts.eq(priced.line_amounts.iter())
    })
}
