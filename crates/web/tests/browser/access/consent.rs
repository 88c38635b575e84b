//! `/oauth/authorize`: the user grants or denies an application access.

use crate::{BOTH, KIM, NO_SCRIPTS, PASSWORD, PHONE, Visit};
use browser_testing::{Browser, BrowserOptions, Listener};
use service::{
    Environment,
    environment::Clock,
    oauth::clients::{self, NewClient, Registered},
};
use std::collections::HashMap;
use store::{accounts::Plan, keys::Scopes};
use url::Url;

/// Code verifier and its challenge (RFC 7636, appendix B).
const VERIFIER: &str = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
const CHALLENGE: &str = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";

/// Registered application with a website that receives the redirect.
struct Partner {
    site: Listener,
    callback: String,
    client: Registered,
}

impl Partner {
    fn register(visit: &Visit) -> Self {
        Self::register_at(
            visit,
            Listener::start(
                "",
                "<!doctype html><html lang=nl><title>Partner</title><h1>Dank je</h1>",
            ),
        )
    }

    fn register_at(visit: &Visit, site: Listener) -> Self {
        let callback = format!("{}/callback?shop=1", site.url());
        let scopes = Scopes { read: true, write: true, file: false };
        let name = "Webwinkel Plus".to_owned();
        let new = NewClient {
            name,
            redirect_uris: vec![callback.clone()],
            scopes,
            id: None,
            secret: None,
        };
        let now = visit.server.clock.now();
        let client =
            visit.server.write(move |tx| clients::register(tx, &Environment::at(now), &new));
        Self { site, callback, client }
    }

    /// Path and query of the authorization request.
    fn request(&self, changes: &[(&str, &str)]) -> String {
        let mut parameters = vec![
            ("response_type", "code"),
            ("client_id", &self.client.client_id),
            ("redirect_uri", &self.callback),
            ("scope", "read write"),
            ("state", "a b&c=d"),
            ("code_challenge", CHALLENGE),
            ("code_challenge_method", "S256"),
        ];
        for (name, value) in changes {
            parameters.retain(|(parameter, _)| parameter != name);
            parameters.push((name, value));
        }
        let address = Url::parse_with_params("http://x/oauth/authorize", parameters).unwrap();
        format!("{}?{}", address.path(), address.query().unwrap())
    }

    /// Query parameters of the redirect to the partner.
    fn redirect_query(&self, browser: &Browser) -> HashMap<String, String> {
        browser.see("Dank je");
        assert!(browser.url().starts_with(&self.callback), "{}", browser.url());
        assert_eq!(self.site.requests().last().unwrap().header("referer"), None);
        Url::parse(&browser.url()).unwrap().query_pairs().into_owned().collect()
    }

    /// Exchanges a code for an access token.
    fn token(&self, visit: &Visit, code: &str) -> String {
        let body = [
            ("grant_type", "authorization_code"),
            ("code", code),
            ("redirect_uri", &self.callback),
            ("code_verifier", VERIFIER),
        ];
        let client = [
            ("client_id", self.client.client_id.as_str()),
            ("client_secret", &self.client.client_secret),
        ];
        let form = Url::parse_with_params("http://x/", body.iter().chain(&client))
            .unwrap()
            .query()
            .unwrap()
            .to_owned();
        let headers = [("content-type", "application/x-www-form-urlencoded")];
        let answer = visit.server.send("POST", "/api/oauth/token", &headers, Some(form.as_bytes()));
        answer.json()["access_token"]
            .as_str()
            .unwrap_or_else(|| panic!("{}", answer.text))
            .to_owned()
    }
}

/// Status of an API request with a bearer token.
fn status_with(visit: &Visit, token: &str) -> u16 {
    visit
        .server
        .send("GET", "/api/v1/account", &[("authorization", &format!("Bearer {token}"))], None)
        .status
}

#[test]
fn an_application_is_connected_used_listed_and_disconnected() {
    for options in BOTH {
        let visit = Visit::signed_in(options);
        let partner = Partner::register(&visit);
        visit.goto(&partner.request(&[]));
        visit.see("Webwinkel Plus");
        visit.see(KIM);
        visit.press_t("consent-allow");
        let redirect_query = partner.redirect_query(&visit);
        assert_eq!(
            (redirect_query["shop"].as_str(), redirect_query["state"].as_str()),
            ("1", "a b&c=d")
        );
        assert_eq!(redirect_query["iss"], format!("http://{}", visit.server.address));
        let token = partner.token(&visit, &redirect_query["code"]);
        assert_eq!(status_with(&visit, &token), 200);
        visit.goto("/api-access");
        visit.see("GET /api/v1/account");
        visit.press(&format!("{} Webwinkel Plus", visit.t("access-disconnect")));
        assert_eq!(status_with(&visit, &token), 200);
        visit.press_t("access-disconnect-yes");
        visit.see_t("done-disconnected");
        // The recent calls still show the application's name.
        assert!(visit.text_of(".calls").contains("Webwinkel Plus"));
        assert_eq!(status_with(&visit, &token), 401);
    }
}

#[test]
fn an_application_is_denied_access() {
    for options in [BrowserOptions::default(), NO_SCRIPTS, PHONE] {
        let visit = Visit::signed_in(options);
        let partner = Partner::register(&visit);
        visit.goto(&partner.request(&[]));
        visit.press_t("consent-refuse");
        let redirect_query = partner.redirect_query(&visit);
        assert_eq!(
            (
                redirect_query["error"].as_str(),
                redirect_query["state"].as_str(),
                redirect_query.get("code")
            ),
            ("access_denied", "a b&c=d", None)
        );
    }
}

#[test]
fn sign_in_comes_first_and_returns_to_the_consent_page() {
    for options in BOTH {
        let visit = Visit::start(options);
        visit.account(KIM, "NL", Plan::Starter);
        // After sign-in no redirect may go straight to the application: the `form-action` policy of
        // the sign-in form does not include it.
        for (changes, key, value) in [
            (&[][..], "state", "a b&c=d"),
            (&[("response_type", "token")], "error", "unsupported_response_type"),
        ] {
            let partner = Partner::register(&visit);
            visit.delete_cookies();
            visit.goto(&partner.request(changes));
            visit.arrive("/login");
            visit.fill(visit.t("field-email"), KIM);
            visit.fill(visit.t("field-password"), PASSWORD);
            visit.press_t("sign-in-button");
            if changes.is_empty() {
                visit.press_t("consent-allow");
            }
            assert_eq!(partner.redirect_query(&visit)[key], value);
        }
    }
}

#[test]
fn the_partner_may_redirect_to_another_site_of_its_own() {
    for decision in ["consent-allow", "consent-refuse"] {
        let visit = Visit::signed_in(BrowserOptions::default());
        // Nothing listens at this address, but the browser must navigate to it.
        let destination = "https://127.0.0.1:9/welcome";
        let partner = Partner::register_at(&visit, Listener::leading_to(destination));
        visit.goto(&partner.request(&[]));
        visit.press_t(decision);
        visit.arrive(destination);
        assert_eq!(partner.site.requests().len(), 1);
    }
}

#[test]
fn an_application_gets_request_errors_at_once() {
    let visit = Visit::signed_in(BrowserOptions::default());
    let partner = Partner::register(&visit);
    visit.goto(&partner.request(&[("code_challenge_method", "plain")]));
    assert_eq!(partner.redirect_query(&visit)["error"], "invalid_request");
}

#[test]
fn an_account_that_may_not_connect_sees_why_and_returns() {
    for (email, country, plan, why) in [
        ("free@example.com", "NL", Plan::Free, "Koppelingen zitten niet in je abonnement"),
        ("be@example.com", "BE", Plan::Pro, "Alleen voor accounts in Nederland"),
    ] {
        let mut visit = Visit::start(BrowserOptions::default());
        visit.account(email, country, plan);
        visit.sign_in(email);
        let partner = Partner::register(&visit);
        visit.assert_page_accessible(&partner.request(&[]), country);
        visit.see(why);
        assert!(!visit.offers("Toestaan"));
        visit.press("Terug naar Webwinkel Plus");
        assert_eq!(partner.redirect_query(&visit)["error"], "access_denied");
    }
}

#[test]
fn the_pages_are_accessible_and_never_redirect_to_an_unknown_address() {
    let mut visit = Visit::signed_in(BrowserOptions::default());
    let partner = Partner::register(&visit);
    visit.assert_page_accessible(&partner.request(&[]), "consent");
    let request = partner.request(&[("redirect_uri", "https://thief.example/callback")]);
    visit.assert_page_accessible(&request, "lost");
    visit.see("Koppelen is niet gelukt");
    assert!(partner.site.requests().is_empty());
}
