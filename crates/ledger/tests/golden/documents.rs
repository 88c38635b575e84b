//! Converts the documents and events of a case to entries, by the rules of the crate.

mod other;
mod purchases;
mod sales;

use crate::{
    books::Books,
    reader::{Document, Read},
};
use ledger::{
    booking::MoneyAccount,
    calendar::{Date, parse_date},
    decimal::{self, Decimal},
    money::Cents,
    vat::VatRate,
};

/// Books a document according to its kind.
pub(crate) fn book(books: &mut Books, document: &mut Document) -> Read<()> {
    match document.kind.as_str() {
        "invoice" => sales::invoice(books, document),
        "credit note" => sales::credit_note(books, document),
        "payment" => sales::payment(books, document),
        "write-off" => sales::write_off(books, document),
        "expense" => purchases::expense(books, document),
        "bill payment" => purchases::payment(books, document),
        "VAT repayment" => purchases::vat_repayment(books, document),
        "asset" => purchases::asset(books, document),
        "depreciation" => purchases::depreciation(books, document),
        "disposal" => purchases::disposal(books, document),
        "VAT revision" => purchases::vat_revision(books, document),
        "payout" => other::payout(books, document),
        "mileage" => other::mileage(books, document),
        "private use" => other::private_use(books, document),
        "private" => other::private(books, document),
        "accrual" => other::accrual(books, document),
        "loan repayment" => other::loan_repayment(books, document),
        "opening balance" => other::opening_balance(books, document),
        "entry" => other::entry(books, document),
        "VAT filing" => other::vat_filing(books, document),
        "VAT payment" => other::vat_payment(books, document),
        unknown => Err(document.fields.fault(&format!("unknown document `{unknown}`"))),
    }
}

/// Parses an amount in euros.
fn euros(text: &str) -> Option<Cents> {
    decimal::parse_euros(text).ok()
}

/// Parses a number.
fn number(text: &str) -> Option<Decimal> {
    decimal::parse(text).ok()
}

/// Parses a rate, such as `21%`. The rate need not exist in Dutch law.
fn rate(text: &str) -> Option<VatRate> {
    let hundredths = number(text.trim_end_matches('%').trim_end())? * Decimal::ONE_HUNDRED;
    u16::try_from(hundredths)
        .ok()
        .filter(|_| hundredths.is_integer())
        .map(VatRate::from_basis_points)
}

fn date(text: &str) -> Option<Date> {
    parse_date(text).ok()
}

/// Parses `yes` or `no`.
fn yes(text: &str) -> Option<bool> {
    ["no", "yes"].iter().position(|word| *word == text).map(|place| place == 1)
}

/// Takes the account that pays or receives the money; the bank by default.
fn money(document: &mut Document, key: &str) -> Read<MoneyAccount> {
    Ok(document.fields.optional(key, MoneyAccount::parse)?.unwrap_or(MoneyAccount::Bank))
}
