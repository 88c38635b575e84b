//! A person with a browser, as far as forms go: signs in, and lets a partner application in.

use anyhow::{Context, ensure};
use serde_json::Value;
use std::collections::BTreeMap;
use ureq::http::Response;

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

/// A person who is, or will be, signed in.
pub struct Person {
    agent: ureq::Agent,
    origin: String,
    cookies: BTreeMap<String, String>,
}

impl Person {
    /// A person at a server, not signed in.
    #[must_use]
    pub fn at(origin: &str) -> Self {
        Self { agent: agent(), origin: origin.to_owned(), cookies: BTreeMap::new() }
    }

    /// Signs in through the form.
    ///
    /// # Errors
    /// The page is not there or refuses.
    pub fn sign_in(&mut self, email: &str, password: &str) -> anyhow::Result<()> {
        let page = self.get("/login")?;
        let fields = [("email", email), ("password", password)];
        let answer = self.send("/login", &page, "name=\"password\"", &fields)?;
        ensure!(answer.status() == 303, "signing in was answered with {}", answer.status());
        Ok(())
    }

    /// Lets a partner read and write, and gives the tokens that the partner exchanges the code for.
    ///
    /// # Errors
    /// A page or the token endpoint does not answer as it should.
    pub fn connect(&mut self, partner: &Partner) -> anyhow::Result<Tokens> {
        let query = encode(&[
            ("response_type", "code"),
            ("client_id", &partner.id),
            ("redirect_uri", REDIRECT_URI),
            ("scope", "read write"),
            ("state", "measured"),
            ("code_challenge", CHALLENGE),
            ("code_challenge_method", "S256"),
        ]);
        let page = self.get(&format!("/oauth/authorize?{query}"))?;
        let answer = self.send("/oauth/authorize", &page, "value=\"approve\"", &[("decision", "approve")])?;
        let back = answer.headers().get("location").context("the consent leads nowhere")?.to_str()?.to_owned();
        let code = back.split(['?', '&']).find_map(|pair| pair.strip_prefix("code=")).context("the consent gave no code")?;
        let given =
            [("grant_type", "authorization_code"), ("code", code), ("redirect_uri", REDIRECT_URI), ("code_verifier", VERIFIER)];
        tokens(&self.agent, &self.origin, partner, &given)
    }

    fn get(&mut self, path: &str) -> anyhow::Result<String> {
        let request = self.agent.get(format!("{}{path}", self.origin)).header("cookie", self.cookie());
        let mut answer = request.call()?;
        self.keep(&answer);
        ensure!(answer.status() == 200, "{path} was answered with {}", answer.status());
        Ok(answer.body_mut().read_to_string()?)
    }

    /// Sends the first form of the page that holds `mark`, with what is hidden in it.
    fn send(&mut self, path: &str, page: &str, mark: &str, given: &[(&str, &str)]) -> anyhow::Result<Response<ureq::Body>> {
        let forms = page.split("<form").skip(1).map(|rest| rest.split("</form>").next().unwrap_or(rest));
        let form =
            forms.into_iter().find(|form| form.contains(mark)).with_context(|| format!("no form with {mark} on {path}"))?;
        let inputs: Vec<&str> = form.split("<input").skip(1).filter_map(|rest| rest.split('>').next()).collect();
        let hidden: Vec<(String, String)> = inputs
            .into_iter()
            .filter(|input| attribute(input, "type").as_deref() == Some("hidden"))
            .filter_map(|input| Some((attribute(input, "name")?, attribute(input, "value").unwrap_or_default())))
            .collect();
        let mut fields: Vec<(&str, &str)> = hidden.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        fields.extend(given);
        let action = attribute(form.split('>').next().unwrap_or(""), "action").unwrap_or_else(|| path.to_owned());
        let request = self.agent.post(format!("{}{action}", self.origin)).header("cookie", self.cookie());
        let answer = request.header("origin", &self.origin).content_type(FORM).send(encode(&fields))?;
        self.keep(&answer);
        Ok(answer)
    }

    /// The header `Cookie` of a browser that is signed in.
    #[must_use]
    pub fn cookie(&self) -> String {
        self.cookies.iter().map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>().join("; ")
    }

    fn keep(&mut self, answer: &Response<ureq::Body>) {
        for set in answer.headers().get_all("set-cookie") {
            let pair = set.to_str().unwrap_or("").split(';').next().unwrap_or("");
            if let Some((name, value)) = pair.split_once('=') {
                self.cookies.insert(name.to_owned(), value.to_owned());
            }
        }
    }
}

const FORM: &str = "application/x-www-form-urlencoded";

/// Connections that tell every status and follow no redirect.
#[must_use]
pub fn agent() -> ureq::Agent {
    ureq::Agent::config_builder().http_status_as_error(false).max_redirects(0).build().new_agent()
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
    let mut answer = agent.post(format!("{origin}/api/oauth/token")).content_type(FORM).send(encode(&fields))?;
    let text = answer.body_mut().read_to_string()?;
    ensure!(answer.status() == 200, "the token endpoint answered {}: {text}", answer.status());
    let answered: Value = serde_json::from_str(&text)?;
    let token = |name: &str| answered[name].as_str().map(str::to_owned).with_context(|| format!("no {name} in the answer"));
    Ok(Tokens { access: token("access_token")?, refresh: token("refresh_token")? })
}

fn encode(fields: &[(&str, &str)]) -> String {
    form_urlencoded::Serializer::new(String::new()).extend_pairs(fields).finish()
}

/// The value of an attribute, with the references undone that our pages write.
fn attribute(tag: &str, name: &str) -> Option<String> {
    let (_, rest) = tag.split_once(&format!(" {name}=\""))?;
    let value = rest.split('"').next()?;
    Some(
        value
            .replace("&#34;", "\"")
            .replace("&quot;", "\"")
            .replace("&#39;", "'")
            .replace("&#60;", "<")
            .replace("&#62;", ">")
            .replace("&lt;", "<")
            .replace("&gt;", ">")
            .replace("&#38;", "&")
            .replace("&amp;", "&"),
    )
}
