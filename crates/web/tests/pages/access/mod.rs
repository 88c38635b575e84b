//! The pages by which people let programs into their books: `/api-access` and `/oauth/authorize`, over HTTP as a browser speaks it.

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

/// A code verifier and its challenge (RFC 7636, appendix B).
const VERIFIER: &str = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
const CHALLENGE: &str = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";
/// Where the tests' application is sent back to.
const CALLBACK: &str = "https://partner.example/callback";

/// Opens an account in the Netherlands on the starter plan, and signs in.
fn newcomer(server: &Server, email: &str) -> Visitor {
    let _ = server.account(email);
    server.signed_in(email)
}

/// Somebody with a session that the server does not know.
fn stranger(server: &Server) -> Visitor {
    let stranger = server.visitor();
    stranger.set_cookie(server.session_cookie(), &"A".repeat(43));
    stranger
}

/// Ends the session at the server; the browser still has the cookie.
fn sign_out(server: &Server, person: &Visitor) {
    let (hash, now) = (sessions::hash(&person.cookie(server.session_cookie()).unwrap()), server.clock.now());
    server.write(move |tx| sessions::sign_out(tx, &Environment::at(now), &hash));
}

/// Decides on the request that a consent page shows.
fn decide(person: &Visitor, page: &Reply, decision: &str) -> Reply {
    person.submit_form(&the_form(page, "/oauth/authorize"), &[("decision", decision)])
}

/// Registers an application.
fn register(server: &Server, name: &str, callback: &str, scopes: Scopes) -> Registered {
    let new = NewClient { name: name.into(), redirect_uris: vec![callback.into()], scopes, id: None, secret: None };
    let now = server.clock.now();
    server.write(move |tx| clients::register(tx, &Environment::at(now), &new))
}

/// An application that may ask for both scopes.
fn partner(server: &Server) -> Registered {
    register(server, "Webwinkel Plus", CALLBACK, Scopes { read: true, write: true, file: false })
}

/// The parameters of a right request.
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

/// A right request with other values for some parameters; without those that are set to nothing.
fn changed(client: &Registered, changes: &[(&str, Option<&str>)]) -> String {
    let mut parameters = right(client);
    for (name, value) in changes {
        parameters.retain(|(found, _)| found != name);
        parameters.extend(value.map(|value| {
            (right(client).iter().find(|(found, _)| found == name).map_or("other", |(found, _)| *found), value.to_owned())
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

/// Percent-encoded, all but letters and digits.
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

/// A parameter of an address, decoded.
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

/// Sets the clock forward.
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
        fields.retain(|(found, _)| found != name);
        fields.push((name, value));
    }
    let body = form(&fields);
    server.send("POST", "/api/oauth/token", &[("content-type", "application/x-www-form-urlencoded")], Some(body.as_bytes()))
}

/// Connects an application to a person's books, through the consent page; gives its access and refresh token.
fn connect(server: &Server, person: &Visitor, client: &Registered) -> (String, String) {
    connect_to(server, person, client, "live")
}

/// The same, to the books of that choice.
fn connect_to(server: &Server, person: &Visitor, client: &Registered, books: &str) -> (String, String) {
    let form = the_form(&person.get(&address(&right(client))), "/oauth/authorize");
    let there = person.submit_form(&form, &[("decision", "approve"), ("account", books)]).header("location").unwrap().to_owned();
    let tokens = exchange(server, client, &[("code", &parameter(&there, "code").unwrap())]);
    assert_eq!(tokens.status, 200, "{}", tokens.text);
    let token = |name: &str| tokens.json()[name].as_str().unwrap().to_owned();
    (token("access_token"), token("refresh_token"))
}

/// The status of a call with an access token.
fn read_with(server: &Server, token: &str) -> u16 {
    server.send("GET", "/api/v1/account", &[("authorization", &format!("Bearer {token}"))], None).status
}
