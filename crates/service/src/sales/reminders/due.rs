//! Reminders that are sent automatically, at nine o'clock on working days. Each is decided again and
//! sent in one transaction under the lock of the books. The loop that calls these functions is in
//! `web-core`.

use super::{InvoiceReminders, Remind, ReminderState, of_invoice, remind};
use crate::{
    Context, Created, Error, context,
    mails::{self, AccountMail},
    people::language_of,
};
use jiff::{SignedDuration, Timestamp};
use ledger::reminder::{ReminderKind, ReminderMode, is_sending_time, next_sending_time};
use store::{
    Tx, accounts,
    due_work::{self, DueKind},
    reminders as rows,
};

/// Time after which reminders that wait for a limit are tried again.
const POSTPONED: SignedDuration = SignedDuration::from_hours(1);

/// Reminder that is due to be sent automatically.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DueReminder {
    /// Id of the invoice.
    pub invoice_id: i64,
    /// Number of the invoice.
    pub number: String,
    /// Name of the customer.
    pub customer: String,
    /// Number of the step.
    pub step: i64,
    /// Kind.
    pub kind: ReminderKind,
}

/// Returns the reminder of an invoice if it is due to be sent automatically.
fn due_reminder(cx: &Context, reminders: &InvoiceReminders) -> Option<DueReminder> {
    let next = reminders.due(cx.today()).filter(|next| !next.is_by_hand)?;
    Some(DueReminder {
        invoice_id: reminders.invoice.id,
        number: reminders.invoice.number.clone(),
        customer: reminders.invoice.customer.name.clone(),
        step: next.step,
        kind: next.kind,
    })
}

/// Whether reminders are sent automatically now.
fn is_time(tx: &mut Tx<'_>, cx: &Context) -> Result<bool, Error> {
    let account = cx.actor.account;
    Ok(is_sending_time(cx.clock()) && rows::plan(tx, account)?.mode == ReminderMode::Automatic)
}

/// Returns at most `limit` reminders that are to be sent now, of invoices with an id above `after`.
///
/// # Errors
/// The storage failed.
pub fn due_of(
    tx: &mut Tx<'_>,
    cx: &Context,
    after: i64,
    limit: i64,
) -> Result<Vec<DueReminder>, Error> {
    let planned = due_work::due_at(tx, cx.actor.account, DueKind::Reminder)?;
    let is_due = planned.is_some_and(|due_at| due_at <= cx.env.now);
    if !is_due || !is_time(tx, cx)? {
        return Ok(Vec::new());
    }
    let due = super::list(tx, cx, ReminderState::Due, after, limit)?;
    Ok(due.rows.iter().filter_map(|reminders| due_reminder(cx, reminders)).collect())
}

/// Sends a due reminder; returns whether it did. Does nothing if it is not due any more.
///
/// # Errors
/// The reminder cannot be sent, or the storage failed.
pub fn send_due(tx: &mut Tx<'_>, cx: &Context, due: &DueReminder) -> Result<bool, Error> {
    let is_due = context::transact(tx, cx, |tx, _, cx| {
        let reminders = of_invoice(tx, cx, due.invoice_id)?;
        let is_open = !crate::invoices::amount_due(&reminders.invoice).is_zero();
        let still = due_reminder(cx, &reminders).filter(|_| is_open);
        Ok(still.as_ref() == Some(due) && is_time(tx, cx)?)
    })?;
    if !is_due {
        return Ok(false);
    }
    let command = Remind { invoice_id: due.invoice_id, ..Remind::default() };
    Ok(matches!(remind(tx, cx, &command)?, Created::New(_)))
}

/// Lets the due reminders wait for the limit of emails, and tells the owner, once a day.
///
/// # Errors
/// The storage failed.
pub fn postpone(tx: &mut Tx<'_>, cx: &Context) -> Result<(), Error> {
    context::transact(tx, cx, |tx, _, cx| {
        let (account, today) = (cx.actor.account, cx.today());
        if rows::postponed_on(tx, account)?.is_none_or(|last| last < today) {
            rows::set_postponed_on(tx, account, today)?;
            let owner = accounts::by_id(tx, account)?;
            if let (Some(letters), Some(owner)) = (&cx.env.letters, owner) {
                let language = language_of(&owner).unwrap_or(cx.actor.language);
                let (subject, body) = letters.reminders_postponed(language);
                let mail = AccountMail { to: owner.owner.email, language, subject, body };
                mails::put(tx, &cx.env, account, &mail)?;
            }
        }
        let again = cx.env.now.checked_add(POSTPONED).unwrap_or(Timestamp::MAX);
        Ok(due_work::plan(tx, account, DueKind::Reminder, Some(again))?)
    })
}

/// Plans the next run: at nine o'clock on the next working day, if reminders are sent automatically.
/// The books are locked.
///
/// # Errors
/// The storage failed.
pub fn plan(tx: &mut Tx<'_>, cx: &Context) -> Result<(), Error> {
    plan_new(tx, cx.actor.account, cx.clock(), cx.env.now)
}

/// Plans the next run of an account whose books have the time `clock`, while that of the server is
/// `now`.
pub(crate) fn plan_new(
    tx: &mut Tx<'_>,
    account: i64,
    clock: Timestamp,
    now: Timestamp,
) -> Result<(), Error> {
    let is_automatic = rows::plan(tx, account)?.mode == ReminderMode::Automatic;
    // The clock of the books is that of the server, except in a test account.
    let ahead = clock.duration_since(now);
    let next = next_sending_time(clock).checked_sub(ahead).unwrap_or(Timestamp::MAX);
    Ok(due_work::plan(tx, account, DueKind::Reminder, is_automatic.then_some(next))?)
}

/// Brings the next run forward by a time that the clock of the books skips.
pub(crate) fn skip_time(
    tx: &mut Tx<'_>,
    cx: &Context,
    skipped: SignedDuration,
) -> Result<(), Error> {
    let account = cx.actor.account;
    if let Some(due_at) = due_work::due_at(tx, account, DueKind::Reminder)? {
        let earlier = due_at.checked_sub(skipped).unwrap_or(Timestamp::MIN);
        due_work::plan(tx, account, DueKind::Reminder, Some(earlier))?;
    }
    Ok(())
}

/// Plans the next run after all due reminders were sent, and ends the lease of a node.
///
/// # Errors
/// The storage failed.
pub fn settle(tx: &mut Tx<'_>, cx: &Context, node: &str, is_done: bool) -> Result<(), Error> {
    context::transact(tx, cx, |tx, _, cx| {
        let account = cx.actor.account;
        let planned = due_work::due_at(tx, account, DueKind::Reminder)?;
        if is_done && planned.is_some_and(|due_at| due_at <= cx.env.now) {
            plan(tx, cx)?;
        }
        Ok(due_work::release(tx, (account, DueKind::Reminder), node)?)
    })
}
