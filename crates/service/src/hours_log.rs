//! The hours log: hours beside projects that count for the hours criterion.

use crate::{Actor, Created, Error, Fault};
use jiff::{Timestamp, civil::Date};
use ledger::hours::Hours;
use store::{
    Tx,
    books::{self, Noun},
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
pub fn create(tx: &mut Tx<'_>, actor: &Actor, now: Timestamp, command: &NewLoggedHours) -> Result<Created<LoggedHours>, Error> {
    actor.require_dutch()?;
    books::change(tx, actor.account, |tx, books| {
        if let Some(known) = known(tx, actor, command.external_id.as_deref())? {
            return Ok(Created::Known(known));
        }
        if let Some(fault) = day_fault(tx, actor, command.date, command.hours)? {
            return Err(Error::Invalid(vec![fault]));
        }
        let logged = LoggedHours {
            id: books.next_id(Noun::HoursLog),
            external_id: command.external_id.clone(),
            date: command.date,
            hours: command.hours,
            description: command.description.clone(),
            category: command.category.to_owned(),
            created_at: now,
        };
        rows::insert_logged(tx, actor.account, &logged)?;
        rows::add_to_day(tx, actor.account, logged.date, DayHours { logged: logged.hours, ..DayHours::default() })?;
        Ok(Created::New(logged))
    })
}

/// What an external id names already, if anything.
///
/// # Errors
/// The storage failed.
pub fn known(tx: &mut Tx<'_>, actor: &Actor, external_id: Option<&str>) -> Result<Option<LoggedHours>, Error> {
    match external_id {
        Some(external_id) => Ok(rows::logged_by_external_id(tx, actor.account, external_id)?),
        None => Ok(None),
    }
}

/// The fault of writing more hours on a day than it has.
///
/// # Errors
/// The storage failed.
pub fn day_fault(tx: &mut Tx<'_>, actor: &Actor, date: Date, hours: Hours) -> Result<Option<Fault>, Error> {
    let day = rows::on_day(tx, actor.account, date)?;
    let written = day.project + day.logged;
    if written + hours <= DAY {
        return Ok(None);
    }
    let message = format!(
        "{date} has {written} hours written already; with these {hours} it would have more than 24: write fewer, or another day"
    );
    Ok(Some(Fault::new("/hours", "out_of_range", message)))
}

/// Hours in the log by their id.
///
/// # Errors
/// There is no such hours log entry in this account.
pub fn read(tx: &mut Tx<'_>, actor: &Actor, id: i64) -> Result<LoggedHours, Error> {
    rows::logged_by_id(tx, actor.account, id)?.ok_or(Error::NotFound("hours log entry"))
}

/// Hours in the log after an id, oldest first.
///
/// # Errors
/// The storage failed.
pub fn list(tx: &mut Tx<'_>, actor: &Actor, filter: &HoursFilter, after: i64, limit: i64) -> Result<Vec<LoggedHours>, Error> {
    Ok(rows::logged(tx, actor.account, filter, after, limit)?)
}
