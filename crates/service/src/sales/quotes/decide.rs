//! Decisions on quotes, by the customer or by the owner, and what follows from an acceptance.

use super::{
    QuoteDetails, after,
    invoice::{InvoiceQuotePart, invoice},
    send::finalize,
    shown, stored,
};
use crate::{
    Context, Error, InvoiceError, context,
    environment::QuoteDecision,
    mails::{self, AccountMail},
    messages::{self, SendInvoice},
    people::language_of,
    quote_invoices,
};
use ledger::{
    chain::Hash,
    quote::{DecidedBy, OnAccept, QuoteAction, QuotePart, QuoteStatus},
};
use store::{
    Tx, accounts,
    changes::Topic,
    invoices::Status,
    quotes::{self as rows, Quote},
};

/// Decision on a quote.
#[derive(Debug, Clone, Default)]
pub struct Decision {
    /// Name of the person who decides.
    pub name: Option<String>,
    /// Note of that person.
    pub note: Option<String>,
    /// The document that the customer decides on; `None` if the owner decides.
    pub shown: Option<Shown>,
    /// Code of the refusal of the step after the acceptance, if that step was tried and refused.
    pub refused_step: Option<String>,
}

/// Document that a customer saw on the page of a quote.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shown {
    /// SHA-256 of the PDF.
    pub sha256: Hash,
}

/// Accepts a quote. The step after the acceptance is [`follow_up`], in the same transaction.
///
/// # Errors
/// There is no such quote, it is not open, or the customer saw another document.
pub fn accept(
    tx: &mut Tx<'_>,
    cx: &Context,
    id: i64,
    decision: &Decision,
) -> Result<QuoteDetails, Error> {
    decide(tx, cx, id, (QuoteAction::Accept, Topic::Accepted), decision)
}

/// Refuses a quote.
///
/// # Errors
/// As for [`accept`].
pub fn refuse(
    tx: &mut Tx<'_>,
    cx: &Context,
    id: i64,
    decision: &Decision,
) -> Result<QuoteDetails, Error> {
    decide(tx, cx, id, (QuoteAction::Refuse, Topic::Refused), decision)
}

fn decide(
    tx: &mut Tx<'_>,
    cx: &Context,
    id: i64,
    (action, topic): (QuoteAction, Topic),
    decision: &Decision,
) -> Result<QuoteDetails, Error> {
    context::transact(tx, cx, |tx, _, cx| {
        cx.actor.require_dutch()?;
        let quote = stored(tx, cx, id)?;
        let status = after(cx, &quote, action)?;
        if let Some(shown) = decision.shown {
            let document = rows::document(tx, cx.actor.account, id)?;
            if document.is_none_or(|document| document.sha256 != shown.sha256) {
                return Err(Error::Changed);
            }
        }
        let by = if decision.shown.is_some() { DecidedBy::Customer } else { DecidedBy::Owner };
        let decided = Quote {
            status,
            decided_by: Some(by),
            decided_name: decision.name.clone(),
            decided_at: Some(cx.now()),
            decided_note: decision.note.clone(),
            decided_on: decision.shown.map(|shown| shown.sha256),
            on_accept_refused: decision.refused_step.clone(),
            updated_at: cx.now(),
            ..quote
        };
        rows::update(tx, cx.actor.account, &decided, Some(topic))?;
        if by == DecidedBy::Customer {
            let client = &cx.env.client;
            let visitor = (client.address.as_str(), client.user_agent.as_str());
            rows::put_visitor(tx, cx.actor.account, id, visitor, cx.env.now)?;
            mail_owner(tx, cx, &decided)?;
        }
        shown(tx, cx, decided)
    })
}

/// Queues the email to the owner about the decision of a customer.
fn mail_owner(tx: &mut Tx<'_>, cx: &Context, quote: &Quote) -> Result<(), Error> {
    let Some(letters) = &cx.env.letters else { return Ok(()) };
    let Some(owner) = accounts::by_id(tx, cx.actor.account)? else { return Ok(()) };
    let language = language_of(&owner).unwrap_or(cx.actor.language);
    let decision = QuoteDecision {
        id: quote.id,
        number: &quote.number,
        customer: &quote.customer.name,
        total: quote.total,
        is_accepted: quote.status == QuoteStatus::Accepted,
        name: quote.decided_name.as_deref().unwrap_or_default(),
        note: quote.decided_note.as_deref(),
        is_step_refused: quote.on_accept_refused.is_some(),
    };
    let (subject, body) = letters.quote_decided(language, &decision);
    let mail = AccountMail { to: owner.owner.email, language, subject, body };
    mails::put(tx, &cx.env, cx.actor.account, &mail)
}

/// Takes the automatic step after the acceptance of a quote: makes its invoice, of the part to be
/// prepaid if there is one, and mails it if so set. Returns the quote as it is then.
///
/// # Errors
/// The invoice cannot be made or mailed.
pub fn follow_up(
    tx: &mut Tx<'_>,
    cx: &Context,
    accepted: QuoteDetails,
) -> Result<QuoteDetails, Error> {
    let quote = &accepted.quote;
    let status = match quote.on_accept {
        OnAccept::Nothing => return Ok(accepted),
        OnAccept::Draft | OnAccept::Mail => Status::Draft,
        OnAccept::Sent => Status::Sent,
    };
    let is_part = quote.prepayment_percent.is_some();
    let command = InvoiceQuotePart {
        external_id: None,
        part: if is_part { QuotePart::Prepayment } else { QuotePart::All },
        percent: None,
        amount: None,
        status,
        invoice_date: None,
    };
    let made = invoice(tx, cx, quote.id, &command)?.into_inner();
    if quote.on_accept == OnAccept::Mail {
        let mail = SendInvoice { invoice_id: made.invoice.id, ..SendInvoice::default() };
        messages::send(tx, cx, &mail)?;
    }
    super::read(tx, cx, quote.id)
}

/// Withdraws a quote.
///
/// # Errors
/// There is no such quote, or the customer decided on it already.
pub fn withdraw(tx: &mut Tx<'_>, cx: &Context, id: i64) -> Result<QuoteDetails, Error> {
    context::transact(tx, cx, |tx, _, cx| {
        cx.actor.require_dutch()?;
        let quote = stored(tx, cx, id)?;
        let status = after(cx, &quote, QuoteAction::Withdraw)?;
        let withdrawn = Quote { status, updated_at: cx.now(), ..quote };
        rows::update(tx, cx.actor.account, &withdrawn, None)?;
        shown(tx, cx, withdrawn)
    })
}

/// Takes back a decision or a withdrawal: the customer can decide again. A draft that was withdrawn
/// is sent by this.
///
/// # Errors
/// There is no such quote, its state does not allow it, an invoice of it stands, or a newer quote
/// replaces it.
pub fn reopen(tx: &mut Tx<'_>, cx: &Context, id: i64) -> Result<QuoteDetails, Error> {
    context::transact(tx, cx, |tx, books, cx| {
        cx.actor.require_dutch()?;
        let quote = stored(tx, cx, id)?;
        let standing = quote_invoices::standing(tx, cx.actor.account, &quote)?;
        let status = after(cx, &quote, QuoteAction::Reopen)?;
        if let Some((invoice, _)) = standing.first() {
            return Err(InvoiceError::QuoteHasInvoice(invoice.id).into());
        }
        for (newer, status) in rows::replacing(tx, cx.actor.account, id)? {
            if !matches!(status, QuoteStatus::Draft | QuoteStatus::Withdrawn) {
                return Err(InvoiceError::QuoteReplaced(newer).into());
            }
        }
        let open = Quote {
            status,
            decided_by: None,
            decided_name: None,
            decided_at: None,
            decided_note: None,
            decided_on: None,
            on_accept_refused: None,
            updated_at: cx.now(),
            ..quote
        };
        if open.sent_at.is_none() {
            let sent = finalize(tx, books, cx, open, None)?;
            return shown(tx, cx, sent);
        }
        rows::update(tx, cx.actor.account, &open, None)?;
        shown(tx, cx, open)
    })
}
