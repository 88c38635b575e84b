//! Webhooks: registration and delivery of messages, according to Standard Webhooks 1.0.

use super::webhook_targets::WebhookTargets;
use crate::{
    AccessError, Context, Environment, Error, Fault, Reason,
    actor::Credential,
    context,
    environment::Random,
    people::{EncryptionKey, events},
    secrets,
};
use base64::{Engine, engine::general_purpose::STANDARD};
use hmac::{Hmac, KeyInit, Mac};
use jiff::{SignedDuration, Timestamp};
use sha2::Sha256;
use std::collections::BTreeSet;
use store::{
    Page, StoreError, Tx, Updated, accounts,
    accounts::Account,
    books::{self, IdSequence},
    keys, oauth,
    webhooks::{self as rows, Delivery, DeliveryStatus, Disabled, Program, Types, Webhook},
};

pub use store::changes::WEBHOOK_TYPES;

/// Type of a test message.
pub const TEST_TYPE: &str = "webhook.test";
/// Maximum number of webhooks per account.
pub const MOST: usize = 20;
/// Period after a rotation during which messages are also signed with the former secret.
const ROTATION: SignedDuration = SignedDuration::from_hours(24);
/// Lease on a message: the time after which another node may take over its delivery.
const LEASE: SignedDuration = SignedDuration::from_secs(30);
/// Delays before the next attempt, in seconds, by number of failed attempts. The last delay repeats
/// until the delivery times out.
const PAUSES: [i64; 7] = [5, 20, 120, 600, 3_600, 10_800, 36_000];
/// Period during which delivery of a message is attempted before it is given up.
const DELIVERY_TIMEOUT: SignedDuration = SignedDuration::from_hours(72);
/// Retention period of finished messages.
const KEPT: SignedDuration = SignedDuration::from_hours(30 * 24);
/// Retention period of message bodies, from the first attempt or the last redelivery request.
const BODY_KEPT: SignedDuration = SignedDuration::from_hours(3 * 24);
/// Length of a secret in bytes; Standard Webhooks requires 24 to 64.
const SECRET_BYTES: usize = 32;
/// Prefix of a secret when it is shown.
const SECRET_PREFIX: &str = "whsec_";
/// Prefix of a secret that is stored in plain text because the server has no encryption key.
const UNENCRYPTED: &str = "plain:";

/// Command that creates a webhook.
#[derive(Debug, Clone)]
pub struct NewWebhook {
    /// URL of the receiver.
    pub url: String,
    /// Event types; empty means all.
    pub types: Vec<String>,
    /// Free-text description.
    pub description: Option<String>,
}

/// Edit of a webhook. Fields that are `None` stay unchanged.
#[derive(Debug, Clone, Default)]
pub struct EditWebhook {
    /// URL of the receiver.
    pub url: Option<String>,
    /// Event types.
    pub types: Option<Vec<String>>,
    /// Free-text description; `Some(None)` removes it.
    pub description: Option<Option<String>>,
    /// Whether messages are sent.
    pub enabled: Option<bool>,
}

/// Server configuration that the webhook commands need.
#[derive(Clone)]
pub struct Sending {
    /// Key that encrypts secrets, if the server has one.
    pub key: Option<EncryptionKey>,
    /// Allowed URLs.
    pub targets: WebhookTargets,
}

/// A webhook with its secret, which cannot be retrieved later.
#[derive(Clone)]
pub struct Shown {
    /// Stored webhook.
    pub webhook: Webhook,
    /// Signing secret: `whsec_` and base64.
    pub secret: String,
}

impl Sending {
    /// Returns the reason why a URL is not allowed, as a fault in the field `/url`, if there is
    /// one.
    #[must_use]
    pub fn fault_of(&self, url: &str) -> Option<Fault> {
        self.targets.read(url).err().map(|reason| Fault::new("/url", reason))
    }

    fn validate(&self, url: &str) -> Result<(), Error> {
        self.fault_of(url).map_or(Ok(()), |fault| Err(Error::Invalid(vec![fault])))
    }
}

/// Program that created a webhook, or that last enabled it or changed its URL; all fields are
/// `None` if the owner did so.
#[derive(Default)]
struct Maker {
    key_id: Option<i64>,
    grant_id: Option<String>,
    name: Option<String>,
}

impl Maker {
    /// Returns the caller as the maker of a webhook. The books must be locked.
    ///
    /// # Errors
    /// The key has been revoked, or the application disconnected, while the request ran.
    fn of(tx: &mut Tx<'_>, cx: &Context) -> Result<Self, Error> {
        let account = cx.actor.account;
        let ended = || Error::Store(StoreError::AccountClosed);
        match &cx.actor.credential {
            Credential::Owner => Ok(Self::default()),
            Credential::Key(id) => {
                let name = keys::name_of(tx, account, *id)?.ok_or_else(ended)?;
                Ok(Self { key_id: Some(*id), name: Some(name), ..Self::default() })
            }
            Credential::Grant(id) => {
                let (_, name) = oauth::client_of(tx, account, id)?.ok_or_else(ended)?;
                Ok(Self { grant_id: Some(id.clone()), name: Some(name), ..Self::default() })
            }
        }
    }
}

/// Disables the webhooks of a program that has lost its access.
///
/// # Errors
/// The storage failed.
pub(crate) fn disable_of(
    tx: &mut Tx<'_>,
    env: &Environment,
    account: i64,
    program: Program<'_>,
) -> Result<(), Error> {
    // Under this lock, requests by the program that were in progress have finished; later ones
    // fail, because the program has lost its access.
    if !books::lock(tx, account)? {
        return Ok(());
    }
    let because = match program {
        Program::Key(_) => Disabled::KeyRevoked,
        Program::Grant(_) => Disabled::Disconnected,
    };
    for id in rows::enabled_of(tx, account, program)? {
        if let Some(mut webhook) = rows::lock(tx, account, id)? {
            switch_off(tx, env, account, &mut webhook, because)?;
        }
    }
    Ok(())
}

/// Disables a webhook and cancels its messages. `updated_at` is a timestamp of the books, because
/// sync filters compare it; `disabled_at` comes from the server's clock.
fn switch_off(
    tx: &mut Tx<'_>,
    env: &Environment,
    account: i64,
    webhook: &mut Webhook,
    because: Disabled,
) -> Result<(), Error> {
    (webhook.disabled_at, webhook.disabled_because) = (Some(env.now), Some(because));
    update(tx, env, account, webhook)?;
    Ok(rows::give_up(tx, account, webhook.id)?)
}

/// Stores a webhook, with the timestamp of its locked books as `updated_at`.
fn update(
    tx: &mut Tx<'_>,
    env: &Environment,
    account: i64,
    webhook: &mut Webhook,
) -> Result<(), Error> {
    books::transact(tx, account, env.now, |tx, _, now| {
        webhook.updated_at = now;
        Ok(rows::update(tx, account, webhook)?)
    })
}

/// Creates a webhook.
///
/// # Errors
/// The URL is not allowed, another webhook has the same URL and types, the account has too many
/// webhooks, or the random number generator failed.
pub fn create(
    tx: &mut Tx<'_>,
    cx: &Context,
    sending: &Sending,
    new: &NewWebhook,
) -> Result<Shown, Error> {
    sending.validate(&new.url)?;
    let (secret, token) = (draw_secret(cx.random())?, secrets::draw_id(cx.random())?);
    let webhook = context::transact(tx, cx, |tx, books, cx| {
        let others = rows::after(tx, cx.actor.account, 0, i64::MAX)?;
        refuse_another_like(&others, &new.url, &new.types)?;
        if others.len() >= MOST {
            return Err(Error::fault("", Reason::TooManyWebhooks { most: MOST }));
        }
        let maker = Maker::of(tx, cx)?;
        let id = books.next_id(IdSequence::Webhook);
        let webhook = Webhook {
            id,
            token: token.clone(),
            url: new.url.clone(),
            types: Types(new.types.clone()),
            description: new.description.clone(),
            secret: encrypt(cx, sending, id, &secret)?,
            former_secret: None,
            former_until: None,
            failing_since: None,
            disabled_at: None,
            disabled_because: None,
            key_id: maker.key_id,
            grant_id: maker.grant_id,
            made_by: maker.name,
            // The server's time, as for keys, because the clock of a test account applies only to
            // its books.
            created_at: cx.env.now,
            updated_at: cx.now(),
        };
        rows::insert(tx, cx.actor.account, &webhook)?;
        Ok::<_, Error>(webhook)
    })?;
    events::record_for_owner(
        tx,
        &cx.env,
        cx.actor.account,
        events::EventKind::WebhookCreated,
        &webhook.url,
    )?;
    Ok(Shown { webhook, secret: show(&secret) })
}

/// Lists up to `limit` webhooks of the account with an id above `after`.
///
/// # Errors
/// The storage failed.
pub fn list(tx: &mut Tx<'_>, cx: &Context, after: i64, limit: i64) -> Result<Vec<Webhook>, Error> {
    Ok(rows::after(tx, cx.actor.account, after, limit)?)
}

/// Returns a page of webhooks, optionally only those changed since a time.
///
/// # Errors
/// The storage failed.
pub fn page(
    tx: &mut Tx<'_>,
    cx: &Context,
    updated: Option<Updated>,
    after: i64,
    limit: i64,
) -> Result<Page<Webhook>, Error> {
    Ok(rows::page(tx, cx.actor.account, updated, after, limit)?)
}

/// Returns a webhook by its id.
///
/// # Errors
/// There is no such webhook.
pub fn read(tx: &mut Tx<'_>, cx: &Context, id: i64) -> Result<Webhook, Error> {
    rows::by_id(tx, cx.actor.account, id)?.ok_or(Error::NotFound("webhook"))
}

fn find_locked(tx: &mut Tx<'_>, cx: &Context, id: i64) -> Result<Webhook, Error> {
    rows::lock(tx, cx.actor.account, id)?.ok_or(Error::NotFound("webhook"))
}

/// Like [`find_locked`], but also locks the books, so that no command adds messages for the
/// webhook, and checks that the webhook is in the expected state.
fn find_expected(
    tx: &mut Tx<'_>,
    cx: &Context,
    id: i64,
    expected: &dyn Fn(&Webhook) -> bool,
) -> Result<Webhook, Error> {
    books::lock(tx, cx.actor.account)?;
    let webhook = find_locked(tx, cx, id)?;
    if expected(&webhook) { Ok(webhook) } else { Err(Error::Changed) }
}

/// Edits a webhook. `expected` is called on the stored webhook; if it returns false, there is an
/// edit conflict. Enabling a webhook does not send messages that were pending when it was disabled.
/// A caller that enables the webhook or changes its URL becomes its maker.
///
/// # Errors
/// There is no such webhook, it is not as expected, the URL is not allowed, or another webhook has
/// the same URL and types.
pub fn edit(
    tx: &mut Tx<'_>,
    cx: &Context,
    sending: &Sending,
    id: i64,
    edit: &EditWebhook,
    expected: &dyn Fn(&Webhook) -> bool,
) -> Result<Webhook, Error> {
    let old = find_expected(tx, cx, id, expected)?;
    if let Some(url) = &edit.url {
        sending.validate(url)?;
    }
    let mut webhook = old.clone();
    webhook.url = edit.url.clone().unwrap_or(webhook.url);
    webhook.types = edit.types.clone().map_or(webhook.types, Types);
    webhook.description = edit.description.clone().unwrap_or(webhook.description);
    if webhook.url != old.url || webhook.types != old.types {
        let mut others = rows::after(tx, cx.actor.account, 0, i64::MAX)?;
        others.retain(|other| other.id != id);
        refuse_another_like(&others, &webhook.url, &webhook.types.0)?;
    }
    let is_switched_on = edit.enabled == Some(true) && old.disabled_at.is_some();
    if is_switched_on || webhook.url != old.url {
        let maker = Maker::of(tx, cx)?;
        (webhook.key_id, webhook.grant_id, webhook.made_by) =
            (maker.key_id, maker.grant_id, maker.name);
    }
    match edit.enabled {
        Some(true) if is_switched_on => {
            rows::give_up(tx, cx.actor.account, id)?;
            (webhook.disabled_at, webhook.disabled_because, webhook.failing_since) =
                (None, None, None);
        }
        Some(false) if old.disabled_at.is_none() => {
            (webhook.disabled_at, webhook.disabled_because) =
                (Some(cx.env.now), Some(Disabled::ByOwner));
            rows::give_up(tx, cx.actor.account, id)?;
        }
        _ => {}
    }
    if webhook != old {
        update(tx, &cx.env, cx.actor.account, &mut webhook)?;
    }
    if webhook.url != old.url {
        let kind = events::EventKind::WebhookChanged;
        events::record_for_owner(tx, &cx.env, cx.actor.account, kind, &webhook.url)?;
    }
    Ok(webhook)
}

/// Rejects a second webhook with the same URL and types. Without this check, a client that repeats
/// a request whose response was lost would get every message twice, signed with two secrets.
fn refuse_another_like(others: &[Webhook], url: &str, types: &[String]) -> Result<(), Error> {
    let wants = |types: &[String]| types.iter().cloned().collect::<BTreeSet<String>>();
    match others.iter().find(|other| other.url == url && wants(&other.types.0) == wants(types)) {
        Some(other) => Err(Error::fault("/url", Reason::WebhookTaken { webhook: other.id })),
        None => Ok(()),
    }
}

/// Removes a webhook with its pending messages. `expected` is called on the stored webhook; if it
/// returns false, there is an edit conflict.
///
/// # Errors
/// There is no such webhook, or it is not as expected.
pub fn delete(
    tx: &mut Tx<'_>,
    cx: &Context,
    id: i64,
    expected: &dyn Fn(&Webhook) -> bool,
) -> Result<(), Error> {
    let webhook = find_expected(tx, cx, id, expected)?;
    rows::remove(tx, cx.actor.account, id)?;
    events::record_for_owner(
        tx,
        &cx.env,
        cx.actor.account,
        events::EventKind::WebhookRemoved,
        &webhook.url,
    )
}

/// Rotates the secret. For a day, messages are signed with both the new and the former secret.
///
/// # Errors
/// There is no such webhook, or the random number generator failed.
pub fn rotate(tx: &mut Tx<'_>, cx: &Context, sending: &Sending, id: i64) -> Result<Shown, Error> {
    let mut webhook = find_expected(tx, cx, id, &|_| true)?;
    let secret = draw_secret(cx.random())?;
    webhook.former_secret =
        Some(std::mem::replace(&mut webhook.secret, encrypt(cx, sending, id, &secret)?));
    webhook.former_until = Some(cx.env.now.checked_add(ROTATION).unwrap_or(Timestamp::MAX));
    update(tx, &cx.env, cx.actor.account, &mut webhook)?;
    let kind = events::EventKind::WebhookChanged;
    events::record_for_owner(tx, &cx.env, cx.actor.account, kind, &webhook.url)?;
    Ok(Shown { webhook, secret: show(&secret) })
}

/// Queues a test message.
///
/// # Errors
/// There is no such webhook, or it is disabled.
pub fn test(tx: &mut Tx<'_>, cx: &Context, id: i64) -> Result<(Webhook, Delivery), Error> {
    context::transact(tx, cx, |tx, books, cx| {
        let webhook = enabled(find_locked(tx, cx, id)?)?;
        let message = (id, books.next_id(IdSequence::Delivery));
        let delivery =
            Delivery::new(message, TEST_TYPE, None, (books.last_change(), cx.now()), cx.env.now);
        rows::insert_delivery(tx, cx.actor.account, &delivery)?;
        Ok((webhook, delivery))
    })
}

/// Lists up to `limit` messages of a webhook with an id below `before`, newest first, optionally
/// only those with a given status.
///
/// # Errors
/// There is no such webhook.
pub fn deliveries(
    tx: &mut Tx<'_>,
    cx: &Context,
    webhook: i64,
    status: Option<DeliveryStatus>,
    before: i64,
    limit: i64,
) -> Result<(Webhook, Vec<Delivery>), Error> {
    let webhook = read(tx, cx, webhook)?;
    let deliveries = rows::deliveries(tx, cx.actor.account, webhook.id, status, before, limit)?;
    Ok((webhook, deliveries))
}

/// Returns a message of a webhook by its message id.
///
/// # Errors
/// There is no such webhook or message.
pub fn delivery(
    tx: &mut Tx<'_>,
    cx: &Context,
    webhook: i64,
    message: &str,
) -> Result<(Webhook, Delivery), Error> {
    let webhook = read(tx, cx, webhook)?;
    let number = message_number(&webhook, message).ok_or(Error::NotFound("delivery"))?;
    let delivery = rows::delivery(tx, cx.actor.account, webhook.id, number)?
        .ok_or(Error::NotFound("delivery"))?;
    Ok((webhook, delivery))
}

/// Queues a message again, with the same id and body.
///
/// # Errors
/// There is no such webhook or message, its body is no longer stored, or the webhook is disabled.
pub fn redeliver(
    tx: &mut Tx<'_>,
    cx: &Context,
    webhook: i64,
    message: &str,
) -> Result<(Webhook, Delivery), Error> {
    enabled(find_locked(tx, cx, webhook)?)?;
    let (_, delivery) = self::delivery(tx, cx, webhook, message)?;
    // A message that has never been attempted has no stored body yet.
    if !rows::keep_body(tx, cx.actor.account, delivery.id, cx.env.now)? && delivery.attempts > 0 {
        return Err(Error::NotFound("message body (it is kept for three days)"));
    }
    rows::again(tx, cx.actor.account, webhook, delivery.id, cx.now())?;
    self::delivery(tx, cx, webhook, message)
}

fn enabled(webhook: Webhook) -> Result<Webhook, Error> {
    if webhook.disabled_at.is_some() {
        Err(AccessError::WebhookDisabled.into())
    } else {
        Ok(webhook)
    }
}

/// Returns the message id that is sent with each message.
#[must_use]
pub fn message_id(webhook: &Webhook, delivery: i64) -> String {
    format!("msg_{}_{delivery}", webhook.token)
}

fn message_number(webhook: &Webhook, message: &str) -> Option<i64> {
    let number = message.strip_prefix("msg_")?.strip_prefix(&webhook.token)?.strip_prefix('_')?;
    number.parse().ok().filter(|id| message_id(webhook, *id) == message)
}

/// Leases the oldest pending message of a webhook to a node; `None` if there is none or the webhook
/// is disabled.
///
/// # Errors
/// The storage failed.
pub fn claim(
    tx: &mut Tx<'_>,
    env: &Environment,
    account: i64,
    webhook: i64,
    node: &str,
) -> Result<Option<(Webhook, Delivery)>, Error> {
    let Some(webhook) =
        rows::by_id(tx, account, webhook)?.filter(|webhook| webhook.disabled_at.is_none())
    else {
        return Ok(None);
    };
    let until = env.now.checked_add(LEASE).unwrap_or(Timestamp::MAX);
    Ok(rows::claim(tx, account, webhook.id, node, env.now, until)?
        .map(|delivery| (webhook, delivery)))
}

/// Response of a receiver.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    /// HTTP status, if there was a response.
    pub status: Option<u16>,
    /// Beginning of the response body.
    pub beginning: Option<String>,
    /// Reason why there was no response.
    pub cause: Option<String>,
}

impl Answer {
    /// Creates the outcome of an attempt without a response, for the given reason.
    #[must_use]
    pub fn none(cause: String) -> Self {
        Self { status: None, beginning: None, cause: Some(cause) }
    }

    /// Whether the receiver accepted the message.
    #[must_use]
    pub fn is_good(&self) -> bool {
        self.status.is_some_and(|status| (200..300).contains(&status))
    }
}

/// Outcome of a delivery attempt.
#[derive(Debug)]
pub enum Settled {
    /// The message was delivered.
    Delivered,
    /// Delivery will be retried.
    Again,
    /// Delivery was given up and the webhook was disabled; the owner has to be notified.
    Disabled(Box<(Account, Webhook)>),
    /// The result is obsolete: the webhook was removed or disabled, the account was closed, or the
    /// lease had expired.
    Overtaken,
}

/// Records the outcome of an attempt by `node` to send a message to a URL, provided that the node
/// still holds the lease.
///
/// # Errors
/// The storage failed.
pub fn settle(
    tx: &mut Tx<'_>,
    env: &Environment,
    account: i64,
    (node, sent_to): (&str, &str),
    mut delivery: Delivery,
    answer: &Answer,
) -> Result<Settled, Error> {
    let ends = delivery.since.checked_add(DELIVERY_TIMEOUT).unwrap_or(Timestamp::MAX);
    let gone = answer.status == Some(410);
    let is_last = !answer.is_good() && (gone || env.now >= ends);
    // Disabling a webhook requires the lock of the books, so that no command adds messages for it.
    if is_last && !books::lock(tx, account)? {
        return Ok(Settled::Overtaken);
    }
    let Some(mut webhook) = rows::lock(tx, account, delivery.webhook_id)? else {
        return Ok(Settled::Overtaken);
    };
    // If the URL has changed since the attempt, a failure at the old URL is no reason to give up.
    let is_last = is_last && webhook.url == sent_to;
    delivery.answer_status = answer.status.map(i64::from);
    delivery.answer.clone_from(&answer.beginning);
    delivery.cause.clone_from(&answer.cause);
    let tried = usize::try_from(delivery.tries - 1).unwrap_or(0).min(PAUSES.len() - 1);
    let next =
        env.now.checked_add(SignedDuration::from_secs(PAUSES[tried])).unwrap_or(Timestamp::MAX);
    let next = if env.now < ends { next.min(ends) } else { next };
    (delivery.status, delivery.next_at) = match (answer.is_good(), is_last) {
        (true, _) => (DeliveryStatus::Delivered, None),
        (false, true) => (DeliveryStatus::Failed, None),
        (false, false) => (DeliveryStatus::Pending, Some(next)),
    };
    if !rows::settle(tx, account, &delivery, node)? {
        return Ok(Settled::Overtaken);
    }
    match delivery.status {
        DeliveryStatus::Delivered => {
            if webhook.failing_since.is_some() {
                rows::set_failing(tx, account, webhook.id, None)?;
            }
            Ok(Settled::Delivered)
        }
        DeliveryStatus::Pending => {
            if webhook.failing_since.is_none() {
                rows::set_failing(tx, account, webhook.id, Some(env.now))?;
            }
            Ok(Settled::Again)
        }
        DeliveryStatus::Failed => {
            webhook.failing_since = webhook.failing_since.or(Some(env.now));
            switch_off(
                tx,
                env,
                account,
                &mut webhook,
                if gone { Disabled::Gone } else { Disabled::Failing },
            )?;
            let owner = accounts::by_id(tx, account)?.ok_or(Error::NotFound("account"))?;
            Ok(Settled::Disabled(Box::new((owner, webhook))))
        }
    }
}

/// Removes finished messages and message bodies that are past their retention periods, up to
/// `limit` of each; returns the larger of the two counts.
///
/// # Errors
/// The storage failed.
pub fn sweep(tx: &mut Tx<'_>, env: &Environment, limit: i64) -> Result<i64, Error> {
    let before = |kept| env.now.checked_sub(kept).unwrap_or(Timestamp::MIN);
    Ok(rows::sweep(tx, before(KEPT), limit)?.max(rows::sweep_bodies(tx, before(BODY_KEPT), limit)?))
}

/// Returns the `webhook-signature` header of a message, signed with the current secret and, while
/// it is still valid, the former one. `None` if the server lacks the key that encrypted the secret.
#[must_use]
pub fn signature(
    key: Option<&EncryptionKey>,
    account: i64,
    webhook: &Webhook,
    message: &str,
    now: Timestamp,
    body: &str,
) -> Option<String> {
    let signed = |encrypted: &str| {
        let signed =
            sign(&open(key, account, webhook.id, encrypted)?, message, now.as_second(), body)?;
        Some(format!("v1,{signed}"))
    };
    let former = webhook
        .former_secret
        .as_deref()
        .filter(|_| webhook.former_until.is_some_and(|until| until > now));
    let current = signed(&webhook.secret)?;
    Some(std::iter::once(current).chain(former.and_then(signed)).collect::<Vec<_>>().join(" "))
}

fn sign(secret: &[u8], message: &str, second: i64, body: &str) -> Option<String> {
    let mut mac = Hmac::<Sha256>::new_from_slice(secret).ok()?;
    mac.update(format!("{message}.{second}.{body}").as_bytes());
    Some(STANDARD.encode(mac.finalize().into_bytes()))
}

fn draw_secret(random: &dyn Random) -> Result<[u8; SECRET_BYTES], Error> {
    let mut secret = [0; SECRET_BYTES];
    random.fill(&mut secret).map_err(|error| Error::Internal(error.to_string()))?;
    Ok(secret)
}

fn show(secret: &[u8]) -> String {
    format!("{SECRET_PREFIX}{}", STANDARD.encode(secret))
}

fn purpose(account: i64, webhook: i64) -> String {
    format!("webhook {webhook} of account {account}")
}

fn encrypt(cx: &Context, sending: &Sending, webhook: i64, secret: &[u8]) -> Result<String, Error> {
    match &sending.key {
        Some(key) => key.encrypt(cx.random(), &purpose(cx.actor.account, webhook), secret),
        None => Ok(format!("{UNENCRYPTED}{}", STANDARD.encode(secret))),
    }
}

fn open(key: Option<&EncryptionKey>, account: i64, webhook: i64, stored: &str) -> Option<Vec<u8>> {
    match stored.strip_prefix(UNENCRYPTED) {
        Some(plain) => STANDARD.decode(plain).ok(),
        None => key?.decrypt(&purpose(account, webhook), stored),
    }
}

/// Validates the name of an event type, or of a group of types such as `project.*`.
///
/// # Errors
/// The type is unknown.
pub fn read_type(name: &str) -> Result<String, Reason> {
    let known = WEBHOOK_TYPES.iter().any(|known| known.2 == name)
        || name
            .strip_suffix(".*")
            .is_some_and(|kind| WEBHOOK_TYPES.iter().any(|known| known.0.as_str() == kind));
    if known {
        Ok(name.to_owned())
    } else {
        Err(Reason::UnknownWebhookType { name: name.chars().take(100).collect() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Example from Standard Webhooks 1.0, "Symmetric signatures", computed with the official
    /// libraries.
    #[test]
    fn signatures_follow_the_standard() {
        let secret = STANDARD.decode("MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw").unwrap();
        let signed =
            sign(&secret, "msg_p5jXN8AQM9LWM0D4loKWxJek", 1_614_265_330, r#"{"test": 2432232314}"#)
                .unwrap();
        assert_eq!(signed, "g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
    }

    #[test]
    fn unknown_types_are_rejected() {
        for known in ["invoice.paid", "project.*"] {
            assert_eq!(read_type(known).unwrap(), known);
        }
        for wrong in ["invoice", "invoice.eaten", "creature.*", "", "*"] {
            assert!(read_type(wrong).is_err(), "{wrong:?}");
        }
    }
}
