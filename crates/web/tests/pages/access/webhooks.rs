//! Webhooks on `/api-access`: creation, test delivery, edits, switching off and on, removal.

use super::later;
use serde_json::json;
use store::accounts::Plan;
use testing::{
    Behaviour, Receiver, Server, on_both_engines,
    page::{the_form, with_test_id},
};

on_both_engines! {
    fn a_webhook_is_created_tested_and_removed(engine) {
        let server = Server::start(engine);
        server.account_of("a@example.com", "NL", Plan::Starter);
        let key = server.key("a@example.com", true, true);
        let (person, receiver) = (server.signed_in("a@example.com"), Receiver::start());
        let form = the_form(&person.get("/api-access/webhooks/new"), "/api-access/webhooks/new");
        let refused =
            person.submit_form(&form, &[("url", "winkel"), ("description", "Mijn <b> winkel")]);
        assert_eq!(refused.status, 422);
        assert!(
            refused.text.contains("Vul een webadres in")
                && refused.text.contains("Mijn &#60;b&#62; winkel"),
            "{}",
            refused.text
        );
        let form = the_form(&refused, "/api-access/webhooks/new");
        let filled = [
            ("url", receiver.url()),
            ("description", "Mijn winkel".into()),
            ("types", "contact.*".into()),
            ("types", "invoice.*".into()),
        ];
        let filled: Vec<(&str, &str)> =
            filled.iter().map(|(name, value)| (*name, value.as_str())).collect();
        let response = person.submit_form(&form, &filled);
        let secret = with_test_id(&response, "new-webhook-secret").unwrap();
        assert_eq!(
            (response.status, response.header("cache-control"), secret.starts_with("whsec_")),
            (200, Some("no-store"), true)
        );
        let webhook = server.get(&key, "/api/v1/webhooks/1").json();
        assert_eq!(
            (&webhook["types"], &webhook["description"]),
            (&json!(["contact.*", "invoice.*"]), &json!("Mijn winkel"))
        );
        let listed = person.get("/api-access");
        assert!(listed.text.contains(&receiver.url()) && !listed.text.contains(&secret));
        // A test delivery is rejected by the receiver and then sent again.
        receiver.behave(Behaviour::Answers(503, "<b>dicht</b>".into()));
        let page = person.get("/api-access/webhooks/1");
        let sent = person.submit_form(&the_form(&page, "/api-access/webhooks/1/test"), &[]);
        assert_eq!(
            (sent.status, sent.header("location")),
            (303, Some("/api-access/webhooks/1?done=webhook-tested"))
        );
        server.deliver_webhooks();
        let page = person.get("/api-access/webhooks/1");
        for text in [
            "webhook.test",
            "Wacht",
            "1 poging",
            "antwoord 503",
            "&#60;b&#62;dicht",
            "Berichten worden sinds",
        ] {
            assert!(page.text.contains(text), "{text}: {}", page.text);
        }
        assert!(person.get("/api-access").text.contains("Niet aangenomen"));
        receiver.behave(Behaviour::Answers(200, String::new()));
        let messages = receiver.take();
        let again = format!(
            "/api-access/webhooks/1/deliveries/{}/redeliver",
            messages[0].header("webhook-id")
        );
        assert_eq!(person.submit_form(&the_form(&page, &again), &[]).status, 303);
        server.deliver_webhooks();
        assert_eq!(receiver.take()[0].body, messages[0].body);
        let page = person.get("/api-access/webhooks/1");
        assert!(
            page.text.contains("Aangenomen") && !page.text.contains("Berichten worden sinds"),
            "{}",
            page.text
        );
        // A new secret, shown once.
        let other = with_test_id(
            &person.submit_form(&the_form(&page, "/api-access/webhooks/1/rotate-secret"), &[]),
            "new-webhook-secret",
        )
        .unwrap();
        assert_ne!(other, secret);
        assert_eq!(
            person.submit_form(&the_form(&page, "/api-access/webhooks/1/disable"), &[]).status,
            303
        );
        let page = person.get("/api-access/webhooks/1");
        assert!(page.text.contains("Je hebt deze webhook uitgezet"), "{}", page.text);
        assert_eq!(
            person.submit_form(&the_form(&page, "/api-access/webhooks/1/enable"), &[]).status,
            303
        );
        assert_eq!(server.get(&key, "/api/v1/webhooks/1").json()["enabled"], json!(true));
        let removed = person.submit_form(&the_form(&page, "/api-access/webhooks/1/delete"), &[]);
        assert_eq!(
            (removed.status, removed.header("location")),
            (303, Some("/api-access?done=webhook-deleted"))
        );
        assert_eq!(person.get("/api-access/webhooks/1").status, 404);
        let security = person.get("/settings/security").text;
        assert!(
            security.contains("Webhook toegevoegd") && security.contains("Webhook verwijderd"),
            "{security}"
        );
    }

    fn a_webhook_is_edited_on_its_page(engine) {
        let server = Server::start(engine);
        server.account_of("a@example.com", "NL", Plan::Starter);
        let key = server.key("a@example.com", true, true);
        let body = json!({"url": "https://shop.example/old", "types": ["invoice.paid"], "description": "Winkel"});
        assert_eq!(server.post(&key, "/api/v1/webhooks", &body).status, 201);
        let person = server.signed_in("a@example.com");
        assert!(
            person
                .get("/api-access/webhooks/1")
                .text
                .contains("href=\"/api-access/webhooks/1/edit\"")
        );
        let page = person.get("/api-access/webhooks/1/edit");
        // A single selected event is ticked, and its group is expanded.
        for text in [
            "Webhook wijzigen",
            "value=\"https://shop.example/old\"",
            "value=\"Winkel\"",
            "value=\"invoice.paid\" checked",
            "<details class=\"more\" open>",
        ] {
            assert!(page.text.contains(text), "{text}: {}", page.text);
        }
        let form = the_form(&page, "/api-access/webhooks/1/edit");
        let kept = ("version", form.value("version"));
        let fill = |url: &'static str, types: &[&'static str]| -> Vec<(&str, &str)> {
            let fields = [
                ("csrf", form.value("csrf")),
                ("submission", form.value("submission")),
                kept,
                ("url", url),
                ("description", ""),
            ];
            fields.into_iter().chain(types.iter().map(|name| ("types", *name))).collect()
        };
        let refused = person.post("/api-access/webhooks/1/edit", &fill("winkel", &["contact.*"]));
        assert_eq!(refused.status, 422);
        assert!(
            refused.text.contains("Vul een webadres in")
                && refused.text.contains("value=\"contact.*\" checked"),
            "{}",
            refused.text
        );
        let changed = fill("https://shop.example/new", &["contact.*", "invoice.sent"]);
        // A double click saves once.
        for _ in 0..2 {
            let saved = person.post("/api-access/webhooks/1/edit", &changed);
            assert_eq!(
                (saved.status, saved.header("location")),
                (303, Some("/api-access/webhooks/1?done=webhook-edited")),
                "{}",
                saved.text
            );
        }
        let webhook = server.get(&key, "/api/v1/webhooks/1").json();
        assert_eq!(webhook["url"], "https://shop.example/new");
        assert_eq!(
            (&webhook["types"], &webhook["description"]),
            (&json!(["contact.*", "invoice.sent"]), &json!(null))
        );
        assert!(person.get("/settings/security").text.contains("Webhook gewijzigd"));
        // No selection means all events.
        let form =
            the_form(&person.get("/api-access/webhooks/1/edit"), "/api-access/webhooks/1/edit");
        let own = |name: &'static str| (name, form.value(name));
        let all =
            [own("csrf"), own("submission"), own("version"), ("url", "https://shop.example/new")];
        assert_eq!(person.post("/api-access/webhooks/1/edit", &all).status, 303);
        assert_eq!(server.get(&key, "/api/v1/webhooks/1").json()["types"], json!([]));
        // An edit conflict with a change through the API.
        let form =
            the_form(&person.get("/api-access/webhooks/1/edit"), "/api-access/webhooks/1/edit");
        let headers = [("x-api-key", key.as_str()), ("content-type", "application/json")];
        assert_eq!(
            server
                .send("PATCH", "/api/v1/webhooks/1", &headers, Some(br#"{"types": ["project.*"]}"#))
                .status,
            200
        );
        let mine = [("url", "https://shop.example/mine"), ("types", "invoice.*")];
        let both = person.submit_form(&form, &mine);
        assert_eq!(both.status, 409);
        for text in [
            "https://shop.example/mine",
            "https://shop.example/new",
            "project.*",
            "value=\"invoice.*\" checked",
        ] {
            assert!(both.text.contains(text), "{text}: {}", both.text);
        }
        assert_eq!(
            person.submit_form(&the_form(&both, "/api-access/webhooks/1/edit"), &mine).status,
            303
        );
        assert_eq!(server.get(&key, "/api/v1/webhooks/1").json()["types"], json!(["invoice.*"]));
        // A duplicate of another webhook's URL and events is rejected.
        assert_eq!(
            server
                .post(
                    &key,
                    "/api/v1/webhooks",
                    &json!({"url": "https://shop.example/other", "types": ["invoice.*"]})
                )
                .status,
            201
        );
        let form =
            the_form(&person.get("/api-access/webhooks/1/edit"), "/api-access/webhooks/1/edit");
        let alike = person.submit_form(&form, &[("url", "https://shop.example/other")]);
        assert!(
            alike.status == 422 && alike.text.contains("Je hebt al een webhook met dit adres"),
            "{}",
            alike.text
        );
        // Some time after sign-in the password is required, and the input is kept.
        later(&server, 20 * 60);
        let response = person
            .submit_form(&form, &[("url", "https://shop.example/late"), ("types", "expense.*")]);
        let next = response.header("location").unwrap().to_owned();
        assert!(
            response.status == 303
                && next.starts_with("/password/confirm?next=%2Fapi%2Daccess%2Fwebhooks%2F1%2Fedit"),
            "{next}"
        );
        assert_eq!(
            server.get(&key, "/api/v1/webhooks/1").json()["url"],
            "https://shop.example/mine"
        );
        let kept = person
            .get(
                "/api-access/webhooks/1/edit?url=https%3A%2F%2Fshop.example%2Flate&types=expense.*",
            )
            .text;
        assert!(
            kept.contains("value=\"https://shop.example/late\"")
                && kept.contains("value=\"expense.*\" checked"),
            "{kept}"
        );
    }

    fn webhooks_of_the_test_account_have_pages_of_their_own(engine) {
        let server = Server::start(engine);
        server.account_of("a@example.com", "NL", Plan::Starter);
        let live = server.key("a@example.com", true, true);
        let person = server.signed_in("a@example.com");
        let (new, one) =
            ("/api-access/test-account/webhooks/new", "/api-access/test-account/webhooks/1");
        // Without a test account the pages do not exist.
        for path in [new, one] {
            assert_eq!(person.get(path).status, 404, "{path}");
        }
        assert!(!person.get("/api-access").text.contains(new));
        let test = server.test_key("a@example.com");
        assert_eq!(
            server
                .post(&live, "/api/v1/webhooks", &json!({"url": "https://shop.example/live"}))
                .status,
            201
        );
        assert!(person.get("/api-access").text.contains(&format!("href=\"{new}\"")));
        let receiver = Receiver::start();
        let page = person.get(new);
        assert!(page.text.contains(">TEST</span>"), "{}", page.text);
        let response = person.submit_form(
            &the_form(&page, new),
            &[("url", &receiver.url()), ("types", "invoice.*")],
        );
        assert!(
            with_test_id(&response, "new-webhook-secret").is_some()
                && response.text.contains(&format!("href=\"{one}\"")),
            "{}",
            response.text
        );
        let urls = |key: &str| {
            let listed = server.get(key, "/api/v1/webhooks").json();
            listed["data"]
                .as_array()
                .unwrap()
                .iter()
                .map(|row| row["url"].as_str().unwrap().to_owned())
                .collect::<Vec<_>>()
        };
        assert_eq!(
            (urls(&live), urls(&test)),
            (vec!["https://shop.example/live".to_owned()], vec![receiver.url()])
        );
        let access = person.get("/api-access").text;
        assert!(
            access.contains(&format!("<a href=\"{one}\">"))
                && access.contains("<a href=\"/api-access/webhooks/1\">"),
            "{access}"
        );
        // Each button acts on the webhook of the test account.
        let edit = the_form(
            &person.get("/api-access/test-account/webhooks/1/edit"),
            "/api-access/test-account/webhooks/1/edit",
        );
        let edited = person.submit_form(&edit, &[("url", &receiver.url()), ("types", "contact.*")]);
        assert_eq!(
            edited.header("location"),
            Some("/api-access/test-account/webhooks/1?done=webhook-edited"),
            "{}",
            edited.text
        );
        let page = person.get(one);
        assert!(
            page.text.contains("contact.*") && page.text.contains(">TEST</span>"),
            "{}",
            page.text
        );
        assert_eq!(
            person
                .submit_form(&the_form(&page, "/api-access/test-account/webhooks/1/test"), &[])
                .status,
            303
        );
        server.deliver_webhooks();
        let sent = receiver.take();
        assert_eq!(sent.len(), 1);
        let again = format!(
            "/api-access/test-account/webhooks/1/deliveries/{}/redeliver",
            sent[0].header("webhook-id")
        );
        assert_eq!(person.submit_form(&the_form(&person.get(one), &again), &[]).status, 303);
        server.deliver_webhooks();
        assert_eq!(receiver.take()[0].body, sent[0].body);
        assert!(
            with_test_id(
                &person.submit_form(
                    &the_form(&page, "/api-access/test-account/webhooks/1/rotate-secret"),
                    &[]
                ),
                "new-webhook-secret"
            )
            .is_some()
        );
        assert_eq!(
            person
                .submit_form(&the_form(&page, "/api-access/test-account/webhooks/1/disable"), &[])
                .status,
            303
        );
        assert_eq!(
            person
                .submit_form(
                    &the_form(&person.get(one), "/api-access/test-account/webhooks/1/enable"),
                    &[]
                )
                .status,
            303
        );
        assert_eq!(
            person
                .submit_form(&the_form(&page, "/api-access/test-account/webhooks/1/delete"), &[])
                .status,
            303
        );
        assert_eq!((urls(&live).len(), urls(&test).len()), (1, 0));
        // Neither another user nor an account without the API in its plan can open these pages.
        server.account_of("b@example.com", "NL", Plan::Starter);
        let stranger = server.signed_in("b@example.com");
        assert_eq!(stranger.get(new).status, 404);
        server.write(|tx| service::accounts::set_plan(tx, "a@example.com", Plan::Free));
        assert_eq!(
            (person.get(new).status, person.get("/api-access/webhooks/1/edit").status),
            (403, 403)
        );
    }

    fn users_cannot_reach_webhooks_of_others_and_the_password_is_required_again(engine) {
        let server = Server::start(engine);
        for email in ["a@example.com", "b@example.com"] {
            server.account_of(email, "NL", Plan::Starter);
        }
        let key = server.key("a@example.com", true, true);
        assert_eq!(
            server.post(&key, "/api/v1/webhooks", &json!({"url": "https://shop.example/"})).status,
            201
        );
        let stranger = server.signed_in("b@example.com");
        let form = the_form(&stranger.get("/api-access/webhooks/new"), "/api-access/webhooks/new");
        let csrf = [("csrf", form.value("csrf"))];
        for path in [
            "edit",
            "test",
            "enable",
            "disable",
            "rotate-secret",
            "delete",
            "deliveries/msg_x_1/redeliver",
        ] {
            assert_eq!(
                stranger.post(&format!("/api-access/webhooks/1/{path}"), &csrf).status,
                404,
                "{path}"
            );
        }
        for path in ["1", "1/edit", "x", "x/edit"] {
            assert_eq!(stranger.get(&format!("/api-access/webhooks/{path}")).status, 404, "{path}");
        }
        assert_eq!(server.get(&key, "/api/v1/webhooks/1").json()["enabled"], json!(true));
        // Some time after sign-in the password is required, and the input is kept.
        later(&server, 20 * 60);
        let response = stranger
            .submit_form(&form, &[("url", "https://shop.example/mijn"), ("types", "invoice.*")]);
        let next = response.header("location").unwrap();
        assert!(
            response.status == 303
                && next.starts_with("/password/confirm?next=")
                && next.contains("shop%2Eexample"),
            "{next}"
        );
        let kept = stranger
            .get("/api-access/webhooks/new?url=https%3A%2F%2Fshop.example%2Fmijn&types=invoice.*")
            .text;
        assert!(
            kept.contains("value=\"https://shop.example/mijn\"")
                && kept.contains("value=\"invoice.*\" checked"),
            "{kept}"
        );
    }
}
