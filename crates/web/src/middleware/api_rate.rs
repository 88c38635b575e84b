//! Rate limit for the API. Nodes that share a limit exchange their counts before a request is
//! counted, whenever an exchange is due.

use std::time::Duration;
use store::Lane;
use tokio::time::timeout;
use web_core::{AppState, limits::Allowance};

/// Maximum time that a request waits for the counts of other nodes.
const SETTLE_TIMEOUT: Duration = Duration::from_millis(500);

/// Counts a request and returns the account's remaining allowance, if there is a limit.
pub(super) async fn count(app: &AppState, account: i64) -> Option<Allowance> {
    let limiter = app.limiter()?;
    let mut turn = None;
    if let Some(next) = limiter.shared().and_then(|counts| counts.is_due(account, app.now())) {
        let its_app = app.clone();
        // In a task of its own, so that settling finishes even if the client disconnects.
        let settling = tokio::spawn(async move {
            let turn = next.lock_owned().await;
            settle(&its_app, account).await;
            turn
        });
        // On a timeout, this node relies on its own counts.
        turn = timeout(SETTLE_TIMEOUT, settling).await.ok();
    }
    let allowance = limiter.take(account, app.now());
    // Released only after this request has been counted, so that the next settlement includes it.
    drop(turn);
    Some(allowance)
}

async fn settle(app: &AppState, account: i64) {
    let Some(counts) = app.limiter().and_then(|limiter| limiter.shared()) else { return };
    let Some(spent) = counts.to_settle(account, app.now()) else { return };
    // If the database fails, the node relies on its own counts; the failure is logged elsewhere.
    if let Ok(used_until) = app
        .execute(Lane::NO_ACCOUNT.unflushed(), move |tx| {
            Ok(store::request_limits::settle(tx, account, spent)?)
        })
        .await
    {
        counts.settled(account, used_until);
    }
}
