//! `/contacts/{id}`: a contact with its invoices, projects, expenses, totals and actions.

use super::form::{email_use, kinds, languages};
use crate::{form::Form, id::Id, page::Authenticated, sales::status, texts::Phrase};
use askama::Template;
use axum::{http::StatusCode, response::Response};
use jiff::civil::Date;
use ledger::{customer::EmailUse, hours::Hours};
use service::{
    Context,
    contact_edits::{self, ContactProfile, EditContact},
    invoicing::to_invoice,
};
use store::{Tx, expenses::Expense, invoices::Invoice, projects::Project};
use web_core::{
    input::{self, merged_contact},
    problem::Problem,
};

#[derive(Template)]
#[template(path = "sales/contact.html")]
struct View<'a> {
    page: &'a Authenticated,
    /// Form that merges the contact into another.
    form: Form,
    profile: ContactProfile,
    today: Date,
    year: String,
}

impl View<'_> {
    fn state(&self, invoice: &Invoice) -> status::State {
        status::of(self.page, invoice, self.today)
    }

    /// Hours on all projects of the contact: all hours, and those to invoice.
    fn hours(&self) -> (Hours, Hours) {
        let projects = self.profile.projects.iter().map(|row| &row.project);
        let sum = |hours: fn(&Project) -> Hours| projects.clone().map(hours).sum();
        (sum(|project| project.hours_logged), sum(to_invoice))
    }

    fn to_invoice(&self, project: &Project) -> Hours {
        to_invoice(project)
    }

    fn kind(&self) -> Option<Phrase<'static>> {
        let stated = self.profile.contact.party.kind.as_deref()?;
        kinds(self.page.texts).into_iter().find(|(kind, _)| *kind == stated).map(|(_, name)| name)
    }

    fn language(&self) -> Option<Phrase<'static>> {
        let chosen = self.profile.contact.party.language.as_deref()?;
        let mut languages = languages(self.page.texts).into_iter();
        languages.find(|(language, _)| *language == chosen).map(|(_, name)| name)
    }

    /// Email addresses, with their uses unless they are for everything.
    fn addresses(&self) -> Vec<(String, Option<String>)> {
        let named = |uses: &[EmailUse]| {
            let names = uses.iter().map(|of| email_use(self.page.texts, *of).to_string());
            (uses.len() < EmailUse::ALL.len()).then(|| names.collect::<Vec<_>>().join(", "))
        };
        let addresses = self.profile.contact.party.addresses().into_iter();
        addresses.map(|address| (address.email, named(&address.uses))).collect()
    }

    fn bought(&self, expense: &Expense) -> String {
        expense.description.clone().or_else(|| expense.supplier.clone()).unwrap_or_default()
    }

    fn others(&self) -> Vec<(String, String)> {
        let others = self
            .profile
            .others
            .iter()
            .map(|other| (other.id.to_string(), other.party.name.clone()));
        [(String::new(), self.page.t("contact-merge-choose").to_string())]
            .into_iter()
            .chain(others)
            .collect()
    }
}

async fn show_with(
    page: &Authenticated,
    id: i64,
    form: Form,
    status: StatusCode,
) -> Result<Response, Problem> {
    let cx = page.context();
    let today = cx.today();
    let profile = page.list(move |tx| contact_edits::profile(tx, &cx, id)).await?;
    page.show_as(status, &View { page, form, profile, today, year: today.year().to_string() })
}

/// Renders the page again with a rejected form.
async fn show_refused(page: &Authenticated, id: i64, form: Form) -> Result<Response, Problem> {
    let status = form.refused_status();
    show_with(page, id, form, status).await
}

/// `GET /contacts/{id}`
pub(super) async fn show(page: Authenticated, Id(id): Id) -> Result<Response, Problem> {
    show_with(&page, id, Form::default(), StatusCode::OK).await
}

async fn set_archived(
    page: &Authenticated,
    id: i64,
    form: Form,
    archived: bool,
) -> Result<Response, Problem> {
    let run = move |tx: &mut Tx<'_>, cx: &Context| {
        let edit = EditContact { archived: Some(archived), ..EditContact::default() };
        contact_edits::edit(tx, cx, id, &edit, &|_| true)?;
        let done = if archived { "contact-archived" } else { "contact-restored" };
        Ok(format!("/contacts/{id}?done={done}"))
    };
    page.press(form, run, async |form, _| show_refused(page, id, form).await).await
}

/// `POST /contacts/{id}/archive`
pub(super) async fn archive(
    page: Authenticated,
    Id(id): Id,
    form: Form,
) -> Result<Response, Problem> {
    set_archived(&page, id, form, true).await
}

/// `POST /contacts/{id}/restore`
pub(super) async fn restore(
    page: Authenticated,
    Id(id): Id,
    form: Form,
) -> Result<Response, Problem> {
    set_archived(&page, id, form, false).await
}

/// `POST /contacts/{id}/merge`: moves the contact's invoices and projects to the contact `into`.
pub(super) async fn merge(
    page: Authenticated,
    Id(id): Id,
    form: Form,
) -> Result<Response, Problem> {
    let parsed = input::form(form.pairs(), page.texts.language, merged_contact);
    let run = move |tx: &mut Tx<'_>, cx: &Context, into: &i64| {
        let target = contact_edits::merge(tx, cx, id, *into)?;
        Ok(format!("/contacts/{}?done=contact-merged", target.id))
    };
    page.carry_out(form, parsed, run, async |form, _| show_refused(&page, id, form).await).await
}
