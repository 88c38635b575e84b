//! Counts a request to the API; where it counts over all nodes, after it was settled with those what this one let through before.

use std::time::Duration;
use store::Lane;
use tokio::time::timeout;
use web_core::{AppState, limits::Allowance};

/// How long a request waits for what the database knows of other nodes.
const SETTLE_TIMEOUT: Duration = Duration::from_millis(500);

/// What is left to the account, if there is a limit.
pub(super) async fn count(app: &AppState, account: i64) -> Option<Allowance> {
    let limiter = app.limiter()?;
    let mut turn = None;
    if let Some(next) = limiter.shared().and_then(|counts| counts.is_due(account, app.now())) {
        let its_app = app.clone();
        // By itself, so that a client that leaves does not take along what is to be settled.
        let settling = tokio::spawn(async move {
            let turn = next.lock_owned().await;
            settle(&its_app, account).await;
            turn
        });
        // Too late or not at all, this node goes by what it let through itself.
        turn = timeout(SETTLE_TIMEOUT, settling).await.ok();
    }
    let allowance = limiter.take(account, app.now());
    // Only now, so that whoever waits for it finds this request counted.
    drop(turn);
    Some(allowance)
}

async fn settle(app: &AppState, account: i64) {
    let Some(counts) = app.limiter().and_then(|limiter| limiter.shared()) else { return };
    let Some(spent) = counts.to_settle(account, app.now()) else { return };
    // That the database is away is told by the log as it is.
    if let Ok(used_until) =
        app.execute(Lane::NO_ACCOUNT.unflushed(), move |tx| Ok(store::request_limits::settle(tx, account, spent)?)).await
    {
        counts.settled(account, used_until);
    }
}
