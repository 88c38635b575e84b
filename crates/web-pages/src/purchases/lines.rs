//! Lines in the form for an expense, with their amounts.

use crate::{frame::lines::Lines, texts::Texts};
use ledger::{
    decimal,
    money::Cents,
    own_account::OwnAccounts,
    purchase::{self, Deduction, PricedPurchase, PurchaseLine},
    vat::VatRate,
};
use std::collections::BTreeMap;
use web_core::input::UnfinishedExpense;

/// Form fields of an expense's lines, and the number of lines shown and allowed.
pub(super) const LINES: Lines = Lines {
    list: "items",
    fields: &[
        ("category", ""),
        ("amount", ""),
        ("vatRate", "21"),
        ("vatProposed", "true"),
        ("vatProposal", ""),
        ("vatTreatment", "normal"),
        ("includesVat", "true"),
        ("vat", ""),
    ],
    content: &["amount", "vat"],
    least: 1,
    most: 101,
};

/// Totals of the readable lines of a form.
pub(super) struct Reckoning {
    /// Amount charged by the supplier for each readable line, by its number in the form.
    pub(super) amounts: BTreeMap<usize, Cents>,
    /// Totals, unless out of range.
    pub(super) priced: Option<PricedPurchase>,
}

/// Form fields for the lines of an expense.
pub(super) fn fields_of(texts: Texts, priced: &PricedPurchase) -> Vec<(String, String)> {
    let mut pairs = Vec::with_capacity(priced.lines.len() * LINES.fields.len());
    for (number, (line, _)) in priced.lines.iter().enumerate() {
        let values = [
            line.category.to_string(),
            texts.money_field(line.amount),
            if line.treatment.has_rate() {
                decimal::plain(&line.rate.percent())
            } else {
                "21".to_owned()
            },
            // What a stored line has was chosen.
            String::new(),
            String::new(),
            line.treatment.as_str().to_owned(),
            if line.includes_vat { "true".to_owned() } else { String::new() },
            line.printed_vat.map(|vat| texts.money_field(vat)).unwrap_or_default(),
        ];
        pairs.extend(LINES.filled(number, values));
    }
    pairs
}

/// Totals of an unfinished expense.
pub(super) fn reckon(
    own: &OwnAccounts,
    expense: &UnfinishedExpense,
    deduction: Deduction,
) -> Reckoning {
    let mut amounts = BTreeMap::new();
    let mut lines = Vec::new();
    let is_known = |rate: VatRate| VatRate::from_percent(&rate.percent(), expense.date).is_ok();
    for (number, input) in &expense.lines {
        let line = input.to_purchase_line();
        let line = PurchaseLine { category: own.resolve(line.category), ..line };
        let is_blank = line.amount.is_zero() && line.printed_vat.is_none();
        if is_blank || line.treatment.has_rate() && !input.rate.is_some_and(is_known) {
            continue;
        }
        if let Ok(priced) =
            purchase::price(std::slice::from_ref(&line), expense.business_share, deduction)
        {
            amounts.insert(*number, priced.total);
            lines.push(line);
        }
    }
    Reckoning { amounts, priced: purchase::price(&lines, expense.business_share, deduction).ok() }
}
