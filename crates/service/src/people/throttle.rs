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
/// Entries of one kind that are kept at the most.
const CAPACITY: usize = 50_000;
/// How long who is new must wait when each of those is of somebody who waits.
const FULL: SlowDown = SlowDown { retry_after: 60 };

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
/// Mails of one purpose to one recipient.
const MAIL: Patience = Patience { free: 5, longest: 900 };
/// Forms of one client address that anybody can send, and that cost a hash or a mail.
const FORM: Patience = Patience { free: 5, longest: 120 };

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

/// Mails that no other limit holds: links have [`super::make_link`]'s, so that a stranger's sign-ups stop nobody's reset.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MailKind {
    /// To an address that somebody signed up with.
    SignUp,
    /// To an address that somebody wants to change to.
    ChangeEmail,
}

/// A try of a password that was let in, and what it counted.
#[derive(Debug, Clone, Copy)]
#[must_use = "it counts as a failed one until the throttle is told otherwise"]
pub struct Try {
    pair: u128,
    /// The address's and the account's; nothing from where the account's owner signed in before.
    others: Option<(u128, u128)>,
}

#[derive(Clone, Copy)]
struct Tally {
    tries: u32,
    last: Timestamp,
    not_before: Timestamp,
}

/// Tallies of one kind: many of one kind do not push out those of another.
struct Tallies {
    patience: Patience,
    tallies: HashMap<u128, Tally>,
}

/// What is counted. Kept in memory: another server, or this one after a restart, begins anew.
#[derive(Default)]
pub struct Throttle {
    counts: Mutex<Counts>,
}

struct Counts {
    pairs: Tallies,
    addresses: Tallies,
    accounts: Tallies,
    codes: Tallies,
    sign_up_mails: Tallies,
    change_mails: Tallies,
    forms: Tallies,
    familiar: HashMap<u128, Timestamp>,
}

impl Default for Counts {
    fn default() -> Self {
        Self {
            pairs: Tallies::new(PAIR),
            addresses: Tallies::new(ADDRESS),
            accounts: Tallies::new(ACCOUNT),
            codes: Tallies::new(CODE),
            sign_up_mails: Tallies::new(MAIL),
            change_mails: Tallies::new(MAIL),
            forms: Tallies::new(FORM),
            familiar: HashMap::new(),
        }
    }
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
    pub fn admit(&self, now: Timestamp, who: &str, address: &str) -> Result<Try, SlowDown> {
        let (pair, address, account) = keys(who, address);
        let counts = &mut *self.counts();
        let familiar = counts.familiar.get(&pair).is_some_and(|since| *since + FAMILIAR > now);
        counts.pairs.wait(pair, now)?;
        if familiar {
            counts.pairs.count(pair, now)?;
            return Ok(Try { pair, others: None });
        }
        counts.addresses.wait(address, now)?;
        let strangers = counts.accounts.get(account, now).map_or(0, |tally| tally.tries);
        let wait = ACCOUNT.wait_after(strangers);
        if counts.pairs.get(pair, now).is_none() && !wait.is_zero() {
            // Its place in the line is its own: what others do meanwhile does not move it back.
            counts.pairs.insert(pair, Tally { tries: 0, last: now, not_before: now + wait })?;
            counts.pairs.wait(pair, now)?;
        }
        counts.pairs.count(pair, now)?;
        counts.addresses.count(address, now)?;
        counts.accounts.count(account, now)?;
        Ok(Try { pair, others: Some((address, account)) })
    }

    /// The try was a right password: it does not count, and the address is known as the account's from now on. What its address must
    /// wait for stays: somebody with an account of their own would sign in to it between tries at others'.
    pub fn succeeded(&self, now: Timestamp, tried: Try) {
        let counts = &mut *self.counts();
        counts.pairs.tallies.remove(&tried.pair);
        if let Some((address, account)) = tried.others {
            counts.addresses.uncount(address);
            counts.accounts.uncount(account);
        }
        make_room(&mut counts.familiar, now);
        counts.familiar.insert(tried.pair, now);
    }

    /// The password was not compared (the server was busy): the try is taken back.
    pub fn take_back(&self, tried: Try) {
        let counts = &mut *self.counts();
        counts.pairs.take_back(tried.pair);
        if let Some((address, account)) = tried.others {
            counts.addresses.take_back(address);
            counts.accounts.take_back(account);
        }
    }

    /// Whether a code of the second factor may be tried at an account now. Counts until [`Throttle::forget_codes`] is told.
    ///
    /// # Errors
    /// Not yet.
    pub fn admit_code(&self, now: Timestamp, account: i64) -> Result<(), SlowDown> {
        self.counts().codes.admit(key("code", &account.to_string()), now)
    }

    /// The code was right, or the account has another password: who tried codes with the old one has to begin anew.
    pub fn forget_codes(&self, account: i64) {
        self.counts().codes.tallies.remove(&key("code", &account.to_string()));
    }

    /// Whether another mail may be sent to somebody who did not ask for it themselves, as far as we know. If not, the visitor is told the
    /// same as if it were sent.
    pub fn admit_mail(&self, now: Timestamp, kind: MailKind, recipient: &str) -> bool {
        let counts = &mut *self.counts();
        let mails = match kind {
            MailKind::SignUp => &mut counts.sign_up_mails,
            MailKind::ChangeEmail => &mut counts.change_mails,
        };
        mails.admit(key("mail", &recipient.trim().to_lowercase()), now).is_ok()
    }

    /// Whether an address may send another form that anybody can send, and that costs a hash or a mail.
    ///
    /// # Errors
    /// Not yet.
    pub fn admit_form(&self, now: Timestamp, address: &str) -> Result<(), SlowDown> {
        self.counts().forms.admit(key("form", &network(address)), now)
    }
}

impl Tallies {
    fn new(patience: Patience) -> Self {
        Self { patience, tallies: HashMap::new() }
    }

    fn get(&self, key: u128, now: Timestamp) -> Option<Tally> {
        self.tallies.get(&key).copied().filter(|tally| tally.last + MEMORY > now)
    }

    fn wait(&self, key: u128, now: Timestamp) -> Result<(), SlowDown> {
        let left = self.get(key, now).map_or(SignedDuration::ZERO, |tally| tally.not_before.duration_since(now));
        if left <= SignedDuration::ZERO {
            return Ok(());
        }
        Err(SlowDown { retry_after: left.as_secs() + i64::from(left.subsec_nanos() > 0) })
    }

    fn admit(&mut self, key: u128, now: Timestamp) -> Result<(), SlowDown> {
        self.wait(key, now)?;
        self.count(key, now)
    }

    fn count(&mut self, key: u128, now: Timestamp) -> Result<(), SlowDown> {
        let tries = self.get(key, now).map_or(0, |tally| tally.tries).saturating_add(1);
        self.insert(key, Tally { tries, last: now, not_before: now + self.patience.wait_after(tries) })
    }

    fn uncount(&mut self, key: u128) {
        if let Some(tally) = self.tallies.get_mut(&key) {
            tally.tries = tally.tries.saturating_sub(1);
        }
    }

    fn take_back(&mut self, key: u128) {
        self.uncount(key);
        if let Some(tally) = self.tallies.get_mut(&key) {
            tally.not_before = tally.not_before.min(tally.last + self.patience.wait_after(tally.tries));
        }
    }

    fn insert(&mut self, key: u128, tally: Tally) -> Result<(), SlowDown> {
        if !self.tallies.contains_key(&key) {
            self.make_room(tally.last)?;
        }
        self.tallies.insert(key, tally);
        Ok(())
    }

    /// Room for one more: what is forgotten anyway goes first, then those with the fewest tries; nobody who must wait gets off by it.
    fn make_room(&mut self, now: Timestamp) -> Result<(), SlowDown> {
        if self.tallies.len() < CAPACITY {
            return Ok(());
        }
        self.tallies.retain(|_, tally| tally.last + MEMORY > now);
        if self.tallies.len() < CAPACITY {
            return Ok(());
        }
        let free = self.tallies.iter().filter(|(_, tally)| tally.not_before <= now);
        let mut free: Vec<_> = free.map(|(key, tally)| (tally.tries, tally.last, *key)).collect();
        if free.is_empty() {
            return Err(FULL);
        }
        // A quarter at once, so that a full house costs each visitor little.
        let count = free.len().min(CAPACITY / 4);
        free.select_nth_unstable(count - 1);
        for (_, _, key) in free.into_iter().take(count) {
            self.tallies.remove(&key);
        }
        Ok(())
    }
}

/// Room for one more familiar address: what is forgotten anyway goes first, then the older half.
fn make_room(familiar: &mut HashMap<u128, Timestamp>, now: Timestamp) {
    if familiar.len() < CAPACITY {
        return;
    }
    familiar.retain(|_, since| *since + FAMILIAR > now);
    if familiar.len() < CAPACITY {
        return;
    }
    let mut ages: Vec<Timestamp> = familiar.values().copied().collect();
    let (_, middle, _) = ages.select_nth_unstable(CAPACITY / 2);
    let middle = *middle;
    familiar.retain(|_, since| *since > middle);
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
}
