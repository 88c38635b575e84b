//! Lines of an expense's form, with their amounts.

use crate::{form::Form, texts::Texts};
use jiff::civil::Date;
use ledger::{
    chart::AccountCode,
    decimal,
    money::Cents,
    purchase::{self, BusinessShare, Deduction, PricedPurchase, PurchaseLine, VatTreatment},
    vat::VatRate,
};
use std::collections::{BTreeMap, BTreeSet};

/// Maximum number of lines in a form, one more than an expense can have, so that validation reports
/// the problem.
const MOST_LINES: usize = 101;
/// Fields of a line.
const FIELDS: [&str; 6] = ["category", "amount", "vatRate", "vatTreatment", "includesVat", "vat"];

/// Totals of a form's lines, as far as they are readable.
pub(super) struct Reckoning {
    /// Amount charged by the supplier for each readable line, by its number in the form.
    pub(super) amounts: BTreeMap<usize, Cents>,
    /// Totals, unless out of range.
    pub(super) priced: Option<PricedPurchase>,
}

/// Numbers of the lines in a form.
fn numbers(form: &Form) -> BTreeSet<usize> {
    let number = |(name, _): (&str, &str)| name.strip_prefix("items.")?.split('.').next()?.parse().ok();
    form.pairs().filter_map(number).collect()
}

/// Renumbers the lines from zero with blank ones last, and removes one if `action` says so.
pub(super) fn arrange(form: &Form, action: &str) -> Form {
    let removed: Option<usize> = action.strip_prefix("removeLine.").and_then(|number| number.parse().ok());
    let field = |number: usize, name: &str| form.value(&format!("items.{number}.{name}")).to_owned();
    let kept = numbers(form).into_iter().filter(|number| Some(*number) != removed).take(MOST_LINES);
    let (blank, filled): (Vec<usize>, Vec<usize>) =
        kept.partition(|number| field(*number, "amount").is_empty() && field(*number, "vat").is_empty());
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

/// Blank line.
pub(super) fn blank_line(number: usize) -> [(String, String); 6] {
    FIELDS.map(|name| {
        let value = match name {
            "vatRate" => "21",
            "vatTreatment" => "normal",
            "includesVat" => "true",
            _ => "",
        };
        (format!("items.{number}.{name}"), value.to_owned())
    })
}

/// Fields of the lines of an expense.
pub(super) fn fields_of(texts: Texts, priced: &PricedPurchase) -> Vec<(String, String)> {
    let mut pairs = Vec::with_capacity(priced.lines.len() * FIELDS.len());
    for (number, (line, _)) in priced.lines.iter().enumerate() {
        let values = [
            line.category.to_string(),
            texts.money_field(line.amount),
            if line.treatment.has_rate() { decimal::plain(&line.rate.percent()) } else { "21".to_owned() },
            line.treatment.as_str().to_owned(),
            if line.includes_vat { "true".to_owned() } else { String::new() },
            line.printed_vat.map(|vat| texts.money_field(vat)).unwrap_or_default(),
        ];
        pairs.extend(FIELDS.into_iter().zip(values).map(|(name, value)| (format!("items.{number}.{name}"), value)));
    }
    pairs
}

/// Numbers of the lines that the form shows.
pub(super) fn shown(form: &Form) -> Vec<usize> {
    numbers(form).into_iter().take(MOST_LINES).collect()
}

/// Totals of the lines on that date, with the business share.
pub(super) fn reckon(form: &Form, texts: Texts, on: Date, deduction: Deduction) -> Reckoning {
    let share = form.value("businessShare");
    let share =
        i18n::read_number(share, form.language(texts.language)).ok().and_then(|percent| BusinessShare::from_percent(&percent));
    let share = share.unwrap_or(BusinessShare::WHOLE);
    let mut amounts = BTreeMap::new();
    let mut lines = Vec::new();
    for number in shown(form) {
        let Some(line) = read_line(form, number, texts, on) else { continue };
        if let Ok(priced) = purchase::price(std::slice::from_ref(&line), share, deduction) {
            amounts.insert(number, priced.total);
            lines.push(line);
        }
    }
    Reckoning { amounts, priced: purchase::price(&lines, share, deduction).ok() }
}

fn read_line(form: &Form, number: usize, texts: Texts, on: Date) -> Option<PurchaseLine> {
    let value = |name: &str| form.value(&format!("items.{number}.{name}")).to_owned();
    let money = |name: &str| i18n::read_money(&value(name), form.language(texts.language)).ok();
    let treatment = VatTreatment::parse(&value("vatTreatment")).unwrap_or(VatTreatment::Normal);
    let rate = i18n::read_number(&value("vatRate"), form.language(texts.language)).ok();
    let rate = rate.and_then(|percent| VatRate::from_percent(&percent, on).ok());
    let printed_vat = money("vat").filter(|_| treatment.has_printed_vat());
    Some(PurchaseLine {
        category: AccountCode::parse(&value("category")).unwrap_or(ledger::chart::codes::OFFICE),
        amount: if value("amount").is_empty() { printed_vat.map(|_| Cents::ZERO)? } else { money("amount")? },
        treatment,
        rate: if treatment.has_rate() { rate? } else { VatRate::ZERO },
        includes_vat: value("includesVat") == "true" && treatment == VatTreatment::Normal,
        printed_vat,
    })
}
