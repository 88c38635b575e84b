//! Payouts, private use, events without a document, and VAT returns.

use super::{date, euros, money, number};
use crate::{
    books::{self, Books, SOURCE},
    reader::{Document, Fields, Read},
};
use ledger::{
    booking,
    calendar::Quarter,
    chart::{AccountCode, codes},
    decimal,
    entry::Posting,
    event::{AccrualKind, Event, PrivateKind, PrivateUseKind},
    money::Cents,
    payout::{self, FeeVat, Payout},
    purchase::Deduction,
};

/// Books the entries of an event.
fn append(books: &mut Books, document: &Document, what: &str, event: &Event) -> Read<()> {
    let entries = event
        .entries(1, document.on, None, 1)
        .map_err(|error| document.fields.fault(&error.to_string()))?;
    for entry in entries {
        let what = if entry.reverses().is_some() {
            format!("reversal of {what}")
        } else {
            what.to_owned()
        };
        books.append(&what, entry);
    }
    Ok(())
}

/// Books a payout by a payment provider: the amount received and the fee that was kept.
pub(super) fn payout(books: &mut Books, document: &mut Document) -> Read<()> {
    let amount = document.fields.required("amount", euros)?;
    let fee = document.fields.required("fee", euros)?;
    let treatment = document.fields.optional("treatment", FeeVat::parse)?.unwrap_or(FeeVat::None);
    let vat = payout::fee_vat(treatment, fee, document.on);
    let deduction =
        if books.defaults.is_small_business { Deduction::Never } else { Deduction::Usual };
    let payout = Payout {
        amount,
        fee,
        treatment,
        vat,
        deduction,
        provider: None,
        bank_account: codes::BANK,
        provider_account: codes::PROVIDER_CLEARING,
    };
    books.append("payout", payout::payout(SOURCE, document.on, &payout));
    Ok(())
}

pub(super) fn mileage(books: &mut Books, document: &mut Document) -> Read<()> {
    let kilometres = document.fields.required("kilometres", number)?;
    let rate = document.fields.required("rate", number)?;
    let amount = decimal::multiply_to_cents(&kilometres, &rate)
        .map_err(|error| document.fields.fault(&error.to_string()))?;
    books.append("mileage", booking::mileage(SOURCE, "kilometres", document.on, amount));
    Ok(())
}

pub(super) fn private_use(books: &mut Books, document: &mut Document) -> Read<()> {
    let kind = document.fields.required("kind", PrivateUseKind::parse)?;
    let vat = document.fields.required("VAT", euros)?;
    let base = document.fields.optional("value", euros)?;
    append(
        books,
        document,
        &format!("private use of {}", kind.as_str()),
        &Event::PrivateUse { kind, vat, base },
    )
}

pub(super) fn private(books: &mut Books, document: &mut Document) -> Read<()> {
    let kind = document.fields.required("kind", PrivateKind::parse)?;
    let amount = document.fields.required("amount", euros)?;
    let method = money(document, "account")?;
    append(
        books,
        document,
        &format!("private {}", kind.as_str()),
        &Event::Private { kind, amount, method, premium: None },
    )
}

pub(super) fn accrual(books: &mut Books, document: &mut Document) -> Read<()> {
    let kind = document.fields.required("kind", AccrualKind::parse)?;
    let account = document.fields.required("account", books::account)?;
    let amount = document.fields.required("amount", euros)?;
    let reverse_on = document.fields.required("reversed", date)?;
    append(books, document, kind.as_str(), &Event::Accrual { kind, account, amount, reverse_on })
}

pub(super) fn loan_repayment(books: &mut Books, document: &mut Document) -> Read<()> {
    let account = document.fields.required("account", books::account)?;
    let principal = document.fields.required("principal", euros)?;
    let interest = document.fields.required("interest", euros)?;
    let method = money(document, "paid from")?;
    append(
        books,
        document,
        "loan repayment",
        &Event::LoanRepayment { account, principal, interest, method },
    )
}

/// Reads the account of a row, and its balance as debit minus credit.
fn balance(row: &mut Fields) -> Read<(AccountCode, Cents)> {
    let account = row.required("account", books::account)?;
    let debit = row.optional("debit", euros)?.unwrap_or_default();
    let credit = row.optional("credit", euros)?.unwrap_or_default();
    Ok((account, debit - credit))
}

pub(super) fn opening_balance(books: &mut Books, document: &mut Document) -> Read<()> {
    let balances = document.rows.iter_mut().map(balance).collect::<Read<_>>()?;
    append(books, document, "opening balance", &Event::OpeningBalance { balances })
}

/// Books a manual entry.
pub(super) fn entry(books: &mut Books, document: &mut Document) -> Read<()> {
    let balances: Vec<_> = document.rows.iter_mut().map(balance).collect::<Read<_>>()?;
    let postings = balances
        .into_iter()
        .map(|(account, amount)| Posting::debit(account, amount, None))
        .collect();
    append(books, document, "entry", &Event::ByHand { postings })
}

/// Files the return of the quarter that ends on the document's date.
pub(super) fn vat_filing(books: &mut Books, document: &mut Document) -> Read<()> {
    let period = Quarter::of(document.on);
    if document.on != period.last_day() {
        return Err(document.fields.fault("a return is filed on the last day of its quarter"));
    }
    let (filed, balances) = books.file(period);
    let entry = booking::vat_settlement(SOURCE, (period.into(), document.on), &filed, &balances);
    books.append(&format!("VAT return {period}"), entry);
    Ok(())
}

pub(super) fn vat_payment(books: &mut Books, document: &mut Document) -> Read<()> {
    let amount = document.fields.required("amount", euros)?;
    let from = money(document, "account")?;
    books.append(
        "VAT payment",
        booking::vat_payment(SOURCE, document.on, (booking::VatDebt::Dutch, amount), from),
    );
    Ok(())
}
