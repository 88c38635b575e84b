//! Receivables: unpaid sent invoices by due date.

use super::sales_totals;
use crate::{StoreError, Tx, params};
use jiff::{ToSpan, civil::Date};
use ledger::money::Cents;

/// SQL condition for an invoice that is not settled. The wording matches that of the partial index
/// `unsettled_invoices`, so that the index is used.
pub(super) const UNSETTLED: &str = "total > amount_paid + amount_credited + amount_written_off";
/// SQL expression for the amount still to be received on an invoice.
const DUE: &str = "(total - amount_paid - amount_credited - amount_written_off)";

/// SQL condition for sent invoices that are not settled.
pub(super) fn open() -> String {
    format!("kind = 'invoice' AND status = 'sent' AND {UNSETTLED}")
}

/// SQL condition for sent invoices that are settled without a write-off.
pub(super) fn paid() -> String {
    format!("kind = 'invoice' AND status = 'sent' AND NOT ({UNSETTLED}) AND amount_written_off = 0")
}

/// SQL expression for the amount still to be received on a document; zero unless it is an open
/// invoice.
pub(super) fn due() -> String {
    format!("CASE WHEN {} THEN {DUE} ELSE 0 END", open())
}

/// Number of invoices and the amount still to be received on them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Bucket {
    /// Number of invoices.
    pub count: i64,
    /// Amount still to be received.
    pub amount: Cents,
}

/// Receivables by age.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Aging {
    /// Due today or later.
    pub not_due: Bucket,
    /// Part of `not_due` that is due within 14 days.
    pub within_14_days: Bucket,
    /// 1 to 30 days late.
    pub late_30_days: Bucket,
    /// 31 to 60 days late.
    pub late_60_days: Bucket,
    /// More than 60 days late.
    pub later: Bucket,
}

impl Aging {
    /// Number and amount of the late invoices.
    #[must_use]
    pub fn late(&self) -> Bucket {
        let all = [self.late_30_days, self.late_60_days, self.later];
        Bucket {
            count: all.iter().map(|bucket| bucket.count).sum(),
            amount: all.iter().map(|bucket| bucket.amount).sum(),
        }
    }

    /// Total still to be received.
    #[must_use]
    pub fn total(&self) -> Cents {
        self.not_due.amount + self.late().amount
    }
}

/// An invoice that is late.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenInvoice {
    /// Id of the invoice.
    pub id: i64,
    /// Number as printed.
    pub number: String,
    /// Name of the customer on the invoice.
    pub customer_name: String,
    /// Due date.
    pub due_date: Date,
    /// Amount still to be received.
    pub amount_due: Cents,
}

/// Receivables on the date `today`, by age.
///
/// # Errors
/// The storage failed.
pub fn aging(tx: &mut Tx<'_>, account: i64, today: Date) -> Result<Aging, StoreError> {
    let days = |count: i64| today.saturating_add(count.days());
    let mut aging = Aging::default();
    for (due, sums) in sales_totals::by_due_date(tx, account)? {
        let add = |to: &mut Bucket| {
            *to = Bucket { count: to.count + sums.count, amount: to.amount + sums.due }
        };
        match due {
            due if due >= today => {
                add(&mut aging.not_due);
                if due <= days(14) {
                    add(&mut aging.within_14_days);
                }
            }
            due if due >= days(-30) => add(&mut aging.late_30_days),
            due if due >= days(-60) => add(&mut aging.late_60_days),
            _ => add(&mut aging.later),
        }
    }
    Ok(aging)
}

/// Invoices that are late on the given day, longest overdue first.
///
/// # Errors
/// The storage failed.
pub fn overdue(
    tx: &mut Tx<'_>,
    account: i64,
    today: Date,
    limit: i64,
) -> Result<Vec<OpenInvoice>, StoreError> {
    let sql = format!(
        "SELECT id, number, customer_name, due_date, {DUE} FROM invoices
         WHERE account_id = ?1 AND {} AND due_date < ?2 ORDER BY due_date, id LIMIT ?3",
        open()
    );
    tx.query(&sql, &params![account, today, limit], |row| {
        Ok(OpenInvoice {
            id: row.int(0)?,
            number: row.text(1)?,
            customer_name: row.text(2)?,
            due_date: row.date(3)?,
            amount_due: Cents::new(row.int(4)?),
        })
    })
}
