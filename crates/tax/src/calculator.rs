//! Calculators: what each asks for, what it answers, and every step on the way with its source.

mod arguments;

pub use arguments::{Arguments, repeated_or_unknown};

use crate::{
    dataset::Row,
    fault::Fault,
    source::{self, Source},
    value::Value,
    words::{Choice, Words},
};

/// A calculator.
#[derive(Debug)]
pub struct Calculator {
    /// Its name in addresses.
    pub id: &'static str,
    /// What it is called.
    pub title: Words,
    /// What it works out, what it leaves out, and how firm the answer is.
    pub description: Words,
    /// What it asks for, in order.
    pub inputs: &'static [Input],
    /// What it answers, in order; every answer has `steps` besides.
    pub outputs: &'static [Output],
    /// How it is worked out.
    pub run: Run,
}

/// How a calculator is worked out.
#[derive(Clone, Copy, Debug)]
pub enum Run {
    /// From the parameters of a query (GET).
    Query(fn(&Arguments) -> Result<Outcome, Vec<Fault>>),
    /// From a JSON body (POST) that the API's own reader takes and `ledger` prices: the calculator `invoice`.
    Body,
}

/// A parameter.
#[derive(Debug)]
pub struct Input {
    /// Its name in the query.
    pub name: &'static str,
    /// Which values it takes.
    pub kind: InputKind,
    /// Whether it must be given.
    pub required: bool,
    /// What is taken when it is left out, as a query would write it.
    pub default: Option<&'static str>,
    /// Its label.
    pub label: Words,
    /// A sentence below the field.
    pub hint: Words,
    /// What the examples in documentation and description give.
    pub example: &'static str,
}

/// Which values a parameter takes. Bounds are inclusive.
#[derive(Clone, Copy, Debug)]
pub enum InputKind {
    /// Euros with at most two decimals.
    Money {
        /// The least, in euros.
        least: i64,
        /// The most, in euros.
        most: i64,
    },
    /// A percentage with at most two decimals.
    Percent {
        /// The least.
        least: i64,
        /// The most.
        most: i64,
    },
    /// A number with at most two decimals, such as hours or kilometres.
    Number {
        /// The least.
        least: i64,
        /// The most.
        most: i64,
    },
    /// A whole number.
    Integer {
        /// The least.
        least: i64,
        /// The most.
        most: i64,
    },
    /// One of the years for which there are figures.
    Year(fn() -> &'static [i16]),
    /// `true` or `false`.
    Boolean,
    /// A calendar day from 2000-01-01 to 2099-12-31.
    Date,
    /// One of several texts.
    Choice(&'static [Choice]),
    /// A text of at most so many characters.
    Text {
        /// The most characters.
        longest: usize,
    },
    /// An object or a list in a JSON body; its form is that of the API.
    Json,
}

/// A value of the answer.
#[derive(Debug)]
pub struct Output {
    /// Its name in JSON.
    pub name: &'static str,
    /// What it is.
    pub kind: OutputKind,
    /// Whether it may be null.
    pub optional: bool,
    /// Its label.
    pub label: Words,
}

/// What a value of the answer is.
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
    /// One of several texts.
    Choice(&'static [Choice]),
    /// A list of objects with these fields.
    Rows(&'static [Output]),
}

impl OutputKind {
    /// Whether it is a number, which stands at the right of its column.
    #[must_use]
    pub const fn is_figure(self) -> bool {
        matches!(self, Self::Money | Self::Percent | Self::Number | Self::Integer)
    }
}

/// The answer of a calculator.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The values in the order of the calculator's outputs.
    pub fields: Vec<(&'static str, Node)>,
    /// How it was worked out.
    pub steps: Vec<Step>,
}

/// A value, none, or a list of rows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Node {
    /// A value; none is `null`.
    Value(Option<Value>),
    /// Rows, each with its fields in order.
    Rows(Vec<Vec<(&'static str, Option<Value>)>>),
}

/// A step of the working.
#[derive(Clone, Debug)]
pub struct Step {
    /// Its name, the same in every language; unique in an answer unless it repeats for periods or years.
    pub id: &'static str,
    /// What was done.
    pub text: Words,
    /// What came of it.
    pub amount: Value,
    /// The rule.
    pub source: &'static Source,
    /// The rows of data sets that gave it figures, the least firm first; of rows with the same source, status and note only one.
    pub figures: Vec<&'static Row>,
}

impl Outcome {
    /// The value of that name.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Value> {
        self.fields.iter().find(|(other, _)| *other == name).and_then(|(_, node)| match node {
            Node::Value(value) => value.as_ref(),
            Node::Rows(_) => None,
        })
    }

    /// The rows of that name.
    #[must_use]
    pub fn rows(&self, name: &str) -> &[Vec<(&'static str, Option<Value>)>] {
        let found = self.fields.iter().find(|(other, _)| *other == name);
        match found {
            Some((_, Node::Rows(rows))) => rows,
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
    /// A step by a rule of `data/sources.toml`.
    pub(crate) fn new(id: &'static str, text: Words, amount: Value, source_id: &str) -> Self {
        let source = source::find(source_id).expect("the tests run every calculator, and every rule it names is a source");
        Self { id, text, amount, source, figures: Vec::new() }
    }

    /// A step whose rule and figures both stand in one row.
    pub(crate) fn of(id: &'static str, text: Words, amount: Value, row: &'static Row) -> Self {
        Self { id, text, amount, source: row.source, figures: vec![row] }
    }

    /// The step with the rows that gave it figures.
    pub(crate) fn with_figures(mut self, rows: impl IntoIterator<Item = &'static Row>) -> Self {
        for row in rows {
            let says_the_same = |other: &&Row| {
                (&other.source.id, other.status, other.get("note")) == (&row.source.id, row.status, row.get("note"))
            };
            if !self.figures.iter().any(says_the_same) {
                self.figures.push(row);
            }
        }
        self.figures.sort_by_key(|row| std::cmp::Reverse(row.status));
        self
    }
}

impl Calculator {
    /// Works it out from the parameters of a query, names and texts in any order.
    ///
    /// # Errors
    /// All faults at once, each with its parameter: unknown, repeated or missing ones, texts of another form, values beyond their
    /// bounds, years without figures, and values that do not go together.
    pub fn calculate(&self, parameters: &[(&str, &str)]) -> Result<Outcome, Vec<Fault>> {
        let arguments = Arguments::read(self.inputs, parameters)?;
        match self.run {
            Run::Query(run) => run(&arguments),
            Run::Body => Err(self.inputs.iter().map(|input| Fault::required(input.name)).collect()),
        }
    }

    /// The parameters that its example gives.
    #[must_use]
    pub fn example(&self) -> Vec<(&'static str, &'static str)> {
        let given = self.inputs.iter().filter(|input| !input.example.is_empty());
        given.map(|input| (input.name, input.example)).collect()
    }
}
