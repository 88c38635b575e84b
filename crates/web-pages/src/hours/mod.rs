//! Hours: projects, weeks, months, lists and the timer.

mod entry;
mod list;
mod month;
mod project;
mod project_form;
mod projects;
mod timer;
mod week;
mod week_form;

use crate::{
    page::Authenticated,
    table::{Group, Page},
};
use service::week::Work;
use store::{projects::ProjectRow, timers::Timer};

pub(crate) fn pages() -> Vec<Page> {
    vec![
        Page::at("/hours")
            .get(week::show)
            .linked(Group::Time, "clock", "h", |texts| texts.t("nav-hours")),
        Page::at("/hours/week").post(week::send),
        Page::at("/hours/list").get(list::show).files(list::download),
        Page::at("/hours/entries").post(list::create_entry).shown_at("/hours/list"),
        Page::at("/hours/entries/{id}").get(entry::show_entry).post(entry::update_entry),
        Page::at("/hours/entries/{id}/delete").post(entry::delete_entry),
        Page::at("/hours/log").post(list::create_logged).shown_at("/hours/list"),
        Page::at("/hours/log/{id}").get(entry::show_logged).post(entry::update_logged),
        Page::at("/hours/log/{id}/delete").post(entry::delete_logged),
        Page::at("/hours/timer/start").post(timer::start),
        Page::at("/hours/timer/stop").post(timer::stop),
        Page::at("/hours/timer/discard").post(timer::discard),
        Page::at("/projects")
            .get(projects::show)
            .post(project_form::create)
            .files(projects::download)
            .linked(Group::Time, "folder", "p", |texts| texts.t("nav-projects")),
        Page::at("/projects/new").get(project_form::show_new),
        Page::at("/projects/{id}").get(project::show).post(project_form::update),
        Page::at("/projects/{id}/edit").get(project_form::show_edit),
        Page::at("/projects/{id}/archive").post(project::archive),
        Page::at("/projects/{id}/restore").post(project::restore),
        Page::at("/projects/{id}/invoice").dutch().post(project::invoice),
    ]
}

/// Name of the project or category for which a timer runs.
fn timer_name(page: &Authenticated, timer: &Timer, projects: &[ProjectRow]) -> String {
    match timer.project_id {
        Some(id) => match projects.iter().find(|row| row.project.id == id) {
            Some(row) => row.project.name.clone(),
            None => page.t("project").to_string(),
        },
        None => category_name(page, timer.category.as_deref().unwrap_or("other")),
    }
}

/// Name of the project or category of hours.
fn name_of(page: &Authenticated, work: Work, project: Option<&ProjectRow>) -> String {
    match (work, project) {
        (_, Some(row)) => row.project.name.clone(),
        (Work::Project(id), None) => id.to_string(),
        (Work::Log(category), None) => category_name(page, category),
    }
}

/// Name of a category of the hours log.
fn category_name(page: &Authenticated, category: &str) -> String {
    let texts = page.texts;
    match category {
        "administration" => texts.t("log-administration"),
        "acquisition" => texts.t("log-acquisition"),
        "travel" => texts.t("log-travel"),
        "training" => texts.t("log-training"),
        _ => texts.t("log-other"),
    }
    .into()
}

/// Categories of the hours log as choices.
fn categories(page: &Authenticated) -> Vec<(String, String)> {
    let names = service::hours_log::CATEGORIES;
    names.into_iter().map(|category| (category.to_owned(), category_name(page, category))).collect()
}

/// Projects as choices, each with its customer.
fn choices(projects: &[ProjectRow]) -> impl Iterator<Item = (String, String)> {
    projects.iter().map(|row| {
        let name = match &row.customer {
            Some(customer) => format!("{} ({customer})", row.project.name),
            None => row.project.name.clone(),
        };
        (row.project.id.to_string(), name)
    })
}
