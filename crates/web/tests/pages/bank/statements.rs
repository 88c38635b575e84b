//! Pages of statements: preview, import, undo, and the days of a bank account.

use super::{FILE, IBAN, with_account};
use crate::help::{EMAIL, fault_of, signed_in, visit};
use jiff::SignedDuration;
use serde_json::json;
use service::{environment::Clock, people};
use std::num::NonZeroU32;
use testing::{Server, on_both_engines};
use web::RateLimit;

const PAGE: &str = "/bank-statements";

/// Statement of February with the lines and balances of March.
fn earlier() -> String {
    let numbered = FILE.replace(":28:1/1", ":28:2/1");
    numbered.replace("2603", "2602").replace("0310", "0210").replace("0311", "0211")
}

/// Rate limit that the tests do not reach.
fn limit() -> RateLimit {
    let many = NonZeroU32::new(60_000).unwrap();
    RateLimit { per_minute: many, burst: many }
}

/// Statement of March whose first line has another text for each number.
fn numbered(number: usize) -> String {
    FILE.replace("REMI/Brood", &format!("REMI/Brood {number}"))
}

on_both_engines! {
    fn a_statement_is_previewed_imported_and_undone(engine) {
        let (server, browser, key) = with_account(engine);
        let page = browser.get("/bank");
        let file = ("file", "march.940", FILE.as_bytes());
        let preview = browser.submit_with_file(&page, PAGE, &[("action", "preview")], file);
        assert_eq!(preview.status, 200, "{}", preview.text);
        for text in ["3 new bank lines", "Studio Noord", "Factuur 2026-0001", "march.940"] {
            assert!(preview.text.contains(text), "{text}: {}", preview.text);
        }
        // The preview stores the file, but imports nothing.
        assert_eq!(server.get(&key, "/api/v1/bank-lines").json()["data"], json!([]));
        let taken = browser.submit(&preview, PAGE, &[("action", "take")]);
        assert_eq!(taken.header("location"), Some("/bank-lines?state=new&done=bank-statements-taken"), "{}", taken.text);
        assert!(browser.follow(&taken).text.contains("Imported: 3 bank lines."));
        assert_eq!(server.get(&key, "/api/v1/bank-lines").json()["data"].as_array().unwrap().len(), 3);
        // Import removes the stored file; the same form leads to the same page.
        let again = browser.submit(&preview, PAGE, &[("action", "take")]);
        assert_eq!(again.status, 303, "{}", again.text);
        // The form of an upload can be sent again with another file.
        let direct = browser.submit_with_file(&page, PAGE, &[("action", "take")], file);
        assert_eq!(direct.header("location"), Some("/bank-statements/1?done=bank-statements-known"), "{}", direct.text);
        let earlier = earlier();
        let known = browser.submit_with_file(&page, PAGE, &[("action", "preview")], file);
        let counts = known.text.replace("<td class=\"number\" data-label=", "");
        assert!(counts.contains("\"New\">–</td>") && counts.contains("\"Known\">3</td>"), "{}", known.text);
        assert!(known.text.contains("No new bank lines") && !known.text.contains("value=\"take\""), "{}", known.text);
        let other = browser.submit_with_file(&page, PAGE, &[("action", "take")], ("file", "february.940", earlier.as_bytes()));
        assert_eq!(other.header("location"), Some("/bank-lines?state=new&done=bank-statements-taken"), "{}", other.text);
        // Its closing balance is not the opening balance of March.
        assert!(browser.get("/bank").text.contains("On 1 day"), "{}", browser.get("/bank").text);
        let undone = browser.submit(&browser.get("/bank-statements/2"), "/bank-statements/2/undo", &[]);
        assert_eq!(undone.status, 303, "{}", undone.text);
        let list = browser.get(PAGE);
        assert!(list.text.contains("href=\"/bank-statements/1\"") && list.text.contains("march.940"), "{}", list.text);
        let file = browser.get("/bank-statements/1/file");
        assert_eq!((file.status, &*file.text), (200, FILE));
        let overview = browser.get("/bank");
        assert!(overview.text.contains("Book 3 bank lines"), "{}", overview.text);
        assert!(browser.get("/").text.contains("3 bank lines to book"));
        let undone = browser.submit(&browser.get("/bank-statements/1"), "/bank-statements/1/undo", &[]);
        assert_eq!(undone.header("location"), Some("/bank-statements/1?done=bank-statement-undone"), "{}", undone.text);
        assert_eq!(server.get(&key, "/api/v1/bank-lines").json()["data"], json!([]));
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
    }

    fn faults_of_a_file_are_shown_and_nothing_is_imported(engine) {
        let server = Server::start(engine);
        let browser = signed_in(&server);
        let key = server.key(EMAIL, true, true);
        let page = browser.get(PAGE);
        let empty = browser.submit(&page, PAGE, &[("action", "preview")]);
        assert_eq!(empty.status, 422);
        assert!(fault_of(&empty, "file").unwrap().contains("Choose the file"), "{}", empty.text);
        let image = ("file", "photo.png", &b"\x89PNG\r\n\x1a\n\0\0\0\0"[..]);
        let refused = browser.submit_with_file(&page, PAGE, &[("action", "take")], image);
        assert_eq!(refused.status, 422, "{}", refused.text);
        assert!(fault_of(&refused, "file").unwrap().contains("photo.png"), "{}", refused.text);
        // A closing balance that does not fit is accepted only on request.
        let wrong = FILE.replace("EUR266,50", "EUR270,00");
        let file = ("file", "wrong.940", wrong.as_bytes());
        let refused = browser.submit_with_file(&page, PAGE, &[("action", "preview")], file);
        assert!(fault_of(&refused, "file").unwrap().contains("3.50"), "{}", refused.text);
        // The fault names the choice, which is on the page.
        let choice = "Even if the lines don’t add up to the closing balance";
        assert!(fault_of(&refused, "file").unwrap().contains(choice), "{}", refused.text);
        assert!(refused.text.matches(choice).count() > 1 && refused.text.contains("<details class=\"more\" open>"), "{}", refused.text);
        // A fault quotes the value in the file, and calls a missing value so.
        let head = "Datum;Naam / Omschrijving;Rekening;Tegenrekening;Code;Af Bij;Bedrag (EUR);Mutatiesoort;Mededelingen\r\n";
        for (amount, words) in [("vier", "“vier”"), ("", "A value is missing in the file (amount)")] {
            let csv = format!("{head}20260310;Brood;NL20INGB0001234567;;BA;Af;{amount};Betaalautomaat;Pas\r\n");
            let refused = browser.submit_with_file(&page, PAGE, &[("action", "preview")], ("file", "ing.csv", csv.as_bytes()));
            let fault = fault_of(&refused, "file").unwrap();
            assert!(fault.contains(words) && !fault.contains("“”"), "{fault}");
        }
        let accepted = [("action", "preview"), ("acceptBalance", "true")];
        let preview = browser.submit_with_file(&page, PAGE, &accepted, file);
        assert_eq!(preview.status, 200, "{}", preview.text);
        assert!(preview.text.contains("name=\"acceptBalance\" value=\"true\""));
        assert_eq!(server.get(&key, "/api/v1/bank-statements").json()["data"], json!([]));
    }

    fn the_file_of_a_preview_is_bound_to_its_account_and_expires(engine) {
        let (server, browser, key) = with_account(engine);
        let file = ("file", "march.940", FILE.as_bytes());
        let preview = browser.submit_with_file(&browser.get(PAGE), PAGE, &[("action", "preview")], file);
        let upload = crate::help::value_of(&preview, "upload").unwrap();
        // Another account cannot import it.
        crate::help::open(&server, "bram@example.com");
        let bram = visit(&server);
        assert_eq!(bram.sign_in("bram@example.com", crate::help::PASSWORD).status, 303);
        let stolen = bram.submit(&bram.get(PAGE), PAGE, &[("action", "take"), ("upload", &upload)]);
        assert_eq!(stolen.status, 422, "{}", stolen.text);
        let later = |hours| {
            server.clock.set(&(server.clock.now() + SignedDuration::from_hours(hours)).to_string());
        };
        later(23);
        let again = browser.submit(&preview, PAGE, &[("action", "preview")]);
        assert_eq!(again.status, 200, "{}", again.text);
        // The session stays alive, but the file does not.
        later(23);
        assert_eq!(browser.get(PAGE).status, 200);
        later(2);
        let late = browser.submit(&preview, PAGE, &[("action", "take")]);
        assert_eq!(late.status, 422, "{}", late.text);
        assert!(fault_of(&late, "file").unwrap().contains("more than a day old"), "{}", late.text);
        let size = |server: &Server| server.write(|tx| Ok(store::bank_uploads::bytes_in_all(tx, 1)?));
        assert_eq!(size(&server), i64::try_from(FILE.len()).unwrap());
        let env = server.env();
        server.write(move |tx| people::sweep(tx, &env, 1_000));
        assert_eq!(size(&server), 0);
        assert_eq!(server.get(&key, "/api/v1/bank-statements").json()["data"], json!([]));
    }

    fn a_line_without_a_name_is_previewed_by_its_text(engine) {
        let (_server, browser, _key) = with_account(engine);
        let nameless = FILE.replace("/NAME/Anna/REMI/Eigen geld", "/REMI/Eigen geld");
        let file = ("file", "march.940", nameless.as_bytes());
        let preview = browser.submit_with_file(&browser.get(PAGE), PAGE, &[("action", "preview")], file);
        assert!(preview.text.contains("<th scope=\"row\"><bdi>Eigen geld</bdi>"), "{}", preview.text);
        assert_eq!(preview.text.matches("<bdi>Eigen geld</bdi>").count(), 1, "{}", preview.text);
    }

    fn the_days_of_a_bank_account_are_shown_by_month(engine) {
        let (server, browser, key) = with_account(engine);
        let file = ("file", "march.940", FILE.as_bytes());
        let taken = browser.submit_with_file(&browser.get(PAGE), PAGE, &[("action", "take")], file);
        assert_eq!(taken.status, 303, "{}", taken.text);
        let month = "/bank-accounts/6?month=2026-03";
        // The books lack the opening balance of 100, which no bank line explains.
        assert!(browser.get(month).text.contains("Difference without bank line"), "{}", browser.get(month).text);
        let opening = json!({"date": "2026-01-01", "balances": [{"account": "1101", "amount": 100}]});
        assert_eq!(server.post(&key, "/api/v1/opening-balance", &opening).status, 201);
        let page = browser.get(month);
        assert!(!page.text.contains("Difference without bank line"), "{}", page.text);
        assert!(page.text.contains("data-id=\"2026-03-11\"") && page.text.contains("To be booked"), "{}", page.text);
        assert!(page.text.contains("state=new&#38;bankAccountId=6&#38;from=2026-03-11"), "{}", page.text);
        // An ignored line is named as the cause of the difference.
        let line = browser.get("/bank-lines?state=new&line=1&kind=bankCosts");
        assert_eq!(browser.submit(&line, "/bank-lines/1/ignore", &[("reason", "other")]).status, 303);
        let ignored = browser.get(month);
        assert!(ignored.text.contains("Ignored bank lines") && !ignored.text.contains("Difference without bank line"), "{}", ignored.text);
        assert!(ignored.text.contains("state=ignored&#38;bankAccountId=6&#38;to=2026-03-11"), "{}", ignored.text);
        // A duplicate is in no balance of the bank.
        let line = browser.get("/bank-lines/1");
        assert_eq!(browser.submit(&browser.follow(&line), "/bank-lines/1/undo", &[]).status, 303);
        assert!(!browser.get(month).text.contains("Ignored bank lines"));
        let before = browser.get("/bank-accounts/6?month=2026-01");
        assert!(before.text.contains("data-id=\"2026-01-31\"") && before.text.contains("No balance known"), "{}", before.text);
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
    }

    fn an_unknown_iban_goes_to_the_free_default_account(engine) {
        let server = Server::start(engine);
        let browser = signed_in(&server);
        let key = server.key(EMAIL, true, true);
        let file = ("file", "march.940", FILE.as_bytes());
        let preview = browser.submit_with_file(&browser.get(PAGE), PAGE, &[("action", "preview")], file);
        assert!(preview.status == 200 && preview.text.contains(IBAN), "{}", preview.text);
        assert_eq!(server.get(&key, "/api/v1/bank-accounts/1").json()["iban"], json!(null));
        assert_eq!(browser.submit(&preview, PAGE, &[("action", "take")]).status, 303);
        assert_eq!(server.get(&key, "/api/v1/bank-accounts/1").json()["iban"], json!(IBAN));
        // A second unknown IBAN is offered as a new account.
        let other = FILE.replace(IBAN, "NL20INGB0001234567");
        let file = ("file", "ing.940", other.as_bytes());
        let refused = browser.submit_with_file(&browser.get(PAGE), PAGE, &[("action", "preview")], file);
        assert_eq!(refused.status, 422, "{}", refused.text);
        let form = browser.get("/bank-accounts/new?kind=checking&iban=NL20INGB0001234567");
        assert!(refused.text.contains("iban=NL20INGB0001234567"), "{}", refused.text);
        // So it is without a preview.
        let refused = browser.submit_with_file(&browser.get(PAGE), PAGE, &[("action", "take")], file);
        assert_eq!(refused.status, 422, "{}", refused.text);
        assert!(refused.text.contains("iban=NL20INGB0001234567"), "{}", refused.text);
        assert_eq!(browser.submit(&form, "/bank-accounts", &[("name", "ING")]).status, 303);
        let preview = browser.submit_with_file(&browser.get(PAGE), PAGE, &[("action", "preview")], file);
        assert_eq!(preview.status, 200, "{}", preview.text);
    }
    fn several_files_are_imported_together_or_not_at_all(engine) {
        let (server, browser, key) = with_account(engine);
        let earlier = earlier();
        let march = ("file", "march.940", FILE.as_bytes());
        let february = ("file", "february.940", earlier.as_bytes());
        let page = browser.get(PAGE);
        let broken = FILE.replace("EUR266,50", "EUR270,00");
        let files = [february, ("file", "broken.940", broken.as_bytes())];
        let refused = browser.submit_with_files(&page, PAGE, &[("action", "take")], &files);
        assert_eq!(refused.status, 422, "{}", refused.text);
        assert!(fault_of(&refused, "file").unwrap().contains("broken.940"), "{}", refused.text);
        assert_eq!(server.get(&key, "/api/v1/bank-statements").json()["data"], json!([]));
        let preview = browser.submit_with_files(&page, PAGE, &[("action", "preview")], &[february, march]);
        assert_eq!(preview.status, 200, "{}", preview.text);
        for text in ["6 new bank lines", "february.940", "march.940"] {
            assert!(preview.text.contains(text), "{text}: {}", preview.text);
        }
        let taken = browser.submit(&preview, PAGE, &[("action", "take")]);
        assert_eq!(taken.header("location"), Some("/bank-lines?state=new&done=bank-statements-taken"), "{}", taken.text);
        let lines = server.get(&key, "/api/v1/bank-lines").json();
        assert_eq!(lines["data"].as_array().unwrap().len(), 6);
        assert_eq!(server.discrepancies(EMAIL), Vec::<String>::new());
    }

    fn an_upload_has_limits(engine) {
        let (server, browser, key) = with_account(engine);
        let page = browser.get(PAGE);
        let send = |files: &[(&str, &str, &[u8])]| {
            browser.submit_with_files(&page, PAGE, &[("action", "take")], files)
        };
        let large = vec![b' '; (20 << 20) + 1];
        let refused = send(&[("file", "large.xml", &large)]);
        assert_eq!(refused.status, 422, "{}", refused.text);
        assert!(fault_of(&refused, "file").unwrap().contains("large.xml"), "{}", refused.text);
        // Together no larger than one file can be, and no more than 24.
        let half = &large[..(10 << 20) + 1];
        assert_eq!(send(&[("file", "a.xml", half), ("file", "b.xml", half)]).status, 413);
        let small: Vec<(&str, &str, &[u8])> = vec![("file", "march.940", FILE.as_bytes()); 25];
        assert_eq!(send(&small).status, 413);
        assert_eq!(server.get(&key, "/api/v1/bank-statements").json()["data"], json!([]));
        // The same file twice is imported once.
        assert_eq!(send(&small[..24]).status, 303);
        let statements = server.get(&key, "/api/v1/bank-statements").json();
        assert_eq!(statements["data"].as_array().unwrap().len(), 1);
    }

    fn the_61st_file_within_an_hour_is_refused(engine) {
        let server = Server::start_with(engine, Some(limit()));
        let browser = signed_in(&server);
        let key = server.key(EMAIL, true, true);
        let page = browser.get(PAGE);
        let send = |number: usize, action: &str| {
            let bytes = numbered(number);
            browser.submit_with_file(&page, PAGE, &[("action", action)], ("file", "march.940", bytes.as_bytes()))
        };
        for number in 0..60 {
            let taken = send(number, "take");
            assert_eq!(taken.status, 303, "{number}: {}", taken.text);
        }
        let count = || server.get(&key, "/api/v1/bank-statements?limit=100").json()["data"].as_array().unwrap().len();
        // A preview says so too, before anyone has looked through the lines.
        for action in ["take", "preview"] {
            let refused = send(60, action);
            assert_eq!(refused.status, 429, "{action}: {}", refused.text);
            let sentence = "You took 60 statements within the last hour. Try again in an hour.";
            assert!(refused.text.contains(sentence), "{action}: {}", refused.text);
        }
        assert_eq!(count(), 60);
        // A file that is here already is no upload: it is shown, and takes no place.
        let known = send(0, "take");
        assert_eq!(known.header("location"), Some("/bank-statements/1?done=bank-statements-known"), "{}", known.text);
        server.clock.set(&(server.clock.now() + SignedDuration::from_mins(61)).to_string());
        let taken = send(60, "take");
        assert_eq!((taken.status, count()), (303, 61), "{}", taken.text);
    }

    fn without_a_rate_limit_files_are_not_counted(engine) {
        let server = Server::start(engine);
        let browser = signed_in(&server);
        let page = browser.get(PAGE);
        for number in 0..61 {
            let bytes = numbered(number);
            let file = ("file", "march.940", bytes.as_bytes());
            let taken = browser.submit_with_file(&page, PAGE, &[("action", "take")], file);
            assert_eq!(taken.status, 303, "{number}: {}", taken.text);
        }
    }

    fn gaps_are_the_days_after_which_a_statement_is_missing(engine) {
        let (server, browser, key) = with_account(engine);
        let earlier = earlier();
        let files = [("file", "february.940", earlier.as_bytes()), ("file", "march.940", FILE.as_bytes())];
        let taken = browser.submit_with_files(&browser.get(PAGE), PAGE, &[("action", "take")], &files);
        assert_eq!(taken.status, 303, "{}", taken.text);
        // February closes with 266.50, and March opens with 100.00.
        let days = server.get(&key, "/api/v1/bank-accounts/6/days?from=2026-01-01&to=2026-03-31").json();
        let of_gaps = |days: &serde_json::Value| -> Vec<String> {
            let days = days["data"].as_array().unwrap().iter();
            days.filter(|day| day["status"] == json!("gap")).map(|day| day["date"].as_str().unwrap().to_owned()).collect()
        };
        assert_eq!(of_gaps(&days), ["2026-03-09"]);
        let page = browser.get("/bank");
        assert!(page.text.contains("href=\"/bank-accounts/6?month=2026-03\"") && page.text.contains("On 1 day"), "{}", page.text);
        // Lines without balances explain the difference.
        let feed = json!({"bankAccountId": 6, "from": "2026-02-20", "to": "2026-02-20",
            "lines": [{"date": "2026-02-20", "amount": -166.5, "text": "Pin"}]});
        assert_eq!(server.post(&key, "/api/v1/bank-statements", &feed).status, 201);
        let days = server.get(&key, "/api/v1/bank-accounts/6/days?from=2026-01-01&to=2026-03-31").json();
        assert_eq!(of_gaps(&days), Vec::<String>::new());
        assert!(!browser.get("/bank").text.contains("On 1 day"));
    }
}
