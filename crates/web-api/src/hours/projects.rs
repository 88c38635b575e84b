//! Projects, and invoices for their hours.

use crate::{
    body,
    invoices::made,
    moment::Moment,
    number::{Amount, Number},
    once,
    operation::{Answer, Operation},
    query::{self, Query},
    resource::{Creatable, Editable, Filter, Listed, Replaceable, Resource},
    sales::invoice_body::InvoiceBody,
};
use axum::{
    Extension,
    extract::{Path, Request, State},
    response::Response,
};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::json;
use service::{
    Context, Created, Error, Fault, Upserted, invoices,
    invoicing::{self, worth},
    projects::{self, EditProject, NewProject},
};
use store::{
    Page, Tx, Updated,
    contacts::status,
    invoices::InvoiceKind,
    projects::{Project, ProjectFilter},
};
use web_core::{
    AppState,
    catalogue::{
        ALREADY_INVOICED, NOT_FOUND, NOTHING_TO_INVOICE, NUMBER_TAKEN, PERIOD_FILED,
        PRECONDITION_FAILED,
    },
    input::{
        self, Fields, PROJECT_STATUSES, Parsed, edited_project, hours_to_invoice, names,
        new_project,
    },
    problem::Problem,
};

/// A project for hours.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "Project")]
pub(crate) struct ProjectBody<'p> {
    /// Id, unique within the account; the `projectId` of time entries.
    id: i64,
    /// Your own identifier.
    #[schemars(example = &"order-1001")]
    external_id: Option<&'p str>,
    /// Name of the project.
    name: &'p str,
    /// Id of the customer's contact.
    contact_id: Option<i64>,
    /// `active` or `archived`. No hours can be recorded on an archived project.
    #[schemars(extend("enum" = names(PROJECT_STATUSES)))]
    status: &'static str,
    /// Hourly rate in euros, excluding VAT.
    hourly_rate: Option<Amount>,
    /// Budget in hours.
    #[schemars(example = &60)]
    budget_hours: Option<Number>,
    /// Budget in euros: budgeted hours at the hourly rate, excluding VAT.
    budget_amount: Option<Amount>,
    /// Total hours recorded on the project.
    hours_logged: Number,
    /// Hours recorded on the project that have not been invoiced yet.
    hours_not_invoiced: Number,
    /// Time of creation.
    created_at: Moment,
    /// Time of the last change; recording hours on the project is not a change.
    updated_at: Moment,
}

impl Resource for Project {
    type Key = i64;
    type Body<'r> = ProjectBody<'r>;
    const PATH: &'static str = "/projects/{id}";
    const NAME: &'static str = "project";

    fn key(&self) -> i64 {
        self.id
    }

    fn body(&self, _: &Context) -> ProjectBody<'_> {
        ProjectBody {
            id: self.id,
            external_id: self.external_id.as_deref(),
            name: &self.name,
            contact_id: self.contact_id,
            status: status(self.archived),
            hourly_rate: self.hourly_rate.map(Amount),
            budget_hours: self.budget_hours.map(Into::into),
            budget_amount: self
                .budget_hours
                .and_then(|budget| worth(budget, self.hourly_rate))
                .map(Amount),
            hours_logged: self.hours_logged.into(),
            hours_not_invoiced: (self.hours_logged - self.hours_invoiced).into(),
            created_at: Moment(self.created_at),
            updated_at: Moment(self.updated_at),
        }
    }

    fn find(tx: &mut Tx<'_>, cx: &Context, id: i64) -> Result<Self, Error> {
        projects::read(tx, cx, id)
    }
}

impl Filter for ProjectFilter {
    fn read(query: &mut Query) -> Self {
        Self {
            external_id: query.text(
                "externalId",
                "Returns only the project with this external identifier.",
                255,
            ),
            contact_id: query.integer(
                "contactId",
                "Returns only resources of this contact.",
                1,
                i64::MAX,
            ),
            archived: query.choice(
                "status",
                "Returns only active or only archived resources.",
                PROJECT_STATUSES,
            ),
            updated: query.updated(),
        }
    }

    fn updated(&self) -> Option<Updated> {
        self.updated
    }
}

impl Listed for Project {
    type Filter = ProjectFilter;

    fn list(
        tx: &mut Tx<'_>,
        cx: &Context,
        (): (),
        filter: &ProjectFilter,
        after: i64,
        limit: i64,
    ) -> Result<Page<Self>, Error> {
        Ok(Page::of(projects::list(tx, cx, filter, after, limit + 1)?, limit))
    }
}

impl Creatable for Project {
    type New = NewProject;
    type Partial = Option<i64>;

    fn read_new(fields: &mut Fields<'_, '_>, (): ()) -> Parsed<NewProject, Option<i64>> {
        new_project(fields)
    }

    fn create(tx: &mut Tx<'_>, cx: &Context, new: &NewProject) -> Result<Created<Self>, Error> {
        projects::create(tx, cx, new)
    }

    fn find_by_external_id(
        tx: &mut Tx<'_>,
        cx: &Context,
        external_id: Option<&str>,
    ) -> Result<Option<Self>, Error> {
        projects::find_by_external_id(tx, cx, external_id)
    }

    fn validate(
        tx: &mut Tx<'_>,
        cx: &Context,
        (): (),
        contact_id: &Option<i64>,
    ) -> Result<Vec<Fault>, Error> {
        Ok(projects::contact_fault(tx, cx, *contact_id)?.into_iter().collect())
    }
}

impl Replaceable for Project {
    fn replace(
        tx: &mut Tx<'_>,
        cx: &Context,
        external_id: &str,
        new: &NewProject,
        expected: &dyn Fn(Option<&Self>) -> bool,
    ) -> Result<Upserted<Self>, Error> {
        projects::replace(tx, cx, external_id, new, expected)
    }
}

impl Editable for Project {
    type Edit = EditProject;
    type PartialEdit = Option<i64>;

    fn read_edit(fields: &mut Fields<'_, '_>) -> Parsed<EditProject, Option<i64>> {
        edited_project(fields)
    }

    fn validate_edit(
        tx: &mut Tx<'_>,
        cx: &Context,
        _: &Self,
        contact_id: &Option<i64>,
    ) -> Result<Vec<Fault>, Error> {
        Ok(projects::contact_fault(tx, cx, *contact_id)?.into_iter().collect())
    }

    fn edit(
        tx: &mut Tx<'_>,
        cx: &Context,
        id: i64,
        edit: &EditProject,
        expected: &dyn Fn(&Self) -> bool,
    ) -> Result<Self, Error> {
        projects::edit(tx, cx, id, edit, expected)
    }
}

pub(crate) fn operations() -> Vec<Operation> {
    let example = || json!({ "externalId": "toggl-p-3", "name": "House style", "hourlyRate": 95.50, "budgetHours": 60 });
    vec![
        Operation::list_of::<Project>("listProjects").says("List projects", "Oldest first."),
        Operation::create_of::<Project>("createProject", example())
            .says("Create a project", "Available to accounts of every country."),
        Operation::read_of::<Project>("readProject").says("Read a project", ""),
        Operation::edit_of::<Project>(
            "editProject",
            json!({ "hourlyRate": 99.00, "status": "active" }),
        )
        .says("Update or archive a project", "Absent fields stay unchanged; null removes a value.")
        .or(&[NOT_FOUND, PRECONDITION_FAILED]),
        Operation::act::<InvoiceBody<'_>, _, _>(
            "/projects/{id}/invoice",
            "invoiceProject",
            Answer::Created,
            invoice,
        )
        .says(
            "Invoice the hours of a project",
            "Creates a draft invoice for the hours that are not invoiced yet, with one line \
                 per description, and marks them as invoiced, so that no hour is invoiced twice. \
                 Deleting the draft (`DELETE /invoices/{id}`) or crediting the sent invoice \
                 releases them.",
        )
        .with_body(
            input::schema(|fields| hours_to_invoice(fields, 1)),
            json!({ "externalId": "november", "until": "2026-11-30" }),
        )
        .or(&[NOT_FOUND, ALREADY_INVOICED, NOTHING_TO_INVOICE, NUMBER_TAKEN, PERIOD_FILED])
        .for_dutch_accounts(),
        Operation::replace_of::<Project>(
            "/projects/external/{externalId}",
            "putProject",
            example(),
        )
        .says(
            "Create or replace a project",
            "Creates or replaces the resource with this external identifier. Absent fields \
                 get their defaults.",
        )
        .or(&[PRECONDITION_FAILED]),
    ]
}

async fn invoice(
    State(app): State<AppState>,
    Extension(cx): Extension<Context>,
    Path(id): Path<String>,
    request: Request,
) -> Result<Response, Problem> {
    let json = body::read_optional(request).await?;
    let id = query::id(&id, "project")?;
    let parsed = input::json(&json, |fields| hours_to_invoice(fields, id));
    let account = cx.actor.account;
    let base = app.config().base_url.clone();
    let show = move |outcome| made(&base, outcome);
    let creation = once::creation(account, "invoice", &format!("/projects/{id}/invoice"), &json);
    match parsed.command {
        Some(command) => {
            once::create(
                &app,
                account,
                creation,
                move |tx| invoicing::invoice(tx, &cx, &command, &|_| true),
                show,
            )
            .await
        }
        None => {
            let known = move |tx: &mut Tx<'_>| {
                projects::read(tx, &cx, id)?;
                let known = invoices::find_by_external_id(
                    tx,
                    &cx,
                    InvoiceKind::Invoice,
                    parsed.external_id.as_deref(),
                )?;
                known.ok_or_else(|| Error::Invalid(parsed.faults.clone()))
            };
            once::existing(&app, account, creation, known, show).await
        }
    }
}
