//! Lines of an invoice's form, with their amounts.

use crate::{form::Form, texts::Texts};
use jiff::civil::Date;
use ledger::{
    decimal::{self, Decimal},
    invoice::Line,
    money::Cents,
    vat::{Supply, VatCategory, VatRate},
};
use service::invoices::LineInput;
use std::collections::{BTreeMap, BTreeSet};

/// Maximum number of lines in a form, one more than an invoice can have, so that validation reports
/// the problem.
const MOST_LINES: usize = 501;
/// Fields of a line.
const FIELDS: [&str; 6] = ["description", "quantity", "unitPrice", "vatRate", "vatCategory", "supply"];

/// Numbers of the lines in a form.
fn numbers(form: &Form) -> BTreeSet<usize> {
    let number = |(name, _): (&str, &str)| name.strip_prefix("items.")?.split('.').next()?.parse().ok();
    form.pairs().filter_map(number).collect()
}

/// Renumbers the lines from zero with blank ones last, and removes one if `action` says so.
pub fn arrange(form: &Form, action: &str) -> Form {
    let removed: Option<usize> = action.strip_prefix("removeLine.").and_then(|number| number.parse().ok());
    let field = |number: usize, name: &str| form.value(&format!("items.{number}.{name}")).to_owned();
    let kept = numbers(form).into_iter().filter(|number| Some(*number) != removed).take(MOST_LINES);
    let (blank, filled): (Vec<usize>, Vec<usize>) =
        kept.partition(|number| field(*number, "description").is_empty() && field(*number, "unitPrice").is_empty());
    let mut pairs: Vec<(String, String)> = form
        .pairs()
        .filter(|(name, _)| !name.starts_with("items."))
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .collect();
    let mut next = 0;
    for number in filled.into_iter().chain(blank) {
        for name in FIELDS {
            pairs.push((format!("items.{next}.{name}"), field(number, name)));
        }
        next += 1;
    }
    if next == 0 || action == "addLine" {
        pairs.extend(blank_line(next));
    }
    Form::of(pairs)
}

/// Whether a field belongs to a blank or missing line.
pub(super) fn is_on_blank_line(form: &Form, field: &str) -> bool {
    let number = field.strip_prefix("items.").and_then(|rest| rest.split('.').next());
    let is_empty = |number: &str, name: &str| form.value(&format!("items.{number}.{name}")).is_empty();
    number.is_some_and(|number| is_empty(number, "description") && is_empty(number, "unitPrice"))
}

/// Form without its blank lines.
pub(super) fn without_blank_lines(form: &Form) -> Form {
    Form::of(form.pairs().filter(|(name, _)| !is_on_blank_line(form, name)))
}

/// Blank line.
pub(crate) fn blank_line(number: usize) -> [(String, String); 6] {
    FIELDS.map(|name| {
        let value = match name {
            "quantity" => "1",
            "vatRate" => "21",
            _ => "",
        };
        (format!("items.{number}.{name}"), value.to_owned())
    })
}

/// Fields of the lines of an invoice.
pub(super) fn fields_of(texts: Texts, usual: Supply, lines: &[(Line, Cents)]) -> Vec<(String, String)> {
    let mut pairs = Vec::with_capacity(lines.len() * FIELDS.len());
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
        pairs.extend(FIELDS.into_iter().zip(values).map(|(name, value)| (format!("items.{number}.{name}"), value)));
    }
    pairs
}

/// Numbers of the lines that the form shows.
pub fn shown(form: &Form) -> Vec<usize> {
    numbers(form).into_iter().take(MOST_LINES).collect()
}

/// Readable lines: their amounts by their numbers in the form, and the lines themselves.
pub(super) fn read(form: &Form, texts: Texts, on: Date) -> (BTreeMap<usize, Cents>, Vec<LineInput>) {
    let mut amounts = BTreeMap::new();
    let mut lines = Vec::new();
    for number in shown(form) {
        let value = |name: &str| form.value(&format!("items.{number}.{name}")).to_owned();
        let read = |name: &str| i18n::read_number(&value(name), form.language(texts.language)).ok();
        let quantity = if value("quantity").is_empty() { Some(Decimal::ONE) } else { read("quantity") };
        let rate = read("vatRate").and_then(|percent| VatRate::from_percent(&percent, on).ok());
        let (Some(quantity), Some(unit_price), Some(vat_rate)) = (quantity, read("unitPrice"), rate) else { continue };
        let Ok(amount) = decimal::multiply_to_cents(&quantity, &unit_price) else { continue };
        amounts.insert(number, amount);
        let vat_category = VatCategory::parse(&value("vatCategory")).filter(|_| vat_rate.is_zero());
        let supply = Supply::parse(&value("supply"));
        lines.push(LineInput { description: String::new(), quantity, unit_price, vat_rate, vat_category, supply });
    }
    (amounts, lines)
}
