//! Slowing down those who guess, without locking anybody out of what is theirs: passwords and codes of people, secrets of applications.
//!
//! What is counted is bounded in memory, and strangers can fill it; then it forgets ([`Counters`]), and refuses nobody for being full.
//! - Whoever signed in from an address before is counted there apart from strangers, where only right passwords make entries.
//! - Whoever is new at an account that nobody attacks makes room for themselves.
//! - Whoever is new at an account under attack needs a place in line for half a minute. The oldest places are forgotten first, so that
//!   pushing one out takes about [`counters::CAPACITY`] others meanwhile; each counts as a try of its address, so that a subscriber gets
//!   about 25 of them. Many thousands of addresses that are no neighbours delay strangers to the accounts they attack, and nobody else.

mod counters;
#[cfg(test)]
mod tests;

pub use counters::RetryAfter;

use super::PersonId;
use counters::{Backoff, Counter, Counters, KnownClients};
use jiff::Timestamp;
use sha2::{Digest, Sha256};
use std::{
    net::IpAddr,
    sync::{Mutex, MutexGuard, PoisonError},
};

/// Of one subscriber, whatever account they try: many people can share an address.
const ADDRESS: Backoff = Backoff { free: 20, first: 1, longest: 300 };
/// Of one client address at one account.
const PAIR: Backoff = Backoff { free: 5, first: 1, longest: 60 };
/// Of all addresses at one account; only who is strange there waits for it, once.
const ACCOUNT: Backoff = Backoff { free: 10, first: 1, longest: 30 };
/// Of codes of one person, from wherever: whoever gets this far knew the password.
const CODE: Backoff = Backoff { free: 5, first: 1, longest: 900 };
/// Mails to one recipient because of sign-ups by one subscriber: two, and another each quarter of an hour.
const SIGN_UP_MAIL: Backoff = Backoff { free: 1, first: 900, longest: 900 };
/// The same of all subscribers together: 40 within an hour at the most. A few of them cannot use that up, so that there is room for
/// whoever is new. Many can; then the owner of the mailbox still gets in by a link to set another password, which has a limit of its
/// own, and whoever uses that up puts links into the owner's mailbox that work.
const SIGN_UP_MAILS: Backoff = Backoff { free: 20, first: 1, longest: 300 };
/// Mails to one recipient that somebody wants to change their address to.
const MAIL: Backoff = Backoff { free: 5, first: 1, longest: 900 };
/// Forms of one client address that anybody can send, and that cost a hash or a mail.
const FORM: Backoff = Backoff { free: 5, first: 1, longest: 120 };
/// Of one application at one client address.
const CLIENT: Backoff = Backoff { free: 10, first: 1, longest: 60 };
/// Of one client address, whatever application it names: several can share a machine.
const CLIENTS: Backoff = Backoff { free: 50, first: 1, longest: 60 };

/// Mails that no other limit holds: links have [`super::make_link`]'s, so that a stranger's sign-ups stop nobody's reset.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MailKind<'a> {
    /// To an address that somebody signed up with.
    SignUp {
        /// The client address of who did.
        from: &'a str,
    },
    /// To an address that somebody wants to change to.
    ChangeEmail,
}

/// A try of a password that was let in, and what it counted.
#[derive(Debug, Clone, Copy)]
#[must_use = "it counts as a failed one until the throttle is told otherwise"]
pub struct Attempt {
    pair: u128,
    /// The subscriber's and the account's; nothing from where the account's owner signed in before.
    others: Option<(u128, u128)>,
}

impl Attempt {
    /// Whether it comes from where the account's owner signed in before.
    #[must_use]
    pub fn is_known_client(&self) -> bool {
        self.others.is_none()
    }
}

/// What is counted. Kept in memory: another server, or this one after a restart, begins anew.
#[derive(Default)]
pub struct Throttle {
    counts: Mutex<Counts>,
}

struct Counts {
    pairs: Counters,
    /// The same of addresses that signed in to the account before.
    known_client_pairs: Counters,
    /// Who waits in line before their first try at an account under attack.
    places: Counters,
    addresses: Counters,
    accounts: Counters,
    codes: Counters,
    sign_up_mails: Counters,
    sign_up_recipients: Counters,
    change_mails: Counters,
    forms: Counters,
    clients: Counters,
    client_addresses: Counters,
    known_clients: KnownClients,
    known_applications: KnownClients,
}

impl Default for Counts {
    fn default() -> Self {
        Self {
            pairs: Counters::new(PAIR),
            known_client_pairs: Counters::new(PAIR),
            places: Counters::new(ACCOUNT),
            addresses: Counters::new(ADDRESS),
            accounts: Counters::new(ACCOUNT),
            codes: Counters::new(CODE),
            sign_up_mails: Counters::new(SIGN_UP_MAIL),
            sign_up_recipients: Counters::new(SIGN_UP_MAILS),
            change_mails: Counters::new(MAIL),
            forms: Counters::new(FORM),
            clients: Counters::new(CLIENT),
            client_addresses: Counters::new(CLIENTS),
            known_clients: KnownClients::default(),
            known_applications: KnownClients::default(),
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
    pub fn admit(&self, now: Timestamp, who: &str, address: &str) -> Result<Attempt, RetryAfter> {
        let (pair, address, account) = keys(who, address);
        let counts = &mut *self.counts();
        if counts.known_clients.knows(pair, now) {
            counts.known_client_pairs.admit(pair, now)?;
            return Ok(Attempt { pair, others: None });
        }
        counts.pairs.wait(pair, now)?;
        counts.places.wait(pair, now)?;
        counts.addresses.wait(address, now)?;
        let strangers = counts.accounts.get(account, now).map_or(0, |counter| counter.tries);
        let wait = ACCOUNT.wait_after(strangers);
        if !wait.is_zero() && counts.pairs.get(pair, now).is_none() && counts.places.get(pair, now).is_none() {
            // Its place in the line is its own: what others do meanwhile does not move it back.
            counts.places.insert(pair, Counter { tries: 0, last: now, not_before: now + wait });
            counts.addresses.count(address, now);
            counts.places.wait(pair, now)?;
        }
        counts.places.forget(pair);
        counts.pairs.count(pair, now);
        counts.addresses.count(address, now);
        counts.accounts.count(account, now);
        Ok(Attempt { pair, others: Some((address, account)) })
    }

    /// The try was a right password: it does not count, and the address is known as the account's from now on. What its address must
    /// wait for stays: somebody with an account of their own would sign in to it between tries at others'.
    pub fn succeeded(&self, now: Timestamp, tried: Attempt) {
        let counts = &mut *self.counts();
        counts.pairs.forget(tried.pair);
        counts.known_client_pairs.forget(tried.pair);
        if let Some((address, account)) = tried.others {
            counts.addresses.uncount(address);
            counts.accounts.uncount(account);
        }
        counts.known_clients.remember(tried.pair, now);
    }

    /// The password was not compared (the server was busy): the try is taken back.
    pub fn take_back(&self, tried: Attempt) {
        let counts = &mut *self.counts();
        match tried.others {
            Some((address, account)) => {
                counts.pairs.take_back(tried.pair);
                counts.addresses.take_back(address);
                counts.accounts.take_back(account);
            }
            None => counts.known_client_pairs.take_back(tried.pair),
        }
    }

    /// Whether a code of the second factor may be tried by a person now. Counts until [`Throttle::forget_codes`] is told.
    ///
    /// # Errors
    /// Not yet.
    pub fn admit_code(&self, now: Timestamp, person: PersonId) -> Result<(), RetryAfter> {
        self.counts().codes.admit(key("code", &person.0.to_string()), now)
    }

    /// The code was right, or the person has another password: who tried codes with the old one has to begin anew.
    pub fn forget_codes(&self, person: PersonId) {
        self.counts().codes.forget(key("code", &person.0.to_string()));
    }

    /// Whether another mail may be sent to somebody who did not ask for it themselves, as far as we know. If not, the visitor is told the
    /// same as if it were sent.
    pub fn admit_mail(&self, now: Timestamp, kind: MailKind<'_>, recipient: &str) -> bool {
        let counts = &mut *self.counts();
        let recipient = recipient.trim().to_lowercase();
        let all = key("mail", &recipient);
        match kind {
            MailKind::SignUp { from } => {
                let theirs = key(&format!("mail\n{}", subscriber(from)), &recipient);
                let admitted = counts.sign_up_mails.wait(theirs, now).and_then(|()| counts.sign_up_recipients.admit(all, now));
                if admitted.is_ok() {
                    counts.sign_up_mails.count(theirs, now);
                }
                admitted.is_ok()
            }
            MailKind::ChangeEmail => counts.change_mails.admit(all, now).is_ok(),
        }
    }

    /// Whether an address may send another form that anybody can send, and that costs a hash or a mail.
    ///
    /// # Errors
    /// Not yet.
    pub fn admit_form(&self, now: Timestamp, address: &str) -> Result<(), RetryAfter> {
        self.counts().forms.admit(key("form", &network(address)), now)
    }

    /// Whether an application may show its secret now (RFC 6749, section 2.3.1). Only failures count, as an application may ask for many
    /// things at once, and nobody guesses 256 bits meanwhile.
    ///
    /// It waits for its own failures at its address. For those of others there it does not wait once it showed its secret from there, and
    /// never for those from elsewhere: a stranger who knows its id cannot shut it out.
    ///
    /// # Errors
    /// Not yet.
    pub fn admit_client(&self, now: Timestamp, client: &str, address: &str) -> Result<(), RetryAfter> {
        let (client, address) = client_keys(client, address);
        let counts = &mut *self.counts();
        counts.clients.wait(client, now)?;
        if counts.known_applications.knows(client, now) { Ok(()) } else { counts.client_addresses.wait(address, now) }
    }

    /// The application did not authenticate.
    pub fn client_failed(&self, now: Timestamp, client: &str, address: &str) {
        let (client, address) = client_keys(client, address);
        let counts = &mut *self.counts();
        counts.clients.count(client, now);
        counts.client_addresses.count(address, now);
    }

    /// The application authenticated.
    pub fn client_succeeded(&self, now: Timestamp, client: &str, address: &str) {
        let (client, _) = client_keys(client, address);
        let counts = &mut *self.counts();
        counts.clients.forget(client);
        counts.known_applications.remember(client, now);
    }
}

fn keys(who: &str, address: &str) -> (u128, u128, u128) {
    let who = who.trim().to_lowercase();
    (key(&format!("pair\n{who}"), &network(address)), key("address", &subscriber(address)), key("account", &who))
}

fn client_keys(client: &str, address: &str) -> (u128, u128) {
    let address = network(address);
    (key(&format!("client\n{address}"), client), key("client address", &address))
}

/// A number in the place of a text that a stranger chose the length of.
fn key(kind: &str, text: &str) -> u128 {
    let digest: [u8; 32] = Sha256::digest(format!("{kind}\n{text}")).into();
    digest.iter().take(16).fold(0, |number, byte| number << 8 | u128::from(*byte))
}

/// Of IPv6 the 64 bits of one network: whoever has them has all the rest.
fn network(address: &str) -> String {
    prefix(address, 64)
}

/// Of IPv6 the 56 bits that a subscriber is commonly given: 256 networks (RFC 6177).
fn subscriber(address: &str) -> String {
    prefix(address, 56)
}

fn prefix(address: &str, bits: u32) -> String {
    match address.parse::<IpAddr>().map(|address| address.to_canonical()) {
        Ok(IpAddr::V6(address)) => format!("{:x}/{bits}", address.to_bits() >> (128 - bits)),
        Ok(IpAddr::V4(address)) => address.to_string(),
        Err(_) => address.to_owned(),
    }
}
