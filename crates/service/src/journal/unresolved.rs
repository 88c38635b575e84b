//! Amounts in the books that wait for the owner: those without an explanation, on suspense (1640), and
//! those owed to customers (1630).

use crate::{Context, Error, entries};
use jiff::civil::Date;
use ledger::{
    chart::{AccountCode, codes},
    money::Cents,
};
use std::collections::BTreeMap;
use store::{
    Tx, bank_allocations,
    bank_lines::{self, BankLine},
    bank_suggestions::{self, OpenInvoice},
    journal::StoredEntry,
    ledger_cards::{self, EntryOnAccount},
    payments,
};

/// Maximum number of entries on suspense that are compared.
const MOST_ENTRIES: i64 = 500;
/// Maximum number of items in a list.
const MOST: usize = 200;

/// Amounts that wait for the owner.
#[derive(Debug, Clone, Default)]
pub struct Unresolved {
    /// Amounts without an explanation, oldest first.
    pub unexplained: Vec<Unexplained>,
    /// Invoices of which money is owed to the customer.
    pub refunds: Vec<ToRefund>,
}

/// Amount on suspense.
#[derive(Debug, Clone)]
pub struct Unexplained {
    /// Entry that booked it.
    pub entry: StoredEntry,
    /// Amount; negative if money went out.
    pub amount: Cents,
    /// Bank line of the entry.
    pub line: Option<BankLine>,
}

/// Invoice of which money is owed to the customer.
#[derive(Debug, Clone)]
pub struct ToRefund {
    /// Invoice.
    pub invoice: OpenInvoice,
    /// Bank line of its last payment.
    pub line: Option<BankLine>,
}

impl ToRefund {
    /// Returns the amount owed.
    #[must_use]
    pub fn amount(&self) -> Cents {
        -self.invoice.due
    }
}

impl Unresolved {
    /// Whether nothing waits.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.unexplained.is_empty() && self.refunds.is_empty()
    }
}

/// Reads the amounts that wait for the owner.
///
/// # Errors
/// The storage failed.
pub fn read(tx: &mut Tx<'_>, cx: &Context) -> Result<Unresolved, Error> {
    let account = cx.actor.account;
    let mut open = on_suspense(tx, cx)?;
    open.truncate(MOST);
    let ids: Vec<i64> = open.iter().map(|of| of.entry_id).collect();
    let mut lines = lines_of(tx, account, &ids)?;
    let mut unexplained = Vec::with_capacity(open.len());
    for EntryOnAccount { entry_id, amount, .. } in open {
        let entry = entries::read(tx, cx, entry_id)?;
        unexplained.push(Unexplained { entry, amount, line: lines.remove(&entry_id) });
    }
    let mut refunds = Vec::new();
    if !owed_to_customers(tx, cx)?.is_zero() {
        let most = i64::try_from(MOST).unwrap_or(i64::MAX);
        for invoice in bank_suggestions::refunds(tx, account, most)? {
            let line = line_of_payment(tx, account, invoice.id)?;
            refunds.push(ToRefund { invoice, line });
        }
    }
    Ok(Unresolved { unexplained, refunds })
}

/// Returns the number and total of the amounts on suspense, of entries up to a day.
///
/// # Errors
/// The storage failed.
pub fn total_unexplained(
    tx: &mut Tx<'_>,
    cx: &Context,
    until: Option<Date>,
) -> Result<(usize, Cents), Error> {
    let mut open = on_suspense(tx, cx)?;
    open.retain(|of| until.is_none_or(|until| of.date <= until));
    Ok((open.len(), open.iter().map(|of| of.amount).sum()))
}

/// Returns the amount owed to customers.
///
/// # Errors
/// The storage failed.
pub fn owed_to_customers(tx: &mut Tx<'_>, cx: &Context) -> Result<Cents, Error> {
    Ok(-balance(tx, cx, codes::OWED_TO_CUSTOMERS)?)
}

fn balance(tx: &mut Tx<'_>, cx: &Context, code: AccountCode) -> Result<Cents, Error> {
    Ok(ledger_cards::balance(tx, cx.actor.account, code)?)
}

/// Entries on suspense that no later entry offsets, oldest first; none if the account is balanced.
fn on_suspense(tx: &mut Tx<'_>, cx: &Context) -> Result<Vec<EntryOnAccount>, Error> {
    if balance(tx, cx, codes::SUSPENSE)?.is_zero() {
        return Ok(Vec::new());
    }
    let mut entries = ledger_cards::in_force(tx, cx.actor.account, codes::SUSPENSE, MOST_ENTRIES)?;
    entries.reverse();
    Ok(not_offset(entries))
}

/// Entries in order without those that an opposite amount offsets; an entry offsets the oldest one.
fn not_offset(entries: Vec<EntryOnAccount>) -> Vec<EntryOnAccount> {
    let mut open: Vec<EntryOnAccount> = Vec::with_capacity(entries.len());
    for entry in entries {
        match open.iter().position(|earlier| earlier.amount == -entry.amount) {
            Some(place) => drop(open.remove(place)),
            None => open.push(entry),
        }
    }
    open
}

/// First line of each of these entries.
fn lines_of(
    tx: &mut Tx<'_>,
    account: i64,
    entries: &[i64],
) -> Result<BTreeMap<i64, BankLine>, Error> {
    let links = bank_allocations::lines_of_entries(tx, account, entries)?;
    let ids: Vec<i64> = links.iter().map(|link| link.line_id).collect();
    let lines = bank_lines::by_ids(tx, account, &ids)?;
    let lines: BTreeMap<i64, BankLine> = lines.into_iter().map(|line| (line.id, line)).collect();
    let mut of_entries = BTreeMap::new();
    for link in links {
        if let Some(line) = lines.get(&link.line_id) {
            of_entries.entry(link.entry_id).or_insert_with(|| line.clone());
        }
    }
    Ok(of_entries)
}

/// Line of the last payment of an invoice that a line booked.
fn line_of_payment(tx: &mut Tx<'_>, account: i64, invoice: i64) -> Result<Option<BankLine>, Error> {
    let payments = payments::by_invoice(tx, account, invoice)?.into_iter();
    let received = payments.filter(|of| of.undone_at.is_none() && of.amount > Cents::ZERO);
    let entries: Vec<i64> = received.map(|of| of.entry_id).collect();
    Ok(lines_of(tx, account, &entries)?.into_values().max_by_key(|line| (line.date, line.id)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::civil::date;

    #[test]
    fn an_opposite_amount_offsets_the_oldest_entry() {
        let entry = |entry_id: i64, cents: i64| EntryOnAccount {
            entry_id,
            date: date(2026, 3, 1),
            amount: Cents::new(cents),
        };
        let cases = [
            (vec![entry(1, 100)], vec![1]),
            (vec![entry(1, 100), entry(2, -100)], vec![]),
            (vec![entry(1, 100), entry(2, 100), entry(3, -100)], vec![2]),
            (vec![entry(1, 100), entry(2, -60)], vec![1, 2]),
            (vec![entry(1, -50), entry(2, 100), entry(3, 50)], vec![2]),
        ];
        for (entries, expected) in cases {
            let open: Vec<i64> = not_offset(entries).iter().map(|of| of.entry_id).collect();
            assert_eq!(open, expected);
        }
    }
}
