//! Verification of open items: compares each item of the opening balance with its invoice or
//! expense, and checks that each such document has an item.

use super::Verification;
use crate::Error;
use ledger::money::Cents;
use std::collections::BTreeSet;
use store::{
    Tx, events, expenses, invoices,
    invoices::Status,
    journal,
    opening_items::{self as rows, OpenItem, OpenItemKind},
};

pub(super) fn verify(
    tx: &mut Tx<'_>,
    account: i64,
    verification: &mut Verification,
) -> Result<(), Error> {
    let mut listed: BTreeSet<(&'static str, i64)> = BTreeSet::new();
    for item in rows::all(tx, account)? {
        listed.insert((item.kind.as_str(), item.document_id));
        if let Some(what) = difference(tx, account, &item)? {
            let (number, kind) = (&item.number, item.kind.as_str());
            verification
                .discrepancies
                .push(format!("the {kind} {number} that was open when the books began: {what}"));
        }
    }
    for (kind, document) in rows::documents(tx, account)? {
        if !listed.contains(&(kind.as_str(), document)) {
            let kind = kind.as_str();
            verification.discrepancies.push(format!(
                "{kind} {document} was open when the books began, but no opening balance lists it"
            ));
        }
    }
    Ok(())
}

/// Describes the first discrepancy of an item, if it has one.
fn difference(
    tx: &mut Tx<'_>,
    account: i64,
    item: &OpenItem,
) -> Result<Option<&'static str>, Error> {
    let Some(opening) =
        events::by_id(tx, account, ledger::entry::SourceType::OpeningBalance, item.event_id)?
    else {
        return Ok(Some("its opening balance is gone"));
    };
    let (is_opening_item, is_closed, number, due_date, supply_date, amount, entries) = match item
        .kind
    {
        OpenItemKind::Receivable => {
            let Some(invoice) = invoices::by_id(tx, account, item.document_id)? else {
                return Ok(Some("its invoice is gone"));
            };
            let source =
                ledger::entry::Source { kind: ledger::entry::SourceType::Invoice, id: invoice.id };
            let entries = journal::ids_by_source(tx, account, source)?;
            let is_closed = invoice.status == Status::Cancelled;
            (
                invoice.is_opening_item(),
                is_closed,
                invoice.number,
                invoice.due_date,
                invoice.supply_date,
                invoice.total,
                entries,
            )
        }
        OpenItemKind::Payable => {
            let Some(bill) = expenses::by_id(tx, account, item.document_id)? else {
                return Ok(Some("its expense is gone"));
            };
            (
                bill.is_opening_item(),
                bill.undone_at.is_some(),
                bill.description.unwrap_or_default(),
                item.due_date,
                None,
                bill.total,
                vec![bill.entry_id],
            )
        }
    };
    let booked = match entries.first() {
        Some(first) => journal::by_id(tx, account, *first)?,
        None => None,
    };
    let booked =
        booked.map(|stored| (stored.entry.date(), stored.entry.description().number.clone()));
    Ok(if !is_opening_item {
        Some("its document is not an opening item")
    } else if is_closed != opening.undone_at.is_some() {
        Some("it was not undone together with its opening balance")
    } else if number != item.number || due_date != item.due_date {
        Some("its number or due date differs from the document's")
    } else if supply_date != item.supply_date {
        Some("its date of supply differs from the document's")
    } else if !has_consistent_total(item, amount) {
        Some("its total is below the open amount, or its VAT does not add up to its total")
    } else if booked != Some((opening.date, Some(number))) {
        Some("it is not booked with its number on the day of its opening balance")
    } else {
        None
    })
}

/// Whether the total of an item covers the open `amount`, and its VAT, if known, adds up to the
/// total.
fn has_consistent_total(item: &OpenItem, amount: Cents) -> bool {
    let total = item.total.unwrap_or(amount);
    let lines = item.vat_lines();
    let sum: Cents = lines.iter().map(|line| line.base + line.amount).sum();
    let is_bare = item.total.is_none() && lines.is_empty();
    (item.kind == OpenItemKind::Receivable || is_bare)
        && total >= amount
        && lines.len() == item.vat.lines().count()
        && (lines.is_empty() || sum == total)
}
