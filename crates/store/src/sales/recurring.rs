//! Recurring invoices with their lines and occurrences.

use crate::{
    Page, StoreError, Tx, Updated,
    changes::{Event, ResourceKind},
    contacts::{Party, customer_columns},
    engine::{
        checksum,
        filter::Filter,
        record::{self, Column as _, Record, columns_by_name, record},
        table,
    },
    invoices::{Origin, Particulars, insert_lines_into, lines_from, particulars_columns},
    param::Param,
    params,
};
use jiff::{Timestamp, civil::Date};
use ledger::{
    invoice::{Line, Prices},
    language::Language,
    money::Cents,
    schedule::{
        Deliver, OccurrenceStatus, PausedBecause, RecurringStatus, Rhythm, RhythmUnit, Schedule,
        SupplyPeriod,
    },
};
use std::collections::HashMap;

columns_by_name!(
    RecurringStatus,
    PausedBecause,
    OccurrenceStatus,
    RhythmUnit,
    Deliver,
    SupplyPeriod
);

/// Stored recurring invoice.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Recurring {
    /// Unique within the account.
    pub id: i64,
    /// The caller's own identifier.
    pub external_id: Option<String>,
    /// State.
    pub status: RecurringStatus,
    /// Reason for the pause.
    pub paused_because: Option<PausedBecause>,
    /// Code of the refusal because of which it is paused.
    pub cause: Option<String>,
    /// Id of the customer's contact.
    pub contact_id: i64,
    /// Customer details with which the lines were priced.
    pub customer: Party,
    /// Whether these details differ from those of the contact, whose later changes then do not
    /// count.
    pub own_details: bool,
    /// Reference printed on the invoices.
    pub reference: Option<String>,
    /// Notes printed on the invoices.
    pub notes: Option<String>,
    /// Discount on all lines, and numbers of the customer.
    pub particulars: Particulars,
    /// Language of the invoices, if it is not that of the customer or the account.
    pub language: Option<Language>,
    /// Day for which the lines were priced.
    pub priced_on: Date,
    /// Total excluding VAT.
    pub subtotal: Cents,
    /// VAT.
    pub vat_total: Cents,
    /// Total including VAT.
    pub total: Cents,
    /// Whether the unit prices include VAT.
    pub prices_include_vat: bool,
    /// Payment term of its invoices, in days.
    pub payment_term_days: Option<i64>,
    /// Unit of the rhythm.
    pub every_unit: RhythmUnit,
    /// Number of units from one occurrence to the next.
    pub every_count: i64,
    /// Whether every occurrence is on the last day of its month.
    pub last_day_of_month: bool,
    /// Day from which all occurrences follow.
    pub first_date: Date,
    /// Number of the occurrence on that day.
    pub first_number: i64,
    /// Last day on which there can be an occurrence.
    pub last_date: Option<Date>,
    /// Number of the last occurrence.
    pub occurrence_count: Option<i64>,
    /// Result of making an invoice.
    pub deliver: Deliver,
    /// Period of supply.
    pub supply_period: SupplyPeriod,
    /// Number of the next planned occurrence.
    pub next_number: i64,
    /// Day of the next planned occurrence; `None` if there is none.
    pub next_date: Option<Date>,
    /// Emails that did not reach the customer since the last resumption.
    pub bounces: i64,
    /// Day on which the owner was informed that its emails wait for a limit.
    pub postponed_on: Option<Date>,
    /// Origin.
    pub source: Origin,
    /// Creation time.
    pub created_at: Timestamp,
    /// Time of the last change.
    pub updated_at: Timestamp,
    /// Lines, which have a table of their own.
    pub content: RecurringContent,
}

/// Lines of a recurring invoice.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RecurringContent {
    /// Lines with their amounts, in order.
    pub lines: Vec<(Line, Cents)>,
}

record! {
    "recurring_invoices": Recurring {
        "id": id,
        "external_id": external_id,
        "status": status,
        "paused_because": paused_because,
        "cause": cause,
        "contact_id": contact_id,
        customer_columns!(): customer,
        "own_details": own_details,
        "reference": reference,
        "notes": notes,
        particulars_columns!(): particulars,
        "language": language,
        "priced_on": priced_on,
        "subtotal": subtotal,
        "vat_total": vat_total,
        "total": total,
        "prices_include_vat": prices_include_vat,
        "payment_term_days": payment_term_days,
        "every_unit": every_unit,
        "every_count": every_count,
        "last_day_of_month": last_day_of_month,
        "first_date": first_date,
        "first_number": first_number,
        "last_date": last_date,
        "occurrence_count": occurrence_count,
        "deliver": deliver,
        "supply_period": supply_period,
        "next_number": next_number,
        "next_date": next_date,
        "bounces": bounces,
        "postponed_on": postponed_on,
        "source": source,
        "created_at": created_at,
        "updated_at": updated_at,
        .. content
    }
}

impl Recurring {
    /// Kind of unit prices: gross (with VAT) or net.
    #[must_use]
    pub fn prices(&self) -> Prices {
        if self.prices_include_vat { Prices::Gross } else { Prices::Net }
    }

    /// Rhythm.
    #[must_use]
    pub fn rhythm(&self) -> Rhythm {
        Rhythm {
            unit: self.every_unit,
            count: self.every_count,
            last_day_of_month: self.last_day_of_month,
        }
    }

    /// Schedule.
    #[must_use]
    pub fn schedule(&self) -> Schedule {
        Schedule {
            rhythm: self.rhythm(),
            first_date: self.first_date,
            first_number: self.first_number,
            last_date: self.last_date,
            count: self.occurrence_count,
        }
    }
}

const ITEMS: (&str, &str) = ("recurring_items", "recurring_id");

fn checksum(recurring: &Recurring) -> [u8; 32] {
    let mut values = recurring.own_values();
    for (line, amount) in &recurring.content.lines {
        line.put(&mut values);
        amount.put(&mut values);
    }
    checksum::of(&values)
}

fn checked_columns() -> String {
    format!("{}, checksum", Recurring::COLUMNS)
}

fn checked_values(account: i64, recurring: &Recurring) -> Vec<Param<'_>> {
    let mut values = recurring.values(account);
    values.push(Param::Bytes(checksum(recurring).to_vec().into()));
    values
}

fn insert_lines(tx: &mut Tx<'_>, account: i64, recurring: &Recurring) -> Result<(), StoreError> {
    let (lines, amounts): (Vec<Line>, Vec<Cents>) = recurring.content.lines.iter().cloned().unzip();
    insert_lines_into(tx, ITEMS, (account, recurring.id), &lines, &amounts)
}

/// Stores a new recurring invoice.
///
/// # Errors
/// The storage failed.
pub fn insert(tx: &mut Tx<'_>, account: i64, recurring: &Recurring) -> Result<(), StoreError> {
    let values = checked_values(account, recurring);
    record::insert(tx, "recurring_invoices", &checked_columns(), &values)?;
    insert_lines(tx, account, recurring)?;
    tx.record(ResourceKind::RecurringInvoice, recurring.id, Event::Created);
    Ok(())
}

/// Stores a changed recurring invoice with its lines.
///
/// # Errors
/// The storage failed.
pub fn update(tx: &mut Tx<'_>, account: i64, recurring: &Recurring) -> Result<(), StoreError> {
    let values = checked_values(account, recurring);
    record::update(tx, "recurring_invoices", &checked_columns(), &values)?;
    tx.execute(
        "DELETE FROM recurring_items WHERE account_id = ?1 AND recurring_id = ?2",
        &params![account, recurring.id],
    )?;
    insert_lines(tx, account, recurring)?;
    tx.record(ResourceKind::RecurringInvoice, recurring.id, Event::Updated);
    Ok(())
}

fn with_lines(
    tx: &mut Tx<'_>,
    account: i64,
    mut recurring: Recurring,
) -> Result<Recurring, StoreError> {
    recurring.content.lines = lines_from(tx, ITEMS, (account, recurring.id))?;
    Ok(recurring)
}

fn all_with_lines(
    tx: &mut Tx<'_>,
    account: i64,
    all: Vec<Recurring>,
) -> Result<Vec<Recurring>, StoreError> {
    all.into_iter().map(|recurring| with_lines(tx, account, recurring)).collect()
}

/// Recurring invoice with this id.
///
/// # Errors
/// The storage failed.
pub fn by_id(tx: &mut Tx<'_>, account: i64, id: i64) -> Result<Option<Recurring>, StoreError> {
    match table::find(tx, account, "id", id)? {
        Some(recurring) => with_lines(tx, account, recurring).map(Some),
        None => Ok(None),
    }
}

/// Recurring invoice with this external id.
///
/// # Errors
/// The storage failed.
pub fn by_external_id(
    tx: &mut Tx<'_>,
    account: i64,
    external_id: &str,
) -> Result<Option<Recurring>, StoreError> {
    match table::find(tx, account, "external_id", external_id)? {
        Some(recurring) => with_lines(tx, account, recurring).map(Some),
        None => Ok(None),
    }
}

/// Assigns the recurring invoices of one contact to another contact.
///
/// # Errors
/// The storage failed.
pub fn move_to(
    tx: &mut Tx<'_>,
    account: i64,
    from: i64,
    into: i64,
    now: Timestamp,
) -> Result<(), StoreError> {
    let moved = table::all::<Recurring>(tx, account, "contact_id", from)?;
    for recurring in all_with_lines(tx, account, moved)? {
        let recurring = Recurring { contact_id: into, updated_at: now, ..recurring };
        update(tx, account, &recurring)?;
    }
    Ok(())
}

/// Records that the recurring invoices of a contact changed with its details, except those with
/// details of their own.
///
/// # Errors
/// The storage failed.
pub fn contact_changed(
    tx: &mut Tx<'_>,
    account: i64,
    contact: i64,
    now: Timestamp,
) -> Result<(), StoreError> {
    let of_contact = table::all::<Recurring>(tx, account, "contact_id", contact)?;
    let followers = of_contact.into_iter().filter(|recurring| !recurring.own_details).collect();
    for recurring in all_with_lines(tx, account, followers)? {
        update(tx, account, &Recurring { updated_at: now, ..recurring })?;
    }
    Ok(())
}

/// Number of the active recurring invoices.
///
/// # Errors
/// The storage failed.
pub fn count_active(tx: &mut Tx<'_>, account: i64) -> Result<i64, StoreError> {
    let sql = "SELECT COUNT(*) FROM recurring_invoices WHERE account_id = ?1 AND status = 'active'";
    tx.query_one(sql, &params![account], |row| row.int(0))
}

/// Day of the next occurrence of all active recurring invoices.
///
/// # Errors
/// The storage failed.
pub fn next_date(tx: &mut Tx<'_>, account: i64) -> Result<Option<Date>, StoreError> {
    let sql =
        "SELECT MIN(next_date) FROM recurring_invoices WHERE account_id = ?1 AND status = 'active'";
    tx.query_one(sql, &params![account], |row| row.opt_date(0))
}

/// Last day on which the owner was informed that emails wait for a limit.
///
/// # Errors
/// The storage failed.
pub fn last_postponed(tx: &mut Tx<'_>, account: i64) -> Result<Option<Date>, StoreError> {
    let sql = "SELECT MAX(postponed_on) FROM recurring_invoices WHERE account_id = ?1";
    tx.query_one(sql, &params![account], |row| row.opt_date(0))
}

/// Active recurring invoices whose next occurrence is on `until` or before, without their lines, in
/// the order in which they are made.
///
/// # Errors
/// The storage failed.
pub fn coming(
    tx: &mut Tx<'_>,
    account: i64,
    until: Date,
    limit: i64,
) -> Result<Vec<Recurring>, StoreError> {
    let mut filter = Filter::of(account);
    filter.and("status = 'active'");
    filter.with("next_date <=", until);
    table::first(tx, filter, "next_date, id", limit)
}

/// Recurring invoices that are paused because of a refusal or of emails that did not arrive, without
/// their lines.
///
/// # Errors
/// The storage failed.
pub fn stopped(tx: &mut Tx<'_>, account: i64, limit: i64) -> Result<Vec<Recurring>, StoreError> {
    let mut filter = Filter::of(account);
    filter.and("status = 'paused' AND paused_because <> 'owner'");
    table::first(tx, filter, "updated_at DESC, id", limit)
}

/// Filter for recurring invoices.
#[derive(Debug, Clone, Default)]
pub struct RecurringFilter {
    /// Only the one with this external id.
    pub external_id: Option<String>,
    /// Only those in this state.
    pub status: Option<RecurringStatus>,
    /// Only those for this contact.
    pub contact_id: Option<i64>,
    /// Only those whose customer or reference contains this text, ignoring case.
    pub text: Option<String>,
    /// Amount: those with this total match even if they do not contain the text.
    pub amount: Option<Cents>,
    /// Only those that changed in this period.
    pub updated: Option<Updated>,
}

impl RecurringFilter {
    fn of(&self, account: i64) -> Filter<'_> {
        let mut filter = Filter::of(account);
        filter.given("external_id =", self.external_id.as_ref());
        filter.given("status =", self.status.map(RecurringStatus::as_str));
        filter.given("contact_id =", self.contact_id);
        if let Some(text) = &self.text {
            let fields = ["lower(customer_name)", "lower(COALESCE(reference, ''))"];
            let amount = self.amount.map(|amount| ("total =", Param::Int(amount.get())));
            filter.holds(&fields, text, amount);
        }
        filter.updated(self.updated);
        filter
    }
}

/// Recurring invoices with an id below `before`, newest first.
///
/// # Errors
/// The storage failed.
pub fn list(
    tx: &mut Tx<'_>,
    account: i64,
    filter: &RecurringFilter,
    before: i64,
    limit: i64,
) -> Result<Page<Recurring>, StoreError> {
    let mut wanted = filter.of(account);
    wanted.with("id <", before);
    let page: Page<Recurring> = table::page(tx, wanted, "id DESC", limit)?;
    Ok(Page { rows: all_with_lines(tx, account, page.rows)?, more: page.more })
}

/// Column by which a page orders recurring invoices.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RecurringColumn {
    /// Name of the customer.
    Customer,
    /// Day of the next occurrence.
    Next,
    /// Total.
    Total,
}

/// Section of the filtered and ordered list, without lines.
///
/// # Errors
/// The storage failed.
pub fn rows(
    tx: &mut Tx<'_>,
    account: i64,
    filter: &RecurringFilter,
    (column, down): (RecurringColumn, bool),
    part: (i64, i64),
) -> Result<Vec<Recurring>, StoreError> {
    let direction = if down { "DESC" } else { "ASC" };
    let order = match column {
        RecurringColumn::Customer => format!("lower(customer_name) {direction}, id {direction}"),
        // Those without a next occurrence come last.
        RecurringColumn::Next => {
            format!(
                "CASE WHEN next_date IS NULL THEN 1 ELSE 0 END, next_date {direction}, id {direction}"
            )
        }
        RecurringColumn::Total => format!("total {direction}, id {direction}"),
    };
    table::section(tx, filter.of(account), &order, part)
}

/// Number of the filtered recurring invoices.
///
/// # Errors
/// The storage failed.
pub fn count(tx: &mut Tx<'_>, account: i64, filter: &RecurringFilter) -> Result<i64, StoreError> {
    let filter = filter.of(account);
    let sql = format!("SELECT COUNT(*) FROM recurring_invoices WHERE {filter}");
    tx.query_one(&sql, filter.values(), |row| row.int(0))
}

/// Number of recurring invoices per state.
///
/// # Errors
/// The storage failed.
pub fn counts(tx: &mut Tx<'_>, account: i64) -> Result<HashMap<RecurringStatus, i64>, StoreError> {
    let sql =
        "SELECT status, COUNT(*) FROM recurring_invoices WHERE account_id = ?1 GROUP BY status";
    let counted = tx.query(sql, &params![account], |row| {
        Ok((row.parsed(0, RecurringStatus::parse)?, row.int(1)?))
    })?;
    Ok(counted.into_iter().collect())
}

/// Occurrence that was made or skipped, or that waits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Occurrence {
    /// The recurring invoice.
    pub recurring_id: i64,
    /// Number, from 1.
    pub number: i64,
    /// Day.
    pub date: Date,
    /// State.
    pub status: OccurrenceStatus,
    /// Invoice that was made.
    pub invoice_id: Option<i64>,
    /// Creation time.
    pub created_at: Timestamp,
    /// Time of the last change.
    pub updated_at: Timestamp,
}

record! {
    Occurrence {
        "recurring_id": recurring_id,
        "number": number,
        "date": date,
        "status": status,
        "invoice_id": invoice_id,
        "created_at": created_at,
        "updated_at": updated_at,
    }
}

fn occurrence_checksum(occurrence: &Occurrence) -> [u8; 32] {
    checksum::of(&occurrence.own_values())
}

/// Stores a new occurrence. The key excludes a second one with its number.
///
/// # Errors
/// The storage failed.
pub fn insert_occurrence(
    tx: &mut Tx<'_>,
    account: i64,
    occurrence: &Occurrence,
) -> Result<(), StoreError> {
    let columns = format!("{}, checksum", Occurrence::COLUMNS);
    let mut values = occurrence.values(account);
    values.push(Param::Bytes(occurrence_checksum(occurrence).to_vec().into()));
    record::insert(tx, "recurring_occurrences", &columns, &values)
}

/// Stores a changed occurrence.
///
/// # Errors
/// The storage failed.
pub fn update_occurrence(
    tx: &mut Tx<'_>,
    account: i64,
    occurrence: &Occurrence,
) -> Result<(), StoreError> {
    tx.execute(
        "UPDATE recurring_occurrences SET status = ?4, invoice_id = ?5, updated_at = ?6, checksum = ?7
         WHERE account_id = ?1 AND recurring_id = ?2 AND number = ?3",
        &params![
            account,
            occurrence.recurring_id,
            occurrence.number,
            occurrence.status.as_str(),
            occurrence.invoice_id,
            occurrence.updated_at,
            &occurrence_checksum(occurrence)
        ],
    )
}

/// Removes the skipped occurrences from a number on.
///
/// # Errors
/// The storage failed.
pub fn remove_skipped_from(
    tx: &mut Tx<'_>,
    account: i64,
    recurring: i64,
    number: i64,
) -> Result<(), StoreError> {
    tx.execute(
        "DELETE FROM recurring_occurrences WHERE account_id = ?1 AND recurring_id = ?2 AND number >= ?3 AND status = 'skipped'",
        &params![account, recurring, number],
    )
}

/// Stored occurrence with this number.
///
/// # Errors
/// The storage failed.
pub fn occurrence(
    tx: &mut Tx<'_>,
    account: i64,
    recurring: i64,
    number: i64,
) -> Result<Option<Occurrence>, StoreError> {
    let sql = format!(
        "SELECT {} FROM recurring_occurrences WHERE account_id = ?1 AND recurring_id = ?2 AND number = ?3",
        Occurrence::COLUMNS
    );
    tx.query_opt(&sql, &params![account, recurring, number], Occurrence::read)
}

/// Stored occurrences with a number above `after` that changed in a period, in order.
///
/// # Errors
/// The storage failed.
pub fn occurrences(
    tx: &mut Tx<'_>,
    account: i64,
    recurring: i64,
    (after, updated): (i64, Option<Updated>),
    limit: i64,
) -> Result<Page<Occurrence>, StoreError> {
    let mut filter = Filter::of(account);
    filter.with("recurring_id =", recurring);
    filter.with("number >", after);
    filter.updated(updated);
    let most = filter.bind(limit.saturating_add(1));
    let sql = format!(
        "SELECT {} FROM recurring_occurrences WHERE {filter} ORDER BY number LIMIT {most}",
        Occurrence::COLUMNS
    );
    let rows = tx.query(&sql, filter.values(), Occurrence::read)?;
    Ok(Page::of(rows, limit))
}

/// Latest stored occurrences, latest first.
///
/// # Errors
/// The storage failed.
pub fn latest_occurrences(
    tx: &mut Tx<'_>,
    account: i64,
    recurring: i64,
    limit: i64,
) -> Result<Vec<Occurrence>, StoreError> {
    let sql = format!(
        "SELECT {} FROM recurring_occurrences WHERE account_id = ?1 AND recurring_id = ?2
         ORDER BY number DESC LIMIT ?3",
        Occurrence::COLUMNS
    );
    tx.query(&sql, &params![account, recurring, limit], Occurrence::read)
}

/// Occurrences that wait for the owner, with the names of their customers, oldest first.
///
/// # Errors
/// The storage failed.
pub fn waiting(
    tx: &mut Tx<'_>,
    account: i64,
    limit: i64,
) -> Result<Vec<(Occurrence, String)>, StoreError> {
    let sql = format!(
        "SELECT {}, (SELECT r.customer_name FROM recurring_invoices r WHERE r.account_id = ?1 AND r.id = recurring_id)
         FROM recurring_occurrences WHERE account_id = ?1 AND status = 'waiting' ORDER BY date, recurring_id, number LIMIT ?2",
        Occurrence::COLUMNS
    );
    tx.query(&sql, &params![account, limit], record::read)
}

/// Number of the waiting occurrences of a recurring invoice.
///
/// # Errors
/// The storage failed.
pub fn count_waiting(tx: &mut Tx<'_>, account: i64, recurring: i64) -> Result<i64, StoreError> {
    let sql = "SELECT COUNT(*) FROM recurring_occurrences
               WHERE account_id = ?1 AND recurring_id = ?2 AND status = 'waiting'";
    tx.query_one(sql, &params![account, recurring], |row| row.int(0))
}

/// Recurring invoices with an id above `after`, and whether each still has its checksum. Used by the
/// verification of the books.
///
/// # Errors
/// The storage failed.
pub fn check(
    tx: &mut Tx<'_>,
    account: i64,
    after: i64,
    limit: i64,
) -> Result<Vec<(Recurring, bool)>, StoreError> {
    let sql = format!(
        "SELECT {} FROM recurring_invoices WHERE account_id = ?1 AND id > ?2 ORDER BY id LIMIT ?3",
        checked_columns()
    );
    let rows = tx.query(&sql, &params![account, after, limit], |row| {
        record::read::<(Recurring, [u8; 32])>(row)
    })?;
    let mut checked = Vec::with_capacity(rows.len());
    for (row, stored) in rows {
        let recurring = with_lines(tx, account, row)?;
        let is_intact = checksum(&recurring) == stored;
        checked.push((recurring, is_intact));
    }
    Ok(checked)
}

/// All occurrences of a recurring invoice, in order, and whether each still has its checksum. Used by
/// the verification of the books.
///
/// # Errors
/// The storage failed.
pub fn check_occurrences(
    tx: &mut Tx<'_>,
    account: i64,
    recurring: i64,
) -> Result<Vec<(Occurrence, bool)>, StoreError> {
    let sql = format!(
        "SELECT {}, checksum FROM recurring_occurrences WHERE account_id = ?1 AND recurring_id = ?2 ORDER BY number",
        Occurrence::COLUMNS
    );
    tx.query(&sql, &params![account, recurring], |row| {
        let (occurrence, stored) = record::read::<(Occurrence, [u8; 32])>(row)?;
        Ok((occurrence, occurrence_checksum(&occurrence) == stored))
    })
}

/// Id of an invoice, with the number and the day of the occurrence that it names.
pub type NamedOccurrence = (i64, Option<i64>, Option<Date>);

/// Invoices that name a recurring invoice, in the order of the occurrences. Used by the verification of the books.
///
/// # Errors
/// The storage failed.
pub fn invoices_naming(
    tx: &mut Tx<'_>,
    account: i64,
    recurring: i64,
) -> Result<Vec<NamedOccurrence>, StoreError> {
    let sql = "SELECT id, occurrence_number, occurrence_date FROM invoices
               WHERE account_id = ?1 AND recurring_id = ?2 ORDER BY occurrence_number, id";
    tx.query(sql, &params![account, recurring], record::read)
}

/// Ids of the invoices that name an occurrence but no recurring invoice. Used by the verification of
/// the books.
///
/// # Errors
/// The storage failed.
pub fn strays(tx: &mut Tx<'_>, account: i64) -> Result<Vec<i64>, StoreError> {
    let sql = "SELECT id FROM invoices WHERE account_id = ?1 AND recurring_id IS NULL
               AND (occurrence_number IS NOT NULL OR occurrence_date IS NOT NULL) ORDER BY id";
    tx.query(sql, &params![account], |row| row.int(0))
}
