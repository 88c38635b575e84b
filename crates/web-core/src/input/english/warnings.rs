//! Warnings: legal but incomplete or suspicious input.

use super::refusals::not_expressible;
use ledger::{kor::KorKind, money::Cents, unusual_day::UnusualDay};
use service::{
    bank_lines::LineWarning,
    closing_steps::{StepWarning, Why},
    expenses::ExpenseWarning,
    invoice_documents::Cause,
    invoices::{MissingGlyphs, Warning},
    payment_batches::{BatchWarning, BatchWarningKind},
};

/// Explanation of the warning `cash_accounting_doubtful`.
pub const CASH_ACCOUNTING_DOUBTFUL: &str = "of the turnover of this and the previous year, more comes from businesses (customers with a VAT or KvK number) than this ground \
     for cash accounting allows: 10 % for establishment, 20 % for designated (art. 26 Uitvoeringsbeschikking omzetbelasting 1968); ask \
     the tax office, or change back to the method invoice";

/// Returns the explanation of a warning about an invoice.
#[must_use]
// Long: one match over all warnings.
pub fn invoice_warning(warning: Warning) -> &'static str {
    match warning {
        Warning::CustomerVatNumberMissing => {
            "VAT is reverse-charged to the customer, so the invoice must show the customer's VAT number (art. 35a Wet OB 1968); \
             give customer.vatNumber"
        }
        Warning::DocumentLacksVatNumber => {
            "the ICP declaration has the customer's VAT number, but the document lacks it or shows another one (art. 35a(1)(d) Wet \
             OB 1968); credit the invoice and send a copy with the number"
        }
        Warning::CategoryContradictsCountry => {
            "a line's VAT category does not fit the customer's country: intraCommunity is for the other EU countries, export and \
             serviceOutsideEu for those outside the EU, reverseCharge for the Netherlands, and Dutch VAT is rarely due by a customer \
             outside the EU; check vatCategory and customer.country"
        }
        Warning::ConsumerAbroad => {
            "Dutch VAT is charged to somebody in another EU country without a VAT number: of goods and electronic services to \
             consumers abroad of more than 10 000 euros a year, and of some other services, the VAT of their country is due (art. 6b to \
             6k Wet OB 1968); give supply, or vatCategory oss with taxCountry, or taxCountry NL if it was handed over here; a business \
             gives its VAT number and owes the VAT itself"
        }
        Warning::EuBusinessAtDutchRate => {
            "Dutch VAT is charged to a business in another EU country, which owes the VAT on goods and most services itself: leave \
             vatRate out, or give vatRate 0 with vatCategory intraCommunity; give taxCountry NL if it was handed over here, or for a \
             service that is taxed here, such as work on a house"
        }
        Warning::NonEuAtDutchRate => {
            "Dutch VAT is charged to a customer outside the EU: goods that leave the EU and services to businesses have none (art. 6(1) \
             and 9(2)(b) Wet OB 1968): leave vatRate out, give kind consumer if the customer is one, or taxCountry NL if it was handed \
             over here"
        }
        Warning::CustomerKindUnknown => {
            "whether this customer abroad is a business decides who owes the VAT and where: give kind, or the VAT number of a business"
        }
        Warning::CustomerAddressMissing => {
            "an invoice to a business must show its full address (art. 35a(1)(e) Wet OB 1968); give customer.address"
        }
        Warning::VatNumberSuspicious => {
            "the check digits of the customer's VAT number are wrong; ask the customer for it, and see whether VIES knows it"
        }
        Warning::VatNumberContradictsCountry => {
            "the customer's VAT number is one of another country than customer.country (EL is GR, XI is GB); check both"
        }
        Warning::BuyerReferenceMissing => {
            "an invoice that is sent over Peppol must have a reference of the buyer (PEPPOL-EN16931-R003); give buyerReference, reference or orderNumber"
        }
        Warning::SupplierAddressMissing => {
            "an invoice must show the seller's full address (art. 35a(1)(e) Wet OB 1968); the account's owner gives it in the settings"
        }
        Warning::SupplierKvkMissing => {
            "an invoice must show the seller's number in the Business Register (art. 27 Handelsregisterwet 2007); the account's owner \
             gives it in the settings"
        }
        Warning::SupplierVatNumberMissing => {
            "an invoice must show the seller's VAT number (art. 35a(1)(c) Wet OB 1968); the account's owner gives it in the settings"
        }
        Warning::UblNotPossible => {
            "this cannot be an e-invoice (UBL), and goes out as a PDF only: the seller's address, KvK number or VAT number is missing, \
             or the VAT number of a customer who owes the VAT or takes goods in another EU country, or lines with and without Dutch \
             VAT stand together; the message names each cause"
        }
        Warning::GlyphsMissing => {
            "the font of the PDF has no glyphs for some characters, which are printed as □"
        }
        Warning::DraftOnReturn => {
            "this is a draft: it stands on the VAT return of its quarter, though the VAT on it is not due before it is issued (art. 13 \
             Wet OB 1968); send it, or take it back, before the return is filed"
        }
        Warning::InvoicedLate => {
            "an invoice must be out by the 15th of the month after the supply (art. 34g Wet OB 1968); the VAT on it was due then, on \
             vatDate"
        }
        Warning::DateUnusual(reason) => unusual_day(reason),
        Warning::PaidBeforeInvoice => {
            "an amount was received in a VAT period before that of vatDate, and the return of one of them is filed: the VAT on it is \
             due on receipt (art. 13(2) Wet OB 1968); POST /invoices/{id}/move-vat with correction: true moves it"
        }
        Warning::VatMoved => {
            "an amount was received in a VAT period before that of vatDate: its VAT is declared on the day of the payment instead \
             (art. 13(2) Wet OB 1968)"
        }
        Warning::FinalBeforePrepayment => {
            "this is dated before a prepayment invoice that it sets off, so the VAT of the prepayment is taken off before it is due (art. 13 \
             Wet OB 1968); date it on or after the day of the prepayment invoice"
        }
        Warning::KorLimitNear => {
            "the turnover of the year is near the limit of the small businesses scheme (art. 25 Wet OB 1968); the supply that passes \
             the limit is taxed itself"
        }
        Warning::KorLimitPassedBy => {
            "with this an invoice of a later day passes the limit of the small businesses scheme, which ended with that supply (art. \
             25a(9) Wet OB 1968): end the scheme on its day (POST /vat-scheme with because limit, see passedBy of /kor), credit the \
             invoices from there on and make them with VAT"
        }
        Warning::KorEnded => {
            "this has no VAT because of the small businesses scheme, which had ended by the day of supply: credit it, and make it again \
             with VAT (art. 25a(9) Wet OB 1968)"
        }
        Warning::OssReturnFiled => {
            "the return of the Union scheme (OSS) for the quarter of the supply is filed without this: the next open return corrects it \
             (art. 28se(8) Wet OB 1968); or reopen that return"
        }
        Warning::OssLimitNear => {
            "the goods and electronic services to consumers in other EU countries are near 10 000 euros a year, above which the VAT of \
             their country is due (art. 6k Wet OB 1968)"
        }
        Warning::OssLimitPassed => {
            "the goods and electronic services to consumers in other EU countries passed 10 000 euros in this or the previous year, so \
             that the VAT of their country is due (art. 6k Wet OB 1968): register for the Union scheme (POST /oss with ground limit, \
             see obligedFrom of GET /oss), and give vatCategory oss"
        }
        Warning::VatNotKnown => {
            "this was open when the books began, so its VAT is not known here: what is written off is cost as a whole, in no box of a return; \
             ask the VAT in it back yourself, from the tax office to which it was paid (art. 29(2) Wet OB 1968)"
        }
    }
}

/// Returns the explanation of [`Warning::KorLimitNear`] with the remaining amount.
#[must_use]
pub fn kor_limit_near(remaining: Cents) -> String {
    format!("{}; {remaining} euros remain this year", invoice_warning(Warning::KorLimitNear))
}

/// Returns the explanation of [`Warning::OssLimitNear`] with the remaining amount.
#[must_use]
pub fn oss_limit_near(remaining: Cents) -> String {
    format!("{}; {remaining} euros remain this year", invoice_warning(Warning::OssLimitNear))
}

/// Returns the reason why a kind of supply does or does not count towards the turnover under the
/// small businesses scheme.
#[must_use]
pub const fn kor_kind(kind: KorKind) -> &'static str {
    match kind {
        KorKind::Standard => "taxed at a rate above zero (art. 25(1) Wet OB 1968)",
        KorKind::Zero => "taxed at the zero rate (art. 25(1) Wet OB 1968)",
        KorKind::ReverseCharge => {
            "taxed in the Netherlands, though the customer owes the VAT (art. 25(1) Wet OB 1968)"
        }
        KorKind::EuGoods => "goods from the Netherlands at the zero rate (art. 25(1) Wet OB 1968)",
        KorKind::Export => {
            "goods exported from the Netherlands at the zero rate (art. 25(1) Wet OB 1968)"
        }
        KorKind::Kor => "taxed without the scheme (art. 25(1) Wet OB 1968)",
        KorKind::Article11Counted => "exempt, but named by art. 25(2) Wet OB 1968",
        KorKind::Article11 => "exempt by art. 11 Wet OB 1968 and not named by art. 25(2)",
        KorKind::EuServices => "supplied outside the Netherlands (art. 6 Wet OB 1968)",
        KorKind::ServicesOutsideEu => "supplied outside the Netherlands (art. 6 Wet OB 1968)",
        KorKind::OutOfScope => "outside the scope of VAT",
        KorKind::Oss => "taxed in another member state (art. 5a and 6h Wet OB 1968)",
    }
}

/// Returns the explanation of [`Warning::GlyphsMissing`]: fields, characters and remedy.
#[must_use]
pub fn glyphs_missing(missing: &[MissingGlyphs]) -> String {
    let named =
        missing.iter().map(|MissingGlyphs { field, characters }| format!("{field} ({characters})"));
    let named = named.collect::<Vec<_>>().join(", ");
    format!(
        "the font of the PDF has no glyphs for some characters, which are printed as □: {named}; write them in Latin, Greek or Cyrillic \
         letters; the e-invoice (UBL) and text copied from the PDF have them as they are"
    )
}

/// Returns the explanation of [`Warning::UblNotPossible`] with these causes, and the remedy: a sent
/// invoice must be credited and issued again, because it can no longer be edited.
#[must_use]
pub fn ubl_not_possible(causes: &[Cause], is_sent: bool) -> String {
    let way = if is_sent { "credit it and make it again, and before" } else { "before it is sent" };
    format!(
        "this cannot be an e-invoice (UBL), and goes out as a PDF only; {way}: {}",
        not_expressible(causes)
    )
}

/// Returns the explanation of a warning about the booking of a bank line.
#[must_use]
pub const fn bank_line_warning(warning: LineWarning) -> &'static str {
    match warning {
        LineWarning::RevenueWithoutVat => {
            "revenue was booked on a ledger account, so it is in no box of the VAT return; if VAT is due on it, undo the line, \
             make an invoice, and book its payment"
        }
    }
}

/// Returns the explanation of a warning about a payment of a batch.
#[must_use]
pub fn batch_warning(warning: &BatchWarning) -> String {
    let payee = &warning.payee;
    match &warning.kind {
        BatchWarningKind::IbanChanged { day, iban } => {
            format!(
                "the last payment to this supplier, of {day}, went to {iban}: check the account of {payee} before you pay"
            )
        }
        BatchWarningKind::DueLater { day } => {
            format!("the bill of {payee} is due on {day}, after the execution date")
        }
        BatchWarningKind::Overdue { day } => {
            format!("the bill of {payee} was due on {day}, before the execution date")
        }
    }
}

/// Returns the explanation of a warning about an expense.
#[must_use]
pub fn expense_warning(warning: &ExpenseWarning) -> String {
    match warning {
        ExpenseWarning::VatDiffers { line, expected } => {
            format!(
                "the VAT of line {} is not what the rate gives, {expected}; check rate and amounts on the document",
                line + 1
            )
        }
        ExpenseWarning::MayBeAsset { line } => format!(
            "line {} is 450.00 or more excluding VAT: what is used for several years is an asset (art. 3.30 Wet IB 2001); \
             POST /api/v1/assets instead",
            line + 1
        ),
        ExpenseWarning::NoArticle23 { line } => format!(
            "line {} imports goods under the small businesses scheme, without a licence for reverse charge at import (art. 23(5) Wet OB \
             1968): the VAT is paid to customs; give importVatPaid with the VAT",
            line + 1
        ),
        ExpenseWarning::DateUnusual(reason) => unusual_day(*reason).into(),
        ExpenseWarning::PaidBeforeBill { on } => {
            format!("a payment of {on} is before the day of the bill; check both dates")
        }
        ExpenseWarning::DuplicateAmount { expenses } => {
            let ids: Vec<String> = expenses.iter().map(ToString::to_string).collect();
            format!(
                "the same supplier, day and amount as expense {}; if it is the same bill, undo one of them",
                ids.join(", ")
            )
        }
    }
}

/// Explanation of the warning that annual VAT returns are probably not allowed.
pub const ANNUAL_RETURN_DOUBTFUL: &str = "the VAT payable for last year was 1 883.00 or more, with which the tax office usually ends annual returns; check its letter";

/// Explanation of the warning about private use of goods in an earlier VAT period.
pub const NOT_LAST_PERIOD: &str = "VAT on private use is declared for the whole year, in the last VAT period of the year (art. 13(4) Wet OB \
     1968); this day is in an earlier one";

/// Returns the reason for a row of a year-end step.
#[must_use]
pub fn closing_row(why: &Why) -> String {
    match why {
        Why::InvoicedLater { supplied: (first, last), invoiced } if first == last => {
            format!("supplied on {first}, invoiced on {invoiced}")
        }
        Why::InvoicedLater { supplied: (first, last), invoiced } => {
            format!(
                "supplied from {first} to {last}, invoiced on {invoiced}; the part of the year by days"
            )
        }
        Why::Hours { hours } => {
            format!("{} hours up to the end of the year that were not invoiced by then", hours.to_decimal())
        }
        Why::Period { period: (first, last) } => {
            format!("covers {first} to {last}; the part of the other year by days")
        }
        Why::SourceChanged => "booked before, but no longer follows from its document".into(),
        Why::Depreciation { until } => format!("depreciation up to {until}"),
        Why::PrivateUse => "goods taken for private use (art. 3(3) Wet OB 1968)".into(),
        Why::VatRevision => {
            "the turnover with the right to deduct differs from the deducted VAT (art. 15(4) Wet OB 1968)".into()
        }
    }
}

/// Returns the explanation of a warning about a year-end step.
#[must_use]
pub fn closing_warning(warning: &StepWarning) -> String {
    match warning {
        StepWarning::StepsRemaining(steps) => {
            let names: Vec<&str> = steps.iter().map(|step| step.as_str()).collect();
            format!("these steps are left: {}", names.join(", "))
        }
        StepWarning::GiftsNotChecked(amount) => format!(
            "gifts of {amount} are booked on 4316: VAT on a gift is deducted only if the recipient got no more than 227.00 excluding \
             VAT in the year (art. 1(3) BUA), which is not checked here"
        ),
        StepWarning::CarWithoutPrivateUse(costs) => format!(
            "the costs of a car come to {costs}, and its private use in the year is not booked (art. 15 Uitvoeringsbeschikking \
             omzetbelasting 1968, art. 3.20 Wet IB 2001): POST /api/v1/private-use with kind car"
        ),
        StepWarning::ReceiptsWaiting(1) => {
            "1 receipt has no expense: POST /api/v1/expenses with its id".into()
        }
        StepWarning::ReceiptsWaiting(count) => {
            format!("{count} receipts have no expense: POST /api/v1/expenses with their ids")
        }
        StepWarning::BankLinesWaiting(1) => {
            "1 bank line of the year is neither booked nor ignored: POST /api/v1/bank-lines/{id}/book".into()
        }
        StepWarning::BankLinesWaiting(count) => format!(
            "{count} bank lines of the year are neither booked nor ignored: POST /api/v1/bank-lines/{{id}}/book"
        ),
        StepWarning::ReturnsOpen(periods) => {
            let names: Vec<String> = periods.iter().map(ToString::to_string).collect();
            format!(
                "earlier returns of the year are not filed: {}; POST /api/v1/vat-returns/{{period}}/file",
                names.join(", ")
            )
        }
    }
}

/// Returns the reason why a date looks like a typing error, and the remedy.
#[must_use]
fn unusual_day(reason: UnusualDay) -> &'static str {
    match reason {
        UnusualDay::FarAhead => "this day is more than 31 days ahead; check the year",
        UnusualDay::BeforeFirstEntry => {
            "this day is before the quarter of the first entry in the books; check the year"
        }
        UnusualDay::BeforeOpenPeriods => {
            "this day is in or before a quarter whose VAT return is filed; check the date"
        }
    }
}
