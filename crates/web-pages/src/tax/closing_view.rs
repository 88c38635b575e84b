//! Year-end steps on the page of a year.

use super::year_view::View;
use crate::texts::Phrase;
use ledger::closing_step::ClosingStep;
use service::closing_steps::{RowSource, Step, StepRow, StepStatus, StepWarning, Why};
use std::borrow::Borrow;

impl View<'_> {
    pub(super) fn step_name(&self, step: impl Borrow<ClosingStep>) -> Phrase<'static> {
        let texts = self.page.texts;
        match step.borrow() {
            ClosingStep::BankLines => texts.t("closing-bank-lines"),
            ClosingStep::Receipts => texts.t("closing-receipts"),
            ClosingStep::Depreciation => texts.t("closing-depreciation"),
            ClosingStep::CutOff => texts.t("closing-cut-off"),
            ClosingStep::GoodsPrivateUse => texts.t("closing-goods-private-use"),
            ClosingStep::CarPrivateUse => texts.t("closing-car-private-use"),
            ClosingStep::Gifts => texts.t("closing-gifts"),
            ClosingStep::VatRevision => texts.t("closing-vat-revision"),
            ClosingStep::LastReturn => texts.t("closing-last-return"),
            ClosingStep::Close => texts.t("closing-close"),
        }
    }

    pub(super) fn step_status(&self, status: &StepStatus) -> Phrase<'static> {
        let texts = self.page.texts;
        match status {
            StepStatus::ToDo => texts.t("closing-to-do"),
            StepStatus::Done => texts.t("closing-done"),
            StepStatus::NotApplicable => texts.t("closing-not-applicable"),
            StepStatus::Blocked => texts.t("closing-blocked"),
        }
    }

    pub(super) fn step_icon(&self, status: &StepStatus) -> &'static str {
        match status {
            StepStatus::ToDo => "warn",
            StepStatus::Done => "good",
            StepStatus::NotApplicable | StepStatus::Blocked => "info",
        }
    }

    /// Path of the separate page on which a step can be done, if the step has one and is not done
    /// yet.
    pub(super) fn step_page(&self, step: &Step) -> Option<String> {
        let path = match step.step {
            ClosingStep::BankLines => format!("/bank-lines?state=new&to={}", self.last_day()),
            ClosingStep::Receipts => "/receipts".to_owned(),
            ClosingStep::CarPrivateUse => "/private-use".to_owned(),
            ClosingStep::VatRevision => format!("/vat-revisions/{}", self.now.year),
            ClosingStep::LastReturn => {
                let units = &self.page.context().actor.vat_units;
                super::path_of(units.period_of(self.last_day()))
            }
            _ => return None,
        };
        (step.status == StepStatus::ToDo).then_some(path)
    }

    /// Whether a step has a button to carry it out.
    pub(super) fn can_do(&self, step: &Step) -> bool {
        let has_rows = step.rows.iter().any(|row| !row.amount.is_zero());
        step.status != StepStatus::Blocked
            && !self.state.is_closed
            && match step.step {
                ClosingStep::Depreciation | ClosingStep::CutOff | ClosingStep::VatRevision => {
                    has_rows
                }
                ClosingStep::Close => step.status == StepStatus::ToDo,
                _ => false,
            }
    }

    /// Whether a step has a button to undo it.
    pub(super) fn can_undo(&self, step: &Step) -> bool {
        step.has_booked() && (!self.state.is_closed || step.step == ClosingStep::Close)
    }

    pub(super) fn row_why(&self, row: &StepRow) -> String {
        let texts = self.page.texts;
        match &row.why {
            Why::InvoicedLater { supplied, invoiced } => {
                let (first, last) = (texts.date(supplied.0), texts.date(supplied.1));
                let invoiced = texts.date(*invoiced);
                texts
                    .t("closing-why-invoiced-later")
                    .with("first", &first)
                    .with("last", &last)
                    .with("invoiced", &invoiced)
                    .into()
            }
            Why::Hours { hours } => {
                texts.t("closing-why-hours").with("hours", &texts.hours(*hours)).into()
            }
            Why::Period { period } => {
                let (first, last) = (texts.date(period.0), texts.date(period.1));
                texts.t("closing-why-period").with("first", &first).with("last", &last).into()
            }
            Why::SourceChanged => texts.t("closing-why-source-changed").into(),
            Why::Depreciation { until } => {
                texts.t("closing-why-depreciation").with("day", &texts.date(*until)).into()
            }
            Why::PrivateUse => texts.t("closing-why-private-use").into(),
            Why::VatRevision => texts.t("closing-why-vat-revision").into(),
        }
    }

    /// Path of the page for the resource from which a row is derived, if there is such a page.
    pub(super) fn row_page(&self, row: &StepRow) -> Option<String> {
        let (source, id) = row.source?;
        let (list, path) = match source {
            RowSource::Invoice => ("/invoices", format!("/invoices/{id}")),
            RowSource::Project => ("/projects", format!("/projects/{id}")),
            RowSource::Expense => ("/expenses", format!("/expenses/{id}")),
            RowSource::Asset => ("/assets", format!("/assets/{id}")),
            RowSource::PrivateUse => return None,
        };
        self.page.leads_to(list).then_some(path)
    }

    pub(super) fn step_warning(&self, warning: &StepWarning) -> String {
        let texts = self.page.texts;
        match warning {
            StepWarning::StepsRemaining(steps) => {
                let names: Vec<String> =
                    steps.iter().map(|step| self.step_name(*step).to_string()).collect();
                let names = names.join(", ");
                if self.state.is_closed {
                    texts.t("closing-warning-left-closed").with("steps", &names).into()
                } else {
                    texts.t("closing-warning-left").with("steps", &names).into()
                }
            }
            StepWarning::GiftsNotChecked(amount) => {
                texts.t("closing-warning-gifts").with("amount", &texts.money(*amount)).into()
            }
            StepWarning::CarWithoutPrivateUse(costs) => {
                texts.t("closing-warning-car").with("amount", &texts.money(*costs)).into()
            }
            StepWarning::ReceiptsWaiting(count) => {
                texts.t("closing-warning-receipts").with("count", count).into()
            }
            StepWarning::BankLinesWaiting(count) => {
                texts.t("closing-warning-bank-lines").with("count", count).into()
            }
            StepWarning::ReturnsOpen(periods) => {
                let names: Vec<String> =
                    periods.iter().map(|period| texts.vat_period(period)).collect();
                texts.t("closing-warning-returns").with("periods", &names.join(", ")).into()
            }
        }
    }
}
