//! Time entries: hours on a project.

use crate::{
    Context, Created, Error, Fault, Reason, TimeTrackingError, Upserted, context, hours_log,
    projects,
};
use jiff::civil::Date;
use ledger::hours::Hours;
use store::{
    Tx,
    books::{Books, IdSequence},
    projects as project_rows,
    time::{self as rows, DayHours, HoursFilter, TimeEntry},
};

/// Input for a new time entry.
#[derive(Debug, Clone)]
pub struct NewTimeEntry {
    /// Caller's own identifier.
    pub external_id: Option<String>,
    /// Id of an active project of the account.
    pub project_id: i64,
    /// Date of the work.
    pub date: Date,
    /// Hours worked: above 0, at most 24.
    pub hours: Hours,
    /// Description of the work.
    pub description: String,
}

/// Records hours on a project.
///
/// # Errors
/// There is no such project, it is archived, or the day would exceed 24 hours.
pub fn create(
    tx: &mut Tx<'_>,
    cx: &Context,
    command: &NewTimeEntry,
) -> Result<Created<TimeEntry>, Error> {
    context::transact(tx, cx, |tx, books, cx| {
        if let Some(existing) = find_by_external_id(tx, cx, command.external_id.as_deref())? {
            return Ok(Created::Existing(existing));
        }
        insert(tx, books, cx, command).map(Created::New)
    })
}

/// Records hours on a project. The caller has locked the account's books.
pub(super) fn insert(
    tx: &mut Tx<'_>,
    books: &mut Books,
    cx: &Context,
    command: &NewTimeEntry,
) -> Result<TimeEntry, Error> {
    let mut faults: Vec<Fault> = project_fault(tx, cx, command.project_id)?.into_iter().collect();
    faults.extend(hours_log::day_fault(tx, cx, command.date, command.hours)?);
    if !faults.is_empty() {
        return Err(Error::Invalid(faults));
    }
    if projects::read(tx, cx, command.project_id)?.archived {
        return Err(TimeTrackingError::ProjectArchived.into());
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

/// Adds hours to the totals of the entry's project and day; negative hours are subtracted.
fn count(tx: &mut Tx<'_>, cx: &Context, entry: &TimeEntry, hours: Hours) -> Result<(), Error> {
    project_rows::add_hours(tx, cx.actor.account, entry.project_id, hours, Hours::new(0))?;
    rows::add_to_day(
        tx,
        cx.actor.account,
        entry.date,
        DayHours { project: hours, ..DayHours::default() },
    )?;
    Ok(())
}

/// Edit of a time entry. Fields that are `None` stay unchanged.
#[derive(Debug, Clone, Default)]
pub struct EditTimeEntry {
    /// Caller's own identifier; `Some(None)` removes it.
    pub external_id: Option<Option<String>>,
    /// New project.
    pub project_id: Option<i64>,
    /// New date.
    pub date: Option<Date>,
    /// New number of hours.
    pub hours: Option<Hours>,
    /// New description.
    pub description: Option<String>,
}

/// Edits a time entry. `expected` is called on the stored entry while the books are locked; if it
/// returns false, there is an edit conflict.
///
/// # Errors
/// There is no such entry, it is not as expected or has been invoiced, or a new value is invalid.
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

/// Edits a time entry. The caller has locked the account's books.
pub(super) fn change(
    tx: &mut Tx<'_>,
    cx: &Context,
    old: &TimeEntry,
    edit: &EditTimeEntry,
) -> Result<TimeEntry, Error> {
    let changes = edit.clone();
    let entry = TimeEntry {
        external_id: changes.external_id.unwrap_or_else(|| old.external_id.clone()),
        project_id: changes.project_id.unwrap_or(old.project_id),
        date: changes.date.unwrap_or(old.date),
        hours: changes.hours.unwrap_or(old.hours),
        description: changes.description.unwrap_or_else(|| old.description.clone()),
        ..old.clone()
    };
    if old.invoice_id.is_some() {
        return Err(TimeTrackingError::AlreadyInvoiced.into());
    }
    if entry == *old {
        // Nothing has changed, so `updated_at` keeps its value.
        return Ok(entry);
    }
    let mut faults: Vec<Fault> = project_fault(tx, cx, entry.project_id)?.into_iter().collect();
    if let Some(external_id) =
        entry.external_id.as_deref().filter(|id| Some(*id) != old.external_id.as_deref())
        && rows::entry_by_external_id(tx, cx.actor.account, external_id)?.is_some()
    {
        faults.push(Fault::new("/externalId", Reason::ExternalIdTaken));
    }
    faults.extend(hours_log::edited_day_fault(
        tx,
        cx,
        (old.date, old.hours),
        Some((edit.date, edit.hours)),
    )?);
    if !faults.is_empty() {
        return Err(Error::Invalid(faults));
    }
    if entry.project_id != old.project_id && projects::read(tx, cx, entry.project_id)?.archived {
        return Err(TimeTrackingError::ProjectArchived.into());
    }
    let entry = TimeEntry { updated_at: cx.now(), ..entry };
    count(tx, cx, old, -old.hours)?;
    rows::update_entry(tx, cx.actor.account, &entry)?;
    count(tx, cx, &entry, entry.hours)?;
    Ok(entry)
}

/// Deletes a time entry.
///
/// # Errors
/// There is no such entry, or it is not as expected or has been invoiced.
pub fn delete(
    tx: &mut Tx<'_>,
    cx: &Context,
    id: i64,
    expected: &dyn Fn(&TimeEntry) -> bool,
) -> Result<(), Error> {
    context::transact(tx, cx, |tx, _, cx| {
        let entry = read(tx, cx, id)?;
        if !expected(&entry) {
            return Err(Error::Changed);
        }
        remove(tx, cx, &entry)
    })
}

/// Deletes a time entry. The caller has locked the account's books.
pub(super) fn remove(tx: &mut Tx<'_>, cx: &Context, entry: &TimeEntry) -> Result<(), Error> {
    if entry.invoice_id.is_some() {
        return Err(TimeTrackingError::AlreadyInvoiced.into());
    }
    rows::delete_entry(tx, cx.actor.account, entry.id)?;
    count(tx, cx, entry, -entry.hours)
}

/// Creates or replaces the time entry with the given external id. `expected` is called on the
/// stored entry, if any, while the books are locked; if it returns false, there is an edit
/// conflict.
///
/// # Errors
/// Those of [`create`] and [`edit`].
pub fn replace(
    tx: &mut Tx<'_>,
    cx: &Context,
    external_id: &str,
    command: &NewTimeEntry,
    expected: &dyn Fn(Option<&TimeEntry>) -> bool,
) -> Result<Upserted<TimeEntry>, Error> {
    let command = NewTimeEntry { external_id: Some(external_id.to_owned()), ..command.clone() };
    context::transact(tx, cx, |tx, books, cx| {
        let stored = rows::entry_by_external_id(tx, cx.actor.account, external_id)?;
        if !expected(stored.as_ref()) {
            return Err(Error::Changed);
        }
        match stored {
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

/// Returns the time entry with the given external id.
///
/// # Errors
/// The storage failed.
pub fn find_by_external_id(
    tx: &mut Tx<'_>,
    cx: &Context,
    external_id: Option<&str>,
) -> Result<Option<TimeEntry>, Error> {
    match external_id {
        Some(external_id) => Ok(rows::entry_by_external_id(tx, cx.actor.account, external_id)?),
        None => Ok(None),
    }
}

/// Returns a fault if the project does not exist.
///
/// # Errors
/// The storage failed.
pub fn project_fault(
    tx: &mut Tx<'_>,
    cx: &Context,
    project_id: i64,
) -> Result<Option<Fault>, Error> {
    match projects::read(tx, cx, project_id) {
        Ok(_) => Ok(None),
        Err(Error::NotFound(_)) => {
            Ok(Some(Fault::new("/projectId", Reason::UnknownProject { id: project_id })))
        }
        Err(other) => Err(other),
    }
}

/// Returns a time entry by its id.
///
/// # Errors
/// There is no such time entry in this account.
pub fn read(tx: &mut Tx<'_>, cx: &Context, id: i64) -> Result<TimeEntry, Error> {
    rows::entry_by_id(tx, cx.actor.account, id)?.ok_or(Error::NotFound("time entry"))
}

/// Returns the time entries with an id above `after`, oldest first.
///
/// # Errors
/// The storage failed.
pub fn list(
    tx: &mut Tx<'_>,
    cx: &Context,
    filter: &HoursFilter,
    after: i64,
    limit: i64,
) -> Result<Vec<TimeEntry>, Error> {
    Ok(rows::entries(tx, cx.actor.account, filter, after, limit)?)
}
