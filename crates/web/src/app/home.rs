//! `/`: for strangers what this is, for those who are signed in what is there.

use crate::{
    app::{page::Page, session::SignedIn, texts::Phrase},
    problem::Problem,
};
use askama::Template;
use axum::response::Response;
use ledger::{calendar::amsterdam_today, money::Cents};
use service::{
    Actor,
    summary::{self, SummaryView},
};
use store::accounts::Plan;

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
}

impl Home<'_> {
    fn plan(&self) -> Phrase<'static> {
        let texts = self.page.texts;
        match self.who.account.plan {
            Plan::Free => texts.t("plan-free"),
            Plan::Starter => texts.t("plan-starter"),
            Plan::Pro => texts.t("plan-pro"),
        }
    }
}

/// `GET /`
pub(crate) async fn show(page: Page) -> Result<Response, Problem> {
    let Some(who) = page.signed_in() else { return page.show(&Welcome { page: &page }) };
    let (actor, year) = (Actor::owner(&who.account), amsterdam_today(page.app.now()).year());
    let summary = page.app.read(move |tx| summary::read(tx, &actor, year)).await?;
    page.show(&Home { page: &page, who, year: year.to_string(), summary })
}
