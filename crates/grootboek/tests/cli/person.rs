//! A person with a browser: it keeps cookies, and sends the forms that it is shown.

use crate::{Running, TIMEOUT, command, encoded};
use std::collections::BTreeMap;
use testing::page::form_to;

pub(crate) const EMAIL: &str = "anna@example.com";
pub(crate) const PASSWORD: &str = "drie grote vlinders";
/// A code verifier and its challenge (RFC 7636, appendix B).
pub(crate) const VERIFIER: &str = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
const CHALLENGE: &str = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";

pub(crate) struct Person {
    url: String,
    cookies: BTreeMap<String, String>,
    agent: ureq::Agent,
}

/// A page as it was answered.
pub(crate) struct Page {
    pub(crate) status: u16,
    pub(crate) location: String,
    pub(crate) text: String,
}

impl Page {
    /// The text of the element with that id.
    pub(crate) fn element(&self, id: &str) -> String {
        let (_, rest) = self.text.split_once(&format!("id=\"{id}\"")).unwrap_or_else(|| panic!("no {id}: {}", self.text));
        rest.split_once('>').unwrap().1.split('<').next().unwrap().to_owned()
    }
}

impl Person {
    pub(crate) fn at(server: &Running) -> Self {
        let agent = ureq::Agent::config_builder()
            .http_status_as_error(false)
            .max_redirects(0)
            .timeout_global(Some(TIMEOUT))
            .build()
            .new_agent();
        Self { url: server.url.clone(), cookies: BTreeMap::new(), agent }
    }

    /// Goes on at another server, with the same cookies.
    pub(crate) fn moves_to(&mut self, server: &Running) {
        self.url.clone_from(&server.url);
    }

    pub(crate) fn get(&mut self, path: &str) -> Page {
        self.send("GET", path, String::new())
    }

    /// Opens a link from a mail.
    pub(crate) fn follow(&mut self, link: &str) -> Page {
        let path = link.strip_prefix("http://").and_then(|rest| rest.find('/').map(|slash| &rest[slash..]));
        self.get(path.unwrap_or_else(|| panic!("{link}")))
    }

    /// Fills in the form of a page that goes to `action`, and sends it.
    pub(crate) fn submit(&mut self, page: &Page, action: &str, filled: &[(&str, &str)]) -> Page {
        self.send("POST", action, form_to(&page.text, action).filled(filled))
    }

    fn send(&mut self, method: &str, path: &str, form: String) -> Page {
        let cookies: Vec<_> = self.cookies.iter().map(|(name, value)| format!("{name}={value}")).collect();
        let request = ureq::http::Request::builder()
            .method(method)
            .uri(format!("{}{path}", self.url))
            .header("cookie", cookies.join("; "))
            .header("accept-language", "en")
            .header("sec-fetch-site", "same-origin");
        let answered = match method {
            "GET" => self.agent.run(request.body(()).unwrap()),
            _ => self.agent.run(request.header("content-type", "application/x-www-form-urlencoded").body(form).unwrap()),
        };
        let mut response = answered.unwrap_or_else(|error| panic!("{method} {path}: {error}"));
        for line in response.headers().get_all("set-cookie") {
            let (name, rest) = line.to_str().unwrap().split_once('=').unwrap();
            self.cookies.insert(name.to_owned(), rest.split(';').next().unwrap().to_owned());
            self.cookies.retain(|_, value| !value.is_empty());
        }
        let location = response.headers().get("location").map_or("", |value| value.to_str().unwrap()).to_owned();
        Page { status: response.status().as_u16(), location, text: response.body_mut().read_to_string().unwrap() }
    }

    pub(crate) fn sign_in(&mut self, email: &str, password: &str) -> Page {
        let page = self.get("/login");
        self.submit(&page, "/login", &[("email", email), ("password", password)])
    }

    /// Signs in with the second factor, or a recovery code in its place.
    pub(crate) fn sign_in_with(&mut self, code: &str) -> Page {
        assert_eq!(self.sign_in(EMAIL, PASSWORD).location, "/login/code");
        let page = self.get("/login/code");
        self.submit(&page, "/login/code", &[("code", code)])
    }

    pub(crate) fn is_signed_in(&mut self) -> bool {
        self.get("/settings").status == 200
    }

    /// Opens an account; a mail with a link goes out.
    pub(crate) fn sign_up(&mut self, email: &str) {
        let page = self.get("/signup");
        let fields = [("email", email), ("password", PASSWORD), ("name", "Anna"), ("country", "NL")];
        assert_eq!(self.submit(&page, "/signup", &fields).location, "/signup/sent");
    }

    /// Connects an application; gives the code that it exchanges for tokens.
    pub(crate) fn allows(&mut self, client: &str, callback: &str) -> String {
        let page = self.get(&format!(
            "/oauth/authorize?response_type=code&client_id={client}&redirect_uri={}&scope=read&state=s&code_challenge={CHALLENGE}\
             &code_challenge_method=S256",
            encoded(callback)
        ));
        let there = self.submit(&page, "/oauth/authorize", &[("decision", "approve")]).location;
        let code = there.split_once("code=").unwrap_or_else(|| panic!("{there}")).1;
        code.split('&').next().unwrap().to_owned()
    }
}

/// Opens an account that its owner can sign in to.
pub(crate) fn account_with_password(database: &str, email: &str) {
    let add = ["account", "add", "--email", email, "--name", "Anna", "--plan", "starter", "--password-stdin"];
    let made = command(&[&["--database", database], &add[..]].concat(), PASSWORD);
    assert_eq!((made.code, made.err.as_str()), (0, ""));
}
