//! Calculators: inputs, outputs, and each step of the calculation with its source.

mod arguments;
mod field;

pub use crate::fault::repeated_or_unknown;
pub use arguments::Arguments;
pub use field::{Input, InputKind, Output, OutputKind};
pub(crate) use field::{optional, optional_output, output, required};

use crate::{
    dataset::Row,
    fault::Fault,
    source::{self, Source},
    value::Value,
    words::Words,
};

/// A calculator.
#[derive(Debug)]
pub struct Calculator {
    /// Identifier in URLs.
    pub id: &'static str,
    /// Title.
    pub title: Words,
    /// Scope, limitations and reliability of the result.
    pub description: Words,
    /// Inputs, in order.
    pub inputs: &'static [Input],
    /// Outputs, in order. Every answer also has `steps`.
    pub outputs: &'static [Output],
    /// Implementation.
    pub run: Run,
}

/// Implementation of a calculator.
#[derive(Clone, Copy, Debug)]
pub enum Run {
    /// Function that computes the answer from the parsed query parameters (GET).
    Query(fn(&Arguments) -> Result<Outcome, Vec<Fault>>),
    /// JSON body (POST), which the API parses and the crate `ledger` prices. Only the calculator
    /// `invoice` takes a body.
    Body,
}

/// The answer of a calculator.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// Fields in the order of the calculator's outputs.
    pub fields: Vec<(&'static str, Node)>,
    /// Steps of the calculation.
    pub steps: Vec<Step>,
}

/// A nullable value or a list of rows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Node {
    /// A value; `None` is `null`.
    Value(Option<Value>),
    /// Rows, each with its fields in order.
    Rows(Vec<Vec<(&'static str, Option<Value>)>>),
    /// A list of codes.
    Choices(Vec<&'static str>),
}

/// A step of the calculation.
#[derive(Clone, Debug)]
pub struct Step {
    /// Language-independent name. Steps have different names, except those repeated per period,
    /// year or row.
    pub id: &'static str,
    /// Description of the calculation.
    pub text: Words,
    /// Result.
    pub amount: Value,
    /// Source of the rule.
    pub source: &'static Source,
    /// Data set rows used, least certain first. Rows with the same source, status and note are
    /// listed once.
    pub figures: Vec<&'static Row>,
}

impl Outcome {
    /// Returns the value of a field.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Value> {
        self.fields.iter().find(|(other, _)| *other == name).and_then(|(_, node)| match node {
            Node::Value(value) => value.as_ref(),
            Node::Rows(_) | Node::Choices(_) => None,
        })
    }

    /// Returns the rows of a field.
    #[must_use]
    pub fn rows(&self, name: &str) -> &[Vec<(&'static str, Option<Value>)>] {
        let field = self.fields.iter().find(|(other, _)| *other == name);
        match field {
            Some((_, Node::Rows(rows))) => rows,
            _ => &[],
        }
    }

    /// Returns the codes in a field; empty if the field is not a list of codes.
    #[must_use]
    pub fn choices(&self, name: &str) -> &[&'static str] {
        match self.fields.iter().find(|(other, _)| *other == name) {
            Some((_, Node::Choices(codes))) => codes,
            _ => &[],
        }
    }
}

impl From<Value> for Node {
    fn from(value: Value) -> Self {
        Self::Value(Some(value))
    }
}

impl Step {
    /// Creates a step for a rule in `data/sources.toml`.
    pub(crate) fn new(id: &'static str, text: Words, amount: Value, source_id: &str) -> Self {
        let source = source::find(source_id)
            .expect("tests run every calculator, so each rule it names exists in sources.toml");
        Self { id, text, amount, source, figures: Vec::new() }
    }

    /// Creates a step whose rule and figures both come from one row.
    pub(crate) fn of(id: &'static str, text: Words, amount: Value, row: &'static Row) -> Self {
        Self { id, text, amount, source: row.source, figures: vec![row] }
    }

    /// Adds the rows that supplied figures for the step.
    pub(crate) fn with_figures(mut self, rows: impl IntoIterator<Item = &'static Row>) -> Self {
        for row in rows {
            let is_equivalent = |other: &&Row| {
                (&other.source.id, other.status, other.get("note"))
                    == (&row.source.id, row.status, row.get("note"))
            };
            if !self.figures.iter().any(is_equivalent) {
                self.figures.push(row);
            }
        }
        self.figures.sort_by_key(|row| std::cmp::Reverse(row.status));
        self
    }
}

impl Calculator {
    /// Runs the calculator on query parameters, given as name and text in any order.
    ///
    /// ```
    /// use tax::calculators;
    ///
    /// let mileage = calculators::find("mileage").expect("it exists");
    /// let faults = mileage.calculate(&[("year", "2026"), ("miles", "75")]).unwrap_err();
    /// let parameters: Vec<&str> = faults.iter().map(|fault| fault.parameter.as_str()).collect();
    /// // One is unknown, the other is missing.
    /// assert!(parameters.contains(&"miles") && parameters.contains(&"km"));
    /// ```
    ///
    /// # Errors
    /// All faults at once, each with its parameter: unknown, repeated and missing parameters,
    /// malformed values, values out of bounds, years without figures, and values that contradict
    /// each other.
    pub fn calculate(&self, parameters: &[(&str, &str)]) -> Result<Outcome, Vec<Fault>> {
        let arguments = Arguments::read(self.inputs, parameters)?;
        match self.run {
            Run::Query(run) => run(&arguments),
            Run::Body => Err(self.inputs.iter().map(|input| Fault::required(input.name)).collect()),
        }
    }

    /// Input that defines a parameter; for a field of a row, such as `disposals.0.cost`, its
    /// column.
    #[must_use]
    pub fn input(&self, parameter: &str) -> Option<&'static Input> {
        let by_name = self.inputs.iter().find(|input| input.name == parameter);
        let of_row = || self.inputs.iter().find_map(|input| input.place_of(parameter));
        by_name.or_else(|| of_row().map(|(_, column)| column))
    }

    /// Parameters of the example.
    #[must_use]
    pub fn example(&self) -> Vec<(&'static str, &'static str)> {
        let with_example = self.inputs.iter().filter(|input| !input.example.is_empty());
        with_example.map(|input| (input.name, input.example)).collect()
    }
}
