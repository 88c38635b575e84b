//! Sessions: start, lookup by token, expiry, ending, and the effect of a new password.

use crate::{ANNA, BRAM, HASH, House, OTHER_HASH, SECOND, address, env, hours, noon, refused};
use jiff::SignedDuration;
use service::{
    Error,
    environment::Visitor,
    people::{Refusal, SessionToken, Stage, data, password, sessions, sign_in},
};
use store::people::PersonId;
use testing::on_both_engines;

impl House {
    fn finds(&self, token: &SessionToken, now: jiff::Timestamp) -> Option<String> {
        let hash = token.hash();
        self.read(move |tx| sessions::look_up(tx, &env(now), &hash))
            .map(|signed_in| signed_in.account.owner.email)
    }
}

on_both_engines! {
    fn a_session_is_found_by_its_token_and_stored_by_its_hash(engine) {
        let house = House::new(engine);
        house.open(ANNA);
        house.open(BRAM);
        let (anna, session) = house.begin("Anna@Example.com ", noon()).unwrap();
        let (bram, _) = house.begin(BRAM, noon()).unwrap();
        assert_eq!(house.finds(&anna, noon()).as_deref(), Some(ANNA));
        assert_eq!(house.finds(&bram, noon()).as_deref(), Some(BRAM));
        assert_eq!((anna.as_str().len(), session.stage), (43, Stage::SignedIn));
        assert_eq!(
            (session.address.as_str(), session.user_agent.as_str()),
            ("192.0.2.7", "Firefox")
        );
        assert!(
            house
                .read(|tx| sessions::look_up(tx, &env(noon()), &sessions::hash("something else")))
                .is_none()
        );
        for row in house.raw().table("sessions") {
            assert!(!row.iter().flatten().any(|value| value.contains(anna.as_str())), "{row:?}");
        }
        assert_eq!(format!("{anna:?}"), "SessionToken");
    }

    fn a_session_ends_after_a_day_unused_and_after_two_weeks(engine) {
        let house = House::new(engine);
        house.open(ANNA);
        let (token, _) = house.begin(ANNA, noon()).unwrap();
        assert!(house.finds(&token, noon() + hours(24) - SECOND).is_some());
        assert!(house.finds(&token, noon() + hours(24)).is_none());
        let touch = |at| {
            let hash = token.hash();
            house.write(move |tx| sessions::touch(tx, &env(at), &hash)).unwrap();
        };
        for day in 1..=14 {
            let at = noon() + hours(23 * day);
            assert!(house.finds(&token, at).is_some(), "day {day}");
            touch(at);
        }
        let end = noon() + hours(14 * 24);
        assert!(house.finds(&token, end - SECOND).is_some());
        touch(end - SECOND);
        assert!(house.finds(&token, end).is_none());
        // A clock that is behind does not move the last use back.
        touch(noon());
        assert!(house.finds(&token, end - SECOND).is_some());
    }

    fn a_fresh_password_is_at_most_ten_minutes_old(engine) {
        let house = House::new(engine);
        house.open(ANNA);
        let (token, _) = house.begin(ANNA, noon()).unwrap();
        let hash = token.hash();
        let signed_in = house.read(move |tx| sessions::look_up(tx, &env(noon()), &hash)).unwrap();
        let ten = SignedDuration::from_mins(10);
        assert!(signed_in.is_fresh(noon() + ten) && !signed_in.is_fresh(noon() + ten + SECOND));
        assert!(
            !signed_in.needs_touch(noon() + SECOND * 59)
                && signed_in.needs_touch(noon() + SECOND * 60)
        );
        // Entering the password again makes the session fresh; the old token stops working.
        let (later, verified) = (noon() + hours(1), house.credentials(ANNA));
        let new =
            house.write(move |tx| sessions::rotate(tx, &env(later), &hash, &verified)).unwrap();
        assert!(house.finds(&token, later).is_none());
        let hash = new.hash();
        let signed_in = house.read(move |tx| sessions::look_up(tx, &env(later), &hash)).unwrap();
        assert!(signed_in.is_fresh(later + ten));
        assert_eq!(signed_in.session.created_at, noon());
    }

    fn a_session_cannot_be_renewed_with_another_persons_password(engine) {
        let house = House::new(engine);
        house.open(ANNA);
        house.open(BRAM);
        let (token, _) = house.begin(ANNA, noon()).unwrap();
        let (hash, bram) = (token.hash(), house.credentials(BRAM));
        refused(
            house.write(move |tx| sessions::rotate(tx, &env(noon()), &hash, &bram)),
            Refusal::SignedOut,
        );
        assert!(house.finds(&token, noon()).is_some());
    }

    fn sessions_are_listed_and_ended_singly_or_together(engine) {
        let house = House::new(engine);
        let (anna, bram) = (house.open(ANNA), house.open(BRAM));
        let begun: Vec<_> =
            (0..4).map(|number| house.begin(ANNA, noon() + SECOND * number).unwrap()).collect();
        let (brams, _) = house.begin(BRAM, noon()).unwrap();
        let now = noon() + SECOND * 10;
        let listed = house.read(move |tx| sessions::list(tx, &env(now), anna.owner.id));
        let ids: Vec<&str> = listed.iter().map(|session| session.id.as_str()).collect();
        assert_eq!(
            ids,
            begun.iter().rev().map(|(_, session)| session.id.as_str()).collect::<Vec<_>>()
        );

        let first = begun[0].1.id.clone();
        let end = |person: PersonId, id: String| {
            house.write(move |tx| sessions::end(tx, &env(now), person, &id))
        };
        assert!(matches!(end(bram.owner.id, first.clone()), Err(Error::NotFound("session"))));
        end(anna.owner.id, first.clone()).unwrap();
        assert!(matches!(end(anna.owner.id, first), Err(Error::NotFound("session"))));
        let alive =
            || begun.iter().map(|(token, _)| house.finds(token, now).is_some()).collect::<Vec<_>>();
        assert_eq!(alive(), [false, true, true, true]);

        let hash = begun[1].0.hash();
        house.write(move |tx| sessions::sign_out(tx, &env(now), &hash)).unwrap();
        let kept = begun[2].0.hash();
        house.write(move |tx| sessions::end_others(tx, &env(now), anna.owner.id, &kept)).unwrap();
        assert_eq!(alive(), [false, false, true, false]);
        house.write(move |tx| sessions::end_all(tx, &env(now), anna.owner.id)).unwrap();
        assert_eq!(alive(), [false; 4]);
        assert!(house.finds(&brams, now).is_some());
        assert_eq!(
            house.events(anna.owner.id),
            [
                "password_reset",
                "session_ended",
                "sessions_ended",
                "sessions_ended",
                "signed_in",
                "signed_in",
                "signed_in",
                "signed_in",
                "signed_out"
            ]
        );
    }

    fn a_new_password_ends_the_other_sessions(engine) {
        let house = House::new(engine);
        house.open(ANNA);
        house.open(BRAM);
        let (mine, _) = house.begin(ANNA, noon()).unwrap();
        let (thiefs, _) = house.begin(ANNA, noon()).unwrap();
        let (brams, _) = house.begin(BRAM, noon()).unwrap();
        let (verified, hash) = (house.credentials(ANNA), mine.hash());
        let before = verified.clone();
        let new = house
            .write(move |tx| password::change(tx, &env(noon()), &verified, &OTHER_HASH, &hash))
            .unwrap();
        assert_eq!(
            [&mine, &thiefs, &new, &brams].map(|token| house.finds(token, noon()).is_some()),
            [false, false, true, true]
        );
        assert_eq!(house.credentials(ANNA).password_hash.as_deref(), Some(OTHER_HASH.as_str()));
        assert_eq!(house.credentials(BRAM).password_hash.as_deref(), Some(HASH.as_str()));
        // A client that verified the old password just before the change cannot start a session.
        let late = before.clone();
        refused(
            house.write(move |tx| sign_in::begin(tx, &env(noon()), &late)),
            Refusal::PasswordChanged,
        );
        // A rehash of the old password does not restore it.
        house.write(move |tx| password::rehash(tx, &before, "new hash")).unwrap();
        assert_eq!(house.credentials(ANNA).password_hash.as_deref(), Some(OTHER_HASH.as_str()));
        let now = house.credentials(ANNA);
        house.write(move |tx| password::rehash(tx, &now, "new hash")).unwrap();
        assert_eq!(house.credentials(ANNA).password_hash.as_deref(), Some("new hash"));
        assert!(house.finds(&new, noon()).is_some());
    }

    fn sign_in_needs_a_password_and_an_open_account(engine) {
        let house = House::new(engine);
        let anna = house.open(ANNA);
        let (token, _) = house.begin(ANNA, noon()).unwrap();
        let verified = house.credentials(ANNA);
        house.write(move |tx| data::close(tx, &env(noon()), anna.owner.id)).unwrap();
        assert!(house.finds(&token, noon()).is_none());
        assert!(house.read(|tx| sign_in::find(tx, &address(ANNA))).is_none());
        let begun = house.write(move |tx| sign_in::begin(tx, &env(noon()), &verified));
        assert!(matches!(begun, Err(Error::NotFound("account"))));
        house.raw().run("UPDATE people SET password_hash = NULL").unwrap();
        house.open(BRAM);
        house.raw().run("UPDATE people SET password_hash = NULL").unwrap();
        refused(house.begin(BRAM, noon()), Refusal::PasswordChanged);
        assert!(house.read(|tx| sign_in::find(tx, &address("nobody@example.com"))).is_none());
    }

    fn failed_sign_ins_are_recorded(engine) {
        let house = House::new(engine);
        let anna = house.open(ANNA);
        house.write(move |tx| sign_in::failed(tx, &env(noon() + SECOND), anna.owner.id)).unwrap();
        assert_eq!(house.events(anna.owner.id), ["password_reset", "sign_in_failed"]);
    }
}

#[test]
fn client_details_are_truncated_to_what_can_be_stored() {
    let visitor = Visitor::new(&"1".repeat(300), &format!("é\u{7}\r\n{}", "x".repeat(400)));
    assert_eq!(visitor.address.len(), 255);
    assert_eq!(visitor.user_agent.chars().count(), 255);
    assert!(visitor.user_agent.starts_with("éxx"));
}
