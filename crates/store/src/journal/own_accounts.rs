//! Ledger accounts that the owner added. They are settings of the account, like the units of VAT
//! periods: the code that calls the rules knows them without another query.

use super::bank_accounts;
use crate::{StoreError, Tx, params, row::Row};
use ledger::own_account::{self, OwnAccount, OwnAccounts};

/// Reads the column `own_accounts` of an account, followed by [`bank_accounts::COLUMNS`].
pub(crate) fn read(row: &Row<'_>, column: usize) -> Result<OwnAccounts, StoreError> {
    let own = row.parsed(column, |text| {
        text.lines().map(parse).collect::<Option<Vec<_>>>().map(OwnAccounts::new)
    })?;
    Ok(own.with_banks(bank_accounts::read(row, column + 1)?))
}

/// Parses a line, such as `4105 WBedKanOka deductible shown Postage`.
fn parse(line: &str) -> Option<OwnAccount> {
    let mut words = line.splitn(5, ' ');
    let number = words.next()?.parse().ok()?;
    let rgs = words.next()?;
    let deductible = flag(words.next()?, "deductible", "excluded")?;
    let hidden = !flag(words.next()?, "shown", "hidden")?;
    let code = own_account::code(number, rgs, deductible)?;
    Some(OwnAccount { code, name: words.next()?.to_owned(), rgs: rgs.to_owned(), hidden })
}

fn flag(word: &str, yes: &str, no: &str) -> Option<bool> {
    (word == yes || word == no).then_some(word == yes)
}

/// Replaces the own accounts of an account. Names have no line breaks.
pub fn put(tx: &mut Tx<'_>, account: i64, accounts: &OwnAccounts) -> Result<(), StoreError> {
    let line = |of: &OwnAccount| {
        let deductible = if of.code.allows_deduction() { "deductible" } else { "excluded" };
        let shown = if of.hidden { "hidden" } else { "shown" };
        format!("{} {} {deductible} {shown} {}", of.code, of.rgs, of.name)
    };
    let lines: Vec<String> = accounts.all().iter().map(line).collect();
    tx.execute(
        "UPDATE accounts SET own_accounts = ?2 WHERE id = ?1",
        &params![account, lines.join("\n")],
    )
}
