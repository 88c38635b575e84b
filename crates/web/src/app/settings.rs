//! `/settings`: the company's details and what its owner prefers.

use crate::{
    app::{
        form::Form,
        next,
        page::{SignedInPage, see_other},
        texts::Phrase,
    },
    problem::Problem,
};
use askama::Template;
use axum::{
    http::{StatusCode, header},
    response::Response,
};
use ledger::calendar::amsterdam_today;
use service::people::{
    Language,
    settings::{self, Settings},
};

#[derive(Template)]
#[template(path = "settings.html")]
struct View<'a> {
    page: &'a SignedInPage,
    form: &'a Form,
    /// The number that the next invoice gets by the pattern in the form, if it makes one.
    preview: Option<String>,
    has_choice_of_country: bool,
}

impl View<'_> {
    fn languages(&self) -> [(&'static str, Phrase<'static>); 3] {
        let texts = self.page.texts;
        [("", texts.t("settings-language-browser")), ("nl", texts.t("language-nl")), ("en", texts.t("language-en"))]
    }
}

async fn show_with(page: &SignedInPage, form: &Form, status: StatusCode) -> Result<Response, Problem> {
    let (account, year) = (page.who.account.id, amsterdam_today(page.app.now()).year());
    let pattern = form.value("number_pattern").to_owned();
    let looked_up = page.app.look_up(move |tx| {
        Ok((settings::next_number(tx, account, &pattern, year)?, settings::has_choice_of_country(tx, account)?))
    });
    let (preview, has_choice_of_country) = looked_up.await?;
    page.show_as(status, &View { page, form, preview, has_choice_of_country })
}

/// `GET /settings`
pub(crate) async fn show(page: SignedInPage) -> Result<Response, Problem> {
    let now = Settings::of(&page.who.account);
    let form = Form::of([
        ("name", now.name.as_str()),
        ("street", &now.street),
        ("postal_code", &now.postal_code),
        ("city", &now.city),
        ("country", &now.country),
        ("kvk_number", &now.kvk_number),
        ("vat_number", &now.vat_number),
        ("iban", &now.iban),
        ("payment_term_days", &now.payment_term_days),
        ("number_pattern", &now.number_pattern),
        ("language", &now.language),
    ]);
    show_with(&page, &form, StatusCode::OK).await
}

/// `POST /settings`
pub(crate) async fn send(page: SignedInPage, mut form: Form) -> Result<Response, Problem> {
    let text = |name: &str| form.value(name).to_owned();
    let given = Settings {
        name: text("name"),
        street: text("street"),
        postal_code: text("postal_code"),
        city: text("city"),
        country: text("country"),
        kvk_number: text("kvk_number"),
        vat_number: text("vat_number"),
        iban: text("iban"),
        payment_term_days: text("payment_term_days"),
        number_pattern: text("number_pattern"),
        language: text("language"),
    };
    let (random, now, visitor, account) = (page.app.random(), page.app.now(), page.visitor.clone(), page.who.account.clone());
    match page.app.write(move |tx| settings::update(tx, &*random, now, &account, &given, &visitor)).await {
        Ok(_) => Ok(page.noted(see_other("/settings?done=saved"))),
        Err(error) => {
            form.take(error, page.texts)?;
            show_with(&page, &form, StatusCode::UNPROCESSABLE_ENTITY).await
        }
    }
}

/// `POST /settings/language`: the choice at the foot of a page, for whose account has a language. It leads back to that page.
pub(crate) async fn send_language(page: SignedInPage, form: Form) -> Result<Response, Problem> {
    let mut response = see_other(next::local(form.raw("next")).unwrap_or("/settings"));
    if let Some(language) = Language::parse(form.value("language")) {
        let (random, now, visitor, account) = (page.app.random(), page.app.now(), page.visitor.clone(), page.who.account.id);
        page.app.write(move |tx| settings::set_language(tx, &*random, now, account, language, &visitor)).await?;
        // The browser remembers it too, for when nobody is signed in.
        response.headers_mut().append(header::SET_COOKIE, page.app.cookies().language(language.as_str()));
    }
    Ok(response)
}
