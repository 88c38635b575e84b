//! Bank accounts of the books. They are settings of the account, like the owner's ledger accounts:
//! the code that calls the rules knows them without another query.

use crate::{
    StoreError, Tx,
    change_kinds::{Event, ResourceKind},
    params,
    row::Row,
};
use jiff::Timestamp;
use ledger::{
    bank_account::{BankAccount, BankAccountKind, BankAccounts},
    chart::AccountCode,
    identifiers::Iban,
};

/// Columns that [`read`] expects. The query must alias the table `accounts` as `a`.
pub(crate) const COLUMNS: &str = "a.bank_accounts, a.iban, a.created_at";

/// Reads [`COLUMNS`].
pub(crate) fn read(row: &Row<'_>, column: usize) -> Result<BankAccounts, StoreError> {
    let iban = row.opt_text(column + 1)?.and_then(|iban| Iban::parse(&iban).ok());
    let created_at = row.time(column + 2)?;
    let accounts = row.parsed(column, |text| match text {
        "" => Some(BankAccounts::first(created_at)),
        lines => lines.lines().map(parse).collect::<Option<Vec<_>>>().and_then(BankAccounts::new),
    })?;
    Ok(match accounts.default_of(BankAccountKind::Checking) {
        Some(checking) => accounts.with(BankAccount { iban, ..checking.clone() }),
        None => accounts,
    })
}

fn parse(line: &str) -> Option<BankAccount> {
    let words: Vec<&str> = line.split('\t').collect();
    let [id, code, default, status, created, updated, iban, identifiers, external_id, name] =
        words[..]
    else {
        return None;
    };
    let non_empty = |text: &str| (!text.is_empty()).then(|| text.to_owned());
    let moment = |text: &str| Timestamp::from_microsecond(text.parse().ok()?).ok();
    Some(BankAccount {
        id: id.parse().ok()?,
        external_id: non_empty(external_id),
        code: AccountCode::of_bank(AccountCode::digits(code)?)?,
        name: non_empty(name),
        iban: non_empty(iban).map(|iban| Iban::parse(&iban)).transpose().ok()?,
        identifiers: identifiers.split(' ').filter_map(non_empty).collect(),
        is_default: flag(default, "default", "-")?,
        is_archived: flag(status, "archived", "active")?,
        created_at: moment(created)?,
        updated_at: moment(updated)?,
    })
}

fn flag(word: &str, yes: &str, no: &str) -> Option<bool> {
    (word == yes || word == no).then_some(word == yes)
}

fn line(of: &BankAccount) -> String {
    let has_own_place = of.is_default && of.kind() == BankAccountKind::Checking;
    let iban = of.iban.as_ref().filter(|_| !has_own_place);
    let text = |text: &Option<String>| text.clone().unwrap_or_default();
    [
        of.id.to_string(),
        of.code.to_string(),
        if of.is_default { "default" } else { "-" }.to_owned(),
        if of.is_archived { "archived" } else { "active" }.to_owned(),
        of.created_at.as_microsecond().to_string(),
        of.updated_at.as_microsecond().to_string(),
        iban.map(ToString::to_string).unwrap_or_default(),
        of.identifiers.join(" "),
        text(&of.external_id),
        text(&of.name),
    ]
    .join("\t")
}

/// Replaces the bank accounts `before` of an account, and records the changes in the feed. Names
/// and external ids have no tabs and line breaks, identifiers no blanks.
pub fn put(
    tx: &mut Tx<'_>,
    account: i64,
    before: &BankAccounts,
    accounts: &BankAccounts,
) -> Result<(), StoreError> {
    for of in accounts.all() {
        match before.by_id(of.id) {
            None => tx.record(ResourceKind::BankAccount, of.id, Event::Created),
            Some(old) if old != of => tx.record(ResourceKind::BankAccount, of.id, Event::Updated),
            Some(_) => {}
        }
    }
    let lines: Vec<String> = accounts.all().iter().map(line).collect();
    let iban =
        accounts.default_of(BankAccountKind::Checking).and_then(|account| account.iban.as_ref());
    tx.execute(
        "UPDATE accounts SET bank_accounts = ?2, iban = ?3 WHERE id = ?1",
        &params![account, lines.join("\n"), iban.map(ToString::to_string)],
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_read_as_it_was_written() {
        let first =
            BankAccounts::first(Timestamp::from_microsecond(1_764_000_000_000_001).unwrap());
        let whole = BankAccount {
            id: 6,
            external_id: Some("asn 2".to_owned()),
            code: first.free_code(BankAccountKind::Savings).unwrap(),
            name: Some("Reserve, tax".to_owned()),
            iban: Iban::parse("NL91ABNA0417164300").ok(),
            identifiers: vec!["417164300".to_owned(), "NL-1".to_owned()],
            is_default: false,
            is_archived: true,
            ..first.all()[0].clone()
        };
        for account in first.all().iter().chain([&whole]) {
            assert_eq!(parse(&line(account)).as_ref(), Some(account));
        }
        for broken in ["", "1", "1\t1100\tdefault\tactive\t0\t0\t\t\t"] {
            assert_eq!(parse(broken), None, "{broken}");
        }
    }
}
