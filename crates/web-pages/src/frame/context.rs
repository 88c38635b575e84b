//! The context of a page: who looks at it, from where, in which language.

use crate::{
    assets, csrf,
    done::Done,
    form::{Form, mark_of},
    return_to,
    session::{self, SignedIn, Stage, Visitor},
    texts::{self, Phrase, Texts},
};
use axum::{extract::Request, http::Uri};
use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use ledger::unusual_day::UnusualDay;
use service::{Context, Environment, people::sessions};
use std::{
    borrow::Borrow,
    sync::{Arc, OnceLock},
};
use store::accounts::{Account, Plan};
use web_core::AppState;

/// A visit to a page: who, from where, in which language.
#[derive(Clone)]
pub struct PageContext {
    /// State of the application.
    pub app: AppState,
    /// Client of the request.
    pub visitor: Visitor,
    /// Texts in the language of the page.
    pub texts: Texts,
    pub(super) visit: Arc<Visit>,
}

pub(super) struct Visit {
    pub(super) address: Uri,
    /// The page that shows the form, where one is sent.
    pub(super) shown_at: Option<String>,
    /// Somebody who showed who they are, wholly or in part.
    pub(super) known: Option<SignedIn>,
    /// What was just done, if this is the page that tells it.
    pub(super) flash: Option<Done>,
    pub(super) secret: Secret,
}

/// What forms are bound to: the cookie that came, or one that is drawn when a form is first shown.
pub(super) struct Secret {
    pub(super) came: Option<String>,
    pub(super) drawn: OnceLock<String>,
}

impl PageContext {
    /// The context of a visit of somebody of whom nothing is known, for telling of a failure when nothing else works.
    pub fn of_stranger(app: &AppState, request: &Request) -> Self {
        let secret = Secret { came: None, drawn: OnceLock::new() };
        let visit = Arc::new(Visit { address: request.uri().clone(), shown_at: None, known: None, flash: None, secret });
        Self { app: app.clone(), visitor: Visitor::default(), texts: texts::chosen(app.cookies(), request.headers()), visit }
    }

    /// What commands and queries for this visit are told of what is outside of the books.
    pub fn env(&self) -> Environment {
        self.app.environment(self.visitor.clone())
    }

    /// The context in which this visit asks something of an account of the visitor's.
    pub fn context_of(&self, account: &Account) -> Context {
        Context::of_owner(account, self.env())
    }

    /// A text in the visitor's language.
    pub fn t<'a>(&self, id: &'a str) -> Phrase<'a> {
        self.texts.t(id)
    }

    /// Why a day looks like a typing error.
    pub fn unusual_day(&self, reason: impl Borrow<UnusualDay>) -> Phrase<'static> {
        let texts = self.texts;
        match reason.borrow() {
            UnusualDay::FarAhead => texts.t("warning-date-ahead"),
            UnusualDay::BeforeFirstEntry => texts.t("warning-date-before-first"),
            UnusualDay::BeforeOpenQuarters => texts.t("warning-date-filed"),
        }
    }

    /// What a plan is called.
    pub fn plan(&self, plan: impl Borrow<Plan>) -> String {
        texts::plan(self.texts, plan)
    }

    /// The language's tag, for `<html lang>`.
    pub fn tag(&self) -> &'static str {
        self.texts.tag()
    }

    /// Names of the style sheet and the like.
    #[expect(clippy::unused_self, reason = "a template reaches it by its page")]
    pub fn assets(&self) -> assets::Names {
        assets::names()
    }

    /// For the hidden field of a form that carries out one command, however often it is sent.
    pub fn submission(&self) -> Result<String, askama::Error> {
        let mut bytes = [0; 16];
        self.app.random().fill(&mut bytes).map_err(|trouble| askama::Error::Custom(Box::new(trouble)))?;
        Ok(URL_SAFE_NO_PAD.encode(bytes))
    }

    /// For the hidden field of a form.
    pub fn csrf(&self) -> Result<String, askama::Error> {
        let secret = &self.visit.secret;
        if let Some(came) = &secret.came {
            return self.csrf_of(came);
        }
        if secret.drawn.get().is_none() {
            let mut bytes = [0; 32];
            self.app.random().fill(&mut bytes).map_err(|trouble| askama::Error::Custom(Box::new(trouble)))?;
            // Two draws at once cannot be: a page is made by one thread. The first would stay.
            let _ = secret.drawn.set(URL_SAFE_NO_PAD.encode(bytes));
        }
        self.csrf_of(secret.drawn.get().map_or("", String::as_str))
    }

    /// The same for a session that begins with this page.
    pub fn csrf_of(&self, secret: &str) -> Result<String, askama::Error> {
        let mut salt = csrf::Salt::default();
        self.app.random().fill(&mut salt).map_err(|trouble| askama::Error::Custom(Box::new(trouble)))?;
        Ok(csrf::token(secret, salt))
    }

    /// Whose books a form is filled in for, in a hidden field; empty where nobody is signed in.
    pub fn books_mark(&self) -> String {
        self.signed_in().map_or_else(String::new, |who| mark_of(who.account.id))
    }

    /// The language that a form is filled in in, in a hidden field: shown again it keeps its own, as what was typed does.
    pub fn language_of(&self, form: &Form) -> &'static str {
        form.language(self.texts.language).as_str()
    }

    /// The value of the session's cookie that came.
    pub(super) fn session_secret(&self) -> Option<&str> {
        self.visit.secret.came.as_deref()
    }

    /// Binds a text that a form carries to this browser.
    pub fn sign(&self, text: &str) -> String {
        self.session_secret().map_or_else(String::new, |secret| csrf::sign(secret, text))
    }

    /// Whether a text came back as it was encrypted.
    pub fn is_signed(&self, text: &str, signature: &str) -> bool {
        self.session_secret().is_some_and(|secret| csrf::is_signed(secret, text, signature))
    }

    /// Who is signed in, wholly: with the second factor where there is one.
    pub fn signed_in(&self) -> Option<&SignedIn> {
        self.visit.known.as_ref().filter(|known| known.session.stage == Stage::SignedIn)
    }

    /// Whose second factor is waited for.
    pub fn awaiting_second_factor(&self) -> Option<&SignedIn> {
        self.visit.known.as_ref().filter(|known| known.session.stage == Stage::SecondFactor)
    }

    /// What was just done and is told here.
    pub fn flash(&self) -> Option<&Done> {
        self.visit.flash.as_ref()
    }

    /// Whether the account has a language, so that another is chosen by changing it.
    pub fn has_set_language(&self) -> bool {
        self.signed_in().and_then(session::language).is_some()
    }

    /// The hash of the cookie that came.
    pub fn session_hash(&self) -> Option<[u8; 32]> {
        self.session_secret().map(sessions::hash)
    }

    /// The page's own path.
    pub fn path(&self) -> &str {
        self.visit.address.path()
    }

    /// The page's path and query.
    pub fn path_and_query(&self) -> &str {
        self.visit.address.path_and_query().map_or("/", |address| address.as_str())
    }

    /// A value from the page's query.
    pub fn query(&self, name: &str) -> Option<String> {
        let query = self.visit.address.query().unwrap_or("");
        form_urlencoded::parse(query.as_bytes()).find(|(found, _)| found == name).map(|(_, value)| value.into_owned())
    }

    /// Where this page can be looked at: its own address, or of one that answers a form the page that shows the form.
    pub fn shown_address(&self) -> String {
        self.visit.shown_at.clone().unwrap_or_else(|| self.path_and_query().to_owned())
    }

    /// This page in another language; the first page, where the address is one that a browser takes for another host.
    pub fn in_language(&self, tag: &str) -> String {
        let shown = self.shown_address();
        let address = return_to::local(&shown).unwrap_or("/");
        format!("{address}{}lang={tag}", if address.contains('?') { '&' } else { '?' })
    }

    /// Whether a link of the navigation leads to this page or to the pages above it.
    pub fn is_under(&self, path: &str) -> bool {
        let here = self.path();
        here == path || (path != "/" && here.strip_prefix(path).is_some_and(|rest| rest.starts_with('/')))
    }
}
