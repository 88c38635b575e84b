//! Lines in the form for an invoice.

use crate::{frame::lines::Lines, texts::Texts};
use ledger::{
    decimal,
    invoice::Line,
    money::Cents,
    vat::{Exemption, Supply, VatCategory},
};

/// Fields, default values and limits of the lines in the invoice form.
pub const LINES: Lines = Lines {
    list: "items",
    fields: &[
        ("description", ""),
        ("quantity", "1"),
        ("unitPrice", ""),
        ("vatRate", "21"),
        ("vatCategory", ""),
        ("exemption", ""),
        ("supply", ""),
        ("taxCountry", ""),
        ("account", ""),
        ("vatProposed", "true"),
        ("vatProposal", ""),
    ],
    content: &["description", "unitPrice"],
    least: 1,
    most: 501,
};

/// Form fields for the lines of an invoice.
pub(super) fn fields_of(
    texts: Texts,
    usual: Supply,
    lines: &[(Line, Cents)],
) -> Vec<(String, String)> {
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
            texts.number_field(line.unit_price),
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
        ];
        pairs.extend(LINES.filled(number, values));
    }
    pairs
}
