//! Webhooks on `/api-access`: made, tried, looked at, switched off and on, removed.

use crate::{
    later,
    person::{Person, the_form, with_test_id},
};
use serde_json::json;
use store::accounts::Plan;
use testing::{Behaviour, Receiver, Server, on_both_engines};

on_both_engines! {
    fn a_webhook_is_made_tried_and_removed(engine) {
        let server = Server::start(engine);
        server.account_of("a@example.com", "NL", Plan::Starter);
        let key = server.key("a@example.com", true, true);
        let (person, receiver) = (Person::signed_in(&server, "a@example.com"), Receiver::start());
        let form = the_form(&person.get("/api-access/webhooks/new"), "/api-access/webhooks/new");
        let refused = person.submit(&form, &[("url", "winkel"), ("description", "Mijn <b> winkel")]);
        assert_eq!(refused.status, 422);
        assert!(refused.text.contains("Vul een webadres in") && refused.text.contains("Mijn &#60;b&#62; winkel"), "{}", refused.text);
        let form = the_form(&refused, "/api-access/webhooks/new");
        let filled = [("url", receiver.url()), ("description", "Mijn winkel".into()), ("types", "contact.*".into()), ("types", "invoice.*".into())];
        let filled: Vec<(&str, &str)> = filled.iter().map(|(name, value)| (*name, value.as_str())).collect();
        let made = person.submit(&form, &filled);
        let secret = with_test_id(&made, "new-webhook-secret").unwrap();
        assert_eq!((made.status, made.header("cache-control"), secret.starts_with("whsec_")), (200, Some("no-store"), true));
        let shown = server.get(&key, "/api/v1/webhooks/1").json();
        assert_eq!((&shown["types"], &shown["description"]), (&json!(["contact.*", "invoice.*"]), &json!("Mijn winkel")));
        let listed = person.get("/api-access");
        assert!(listed.text.contains(&receiver.url()) && !listed.text.contains(&secret));
        // A test, which is not taken, and is sent again.
        receiver.behave(Behaviour::Answers(503, "<b>dicht</b>".into()));
        let page = person.get("/api-access/webhooks/1");
        let sent = person.submit(&the_form(&page, "/api-access/webhooks/1/test"), &[]);
        assert_eq!((sent.status, sent.header("location")), (303, Some("/api-access/webhooks/1?done=webhook-tested")));
        server.deliver_webhooks();
        let page = person.get("/api-access/webhooks/1");
        for said in ["webhook.test", "Wacht", "1 poging", "antwoord 503", "&#60;b&#62;dicht", "Berichten worden sinds"] {
            assert!(page.text.contains(said), "{said}: {}", page.text);
        }
        assert!(person.get("/api-access").text.contains("Niet aangenomen"));
        receiver.behave(Behaviour::Answers(200, String::new()));
        let messages = receiver.take();
        let again = format!("/api-access/webhooks/1/deliveries/{}/redeliver", messages[0].header("webhook-id"));
        assert_eq!(person.submit(&the_form(&page, &again), &[]).status, 303);
        server.deliver_webhooks();
        assert_eq!(receiver.take()[0].body, messages[0].body);
        let page = person.get("/api-access/webhooks/1");
        assert!(page.text.contains("Aangenomen") && !page.text.contains("Berichten worden sinds"), "{}", page.text);
        // Another secret, shown once.
        let other = with_test_id(&person.submit(&the_form(&page, "/api-access/webhooks/1/rotate-secret"), &[]), "new-webhook-secret").unwrap();
        assert_ne!(other, secret);
        assert_eq!(person.submit(&the_form(&page, "/api-access/webhooks/1/disable"), &[]).status, 303);
        let page = person.get("/api-access/webhooks/1");
        assert!(page.text.contains("Je hebt deze webhook uitgezet"), "{}", page.text);
        assert_eq!(person.submit(&the_form(&page, "/api-access/webhooks/1/enable"), &[]).status, 303);
        assert_eq!(server.get(&key, "/api/v1/webhooks/1").json()["enabled"], json!(true));
        let removed = person.submit(&the_form(&page, "/api-access/webhooks/1/delete"), &[]);
        assert_eq!((removed.status, removed.header("location")), (303, Some("/api-access?done=webhook-deleted")));
        assert_eq!(person.get("/api-access/webhooks/1").status, 404);
        let security = person.get("/settings/security").text;
        assert!(security.contains("Webhook toegevoegd") && security.contains("Webhook verwijderd"), "{security}");
    }

    fn nobody_reaches_those_of_others_and_a_password_is_asked_for_again(engine) {
        let server = Server::start(engine);
        for email in ["a@example.com", "b@example.com"] {
            server.account_of(email, "NL", Plan::Starter);
        }
        let key = server.key("a@example.com", true, true);
        assert_eq!(server.post(&key, "/api/v1/webhooks", &json!({"url": "https://shop.example/"})).status, 201);
        let stranger = Person::signed_in(&server, "b@example.com");
        let form = the_form(&stranger.get("/api-access/webhooks/new"), "/api-access/webhooks/new");
        let csrf = [("csrf", form.value("csrf"))];
        for path in ["test", "enable", "disable", "rotate-secret", "delete", "deliveries/msg_x_1/redeliver"] {
            assert_eq!(stranger.post(&format!("/api-access/webhooks/1/{path}"), &csrf).status, 404, "{path}");
        }
        assert_eq!(stranger.get("/api-access/webhooks/1").status, 404);
        assert_eq!(server.get(&key, "/api/v1/webhooks/1").json()["enabled"], json!(true));
        // Some time after signing in the password is asked for, and what was typed is kept.
        later(&server, 20 * 60);
        let asked = stranger.submit(&form, &[("url", "https://shop.example/mijn"), ("types", "invoice.*")]);
        let next = asked.header("location").unwrap();
        assert!(asked.status == 303 && next.starts_with("/password/confirm?next=") && next.contains("shop%2Eexample"), "{next}");
        let kept = stranger.get("/api-access/webhooks/new?url=https%3A%2F%2Fshop.example%2Fmijn&types=invoice.*").text;
        assert!(kept.contains("value=\"https://shop.example/mijn\"") && kept.contains("value=\"invoice.*\" checked"), "{kept}");
    }
}
