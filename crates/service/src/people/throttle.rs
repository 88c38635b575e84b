//! Slowing down those who guess passwords, without locking anybody out of their own account.

use jiff::{SignedDuration, Timestamp};
use sha2::{Digest, Sha256};
use std::{
    collections::HashMap,
    net::IpAddr,
    sync::{Mutex, MutexGuard, PoisonError},
};

/// Tries that are forgotten when there were none for so long.
const MEMORY: SignedDuration = SignedDuration::from_hours(1);
/// How long an address from which somebody signed in is known as theirs.
const FAMILIAR: SignedDuration = SignedDuration::from_hours(30 * 24);
/// Entries that are kept at the most.
const CAPACITY: usize = 50_000;

/// How many tries are free, and how long the wait after them can get: it doubles from a second on.
#[derive(Clone, Copy)]
struct Patience {
    free: u32,
    longest: i64,
}

/// Of one client address, whatever it tries: many people can share one.
const ADDRESS: Patience = Patience { free: 20, longest: 300 };
/// Of one client address at one account.
const PAIR: Patience = Patience { free: 5, longest: 60 };
/// Of all addresses at one account; only who is strange there waits for it, once.
const ACCOUNT: Patience = Patience { free: 10, longest: 30 };
/// Of codes at one account, from wherever: whoever gets this far knew the password.
const CODE: Patience = Patience { free: 5, longest: 900 };
/// Mails to one recipient.
const MAIL: Patience = Patience { free: 5, longest: 900 };

impl Patience {
    fn wait_after(self, tries: u32) -> SignedDuration {
        let over = tries.saturating_sub(self.free);
        let seconds = if over == 0 { 0 } else { 1_i64 << (over - 1).min(30) };
        SignedDuration::from_secs(seconds.min(self.longest))
    }
}

/// Come back later.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SlowDown {
    /// Whole seconds to wait, at least one: the value of `Retry-After` (RFC 9110, section 10.2.3).
    pub retry_after: i64,
}

#[derive(Clone, Copy)]
struct Tally {
    tries: u32,
    last: Timestamp,
    not_before: Timestamp,
}

/// What is counted. Kept in memory: another server, or this one after a restart, begins anew.
#[derive(Default)]
pub struct Throttle {
    counts: Mutex<Counts>,
}

#[derive(Default)]
struct Counts {
    tallies: HashMap<u128, Tally>,
    familiar: HashMap<u128, Timestamp>,
}

impl Throttle {
    fn counts(&self) -> MutexGuard<'_, Counts> {
        self.counts.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether somebody may try a password now. Each try counts as a failed one until [`Throttle::succeeded`] is told, so that many at
    /// once do not slip through.
    ///
    /// An address waits for its own failed tries; tries of strangers at the account make other strange addresses wait half a minute
    /// before their first try there, and never longer, and addresses that signed in before not at all.
    ///
    /// # Errors
    /// Not yet.
    pub fn admit(&self, now: Timestamp, who: &str, address: &str) -> Result<(), SlowDown> {
        let (pair_key, address_key, account_key) = keys(who, address);
        let counts = &mut *self.counts();
        let familiar = counts.familiar.get(&pair_key).is_some_and(|since| *since + FAMILIAR > now);
        let pair = counts.get(pair_key, now);
        wait_for(pair, now)?;
        if familiar {
            counts.count(pair_key, now, PAIR);
            return Ok(());
        }
        wait_for(counts.get(address_key, now), now)?;
        let strangers = counts.get(account_key, now).map_or(0, |tally| tally.tries);
        let wait = ACCOUNT.wait_after(strangers);
        if pair.is_none() && !wait.is_zero() {
            // Its place in the line is its own: what others do meanwhile does not move it back.
            counts.insert(pair_key, Tally { tries: 0, last: now, not_before: now + wait });
            return wait_for(counts.get(pair_key, now), now);
        }
        counts.count(pair_key, now, PAIR);
        counts.count(address_key, now, ADDRESS);
        counts.count(account_key, now, ACCOUNT);
        Ok(())
    }

    /// The try was a right password: it does not count, and the address is known as the account's from now on.
    pub fn succeeded(&self, now: Timestamp, who: &str, address: &str) {
        let (pair, address, account) = keys(who, address);
        let counts = &mut *self.counts();
        counts.tallies.remove(&pair);
        for key in [address, account] {
            if let Some(tally) = counts.tallies.get_mut(&key) {
                tally.tries = tally.tries.saturating_sub(1);
                tally.not_before = tally.not_before.min(now);
            }
        }
        make_room(&mut counts.familiar, |since| *since + FAMILIAR <= now, |since| *since);
        counts.familiar.insert(pair, now);
    }

    /// Whether a code of the second factor may be tried at an account now. Counts until [`Throttle::code_succeeded`] is told.
    ///
    /// # Errors
    /// Not yet.
    pub fn admit_code(&self, now: Timestamp, account: i64) -> Result<(), SlowDown> {
        self.admit_at(now, key("code", &account.to_string()), CODE)
    }

    /// The code was right.
    pub fn code_succeeded(&self, account: i64) {
        self.counts().tallies.remove(&key("code", &account.to_string()));
    }

    /// Whether another mail may be sent to somebody who did not ask for it themselves, as far as we know. If not, the visitor is told the
    /// same as if it were sent.
    pub fn admit_mail(&self, now: Timestamp, recipient: &str) -> bool {
        self.admit_at(now, key("mail", &recipient.trim().to_lowercase()), MAIL).is_ok()
    }

    fn admit_at(&self, now: Timestamp, key: u128, patience: Patience) -> Result<(), SlowDown> {
        let counts = &mut *self.counts();
        wait_for(counts.get(key, now), now)?;
        counts.count(key, now, patience);
        Ok(())
    }
}

fn wait_for(tally: Option<Tally>, now: Timestamp) -> Result<(), SlowDown> {
    let left = tally.map_or(SignedDuration::ZERO, |tally| tally.not_before.duration_since(now));
    if left <= SignedDuration::ZERO {
        return Ok(());
    }
    Err(SlowDown { retry_after: left.as_secs() + i64::from(left.subsec_nanos() > 0) })
}

impl Counts {
    fn get(&self, key: u128, now: Timestamp) -> Option<Tally> {
        self.tallies.get(&key).copied().filter(|tally| tally.last + MEMORY > now)
    }

    fn insert(&mut self, key: u128, tally: Tally) {
        if !self.tallies.contains_key(&key) {
            let now = tally.last;
            make_room(&mut self.tallies, |old| old.last + MEMORY <= now, |old| old.last);
        }
        self.tallies.insert(key, tally);
    }

    fn count(&mut self, key: u128, now: Timestamp, patience: Patience) {
        let tries = self.get(key, now).map_or(0, |tally| tally.tries).saturating_add(1);
        self.insert(key, Tally { tries, last: now, not_before: now + patience.wait_after(tries) });
    }
}

/// Room for one more: what is forgotten anyway goes first, then the older half.
fn make_room<T>(entries: &mut HashMap<u128, T>, is_over: impl Fn(&T) -> bool, age: impl Fn(&T) -> Timestamp) {
    if entries.len() < CAPACITY {
        return;
    }
    entries.retain(|_, entry| !is_over(entry));
    if entries.len() < CAPACITY {
        return;
    }
    let mut ages: Vec<Timestamp> = entries.values().map(&age).collect();
    let (_, middle, _) = ages.select_nth_unstable(CAPACITY / 2);
    let middle = *middle;
    entries.retain(|_, entry| age(entry) > middle);
}

fn keys(who: &str, address: &str) -> (u128, u128, u128) {
    let (who, address) = (who.trim().to_lowercase(), network(address));
    (key(&format!("pair\n{who}"), &address), key("address", &address), key("account", &who))
}

/// A number in the place of a text that a stranger chose the length of.
fn key(kind: &str, text: &str) -> u128 {
    let digest: [u8; 32] = Sha256::digest(format!("{kind}\n{text}")).into();
    digest.iter().take(16).fold(0, |number, byte| number << 8 | u128::from(*byte))
}

/// Of IPv6, the 64 bits that a subscriber is given; whoever has them has all the rest (RFC 6177).
fn network(address: &str) -> String {
    match address.parse::<IpAddr>().map(|address| address.to_canonical()) {
        Ok(IpAddr::V6(address)) => format!("{:x}/64", address.to_bits() >> 64),
        Ok(IpAddr::V4(address)) => address.to_string(),
        Err(_) => address.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WHO: &str = "anna@example.com";
    const HOME: &str = "192.0.2.1";

    fn at(seconds: i64) -> Timestamp {
        Timestamp::from_second(1_800_000_000 + seconds).unwrap()
    }

    fn wait(outcome: Result<(), SlowDown>) -> i64 {
        outcome.map_or_else(|slow| slow.retry_after, |()| 0)
    }

    /// The seconds at which tries are let in, for who tries again as soon as they may.
    fn tries(count: usize, mut admit: impl FnMut(Timestamp) -> Result<(), SlowDown>) -> Vec<i64> {
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
        throttle.admit(at(0), WHO, HOME).unwrap();
        throttle.succeeded(at(0), WHO, HOME);
        let strangers =
            |second| (0..200).filter(|one| throttle.admit(at(second), WHO, &format!("198.51.100.{one}")).is_ok()).count();
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
            throttle.admit(at(0), WHO, HOME).unwrap();
            throttle.succeeded(at(0), WHO, HOME);
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
        throttle.code_succeeded(7);
        assert_eq!(wait(throttle.admit_code(at(seconds[19]), 7)), 0);
    }

    #[test]
    fn one_mailbox_gets_a_few_mails_an_hour() {
        let throttle = Throttle::default();
        let sent = (0..100).filter(|_| throttle.admit_mail(at(0), "x@example.com")).count();
        assert_eq!(sent, 6);
        assert!(!throttle.admit_mail(at(0), " X@EXAMPLE.com") && throttle.admit_mail(at(0), "y@example.com"));
    }

    #[test]
    fn memory_is_bounded() {
        let throttle = Throttle::default();
        for number in 0..(CAPACITY * 2) {
            let address = format!("10.{}.{}.{}", number >> 16, number >> 8 & 255, number & 255);
            let _ = throttle.admit(at(0), &format!("{number}@example.com"), &address);
            throttle.succeeded(at(0), &number.to_string(), &address);
        }
        let counts = throttle.counts();
        assert!(counts.tallies.len() <= CAPACITY && counts.familiar.len() <= CAPACITY);
    }
}
