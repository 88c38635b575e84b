//! Security events shown to the owner.

use crate::{ANNA, BRAM, House, SECOND, env, hours, noon};
use jiff::Timestamp;
use service::{
    environment::Visitor,
    people::events::{self, EventKind, Happened},
};
use store::people::PersonId;
use testing::on_both_engines;

impl House {
    fn note(
        &self,
        person: PersonId,
        at: Timestamp,
        kind: EventKind,
        detail: &str,
        address: &'static str,
    ) {
        let detail = detail.to_owned();
        let env = env(at).from_client(Visitor::new(address, ""));
        self.write(move |tx| events::record(tx, &env, person, kind, &detail)).unwrap();
    }

    fn overview(&self, person: PersonId, now: Timestamp) -> Vec<Happened> {
        self.read(move |tx| events::overview(tx, &env(now), person))
    }
}

on_both_engines! {
    fn routine_events_do_not_hide_grave_ones(engine) {
        let house = House::new(engine);
        let (anna, bram) = (house.open(ANNA).owner.id, house.open(BRAM).owner.id);
        house.note(anna, noon() - hours(1), EventKind::SignedIn, "Firefox", "192.0.2.1");
        house.note(anna, noon(), EventKind::SignedIn, "Firefox", "203.0.113.9");
        house.note(anna, noon() + SECOND, EventKind::KeyCreated, "thief", "203.0.113.9");
        house.note(bram, noon(), EventKind::KeyCreated, "another's", "");
        // Two alternating kinds, so that neighbours differ.
        for number in 0..40 {
            let at = noon() + SECOND * (10 + 2 * number);
            house.note(anna, at, EventKind::SettingsChanged, "", "203.0.113.9");
            house.note(anna, at + SECOND, EventKind::SignedIn, "Firefox", "192.0.2.1");
        }
        let shown = house.overview(anna, noon() + hours(1));
        let has = |kind: EventKind, address: &str| {
            shown
                .iter()
                .filter(|it| it.event.kind == kind.as_str() && it.event.address == address)
                .count()
        };
        assert_eq!(
            (has(EventKind::KeyCreated, "203.0.113.9"), has(EventKind::SignedIn, "203.0.113.9")),
            (1, 1)
        );
        // The overview contains the first sign-in from each address, and the last thirty of the
        // other events.
        assert_eq!(
            (has(EventKind::SettingsChanged, "203.0.113.9"), has(EventKind::SignedIn, "192.0.2.1")),
            (15, 15 + 1)
        );
        assert!(shown.iter().all(|it| it.event.detail != "another's"));
        assert!(shown.is_sorted_by(|one, next| one.event.at >= next.event.at));
        // Grave events disappear after 90 days.
        let late = house.overview(anna, noon() + SECOND + hours(90 * 24));
        assert!(late.iter().all(|it| it.event.kind != "key_created") && late.len() == 30);
    }

    fn equal_neighbouring_events_are_merged(engine) {
        let house = House::new(engine);
        let anna = house.open(ANNA).owner.id;
        for number in 0..50 {
            house.note(
                anna,
                noon() + SECOND * (number + 1),
                EventKind::SignInFailed,
                "Firefox",
                "203.0.113.9",
            );
        }
        house.note(anna, noon() + SECOND * 51, EventKind::SignInFailed, "Firefox", "192.0.2.1");
        house.note(anna, noon() + SECOND * 52, EventKind::SignInFailed, "Firefox", "203.0.113.9");
        let shown = house.overview(anna, noon() + hours(1));
        let reported: Vec<_> = shown
            .iter()
            .map(|it| (it.event.kind.as_str(), it.event.address.as_str(), it.times))
            .collect();
        assert_eq!(
            reported[..3],
            [
                ("sign_in_failed", "203.0.113.9", 1),
                ("sign_in_failed", "192.0.2.1", 1),
                ("sign_in_failed", "203.0.113.9", 50),
            ]
        );
        assert_eq!(shown[2].event.at, noon() + SECOND * 50);
    }
}
