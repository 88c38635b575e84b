//! Settings for VAT, the hours criterion and invoice numbers.

use super::{
    scheme_changes::{self, ChangeScheme},
    vat_accounting::{self, MethodDetails},
    vat_units,
};
use crate::{Context, Error, Reason, context};
use ledger::{
    cash_accounting::VatMethod,
    vat::{SalesDefaults, Supply, VatCategory, VatScheme},
    vat_period::VatUnit,
};
use store::{
    Tx,
    accounts::{self, BookkeepingSettings},
    invoices, schemes,
    vat_units::UnitChange,
};

/// Changes to the settings.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct UpdateTaxSettings {
    /// New VAT scheme; `None` keeps the current one.
    pub scheme: Option<ChangeScheme>,
    /// Default kind of supply for invoice lines; `None` keeps it.
    pub supply: Option<Supply>,
    /// Default VAT category for the 0 % rate; `None` keeps it.
    pub zero_means: Option<VatCategory>,
    /// Whether most of the working time goes into the business: `Some(None)` clears the answer,
    /// `None` keeps it.
    pub majority_of_time: Option<Option<bool>>,
    /// Whether the owner is a starter; `None` keeps the setting.
    pub starter: Option<bool>,
    /// Number of this year's first invoice; `None` keeps it.
    pub next_number: Option<i64>,
}

/// Current settings.
#[derive(Debug, Clone)]
pub struct TaxSettings {
    /// VAT scheme in force today.
    pub scheme: VatScheme,
    /// All changes of scheme.
    pub changes: Vec<schemes::SchemeChange>,
    /// Unit of VAT periods in force today.
    pub unit: VatUnit,
    /// All changes of unit.
    pub unit_changes: Vec<UnitChange>,
    /// Method of declaring VAT on sales in force today.
    pub method: VatMethod,
    /// All changes of method.
    pub method_changes: Vec<MethodDetails>,
    /// Whether the tax office probably does not allow annual returns, given last year's VAT.
    pub annual_doubtful: bool,
    /// Answers and defaults set by the owner.
    pub says: BookkeepingSettings,
    /// Year whose first number can be chosen: this year.
    pub year: i16,
    /// Number of the next invoice of that year.
    pub next_number: i64,
    /// Whether `next_number` can be chosen, because the year has no invoices yet.
    pub has_choice_of_number: bool,
}

/// Returns the current settings.
///
/// # Errors
/// The storage failed.
pub fn read(tx: &mut Tx<'_>, cx: &Context) -> Result<TaxSettings, Error> {
    let today = cx.today();
    let account = accounts::by_id(tx, cx.actor.account)?.ok_or(Error::NotFound("account"))?;
    let year = today.year();
    let series = invoices::series(tx, cx.actor.account)?.into_iter().find(|(of, ..)| *of == year);
    let (start, last) = series.map_or((0, 0), |(_, start, last)| (start, last));
    let method_changes = vat_accounting::list(tx, cx)?;
    let method = method_changes.iter().rfind(|of| of.change.from <= today);
    Ok(TaxSettings {
        method: method.map_or(VatMethod::Invoice, |of| of.change.method),
        method_changes,
        scheme: schemes::on(tx, cx.actor.account, today)?
            .map_or(VatScheme::Normal, |change| change.scheme),
        changes: schemes::all(tx, cx.actor.account)?,
        unit: cx.actor.vat_units.on(today),
        unit_changes: account.vat_units,
        annual_doubtful: vat_units::is_annual_doubtful(tx, cx)?,
        says: BookkeepingSettings {
            sales: account.sales,
            majority_of_time: account.majority_of_time,
            starter: account.starter,
        },
        year,
        next_number: last + 1,
        has_choice_of_number: start == last,
    })
}

/// Changes the settings.
///
/// # Errors
/// The account is not Dutch, the scheme does not start on the first day of a quarter, the return of
/// that or a later quarter was filed, or the number changes although the year has invoices.
pub fn update(tx: &mut Tx<'_>, cx: &Context, command: &UpdateTaxSettings) -> Result<(), Error> {
    context::transact(tx, cx, |tx, books, cx| {
        cx.actor.require_dutch()?;
        let before = read(tx, cx)?;
        if let Some(change) = &command.scheme {
            scheme_changes::put(tx, books, cx, change)?;
        }
        if let Some(next) = command.next_number.filter(|next| *next != before.next_number) {
            if !before.has_choice_of_number {
                return Err(Error::fault(
                    "/nextNumber",
                    Reason::NumbersBegun { year: i64::from(before.year) },
                ));
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
