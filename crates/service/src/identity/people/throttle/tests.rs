//! Tests of the rate limits: who has to wait, and how long.

use super::{counters::CAPACITY, *};
use jiff::SignedDuration;

const WHO: &str = "anna@example.com";
const HOME: &str = "192.0.2.1";

fn at(seconds: i64) -> Timestamp {
    Timestamp::from_second(1_800_000_000 + seconds).unwrap()
}

fn wait<T>(outcome: Result<T, RetryAfter>) -> i64 {
    outcome.map_or_else(|throttled| throttled.retry_after, |_| 0)
}

/// Returns the times, in seconds, at which attempts are admitted if the client retries as soon as
/// possible.
fn tries<T>(count: usize, mut admit: impl FnMut(Timestamp) -> Result<T, RetryAfter>) -> Vec<i64> {
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
fn attempts_at_one_account_from_one_address_get_slower() {
    let throttle = Throttle::default();
    let seconds = tries(14, |now| throttle.admit(now, WHO, HOME));
    assert_eq!(seconds, [0, 0, 0, 0, 0, 0, 1, 3, 7, 15, 31, 63, 123, 183]);
    assert_eq!(
        wait(throttle.admit(at(184), " Anna@Example.COM", HOME)),
        59,
        "regardless of case and blanks"
    );
    assert_eq!(
        wait(throttle.admit(at(184), "bram@example.com", HOME)),
        0,
        "another account is counted separately"
    );
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
fn one_ipv6_subscriber_counts_as_one_address() {
    let throttle = Throttle::default();
    for number in 0..21 {
        assert_eq!(
            wait(throttle.admit(at(0), &number.to_string(), &format!("2001:db8:0:7::{number:x}"))),
            0
        );
    }
    assert_eq!(wait(throttle.admit(at(0), "x", "2001:db8:0:7:ffff::1")), 1);
    assert_eq!(
        wait(throttle.admit(at(0), "x", "2001:db8:0:ff::1")),
        1,
        "a subscriber has 256 networks"
    );
    assert_eq!(wait(throttle.admit(at(0), "x", "2001:db8:0:100::1")), 0);
    assert_eq!(network("::ffff:192.0.2.1"), "192.0.2.1");
}

#[test]
fn strangers_do_not_keep_the_owner_out() {
    let throttle = Throttle::default();
    throttle.succeeded(at(0), throttle.admit(at(0), WHO, HOME).unwrap());
    let strangers = |second| {
        (0..200)
            .filter(|one| throttle.admit(at(second), WHO, &format!("198.51.100.{one}")).is_ok())
            .count()
    };
    assert_eq!(strangers(1), 11);
    assert_eq!(strangers(3), 200);
    // An owner at a known address is not affected.
    assert_eq!(wait(throttle.admit(at(3), WHO, HOME)), 0);
    // At any other address the owner waits half a minute, once, regardless of further attempts by
    // the strangers.
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
fn concurrent_attempts_are_as_slow_as_sequential_ones() {
    let throttle = Throttle::default();
    let admitted = std::thread::scope(|scope| {
        let threads: Vec<_> =
            (0..64).map(|_| scope.spawn(|| throttle.admit(at(0), WHO, HOME).is_ok())).collect();
        threads
            .into_iter()
            .map(|thread| thread.join().unwrap())
            .filter(|admitted| *admitted)
            .count()
    });
    assert_eq!(admitted, 6);
}

#[test]
fn attempts_are_forgotten_after_an_hour_without_any() {
    let throttle = Throttle::default();
    let last = *tries(14, |now| throttle.admit(now, WHO, HOME)).last().unwrap();
    assert!(wait(throttle.admit(at(last), WHO, HOME)) > 0);
    for _ in 0..5 {
        assert_eq!(wait(throttle.admit(at(last + 3_600), WHO, HOME)), 0);
    }
}

#[test]
fn codes_get_slower_from_any_address() {
    let throttle = Throttle::default();
    let seconds = tries(20, |now| throttle.admit_code(now, PersonId(7)));
    assert_eq!(seconds[..8], [0, 0, 0, 0, 0, 0, 1, 3]);
    assert_eq!(seconds[19] - seconds[18], 900);
    assert_eq!(wait(throttle.admit_code(at(0), PersonId(8))), 0);
    throttle.forget_codes(PersonId(7));
    assert_eq!(wait(throttle.admit_code(at(seconds[19]), PersonId(7))), 0);
}

#[test]
fn one_mailbox_gets_a_few_mails_of_a_kind_per_hour() {
    let throttle = Throttle::default();
    let sent = |second, from: &str, recipient| {
        throttle.admit_mail(at(second), MailKind::SignUp { from }, recipient)
    };
    // A stranger can cause only a few emails, and the owner's own sign-up still sends one.
    assert_eq!((0..3_600).filter(|second| sent(*second, HOME, "x@example.com")).count(), 5);
    assert!(sent(3_600, "192.0.2.2", "x@example.com"));
    assert_eq!((0..100).filter(|_| sent(3_600, HOME, "y@example.com")).count(), 2);
    assert!(!sent(3_600, HOME, " Y@EXAMPLE.com"));
    // Even many strangers can cause only a limited number of emails.
    let many = |second| {
        (0..50).filter(|one| sent(second, &format!("198.51.100.{one}"), "z@example.com")).count()
    };
    assert_eq!(many(0), 21);
    assert_eq!((1..3_600).map(many).sum::<usize>(), 19);
    let changes = (0..100)
        .filter(|_| throttle.admit_mail(at(0), MailKind::ChangeEmail, "x@example.com"))
        .count();
    assert_eq!(changes, 6);
}

#[test]
fn an_address_may_send_a_few_forms_and_then_slows_down() {
    let throttle = Throttle::default();
    let seconds = tries(16, |now| throttle.admit_form(now, HOME));
    assert_eq!(seconds[..9], [0, 0, 0, 0, 0, 0, 1, 3, 7]);
    assert_eq!(seconds[15] - seconds[14], 120);
    assert_eq!(wait(throttle.admit_form(at(0), "192.0.2.2")), 0);
}

#[test]
fn signing_in_to_an_own_account_does_not_shorten_the_wait_for_others() {
    let waited = |own: bool| {
        let throttle = Throttle::default();
        let (begun, mut now) = (Timestamp::UNIX_EPOCH, Timestamp::UNIX_EPOCH);
        for number in 0..26 {
            while let Err(throttled) = throttle.admit(now, &format!("{number}@example.com"), HOME) {
                now += SignedDuration::from_secs(throttled.retry_after);
            }
            // Each attempt is at a new account, so that the address is never a known client.
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
fn an_attempt_that_was_not_compared_does_not_count() {
    let throttle = Throttle::default();
    for _ in 0..100 {
        throttle.take_back(throttle.admit(at(0), WHO, HOME).unwrap());
    }
    let seconds = tries(8, |now| throttle.admit(now, WHO, HOME));
    assert_eq!(seconds, [0, 0, 0, 0, 0, 0, 1, 3]);
}

#[test]
fn many_strangers_do_not_evict_a_throttled_client() {
    let throttle = Throttle::default();
    tries(10, |now| throttle.admit_code(now, PersonId(7)));
    let now = at(8);
    assert!(wait(throttle.admit_code(now, PersonId(7))) > 0);
    for number in 0..(CAPACITY * 2) as u128 {
        let _ = throttle.counts().codes.admit(number, now);
        let _ = throttle.admit_form(now, &number.to_string());
    }
    assert!(wait(throttle.admit_code(now, PersonId(7))) > 0);
    // If every entry has to wait, a new one is still admitted, and the entries with the fewest and
    // oldest attempts are evicted.
    let codes = &mut throttle.counts().codes;
    let waiting =
        |tries, last| Counter { tries, last, not_before: now + SignedDuration::from_secs(900) };
    codes.counters.clear();
    codes.insert(0, waiting(20, now - SignedDuration::from_secs(9)));
    for number in 1..CAPACITY as u128 {
        codes.insert(number, waiting(10, now - SignedDuration::from_secs((number % 2) as i64)));
    }
    assert_eq!(codes.admit(u128::MAX, now), Ok(()));
    assert!(
        codes.wait(0, now).is_err()
            && (2..CAPACITY as u128).step_by(2).all(|number| codes.wait(number, now).is_err())
    );
}

/// Simulates enough attempts by strangers at an account to make each new client wait half a minute.
fn heat(throttle: &Throttle, account: &str) {
    (0..16).for_each(|_| throttle.counts().accounts.count(key("account", account), at(0)));
}

/// Returns the time at the given millisecond of the attack.
fn moment(thousandths: i64) -> Timestamp {
    at(0) + SignedDuration::from_millis(thousandths)
}

#[test]
fn an_ipv6_subscriber_that_tries_many_accounts_locks_out_no_one() {
    let throttle = Throttle::default();
    throttle.succeeded(at(0), throttle.admit(at(0), "old@example.com", HOME).unwrap());
    let addresses: Vec<String> = (0..512).map(|one| format!("2001:db8:0:{one:x}::1")).collect();
    // These accounts are already under attack by others, so each first attempt takes a place in the
    // queue.
    for account in 0..210 {
        heat(&throttle, &format!("{account}@example.com"));
    }
    for account in 0..210 {
        for address in &addresses {
            let _ = throttle.admit(at(0), &format!("{account}@example.com"), address);
        }
    }
    assert!(throttle.counts().places.counters.len() < 50, "two subscribers get few places");
    assert_eq!(wait(throttle.admit(at(0), "old@example.com", HOME)), 0);
    assert_eq!(wait(throttle.admit(at(0), "new@example.com", "192.0.2.2")), 0);
    assert_eq!(wait(throttle.admit(at(0), "7@example.com", "192.0.2.2")), 30);
    assert_eq!(wait(throttle.admit(at(30), "7@example.com", "192.0.2.2")), 0);
    // The 512 addresses together get no more attempts at one account than two subscribers would.
    let throttle = Throttle::default();
    let guesses = |second| {
        addresses.iter().filter(|address| throttle.admit(at(second), WHO, address).is_ok()).count()
    };
    assert!((0..60).map(guesses).sum::<usize>() <= 50);
}

#[test]
fn filling_the_queue_delays_only_strangers_to_the_attacked_account() {
    let throttle = Throttle::default();
    let attacker =
        |number: usize| format!("10.{}.{}.{}", number >> 16, number >> 8 & 255, number & 255);
    throttle.succeeded(at(0), throttle.admit(at(0), WHO, HOME).unwrap());
    heat(&throttle, WHO);
    let attack = |numbers: std::ops::Range<usize>, begin: i64| {
        for number in numbers {
            let _ = throttle.admit(moment(begin + number as i64 / 4), WHO, &attacker(number));
        }
    };
    attack(0..60_000, 0);
    assert!(throttle.counts().places.counters.len() > CAPACITY / 2);
    // An owner at a known address is not affected, nor are other accounts.
    assert_eq!(wait(throttle.admit(moment(15_000), WHO, HOME)), 0);
    assert_eq!(wait(throttle.admit(moment(15_000), "new@example.com", "192.0.2.2")), 0);
    // A place in the queue is kept while others fill the rest of the table.
    assert_eq!(wait(throttle.admit(moment(15_000), WHO, "192.0.2.2")), 30);
    attack(60_000..95_000, 1);
    assert_eq!(wait(throttle.admit(moment(45_000), WHO, "192.0.2.2")), 0);
}

#[test]
fn strangers_do_not_evict_the_counters_of_known_clients() {
    let throttle = Throttle::default();
    throttle.succeeded(at(0), throttle.admit(at(0), WHO, HOME).unwrap());
    tries(10, |now| throttle.admit(now, WHO, HOME));
    for number in 0..CAPACITY as u128 {
        (0..9).for_each(|_| throttle.counts().pairs.count(number, at(15)));
    }
    assert!(wait(throttle.admit(at(15), WHO, HOME)) > 0);
    throttle.succeeded(at(31), throttle.admit(at(31), WHO, HOME).unwrap());
    assert_eq!(wait(throttle.admit(at(31), WHO, HOME)), 0);
}

/// Returns the times, in seconds, at which failing authentications are admitted if each is retried
/// as soon as possible.
fn failures(throttle: &Throttle, count: usize, mut name: impl FnMut() -> String) -> Vec<i64> {
    tries(count, |now| {
        let client = name();
        throttle
            .admit_client(now, &client, HOME)
            .inspect(|()| throttle.client_failed(now, &client, HOME))
    })
}

#[test]
fn a_failing_application_gets_slower_only_at_its_own_address() {
    let throttle = Throttle::default();
    let seconds = failures(&throttle, 20, || "shop".into());
    assert_eq!(seconds[9..14], [0, 0, 1, 3, 7]);
    assert_eq!(seconds[19] - seconds[18], 60);
    assert!(wait(throttle.admit_client(at(seconds[19]), "shop", HOME)) > 0);
    assert_eq!(wait(throttle.admit_client(at(seconds[19]), "shop", "192.0.2.2")), 0);
    assert_eq!(
        wait(throttle.admit_client(at(seconds[19]), "Shop", HOME)),
        0,
        "ids differ by their case"
    );
}

#[test]
fn an_application_does_not_wait_for_failures_of_others_at_its_address() {
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
    assert_eq!(
        (
            wait(throttle.admit_client(last, "other", HOME)),
            wait(throttle.admit_client(last, "shop", HOME))
        ),
        (60, 0)
    );
    // The application's own failures are counted until it authenticates.
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
        if let Ok(attempt) = throttle.admit(at(0), &number.to_string(), &address) {
            throttle.succeeded(at(0), attempt);
        }
    }
    let counts = throttle.counts();
    for counters in [
        &counts.pairs,
        &counts.known_client_pairs,
        &counts.places,
        &counts.addresses,
        &counts.accounts,
    ] {
        assert!(counters.counters.len() <= CAPACITY);
    }
    assert!(counts.known_clients.len() <= CAPACITY);
}

#[test]
fn a_clock_set_back_does_not_lengthen_any_wait() {
    let throttle = Throttle::default();
    let last = *tries(8, |now| throttle.admit(now, WHO, HOME)).last().unwrap();
    // The clock goes back one hour: the wait after eight attempts is four seconds, as it would be
    // without the change.
    assert_eq!(wait(throttle.admit(at(last - 3_600), WHO, HOME)), 4);
    assert_eq!(wait(throttle.admit(at(last - 3_598), WHO, HOME)), 2);
    assert_eq!(wait(throttle.admit(at(last - 3_596), WHO, HOME)), 0);
    let codes = *tries(7, |now| throttle.admit_code(now, PersonId(7))).last().unwrap();
    assert_eq!(wait(throttle.admit_code(at(codes - 86_400), PersonId(7))), 2);
    // Setting the clock back does not lengthen the wait in the queue either.
    let line = Throttle::default();
    for one in 0..11 {
        let _ = line.admit(at(0), WHO, &format!("198.51.100.{one}"));
    }
    assert_eq!(wait(line.admit(at(60), WHO, HOME)), 1);
    assert_eq!(wait(line.admit(at(-3_600), WHO, HOME)), 1);
}
