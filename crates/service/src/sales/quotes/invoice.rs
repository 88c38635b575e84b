//! Invoices of quotes: all of it, a part in advance, or what is left after that. The invoices are
//! made by the commands that make any invoice.

use super::{after, stored};
use crate::{
    Context, Created, Error, InvoiceError, Reason,
    contacts::CustomerInput,
    context,
    corrections::IfFiled,
    invoices::{
        self, Due, InvoiceDetails, InvoiceTerms, NewInvoice, SupplyDays, input_of_group, inputs_of,
    },
    quote_invoices,
};
use jiff::civil::Date;
use ledger::{
    decimal::{self, Decimal},
    discount::Discount,
    invoice::{self as arithmetic, Priced, Prices},
    language::Language,
    money::Cents,
    quote::{DecidedBy, QuoteAction, QuotePart, QuoteStatus, shares},
};
use store::{
    Tx,
    changes::Topic,
    contacts::PartialParty,
    invoices::{self as invoice_rows, Invoice, InvoiceKind, Particulars, Status},
    quotes::{self as rows, Quote, QuoteInvoice},
};

/// Input for an invoice of a quote.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InvoiceQuotePart {
    /// Caller's own identifier of the invoice.
    pub external_id: Option<String>,
    /// Part of the quote.
    pub part: QuotePart,
    /// Share of a prepayment, in hundredths of a per cent; by default that of the quote.
    pub percent: Option<i64>,
    /// Amount of a prepayment, in cents including VAT, instead of a share.
    pub amount: Option<Cents>,
    /// Draft or sent.
    pub status: Status,
    /// Date of the invoice; by default today.
    pub invoice_date: Option<Date>,
}

/// Makes an invoice of a quote. A quote that is still open is accepted by the owner with this.
///
/// # Errors
/// There is no such quote, its state does not allow it, it is invoiced already, the prepayments
/// would exceed it, or the invoice cannot be made.
pub fn invoice(
    tx: &mut Tx<'_>,
    cx: &Context,
    id: i64,
    command: &InvoiceQuotePart,
) -> Result<Created<InvoiceDetails>, Error> {
    // The books stay locked until the transaction ends, so the values read here are still valid
    // when the invoice is made below.
    let prepared = context::transact(tx, cx, |tx, _, cx| {
        cx.actor.require_dutch()?;
        let external_id = command.external_id.as_deref();
        let existing = invoices::find_by_external_id(tx, cx, InvoiceKind::Invoice, external_id)?;
        if let Some(existing) = existing {
            return Ok(Err(existing));
        }
        let quote = stored(tx, cx, id)?;
        let standing = quote_invoices::standing(tx, cx.actor.account, &quote)?;
        require_part(cx, &quote, &standing, command)?;
        let new = new_invoice(cx, &quote, &standing, command)?;
        if quote.status == QuoteStatus::Sent {
            accept(tx, cx, quote)?;
        }
        Ok(Ok(new))
    })?;
    let new = match prepared {
        Ok(new) => new,
        Err(existing) => return Ok(Created::Existing(existing)),
    };
    let made = invoices::create(tx, cx, &new)?.into_inner().invoice.id;
    context::transact(tx, cx, |tx, _, cx| {
        let mut quote = stored(tx, cx, id)?;
        quote.content.invoices.push(QuoteInvoice { invoice_id: made, part: command.part });
        if command.part != QuotePart::Prepayment {
            quote.status = QuoteStatus::Invoiced;
        }
        quote.updated_at = cx.now();
        rows::update(tx, cx.actor.account, &quote, None)?;
        Ok(invoice_rows::set_quote(tx, cx.actor.account, made, id)?)
    })?;
    invoices::read(tx, cx, made).map(Created::New)
}

/// Rejects a part that the state of the quote, or an invoice of it, does not allow.
fn require_part(
    cx: &Context,
    quote: &Quote,
    standing: &[(Invoice, QuotePart)],
    command: &InvoiceQuotePart,
) -> Result<(), Error> {
    if let Some((invoice, _)) = standing.iter().find(|(_, part)| *part != QuotePart::Prepayment) {
        return Err(InvoiceError::QuoteInvoiced(invoice.id).into());
    }
    after(cx, quote, QuoteAction::Invoice)?;
    match (command.part, standing.first()) {
        // The prepayments would be charged twice.
        (QuotePart::All, Some((invoice, _))) => Err(InvoiceError::QuoteInvoiced(invoice.id).into()),
        // Only a sent prepayment can be set off.
        (QuotePart::Final, _) if standing.iter().any(|(of, _)| of.status == Status::Draft) => {
            Err(InvoiceError::IsADraft.into())
        }
        _ => Ok(()),
    }
}

/// Records that the owner accepts a quote by invoicing it.
fn accept(tx: &mut Tx<'_>, cx: &Context, quote: Quote) -> Result<(), Error> {
    let accepted = Quote {
        status: QuoteStatus::Accepted,
        decided_by: Some(DecidedBy::Owner),
        decided_at: Some(cx.now()),
        updated_at: cx.now(),
        ..quote
    };
    Ok(rows::update(tx, cx.actor.account, &accepted, Some(Topic::Accepted))?)
}

/// Returns the invoice of a part of a quote.
pub(super) fn new_invoice(
    cx: &Context,
    quote: &Quote,
    standing: &[(Invoice, QuotePart)],
    command: &InvoiceQuotePart,
) -> Result<NewInvoice, Error> {
    let is_prepayment = command.part == QuotePart::Prepayment;
    // A part of the amounts after the discount has none of its own.
    let discount = quote.particulars.discount;
    let discount = if is_prepayment { Discount::None } else { discount };
    let discount_description = quote.particulars.discount_description.clone();
    let (lines, prices) = match command.part {
        QuotePart::All | QuotePart::Final => (inputs_of(&quote.content.lines), quote.prices()),
        QuotePart::Prepayment => {
            let prepaid = quote_invoices::prepaid(standing);
            prepayment_lines(quote, prepaid, (command.percent, command.amount))?
        }
    };
    let sets_off = match command.part {
        QuotePart::Final => standing.iter().map(|(invoice, _)| invoice.id).collect(),
        QuotePart::All | QuotePart::Prepayment => Vec::new(),
    };
    Ok(NewInvoice {
        external_id: command.external_id.clone(),
        invoice_date: command.invoice_date.unwrap_or_else(|| cx.today()),
        supply: SupplyDays::default(),
        status: command.status,
        customer: CustomerInput {
            contact_id: Some(quote.contact_id),
            party: PartialParty::from(quote.customer.clone()),
        },
        lines,
        terms: InvoiceTerms { prices, prepayment: is_prepayment, sets_off },
        due: quote.payment_term_days.map_or(Due::AccountTerm, Due::Days),
        reference: quote.reference.clone(),
        notes: quote.notes.clone(),
        particulars: Particulars {
            discount,
            discount_description: discount_description.filter(|_| !is_prepayment),
            ..quote.particulars.clone()
        },
        language: quote.language,
        if_filed: IfFiled::Refuse,
    })
}

/// Returns the lines of a prepayment: one per VAT rate and category. A share of a quote whose prices
/// exclude VAT is a share of the amounts excluding VAT; an amount includes VAT.
fn prepayment_lines(
    quote: &Quote,
    prepaid: Cents,
    (percent, amount): (Option<i64>, Option<Cents>),
) -> Result<(Vec<invoices::LineInput>, Prices), Error> {
    let field = if amount.is_some() { "/amount" } else { "/percent" };
    let percent = percent.or(quote.prepayment_percent).filter(|_| amount.is_none());
    let (asked, percent) = match (amount, percent) {
        (Some(amount), _) => (amount, None),
        (None, Some(percent)) => (share(quote.total, percent)?, Some(percent)),
        (None, None) => return Err(Error::fault("/percent", Reason::PrepaymentPercentRequired)),
    };
    let remaining = quote.total - prepaid;
    if asked <= Cents::ZERO || asked > remaining {
        return Err(Error::fault(field, Reason::BeyondQuote { most: remaining.max(Cents::ZERO) }));
    }
    let description = match quote.language {
        Some(Language::English) => format!("Prepayment for quote {}", quote.number),
        Some(Language::Dutch) | None => format!("Vooruitbetaling voor offerte {}", quote.number),
    };
    let priced = priced(quote)?;
    let line = |(key, amount)| input_of_group(key, description.clone(), amount);
    let lines = match percent {
        Some(percent) if quote.prices() == Prices::Net => {
            let mut lines = Vec::with_capacity(priced.groups.len());
            for group in &priced.groups {
                let part = share(group.base, percent)?;
                if !part.is_zero() {
                    lines.push(line((group.key(), part)));
                }
            }
            return Ok((lines, Prices::Net));
        }
        _ => shares(&priced.groups, asked).into_iter().map(line).collect(),
    };
    Ok((lines, Prices::Gross))
}

/// Returns a share of an amount, rounded half away from zero; the share is in hundredths of a per
/// cent.
fn share(amount: Cents, percent: i64) -> Result<Cents, Error> {
    decimal::multiply_to_cents(&Decimal::new(percent, 4), &Decimal::new(amount.get(), 2))
        .map_err(|error| Error::Internal(error.to_string()))
}

fn priced(quote: &Quote) -> Result<Priced, Error> {
    let lines: Vec<_> = quote.content.lines.iter().map(|(line, _)| line.clone()).collect();
    let discount = quote.particulars.discount;
    arithmetic::price_less(discount, &lines, quote.quote_date, quote.prices())
        .map_err(|error| Error::Internal(error.to_string()))
}
