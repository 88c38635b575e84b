//! An invoice or credit note as a document shows it: everything that is printed, and nothing else.
//!
//! The read model is independent of how the books keep an invoice. Amounts of a credit note are negative, as in the books; each document
//! writes them in the way of its form.

use jiff::civil::Date;
use ledger::{
    country::CountryCode,
    decimal::Decimal,
    identifiers::{Iban, KvkNumber, VatNumber},
    language::Language,
    money::Cents,
    vat::VatRate,
};

/// An invoice or credit note.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Invoice {
    /// What kind of document it is.
    pub kind: DocumentKind,
    /// Its number (art. 35a(1)(b) Wet OB 1968).
    pub number: String,
    /// Draft, sent or a translation of what was sent.
    pub version: Version,
    /// Whether it belongs to a test account: then every page and the e-invoice say so.
    pub test: bool,
    /// The language of its words.
    pub language: Language,
    /// The day on which it is issued (art. 35a(1)(a)).
    pub issue_date: Date,
    /// The day by which it should be paid; a credit note has none.
    pub due_date: Option<Date>,
    /// When it was supplied, where that is not the day of issue (art. 35a(1)(g)).
    pub supply: Option<Period>,
    /// Who supplies.
    pub seller: Seller,
    /// Who receives.
    pub buyer: Buyer,
    /// The buyer's own reference, such as an order number.
    pub reference: Option<String>,
    /// The lines, in order; at least one.
    pub lines: Vec<Line>,
    /// Whether the unit prices of the lines include VAT.
    pub prices_include_vat: bool,
    /// The VAT per rate and treatment (art. 35a(1)(h) to (j)).
    pub vat: Vec<VatGroup>,
    /// Excluding VAT.
    pub subtotal: Cents,
    /// The VAT.
    pub vat_total: Cents,
    /// Including VAT.
    pub total: Cents,
    /// What the person wrote on this invoice.
    pub notes: Option<String>,
}

impl Invoice {
    /// The unit price excluding VAT of a line whose price includes it, in euros: asked for on an invoice to a business (art. 35a(1)(h)
    /// Wet OB 1968). A customer without a number of the business register or for VAT is taken for a consumer.
    #[must_use]
    pub fn net_price(&self, line: &Line) -> Option<Decimal> {
        let is_business = self.buyer.vat_number.is_some() || self.buyer.kvk_number.is_some();
        let is_asked_for = self.prices_include_vat && is_business && !line.vat_rate.is_zero();
        is_asked_for.then(|| line.vat_rate.net_price(&line.unit_price))
    }
}

/// What kind of document it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DocumentKind {
    /// Asks for money.
    Invoice,
    /// Asks for money before the supply (art. 34c(1)(d) and (e) Wet OB 1968).
    Prepayment,
    /// Takes an invoice back, wholly or in part (art. 34f Wet OB 1968).
    CreditNote {
        /// The number of the invoice.
        invoice_number: String,
        /// The day of the invoice.
        invoice_date: Date,
        /// What changes, in the person's words.
        reason: Option<String>,
    },
}

/// Which version of the document this is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Version {
    /// Not sent yet: it can change.
    Draft,
    /// As it was sent.
    Sent,
    /// In another language than it was sent in.
    Translation,
}

/// A first and a last day.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Period {
    /// The first day.
    pub from: Date,
    /// The last day, not before the first.
    pub until: Date,
}

/// Where somebody is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Address {
    /// Street and number; may be several lines.
    pub street: Option<String>,
    /// The postal code.
    pub postal_code: Option<String>,
    /// The town.
    pub city: Option<String>,
    /// The country.
    pub country: CountryCode,
}

impl Address {
    /// Street, postal code and town when all three are there and not blank.
    #[must_use]
    pub fn complete(&self) -> Option<(&str, &str, &str)> {
        let [street, postal_code, city] =
            [&self.street, &self.postal_code, &self.city].map(|text| text.as_deref().filter(|text| !text.trim().is_empty()));
        Some((street?, postal_code?, city?))
    }
}

/// Who supplies, with what the law and the bank ask for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Seller {
    /// The name under which it trades.
    pub name: String,
    /// Where it is.
    pub address: Address,
    /// Its number in the business register.
    pub kvk_number: Option<KvkNumber>,
    /// Its VAT identification number.
    pub vat_number: Option<VatNumber>,
    /// Where it is paid.
    pub iban: Option<Iban>,
    /// In whose name that bank account is; without it, the seller's.
    pub account_holder: Option<String>,
    /// Where it is written to.
    pub email: Option<String>,
    /// Where it is called.
    pub phone: Option<String>,
    /// Its site.
    pub website: Option<String>,
}

/// Who receives.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Buyer {
    /// Its name.
    pub name: String,
    /// Who there it is for.
    pub contact_person: Option<String>,
    /// Where it is.
    pub address: Address,
    /// Where it is written to.
    pub email: Option<String>,
    /// Its VAT identification number.
    pub vat_number: Option<VatNumber>,
    /// Its number in the Dutch business register.
    pub kvk_number: Option<KvkNumber>,
}

/// A line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// What was supplied: the first line of text names it, the others describe it.
    pub description: String,
    /// How many; negative for a discount, and on a credit note.
    pub quantity: Decimal,
    /// Euros per unit, including VAT if the invoice's prices do.
    pub unit_price: Decimal,
    /// The rate.
    pub vat_rate: VatRate,
    /// Why the rate is what it is.
    pub treatment: VatTreatment,
    /// The amount excluding VAT.
    pub amount: Cents,
    /// The amount including VAT; only read where prices include VAT.
    pub amount_incl_vat: Cents,
}

/// The VAT of all lines with one rate and treatment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VatGroup {
    /// The rate.
    pub rate: VatRate,
    /// Why the rate is what it is.
    pub treatment: VatTreatment,
    /// The sum of the lines, excluding VAT.
    pub base: Cents,
    /// The VAT on it.
    pub amount: Cents,
}

/// Why a line carries the VAT that it does, as a document has to say it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum VatTreatment {
    /// A rate above zero.
    Standard,
    /// The zero rate inside the Netherlands (table II Wet OB 1968).
    Zero,
    /// Exempt (art. 11 Wet OB 1968).
    Exempt,
    /// Exempt by the small businesses scheme, KOR (art. 25a Wet OB 1968): the document does not speak of VAT.
    SmallBusiness,
    /// VAT due by a Dutch customer, "btw verlegd" (art. 12 Wet OB 1968).
    ReverseCharge,
    /// A service to a business in another member state (art. 44 and 196 Directive 2006/112/EC).
    EuService,
    /// Goods to a business in another member state (art. 138 Directive 2006/112/EC).
    EuGoods,
    /// The second supply of a simplified triangular transaction (art. 141 Directive 2006/112/EC).
    Triangular,
    /// Goods out of the European Union (art. 146 Directive 2006/112/EC).
    Export,
    /// A service supplied outside the European Union (art. 44 Directive 2006/112/EC).
    ServiceOutsideEu,
    /// Not a supply for VAT.
    OutOfScope,
}

impl VatTreatment {
    /// All of them.
    pub const ALL: [Self; 11] = [
        Self::Standard,
        Self::Zero,
        Self::Exempt,
        Self::SmallBusiness,
        Self::ReverseCharge,
        Self::EuService,
        Self::EuGoods,
        Self::Triangular,
        Self::Export,
        Self::ServiceOutsideEu,
        Self::OutOfScope,
    ];
}

impl Invoice {
    /// Whether it gives money back.
    #[must_use]
    pub fn is_credit_note(&self) -> bool {
        matches!(self.kind, DocumentKind::CreditNote { .. })
    }

    /// The treatments that occur, each once, in the order of the VAT specification.
    #[must_use]
    pub fn treatments(&self) -> Vec<VatTreatment> {
        let mut found = Vec::new();
        for treatment in self.vat.iter().map(|group| group.treatment).chain(self.lines.iter().map(|line| line.treatment)) {
            if !found.contains(&treatment) {
                found.push(treatment);
            }
        }
        found
    }

    /// Whether the seller uses the small businesses scheme on it.
    #[must_use]
    pub fn is_small_business(&self) -> bool {
        self.treatments().contains(&VatTreatment::SmallBusiness)
    }
}
