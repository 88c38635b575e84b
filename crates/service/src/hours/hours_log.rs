//! The hours log: hours beside projects that count for the hours criterion.

use crate::{Context, Created, Error, Fault, Reason, Upserted, context};
use jiff::civil::Date;
use ledger::hours::Hours;
use store::{
    Tx,
    books::{Books, IdSequence},
    time::{self as rows, DayHours, HoursFilter, LoggedHours},
};

/// A day has no more hours than these, over all projects and the log together.
const DAY: Hours = Hours::new(24_00);

/// The kinds of work that the log tells apart.
pub const CATEGORIES: [&str; 5] = ["administration", "acquisition", "travel", "training", "other"];

/// What is needed to log hours.
#[derive(Debug, Clone)]
pub struct NewLoggedHours {
    /// The caller's own identifier.
    pub external_id: Option<String>,
    /// The day of the work.
    pub date: Date,
    /// Above 0, at most 24.
    pub hours: Hours,
    /// What was done; the tax office wants it specific.
    pub description: String,
    /// One of [`CATEGORIES`].
    pub category: &'static str,
}

/// Logs hours beside projects.
///
/// # Errors
/// The account is not Dutch, or the day would have more than 24 hours.
pub fn create(tx: &mut Tx<'_>, cx: &Context, command: &NewLoggedHours) -> Result<Created<LoggedHours>, Error> {
    context::transact(tx, cx, |tx, books, cx| {
        cx.actor.require_dutch()?;
        if let Some(known) = find_by_external_id(tx, cx, command.external_id.as_deref())? {
            return Ok(Created::Existing(known));
        }
        insert(tx, books, cx, command).map(Created::New)
    })
}

/// Logs hours while the account's books are locked.
pub(super) fn insert(tx: &mut Tx<'_>, books: &mut Books, cx: &Context, command: &NewLoggedHours) -> Result<LoggedHours, Error> {
    if let Some(fault) = day_fault(tx, cx, command.date, command.hours)? {
        return Err(Error::Invalid(vec![fault]));
    }
    let logged = LoggedHours {
        id: books.next_id(IdSequence::HoursLog),
        external_id: command.external_id.clone(),
        date: command.date,
        hours: command.hours,
        description: command.description.clone(),
        category: command.category.to_owned(),
        created_at: cx.now(),
        updated_at: cx.now(),
    };
    rows::insert_logged(tx, cx.actor.account, &logged)?;
    count(tx, cx, &logged, logged.hours)?;
    Ok(logged)
}

/// Adds hours to the sum of their day; below zero takes them off.
fn count(tx: &mut Tx<'_>, cx: &Context, logged: &LoggedHours, hours: Hours) -> Result<(), Error> {
    Ok(rows::add_to_day(tx, cx.actor.account, logged.date, DayHours { logged: hours, ..DayHours::default() })?)
}

/// What an edit of hours in the log changes; what is not given stays.
#[derive(Debug, Clone, Default)]
pub struct EditLoggedHours {
    /// The caller's own identifier; `Some(None)` takes it away.
    pub external_id: Option<Option<String>>,
    /// Another day.
    pub date: Option<Date>,
    /// Another number of hours.
    pub hours: Option<Hours>,
    /// Another description.
    pub description: Option<String>,
    /// Another of [`CATEGORIES`].
    pub category: Option<&'static str>,
}

/// Edits hours in the log. `expected` looks at what is there while nobody else can change it.
///
/// # Errors
/// The account is not Dutch, there is no such entry, it is not as expected, or the day would have more than 24 hours.
pub fn edit(
    tx: &mut Tx<'_>,
    cx: &Context,
    id: i64,
    edit: &EditLoggedHours,
    expected: &dyn Fn(&LoggedHours) -> bool,
) -> Result<LoggedHours, Error> {
    context::transact(tx, cx, |tx, _books, cx| {
        cx.actor.require_dutch()?;
        let old = read(tx, cx, id)?;
        if !expected(&old) {
            return Err(Error::Changed);
        }
        change(tx, cx, &old, edit)
    })
}

/// Edits hours in the log while the account's books are locked.
pub(super) fn change(tx: &mut Tx<'_>, cx: &Context, old: &LoggedHours, edit: &EditLoggedHours) -> Result<LoggedHours, Error> {
    let given = edit.clone();
    let logged = LoggedHours {
        external_id: given.external_id.unwrap_or_else(|| old.external_id.clone()),
        date: given.date.unwrap_or(old.date),
        hours: given.hours.unwrap_or(old.hours),
        description: given.description.unwrap_or_else(|| old.description.clone()),
        category: given.category.map_or_else(|| old.category.clone(), str::to_owned),
        ..old.clone()
    };
    if logged == *old {
        // Nothing changes, and neither does when it last did.
        return Ok(logged);
    }
    let mut faults = Vec::new();
    if let Some(external_id) = logged.external_id.as_deref().filter(|its| Some(*its) != old.external_id.as_deref())
        && rows::logged_by_external_id(tx, cx.actor.account, external_id)?.is_some()
    {
        faults.push(Fault::new("/externalId", Reason::ExternalIdTaken));
    }
    faults.extend(edited_day_fault(tx, cx, (old.date, old.hours), Some((edit.date, edit.hours)))?);
    if !faults.is_empty() {
        return Err(Error::Invalid(faults));
    }
    let logged = LoggedHours { updated_at: cx.now(), ..logged };
    count(tx, cx, old, -old.hours)?;
    rows::update_logged(tx, cx.actor.account, &logged)?;
    count(tx, cx, &logged, logged.hours)?;
    Ok(logged)
}

/// Takes hours out of the log.
///
/// # Errors
/// The account is not Dutch, there is no such entry, or it is not as expected.
pub fn delete(tx: &mut Tx<'_>, cx: &Context, id: i64, expected: &dyn Fn(&LoggedHours) -> bool) -> Result<(), Error> {
    context::transact(tx, cx, |tx, _books, cx| {
        cx.actor.require_dutch()?;
        let logged = read(tx, cx, id)?;
        if !expected(&logged) {
            return Err(Error::Changed);
        }
        remove(tx, cx, &logged)
    })
}

/// Takes hours out of the log while the account's books are locked.
pub(super) fn remove(tx: &mut Tx<'_>, cx: &Context, logged: &LoggedHours) -> Result<(), Error> {
    rows::delete_logged(tx, cx.actor.account, logged.id)?;
    count(tx, cx, logged, -logged.hours)
}

/// Makes the hours in the log with that external id, or makes those that there are what is given. `expected` looks at what is there, or at nothing.
///
/// # Errors
/// The account is not Dutch, what is there is not as expected, or the day would have more than 24 hours.
pub fn replace(
    tx: &mut Tx<'_>,
    cx: &Context,
    external_id: &str,
    command: &NewLoggedHours,
    expected: &dyn Fn(Option<&LoggedHours>) -> bool,
) -> Result<Upserted<LoggedHours>, Error> {
    let command = NewLoggedHours { external_id: Some(external_id.to_owned()), ..command.clone() };
    context::transact(tx, cx, |tx, books, cx| {
        cx.actor.require_dutch()?;
        let there = rows::logged_by_external_id(tx, cx.actor.account, external_id)?;
        if !expected(there.as_ref()) {
            return Err(Error::Changed);
        }
        match there {
            None => insert(tx, books, cx, &command).map(Upserted::New),
            Some(old) => {
                let edit = EditLoggedHours {
                    external_id: None,
                    date: Some(command.date),
                    hours: Some(command.hours),
                    description: Some(command.description.clone()),
                    category: Some(command.category),
                };
                change(tx, cx, &old, &edit).map(Upserted::Replaced)
            }
        }
    })
}

/// What an external id names already, if anything.
///
/// # Errors
/// The storage failed.
pub fn find_by_external_id(tx: &mut Tx<'_>, cx: &Context, external_id: Option<&str>) -> Result<Option<LoggedHours>, Error> {
    match external_id {
        Some(external_id) => Ok(rows::logged_by_external_id(tx, cx.actor.account, external_id)?),
        None => Ok(None),
    }
}

/// The fault of writing more hours on a day than it has.
///
/// # Errors
/// The storage failed.
pub fn day_fault(tx: &mut Tx<'_>, cx: &Context, date: Date, hours: Hours) -> Result<Option<Fault>, Error> {
    day_fault_beside(tx, cx, date, hours, Hours::new(0))
}

/// What could be read of the day and the hours of an edit; nothing where one of them was given and could not be read.
pub type EditedDay = Option<(Option<Date>, Option<Hours>)>;

/// The same for an edit of hours that are on that day now.
///
/// # Errors
/// The storage failed.
pub fn edited_day_fault(
    tx: &mut Tx<'_>,
    cx: &Context,
    (day, own): (Date, Hours),
    edited: EditedDay,
) -> Result<Option<Fault>, Error> {
    let Some((date, hours)) = edited else { return Ok(None) };
    let (date, hours) = (date.unwrap_or(day), hours.unwrap_or(own));
    let own = if date == day { own } else { Hours::new(0) };
    day_fault_beside(tx, cx, date, hours, own)
}

/// The same for hours of which `own` are written on that day already.
fn day_fault_beside(tx: &mut Tx<'_>, cx: &Context, date: Date, hours: Hours, own: Hours) -> Result<Option<Fault>, Error> {
    let day = rows::on_day(tx, cx.actor.account, date)?;
    let written = day.project + day.logged - own;
    if written + hours <= DAY {
        return Ok(None);
    }
    Ok(Some(Fault::new("/hours", Reason::DayTooLong { date, written, hours })))
}

/// Hours in the log by their id.
///
/// # Errors
/// There is no such hours log entry in this account.
pub fn read(tx: &mut Tx<'_>, cx: &Context, id: i64) -> Result<LoggedHours, Error> {
    rows::logged_by_id(tx, cx.actor.account, id)?.ok_or(Error::NotFound("hours log entry"))
}

/// Hours in the log after an id, oldest first.
///
/// # Errors
/// The storage failed.
pub fn list(tx: &mut Tx<'_>, cx: &Context, filter: &HoursFilter, after: i64, limit: i64) -> Result<Vec<LoggedHours>, Error> {
    Ok(rows::logged(tx, cx.actor.account, filter, after, limit)?)
}
