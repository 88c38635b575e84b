//! Access to the books for programs: `/api-access` and `/oauth/authorize`, over HTTP.

mod attacks;
mod connections;
mod consent;
mod keys;
mod test_account;
mod webhooks;

use jiff::SignedDuration;
use service::{
    Environment,
    environment::Clock,
    oauth::clients::{self, NewClient, Registered},
    people::sessions,
};
use std::fmt::Write;
use store::keys::Scopes;
use testing::{
    Reply, Server, Visitor,
    page::{encoded as form, the_form},
};

/// Code verifier and its challenge (RFC 7636, appendix B).
const VERIFIER: &str = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
const CHALLENGE: &str = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";
/// Redirect URI of the test application.
const CALLBACK: &str = "https://partner.example/callback";

/// Opens a Dutch account on the starter plan and signs in.
fn newcomer(server: &Server, email: &str) -> Visitor {
    let _ = server.account(email);
    server.signed_in(email)
}

/// Browser with a session that the server does not know.
fn stranger(server: &Server) -> Visitor {
    let stranger = server.visitor();
    stranger.set_cookie(server.session_cookie(), &"A".repeat(43));
    stranger
}

/// Ends the session on the server; the browser keeps its cookie.
fn sign_out(server: &Server, person: &Visitor) {
    let (hash, now) =
        (sessions::hash(&person.cookie(server.session_cookie()).unwrap()), server.clock.now());
    server.write(move |tx| sessions::sign_out(tx, &Environment::at(now), &hash));
}

/// Submits a decision on the request of a consent page.
fn decide(person: &Visitor, page: &Reply, decision: &str) -> Reply {
    person.submit_form(&the_form(page, "/oauth/authorize"), &[("decision", decision)])
}

fn register(server: &Server, name: &str, callback: &str, scopes: Scopes) -> Registered {
    let new = NewClient {
        name: name.into(),
        redirect_uris: vec![callback.into()],
        scopes,
        id: None,
        secret: None,
    };
    let now = server.clock.now();
    server.write(move |tx| clients::register(tx, &Environment::at(now), &new))
}

/// Registers an application with the scopes read and write.
fn partner(server: &Server) -> Registered {
    register(server, "Webwinkel Plus", CALLBACK, Scopes { read: true, write: true, file: false })
}

/// Parameters of a valid request.
fn right(client: &Registered) -> Vec<(&'static str, String)> {
    vec![
        ("response_type", "code".into()),
        ("client_id", client.client_id.clone()),
        ("redirect_uri", CALLBACK.into()),
        ("scope", "read".into()),
        ("state", "s-1".into()),
        ("code_challenge", CHALLENGE.into()),
        ("code_challenge_method", "S256".into()),
    ]
}

/// Path and query of a valid request with some parameters replaced; `None` removes one.
fn changed(client: &Registered, changes: &[(&str, Option<&str>)]) -> String {
    let mut parameters = right(client);
    for (name, value) in changes {
        parameters.retain(|(parameter, _)| parameter != name);
        parameters.extend(value.map(|value| {
            (
                right(client)
                    .iter()
                    .find(|(parameter, _)| parameter == name)
                    .map_or("other", |(parameter, _)| *parameter),
                value.to_owned(),
            )
        }));
    }
    address(&parameters)
}

fn address(parameters: &[(&str, String)]) -> String {
    let mut address = String::from("/oauth/authorize?");
    for (name, value) in parameters {
        write!(address, "{name}={}&", encoded(value)).unwrap();
    }
    address.pop();
    address
}

/// Percent-encodes everything but letters and digits.
fn encoded(text: &str) -> String {
    text.bytes().fold(String::new(), |mut all, byte| {
        if byte.is_ascii_alphanumeric() {
            all.push(char::from(byte));
        } else {
            write!(all, "%{byte:02X}").unwrap();
        }
        all
    })
}

/// Decoded value of a query parameter of a URL.
fn parameter(address: &str, name: &str) -> Option<String> {
    let query = address.split_once('?')?.1;
    let value = query.split('&').find_map(|pair| pair.strip_prefix(name)?.strip_prefix('='))?;
    let mut bytes = Vec::new();
    let mut rest = value.bytes();
    while let Some(byte) = rest.next() {
        if byte == b'%' {
            let hex: Vec<u8> = rest.by_ref().take(2).collect();
            bytes.push(u8::from_str_radix(std::str::from_utf8(&hex).unwrap(), 16).unwrap());
        } else {
            bytes.push(if byte == b'+' { b' ' } else { byte });
        }
    }
    Some(String::from_utf8(bytes).unwrap())
}

/// Advances the clock.
fn later(server: &Server, seconds: i64) {
    server.clock.set(&(server.clock.now() + SignedDuration::from_secs(seconds)).to_string());
}

/// Exchanges a code for tokens, as an application does.
fn exchange(server: &Server, client: &Registered, changes: &[(&str, &str)]) -> Reply {
    let mut fields = vec![
        ("grant_type", "authorization_code"),
        ("redirect_uri", CALLBACK),
        ("code_verifier", VERIFIER),
        ("client_id", client.client_id.as_str()),
        ("client_secret", client.client_secret.as_str()),
    ];
    for (name, value) in changes {
        fields.retain(|(field, _)| field != name);
        fields.push((name, value));
    }
    let body = form(&fields);
    server.send(
        "POST",
        "/api/oauth/token",
        &[("content-type", "application/x-www-form-urlencoded")],
        Some(body.as_bytes()),
    )
}

/// Connects an application to the real books on the consent page; returns the access token and the
/// refresh token.
fn connect(server: &Server, person: &Visitor, client: &Registered) -> (String, String) {
    connect_to(server, person, client, "live")
}

/// Like [`connect`], with a choice of books.
fn connect_to(
    server: &Server,
    person: &Visitor,
    client: &Registered,
    books: &str,
) -> (String, String) {
    let form = the_form(&person.get(&address(&right(client))), "/oauth/authorize");
    let target = person
        .submit_form(&form, &[("decision", "approve"), ("account", books)])
        .header("location")
        .unwrap()
        .to_owned();
    let tokens = exchange(server, client, &[("code", &parameter(&target, "code").unwrap())]);
    assert_eq!(tokens.status, 200, "{}", tokens.text);
    let token = |name: &str| tokens.json()[name].as_str().unwrap().to_owned();
    (token("access_token"), token("refresh_token"))
}

/// Status of an API request with an access token.
fn read_with(server: &Server, token: &str) -> u16 {
    server
        .send("GET", "/api/v1/account", &[("authorization", &format!("Bearer {token}"))], None)
        .status
}
