//! Projects on which hours are recorded, each with an optional customer, hourly rate and budget.

use crate::{Context, Created, Error, Fault, Reason, Upserted, context, text};
use jiff::Timestamp;
use ledger::{hours::Hours, money::Cents};
use store::{
    Tx,
    books::IdSequence,
    contacts,
    projects::{self as rows, Project, ProjectFilter, ProjectRow},
};

/// Maximum number of projects on a page.
const SHOWN: i64 = 1_000;

/// Input for a new project.
#[derive(Debug, Clone, Default)]
pub struct NewProject {
    /// Caller's own identifier.
    pub external_id: Option<String>,
    /// Name of the project.
    pub name: String,
    /// Contact id of the customer.
    pub contact_id: Option<i64>,
    /// Rate per hour, excluding VAT.
    pub hourly_rate: Option<Cents>,
    /// Budget in hours.
    pub budget_hours: Option<Hours>,
    /// Whether the project is archived, so that it accepts no new hours.
    pub archived: bool,
}

/// Edit of a project. Fields that are `None` stay unchanged; `Some(None)` clears a field.
#[derive(Debug, Clone, Default)]
pub struct EditProject {
    /// Caller's own identifier.
    pub external_id: Option<Option<String>>,
    /// New name.
    pub name: Option<String>,
    /// New contact id of the customer.
    pub contact_id: Option<Option<i64>>,
    /// New hourly rate.
    pub hourly_rate: Option<Option<Cents>>,
    /// New budget.
    pub budget_hours: Option<Option<Hours>>,
    /// New archived state.
    pub archived: Option<bool>,
}

/// Creates a project.
///
/// # Errors
/// The name is empty or too long, the rate is negative or too high, or the customer is unknown.
pub fn create(
    tx: &mut Tx<'_>,
    cx: &Context,
    command: &NewProject,
) -> Result<Created<Project>, Error> {
    context::transact(tx, cx, |tx, books, cx| {
        if let Some(existing) = find_by_external_id(tx, cx, command.external_id.as_deref())? {
            return Ok(Created::Existing(existing));
        }
        let project = new_project(books.next_id(IdSequence::Project), command, cx.now());
        check(tx, cx, &project)?;
        rows::insert(tx, cx.actor.account, &project)?;
        Ok(Created::New(project))
    })
}

fn new_project(id: i64, command: &NewProject, now: Timestamp) -> Project {
    Project {
        id,
        external_id: command.external_id.clone(),
        name: command.name.trim().to_owned(),
        contact_id: command.contact_id,
        archived: command.archived,
        hourly_rate: command.hourly_rate,
        budget_hours: command.budget_hours,
        hours_logged: Hours::new(0),
        hours_invoiced: Hours::new(0),
        created_at: now,
        updated_at: now,
    }
}

fn check(tx: &mut Tx<'_>, cx: &Context, project: &Project) -> Result<(), Error> {
    let faults = faults(tx, cx, project)?;
    if faults.is_empty() { Ok(()) } else { Err(Error::Invalid(faults)) }
}

fn faults(tx: &mut Tx<'_>, cx: &Context, project: &Project) -> Result<Vec<Fault>, Error> {
    let mut faults = Vec::new();
    if text::single_line(&project.name, 255).is_err() {
        faults.push(Fault::new("/name", Reason::NameRequired { most: 255 }));
    }
    if project.hourly_rate.is_some_and(|rate| rate.is_negative() || rate.within_limit().is_err()) {
        faults.push(Fault::new("/hourlyRate", Reason::NegativeAmount));
    }
    faults.extend(contact_fault(tx, cx, project.contact_id)?);
    Ok(faults)
}

/// Returns a fault if the contact does not exist.
///
/// # Errors
/// The storage failed.
pub fn contact_fault(
    tx: &mut Tx<'_>,
    cx: &Context,
    contact_id: Option<i64>,
) -> Result<Option<Fault>, Error> {
    let Some(id) = contact_id else { return Ok(None) };
    let unknown = contacts::by_id(tx, cx.actor.account, id)?.is_none();
    Ok(unknown.then(|| Fault::new("/contactId", Reason::UnknownContact)))
}

/// Edits a project. `expected` is called on the stored project while the books are locked; if it
/// returns false, there is an edit conflict.
///
/// # Errors
/// There is no such project, it is not as expected, or a value is invalid.
pub fn edit(
    tx: &mut Tx<'_>,
    cx: &Context,
    id: i64,
    edit: &EditProject,
    expected: &dyn Fn(&Project) -> bool,
) -> Result<Project, Error> {
    context::transact(tx, cx, |tx, _, cx| {
        let old = read(tx, cx, id)?;
        if !expected(&old) {
            return Err(Error::Changed);
        }
        let changes = edit.clone();
        let project = Project {
            external_id: changes.external_id.unwrap_or_else(|| old.external_id.clone()),
            name: changes.name.unwrap_or_else(|| old.name.clone()).trim().to_owned(),
            contact_id: changes.contact_id.unwrap_or(old.contact_id),
            hourly_rate: changes.hourly_rate.unwrap_or(old.hourly_rate),
            budget_hours: changes.budget_hours.unwrap_or(old.budget_hours),
            archived: changes.archived.unwrap_or(old.archived),
            ..old.clone()
        };
        if let Some(external_id) =
            project.external_id.as_deref().filter(|id| Some(*id) != old.external_id.as_deref())
            && rows::by_external_id(tx, cx.actor.account, external_id)?.is_some()
        {
            let mut faults = faults(tx, cx, &project)?;
            faults.push(Fault::new("/externalId", Reason::ExternalIdTaken));
            return Err(Error::Invalid(faults));
        }
        save(tx, cx, &old, project)
    })
}

/// Creates or replaces the project with the given external id. `expected` is called on the stored
/// project, if any, while the books are locked; if it returns false, there is an edit conflict.
///
/// # Errors
/// The stored project is not as expected, or a value is invalid.
pub fn replace(
    tx: &mut Tx<'_>,
    cx: &Context,
    external_id: &str,
    command: &NewProject,
    expected: &dyn Fn(Option<&Project>) -> bool,
) -> Result<Upserted<Project>, Error> {
    let command = NewProject { external_id: Some(external_id.to_owned()), ..command.clone() };
    context::transact(tx, cx, |tx, books, cx| {
        let stored = rows::by_external_id(tx, cx.actor.account, external_id)?;
        if !expected(stored.as_ref()) {
            return Err(Error::Changed);
        }
        match stored {
            None => {
                let project = new_project(books.next_id(IdSequence::Project), &command, cx.now());
                check(tx, cx, &project)?;
                rows::insert(tx, cx.actor.account, &project)?;
                Ok(Upserted::New(project))
            }
            Some(old) => {
                let replacement = new_project(old.id, &command, cx.now());
                let project = Project {
                    hours_logged: old.hours_logged,
                    hours_invoiced: old.hours_invoiced,
                    created_at: old.created_at,
                    updated_at: old.updated_at,
                    ..replacement
                };
                save(tx, cx, &old, project).map(Upserted::Replaced)
            }
        }
    })
}

fn save(tx: &mut Tx<'_>, cx: &Context, old: &Project, project: Project) -> Result<Project, Error> {
    if project == *old {
        // Nothing has changed, so `updated_at` keeps its value.
        return Ok(project);
    }
    check(tx, cx, &project)?;
    let project = Project { updated_at: cx.now(), ..project };
    rows::update(tx, cx.actor.account, &project)?;
    Ok(project)
}

/// Archives a project, or makes it active again.
///
/// # Errors
/// There is no such project in this account.
pub fn set_archived(
    tx: &mut Tx<'_>,
    cx: &Context,
    id: i64,
    archived: bool,
) -> Result<Project, Error> {
    edit(tx, cx, id, &EditProject { archived: Some(archived), ..EditProject::default() }, &|_| true)
}

/// Returns the project with the given external id.
///
/// # Errors
/// The storage failed.
pub fn find_by_external_id(
    tx: &mut Tx<'_>,
    cx: &Context,
    external_id: Option<&str>,
) -> Result<Option<Project>, Error> {
    match external_id {
        Some(external_id) => Ok(rows::by_external_id(tx, cx.actor.account, external_id)?),
        None => Ok(None),
    }
}

/// Returns a project by its id.
///
/// # Errors
/// There is no such project in this account.
pub fn read(tx: &mut Tx<'_>, cx: &Context, id: i64) -> Result<Project, Error> {
    rows::by_id(tx, cx.actor.account, id)?.ok_or(Error::NotFound("project"))
}

/// Returns the projects with an id above `after`, oldest first.
///
/// # Errors
/// The storage failed.
pub fn list(
    tx: &mut Tx<'_>,
    cx: &Context,
    filter: &ProjectFilter,
    after: i64,
    limit: i64,
) -> Result<Vec<Project>, Error> {
    Ok(rows::list(tx, cx.actor.account, filter, after, limit)?)
}

/// Returns the projects in order of name, each with its customer's name.
///
/// # Errors
/// The storage failed.
pub fn by_name(
    tx: &mut Tx<'_>,
    cx: &Context,
    filter: &ProjectFilter,
) -> Result<Vec<ProjectRow>, Error> {
    Ok(rows::by_name(tx, cx.actor.account, filter, SHOWN)?)
}
