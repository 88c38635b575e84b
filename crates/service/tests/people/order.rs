//! Lock order: commands that change how an account signs in lock the account first, so that they
//! never deadlock.

use crate::{ANNA, Command, HASH, House, OTHER_HASH, address, env, key, noon};
use service::{
    Context, Error, access,
    environment::System,
    people::{
        Account, Refusal, data,
        email::{self, ChangeRequested},
        password,
        second_factor::{self, Code},
        sessions, sign_in,
    },
};
use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};
use store::{StoreError, keys::Scopes};
use testing::{authenticator::code, on_both_engines};

/// Number of times that each test is repeated.
const ROUNDS: usize = 8;

/// Commands, with a count of their runs: a command runs again if it conflicts with another.
#[derive(Default)]
struct Commands {
    commands: Vec<Command<()>>,
    runs: Arc<AtomicUsize>,
}

impl Commands {
    fn add<T>(
        &mut self,
        mut command: impl FnMut(&mut store::Tx<'_>) -> Result<T, Error> + Send + 'static,
    ) {
        let runs = Arc::clone(&self.runs);
        self.commands.push(Box::new(move |tx| {
            runs.fetch_add(1, Ordering::Relaxed);
            command(tx).map(drop)
        }));
    }

    /// Runs all commands concurrently and asserts that none was run again; returns their results.
    fn at_once(self, house: &House) -> Vec<Result<(), Error>> {
        let count = self.commands.len();
        let outcomes = house.at_once(self.commands);
        assert_eq!(self.runs.load(Ordering::Relaxed), count, "some were run again: {outcomes:?}");
        outcomes
    }
}

impl House {
    /// Adds commands that use five links to change the address and five links to reset the
    /// password.
    fn links(&self, account: &Account, commands: &mut Commands) {
        let (session, _) = self.begin(ANNA, noon()).unwrap();
        for number in 0..5 {
            let (account, session, to) =
                (account.clone(), session.hash(), format!("new{number}@example.com"));
            let outcome = self
                .write(move |tx| {
                    email::change_request(tx, &env(noon()), &account, &session, &address(&to))
                })
                .unwrap();
            let ChangeRequested::Mailed(link) = outcome else { panic!() };
            commands.add(move |tx| email::change_confirm(tx, &env(noon()), &link.secret));
            let link = self
                .write(|tx| password::reset_request(tx, &env(noon()), &address(ANNA)))
                .unwrap()
                .unwrap();
            commands.add(move |tx| password::reset(tx, &env(noon()), &link.secret, &OTHER_HASH));
        }
    }
}

on_both_engines! {
    fn one_of_many_concurrent_links_succeeds_and_none_is_run_again(engine) {
        for _ in 0..ROUNDS {
            let house = House::new(engine);
            let anna = house.open(ANNA);
            let mut commands = Commands::default();
            house.links(&anna, &mut commands);
            let outcomes = commands.at_once(&house);
            let lost = outcomes
                .iter()
                .filter(|it| matches!(it, Err(Error::Refused(Refusal::LinkSpent))))
                .count();
            assert_eq!(
                (outcomes.iter().filter(|it| it.is_ok()).count(), lost),
                (1, 9),
                "{outcomes:?}"
            );
        }
    }

    fn concurrent_changes_of_one_account_are_not_run_again(engine) {
        for round in 0..ROUNDS {
            let house = House::new(engine);
            let anna = house.open(ANNA);
            let person = anna.owner.id;
            let (mine, _) = house.begin(ANNA, noon()).unwrap();
            let enrolment =
                second_factor::enrol_begin(&System, Some(&key()), noon(), &anna).unwrap();
            let (hash, typed) = (mine.hash(), code(&enrolment.secret, noon()));
            let codes = house
                .write(move |tx| {
                    let encrypted = &enrolment.encrypted;
                    second_factor::enrol_finish(
                        tx,
                        &env(noon()),
                        Some(&key()),
                        person,
                        &hash,
                        encrypted,
                        &Code::read(&typed),
                    )
                })
                .unwrap();
            let mut commands = Commands::default();
            // The links are requested by this session, which is fully signed in.
            for number in 0..5 {
                let (anna, to) = (anna.clone(), format!("new{number}@example.com"));
                let requested = house.write(move |tx| {
                    email::change_request(tx, &env(noon()), &anna, &hash, &address(&to))
                });
                let Ok(ChangeRequested::Mailed(link)) = requested else { panic!() };
                commands.add(move |tx| email::change_confirm(tx, &env(noon()), &link.secret));
            }
            for (place, code) in codes.into_iter().enumerate() {
                let (waiting, session) = house.begin(ANNA, noon()).unwrap();
                match place {
                    0 => commands.add(move |tx| {
                        second_factor::disable(
                            tx,
                            &env(noon()),
                            Some(&key()),
                            person,
                            &Code::read(&code),
                        )
                    }),
                    1 | 2 => commands.add(move |tx| {
                        second_factor::new_recovery_codes(
                            tx,
                            &env(noon()),
                            Some(&key()),
                            person,
                            &Code::read(&code),
                        )
                    }),
                    3 | 4 => {
                        commands.add(move |tx| sessions::end(tx, &env(noon()), person, &session.id))
                    }
                    5 => commands
                        .add(move |tx| sessions::sign_out(tx, &env(noon()), &waiting.hash())),
                    _ => commands.add(move |tx| {
                        sign_in::finish(
                            tx,
                            &env(noon()),
                            Some(&key()),
                            &waiting.hash(),
                            &Code::read(&code),
                        )
                    }),
                }
            }
            commands.add(move |tx| sessions::end_others(tx, &env(noon()), person, &hash));
            commands.add(move |tx| sessions::end_all(tx, &env(noon()), person));
            commands.add(|tx| password::set_by_operator(tx, &env(noon()), ANNA, &HASH));
            commands.add(|tx| password::reset_request(tx, &env(noon()), &address(ANNA)));
            let (cx, scopes) = (
                Context::of_owner(&anna, env(noon())),
                Scopes { read: true, write: true, file: false },
            );
            commands.add(move |tx| {
                access::create_key(
                    tx,
                    &cx.at(noon()),
                    &access::CreateKey::new("key", scopes).unwrap(),
                )
            });
            if round % 2 == 1 {
                commands.add(move |tx| data::close(tx, &env(noon()), person));
            }
            for outcome in commands.at_once(&house) {
                let closed = matches!(
                    outcome,
                    Err(Error::NotFound(_) | Error::Store(StoreError::AccountClosed))
                );
                let reported = closed || matches!(outcome, Ok(()) | Err(Error::Refused(_)));
                assert!(reported, "{outcome:?}");
            }
        }
    }
}
