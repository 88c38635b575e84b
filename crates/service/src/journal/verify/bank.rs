//! Bank statements and their lines against their checksums and against each other.

use super::{CHUNK, Verification};
use crate::{Context, Error};
use ledger::{
    bank_line::{AllocationKind, LineState},
    chart::codes,
    event::{Event, TransferHalf},
    money::Cents,
};
use std::collections::{BTreeMap, BTreeSet};
use store::{Tx, bank_allocations, bank_lines, bank_statements, events};

/// Verifies uploads and lines.
// Long: the checks of each line in order.
pub(super) fn verify(
    tx: &mut Tx<'_>,
    cx: &Context,
    verification: &mut Verification,
) -> Result<(), Error> {
    let account = cx.actor.account;
    let banks = cx.actor.own_accounts.banks();
    let mut say = |what: String| verification.discrepancies.push(what);
    let mut moved = BTreeMap::new();
    for bank in banks.all() {
        moved.extend(bank_allocations::moved_by_line(tx, account, (bank.id, bank.code))?);
    }
    let (allocations, links) = bank_allocations::check(tx, account)?;
    let mut expected = BTreeSet::new();
    let mut allocated: BTreeMap<i64, Cents> = BTreeMap::new();
    let mut transfers: BTreeMap<i64, Option<i64>> = BTreeMap::new();
    for (allocation, is_intact) in allocations {
        if !is_intact {
            say(format!(
                "an allocation of bank line {} was changed outside the program",
                allocation.line_id
            ));
        }
        if allocation.kind == AllocationKind::Transfer {
            transfers.extend(allocation.target_id.map(|id| (id, allocation.parent_id)));
        }
        *allocated.entry(allocation.line_id).or_default() += allocation.amount;
        expected.extend(allocation.entry_ids.iter().map(|entry| (*entry, allocation.line_id)));
    }
    verify_transfers(tx, cx, &transfers, &mut say)?;
    let links: BTreeSet<(i64, i64)> = links.into_iter().collect();
    for (entry, line) in expected.symmetric_difference(&links) {
        say(format!("entry {entry} and bank line {line} are linked on one side only"));
    }
    let (mut after, mut linked) = (0, BTreeSet::new());
    while let Some((statement, is_intact)) = bank_statements::check(tx, account, after)? {
        after = statement.id;
        if !is_intact {
            say(format!(
                "bank statement {after} was changed after it was taken: its row, its file, its balances or its lines"
            ));
        }
        linked.extend(bank_lines::of_statement(tx, account, after)?);
    }
    let mut after = 0;
    loop {
        let lines = bank_lines::check(tx, account, after, CHUNK)?;
        let Some((last, _)) = lines.last() else { break };
        after = last.id;
        for (line, is_intact) in &lines {
            if !is_intact {
                say(format!("bank line {} was changed outside the program", line.id));
            }
            let is_booked = line.state == LineState::Booked;
            let (sum, posted) = (allocated.remove(&line.id), moved.remove(&line.id));
            if is_booked != sum.is_some() || sum.is_some_and(|sum| sum != line.amount.abs()) {
                say(format!(
                    "bank line {} is {}, unlike its allocations",
                    line.id,
                    line.state.as_str()
                ));
            }
            if is_booked && posted != Some(line.amount) {
                let posted = posted.unwrap_or_default();
                say(format!("bank line {} of {} is booked as {posted}", line.id, line.amount));
            }
            if !linked.remove(&line.id) {
                say(format!("bank line {} belongs to no bank statement", line.id));
            }
            if banks.by_id(line.bank_account_id).is_none() {
                say(format!("bank line {} belongs to no bank account", line.id));
            }
        }
    }
    for line in linked {
        say(format!("bank line {line} is gone, but a bank statement contains it"));
    }
    Ok(())
}

/// Verifies that the money in transit is that of the transfers with an awaited half, and that a line
/// booked the other half of each. `booked` has the transfers of lines, with their other bank accounts.
fn verify_transfers(
    tx: &mut Tx<'_>,
    cx: &Context,
    booked: &BTreeMap<i64, Option<i64>>,
    say: &mut impl FnMut(String),
) -> Result<(), Error> {
    let account = cx.actor.account;
    let mut in_transit = bank_allocations::in_transit(tx, account, codes::MONEY_IN_TRANSIT)?;
    for transfer in events::awaited(tx, account)? {
        let id = transfer.id;
        let (expected, awaited) = match transfer.event {
            Event::Transfer { from, amount, awaited: Some(TransferHalf::Departure), .. } => {
                (-amount, Some(from.code()))
            }
            Event::Transfer { to, amount, .. } => (amount, Some(to.code())),
            _ => (Cents::ZERO, None),
        };
        let found = in_transit.remove(&id).unwrap_or_default();
        if found != expected {
            say(format!("transfer {id} awaits {expected}, but {found} is in transit"));
        }
        let bank = booked.get(&id).copied().flatten();
        let bank = bank.and_then(|bank| cx.actor.own_accounts.banks().by_id(bank));
        if bank.map(|bank| bank.code) != awaited {
            say(format!("the bank line of transfer {id} does not await its other half"));
        }
    }
    for (id, amount) in in_transit {
        say(format!("transfer {id} awaits nothing, but {amount} is in transit"));
    }
    Ok(())
}
