//! The outbox of servers that are killed at any moment: acknowledged emails arrive, and only a kill
//! can cause an email to be sent twice.

use crate::{
    EMAIL, PASSWORD, Running, TIMEOUT, account_with_key, account_with_password, mails, program,
    smtp::{Encryption, MailServer},
    visitor, wait_until,
};
use serde_json::{Value, json};
use std::{
    collections::{BTreeMap, BTreeSet},
    time::{Duration, SystemTime},
};
use testing::{Database, Engine, Raw, Receiver};

/// Number of kills.
const ROUNDS: usize = 5;

fn serve(database: &Database, smtp: &MailServer) -> Running {
    let mut program = program();
    program.args([
        "--database",
        &database.address(),
        "serve",
        "--listen",
        "127.0.0.1:0",
        "--rate-limit",
        "0",
    ]);
    program.args([
        "--smtp",
        &format!("smtp://{}", smtp.place),
        "--mail-from",
        "Books <books@example.com>",
    ]);
    Running::serving(&mut program)
}

/// Emails the first invoice repeatedly until the server is gone; returns the acknowledged
/// Message-IDs.
fn mail_until_the_end(url: &str, key: &str) -> BTreeSet<String> {
    let agent = ureq::Agent::config_builder()
        .http_status_as_error(false)
        .timeout_global(Some(TIMEOUT))
        .build()
        .new_agent();
    let mut acknowledged = BTreeSet::new();
    let path = format!("{url}/api/v1/invoices/1/send");
    while let Ok(mut answer) =
        agent.post(&path).header("x-api-key", key).content_type("application/json").send("{}")
    {
        // A server that is killed during its response has acknowledged nothing.
        let Ok(text) = answer.body_mut().read_to_string() else { break };
        if answer.status() == 202 {
            let id =
                serde_json::from_str::<Value>(&text).unwrap()["id"].as_str().unwrap().to_owned();
            acknowledged.insert(format!("<{id}@example.com>"));
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    acknowledged
}

/// Makes all leases, which last two minutes, expire.
fn leases_run_out(database: &Database, engine: Engine) {
    let never = if engine == Engine::Sqlite { "0" } else { "'epoch'" };
    Raw::open(database)
        .run(&format!("UPDATE mails SET claimed_until = {never} WHERE claimed_until IS NOT NULL"))
        .unwrap();
}

fn column(database: &Database, sql: &str) -> Vec<String> {
    Raw::open(database)
        .rows(sql)
        .into_iter()
        .filter_map(|row| row.into_iter().next().flatten())
        .collect()
}

/// Number of log entries about emails that may be sent a second time.
fn repeats(log: &str) -> usize {
    log.matches("a mail may be sent a second time").count()
}

/// Repeatedly kills `count` servers on one database while they accept and send emails.
fn kill_and_count(engine: Engine, count: usize) {
    let seed = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap().as_secs();
    let mut random = fastrand::Rng::with_seed(seed);
    let database = Database::new(engine);
    let key = account_with_key(&database.address(), "anna@example.com");
    let smtp = MailServer::start(Encryption::No, &[]);
    smtp.pause(3);
    let (mut acknowledged, mut repeated) = (BTreeSet::new(), 0);
    for round in 0..ROUNDS {
        let mut servers: Vec<Running> = (0..count).map(|_| serve(&database, &smtp)).collect();
        if round == 0 {
            let invoice = json!({"status": "sent", "customer": {"name": "Museum De Pier", "email": "klant@example.com"},
                "items": [{"description": "Work", "unitPrice": 100, "vatRate": 21}]});
            assert_eq!(servers[0].post(&key, "/api/v1/invoices", &invoice.to_string()).0, 201);
        }
        let ask = |server: &Running| {
            let (url, key) = (server.url.clone(), key.clone());
            std::thread::spawn(move || mail_until_the_end(&url, &key))
        };
        let asking: Vec<_> = servers.iter().map(ask).collect();
        std::thread::sleep(Duration::from_millis(random.u64(200..700)));
        for server in &servers {
            std::thread::sleep(Duration::from_millis(random.u64(0..200)));
            server.signal("-KILL");
        }
        for asked in asking {
            acknowledged.extend(asked.join().unwrap());
        }
        repeated += servers.iter_mut().map(|server| repeats(&server.ended().1)).sum::<usize>();
        leases_run_out(&database, engine);
    }
    smtp.pause(0);
    let servers: Vec<Running> = (0..count).map(|_| serve(&database, &smtp)).collect();
    wait_until("the outbox is empty", || {
        column(&database, "SELECT id FROM mails WHERE status <> 'sent'").is_empty()
    });
    let delivered = smtp.delivered();
    let distinct: BTreeSet<String> = delivered.iter().cloned().collect();
    // Emails whose acknowledgement was lost in a kill are delivered too.
    let written: BTreeSet<String> =
        column(&database, "SELECT '<' || id || '@example.com>' FROM mails").into_iter().collect();
    assert_eq!(distinct, written, "seed {seed}");
    assert!(!acknowledged.is_empty() && acknowledged.is_subset(&distinct), "seed {seed}");
    // A server sends one email per account at a time, so each kill causes at most one repetition,
    // which is logged.
    let more = delivered.len() - distinct.len();
    assert!(more <= ROUNDS * count, "{more} mails came again, seed {seed}");
    let reported = || repeated + servers.iter().map(|server| repeats(&server.log())).sum::<usize>();
    wait_until("the log shows each repeated mail", || more <= reported());
}

/// Creates contacts until the server is gone; returns the acknowledged ids.
fn contacts_until_the_end(url: &str, key: &str) -> BTreeSet<i64> {
    let agent = ureq::Agent::config_builder()
        .http_status_as_error(false)
        .timeout_global(Some(TIMEOUT))
        .build()
        .new_agent();
    let mut acknowledged = BTreeSet::new();
    let path = format!("{url}/api/v1/contacts");
    let body = r#"{"name": "Museum De Pier"}"#;
    while let Ok(mut answer) =
        agent.post(&path).header("x-api-key", key).content_type("application/json").send(body)
    {
        let Ok(text) = answer.body_mut().read_to_string() else { break };
        if answer.status() == 201 {
            acknowledged
                .insert(serde_json::from_str::<Value>(&text).unwrap()["id"].as_i64().unwrap());
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    acknowledged
}

/// Repeatedly kills `count` servers on one database while they write and send to a webhook.
// Long: one scenario in order.
fn kill_and_receive(engine: Engine, count: usize) {
    let seed = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap().as_secs();
    let mut random = fastrand::Rng::with_seed(seed);
    let (database, receiver) = (Database::new(engine), Receiver::start());
    let key = account_with_key(&database.address(), "anna@example.com");
    let start = || {
        let mut program = program();
        program.args([
            "--database",
            &database.address(),
            "serve",
            "--listen",
            "127.0.0.1:0",
            "--rate-limit",
            "0",
        ]);
        Running::serving(program.arg("--webhook-allow-private"))
    };
    let mut acknowledged = BTreeSet::new();
    for round in 0..ROUNDS {
        let mut servers: Vec<Running> = (0..count).map(|_| start()).collect();
        if round == 0 {
            let webhook = json!({"url": receiver.url(), "types": ["contact.created"]});
            assert_eq!(servers[0].post(&key, "/api/v1/webhooks", &webhook.to_string()).0, 201);
        }
        let ask = |server: &Running| {
            let (url, key) = (server.url.clone(), key.clone());
            std::thread::spawn(move || contacts_until_the_end(&url, &key))
        };
        let asking: Vec<_> = servers.iter().map(ask).collect();
        std::thread::sleep(Duration::from_millis(random.u64(300..900)));
        for server in &servers {
            std::thread::sleep(Duration::from_millis(random.u64(0..200)));
            server.signal("-KILL");
        }
        for asked in asking {
            acknowledged.extend(asked.join().unwrap());
        }
        for server in &mut servers {
            drop(server.ended());
        }
        // Makes the leases expire.
        let past = if engine == Engine::Sqlite { "0" } else { "'epoch'" };
        Raw::open(&database)
            .run(&format!(
                "UPDATE webhook_deliveries SET next_at = {past} WHERE claimed_by IS NOT NULL"
            ))
            .unwrap();
    }
    let _servers: Vec<Running> = (0..count).map(|_| start()).collect();
    wait_until("everything is sent", || {
        column(
            &database,
            "SELECT CAST(id AS TEXT) FROM webhook_deliveries WHERE status <> 'delivered'",
        )
        .is_empty()
    });
    let mut bodies: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let mut sent = BTreeSet::new();
    for message in receiver.take() {
        bodies
            .entry(message.header("webhook-id").to_owned())
            .or_default()
            .insert(message.body.clone());
        sent.insert(
            serde_json::from_str::<Value>(&message.body).unwrap()["data"]["id"].as_i64().unwrap(),
        );
    }
    let written: BTreeSet<i64> = column(&database, "SELECT CAST(id AS TEXT) FROM contacts")
        .iter()
        .map(|id| id.parse().unwrap())
        .collect();
    assert_eq!(sent, written, "seed {seed}");
    assert!(!acknowledged.is_empty() && acknowledged.is_subset(&sent), "seed {seed}");
    assert_eq!(bodies.len(), written.len(), "each contact is one message, seed {seed}");
    assert!(
        bodies.values().all(|bodies| bodies.len() == 1),
        "the same id is the same body, seed {seed}"
    );
}

#[test]
fn changes_of_two_killed_servers_reach_the_webhook() {
    kill_and_receive(Engine::Postgres, 2);
}

#[test]
fn changes_of_a_killed_server_reach_the_webhook() {
    kill_and_receive(Engine::Sqlite, 1);
}

#[test]
fn mails_acknowledged_by_two_killed_servers_arrive() {
    kill_and_count(Engine::Postgres, 2);
}

#[test]
fn mails_acknowledged_by_a_killed_server_arrive() {
    kill_and_count(Engine::Sqlite, 1);
}

#[test]
fn a_repeated_mail_has_the_same_message_id_and_is_logged() {
    let database = Database::new(Engine::Sqlite);
    let key = account_with_key(&database.address(), "anna@example.com");
    let smtp = MailServer::start(Encryption::No, &[]);
    // The mail server accepts the email but delays its response; meanwhile, the server is killed.
    smtp.pause(60_000);
    let mut server = serve(&database, &smtp);
    let invoice = json!({"status": "sent", "customer": {"name": "Museum De Pier", "email": "klant@example.com"},
        "items": [{"description": "Work", "unitPrice": 100, "vatRate": 21}]});
    assert_eq!(server.post(&key, "/api/v1/invoices", &invoice.to_string()).0, 201);
    assert_eq!(server.post(&key, "/api/v1/invoices/1/send", "{}").0, 202);
    wait_until("the mail is taken", || smtp.delivered().len() == 1);
    server.signal("-KILL");
    drop(server.ended());
    leases_run_out(&database, Engine::Sqlite);
    smtp.pause(0);
    let server = serve(&database, &smtp);
    wait_until("it is recorded as sent", || {
        server.get(&key, "/api/v1/invoices/1/messages").1.contains("\"sent\"")
    });
    wait_until("the log shows it", || repeats(&server.log()) == 1);
    let delivered = smtp.delivered();
    assert_eq!(delivered.len(), 2);
    assert_eq!(delivered[0], delivered[1]);
}

#[test]
fn a_mail_about_the_account_survives_a_kill_right_after_the_response() {
    for engine in [Engine::Sqlite, Engine::Postgres] {
        let database = Database::new(engine);
        account_with_password(&database.address(), EMAIL);
        // An unavailable mail server, whose port refuses connections.
        let away = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
        let mut server = mails::serve(&database, &format!("smtp://{away}"), false);
        let person = visitor(&server);
        assert_eq!(person.sign_in(EMAIL, PASSWORD).status, 303);
        let page = person.get("/settings/password");
        let filled = [("password", PASSWORD), ("new_password", "vier kleine vlinders")];
        let changed = person.submit(&page, "/settings/password", &filled);
        server.signal("-KILL");
        assert_eq!(changed.location(), "/settings/security?done=password-changed");
        drop(server.ended());
        leases_run_out(&database, engine);
        let smtp = MailServer::start(Encryption::No, &[]);
        let _server = serve(&database, &smtp);
        wait_until("the mail comes", || smtp.taken() == 1);
        let subject = "Subject: Your password for Grootboek was changed";
        assert!(smtp.reported().iter().any(|line| line.text == subject), "{:?}", smtp.reported());
    }
}
