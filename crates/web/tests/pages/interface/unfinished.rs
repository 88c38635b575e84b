//! Typed work: saved while a form is filled in, offered where the form opens, finished by the
//! form's command, and kept when the session ends.

use crate::help::{EMAIL, PASSWORD, open, signed_in, value_of, visit};
use serde_json::{Value, json};
use service::{Environment, environment::Clock, people::sessions};
use testing::{
    Engine, Reply, Server, Visitor, on_both_engines,
    page::{Form, encoded, form_to, forms},
    year,
};

const NEW: &str = "/invoices/new";
const BERT: &str = "bert@example.com";

/// Values typed into a new invoice.
const TYPED: [(&str, &str); 5] = [
    ("customer.name", "Korenaar"),
    ("reference", "O & 12"),
    ("items.0.description", "Ontwerp\r\nin twee regels"),
    ("items.0.quantity", "2,5"),
    ("items.0.unitPrice", "95,10"),
];

/// Saves a form as the script does.
fn save(browser: &Visitor, form: &Form, rev: &str, typed: &[(&str, &str)]) -> Reply {
    let body = form.clone().with("rev", rev).filled(typed);
    browser.post_with("/unfinished", &body, &[("sec-fetch-site", "same-origin")])
}

/// Form for a new invoice.
fn new_invoice(browser: &Visitor) -> Form {
    form_to(&browser.get(NEW).text, "/invoices")
}

/// Ids of the forms that the list shows as unfinished.
fn listed(browser: &Visitor) -> Vec<String> {
    let page = browser.get("/unfinished");
    assert_eq!(page.status, 200, "{}", page.text);
    let forms = forms(&page.text).into_iter();
    forms
        .filter_map(|form| {
            Some(form.action.strip_prefix("/unfinished/")?.strip_suffix("/discard")?.to_owned())
        })
        .collect()
}

/// Page that goes on with an unfinished form.
fn go_on(browser: &Visitor, path: &str, form: &Form) -> Reply {
    let mark = if path.contains('?') { '&' } else { '?' };
    browser.get(&format!("{path}{mark}unfinished={}", form.value("unfinished")))
}

/// Value that the form on a page submits.
fn submits(page: &Reply, action: &str, name: &str) -> Option<String> {
    let fields = form_to(&page.text, action).fields;
    fields.into_iter().find(|(found, _)| found == name).map(|(_, value)| value)
}

/// Typed values that a page does not have.
fn lost<'a>(page: &Reply, action: &str, typed: &[(&'a str, &'a str)]) -> Vec<&'a str> {
    let is_lost =
        |(name, value): &(&str, &str)| submits(page, action, name).as_deref() != Some(value);
    typed.iter().copied().filter(is_lost).map(|(name, _)| name).collect()
}

/// Rows of the export with unfinished forms.
fn exported(server: &Server, account: i64) -> Vec<Value> {
    server.export(account)["unfinished_forms"].as_array().cloned().unwrap_or_default()
}

fn end_sessions(server: &Server, email: &str) {
    let (person, now) = (server.person(email), server.clock.now());
    server.write(move |tx| sessions::end_all(tx, &Environment::at(now), person));
}

on_both_engines! {
    fn typed_work_is_saved_offered_and_ends_with_its_command(engine) {
        let server = Server::start(engine);
        let browser = signed_in(&server);
        let form = new_invoice(&browser);
        let saved = save(&browser, &form, "1", &TYPED);
        assert_eq!((saved.status, saved.text.as_str()), (204, ""));
        assert_eq!(listed(&browser), [form.value("unfinished")]);
        // Offered where the form opens and on the overview, with its time.
        for path in [NEW, "/"] {
            let page = browser.get(path);
            assert!(
                page.text.contains("You were working on an invoice for Korenaar, <time datetime=\"2026-03-15T11:00:00Z\">12:00</time>:"),
                "{}",
                page.text
            );
            assert!(
                page.text
                    .contains(&format!("href=\"{NEW}?unfinished={}\"", form.value("unfinished")))
            );
        }
        assert!(!browser.get("/expenses/new").text.contains("You were working on"));
        // The list without invoices, and its tab.
        assert!(browser.get("/invoices").text.contains("<a href=\"/unfinished\">"));
        // Nothing is booked, and no program or search sees it.
        let key = server.key(EMAIL, true, true);
        for path in
            ["/api/v1/invoices", "/api/v1/changes", "/api/v1/journal-entries", "/api/v1/contacts"]
        {
            assert!(!server.get(&key, path).text.contains("Korenaar"), "{path}");
        }
        assert!(!browser.get("/search?q=Korenaar").text.contains("/unfinished"));
        let again = go_on(&browser, NEW, &form);
        assert_eq!(lost(&again, "/invoices", &TYPED), Vec::<&str>::new());
        assert_eq!(submits(&again, "/invoices", "rev").as_deref(), Some("1"));
        let created = browser.submit(&again, "/invoices", &[("action", "draft")]);
        assert_eq!(created.location(), "/invoices/1?done=invoice-created");
        assert_eq!(listed(&browser), Vec::<String>::new());
        assert!(!browser.get(NEW).text.contains("You were working on"));
        // A save that comes late does not bring it back, saved before or not.
        assert_eq!(save(&browser, &form, "9", &TYPED).status, 409);
        let other = new_invoice(&browser);
        assert_eq!(
            browser
                .submit_form(&other, &[TYPED[0], TYPED[2], TYPED[4], ("action", "draft")])
                .status,
            303
        );
        assert_eq!(save(&browser, &other, "1", &TYPED).status, 409);
        assert_eq!(listed(&browser), Vec::<String>::new());
        assert!(go_on(&browser, NEW, &form).text.contains("no longer exists"));
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
    }

    fn every_kind_of_form_goes_on_where_it_was(engine) {
        let server = Server::start(engine);
        let browser = signed_in(&server);
        let key = server.key(EMAIL, true, true);
        year::live(&server, &key);
        let invoice = json!({"status": "sent", "invoiceDate": "2026-01-04",
            "customer": {"name": "Stichting Zomerconcerten", "email": "post@zomer.example"},
            "items": [{"description": "Programme", "unitPrice": 640, "vatRate": 21}]});
        assert_eq!(server.post(&key, "/api/v1/invoices", &invoice).status, 201);
        type Typed<'f> = &'f [(&'f str, &'f str)];
        let cases: [(&str, &str, Typed<'_>, &str); 9] = [
            (NEW, "/invoices", &TYPED, "an invoice for Korenaar"),
            (
                "/invoices/2/edit",
                "/invoices/2",
                &[("notes", "Tot ziens"), ("items.0.description", "Anders")],
                "an invoice for",
            ),
            (
                "/expenses/new",
                "/expenses",
                &[("supplier", "Papierhandel"), ("items.0.amount", "12,10")],
                "an expense: Papierhandel",
            ),
            ("/expenses/1/edit", "/expenses/1", &[("description", "Anders")], "an expense"),
            (
                "/hours?week=2026-W10",
                "/hours/week",
                &[("rows.0.monday", "7:45"), ("rows.0.sunday", "x")],
                "the hours of week 10",
            ),
            (
                "/invoices/5/send",
                "/invoices/5/send",
                &[("subject", "Mijn factuur"), ("message", "Dag\r\nAllemaal")],
                "an email about 2026-",
            ),
            (
                "/invoices/5/remind",
                "/invoices/5/remind",
                &[("to", "ander@example.com")],
                "an email about 2026-",
            ),
            (
                "/journal/new",
                "/journal",
                &[
                    ("description", "Afronding"),
                    ("lines.0.account", "4900"),
                    ("lines.0.debit", "0,01"),
                ],
                "an entry: Afronding",
            ),
            // More lines than a new form has.
            (
                "/journal/new",
                "/journal",
                &[("description", "Veel"), ("lines.4.account", "4900"), ("lines.4.credit", "7")],
                "an entry: Veel",
            ),
        ];
        for (path, action, typed, work) in cases {
            let form = form_to(&browser.get(path).text, action);
            let saved = save(&browser, &form, "1", typed);
            assert_eq!(saved.status, 204, "{path}: {}", saved.text);
            let offered = browser.get(path);
            assert!(
                offered.text.contains(&format!("You were working on {work}")),
                "{path}: {}",
                offered.text
            );
            let again = go_on(&browser, path, &form);
            let moved: Vec<(String, &str)> = typed
                .iter()
                .map(|(name, value)| (name.replace("lines.4", "lines.0"), *value))
                .collect();
            let moved: Vec<(&str, &str)> =
                moved.iter().map(|(name, value)| (name.as_str(), *value)).collect();
            let expected = if typed.iter().any(|(name, _)| name.starts_with("lines.4")) {
                moved.as_slice()
            } else {
                typed
            };
            assert_eq!(
                lost(&again, action, expected),
                Vec::<&str>::new(),
                "{path}: {}",
                again.text
            );
            let version = |page: &Reply| submits(page, action, "version");
            assert_eq!(version(&again), version(&offered), "{path}");
            let discard = format!("/unfinished/{}/discard", form.value("unfinished"));
            assert_eq!(browser.submit(&browser.get("/unfinished"), &discard, &[]).status, 303);
        }
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
    }

    fn a_refused_form_and_the_button_keep_what_was_typed(engine) {
        let server = Server::start(engine);
        let browser = signed_in(&server);
        // Refused for a value, then for the state of the books: kept each time, as the same form.
        let page = browser.get(NEW);
        let refused = browser.submit(
            &page,
            "/invoices",
            &[("customer.name", "Korenaar"), ("action", "draft")],
        );
        assert_eq!(refused.status, 422);
        let kept = form_to(&refused.text, "/invoices");
        assert_eq!(
            (listed(&browser), kept.value("rev")),
            (vec![kept.value("unfinished").to_owned()], "1")
        );
        let refused =
            browser.submit(&refused, "/invoices", &[("reference", "PO 12"), ("action", "draft")]);
        assert_eq!((refused.status, form_to(&refused.text, "/invoices").value("rev")), (422, "2"));
        assert_eq!(listed(&browser).len(), 1);
        let again = go_on(&browser, NEW, &kept);
        assert_eq!(
            lost(&again, "/invoices", &[("customer.name", "Korenaar"), ("reference", "PO 12")]),
            Vec::<&str>::new()
        );
        // An empty form has nothing to keep.
        let page = browser.get("/expenses/new");
        assert_eq!(browser.submit(&page, "/expenses", &[]).status, 422);
        assert_eq!(listed(&browser).len(), 1);
        // The button keeps without a script, and the page goes on with it.
        let page = browser.get("/journal/new");
        let kept =
            browser.submit(&page, "/journal", &[("description", "Afronding"), ("action", "keep")]);
        let id = form_to(&page.text, "/journal").value("unfinished").to_owned();
        assert_eq!(
            (kept.status, kept.location()),
            (303, format!("/journal/new?unfinished={id}&done=unfinished-kept").as_str())
        );
        let again = browser.follow(&kept);
        assert!(again.text.contains("Kept unfinished. Nothing is booked yet."), "{}", again.text);
        assert_eq!(value_of(&again, "description").as_deref(), Some("Afronding"));
        let kept = browser.submit(
            &again,
            "/journal",
            &[("description", "Afronding 2"), ("action", "keep")],
        );
        assert_eq!(kept.status, 303);
        assert_eq!(value_of(&browser.follow(&kept), "description").as_deref(), Some("Afronding 2"));
        assert_eq!(listed(&browser).len(), 2);
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
    }

    fn a_discarded_form_comes_back_for_a_day(engine) {
        let server = Server::start(engine);
        let browser = signed_in(&server);
        let form = new_invoice(&browser);
        assert_eq!(save(&browser, &form, "1", &TYPED).status, 204);
        let discard = format!("/unfinished/{}/discard", form.value("unfinished"));
        let undo = format!("/unfinished/{}/undo", form.value("unfinished"));
        // From the form, which stays open.
        let page = browser.get(NEW);
        let discarded = browser.submit(&page, &discard, &[]);
        assert_eq!(
            (discarded.status, discarded.location()),
            (303, "/invoices/new?done=unfinished-discarded")
        );
        let page = browser.follow(&discarded);
        assert!(!page.text.contains("You were working on"), "{}", page.text);
        assert_eq!(listed(&browser), Vec::<String>::new());
        // Pressed twice, it is discarded. A window that still has it goes on under another UUID.
        assert_eq!(browser.submit(&page, &undo, &[]).status, 303);
        assert_eq!(listed(&browser).len(), 1);
        let list = browser.get("/unfinished");
        assert_eq!(
            [
                browser.submit(&list, &discard, &[]).status,
                browser.submit(&list, &discard, &[]).status
            ],
            [303, 303]
        );
        assert_eq!(save(&browser, &form, "2", &TYPED).status, 409);
        server.clock.set("2026-03-16T10:59:00Z");
        let list = browser.get("/unfinished");
        assert_eq!(
            browser.submit(&list, &undo, &[]).location(),
            "/unfinished?done=unfinished-undone"
        );
        assert_eq!(lost(&go_on(&browser, NEW, &form), "/invoices", &TYPED), Vec::<&str>::new());
        let list = browser.get("/unfinished");
        assert_eq!(browser.submit(&list, &discard, &[]).status, 303);
        let list = browser.get("/unfinished");
        server.clock.set("2026-03-17T10:59:00Z");
        assert_eq!(browser.sign_in(EMAIL, PASSWORD).status, 303);
        let csrf = form_to(&browser.get("/unfinished").text, "/logout");
        assert_eq!(browser.post_with(&undo, &csrf.filled(&[]), &[]).status, 404);
        assert!(list.text.contains(&undo) && !browser.get("/unfinished").text.contains(&undo));
    }

    fn an_older_window_overwrites_nothing(engine) {
        let server = Server::start(engine);
        let browser = signed_in(&server);
        let form = new_invoice(&browser);
        let named = |name: &'static str| [("customer.name", name)];
        assert_eq!(save(&browser, &form, "1", &named("A")).status, 204);
        // A repeated request is the same save.
        assert_eq!(save(&browser, &form, "1", &named("A")).status, 204);
        assert_eq!(save(&browser, &form, "3", &named("AA")).status, 204);
        for rev in ["1", "2", "3"] {
            assert_eq!(save(&browser, &form, rev, &named("B")).status, 409, "{rev}");
        }
        assert_eq!(value_of(&go_on(&browser, NEW, &form), "customer.name").as_deref(), Some("AA"));
        // A window that is closed cannot try again: it becomes a form of its own.
        assert_eq!(
            save(&browser, &form, "2", &[("customer.name", "B"), ("leaving", "true")]).status,
            204
        );
        assert_eq!(listed(&browser).len(), 2);
        // So does a refused form of an older window.
        let refused = browser.post_with(
            "/invoices",
            &form.clone().with("rev", "1").filled(&[("customer.name", "C"), ("action", "draft")]),
            &[],
        );
        assert_eq!(refused.status, 422);
        let other = form_to(&refused.text, "/invoices");
        assert_ne!(other.value("unfinished"), form.value("unfinished"));
        assert_eq!((other.value("rev"), listed(&browser).len()), ("1", 3));
        assert_eq!(value_of(&go_on(&browser, NEW, &form), "customer.name").as_deref(), Some("AA"));
        // Two windows with one form create one invoice.
        assert_eq!(save(&browser, &form, "4", &TYPED).status, 204);
        let (a, b) = (go_on(&browser, NEW, &form), go_on(&browser, NEW, &form));
        let send = |page: &Reply| {
            browser
                .submit(page, "/invoices", &[("action", "draft")])
                .location()
                .split('?')
                .next()
                .unwrap()
                .to_owned()
        };
        assert_eq!([send(&a), send(&b)], ["/invoices/1", "/invoices/1"]);
    }

    fn what_is_kept_is_bounded(engine) {
        let server = Server::start(engine);
        let browser = signed_in(&server);
        // What is no form of ours, and what has no number, is refused.
        let form = new_invoice(&browser);
        for wrong in
            [("form", "password"), ("form", ""), ("unfinished", "1"), ("rev", "0"), ("rev", "x")]
        {
            let reply = browser.post_with(
                "/unfinished",
                &form.clone().with("rev", "1").with(wrong.0, wrong.1).filled(&TYPED),
                &[],
            );
            assert_eq!(reply.status, 422, "{wrong:?}");
        }
        let long = "x".repeat(256 * 1024);
        assert_eq!(save(&browser, &form, "1", &[("notes", &long)]).status, 413);
        assert_eq!(save(&browser, &form, "1", &[("notes", &"x".repeat(700 * 1024))]).status, 413);
        assert_eq!(listed(&browser), Vec::<String>::new());
        // A refused form that is too large is still shown as it was typed.
        let refused = browser.submit_form(&form, &[("notes", &long), ("action", "draft")]);
        assert_eq!((refused.status, listed(&browser).len()), (422, 0));
        assert!(refused.text.contains(&long));
        // The oldest of more than twenty goes.
        let mut ids = Vec::new();
        for number in 0..21 {
            server.clock.set(&format!("2026-03-15T12:{number:02}:00Z"));
            let form = new_invoice(&browser);
            assert_eq!(save(&browser, &form, "1", &TYPED).status, 204);
            ids.push(form.value("unfinished").to_owned());
        }
        ids.remove(0);
        ids.reverse();
        assert_eq!(listed(&browser), ids);
        // Sixty saves a minute, of all forms together.
        server.clock.set("2026-03-15T12:30:00Z");
        let form = new_invoice(&browser);
        for rev in 1..=60 {
            assert_eq!(save(&browser, &form, &rev.to_string(), &TYPED).status, 204, "{rev}");
        }
        server.clock.set("2026-03-15T12:30:45Z");
        let refused = save(&browser, &new_invoice(&browser), "1", &TYPED);
        assert_eq!((refused.status, refused.header("retry-after")), (429, Some("15")));
        server.clock.set("2026-03-15T12:31:00Z");
        assert_eq!(save(&browser, &form, "61", &TYPED).status, 204);
    }

    fn unfinished_work_is_the_persons_own(engine) {
        let server = Server::start(engine);
        let browser = signed_in(&server);
        open(&server, BERT);
        let bert = visit(&server);
        assert_eq!(bert.sign_in(BERT, PASSWORD).status, 303);
        let form = new_invoice(&browser);
        assert_eq!(save(&browser, &form, "1", &TYPED).status, 204);
        let id = form.value("unfinished");
        for page in
            [bert.get("/"), bert.get(NEW), bert.get("/unfinished"), go_on(&bert, NEW, &form)]
        {
            assert!(!page.text.contains("Korenaar") && page.status == 200, "{}", page.text);
        }
        let own = form_to(&bert.get("/unfinished").text, "/logout");
        for action in ["discard", "undo"] {
            assert_eq!(
                bert.post_with(&format!("/unfinished/{id}/{action}"), &own.filled(&[]), &[]).status,
                404
            );
        }
        // The same UUID is another form in another account.
        let theirs = new_invoice(&bert).with("unfinished", id);
        assert_eq!(save(&bert, &theirs, "1", &[("customer.name", "Bert")]).status, 204);
        assert_eq!(lost(&go_on(&browser, NEW, &form), "/invoices", &TYPED), Vec::<&str>::new());
        assert_eq!(value_of(&go_on(&bert, NEW, &theirs), "customer.name").as_deref(), Some("Bert"));
        // Part of the own export only.
        let [rows, others] = [exported(&server, 1), exported(&server, 2)];
        assert!(
            rows.len() == 1 && rows[0]["fields"].as_str().unwrap().contains("Korenaar"),
            "{rows:?}"
        );
        assert!(others.len() == 1 && !others[0].to_string().contains("Korenaar"), "{others:?}");
        // Secrets and the token of the session are not stored.
        let secret = [("newPassword", "geheim"), ("code", "123456"), ("customer.name", "Korenaar")];
        assert_eq!(save(&browser, &form, "2", &secret).status, 204);
        let stored = exported(&server, 1)[0]["fields"].as_str().unwrap().to_owned();
        for never in ["geheim", "123456", "csrf", "books"] {
            assert!(!stored.contains(never), "{never}: {stored}");
        }
        // Strangers cannot save.
        assert_eq!(save(&visit(&server), &form, "3", &TYPED).status, 401);
        // A page of another site cannot either.
        let site = [("sec-fetch-site", "cross-site")];
        assert_eq!(
            browser
                .post_with("/unfinished", &form.clone().with("rev", "3").filled(&TYPED), &site)
                .status,
            403
        );
        assert_eq!(json!(exported(&server, 1)[0]["rev"]), json!(2));
    }

    fn work_survives_the_end_of_the_session(engine) {
        let server = Server::start(engine);
        let browser = signed_in(&server);
        open(&server, BERT);
        for (language, expected) in [("en", "Your work is kept."), ("nl", "Je werk is bewaard.")] {
            let browser = visit(&server).speaking(language);
            assert_eq!(browser.sign_in(EMAIL, PASSWORD).status, 303);
            let page = browser.get(NEW);
            end_sessions(&server, EMAIL);
            let typed: Vec<(&str, &str)> = TYPED.into_iter().chain([("action", "sent")]).collect();
            let asked = browser.submit(&page, "/invoices", &typed);
            assert_eq!(asked.status, 401);
            assert!(
                asked.text.contains(expected) && !asked.text.contains("Korenaar"),
                "{}",
                asked.text
            );
            let back =
                browser.submit(&asked, "/login", &[("email", EMAIL), ("password", PASSWORD)]);
            let id = form_to(&page.text, "/invoices").value("unfinished").to_owned();
            assert_eq!(
                (back.status, back.location()),
                (303, format!("{NEW}?unfinished={id}&done=unfinished-restored").as_str())
            );
            let again = browser.follow(&back);
            assert!(again.text.contains(expected), "{}", again.text);
            assert_eq!(lost(&again, "/invoices", &TYPED), Vec::<&str>::new());
            assert_eq!(browser.submit(&again, "/invoices", &[("action", "draft")]).status, 303);
        }
        // Of another person's sign-in nothing stays.
        assert_eq!(browser.sign_in(EMAIL, PASSWORD).status, 303);
        let page = browser.get(NEW);
        end_sessions(&server, EMAIL);
        let asked = browser.submit(&page, "/invoices", &TYPED);
        let carried = form_to(&asked.text, "/login");
        let bert = browser.submit(&asked, "/login", &[("email", BERT), ("password", PASSWORD)]);
        assert_eq!((bert.status, bert.location()), (303, "/"));
        assert_eq!((listed(&browser), exported(&server, 2)), (Vec::new(), Vec::new()));
        // Nor of a page that is older than a day, or was changed.
        for (moment, encrypted) in [
            ("2026-03-16T11:00:01Z", carried.value("kept").to_owned()),
            ("2026-03-15T11:00:00Z", carried.value("kept").replacen("encrypted:", "encrypted:x", 1)),
        ] {
            server.clock.set(moment);
            let browser = visit(&server);
            let page = browser.get("/login");
            let back = browser.submit(
                &page,
                "/login",
                &[("email", EMAIL), ("password", PASSWORD), ("kept", &encrypted)],
            );
            assert_eq!((back.status, back.location()), (303, "/"), "{moment}");
            assert_eq!(listed(&browser), Vec::<String>::new());
        }
        // Within the day, it does.
        server.clock.set("2026-03-16T10:59:59Z");
        let page = visit(&server);
        let asked = page.get("/login");
        let back = page.submit(
            &asked,
            "/login",
            &[("email", EMAIL), ("password", PASSWORD), ("kept", carried.value("kept"))],
        );
        assert_eq!(lost(&page.follow(&back), "/invoices", &TYPED), Vec::<&str>::new());
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
    }
}

/// A form that was opened before the person signed in again, in another window, is kept for them
/// at once, and for nobody else.
#[test]
fn work_of_an_earlier_session_is_kept() {
    let server = Server::start(Engine::Sqlite);
    let browser = signed_in(&server);
    open(&server, BERT);
    let form = new_invoice(&browser);
    browser.lose_cookies();
    assert_eq!(browser.sign_in(EMAIL, PASSWORD).status, 303);
    // By its script, and by its button.
    assert_eq!(save(&browser, &form, "1", &TYPED).status, 204);
    let kept = browser.submit_form(&form, &[TYPED[0], TYPED[1], ("action", "draft")]);
    assert_eq!(kept.status, 303, "{}", kept.text);
    let again = browser.follow(&kept);
    assert_eq!(lost(&again, "/invoices", &TYPED[..2]), Vec::<&str>::new());
    browser.lose_cookies();
    assert_eq!(browser.sign_in(BERT, PASSWORD).status, 303);
    let refused = browser.submit_form(&form, &TYPED);
    assert_eq!((refused.status, listed(&browser)), (403, Vec::new()));
    assert!(!refused.text.contains("Korenaar"));
}

/// An expense's file is not kept: the page that goes on asks for it.
#[test]
fn a_file_is_not_kept_but_asked_for_again() {
    let server = Server::start(Engine::Sqlite);
    let browser = signed_in(&server);
    let page = browser.get("/expenses/new");
    end_sessions(&server, EMAIL);
    let typed = [("supplier", "Papierhandel"), ("items.0.amount", "12,10")];
    let asked =
        browser.submit_with_file(&page, "/expenses", &typed, ("receipt", "bon.pdf", b"%PDF-1.4"));
    assert_eq!(asked.status, 401, "{}", asked.text);
    let back = browser.submit(&asked, "/login", &[("email", EMAIL), ("password", PASSWORD)]);
    let again = browser.follow(&back);
    assert!(again.text.contains("Choose bon.pdf again"), "{}", again.text);
    assert_eq!(lost(&again, "/expenses", &typed), Vec::<&str>::new());
    assert!(exported(&server, 1).iter().all(|row| !row.to_string().contains("PDF-1.4")));
}

/// Security forms are never kept, however their session ended.
#[test]
fn security_forms_are_never_kept() {
    let server = Server::start(Engine::Sqlite);
    let browser = signed_in(&server);
    let page = browser.get("/settings/password");
    let form = form_to(&page.text, "/settings/password");
    assert_eq!((form.value("unfinished"), form.value("form")), ("", ""));
    let body = encoded(&[("csrf", form.value("csrf")), ("action", "keep"), ("password", "geheim")]);
    assert_ne!(browser.post_with("/settings/password", &body, &[]).status, 303);
    assert_eq!(exported(&server, 1), Vec::<Value>::new());
}
