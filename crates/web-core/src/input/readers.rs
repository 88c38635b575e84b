//! Readers: conversion of raw values to typed ones, and their schemas in the description of the
//! API.

use super::Raw;
use jiff::civil::Date;
use ledger::{
    calendar,
    country::CountryCode,
    decimal::{self, Decimal, DecimalError},
    money::Cents,
    named::Named,
};
use serde_json::{Value, json};
use service::{Reason, text};
use std::borrow::Cow;

/// Conversion of a raw value, with its schema.
pub trait Reader {
    /// Type of the result.
    type Value;

    /// Reads a value.
    fn read(&self, raw: &Raw) -> Result<Self::Value, Reason>;

    /// Returns the JSON Schema (2020-12) of the accepted values.
    fn schema(&self) -> Value;

    /// Reason reported when the value is absent.
    fn missing(&self) -> Reason {
        Reason::Required
    }
}

/// Pattern of strings that are not blank and contain no control characters; `SEVERAL_LINES` allows
/// line feeds. Surrounding white space is trimmed. `service::text` also rejects invisible text and
/// direction overrides.
const ONE_LINE: &str =
    r"^\s*[^\s\x00-\x1f\x7f-\x9f]([^\x00-\x1f\x7f-\x9f]*[^\s\x00-\x1f\x7f-\x9f])?\s*$";
const SEVERAL_LINES: &str =
    r"^\s*[^\s\x00-\x1f\x7f-\x9f]([^\x00-\x09\x0b-\x1f\x7f-\x9f]*[^\s\x00-\x1f\x7f-\x9f])?\s*$";

/// Returns the names of choices, for a schema.
pub fn names<T>(choices: &[(&'static str, T)]) -> Vec<&'static str> {
    choices.iter().map(|(name, _)| *name).collect()
}

/// Returns the names of values, for a schema.
pub fn names_of<T: Named>(values: &[T]) -> Vec<&'static str> {
    values.iter().map(|value| value.name()).collect()
}

/// Returns the names and null, for a schema.
pub fn or_null<'n>(names: impl IntoIterator<Item = &'n str>) -> Vec<Option<&'n str>> {
    names.into_iter().map(Some).chain([None]).collect()
}

/// Text on one line, trimmed, not empty, with a maximum number of characters.
pub struct SingleLine(pub usize);

impl Reader for SingleLine {
    type Value = String;

    fn read(&self, raw: &Raw) -> Result<String, Reason> {
        text::single_line(raw.text().ok_or(Reason::NotAText)?, self.0)
    }

    fn schema(&self) -> Value {
        json!({ "type": "string", "minLength": 1, "maxLength": self.0, "pattern": ONE_LINE })
    }
}

/// Text on several lines with a maximum number of characters. It may have one line break per 50
/// characters of that maximum, so that a printed text never fills hundreds of pages.
pub struct MultiLine(pub usize);

impl MultiLine {
    const fn most_breaks(&self) -> usize {
        self.0 / 50
    }
}

impl Reader for MultiLine {
    type Value = String;

    fn read(&self, raw: &Raw) -> Result<String, Reason> {
        let text = text::multi_line(raw.text().ok_or(Reason::NotAText)?, self.0)?;
        let most = self.most_breaks();
        if text.matches('\n').count() > most {
            Err(Reason::TooManyLineBreaks { most })
        } else {
            Ok(text)
        }
    }

    fn schema(&self) -> Value {
        // The limit on line breaks is only described in prose: a second pattern would break the
        // compatibility promise of v1.
        json!({ "type": "string", "minLength": 1, "maxLength": self.0, "pattern": SEVERAL_LINES })
    }
}

/// One of several strings, each with the value that it represents.
pub struct Choice<T: 'static>(pub &'static [(&'static str, T)]);

impl<T: Copy> Reader for Choice<T> {
    type Value = T;

    fn read(&self, raw: &Raw) -> Result<T, Reason> {
        let Some(text) = raw.text() else { return Err(Reason::NotAText) };
        self.0
            .iter()
            .find(|(name, _)| *name == text)
            .map(|(_, value)| *value)
            .ok_or_else(|| Reason::UnknownValue { known: names(self.0) })
    }

    fn schema(&self) -> Value {
        json!({ "type": "string", "enum": names(self.0) })
    }
}

/// One of several values, by its name.
pub struct OneOf<T: 'static>(pub &'static [T]);

impl<T: Named> Reader for OneOf<T> {
    type Value = T;

    fn read(&self, raw: &Raw) -> Result<T, Reason> {
        let Some(text) = raw.text() else { return Err(Reason::NotAText) };
        let value = self.0.iter().find(|value| value.name() == text);
        value.copied().ok_or_else(|| Reason::UnknownValue { known: names_of(self.0) })
    }

    fn schema(&self) -> Value {
        json!({ "type": "string", "enum": names_of(self.0) })
    }
}

/// A calendar day.
pub struct CalendarDate;

impl Reader for CalendarDate {
    type Value = Date;

    fn read(&self, raw: &Raw) -> Result<Date, Reason> {
        let Some(text) = raw.text() else { return Err(Reason::NotADate) };
        let day = match raw {
            Raw::Typed(..) => i18n::read_date(text).ok(),
            _ => calendar::parse_date(text).ok(),
        };
        day.ok_or(Reason::InvalidDate)
    }

    fn schema(&self) -> Value {
        json!({ "type": "string", "format": "date", "minLength": 10, "maxLength": 10, "pattern": "^20[0-9]{2}-[0-9]{2}-[0-9]{2}$",
                "examples": ["2026-03-13"] })
    }

    fn missing(&self) -> Reason {
        Reason::DateRequired
    }
}

/// Country, by its code.
pub struct Country;

impl Reader for Country {
    type Value = CountryCode;

    fn read(&self, raw: &Raw) -> Result<CountryCode, Reason> {
        let Some(text) = raw.text() else { return Err(Reason::NotACountry) };
        CountryCode::parse(text.trim()).map_err(|_| Reason::UnknownCountry)
    }

    fn schema(&self) -> Value {
        let codes: Vec<String> = CountryCode::all().map(|country| country.to_string()).collect();
        json!({ "type": "string", "enum": codes, "examples": ["NL"] })
    }
}

/// Returns the text of a number in JSON notation; `None` for other values.
pub(super) fn number(raw: &Raw) -> Option<Cow<'_, str>> {
    match raw {
        Raw::Number(text) => Some(text.into()),
        Raw::Typed(text, language) => i18n::plain_number(text, *language).ok().map(Cow::from),
        _ => None,
    }
}

/// Decimal number, exactly as written.
pub struct DecimalNumber;

impl Reader for DecimalNumber {
    type Value = Decimal;

    fn read(&self, raw: &Raw) -> Result<Decimal, Reason> {
        let text = number(raw).ok_or(Reason::NotANumber)?;
        decimal::parse(&text).map_err(|error| decimal_reason(error, decimal::MAX_DECIMALS))
    }

    fn schema(&self) -> Value {
        json!({ "type": "number", "minimum": -1_000_000_000, "maximum": 1_000_000_000 })
    }
}

/// Decimal number with a maximum number of decimals. Binary floating-point residue is removed.
pub struct FixedDecimal(pub u32);

impl Reader for FixedDecimal {
    type Value = Decimal;

    fn read(&self, raw: &Raw) -> Result<Decimal, Reason> {
        let text = number(raw).ok_or(Reason::NotANumber)?;
        decimal::parse_fixed(&text, self.0).map_err(|error| decimal_reason(error, self.0))
    }

    fn schema(&self) -> Value {
        DecimalNumber.schema()
    }
}

fn decimal_reason(error: DecimalError, decimals: u32) -> Reason {
    match error {
        DecimalError::NotANumber => Reason::NotANumber,
        DecimalError::TooManyDecimals => Reason::TooManyDecimals { most: decimals as usize },
        DecimalError::OutOfRange => {
            Reason::OutOfRange { least: -decimal::max(), most: decimal::max() }
        }
    }
}

/// Integer within inclusive bounds.
pub struct Integer(pub i64, pub i64);

impl Reader for Integer {
    type Value = i64;

    fn read(&self, raw: &Raw) -> Result<i64, Reason> {
        let Self(least, most) = *self;
        let range = || Reason::WholeOutOfRange { least, most };
        let text = number(raw).ok_or(Reason::NotAWholeNumber)?;
        if text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-') {
            return text
                .parse::<i64>()
                .ok()
                .filter(|value| (least..=most).contains(value))
                .ok_or_else(range);
        }
        // 1e2 and 100.0 are integers too.
        let value = decimal::parse(&text).map_err(|_| range())?.normalize();
        if value.scale() > 0 {
            return Err(Reason::NotAWholeNumber);
        }
        i64::try_from(value.mantissa())
            .ok()
            .filter(|value| (least..=most).contains(value))
            .ok_or_else(range)
    }

    fn schema(&self) -> Value {
        json!({ "type": "integer", "format": "int64", "minimum": self.0, "maximum": self.1 })
    }
}

/// Reader that validates the result of another reader and extends its schema with `adds`.
pub struct Validated<R, F> {
    reader: R,
    validate: F,
    adds: fn() -> Value,
}

impl<T, R: Reader, F: Fn(R::Value) -> Result<T, Reason>> Reader for Validated<R, F> {
    type Value = T;

    fn read(&self, raw: &Raw) -> Result<T, Reason> {
        self.reader.read(raw).and_then(&self.validate)
    }

    fn schema(&self) -> Value {
        let mut schema = self.reader.schema();
        if let (Value::Object(schema), Value::Object(adds)) = (&mut schema, (self.adds)()) {
            schema.extend(adds);
        }
        schema
    }

    fn missing(&self) -> Reason {
        self.reader.missing()
    }
}

/// Returns a reader that validates the result of `reader`. `adds` returns the additional members of
/// the schema.
pub fn validated<T, R: Reader, F: Fn(R::Value) -> Result<T, Reason>>(
    reader: R,
    adds: fn() -> Value,
    validate: F,
) -> Validated<R, F> {
    Validated { reader, validate, adds }
}

/// Reader of the caller's own identifier: 1 to 255 characters, compared exactly.
pub const EXTERNAL_ID: SingleLine = SingleLine(255);
/// Description of the caller's own identifier.
pub const EXTERNAL_ID_MEANING: &str =
    "Your own identifier. Repeating it returns the existing resource (200) and creates nothing.";

/// Reads an amount in euros, positive or negative; `out_of_range` is the reason reported for an
/// amount beyond the limit.
pub(super) fn euros(raw: &Raw, out_of_range: &Reason) -> Result<Cents, Reason> {
    let text = number(raw).ok_or(Reason::NotANumber)?;
    decimal::parse_euros(&text).map_err(|error| match error {
        DecimalError::NotANumber => Reason::NotANumber,
        DecimalError::TooManyDecimals => Reason::TooManyDecimals { most: 2 },
        DecimalError::OutOfRange => out_of_range.clone(),
    })
}

/// Amount in euros, positive, negative or zero.
pub struct AnyEuros;

impl Reader for AnyEuros {
    type Value = Cents;

    fn read(&self, raw: &Raw) -> Result<Cents, Reason> {
        euros(raw, &Reason::AmountOutOfRange { most: Cents::MAX })
    }

    fn schema(&self) -> Value {
        json!({ "type": "number", "minimum": -99_999_999_999.99, "maximum": 99_999_999_999.99 })
    }
}

/// Amount in euros above zero.
pub struct Euros;

impl Reader for Euros {
    type Value = Cents;

    fn read(&self, raw: &Raw) -> Result<Cents, Reason> {
        let reason = Reason::AmountOutOfRange { most: Cents::MAX };
        let amount = euros(raw, &reason)?;
        if amount > Cents::ZERO { Ok(amount) } else { Err(reason) }
    }

    fn schema(&self) -> Value {
        json!({ "type": "number", "minimum": 0.01, "maximum": 99_999_999_999.99 })
    }
}

/// Amount in euros other than zero; the command validates its sign.
pub struct SignedEuros;

impl Reader for SignedEuros {
    type Value = Cents;

    fn read(&self, raw: &Raw) -> Result<Cents, Reason> {
        let reason = Reason::AmountIsNothing { most: Cents::MAX };
        let amount = euros(raw, &reason)?;
        if amount.is_zero() { Err(reason) } else { Ok(amount) }
    }

    fn schema(&self) -> Value {
        json!({ "type": "number", "minimum": -99_999_999_999.99, "maximum": 99_999_999_999.99 })
    }
}

/// Amount in euros, zero or more.
pub struct EurosOrNothing;

impl Reader for EurosOrNothing {
    type Value = Cents;

    fn read(&self, raw: &Raw) -> Result<Cents, Reason> {
        let amount = euros(raw, &Reason::NegativeAmount)?;
        if amount.is_negative() { Err(Reason::NegativeAmount) } else { Ok(amount) }
    }

    fn schema(&self) -> Value {
        json!({ "type": "number", "minimum": 0, "maximum": 99_999_999_999.99 })
    }
}

/// Returns the items of a JSON array, or the numbered form fields that are not empty. A JSON object
/// is not a list, even if it is empty.
pub(super) fn listed(raw: &Raw) -> Option<Vec<&Raw>> {
    match raw {
        Raw::Array(items) => Some(items.iter().collect()),
        Raw::Object(fields)
            if !fields.is_empty()
                && fields.iter().all(|(_, field)| matches!(field, Raw::Typed(..))) =>
        {
            Some(fields.iter().map(|(_, field)| field).filter(|field| !field.is_absent()).collect())
        }
        _ => None,
    }
}

/// Ids of resources of the account, up to a maximum number; in a form, the numbered fields that
/// are not empty.
pub struct Ids(pub usize);

impl Reader for Ids {
    type Value = Vec<i64>;

    fn read(&self, raw: &Raw) -> Result<Vec<i64>, Reason> {
        let items = listed(raw).ok_or(Reason::NotAList)?;
        if items.len() > self.0 {
            return Err(Reason::TooMany { most: self.0, given: items.len() });
        }
        items.into_iter().map(|id| Integer(1, i64::MAX).read(id)).collect()
    }

    fn schema(&self) -> Value {
        json!({ "type": "array", "maxItems": self.0, "items": Integer(1, i64::MAX).schema() })
    }
}

/// Boolean. In a form, `false` is usually an absent field, because browsers do not send unticked
/// checkboxes.
pub struct Flag;

impl Reader for Flag {
    type Value = bool;

    fn read(&self, raw: &Raw) -> Result<bool, Reason> {
        match raw {
            Raw::Bool(value) => Ok(*value),
            Raw::Typed(text, _) if matches!(text.trim(), "true" | "on") => Ok(true),
            Raw::Typed(text, _) if text.trim() == "false" => Ok(false),
            _ => Err(Reason::NotAFlag),
        }
    }

    fn schema(&self) -> Value {
        json!({ "type": "boolean" })
    }
}
