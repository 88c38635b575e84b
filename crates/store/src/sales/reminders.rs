//! Reminders about invoices: the owner's plan, the steps that were sent, and what stops them.

use super::receivables::open;
use crate::{
    StoreError, Tx,
    engine::{
        filter::Filter,
        record::{columns_by_name, record},
        table,
    },
    invoices::Invoice,
    outbox::{MessageKind, State},
    params,
};
use jiff::{Timestamp, civil::Date};
use ledger::reminder::{ReminderKind, ReminderPlan, SentReminder};

columns_by_name!(ReminderKind);

/// Reminder of one invoice that was sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reminder {
    /// Id of the invoice.
    pub invoice_id: i64,
    /// Number of the step, from 1.
    pub step: i64,
    /// Kind.
    pub kind: ReminderKind,
    /// Id of the email.
    pub mail_id: String,
    /// Day.
    pub sent_on: Date,
    /// Creation time.
    pub created_at: Timestamp,
}

record! {
    "reminders": Reminder {
        "invoice_id": invoice_id,
        "step": step,
        "kind": kind,
        "mail_id": mail_id,
        "sent_on": sent_on,
        "created_at": created_at,
    }
}

impl Reminder {
    /// Kind and day.
    #[must_use]
    pub fn sent(&self) -> SentReminder {
        SentReminder { kind: self.kind, on: self.sent_on }
    }
}

/// Stop of the reminders of one invoice.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReminderStop {
    /// Id of the invoice.
    pub invoice_id: i64,
    /// Reason that the owner gave.
    pub reason: Option<String>,
    /// Last day of the stop; `None` until it is resumed.
    pub until: Option<Date>,
    /// Creation time.
    pub created_at: Timestamp,
}

record! {
    "reminder_stops": ReminderStop {
        "invoice_id": invoice_id,
        "reason": reason,
        "until": until,
        "created_at": created_at,
    }
}

/// The owner's plan.
///
/// # Errors
/// The storage failed.
pub fn plan(tx: &mut Tx<'_>, account: i64) -> Result<ReminderPlan, StoreError> {
    let sql = "SELECT reminder_plan FROM accounts WHERE id = ?1";
    let text = tx.query_opt(sql, &params![account], |row| row.opt_text(0))?.flatten();
    let Some(text) = text else { return Ok(ReminderPlan::default()) };
    let unreadable = || StoreError::Unreadable(format!("{text:?} is not a plan for reminders"));
    ReminderPlan::parse(&text).ok_or_else(unreadable)
}

/// Stores the owner's plan.
///
/// # Errors
/// The storage failed.
pub fn set_plan(tx: &mut Tx<'_>, account: i64, plan: &ReminderPlan) -> Result<(), StoreError> {
    let sql = "UPDATE accounts SET reminder_plan = ?2 WHERE id = ?1";
    tx.execute(sql, &params![account, plan.to_text()])
}

/// Day of the last notice to the owner that reminders wait for the limit of emails.
///
/// # Errors
/// The storage failed.
pub fn postponed_on(tx: &mut Tx<'_>, account: i64) -> Result<Option<Date>, StoreError> {
    let sql = "SELECT reminders_postponed_on FROM accounts WHERE id = ?1";
    Ok(tx.query_opt(sql, &params![account], |row| row.opt_date(0))?.flatten())
}

/// Stores the day of a notice to the owner that reminders wait for the limit of emails.
///
/// # Errors
/// The storage failed.
pub fn set_postponed_on(tx: &mut Tx<'_>, account: i64, day: Date) -> Result<(), StoreError> {
    let sql = "UPDATE accounts SET reminders_postponed_on = ?2 WHERE id = ?1";
    tx.execute(sql, &params![account, day])
}

/// At most `limit` unsettled sent invoices with an id above `after`, ordered by id; only those due
/// before a day, or of one customer, if given.
///
/// # Errors
/// The storage failed.
pub fn unsettled(
    tx: &mut Tx<'_>,
    account: i64,
    (due_before, contact): (Option<Date>, Option<i64>),
    after: i64,
    limit: i64,
) -> Result<Vec<Invoice>, StoreError> {
    let mut filter = Filter::of(account);
    filter.and(&open());
    filter.given("due_date <", due_before);
    filter.given("contact_id =", contact);
    filter.with("id >", after);
    table::first(tx, filter, "id", limit)
}

/// Reminders of some invoices that were not refused by the mail server, in order of their steps.
///
/// # Errors
/// The storage failed.
pub fn sent(tx: &mut Tx<'_>, account: i64, invoices: &[i64]) -> Result<Vec<Reminder>, StoreError> {
    let mut filter = Filter::of(account);
    filter.one_of("invoice_id", invoices);
    let failed = filter.bind(State::Failed.as_str());
    filter.and(&format!(
        "NOT EXISTS (SELECT 1 FROM mails m WHERE m.account_id = ?1 AND m.id = reminders.mail_id AND m.status = {failed})"
    ));
    table::first(tx, filter, "invoice_id, step", i64::MAX)
}

/// Reminders that one email is about, in order of their invoices.
///
/// # Errors
/// The storage failed.
pub fn of_mail(tx: &mut Tx<'_>, account: i64, mail: &str) -> Result<Vec<Reminder>, StoreError> {
    let mut filter = Filter::of(account);
    filter.with("mail_id =", mail);
    table::first(tx, filter, "invoice_id, step", i64::MAX)
}

/// Stores a reminder, in place of one that was not delivered.
///
/// # Errors
/// The storage failed.
pub fn put(tx: &mut Tx<'_>, account: i64, reminder: &Reminder) -> Result<(), StoreError> {
    tx.execute(
        "DELETE FROM reminders WHERE account_id = ?1 AND invoice_id = ?2 AND step = ?3",
        &params![account, reminder.invoice_id, reminder.step],
    )?;
    table::insert(tx, account, reminder)
}

/// Stops of some invoices.
///
/// # Errors
/// The storage failed.
pub fn stops(
    tx: &mut Tx<'_>,
    account: i64,
    invoices: &[i64],
) -> Result<Vec<ReminderStop>, StoreError> {
    let mut filter = Filter::of(account);
    filter.one_of("invoice_id", invoices);
    table::first(tx, filter, "invoice_id", i64::MAX)
}

/// Stores the stop of an invoice, in place of an earlier one.
///
/// # Errors
/// The storage failed.
pub fn stop(tx: &mut Tx<'_>, account: i64, stop: &ReminderStop) -> Result<(), StoreError> {
    resume(tx, account, stop.invoice_id)?;
    table::insert(tx, account, stop)
}

/// Removes the stop of an invoice.
///
/// # Errors
/// The storage failed.
pub fn resume(tx: &mut Tx<'_>, account: i64, invoice: i64) -> Result<(), StoreError> {
    tx.execute(
        "DELETE FROM reminder_stops WHERE account_id = ?1 AND invoice_id = ?2",
        &params![account, invoice],
    )
}

/// Those of some contacts who get no reminders.
///
/// # Errors
/// The storage failed.
pub fn stopped_contacts(
    tx: &mut Tx<'_>,
    account: i64,
    contacts: &[i64],
) -> Result<Vec<i64>, StoreError> {
    let mut filter = Filter::of(account);
    filter.one_of("id", contacts);
    filter.and("reminders_stopped IS NOT NULL");
    let sql = format!("SELECT id FROM contacts WHERE {filter}");
    tx.query(&sql, filter.values(), |row| row.int(0))
}

/// Those of some invoices whose last email to the customer failed: the invoice itself, or a reminder.
///
/// # Errors
/// The storage failed.
pub fn bounced(tx: &mut Tx<'_>, account: i64, invoices: &[i64]) -> Result<Vec<i64>, StoreError> {
    let mut filter = Filter::of(account);
    filter.one_of("invoice_id", invoices);
    filter.with("status =", State::Failed.as_str());
    let copy = filter.bind(MessageKind::Copy.as_str());
    filter.and(&format!(
        "kind <> {copy} AND NOT EXISTS (SELECT 1 FROM mails l WHERE l.account_id = ?1 AND l.invoice_id = mails.invoice_id
             AND l.kind <> {copy} AND l.created_at > mails.created_at)"
    ));
    let sql = format!("SELECT invoice_id FROM mails WHERE {filter}");
    tx.query(&sql, filter.values(), |row| row.int(0))
}
