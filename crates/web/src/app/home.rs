//! `/`: for strangers what this is, for those who are signed in what is there.

use crate::{
    app::{page::Page, session::SignedIn},
    problem::Problem,
};
use askama::Template;
use axum::response::Response;
use ledger::money::Cents;

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
}

/// `GET /`
pub(crate) async fn show(page: Page) -> Result<Response, Problem> {
    match page.signed_in() {
        Some(who) => page.show(&Home { page: &page, who }),
        None => page.show(&Welcome { page: &page }),
    }
}
