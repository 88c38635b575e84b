//! Input for sales: invoices, credit notes, messages and contacts.

use super::{
    AnyEuros, CalendarDate, Choice, Country, DecimalNumber, Defaults, EXTERNAL_ID,
    EXTERNAL_ID_MEANING, Euros, Fields, FixedDecimal, Flag, Ids, Integer, MultiLine, OneOf, Parsed,
    Presence, Raw, Reader, SingleLine,
    bank_accounts::{bic, iban},
    if_filed,
    journal::NamedAccount,
    readers::listed,
    validated,
};
use ::tax::eu_rates;
use jiff::civil::Date;
use ledger::{
    country::CountryCode,
    customer::{CustomerEmail, CustomerKind, EmailUse},
    decimal::{self, Decimal},
    discount::Discount,
    identifiers::{KvkNumber, PeppolId, VatNumber},
    invoice::Prices,
    language::Language,
    money::Cents,
    unit,
    vat::{Exemption, Supply, VatCategory, VatRate},
};
use serde_json::{Value, json};
use service::{
    EmailAddress, Reason,
    articles::{ArticleName, LineArticle},
    contact_edits::EditContact,
    contacts::{CustomerInput, NewContact},
    corrections::IfFiled,
    invoices::{
        CreditedLine, Due, EditInvoice, EditParticulars, InvoiceQuote, InvoiceTerms, LineInput,
        NewCreditNote, NewInvoice, PartialCreditNote, SupplyDays, TaxPlace,
    },
    messages::{LONGEST_SUBJECT, LONGEST_TEXT, MOST_CC, SendInvoice},
};
use store::{
    contacts::{PartialParty, Party, PayeeAccount},
    invoices::{Particulars, Status},
};

pub(super) const STATUSES: &[(&str, Status)] = &[("draft", Status::Draft), ("sent", Status::Sent)];

pub(super) const MAIL_LANGUAGE: &str =
    "Language of the mail and its PDF. Default: the one that the invoice was sent in.";
const SENT_IN: &str = "Language of the mail and its PDF. Default: the one that the invoice was \
                       sent in. It becomes the language of a draft that is sent by this.";
pub(super) const CC: &str = "Email addresses of further recipients. Default: the customer's other addresses for \
                  this use, unless `to` is given.";
pub(super) const COPY_TO_ME: &str =
    "Whether to send a copy to the account's owner. Default: false.";

const SUPPLY_DATE: &str = "First day of supply, printed on the invoice. With it, the VAT is due \
                           by the 15th of the month after the last day of supply, even if the \
                           invoice is dated later. Services to businesses in other EU countries \
                           count in the period of supply.";
const SUPPLY_UNTIL: &str = "Last day of supply, if it took more than one day.";

/// Reads the fields of a new invoice.
pub fn new_invoice(
    fields: &mut Fields<'_, '_>,
    today: Date,
) -> Parsed<NewInvoice, Option<CustomerInput>> {
    let external_id = fields.optional("externalId", EXTERNAL_ID_MEANING, EXTERNAL_ID);
    // Without a valid date the rates cannot be validated.
    let invoice_date = fields.with_default(
        "invoiceDate",
        "Date of the invoice; it determines the year of the number and, without supplyDate, the \
         VAT period. Default: today in Amsterdam.",
        CalendarDate,
        today,
    );
    let supply = SupplyDays {
        first: fields.optional("supplyDate", SUPPLY_DATE, CalendarDate),
        last: fields.optional("supplyUntil", SUPPLY_UNTIL, CalendarDate),
    };
    let status = fields.optional(
        "status",
        "Status of the invoice. A `draft` is also booked and numbered, but can still be edited; \
         `sent` is final. Neither mails the invoice. Default: draft.",
        Choice(STATUSES),
    );
    let customer = fields.object("customer", CUSTOMER_MEANING, Presence::Required, read_customer);
    let rates = customer.as_ref().map_or(Rates::Dutch, Rates::of_customer);
    let on = supply.last.or(supply.first).or(invoice_date);
    let lines = read_lines(fields, Presence::Required, (on, rates));
    let terms = new_terms(fields);
    let due = read_due(fields, invoice_date).unwrap_or(Due::AccountTerm);
    let reference = fields.optional(
        "reference",
        "Reference printed on the invoice, such as the customer's order number.",
        SingleLine(255),
    );
    let notes = fields.optional("notes", "Notes printed on the invoice.", MultiLine(5000));
    let particulars = read_particulars(fields);
    let language = fields.optional("language", DOCUMENT_LANGUAGE, OneOf(Language::ALL));
    let if_filed = if_filed(fields);
    let command = match (&customer, lines, invoice_date) {
        (Some(customer), Some(lines), Some(invoice_date)) => Some(NewInvoice {
            external_id: external_id.clone(),
            invoice_date,
            supply,
            status: status.unwrap_or(Status::Draft),
            customer: customer.clone(),
            lines,
            terms,
            due,
            reference,
            notes,
            particulars,
            language,
            if_filed,
        }),
        _ => None,
    };
    Parsed::with_partial(external_id, command, customer)
}

pub(super) const DOCUMENT_LANGUAGE: &str = "Language of the document, free while it is a draft. Default: the customer's, or else the \
     account's.";
const DISCOUNT_DESCRIPTION: &str = "Description of the discount on all lines, printed with it.";
const ORDER_NUMBER: &str = "Order number of the customer (BT-13), printed on the document.";
const BUYER_REFERENCE: &str = "Reference of the customer for routing the document (BT-10), printed on it. Without one, the \
     e-invoice has `reference` there.";

/// Reader of a percentage of a discount.
fn discount_percent() -> impl Reader<Value = Decimal> {
    validated(
        FixedDecimal(Discount::DECIMALS),
        || json!({ "minimum": 0, "maximum": 100, "examples": [10] }),
        |percent| {
            let (least, most) = (Decimal::ZERO, Decimal::ONE_HUNDRED);
            let is_within = (least..=most).contains(&percent);
            if is_within { Ok(percent) } else { Err(Reason::OutOfRange { least, most }) }
        },
    )
}

/// Reader of an amount of a discount.
fn discount_amount() -> impl Reader<Value = Cents> {
    validated(
        AnyEuros,
        || json!({ "minimum": 0, "examples": [25] }),
        |amount| {
            if amount.is_negative() {
                let most = Decimal::new(Cents::MAX.get(), 2);
                return Err(Reason::OutOfRange { least: Decimal::ZERO, most });
            }
            Ok(amount)
        },
    )
}

/// Reads a discount: a percentage or an amount. `None` if neither is stated; null removes a
/// discount.
fn read_discount(fields: &mut Fields<'_, '_>, [percent, amount]: [&str; 2]) -> Option<Discount> {
    let is_double = fields.has("discountPercent") && fields.has("discountAmount");
    let is_removed = fields.is_null("discountPercent") || fields.is_null("discountAmount");
    let percent = fields.optional("discountPercent", percent, discount_percent());
    let amount = fields.optional("discountAmount", amount, discount_amount());
    if is_double {
        fields.fault("discountAmount", Reason::DiscountTwice);
    }
    let is_stated = percent.is_some() || amount.is_some();
    (is_stated || is_removed).then(|| Discount::new(percent, amount))
}

/// Meanings of the discount on all lines.
const DISCOUNT: [&str; 2] = [
    "Discount on all lines except those that set off prepayments, in per cent with at most 4 \
     decimals. It is taken of each VAT rate and category; VAT is computed after it.",
    "Discount on those lines in euros instead of discountPercent, including VAT if \
     `pricesIncludeVat` is set. It is divided over the VAT rates and categories by size.",
];

/// Meanings of the discount on a line.
const LINE_DISCOUNT: [&str; 2] = [
    "Discount on the line in per cent, with at most 4 decimals; not on a line below zero.",
    "Discount on the line in euros instead of discountPercent, at most quantity × unitPrice.",
];

/// Reads the discount on all lines of a document, and the numbers of the customer.
pub(super) fn read_particulars(fields: &mut Fields<'_, '_>) -> Particulars {
    Particulars {
        discount: read_discount(fields, DISCOUNT).unwrap_or_default(),
        discount_description: fields.optional(
            "discountDescription",
            DISCOUNT_DESCRIPTION,
            SingleLine(100),
        ),
        order_number: fields.optional("orderNumber", ORDER_NUMBER, SingleLine(100)),
        buyer_reference: fields.optional("buyerReference", BUYER_REFERENCE, SingleLine(100)),
    }
}

/// Reads the changes of the discount on all lines of a document, and of the numbers of the customer.
pub(super) fn edited_particulars(fields: &mut Fields<'_, '_>) -> EditParticulars {
    EditParticulars {
        discount: read_discount(fields, DISCOUNT),
        discount_description: fields.removable(
            "discountDescription",
            DISCOUNT_DESCRIPTION,
            SingleLine(100),
        ),
        order_number: fields.removable("orderNumber", ORDER_NUMBER, SingleLine(100)),
        buyer_reference: fields.removable("buyerReference", BUYER_REFERENCE, SingleLine(100)),
    }
}

/// Unit of a quantity. In a form, a known unit can have its name in either language.
pub(super) struct UnitOfQuantity;

impl Reader for UnitOfQuantity {
    type Value = String;

    fn read(&self, raw: &Raw) -> Result<String, Reason> {
        let text = SingleLine(unit::LONGEST).read(raw)?;
        Ok(if matches!(raw, Raw::Typed(..)) { i18n::read_unit(&text) } else { text })
    }

    fn schema(&self) -> Value {
        let mut schema = SingleLine(unit::LONGEST).schema();
        schema["examples"] = json!(["hour"]);
        schema
    }
}

/// Maximum number of prepayments that an invoice can set off.
const MOST_PREPAYMENTS: usize = 50;

fn new_terms(fields: &mut Fields<'_, '_>) -> InvoiceTerms {
    let (prices, prepayment, sets_off) = read_terms(fields);
    InvoiceTerms {
        prices: prices.unwrap_or_default(),
        prepayment: prepayment.unwrap_or_default(),
        sets_off: sets_off.unwrap_or_default(),
    }
}

/// Reads the terms of an invoice: whether unit prices include VAT, whether it is a prepayment
/// invoice, and the prepayments that it sets off.
fn read_terms(fields: &mut Fields<'_, '_>) -> (Option<Prices>, Option<bool>, Option<Vec<i64>>) {
    let meaning = "Whether unitPrice includes VAT. If so, the lines add up exactly to the total, \
                   which contains the VAT. Default: false.";
    let gross = fields.optional("pricesIncludeVat", meaning, Flag);
    let meaning = "Whether it is a prepayment invoice, which charges in advance. Its VAT is due \
                   at once, and its revenue is booked by the final invoice. Default: false.";
    let prepayment = fields.optional("prepayment", meaning, Flag);
    let meaning = "Ids of prepayment invoices of the same customer that this final invoice sets \
                   off. Lines with their remaining amounts are added, so that `total` is the \
                   amount still to be paid.";
    let sets_off = fields.optional("prepaymentInvoiceIds", meaning, Ids(MOST_PREPAYMENTS));
    (gross.map(|gross| if gross { Prices::Gross } else { Prices::Net }), prepayment, sets_off)
}

pub(super) const CUSTOMER_MEANING: &str = "Customer of the invoice. A known externalId selects its contact. \
                                Otherwise a contact without one is matched by name and country, \
                                or else a new contact is created. The invoice keeps the details \
                                given here.";

/// Reads the fields of an invoice that is priced but not created.
pub fn invoice_quote(fields: &mut Fields<'_, '_>, today: Date) -> Parsed<InvoiceQuote> {
    let meaning = "Date of the invoice. Default: today in Amsterdam.";
    let invoice_date = fields.with_default("invoiceDate", meaning, CalendarDate, today);
    let supply = SupplyDays {
        first: fields.optional("supplyDate", SUPPLY_DATE, CalendarDate),
        last: fields.optional("supplyUntil", SUPPLY_UNTIL, CalendarDate),
    };
    let meaning = "Customer of the invoice. The country determines the meaning of a rate of 0.";
    let country = fields.object("customer", meaning, Presence::Optional, |fields| {
        let country = fields.optional("country", "Country of the customer. Default: NL.", Country);
        fields.optional("vatNumber", "VAT number of the customer.", vat_number());
        country
    });
    let meaning = "Whether the prices of the lines include VAT. Default: false.";
    let prices_include_vat = fields.optional("pricesIncludeVat", meaning, Flag).unwrap_or(false);
    let on = supply.last.or(supply.first).or(invoice_date);
    let lines = read_lines(fields, Presence::Required, (on, Rates::Stated));
    let country = country.flatten().unwrap_or(CountryCode::NL);
    let quote = invoice_date.zip(lines).map(|(invoice_date, lines)| InvoiceQuote {
        invoice_date,
        supply,
        country,
        lines,
        prices_include_vat,
    });
    Parsed::new(None, quote)
}

/// Readable part of an unfinished invoice, for the totals shown while it is being filled in.
pub struct UnfinishedInvoice {
    /// Date of the invoice; by default today.
    pub invoice_date: Date,
    /// Date that determines the VAT rates.
    pub rates_on: Date,
    /// Contact of the customer.
    pub contact_id: Option<i64>,
    /// Typed details of the customer.
    pub party: PartialParty,
    /// Terms.
    pub terms: InvoiceTerms,
    /// Discount on all lines.
    pub discount: Discount,
    /// Lines with an amount, each with its number.
    pub lines: Vec<(usize, LineInput)>,
}

/// Reads the readable fields of an unfinished invoice.
pub fn unfinished_invoice(fields: &mut Fields<'_, '_>, today: Date) -> UnfinishedInvoice {
    let invoice_date = fields.optional("invoiceDate", "", CalendarDate).unwrap_or(today);
    let first = fields.optional("supplyDate", "", CalendarDate);
    let last = fields.optional("supplyUntil", "", CalendarDate);
    unfinished(fields, (invoice_date, last.or(first).unwrap_or(invoice_date)))
}

/// Reads the readable fields of an unfinished invoice or quote, given its date and the date that
/// determines the VAT rates.
pub(super) fn unfinished(
    fields: &mut Fields<'_, '_>,
    (invoice_date, rates_on): (Date, Date),
) -> UnfinishedInvoice {
    let customer =
        fields.object("customer", "", Presence::Optional, read_customer).unwrap_or_default();
    let rates = Rates::of_customer(&customer);
    UnfinishedInvoice {
        invoice_date,
        rates_on,
        contact_id: customer.contact_id,
        party: customer.party,
        terms: new_terms(fields),
        discount: read_discount(fields, DISCOUNT).unwrap_or_default(),
        lines: fields.readable("items", |fields| read_line(fields, (Some(rates_on), rates))),
    }
}

/// Maximum number of lines on an invoice.
const MOST_ITEMS: usize = 500;

/// Values that a page fills in on an empty line: quantity 1, a rate that depends on the date, the
/// category of that rate, and that the VAT is a proposal. A line with no other values is ignored.
const LINE_DEFAULTS: Defaults = &[
    ("quantity", &["1"]),
    ("vatRate", &["21", "0"]),
    ("vatCategory", &["standard", "exempt"]),
    ("vatProposed", &["true"]),
];

/// VAT rates that lines can have. The command checks the rates of other countries, because they
/// depend on the registration of the account for the Union scheme (OSS).
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Rates {
    /// Only Dutch ones, unless a line states that another country taxes it; nothing is proposed, so
    /// a line must state its rate.
    Stated,
    /// Only Dutch ones, unless a line states that another country taxes it.
    Dutch,
    /// Those of any member state.
    AllOfEu,
}

impl Rates {
    /// Rates of lines for a customer, who may be a consumer in another member state.
    pub(super) fn of_customer(customer: &CustomerInput) -> Self {
        let is_known = customer.contact_id.is_some() || customer.party.external_id.is_some();
        match customer.party.country {
            Some(country) if country.is_dutch() => Self::Dutch,
            None if !is_known => Self::Dutch,
            _ => Self::AllOfEu,
        }
    }
}

pub(super) fn read_lines(
    fields: &mut Fields<'_, '_>,
    presence: Presence,
    rates: (Option<Date>, Rates),
) -> Option<Vec<LineInput>> {
    fields.list(
        "items",
        "Lines of the document.",
        presence,
        (1, MOST_ITEMS),
        LINE_DEFAULTS,
        |fields| read_line(fields, rates),
    )
}

fn read_due(fields: &mut Fields<'_, '_>, invoice_date: Option<Date>) -> Option<Due> {
    let both = fields.has("dueDate") && fields.has("paymentTermDays");
    let on = fields.optional(
        "dueDate",
        "Last day to pay. Default: the invoice date plus the account's payment term.",
        CalendarDate,
    );
    let days = fields.optional(
        "paymentTermDays",
        "Payment term in days, instead of dueDate.",
        Integer(0, 365),
    );
    if both {
        fields.fault("paymentTermDays", Reason::DueTwice);
    }
    if let (Some(on), Some(invoice_date)) = (on, invoice_date)
        && on < invoice_date
    {
        fields.fault("dueDate", Reason::DueBeforeInvoice { invoice_date });
    }
    on.map(Due::On).or(days.map(Due::Days))
}

/// Reads the customer. The command checks whether the name is required.
pub(super) fn read_customer(fields: &mut Fields<'_, '_>) -> CustomerInput {
    let contact_id = fields.optional(
        "contactId",
        "Id of a contact, instead of externalId or name.",
        Integer(1, i64::MAX),
    );
    let external_id = fields
        .optional("externalId", "Your own identifier of the customer.", EXTERNAL_ID)
        .map(Some);
    // A name with a fault must not be treated as missing.
    let named = fields.has("name");
    let name = fields.optional(
        "name",
        "Name of the person or company. Required unless the contact is known.",
        SingleLine(255),
    );
    let name = name.or(named.then(String::new));
    let country = fields.optional("country", "Country of the customer. Default: NL.", Country);
    CustomerInput {
        contact_id,
        party: PartialParty { external_id, name, country, ..read_details(fields, Nulls::Absent) },
    }
}

/// Reads a line of a credit note: like [`read_line`], except that an amount may replace the
/// quantity and the price.
fn read_credited_line(
    fields: &mut Fields<'_, '_>,
    rates: (Option<Date>, Rates),
) -> Option<LineInput> {
    let meaning = "Number of the line of the invoice, from 1. What is left out is that of this line: \
                   the quantity is what remains, and the amount is its share of the line after all \
                   discounts.";
    let is_named = fields.has("invoiceItem");
    let number = fields.optional("invoiceItem", meaning, Integer(1, 501));
    let meaning = "Amount excluding VAT in euros, instead of quantity and unitPrice: for an \
                   invoice that was open when the books began, whose own lines are unknown.";
    let is_amount = fields.has("amount");
    let amount = fields.optional("amount", meaning, Euros);
    if is_amount && (fields.has("quantity") || fields.has("unitPrice")) {
        fields.fault("amount", Reason::AmountAndPrice);
    }
    if is_amount && is_named {
        fields.fault("amount", Reason::InvoiceItemDiffers);
    }
    let credited = CreditedFields { is_amount, amount, is_named, number };
    read_line_of(fields, rates, Some(credited))
}

/// Fields that only a line of a credit note has.
#[derive(Clone, Copy)]
struct CreditedFields {
    /// Whether an amount is stated in place of quantity and price.
    is_amount: bool,
    amount: Option<Cents>,
    /// Whether a line of the invoice is named.
    is_named: bool,
    number: Option<i64>,
}

/// Reads a line of an invoice.
fn read_line(fields: &mut Fields<'_, '_>, rates: (Option<Date>, Rates)) -> Option<LineInput> {
    read_line_of(fields, rates, None)
}

/// Reads a field that is required unless the line of the invoice or the article is known that
/// provides it.
fn required_unless<R: Reader>(
    is_known: bool,
    fields: &mut Fields<'_, '_>,
    (name, meaning): (&'static str, &str),
    reader: R,
) -> Option<R::Value> {
    let is_missing = !is_known && !fields.has(name);
    let missing = reader.missing();
    let value = fields.optional(name, meaning, reader);
    if is_missing {
        fields.fault(name, missing);
    }
    value
}

/// Reads a line. `credited` is given for a line of a credit note. Only lines of invoices and quotes of an account can name
/// an article.
// Long: it reads every field of a line.
fn read_line_of(
    fields: &mut Fields<'_, '_>,
    (on, rates): (Option<Date>, Rates),
    credited: Option<CreditedFields>,
) -> Option<LineInput> {
    let is_named = credited.is_some_and(|credited| credited.is_named);
    let takes_article = credited.is_none() && rates != Rates::Stated;
    let article = if takes_article { read_article(fields) } else { None };
    let takes_price = article.is_some() && !fields.has("unitPrice");
    let meaning = if takes_article { OF_ARTICLE } else { "Description of the goods or services." };
    let is_known = is_named || article.is_some();
    let description = required_unless(is_known, fields, ("description", meaning), MultiLine(1000));
    let has_quantity = fields.has("quantity");
    let meaning = "Quantity; negative for a discount. At most 20 decimals. Default: 1.";
    let quantity = fields.with_default("quantity", meaning, DecimalNumber, Decimal::ONE);
    let meaning = "Price per unit in euros, excluding VAT unless `pricesIncludeVat` is set. At \
                   most 20 decimals.";
    let has_price = fields.has("unitPrice");
    let unit_price = match credited {
        Some(CreditedFields { is_amount: true, amount, .. }) => {
            // The price is read anyway, so that a price next to an amount causes only one fault.
            fields.optional("unitPrice", meaning, DecimalNumber);
            amount.map(|amount| Decimal::new(amount.get(), 2))
        }
        _ => {
            let of_article = price_of_article(meaning);
            let meaning = if takes_article { &of_article } else { meaning };
            let price = required_unless(is_known, fields, ("unitPrice", meaning), DecimalNumber);
            price.or((is_known && !has_price).then_some(Decimal::ZERO))
        }
    };
    let meaning = "Unit of the quantity: `hour`, `day`, `week`, `month`, `year`, `piece`, `km`, \
                   `kg`, `m`, `m2`, `litre` and `set` are printed in the language of the document \
                   and coded in the e-invoice; other text is printed as it is.";
    let unit = fields.optional("unit", meaning, UnitOfQuantity);
    // The lines of a credit note have their shares of the discounts of the invoice.
    let discount = match credited {
        None => read_discount(fields, LINE_DISCOUNT).unwrap_or_default(),
        Some(_) => Discount::None,
    };
    let meaning = "VAT category. Only standard and oss are possible with a rate above 0; oss is \
                   VAT of another EU country, and the default for goods and electronic services to \
                   a consumer there while the account is registered (POST /oss). With a rate of 0, \
                   the default depends on the customer's country: the setting of the account \
                   (zero) for the Netherlands, intraCommunity for other EU countries, and \
                   otherwise serviceOutsideEu, or export for goods. Outside the Netherlands, \
                   reverseCharge means intraCommunity, serviceOutsideEu or export.";
    let states_category = fields.has("vatCategory");
    let mut vat_category = fields.optional("vatCategory", meaning, OneOf(VatCategory::PUBLIC));
    let meaning = "Country that taxes a line of category oss. Default: the customer's; give it for \
                   services taxed elsewhere (art. 6b and 6e Wet OB 1968). NL on a line for a \
                   customer abroad means that the supply was handed over in the Netherlands.";
    let tax_country = fields.optional("taxCountry", meaning, Country);
    let is_taxed_abroad = vat_category == Some(VatCategory::Oss)
        || tax_country.is_some_and(|country| !country.is_dutch());
    let may_be_foreign = is_taxed_abroad || (rates == Rates::AllOfEu && !states_category);
    let is_rate_missing = !fields.has("vatRate");
    let vat_rate = fields.optional(
        "vatRate",
        "VAT rate in per cent: a rate of Dutch law on the last day of supply, or else on the \
         invoice date (21, 9 or 0 in 2026). With oss a rate of the tax country on that day \
         (`/open-data/vat-rates-eu`); default: its standard rate. Default otherwise: what is \
         proposed to the customer: `vatDefault`, else 0 where the customer owes the VAT or nobody \
         does, else the high rate.",
        sales_rate(on, may_be_foreign),
    );
    if is_rate_missing && !may_be_foreign && !is_named && rates == Rates::Stated {
        fields.fault("vatRate", DecimalNumber.missing());
    }
    let vat_rate = vat_rate.flatten();
    let meaning = "Kind of supply; triangular only with intraCommunity. electronic: \
                   telecommunications, broadcasting and electronic services (art. 6h Wet OB 1968), \
                   taxed where a consumer resides. It determines the VAT date, the EC sales list, \
                   the Union scheme (OSS), and the category of a rate of 0 outside the EU. \
                   Default: goods with export, otherwise the setting of the account (services).";
    let supply = fields.optional("supply", meaning, OneOf(Supply::ALL));
    if let (Some(rate), Some(category)) = (vat_rate, vat_category)
        && rate.is_zero() == category.is_taxed()
    {
        fields.fault("vatCategory", category_reason(rate));
        vat_category = None;
    }
    let exemption = read_exemption(fields, vat_rate, vat_category);
    let meaning = "Revenue account of the line, four digits, such as one of your own. The box of \
                   the VAT return follows from rate and category. Default: the account of the rate \
                   and category.";
    let account = fields.optional("account", meaning, NamedAccount);
    let (quantity, unit_price) = quantity.zip(unit_price)?;
    if decimal::multiply_to_cents(&quantity, &unit_price).is_err() {
        fields.fault("", Reason::LineOutOfRange);
        return None;
    }
    let credits = match credited {
        Some(CreditedFields { is_named: true, number, .. }) => {
            Some(CreditedLine { number: number?, has_quantity, has_price })
        }
        _ => None,
    };
    // A line without a description has a fault, but its amount is still part of the running totals.
    let description = description.unwrap_or_default();
    Some(LineInput {
        description,
        quantity,
        unit_price,
        vat_rate: if is_rate_missing { VatRate::ZERO } else { vat_rate? },
        vat_category,
        exemption,
        supply,
        place: TaxPlace { country: tax_country, standard_rate: is_rate_missing },
        account,
        unit,
        discount,
        credits,
        article: article.map(|named| LineArticle { named, takes_price }),
    })
}

const OF_ARTICLE: &str = "Description of the goods or services. Required unless the line names an \
                          article; default then: its description in the language of the document, \
                          or else its name.";

fn price_of_article(meaning: &str) -> String {
    format!(
        "{meaning} Required unless the line names an article; default then: its price, with its VAT \
         divided out or added if the prices of the document differ in that."
    )
}

/// Reads the article of a line.
fn read_article(fields: &mut Fields<'_, '_>) -> Option<ArticleName> {
    let is_double = fields.has("articleId") && fields.has("articleNumber");
    let meaning = "Id of an article, which fills in what the line leaves out: description, unitPrice, \
                   vatRate, vatCategory, supply and exemption. The line is a copy: later changes of \
                   the article do not change it.";
    let id = fields.optional("articleId", meaning, Integer(1, i64::MAX));
    let meaning = "Number of an article, instead of articleId.";
    let number = fields.optional("articleNumber", meaning, SingleLine(40));
    if is_double {
        fields.fault("articleNumber", Reason::ArticleTwice);
    }
    id.map(ArticleName::Id).or(number.map(ArticleName::Number))
}

/// Returns a reader of the rate of a line: a Dutch one on the date or, if `may_be_foreign`, one of
/// any member state. Without a date, any number is accepted and yields `None`.
fn sales_rate(on: Option<Date>, may_be_foreign: bool) -> impl Reader<Value = Option<VatRate>> {
    validated(
        DecimalNumber,
        || json!({ "minimum": 0, "maximum": 100, "examples": [21] }),
        move |percent| {
            let percent = decimal::without_residue(&percent, 2).unwrap_or(percent);
            let Some(on) = on else { return Ok(None) };
            VatRate::from_percent(&percent, on).map(Some).or_else(|unknown| {
                let points = u16::try_from(percent * Decimal::ONE_HUNDRED).ok();
                points
                    .map(VatRate::from_basis_points)
                    .filter(|rate| may_be_foreign && rate.percent() == percent)
                    .filter(|rate| eu_rates::is_known(*rate, on))
                    .map(Some)
                    .ok_or_else(|| unknown.into())
            })
        },
    )
}

/// Reads the exemption of a line; only an exempt line can have one.
fn read_exemption(
    fields: &mut Fields<'_, '_>,
    vat_rate: Option<VatRate>,
    vat_category: Option<VatCategory>,
) -> Option<Exemption> {
    let meaning = "Ground of the exemption of an exempt line: article11, article11Counted (art. \
                   11(1)(a)(b)(i)(j) and insurance, which are part of the turnover of the small \
                   businesses scheme) or kor. Default: kor under that scheme, but article11 if a \
                   rate of 0 usually means exempt; otherwise article11.";
    let exemption = fields.optional("exemption", meaning, OneOf(Exemption::ALL));
    let is_exempt = vat_rate.is_none_or(VatRate::is_zero)
        && vat_category.is_none_or(|category| category == VatCategory::Exempt);
    if exemption.is_some() && !is_exempt {
        fields.fault("exemption", Reason::ExemptionOfOther);
        return None;
    }
    exemption
}

/// Reads a date that can be removed: `None` if the field is absent, `Some(None)` if it is null.
fn removable_day(
    fields: &mut Fields<'_, '_>,
    name: &'static str,
    meaning: &str,
) -> Option<Option<Date>> {
    let removed = fields.is_null(name);
    fields.optional(name, meaning, CalendarDate).map(Some).or(removed.then_some(None))
}

/// Reads the fields for editing a draft. `dated` and `supplied` are the draft's own dates, which
/// determine the VAT rates unless the edit changes them.
pub fn edited_invoice(
    fields: &mut Fields<'_, '_>,
    dated: Date,
    supplied: SupplyDays,
) -> Parsed<EditInvoice, Option<CustomerInput>> {
    let takes_reference_away = fields.is_null("reference");
    let takes_notes_away = fields.is_null("notes");
    let moves = fields.has("invoiceDate");
    let meaning = "Date of the invoice. If a draft is sent with another date than before, the \
                   earlier date is its date of supply, unless supplyDate is given.";
    let invoice_date = fields.optional("invoiceDate", meaning, CalendarDate);
    let supply_date = removable_day(fields, "supplyDate", SUPPLY_DATE);
    let supply_until = removable_day(fields, "supplyUntil", SUPPLY_UNTIL);
    let last_supplied =
        supply_until.unwrap_or(supplied.last).or(supply_date.unwrap_or(supplied.first));
    // Without a valid date the rates cannot be validated.
    let on = if moves { invoice_date } else { Some(dated) };
    let status = fields.optional(
        "status",
        "`sent` makes the draft final. It does not mail the invoice.",
        Choice(STATUSES),
    );
    let customer = fields.object("customer", CUSTOMER_MEANING, Presence::Optional, read_customer);
    let rates_on = match last_supplied {
        Some(day) => Some(day),
        None if moves && status == Some(Status::Sent) => Some(dated),
        None => on,
    };
    let rates = customer.as_ref().map_or(Rates::AllOfEu, Rates::of_customer);
    let lines = read_lines(fields, Presence::Optional, (rates_on, rates));
    let (prices, prepayment, sets_off) = read_terms(fields);
    let due = read_due(fields, on);
    let reference = fields.optional(
        "reference",
        "Reference printed on the invoice; null removes it.",
        SingleLine(255),
    );
    let notes = fields.optional(
        "notes",
        "Notes printed on the invoice; null removes them.",
        MultiLine(5000),
    );
    let particulars = edited_particulars(fields);
    let language = fields.removable("language", DOCUMENT_LANGUAGE, OneOf(Language::ALL));
    let if_filed = if_filed(fields);
    let edit = EditInvoice {
        language,
        status,
        invoice_date,
        supply_date,
        supply_until,
        customer: customer.clone(),
        lines,
        prices,
        prepayment,
        sets_off,
        due,
        reference: reference.map(Some).or(takes_reference_away.then_some(None)),
        notes: notes.map(Some).or(takes_notes_away.then_some(None)),
        particulars,
        if_filed,
    };
    Parsed::with_partial(None, Some(edit), customer)
}

/// Reads the fields of a request to move the VAT on payments received before the invoice.
pub fn vat_move(fields: &mut Fields<'_, '_>) -> Parsed<IfFiled> {
    Parsed::new(None, Some(if_filed(fields)))
}

/// Reads the fields of a credit note on an invoice. `rates_on` is the date that determined the VAT
/// rates of the invoice, and determines those of the credit note. `has_foreign_vat` is true if the
/// invoice charges VAT of other member states.
pub fn new_credit_note(
    fields: &mut Fields<'_, '_>,
    invoice_id: i64,
    (rates_on, has_foreign_vat): (Date, bool),
) -> Parsed<NewCreditNote, PartialCreditNote> {
    let external_id = fields.optional("externalId", EXTERNAL_ID_MEANING, EXTERNAL_ID);
    let meaning = "Date of the credit note, no earlier than that of the invoice; it determines \
                   the VAT period. Default: today in Amsterdam, or the date of the invoice if \
                   that is later.";
    let date = fields.optional("date", meaning, CalendarDate);
    let rates = if has_foreign_vat { Rates::AllOfEu } else { Rates::Stated };
    let lines = fields.list(
        "items",
        "Lines of the document; required for an invoice that was open when the books began.",
        Presence::Optional,
        (1, MOST_ITEMS),
        LINE_DEFAULTS,
        |fields| read_credited_line(fields, (Some(rates_on), rates)),
    );
    let reason = fields.optional("reason", "Reason, printed on the credit note.", MultiLine(1000));
    let if_filed = if_filed(fields);
    let partial = PartialCreditNote { date, lines: lines.clone() };
    let command = NewCreditNote {
        external_id: external_id.clone(),
        invoice_id,
        date,
        lines,
        reason,
        if_filed,
    };
    Parsed::with_partial(external_id, Some(command), partial)
}

/// Reads the fields for emailing an invoice.
pub fn sent_invoice(fields: &mut Fields<'_, '_>, invoice_id: i64) -> Parsed<SendInvoice> {
    let external_id = fields.optional("externalId", EXTERNAL_ID_MEANING, EXTERNAL_ID);
    let command = SendInvoice {
        external_id: external_id.clone(),
        invoice_id,
        to: fields.optional(
            "to",
            "Email address of the recipient. Default: the customer's.",
            mailable(),
        ),
        cc: fields.optional("cc", CC, Emails),
        subject: fields.optional(
            "subject",
            "Subject of the mail. Default: the usual one.",
            SingleLine(LONGEST_SUBJECT),
        ),
        message: fields.optional(
            "message",
            "Text of the mail. Default: the usual one.",
            MultiLine(LONGEST_TEXT),
        ),
        language: fields.optional("language", SENT_IN, OneOf(Language::ALL)),
        copy_to_me: fields.optional("copyToMe", COPY_TO_ME, Flag).unwrap_or(false),
        not_before: None,
    };
    Parsed::new(external_id, Some(command))
}

/// Reads the fields of a new contact.
pub fn new_contact(fields: &mut Fields<'_, '_>) -> Parsed<NewContact> {
    let external_id = fields.optional("externalId", EXTERNAL_ID_MEANING, EXTERNAL_ID);
    let name = fields.required("name", "Name of the person or company.", SingleLine(255));
    let country = fields.optional("country", "Country of the contact. Default: NL.", Country);
    let details = read_details(fields, Nulls::Absent);
    let given = PartialParty { external_id: Some(external_id.clone()), country, ..details };
    let account = PayeeAccount {
        iban: fields.optional("iban", PAYEE_IBAN, iban()),
        bic: fields.optional("bic", PAYEE_BIC, bic()),
    };
    let party = name.map(|name| given.applied_to(Party::named(name)));
    Parsed::new(external_id, party.map(|party| NewContact { party, account }))
}

const PAYEE_IBAN: &str = "IBAN to which bills of the contact are paid.";
const PAYEE_BIC: &str = "BIC of its bank; not needed for payments in euros.";

/// Names of contact statuses in the API, and whether they mean archived.
pub const CONTACT_STATUSES: &[(&str, bool)] = &[("active", false), ("archived", true)];

/// Reads the fields for editing a contact; absent fields stay unchanged.
pub fn edited_contact(fields: &mut Fields<'_, '_>) -> Parsed<EditContact> {
    let external_id = fields.removable("externalId", "Your own identifier.", EXTERNAL_ID);
    let name = fields.changeable("name", "Name of the person or company.", SingleLine(255));
    let country = fields.changeable("country", "Country of the contact.", Country);
    let party = PartialParty { external_id, name, country, ..read_details(fields, Nulls::Remove) };
    let meaning = "`active` or `archived`. An archived contact is not offered for new documents; \
                   existing references remain valid.";
    let archived = fields.changeable("status", meaning, Choice(CONTACT_STATUSES));
    let iban = fields.removable("iban", PAYEE_IBAN, iban());
    let bic = fields.removable("bic", PAYEE_BIC, bic());
    let external_id = party.external_id.clone().flatten();
    Parsed::new(external_id, Some(EditContact { party, archived, iban, bic }))
}

/// Reads the fields for merging a contact into another contact.
pub fn merged_contact(fields: &mut Fields<'_, '_>) -> Parsed<i64> {
    Parsed::new(
        None,
        fields.required("into", "Id of the contact that remains.", Integer(1, i64::MAX)),
    )
}

/// Email addresses of further recipients; in a form, separated by commas, semicolons or spaces.
pub(super) struct Emails;

impl Reader for Emails {
    type Value = Vec<String>;

    fn read(&self, raw: &Raw) -> Result<Vec<String>, Reason> {
        let addresses: Vec<Raw> = match raw {
            Raw::Array(items) => items.clone(),
            Raw::Typed(text, language) => text
                .split([',', ';', ' '])
                .filter(|address| !address.is_empty())
                .map(|address| Raw::Typed(address.to_owned(), *language))
                .collect(),
            _ => return Err(Reason::NotAList),
        };
        if addresses.len() > MOST_CC {
            return Err(Reason::TooMany { most: MOST_CC, given: addresses.len() });
        }
        addresses.iter().map(|address| mailable().read(address)).collect()
    }

    fn schema(&self) -> Value {
        json!({ "type": "array", "maxItems": MOST_CC, "items": mailable().schema() })
    }
}

/// Uses of an email address.
struct Uses;

impl Reader for Uses {
    type Value = Vec<EmailUse>;

    fn read(&self, raw: &Raw) -> Result<Vec<EmailUse>, Reason> {
        let items = listed(raw).ok_or(Reason::NotAList)?;
        let given = items.into_iter().map(|of| OneOf(EmailUse::ALL).read(of));
        let given = given.collect::<Result<Vec<EmailUse>, Reason>>()?;
        if given.is_empty() {
            return Err(Reason::EmailWithoutUse);
        }
        Ok(EmailUse::ALL.iter().copied().filter(|of| given.contains(of)).collect())
    }

    fn schema(&self) -> Value {
        json!({ "type": "array", "minItems": 1, "items": OneOf(EmailUse::ALL).schema() })
    }
}

/// Maximum number of email addresses of a contact.
const MOST_EMAILS: usize = 10;

/// Reads the email addresses with their uses, as text ([`CustomerEmail::to_text`]), and the first of
/// them for invoices.
fn read_emails(
    fields: &mut Fields<'_, '_>,
    nulls: Nulls,
) -> Option<Option<(String, Option<String>)>> {
    let is_removed = nulls == Nulls::Remove && fields.is_null("emails");
    let meaning = "Email addresses by use: the first one of a use is the recipient of such emails, \
                   the others get a copy (Cc). `email` is the first one for invoices.";
    let read = |fields: &mut Fields<'_, '_>| {
        let email = fields.required("email", EMAIL, mailable());
        let meaning = "What the address is used for. Default: everything.";
        let uses = fields.with_default("uses", meaning, Uses, EmailUse::ALL.to_vec());
        email.zip(uses).map(|(email, uses)| CustomerEmail { email, uses })
    };
    let given = fields.list("emails", meaning, Presence::Optional, (0, MOST_EMAILS), &[], read);
    let first = |emails: &[CustomerEmail]| {
        let first = emails.iter().find(|address| address.is_for(EmailUse::Invoice));
        first.map(|address| address.email.clone())
    };
    match given {
        Some(emails) if emails.is_empty() => Some(None),
        Some(emails) => Some(Some((CustomerEmail::to_text(&emails), first(&emails)))),
        None => is_removed.then_some(None),
    }
}

/// Reads the VAT usually charged to a customer: rate, category and kind of supply, as texts.
fn read_usual_vat(fields: &mut Fields<'_, '_>, nulls: Nulls) -> Option<[Option<String>; 3]> {
    let is_removed = nulls == Nulls::Remove && fields.is_null("vatDefault");
    let meaning = "VAT proposed to this customer where an invoice leaves `vatRate` out, before every \
                   other rule.";
    let given = fields.object("vatDefault", meaning, Presence::Optional, |fields| {
        let rate = fields.required("vatRate", "VAT rate in per cent.", usual_rate());
        let meaning =
            "VAT category. Default: the one that the rate and the customer's country give.";
        let category = fields.optional("vatCategory", meaning, OneOf(VatCategory::PUBLIC));
        let meaning = "Kind of supply. Default: the setting of the account.";
        let supply = fields.optional("supply", meaning, OneOf(Supply::ALL));
        if let (Some(rate), Some(category)) = (rate, category)
            && rate.is_zero() == category.is_taxed()
        {
            fields.fault("vatCategory", category_reason(rate));
        }
        [
            rate.map(|rate| decimal::plain(&rate.percent())),
            category.map(|category| category.as_str().to_owned()),
            supply.map(|supply| supply.as_str().to_owned()),
        ]
    });
    given.or_else(|| is_removed.then(Default::default))
}

/// Reason why a category does not go with a rate.
fn category_reason(rate: VatRate) -> Reason {
    if rate.is_zero() {
        let others = VatCategory::PUBLIC.iter().filter(|category| !category.is_taxed());
        Reason::CategoryOfZeroRate { known: others.map(|category| category.as_str()).collect() }
    } else {
        Reason::CategoryOfRate
    }
}

/// Returns a reader of a rate of any day; the command checks whether it is in force.
pub(super) fn usual_rate() -> impl Reader<Value = VatRate> {
    validated(
        DecimalNumber,
        || json!({ "minimum": 0, "maximum": 100, "examples": [21] }),
        |percent| {
            let percent = decimal::without_residue(&percent, 2).unwrap_or(percent);
            let points = u16::try_from(percent * Decimal::ONE_HUNDRED).ok();
            let rate = points.map(VatRate::from_basis_points);
            let rate = rate.filter(|rate| rate.percent() == percent);
            let (least, most) = (Decimal::ZERO, Decimal::ONE_HUNDRED);
            rate.filter(|_| percent <= most).ok_or(Reason::OutOfRange { least, most })
        },
    )
}

/// Returns a reader of a telephone number.
pub(super) fn phone() -> impl Reader<Value = String> {
    validated(
        SingleLine(40),
        || json!({ "pattern": "^[0-9+() .-]+$", "examples": ["+31 30 123 45 67"] }),
        |text| {
            let is_allowed = |c: char| c.is_ascii_digit() || "+()-. ".contains(c);
            let is_number = text.chars().any(|c| c.is_ascii_digit());
            if is_number && text.chars().all(is_allowed) {
                Ok(text)
            } else {
                Err(Reason::InvalidPhone)
            }
        },
    )
}

fn peppol_id() -> impl Reader<Value = PeppolId> {
    validated(
        SingleLine(55),
        || json!({ "pattern": "^[0-9]{4}:[A-Za-z0-9:_.-]{1,50}$", "examples": ["0106:12345678"] }),
        |text| Ok(PeppolId::parse(&text)?),
    )
}

/// Returns a reader of a customer's VAT number, whose check digits may be wrong.
fn customer_vat_number() -> impl Reader<Value = VatNumber> {
    validated(
        SingleLine(40),
        || json!({ "examples": ["NL002455799B11"] }),
        |text| Ok(VatNumber::of_customer(&text)?),
    )
}

/// Reads the details of a contact, or of the customer on an invoice.
// Long: it reads every detail.
fn read_details(fields: &mut Fields<'_, '_>, nulls: Nulls) -> PartialParty {
    let vat_number_meaning = match nulls {
        Nulls::Absent => {
            "VAT number of the EU, XI, GB or CHE, such as NL002455799B11. Its format is validated; \
             wrong check digits and the prefix of another country cause a warning on invoices."
        }
        Nulls::Remove => {
            "VAT number of the EU, XI, GB or CHE. Its format is validated; wrong check digits and \
             the prefix of another country cause a warning on invoices."
        }
    };
    let address_meaning = match nulls {
        Nulls::Absent => "Postal address.",
        Nulls::Remove => "Postal address; null removes all of it.",
    };
    let mut email = nulls.read(fields, "email", EMAIL, mailable());
    let emails = read_emails(fields, nulls);
    if let (Some(Some(email)), Some(Some((_, first)))) = (&email, &emails)
        && first.as_ref() != Some(email)
    {
        fields.fault("email", Reason::EmailNotFirst);
    }
    if let Some(Some((_, first))) = &emails {
        email = Some(first.clone());
    }
    let emails = emails.map(|emails| emails.map(|(text, _)| text));
    let vat_number = nulls.read(fields, "vatNumber", vat_number_meaning, customer_vat_number());
    let kvk_number = nulls.read(
        fields,
        "kvkNumber",
        "KvK number (Dutch chamber of commerce), eight digits.",
        kvk_number(),
    );
    let contact_person =
        validated(SingleLine(255), || json!({ "examples": ["Anna de Bakker"] }), Ok);
    let contact_person = nulls.read(fields, "contactPerson", "Contact person.", contact_person);
    let removes_address = nulls == Nulls::Remove && fields.is_null("address");
    let address = fields.object("address", address_meaning, Presence::Optional, |fields| {
        let street = nulls.read(fields, "street", "Street and house number.", SingleLine(255));
        let postal_code = nulls.read(fields, "postalCode", "Postal code.", SingleLine(20));
        (street, postal_code, nulls.read(fields, "city", "City.", SingleLine(255)))
    });
    let kind = validated(OneOf(CustomerKind::ALL), || json!({}), |kind| Ok(kind.as_str()));
    let meaning = "Kind of customer. Default: business with a KvK or VAT number, otherwise unknown: \
                   reminders treat it as a consumer.";
    let kind = nulls.read(fields, "kind", meaning, kind);
    let language = validated(OneOf(Language::ALL), || json!({}), |chosen| Ok(chosen.as_str()));
    let meaning = "Language of documents and emails. Default: the account's.";
    let language = nulls.read(fields, "language", meaning, language);
    let phone = nulls.read(fields, "phone", "Telephone number.", phone());
    let meaning = "Days between invoice date and due date, where an invoice names neither a term \
                   nor a due date. Default: the account's.";
    let term = nulls.read(fields, "paymentTermDays", meaning, Integer(0, 365));
    let usual = read_usual_vat(fields, nulls);
    let meaning = "Electronic address of Peppol, `scheme:value`. Default: the KvK number (0106), the \
                   number of a Belgian VAT number (0208), or the scheme of another EU VAT number.";
    let peppol_id = nulls.read(fields, "peppolId", meaning, peppol_id());
    let meaning = "Whether the customer gets no reminders of any invoice. Default: false.";
    let stopped = match nulls {
        Nulls::Absent => fields.optional("remindersStopped", meaning, Flag).map(Some),
        Nulls::Remove => fields.removable("remindersStopped", meaning, Flag),
    };
    let reminders_stopped =
        stopped.map(|stopped| (stopped == Some(true)).then(|| true.to_string()));
    let absent = removes_address.then_some(None);
    let (street, postal_code, city) = address.unwrap_or((absent.clone(), absent.clone(), absent));
    PartialParty {
        email,
        vat_number,
        kvk_number,
        contact_person,
        street,
        postal_code,
        city,
        kind,
        language,
        phone,
        payment_term_days: term,
        vat_default_rate: usual.clone().map(|[rate, ..]| rate),
        vat_default_category: usual.clone().map(|[_, category, _]| category),
        vat_default_supply: usual.map(|[.., supply]| supply),
        peppol_id,
        emails,
        reminders_stopped,
        ..PartialParty::default()
    }
}

/// Meaning of null or of an empty form field.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Nulls {
    /// The field is treated as absent.
    Absent,
    /// The stored value is removed.
    Remove,
}

impl Nulls {
    /// Reads a detail as text.
    fn read<R: Reader<Value: ToString>>(
        self,
        fields: &mut Fields<'_, '_>,
        name: &'static str,
        meaning: &str,
        reader: R,
    ) -> Option<Option<String>> {
        let value = match self {
            Self::Absent => fields.optional(name, meaning, reader).map(Some),
            Self::Remove => fields.removable(name, meaning, reader),
        };
        value.map(|value| value.map(|value| value.to_string()))
    }
}

const EMAIL: &str =
    "Email address that can receive mail. An international domain is stored in A-labels (`xn--…`).";

/// Returns a reader of an email address to which messages can be sent. The schema accepts more
/// addresses than the reader, because a pattern cannot express which host names are valid.
pub(super) fn mailable() -> impl Reader<Value = String> {
    validated(
        SingleLine(254),
        || json!({ "pattern": r"^[^\s@]+@[^\s@]+$" }),
        |text| EmailAddress::of_recipient(&text).map(String::from),
    )
}

pub(super) fn vat_number() -> impl Reader<Value = VatNumber> {
    validated(
        SingleLine(40),
        || json!({ "examples": ["NL002455799B11"] }),
        |text| Ok(VatNumber::parse(&text)?),
    )
}

pub(super) fn kvk_number() -> impl Reader<Value = KvkNumber> {
    validated(
        SingleLine(20),
        || json!({ "pattern": "^([ .-]*[0-9]){8}[ .-]*$", "examples": ["12345678"] }),
        |text| Ok(KvkNumber::parse(&text)?),
    )
}
