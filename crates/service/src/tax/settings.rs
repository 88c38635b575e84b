//! What the owner says once of VAT, of the hours criterion, and of the numbers of invoices.

use super::vat_schemes::{self, ChangeScheme};
use crate::{Context, Error, Reason, context};
use ledger::vat::{SalesDefaults, Supply, VatCategory, VatScheme};
use store::{
    Tx,
    accounts::{self, BookkeepingSettings},
    invoices, schemes,
};

/// The settings as they are to be.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct UpdateTaxSettings {
    /// A change of scheme; none leaves it as it is.
    pub scheme: Option<ChangeScheme>,
    /// What is sold as long as a line does not say; none leaves it as it is.
    pub supply: Option<Supply>,
    /// What 0 % means as long as a line does not say; none leaves it as it is.
    pub zero_means: Option<VatCategory>,
    /// Whether most of the working time goes into the business, `Some(None)` where that is not said; none leaves it as it is.
    pub majority_of_time: Option<Option<bool>>,
    /// Whether the owner is a starter; none leaves it as it is.
    pub starter: Option<bool>,
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
pub fn read(tx: &mut Tx<'_>, cx: &Context) -> Result<TaxSettings, Error> {
    let today = cx.today();
    let account = accounts::by_id(tx, cx.actor.account)?.ok_or(Error::NotFound("account"))?;
    let year = today.year();
    let series = invoices::series(tx, cx.actor.account)?.into_iter().find(|(found, ..)| *found == year);
    let (start, last) = series.map_or((0, 0), |(_, start, last)| (start, last));
    Ok(TaxSettings {
        scheme: schemes::on(tx, cx.actor.account, today)?.map_or(VatScheme::Normal, |change| change.scheme),
        changes: schemes::all(tx, cx.actor.account)?,
        says: BookkeepingSettings { sales: account.sales, majority_of_time: account.majority_of_time, starter: account.starter },
        year,
        next_number: last + 1,
        has_choice_of_number: start == last,
    })
}

/// Changes the settings.
///
/// # Errors
/// The first day of a scheme is not that of a quarter, or of one whose return or a later one's is filed, or the year's numbers have begun.
pub fn update(tx: &mut Tx<'_>, cx: &Context, command: &UpdateTaxSettings) -> Result<(), Error> {
    context::transact(tx, cx, |tx, books, cx| {
        cx.actor.require_dutch()?;
        let before = read(tx, cx)?;
        if let Some(change) = &command.scheme {
            vat_schemes::put(tx, books, cx, change)?;
        }
        if let Some(next) = command.next_number.filter(|next| *next != before.next_number) {
            if !before.has_choice_of_number {
                return Err(Error::fault("/nextNumber", Reason::NumbersBegun { year: i64::from(before.year) }));
            }
            invoices::begin_series(tx, cx.actor.account, before.year, next - 1)?;
        }
        let before = before.says;
        let says = BookkeepingSettings {
            sales: SalesDefaults {
                supply: command.supply.unwrap_or(before.sales.supply),
                zero_means: command.zero_means.unwrap_or(before.sales.zero_means),
                ..before.sales
            },
            majority_of_time: command.majority_of_time.unwrap_or(before.majority_of_time),
            starter: command.starter.unwrap_or(before.starter),
        };
        Ok(accounts::set_bookkeeping(tx, cx.actor.account, &says)?)
    })
}
