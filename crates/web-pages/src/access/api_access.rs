//! `/api-access`: API access to the books (keys and connected applications) and recent calls.

use crate::{
    form::Form,
    id::{Id, Name},
    page::{Authenticated, see_other},
    return_to,
    table::{Group, Page},
    texts::Phrase,
};
use askama::Template;
use axum::{http::StatusCode, response::Response};
use form_urlencoded::Serializer;
use jiff::Timestamp;
use service::{
    Context, Error, access,
    access::NewKey,
    oauth::grants::{self, Connected},
    people::events::{self, Event},
    test_accounts, webhooks,
};
use store::{accounts::Plan, api_calls::ApiCall, keys::ApiKey, webhooks::Webhook};
use web_core::{input, problem::Problem};

const PATH: &str = "/api-access";
/// Number of calls shown.
const CALLS: usize = 100;

/// The page and the targets of its forms.
pub(crate) fn pages() -> Vec<Page> {
    let pages = vec![
        Page::at(PATH)
            .get(show)
            .post(create)
            .linked(Group::Last, "key", "a", |texts| texts.t("access-title")),
        Page::at("/api-access/keys/{id}/revoke").post(revoke),
        Page::at("/api-access/connections/{id}/disconnect").post(disconnect),
        Page::at("/api-access/test-account").post(create_test_key),
        Page::at("/api-access/test-account/keys/{id}/revoke").post(revoke_test_key),
        Page::at("/api-access/test-account/connections/{id}/disconnect").post(disconnect_test),
    ];
    pages.into_iter().chain(super::webhooks::pages()).collect()
}

#[derive(Template)]
#[template(path = "access/api-access.html")]
struct View<'a> {
    page: &'a Authenticated,
    form: &'a Form,
    /// Form that creates a key of the test account.
    test_form: &'a Form,
    test: Option<TestAccount>,
    has_plan: bool,
    minimum: Plan,
    base: &'a str,
    keys: Vec<ApiKey>,
    connections: Vec<Connected>,
    webhooks: Vec<Webhook>,
    calls: Vec<Called>,
    /// Connections revoked because a token was reused.
    ended: Vec<Event>,
    /// Whether the account is established in the Netherlands. Other accounts have fewer operations,
    /// and cannot be connected to applications.
    is_dutch: bool,
}

/// API access to the test account.
struct TestAccount {
    keys: Vec<ApiKey>,
    connections: Vec<Connected>,
    webhooks: Vec<Webhook>,
    /// Current time in the books of the test account.
    clock: Timestamp,
}

/// A recent API call.
struct Called {
    call: ApiCall,
    /// Name of the key or application that made the call.
    name: Option<String>,
    in_test: bool,
}

/// Books to which a form grants access.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Books {
    Live,
    Test,
}

#[derive(Template)]
#[template(path = "access/new-key.html")]
struct NewKeyView<'a> {
    page: &'a Authenticated,
    made: &'a NewKey,
    command: Option<String>,
}

/// `GET /api-access`
async fn show(page: Authenticated) -> Result<Response, Problem> {
    // After password confirmation, the query contains the form as it was filled in before.
    let query = page.path_and_query().split_once('?').map_or("", |(_, query)| query);
    let form = Form::read(query.as_bytes()).unwrap_or_default();
    let books = if form.value("account") == "test" { Books::Test } else { Books::Live };
    show_with(&page, &form, books, StatusCode::OK).await
}

/// Renders the page with a submitted form; `books` determines whether the form is for the live or
/// the test account.
async fn show_with(
    page: &Authenticated,
    filled: &Form,
    books: Books,
    status: StatusCode,
) -> Result<Response, Problem> {
    let cx = page.context();
    let live = cx.actor.account;
    let beside =
        page.app.query(page.who.account.id, move |tx| test_accounts::find(tx, live)).await?;
    page.app.save_calls_of(cx.actor.account).await;
    if let Some(beside) = &beside {
        page.app.save_calls_of(beside.id).await;
    }
    let (asker, owner) = (cx.clone(), page.who.account.owner.id);
    let question = move |tx: &mut store::Tx<'_>| {
        let (keys, connections) =
            (access::list_keys(tx, &asker)?, grants::list(tx, &asker.env, asker.actor.account)?);
        let mut calls = called(tx, &asker)?;
        let mut test = None;
        if let Some(account) = &beside {
            let asker = Context::of_owner(account, asker.env.clone());
            calls.append(&mut called(tx, &asker)?);
            let (keys, connections) =
                (access::list_keys(tx, &asker)?, grants::list(tx, &asker.env, account.id)?);
            let webhooks = webhooks::list(tx, &asker, 0, i64::MAX)?;
            test = Some(TestAccount { keys, connections, webhooks, clock: asker.clock() });
        }
        calls.sort_by_key(|called| std::cmp::Reverse(called.call.at));
        calls.truncate(CALLS);
        let ended = events::token_reuses(tx, &asker.env, owner)?;
        Ok((keys, connections, webhooks::list(tx, &asker, 0, i64::MAX)?, calls, test, ended))
    };
    let (keys, connections, webhooks, calls, test, ended) =
        page.app.query(page.who.account.id, question).await?;
    let settings = page.app.config();
    let minimum = settings.api_min_plan;
    let has_plan = cx.actor.require_plan(minimum).is_ok();
    let (base, is_dutch) = (settings.base_url.as_str(), cx.actor.country.is_dutch());
    let empty = Form::default();
    let (form, test_form) = if books == Books::Live { (filled, &empty) } else { (&empty, filled) };
    page.show_as(
        status,
        &View {
            page,
            form,
            test_form,
            test,
            has_plan,
            minimum,
            base,
            keys,
            connections,
            webhooks,
            calls,
            ended,
            is_dutch,
        },
    )
}

fn called(tx: &mut store::Tx<'_>, cx: &Context) -> Result<Vec<Called>, Error> {
    let calls = access::last_calls(tx, cx)?;
    Ok(calls
        .into_iter()
        .map(|(call, name)| Called { call, name, in_test: cx.actor.test.is_some() })
        .collect())
}

/// `POST /api-access`: creates a key.
async fn create(page: Authenticated, form: Form) -> Result<Response, Problem> {
    create_key(page, form, Books::Live).await
}

/// `POST /api-access/test-account`: creates a key of the test account, and opens that account if
/// there is none yet.
async fn create_test_key(page: Authenticated, form: Form) -> Result<Response, Problem> {
    create_key(page, form, Books::Test).await
}

async fn create_key(
    page: Authenticated,
    mut form: Form,
    books: Books,
) -> Result<Response, Problem> {
    let owner = page.context();
    if owner.actor.require_plan(page.app.config().api_min_plan).is_err() {
        return show_with(&page, &form, books, StatusCode::FORBIDDEN).await;
    }
    if !page.who.is_fresh(owner.env.now) {
        return Ok(see_other(&return_to::with_next("/password/confirm", &filled_in(&form, books))));
    }
    let parsed = input::form(form.pairs(), page.texts.language, input::new_key);
    let Some(command) = parsed.command else {
        for fault in &parsed.faults {
            let of = |live, test| if books == Books::Live { live } else { test };
            match fault.path.as_str() {
                "/name" => form.refuse(of("name", "test-name"), page.t("access-name-fault")),
                _ => form.take_at(of("scope", "test-scope"), fault, page.texts),
            }
        }
        return show_with(&page, &form, books, StatusCode::UNPROCESSABLE_ENTITY).await;
    };
    // A reload submits the form again. The form therefore contains the number of keys at the time
    // when it was shown: if the number has changed since, the form may have been processed already.
    // A program that sends only the documented fields skips this check.
    let shown: Option<usize> = form.value("keys").parse().ok();
    let made = page.app.execute(page.who.account.id, move |tx| {
        let cx = match books {
            Books::Live => owner.clone(),
            Books::Test => Context::of_owner(
                &test_accounts::open(tx, &owner.env, owner.actor.account)?,
                owner.env.clone(),
            ),
        };
        let is_first = shown.map_or(Ok(true), |shown| access::is_first_since(tx, &cx, shown))?;
        is_first.then(|| access::create_key(tx, &cx, &command)).transpose()
    });
    match made.await {
        Ok(None) => {
            form.refuse("", page.t("access-made-before"));
            show_with(&page, &form, books, StatusCode::CONFLICT).await
        }
        Ok(Some(made)) => {
            let first_call =
                first_call(&page.app.config().base_url, &made, page.who.account.country.is_dutch());
            page.show(&NewKeyView { page: &page, made: &made, command: first_call })
        }
        Err(trouble) => Err(trouble.into()),
    }
}

/// URL of the page, with the submitted fields in the query.
fn filled_in(form: &Form, books: Books) -> String {
    let mut query = Serializer::new(String::new());
    if books == Books::Test {
        query.append_pair("account", "test");
    }
    query.append_pair("name", form.value("name"));
    for scope in form.all("scope") {
        query.append_pair("scope", scope);
    }
    format!("{PATH}?{}", query.finish())
}

/// Example command that shows that the key works. `None` if every request that the key allows
/// depends on other resources.
fn first_call(base: &str, made: &NewKey, dutch: bool) -> Option<String> {
    let secret = &made.secret;
    match (made.key.scopes.read, made.key.scopes.write && dutch) {
        (true, _) => Some(reading_call(base, secret)),
        (false, true) => Some(format!(
            "curl -s {base}/api/v1/contacts -H 'X-API-Key: {secret}' -H 'Content-Type: application/json' \
             -d '{{\"externalId\": \"test-1\", \"name\": \"Test\"}}'"
        )),
        (false, false) => None,
    }
}

fn reading_call(base: &str, key: &str) -> String {
    format!("curl -s {base}/api/v1/account -H 'X-API-Key: {key}'")
}

/// `POST /api-access/keys/{id}/revoke`
async fn revoke(page: Authenticated, Id(id): Id) -> Result<Response, Problem> {
    page.end_once("/api-access?done=key-revoked", move |tx, cx| access::revoke_key(tx, cx, id))
        .await
}

/// `POST /api-access/connections/{id}/disconnect`
async fn disconnect(page: Authenticated, Name(id): Name) -> Result<Response, Problem> {
    // Calls are saved now, because disconnecting removes the application's name.
    page.app.save_calls_of(page.who.account.id).await;
    page.end_once("/api-access?done=disconnected", move |tx, cx| {
        grants::disconnect(tx, &cx.env, cx.actor.account, &id)
    })
    .await
}

/// `POST /api-access/test-account/keys/{id}/revoke`
async fn revoke_test_key(page: Authenticated, Id(id): Id) -> Result<Response, Problem> {
    page.end_once("/api-access?done=key-revoked", move |tx, cx| {
        let test =
            test_accounts::find(tx, cx.actor.account)?.ok_or(Error::NotFound("test account"))?;
        access::revoke_key(tx, &Context::of_owner(&test, cx.env.clone()), id)
    })
    .await
}

/// `POST /api-access/test-account/connections/{id}/disconnect`
async fn disconnect_test(page: Authenticated, Name(id): Name) -> Result<Response, Problem> {
    page.end_once("/api-access?done=disconnected", move |tx, cx| {
        let test =
            test_accounts::find(tx, cx.actor.account)?.ok_or(Error::NotFound("test account"))?;
        grants::disconnect(tx, &cx.env, test.id, &id)
    })
    .await
}

impl TestAccount {
    fn active(&self) -> impl Iterator<Item = &ApiKey> {
        self.keys.iter().filter(|key| key.revoked_at.is_none())
    }
}

impl View<'_> {
    fn active(&self) -> impl Iterator<Item = &ApiKey> {
        self.keys.iter().filter(|key| key.revoked_at.is_none())
    }

    /// Number of keys of the test account, including revoked ones.
    fn test_keys(&self) -> usize {
        self.test.as_ref().map_or(0, |test| test.keys.len())
    }

    fn revoked(&self) -> Vec<(&ApiKey, Timestamp)> {
        let mut revoked: Vec<_> =
            self.keys.iter().filter_map(|key| Some((key, key.revoked_at?))).collect();
        revoked.sort_by_key(|(_, at)| std::cmp::Reverse(*at));
        revoked
    }

    fn write_hint(&self) -> Phrase<'static> {
        if self.is_dutch {
            self.page.t("access-write-hint")
        } else {
            self.page.t("access-write-hint-abroad")
        }
    }

    fn first_call(&self, key: &str) -> String {
        reading_call(self.base, key)
    }

    #[expect(clippy::unused_self, reason = "a template reaches it by its view")]
    fn tone(&self, call: &ApiCall) -> &'static str {
        match call.status {
            ..400 => "good",
            400..500 => "warn",
            500.. => "bad",
        }
    }
}
