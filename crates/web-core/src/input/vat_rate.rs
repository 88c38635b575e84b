//! Input of a Dutch VAT rate.

use super::{DecimalNumber, Reader, validated};
use jiff::civil::{self, Date};
use ledger::{decimal, vat::VatRate};
use serde_json::{Value, json};
use service::Reason;

/// Returns the rates of all years that a date can have, in per cent.
fn rates() -> Vec<Value> {
    let years =
        (2000..=2099).flat_map(|year| (1..=12).map(move |month| civil::date(year, month, 1)));
    let mut rates: Vec<VatRate> = years.flat_map(VatRate::known_on).collect();
    rates.sort_unstable();
    rates.dedup();
    // Rates can be fractional, but client generators support only enumerations of integers: with
    // 17.5 in one, openapi-python-client omits the operation. Each fractional rate is therefore
    // expressed as an equal minimum and maximum.
    let rates = rates.iter().filter_map(|rate| serde_json::from_str(&rate.to_string()).ok());
    let (whole, others): (Vec<Value>, Vec<Value>) = rates.partition(Value::is_u64);
    let others =
        others.iter().map(|rate| json!({ "type": "number", "minimum": rate, "maximum": rate }));
    [json!({ "type": "integer", "enum": whole })].into_iter().chain(others).collect()
}

/// Returns a reader of a VAT rate that exists in law on the date. Without a date, any number is
/// accepted and yields `None`.
pub(super) fn vat_rate(on: Option<Date>) -> impl Reader<Value = Option<VatRate>> {
    validated(
        DecimalNumber,
        || json!({ "anyOf": rates(), "minimum": 0, "maximum": 100 }),
        move |percent| {
            let percent = decimal::without_residue(&percent, 2).unwrap_or(percent);
            let rate = on.map(|on| VatRate::from_percent(&percent, on)).transpose();
            rate.map_err(Reason::from)
        },
    )
}
