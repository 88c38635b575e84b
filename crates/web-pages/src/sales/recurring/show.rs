//! `/recurring/{id}`: a recurring invoice with its next occurrences, and those so far.

use super::{deliveries, named, occurrence_state, rhythm, state_of, supply_periods};
use crate::{
    form::Form, id::Id, page::Authenticated, sales::in_cents, submit::SUBMISSION, texts::Phrase,
};
use askama::Template;
use axum::{http::StatusCode, response::Response};
use ledger::{
    decimal::Decimal,
    invoice::{Line, LineAmounts},
    money::Cents,
    schedule::{OccurrenceStatus, PausedBecause, RecurringStatus},
};
use service::recurring::{self, OccurrenceDetails, RecurringDetails};
use store::Tx;
use web_core::problem::Problem;

/// Number of planned occurrences that the page shows.
const PLANNED: usize = 12;

#[derive(Template)]
#[template(path = "sales/recurring.html")]
struct View<'a> {
    page: &'a Authenticated,
    form: Form,
    details: RecurringDetails,
    /// Next planned occurrences.
    planned: Vec<OccurrenceDetails>,
    /// Latest occurrences that were made or skipped, or that wait.
    history: Vec<OccurrenceDetails>,
}

impl View<'_> {
    fn title(&self) -> Phrase<'_> {
        self.page.t("recurring-title").with("customer", &self.details.recurring.customer.name)
    }

    fn state(&self) -> (&'static str, Phrase<'static>) {
        state_of(self.page.texts, &self.details.recurring)
    }

    fn is_active(&self) -> bool {
        self.details.recurring.status == RecurringStatus::Active
    }

    fn is_paused(&self) -> bool {
        self.details.recurring.status == RecurringStatus::Paused
    }

    fn is_ended(&self) -> bool {
        self.details.recurring.status == RecurringStatus::Ended
    }

    /// Reason for an automatic pause.
    fn why_paused(&self) -> Option<String> {
        let recurring = &self.details.recurring;
        let texts = self.page.texts;
        match recurring.paused_because? {
            PausedBecause::Owner => None,
            PausedBecause::Bounced => Some(texts.t("recurring-bounced").to_string()),
            PausedBecause::Refused => {
                let cause = recurring.cause.clone().unwrap_or_default();
                Some(texts.t("recurring-refused").with("cause", &cause).to_string())
            }
        }
    }

    /// Missed occurrences to choose from when resuming.
    fn missed(&self) -> [(&'static str, Phrase<'static>); 2] {
        let texts = self.page.texts;
        [("skip", texts.t("recurring-missed-skip")), ("ask", texts.t("recurring-missed-ask"))]
    }

    fn rhythm(&self) -> String {
        rhythm(self.page.texts, &self.details.recurring)
    }

    fn deliver(&self) -> Option<Phrase<'static>> {
        named(deliveries(self.page.texts), self.details.recurring.deliver.as_str())
    }

    fn supply_period(&self) -> Option<Phrase<'static>> {
        named(supply_periods(self.page.texts), self.details.recurring.supply_period.as_str())
    }

    fn waiting(&self) -> Vec<&OccurrenceDetails> {
        let is_waiting =
            |occurrence: &&OccurrenceDetails| occurrence.status == OccurrenceStatus::Waiting;
        self.history.iter().filter(is_waiting).collect()
    }

    /// Latest occurrences that do not wait.
    fn past(&self) -> Vec<&OccurrenceDetails> {
        let is_past =
            |occurrence: &&OccurrenceDetails| occurrence.status != OccurrenceStatus::Waiting;
        self.history.iter().filter(is_past).collect()
    }

    fn occurrence_state(&self, occurrence: &OccurrenceDetails) -> (&'static str, Phrase<'static>) {
        occurrence_state(self.page.texts, occurrence.status)
    }

    /// Period of supply of an occurrence, as a text.
    fn supply(&self, occurrence: &OccurrenceDetails) -> String {
        let texts = self.page.texts;
        occurrence.supply.map_or_else(String::new, |(first, last)| {
            format!("{} – {}", texts.short_date(first), texts.short_date(last))
        })
    }

    /// Total of the planned occurrences.
    fn planned_total(&self) -> Cents {
        self.planned.iter().filter_map(|occurrence| occurrence.total).sum()
    }

    fn lines(&self) -> impl Iterator<Item = (&Line, &LineAmounts)> {
        let lines = self.details.recurring.content.lines.iter().map(|(line, _)| line);
        lines.zip(&self.details.shown.lines)
    }

    fn price(&self, price: &Decimal) -> String {
        in_cents(price).map_or_else(
            || self.page.texts.number(price.normalize()),
            |cents| self.page.texts.money(cents),
        )
    }
}

/// Shows the page of a recurring invoice, with the faults of a form on it.
pub(super) async fn show_with(
    page: &Authenticated,
    id: i64,
    form: Form,
    status: StatusCode,
) -> Result<Response, Problem> {
    let cx = page.context();
    let read = move |tx: &mut Tx<'_>| {
        let details = recurring::read(tx, &cx, id)?;
        let planned = recurring::upcoming(tx, &cx, id, PLANNED)?;
        Ok((details, planned, recurring::history(tx, &cx, id)?))
    };
    let (details, planned, history) = page.app.query(page.who.account.id, read).await?;
    page.show_as(status, &View { page, form, details, planned, history })
}

/// `GET /recurring/{id}`
pub(super) async fn show(page: Authenticated, Id(id): Id) -> Result<Response, Problem> {
    let form = Form::of([(SUBMISSION, page.new_submission()?)]);
    show_with(&page, id, form, StatusCode::OK).await
}
