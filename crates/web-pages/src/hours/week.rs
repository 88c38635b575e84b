//! `/hours`: the week as an editable grid, saved in one command; `?month=` shows the month instead.

use super::{
    choices, month,
    week_form::{self, Row},
};
use crate::{
    form::Form,
    frame::charts::{self, Fill},
    html::Html,
    page::Authenticated,
    submit::{Difference, SUBMISSION, VERSION},
};
use askama::Template;
use axum::{http::StatusCode, response::Response};
use i18n::Week as Weeks;
use jiff::{Timestamp, civil::Date};
use ledger::{calendar::amsterdam_today, hours::Hours, money::Cents};
use service::{
    Context,
    invoicing::{to_invoice, worth},
    timer::elapsed,
    week::{self, Week, Work, WriteWeek},
};
use store::{Tx, timers::Timer};
use web_core::{
    input::{self, written_week},
    problem::Problem,
};

#[derive(Template)]
#[template(path = "hours/week.html")]
struct View<'a> {
    page: &'a Authenticated,
    form: &'a Form,
    /// Form that starts or stops the timer.
    timer_form: &'a Form,
    number: Weeks,
    week: Week,
    rows: Vec<Row>,
    days: Vec<Date>,
    today: Date,
    now: Timestamp,
    differences: Vec<Difference>,
    extra: String,
}

impl View<'_> {
    fn day_sum(&self, place: &usize) -> Hours {
        self.week.rows.iter().filter_map(|row| row.cells.get(*place)).map(|cell| cell.hours).sum()
    }

    fn billable(&self) -> Hours {
        let projects = self.week.rows.iter().filter(|row| matches!(row.work, Work::Project(_)));
        projects.map(week::WeekRow::total).sum()
    }

    fn total(&self) -> Hours {
        self.week.rows.iter().map(week::WeekRow::total).sum()
    }

    /// Uninvoiced hours of active projects, and the amount to invoice. Hours on projects without a
    /// rate add nothing to the amount.
    fn to_invoice(&self) -> (Hours, Cents) {
        let open = self.week.projects.iter().map(|row| &row.project);
        open.fold((Hours::new(0), Cents::ZERO), |(hours, amount), project| {
            let remaining = to_invoice(project);
            (
                hours + remaining,
                amount + worth(remaining, project.hourly_rate).unwrap_or(Cents::ZERO),
            )
        })
    }

    fn criterion_meter(&self) -> Html {
        let criterion = &self.week.criterion;
        charts::meter(&[(criterion.total.get(), Fill::Solid)], criterion.required.get(), None)
    }

    fn others(&self) -> Vec<(String, String)> {
        choices(&self.week.others).collect()
    }

    /// Projects as choices for the timer; a Dutch account can also choose none.
    fn works(&self) -> Vec<(String, String)> {
        let projects = choices(&self.week.projects);
        if self.is_dutch() {
            [(String::new(), self.page.t("timer-no-project").to_string())]
                .into_iter()
                .chain(projects)
                .collect()
        } else {
            projects.collect()
        }
    }

    fn is_weekend(&self, place: &usize) -> bool {
        *place > 4
    }

    fn is_dutch(&self) -> bool {
        self.page.who.account.country.is_dutch()
    }

    fn ran(&self, timer: &Timer) -> Hours {
        elapsed(timer, self.now)
    }

    fn timer_work(&self, timer: &Timer) -> String {
        super::timer_name(self.page, timer, &self.week.projects)
    }

    /// Path of the page.
    fn place(&self) -> String {
        place(self.number)
    }

    fn previous_number(&self) -> i64 {
        self.number.previous().number().into()
    }
}

/// Projects named in the URL. They get a row even if they have no hours in the week.
pub(super) fn extra_of(text: &str) -> Vec<i64> {
    text.split(',').filter_map(|id| id.trim().parse().ok()).take(100).collect()
}

pub(super) struct Shown<'f> {
    pub(super) form: Option<Form>,
    pub(super) timer_form: Option<&'f Form>,
    pub(super) differences: Vec<Difference>,
    pub(super) status: StatusCode,
}

impl Default for Shown<'_> {
    fn default() -> Self {
        Self { form: None, timer_form: None, differences: Vec::new(), status: StatusCode::OK }
    }
}

async fn read(page: &Authenticated, number: Weeks, extra: &[i64]) -> Result<Week, Problem> {
    let (cx, monday, extra) =
        (page.context(), number.day(jiff::civil::Weekday::Monday), extra.to_vec());
    Ok(page.app.query(page.who.account.id, move |tx| week::read(tx, &cx, monday, &extra)).await?)
}

/// Renders the page for a week, with the stored hours unless a form is given.
pub(super) async fn show_with(
    page: &Authenticated,
    number: Weeks,
    extra: &str,
    shown: Shown<'_>,
) -> Result<Response, Problem> {
    let mut week = read(page, number, &extra_of(extra)).await?;
    let days: Vec<Date> = number.days().collect();
    let (form, extra) = match shown.form {
        Some(form) => (form, extra.to_owned()),
        None => {
            let fresh = week_form::fill(page, &week)
                .with(VERSION, week_form::version(&week))
                .with(SUBMISSION, page.new_submission()?);
            let opened = page.open(&place(number), fresh).await?;
            if opened.is_resumed() {
                // The rows may have another order by now.
                let extra = opened.value("projects").to_owned();
                week = read(page, number, &extra_of(&extra)).await?;
                (week_form::resumed(page, &opened, &week, &days), extra)
            } else {
                (opened, extra.to_owned())
            }
        }
    };
    let now = page.app.now();
    let blank = Form::default();
    let view = View {
        page,
        timer_form: shown.timer_form.unwrap_or(&blank),
        number,
        rows: week_form::rows(page, &week, &days),
        week,
        days,
        today: amsterdam_today(now),
        now,
        differences: shown.differences,
        extra,
        form: &form,
    };
    page.show_as(shown.status, &view)
}

/// Path of the page of a week.
fn place(number: Weeks) -> String {
    format!("/hours?week={number}")
}

/// Week in the URL; by default the current one.
pub(super) fn week_of(page: &Authenticated, text: &str) -> Weeks {
    i18n::read_week(text).unwrap_or_else(|_| Weeks::of(amsterdam_today(page.app.now())))
}

/// `GET /hours`
pub(super) async fn show(page: Authenticated) -> Result<Response, Problem> {
    if let Some(first) = page.query("month").and_then(|month| i18n::read_month(&month).ok()) {
        return month::show(&page, first).await;
    }
    let number = week_of(&page, &page.query("week").unwrap_or_default());
    let extra = [page.query("projects").unwrap_or_default(), page.query("add").unwrap_or_default()];
    let extra = extra.join(",");
    show_with(&page, number, extra.trim_matches(','), Shown::default()).await
}

/// `POST /hours/week`: `action=copyLastWeek` fills in the previous week's rows and saves nothing.
pub(super) async fn send(page: Authenticated, form: Form) -> Result<Response, Problem> {
    let number = week_of(&page, form.value("week"));
    let monday = number.day(jiff::civil::Weekday::Monday);
    let extra = form.value("projects").to_owned();
    if form.value("action") == "copyLastWeek" {
        let before = read(&page, number.previous(), &extra_of(&extra)).await?;
        let form = week_form::copied(&page, &form, &before);
        return show_with(&page, number, &extra, Shown { form: Some(form), ..Shown::default() })
            .await;
    }
    let parsed =
        input::form(form.pairs(), page.texts.language, |fields| written_week(fields, monday));
    let (version, shown) = (form.raw(VERSION).to_owned(), extra_of(&extra));
    let address = format!("/hours?week={number}");
    let run = move |tx: &mut Tx<'_>, cx: &Context, command: &WriteWeek| {
        let as_seen = |there: &Week| version.is_empty() || week_form::version(there) == version;
        week::write(tx, cx, command, &shown, &as_seen)?;
        Ok(format!("{address}&done=week-saved"))
    };
    page.carry_out(form, parsed, run, async |form, status| {
        if !form.is_outdated() {
            let shown = Shown { form: Some(form), status, ..Shown::default() };
            return show_with(&page, number, &extra, shown).await;
        }
        let there = read(&page, number, &extra_of(&extra)).await?;
        let (form, differences) =
            week_form::beside(&page, &form, &there, &number.days().collect::<Vec<_>>());
        let form = form.with(VERSION, week_form::version(&there));
        let shown = Shown { form: Some(form), differences, status, ..Shown::default() };
        show_with(&page, number, &extra, shown).await
    })
    .await
}
