//! `/hours?month=`: a month of hours by day, project and category.

use super::category_name;
use crate::{html::Html, page::Authenticated};
use askama::Template;
use axum::response::Response;
use jiff::{ToSpan, civil::Date};
use ledger::hours::Hours;
use service::week::{self, Month};
use store::time::DayHours;
use web_core::problem::Problem;

#[derive(Template)]
#[template(path = "hours/month.html")]
struct View<'a> {
    page: &'a Authenticated,
    month: Month,
}

impl View<'_> {
    fn title(&self) -> String {
        self.page.texts.month(self.month.first)
    }

    fn beside(&self, months: i64) -> String {
        let other = self.month.first.saturating_add(months.months());
        format!("/hours?month={:04}-{:02}", other.year(), other.month())
    }

    fn week(&self) -> String {
        format!("/hours?week={}", i18n::Week::of(self.month.first))
    }

    fn list(&self) -> String {
        format!("/hours/list?from={}&to={}", self.month.first, self.month.first.last_of_month())
    }

    fn both(&self, day: impl std::borrow::Borrow<DayHours>) -> Hours {
        let day = *day.borrow();
        day.project + day.logged
    }

    fn category(&self, name: &str) -> String {
        category_name(self.page, name)
    }

    fn weekday(&self, day: &Date) -> Html {
        self.page.long_date(day)
    }
}

pub(super) async fn show(page: &Authenticated, first: Date) -> Result<Response, Problem> {
    let cx = page.context();
    let month = page.list(move |tx| week::month(tx, &cx, first)).await?;
    page.show(&View { page, month })
}
