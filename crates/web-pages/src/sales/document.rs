//! Documents that the form for an invoice, quote or recurring invoice makes or edits.

use ledger::money::Cents;
use service::{
    Context, Error, Fault,
    contacts::{self, CustomerInput},
    invoices::InvoiceDetails,
    quotes::QuoteDetails,
    recurring::RecurringDetails,
};
use store::Tx;

/// Path of the form for a new invoice.
pub(super) const NEW: &str = "/invoices/new";
/// Path of the page with the form for a new quote.
pub(super) const NEW_QUOTE: &str = "/quotes/new";
/// Path of the page with the form for a new recurring invoice.
pub(super) const NEW_RECURRING: &str = "/recurring/new";

/// Document of a form.
#[derive(Clone, Copy)]
pub(super) enum Of<'a> {
    /// A new invoice.
    NewInvoice,
    /// A draft invoice.
    Invoice(&'a InvoiceDetails),
    /// A new quote.
    NewQuote,
    /// A draft quote.
    Quote(&'a QuoteDetails),
    /// A new recurring invoice.
    NewRecurring,
    /// A recurring invoice.
    Recurring(&'a RecurringDetails),
}

impl Of<'_> {
    pub(super) fn is_quote(self) -> bool {
        matches!(self, Self::NewQuote | Self::Quote(_))
    }

    pub(super) fn is_recurring(self) -> bool {
        matches!(self, Self::NewRecurring | Self::Recurring(_))
    }

    /// Path to which the form is submitted.
    pub(super) fn action(self) -> String {
        match self {
            Self::NewInvoice => "/invoices".to_owned(),
            Self::Invoice(details) => format!("/invoices/{}", details.invoice.id),
            Self::NewQuote => "/quotes".to_owned(),
            Self::Quote(details) => format!("/quotes/{}", details.quote.id),
            Self::NewRecurring => "/recurring".to_owned(),
            Self::Recurring(details) => format!("/recurring/{}", details.recurring.id),
        }
    }

    /// Path of the page with the form.
    pub(super) fn place(self) -> String {
        match self {
            Self::NewInvoice => NEW.to_owned(),
            Self::NewQuote => NEW_QUOTE.to_owned(),
            Self::NewRecurring => NEW_RECURRING.to_owned(),
            Self::Invoice(_) | Self::Quote(_) | Self::Recurring(_) => {
                format!("{}/edit", self.action())
            }
        }
    }

    /// Kind of the form among the unfinished forms.
    pub(super) fn kind(self) -> &'static str {
        match self {
            Self::NewInvoice | Self::Invoice(_) => "invoice",
            Self::NewQuote | Self::Quote(_) => "quote",
            Self::NewRecurring | Self::Recurring(_) => "recurring",
        }
    }

    /// Id of the draft invoice being edited.
    pub(super) fn draft(self) -> Option<i64> {
        match self {
            Self::Invoice(details) => Some(details.invoice.id),
            Self::NewInvoice
            | Self::NewQuote
            | Self::Quote(_)
            | Self::NewRecurring
            | Self::Recurring(_) => None,
        }
    }

    /// Id of the contact of the draft being edited.
    pub(super) fn contact(self) -> Option<i64> {
        match self {
            Self::Invoice(details) => Some(details.invoice.contact_id),
            Self::Quote(details) => Some(details.quote.contact_id),
            Self::Recurring(details) => Some(details.recurring.contact_id),
            Self::NewInvoice | Self::NewQuote | Self::NewRecurring => None,
        }
    }

    /// Path that returns the PDF of the document in the form.
    pub(super) fn preview(self) -> String {
        match self {
            Self::NewInvoice => "/invoices/preview".to_owned(),
            Self::Invoice(details) => format!("/invoices/preview?of={}", details.invoice.id),
            Self::NewQuote => "/quotes/preview".to_owned(),
            Self::Quote(details) => format!("/quotes/preview?of={}", details.quote.id),
            Self::NewRecurring => "/recurring/preview".to_owned(),
            Self::Recurring(details) => format!("/recurring/preview?of={}", details.recurring.id),
        }
    }

    /// Stored total, if there is a draft.
    pub(super) fn total(self) -> Option<Cents> {
        match self {
            Self::Invoice(details) => Some(details.invoice.total),
            Self::Quote(details) => Some(details.quote.total),
            Self::Recurring(details) => Some(details.recurring.total),
            Self::NewInvoice | Self::NewQuote | Self::NewRecurring => None,
        }
    }
}

/// Faults that only the books can reveal, such as an unknown customer.
pub(super) fn validate(
    tx: &mut Tx<'_>,
    cx: &Context,
    customer: &Option<CustomerInput>,
) -> Result<Vec<Fault>, Error> {
    let fault =
        customer.as_ref().map(|customer| contacts::customer_fault(tx, cx, customer)).transpose()?;
    Ok(fault.flatten().into_iter().collect())
}
