//! Payments on invoices.

use crate::{
    Page, StoreError, SyncFilter, Tx,
    changes::{Event, ResourceKind, Topic},
    engine::{
        record::{columns_by_name, record},
        table::{self, table_functions},
    },
    params,
};
use jiff::{Timestamp, civil::Date};
use ledger::{booking::MoneyAccount, money::Cents, unusual_day::UnusualDay};

/// State of moving the VAT on a payment to the payment date, if that date is in an earlier VAT
/// period than the invoice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum VatMove {
    /// Nothing to move: the payment was not received earlier, or has no VAT.
    Nothing,
    /// The VAT is declared on the date of the payment.
    Moved,
    /// The VAT is still declared with the invoice, because the return for one of the two periods
    /// was filed.
    Waiting,
}

impl VatMove {
    /// Name in the database.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Nothing => "nothing",
            Self::Moved => "moved",
            Self::Waiting => "waiting",
        }
    }

    /// Parses a name.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        [Self::Nothing, Self::Moved, Self::Waiting].into_iter().find(|it| it.as_str() == text)
    }
}
columns_by_name!(VatMove);

/// Stored payment.
#[derive(Debug, Clone)]
pub struct Payment {
    /// Unique within the account.
    pub id: i64,
    /// Id of the invoice that the payment is for.
    pub invoice_id: i64,
    /// The caller's own identifier.
    pub external_id: Option<String>,
    /// Date of the payment.
    pub date: Date,
    /// Amount received; negative for a refund.
    pub amount: Cents,
    /// Account that received the amount.
    pub method: MoneyAccount,
    /// Reference given by the payer.
    pub reference: Option<String>,
    /// Id of the journal entry for the payment.
    pub entry_id: i64,
    /// Time of recording.
    pub created_at: Timestamp,
    /// Part of the amount that had been written off.
    pub recovered: Cents,
    /// Id of the journal entry that reverses the payment.
    pub undoing_entry_id: Option<i64>,
    /// Date of the reversal.
    pub undone_on: Option<Date>,
    /// Time at which the payment was undone.
    pub undone_at: Option<Timestamp>,
    /// Reason why the date was unusual when it was entered.
    pub date_unusual: Option<UnusualDay>,
    /// State of moving the VAT to the date of the payment.
    pub vat_move: VatMove,
}

impl Payment {
    /// Time of the last change: when the payment was undone, or else when it was recorded.
    #[must_use]
    pub fn updated_at(&self) -> Timestamp {
        self.undone_at.unwrap_or(self.created_at)
    }
}

record! {
    "payments": Payment {
        "id": id,
        "invoice_id": invoice_id,
        "external_id": external_id,
        "date": date,
        "amount": amount,
        "method": method,
        "reference": reference,
        "entry_id": entry_id,
        "created_at": created_at,
        "recovered": recovered,
        "undoing_entry_id": undoing_entry_id,
        "undone_on": undone_on,
        "undone_at": undone_at,
        "date_unusual": date_unusual,
        "vat_move": vat_move,
    }
}
table_functions!(Payment: by_id, by_external_id, after);

/// Stores a new payment.
pub fn insert(tx: &mut Tx<'_>, account: i64, payment: &Payment) -> Result<(), StoreError> {
    tx.record(ResourceKind::Payment, payment.id, Event::Created);
    table::insert(tx, account, payment)
}

/// Stores the changes to a payment that is being undone.
pub fn undo(tx: &mut Tx<'_>, account: i64, payment: &Payment) -> Result<(), StoreError> {
    tx.record_topic(ResourceKind::Payment, payment.id, Topic::Undone);
    table::update(tx, account, payment)
}

/// Stores the state of moving the VAT on a payment.
pub fn moved(tx: &mut Tx<'_>, account: i64, payment: &Payment) -> Result<(), StoreError> {
    tx.record(ResourceKind::Payment, payment.id, Event::Updated);
    table::update(tx, account, payment)
}

/// All payments on an invoice, oldest first.
pub fn by_invoice(tx: &mut Tx<'_>, account: i64, invoice: i64) -> Result<Vec<Payment>, StoreError> {
    table::all(tx, account, "invoice_id", invoice)
}

/// Payments on an invoice with a payment id above `after`, oldest first.
pub fn page_of_invoice(
    tx: &mut Tx<'_>,
    account: i64,
    invoice: i64,
    filter: &SyncFilter,
    after: i64,
    limit: i64,
) -> Result<Page<Payment>, StoreError> {
    let mut wanted = filter.of_undoable(account);
    wanted.with("invoice_id =", invoice);
    wanted.with("id >", after);
    table::page(tx, wanted, "id", limit)
}

/// Latest date of a payment on an invoice or of a credit note for it, ignoring undone payments.
pub fn last_settled_on(
    tx: &mut Tx<'_>,
    account: i64,
    invoice: i64,
) -> Result<Option<Date>, StoreError> {
    let counting =
        by_invoice(tx, account, invoice)?.into_iter().filter(|payment| payment.undone_at.is_none());
    let paid = counting.map(|payment| payment.date).max();
    let credited = tx.query(
        "SELECT invoice_date FROM invoices WHERE account_id = ?1 AND credited_invoice_id = ?2",
        &params![account, invoice],
        |row| row.date(0),
    )?;
    Ok(paid.into_iter().chain(credited).max())
}
