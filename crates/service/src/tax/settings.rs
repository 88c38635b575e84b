//! What the owner says once of VAT, of the hours criterion, and of the numbers of invoices.

use super::vat_schemes::{self, ChangeScheme};
use crate::{Actor, Error, Reason};
use jiff::Timestamp;
use ledger::{
    calendar::amsterdam_today,
    vat::{SalesDefaults, VatScheme},
};
use store::{
    Tx,
    accounts::{self, BookkeepingSettings},
    books, invoices, schemes,
};

/// The settings as they are to be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UpdateTaxSettings {
    /// A change of scheme; none leaves it as it is.
    pub scheme: Option<ChangeScheme>,
    /// What the sales are as long as a line does not say.
    pub sales: SalesDefaults,
    /// Whether most of the working time goes into the business.
    pub majority_of_time: Option<bool>,
    /// Whether the owner is a starter.
    pub starter: bool,
    /// The number of the first invoice of this year; none leaves it as it is.
    pub next_number: Option<i64>,
}

/// The settings as they are.
#[derive(Debug, Clone)]
pub struct TaxSettings {
    /// The scheme today.
    pub scheme: VatScheme,
    /// Every change of scheme.
    pub changes: Vec<schemes::SchemeChange>,
    /// What the owner says.
    pub says: BookkeepingSettings,
    /// The year whose first number can be chosen.
    pub year: i16,
    /// The number of its next invoice.
    pub next_number: i64,
    /// Whether it can be chosen: the year has no invoice yet.
    pub has_choice_of_number: bool,
}

/// The settings as they are.
///
/// # Errors
/// The storage failed.
pub fn read(tx: &mut Tx<'_>, actor: &Actor, now: Timestamp) -> Result<TaxSettings, Error> {
    let today = amsterdam_today(now);
    let account = accounts::by_id(tx, actor.account)?.ok_or(Error::NotFound("account"))?;
    let year = today.year();
    let series = invoices::series(tx, actor.account)?.into_iter().find(|(found, ..)| *found == year);
    let (start, last) = series.map_or((0, 0), |(_, start, last)| (start, last));
    Ok(TaxSettings {
        scheme: schemes::on(tx, actor.account, today)?.map_or(VatScheme::Normal, |change| change.scheme),
        changes: schemes::all(tx, actor.account)?,
        says: BookkeepingSettings { sales: account.sales, majority_of_time: account.majority_of_time, starter: account.starter },
        year,
        next_number: last + 1,
        has_choice_of_number: start == last,
    })
}

/// Changes the settings.
///
/// # Errors
/// The first day of a scheme is not that of a quarter, or the year's numbers have begun.
pub fn update(tx: &mut Tx<'_>, actor: &Actor, now: Timestamp, command: &UpdateTaxSettings) -> Result<(), Error> {
    books::transact(tx, actor.account, now, |tx, books, now| {
        actor.within(books).require_dutch()?;
        let before = read(tx, actor, books.clock())?;
        if let Some(change) = &command.scheme {
            vat_schemes::put(tx, actor.account, now, change)?;
        }
        if let Some(next) = command.next_number.filter(|next| *next != before.next_number) {
            if !before.has_choice_of_number {
                return Err(Error::fault("/nextNumber", Reason::NumbersBegun { year: i64::from(before.year) }));
            }
            invoices::begin_series(tx, actor.account, before.year, next - 1)?;
        }
        let says =
            BookkeepingSettings { sales: command.sales, majority_of_time: command.majority_of_time, starter: command.starter };
        Ok(accounts::set_bookkeeping(tx, actor.account, &says)?)
    })
}
