//! Time entries on projects, the hours log for other work, and the totals per day.

use crate::{
    StoreError, Tx, Updated,
    changes::{Event, ResourceKind},
    engine::{filter::Filter, record::record, table},
    params,
};
use jiff::{Timestamp, civil::Date};
use ledger::hours::Hours;
use std::collections::BTreeMap;

/// Stored time entry: hours worked on a project.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TimeEntry {
    /// Unique within the account.
    pub id: i64,
    /// The caller's own identifier.
    pub external_id: Option<String>,
    /// Id of the project.
    pub project_id: i64,
    /// Date of the work.
    pub date: Date,
    /// Duration.
    pub hours: Hours,
    /// Work done.
    pub description: String,
    /// Time of recording.
    pub created_at: Timestamp,
    /// Time of the last change.
    pub updated_at: Timestamp,
    /// Id of the invoice on which these hours are billed.
    pub invoice_id: Option<i64>,
}

/// Stored entry of the hours log: hours that belong to no project but count towards the hours
/// criterion.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LoggedHours {
    /// Unique within the account.
    pub id: i64,
    /// The caller's own identifier.
    pub external_id: Option<String>,
    /// Date of the work.
    pub date: Date,
    /// Duration.
    pub hours: Hours,
    /// Work done.
    pub description: String,
    /// Kind of work.
    pub category: String,
    /// Time of recording.
    pub created_at: Timestamp,
    /// Time of the last change.
    pub updated_at: Timestamp,
}

record! {
    "time_entries": TimeEntry {
        "id": id,
        "external_id": external_id,
        "project_id": project_id,
        "date": date,
        "hours": hours,
        "description": description,
        "created_at": created_at,
        "updated_at": updated_at,
        "invoice_id": invoice_id,
    }
}
record! {
    "hours_log": LoggedHours {
        "id": id,
        "external_id": external_id,
        "date": date,
        "hours": hours,
        "description": description,
        "category": category,
        "created_at": created_at,
        "updated_at": updated_at,
    }
}

/// Total hours on one day.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct DayHours {
    /// Hours on projects.
    pub project: Hours,
    /// Hours in the hours log.
    pub logged: Hours,
}

/// Stores a new time entry.
pub fn insert_entry(tx: &mut Tx<'_>, account: i64, entry: &TimeEntry) -> Result<(), StoreError> {
    tx.record(ResourceKind::TimeEntry, entry.id, Event::Created);
    table::insert(tx, account, entry)
}

/// Stores a changed time entry.
pub fn update_entry(tx: &mut Tx<'_>, account: i64, entry: &TimeEntry) -> Result<(), StoreError> {
    tx.record(ResourceKind::TimeEntry, entry.id, Event::Updated);
    table::update(tx, account, entry)
}

/// Deletes a time entry.
pub fn delete_entry(tx: &mut Tx<'_>, account: i64, id: i64) -> Result<(), StoreError> {
    tx.record(ResourceKind::TimeEntry, id, Event::Deleted);
    tx.execute("DELETE FROM time_entries WHERE account_id = ?1 AND id = ?2", &params![account, id])
}

/// Stores a changed entry of the hours log.
pub fn update_logged(
    tx: &mut Tx<'_>,
    account: i64,
    logged: &LoggedHours,
) -> Result<(), StoreError> {
    tx.record(ResourceKind::HoursLog, logged.id, Event::Updated);
    table::update(tx, account, logged)
}

/// Deletes an entry of the hours log.
pub fn delete_logged(tx: &mut Tx<'_>, account: i64, id: i64) -> Result<(), StoreError> {
    tx.record(ResourceKind::HoursLog, id, Event::Deleted);
    tx.execute("DELETE FROM hours_log WHERE account_id = ?1 AND id = ?2", &params![account, id])
}

/// Stores a new entry of the hours log.
pub fn insert_logged(
    tx: &mut Tx<'_>,
    account: i64,
    logged: &LoggedHours,
) -> Result<(), StoreError> {
    tx.record(ResourceKind::HoursLog, logged.id, Event::Created);
    table::insert(tx, account, logged)
}

/// Time entry with this external id.
pub fn entry_by_external_id(
    tx: &mut Tx<'_>,
    account: i64,
    external_id: &str,
) -> Result<Option<TimeEntry>, StoreError> {
    table::find(tx, account, "external_id", external_id)
}

/// Entry of the hours log with this external id.
pub fn logged_by_external_id(
    tx: &mut Tx<'_>,
    account: i64,
    external_id: &str,
) -> Result<Option<LoggedHours>, StoreError> {
    table::find(tx, account, "external_id", external_id)
}

/// Time entry with this id.
pub fn entry_by_id(
    tx: &mut Tx<'_>,
    account: i64,
    id: i64,
) -> Result<Option<TimeEntry>, StoreError> {
    table::find(tx, account, "id", id)
}

/// Entry of the hours log with this id.
pub fn logged_by_id(
    tx: &mut Tx<'_>,
    account: i64,
    id: i64,
) -> Result<Option<LoggedHours>, StoreError> {
    table::find(tx, account, "id", id)
}

/// Filter for time entries and for the hours log.
#[derive(Debug, Clone, Default)]
pub struct HoursFilter {
    /// Only the entry with this external id.
    pub external_id: Option<String>,
    /// Only hours on this project.
    pub project_id: Option<i64>,
    /// First date, inclusive.
    pub from: Option<Date>,
    /// Last date, inclusive.
    pub to: Option<Date>,
    /// `true` for invoiced hours only, `false` for other hours only.
    pub invoiced: Option<bool>,
    /// Only entries that changed in this period.
    pub updated: Option<Updated>,
}

impl HoursFilter {
    /// Conditions for time entries.
    fn entries(&self, account: i64) -> Filter<'_> {
        let mut filter = self.logged(account);
        filter.either(self.invoiced, "invoice_id IS NOT NULL", "invoice_id IS NULL");
        filter.given("project_id =", self.project_id);
        filter
    }

    /// Conditions for the hours log, whose entries have neither a project nor an invoice.
    fn logged(&self, account: i64) -> Filter<'_> {
        let mut filter = Filter::of(account);
        filter.given("external_id =", self.external_id.as_ref());
        filter.given("date >=", self.from);
        filter.given("date <=", self.to);
        filter.updated(self.updated);
        filter
    }
}

/// Time entries with an id above `after`, ordered by id.
pub fn entries(
    tx: &mut Tx<'_>,
    account: i64,
    filter: &HoursFilter,
    after: i64,
    limit: i64,
) -> Result<Vec<TimeEntry>, StoreError> {
    let mut filter = filter.entries(account);
    filter.with("id >", after);
    table::first(tx, filter, "id", limit)
}

/// Entries of the hours log with an id above `after`, ordered by id; ignores the filter's project
/// and invoice.
pub fn logged(
    tx: &mut Tx<'_>,
    account: i64,
    filter: &HoursFilter,
    after: i64,
    limit: i64,
) -> Result<Vec<LoggedHours>, StoreError> {
    let mut filter = filter.logged(account);
    filter.with("id >", after);
    table::first(tx, filter, "id", limit)
}

/// Time entries ordered by date, at most `limit`.
pub fn entries_by_day(
    tx: &mut Tx<'_>,
    account: i64,
    filter: &HoursFilter,
    limit: i64,
) -> Result<Vec<TimeEntry>, StoreError> {
    table::first(tx, filter.entries(account), "date, id", limit)
}

/// Entries of the hours log ordered by date, at most `limit`; ignores the filter's project and
/// invoice.
pub fn logged_by_day(
    tx: &mut Tx<'_>,
    account: i64,
    filter: &HoursFilter,
    limit: i64,
) -> Result<Vec<LoggedHours>, StoreError> {
    table::first(tx, filter.logged(account), "date, id", limit)
}

/// Marks time entries as billed on an invoice.
pub fn invoice_entries(
    tx: &mut Tx<'_>,
    account: i64,
    ids: &[i64],
    invoice: i64,
    now: Timestamp,
) -> Result<(), StoreError> {
    for id in ids {
        tx.record(ResourceKind::TimeEntry, *id, Event::Updated);
        tx.execute(
            "UPDATE time_entries SET invoice_id = ?3, updated_at = ?4 WHERE account_id = ?1 AND id = ?2",
            &params![account, *id, invoice, now],
        )?;
    }
    Ok(())
}

/// Total hours on an invoice.
pub fn hours_on(tx: &mut Tx<'_>, account: i64, invoice: i64) -> Result<Hours, StoreError> {
    let sql = "SELECT CAST(COALESCE(SUM(hours), 0) AS BIGINT) FROM time_entries WHERE account_id = ?1 AND invoice_id = ?2";
    tx.query_one(sql, &params![account, invoice], |row| Ok(Hours::new(row.int(0)?)))
}

/// Dates of the hours on an invoice.
pub fn days_on(tx: &mut Tx<'_>, account: i64, invoice: i64) -> Result<Vec<Date>, StoreError> {
    let sql = "SELECT DISTINCT date FROM time_entries WHERE account_id = ?1 AND invoice_id = ?2 ORDER BY date";
    tx.query(sql, &params![account, invoice], |row| row.date(0))
}

/// Removes the hours from an invoice that is being undone, so that they can be invoiced again, and
/// reduces the invoiced hours of their projects.
pub fn free_entries(
    tx: &mut Tx<'_>,
    account: i64,
    invoice: i64,
    now: Timestamp,
) -> Result<(), StoreError> {
    let freed: Vec<TimeEntry> = table::all(tx, account, "invoice_id", invoice)?;
    if freed.is_empty() {
        return Ok(());
    }
    let mut sums: BTreeMap<i64, Hours> = BTreeMap::new();
    for entry in freed {
        tx.record(ResourceKind::TimeEntry, entry.id, Event::Updated);
        *sums.entry(entry.project_id).or_default() += entry.hours;
    }
    for (project, hours) in sums {
        crate::projects::add_hours(tx, account, project, Hours::new(0), -hours)?;
    }
    tx.execute(
        "UPDATE time_entries SET invoice_id = NULL, updated_at = ?3 WHERE account_id = ?1 AND invoice_id = ?2",
        &params![account, invoice, now],
    )
}

/// Hours per project from one date to another, ordered by project.
pub fn by_project(
    tx: &mut Tx<'_>,
    account: i64,
    from: Date,
    to: Date,
) -> Result<Vec<(i64, Hours)>, StoreError> {
    tx.query(
        "SELECT project_id, CAST(SUM(hours) AS BIGINT) FROM time_entries WHERE account_id = ?1 AND date BETWEEN ?2 AND ?3
         GROUP BY project_id ORDER BY project_id",
        &params![account, from, to],
        |row| Ok((row.int(0)?, Hours::new(row.int(1)?))),
    )
}

/// Hours in the hours log per category, from one date to another.
pub fn by_category(
    tx: &mut Tx<'_>,
    account: i64,
    from: Date,
    to: Date,
) -> Result<Vec<(String, Hours)>, StoreError> {
    tx.query(
        "SELECT category, CAST(SUM(hours) AS BIGINT) FROM hours_log WHERE account_id = ?1 AND date BETWEEN ?2 AND ?3
         GROUP BY category ORDER BY category",
        &params![account, from, to],
        |row| Ok((row.text(0)?, Hours::new(row.int(1)?))),
    )
}

/// Hours per day from one date to another, omitting days without hours.
pub fn by_day(
    tx: &mut Tx<'_>,
    account: i64,
    from: Date,
    to: Date,
) -> Result<Vec<(Date, DayHours)>, StoreError> {
    tx.query(
        "SELECT date, project_hours, logged_hours FROM day_hours
         WHERE account_id = ?1 AND date BETWEEN ?2 AND ?3 AND project_hours + logged_hours > 0 ORDER BY date",
        &params![account, from, to],
        |row| Ok((row.date(0)?, DayHours { project: Hours::new(row.int(1)?), logged: Hours::new(row.int(2)?) })),
    )
}

/// Total hours on the given day.
pub fn on_day(tx: &mut Tx<'_>, account: i64, date: Date) -> Result<DayHours, StoreError> {
    let hours = tx.query_opt(
        "SELECT project_hours, logged_hours FROM day_hours WHERE account_id = ?1 AND date = ?2",
        &params![account, date],
        |row| Ok(DayHours { project: Hours::new(row.int(0)?), logged: Hours::new(row.int(1)?) }),
    )?;
    Ok(hours.unwrap_or_default())
}

/// Adds to the total hours on a day.
pub fn add_to_day(
    tx: &mut Tx<'_>,
    account: i64,
    date: Date,
    hours: DayHours,
) -> Result<(), StoreError> {
    tx.execute(
        "INSERT INTO day_hours (account_id, date, project_hours, logged_hours) VALUES (?1, ?2, ?3, ?4)
         ON CONFLICT (account_id, date) DO UPDATE SET project_hours = day_hours.project_hours + excluded.project_hours,
         logged_hours = day_hours.logged_hours + excluded.logged_hours",
        &params![account, date, hours.project.get(), hours.logged.get()],
    )
}

/// Total hours from one date to another.
pub fn in_year(
    tx: &mut Tx<'_>,
    account: i64,
    from: Date,
    to: Date,
) -> Result<DayHours, StoreError> {
    tx.query_one(
        "SELECT CAST(COALESCE(SUM(project_hours), 0) AS BIGINT), CAST(COALESCE(SUM(logged_hours), 0) AS BIGINT)
         FROM day_hours WHERE account_id = ?1 AND date BETWEEN ?2 AND ?3",
        &params![account, from, to],
        |row| Ok(DayHours { project: Hours::new(row.int(0)?), logged: Hours::new(row.int(1)?) }),
    )
}

/// Descriptions of stored totals (per day and per project) that differ from the recomputed totals.
/// Used by the verification of the books.
pub fn differences(tx: &mut Tx<'_>, account: i64) -> Result<Vec<String>, StoreError> {
    let mut differences = tx.query(
        "SELECT CAST(d.date AS TEXT) FROM day_hours d WHERE d.account_id = ?1 AND (
           d.project_hours <> (SELECT COALESCE(SUM(t.hours), 0) FROM time_entries t WHERE t.account_id = ?1 AND t.date = d.date)
           OR d.logged_hours <> (SELECT COALESCE(SUM(h.hours), 0) FROM hours_log h WHERE h.account_id = ?1 AND h.date = d.date))
         ORDER BY d.date",
        &params![account],
        |row| Ok(format!("the hours of {} differ from their sum", row.text(0)?)),
    )?;
    differences.extend(tx.query(
        "SELECT DISTINCT CAST(w.date AS TEXT) FROM (
           SELECT date FROM time_entries WHERE account_id = ?1 UNION ALL SELECT date FROM hours_log WHERE account_id = ?1) w
         WHERE NOT EXISTS (SELECT 1 FROM day_hours d WHERE d.account_id = ?1 AND d.date = w.date)
         ORDER BY 1",
        &params![account],
        |row| Ok(format!("the hours of {} are not in the sums", row.text(0)?)),
    )?);
    differences.extend(tx.query(
        "SELECT p.id FROM projects p WHERE p.account_id = ?1 AND (p.hours_logged <>
           (SELECT COALESCE(SUM(t.hours), 0) FROM time_entries t WHERE t.account_id = ?1 AND t.project_id = p.id)
           OR p.hours_invoiced <> (SELECT COALESCE(SUM(t.hours), 0) FROM time_entries t
             WHERE t.account_id = ?1 AND t.project_id = p.id AND t.invoice_id IS NOT NULL))
         ORDER BY p.id",
        &params![account],
        |row| Ok(format!("the hours of project {} differ from their sum", row.int(0)?)),
    )?);
    differences.extend(tx.query(
        "SELECT t.id FROM time_entries t WHERE t.account_id = ?1 AND t.invoice_id IS NOT NULL AND NOT EXISTS
           (SELECT 1 FROM invoices i WHERE i.account_id = ?1 AND i.id = t.invoice_id AND i.kind = 'invoice') ORDER BY t.id",
        &params![account],
        |row| Ok(format!("time entry {} is on an invoice that does not exist", row.int(0)?)),
    )?);
    Ok(differences)
}
