//! Declaration of the inputs and outputs of a calculator.

use crate::words::{Choice, Words};

/// An input parameter.
#[derive(Debug)]
pub struct Input {
    /// Name in the query.
    pub name: &'static str,
    /// Type and bounds.
    pub kind: InputKind,
    /// Whether the parameter is required.
    pub required: bool,
    /// Default value, written as in a query.
    pub default: Option<&'static str>,
    /// Label.
    pub label: Words,
    /// Hint shown below the field.
    pub hint: Words,
    /// Example value in the documentation and the description; empty for none.
    pub example: &'static str,
}

/// Type of a parameter. Bounds are inclusive.
#[derive(Clone, Copy, Debug)]
pub enum InputKind {
    /// Euros with at most two decimals.
    Money {
        /// Minimum, in euros.
        least: i64,
        /// Maximum, in euros.
        most: i64,
    },
    /// A percentage with at most two decimals.
    Percent {
        /// Minimum.
        least: i64,
        /// Maximum.
        most: i64,
    },
    /// A number with at most two decimals, such as hours or kilometres.
    Number {
        /// Minimum.
        least: i64,
        /// Maximum.
        most: i64,
    },
    /// A whole number.
    Integer {
        /// Minimum.
        least: i64,
        /// Maximum.
        most: i64,
    },
    /// A year that has figures.
    Year(fn() -> &'static [i16]),
    /// `true` or `false`.
    Boolean,
    /// A calendar day from 2000-01-01 to 2099-12-31.
    Date,
    /// One of several codes.
    Choice(&'static [Choice]),
    /// A text with a maximum length.
    Text {
        /// Maximum length in characters.
        longest: usize,
    },
    /// Rows. Each field of a row is a separate parameter: `name.0.column`, `name.1.column`.
    Rows {
        /// Fields of a row.
        columns: &'static [Input],
        /// Maximum number of rows.
        most: usize,
    },
    /// An object or array of a JSON body; the API defines its schema.
    Json,
}

impl Input {
    /// Row number and column of a parameter such as `disposals.0.cost`; `None` if it is not a field
    /// of a row of this input.
    #[must_use]
    pub fn place_of(&self, parameter: &str) -> Option<(usize, &'static Input)> {
        let InputKind::Rows { columns, most } = self.kind else { return None };
        let (row, column) =
            parameter.strip_prefix(self.name)?.strip_prefix('.')?.split_once('.')?;
        let place: usize = row.parse().ok()?;
        // Rejects `+1` and `01`, which `parse` accepts.
        let is_canonical = place < most && place.to_string() == row;
        let column = columns.iter().find(|input| input.name == column)?;
        is_canonical.then_some((place, column))
    }
}

/// A field of the answer.
#[derive(Debug)]
pub struct Output {
    /// Name in JSON.
    pub name: &'static str,
    /// Type.
    pub kind: OutputKind,
    /// Whether the field may be null.
    pub optional: bool,
    /// Label.
    pub label: Words,
}

/// Type of a field of the answer.
#[derive(Clone, Copy, Debug)]
pub enum OutputKind {
    /// Euros with two decimals.
    Money,
    /// A percentage.
    Percent,
    /// A number.
    Number,
    /// A whole number.
    Integer,
    /// `true` or `false`.
    Boolean,
    /// A calendar day.
    Date,
    /// A text that is the same in every language.
    Text,
    /// A text in the reader's language.
    Words,
    /// One of several codes.
    Choice(&'static [Choice]),
    /// An array of objects with these fields.
    Rows(&'static [Output]),
    /// An array with some of these codes.
    Choices(&'static [Choice]),
}

impl OutputKind {
    /// Whether the field is numeric, and so right-aligned in tables.
    #[must_use]
    pub const fn is_figure(self) -> bool {
        matches!(self, Self::Money | Self::Percent | Self::Number | Self::Integer)
    }
}

/// Declares a required parameter.
pub(crate) const fn required(
    name: &'static str,
    kind: InputKind,
    label: Words,
    hint: Words,
    example: &'static str,
) -> Input {
    Input { name, kind, required: true, default: None, label, hint, example }
}

/// Declares an optional parameter.
pub(crate) const fn optional(
    name: &'static str,
    kind: InputKind,
    default: Option<&'static str>,
    label: Words,
    hint: Words,
    example: &'static str,
) -> Input {
    Input { name, kind, required: false, default, label, hint, example }
}

/// Declares a field that is never null.
pub(crate) const fn output(name: &'static str, kind: OutputKind, label: Words) -> Output {
    Output { name, kind, optional: false, label }
}

/// Declares a field that may be null.
pub(crate) const fn optional_output(name: &'static str, kind: OutputKind, label: Words) -> Output {
    Output { name, kind, optional: true, label }
}
