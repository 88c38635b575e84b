//! Small businesses scheme (KOR, art. 25 Wet OB 1968): the periods in which it applies, and its
//! effect on sales and on the deduction of VAT.

use crate::{Context, Error, Fault, Reason};
use jiff::civil::Date;
use ledger::{
    purchase::Deduction,
    vat::{SalesDefaults, VatRate, VatScheme},
};
use store::{
    Tx,
    books::Books,
    schemes::{self as rows, SchemeChange},
};

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

/// Like [`kor_in`], for an invoice. The invoice that passed the limit ended the scheme on its day,
/// but invoices of that day with lower numbers stay exempt. A new invoice has no id.
pub(crate) fn kor_of(
    tx: &mut Tx<'_>,
    books: &Books,
    day: Date,
    id: Option<i64>,
) -> Result<Option<Date>, Error> {
    if books.terms().scheme_changes == 0 {
        return Ok(None);
    }
    kor_shown(tx, books.account(), day, id)
}

/// Like [`kor_of`], for a query.
pub(crate) fn kor_shown(
    tx: &mut Tx<'_>,
    account: i64,
    day: Date,
    id: Option<i64>,
) -> Result<Option<Date>, Error> {
    let changes = rows::all(tx, account)?;
    let is_earlier = |change: &SchemeChange| {
        change.from == day && id.is_some_and(|id| change.invoice_id.is_some_and(|by| id < by))
    };
    let last = changes.iter().rev().find(|change| change.from <= day && !is_earlier(change));
    Ok(last.filter(|change| change.scheme == VatScheme::Kor).map(|change| change.from))
}

/// Returns the defaults for sales. Under the small businesses scheme, sales that would otherwise be
/// taxed in the Netherlands are exempt, even if their lines specify another category.
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
