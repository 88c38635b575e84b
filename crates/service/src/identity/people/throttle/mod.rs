//! Rate limits against guessing of passwords, second-factor codes and application secrets. They do
//! not lock out legitimate owners.
//!
//! The counters are bounded in memory, and strangers can fill them. A full table evicts entries
//! ([`Counters`]); it never causes a request to be rejected.
//! - Clients that have signed in to an account before are counted separately from strangers, in a
//!   table in which only right passwords create entries.
//! - New clients of an account that is not under attack get an entry of their own.
//! - New clients of an account under attack wait in a queue for up to half a minute. The oldest
//!   places are evicted first, so evicting one within that time takes about [`counters::CAPACITY`]
//!   others. Taking a place also counts as an attempt by the address, so a subscriber gets only
//!   about 25 places. Even an attack from many thousands of unrelated addresses can therefore delay
//!   only clients that are unknown to the attacked account.

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

/// Limit for password attempts by one subscriber across all accounts. It is generous, because many
/// people can share an address.
const ADDRESS: Backoff = Backoff { free: 20, first: 1, longest: 300 };
/// Limit for password attempts from one client address at one account.
const PAIR: Backoff = Backoff { free: 5, first: 1, longest: 60 };
/// Limit for password attempts at one account from all addresses together. It delays only clients
/// that are unknown to the account. Each such client waits once, before its first attempt.
const ACCOUNT: Backoff = Backoff { free: 10, first: 1, longest: 30 };
/// Limit for second-factor codes entered for one person, from any address: a client that enters a
/// code already knows the password.
const CODE: Backoff = Backoff { free: 5, first: 1, longest: 900 };
/// Limit for emails to one recipient caused by sign-ups from one subscriber: two emails, then one
/// every 15 minutes.
const SIGN_UP_MAIL: Backoff = Backoff { free: 1, first: 900, longest: 900 };
/// Limit for emails to one recipient caused by sign-ups from all internet subscribers (see
/// [`subscriber`]): about 40 per hour. A few subscribers cannot exhaust this limit, so they cannot
/// block sign-ups from elsewhere. Many subscribers can; the owner of the mailbox can then still
/// request a password reset link, which has a limit of its own. Exhausting that limit too would
/// only put working links into the owner's mailbox.
const SIGN_UP_MAILS: Backoff = Backoff { free: 20, first: 1, longest: 300 };
/// Limit for emails to one recipient caused by requests to change an account's address to the
/// recipient's.
const MAIL: Backoff = Backoff { free: 5, first: 1, longest: 900 };
/// Limit for submissions, from one client address, of public forms that cost a password hash or an
/// email.
const FORM: Backoff = Backoff { free: 5, first: 1, longest: 120 };
/// Limit for authentication failures of one application from one client address.
const CLIENT: Backoff = Backoff { free: 10, first: 1, longest: 60 };
/// Limit for authentication failures of all applications from one client address. It is higher,
/// because several applications can share a host.
const CLIENTS: Backoff = Backoff { free: 50, first: 1, longest: 60 };

/// Kinds of email that have no other limit. Emailed links have a separate limit
/// ([`super::make_link`]), so that sign-ups by strangers cannot block password resets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MailKind<'a> {
    /// Email to the address that was entered at sign-up.
    SignUp {
        /// Client address of the sign-up.
        from: &'a str,
    },
    /// Email to the new address that was requested for an account.
    ChangeEmail,
}

/// An admitted password attempt, and the counters that it incremented.
#[derive(Debug, Clone, Copy)]
#[must_use = "it counts as failed until `Throttle::succeeded` or `Throttle::take_back` is called"]
pub struct Attempt {
    pair: u128,
    /// Counters of the subscriber and of the account; `None` for a known client.
    others: Option<(u128, u128)>,
}

impl Attempt {
    /// Whether the attempt comes from an address from which the account's owner has signed in
    /// before.
    #[must_use]
    pub fn is_known_client(&self) -> bool {
        self.others.is_none()
    }
}

/// Rate limiter. The counters are kept in memory, so another server, or this server after a
/// restart, starts from zero.
#[derive(Default)]
pub struct Throttle {
    counts: Mutex<Counts>,
}

struct Counts {
    pairs: Counters,
    /// Like `pairs`, for client addresses from which the account's owner has signed in before.
    known_client_pairs: Counters,
    /// Clients in the queue before their first attempt at an account under attack.
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

    /// Admits a password attempt. It is counted as a failure until [`Throttle::succeeded`] or
    /// [`Throttle::take_back`] is called, so that concurrent attempts do not escape the limit.
    ///
    /// An address has to wait because of its own failed attempts. Attempts by strangers at an
    /// account also make other unknown addresses wait before their first attempt there, once and
    /// for up to half a minute. Known clients are not affected.
    ///
    /// # Errors
    /// The client has to wait.
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
        if !wait.is_zero()
            && counts.pairs.get(pair, now).is_none()
            && counts.places.get(pair, now).is_none()
        {
            // The time of admission is fixed here: later attempts by others do not postpone it.
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

    /// Records a right password. This clears the attempts from this address at this account, and
    /// makes the address a known client of the account. The delay of the address itself remains: an
    /// attacker could otherwise reset it by signing in to an account of their own between guesses.
    pub fn succeeded(&self, now: Timestamp, attempt: Attempt) {
        let counts = &mut *self.counts();
        counts.pairs.forget(attempt.pair);
        counts.known_client_pairs.forget(attempt.pair);
        if let Some((address, account)) = attempt.others {
            counts.addresses.uncount(address);
            counts.accounts.uncount(account);
        }
        counts.known_clients.remember(attempt.pair, now);
    }

    /// Cancels an attempt whose password was not compared because the server was busy.
    pub fn take_back(&self, attempt: Attempt) {
        let counts = &mut *self.counts();
        match attempt.others {
            Some((address, account)) => {
                counts.pairs.take_back(attempt.pair);
                counts.addresses.take_back(address);
                counts.accounts.take_back(account);
            }
            None => counts.known_client_pairs.take_back(attempt.pair),
        }
    }

    /// Admits an attempt to enter a person's second-factor code. The attempt is counted until
    /// [`Throttle::forget_codes`] is called.
    ///
    /// # Errors
    /// The client has to wait.
    pub fn admit_code(&self, now: Timestamp, person: PersonId) -> Result<(), RetryAfter> {
        self.counts().codes.admit(key("code", &person.0.to_string()), now)
    }

    /// Clears the counter of a person after a right code or a password change. After a password
    /// change, an attacker has to start again with the password.
    pub fn forget_codes(&self, person: PersonId) {
        self.counts().codes.forget(key("code", &person.0.to_string()));
    }

    /// Whether another email may be sent to a recipient who may not have requested it. If not, the
    /// user sees the same response as if the email were sent.
    pub fn admit_mail(&self, now: Timestamp, kind: MailKind<'_>, recipient: &str) -> bool {
        let counts = &mut *self.counts();
        let recipient = recipient.trim().to_lowercase();
        let all = key("mail", &recipient);
        match kind {
            MailKind::SignUp { from } => {
                let theirs = key(&format!("mail\n{}", subscriber(from)), &recipient);
                let admitted = counts
                    .sign_up_mails
                    .wait(theirs, now)
                    .and_then(|()| counts.sign_up_recipients.admit(all, now));
                if admitted.is_ok() {
                    counts.sign_up_mails.count(theirs, now);
                }
                admitted.is_ok()
            }
            MailKind::ChangeEmail => counts.change_mails.admit(all, now).is_ok(),
        }
    }

    /// Admits a submission of a public form that costs a password hash or an email.
    ///
    /// # Errors
    /// The client has to wait.
    pub fn admit_form(&self, now: Timestamp, address: &str) -> Result<(), RetryAfter> {
        self.counts().forms.admit(key("form", &network(address)), now)
    }

    /// Admits an application that authenticates with its secret (RFC 6749, section 2.3.1). Only
    /// failures are counted: an application may send many requests at once, and a 256-bit secret
    /// cannot be guessed anyway.
    ///
    /// An application has to wait because of failures with its id from its own address. It waits
    /// because of failures of other applications at that address only until it has authenticated
    /// from there, and never for failures elsewhere: a stranger who knows its id cannot lock it
    /// out.
    ///
    /// # Errors
    /// The client has to wait.
    pub fn admit_client(
        &self,
        now: Timestamp,
        client: &str,
        address: &str,
    ) -> Result<(), RetryAfter> {
        let (client, address) = client_keys(client, address);
        let counts = &mut *self.counts();
        counts.clients.wait(client, now)?;
        if counts.known_applications.knows(client, now) {
            Ok(())
        } else {
            counts.client_addresses.wait(address, now)
        }
    }

    /// Records a failed authentication of an application.
    pub fn client_failed(&self, now: Timestamp, client: &str, address: &str) {
        let (client, address) = client_keys(client, address);
        let counts = &mut *self.counts();
        counts.clients.count(client, now);
        counts.client_addresses.count(address, now);
    }

    /// Records a successful authentication of an application.
    pub fn client_succeeded(&self, now: Timestamp, client: &str, address: &str) {
        let (client, _) = client_keys(client, address);
        let counts = &mut *self.counts();
        counts.clients.forget(client);
        counts.known_applications.remember(client, now);
    }
}

fn keys(who: &str, address: &str) -> (u128, u128, u128) {
    let who = who.trim().to_lowercase();
    (
        key(&format!("pair\n{who}"), &network(address)),
        key("address", &subscriber(address)),
        key("account", &who),
    )
}

fn client_keys(client: &str, address: &str) -> (u128, u128) {
    let address = network(address);
    (key(&format!("client\n{address}"), client), key("client address", &address))
}

/// Hashes a text, whose length a stranger can choose, to a key of fixed size.
fn key(kind: &str, text: &str) -> u128 {
    let digest: [u8; 32] = Sha256::digest(format!("{kind}\n{text}")).into();
    digest.iter().take(16).fold(0, |number, byte| number << 8 | u128::from(*byte))
}

/// Returns the network of an address: for IPv6 the first 64 bits, since the holder of a network
/// controls all of its addresses.
fn network(address: &str) -> String {
    prefix(address, 64)
}

/// Returns the subscriber to whom an address is assigned: for IPv6 the first 56 bits, which
/// commonly belong to one subscriber (256 networks, RFC 6177).
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
