//! A person with a browser: a cookie, pages and the forms on them.

use service::{
    Environment,
    environment::{Clock, Visitor},
    people::{sessions, sign_in},
};
use store::params;
pub(crate) use testing::page::{Form, unescaped};
use testing::{Reply, Server, page};

pub(crate) struct Person<'s> {
    pub(crate) server: &'s Server,
    pub(crate) cookie: String,
}

impl<'s> Person<'s> {
    /// Somebody who is signed in.
    pub(crate) fn signed_in(server: &'s Server, email: &str) -> Self {
        let (email, now) = (email.to_owned(), server.clock.now());
        let token = server.write(move |tx| {
            // Comparing a password takes long, and is not what is tested here; there must be one to sign in.
            let password = "UPDATE people SET password_hash = COALESCE(password_hash, 'not a hash') WHERE email = ?1";
            tx.execute(password, &params![&email])?;
            let credentials = sign_in::find(tx, &email)?.unwrap();
            Ok(sign_in::begin(tx, &Environment::at(now).from_client(Visitor::new("127.0.0.1", "test")), &credentials)?.0)
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
        self.server.write(move |tx| sessions::sign_out(tx, &Environment::at(now), &hash));
    }

    pub(crate) fn get(&self, path: &str) -> Reply {
        self.get_with(path, &[])
    }

    pub(crate) fn get_with(&self, path: &str, headers: &[(&str, &str)]) -> Reply {
        let cookie = format!("{}={}", self.server.session_cookie(), self.cookie);
        self.server.send("GET", path, &[&[("cookie", cookie.as_str())], headers].concat(), None)
    }

    pub(crate) fn post(&self, path: &str, fields: &[(&str, &str)]) -> Reply {
        self.post_with(path, fields, &[("sec-fetch-site", "same-origin")])
    }

    pub(crate) fn post_with(&self, path: &str, fields: &[(&str, &str)], headers: &[(&str, &str)]) -> Reply {
        self.send_form(path, &page::encoded(fields), headers)
    }

    fn send_form(&self, path: &str, body: &str, headers: &[(&str, &str)]) -> Reply {
        let cookie = format!("{}={}", self.server.session_cookie(), self.cookie);
        let own = [("cookie", cookie.as_str()), ("content-type", "application/x-www-form-urlencoded")];
        self.server.send("POST", path, &[&own, headers].concat(), Some(body.as_bytes()))
    }

    /// Sends a form as it is on the page, with what was filled in.
    pub(crate) fn submit(&self, form: &Form, filled: &[(&str, &str)]) -> Reply {
        self.send_form(&form.action, &form.filled(filled), &[("sec-fetch-site", "same-origin")])
    }

    /// Decides on the request that a consent page shows.
    pub(crate) fn decide(&self, page: &Reply, decision: &str) -> Reply {
        self.submit(&the_form(page, "/oauth/authorize"), &[("decision", decision)])
    }
}

/// The forms on a page with an action: the whole path, or a word in it.
pub(crate) fn forms(page: &Reply, action: &str) -> Vec<Form> {
    let fits = |form: &Form| if action.starts_with('/') { form.action == action } else { form.action.contains(action) };
    page::forms(&page.text).into_iter().filter(fits).collect()
}

/// The one form of that kind.
pub(crate) fn the_form(page: &Reply, action: &str) -> Form {
    let found = forms(page, action);
    assert_eq!(found.len(), 1, "forms to {action} on {}", page.text);
    found[0].clone()
}

/// The text of the element with that test id.
pub(crate) fn with_test_id(page: &Reply, id: &str) -> Option<String> {
    let rest = page.text.split_once(&format!("data-testid=\"{id}\""))?.1;
    Some(unescaped(rest.split_once('>')?.1.split('<').next()?))
}
