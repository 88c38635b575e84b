//! The timer: a clock that runs, also while nobody looks, until its time is written down as hours or thrown away.

use super::{
    description_of,
    hours_log::{self, NewLoggedHours},
    projects,
    time_entries::{self, NewTimeEntry},
};
use crate::{Context, Error, Reason, context};
use jiff::Timestamp;
use ledger::{calendar::amsterdam_today, hours::Hours};
use store::{
    Tx,
    time::{LoggedHours, TimeEntry},
    timers::{self as rows, Timer},
};

/// A day has no more hours than these.
const DAY: Hours = Hours::new(24_00);

/// What is needed to start the timer.
#[derive(Debug, Clone, Default)]
pub struct StartTimer {
    /// The project; without one the hours go into the hours log.
    pub project_id: Option<i64>,
    /// What is done.
    pub description: Option<String>,
    /// For the hours log, one of [`hours_log::CATEGORIES`].
    pub category: Option<&'static str>,
}

/// What can be said when the timer is stopped.
#[derive(Debug, Clone, Default)]
pub struct StopTimer {
    /// What was done; what was said at the start unless given.
    pub description: Option<String>,
    /// How long it took; what the clock says unless given.
    pub hours: Option<Hours>,
}

/// What became of the time.
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
/// One runs already, the project is unknown or archived, or there is none and the account is not Dutch.
pub fn start(tx: &mut Tx<'_>, cx: &Context, command: &StartTimer) -> Result<Timer, Error> {
    context::transact(tx, cx, |tx, books, cx| {
        match command.project_id {
            Some(id) => {
                if let Some(fault) = time_entries::project_fault(tx, cx, id)? {
                    return Err(Error::Invalid(vec![fault]));
                }
            }
            None if !cx.actor.country.is_dutch() => return Err(Error::fault("/projectId", Reason::Required)),
            None => {}
        }
        if rows::running(tx, cx.actor.account)?.is_some() {
            return Err(Error::TimerRunning);
        }
        if let Some(id) = command.project_id
            && projects::read(tx, cx, id)?.archived
        {
            return Err(Error::ProjectArchived);
        }
        let category = if command.project_id.is_none() { Some(command.category.unwrap_or("other").to_owned()) } else { None };
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

/// The timer that runs, if one does.
///
/// # Errors
/// The storage failed.
pub fn running(tx: &mut Tx<'_>, cx: &Context) -> Result<Option<Timer>, Error> {
    Ok(rows::running(tx, cx.actor.account)?)
}

/// The timer that runs.
///
/// # Errors
/// None does.
pub fn read(tx: &mut Tx<'_>, cx: &Context) -> Result<Timer, Error> {
    running(tx, cx)?.ok_or(Error::NoTimer)
}

/// How long a timer has run.
#[must_use]
pub fn elapsed(timer: &Timer, now: Timestamp) -> Hours {
    Hours::of_seconds(timer.started_at.duration_until(now).as_secs())
}

/// Stops the timer and writes its time down, on the day on which it was started.
///
/// # Errors
/// None runs, it ran for longer than a day, the day would have more than 24 hours, or the project is archived meanwhile.
pub fn stop(tx: &mut Tx<'_>, cx: &Context, command: &StopTimer) -> Result<Stopped, Error> {
    context::transact(tx, cx, |tx, books, cx| {
        let timer = read(tx, cx)?;
        let ran = elapsed(&timer, books.clock());
        let hours = match command.hours {
            Some(hours) => hours,
            None if ran > DAY => return Err(Error::fault("/hours", Reason::TimerTooLong { hours: ran })),
            None => ran,
        };
        let date = amsterdam_today(timer.started_at);
        let said = command.description.clone().or_else(|| timer.description.clone());
        rows::delete(tx, cx.actor.account)?;
        if let Some(project_id) = timer.project_id {
            let description = match said {
                Some(said) => said,
                None => projects::read(tx, cx, project_id)?.name,
            };
            let entry = NewTimeEntry { external_id: None, project_id, date, hours, description };
            return time_entries::insert(tx, books, cx, &entry).map(Stopped::Entry);
        }
        cx.actor.require_dutch()?;
        let known = hours_log::CATEGORIES.into_iter().find(|known| Some(*known) == timer.category.as_deref());
        let category = known.unwrap_or("other");
        let description = said.unwrap_or_else(|| description_of(category, cx.actor.language).to_owned());
        let logged = NewLoggedHours { external_id: None, date, hours, description, category };
        hours_log::insert(tx, books, cx, &logged).map(Stopped::Logged)
    })
}

/// Throws the time away. `expected` looks at what is there while nobody else can change it.
///
/// # Errors
/// No timer runs, or it is not as expected.
pub fn discard(tx: &mut Tx<'_>, cx: &Context, expected: &dyn Fn(&Timer) -> bool) -> Result<(), Error> {
    context::transact(tx, cx, |tx, _, cx| {
        if !expected(&read(tx, cx)?) {
            return Err(Error::Changed);
        }
        Ok(rows::delete(tx, cx.actor.account)?)
    })
}
