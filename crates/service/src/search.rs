//! Search in the books by name, number or amount.

use crate::{Context, Error};
use ledger::money::Cents;
use store::{
    Tx,
    expense_table::{self, Column, TableFilter},
    expenses::Expense,
    journal::{self, StoredEntry},
    search::{self as rows, FoundEvent, FoundInvoice, Named},
};

/// Search results.
#[derive(Debug, Clone, Default)]
pub struct Found {
    /// Contacts, by name.
    pub contacts: Vec<Named>,
    /// Invoices and credit notes, newest first.
    pub invoices: Vec<FoundInvoice>,
    /// Expenses, newest first.
    pub expenses: Vec<Expense>,
    /// Projects, by name.
    pub projects: Vec<Named>,
    /// Events and manual entries, newest first.
    pub events: Vec<FoundEvent>,
    /// Journal entry whose number equals the search text.
    pub entry: Option<StoredEntry>,
}

impl Found {
    /// Whether nothing was found.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.contacts.is_empty()
            && self.invoices.is_empty()
            && self.expenses.is_empty()
            && self.projects.is_empty()
            && self.events.is_empty()
            && self.entry.is_none()
    }
}

/// Searches for a text. `amount` is the text parsed as an amount in euros, if it is one.
///
/// # Errors
/// The storage failed.
pub fn find(
    tx: &mut Tx<'_>,
    cx: &Context,
    text: &str,
    amount: Option<Cents>,
) -> Result<Found, Error> {
    if text.is_empty() {
        return Ok(Found::default());
    }
    let contacts = rows::contacts(tx, cx.actor.account, text)?;
    let ids: Vec<i64> = contacts.iter().map(|contact| contact.id).collect();
    let entry = match text.trim_start_matches('#').parse() {
        Ok(id) => journal::by_id(tx, cx.actor.account, id)?,
        Err(_) => None,
    };
    let bought = TableFilter { text: Some(text.to_owned()), amount, ..TableFilter::default() };
    Ok(Found {
        expenses: expense_table::rows(
            tx,
            cx.actor.account,
            &bought,
            (Column::Date, true),
            (0, rows::MOST),
        )?,
        invoices: rows::invoices(tx, cx.actor.account, text, &ids, amount)?,
        projects: rows::projects(tx, cx.actor.account, text)?,
        events: rows::events(tx, cx.actor.account, text, amount)?,
        contacts,
        entry,
    })
}
