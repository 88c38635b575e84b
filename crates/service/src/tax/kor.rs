//! Small businesses scheme (KOR, art. 25 to 25d Wet OB 1968): turnover of a year, the turnover
//! limit, and the invoice that ends the scheme by passing the limit.

use crate::{Context, Error, vat_schemes};
use jiff::{ToSpan, civil::Date};
use ledger::{
    decimal,
    kor::{self, CountedInvoice, KorKind, Turnover},
    money::Cents,
    vat::{SchemeReason, VatCategory, VatScheme},
};
use std::collections::BTreeMap;
use store::{
    Tx,
    invoices::{self, Invoice},
    kor::{self as rows, InvoiceSupply},
    schemes::{self, SchemeChange},
};

/// Minimum number of weeks between the notice to the tax office and the first day of the scheme
/// (art. 25a(5) Wet OB 1968).
const WEEKS_OF_NOTICE: i64 = 4;

/// Turnover of a year compared with the limit of the scheme.
#[derive(Debug, Clone)]
pub struct KorYear {
    /// Calendar year.
    pub year: i16,
    /// Turnover limit for the year, in cents.
    pub threshold: Cents,
    /// Turnover of the year that counts towards the limit, in cents.
    pub counted: Cents,
    /// Turnover of the previous year that counts towards the limit, in cents.
    pub previous: Cents,
    /// Whether the scheme applies today or, if the year is not the current one, on 31 December.
    pub applies: bool,
    /// Id and day of the invoice that takes the turnover over the limit.
    pub passed_by: Option<(i64, Date)>,
    /// First day on which the scheme can begin; `None` if it applies already.
    pub earliest_start: Option<Date>,
    /// First day on which the scheme may begin again after its end, if that day is in the future.
    pub barred_until: Option<Date>,
    /// Sums by kind of supply.
    pub lines: Vec<KorLine>,
}

impl KorYear {
    /// Turnover as a whole percentage of the limit, rounded down.
    #[must_use]
    pub fn percent(&self) -> i64 {
        kor::percent(self.counted, self.threshold)
    }

    /// Amount that remains below the limit, in cents.
    #[must_use]
    pub fn remaining(&self) -> Cents {
        kor::remaining(self.counted, self.threshold)
    }

    /// Whether the scheme applies and invoices warn about the limit.
    #[must_use]
    pub fn is_near(&self) -> bool {
        self.applies && self.percent() >= kor::NEAR
    }

    /// Whether the scheme applies and little of the limit remains.
    #[must_use]
    pub fn is_very_near(&self) -> bool {
        self.applies && self.percent() >= kor::VERY_NEAR
    }

    /// Whether the scheme still applies although an invoice passed the limit, so that the owner has
    /// to end the scheme.
    #[must_use]
    pub fn is_to_be_ended(&self) -> bool {
        self.applies && self.passed_by.is_some()
    }
}

/// Supplies of one kind in a year.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KorLine {
    /// Kind of supply.
    pub kind: KorKind,
    /// Amount, excluding VAT.
    pub amount: Cents,
}

/// Reads the turnover of a year, by default the current one.
///
/// # Errors
/// The storage failed.
pub fn read(tx: &mut Tx<'_>, cx: &Context, year: Option<i16>) -> Result<KorYear, Error> {
    let today = cx.today();
    let year = year.unwrap_or(today.year());
    let supplies = rows::supplies(tx, cx.actor.account, days_of(year))?;
    let mut kinds: BTreeMap<KorKind, Cents> = BTreeMap::new();
    for supply in &supplies {
        *kinds.entry(KorKind::of(supply.category, supply.supply)).or_default() += supply.amount;
    }
    let changes = schemes::all(tx, cx.actor.account)?;
    let last_day = Date::new(year, 12, 31).unwrap_or(today);
    let applies =
        scheme_on(&changes, if year == today.year() { today } else { last_day }) == VatScheme::Kor;
    let by_itself = changes
        .iter()
        .rev()
        .find(|change| change.because == SchemeReason::Limit && change.from.year() == year);
    let turnover = turnover_of(year, &supplies);
    let passed_by = match by_itself.and_then(|change| Some((change.invoice_id?, change.from))) {
        Some(passed_by) => Some(passed_by),
        None => turnover.passing().map(|invoice| (invoice.id, invoice.day)),
    };
    let barred_until = barred_until(&changes, Date::MAX);
    Ok(KorYear {
        year,
        threshold: turnover.limit,
        counted: turnover.total(),
        previous: self::turnover(tx, cx.actor.account, year - 1)?.total(),
        applies,
        passed_by,
        earliest_start: earliest_start(tx, cx, &changes)?,
        barred_until: barred_until.filter(|until| *until > today),
        lines: kinds
            .into_iter()
            .filter(|(_, amount)| !amount.is_zero())
            .map(|(kind, amount)| KorLine { kind, amount })
            .collect(),
    })
}

/// First and last day of a year.
pub(crate) fn days_of(year: i16) -> (Date, Date) {
    let day = |month, day| Date::new(year, month, day).unwrap_or(Date::MAX);
    (day(1, 1), day(12, 31))
}

/// Reads the supplies in a year that are part of the turnover.
pub(crate) fn turnover(tx: &mut Tx<'_>, account: i64, year: i16) -> Result<Turnover, Error> {
    Ok(turnover_of(year, &rows::supplies(tx, account, days_of(year))?))
}

/// Turnover from the supplies in a year. The supplies of an invoice must be adjacent.
fn turnover_of(year: i16, supplies: &[InvoiceSupply]) -> Turnover {
    let mut invoices: Vec<CountedInvoice> = Vec::new();
    for &InvoiceSupply { invoice, day, category, supply, amount } in supplies {
        if !kor::counts(category, supply) {
            continue;
        }
        match invoices.last_mut().filter(|last| last.id == invoice) {
            Some(last) => last.amount += amount,
            None => invoices.push(CountedInvoice { id: invoice, day, amount }),
        }
    }
    // Before 2020 the scheme was different and had no such limit.
    let limit = tax::calculators::kor::limit(year);
    let limit = limit.and_then(|limit| decimal::to_cents(&limit).ok());
    Turnover::new(limit.unwrap_or(Cents::MAX), invoices)
}

/// VAT scheme in force on `day`, given all changes in order.
pub(crate) fn scheme_on(changes: &[SchemeChange], day: Date) -> VatScheme {
    let last = changes.iter().rev().find(|change| change.from <= day);
    last.map_or(VatScheme::Normal, |change| change.scheme)
}

/// First day on which the scheme may begin again after its last end before `from`; `None` if it did
/// not end before `from`.
pub(crate) fn barred_until(changes: &[SchemeChange], from: Date) -> Option<Date> {
    let ends = changes.windows(2).filter_map(|pair| match pair {
        [before, after] if (before.scheme, after.scheme) == (VatScheme::Kor, VatScheme::Normal) => {
            Some(after.from)
        }
        _ => None,
    });
    // If an invoice passes the limit on the first day of the scheme, the change that ends the
    // scheme replaces the change that began it.
    let replaced = changes.iter().filter(|change| change.invoice_id.is_some());
    ends.chain(replaced.map(|change| change.from))
        .filter(|end| *end < from)
        .max()
        .map(kor::barred_until)
}

/// Day before which the scheme may not begin, if that day is after `from`; `None` if the scheme may
/// begin on `from` (art. 25(1), 25a(7) and (9) Wet OB 1968).
pub(crate) fn bar(
    tx: &mut Tx<'_>,
    account: i64,
    changes: &[SchemeChange],
    from: Date,
) -> Result<Option<Date>, Error> {
    let after_end = barred_until(changes, from);
    let year_after = |year: i16| Date::new(year + 1, 1, 1).unwrap_or(Date::MAX);
    let mut bar = after_end.filter(|until| from < *until);
    for year in [from.year() - 1, from.year()] {
        let turnover = turnover(tx, account, year)?;
        if turnover.total() > turnover.limit {
            // The turnover of the previous year must not exceed the limit either.
            bar = bar.max(Some(year_after(year + 1)));
        }
    }
    Ok(bar)
}

/// First day on which the scheme can begin if the tax office is notified today; `None` if the
/// scheme already applies.
fn earliest_start(
    tx: &mut Tx<'_>,
    cx: &Context,
    changes: &[SchemeChange],
) -> Result<Option<Date>, Error> {
    let today = cx.today();
    if scheme_on(changes, today) == VatScheme::Kor {
        return Ok(None);
    }
    let first_after = |day: Date| {
        let period = cx.actor.vat_units.period_of(day);
        if period.first_day() == day { day } else { period.last_day().saturating_add(1.day()) }
    };
    let mut start = first_after(today.saturating_add(WEEKS_OF_NOTICE.weeks()));
    // Each bar ends on a later 1 January, so the loop terminates.
    while let Some(until) = bar(tx, cx.actor.account, changes, start)? {
        start = first_after(until);
    }
    Ok(Some(start))
}

/// Latest day on which the tax office can be notified of a scheme that begins on `from`.
pub(crate) fn latest_notice(from: Date) -> Date {
    from.saturating_sub(WEEKS_OF_NOTICE.weeks())
}

/// Invoices without VAT because of the scheme that were supplied after its end: they have to be
/// credited, and made again with VAT (art. 25a(9) Wet OB 1968). Only a change of scheme with a first
/// day in the past leaves such invoices.
pub(crate) fn exempt_after_end(tx: &mut Tx<'_>, account: i64) -> Result<Vec<Invoice>, Error> {
    let changes = schemes::all(tx, account)?;
    let mut exempt = Vec::new();
    for (place, change) in changes.iter().enumerate() {
        if change.scheme == VatScheme::Kor {
            continue;
        }
        let next = changes.get(place + 1).map(|next| next.from.saturating_sub(1.day()));
        let days = (change.from, next.unwrap_or(Date::MAX));
        for id in rows::invoices_with(tx, account, days, VatCategory::SmallBusiness)? {
            // On the day on which the limit was passed, lower numbers stay exempt.
            let is_earlier = |invoice: &Invoice| {
                invoice.rates_on() == change.from && change.invoice_id.is_some_and(|by| id < by)
            };
            let invoice = invoices::by_id(tx, account, id)?;
            exempt.extend(invoice.filter(|invoice| !is_earlier(invoice)));
        }
    }
    Ok(exempt)
}

/// Position of an invoice relative to the limit of the scheme.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KorStanding {
    /// Whether the turnover up to and including the invoice is near the limit.
    pub is_near: bool,
    /// Remaining amount below the limit for the year, in cents.
    pub remaining: Cents,
    /// Whether the invoice makes an invoice with a lower number pass the limit.
    pub makes_another_pass: bool,
    /// Whether the scheme does not apply to the invoice, because it ended before.
    pub has_ended: bool,
}

/// Returns the standing of an invoice that is supplied on `day` and has lines under the scheme.
pub(crate) fn standing(
    tx: &mut Tx<'_>,
    account: i64,
    (id, day): (i64, Date),
) -> Result<KorStanding, Error> {
    let turnover = turnover(tx, account, day.year())?;
    Ok(KorStanding {
        is_near: kor::percent(turnover.until(id), turnover.limit) >= kor::NEAR,
        remaining: kor::remaining(turnover.total(), turnover.limit),
        makes_another_pass: turnover.makes_another_pass(id),
        has_ended: vat_schemes::kor_shown(tx, account, day, Some(id))?.is_none(),
    })
}
