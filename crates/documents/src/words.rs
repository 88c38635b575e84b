//! Texts of an invoice, in both languages.

use crate::invoice::{DocumentKind, Invoice, VatTreatment};
use i18n::Texts;
use ledger::language::Language;

/// Fixed texts.
pub(crate) struct Words {
    pub(crate) invoice: &'static str,
    pub(crate) prepayment: &'static str,
    pub(crate) credit_note: &'static str,
    pub(crate) quote: &'static str,
    pub(crate) date: &'static str,
    pub(crate) credit_date: &'static str,
    pub(crate) quote_date: &'static str,
    pub(crate) valid_until: &'static str,
    pub(crate) due: &'static str,
    pub(crate) supplied: &'static str,
    pub(crate) reference: &'static str,
    pub(crate) order_number: &'static str,
    pub(crate) buyer_reference: &'static str,
    pub(crate) to_pay: &'static str,
    pub(crate) credit: &'static str,
    pub(crate) description: &'static str,
    pub(crate) quantity: &'static str,
    pub(crate) price: &'static str,
    pub(crate) price_including: &'static str,
    pub(crate) price_excluding: &'static str,
    pub(crate) discount: &'static str,
    pub(crate) vat: &'static str,
    pub(crate) amount: &'static str,
    pub(crate) amount_including: &'static str,
    pub(crate) carried: &'static str,
    pub(crate) brought: &'static str,
    pub(crate) specification: &'static str,
    pub(crate) rate: &'static str,
    pub(crate) base: &'static str,
    pub(crate) lines_total: &'static str,
    pub(crate) subtotal: &'static str,
    pub(crate) total: &'static str,
    pub(crate) payment: &'static str,
    pub(crate) holder: &'static str,
    pub(crate) transfer_text: &'static str,
    pub(crate) scan: &'static str,
    pub(crate) code_meaning: &'static str,
    pub(crate) logo: &'static str,
    pub(crate) vat_id: &'static str,
    pub(crate) attached: &'static str,
    pub(crate) attachment: &'static str,
    pub(crate) draft: &'static str,
    pub(crate) draft_line: &'static str,
    pub(crate) test_line: &'static str,
    pub(crate) test_quote_line: &'static str,
    pub(crate) translation_line: &'static str,
    pub(crate) continued: &'static str,
}

const DUTCH: Words = Words {
    invoice: "Factuur",
    prepayment: "Vooruitbetalingsfactuur",
    credit_note: "Creditnota",
    quote: "Offerte",
    date: "Factuurdatum",
    credit_date: "Datum creditnota",
    quote_date: "Offertedatum",
    valid_until: "Geldig tot en met",
    due: "Vervaldatum",
    supplied: "Geleverd",
    reference: "Uw kenmerk",
    order_number: "Ordernummer",
    buyer_reference: "Uw referentie",
    to_pay: "Te betalen",
    credit: "Tegoed",
    description: "Omschrijving",
    quantity: "Aantal",
    price: "Prijs",
    price_including: "Prijs incl.",
    price_excluding: "Prijs excl. btw",
    discount: "Korting",
    vat: "Btw",
    amount: "Bedrag",
    amount_including: "Bedrag incl.",
    carried: "Transport naar de volgende pagina",
    brought: "Transport van de vorige pagina",
    specification: "Btw-specificatie",
    rate: "Tarief",
    base: "Grondslag",
    lines_total: "Totaal van de regels",
    subtotal: "Subtotaal excl. btw",
    total: "Totaal",
    payment: "Betaling",
    holder: "Ten name van",
    transfer_text: "Omschrijving",
    scan: "Scan met uw bank-app",
    code_meaning: "QR-code voor uw bank-app: dezelfde gegevens voor de betaling als hiernaast",
    logo: "Logo van",
    vat_id: "Btw-id",
    attached: "Deze pdf bevat de factuur ook als e-factuur (UBL).",
    attachment: "De factuur als e-factuur (UBL)",
    draft: "CONCEPT",
    draft_line: "CONCEPT – nog niet verstuurd",
    test_line: "TEST – geen echte factuur",
    test_quote_line: "TEST – geen echte offerte",
    translation_line: "Vertaling – het origineel is in het Engels",
    continued: "vervolg",
};

const ENGLISH: Words = Words {
    invoice: "Invoice",
    prepayment: "Prepayment invoice",
    credit_note: "Credit note",
    quote: "Quote",
    date: "Invoice date",
    credit_date: "Credit note date",
    quote_date: "Quote date",
    valid_until: "Valid until",
    due: "Due date",
    supplied: "Supplied",
    reference: "Your reference",
    order_number: "Order number",
    buyer_reference: "Buyer reference",
    to_pay: "To pay",
    credit: "Credit",
    description: "Description",
    quantity: "Quantity",
    price: "Price",
    price_including: "Price incl.",
    price_excluding: "Price excl. VAT",
    discount: "Discount",
    vat: "VAT",
    amount: "Amount",
    amount_including: "Amount incl.",
    carried: "Carried to the next page",
    brought: "Brought from the previous page",
    specification: "VAT specification",
    rate: "Rate",
    base: "Net amount",
    lines_total: "Total of the lines",
    subtotal: "Subtotal excl. VAT",
    total: "Total",
    payment: "Payment",
    holder: "In the name of",
    transfer_text: "Reference",
    scan: "Scan with your banking app",
    code_meaning: "QR code for your banking app: the same payment details as beside it",
    logo: "Logo of",
    vat_id: "VAT ID",
    attached: "This PDF also contains the invoice as an e-invoice (UBL).",
    attachment: "The invoice as an e-invoice (UBL)",
    draft: "DRAFT",
    draft_line: "DRAFT – not sent yet",
    test_line: "TEST – not a real invoice",
    test_quote_line: "TEST – not a real quote",
    translation_line: "Translation – the original is in Dutch",
    continued: "continued",
};

/// Returns the texts in a language.
pub(crate) const fn words(language: Language) -> &'static Words {
    match language {
        Language::Dutch => &DUTCH,
        Language::English => &ENGLISH,
    }
}

impl Words {
    /// Returns the title of the document.
    pub(crate) fn title(&self, kind: &DocumentKind) -> &'static str {
        match kind {
            DocumentKind::Invoice => self.invoice,
            DocumentKind::Prepayment => self.prepayment,
            DocumentKind::CreditNote { .. } => self.credit_note,
            DocumentKind::Quote => self.quote,
        }
    }
}

/// Returns the text for a line in the column of VAT rates.
pub(crate) fn rate(texts: Texts, treatment: VatTreatment, rate: ledger::vat::VatRate) -> String {
    use VatTreatment as T;
    match (treatment, texts.language) {
        (T::Standard | T::Zero | T::EuGoods | T::Export | T::Foreign(_), _) => {
            texts.percent(rate.percent())
        }
        (T::ReverseCharge | T::EuService | T::Triangular, Language::Dutch) => "verlegd".to_owned(),
        (T::ReverseCharge | T::EuService | T::Triangular, Language::English) => {
            "reversed".to_owned()
        }
        (T::Exempt | T::SmallBusiness | T::ExemptUnderKor, Language::Dutch) => {
            "vrijgesteld".to_owned()
        }
        (T::Exempt | T::SmallBusiness | T::ExemptUnderKor, Language::English) => {
            "exempt".to_owned()
        }
        (T::ServiceOutsideEu | T::OutOfScope, _) => "–".to_owned(),
    }
}

/// Returns the text for a group in the specification of the VAT: the rate, with the country if that
/// is not the Netherlands.
pub(crate) fn rate_of_group(
    texts: Texts,
    treatment: VatTreatment,
    rate: ledger::vat::VatRate,
) -> String {
    let percent = self::rate(texts, treatment, rate);
    match treatment {
        VatTreatment::Foreign(country) => format!("{percent} {country}"),
        _ => percent,
    }
}

/// Returns the label of the row in the totals that states the VAT at a rate.
pub(crate) fn vat_row(texts: Texts, treatment: VatTreatment, rate: ledger::vat::VatRate) -> String {
    use VatTreatment as T;
    let percent = texts.percent(rate.percent());
    match (treatment, texts.language) {
        (T::Standard | T::Zero | T::EuGoods | T::Export, Language::Dutch) => {
            format!("Btw {percent}")
        }
        (T::Standard | T::Zero | T::EuGoods | T::Export, Language::English) => {
            format!("VAT {percent}")
        }
        (T::Foreign(country), Language::Dutch) => {
            format!("Btw {} {percent}", texts.country(country.as_str()))
        }
        (T::Foreign(country), Language::English) => {
            format!("VAT {} {percent}", texts.country(country.as_str()))
        }
        (T::ReverseCharge | T::EuService | T::Triangular, Language::Dutch) => {
            "Btw verlegd".to_owned()
        }
        (T::ReverseCharge | T::EuService | T::Triangular, Language::English) => {
            "VAT reverse-charged".to_owned()
        }
        (T::Exempt | T::SmallBusiness | T::ExemptUnderKor, Language::Dutch) => {
            "Vrijgesteld van btw".to_owned()
        }
        (T::Exempt | T::SmallBusiness | T::ExemptUnderKor, Language::English) => {
            "Exempt from VAT".to_owned()
        }
        (T::ServiceOutsideEu | T::OutOfScope, Language::Dutch) => "Geen Nederlandse btw".to_owned(),
        (T::ServiceOutsideEu | T::OutOfScope, Language::English) => "No Dutch VAT".to_owned(),
    }
}

/// Returns the sentence that identifies the credited invoice (art. 34f Wet OB 1968).
pub(crate) fn credit_sentence(texts: Texts, invoice: &Invoice) -> Option<String> {
    let DocumentKind::CreditNote { invoice_number, invoice_date, reason } = &invoice.kind else {
        return None;
    };
    let date = texts.date(invoice_date);
    let what = match texts.language {
        Language::Dutch => format!("Creditnota bij factuur {invoice_number} van {date}"),
        Language::English => format!("Credit note for invoice {invoice_number} of {date}"),
    };
    Some(reason.as_ref().map_or_else(|| what.clone(), |reason| format!("{what}: {reason}")))
}

/// Returns the payment request with its deadline. The amount is not repeated: the total is directly
/// above it.
pub(crate) fn request(texts: Texts, invoice: &Invoice) -> String {
    let day = invoice.due_date.map(|day| texts.date(day));
    match (texts.language, day) {
        (Language::Dutch, Some(day)) => format!("Graag uiterlijk {day} overmaken"),
        (Language::Dutch, None) => "Graag overmaken".to_owned(),
        (Language::English, Some(day)) => format!("Please pay by {day}"),
        (Language::English, None) => "Please pay".to_owned(),
    }
}

/// Breaks a text into lines of at most `widest` characters, between words if possible.
pub(crate) fn broken(text: &str, widest: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        let characters: Vec<char> = word.chars().collect();
        for part in characters.chunks(widest) {
            let part: String = part.iter().collect();
            let length = part.chars().count();
            match lines.last_mut() {
                Some(line) if line.chars().count() + 1 + length <= widest => {
                    line.push(' ');
                    line.push_str(&part);
                }
                _ => lines.push(part),
            }
        }
    }
    lines
}

/// Returns the text that states the page number and the number of pages.
pub(crate) fn page(language: Language, page: usize, pages: usize) -> String {
    match language {
        Language::Dutch => format!("Pagina {page} van {pages}"),
        Language::English => format!("Page {page} of {pages}"),
    }
}

/// Returns the period of supply: one day, the name of a whole month, or first and last day.
pub(crate) fn period(texts: Texts, from: jiff::civil::Date, until: jiff::civil::Date) -> String {
    if from == until {
        texts.date(from)
    } else if from == from.first_of_month() && until == from.last_of_month() {
        texts.month(from)
    } else {
        match texts.language {
            Language::Dutch => format!("{} tot en met {}", texts.date(from), texts.date(until)),
            Language::English => format!("{} to {}", texts.date(from), texts.date(until)),
        }
    }
}
