//! E-invoice in UBL 2.1, according to EN 16931, Peppol BIS Billing 3.0 and the Dutch NLCIUS.
//!
//! A file names one specification ([`Profile`]): Peppol's if Peppol accepts the file, else EN
//! 16931. It never names NLCIUS, because a file cannot name two specifications. Files still follow
//! the rules of NLCIUS where possible. Invoices to Dutch buyers without a KvK number (BR-NL-10) or
//! without a complete address (BR-NL-4), mostly consumers, cannot comply with NLCIUS. The order of
//! elements is that of the OASIS schema. Numbers such as BT-31 refer to the business terms of EN
//! 16931.

mod check;
mod lines;
mod party;

pub use check::{Cause, Identified, NotExpressible, Profile, causes};

use crate::{
    invoice::{DocumentKind, Invoice, VatTreatment},
    legal,
    xml::Xml,
};
use ledger::{language::Language, money::Cents, vat::VatRate};
use std::io;

const EN16931: &str = "urn:cen.eu:en16931:2017";
const PEPPOL_BIS: &str =
    "urn:cen.eu:en16931:2017#compliant#urn:fdc:peppol.eu:2017:poacc:billing:3.0";
/// Peppol's invoicing process (BT-23).
const PEPPOL_PROCESS: &str = "urn:fdc:peppol.eu:2017:poacc:billing:01:1.0";
const EURO: [(&str, &str); 1] = [("currencyID", "EUR")];

/// Writes the e-invoice.
///
/// # Errors
/// The format cannot express this invoice; the error lists all causes.
pub fn write(invoice: &Invoice) -> Result<Vec<u8>, NotExpressible> {
    check::expressible(invoice)?;
    Ok(Document { invoice }.write().expect("writing to memory does not fail"))
}

type Out = Xml<Vec<u8>>;

/// Writer of an invoice that the format can express.
struct Document<'i> {
    invoice: &'i Invoice,
}

/// Row of the VAT breakdown (BG-23). UBL has codes instead of treatments, so two treatments with
/// the same code share a row.
struct Breakdown {
    code: &'static str,
    rate: VatRate,
    /// Part of the discount on all lines.
    discount: Cents,
    base: Cents,
    amount: Cents,
    treatments: Vec<VatTreatment>,
}

impl Document<'_> {
    fn write(&self) -> io::Result<Vec<u8>> {
        let credit = self.invoice.is_credit_note();
        let (root, namespace) = if credit {
            ("CreditNote", "urn:oasis:names:specification:ubl:schema:xsd:CreditNote-2")
        } else {
            ("Invoice", "urn:oasis:names:specification:ubl:schema:xsd:Invoice-2")
        };
        let namespaces = [
            ("xmlns", namespace),
            (
                "xmlns:cac",
                "urn:oasis:names:specification:ubl:schema:xsd:CommonAggregateComponents-2",
            ),
            ("xmlns:cbc", "urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2"),
        ];
        let mut xml = Xml::new(Vec::new(), root, &namespaces)?;
        self.head(&mut xml)?;
        self.seller(&mut xml)?;
        self.buyer(&mut xml)?;
        self.delivery(&mut xml)?;
        self.payment(&mut xml)?;
        self.discounts(&mut xml)?;
        self.vat(&mut xml)?;
        self.totals(&mut xml)?;
        for (place, line) in self.invoice.lines.iter().enumerate() {
            self.line(&mut xml, place + 1, line)?;
        }
        xml.finish()
    }

    fn head(&self, xml: &mut Out) -> io::Result<()> {
        let invoice = self.invoice;
        match Profile::of(invoice) {
            Profile::En16931 => xml.text("cbc:CustomizationID", EN16931)?,
            Profile::PeppolBis => {
                xml.text("cbc:CustomizationID", PEPPOL_BIS)?;
                xml.text("cbc:ProfileID", PEPPOL_PROCESS)?;
            }
        }
        xml.text("cbc:ID", &invoice.number)?;
        xml.text("cbc:IssueDate", &invoice.issue_date.to_string())?;
        if invoice.is_credit_note() {
            xml.text("cbc:CreditNoteTypeCode", "381")?;
        } else {
            xml.optional("cbc:DueDate", invoice.due_date.map(|day| day.to_string()).as_deref())?;
            // UNTDID 1001 has 386 for prepayment invoices, but NLCIUS allows only 380, 381, 384 and
            // 389 (BR-NL-7), so prepayment invoices have 380 too.
            xml.text("cbc:InvoiceTypeCode", "380")?;
        }
        xml.optional("cbc:Note", self.note().as_deref())?;
        xml.text("cbc:DocumentCurrencyCode", "EUR")?;
        xml.optional("cbc:BuyerReference", check::buyer_reference(invoice))?;
        if let Some(period) = invoice.supply.filter(|period| period.from != period.until) {
            xml.open("cac:InvoicePeriod")?;
            xml.text("cbc:StartDate", &period.from.to_string())?;
            xml.text("cbc:EndDate", &period.until.to_string())?;
            xml.close()?;
        }
        if let Some(number) = check::order_number(invoice) {
            xml.open("cac:OrderReference")?;
            xml.text("cbc:ID", number)?;
            xml.close()?;
        }
        if let DocumentKind::CreditNote { invoice_number, .. } = &invoice.kind {
            // The date of the invoice is omitted: NLCIUS advises against it (BR-NL-24), because the
            // number is sufficient.
            xml.open("cac:BillingReference")?;
            xml.open("cac:InvoiceDocumentReference")?;
            xml.text("cbc:ID", invoice_number)?;
            xml.close()?;
            xml.close()?;
        }
        Ok(())
    }

    /// Returns the test marker, the reason for a credit note and the user's notes as one text,
    /// because Peppol allows only a single note (PEPPOL-EN16931-R002).
    fn note(&self) -> Option<String> {
        let test = self.invoice.test.then_some(match self.invoice.language {
            Language::Dutch => "TEST: dit is geen echte factuur.",
            Language::English => "TEST: this is not a real invoice.",
        });
        let reason = match &self.invoice.kind {
            DocumentKind::CreditNote { reason, .. } => reason.as_deref(),
            DocumentKind::Invoice | DocumentKind::Prepayment | DocumentKind::Quote => None,
        };
        let parts: Vec<&str> =
            [test, reason, self.invoice.notes.as_deref()].into_iter().flatten().collect();
        (!parts.is_empty()).then(|| parts.join("\n"))
    }

    /// Writes the delivery date and, for goods to another member state, the destination (BR-IC-11
    /// and BR-IC-12).
    fn delivery(&self, xml: &mut Out) -> io::Result<()> {
        let invoice = self.invoice;
        let goods = invoice.treatments().iter().any(|treatment| code(*treatment) == "K");
        let day = match invoice.supply {
            Some(period) if period.from == period.until => Some(period.from),
            None if goods => Some(invoice.issue_date),
            _ => None,
        };
        if day.is_none() && !goods {
            return Ok(());
        }
        xml.open("cac:Delivery")?;
        xml.optional("cbc:ActualDeliveryDate", day.map(|day| day.to_string()).as_deref())?;
        if goods {
            xml.open("cac:DeliveryLocation")?;
            xml.open("cac:Address")?;
            xml.open("cac:Country")?;
            xml.text("cbc:IdentificationCode", invoice.buyer.address.country.as_str())?;
            xml.close()?;
            xml.close()?;
            xml.close()?;
        }
        xml.close()
    }

    /// Writes the payment means: SEPA transfer (58) to the seller's bank account, or prior
    /// agreement (57) for a credit note and for a seller without a bank account. The account holder
    /// is omitted, because NLCIUS advises against it (BR-NL-30). It advises against the BIC too
    /// (BR-NL-31), but buyers abroad need it (BT-86).
    fn payment(&self, xml: &mut Out) -> io::Result<()> {
        let invoice = self.invoice;
        xml.open("cac:PaymentMeans")?;
        match invoice.seller.iban.as_ref().filter(|_| !invoice.is_credit_note()) {
            Some(iban) => {
                xml.text("cbc:PaymentMeansCode", "58")?;
                xml.text("cbc:PaymentID", &invoice.number)?;
                xml.open("cac:PayeeFinancialAccount")?;
                xml.text("cbc:ID", iban.as_str())?;
                let abroad = !invoice.buyer.address.country.is_dutch();
                if let Some(bic) = invoice.seller.bic.as_ref().filter(|_| abroad) {
                    xml.open("cac:FinancialInstitutionBranch")?;
                    xml.text("cbc:ID", bic.as_str())?;
                    xml.close()?;
                }
                xml.close()?;
            }
            None => xml.text("cbc:PaymentMeansCode", "57")?,
        }
        xml.close()?;
        // An amount to pay requires a due date or payment terms (BR-CO-25).
        if invoice.is_credit_note() || invoice.due_date.is_none() {
            xml.open("cac:PaymentTerms")?;
            xml.text(
                "cbc:Note",
                match (invoice.is_credit_note(), invoice.language) {
                    (true, Language::Dutch) => "Wordt verrekend of terugbetaald.",
                    (true, Language::English) => "To be set off or refunded.",
                    (false, Language::Dutch) => "Betaling volgens afspraak.",
                    (false, Language::English) => "Payment as agreed.",
                },
            )?;
            xml.close()?;
        }
        Ok(())
    }

    fn vat(&self, xml: &mut Out) -> io::Result<()> {
        xml.open("cac:TaxTotal")?;
        xml.text_with("cbc:TaxAmount", &EURO, &self.amount(self.invoice.vat_total))?;
        for row in self.breakdown() {
            xml.open("cac:TaxSubtotal")?;
            xml.text_with("cbc:TaxableAmount", &EURO, &self.amount(row.base))?;
            xml.text_with("cbc:TaxAmount", &EURO, &self.amount(row.amount))?;
            xml.open("cac:TaxCategory")?;
            xml.text("cbc:ID", row.code)?;
            if row.code != "O" {
                xml.text("cbc:Percent", &row.rate.to_string())?;
            }
            // NLCIUS advises against the code (BR-NL-35), but programs outside the Netherlands use
            // it, so only buyers abroad get it.
            let abroad = !self.invoice.buyer.address.country.is_dutch();
            xml.optional(
                "cbc:TaxExemptionReasonCode",
                exemption_code(row.code).filter(|_| abroad),
            )?;
            xml.optional("cbc:TaxExemptionReason", self.exemption(&row).as_deref())?;
            xml.open("cac:TaxScheme")?;
            xml.text("cbc:ID", "VAT")?;
            xml.close()?;
            xml.close()?;
            xml.close()?;
        }
        xml.close()
    }

    fn breakdown(&self) -> Vec<Breakdown> {
        let mut rows: Vec<Breakdown> = Vec::new();
        for group in &self.invoice.vat {
            let code = code(group.treatment);
            match rows.iter_mut().find(|row| (row.code, row.rate) == (code, group.rate)) {
                Some(row) => {
                    row.discount += group.discount;
                    row.base += group.base;
                    row.amount += group.amount;
                    row.treatments.push(group.treatment);
                }
                None => rows.push(Breakdown {
                    code,
                    rate: group.rate,
                    discount: group.discount,
                    base: group.base,
                    amount: group.amount,
                    treatments: vec![group.treatment],
                }),
            }
        }
        rows
    }

    /// Returns the VAT exemption reason (BT-120): not allowed at standard and zero rates (BR-S-10,
    /// BR-Z-10), required otherwise.
    fn exemption(&self, row: &Breakdown) -> Option<String> {
        let sentences = row
            .treatments
            .iter()
            .filter_map(|treatment| legal::sentence(*treatment, self.invoice.language, None));
        let all: Vec<String> = sentences.collect();
        // A sentence with which another sentence begins is redundant.
        let says_more = |sentence: &String| {
            !all.iter().any(|other| other != sentence && other.starts_with(sentence.as_str()))
        };
        let mut sentences: Vec<String> =
            all.iter().filter(|sentence| says_more(sentence)).cloned().collect();
        sentences.dedup();
        if sentences.is_empty() && row.code == "O" {
            sentences.push(match self.invoice.language {
                Language::Dutch => "Valt buiten de btw".to_owned(),
                Language::English => "Outside the scope of VAT".to_owned(),
            });
        }
        (!sentences.is_empty()).then(|| sentences.join(". "))
    }

    /// Writes the discount on all lines (BG-20): one per rate and category. A negative part, of lines
    /// below zero, is a charge (BG-21).
    fn discounts(&self, xml: &mut Out) -> io::Result<()> {
        for row in self.breakdown().iter().filter(|row| !row.discount.is_zero()) {
            let description = self.invoice.discount_description.as_deref();
            self.open_allowance(xml, row.discount, description)?;
            xml.text_with("cbc:Amount", &EURO, &row.discount.abs().to_string())?;
            xml.open("cac:TaxCategory")?;
            xml.text("cbc:ID", row.code)?;
            if row.code != "O" {
                xml.text("cbc:Percent", &row.rate.to_string())?;
            }
            xml.open("cac:TaxScheme")?;
            xml.text("cbc:ID", "VAT")?;
            xml.close()?;
            xml.close()?;
            xml.close()?;
        }
        Ok(())
    }

    /// Opens an allowance with its reason: a discount (code 95 of UNTDID 5189), or the opposite.
    fn open_allowance(
        &self,
        xml: &mut Out,
        discount: Cents,
        description: Option<&str>,
    ) -> io::Result<()> {
        let lowers = discount.is_negative() == self.invoice.is_credit_note();
        xml.open("cac:AllowanceCharge")?;
        xml.text("cbc:ChargeIndicator", if lowers { "false" } else { "true" })?;
        if lowers {
            xml.text("cbc:AllowanceChargeReasonCode", "95")?;
        }
        let usual = match self.invoice.language {
            Language::Dutch => "Korting",
            Language::English => "Discount",
        };
        xml.text("cbc:AllowanceChargeReason", description.unwrap_or(usual))
    }

    fn totals(&self, xml: &mut Out) -> io::Result<()> {
        let (net, gross) = (self.amount(self.invoice.subtotal), self.amount(self.invoice.total));
        let rows = self.breakdown();
        let sum = |is_negative: bool| -> Cents {
            let parts = rows.iter().map(|row| row.discount);
            parts.filter(|part| part.is_negative() == is_negative).sum()
        };
        let (allowances, charges) = (sum(false), -sum(true));
        let lines = self.amount(self.invoice.subtotal + allowances - charges);
        xml.open("cac:LegalMonetaryTotal")?;
        xml.text_with("cbc:LineExtensionAmount", &EURO, &lines)?;
        xml.text_with("cbc:TaxExclusiveAmount", &EURO, &net)?;
        xml.text_with("cbc:TaxInclusiveAmount", &EURO, &gross)?;
        for (element, amount) in
            [("cbc:AllowanceTotalAmount", allowances), ("cbc:ChargeTotalAmount", charges)]
        {
            if !amount.is_zero() {
                xml.text_with(element, &EURO, &amount.to_string())?;
            }
        }
        xml.text_with("cbc:PayableAmount", &EURO, &gross)?;
        xml.close()
    }

    /// Formats an amount. A credit note states the credited amounts as positive.
    fn amount(&self, amount: Cents) -> String {
        if self.invoice.is_credit_note() { -amount } else { amount }.to_string()
    }
}

/// Code for a treatment (UNCL5305, the subset used by EN 16931).
const fn code(treatment: VatTreatment) -> &'static str {
    match treatment {
        VatTreatment::Standard | VatTreatment::Foreign(_) => "S",
        VatTreatment::Zero => "Z",
        VatTreatment::Exempt | VatTreatment::SmallBusiness | VatTreatment::ExemptUnderKor => "E",
        VatTreatment::ReverseCharge | VatTreatment::EuService | VatTreatment::Triangular => "AE",
        VatTreatment::EuGoods => "K",
        VatTreatment::Export => "G",
        VatTreatment::ServiceOutsideEu | VatTreatment::OutOfScope => "O",
    }
}

/// Code for the exemption reason (BT-121) in the VATEX list of the European Commission, if the
/// treatment's code alone determines it.
fn exemption_code(code: &str) -> Option<&'static str> {
    match code {
        "AE" => Some("VATEX-EU-AE"),
        "K" => Some("VATEX-EU-IC"),
        "G" => Some("VATEX-EU-G"),
        "O" => Some("VATEX-EU-O"),
        _ => None,
    }
}
