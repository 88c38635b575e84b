//! Time entries: hours on a project.

use crate::{Context, Created, Error, Fault, Reason, Upserted, context, hours_log, projects};
use jiff::civil::Date;
use ledger::hours::Hours;
use store::{
    Tx,
    books::{Books, IdSequence},
    projects as project_rows,
    time::{self as rows, DayHours, HoursFilter, TimeEntry},
};

/// What is needed to write hours on a project.
#[derive(Debug, Clone)]
pub struct NewTimeEntry {
    /// The caller's own identifier.
    pub external_id: Option<String>,
    /// An active project of the account.
    pub project_id: i64,
    /// The day of the work.
    pub date: Date,
    /// Above 0, at most 24.
    pub hours: Hours,
    /// What was done.
    pub description: String,
}

/// Writes hours on a project.
///
/// # Errors
/// There is no such project, it is archived, or the day would have more than 24 hours.
pub fn create(tx: &mut Tx<'_>, cx: &Context, command: &NewTimeEntry) -> Result<Created<TimeEntry>, Error> {
    context::transact(tx, cx, |tx, books, cx| {
        if let Some(known) = find_by_external_id(tx, cx, command.external_id.as_deref())? {
            return Ok(Created::Existing(known));
        }
        insert(tx, books, cx, command).map(Created::New)
    })
}

/// Writes hours on a project while the account's books are locked.
pub(super) fn insert(tx: &mut Tx<'_>, books: &mut Books, cx: &Context, command: &NewTimeEntry) -> Result<TimeEntry, Error> {
    let mut faults: Vec<Fault> = project_fault(tx, cx, command.project_id)?.into_iter().collect();
    faults.extend(hours_log::day_fault(tx, cx, command.date, command.hours)?);
    if !faults.is_empty() {
        return Err(Error::Invalid(faults));
    }
    if projects::read(tx, cx, command.project_id)?.archived {
        return Err(Error::ProjectArchived);
    }
    let entry = TimeEntry {
        id: books.next_id(IdSequence::TimeEntry),
        external_id: command.external_id.clone(),
        project_id: command.project_id,
        date: command.date,
        hours: command.hours,
        description: command.description.clone(),
        created_at: cx.now(),
        updated_at: cx.now(),
        invoice_id: None,
    };
    rows::insert_entry(tx, cx.actor.account, &entry)?;
    count(tx, cx, &entry, entry.hours)?;
    Ok(entry)
}

/// Adds hours of an entry to the sums of its project and its day; below zero takes them off.
fn count(tx: &mut Tx<'_>, cx: &Context, entry: &TimeEntry, hours: Hours) -> Result<(), Error> {
    project_rows::add_hours(tx, cx.actor.account, entry.project_id, hours, Hours::new(0))?;
    rows::add_to_day(tx, cx.actor.account, entry.date, DayHours { project: hours, ..DayHours::default() })?;
    Ok(())
}

/// What an edit of a time entry changes; what is not given stays.
#[derive(Debug, Clone, Default)]
pub struct EditTimeEntry {
    /// The caller's own identifier; `Some(None)` takes it away.
    pub external_id: Option<Option<String>>,
    /// Another project.
    pub project_id: Option<i64>,
    /// Another day.
    pub date: Option<Date>,
    /// Another number of hours.
    pub hours: Option<Hours>,
    /// Another description.
    pub description: Option<String>,
}

/// Edits hours on a project. `expected` looks at what is there while nobody else can change it.
///
/// # Errors
/// There is no such entry, it is not as expected, it is on an invoice, or what it would be cannot be.
pub fn edit(
    tx: &mut Tx<'_>,
    cx: &Context,
    id: i64,
    edit: &EditTimeEntry,
    expected: &dyn Fn(&TimeEntry) -> bool,
) -> Result<TimeEntry, Error> {
    context::transact(tx, cx, |tx, _, cx| {
        let old = read(tx, cx, id)?;
        if !expected(&old) {
            return Err(Error::Changed);
        }
        change(tx, cx, &old, edit)
    })
}

/// Edits hours on a project while the account's books are locked.
pub(super) fn change(tx: &mut Tx<'_>, cx: &Context, old: &TimeEntry, edit: &EditTimeEntry) -> Result<TimeEntry, Error> {
    let given = edit.clone();
    let entry = TimeEntry {
        external_id: given.external_id.unwrap_or_else(|| old.external_id.clone()),
        project_id: given.project_id.unwrap_or(old.project_id),
        date: given.date.unwrap_or(old.date),
        hours: given.hours.unwrap_or(old.hours),
        description: given.description.unwrap_or_else(|| old.description.clone()),
        ..old.clone()
    };
    if old.invoice_id.is_some() {
        return Err(Error::AlreadyInvoiced);
    }
    if entry == *old {
        // Nothing changes, and neither does when it last did.
        return Ok(entry);
    }
    let mut faults: Vec<Fault> = project_fault(tx, cx, entry.project_id)?.into_iter().collect();
    if let Some(external_id) = entry.external_id.as_deref().filter(|its| Some(*its) != old.external_id.as_deref())
        && rows::entry_by_external_id(tx, cx.actor.account, external_id)?.is_some()
    {
        faults.push(Fault::new("/externalId", Reason::ExternalIdTaken));
    }
    faults.extend(hours_log::edited_day_fault(tx, cx, (old.date, old.hours), Some((edit.date, edit.hours)))?);
    if !faults.is_empty() {
        return Err(Error::Invalid(faults));
    }
    if entry.project_id != old.project_id && projects::read(tx, cx, entry.project_id)?.archived {
        return Err(Error::ProjectArchived);
    }
    let entry = TimeEntry { updated_at: cx.now(), ..entry };
    count(tx, cx, old, -old.hours)?;
    rows::update_entry(tx, cx.actor.account, &entry)?;
    count(tx, cx, &entry, entry.hours)?;
    Ok(entry)
}

/// Takes hours on a project away.
///
/// # Errors
/// There is no such entry, it is not as expected, or it is on an invoice.
pub fn delete(tx: &mut Tx<'_>, cx: &Context, id: i64, expected: &dyn Fn(&TimeEntry) -> bool) -> Result<(), Error> {
    context::transact(tx, cx, |tx, _, cx| {
        let entry = read(tx, cx, id)?;
        if !expected(&entry) {
            return Err(Error::Changed);
        }
        remove(tx, cx, &entry)
    })
}

/// Takes hours on a project away while the account's books are locked.
pub(super) fn remove(tx: &mut Tx<'_>, cx: &Context, entry: &TimeEntry) -> Result<(), Error> {
    if entry.invoice_id.is_some() {
        return Err(Error::AlreadyInvoiced);
    }
    rows::delete_entry(tx, cx.actor.account, entry.id)?;
    count(tx, cx, entry, -entry.hours)
}

/// Makes the time entry with that external id, or makes the one that there is what is given. `expected` looks at what is there, or at nothing.
///
/// # Errors
/// As for [`create`] and [`edit`].
pub fn replace(
    tx: &mut Tx<'_>,
    cx: &Context,
    external_id: &str,
    command: &NewTimeEntry,
    expected: &dyn Fn(Option<&TimeEntry>) -> bool,
) -> Result<Upserted<TimeEntry>, Error> {
    let command = NewTimeEntry { external_id: Some(external_id.to_owned()), ..command.clone() };
    context::transact(tx, cx, |tx, books, cx| {
        let there = rows::entry_by_external_id(tx, cx.actor.account, external_id)?;
        if !expected(there.as_ref()) {
            return Err(Error::Changed);
        }
        match there {
            None => insert(tx, books, cx, &command).map(Upserted::New),
            Some(old) => {
                let edit = EditTimeEntry {
                    external_id: None,
                    project_id: Some(command.project_id),
                    date: Some(command.date),
                    hours: Some(command.hours),
                    description: Some(command.description.clone()),
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
pub fn find_by_external_id(tx: &mut Tx<'_>, cx: &Context, external_id: Option<&str>) -> Result<Option<TimeEntry>, Error> {
    match external_id {
        Some(external_id) => Ok(rows::entry_by_external_id(tx, cx.actor.account, external_id)?),
        None => Ok(None),
    }
}

/// The fault of naming a project that does not exist.
///
/// # Errors
/// The storage failed.
pub fn project_fault(tx: &mut Tx<'_>, cx: &Context, project_id: i64) -> Result<Option<Fault>, Error> {
    match projects::read(tx, cx, project_id) {
        Ok(_) => Ok(None),
        Err(Error::NotFound(_)) => Ok(Some(Fault::new("/projectId", Reason::UnknownProject { id: project_id }))),
        Err(other) => Err(other),
    }
}

/// A time entry by its id.
///
/// # Errors
/// There is no such time entry in this account.
pub fn read(tx: &mut Tx<'_>, cx: &Context, id: i64) -> Result<TimeEntry, Error> {
    rows::entry_by_id(tx, cx.actor.account, id)?.ok_or(Error::NotFound("time entry"))
}

/// Time entries after an id, oldest first.
///
/// # Errors
/// The storage failed.
pub fn list(tx: &mut Tx<'_>, cx: &Context, filter: &HoursFilter, after: i64, limit: i64) -> Result<Vec<TimeEntry>, Error> {
    Ok(rows::entries(tx, cx.actor.account, filter, after, limit)?)
}
