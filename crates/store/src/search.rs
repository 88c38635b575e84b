//! Search in the books: contacts, invoices, projects and events, by part of their text or by
//! amount.

use crate::{
    StoreError, Tx,
    engine::{
        filter::{Filter, anywhere},
        record::{self, Record},
    },
    events::StoredEvent,
    param::Param,
    params,
};
use jiff::civil::Date;
use ledger::{event::Event, money::Cents};

/// Maximum number of rows per query.
pub const MOST: i64 = 20;

/// An invoice or credit note in the results.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundInvoice {
    /// Id.
    pub id: i64,
    /// Printed number.
    pub number: String,
    /// Customer name on the document.
    pub customer_name: String,
    /// Invoice date.
    pub invoice_date: Date,
    /// Total including VAT, in euro cents; negative for a credit note.
    pub total: Cents,
}

/// A contact or project in the results.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Named {
    /// Id.
    pub id: i64,
    /// Name.
    pub name: String,
}

/// Left-hand side of an SQL condition: the amount of an event without its sign, followed by `=`.
/// The amount of a repayment includes the interest.
const AMOUNT: &str =
    "ABS(amount + CASE WHEN kind = 'loanRepayment' THEN COALESCE(other_amount, 0) ELSE 0 END) =";

/// An event, or a manual entry, in the results.
#[derive(Debug, Clone)]
pub struct FoundEvent {
    /// The stored event.
    pub event: StoredEvent,
    /// Amount: the sum of the debits of a manual entry, or principal plus interest of a repayment.
    pub amount: Cents,
    /// Id of the event's first entry; an opening balance with only open items has none.
    pub entry_id: Option<i64>,
}

/// Contacts whose name or email address contains the text, by name.
///
/// # Errors
/// The storage failed.
pub fn contacts(tx: &mut Tx<'_>, account: i64, text: &str) -> Result<Vec<Named>, StoreError> {
    tx.query(
        "SELECT id, name FROM contacts WHERE account_id = ?1 AND folded LIKE ?2 ESCAPE '\\' ORDER BY name, id LIMIT ?3",
        &params![account, anywhere(text), MOST],
        |row| Ok(Named { id: row.int(0)?, name: row.text(1)? }),
    )
}

/// Projects whose name contains the text, by name.
///
/// # Errors
/// The storage failed.
pub fn projects(tx: &mut Tx<'_>, account: i64, text: &str) -> Result<Vec<Named>, StoreError> {
    tx.query(
        "SELECT id, name FROM projects WHERE account_id = ?1 AND LOWER(name) LIKE ?2 ESCAPE '\\' ORDER BY name, id LIMIT ?3",
        &params![account, anywhere(text), MOST],
        |row| Ok(Named { id: row.int(0)?, name: row.text(1)? }),
    )
}

/// Invoices and credit notes, newest first, that satisfy one of three conditions: the number starts
/// with the text, the document belongs to one of the given contacts, or the total equals the amount
/// regardless of sign.
///
/// Each condition is a separate query, so that each uses its own index.
///
/// # Errors
/// The storage failed.
pub fn invoices(
    tx: &mut Tx<'_>,
    account: i64,
    text: &str,
    contacts: &[i64],
    amount: Option<Cents>,
) -> Result<Vec<FoundInvoice>, StoreError> {
    let columns =
        "SELECT id, number, customer_name, invoice_date, total FROM invoices WHERE account_id = ?1";
    let read = |row: &crate::row::Row<'_>| {
        Ok(FoundInvoice {
            id: row.int(0)?,
            number: row.text(1)?,
            customer_name: row.text(2)?,
            invoice_date: row.date(3)?,
            total: Cents::new(row.int(4)?),
        })
    };
    // Every number with this prefix sorts between the prefix and this bound.
    let last = format!("{text}\u{10ffff}");
    let by_number = format!(
        "{columns} AND number >= ?2 AND number < ?3 AND number_in_year >= 0 ORDER BY number DESC LIMIT ?4"
    );
    let mut invoices = tx.query(&by_number, &params![account, text, last.as_str(), MOST], read)?;
    for contact in contacts {
        let by_contact = format!("{columns} AND contact_id = ?2 ORDER BY id DESC LIMIT ?3");
        invoices.extend(tx.query(&by_contact, &params![account, *contact, MOST], read)?);
    }
    if let Some(amount) = amount {
        // The total of a credit note is negative; users type the amount without a sign.
        let with_total = "SELECT id FROM invoices WHERE account_id = ?1 AND total IN (?2, ?3)";
        let by_total = format!("{columns} AND id IN ({with_total}) ORDER BY id DESC LIMIT ?4");
        let (amount, opposite) = (amount.get(), (-amount).get());
        invoices.extend(tx.query(&by_total, &params![account, amount, opposite, MOST], read)?);
    }
    invoices.sort_by_key(|invoice| std::cmp::Reverse(invoice.id));
    invoices.dedup_by_key(|invoice| invoice.id);
    invoices.truncate(50);
    Ok(invoices)
}

/// Events and manual entries, newest first, whose description contains the text or whose amount
/// equals the given one regardless of sign.
///
/// # Errors
/// The storage failed.
pub fn events(
    tx: &mut Tx<'_>,
    account: i64,
    text: &str,
    amount: Option<Cents>,
) -> Result<Vec<FoundEvent>, StoreError> {
    let mut filter = Filter::of(account);
    let of_amount = amount.map(|amount| (AMOUNT, Param::Int(amount.abs().get())));
    filter.holds(&["LOWER(COALESCE(description, ''))"], text, of_amount);
    let most = filter.bind(MOST);
    let sql = format!(
        "SELECT {}, amount, (SELECT MIN(e.id) FROM entries e WHERE e.account_id = ?1 AND e.source_type = events.kind AND e.source_id = events.id)
         FROM events WHERE {filter} ORDER BY id DESC LIMIT {most}",
        StoredEvent::COLUMNS
    );
    tx.query(&sql, filter.values(), |row| {
        let (event, stored, entry_id): (StoredEvent, _, _) = record::read(row)?;
        let amount = match event.event {
            Event::LoanRepayment { principal, interest, .. } => principal + interest,
            _ => stored,
        };
        Ok(FoundEvent { event, amount, entry_id })
    })
}
