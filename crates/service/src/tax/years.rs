//! Closing a year: nothing more is booked up to its 31 December. Closing and opening again book nothing.

use crate::{Context, Error, context};
use jiff::civil::date;
use ledger::calendar;
use store::{
    Tx,
    years::{self as rows, Closing},
};

/// Whether a year is closed, and its closings.
#[derive(Debug, Clone)]
pub struct YearState {
    /// The year.
    pub year: i16,
    /// Whether nothing more is booked in it: it was closed, or a later year was.
    pub is_closed: bool,
    /// Every closing of it, the first one first.
    pub closings: Vec<Closing>,
}

/// The state of a year.
///
/// # Errors
/// The storage failed.
pub fn read(tx: &mut Tx<'_>, cx: &Context, year: i16) -> Result<YearState, Error> {
    let is_closed = rows::last_closed(tx, cx.actor.account)?.is_some_and(|last| year <= last);
    Ok(YearState { year, is_closed, closings: rows::closings(tx, cx.actor.account, year)? })
}

/// Closes a year that is over.
///
/// # Errors
/// It is closed, or not over.
pub fn close(tx: &mut Tx<'_>, cx: &Context, year: i16) -> Result<YearState, Error> {
    context::transact(tx, cx, |tx, books, cx| {
        cx.actor.require_dutch()?;
        let state = read(tx, cx, year)?;
        if state.is_closed {
            return Err(Error::YearClosed(year));
        }
        if calendar::amsterdam_today(books.clock()) <= date(year, 12, 31) {
            return Err(Error::YearNotOver(year));
        }
        let version = i64::try_from(state.closings.len()).unwrap_or(i64::MAX - 1) + 1;
        rows::close(tx, cx.actor.account, year, version, cx.now())?;
        read(tx, cx, year)
    })
}

/// Opens a closed year again.
///
/// # Errors
/// It is not closed, or a later year is.
pub fn reopen(tx: &mut Tx<'_>, cx: &Context, year: i16) -> Result<YearState, Error> {
    context::transact(tx, cx, |tx, _books, cx| {
        cx.actor.require_dutch()?;
        match rows::last_closed(tx, cx.actor.account)? {
            Some(last) if last > year => return Err(Error::YearClosed(last)),
            Some(last) if last == year => {}
            _ => return Err(Error::YearNotClosed(year)),
        }
        rows::reopen(tx, cx.actor.account, year, cx.now())?;
        read(tx, cx, year)
    })
}
