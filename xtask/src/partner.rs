//! People who sign in and let a partner application in, and what the partner gets for it.

use anyhow::{Context, ensure};
use serde_json::Value;
use visitor::{
    FORM, Reply, Visitor,
    page::{encoded, forms},
};

/// A verifier and its challenge, both from RFC 7636, appendix B: what is measured is not their secrecy.
const VERIFIER: &str = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
const CHALLENGE: &str = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";
/// Where a partner is called back; nobody needs to listen there, the code is taken from the redirect.
pub const REDIRECT_URI: &str = "https://partner.example/callback";

/// A registered partner application.
#[derive(Debug, Clone)]
pub struct Partner {
    /// Its `client_id`.
    pub id: String,
    /// Its `client_secret`.
    pub secret: String,
}

/// What a partner holds of a person.
#[derive(Debug, Clone)]
pub struct Tokens {
    /// For one hour.
    pub access: String,
    /// For one use.
    pub refresh: String,
}

/// Signs in through the form.
///
/// # Errors
/// The page is not there or refuses.
pub fn sign_in(person: &Visitor, email: &str, password: &str) -> anyhow::Result<()> {
    let page = shown(person, "/login")?;
    let answer = submit(person, &page, "/login", &[("email", email), ("password", password)])?;
    ensure!(answer.status == 303, "signing in was answered with {}", answer.status);
    Ok(())
}

/// Lets a partner read and write, and gives the tokens that the partner exchanges the code for.
///
/// # Errors
/// A page or the token endpoint does not answer as it should.
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
    let back = answer.header("location").context("the consent leads nowhere")?;
    let code = back.split(['?', '&']).find_map(|pair| pair.strip_prefix("code=")).context("the consent gave no code")?;
    let given =
        [("grant_type", "authorization_code"), ("code", code), ("redirect_uri", REDIRECT_URI), ("code_verifier", VERIFIER)];
    tokens(&visitor::agent(None), origin, partner, &given)
}

fn shown(person: &Visitor, path: &str) -> anyhow::Result<Reply> {
    let page = person.try_send("GET", path, &[], None)?;
    ensure!(page.status == 200, "{path} was answered with {}", page.status);
    Ok(page)
}

/// Sends the form of a page that goes there, filled in.
fn submit(person: &Visitor, page: &Reply, action: &str, filled: &[(&str, &str)]) -> anyhow::Result<Reply> {
    let form = forms(&page.text).into_iter().find(|form| form.action == action);
    let body = form.with_context(|| format!("no form to {action}"))?.filled(filled);
    let headers = [("content-type", FORM), ("sec-fetch-site", "same-origin")];
    Ok(person.try_send("POST", action, &headers, Some(body.as_bytes()))?)
}

/// Uses a refresh token once.
///
/// # Errors
/// The token endpoint refuses.
pub fn refresh(agent: &ureq::Agent, origin: &str, partner: &Partner, token: &str) -> anyhow::Result<Tokens> {
    tokens(agent, origin, partner, &[("grant_type", "refresh_token"), ("refresh_token", token)])
}

fn tokens(agent: &ureq::Agent, origin: &str, partner: &Partner, given: &[(&str, &str)]) -> anyhow::Result<Tokens> {
    let mut fields = given.to_vec();
    fields.extend([("client_id", partner.id.as_str()), ("client_secret", partner.secret.as_str())]);
    let body = encoded(&fields);
    let headers = [("content-type", FORM)];
    let answer = visitor::try_send(agent, origin, "POST", "/api/oauth/token", &headers, Some(body.as_bytes()))?;
    ensure!(answer.status == 200, "the token endpoint answered {}: {}", answer.status, answer.text);
    let answered: Value = serde_json::from_str(&answer.text)?;
    let token = |name: &str| answered[name].as_str().map(str::to_owned).with_context(|| format!("no {name} in the answer"));
    Ok(Tokens { access: token("access_token")?, refresh: token("refresh_token")? })
}
