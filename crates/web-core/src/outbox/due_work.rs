//! Worker for what falls due by itself: the work of each account is done by the node that leases it.
//! Every occurrence and every reminder is one transaction, and its row excludes a second one, so a
//! lost lease, a killed node or a clock that goes back makes none twice.

use crate::{AppState, refusals::explanation};
use jiff::{SignedDuration, Timestamp};
use service::{
    Context, Error, InvoiceError,
    recurring::{self, DueOccurrence, Outcome},
    reminders::{self, DueReminder},
};
use std::time::Duration;
use store::{
    Lane, Store, StoreError,
    due_work::{self as rows, DueKind},
};
use tracing::warn;

/// Duration of the lease on the work of an account.
const LEASE: SignedDuration = SignedDuration::from_mins(2);
/// Maximum number of accounts per round.
const ROUND: i64 = 64;
/// Polling interval.
const LOOK: Duration = Duration::from_secs(1);

/// Number of reminders that are read at once.
const REMINDERS: i64 = 100;

/// Work that is due.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DueWork {
    /// Occurrence of a recurring invoice.
    Occurrence(DueOccurrence),
    /// Reminder about an overdue invoice.
    Reminder(DueReminder),
}

/// Work that was done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Worked {
    /// The work.
    pub due: DueWork,
    /// Result.
    pub result: WorkResult,
}

/// Result of doing due work.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WorkResult {
    /// The invoice with this id was made.
    Made(i64),
    /// The reminder was queued.
    Sent,
    /// It waits for the owner.
    Waiting,
    /// It was refused with this code: a recurring invoice is paused, and a reminder is tried again on
    /// the next working day.
    Refused(String),
    /// It waits for the limit of emails.
    Postponed,
}

impl AppState {
    /// Does due work in an endless loop.
    pub async fn run_due_work(self) {
        loop {
            if let Err(error) = self.do_due_work().await {
                warn!(%error, "due work could not be read; retrying");
            }
            tokio::time::sleep(LOOK).await;
        }
    }

    /// Does the due work of all accounts. Work that fails is tried again once its lease is over.
    ///
    /// # Errors
    /// The storage failed; the next run continues.
    pub async fn do_due_work(&self) -> Result<(), Error> {
        loop {
            let now = self.now();
            let due = self
                .query(Lane::NO_ACCOUNT.single(), move |tx| Ok(rows::due(tx, now, ROUND)?))
                .await?;
            if due.is_empty() {
                return Ok(());
            }
            for (account, kind) in due {
                match self.do_leased_work(account, kind).await {
                    // The queue is emptied together with the account.
                    Ok(())
                    | Err(Error::Store(StoreError::AccountClosed) | Error::NotFound("account")) => {
                    }
                    Err(error) => warn!(%error, account, "due work failed; retrying"),
                }
            }
        }
    }

    /// Does the due work of an account if no other node has leased it.
    async fn do_leased_work(&self, account: i64, kind: DueKind) -> Result<(), Error> {
        let (node, now) = (self.outbox().node().to_owned(), self.now());
        let until = now.checked_add(LEASE).unwrap_or(Timestamp::MAX);
        let claim =
            move |tx: &mut store::Tx<'_>| Ok(rows::claim(tx, (account, kind), &node, now, until)?);
        if self.execute(account, claim).await? {
            let cx = self.context_of_account(account).await?;
            let worked = do_kind(self.store(), &cx, kind, self.outbox().node()).await;
            self.wake_outbox();
            worked?;
        }
        Ok(())
    }

    /// Does the due work of an account.
    ///
    /// # Errors
    /// The storage failed.
    pub async fn do_work_of(&self, account: i64) -> Result<(), Error> {
        let cx = self.context_of_account(account).await?;
        let worked = do_work(self.store(), &cx, self.outbox().node()).await;
        self.wake_outbox();
        worked.map(drop)
    }
}

/// Consequence of an error.
enum Verdict {
    /// The invoice is refused with this code.
    Refused(String),
    /// The account has reached a limit of emails.
    Postponed,
    /// Something else failed, so that the work is tried again.
    Failed,
}

fn verdict(error: &Error) -> Verdict {
    match error {
        Error::Invoice(InvoiceError::TooManyMails { .. }) | Error::Busy(_) => Verdict::Postponed,
        Error::Invalid(faults) => {
            let code = faults.first().map_or("validation_failed", |fault| fault.reason.code());
            Verdict::Refused(code.to_owned())
        }
        other => {
            let kind = explanation(other).kind;
            if kind.status < 500 { Verdict::Refused(kind.code.to_owned()) } else { Verdict::Failed }
        }
    }
}

/// Does the due work of the account of a context, and ends the leases of a node. Returns what was
/// worked on, in order.
///
/// # Errors
/// The storage failed.
pub async fn do_work(store: &Store, cx: &Context, node: &str) -> Result<Vec<Worked>, Error> {
    let mut worked = Vec::new();
    for kind in DueKind::ALL {
        worked.extend(do_kind(store, cx, kind, node).await?);
    }
    Ok(worked)
}

/// Does the due work of a kind.
async fn do_kind(
    store: &Store,
    cx: &Context,
    kind: DueKind,
    node: &str,
) -> Result<Vec<Worked>, Error> {
    match kind {
        DueKind::RecurringInvoice => make_invoices(store, cx, node).await,
        DueKind::Reminder => send_reminders(store, cx, node).await,
    }
}

/// Sends the due reminders. One that is refused does not stop the others.
async fn send_reminders(store: &Store, cx: &Context, node: &str) -> Result<Vec<Worked>, Error> {
    let account = cx.actor.account;
    let (mut worked, mut is_done, mut last) = (Vec::new(), true, 0);
    'runs: loop {
        let reader = cx.clone();
        let due =
            store.query(account, move |tx| reminders::due_of(tx, &reader, last, REMINDERS)).await?;
        let Some(end) = due.last() else { break };
        last = end.invoice_id;
        for due in due {
            let (caller, next) = (cx.clone(), due.clone());
            let sent =
                store.execute(account, move |tx| reminders::send_due(tx, &caller, &next)).await;
            let result = match sent {
                Ok(true) => WorkResult::Sent,
                // It was paid or reminded of meanwhile, such as in the letter about another invoice.
                Ok(false) => continue,
                Err(error) => match verdict(&error) {
                    Verdict::Refused(cause) => WorkResult::Refused(cause),
                    Verdict::Postponed => {
                        let caller = cx.clone();
                        let postpone =
                            move |tx: &mut store::Tx<'_>| reminders::postpone(tx, &caller);
                        store.execute(account, postpone).await?;
                        is_done = false;
                        WorkResult::Postponed
                    }
                    Verdict::Failed => return Err(error),
                },
            };
            worked.push(Worked { due: DueWork::Reminder(due), result });
            if !is_done {
                break 'runs;
            }
        }
    }
    let (caller, node) = (cx.clone(), node.to_owned());
    store.execute(account, move |tx| reminders::settle(tx, &caller, &node, is_done)).await?;
    Ok(worked)
}

/// Makes the invoices of due occurrences.
async fn make_invoices(store: &Store, cx: &Context, node: &str) -> Result<Vec<Worked>, Error> {
    let account = cx.actor.account;
    let (mut worked, mut is_done) = (Vec::new(), true);
    loop {
        let reader = cx.clone();
        let due = store.query(account, move |tx| recurring::due_next(tx, &reader)).await?;
        let Some(due) = due else { break };
        let (caller, next) = (cx.clone(), due.clone());
        let made = store.execute(account, move |tx| recurring::make_due(tx, &caller, &next)).await;
        let (caller, next) = (cx.clone(), due.clone());
        let result = match made {
            Ok(Outcome::Made(invoice)) => WorkResult::Made(invoice),
            Ok(Outcome::Waiting) => WorkResult::Waiting,
            Ok(Outcome::Overtaken) => break,
            Err(error) => match verdict(&error) {
                Verdict::Refused(cause) => {
                    let code = cause.clone();
                    let refuse =
                        move |tx: &mut store::Tx<'_>| recurring::refuse(tx, &caller, &next, &code);
                    store.execute(account, refuse).await?;
                    WorkResult::Refused(cause)
                }
                Verdict::Postponed => {
                    let postpone =
                        move |tx: &mut store::Tx<'_>| recurring::postpone(tx, &caller, &next);
                    store.execute(account, postpone).await?;
                    is_done = false;
                    WorkResult::Postponed
                }
                Verdict::Failed => return Err(error),
            },
        };
        worked.push(Worked { due: DueWork::Occurrence(due), result });
        if !is_done {
            break;
        }
    }
    let (caller, node) = (cx.clone(), node.to_owned());
    store.execute(account, move |tx| recurring::settle(tx, &caller, &node, is_done)).await?;
    Ok(worked)
}
