//! Read model of an invoice or credit note: exactly the data that a document shows.
//!
//! The model is independent of how the books store an invoice. Amounts of a credit note are
//! negative, as in the books; each document format writes them by its own rules.

use jiff::civil::Date;
use ledger::{
    country::CountryCode,
    decimal::Decimal,
    identifiers::{Bic, Iban, KvkNumber, PeppolId, VatNumber},
    language::Language,
    money::Cents,
    vat::VatRate,
};

/// An invoice or credit note.
///
/// ```
/// use documents::{
///     epc,
///     invoice::{Address, Buyer, DocumentKind, Invoice, Line, Seller, VatGroup, VatTreatment, Version},
///     pdf::{self, Appearance},
///     ubl,
/// };
/// use ledger::{
///     calendar::parse_date,
///     country::CountryCode,
///     decimal::Decimal,
///     identifiers::{Iban, KvkNumber, VatNumber},
///     language::Language,
///     money::Cents,
///     vat::VatRate,
/// };
///
/// let address = |street: &str| Address {
///     street: Some(street.into()),
///     postal_code: Some("3511 AB".into()),
///     city: Some("Utrecht".into()),
///     country: CountryCode::NL,
/// };
/// let seller = Seller {
///     name: "Studio".into(),
///     address: address("Oudegracht 1"),
///     kvk_number: Some(KvkNumber::parse("01234567")?),
///     vat_number: Some(VatNumber::parse("NL002455799B11")?),
///     iban: Some(Iban::parse("NL91ABNA0417164300")?),
///     bic: None,
///     account_holder: None,
///     email: None,
///     phone: None,
///     website: None,
/// };
/// let buyer = Buyer {
///     name: "Bakery".into(),
///     contact_person: None,
///     address: address("Oudegracht 2"),
///     email: None,
///     vat_number: None,
///     kvk_number: None,
///     peppol_id: None,
///     is_business: false,
/// };
/// let (high, treatment) = (VatRate::from_basis_points(2_100), VatTreatment::Standard);
/// let (base, vat, total) = (Cents::new(76_400), Cents::new(16_044), Cents::new(92_444));
/// let line = Line {
///     description: "Web design".into(),
///     quantity: Decimal::new(8, 0),
///     unit: Some("hour".into()),
///     unit_price: Decimal::new(9_550, 2),
///     vat_rate: high,
///     treatment,
///     gross: base,
///     discount: Cents::ZERO,
///     discount_percent: None,
///     amount: base,
///     amount_incl_vat: total,
/// };
/// let invoice = Invoice {
///     kind: DocumentKind::Invoice,
///     number: "2026-0001".into(),
///     version: Version::Sent,
///     test: false,
///     language: Language::English,
///     issue_date: parse_date("2026-03-15")?,
///     due_date: Some(parse_date("2026-03-29")?),
///     supply: None,
///     seller,
///     buyer,
///     reference: None,
///     order_number: None,
///     buyer_reference: None,
///     lines: vec![line],
///     prices_include_vat: false,
///     lines_total: base,
///     discount: Cents::ZERO,
///     discount_percent: None,
///     discount_description: None,
///     vat: vec![VatGroup { rate: high, treatment, discount: Cents::ZERO, base, amount: vat }],
///     subtotal: base,
///     vat_total: vat,
///     total,
///     notes: None,
/// };
///
/// let e_invoice = ubl::write(&invoice)?;
/// assert!(String::from_utf8_lossy(&e_invoice).contains(r#"<cbc:PayableAmount currencyID="EUR">924.44<"#));
/// assert!(epc::payload(&invoice).is_some_and(|code| code.contains("EUR924.44")));
/// let file = pdf::write(&invoice, &Appearance::default(), Some(&e_invoice))?;
/// assert!(file.starts_with(b"%PDF-"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Invoice {
    /// Kind of document.
    pub kind: DocumentKind,
    /// Number (art. 35a(1)(b) Wet OB 1968); empty in a preview.
    pub number: String,
    /// Version: draft, sent, or a translation of the sent document.
    pub version: Version,
    /// Whether the document belongs to a test account; every page and the e-invoice then say so.
    pub test: bool,
    /// Language of the document.
    pub language: Language,
    /// Date of issue (art. 35a(1)(a)).
    pub issue_date: Date,
    /// Payment deadline, or last day of a quote; a credit note has none.
    pub due_date: Option<Date>,
    /// Period of supply, if it differs from the date of issue (art. 35a(1)(g)).
    pub supply: Option<Period>,
    /// Supplier.
    pub seller: Seller,
    /// Customer.
    pub buyer: Buyer,
    /// Reference of the buyer.
    pub reference: Option<String>,
    /// The buyer's order number (BT-13).
    pub order_number: Option<String>,
    /// The buyer's reference for routing the document (BT-10).
    pub buyer_reference: Option<String>,
    /// Lines, in order; at least one.
    pub lines: Vec<Line>,
    /// Whether the unit prices of the lines include VAT.
    pub prices_include_vat: bool,
    /// Sum of the lines in cents, including VAT if the unit prices do.
    pub lines_total: Cents,
    /// Discount on the lines in cents, including VAT if the unit prices do.
    pub discount: Cents,
    /// Percentage of that discount, if it is one.
    pub discount_percent: Option<Decimal>,
    /// Description of that discount, as written by the user.
    pub discount_description: Option<String>,
    /// VAT per rate and treatment (art. 35a(1)(h) to (j)).
    pub vat: Vec<VatGroup>,
    /// Total excluding VAT after the discount, in cents.
    pub subtotal: Cents,
    /// Total VAT, in cents.
    pub vat_total: Cents,
    /// Total including VAT, in cents.
    pub total: Cents,
    /// The user's notes on this invoice.
    pub notes: Option<String>,
}

impl Invoice {
    /// Returns the unit price excluding VAT, in euros, if the invoice must state it (art. 35a(1)(h)
    /// Wet OB 1968): its prices include VAT, the rate is above zero, and the buyer is a business.
    #[must_use]
    pub fn net_price(&self, line: &Line) -> Option<Decimal> {
        let is_asked_for =
            self.prices_include_vat && self.buyer.is_business && !line.vat_rate.is_zero();
        is_asked_for.then(|| line.vat_rate.net_price(&line.unit_price))
    }
}

/// Kind of document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DocumentKind {
    /// Invoice.
    Invoice,
    /// Prepayment invoice, before the supply (art. 34c(1)(d) and (e) Wet OB 1968).
    Prepayment,
    /// Credit note on an invoice, in full or in part (art. 34f Wet OB 1968).
    CreditNote {
        /// Number of the invoice.
        invoice_number: String,
        /// Date of the invoice.
        invoice_date: Date,
        /// Reason, as written by the user.
        reason: Option<String>,
    },
    /// Quote: its due date is the last day on which it is valid, and nothing is to be paid.
    Quote,
}

/// Version of a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Version {
    /// Not sent yet, so it can change.
    Draft,
    /// As sent.
    Sent,
    /// Translation of the sent document.
    Translation,
}

/// Period from a first to a last day.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Period {
    /// The first day.
    pub from: Date,
    /// The last day, not before the first.
    pub until: Date,
}

/// Postal address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Address {
    /// Street and number, possibly on several lines.
    pub street: Option<String>,
    /// The postal code.
    pub postal_code: Option<String>,
    /// The town.
    pub city: Option<String>,
    /// The country.
    pub country: CountryCode,
}

impl Address {
    /// Returns the street, postal code and town, if all three are present and not blank.
    #[must_use]
    pub fn complete(&self) -> Option<(&str, &str, &str)> {
        let [street, postal_code, city] = [&self.street, &self.postal_code, &self.city]
            .map(|text| text.as_deref().filter(|text| !text.trim().is_empty()));
        Some((street?, postal_code?, city?))
    }
}

/// Supplier, with the data required by law and for payment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Seller {
    /// Trade name.
    pub name: String,
    /// Address.
    pub address: Address,
    /// Number in the business register.
    pub kvk_number: Option<KvkNumber>,
    /// VAT identification number.
    pub vat_number: Option<VatNumber>,
    /// Bank account for payments.
    pub iban: Option<Iban>,
    /// BIC of the bank, which customers abroad are shown.
    pub bic: Option<Bic>,
    /// Holder of the bank account; defaults to the seller's name.
    pub account_holder: Option<String>,
    /// Email address.
    pub email: Option<String>,
    /// Telephone number.
    pub phone: Option<String>,
    /// Website.
    pub website: Option<String>,
}

/// Customer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Buyer {
    /// Name.
    pub name: String,
    /// Contact person.
    pub contact_person: Option<String>,
    /// Address.
    pub address: Address,
    /// Email address.
    pub email: Option<String>,
    /// VAT identification number.
    pub vat_number: Option<VatNumber>,
    /// Number in the Dutch business register.
    pub kvk_number: Option<KvkNumber>,
    /// Electronic address of Peppol, if it is not the one that follows from the numbers.
    pub peppol_id: Option<PeppolId>,
    /// Whether the customer is a business.
    pub is_business: bool,
}

/// Invoice line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// Description of the supply. Its first line is the name; the other lines are details.
    pub description: String,
    /// Quantity; negative for a discount, and on a credit note.
    pub quantity: Decimal,
    /// Unit of the quantity: a known one ([`ledger::unit::KNOWN`]) or any other text.
    pub unit: Option<String>,
    /// Unit price in euros, including VAT if the invoice's prices do.
    pub unit_price: Decimal,
    /// The rate.
    pub vat_rate: VatRate,
    /// VAT treatment.
    pub treatment: VatTreatment,
    /// Quantity × price in cents, including VAT if the invoice's prices do.
    pub gross: Cents,
    /// Discount of the line in cents, including VAT if the invoice's prices do.
    pub discount: Cents,
    /// Percentage of that discount, if it is one.
    pub discount_percent: Option<Decimal>,
    /// Amount after the discount of the line, excluding VAT, in cents.
    pub amount: Cents,
    /// Amount including VAT, in cents; only used if the invoice's prices include VAT.
    pub amount_incl_vat: Cents,
}

/// VAT group: all lines with one rate and treatment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VatGroup {
    /// The rate.
    pub rate: VatRate,
    /// VAT treatment.
    pub treatment: VatTreatment,
    /// Part of the discount on all lines, excluding VAT, in cents.
    pub discount: Cents,
    /// Sum of the line amounts less that discount, excluding VAT, in cents.
    pub base: Cents,
    /// VAT on that sum, in cents.
    pub amount: Cents,
}

/// VAT treatment of a line, as far as a document has to state it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum VatTreatment {
    /// Taxed at a rate above zero.
    Standard,
    /// The zero rate inside the Netherlands (table II Wet OB 1968).
    Zero,
    /// Exempt (art. 11 Wet OB 1968).
    Exempt,
    /// Exempt under the small businesses scheme, KOR (art. 25a Wet OB 1968): the document does not
    /// mention VAT.
    SmallBusiness,
    /// Exempt (art. 11 Wet OB 1968), sold by a business under the small businesses scheme. The
    /// documents of such a business do not mention VAT (art. 25a(4)).
    ExemptUnderKor,
    /// VAT owed by a Dutch customer, "btw verlegd" (art. 12 Wet OB 1968).
    ReverseCharge,
    /// A service to a business in another member state (art. 44 and 196 Directive 2006/112/EC).
    EuService,
    /// Goods to a business in another member state (art. 138 Directive 2006/112/EC).
    EuGoods,
    /// The second supply of a simplified triangular transaction (art. 141 Directive 2006/112/EC).
    Triangular,
    /// Goods exported from the European Union (art. 146 Directive 2006/112/EC).
    Export,
    /// A service supplied outside the European Union (art. 44 Directive 2006/112/EC).
    ServiceOutsideEu,
    /// Outside the scope of VAT.
    OutOfScope,
    /// Taxed in another member state under the Union scheme (art. 28q Wet OB 1968).
    Foreign(CountryCode),
}

impl VatTreatment {
    /// All treatments, one of them with an arbitrary country.
    pub const ALL: [Self; 13] = [
        Self::Standard,
        Self::Zero,
        Self::Exempt,
        Self::SmallBusiness,
        Self::ExemptUnderKor,
        Self::ReverseCharge,
        Self::EuService,
        Self::EuGoods,
        Self::Triangular,
        Self::Export,
        Self::ServiceOutsideEu,
        Self::OutOfScope,
        Self::Foreign(CountryCode::NL),
    ];
}

impl Invoice {
    /// Whether the document is a credit note.
    #[must_use]
    pub fn is_credit_note(&self) -> bool {
        matches!(self.kind, DocumentKind::CreditNote { .. })
    }

    /// Whether the document is a quote, which asks for no payment and is no e-invoice.
    #[must_use]
    pub fn is_quote(&self) -> bool {
        self.kind == DocumentKind::Quote
    }

    /// Returns the treatments in use, each once, in the order of the VAT specification.
    #[must_use]
    pub fn treatments(&self) -> Vec<VatTreatment> {
        let mut found = Vec::new();
        for treatment in self
            .vat
            .iter()
            .map(|group| group.treatment)
            .chain(self.lines.iter().map(|line| line.treatment))
        {
            if !found.contains(&treatment) {
                found.push(treatment);
            }
        }
        found
    }

    /// Whether the invoice is issued under the small businesses scheme, and so does not mention VAT.
    /// VAT of another country is stated all the same.
    #[must_use]
    pub fn is_small_business(&self) -> bool {
        let treatments = self.treatments();
        if treatments.iter().any(|treatment| matches!(treatment, VatTreatment::Foreign(_))) {
            return false;
        }
        [VatTreatment::SmallBusiness, VatTreatment::ExemptUnderKor]
            .iter()
            .any(|treatment| treatments.contains(treatment))
    }
}
