//! The settings of a company.

use crate::browser::{Browser, fault_of, value_of};
use testing::{Engine, Server, on_both_engines};

const GOOD: [(&str, &str); 10] = [
    ("name", "Anna Ontwerp & Zn."),
    ("street", "Dorpsstraat 1"),
    ("postal_code", "1234ab"),
    ("city", "Utrecht"),
    ("kvk_number", "12345678"),
    ("vat_number", "nl004495445b01"),
    ("iban", "NL91 ABNA 0417 1643 00"),
    ("payment_term_days", "14"),
    ("number_pattern", "F{year}/{number:5}"),
    ("language", ""),
];

on_both_engines! {
    fn what_is_saved_is_shown_as_it_is_written(engine) {
        let server = Server::start(engine);
        let mut browser = Browser::signed_in(&server);
        let page = browser.get("/settings");
        assert!(page.text.contains("<strong class=\"nowrap\">2026-0001</strong>"));
        let saved = browser.submit(&page, "/settings", &GOOD);
        assert_eq!(saved.header("location"), Some("/settings?done=saved"));
        let page = browser.follow(&saved);
        assert!(page.text.contains("The settings are saved.") && page.text.contains("role=\"status\""));
        for (field, shown) in [
            ("name", "Anna Ontwerp & Zn."),
            ("postal_code", "1234 AB"),
            ("kvk_number", "12345678"),
            ("vat_number", "NL004495445B01"),
            ("iban", "NL91ABNA0417164300"),
            ("payment_term_days", "14"),
            ("number_pattern", "F{year}/{number:5}"),
        ] {
            assert_eq!(value_of(&page, field).as_deref(), Some(shown), "{field}");
        }
        assert!(page.text.contains("<strong class=\"nowrap\">F2026/00001</strong>"));
    }
}

#[test]
fn each_fault_is_at_its_field_and_what_was_typed_stays() {
    let server = Server::start(Engine::Sqlite);
    let mut browser = Browser::signed_in(&server);
    let page = browser.get("/settings");
    let long = "x".repeat(256);
    let cases = [
        ("name", "", "Enter a name"),
        ("name", long.as_str(), "Enter a name"),
        ("street", &long, "one line"),
        ("city", &long, "one line"),
        ("postal_code", "12345", "1234 AB"),
        ("kvk_number", "1234567", "8 digits"),
        ("vat_number", "NL000000000B00", "VAT number is not right"),
        ("vat_number", "DE136695976", "begins with NL"),
        ("iban", "NL91ABNA0417164301", "IBAN is not right"),
        ("payment_term_days", "-1", "0 to 365"),
        ("payment_term_days", "366", "0 to 365"),
        ("payment_term_days", "", "0 to 365"),
        ("number_pattern", "{number}", "once each"),
        ("number_pattern", "{jaar}{number}", "once each"),
        ("language", "fr", "Choose something"),
    ];
    for (field, value, message) in cases {
        let fields: Vec<_> = GOOD.iter().map(|(name, good)| (*name, if *name == field { value } else { *good })).collect();
        let again = browser.submit(&page, "/settings", &fields);
        assert_eq!(again.status, 422, "{field} {value}");
        assert!(fault_of(&again, field).unwrap().contains(message), "{field} {value}: {:?}", fault_of(&again, field));
        assert!(again.text.contains("One thing is not right yet"), "{field} {value}");
        let other = if field == "city" { "street" } else { "city" };
        let typed = GOOD.iter().find(|(name, _)| *name == other).unwrap().1;
        assert_eq!(value_of(&again, other).as_deref(), Some(typed), "{field}");
        if field != "language" {
            assert_eq!(value_of(&again, field).as_deref(), Some(value), "{field}");
        }
    }
    assert_eq!(value_of(&browser.get("/settings"), "name").as_deref(), Some("Anna Ontwerp"));
    let several = browser.submit(&page, "/settings", &[("name", ""), ("iban", "x"), ("payment_term_days", "x")]);
    for field in ["name", "iban", "payment_term_days", "number_pattern"] {
        assert!(fault_of(&several, field).is_some(), "{field}");
    }
}
