//! `/oss` and `/oss/{period}`: registration for the Union scheme (OSS) and its returns: review, copy,
//! file, reopen and pay.

use super::{
    Period,
    vat_payments::{REFUND, directed},
};
use crate::{
    done::Done,
    form::Form,
    frame::{
        charts::{self, Fill},
        download,
    },
    html::Html,
    id,
    page::Authenticated,
    submit::SUBMISSION,
    texts::Phrase,
};
use askama::Template;
use axum::{
    extract::FromRequestParts,
    http::{StatusCode, request::Parts},
    response::Response,
};
use jiff::civil::Date;
use ledger::{
    calendar::Quarter,
    country::CountryCode,
    decimal,
    money::Cents,
    vat::Supply,
    vat_period::{VatPeriod, VatUnit},
};
use service::{
    Context, Error, Fault, Reason,
    oss::{self, Balance, Ground, OssReturnDetails, OssStatus, OssYear, RateType, Register, Row},
    vat_payments::{self, NewVatPayment},
};
use std::borrow::Borrow;
use store::{Tx, vat_payments::VatPayment};
use web_core::{
    input::{self, PAYING, Parsed, new_vat_payment, register_oss},
    problem::Problem,
};

#[derive(Template)]
#[template(path = "tax/oss.html")]
struct OverviewView<'a> {
    page: &'a Authenticated,
    form: &'a Form,
    status: OssStatus,
    returns: Vec<OssReturnDetails>,
    today: Date,
}

impl OverviewView<'_> {
    fn meter(&self) -> Html {
        let [current, _] = &self.status.years;
        let fill = if current.passed_by.is_some() { Fill::Bad } else { Fill::Solid };
        charts::meter(&[(current.counted.get(), fill)], self.status.threshold.get(), None)
    }

    /// Text about the invoice with which the turnover exceeded the threshold.
    fn passed(&self, year: &OssYear) -> Option<String> {
        let (invoice, date) = year.passed_by?;
        let (invoice, date) = (invoice.to_string(), self.page.texts.date(date));
        let phrase = self.page.texts.t("oss-passed").with("invoice", &invoice).with("date", &date);
        Some(phrase.into())
    }

    fn reasons(&self) -> [(&'static str, Phrase<'static>); 2] {
        let texts = self.page.texts;
        [("choice", texts.t("oss-ground-choice")), ("limit", texts.t("oss-ground-limit"))]
    }

    fn ground(&self, ground: &Ground) -> Phrase<'static> {
        match ground {
            Ground::Choice => self.page.texts.t("oss-ground-choice"),
            Ground::Limit => self.page.texts.t("oss-ground-limit"),
        }
    }

    fn state(&self, details: &OssReturnDetails) -> (&'static str, Phrase<'static>) {
        state(self.page, details, self.today)
    }
}

#[derive(Template)]
#[template(path = "tax/oss-return.html")]
struct View<'a> {
    page: &'a Authenticated,
    form: Form,
    details: OssReturnDetails,
    payments: Vec<VatPayment>,
    today: Date,
}

impl View<'_> {
    fn name(&self) -> String {
        self.page.texts.vat_period(self.details.period)
    }

    fn state(&self) -> (&'static str, Phrase<'static>) {
        state(self.page, &self.details, self.today)
    }

    fn is_over(&self) -> bool {
        self.details.period.last_day() < self.today
    }

    fn next_day(&self) -> Date {
        self.details.period.next().first_day()
    }

    fn file(&self, ending: &str) -> String {
        format!("/oss/{}.{ending}", self.details.period)
    }

    fn country(&self, country: impl Borrow<CountryCode>) -> &'static str {
        self.page.texts.country(country.borrow().as_str())
    }

    fn supply(&self, row: &Row) -> Phrase<'static> {
        let texts = self.page.texts;
        if row.supply == Supply::Goods { texts.t("oss-goods") } else { texts.t("oss-services") }
    }

    fn rate(&self, row: &Row) -> String {
        let texts = self.page.texts;
        let kind = match self.details.rate_type(row) {
            RateType::Standard => texts.t("oss-rate-standard"),
            RateType::Reduced => texts.t("oss-rate-reduced"),
        };
        format!("{} ({kind})", texts.percent(row.rate.percent()))
    }

    fn quarter(&self, quarter: impl Borrow<Quarter>) -> String {
        let first = quarter.borrow().first_day();
        self.page.texts.vat_period(VatPeriod::of(first, VatUnit::Quarter))
    }

    /// Total of the rows.
    fn total(&self) -> (Cents, Cents) {
        let rows = &self.details.declaration.rows;
        (rows.iter().map(|row| row.base).sum(), rows.iter().map(|row| row.vat).sum())
    }

    fn balances(&self) -> Vec<Balance> {
        self.details.declaration.balances()
    }

    /// Amount as it is copied into the form of the tax office.
    #[expect(clippy::unused_self, reason = "a template reaches it by its view")]
    fn plain(&self, amount: impl Borrow<Cents>) -> String {
        decimal::plain(&decimal::Decimal::new(amount.borrow().get(), 2))
    }

    /// Amount that is not paid yet.
    fn remaining(&self) -> Cents {
        let paid = self.payments.iter().filter(|payment| payment.undone_at.is_none());
        self.details.declaration.payable() - paid.map(|payment| payment.amount).sum::<Cents>()
    }

    /// Amount that was paid above the return.
    fn overpaid(&self) -> Cents {
        -self.remaining()
    }

    fn methods(&self) -> Vec<(String, String)> {
        self.page.money_accounts(PAYING)
    }
}

/// Status of a return: tone and text of its badge.
fn state(
    page: &Authenticated,
    details: &OssReturnDetails,
    today: Date,
) -> (&'static str, Phrase<'static>) {
    if details.filed().is_some() {
        ("good", page.texts.t("vat-state-filed"))
    } else if today <= details.period.last_day() {
        ("plain", page.texts.t("vat-state-so-far"))
    } else if today <= details.due_date {
        ("", page.texts.t("vat-state-to-file"))
    } else {
        ("bad", page.texts.t("vat-state-late"))
    }
}

/// `GET /oss`
pub(super) async fn show(page: Authenticated) -> Result<Response, Problem> {
    let form = Form::of([(SUBMISSION, page.new_submission()?)]);
    show_overview(&page, form, StatusCode::OK).await
}

async fn show_overview(
    page: &Authenticated,
    form: Form,
    status_code: StatusCode,
) -> Result<Response, Problem> {
    let cx = page.context();
    let today = cx.today();
    let read = move |tx: &mut Tx<'_>| Ok((oss::read(tx, &cx)?, oss::list(tx, &cx, None)?));
    let (status, returns) = page.list(read).await?;
    let form = match status.obliged_from {
        Some(day) if form.raw("from").is_empty() && !status.is_registered => {
            form.with("from", day.to_string()).with("ground", "limit")
        }
        _ => form,
    };
    page.show_as(status_code, &OverviewView { page, form: &form, status, returns, today })
}

/// `POST /oss`
pub(super) async fn send(page: Authenticated, form: Form) -> Result<Response, Problem> {
    let mut form = form;
    if !form.has("action", "register") {
        let reason = Reason::UnknownValue { known: vec!["register"] };
        form.take_faults(&[Fault::new("/action", reason)], page.texts);
        return show_overview(&page, form, StatusCode::UNPROCESSABLE_ENTITY).await;
    }
    let fields = form.pairs().filter(|(name, _)| *name != "action");
    let parsed = input::form(fields, page.texts.language, register_oss);
    let run = |tx: &mut Tx<'_>, cx: &Context, command: &Register| {
        oss::register(tx, cx, command)?;
        Ok(Done { code: "oss-registered".into(), ..Done::default() }.at("/oss"))
    };
    page.carry_out(form, parsed, run, async |form, status| show_overview(&page, form, status).await)
        .await
}

/// Quarter in the URL of a return, and whether the return is requested as a file. A route cannot
/// have an extension after a parameter, so the parameter includes `.csv` or `.xlsx`.
pub(super) struct Listed(VatPeriod, bool);

impl<S: Sync + Send> FromRequestParts<S> for Listed {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Problem> {
        id::read(parts, state, |values| {
            let text = values.first()?;
            let name = text.strip_suffix(".csv").or_else(|| text.strip_suffix(".xlsx"));
            Some(Self(VatPeriod::parse(name.unwrap_or(text))?, name.is_some()))
        })
        .await
    }
}

/// `GET /oss/{period}`; with `.csv` or `.xlsx` appended, the return as a file.
pub(super) async fn show_return(
    page: Authenticated,
    Listed(period, is_file): Listed,
) -> Result<Response, Problem> {
    if is_file {
        let cx = page.context();
        let details = page.list(move |tx| oss::read_return(tx, &cx, period)).await?;
        let format = page.format();
        let bytes = oss::file_of(&details, format).map_err(download::unwritten)?;
        return Ok(download::file(format, &format!("oss-{period}"), bytes));
    }
    let today = page.context().today().to_string();
    let form = Form::of([
        (SUBMISSION, page.new_submission()?),
        ("date", today),
        ("method", "bank".to_owned()),
    ]);
    show_with(&page, period, form, StatusCode::OK).await
}

async fn show_with(
    page: &Authenticated,
    period: VatPeriod,
    form: Form,
    status: StatusCode,
) -> Result<Response, Problem> {
    let cx = page.context();
    let today = cx.today();
    let read = move |tx: &mut Tx<'_>| {
        let details = oss::read_return(tx, &cx, period)?;
        Ok((details, vat_payments::of_oss_period(tx, &cx, period)?))
    };
    let (details, payments) = page.list(read).await?;
    let mut view = View { page, form, details, payments, today };
    let remaining = view.remaining();
    if status == StatusCode::OK && remaining > Cents::ZERO {
        let amount = page.texts.number_field(decimal::Decimal::new(remaining.get(), 2));
        view.form = view.form.clone().with("amount", amount);
    }
    page.show_as(status, &view)
}

/// Carries out a command on a return, then redirects to it.
async fn carry_out(
    page: &Authenticated,
    period: VatPeriod,
    form: Form,
    code: &'static str,
    command: fn(&mut Tx<'_>, &Context, VatPeriod) -> Result<OssReturnDetails, Error>,
) -> Result<Response, Problem> {
    let run = move |tx: &mut Tx<'_>, cx: &Context, period: &VatPeriod| {
        command(tx, cx, *period)?;
        Ok(Done { code: code.into(), ..Done::default() }.at(&format!("/oss/{period}")))
    };
    page.carry_out(form, Parsed::new(None, Some(period)), run, async |form, status| {
        show_with(page, period, form, status).await
    })
    .await
}

/// `POST /oss/{period}/file`
pub(super) async fn file(
    page: Authenticated,
    Period(period): Period,
    form: Form,
) -> Result<Response, Problem> {
    carry_out(&page, period, form, "oss-filed", oss::file).await
}

/// `POST /oss/{period}/reopen`
pub(super) async fn reopen(
    page: Authenticated,
    Period(period): Period,
    form: Form,
) -> Result<Response, Problem> {
    carry_out(&page, period, form, "oss-reopened", oss::reopen).await
}

/// `POST /oss/{period}/payment`
pub(super) async fn pay(
    page: Authenticated,
    Period(period): Period,
    form: Form,
) -> Result<Response, Problem> {
    let id = period.to_string();
    let given = form
        .pairs()
        .filter(|(name, _)| !["vatPeriod", "ossPeriod", REFUND].contains(name))
        .chain([("ossPeriod", id.as_str())]);
    let parsed = directed(input::form(given, page.texts.language, new_vat_payment), &form);
    let code = if form.has(REFUND, "true") { "vat-received" } else { "vat-paid" };
    let run = move |tx: &mut Tx<'_>, cx: &Context, command: &NewVatPayment| {
        let made = vat_payments::record(tx, cx, command)?.into_inner();
        let (amount, undo) =
            (Some(made.amount.abs()), Some(format!("/vat-payments/{}/undo", made.id)));
        let entry = Some(made.entry_id);
        let done = Done { code: code.into(), amount, entry, undo, ..Done::default() };
        Ok(done.at(&format!("/oss/{period}")))
    };
    page.carry_out(form, parsed, run, async |form, status| {
        show_with(&page, period, form, status).await
    })
    .await
}
