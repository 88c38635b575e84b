//! The worker of webhooks: whatever messages are due are sent, by whichever node takes the lease.
//!
//! A message is sent at least once: one whose sending was not noted, because the server was killed in between, is sent again when its lease has
//! ended, with the same id and the same body. One receiver that hangs keeps no others waiting: those that do not take messages share a few
//! places of their own.

mod sender;

use crate::{AppState, api, mail::Mail, metrics::DeliveryResult, outbox::AccountMails};
use sender::Message;
use service::{
    Error,
    people::Language,
    webhooks::{self, Settled},
};
use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};
use store::{
    Tx,
    webhooks::{Delivery, Due, Webhook},
};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tracing::warn;

pub use sender::{Resolve, Sender};

/// Messages that are sent at once to receivers that take them, and to those that did not take the last one.
const HEALTHY: usize = 24;
const FAILING: usize = 8;
/// Of these, to one webhook at once.
const AT_ONCE: usize = 4;
/// Webhooks that are looked at in one round.
const ROUND: i64 = 256;
/// Messages after which a webhook makes place for others.
const IN_TURN: usize = 100;
/// How often it is looked whether something is due that another node, or another hour, left.
const LOOK: Duration = Duration::from_secs(1);

/// What is sent at this moment.
pub(crate) struct Sending {
    healthy: Arc<Semaphore>,
    failing: Arc<Semaphore>,
    /// How many messages to each webhook, by account and id.
    under_way: Mutex<HashMap<(i64, i64), usize>>,
}

impl Default for Sending {
    fn default() -> Self {
        Self {
            healthy: Arc::new(Semaphore::new(HEALTHY)),
            failing: Arc::new(Semaphore::new(FAILING)),
            under_way: Mutex::default(),
        }
    }
}

impl Sending {
    fn under_way(&self) -> MutexGuard<'_, HashMap<(i64, i64), usize>> {
        self.under_way.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A place to send from; given back when it is dropped.
struct Place {
    app: AppState,
    key: (i64, i64),
    _permit: OwnedSemaphorePermit,
}

impl Place {
    fn take(app: &AppState, due: Due) -> Option<Self> {
        let (sending, key) = (app.sending(), (due.account, due.webhook));
        let (places, most) = if due.healthy { (&sending.healthy, AT_ONCE) } else { (&sending.failing, 1) };
        let mut under_way = sending.under_way();
        if under_way.get(&key).is_some_and(|count| *count >= most) {
            return None;
        }
        let permit = Arc::clone(places).try_acquire_owned().ok()?;
        *under_way.entry(key).or_default() += 1;
        drop(under_way);
        Some(Self { app: app.clone(), key, _permit: permit })
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut under_way = self.app.sending().under_way();
        if let Some(count) = under_way.get_mut(&self.key) {
            *count -= 1;
            if *count == 0 {
                under_way.remove(&self.key);
            }
        }
    }
}

impl AppState {
    /// Sends to webhooks what falls due, for ever.
    pub async fn run_webhooks(self) {
        let reported = self.store().reported();
        loop {
            if let Err(error) = self.send_due().await {
                warn!(%error, "what is due to webhooks could not be read; it is tried again");
            }
            // Not sooner, even if woken: the question goes to all accounts.
            tokio::time::sleep(LOOK / 4).await;
            let _ = tokio::time::timeout(LOOK, reported.notified()).await;
        }
    }

    /// Sends to webhooks what is due, and waits until all of it was tried.
    ///
    /// # Errors
    /// The storage failed; what is left goes the next time.
    pub async fn deliver_webhooks(&self) -> Result<(), Error> {
        loop {
            let due = self.send_due().await?;
            if due == 0 && self.sending().under_way().is_empty() {
                return Ok(());
            }
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
    }

    /// Begins to send what is due, as far as there is place; how many webhooks something is due for.
    async fn send_due(&self) -> Result<usize, Error> {
        let now = self.now();
        let due = self.look_up(move |tx| Ok(store::webhooks::due(tx, now, ROUND)?)).await?;
        let count = due.len();
        for due in due {
            let Some(place) = Place::take(self, due) else { continue };
            tokio::spawn(async move {
                if let Err(error) = place.app.send_in_turn(place.key).await {
                    warn!(%error, account = place.key.0, webhook = place.key.1, "nothing was sent to a webhook; it is tried again");
                }
            });
        }
        Ok(count)
    }

    /// Sends what is due to a webhook, one after another, until one is not taken or others have waited long enough.
    async fn send_in_turn(&self, (account, webhook): (i64, i64)) -> Result<(), Error> {
        for _ in 0..IN_TURN {
            let (app, node, now) = (self.clone(), self.outbox().node().to_owned(), self.now());
            let claim = move |tx: &mut Tx<'_>| {
                let Some((webhook, mut delivery)) = webhooks::claim(tx, account, webhook, &node, now)? else { return Ok(None) };
                let body = match delivery.body.take() {
                    Some(body) => body,
                    None => api::webhooks::payload(tx, &app, account, &webhook, &delivery)?,
                };
                Ok(Some((webhook, delivery, body)))
            };
            let Some((webhook, delivery, body)) = self.write_for(account, claim).await? else { return Ok(()) };
            if !self.send_one(account, &webhook, delivery, body).await? {
                return Ok(());
            }
        }
        Ok(())
    }

    /// Sends a message and notes what became of it. Whether it was taken.
    async fn send_one(&self, account: i64, webhook: &Webhook, delivery: Delivery, body: String) -> Result<bool, Error> {
        let (id, now) = (webhooks::message_id(webhook, delivery.id), self.now());
        let signature = webhooks::signature(self.encryption_key(), account, webhook, &id, now, &body)?;
        let message = Message { url: &webhook.url, id: &id, timestamp: now.as_second(), signature, body };
        let answer = self.config().webhooks.send(message).await;
        let (app, node, now) = (self.clone(), self.outbox().node().to_owned(), self.now());
        let settle = move |tx: &mut Tx<'_>| {
            let settled = webhooks::settle(tx, account, &node, now, delivery.clone(), &answer)?;
            if let Settled::Disabled(disabled) = &settled {
                let (owner, webhook) = &**disabled;
                let link = format!("{}/api-access/webhooks/{}", app.config().base_url, webhook.id);
                let mail = Mail::WebhookDisabled { url: webhook.url.clone(), link };
                AccountMails::new(&app, Language::English).to_owner(tx, owner, &mail)?;
            }
            Ok(settled)
        };
        let settled = self.write_for(account, settle).await?;
        let result = match settled {
            Settled::Delivered => DeliveryResult::Sent,
            Settled::Again => DeliveryResult::Deferred,
            Settled::Disabled(_) => {
                self.wake_outbox();
                DeliveryResult::Failed
            }
            Settled::Overtaken => return Ok(false),
        };
        self.metrics().sent_to_webhook(result);
        Ok(result == DeliveryResult::Sent)
    }
}
