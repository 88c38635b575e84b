//! Quotes: creating and editing drafts, sending, decisions, invoices, and the customer's page.
//! Nothing of a quote is booked.

mod create;
mod decide;
mod documents;
mod edit;
mod invoice;
mod mail;
mod preview;
mod read;
mod send;

pub use create::{NewQuote, create};
pub use decide::{Decision, Shown, accept, follow_up, refuse, reopen, withdraw};
pub use documents::{
    AskedQuote, Face, MadeQuote, UnmadeQuote, ask, concept, face, file_name, keep, make,
};
pub use edit::{EditQuote, edit, revise};
pub use invoice::{InvoiceQuotePart, invoice};
pub use mail::{QuoteMailPreview, QuoteProposal, SendQuote, of_quote, preview_mail, propose, send};
pub use preview::{QuotePreview, preview, preview_edit, preview_invoice};
pub use read::{
    QuoteTable, decided, find_by_external_id, list, newer, read, standing_invoices, table,
};
pub use send::mark_sent;

use crate::{
    Context, Error, InvoiceError,
    customer_links::{self, Linked, LinkedKind},
};
use jiff::{SignedDuration, ToSpan, civil::Date};
use ledger::{
    invoice::{ShownAmounts, VatGroup, price_less},
    language::Language,
    quote::{QuoteAction, QuoteStatus},
};
use store::{
    Tx,
    customer_links::LinkState,
    quotes::{self as rows, Quote},
};

/// Period during which the address and browser of a customer who decided are kept.
pub(crate) const VISITORS_KEPT: SignedDuration = SignedDuration::from_hours(90 * 24);

/// Number of days for which a quote is valid, unless it says otherwise.
const VALID_DAYS: i64 = 30;

/// Maximum length of the note of a person who decides, in characters.
pub const LONGEST_NOTE: usize = 1_000;

/// Quote with its amounts.
#[derive(Debug, Clone)]
pub struct QuoteDetails {
    /// The quote itself, with its lines.
    pub quote: Quote,
    /// Amounts that the document shows about its lines, and the discount on all of them.
    pub shown: ShownAmounts,
    /// Language of the document: of a draft, the one in which it would be sent.
    pub language: Language,
    /// VAT per rate and category.
    pub groups: Vec<VatGroup>,
    /// State today.
    pub status: QuoteStatus,
    /// Address of the customer's page; `None` for a quote that was never sent, whose link was
    /// withdrawn, or if the server has no secret.
    pub public_url: Option<String>,
    /// Current date when these details were read.
    pub today: Date,
}

/// Returns the details of a quote with this state of its link.
fn details(cx: &Context, quote: Quote, link: &LinkState) -> Result<QuoteDetails, Error> {
    let lines: Vec<_> = quote.content.lines.iter().map(|(line, _)| line.clone()).collect();
    let discount = quote.particulars.discount;
    let priced = price_less(discount, &lines, quote.quote_date, quote.prices());
    let priced = priced.map_err(|error| {
        Error::Internal(format!("quote {} does not add up: {error}", quote.number))
    })?;
    let today = cx.today();
    let linked = Linked { kind: LinkedKind::Quote, id: quote.id, created_at: quote.created_at };
    let public_url = quote.sent_at.and_then(|_| customer_links::url(cx, linked, link));
    let own_language = quote.language.or_else(|| quote.customer.own_language());
    Ok(QuoteDetails {
        status: quote.status_on(today),
        quote,
        shown: priced.shown,
        language: own_language.unwrap_or(cx.actor.document_language),
        groups: priced.groups,
        public_url,
        today,
    })
}

/// Like [`details`], for a quote that was just stored.
fn shown(tx: &mut Tx<'_>, cx: &Context, quote: Quote) -> Result<QuoteDetails, Error> {
    let link = customer_links::state(tx, cx, LinkedKind::Quote, quote.id)?;
    details(cx, quote, &link)
}

/// Reads a quote under the lock of the books.
fn stored(tx: &mut Tx<'_>, cx: &Context, id: i64) -> Result<Quote, Error> {
    rows::by_id(tx, cx.actor.account, id)?.ok_or(Error::NotFound("quote"))
}

/// Returns an error if a quote does not exist.
///
/// # Errors
/// There is no such quote in this account.
pub fn require(tx: &mut Tx<'_>, cx: &Context, id: i64) -> Result<(), Error> {
    stored(tx, cx, id).map(drop)
}

/// Returns the state of a quote after a command.
///
/// # Errors
/// The state does not allow the command.
fn after(cx: &Context, quote: &Quote, action: QuoteAction) -> Result<QuoteStatus, Error> {
    let status = quote.status_on(cx.today());
    status.after(action, false).ok_or_else(|| InvoiceError::QuoteNotOpen(status).into())
}

/// Returns the last day on which a quote of a date is valid by default.
#[must_use]
pub fn usual_validity(quote_date: Date) -> Date {
    let last = jiff::civil::date(2099, 12, 31);
    quote_date.saturating_add(VALID_DAYS.days()).min(last)
}
