//! Company settings: details, invoice terms, number patterns.

use crate::help::{EMAIL, PASSWORD, fault_of, signed_in, value_of, visit};
use ledger::country::CountryCode;
use service::{
    Environment,
    accounts::{self, OpenAccount},
    environment::Clock,
};
use store::accounts::Plan;
use testing::{Engine, Server, Visitor, on_both_engines};

const GOOD: [(&str, &str); 8] = [
    ("name", "Anna Ontwerp & Zn."),
    ("address.street", "Dorpsstraat 1"),
    ("address.postalCode", "1234ab"),
    ("address.city", "Utrecht"),
    ("kvkNumber", "12345678"),
    ("vatNumber", "nl004495445b01"),
    ("iban", "NL91 ABNA 0417 1643 00"),
    ("language", ""),
];

/// Form fields for the payment term and the number pattern of invoices.
const TERMS: [(&str, &str); 2] =
    [("paymentTermDays", "14"), ("numberPattern", "F{year}/{number:5}")];

on_both_engines! {
    fn saved_details_are_shown_in_their_usual_notation(engine) {
        let server = Server::start(engine);
        let browser = signed_in(&server);
        let page = browser.get("/settings");
        let saved = browser.submit(&page, "/settings", &GOOD);
        assert_eq!(saved.header("location"), Some("/settings?done=saved"));
        let page = browser.follow(&saved);
        assert!(
            page.text.contains("The settings are saved.") && page.text.contains("role=\"status\"")
        );
        for (field, display) in [
            ("name", "Anna Ontwerp & Zn."),
            ("address.postalCode", "1234 AB"),
            ("kvkNumber", "12345678"),
            ("vatNumber", "NL004495445B01"),
            ("iban", "NL91 ABNA 0417 1643 00"),
        ] {
            assert_eq!(value_of(&page, field).as_deref(), Some(display), "{field}");
        }
        // The displayed values can be submitted unchanged.
        let fields =
            GOOD.map(|(name, good)| (name, value_of(&page, name).unwrap_or(good.to_owned())));
        let fields: Vec<_> = fields.iter().map(|(name, value)| (*name, value.as_str())).collect();
        assert_eq!(browser.submit(&page, "/settings", &fields).status, 303);
    }

    fn the_first_number_of_a_year_is_linked_from_the_settings_of_invoices(engine) {
        let server = Server::start(engine);
        let browser = signed_in(&server);
        let link = "<a href=\"/settings/vat#nextNumber\">First invoice number of 2026</a>";
        assert!(browser.get("/settings/invoices").text.contains(link));
        assert!(browser.get("/settings/vat").text.contains("id=\"nextNumber\""));
        let key = server.key(EMAIL, true, true);
        let invoice = serde_json::json!({"customer": {"name": "B"}, "items": [{"description": "x", "unitPrice": 1, "vatRate": 21}]});
        assert_eq!(server.post(&key, "/api/v1/invoices", &invoice).status, 201);
        assert!(!browser.get("/settings/invoices").text.contains(link));
    }

    fn the_next_number_is_shown_in_the_pattern_of_the_form(engine) {
        let server = Server::start(engine);
        let browser = signed_in(&server);
        let key = server.key(EMAIL, true, true);
        let invoice = serde_json::json!({"customer": {"name": "X"}, "items": [{"description": "Work", "unitPrice": 100, "vatRate": 21}]});
        let last_year = serde_json::json!({"invoiceDate": "2025-12-31", "customer": invoice["customer"], "items": invoice["items"]});
        for body in [&invoice, &invoice, &last_year] {
            assert_eq!(server.post(&key, "/api/v1/invoices", body).status, 201);
        }
        let page = browser.get("/settings/invoices");
        assert!(page.text.contains("<strong class=\"nowrap\">2026-0003</strong>"), "{}", page.text);
        // Patterns to choose from, each with its resulting number.
        for (pattern, number) in [
            ("{year}-{number:4}\" checked", "2026-0001"),
            ("{number:4}-{year}\"", "0001-2026"),
            ("F{year}-{number:4}\"", "F2026-0001"),
        ] {
            assert!(
                page.text
                    .contains(&format!("name=\"pattern\" value=\"{pattern}><span>{number}</span>")),
                "{pattern}: {}",
                page.text
            );
        }
        let fields = [TERMS[1], ("paymentTermDays", "x")];
        let refused = browser.submit(&page, "/settings/invoices", &fields);
        assert!(
            refused.text.contains("<strong class=\"nowrap\">F2026/00003</strong>"),
            "{}",
            refused.text
        );
        let saved = browser.submit(&page, "/settings/invoices", &TERMS);
        let page = browser.follow(&saved);
        assert!(page.text.contains("<strong class=\"nowrap\">F2026/00003</strong>"));
        for (field, display) in TERMS {
            assert_eq!(value_of(&page, field).as_deref(), Some(display), "{field}");
        }
        assert_eq!(server.post(&key, "/api/v1/invoices", &invoice).json()["number"], "F2026/00003");
        // An invalid pattern shows no number.
        let fields = [TERMS[0], ("numberPattern", "x")];
        assert!(
            !browser
                .submit(&page, "/settings/invoices", &fields)
                .text
                .contains("<strong class=\"nowrap\">")
        );
    }
}

#[test]
fn a_pattern_is_chosen_or_typed_and_a_colour_picked() {
    let server = Server::start(Engine::Sqlite);
    let browser = signed_in(&server);
    let chosen = |browser: &Visitor, filled: &[(&str, &str)]| {
        let page = browser.get("/settings/invoices");
        let saved = browser.submit(&page, "/settings/invoices", filled);
        assert_eq!(saved.status, 303, "{filled:?}: {}", saved.text);
        let page = browser.follow(&saved);
        (value_of(&page, "numberPattern").unwrap(), page.text.contains("value=\"other\" checked"))
    };
    let of = |pattern: &str, is_other| (pattern.to_owned(), is_other);
    assert_eq!(
        chosen(&browser, &[("pattern", "F{year}-{number:4}")]),
        of("F{year}-{number:4}", false)
    );
    // A pattern that was typed applies, whether or not "other" is selected.
    assert_eq!(
        chosen(&browser, &[("numberPattern", "{year}.{number}")]),
        of("{year}.{number}", true)
    );
    assert_eq!(
        chosen(&browser, &[("pattern", "other"), ("numberPattern", "{year}.{number:2}")]),
        of("{year}.{number:2}", true)
    );
    assert_eq!(
        chosen(&browser, &[("pattern", "{number:4}-{year}")]),
        of("{number:4}-{year}", false)
    );
    // Every offered pattern is accepted.
    for pattern in ["{year}-{number:4}", "F{year}-{number:4}", "{year}/{number:5}"] {
        assert_eq!(chosen(&browser, &[("pattern", pattern)]), of(pattern, false));
    }
    let page = browser.get("/settings/invoices");
    assert!(
        page.text.contains("name=\"accent\" type=\"color\"")
            && value_of(&page, "accent").as_deref() == Some("#115e59"),
        "{}",
        page.text
    );
    let refused = browser.submit(&page, "/settings/invoices", &[("accent", "green")]);
    assert!(
        refused.status == 422
            && refused.text.contains("name=\"accent\" type=\"text\"")
            && value_of(&refused, "accent").as_deref() == Some("green"),
        "{}",
        refused.text
    );
}

#[test]
fn every_page_of_the_settings_has_a_title_of_its_own() {
    let server = Server::start(Engine::Sqlite);
    let browser = signed_in(&server);
    let mut titles = std::collections::BTreeMap::new();
    for path in [
        "/",
        "/invoices",
        "/contacts",
        "/vat",
        "/settings",
        "/settings/invoices",
        "/settings/vat",
        "/settings/language",
        "/settings/security",
        "/settings/data",
    ] {
        let page = browser.get(path).text;
        let title =
            page.split("<title>").nth(1).unwrap().split("</title>").next().unwrap().to_owned();
        assert_eq!(
            titles.insert(title.clone(), path),
            None,
            "{path} has the title {title} as well"
        );
    }
}

#[test]
fn each_fault_of_the_terms_is_at_its_field() {
    let server = Server::start(Engine::Sqlite);
    let browser = signed_in(&server);
    let page = browser.get("/settings/invoices");
    for (field, value, message) in [
        ("paymentTermDays", "-1", "0 to 365"),
        ("paymentTermDays", "366", "0 to 365"),
        ("paymentTermDays", "", "0 to 365"),
        ("numberPattern", "{number}", "once each"),
        ("numberPattern", "{jaar}{number}", "Between braces"),
        ("numberPattern", "<{year}-{number}>", "only letters, digits, spaces"),
    ] {
        let fields = TERMS.map(|(name, good)| (name, if name == field { value } else { good }));
        let again = browser.submit(&page, "/settings/invoices", &fields);
        assert_eq!(again.status, 422, "{field} {value}");
        assert!(
            fault_of(&again, field).unwrap().contains(message),
            "{field} {value}: {:?}",
            fault_of(&again, field)
        );
        assert_eq!(value_of(&again, field).as_deref(), Some(value), "{field}");
    }
    assert_eq!(
        value_of(&browser.get("/settings/invoices"), "paymentTermDays").as_deref(),
        Some("30")
    );
}

#[test]
fn each_fault_is_at_its_field_and_the_input_is_kept() {
    let server = Server::start(Engine::Sqlite);
    let browser = signed_in(&server);
    let page = browser.get("/settings");
    let long = "x".repeat(256);
    let cases = [
        ("name", "", "Enter a name"),
        ("name", long.as_str(), "Enter a name"),
        ("address.street", &long, "at most 255 characters"),
        ("address.city", &long, "at most 255 characters"),
        ("address.postalCode", "12345", "1234 AB"),
        ("kvkNumber", "1234567", "8 digits"),
        ("vatNumber", "NL000000000B00", "isn’t a VAT ID"),
        ("vatNumber", "DE136695976", "begins with NL"),
        ("iban", "NL91ABNA0417164301", "a character is wrong"),
    ];
    for (field, value, message) in cases {
        let fields: Vec<_> = GOOD
            .iter()
            .map(|(name, good)| (*name, if *name == field { value } else { *good }))
            .collect();
        let again = browser.submit(&page, "/settings", &fields);
        assert_eq!(again.status, 422, "{field} {value}");
        assert!(
            fault_of(&again, field).unwrap().contains(message),
            "{field} {value}: {:?}",
            fault_of(&again, field)
        );
        assert!(again.text.contains("Check this field"), "{field} {value}");
        let other = if field == "address.city" { "address.street" } else { "address.city" };
        let typed = GOOD.iter().find(|(name, _)| *name == other).unwrap().1;
        assert_eq!(value_of(&again, other).as_deref(), Some(typed), "{field}");
        assert_eq!(value_of(&again, field).as_deref(), Some(value), "{field}");
    }
    assert_eq!(value_of(&browser.get("/settings"), "name").as_deref(), Some("Anna Ontwerp"));
    let several = browser.submit(&page, "/settings", &[("name", ""), ("iban", "x")]);
    for field in ["name", "iban"] {
        assert!(fault_of(&several, field).is_some(), "{field}");
    }
}

#[test]
fn accounts_abroad_need_no_dutch_numbers() {
    let server = Server::start(Engine::Sqlite);
    let (now, email) = (server.clock.now(), "de@example.com");
    let (name, password, plan) = ("Anna".to_owned(), Some(PASSWORD.to_owned()), Plan::Starter);
    let open = OpenAccount {
        email: email.to_owned(),
        name,
        country: CountryCode::parse("DE").unwrap(),
        plan,
        password,
    };
    server.write(move |tx| accounts::open(tx, &Environment::at(now), &open));
    let browser = visit(&server);
    assert_eq!(browser.sign_in(email, PASSWORD).status, 303);
    let page = browser.get("/settings");
    assert!(
        value_of(&page, "kvkNumber").is_none() && !page.text.contains("omzetbelastingnummer"),
        "{}",
        page.text
    );
    assert!(page.text.contains("With the country code first"));
    let number = [("name", "Anna"), ("vatNumber", "DE136695976")];
    assert_eq!(browser.submit(&page, "/settings", &number).status, 303);
    assert_eq!(value_of(&browser.get("/settings"), "vatNumber").as_deref(), Some("DE136695976"));
}
