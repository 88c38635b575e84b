//! The small businesses scheme (KOR, art. 25 Wet OB 1968): since when it is used, and what it does to sales.

use crate::{Context, Error, Fault, Reason, context};
use jiff::civil::Date;
use ledger::{
    calendar::Quarter,
    purchase::Deduction,
    vat::{SalesDefaults, VatRate, VatScheme},
};
use store::{
    Tx,
    books::Books,
    schemes::{self as rows, SchemeChange},
};

/// Changes the scheme from a day on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ChangeScheme {
    /// The scheme.
    pub scheme: VatScheme,
    /// Its first day, that of a quarter.
    pub from: Date,
}

/// Notes that a scheme is used from a day on; gives all changes.
///
/// # Errors
/// The day is not the first of a quarter, or the return of that quarter or of a later one is filed.
pub fn change(tx: &mut Tx<'_>, cx: &Context, command: &ChangeScheme) -> Result<Vec<SchemeChange>, Error> {
    context::transact(tx, cx, |tx, books, cx| {
        cx.actor.require_dutch()?;
        put(tx, books, cx, command)?;
        Ok(rows::all(tx, cx.actor.account)?)
    })
}

/// [`change`] for whoever holds the books.
pub(crate) fn put(tx: &mut Tx<'_>, books: &Books, cx: &Context, command: &ChangeScheme) -> Result<(), Error> {
    let quarter = Quarter::of(command.from);
    let first = quarter.first_day();
    if command.from != first {
        return Err(Error::fault("/from", Reason::NotFirstOfQuarter { first }));
    }
    let before = rows::on(tx, cx.actor.account, command.from)?.map_or(VatScheme::Normal, |change| change.scheme);
    // A return that is filed was of another scheme.
    if let Some(filed) = books.terms().last_filed.filter(|filed| *filed >= quarter && before != command.scheme) {
        return Err(Error::PeriodFiled(filed));
    }
    Ok(rows::put(tx, cx.actor.account, &SchemeChange { from: command.from, scheme: command.scheme, noted_at: cx.now() })?)
}

/// All changes of scheme, the first day first.
///
/// # Errors
/// The storage failed.
pub fn list(tx: &mut Tx<'_>, cx: &Context) -> Result<Vec<SchemeChange>, Error> {
    Ok(rows::all(tx, cx.actor.account)?)
}

/// Since when the small businesses scheme is used on a day; nothing where it is not. Purchases ask it too: VAT on them is cost then.
///
/// # Errors
/// The storage failed.
pub fn kor_since(tx: &mut Tx<'_>, account: i64, day: Date) -> Result<Option<Date>, Error> {
    let change = rows::on(tx, account, day)?.filter(|change| change.scheme == VatScheme::Kor);
    Ok(change.map(|change| change.from))
}

/// Whether the VAT on what is bought on a day is deducted.
///
/// # Errors
/// The storage failed.
pub fn deduction_on(tx: &mut Tx<'_>, cx: &Context, day: Date) -> Result<Deduction, Error> {
    Ok(deduction(kor_since(tx, cx.actor.account, day)?))
}

/// Whether VAT is deducted where the scheme is used since a day, or not at all.
pub(crate) fn deduction(kor: Option<Date>) -> Deduction {
    if kor.is_some() { Deduction::Never } else { Deduction::Usual }
}

/// [`kor_since`] for a command, which asks nothing where the account never changed its scheme.
pub(crate) fn kor_in(tx: &mut Tx<'_>, books: &Books, day: Date) -> Result<Option<Date>, Error> {
    if books.terms().scheme_changes == 0 { Ok(None) } else { kor_since(tx, books.account(), day) }
}

/// What sales are: under the scheme what is taxed in the Netherlands is exempt, whatever a line says.
pub(crate) fn sales(defaults: SalesDefaults, kor: Option<Date>) -> SalesDefaults {
    SalesDefaults { is_small_business: kor.is_some(), ..defaults }
}

/// Refuses VAT on lines, by their rates, under the scheme (art. 25a(4) Wet OB 1968).
pub(crate) fn check(kor: Option<Date>, rates: impl Iterator<Item = VatRate>) -> Result<(), Error> {
    let Some(since) = kor else { return Ok(()) };
    let taxed = rates.enumerate().filter(|(_, rate)| !rate.is_zero());
    let faults: Vec<Fault> =
        taxed.map(|(place, _)| Fault::new(format!("/items/{place}/vatRate"), Reason::KorApplies { since })).collect();
    if faults.is_empty() { Ok(()) } else { Err(Error::Invalid(faults)) }
}
