//! The pages in a real Chromium: what people do there, with and without scripts, and whether everybody can.
//!
//! On SQLite only: what the pages ask of the books is tested on both engines over HTTP. A browser that complains of anything, such as a
//! breach of the Content-Security-Policy, fails its test.

#![expect(clippy::unwrap_used, reason = "a failure is a failed test")]

mod access;
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

/// Who has the account, where there is one.
const KIM: &str = "kim@example.com";
/// The password of everybody here.
const PASSWORD: &str = "zeven paarden eten geen soep";
/// A browser without scripts.
const NO_SCRIPTS: BrowserOptions = BrowserOptions { language: "nl", width: 1280, javascript: false, dark: false };
/// A phone, in English.
const PHONE: BrowserOptions = BrowserOptions { language: "en", width: 360, javascript: true, dark: false };
/// Both: in which tests do what people do.
const BOTH: [BrowserOptions; 2] = [PHONE, NO_SCRIPTS];
/// A desk, in English.
const DESK: BrowserOptions = BrowserOptions { language: "en", width: 1280, javascript: true, dark: false };
/// A phone in the dark without scripts, in Dutch.
const DARK_PHONE: BrowserOptions = BrowserOptions { language: "nl", width: 390, javascript: false, dark: true };
/// The languages and the widths that every page is looked at in, each with each and with both colour schemes.
const LANGUAGES: [&str; 2] = ["nl", "en"];
const WIDTHS: [u32; 2] = [360, 1280];

/// A picture of one pixel.
const PICTURE: &str = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

/// Whether pages are to be taken pictures of, for people to look at.
fn pictures_wanted() -> bool {
    env::var_os("GROOTBOEK_TEST_PICTURES").is_some()
}

/// The bytes of a picture.
fn picture() -> Vec<u8> {
    STANDARD.decode(PICTURE).unwrap()
}

/// A server, and a browser that looks at its pages.
struct Visit {
    // Dropped first: it may be waiting for the server.
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

    /// A browser in which somebody with an account in the Netherlands on the starter plan is signed in.
    fn signed_in(options: BrowserOptions) -> Self {
        let visit = Self::start(options);
        visit.account(KIM, "NL", Plan::Starter);
        visit.sign_in(KIM);
        visit
    }

    /// Opens an account with [`PASSWORD`].
    fn account(&self, email: &str, country: &str, plan: Plan) {
        let country = CountryCode::parse(country).unwrap();
        let open = OpenAccount { email: email.into(), name: "Kim & zn.".into(), country, plan, password: Some(PASSWORD.into()) };
        let now = self.server.clock.now();
        self.server.write(move |tx| accounts::open(tx, &Environment::at(now), &open));
    }

    /// Begins a session without the page for that.
    fn sign_in(&self, email: &str) {
        let cookie = self.new_session(email);
        self.goto("/healthz");
        self.set_cookie(cookie);
    }

    /// The cookie of a session that begins now.
    fn new_session(&self, email: &str) -> Cookie {
        let (email, now) = (email.to_owned(), self.server.clock.now());
        let token = self.server.write(move |tx| {
            let credentials = sign_in::find(tx, &EmailAddress::parse(&email).unwrap())?.unwrap();
            Ok(sign_in::begin(tx, &Environment::at(now).from_client(Visitor::new("127.0.0.1", "test")), &credentials)?.0)
        });
        let mut cookie = Cookie::new("grootboek-session", token.as_str());
        cookie.set_path("/");
        cookie
    }

    /// A text of the pages in the browser's language.
    fn t(&self, id: &str) -> &'static str {
        let texts = Texts::of_tag(self.options().language).unwrap_or(Texts { language: Language::English });
        let mut lines = texts.files().iter().flat_map(|file| file.lines());
        lines.find_map(|line| line.strip_prefix(id)?.strip_prefix(" = ")).unwrap_or_else(|| panic!("no text {id}"))
    }

    /// Presses what is called by a text of the pages.
    fn press_t(&self, id: &str) {
        self.press(self.t(id));
    }

    /// Waits until a text of the pages is seen.
    fn see_t(&self, id: &str) {
        self.see(self.t(id));
    }

    /// Waits until a text of the pages is seen whose figures are of no interest: what stands around them.
    fn see_around(&self, id: &str) {
        let text = self.t(id);
        let rest = text.split(['{', '}']).step_by(2).map(str::trim).max_by_key(|part| part.chars().count());
        self.see(rest.unwrap());
    }

    /// Opens what is folded away under a text of the pages.
    fn unfold(&self, id: &str) {
        self.press_in_place(self.t(id));
    }

    /// What the API answers about the account, with a key of its own.
    fn by_api(&self, path: &str) -> Value {
        self.server.get(&self.server.key(KIM, true, true), &format!("/api/v1/{path}")).json()
    }

    /// Signs in as people do.
    fn sign_in_by_form(&self, email: &str, password: &str) {
        self.goto("/login");
        self.fill(self.t("field-email"), email);
        self.fill(self.t("field-password"), password);
        self.press_t("sign-in-button");
    }

    /// Signs out as people do.
    fn sign_out(&self) {
        if self.options().width < 600 {
            self.press_t("nav-menu");
        }
        self.press_t("nav-sign-out");
        self.see_t("done-signed-out");
    }

    /// The mail with that place, counted from 1, among those to an address. Mails go out while the page is answered.
    fn mail(&self, email: &str, place: usize) -> SentMail {
        let end = Instant::now() + Duration::from_secs(20);
        loop {
            let mut mails = self.server.mails(email);
            if mails.len() >= place {
                return mails.swap_remove(place - 1);
            }
            assert!(Instant::now() < end, "mail {place} to {email} does not come: {mails:#?}");
            thread::sleep(Duration::from_millis(10));
        }
    }

    /// Lets time pass for the server.
    fn later(&self, seconds: i64) {
        let then = self.server.clock.now() + SignedDuration::from_secs(seconds);
        self.server.clock.set(&then.to_string());
    }

    /// Everybody can use a page: in both languages, on a phone and a desk, in light and dark colours, with the keyboard.
    fn everybody_can_use(&mut self, path: &str, name: &str) {
        let before = self.options();
        for language in LANGUAGES {
            self.set(BrowserOptions { language, ..before });
            self.goto(path);
            assert_eq!(self.path(), path);
            self.looks_good(name);
        }
        self.works_by_keyboard();
        self.set(before);
        self.goto(path);
    }

    /// The same of the page that is there now, in its language: it cannot be opened again because a form led to it.
    fn everybody_can_use_this(&mut self, name: &str) {
        self.looks_good(name);
        self.works_by_keyboard();
    }

    fn looks_good(&mut self, name: &str) {
        let before = self.options();
        for width in WIDTHS {
            // In turn: a page in both languages is seen in both colours at each width, and takes half the time.
            let dark = (width == WIDTHS[0]) == (before.language == LANGUAGES[0]);
            self.set(BrowserOptions { width, dark, ..before });
            self.assert_accessible();
            if pictures_wanted() {
                self.screenshot(&format!("{name}-{}-{}", before.language, if dark { "dark" } else { "light" }));
            }
        }
        self.set(before);
    }

    fn works_by_keyboard(&mut self) {
        let before = self.options();
        for width in WIDTHS {
            self.set(BrowserOptions { width, ..before });
            self.assert_usable_by_keyboard();
        }
        self.set(before);
    }
}
