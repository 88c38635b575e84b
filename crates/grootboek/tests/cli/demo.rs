//! `demo`: the printed commands work unchanged.

use crate::{PASSWORD, Running, TIMEOUT, command, done, program, sign_up, visitor, wait_until};
use serde_json::Value;
use std::{path::Path, process::Command, time::Duration};
use testing::description;

struct Demo {
    running: Running,
    /// Folder with curl's settings and the demo's own files.
    settings: tempfile::TempDir,
}

impl Demo {
    fn start(options: &[&str]) -> Self {
        let settings = tempfile::tempdir().unwrap();
        // The demo's files go to the test's folder, which is removed even if the demo is killed.
        let mut demo = program();
        demo.args(["demo", "--listen", "127.0.0.1:0"]).args(options).env("TMPDIR", settings.path());
        let mut running = Running::spawn(&mut demo);
        running.read_until("Ctrl-C ends the demo");
        running.url = word_after(&running.printed, "URL ");
        // The commands are run as printed; this makes curl print the status too.
        let seconds = TIMEOUT.as_secs();
        std::fs::write(
            settings.path().join(".curlrc"),
            format!("write-out = \"\\n%{{http_code}}\"\nmax-time = {seconds}\n"),
        )
        .unwrap();
        Self { running, settings }
    }

    /// The printed commands, each with all its lines.
    fn curls(&self) -> Vec<String> {
        let mut curls: Vec<String> = Vec::new();
        let mut inside = false;
        for line in self.running.printed.lines() {
            inside = !line.is_empty() && (inside || line.starts_with("curl "));
            match curls.last_mut() {
                Some(last) if inside && !line.starts_with("curl ") => last.extend(["\n", line]),
                _ if inside => curls.push(line.to_owned()),
                _ => {}
            }
        }
        curls
    }

    fn run(&self, curl: &str) -> (u16, String) {
        let output = Command::new("sh")
            .args(["-c", curl])
            .env("CURL_HOME", self.settings.path())
            .output()
            .unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        let (body, status) = text.rsplit_once('\n').unwrap_or_else(|| panic!("{curl}: {text}"));
        (status.parse().unwrap(), body.to_owned())
    }

    /// Printed command for a path.
    fn curl(&self, path: &str) -> String {
        self.curls()
            .into_iter()
            .find(|curl| curl.contains(path))
            .unwrap_or_else(|| panic!("no curl on {path}"))
    }

    fn key(&self) -> String {
        word_after(&self.running.printed, "API key ")
    }

    /// Key of the test account.
    fn test_key(&self) -> String {
        word_after(&self.running.printed, "Test key ")
    }

    /// Folder for emails.
    fn mails(&self) -> String {
        word_after(&self.running.printed, "Mails    one file per mail in ")
    }

    /// Printed text without the parts that differ between demos.
    fn reported(&self) -> String {
        let file = word_after(&self.running.printed, "of an invented freelancer, in ");
        let reported = self
            .running
            .printed
            .replace(&self.running.url, "URL")
            .replace(&self.key(), "KEY")
            .replace(&self.test_key(), "TEST");
        reported.replace(&file, "FILE").replace(&self.mails(), "MAILS")
    }
}

fn word_after(text: &str, before: &str) -> String {
    let (_, after) = text.split_once(before).unwrap_or_else(|| panic!("no {before} in {text}"));
    after.split_whitespace().next().unwrap().to_owned()
}

/// Amount of a field in a response, in cents.
fn cents(body: &str, field: &str) -> i64 {
    let (_, after) =
        body.split_once(&format!("\"{field}\":")).unwrap_or_else(|| panic!("no {field} in {body}"));
    let amount = after.split([',', '}']).next().unwrap();
    assert_eq!(amount.rsplit_once('.').unwrap().1.len(), 2, "{amount}");
    amount.replace('.', "").parse().unwrap()
}

fn json(body: &str) -> Value {
    serde_json::from_str(body).unwrap()
}

#[test]
// Long: one scenario in order.
fn every_printed_command_works_as_it_stands() {
    let mut demo = Demo::start(&[]);
    let curls = demo.curls();
    assert_eq!(curls.len(), 7, "{curls:#?}");
    let (status, before) = demo.run(&demo.curl("/api/v1/summary/"));
    assert_eq!(status, 200, "{before}");
    let mut answers = Vec::new();
    for curl in &curls {
        answers.push((curl, demo.run(curl)));
    }
    let answer = |path: &str| {
        answers
            .iter()
            .find(|(curl, _)| curl.contains(path))
            .map(|(_, answer)| answer.clone())
            .unwrap()
    };
    for (path, status) in [
        ("/account", 200),
        ("/invoices", 201),
        ("/entries", 200),
        ("/summary/", 200),
        ("/projects", 200),
        ("/time-entries", 201),
        ("/test/clock", 200),
    ] {
        let (given, body) = answer(&format!("/api/v1{path}"));
        assert_eq!(given, status, "{path}: {body}");
    }
    assert!(answer("/account").1.contains("Studio Voorbeeld"));
    let invoice = json(&answer("/invoices").1);
    assert_eq!(
        (cents(&answer("/invoices").1, "subtotal"), cents(&answer("/invoices").1, "vatTotal")),
        (78_900, 16_269)
    );
    // A repeated request returns the same invoice.
    let (status, again) = demo.run(&demo.curl("/api/v1/invoices"));
    assert_eq!((status, &json(&again)["number"]), (200, &invoice["number"]));
    // The invoice's entry is in the list, in the boxes of the return, and in the summary.
    let entries = json(&answer("/entries").1);
    let entry = entries["data"]
        .as_array()
        .unwrap()
        .iter()
        .find(|entry| entry["id"] == invoice["entryIds"][0]);
    let entry = entry.unwrap_or_else(|| panic!("the invoice's entry is not in {entries}"));
    let boxes: Vec<&str> = entry["lines"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|line| line["vatBox"].as_str())
        .collect();
    assert_eq!(boxes, ["1a", "1a", "1b", "1b"]);
    let after = answer("/summary/").1;
    assert_eq!(cents(&after, "revenue") - cents(&before, "revenue"), 78_900);
    assert_eq!(cents(&after, "charged") - cents(&before, "charged"), 16_269);
    assert!(answer("/projects").1.contains("Museum Het Raam"));
    // The invoice and the expense that were open in the opening balance have been paid since.
    let key = demo.key();
    for (list, number) in [("invoices", "2025-0038"), ("expenses", "25-1187")] {
        let (_, _, listed) = demo.running.send(
            "GET",
            &format!("/api/v1/{list}?paid=true&to=2025-12-31"),
            Some(&key),
            None,
        );
        let rows = json(&listed)["data"].clone();
        assert_eq!(rows.as_array().map(Vec::len), Some(1), "{listed}");
        assert!(rows[0]["source"] == "opening" && listed.contains(number), "{listed}");
    }
    // The invented studio writes Dutch, and nothing is dated after the day of the printed commands.
    for list in
        ["invoices", "expenses", "time-entries", "hours-log", "projects", "assets", "mileage"]
    {
        let (_, _, listed) =
            demo.running.send("GET", &format!("/api/v1/{list}?limit=200"), Some(&key), None);
        let mut texts = Vec::new();
        texts_in(&json(&listed), &mut texts);
        let english = ["the", "of", "for", "and", "with", "Design", "Friday", "Printing"];
        let is_english =
            |text: &&String| text.split([' ', ':', ',']).any(|word| english.contains(&word));
        assert_eq!(
            (texts.is_empty(), texts.iter().find(is_english)),
            (false, None),
            "{list}: {listed}"
        );
    }
    let (_, _, listed) =
        demo.running.send("GET", "/api/v1/entries?year=2026&quarter=4&limit=200", Some(&key), None);
    let booked = json(&listed)["data"].clone();
    let last = booked
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|entry| entry["date"].as_str())
        .max()
        .unwrap()
        .to_owned();
    assert_eq!(last, "2026-11-20");

    let file = word_after(&demo.running.printed, "of an invented freelancer, in ");
    assert!(Path::new(&file).exists());
    demo.running.stop();
    assert!(demo.running.printed.contains("the demo is over"), "{}", demo.running.printed);
    assert!(!Path::new(&file).exists(), "{file} was not removed");
}

/// Collects, from a list, the strings that a person wrote.
fn texts_in(value: &Value, texts: &mut Vec<String>) {
    match value {
        Value::Array(values) => values.iter().for_each(|value| texts_in(value, texts)),
        Value::Object(fields) => {
            for (name, value) in fields {
                match value {
                    Value::String(text)
                        if matches!(
                            name.as_str(),
                            "description" | "reason" | "purpose" | "name" | "notes"
                        ) =>
                    {
                        texts.push(text.clone());
                    }
                    _ => texts_in(value, texts),
                }
            }
        }
        _ => {}
    }
}

fn is_id(name: &str) -> bool {
    name == "id" || name.ends_with("Id") && name != "externalId"
}

/// Sends a request; after a 429 response it waits as long as `Retry-After` requires and retries.
fn with_retries(
    demo: &mut Demo,
    key: &str,
    method: &str,
    path: &str,
    body: Option<&str>,
) -> (u16, String) {
    loop {
        let (status, headers, text) = demo.running.send(method, path, Some(key), body);
        if status != 429 {
            return (status, text);
        }
        let reported = headers
            .iter()
            .find(|(name, _)| name == "retry-after")
            .expect("a 429 response has Retry-After");
        std::thread::sleep(Duration::from_secs(reported.1.parse().unwrap()));
    }
}

#[test]
// Long: one scenario in order.
fn every_example_of_the_description_works_in_the_demo() {
    let mut demo = Demo::start(&[]);
    let (key, test) = (demo.key(), demo.test_key());
    let (_, _, text) = demo.running.send("GET", "/api/openapi.json", None, None);
    let document = json(&text);
    let mut sent = 0;
    let mut refused = Vec::new();
    // The examples use a webhook. The demo has none, because webhooks belong to partners, so one is
    // created here. Nothing listens at its URL.
    for (path, body) in [
        ("/api/v1/webhooks", Some(r#"{"url": "http://127.0.0.1:9/"}"#)),
        ("/api/v1/webhooks/1/test", None),
    ] {
        let (status, text) = with_retries(&mut demo, &key, "POST", path, body);
        assert!((200..300).contains(&status), "{path}: {text}");
    }
    // Examples that read come first, then those that create, then those that change.
    for method in ["get", "post", "patch"] {
        for (path, item) in document["paths"]
            .as_object()
            .unwrap()
            .iter()
            .filter(|(_, item)| item.get(method).is_some())
        {
            let own = item["parameters"].as_array().cloned().unwrap_or_default();
            let path = own.iter().fold(path.clone(), |path, parameter| {
                let (name, example) = (
                    parameter["name"].as_str().unwrap(),
                    parameter["schema"]["examples"][0].to_string(),
                );
                if is_id(name) {
                    path
                } else {
                    path.replace(&format!("{{{name}}}"), example.trim_matches('"'))
                }
            });
            let asked = item[method]["parameters"].as_array().unwrap().iter();
            let (asked, optional): (Vec<_>, Vec<_>) =
                asked.partition(|parameter| parameter["required"] == true);
            let query: Vec<_> = asked
                .iter()
                .map(|asked| {
                    format!(
                        "{}={}",
                        asked["name"].as_str().unwrap(),
                        asked["schema"]["examples"][0]
                    )
                })
                .collect();
            for parameter in optional {
                let parameter = parameter["$ref"]
                    .as_str()
                    .map_or(parameter, |way| document.pointer(&way[1..]).unwrap());
                assert_eq!(parameter["x-fill-example"], "no", "{path} {parameter}");
            }
            if path.ends_with("/refuse") {
                // Only a response names a suggestion; another test sends one.
                continue;
            }
            let content = &item[method]["requestBody"]["content"];
            if content.is_object() && content.get("application/json").is_none() {
                // Uploads are skipped: the reader chooses the file on the description's page.
                continue;
            }
            let examples = content["application/json"]["examples"].as_object();
            let body =
                examples.map(|examples| examples.values().next().unwrap()["value"].to_string());
            let mut list = |list: &str| {
                let asked = if list.ends_with("/entries") {
                    format!("{list}?year=2026")
                } else {
                    list.to_owned()
                };
                let (status, text) = with_retries(&mut demo, &key, "GET", &asked, None);
                assert_eq!(status, 200, "{asked}: {text}");
                json(&text)
            };
            let there = description::existing(&path, &mut list)
                .unwrap_or_else(|| panic!("the demo has nothing for {path}"));
            let address = format!("{there}?{}", query.join("&"));
            let key = if path.starts_with("/api/v1/test/") { &test } else { &key };
            let (status, text) =
                with_retries(&mut demo, key, &method.to_uppercase(), &address, body.as_deref());
            // A change may conflict with an earlier example; the response then says so.
            if !(200..300).contains(&status)
                && (method == "get" || !description::is_in_the_way(status, &text))
            {
                refused.push(format!("{status} {method} {address}: {text}"));
            }
            sent += 1;
        }
    }
    assert!(refused.is_empty(), "{}", refused.join("\n"));
    assert!(sent > 20, "{sent}");
    demo.running.stop();
}

#[test]
fn an_application_can_be_registered_as_the_demo_says() {
    let mut demo = Demo::start(&[]);
    let (_, reported) = demo.running.printed.split_once("/docs/integrating shows:\n\n").unwrap();
    let output =
        Command::new("sh").args(["-c", reported.split_once("\n\n").unwrap().0]).output().unwrap();
    let out = String::from_utf8(output.stdout).unwrap();
    assert!(
        output.status.success() && out.contains("gb_client_") && out.contains("gb_secret_"),
        "{out}"
    );
    demo.running.stop();
}

#[test]
fn two_demos_have_the_same_content() {
    let mut demos = [Demo::start(&[]), Demo::start(&[])];
    assert_eq!(demos[0].reported(), demos[1].reported());
    assert_ne!(demos[0].key(), demos[1].key());
    for path in ["/api/v1/summary/", "/api/v1/entries", "/api/v1/projects"] {
        let [one, other] = [&demos[0], &demos[1]].map(|demo| {
            let (status, body) = demo.run(&demo.curl(path));
            assert_eq!(status, 200, "{body}");
            body.replace(&demo.running.url, "URL")
        });
        let (mut one, mut other) = (json(&one), json(&other));
        for body in [&mut one, &mut other] {
            // `asOf` is the current date, which may change between the requests.
            body.as_object_mut().unwrap().remove("asOf");
        }
        assert_eq!(one, other, "{path}");
    }
    for demo in &mut demos {
        demo.running.stop();
    }
}

#[test]
fn a_link_can_be_copied_from_a_mail_of_the_demo() {
    let mut demo = Demo::start(&[]);
    let person = visitor(&demo.running);
    sign_up(&person, "new@example.com");
    let mails = demo.mails();
    wait_until("the mail comes", || {
        !testing::mail::sent_to(Path::new(&mails), "new@example.com").is_empty()
    });
    let grep = Command::new("grep")
        .args(["-rhoE", "http://[^[:space:]]+token=[^[:space:]]+", &mails])
        .output()
        .unwrap();
    let link = String::from_utf8(grep.stdout).unwrap();
    assert_eq!(link.lines().count(), 1, "{link}");
    let page = person.open(link.trim_end());
    let confirmed = person.submit(&page, "/confirm", &[("password", PASSWORD)]);
    assert_eq!((confirmed.status, person.is_signed_in()), (303, true));
    demo.running.stop();
    assert!(!Path::new(&mails).exists(), "{mails} was not removed");
}

#[test]
fn the_demo_is_of_a_company_with_all_its_details() {
    let mut demo = Demo::start(&[]);
    let person = visitor(&demo.running);
    let (_, password) = demo.running.printed.split_once(" with the password: ").unwrap();
    let signed_in = person.sign_in("demo@example.com", password.lines().next().unwrap());
    assert_eq!(signed_in.location(), "/");
    let settings = person.get("/settings");
    for given in [
        "Voorbeeldstraat 1",
        "1234 AB",
        "Voorbeeldstad",
        "12345678",
        "NL000099998B57",
        "NL91 ABNA 0417 1643 00",
    ] {
        assert!(
            settings.text.contains(&format!("value=\"{given}\"")),
            "{given} is not in {}",
            settings.text
        );
    }
    demo.running.stop();
}

#[test]
fn a_demo_can_be_kept_and_verified() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("demo.db");
    let file = file.to_str().unwrap();
    let mut demo = Demo::start(&["--keep", file]);
    assert_eq!(demo.run(&demo.curl("/api/v1/invoices")).0, 201);
    demo.running.stop();
    let verification = done(&format!("sqlite:{file}"), &["verify"]);
    assert!(verification.out.contains("demo@example.com"), "{}", verification.out);
    let again = command(&["demo", "--listen", "127.0.0.1:0", "--keep", file], "");
    assert!(again.code != 0 && again.err.contains("exists already"), "{}", again.err);
}

#[test]
fn the_demo_offers_no_database_and_refuses_one() {
    let help = program().args(["demo", "--help"]).output().unwrap();
    assert!(help.status.success());
    assert!(!String::from_utf8(help.stdout).unwrap().contains("--database"));
    for arguments in [["demo", "--database", "sqlite:x.db"], ["--database", "sqlite:x.db", "demo"]]
    {
        let refused = program().args(arguments).output().unwrap();
        let error = String::from_utf8(refused.stderr).unwrap();
        assert!(!refused.status.success() && error.contains("--keep FILE"), "{error}");
    }
}

/// Commands of the guide for integrators, with the promised responses. They end before the section
/// on the test account, whose clock is set to another day.
fn blocks_of_the_guide() -> Vec<(String, String)> {
    let (mut blocks, mut command) = (Vec::new(), None);
    let (guide, _) =
        include_str!("../../../../docs/integrating.md").split_once("## A test account").unwrap();
    let mut lines = guide.lines();
    while let Some(line) = lines.next() {
        let Some(info) = line.strip_prefix("```") else { continue };
        let inside: Vec<&str> = lines.by_ref().take_while(|line| *line != "```").collect();
        if info == "sh" {
            command = Some(inside.join("\n")).filter(|command| command.contains("curl"));
        } else if let Some(command) = command.take() {
            blocks.push((command, info.to_owned()));
        }
    }
    blocks
}

#[test]
fn the_guide_for_integrators_works_in_its_books() {
    let mut demo = Demo::start(&[]);
    let blocks = blocks_of_the_guide();
    assert!(blocks.len() >= 10, "{}", blocks.len());
    // One shell runs all commands, as a reader types them: a command may use earlier variables.
    let mark = "=== the next command ===";
    let script: String = blocks
        .iter()
        .map(|(command, _)| format!("{command}\nprintf '\\n%s\\n' '{mark}'\n"))
        .collect();
    let folder = tempfile::tempdir().unwrap();
    let output = Command::new("bash")
        .args(["-c", &script])
        .current_dir(folder.path())
        .env("URL", &demo.running.url)
        .env("KEY", demo.key())
        .output()
        .unwrap();
    let printed = String::from_utf8(output.stdout).unwrap();
    let answers: Vec<&str> = printed.split(mark).map(str::trim).collect();
    for ((command, info), answer) in blocks.iter().zip(answers) {
        let mut words = info.split(' ');
        let (kind, status) = (words.next().unwrap(), words.next().unwrap());
        if kind == "http" {
            assert!(answer.starts_with(&format!("HTTP/1.1 {status} ")), "{command}\n{answer}");
        } else {
            assert!(!answer.is_empty() && !answer.contains("\"requestId\""), "{command}\n{answer}");
        }
    }
    demo.running.stop();
}
