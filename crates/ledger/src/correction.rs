//! Corrections of a filed VAT period: the entry keeps its own date, and its boxes move to a later
//! return.
//!
//! Profit belongs to the year of the entry's own date, so that date stays. The VAT is parked on
//! account 1785 until the return that carries it. Small corrections may be made on the next return
//! (Belastingdienst, "Btw-aangifte corrigeren"); larger ones require a supplementary return.

use crate::{
    chart::{AccountCode, Role, codes},
    entry::{JournalEntry, Posting},
    money::Cents,
    vat::VatBox,
    vat_period::VatPeriod,
};
use jiff::civil::Date;
use std::collections::BTreeMap;

/// Maximum net VAT of all corrections of a period, in cents, whether more or less VAT is due. Above
/// this limit, the return itself must be corrected (art. 10a AWR and art. 15 Uitvoeringsbesluit
/// omzetbelasting 1968).
pub const LIMIT: Cents = Cents::new(100_000);

/// Result of [`split`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Split {
    /// Entry on its own date, without boxes; its VAT is parked on account 1785.
    pub own: JournalEntry,
    /// Entry on the first day of the carrying period, with the boxes. It moves the VAT from account
    /// 1785 to the VAT accounts; its postings on any other account cancel each other out.
    pub carrying: JournalEntry,
}

pub(crate) const BALANCED: &str =
    "the VAT taken off an entry is put back on one account, so both parts balance as it does";

/// Splits an entry whose boxes would fall in the return of `filed`. `carried_on` is the first day of
/// the period whose return carries them.
///
/// ```
/// use ledger::{
///     calendar::parse_date,
///     chart::codes,
///     correction,
///     description::{Description, DescriptionKind},
///     entry::{JournalEntry, Posting, Source, SourceType},
///     money::Cents,
///     vat::VatBox,
///     vat_period::{VatPeriod, VatUnit},
/// };
///
/// // A cost of 400.00 with 84.00 of VAT, found after the return of the quarter was filed.
/// let source = Source { kind: SourceType::Expense, id: 1 };
/// let forgotten = JournalEntry::new(
///     parse_date("2026-12-20")?,
///     Description::of(DescriptionKind::Expense),
///     source,
///     vec![
///         Posting::debit(codes::SOFTWARE, Cents::new(40_000), None),
///         Posting::debit(codes::INPUT_VAT_HIGH, Cents::new(8_400), Some(VatBox::B5b)),
///         Posting::credit(codes::BANK, Cents::new(48_400), None),
///     ],
/// )?;
/// let filed = VatPeriod::of(forgotten.date(), VatUnit::Quarter);
/// let split = correction::split(&forgotten, filed, parse_date("2027-01-01")?);
/// assert_eq!(split.vat(), Cents::new(-8_400));
/// assert!(!split.own.has_boxes() && split.carrying.has_boxes());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn split(entry: &JournalEntry, filed: VatPeriod, carried_on: Date) -> Split {
    let (own, carrying) = parts(entry, codes::VAT_CORRECTIONS);
    let own = entry.with_postings(own).expect(BALANCED).correcting(filed);
    let carrying =
        entry.with_postings(carrying).expect(BALANCED).correcting(filed).moved_to(carried_on);
    Split { own, carrying }
}

/// Divides the postings of an entry into postings without boxes, which leave the VAT on the account
/// `through`, and postings that carry the boxes and take the VAT off that account again. In the
/// second part, all accounts other than `through` and the VAT accounts net to zero.
pub(crate) fn parts(entry: &JournalEntry, through: AccountCode) -> (Vec<Posting>, Vec<Posting>) {
    let (mut own, mut carrying) = (Vec::new(), Vec::new());
    let mut waiting = Cents::ZERO;
    for posting in entry.postings() {
        if posting.vat_box().is_none() {
            own.push(posting.clone());
        } else if is_vat(posting.account()) {
            waiting += posting.credited() - posting.debited();
            carrying.push(posting.clone());
        } else {
            own.push(posting.without_box());
            carrying.extend([posting.clone(), posting.mirrored().without_box()]);
        }
    }
    own.push(Posting::credit(through, waiting, None));
    carrying.push(Posting::debit(through, waiting, None));
    (own, carrying)
}

impl Split {
    /// VAT parked on account 1785, in cents: positive if more VAT is due, negative if less.
    #[must_use]
    pub fn vat(&self) -> Cents {
        waiting(&self.own)
    }
}

/// VAT that an entry parks on account 1785, in cents: positive if more is due, negative if less.
#[must_use]
pub fn waiting(entry: &JournalEntry) -> Cents {
    entry
        .postings()
        .iter()
        .filter(|posting| posting.account() == codes::VAT_CORRECTIONS)
        .map(credited)
        .sum()
}

/// Rejoins the two parts of a correction into one entry, with the original boxes and date.
#[must_use]
pub fn joined(own: &JournalEntry, carrying: &JournalEntry) -> JournalEntry {
    let mut postings = Vec::new();
    for ((account, vat_box), credited) in sums([own, carrying]) {
        postings.push(Posting::credit(account, credited, vat_box));
    }
    own.with_postings(postings).expect(BALANCED).not_correcting()
}

/// Whether two entries post the same sums to the same accounts and boxes.
#[must_use]
pub fn posts_the_same(one: &JournalEntry, other: &JournalEntry) -> bool {
    let without_nothing = |entry| {
        let mut sums = sums([entry]);
        sums.retain(|_, credited| !credited.is_zero());
        sums
    };
    without_nothing(one) == without_nothing(other)
}

fn sums<'e>(
    entries: impl IntoIterator<Item = &'e JournalEntry>,
) -> BTreeMap<(AccountCode, Option<VatBox>), Cents> {
    let mut sums: BTreeMap<_, Cents> = BTreeMap::new();
    for posting in entries.into_iter().flat_map(JournalEntry::postings) {
        *sums.entry((posting.account(), posting.vat_box())).or_default() += credited(posting);
    }
    sums
}

fn credited(posting: &Posting) -> Cents {
    posting.credited() - posting.debited()
}

fn is_vat(account: AccountCode) -> bool {
    matches!(account.role(), Role::VatDue | Role::InputVat)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        description::{Description, DescriptionKind},
        entry::{Source, SourceType},
        vat_return::{Total, vat_return},
    };
    use jiff::civil::date;

    fn entry(postings: Vec<Posting>) -> JournalEntry {
        let source = Source { kind: SourceType::Expense, id: 1 };
        JournalEntry::new(
            date(2026, 11, 20),
            Description::text(DescriptionKind::Expense, "x"),
            source,
            postings,
        )
        .unwrap()
    }

    fn lines(entry: &JournalEntry) -> Vec<(u16, i64, Option<VatBox>)> {
        entry
            .postings()
            .iter()
            .map(|p| (p.account().get(), -credited(p).get(), p.vat_box()))
            .collect()
    }

    #[test]
    fn a_purchase_keeps_its_day_and_its_vat_goes_onto_the_next_return() {
        // Software for 400 with 84 of VAT, omitted from the return for the fourth quarter.
        let forgotten = entry(vec![
            Posting::debit(codes::SOFTWARE, Cents::new(40_000), None),
            Posting::debit(codes::INPUT_VAT_HIGH, Cents::new(8_400), Some(VatBox::B5b)),
            Posting::credit(codes::BANK, Cents::new(48_400), None),
        ]);
        let split = split(&forgotten, VatPeriod::quarter(2026, 4).unwrap(), date(2027, 1, 1));
        assert_eq!(
            lines(&split.own),
            [(4110, 40_000, None), (1100, -48_400, None), (1785, 8_400, None)]
        );
        assert_eq!(
            lines(&split.carrying),
            [(1500, 8_400, Some(VatBox::B5b)), (1785, -8_400, None)]
        );
        assert_eq!(split.vat(), Cents::new(-8_400));
        let quarter = VatPeriod::quarter(2026, 4);
        assert_eq!(
            (split.own.date(), split.own.corrects_period(), split.own.has_boxes()),
            (date(2026, 11, 20), quarter, false)
        );
        let carrying = &split.carrying;
        assert_eq!(
            (carrying.date(), carrying.vat_date(), carrying.corrects_period()),
            (date(2027, 1, 1), date(2027, 1, 1), quarter)
        );
    }

    #[test]
    fn a_base_without_vat_is_a_pair_of_lines_on_one_account() {
        let sale = entry(vec![
            Posting::debit(codes::RECEIVABLES, Cents::new(200_000), None),
            Posting::credit(codes::REVENUE_EU, Cents::new(200_000), Some(VatBox::B3b)),
        ]);
        let split = split(&sale, VatPeriod::quarter(2026, 4).unwrap(), date(2027, 1, 1));
        assert_eq!(lines(&split.own), [(1300, 200_000, None), (8050, -200_000, None)]);
        assert_eq!(
            lines(&split.carrying),
            [(8050, -200_000, Some(VatBox::B3b)), (8050, 200_000, None)]
        );
        assert_eq!(split.vat(), Cents::ZERO);
    }

    #[test]
    fn both_parts_together_are_the_entry() {
        let sale = entry(vec![
            Posting::debit(codes::RECEIVABLES, Cents::new(1_329), None),
            Posting::credit(codes::REVENUE_HIGH, Cents::new(1_000), Some(VatBox::B1a)),
            Posting::credit(codes::VAT_DUE_HIGH, Cents::new(210), Some(VatBox::B1a)),
            Posting::credit(codes::REVENUE_LOW, Cents::new(100), Some(VatBox::B1b)),
            Posting::credit(codes::VAT_DUE_LOW, Cents::new(9), Some(VatBox::B1b)),
            Posting::credit(codes::REVENUE_EXEMPT, Cents::new(10), None),
        ]);
        let Split { own, carrying } =
            split(&sale, VatPeriod::quarter(2026, 4).unwrap(), date(2027, 1, 1));
        let joined = joined(&own, &carrying);
        assert!(posts_the_same(&joined, &sale) && !posts_the_same(&own, &sale));
        assert_eq!((joined.date(), joined.corrects_period()), (sale.date(), None));
        // The carrying entry declares the amounts of the sale; the entry on the sale's own date has
        // no boxes left.
        let totals = |entry: &JournalEntry| -> Vec<Total> {
            let boxed = entry.postings().iter().filter_map(|p| Some((p, p.vat_box()?)));
            boxed
                .map(|(p, vat_box)| Total {
                    account: p.account(),
                    vat_box,
                    debit: p.debited(),
                    credit: p.credited(),
                })
                .collect()
        };
        assert_eq!(vat_return(totals(&carrying)), vat_return(totals(&sale)));
        assert!(totals(&own).is_empty());
    }

    #[test]
    fn an_entry_of_nothing_is_split_into_nothing() {
        let nothing = entry(vec![
            Posting::debit(codes::RECEIVABLES, Cents::ZERO, None),
            Posting::credit(codes::REVENUE_HIGH, Cents::ZERO, Some(VatBox::B1a)),
        ]);
        let split = split(&nothing, VatPeriod::quarter(2026, 4).unwrap(), date(2027, 1, 1));
        assert!(split.carrying.has_boxes() && !split.own.has_boxes());
    }
}
