//! `/settings/vat`: the VAT scheme, what sales mean by default, the hours criterion, and the first number of the year.

use super::owner;
use crate::{
    input::{self, update_tax_settings},
    pages::{
        form::Form,
        page::Authenticated,
        submit::{SUBMISSION, Submitted},
        texts::Phrase,
    },
    problem::Problem,
};
use askama::Template;
use axum::{http::StatusCode, response::Response};
use ledger::vat::VatScheme;
use service::{
    Context,
    tax_settings::{self, TaxSettings, UpdateTaxSettings},
};
use store::Tx;

#[derive(Template)]
#[template(path = "settings/vat.html")]
struct View<'a> {
    page: &'a Authenticated,
    form: &'a Form,
    settings: TaxSettings,
}

impl View<'_> {
    fn scheme(&self, scheme: &VatScheme) -> Phrase<'static> {
        match scheme {
            VatScheme::Normal => self.page.texts.t("vat-scheme-normal"),
            VatScheme::Kor => self.page.texts.t("vat-scheme-kor"),
        }
    }

    fn supplies(&self) -> [(&'static str, Phrase<'static>); 2] {
        let texts = self.page.texts;
        [("services", texts.t("vat-supply-services")), ("goods", texts.t("vat-supply-goods"))]
    }

    fn zero_meanings(&self) -> [(&'static str, Phrase<'static>); 3] {
        let texts = self.page.texts;
        [
            ("zero", texts.t("vat-zero-zero")),
            ("exempt", texts.t("vat-zero-exempt")),
            ("reverseCharge", texts.t("vat-zero-reverse-charge")),
        ]
    }

    fn majorities(&self) -> [(&'static str, Phrase<'static>); 3] {
        let texts = self.page.texts;
        [("", texts.t("vat-majority-unsaid")), ("true", texts.t("vat-majority-yes")), ("false", texts.t("vat-majority-no"))]
    }

    fn next_number(&self) -> String {
        self.page.t("vat-next-number").with("year", &self.settings.year.to_string()).into()
    }
}

fn fill(settings: &TaxSettings) -> Form {
    let says = &settings.says;
    let form = Form::of([
        ("scheme", settings.scheme.as_str().to_owned()),
        ("supply", says.sales.supply.as_str().to_owned()),
        ("zeroMeans", says.sales.zero_means.as_str().to_owned()),
        ("majorityOfTime", says.majority_of_time.map(|said| said.to_string()).unwrap_or_default()),
        ("nextNumber", settings.next_number.to_string()),
    ]);
    if says.starter { form.with("starter", "true") } else { form }
}

async fn show_with(page: &Authenticated, form: Option<Form>, status: StatusCode) -> Result<Response, Problem> {
    let cx = owner(page)?;
    let settings = page.app.read(move |tx| tax_settings::read(tx, &cx)).await?;
    let form = match form {
        Some(form) => form,
        None => fill(&settings).with(SUBMISSION, page.new_submission()?),
    };
    page.show_as(status, &View { page, form: &form, settings })
}

/// `GET /settings/vat`
pub(super) async fn show(page: Authenticated) -> Result<Response, Problem> {
    show_with(&page, None, StatusCode::OK).await
}

/// `POST /settings/vat`
pub(super) async fn send(page: Authenticated, mut form: Form) -> Result<Response, Problem> {
    owner(&page)?;
    let parsed = input::form(form.pairs(), page.texts.language, update_tax_settings);
    let run = |tx: &mut Tx<'_>, cx: &Context, command: &UpdateTaxSettings| {
        tax_settings::update(tx, cx, command)?;
        Ok("/settings/vat?done=saved".to_owned())
    };
    match page.submit(&mut form, parsed, |_, _, ()| Ok(Vec::new()), run).await? {
        Submitted::Done(response) => Ok(response),
        Submitted::Refused | Submitted::Changed => show_with(&page, Some(form), StatusCode::UNPROCESSABLE_ENTITY).await,
    }
}
