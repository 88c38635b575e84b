//! Bookings without a document: private money, depreciation, private use.

use crate::{Context, Error, Reason, context, corrections};
use jiff::civil::Date;
use ledger::{
    booking::{self, MoneyAccount},
    entry::{JournalEntry, Source, SourceType},
    money::Cents,
    vat::VatRate,
};
use store::{Tx, books::IdSequence};

/// Kinds of manual booking.
#[derive(Debug, Clone)]
pub enum ManualBooking {
    /// Money taken out for private use.
    PrivateDrawing {
        /// Amount in cents.
        amount: Cents,
        /// Account from which the money is taken.
        from: MoneyAccount,
    },
    /// Private money put into the business.
    PrivateDeposit {
        /// Amount in cents.
        amount: Cents,
        /// Account into which the money is paid.
        into: MoneyAccount,
    },
    /// Business goods or services used privately (box 1d).
    PrivateUse {
        /// Value excluding VAT, in cents.
        base: Cents,
        /// VAT rate.
        rate: VatRate,
    },
    /// Depreciation of equipment.
    Depreciation {
        /// Amount in cents.
        amount: Cents,
    },
}

/// Books a manual entry; returns its id.
///
/// # Errors
/// The account is not Dutch, the amount is not positive or too large, or the VAT return of the
/// period was filed.
pub fn record(
    tx: &mut Tx<'_>,
    cx: &Context,
    date: Date,
    booking: &ManualBooking,
) -> Result<i64, Error> {
    cx.actor.require_dutch()?;
    let (ManualBooking::PrivateDrawing { amount, .. }
    | ManualBooking::PrivateDeposit { amount, .. }
    | ManualBooking::PrivateUse { base: amount, .. }
    | ManualBooking::Depreciation { amount }) = *booking;
    if amount.within_limit().is_err() || amount <= Cents::ZERO {
        return Err(Error::fault("/amount", Reason::AmountOutOfRange { most: Cents::MAX }));
    }
    context::transact(tx, cx, |tx, books, cx| {
        cx.actor.require_dutch()?;
        let entry = entry(
            Source { kind: SourceType::Manual, id: books.next_id(IdSequence::Manual) },
            date,
            booking,
        );
        corrections::require_open(tx, cx.actor.account, &entry)?;
        Ok(books.append(tx, &entry, cx.now())?)
    })
}

fn entry(source: Source, date: Date, booking: &ManualBooking) -> JournalEntry {
    match booking {
        ManualBooking::PrivateDrawing { amount, from } => {
            booking::private_drawing(source, date, *amount, *from)
        }
        ManualBooking::PrivateDeposit { amount, into } => {
            booking::private_deposit(source, date, *amount, *into)
        }
        ManualBooking::PrivateUse { base, rate } => {
            booking::private_use(source, date, *base, *rate)
        }
        ManualBooking::Depreciation { amount } => booking::depreciation(source, date, *amount),
    }
}
