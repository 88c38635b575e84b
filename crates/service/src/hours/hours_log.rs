//! The hours log: hours outside projects that count towards the hours criterion.

use crate::{Context, Created, Error, Fault, Reason, Upserted, context};
use jiff::civil::Date;
use ledger::hours::Hours;
use store::{
    Tx,
    books::{Books, IdSequence},
    time::{self as rows, DayHours, HoursFilter, LoggedHours},
};

/// Maximum number of hours in a day, for all projects and the hours log together.
const DAY: Hours = Hours::new(24_00);

/// Categories of hours in the log.
pub const CATEGORIES: [&str; 5] = ["administration", "acquisition", "travel", "training", "other"];

/// Input for a new entry in the hours log.
#[derive(Debug, Clone)]
pub struct NewLoggedHours {
    /// Caller's own identifier.
    pub external_id: Option<String>,
    /// Date of the work.
    pub date: Date,
    /// Hours worked: above 0, at most 24.
    pub hours: Hours,
    /// Description of the work. The tax office requires it to be specific.
    pub description: String,
    /// One of [`CATEGORIES`].
    pub category: &'static str,
}

/// Logs hours outside projects.
///
/// # Errors
/// The account is not Dutch, or the day would exceed 24 hours.
pub fn create(
    tx: &mut Tx<'_>,
    cx: &Context,
    command: &NewLoggedHours,
) -> Result<Created<LoggedHours>, Error> {
    context::transact(tx, cx, |tx, books, cx| {
        cx.actor.require_dutch()?;
        if let Some(existing) = find_by_external_id(tx, cx, command.external_id.as_deref())? {
            return Ok(Created::Existing(existing));
        }
        insert(tx, books, cx, command).map(Created::New)
    })
}

/// Logs hours. The caller has locked the account's books.
pub(super) fn insert(
    tx: &mut Tx<'_>,
    books: &mut Books,
    cx: &Context,
    command: &NewLoggedHours,
) -> Result<LoggedHours, Error> {
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

/// Adds hours to the total of the entry's day; negative hours are subtracted.
fn count(tx: &mut Tx<'_>, cx: &Context, logged: &LoggedHours, hours: Hours) -> Result<(), Error> {
    Ok(rows::add_to_day(
        tx,
        cx.actor.account,
        logged.date,
        DayHours { logged: hours, ..DayHours::default() },
    )?)
}

/// Edit of an entry in the hours log. Fields that are `None` stay unchanged.
#[derive(Debug, Clone, Default)]
pub struct EditLoggedHours {
    /// Caller's own identifier; `Some(None)` removes it.
    pub external_id: Option<Option<String>>,
    /// New date.
    pub date: Option<Date>,
    /// New number of hours.
    pub hours: Option<Hours>,
    /// New description.
    pub description: Option<String>,
    /// New category, one of [`CATEGORIES`].
    pub category: Option<&'static str>,
}

/// Edits an entry in the hours log. `expected` is called on the stored entry while the books are
/// locked; if it returns false, there is an edit conflict.
///
/// # Errors
/// The account is not Dutch, there is no such entry, it is not as expected, or the day would exceed
/// 24 hours.
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

/// Edits an entry in the hours log. The caller has locked the account's books.
pub(super) fn change(
    tx: &mut Tx<'_>,
    cx: &Context,
    old: &LoggedHours,
    edit: &EditLoggedHours,
) -> Result<LoggedHours, Error> {
    let changes = edit.clone();
    let logged = LoggedHours {
        external_id: changes.external_id.unwrap_or_else(|| old.external_id.clone()),
        date: changes.date.unwrap_or(old.date),
        hours: changes.hours.unwrap_or(old.hours),
        description: changes.description.unwrap_or_else(|| old.description.clone()),
        category: changes.category.map_or_else(|| old.category.clone(), str::to_owned),
        ..old.clone()
    };
    if logged == *old {
        // Nothing has changed, so `updated_at` keeps its value.
        return Ok(logged);
    }
    let mut faults = Vec::new();
    if let Some(external_id) =
        logged.external_id.as_deref().filter(|id| Some(*id) != old.external_id.as_deref())
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

/// Deletes an entry from the hours log.
///
/// # Errors
/// The account is not Dutch, there is no such entry, or it is not as expected.
pub fn delete(
    tx: &mut Tx<'_>,
    cx: &Context,
    id: i64,
    expected: &dyn Fn(&LoggedHours) -> bool,
) -> Result<(), Error> {
    context::transact(tx, cx, |tx, _books, cx| {
        cx.actor.require_dutch()?;
        let logged = read(tx, cx, id)?;
        if !expected(&logged) {
            return Err(Error::Changed);
        }
        remove(tx, cx, &logged)
    })
}

/// Deletes an entry from the hours log. The caller has locked the account's books.
pub(super) fn remove(tx: &mut Tx<'_>, cx: &Context, logged: &LoggedHours) -> Result<(), Error> {
    rows::delete_logged(tx, cx.actor.account, logged.id)?;
    count(tx, cx, logged, -logged.hours)
}

/// Creates or replaces the entry with the given external id. `expected` is called on the stored
/// entry, if any, while the books are locked; if it returns false, there is an edit conflict.
///
/// # Errors
/// The account is not Dutch, the stored entry is not as expected, or the day would exceed 24 hours.
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
        let stored = rows::logged_by_external_id(tx, cx.actor.account, external_id)?;
        if !expected(stored.as_ref()) {
            return Err(Error::Changed);
        }
        match stored {
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

/// Returns the entry with the given external id.
///
/// # Errors
/// The storage failed.
pub fn find_by_external_id(
    tx: &mut Tx<'_>,
    cx: &Context,
    external_id: Option<&str>,
) -> Result<Option<LoggedHours>, Error> {
    match external_id {
        Some(external_id) => Ok(rows::logged_by_external_id(tx, cx.actor.account, external_id)?),
        None => Ok(None),
    }
}

/// Returns a fault if adding `hours` would make the day exceed 24 hours.
///
/// # Errors
/// The storage failed.
pub fn day_fault(
    tx: &mut Tx<'_>,
    cx: &Context,
    date: Date,
    hours: Hours,
) -> Result<Option<Fault>, Error> {
    day_fault_excluding(tx, cx, date, hours, Hours::new(0))
}

/// Date and hours of an edit. The outer `None` means that one of the values could not be parsed; an
/// inner `None` means that the value was not submitted.
pub type EditedDay = Option<(Option<Date>, Option<Hours>)>;

/// Like [`day_fault`], for an edit of stored hours. The pair contains the stored date and the
/// stored number of hours.
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
    day_fault_excluding(tx, cx, date, hours, own)
}

/// Like [`day_fault`], but `hours` replaces `own`, which is part of the total stored for that day.
fn day_fault_excluding(
    tx: &mut Tx<'_>,
    cx: &Context,
    date: Date,
    hours: Hours,
    own: Hours,
) -> Result<Option<Fault>, Error> {
    let day = rows::on_day(tx, cx.actor.account, date)?;
    let written = day.project + day.logged - own;
    if written + hours <= DAY {
        return Ok(None);
    }
    Ok(Some(Fault::new("/hours", Reason::DayTooLong { date, written, hours })))
}

/// Returns an entry of the hours log by its id.
///
/// # Errors
/// There is no such hours log entry in this account.
pub fn read(tx: &mut Tx<'_>, cx: &Context, id: i64) -> Result<LoggedHours, Error> {
    rows::logged_by_id(tx, cx.actor.account, id)?.ok_or(Error::NotFound("hours log entry"))
}

/// Returns the entries with an id above `after`, oldest first.
///
/// # Errors
/// The storage failed.
pub fn list(
    tx: &mut Tx<'_>,
    cx: &Context,
    filter: &HoursFilter,
    after: i64,
    limit: i64,
) -> Result<Vec<LoggedHours>, Error> {
    Ok(rows::logged(tx, cx.actor.account, filter, after, limit)?)
}
