//! Searching the books: contacts, invoices, projects and entries by what people remember of them.

use crate::{StoreError, Tx, engine::filter::anywhere, params};
use jiff::civil::Date;
use ledger::money::Cents;

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

/// Invoices whose number begins with the text, that are of one of the contacts, or that have the amount as their total; newest first.
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
        let with_total = "SELECT id FROM invoices WHERE account_id = ?1 AND total = ?2";
        let by_total = format!("{columns} AND id IN ({with_total}) ORDER BY id DESC LIMIT ?3");
        found.extend(tx.query(&by_total, &params![account, amount.get(), MOST], read)?);
    }
    found.sort_by_key(|invoice| std::cmp::Reverse(invoice.id));
    found.dedup_by_key(|invoice| invoice.id);
    found.truncate(50);
    Ok(found)
}
