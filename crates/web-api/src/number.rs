//! Numbers in responses: amounts with exactly two decimals, other decimals in their shortest form.

use ledger::{
    decimal::{self, Decimal},
    hours::Hours,
    money::Cents,
};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Serialize, Serializer};
use serde_json::value::RawValue;
use std::borrow::Cow;

/// Writes the text of a number unchanged, so that it never passes through a binary float.
fn verbatim<S: Serializer>(text: &str, serializer: S) -> Result<S::Ok, S::Error> {
    let raw: &RawValue = serde_json::from_str(text).map_err(serde::ser::Error::custom)?;
    raw.serialize(serializer)
}

/// Amount in euros: `121.00`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Amount(pub(crate) Cents);

impl Serialize for Amount {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        // Formatted without an allocation, because an invoice has dozens of amounts.
        let (mut rest, mut text, mut place) = (self.0.get().unsigned_abs(), [0; 24], 24);
        let mut put = |byte: u8| {
            place -= 1;
            text[place] = byte;
        };
        for digits in 0.. {
            if digits == 2 {
                put(b'.');
            }
            put(b'0' + u8::try_from(rest % 10).unwrap_or(0));
            rest /= 10;
            if rest == 0 && digits >= 2 {
                break;
            }
        }
        if self.0.is_negative() {
            put(b'-');
        }
        verbatim(std::str::from_utf8(&text[place..]).unwrap_or("0.00"), serializer)
    }
}

impl JsonSchema for Amount {
    fn schema_name() -> Cow<'static, str> {
        "Amount".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "type": "number",
            "description": "Amount in euros, always with two decimals. Parse it as a decimal, not as a binary float.",
            "examples": [121.00],
        })
    }
}

impl JsonSchema for Number {
    fn schema_name() -> Cow<'static, str> {
        "Decimal".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "number", "description": "Exact decimal number.", "examples": [8.5] })
    }
}

/// Decimal number in its shortest form: `8.5`.
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

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn an_amount_is_written_as_it_is_printed(cents in -9_999_999_999_999..=9_999_999_999_999_i64) {
            let amount = Cents::new(cents);
            prop_assert_eq!(serde_json::to_string(&Amount(amount)).unwrap(), amount.to_string());
        }
    }

    #[test]
    fn small_and_extreme_amounts_are_written_whole() {
        for cents in [0, 1, 9, 10, 99, 100, -1, -99, -100, i64::MAX, i64::MIN + 1] {
            assert_eq!(
                serde_json::to_string(&Amount(Cents::new(cents))).unwrap(),
                Cents::new(cents).to_string()
            );
        }
    }
}
