//! `/oauth/authorize`: a partner's application is let in or sent away, and what becomes of it.

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

/// A code verifier and its challenge (RFC 7636, appendix B).
const VERIFIER: &str = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
const CHALLENGE: &str = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";

/// A partner with a website of its own, to which people come back.
struct Partner {
    site: Listener,
    callback: String,
    client: Registered,
}

impl Partner {
    fn register(visit: &Visit) -> Self {
        Self::register_at(visit, Listener::start("", "<!doctype html><html lang=nl><title>Partner</title><h1>Dank je</h1>"))
    }

    fn register_at(visit: &Visit, site: Listener) -> Self {
        let callback = format!("{}/callback?shop=1", site.url());
        let scopes = Scopes { read: true, write: true, file: false };
        let name = "Webwinkel Plus".to_owned();
        let new = NewClient { name, redirect_uris: vec![callback.clone()], scopes, id: None, secret: None };
        let now = visit.server.clock.now();
        let client = visit.server.write(move |tx| clients::register(tx, &Environment::at(now), &new));
        Self { site, callback, client }
    }

    /// Where the partner sends people.
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
            parameters.retain(|(found, _)| found != name);
            parameters.push((name, value));
        }
        let address = Url::parse_with_params("http://x/oauth/authorize", parameters).unwrap();
        format!("{}?{}", address.path(), address.query().unwrap())
    }

    /// What came back with the person.
    fn reported(&self, browser: &Browser) -> HashMap<String, String> {
        browser.see("Dank je");
        assert!(browser.url().starts_with(&self.callback), "{}", browser.url());
        assert_eq!(self.site.requests().last().unwrap().header("referer"), None);
        Url::parse(&browser.url()).unwrap().query_pairs().into_owned().collect()
    }

    /// Takes a code to the server for an access token.
    fn token(&self, visit: &Visit, code: &str) -> String {
        let body =
            [("grant_type", "authorization_code"), ("code", code), ("redirect_uri", &self.callback), ("code_verifier", VERIFIER)];
        let client = [("client_id", self.client.client_id.as_str()), ("client_secret", &self.client.client_secret)];
        let form = Url::parse_with_params("http://x/", body.iter().chain(&client)).unwrap().query().unwrap().to_owned();
        let headers = [("content-type", "application/x-www-form-urlencoded")];
        let answer = visit.server.send("POST", "/api/oauth/token", &headers, Some(form.as_bytes()));
        answer.json()["access_token"].as_str().unwrap_or_else(|| panic!("{}", answer.text)).to_owned()
    }
}

/// What a request with a bearer token is answered with.
fn asks(visit: &Visit, token: &str) -> u16 {
    visit.server.send("GET", "/api/v1/account", &[("authorization", &format!("Bearer {token}"))], None).status
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
        let reported = partner.reported(&visit);
        assert_eq!((reported["shop"].as_str(), reported["state"].as_str()), ("1", "a b&c=d"));
        assert_eq!(reported["iss"], format!("http://{}", visit.server.address));
        let token = partner.token(&visit, &reported["code"]);
        assert_eq!(asks(&visit, &token), 200);
        visit.goto("/api-access");
        visit.see("GET /api/v1/account");
        visit.press(&format!("{} Webwinkel Plus", visit.t("access-disconnect")));
        assert_eq!(asks(&visit, &token), 200);
        visit.press_t("access-disconnect-yes");
        visit.see_t("done-disconnected");
        // Its calls are still told by its name.
        assert!(visit.text_of(".calls").contains("Webwinkel Plus"));
        assert_eq!(asks(&visit, &token), 401);
    }
}

#[test]
fn an_application_is_refused() {
    for options in [BrowserOptions::default(), NO_SCRIPTS, PHONE] {
        let visit = Visit::signed_in(options);
        let partner = Partner::register(&visit);
        visit.goto(&partner.request(&[]));
        visit.press_t("consent-refuse");
        let reported = partner.reported(&visit);
        assert_eq!(
            (reported["error"].as_str(), reported["state"].as_str(), reported.get("code")),
            ("access_denied", "a b&c=d", None)
        );
    }
}

#[test]
fn whoever_is_not_signed_in_signs_in_first_and_comes_back_to_the_question() {
    for options in BOTH {
        let visit = Visit::start(options);
        visit.account(KIM, "NL", Plan::Starter);
        // A redirect to the application right after signing in would be blocked: the policy of that form does not know it.
        for (changes, key, value) in
            [(&[][..], "state", "a b&c=d"), (&[("response_type", "token")], "error", "unsupported_response_type")]
        {
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
            assert_eq!(partner.reported(&visit)[key], value);
        }
    }
}

#[test]
fn the_partner_may_lead_on_to_another_site_of_theirs() {
    for decision in ["consent-allow", "consent-refuse"] {
        let visit = Visit::signed_in(BrowserOptions::default());
        // Nobody answers there, but the browser must be on its way.
        let elsewhere = "https://127.0.0.1:9/welcome";
        let partner = Partner::register_at(&visit, Listener::leading_to(elsewhere));
        visit.goto(&partner.request(&[]));
        visit.press_t(decision);
        visit.arrive(elsewhere);
        assert_eq!(partner.site.requests().len(), 1);
    }
}

#[test]
fn an_application_hears_at_once_what_is_wrong_with_its_request() {
    let visit = Visit::signed_in(BrowserOptions::default());
    let partner = Partner::register(&visit);
    visit.goto(&partner.request(&[("code_challenge_method", "plain")]));
    assert_eq!(partner.reported(&visit)["error"], "invalid_request");
}

#[test]
fn an_account_that_may_not_connect_is_told_why_and_sent_back() {
    for (email, country, plan, why) in [
        ("free@example.com", "NL", Plan::Free, "Koppelingen zitten niet in je abonnement"),
        ("be@example.com", "BE", Plan::Pro, "Alleen voor accounts in Nederland"),
    ] {
        let mut visit = Visit::start(BrowserOptions::default());
        visit.account(email, country, plan);
        visit.sign_in(email);
        let partner = Partner::register(&visit);
        visit.everybody_can_use(&partner.request(&[]), country);
        visit.see(why);
        assert!(!visit.offers("Toestaan"));
        visit.press("Terug naar Webwinkel Plus");
        assert_eq!(partner.reported(&visit)["error"], "access_denied");
    }
}

#[test]
fn everybody_can_use_the_pages_and_nobody_is_led_to_an_unknown_address() {
    let mut visit = Visit::signed_in(BrowserOptions::default());
    let partner = Partner::register(&visit);
    visit.everybody_can_use(&partner.request(&[]), "consent");
    let elsewhere = partner.request(&[("redirect_uri", "https://thief.example/callback")]);
    visit.everybody_can_use(&elsewhere, "lost");
    visit.see("Koppelen is niet gelukt");
    assert!(partner.site.requests().is_empty());
}
