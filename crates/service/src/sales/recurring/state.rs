//! Pausing, resuming and ending recurring invoices.

use super::{
    RecurringDetails, advance, details, insert_occurrence, require_open, require_place, save,
    stored,
};
use crate::{Context, Error, context};
use ledger::schedule::{Missed, OccurrenceStatus, PausedBecause, RecurringStatus};
use store::{Tx, recurring as rows};

/// Pauses a recurring invoice. One that is paused stays as it is.
///
/// # Errors
/// There is no such recurring invoice, or it has ended.
pub fn pause(tx: &mut Tx<'_>, cx: &Context, id: i64) -> Result<RecurringDetails, Error> {
    context::transact(tx, cx, |tx, _, cx| {
        cx.actor.require_dutch()?;
        let mut recurring = stored(tx, cx, id)?;
        require_open(&recurring)?;
        if recurring.status == RecurringStatus::Active {
            recurring.status = RecurringStatus::Paused;
            recurring.paused_because = Some(PausedBecause::Owner);
            save(tx, cx, &mut recurring)?;
        }
        details(tx, cx, recurring)
    })
}

/// Resumes a recurring invoice. Occurrences whose day passed are skipped, or wait for the owner. One
/// that is active stays as it is.
///
/// # Errors
/// There is no such recurring invoice, it has ended, or too many are active.
pub fn resume(
    tx: &mut Tx<'_>,
    cx: &Context,
    id: i64,
    missed: Missed,
) -> Result<RecurringDetails, Error> {
    context::transact(tx, cx, |tx, _, cx| {
        cx.actor.require_dutch()?;
        let mut recurring = stored(tx, cx, id)?;
        require_open(&recurring)?;
        if recurring.status == RecurringStatus::Active {
            return details(tx, cx, recurring);
        }
        require_place(tx, cx)?;
        let status = match missed {
            Missed::Skip => OccurrenceStatus::Skipped,
            Missed::Ask => OccurrenceStatus::Waiting,
        };
        let (today, next) = (cx.today(), recurring.next_number);
        let schedule = recurring.schedule();
        for (number, date) in schedule.from(next).take_while(|(_, date)| *date < today) {
            if rows::occurrence(tx, cx.actor.account, id, number)?.is_none() {
                insert_occurrence(tx, cx, id, (number, date), (status, None))?;
            }
        }
        recurring.status = RecurringStatus::Active;
        (recurring.paused_because, recurring.cause, recurring.bounces) = (None, None, 0);
        advance(tx, cx, &mut recurring, next)?;
        save(tx, cx, &mut recurring)?;
        details(tx, cx, recurring)
    })
}

/// Ends a recurring invoice. One that has ended stays as it is; occurrences that wait can still be
/// made.
///
/// # Errors
/// There is no such recurring invoice.
pub fn end(tx: &mut Tx<'_>, cx: &Context, id: i64) -> Result<RecurringDetails, Error> {
    context::transact(tx, cx, |tx, _, cx| {
        cx.actor.require_dutch()?;
        let mut recurring = stored(tx, cx, id)?;
        if recurring.status != RecurringStatus::Ended {
            (recurring.status, recurring.paused_because) = (RecurringStatus::Ended, None);
            (recurring.cause, recurring.next_date) = (None, None);
            save(tx, cx, &mut recurring)?;
        }
        details(tx, cx, recurring)
    })
}
