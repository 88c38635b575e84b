//! Method of declaring VAT on sales: by invoice, or when the customer pays (kasstelsel, art. 26 Wet
//! OB 1968, art. 26 Uitvoeringsbeschikking omzetbelasting 1968).

use crate::{Context, Error, PeriodError, Reason, cash_accounting, context};
use jiff::civil::Date;
use ledger::{
    cash_accounting::{CashGround, VatMethod},
    money::Cents,
};
use store::{
    Tx,
    cash_accounting::{self as rows, MethodChange},
    filings,
};

/// Command that changes the method from a date onwards.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ChangeMethod {
    /// New method.
    pub method: VatMethod,
    /// First day of the method.
    pub from: Date,
    /// Ground for cash accounting.
    pub ground: Option<CashGround>,
    /// Day on which the tax office designated the business.
    pub designated_on: Option<Date>,
}

/// Change of method, with the turnover that its ground depends on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MethodDetails {
    /// The change.
    pub change: MethodChange,
    /// Turnover of the calendar year of the change and the year before, in cents: in total, and
    /// from businesses.
    pub turnover: (Cents, Cents),
}

impl MethodDetails {
    /// Whether businesses buy more than the ground for cash accounting allows.
    #[must_use]
    pub fn is_doubtful(&self) -> bool {
        let (total, businesses) = (self.turnover.0.get(), self.turnover.1.get());
        let least = self.change.ground.and_then(CashGround::least_percent);
        least.is_some_and(|least| businesses * 100 > total * (100 - least))
    }
}

/// Records a change of method, replacing an earlier change with the same first day; returns all
/// changes. Invoices supplied from then on follow the new method. If cash accounting ends, the VAT
/// on invoices that customers still owe becomes due on that day.
///
/// # Errors
/// The account is not Dutch, the ground does not fit the method, the date is not the first day of a
/// VAT period, or the return for that day or a later one has been filed.
pub fn change(
    tx: &mut Tx<'_>,
    cx: &Context,
    command: &ChangeMethod,
) -> Result<Vec<MethodDetails>, Error> {
    context::transact(tx, cx, |tx, books, cx| {
        cx.actor.require_dutch()?;
        let (account, from) = (cx.actor.account, command.from);
        check_ground(command)?;
        let change = MethodChange {
            from,
            method: command.method,
            ground: command.ground,
            designated_on: command.designated_on,
            noted_at: cx.now(),
        };
        let is_known =
            |known: &MethodChange| MethodChange { noted_at: known.noted_at, ..change } == *known;
        if rows::methods(tx, account)?.iter().any(is_known) {
            return list(tx, cx);
        }
        let first = cx.actor.vat_units.period_of(from).first_day();
        if from != first {
            return Err(Error::fault("/from", Reason::NotFirstOfPeriod { first }));
        }
        if books.terms().last_filed.is_some_and(|last| last >= from)
            && let Some(filed) =
                filings::all(tx, account)?.into_iter().rfind(|filing| filing.is_filed())
        {
            return Err(PeriodError::SettingFiled(filed.period).into());
        }
        rows::put(tx, account, &change)?;
        cash_accounting::apply_methods(tx, books, cx, from)?;
        list(tx, cx)
    })
}

/// Checks that cash accounting has a ground, and that only a designation has a day, which is not
/// after the first day of the method.
fn check_ground(command: &ChangeMethod) -> Result<(), Error> {
    let is_designated = command.ground == Some(CashGround::Designated);
    let (path, reason) = match (command.method, command.ground, command.designated_on) {
        (VatMethod::Cash, None, _) => ("/ground", Reason::Required),
        (VatMethod::Invoice, Some(_), _) => ("/ground", Reason::OnlyWithCash),
        (_, _, None) if is_designated => ("/designatedOn", Reason::Required),
        (_, _, Some(_)) if !is_designated => ("/designatedOn", Reason::DayOfDesignation),
        (_, _, Some(day)) if day > command.from => {
            ("/designatedOn", Reason::DesignatedLater { from: command.from })
        }
        _ => return Ok(()),
    };
    Err(Error::fault(path, reason))
}

/// Returns all changes of method, ordered by first day.
///
/// # Errors
/// The storage failed.
pub fn list(tx: &mut Tx<'_>, cx: &Context) -> Result<Vec<MethodDetails>, Error> {
    let account = cx.actor.account;
    let mut found = Vec::new();
    for change in rows::methods(tx, account)? {
        let year = change.from.year();
        let day = |year, month, day| Date::new(year, month, day).unwrap_or(Date::MAX);
        let days = (day(year - 1, 1, 1), day(year, 12, 31));
        let turnover = match change.ground.and_then(CashGround::least_percent) {
            Some(_) => rows::turnover(tx, account, days)?,
            None => (Cents::ZERO, Cents::ZERO),
        };
        found.push(MethodDetails { change, turnover });
    }
    Ok(found)
}
