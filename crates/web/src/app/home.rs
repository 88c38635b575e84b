//! `/`: for strangers what this is, for those who are signed in what is there.

use crate::{
    app::{page::Page, session::SignedIn},
    problem::Problem,
};
use askama::Template;
use axum::response::Response;
use ledger::{calendar::amsterdam_today, money::Cents};
use service::{
    Actor,
    summary::{self, SummaryView},
};

#[derive(Template)]
#[template(path = "welcome.html")]
struct Welcome<'a> {
    page: &'a Page,
}

impl Welcome<'_> {
    fn money(&self, cents: i64) -> String {
        self.page.texts.money(Cents::new(cents))
    }

    fn amount(&self, cents: i64) -> String {
        self.page.texts.amount(Cents::new(cents))
    }
}

#[derive(Template)]
#[template(path = "home.html")]
struct Home<'a> {
    page: &'a Page,
    who: &'a SignedIn,
    /// As a text: a year has no thousands.
    year: String,
    summary: SummaryView,
    /// Whether the plan includes the API.
    has_api: bool,
}

/// `GET /`
pub(crate) async fn show(page: Page) -> Result<Response, Problem> {
    let Some(who) = page.signed_in() else { return page.show(&Welcome { page: &page }) };
    let (actor, year) = (Actor::owner(&who.account), amsterdam_today(page.app.now()).year());
    let has_api = actor.require_plan(page.app.settings().api_min_plan).is_ok();
    let summary = page.app.read(move |tx| summary::read(tx, &actor, year)).await?;
    page.show(&Home { page: &page, who, year: year.to_string(), summary, has_api })
}
