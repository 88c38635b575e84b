//! Batches of payments of bills, which become payment files for the bank.

use crate::{
    Page, StoreError, Tx, Updated,
    changes::{Event, ResourceKind},
    engine::{
        checksum,
        filter::Filter,
        record::{self, Column as _, Record, Table, columns_by_name, record},
        table,
    },
    param::Param,
    params,
};
use jiff::{Timestamp, civil::Date};
use ledger::{
    identifiers::{Bic, Iban},
    money::Cents,
    payment_batch::BatchStatus,
};

/// Payments from one bank account on one day.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PaymentBatch {
    /// Unique within the account.
    pub id: i64,
    /// The caller's own identifier.
    pub external_id: Option<String>,
    /// Bank account that pays.
    pub bank_account_id: i64,
    /// Name of the payer when the batch was made.
    pub payer_name: String,
    /// IBAN of the bank account when the batch was made.
    pub payer_iban: Iban,
    /// Day on which the bank executes the payments.
    pub execution_date: Date,
    /// Status.
    pub status: BatchStatus,
    /// Sum of the items.
    pub total: Cents,
    /// Time of creation.
    pub created_at: Timestamp,
    /// Time of the last change.
    pub updated_at: Timestamp,
    /// Payments, in order.
    pub items: Vec<BatchItem>,
}

/// Payment of a bill in a batch, with the payee when the batch was made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BatchItem {
    /// Position in the batch, from 1.
    pub line: i64,
    /// Bill.
    pub expense_id: i64,
    /// Amount.
    pub amount: Cents,
    /// Name of the payee.
    pub name: String,
    /// Account of the payee.
    pub iban: Iban,
    /// BIC of its bank.
    pub bic: Option<Bic>,
    /// Reference or text.
    pub reference: String,
    /// Amount that bank lines paid on the bill since the batch was made.
    pub paid_amount: Cents,
    /// Last of these bank lines.
    pub paid_by_line: Option<i64>,
}

impl BatchItem {
    /// Whether bank lines paid the item.
    #[must_use]
    pub fn is_paid(&self) -> bool {
        self.paid_amount >= self.amount
    }
}

columns_by_name!(BatchStatus);
record! {
    "payment_batches": PaymentBatch {
        "id": id,
        "external_id": external_id,
        "bank_account_id": bank_account_id,
        "payer_name": payer_name,
        "payer_iban": payer_iban,
        "execution_date": execution_date,
        "status": status,
        "total": total,
        "created_at": created_at,
        "updated_at": updated_at,
        .. items
    }
}
record! {
    BatchItem {
        "line": line,
        "expense_id": expense_id,
        "amount": amount,
        "name": name,
        "iban": iban,
        "bic": bic,
        "reference": reference,
        "paid_amount": paid_amount,
        "paid_by_line": paid_by_line,
    }
}

/// Checksum of a batch and its items.
fn checksum(batch: &PaymentBatch) -> [u8; 32] {
    let mut values = batch.own_values();
    batch.items.iter().for_each(|item| item.put(&mut values));
    checksum::of(&values)
}

fn checked_columns() -> String {
    format!("{}, checksum", PaymentBatch::COLUMNS)
}

fn checked_values(account: i64, batch: &PaymentBatch) -> Vec<Param<'_>> {
    let mut values = batch.values(account);
    values.push(Param::Bytes(checksum(batch).to_vec().into()));
    values
}

fn insert_items(tx: &mut Tx<'_>, account: i64, batch: &PaymentBatch) -> Result<(), StoreError> {
    let mut values = Vec::new();
    for item in &batch.items {
        values.extend(params![account, batch.id]);
        item.put(&mut values);
    }
    let columns = format!("batch_id, {}", BatchItem::COLUMNS);
    record::insert(tx, "payment_batch_items", &columns, &values)
}

/// Stores a new batch.
///
/// # Errors
/// The storage failed.
pub fn insert(tx: &mut Tx<'_>, account: i64, batch: &PaymentBatch) -> Result<(), StoreError> {
    let values = checked_values(account, batch);
    record::insert(tx, "payment_batches", &checked_columns(), &values)?;
    insert_items(tx, account, batch)?;
    tx.record(ResourceKind::PaymentBatch, batch.id, Event::Created);
    Ok(())
}

/// Stores a changed batch.
///
/// # Errors
/// The storage failed.
pub fn update(tx: &mut Tx<'_>, account: i64, batch: &PaymentBatch) -> Result<(), StoreError> {
    let values = checked_values(account, batch);
    record::update(tx, "payment_batches", &checked_columns(), &values)?;
    tx.execute(
        "DELETE FROM payment_batch_items WHERE account_id = ?1 AND batch_id = ?2",
        &params![account, batch.id],
    )?;
    insert_items(tx, account, batch)?;
    tx.record(ResourceKind::PaymentBatch, batch.id, Event::Updated);
    Ok(())
}

fn with_items(
    tx: &mut Tx<'_>,
    account: i64,
    batch: Option<PaymentBatch>,
) -> Result<Option<PaymentBatch>, StoreError> {
    let Some(mut batch) = batch else { return Ok(None) };
    let sql = format!(
        "SELECT {} FROM payment_batch_items WHERE account_id = ?1 AND batch_id = ?2 ORDER BY line",
        BatchItem::COLUMNS
    );
    batch.items = tx.query(&sql, &params![account, batch.id], BatchItem::read)?;
    Ok(Some(batch))
}

/// Batch with this id.
///
/// # Errors
/// The storage failed.
pub fn by_id(tx: &mut Tx<'_>, account: i64, id: i64) -> Result<Option<PaymentBatch>, StoreError> {
    let batch = table::find(tx, account, "id", id)?;
    with_items(tx, account, batch)
}

/// Batch with this external id.
///
/// # Errors
/// The storage failed.
pub fn by_external_id(
    tx: &mut Tx<'_>,
    account: i64,
    external_id: &str,
) -> Result<Option<PaymentBatch>, StoreError> {
    let batch = table::find(tx, account, "external_id", external_id)?;
    with_items(tx, account, batch)
}

/// Filter for batches.
#[derive(Debug, Clone, Default)]
pub struct BatchFilter {
    /// Only the batch with this external id.
    pub external_id: Option<String>,
    /// Only batches in this state.
    pub status: Option<BatchStatus>,
    /// Only batches that this bank account pays.
    pub bank_account_id: Option<i64>,
    /// Only batches with this bill.
    pub expense_id: Option<i64>,
    /// Only batches that changed in this period.
    pub updated: Option<Updated>,
}

/// Batches with an id below `before`, newest first.
///
/// # Errors
/// The storage failed.
pub fn list(
    tx: &mut Tx<'_>,
    account: i64,
    filter: &BatchFilter,
    before: i64,
    limit: i64,
) -> Result<Page<PaymentBatch>, StoreError> {
    let mut wanted = Filter::of(account);
    wanted.with("id <", before);
    wanted.given("external_id =", filter.external_id.as_ref());
    wanted.given("status =", filter.status.map(BatchStatus::as_str));
    wanted.given("bank_account_id =", filter.bank_account_id);
    if let Some(expense) = filter.expense_id {
        let place = wanted.bind(expense);
        wanted.and(&format!(
            "EXISTS (SELECT 1 FROM payment_batch_items i WHERE i.account_id = ?1 AND i.batch_id = payment_batches.id AND i.expense_id = {place})"
        ));
    }
    wanted.updated(filter.updated);
    let mut page: Page<PaymentBatch> = table::page(tx, wanted, "id DESC", limit)?;
    for batch in &mut page.rows {
        if let Some(whole) = with_items(tx, account, Some(batch.clone()))? {
            *batch = whole;
        }
    }
    Ok(page)
}

/// Id of the batch that is to pay a bill: one that is not cancelled and whose item for the bill is
/// not paid.
///
/// # Errors
/// The storage failed.
pub fn pending_of(tx: &mut Tx<'_>, account: i64, expense: i64) -> Result<Option<i64>, StoreError> {
    let sql = "SELECT b.id FROM payment_batch_items i
               JOIN payment_batches b ON b.account_id = ?1 AND b.id = i.batch_id
               WHERE i.account_id = ?1 AND i.expense_id = ?2 AND b.status IN ('open', 'downloaded')
               AND i.paid_amount < i.amount ORDER BY b.id DESC LIMIT 1";
    tx.query_opt(sql, &params![account, expense], |row| row.int(0))
}

/// Batches with a bill, oldest first.
///
/// # Errors
/// The storage failed.
pub fn of_expense(
    tx: &mut Tx<'_>,
    account: i64,
    expense: i64,
) -> Result<Vec<PaymentBatch>, StoreError> {
    let sql = PaymentBatch::select(
        "account_id = ?1 AND id IN (SELECT batch_id FROM payment_batch_items i WHERE i.account_id = ?1 AND i.expense_id = ?2) ORDER BY id",
    );
    let rows = tx.query(&sql, &params![account, expense], PaymentBatch::read)?;
    let mut batches = Vec::with_capacity(rows.len());
    for row in rows {
        batches.extend(with_items(tx, account, Some(row))?);
    }
    Ok(batches)
}

/// Payment of a bill by a bank line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PaidByLine {
    /// Time at which the payment was recorded.
    pub at: Timestamp,
    /// Amount.
    pub amount: Cents,
    /// Bank line.
    pub line_id: i64,
}

/// Payments of a bill by bank lines, in the order in which they were recorded.
///
/// # Errors
/// The storage failed.
pub fn payments_by_lines(
    tx: &mut Tx<'_>,
    account: i64,
    expense: i64,
) -> Result<Vec<PaidByLine>, StoreError> {
    let booked = "SELECT p.id, p.created_at, p.amount, a.line_id FROM bank_allocations a
                  JOIN expense_payments p ON p.account_id = ?1 AND p.expense_id = a.parent_id AND p.id = a.target_id
                  WHERE a.account_id = ?1 AND a.parent_id = ?2 AND a.kind = 'bill' AND p.undone_at IS NULL";
    // A payment by hand that a line was tied to.
    let tied = "SELECT p.id, p.created_at, p.amount, a.line_id FROM expense_payments p
                JOIN bank_line_entries l ON l.account_id = ?1 AND l.entry_id = p.entry_id
                JOIN bank_allocations a ON a.account_id = ?1 AND a.line_id = l.line_id AND a.target_id = p.entry_id
                WHERE p.account_id = ?1 AND p.expense_id = ?2 AND a.kind = 'existing' AND p.undone_at IS NULL";
    let mut payments = Vec::new();
    for sql in [booked, tied] {
        payments.extend(tx.query(sql, &params![account, expense], |row| {
            let paid = PaidByLine {
                at: row.time(1)?,
                amount: Cents::new(row.int(2)?),
                line_id: row.int(3)?,
            };
            Ok((row.int(0)?, paid))
        })?);
    }
    payments.sort_unstable_by_key(|(id, _)| *id);
    Ok(payments.into_iter().map(|(_, paid)| paid).collect())
}

/// Day and counterparty of the last bank line that paid an expense of a supplier: of a contact, or
/// else of a name without a contact.
///
/// # Errors
/// The storage failed.
pub fn last_payee(
    tx: &mut Tx<'_>,
    account: i64,
    (contact, name): (Option<i64>, &str),
) -> Result<Option<(Date, String)>, StoreError> {
    let (condition, supplier) = match contact {
        Some(contact) => ("e.contact_id = ?2", Param::Int(contact)),
        None => ("e.contact_id IS NULL AND e.supplier = ?2", name.into()),
    };
    let sql = format!(
        "SELECT b.date, b.iban FROM expenses e
         JOIN entries n ON n.account_id = ?1 AND n.source_type = 'expense' AND n.source_id = e.id
         JOIN bank_line_entries l ON l.account_id = ?1 AND l.entry_id = n.id
         JOIN bank_lines b ON b.account_id = ?1 AND b.id = l.line_id
         WHERE e.account_id = ?1 AND {condition} AND b.iban IS NOT NULL AND b.amount < 0
         ORDER BY b.date DESC, b.id DESC LIMIT 1"
    );
    tx.query_opt(&sql, &[Param::Int(account), supplier], |row| Ok((row.date(0)?, row.text(1)?)))
}

/// Batches with an id above `after`, and whether each still has its checksum. Used by the
/// verification of the books.
///
/// # Errors
/// The storage failed.
pub fn check(
    tx: &mut Tx<'_>,
    account: i64,
    after: i64,
    limit: i64,
) -> Result<Vec<(PaymentBatch, bool)>, StoreError> {
    let sql = format!(
        "SELECT {} FROM payment_batches WHERE account_id = ?1 AND id > ?2 ORDER BY id LIMIT ?3",
        checked_columns()
    );
    let rows = tx.query(&sql, &params![account, after, limit], |row| {
        record::read::<(PaymentBatch, [u8; 32])>(row)
    })?;
    let mut batches = Vec::with_capacity(rows.len());
    for (row, stored) in rows {
        if let Some(batch) = with_items(tx, account, Some(row))? {
            let is_intact = checksum(&batch) == stored;
            batches.push((batch, is_intact));
        }
    }
    Ok(batches)
}
