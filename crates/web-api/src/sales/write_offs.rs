//! Write-offs of unpaid invoices.

use crate::{
    moment::Moment,
    number::Amount,
    operation::Operation,
    resource::{Creatable, Listed, Resource, Undoable},
    undoing::{Takes, Undoing},
};
use jiff::civil::Date;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::json;
use service::{
    Context, Created, Error, Fault, invoices,
    write_offs::{self, NewWriteOff, UndoWriteOff},
};
use store::{Page, SyncFilter, Tx, write_offs::WriteOff};
use web_core::{
    catalogue::{
        CORRECTION_TOO_LARGE, IS_A_CREDIT_NOTE, IS_A_DRAFT, NOT_A_DRAFT, NOT_FOUND, PERIOD_FILED,
    },
    input::{Fields, Parsed, new_write_off},
};

/// A write-off of an invoice.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "WriteOff")]
pub(crate) struct WriteOffBody<'w> {
    /// Id, unique within the account.
    id: i64,
    /// Id of the invoice.
    invoice_id: i64,
    /// Your own identifier.
    #[schemars(example = &"order-1001")]
    external_id: Option<&'w str>,
    /// Date from which the loss is certain. The VAT is reclaimed in the return for the period that
    /// contains this date.
    date: Date,
    /// Amount written off, including VAT.
    amount: Amount,
    /// Reason for the write-off.
    reason: Option<&'w str>,
    /// Id of the journal entry.
    entry_id: i64,
    /// Time of creation.
    created_at: Moment,
    /// Time at which the write-off was undone. Undone write-offs stay listed, but are disregarded.
    undone_at: Option<Moment>,
    /// Date of the reversal in the books.
    undone_on: Option<Date>,
    /// Id of the journal entry that reverses the write-off.
    undoing_entry_id: Option<i64>,
    /// Time of the last change.
    updated_at: Moment,
}

impl Resource for WriteOff {
    type Key = (i64, i64);
    type Body<'r> = WriteOffBody<'r>;
    const PATH: &'static str = "/invoices/{id}/write-off/{writeOffId}";
    const NAME: &'static str = "write-off";
    const PARENT: &'static str = "invoice";
    const KIND: &'static str = "writeOff";

    fn key(&self) -> (i64, i64) {
        (self.invoice_id, self.id)
    }

    fn body(&self, _: &Context) -> WriteOffBody<'_> {
        WriteOffBody {
            id: self.id,
            invoice_id: self.invoice_id,
            external_id: self.external_id.as_deref(),
            date: self.date,
            amount: Amount(self.amount),
            reason: self.reason.as_deref(),
            entry_id: self.entry_id,
            created_at: Moment(self.created_at),
            undone_at: self.undone_at.map(Moment),
            undone_on: self.undone_on,
            undoing_entry_id: self.undoing_entry_id,
            updated_at: Moment(self.updated_at()),
        }
    }

    fn find(tx: &mut Tx<'_>, cx: &Context, (invoice, id): (i64, i64)) -> Result<Self, Error> {
        write_offs::read(tx, cx, invoice, id)
    }
}

impl Listed for WriteOff {
    type Filter = SyncFilter;

    fn list(
        tx: &mut Tx<'_>,
        cx: &Context,
        invoice: i64,
        filter: &SyncFilter,
        after: i64,
        limit: i64,
    ) -> Result<Page<Self>, Error> {
        write_offs::list(tx, cx, invoice, filter, after, limit)
    }
}

impl Creatable for WriteOff {
    type New = NewWriteOff;
    type Partial = ();
    const BODY_OPTIONAL: bool = true;

    fn read_new(fields: &mut Fields<'_, '_>, invoice: i64) -> Parsed<NewWriteOff> {
        new_write_off(fields, invoice)
    }

    fn create(tx: &mut Tx<'_>, cx: &Context, new: &NewWriteOff) -> Result<Created<Self>, Error> {
        write_offs::record(tx, cx, new)
    }

    fn find_by_external_id(
        tx: &mut Tx<'_>,
        cx: &Context,
        external_id: Option<&str>,
    ) -> Result<Option<Self>, Error> {
        write_offs::find_by_external_id(tx, cx, external_id)
    }

    fn validate(tx: &mut Tx<'_>, cx: &Context, invoice: i64, (): &()) -> Result<Vec<Fault>, Error> {
        invoices::read(tx, cx, invoice)?;
        Ok(Vec::new())
    }
}

impl Undoable for WriteOff {
    const TAKES: Takes = Takes::DayAndCorrection;

    fn undo(tx: &mut Tx<'_>, cx: &Context, key: (i64, i64), how: Undoing) -> Result<Self, Error> {
        write_offs::undo(tx, cx, key, UndoWriteOff { date: how.date, if_filed: how.if_filed })
    }
}

pub(crate) fn operations() -> Vec<Operation> {
    let example = json!({ "externalId": "bad-debt-7", "date": "2026-11-21", "amount": 121.00, "reason": "The customer is bankrupt." });
    vec![
        Operation::list_of::<WriteOff>("listWriteOffs")
            .says("List the write-offs of an invoice", "Oldest first.")
            .or(&[NOT_FOUND]),
        Operation::create_of::<WriteOff>("createWriteOff", example)
            .says(
                "Create a write-off",
                "Books the amount that the customer will not pay as a cost. Its VAT is reclaimed \
                 in the VAT return of that date (art. 29 Wet OB 1968). A later payment recovers \
                 it.",
            )
            .or(&[
                NOT_FOUND,
                NOT_A_DRAFT,
                IS_A_DRAFT,
                IS_A_CREDIT_NOTE,
                PERIOD_FILED,
                CORRECTION_TOO_LARGE,
            ])
            .for_dutch_accounts(),
        Operation::read_of::<WriteOff>("readWriteOff").says("Read a write-off", ""),
        Operation::undo_of::<WriteOff>(
            "/invoices/{id}/write-off/{writeOffId}/undo",
            "undoWriteOff",
        )
        .says(
            "Undo a write-off",
            "Reverses its journal entry. One that is already undone is returned unchanged.",
        )
        .or(&[NOT_FOUND, PERIOD_FILED, CORRECTION_TOO_LARGE])
        .for_dutch_accounts(),
    ]
}
