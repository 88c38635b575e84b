//! Units in which an account files its VAT returns: quarters, until the tax office assigns another
//! unit (art. 10(2) Algemene wet inzake rijksbelastingen).

use crate::{Context, Error, PeriodError, Reason, context};
use jiff::{ToSpan, civil::Date};
use ledger::{
    money::Cents,
    vat_period::{VatPeriod, VatUnit, VatUnits},
    vat_return,
};
use store::{
    Tx, accounts, filings, journal,
    vat_units::{self as rows, UnitChange},
};

/// Command that changes the unit from a date onwards.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ChangeUnit {
    /// New unit.
    pub unit: VatUnit,
    /// First day of the unit, which must begin a period of the old and of the new unit.
    pub from: Date,
}

/// Records a change of unit, replacing an earlier change with the same first day; returns all
/// changes.
///
/// # Errors
/// The account is not Dutch, the change does not begin a period of both the old and the new unit,
/// it would prevent a later change from doing so, or the return for that day or a later one has
/// been filed.
pub fn change(
    tx: &mut Tx<'_>,
    cx: &Context,
    command: &ChangeUnit,
) -> Result<Vec<UnitChange>, Error> {
    context::transact(tx, cx, |tx, books, cx| {
        cx.actor.require_dutch()?;
        let account = cx.actor.account;
        let units = &cx.actor.vat_units;
        let changed = units
            .with(command.from, command.unit)
            .map_err(|misplaced| misplaced_fault(units, command, misplaced.from))?;
        if changed != *units
            && books.terms().last_filed.is_some_and(|last| last >= command.from)
            && let Some(filed) =
                filings::all(tx, account)?.into_iter().rfind(|filing| filing.is_filed())
        {
            return Err(PeriodError::SettingFiled(filed.period).into());
        }
        let mut changes = books.terms().account.vat_units.clone();
        changes.retain(|change| change.from != command.from);
        changes.push(UnitChange { from: command.from, unit: command.unit, recorded_at: cx.now() });
        changes.sort_by_key(|change| change.from);
        rows::put(tx, account, &changes)?;
        Ok(changes)
    })
}

/// Returns the error for a change whose first day does not begin a period of both the old and the
/// new unit, or that would prevent a later change from doing so.
fn misplaced_fault(units: &VatUnits, command: &ChangeUnit, misplaced: Date) -> Error {
    let before = units.on(command.from.saturating_sub(1.day()));
    let first = |unit| VatPeriod::of(command.from, unit).first_day();
    Error::fault(
        "/from",
        match command.unit.max(before) {
            _ if misplaced != command.from => Reason::LaterUnitChange { from: misplaced },
            VatUnit::Year => Reason::NotFirstOfYear { first: first(VatUnit::Year) },
            VatUnit::Quarter | VatUnit::Month => {
                Reason::NotFirstOfQuarter { first: first(VatUnit::Quarter) }
            }
        },
    )
}

/// Returns all changes of unit, ordered by first day.
///
/// # Errors
/// The storage failed.
pub fn list(tx: &mut Tx<'_>, cx: &Context) -> Result<Vec<UnitChange>, Error> {
    let account = accounts::by_id(tx, cx.actor.account)?;
    Ok(account.ok_or(Error::NotFound("account"))?.vat_units)
}

/// VAT payable for a year, in cents, from which the tax office usually ends annual returns
/// (Belastingdienst, "Btw-aangifte per jaar"; known from secondary sources).
const ANNUAL_RETURN_LIMIT: Cents = Cents::new(188_300);

/// Whether the tax office probably does not allow annual returns, because of the VAT payable for
/// last year.
///
/// # Errors
/// The storage failed.
pub fn is_annual_doubtful(tx: &mut Tx<'_>, cx: &Context) -> Result<bool, Error> {
    let Some(year) = VatPeriod::year(cx.today().year() - 1) else { return Ok(false) };
    let totals = journal::vat_totals_of(tx, cx.actor.account, year)?;
    Ok(vat_return::vat_return(totals).payable >= ANNUAL_RETURN_LIMIT)
}
