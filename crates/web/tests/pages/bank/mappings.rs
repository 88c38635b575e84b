//! Pages of mappings: the columns of a CSV file of an unknown bank, tried, saved and used.

use super::{IBAN, with_account};
use crate::help::{EMAIL, PASSWORD, fault_of, open, unescaped, value_of, visit};
use jiff::SignedDuration;
use serde_json::{Value, json};
use service::{bank_mappings, environment::Clock};
use std::io::{Cursor, Write};
use testing::{Reply, Server, Visitor, on_both_engines};
use zip::{ZipWriter, write::SimpleFileOptions};

const STATEMENTS: &str = "/bank-statements";
const PAGE: &str = "/bank-mappings";
/// File of a bank that is not known.
const FILE: &str = "Boekdatum;Naam;Betreft;Bedrag\r\n02-03-2026;Studio <b>Noord</b>;Factuur 2026-0001;1.210,00\r\n\
                    03-03-2026;Bakkerij;=HYPERLINK(1);-4,50\r\n";

/// Name and value of a field.
type Filled<'f> = (&'f str, &'f str);

/// Uploads a file, and returns the page with the result.
fn upload(browser: &Visitor, filled: &[(&str, &str)], name: &str, file: &[u8]) -> Reply {
    let filled = [&[("action", "preview")], filled].concat();
    browser.submit_with_file(&browser.get(STATEMENTS), STATEMENTS, &filled, ("file", name, file))
}

/// Uploads an unknown file, and opens the page on which its columns are assigned.
fn columns_of(browser: &Visitor, filled: &[(&str, &str)], file: &str) -> Reply {
    let refused = upload(browser, filled, "bank.csv", file.as_bytes());
    assert_eq!(refused.status, 422, "{}", refused.text);
    browser.get(&offered(&refused))
}

/// Link to the page on which the columns of an unknown file are assigned.
fn offered(refused: &Reply) -> String {
    let links = refused.text.split("href=\"").skip(1).map(|rest| rest.split('"').next().unwrap());
    let link = links.map(unescaped).find(|link| link.starts_with("/bank-mappings/new?"));
    link.unwrap_or_else(|| panic!("no link to a mapping: {}", refused.text))
}

/// Amounts and names of all lines, by their order.
fn lines(server: &Server, key: &str) -> Vec<Value> {
    let mut lines =
        server.get(key, "/api/v1/bank-lines").json()["data"].as_array().unwrap().clone();
    lines.sort_by_key(|line| line["id"].as_i64());
    lines
        .iter()
        .map(|line| {
            json!([line["date"], line["amount"], line["counterparty"]["name"], line["text"]])
        })
        .collect()
}

/// Saves the columns, and imports the file that is previewed then.
fn save_and_take(browser: &Visitor, page: &Reply, filled: &[(&str, &str)]) {
    let filled = [&[("action", "save"), ("name", "Bank"), ("bankAccountId", "6")], filled].concat();
    let saved = browser.submit(page, PAGE, &filled);
    assert_eq!(saved.status, 303, "{}", saved.text);
    let preview = browser.follow(&saved);
    assert_eq!(preview.status, 200, "{}", preview.text);
    let taken = browser.submit(&preview, STATEMENTS, &[("action", "take")]);
    assert_eq!(
        taken.header("location"),
        Some("/bank-lines?state=new&done=bank-statements-taken"),
        "{}",
        taken.text
    );
}

on_both_engines! {
    fn an_unknown_csv_is_mapped_previewed_and_imported(engine) {
        let (server, browser, key) = with_account(engine);
        let refused = upload(&browser, &[("bankAccountId", "6")], "march.csv", FILE.as_bytes());
        assert_eq!(refused.status, 422, "{}", refused.text);
        assert!(fault_of(&refused, "file").unwrap().contains("Assign its columns"), "{}", refused.text);
        let page = browser.get(&offered(&refused));
        assert_eq!(page.status, 200, "{}", page.text);
        // The proposal fits: the rows, and what is read from them, are shown as text.
        for text in ["march.csv", "B · Naam · Studio &#60;b&#62;Noord", "=HYPERLINK(1)", "1,210.00"] {
            assert!(page.text.contains(text), "{text}: {}", page.text);
        }
        assert!(!page.text.contains("<b>Noord"), "{}", page.text);
        let chosen: Vec<_> = ["columns.date", "columns.amount", "columns.name", "columns.text.0", "bankAccountId", "delimiter"]
            .iter().map(|name| value_of(&page, name).unwrap_or_default()).collect();
        assert_eq!(chosen, ["0", "3", "1", "2", "6", ";"]);
        // A form of dates that does not fit is shown in its place, and is not saved.
        let wrong = [("dateFormat", "YYYY-MM-DD"), ("name", "Nieuwe bank")];
        let tried = browser.submit(&page, PAGE, &[&wrong[..], &[("action", "calculate")]].concat());
        assert_eq!(tried.status, 200, "{}", tried.text);
        assert!(tried.text.contains("“02-03-2026” doesn’t fit YYYY-MM-DD."), "{}", tried.text);
        let unsaved = browser.submit(&tried, PAGE, &[("action", "save")]);
        assert_eq!(unsaved.status, 422, "{}", unsaved.text);
        assert!(fault_of(&unsaved, "dateFormat").unwrap().contains("02-03-2026"), "{}", unsaved.text);
        assert!(browser.get(PAGE).text.contains("No column layouts yet"));
        // The right form is saved, and the preview of the same file follows.
        let right = [("dateFormat", "DD-MM-YYYY"), ("action", "save")];
        let saved = browser.submit(&unsaved, PAGE, &right);
        assert_eq!(saved.status, 303, "{}", saved.text);
        let again = browser.submit(&unsaved, PAGE, &right);
        assert_eq!(again.header("location"), saved.header("location"));
        let preview = browser.follow(&saved);
        assert_eq!(preview.status, 200, "{}", preview.text);
        for text in ["2 new bank lines", "Read with column layout", "The column layout is saved"] {
            assert!(preview.text.contains(text), "{text}: {}", preview.text);
        }
        let taken = browser.submit(&preview, STATEMENTS, &[("action", "take")]);
        assert_eq!(taken.status, 303, "{}", taken.text);
        assert_eq!(
            lines(&server, &key),
            [
                json!(["2026-03-02", 1210.0, "Studio <b>Noord</b>", "Factuur 2026-0001"]),
                json!(["2026-03-03", -4.5, "Bakkerij", "=HYPERLINK(1)"]),
            ]
        );
        // The next file with the same head needs no question, and brings no line twice.
        let next = FILE.replace("Boekdatum", "BOEKDATUM") + "04-03-2026;Anna;Eigen geld;50,00\r\n";
        let preview = upload(&browser, &[], "april.csv", next.as_bytes());
        assert!(preview.status == 200 && preview.text.contains("1 new bank line"), "{}", preview.text);
        assert_eq!(browser.submit(&preview, STATEMENTS, &[("action", "take")]).status, 303);
        assert_eq!(lines(&server, &key).len(), 3);
        // Another bank account than that of the mapping is not taken silently.
        let other = next.replace("04-03", "05-03");
        let refused = upload(&browser, &[("bankAccountId", "1")], "may.csv", other.as_bytes());
        assert_eq!(refused.status, 422, "{}", refused.text);
        assert!(fault_of(&refused, "bankAccountId").unwrap().contains("Nieuwe bank"), "{}", refused.text);
        // Without the mapping, the file is unknown again.
        let list = browser.get(PAGE);
        assert!(list.text.contains("Nieuwe bank") && list.text.contains("<tr data-id=\"1\">"), "{}", list.text);
        let deleted = browser.submit(&list, "/bank-mappings/1/delete", &[]);
        assert_eq!(deleted.header("location"), Some("/bank-mappings?done=bank-mapping-deleted"), "{}", deleted.text);
        assert_eq!(upload(&browser, &[], "may.csv", other.as_bytes()).status, 422);
        assert_eq!(lines(&server, &key).len(), 3);
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
    }

    fn amounts_are_read_from_the_columns_that_are_chosen(engine) {
        let (server, browser, key) = with_account(engine);
        // Two columns, separated by tabs, and an account in the file.
        let file = format!("Date\tOut\tIn\tPayee\tOwn\n2026-03-02\t1.50\t\tAnna\t{IBAN}\n2026-03-02\t\t2.00\tAnna\t{IBAN}\n");
        let page = columns_of(&browser, &[], &file);
        let filled = [
            ("columns.amount", ""), ("columns.debit", "1"), ("columns.credit", "2"), ("columns.sign", ""),
            ("columns.account", "4"), ("columns.iban", ""), ("bankAccountId", ""), ("decimal", "."),
        ];
        let filled = [&filled[..], &[("delimiter", "tab"), ("dateFormat", "YYYY-MM-DD"), ("columns.name", "3"), ("columns.text.0", "")]].concat();
        save_and_take(&browser, &page, &filled);
        // A column with words, separated by commas.
        let file = "Day,Way,Sum,Payee\n3/4/26,uit,\"3,00\",Bram\n3/4/26,terug,\"4,00\",Bram\n";
        let page = columns_of(&browser, &[], file);
        let filled = [
            ("delimiter", ","), ("dateFormat", "M/D/YY"), ("columns.date", "0"), ("columns.amount", "2"), ("columns.sign", "1"),
            ("outWords", "uit, af"), ("columns.name", "3"), ("columns.text.0", ""), ("decimal", ","),
        ];
        save_and_take(&browser, &page, &filled);
        // A credit card writes what is spent without a sign.
        let file = "Datum|Bedrag|Winkel\n05.03.2026|5,00|Carla\n06.03.2026|-6,00|Carla\n";
        let page = columns_of(&browser, &[], file);
        let filled = [("delimiter", "|"), ("dateFormat", "DD.MM.YYYY"), ("invert", "true"), ("columns.name", "2"), ("columns.text.0", "")];
        save_and_take(&browser, &page, &filled);
        let line = |date: &str, amount: f64, name: &str| json!([date, amount, name, ""]);
        assert_eq!(
            lines(&server, &key),
            [
                line("2026-03-02", -1.5, "Anna"), line("2026-03-02", 2.0, "Anna"),
                line("2026-03-04", -3.0, "Bram"), line("2026-03-04", 4.0, "Bram"),
                line("2026-03-05", -5.0, "Carla"), line("2026-03-06", 6.0, "Carla"),
            ]
        );
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
    }

    fn an_unknown_csv_in_an_archive_is_mapped_with_the_other_files(engine) {
        let (server, browser, key) = with_account(engine);
        let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
        for (name, file) in [("march.940", super::FILE), ("card/march.csv", FILE)] {
            archive.start_file(name, SimpleFileOptions::default()).unwrap();
            archive.write_all(file.as_bytes()).unwrap();
        }
        let archive = archive.finish().unwrap().into_inner();
        let refused = upload(&browser, &[], "march.zip", &archive);
        assert_eq!(refused.status, 422, "{}", refused.text);
        assert!(fault_of(&refused, "file").unwrap().contains("card/march.csv"), "{}", refused.text);
        let page = browser.get(&offered(&refused));
        assert!(page.text.contains("card/march.csv") && page.text.contains("Betreft"), "{}", page.text);
        save_and_take(&browser, &page, &[]);
        assert_eq!(lines(&server, &key).len(), 5);
        let statements = server.get(&key, "/api/v1/bank-statements").json();
        let first = &statements["data"][0];
        assert_eq!(json!([first["name"], first["format"], first["taken"]]), json!(["march.zip", "zip", 5]));
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
    }

    fn a_file_without_a_head_is_read_with_the_mapping_that_is_chosen(engine) {
        let (server, browser, key) = with_account(engine);
        let file = "20260302;Jansen en Zonen;-12,50\n20260303;Jansen en Zonen;1,00\n";
        let page = columns_of(&browser, &[], file);
        assert_eq!(value_of(&page, "headRows").as_deref(), Some("0"), "{}", page.text);
        save_and_take(&browser, &page, &[]);
        assert_eq!(lines(&server, &key).len(), 2);
        let next = "20260304;Jansen en Zonen;-3,00\n";
        assert_eq!(upload(&browser, &[], "next.csv", next.as_bytes()).status, 422);
        let preview = upload(&browser, &[("mappingId", "1")], "next.csv", next.as_bytes());
        assert!(preview.status == 200 && preview.text.contains("1 new bank line"), "{}", preview.text);
        assert_eq!(browser.submit(&preview, STATEMENTS, &[("action", "take")]).status, 303);
        assert_eq!(lines(&server, &key).len(), 3);
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
    }

    fn a_mapping_names_its_faults(engine) {
        let (server, browser, key) = with_account(engine);
        let page = columns_of(&browser, &[], FILE);
        let refused: [(&[Filled<'_>], &str, &str); 12] = [
            (&[("name", "")], "name", "Enter a name"),
            (&[("name", &"x".repeat(61))], "name", "60"),
            (&[("dateFormat", "DD-MM")], "dateFormat", "a day, a month and a year"),
            (&[("dateFormat", "MM-DD-YY")], "dateFormat", "doesn’t fit MM-DD-YY"),
            (&[("columns.date", "")], "columns.date", ""),
            (&[("columns.amount", "")], "columns.amount", ""),
            (&[("columns.amount", "1")], "columns.amount", "isn’t an amount"),
            (&[("columns.debit", "3")], "columns.amount", "one column with the amount"),
            (&[("columns.sign", "1"), ("outWords", "")], "outWords", "money goes out"),
            (&[("decimal", ".")], "columns.amount", "1.210,00"),
            (&[("headRows", "9")], "headRows", "no row"),
            (&[("bankAccountId", "99")], "bankAccountId", "don’t know this bank account"),
        ];
        for (changes, field, text) in refused {
            let filled = [&[("action", "save"), ("name", "Bank")], changes].concat();
            // The last value of a field counts.
            let filled: Vec<(&str, &str)> = filled.iter().enumerate()
                .filter(|(place, (name, _))| !filled[place + 1..].iter().any(|(other, _)| other == name))
                .map(|(_, pair)| *pair).collect();
            let reply = browser.submit(&page, PAGE, &filled);
            assert_eq!(reply.status, 422, "{changes:?}: {}", reply.text);
            let fault = fault_of(&reply, field).unwrap_or_else(|| panic!("{changes:?}: {}", reply.text));
            assert!(fault.contains(text), "{changes:?}: {fault}");
        }
        // While columns are tried, a name may be missing.
        let tried = browser.submit(&page, PAGE, &[("action", "calculate"), ("columns.amount", "")]);
        assert_eq!((tried.status, fault_of(&tried, "name")), (422, None), "{}", tried.text);
        assert!(fault_of(&tried, "columns.amount").is_some(), "{}", tried.text);
        assert!(browser.get(PAGE).text.contains("No column layouts yet"));
        assert_eq!(lines(&server, &key), Vec::<Value>::new());
    }

    fn mappings_and_their_files_are_bound_to_an_account(engine) {
        let (server, browser, _) = with_account(engine);
        let page = columns_of(&browser, &[], FILE);
        save_and_take(&browser, &page, &[]);
        open(&server, "bram@example.com");
        let bram = visit(&server);
        assert_eq!(bram.sign_in("bram@example.com", PASSWORD).status, 303);
        assert!(bram.get(PAGE).text.contains("No column layouts yet"));
        let refused = upload(&bram, &[("mappingId", "1")], "bank.csv", FILE.as_bytes());
        assert_eq!(refused.status, 422, "{}", refused.text);
        assert!(fault_of(&refused, "mappingId").unwrap().contains("no longer exists"), "{}", refused.text);
        // The same head does not lead to the mapping of another account either.
        let own = columns_of(&bram, &[], FILE);
        assert_eq!(own.status, 200);
        // A file of another account, and one that has expired, are not shown.
        let file = FILE.replace("1.210", "1.211");
        let page = columns_of(&browser, &[("mappingId", "")], &file.replace("Betreft", "Tekst"));
        let address = format!("/bank-mappings/new?upload={}", value_of(&page, "upload").unwrap());
        let stolen = bram.get(&address);
        assert_eq!(stolen.status, 422, "{}", stolen.text);
        server.clock.set(&(server.clock.now() + SignedDuration::from_hours(23)).to_string());
        assert_eq!(browser.get(&address).status, 200);
        server.clock.set(&(server.clock.now() + SignedDuration::from_hours(2)).to_string());
        let late = browser.get(&address);
        assert!(fault_of(&late, "file").unwrap().contains("more than a day old"), "{}", late.text);
        let late = browser.submit(&page, PAGE, &[("action", "save"), ("name", "Bank")]);
        assert_eq!(late.status, 422, "{}", late.text);
        // Without a file there are no columns.
        assert_eq!(browser.get("/bank-mappings/new").header("location"), Some(STATEMENTS));
    }

    fn an_account_has_at_most_fifty_mappings(engine) {
        let (server, browser, _) = with_account(engine);
        let page = columns_of(&browser, &[], FILE);
        let cx = server.owner(EMAIL);
        let options = bank_files::Options::new(cx.today());
        let refusal = bank_files::read(FILE.as_bytes(), &options).unwrap_err();
        let bank_files::Cause::UnknownCsv(proposal) = refusal.cause else { panic!("{refusal:?}") };
        let new = bank_mappings::NewMapping { name: "Bank".into(), bank_account_id: None, mapping: proposal.mapping };
        server.write(move |tx| {
            (0..bank_mappings::MOST_MAPPINGS).try_for_each(|_| bank_mappings::create(tx, &cx, &new).map(drop))
        });
        let refused = browser.submit(&page, PAGE, &[("action", "save"), ("name", "Bank")]);
        assert_eq!(refused.status, 422, "{}", refused.text);
        assert!(refused.text.contains("at most 50 column layouts"), "{}", refused.text);
    }
}
