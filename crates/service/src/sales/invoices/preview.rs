//! Dry runs: what creating or editing an invoice would give. The caller rolls the transaction back
//! ([`crate::context::rehearse`]).

use super::{EditInvoice, InvoiceDetails, NewInvoice, create, edit};
use crate::{Context, Created, Error};
use jiff::Timestamp;
use store::{
    Tx, contacts,
    journal::{self, StoredEntry},
};

/// Invoice as it would be.
#[derive(Debug, Clone)]
pub struct InvoicePreview {
    /// The invoice. Its id, number and times are not those that it would get.
    pub details: InvoiceDetails,
    /// Whether its contact would be created with it, so that the id of the contact is unknown.
    pub has_new_contact: bool,
    /// Entries that would be booked, in order.
    pub entries: Vec<StoredEntry>,
}

/// Creates an invoice in a transaction that the caller rolls back; returns an existing one with the
/// same external id.
///
/// # Errors
/// Those of [`create`](fn@create).
pub fn preview(
    tx: &mut Tx<'_>,
    cx: &Context,
    command: &NewInvoice,
) -> Result<Created<InvoicePreview>, Error> {
    let last = journal::last_id(tx, cx.actor.account)?;
    match create(tx, cx, command)? {
        Created::New(details) => {
            let at = details.invoice.created_at;
            previewed(tx, cx, details, (last, at)).map(Created::New)
        }
        Created::Existing(details) => Ok(Created::Existing(InvoicePreview {
            details,
            has_new_contact: false,
            entries: Vec::new(),
        })),
    }
}

/// Edits a draft in a transaction that the caller rolls back.
///
/// # Errors
/// Those of [`edit`](fn@edit).
pub fn preview_edit(
    tx: &mut Tx<'_>,
    cx: &Context,
    id: i64,
    command: &EditInvoice,
    expected: &dyn Fn(&InvoiceDetails) -> bool,
) -> Result<InvoicePreview, Error> {
    let last = journal::last_id(tx, cx.actor.account)?;
    let details = edit(tx, cx, id, command, expected)?;
    let at = details.invoice.updated_at;
    previewed(tx, cx, details, (last, at))
}

/// `last` is the last entry before the command, and `at` the moment of its rows, which no other
/// command of the account has.
fn previewed(
    tx: &mut Tx<'_>,
    cx: &Context,
    details: InvoiceDetails,
    (last, at): (i64, Timestamp),
) -> Result<InvoicePreview, Error> {
    let account = cx.actor.account;
    let contact = contacts::by_id(tx, account, details.invoice.contact_id)?;
    let has_new_contact = contact.is_some_and(|contact| contact.created_at == at);
    let mut entries = Vec::new();
    for id in last + 1..=journal::last_id(tx, account)? {
        entries.extend(journal::by_id(tx, account, id)?.filter(|entry| entry.created_at == at));
    }
    Ok(InvoicePreview { details, has_new_contact, entries })
}
