//! Input of settlements: payments on invoices, write-offs, payouts of payment providers.

use super::{
    CalendarDate, Choice, EXTERNAL_ID, EXTERNAL_ID_MEANING, Euros, EurosOrNothing, Fields, MultiLine, Parsed, SignedEuros,
    SingleLine, if_filed,
};
use ledger::{booking::MoneyAccount, money::Cents, payout::FeeVat};
use service::{
    payments::{NewPayment, PartialPayment},
    payouts::NewPayout,
    write_offs::NewWriteOff,
};

/// Names of accounts that payments are received on.
pub const METHODS: &[(&str, MoneyAccount)] = &[
    ("bank", MoneyAccount::Bank),
    ("savings", MoneyAccount::Savings),
    ("cash", MoneyAccount::Cash),
    ("card", MoneyAccount::Card),
    ("private", MoneyAccount::Private),
    ("directDebit", MoneyAccount::DirectDebit),
    ("ideal", MoneyAccount::Ideal),
    ("paypal", MoneyAccount::Paypal),
    ("provider", MoneyAccount::Provider),
];

/// Options for the part of a payment above the outstanding amount.
const SURPLUS: &[(&str, bool)] = &[("keep", true)];

/// Reads the fields of a payment on an invoice.
pub fn new_payment(fields: &mut Fields<'_, '_>, invoice_id: i64) -> Parsed<NewPayment, PartialPayment> {
    let external_id = fields.optional("externalId", EXTERNAL_ID_MEANING, EXTERNAL_ID);
    let date = fields.required(
        "date",
        "The day of the payment, tomorrow at the latest. It may lie before that of the invoice.",
        CalendarDate,
    );
    let meaning = "Euros, with at most two decimals; below 0.00 when money is paid back to the customer, at most amountToRefund. Default: all \
                   that is outstanding; money that is paid back needs its amount.";
    let has_amount = fields.has("amount");
    let amount = fields.optional("amount", meaning, SignedEuros);
    let meaning = "Where it was received. `ideal`, `paypal` and `provider` wait at the payment provider (1130) until a payout; `directDebit` \
                   reaches the bank; `card` is the owner's own card. Default: bank.";
    let method = fields.optional("method", meaning, Choice(METHODS)).unwrap_or(MoneyAccount::Bank);
    let reference = fields.optional("reference", "The payer's reference.", SingleLine(255));
    let meaning = "`keep`: what is above the outstanding is kept for the customer and shows in amountToRefund. Without it, more than is \
                   outstanding is refused, since it is mostly a typing error.";
    // Without a valid value it cannot be decided whether the amount is too high.
    let keeps_surplus = fields.has("overpayment");
    fields.optional("overpayment", meaning, Choice(SURPLUS));
    let if_filed = if_filed(fields);
    let command = date.map(|date| NewPayment {
        external_id: external_id.clone(),
        invoice_id,
        date,
        amount,
        method,
        reference,
        keeps_surplus,
        if_filed,
    });
    let amount = (amount.is_some() || !has_amount).then_some(amount);
    Parsed::with_partial(external_id, command, PartialPayment { date, amount, keeps_surplus })
}

/// Reads the fields of a write-off of an invoice.
pub fn new_write_off(fields: &mut Fields<'_, '_>, invoice_id: i64) -> Parsed<NewWriteOff> {
    let external_id = fields.optional("externalId", EXTERNAL_ID_MEANING, EXTERNAL_ID);
    let meaning = "The day from which it is certain that it will not be paid; the VAT comes back with the return of that day. Default: today \
                   in Amsterdam, or the day of the invoice where that is later.";
    let date = fields.optional("date", meaning, CalendarDate);
    let meaning = "Euros including VAT, with at most two decimals. Default: all that is outstanding.";
    let amount = fields.optional("amount", meaning, Euros);
    let reason = fields.optional("reason", "Why it will not be paid.", MultiLine(1000));
    let if_filed = if_filed(fields);
    let command = NewWriteOff { external_id: external_id.clone(), invoice_id, date, amount, reason, if_filed };
    Parsed::new(external_id, Some(command))
}

/// Names of VAT treatments of a provider's fee.
pub const FEE_VAT: &[(&str, FeeVat)] = &[
    ("none", FeeVat::None),
    ("normal", FeeVat::Normal),
    ("reverseCharge", FeeVat::ReverseCharge),
    ("eu", FeeVat::Eu),
    ("import", FeeVat::Import),
];

/// Reads the fields of a payout of a payment provider.
pub fn new_payout(fields: &mut Fields<'_, '_>) -> Parsed<NewPayout> {
    let external_id = fields.optional("externalId", EXTERNAL_ID_MEANING, EXTERNAL_ID);
    let date = fields.required("date", "The day on which it reached the bank, tomorrow at the latest.", CalendarDate);
    let meaning = "What reached the bank, in euros; below 0.00 when the provider took money back.";
    let amount = fields.required("amount", meaning, SignedEuros);
    let meaning = "What the provider kept, in euros, its VAT included where it charged any. Default: 0.00.";
    let fee = fields.optional("fee", meaning, EurosOrNothing);
    let meaning = "How the VAT on the fee is treated: `normal` (Dutch VAT within the fee), `reverseCharge`, `eu`, `import`, or `none`. Then the \
                   provider's invoice is not booked again. Default: none.";
    let treatment = fields.optional("feeVatTreatment", meaning, Choice(FEE_VAT)).unwrap_or(FeeVat::None);
    let fee_vat = fields.optional("feeVat", "The VAT on the fee. Default: what the high rate gives.", EurosOrNothing);
    let provider = fields.optional("provider", "The provider's name.", SingleLine(255));
    let if_filed = if_filed(fields);
    let command = date.zip(amount).map(|(date, amount)| NewPayout {
        external_id: external_id.clone(),
        date,
        amount,
        fee: fee.unwrap_or(Cents::ZERO),
        fee_vat_treatment: treatment,
        fee_vat,
        provider,
        if_filed,
    });
    Parsed::new(external_id, command)
}
