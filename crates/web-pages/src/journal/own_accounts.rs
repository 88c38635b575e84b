//! `POST /journal/accounts`: adding, renaming, hiding and showing an own ledger account.

use super::cards;
use crate::{form::Form, page::Authenticated};
use axum::response::Response;
use ledger::chart::AccountCode;
use service::{
    Context, Error,
    ledger_accounts::{self, EditAccount, NewAccount},
};
use store::Tx;
use web_core::{
    input::{self, edited_ledger_account, new_ledger_account},
    problem::{self, Problem},
};

/// Page to which the forms return.
const PAGE: &str = "/journal/accounts";

/// `POST /journal/accounts`
pub(super) async fn send(page: Authenticated, form: Form) -> Result<Response, Problem> {
    let action = form.value("action").to_owned();
    match action.as_str() {
        "add" => add(page, form).await,
        "rename" | "hide" | "show" => edit(page, form, &action).await,
        _ => Err(problem::unknown_route().await),
    }
}

async fn add(page: Authenticated, form: Form) -> Result<Response, Problem> {
    const OTHERS: [&str; 3] = ["action", "vatDeductible", "chosen"];
    // The page submits `chosen`, because an unticked box is not submitted.
    let deducts = form.has("vatDeductible", "true") || form.value("chosen").is_empty();
    let pairs = form.pairs().filter(|(name, _)| !OTHERS.contains(name));
    let parsed = input::form(pairs, page.texts.language, new_ledger_account);
    let run = move |tx: &mut Tx<'_>, cx: &Context, command: &NewAccount| {
        let command = NewAccount { vat_deductible: deducts, ..command.clone() };
        ledger_accounts::add(tx, cx, &command)?;
        Ok(format!("{PAGE}?done=account-added"))
    };
    page.carry_out(form, parsed, run, async |form, status| {
        cards::show_with(&page, form, status).await
    })
    .await
}

async fn edit(page: Authenticated, form: Form, action: &str) -> Result<Response, Problem> {
    let number = AccountCode::named(form.value("code")).map(AccountCode::get);
    let language = page.texts.language;
    let mut parsed = input::form(
        form.pairs().filter(|(name, _)| action == "rename" && *name == "name"),
        language,
        edited_ledger_account,
    );
    if let Some(command) = &mut parsed.command {
        command.hidden = match action {
            "hide" => Some(true),
            "show" => Some(false),
            _ => None,
        };
    }
    let run = move |tx: &mut Tx<'_>, cx: &Context, command: &EditAccount| {
        let number = number.ok_or(Error::NotFound("ledger account"))?;
        ledger_accounts::edit(tx, cx, number, command, (language, &|_| true))?;
        Ok(format!("{PAGE}?done=account-saved"))
    };
    page.carry_out(form, parsed, run, async |form, status| {
        // The form that adds an account, on the same page, begins with this tick.
        cards::show_with(&page, form.with("vatDeductible", "true"), status).await
    })
    .await
}
