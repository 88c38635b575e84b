//! Lines of an expense's form, with their amounts.

use crate::{
    form::Form,
    frame::lines::{Line, Lines},
    texts::Texts,
};
use jiff::civil::Date;
use ledger::{
    chart::AccountCode,
    decimal,
    money::Cents,
    purchase::{self, BusinessShare, Deduction, PricedPurchase, PurchaseLine, VatTreatment},
    vat::VatRate,
};
use std::collections::BTreeMap;

/// Lines of an expense.
pub(super) const LINES: Lines = Lines {
    list: "items",
    fields: &[
        ("category", ""),
        ("amount", ""),
        ("vatRate", "21"),
        ("vatTreatment", "normal"),
        ("includesVat", "true"),
        ("vat", ""),
    ],
    content: &["amount", "vat"],
    least: 1,
    most: 101,
};

/// Totals of a form's lines, as far as they are readable.
pub(super) struct Reckoning {
    /// Amount charged by the supplier for each readable line, by its number in the form.
    pub(super) amounts: BTreeMap<usize, Cents>,
    /// Totals, unless out of range.
    pub(super) priced: Option<PricedPurchase>,
}

/// Fields of the lines of an expense.
pub(super) fn fields_of(texts: Texts, priced: &PricedPurchase) -> Vec<(String, String)> {
    let mut pairs = Vec::with_capacity(priced.lines.len() * LINES.fields.len());
    for (number, (line, _)) in priced.lines.iter().enumerate() {
        let values = [
            line.category.to_string(),
            texts.money_field(line.amount),
            if line.treatment.has_rate() { decimal::plain(&line.rate.percent()) } else { "21".to_owned() },
            line.treatment.as_str().to_owned(),
            if line.includes_vat { "true".to_owned() } else { String::new() },
            line.printed_vat.map(|vat| texts.money_field(vat)).unwrap_or_default(),
        ];
        pairs.extend(LINES.filled(number, values));
    }
    pairs
}

/// Totals of the lines on that date, with the business share.
pub(super) fn reckon(form: &Form, texts: Texts, on: Date, deduction: Deduction) -> Reckoning {
    let share = form.value("businessShare");
    let share =
        i18n::read_number(share, form.language(texts.language)).ok().and_then(|percent| BusinessShare::from_percent(&percent));
    let share = share.unwrap_or(BusinessShare::WHOLE);
    let mut amounts = BTreeMap::new();
    let mut lines = Vec::new();
    for line in LINES.of(form) {
        let Some(read) = read_line(form, line, texts, on) else { continue };
        if let Ok(priced) = purchase::price(std::slice::from_ref(&read), share, deduction) {
            amounts.insert(line.number, priced.total);
            lines.push(read);
        }
    }
    Reckoning { amounts, priced: purchase::price(&lines, share, deduction).ok() }
}

fn read_line(form: &Form, line: Line, texts: Texts, on: Date) -> Option<PurchaseLine> {
    let value = |name: &str| form.value(&line.field(name)).to_owned();
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
