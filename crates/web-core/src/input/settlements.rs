//! Input for settlements: payments on invoices, write-offs, payouts of payment providers.

use super::{
    CalendarDate, Choice, EXTERNAL_ID, EXTERNAL_ID_MEANING, Euros, EurosOrNothing, Fields, Integer,
    MultiLine, OneOf, Parsed, SignedEuros, SingleLine, bank_accounts::Money, if_filed,
};
use ledger::{booking::MoneyAccount, money::Cents, payout::FeeVat};
use service::{
    payments::{NewPayment, PartialPayment},
    payouts::NewPayout,
    write_offs::NewWriteOff,
};

/// Options for the part of a payment that exceeds the outstanding amount.
const SURPLUS: &[(&str, bool)] = &[("keep", true)];

/// Reads the fields of a payment on an invoice.
pub fn new_payment(
    fields: &mut Fields<'_, '_>,
    invoice_id: i64,
) -> Parsed<NewPayment, PartialPayment> {
    let external_id = fields.optional("externalId", EXTERNAL_ID_MEANING, EXTERNAL_ID);
    let date = fields.required(
        "date",
        "Date of the payment, no later than tomorrow. It may precede that of the invoice.",
        CalendarDate,
    );
    let meaning = "Amount in euros with at most two decimals. Negative for a refund to the \
                   customer, at most amountToRefund. Required for a refund; otherwise the default \
                   is the outstanding amount.";
    let has_amount = fields.has("amount");
    let amount = fields.optional("amount", meaning, SignedEuros);
    let meaning = "Account that received the payment. `ideal`, `paypal` and `provider` stay at \
                   the payment provider (1130) until a payout; `directDebit` reaches the bank; \
                   `card` is the owner's own card. Or the code of a bank account. Default: bank.";
    let method =
        fields.optional("method", meaning, Money(MoneyAccount::ALL)).unwrap_or(MoneyAccount::Bank);
    let reference = fields.optional("reference", "Reference of the payer.", SingleLine(255));
    let meaning = "`keep` keeps the amount above the outstanding one for the customer, shown in \
                   amountToRefund. Without it, a higher amount is rejected, because it is usually \
                   a typing error.";
    // If the option is invalid, an excess is not reported as a fault, because it may be meant to be
    // kept.
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

/// Reads the fields for writing off an invoice.
pub fn new_write_off(fields: &mut Fields<'_, '_>, invoice_id: i64) -> Parsed<NewWriteOff> {
    let external_id = fields.optional("externalId", EXTERNAL_ID_MEANING, EXTERNAL_ID);
    let meaning = "Date from which the loss is certain; the VAT is reclaimed in the return of \
                   that date. Default: today in Amsterdam, or the date of the invoice if that is \
                   later.";
    let date = fields.optional("date", meaning, CalendarDate);
    let meaning = "Amount in euros including VAT, with at most two decimals. Default: the outstanding amount.";
    let amount = fields.optional("amount", meaning, Euros);
    let reason = fields.optional("reason", "Reason of the write-off.", MultiLine(1000));
    let if_filed = if_filed(fields);
    let command = NewWriteOff {
        external_id: external_id.clone(),
        invoice_id,
        date,
        amount,
        reason,
        if_filed,
    };
    Parsed::new(external_id, Some(command))
}

/// Reads the fields for a payout by a payment provider.
pub fn new_payout(fields: &mut Fields<'_, '_>) -> Parsed<NewPayout> {
    let external_id = fields.optional("externalId", EXTERNAL_ID_MEANING, EXTERNAL_ID);
    let date = fields.required(
        "date",
        "Date on which it reached the bank, no later than tomorrow.",
        CalendarDate,
    );
    let meaning = "Amount that reached the bank in euros; negative if the provider withdrew money.";
    let amount = fields.required("amount", meaning, SignedEuros);
    let meaning = "Fee of the provider in euros, including VAT if charged. Default: 0.00.";
    let fee = fields.optional("fee", meaning, EurosOrNothing);
    let meaning = "VAT treatment of the fee: `normal` (Dutch VAT included in the fee), \
                   `reverseCharge`, `eu`, `import` or `none`. The fee is booked by the payout; do \
                   not record the provider's invoice as an expense as well. Default: none.";
    let treatment =
        fields.optional("feeVatTreatment", meaning, OneOf(FeeVat::ALL)).unwrap_or(FeeVat::None);
    let fee_vat = fields.optional(
        "feeVat",
        "VAT on the fee. Default: calculated from the high rate.",
        EurosOrNothing,
    );
    let provider = fields.optional("provider", "Name of the provider.", SingleLine(255));
    let meaning = "Id of the bank account that it reached. Default: the default checking account.";
    let bank_account = fields.optional("bankAccountId", meaning, Integer(1, i64::MAX));
    let meaning = "Id of the account at the provider. Default: the default one of that kind.";
    let provider_account = fields.optional("providerAccountId", meaning, Integer(1, i64::MAX));
    let if_filed = if_filed(fields);
    let command = date.zip(amount).map(|(date, amount)| NewPayout {
        external_id: external_id.clone(),
        date,
        amount,
        fee: fee.unwrap_or(Cents::ZERO),
        fee_vat_treatment: treatment,
        fee_vat,
        provider,
        bank_account,
        provider_account,
        if_filed,
    });
    Parsed::new(external_id, command)
}
