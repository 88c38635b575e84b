//! Dry runs of quotes.

use super::{
    EditQuote, InvoiceQuotePart, NewQuote, QuoteDetails, create, edit, invoice::new_invoice, read,
};
use crate::{
    Context, Created, Error,
    invoices::{self, InvoiceDetails},
};
use ledger::quote::{QuotePart, QuoteStatus};
use store::{Tx, contacts, invoices::Status};

/// Quote as it would be.
#[derive(Debug, Clone)]
pub struct QuotePreview {
    /// The quote. Its id, number and times are not those that it would get.
    pub details: QuoteDetails,
    /// Whether the command would create a contact.
    pub has_new_contact: bool,
    /// Draft invoice of the whole quote on the same date, which has the warnings about the quote.
    /// `None` if such an invoice would be refused.
    pub invoice: Option<InvoiceDetails>,
}

/// Creates a quote in a transaction that the caller rolls back, or returns the existing one with the
/// same external id.
///
/// # Errors
/// Those of [`create`](fn@create).
pub fn preview(
    tx: &mut Tx<'_>,
    cx: &Context,
    command: &NewQuote,
) -> Result<Created<QuotePreview>, Error> {
    Ok(match create(tx, cx, command)? {
        Created::New(details) => Created::New(previewed(tx, cx, details)?),
        Created::Existing(details) => {
            Created::Existing(QuotePreview { details, has_new_contact: false, invoice: None })
        }
    })
}

/// Edits a draft quote in a transaction that the caller rolls back.
///
/// # Errors
/// Those of [`edit`](fn@edit).
pub fn preview_edit(
    tx: &mut Tx<'_>,
    cx: &Context,
    id: i64,
    command: &EditQuote,
) -> Result<QuotePreview, Error> {
    let details = edit(tx, cx, id, command, &|_| true)?;
    previewed(tx, cx, details)
}

/// Returns the invoice of a whole draft quote, which has the warnings about the quote, in a
/// transaction that the caller rolls back. `None` if the quote is no draft, or such an invoice would
/// be refused.
///
/// # Errors
/// There is no such quote in this account.
pub fn preview_invoice(
    tx: &mut Tx<'_>,
    cx: &Context,
    id: i64,
) -> Result<Option<InvoiceDetails>, Error> {
    let details = read(tx, cx, id)?;
    if details.status != QuoteStatus::Draft {
        return Ok(None);
    }
    Ok(previewed(tx, cx, details)?.invoice)
}

fn previewed(tx: &mut Tx<'_>, cx: &Context, details: QuoteDetails) -> Result<QuotePreview, Error> {
    let quote = &details.quote;
    let contact = contacts::by_id(tx, cx.actor.account, quote.contact_id)?;
    let has_new_contact = contact.is_some_and(|contact| contact.created_at == quote.updated_at);
    let whole = InvoiceQuotePart {
        external_id: None,
        part: QuotePart::All,
        percent: None,
        amount: None,
        status: Status::Draft,
        invoice_date: Some(quote.quote_date),
    };
    let invoice = match invoices::create(tx, cx, &new_invoice(cx, quote, &[], &whole)?) {
        Ok(made) => Some(made.into_inner()),
        Err(Error::Store(error)) => return Err(error.into()),
        // The invoice of a quote has a date and periods of its own.
        Err(_) => None,
    };
    Ok(QuotePreview { details, has_new_contact, invoice })
}
