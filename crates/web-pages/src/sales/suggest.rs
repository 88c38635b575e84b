//! `/contacts/suggest` and `/articles/suggest`: what matches a text that is being typed, as a list.

use super::{
    choices::{self, Suggestion},
    in_cents,
};
use crate::{html::Html, page::Authenticated};
use askama::Template;
use axum::response::Response;
use ledger::{calendar::amsterdam_today, decimal::Decimal, invoice::Prices, language::Language};
use service::contact_edits;
use store::{Tx, contacts::Contact};
use web_core::problem::Problem;

#[derive(Template)]
#[template(path = "sales/suggested-contacts.html")]
struct Contacts {
    contacts: Vec<Contact>,
}

#[derive(Template)]
#[template(path = "sales/suggested-articles.html")]
struct Articles<'a> {
    page: &'a Authenticated,
    suggestions: Vec<Suggestion>,
}

impl Articles<'_> {
    fn price(&self, price: &Decimal) -> Html {
        in_cents(price).map_or_else(|| self.page.number(price), |cents| self.page.money(cents))
    }

    /// Unit as a field shows it.
    fn unit(&self, unit: &str) -> String {
        self.page.texts.unit(unit, Decimal::ONE)
    }

    /// Price as a field shows it.
    fn typed(&self, price: &Decimal) -> String {
        self.page.texts.number_field(*price)
    }
}

/// Text that is being typed.
fn text(page: &Authenticated) -> String {
    let text = page.query("q").unwrap_or_default();
    text.chars().filter(|c| !c.is_control()).take(255).collect()
}

/// `GET /contacts/suggest`: active contacts whose name or email address contains `q`.
pub(super) async fn contacts(page: Authenticated) -> Result<Response, Problem> {
    let (cx, text) = (page.context(), text(&page));
    let find = move |tx: &mut Tx<'_>| contact_edits::suggest(tx, &cx, &text);
    let contacts = page.app.query(page.who.account.id, find).await?;
    page.show(&Contacts { contacts })
}

/// `GET /articles/suggest`: active articles that match `q`, with the text, the unit and the price that a
/// line for the contact `contactId` has, in the `language` of the document if it is chosen;
/// `gross=true` on an invoice whose prices include VAT.
pub(super) async fn articles(page: Authenticated) -> Result<Response, Problem> {
    let (cx, text) = (page.context(), text(&page));
    let contact = page.query("contactId").and_then(|id| id.parse().ok());
    let is_gross = page.query("gross").is_some_and(|gross| gross == "true");
    let prices = if is_gross { Prices::Gross } else { Prices::Net };
    let on = amsterdam_today(page.app.now());
    let language = page.query("language").and_then(|language| Language::parse(&language));
    let find = move |tx: &mut Tx<'_>| {
        choices::suggestions(tx, &cx, &text, (contact, language), (prices, on))
    };
    let suggestions = page.app.query(page.who.account.id, find).await?;
    page.show(&Articles { page: &page, suggestions })
}
