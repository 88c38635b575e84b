//! `GET /projects` and `GET /projects/{id}`: where a time tracker finds its projectId.

use super::{
    number::{Amount, Number},
    query::{self, Query},
    reply,
};
use crate::{App, Reading, problem::Problem};
use axum::{
    Extension,
    extract::{Path, RawQuery, State},
    http::HeaderMap,
    response::Response,
};
use jiff::Timestamp;
use serde::Serialize;
use service::{Actor, projects};
use store::projects::Project;

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ProjectBody {
    id: i64,
    name: String,
    contact_id: Option<i64>,
    status: &'static str,
    hourly_rate: Option<Amount>,
    hours_logged: Number,
    created_at: Timestamp,
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

pub(super) async fn list(
    State(app): State<App>,
    Extension(actor): Extension<Actor>,
    Extension(books): Extension<Reading>,
    RawQuery(raw): RawQuery,
) -> Result<Response, Problem> {
    let mut query = Query::of(raw.as_deref());
    let limit = query.limit();
    let after = query.cursor(query::whole)?.unwrap_or(0);
    query.finish()?;
    let mut rows = books.ask(move |tx| projects::list(tx, &actor, after, limit + 1)).await?;
    let more = rows.len() as i64 > limit;
    rows.truncate(usize::try_from(limit).unwrap_or(usize::MAX));
    let next = rows.last().filter(|_| more).map(|last| last.id.to_string());
    let address = format!("{}/api/v1/projects", app.settings().base_url);
    Ok(reply::page(rows.into_iter().map(ProjectBody::from).collect(), next, &address, raw.as_deref()))
}

pub(super) async fn read(
    Extension(actor): Extension<Actor>,
    Extension(books): Extension<Reading>,
    Path(id): Path<String>,
    RawQuery(raw): RawQuery,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    Query::of(raw.as_deref()).finish()?;
    let id = query::id(&id, "project")?;
    let project = books.ask(move |tx| projects::read(tx, &actor, id)).await?;
    Ok(reply::resource(&headers, &ProjectBody::from(project)))
}
