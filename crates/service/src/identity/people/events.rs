//! What happened to people and to the ways into their accounts: for them to see, and for whoever looks into a break-in.

use super::PersonId;
use crate::{Environment, Error};
use jiff::SignedDuration;
use std::{
    cmp::Reverse,
    collections::{BTreeMap, BTreeSet},
};
use store::Tx;

pub use store::person_events::Event;

/// What can happen to an account. The names are stored, and pages have a text for each.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EventKind {
    /// The account was opened.
    SignedUp,
    /// The e-mail address was confirmed.
    EmailConfirmed,
    /// Somebody signed in; detail: the browser.
    SignedIn,
    /// Somebody gave a wrong password.
    SignInFailed,
    /// Somebody gave the right password and a wrong code.
    CodeFailed,
    /// A recovery code was used in place of the second factor.
    RecoveryCodeUsed,
    /// Somebody signed out.
    SignedOut,
    /// A session was ended from the list; detail: its browser.
    SessionEnded,
    /// All other sessions, or all, were ended.
    SessionsEnded,
    /// The password was changed.
    PasswordChanged,
    /// A link to set another password was asked for.
    PasswordResetRequested,
    /// The password was set by such a link.
    PasswordReset,
    /// Another e-mail address was asked for; detail: the new one.
    EmailChangeRequested,
    /// The e-mail address was changed; detail: the old one.
    EmailChanged,
    /// The second factor was set up.
    SecondFactorOn,
    /// The second factor was taken away.
    SecondFactorOff,
    /// New recovery codes were made.
    RecoveryCodesMade,
    /// The company details or preferences were changed.
    SettingsChanged,
    /// All data was downloaded.
    DataExported,
    /// A webhook was made; detail: its address.
    WebhookCreated,
    /// A webhook leads elsewhere, or has another secret; detail: its address.
    WebhookChanged,
    /// A webhook was removed; detail: its address.
    WebhookRemoved,
    /// An API key was made; detail: its name.
    KeyCreated,
    /// An API key was revoked; detail: its name.
    KeyRevoked,
    /// An application was connected; detail: its name.
    ApplicationConnected,
    /// An application was disconnected; detail: its name.
    ApplicationDisconnected,
    /// An application used a token a second time and was disconnected for it; detail: its name.
    TokenReused,
}

impl EventKind {
    /// All of them.
    pub const ALL: [Self; 27] = [
        Self::SignedUp,
        Self::EmailConfirmed,
        Self::SignedIn,
        Self::SignInFailed,
        Self::CodeFailed,
        Self::RecoveryCodeUsed,
        Self::SignedOut,
        Self::SessionEnded,
        Self::SessionsEnded,
        Self::PasswordChanged,
        Self::PasswordResetRequested,
        Self::PasswordReset,
        Self::EmailChangeRequested,
        Self::EmailChanged,
        Self::SecondFactorOn,
        Self::SecondFactorOff,
        Self::RecoveryCodesMade,
        Self::SettingsChanged,
        Self::DataExported,
        Self::KeyCreated,
        Self::KeyRevoked,
        Self::WebhookCreated,
        Self::WebhookChanged,
        Self::WebhookRemoved,
        Self::ApplicationConnected,
        Self::ApplicationDisconnected,
        Self::TokenReused,
    ];

    /// Its name in the database.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::SignedUp => "signed_up",
            Self::EmailConfirmed => "email_confirmed",
            Self::SignedIn => "signed_in",
            Self::SignInFailed => "sign_in_failed",
            Self::CodeFailed => "code_failed",
            Self::RecoveryCodeUsed => "recovery_code_used",
            Self::SignedOut => "signed_out",
            Self::SessionEnded => "session_ended",
            Self::SessionsEnded => "sessions_ended",
            Self::PasswordChanged => "password_changed",
            Self::PasswordResetRequested => "password_reset_requested",
            Self::PasswordReset => "password_reset",
            Self::EmailChangeRequested => "email_change_requested",
            Self::EmailChanged => "email_changed",
            Self::SecondFactorOn => "second_factor_on",
            Self::SecondFactorOff => "second_factor_off",
            Self::RecoveryCodesMade => "recovery_codes_made",
            Self::SettingsChanged => "settings_changed",
            Self::DataExported => "data_exported",
            Self::KeyCreated => "key_created",
            Self::KeyRevoked => "key_revoked",
            Self::WebhookCreated => "webhook_created",
            Self::WebhookChanged => "webhook_changed",
            Self::WebhookRemoved => "webhook_removed",
            Self::ApplicationConnected => "application_connected",
            Self::ApplicationDisconnected => "application_disconnected",
            Self::TokenReused => "token_reused",
        }
    }

    /// Whether its owner must see it even after a lot else: a thief could cause that to hide what they did.
    fn is_grave(self) -> bool {
        !matches!(
            self,
            Self::SignedIn
                | Self::SignInFailed
                | Self::CodeFailed
                | Self::SignedOut
                | Self::SessionEnded
                | Self::SessionsEnded
                | Self::PasswordResetRequested
                | Self::EmailChangeRequested
                | Self::SettingsChanged
        )
    }
}

/// Writes down for the owner of an account that something happened to a way into it; nothing where the account was closed meanwhile.
///
/// # Errors
/// The storage failed, or there is no randomness.
pub fn record_for_owner(tx: &mut Tx<'_>, env: &Environment, account: i64, kind: EventKind, detail: &str) -> Result<(), Error> {
    match store::people::owner(tx, account)? {
        Some(owner) => record(tx, env, owner, kind, detail),
        None => Ok(()),
    }
}

/// Writes down that something happened.
///
/// # Errors
/// The storage failed, or there is no randomness.
pub fn record(tx: &mut Tx<'_>, env: &Environment, person: PersonId, kind: EventKind, detail: &str) -> Result<(), Error> {
    let id = format!("{:016x}", u64::from_be_bytes(super::draw_bytes(env.random())?));
    let event =
        Event { at: env.now, id, kind: kind.as_str().to_owned(), detail: detail.to_owned(), address: env.client.address.clone() };
    Ok(store::person_events::insert(tx, person, &event)?)
}

/// The last events, the latest first.
///
/// # Errors
/// The storage failed.
pub fn list(tx: &mut Tx<'_>, person: PersonId, limit: i64) -> Result<Vec<Event>, Error> {
    Ok(store::person_events::last(tx, person, limit)?)
}

/// Something that happened, and how often one after the other.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Happened {
    /// The last of them.
    pub event: Event,
    /// How many there were.
    pub times: usize,
}

/// How far back what is grave is shown, and how much of it and of the rest.
const GRAVE_FOR: SignedDuration = SignedDuration::from_hours(90 * 24);
const GRAVE: usize = 100;
const ROUTINE: usize = 30;
/// Events that are read before equal ones become one.
const READ: i64 = 1000;

/// What the owner is shown, the latest first: what is grave, sign-ins from a place that was new among it, of the last ninety days; and
/// the last of the rest. Equal ones that followed one another are one.
///
/// # Errors
/// The storage failed.
pub fn overview(tx: &mut Tx<'_>, env: &Environment, person: PersonId) -> Result<Vec<Happened>, Error> {
    let (grave, routine): (Vec<EventKind>, Vec<EventKind>) = EventKind::ALL.into_iter().partition(|kind| kind.is_grave());
    let names = |kinds: Vec<EventKind>| -> Vec<&'static str> { kinds.into_iter().map(EventKind::as_str).collect() };
    let mut found = BTreeMap::new();
    let mut take = |events: Vec<Event>, is_grave: bool| {
        found.extend(events.into_iter().map(|event| ((Reverse(event.at), Reverse(event.id.clone())), (event, is_grave))));
    };
    take(store::person_events::last_of(tx, person, &names(routine), env.now - super::EVENTS_KEPT, READ)?, false);
    take(store::person_events::last_of(tx, person, &names(grave), env.now - GRAVE_FOR, READ)?, true);
    take(store::person_events::firsts(tx, person, EventKind::SignedIn.as_str(), env.now - GRAVE_FOR, ROUTINE as i64)?, true);
    let mut folded: Vec<(Happened, bool)> = Vec::new();
    for (event, is_grave) in found.into_values() {
        match folded.last_mut() {
            Some((last, was_grave)) if is_like(&last.event, &event) => {
                last.times += 1;
                *was_grave |= is_grave;
            }
            _ => folded.push((Happened { event, times: 1 }, is_grave)),
        }
    }
    let (mut graves, mut routines) = (0, 0);
    folded.retain(|(_, is_grave)| {
        let (count, most) = if *is_grave { (&mut graves, GRAVE) } else { (&mut routines, ROUTINE) };
        *count += 1;
        *count <= most
    });
    Ok(folded.into_iter().map(|(happened, _)| happened).collect())
}

/// Applications that lost their connection within the last ninety days because a token was used twice and that the owner
/// neither connected nor disconnected since, the latest first.
///
/// # Errors
/// The storage failed.
pub fn token_reuses(tx: &mut Tx<'_>, env: &Environment, person: PersonId) -> Result<Vec<Event>, Error> {
    let reused = EventKind::TokenReused.as_str();
    let kinds = [reused, EventKind::ApplicationConnected.as_str(), EventKind::ApplicationDisconnected.as_str()];
    let mut settled = BTreeSet::new();
    let mut latest = store::person_events::last_of(tx, person, &kinds, env.now - GRAVE_FOR, READ)?;
    latest.retain(|event| settled.insert(event.detail.clone()) && event.kind == reused);
    Ok(latest)
}

fn is_like(one: &Event, other: &Event) -> bool {
    (&one.kind, &one.detail, &one.address) == (&other.kind, &other.detail, &other.address)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_has_a_name_of_its_own() {
        let names: BTreeSet<&str> = EventKind::ALL.into_iter().map(EventKind::as_str).collect();
        assert_eq!(names.len(), EventKind::ALL.len());
    }
}
