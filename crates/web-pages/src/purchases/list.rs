//! `/expenses`: the list, on a page and as a file.

use super::payment_batches;
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
use ledger::purchase;
use service::expenses::{self, Table};
use store::{
    expense_table::{Column, State, TableFilter},
    expenses::Expense,
};
use web_core::problem::Problem;

const FIRST_ORDER: &str = "-date";
const COLUMNS: [&str; 12] = [
    "id",
    "date",
    "supplier",
    "description",
    "paidFrom",
    "subtotal",
    "vatTotal",
    "vatDeductible",
    "total",
    "amountDue",
    "periodFrom",
    "periodUntil",
];

#[derive(Template)]
#[template(path = "purchases/expenses.html")]
struct View<'a> {
    page: &'a Authenticated,
    list: ListState,
    pager: Pager,
    table: Table,
}

impl View<'_> {
    /// Tabs with the number of expenses in each state: URL, name, count, whether selected.
    fn tabs(&self) -> Vec<(String, Phrase<'static>, i64, bool)> {
        let (texts, overview) = (self.page.texts, self.table.overview);
        let tabs = [
            ("", texts.t("expenses-all"), overview.booked),
            ("open", texts.t("expenses-open"), overview.open),
            ("withoutReceipt", texts.t("expenses-without-receipt"), overview.without_receipt),
            ("undone", texts.t("expenses-undone"), overview.undone),
        ];
        let tabs = tabs.into_iter();
        tabs.map(|(state, name, count)| {
            (self.list.with("state", state), name, count, self.list.has("state", state))
        })
        .collect()
    }

    fn categories(&self) -> Vec<(String, String)> {
        let own = self.page.own_accounts().all().iter().map(|account| account.code);
        let own = own.filter(|code| purchase::is_category(*code));
        self.page.account_choices(purchase::categories().into_iter().chain(own))
    }

    fn name(&self, expense: &Expense) -> String {
        expense.supplier.clone().or_else(|| expense.description.clone()).unwrap_or_default()
    }

    /// Second text of a row: the description, if the first is the supplier.
    fn second(&self, expense: &Expense) -> Option<String> {
        expense.supplier.as_ref().and(expense.description.clone())
    }

    fn is_open(&self, expense: &Expense) -> bool {
        !expense.amount_due().is_zero()
    }

    fn state(&self, expense: &Expense) -> (&'static str, Phrase<'static>) {
        let texts = self.page.texts;
        if expense.undone_at.is_some() {
            ("plain", texts.t("expense-state-undone"))
        } else if self.is_open(expense) {
            ("", texts.t("expense-state-open"))
        } else {
            ("good", texts.t("expense-state-paid"))
        }
    }
}

fn filter(page: &Authenticated, list: &ListState) -> TableFilter {
    let state = match list.value("state") {
        "open" => State::Open,
        "withoutReceipt" => State::WithoutReceipt,
        "undone" => State::Undone,
        _ => State::Booked,
    };
    let text: String =
        list.value("q").trim().chars().filter(|c| !c.is_control()).take(255).collect();
    TableFilter {
        state,
        contact_id: list.value("contactId").parse().ok(),
        amount: i18n::read_money(&text, page.texts.language).ok(),
        text: Some(text).filter(|text| !text.is_empty()),
        days: list.days(),
        category: page.account_code(list.value("category")),
    }
}

fn order(list: &ListState) -> (Column, bool) {
    let (column, down) = list.order();
    let column = match column {
        "date" => Column::Date,
        "supplier" => Column::Supplier,
        "total" => Column::Total,
        _ => Column::Made,
    };
    (column, down)
}

/// `GET /expenses`; `?tab=toPay` shows the bills to pay.
pub(super) async fn show(page: Authenticated) -> Result<Response, Problem> {
    if page.query("tab").as_deref() == Some("toPay") {
        return payment_batches::show_to_pay(&page).await;
    }
    let cx = page.context();
    let list = ListState::of(&page, FIRST_ORDER);
    let (filter, order) = (filter(&page, &list), order(&list));
    let rows =
        (i64::try_from(list.offset()).unwrap_or(i64::MAX), i64::try_from(ROWS).unwrap_or(i64::MAX));
    let table = page.list(move |tx| expenses::table(tx, &cx, &filter, order, rows)).await?;
    let pager = list.pager(usize::try_from(table.sums.count).unwrap_or(0));
    page.show(&View { page: &page, list, pager, table })
}

/// `GET /expenses.csv`, `GET /expenses.xlsx`: the filtered list as a spreadsheet.
pub(super) async fn download(page: Authenticated) -> Result<Response, Problem> {
    let cx = page.context();
    let list = ListState::of(&page, FIRST_ORDER);
    let (filter, order) = (filter(&page, &list), order(&list));
    let table =
        page.list(move |tx| expenses::table(tx, &cx, &filter, order, (0, MOST_ROWS))).await?;
    let file = Download::begin(page.format(), "expenses", &COLUMNS)?;
    file.answer(&page, table.rows, |file, expense| {
        file.row([
            Cell::number(expense.id),
            Cell::Day(expense.date),
            Cell::text(expense.supplier.as_deref()),
            Cell::text(expense.description.as_deref()),
            Cell::Text(expense.paid_from.map_or("unpaid", |money| money.as_str())),
            Cell::number(expense.net),
            Cell::number(expense.vat),
            Cell::number(expense.deductible),
            Cell::number(expense.total),
            Cell::number(expense.amount_due()),
            expense.period_from.map_or(Cell::Empty, Cell::Day),
            expense.period_until.map_or(Cell::Empty, Cell::Day),
        ])
    })
    .await
}
