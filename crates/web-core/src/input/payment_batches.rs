//! Input for batches of payments.

use super::{
    CalendarDate, Defaults, EXTERNAL_ID, EXTERNAL_ID_MEANING, Euros, Fields, Integer, Parsed,
    Presence,
};
use service::payment_batches::{MOST_ITEMS, NewBatch, NewBatchItem};

/// Reads the fields of a new batch of payments.
pub fn new_payment_batch(fields: &mut Fields<'_, '_>) -> Parsed<NewBatch> {
    let external_id = fields.optional("externalId", EXTERNAL_ID_MEANING, EXTERNAL_ID);
    let meaning = "Id of the checking account that pays, which needs an IBAN. Default: the default \
                   checking account.";
    let bank_account_id = fields.optional("bankAccountId", meaning, Integer(1, i64::MAX));
    let dated = fields.has("executionDate");
    let meaning = "Day on which the bank executes the payments: from today to a year from now. \
                   Default: today in Amsterdam.";
    let execution_date = fields.optional("executionDate", meaning, CalendarDate);
    let meaning = "Bills to pay, each once.";
    let items = fields.list(
        "items",
        meaning,
        Presence::Required,
        (1, MOST_ITEMS),
        Defaults::default(),
        |fields| {
            let meaning = "Id of an unpaid bill with `payTo`, or whose contact has an `iban`.";
            let expense_id = fields.required("expenseId", meaning, Integer(1, i64::MAX));
            let priced = fields.has("amount");
            let meaning = "Amount in euros, at most the amount due. Default: the amount due.";
            let amount = fields.optional("amount", meaning, Euros);
            let is_readable = !priced || amount.is_some();
            expense_id.filter(|_| is_readable).map(|expense_id| NewBatchItem { expense_id, amount })
        },
    );
    let is_readable = !dated || execution_date.is_some();
    let command = items.filter(|_| is_readable).map(|items| NewBatch {
        external_id: external_id.clone(),
        bank_account_id,
        execution_date,
        items,
    });
    Parsed::new(external_id, command)
}
