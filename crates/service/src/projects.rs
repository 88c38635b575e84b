//! Projects: made in the application, read by programs that write hours on them.

use crate::{Actor, Error};
use jiff::Timestamp;
use ledger::{hours::Hours, money::Cents};
use store::{
    Tx,
    books::{self, Noun},
    projects::{self as rows, Project},
};

/// What is needed to make a project.
#[derive(Debug, Clone)]
pub struct NewProject {
    /// What its owner calls it.
    pub name: String,
    /// Per hour, excluding VAT.
    pub hourly_rate: Option<Cents>,
}

/// Makes a project.
///
/// # Errors
/// The name is empty or too long, or the rate is negative.
pub fn create(tx: &mut Tx<'_>, actor: &Actor, now: Timestamp, command: &NewProject) -> Result<Project, Error> {
    let name = command.name.trim();
    if name.is_empty() || name.chars().count() > 255 || name.chars().any(char::is_control) {
        return Err(Error::fault("/name", "required", "give the project a name of 1 to 255 characters"));
    }
    if command.hourly_rate.is_some_and(|rate| rate.is_negative() || rate.within_limit().is_err()) {
        return Err(Error::fault("/hourlyRate", "out_of_range", "give an hourly rate of 0.00 or more"));
    }
    books::change(tx, actor.account, |tx, books| {
        let project = Project {
            id: books.next_id(Noun::Project),
            name: name.to_owned(),
            contact_id: None,
            archived: false,
            hourly_rate: command.hourly_rate,
            hours_logged: Hours::new(0),
            created_at: now,
        };
        rows::insert(tx, actor.account, &project)?;
        Ok(project)
    })
}

/// Archives a project, or makes it active again.
///
/// # Errors
/// There is no such project in this account.
pub fn set_archived(tx: &mut Tx<'_>, actor: &Actor, id: i64, archived: bool) -> Result<(), Error> {
    books::change(tx, actor.account, |tx, _| {
        read(tx, actor, id)?;
        Ok(rows::set_archived(tx, actor.account, id, archived)?)
    })
}

/// A project by its id.
///
/// # Errors
/// There is no such project in this account.
pub fn read(tx: &mut Tx<'_>, actor: &Actor, id: i64) -> Result<Project, Error> {
    rows::by_id(tx, actor.account, id)?.ok_or(Error::NotFound("project"))
}

/// Projects after an id, oldest first.
///
/// # Errors
/// The storage failed.
pub fn list(tx: &mut Tx<'_>, actor: &Actor, after: i64, limit: i64) -> Result<Vec<Project>, Error> {
    Ok(rows::after(tx, actor.account, after, limit)?)
}
