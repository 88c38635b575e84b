//! Numbered lines of a form, such as those of an invoice. Buttons add and remove lines without
//! JavaScript.

use crate::form::Form;
use std::collections::BTreeSet;

/// A list of numbered lines: its fields and limits.
pub struct Lines {
    /// Name of the list: the first part of its fields' names.
    pub list: &'static str,
    /// Fields of a line, each with its default value.
    pub fields: &'static [(&'static str, &'static str)],
    /// Fields that are all empty on a blank line.
    pub content: &'static [&'static str],
    /// Minimum number of lines shown.
    pub least: usize,
    /// Maximum number of lines: one more than can be booked, so that validation reports the excess.
    pub most: usize,
}

/// Line of a form.
#[derive(Debug, Clone, Copy)]
pub struct Line {
    list: &'static str,
    /// Number in the names of the line's fields, from 0.
    pub number: usize,
}

impl Line {
    /// Name of a field of the line.
    pub fn field(&self, name: &str) -> String {
        format!("{}.{}.{name}", self.list, self.number)
    }

    /// Number shown to the user, from 1.
    pub fn place(&self) -> usize {
        self.number.saturating_add(1)
    }

    /// Whether this is the first line.
    pub fn is_first(&self) -> bool {
        self.number == 0
    }
}

impl Lines {
    /// Line with the given number.
    pub fn line(&self, number: usize) -> Line {
        Line { list: self.list, number }
    }

    /// Lines of a form.
    pub fn of(&self, form: &Form) -> Vec<Line> {
        let numbers: BTreeSet<usize> =
            form.pairs().filter_map(|(name, _)| self.number(name)).collect();
        numbers.into_iter().map(|number| self.line(number)).collect()
    }

    /// Number of the line that a field belongs to.
    fn number(&self, field: &str) -> Option<usize> {
        field.strip_prefix(self.list)?.strip_prefix('.')?.split('.').next()?.parse().ok()
    }

    /// Fields of a line with these values, which are in the order of `fields`.
    pub fn filled(
        &self,
        number: usize,
        values: impl IntoIterator<Item = String>,
    ) -> impl Iterator<Item = (String, String)> {
        let line = self.line(number);
        self.fields.iter().zip(values).map(move |((name, _), value)| (line.field(name), value))
    }

    /// Fields of a blank line.
    pub fn blank(&self, number: usize) -> impl Iterator<Item = (String, String)> {
        self.filled(number, self.fields.iter().map(|(_, default)| (*default).to_owned()))
    }

    /// Form with another value in a field of its blank lines, where that field has its default.
    pub fn with_default(&self, form: &Form, field: &str, value: &str) -> Form {
        let default = self.fields.iter().find(|(name, _)| *name == field).map(|(_, value)| *value);
        let blank = self.of(form).into_iter().filter(|line| self.is_blank(form, *line));
        let names = blank.map(|line| line.field(field));
        let names = names.filter(|name| Some(form.value(name)) == default);
        names.fold(form.clone(), |form, name| form.with(&name, value))
    }

    fn is_blank(&self, form: &Form, line: Line) -> bool {
        self.content.iter().all(|name| form.value(&line.field(name)).is_empty())
    }

    /// Whether a field belongs to a blank or missing line.
    pub fn is_on_blank_line(&self, form: &Form, field: &str) -> bool {
        self.number(field).is_some_and(|number| self.is_blank(form, self.line(number)))
    }

    /// Form without its blank lines.
    pub fn without_blank(&self, form: &Form) -> Form {
        Form::of(form.pairs().filter(|(name, _)| !self.is_on_blank_line(form, name)))
    }

    /// Form with which a page opens: the lines of an unfinished form are arranged.
    pub fn opened(&self, form: Form) -> Form {
        if form.is_resumed() { self.arrange(&form, "") } else { form }
    }

    /// Renumbers the lines from zero with blank ones last. Removes, adds or moves a line if `action`
    /// is `removeLine.N`, `addLine`, `moveUp.N` or `moveDown.N`.
    pub fn arrange(&self, form: &Form, action: &str) -> Form {
        let numbered =
            |button: &str| -> Option<usize> { action.strip_prefix(button)?.parse().ok() };
        let removed = numbered("removeLine.");
        let kept =
            self.of(form).into_iter().filter(|line| Some(line.number) != removed).take(self.most);
        let (blank, mut filled): (Vec<Line>, Vec<Line>) =
            kept.partition(|line| self.is_blank(form, *line));
        let place = |number: usize| filled.iter().position(|line| line.number == number);
        let upper = match (numbered("moveUp."), numbered("moveDown.")) {
            (Some(number), _) => place(number).and_then(|place| place.checked_sub(1)),
            (None, Some(number)) => place(number).filter(|place| place + 1 < filled.len()),
            (None, None) => None,
        };
        if let Some(upper) = upper {
            filled.swap(upper, upper + 1);
        }
        let is_other =
            |name: &str| !name.strip_prefix(self.list).is_some_and(|rest| rest.starts_with('.'));
        let others = form.pairs().filter(|(name, _)| is_other(name));
        let mut pairs: Vec<(String, String)> =
            others.map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
        let mut count = 0;
        for line in filled.into_iter().chain(blank) {
            let values =
                self.fields.iter().map(|(name, _)| form.value(&line.field(name)).to_owned());
            pairs.extend(self.filled(count, values));
            count += 1;
        }
        let shown = if action == "addLine" { count + 1 } else { count.max(self.least) };
        pairs.extend((count..shown.min(self.most)).flat_map(|number| self.blank(number)));
        Form::of(pairs).opening(form.how_it_opens().clone())
    }
}

/// Whether the pressed button only changes or totals the lines, without processing the form.
pub fn is_reshaping(action: &str) -> bool {
    const NUMBERED: [&str; 3] = ["removeLine.", "moveUp.", "moveDown."];
    matches!(action, "addLine" | "calculate")
        || NUMBERED.iter().any(|button| action.starts_with(button))
}
