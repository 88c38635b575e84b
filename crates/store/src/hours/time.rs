//! Hours: time entries on projects, the hours log beside them, and the sums per day.

use crate::{
    StoreError, Tx, Updated,
    changes::{Event, ResourceKind},
    engine::{
        filter::Filter,
        record::{self, Record, record},
    },
    params,
};
use jiff::{Timestamp, civil::Date};
use ledger::hours::Hours;
use std::collections::BTreeMap;

/// Hours on a project, as stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TimeEntry {
    /// Unique inside the account.
    pub id: i64,
    /// The caller's own identifier.
    pub external_id: Option<String>,
    /// The project.
    pub project_id: i64,
    /// The day of the work.
    pub date: Date,
    /// How long.
    pub hours: Hours,
    /// What was done.
    pub description: String,
    /// When it was recorded.
    pub created_at: Timestamp,
    /// When it last changed.
    pub updated_at: Timestamp,
    /// The invoice that they are on.
    pub invoice_id: Option<i64>,
}

/// Hours beside projects, as stored; they count for the hours criterion.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LoggedHours {
    /// Unique inside the account.
    pub id: i64,
    /// The caller's own identifier.
    pub external_id: Option<String>,
    /// The day of the work.
    pub date: Date,
    /// How long.
    pub hours: Hours,
    /// What was done.
    pub description: String,
    /// What kind of work it was.
    pub category: String,
    /// When it was recorded.
    pub created_at: Timestamp,
    /// When it last changed.
    pub updated_at: Timestamp,
}

record! {
    TimeEntry {
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
    LoggedHours {
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

/// The hours of a day.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct DayHours {
    /// On projects.
    pub project: Hours,
    /// In the hours log.
    pub logged: Hours,
}

/// Stores a new time entry.
pub fn insert_entry(tx: &mut Tx<'_>, account: i64, entry: &TimeEntry) -> Result<(), StoreError> {
    tx.record(ResourceKind::TimeEntry, entry.id, Event::Created);
    record::insert(tx, "time_entries", TimeEntry::COLUMNS, &entry.values(account))
}

/// Stores what has become of a time entry.
pub fn update_entry(tx: &mut Tx<'_>, account: i64, entry: &TimeEntry) -> Result<(), StoreError> {
    tx.record(ResourceKind::TimeEntry, entry.id, Event::Updated);
    record::update(tx, "time_entries", TimeEntry::COLUMNS, &entry.values(account))
}

/// Takes a time entry away.
pub fn delete_entry(tx: &mut Tx<'_>, account: i64, id: i64) -> Result<(), StoreError> {
    tx.record(ResourceKind::TimeEntry, id, Event::Deleted);
    tx.execute("DELETE FROM time_entries WHERE account_id = ?1 AND id = ?2", &params![account, id])
}

/// Stores what has become of hours in the log.
pub fn update_logged(tx: &mut Tx<'_>, account: i64, logged: &LoggedHours) -> Result<(), StoreError> {
    tx.record(ResourceKind::HoursLog, logged.id, Event::Updated);
    record::update(tx, "hours_log", LoggedHours::COLUMNS, &logged.values(account))
}

/// Takes hours out of the log.
pub fn delete_logged(tx: &mut Tx<'_>, account: i64, id: i64) -> Result<(), StoreError> {
    tx.record(ResourceKind::HoursLog, id, Event::Deleted);
    tx.execute("DELETE FROM hours_log WHERE account_id = ?1 AND id = ?2", &params![account, id])
}

/// Stores hours in the hours log.
pub fn insert_logged(tx: &mut Tx<'_>, account: i64, logged: &LoggedHours) -> Result<(), StoreError> {
    tx.record(ResourceKind::HoursLog, logged.id, Event::Created);
    record::insert(tx, "hours_log", LoggedHours::COLUMNS, &logged.values(account))
}

/// The time entry with that external id.
pub fn entry_by_external_id(tx: &mut Tx<'_>, account: i64, external_id: &str) -> Result<Option<TimeEntry>, StoreError> {
    tx.query_opt(
        &format!("SELECT {} FROM time_entries WHERE account_id = ?1 AND external_id = ?2", TimeEntry::COLUMNS),
        &params![account, external_id],
        TimeEntry::read,
    )
}

/// The hours in the log with that external id.
pub fn logged_by_external_id(tx: &mut Tx<'_>, account: i64, external_id: &str) -> Result<Option<LoggedHours>, StoreError> {
    tx.query_opt(
        &format!("SELECT {} FROM hours_log WHERE account_id = ?1 AND external_id = ?2", LoggedHours::COLUMNS),
        &params![account, external_id],
        LoggedHours::read,
    )
}

/// The time entry with that id.
pub fn entry_by_id(tx: &mut Tx<'_>, account: i64, id: i64) -> Result<Option<TimeEntry>, StoreError> {
    let sql = format!("SELECT {} FROM time_entries WHERE account_id = ?1 AND id = ?2", TimeEntry::COLUMNS);
    tx.query_opt(&sql, &params![account, id], TimeEntry::read)
}

/// The hours in the log with that id.
pub fn logged_by_id(tx: &mut Tx<'_>, account: i64, id: i64) -> Result<Option<LoggedHours>, StoreError> {
    let sql = format!("SELECT {} FROM hours_log WHERE account_id = ?1 AND id = ?2", LoggedHours::COLUMNS);
    tx.query_opt(&sql, &params![account, id], LoggedHours::read)
}

/// Which hours are meant.
#[derive(Debug, Clone, Default)]
pub struct HoursFilter {
    /// Only those with this external id.
    pub external_id: Option<String>,
    /// Only hours on this project.
    pub project_id: Option<i64>,
    /// Only from this day on.
    pub from: Option<Date>,
    /// Only up to and including this day.
    pub to: Option<Date>,
    /// Only those that are on an invoice, or only those that are not.
    pub invoiced: Option<bool>,
    /// Only those that changed at this moment or later.
    pub updated: Option<Updated>,
}

impl HoursFilter {
    /// Of the time entries.
    fn entries(&self, account: i64) -> Filter<'_> {
        let mut filter = self.logged(account);
        filter.either(self.invoiced, "invoice_id IS NOT NULL", "invoice_id IS NULL");
        filter.given("project_id =", self.project_id);
        filter
    }

    /// Of the hours in the log, which have neither a project nor an invoice.
    fn logged(&self, account: i64) -> Filter<'_> {
        let mut filter = Filter::of(account);
        filter.given("external_id =", self.external_id.as_ref());
        filter.given("date >=", self.from);
        filter.given("date <=", self.to);
        filter.updated(self.updated);
        filter
    }
}

/// Time entries in the order of their ids, from `after` on.
pub fn entries(
    tx: &mut Tx<'_>,
    account: i64,
    filter: &HoursFilter,
    after: i64,
    limit: i64,
) -> Result<Vec<TimeEntry>, StoreError> {
    let mut filter = filter.entries(account);
    filter.with("id >", after);
    let limit = filter.bind(limit);
    let sql = format!("SELECT {} FROM time_entries WHERE {filter} ORDER BY id LIMIT {limit}", TimeEntry::COLUMNS);
    tx.query(&sql, filter.values(), TimeEntry::read)
}

/// Hours in the log in the order of their ids, from `after` on; the filter's project and invoice are left aside.
pub fn logged(
    tx: &mut Tx<'_>,
    account: i64,
    filter: &HoursFilter,
    after: i64,
    limit: i64,
) -> Result<Vec<LoggedHours>, StoreError> {
    let mut filter = filter.logged(account);
    filter.with("id >", after);
    let limit = filter.bind(limit);
    let sql = format!("SELECT {} FROM hours_log WHERE {filter} ORDER BY id LIMIT {limit}", LoggedHours::COLUMNS);
    tx.query(&sql, filter.values(), LoggedHours::read)
}

/// Time entries by day, `limit` at the most.
pub fn entries_by_day(tx: &mut Tx<'_>, account: i64, filter: &HoursFilter, limit: i64) -> Result<Vec<TimeEntry>, StoreError> {
    let mut filter = filter.entries(account);
    let limit = filter.bind(limit);
    let sql = format!("SELECT {} FROM time_entries WHERE {filter} ORDER BY date, id LIMIT {limit}", TimeEntry::COLUMNS);
    tx.query(&sql, filter.values(), TimeEntry::read)
}

/// Hours in the log by day, `limit` at the most; the filter's project and invoice are left aside.
pub fn logged_by_day(tx: &mut Tx<'_>, account: i64, filter: &HoursFilter, limit: i64) -> Result<Vec<LoggedHours>, StoreError> {
    let mut filter = filter.logged(account);
    let limit = filter.bind(limit);
    let sql = format!("SELECT {} FROM hours_log WHERE {filter} ORDER BY date, id LIMIT {limit}", LoggedHours::COLUMNS);
    tx.query(&sql, filter.values(), LoggedHours::read)
}

/// Puts time entries on an invoice.
pub fn invoice_entries(tx: &mut Tx<'_>, account: i64, ids: &[i64], invoice: i64, now: Timestamp) -> Result<(), StoreError> {
    for id in ids {
        tx.record(ResourceKind::TimeEntry, *id, Event::Updated);
        tx.execute(
            "UPDATE time_entries SET invoice_id = ?3, updated_at = ?4 WHERE account_id = ?1 AND id = ?2",
            &params![account, *id, invoice, now],
        )?;
    }
    Ok(())
}

/// How many hours stand on an invoice.
pub fn hours_on(tx: &mut Tx<'_>, account: i64, invoice: i64) -> Result<Hours, StoreError> {
    let sql = "SELECT CAST(COALESCE(SUM(hours), 0) AS BIGINT) FROM time_entries WHERE account_id = ?1 AND invoice_id = ?2";
    tx.query_one(sql, &params![account, invoice], |row| Ok(Hours::new(row.int(0)?)))
}

/// Takes the hours off an invoice that is taken back, so that they can be invoiced again; their projects know it too.
pub fn free_entries(tx: &mut Tx<'_>, account: i64, invoice: i64, now: Timestamp) -> Result<(), StoreError> {
    let freed = tx.query(
        &format!("SELECT {} FROM time_entries WHERE account_id = ?1 AND invoice_id = ?2 ORDER BY id", TimeEntry::COLUMNS),
        &params![account, invoice],
        TimeEntry::read,
    )?;
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

/// The hours on each project from one day to another, by project.
pub fn by_project(tx: &mut Tx<'_>, account: i64, from: Date, to: Date) -> Result<Vec<(i64, Hours)>, StoreError> {
    tx.query(
        "SELECT project_id, CAST(SUM(hours) AS BIGINT) FROM time_entries WHERE account_id = ?1 AND date BETWEEN ?2 AND ?3
         GROUP BY project_id ORDER BY project_id",
        &params![account, from, to],
        |row| Ok((row.int(0)?, Hours::new(row.int(1)?))),
    )
}

/// The hours in the log from one day to another, by what they were for.
pub fn by_category(tx: &mut Tx<'_>, account: i64, from: Date, to: Date) -> Result<Vec<(String, Hours)>, StoreError> {
    tx.query(
        "SELECT category, CAST(SUM(hours) AS BIGINT) FROM hours_log WHERE account_id = ?1 AND date BETWEEN ?2 AND ?3
         GROUP BY category ORDER BY category",
        &params![account, from, to],
        |row| Ok((row.text(0)?, Hours::new(row.int(1)?))),
    )
}

/// The hours of each day from one to another on which there are any.
pub fn by_day(tx: &mut Tx<'_>, account: i64, from: Date, to: Date) -> Result<Vec<(Date, DayHours)>, StoreError> {
    tx.query(
        "SELECT date, project_hours, logged_hours FROM day_hours
         WHERE account_id = ?1 AND date BETWEEN ?2 AND ?3 AND project_hours + logged_hours > 0 ORDER BY date",
        &params![account, from, to],
        |row| Ok((row.date(0)?, DayHours { project: Hours::new(row.int(1)?), logged: Hours::new(row.int(2)?) })),
    )
}

/// The hours written on a day.
pub fn on_day(tx: &mut Tx<'_>, account: i64, date: Date) -> Result<DayHours, StoreError> {
    let found = tx.query_opt(
        "SELECT project_hours, logged_hours FROM day_hours WHERE account_id = ?1 AND date = ?2",
        &params![account, date],
        |row| Ok(DayHours { project: Hours::new(row.int(0)?), logged: Hours::new(row.int(1)?) }),
    )?;
    Ok(found.unwrap_or_default())
}

/// Adds to the hours of a day.
pub fn add_to_day(tx: &mut Tx<'_>, account: i64, date: Date, hours: DayHours) -> Result<(), StoreError> {
    tx.execute(
        "INSERT INTO day_hours (account_id, date, project_hours, logged_hours) VALUES (?1, ?2, ?3, ?4)
         ON CONFLICT (account_id, date) DO UPDATE SET project_hours = day_hours.project_hours + excluded.project_hours,
         logged_hours = day_hours.logged_hours + excluded.logged_hours",
        &params![account, date, hours.project.get(), hours.logged.get()],
    )
}

/// The hours written in a year.
pub fn in_year(tx: &mut Tx<'_>, account: i64, from: Date, to: Date) -> Result<DayHours, StoreError> {
    tx.query_one(
        "SELECT CAST(COALESCE(SUM(project_hours), 0) AS BIGINT), CAST(COALESCE(SUM(logged_hours), 0) AS BIGINT)
         FROM day_hours WHERE account_id = ?1 AND date BETWEEN ?2 AND ?3",
        &params![account, from, to],
        |row| Ok(DayHours { project: Hours::new(row.int(0)?), logged: Hours::new(row.int(1)?) }),
    )
}

/// Sums recomputed from the hours themselves: per day, and per project; for the verification of the books.
pub fn differences(tx: &mut Tx<'_>, account: i64) -> Result<Vec<String>, StoreError> {
    let mut found = tx.query(
        "SELECT CAST(d.date AS TEXT) FROM day_hours d WHERE d.account_id = ?1 AND (
           d.project_hours <> (SELECT COALESCE(SUM(t.hours), 0) FROM time_entries t WHERE t.account_id = ?1 AND t.date = d.date)
           OR d.logged_hours <> (SELECT COALESCE(SUM(h.hours), 0) FROM hours_log h WHERE h.account_id = ?1 AND h.date = d.date))
         ORDER BY d.date",
        &params![account],
        |row| Ok(format!("the hours of {} differ from their sum", row.text(0)?)),
    )?;
    found.extend(tx.query(
        "SELECT DISTINCT CAST(w.date AS TEXT) FROM (
           SELECT date FROM time_entries WHERE account_id = ?1 UNION ALL SELECT date FROM hours_log WHERE account_id = ?1) w
         WHERE NOT EXISTS (SELECT 1 FROM day_hours d WHERE d.account_id = ?1 AND d.date = w.date)
         ORDER BY 1",
        &params![account],
        |row| Ok(format!("the hours of {} are not in the sums", row.text(0)?)),
    )?);
    found.extend(tx.query(
        "SELECT p.id FROM projects p WHERE p.account_id = ?1 AND (p.hours_logged <>
           (SELECT COALESCE(SUM(t.hours), 0) FROM time_entries t WHERE t.account_id = ?1 AND t.project_id = p.id)
           OR p.hours_invoiced <> (SELECT COALESCE(SUM(t.hours), 0) FROM time_entries t
             WHERE t.account_id = ?1 AND t.project_id = p.id AND t.invoice_id IS NOT NULL))
         ORDER BY p.id",
        &params![account],
        |row| Ok(format!("the hours of project {} differ from their sum", row.int(0)?)),
    )?);
    found.extend(tx.query(
        "SELECT t.id FROM time_entries t WHERE t.account_id = ?1 AND t.invoice_id IS NOT NULL AND NOT EXISTS
           (SELECT 1 FROM invoices i WHERE i.account_id = ?1 AND i.id = t.invoice_id AND i.kind = 'invoice') ORDER BY t.id",
        &params![account],
        |row| Ok(format!("time entry {} is on an invoice that there is not", row.int(0)?)),
    )?);
    Ok(found)
}
