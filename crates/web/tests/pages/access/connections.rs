//! Connected applications on `/api-access`: their display, and disconnection.

use super::{connect, later, newcomer, partner, read_with, register};
use service::{Error, environment::Clock, people::events};
use store::keys::Scopes;
use testing::{
    Server, on_both_engines,
    page::{forms_like, the_form, unescaped},
};

on_both_engines! {
    fn a_connected_application_is_listed_with_its_scopes_and_last_use(engine) {
        let server = Server::start(engine);
        let client = partner(&server);
        let person = newcomer(&server, "a@example.com");
        assert!(forms_like(&person.get("/api-access"), "disconnect").is_empty());
        let (access, _) = connect(&server, &person, &client);
        let page = unescaped(&person.get("/api-access").text);
        let row =
            page.split("<bdi>Webwinkel Plus</bdi>").nth(1).unwrap().split("</li>").next().unwrap();
        assert!(row.contains("Lezen") && !row.contains("Schrijven"), "{row}");
        assert!(
            row.contains("Gekoppeld sinds 15 mrt 2026 12:00") && row.contains("Nooit gebruikt"),
            "{row}"
        );
        later(&server, 180);
        assert_eq!(read_with(&server, &access), 200);
        let page = unescaped(&person.get("/api-access").text);
        assert!(page.contains("Laatst gebruikt op 15 mrt 2026 12:03 vanaf 127.0.0.1"), "{page}");
        // The call is listed under the application's name.
        let calls = page.split("<ol class=\"log calls\"").nth(1).unwrap();
        assert!(
            calls.contains("GET /api/v1/account") && calls.contains("<bdi>Webwinkel Plus</bdi>"),
            "{calls}"
        );
    }

    fn a_reused_token_leaves_a_notice_until_the_application_is_connected_again(engine) {
        let server = Server::start(engine);
        let client = partner(&server);
        let (person, other) =
            (newcomer(&server, "a@example.com"), newcomer(&server, "b@example.com"));
        let _ = server.test_key("a@example.com");
        let refresh = |token: &str| {
            super::exchange(
                &server,
                &client,
                &[("grant_type", "refresh_token"), ("refresh_token", token)],
            )
            .status
        };
        for books in ["live", "test"] {
            let (_, token) = super::connect_to(&server, &person, &client, books);
            let access_page = |person: &testing::Visitor, language: &str| {
                unescaped(&person.get_with("/api-access", &[("accept-language", language)]).text)
            };
            assert!(!access_page(&person, "nl").contains("ontkoppeld op"), "{books}");
            later(&server, 60);
            assert_eq!((refresh(&token), refresh(&token)), (200, 400));
            let at = i18n::Texts { language: ledger::language::Language::Dutch }
                .moment(server.clock.now());
            let page = access_page(&person, "nl");
            // The notice names the application, the time, the reason and the remedy.
            assert!(page.contains(&format!("Webwinkel Plus is ontkoppeld op {at}")), "{at} {page}");
            assert!(
                page.contains("eenmalige toegangscode twee keer")
                    && page.contains("Koppel opnieuw vanuit de app zelf"),
                "{page}"
            );
            let english = access_page(&person, "en");
            assert!(
                english.contains("Webwinkel Plus was disconnected on")
                    && english.contains("Connect again from the app itself"),
                "{english}"
            );
            assert!(forms_like(&person.get("/api-access"), "disconnect").is_empty());
            // Only the owner sees the notice, until the application is connected again.
            assert!(!access_page(&other, "nl").contains("ontkoppeld op"));
            later(&server, 60);
            let _ = super::connect_to(&server, &person, &client, books);
            assert!(!access_page(&person, "nl").contains("ontkoppeld op"), "{books}");
            for form in forms_like(&person.get("/api-access"), "disconnect") {
                assert_eq!(person.submit_form(&form, &[]).status, 303);
            }
            later(&server, 60);
        }
    }

    fn disconnecting_ends_all_tokens_at_once(engine) {
        let server = Server::start(engine);
        let client = partner(&server);
        let other = register(
            &server,
            "Uren",
            super::CALLBACK,
            Scopes { read: true, write: false, file: false },
        );
        let (person, stranger) =
            (newcomer(&server, "a@example.com"), newcomer(&server, "b@example.com"));
        let (access, refresh) = connect(&server, &person, &client);
        later(&server, 1);
        let (again, _) = connect(&server, &person, &client);
        let (kept, _) = connect(&server, &person, &other);
        let (strangers, _) = connect(&server, &stranger, &client);
        let page = person.get("/api-access");
        // One row for each application, however often it was connected, in order of connection.
        let disconnect = forms_like(&page, "disconnect");
        assert_eq!(disconnect.len(), 2);
        // Another user's session cannot disconnect the application.
        let csrf = the_form(&stranger.get("/api-access"), "disconnect").value("csrf").to_owned();
        assert_eq!(stranger.post(&disconnect[0].action, &[("csrf", &csrf)]).status, 404);
        assert_eq!((read_with(&server, &access), read_with(&server, &strangers)), (200, 200));
        let done = person.submit_form(&disconnect[0], &[]);
        assert_eq!(
            (done.status, done.header("location")),
            (303, Some("/api-access?done=disconnected"))
        );
        assert_eq!((read_with(&server, &access), read_with(&server, &again)), (401, 401));
        assert_eq!((read_with(&server, &kept), read_with(&server, &strangers)), (200, 200));
        let refreshed = super::exchange(
            &server,
            &client,
            &[("grant_type", "refresh_token"), ("refresh_token", &refresh)],
        );
        assert_eq!(
            (refreshed.status, refreshed.json()["error"].as_str()),
            (400, Some("invalid_grant"))
        );
        let page = person.get_with(
            "/api-access?done=disconnected",
            &[("cookie", "grootboek-done=disconnected")],
        );
        assert_eq!(forms_like(&page, "disconnect").len(), 1);
        // The application's calls are still listed under its name.
        let calls = page.text.split("<ol class=\"log calls\"").nth(1).unwrap();
        assert_eq!(
            (calls.matches("<bdi>Webwinkel Plus</bdi>").count(), calls.contains("Ontkoppelde")),
            (1, false),
            "{calls}"
        );
        assert_eq!(
            person.submit_form(&disconnect[0], &[]).status,
            303,
            "a second disconnection changes nothing"
        );
    }

    fn a_webhook_shows_its_creator_and_is_disabled_with_it(engine) {
        let server = Server::start(engine);
        let client = register(
            &server,
            "Winkel",
            super::CALLBACK,
            Scopes { read: true, write: true, file: false },
        );
        let person = newcomer(&server, "a@example.com");
        let form = the_form(
            &person.get(&super::changed(&client, &[("scope", Some("read write"))])),
            "/oauth/authorize",
        );
        let target = person
            .submit_form(&form, &[("decision", "approve"), ("account", "live")])
            .header("location")
            .unwrap()
            .to_owned();
        let tokens = super::exchange(
            &server,
            &client,
            &[("code", &super::parameter(&target, "code").unwrap())],
        );
        let bearer = format!("Bearer {}", tokens.json()["access_token"].as_str().unwrap());
        let headers = [("authorization", bearer.as_str()), ("content-type", "application/json")];
        let response = server.send(
            "POST",
            "/api/v1/webhooks",
            &headers,
            Some(br#"{"url": "https://shop.example/hooks"}"#),
        );
        assert_eq!(response.status, 201, "{}", response.text);
        for path in ["/api-access", "/api-access/webhooks/1"] {
            let page = unescaped(&person.get(path).text);
            assert!(page.contains("Gemaakt door de app") && page.contains("Winkel"), "{page}");
        }
        person.submit_form(&the_form(&person.get("/api-access"), "disconnect"), &[]);
        let page = unescaped(&person.get("/api-access/webhooks/1").text);
        assert!(page.contains("niet meer gekoppeld; daarom staat deze webhook uit"), "{page}");
        // Once enabled again, the webhook belongs to the owner.
        assert_eq!(
            person
                .submit_form(&the_form(&person.get("/api-access/webhooks/1"), "enable"), &[])
                .status,
            303
        );
        assert!(unescaped(&person.get("/api-access").text).contains("Door jou gemaakt"));
    }

    fn changes_of_access_are_recorded_for_the_owner(engine) {
        let server = Server::start(engine);
        let client = partner(&server);
        let person = newcomer(&server, "a@example.com");
        let revoke_form = the_form(&person.get("/api-access"), "revoke");
        later(&server, 1);
        person.submit_form(&revoke_form, &[]);
        later(&server, 1);
        let _ = connect(&server, &person, &client);
        later(&server, 1);
        person.submit_form(&the_form(&person.get("/api-access"), "disconnect"), &[]);
        let owner = server.person("a@example.com");
        let events = server
            .store
            .read_blocking::<_, Error, _>(move |tx| events::list(tx, owner, 3))
            .unwrap();
        let reported: Vec<_> = events
            .iter()
            .map(|it| (it.kind.as_str(), it.detail.as_str(), it.address.as_str()))
            .collect();
        assert_eq!(
            reported,
            [
                ("application_disconnected", "Webwinkel Plus", "127.0.0.1"),
                ("application_connected", "Webwinkel Plus", "127.0.0.1"),
                ("key_revoked", "test", "127.0.0.1"),
            ]
        );
    }
}
