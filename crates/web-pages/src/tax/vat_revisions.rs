//! `/vat-revisions/{year}`: revision of the VAT deducted on assets.

use super::Year;
use crate::{done::Done, form::Form, page::Authenticated, submit::SUBMISSION};
use askama::Template;
use axum::{http::StatusCode, response::Response};
use service::{
    Context, Created,
    vat_revisions::{self, AssetRevision, Revise, YearRevision},
};
use store::Tx;
use web_core::{
    input::{self, revise_vat},
    problem::Problem,
};

#[derive(Template)]
#[template(path = "tax/vat-revision.html")]
struct View<'a> {
    page: &'a Authenticated,
    form: Form,
    revision: YearRevision,
}

impl View<'_> {
    fn year(&self) -> String {
        self.revision.year.to_string()
    }

    fn share(&self) -> String {
        self.page.texts.percent(self.revision.share.percent().round_dp(2))
    }

    fn path(&self) -> String {
        format!("/vat-revisions/{}", self.revision.year)
    }

    fn undo_path(&self) -> String {
        format!("/vat-revisions/{}/undo", self.revision.year)
    }

    fn is_pay_back(&self) -> bool {
        !self.revision.outstanding().is_negative()
    }

    fn is_waived(&self, of: &AssetRevision) -> bool {
        of.payable.is_zero() && !of.due.is_zero()
    }
}

/// `GET /vat-revisions/{year}`
pub(super) async fn show(page: Authenticated, Year(year): Year) -> Result<Response, Problem> {
    show_with(&page, year, Form::default(), StatusCode::OK).await
}

async fn show_with(
    page: &Authenticated,
    year: i16,
    form: Form,
    status: StatusCode,
) -> Result<Response, Problem> {
    let cx = page.context();
    let revision = page.list(move |tx| vat_revisions::read(tx, &cx, year)).await?;
    let form = form.with(SUBMISSION, page.new_submission()?);
    page.show_as(status, &View { page, form, revision })
}

/// `POST /vat-revisions/{year}`
pub(super) async fn revise(
    page: Authenticated,
    Year(year): Year,
    form: Form,
) -> Result<Response, Problem> {
    let parsed = input::form(form.pairs(), page.texts.language, revise_vat);
    let run = move |tx: &mut Tx<'_>, cx: &Context, command: &Revise| {
        let path = format!("/vat-revisions/{year}");
        Ok(match vat_revisions::revise(tx, cx, year, command)? {
            Created::New(revision) => {
                let (amount, entry) = (Some(revision.total.abs()), revision.entry_id);
                let undo = Some(format!("{path}/undo"));
                Done { code: "vat-revised".into(), amount, entry, undo, ..Done::default() }
                    .at(&path)
            }
            Created::Existing(known) => format!("/vat-revisions/{}", known.year),
        })
    };
    page.carry_out(form, parsed, run, async |form, status| {
        show_with(&page, year, form, status).await
    })
    .await
}

/// `POST /vat-revisions/{year}/undo`
pub(super) async fn undo(
    page: Authenticated,
    Year(year): Year,
    form: Form,
) -> Result<Response, Problem> {
    let if_filed = form.if_filed();
    let form = form.goes_to(format!("/vat-revisions/{year}/undo"));
    let run = move |tx: &mut Tx<'_>, cx: &Context| {
        vat_revisions::undo(tx, cx, year, if_filed)?;
        Ok(Done { code: "vat-revision-undone".into(), ..Done::default() }
            .at(&format!("/vat-revisions/{year}")))
    };
    page.press(form, run, async |form, status| show_with(&page, year, form, status).await).await
}
