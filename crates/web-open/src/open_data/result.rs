//! Results of calculators for pages: values with labels, and tables.

use super::frame::{Frame, Shown};
use tax::{
    calculator::{Calculator, Outcome, Output, OutputKind},
    value::Value,
};

/// Names of the results that a page highlights.
const MAIN: [&str; 9] = [
    "including",
    "total",
    "net",
    "rate",
    "deduction",
    "amount",
    "benefit",
    "advantage",
    "hoursPerWeek",
];

/// A value of a result with its label.
pub(super) struct NamedValue {
    pub(super) label: String,
    pub(super) shown: Shown,
    pub(super) is_main: bool,
}

/// Returns the single values of a result with their labels.
pub(super) fn values(
    page: &Frame,
    calculator: &'static Calculator,
    outcome: &Outcome,
) -> Vec<NamedValue> {
    // The note on estimates is not listed here, because the page shows it above the form.
    let is_listed = |output: &&Output| {
        !matches!(output.kind, OutputKind::Rows(_) | OutputKind::Choices(_))
            && output.name != "estimate"
    };
    let outputs = calculator.outputs.iter().filter(is_listed);
    let named = |output: &Output| NamedValue {
        label: output.label.get(page.language()).to_owned(),
        shown: page.shown_as(outcome.get(output.name), output.kind),
        is_main: MAIN.contains(&output.name),
    };
    outputs.map(named).collect()
}

/// Returns the lists of codes in a result, each with its label and the codes in words.
pub(super) fn lists(
    page: &Frame,
    calculator: &'static Calculator,
    outcome: &Outcome,
) -> Vec<(&'static str, String)> {
    let language = page.language();
    let mut lists = Vec::new();
    for output in calculator.outputs {
        let OutputKind::Choices(choices) = output.kind else { continue };
        let found = outcome.choices(output.name);
        let texts: Vec<&str> = choices
            .iter()
            .filter(|choice| found.contains(&choice.value.as_ref()))
            .map(|choice| choice.label.get(language))
            .collect();
        lists.push((output.label.get(language), texts.join(", ")));
    }
    lists
}

/// Returns the lists of a result as tables.
pub(super) fn tables(
    page: &Frame,
    calculator: &'static Calculator,
    outcome: &Outcome,
) -> Vec<ResultTable> {
    let language = page.language();
    let mut tables = Vec::new();
    for output in calculator.outputs {
        let OutputKind::Rows(columns) = output.kind else { continue };
        let heads = columns
            .iter()
            .map(|column| (column.label.get(language), column.kind.is_figure()))
            .collect();
        let cells = |row: &Vec<(&'static str, Option<Value>)>| {
            let cell = |column: &Output| {
                row.iter()
                    .find(|(name, _)| *name == column.name)
                    .and_then(|(_, value)| value.as_ref())
            };
            columns.iter().map(|column| page.shown_as(cell(column), column.kind)).collect()
        };
        let rows: Vec<Vec<Shown>> = outcome.rows(output.name).iter().map(cells).collect();
        if !rows.is_empty() {
            tables.push(ResultTable {
                name: output.name,
                title: output.label.get(language),
                heads,
                rows,
            });
        }
    }
    tables
}

/// A list of a result as a table.
pub(super) struct ResultTable {
    pub(super) name: &'static str,
    pub(super) title: &'static str,
    /// Column headings, and whether the column contains figures.
    pub(super) heads: Vec<(&'static str, bool)>,
    pub(super) rows: Vec<Vec<Shown>>,
}
