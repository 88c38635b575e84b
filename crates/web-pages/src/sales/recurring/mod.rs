//! `/recurring`: recurring invoices.

mod actions;
mod form;
mod list;
mod show;

use crate::{
    table::{Group, Page},
    texts::{Phrase, Texts},
};
use jiff::civil::Date;
use ledger::schedule::{OccurrenceStatus, RecurringStatus, RhythmUnit};
use store::recurring::Recurring;

pub(super) fn pages() -> Vec<Page> {
    vec![
        Page::at("/recurring").get(list::show).post(form::create).files(list::download).linked(
            Group::Sales,
            "repeat",
            "t",
            |texts| texts.t("nav-recurring"),
        ),
        Page::at("/recurring/new").get(form::show_new),
        Page::at("/recurring/preview").post(super::preview::recurring).shown_at("/recurring/new"),
        Page::at("/recurring/{id}").get(show::show).post(form::update),
        Page::at("/recurring/{id}/edit").get(form::show_edit),
        Page::at("/recurring/{id}/pause").post(actions::pause),
        Page::at("/recurring/{id}/resume").post(actions::resume),
        Page::at("/recurring/{id}/end").post(actions::end),
        Page::at("/recurring/{id}/occurrences/{n}/make").post(actions::make),
        Page::at("/recurring/{id}/occurrences/{n}/skip").post(actions::skip),
    ]
}

/// Units of a rhythm to choose from.
pub(super) fn units(texts: Texts) -> [(&'static str, Phrase<'static>); 4] {
    [
        ("week", texts.t("recurring-unit-week")),
        ("month", texts.t("recurring-unit-month")),
        ("quarter", texts.t("recurring-unit-quarter")),
        ("year", texts.t("recurring-unit-year")),
    ]
}

/// Results of making an invoice to choose from.
pub(super) fn deliveries(texts: Texts) -> [(&'static str, Phrase<'static>); 3] {
    [
        ("draft", texts.t("recurring-deliver-draft")),
        ("sent", texts.t("recurring-deliver-sent")),
        ("mail", texts.t("recurring-deliver-mail")),
    ]
}

/// Periods of supply to choose from.
pub(super) fn supply_periods(texts: Texts) -> [(&'static str, Phrase<'static>); 4] {
    [
        ("none", texts.t("recurring-supply-none")),
        ("previous", texts.t("recurring-supply-previous")),
        ("current", texts.t("recurring-supply-current")),
        ("next", texts.t("recurring-supply-next")),
    ]
}

/// Name of a choice.
fn named(
    choices: impl IntoIterator<Item = (&'static str, Phrase<'static>)>,
    value: &str,
) -> Option<Phrase<'static>> {
    choices.into_iter().find(|(choice, _)| *choice == value).map(|(_, name)| name)
}

/// Rhythm as a text.
fn rhythm(texts: Texts, recurring: &Recurring) -> String {
    let count = &recurring.every_count;
    let phrase = match recurring.every_unit {
        RhythmUnit::Week => texts.t("recurring-every-week").with("count", count),
        RhythmUnit::Month => texts.t("recurring-every-month").with("count", count),
        RhythmUnit::Quarter => texts.t("recurring-every-quarter").with("count", count),
        RhythmUnit::Year => texts.t("recurring-every-year").with("count", count),
    };
    phrase.to_string()
}

/// Badge of a state: its tone and its text.
fn state_of(texts: Texts, recurring: &Recurring) -> (&'static str, Phrase<'static>) {
    match recurring.status {
        RecurringStatus::Active => ("good", texts.t("recurring-state-active")),
        RecurringStatus::Paused => ("warn", texts.t("recurring-state-paused")),
        RecurringStatus::Ended => ("plain", texts.t("recurring-state-ended")),
    }
}

/// Badge of the state of an occurrence.
fn occurrence_state(texts: Texts, status: OccurrenceStatus) -> (&'static str, Phrase<'static>) {
    match status {
        OccurrenceStatus::Planned => ("", texts.t("occurrence-state-planned")),
        OccurrenceStatus::Made => ("good", texts.t("occurrence-state-made")),
        OccurrenceStatus::Waiting => ("warn", texts.t("occurrence-state-waiting")),
        OccurrenceStatus::Skipped => ("plain", texts.t("occurrence-state-skipped")),
    }
}

/// Day that determines the VAT rates of the lines.
pub(super) fn dated(recurring: &Recurring) -> Date {
    recurring.next_date.unwrap_or(recurring.priced_on)
}
