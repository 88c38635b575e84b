//! Emails sent by a server: the conversation with the SMTP server, and the server's log if the SMTP
//! server rejects them.

use crate::{
    Running, account_with_key, done, program, refused, sign_up,
    smtp::{CERTIFICATE, Encryption, Line, MailServer},
    visitor, wait_until,
};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use testing::{Database, Engine, Raw};

const NEW: &str = "new@example.com";

/// Starts a server that sends emails through the SMTP server at this URL. If `trusts`, it trusts
/// the certificate of the tests.
pub(crate) fn serve(database: &Database, smtp: &str, trusts: bool) -> Running {
    let mut program = program();
    program.args([
        "--database",
        &database.address(),
        "serve",
        "--listen",
        "127.0.0.1:0",
        "--smtp",
        smtp,
    ]);
    program.args(["--mail-from", "Books <books@example.com>"]);
    if trusts {
        program.env("SSL_CERT_FILE", CERTIFICATE);
    }
    Running::serving(&mut program)
}

/// Log entries about emails: level, cause and message.
fn troubles(log: &str) -> Vec<(String, String, String)> {
    let lines = log.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    lines
        .filter(|line| line["cause"].is_string())
        .map(|line| (text(&line["level"]), text(&line["cause"]), text(&line["message"])))
        .collect()
}

/// Headers of the email that the server received, one per line, and its decoded text (RFC 2045,
/// section 6.7).
fn mail(reported: &[Line]) -> (String, String) {
    let text: Vec<&str> = reported
        .iter()
        .map(|line| line.text.as_str())
        .skip_while(|line| *line != "DATA")
        .skip(1)
        .take_while(|line| *line != ".")
        .collect();
    let text = text.join("\n");
    let (headers, body) = text.split_once("\n\n").unwrap();
    (headers.replace("\n ", " "), body.replace("=\n", "").replace("=3D", "="))
}

#[test]
fn a_mail_reaches_the_smtp_server_and_its_link_works() {
    let database = Database::new(Engine::Sqlite);
    let smtp = MailServer::start(Encryption::No, &[]);
    let mut server = serve(&database, &format!("smtp://{}", smtp.place), false);
    let person = visitor(&server);
    sign_up(&person, NEW);
    wait_until("the mail comes", || smtp.taken() == 1);
    let reported = smtp.reported();
    let has = |line: &str| reported.iter().filter(|reported| reported.text == line).count() == 1;
    assert!(
        has("MAIL FROM:<books@example.com>") && has(&format!("RCPT TO:<{NEW}>")),
        "{reported:?}"
    );
    let (headers, text) = mail(&reported);
    let date = jiff::Zoned::now().strftime("%Y").to_string();
    for header in [
        "From: Books <books@example.com>",
        &format!("To: {NEW}"),
        "Subject: Confirm your email address for Grootboek",
        "Auto-Submitted: auto-generated",
        "MIME-Version: 1.0",
        "Content-Type: text/plain; charset=utf-8",
    ] {
        assert!(headers.lines().any(|line| line == header), "{header} is not in\n{headers}");
    }
    assert!(
        headers.lines().any(|line| line.starts_with("Date: ") && line.contains(&date)),
        "{headers}"
    );
    assert!(
        headers
            .lines()
            .any(|line| line.starts_with("Message-ID: <") && line.ends_with("@example.com>")),
        "{headers}"
    );
    let link = text.split_whitespace().find(|word| word.starts_with("http")).unwrap();
    assert!(link.starts_with(&server.url), "{link}");
    assert_eq!(person.open(link).status, 200);
    let log = server.stop();
    assert!(troubles(&log).is_empty() && !log.contains(NEW), "{log}");
    assert_eq!(smtp.taken(), 1);
}

#[test]
fn nothing_is_sent_to_an_encrypted_server_before_the_encryption() {
    for (encryption, url) in [
        (Encryption::StartTls, "smtp://books:s3cret@{}?tls=required"),
        (Encryption::FromTheStart, "smtps://books:s3cret@{}"),
    ] {
        let database = Database::new(Engine::Sqlite);
        let smtp = MailServer::start(encryption, &[]);
        let mut server = serve(&database, &url.replace("{}", &smtp.place), true);
        sign_up(&visitor(&server), NEW);
        wait_until("the mail comes", || smtp.taken() == 1);
        let reported = smtp.reported();
        let early: Vec<&str> = reported
            .iter()
            .filter(|line| !line.encrypted)
            .filter_map(|line| line.text.split(' ').next())
            .collect();
        assert_eq!(
            early,
            if encryption == Encryption::StartTls { vec!["EHLO", "STARTTLS"] } else { vec![] }
        );
        assert!(
            reported.iter().any(|line| line.encrypted && line.text.starts_with("AUTH PLAIN ")),
            "{reported:?}"
        );
        let log = server.stop();
        assert!(troubles(&log).is_empty() && !log.contains("s3cret"), "{log}");
    }
}

#[test]
fn a_server_without_the_required_encryption_gets_no_mail() {
    for (encryption, url, trusts, why) in [
        (
            Encryption::No,
            "smtp://books:s3cret@{}?tls=required",
            true,
            "{}: STARTTLS is not supported on this server",
        ),
        (Encryption::No, "smtps://books:s3cret@{}", true, "cannot connect to {}: "),
        (
            Encryption::StartTls,
            "smtp://books:s3cret@{}?tls=required",
            false,
            "cannot connect to {}: invalid peer certificate",
        ),
        (
            Encryption::FromTheStart,
            "smtps://books:s3cret@{}",
            false,
            "cannot connect to {}: invalid peer certificate",
        ),
    ] {
        let database = Database::new(Engine::Sqlite);
        let smtp = MailServer::start(encryption, &[]);
        let mut server = serve(&database, &url.replace("{}", &smtp.place), trusts);
        sign_up(&visitor(&server), NEW);
        // The email remains queued.
        wait_until("the log shows the cause", || !troubles(&server.log()).is_empty());
        let log = server.stop();
        let troubles = troubles(&log);
        let why = why.replace("{}", &smtp.place);
        assert!(
            troubles.iter().all(|(level, cause, _)| level == "WARN" && cause.starts_with(&why)),
            "{why}: {troubles:?}"
        );
        assert!(
            troubles.iter().all(|(.., what)| what.ends_with("it is tried again")),
            "{troubles:?}"
        );
        assert!(!log.contains(NEW) && !log.contains("s3cret"), "{log}");
        let reported = smtp.reported();
        assert!(
            !reported
                .iter()
                .any(|line| line.text.starts_with("MAIL") || line.text.starts_with("AUTH")),
            "{reported:?}"
        );
    }
}

#[test]
fn a_temporary_failure_is_retried_and_a_permanent_one_is_not() {
    let database = Database::new(Engine::Sqlite);
    let smtp = MailServer::start(Encryption::No, &["451 later", "250 good", "550 nobody here"]);
    let mut server = serve(&database, &format!("smtp://{}", smtp.place), false);
    let person = visitor(&server);
    sign_up(&person, NEW);
    wait_until("the mail comes at the second try", || smtp.taken() == 1);
    sign_up(&person, "other@example.com");
    wait_until("the log shows both", || troubles(&server.log()).len() == 2);
    let reported: Vec<_> =
        troubles(&server.stop()).into_iter().map(|(_, cause, message)| (cause, message)).collect();
    let line = |code: &str, end: &str| {
        (
            format!("{} answered {code}", smtp.place),
            format!("the SMTP server did not take a mail; it is {end}"),
        )
    };
    assert_eq!(reported, [line("451", "tried again"), line("550", "not tried again")]);
    assert_eq!(smtp.taken(), 1);
}

/// Emails `count` new invoices; returns the acknowledged Message-IDs.
fn mail_invoices(server: &Running, key: &str, count: usize) -> BTreeSet<String> {
    let body = json!({"status": "sent", "customer": {"name": "Museum De Pier", "email": "klant@example.com"},
        "items": [{"description": "Work", "unitPrice": 100, "vatRate": 21}]});
    let mut acknowledged = BTreeSet::new();
    for _ in 0..count {
        let (status, made) = server.post(key, "/api/v1/invoices", &body.to_string());
        assert_eq!(status, 201, "{made}");
        let id = serde_json::from_str::<Value>(&made).unwrap()["id"].clone();
        let (status, sent) = server.post(key, &format!("/api/v1/invoices/{id}/send"), "{}");
        assert_eq!(status, 202, "{sent}");
        let id = serde_json::from_str::<Value>(&sent).unwrap()["id"].as_str().unwrap().to_owned();
        acknowledged.insert(format!("<{id}@example.com>"));
    }
    acknowledged
}

#[test]
fn acknowledged_mails_arrive_despite_a_killed_server_and_an_unavailable_mail_server() {
    let database = Database::new(Engine::Sqlite);
    let key = account_with_key(&database.address(), "anna@example.com");
    // An unavailable mail server, whose port refuses connections.
    let away = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let mut server = serve(&database, &format!("smtp://{away}"), false);
    let mut acknowledged = mail_invoices(&server, &key, 4);
    // Every email must have been tried, because the lease of an attempt in progress would last two
    // minutes.
    wait_until("each was tried", || troubles(&server.log()).len() >= acknowledged.len());
    server.signal("-KILL");
    drop(server.ended());
    let smtp = MailServer::start(Encryption::No, &[]);
    let server = serve(&database, &format!("smtp://{}", smtp.place), false);
    acknowledged.extend(mail_invoices(&server, &key, 2));
    wait_until("all mails come", || {
        smtp.delivered().iter().collect::<BTreeSet<_>>().len() == acknowledged.len()
    });
    assert_eq!(smtp.delivered().into_iter().collect::<BTreeSet<_>>(), acknowledged);
    // The status changes once the mail server has answered.
    wait_until("it is reported as sent", || {
        server.get(&key, "/api/v1/invoices/1/messages").1.contains("\"status\":\"sent\"")
    });
}

#[test]
fn two_servers_on_one_database_send_each_mail_once() {
    let database = Database::new(Engine::Postgres);
    let key = account_with_key(&database.address(), "anna@example.com");
    let smtp = MailServer::start(Encryption::No, &["550 nobody here"]);
    let servers = [0, 1].map(|_| serve(&database, &format!("smtp://{}", smtp.place), false));
    let refused = mail_invoices(&servers[0], &key, 1);
    wait_until("the refusal is reported", || {
        servers[1].get(&key, "/api/v1/invoices/1/messages").1.contains("\"failed\"")
    });
    let reported = servers[1].get(&key, "/api/v1/invoices/1/messages").1;
    assert!(reported.contains("550") && reported.contains("nobody here"), "{reported}");
    let mut acknowledged = mail_invoices(&servers[0], &key, 5);
    acknowledged.extend(mail_invoices(&servers[1], &key, 5));
    wait_until("all mails come", || smtp.delivered().len() >= acknowledged.len());
    std::thread::sleep(std::time::Duration::from_secs(2));
    let ids = smtp.delivered();
    assert_eq!(
        (ids.len(), ids.iter().cloned().collect::<BTreeSet<_>>()),
        (acknowledged.len(), acknowledged)
    );
    assert!(refused.iter().all(|id| !ids.contains(id)));
}

#[test]
fn an_operator_sends_a_test_mail() {
    let database = Database::new(Engine::Sqlite);
    let db = &database.address();
    let smtp = MailServer::start(Encryption::No, &["250 good", "550 nobody here"]);
    let url = format!("smtp://{}", smtp.place);
    let test =
        ["mail", "test", "--to", NEW, "--smtp", &url, "--mail-from", "Books <books@example.com>"];
    let reported = done(db, &test).out;
    assert!(reported.contains(&smtp.place) && smtp.taken() == 1, "{reported}");
    refused(db, &test, &["was rejected", "550", "nobody here"]);
    let folder = tempfile::tempdir().unwrap();
    let reported =
        done(db, &["mail", "test", "--to", NEW, "--mail-folder", folder.path().to_str().unwrap()])
            .out;
    assert!(
        reported.contains("sent to nobody") && std::fs::read_dir(&folder).unwrap().count() == 1,
        "{reported}"
    );
    assert!(reported.contains(folder.path().to_str().unwrap()), "{reported}");
    let missing = folder.path().join("none/books.db");
    refused(
        &format!("sqlite:{}", missing.display()),
        &["mail", "test", "--to", NEW],
        &["there is no folder", "none"],
    );
    refused(
        db,
        &["mail", "test", "--to", "new", "--smtp", &url],
        &["--to: the recipient must be an e-mail address"],
    );
}

#[test]
// Long: one scenario in order.
fn an_operator_lists_undelivered_mails_with_reasons() {
    for engine in [Engine::Sqlite, Engine::Postgres] {
        let database = Database::new(engine);
        let db = &database.address();
        let key = account_with_key(db, "anna@example.com");
        account_with_key(db, "bram@example.com");
        assert_eq!(done(db, &["mail", "list"]).out, "no mail is waiting, and none failed\n");
        let smtp = MailServer::start(
            Encryption::No,
            &["550 nobody here", "550 5.1.1 unknown", "451 later"],
        );
        let mut server = serve(&database, &format!("smtp://{}", smtp.place), false);
        mail_invoices(&server, &key, 1);
        wait_until("it is refused", || {
            server.get(&key, "/api/v1/invoices/1/messages").1.contains("\"failed\"")
        });
        sign_up(&visitor(&server), NEW);
        wait_until("that is refused too", || {
            done(db, &["mail", "list", "--email", NEW]).out.contains("unknown")
        });
        mail_invoices(&server, &key, 1);
        wait_until("that is tried again", || done(db, &["mail", "list"]).out.contains("451"));
        server.stop();
        let reported = done(db, &["mail", "list", "--email", "anna@example.com"]).out;
        let lines: Vec<&str> = reported.lines().collect();
        for (line, parts) in
            lines.iter().zip([["failed", "550", "nobody here"], ["queued", "451", "later"]])
        {
            assert!(
                line.starts_with("anna@example.com  20")
                    && line.contains("  to klant@example.com  \""),
                "{reported}"
            );
            assert!(parts.iter().all(|part| line.contains(part)), "{reported}");
        }
        assert_eq!(lines.len(), 2);
        // The list includes emails about an account; their text has been deleted, because it
        // contains links.
        let all = done(db, &["mail", "list", "--json"]).json();
        let row = |row: &Value| {
            [&row["account"], &row["kind"], &row["status"]]
                .map(|it| it.as_str().unwrap().to_owned())
        };
        let rows: BTreeSet<[String; 3]> = all.as_array().unwrap().iter().map(row).collect();
        let wanted = [
            ["anna@example.com", "invoice", "failed"],
            ["anna@example.com", "invoice", "queued"],
            [NEW, "account", "failed"],
        ];
        assert_eq!(rows, wanted.map(|row| row.map(str::to_owned)).into());
        let text = Raw::open(&database).rows("SELECT body FROM mails WHERE kind = 'account'");
        assert_eq!(text, [[Some(String::new())]]);
        let shown = done(db, &["account", "show", "--email", "anna@example.com"]).out;
        assert!(
            shown.contains("2 mails not delivered:\n  20") && shown.contains("nobody here"),
            "{shown}"
        );
        let shown = done(db, &["account", "show", "--email", NEW, "--json"]).json();
        assert_eq!(
            shown["undeliveredMails"][0]["subject"],
            "Confirm your email address for Grootboek"
        );
        assert!(
            !done(db, &["account", "show", "--email", "bram@example.com"])
                .out
                .contains("not delivered")
        );
        refused(
            db,
            &["mail", "list", "--email", "nobody@example.com"],
            &["there is no account with that e-mail address"],
        );
    }
}

#[test]
fn errors_in_the_options_for_mails_name_the_option() {
    let database = Database::new(Engine::Sqlite);
    let db = &database.address();
    for (arguments, reported) in [
        (["--mail-from", "nobody"], "--mail-from: the sender must be an e-mail address"),
        (["--smtp", "http://mail.example.com"], "--smtp: the SMTP server must be given as smtp://"),
        (["--smtp", "mail.example.com:25"], "--smtp: the SMTP server must be given as smtp://"),
        // No folder can be created below a file.
        (
            ["--mail-folder", "/dev/null/mails"],
            "--mail-folder: mails cannot be written into /dev/null/mails: Not a directory",
        ),
    ] {
        refused(db, &[&["serve", "--listen", "127.0.0.1:0"], &arguments[..]].concat(), &[reported]);
    }
}
