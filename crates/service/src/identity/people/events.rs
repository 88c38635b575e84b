//! Security events of people and their accounts: shown to the owner, and used to investigate
//! break-ins.

use super::PersonId;
use crate::{Environment, Error};
use jiff::SignedDuration;
use std::{
    cmp::Reverse,
    collections::{BTreeMap, BTreeSet},
};
use store::Tx;

pub use store::person_events::Event;

/// Kind of event. The names are stored, and pages have a text for each.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EventKind {
    /// The account was opened.
    SignedUp,
    /// The email address was confirmed.
    EmailConfirmed,
    /// A sign-in; detail: the browser.
    SignedIn,
    /// A wrong password was entered.
    SignInFailed,
    /// The right password but a wrong code was entered.
    CodeFailed,
    /// A recovery code was used in place of the second factor.
    RecoveryCodeUsed,
    /// A sign-out.
    SignedOut,
    /// A session was ended from the list of sessions.
    SessionEnded,
    /// All sessions, or all but the current one, were ended.
    SessionsEnded,
    /// The password was changed.
    PasswordChanged,
    /// A link to reset the password was requested.
    PasswordResetRequested,
    /// The password was reset with an emailed link, or by the operator.
    PasswordReset,
    /// A change of the email address was requested; detail: the new address.
    EmailChangeRequested,
    /// The email address was changed; detail: the old address.
    EmailChanged,
    /// The second factor was set up.
    SecondFactorOn,
    /// The second factor was removed.
    SecondFactorOff,
    /// New recovery codes were made.
    RecoveryCodesMade,
    /// The company details or preferences were changed.
    SettingsChanged,
    /// All data was exported.
    DataExported,
    /// A webhook was created; detail: its URL.
    WebhookCreated,
    /// The URL or the secret of a webhook was changed; detail: its URL.
    WebhookChanged,
    /// A webhook was removed; detail: its URL.
    WebhookRemoved,
    /// An API key was created; detail: the name of the key.
    KeyCreated,
    /// An API key was revoked; detail: the name of the key.
    KeyRevoked,
    /// An application was connected; detail: the application's name.
    ApplicationConnected,
    /// An application was disconnected; detail: the application's name.
    ApplicationDisconnected,
    /// An application reused a token and was therefore disconnected; detail: the application's
    /// name.
    TokenReused,
}

impl EventKind {
    /// All kinds.
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

    /// Name in the database.
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

    /// Whether the event stays visible to the owner even after many other events. A thief could
    /// otherwise hide it by causing many routine events.
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

/// Records an event for the owner of an account; does nothing if the account has been closed.
///
/// # Errors
/// The storage failed, or the random number generator failed.
pub fn record_for_owner(
    tx: &mut Tx<'_>,
    env: &Environment,
    account: i64,
    kind: EventKind,
    detail: &str,
) -> Result<(), Error> {
    match store::people::owner(tx, account)? {
        Some(owner) => record(tx, env, owner, kind, detail),
        None => Ok(()),
    }
}

/// Records an event.
///
/// # Errors
/// The storage failed, or the random number generator failed.
pub fn record(
    tx: &mut Tx<'_>,
    env: &Environment,
    person: PersonId,
    kind: EventKind,
    detail: &str,
) -> Result<(), Error> {
    let id = format!("{:016x}", u64::from_be_bytes(super::draw_bytes(env.random())?));
    let event = Event {
        at: env.now,
        id,
        kind: kind.as_str().to_owned(),
        detail: detail.to_owned(),
        address: env.client.address.clone(),
    };
    Ok(store::person_events::insert(tx, person, &event)?)
}

/// Lists the latest events of a person, newest first.
///
/// # Errors
/// The storage failed.
pub fn list(tx: &mut Tx<'_>, person: PersonId, limit: i64) -> Result<Vec<Event>, Error> {
    Ok(store::person_events::last(tx, person, limit)?)
}

/// An event, with the number of its consecutive occurrences.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Happened {
    /// Latest occurrence.
    pub event: Event,
    /// Number of occurrences.
    pub times: usize,
}

/// Period for which grave events are shown. At most `GRAVE` grave and `ROUTINE` other events are
/// shown.
const GRAVE_FOR: SignedDuration = SignedDuration::from_hours(90 * 24);
const GRAVE: usize = 100;
const ROUTINE: usize = 30;
/// Number of events read per group before equal ones are merged.
const READ: i64 = 1000;

/// Returns the events to show to the owner, newest first: the grave events of the last 90 days,
/// including sign-ins from new places, and the latest of the other events. Consecutive equal events
/// are merged.
///
/// # Errors
/// The storage failed.
pub fn overview(
    tx: &mut Tx<'_>,
    env: &Environment,
    person: PersonId,
) -> Result<Vec<Happened>, Error> {
    let (grave, routine): (Vec<EventKind>, Vec<EventKind>) =
        EventKind::ALL.into_iter().partition(|kind| kind.is_grave());
    let names = |kinds: Vec<EventKind>| -> Vec<&'static str> {
        kinds.into_iter().map(EventKind::as_str).collect()
    };
    let mut latest = BTreeMap::new();
    let mut take = |events: Vec<Event>, is_grave: bool| {
        latest.extend(
            events
                .into_iter()
                .map(|event| ((Reverse(event.at), Reverse(event.id.clone())), (event, is_grave))),
        );
    };
    take(
        store::person_events::last_of(
            tx,
            person,
            &names(routine),
            env.now - super::EVENTS_KEPT,
            READ,
        )?,
        false,
    );
    take(
        store::person_events::last_of(tx, person, &names(grave), env.now - GRAVE_FOR, READ)?,
        true,
    );
    take(
        store::person_events::firsts(
            tx,
            person,
            EventKind::SignedIn.as_str(),
            env.now - GRAVE_FOR,
            ROUTINE as i64,
        )?,
        true,
    );
    let mut merged: Vec<(Happened, bool)> = Vec::new();
    for (event, is_grave) in latest.into_values() {
        match merged.last_mut() {
            Some((last, was_grave)) if is_like(&last.event, &event) => {
                last.times += 1;
                *was_grave |= is_grave;
            }
            _ => merged.push((Happened { event, times: 1 }, is_grave)),
        }
    }
    let (mut graves, mut routines) = (0, 0);
    merged.retain(|(_, is_grave)| {
        let (count, most) = if *is_grave { (&mut graves, GRAVE) } else { (&mut routines, ROUTINE) };
        *count += 1;
        *count <= most
    });
    Ok(merged.into_iter().map(|(happened, _)| happened).collect())
}

/// Returns the disconnections of the last 90 days that were caused by a reused token, newest first.
/// Applications that the owner has connected or disconnected since are left out.
///
/// # Errors
/// The storage failed.
pub fn token_reuses(
    tx: &mut Tx<'_>,
    env: &Environment,
    person: PersonId,
) -> Result<Vec<Event>, Error> {
    let reused = EventKind::TokenReused.as_str();
    let kinds = [
        reused,
        EventKind::ApplicationConnected.as_str(),
        EventKind::ApplicationDisconnected.as_str(),
    ];
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
    fn every_kind_has_a_unique_name() {
        let names: BTreeSet<&str> = EventKind::ALL.into_iter().map(EventKind::as_str).collect();
        assert_eq!(names.len(), EventKind::ALL.len());
    }
}
