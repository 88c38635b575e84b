//! A browser without JavaScript: cookies, a language, and forms.

use crate::{
    Reply,
    page::{Form, encoded, form_to},
};
use std::{
    collections::BTreeMap,
    sync::{Mutex, MutexGuard, PoisonError},
    time::Duration,
};
use ureq::http::Request;

/// Media type of a submitted form.
pub const FORM: &str = "application/x-www-form-urlencoded";
/// Boundary between the parts of a form with a file.
const BOUNDARY: &str = "----a-boundary";
/// Timeout for a request.
const TIMEOUT: Duration = Duration::from_secs(30);
/// Header that a browser adds to a form submitted on the same site.
const SAME_ORIGIN: (&str, &str) = ("sec-fetch-site", "same-origin");

/// A browser without JavaScript that visits one server.
pub struct Visitor {
    /// Requested language; empty for none.
    pub language: &'static str,
    /// `User-Agent` header; empty for the default of the HTTP library.
    pub user_agent: &'static str,
    origin: String,
    agent: ureq::Agent,
    cookies: Mutex<BTreeMap<String, String>>,
}

impl Clone for Visitor {
    /// Opens another window of the same browser, with a copy of the cookies.
    fn clone(&self) -> Self {
        Self {
            language: self.language,
            user_agent: self.user_agent,
            origin: self.origin.clone(),
            agent: self.agent.clone(),
            cookies: Mutex::new(self.jar().clone()),
        }
    }
}

impl Visitor {
    /// Creates a client without cookies for this origin, with its own connections.
    #[must_use]
    pub fn at(origin: &str) -> Self {
        Self::with(&agent(Some(TIMEOUT)), origin)
    }

    /// Creates a client without cookies for this origin that shares the agent's connections.
    #[must_use]
    pub fn with(agent: &ureq::Agent, origin: &str) -> Self {
        let cookies = Mutex::default();
        Self {
            language: "",
            user_agent: "",
            origin: origin.to_owned(),
            agent: agent.clone(),
            cookies,
        }
    }

    /// Sets the requested language.
    #[must_use]
    pub fn speaking(mut self, language: &'static str) -> Self {
        self.language = language;
        self
    }

    /// Sets the `User-Agent` header.
    #[must_use]
    pub fn using(mut self, user_agent: &'static str) -> Self {
        self.user_agent = user_agent;
        self
    }

    /// Continues on another server, with the same cookies.
    pub fn moves_to(&mut self, origin: &str) {
        origin.clone_into(&mut self.origin);
    }

    fn jar(&self) -> MutexGuard<'_, BTreeMap<String, String>> {
        self.cookies.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns a cookie.
    #[must_use]
    pub fn cookie(&self, name: &str) -> Option<String> {
        self.jar().get(name).cloned()
    }

    /// Sets a cookie.
    pub fn set_cookie(&self, name: &str, value: &str) {
        self.jar().insert(name.to_owned(), value.to_owned());
    }

    /// Removes a cookie and returns its value.
    pub fn lose_cookie(&self, name: &str) -> Option<String> {
        self.jar().remove(name)
    }

    /// Removes all cookies.
    pub fn lose_cookies(&self) {
        self.jar().clear();
    }

    /// Returns the `Cookie` header.
    #[must_use]
    pub fn cookies(&self) -> String {
        self.jar()
            .iter()
            .map(|(name, value)| format!("{name}={value}"))
            .collect::<Vec<_>>()
            .join("; ")
    }

    /// Sends a request with the cookies, and stores those of the response.
    ///
    /// # Errors
    /// No response was received.
    pub fn try_send(
        &self,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
        body: Option<&[u8]>,
    ) -> Result<Reply, ureq::Error> {
        let cookies = self.cookies();
        let own = [
            ("accept-language", self.language),
            ("user-agent", self.user_agent),
            ("cookie", &cookies),
        ];
        let all: Vec<_> = own
            .into_iter()
            .filter(|(_, value)| !value.is_empty())
            .chain(headers.iter().copied())
            .collect();
        let reply = try_send(&self.agent, &self.origin, method, path, &all, body)?;
        for line in reply.set_cookies() {
            let (name, rest) = line.split_once('=').unwrap_or((line, ""));
            if line.contains("Max-Age=0") {
                self.lose_cookie(name);
            } else {
                self.set_cookie(name, rest.split(';').next().unwrap_or_default());
            }
        }
        Ok(reply)
    }

    /// Sends a request with the cookies, and stores those of the response.
    ///
    /// # Panics
    /// No response was received.
    pub fn send(
        &self,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
        body: Option<&[u8]>,
    ) -> Reply {
        self.try_send(method, path, headers, body)
            .unwrap_or_else(|error| panic!("{method} {path}: {error}"))
    }

    /// Requests a page.
    pub fn get(&self, path: &str) -> Reply {
        self.get_with(path, &[])
    }

    /// Requests a page with additional headers.
    pub fn get_with(&self, path: &str, headers: &[(&str, &str)]) -> Reply {
        self.send("GET", path, headers, None)
    }

    /// Opens a link, such as one from an email.
    ///
    /// # Panics
    /// The link is not an absolute URL.
    pub fn open(&self, link: &str) -> Reply {
        let path =
            link.split_once("://").and_then(|(_, rest)| rest.find('/').map(|slash| &rest[slash..]));
        self.get(path.unwrap_or_else(|| panic!("{link}")))
    }

    /// Follows a redirect.
    ///
    /// # Panics
    /// The response is not a redirect with the status 303.
    pub fn follow(&self, reply: &Reply) -> Reply {
        assert_eq!(reply.status, 303, "{}", reply.text);
        self.get(reply.header("location").unwrap())
    }

    /// Submits fields as a form on the same site.
    pub fn post(&self, path: &str, fields: &[(&str, &str)]) -> Reply {
        self.post_with(path, &encoded(fields), &[SAME_ORIGIN])
    }

    /// Submits an encoded form with these headers.
    pub fn post_with(&self, path: &str, body: &str, headers: &[(&str, &str)]) -> Reply {
        self.send(
            "POST",
            path,
            &[&[("content-type", FORM)], headers].concat(),
            Some(body.as_bytes()),
        )
    }

    /// Fills in and submits the form of a page with this action.
    pub fn submit(&self, page: &Reply, action: &str, filled: &[(&str, &str)]) -> Reply {
        self.submit_form(&form_to(&page.text, action), filled)
    }

    /// Fills in and submits a form.
    pub fn submit_form(&self, form: &Form, filled: &[(&str, &str)]) -> Reply {
        self.post_with(&form.action, &form.filled(filled), &[SAME_ORIGIN])
    }

    /// Fills in and submits the form with this action, with a file: field name, file name and
    /// content.
    pub fn submit_with_file(
        &self,
        page: &Reply,
        action: &str,
        filled: &[(&str, &str)],
        file: (&str, &str, &[u8]),
    ) -> Reply {
        self.submit_with_files(page, action, filled, &[file])
    }

    /// Like [`Self::submit_with_file`], with several files: field, name and content of each.
    ///
    /// # Panics
    /// The page has no such form, or no response was received.
    pub fn submit_with_files(
        &self,
        page: &Reply,
        action: &str,
        filled: &[(&str, &str)],
        files: &[(&str, &str, &[u8])],
    ) -> Reply {
        let mut fields = form_to(&page.text, action).fields;
        fields.retain(|(name, _)| !filled.iter().any(|(given, _)| given == name));
        fields.extend(filled.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())));
        let kind = format!("multipart/form-data; boundary={BOUNDARY}");
        self.send(
            "POST",
            action,
            &[("content-type", &kind), SAME_ORIGIN],
            Some(&multipart(&fields, files)),
        )
    }

    /// Signs in with the form.
    pub fn sign_in(&self, email: &str, password: &str) -> Reply {
        self.submit(&self.get("/login"), "/login", &[("email", email), ("password", password)])
    }

    /// Whether a page for signed-in users is accessible.
    #[must_use]
    pub fn is_signed_in(&self) -> bool {
        self.get("/settings").status == 200
    }
}

/// Encodes a form with files as a browser submits it.
fn multipart(fields: &[(String, String)], files: &[(&str, &str, &[u8])]) -> Vec<u8> {
    let mut body = Vec::new();
    for (name, value) in fields {
        body.extend(
            format!(
                "--{BOUNDARY}\r\nContent-Disposition: form-data; name=\"{name}\"\r\n\r\n{value}\r\n"
            )
            .bytes(),
        );
    }
    let kind = "application/octet-stream";
    for (field, name, bytes) in files {
        body.extend(format!("--{BOUNDARY}\r\nContent-Disposition: form-data; name=\"{field}\"; filename=\"{name}\"\r\nContent-Type: {kind}\r\n\r\n").bytes());
        body.extend(*bytes);
        body.extend(b"\r\n");
    }
    body.extend(format!("--{BOUNDARY}--\r\n").bytes());
    body
}

/// Creates an agent that returns every status and follows no redirects.
#[must_use]
pub fn agent(timeout: Option<Duration>) -> ureq::Agent {
    ureq::Agent::config_builder()
        .http_status_as_error(false)
        .allow_non_standard_methods(true)
        .max_redirects(0)
        .timeout_global(timeout)
        .build()
        .new_agent()
}

/// Sends a request to the server at an origin.
///
/// # Errors
/// No response was received.
///
/// # Panics
/// A response header is not text.
pub fn try_send(
    agent: &ureq::Agent,
    origin: &str,
    method: &str,
    path: &str,
    headers: &[(&str, &str)],
    body: Option<&[u8]>,
) -> Result<Reply, ureq::Error> {
    let mut request = Request::builder().method(method).uri(format!("{origin}{path}"));
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    let mut response = match body {
        Some(body) => agent.run(request.body(body)?)?,
        None => agent.run(request.body(())?)?,
    };
    let headers = response
        .headers()
        .iter()
        .map(|(name, value)| (name.to_string(), value.to_str().unwrap().to_owned()))
        .collect();
    // Binary responses such as PDF documents are converted lossily, so that tests can search their
    // text.
    let text = String::from_utf8_lossy(&response.body_mut().read_to_vec()?).into_owned();
    Ok(Reply { status: response.status().as_u16(), headers, text })
}

/// Sends a request to the server at an origin.
///
/// # Panics
/// No response was received.
#[must_use]
pub fn send(
    agent: &ureq::Agent,
    origin: &str,
    method: &str,
    path: &str,
    headers: &[(&str, &str)],
    body: Option<&[u8]>,
) -> Reply {
    try_send(agent, origin, method, path, headers, body)
        .unwrap_or_else(|error| panic!("{method} {path}: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::{
        io::{BufRead, BufReader, Read, Write},
        net::TcpListener,
        thread::{self, JoinHandle},
    };

    /// Starts a server that sends these responses, one per connection. Returns its origin, and a
    /// handle that yields the requests it received.
    fn server(answers: &'static [&'static str]) -> (String, JoinHandle<Vec<String>>) {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let origin = format!("http://{}", listener.local_addr().unwrap());
        let serve = move |answer: &&str| {
            let (mut stream, _) = listener.accept().unwrap();
            let mut reader = BufReader::new(stream.try_clone().unwrap());
            let (mut request, mut length) = (String::new(), 0);
            while !request.ends_with("\r\n\r\n") {
                let begun = request.len();
                reader.read_line(&mut request).unwrap();
                if let Some(value) =
                    request[begun..].to_ascii_lowercase().strip_prefix("content-length:")
                {
                    length = value.trim().parse().unwrap();
                }
            }
            let mut body = vec![0; length];
            reader.read_exact(&mut body).unwrap();
            stream.write_all(format!("HTTP/1.1 {answer}").as_bytes()).unwrap();
            request + &String::from_utf8(body).unwrap()
        };
        (origin, thread::spawn(move || answers.iter().map(serve).collect()))
    }

    #[test]
    fn cookies_are_stored_sent_and_removed_and_forms_keep_their_values() {
        let (origin, served) = server(&[
            "200 OK\r\nSet-Cookie: a=1; Path=/\r\nSet-Cookie: b=2; HttpOnly\r\nConnection: close\r\n\r\n\
             <form action=\"/go\"><input type=\"hidden\" name=\"csrf\" value=\"t\"><input name=\"x\" value=\"shown\"></form>",
            "303 See Other\r\nSet-Cookie: a=; Max-Age=0\r\nLocation: /next\r\nContent-Length: 0\r\nConnection: close\r\n\r\n",
            "200 OK\r\nContent-Length: 4\r\nConnection: close\r\n\r\ndone",
        ]);
        let visitor = Visitor::at(&origin).speaking("nl");
        let page = visitor.get("/begin");
        let sent = visitor.submit(&page, "/go", &[("x", "typed")]);
        assert_eq!((sent.status, sent.location()), (303, "/next"));
        assert_eq!(visitor.follow(&sent).text, "done");
        assert_eq!((visitor.cookie("a"), visitor.cookies().as_str()), (None, "b=2"));
        let [first, form, last] = &served.join().unwrap()[..] else { panic!() };
        assert!(
            first.starts_with("GET /begin ") && !first.to_ascii_lowercase().contains("cookie"),
            "{first}"
        );
        assert!(
            form.starts_with("POST /go ") && form.ends_with("\r\n\r\ncsrf=t&x=typed"),
            "{form}"
        );
        for header in ["cookie: a=1; b=2", "sec-fetch-site: same-origin", "accept-language: nl"] {
            assert!(form.to_ascii_lowercase().contains(header), "{header}: {form}");
        }
        assert!(
            last.starts_with("GET /next ") && last.to_ascii_lowercase().contains("cookie: b=2\r\n"),
            "{last}"
        );
    }
}
