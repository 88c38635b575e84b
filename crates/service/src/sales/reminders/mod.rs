//! Reminders about overdue invoices: the plan, what is due, what stops them, and sending them.

mod due;
mod send;

pub use due::{DueReminder, due_of, plan, postpone, send_due, settle};
pub(crate) use due::{plan_new, skip_time};
pub use send::{Remind, propose, remind};

use crate::{Context, Error, Reason, context, invoices};
use jiff::civil::Date;
use ledger::{
    customer::CustomerKind,
    reminder::{self, NextStep, ReminderMode, ReminderPlan, SentReminder},
};
use std::collections::{BTreeMap, BTreeSet};
use store::{
    Page, Tx, books,
    invoices::{self as invoice_rows, Invoice},
    people,
    reminders::{self as rows, Reminder, ReminderStop},
};

/// Maximum length of the reason for a stop, in characters.
pub const LONGEST_REASON: usize = 255;

/// Number of invoices that are read at once.
const CHUNK: i64 = 200;

/// Maximum number of due reminders that are counted.
const MOST_COUNTED: i64 = 1_000;

/// Cause for which an unpaid invoice gets no reminders by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StopCause {
    /// The owner stopped the reminders of the invoice.
    Owner,
    /// The customer gets no reminders.
    Customer,
    /// The last email did not reach the customer. The owner can still send a reminder.
    Bounced,
}

/// Reminders of an invoice: those that were sent, the next step, and what stops it.
#[derive(Debug, Clone)]
pub struct InvoiceReminders {
    /// The invoice.
    pub invoice: Invoice,
    /// Kind of debtor.
    pub debtor: CustomerKind,
    /// Reminders that were sent and not refused, oldest first.
    pub sent: Vec<Reminder>,
    /// The owner's stop, if it is in force.
    pub stop: Option<ReminderStop>,
    /// Cause for which nothing is sent automatically.
    pub stopped_because: Option<StopCause>,
    /// Next step, due or not.
    pub next: Option<NextStep>,
    /// Day on which the next step is sent automatically or, while the owner's stop is in force, on
    /// which the reminders go on.
    pub next_on: Option<Date>,
}

impl InvoiceReminders {
    /// Kinds and days of the reminders that were sent.
    fn history(&self) -> Vec<SentReminder> {
        self.sent.iter().map(Reminder::sent).collect()
    }

    /// Whether the owner stopped the reminders of the invoice or of its customer.
    #[must_use]
    pub fn is_stopped_by_owner(&self) -> bool {
        matches!(self.stopped_because, Some(StopCause::Owner | StopCause::Customer))
    }

    /// Returns the next step if it is due and nothing stops it.
    #[must_use]
    pub fn due(&self, today: Date) -> Option<NextStep> {
        let is_open = self.stopped_because.is_none() && self.invoice.due_date < today;
        self.next.filter(|next| is_open && next.due_since <= today)
    }
}

/// Part of the invoices that is listed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReminderState {
    /// A reminder is due.
    Due,
    /// Something stops the reminders.
    Stopped,
}

/// Returns the reminders of some invoices that are not settled.
fn read_all(
    tx: &mut Tx<'_>,
    cx: &Context,
    plan: &ReminderPlan,
    invoices: Vec<Invoice>,
) -> Result<Vec<InvoiceReminders>, Error> {
    let (account, today) = (cx.actor.account, cx.today());
    let ids: Vec<i64> = invoices.iter().map(|invoice| invoice.id).collect();
    let contacts: Vec<i64> = invoices.iter().map(|invoice| invoice.contact_id).collect();
    let mut sent: BTreeMap<i64, Vec<Reminder>> = BTreeMap::new();
    for reminder in rows::sent(tx, account, &ids)? {
        sent.entry(reminder.invoice_id).or_default().push(reminder);
    }
    let stops = rows::stops(tx, account, &ids)?.into_iter().map(|stop| (stop.invoice_id, stop));
    let mut stops: BTreeMap<i64, ReminderStop> = stops.collect();
    let customers: BTreeSet<i64> =
        rows::stopped_contacts(tx, account, &contacts)?.into_iter().collect();
    let bounced: BTreeSet<i64> = rows::bounced(tx, account, &ids)?.into_iter().collect();
    let all = invoices.into_iter().map(|invoice| {
        let sent = sent.remove(&invoice.id).unwrap_or_default();
        let stop =
            stops.remove(&invoice.id).filter(|stop| stop.until.is_none_or(|until| until >= today));
        // An open payment at a payment provider would stop the reminders here as well.
        let stopped_because = if stop.is_some() {
            Some(StopCause::Owner)
        } else if customers.contains(&invoice.contact_id) {
            Some(StopCause::Customer)
        } else {
            bounced.contains(&invoice.id).then_some(StopCause::Bounced)
        };
        let debtor = reminder::debtor(invoice.customer.known_kind());
        let history: Vec<SentReminder> = sent.iter().map(Reminder::sent).collect();
        let next = Some(plan)
            .filter(|plan| plan.mode != ReminderMode::Off)
            .and_then(|plan| plan.next(debtor, invoice.due_date, &history));
        let is_automatic = plan.mode == ReminderMode::Automatic && stopped_because.is_none();
        let next_on = match (&stop, next) {
            (Some(stop), _) => stop.until.and_then(|until| until.tomorrow().ok()),
            (None, Some(next)) if is_automatic && !next.is_by_hand => {
                Some(reminder::sending_day(next.due_since, cx.clock()))
            }
            (None, _) => None,
        };
        InvoiceReminders { invoice, debtor, sent, stop, stopped_because, next, next_on }
    });
    Ok(all.collect())
}

fn find(tx: &mut Tx<'_>, cx: &Context, id: i64) -> Result<Invoice, Error> {
    invoice_rows::by_id(tx, cx.actor.account, id)?.ok_or(Error::NotFound("invoice"))
}

/// Returns the reminders of an invoice.
///
/// # Errors
/// There is no such invoice.
pub fn of_invoice(tx: &mut Tx<'_>, cx: &Context, id: i64) -> Result<InvoiceReminders, Error> {
    let invoice = find(tx, cx, id)?;
    let plan = rows::plan(tx, cx.actor.account)?;
    let state = read_all(tx, cx, &plan, vec![invoice])?.pop();
    state.ok_or(Error::NotFound("invoice"))
}

/// Returns at most `limit` unsettled invoices with an id above `after` whose reminder is due, or whose
/// reminders are stopped, ordered by id.
///
/// # Errors
/// The account is not Dutch, or the storage failed.
pub fn list(
    tx: &mut Tx<'_>,
    cx: &Context,
    state: ReminderState,
    after: i64,
    limit: i64,
) -> Result<Page<InvoiceReminders>, Error> {
    cx.actor.require_dutch()?;
    let (account, today) = (cx.actor.account, cx.today());
    let plan = rows::plan(tx, account)?;
    let due_before = (state == ReminderState::Due).then_some(today);
    let (mut found, mut last) = (Vec::new(), after);
    let is_wanted = |reminders: &InvoiceReminders| match state {
        ReminderState::Due => reminders.due(today).is_some(),
        ReminderState::Stopped => reminders.stopped_because.is_some(),
    };
    let wanted = usize::try_from(limit).unwrap_or_default().saturating_add(1);
    while found.len() < wanted {
        let chunk = rows::unsettled(tx, account, (due_before, None), last, CHUNK)?;
        let Some(end) = chunk.last() else { break };
        last = end.id;
        found.extend(read_all(tx, cx, &plan, chunk)?.into_iter().filter(is_wanted));
    }
    found.truncate(wanted);
    Ok(Page::of(found, limit))
}

/// Returns the number of due reminders, counted up to a maximum.
///
/// # Errors
/// The storage failed.
pub fn count_due(tx: &mut Tx<'_>, cx: &Context) -> Result<usize, Error> {
    Ok(list(tx, cx, ReminderState::Due, 0, MOST_COUNTED)?.rows.len())
}

/// Input for stopping the reminders of an invoice.
#[derive(Debug, Clone, Default)]
pub struct StopReminders {
    /// Id of the invoice.
    pub invoice_id: i64,
    /// Reason, for the owner only.
    pub reason: Option<String>,
    /// Last day of the stop; `None` until the reminders are resumed.
    pub until: Option<Date>,
}

/// Stops the reminders of an invoice, in place of an earlier stop.
///
/// # Errors
/// There is no such invoice, it is not a sent invoice, or the last day is in the past.
pub fn stop(
    tx: &mut Tx<'_>,
    cx: &Context,
    command: &StopReminders,
) -> Result<InvoiceReminders, Error> {
    context::transact(tx, cx, |tx, _, cx| {
        cx.actor.require_dutch()?;
        invoices::require_sent(&find(tx, cx, command.invoice_id)?)?;
        let today = cx.today();
        if command.until.is_some_and(|until| until < today) {
            return Err(Error::fault("/until", Reason::DayBefore { day: today }));
        }
        let stop = ReminderStop {
            invoice_id: command.invoice_id,
            reason: command.reason.clone(),
            until: command.until,
            created_at: cx.now(),
        };
        rows::stop(tx, cx.actor.account, &stop)?;
        of_invoice(tx, cx, command.invoice_id)
    })
}

/// Ends the owner's stop of the reminders of an invoice, if there is one.
///
/// # Errors
/// There is no such invoice, or it is not a sent invoice.
pub fn resume(tx: &mut Tx<'_>, cx: &Context, id: i64) -> Result<InvoiceReminders, Error> {
    context::transact(tx, cx, |tx, _, cx| {
        cx.actor.require_dutch()?;
        invoices::require_sent(&find(tx, cx, id)?)?;
        rows::resume(tx, cx.actor.account, id)?;
        of_invoice(tx, cx, id)
    })
}

/// Returns the owner's plan.
///
/// # Errors
/// The storage failed.
pub fn settings(tx: &mut Tx<'_>, cx: &Context) -> Result<ReminderPlan, Error> {
    Ok(rows::plan(tx, cx.actor.account)?)
}

/// Changes the owner's plan.
///
/// # Errors
/// The account has been closed, or the storage failed.
pub fn update_settings(tx: &mut Tx<'_>, cx: &Context, new: &ReminderPlan) -> Result<(), Error> {
    let account = cx.actor.account;
    if !people::lock_owner(tx, account)? || !books::lock(tx, account)? {
        return Err(Error::NotFound("account"));
    }
    rows::set_plan(tx, account, new)?;
    plan(tx, cx)
}

/// Whether reminders wait today for the limit of emails.
///
/// # Errors
/// The storage failed.
pub fn are_postponed(tx: &mut Tx<'_>, cx: &Context) -> Result<bool, Error> {
    Ok(rows::postponed_on(tx, cx.actor.account)? == Some(cx.today()))
}
