//! Small businesses scheme (KOR, art. 25 Wet OB 1968): the periods in which it applies, and its
//! effect on sales.

use crate::{Context, Error, Fault, PeriodError, Reason, context};
use jiff::civil::Date;
use ledger::{
    calendar::Quarter,
    purchase::Deduction,
    vat::{SalesDefaults, VatRate, VatScheme},
};
use store::{
    Tx,
    books::Books,
    filings,
    schemes::{self as rows, SchemeChange},
};

/// Command that changes the VAT scheme from a date onwards.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ChangeScheme {
    /// New scheme.
    pub scheme: VatScheme,
    /// First day of the scheme, which must be the first day of a quarter.
    pub from: Date,
}

/// Records a change of scheme; returns all changes.
///
/// # Errors
/// The date is not the first day of a quarter, or the return of that or a later quarter was filed.
pub fn change(
    tx: &mut Tx<'_>,
    cx: &Context,
    command: &ChangeScheme,
) -> Result<Vec<SchemeChange>, Error> {
    context::transact(tx, cx, |tx, books, cx| {
        cx.actor.require_dutch()?;
        put(tx, books, cx, command)?;
        Ok(rows::all(tx, cx.actor.account)?)
    })
}

/// Like [`change`], for a caller that has locked the books.
pub(crate) fn put(
    tx: &mut Tx<'_>,
    books: &Books,
    cx: &Context,
    command: &ChangeScheme,
) -> Result<(), Error> {
    let quarter = Quarter::of(command.from);
    let first = quarter.first_day();
    if command.from != first {
        return Err(Error::fault("/from", Reason::NotFirstOfQuarter { first }));
    }
    let before = rows::on(tx, cx.actor.account, command.from)?
        .map_or(VatScheme::Normal, |change| change.scheme);
    // Returns filed for periods after that date are based on the previous scheme.
    if before != command.scheme
        && books.terms().last_filed.is_some_and(|last| last >= command.from)
        && let Some(filed) =
            filings::all(tx, cx.actor.account)?.into_iter().rfind(|filing| filing.is_filed())
    {
        return Err(PeriodError::Filed(filed.period).into());
    }
    Ok(rows::put(
        tx,
        cx.actor.account,
        &SchemeChange { from: command.from, scheme: command.scheme, noted_at: cx.now() },
    )?)
}

/// Returns all changes of scheme, ordered by first day.
///
/// # Errors
/// The storage failed.
pub fn list(tx: &mut Tx<'_>, cx: &Context) -> Result<Vec<SchemeChange>, Error> {
    Ok(rows::all(tx, cx.actor.account)?)
}

/// First day of the small businesses scheme if it applies on `day`. Under the scheme, VAT on
/// purchases is a cost.
///
/// # Errors
/// The storage failed.
pub fn kor_since(tx: &mut Tx<'_>, account: i64, day: Date) -> Result<Option<Date>, Error> {
    let change = rows::on(tx, account, day)?.filter(|change| change.scheme == VatScheme::Kor);
    Ok(change.map(|change| change.from))
}

/// Rule for deducting the VAT on purchases made on `day`.
///
/// # Errors
/// The storage failed.
pub fn deduction_on(tx: &mut Tx<'_>, cx: &Context, day: Date) -> Result<Deduction, Error> {
    Ok(deduction(kor_since(tx, cx.actor.account, day)?))
}

/// Rule for deducting VAT, given the first day of the small businesses scheme if it applies.
pub(crate) fn deduction(kor: Option<Date>) -> Deduction {
    if kor.is_some() { Deduction::Never } else { Deduction::Usual }
}

/// Like [`kor_since`], for a command; queries nothing if the account never changed its scheme.
pub(crate) fn kor_in(tx: &mut Tx<'_>, books: &Books, day: Date) -> Result<Option<Date>, Error> {
    if books.terms().scheme_changes == 0 { Ok(None) } else { kor_since(tx, books.account(), day) }
}

/// Adjusts the defaults for sales to the small businesses scheme, if it applies: sales taxed in the
/// Netherlands are then exempt regardless of their lines.
pub(crate) fn sales(defaults: SalesDefaults, kor: Option<Date>) -> SalesDefaults {
    SalesDefaults { is_small_business: kor.is_some(), ..defaults }
}

/// Rejects lines with VAT under the scheme, given their rates (art. 25a(4) Wet OB 1968).
pub(crate) fn check(kor: Option<Date>, rates: impl Iterator<Item = VatRate>) -> Result<(), Error> {
    let Some(since) = kor else { return Ok(()) };
    let taxed = rates.enumerate().filter(|(_, rate)| !rate.is_zero());
    let faults: Vec<Fault> = taxed
        .map(|(place, _)| {
            Fault::new(format!("/items/{place}/vatRate"), Reason::KorApplies { since })
        })
        .collect();
    if faults.is_empty() { Ok(()) } else { Err(Error::Invalid(faults)) }
}
