//! `GET /projects` and `GET /projects/{id}`: where a time tracker finds its projectId.

use super::{
    number::{Amount, Number},
    operation::Operation,
    query::{self, Query, page_of},
    reply,
};
use crate::{App, Reading, catalogue::NOT_FOUND, problem::Problem};
use axum::{
    Extension,
    extract::{Path, RawQuery, State},
    http::HeaderMap,
    response::Response,
};
use jiff::Timestamp;
use schemars::JsonSchema;
use serde::Serialize;
use service::{Actor, projects};
use store::projects::Project;

/// A project, on which hours are written.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "Project")]
struct ProjectBody {
    /// The `projectId` of time entries.
    id: i64,
    /// What its owner calls it.
    name: String,
    /// The customer, if one was chosen.
    contact_id: Option<i64>,
    /// `active` or `archived`; an archived project takes no hours.
    #[schemars(extend("enum" = ["active", "archived"]))]
    status: &'static str,
    /// Euros per hour, excluding VAT.
    hourly_rate: Option<Amount>,
    /// All hours that were written on it.
    hours_logged: Number,
    /// When it was made.
    created_at: Timestamp,
}

pub(super) fn operations() -> Vec<Operation> {
    vec![
        Operation::list::<ProjectBody, _, _>("/projects", "listProjects", list)
            .says("List projects", "Oldest first. Projects are made in the application.")
            .with_query(page),
        Operation::read::<ProjectBody, _, _>("/projects/{id}", "readProject", read).says("Read a project", "").or(&[NOT_FOUND]),
    ]
}

/// After which id, and how many.
pub(super) fn page(query: &mut Query) -> (i64, i64) {
    (query.cursor(query::whole).unwrap_or(0), query.limit())
}

impl From<Project> for ProjectBody {
    fn from(project: Project) -> Self {
        Self {
            id: project.id,
            name: project.name,
            contact_id: project.contact_id,
            status: if project.archived { "archived" } else { "active" },
            hourly_rate: project.hourly_rate.map(Amount),
            hours_logged: project.hours_logged.into(),
            created_at: project.created_at,
        }
    }
}

async fn list(
    State(app): State<App>,
    Extension(actor): Extension<Actor>,
    Extension(books): Extension<Reading>,
    RawQuery(raw): RawQuery,
) -> Result<Response, Problem> {
    let (after, limit) = query::read(raw.as_deref(), page)?;
    let rows = books.ask(move |tx| projects::list(tx, &actor, after, limit + 1)).await?;
    let (rows, next) = page_of(rows, limit, |last| last.id.to_string());
    let address = format!("{}/api/v1/projects", app.settings().base_url);
    Ok(reply::page(rows.into_iter().map(ProjectBody::from).collect(), next, &address, raw.as_deref()))
}

async fn read(
    Extension(actor): Extension<Actor>,
    Extension(books): Extension<Reading>,
    Path(id): Path<String>,
    RawQuery(raw): RawQuery,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    query::none(raw.as_deref())?;
    let id = query::id(&id, "project")?;
    let project = books.ask(move |tx| projects::read(tx, &actor, id)).await?;
    Ok(reply::resource(&headers, &ProjectBody::from(project)))
}
