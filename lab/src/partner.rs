//! Users who sign in and authorize a partner application, and the tokens that the partner gets.

use anyhow::{Context, ensure};
use serde_json::Value;
use visitor::{
    FORM, Reply, Visitor,
    page::{encoded, forms},
};

/// A code verifier and its challenge, from RFC 7636, appendix B. Their secrecy does not matter for
/// a measurement.
const VERIFIER: &str = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
const CHALLENGE: &str = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";
/// Redirect URI of a partner. Nothing needs to listen there, because the code is read from the
/// redirect.
pub const REDIRECT_URI: &str = "https://partner.example/callback";

/// A registered partner application.
#[derive(Debug, Clone)]
pub struct Partner {
    /// `client_id`.
    pub id: String,
    /// `client_secret`.
    pub secret: String,
}

/// Tokens of a partner for one user.
#[derive(Debug, Clone)]
pub struct Tokens {
    /// Access token, valid for one hour.
    pub access: String,
    /// Refresh token, valid once.
    pub refresh: String,
}

/// Signs in through the form.
///
/// # Errors
/// The page is missing, or the sign-in is rejected.
pub fn sign_in(person: &Visitor, email: &str, password: &str) -> anyhow::Result<()> {
    let page = shown(person, "/login")?;
    let answer = submit(person, &page, "/login", &[("email", email), ("password", password)])?;
    ensure!(answer.status == 303, "signing in was answered with {}", answer.status);
    Ok(())
}

/// Authorizes a partner to read and write, and exchanges the code for tokens.
///
/// # Errors
/// A page or the token endpoint returns an unexpected response.
pub fn connect(person: &Visitor, origin: &str, partner: &Partner) -> anyhow::Result<Tokens> {
    let query = encoded(&[
        ("response_type", "code"),
        ("client_id", &partner.id),
        ("redirect_uri", REDIRECT_URI),
        ("scope", "read write"),
        ("state", "measured"),
        ("code_challenge", CHALLENGE),
        ("code_challenge_method", "S256"),
    ]);
    let page = shown(person, &format!("/oauth/authorize?{query}"))?;
    let answer = submit(person, &page, "/oauth/authorize", &[("decision", "approve")])?;
    let back = answer.header("location").context("the consent has no redirect")?;
    let code = back
        .split(['?', '&'])
        .find_map(|pair| pair.strip_prefix("code="))
        .context("the redirect has no code")?;
    let grant = [
        ("grant_type", "authorization_code"),
        ("code", code),
        ("redirect_uri", REDIRECT_URI),
        ("code_verifier", VERIFIER),
    ];
    tokens(&visitor::agent(None), origin, partner, &grant)
}

fn shown(person: &Visitor, path: &str) -> anyhow::Result<Reply> {
    let page = person.try_send("GET", path, &[], None)?;
    ensure!(page.status == 200, "{path} was answered with {}", page.status);
    Ok(page)
}

/// Fills in and submits the form of a page with this action.
fn submit(
    person: &Visitor,
    page: &Reply,
    action: &str,
    filled: &[(&str, &str)],
) -> anyhow::Result<Reply> {
    let form = forms(&page.text).into_iter().find(|form| form.action == action);
    let body = form.with_context(|| format!("no form to {action}"))?.filled(filled);
    let headers = [("content-type", FORM), ("sec-fetch-site", "same-origin")];
    Ok(person.try_send("POST", action, &headers, Some(body.as_bytes()))?)
}

/// Uses a refresh token once.
///
/// # Errors
/// The token endpoint rejects the token.
pub fn refresh(
    agent: &ureq::Agent,
    origin: &str,
    partner: &Partner,
    token: &str,
) -> anyhow::Result<Tokens> {
    tokens(agent, origin, partner, &[("grant_type", "refresh_token"), ("refresh_token", token)])
}

fn tokens(
    agent: &ureq::Agent,
    origin: &str,
    partner: &Partner,
    grant: &[(&str, &str)],
) -> anyhow::Result<Tokens> {
    let mut fields = grant.to_vec();
    fields.extend([("client_id", partner.id.as_str()), ("client_secret", partner.secret.as_str())]);
    let body = encoded(&fields);
    let headers = [("content-type", FORM)];
    let answer = visitor::try_send(
        agent,
        origin,
        "POST",
        "/api/oauth/token",
        &headers,
        Some(body.as_bytes()),
    )?;
    ensure!(answer.status == 200, "the token endpoint answered {}: {}", answer.status, answer.text);
    let answered: Value = serde_json::from_str(&answer.text)?;
    let token = |name: &str| {
        answered[name]
            .as_str()
            .map(str::to_owned)
            .with_context(|| format!("no {name} in the answer"))
    };
    Ok(Tokens { access: token("access_token")?, refresh: token("refresh_token")? })
}
