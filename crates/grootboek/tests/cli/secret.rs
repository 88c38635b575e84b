//! The secret that encrypts second factors: a server with second factors does not start without it.

use crate::{
    EMAIL, PASSWORD, Running, account_with_password, done, refused, serving::refused_to_serve,
    visitor,
};
use jiff::{Timestamp, ToSpan};
use testing::{Database, Reply, Visitor, authenticator, on_both_engines, page};

/// Sets up a second factor; returns its seed and the recovery codes.
fn set_up(person: &Visitor) -> (String, Vec<String>) {
    let page = person.get("/settings/second-factor");
    let seed = page::element(&page, "secret");
    let done = person.submit(
        &page,
        "/settings/second-factor",
        &[("code", &authenticator::code(&seed, Timestamp::now()))],
    );
    (seed, page::element(&done, "codes").lines().map(str::to_owned).collect())
}

/// Signs in with a code of the second factor or a recovery code.
fn sign_in_with(person: &Visitor, code: &str) -> Reply {
    assert_eq!(person.sign_in(EMAIL, PASSWORD).location(), "/login/code");
    person.submit(&person.get("/login/code"), "/login/code", &[("code", code)])
}

/// Next code of the authenticator app, which is already valid. Each code is accepted only once, so
/// a fast test needs the next one.
fn next_code(seed: &str) -> String {
    authenticator::code(seed, Timestamp::now() + 30.seconds())
}

on_both_engines! {
    fn the_operator_helps_an_owner_who_lost_phone_and_recovery_codes(engine) {
        let database = Database::new(engine);
        let db = &database.address();
        let folder = tempfile::tempdir().unwrap();
        let secret = folder.path().join("secret");
        account_with_password(db, EMAIL);
        let mut server = Running::serve(db, &["--secret-file", secret.to_str().unwrap()]);
        let anna = visitor(&server);
        anna.sign_in(EMAIL, PASSWORD);
        let reset = ["account", "reset-second-factor", "--email", EMAIL];
        refused(db, &reset, &["no second factor"]);
        set_up(&anna);
        assert!(anna.is_signed_in());

        let reported = done(db, &reset).out;
        assert!(
            reported.contains("no longer has a second factor")
                && reported.contains("no mail was sent: tell the owner yourself"),
            "{reported}"
        );
        assert!(!anna.is_signed_in());
        assert_eq!(anna.sign_in(EMAIL, PASSWORD).location(), "/");
        let page = anna.get("/settings/security").text;
        assert!(page.contains("by the operator"), "{page}");
        let (_, codes) = set_up(&anna);
        assert_eq!(codes.len(), 10);
        server.stop();
        refused(
            db,
            &["account", "reset-second-factor", "--email", "nobody@example.com"],
            &["no account", "account list"],
        );
    }

    fn a_server_without_its_secret_starts_only_with_new_secret(engine) {
        let database = Database::new(engine);
        let db = &database.address();
        let folder = tempfile::tempdir().unwrap();
        let (secret, mails) = (folder.path().join("secret"), folder.path().join("mail"));
        let options =
            ["--secret-file", secret.to_str().unwrap(), "--mail-folder", mails.to_str().unwrap()];
        account_with_password(db, EMAIL);

        // As long as nobody has a second factor, a lost secret is replaced.
        Running::serve(db, &options).stop();
        std::fs::remove_file(&secret).unwrap();
        let mut server = Running::serve(db, &options);
        let anna = visitor(&server);
        assert_eq!(anna.sign_in(EMAIL, PASSWORD).location(), "/");
        let (seed, codes) = set_up(&anna);
        assert_eq!(codes.len(), 10);
        server.stop();

        let kept = std::fs::read(&secret).unwrap();
        std::fs::remove_file(&secret).unwrap();
        let reported = [
            "second factors of 1 account",
            secret.to_str().unwrap(),
            "restore that file",
            "--new-secret",
            "recovery code",
        ];
        refused_to_serve(db, &[&["--listen", "127.0.0.1:0"], &options[..]].concat(), &reported);
        assert!(!secret.exists(), "a refused start creates no secret");

        // The server starts neither with another secret nor without one.
        let other = folder.path().join("other");
        std::fs::write(&other, [7; 32]).unwrap();
        let named = [
            "--listen",
            "127.0.0.1:0",
            "--mail-folder",
            mails.to_str().unwrap(),
            "--secret-file",
            other.to_str().unwrap(),
        ];
        let reported = [
            "second factors of 1 account",
            "is not the one",
            other.to_str().unwrap(),
            "--new-secret",
            "recovery code",
        ];
        refused_to_serve(db, &named, &reported);
        let reported = [
            "second factors of 1 account",
            if db.starts_with("sqlite") {
                ".secret: restore that file"
            } else {
                "no --secret-file"
            },
        ];
        refused_to_serve(db, &named[..4], &reported);

        // With the original secret restored, second factors work again.
        std::fs::write(&secret, kept).unwrap();
        let mut server = Running::serve(db, &options);
        let anna = visitor(&server);
        assert_eq!(sign_in_with(&anna, &next_code(&seed)).location(), "/");
        server.stop();

        // With a new secret, owners sign in with recovery codes only, and then set up a new second
        // factor.
        std::fs::remove_file(&secret).unwrap();
        let mut server = Running::serve(db, &[&options[..], &["--new-secret"]].concat());
        let anna = visitor(&server);
        let refused = sign_in_with(&anna, &next_code(&seed));
        assert!(
            refused.status == 503 && refused.text.contains("recovery code"),
            "{} {}",
            refused.status,
            refused.text
        );
        assert!(!anna.is_signed_in());
        assert_eq!(sign_in_with(&anna, &codes[0]).location(), "/");
        let page = anna.get("/settings/second-factor/off");
        assert_eq!(
            anna.submit(&page, "/settings/second-factor/off", &[("code", &codes[1])]).status,
            303
        );
        let (seed, _) = set_up(&anna);
        let log = server.stop();
        assert!(log.contains("it was encrypted with another secret file"), "{log}");

        // The next start no longer needs the option.
        let mut server = Running::serve(db, &options);
        let anna = visitor(&server);
        assert_eq!(sign_in_with(&anna, &next_code(&seed)).location(), "/");
        server.stop();
    }
}
