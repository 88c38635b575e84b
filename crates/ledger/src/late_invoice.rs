//! Invoices that are dated in a later year than their VAT: a separate entry declares the VAT in the
//! earlier year.
//!
//! VAT is due no later than the 15th of the month after the supply (art. 13(1)(a) Wet OB 1968),
//! which can be in an earlier year than the invoice. If the VAT were booked with the invoice, the
//! balance sheet for the earlier year would lack VAT that the returns for that year declare. The
//! VAT is therefore booked on its own date, against account 1325, which the invoice clears.

use crate::{
    chart::{Role, codes},
    correction::{BALANCED, parts},
    entry::{JournalEntry, Posting},
    money::Cents,
};

/// Result of [`split`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Split {
    /// Entry on the invoice date: without boxes, and with the VAT posted to account 1325.
    pub own: JournalEntry,
    /// Entry on the VAT date: with the boxes, and with the VAT posted against account 1325. Revenue
    /// nets to zero.
    pub early: JournalEntry,
}

/// Splits the entry of an invoice whose VAT is due in an earlier year. Returns `None` if the VAT is
/// not due in an earlier year, or if the entry has no VAT or is a reversal.
///
/// ```
/// use ledger::{
///     calendar::parse_date,
///     chart::codes,
///     description::{Description, DescriptionKind},
///     entry::{JournalEntry, Posting, Source, SourceType},
///     late_invoice,
///     money::Cents,
///     vat::VatBox,
/// };
///
/// // Work of November, invoiced on 20 January: 2 500.00 and 525.00 of VAT.
/// let credit = |account, cents| Posting::credit(account, Cents::new(cents), Some(VatBox::B1a));
/// let invoice = JournalEntry::new(
///     parse_date("2027-01-20")?,
///     Description::of(DescriptionKind::Invoice),
///     Source { kind: SourceType::Invoice, id: 1 },
///     vec![
///         Posting::debit(codes::RECEIVABLES, Cents::new(302_500), None),
///         credit(codes::REVENUE_HIGH, 250_000),
///         credit(codes::VAT_DUE_HIGH, 52_500),
///     ],
/// )?;
/// let split = late_invoice::split(&invoice.with_vat_date(parse_date("2026-12-15")?)).expect("late");
/// assert_eq!(split.early.date(), parse_date("2026-12-15")?);
/// assert!(split.early.declares_ahead() && split.own.is_declared_ahead());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn split(entry: &JournalEntry) -> Option<Split> {
    let vat: Cents = entry.postings().iter().filter(|posting| is_vat(posting)).map(credited).sum();
    let is_late = entry.vat_date().year() < entry.date().year();
    if !is_late || vat.is_zero() || entry.reverses().is_some() {
        return None;
    }
    let (own, early) = parts(entry, codes::VAT_BEFORE_INVOICE);
    Some(Split {
        own: entry.with_postings(own).expect(BALANCED),
        early: entry.with_postings(early).expect(BALANCED).moved_to(entry.vat_date()),
    })
}

fn is_vat(posting: &Posting) -> bool {
    posting.vat_box().is_some() && matches!(posting.account().role(), Role::VatDue | Role::InputVat)
}

fn credited(posting: &Posting) -> Cents {
    posting.credited() - posting.debited()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        correction,
        description::{Description, DescriptionKind},
        entry::{Source, SourceType},
        vat::VatBox,
    };
    use jiff::civil::{Date, date};

    fn sale(on: Date, vat_date: Date, vat: i64) -> JournalEntry {
        let source = Source { kind: SourceType::Invoice, id: 1 };
        let postings = vec![
            Posting::debit(codes::RECEIVABLES, Cents::new(100_000 + vat), None),
            Posting::credit(codes::REVENUE_HIGH, Cents::new(100_000), Some(VatBox::B1a)),
            Posting::credit(codes::VAT_DUE_HIGH, Cents::new(vat), Some(VatBox::B1a)),
        ];
        let about = Description::of(DescriptionKind::Invoice);
        JournalEntry::new(on, about, source, postings).unwrap().with_vat_date(vat_date)
    }

    fn lines(entry: &JournalEntry) -> Vec<(u16, i64, Option<VatBox>)> {
        let postings = entry.postings().iter();
        postings.map(|p| (p.account().get(), -credited(p).get(), p.vat_box())).collect()
    }

    #[test]
    fn vat_of_an_earlier_year_stands_on_1325_until_the_invoice() {
        let invoice = sale(date(2027, 1, 20), date(2026, 12, 15), 21_000);
        let Split { own, early } = split(&invoice).unwrap();
        assert_eq!(
            lines(&own),
            [(1300, 121_000, None), (8000, -100_000, None), (1325, -21_000, None)]
        );
        assert_eq!(
            lines(&early),
            [
                (8000, -100_000, Some(VatBox::B1a)),
                (8000, 100_000, None),
                (1700, -21_000, Some(VatBox::B1a)),
                (1325, 21_000, None),
            ]
        );
        assert_eq!((early.date(), early.vat_date()), (date(2026, 12, 15), date(2026, 12, 15)));
        assert_eq!((own.date(), own.vat_date()), (date(2027, 1, 20), date(2026, 12, 15)));
        assert!(own.is_declared_ahead() && !own.declares_ahead() && early.carries_boxes());
        assert!(correction::posts_the_same(&correction::joined(&own, &early), &invoice));
    }

    #[test]
    fn within_a_year_without_vat_and_of_a_reversal_there_is_one_entry() {
        let late = sale(date(2027, 1, 20), date(2026, 12, 15), 21_000);
        for entry in [
            sale(date(2026, 12, 20), date(2026, 11, 15), 21_000),
            sale(date(2027, 1, 20), date(2027, 1, 15), 21_000),
            sale(date(2027, 1, 20), date(2026, 12, 15), 0),
            late.reversal(1, late.date(), late.vat_date()),
        ] {
            assert_eq!(split(&entry), None, "{entry:?}");
        }
    }
}
