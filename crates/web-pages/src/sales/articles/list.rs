//! `/articles`: all articles with their prices.

use crate::{
    frame::{
        download::{Cell, Download},
        list::{ListState, Pager, ROWS},
    },
    html::Html,
    page::Authenticated,
    sales::in_cents,
};
use askama::Template;
use axum::response::Response;
use ledger::{
    article::ArticleStatus,
    decimal::{self, Decimal},
    vat::{Exemption, Supply, VatCategory},
};
use service::articles::{self, ArticleTable};
use store::articles::{ArticleColumn, ArticleFilter};
use web_core::problem::Problem;

/// Maximum number of rows in a download.
const MOST_ROWS: i64 = 10_000;
const COLUMNS: [&str; 13] = [
    "number",
    "name",
    "descriptionNl",
    "descriptionEn",
    "unit",
    "unitPrice",
    "pricesIncludeVat",
    "vatRate",
    "vatCategory",
    "supply",
    "exemption",
    "externalId",
    "status",
];

#[derive(Template)]
#[template(path = "sales/articles.html")]
struct View<'a> {
    page: &'a Authenticated,
    list: ListState,
    pager: Pager,
    table: ArticleTable,
}

impl View<'_> {
    fn price(&self, price: &Decimal) -> Html {
        match in_cents(price) {
            Some(cents) => self.page.money(cents),
            None => self.page.number(price),
        }
    }
}

fn filter(list: &ListState) -> ArticleFilter {
    let text: String =
        list.value("q").trim().chars().filter(|c| !c.is_control()).take(255).collect();
    let is_archived = list.has("state", "archived");
    ArticleFilter {
        external_id: None,
        text: Some(text).filter(|text| !text.is_empty()),
        status: Some(if is_archived { ArticleStatus::Archived } else { ArticleStatus::Active }),
        updated: None,
    }
}

fn order(list: &ListState) -> (ArticleColumn, bool) {
    let (column, down) = list.order();
    let column = match column {
        "number" => ArticleColumn::Number,
        "made" => ArticleColumn::Made,
        _ => ArticleColumn::Name,
    };
    (column, down)
}

/// `GET /articles`
pub(super) async fn show(page: Authenticated) -> Result<Response, Problem> {
    let cx = page.context();
    let list = ListState::of(&page, "name");
    let (filter, order) = (filter(&list), order(&list));
    let rows =
        (i64::try_from(list.offset()).unwrap_or(i64::MAX), i64::try_from(ROWS).unwrap_or(i64::MAX));
    let table = page.list(move |tx| articles::table(tx, &cx, &filter, order, rows)).await?;
    let pager = list.pager(usize::try_from(table.count).unwrap_or(0));
    page.show(&View { page: &page, list, pager, table })
}

/// `GET /articles.csv`, `GET /articles.xlsx`: the filtered list as a spreadsheet.
pub(super) async fn download(page: Authenticated) -> Result<Response, Problem> {
    let cx = page.context();
    let list = ListState::of(&page, "name");
    let (filter, order) = (filter(&list), order(&list));
    let table =
        page.list(move |tx| articles::table(tx, &cx, &filter, order, (0, MOST_ROWS))).await?;
    let file = Download::begin(page.format(), "articles", &COLUMNS)?;
    file.answer(&page, table.rows, |file, row| {
        let article = &row.values;
        file.row([
            Cell::text(article.number.as_deref()),
            Cell::Text(&article.name),
            Cell::text(article.description_nl.as_deref()),
            Cell::text(article.description_en.as_deref()),
            Cell::text(article.unit.as_deref()),
            article.unit_price.map_or(Cell::Empty, |price| Cell::number(decimal::plain(&price))),
            Cell::Text(if article.prices_include_vat { "true" } else { "false" }),
            article
                .vat_rate
                .map_or(Cell::Empty, |rate| Cell::number(decimal::plain(&rate.percent()))),
            Cell::text(article.vat_category.map(VatCategory::as_str)),
            Cell::text(article.supply.map(Supply::as_str)),
            Cell::text(article.exemption.map(Exemption::as_str)),
            Cell::text(article.external_id.as_deref()),
            Cell::Text(article.status.as_str()),
        ])
    })
    .await
}
