//! Closing of a year: entries dated on or before 31 December of that year are rejected from then
//! on. Closing and reopening do not book any entries.

use crate::{Context, Error, PeriodError, context};
use jiff::civil::date;
use ledger::calendar;
use store::{
    Tx,
    years::{self as rows, Closing},
};

/// State of a year, with its closings.
#[derive(Debug, Clone)]
pub struct YearState {
    /// The year.
    pub year: i16,
    /// Whether the year accepts no new entries, because it or a later year is closed.
    pub is_closed: bool,
    /// All closings of the year, including reopened ones, oldest first.
    pub closings: Vec<Closing>,
}

/// Returns the state of a year.
///
/// # Errors
/// The storage failed.
pub fn read(tx: &mut Tx<'_>, cx: &Context, year: i16) -> Result<YearState, Error> {
    let is_closed = rows::last_closed(tx, cx.actor.account)?.is_some_and(|last| year <= last);
    Ok(YearState { year, is_closed, closings: rows::closings(tx, cx.actor.account, year)? })
}

/// Rejects a year that has not begun: nothing can be booked for its end yet.
pub(crate) fn require_begun(cx: &Context, year: i16) -> Result<(), Error> {
    if cx.today().year() < year { Err(PeriodError::YearNotOver(year).into()) } else { Ok(()) }
}

/// Closes a year that is over.
///
/// # Errors
/// The account is not Dutch, or the year is already closed or is not over.
pub fn close(tx: &mut Tx<'_>, cx: &Context, year: i16) -> Result<YearState, Error> {
    context::transact(tx, cx, |tx, books, cx| {
        cx.actor.require_dutch()?;
        let state = read(tx, cx, year)?;
        if state.is_closed {
            return Err(PeriodError::YearClosed(year).into());
        }
        if calendar::amsterdam_today(books.clock()) <= date(year, 12, 31) {
            return Err(PeriodError::YearNotOver(year).into());
        }
        let version = i64::try_from(state.closings.len()).unwrap_or(i64::MAX - 1) + 1;
        rows::close(tx, cx.actor.account, year, version, cx.now())?;
        read(tx, cx, year)
    })
}

/// Reopens a closed year.
///
/// # Errors
/// The account is not Dutch, the year is not closed, or a later year is.
pub fn reopen(tx: &mut Tx<'_>, cx: &Context, year: i16) -> Result<YearState, Error> {
    context::transact(tx, cx, |tx, _books, cx| {
        cx.actor.require_dutch()?;
        match rows::last_closed(tx, cx.actor.account)? {
            Some(last) if last > year => return Err(PeriodError::YearClosed(last).into()),
            Some(last) if last == year => {}
            _ => return Err(PeriodError::YearNotClosed(year).into()),
        }
        rows::reopen(tx, cx.actor.account, year, cx.now())?;
        read(tx, cx, year)
    })
}
