//! Who waits how long, and who does not.

use super::{
    tallies::{CAPACITY, FAMILIAR, FULL},
    *,
};
use jiff::SignedDuration;

const WHO: &str = "anna@example.com";
const HOME: &str = "192.0.2.1";

fn at(seconds: i64) -> Timestamp {
    Timestamp::from_second(1_800_000_000 + seconds).unwrap()
}

fn wait<T>(outcome: Result<T, SlowDown>) -> i64 {
    outcome.map_or_else(|slow| slow.retry_after, |_| 0)
}

/// The seconds at which tries are let in, for who tries again as soon as they may.
fn tries<T>(count: usize, mut admit: impl FnMut(Timestamp) -> Result<T, SlowDown>) -> Vec<i64> {
    let (mut now, mut seconds) = (0, Vec::new());
    while seconds.len() < count {
        match wait(admit(at(now))) {
            0 => seconds.push(now),
            more => now += more,
        }
    }
    seconds
}

#[test]
fn tries_at_one_account_from_one_address_get_slower() {
    let throttle = Throttle::default();
    let seconds = tries(14, |now| throttle.admit(now, WHO, HOME));
    assert_eq!(seconds, [0, 0, 0, 0, 0, 0, 1, 3, 7, 15, 31, 63, 123, 183]);
    assert_eq!(wait(throttle.admit(at(184), " Anna@Example.COM", HOME)), 59, "however the address is written");
    assert_eq!(wait(throttle.admit(at(184), "bram@example.com", HOME)), 0, "another account is another matter");
}

#[test]
fn an_address_that_tries_many_accounts_gets_slower() {
    let throttle = Throttle::default();
    let mut number = 0;
    let seconds = tries(32, |now| {
        number += 1;
        throttle.admit(now, &format!("{number}@example.com"), HOME)
    });
    assert_eq!(seconds[20], 0);
    assert_eq!(seconds[21..25], [1, 3, 7, 15]);
    assert_eq!(seconds[31] - seconds[30], 300);
    assert_eq!(wait(throttle.admit(at(seconds[31]), WHO, "192.0.2.2")), 0);
}

#[test]
fn one_subscriber_of_ipv6_is_one_address() {
    let throttle = Throttle::default();
    for number in 0..21 {
        assert_eq!(wait(throttle.admit(at(0), &number.to_string(), &format!("2001:db8:0:7::{number:x}"))), 0);
    }
    assert_eq!(wait(throttle.admit(at(0), "x", "2001:db8:0:7:ffff::1")), 1);
    assert_eq!(wait(throttle.admit(at(0), "x", "2001:db8:0:8::1")), 0);
    assert_eq!(network("::ffff:192.0.2.1"), "192.0.2.1");
}

#[test]
fn strangers_do_not_keep_the_owner_out() {
    let throttle = Throttle::default();
    throttle.succeeded(at(0), throttle.admit(at(0), WHO, HOME).unwrap());
    let strangers = |second| (0..200).filter(|one| throttle.admit(at(second), WHO, &format!("198.51.100.{one}")).is_ok()).count();
    assert_eq!(strangers(1), 11);
    assert_eq!(strangers(3), 200);
    // From where they signed in before they do not notice.
    assert_eq!(wait(throttle.admit(at(3), WHO, HOME)), 0);
    // From anywhere else they wait half a minute, once, whatever the strangers go on doing.
    assert_eq!(wait(throttle.admit(at(3), WHO, "203.0.113.9")), 30);
    strangers(20);
    assert_eq!(wait(throttle.admit(at(32), WHO, "203.0.113.9")), 1);
    assert_eq!(wait(throttle.admit(at(33), WHO, "203.0.113.9")), 0);
    assert_eq!(wait(throttle.admit(at(33), WHO, "203.0.113.9")), 0);
}

#[test]
fn a_right_password_does_not_count() {
    let throttle = Throttle::default();
    for _ in 0..100 {
        throttle.succeeded(at(0), throttle.admit(at(0), WHO, HOME).unwrap());
    }
    assert_eq!(wait(throttle.admit(at(0), "bram@example.com", HOME)), 0);
}

#[test]
fn many_tries_at_once_are_as_slow_as_one_after_another() {
    let throttle = Throttle::default();
    let admitted = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..64).map(|_| scope.spawn(|| throttle.admit(at(0), WHO, HOME).is_ok())).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).filter(|admitted| *admitted).count()
    });
    assert_eq!(admitted, 6);
}

#[test]
fn an_hour_of_quiet_is_forgiven() {
    let throttle = Throttle::default();
    let last = *tries(14, |now| throttle.admit(now, WHO, HOME)).last().unwrap();
    assert!(wait(throttle.admit(at(last), WHO, HOME)) > 0);
    for _ in 0..5 {
        assert_eq!(wait(throttle.admit(at(last + 3_600), WHO, HOME)), 0);
    }
}

#[test]
fn codes_get_slower_wherever_they_come_from() {
    let throttle = Throttle::default();
    let seconds = tries(20, |now| throttle.admit_code(now, 7));
    assert_eq!(seconds[..8], [0, 0, 0, 0, 0, 0, 1, 3]);
    assert_eq!(seconds[19] - seconds[18], 900);
    assert_eq!(wait(throttle.admit_code(at(0), 8)), 0);
    throttle.forget_codes(7);
    assert_eq!(wait(throttle.admit_code(at(seconds[19]), 7)), 0);
}

#[test]
fn one_mailbox_gets_a_few_mails_of_a_kind_an_hour() {
    let throttle = Throttle::default();
    let sent = (0..100).filter(|_| throttle.admit_mail(at(0), MailKind::SignUp, "x@example.com")).count();
    assert_eq!(sent, 6);
    assert!(!throttle.admit_mail(at(0), MailKind::SignUp, " X@EXAMPLE.com"));
    assert!(throttle.admit_mail(at(0), MailKind::SignUp, "y@example.com"));
    assert!(throttle.admit_mail(at(0), MailKind::ChangeEmail, "x@example.com"));
}

#[test]
fn an_address_sends_a_few_forms_and_then_slowly() {
    let throttle = Throttle::default();
    let seconds = tries(16, |now| throttle.admit_form(now, HOME));
    assert_eq!(seconds[..9], [0, 0, 0, 0, 0, 0, 1, 3, 7]);
    assert_eq!(seconds[15] - seconds[14], 120);
    assert_eq!(wait(throttle.admit_form(at(0), "192.0.2.2")), 0);
}

#[test]
fn signing_in_to_ones_own_account_does_not_shorten_the_wait_for_anothers() {
    let waited = |own: bool| {
        let throttle = Throttle::default();
        let (begun, mut now) = (Timestamp::UNIX_EPOCH, Timestamp::UNIX_EPOCH);
        for number in 0..26 {
            while let Err(slow) = throttle.admit(now, &format!("{number}@example.com"), HOME) {
                now += SignedDuration::from_secs(slow.retry_after);
            }
            // From ever new accounts of the same person, so that none is familiar.
            if let Ok(mine) = throttle.admit(now, &format!("mine{number}@example.com"), HOME) {
                if own { throttle.succeeded(now, mine) } else { throttle.take_back(mine) }
            }
        }
        now.duration_since(begun)
    };
    assert!(waited(true) >= waited(false));
    assert!(waited(true) >= SignedDuration::from_secs(15));
}

#[test]
fn what_was_not_compared_does_not_count() {
    let throttle = Throttle::default();
    for _ in 0..100 {
        throttle.take_back(throttle.admit(at(0), WHO, HOME).unwrap());
    }
    let seconds = tries(8, |now| throttle.admit(now, WHO, HOME));
    assert_eq!(seconds, [0, 0, 0, 0, 0, 0, 1, 3]);
}

#[test]
fn many_strangers_free_nobody_who_has_to_wait() {
    let throttle = Throttle::default();
    tries(10, |now| throttle.admit_code(now, 7));
    let now = at(8);
    assert!(wait(throttle.admit_code(now, 7)) > 0);
    for number in 0..(CAPACITY * 2) as u128 {
        let _ = throttle.counts().codes.admit(number, now);
        let _ = throttle.admit_form(now, &number.to_string());
    }
    assert!(wait(throttle.admit_code(now, 7)) > 0);
    // When all have to wait, who is new has to wait too.
    let codes = &mut throttle.counts().codes;
    codes.tallies.values_mut().for_each(|tally| tally.not_before = now + FAMILIAR);
    for number in 0..CAPACITY as u128 {
        codes.tallies.insert(number, Tally { tries: 9, last: now, not_before: now + FAMILIAR });
    }
    assert_eq!(codes.admit(u128::MAX, now), Err(FULL));
}

/// The seconds at which a client that is not who it says may try again, when it does as soon as it may.
fn failures(throttle: &Throttle, count: usize, mut name: impl FnMut() -> String) -> Vec<i64> {
    tries(count, |now| {
        let client = name();
        throttle.admit_client(now, &client, HOME).inspect(|()| throttle.client_failed(now, &client, HOME))
    })
}

#[test]
fn an_application_that_fails_gets_slower_at_its_address_alone() {
    let throttle = Throttle::default();
    let seconds = failures(&throttle, 20, || "shop".into());
    assert_eq!(seconds[9..14], [0, 0, 1, 3, 7]);
    assert_eq!(seconds[19] - seconds[18], 60);
    assert!(wait(throttle.admit_client(at(seconds[19]), "shop", HOME)) > 0);
    assert_eq!(wait(throttle.admit_client(at(seconds[19]), "shop", "192.0.2.2")), 0);
    assert_eq!(wait(throttle.admit_client(at(seconds[19]), "Shop", HOME)), 0, "ids differ by their case");
}

#[test]
fn an_application_does_not_wait_for_what_others_fail_at_its_address() {
    let throttle = Throttle::default();
    let mut number = 0;
    throttle.client_succeeded(at(0), "shop", HOME);
    let seconds = failures(&throttle, 60, || {
        number += 1;
        number.to_string()
    });
    assert_eq!(seconds[49..54], [0, 0, 1, 3, 7]);
    assert_eq!(seconds[59] - seconds[58], 60);
    let last = at(seconds[59]);
    assert_eq!((wait(throttle.admit_client(last, "other", HOME)), wait(throttle.admit_client(last, "shop", HOME))), (60, 0));
    // Its own failures do count, until it proves who it is.
    for _ in 0..11 {
        throttle.client_failed(last, "shop", HOME);
    }
    assert_eq!(wait(throttle.admit_client(last, "shop", HOME)), 1);
    throttle.client_succeeded(last, "shop", HOME);
    assert_eq!(wait(throttle.admit_client(last, "shop", HOME)), 0);
}

#[test]
fn memory_is_bounded() {
    let throttle = Throttle::default();
    for number in 0..(CAPACITY * 2) {
        let address = format!("10.{}.{}.{}", number >> 16, number >> 8 & 255, number & 255);
        let _ = throttle.admit(at(0), &format!("{number}@example.com"), &address);
        if let Ok(tried) = throttle.admit(at(0), &number.to_string(), &address) {
            throttle.succeeded(at(0), tried);
        }
    }
    let counts = throttle.counts();
    for tallies in [&counts.pairs, &counts.addresses, &counts.accounts] {
        assert!(tallies.tallies.len() <= CAPACITY);
    }
    assert!(counts.familiar.len() <= CAPACITY);
}
