//! The grid of a week as a form: its fields and their values.

use super::name_of;
use crate::{
    form::{Form, REV, UNFINISHED},
    frame::charts::{self, Fill},
    html::Html,
    page::Authenticated,
    submit::{Difference, SUBMISSION, VERSION},
};
use jiff::civil::Date;
use ledger::hours::Hours;
use service::week::{DAYS, Week, WeekRow, Work};

/// A row of the grid.
pub(super) struct Row {
    pub(super) id: String,
    /// Name and value of the hidden field that identifies the project or category.
    pub(super) field: (String, String),
    pub(super) title: String,
    pub(super) customer: Option<String>,
    pub(super) budget: Option<(Html, Hours, Hours, bool)>,
    pub(super) cells: Vec<Cell>,
    pub(super) total: Hours,
    pub(super) is_first_of_log: bool,
    pub(super) is_first_of_projects: bool,
}

/// A cell of the grid.
pub(super) struct Cell {
    pub(super) name: String,
    pub(super) label: String,
    pub(super) date: Date,
}

fn name(row: usize, day: usize) -> String {
    format!("rows.{row}.{}", DAYS.get(day).copied().unwrap_or("monday"))
}

fn work_field(row: usize, work: Work) -> (String, String) {
    match work {
        Work::Project(id) => (format!("rows.{row}.projectId"), id.to_string()),
        Work::Log(category) => (format!("rows.{row}.category"), category.to_owned()),
    }
}

/// Value of a field for hours: empty for zero.
fn typed(page: &Authenticated, hours: Hours) -> String {
    if hours == Hours::new(0) { String::new() } else { page.texts.clock(hours) }
}

/// Rows of a week.
pub(super) fn rows(page: &Authenticated, week: &Week, days: &[Date]) -> Vec<Row> {
    let is_log = |row: &WeekRow| matches!(row.work, Work::Log(_));
    let first_of_log = week.rows.iter().position(is_log);
    let row = |(number, row): (usize, &WeekRow)| {
        let title = name_of(page, row.work, row.project.as_ref());
        let cell = |(day, date): (usize, &Date)| Cell {
            name: name(number, day),
            label: format!("{title}, {}", page.texts.long_date(date)),
            date: *date,
        };
        let cells = days.iter().enumerate().map(cell).collect();
        let budget = row
            .project
            .as_ref()
            .and_then(|row| Some((row.project.budget_hours?, row.project.hours_logged)));
        Row {
            id: match row.work {
                Work::Project(id) => format!("project-{id}"),
                Work::Log(category) => category.to_owned(),
            },
            field: work_field(number, row.work),
            customer: row.project.as_ref().and_then(|row| row.customer.clone()),
            budget: budget.filter(|(budget, _)| budget.get() > 0).map(|(budget, logged)| {
                let is_tight = logged.get() * 10 >= budget.get() * 9;
                (meter(logged, budget), logged, budget, is_tight)
            }),
            cells,
            total: row.total(),
            is_first_of_log: first_of_log == Some(number),
            is_first_of_projects: number == 0 && !is_log(row),
            title,
        }
    };
    week.rows.iter().enumerate().map(row).collect()
}

/// Meter of the used share of a budget: amber from nine tenths of the budget, red above the budget.
pub(super) fn meter(used: Hours, budget: Hours) -> Html {
    let fill = match used.get() {
        used if used > budget.get() => Fill::Bad,
        used if used * 10 >= budget.get() * 9 => Fill::Warn,
        _ => Fill::Solid,
    };
    let shown = used.get().min(budget.get());
    charts::meter(&[(shown, fill), (budget.get() - shown, Fill::Track)], budget.get(), None)
}

/// Form filled with the stored hours.
pub(super) fn fill(page: &Authenticated, week: &Week) -> Form {
    let mut pairs = Vec::new();
    for (number, row) in week.rows.iter().enumerate() {
        pairs.push(work_field(number, row.work));
        let cells = row.cells.iter().enumerate();
        pairs.extend(cells.map(|(day, cell)| (name(number, day), typed(page, cell.hours))));
    }
    Form::of(pairs)
}

/// Version of a week's hours.
pub(super) fn version(week: &Week) -> String {
    let mut pairs = Vec::new();
    for row in &week.rows {
        for (day, cell) in row.cells.iter().enumerate().filter(|(_, cell)| cell.entries > 0) {
            pairs.push((
                format!("{:?} {day}", row.work),
                format!("{} {} {}", cell.hours.get(), cell.entries, cell.invoiced),
            ));
        }
    }
    Form::of(pairs).version()
}

/// Number of the row for this project or category in a form.
fn place(form: &Form, work: Work) -> Option<usize> {
    (0..500).find(|number| {
        let (field, value) = work_field(*number, work);
        form.value(&field) == value
    })
}

/// Form whose empty fields are filled with the previous week's hours.
pub(super) fn copied(page: &Authenticated, form: &Form, before: &Week) -> Form {
    let mut filled = form.clone();
    for row in &before.rows {
        let Some(number) = place(form, row.work) else { continue };
        for (day, cell) in row.cells.iter().enumerate() {
            let field = name(number, day);
            if form.value(&field).is_empty() && cell.hours > Hours::new(0) {
                filled = filled.with(&field, typed(page, cell.hours));
            }
        }
    }
    filled
}

/// Unfinished form in the current rows.
pub(super) fn resumed(page: &Authenticated, form: &Form, now: &Week, days: &[Date]) -> Form {
    beside(page, form, now, days).0.with(VERSION, form.raw(VERSION))
}

/// Submitted values in the current rows, with the edit conflicts.
pub(super) fn beside(
    page: &Authenticated,
    form: &Form,
    there: &Week,
    days: &[Date],
) -> (Form, Vec<Difference>) {
    let mut now = fill(page, there);
    let mut differences = Vec::new();
    for (number, row) in there.rows.iter().enumerate() {
        let Some(place) = place(form, row.work) else { continue };
        now = now.with(
            &format!("rows.{number}.description"),
            form.value(&format!("rows.{place}.description")),
        );
        for ((day, cell), date) in row.cells.iter().enumerate().zip(days) {
            let (typed_now, stored) =
                (form.value(&name(place, day)).to_owned(), typed(page, cell.hours));
            if typed_now != stored {
                let title = name_of(page, row.work, row.project.as_ref());
                let label = format!("{title}, {}", page.texts.long_date(date));
                differences.push((label, typed_now.clone(), stored));
                now = now.with(&name(number, day), typed_now);
            }
        }
    }
    for field in ["week", "projects", SUBMISSION, UNFINISHED, REV] {
        now = now.with(field, form.raw(field));
    }
    (now, differences)
}
