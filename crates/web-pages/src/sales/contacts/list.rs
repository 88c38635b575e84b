//! `/contacts`: all contacts, with invoiced and outstanding amounts.

use crate::{
    frame::{
        download::{Cell, Download},
        list::{ListState, Pager, ROWS},
    },
    page::Authenticated,
};
use askama::Template;
use axum::response::Response;
use ledger::identifiers::{Bic, Iban};
use service::contact_edits::{self, ContactTable};
use store::contacts::{ContactColumn, ContactFilter, status};
use web_core::problem::Problem;

/// Maximum number of rows in a download.
const MOST_ROWS: i64 = 10_000;
const COLUMNS: [&str; 15] = [
    "name",
    "contactPerson",
    "street",
    "postalCode",
    "city",
    "country",
    "email",
    "vatNumber",
    "kvkNumber",
    "iban",
    "bic",
    "externalId",
    "status",
    "turnover",
    "amountDue",
];

#[derive(Template)]
#[template(path = "sales/contacts.html")]
struct View<'a> {
    page: &'a Authenticated,
    list: ListState,
    pager: Pager,
    table: ContactTable,
    year: String,
}

fn filter(list: &ListState) -> ContactFilter {
    let text: String =
        list.value("q").trim().chars().filter(|c| !c.is_control()).take(255).collect();
    ContactFilter {
        external_id: None,
        text: Some(text).filter(|text| !text.is_empty()),
        archived: Some(list.has("state", "archived")),
        updated: None,
    }
}

fn order(list: &ListState, year: i16) -> (ContactColumn, bool) {
    let (column, down) = list.order();
    let column = match column {
        "city" => ContactColumn::City,
        "made" => ContactColumn::Made,
        "due" => ContactColumn::Due,
        "turnover" => ContactColumn::Turnover,
        "year" => ContactColumn::TurnoverOf(year),
        _ => ContactColumn::Name,
    };
    (column, down)
}

/// `GET /contacts`
pub(super) async fn show(page: Authenticated) -> Result<Response, Problem> {
    let cx = page.context();
    let year = cx.today().year();
    let list = ListState::of(&page, "name");
    let (filter, order) = (filter(&list), order(&list, year));
    let rows =
        (i64::try_from(list.offset()).unwrap_or(i64::MAX), i64::try_from(ROWS).unwrap_or(i64::MAX));
    let table =
        page.list(move |tx| contact_edits::table(tx, &cx, &filter, order, rows, year)).await?;
    let pager = list.pager(usize::try_from(table.count).unwrap_or(0));
    page.show(&View { page: &page, list, pager, table, year: year.to_string() })
}

/// `GET /contacts.csv`, `GET /contacts.xlsx`: the filtered list as a spreadsheet.
pub(super) async fn download(page: Authenticated) -> Result<Response, Problem> {
    let cx = page.context();
    let year = cx.today().year();
    let list = ListState::of(&page, "name");
    let (filter, order) = (filter(&list), order(&list, year));
    let table = page
        .list(move |tx| contact_edits::table(tx, &cx, &filter, order, (0, MOST_ROWS), year))
        .await?;
    let file = Download::begin(page.format(), "contacts", &COLUMNS)?;
    file.answer(&page, table.rows, |file, row| {
        let party = &row.contact.party;
        file.row([
            Cell::Text(&party.name),
            Cell::text(party.contact_person.as_deref()),
            Cell::text(party.street.as_deref()),
            Cell::text(party.postal_code.as_deref()),
            Cell::text(party.city.as_deref()),
            Cell::Text(party.country.as_str()),
            Cell::text(party.email.as_deref()),
            Cell::text(party.vat_number.as_deref()),
            Cell::text(party.kvk_number.as_deref()),
            Cell::text(row.contact.account.iban.as_ref().map(Iban::as_str)),
            Cell::text(row.contact.account.bic.as_ref().map(Bic::as_str)),
            Cell::text(party.external_id.as_deref()),
            Cell::Text(status(row.contact.archived)),
            Cell::number(row.sums.turnover),
            Cell::number(row.sums.due),
        ])
    })
    .await
}
