//! `/journal/new`: an entry made by hand, line by line.

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
use jiff::Timestamp;
use ledger::{calendar::amsterdam_today, chart::bookable_by_hand, entry::SourceType, money::Cents};
use service::{
    Actor,
    events::{self, NewEvent},
};
use std::collections::BTreeSet;
use store::Tx;

/// Lines that a new form shows.
const LINES: usize = 3;
/// Lines of a form at the most, one more than an entry can have: the reader says what is wrong then.
const MOST_LINES: usize = 501;
/// The fields of a line.
const FIELDS: [&str; 3] = ["account", "debit", "credit"];

/// The names of the fields of a line.
struct LineFields {
    number: usize,
    place: usize,
    account: String,
    debit: String,
    credit: String,
}

#[derive(Template)]
#[template(path = "journal/by-hand.html")]
struct View<'a> {
    page: &'a Authenticated,
    form: &'a Form,
    lines: Vec<LineFields>,
    accounts: Vec<(String, String)>,
    debit: Cents,
    credit: Cents,
}

impl View<'_> {
    fn difference(&self) -> Cents {
        self.debit - self.credit
    }
}

fn numbers(form: &Form) -> BTreeSet<usize> {
    let number = |(name, _): (&str, &str)| name.strip_prefix("lines.")?.split('.').next()?.parse().ok();
    form.pairs().filter_map(number).collect()
}

/// The form with its lines numbered from nought, the blank ones last, none of them when `action` removes it, and one more to add.
fn arrange(form: &Form, action: &str) -> Form {
    let removed: Option<usize> = action.strip_prefix("removeLine.").and_then(|number| number.parse().ok());
    let field = |number: usize, name: &str| form.value(&format!("lines.{number}.{name}")).to_owned();
    let kept = numbers(form).into_iter().filter(|number| Some(*number) != removed).take(MOST_LINES);
    let (filled, blank): (Vec<usize>, Vec<usize>) =
        kept.partition(|number| FIELDS.iter().any(|name| !field(*number, name).is_empty()));
    let mut pairs: Vec<(String, String)> = form
        .pairs()
        .filter(|(name, _)| !name.starts_with("lines."))
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .collect();
    let mut next = 0;
    for number in filled.into_iter().chain(blank) {
        pairs.extend(FIELDS.map(|name| (format!("lines.{next}.{name}"), field(number, name))));
        next += 1;
    }
    let wanted = if action == "addLine" { next + 1 } else { next.max(LINES) };
    for number in next..wanted {
        pairs.extend(FIELDS.map(|name| (format!("lines.{number}.{name}"), String::new())));
    }
    Form::of(pairs)
}

fn show_with(page: &Authenticated, form: &Form, status: StatusCode) -> Result<Response, Problem> {
    let numbers = numbers(form);
    let read = |number: &usize, name: &str| {
        i18n::read_money(form.value(&format!("lines.{number}.{name}")), page.texts.language).unwrap_or_default()
    };
    let sum = |name: &str| {
        numbers.iter().map(|number| read(number, name)).fold(Cents::ZERO, |sum, amount| sum.checked_add(amount).unwrap_or(sum))
    };
    let (debit, credit) = (sum("debit"), sum("credit"));
    let fields = |(place, number): (usize, &usize)| LineFields {
        number: *number,
        place: place + 1,
        account: format!("lines.{number}.account"),
        debit: format!("lines.{number}.debit"),
        credit: format!("lines.{number}.credit"),
    };
    let lines = numbers.iter().enumerate().map(fields).collect();
    let choose = (String::new(), page.t("journal-choose-account").to_string());
    let accounts = bookable_by_hand().map(|account| (account.code.to_string(), account_name(page, account.code)));
    let accounts = [choose].into_iter().chain(accounts).collect();
    page.show_as(status, &View { page, form, lines, accounts, debit, credit })
}

/// `GET /journal/new`
pub(super) async fn show(page: Authenticated) -> Result<Response, Problem> {
    owner(&page)?;
    let form = Form::of([(SUBMISSION, page.new_submission()?), ("date", amsterdam_today(page.app.now()).to_string())]);
    show_with(&page, &arrange(&form, ""), StatusCode::OK)
}

/// `POST /journal`
pub(super) async fn send(page: Authenticated, form: Form) -> Result<Response, Problem> {
    owner(&page)?;
    let action = form.value("action").to_owned();
    let mut form = arrange(&form, &action);
    if action == "addLine" || action == "calculate" || action.starts_with("removeLine.") {
        return show_with(&page, &form, StatusCode::OK);
    }
    let parsed = input::form(form.pairs(), page.texts.language, |fields| new_event(fields, SourceType::Manual, None));
    let run = |tx: &mut Tx<'_>, actor: &Actor, now: Timestamp, command: &NewEvent| {
        let made = events::record(tx, actor, now, command)?.into_inner();
        let entry = made.entries.first().map_or(0, |stored| stored.id);
        Ok(format!("/journal/{entry}?done=entry-made"))
    };
    match page.submit(&mut form, parsed, |_, _, ()| Ok(Vec::new()), run).await? {
        Submitted::Done(response) => Ok(response),
        _ => show_with(&page, &form, StatusCode::UNPROCESSABLE_ENTITY),
    }
}
