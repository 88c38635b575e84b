//! Projects, on which hours are written.

use crate::{StoreError, Tx, params, row::Row};
use jiff::Timestamp;
use ledger::{hours::Hours, money::Cents};

/// A project as it is stored.
#[derive(Debug, Clone)]
pub struct Project {
    /// Unique inside the account.
    pub id: i64,
    /// What its owner calls it.
    pub name: String,
    /// The customer that it is for.
    pub contact_id: Option<i64>,
    /// An archived project takes no new hours.
    pub archived: bool,
    /// Per hour, excluding VAT.
    pub hourly_rate: Option<Cents>,
    /// The sum of its time entries.
    pub hours_logged: Hours,
    /// When it was made.
    pub created_at: Timestamp,
}

const COLUMNS: &str = "id, name, contact_id, status, hourly_rate, hours_logged, created_at";

fn read(row: &Row<'_>) -> Result<Project, StoreError> {
    Ok(Project {
        id: row.int(0)?,
        name: row.text(1)?,
        contact_id: row.opt_int(2)?,
        archived: row.parsed(3, |text| match text {
            "active" => Some(false),
            "archived" => Some(true),
            _ => None,
        })?,
        hourly_rate: row.opt_int(4)?.map(Cents::new),
        hours_logged: Hours::new(row.int(5)?),
        created_at: row.time(6)?,
    })
}

fn status(archived: bool) -> &'static str {
    if archived { "archived" } else { "active" }
}

/// Stores a new project.
pub fn insert(tx: &mut Tx<'_>, account: i64, project: &Project) -> Result<(), StoreError> {
    tx.execute(
        "INSERT INTO projects (account_id, id, name, contact_id, status, hourly_rate, hours_logged, created_at)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
        &params![
            account,
            project.id,
            &project.name,
            project.contact_id,
            status(project.archived),
            project.hourly_rate.map(Cents::get),
            project.hours_logged.get(),
            project.created_at,
        ],
    )
}

/// Archives a project, or makes it active again.
pub fn set_archived(tx: &mut Tx<'_>, account: i64, id: i64, archived: bool) -> Result<(), StoreError> {
    tx.execute("UPDATE projects SET status = ?3 WHERE account_id = ?1 AND id = ?2", &params![account, id, status(archived)])
}

/// Adds to the hours of a project.
pub fn add_hours(tx: &mut Tx<'_>, account: i64, id: i64, hours: Hours) -> Result<(), StoreError> {
    tx.execute(
        "UPDATE projects SET hours_logged = hours_logged + ?3 WHERE account_id = ?1 AND id = ?2",
        &params![account, id, hours.get()],
    )
}

/// The project with that id.
pub fn by_id(tx: &mut Tx<'_>, account: i64, id: i64) -> Result<Option<Project>, StoreError> {
    tx.query_opt(&format!("SELECT {COLUMNS} FROM projects WHERE account_id = ?1 AND id = ?2"), &params![account, id], read)
}

/// Projects after an id, in the order of their ids.
pub fn after(tx: &mut Tx<'_>, account: i64, after: i64, limit: i64) -> Result<Vec<Project>, StoreError> {
    tx.query(
        &format!("SELECT {COLUMNS} FROM projects WHERE account_id = ?1 AND id > ?2 ORDER BY id LIMIT ?3"),
        &params![account, after, limit],
        read,
    )
}
