//! Background removal of expired rows only, a few at a time.

use crate::{ANNA, BRAM, House, SECOND, address, env, hours, noon};
use jiff::Timestamp;
use service::{
    Context,
    people::{self, data, password},
    unfinished::{self, Save, Saved, Subject},
};
use testing::on_both_engines;

impl House {
    fn sweep(&self, now: Timestamp, limit: i64) -> i64 {
        self.write(move |tx| people::sweep(tx, &env(now), limit)).unwrap()
    }
}

fn form(id: &str) -> Save {
    Save {
        id: id.to_owned(),
        form: "invoice",
        path: "/invoices/new".to_owned(),
        rev: 1,
        fields: "customer.name=Korenaar".to_owned(),
        subject: Subject::Text("Korenaar".to_owned()),
    }
}

on_both_engines! {
    fn ended_sessions_are_removed(engine) {
        let house = House::new(engine);
        house.open(ANNA);
        house.begin(ANNA, noon()).unwrap();
        house.begin(ANNA, noon() + hours(1)).unwrap();
        assert_eq!(house.sweep(noon() + hours(24) - SECOND, 100), 0);
        assert_eq!(house.sweep(noon() + hours(24), 100), 1);
        house
            .raw()
            .run("UPDATE sessions SET last_seen_at = (SELECT MAX(last_seen_at) FROM sessions)")
            .unwrap();
        assert_eq!((house.count("sessions"), house.sweep(noon() + hours(25), 100)), (1, 1));
    }

    fn used_sessions_are_removed_when_they_are_too_old(engine) {
        let house = House::new(engine);
        house.open(ANNA);
        let (token, _) = house.begin(ANNA, noon()).unwrap();
        let end = noon() + hours(14 * 24);
        house.write(move |tx| people::sessions::touch(tx, &env(end), &token.hash())).unwrap();
        assert_eq!([house.sweep(end - SECOND, 100), house.sweep(end, 100)], [0, 1]);
    }

    fn links_are_removed_when_they_expire(engine) {
        let house = House::new(engine);
        house.open(ANNA);
        house.write(|tx| password::reset_request(tx, &env(noon()), &address(ANNA))).unwrap();
        assert_eq!(
            [house.sweep(noon() + hours(1) - SECOND, 100), house.sweep(noon() + hours(1), 100)],
            [0, 1]
        );
        assert_eq!(house.count("mail_tokens"), 0);
    }

    fn unconfirmed_accounts_are_closed_after_a_week(engine) {
        let house = House::new(engine);
        house.open(ANNA);
        house.signed_up(BRAM, noon());
        let week = noon() + hours(7 * 24);
        house.sweep(week - SECOND, 100);
        assert_eq!(house.count("accounts WHERE closed_at IS NULL"), 2);
        house.sweep(week, 100);
        assert_eq!(house.count("accounts WHERE closed_at IS NULL"), 1);
        while house.sweep(week + hours(1), 100) > 0 {}
        assert_eq!(
            (house.count("accounts"), house.count("person_events"), house.count("books")),
            (1, 1, 1)
        );
        assert_eq!(house.account(ANNA).owner.email, ANNA);
    }

    fn an_account_stays_while_a_link_to_confirm_it_is_valid(engine) {
        let house = House::new(engine);
        house.signed_up(BRAM, noon());
        let week = noon() + hours(7 * 24);
        house.signed_up(BRAM, week - SECOND);
        house.sweep(week, 100);
        assert_eq!(house.count("accounts WHERE closed_at IS NULL"), 1);
        house.sweep(week + hours(24), 100);
        assert_eq!(house.count("accounts WHERE closed_at IS NULL"), 0);
    }

    fn events_are_kept_for_a_year(engine) {
        let house = House::new(engine);
        house.open(ANNA);
        assert_eq!(house.count("person_events"), 1);
        let year = noon() + hours(366 * 24);
        assert_eq!([house.sweep(year - SECOND, 100), house.sweep(year, 100)], [0, 1]);
    }

    fn executed_forms_are_remembered_for_a_day(engine) {
        let house = House::new(engine);
        let cx = Context::of_owner(&house.open(ANNA), env(noon()));
        let send = move |made: &'static str| {
            let cx = cx.clone();
            move |tx: &mut store::Tx<'_>| {
                service::submissions::once(tx, &cx.at(noon()), "form", |_| Ok(made.to_owned()))
            }
        };
        assert_eq!(house.write(send("/first")).unwrap(), "/first");
        assert_eq!(house.write(send("/second")).unwrap(), "/first");
        assert_eq!(
            [house.sweep(noon() + hours(24) - SECOND, 100), house.sweep(noon() + hours(24), 100)],
            [0, 1]
        );
        assert_eq!(house.write(send("/third")).unwrap(), "/third");
    }

    fn unfinished_forms_are_kept_for_ninety_days(engine) {
        let house = House::new(engine);
        let anna = house.open(ANNA);
        let cx = Context::of_owner(&anna, env(noon()));
        let person = anna.owner.id;
        let save = |id: &'static str, hour: i64| {
            let cx = cx.at(noon() + hours(hour));
            house.write(move |tx| unfinished::save(tx, &cx, person, &form(id)))
        };
        for (id, hour) in [("open", 0), ("discarded", 0), ("finished", 0), ("later", 1)] {
            assert_eq!(save(id, hour).unwrap(), Saved::Stored);
        }
        let (at, later) = (cx.at(noon() + hours(24)), cx.at(noon() + hours(48)));
        house
            .write(move |tx| {
                unfinished::discard(tx, &at, person, "discarded")?;
                // Whether it was saved or not.
                unfinished::end(tx, &at, person, "finished")?;
                unfinished::end(tx, &at, person, "unsaved")
            })
            .unwrap();
        assert_eq!(house.count("unfinished_forms"), 5);
        // Ended forms stay for a day: to be restored, and to refuse a save that comes late.
        assert_eq!(house.sweep(noon() + hours(48) - SECOND, 100), 0);
        assert_eq!(save("unsaved", 24).unwrap(), Saved::Outdated);
        assert_eq!(house.sweep(noon() + hours(48), 100), 3);
        let restored = house.write(move |tx| unfinished::restore(tx, &later, person, "discarded"));
        assert!(matches!(restored, Err(service::Error::NotFound(_))));
        let end = noon() + hours(90 * 24);
        assert_eq!([house.sweep(end - SECOND, 100), house.sweep(end, 100)], [0, 1]);
        assert_eq!(house.count("unfinished_forms"), 1);
    }

    /// A person's forms are erased with their account, and the owner's export has nobody else's.
    fn unfinished_forms_go_with_their_person(engine) {
        let house = House::new(engine);
        let (anna, bram) = (house.open(ANNA), house.open(BRAM));
        let cx = Context::of_owner(&anna, env(noon()));
        let (person, other) = (anna.owner.id, bram.owner.id);
        house
            .write(move |tx| {
                unfinished::save(tx, &cx, person, &form("own"))?;
                unfinished::save(tx, &cx, other, &form("other"))
            })
            .unwrap();
        let account = anna.id;
        let exported = house.read(move |tx| {
            let mut ids = Vec::new();
            data::export(tx, account, &mut |table, row| {
                if table == "unfinished_forms" {
                    ids.extend(row.iter().filter(|(name, _)| name == "id").cloned());
                }
                Ok(())
            })?;
            Ok(ids)
        });
        assert_eq!(exported, [("id".to_owned(), data::Value::Text("own".to_owned()))]);
        house
            .write(move |tx| store::closing::close(tx, person, noon()).map_err(Into::into))
            .unwrap();
        while house.sweep(noon() + hours(1), 100) > 0 {}
        while house.sweep(noon() + hours(100 * 24), 100) > 0 {}
        assert_eq!(house.count("unfinished_forms"), 0);
    }

    fn a_sweep_removes_no_more_than_it_may(engine) {
        let house = House::new(engine);
        house.open(ANNA);
        for _ in 0..5 {
            house.begin(ANNA, noon()).unwrap();
            house.write(|tx| password::reset_request(tx, &env(noon()), &address(ANNA))).unwrap();
        }
        let late = noon() + hours(48);
        assert_eq!(
            [
                house.sweep(late, 4),
                house.sweep(late, 4),
                house.sweep(late, 4),
                house.sweep(late, 4)
            ],
            [4, 4, 2, 0]
        );
    }
}
