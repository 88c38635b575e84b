//! A browser without scripts: it keeps cookies, and sends the forms that it is shown.

use service::{
    Environment,
    accounts::{self, OpenAccount},
    environment::Clock,
};
use std::{
    collections::BTreeMap,
    time::{Duration, Instant},
};
use store::accounts::Plan;
pub(crate) use testing::page::{encoded, unescaped};
use testing::{
    Reply, Server,
    mail::SentMail,
    page::{attribute, form_to},
};

const BOUNDARY: &str = "----a-boundary";
pub(crate) const EMAIL: &str = "anna@example.com";
pub(crate) const PASSWORD: &str = "drie grote vlinders";

pub(crate) struct Browser<'s> {
    pub(crate) server: &'s Server,
    pub(crate) cookies: BTreeMap<String, String>,
    pub(crate) language: &'static str,
    pub(crate) agent: &'static str,
}

impl<'s> Browser<'s> {
    pub(crate) fn new(server: &'s Server) -> Self {
        Self { server, cookies: BTreeMap::new(), language: "en", agent: "test" }
    }

    /// A browser whose user has an account, and is signed in to it.
    pub(crate) fn signed_in(server: &'s Server) -> Self {
        open(server, EMAIL);
        let mut browser = Self::new(server);
        let answer = browser.sign_in(EMAIL, PASSWORD);
        assert_eq!((answer.status, answer.header("location")), (303, Some("/")));
        browser
    }

    pub(crate) fn sign_in(&mut self, email: &str, password: &str) -> Reply {
        let page = self.get("/login");
        self.submit(&page, "/login", &[("email", email), ("password", password)])
    }

    pub(crate) fn get(&mut self, path: &str) -> Reply {
        self.send("GET", path, &[], None)
    }

    /// Fills in a form of a page and sends it.
    pub(crate) fn submit(&mut self, page: &Reply, action: &str, filled: &[(&str, &str)]) -> Reply {
        let body = form_to(&page.text, action).filled(filled);
        self.post_with(action, &body, &[("sec-fetch-site", "same-origin")])
    }

    /// Fills in a form of a page, with a file, and sends it.
    pub(crate) fn submit_with_file(
        &mut self,
        page: &Reply,
        action: &str,
        filled: &[(&str, &str)],
        file: (&str, &str, &[u8]),
    ) -> Reply {
        let mut fields: Vec<(String, String)> = form_to(&page.text, action).fields;
        fields.retain(|(name, _)| !filled.iter().any(|(given, _)| given == name));
        fields.extend(filled.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())));
        let kind = format!("multipart/form-data; boundary={BOUNDARY}");
        self.send("POST", action, &[("content-type", &kind), ("sec-fetch-site", "same-origin")], Some(&multipart(&fields, file)))
    }

    pub(crate) fn post(&mut self, path: &str, fields: &[(&str, &str)]) -> Reply {
        self.post_with(path, &encoded(fields), &[("sec-fetch-site", "same-origin")])
    }

    pub(crate) fn post_with(&mut self, path: &str, body: &str, headers: &[(&str, &str)]) -> Reply {
        let headers = [&[("content-type", "application/x-www-form-urlencoded")], headers].concat();
        self.send("POST", path, &headers, Some(body.as_bytes()))
    }

    pub(crate) fn send(&mut self, method: &str, path: &str, headers: &[(&str, &str)], body: Option<&[u8]>) -> Reply {
        let cookies: Vec<_> = self.cookies.iter().map(|(name, value)| format!("{name}={value}")).collect();
        let cookies = cookies.join("; ");
        let mut all = vec![("accept-language", self.language), ("user-agent", self.agent)];
        if !cookies.is_empty() {
            all.push(("cookie", &cookies));
        }
        all.extend(headers);
        let answer = self.server.send(method, path, &all, body);
        for line in set_cookies(&answer) {
            let (name, rest) = line.split_once('=').unwrap();
            let value = rest.split(';').next().unwrap();
            if line.contains("Max-Age=0") {
                self.cookies.remove(name);
            } else {
                self.cookies.insert(name.to_owned(), value.to_owned());
            }
        }
        answer
    }

    /// Follows where an answer leads.
    pub(crate) fn follow(&mut self, answer: &Reply) -> Reply {
        assert_eq!(answer.status, 303, "{}", answer.text);
        let there = answer.header("location").unwrap().to_owned();
        self.get(&there)
    }

    pub(crate) fn session(&self) -> Option<&str> {
        self.cookies.get("grootboek-session").map(String::as_str)
    }

    /// Whether the home of somebody who is signed in is shown.
    pub(crate) fn is_signed_in(&mut self) -> bool {
        self.get("/settings").status == 200
    }
}

pub(crate) fn set_cookies(answer: &Reply) -> Vec<&str> {
    answer.headers.iter().filter(|(name, _)| name == "set-cookie").map(|(_, value)| value.as_str()).collect()
}

/// Opens an account with a password.
pub(crate) fn open(server: &Server, email: &str) {
    let now = server.clock.now();
    let open = OpenAccount {
        email: email.to_owned(),
        name: "Anna Ontwerp".to_owned(),
        country: ledger::country::CountryCode::NL,
        plan: Plan::Starter,
        password: Some(PASSWORD.to_owned()),
    };
    server.write(move |tx| accounts::open(tx, &Environment::at(now), &open));
}

/// What a field of the page shows.
pub(crate) fn value_of(page: &Reply, name: &str) -> Option<String> {
    let start = format!(" name=\"{name}\"");
    let input = page.text.split("<input").find(|input| input.split('>').next().unwrap().contains(&start))?;
    attribute(input.split('>').next().unwrap(), "value")
}

/// The page without the tokens of its forms, which are written in another way each time.
pub(crate) fn without_tokens(page: &Reply) -> String {
    let forms = testing::page::forms(&page.text);
    let tokens = forms.iter().flat_map(|form| &form.hidden).filter(|(name, _)| name == "csrf");
    tokens.fold(page.text.clone(), |text, (_, token)| text.replace(token, ""))
}

/// What is wrong with a field of the page.
pub(crate) fn fault_of(page: &Reply, name: &str) -> Option<String> {
    let (_, rest) = page.text.split_once(&format!("id=\"{name}-fault\""))?;
    let (_, rest) = rest.split_once("</svg>")?;
    let text = rest.split("</p>").next().unwrap();
    Some(unescaped(&text.replace("<span>", "").replace("</span>", "")))
}

/// A form with a file, as a browser sends it.
fn multipart(fields: &[(String, String)], file: (&str, &str, &[u8])) -> Vec<u8> {
    let mut body = Vec::new();
    for (name, value) in fields {
        body.extend(format!("--{BOUNDARY}\r\nContent-Disposition: form-data; name=\"{name}\"\r\n\r\n{value}\r\n").bytes());
    }
    let (field, name, bytes) = file;
    let kind = "application/octet-stream";
    body.extend(format!("--{BOUNDARY}\r\nContent-Disposition: form-data; name=\"{field}\"; filename=\"{name}\"\r\nContent-Type: {kind}\r\n\r\n").bytes());
    body.extend(bytes);
    body.extend(format!("\r\n--{BOUNDARY}--\r\n").bytes());
    body
}

/// The mails to an address, once there are so many; they are sent in the background.
pub(crate) fn mails(server: &Server, email: &str, count: usize) -> Vec<SentMail> {
    let begun = Instant::now();
    loop {
        let mails = server.mails(email);
        if mails.len() >= count {
            assert_eq!(mails.len(), count, "{mails:?}");
            return mails;
        }
        assert!(begun.elapsed() < Duration::from_secs(20), "{} of {count} mails to {email} came", mails.len());
        std::thread::yield_now();
    }
}

/// The path of the link in the last mail to an address.
pub(crate) fn mailed_path(server: &Server, email: &str, count: usize) -> String {
    let mails = mails(server, email, count);
    let link = mails.last().unwrap().link();
    link.strip_prefix(&format!("http://{}", server.address)).unwrap_or_else(|| panic!("{link}")).to_owned()
}
