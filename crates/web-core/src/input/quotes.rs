//! Input for quotes.

use super::{
    CalendarDate, Choice, EXTERNAL_ID, EXTERNAL_ID_MEANING, Euros, Fields, FixedDecimal, Flag,
    Integer, MultiLine, OneOf, Parsed, Presence, Reader, SingleLine,
    sales::{self, CUSTOMER_MEANING, Emails, Rates, STATUSES, read_customer, read_lines},
    validated,
};
use jiff::civil::Date;
use ledger::{
    decimal::Decimal,
    invoice::Prices,
    language::Language,
    quote::{OnAccept, QuotePart},
};
use serde_json::json;
use service::{
    Reason,
    contacts::CustomerInput,
    messages::{LONGEST_SUBJECT, LONGEST_TEXT},
    quotes::{Decision, EditQuote, InvoiceQuotePart, LONGEST_NOTE, NewQuote, SendQuote},
};
use store::invoices::Status;

const QUOTE_DATE: &str = "Date of the quote; it determines the year of the number and the VAT \
                          rates. Default: today in Amsterdam.";
const VALID_UNTIL: &str = "Last day on which the customer can accept the quote. Default: 30 days \
                           after its date.";
const PRICES: &str = "Whether unitPrice includes VAT. Default: false.";
const TERM: &str = "Payment term of its invoices in days. Default: that of the account.";
const PERCENT: &str = "Part to be invoiced in advance, in per cent of the total.";
const ON_ACCEPT: &str = "What follows when the quote is accepted: `nothing`, a `draft` invoice, an \
                         invoice that is `sent`, or one that is mailed (`mail`); with \
                         prepaymentPercent, a prepayment invoice of that part. Default: nothing.";

/// Reader of a percentage above 0 with at most two decimals, in hundredths of a per cent.
fn percentage() -> impl Reader<Value = i64> {
    validated(
        FixedDecimal(2),
        || json!({ "minimum": 0.01, "maximum": 100, "examples": [30] }),
        |percent| {
            let least = Decimal::new(1, 2);
            let hundredths = i64::try_from(percent * Decimal::ONE_HUNDRED).ok();
            hundredths
                .filter(|_| percent >= least && percent <= Decimal::ONE_HUNDRED)
                .ok_or(Reason::OutOfRange { least, most: Decimal::ONE_HUNDRED })
        },
    )
}

/// Reads the fields of a new quote.
pub fn new_quote(
    fields: &mut Fields<'_, '_>,
    today: Date,
) -> Parsed<NewQuote, Option<CustomerInput>> {
    let external_id = fields.optional("externalId", EXTERNAL_ID_MEANING, EXTERNAL_ID);
    // Without a valid date the rates cannot be validated.
    let quote_date = fields.with_default("quoteDate", QUOTE_DATE, CalendarDate, today);
    let valid_until = fields.optional("validUntil", VALID_UNTIL, CalendarDate);
    let customer = fields.object("customer", CUSTOMER_MEANING, Presence::Required, read_customer);
    let rates = customer.as_ref().map_or(Rates::Dutch, Rates::of_customer);
    let lines = read_lines(fields, Presence::Required, (quote_date, rates));
    let gross = fields.optional("pricesIncludeVat", PRICES, Flag);
    let payment_term_days = fields.optional("paymentTermDays", TERM, Integer(0, 365));
    let prepayment_percent = fields.optional("prepaymentPercent", PERCENT, percentage());
    let on_accept = fields.optional("onAccept", ON_ACCEPT, OneOf(OnAccept::ALL));
    let reference = fields.optional(
        "reference",
        "Reference printed on the quote and its invoices.",
        SingleLine(255),
    );
    let notes =
        fields.optional("notes", "Notes printed on the quote and its invoices.", MultiLine(5000));
    let particulars = sales::read_particulars(fields);
    let language = fields.optional("language", sales::DOCUMENT_LANGUAGE, OneOf(Language::ALL));
    if let (Some(quote_date), Some(valid_until)) = (quote_date, valid_until)
        && valid_until < quote_date
    {
        fields.fault("validUntil", Reason::ValidBeforeQuote { quote_date });
    }
    let command = match (&customer, lines, quote_date) {
        (Some(customer), Some(lines), Some(quote_date)) => Some(NewQuote {
            external_id: external_id.clone(),
            quote_date,
            valid_until,
            customer: customer.clone(),
            lines,
            prices: prices(gross).unwrap_or_default(),
            payment_term_days,
            prepayment_percent,
            on_accept: on_accept.unwrap_or(OnAccept::Nothing),
            reference,
            notes,
            particulars,
            language,
        }),
        _ => None,
    };
    Parsed::with_partial(external_id, command, customer)
}

fn prices(gross: Option<bool>) -> Option<Prices> {
    gross.map(|gross| if gross { Prices::Gross } else { Prices::Net })
}

/// Reads the fields for editing a draft quote. `dated` is its own date, which determines the VAT
/// rates unless the edit changes it.
pub fn edited_quote(
    fields: &mut Fields<'_, '_>,
    dated: Date,
) -> Parsed<EditQuote, Option<CustomerInput>> {
    let moves = fields.has("quoteDate");
    let meaning = "Date of the quote. Without validUntil, it stays valid for as many days.";
    let quote_date = fields.changeable("quoteDate", meaning, CalendarDate);
    let meaning = "Last day on which the customer can accept the quote.";
    let valid_until = fields.changeable("validUntil", meaning, CalendarDate);
    let on = if moves { quote_date } else { Some(dated) };
    let customer = fields.object("customer", CUSTOMER_MEANING, Presence::Optional, read_customer);
    let rates = customer.as_ref().map_or(Rates::AllOfEu, Rates::of_customer);
    let lines = read_lines(fields, Presence::Optional, (on, rates));
    let gross = fields.optional("pricesIncludeVat", PRICES, Flag);
    let edit = EditQuote {
        quote_date,
        valid_until,
        customer: customer.clone(),
        lines,
        prices: prices(gross),
        payment_term_days: fields.removable("paymentTermDays", TERM, Integer(0, 365)),
        prepayment_percent: fields.removable("prepaymentPercent", PERCENT, percentage()),
        on_accept: fields.changeable("onAccept", ON_ACCEPT, OneOf(OnAccept::ALL)),
        reference: fields.removable(
            "reference",
            "Reference printed on the quote; null removes it.",
            SingleLine(255),
        ),
        notes: fields.removable(
            "notes",
            "Notes printed on the quote; null removes them.",
            MultiLine(5000),
        ),
        particulars: sales::edited_particulars(fields),
        language: fields.removable("language", sales::DOCUMENT_LANGUAGE, OneOf(Language::ALL)),
    };
    Parsed::with_partial(None, Some(edit), customer)
}

/// Reads the fields of an acceptance by the owner.
pub fn quote_acceptance(fields: &mut Fields<'_, '_>) -> Parsed<Decision> {
    let name = fields.required("name", "Name of the person who accepts.", SingleLine(255));
    let note = fields.optional("note", "Note of that person.", MultiLine(LONGEST_NOTE));
    let command = name.map(|name| Decision { name: Some(name), note, ..Decision::default() });
    Parsed::new(None, command)
}

/// Reads the fields of a refusal by the owner.
pub fn quote_refusal(fields: &mut Fields<'_, '_>) -> Parsed<Decision> {
    let name = fields.optional("name", "Name of the person who refuses.", SingleLine(255));
    let note = fields.optional("note", "Note of that person.", MultiLine(LONGEST_NOTE));
    Parsed::new(None, Some(Decision { name, note, ..Decision::default() }))
}

/// Reads the fields of a request for an invoice of a quote.
pub fn quote_to_invoice(fields: &mut Fields<'_, '_>) -> Parsed<InvoiceQuotePart> {
    let external_id = fields.optional("externalId", EXTERNAL_ID_MEANING, EXTERNAL_ID);
    let meaning = "Part of the quote: the `whole`; a `prepayment`; or the `final` invoice, which \
                   sets off the prepayments of the quote.";
    let part = fields.required("kind", meaning, OneOf(QuotePart::ALL));
    let is_priced = fields.has("percent") || fields.has("amount");
    let is_double = fields.has("percent") && fields.has("amount");
    let meaning = "Share of a prepayment in per cent. Default: prepaymentPercent of the quote.";
    let percent = fields.optional("percent", meaning, percentage());
    let meaning = "Amount of a prepayment in euros, including VAT, instead of percent.";
    let amount = fields.optional("amount", meaning, Euros);
    let is_of_other = is_priced && part.is_some_and(|part| part != QuotePart::Prepayment);
    if is_double || is_of_other {
        let field = if fields.has("amount") || is_double { "amount" } else { "percent" };
        fields.fault(field, Reason::PercentAndAmount);
    }
    let meaning = "Status of the invoice. Default: draft.";
    let status = fields.optional("status", meaning, Choice(STATUSES));
    let meaning = "Date of the invoice. Default: today in Amsterdam.";
    let invoice_date = fields.optional("invoiceDate", meaning, CalendarDate);
    let command = part.map(|part| InvoiceQuotePart {
        external_id: external_id.clone(),
        part,
        percent,
        amount,
        status: status.unwrap_or(Status::Draft),
        invoice_date,
    });
    Parsed::new(external_id, command)
}

/// Reads the fields for emailing a quote.
pub fn sent_quote(fields: &mut Fields<'_, '_>, quote_id: i64) -> Parsed<SendQuote> {
    let external_id = fields.optional("externalId", EXTERNAL_ID_MEANING, EXTERNAL_ID);
    let command = SendQuote {
        external_id: external_id.clone(),
        quote_id,
        to: fields.optional(
            "to",
            "Email address of the recipient. Default: the customer's.",
            sales::mailable(),
        ),
        cc: fields.optional("cc", sales::CC, Emails),
        subject: fields.optional(
            "subject",
            "Subject of the mail. Default: the usual one.",
            SingleLine(LONGEST_SUBJECT),
        ),
        message: fields.optional(
            "message",
            "Text of the mail; `{link}` stands for the address of the customer's page, which \
             follows the text otherwise. Default: the usual one.",
            MultiLine(LONGEST_TEXT),
        ),
        language: fields.optional(
            "language",
            "Language of a draft that is sent by this. Default: that of the customer, or else \
             of the account.",
            OneOf(Language::ALL),
        ),
        copy_to_me: fields.optional("copyToMe", sales::COPY_TO_ME, Flag).unwrap_or(false),
    };
    Parsed::new(external_id, Some(command))
}

/// Decision of a customer on the page of a quote.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CustomerDecision {
    /// Whether the customer accepts the quote.
    pub accepts: bool,
    /// Name of the customer.
    pub name: String,
    /// Note of the customer.
    pub note: Option<String>,
    /// SHA-256 of the PDF that the page showed, in hexadecimal digits.
    pub seen: String,
}

/// Reads the form of the customer's page.
pub fn customer_decision(fields: &mut Fields<'_, '_>) -> Parsed<CustomerDecision> {
    let actions: &'static [(&'static str, bool)] = &[("accept", true), ("refuse", false)];
    let accepts = fields.required("action", "The decision.", Choice(actions));
    let name = fields.required("name", "Name of the person.", SingleLine(255));
    let note = fields.optional("note", "Note of the person.", MultiLine(LONGEST_NOTE));
    let seen = fields.optional("seen", "The document shown.", SingleLine(64)).unwrap_or_default();
    let command =
        accepts.zip(name).map(|(accepts, name)| CustomerDecision { accepts, name, note, seen });
    Parsed::new(None, command)
}

/// Readable part of an unfinished quote, for the totals shown while it is being filled in.
pub use sales::UnfinishedInvoice as UnfinishedQuote;

/// Reads the readable fields of an unfinished quote.
pub fn unfinished_quote(fields: &mut Fields<'_, '_>, today: Date) -> UnfinishedQuote {
    let quote_date = fields.optional("quoteDate", "", CalendarDate).unwrap_or(today);
    sales::unfinished(fields, (quote_date, quote_date))
}
