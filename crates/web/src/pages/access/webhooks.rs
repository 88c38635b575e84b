//! `/api-access/webhooks`: where programs want to be sent what happens, and what became of it.

use crate::{
    api::webhooks::with_environment,
    input::{self, new_webhook},
    pages::{
        form::Form,
        id::Id,
        page::{Authenticated, see_other},
        return_to,
        texts::Phrase,
    },
    problem::{self, Problem},
};
use askama::Template;
use axum::{
    Router,
    extract::Path,
    http::StatusCode,
    response::Response,
    routing::{get, post},
};
use form_urlencoded::Serializer;
use service::{
    Actor, Error,
    webhooks::{self, EditWebhook, Environment, Shown},
};
use store::{
    Tx,
    changes::Kind,
    webhooks::{Delivery, DeliveryStatus, Disabled, Webhook},
};

const PATH: &str = "/api-access/webhooks";
/// Messages that the page of a webhook shows.
const SHOWN: i64 = 50;

/// The pages and what their forms lead to.
pub(super) fn router() -> Router<crate::AppState> {
    Router::new()
        .route("/api-access/webhooks/new", get(new).post(create))
        .route("/api-access/webhooks/{id}", get(show))
        .route("/api-access/webhooks/{id}/test", post(test))
        .route("/api-access/webhooks/{id}/enable", post(enable))
        .route("/api-access/webhooks/{id}/disable", post(disable))
        .route("/api-access/webhooks/{id}/rotate-secret", post(rotate))
        .route("/api-access/webhooks/{id}/delete", post(delete))
        .route("/api-access/webhooks/{id}/deliveries/{delivery}/redeliver", post(redeliver))
}

#[derive(Template)]
#[template(path = "access/webhook-form.html")]
struct FormView<'a> {
    page: &'a Authenticated,
    form: &'a Form,
    /// What can be asked for, each with its name.
    kinds: Vec<(String, Phrase<'a>)>,
}

#[derive(Template)]
#[template(path = "access/webhook-secret.html")]
struct SecretView<'a> {
    page: &'a Authenticated,
    shown: &'a Shown,
}

#[derive(Template)]
#[template(path = "access/webhook.html")]
struct View<'a> {
    page: &'a Authenticated,
    webhook: Webhook,
    deliveries: Vec<Delivery>,
}

fn may(page: &Authenticated) -> Result<Actor, Error> {
    let actor = Actor::owner(&page.who.account);
    actor.require_plan(page.app.config().api_min_plan)?;
    Ok(actor)
}

/// The id in the address of a page.
async fn number(text: &str) -> Result<i64, Problem> {
    match text.parse() {
        Ok(id) => Ok(id),
        Err(_) => Err(problem::unknown_route().await),
    }
}

/// What a kind is called on pages.
fn name<'a>(page: &'a Authenticated, kind: Kind) -> Phrase<'a> {
    match kind {
        Kind::Invoice => page.t("webhook-invoices"),
        Kind::CreditNote => page.t("webhook-credit-notes"),
        Kind::Payment => page.t("webhook-payments"),
        Kind::Contact => page.t("webhook-contacts"),
        Kind::Project => page.t("webhook-projects"),
        Kind::TimeEntry => page.t("webhook-time-entries"),
        Kind::HoursLog => page.t("webhook-hours-log"),
        Kind::Expense => page.t("webhook-expenses"),
        Kind::VatFiling => page.t("webhook-vat-filings"),
    }
}

fn show_form(page: &Authenticated, form: &Form, status: StatusCode) -> Result<Response, Problem> {
    let kinds = Kind::ALL.iter().map(|(text, kind)| (format!("{text}.*"), name(page, *kind))).collect();
    page.show_as(status, &FormView { page, form, kinds })
}

/// `GET /api-access/webhooks/new`
async fn new(page: Authenticated) -> Result<Response, Problem> {
    may(&page)?;
    // What was filled in before the password was asked for.
    let query = page.path_and_query().split_once('?').map_or("", |(_, query)| query);
    show_form(&page, &Form::read(query.as_bytes()).unwrap_or_default(), StatusCode::OK)
}

/// `POST /api-access/webhooks/new`
async fn create(page: Authenticated, mut form: Form) -> Result<Response, Problem> {
    let actor = may(&page)?;
    let types = form.all("types").map(str::to_owned).collect::<Vec<_>>();
    if !page.who.is_fresh(page.app.now()) {
        return Ok(see_other(&return_to::with_next("/password/confirm", &filled_in(&form, &types))));
    }
    let numbered: Vec<(String, String)> =
        types.into_iter().enumerate().map(|(place, name)| (format!("types.{place}"), name)).collect();
    let given = form.pairs().filter(|(name, _)| matches!(*name, "url" | "description"));
    let fields = given.chain(numbered.iter().map(|(name, value)| (name.as_str(), value.as_str())));
    let parsed = input::form(fields, page.texts.language, new_webhook);
    let made = match parsed.command {
        Some(command) => {
            commanded(&page, actor, move |tx, actor, env, now| webhooks::create(tx, actor, env, now, &command)).await
        }
        None => Err(Error::Invalid(parsed.faults)),
    };
    match made {
        Ok(shown) => page.show(&SecretView { page: &page, shown: &shown }),
        Err(Error::Invalid(faults)) => {
            form.take_faults(&faults, page.texts);
            show_form(&page, &form, StatusCode::UNPROCESSABLE_ENTITY)
        }
        Err(trouble) => Err(trouble.into()),
    }
}

/// The page with the form as it was filled in.
fn filled_in(form: &Form, types: &[String]) -> String {
    let mut query = Serializer::new(String::new());
    query.append_pair("url", form.value("url")).append_pair("description", form.value("description"));
    for name in types {
        query.append_pair("types", name);
    }
    format!("{PATH}/new?{}", query.finish())
}

/// Runs a command on webhooks.
async fn commanded<T: Send + 'static>(
    page: &Authenticated,
    actor: Actor,
    command: impl Fn(&mut Tx<'_>, &Actor, &Environment<'_>, jiff::Timestamp) -> Result<T, Error> + Send + 'static,
) -> Result<T, Error> {
    let (app, now, address) = (page.app.clone(), page.app.now(), page.visitor.address.clone());
    let run = move |tx: &mut Tx<'_>| with_environment(&app, &address, |env| command(tx, &actor, env, now));
    let done = page.app.write(run).await;
    page.app.store().reported().notify_one();
    done
}

/// `GET /api-access/webhooks/{id}`
async fn show(page: Authenticated, Id(text): Id) -> Result<Response, Problem> {
    let (actor, id) = (Actor::owner(&page.who.account), number(&text).await?);
    let question = move |tx: &mut Tx<'_>| webhooks::deliveries(tx, &actor, id, None, i64::MAX, SHOWN);
    let (webhook, deliveries) = page.app.read(question).await?;
    page.show(&View { page: &page, webhook, deliveries })
}

fn back_to(page: &Authenticated, id: i64, done: &str) -> Response {
    page.with_flash(see_other(&format!("{PATH}/{id}?done={done}")))
}

/// `POST /api-access/webhooks/{id}/test`
async fn test(page: Authenticated, Id(text): Id) -> Result<Response, Problem> {
    let (actor, id) = (may(&page)?, number(&text).await?);
    commanded(&page, actor, move |tx, actor, _, now| webhooks::test(tx, actor, now, id)).await?;
    Ok(back_to(&page, id, "webhook-tested"))
}

/// `POST /api-access/webhooks/{id}/enable`
async fn enable(page: Authenticated, Id(text): Id) -> Result<Response, Problem> {
    switch(&page, &text, true).await
}

/// `POST /api-access/webhooks/{id}/disable`
async fn disable(page: Authenticated, Id(text): Id) -> Result<Response, Problem> {
    switch(&page, &text, false).await
}

async fn switch(page: &Authenticated, text: &str, on: bool) -> Result<Response, Problem> {
    let (actor, id) = (Actor::owner(&page.who.account), number(text).await?);
    let edit = EditWebhook { enabled: Some(on), ..EditWebhook::default() };
    commanded(page, actor, move |tx, actor, env, now| webhooks::edit(tx, actor, env, now, id, &edit)).await?;
    Ok(back_to(page, id, if on { "webhook-enabled" } else { "webhook-disabled" }))
}

/// `POST /api-access/webhooks/{id}/rotate-secret`
async fn rotate(page: Authenticated, Id(text): Id) -> Result<Response, Problem> {
    let (actor, id) = (may(&page)?, number(&text).await?);
    if !page.who.is_fresh(page.app.now()) {
        return Ok(see_other(&return_to::with_next("/password/confirm", &format!("{PATH}/{id}"))));
    }
    let shown = commanded(&page, actor, move |tx, actor, env, now| webhooks::rotate(tx, actor, env, now, id)).await?;
    page.show(&SecretView { page: &page, shown: &shown })
}

/// `POST /api-access/webhooks/{id}/delete`
async fn delete(page: Authenticated, Id(text): Id) -> Result<Response, Problem> {
    let (actor, id) = (Actor::owner(&page.who.account), number(&text).await?);
    commanded(&page, actor, move |tx, actor, env, now| webhooks::delete(tx, actor, env, now, id)).await?;
    Ok(page.with_flash(see_other("/api-access?done=webhook-deleted")))
}

/// `POST /api-access/webhooks/{id}/deliveries/{delivery}/redeliver`
async fn redeliver(page: Authenticated, Path((text, message)): Path<(String, String)>) -> Result<Response, Problem> {
    let (actor, id) = (may(&page)?, number(&text).await?);
    commanded(&page, actor, move |tx, actor, _, now| webhooks::redeliver(tx, actor, now, id, &message)).await?;
    Ok(back_to(&page, id, "webhook-redelivered"))
}

impl View<'_> {
    fn message(&self, delivery: &Delivery) -> String {
        webhooks::message_id(&self.webhook, delivery.id)
    }

    fn status(&self, delivery: &Delivery) -> Phrase<'static> {
        match delivery.status {
            DeliveryStatus::Pending => self.page.t("webhook-pending"),
            DeliveryStatus::Delivered => self.page.t("webhook-delivered"),
            DeliveryStatus::Failed => self.page.t("webhook-failed"),
        }
    }

    #[expect(clippy::unused_self, reason = "a template reaches it by its view")]
    fn tone(&self, delivery: &Delivery) -> &'static str {
        match delivery.status {
            DeliveryStatus::Pending => "warn",
            DeliveryStatus::Delivered => "good",
            DeliveryStatus::Failed => "bad",
        }
    }

    /// Why nothing is sent.
    fn why(&self) -> Phrase<'static> {
        match self.webhook.disabled_because {
            Some(Disabled::Failing) => self.page.t("webhook-off-failing"),
            Some(Disabled::Gone) => self.page.t("webhook-off-gone"),
            Some(Disabled::ByOwner) | None => self.page.t("webhook-off-owner"),
        }
    }
}
