//! The answer of a calculator as a page shows it: values with their labels, and tables.

use super::frame::{Frame, Shown};
use tax::{
    calculator::{Calculator, Outcome, Output, OutputKind},
    value::Value,
};

/// What people came for.
const MAIN: [&str; 9] = ["including", "total", "net", "rate", "deduction", "amount", "benefit", "advantage", "hoursPerWeek"];

/// A value of an answer with its label.
pub(super) struct NamedValue {
    pub(super) label: String,
    pub(super) shown: Shown,
    pub(super) is_main: bool,
}

/// The values of an answer one by one, with their labels.
pub(super) fn values(page: &Frame, calculator: &'static Calculator, outcome: &Outcome) -> Vec<NamedValue> {
    // That it is an estimate is said above the form.
    let is_listed = |output: &&Output| !matches!(output.kind, OutputKind::Rows(_)) && output.name != "estimate";
    let outputs = calculator.outputs.iter().filter(is_listed);
    let named = |output: &Output| NamedValue {
        label: output.label.get(page.language()).to_owned(),
        shown: page.shown_as(outcome.get(output.name), output.kind),
        is_main: MAIN.contains(&output.name),
    };
    outputs.map(named).collect()
}

/// The lists of an answer, each with its heading, the headings of its columns and its rows.
pub(super) fn tables(page: &Frame, calculator: &'static Calculator, outcome: &Outcome) -> Vec<ResultTable> {
    let language = page.language();
    let mut tables = Vec::new();
    for output in calculator.outputs {
        let OutputKind::Rows(columns) = output.kind else { continue };
        let heads = columns.iter().map(|column| (column.label.get(language), column.kind.is_figure())).collect();
        let cells = |row: &Vec<(&'static str, Option<Value>)>| {
            let cell = |column: &Output| row.iter().find(|(name, _)| *name == column.name).and_then(|(_, value)| value.as_ref());
            columns.iter().map(|column| page.shown_as(cell(column), column.kind)).collect()
        };
        let rows: Vec<Vec<Shown>> = outcome.rows(output.name).iter().map(cells).collect();
        if !rows.is_empty() {
            tables.push(ResultTable { name: output.name, title: output.label.get(language), heads, rows });
        }
    }
    tables
}

/// A list of an answer as a page shows it.
pub(super) struct ResultTable {
    pub(super) name: &'static str,
    pub(super) title: &'static str,
    /// The headings, and whether figures stand below each.
    pub(super) heads: Vec<(&'static str, bool)>,
    pub(super) rows: Vec<Vec<Shown>>,
}
