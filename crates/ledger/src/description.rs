//! Descriptions of journal entries: typed, so that they can be hashed and verified, and put into
//! words only when shown.

use crate::{language::Language, named::named, vat_period::VatPeriod};

named! {
    /// Kind of event that an entry books.
    DescriptionKind {
        /// Sales invoice.
        Invoice => "invoice",
        /// Credit note on an invoice.
        CreditNote => "creditNote",
        /// Payment on an invoice.
        Payment => "payment",
        /// Refund to a customer.
        Refund => "refund",
        /// Write-off of an unpaid invoice.
        WriteOff => "writeOff",
        /// Payout by a payment provider.
        Payout => "payout",
        /// Purchase, described by the owner.
        Expense => "expense",
        /// Payment of a bill.
        ExpensePayment => "expensePayment",
        /// Repayment of deducted VAT because the bill stays unpaid.
        VatRepayment => "vatRepayment",
        /// Adjustment of the VAT deducted on an asset, because its use has changed since purchase.
        VatRevision => "vatRevision",
        /// Sale or scrapping of an asset.
        Disposal => "disposal",
        /// Business kilometres with a private vehicle.
        Mileage => "mileage",
        /// Filed VAT return.
        VatReturn => "vatReturn",
        /// VAT paid to the tax office.
        VatPayment => "vatPayment",
        /// VAT refunded by the tax office.
        VatRefund => "vatRefund",
        /// Private drawing.
        PrivateDrawing => "privateDrawing",
        /// Private deposit.
        PrivateDeposit => "privateDeposit",
        /// Income tax of the owner.
        IncomeTax => "incomeTax",
        /// The owner's health insurance contribution.
        HealthInsurance => "healthInsurance",
        /// The owner's premiums for disability insurance and annuities.
        PrivatePremium => "privatePremium",
        /// Transfer between accounts of the business.
        Transfer => "transfer",
        /// Work done but not yet invoiced.
        WorkToInvoice => "workToInvoice",
        /// Accrued costs: the bill is still to come.
        AccruedCost => "accruedCost",
        /// Prepaid costs for a later period.
        PrepaidCost => "prepaidCost",
        /// Loan taken out.
        Loan => "loan",
        /// Loan repayment with interest.
        LoanRepayment => "loanRepayment",
        /// Private use of business goods or services.
        PrivateUse => "privateUse",
        /// VAT that is due before the invoice because of an early payment.
        VatMove => "vatMove",
        /// VAT of an invoice that becomes due under cash accounting without a payment.
        VatDue => "vatDue",
        /// Depreciation of an asset.
        Depreciation => "depreciation",
        /// Opening balance, or an invoice or bill that was unpaid at that time.
        OpeningBalance => "openingBalance",
        /// Manual entry, described by the owner.
        Manual => "manual",
    }
}

/// SHA-256 of a receipt's file.
pub type ReceiptHash = [u8; 32];

/// Description of an entry. The kind determines which fields are set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Description {
    /// Kind of event.
    pub kind: DescriptionKind,
    /// Number of the document.
    pub number: Option<String>,
    /// Number of the related document, such as the invoice that a credit note credits.
    pub related_number: Option<String>,
    /// Customer or supplier.
    pub party: Option<String>,
    /// VAT period.
    pub period: Option<VatPeriod>,
    /// The owner's own text.
    pub text: Option<String>,
    /// Hashes of the receipt files that the entry was booked from.
    pub receipts: Vec<ReceiptHash>,
}

impl Description {
    /// Creates a description that has only a kind.
    #[must_use]
    pub const fn of(kind: DescriptionKind) -> Self {
        Self {
            kind,
            number: None,
            related_number: None,
            party: None,
            period: None,
            text: None,
            receipts: Vec::new(),
        }
    }

    /// Creates a description with the owner's own text.
    #[must_use]
    pub fn text(kind: DescriptionKind, text: impl Into<String>) -> Self {
        Self { text: Some(text.into()), ..Self::of(kind) }
    }

    /// Returns the description with the number of the document.
    #[must_use]
    pub fn numbered(self, number: impl Into<String>) -> Self {
        Self { number: Some(number.into()), ..self }
    }

    /// Returns the description in the given language. `reversal` is true if the entry reverses
    /// another.
    ///
    /// ```
    /// use ledger::{
    ///     description::{Description, DescriptionKind},
    ///     language::Language,
    /// };
    ///
    /// let about = Description::of(DescriptionKind::Payment).numbered("2026-0001");
    /// assert_eq!(about.words(Language::English, false), "Payment on invoice 2026-0001");
    /// assert_eq!(about.words(Language::Dutch, true), "Tegenboeking van: Betaling op factuur 2026-0001");
    /// ```
    #[must_use]
    pub fn words(&self, language: Language, reversal: bool) -> String {
        let about = self.plain(language);
        match (reversal, self.kind, language) {
            (false, ..) => about,
            (true, DescriptionKind::VatReturn, Language::Dutch) => format!("Heropend: {about}"),
            (true, DescriptionKind::VatReturn, Language::English) => format!("Reopened: {about}"),
            (true, _, Language::Dutch) => format!("Tegenboeking van: {about}"),
            (true, _, Language::English) => format!("Reversal of: {about}"),
        }
    }

    // Long: one match over all kinds, in two languages.
    fn plain(&self, language: Language) -> String {
        use DescriptionKind as Kind;
        let dutch = language == Language::Dutch;
        let say = |nl: &str, en: &str| if dutch { nl.to_owned() } else { en.to_owned() };
        let number = self.number.as_deref().unwrap_or_default();
        // The owner's own text is preferred, except for kinds that name a document, bill or asset.
        let names_something = matches!(
            self.kind,
            Kind::Invoice
                | Kind::CreditNote
                | Kind::Payment
                | Kind::VatMove
                | Kind::VatDue
                | Kind::VatReturn
                | Kind::Expense
                | Kind::ExpensePayment
                | Kind::VatRepayment
                | Kind::VatRevision
                | Kind::Depreciation
                | Kind::Disposal
                | Kind::Mileage
        );
        if let Some(text) = self.text.as_ref().filter(|_| !names_something) {
            return text.clone();
        }
        match self.kind {
            Kind::Invoice => {
                let party = self.party.as_ref().map_or(String::new(), |party| format!(", {party}"));
                format!("{} {number}{party}", say("Factuur", "Invoice"))
            }
            Kind::CreditNote => {
                let on =
                    |related: &String| format!(" {} {related}", say("op factuur", "on invoice"));
                format!(
                    "{} {number}{}",
                    say("Creditnota", "Credit note"),
                    self.related_number.as_ref().map_or(String::new(), on)
                )
            }
            Kind::Payment => {
                format!("{} {number}", say("Betaling op factuur", "Payment on invoice"))
            }
            Kind::Refund => {
                format!("{} {number}", say("Terugbetaling op factuur", "Refund on invoice"))
            }
            Kind::WriteOff => {
                format!("{} {number}", say("Afboeking van factuur", "Write-off of invoice"))
            }
            Kind::Payout => {
                let provider =
                    self.party.as_ref().map_or(String::new(), |party| format!(" {party}"));
                format!(
                    "{}{provider}",
                    say("Uitbetaling betaalprovider", "Payout of payment provider")
                )
            }
            Kind::VatReturn => {
                let period = self
                    .period
                    .map_or(String::new(), |period| format!(" {}", period.words(language)));
                format!("{}{period}", say("Btw-aangifte", "VAT return"))
            }
            Kind::VatPayment => say("Betaling btw", "VAT payment"),
            Kind::VatRefund => say("Teruggave btw", "VAT refund"),
            Kind::PrivateDrawing => say("Privéopname", "Private drawing"),
            Kind::PrivateDeposit => say("Privéstorting", "Private deposit"),
            Kind::IncomeTax => say("Inkomstenbelasting", "Income tax"),
            Kind::HealthInsurance => {
                say("Bijdrage Zorgverzekeringswet", "Health insurance contribution")
            }
            Kind::PrivatePremium => say("Privépremie", "Private premium"),
            Kind::Transfer => {
                say("Overboeking tussen eigen rekeningen", "Transfer between own accounts")
            }
            Kind::WorkToInvoice => say("Nog te factureren werk", "Work not yet invoiced"),
            Kind::AccruedCost => say("Nog te betalen kosten", "Accrued costs"),
            Kind::PrepaidCost => say("Vooruitbetaalde kosten", "Prepaid costs"),
            Kind::Loan => say("Opname lening", "Loan drawn"),
            Kind::LoanRepayment => say("Aflossing lening", "Loan repayment"),
            Kind::PrivateUse => say("Privégebruik", "Private use"),
            Kind::VatMove => {
                format!(
                    "{} {number}",
                    say("Btw op betaling vóór factuur", "VAT on payment before invoice")
                )
            }
            Kind::VatDue => {
                format!("{} {number}", say("Btw verschuldigd op factuur", "VAT due on invoice"))
            }
            Kind::Depreciation => match &self.text {
                Some(asset) => format!("{}: {asset}", say("Afschrijving", "Depreciation")),
                None => say("Afschrijving inventaris", "Depreciation of equipment"),
            },
            Kind::ExpensePayment => format!("{}: {}", say("Betaling", "Payment"), self.bought()),
            Kind::VatRepayment => {
                format!(
                    "{}: {}",
                    say("Btw terug, rekening niet betaald", "VAT paid back, bill unpaid"),
                    self.bought()
                )
            }
            Kind::VatRevision => {
                format!("{}: {}", say("Herziening btw", "VAT revision"), self.bought())
            }
            Kind::Disposal => {
                format!("{}: {}", say("Verkoop of afvoer", "Disposal"), self.bought())
            }
            Kind::Mileage => {
                format!("{}: {}", say("Zakelijke kilometers", "Business kilometres"), self.bought())
            }
            Kind::OpeningBalance => match (&self.number, &self.party) {
                (Some(number), Some(party)) => {
                    format!("{}: {number}, {party}", say("Beginbalans", "Opening balance"))
                }
                _ => say("Beginbalans", "Opening balance"),
            },
            Kind::Expense => self.bought(),
            Kind::Manual => String::new(),
        }
    }

    /// Returns the owner's description of the purchase, followed by the supplier.
    fn bought(&self) -> String {
        let parts: Vec<&str> =
            [self.text.as_deref(), self.party.as_deref()].into_iter().flatten().collect();
        parts.join(", ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_has_words_in_both_languages() {
        let full = |kind| Description {
            kind,
            number: Some("2026-0007".into()),
            related_number: Some("2026-0001".into()),
            party: Some("Janssen".into()),
            period: VatPeriod::quarter(2026, 1),
            text: None,
            receipts: Vec::new(),
        };
        for kind in DescriptionKind::ALL
            .iter()
            .copied()
            .filter(|kind| !matches!(kind, DescriptionKind::Expense | DescriptionKind::Manual))
        {
            for reversal in [false, true] {
                let (nl, en) = (
                    full(kind).words(Language::Dutch, reversal),
                    full(kind).words(Language::English, reversal),
                );
                assert!(!nl.is_empty() && nl != en, "{kind:?}: {nl}");
            }
        }
        let own = Description::text(DescriptionKind::Expense, "Toner");
        assert_eq!(
            (own.words(Language::Dutch, false), own.words(Language::English, true)),
            ("Toner".into(), "Reversal of: Toner".into())
        );
        let named = Description { party: Some("Papierhal".into()), ..own };
        assert_eq!(named.words(Language::English, false), "Toner, Papierhal");
    }

    #[test]
    fn the_words_name_the_document() {
        let of = |kind| Description::of(kind).numbered("2026-0007");
        let invoice = Description { party: Some("Janssen".into()), ..of(DescriptionKind::Invoice) };
        let note = Description {
            related_number: Some("2026-0001".into()),
            ..of(DescriptionKind::CreditNote)
        };
        let filed = Description {
            period: VatPeriod::quarter(2026, 1),
            ..Description::of(DescriptionKind::VatReturn)
        };
        let cases = [
            (&invoice, false, "Factuur 2026-0007, Janssen", "Invoice 2026-0007, Janssen"),
            (
                &invoice,
                true,
                "Tegenboeking van: Factuur 2026-0007, Janssen",
                "Reversal of: Invoice 2026-0007, Janssen",
            ),
            (
                &note,
                false,
                "Creditnota 2026-0007 op factuur 2026-0001",
                "Credit note 2026-0007 on invoice 2026-0001",
            ),
            (&filed, false, "Btw-aangifte 1e kwartaal 2026", "VAT return 2026 quarter 1"),
            (
                &filed,
                true,
                "Heropend: Btw-aangifte 1e kwartaal 2026",
                "Reopened: VAT return 2026 quarter 1",
            ),
        ];
        for (description, reversal, nl, en) in cases {
            assert_eq!(description.words(Language::Dutch, reversal), nl);
            assert_eq!(description.words(Language::English, reversal), en);
        }
    }
}
