//! Payouts from payment providers.

use crate::{
    moment::Moment,
    number::Amount,
    operation::Operation,
    resource::{Creatable, Listed, Resource, Undoable},
    undoing::{Takes, Undoing},
};
use jiff::civil::Date;
use ledger::{bank_account::BankAccountKind, payout::FeeVat};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::json;
use service::{
    Context, Created, Error,
    payouts::{self, NewPayout, UndoPayout},
};
use store::{Page, SyncFilter, Tx, payouts::Payout};
use web_core::{
    catalogue::{BOOKED_FROM_BANK_LINE, CORRECTION_TOO_LARGE, NOT_FOUND, PERIOD_FILED},
    input::{Fields, Parsed, names_of, new_payout},
};

/// A payout from a payment provider.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "Payout")]
pub(crate) struct PayoutBody<'p> {
    /// Id, unique within the account.
    id: i64,
    /// Your own identifier.
    #[schemars(example = &"order-1001")]
    external_id: Option<&'p str>,
    /// Date on which the payout reached the bank.
    date: Date,
    /// Amount that reached the bank; negative if the provider withdrew money.
    amount: Amount,
    /// Provider's fee, including VAT if charged.
    fee: Amount,
    /// VAT treatment of the fee.
    #[schemars(extend("enum" = names_of(FeeVat::ALL)))]
    fee_vat_treatment: &'static str,
    /// VAT on the fee: included in the fee, or payable by you.
    fee_vat: Amount,
    /// Name of the provider.
    #[schemars(example = &"Mollie")]
    provider: Option<&'p str>,
    /// Id of the bank account that the payout reached.
    bank_account_id: Option<i64>,
    /// Id of the account at the provider.
    provider_account_id: Option<i64>,
    /// Id of the journal entry.
    entry_id: i64,
    /// Time of creation.
    created_at: Moment,
    /// Time at which the payout was undone.
    undone_at: Option<Moment>,
    /// Date of the reversal in the books.
    undone_on: Option<Date>,
    /// Id of the journal entry that reverses the payout.
    undoing_entry_id: Option<i64>,
    /// Time of the last change.
    updated_at: Moment,
}

impl Resource for Payout {
    type Key = i64;
    type Body<'r> = PayoutBody<'r>;
    const PATH: &'static str = "/payouts/{id}";
    const NAME: &'static str = "payout";

    fn key(&self) -> i64 {
        self.id
    }

    fn body(&self, cx: &Context) -> PayoutBody<'_> {
        let id = |code| cx.actor.own_accounts.banks().find(code).map(|account| account.id);
        PayoutBody {
            id: self.id,
            external_id: self.external_id.as_deref(),
            date: self.date,
            amount: Amount(self.amount),
            fee: Amount(self.fee),
            fee_vat_treatment: self.fee_vat_treatment.as_str(),
            fee_vat: Amount(self.fee_vat),
            provider: self.provider.as_deref(),
            bank_account_id: id(self.bank_account.unwrap_or(BankAccountKind::Checking.first())),
            provider_account_id: id(self
                .provider_account
                .unwrap_or(BankAccountKind::PaymentProvider.first())),
            entry_id: self.entry_id,
            created_at: Moment(self.created_at),
            undone_at: self.undone_at.map(Moment),
            undone_on: self.undone_on,
            undoing_entry_id: self.undoing_entry_id,
            updated_at: Moment(self.updated_at()),
        }
    }

    fn find(tx: &mut Tx<'_>, cx: &Context, id: i64) -> Result<Self, Error> {
        payouts::read(tx, cx, id)
    }
}

impl Listed for Payout {
    type Filter = SyncFilter;
    const NEWEST_FIRST: bool = true;

    fn list(
        tx: &mut Tx<'_>,
        cx: &Context,
        (): (),
        filter: &SyncFilter,
        before: i64,
        limit: i64,
    ) -> Result<Page<Self>, Error> {
        payouts::list(tx, cx, filter, before, limit)
    }
}

impl Creatable for Payout {
    type New = NewPayout;
    type Partial = ();

    fn read_new(fields: &mut Fields<'_, '_>, (): ()) -> Parsed<NewPayout> {
        new_payout(fields)
    }

    fn create(tx: &mut Tx<'_>, cx: &Context, new: &NewPayout) -> Result<Created<Self>, Error> {
        payouts::record(tx, cx, new)
    }

    fn find_by_external_id(
        tx: &mut Tx<'_>,
        cx: &Context,
        external_id: Option<&str>,
    ) -> Result<Option<Self>, Error> {
        payouts::find_by_external_id(tx, cx, external_id)
    }
}

impl Undoable for Payout {
    const TAKES: Takes = Takes::DayAndCorrection;

    fn undo(tx: &mut Tx<'_>, cx: &Context, id: i64, how: Undoing) -> Result<Self, Error> {
        payouts::undo(tx, cx, id, UndoPayout { date: how.date, if_filed: how.if_filed })
    }
}

pub(crate) fn operations() -> Vec<Operation> {
    let example = json!({
        "externalId": "po-2026-11-21", "date": "2026-11-21", "amount": 118.50, "fee": 2.50, "feeVatTreatment": "normal",
        "provider": "Mollie",
    });
    vec![
        Operation::list_of::<Payout>("listPayouts").says("List payouts", "Newest first."),
        Operation::create_of::<Payout>("createPayout", example)
            .says(
                "Create a payout",
                "Transfers payments of customers (`ideal`, `paypal`, `provider`) from the \
                 provider to the bank, less its fee, which is booked as a cost.",
            )
            .or(&[PERIOD_FILED, CORRECTION_TOO_LARGE])
            .for_dutch_accounts(),
        Operation::read_of::<Payout>("readPayout").says("Read a payout", ""),
        Operation::undo_of::<Payout>("/payouts/{id}/undo", "undoPayout")
            .says(
                "Undo a payout",
                "Reverses its journal entry. One that is already undone is returned unchanged.",
            )
            .or(&[NOT_FOUND, PERIOD_FILED, CORRECTION_TOO_LARGE, BOOKED_FROM_BANK_LINE])
            .for_dutch_accounts(),
    ]
}
