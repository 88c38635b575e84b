//! Editing drafts, and new drafts that replace sent quotes.

use super::{
    QuoteDetails, after,
    create::{print_number, validity},
    shown, stored, usual_validity,
};
use crate::{
    Context, Created, Error, InvoiceError,
    contacts::{self, Customer, CustomerInput},
    context,
    invoices::{EditParticulars, LineInput, all_of, inputs_for_edit, known_party, price_quote},
};
use jiff::{ToSpan, civil::Date};
use ledger::{
    invoice::Prices,
    language::Language,
    quote::{OnAccept, QuoteAction, QuoteStatus},
};
use store::{
    Tx,
    books::IdSequence,
    quotes::{self as rows, Quote, QuoteContent},
};

/// Edit of a draft quote. Fields that are `None` stay unchanged.
#[derive(Debug, Clone, Default)]
pub struct EditQuote {
    /// New date. Without a new `valid_until`, the quote stays valid for as many days.
    pub quote_date: Option<Date>,
    /// New last day on which the customer can accept it.
    pub valid_until: Option<Date>,
    /// New customer, replacing all fields.
    pub customer: Option<CustomerInput>,
    /// New lines, replacing all existing ones.
    pub lines: Option<Vec<LineInput>>,
    /// New choice of unit prices with or without VAT.
    pub prices: Option<Prices>,
    /// New payment term of its invoices; `Some(None)` removes it.
    pub payment_term_days: Option<Option<i64>>,
    /// New part to be invoiced in advance, in hundredths of a per cent; `Some(None)` removes it.
    pub prepayment_percent: Option<Option<i64>>,
    /// New automatic step after the acceptance.
    pub on_accept: Option<OnAccept>,
    /// New reference; `Some(None)` removes it.
    pub reference: Option<Option<String>>,
    /// New notes; `Some(None)` removes them.
    pub notes: Option<Option<String>>,
    /// Changes of the discount on all lines, and of the customer's numbers.
    pub particulars: EditParticulars,
    /// New language of the document; `Some(None)` stands for that of the customer, or else of the
    /// account.
    pub language: Option<Option<Language>>,
}

/// Edits a draft quote. `expected` is called on the stored quote while the books are locked; if it
/// returns false, there is an edit conflict.
///
/// # Errors
/// There is no such quote, it is not as expected, it is not a draft, or a value is invalid.
pub fn edit(
    tx: &mut Tx<'_>,
    cx: &Context,
    id: i64,
    edit: &EditQuote,
    expected: &dyn Fn(&QuoteDetails) -> bool,
) -> Result<QuoteDetails, Error> {
    context::transact(tx, cx, |tx, books, cx| {
        cx.actor.require_dutch()?;
        let old = stored(tx, cx, id)?;
        let before = shown(tx, cx, old.clone())?;
        if !expected(&before) {
            return Err(Error::Changed);
        }
        after(cx, &old, QuoteAction::Edit)?;
        let quote_date = edit.quote_date.unwrap_or(old.quote_date);
        let customer = match &edit.customer {
            Some(customer) => contacts::identify(tx, cx.actor.account, customer),
            None => Ok(Customer { contact_id: Some(old.contact_id), party: old.customer.clone() }),
        };
        let input = edit.customer.clone().unwrap_or_default();
        let party = known_party(&customer, &input);
        let lines = edit.lines.clone().unwrap_or_else(|| {
            let quoted = (&old.customer, old.quote_date);
            inputs_for_edit(&old.content.lines, quoted, cx.actor.sales)
        });
        let prices = edit.prices.unwrap_or(old.prices());
        let particulars = edit.particulars.applied_to(&old.particulars);
        let terms = (&lines[..], prices, particulars.discount);
        let language = edit.language.unwrap_or(old.language);
        let priced = price_quote(tx, books, cx, (&party, language, quote_date), terms);
        let days = (old.valid_until - old.quote_date).get_days();
        let moved = quote_date.saturating_add(i64::from(days).days());
        let valid_until = edit.valid_until.unwrap_or(moved.min(jiff::civil::date(2099, 12, 31)));
        let valid_until = validity(quote_date, Some(valid_until));
        let (customer, (lines, priced), valid_until) = all_of(customer, priced, valid_until)?;
        // The number stays, also if the date moves to another year.
        let changed = Quote {
            quote_date,
            valid_until,
            contact_id: contacts::ensure(tx, books, cx, &customer)?,
            customer: customer.party,
            reference: edit.reference.clone().unwrap_or_else(|| old.reference.clone()),
            notes: edit.notes.clone().unwrap_or_else(|| old.notes.clone()),
            subtotal: priced.subtotal,
            vat_total: priced.vat_total,
            total: priced.total,
            prices_include_vat: prices == Prices::Gross,
            payment_term_days: edit.payment_term_days.unwrap_or(old.payment_term_days),
            prepayment_percent: edit.prepayment_percent.unwrap_or(old.prepayment_percent),
            on_accept: edit.on_accept.unwrap_or(old.on_accept),
            particulars,
            language,
            content: QuoteContent {
                lines: lines.into_iter().zip(priced.line_amounts).collect(),
                invoices: Vec::new(),
            },
            ..old.clone()
        };
        if changed == old {
            return Ok(before);
        }
        let changed = Quote { updated_at: cx.now(), ..changed };
        rows::update(tx, cx.actor.account, &changed, None)?;
        shown(tx, cx, changed)
    })
}

/// Makes a draft with the content of a quote, dated today; sending it withdraws the other. A draft
/// that was made before and was not sent is returned again.
///
/// # Errors
/// There is no such quote, or its state does not allow it.
pub fn revise(tx: &mut Tx<'_>, cx: &Context, id: i64) -> Result<Created<QuoteDetails>, Error> {
    context::transact(tx, cx, |tx, books, cx| {
        cx.actor.require_dutch()?;
        let old = stored(tx, cx, id)?;
        after(cx, &old, QuoteAction::Revise)?;
        for (newer, status) in rows::replacing(tx, cx.actor.account, id)? {
            match status {
                QuoteStatus::Draft => {
                    let draft = stored(tx, cx, newer)?;
                    return shown(tx, cx, draft).map(Created::Existing);
                }
                QuoteStatus::Withdrawn => {}
                _ => return Err(InvoiceError::QuoteReplaced(newer).into()),
            }
        }
        let quote_date = cx.today();
        let lines =
            inputs_for_edit(&old.content.lines, (&old.customer, old.quote_date), cx.actor.sales);
        let terms = (&lines[..], old.prices(), old.particulars.discount);
        let (lines, priced) =
            price_quote(tx, books, cx, (&old.customer, old.language, quote_date), terms)?;
        let number_year = quote_date.year();
        let number_in_year = rows::last_number(tx, cx.actor.account, number_year)? + 1;
        let draft = Quote {
            id: books.next_id(IdSequence::Quote),
            external_id: None,
            number: print_number(books, number_year, number_in_year)?,
            number_year,
            number_in_year,
            status: QuoteStatus::Draft,
            quote_date,
            valid_until: usual_validity(quote_date),
            subtotal: priced.subtotal,
            vat_total: priced.vat_total,
            total: priced.total,
            on_accept_refused: None,
            replaces_id: Some(id),
            settings: None,
            sent_at: None,
            decided_by: None,
            decided_name: None,
            decided_at: None,
            decided_note: None,
            decided_on: None,
            source: cx.actor.origin,
            created_at: cx.now(),
            updated_at: cx.now(),
            content: QuoteContent {
                lines: lines.into_iter().zip(priced.line_amounts).collect(),
                invoices: Vec::new(),
            },
            ..old
        };
        rows::insert(tx, cx.actor.account, &draft)?;
        shown(tx, cx, draft).map(Created::New)
    })
}
