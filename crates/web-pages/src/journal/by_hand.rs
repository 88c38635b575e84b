//! `/journal/new`: a manual entry, line by line.

use crate::{
    done::Done,
    form::Form,
    frame::lines::{Line, Lines, is_reshaping},
    page::Authenticated,
    submit::SUBMISSION,
};
use askama::Template;
use axum::{http::StatusCode, response::Response};
use ledger::{
    calendar::amsterdam_today,
    chart::is_kept_by_program,
    entry::{Posting, SourceType},
    money::Cents,
};
use service::{
    Context,
    events::{self, NewEvent},
};
use store::Tx;
use web_core::{
    input::{self, new_event, totals_by_hand},
    problem::Problem,
};

/// Form fields of the entry's lines, and the number of lines shown and allowed.
const LINES: Lines = Lines {
    list: "lines",
    fields: &[("account", ""), ("debit", ""), ("credit", "")],
    content: &["account", "debit", "credit"],
    least: 3,
    most: 501,
};

/// Maximum number of lines for which each line has its own choice of all accounts.
const MOST_WITH_CHOICES: usize = 12;

#[derive(Template)]
#[template(path = "journal/by-hand.html")]
struct View<'a> {
    page: &'a Authenticated,
    form: &'a Form,
    lines: Vec<Line>,
    accounts: Vec<(String, String)>,
    debit: Cents,
    credit: Cents,
}

impl View<'_> {
    /// Whether the entry has so many lines that they share one list of accounts.
    fn is_long(&self) -> bool {
        self.lines.len() > MOST_WITH_CHOICES
    }

    /// Whether the request only updates the totals while the user types.
    fn is_live(&self) -> bool {
        self.form.has("live", "true")
    }

    fn difference(&self) -> Cents {
        self.debit - self.credit
    }
}

fn show_with(page: &Authenticated, form: &Form, status: StatusCode) -> Result<Response, Problem> {
    let (debit, credit) = input::unfinished(form.pairs(), page.texts.language, totals_by_hand);
    let choose = (String::new(), page.t("journal-choose-account").to_string());
    let bookable = page.offered_accounts().filter(|code| !is_kept_by_program(*code));
    let accounts = [choose].into_iter().chain(page.account_choices(bookable)).collect();
    page.show_as(status, &View { page, form, lines: LINES.of(form), accounts, debit, credit })
}

/// `GET /journal/new`
pub(super) async fn show(page: Authenticated) -> Result<Response, Problem> {
    let form = Form::of([
        (SUBMISSION, page.new_submission()?),
        ("date", amsterdam_today(page.app.now()).to_string()),
    ]);
    show_with(&page, &LINES.arrange(&page.open("/journal/new", form).await?, ""), StatusCode::OK)
}

/// `POST /journal`
pub(super) async fn send(page: Authenticated, form: Form) -> Result<Response, Problem> {
    let action = form.value("action").to_owned();
    let form = LINES.arrange(&form, &action);
    if is_reshaping(&action) {
        return show_with(&page, &form, StatusCode::OK);
    }
    let parsed = input::form(form.pairs(), page.texts.language, |fields| {
        new_event(fields, SourceType::Manual, None)
    });
    let run = |tx: &mut Tx<'_>, cx: &Context, command: &NewEvent| {
        let made = events::record(tx, cx, command)?.into_inner();
        let entry = made.entries.first().map_or(0, |stored| stored.id);
        let amount = made.postings().iter().map(Posting::debited).sum();
        let undo = Some(format!("/journal/{entry}/reverse"));
        let done = Done {
            code: "entry-made".into(),
            amount: Some(amount),
            entry: Some(entry),
            undo,
            ..Done::default()
        };
        Ok(done.at(&format!("/journal/{entry}")))
    };
    page.carry_out(form, parsed, run, async |form, status| show_with(&page, &form, status)).await
}
