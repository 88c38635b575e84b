//! Numbers on their way out: amounts with exactly two decimals, other decimals as short as they are.

use ledger::{
    decimal::{self, Decimal},
    hours::Hours,
    money::Cents,
};
use serde::{Serialize, Serializer};
use serde_json::value::RawValue;

/// Writes a number by its text, so that it never passes through a binary float.
fn verbatim<S: Serializer>(text: &str, serializer: S) -> Result<S::Ok, S::Error> {
    let raw: &RawValue = serde_json::from_str(text).map_err(serde::ser::Error::custom)?;
    raw.serialize(serializer)
}

/// An amount of euros: `121.00`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Amount(pub(crate) Cents);

impl Serialize for Amount {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        verbatim(&self.0.to_string(), serializer)
    }
}

/// A decimal in its shortest form: `8.5`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Number(pub(crate) Decimal);

impl Serialize for Number {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        verbatim(&decimal::plain(&self.0), serializer)
    }
}

impl From<Hours> for Number {
    fn from(hours: Hours) -> Self {
        Self(hours.to_decimal())
    }
}
