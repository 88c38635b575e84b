//! A person with a browser: a cookie, pages and the forms on them.

use crate::encoded;
use service::{
    outside::{Clock, Machine},
    people::{Visitor, sessions, sign_in},
};
use store::params;
use testing::{Reply, Server};

pub(crate) struct Person<'s> {
    pub(crate) server: &'s Server,
    pub(crate) cookie: String,
}

/// A form on a page.
#[derive(Debug, Clone)]
pub(crate) struct Form {
    pub(crate) action: String,
    pub(crate) hidden: Vec<(String, String)>,
}

impl Form {
    /// The value of a hidden field.
    pub(crate) fn value(&self, name: &str) -> &str {
        self.hidden.iter().find(|(found, _)| found == name).map_or("", |(_, value)| value)
    }

    /// With another value of a hidden field.
    pub(crate) fn with(mut self, name: &str, value: &str) -> Self {
        self.hidden.retain(|(found, _)| found != name);
        self.hidden.push((name.into(), value.into()));
        self
    }
}

impl<'s> Person<'s> {
    /// Somebody who is signed in.
    pub(crate) fn signed_in(server: &'s Server, email: &str) -> Self {
        let (email, now) = (email.to_owned(), server.clock.now());
        let token = server.write(move |tx| {
            // Comparing a password takes long, and is not what is tested here; there must be one to sign in.
            let password = "UPDATE accounts SET password_hash = COALESCE(password_hash, 'not a hash') WHERE email = ?1";
            tx.execute(password, &params![&email])?;
            let credentials = sign_in::find(tx, &email)?.unwrap();
            Ok(sign_in::begin(tx, &Machine, now, &credentials, &Visitor::new("127.0.0.1", "test"))?.0)
        });
        Self { server, cookie: token.as_str().to_owned() }
    }

    /// Opens an account in the Netherlands on the starter plan, and signs in.
    pub(crate) fn new(server: &'s Server, email: &str) -> Self {
        let _ = server.account(email);
        Self::signed_in(server, email)
    }

    /// Somebody whom the server does not know.
    pub(crate) fn stranger(server: &'s Server) -> Self {
        Self { server, cookie: "A".repeat(43) }
    }

    /// Ends the session at the server; the browser still has the cookie.
    pub(crate) fn is_signed_out(&self) {
        let (hash, now) = (sessions::hash(&self.cookie), self.server.clock.now());
        self.server.write(move |tx| sessions::sign_out(tx, &Machine, now, &hash, &Visitor::default()));
    }

    pub(crate) fn get(&self, path: &str) -> Reply {
        self.get_with(path, &[])
    }

    pub(crate) fn get_with(&self, path: &str, headers: &[(&str, &str)]) -> Reply {
        let cookie = format!("__Host-session={}", self.cookie);
        self.server.send("GET", path, &[&[("cookie", cookie.as_str())], headers].concat(), None)
    }

    pub(crate) fn post(&self, path: &str, fields: &[(&str, &str)]) -> Reply {
        self.post_with(path, fields, &[("sec-fetch-site", "same-origin")])
    }

    pub(crate) fn post_with(&self, path: &str, fields: &[(&str, &str)], headers: &[(&str, &str)]) -> Reply {
        let cookie = format!("__Host-session={}", self.cookie);
        let own = [("cookie", cookie.as_str()), ("content-type", "application/x-www-form-urlencoded")];
        self.server.send("POST", path, &[&own, headers].concat(), Some(form(fields).as_bytes()))
    }

    /// Sends a form as it is on the page, with what was filled in.
    pub(crate) fn submit(&self, form: &Form, filled: &[(&str, &str)]) -> Reply {
        let hidden = form.hidden.iter().map(|(name, value)| (name.as_str(), value.as_str()));
        let fields: Vec<_> = hidden.chain(filled.iter().copied()).collect();
        self.post(&form.action, &fields)
    }

    /// Decides on the request that a consent page shows.
    pub(crate) fn decide(&self, page: &Reply, decision: &str) -> Reply {
        self.submit(&the_form(page, "/oauth/authorize"), &[("decision", decision)])
    }
}

/// Fields as a browser sends them.
pub(crate) fn form(fields: &[(&str, &str)]) -> String {
    fields.iter().map(|(name, value)| format!("{}={}", encoded(name), encoded(value))).collect::<Vec<_>>().join("&")
}

/// The forms on a page with an action: the whole path, or a word in it.
pub(crate) fn forms(page: &Reply, action: &str) -> Vec<Form> {
    let all = page.text.split("<form").skip(1).map(|rest| rest.split("</form>").next().unwrap());
    let read = all.map(|text| {
        let inputs = text.split("<input").skip(1).map(|rest| rest.split('>').next().unwrap());
        let hidden = inputs.filter(|input| attribute(input, "type").as_deref() == Some("hidden"));
        Form {
            action: attribute(text.split('>').next().unwrap(), "action").unwrap(),
            hidden: hidden.map(|input| (attribute(input, "name").unwrap(), attribute(input, "value").unwrap())).collect(),
        }
    });
    let fits = |form: &Form| if action.starts_with('/') { form.action == action } else { form.action.contains(action) };
    read.filter(fits).collect()
}

/// The one form of that kind.
pub(crate) fn the_form(page: &Reply, action: &str) -> Form {
    let found = forms(page, action);
    assert_eq!(found.len(), 1, "forms to {action} on {}", page.text);
    found[0].clone()
}

fn attribute(tag: &str, name: &str) -> Option<String> {
    let value = tag.split_once(&format!(" {name}=\""))?.1.split('"').next()?;
    Some(unescaped(value))
}

/// Text as a reader sees it.
pub(crate) fn unescaped(text: &str) -> String {
    let mut parts = text.split("&#");
    let mut all = parts.next().unwrap().to_owned();
    for part in parts {
        let (number, rest) = part.split_once(';').unwrap();
        all.push(char::from_u32(number.parse().unwrap()).unwrap());
        all.push_str(rest);
    }
    all
}

/// The text of the element with that test id.
pub(crate) fn with_test_id(page: &Reply, id: &str) -> Option<String> {
    let rest = page.text.split_once(&format!("data-testid=\"{id}\""))?.1;
    Some(unescaped(rest.split_once('>')?.1.split('<').next()?))
}
