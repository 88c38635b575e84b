//! The calculator `invoice`: reads the same body as the API, and prices it with the same function.

use super::{Shared, asked_language, json, nothing_else, respond::Document};
use axum::{
    extract::{RawQuery, Request, State},
    response::Response,
};
use jiff::civil::Date;
use ledger::{decimal::Decimal, invoice::Priced, language::Language, money::Cents, vat::VatBox};
use serde_json::Value as Json;
use service::{Error, invoices::InvoiceQuote};
use tax::{
    calculator::{Node, Outcome},
    calculators,
    value::Value,
};
use web_core::{
    input::{self, Parsed},
    json_body as body,
    problem::Problem,
};

/// Returns the JSON Schema of the body.
pub(super) fn schema() -> Json {
    input::schema(|fields| input::invoice_quote(fields, Date::ZERO))
}

/// Handles `POST /open-data/calculators/invoice.json`.
pub(super) async fn send(
    State(shared): Shared,
    RawQuery(query): RawQuery,
    request: Request,
) -> Result<Response, Problem> {
    let (language, rest) = asked_language(query.as_deref());
    nothing_else(&rest)?;
    let headers = request.headers().clone();
    let raw = body::read(request).await?;
    let outcome = price(input::json(&raw, |fields| input::invoice_quote(fields, (shared.today)())))
        .map_err(Problem::from)?;
    Ok(Document::new("application/json", json::outcome(&outcome, language)).answer(&headers))
}

/// Returns the result as JSON, or all faults, one per line.
pub(super) fn calculate(bytes: &[u8], today: Date) -> Result<String, String> {
    let raw = body::parse(bytes).map_err(|problem| problem.detail().to_owned())?;
    let outcome = price(input::json(&raw, |fields| input::invoice_quote(fields, today))).map_err(
        |error| match error {
            Error::Invalid(faults) => {
                let lines: Vec<String> = faults
                    .iter()
                    .map(|fault| format!("{}: {}", fault.path, input::message(fault)))
                    .collect();
                lines.join("\n")
            }
            other => other.to_string(),
        },
    )?;
    Ok(json::outcome(&outcome, Language::English))
}

/// Prices a parsed invoice.
pub(super) fn price(parsed: Parsed<InvoiceQuote>) -> Result<Outcome, Error> {
    let quote = parsed.command.ok_or(Error::Invalid(parsed.faults))?;
    Ok(outcome(&service::invoices::quote(&quote)?))
}

fn outcome(priced: &Priced) -> Outcome {
    let items =
        priced.line_amounts.iter().map(|amount| vec![("amount", Some(euros(*amount)))]).collect();
    let groups = priced.groups.iter().map(|group| {
        vec![
            ("rate", Some(Value::Percent(group.rate.percent()))),
            ("category", Some(Value::Text(group.category.as_str().into()))),
            ("base", Some(euros(group.base))),
            ("amount", Some(euros(group.amount))),
            ("box", group.vat_box.map(VatBox::as_str).map(|name| Value::Text(name.into()))),
        ]
    });
    let fields = vec![
        ("items", Node::Rows(items)),
        ("vat", Node::Rows(groups.collect())),
        ("subtotal", euros(priced.subtotal).into()),
        ("vatTotal", euros(priced.vat_total).into()),
        ("total", euros(priced.total).into()),
    ];
    Outcome { fields, steps: priced.groups.iter().map(calculators::invoice::step).collect() }
}

fn euros(amount: Cents) -> Value {
    Value::Money(Decimal::new(amount.get(), 2))
}
