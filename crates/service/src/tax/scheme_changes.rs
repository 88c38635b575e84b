//! Commands that begin and end the small businesses scheme (KOR, art. 25 to 25d Wet OB 1968).

use super::{kor, vat_schemes::deduction};
use crate::{
    Context, Error, PeriodError, Reason, VatError, assets, context, corrections::IfFiled, expenses,
    payouts, vat_revisions,
};
use jiff::civil::Date;
use ledger::{
    calendar::Quarter,
    vat::{SchemeReason, VatCategory, VatScheme},
};
use store::{
    Tx, assets as asset_rows,
    books::Books,
    events, expenses as expense_rows, filings, kor as kor_rows,
    schemes::{self as rows, SchemeChange},
};

/// Command that changes the VAT scheme from a date onwards.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ChangeScheme {
    /// New scheme.
    pub scheme: VatScheme,
    /// First day of the scheme.
    pub from: Date,
    /// Reason. If the limit was passed, the scheme ends on the day of the supply that passed it.
    pub because: SchemeReason,
    /// Day on which the tax office was notified of the small businesses scheme.
    pub notified_on: Option<Date>,
}

/// Records a change of scheme; returns all changes.
///
/// # Errors
/// The scheme cannot begin or end on the date, the small businesses scheme is barred, invoices,
/// sales of assets or private use with VAT exist in the time in which it would apply, or a return
/// was filed for the period that contains the date or for a later period.
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
    books: &mut Books,
    cx: &Context,
    command: &ChangeScheme,
) -> Result<(), Error> {
    let account = cx.actor.account;
    let changes = rows::all(tx, account)?;
    check_first_day(tx, cx, &changes, command)?;
    let before = kor::scheme_on(&changes, command.from);
    // The change would affect a return that was filed under another scheme.
    if before != command.scheme
        && books.terms().last_filed.is_some_and(|last| last >= command.from)
        && let Some(filed) =
            filings::all(tx, account)?.into_iter().rfind(|filing| filing.is_filed())
    {
        return Err(PeriodError::SettingFiled(filed.period).into());
    }
    if command.scheme == VatScheme::Kor {
        let next = changes.iter().find(|change| change.from > command.from);
        let last = next.map_or(Ok(Date::MAX), |change| change.from.yesterday());
        reject_taxed(tx, account, (command.from, last.unwrap_or(Date::MAX)))?;
    }
    let passing = kor::turnover(tx, account, command.from.year())?.passing();
    let change = SchemeChange {
        from: command.from,
        scheme: command.scheme,
        noted_at: cx.now(),
        because: command.because,
        invoice_id: passing
            .filter(|_| command.because == SchemeReason::Limit)
            .map(|invoice| invoice.id),
        notified_on: command.notified_on,
    };
    rows::put(tx, account, &change)?;
    rebook_purchases(tx, books, cx, command.from, IfFiled::Refuse)
}

/// Rejects VAT that was charged between two days: under the small businesses scheme, invoices,
/// sales of assets and private use have none (art. 25(1) Wet OB 1968). Private use is only a supply
/// if VAT on the goods was deducted (art. 3(3)(a) and 4(2)(a)).
fn reject_taxed(tx: &mut Tx<'_>, account: i64, days: (Date, Date)) -> Result<(), Error> {
    let invoices = kor_rows::invoices_with(tx, account, days, VatCategory::Standard)?;
    if !invoices.is_empty() {
        return Err(VatError::KorHasTaxedInvoices(invoices).into());
    }
    let mut sales = Vec::new();
    for asset in asset_rows::disposed(tx, account, days)? {
        if vat_revisions::is_sale_taxed(tx, account, asset.id)? {
            sales.push(asset.id);
        }
    }
    if !sales.is_empty() {
        return Err(VatError::KorHasTaxedSales(sales).into());
    }
    match events::taxed_private_use(tx, account, days)? {
        taxed if taxed.is_empty() => Ok(()),
        taxed => Err(VatError::KorHasTaxedPrivateUse(taxed).into()),
    }
}

/// Checks that a scheme can begin on the first day of a change: KOR on the first day of a VAT
/// period (art. 25a(5) Wet OB 1968), its voluntary end on the first day of a calendar quarter, and
/// its end because of the limit on the day of the supply that passed the limit (art. 25a(9)).
fn check_first_day(
    tx: &mut Tx<'_>,
    cx: &Context,
    changes: &[SchemeChange],
    command: &ChangeScheme,
) -> Result<(), Error> {
    let (account, from) = (cx.actor.account, command.from);
    if command.scheme == VatScheme::Normal && command.because == SchemeReason::Limit {
        let is_again =
            |change: &SchemeChange| change.from == from && change.because == SchemeReason::Limit;
        if changes.iter().any(is_again) {
            return Ok(());
        }
        let passing = kor::turnover(tx, account, from.year())?.passing();
        return match passing.filter(|of| kor::scheme_on(changes, of.day) == VatScheme::Kor) {
            Some(passing) if passing.day == from => Ok(()),
            Some(passing) => Err(Error::fault("/from", Reason::KorPassedOn { date: passing.day })),
            None => Err(Error::fault("/from", Reason::KorNotPassed)),
        };
    }
    if command.scheme == VatScheme::Normal {
        let first = Quarter::of(from).first_day();
        return if from == first {
            Ok(())
        } else {
            Err(Error::fault("/from", Reason::NotFirstOfQuarter { first }))
        };
    }
    let first = cx.actor.vat_units.period_of(from).first_day();
    if from != first {
        return Err(Error::fault("/from", Reason::NotFirstOfPeriod { first }));
    }
    let latest = kor::latest_notice(from);
    if command.notified_on.is_some_and(|day| day > latest) {
        return Err(Error::fault("/notifiedOn", Reason::KorNotice { latest }));
    }
    match kor::bar(tx, account, changes, from)? {
        Some(until) => Err(Error::fault("/from", Reason::KorBarred { until })),
        None => Ok(()),
    }
}

/// End of the small businesses scheme, caused by the supply that passed its limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Ending {
    /// Day of the supply.
    pub(crate) from: Date,
    /// Id of the invoice; `None` if the invoice has no id yet.
    pub(crate) invoice_id: Option<i64>,
}

/// Records that the small businesses scheme ended.
pub(crate) fn end(tx: &mut Tx<'_>, cx: &Context, ending: Ending) -> Result<(), Error> {
    let change = SchemeChange {
        from: ending.from,
        scheme: VatScheme::Normal,
        noted_at: cx.now(),
        because: SchemeReason::Limit,
        invoice_id: ending.invoice_id,
        notified_on: None,
    };
    Ok(rows::put(tx, cx.actor.account, &change)?)
}

/// Rebooks the purchases and the fees of payouts dated `from` or later whose VAT deduction does not
/// match the scheme now in force on their date, and what follows from them: the depreciation and
/// the disposal of assets, and the revision of VAT on their sale.
pub(crate) fn rebook_purchases(
    tx: &mut Tx<'_>,
    books: &mut Books,
    cx: &Context,
    from: Date,
    if_filed: IfFiled,
) -> Result<(), Error> {
    let changes = rows::all(tx, cx.actor.account)?;
    let deduction_on = |date: Date| {
        let is_kor = kor::scheme_on(&changes, date) == VatScheme::Kor;
        deduction(is_kor.then_some(date))
    };
    for (id, date) in expense_rows::deducting_since(tx, cx.actor.account, from)? {
        let asset = expenses::deduct(tx, books, cx, (id, deduction_on(date)), if_filed)?;
        if let Some(change) = asset {
            assets::recost(tx, books, cx, change, if_filed)?;
        }
    }
    vat_revisions::follow_sales(tx, books, cx, (from.year()..=i16::MAX, None), if_filed)?;
    payouts::deduct_since(tx, books, cx, (from, &deduction_on), if_filed)
}
