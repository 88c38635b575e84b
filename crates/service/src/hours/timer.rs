//! Timer: runs until its time is recorded as hours or discarded.

use super::{
    description_of,
    hours_log::{self, NewLoggedHours},
    projects,
    time_entries::{self, NewTimeEntry},
};
use crate::{Context, Error, Reason, TimeTrackingError, context};
use jiff::Timestamp;
use ledger::{calendar::amsterdam_today, hours::Hours};
use store::{
    Tx,
    time::{LoggedHours, TimeEntry},
    timers::{self as rows, Timer},
};

/// Maximum number of hours in a day.
const DAY: Hours = Hours::new(24_00);

/// Input for starting the timer.
#[derive(Debug, Clone, Default)]
pub struct StartTimer {
    /// Project; without one, the hours go into the hours log.
    pub project_id: Option<i64>,
    /// Description of the work.
    pub description: Option<String>,
    /// Category in the hours log, one of [`hours_log::CATEGORIES`].
    pub category: Option<&'static str>,
}

/// Input for stopping the timer.
#[derive(Debug, Clone, Default)]
pub struct StopTimer {
    /// Description of the work. Defaults to the description given when the timer started.
    pub description: Option<String>,
    /// Hours to record. Defaults to the elapsed time.
    pub hours: Option<Hours>,
}

/// Hours recorded when the timer stops.
#[derive(Debug, Clone)]
pub enum Stopped {
    /// Hours on a project.
    Entry(TimeEntry),
    /// Hours in the log.
    Logged(LoggedHours),
}

/// Starts the timer.
///
/// # Errors
/// A timer is already running, the project is unknown or archived, or there is no project and the
/// account is not Dutch.
pub fn start(tx: &mut Tx<'_>, cx: &Context, command: &StartTimer) -> Result<Timer, Error> {
    context::transact(tx, cx, |tx, books, cx| {
        match command.project_id {
            Some(id) => {
                if let Some(fault) = time_entries::project_fault(tx, cx, id)? {
                    return Err(Error::Invalid(vec![fault]));
                }
            }
            None if !cx.actor.country.is_dutch() => {
                return Err(Error::fault("/projectId", Reason::Required));
            }
            None => {}
        }
        if rows::running(tx, cx.actor.account)?.is_some() {
            return Err(TimeTrackingError::TimerRunning.into());
        }
        if let Some(id) = command.project_id
            && projects::read(tx, cx, id)?.archived
        {
            return Err(TimeTrackingError::ProjectArchived.into());
        }
        let category = if command.project_id.is_none() {
            Some(command.category.unwrap_or("other").to_owned())
        } else {
            None
        };
        let timer = Timer {
            started_at: books.clock(),
            project_id: command.project_id,
            description: command.description.clone(),
            category,
        };
        rows::insert(tx, cx.actor.account, &timer)?;
        Ok(timer)
    })
}

/// Returns the running timer, if any.
///
/// # Errors
/// The storage failed.
pub fn running(tx: &mut Tx<'_>, cx: &Context) -> Result<Option<Timer>, Error> {
    Ok(rows::running(tx, cx.actor.account)?)
}

/// Returns the running timer.
///
/// # Errors
/// No timer is running.
pub fn read(tx: &mut Tx<'_>, cx: &Context) -> Result<Timer, Error> {
    running(tx, cx)?.ok_or(TimeTrackingError::NoTimer.into())
}

/// Returns the elapsed time of a timer.
#[must_use]
pub fn elapsed(timer: &Timer, now: Timestamp) -> Hours {
    Hours::of_seconds(timer.started_at.duration_until(now).as_secs())
}

/// Stops the timer and records its time on the date on which it started.
///
/// # Errors
/// No timer is running, it ran for longer than a day and the hours are not given, the day would
/// exceed 24 hours, the project has been archived since the start, or there is no project and the
/// account is not Dutch.
pub fn stop(tx: &mut Tx<'_>, cx: &Context, command: &StopTimer) -> Result<Stopped, Error> {
    context::transact(tx, cx, |tx, books, cx| {
        let timer = read(tx, cx)?;
        let elapsed_hours = elapsed(&timer, books.clock());
        let hours = match command.hours {
            Some(hours) => hours,
            None if elapsed_hours > DAY => {
                return Err(Error::fault("/hours", Reason::TimerTooLong { hours: elapsed_hours }));
            }
            None => elapsed_hours,
        };
        let date = amsterdam_today(timer.started_at);
        let description = command.description.clone().or_else(|| timer.description.clone());
        rows::delete(tx, cx.actor.account)?;
        if let Some(project_id) = timer.project_id {
            let description = match description {
                Some(description) => description,
                None => projects::read(tx, cx, project_id)?.name,
            };
            let entry = NewTimeEntry { external_id: None, project_id, date, hours, description };
            return time_entries::insert(tx, books, cx, &entry).map(Stopped::Entry);
        }
        cx.actor.require_dutch()?;
        let category = hours_log::CATEGORIES
            .into_iter()
            .find(|category| Some(*category) == timer.category.as_deref());
        let category = category.unwrap_or("other");
        let description =
            description.unwrap_or_else(|| description_of(category, cx.actor.language).to_owned());
        let logged = NewLoggedHours { external_id: None, date, hours, description, category };
        hours_log::insert(tx, books, cx, &logged).map(Stopped::Logged)
    })
}

/// Discards the running timer. `expected` is called on the timer while the books are locked; if it
/// returns false, there is an edit conflict.
///
/// # Errors
/// No timer is running, or it is not as expected.
pub fn discard(
    tx: &mut Tx<'_>,
    cx: &Context,
    expected: &dyn Fn(&Timer) -> bool,
) -> Result<(), Error> {
    context::transact(tx, cx, |tx, _, cx| {
        if !expected(&read(tx, cx)?) {
            return Err(Error::Changed);
        }
        Ok(rows::delete(tx, cx.actor.account)?)
    })
}
