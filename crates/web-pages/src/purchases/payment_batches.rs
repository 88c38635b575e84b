//! `/expenses?tab=toPay` and `/payment-batches`: bills to pay, and payment files for the bank.

use crate::{
    done::Done,
    form::Form,
    frame::{
        download::{Cell, Download, MOST_ROWS},
        iban::grouped,
    },
    id::Id,
    page::Authenticated,
    submit::SUBMISSION,
    texts::Phrase,
};
use askama::Template;
use axum::{
    http::{HeaderMap, StatusCode},
    response::Response,
};
use jiff::civil::Date;
use ledger::{
    bank_account::BankAccountKind, identifiers::Iban, money::Cents, payment_batch::BatchStatus,
};
use service::{
    Context,
    payment_batches::{
        self, BatchDetails, BatchWarningKind, NewBatch, ToPay, Version, end_to_end_id,
    },
};
use store::{
    Tx,
    payment_batches::{BatchFilter, PaymentBatch},
};
use web_core::{
    http::entity_tags,
    input::{self, new_payment_batch},
    problem::Problem,
};

/// Path of the list.
const LIST: &str = "/payment-batches";
/// Maximum number of batches in the list.
const MOST: i64 = 500;
/// Columns of a download.
const COLUMNS: [&str; 7] =
    ["id", "executionDate", "status", "bankAccount", "payments", "total", "paidAmount"];

#[derive(Template)]
#[template(path = "purchases/to-pay.html")]
struct ToPayView<'a> {
    page: &'a Authenticated,
    form: Form,
    bills: Vec<ToPay>,
    /// Checking accounts with an IBAN.
    banks: Vec<(String, String)>,
    today: Date,
}

impl ToPayView<'_> {
    fn name(&self, bill: &ToPay) -> String {
        let expense = &bill.expense;
        expense.supplier.clone().or_else(|| expense.description.clone()).unwrap_or_default()
    }

    /// Second text of a row: the number of the supplier, or else the description.
    fn second(&self, bill: &ToPay) -> Option<String> {
        let expense = &bill.expense;
        let description = expense.supplier.as_ref().and(expense.description.clone());
        expense.bill.number.clone().or(description)
    }

    fn is_overdue(&self, bill: &ToPay) -> bool {
        bill.due < self.today
    }

    /// Whether the bill can be put into a new batch.
    fn can_be_paid(&self, bill: &ToPay) -> bool {
        bill.payee.is_some() && bill.in_batch.is_none()
    }

    fn has_payable_bill(&self) -> bool {
        self.bills.iter().any(|bill| self.can_be_paid(bill))
    }

    fn is_ticked(&self, bill: &ToPay) -> bool {
        self.form.has("expenseIds", &bill.expense.id.to_string())
    }

    /// Name of the field to which a fault of a bill belongs.
    fn field(&self, bill: &ToPay) -> String {
        let id = bill.expense.id.to_string();
        let place = self.form.all("expenseIds").position(|ticked| ticked == id);
        place.map_or_else(|| format!("bill-{id}"), |place| format!("items.{place}.expenseId"))
    }

    fn iban(&self, iban: &Iban) -> String {
        grouped(iban.as_str())
    }

    fn total(&self) -> Cents {
        self.bills.iter().map(|bill| bill.expense.amount_due()).sum()
    }
}

#[derive(Template)]
#[template(path = "purchases/payment-batches.html")]
struct ListView<'a> {
    page: &'a Authenticated,
    batches: Vec<BatchDetails>,
}

#[derive(Template)]
#[template(path = "purchases/payment-batch.html")]
struct View<'a> {
    page: &'a Authenticated,
    form: Form,
    details: BatchDetails,
}

impl View<'_> {
    fn can_download(&self) -> bool {
        self.details.batch.status != BatchStatus::Cancelled
    }

    fn can_cancel(&self) -> bool {
        let batch = &self.details.batch;
        batch.status.is_pending() && batch.items.iter().all(|item| item.paid_amount.is_zero())
    }

    fn is_pending(&self) -> bool {
        self.details.batch.status.is_pending()
    }

    fn iban(&self, iban: &Iban) -> String {
        grouped(iban.as_str())
    }

    fn id_at_bank(&self, line: &i64) -> String {
        end_to_end_id(self.details.batch.id, *line)
    }

    fn bank(&self) -> String {
        let banks = self.page.bank_accounts();
        let bank = banks.by_id(self.details.batch.bank_account_id);
        bank.map(|bank| self.page.bank_account_name(bank)).unwrap_or_default()
    }
}

impl Authenticated {
    /// Badge of a batch: its tone and its text.
    fn batch_state(&self, batch: &PaymentBatch) -> (&'static str, Phrase<'static>) {
        match batch.status {
            BatchStatus::Open => ("", self.t("batch-state-open")),
            BatchStatus::Downloaded => ("", self.t("batch-state-downloaded")),
            BatchStatus::Paid => ("good", self.t("batch-state-paid")),
            BatchStatus::Cancelled => ("plain", self.t("batch-state-cancelled")),
        }
    }
}

/// `GET /expenses?tab=toPay`
pub(super) async fn show_to_pay(page: &Authenticated) -> Result<Response, Problem> {
    let today = page.context().today();
    let form =
        Form::of([("executionDate", today.to_string())]).with(SUBMISSION, page.new_submission()?);
    show_to_pay_with(page, form, StatusCode::OK).await
}

async fn show_to_pay_with(
    page: &Authenticated,
    form: Form,
    status: StatusCode,
) -> Result<Response, Problem> {
    let cx = page.context();
    let today = cx.today();
    let bills = page.list(move |tx| payment_batches::to_pay(tx, &cx)).await?;
    let banks = page.bank_accounts().offered(BankAccountKind::Checking).into_iter();
    let banks = banks
        .filter(|bank| bank.iban.is_some())
        .map(|bank| (bank.id.to_string(), page.bank_account_name(bank)))
        .collect();
    page.show_as(status, &ToPayView { page, form, bills, banks, today })
}

/// `GET /payment-batches`
pub(super) async fn list(page: Authenticated) -> Result<Response, Problem> {
    let cx = page.context();
    let read = move |tx: &mut Tx<'_>| {
        payment_batches::list(tx, &cx, &BatchFilter::default(), i64::MAX, MOST)
    };
    let batches = page.list(read).await?.rows;
    page.show(&ListView { page: &page, batches })
}

/// `GET /payment-batches.csv`, `GET /payment-batches.xlsx`: the list as a spreadsheet.
pub(super) async fn download_list(page: Authenticated) -> Result<Response, Problem> {
    let cx = page.context();
    let read = move |tx: &mut Tx<'_>| {
        payment_batches::list(tx, &cx, &BatchFilter::default(), i64::MAX, MOST_ROWS)
    };
    let batches = page.list(read).await?.rows.into_iter();
    let rows: Vec<(String, PaymentBatch)> =
        batches.map(|of| (page.bank_account_by_id(&of.batch.bank_account_id), of.batch)).collect();
    let file = Download::begin(page.format(), "payment-batches", &COLUMNS)?;
    file.answer(&page, rows, |file, (bank_account, batch)| {
        let paid: Cents = batch.items.iter().map(|item| item.paid_amount).sum();
        file.row([
            Cell::number(batch.id),
            Cell::Day(batch.execution_date),
            Cell::Text(batch.status.as_str()),
            Cell::Text(bank_account),
            Cell::number(i64::try_from(batch.items.len()).unwrap_or(i64::MAX)),
            Cell::number(batch.total),
            Cell::number(paid),
        ])
    })
    .await
}

/// `POST /payment-batches`: makes a batch of the ticked bills.
pub(super) async fn create(page: Authenticated, mut form: Form) -> Result<Response, Problem> {
    if form.all("expenseIds").next().is_none() {
        form.refuse("expenseIds", page.t("to-pay-choose").to_string());
        return show_to_pay_with(&page, form, StatusCode::UNPROCESSABLE_ENTITY).await;
    }
    let ticked = form.all("expenseIds").enumerate();
    let items: Vec<(String, String)> =
        ticked.map(|(place, id)| (format!("items.{place}.expenseId"), id.to_owned())).collect();
    let own = form.pairs().filter(|(name, _)| matches!(*name, "bankAccountId" | "executionDate"));
    let fields = own.chain(items.iter().map(|(name, id)| (name.as_str(), id.as_str())));
    let parsed = input::form(fields, page.texts.language, new_payment_batch);
    let run = |tx: &mut Tx<'_>, cx: &Context, command: &NewBatch| {
        let batch = payment_batches::create(tx, cx, command)?.into_inner().batch;
        let done = Done { code: "batch-made".into(), amount: Some(batch.total), ..Done::default() };
        Ok(done.at(&format!("{LIST}/{}", batch.id)))
    };
    page.carry_out(form, parsed, run, async |form, status| {
        show_to_pay_with(&page, form, status).await
    })
    .await
}

async fn show_one(
    page: &Authenticated,
    id: i64,
    form: Form,
    status: StatusCode,
) -> Result<Response, Problem> {
    let cx = page.context();
    let details =
        page.app.query(page.who.account.id, move |tx| payment_batches::read(tx, &cx, id)).await?;
    page.show_as(status, &View { page, form, details })
}

/// `GET /payment-batches/{id}`
pub(super) async fn show(page: Authenticated, Id(id): Id) -> Result<Response, Problem> {
    show_one(&page, id, Form::default(), StatusCode::OK).await
}

/// `GET /payment-batches/{id}/file`
pub(super) async fn file(
    page: Authenticated,
    Id(id): Id,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let cx = page.context();
    let download = move |tx: &mut Tx<'_>| payment_batches::download(tx, &cx, id, Version::V09);
    let bytes = page.app.execute(page.who.account.id, download).await?;
    Ok(entity_tags::file(&headers, bytes, "application/xml", &format!("payment-batch-{id}.xml")))
}

/// `POST /payment-batches/{id}/cancel`
pub(super) async fn cancel(
    page: Authenticated,
    Id(id): Id,
    form: Form,
) -> Result<Response, Problem> {
    let run = move |tx: &mut Tx<'_>, cx: &Context| {
        payment_batches::cancel(tx, cx, id)?;
        Ok(format!("{LIST}/{id}?done=batch-cancelled"))
    };
    page.press(form, run, async |form, status| show_one(&page, id, form, status).await).await
}
