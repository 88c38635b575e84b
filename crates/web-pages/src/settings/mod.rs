//! `/settings`: the company's details.

pub(crate) mod audit_file;
pub(crate) mod invoices;
pub(crate) mod language;
pub(crate) mod reminders;

use crate::{
    form::Form,
    frame::iban::grouped,
    identity::sign_in::confirm_first,
    labels,
    page::Authenticated,
    submit::{Difference, SUBMISSION, VERSION},
};
use askama::Template;
use axum::{http::StatusCode, response::Response};
use ledger::identifiers::Iban;
use mail::Mail;
use service::{
    Context, Error, accounts,
    people::{
        Account,
        settings::{self, UpdateSettings},
    },
};
use store::{Lane, Tx};
use web_core::{
    input::{self, ByAccount, update_settings},
    problem::Problem,
};

#[derive(Template)]
#[template(path = "settings/company.html")]
struct View<'a> {
    page: &'a Authenticated,
    form: &'a Form,
    has_choice_of_country: bool,
    /// Edit conflicts: the submitted and the stored value of each field that differs.
    differences: Vec<Difference>,
}

async fn show_with(
    page: &Authenticated,
    form: &Form,
    differences: Vec<Difference>,
    status: StatusCode,
) -> Result<Response, Problem> {
    let account = page.who.account.id;
    let has_choice_of_country = page
        .app
        .query(Lane::of(page.who.account.id).single(), move |tx| {
            settings::has_choice_of_country(tx, account)
        })
        .await?;
    page.show_as(status, &View { page, form, has_choice_of_country, differences })
}

/// Form filled from the settings of an account.
fn fill(account: &Account) -> Form {
    let text = |value: &Option<String>| value.clone().unwrap_or_default();
    Form::of([
        ("name", account.name.clone()),
        ("address.street", text(&account.street)),
        ("address.postalCode", text(&account.postal_code)),
        ("address.city", text(&account.city)),
        ("country", account.country.as_str().to_owned()),
        ("kvkNumber", text(&account.kvk_number)),
        ("vatNumber", text(&account.vat_number)),
        ("iban", account.iban.as_deref().map(grouped).unwrap_or_default()),
        ("bic", text(&account.bic)),
        ("phone", text(&account.phone)),
        ("website", text(&account.website)),
    ])
}

/// `GET /settings`
pub(crate) async fn show(page: Authenticated) -> Result<Response, Problem> {
    let filled = fill(&page.who.account);
    let version = filled.version();
    let form = filled.with(VERSION, version).with(SUBMISSION, page.new_submission()?);
    show_with(&page, &form, Vec::new(), StatusCode::OK).await
}

/// `POST /settings`
pub(crate) async fn send(page: Authenticated, form: Form) -> Result<Response, Problem> {
    let country = page.who.account.country;
    let parsed =
        input::form(form.pairs(), page.texts.language, |fields| update_settings(fields, country));
    let changes_iban = parsed.command.as_ref().is_some_and(|command| {
        page.who.account.iban.is_some()
            && command.iban.as_ref().map(Iban::as_str) != page.who.account.iban.as_deref()
    });
    if changes_iban && !page.who.is_fresh(page.app.now()) {
        return confirm_first(&page, &form);
    }
    let mails = page.mails();
    let changed =
        Mail::BankAccountChanged { link: format!("{}/settings", page.app.config().base_url) };
    let (version, env) = (form.raw(VERSION).to_owned(), page.env());
    let validate = |tx: &mut Tx<'_>, cx: &Context, (country, vat_number, iban): &ByAccount| {
        let account = cx.actor.account;
        settings::faults(tx, account, *country, vat_number.as_ref(), iban.as_ref())
    };
    let run = move |tx: &mut Tx<'_>, cx: &Context, command: &UpdateSettings| {
        if !version.is_empty() && fill(&accounts::own(tx, cx)?).version() != version {
            return Err(Error::Changed);
        }
        let account = settings::update(tx, &env, cx.actor.account, command)?;
        if changes_iban {
            mails.to_owner(tx, &account, &changed)?;
        }
        Ok("/settings?done=saved".to_owned())
    };
    page.carry_out_if_valid(form, parsed, validate, run, async |form, status| {
        if !form.is_outdated() {
            return show_with(&page, &form, Vec::new(), status).await;
        }
        let cx = page.context();
        let now =
            fill(&page.app.query(page.who.account.id, move |tx| accounts::own(tx, &cx)).await?);
        let form = form.with(VERSION, now.version());
        // The form omits the country once it can no longer be changed; that is not a difference.
        let mut differences = form.differences(&now);
        differences
            .retain(|(field, ..)| *field != "country" || form.all("country").next().is_some());
        let differences = page.labelled(differences, labels::PARTY);
        show_with(&page, &form, differences, status).await
    })
    .await
}
