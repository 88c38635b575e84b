//! Cash accounting: the method of declaring VAT on sales over time, and the changes of the VAT that
//! is not due yet.

use crate::{
    StoreError, Tx,
    engine::{
        filter::Filter,
        record::{self, Record, columns_by_name, overwriting, record},
    },
    params,
    row::Row,
};
use jiff::{Timestamp, civil::Date};
use ledger::{
    cash_accounting::{CashGround, Cause, Change, Kind, VatMethod},
    invoice::GroupKey,
    money::Cents,
    vat::{Supply, VatCategory, VatRate},
};

/// Change of the method.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MethodChange {
    /// First day on which the method applies.
    pub from: Date,
    /// Method from that day on.
    pub method: VatMethod,
    /// Ground for cash accounting.
    pub ground: Option<CashGround>,
    /// Day on which the tax office designated the business.
    pub designated_on: Option<Date>,
    /// Time of recording.
    pub noted_at: Timestamp,
}

columns_by_name!(VatMethod);
columns_by_name!(CashGround);
record! {
    MethodChange {
        "valid_from": from,
        "method": method,
        "ground": ground,
        "designated_on": designated_on,
        "noted_at": noted_at,
    }
}

/// All changes of method, ordered by first day.
pub fn methods(tx: &mut Tx<'_>, account: i64) -> Result<Vec<MethodChange>, StoreError> {
    let sql = format!(
        "SELECT {} FROM vat_methods WHERE account_id = ?1 ORDER BY valid_from",
        MethodChange::COLUMNS
    );
    tx.query(&sql, &params![account], MethodChange::read)
}

/// Records that a method applies from a given day, replacing any earlier record for that day.
pub fn put(tx: &mut Tx<'_>, account: i64, change: &MethodChange) -> Result<(), StoreError> {
    let columns = format!("account_id, {}", MethodChange::COLUMNS);
    let tail = overwriting("account_id, valid_from", "method, ground, designated_on, noted_at");
    record::insert_into(tx, "vat_methods", &columns, &change.values(account), &tail)
}

/// Ids of the invoices that a change of method from the given day can affect: those under cash
/// accounting, and those whose VAT is due on or after that day. Excludes cancelled drafts,
/// prepayment invoices and invoices from before the books began.
pub fn affected(tx: &mut Tx<'_>, account: i64, from: Date) -> Result<Vec<i64>, StoreError> {
    tx.query(
        "SELECT id FROM invoices WHERE account_id = ?1 AND kind = 'invoice' AND status <> 'cancelled' AND prepayment = 0
         AND source <> 'opening' AND (vat_method = 'cash' OR vat_date >= ?2) ORDER BY id",
        &params![account, from],
        |row| row.int(0),
    )
}

/// Turnover of the sent invoices and drafts, less their credit notes, dated in a period, in cents:
/// in total, and to customers with a VAT number or a number in the Business Register.
pub fn turnover(
    tx: &mut Tx<'_>,
    account: i64,
    (from, until): (Date, Date),
) -> Result<(Cents, Cents), StoreError> {
    tx.query_one(
        "SELECT CAST(COALESCE(SUM(subtotal), 0) AS BIGINT),
         CAST(COALESCE(SUM(CASE WHEN COALESCE(customer_kind, CASE WHEN customer_vat_number IS NULL AND customer_kvk_number IS NULL THEN '' ELSE 'business' END) <> 'business' THEN 0 ELSE subtotal END), 0) AS BIGINT)
         FROM invoices WHERE account_id = ?1 AND status <> 'cancelled' AND prepayment = 0 AND source <> 'opening'
         AND invoice_date BETWEEN ?2 AND ?3",
        &params![account, from, until],
        |row| Ok((Cents::new(row.int(0)?), Cents::new(row.int(1)?))),
    )
}

const COLUMNS: &str =
    "payment_id, write_off_id, kind, date, vat_basis_points, vat_category, supply, base, vat";

/// Stores changes of an invoice's VAT after the known ones.
pub fn insert(
    tx: &mut Tx<'_>,
    account: i64,
    invoice: i64,
    changes: &[Change],
) -> Result<(), StoreError> {
    if changes.is_empty() {
        return Ok(());
    }
    let last = tx.query_one(
        "SELECT COALESCE(MAX(line), 0) FROM vat_due WHERE account_id = ?1 AND invoice_id = ?2",
        &params![account, invoice],
        |row| row.int(0),
    )?;
    let mut values = Vec::with_capacity(changes.len() * 12);
    for (line, change) in (last + 1..).zip(changes) {
        let (payment, write_off) = match change.cause {
            Cause::Payment(id) => (Some(id), None),
            Cause::WriteOff(id) => (None, Some(id)),
            Cause::Invoice => (None, None),
        };
        values.extend(params![
            account,
            invoice,
            line,
            payment,
            write_off,
            change.kind.as_str(),
            change.date,
            i64::from(change.group.rate.basis_points()),
            change.group.category.as_str(),
            change.group.supply.map_or("", Supply::as_str),
            change.base.get(),
            change.vat.get()
        ]);
    }
    record::insert(tx, "vat_due", &format!("invoice_id, line, {COLUMNS}"), &values)
}

/// Changes of an invoice's VAT, in the order of recording.
pub fn of_invoice(tx: &mut Tx<'_>, account: i64, invoice: i64) -> Result<Vec<Change>, StoreError> {
    let found = of_invoices(tx, account, &[invoice])?;
    Ok(found.into_iter().map(|(_, change)| change).collect())
}

/// Changes of the VAT of several invoices, each with the id of its invoice, in the order of
/// recording.
pub fn of_invoices(
    tx: &mut Tx<'_>,
    account: i64,
    invoices: &[i64],
) -> Result<Vec<(i64, Change)>, StoreError> {
    if invoices.is_empty() {
        return Ok(Vec::new());
    }
    let mut wanted = Filter::of(account);
    wanted.one_of("invoice_id", invoices);
    let sql = format!(
        "SELECT invoice_id, {COLUMNS} FROM vat_due WHERE {wanted} ORDER BY invoice_id, line"
    );
    tx.query(&sql, wanted.values(), read)
}

fn read(row: &Row<'_>) -> Result<(i64, Change), StoreError> {
    let cause = match (row.opt_int(1)?, row.opt_int(2)?) {
        (Some(payment), None) => Cause::Payment(payment),
        (None, Some(write_off)) => Cause::WriteOff(write_off),
        (None, None) => Cause::Invoice,
        (Some(payment), Some(write_off)) => {
            return Err(StoreError::Unreadable(format!(
                "VAT became due by payment {payment} and by write-off {write_off}"
            )));
        }
    };
    let group = GroupKey {
        rate: VatRate::from_basis_points(row.narrow(5)?),
        category: row.parsed(6, VatCategory::parse)?,
        supply: row.parsed(7, |text| {
            if text.is_empty() { Some(None) } else { Supply::parse(text).map(Some) }
        })?,
        // Only domestic supplies are under cash accounting.
        tax_country: None,
    };
    let change = Change {
        cause,
        kind: row.parsed(3, Kind::parse)?,
        date: row.date(4)?,
        group,
        base: Cents::new(row.int(8)?),
        vat: Cents::new(row.int(9)?),
    };
    Ok((row.int(0)?, change))
}
