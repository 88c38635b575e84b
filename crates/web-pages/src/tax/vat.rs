//! `/vat/{period}` and `/vat/{year}/{quarter}`: the page for reviewing, copying, filing, reopening
//! and paying a VAT return.

use super::{
    Period, path_of,
    vat_payments::{REFUND, directed},
    vat_view::{BoxPostings, View, seen},
};
use crate::{done::Done, form::Form, id::Id, page::Authenticated, submit::SUBMISSION};
use axum::{http::StatusCode, response::Response};
use jiff::civil::Date;
use ledger::{
    calendar::{self, amsterdam_today},
    entry::SourceType,
    money::Cents,
    vat_period::{VatPeriod, VatUnits},
};
use service::{
    Context, Error, PeriodError, entries, icp, vat_checks,
    vat_filings::{self, VatReturnDetails},
    vat_payments,
};
use store::Tx;
use web_core::{
    input::{self, Parsed, new_vat_payment},
    problem::Problem,
};

/// Number of a box's postings per page.
const POSTINGS: i64 = 50;

/// `GET /vat/{period}`, `GET /vat/{year}/{quarter}`
pub(super) async fn show(page: Authenticated, Period(period): Period) -> Result<Response, Problem> {
    show_with(&page, period, None, StatusCode::OK).await
}

/// `GET /vat/{period}/icp.csv`, `….xlsx`: for a quarter, its supplies to other EU countries, even
/// if other lists declare them; for a month or a year, the list for that period.
pub(super) async fn icp(page: Authenticated, Period(period): Period) -> Result<Response, Problem> {
    let cx = page.context();
    let read = move |tx: &mut Tx<'_>| match period.as_quarter() {
        Some(quarter) => icp::of_quarter(tx, &cx, quarter),
        None => icp::read(tx, &cx, period).map(|details| details.declaration),
    };
    let declaration = page.list(read).await?;
    super::icp::file_of(&page, period, &declaration)
}

/// Renders the page of a return with the submitted payment form, if any.
async fn show_with(
    page: &Authenticated,
    period: VatPeriod,
    form: Option<Form>,
    status: StatusCode,
) -> Result<Response, Problem> {
    let cx = page.context();
    let today = cx.today();
    let asked = page.query("box").filter(|name| ledger::vat_return::line_name(name).is_some());
    let after = page.query("after").and_then(|place| place_of(&place));
    let question = move |tx: &mut Tx<'_>| {
        let (details, parts) = read(tx, &cx, period)?;
        let neighbours = neighbours(&cx, period, &parts);
        let checks = vat_checks::read(tx, &cx, &details)?;
        let payments = vat_payments::of_period(tx, &cx, period)?;
        let postings = match &asked {
            Some(name) => {
                let rows =
                    vat_filings::postings_of_box(tx, &cx, period, name, after, POSTINGS + 1)?
                        .unwrap_or_default();
                Some(BoxPostings::new(
                    name.clone(),
                    store::Page::of(rows, POSTINGS),
                    after.is_some(),
                ))
            }
            None => None,
        };
        Ok((details, (parts, neighbours), checks, payments, postings))
    };
    let (details, (parts, neighbours), checks, payments, postings) = page.list(question).await?;
    let remaining = vat_payments::remaining(&details, &payments);
    let form = match form {
        Some(form) => form,
        None => {
            let refund = if remaining.is_negative() { "true" } else { "" };
            Form::of([
                ("date", today.to_string()),
                ("amount", page.texts.money_field(remaining.abs())),
                ("method", "bank".to_owned()),
                (REFUND, refund.to_owned()),
            ])
        }
    };
    let form = form.with(SUBMISSION, page.new_submission()?);
    page.show_as(
        status,
        &View {
            page,
            form,
            details,
            parts,
            neighbours,
            checks,
            payments,
            postings,
            today,
            remaining,
        },
    )
}

/// Reads the return for a period. If the account files by month or year, a quarter is not filed
/// itself: this returns the figures for the quarter and the periods that are filed instead.
fn read(
    tx: &mut Tx<'_>,
    cx: &Context,
    period: VatPeriod,
) -> Result<(VatReturnDetails, Vec<VatPeriod>), Error> {
    let Some(quarter) = period.as_quarter() else {
        return Ok((vat_filings::read(tx, cx, period)?, Vec::new()));
    };
    let view = vat_filings::read_quarter(tx, cx, quarter)?;
    let parts = view.returns.iter().map(|of| of.period).filter(|part| *part != period).collect();
    Ok((view.details, parts))
}

/// Returns the previous and the next period. For a quarter that is not filed itself, both are
/// quarters.
fn neighbours(cx: &Context, period: VatPeriod, parts: &[VatPeriod]) -> (VatPeriod, VatPeriod) {
    let quarters = VatUnits::default();
    let units = if parts.is_empty() { &cx.actor.vat_units } else { &quarters };
    let before = period.first_day().yesterday().unwrap_or(period.first_day());
    (units.period_of(before), units.period_of(period.next().first_day()))
}

/// Returns the period to file. If the account files by month or year, a quarter is rejected; the
/// error contains the periods to file instead.
fn own_period(cx: &Context, period: VatPeriod) -> Result<VatPeriod, PeriodError> {
    match period.as_quarter() {
        Some(quarter) => vat_filings::period_of_quarter(cx, quarter),
        None => Ok(period),
    }
}

/// Cursor of a page of postings: VAT date, entry and line of the last posting before the page.
fn place_of(text: &str) -> Option<(Date, i64, i64)> {
    let mut parts = text.split('_');
    let place = (
        calendar::parse_date(parts.next()?).ok()?,
        parts.next()?.parse().ok()?,
        parts.next()?.parse().ok()?,
    );
    parts.next().is_none().then_some(place)
}

/// Runs a command on a return, then redirects to the page of the return.
async fn carry_out<C: Send + 'static>(
    page: &Authenticated,
    period: VatPeriod,
    form: Form,
    parsed: Parsed<C>,
    code: &'static str,
    command: impl Fn(&mut Tx<'_>, &Context, &C) -> Result<Done, Error> + Send + 'static,
) -> Result<Response, Problem> {
    let run = move |tx: &mut Tx<'_>, cx: &Context, what: &C| {
        let done = command(tx, cx, what)?;
        let entry = match done.entry {
            None => entries::last_of(tx, cx, SourceType::VatFiling, period.id())?,
            own => own,
        };
        Ok(Done { code: code.into(), entry, ..done }.at(&path_of(period)))
    };
    page.carry_out(form, parsed, run, async |mut form, status| {
        if form.is_outdated() {
            form.refuse("", page.t("vat-changed").to_string());
        } else if form.raw("date").is_empty() {
            form = form.with("date", amsterdam_today(page.app.now()).to_string());
        }
        show_with(page, period, Some(form), status).await
    })
    .await
}

/// `POST /vat/{period}/file`
pub(super) async fn file(
    page: Authenticated,
    Period(period): Period,
    form: Form,
) -> Result<Response, Problem> {
    let parsed = Parsed::new(None, Some(period));
    let was_seen = form.value("seen").to_owned();
    let with_lists = !form.has("icp", "false");
    let command = move |tx: &mut Tx<'_>, cx: &Context, period: &VatPeriod| {
        let as_seen = |details: &VatReturnDetails| was_seen.is_empty() || seen(details) == was_seen;
        let own = own_period(cx, *period)?;
        let filed = vat_filings::file_if(tx, cx, own, with_lists, &as_seen)?;
        let declared =
            filed.filed().map(|filing| Cents::new(filing.declared_payable.saturating_mul(100)));
        Ok(Done { amount: declared, ..Done::default() })
    };
    carry_out(&page, period, form, parsed, "vat-filed", command).await
}

/// `POST /vat/{period}/reopen`
pub(super) async fn reopen(
    page: Authenticated,
    Period(period): Period,
    form: Form,
) -> Result<Response, Problem> {
    let parsed = Parsed::new(None, Some(period));
    let command = |tx: &mut Tx<'_>, cx: &Context, period: &VatPeriod| {
        let own = own_period(cx, *period)?;
        vat_filings::reopen(tx, cx, own).map(|()| Done::default())
    };
    carry_out(&page, period, form, parsed, "vat-reopened", command).await
}

/// `POST /vat/{period}/payment`
pub(super) async fn pay(
    page: Authenticated,
    Period(period): Period,
    form: Form,
) -> Result<Response, Problem> {
    let id = period.to_string();
    let given = form
        .pairs()
        .filter(|(name, _)| !["vatPeriod", REFUND].contains(name))
        .chain([("vatPeriod", id.as_str())]);
    let parsed = directed(input::form(given, page.texts.language, new_vat_payment), &form);
    let code = if form.has(REFUND, "true") { "vat-received" } else { "vat-paid" };
    let command = |tx: &mut Tx<'_>, cx: &Context, command: &_| {
        let made = vat_payments::record(tx, cx, command)?.into_inner();
        let (amount, undo) =
            (Some(made.amount.abs()), Some(format!("/vat-payments/{}/undo", made.id)));
        Ok(Done { amount, entry: Some(made.entry_id), undo, ..Done::default() })
    };
    carry_out(&page, period, form, parsed, code, command).await
}

/// `POST /vat-payments/{id}/undo`: redirects to the return that the payment was for.
pub(super) async fn undo_payment(
    page: Authenticated,
    Id(id): Id,
    form: Form,
) -> Result<Response, Problem> {
    let run = move |tx: &mut Tx<'_>, cx: &Context| {
        let payment = vat_payments::undo(tx, cx, id)?;
        let path = match (payment.period, payment.oss_period) {
            (Some(period), _) => path_of(period),
            (None, Some(period)) => format!("/oss/{period}"),
            (None, None) => "/vat-payments".to_owned(),
        };
        let (amount, entry) =
            (Some(payment.amount.abs()), entries::last_of(tx, cx, SourceType::Manual, id)?);
        let code =
            if payment.amount.is_negative() { "vat-refund-undone" } else { "vat-payment-undone" };
        Ok(Done { code: code.into(), amount, entry, ..Done::default() }.at(&path))
    };
    Ok(page.once(&form, run).await?)
}
