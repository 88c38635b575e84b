//! `/settings/language`: the language of the pages, and the language choice at the foot of every
//! page.

use crate::{
    form::Form,
    page::{Authenticated, see_other},
    return_to,
    texts::Phrase,
};
use askama::Template;
use axum::{
    http::{StatusCode, header},
    response::Response,
};
use service::people::{Language, settings};
use web_core::problem::Problem;

#[derive(Template)]
#[template(path = "settings/language.html")]
struct View<'a> {
    page: &'a Authenticated,
    form: &'a Form,
}

/// Path of the page, to which its form is also submitted.
const HERE: &str = "/settings/language";

impl View<'_> {
    fn languages(&self) -> [(&'static str, Phrase<'static>); 3] {
        let texts = self.page.texts;
        [
            ("", texts.t("settings-language-browser")),
            ("nl", texts.t("language-nl")),
            ("en", texts.t("language-en")),
        ]
    }
}

/// `GET /settings/language`
pub(crate) async fn show(page: Authenticated) -> Result<Response, Problem> {
    let form = Form::of([("language", page.who.account.language.clone().unwrap_or_default())]);
    page.show(&View { page: &page, form: &form })
}

/// `POST /settings/language`: the form of this page, or the choice at the foot of any page, which
/// redirects back to that page. Idempotent.
pub(crate) async fn send(page: Authenticated, form: Form) -> Result<Response, Problem> {
    let chosen = form.value("language");
    let language = Language::parse(chosen);
    let back = return_to::local(form.raw("next"));
    if language.is_none() && !chosen.is_empty() {
        // The choice at the foot of a page offers only supported languages, so no fault is shown
        // there.
        if let Some(back) = back {
            return Ok(see_other(back));
        }
        let form = form.clone().refused("language", page.t("fault-unknown-value").to_string());
        return page.show_as(StatusCode::UNPROCESSABLE_ENTITY, &View { page: &page, form: &form });
    }
    let (account, env) = (page.who.account.id, page.env());
    page.app
        .execute(account, move |tx| settings::set_language(tx, &env, account, language))
        .await?;
    let mut response = see_other(back.unwrap_or("/settings/language?done=saved"));
    // A cookie stores the language too, for visits without a session.
    if let Some(language) = language {
        response
            .headers_mut()
            .append(header::SET_COOKIE, page.app.cookies().language(language.as_str()));
    }
    Ok(if back.is_none_or(|there| there == HERE) { page.with_flash(response) } else { response })
}
