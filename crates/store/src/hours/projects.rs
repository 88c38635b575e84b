//! Projects, to which time entries belong.

use crate::{
    StoreError, Tx, Updated,
    changes::{Event, ResourceKind},
    contacts::{archived, status},
    engine::{
        filter::Filter,
        record::record,
        table::{self, table_functions},
    },
    params,
};
use jiff::Timestamp;
use ledger::{hours::Hours, money::Cents};

/// Stored project.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Project {
    /// Unique within the account.
    pub id: i64,
    /// The caller's own identifier.
    pub external_id: Option<String>,
    /// Name chosen by the owner.
    pub name: String,
    /// Id of the customer's contact.
    pub contact_id: Option<i64>,
    /// Whether the project is archived and so accepts no new hours.
    pub archived: bool,
    /// Rate per hour, excluding VAT.
    pub hourly_rate: Option<Cents>,
    /// Budget, in hours.
    pub budget_hours: Option<Hours>,
    /// Total hours of the project's time entries.
    pub hours_logged: Hours,
    /// Part of the logged hours that has been invoiced.
    pub hours_invoiced: Hours,
    /// Creation time.
    pub created_at: Timestamp,
    /// Time of the last change to the project itself; recording hours does not change it.
    pub updated_at: Timestamp,
}

record! {
    "projects": Project {
        "id": id,
        "external_id": external_id,
        "name": name,
        "contact_id": contact_id,
        "status": archived with archived,
        "hourly_rate": hourly_rate,
        "budget_hours": budget_hours,
        "hours_logged": hours_logged,
        "hours_invoiced": hours_invoiced,
        "created_at": created_at,
        "updated_at": updated_at,
    }
}
table_functions!(Project: by_id, by_external_id);

/// Stores a new project.
pub fn insert(tx: &mut Tx<'_>, account: i64, project: &Project) -> Result<(), StoreError> {
    tx.record(ResourceKind::Project, project.id, Event::Created);
    table::insert(tx, account, project)
}

/// Stores a changed project, including the totals of hours in `project`.
pub fn update(tx: &mut Tx<'_>, account: i64, project: &Project) -> Result<(), StoreError> {
    tx.record(ResourceKind::Project, project.id, Event::Updated);
    table::update(tx, account, project)
}

/// Adds to a project's total hours and invoiced hours; either number may be negative.
pub fn add_hours(
    tx: &mut Tx<'_>,
    account: i64,
    id: i64,
    hours: Hours,
    invoiced: Hours,
) -> Result<(), StoreError> {
    tx.execute(
        "UPDATE projects SET hours_logged = hours_logged + ?3, hours_invoiced = hours_invoiced + ?4
         WHERE account_id = ?1 AND id = ?2",
        &params![account, id, hours.get(), invoiced.get()],
    )
}

/// Assigns the projects of one contact to another contact.
pub fn move_to(
    tx: &mut Tx<'_>,
    account: i64,
    from: i64,
    into: i64,
    now: Timestamp,
) -> Result<(), StoreError> {
    let moved = "SELECT id FROM projects WHERE account_id = ?1 AND contact_id = ?2 ORDER BY id";
    for id in tx.query(moved, &params![account, from], |row| row.int(0))? {
        tx.record(ResourceKind::Project, id, Event::Updated);
    }
    let sql = "UPDATE projects SET contact_id = ?3, updated_at = ?4 WHERE account_id = ?1 AND contact_id = ?2";
    tx.execute(sql, &params![account, from, into, now])
}

/// Filter for projects.
#[derive(Debug, Clone, Default)]
pub struct ProjectFilter {
    /// Only the project with this external id.
    pub external_id: Option<String>,
    /// Only projects for this contact.
    pub contact_id: Option<i64>,
    /// `true` for archived projects only, `false` for other projects only.
    pub archived: Option<bool>,
    /// Only projects that changed in this period.
    pub updated: Option<Updated>,
}

impl ProjectFilter {
    fn of(&self, account: i64) -> Filter<'_> {
        let mut filter = Filter::of(account);
        filter.given("external_id =", self.external_id.as_ref());
        filter.given("contact_id =", self.contact_id);
        filter.given("status =", self.archived.map(status));
        filter.updated(self.updated);
        filter
    }
}

/// Projects with an id above `after`, ordered by id.
pub fn list(
    tx: &mut Tx<'_>,
    account: i64,
    filter: &ProjectFilter,
    after: i64,
    limit: i64,
) -> Result<Vec<Project>, StoreError> {
    let mut filter = filter.of(account);
    filter.with("id >", after);
    table::first(tx, filter, "id", limit)
}

/// A project in a list.
#[derive(Debug, Clone)]
pub struct ProjectRow {
    /// The project.
    pub project: Project,
    /// The customer's name.
    pub customer: Option<String>,
}

/// Projects ordered by name, with the names of their customers; at most `limit`.
pub fn by_name(
    tx: &mut Tx<'_>,
    account: i64,
    filter: &ProjectFilter,
    limit: i64,
) -> Result<Vec<ProjectRow>, StoreError> {
    let projects: Vec<Project> = table::first(tx, filter.of(account), "LOWER(name), id", limit)?;
    let mut names: std::collections::HashMap<i64, Option<String>> =
        std::collections::HashMap::new();
    let mut rows = Vec::with_capacity(projects.len());
    for project in projects {
        let customer = match project.contact_id {
            None => None,
            Some(contact) => match names.get(&contact) {
                Some(name) => name.clone(),
                None => {
                    let sql = "SELECT name FROM contacts WHERE account_id = ?1 AND id = ?2";
                    let name = tx.query_opt(sql, &params![account, contact], |row| row.text(0))?;
                    names.insert(contact, name.clone());
                    name
                }
            },
        };
        rows.push(ProjectRow { project, customer });
    }
    Ok(rows)
}
