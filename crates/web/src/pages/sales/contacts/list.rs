//! `/contacts`: every contact, with what it was invoiced and what is open.

use crate::{
    pages::{
        frame::list::{ListState, Pager, ROWS, cell},
        page::Authenticated,
        sales::owner,
    },
    problem::Problem,
};
use askama::Template;
use axum::{
    http::header,
    response::{IntoResponse, Response},
};
use ledger::calendar::amsterdam_today;
use service::contact_edits::{self, ContactTable};
use store::contacts::{ContactColumn, ContactFilter, status};

/// Rows of a download at the most.
const MOST_ROWS: i64 = 10_000;

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
    let text: String = list.value("q").trim().chars().filter(|c| !c.is_control()).take(255).collect();
    ContactFilter {
        external_id: None,
        text: Some(text).filter(|text| !text.is_empty()),
        archived: Some(list.has("state", "archived")),
    }
}

fn order(list: &ListState) -> (ContactColumn, bool) {
    let (column, down) = list.order();
    let column = match column {
        "city" => ContactColumn::City,
        "made" => ContactColumn::Made,
        _ => ContactColumn::Name,
    };
    (column, down)
}

/// `GET /contacts`
pub(super) async fn show(page: Authenticated) -> Result<Response, Problem> {
    let (actor, year) = (owner(&page)?, amsterdam_today(page.app.now()).year());
    let list = ListState::of(&page, "name");
    let (filter, order) = (filter(&list), order(&list));
    let rows = (i64::try_from(list.offset()).unwrap_or(i64::MAX), i64::try_from(ROWS).unwrap_or(i64::MAX));
    let table = page.app.read(move |tx| contact_edits::table(tx, &actor, &filter, order, rows, year)).await?;
    let pager = list.pager(usize::try_from(table.count).unwrap_or(0));
    page.show(&View { page: &page, list, pager, table, year: year.to_string() })
}

/// `GET /contacts.csv`: what is filtered, for a spreadsheet. Amounts have a point before the cents.
pub(super) async fn download(page: Authenticated) -> Result<Response, Problem> {
    let (actor, year) = (owner(&page)?, amsterdam_today(page.app.now()).year());
    let list = ListState::of(&page, "name");
    let (filter, order) = (filter(&list), order(&list));
    let table = page.app.read(move |tx| contact_edits::table(tx, &actor, &filter, order, (0, MOST_ROWS), year)).await?;
    let mut csv = String::from(
        "name,contactPerson,street,postalCode,city,country,email,vatNumber,kvkNumber,externalId,status,turnover,amountDue\r\n",
    );
    for row in &table.rows {
        let party = &row.contact.party;
        let text = |value: &Option<String>| cell(value.as_deref().unwrap_or(""));
        let fields = [
            cell(&party.name),
            text(&party.contact_person),
            text(&party.street),
            text(&party.postal_code),
            text(&party.city),
            party.country.as_str().to_owned(),
            text(&party.email),
            text(&party.vat_number),
            text(&party.kvk_number),
            text(&party.external_id),
            status(row.contact.archived).to_owned(),
            row.sums.turnover.to_string(),
            row.sums.due.to_string(),
        ];
        csv.push_str(&fields.join(","));
        csv.push_str("\r\n");
    }
    let headers = [
        (header::CONTENT_TYPE, "text/csv; charset=utf-8; header=present"),
        (header::CONTENT_DISPOSITION, "attachment; filename=\"contacts.csv\""),
    ];
    Ok((headers, csv).into_response())
}
