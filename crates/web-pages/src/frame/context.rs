//! Context of a page: visitor, client and language.

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
use ledger::{booking::MoneyAccount, unusual_day::UnusualDay};
use service::{Context, Environment, people::sessions};
use std::{
    borrow::Borrow,
    sync::{Arc, OnceLock},
};
use store::accounts::{Account, Plan};
use web_core::AppState;

/// Visit to a page: visitor, client and language.
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
    /// Page that shows the form, if the request submits a form.
    pub(super) shown_at: Option<String>,
    /// Session of the visitor, fully or partly authenticated.
    pub(super) known: Option<SignedIn>,
    /// Flash message, if this page shows it.
    pub(super) flash: Option<Done>,
    pub(super) secret: Secret,
}

/// Secret to which forms are bound: the received cookie, or one generated when a form is first
/// rendered.
pub(super) struct Secret {
    pub(super) came: Option<String>,
    pub(super) drawn: OnceLock<String>,
}

impl PageContext {
    /// Context for an error page for which the visitor's session has not been looked up.
    pub fn of_stranger(app: &AppState, request: &Request) -> Self {
        let secret = Secret { came: None, drawn: OnceLock::new() };
        let visit = Arc::new(Visit {
            address: request.uri().clone(),
            shown_at: None,
            known: None,
            flash: None,
            secret,
        });
        Self {
            app: app.clone(),
            visitor: Visitor::default(),
            texts: texts::chosen(app.cookies(), request.headers()),
            visit,
        }
    }

    /// Environment of this visit's commands and queries, such as clock and client.
    pub fn env(&self) -> Environment {
        self.app.environment(self.visitor.clone())
    }

    /// Context of this visit's commands and queries on an account of the visitor.
    pub fn context_of(&self, account: &Account) -> Context {
        Context::of_owner(account, self.env())
    }

    /// Text in the visitor's language.
    pub fn t<'a>(&self, id: &'a str) -> Phrase<'a> {
        self.texts.t(id)
    }

    /// Text about why a date looks like a typing error.
    pub fn unusual_day(&self, reason: impl Borrow<UnusualDay>) -> Phrase<'static> {
        let texts = self.texts;
        match reason.borrow() {
            UnusualDay::FarAhead => texts.t("warning-date-ahead"),
            UnusualDay::BeforeFirstEntry => texts.t("warning-date-before-first"),
            UnusualDay::BeforeOpenPeriods => texts.t("warning-date-filed"),
        }
    }

    /// Name of a method of payment.
    pub fn method(&self, money: MoneyAccount) -> Phrase<'static> {
        match money.method() {
            MoneyAccount::Bank | MoneyAccount::Other(_) => self.t("method-bank"),
            MoneyAccount::Savings => self.t("method-savings"),
            MoneyAccount::Cash => self.t("method-cash"),
            MoneyAccount::Card => self.t("method-card"),
            MoneyAccount::Private => self.t("method-private"),
            MoneyAccount::DirectDebit => self.t("method-direct-debit"),
            MoneyAccount::Ideal => self.t("method-ideal"),
            MoneyAccount::Paypal => self.t("method-paypal"),
            MoneyAccount::Provider => self.t("method-provider"),
        }
    }

    /// Name of a plan.
    pub fn plan(&self, plan: impl Borrow<Plan>) -> String {
        texts::plan(self.texts, plan)
    }

    /// Language tag, for `<html lang>`.
    pub fn tag(&self) -> &'static str {
        self.texts.tag()
    }

    /// Names of the style sheet and other assets.
    pub fn assets(&self) -> assets::Names {
        assets::names()
    }

    /// Idempotency token for the hidden field of a form whose command must run only once.
    pub fn submission(&self) -> Result<String, askama::Error> {
        let mut bytes = [0; 16];
        self.app
            .random()
            .fill(&mut bytes)
            .map_err(|trouble| askama::Error::Custom(Box::new(trouble)))?;
        Ok(URL_SAFE_NO_PAD.encode(bytes))
    }

    /// CSRF token, for the hidden field of a form.
    pub fn csrf(&self) -> Result<String, askama::Error> {
        let secret = &self.visit.secret;
        if let Some(came) = &secret.came {
            return self.csrf_of(came);
        }
        if secret.drawn.get().is_none() {
            let mut bytes = [0; 32];
            self.app
                .random()
                .fill(&mut bytes)
                .map_err(|trouble| askama::Error::Custom(Box::new(trouble)))?;
            // One thread renders a page, so nothing can have set the secret since the check.
            let _ = secret.drawn.set(URL_SAFE_NO_PAD.encode(bytes));
        }
        self.csrf_of(secret.drawn.get().map_or("", String::as_str))
    }

    /// Like [`Self::csrf`], for a session that begins with this page.
    pub fn csrf_of(&self, secret: &str) -> Result<String, askama::Error> {
        let mut salt = csrf::Salt::default();
        self.app
            .random()
            .fill(&mut salt)
            .map_err(|trouble| askama::Error::Custom(Box::new(trouble)))?;
        Ok(csrf::token(secret, salt))
    }

    /// Hidden-field value that identifies the account for which a form is filled in; empty without
    /// a signed-in user.
    pub fn books_mark(&self) -> String {
        self.signed_in().map_or_else(String::new, |who| mark_of(who.account.id))
    }

    /// Hidden-field value with the language in which a form is filled in. A form that is shown
    /// again keeps its language, because its amounts and dates are written in that language.
    pub fn language_of(&self, form: &Form) -> &'static str {
        form.language(self.texts.language).as_str()
    }

    /// Value of the received session cookie.
    pub(super) fn session_secret(&self) -> Option<&str> {
        self.visit.secret.came.as_deref()
    }

    /// Signs a text for a hidden field; the signature is bound to this browser.
    pub fn sign(&self, text: &str) -> String {
        self.session_secret().map_or_else(String::new, |secret| csrf::sign(secret, text))
    }

    /// Whether the signature of a submitted text is valid.
    pub fn is_signed(&self, text: &str, signature: &str) -> bool {
        self.session_secret().is_some_and(|secret| csrf::is_signed(secret, text, signature))
    }

    /// Fully authenticated user, including the second factor if one is set up.
    pub fn signed_in(&self) -> Option<&SignedIn> {
        self.visit.known.as_ref().filter(|known| known.session.stage == Stage::SignedIn)
    }

    /// User who still has to enter the second factor.
    pub fn awaiting_second_factor(&self) -> Option<&SignedIn> {
        self.visit.known.as_ref().filter(|known| known.session.stage == Stage::SecondFactor)
    }

    /// Flash message that this page shows.
    pub fn flash(&self) -> Option<&Done> {
        self.visit.flash.as_ref()
    }

    /// Whether a language is set on the account. Choosing another language then changes the
    /// account.
    pub fn has_set_language(&self) -> bool {
        self.signed_in().and_then(session::language).is_some()
    }

    /// Hash of the received session cookie.
    pub fn session_hash(&self) -> Option<[u8; 32]> {
        self.session_secret().map(sessions::hash)
    }

    /// Path of the page.
    pub fn path(&self) -> &str {
        self.visit.address.path()
    }

    /// Path and query of the page.
    pub fn path_and_query(&self) -> &str {
        self.visit.address.path_and_query().map_or("/", |address| address.as_str())
    }

    /// Value of a parameter in the page's query.
    pub fn query(&self, name: &str) -> Option<String> {
        let query = self.visit.address.query().unwrap_or("");
        form_urlencoded::parse(query.as_bytes())
            .find(|(found, _)| found == name)
            .map(|(_, value)| value.into_owned())
    }

    /// Path and query of this page, without what only concerns this visit.
    pub fn here(&self) -> String {
        let passing = ["done=", "unfinished="];
        let query = self.visit.address.query().unwrap_or("");
        let lasting = |pair: &&str| !passing.iter().any(|name| pair.starts_with(name));
        let query: Vec<&str> = query.split('&').filter(lasting).collect();
        let query = query.join("&");
        let path = self.path();
        if query.is_empty() { path.to_owned() } else { format!("{path}?{query}") }
    }

    /// Path and query at which this page can be viewed; for a submitted form, the path and query of
    /// the page that shows the form.
    pub fn shown_address(&self) -> String {
        self.visit.shown_at.clone().unwrap_or_else(|| self.path_and_query().to_owned())
    }

    /// Path and query of this page in another language, or of the home page if a browser would read
    /// the path as another host.
    pub fn in_language(&self, tag: &str) -> String {
        let shown = self.shown_address();
        let address = return_to::local(&shown).unwrap_or("/");
        format!("{address}{}lang={tag}", if address.contains('?') { '&' } else { '?' })
    }

    /// Whether a navigation link points to this page or to one above it.
    pub fn is_under(&self, path: &str) -> bool {
        let here = self.path();
        here == path
            || (path != "/" && here.strip_prefix(path).is_some_and(|rest| rest.starts_with('/')))
    }
}
