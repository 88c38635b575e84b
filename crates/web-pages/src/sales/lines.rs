//! Lines of an invoice's form, with their amounts.

use crate::{form::Form, frame::lines::Lines, texts::Texts};
use jiff::civil::Date;
use ledger::{
    decimal::{self, Decimal},
    invoice::Line,
    money::Cents,
    vat::{Supply, VatCategory, VatRate},
};
use service::invoices::LineInput;
use std::collections::BTreeMap;

/// Lines of an invoice.
pub const LINES: Lines = Lines {
    list: "items",
    fields: &[("description", ""), ("quantity", "1"), ("unitPrice", ""), ("vatRate", "21"), ("vatCategory", ""), ("supply", "")],
    content: &["description", "unitPrice"],
    least: 1,
    most: 501,
};

/// Fields of the lines of an invoice.
pub(super) fn fields_of(texts: Texts, usual: Supply, lines: &[(Line, Cents)]) -> Vec<(String, String)> {
    let mut pairs = Vec::with_capacity(lines.len() * LINES.fields.len());
    // Lines that set off prepayments follow from the selected prepayments.
    let own = lines.iter().filter(|(line, _)| line.sets_off.is_none());
    for (number, (line, _)) in own.enumerate() {
        // A category implied by the rate stays empty.
        let category = if line.vat_category == VatCategory::Standard { "" } else { line.vat_category.as_str() };
        let values = [
            line.description.clone(),
            texts.number_field(line.quantity),
            texts.number_field(line.unit_price),
            decimal::plain(&line.vat_rate.percent()),
            category.to_owned(),
            // The account's usual supply stays empty.
            if line.supply == usual { String::new() } else { line.supply.as_str().to_owned() },
        ];
        pairs.extend(LINES.filled(number, values));
    }
    pairs
}

/// Readable lines: their amounts by their numbers in the form, and the lines themselves.
pub(super) fn read(form: &Form, texts: Texts, on: Date) -> (BTreeMap<usize, Cents>, Vec<LineInput>) {
    let mut amounts = BTreeMap::new();
    let mut lines = Vec::new();
    for line in LINES.of(form) {
        let value = |name: &str| form.value(&line.field(name)).to_owned();
        let read = |name: &str| i18n::read_number(&value(name), form.language(texts.language)).ok();
        let quantity = if value("quantity").is_empty() { Some(Decimal::ONE) } else { read("quantity") };
        let rate = read("vatRate").and_then(|percent| VatRate::from_percent(&percent, on).ok());
        let (Some(quantity), Some(unit_price), Some(vat_rate)) = (quantity, read("unitPrice"), rate) else { continue };
        let Ok(amount) = decimal::multiply_to_cents(&quantity, &unit_price) else { continue };
        amounts.insert(line.number, amount);
        let vat_category = VatCategory::parse(&value("vatCategory")).filter(|_| vat_rate.is_zero());
        let supply = Supply::parse(&value("supply"));
        lines.push(LineInput { description: String::new(), quantity, unit_price, vat_rate, vat_category, supply });
    }
    (amounts, lines)
}
