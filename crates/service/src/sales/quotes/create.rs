//! Creating quotes.

use super::{QuoteDetails, shown, usual_validity};
use crate::{
    Context, Created, Error, Reason,
    contacts::{self, CustomerInput},
    context,
    invoices::{LineInput, all_of, known_party, price_quote},
    numbering,
};
use jiff::civil::Date;
use ledger::{
    invoice::Prices,
    language::Language,
    quote::{OnAccept, QuoteStatus},
};
use store::{
    Tx,
    books::{Books, IdSequence},
    invoices::Particulars,
    quotes::{self as rows, Quote, QuoteContent},
};

/// Input for a new quote.
#[derive(Debug, Clone)]
pub struct NewQuote {
    /// Caller's own identifier. Creating a quote with an existing identifier returns that quote.
    pub external_id: Option<String>,
    /// Date of the quote, which determines the year of the number and the VAT rates.
    pub quote_date: Date,
    /// Last day on which the customer can accept it; by default 30 days after its date.
    pub valid_until: Option<Date>,
    /// Customer.
    pub customer: CustomerInput,
    /// 1 to 500 lines.
    pub lines: Vec<LineInput>,
    /// Unit prices with or without VAT.
    pub prices: Prices,
    /// Payment term of its invoices, if it is not that of the account.
    pub payment_term_days: Option<i64>,
    /// Part to be invoiced in advance, in hundredths of a per cent.
    pub prepayment_percent: Option<i64>,
    /// Automatic step after the acceptance.
    pub on_accept: OnAccept,
    /// Customer's reference, which is printed on the quote and on its invoices.
    pub reference: Option<String>,
    /// Notes to the customer, which are printed on the quote and on its invoices.
    pub notes: Option<String>,
    /// Discount on all lines, and numbers of the customer.
    pub particulars: Particulars,
    /// Language of the document, if it is not that of the customer or the account.
    pub language: Option<Language>,
}

/// Creates a draft quote with the next number.
///
/// # Errors
/// The account is not Dutch, the customer cannot be identified, or a value is invalid.
pub fn create(
    tx: &mut Tx<'_>,
    cx: &Context,
    command: &NewQuote,
) -> Result<Created<QuoteDetails>, Error> {
    context::transact(tx, cx, |tx, books, cx| {
        cx.actor.require_dutch()?;
        let account = cx.actor.account;
        if let Some(external_id) = &command.external_id
            && let Some(existing) = rows::by_external_id(tx, account, external_id)?
        {
            return shown(tx, cx, existing).map(Created::Existing);
        }
        let customer = contacts::identify(tx, account, &command.customer);
        let party = known_party(&customer, &command.customer);
        let dated = (&party, command.language, command.quote_date);
        let discount = command.particulars.discount;
        let priced = price_quote(tx, books, cx, dated, (&command.lines, command.prices, discount));
        let valid_until = validity(command.quote_date, command.valid_until);
        let (customer, (lines, priced), valid_until) = all_of(customer, priced, valid_until)?;
        let contact_id = contacts::ensure(tx, books, cx, &customer)?;
        let number_year = command.quote_date.year();
        let number_in_year = rows::last_number(tx, account, number_year)? + 1;
        let quote = Quote {
            id: books.next_id(IdSequence::Quote),
            external_id: command.external_id.clone(),
            number: print_number(books, number_year, number_in_year)?,
            number_year,
            number_in_year,
            status: QuoteStatus::Draft,
            quote_date: command.quote_date,
            valid_until,
            contact_id,
            customer: customer.party,
            reference: command.reference.clone(),
            notes: command.notes.clone(),
            subtotal: priced.subtotal,
            vat_total: priced.vat_total,
            total: priced.total,
            prices_include_vat: command.prices == Prices::Gross,
            payment_term_days: command.payment_term_days,
            prepayment_percent: command.prepayment_percent,
            on_accept: command.on_accept,
            on_accept_refused: None,
            replaces_id: None,
            particulars: command.particulars.clone(),
            language: command.language,
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
        };
        rows::insert(tx, account, &quote)?;
        shown(tx, cx, quote).map(Created::New)
    })
}

/// Returns the last day on which a quote is valid.
pub(super) fn validity(quote_date: Date, valid_until: Option<Date>) -> Result<Date, Error> {
    match valid_until {
        Some(day) if day < quote_date => {
            Err(Error::fault("/validUntil", Reason::ValidBeforeQuote { quote_date }))
        }
        Some(day) => Ok(day),
        None => Ok(usual_validity(quote_date)),
    }
}

/// Formats the number of a quote.
pub(super) fn print_number(books: &Books, year: i16, number: i64) -> Result<String, Error> {
    let pattern = books.terms().look.quote_pattern.as_deref();
    numbering::format(pattern.unwrap_or(numbering::DEFAULT_QUOTE_PATTERN), year, number)
        .map_err(|error| Error::Internal(error.to_string()))
}
