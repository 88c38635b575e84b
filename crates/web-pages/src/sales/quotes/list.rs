//! `/quotes`: all quotes, by state.

use super::show::state_of;
use crate::{
    frame::{
        download::{Cell, Download, MOST_ROWS},
        list::{ListState, Pager, ROWS},
    },
    page::Authenticated,
    texts::Phrase,
};
use askama::Template;
use axum::response::Response;
use ledger::quote::QuoteStatus;
use service::quotes::{self, QuoteTable};
use store::{
    Tx,
    quotes::{Quote, QuoteColumn, QuoteFilter},
};
use web_core::problem::Problem;

const COLUMNS: [&str; 9] = [
    "number",
    "status",
    "customer",
    "country",
    "quoteDate",
    "validUntil",
    "subtotal",
    "total",
    "reference",
];

#[derive(Template)]
#[template(path = "sales/quotes.html")]
struct View<'a> {
    page: &'a Authenticated,
    list: ListState,
    pager: Pager,
    table: QuoteTable,
}

impl View<'_> {
    fn all(&self) -> i64 {
        self.table.counts.values().sum()
    }

    /// Tabs: URL, name, count, whether selected.
    fn tabs(&self) -> Vec<(String, Phrase<'static>, i64, bool)> {
        let all = ("", self.page.t("quotes-all"), self.all());
        let of_state = QuoteStatus::ALL.iter().map(|status| {
            let count = self.table.counts.get(status).copied().unwrap_or(0);
            (status.as_str(), state_of(self.page, *status).1, count)
        });
        std::iter::once(all)
            .chain(of_state)
            .map(|(state, name, count)| {
                let address = if state.is_empty() {
                    "/quotes".to_owned()
                } else {
                    format!("/quotes?state={state}")
                };
                (address, name, count, self.list.has("state", state))
            })
            .collect()
    }

    fn state(&self, quote: &Quote) -> (&'static str, Phrase<'static>) {
        state_of(self.page, quote.status_on(self.table.today))
    }
}

fn filter(page: &Authenticated, list: &ListState) -> QuoteFilter {
    let text: String =
        list.value("q").trim().chars().filter(|c| !c.is_control()).take(255).collect();
    QuoteFilter {
        status: QuoteStatus::parse(list.value("state")),
        contact_id: list.value("contactId").parse().ok(),
        amount: i18n::read_money(&text, page.texts.language).ok(),
        text: Some(text).filter(|text| !text.is_empty()),
        ..QuoteFilter::default()
    }
}

fn order(list: &ListState) -> (QuoteColumn, bool) {
    let (column, down) = list.order();
    let column = match column {
        "number" => QuoteColumn::Number,
        "customer" => QuoteColumn::Customer,
        "validUntil" => QuoteColumn::ValidUntil,
        "total" => QuoteColumn::Total,
        _ => QuoteColumn::Date,
    };
    (column, down)
}

/// `GET /quotes`
pub(super) async fn show(page: Authenticated) -> Result<Response, Problem> {
    let cx = page.context();
    let list = ListState::of(&page, "-date");
    let (filter, order) = (filter(&page, &list), order(&list));
    let rows =
        (i64::try_from(list.offset()).unwrap_or(i64::MAX), i64::try_from(ROWS).unwrap_or(i64::MAX));
    let read = move |tx: &mut Tx<'_>| quotes::table(tx, &cx, &filter, order, rows);
    let table = page.list(read).await?;
    let pager = list.pager(usize::try_from(table.sums.0).unwrap_or(0));
    page.show(&View { page: &page, list, pager, table })
}

/// `GET /quotes.csv`, `GET /quotes.xlsx`: the filtered list as a spreadsheet.
pub(super) async fn download(page: Authenticated) -> Result<Response, Problem> {
    let cx = page.context();
    let today = cx.today();
    let list = ListState::of(&page, "-date");
    let (filter, order) = (filter(&page, &list), order(&list));
    let read = move |tx: &mut Tx<'_>| quotes::table(tx, &cx, &filter, order, (0, MOST_ROWS));
    let table = page.list(read).await?;
    let file = Download::begin(page.format(), "quotes", &COLUMNS)?;
    file.answer(&page, table.rows, move |file, quote| {
        file.row([
            Cell::Text(&quote.number),
            Cell::Text(quote.status_on(today).as_str()),
            Cell::Text(&quote.customer.name),
            Cell::Text(quote.customer.country.as_str()),
            Cell::Day(quote.quote_date),
            Cell::Day(quote.valid_until),
            Cell::number(quote.subtotal),
            Cell::number(quote.total),
            Cell::text(quote.reference.as_deref()),
        ])
    })
    .await
}
