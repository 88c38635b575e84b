//! Warnings about invoices that are legal but incomplete or probably wrong.

use super::{InvoiceDetails, is_counted_for_oss};
use crate::{contacts, days, invoice_documents::treatment};
use documents::ubl::{self, Cause, Identified};
use ledger::{
    country::CountryCode, customer::CustomerKind, identifiers::VatNumber, invoice::Line,
    money::Cents, oss::member_state, unusual_day::UnusualDay, vat::VatCategory, vat_date,
};
use store::invoices::{Invoice, InvoiceKind, Status};

/// Warning about an invoice that is legal but incomplete or probably wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Warning {
    /// VAT is reverse-charged to a customer whose VAT number is missing (art. 35a Wet OB 1968).
    CustomerVatNumberMissing,
    /// The document lacks the VAT number that the customer gave later, or shows another VAT number
    /// (art. 35a(1)(d) Wet OB 1968).
    DocumentLacksVatNumber,
    /// A line's VAT category does not fit the customer's country.
    CategoryContradictsCountry,
    /// Dutch VAT is charged to a customer in another EU country who has no VAT number (art. 6i Wet
    /// OB 1968), on a line that does not count towards the threshold of the Union scheme.
    ConsumerAbroad,
    /// Dutch VAT is charged to a business in another EU country, which owes the VAT itself (art. 44 and
    /// 196 Directive 2006/112/EC, art. 9(2)(b) Wet OB 1968).
    EuBusinessAtDutchRate,
    /// Dutch VAT is charged to a customer outside the EU on goods, or on services to somebody who is
    /// not known to be a consumer (art. 6(1) and 9(2)(b) Wet OB 1968).
    NonEuAtDutchRate,
    /// The customer is abroad, and may be a business or a consumer.
    CustomerKindUnknown,
    /// The address of a business is incomplete (art. 35a(1)(e) Wet OB 1968).
    CustomerAddressMissing,
    /// The check digits of the customer's VAT number are wrong.
    VatNumberSuspicious,
    /// The customer's VAT number is one of another country than the customer's.
    VatNumberContradictsCountry,
    /// An invoice for Peppol has no reference of the buyer (PEPPOL-EN16931-R003).
    BuyerReferenceMissing,
    /// The seller's address is incomplete (art. 35a(1)(e) Wet OB 1968).
    SupplierAddressMissing,
    /// The seller's number in the Business Register is missing (art. 27 Handelsregisterwet 2007).
    SupplierKvkMissing,
    /// The seller's VAT number is missing (art. 35a(1)(c) Wet OB 1968).
    SupplierVatNumberMissing,
    /// The invoice cannot be an e-invoice; see [`InvoiceDetails::not_expressible`].
    UblNotPossible,
    /// The PDF prints □ for characters without a glyph in the font.
    GlyphsMissing,
    /// The invoice is a draft, but included in a VAT return (art. 13 Wet OB 1968).
    DraftOnReturn,
    /// The invoice is dated after the 15th of the month after the supply (art. 34g Wet OB 1968).
    InvoicedLate,
    /// The invoice date is far from the rest of the books.
    DateUnusual(UnusualDay),
    /// A payment was received before the quarter in which the VAT is due (art. 13(2) Wet OB 1968).
    PaidBeforeInvoice,
    /// VAT was moved to the earlier VAT period in which a payment was received (art. 13(2) Wet OB
    /// 1968).
    VatMoved,
    /// The invoice sets off a prepayment invoice with a later date, so the VAT on the prepayment is
    /// deducted before it is due (art. 13 Wet OB 1968).
    FinalBeforePrepayment,
    /// The turnover under the small businesses scheme is near its limit (art. 25 Wet OB 1968).
    KorLimitNear,
    /// The invoice makes another invoice, with a lower number, pass the limit of the small
    /// businesses scheme. The scheme therefore ended with that other invoice (art. 25a(9) Wet OB
    /// 1968).
    KorLimitPassedBy,
    /// The invoice has no VAT because of the small businesses scheme, which had ended.
    KorEnded,
    /// The turnover with consumers in other member states is near the threshold above which their
    /// countries tax it (art. 6k Wet OB 1968).
    OssLimitNear,
    /// The turnover with consumers in other member states passed the threshold, but Dutch VAT is
    /// charged.
    OssLimitPassed,
    /// The return of the Union scheme for the quarter of the supply is filed, and the invoice is not
    /// on it: the next open return corrects it (art. 28se(8) Wet OB 1968).
    OssReturnFiled,
    /// The invoice is from the opening balance and was partly or fully written off, but its VAT is
    /// unknown (art. 29(2) Wet OB 1968).
    VatNotKnown,
}

impl Warning {
    /// All warnings, in the order in which they are reported.
    pub const ALL: [Self; 31] = [
        Self::CustomerVatNumberMissing,
        Self::DocumentLacksVatNumber,
        Self::CategoryContradictsCountry,
        Self::ConsumerAbroad,
        Self::EuBusinessAtDutchRate,
        Self::NonEuAtDutchRate,
        Self::CustomerKindUnknown,
        Self::CustomerAddressMissing,
        Self::VatNumberSuspicious,
        Self::VatNumberContradictsCountry,
        Self::BuyerReferenceMissing,
        Self::SupplierAddressMissing,
        Self::SupplierKvkMissing,
        Self::SupplierVatNumberMissing,
        Self::UblNotPossible,
        Self::GlyphsMissing,
        Self::DraftOnReturn,
        Self::InvoicedLate,
        Self::DateUnusual(UnusualDay::FarAhead),
        Self::DateUnusual(UnusualDay::BeforeFirstEntry),
        Self::DateUnusual(UnusualDay::BeforeOpenPeriods),
        Self::PaidBeforeInvoice,
        Self::VatMoved,
        Self::FinalBeforePrepayment,
        Self::KorLimitNear,
        Self::KorLimitPassedBy,
        Self::KorEnded,
        Self::OssLimitNear,
        Self::OssLimitPassed,
        Self::OssReturnFiled,
        Self::VatNotKnown,
    ];

    /// Stable code in `snake_case`.
    #[must_use]
    pub fn code(self) -> &'static str {
        match self {
            Self::CustomerVatNumberMissing => "customer_vat_number_missing",
            Self::DocumentLacksVatNumber => "document_lacks_vat_number",
            Self::CategoryContradictsCountry => "category_contradicts_country",
            Self::ConsumerAbroad => "consumer_abroad",
            Self::EuBusinessAtDutchRate => "eu_business_at_dutch_rate",
            Self::NonEuAtDutchRate => "non_eu_at_dutch_rate",
            Self::CustomerKindUnknown => "customer_kind_unknown",
            Self::CustomerAddressMissing => "customer_address_missing",
            Self::VatNumberSuspicious => "vat_number_suspicious",
            Self::VatNumberContradictsCountry => "vat_number_contradicts_country",
            Self::BuyerReferenceMissing => "buyer_reference_missing",
            Self::SupplierAddressMissing => "supplier_address_missing",
            Self::SupplierKvkMissing => "supplier_kvk_missing",
            Self::SupplierVatNumberMissing => "supplier_vat_number_missing",
            Self::UblNotPossible => "ubl_not_possible",
            Self::GlyphsMissing => "text_not_printable",
            Self::DraftOnReturn => "draft_on_return",
            Self::InvoicedLate => "invoiced_late",
            Self::DateUnusual(_) => "date_unusual",
            Self::PaidBeforeInvoice => "paid_before_invoice",
            Self::VatMoved => "vat_moved",
            Self::FinalBeforePrepayment => "final_before_prepayment",
            Self::KorLimitNear => "kor_limit_near",
            Self::KorLimitPassedBy => "kor_limit_passed_by",
            Self::KorEnded => "kor_ended",
            Self::OssReturnFiled => "oss_return_filed",
            Self::OssLimitNear => "oss_limit_near",
            Self::OssLimitPassed => "oss_limit_passed",
            Self::VatNotKnown => "vat_not_known",
        }
    }

    /// Whether the warning applies to an invoice that is not from the opening balance.
    // Long: one match over all warnings.
    fn concerns(self, details: &InvoiceDetails) -> bool {
        let invoice = &details.invoice;
        match self {
            Self::CustomerVatNumberMissing => {
                invoice.customer.vat_number.is_none()
                    && invoice.icp_vat_number.is_none()
                    && details
                        .lines
                        .iter()
                        .any(|(line, _)| line.vat_category.needs_customer_vat_number())
            }
            Self::DocumentLacksVatNumber => {
                invoice.icp_vat_number.is_some()
                    && invoice.icp_vat_number != invoice.customer.vat_number
            }
            Self::CategoryContradictsCountry => {
                details.lines.iter().any(|(line, _)| contradicts_country(line, invoice))
            }
            Self::ConsumerAbroad => is_to_a_consumer_abroad(details),
            Self::EuBusinessAtDutchRate => {
                let place = member_state(invoice.customer.country, invoice.rates_on());
                place.is_some()
                    && contacts::is_business(&invoice.customer)
                    && details.has_dutch_rate(|_| true)
            }
            Self::NonEuAtDutchRate => {
                let is_consumer = invoice.customer.known_kind() == Some(CustomerKind::Consumer);
                !invoice.customer.country.in_eu(invoice.rates_on())
                    && details.has_dutch_rate(|line| line.supply.is_goods() || !is_consumer)
            }
            Self::CustomerKindUnknown => {
                !invoice.customer.country.is_dutch() && invoice.customer.known_kind().is_none()
            }
            Self::CustomerAddressMissing => lacks_customer_address(invoice),
            Self::VatNumberSuspicious => {
                let number = customer_vat_number(invoice);
                number.is_some_and(|number| !number.has_right_check_digits())
            }
            Self::VatNumberContradictsCountry => customer_vat_number(invoice)
                .is_some_and(|number| number.country() != country_of_numbers(invoice)),
            Self::BuyerReferenceMissing => {
                let particulars = &invoice.particulars;
                invoice.customer.peppol_id.is_some()
                    && invoice.reference.is_none()
                    && particulars.buyer_reference.is_none()
                    && particulars.order_number.is_none()
            }
            Self::SupplierAddressMissing => !details.supplier.has_address,
            Self::SupplierKvkMissing => !details.supplier.has_kvk_number,
            Self::SupplierVatNumberMissing => !details.supplier.has_vat_number,
            Self::UblNotPossible => !details.not_expressible().is_empty(),
            Self::GlyphsMissing => !details.missing_glyphs().is_empty(),
            Self::DraftOnReturn => invoice.status == Status::Draft && !invoice.is_due_when_paid(),
            Self::InvoicedLate => {
                invoice.kind == InvoiceKind::Invoice
                    && vat_date::invoiced_late(invoice.invoice_date, invoice.last_day_of_supply())
            }
            Self::DateUnusual(reason) => {
                invoice
                    .date_unusual
                    .filter(|reason| reason.holds(invoice.invoice_date, details.today))
                    == Some(reason)
            }
            Self::PaidBeforeInvoice => invoice.vat_waiting > 0,
            Self::VatMoved => invoice.vat_moved > 0,
            Self::FinalBeforePrepayment => {
                invoice.kind == InvoiceKind::Invoice
                    && details.prepaid_on.is_some_and(|day| day > invoice.invoice_date)
            }
            Self::KorLimitNear => details.kor.is_some_and(|kor| kor.is_near && !kor.has_ended),
            Self::KorEnded => details.kor.is_some_and(|kor| kor.has_ended),
            Self::OssReturnFiled => details.is_after_oss_return,
            Self::KorLimitPassedBy => details.kor.is_some_and(|kor| kor.makes_another_pass),
            Self::OssLimitNear => details.oss.is_some_and(|oss| oss.is_near && !oss.is_passed),
            Self::OssLimitPassed => details.oss.is_some_and(|oss| oss.is_passed),
            Self::VatNotKnown => false,
        }
    }
}

impl Warning {
    /// Whether the warning follows from the dates of the invoice.
    #[must_use]
    pub const fn concerns_dates(self) -> bool {
        matches!(self, Self::InvoicedLate | Self::DateUnusual(_) | Self::FinalBeforePrepayment)
    }

    /// Whether the warning about the invoice of a quote holds for the quote too: it is about the
    /// customer, the VAT of the lines, or characters that cannot be printed.
    #[must_use]
    pub const fn concerns_quotes(self) -> bool {
        matches!(
            self,
            Self::CustomerVatNumberMissing
                | Self::CategoryContradictsCountry
                | Self::ConsumerAbroad
                | Self::EuBusinessAtDutchRate
                | Self::NonEuAtDutchRate
                | Self::CustomerKindUnknown
                | Self::CustomerAddressMissing
                | Self::VatNumberSuspicious
                | Self::VatNumberContradictsCountry
                | Self::GlyphsMissing
        )
    }
}

impl InvoiceDetails {
    /// Whether Dutch VAT is charged on a line that was not handed over in the Netherlands.
    fn has_dutch_rate(&self, concerns: impl Fn(&Line) -> bool) -> bool {
        self.lines.iter().any(|(line, _)| {
            line.vat_category == VatCategory::Standard
                && line.tax_country.is_none()
                && concerns(line)
        })
    }

    /// Returns the warnings that can still be acted on. An invoice from the opening balance has at
    /// most one, about its VAT.
    #[must_use]
    pub fn warnings(&self) -> Vec<Warning> {
        if !self.can_be_acted_on() {
            return Vec::new();
        }
        if self.invoice.is_opening_item() {
            let is_written_off =
                self.is_vat_unknown() && !self.invoice.amount_written_off.is_zero();
            return is_written_off.then_some(Warning::VatNotKnown).into_iter().collect();
        }
        Warning::ALL.into_iter().filter(|warning| warning.concerns(self)).collect()
    }

    /// Whether warnings can still be acted on. This is always so for a draft, and never for a
    /// cancelled or fully credited invoice. For other invoices it ends with the filing deadline of
    /// the quarter of the VAT date or of the last change, whichever is later
    /// ([`days::is_current`]).
    #[must_use]
    pub fn can_be_acted_on(&self) -> bool {
        let invoice = &self.invoice;
        let is_credited =
            !invoice.amount_credited.is_zero() && invoice.amount_credited == invoice.total;
        match invoice.status {
            Status::Draft => true,
            Status::Cancelled => false,
            Status::Sent => {
                !is_credited && days::is_current(invoice.vat_date, invoice.updated_at, self.today)
            }
        }
    }

    /// Returns the reasons why the invoice cannot be an e-invoice. They are based on the seller's
    /// current details, although a sent invoice shows the details at the time of sending.
    #[must_use]
    pub fn not_expressible(&self) -> Vec<Cause> {
        let customer = &self.invoice.customer;
        let seller = Identified {
            address: self.supplier.has_address,
            kvk_number: self.supplier.has_kvk_number,
            vat_number: self.supplier.has_vat_number,
        };
        let buyer = Identified {
            address: customer.street.is_some()
                && customer.postal_code.is_some()
                && customer.city.is_some(),
            kvk_number: customer.kvk_number.is_some(),
            vat_number: customer.vat_number.is_some(),
        };
        let treatments: Vec<_> = self
            .lines
            .iter()
            .map(|(line, _)| treatment(line.vat_category, Some(line.supply), line.tax_country))
            .collect();
        ubl::causes(&treatments, seller, buyer)
    }
}

/// Whether a line's category contradicts the customer's country. The category can still be right:
/// the destination of the goods decides, and may be in another country (art. 5 and 6 Wet OB 1968).
fn contradicts_country(line: &Line, invoice: &Invoice) -> bool {
    let (country, on) = (invoice.customer.country, invoice.rates_on());
    let (category, buyer) = (line.vat_category, invoice.customer.place());
    // The Netherlands tax a service to a consumer outside the EU (art. 6(2) Wet OB 1968).
    let is_taxed_here =
        !line.supply.is_goods() && invoice.customer.known_kind() == Some(CustomerKind::Consumer);
    category.contradicts(line.supply, buyer, on)
        || (category == VatCategory::Standard && !country.in_eu(on) && !is_taxed_here)
}

/// Maximum total including VAT of a simplified invoice, which need not name the customer (art.
/// 34d(1)(a) Wet OB 1968).
const MOST_SIMPLIFIED: Cents = Cents::new(10_000);

/// Whether the required address of a business is missing: a total above 100 euros rules out a
/// simplified invoice (art. 34d and 35a(1)(e) Wet OB 1968). A consumer need not be invoiced at all
/// (art. 34c). A credit note refers to an invoice.
fn lacks_customer_address(invoice: &Invoice) -> bool {
    let customer = &invoice.customer;
    invoice.kind == InvoiceKind::Invoice
        && invoice.total > MOST_SIMPLIFIED
        && (customer.street.is_none() || customer.city.is_none())
        && contacts::is_business(customer)
}

fn customer_vat_number(invoice: &Invoice) -> Option<VatNumber> {
    let number = invoice.customer.vat_number.as_deref()?;
    VatNumber::of_customer(number).ok()
}

/// Country whose VAT numbers a customer has: Monaco has those of France, and the Isle of Man those
/// of the United Kingdom (art. 7 Directive 2006/112/EC).
fn country_of_numbers(invoice: &Invoice) -> CountryCode {
    let country = invoice.customer.country;
    let other = match country.as_str() {
        "MC" => "FR",
        "IM" => "GB",
        _ => return country,
    };
    CountryCode::parse(other).unwrap_or(country)
}

/// Whether Dutch VAT is charged to a consumer in another member state, on a line that was not
/// handed over here. A line that counts towards the threshold of the Union scheme has warnings of
/// its own, unless the account is registered and has not passed the threshold.
fn is_to_a_consumer_abroad(details: &InvoiceDetails) -> bool {
    let (customer, on) = (&details.invoice.customer, details.invoice.rates_on());
    let is_abroad = !customer.country.is_dutch() && customer.country.in_eu(on);
    let is_registered = details.oss.is_some_and(|oss| oss.is_registered && !oss.is_passed);
    let is_doubtful = |line: &Line| {
        line.vat_category == VatCategory::Standard
            && line.tax_country.is_none()
            && (is_registered || !is_counted_for_oss(line, &details.invoice))
    };
    is_abroad
        && customer.vat_number.is_none()
        && customer.known_kind() != Some(CustomerKind::Business)
        && details.lines.iter().any(|(line, _)| is_doubtful(line))
}
