//! Work that falls due by itself: the next occurrence, its invoice, and what follows a refusal. The
//! loop that calls these functions, one transaction each, is in `web-core`.

use super::{advance, insert_occurrence, make::make_occurrence, save, stored};
use crate::{
    Context, Error, context,
    environment::StoppedRecurringInvoice,
    mails::{self, AccountMail},
    people::language_of,
};
use jiff::{SignedDuration, Timestamp, civil::Date};
use ledger::{
    calendar::amsterdam_hour,
    schedule::{OccurrenceStatus, PausedBecause, RecurringStatus, Timeliness, timeliness},
};
use store::{
    Tx, accounts,
    due_work::{self, DueKind},
    invoices as invoice_rows,
    recurring::{self as rows, Recurring},
};

/// Emails that do not reach the customer, after which a recurring invoice is paused.
const MOST_BOUNCES: i64 = 2;

/// Time after which work that waits for a limit is tried again.
const POSTPONED: SignedDuration = SignedDuration::from_hours(1);

/// Occurrence that is due.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DueOccurrence {
    /// The recurring invoice.
    pub recurring_id: i64,
    /// Number.
    pub number: i64,
    /// Day.
    pub date: Date,
    /// Name of the customer.
    pub customer: String,
    /// Whether it is so late that it waits for the owner instead of being made.
    pub is_late: bool,
}

/// Result of working on a due occurrence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// Its invoice was made.
    Made(i64),
    /// It waits for the owner.
    Waiting,
    /// Something else happened to the recurring invoice meanwhile.
    Overtaken,
}

fn due_occurrence(cx: &Context, recurring: &Recurring) -> Option<DueOccurrence> {
    let date = recurring.next_date?;
    Some(DueOccurrence {
        recurring_id: recurring.id,
        number: recurring.next_number,
        date,
        customer: recurring.customer.name.clone(),
        is_late: timeliness(date, cx.today()) == Timeliness::Late,
    })
}

/// Returns at most `limit` occurrences that are due now, the longest due first: the next of each
/// recurring invoice.
///
/// # Errors
/// The storage failed.
pub fn due_of(tx: &mut Tx<'_>, cx: &Context, limit: i64) -> Result<Vec<DueOccurrence>, Error> {
    let due = rows::coming(tx, cx.actor.account, cx.today(), limit)?;
    Ok(due.iter().filter_map(|recurring| due_occurrence(cx, recurring)).collect())
}

/// Returns the occurrence that is due first.
///
/// # Errors
/// The storage failed.
pub fn due_next(tx: &mut Tx<'_>, cx: &Context) -> Result<Option<DueOccurrence>, Error> {
    Ok(due_of(tx, cx, 1)?.pop())
}

/// Makes the invoice of a due occurrence, or lets it wait for the owner if it is late. Does nothing if
/// it is not the next occurrence any more.
///
/// # Errors
/// The invoice cannot be made or mailed, or the storage failed.
pub fn make_due(tx: &mut Tx<'_>, cx: &Context, due: &DueOccurrence) -> Result<Outcome, Error> {
    let id = due.recurring_id;
    let found = context::transact(tx, cx, |tx, _, cx| {
        let mut recurring = stored(tx, cx, id)?;
        let (next, today) = (recurring.next_number, cx.today());
        let date = recurring.next_date.filter(|_| is_next(&recurring, due));
        let Some(date) = date.filter(|date| *date <= today) else {
            return Ok(Err(Outcome::Overtaken));
        };
        if timeliness(date, today) != Timeliness::Late {
            return Ok(Ok((next, date)));
        }
        let is_late = |(_, date): &(i64, Date)| timeliness(*date, today) == Timeliness::Late;
        for late in recurring.schedule().from(next).take_while(is_late) {
            if rows::occurrence(tx, cx.actor.account, id, late.0)?.is_none() {
                insert_occurrence(tx, cx, id, late, (OccurrenceStatus::Waiting, None))?;
            }
        }
        advance(tx, cx, &mut recurring, next)?;
        save(tx, cx, &mut recurring)?;
        Ok(Err(Outcome::Waiting))
    })?;
    match found {
        Ok(occurrence) => make_occurrence(tx, cx, id, occurrence).map(Outcome::Made),
        Err(outcome) => Ok(outcome),
    }
}

/// Whether a due occurrence is still the next one.
fn is_next(recurring: &Recurring, due: &DueOccurrence) -> bool {
    recurring.status == RecurringStatus::Active && recurring.next_number == due.number
}

/// Pauses a recurring invoice because the invoice of its due occurrence was refused, and tells the
/// owner. Does nothing if that is not the next occurrence any more.
///
/// # Errors
/// The storage failed.
pub fn refuse(
    tx: &mut Tx<'_>,
    cx: &Context,
    due: &DueOccurrence,
    cause: &str,
) -> Result<(), Error> {
    context::transact(tx, cx, |tx, _, cx| {
        let mut recurring = stored(tx, cx, due.recurring_id)?;
        if !is_next(&recurring, due) {
            return Ok(());
        }
        recurring.status = RecurringStatus::Paused;
        recurring.paused_because = Some(PausedBecause::Refused);
        recurring.cause = Some(cause.to_owned());
        save(tx, cx, &mut recurring)?;
        report_stopped(tx, cx, &recurring)
    })
}

/// Lets a due occurrence wait for the limit of emails, and tells the owner, once a day.
///
/// # Errors
/// The storage failed.
pub fn postpone(tx: &mut Tx<'_>, cx: &Context, due: &DueOccurrence) -> Result<(), Error> {
    context::transact(tx, cx, |tx, _, cx| {
        let today = cx.today();
        if rows::last_postponed(tx, cx.actor.account)?.is_none_or(|last| last < today) {
            let mut recurring = stored(tx, cx, due.recurring_id)?;
            recurring.postponed_on = Some(today);
            save(tx, cx, &mut recurring)?;
            if let Some(letters) = &cx.env.letters {
                notify_owner(tx, cx, |language| letters.recurring_postponed(language))?;
            }
        }
        let again = cx.env.now.checked_add(POSTPONED).unwrap_or(Timestamp::MAX);
        let kind = DueKind::RecurringInvoice;
        Ok(due_work::plan(tx, cx.actor.account, kind, Some(again))?)
    })
}

/// Counts an email with an invoice that did not reach the customer. After the second one, the
/// recurring invoice of the invoice is paused, and an email informs the owner.
///
/// # Errors
/// The storage failed.
pub fn bounced(tx: &mut Tx<'_>, cx: &Context, invoice: i64) -> Result<(), Error> {
    let recurring = invoice_rows::by_id(tx, cx.actor.account, invoice)?
        .and_then(|invoice| invoice.recurring_id);
    let Some(id) = recurring else { return Ok(()) };
    context::transact(tx, cx, |tx, _, cx| {
        let mut recurring = stored(tx, cx, id)?;
        recurring.bounces += 1;
        let is_stopped =
            recurring.bounces >= MOST_BOUNCES && recurring.status == RecurringStatus::Active;
        if is_stopped {
            recurring.status = RecurringStatus::Paused;
            recurring.paused_because = Some(PausedBecause::Bounced);
        }
        save(tx, cx, &mut recurring)?;
        if is_stopped { report_stopped(tx, cx, &recurring) } else { Ok(()) }
    })
}

/// Plans the next work of the account: at the beginning of the day of the next occurrence. The books
/// are locked.
///
/// # Errors
/// The storage failed.
pub fn plan(tx: &mut Tx<'_>, cx: &Context) -> Result<(), Error> {
    // The clock of the books is that of the server, except in a test account.
    plan_with(tx, cx, cx.clock().duration_since(cx.env.now))
}

/// Like [`plan`], for books whose clock is set ahead of the server's.
pub(crate) fn plan_with(tx: &mut Tx<'_>, cx: &Context, ahead: SignedDuration) -> Result<(), Error> {
    let next = rows::next_date(tx, cx.actor.account)?;
    let due_at = next.map(|day| {
        let begins = amsterdam_hour(day, 0);
        begins.checked_sub(ahead).unwrap_or(Timestamp::MIN)
    });
    Ok(due_work::plan(tx, cx.actor.account, DueKind::RecurringInvoice, due_at)?)
}

/// Plans the next work after all due work was done, and ends the lease of a node.
///
/// # Errors
/// The storage failed.
pub fn settle(tx: &mut Tx<'_>, cx: &Context, node: &str, is_done: bool) -> Result<(), Error> {
    context::transact(tx, cx, |tx, _, cx| {
        if is_done {
            plan(tx, cx)?;
        }
        Ok(due_work::release(tx, (cx.actor.account, DueKind::RecurringInvoice), node)?)
    })
}

/// Queues the email to the owner about a recurring invoice that was paused.
fn report_stopped(tx: &mut Tx<'_>, cx: &Context, recurring: &Recurring) -> Result<(), Error> {
    let Some(letters) = &cx.env.letters else { return Ok(()) };
    let stopped = StoppedRecurringInvoice {
        id: recurring.id,
        customer: &recurring.customer.name,
        cause: recurring.cause.as_deref(),
    };
    notify_owner(tx, cx, |language| letters.recurring_stopped(language, &stopped))
}

/// Queues an email to the owner.
fn notify_owner(
    tx: &mut Tx<'_>,
    cx: &Context,
    words: impl FnOnce(ledger::language::Language) -> (String, String),
) -> Result<(), Error> {
    let Some(owner) = accounts::by_id(tx, cx.actor.account)? else { return Ok(()) };
    let language = language_of(&owner).unwrap_or(cx.actor.language);
    let (subject, body) = words(language);
    let mail = AccountMail { to: owner.owner.email, language, subject, body };
    mails::put(tx, &cx.env, cx.actor.account, &mail)
}
