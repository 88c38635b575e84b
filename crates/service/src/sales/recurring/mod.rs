//! Recurring invoices: creating, editing, pausing and ending them, and making the invoices that fall
//! due. Each occurrence becomes one invoice at most: its row, the invoice, the entry and the email
//! are one transaction under the lock of the books.

mod create;
mod due;
mod edit;
mod make;
mod preview;
mod read;
mod state;

pub use create::{NewRecurring, create};
pub(crate) use due::plan_with;
pub use due::{
    DueOccurrence, Outcome, bounced, due_next, due_of, make_due, plan, postpone, refuse, settle,
};
pub use edit::{EditRecurring, edit};
pub use make::{make, skip};
pub use preview::{RecurringPreview, preview, preview_edit};
pub use read::{
    Attention, OccurrenceDetails, RecurringTable, attention, find_by_external_id, history, list,
    occurrence, occurrences, read, require, table, upcoming,
};
pub use state::{end, pause, resume};

use crate::{Context, Error, InvoiceError, Reason};
use jiff::{Timestamp, civil::Date};
use ledger::{
    calendar::amsterdam_hour,
    invoice::{ShownAmounts, VatGroup, price_less},
    language::Language,
    schedule::{OccurrenceStatus, RecurringStatus, Schedule},
};
use store::{
    Tx,
    contacts::{self, Party},
    recurring::{self as rows, Occurrence, Recurring},
};

/// Maximum number of active recurring invoices per account.
pub const MOST_ACTIVE: i64 = 500;

/// Maximum number of occurrences in a preview.
pub const MOST_PREVIEWED: i64 = 60;

/// Hour of the day at which emails with recurring invoices are sent, in the Netherlands.
const MAIL_HOUR: i8 = 8;

/// Recurring invoice with its amounts.
#[derive(Debug, Clone)]
pub struct RecurringDetails {
    /// The recurring invoice itself, with its lines. The customer has the details that the next
    /// invoice would have.
    pub recurring: Recurring,
    /// Amounts that the invoices show about their lines, and the discount on all of them.
    pub shown: ShownAmounts,
    /// Language of the invoices.
    pub language: Language,
    /// VAT per rate and category.
    pub groups: Vec<VatGroup>,
    /// Number of the occurrences that wait for the owner.
    pub waiting: i64,
    /// Current date when these details were read.
    pub today: Date,
}

/// Returns the details of a recurring invoice.
fn details(
    tx: &mut Tx<'_>,
    cx: &Context,
    mut recurring: Recurring,
) -> Result<RecurringDetails, Error> {
    let lines: Vec<_> = recurring.content.lines.iter().map(|(line, _)| line.clone()).collect();
    let discount = recurring.particulars.discount;
    let priced = price_less(discount, &lines, recurring.priced_on, recurring.prices());
    let priced = priced.map_err(|error| {
        Error::Internal(format!("recurring invoice {} does not add up: {error}", recurring.id))
    })?;
    recurring.customer = current_customer(tx, cx, &recurring)?;
    let waiting = rows::count_waiting(tx, cx.actor.account, recurring.id)?;
    let own_language = recurring.language.or_else(|| recurring.customer.own_language());
    Ok(RecurringDetails {
        recurring,
        shown: priced.shown,
        language: own_language.unwrap_or(cx.actor.document_language),
        groups: priced.groups,
        waiting,
        today: cx.today(),
    })
}

/// Returns the details of the customer that the next invoice would have: those of the contact, unless
/// the recurring invoice has its own.
fn current_customer(tx: &mut Tx<'_>, cx: &Context, recurring: &Recurring) -> Result<Party, Error> {
    if recurring.own_details {
        return Ok(recurring.customer.clone());
    }
    let contact = contacts::by_id(tx, cx.actor.account, recurring.contact_id)?;
    Ok(contact.map_or_else(|| recurring.customer.clone(), |contact| contact.party))
}

/// Reads a recurring invoice under the lock of the books.
fn stored(tx: &mut Tx<'_>, cx: &Context, id: i64) -> Result<Recurring, Error> {
    rows::by_id(tx, cx.actor.account, id)?.ok_or(Error::NotFound("recurring invoice"))
}

/// Rejects a command on a recurring invoice that has ended.
fn require_open(recurring: &Recurring) -> Result<(), Error> {
    if recurring.status == RecurringStatus::Ended {
        return Err(InvoiceError::RecurringEnded.into());
    }
    Ok(())
}

/// Rejects another active recurring invoice if the account has the maximum number.
fn require_place(tx: &mut Tx<'_>, cx: &Context) -> Result<(), Error> {
    if rows::count_active(tx, cx.actor.account)? >= MOST_ACTIVE {
        return Err(InvoiceError::TooManyActive { most: MOST_ACTIVE }.into());
    }
    Ok(())
}

/// Rejects a schedule without occurrences.
fn require_occurrence(schedule: &Schedule) -> Result<Date, Error> {
    let first_date = schedule.first_date;
    schedule
        .date(schedule.first_number)
        .ok_or_else(|| Error::fault("/lastDate", Reason::LastBeforeFirst { first_date }))
}

/// Moves a recurring invoice to its next planned occurrence from `number` on: the first that is not
/// stored. Without one, it ends.
fn advance(
    tx: &mut Tx<'_>,
    cx: &Context,
    recurring: &mut Recurring,
    number: i64,
) -> Result<(), Error> {
    let mut next = number;
    while rows::occurrence(tx, cx.actor.account, recurring.id, next)?.is_some() {
        next += 1;
    }
    recurring.next_number = next;
    recurring.next_date = recurring.schedule().date(next);
    if recurring.next_date.is_none() {
        (recurring.status, recurring.paused_because) = (RecurringStatus::Ended, None);
        recurring.cause = None;
    }
    Ok(())
}

/// Stores an occurrence that nobody has decided on yet.
fn insert_occurrence(
    tx: &mut Tx<'_>,
    cx: &Context,
    recurring: i64,
    (number, date): (i64, Date),
    (status, invoice_id): (OccurrenceStatus, Option<i64>),
) -> Result<Occurrence, Error> {
    let occurrence = Occurrence {
        recurring_id: recurring,
        number,
        date,
        status,
        invoice_id,
        created_at: cx.now(),
        updated_at: cx.now(),
    };
    rows::insert_occurrence(tx, cx.actor.account, &occurrence)?;
    Ok(occurrence)
}

/// Stores a changed recurring invoice, and plans its work.
fn save(tx: &mut Tx<'_>, cx: &Context, recurring: &mut Recurring) -> Result<(), Error> {
    recurring.updated_at = cx.now();
    rows::update(tx, cx.actor.account, recurring)?;
    plan(tx, cx)
}

/// Time at which an email of today is sent.
fn mail_time(cx: &Context) -> Timestamp {
    amsterdam_hour(cx.today(), MAIL_HOUR)
}
