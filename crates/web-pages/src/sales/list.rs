//! `/invoices`: all invoices and credit notes, with outstanding amounts and days overdue.

use super::status;
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
use jiff::civil::Date;
use ledger::money::Cents;
use service::{
    invoices::{self, Table, amount_due},
    messages, unfinished,
};
use std::collections::HashSet;
use store::{
    Tx,
    invoice_table::{Age, Column, State, TableFilter},
    invoices::{Invoice, InvoiceKind},
};
use web_core::problem::Problem;

/// Maximum number of undelivered emails that the list checks.
const MOST_UNDELIVERED: i64 = 500;
const COLUMNS: [&str; 12] = [
    "number",
    "kind",
    "status",
    "customer",
    "country",
    "invoiceDate",
    "dueDate",
    "subtotal",
    "vatTotal",
    "total",
    "amountDue",
    "reference",
];
/// State of the list with its default order: open and overdue invoices by due date, all other
/// invoices by date, newest first.
fn list_of(page: &Authenticated) -> ListState {
    let list = ListState::of(page, "-date");
    if matches!(list.value("state"), "open" | "overdue") {
        ListState::of(page, "dueDate")
    } else {
        list
    }
}

#[derive(Template)]
#[template(path = "sales/invoices.html")]
struct View<'a> {
    page: &'a Authenticated,
    list: ListState,
    pager: Pager,
    table: Table,
    today: Date,
    /// Ids of invoices whose email was not delivered.
    undelivered: HashSet<i64>,
    /// Number of forms that the person has begun and not submitted.
    unfinished: usize,
}

impl View<'_> {
    /// Whether the list emphasises the outstanding amount instead of the total: a phone shows only
    /// one of the two.
    fn is_of_open(&self) -> bool {
        ["open", "overdue"].contains(&self.list.value("state"))
    }

    fn class_of_total(&self) -> &'static str {
        if self.is_of_open() { "number aside" } else { "number" }
    }

    fn class_of_open(&self) -> &'static str {
        if self.is_of_open() { "number" } else { "number aside" }
    }

    /// Tabs: URL, name, count, whether selected, whether overdue.
    fn tabs(&self) -> Vec<(String, Phrase<'static>, i64, bool, bool)> {
        let (texts, counts) = (self.page.texts, &self.table.overview);
        [
            ("", texts.t("invoices-all"), counts.all),
            ("draft", texts.t("invoices-draft"), counts.drafts),
            ("open", texts.t("invoices-open"), counts.open),
            ("overdue", texts.t("invoices-overdue"), counts.overdue),
            ("paid", texts.t("invoices-paid"), counts.paid()),
            ("creditNotes", texts.t("invoices-credit-notes"), counts.credit_notes),
        ]
        .into_iter()
        .map(|(state, name, count)| {
            let address = if state.is_empty() {
                "/invoices".to_owned()
            } else {
                format!("/invoices?state={state}")
            };
            (address, name, count, self.list.has("state", state), state == "overdue" && count > 0)
        })
        .collect()
    }

    /// Outstanding amounts by age: URL, name, count, amount, whether selected, whether overdue.
    fn ages(&self) -> Vec<(String, Phrase<'static>, i64, Cents, bool, bool)> {
        let texts = self.page.texts;
        let names = [
            ("notDue", texts.t("invoices-age-not-due")),
            ("30", texts.t("invoices-age-30")),
            ("60", texts.t("invoices-age-60")),
            ("older", texts.t("invoices-age-older")),
        ];
        let ages = names.into_iter().zip(self.table.overview.aging);
        ages.map(|((age, name), (count, amount))| {
            let address = format!("/invoices?state=open&age={age}");
            (address, name, count, amount, self.list.has("age", age), age != "notDue" && count > 0)
        })
        .collect()
    }

    fn state(&self, invoice: &Invoice) -> status::State {
        status::of(self.page, invoice, self.today)
    }

    /// Number of documents as text, which names invoices, credit notes, or both.
    fn count(&self) -> String {
        let (texts, count) = (self.page.texts, &self.table.sums.count);
        match self.list.value("state") {
            "" => texts.t("invoices-count-all").with("count", count).into(),
            "creditNotes" => texts.t("invoices-count-credit-notes").with("count", count).into(),
            _ => texts.t("invoices-count").with("count", count).into(),
        }
    }

    fn is_undelivered(&self, invoice: &Invoice) -> bool {
        self.undelivered.contains(&invoice.id)
    }

    fn days_late(&self, invoice: &Invoice) -> Option<i64> {
        status::days_late(invoice, self.today)
    }

    fn due(&self, invoice: &Invoice) -> Cents {
        receivable(invoice)
    }
}

/// Outstanding amount of a sent invoice; zero for any other document.
fn receivable(invoice: &Invoice) -> Cents {
    if invoice.kind == InvoiceKind::Invoice && invoice.status == store::invoices::Status::Sent {
        amount_due(invoice)
    } else {
        Cents::ZERO
    }
}

fn filter(page: &Authenticated, list: &ListState, today: Date) -> TableFilter {
    let state = match list.value("state") {
        "draft" => State::Draft,
        "open" => State::Open,
        "overdue" => State::Overdue,
        "paid" => State::Paid,
        "creditNotes" => State::CreditNotes,
        _ => State::All,
    };
    let age = match list.value("age") {
        "notDue" => Some(Age::NotDue),
        "30" => Some(Age::UpTo30),
        "60" => Some(Age::UpTo60),
        "older" => Some(Age::Older),
        _ => None,
    };
    let text: String =
        list.value("q").trim().chars().filter(|c| !c.is_control()).take(255).collect();
    TableFilter {
        state,
        age,
        contact_id: list.value("contactId").parse().ok(),
        amount: i18n::read_money(&text, page.texts.language).ok(),
        text: Some(text).filter(|text| !text.is_empty()),
        today,
        days: list.days(),
    }
}

fn order(list: &ListState) -> (Column, bool) {
    let (column, down) = list.order();
    let column = match column {
        "number" => Column::Number,
        "customer" => Column::Customer,
        "dueDate" => Column::DueDate,
        "total" => Column::Total,
        "due" => Column::Due,
        _ => Column::Date,
    };
    (column, down)
}

/// `GET /invoices`
pub(super) async fn show(page: Authenticated) -> Result<Response, Problem> {
    let cx = page.context();
    let today = cx.today();
    let list = list_of(&page);
    let (filter, order) = (filter(&page, &list, today), order(&list));
    let person = page.who.account.owner.id;
    let rows =
        (i64::try_from(list.offset()).unwrap_or(i64::MAX), i64::try_from(ROWS).unwrap_or(i64::MAX));
    let read = move |tx: &mut Tx<'_>| {
        Ok((
            invoices::table(tx, &cx, &filter, order, rows)?,
            messages::undelivered(tx, &cx, MOST_UNDELIVERED)?,
            unfinished::list(tx, &cx, person)?.len(),
        ))
    };
    let (table, undelivered, unfinished) = page.list(read).await?;
    let undelivered = undelivered.iter().map(|invoice| invoice.id).collect();
    let pager = list.pager(usize::try_from(table.sums.count).unwrap_or(0));
    page.show(&View { page: &page, list, pager, table, today, undelivered, unfinished })
}

/// `GET /invoices.csv`, `GET /invoices.xlsx`: the filtered list as a spreadsheet.
pub(super) async fn download(page: Authenticated) -> Result<Response, Problem> {
    let cx = page.context();
    let today = cx.today();
    let list = list_of(&page);
    let (filter, order) = (filter(&page, &list, today), order(&list));
    let table =
        page.list(move |tx| invoices::table(tx, &cx, &filter, order, (0, MOST_ROWS))).await?;
    let file = Download::begin(page.format(), "invoices", &COLUMNS)?;
    file.answer(&page, table.rows, |file, invoice| {
        file.row([
            Cell::Text(&invoice.number),
            Cell::Text(invoice.kind.as_str()),
            Cell::Text(invoice.status.as_str()),
            Cell::Text(&invoice.customer.name),
            Cell::Text(invoice.customer.country.as_str()),
            Cell::Day(invoice.invoice_date),
            Cell::Day(invoice.due_date),
            Cell::number(invoice.subtotal),
            Cell::number(invoice.vat_total),
            Cell::number(invoice.total),
            Cell::number(amount_due(invoice)),
            Cell::text(invoice.reference.as_deref()),
        ])
    })
    .await
}
