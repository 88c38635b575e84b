//! Pages in a real Chromium: user scenarios with and without JavaScript, and accessibility.
//!
//! On SQLite only, because the HTTP tests cover both engines. A test fails if the browser console
//! reports an error, such as a violation of the Content-Security-Policy.

#![expect(clippy::unwrap_used, reason = "a failure is a failed test")]

mod access;
mod bank;
mod hours;
mod identity;
mod interface;
mod journal;
mod purchases;
mod sales;
mod settings;
mod tax;

use base64::{Engine as _, engine::general_purpose::STANDARD};
use browser_testing::{Browser, BrowserOptions, Cookie};
use i18n::{Language, Texts};
use jiff::SignedDuration;
use ledger::country::CountryCode;
use serde_json::Value;
use service::{
    EmailAddress, Environment,
    accounts::{self, OpenAccount},
    environment::{Clock, Visitor},
    people::sign_in,
};
use std::{
    env,
    ops::{Deref, DerefMut},
    thread,
    time::{Duration, Instant},
};
use store::accounts::Plan;
use testing::{Engine, Server, mail::SentMail};

/// Email address of the account owner.
const KIM: &str = "kim@example.com";
/// Password of every account.
const PASSWORD: &str = "zeven paarden eten geen soep";
/// Browser with JavaScript disabled.
const NO_SCRIPTS: BrowserOptions =
    BrowserOptions { language: "nl", width: 1280, javascript: false, dark: false };
/// Phone, in English.
const PHONE: BrowserOptions =
    BrowserOptions { language: "en", width: 360, javascript: true, dark: false };
/// Browser options with which every scenario runs.
const BOTH: [BrowserOptions; 2] = [PHONE, NO_SCRIPTS];
/// Desktop browser, in English.
const DESK: BrowserOptions =
    BrowserOptions { language: "en", width: 1280, javascript: true, dark: false };
/// Phone in dark mode with JavaScript disabled, in Dutch.
const DARK_PHONE: BrowserOptions =
    BrowserOptions { language: "nl", width: 390, javascript: false, dark: true };
/// Languages and widths in which every page is checked, in all combinations.
const LANGUAGES: [&str; 2] = ["nl", "en"];
const WIDTHS: [u32; 2] = [360, 1280];

/// PNG image of one pixel, in Base64.
const PICTURE: &str = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

/// Whether to save a screenshot of each page for review.
fn pictures_enabled() -> bool {
    env::var_os("GROOTBOEK_TEST_PICTURES").is_some()
}

/// Bytes of [`PICTURE`].
fn picture() -> Vec<u8> {
    STANDARD.decode(PICTURE).unwrap()
}

/// Test server and a browser that visits it.
struct Visit {
    // Dropped before the server, because it may be waiting for a response.
    browser: Browser,
    server: Server,
}

impl Deref for Visit {
    type Target = Browser;

    fn deref(&self) -> &Browser {
        &self.browser
    }
}

impl DerefMut for Visit {
    fn deref_mut(&mut self) -> &mut Browser {
        &mut self.browser
    }
}

impl Visit {
    fn start(options: BrowserOptions) -> Self {
        let server = Server::start(Engine::Sqlite);
        let browser = Browser::start(&format!("http://{}", server.address), options);
        Self { browser, server }
    }

    /// Browser signed in to a Dutch account on the starter plan.
    fn signed_in(options: BrowserOptions) -> Self {
        let visit = Self::start(options);
        visit.account(KIM, "NL", Plan::Starter);
        visit.sign_in(KIM);
        visit
    }

    /// Opens an account with [`PASSWORD`].
    fn account(&self, email: &str, country: &str, plan: Plan) {
        let country = CountryCode::parse(country).unwrap();
        let open = OpenAccount {
            email: email.into(),
            name: "Kim & zn.".into(),
            country,
            plan,
            password: Some(PASSWORD.into()),
        };
        let now = self.server.clock.now();
        self.server.write(move |tx| accounts::open(tx, &Environment::at(now), &open));
    }

    /// Starts a session without the sign-in page.
    fn sign_in(&self, email: &str) {
        let cookie = self.new_session(email);
        self.goto("/healthz");
        self.set_cookie(cookie);
    }

    /// Cookie of a new session.
    fn new_session(&self, email: &str) -> Cookie {
        let (email, now) = (email.to_owned(), self.server.clock.now());
        let token = self.server.write(move |tx| {
            let credentials = sign_in::find(tx, &EmailAddress::parse(&email).unwrap())?.unwrap();
            Ok(sign_in::begin(
                tx,
                &Environment::at(now).from_client(Visitor::new("127.0.0.1", "test")),
                &credentials,
            )?
            .0)
        });
        let mut cookie = Cookie::new("grootboek-session", token.as_str());
        cookie.set_path("/");
        cookie
    }

    /// Text of the interface in the browser's language.
    fn t(&self, id: &str) -> &'static str {
        let texts =
            Texts::of_tag(self.options().language).unwrap_or(Texts { language: Language::English });
        let mut lines = texts.files().iter().flat_map(|file| file.lines());
        lines
            .find_map(|line| line.strip_prefix(id)?.strip_prefix(" = "))
            .unwrap_or_else(|| panic!("no text {id}"))
    }

    /// Presses the button or link that is labelled with a text of the interface.
    fn press_t(&self, id: &str) {
        self.press(self.t(id));
    }

    /// Waits until the page shows a text of the interface.
    fn see_t(&self, id: &str) {
        self.see(self.t(id));
    }

    /// Waits until the page shows the longest part of a text between its placeholders.
    fn see_around(&self, id: &str) {
        let text = self.t(id);
        let rest = text
            .split(['{', '}'])
            .step_by(2)
            .map(str::trim)
            .max_by_key(|part| part.chars().count());
        self.see(rest.unwrap());
    }

    /// Waits until the page shows the part of a text after its last placeholder, for texts that begin
    /// alike.
    fn see_end(&self, id: &str) {
        let text = self.t(id);
        self.see(text.rsplit('}').next().unwrap().trim());
    }

    /// Expands the details labelled with a text of the interface.
    fn unfold(&self, id: &str) {
        self.press_in_place(self.t(id));
    }

    /// Response of the API for the account, requested with a new key.
    fn by_api(&self, path: &str) -> Value {
        self.server.get(&self.server.key(KIM, true, true), &format!("/api/v1/{path}")).json()
    }

    /// Signs in with the form.
    fn sign_in_by_form(&self, email: &str, password: &str) {
        self.goto("/login");
        self.fill(self.t("field-email"), email);
        self.fill(self.t("field-password"), password);
        self.press_t("sign-in-button");
    }

    /// Signs out with the button of the navigation.
    fn sign_out(&self) {
        if self.options().width < 600 {
            self.press_t("nav-menu");
        }
        self.press_t("nav-sign-out");
        self.see_t("done-signed-out");
    }

    /// Waits for the email with number `place`, counted from 1, to an address, because emails are
    /// sent only after the response.
    fn mail(&self, email: &str, place: usize) -> SentMail {
        let end = Instant::now() + Duration::from_secs(20);
        loop {
            let mut mails = self.server.mails(email);
            if mails.len() >= place {
                return mails.swap_remove(place - 1);
            }
            assert!(Instant::now() < end, "mail {place} to {email} did not arrive: {mails:#?}");
            thread::sleep(Duration::from_millis(10));
        }
    }

    /// Advances the server's clock.
    fn later(&self, seconds: i64) {
        let then = self.server.clock.now() + SignedDuration::from_secs(seconds);
        self.server.clock.set(&then.to_string());
    }

    /// Checks accessibility in both languages, at both widths and in both colour schemes, and
    /// keyboard operation.
    fn assert_page_accessible(&mut self, path: &str, name: &str) {
        let before = self.options();
        for language in LANGUAGES {
            self.set(BrowserOptions { language, ..before });
            self.goto(path);
            assert_eq!(self.path(), path);
            self.assert_accessible_at_each_width(name);
        }
        self.assert_keyboard_at_each_width();
        self.set(before);
        self.goto(path);
    }

    /// Checks the current page in its language, for pages that only a form submission shows.
    fn assert_current_page_accessible(&mut self, name: &str) {
        self.assert_accessible_at_each_width(name);
        self.assert_keyboard_at_each_width();
    }

    fn assert_accessible_at_each_width(&mut self, name: &str) {
        let before = self.options();
        for width in WIDTHS {
            // The colour schemes alternate: both languages together cover both schemes at each
            // width, in half the time.
            let dark = (width == WIDTHS[0]) == (before.language == LANGUAGES[0]);
            self.set(BrowserOptions { width, dark, ..before });
            self.assert_accessible();
            if pictures_enabled() {
                self.screenshot(&format!(
                    "{name}-{}-{}",
                    before.language,
                    if dark { "dark" } else { "light" }
                ));
            }
        }
        self.set(before);
    }

    fn assert_keyboard_at_each_width(&mut self) {
        let before = self.options();
        for width in WIDTHS {
            self.set(BrowserOptions { width, ..before });
            self.assert_usable_by_keyboard();
        }
        self.set(before);
    }
}
