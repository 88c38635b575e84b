//! `/projects/new` and `/projects/{id}/edit`: the form for a project.

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
    Context, Error, contact_edits,
    projects::{self, EditProject, NewProject},
};
use store::{Tx, contacts::Contact, projects::Project};
use web_core::{
    input::{self, new_project},
    problem::Problem,
};

#[derive(Template)]
#[template(path = "hours/project-form.html")]
struct View<'a> {
    page: &'a Authenticated,
    form: &'a Form,
    /// Project being edited.
    edited: Option<Project>,
    contacts: Vec<Contact>,
    /// Edit conflicts: the submitted and the stored value of each field that differs.
    differences: Vec<Difference>,
}

impl View<'_> {
    fn action(&self) -> String {
        self.edited
            .as_ref()
            .map_or("/projects".to_owned(), |project| format!("/projects/{}", project.id))
    }

    fn customers(&self) -> Vec<(String, String)> {
        let contacts = self
            .contacts
            .iter()
            .map(|contact| (contact.id.to_string(), contact.party.name.clone()));
        [(String::new(), self.page.t("project-no-customer").to_string())]
            .into_iter()
            .chain(contacts)
            .collect()
    }
}

/// Form filled from a project.
fn fill(texts: Texts, project: &Project) -> Form {
    Form::of([
        ("name", project.name.clone()),
        ("contactId", project.contact_id.map(|id| id.to_string()).unwrap_or_default()),
        ("hourlyRate", project.hourly_rate.map(|rate| texts.money_field(rate)).unwrap_or_default()),
        (
            "budgetHours",
            project
                .budget_hours
                .map(|hours| texts.number_field(hours.to_decimal()))
                .unwrap_or_default(),
        ),
    ])
}

async fn show_with(
    page: &Authenticated,
    form: &Form,
    edited: Option<Project>,
    differences: Vec<Difference>,
    status: StatusCode,
) -> Result<Response, Problem> {
    let (cx, chosen) = (page.context(), form.value("contactId").parse().ok());
    let contacts = page
        .app
        .query(page.who.account.id, move |tx| contact_edits::offered(tx, &cx, chosen))
        .await?;
    page.show_as(status, &View { page, form, edited, contacts, differences })
}

/// `GET /projects/new`
pub(super) async fn show_new(page: Authenticated) -> Result<Response, Problem> {
    let form = Form::of([("contactId", page.query("contactId").unwrap_or_default())]);
    let form = form.with(SUBMISSION, page.new_submission()?);
    show_with(&page, &form, None, Vec::new(), StatusCode::OK).await
}

/// `POST /projects`
pub(super) async fn create(page: Authenticated, form: Form) -> Result<Response, Problem> {
    let parsed = input::form(form.pairs(), page.texts.language, new_project);
    let validate = |tx: &mut Tx<'_>, cx: &Context, contact_id: &Option<i64>| {
        Ok(projects::contact_fault(tx, cx, *contact_id)?.into_iter().collect())
    };
    let run = |tx: &mut Tx<'_>, cx: &Context, command: &NewProject| {
        let made = projects::create(tx, cx, command)?.into_inner();
        Ok(format!("/projects/{}?done=project-created", made.id))
    };
    page.carry_out_if_valid(form, parsed, validate, run, async |form, status| {
        show_with(&page, &form, None, Vec::new(), status).await
    })
    .await
}

async fn stored(page: &Authenticated, id: i64) -> Result<Project, Problem> {
    let cx = page.context();
    Ok(page.app.query(page.who.account.id, move |tx| projects::read(tx, &cx, id)).await?)
}

/// `GET /projects/{id}/edit`
pub(super) async fn show_edit(page: Authenticated, Id(id): Id) -> Result<Response, Problem> {
    let project = stored(&page, id).await?;
    let filled = fill(page.texts, &project);
    let version = filled.version();
    let form = filled.with(VERSION, version).with(SUBMISSION, page.new_submission()?);
    show_with(&page, &form, Some(project), Vec::new(), StatusCode::OK).await
}

/// `POST /projects/{id}`
pub(super) async fn update(
    page: Authenticated,
    Id(id): Id,
    form: Form,
) -> Result<Response, Problem> {
    let before = stored(&page, id).await?;
    let parsed = input::form(form.pairs(), page.texts.language, new_project);
    let validate = |tx: &mut Tx<'_>, cx: &Context, contact_id: &Option<i64>| {
        Ok(projects::contact_fault(tx, cx, *contact_id)?.into_iter().collect())
    };
    let (version, texts) = (form.raw(VERSION).to_owned(), page.texts);
    let run = move |tx: &mut Tx<'_>, cx: &Context, command: &NewProject| {
        let as_seen =
            |there: &Project| version.is_empty() || fill(texts, there).version() == version;
        let edit = EditProject {
            name: Some(command.name.clone()),
            contact_id: Some(command.contact_id),
            hourly_rate: Some(command.hourly_rate),
            budget_hours: Some(command.budget_hours),
            ..EditProject::default()
        };
        projects::edit(tx, cx, id, &edit, &as_seen)?;
        Ok::<_, Error>(format!("/projects/{id}?done=project-edited"))
    };
    page.carry_out_if_valid(form, parsed, validate, run, async |form, status| {
        if !form.is_outdated() {
            return show_with(&page, &form, Some(before), Vec::new(), status).await;
        }
        let project = stored(&page, id).await?;
        let now = fill(page.texts, &project);
        let form = form.with(VERSION, now.version());
        let differences = page.labelled(form.differences(&now), labels::PROJECT);
        show_with(&page, &form, Some(project), differences, status).await
    })
    .await
}
