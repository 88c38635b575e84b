//! Visitors and their emails, shared by the tests of the pages.

use service::{
    Environment,
    accounts::{self, OpenAccount},
    environment::Clock,
};
use std::time::{Duration, Instant};
use store::accounts::Plan;
pub(crate) use testing::page::{encoded, fault_of, unescaped, value_of, without_tokens};
use testing::{Server, Visitor, mail::SentMail};

pub(crate) const EMAIL: &str = "anna@example.com";
pub(crate) const PASSWORD: &str = "drie grote vlinders";

/// New browser in English, without a session.
pub(crate) fn visit(server: &Server) -> Visitor {
    server.visitor().speaking("en").using("test")
}

/// Browser signed in with the password to a new account.
pub(crate) fn signed_in(server: &Server) -> Visitor {
    open(server, EMAIL);
    let visitor = visit(server);
    let answer = visitor.sign_in(EMAIL, PASSWORD);
    assert_eq!((answer.status, answer.header("location")), (303, Some("/")));
    visitor
}

/// Session cookie of a browser.
pub(crate) fn session(visitor: &Visitor) -> Option<String> {
    visitor.cookie("grootboek-session")
}

/// Opens an account with a password.
pub(crate) fn open(server: &Server, email: &str) {
    let now = server.clock.now();
    let open = OpenAccount {
        email: email.to_owned(),
        name: "Anna Ontwerp".to_owned(),
        country: ledger::country::CountryCode::NL,
        plan: Plan::Starter,
        password: Some(PASSWORD.to_owned()),
    };
    server.write(move |tx| accounts::open(tx, &Environment::at(now), &open));
}

/// Waits until an address has received `count` emails, which are sent in the background.
pub(crate) fn mails(server: &Server, email: &str, count: usize) -> Vec<SentMail> {
    let start = Instant::now();
    loop {
        let mails = server.mails(email);
        if mails.len() >= count {
            assert_eq!(mails.len(), count, "{mails:?}");
            return mails;
        }
        assert!(
            start.elapsed() < Duration::from_secs(20),
            "{} of {count} mails to {email} arrived",
            mails.len()
        );
        std::thread::yield_now();
    }
}

/// Path of the link in the last email to an address.
pub(crate) fn mailed_path(server: &Server, email: &str, count: usize) -> String {
    let mails = mails(server, email, count);
    let link = mails.last().unwrap().link();
    link.strip_prefix(&format!("http://{}", server.address))
        .unwrap_or_else(|| panic!("{link}"))
        .to_owned()
}
