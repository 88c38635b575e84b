//! Warnings of an invoice before it leaves: shown on the form, the draft and the email, each with
//! its code. A hidden field covers the codes that were shown.

use crate::{form::Form, page::Authenticated};
use service::{
    Error,
    invoice_documents::Cause,
    invoices::{InvoiceDetails, Warning},
    quotes,
};
use store::Tx;
use web_core::problem::Problem;

/// A warning with its code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Shown {
    pub(super) code: &'static str,
    pub(super) text: String,
}

/// Name of the hidden field with the version that the page showed, if any, and the codes of its
/// warnings.
pub(super) const SEEN: &str = "seen";

/// Warnings about an invoice that is legal but incomplete or suspicious. Missing details of the
/// seller, characters without a glyph and the status of a draft have places of their own.
pub(super) fn of(page: &Authenticated, details: &InvoiceDetails) -> Vec<Shown> {
    all(page, details, details.warnings())
}

/// Warnings about a quote, given the invoice that would be made of it.
pub(super) fn of_quote(page: &Authenticated, invoice: &InvoiceDetails) -> Vec<Shown> {
    let warnings = invoice.warnings().into_iter();
    all(page, invoice, warnings.filter(|warning| warning.concerns_quotes()).collect())
}

fn all(page: &Authenticated, details: &InvoiceDetails, warnings: Vec<Warning>) -> Vec<Shown> {
    warnings
        .into_iter()
        .filter_map(|warning| {
            let text = text(page, details, warning)?;
            Some(Shown { code: warning.code(), text })
        })
        .collect()
}

/// Text of a warning; `None` if it has another place on the pages.
fn text(page: &Authenticated, details: &InvoiceDetails, warning: Warning) -> Option<String> {
    let texts = page.texts;
    let phrase = match warning {
        Warning::CustomerVatNumberMissing => texts.t("invoice-warning-customer-vat-number"),
        Warning::DocumentLacksVatNumber => texts.t("invoice-warning-document-lacks-vat-number"),
        // The pages list missing details elsewhere, so this warning appears only for lines that
        // cannot be combined in an e-invoice.
        Warning::UblNotPossible => {
            let mixes = details.not_expressible().contains(&Cause::MixesOutOfScope);
            return mixes.then(|| texts.t("invoice-warning-ubl").to_string());
        }
        // The more specific warning says the same.
        Warning::CategoryContradictsCountry
            if details.warnings().contains(&Warning::NonEuAtDutchRate) =>
        {
            return None;
        }
        Warning::CategoryContradictsCountry => texts.t("invoice-warning-category"),
        Warning::ConsumerAbroad => texts.t("invoice-warning-consumer-abroad"),
        Warning::EuBusinessAtDutchRate => texts.t("invoice-warning-eu-business"),
        Warning::NonEuAtDutchRate => texts.t("invoice-warning-non-eu"),
        Warning::CustomerKindUnknown => texts.t("invoice-warning-kind-unknown"),
        Warning::CustomerAddressMissing => texts.t("invoice-warning-customer-address"),
        Warning::VatNumberSuspicious => texts.t("invoice-warning-vat-number"),
        Warning::VatNumberContradictsCountry => texts.t("invoice-warning-vat-number-country"),
        Warning::BuyerReferenceMissing => texts.t("invoice-warning-buyer-reference"),
        Warning::DateUnusual(reason) => return Some(page.unusual_day(reason).to_string()),
        Warning::InvoicedLate => texts.t("invoice-warning-late"),
        Warning::VatNotKnown => texts.t("invoice-warning-vat-not-known"),
        Warning::PaidBeforeInvoice => texts.t("invoice-warning-paid-before"),
        Warning::KorLimitPassedBy => texts.t("invoice-warning-kor-passed-by"),
        Warning::VatMoved => texts.t("invoice-warning-vat-moved"),
        Warning::KorEnded => texts.t("invoice-warning-kor-ended"),
        Warning::OssReturnFiled => texts.t("invoice-warning-oss-filed"),
        Warning::OssLimitPassed => texts.t("invoice-warning-oss-passed"),
        Warning::FinalBeforePrepayment => texts.t("invoice-warning-final-before-prepayment"),
        Warning::KorLimitNear => {
            let remaining = texts.money(details.kor?.remaining);
            return Some(texts.t("invoice-warning-kor-near").with("left", &remaining).to_string());
        }
        Warning::OssLimitNear => {
            let remaining = texts.money(details.oss?.remaining);
            return Some(texts.t("invoice-warning-oss-near").with("left", &remaining).to_string());
        }
        Warning::SupplierAddressMissing
        | Warning::SupplierKvkMissing
        | Warning::SupplierVatNumberMissing
        | Warning::GlyphsMissing
        | Warning::DraftOnReturn => return None,
    };
    Some(phrase.to_string())
}

/// Value of the hidden field: the version, if any, and the codes.
pub(super) fn seen(version: &str, shown: &[Shown]) -> String {
    let codes: Vec<&str> = shown.iter().map(|warning| warning.code).collect();
    format!("{version} {}", codes.join(","))
}

/// Version and codes that a form saw; no codes if the form has no field for them.
pub(super) fn seen_by(form: &Form) -> (String, Option<Vec<String>>) {
    let Some(value) = form.all(SEEN).next() else { return (String::new(), None) };
    match value.split_once(' ') {
        None => (value.to_owned(), None),
        Some((version, codes)) => {
            let codes = codes.split(',').filter(|code| !code.is_empty()).map(str::to_owned);
            (version.to_owned(), Some(codes.collect()))
        }
    }
}

/// Warnings about a stored draft quote; none about other quotes.
pub(super) async fn of_stored_quote(page: &Authenticated, id: i64) -> Result<Vec<Shown>, Problem> {
    let cx = page.context();
    let rehearse = move |tx: &mut Tx<'_>| quotes::preview_invoice(tx, &cx, id);
    let invoice = page.app.rehearse(page.who.account.id, rehearse).await?;
    Ok(invoice.map(|invoice| of_quote(page, &invoice)).unwrap_or_default())
}

/// Whether there is a warning that a form had not shown.
pub(super) fn has_unseen(form: &Form, warnings: &[Shown]) -> bool {
    let (_, seen) = seen_by(form);
    seen.is_some_and(|seen| {
        warnings.iter().any(|warning| !seen.iter().any(|code| code == warning.code))
    })
}

/// Rejects an invoice with a warning that the form had not shown.
pub(super) fn require_seen(
    page: &Authenticated,
    details: &InvoiceDetails,
    seen: Option<&[String]>,
) -> Result<(), Error> {
    let Some(seen) = seen else { return Ok(()) };
    let is_new = |warning: &Shown| !seen.iter().any(|code| code == warning.code);
    if of(page, details).iter().any(is_new) { Err(Error::Changed) } else { Ok(()) }
}
