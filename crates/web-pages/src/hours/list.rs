//! `/hours/list`: individual hours, and the forms that add them.

use super::{categories, category_name, choices};
use crate::{
    form::Form,
    frame::{
        download::{Cell, Download},
        list::{ListState, Pager, ROWS},
    },
    page::Authenticated,
    submit::SUBMISSION,
};
use askama::Template;
use axum::{http::StatusCode, response::Response};
use jiff::civil::Date;
use ledger::{calendar::amsterdam_today, hours::Hours};
use service::{
    Context, Error, hours_log,
    hours_log::NewLoggedHours,
    projects,
    time_entries::{self, NewTimeEntry},
    week,
};
use store::{
    Tx,
    projects::{ProjectFilter, ProjectRow},
};
use web_core::{
    input::{self, new_logged_hours, new_time_entry},
    problem::Problem,
};

/// Row of the list.
struct Row {
    id: i64,
    is_logged: bool,
    date: Date,
    what: String,
    description: String,
    hours: Hours,
    invoice_id: Option<i64>,
}

impl Row {
    fn address(&self) -> String {
        format!("/hours/{}/{}", if self.is_logged { "log" } else { "entries" }, self.id)
    }
}

#[derive(Template)]
#[template(path = "hours/list.html")]
struct View<'a> {
    page: &'a Authenticated,
    list: ListState,
    pager: Pager,
    rows: Vec<Row>,
    total: Hours,
    projects: Vec<ProjectRow>,
    entry: Form,
    logged: Form,
    from: String,
    to: String,
}

impl View<'_> {
    fn of_projects(&self) -> Vec<(String, String)> {
        let active: Vec<ProjectRow> =
            self.projects.iter().filter(|row| !row.project.archived).cloned().collect();
        choices(&active).collect()
    }

    fn filters(&self) -> Vec<(String, String)> {
        choices(&self.projects).collect()
    }

    fn of_categories(&self) -> Vec<(String, String)> {
        categories(self.page)
    }

    fn is_dutch(&self) -> bool {
        self.page.who.account.country.is_dutch()
    }
}

/// Period in the URL; by default this month.
fn days(page: &Authenticated, list: &ListState) -> (Date, Date) {
    let today = amsterdam_today(page.app.now());
    let from = i18n::read_date(list.value("from")).unwrap_or_else(|_| today.first_of_month());
    let to = i18n::read_date(list.value("to")).unwrap_or_else(|_| from.max(today).last_of_month());
    (from, to)
}

async fn rows(
    page: &Authenticated,
    list: &ListState,
) -> Result<(Vec<Row>, Vec<ProjectRow>), Problem> {
    let (cx, (from, to)) = (page.context(), days(page, list));
    let read = move |tx: &mut Tx<'_>| {
        let (entries, logged) = week::between(tx, &cx, from, to)?;
        Ok::<_, Error>((entries, logged, projects::by_name(tx, &cx, &ProjectFilter::default())?))
    };
    let (entries, logged, projects) = page.list(read).await?;
    let name = |id: i64| {
        projects.iter().find(|row| row.project.id == id).map(|row| row.project.name.clone())
    };
    let mut rows: Vec<Row> = entries
        .into_iter()
        .map(|entry| Row {
            id: entry.id,
            is_logged: false,
            date: entry.date,
            what: name(entry.project_id).unwrap_or_default(),
            description: entry.description,
            hours: entry.hours,
            invoice_id: entry.invoice_id,
        })
        .collect();
    let wanted = list.value("projectId");
    let wanted_name: Option<String> = wanted.parse().ok().and_then(name);
    if wanted.is_empty() || wanted == "log" {
        rows.extend(logged.into_iter().map(|logged| Row {
            id: logged.id,
            is_logged: true,
            date: logged.date,
            what: category_name(page, &logged.category),
            description: logged.description,
            hours: logged.hours,
            invoice_id: None,
        }));
    }
    if !wanted.is_empty() {
        rows.retain(|row| {
            if row.is_logged { wanted == "log" } else { wanted_name.as_ref() == Some(&row.what) }
        });
    }
    let text = list.value("q").trim().to_lowercase();
    rows.retain(|row| {
        row.description.to_lowercase().contains(&text) || row.what.to_lowercase().contains(&text)
    });
    let (column, down) = list.order();
    rows.sort_by(|a, b| {
        let order = match column {
            "what" => a.what.cmp(&b.what),
            "hours" => a.hours.cmp(&b.hours),
            _ => (a.date, a.id).cmp(&(b.date, b.id)),
        };
        if down { order.reverse() } else { order }
    });
    Ok((rows, projects))
}

async fn show_with(
    page: &Authenticated,
    entry: Option<Form>,
    logged: Option<Form>,
    status: StatusCode,
) -> Result<Response, Problem> {
    let list = ListState::of(page, "-date");
    let (mut rows, projects) = rows(page, &list).await?;
    let total = rows.iter().map(|row| row.hours).sum();
    let pager = list.pager(rows.len());
    rows = rows.into_iter().skip(list.offset()).take(ROWS).collect();
    let today = amsterdam_today(page.app.now()).to_string();
    let blank = |form: Option<Form>, mark: String| {
        form.unwrap_or_else(|| Form::of([("date", today.clone()), (SUBMISSION, mark)]))
    };
    let (entry, logged) =
        (blank(entry, page.new_submission()?), blank(logged, page.new_submission()?));
    let (from, to) = days(page, &list);
    let view = View {
        page,
        list,
        pager,
        rows,
        total,
        projects,
        entry,
        logged,
        from: from.to_string(),
        to: to.to_string(),
    };
    page.show_as(status, &view)
}

/// `GET /hours/list`
pub(super) async fn show(page: Authenticated) -> Result<Response, Problem> {
    show_with(&page, None, None, StatusCode::OK).await
}

/// `GET /hours/list.csv`, `GET /hours/list.xlsx`: the filtered list as a spreadsheet.
pub(super) async fn download(page: Authenticated) -> Result<Response, Problem> {
    let list = ListState::of(&page, "-date");
    let (rows, _) = rows(&page, &list).await?;
    let columns = ["date", "project", "description", "hours", "kind", "invoiceId"];
    let file = Download::begin(page.format(), "hours", &columns)?;
    file.answer(&page, rows, |file, row| {
        file.row([
            Cell::Day(row.date),
            Cell::Text(&row.what),
            Cell::Text(&row.description),
            Cell::number(row.hours),
            Cell::Text(if row.is_logged { "hoursLog" } else { "timeEntry" }),
            row.invoice_id.map_or(Cell::Empty, Cell::number),
        ])
    })
    .await
}

/// URL of the list for the month of this date.
pub(super) fn seen(date: Date) -> String {
    format!(
        "/hours/list?from={}&to={}&done=hours-saved",
        date.first_of_month(),
        date.last_of_month()
    )
}

/// `POST /hours/entries`
pub(super) async fn create_entry(page: Authenticated, form: Form) -> Result<Response, Problem> {
    let parsed = input::form(form.pairs(), page.texts.language, new_time_entry);
    let validate =
        |tx: &mut Tx<'_>, cx: &Context, (project_id, day): &(Option<i64>, input::HoursOfDay)| {
            let mut faults = Vec::new();
            if let Some(project_id) = project_id {
                faults.extend(time_entries::project_fault(tx, cx, *project_id)?);
            }
            if let Some((date, hours)) = day {
                faults.extend(hours_log::day_fault(tx, cx, *date, *hours)?);
            }
            Ok(faults)
        };
    let run = |tx: &mut Tx<'_>, cx: &Context, command: &NewTimeEntry| {
        time_entries::create(tx, cx, command)?;
        Ok(seen(command.date))
    };
    page.carry_out_if_valid(form, parsed, validate, run, async |form, status| {
        show_with(&page, Some(form), None, status).await
    })
    .await
}

/// `POST /hours/log`
pub(super) async fn create_logged(page: Authenticated, form: Form) -> Result<Response, Problem> {
    let parsed = input::form(form.pairs(), page.texts.language, new_logged_hours);
    let validate = |tx: &mut Tx<'_>, cx: &Context, day: &input::HoursOfDay| match day {
        Some((date, hours)) => {
            Ok(hours_log::day_fault(tx, cx, *date, *hours)?.into_iter().collect())
        }
        None => Ok(Vec::new()),
    };
    let run = |tx: &mut Tx<'_>, cx: &Context, command: &NewLoggedHours| {
        hours_log::create(tx, cx, command)?;
        Ok(seen(command.date))
    };
    page.carry_out_if_valid(form, parsed, validate, run, async |form, status| {
        show_with(&page, None, Some(form), status).await
    })
    .await
}
