//! Queries for recurring invoices and their occurrences.

use super::{RecurringDetails, details, stored};
use crate::{Context, Error, invoices::SupplyDays};
use jiff::{Timestamp, ToSpan, civil::Date};
use ledger::{
    money::Cents,
    schedule::{OccurrenceStatus, RecurringStatus, SupplyPeriod},
};
use std::collections::{BTreeSet, HashMap};
use store::{
    Page, Tx, Updated,
    contacts::{self, Party},
    recurring::{self as rows, Occurrence, Recurring, RecurringColumn, RecurringFilter},
};

/// Number of days that the overview looks ahead.
const AHEAD: i64 = 7;
/// Maximum number of rows of each kind on the overview.
const SHOWN: i64 = 10;
/// Maximum number of past occurrences on the page of a recurring invoice.
const HISTORY: i64 = 24;

/// Returns a recurring invoice by its id.
///
/// # Errors
/// There is no such recurring invoice in this account.
pub fn read(tx: &mut Tx<'_>, cx: &Context, id: i64) -> Result<RecurringDetails, Error> {
    let recurring = stored(tx, cx, id)?;
    details(tx, cx, recurring)
}

/// Returns an error if a recurring invoice does not exist.
///
/// # Errors
/// There is no such recurring invoice in this account.
pub fn require(tx: &mut Tx<'_>, cx: &Context, id: i64) -> Result<(), Error> {
    stored(tx, cx, id).map(drop)
}

/// Returns the recurring invoice with the given external id.
///
/// # Errors
/// The storage failed.
pub fn find_by_external_id(
    tx: &mut Tx<'_>,
    cx: &Context,
    external_id: Option<&str>,
) -> Result<Option<RecurringDetails>, Error> {
    let Some(external_id) = external_id else { return Ok(None) };
    match rows::by_external_id(tx, cx.actor.account, external_id)? {
        Some(recurring) => details(tx, cx, recurring).map(Some),
        None => Ok(None),
    }
}

/// Returns a page of recurring invoices with an id below `before`, newest first.
///
/// # Errors
/// The storage failed.
pub fn list(
    tx: &mut Tx<'_>,
    cx: &Context,
    filter: &RecurringFilter,
    before: i64,
    limit: i64,
) -> Result<Page<RecurringDetails>, Error> {
    let page = rows::list(tx, cx.actor.account, filter, before, limit)?;
    let rows = page.rows.into_iter().map(|recurring| details(tx, cx, recurring));
    Ok(Page { rows: rows.collect::<Result<_, Error>>()?, more: page.more })
}

/// Page of the list of recurring invoices.
#[derive(Debug, Clone)]
pub struct RecurringTable {
    /// Recurring invoices on the page, without their lines.
    pub rows: Vec<Recurring>,
    /// Number of the filtered ones.
    pub count: i64,
    /// Number per state, regardless of the filter.
    pub counts: HashMap<RecurringStatus, i64>,
}

/// Returns a page of the list. `page` is the offset and the maximum number of rows.
///
/// # Errors
/// The storage failed.
pub fn table(
    tx: &mut Tx<'_>,
    cx: &Context,
    filter: &RecurringFilter,
    order: (RecurringColumn, bool),
    page: (i64, i64),
) -> Result<RecurringTable, Error> {
    let account = cx.actor.account;
    let section = rows::rows(tx, account, filter, order, page)?;
    Ok(RecurringTable {
        rows: with_current_customers(tx, cx, section)?,
        count: rows::count(tx, account, filter)?,
        counts: rows::counts(tx, account)?,
    })
}

/// Occurrence of a recurring invoice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OccurrenceDetails {
    /// The recurring invoice.
    pub recurring_id: i64,
    /// Number, from 1.
    pub number: i64,
    /// Day.
    pub date: Date,
    /// State.
    pub status: OccurrenceStatus,
    /// Invoice that was made.
    pub invoice_id: Option<i64>,
    /// First and last day of supply.
    pub supply: Option<(Date, Date)>,
    /// Total including VAT, as the recurring invoice is now; `None` if none is to be made.
    pub total: Option<Cents>,
    /// Time of the last change; `None` for one that is planned.
    pub updated_at: Option<Timestamp>,
}

/// Returns the days of supply of an occurrence.
pub(super) fn supply_days(recurring: &Recurring, date: Date) -> SupplyDays {
    let which = recurring.supply_period;
    let period = recurring.rhythm().period(date, which).filter(|_| which != SupplyPeriod::None);
    SupplyDays { first: period.map(|(first, _)| first), last: period.map(|(_, last)| last) }
}

/// Returns the details of a stored occurrence.
pub(super) fn occurrence_details(
    recurring: &Recurring,
    occurrence: Occurrence,
) -> OccurrenceDetails {
    let is_open = occurrence.status == OccurrenceStatus::Waiting;
    let supply = supply_days(recurring, occurrence.date);
    OccurrenceDetails {
        recurring_id: recurring.id,
        number: occurrence.number,
        date: occurrence.date,
        status: occurrence.status,
        invoice_id: occurrence.invoice_id,
        supply: supply.first.zip(supply.last),
        total: is_open.then_some(recurring.total),
        updated_at: Some(occurrence.updated_at),
    }
}

/// Returns a stored occurrence.
///
/// # Errors
/// There is no such recurring invoice or no such occurrence.
pub fn occurrence(
    tx: &mut Tx<'_>,
    cx: &Context,
    id: i64,
    number: i64,
) -> Result<OccurrenceDetails, Error> {
    let recurring = stored(tx, cx, id)?;
    let found = rows::occurrence(tx, cx.actor.account, id, number)?;
    Ok(occurrence_details(&recurring, found.ok_or(Error::NotFound("occurrence"))?))
}

/// Returns the occurrences with a number above `after` that were made or skipped, or that wait, in
/// order.
///
/// # Errors
/// There is no such recurring invoice.
pub fn occurrences(
    tx: &mut Tx<'_>,
    cx: &Context,
    id: i64,
    (after, updated): (i64, Option<Updated>),
    limit: i64,
) -> Result<Page<OccurrenceDetails>, Error> {
    let recurring = stored(tx, cx, id)?;
    let page = rows::occurrences(tx, cx.actor.account, id, (after, updated), limit)?;
    let rows = page.rows.into_iter().map(|occurrence| occurrence_details(&recurring, occurrence));
    Ok(Page { rows: rows.collect(), more: page.more })
}

/// Returns the latest occurrences that were made or skipped, or that wait, latest first.
///
/// # Errors
/// There is no such recurring invoice.
pub fn history(tx: &mut Tx<'_>, cx: &Context, id: i64) -> Result<Vec<OccurrenceDetails>, Error> {
    let recurring = stored(tx, cx, id)?;
    let latest = rows::latest_occurrences(tx, cx.actor.account, id, HISTORY)?;
    Ok(latest.into_iter().map(|occurrence| occurrence_details(&recurring, occurrence)).collect())
}

/// Returns the next planned occurrences, at most `count`. Those of a paused recurring invoice are the
/// ones that would follow if it were resumed now.
///
/// # Errors
/// There is no such recurring invoice.
pub fn upcoming(
    tx: &mut Tx<'_>,
    cx: &Context,
    id: i64,
    count: usize,
) -> Result<Vec<OccurrenceDetails>, Error> {
    let recurring = stored(tx, cx, id)?;
    if recurring.status == RecurringStatus::Ended {
        return Ok(Vec::new());
    }
    let is_paused = recurring.status == RecurringStatus::Paused;
    let (schedule, today) = (recurring.schedule(), cx.today());
    let mut planned = Vec::with_capacity(count);
    for (number, date) in schedule.from(recurring.next_number) {
        if planned.len() == count {
            break;
        }
        if is_paused && date < today
            || rows::occurrence(tx, cx.actor.account, id, number)?.is_some()
        {
            continue;
        }
        let supply = supply_days(&recurring, date);
        planned.push(OccurrenceDetails {
            recurring_id: id,
            number,
            date,
            status: OccurrenceStatus::Planned,
            invoice_id: None,
            supply: supply.first.zip(supply.last),
            total: Some(recurring.total),
            updated_at: None,
        });
    }
    Ok(planned)
}

/// Recurring invoices on the overview.
#[derive(Debug, Clone, Default)]
pub struct Attention {
    /// Those with an occurrence in the next seven days, without their lines, the first first.
    pub coming: Vec<Recurring>,
    /// Occurrences that wait for the owner, with the names of their customers, oldest first.
    pub waiting: Vec<(Occurrence, String)>,
    /// Those that are paused because of a refusal or of emails that did not arrive, without their
    /// lines.
    pub stopped: Vec<Recurring>,
}

/// Returns the recurring invoices on the overview.
///
/// # Errors
/// The storage failed.
pub fn attention(tx: &mut Tx<'_>, cx: &Context) -> Result<Attention, Error> {
    let (account, until) = (cx.actor.account, cx.today().saturating_add(AHEAD.days()));
    let coming = rows::coming(tx, account, until, SHOWN)?;
    let stopped = rows::stopped(tx, account, SHOWN)?;
    Ok(Attention {
        coming: with_current_customers(tx, cx, coming)?,
        waiting: rows::waiting(tx, account, SHOWN)?,
        stopped: with_current_customers(tx, cx, stopped)?,
    })
}

/// Replaces the details of the customers by those that the next invoices would have.
fn with_current_customers(
    tx: &mut Tx<'_>,
    cx: &Context,
    mut all: Vec<Recurring>,
) -> Result<Vec<Recurring>, Error> {
    let followed = all.iter().filter(|recurring| !recurring.own_details);
    let ids: BTreeSet<i64> = followed.map(|recurring| recurring.contact_id).collect();
    let ids: Vec<i64> = ids.into_iter().collect();
    let contacts = contacts::by_ids(tx, cx.actor.account, &ids)?;
    let parties: HashMap<i64, Party> =
        contacts.into_iter().map(|contact| (contact.id, contact.party)).collect();
    for recurring in all.iter_mut().filter(|recurring| !recurring.own_details) {
        if let Some(party) = parties.get(&recurring.contact_id) {
            recurring.customer = party.clone();
        }
    }
    Ok(all)
}
