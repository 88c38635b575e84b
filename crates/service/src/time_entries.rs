//! Time entries: hours on a project.

use crate::{Actor, Created, Error, Fault, hours_log, projects};
use jiff::{Timestamp, civil::Date};
use ledger::hours::Hours;
use store::{
    Tx,
    books::{self, Noun},
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
pub fn create(tx: &mut Tx<'_>, actor: &Actor, now: Timestamp, command: &NewTimeEntry) -> Result<Created<TimeEntry>, Error> {
    books::change(tx, actor.account, |tx, books| {
        if let Some(known) = known(tx, actor, command.external_id.as_deref())? {
            return Ok(Created::Known(known));
        }
        let mut faults: Vec<Fault> = project_fault(tx, actor, command.project_id)?.into_iter().collect();
        faults.extend(hours_log::day_fault(tx, actor, command.date, command.hours)?);
        if !faults.is_empty() {
            return Err(Error::Invalid(faults));
        }
        if projects::read(tx, actor, command.project_id)?.archived {
            return Err(Error::ProjectArchived);
        }
        let entry = TimeEntry {
            id: books.next_id(Noun::TimeEntry),
            external_id: command.external_id.clone(),
            project_id: command.project_id,
            date: command.date,
            hours: command.hours,
            description: command.description.clone(),
            created_at: now,
        };
        rows::insert_entry(tx, actor.account, &entry)?;
        project_rows::add_hours(tx, actor.account, entry.project_id, entry.hours)?;
        rows::add_to_day(tx, actor.account, entry.date, DayHours { project: entry.hours, ..DayHours::default() })?;
        Ok(Created::New(entry))
    })
}

/// What an external id names already, if anything.
///
/// # Errors
/// The storage failed.
pub fn known(tx: &mut Tx<'_>, actor: &Actor, external_id: Option<&str>) -> Result<Option<TimeEntry>, Error> {
    match external_id {
        Some(external_id) => Ok(rows::entry_by_external_id(tx, actor.account, external_id)?),
        None => Ok(None),
    }
}

/// The fault of naming a project that does not exist.
///
/// # Errors
/// The storage failed.
pub fn project_fault(tx: &mut Tx<'_>, actor: &Actor, project_id: i64) -> Result<Option<Fault>, Error> {
    match projects::read(tx, actor, project_id) {
        Ok(_) => Ok(None),
        Err(Error::NotFound(_)) => Ok(Some(Fault::new(
            "/projectId",
            "unknown_project",
            format!("there is no project {project_id} in this account; GET /api/v1/projects lists those there are"),
        ))),
        Err(other) => Err(other),
    }
}

/// A time entry by its id.
///
/// # Errors
/// There is no such time entry in this account.
pub fn read(tx: &mut Tx<'_>, actor: &Actor, id: i64) -> Result<TimeEntry, Error> {
    rows::entry_by_id(tx, actor.account, id)?.ok_or(Error::NotFound("time entry"))
}

/// Time entries after an id, oldest first.
///
/// # Errors
/// The storage failed.
pub fn list(tx: &mut Tx<'_>, actor: &Actor, filter: &HoursFilter, after: i64, limit: i64) -> Result<Vec<TimeEntry>, Error> {
    Ok(rows::entries(tx, actor.account, filter, after, limit)?)
}
