//! People on both engines: sign-up, sign-in, emailed links, second factor, settings, and the
//! closing of an account.

#![expect(clippy::unwrap_used, reason = "a failure is a failed test")]

mod data;
mod events;
mod links;
mod order;
mod second_factor;
mod sessions;
mod settings;
mod sweeping;

use jiff::{SignedDuration, Timestamp};
use ledger::country::CountryCode;
use service::{
    EmailAddress, Environment, Error,
    accounts::{self, OpenAccount},
    environment::{System, Visitor},
    passwords,
    people::{
        Account, Credentials, EncryptionKey, Language, MailToken, Refusal, Session, SessionToken,
        password, sign_in,
        sign_up::{self, SignUp, SignUpOutcome},
    },
};
use std::sync::LazyLock;
use store::{Store, Tx, accounts::Plan, params, people::PersonId};
use testing::{Database, Engine, Raw};

const ANNA: &str = "anna@example.com";
const BRAM: &str = "bram@example.com";

/// Hash shared by the accounts of these tests, because hashing is slow.
static HASH: LazyLock<String> =
    LazyLock::new(|| passwords::hash(&System, "a long passphrase").unwrap());
static OTHER_HASH: LazyLock<String> =
    LazyLock::new(|| passwords::hash(&System, "another passphrase").unwrap());

fn address(text: &str) -> EmailAddress {
    EmailAddress::parse(text).unwrap()
}

fn noon() -> Timestamp {
    "2026-03-15T12:00:00Z".parse().unwrap()
}

fn hours(count: i64) -> SignedDuration {
    SignedDuration::from_hours(count)
}

const SECOND: SignedDuration = SignedDuration::from_secs(1);

fn env(now: Timestamp) -> Environment {
    Environment::at(now).from_client(visitor())
}

fn visitor() -> Visitor {
    Visitor::new("192.0.2.7", "Firefox")
}

fn key() -> EncryptionKey {
    EncryptionKey::new([9; 32])
}

type Command<T> = Box<dyn FnMut(&mut Tx<'_>) -> Result<T, Error> + Send>;

/// Database of a single test.
struct House {
    // Fields are dropped in this order: the store must be closed before its database is removed.
    store: Store,
    database: Database,
}

impl House {
    fn new(engine: Engine) -> Self {
        let database = Database::new(engine);
        let house = Self { store: database.open(), database };
        // An extra person makes the ids of people and accounts differ.
        let spare = "INSERT INTO people (email, created_at) VALUES ('spare', ?1) /* of a test */";
        house.write(move |tx| Ok(tx.execute(spare, &params![noon()])?)).unwrap();
        house
    }

    fn raw(&self) -> Raw {
        Raw::open(&self.database)
    }

    fn count(&self, sql: &str) -> i64 {
        self.raw().rows(&format!("SELECT CAST(COUNT(*) AS TEXT) FROM {sql}"))[0][0]
            .as_ref()
            .unwrap()
            .parse()
            .unwrap()
    }

    fn write<T: Send + 'static>(
        &self,
        command: impl FnMut(&mut Tx<'_>) -> Result<T, Error> + Send + 'static,
    ) -> Result<T, Error> {
        self.store.write_blocking(command)
    }

    fn read<T: Send + 'static>(
        &self,
        question: impl FnMut(&mut Tx<'_>) -> Result<T, Error> + Send + 'static,
    ) -> T {
        self.store.read_blocking(question).unwrap()
    }

    /// Opens an account as the operator does, with a password.
    fn open(&self, email: &'static str) -> Account {
        self.write(move |tx| {
            let country = CountryCode::NL;
            let open = OpenAccount {
                email: email.into(),
                name: "Test".into(),
                country,
                plan: Plan::Pro,
                password: None,
            };
            accounts::open(tx, &env(noon()), &open)?;
            password::set_by_operator(tx, &env(noon()), email, &HASH)?;
            accounts::by_email(tx, email)
        })
        .unwrap()
    }

    fn account(&self, email: &'static str) -> Account {
        self.read(move |tx| accounts::by_email(tx, email))
    }

    fn credentials(&self, email: &'static str) -> Credentials {
        self.read(move |tx| sign_in::find(tx, &address(email))).unwrap()
    }

    fn begin(&self, email: &'static str, now: Timestamp) -> Result<(SessionToken, Session), Error> {
        let credentials = self.credentials(email);
        self.write(move |tx| sign_in::begin(tx, &env(now), &credentials))
    }

    fn sign_up(
        &self,
        email: &'static str,
        hash: &str,
        now: Timestamp,
    ) -> Result<SignUpOutcome, Error> {
        let input = SignUp {
            email: address(email),
            password_hash: hash.into(),
            name: "Bram".into(),
            country: CountryCode::NL,
            language: Language::Dutch,
        };
        self.write(move |tx| sign_up::sign_up(tx, &env(now), &input, Plan::Starter))
    }

    fn signed_up(&self, email: &'static str, now: Timestamp) -> MailToken {
        match self.sign_up(email, &HASH, now).unwrap() {
            SignUpOutcome::Mailed(link) => link,
            SignUpOutcome::Taken(_) => panic!("{email} is taken"),
        }
    }

    /// Runs commands concurrently; returns their results.
    fn at_once<T: Send + 'static>(&self, commands: Vec<Command<T>>) -> Vec<Result<T, Error>> {
        let start = &std::sync::Barrier::new(commands.len());
        std::thread::scope(|scope| {
            let run = |command: Command<T>| {
                scope.spawn(move || {
                    start.wait();
                    self.store.write_blocking(command)
                })
            };
            let threads: Vec<_> = commands.into_iter().map(run).collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).collect()
        })
    }

    /// Runs the same command sixteen times concurrently.
    fn sixteen<T: Send + 'static>(
        &self,
        command: impl FnMut(&mut Tx<'_>) -> Result<T, Error> + Send + Clone + 'static,
    ) -> Vec<Result<T, Error>> {
        self.at_once((0..16).map(|_| Box::new(command.clone()) as Command<T>).collect())
    }

    /// Kinds of a person's events, in alphabetical order, because most events in these tests have
    /// the same time.
    fn events(&self, person: PersonId) -> Vec<String> {
        let rows = self
            .raw()
            .rows(&format!("SELECT kind FROM person_events WHERE person_id = {}", person.0));
        let mut kinds: Vec<String> = rows.into_iter().map(|row| row[0].clone().unwrap()).collect();
        kinds.sort();
        kinds
    }
}

/// Asserts that a command was rejected with this reason.
#[track_caller]
fn refused<T>(outcome: Result<T, Error>, why: Refusal) {
    match outcome {
        Err(Error::Refused(refusal)) => assert_eq!(refusal, why),
        Err(other) => panic!("{other}"),
        Ok(_) => panic!("this should be refused"),
    }
}
