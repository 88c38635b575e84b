//! Second factor: set-up, sign-in, single use of codes, recovery codes, removal.

use crate::{ANNA, BRAM, House, OTHER_HASH, SECOND, address, env, key, noon, refused};
use jiff::{SignedDuration, Timestamp};
use service::{
    Error,
    environment::System,
    people::{
        Account, EncryptionKey, Refusal, SessionToken, Stage, password,
        second_factor::{self as factor, Code},
        sessions, sign_in,
    },
};
use std::collections::BTreeSet;
use store::people::PersonId;
use testing::{authenticator::code, on_both_engines};

const HALF_MINUTE: SignedDuration = SignedDuration::from_secs(30);

impl House {
    /// Sets up the second factor one minute before noon; returns the account, the seed as shown,
    /// and the recovery codes.
    fn enrol(&self, email: &'static str) -> (Account, String, Vec<String>) {
        let (account, then) = (self.account(email), noon() - SECOND * 60);
        let enrolment = factor::enrol_begin(&System, Some(&key()), then, &account).unwrap();
        let (encrypted, typed, id) =
            (enrolment.encrypted, code(&enrolment.secret, then), account.owner.id);
        let codes = self.write(move |tx| {
            factor::enrol_finish(
                tx,
                &env(then),
                Some(&key()),
                id,
                &[0; 32],
                &encrypted,
                &Code::read(&typed),
            )
        });
        (self.account(email), enrolment.secret, codes.unwrap())
    }

    fn finish(
        &self,
        token: &SessionToken,
        now: Timestamp,
        code: &str,
    ) -> Result<Option<SessionToken>, Error> {
        let (hash, code) = (token.hash(), code.to_owned());
        let finished = self.write(move |tx| {
            sign_in::finish(tx, &env(now), Some(&key()), &hash, &Code::read(&code))
        })?;
        Ok(match finished {
            sign_in::Finished::SignedIn(token) => Some(token),
            sign_in::Finished::WrongCode => None,
        })
    }

    fn stage(&self, token: &SessionToken, now: Timestamp) -> Option<Stage> {
        let hash = token.hash();
        self.read(move |tx| sessions::look_up(tx, &env(now), &hash))
            .map(|signed_in| signed_in.session.stage)
    }

    fn checks(&self, person: PersonId, now: Timestamp, code: &str) -> bool {
        let code = code.to_owned();
        self.write(move |tx| {
            factor::check_code(tx, &env(now), Some(&key()), person, &Code::read(&code))
        })
        .unwrap()
    }
}

on_both_engines! {
    fn the_seed_is_set_up_by_a_code_and_stored_encrypted(engine) {
        let house = House::new(engine);
        let anna = house.open(ANNA);
        let enrolment = factor::enrol_begin(&System, Some(&key()), noon(), &anna).unwrap();
        let compact: String = enrolment.secret.split(' ').collect();
        assert_eq!(compact.len(), 32, "160 bits in base32");
        assert_eq!(
            enrolment.otpauth_url,
            format!(
                "otpauth://totp/grootboek:anna%40example.com?secret={compact}&issuer=grootboek&algorithm=SHA1&digits=6&period=30"
            )
        );
        assert_eq!(
            factor::enrol_again(Some(&key()), noon(), &anna, &enrolment.encrypted).unwrap().secret,
            enrolment.secret
        );
        let finish = |now: Timestamp, encrypted: &str, code: String, person: PersonId| {
            let encrypted = encrypted.to_owned();
            house.write(move |tx| {
                factor::enrol_finish(
                    tx,
                    &env(now),
                    Some(&key()),
                    person,
                    &[0; 32],
                    &encrypted,
                    &Code::read(&code),
                )
            })
        };
        let typed = |now| code(&enrolment.secret, now);
        refused(
            finish(noon(), &enrolment.encrypted, "000000".into(), anna.owner.id),
            Refusal::WrongCode,
        );
        assert!(!house.account(ANNA).owner.second_factor);
        // The set-up form is rejected if it belongs to another account, is forged, or has expired.
        let bram = house.open(BRAM);
        refused(
            finish(noon(), &enrolment.encrypted, typed(noon()), bram.owner.id),
            Refusal::LinkSpent,
        );
        refused(finish(noon(), "x", typed(noon()), anna.owner.id), Refusal::LinkSpent);
        let late = noon() + SignedDuration::from_mins(30);
        refused(finish(late, &enrolment.encrypted, typed(late), anna.owner.id), Refusal::LinkSpent);
        let codes =
            finish(late - SECOND, &enrolment.encrypted, typed(late - SECOND), anna.owner.id)
                .unwrap();
        assert!(
            house.account(ANNA).owner.second_factor && !house.account(BRAM).owner.second_factor
        );
        refused(
            finish(noon(), &enrolment.encrypted, typed(noon()), anna.owner.id),
            Refusal::SecondFactorOn,
        );
        refused(
            factor::enrol_begin(&System, Some(&key()), noon(), &house.account(ANNA)),
            Refusal::SecondFactorOn,
        );
        assert_eq!(codes.iter().collect::<BTreeSet<_>>().len(), 10);
        assert!(
            codes
                .iter()
                .all(|code| code.len() == 29 && code.split('-').all(|group| group.len() == 4)),
            "{codes:?}"
        );
        // Neither the seed nor a code can be read from the database.
        let raw = house.raw();
        for row in raw.table("people").into_iter().chain(raw.table("recovery_codes")) {
            let text = row.into_iter().flatten().collect::<Vec<_>>().join(" ").to_lowercase();
            assert!(!text.contains(&compact.to_lowercase()), "{text}");
            assert!(!codes.iter().any(|code| text.contains(&code.replace('-', ""))), "{text}");
        }
    }

    fn sign_in_requires_the_second_factor(engine) {
        let house = House::new(engine);
        house.open(ANNA);
        let (anna, secret, _) = house.enrol(ANNA);
        let (half, session) = house.begin(ANNA, noon()).unwrap();
        assert_eq!(
            (session.stage, house.stage(&half, noon())),
            (Stage::SecondFactor, Some(Stage::SecondFactor))
        );
        assert!(house.finish(&half, noon(), "000000").unwrap().is_none());
        let whole = house.finish(&half, noon(), &code(&secret, noon())).unwrap().unwrap();
        assert_eq!(
            (house.stage(&half, noon()), house.stage(&whole, noon())),
            (None, Some(Stage::SignedIn))
        );
        refused(
            house.finish(&half, noon(), &code(&secret, noon() + HALF_MINUTE)),
            Refusal::SignedOut,
        );
        refused(
            house.finish(&whole, noon(), &code(&secret, noon() + HALF_MINUTE)),
            Refusal::SignedOut,
        );
        let events = house.events(anna.owner.id);
        assert!(
            events.contains(&"code_failed".to_owned()) && events.contains(&"signed_in".to_owned()),
            "{events:?}"
        );
        // Entering the password again does not replace the second factor.
        let (half, _) = house.begin(ANNA, noon()).unwrap();
        let verified = house.credentials(ANNA);
        refused(
            house.write(move |tx| sessions::rotate(tx, &env(noon()), &half.hash(), &verified)),
            Refusal::SignedOut,
        );
    }

    fn the_second_factor_is_due_within_ten_minutes(engine) {
        let house = House::new(engine);
        house.open(ANNA);
        let (_, secret, _) = house.enrol(ANNA);
        let (half, _) = house.begin(ANNA, noon()).unwrap();
        let late = noon() + SignedDuration::from_mins(10);
        refused(house.finish(&half, late, &code(&secret, late)), Refusal::SignedOut);
        assert!(
            house.finish(&half, late - SECOND, &code(&secret, late - SECOND)).unwrap().is_some()
        );
    }

    fn each_code_works_once_and_earlier_ones_no_longer(engine) {
        let house = House::new(engine);
        house.open(ANNA);
        house.open(BRAM);
        let (anna, secret, _) = house.enrol(ANNA);
        let (bram, _, _) = house.enrol(BRAM);
        let now = code(&secret, noon());
        assert!(!house.checks(bram.owner.id, noon(), &now));
        assert!(house.checks(anna.owner.id, noon(), &now));
        assert!(!house.checks(anna.owner.id, noon(), &now));
        assert!(!house.checks(anna.owner.id, noon() + HALF_MINUTE, &now));
        let (before, after) =
            (code(&secret, noon() - HALF_MINUTE), code(&secret, noon() + HALF_MINUTE));
        assert!(!house.checks(anna.owner.id, noon(), &before));
        assert!(house.checks(anna.owner.id, noon(), &after));
        let far = code(&secret, noon() + HALF_MINUTE * 3);
        assert!(!house.checks(anna.owner.id, noon() + HALF_MINUTE, &far));
        assert!(house.checks(anna.owner.id, noon() + HALF_MINUTE * 2, &far));
        // The code entered during set-up cannot be used again either.
        house.open("carla@example.com");
        let (carla, secret, _) = house.enrol("carla@example.com");
        assert!(!house.checks(
            carla.owner.id,
            noon() - SECOND * 60,
            &code(&secret, noon() - SECOND * 60)
        ));
    }

    fn one_of_sixteen_concurrent_uses_of_a_code_succeeds(engine) {
        let house = House::new(engine);
        house.open(ANNA);
        let (anna, secret, codes) = house.enrol(ANNA);
        let typed = code(&secret, noon());
        let won = house.sixteen(move |tx| {
            factor::check_code(tx, &env(noon()), Some(&key()), anna.owner.id, &Code::read(&typed))
        });
        assert_eq!(won.into_iter().filter(|won| *won.as_ref().unwrap()).count(), 1);
        let recovery = codes[3].clone();
        let won = house.sixteen(move |tx| {
            factor::use_recovery_code(tx, anna.owner.id, &Code::read(&recovery))
        });
        assert_eq!(won.into_iter().filter(|won| *won.as_ref().unwrap()).count(), 1);
    }

    fn each_recovery_code_works_once_regardless_of_its_spelling(engine) {
        let house = House::new(engine);
        house.open(ANNA);
        house.open(BRAM);
        let (anna, _, codes) = house.enrol(ANNA);
        house.enrol(BRAM);
        let remaining =
            || house.read(move |tx| factor::remaining_recovery_codes(tx, anna.owner.id));
        assert_eq!(remaining(), 10);
        let (brams, _) = house.begin(BRAM, noon()).unwrap();
        assert!(house.finish(&brams, noon(), &codes[0]).unwrap().is_none());
        for (typed, other) in
            [(codes[0].clone(), &codes[0]), (codes[1].to_uppercase().replace('-', " "), &codes[1])]
        {
            let (half, _) = house.begin(ANNA, noon()).unwrap();
            assert!(house.finish(&half, noon(), &typed).unwrap().is_some());
            let (half, _) = house.begin(ANNA, noon()).unwrap();
            assert!(house.finish(&half, noon(), other).unwrap().is_none());
        }
        assert_eq!(remaining(), 8);
        let renew = |shown: &str| {
            let shown = shown.to_owned();
            house
                .write(move |tx| {
                    factor::new_recovery_codes(
                        tx,
                        &env(noon()),
                        Some(&key()),
                        anna.owner.id,
                        &Code::read(&shown),
                    )
                })
                .unwrap()
        };
        for wrong in ["", "000000", &codes[0]] {
            assert!(renew(wrong).is_none());
        }
        assert_eq!(remaining(), 8);
        let new = renew(&codes[2]).unwrap();
        assert_eq!((remaining(), new.iter().any(|code| codes.contains(code))), (10, false));
        let (half, _) = house.begin(ANNA, noon()).unwrap();
        assert!(house.finish(&half, noon(), &codes[5]).unwrap().is_none());
        assert!(house.finish(&half, noon(), &new[5]).unwrap().is_some());
    }

    fn a_password_reset_does_not_bypass_the_second_factor(engine) {
        let house = House::new(engine);
        house.open(ANNA);
        let (_, secret, _) = house.enrol(ANNA);
        let link = house
            .write(|tx| password::reset_request(tx, &env(noon()), &address(ANNA)))
            .unwrap()
            .unwrap();
        house
            .write(move |tx| password::reset(tx, &env(noon()), &link.secret, &OTHER_HASH))
            .unwrap();
        let (half, session) = house.begin(ANNA, noon()).unwrap();
        assert_eq!(session.stage, Stage::SecondFactor);
        assert!(house.finish(&half, noon(), &code(&secret, noon())).unwrap().is_some());
    }

    fn set_up_ends_the_sessions_started_without_it(engine) {
        let house = House::new(engine);
        let anna = house.open(ANNA);
        let (mine, _) = house.begin(ANNA, noon()).unwrap();
        let (thiefs, _) = house.begin(ANNA, noon()).unwrap();
        let enrolment = factor::enrol_begin(&System, Some(&key()), noon(), &anna).unwrap();
        let (hash, typed) = (mine.hash(), code(&enrolment.secret, noon()));
        house
            .write(move |tx| {
                factor::enrol_finish(
                    tx,
                    &env(noon()),
                    Some(&key()),
                    anna.owner.id,
                    &hash,
                    &enrolment.encrypted,
                    &Code::read(&typed),
                )
            })
            .unwrap();
        assert_eq!(
            (house.stage(&mine, noon()), house.stage(&thiefs, noon())),
            (Some(Stage::SignedIn), None)
        );
    }

    fn a_removed_second_factor_is_no_longer_required(engine) {
        let house = House::new(engine);
        house.open(ANNA);
        let (anna, secret, codes) = house.enrol(ANNA);
        let disable = |shown: &str| {
            let shown = shown.to_owned();
            house.write(move |tx| {
                factor::disable(tx, &env(noon()), Some(&key()), anna.owner.id, &Code::read(&shown))
            })
        };
        for wrong in ["", "000000", &code(&secret, noon() - SECOND * 60)] {
            assert!(!disable(wrong).unwrap());
        }
        assert!(house.account(ANNA).owner.second_factor);
        assert!(disable(&code(&secret, noon())).unwrap());
        assert_eq!(
            house.events(anna.owner.id),
            [
                "code_failed",
                "code_failed",
                "code_failed",
                "password_reset",
                "second_factor_off",
                "second_factor_on"
            ]
        );
        assert_eq!(house.begin(ANNA, noon()).unwrap().1.stage, Stage::SignedIn);
        let recovery = codes[0].clone();
        assert!(
            !house
                .write(move |tx| factor::use_recovery_code(
                    tx,
                    anna.owner.id,
                    &Code::read(&recovery)
                ))
                .unwrap()
        );
        refused(disable("123456"), Refusal::SecondFactorOff);
        let renew = house.write(move |tx| {
            factor::new_recovery_codes(
                tx,
                &env(noon()),
                Some(&key()),
                anna.owner.id,
                &Code::read("123456"),
            )
        });
        refused(renew, Refusal::SecondFactorOff);
        refused(
            house.write(move |tx| {
                factor::check_code(
                    tx,
                    &env(noon()),
                    Some(&key()),
                    anna.owner.id,
                    &Code::read("123456"),
                )
            }),
            Refusal::SecondFactorOff,
        );
    }

    fn without_the_servers_key_only_recovery_codes_work(engine) {
        let house = House::new(engine);
        let bram = house.open(BRAM);
        house.open(ANNA);
        let (anna, secret, codes) = house.enrol(ANNA);
        refused(factor::enrol_begin(&System, None, noon(), &bram), Refusal::NoEncryptionKey);
        for other in [None, Some(EncryptionKey::new([1; 32]))] {
            let typed = code(&secret, noon());
            refused(
                house.write(move |tx| {
                    factor::check_code(
                        tx,
                        &env(noon()),
                        other.as_ref(),
                        anna.owner.id,
                        &Code::read(&typed),
                    )
                }),
                Refusal::NoEncryptionKey,
            );
        }
        let (half, _) = house.begin(ANNA, noon()).unwrap();
        let (hash, recovery) = (half.hash(), codes[0].clone());
        let finished = house
            .write(move |tx| sign_in::finish(tx, &env(noon()), None, &hash, &Code::read(&recovery)))
            .unwrap();
        assert!(matches!(finished, sign_in::Finished::SignedIn(_)));
    }
}
