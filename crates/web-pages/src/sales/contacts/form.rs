//! `/contacts/new` and `/contacts/{id}/edit`: the form for a contact.

use crate::{
    form::Form,
    id::Id,
    labels,
    page::Authenticated,
    submit::{Difference, SUBMISSION, VERSION},
};
use askama::Template;
use axum::{http::StatusCode, response::Response};
use ledger::identifiers::{Bic, Iban};
use service::{
    Context, Error,
    contact_edits::{self, EditContact},
    contacts::{self, NewContact},
};
use store::{Tx, contacts::Contact};
use web_core::{
    input::{self, new_contact},
    problem::Problem,
};

#[derive(Template)]
#[template(path = "sales/contact-form.html")]
struct View<'a> {
    page: &'a Authenticated,
    form: &'a Form,
    /// Contact being edited.
    edited: Option<Contact>,
    /// Edit conflicts: the submitted and the stored value of each field that differs.
    differences: Vec<Difference>,
}

impl View<'_> {
    fn action(&self) -> String {
        self.edited
            .as_ref()
            .map_or("/contacts".to_owned(), |contact| format!("/contacts/{}", contact.id))
    }
}

/// Form filled from a contact.
fn fill(contact: &Contact) -> Form {
    let account = &contact.account;
    let bank = [
        ("iban", account.iban.as_ref().map_or("", Iban::as_str)),
        ("bic", account.bic.as_ref().map_or("", Bic::as_str)),
    ];
    Form::of(contact.party.form_fields().chain(bank))
}

fn show_with(
    page: &Authenticated,
    form: &Form,
    edited: Option<Contact>,
    differences: Vec<Difference>,
    status: StatusCode,
) -> Result<Response, Problem> {
    page.show_as(status, &View { page, form, edited, differences })
}

/// `GET /contacts/new`
pub(super) async fn show_new(page: Authenticated) -> Result<Response, Problem> {
    let form = Form::of([("country", "NL")]).with(SUBMISSION, page.new_submission()?);
    show_with(&page, &form, None, Vec::new(), StatusCode::OK)
}

/// `POST /contacts`
pub(super) async fn create(page: Authenticated, form: Form) -> Result<Response, Problem> {
    let parsed = input::form(form.pairs(), page.texts.language, new_contact);
    let run = |tx: &mut Tx<'_>, cx: &Context, new: &NewContact| {
        let made = contacts::create(tx, cx, new)?.into_inner();
        Ok(format!("/contacts/{}?done=contact-created", made.id))
    };
    page.carry_out(form, parsed, run, async |form, status| {
        show_with(&page, &form, None, Vec::new(), status)
    })
    .await
}

async fn stored(page: &Authenticated, id: i64) -> Result<Contact, Problem> {
    let cx = page.context();
    Ok(page.app.query(page.who.account.id, move |tx| contacts::read(tx, &cx, id)).await?)
}

/// `GET /contacts/{id}/edit`
pub(super) async fn show_edit(page: Authenticated, Id(id): Id) -> Result<Response, Problem> {
    let contact = stored(&page, id).await?;
    let filled = fill(&contact);
    let version = filled.version();
    let form = filled.with(VERSION, version).with(SUBMISSION, page.new_submission()?);
    show_with(&page, &form, Some(contact), Vec::new(), StatusCode::OK)
}

/// `POST /contacts/{id}`
pub(super) async fn update(
    page: Authenticated,
    Id(id): Id,
    form: Form,
) -> Result<Response, Problem> {
    let before = stored(&page, id).await?;
    let parsed = input::form(form.pairs(), page.texts.language, new_contact);
    let version = form.raw(VERSION).to_owned();
    let run = move |tx: &mut Tx<'_>, cx: &Context, new: &NewContact| {
        let as_seen = |there: &Contact| version.is_empty() || fill(there).version() == version;
        contact_edits::edit(tx, cx, id, &EditContact::to(new), &as_seen)?;
        Ok::<_, Error>(format!("/contacts/{id}?done=contact-edited"))
    };
    page.carry_out(form, parsed, run, async |form, status| {
        if !form.is_outdated() {
            return show_with(&page, &form, Some(before), Vec::new(), status);
        }
        let contact = stored(&page, id).await?;
        let now = fill(&contact);
        let form = form.with(VERSION, now.version());
        let differences = page.labelled(form.differences(&now), labels::PARTY);
        show_with(&page, &form, Some(contact), differences, status)
    })
    .await
}
