//! `oauth`: partner applications, and the errors of mistaken commands.

use crate::{
    PASSWORD, Running, account_with_key, account_with_password, done, encoded, on, program,
    refused, visitor,
};
use serde_json::{Value, json};
use testing::{Database, Raw, Visitor, on_both_engines};

pub(crate) const CALLBACK: &str = "https://shop.example.com/callback";
/// Code verifier and its challenge (RFC 7636, appendix B).
const VERIFIER: &str = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
const CHALLENGE: &str = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";

/// Registers an application; returns its id and secret.
pub(crate) fn register(database: &str, name: &str) -> (String, String) {
    let made = done(
        database,
        &["oauth", "register", "--name", name, "--redirect-uri", CALLBACK, "--json"],
    )
    .json();
    (
        made["clientId"].as_str().unwrap().to_owned(),
        made["clientSecret"].as_str().unwrap().to_owned(),
    )
}

/// Connects an application; returns the authorization code.
pub(crate) fn allows(person: &Visitor, client: &str, callback: &str) -> String {
    let page = person.get(&format!(
        "/oauth/authorize?response_type=code&client_id={client}&redirect_uri={}&scope=read&state=s&code_challenge={CHALLENGE}\
         &code_challenge_method=S256",
        encoded(callback)
    ));
    let allowed = person.submit(&page, "/oauth/authorize", &[("decision", "approve")]);
    let code = allowed
        .location()
        .split_once("code=")
        .unwrap_or_else(|| panic!("{}", allowed.location()))
        .1;
    code.split('&').next().unwrap().to_owned()
}

/// Exchanges an authorization code for tokens; returns the response of the token endpoint.
pub(crate) fn exchange(server: &Running, id: &str, secret: &str, code: &str) -> Value {
    let fields = [
        ("grant_type", "authorization_code"),
        ("code", code),
        ("redirect_uri", CALLBACK),
        ("code_verifier", VERIFIER),
        ("client_id", id),
        ("client_secret", secret),
    ];
    let agent = ureq::Agent::config_builder().http_status_as_error(false).build().new_agent();
    let request = agent
        .post(format!("{}/api/oauth/token", server.url))
        .content_type("application/x-www-form-urlencoded");
    serde_json::from_str(
        &request
            .send(testing::page::encoded(&fields))
            .unwrap()
            .body_mut()
            .read_to_string()
            .unwrap(),
    )
    .unwrap()
}

/// Error of the token endpoint for this id and secret, with an invalid code.
fn error(server: &Running, id: &str, secret: &str) -> String {
    exchange(server, id, secret, "x")["error"].as_str().unwrap().to_owned()
}

on_both_engines! {
    fn applications_are_registered_listed_and_removed(engine) {
        let database = Database::new(engine);
        let db = database.address();
        let (id, secret) = register(&db, "Example Shop");
        // Clients that do not encode their Basic credentials work too, as long as nothing needs
        // encoding.
        let plain = |text: &str| {
            text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-')
        };
        assert!(
            id.starts_with("gb_client_")
                && plain(&id)
                && secret.starts_with("gb_secret_")
                && plain(&secret),
            "{id} {secret}"
        );

        let shown = done(
            &db,
            &[
                "oauth",
                "register",
                "--name",
                "Uren",
                "--redirect-uri",
                "http://127.0.0.1/cb",
                "--redirect-uri",
                "com.example.uren:/cb",
                "--scope",
                "read",
            ],
        )
        .out;
        assert!(
            shown.starts_with("Uren is registered with the scopes read;")
                && shown.contains("client_id")
                && shown.contains("gb_secret_"),
            "{shown}"
        );
        let listed = done(&db, &["oauth", "list", "--json"]).json();
        assert_eq!(
            (
                listed[0]["clientId"].as_str(),
                &listed[0]["name"],
                &listed[0]["scopes"],
                &listed[0]["redirectUris"]
            ),
            (
                Some(id.as_str()),
                &json!("Example Shop"),
                &json!(["read", "write"]),
                &json!([CALLBACK])
            )
        );
        assert_eq!(
            (&listed[1]["scopes"], &listed[1]["redirectUris"]),
            (&json!(["read"]), &json!(["com.example.uren:/cb", "http://127.0.0.1/cb"]))
        );
        let reported = done(&db, &["oauth", "list"]).out;
        assert!(
            reported.contains("Example Shop")
                && reported.contains(CALLBACK)
                && reported.contains("2 applications")
                && !reported.contains(&secret),
            "{reported}"
        );
        let kept = Raw::open(&database).rows("SELECT id, name, scopes FROM oauth_clients");
        assert!(!format!("{kept:?}").contains(&secret));

        let mut server = Running::serve(&db, &[]);
        assert_eq!(error(&server, &id, &secret), "invalid_grant");
        let rotated = done(&db, &["oauth", "rotate-secret", "--client-id", &id, "--json"]).json();
        assert_eq!(rotated["clientId"], json!(id));
        assert_eq!(error(&server, &id, &secret), "invalid_client");
        let renewed = rotated["clientSecret"].as_str().unwrap().to_owned();
        assert_eq!(error(&server, &id, &renewed), "invalid_grant");
        assert!(
            done(&db, &["oauth", "rotate-secret", "--client-id", &id]).out.contains("gb_secret_")
        );
        assert!(done(&db, &["oauth", "remove", "--client-id", &id]).out.contains("is removed"));
        assert_eq!(error(&server, &id, &renewed), "invalid_client");
        server.stop();
        assert_eq!(done(&db, &["oauth", "list", "--json"]).json().as_array().unwrap().len(), 1);
    }

    fn an_application_brings_its_id_and_secret_from_another_server(engine) {
        let database = Database::new(engine);
        let db = database.address();
        let (id, secret) = ("shop:42 é+%&=", "-p@ss: \"w%2Brd\"+é\\;' moved");
        let base = ["oauth", "register", "--name", "Shop", "--redirect-uri", CALLBACK, "--json"];
        let made =
            done(&db, &[&base[..], &["--client-id", id, "--client-secret", secret]].concat())
                .json();
        assert_eq!(made, json!({"clientId": id, "clientSecret": secret}));
        let mut server = Running::serve(&db, &[]);
        assert_eq!(error(&server, id, secret), "invalid_grant");
        assert_eq!(error(&server, id, "p@ss"), "invalid_client");
        server.stop();
        refused(
            &db,
            &[&base[..], &["--client-id", id]].concat(),
            &["--client-id: another application has this id"],
        );
        for bad in [
            &["--client-id", ""][..],
            &["--client-id", "a\nb"],
            &["--client-secret", "", "--client-id", "other"],
        ] {
            refused(&db, &[&base[..], bad].concat(), &[&format!("{}: give ", bad[0])]);
        }
        refused(
            &db,
            &[&base[..], &["--client-secret", secret]].concat(),
            &["without an id", "--client-id", "GROOTBOEK_CLIENT_SECRET"],
        );
        // The secret is accepted although it is short, because the application already uses it.
        let short =
            on(&db, &[&base[..], &["--client-id", "short", "--client-secret", "p@ss"]].concat());
        assert_eq!((short.code, short.json()["clientSecret"].as_str()), (0, Some("p@ss")));
        assert!(
            short.err.contains("can be guessed") && short.err.contains("rotate-secret"),
            "{}",
            short.err
        );
        // The secret is passed in a variable, because other users of the host can see the command
        // line.
        let by_variable = |more: &[&str]| {
            let mut register = program();
            register
                .args(["--database", &db])
                .args(base)
                .args(more)
                .env("GROOTBOEK_CLIENT_SECRET", "from the environment of the shell");
            register.output().unwrap()
        };
        let made = by_variable(&["--client-id", "other"]).stdout;
        assert!(String::from_utf8(made).unwrap().contains("from the environment of the shell"));
        // The variable does not become the secret of other applications registered in that shell.
        let refused = String::from_utf8(by_variable(&[]).stderr).unwrap();
        assert!(refused.contains("unset GROOTBOEK_CLIENT_SECRET"), "{refused}");
    }

    fn the_list_shows_the_number_of_connections(engine) {
        let database = Database::new(engine);
        let db = &database.address();
        let (id, secret) = register(db, "Example Shop");
        let _ = register(db, "Uren");
        let counts = || {
            let listed = done(db, &["oauth", "list", "--json"]).json();
            let of = |name: &str| {
                listed.as_array().unwrap().iter().find(|row| row["name"] == name).unwrap()["connections"].clone()
            };
            [of("Example Shop"), of("Uren")]
        };
        let mut server = Running::serve(db, &[]);
        assert_eq!(counts(), [json!(0), json!(0)]);
        // Anna connects the application twice, but that counts as one connection.
        for (email, times) in [("anna@example.com", 2), ("bram@example.com", 1)] {
            account_with_password(db, email);
            let person = visitor(&server);
            person.sign_in(email, PASSWORD);
            for _ in 0..times {
                let code = allows(&person, &id, CALLBACK);
                let tokens = exchange(&server, &id, &secret, &code);
                assert!(tokens["access_token"].is_string(), "{tokens}");
            }
        }
        server.stop();
        assert_eq!(counts(), [json!(2), json!(0)]);
        let reported = done(db, &["oauth", "list"]).out;
        let line =
            |name: &str| reported.lines().find(|line| line.ends_with(name)).unwrap().to_owned();
        assert!(
            line("Example Shop").contains("  2 connections ")
                && line("Uren").contains("  0 connections "),
            "{reported}"
        );
        // A connection without a usable token is not counted, and closing an account ends its
        // connections.
        let raw = Raw::open(&database);
        for table in ["oauth_access_tokens", "oauth_refresh_tokens"] {
            raw.run(&format!("DELETE FROM {table} WHERE account_id = 1")).unwrap();
        }
        assert_eq!(counts()[0], json!(1));
        assert!(done(db, &["oauth", "list"]).out.contains("  1 connection "));
        done(db, &["account", "close", "--email", "bram@example.com", "--yes"]);
        assert_eq!(counts()[0], json!(0));
    }

    fn errors_of_oauth_commands_say_what_to_do(engine) {
        let database = Database::new(engine);
        let db = &database.address();
        account_with_key(db, "anna@example.com");
        let register =
            |uri: &'static str| ["oauth", "register", "--name", "Shop", "--redirect-uri", uri];
        for (uri, reported) in [
            ("http://shop.example.com/cb", "use https"),
            ("http://localhost:3000/cb", "127.0.0.1"),
            ("https://shop.example.com/cb#x", "fragment"),
            ("shop.example.com/cb", "with its scheme"),
            ("shop:/cb", "reversed domain"),
            ("https://me@shop.example.com/", "@"),
        ] {
            refused(db, &register(uri), &[&format!("--redirect-uri: {uri}: "), reported]);
        }
        refused(db, &["oauth", "register", "--name", "Shop"], &["--redirect-uri"]);
        refused(db, &["oauth", "register", "--redirect-uri", CALLBACK], &["--name"]);
        refused(
            db,
            &["oauth", "register", "--redirect-uri", CALLBACK, "--name", " "],
            &["--name: give"],
        );
        refused(db, &[&register(CALLBACK)[..], &["--scope", "admin"]].concat(), &["read, write"]);
        for command in ["rotate-secret", "remove"] {
            refused(
                db,
                &["oauth", command, "--client-id", "nobody"],
                &["no application", "oauth list"],
            );
        }
        assert_eq!(done(db, &["oauth", "list", "--json"]).json(), json!([]));
    }
}

#[test]
fn a_secret_in_the_environment_is_not_printed_by_help() {
    let help = program()
        .args(["oauth", "register", "--help"])
        .env("GROOTBOEK_CLIENT_SECRET", "s3cret")
        .output()
        .unwrap();
    let help = String::from_utf8(help.stdout).unwrap();
    assert!(help.contains("GROOTBOEK_CLIENT_SECRET") && !help.contains("s3cret"), "{help}");
}
