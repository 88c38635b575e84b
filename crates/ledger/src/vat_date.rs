//! VAT date of a sale: the date on which the VAT is due, which determines its VAT return.

use crate::vat::{Supply, VatCategory};
use jiff::civil::Date;

/// Returns the last day for invoicing a supply: the 15th of the following month (art. 34g Wet OB
/// 1968). The VAT is due on that day at the latest (art. 13(1)(a)).
#[must_use]
pub fn invoice_deadline(last_day_of_supply: Date) -> Date {
    // The 1st and the 15th exist in every month; years after 9999 do not occur
    // (`calendar::parse_date`).
    last_day_of_supply
        .last_of_month()
        .tomorrow()
        .ok()
        .and_then(|first| first.with().day(15).build().ok())
        .unwrap_or(Date::MAX)
}

/// Returns the date on which the VAT on an invoice is due: the earliest VAT date among its lines.
/// Without a date of supply, that is the invoice date. For services to businesses in another member
/// state it is the last day of supply (box 3b and the EC sales list follow the period of
/// performance). For all other lines it is the invoice date, but no later than the deadline for
/// invoicing (art. 13(1)(a) Wet OB 1968; for intra-community goods, art. 13(3)).
///
/// ```
/// use ledger::{
///     calendar::parse_date,
///     vat::{Supply, VatCategory},
///     vat_date::vat_date,
/// };
///
/// let (invoiced, supplied) = (parse_date("2027-01-20")?, parse_date("2026-11-20")?);
/// let line = (VatCategory::Standard, Supply::Services);
/// assert_eq!(vat_date(invoiced, Some(supplied), [line]), parse_date("2026-12-15")?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn vat_date(
    invoice_date: Date,
    last_day_of_supply: Option<Date>,
    lines: impl IntoIterator<Item = (VatCategory, Supply)>,
) -> Date {
    let Some(supplied) = last_day_of_supply else { return invoice_date };
    let of_line = |(category, supply): (VatCategory, _)| match (category.public(), supply) {
        (VatCategory::IntraCommunity, Supply::Services | Supply::Electronic) => supplied,
        _ => invoice_date.min(invoice_deadline(supplied)),
    };
    lines.into_iter().map(of_line).min().unwrap_or(invoice_date)
}

/// Whether an invoice is dated after the statutory deadline.
#[must_use]
pub fn invoiced_late(invoice_date: Date, last_day_of_supply: Option<Date>) -> bool {
    last_day_of_supply.is_some_and(|supplied| invoice_date > invoice_deadline(supplied))
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::civil::date;

    #[test]
    fn vat_is_due_on_the_invoice_but_at_the_latest_on_the_fifteenth_of_the_month_after_the_supply()
    {
        use Supply::{Goods, Services, Triangular};
        use VatCategory::{IntraCommunity, Standard};
        let (home, eu, goods) =
            ((Standard, Services), (IntraCommunity, Services), (IntraCommunity, Goods));
        // Invoice date, last day of supply, lines; expected VAT date, and whether the invoice is
        // late.
        type Case<'c> = (Date, Option<Date>, &'c [(VatCategory, Supply)], Date, bool);
        let cases: [Case<'_>; 11] = [
            (date(2026, 3, 15), None, &[home], date(2026, 3, 15), false),
            (date(2026, 3, 15), None, &[eu], date(2026, 3, 15), false),
            // Invoiced before the work is done: VAT due with the invoice.
            (date(2026, 3, 15), Some(date(2026, 4, 30)), &[home], date(2026, 3, 15), false),
            (date(2026, 4, 10), Some(date(2026, 3, 31)), &[home], date(2026, 4, 10), false),
            (date(2026, 4, 15), Some(date(2026, 3, 1)), &[home], date(2026, 4, 15), false),
            // Work completed on 20 November and invoiced on 20 January: VAT due on 15 December.
            (date(2027, 1, 20), Some(date(2026, 11, 20)), &[home], date(2026, 12, 15), true),
            (date(2027, 2, 1), Some(date(2026, 12, 31)), &[home], date(2027, 1, 15), true),
            // Service to a German business in March, invoiced on 10 April: VAT date in March.
            (date(2026, 4, 10), Some(date(2026, 3, 31)), &[eu], date(2026, 3, 31), false),
            (date(2026, 4, 10), Some(date(2026, 3, 31)), &[goods], date(2026, 4, 10), false),
            (
                date(2026, 5, 20),
                Some(date(2026, 3, 31)),
                &[(IntraCommunity, Triangular)],
                date(2026, 4, 15),
                true,
            ),
            (date(2026, 4, 10), Some(date(2026, 3, 31)), &[goods, eu], date(2026, 3, 31), false),
        ];
        for (invoiced, supplied, lines, due, late) in cases {
            assert_eq!(
                vat_date(invoiced, supplied, lines.iter().copied()),
                due,
                "{invoiced} {supplied:?} {lines:?}"
            );
            assert_eq!(invoiced_late(invoiced, supplied), late, "{invoiced} {supplied:?}");
        }
    }

    #[test]
    fn the_deadline_is_the_fifteenth_of_the_next_month() {
        for (supplied, deadline) in [
            (date(2026, 1, 1), date(2026, 2, 15)),
            (date(2026, 1, 31), date(2026, 2, 15)),
            (date(2026, 12, 31), date(2027, 1, 15)),
            (date(2099, 12, 1), date(2100, 1, 15)),
        ] {
            assert_eq!(invoice_deadline(supplied), deadline);
        }
    }
}
