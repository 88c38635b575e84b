//! Emailed links: sign-up, password reset, change of address.

use crate::{
    ANNA, BRAM, Command, HASH, House, OTHER_HASH, SECOND, address, env, hours, key, noon, refused,
};
use jiff::Timestamp;
use service::{
    AccessError, Context, Error, access, accounts,
    environment::System,
    mails::{self, AccountMail},
    people::{
        Account, Language, MailToken, Refusal, SessionToken,
        email::{self, ChangeRequested, EmailChanged},
        password,
        second_factor::{self, Code},
        sessions,
        sign_up::{self, SignUpOutcome},
    },
};
use store::{DatabaseUrl, keys::Scopes};
use testing::{Engine, authenticator::code, on_both_engines};

impl House {
    fn confirm(&self, link: &MailToken, now: Timestamp) -> Result<Account, Error> {
        let secret = link.secret.clone();
        self.write(move |tx| sign_up::confirm(tx, &env(now), &secret))
    }

    fn reset_link(&self, email: &'static str, now: Timestamp) -> Option<MailToken> {
        self.write(move |tx| password::reset_request(tx, &env(now), &address(email))).unwrap()
    }

    fn link_again(&self, email: &'static str, now: Timestamp) -> Option<MailToken> {
        self.write(move |tx| sign_up::link_again(tx, &env(now), &address(email))).unwrap()
    }

    /// Size of SQLite's write-ahead log; 0 on PostgreSQL, where no writer waits for another.
    fn on_disk(&self) -> u64 {
        match &self.database.url {
            DatabaseUrl::Sqlite(file) => {
                std::fs::metadata(format!("{}-wal", file.display())).unwrap().len()
            }
            DatabaseUrl::Postgres(_) => 0,
        }
    }

    fn reset(&self, link: &MailToken, now: Timestamp) -> Result<Account, Error> {
        let secret = link.secret.clone();
        self.write(move |tx| password::reset(tx, &env(now), &secret, &OTHER_HASH))
    }

    fn change(
        &self,
        email: &'static str,
        to: &'static str,
        now: Timestamp,
    ) -> Result<ChangeRequested, Error> {
        let (account, (session, _)) = (self.account(email), self.begin(email, now).unwrap());
        self.write(move |tx| {
            email::change_request(tx, &env(now), &account, &session.hash(), &address(to))
        })
    }

    fn change_link(&self, email: &'static str, to: &'static str, now: Timestamp) -> MailToken {
        match self.change(email, to, now).unwrap() {
            ChangeRequested::Mailed(link) => link,
            _ => panic!("{to} is taken, or was sent enough"),
        }
    }

    fn change_confirm(&self, link: &MailToken, now: Timestamp) -> Result<EmailChanged, Error> {
        let secret = link.secret.clone();
        self.write(move |tx| email::change_confirm(tx, &env(now), &secret))
    }
}

const NEW: &str = "new@example.com";

on_both_engines! {
    fn sign_in_is_possible_after_confirming_the_address(engine) {
        let house = House::new(engine);
        let link = house.signed_up(BRAM, noon());
        assert_eq!(
            (
                link.email.as_str(),
                link.account.owner.language.as_deref(),
                link.account.name.as_str()
            ),
            (BRAM, Some("nl"), "Bram")
        );
        assert_eq!(link.account.plan, store::accounts::Plan::Starter);
        refused(house.begin(BRAM, noon()), Refusal::EmailUnconfirmed);
        let secret = link.secret.clone();
        let credentials = house.read(move |tx| sign_up::find(tx, &env(noon()), &secret));
        assert_eq!(
            (credentials.account.owner.email.as_str(), credentials.password_hash.as_deref()),
            (BRAM, Some(HASH.as_str()))
        );
        assert!(house.confirm(&link, noon()).unwrap().owner.email_confirmed_at.is_some());
        refused(house.confirm(&link, noon()), Refusal::LinkSpent);
        assert!(house.begin(BRAM, noon()).is_ok());
        assert_eq!(
            house.events(link.account.owner.id)[..],
            ["email_confirmed", "signed_in", "signed_up"].map(String::from)[..]
        );
        // The database does not contain the link's secret.
        for row in house.raw().table("mail_tokens") {
            assert!(!row.iter().flatten().any(|value| value.contains(&link.secret)), "{row:?}");
        }
    }

    fn links_expire_to_the_second(engine) {
        let house = House::new(engine);
        house.open(ANNA);
        let day = hours(24);
        let confirm = house.signed_up(BRAM, noon());
        refused(house.confirm(&confirm, noon() + day), Refusal::LinkSpent);
        assert!(house.confirm(&confirm, noon() + day - SECOND).is_ok());
        let reset = house.reset_link(ANNA, noon()).unwrap();
        refused(house.reset(&reset, noon() + hours(1)), Refusal::LinkSpent);
        let secret = reset.secret.clone();
        assert_eq!(
            house
                .read(move |tx| password::reset_find(tx, &env(noon() + hours(1) - SECOND), &secret))
                .owner
                .email,
            ANNA
        );
        assert!(house.reset(&reset, noon() + hours(1) - SECOND).is_ok());
        let change = house.change_link(ANNA, NEW, noon());
        refused(house.change_confirm(&change, noon() + day), Refusal::LinkSpent);
        assert!(house.change_confirm(&change, noon() + day - SECOND).is_ok());
    }

    fn a_link_works_only_for_its_purpose(engine) {
        let house = House::new(engine);
        house.open(ANNA);
        let (confirm, reset, change) = (
            house.signed_up(BRAM, noon()),
            house.reset_link(ANNA, noon()).unwrap(),
            house.change_link(ANNA, NEW, noon()),
        );
        for link in [&reset, &change] {
            refused(house.confirm(link, noon()), Refusal::LinkSpent);
        }
        for link in [&confirm, &change] {
            refused(house.reset(link, noon()), Refusal::LinkSpent);
        }
        for link in [&confirm, &reset] {
            refused(house.change_confirm(link, noon()).map(|_| ()), Refusal::LinkSpent);
        }
        let made_up = MailToken { secret: "x".repeat(43), ..reset.clone() };
        refused(house.reset(&made_up, noon()), Refusal::LinkSpent);
        // Attempts to use a link for another purpose did not use it up.
        assert!(
            house.confirm(&confirm, noon()).is_ok()
                && house.change_confirm(&change, noon()).is_ok()
        );
    }

    fn one_of_sixteen_concurrent_uses_of_a_link_succeeds(engine) {
        let house = House::new(engine);
        house.open(ANNA);
        let won = |outcomes: Vec<Result<(), Error>>| {
            let lost = outcomes
                .iter()
                .filter(|it| matches!(it, Err(Error::Refused(Refusal::LinkSpent))))
                .count();
            assert_eq!(
                (outcomes.iter().filter(|it| it.is_ok()).count(), lost),
                (1, 15),
                "{outcomes:?}"
            );
        };
        let secret = house.signed_up(BRAM, noon()).secret;
        won(house.sixteen(move |tx| sign_up::confirm(tx, &env(noon()), &secret).map(drop)));
        let secret = house.reset_link(ANNA, noon()).unwrap().secret;
        won(house
            .sixteen(move |tx| password::reset(tx, &env(noon()), &secret, &OTHER_HASH).map(drop)));
        let secret = house.change_link(ANNA, NEW, noon()).secret;
        won(house.sixteen(move |tx| email::change_confirm(tx, &env(noon()), &secret).map(drop)));
    }

    fn a_taken_address_is_not_revealed_and_not_changed(engine) {
        let house = House::new(engine);
        let anna = house.open(ANNA);
        match house.sign_up("Anna@EXAMPLE.com", &OTHER_HASH, noon()).unwrap() {
            SignUpOutcome::Taken(account) => assert_eq!(account.id, anna.id),
            SignUpOutcome::Mailed(_) => panic!("the address was taken"),
        }
        assert_eq!(house.credentials(ANNA).password_hash.as_deref(), Some(HASH.as_str()));
        assert_eq!(house.count("accounts"), 1);
    }

    fn each_link_confirms_the_details_of_its_own_sign_up(engine) {
        // Regardless of the order, the owner's link confirms the owner's password, name and
        // country, and not a stranger's.
        for owner_is_first in [true, false] {
            let house = House::new(engine);
            let links = [&HASH, &OTHER_HASH].map(|hash| match house.sign_up(BRAM, hash, noon()) {
                Ok(SignUpOutcome::Mailed(link)) => link,
                _ => panic!(),
            });
            let (owners, strangers) =
                if owner_is_first { (&links[0], &links[1]) } else { (&links[1], &links[0]) };
            let hash = if owner_is_first { &HASH } else { &OTHER_HASH };
            let secret = owners.secret.clone();
            let credentials = house.read(move |tx| sign_up::find(tx, &env(noon()), &secret));
            assert_eq!(credentials.password_hash.as_deref(), Some(hash.as_str()));
            house.confirm(owners, noon()).unwrap();
            assert_eq!(house.credentials(BRAM).password_hash.as_deref(), Some(hash.as_str()));
            refused(house.confirm(strangers, noon()), Refusal::LinkSpent);
            assert_eq!((house.count("accounts"), house.count("mail_tokens")), (1, 0));
        }
    }

    fn a_later_sign_up_brings_its_own_name_country_and_language(engine) {
        let house = House::new(engine);
        let _ = house.signed_up(BRAM, noon());
        let input = sign_up::SignUp {
            email: address(BRAM),
            password_hash: OTHER_HASH.clone(),
            name: "Bram in Gent".into(),
            country: ledger::country::CountryCode::parse("BE").unwrap(),
            language: service::people::Language::English,
        };
        let later = house.write(move |tx| {
            sign_up::sign_up(tx, &env(noon()), &input, store::accounts::Plan::Free)
        });
        let Ok(SignUpOutcome::Mailed(link)) = later else { panic!() };
        assert_eq!(
            (house.account(BRAM).name.as_str(), house.account(BRAM).country.as_str()),
            ("Bram", "NL")
        );
        let confirmed = house.confirm(&link, noon()).unwrap();
        let reported =
            (confirmed.name.as_str(), confirmed.country.as_str(), confirmed.language.as_deref());
        assert_eq!(reported, ("Bram in Gent", "BE", Some("en")));
    }

    fn one_of_several_concurrent_links_to_an_address_succeeds(engine) {
        let house = House::new(engine);
        let links = [&HASH, &OTHER_HASH].map(|hash| match house.sign_up(BRAM, hash, noon()) {
            Ok(SignUpOutcome::Mailed(link)) => link.secret,
            _ => panic!(),
        });
        let turn = std::sync::Arc::new(std::sync::atomic::AtomicUsize::new(0));
        let outcomes = house.sixteen(move |tx| {
            let link = &links[turn.fetch_add(1, std::sync::atomic::Ordering::Relaxed) % 2];
            sign_up::confirm(tx, &env(noon()), link).map(drop)
        });
        assert_eq!(outcomes.iter().filter(|it| it.is_ok()).count(), 1, "{outcomes:?}");
        assert_eq!(house.count("mail_tokens"), 0);
    }

    fn an_unconfirmed_account_in_use_keeps_its_address(engine) {
        let house = House::new(engine);
        let used = house.signed_up("carla@example.com", noon());
        house
            .write(|tx| {
                let cx =
                    Context::of_owner(&accounts::by_email(tx, "carla@example.com")?, env(noon()));
                access::create_key(
                    tx,
                    &cx.at(noon()),
                    &access::CreateKey::new("key", Scopes { read: true, write: true, file: false })
                        .unwrap(),
                )
            })
            .unwrap();
        let Ok(SignUpOutcome::Taken(account)) =
            house.sign_up("carla@example.com", &OTHER_HASH, noon())
        else {
            panic!()
        };
        assert_eq!(account.id, used.account.id);
    }

    fn sixteen_sign_ups_with_one_address_leave_one_account(engine) {
        let house = House::new(engine);
        let input = sign_up::SignUp {
            email: address(BRAM),
            password_hash: "a hash".into(),
            name: "Bram".into(),
            country: ledger::country::CountryCode::NL,
            language: service::people::Language::English,
        };
        let outcomes = house.sixteen(move |tx| {
            sign_up::sign_up(tx, &env(noon()), &input, store::accounts::Plan::Free).map(|_| ())
        });
        // On PostgreSQL a concurrent insert of the same row reports the address as taken.
        let good = outcomes
            .iter()
            .all(|outcome| matches!(outcome, Ok(()) | Err(Error::Access(AccessError::EmailTaken))));
        assert!(good && outcomes.iter().any(Result::is_ok), "{outcomes:?}");
        assert_eq!(house.count("accounts WHERE closed_at IS NULL"), 1);
        assert_eq!(
            house.count("mail_tokens"),
            outcomes.iter().filter(|outcome| outcome.is_ok()).count() as i64
        );
    }

    fn a_reset_ends_every_session_and_every_other_link(engine) {
        let house = House::new(engine);
        let anna = house.open(ANNA);
        house.open(BRAM);
        house.begin(ANNA, noon()).unwrap();
        house.begin(BRAM, noon()).unwrap();
        let (first, second) = (
            house.reset_link(ANNA, noon()).unwrap(),
            house.reset_link("ANNA@example.com", noon()).unwrap(),
        );
        let change = house.change_link(ANNA, NEW, noon());
        house.reset(&first, noon()).unwrap();
        refused(house.reset(&second, noon()), Refusal::LinkSpent);
        refused(house.change_confirm(&change, noon()).map(|_| ()), Refusal::LinkSpent);
        assert_eq!(house.count(&format!("sessions WHERE person_id = {}", anna.owner.id.0)), 0);
        assert_eq!(house.count("sessions"), 1);
        assert_eq!(house.credentials(ANNA).password_hash.as_deref(), Some(OTHER_HASH.as_str()));
        assert_eq!(house.credentials(BRAM).password_hash.as_deref(), Some(HASH.as_str()));
    }

    fn a_changed_password_invalidates_reset_links(engine) {
        let house = House::new(engine);
        house.open(ANNA);
        let link = house.reset_link(ANNA, noon()).unwrap();
        let (token, _) = house.begin(ANNA, noon()).unwrap();
        let verified = house.credentials(ANNA);
        house
            .write(move |tx| {
                password::change(tx, &env(noon()), &verified, &OTHER_HASH, &token.hash())
            })
            .unwrap();
        refused(house.reset(&link, noon()), Refusal::LinkSpent);
    }

    fn ending_a_session_invalidates_the_links_that_it_requested(engine) {
        type Ends = fn(&House, &Account, &SessionToken, String);
        let ends: [Ends; 5] = [
            |house, _, mine, _| {
                let (verified, hash) = (house.credentials(ANNA), mine.hash());
                house
                    .write(move |tx| {
                        password::change(tx, &env(noon()), &verified, &OTHER_HASH, &hash)
                    })
                    .unwrap();
            },
            |house, anna, mine, _| {
                let (person, hash) = (anna.owner.id, mine.hash());
                house
                    .write(move |tx| sessions::end_others(tx, &env(noon()), person, &hash))
                    .unwrap();
            },
            |house, anna, _, _| {
                let person = anna.owner.id;
                house.write(move |tx| sessions::end_all(tx, &env(noon()), person)).unwrap();
            },
            |house, anna, _, thiefs| {
                let person = anna.owner.id;
                house.write(move |tx| sessions::end(tx, &env(noon()), person, &thiefs)).unwrap();
            },
            |house, anna, mine, _| {
                let enrolment =
                    second_factor::enrol_begin(&System, Some(&key()), noon(), anna).unwrap();
                let (person, hash, typed) =
                    (anna.owner.id, mine.hash(), code(&enrolment.secret, noon()));
                house
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
            },
        ];
        for (place, end) in ends.into_iter().enumerate() {
            let house = House::new(engine);
            let anna = house.open(ANNA);
            let (mine, _) = house.begin(ANNA, noon()).unwrap();
            let (thiefs, session) = house.begin(ANNA, noon()).unwrap();
            let (account, hash) = (anna.clone(), thiefs.hash());
            let ask = move |tx: &mut store::Tx<'_>| {
                email::change_request(tx, &env(noon()), &account, &hash, &address(NEW))
            };
            let Ok(ChangeRequested::Mailed(link)) = house.write(ask.clone()) else {
                panic!("{place}")
            };
            end(&house, &anna, &mine, session.id);
            refused(house.change_confirm(&link, noon()), Refusal::LinkSpent);
            // A request that was already in progress creates no link either.
            refused(house.write(ask), Refusal::SignedOut);
            assert_eq!(house.account(ANNA).id, anna.id);
        }
    }

    fn requesting_a_taken_address_leaves_the_same_traces(engine) {
        let house = House::new(engine);
        let (anna, _) = (house.open(ANNA), house.open(BRAM));
        for to in [BRAM, NEW] {
            for _ in 0..2 {
                house.change(ANNA, to, noon()).unwrap();
            }
        }
        assert!(matches!(house.change(ANNA, BRAM, noon()).unwrap(), ChangeRequested::Taken(_)));
        assert!(matches!(house.change(ANNA, BRAM, noon()).unwrap(), ChangeRequested::Enough));
        assert!(matches!(house.change(ANNA, NEW, noon()).unwrap(), ChangeRequested::Enough));
        let traces = house.raw().rows("SELECT detail FROM person_events WHERE kind = 'email_change_requested' ORDER BY detail");
        let traces: Vec<_> = traces.into_iter().map(|row| row[0].clone().unwrap()).collect();
        assert_eq!(traces, [BRAM, BRAM, BRAM, NEW, NEW]);
        assert_eq!(house.count(&format!("mail_tokens WHERE person_id = {}", anna.owner.id.0)), 5);
    }

    fn a_reset_link_confirms_an_unconfirmed_address(engine) {
        let house = House::new(engine);
        house.signed_up(BRAM, noon());
        let link = house.reset_link(BRAM, noon()).unwrap();
        house.reset(&link, noon()).unwrap();
        assert!(house.begin(BRAM, noon()).is_ok());
    }

    fn links_to_one_mailbox_are_rate_limited(engine) {
        let house = House::new(engine);
        house.open(ANNA);
        assert!(house.reset_link("nobody@example.com", noon()).is_none());
        let sent = (0..10).filter(|_| house.reset_link(ANNA, noon()).is_some()).count();
        assert_eq!(sent, 5);
        assert!(house.reset_link(ANNA, noon() + hours(1) - SECOND).is_none());
        assert!(house.reset_link(ANNA, noon() + hours(1)).is_some());
        let outcomes: Vec<_> = (0..7).map(|_| house.change(ANNA, NEW, noon()).unwrap()).collect();
        assert_eq!(
            outcomes.iter().filter(|it| matches!(it, ChangeRequested::Mailed(_))).count(),
            5
        );
        assert_eq!(outcomes.iter().filter(|it| matches!(it, ChangeRequested::Enough)).count(), 2);
        let link = house.signed_up(BRAM, noon());
        let again = || house.link_again(BRAM, noon());
        let sent: Vec<_> = (0..7).filter_map(|_| again()).collect();
        assert_eq!(sent.len(), 4);
        house.confirm(&sent[0], noon()).unwrap();
        assert!(again().is_none());
        refused(house.confirm(&link, noon()), Refusal::LinkSpent);
    }

    fn sign_ups_of_strangers_do_not_use_up_the_owners_links(engine) {
        let house = House::new(engine);
        house.signed_up(BRAM, noon());
        for _ in 0..10 {
            assert!(matches!(
                house.sign_up(BRAM, &OTHER_HASH, noon()),
                Ok(SignUpOutcome::Mailed(_))
            ));
        }
        assert_eq!((0..9).filter_map(|_| house.link_again(BRAM, noon())).count(), 4);
        assert!(house.reset_link(BRAM, noon()).is_some());
    }

    fn a_reset_request_writes_as_much_with_and_without_an_account(engine) {
        let house = House::new(engine);
        let anna = house.open(ANNA);
        let request = |email: &'static str| {
            let before = house.on_disk();
            (house.reset_link(email, noon()).is_some(), house.on_disk() - before)
        };
        let (_, usual) = request(ANNA);
        assert_eq!(usual == 0, engine == Engine::Postgres);
        for email in ["nobody@example.com", ANNA, ANNA, ANNA, ANNA] {
            assert_eq!(request(email), (email == ANNA, usual), "{email}");
        }
        // The rate limit rejects the sixth link within the hour.
        assert_eq!([request(ANNA), request("nobody@example.com")], [(false, usual); 2]);
        // The requests for an unknown address left no rows: all remaining ones are Anna's.
        let hers = format!("WHERE person_id = {} AND", anna.owner.id.0);
        assert_eq!(
            (
                house.count("mail_tokens"),
                house.count(&format!("mail_tokens {hers} email = '{ANNA}'"))
            ),
            (5, 5)
        );
        let events =
            house.count(&format!("person_events {hers} kind = 'password_reset_requested'"));
        assert_eq!((events, house.count("person_events")), (5, 6));
    }

    fn mailing_a_link_writes_as_much_with_and_without_an_account(engine) {
        let house = House::new(engine);
        house.open(ANNA);
        house.signed_up(BRAM, noon());
        let request = |email: &'static str, is_reset: bool| {
            let before = house.on_disk();
            let mailed = house.write(move |tx| {
                let link = if is_reset {
                    password::reset_request(tx, &env(noon()), &address(email))?
                } else {
                    sign_up::link_again(tx, &env(noon()), &address(email))?
                };
                let (subject, body) = ("A link".to_owned(), "x".repeat(500));
                let mail =
                    AccountMail { to: email.into(), language: Language::Dutch, subject, body };
                match &link {
                    Some(link) => mails::put(tx, &env(noon()), link.account.id, &mail)?,
                    None => mails::put_and_discard(tx, &env(noon()), &mail)?,
                }
                Ok(link.is_some())
            });
            let written = house.on_disk() - before;
            // Removes the queued email, as if it had been sent.
            house.raw().run("DELETE FROM mails").unwrap();
            (mailed.unwrap(), written)
        };
        for (is_reset, has_link) in [(true, ANNA), (false, BRAM)] {
            let (_, usual) = request(has_link, is_reset);
            for email in ["nobody@example.com", has_link, "nobody@example.com", has_link] {
                assert_eq!(request(email, is_reset), (email == has_link, usual), "{email}");
            }
        }
        // A confirmed address gets no link to confirm it.
        assert!(!request(ANNA, false).0);
    }

    fn a_new_address_is_used_once_it_is_confirmed(engine) {
        let house = House::new(engine);
        let anna = house.open(ANNA);
        house.open(BRAM);
        let (link, reset) = (
            house.change_link(ANNA, "New@Example.com", noon()),
            house.reset_link(ANNA, noon()).unwrap(),
        );
        assert_eq!((link.email.as_str(), house.account(ANNA).id), (NEW, anna.id));
        let changed = house.change_confirm(&link, noon()).unwrap();
        assert_eq!(
            (changed.old.as_str(), changed.account.owner.email.as_str(), changed.account.id),
            (ANNA, NEW, anna.id)
        );
        assert_eq!(house.account(NEW).id, anna.id);
        // A link that was sent to the old address no longer works.
        refused(house.reset(&reset, noon()), Refusal::LinkSpent);
        assert!(matches!(house.change(NEW, NEW, noon()), Err(Error::Invalid(_))));
        let Ok(ChangeRequested::Taken(account)) = house.change(NEW, BRAM, noon()) else { panic!() };
        assert_eq!(account.owner.email, BRAM);
    }

    fn the_first_to_confirm_an_address_gets_it(engine) {
        let house = House::new(engine);
        house.open(ANNA);
        let change = house.change_link(ANNA, NEW, noon());
        // An account that signed up but was never confirmed is closed.
        house.signed_up(NEW, noon());
        house.change_confirm(&change, noon()).unwrap();
        let change = house.change_link(NEW, BRAM, noon());
        house.open(BRAM);
        assert!(matches!(
            house.change_confirm(&change, noon()),
            Err(Error::Access(AccessError::EmailTaken))
        ));
        assert_eq!(house.account(NEW).owner.email, NEW);
    }

    fn one_of_eight_concurrent_confirmations_of_an_address_succeeds(engine) {
        let house = House::new(engine);
        let confirmations = (0..8).map(|number| -> Command<()> {
            let email: &'static str = format!("number{number}@example.com").leak();
            house.open(email);
            let secret = house.change_link(email, NEW, noon()).secret;
            Box::new(move |tx| email::change_confirm(tx, &env(noon()), &secret).map(drop))
        });
        let outcomes = house.at_once(confirmations.collect());
        let taken = outcomes
            .iter()
            .filter(|it| matches!(it, Err(Error::Access(AccessError::EmailTaken))))
            .count();
        assert_eq!(
            (outcomes.iter().filter(|it| it.is_ok()).count(), taken),
            (1, 7),
            "{outcomes:?}"
        );
        assert_eq!(house.count("accounts"), 8);
    }
}
