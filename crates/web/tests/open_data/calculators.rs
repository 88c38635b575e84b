//! Calculators, as pages and as JSON.

use super::{SERVER, assert_public, get};
use serde_json::{Value, json};
use tax::{
    calculator::{Node, Run},
    calculators,
};

fn query(parameters: &[(&str, &str)]) -> String {
    let pairs: Vec<String> =
        parameters.iter().map(|(name, text)| format!("{name}={text}")).collect();
    pairs.join("&")
}

#[test]
fn every_calculator_answers_its_example_alike_on_its_page_and_in_json() {
    for calculator in
        calculators::all().iter().filter(|calculator| matches!(calculator.run, Run::Query(_)))
    {
        let example = query(&calculator.example());
        let path = format!("/open-data/calculators/{}.json?{example}", calculator.id);
        let reply = get(&path);
        assert_public(&path, &reply);
        let answer = reply.json();
        for output in calculator.outputs {
            assert!(answer.get(output.name).is_some(), "{} has no {}", calculator.id, output.name);
        }
        let outcome = calculator.calculate(&calculator.example()).unwrap();
        for language in ["nl", "en"] {
            let path =
                format!("/open-data/calculators/{}?{example}&lang={language}", calculator.id);
            let page = get(&path);
            assert_public(&path, &page);
            for (name, node) in &outcome.fields {
                if let Node::Value(Some(value)) = node
                    && let Some(number) = value.number()
                {
                    let plain = value.plain(ledger::language::Language::English);
                    assert!(
                        page.text.contains(&format!("<data value=\"{plain}\">")),
                        "{path}: {name} {number}"
                    );
                }
            }
        }
        let empty = get(&format!("/open-data/calculators/{}?lang=nl", calculator.id));
        assert_eq!(empty.status, 200, "{}", calculator.id);
    }
}

#[test]
fn people_write_amounts_as_their_language_does() {
    let typed = "/open-data/calculators/vat?amount=1.234,56&rate=21&mode=excluding&lang=nl";
    assert!(
        get(typed).text.contains("<data value=\"1493.82\">€\u{a0}1.493,82</data>"),
        "{}",
        get(typed).text
    );
    let refused = get("/open-data/calculators/vat?amount=twaalf&rate=&mode=&on=&lang=nl");
    assert_eq!(refused.status, 422);
    assert!(
        refused.text.contains("value=\"twaalf\"") && refused.text.contains("id=\"amount-fault\"")
    );
}

#[test]
fn absurd_input_is_refused_with_every_fault_and_its_bounds() {
    let cases = [
        (
            "vat.json?amount=1e30&rate=101",
            vec![("amount", "out_of_range"), ("rate", "out_of_range")],
        ),
        ("vat.json?amount=-1", vec![("amount", "out_of_range")]),
        ("vat.json?amount=0.123456789012345", vec![("amount", "too_many")]),
        (
            "vat.json?amount=NaN&mode=sideways&on=2026-02-30&x=1",
            vec![
                ("x", "unknown_field"),
                ("amount", "invalid_format"),
                ("mode", "unknown_value"),
                ("on", "invalid_date"),
            ],
        ),
        ("vat.json", vec![("amount", "required")]),
        (
            "vat.json?amount=&rate=&mode=&on=",
            vec![
                ("amount", "required"),
                ("rate", "invalid_format"),
                ("mode", "unknown_value"),
                ("on", "invalid_date"),
            ],
        ),
        ("income-tax.json?year=1999&profit=1", vec![("year", "unknown_value")]),
    ];
    for (path, expected) in cases {
        let reply = get(&format!("/open-data/calculators/{path}"));
        assert_eq!(reply.status, 422, "{path}");
        let faults = reply.faults();
        for (place, code) in expected {
            assert!(faults.contains(&(place.to_owned(), code.to_owned())), "{path}: {faults:?}");
        }
    }
    let message = get("/open-data/calculators/vat.json?amount=1e30").text;
    assert!(
        message.contains("\"Give a value from 0 to 1000000000 for amount.\"")
            && !message.contains(".."),
        "{message}"
    );
}

#[test]
fn the_invoice_calculator_agrees_with_the_api() {
    let key = SERVER.account("invoices@example.com");
    let body = json!({
        "invoiceDate": "2026-03-02",
        "customer": { "country": "NL" },
        "items": [
            { "description": "Design", "quantity": 8.5, "unitPrice": 95.505, "vatRate": 21 },
            { "description": "Guide", "quantity": 3, "unitPrice": 12.35, "vatRate": 9 },
            { "description": "Discount", "quantity": -1, "unitPrice": 10, "vatRate": 21 },
        ],
    });
    let headers = [("content-type", "application/json")];
    let reply = SERVER.send(
        "POST",
        "/open-data/calculators/invoice.json",
        &headers,
        Some(body.to_string().as_bytes()),
    );
    assert_eq!(reply.status, 200, "{}", reply.text);
    let mut named = body.clone();
    named["customer"]["name"] = json!("Bakkerij De Korenaar");
    let mut booked = SERVER.post(&key, "/api/v1/invoices", &named).json();
    for group in booked["vat"].as_array_mut().unwrap() {
        // The kind of supply, the exemption and the tax country matter for the VAT return and its
        // schemes, but not for these totals.
        let group = group.as_object_mut().unwrap();
        assert_eq!(group.remove("exemption"), Some(Value::Null));
        assert_eq!(group.remove("taxCountry"), Some(Value::Null));
        group.remove("supply");
    }
    let answer = reply.json();
    for field in ["subtotal", "vatTotal", "total", "vat"] {
        assert_eq!(answer[field], booked[field], "{field}");
    }
    let amounts = |lines: &Value| {
        lines.as_array().unwrap().iter().map(|line| line["amount"].to_string()).collect::<Vec<_>>()
    };
    assert_eq!(amounts(&answer["items"]), amounts(&booked["items"]));
    let including = br#"{"pricesIncludeVat": true, "items": [{"description": "Work", "unitPrice": 10, "vatRate": 21}]}"#;
    let reply = SERVER
        .send("POST", "/open-data/calculators/invoice.json", &headers, Some(including))
        .json();
    assert_eq!(
        [&reply["subtotal"], &reply["vatTotal"], &reply["total"]].map(Value::to_string),
        ["8.26", "1.74", "10.0"]
    );
    let refused = SERVER.send(
        "POST",
        "/open-data/calculators/invoice.json",
        &headers,
        Some(br#"{"items": [{"vatRate": 6}], "discount": 3}"#),
    );
    let codes: Vec<String> = refused.faults().into_iter().map(|(place, _)| place).collect();
    for place in ["/items/0/description", "/items/0/unitPrice", "/items/0/vatRate", "/discount"] {
        assert!(codes.contains(&place.to_owned()), "{codes:?}");
    }
    let form = SERVER.send(
        "POST",
        "/open-data/calculators/invoice.json",
        &[("content-type", "text/plain")],
        Some(b"{}"),
    );
    assert_eq!(form.status, 415);
}

/// An asset bought in 2024 and sold in 2026; computed by hand from art. 3.41 and 3.47 Wet IB 2001.
#[test]
fn rows_of_the_income_tax_are_read_alike_by_page_and_json() {
    let sold = "disposals.0.year=2024&disposals.0.investments=10000&disposals.0.cost=5000&disposals.0.proceeds=3000";
    let base = "year=2026&profit=60000&hoursCriterion=true&disabilityPremiums=3000&annuityPremiums=5000&annuityMargin=4000";
    let path = format!("/open-data/calculators/income-tax.json?{base}&{sold}");
    let reply = get(&path);
    assert_public(&path, &reply);
    let answer = reply.json();
    for (field, value) in [
        ("disinvestmentAddition", 840.0),
        ("incomeProvisions", 7000.0),
        ("taxableProfit", 52_065.72),
        ("taxableIncome", 45_065.72),
        ("incomeTax", 9396.34),
        ("healthInsuranceContribution", 2525.19),
        ("total", 11_921.53),
    ] {
        assert_eq!(answer[field], json!(value), "{field}");
    }
    let excluded = json!(["partner", "box2", "box3", "ownHome", "gifts", "careCosts", "losses"]);
    assert_eq!(answer["notIncluded"], excluded);
    let typed = "disposals.0.year=2024&disposals.0.investments=10.000&disposals.0.cost=5.000,00&disposals.0.proceeds=3.000,00\
                 &disposals.1.year=&disposals.1.investments=&disposals.1.cost=&disposals.1.proceeds=";
    let page = get(&format!("/open-data/calculators/income-tax?lang=nl&{base}&{typed}"));
    assert_eq!(page.status, 200, "{}", page.text);
    for text in [
        "<data value=\"840.00\">",
        "<data value=\"11921.53\">",
        "value=\"3.000,00\"",
        "name=\"disposals.1.cost\"",
        "Telt niet mee: een fiscale partner, box 2",
        "28% aftrek in 2024",
    ] {
        assert!(page.text.contains(text), "{text}: {}", page.text);
    }
    let english = get(&format!("/open-data/calculators/income-tax?lang=en&{base}&{sold}"));
    assert!(english.text.contains("Left out: a fiscal partner, box 2"), "{}", english.text);
    let partly = format!("/open-data/calculators/income-tax?lang=nl&{base}&disposals.0.cost=veel");
    let refused = get(&partly);
    assert_eq!(refused.status, 422);
    for text in ["id=\"disposals.0.cost-fault\"", "id=\"disposals.0.year-fault\"", "Opbrengst"] {
        assert!(refused.text.contains(text), "{text}: {}", refused.text);
    }
}

/// An asset that counted for the deduction cannot have cost more than all investments together.
#[test]
fn a_disposed_asset_is_one_of_the_investments() {
    let sold = |investments: i32| {
        format!(
            "/open-data/calculators/income-tax.json?year=2026&profit=1&hoursCriterion=true&disposals.0.year=2026\
             &disposals.0.investments={investments}&disposals.0.cost=5000&disposals.0.proceeds=5000"
        )
    };
    let refused = get(&sold(4999));
    let fault = ("disposals.0.cost".to_owned(), "out_of_range".to_owned());
    assert_eq!((refused.status, refused.faults()), (422, vec![fault]), "{}", refused.text);
    for (investments, addition) in [(5000, 1400.0), (0, 0.0)] {
        assert_eq!(get(&sold(investments)).json()["disinvestmentAddition"], json!(addition));
    }
}

/// A year without figures is rejected, and never computed with the figures of another year.
#[test]
fn a_year_without_figures_is_refused() {
    let sold = |year: i32| {
        format!(
            "disposals.0.year={year}&disposals.0.investments=10000&disposals.0.cost=5000&disposals.0.proceeds=3000"
        )
    };
    for (year, bought, fault) in [
        (2023, 2023, "year"),
        (2028, 2026, "year"),
        (2026, 2019, "disposals.0.year"),
        (2026, 2028, "disposals.0.year"),
    ] {
        let reply = get(&format!(
            "/open-data/calculators/income-tax.json?year={year}&profit=1&hoursCriterion=true&{}",
            sold(bought)
        ));
        assert_eq!(reply.status, 422, "{year} {bought}");
        let fault = (fault.to_owned(), "unknown_value".to_owned());
        assert!(reply.faults().contains(&fault), "{year} {bought}: {:?}", reply.faults());
    }
    let proposed =
        get("/open-data/calculators/income-tax.json?year=2027&profit=50000&hoursCriterion=true")
            .json();
    let steps = proposed["steps"].as_array().unwrap();
    let bracket = steps.iter().find(|step| step["id"] == "bracket").unwrap();
    assert_eq!(bracket["figures"][0]["status"], "proposal");
    assert_eq!(proposed["total"], json!(9602.87));
}

#[test]
fn an_unticked_checkbox_counts_as_no() {
    // Example H of the income tax calculator: without the hours criterion.
    let page = get("/open-data/calculators/income-tax?lang=en&year=2026&profit=20000");
    assert_eq!(page.status, 200, "{}", page.text);
    assert!(
        page.text.contains("<data value=\"846.81\">") && !page.text.contains("checked"),
        "{}",
        page.text
    );
    // The JSON endpoint requires the parameter.
    assert_eq!(
        get("/open-data/calculators/income-tax.json?year=2026&profit=20000").faults()[0].0,
        "hoursCriterion"
    );
}

#[test]
fn faults_use_the_labels_and_the_notation_of_the_page() {
    let page = get(
        "/open-data/calculators/income-tax?lang=nl&year=2026&profit=-1&otherIncome=1,234&investments=",
    );
    assert_eq!(page.status, 422);
    for message in [
        "Winst: geef een waarde van 0 tot en met 100.000.000.",
        "Loon en ander inkomen in box 1: geef hoogstens twee decimalen",
    ] {
        assert!(page.text.contains(message), "{message}: {}", page.text);
    }
}

#[test]
fn pictures_show_the_figures_of_their_tables() {
    let page =
        get("/open-data/calculators/income-tax?lang=nl&year=2026&profit=50000&hoursCriterion=true");
    // A profit of 50 000 with the hours criterion is example A: a point between 40 000 and 60 000.
    assert!(
        page.text.contains("class=\"trace tax\"") && page.text.contains("class=\"at\""),
        "{}",
        page.text
    );
    for profit in [0, 10_000, 60_000, 120_000] {
        let answer = get(&format!(
            "/open-data/calculators/income-tax.json?year=2026&profit={profit}&hoursCriterion=true"
        ))
        .json();
        assert!(
            page.text
                .contains(&format!("<data value=\"{:.2}\">", answer["total"].as_f64().unwrap())),
            "{profit}"
        );
    }
    let late = "/open-data/calculators/late-payment?lang=en&amount=2420&due=2026-05-14&paid=2026-09-15&debtor=business";
    assert!(get(late).text.contains("class=\"trace net\""));
    let one_rate = "/open-data/calculators/late-payment?lang=en&amount=2420&due=2026-07-14&paid=2026-09-15&debtor=business";
    assert!(!get(one_rate).text.contains("class=\"trace"), "a single period has no chart");
}

#[test]
fn an_invoice_form_keeps_its_input_in_the_address() {
    let path = "/open-data/calculators/invoice";
    let empty = get(path);
    assert_public(path, &empty);
    assert!(
        empty.text.contains("name=\"items.0.unitPrice\"") && !empty.text.contains("id=\"result\"")
    );
    let lines = "lang=nl&customer.country=NL&invoiceDate=2026-03-02&items.0.description=Ontwerp&items.0.quantity=8,5&items.0.unitPrice=95,505\
                 &items.0.vatRate=21&items.1.description=Gids&items.1.quantity=3&items.1.unitPrice=12,35&items.1.vatRate=9\
                 &items.2.description=&items.2.quantity=1&items.2.unitPrice=&items.2.vatRate=21";
    let filled = format!("{path}?{lines}");
    let page = get(&filled);
    assert_public(&filled, &page);
    for amount in ["811.79", "37.05", "848.84", "170.48", "3.33", "173.81", "1022.65"] {
        assert!(
            page.text.contains(&format!("<data value=\"{amount}\">")),
            "{amount}: {}",
            page.text
        );
    }
    assert!(page.text.contains("value=\"95,505\""), "the form keeps the input");
    let more = get(&format!("{path}?{lines}&action=addLine")).text;
    assert!(more.contains("name=\"items.3.description\"") && more.contains("1022.65"), "{more}");
    let less = get(&format!("{path}?{lines}&action=removeLine.0")).text;
    assert!(!less.contains("Ontwerp</textarea>") && less.contains("Gids</textarea>"), "{less}");
    // VAT included in 811.79 at 21 % and in 37.05 at 9 %: 140.89 and 3.06.
    let including = get(&format!("{path}?{lines}&pricesIncludeVat=true")).text;
    for amount in ["670.90", "33.99", "704.89", "140.89", "3.06", "143.95", "848.84"] {
        assert!(including.contains(&format!("<data value=\"{amount}\">")), "{amount}: {including}");
    }
    let refused = get(&format!(
        "{path}?lang=nl&customer.country=NL&supplyUntil=2026-03-02&items.0.description=x&items.0.unitPrice=veel&items.0.vatRate=6"
    ));
    assert_eq!(refused.status, 422);
    for field in ["items.0.unitPrice", "items.0.vatRate"] {
        assert!(
            refused.text.contains(&format!("id=\"{field}-fault\"")),
            "{field}: {}",
            refused.text
        );
    }
}

/// Each step shows the source and the status of its figures, in the JSON and on the page.
#[test]
fn figures_from_secondary_sources_say_so() {
    let figures = |path: &str, step: &str| {
        let answer = get(path).json();
        let steps = answer["steps"].as_array().unwrap().clone();
        let entry = steps
            .into_iter()
            .find(|entry| entry["id"] == step)
            .unwrap_or_else(|| panic!("{path} has no {step}: {answer}"));
        entry["figures"].as_array().unwrap().clone()
    };
    for (query, step, source, status) in [
        (
            "late-payment.json?amount=2420&due=2026-05-14&paid=2026-09-15&debtor=business",
            "interest",
            "wettelijke-rente",
            "secondary",
        ),
        ("mileage.json?year=2026&km=4000", "amount", "stcrt-2026-18302", "secondary"),
        ("mileage.json?year=2025&km=4000", "amount", "wet-ib-3.17", "law"),
        (
            "income-tax.json?year=2026&profit=50000&hoursCriterion=true",
            "healthInsuranceContribution",
            "zvw",
            "secondary",
        ),
        ("vat.json?amount=100&rate=21&on=2026-01-01", "vat", "stb-2012-321", "law"),
    ] {
        let used = figures(&format!("/open-data/calculators/{query}"), step);
        assert_eq!(
            (used[0]["source"].as_str(), used[0]["status"].as_str()),
            (Some(source), Some(status)),
            "{query}"
        );
    }
    // A rate that is not statutory comes from the request and has no source.
    let odd = get("/open-data/calculators/vat.json?amount=100&rate=13").json();
    assert_eq!(odd["steps"][0]["figures"].as_array().map(Vec::len), Some(0));
    assert!(
        odd["steps"][0]["text"].as_str().unwrap().contains("the rate is the one that you gave"),
        "{odd}"
    );
    let note = &figures("/open-data/calculators/mileage.json?year=2026&km=4000&lang=nl", "amount")
        [0]["note"];
    let page = get("/open-data/calculators/mileage?year=2026&km=4000&lang=nl").text;
    assert!(
        page.contains("uit tweede hand") && note.as_str().is_some_and(|note| page.contains(note)),
        "{note}: {page}"
    );
    let rate = get("/open-data/calculators/hourly-rate.json?year=2026&net=40000&billableHours=1200&costs=6000&hoursCriterion=true&starter=false").json();
    assert_eq!(rate["estimate"], true);
    assert!(
        rate["steps"][0]["figures"].as_array().is_some_and(|figures| figures.len() > 3),
        "{rate}"
    );
}

/// A consumer owes collection costs only after a letter with a term of fourteen days; the response
/// gives the earliest date.
#[test]
fn collection_costs_of_a_consumer_say_from_when_they_are_due() {
    let query = "amount=1000&due=2026-03-01&paid=2026-03-03&lang=en";
    let costs = |debtor: &str| {
        let answer =
            get(&format!("/open-data/calculators/late-payment.json?{query}&debtor={debtor}"))
                .json();
        assert_eq!(
            answer["collectionCosts"].as_f64(),
            Some(if debtor == "business" { 150.0 } else { 0.0 }),
            "{answer}"
        );
        let steps = answer["steps"].as_array().unwrap().clone();
        steps.into_iter().find(|step| step["id"] == "collectionCosts").unwrap()["text"]
            .as_str()
            .unwrap()
            .to_owned()
    };
    assert!(
        costs("consumer").contains("so from 17 March 2026 at the earliest"),
        "{}",
        costs("consumer")
    );
    assert!(costs("business").contains("without a reminder"));
}

/// An invoice has one step per rate and category, with its legal basis.
#[test]
fn an_invoice_is_explained_by_rate() {
    let body = json!({"invoiceDate": "2026-03-02", "customer": {"country": "NL"}, "items": [
        {"description": "Design", "quantity": 2, "unitPrice": 100, "vatRate": 21},
        {"description": "Subcontracted", "unitPrice": 50, "vatRate": 0, "vatCategory": "reverseCharge"},
    ]});
    let reply = SERVER.send(
        "POST",
        "/open-data/calculators/invoice.json",
        &[("content-type", "application/json")],
        Some(body.to_string().as_bytes()),
    );
    let answer = reply.json();
    let steps: Vec<(&str, &str)> = answer["steps"]
        .as_array()
        .unwrap()
        .iter()
        .map(|step| (step["text"].as_str().unwrap(), step["source"].as_str().unwrap()))
        .collect();
    assert_eq!(
        steps,
        [("21% of €200", "wet-ob-9"), ("No VAT on €50: reverse charge", "wet-ob-12")],
        "{answer}"
    );
}
