//! Parses the parameters of a calculator and collects all faults.

use super::field::{Input, InputKind};
use crate::{
    fault::{Fault, repeated_or_unknown},
    value::Value,
    words::Words,
};
use jiff::civil::Date;
use ledger::{
    calendar::parse_date,
    decimal::{self, Decimal, DecimalError},
};
use std::{borrow::Cow, collections::BTreeSet};

/// Maximum number of decimal places in amounts, percentages, hours and kilometres.
const DECIMALS: u32 = 2;

/// Parsed parameters, all within their bounds.
#[derive(Clone, Debug, Default)]
pub struct Arguments {
    values: Vec<(&'static str, Value)>,
    /// For each input with rows: the rows, each with its number.
    rows: Vec<(&'static str, Vec<(usize, Arguments)>)>,
}

impl Arguments {
    /// Parses the parameters.
    ///
    /// # Errors
    /// All faults at once.
    pub(super) fn read(
        inputs: &'static [Input],
        parameters: &[(&str, &str)],
    ) -> Result<Self, Vec<Fault>> {
        let mut names: Vec<&str> = inputs.iter().map(|input| input.name).collect();
        let is_field = |name: &&str| inputs.iter().any(|input| input.place_of(name).is_some());
        names.extend(parameters.iter().map(|(name, _)| *name).filter(is_field));
        let mut faults = repeated_or_unknown(parameters, &names);
        let mut arguments = Self::default();
        for input in inputs {
            if matches!(input.kind, InputKind::Rows { .. }) {
                let (rows, of_rows) = read_rows(input, parameters);
                arguments.rows.push((input.name, rows));
                faults.extend(of_rows);
            } else if let Some(read) = read_field(input, input.name, parameters) {
                match read {
                    Ok(value) => arguments.values.push((input.name, value)),
                    Err(fault) => faults.push(fault),
                }
            }
        }
        if faults.is_empty() { Ok(arguments) } else { Err(faults) }
    }

    /// Rows of an input, each with its number.
    #[must_use]
    pub fn rows(&self, name: &str) -> &[(usize, Arguments)] {
        self.rows.iter().find(|(other, _)| *other == name).map_or(&[], |(_, rows)| rows)
    }

    fn get(&self, name: &str) -> Option<&Value> {
        self.values.iter().find(|(other, _)| *other == name).map(|(_, value)| value)
    }

    /// Value of an optional numeric parameter.
    #[must_use]
    pub fn optional_number(&self, name: &str) -> Option<Decimal> {
        self.get(name).and_then(Value::number)
    }

    /// Value of a numeric parameter; zero if the parameter is absent and has no default.
    #[must_use]
    pub fn number(&self, name: &str) -> Decimal {
        self.optional_number(name).unwrap_or_default()
    }

    /// Value of a whole-number parameter; zero if it is absent.
    #[must_use]
    pub fn integer(&self, name: &str) -> i64 {
        match self.get(name) {
            Some(Value::Integer(number)) => *number,
            _ => 0,
        }
    }

    /// Value of a year parameter; zero if it is absent.
    #[must_use]
    pub fn year(&self, name: &str) -> i16 {
        i16::try_from(self.integer(name)).unwrap_or_default()
    }

    /// Value of a boolean parameter; false if it is absent.
    #[must_use]
    pub fn flag(&self, name: &str) -> bool {
        matches!(self.get(name), Some(Value::Boolean(true)))
    }

    /// Value of a date parameter.
    #[must_use]
    pub fn date(&self, name: &str) -> Option<Date> {
        match self.get(name) {
            Some(Value::Date(day)) => Some(*day),
            _ => None,
        }
    }

    /// Value of a text parameter; empty if it is absent.
    #[must_use]
    pub fn text(&self, name: &str) -> &str {
        self.get(name).and_then(Value::text).unwrap_or_default()
    }
}

/// Reads the rows of an input, and returns them with all faults. A row exists if at least one of
/// its fields is given.
fn read_rows(input: &Input, parameters: &[(&str, &str)]) -> (Vec<(usize, Arguments)>, Vec<Fault>) {
    let InputKind::Rows { columns, .. } = input.kind else { return (Vec::new(), Vec::new()) };
    let places = parameters.iter().filter_map(|(name, _)| input.place_of(name));
    let places: BTreeSet<usize> = places.map(|(place, _)| place).collect();
    let (mut rows, mut faults) = (Vec::new(), Vec::new());
    if parameters.iter().any(|(name, _)| *name == input.name) {
        let known = columns.iter().map(|column| format!("{}.0.{}", input.name, column.name));
        faults.push(Fault::unknown_value(input.name, known.collect()));
    }
    for place in places {
        let mut row = Arguments::default();
        for column in columns {
            let name = format!("{}.{place}.{}", input.name, column.name);
            match read_field(column, &name, parameters) {
                Some(Ok(value)) => row.values.push((column.name, value)),
                Some(Err(fault)) => faults.push(fault),
                None => {}
            }
        }
        rows.push((place, row));
    }
    (rows, faults)
}

/// Reads the parameter `name`; `None` if it is optional, absent and has no default.
fn read_field(
    input: &Input,
    name: &str,
    parameters: &[(&str, &str)],
) -> Option<Result<Value, Fault>> {
    let raw = parameters.iter().find(|(other, _)| *other == name).map(|(_, text)| text.trim());
    // An empty required parameter is reported as missing. An empty optional one is parsed like any
    // other value.
    let text = raw.filter(|text| !(text.is_empty() && input.required)).or(input.default);
    match text {
        Some(text) => Some(read_value(input, name, text)),
        None => input.required.then(|| Err(Fault::required(name))),
    }
}

fn read_value(input: &Input, name: &str, text: &str) -> Result<Value, Fault> {
    match input.kind {
        InputKind::Money { least, most } => {
            read_number(name, text, least, most, DECIMALS).map(Value::Money)
        }
        InputKind::Percent { least, most } => {
            read_number(name, text, least, most, DECIMALS).map(Value::Percent)
        }
        InputKind::Number { least, most } => {
            read_number(name, text, least, most, DECIMALS).map(Value::Number)
        }
        InputKind::Integer { least, most } => {
            let number = read_number(name, text, least, most, 0)?;
            i64::try_from(number)
                .map(Value::Integer)
                .map_err(|_| Fault::out_of_range(name, least, most))
        }
        InputKind::Year(years) => {
            let years = years();
            let year =
                text.parse::<i16>().ok().filter(|year| years.contains(year) && text.len() == 4);
            year.map(|year| Value::Integer(year.into()))
                .ok_or_else(|| Fault::unknown_year(name, years))
        }
        InputKind::Boolean => match text {
            "true" => Ok(Value::Boolean(true)),
            "false" => Ok(Value::Boolean(false)),
            _ => Err(Fault::unknown_value(name, vec!["true".to_owned(), "false".to_owned()])),
        },
        InputKind::Date => parse_date(text).map(Value::Date).map_err(|_| Fault::invalid_date(name)),
        InputKind::Choice(choices) => match choices.iter().find(|choice| choice.value == text) {
            Some(choice) => Ok(Value::Text(choice.value.clone())),
            None => Err(Fault::unknown_value(
                name,
                choices.iter().map(|choice| choice.value.to_string()).collect(),
            )),
        },
        InputKind::Text { longest } if text.chars().count() > longest => {
            let words = Words::owned(
                format!("Geef hoogstens {longest} tekens."),
                format!("Give at most {longest} characters for {name}."),
            );
            Err(Fault::new(name, "too_long", words).with_bounds(1, longest))
        }
        InputKind::Text { .. } | InputKind::Json | InputKind::Rows { .. } => {
            Ok(Value::Text(Cow::Owned(text.to_owned())))
        }
    }
}

fn read_number(
    name: &str,
    text: &str,
    least: i64,
    most: i64,
    decimals: u32,
) -> Result<Decimal, Fault> {
    let too_fine = || {
        let words = match decimals {
            0 => Words::owned(
                format!("Geef een geheel getal van {least} tot en met {most}."),
                format!("Give a whole number from {least} to {most} for {name}."),
            ),
            _ => Words::owned(
                format!(
                    "Geef hoogstens {decimals} decimalen, en een waarde van {least} tot en met {most}."
                ),
                format!(
                    "Give at most {decimals} decimals for {name}, and a value from {least} to {most}."
                ),
            ),
        };
        Fault::new(name, "too_many", words).with_bounds(least, most)
    };
    let number = decimal::parse_fixed(text, decimals).map_err(|error| match error {
        DecimalError::NotANumber => {
            let words = Words::owned(
                format!("Schrijf {name} als getal, zoals 1234.56, van {least} tot en met {most}."),
                format!("Write {name} as a plain number such as 1234.56, from {least} to {most}."),
            );
            Fault::new(name, "invalid_format", words).with_bounds(least, most)
        }
        DecimalError::TooManyDecimals => too_fine(),
        DecimalError::OutOfRange => Fault::out_of_range(name, least, most),
    })?;
    if number < Decimal::from(least) || number > Decimal::from(most) {
        return Err(Fault::out_of_range(name, least, most));
    }
    Ok(number)
}
