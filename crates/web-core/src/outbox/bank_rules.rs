//! Automatic rules for bank lines: each account whose lines came in is worked on by the node that
//! leases it. A line that was booked twice would be refused, so a lost lease does no harm.

use crate::AppState;
use jiff::{SignedDuration, Timestamp};
use service::{Context, Error, bank_rule_runs};
use std::time::Duration;
use store::{Lane, StoreError, bank_rules as rows};
use tracing::{debug, warn};

/// Duration of the lease on an account.
const LEASE: SignedDuration = SignedDuration::from_mins(2);
/// Maximum number of accounts per round.
const ROUND: i64 = 64;
/// Polling interval.
const LOOK: Duration = Duration::from_secs(1);

impl AppState {
    /// Applies automatic rules in an endless loop.
    pub async fn run_bank_rules(self) {
        loop {
            if let Err(error) = self.apply_bank_rules().await {
                warn!(%error, "rules for bank lines could not be applied; retrying");
            }
            tokio::time::sleep(LOOK).await;
        }
    }

    /// Applies the automatic rules to the new lines of all accounts in the queue.
    ///
    /// # Errors
    /// The storage failed; the next run continues.
    pub async fn apply_bank_rules(&self) -> Result<(), Error> {
        loop {
            let now = self.now();
            let accounts = self
                .query(Lane::NO_ACCOUNT.single(), move |tx| Ok(rows::queued(tx, now, ROUND)?))
                .await?;
            if accounts.is_empty() {
                return Ok(());
            }
            for account in accounts {
                match self.apply_rules_of(account).await {
                    // The queue is emptied together with the account.
                    Err(Error::Store(StoreError::AccountClosed) | Error::NotFound("account")) => {}
                    applied => applied?,
                }
            }
        }
    }

    /// Applies the automatic rules to the new lines of an account, each line in a transaction of
    /// its own, so that commands of people run in between.
    async fn apply_rules_of(&self, account: i64) -> Result<(), Error> {
        let (node, now) = (self.outbox().node().to_owned(), self.now());
        let until = now.checked_add(LEASE).unwrap_or(Timestamp::MAX);
        let by = node.clone();
        let claimed =
            self.execute(account, move |tx| Ok(rows::claim(tx, account, &by, now, until)?)).await?;
        let Some(queued_at) = claimed else { return Ok(()) };
        let mut after = 0;
        loop {
            let cx = self.context_of_account(account).await?;
            let reader = cx.clone();
            let due =
                self.query(account, move |tx| bank_rule_runs::due(tx, &reader, after)).await?;
            for line in due.lines {
                let cx = cx.clone();
                match self.execute(account, move |tx| bank_rule_runs::apply(tx, &cx, line)).await {
                    Ok(_) => {}
                    Err(error @ Error::Store(_)) => return Err(error),
                    // The owner sees the line among the new ones.
                    Err(error) => debug!(%error, "a rule could not book a bank line"),
                }
            }
            let Some(next) = due.next else { break };
            after = next;
        }
        self.execute(account, move |tx| Ok(rows::finish(tx, account, &node, queued_at)?)).await
    }

    /// Returns the context of an account's owner.
    pub(super) async fn context_of_account(&self, account: i64) -> Result<Context, Error> {
        let owner = self
            .query(account, move |tx| {
                store::accounts::by_id(tx, account)?.ok_or(Error::NotFound("account"))
            })
            .await?;
        Ok(self.context_of(&owner))
    }
}
