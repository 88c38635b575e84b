//! `/journal/opening`: what stands on the accounts when the books begin.

use super::{account_name, owner};
use crate::{
    input::{self, new_event},
    pages::{
        form::Form,
        page::Authenticated,
        submit::{SUBMISSION, Submitted},
    },
    problem::Problem,
};
use askama::Template;
use axum::{http::StatusCode, response::Response};
use jiff::{Timestamp, civil::date};
use ledger::{
    calendar::amsterdam_today,
    chart::{AccountCode, Class, bookable_by_hand, codes},
    entry::SourceType,
    summary::begins_at_nought,
};
use service::{
    Actor,
    events::{self, EventDetails, NewEvent},
};
use store::Tx;

/// The names of the fields of an account.
struct AccountFields {
    code: AccountCode,
    name: String,
    account: String,
    amount: String,
}

#[derive(Template)]
#[template(path = "journal/opening.html")]
struct View<'a> {
    page: &'a Authenticated,
    form: &'a Form,
    accounts: Vec<AccountFields>,
    /// The one that the books have.
    existing: Option<EventDetails>,
}

impl View<'_> {
    fn account(&self, code: AccountCode) -> String {
        account_name(self.page, code)
    }
}

/// The accounts that can have a balance when the books begin: those of the balance sheet that the program does not keep, without the equity,
/// which follows from the others.
fn accounts() -> impl Iterator<Item = AccountCode> {
    let stands = |class| matches!(class, Class::Asset | Class::Liability | Class::Equity);
    bookable_by_hand()
        .filter(move |account| stands(account.class) && account.code != codes::EQUITY && !begins_at_nought(account.code))
        .map(|account| account.code)
}

async fn show_with(page: &Authenticated, form: &Form, status: StatusCode) -> Result<Response, Problem> {
    let actor = owner(page)?;
    let existing = page.app.read(move |tx| events::opening(tx, &actor)).await?;
    let fields = |(place, code): (usize, AccountCode)| AccountFields {
        code,
        name: account_name(page, code),
        account: format!("balances.{place}.account"),
        amount: format!("balances.{place}.amount"),
    };
    let accounts = accounts().enumerate().map(fields).collect();
    page.show_as(status, &View { page, form, accounts, existing })
}

/// `GET /journal/opening`
pub(super) async fn show(page: Authenticated) -> Result<Response, Problem> {
    let first = date(amsterdam_today(page.app.now()).year(), 1, 1);
    let form = Form::of([(SUBMISSION, page.new_submission()?), ("date", first.to_string())]);
    show_with(&page, &form, StatusCode::OK).await
}

/// `POST /journal/opening`
pub(super) async fn send(page: Authenticated, mut form: Form) -> Result<Response, Problem> {
    owner(&page)?;
    // An account without an amount is no line.
    let is_blank = |name: &str| {
        let place = name.strip_prefix("balances.").and_then(|rest| rest.split('.').next());
        place.is_some_and(|place| form.value(&format!("balances.{place}.amount")).is_empty())
    };
    let filled: Vec<(&str, &str)> = form.pairs().filter(|(name, _)| !is_blank(name)).collect();
    let parsed = input::form(filled, page.texts.language, |fields| new_event(fields, SourceType::OpeningBalance, None));
    let run = |tx: &mut Tx<'_>, actor: &Actor, now: Timestamp, command: &NewEvent| {
        let made = events::record(tx, actor, now, command)?.into_inner();
        let entry = made.entries.first().map_or(0, |stored| stored.id);
        Ok(format!("/journal/{entry}?done=entry-made"))
    };
    match page.submit(&mut form, parsed, |_, _, ()| Ok(Vec::new()), run).await? {
        Submitted::Done(response) => Ok(response),
        _ => show_with(&page, &form, StatusCode::UNPROCESSABLE_ENTITY).await,
    }
}
