//! Payments of VAT to the tax office, and refunds.

use crate::{
    journal::bank_accounts::id_of,
    moment::Moment,
    number::Amount,
    operation::Operation,
    resource::{Creatable, Listed, Resource, Undoable},
    sales::invoice_body::PeriodBody,
    undoing::{Takes, Undoing},
};
use jiff::civil::Date;
use ledger::{booking::MoneyAccount, vat_period::VatPeriod};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::json;
use service::{
    Context, Created, Error,
    vat_payments::{self, NewVatPayment},
};
use store::{Page, SyncFilter, Tx, vat_payments::VatPayment};
use web_core::{
    catalogue::{BOOKED_FROM_BANK_LINE, NOT_FOUND, YEAR_CLOSED},
    input::{Fields, Parsed, names_of, new_vat_payment},
};

/// A payment of VAT to the tax office, or a refund.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "VatPayment")]
pub(crate) struct VatPaymentBody<'p> {
    /// Id, unique within the account among bookings made by hand.
    id: i64,
    /// Your own identifier.
    external_id: Option<&'p str>,
    /// Date of the payment.
    date: Date,
    /// Amount paid; negative if refunded by the tax office.
    amount: Amount,
    /// Account from which the VAT was paid, or which received the refund.
    #[schemars(extend("enum" = names_of(MoneyAccount::ALL)))]
    method: &'static str,
    /// Id of the bank account; null for private money.
    bank_account_id: Option<i64>,
    /// Your own description.
    #[schemars(example = &"First quarter")]
    description: Option<&'p str>,
    /// Calendar quarter of the return that the payment belongs to; null if no period was given, or
    /// if the period is a month or a year.
    vat_period: Option<PeriodBody>,
    /// Id of the VAT period of the return: `2026-05`, `2026-Q2` or `2026`.
    #[schemars(example = &"2026-Q1")]
    vat_period_id: Option<String>,
    /// Quarter of the return of the Union scheme (OSS) that the payment belongs to.
    #[schemars(example = &"2026-Q4")]
    oss_period: Option<String>,
    /// Id of the journal entry.
    entry_id: i64,
    /// Time at which the payment was undone.
    undone_at: Option<Moment>,
    /// Time of creation.
    created_at: Moment,
    /// Time of the last change.
    updated_at: Moment,
}

impl Resource for VatPayment {
    type Key = i64;
    type Body<'r> = VatPaymentBody<'r>;
    const PATH: &'static str = "/vat-payments/{id}";
    const NAME: &'static str = "VAT payment";
    const KIND: &'static str = "vatPayment";

    fn key(&self) -> i64 {
        self.id
    }

    fn body(&self, cx: &Context) -> VatPaymentBody<'_> {
        VatPaymentBody {
            id: self.id,
            external_id: self.external_id.as_deref(),
            date: self.date,
            amount: Amount(self.amount),
            method: self.method.as_str(),
            bank_account_id: id_of(&cx.actor.own_accounts, self.method),
            description: self.description.as_deref(),
            vat_period: self.period.and_then(VatPeriod::as_quarter).map(PeriodBody::from),
            vat_period_id: self.period.map(|period| period.to_string()),
            oss_period: self.oss_period.map(|period| period.to_string()),
            entry_id: self.entry_id,
            undone_at: self.undone_at.map(Moment),
            created_at: Moment(self.created_at),
            updated_at: Moment(self.updated_at()),
        }
    }

    fn find(tx: &mut Tx<'_>, cx: &Context, id: i64) -> Result<Self, Error> {
        vat_payments::read(tx, cx, id)
    }
}

impl Listed for VatPayment {
    type Filter = SyncFilter;

    fn list(
        tx: &mut Tx<'_>,
        cx: &Context,
        (): (),
        filter: &SyncFilter,
        after: i64,
        limit: i64,
    ) -> Result<Page<Self>, Error> {
        vat_payments::list(tx, cx, filter, after, limit)
    }
}

impl Creatable for VatPayment {
    type New = NewVatPayment;
    type Partial = ();

    fn read_new(fields: &mut Fields<'_, '_>, (): ()) -> Parsed<NewVatPayment> {
        new_vat_payment(fields)
    }

    fn create(tx: &mut Tx<'_>, cx: &Context, new: &NewVatPayment) -> Result<Created<Self>, Error> {
        vat_payments::record(tx, cx, new)
    }

    fn find_by_external_id(
        tx: &mut Tx<'_>,
        cx: &Context,
        external_id: Option<&str>,
    ) -> Result<Option<Self>, Error> {
        vat_payments::find_by_external_id(tx, cx, external_id)
    }
}

impl Undoable for VatPayment {
    const TAKES: Takes = Takes::Nothing;

    fn undo(tx: &mut Tx<'_>, cx: &Context, id: i64, _: Undoing) -> Result<Self, Error> {
        vat_payments::undo(tx, cx, id)
    }
}

pub(crate) fn operations() -> Vec<Operation> {
    let example = json!({ "externalId": "bank-612", "date": "2026-04-28", "amount": 1708, "method": "bank", "vatPeriod": "2026-Q1" });
    vec![
        Operation::list_of::<VatPayment>("listVatPayments")
            .says("List VAT payments", "Oldest first, including undone ones."),
        Operation::create_of::<VatPayment>("createVatPayment", example)
            .says("Create a VAT payment", "A negative amount is a refund by the tax office.")
            .or(&[YEAR_CLOSED])
            .for_dutch_accounts(),
        Operation::read_of::<VatPayment>("readVatPayment").says("Read a VAT payment", ""),
        Operation::undo_of::<VatPayment>("/vat-payments/{id}/undo", "undoVatPayment")
            .says(
                "Undo a VAT payment",
                "Reverses its journal entry on its own date; it stays listed. No body is required.",
            )
            .or(&[NOT_FOUND, YEAR_CLOSED, BOOKED_FROM_BANK_LINE])
            .for_dutch_accounts(),
    ]
}
