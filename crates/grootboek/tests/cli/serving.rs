//! `serve`: the server as a process.

use crate::{INVOICE, Running, account_with_key, done, key, program, refused, wait_until};
use serde_json::Value;
use std::{
    io::{Read, Write},
    net::{TcpListener, TcpStream},
};
use testing::{Database, Engine, on_both_engines};

const ANNA: &str = "anna@example.com";

on_both_engines! {
    fn keys_made_and_revoked_beside_a_running_server_count_at_once(engine) {
        let database = Database::new(engine);
        let db = &database.address();
        let mut server = Running::serve(db, &[]);
        assert!(server.printed.contains("grootboek keeps the books in"), "{}", server.printed);
        done(db, &["account", "add", "--email", ANNA, "--name", "Anna"]);
        let (id, secret) = key(db, ANNA);
        assert_eq!(server.get(&secret, "/api/v1/account").0, 403, "the free plan has no API");
        done(db, &["account", "set-plan", "--email", ANNA, "--plan", "starter"]);
        assert_eq!(server.get(&secret, "/api/v1/account").0, 200);
        let (_, other) = key(db, ANNA);
        assert_eq!(server.get(&other, "/api/v1/account").0, 200);
        done(db, &["project", "add", "--email", ANNA, "--name", "Huisstijl"]);
        assert!(server.get(&secret, "/api/v1/projects").1.contains("Huisstijl"));
        done(db, &["key", "revoke", "--email", ANNA, "--id", &id]);
        assert_eq!(server.get(&secret, "/api/v1/account").0, 401);
        assert_eq!(server.get(&other, "/api/v1/account").0, 200);
        assert_eq!(server.post(&other, "/api/v1/invoices", INVOICE).0, 201);
        assert!(done(db, &["verify"]).out.contains("1 invoices"));
        server.stop();
        // The time at which a key was last used is stored at shutdown.
        let keys = done(db, &["key", "list", "--email", ANNA, "--json"]).json();
        assert!(keys[1]["lastUsedAt"].is_string(), "{keys}");
    }

    fn a_request_in_progress_finishes_when_the_server_stops(engine) {
        let database = Database::new(engine);
        let db = &database.address();
        let key = account_with_key(db, ANNA);
        for signal in ["-TERM", "-INT"] {
            let mut server = Running::serve(db, &[]);
            let address = server.url.strip_prefix("http://").unwrap().to_owned();
            let mut stream = TcpStream::connect(&address).unwrap();
            let length = INVOICE.len();
            write!(stream, "POST /api/v1/invoices HTTP/1.1\r\nhost: {address}\r\nx-api-key: {key}\r\ncontent-type: application/json\r\nexpect: 100-continue\r\nconnection: close\r\ncontent-length: {length}\r\n\r\n").unwrap();
            // The server asks for the body, so the request is in progress.
            let mut answer = [0; 25];
            stream.read_exact(&mut answer).unwrap();
            assert_eq!(&answer, b"HTTP/1.1 100 Continue\r\n\r\n");
            server.signal(signal);
            wait_until("new connections are refused", || TcpStream::connect(&address).is_err());
            stream.write_all(INVOICE.as_bytes()).unwrap();
            let mut answer = String::new();
            stream.read_to_string(&mut answer).unwrap();
            assert!(answer.starts_with("HTTP/1.1 201 "), "{answer}");
            let (status, log) = server.ended();
            assert_eq!(status.code(), Some(0), "{log}");
            assert!(log.contains("stopped"), "{log}");
        }
        assert!(done(db, &["verify"]).out.contains("2 invoices"));
    }

    fn health_and_metrics_are_served(engine) {
        let database = Database::new(engine);
        let db = &database.address();
        let key = account_with_key(db, ANNA);
        let mut server = Running::serve(db, &["--metrics-listen", "127.0.0.1:0"]);
        assert_eq!(server.send("GET", "/healthz", None, None).2, "ok\n");
        let (status, _, text) = server.send("GET", "/readyz", None, None);
        let version = text.strip_prefix("ready\ngrootboek ").unwrap_or_else(|| panic!("{text}"));
        assert!(
            status == 200
                && version.starts_with(env!("CARGO_PKG_VERSION"))
                && version.contains("schema "),
            "{text}"
        );
        assert_eq!(server.get(&key, "/api/v1/account").0, 200);
        assert_eq!(server.send("GET", "/metrics", None, None).0, 404, "metrics are not public");
        let metrics = metrics(&server, OPENMETRICS);
        assert!(
            metrics.starts_with("HTTP/1.1 200 ")
                && metrics.contains("openmetrics-text")
                && metrics.contains("# EOF"),
            "{metrics}"
        );
        assert!(metrics.contains("/api/v1/account") && !metrics.contains(ANNA), "{metrics}");
        server.stop();
    }

    fn the_log_is_json_without_personal_data(engine) {
        let database = Database::new(engine);
        let db = &database.address();
        let email = "recognisable@example.com";
        let key = account_with_key(db, email);
        let mut server = Running::serve(db, &[]);
        let body = r#"{"status": "sent", "externalId": "order-recognisable", "reference": "PO-recognisable", "notes": "note-recognisable",
            "customer": {"name": "Customer Recognisable", "email": "customer-recognisable@example.org", "address": {"street": "Recognisable Street 1"}},
            "items": [{"description": "Work Recognisable", "unitPrice": 7654321.09, "vatRate": 21}]}"#;
        let mut ids = Vec::new();
        let mut send =
            |method: &str, path: &str, key: Option<&str>, body: Option<&str>, expected: u16| {
                let (status, headers, text) = server.send(method, path, key, body);
                assert_eq!(status, expected, "{method} {path}: {text}");
                ids.push(
                    headers.iter().find(|(name, _)| name == "x-request-id").unwrap().1.clone(),
                );
            };
        send("POST", "/api/v1/invoices", Some(&key), Some(body), 201);
        send("POST", "/api/v1/invoices", Some(&key), Some(body), 200);
        send(
            "POST",
            "/api/v1/invoices",
            Some(&key),
            Some(&body.replace("order-rec", "other-rec").replace("7654321.09", "\"recognisable\"")),
            422,
        );
        send("POST", "/api/v1/invoices", Some(&key), Some("{\"recognisable\": broken"), 400);
        send("GET", "/api/v1/account", Some(&key), None, 200);
        send("GET", "/api/v1/account", Some(&format!("{key}x")), None, 401);
        send("GET", "/api/v1/recognisable?name=recognisable", Some(&key), None, 404);
        send("GET", "/recognisable?name=recognisable", None, None, 404);
        send("GET", "/api/v1/summary/2026", Some(&key), None, 200);
        send("GET", "/healthz", None, None, 200);
        let log = server.stop();
        let lines: Vec<Value> = log
            .lines()
            .map(|line| {
                serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"))
            })
            .collect();
        for line in &lines {
            assert!(line["timestamp"].is_string() && line["level"].is_string(), "{line}");
        }
        for id in &ids {
            let of = lines.iter().filter(|line| line["request_id"].as_str() == Some(id)).count();
            assert_eq!(of, 1, "request {id} has one line");
        }
        let low = log.to_lowercase();
        for secret in [
            "recognisable",
            &key.to_lowercase(),
            &key[8..30].to_lowercase(),
            "7654321",
            "7,654,321",
            "9261728",
            "example.org",
        ] {
            assert!(!low.contains(secret), "the log contains {secret}: {log}");
        }
    }

    fn servers_and_commands_beside_them_keep_one_chain(engine) {
        let database = Database::new(engine);
        let db = &database.address();
        let key = account_with_key(db, ANNA);
        // Only one server can open an SQLite file.
        let count = if engine == Engine::Sqlite { 1 } else { 2 };
        let mut servers: Vec<Running> =
            (0..count).map(|_| Running::serve(db, &["--rate-limit", "0"])).collect();
        std::thread::scope(|scope| {
            for server in servers.iter().cycle().take(4) {
                let key = &key;
                scope.spawn(move || {
                    for _ in 0..10 {
                        assert_eq!(server.post(key, "/api/v1/invoices", INVOICE).0, 201);
                    }
                });
            }
            scope.spawn(|| done(db, &["fill", "--email", ANNA, "--invoices", "20"]));
        });
        servers.iter_mut().for_each(|server| drop(server.stop()));
        assert!(done(db, &["verify"]).out.contains("60 entries, 60 invoices"));
    }
}

/// The `Accept` header of Prometheus, shortened.
pub(crate) const OPENMETRICS: &str =
    "application/openmetrics-text;version=1.0.0;q=0.5,text/plain;version=0.0.4;q=0.4,*/*;q=0.3";

/// Metrics of a server, with the head of the response.
pub(crate) fn metrics(server: &Running, accept: &str) -> String {
    let mut address = None;
    wait_until("the log shows where metrics are served", || {
        let log = server.log();
        let line =
            log.lines().find(|line| line.contains("metrics are served") && line.ends_with('}'));
        address = line.map(|line| {
            serde_json::from_str::<Value>(line).unwrap()["address"].as_str().unwrap().to_owned()
        });
        address.is_some()
    });
    let mut stream = TcpStream::connect(address.unwrap()).unwrap();
    write!(
        stream,
        "GET /metrics HTTP/1.1\r\nhost: metrics\r\naccept: {accept}\r\nconnection: close\r\n\r\n"
    )
    .unwrap();
    let mut page = String::new();
    stream.read_to_string(&mut page).unwrap();
    page
}

#[test]
fn an_unavailable_address_is_reported() {
    let database = Database::new(Engine::Sqlite);
    let db = &database.address();
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    refused_to_serve(db, &["--listen", &address], &[&address, "--listen", "port 0"]);
    refused_to_serve(
        db,
        &["--listen", "127.0.0.1:0", "--metrics-listen", &address],
        &[&address, "--metrics-listen"],
    );
    refused_to_serve(db, &["--listen", "0.0.0.0:0"], &["--base-url"]);
    refused_to_serve(
        db,
        &["--listen", "127.0.0.1:0", "--base-url", "http://books.example.com"],
        &["--allow-http", "https:"],
    );
    refused_to_serve(db, &["--listen", "127.0.0.1:0", "--base-url", "books"], &["--base-url"]);
    refused(db, &["serve", "--listen", "8080"], &["--listen"]);
    refused(db, &["serve", "--api-min-plan", "gold"], &["free, starter, pro"]);
    refused(db, &["serve", "--connections", "0"], &["--connections", "1 or more"]);
    refused(db, &["serve", "--max-clients", "0"], &["--max-clients", "1 or more"]);
    let broken = program()
        .args(["serve", "--listen", "127.0.0.1:0"])
        .env("RUST_LOG", "info,request=loud")
        .output()
        .unwrap();
    let reported = String::from_utf8(broken.stderr).unwrap();
    assert!(
        !broken.status.success() && reported.contains("RUST_LOG=info,request=loud"),
        "{reported}"
    );
}

/// Starts a program that must end by itself and print nothing; returns its error message, which
/// follows the log.
fn refused_to_start(arguments: &[&str]) -> String {
    let mut start = Running::spawn(program().args(arguments));
    let (status, log) = start.ended();
    assert_eq!((status.code(), start.printed.as_str()), (Some(1), ""), "{arguments:?}");
    let message = log.lines().find(|line| line.starts_with("grootboek: "));
    message.unwrap_or_else(|| panic!("{arguments:?}: {log}")).to_owned()
}

pub(crate) fn refused_to_serve(db: &str, options: &[&str], reported: &[&str]) {
    let message = refused_to_start(&[&["--database", db, "serve"], options].concat());
    for part in reported {
        assert!(message.contains(part), "{options:?} should report {part}: {message}");
    }
}

#[test]
fn errors_in_options_are_reported_before_files_are_created() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("books.db");
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let taken = taken.local_addr().unwrap().to_string();
    let serve = [
        (["--listen", &taken], "another program may use the port"),
        (["--metrics-listen", &taken], "--metrics-listen"),
        (["--listen", "0.0.0.0:0"], "--base-url"),
        (["--base-url", "books.example.com"], "write https://books.example.com"),
        (
            ["--mail-folder", "/proc/mails"],
            "--mail-folder: mails cannot be written into /proc/mails: ",
        ),
        (
            ["--secret-file", "/nowhere/secret"],
            "--secret-file: no file can be created at /nowhere/secret: ",
        ),
        (["--secret-file", "/dev/null"], "/dev/null is not a secret file"),
        (["--mail-from", "Books"], "e-mail address"),
        (["--smtp", "http://books:s3cret@mail.example.com"], "smtp://user:password@host:587"),
        (["--smtp", "smtps://books:s3cret@mail.example.com?tls=none"], "tls can be none"),
        (
            ["--smtp", "smtp://books:p@s3cret/word@mail.example.com"],
            "--smtp: the SMTP server must be given as",
        ),
        (["--smtp", "smtp://books:p@s3cret@mail.example.com"], "write @ as %40, / as %2F"),
    ];
    let demo = [
        (["--listen", &taken], "another program may use the port"),
        (["--listen", "0.0.0.0:0"], "--base-url"),
    ];
    let (database, file) = (format!("sqlite:{}", file.display()), file.to_str().unwrap());
    let starts = serve.map(|(options, reported)| {
        (vec!["--database", &database, "serve", "--listen", "127.0.0.1:0"], options, reported)
    });
    let starts = starts
        .into_iter()
        .chain(demo.map(|(options, reported)| (vec!["demo", "--keep", file], options, reported)));
    for (mut start, options, reported) in starts {
        start
            .retain(|part| options[0] != "--listen" || !["--listen", "127.0.0.1:0"].contains(part));
        let message = refused_to_start(&[&start[..], &options].concat());
        assert!(
            message.contains(reported) && !message.contains("s3cret"),
            "{start:?} {options:?}: {message}"
        );
        let made: Vec<_> = std::fs::read_dir(&folder).unwrap().collect();
        assert!(made.is_empty(), "{start:?} {options:?}: {made:?}");
    }
}

/// Log rotation and service managers send these signals to request a reload.
#[test]
fn signals_that_ask_to_reload_do_not_end_the_server() {
    let database = Database::new(Engine::Sqlite);
    let mut server = Running::serve(&database.address(), &[]);
    for name in ["HUP", "USR1", "USR2"] {
        server.signal(&format!("-{name}"));
        let line = format!("\"signal\":\"SIG{name}\"");
        wait_until("the log names the signal", || server.log().contains(&line));
        assert_eq!(server.send("GET", "/healthz", None, None).0, 200, "{name}");
    }
    assert!(
        server.stop().contains("the signal is ignored; restart the server"),
        "the log says what to do"
    );
}

#[test]
fn port_0_takes_a_free_port_and_prints_it() {
    let database = Database::new(Engine::Sqlite);
    let mut server = Running::serve(&database.address(), &[]);
    let port: u16 = server.url.rsplit_once(':').unwrap().1.parse().unwrap();
    assert_ne!(port, 0);
    assert_eq!(
        server.printed.lines().last().unwrap(),
        format!("listening on {} as {}", server.url, server.url)
    );
    assert_eq!(server.send("GET", "/healthz", None, None).0, 200);
    server.stop();
}
