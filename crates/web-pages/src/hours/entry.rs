//! `/hours/entries/{id}` and `/hours/log/{id}`: editing and deleting hours.

use super::{categories, choices, list::seen};
use crate::{
    form::Form,
    id::Id,
    labels,
    page::Authenticated,
    submit::{Difference, SUBMISSION, VERSION},
    texts::Texts,
};
use askama::Template;
use axum::{http::StatusCode, response::Response};
use service::{
    Context, Error,
    hours_log::{self, EditLoggedHours},
    projects,
    time_entries::{self, EditTimeEntry},
};
use store::{
    Tx,
    projects::ProjectFilter,
    time::{LoggedHours, TimeEntry},
};
use web_core::{
    input::{self, edited_logged_hours, edited_time_entry},
    problem::Problem,
};

#[derive(Template)]
#[template(path = "hours/entry.html")]
struct View<'a> {
    page: &'a Authenticated,
    form: &'a Form,
    action: String,
    /// Name of the field for the project or category; `works` holds its choices.
    field: &'static str,
    works: Vec<(String, String)>,
    /// Id of the invoice for the hours, if they have been invoiced.
    invoice_id: Option<i64>,
    differences: Vec<Difference>,
}

impl View<'_> {
    fn label(&self) -> &'static str {
        if self.field == "category" { "log-category" } else { "project" }
    }
}

fn fill_entry(texts: Texts, entry: &TimeEntry) -> Form {
    Form::of([
        ("projectId", entry.project_id.to_string()),
        ("date", entry.date.to_string()),
        ("hours", texts.number_field(entry.hours.to_decimal())),
        ("description", entry.description.clone()),
    ])
}

fn fill_logged(texts: Texts, logged: &LoggedHours) -> Form {
    Form::of([
        ("category", logged.category.clone()),
        ("date", logged.date.to_string()),
        ("hours", texts.number_field(logged.hours.to_decimal())),
        ("description", logged.description.clone()),
    ])
}

/// State of the page to show: the rejected form, if any, and the status.
struct Shown {
    form: Option<Form>,
    status: StatusCode,
}

const FRESH: Shown = Shown { form: None, status: StatusCode::OK };

/// Form to show, with its edit conflicts.
fn compared(
    page: &Authenticated,
    filled: Form,
    shown: Shown,
) -> Result<(Form, Vec<Difference>), Problem> {
    let version = filled.version();
    Ok(match shown.form {
        None => {
            (filled.with(VERSION, version).with(SUBMISSION, page.new_submission()?), Vec::new())
        }
        Some(form) if form.is_outdated() => {
            let differences = page.labelled(form.differences(&filled), labels::HOURS);
            (form.with(VERSION, version), differences)
        }
        Some(form) => (form, Vec::new()),
    })
}

async fn entry_page(page: &Authenticated, id: i64, shown: Shown) -> Result<Response, Problem> {
    let cx = page.context();
    let read = move |tx: &mut Tx<'_>| {
        let entry = time_entries::read(tx, &cx, id)?;
        let mut projects = projects::by_name(tx, &cx, &ProjectFilter::default())?;
        projects.retain(|row| !row.project.archived || row.project.id == entry.project_id);
        Ok::<_, Error>((entry, projects))
    };
    let (entry, projects) = page.app.query(page.who.account.id, read).await?;
    let status = shown.status;
    let (form, differences) = compared(page, fill_entry(page.texts, &entry), shown)?;
    let view = View {
        page,
        form: &form,
        action: format!("/hours/entries/{id}"),
        field: "projectId",
        works: choices(&projects).collect(),
        invoice_id: entry.invoice_id,
        differences,
    };
    page.show_as(status, &view)
}

async fn logged_page(page: &Authenticated, id: i64, shown: Shown) -> Result<Response, Problem> {
    let cx = page.context();
    let logged =
        page.app.query(page.who.account.id, move |tx| hours_log::read(tx, &cx, id)).await?;
    let status = shown.status;
    let (form, differences) = compared(page, fill_logged(page.texts, &logged), shown)?;
    let view = View {
        page,
        form: &form,
        action: format!("/hours/log/{id}"),
        field: "category",
        works: categories(page),
        invoice_id: None,
        differences,
    };
    page.show_as(status, &view)
}

/// `GET /hours/entries/{id}`
pub(super) async fn show_entry(page: Authenticated, Id(id): Id) -> Result<Response, Problem> {
    entry_page(&page, id, FRESH).await
}

/// `GET /hours/log/{id}`
pub(super) async fn show_logged(page: Authenticated, Id(id): Id) -> Result<Response, Problem> {
    logged_page(&page, id, FRESH).await
}

/// `POST /hours/entries/{id}`
pub(super) async fn update_entry(
    page: Authenticated,
    Id(id): Id,
    form: Form,
) -> Result<Response, Problem> {
    let parsed = input::form(form.pairs(), page.texts.language, edited_time_entry);
    let (version, texts) = (form.raw(VERSION).to_owned(), page.texts);
    let run = move |tx: &mut Tx<'_>, cx: &Context, edit: &EditTimeEntry| {
        let as_seen =
            |there: &TimeEntry| version.is_empty() || fill_entry(texts, there).version() == version;
        let entry = time_entries::edit(tx, cx, id, edit, &as_seen)?;
        Ok(seen(entry.date))
    };
    page.carry_out(form, parsed, run, async |form, status| {
        entry_page(&page, id, Shown { form: Some(form), status }).await
    })
    .await
}

/// `POST /hours/log/{id}`
pub(super) async fn update_logged(
    page: Authenticated,
    Id(id): Id,
    form: Form,
) -> Result<Response, Problem> {
    let parsed = input::form(form.pairs(), page.texts.language, edited_logged_hours);
    let (version, texts) = (form.raw(VERSION).to_owned(), page.texts);
    let run = move |tx: &mut Tx<'_>, cx: &Context, edit: &EditLoggedHours| {
        let as_seen = |there: &LoggedHours| {
            version.is_empty() || fill_logged(texts, there).version() == version
        };
        let logged = hours_log::edit(tx, cx, id, edit, &as_seen)?;
        Ok(seen(logged.date))
    };
    page.carry_out(form, parsed, run, async |form, status| {
        logged_page(&page, id, Shown { form: Some(form), status }).await
    })
    .await
}

const DELETED: &str = "/hours/list?done=hours-deleted";

/// `POST /hours/entries/{id}/delete`
pub(super) async fn delete_entry(
    page: Authenticated,
    Id(id): Id,
    form: Form,
) -> Result<Response, Problem> {
    let run = move |tx: &mut Tx<'_>, cx: &Context| {
        time_entries::delete(tx, cx, id, &|_| true)?;
        Ok(DELETED.to_owned())
    };
    page.press(form, run, async |form, status| {
        entry_page(&page, id, Shown { form: Some(form), status }).await
    })
    .await
}

/// `POST /hours/log/{id}/delete`
pub(super) async fn delete_logged(
    page: Authenticated,
    Id(id): Id,
    form: Form,
) -> Result<Response, Problem> {
    let run = move |tx: &mut Tx<'_>, cx: &Context| {
        hours_log::delete(tx, cx, id, &|_| true)?;
        Ok(DELETED.to_owned())
    };
    page.press(form, run, async |form, status| {
        logged_page(&page, id, Shown { form: Some(form), status }).await
    })
    .await
}
