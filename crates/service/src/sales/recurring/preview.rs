//! Dry runs of recurring invoices.

use super::{
    EditRecurring, NewRecurring, RecurringDetails, create, edit, make::new_invoice, stored,
};
use crate::{
    Context, Created, Error, context,
    invoices::{self, InvoiceDetails},
};
use store::{Tx, contacts};

/// Recurring invoice as it would be.
#[derive(Debug, Clone)]
pub struct RecurringPreview {
    /// The recurring invoice. Its id and times are not those that it would get.
    pub details: RecurringDetails,
    /// Whether the command would create a contact.
    pub has_new_contact: bool,
    /// Invoice of its first occurrence if it were made today, which has the warnings. `None` if such
    /// an invoice would be refused.
    pub invoice: Option<InvoiceDetails>,
}

/// Creates a recurring invoice in a transaction that the caller rolls back, or returns the existing
/// one with the same external id.
///
/// # Errors
/// Those of [`create`](fn@create).
pub fn preview(
    tx: &mut Tx<'_>,
    cx: &Context,
    command: &NewRecurring,
) -> Result<Created<RecurringPreview>, Error> {
    let details = match create(tx, cx, command)? {
        Created::New(details) => details,
        Created::Existing(details) => {
            let preview = RecurringPreview { details, has_new_contact: false, invoice: None };
            return Ok(Created::Existing(preview));
        }
    };
    let recurring = &details.recurring;
    let contact = contacts::by_id(tx, cx.actor.account, recurring.contact_id)?;
    let has_new_contact = contact.is_some_and(|contact| contact.created_at == recurring.updated_at);
    let invoice = first_invoice(tx, cx, recurring.id)?;
    Ok(Created::New(RecurringPreview { details, has_new_contact, invoice }))
}

/// Edits a recurring invoice in a transaction that the caller rolls back. Returns the invoice of the
/// next occurrence if it were made today, unless it would be refused.
///
/// # Errors
/// Those of [`edit`](fn@edit).
pub fn preview_edit(
    tx: &mut Tx<'_>,
    cx: &Context,
    id: i64,
    command: &EditRecurring,
) -> Result<Option<InvoiceDetails>, Error> {
    edit(tx, cx, id, command, &|_| true)?;
    first_invoice(tx, cx, id)
}

fn first_invoice(tx: &mut Tx<'_>, cx: &Context, id: i64) -> Result<Option<InvoiceDetails>, Error> {
    let new = context::transact(tx, cx, |tx, books, cx| {
        let recurring = stored(tx, cx, id)?;
        new_invoice(tx, books, cx, &recurring, recurring.priced_on)
    })?;
    match invoices::create(tx, cx, &new) {
        Ok(made) => Ok(Some(made.into_inner())),
        Err(Error::Store(error)) => Err(error.into()),
        // The invoices have dates and periods of their own.
        Err(_) => Ok(None),
    }
}
