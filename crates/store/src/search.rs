//! Searching the books: contacts, invoices, projects and entries by what people remember of them.

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

/// Most rows of one kind.
pub const MOST: i64 = 20;

/// An invoice or credit note that was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundInvoice {
    /// Its id.
    pub id: i64,
    /// Its number as it is printed.
    pub number: String,
    /// The customer's name on it.
    pub customer_name: String,
    /// Its date.
    pub invoice_date: Date,
    /// Including VAT, in euros; below nothing for a credit note.
    pub total: Cents,
}

/// A row with a name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Named {
    /// Its id.
    pub id: i64,
    /// Its name.
    pub name: String,
}

/// What an event comes to: a repayment with its interest.
const AMOUNT: &str = "ABS(amount + CASE WHEN kind = 'loanRepayment' THEN COALESCE(other_amount, 0) ELSE 0 END) =";

/// An event, or an entry by hand, that was found.
#[derive(Debug, Clone)]
pub struct FoundEvent {
    /// What is stored of it.
    pub event: StoredEvent,
    /// What it comes to: of an entry by hand the sum of its debits, of a repayment principal and interest.
    pub amount: Cents,
    /// The first of its entries; an opening balance of nothing but open items has none.
    pub entry_id: Option<i64>,
}

/// Contacts whose name or e-mail address has the text in it, by name.
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

/// Projects whose name has the text in it.
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

/// Invoices whose number begins with the text, that are of one of the contacts, or that have the amount as their total, due or to be
/// refunded; newest first.
///
/// Each question is asked by itself, so that each is answered from its own index.
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
    let columns = "SELECT id, number, customer_name, invoice_date, total FROM invoices WHERE account_id = ?1";
    let read = |row: &crate::row::Row<'_>| {
        Ok(FoundInvoice {
            id: row.int(0)?,
            number: row.text(1)?,
            customer_name: row.text(2)?,
            invoice_date: row.date(3)?,
            total: Cents::new(row.int(4)?),
        })
    };
    // Every text that begins so lies between these two.
    let last = format!("{text}\u{10ffff}");
    let by_number = format!("{columns} AND number >= ?2 AND number < ?3 AND number_in_year >= 0 ORDER BY number DESC LIMIT ?4");
    let mut found = tx.query(&by_number, &params![account, text, last.as_str(), MOST], read)?;
    for contact in contacts {
        let by_contact = format!("{columns} AND contact_id = ?2 ORDER BY id DESC LIMIT ?3");
        found.extend(tx.query(&by_contact, &params![account, *contact, MOST], read)?);
    }
    if let Some(amount) = amount {
        // A credit note has its total with a minus, which nobody types.
        let with_total = "SELECT id FROM invoices WHERE account_id = ?1 AND total IN (?2, ?3)";
        let by_total = format!("{columns} AND id IN ({with_total}) ORDER BY id DESC LIMIT ?4");
        let (amount, opposite) = (amount.get(), (-amount).get());
        found.extend(tx.query(&by_total, &params![account, amount, opposite, MOST], read)?);
    }
    found.sort_by_key(|invoice| std::cmp::Reverse(invoice.id));
    found.dedup_by_key(|invoice| invoice.id);
    found.truncate(50);
    Ok(found)
}

/// Events and entries by hand whose description has the text in it, or that have the amount, taken off or put in; newest first.
///
/// # Errors
/// The storage failed.
pub fn events(tx: &mut Tx<'_>, account: i64, text: &str, amount: Option<Cents>) -> Result<Vec<FoundEvent>, StoreError> {
    let mut wanted = Filter::of(account);
    let of_amount = amount.map(|amount| (AMOUNT, Param::Int(amount.abs().get())));
    wanted.holds(&["LOWER(COALESCE(description, ''))"], text, of_amount);
    let most = wanted.bind(MOST);
    let sql = format!(
        "SELECT {}, amount, (SELECT MIN(e.id) FROM entries e WHERE e.account_id = ?1 AND e.source_type = events.kind AND e.source_id = events.id)
         FROM events WHERE {wanted} ORDER BY id DESC LIMIT {most}",
        StoredEvent::COLUMNS
    );
    tx.query(&sql, wanted.values(), |row| {
        let (event, stored, entry_id): (StoredEvent, _, _) = record::read(row)?;
        let amount = match event.event {
            Event::LoanRepayment { principal, interest, .. } => principal + interest,
            _ => stored,
        };
        Ok(FoundEvent { event, amount, entry_id })
    })
}
