//! `/settings/reminders`: whether reminders fall due or are sent automatically, and their steps.

use crate::{
    form::Form,
    labels,
    page::Authenticated,
    submit::{Difference, SUBMISSION, VERSION},
};
use askama::Template;
use axum::{http::StatusCode, response::Response};
use ledger::reminder::{MOST_STEPS, ReminderPlan};
use service::{Context, Error, reminders};
use store::Tx;
use web_core::{
    input::{self, reminder_plan},
    problem::Problem,
};

#[derive(Template)]
#[template(path = "settings/reminders.html")]
struct View<'a> {
    page: &'a Authenticated,
    form: &'a Form,
    /// Edit conflicts: the submitted and the stored value of each field that differs.
    differences: Vec<Difference>,
}

impl View<'_> {
    /// Places of the steps in the form, each with its label.
    fn steps(&self) -> Vec<(usize, String)> {
        let label = |place: usize| {
            let number = (place + 1).to_string();
            self.page.t("reminders-step").with("n", &number).to_string()
        };
        (0..MOST_STEPS).map(|place| (place, label(place))).collect()
    }
}

fn fill(plan: &ReminderPlan) -> Form {
    let steps = |name: &str, steps: &[i64]| -> Vec<(String, String)> {
        let value = |place: usize| steps.get(place).map_or_else(String::new, i64::to_string);
        (0..MOST_STEPS).map(|place| (format!("{name}.{place}.days"), value(place))).collect()
    };
    let plain = [
        ("mode".to_owned(), plan.mode.as_str().to_owned()),
        ("minimumDays".to_owned(), plan.minimum_days.to_string()),
    ];
    let lists = steps("business", &plan.business).into_iter();
    Form::of(plain.into_iter().chain(lists).chain(steps("consumer", &plan.consumer)))
}

async fn stored(page: &Authenticated) -> Result<Form, Problem> {
    let cx = page.context();
    let plan = page.app.query(page.who.account.id, move |tx| reminders::settings(tx, &cx)).await?;
    Ok(fill(&plan))
}

/// `GET /settings/reminders`
pub(crate) async fn show(page: Authenticated) -> Result<Response, Problem> {
    let filled = stored(&page).await?;
    let version = filled.version();
    let form = filled.with(VERSION, version).with(SUBMISSION, page.new_submission()?);
    page.show_as(StatusCode::OK, &View { page: &page, form: &form, differences: Vec::new() })
}

/// `POST /settings/reminders`
pub(crate) async fn send(page: Authenticated, form: Form) -> Result<Response, Problem> {
    let parsed = input::form(form.pairs(), page.texts.language, reminder_plan);
    let version = form.raw(VERSION).to_owned();
    let run = move |tx: &mut Tx<'_>, cx: &Context, command: &ReminderPlan| {
        let is_seen = fill(&reminders::settings(tx, cx)?).version() == version;
        if !version.is_empty() && !is_seen {
            return Err(Error::Changed);
        }
        reminders::update_settings(tx, cx, command)?;
        Ok("/settings/reminders?done=saved".to_owned())
    };
    page.carry_out(form, parsed, run, async |form, status| {
        if !form.is_outdated() {
            let view = View { page: &page, form: &form, differences: Vec::new() };
            return page.show_as(status, &view);
        }
        let now = stored(&page).await?;
        let form = form.with(VERSION, now.version());
        let differences = page.labelled(form.differences(&now), labels::REMINDER_SETTINGS);
        page.show_as(status, &View { page: &page, form: &form, differences })
    })
    .await
}
