//! `/recurring`: all recurring invoices, by state.

use super::{rhythm, state_of};
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
use ledger::schedule::RecurringStatus;
use service::recurring::{self, RecurringTable};
use store::{
    Tx,
    recurring::{Recurring, RecurringColumn, RecurringFilter},
};
use web_core::problem::Problem;

const COLUMNS: [&str; 12] = [
    "id",
    "status",
    "customer",
    "country",
    "everyUnit",
    "everyCount",
    "firstDate",
    "nextDate",
    "deliver",
    "subtotal",
    "total",
    "reference",
];

#[derive(Template)]
#[template(path = "sales/recurring-list.html")]
struct View<'a> {
    page: &'a Authenticated,
    list: ListState,
    pager: Pager,
    table: RecurringTable,
}

impl View<'_> {
    fn all(&self) -> i64 {
        self.table.counts.values().sum()
    }

    /// Tabs: URL, name, count, whether selected.
    fn tabs(&self) -> Vec<(String, Phrase<'static>, i64, bool)> {
        let texts = self.page.texts;
        let names = [
            ("", texts.t("recurring-all"), self.all()),
            ("active", texts.t("recurring-state-active"), self.count(RecurringStatus::Active)),
            ("paused", texts.t("recurring-state-paused"), self.count(RecurringStatus::Paused)),
            ("ended", texts.t("recurring-state-ended"), self.count(RecurringStatus::Ended)),
        ];
        names
            .into_iter()
            .map(|(state, name, count)| {
                let address = if state.is_empty() {
                    "/recurring".to_owned()
                } else {
                    format!("/recurring?state={state}")
                };
                (address, name, count, self.list.has("state", state))
            })
            .collect()
    }

    fn count(&self, status: RecurringStatus) -> i64 {
        self.table.counts.get(&status).copied().unwrap_or(0)
    }

    fn state(&self, recurring: &Recurring) -> (&'static str, Phrase<'static>) {
        state_of(self.page.texts, recurring)
    }

    fn rhythm(&self, recurring: &Recurring) -> String {
        rhythm(self.page.texts, recurring)
    }
}

fn filter(page: &Authenticated, list: &ListState) -> RecurringFilter {
    let text: String =
        list.value("q").trim().chars().filter(|c| !c.is_control()).take(255).collect();
    RecurringFilter {
        status: RecurringStatus::parse(list.value("state")),
        contact_id: list.value("contactId").parse().ok(),
        amount: i18n::read_money(&text, page.texts.language).ok(),
        text: Some(text).filter(|text| !text.is_empty()),
        ..RecurringFilter::default()
    }
}

fn order(list: &ListState) -> (RecurringColumn, bool) {
    let (column, down) = list.order();
    let column = match column {
        "customer" => RecurringColumn::Customer,
        "total" => RecurringColumn::Total,
        _ => RecurringColumn::Next,
    };
    (column, down)
}

/// `GET /recurring`
pub(super) async fn show(page: Authenticated) -> Result<Response, Problem> {
    let cx = page.context();
    let list = ListState::of(&page, "next");
    let (filter, order) = (filter(&page, &list), order(&list));
    let rows =
        (i64::try_from(list.offset()).unwrap_or(i64::MAX), i64::try_from(ROWS).unwrap_or(i64::MAX));
    let read = move |tx: &mut Tx<'_>| recurring::table(tx, &cx, &filter, order, rows);
    let table = page.list(read).await?;
    let pager = list.pager(usize::try_from(table.count).unwrap_or(0));
    page.show(&View { page: &page, list, pager, table })
}

/// `GET /recurring.csv`, `GET /recurring.xlsx`: the filtered list as a spreadsheet.
pub(super) async fn download(page: Authenticated) -> Result<Response, Problem> {
    let cx = page.context();
    let list = ListState::of(&page, "next");
    let (filter, order) = (filter(&page, &list), order(&list));
    let read = move |tx: &mut Tx<'_>| recurring::table(tx, &cx, &filter, order, (0, MOST_ROWS));
    let table = page.list(read).await?;
    let file = Download::begin(page.format(), "recurring", &COLUMNS)?;
    file.answer(&page, table.rows, move |file, recurring| {
        file.row([
            Cell::number(recurring.id),
            Cell::Text(recurring.status.as_str()),
            Cell::Text(&recurring.customer.name),
            Cell::Text(recurring.customer.country.as_str()),
            Cell::Text(recurring.every_unit.as_str()),
            Cell::number(recurring.every_count),
            Cell::Day(recurring.first_date),
            recurring.next_date.map_or(Cell::Empty, Cell::Day),
            Cell::Text(recurring.deliver.as_str()),
            Cell::number(recurring.subtotal),
            Cell::number(recurring.total),
            Cell::text(recurring.reference.as_deref()),
        ])
    })
    .await
}
