//! `/projects`: all projects with their hours, budget and uninvoiced hours.

use super::week_form::meter;
use crate::{
    frame::{
        download::{Cell, Download},
        list::{ListState, Pager, ROWS},
    },
    html::Html,
    page::Authenticated,
};
use askama::Template;
use axum::response::Response;
use ledger::{hours::Hours, money::Cents};
use service::{
    invoicing::{to_invoice, worth},
    projects,
};
use std::cmp::Ordering;
use store::{
    contacts::status,
    projects::{Project, ProjectFilter, ProjectRow},
};
use web_core::problem::Problem;

const COLUMNS: [&str; 8] = [
    "name",
    "customer",
    "status",
    "hourlyRate",
    "budgetHours",
    "hoursLogged",
    "hoursNotInvoiced",
    "amountNotInvoiced",
];

#[derive(Template)]
#[template(path = "hours/projects.html")]
struct View<'a> {
    page: &'a Authenticated,
    list: ListState,
    pager: Pager,
    rows: Vec<ProjectRow>,
    /// Totals of all rows, including those on other pages: hours, hours to invoice and their
    /// amount.
    sums: (Hours, Hours, Cents),
    active: usize,
    archived: usize,
}

impl View<'_> {
    fn remaining(&self, project: &Project) -> Hours {
        to_invoice(project)
    }

    fn amount(&self, project: &Project) -> Cents {
        amount(project)
    }

    fn budget(&self, project: &Project) -> Option<(Html, Hours)> {
        let budget = project.budget_hours.filter(|budget| budget.get() > 0)?;
        Some((meter(project.hours_logged, budget), budget))
    }
}

fn sums(rows: &[ProjectRow]) -> (Hours, Hours, Cents) {
    let projects = rows.iter().map(|row| &row.project);
    projects.fold((Hours::new(0), Hours::new(0), Cents::ZERO), |(logged, open, sum), project| {
        (logged + project.hours_logged, open + to_invoice(project), sum + amount(project))
    })
}

/// Amount to be invoiced for a project's hours.
pub(super) fn amount(project: &Project) -> Cents {
    worth(to_invoice(project), project.hourly_rate).unwrap_or(Cents::ZERO)
}

/// Rows filtered and ordered as in the URL, with the numbers of active and archived projects.
async fn rows(
    page: &Authenticated,
    list: &ListState,
) -> Result<(Vec<ProjectRow>, usize, usize), Problem> {
    let cx = page.context();
    let all = page.list(move |tx| projects::by_name(tx, &cx, &ProjectFilter::default())).await?;
    let archived = all.iter().filter(|row| row.project.archived).count();
    let active = all.len() - archived;
    let text = list.value("q").trim().to_lowercase();
    let holds = |row: &ProjectRow| {
        let customer = row.customer.as_deref().unwrap_or("").to_lowercase();
        text.is_empty()
            || row.project.name.to_lowercase().contains(&text)
            || customer.contains(&text)
    };
    let wanted = list.has("state", "archived");
    let mut rows: Vec<ProjectRow> =
        all.into_iter().filter(|row| row.project.archived == wanted && holds(row)).collect();
    let (column, down) = list.order();
    rows.sort_by(|a, b| {
        let order = match column {
            "customer" => a.customer.cmp(&b.customer),
            "hours" => a.project.hours_logged.cmp(&b.project.hours_logged),
            "left" => to_invoice(&a.project).cmp(&to_invoice(&b.project)),
            "amount" => amount(&a.project).cmp(&amount(&b.project)),
            _ => a.project.name.to_lowercase().cmp(&b.project.name.to_lowercase()),
        };
        if down { order.reverse() } else { order }.then(Ordering::Equal)
    });
    Ok((rows, active, archived))
}

/// `GET /projects`
pub(super) async fn show(page: Authenticated) -> Result<Response, Problem> {
    let list = ListState::of(&page, "name");
    let (rows, active, archived) = rows(&page, &list).await?;
    let (sums, pager) = (sums(&rows), list.pager(rows.len()));
    let rows = rows.into_iter().skip(list.offset()).take(ROWS).collect();
    page.show(&View { page: &page, list, pager, rows, sums, active, archived })
}

/// `GET /projects.csv`, `GET /projects.xlsx`: the filtered list as a spreadsheet.
pub(super) async fn download(page: Authenticated) -> Result<Response, Problem> {
    let list = ListState::of(&page, "name");
    let (rows, ..) = rows(&page, &list).await?;
    let file = Download::begin(page.format(), "projects", &COLUMNS)?;
    file.answer(&page, rows, |file, row| {
        let project = &row.project;
        file.row([
            Cell::Text(&project.name),
            Cell::text(row.customer.as_deref()),
            Cell::Text(status(project.archived)),
            project.hourly_rate.map_or(Cell::Empty, Cell::number),
            project.budget_hours.map_or(Cell::Empty, Cell::number),
            Cell::number(project.hours_logged),
            Cell::number(to_invoice(project)),
            Cell::number(amount(project)),
        ])
    })
    .await
}
