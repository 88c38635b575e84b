//! Model-based test: random commands on the real store, each compared with a model that is too
//! simple to be wrong.
//!
//! Every run has the same seed unless `GROOTBOEK_MODEL_SEED` sets another. `GROOTBOEK_MODEL_STEPS`
//! sets the number of steps (a replay needs the same number). CONTRIBUTING.md shows how to try
//! several dozen seeds.

#![expect(clippy::unwrap_used, reason = "a failure is a failed test")]

mod assets;
mod audit_file;
mod books;
mod cash;
mod commands;
mod compare;
mod corrections;
mod desk;
mod events;
mod everything;
mod generate;
mod hledger;
mod kor;
mod lines;
mod money;
mod oss;
mod others;
mod perform;
mod pricing;
mod purchases;
mod quotes;
mod recurring;
mod revision;
mod sales;
mod tax;

use crate::{
    commands::{Command, Made, Model, Touched},
    generate::{COUNTRIES, Generator},
    perform::{Answer, perform},
};
use fastrand::Rng;
use jiff::{SignedDuration, Timestamp};
use ledger::{cash_accounting::VatMethod, country::CountryCode};
use service::{Error, accounts::OpenAccount};
use std::collections::BTreeMap;
use store::accounts::Plan;
use testing::{Database, Engine};

/// Number of accounts opened before the first step. More are opened during the run.
const FIRST: usize = 4;
/// Default seed, fixed so that the result of a run depends on the code and not on chance.
const SEED: u64 = 2026;
/// Period that a run covers: two years, in seconds.
const PERIOD: i64 = 2 * 365 * 24 * 3600;

#[test]
fn the_books_on_sqlite_are_those_of_the_model() {
    run(Engine::Sqlite, 10_000, 1_000);
}

#[test]
fn the_books_on_postgres_are_those_of_the_model() {
    run(Engine::Postgres, 10_000, 2_500);
}

/// Prints how to repeat the run if it fails.
struct Trace {
    seed: u64,
    step: u64,
    command: String,
}

impl Drop for Trace {
    fn drop(&mut self) {
        if std::thread::panicking() {
            let Self { seed, step, command } = self;
            eprintln!(
                "failed at step {step}; replay with GROOTBOEK_MODEL_SEED={seed}; it was {command}"
            );
        }
    }
}

fn number_from(variable: &str) -> Option<u64> {
    Some(
        std::env::var(variable)
            .ok()?
            .parse()
            .unwrap_or_else(|_| panic!("{variable} is not a number")),
    )
}

/// Name of an error without its details, to compare the store with the model.
fn name(error: &Error) -> String {
    match error {
        Error::Invalid(faults) => faults
            .iter()
            .map(|fault| format!("{} {}", fault.path, fault.reason.code()))
            .collect::<Vec<_>>()
            .join(", "),
        other => format!("{other:?}"),
    }
}

fn run(engine: Engine, steps: u64, all_every: u64) {
    let steps = number_from("GROOTBOEK_MODEL_STEPS").unwrap_or(steps);
    let seed = number_from("GROOTBOEK_MODEL_SEED").unwrap_or(SEED);
    let mut trace = Trace { seed, step: 0, command: "the beginning".to_owned() };
    let mut rng = Rng::with_seed(seed);
    let database = Database::new(engine);
    let store = database.open();
    let (mut model, mut heads, mut now) =
        (Model::default(), Vec::new(), "2025-01-10T08:00:00Z".parse::<Timestamp>().unwrap());
    let mut counts: BTreeMap<(&str, &str), u64> = BTreeMap::new();
    for (place, country) in COUNTRIES.iter().enumerate().take(FIRST) {
        let (email, name) = (format!("person{place}@example.com"), "Test".to_owned());
        let command = OpenAccount {
            email,
            name,
            country: CountryCode::parse(country).unwrap(),
            plan: Plan::Starter,
            password: None,
        };
        one(&store, &mut model, &mut heads, (0, now, 0), &Command::Open(command));
    }
    for step in 1..=steps {
        let pause = PERIOD / i64::try_from(steps).unwrap();
        now += SignedDuration::from_secs(rng.i64(1..=2 * pause));
        let (place, command) =
            Generator { rng: &mut rng, model: &model, now, names: steps / 3 + 1 }.draw();
        (trace.step, trace.command) = (step, format!("{place} {command:?}"));
        let came = one(&store, &mut model, &mut heads, (place, now, step), &command);
        *counts.entry((command.kind(), came)).or_default() += 1;
        if step % all_every == 0 || step == steps {
            everything::compare(&store, &model, now);
        }
    }
    everything::stranger(&store);
    if engine == Engine::Sqlite {
        hledger::agrees(&store, model.accounts.iter().map(compare::context).collect());
    }
    let mut kinds: BTreeMap<&str, u64> = BTreeMap::new();
    for entry in model.accounts.iter().flat_map(|account| &account.journal) {
        *kinds.entry(entry.source.0.as_str()).or_default() += 1;
    }
    let documents = || model.accounts.iter().flat_map(|account| &account.invoices);
    let under_cash = documents().filter(|document| document.method == VatMethod::Cash).count();
    let declared_by_oss = documents().filter(|document| document.has_foreign_vat()).count();
    println!("seed {seed}: {counts:?}");
    println!("entries: {kinds:?}; under cash accounting: {under_cash}; OSS: {declared_by_oss}");
}

/// Runs one command in the store and the model, and compares them; returns the kind of outcome.
fn one(
    store: &store::Store,
    model: &mut Model,
    heads: &mut compare::Heads,
    (place, now, step): (usize, Timestamp, u64),
    command: &Command,
) -> &'static str {
    let cx = model.accounts.get(place).map(compare::context);
    let mut touched = Touched::default();
    let expected = model.apply(place, now, command, &mut touched);
    let reported = perform(store, cx, now, step, command);
    let outcome = match (&reported, &expected) {
        (Ok((Made::New(id), Answer::Id)), Ok(Made::New(_)))
            if matches!(command, Command::Open(_)) =>
        {
            let new = model.accounts.last_mut().unwrap();
            new.id = *id;
            "done"
        }
        (Ok((made, answer)), Ok(expected)) => {
            assert_eq!(made, expected);
            if let (Answer::Key(hash), Some(key)) = (answer, model.accounts[place].keys.last_mut())
            {
                key.hash = *hash;
            }
            compare::answer(answer, *made, &model.accounts[place]);
            if matches!(made, Made::Existing(_)) { "known" } else { "done" }
        }
        (Err(reported), Err(expected)) => {
            assert_eq!(name(reported), name(expected));
            "refused"
        }
        (reported, expected) => panic!("the store returned {reported:?}, the model {expected:?}"),
    };
    compare::step(store, model, place, &touched, heads);
    outcome
}
