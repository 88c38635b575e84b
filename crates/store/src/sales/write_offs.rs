//! Write-offs of invoices that customers do not pay, fully or in part.

use crate::{
    Page, StoreError, SyncFilter, Tx,
    engine::{
        record::record,
        table::{self, table_functions},
    },
};
use jiff::{Timestamp, civil::Date};
use ledger::money::Cents;

/// Stored write-off.
#[derive(Debug, Clone)]
pub struct WriteOff {
    /// Unique within the account.
    pub id: i64,
    /// Id of the invoice that remains unpaid.
    pub invoice_id: i64,
    /// The caller's own identifier.
    pub external_id: Option<String>,
    /// Date from which it is certain that the invoice will not be paid.
    pub date: Date,
    /// Amount written off, including VAT.
    pub amount: Cents,
    /// Reason.
    pub reason: Option<String>,
    /// Id of the journal entry for the write-off.
    pub entry_id: i64,
    /// Time of recording.
    pub created_at: Timestamp,
    /// Id of the journal entry that reverses the write-off.
    pub undoing_entry_id: Option<i64>,
    /// Date of the reversal.
    pub undone_on: Option<Date>,
    /// Time at which the write-off was undone.
    pub undone_at: Option<Timestamp>,
}

impl WriteOff {
    /// Time of the last change: when the write-off was undone, or else when it was recorded.
    #[must_use]
    pub fn updated_at(&self) -> Timestamp {
        self.undone_at.unwrap_or(self.created_at)
    }
}

record! {
    "write_offs": WriteOff {
        "id": id,
        "invoice_id": invoice_id,
        "external_id": external_id,
        "date": date,
        "amount": amount,
        "reason": reason,
        "entry_id": entry_id,
        "created_at": created_at,
        "undoing_entry_id": undoing_entry_id,
        "undone_on": undone_on,
        "undone_at": undone_at,
    }
}
table_functions!(WriteOff: insert, update, by_id, by_external_id, after);

/// Write-offs of an invoice that have an id above `after`, oldest first.
///
/// # Errors
/// The storage failed.
pub fn of_invoice(
    tx: &mut Tx<'_>,
    account: i64,
    invoice: i64,
    filter: &SyncFilter,
    after: i64,
    limit: i64,
) -> Result<Page<WriteOff>, StoreError> {
    let mut wanted = filter.of_undoable(account);
    wanted.with("invoice_id =", invoice);
    wanted.with("id >", after);
    table::page(tx, wanted, "id", limit)
}
