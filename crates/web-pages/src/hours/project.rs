//! `/projects/{id}`: a project with its hours and its budget, and the form that invoices its hours.

use super::{projects::amount, week_form::meter};
use crate::{
    form::Form,
    html::Html,
    id::Id,
    page::Authenticated,
    submit::{SUBMISSION, VERSION},
};
use askama::Template;
use axum::{http::StatusCode, response::Response};
use ledger::{hours::Hours, money::Cents};
use service::{
    Context, Error,
    invoicing::{self, InvoiceHours, to_invoice, worth},
    projects,
};
use store::{
    Tx,
    contacts::{self, Contact},
    projects::Project,
    time::{self, HoursFilter, TimeEntry},
};
use web_core::{
    input::{self, hours_to_invoice},
    problem::Problem,
};

/// Number of entries shown.
const SHOWN: i64 = 200;

#[derive(Template)]
#[template(path = "hours/project.html")]
struct View<'a> {
    page: &'a Authenticated,
    /// Form that creates the invoice.
    form: Form,
    project: Project,
    customer: Option<Contact>,
    /// Entries not invoiced yet, by date.
    open: Vec<TimeEntry>,
    /// Invoiced entries, latest first.
    invoiced: Vec<TimeEntry>,
}

impl View<'_> {
    /// Hours listed as open. A project without a rate is not invoiced by the hour, so all its hours
    /// stay open.
    fn open_hours(&self) -> Hours {
        self.open.iter().map(|entry| entry.hours).sum()
    }

    fn to_invoice(&self) -> Hours {
        to_invoice(&self.project)
    }

    fn amount(&self) -> Cents {
        amount(&self.project)
    }

    fn budget(&self) -> Option<(Html, Hours)> {
        let budget = self.project.budget_hours.filter(|budget| budget.get() > 0)?;
        Some((meter(self.project.hours_logged, budget), budget))
    }

    fn budget_amount(&self) -> Option<Cents> {
        worth(self.project.budget_hours?, self.project.hourly_rate)
    }

    fn worth(&self, hours: &Hours) -> Option<Cents> {
        worth(*hours, self.project.hourly_rate)
    }

    /// Whether hours can be invoiced: only Dutch accounts have customers and invoices.
    fn is_dutch(&self) -> bool {
        self.page.who.account.country.is_dutch()
    }

    fn is_billable(&self) -> bool {
        self.project.contact_id.is_some() && self.project.hourly_rate.is_some()
    }
}

/// Version of these entries. The form contains this version, so that only the hours shown with the
/// form are invoiced.
fn version(entries: &[TimeEntry]) -> String {
    let pairs = entries
        .iter()
        .map(|entry| (entry.id.to_string(), format!("{} {}", entry.hours.get(), entry.updated_at)));
    Form::of(pairs).version()
}

async fn show_with(
    page: &Authenticated,
    id: i64,
    form: Option<Form>,
    status: StatusCode,
) -> Result<Response, Problem> {
    let cx = page.context();
    let read = move |tx: &mut Tx<'_>| {
        let project = projects::read(tx, &cx, id)?;
        let customer = match project.contact_id {
            Some(contact) => contacts::by_id(tx, cx.actor.account, contact)?,
            None => None,
        };
        let open = invoicing::not_invoiced(tx, &cx, id, None)?;
        let filter =
            HoursFilter { project_id: Some(id), invoiced: Some(true), ..HoursFilter::default() };
        let invoiced = time::entries_by_day(tx, cx.actor.account, &filter, SHOWN)?;
        Ok::<_, Error>((project, customer, open, invoiced))
    };
    let (project, customer, open, mut invoiced) = page.list(read).await?;
    invoiced.reverse();
    let form = match form {
        Some(form) => form,
        None => {
            Form::default().with(SUBMISSION, page.new_submission()?).with(VERSION, version(&open))
        }
    };
    page.show_as(status, &View { page, form, project, customer, open, invoiced })
}

/// `GET /projects/{id}`
pub(super) async fn show(page: Authenticated, Id(id): Id) -> Result<Response, Problem> {
    show_with(&page, id, None, StatusCode::OK).await
}

/// `POST /projects/{id}/invoice`: creates a draft from the hours not invoiced yet. If the page is
/// open in two windows, the second submission is rejected, because the hours are invoiced already or
/// have changed.
pub(super) async fn invoice(
    page: Authenticated,
    Id(id): Id,
    form: Form,
) -> Result<Response, Problem> {
    let parsed =
        input::form(form.pairs(), page.texts.language, |fields| hours_to_invoice(fields, id));
    let seen = form.raw(VERSION).to_owned();
    let run = move |tx: &mut Tx<'_>, cx: &Context, command: &InvoiceHours| {
        // The form lists all uninvoiced hours, regardless of the end date entered in it.
        let there = invoicing::not_invoiced(tx, cx, id, None)?;
        if there.is_empty() {
            return Err(invoicing::nothing_to_invoice(&projects::read(tx, cx, id)?));
        }
        if !seen.is_empty() && version(&there) != seen {
            return Err(Error::Changed);
        }
        let made = invoicing::invoice(tx, cx, command, &|_| true)?.into_inner();
        Ok(format!("/invoices/{}?done=hours-invoiced", made.invoice.id))
    };
    page.carry_out(form, parsed, run, async |mut form, status| {
        if !form.is_outdated() {
            return show_with(&page, id, Some(form), status).await;
        }
        let cx = page.context();
        let there = page.list(move |tx| invoicing::not_invoiced(tx, &cx, id, None)).await?;
        form.refuse("", page.t("project-hours-changed").to_string());
        let form = form.with(VERSION, version(&there));
        show_with(&page, id, Some(form), status).await
    })
    .await
}

async fn set_archived(
    page: &Authenticated,
    id: i64,
    form: Form,
    archived: bool,
) -> Result<Response, Problem> {
    let run = move |tx: &mut Tx<'_>, cx: &Context| {
        projects::set_archived(tx, cx, id, archived)?;
        let done = if archived { "project-archived" } else { "project-restored" };
        Ok(format!("/projects/{id}?done={done}"))
    };
    page.press(form, run, async |form, status| show_with(page, id, Some(form), status).await).await
}

/// `POST /projects/{id}/archive`
pub(super) async fn archive(
    page: Authenticated,
    Id(id): Id,
    form: Form,
) -> Result<Response, Problem> {
    set_archived(&page, id, form, true).await
}

/// `POST /projects/{id}/restore`
pub(super) async fn restore(
    page: Authenticated,
    Id(id): Id,
    form: Form,
) -> Result<Response, Problem> {
    set_archived(&page, id, form, false).await
}
