//! Totals of an invoice. This module only describes the calculator: the API defines its input, and
//! `ledger::invoice` computes the totals.

use crate::{
    calculator::{
        Calculator, Input, InputKind, Output, OutputKind, Run, Step, optional, optional_output,
        output, required,
    },
    notation::words,
    value::Value,
    words::{Choice, Words},
};
use ledger::{
    decimal::Decimal,
    invoice::VatGroup,
    vat::{Supply, VatCategory},
};

static INPUTS: &[Input] = &[
    optional(
        "invoiceDate",
        InputKind::Date,
        None,
        Words::new("Factuurdatum", "Invoice date"),
        Words::new("Zonder: vandaag.", "Today when left out."),
        "",
    ),
    optional(
        "supplyDate",
        InputKind::Date,
        None,
        Words::new("Leverdatum", "Date of supply"),
        Words::new("Eerste dag van de levering of dienst.", "First day of the supply."),
        "",
    ),
    optional(
        "supplyUntil",
        InputKind::Date,
        None,
        Words::new("Leverdatum tot en met", "Supplied until"),
        Words::new(
            "Laatste dag, als de dienst een periode beslaat.",
            "Last day, of a supply over a period.",
        ),
        "",
    ),
    optional(
        "pricesIncludeVat",
        InputKind::Boolean,
        Some("false"),
        Words::new("Prijzen inclusief btw", "Prices include VAT"),
        Words::new(
            "Of de prijzen van de regels inclusief btw zijn.",
            "Whether the prices of the lines include VAT.",
        ),
        "",
    ),
    required(
        "customer",
        InputKind::Json,
        Words::new("Klant", "Customer"),
        Words::new(
            "Land, en bij een ondernemer in de EU het btw-id.",
            "Country, and the VAT ID of a business in the EU.",
        ),
        "",
    ),
    required(
        "items",
        InputKind::Json,
        Words::new("Regels", "Lines"),
        Words::new(
            "Zoals in de API: omschrijving, aantal, prijs, btw-tarief.",
            "As in the API: description, quantity, unit price, VAT rate.",
        ),
        "",
    ),
];

static ITEM: &[Output] = &[output("amount", OutputKind::Money, Words::new("Bedrag", "Amount"))];

/// VAT categories of a line.
pub static CATEGORIES: &[Choice] = &[
    Choice::new("standard", "belast", "taxed"),
    Choice::new("zero", "0%-tarief", "zero rate"),
    Choice::new("reverseCharge", "btw verlegd", "reverse charge"),
    Choice::new("exempt", "vrijgesteld", "exempt"),
    Choice::new("intraCommunity", "naar een ondernemer in de EU", "to a business in the EU"),
    Choice::new("export", "uitvoer", "export"),
    Choice::new("serviceOutsideEu", "dienst buiten de EU", "service outside the EU"),
    Choice::new("outOfScope", "buiten de btw", "outside VAT"),
    Choice::new("oss", "btw van een ander EU-land (OSS)", "VAT of another EU country (OSS)"),
];

static VAT: &[Output] = &[
    output("rate", OutputKind::Percent, Words::new("Tarief", "Rate")),
    output("category", OutputKind::Choice(CATEGORIES), Words::new("Soort", "Category")),
    output("base", OutputKind::Money, Words::new("Over", "Base")),
    output("amount", OutputKind::Money, Words::new("Btw", "VAT")),
    optional_output("box", OutputKind::Text, Words::new("Rubriek", "Box")),
];

static OUTPUTS: &[Output] = &[
    output("items", OutputKind::Rows(ITEM), Words::new("Regels", "Lines")),
    output("vat", OutputKind::Rows(VAT), Words::new("Btw", "VAT")),
    output("subtotal", OutputKind::Money, Words::new("Exclusief btw", "Excluding VAT")),
    output("vatTotal", OutputKind::Money, Words::new("Btw", "VAT")),
    output("total", OutputKind::Money, Words::new("Totaal", "Total")),
];

/// The calculator.
pub static CALCULATOR: Calculator = Calculator {
    id: "invoice",
    title: Words::new("Factuur doorrekenen", "What an invoice comes to"),
    description: Words::new(
        "Wat een factuur oplevert: per regel, per btw-tarief met de rubriek van de aangifte, en in totaal. Het rekent zoals een factuur in Grootboek.",
        "What an invoice comes to: by line, by VAT rate with the box of the return, and in all. It is worked out as an invoice in Grootboek is.",
    ),
    inputs: INPUTS,
    outputs: OUTPUTS,
    run: Run::Body,
};

/// Returns the calculation step for the VAT on all lines with the same rate and category.
#[must_use]
pub fn step(group: &VatGroup) -> Step {
    let (base, vat) = (Decimal::new(group.base.get(), 2), Decimal::new(group.amount.get(), 2));
    let rate = group.rate.percent();
    let reason = CATEGORIES.iter().find(|choice| choice.value == group.category.as_str());
    let text = match reason.filter(|_| !group.category.is_taxed()) {
        Some(reason) => words(
            |n| format!("Geen btw over {}: {}", n.euros(base), reason.label.nl),
            |n| format!("No VAT on {}: {}", n.euros(base), reason.label.en),
        ),
        None => words(
            |n| format!("{} van {}", n.rate(rate), n.euros(base)),
            |n| format!("{} of {}", n.rate(rate), n.euros(base)),
        ),
    };
    Step::new("vat", text, Value::Money(vat), rule(group.category, group.supply))
}

/// Returns the id of the legal source for a VAT treatment.
pub(crate) fn rule(category: VatCategory, supply: Option<Supply>) -> &'static str {
    match (category, supply) {
        (VatCategory::ReverseCharge, _) => "wet-ob-12",
        (VatCategory::SmallBusiness, _) => "wet-ob-25",
        (VatCategory::Exempt | VatCategory::ExemptCounted, _) => "wet-ob-11",
        (VatCategory::OutOfScope, _) => "wet-ob-1",
        (VatCategory::Oss, _) => "belastingdienst-oss",
        // Article 6 determines where services to a business are supplied.
        (VatCategory::ServiceOutsideEu, _)
        | (VatCategory::SmallBusinessEu, _)
        | (VatCategory::IntraCommunity, Some(Supply::Services | Supply::Electronic)) => "wet-ob-6",
        (
            VatCategory::Standard
            | VatCategory::Zero
            | VatCategory::IntraCommunity
            | VatCategory::Export,
            _,
        ) => "wet-ob-9",
    }
}
