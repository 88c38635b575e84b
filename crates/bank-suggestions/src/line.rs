//! Bank lines to suggest bookings for.

use crate::suggestion::{Charge, SuggestionId};
use jiff::civil::Date;
use ledger::money::Cents;

/// Bank line that is not booked yet.
#[derive(Clone, Copy, Debug)]
pub struct Line<'a> {
    /// Unique within the account.
    pub id: i64,
    /// Bank account of the books.
    pub bank_account: i64,
    /// Booking date.
    pub date: Date,
    /// Amount; negative if money went out.
    pub amount: Cents,
    /// Name of the counterparty.
    pub name: Option<&'a str>,
    /// IBAN of the counterparty, or another account number.
    pub iban: Option<&'a str>,
    /// Remittance information.
    pub text: &'a str,
    /// End-to-end id of the payer.
    pub end_to_end_id: Option<&'a str>,
    /// Structured payment reference of the payee.
    pub payment_reference: Option<&'a str>,
    /// Creditor identifier of a direct debit.
    pub creditor_id: Option<&'a str>,
    /// Charge of the bank, if its code for the line says so.
    pub charge: Option<Charge>,
    /// Payments of a batch that the bank booked as one line.
    pub parts: &'a [Part<'a>],
    /// Whether the line may be the same as another one.
    pub is_doubtful: bool,
    /// Suggestions that a user refused on this line.
    pub refused: &'a [SuggestionId],
}

/// Payment in a batch.
#[derive(Clone, Copy, Debug)]
pub struct Part<'a> {
    /// Amount with the sign of a line; `None` if the bank states none.
    pub amount: Option<Cents>,
    /// Name of the counterparty.
    pub name: Option<&'a str>,
    /// IBAN of the counterparty.
    pub iban: Option<&'a str>,
    /// Remittance information.
    pub text: Option<&'a str>,
    /// End-to-end id of the payer.
    pub end_to_end_id: Option<&'a str>,
}
