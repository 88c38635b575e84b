//! `/vat/{year}/{quarter}`: a VAT return: review, copy, file, reopen and pay.

use super::{
    Period, path_of,
    vat_payments::{REFUND, directed},
    vat_view::{BoxPostings, View, seen},
};
use crate::{
    done::Done, form::Form, frame::download, id::Id, page::Authenticated, submit::SUBMISSION,
};
use axum::{http::StatusCode, response::Response};
use jiff::civil::Date;
use ledger::{
    calendar::{self, Quarter, amsterdam_today},
    entry::SourceType,
    money::Cents,
};
use service::{
    Context, Error, entries, icp, vat_checks,
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

/// `GET /vat/{year}/{quarter}`
pub(super) async fn show(
    page: Authenticated,
    Period(quarter): Period,
) -> Result<Response, Problem> {
    show_with(&page, quarter, None, StatusCode::OK).await
}

/// `GET /vat/{year}/{quarter}/icp.csv`, `….xlsx`: the EC sales list (ICP) as a file.
pub(super) async fn icp(page: Authenticated, Period(quarter): Period) -> Result<Response, Problem> {
    let cx = page.context();
    let declaration = page.list(move |tx| icp::declaration(tx, &cx, quarter)).await?;
    let format = page.format();
    let bytes = icp::list(&declaration, format).map_err(download::unwritten)?;
    Ok(download::file(format, &format!("icp-{}-{}", quarter.year(), quarter.number()), bytes))
}

/// Renders the page of a return with the submitted payment form, if any.
async fn show_with(
    page: &Authenticated,
    quarter: Quarter,
    form: Option<Form>,
    status: StatusCode,
) -> Result<Response, Problem> {
    let cx = page.context();
    let today = cx.today();
    let asked = page.query("box").filter(|name| ledger::vat_return::line_name(name).is_some());
    let after = page.query("after").and_then(|place| place_of(&place));
    let question = move |tx: &mut Tx<'_>| {
        let details = vat_filings::read(tx, &cx, quarter)?;
        let checks = vat_checks::read(tx, &cx, &details)?;
        let payments = vat_payments::of_period(tx, &cx, quarter)?;
        let postings = match &asked {
            Some(name) => {
                let rows =
                    vat_filings::postings_of_box(tx, &cx, quarter, name, after, POSTINGS + 1)?
                        .unwrap_or_default();
                Some(BoxPostings::new(
                    name.clone(),
                    store::Page::of(rows, POSTINGS),
                    after.is_some(),
                ))
            }
            None => None,
        };
        Ok((details, checks, payments, postings))
    };
    let (details, checks, payments, postings) = page.list(question).await?;
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
        &View { page, form, details, checks, payments, postings, today, remaining },
    )
}

/// Cursor of a page of postings: VAT date, entry and line of the last posting before it.
fn place_of(text: &str) -> Option<(Date, i64, i64)> {
    let mut parts = text.split('_');
    let place = (
        calendar::parse_date(parts.next()?).ok()?,
        parts.next()?.parse().ok()?,
        parts.next()?.parse().ok()?,
    );
    parts.next().is_none().then_some(place)
}

/// Carries out a command on a return, then redirects to it.
async fn carry_out<C: Send + 'static>(
    page: &Authenticated,
    quarter: Quarter,
    form: Form,
    parsed: Parsed<C>,
    code: &'static str,
    command: impl Fn(&mut Tx<'_>, &Context, &C) -> Result<Done, Error> + Send + 'static,
) -> Result<Response, Problem> {
    let run = move |tx: &mut Tx<'_>, cx: &Context, what: &C| {
        let done = command(tx, cx, what)?;
        let entry = match done.entry {
            None => entries::last_of(tx, cx, SourceType::VatFiling, vat_filings::id_of(quarter))?,
            own => own,
        };
        Ok(Done { code: code.into(), entry, ..done }.at(&path_of(quarter)))
    };
    page.carry_out(form, parsed, run, async |mut form, status| {
        if form.is_outdated() {
            form.refuse("", page.t("vat-changed").to_string());
        } else if form.raw("date").is_empty() {
            form = form.with("date", amsterdam_today(page.app.now()).to_string());
        }
        show_with(page, quarter, Some(form), status).await
    })
    .await
}

/// `POST /vat/{year}/{quarter}/file`
pub(super) async fn file(
    page: Authenticated,
    Period(quarter): Period,
    form: Form,
) -> Result<Response, Problem> {
    let parsed = Parsed::new(None, Some(quarter));
    let was_seen = form.value("seen").to_owned();
    let command = move |tx: &mut Tx<'_>, cx: &Context, quarter: &Quarter| {
        let as_seen = |details: &VatReturnDetails| was_seen.is_empty() || seen(details) == was_seen;
        let filed = vat_filings::file_if(tx, cx, *quarter, &as_seen)?;
        let declared =
            filed.filed().map(|filing| Cents::new(filing.declared_payable.saturating_mul(100)));
        Ok(Done { amount: declared, ..Done::default() })
    };
    carry_out(&page, quarter, form, parsed, "vat-filed", command).await
}

/// `POST /vat/{year}/{quarter}/reopen`
pub(super) async fn reopen(
    page: Authenticated,
    Period(quarter): Period,
    form: Form,
) -> Result<Response, Problem> {
    let parsed = Parsed::new(None, Some(quarter));
    let command = |tx: &mut Tx<'_>, cx: &Context, quarter: &Quarter| {
        vat_filings::reopen(tx, cx, *quarter).map(|()| Done::default())
    };
    carry_out(&page, quarter, form, parsed, "vat-reopened", command).await
}

/// `POST /vat/{year}/{quarter}/payment`
pub(super) async fn pay(
    page: Authenticated,
    Period(quarter): Period,
    form: Form,
) -> Result<Response, Problem> {
    let period = quarter.to_string();
    let given = form
        .pairs()
        .filter(|(name, _)| !["vatPeriod", REFUND].contains(name))
        .chain([("vatPeriod", period.as_str())]);
    let parsed = directed(input::form(given, page.texts.language, new_vat_payment), &form);
    let code = if form.has(REFUND, "true") { "vat-received" } else { "vat-paid" };
    let command = |tx: &mut Tx<'_>, cx: &Context, command: &_| {
        let made = vat_payments::record(tx, cx, command)?.into_inner();
        let (amount, undo) =
            (Some(made.amount.abs()), Some(format!("/vat-payments/{}/undo", made.id)));
        Ok(Done { amount, entry: Some(made.entry_id), undo, ..Done::default() })
    };
    carry_out(&page, quarter, form, parsed, code, command).await
}

/// `POST /vat-payments/{id}/undo`: redirects to the return that it paid.
pub(super) async fn undo_payment(
    page: Authenticated,
    Id(id): Id,
    form: Form,
) -> Result<Response, Problem> {
    let run = move |tx: &mut Tx<'_>, cx: &Context| {
        let payment = vat_payments::undo(tx, cx, id)?;
        let path = payment.period.map_or_else(|| "/vat-payments".to_owned(), path_of);
        let (amount, entry) =
            (Some(payment.amount.abs()), entries::last_of(tx, cx, SourceType::Manual, id)?);
        let code =
            if payment.amount.is_negative() { "vat-refund-undone" } else { "vat-payment-undone" };
        Ok(Done { code: code.into(), amount, entry, ..Done::default() }.at(&path))
    };
    Ok(page.once(&form, run).await?)
}
