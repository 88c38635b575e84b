//! Rows of a form without JavaScript: numbered from zero, with buttons that add and remove a row.

use crate::form::Form;
use std::collections::BTreeSet;

/// List of rows in a form.
pub(super) struct Lines {
    /// Name of the list: the first part of the names of its fields.
    pub(super) list: &'static str,
    /// Fields of a row, each with its default value.
    pub(super) fields: &'static [(&'static str, &'static str)],
    /// Minimum number of rows shown.
    pub(super) least: usize,
    /// Maximum number of rows, one more than can be booked, so that validation reports the problem.
    pub(super) most: usize,
}

impl Lines {
    /// Name of a row's field.
    pub(super) fn name(&self, number: usize, field: &str) -> String {
        format!("{}.{number}.{field}", self.list)
    }

    /// Numbers of the rows of a form.
    pub(super) fn numbers(&self, form: &Form) -> BTreeSet<usize> {
        let number = |(name, _): (&str, &str)| name.strip_prefix(self.list)?.strip_prefix('.')?.split('.').next()?.parse().ok();
        form.pairs().filter_map(number).collect()
    }

    /// Renumbers the rows from zero with blank ones last, and removes or adds a row if `action`
    /// says so.
    pub(super) fn arrange(&self, form: &Form, action: &str) -> Form {
        let removed: Option<usize> = action.strip_prefix("removeLine.").and_then(|number| number.parse().ok());
        let field = |number: usize, name: &str| form.value(&self.name(number, name)).to_owned();
        let kept = self.numbers(form).into_iter().filter(|number| Some(*number) != removed).take(self.most);
        let is_filled =
            |number: &usize| self.fields.iter().any(|(name, default)| default.is_empty() && !field(*number, name).is_empty());
        let (filled, blank): (Vec<usize>, Vec<usize>) = kept.partition(is_filled);
        let is_other = |name: &str| !name.strip_prefix(self.list).is_some_and(|rest| rest.starts_with('.'));
        let mut pairs: Vec<(String, String)> =
            form.pairs().filter(|(name, _)| is_other(name)).map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
        let mut next = 0;
        for number in filled.into_iter().chain(blank) {
            pairs.extend(self.fields.iter().map(|(name, _)| (self.name(next, name), field(number, name))));
            next += 1;
        }
        let wanted = if action == "addLine" { next + 1 } else { next.max(self.least) };
        for number in next..wanted {
            pairs.extend(self.fields.iter().map(|(name, default)| (self.name(number, name), (*default).to_owned())));
        }
        Form::of(pairs)
    }
}

/// Whether a form's button only changes its rows and books nothing.
pub(super) fn is_about_lines(action: &str) -> bool {
    matches!(action, "addLine" | "calculate") || action.starts_with("removeLine.")
}
