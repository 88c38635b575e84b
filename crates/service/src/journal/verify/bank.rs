//! Bank statements and their lines against their seals and against each other.

use super::{CHUNK, Verification};
use crate::{Context, Error};
use std::collections::BTreeSet;
use store::{Tx, bank_lines, bank_statements};

/// Verifies uploads and lines.
pub(super) fn verify(
    tx: &mut Tx<'_>,
    cx: &Context,
    verification: &mut Verification,
) -> Result<(), Error> {
    let account = cx.actor.account;
    let banks = cx.actor.own_accounts.banks();
    let mut say = |what: String| verification.discrepancies.push(what);
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
