//! `/vat-payments`: payments to and refunds from the tax office, for all returns.

use super::path_of;
use crate::{
    done::Done,
    form::Form,
    frame::{
        download::{Cell, Download, MOST_ROWS},
        list::{ListState, Pager},
    },
    page::Authenticated,
    submit::SUBMISSION,
    texts::Phrase,
};
use askama::Template;
use axum::{http::StatusCode, response::Response};
use ledger::{
    booking::MoneyAccount, calendar::amsterdam_today, money::Cents, vat_period::VatPeriod,
};
use service::{
    Context, ledger_cards, vat_filings,
    vat_payments::{self, NewVatPayment},
};
use std::borrow::Borrow;
use store::{Tx, vat_payments::VatPayment};
use web_core::{
    input::{self, PAYING, Parsed, new_vat_payment},
    problem::Problem,
};

/// Maximum number of returns to choose from in the form: ten years of quarters.
const MOST: usize = 40;
/// Columns of a download.
const COLUMNS: [&str; 9] =
    ["id", "date", "amount", "method", "description", "vatPeriod", "entry", "status", "ossPeriod"];

/// Form field that marks a refund from the tax office.
pub(super) const REFUND: &str = "refund";

/// Applies the direction selected in the form: a refund has a negative amount.
pub(super) fn directed(parsed: Parsed<NewVatPayment>, form: &Form) -> Parsed<NewVatPayment> {
    let is_refund = form.has(REFUND, "true");
    let signed = |command: NewVatPayment| NewVatPayment {
        amount: if is_refund { -command.amount.abs() } else { command.amount },
        ..command
    };
    Parsed { command: parsed.command.map(signed), ..parsed }
}

#[derive(Template)]
#[template(path = "tax/vat-payments.html")]
struct View<'a> {
    page: &'a Authenticated,
    form: &'a Form,
    list: ListState,
    pager: Pager,
    years: Vec<(String, bool)>,
    payments: Vec<VatPayment>,
    sum: Cents,
    /// VAT returns that a payment can belong to.
    periods: Vec<(String, String)>,
}

impl View<'_> {
    fn method(&self, account: impl Borrow<MoneyAccount>) -> String {
        let account = *account.borrow();
        self.page.money_account(if PAYING.contains(&account.method()) {
            account
        } else {
            MoneyAccount::Provider
        })
    }

    /// Accounts from which VAT can be paid; payment providers do not pay the tax office.
    fn methods(&self) -> Vec<(String, String)> {
        self.page.money_accounts(PAYING)
    }

    /// Choice between payment and refund.
    fn directions(&self) -> [(&'static str, Phrase<'static>); 2] {
        let texts = self.page.texts;
        [("", texts.t("vat-payment-paid")), ("true", texts.t("vat-payment-received"))]
    }

    fn period(&self, period: impl Borrow<VatPeriod>) -> String {
        self.page.texts.vat_period(*period.borrow())
    }

    #[expect(clippy::unused_self, reason = "a template reaches it by its view")]
    fn path(&self, period: impl Borrow<VatPeriod>) -> String {
        path_of(*period.borrow())
    }
}

async fn show_with(
    page: &Authenticated,
    form: &Form,
    status: StatusCode,
) -> Result<Response, Problem> {
    let cx = page.context();
    let list = ListState::of(page, "-date");
    let (filter, part) = (list.filter(page), list.part(list.rows()));
    let read = move |tx: &mut Tx<'_>| {
        let found = vat_payments::table(tx, &cx, &filter, part)?;
        Ok((found, ledger_cards::years(tx, &cx)?, vat_filings::returns(tx, &cx)?))
    };
    let ((payments, count, sum), years, returns) = page.list(read).await?;
    let returns = returns.into_iter().take(MOST);
    let none = (String::new(), page.t("vat-payment-no-period").to_string());
    let periods = [none]
        .into_iter()
        .chain(returns.map(|period| (period.to_string(), page.texts.vat_period(period))))
        .collect();
    let (pager, years) =
        (list.pager(usize::try_from(count).unwrap_or(0)), list.years(years, list.year()));
    page.show_as(status, &View { page, form, list, pager, years, payments, sum, periods })
}

/// `GET /vat-payments`
pub(super) async fn show(page: Authenticated) -> Result<Response, Problem> {
    let today = amsterdam_today(page.app.now()).to_string();
    let form = Form::of([
        (SUBMISSION, page.new_submission()?),
        ("date", today),
        ("method", "bank".to_owned()),
    ]);
    show_with(&page, &form, StatusCode::OK).await
}

/// `GET /vat-payments.csv`, `GET /vat-payments.xlsx`: the filtered list as a spreadsheet.
pub(super) async fn download(page: Authenticated) -> Result<Response, Problem> {
    let (cx, format) = (page.context(), page.format());
    let list = ListState::of(&page, "-date");
    let (filter, part) = (list.filter(&page), list.part((0, MOST_ROWS)));
    let (payments, ..) = page.list(move |tx| vat_payments::table(tx, &cx, &filter, part)).await?;
    let file = Download::begin(format, "vat-payments", &COLUMNS)?;
    file.answer(&page, payments, |file, payment| {
        file.row([
            Cell::number(payment.id),
            Cell::Day(payment.date),
            Cell::number(payment.amount),
            Cell::Text(payment.method.as_str()),
            Cell::text(payment.description.as_deref()),
            Cell::text(payment.period.map(|period| period.to_string()).as_deref()),
            Cell::number(payment.entry_id),
            Cell::Text(if payment.undone_at.is_some() { "undone" } else { "booked" }),
            Cell::text(payment.oss_period.map(|period| period.to_string()).as_deref()),
        ])
    })
    .await
}

/// `POST /vat-payments`
pub(super) async fn send(page: Authenticated, form: Form) -> Result<Response, Problem> {
    let given = form.pairs().filter(|(name, _)| *name != REFUND);
    let parsed = directed(input::form(given, page.texts.language, new_vat_payment), &form);
    let run = |tx: &mut Tx<'_>, cx: &Context, command: &NewVatPayment| {
        let made = vat_payments::record(tx, cx, command)?.into_inner();
        let (amount, undo) =
            (Some(made.amount.abs()), Some(format!("/vat-payments/{}/undo", made.id)));
        let code = if made.amount.is_negative() { "vat-received" } else { "vat-paid" };
        let done =
            Done { code: code.into(), amount, entry: Some(made.entry_id), undo, ..Done::default() };
        Ok(done.at("/vat-payments"))
    };
    page.carry_out(form, parsed, run, async |form, status| show_with(&page, &form, status).await)
        .await
}
