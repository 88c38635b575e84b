//! Webhooks and their deliveries, for the account and its test account.

use crate::{
    extractors::Answer,
    form::Form,
    id::Id,
    labels,
    page::{Authenticated, see_other},
    return_to,
    submit::{Difference, SUBMISSION, VERSION},
    table::Page,
    texts::Phrase,
};
use askama::Template;
use axum::{
    extract::{FromRequestParts, Path},
    http::{StatusCode, request::Parts},
    response::Response,
};
use form_urlencoded::Serializer;
use service::{
    Context, Error, test_accounts,
    webhooks::{self, EditWebhook, NewWebhook, Sending, Shown, WEBHOOK_TYPES},
};
use std::ops::Deref;
use store::{
    Tx,
    changes::ResourceKind,
    webhooks::{Delivery, DeliveryStatus, Disabled, Webhook},
};
use web_core::outbox::webhooks::settings::{sending, validated};
use web_core::{
    input::{self, Parsed, new_webhook},
    problem::{self, Problem},
};

/// Base path of the account's webhooks.
const OF_ACCOUNT: &str = "/api-access/webhooks";
const OF_TEST_ACCOUNT: &str = "/api-access/test-account/webhooks";
/// Number of deliveries shown on the page of a webhook.
const SHOWN: i64 = 50;

/// The pages about webhooks, and the targets of their forms.
pub(super) fn pages() -> Vec<Page> {
    vec![
        Page::at("/api-access/webhooks/new").get(new).post(create),
        Page::at("/api-access/webhooks/{id}").get(show),
        Page::at("/api-access/webhooks/{id}/edit").get(edit).post(update),
        Page::at("/api-access/webhooks/{id}/test").post(test),
        Page::at("/api-access/webhooks/{id}/enable").post(enable),
        Page::at("/api-access/webhooks/{id}/disable").post(disable),
        Page::at("/api-access/webhooks/{id}/rotate-secret").post(rotate),
        Page::at("/api-access/webhooks/{id}/delete").post(delete),
        Page::at("/api-access/webhooks/{id}/deliveries/{delivery}/redeliver").post(redeliver),
        Page::at("/api-access/test-account/webhooks/new").get(new).post(create),
        Page::at("/api-access/test-account/webhooks/{id}").get(show),
        Page::at("/api-access/test-account/webhooks/{id}/edit").get(edit).post(update),
        Page::at("/api-access/test-account/webhooks/{id}/test").post(test),
        Page::at("/api-access/test-account/webhooks/{id}/enable").post(enable),
        Page::at("/api-access/test-account/webhooks/{id}/disable").post(disable),
        Page::at("/api-access/test-account/webhooks/{id}/rotate-secret").post(rotate),
        Page::at("/api-access/test-account/webhooks/{id}/delete").post(delete),
        Page::at("/api-access/test-account/webhooks/{id}/deliveries/{delivery}/redeliver")
            .post(redeliver),
    ]
}

/// Signed-in user, with the context of the live or test account that the URL refers to.
struct Hooks {
    page: Authenticated,
    cx: Context,
    /// Base path of the webhooks of the account in `cx`.
    under: &'static str,
}

impl Deref for Hooks {
    type Target = Authenticated;

    fn deref(&self) -> &Authenticated {
        &self.page
    }
}

impl<S: Sync> FromRequestParts<S> for Hooks {
    type Rejection = Answer;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Answer> {
        let page = Authenticated::from_request_parts(parts, state).await?;
        if !page.path().starts_with(OF_TEST_ACCOUNT) {
            let cx = page.context();
            return Ok(Self { page, cx, under: OF_ACCOUNT });
        }
        let live = page.who.account.id;
        match page.app.query(live, move |tx| test_accounts::find(tx, live)).await {
            Ok(Some(test)) => {
                let cx = page.context_of(&test);
                Ok(Self { page, cx, under: OF_TEST_ACCOUNT })
            }
            Ok(None) => Err(Answer::of(problem::unknown_route().await)),
            Err(trouble) => Err(Answer::of(Problem::from(trouble))),
        }
    }
}

impl Hooks {
    fn require_plan(&self) -> Result<(), Error> {
        self.cx.actor.require_plan(self.app.config().api_min_plan)
    }

    /// Runs a command on webhooks, then wakes the task that sends queued messages.
    async fn command<T: Send + 'static>(
        &self,
        command: impl Fn(&mut Tx<'_>, &Context, &Sending) -> Result<T, Error> + Send + 'static,
    ) -> Result<T, Error> {
        let (cx, sending) = (self.cx.clone(), sending(&self.app));
        let account = cx.actor.account;
        let run = move |tx: &mut Tx<'_>| command(tx, &cx, &sending);
        let done = self.app.execute(account, run).await;
        self.app.store().reported().notify_one();
        done
    }

    async fn webhook(&self, id: i64) -> Result<Webhook, Error> {
        let cx = self.cx.clone();
        self.app.query(cx.actor.account, move |tx| webhooks::read(tx, &cx, id)).await
    }

    fn page_of(&self, id: i64, done: &str) -> String {
        format!("{}/{id}?done={done}", self.under)
    }

    /// Executes the command of a button, only once for the same form, then redirects to `there`.
    async fn act<T>(
        &self,
        form: &Form,
        there: String,
        command: impl Fn(&mut Tx<'_>, &Context, &Sending) -> Result<T, Error> + Send + 'static,
    ) -> Result<Response, Problem> {
        let (cx, sending) = (self.cx.clone(), sending(&self.app));
        let done =
            self.once(form, move |tx, _| command(tx, &cx, &sending).map(|_| there.clone())).await;
        self.app.store().reported().notify_one();
        Ok(done?)
    }

    /// Redirects to password confirmation, which returns to `then`.
    fn ask_for_password(&self, then: &str) -> Response {
        see_other(&return_to::with_next("/password/confirm", then))
    }

    fn show_form(
        &self,
        form: &Form,
        edited: Option<i64>,
        differences: Vec<Difference>,
        status: StatusCode,
    ) -> Result<Response, Problem> {
        let is_reported =
            |kind: ResourceKind| WEBHOOK_TYPES.iter().any(|(reported, ..)| *reported == kind);
        let kinds = ResourceKind::ALL
            .iter()
            .filter(|(_, kind)| is_reported(*kind))
            .map(|(text, kind)| (format!("{text}.*"), self.name(*kind)))
            .collect();
        self.show_as(
            status,
            &FormView { page: self, under: self.under, form, edited, kinds, differences },
        )
    }

    /// Name of a kind of resource, as shown on pages.
    fn name(&self, kind: ResourceKind) -> Phrase<'static> {
        match kind {
            ResourceKind::Invoice => self.t("webhook-invoices"),
            ResourceKind::CreditNote => self.t("webhook-credit-notes"),
            ResourceKind::Payment => self.t("webhook-payments"),
            ResourceKind::Contact => self.t("webhook-contacts"),
            ResourceKind::Project => self.t("webhook-projects"),
            ResourceKind::TimeEntry => self.t("webhook-time-entries"),
            ResourceKind::HoursLog => self.t("webhook-hours-log"),
            ResourceKind::Expense => self.t("webhook-expenses"),
            ResourceKind::VatFiling => self.t("webhook-vat-filings"),
            ResourceKind::VatReturn => self.t("webhook-vat-returns"),
            ResourceKind::Icp => self.t("webhook-icp"),
            ResourceKind::Kor => self.t("webhook-kor"),
            ResourceKind::OssReturn => self.t("webhook-oss-returns"),
            ResourceKind::BankAccount => self.t("bank-accounts-title"),
            ResourceKind::BankStatement => self.t("webhook-bank-statements"),
            ResourceKind::BankLine => self.t("webhook-bank-lines"),
            ResourceKind::PaymentBatch => self.t("webhook-payment-batches"),
            ResourceKind::Quote => self.t("nav-quotes"),
            ResourceKind::Article => self.t("nav-articles"),
            ResourceKind::RecurringInvoice => self.t("nav-recurring"),
        }
    }

    /// Reads a webhook from a form.
    fn read_form(&self, form: &Form) -> Parsed<NewWebhook> {
        let types =
            form.all("types").enumerate().map(|(place, name)| (format!("types.{place}"), name));
        let types: Vec<(String, &str)> = types.collect();
        let given = form.pairs().filter(|(name, _)| matches!(*name, "url" | "description"));
        let fields = given.chain(types.iter().map(|(name, value)| (name.as_str(), *value)));
        let mut parsed =
            validated(input::form(fields, self.texts.language, new_webhook), &sending(&self.app));
        // The page shows the faults of all type checkboxes in one place.
        for fault in parsed.faults.iter_mut().filter(|fault| fault.path.starts_with("/types/")) {
            "/types".clone_into(&mut fault.path);
        }
        parsed
    }
}

#[derive(Template)]
#[template(path = "access/webhook-form.html")]
struct FormView<'a> {
    page: &'a Authenticated,
    under: &'static str,
    form: &'a Form,
    /// Webhook being edited.
    edited: Option<i64>,
    /// Groups of event types to choose from, each with its name.
    kinds: Vec<(String, Phrase<'a>)>,
    /// Edit conflicts: the submitted and the stored value of each field that differs.
    differences: Vec<Difference>,
}

#[derive(Template)]
#[template(path = "access/webhook-secret.html")]
struct SecretView<'a> {
    page: &'a Authenticated,
    under: &'static str,
    shown: &'a Shown,
}

#[derive(Template)]
#[template(path = "access/webhook.html")]
struct View<'a> {
    page: &'a Authenticated,
    under: &'static str,
    webhook: Webhook,
    deliveries: Vec<Delivery>,
}

/// Form restored from the query, after a redirect to password confirmation.
fn filled_before(page: &Authenticated) -> Option<Form> {
    let (_, query) = page.path_and_query().split_once('?')?;
    Form::read(query.as_bytes()).ok().filter(|form| form.pairs().any(|(name, _)| name == "url"))
}

/// URL of a page, with the submitted fields in the query.
fn filled_in(path: &str, form: &Form) -> String {
    let mut query = Serializer::new(String::new());
    query
        .append_pair("url", form.value("url"))
        .append_pair("description", form.value("description"));
    for name in form.all("types") {
        query.append_pair("types", name);
    }
    if !form.raw(VERSION).is_empty() {
        query.append_pair(VERSION, form.raw(VERSION));
    }
    format!("{path}?{}", query.finish())
}

/// `GET /api-access/webhooks/new`
async fn new(hooks: Hooks) -> Result<Response, Problem> {
    hooks.require_plan()?;
    hooks.show_form(&filled_before(&hooks).unwrap_or_default(), None, Vec::new(), StatusCode::OK)
}

/// `POST /api-access/webhooks/new`
async fn create(hooks: Hooks, mut form: Form) -> Result<Response, Problem> {
    hooks.require_plan()?;
    if !hooks.who.is_fresh(hooks.app.now()) {
        return Ok(hooks.ask_for_password(&filled_in(&format!("{}/new", hooks.under), &form)));
    }
    let parsed = hooks.read_form(&form);
    let made = match parsed.command {
        Some(command) => {
            hooks.command(move |tx, cx, sending| webhooks::create(tx, cx, sending, &command)).await
        }
        None => Err(Error::Invalid(parsed.faults)),
    };
    match made {
        Ok(shown) => hooks.show(&SecretView { page: &hooks, under: hooks.under, shown: &shown }),
        Err(Error::Invalid(faults)) => {
            form.take_faults(&faults, hooks.texts);
            hooks.show_form(&form, None, Vec::new(), StatusCode::UNPROCESSABLE_ENTITY)
        }
        Err(trouble) => Err(trouble.into()),
    }
}

/// Form filled from a webhook.
fn fill(webhook: &Webhook) -> Form {
    let fields = [
        ("url", webhook.url.clone()),
        ("description", webhook.description.clone().unwrap_or_default()),
    ];
    Form::of(fields.into_iter().chain(webhook.types.0.iter().map(|name| ("types", name.clone()))))
}

/// Form with the types joined into one text, so that each field has one value to compare.
fn in_words(form: &Form) -> Form {
    let mut types: Vec<&str> = form.all("types").collect();
    types.sort_unstable();
    Form::of([
        ("url", form.value("url")),
        ("description", form.value("description")),
        ("types", &types.join(", ")),
    ])
}

/// `GET /api-access/webhooks/{id}/edit`
async fn edit(hooks: Hooks, Id(id): Id) -> Result<Response, Problem> {
    hooks.require_plan()?;
    let there = fill(&hooks.webhook(id).await?);
    let version = there.version();
    let form = filled_before(&hooks).unwrap_or(there);
    let form = if form.raw(VERSION).is_empty() { form.with(VERSION, version) } else { form };
    hooks.show_form(
        &form.with(SUBMISSION, hooks.new_submission()?),
        Some(id),
        Vec::new(),
        StatusCode::OK,
    )
}

/// `POST /api-access/webhooks/{id}/edit`
async fn update(hooks: Hooks, Id(id): Id, form: Form) -> Result<Response, Problem> {
    hooks.require_plan()?;
    hooks.webhook(id).await?;
    if !hooks.who.is_fresh(hooks.app.now()) {
        return Ok(hooks.ask_for_password(&filled_in(&format!("{}/{id}/edit", hooks.under), &form)));
    }
    let parsed = hooks.read_form(&form);
    let (cx, sending) = (hooks.cx.clone(), sending(&hooks.app));
    let (under, version) = (hooks.under, form.raw(VERSION).to_owned());
    let run = move |tx: &mut Tx<'_>, _: &Context, command: &NewWebhook| {
        let there = webhooks::read(tx, &cx, id)?;
        if !version.is_empty() && fill(&there).version() != version {
            return Err(Error::Changed);
        }
        let edit = EditWebhook {
            url: Some(command.url.clone()),
            types: Some(command.types.clone()),
            description: Some(command.description.clone()),
            enabled: None,
        };
        webhooks::edit(tx, &cx, &sending, id, &edit, &|_| true)?;
        Ok(format!("{under}/{id}?done=webhook-edited"))
    };
    hooks
        .carry_out(form, parsed, run, async |form, status| {
            if !form.is_outdated() {
                return hooks.show_form(&form, Some(id), Vec::new(), status);
            }
            let now = fill(&hooks.webhook(id).await?);
            let (typed, there) = (in_words(&form), in_words(&now));
            let differences = hooks.labelled(typed.differences(&there), labels::WEBHOOK);
            let form = form.with(VERSION, now.version());
            hooks.show_form(&form, Some(id), differences, status)
        })
        .await
}

/// `GET /api-access/webhooks/{id}`
async fn show(hooks: Hooks, Id(id): Id) -> Result<Response, Problem> {
    let cx = hooks.cx.clone();
    let question = move |tx: &mut Tx<'_>| webhooks::deliveries(tx, &cx, id, None, i64::MAX, SHOWN);
    let (webhook, deliveries) = hooks.app.query(hooks.cx.actor.account, question).await?;
    hooks.show(&View { page: &hooks, under: hooks.under, webhook, deliveries })
}

/// `POST /api-access/webhooks/{id}/test`
async fn test(hooks: Hooks, Id(id): Id, form: Form) -> Result<Response, Problem> {
    hooks.require_plan()?;
    hooks
        .act(&form, hooks.page_of(id, "webhook-tested"), move |tx, cx, _| {
            webhooks::test(tx, cx, id)
        })
        .await
}

/// `POST /api-access/webhooks/{id}/enable`
async fn enable(hooks: Hooks, Id(id): Id, form: Form) -> Result<Response, Problem> {
    switch(&hooks, id, &form, true).await
}

/// `POST /api-access/webhooks/{id}/disable`
async fn disable(hooks: Hooks, Id(id): Id, form: Form) -> Result<Response, Problem> {
    switch(&hooks, id, &form, false).await
}

async fn switch(hooks: &Hooks, id: i64, form: &Form, on: bool) -> Result<Response, Problem> {
    let edit = EditWebhook { enabled: Some(on), ..EditWebhook::default() };
    let there = hooks.page_of(id, if on { "webhook-enabled" } else { "webhook-disabled" });
    hooks
        .act(form, there, move |tx, cx, sending| {
            webhooks::edit(tx, cx, sending, id, &edit, &|_| true)
        })
        .await
}

/// `POST /api-access/webhooks/{id}/rotate-secret`
async fn rotate(hooks: Hooks, Id(id): Id) -> Result<Response, Problem> {
    hooks.require_plan()?;
    if !hooks.who.is_fresh(hooks.app.now()) {
        return Ok(hooks.ask_for_password(&format!("{}/{id}", hooks.under)));
    }
    let shown = hooks.command(move |tx, cx, sending| webhooks::rotate(tx, cx, sending, id)).await?;
    hooks.show(&SecretView { page: &hooks, under: hooks.under, shown: &shown })
}

/// `POST /api-access/webhooks/{id}/delete`
async fn delete(hooks: Hooks, Id(id): Id, form: Form) -> Result<Response, Problem> {
    hooks
        .act(&form, "/api-access?done=webhook-deleted".to_owned(), move |tx, cx, _| {
            webhooks::delete(tx, cx, id, &|_| true)
        })
        .await
}

/// `POST /api-access/webhooks/{id}/deliveries/{delivery}/redeliver`
async fn redeliver(
    hooks: Hooks,
    Id(id): Id,
    Path((_, message)): Path<(String, String)>,
    form: Form,
) -> Result<Response, Problem> {
    hooks.require_plan()?;
    let there = hooks.page_of(id, "webhook-redelivered");
    hooks.act(&form, there, move |tx, cx, _| webhooks::redeliver(tx, cx, id, &message)).await
}

impl FormView<'_> {
    fn action(&self) -> String {
        match self.edited {
            Some(id) => format!("{}/{id}/edit", self.under),
            None => format!("{}/new", self.under),
        }
    }

    fn back(&self) -> String {
        self.edited.map_or("/api-access".into(), |id| format!("{}/{id}", self.under))
    }

    fn is_test(&self) -> bool {
        self.under == OF_TEST_ACCOUNT
    }

    /// Individual event types to choose from.
    #[expect(clippy::unused_self, reason = "a template reaches it by its view")]
    fn events(&self) -> impl Iterator<Item = &'static str> {
        WEBHOOK_TYPES.iter().map(|known| known.2)
    }

    fn has_events(&self) -> bool {
        self.events().any(|name| self.form.has("types", name))
    }
}

impl View<'_> {
    fn is_test(&self) -> bool {
        self.under == OF_TEST_ACCOUNT
    }

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

    /// Reason why the webhook is disabled.
    fn why(&self) -> Phrase<'static> {
        match self.webhook.disabled_because {
            Some(Disabled::Failing) => self.page.t("webhook-off-failing"),
            Some(Disabled::Gone) => self.page.t("webhook-off-gone"),
            Some(Disabled::KeyRevoked) => self.page.t("webhook-off-key-revoked"),
            Some(Disabled::Disconnected) => self.page.t("webhook-off-disconnected"),
            Some(Disabled::ByOwner) | None => self.page.t("webhook-off-owner"),
        }
    }
}
