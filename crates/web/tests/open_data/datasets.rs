//! Data sets as pages, JSON and CSV; the catalogue and the API description.

use super::{assert_public, get};
use serde_json::Value;
use std::collections::BTreeSet;
use tax::dataset;

#[test]
fn every_data_set_is_a_page_in_two_languages_json_and_csv() {
    for set in dataset::all() {
        for path in [
            format!("/open-data/{}?lang=nl", set.id),
            format!("/open-data/{}?lang=en", set.id),
            format!("/open-data/{}.json", set.id),
            format!("/open-data/{}.csv", set.id),
        ] {
            assert_public(&path, &get(&path));
        }
        let json = get(&format!("/open-data/{}.json", set.id)).json();
        assert_eq!(json["data"].as_array().unwrap().len(), set.rows().len(), "{}", set.id);
        let sources: Vec<&str> = json["sources"]
            .as_array()
            .unwrap()
            .iter()
            .map(|source| source["id"].as_str().unwrap())
            .collect();
        for row in json["data"].as_array().unwrap() {
            assert!(sources.contains(&row["source"].as_str().unwrap()), "{}: {row}", set.id);
            assert!(
                row["validFrom"].is_string()
                    && row.get("validTo").is_some()
                    && row["status"].is_string(),
                "{}",
                set.id
            );
        }
        let (dutch, english) = (
            get(&format!("/open-data/{}?lang=nl", set.id)).text,
            get(&format!("/open-data/{}?lang=en", set.id)).text,
        );
        assert!(
            dutch.contains("<html lang=\"nl\"") && english.contains("<html lang=\"en\""),
            "{}",
            set.id
        );
        for page in [dutch, english] {
            assert_eq!(page.matches("<h1").count(), 1, "{}", set.id);
            let (_, linked) = page.split_once("<script type=\"application/ld+json\">").unwrap();
            let linked: Value =
                serde_json::from_str(linked.split_once("</script>").unwrap().0).unwrap();
            assert_eq!(linked["@type"], "Dataset");
        }
    }
}

#[test]
fn rows_are_selected_by_day_or_by_year() {
    let cases = [
        ("on=2026-07-01", vec![("standard", "21"), ("reduced", "9"), ("zero", "0")]),
        ("on=2018-12-31", vec![("standard", "21"), ("reduced", "6"), ("zero", "0")]),
        (
            "year=2012",
            vec![("standard", "19"), ("standard", "21"), ("reduced", "6"), ("zero", "0")],
        ),
    ];
    for (query, expected) in cases {
        let json = get(&format!("/open-data/vat-rates.json?{query}")).json();
        let mut rates: Vec<(String, String)> = json["data"]
            .as_array()
            .unwrap()
            .iter()
            .map(|row| (row["kind"].as_str().unwrap().to_owned(), row["rate"].to_string()))
            .collect();
        let mut expected: Vec<(String, String)> =
            expected.into_iter().map(|(kind, rate)| (kind.into(), rate.into())).collect();
        rates.sort();
        expected.sort();
        assert_eq!(rates, expected, "{query}");
    }
}

#[test]
fn an_invalid_selection_is_refused_with_every_fault() {
    let cases = [
        ("on=2026-02-30", vec![("on", "invalid_date")]),
        ("year=1850", vec![("year", "unknown_value")]),
        ("year=next", vec![("year", "unknown_value")]),
        (
            "on=nonsense&year=1850&colour=red",
            vec![("colour", "unknown_field"), ("on", "invalid_date"), ("year", "unknown_value")],
        ),
        ("on=2026-01-01&on=2026-01-02", vec![("on", "too_many")]),
        ("on=2026-01-01&year=2026", vec![("year", "unknown_field")]),
        ("lang=de", vec![("lang", "unknown_value")]),
    ];
    for (query, expected) in cases {
        for form in ["json", "csv"] {
            let reply = get(&format!("/open-data/vat-rates.{form}?{query}"));
            assert_eq!(reply.status, 422, "{query}");
            assert_eq!(reply.header("content-type"), Some("application/problem+json"));
            assert_eq!(reply.header("access-control-allow-origin"), Some("*"));
            assert_eq!(reply.header("cache-control"), Some("no-store"));
            let expected: Vec<(String, String)> =
                expected.iter().map(|(place, code)| ((*place).into(), (*code).into())).collect();
            assert_eq!(reply.faults(), expected, "{query}");
        }
    }
    // The message lists the available years.
    let message =
        get("/open-data/income-tax-brackets.json?year=1999").json()["errors"][0]["message"]
            .as_str()
            .unwrap()
            .to_owned();
    assert!(message.contains("2024") && message.contains("2026"), "{message}");
    // The page reports the same fault.
    let page = get("/open-data/vat-rates?lang=en&on=2026-02-30");
    assert_eq!(page.status, 422);
    assert!(page.text.contains("Give a day that exists"));
}

#[test]
fn unknown_names_are_not_found() {
    for path in [
        "/open-data/wealth-tax.json",
        "/open-data/vat-rates.xml",
        "/open-data/calculators/luck.json",
        "/open-data/..%2fetc.json",
    ] {
        let reply = get(path);
        assert_eq!((reply.status, reply.code().as_str()), (404, "unknown_route"), "{path}");
    }
    for path in ["/open-data/wealth-tax", "/open-data/calculators/luck"] {
        let reply = get(path);
        assert_eq!(reply.status, 404, "{path}");
        assert!(reply.text.contains("<h1>"), "{path}");
    }
}

#[test]
fn the_catalogue_and_the_description_list_everything() {
    let catalog = get("/open-data/catalog.json");
    assert_public("/open-data/catalog.json", &catalog);
    let catalog = catalog.json();
    let ids = |list: &Value| {
        list.as_array()
            .unwrap()
            .iter()
            .map(|entry| entry["id"].as_str().unwrap().to_owned())
            .collect::<Vec<_>>()
    };
    assert_eq!(
        ids(&catalog["datasets"]),
        dataset::all().iter().map(|set| set.id.clone()).collect::<Vec<_>>()
    );
    assert_eq!(
        ids(&catalog["calculators"]),
        tax::calculators::all().iter().map(|one| one.id.to_owned()).collect::<Vec<_>>()
    );
    assert_public("/open-data/catalog.jsonld", &get("/open-data/catalog.jsonld"));
    let linked = get("/open-data/catalog.jsonld").json();
    assert_eq!(linked["dcat:dataset"].as_array().unwrap().len(), dataset::all().len());
    let description = get("/open-data/openapi.json");
    assert_public("/open-data/openapi.json", &description);
    let description = description.json();
    for set in dataset::all() {
        for form in ["json", "csv"] {
            assert!(
                description["paths"][format!("/open-data/{}.{form}", set.id)]["get"].is_object(),
                "{}",
                set.id
            );
        }
    }
    for calculator in tax::calculators::all() {
        assert!(
            description["paths"][format!("/open-data/calculators/{}.json", calculator.id)]
                .is_object(),
            "{}",
            calculator.id
        );
    }
    let index = get("/open-data?lang=nl");
    assert_public("/open-data?lang=nl", &index);
    for set in dataset::all() {
        assert!(
            index.text.contains(&format!("href=\"/open-data/{}?lang=nl\"", set.id)),
            "{}",
            set.id
        );
    }
}

#[test]
fn deadlines_are_a_calendar_to_subscribe_to() {
    let cases = [
        ("", true),
        ("?vatPeriod=quarter", true),
        ("?vatPeriod=month", false),
        ("?vatPeriod=year&lang=nl", false),
    ];
    for (query, per_quarter) in cases {
        let path = format!("/open-data/deadlines.ics{query}");
        let reply = get(&path);
        assert_public(&path, &reply);
        assert_eq!(reply.header("content-type"), Some("text/calendar; charset=utf-8"));
        assert!(
            reply.text.starts_with("BEGIN:VCALENDAR\r\n")
                && reply.text.ends_with("END:VCALENDAR\r\n"),
            "{path}"
        );
        assert!(reply.text.lines().all(|line| line.len() <= 75), "{path}");
        let events = reply.text.matches("BEGIN:VEVENT").count();
        assert!(
            events > 4 && reply.text.matches("DTSTART;VALUE=DATE:").count() == events,
            "{path}"
        );
        // Each event cites its rule, and its UID does not depend on the host.
        assert_eq!(reply.text.matches("\r\nDESCRIPTION:").count(), events + 1, "{path}");
        assert!(
            reply.text.contains("PRODID:-//grootboek//") && !reply.text.contains("127.0.0.1:0"),
            "{path}"
        );
        let uids: BTreeSet<&str> =
            reply.text.lines().filter(|line| line.starts_with("UID:")).collect();
        assert_eq!(uids.len(), events, "{path}");
        assert!(uids.iter().all(|uid| uid.ends_with("@open-data.grootboek")), "{path}");
        let vat: Vec<&str> =
            reply.text.lines().filter(|line| line.starts_with("UID:vatReturn")).collect();
        assert!(
            !vat.is_empty() && vat.iter().all(|line| line.contains('Q') == per_quarter),
            "{path}: {vat:?}"
        );
    }
    let refused = get("/open-data/deadlines.ics?vatPeriod=week&x=1");
    assert_eq!(
        refused.faults(),
        [
            ("x".to_owned(), "unknown_field".to_owned()),
            ("vatPeriod".to_owned(), "unknown_value".to_owned())
        ]
    );
}
