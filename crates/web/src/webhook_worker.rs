//! Worker that delivers webhook messages: each is sent by the node that leases it.
//!
//! Delivery is at least once: if the server is killed before it records the result, the message is
//! sent again after its lease has expired, with the same id and body. A hanging receiver does not
//! delay others: slow and failing webhooks share a few slots of their own, and accounts take turns.

use mail::Mail;
use service::{
    Error,
    environment::Visitor,
    people::Language,
    webhooks::{self, Answer, Settled},
};
use std::time::{Duration, Instant};
use store::{
    Lane, Tx,
    webhooks::{Delivery, Due, Webhook},
};
use tracing::warn;
use web_core::{
    AppState,
    metrics::DeliveryResult,
    outbox::{
        AccountMails,
        webhooks::{sender::Message, sending::Place},
    },
};

/// Maximum number of webhooks per round, separately for healthy and for failing ones.
const ROUND: i64 = 1_024;
/// Time after which a webhook releases its slot to other webhooks.
const TURN: Duration = Duration::from_secs(5);
/// Polling interval for messages queued by other nodes or due for a retry.
const LOOK: Duration = Duration::from_secs(1);

/// Sends due messages in an endless loop.
pub async fn run(app: AppState) {
    let reported = app.store().reported();
    loop {
        if let Err(error) = send_due(&app).await {
            warn!(%error, "due webhook messages could not be read; retrying");
        }
        // Even when woken, waits a quarter of the interval, because the query reads all accounts.
        tokio::time::sleep(LOOK / 4).await;
        let _ = tokio::time::timeout(LOOK, reported.notified()).await;
    }
}

/// Sends the due messages and waits until all of them have been tried.
///
/// # Errors
/// The storage failed; the next run sends the remaining messages.
pub async fn deliver(app: &AppState) -> Result<(), Error> {
    loop {
        let due = send_due(app).await?;
        if due == 0 && app.sending().is_idle() {
            return Ok(());
        }
        tokio::time::sleep(Duration::from_millis(2)).await;
    }
}

/// Starts sending due messages while slots are free. Returns the number of webhooks with due
/// messages.
async fn send_due(app: &AppState) -> Result<usize, Error> {
    let now = app.now();
    let due = app
        .query(Lane::NO_ACCOUNT.single(), move |tx| Ok(store::webhooks::due(tx, now, ROUND)?))
        .await?;
    let count = due.len();
    for place in Place::give(app.sending(), due) {
        tokio::spawn(send_from(app.clone(), place));
    }
    Ok(count)
}

/// Sends the due messages of the webhook that has this slot, then releases the slot.
async fn send_from(app: AppState, place: Place) {
    let Due { account, webhook, .. } = place.due;
    if let Err(error) = send_in_turn(&app, account, webhook).await {
        warn!(%error, account, webhook, "a webhook message could not be sent; retrying");
    }
    drop(place);
}

/// Sends the due messages of a webhook one after another, until no message is left, a message is
/// rejected or answered slowly, or the turn is over.
async fn send_in_turn(app: &AppState, account: i64, webhook: i64) -> Result<(), Error> {
    let begun = Instant::now();
    while begun.elapsed() < TURN {
        let (state, node, env) =
            (app.clone(), app.outbox().node().to_owned(), app.environment(Visitor::default()));
        let claim = move |tx: &mut Tx<'_>| {
            let Some((webhook, delivery)) = webhooks::claim(tx, &env, account, webhook, &node)?
            else {
                return Ok(None);
            };
            let body = match store::webhooks::body(tx, account, delivery.id)? {
                Some(body) => body,
                None => {
                    web_api::webhooks::payload(tx, &state, account, &webhook, &delivery, env.now)?
                }
            };
            Ok(Some((webhook, delivery, body)))
        };
        let Some((webhook, delivery, body)) = app.execute(account, claim).await? else {
            return Ok(());
        };
        if !send_one(app, account, &webhook, delivery, body).await? {
            return Ok(());
        }
    }
    Ok(())
}

/// Sends a message and records the result. Returns whether the receiver accepted it quickly.
async fn send_one(
    app: &AppState,
    account: i64,
    webhook: &Webhook,
    delivery: Delivery,
    body: String,
) -> Result<bool, Error> {
    let (id, now) = (webhooks::message_id(webhook, delivery.id), app.now());
    let (key, begun) = ((account, webhook.id), Instant::now());
    let answer = match webhooks::signature(app.encryption_key(), account, webhook, &id, now, &body)
    {
        Some(signature) => {
            let message =
                Message { url: &webhook.url, id: &id, timestamp: now.as_second(), signature, body };
            app.config().webhooks.send(message).await
        }
        None => Answer::none(
            "the server cannot read the secret of this webhook any more; draw another secret"
                .to_owned(),
        ),
    };
    let is_slow = app.sending().took(key, begun.elapsed());
    let sent_to = webhook.url.clone();
    let (state, node, env) =
        (app.clone(), app.outbox().node().to_owned(), app.environment(Visitor::default()));
    let settle = move |tx: &mut Tx<'_>| {
        let settled =
            webhooks::settle(tx, &env, account, (&node, &sent_to), delivery.clone(), &answer)?;
        if let Settled::Disabled(disabled) = &settled {
            let (owner, webhook) = &**disabled;
            let under =
                if owner.test.is_some() { "/api-access/test-account" } else { "/api-access" };
            let link = format!("{}{under}/webhooks/{}", state.config().base_url, webhook.id);
            let mail = Mail::WebhookDisabled { url: webhook.url.clone(), link };
            AccountMails::new(&state, Language::English).to_owner(tx, owner, &mail)?;
        }
        Ok(settled)
    };
    let settled = app.execute(account, settle).await?;
    let result = match settled {
        Settled::Delivered => DeliveryResult::Sent,
        Settled::Again => DeliveryResult::Deferred,
        Settled::Disabled(_) => {
            app.sending().forget(key);
            app.wake_outbox();
            DeliveryResult::Failed
        }
        Settled::Overtaken => {
            app.sending().forget(key);
            return Ok(false);
        }
    };
    app.metrics().sent_to_webhook(result);
    Ok(result == DeliveryResult::Sent && !is_slow)
}
