//! Lines in the form for an invoice.

use crate::{frame::lines::Lines, texts::Texts};
use ledger::{
    decimal::{self, Decimal},
    invoice::Line,
    language::Language,
    money::Cents,
    vat::{Exemption, Supply, VatCategory},
};
use store::invoices::Particulars;

/// Fields, default values and limits of the lines in the invoice form.
pub const LINES: Lines = Lines {
    list: "items",
    fields: &[
        ("description", ""),
        ("quantity", "1"),
        ("unit", ""),
        ("unitPrice", ""),
        ("discountPercent", ""),
        ("discountAmount", ""),
        ("vatRate", "21"),
        ("vatCategory", ""),
        ("exemption", ""),
        ("supply", ""),
        ("taxCountry", ""),
        ("account", ""),
        ("vatProposed", "true"),
        ("vatProposal", ""),
        ("articleId", ""),
    ],
    content: &["description", "unitPrice", "articleId"],
    least: 1,
    most: 501,
};

/// Form fields for the discount on all lines of a document, the numbers of the customer and the
/// language.
pub(super) fn fields_of_document(
    texts: Texts,
    particulars: &Particulars,
    language: Option<Language>,
) -> [(String, String); 6] {
    let number = |number: Option<Decimal>| {
        number.map(|number| texts.number_field(number)).unwrap_or_default()
    };
    let text = |text: &Option<String>| text.clone().unwrap_or_default();
    let amount = particulars.discount.amount().map(|amount| Decimal::new(amount.get(), 2));
    [
        ("discountPercent", number(particulars.discount.percent())),
        ("discountAmount", number(amount)),
        ("discountDescription", text(&particulars.discount_description)),
        ("orderNumber", text(&particulars.order_number)),
        ("buyerReference", text(&particulars.buyer_reference)),
        ("language", language.map(|language| language.as_str().to_owned()).unwrap_or_default()),
    ]
    .map(|(name, value)| (name.to_owned(), value))
}

/// Form fields for the lines of an invoice.
pub(super) fn fields_of(
    texts: Texts,
    usual: Supply,
    lines: &[(Line, Cents)],
) -> Vec<(String, String)> {
    let typed = |number: Option<Decimal>| {
        number.map(|number| texts.number_field(number)).unwrap_or_default()
    };
    let mut pairs = Vec::with_capacity(lines.len() * LINES.fields.len());
    // Lines that set off prepayments are derived from the selected prepayments.
    let own = lines.iter().filter(|(line, _)| line.sets_off.is_none());
    for (number, (line, _)) in own.enumerate() {
        // The field stays empty for the category implied by the rate.
        let category = if line.vat_category == VatCategory::Standard {
            ""
        } else {
            line.vat_category.public().as_str()
        };
        let exemption = line.vat_category.exemption().map_or("", Exemption::as_str);
        let values = [
            line.description.clone(),
            texts.number_field(line.quantity),
            line.unit.as_ref().map(|unit| texts.unit(unit, line.quantity)).unwrap_or_default(),
            texts.number_field(line.unit_price),
            typed(line.discount.percent()),
            typed(line.discount.amount().map(|amount| Decimal::new(amount.get(), 2))),
            decimal::plain(&line.vat_rate.percent()),
            category.to_owned(),
            exemption.to_owned(),
            // The field stays empty for the account's usual supply.
            if line.supply == usual { String::new() } else { line.supply.as_str().to_owned() },
            line.tax_country.map(|country| country.to_string()).unwrap_or_default(),
            line.account.map(|account| account.to_string()).unwrap_or_default(),
            // What a stored line has was chosen.
            String::new(),
            String::new(),
            // A line is a copy of its article.
            String::new(),
        ];
        pairs.extend(LINES.filled(number, values));
    }
    pairs
}
