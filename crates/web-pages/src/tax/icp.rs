//! `/icp` and `/icp/{period}`: ICP declarations (EC sales lists): review, copy, file and reopen.

use super::Period;
use crate::{
    done::Done, form::Form, frame::download, id, page::Authenticated, submit::SUBMISSION,
    texts::Phrase,
};
use askama::Template;
use axum::{
    extract::FromRequestParts,
    http::{StatusCode, request::Parts},
    response::Response,
};
use jiff::civil::Date;
use ledger::vat_period::VatPeriod;
use service::{
    Context, Error,
    icp::{self, Declaration, IcpDetails},
};
use store::Tx;
use web_core::{input::Parsed, problem::Problem};

#[derive(Template)]
#[template(path = "tax/icp-list.html")]
struct ListView<'a> {
    page: &'a Authenticated,
    lists: Vec<IcpDetails>,
    today: Date,
}

impl ListView<'_> {
    fn state(&self, list: &IcpDetails) -> (&'static str, Phrase<'static>) {
        state(self.page, list, self.today)
    }
}

#[derive(Template)]
#[template(path = "tax/icp.html")]
struct View<'a> {
    page: &'a Authenticated,
    form: Form,
    details: IcpDetails,
    declaration: Declaration,
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
        self.declaration.last_day < self.today
    }

    fn next_day(&self) -> Date {
        self.details.period.next().first_day()
    }

    fn file(&self, ending: &str) -> String {
        format!("/icp/{}.{ending}", self.details.period)
    }
}

/// Status of a list: tone and text of its badge.
fn state(page: &Authenticated, list: &IcpDetails, today: Date) -> (&'static str, Phrase<'static>) {
    if list.filed().is_some() {
        ("good", page.texts.t("vat-state-filed"))
    } else if today <= list.period.last_day() {
        ("plain", page.texts.t("vat-state-so-far"))
    } else if !list.declaration.declares_anything() {
        ("plain", page.texts.t("vat-state-none"))
    } else if today <= list.deadline().file_by {
        ("", page.texts.t("vat-state-to-file"))
    } else {
        ("bad", page.texts.t("vat-state-late"))
    }
}

/// `GET /icp`
pub(super) async fn list(page: Authenticated) -> Result<Response, Problem> {
    let cx = page.context();
    let today = cx.today();
    let lists = page.list(move |tx| icp::list(tx, &cx, None)).await?;
    page.show(&ListView { page: &page, lists, today })
}

/// Period in the URL of a list, and whether the list is requested as a file. A route cannot have an
/// extension after a parameter, so the parameter includes `.csv` or `.xlsx`.
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

/// `GET /icp/{period}`; with `.csv` or `.xlsx` appended, the list as a file.
pub(super) async fn show(
    page: Authenticated,
    Listed(period, is_file): Listed,
) -> Result<Response, Problem> {
    if is_file {
        let cx = page.context();
        let details = page.list(move |tx| icp::read(tx, &cx, period)).await?;
        return file_of(&page, period, &details.declaration);
    }
    let form = Form::default().with(SUBMISSION, page.new_submission()?);
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
    let details = page.list(move |tx| icp::read(tx, &cx, period)).await?;
    let declaration = details.declaration.clone();
    page.show_as(status, &View { page, form, details, declaration, today })
}

/// Returns a declaration as a file of the requested format.
pub(super) fn file_of(
    page: &Authenticated,
    period: VatPeriod,
    declaration: &Declaration,
) -> Result<Response, Problem> {
    let name = match period.as_quarter() {
        Some(quarter) => format!("icp-{}-{}", quarter.year(), quarter.number()),
        None => format!("icp-{period}"),
    };
    let format = page.format();
    let bytes = icp::file_of(declaration, format).map_err(download::unwritten)?;
    Ok(download::file(format, &name, bytes))
}

/// Carries out a command on a list, then redirects to it.
async fn carry_out(
    page: &Authenticated,
    period: VatPeriod,
    form: Form,
    code: &'static str,
    command: fn(&mut Tx<'_>, &Context, VatPeriod) -> Result<IcpDetails, Error>,
) -> Result<Response, Problem> {
    let run = move |tx: &mut Tx<'_>, cx: &Context, period: &VatPeriod| {
        command(tx, cx, *period)?;
        Ok(Done { code: code.into(), ..Done::default() }.at(&format!("/icp/{period}")))
    };
    page.carry_out(form, Parsed::new(None, Some(period)), run, async |form, status| {
        show_with(page, period, form, status).await
    })
    .await
}

/// `POST /icp/{period}/file`
pub(super) async fn file(
    page: Authenticated,
    Period(period): Period,
    form: Form,
) -> Result<Response, Problem> {
    carry_out(&page, period, form, "icp-filed", icp::file).await
}

/// `POST /icp/{period}/reopen`
pub(super) async fn reopen(
    page: Authenticated,
    Period(period): Period,
    form: Form,
) -> Result<Response, Problem> {
    carry_out(&page, period, form, "icp-reopened", icp::reopen).await
}
