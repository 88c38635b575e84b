//! Year-end steps: their bookings, and the documents whose revenue or costs may belong to another
//! year.

use crate::{
    StoreError, Tx,
    engine::{
        record::{Record, columns_by_name, record},
        table::table_functions,
    },
    params,
};
use jiff::{Timestamp, civil::Date};
use ledger::{closing_step::ClosingStep, cut_off::Days, hours::Hours, money::Cents};

/// Booking made by a year-end step.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClosingBooking {
    /// Unique within the account.
    pub id: i64,
    /// Year that the step closes.
    pub year: i16,
    /// The step.
    pub step: ClosingStep,
    /// Key of the booked row within the step.
    pub row_key: String,
    /// Event that was booked.
    pub event_id: Option<i64>,
    /// Asset that was depreciated.
    pub asset_id: Option<i64>,
    /// Depreciation entry for the asset.
    pub entry_id: Option<i64>,
    /// Amount that was booked for the row.
    pub amount: Cents,
    /// Time of recording.
    pub recorded_at: Timestamp,
    /// Time at which the step was undone.
    pub undone_at: Option<Timestamp>,
}

columns_by_name!(ClosingStep);
record! {
    "closing_bookings": ClosingBooking {
        "id": id,
        "year": year,
        "step": step,
        "row_key": row_key,
        "event_id": event_id,
        "asset_id": asset_id,
        "entry_id": entry_id,
        "amount": amount,
        "recorded_at": recorded_at,
        "undone_at": undone_at,
    }
}
table_functions!(ClosingBooking: insert, update);

/// Highest id of a booking; 0 if there are none.
pub fn last_id(tx: &mut Tx<'_>, account: i64) -> Result<i64, StoreError> {
    let sql = "SELECT MAX(id) FROM closing_bookings WHERE account_id = ?1";
    Ok(tx.query_one(sql, &params![account], |row| row.opt_int(0))?.unwrap_or(0))
}

/// Bookings by the steps of a year that are in force, oldest first: neither the step nor the event
/// or entry has been undone.
pub fn in_force(
    tx: &mut Tx<'_>,
    account: i64,
    year: i16,
) -> Result<Vec<ClosingBooking>, StoreError> {
    let sql = format!(
        "SELECT {} FROM closing_bookings b WHERE b.account_id = ?1 AND b.year = ?2 AND b.undone_at IS NULL
         AND NOT EXISTS (SELECT 1 FROM events v WHERE v.account_id = ?1 AND v.id = b.event_id AND v.undone_at IS NOT NULL)
         AND NOT EXISTS (SELECT 1 FROM entries n WHERE n.account_id = ?1 AND n.reverses_entry_id = b.entry_id)
         ORDER BY b.id",
        crate::engine::record::of("b", ClosingBooking::COLUMNS)
    );
    tx.query(&sql, &params![account, i64::from(year)], ClosingBooking::read)
}

/// Replaces the depreciation entry that a step booked by its new booking: id and amount.
pub fn rebooked(
    tx: &mut Tx<'_>,
    account: i64,
    entry: i64,
    (by, amount): (i64, Cents),
) -> Result<(), StoreError> {
    tx.execute(
        "UPDATE closing_bookings SET entry_id = ?3, amount = ?4 WHERE account_id = ?1 AND entry_id = ?2",
        &params![account, entry, by, amount.get()],
    )
}

/// Ids of the invoices supplied at least partly in a year, and dated after it. Excludes invoices
/// for hours.
pub fn invoiced_later(
    tx: &mut Tx<'_>,
    account: i64,
    (first, last): Days,
) -> Result<Vec<i64>, StoreError> {
    tx.query(
        "SELECT i.id FROM invoices i WHERE i.account_id = ?1 AND i.kind = 'invoice' AND i.status <> 'cancelled'
         AND i.source <> 'opening' AND i.invoice_date > ?3 AND i.supply_date <= ?3
         AND COALESCE(i.supply_until, i.supply_date) >= ?2
         AND NOT EXISTS (SELECT 1 FROM time_entries t WHERE t.account_id = ?1 AND t.invoice_id = i.id)
         ORDER BY i.id",
        &params![account, first, last],
        |row| row.int(0),
    )
}

/// Ids of the credit notes on an invoice.
pub fn credit_notes_on(
    tx: &mut Tx<'_>,
    account: i64,
    invoice: i64,
) -> Result<Vec<i64>, StoreError> {
    tx.query(
        "SELECT id FROM invoices WHERE account_id = ?1 AND credited_invoice_id = ?2 AND status <> 'cancelled' ORDER BY id",
        &params![account, invoice],
        |row| row.int(0),
    )
}

/// Hours of a project that were not invoiced by the end of a year: those that are still not on an
/// invoice, or those on one later invoice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OpenHours {
    /// The project.
    pub project: i64,
    /// Id and date of the later invoice; `None` for hours that are not on an invoice.
    pub invoice: Option<(i64, Date)>,
    /// Hours worked up to the end of the year.
    pub before: Hours,
    /// All hours, including those worked after the year.
    pub total: Hours,
}

/// Hours up to and including `last` that are not on an invoice, or on an invoice dated later; by
/// project and invoice.
pub fn hours_not_invoiced(
    tx: &mut Tx<'_>,
    account: i64,
    last: Date,
) -> Result<Vec<OpenHours>, StoreError> {
    let rows = tx.query(
        "SELECT t.project_id, t.invoice_id, i.invoice_date,
           CAST(SUM(CASE WHEN t.date <= ?2 THEN t.hours ELSE 0 END) AS BIGINT), CAST(SUM(t.hours) AS BIGINT)
         FROM time_entries t LEFT JOIN invoices i ON i.account_id = ?1 AND i.id = t.invoice_id
         WHERE t.account_id = ?1 AND (t.invoice_id IS NULL OR i.invoice_date > ?2)
         GROUP BY t.project_id, t.invoice_id, i.invoice_date ORDER BY t.project_id, i.invoice_date, t.invoice_id",
        &params![account, last],
        |row| {
            Ok(OpenHours {
                project: row.int(0)?,
                invoice: row.opt_int(1)?.zip(row.opt_date(2)?),
                before: Hours::new(row.int(3)?),
                total: Hours::new(row.int(4)?),
            })
        },
    )?;
    Ok(rows.into_iter().filter(|row| row.before > Hours::new(0)).collect())
}

/// Ids of the expenses with a period that extends beyond the year of the document: documents dated
/// up to the end of a year with days after it, and documents dated later with days in the year.
/// Excludes purchases of assets, and undone expenses.
pub fn spread_expenses(
    tx: &mut Tx<'_>,
    account: i64,
    (first, last): Days,
) -> Result<Vec<i64>, StoreError> {
    tx.query(
        "SELECT id FROM expenses WHERE account_id = ?1 AND period_until IS NOT NULL AND undone_at IS NULL AND asset_id IS NULL
         AND ((date <= ?3 AND period_until > ?3) OR (date > ?3 AND period_from <= ?3 AND period_until >= ?2))
         ORDER BY id",
        &params![account, first, last],
        |row| row.int(0),
    )
}
