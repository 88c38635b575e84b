//! VAT that is due on the day of a payment because the payment is received before the invoice.
//!
//! To the extent that an amount is received before the invoice is issued or should have been
//! issued, its VAT is due on receipt (art. 13(2) Wet OB 1968). The entry of the invoice books all
//! VAT on the VAT date of the invoice, so the part that was due earlier is moved: it is declared on
//! the day of the payment, against account 1325, and taken back on the VAT date of the invoice.

use crate::{
    booking::Earned,
    chart::codes,
    description::{Description, DescriptionKind},
    entry::{JournalEntry, Posting, Source, SourceType},
    invoice::VatGroup,
    money::Cents,
    sales_accounts::{revenue_account, vat_due_account},
    write_off::parts,
};
use jiff::civil::Date;

const BALANCED: &str = "each base is a pair, and 1325 has the sum of the VAT";

/// Divides a payment of `amount` cents over the groups of an invoice, without the groups in which
/// it has no Dutch VAT. `before` is the total of the earlier payments whose VAT was moved, in cents. When
/// the payments reach the invoice total, their VAT adds up to that of the invoice; any surplus has
/// no VAT.
#[must_use]
pub fn groups(invoiced: &[VatGroup], before: Cents, amount: Cents) -> Vec<VatGroup> {
    let total: Cents = invoiced.iter().map(|group| group.base + group.amount).sum();
    let shares = |paid: Cents| parts(invoiced, paid.min(total));
    let both = shares(before).into_iter().zip(shares(before + amount));
    let paid = both.map(|(before, after)| VatGroup {
        base: after.base - before.base,
        amount: after.amount - before.amount,
        ..after
    });
    paid.filter(|group| !group.amount.is_zero() && group.vat_box.is_some()).collect()
}

/// Returns the entries that move the VAT on the payment with this `id`: one on the day of the
/// payment, and its mirror image on the VAT date of the invoice with the printed `number`.
///
/// ```
/// use ledger::{
///     booking::Earned,
///     calendar::parse_date,
///     chart::codes,
///     invoice::VatGroup,
///     money::Cents,
///     vat::{VatBox, VatCategory, VatRate},
///     vat_move,
/// };
///
/// let invoiced = VatGroup {
///     rate: VatRate::from_basis_points(2_100),
///     category: VatCategory::Standard,
///     supply: None,
///     tax_country: None,
///     base: Cents::new(100_000),
///     amount: Cents::new(21_000),
///     vat_box: Some(VatBox::B1a),
/// };
/// let days = (parse_date("2026-09-15")?, parse_date("2026-12-20")?);
/// // Half of 1 210.00 is received in September.
/// let paid = vat_move::groups(&[invoiced], Cents::ZERO, Cents::new(60_500));
/// let [there, back] = vat_move::entries(7, "2026-0001", days, &paid, Earned::Now);
/// let vat = &there.postings()[2];
/// assert_eq!((vat.account(), vat.credited()), (codes::VAT_DUE_HIGH, Cents::new(10_500)));
/// assert_eq!((there.date(), back.date()), days);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn entries(
    id: i64,
    number: &str,
    (paid_on, vat_date): (Date, Date),
    groups: &[VatGroup],
    earned: Earned,
) -> [JournalEntry; 2] {
    let mut postings = Vec::new();
    for group in groups {
        let account = match earned {
            Earned::Now | Earned::VatWhenPaid => revenue_account(group),
            Earned::Later => codes::RECEIVED_IN_ADVANCE,
        };
        postings.push(Posting::credit(account, group.base, group.vat_box));
        postings.push(Posting::debit(account, group.base, None));
        postings.push(Posting::credit(vat_due_account(group.vat_box), group.amount, group.vat_box));
    }
    let vat = groups.iter().map(|group| group.amount).sum();
    postings.push(Posting::debit(codes::VAT_BEFORE_INVOICE, vat, None));
    let mirrored = postings.iter().map(Posting::mirrored).collect();
    let source = Source { kind: SourceType::VatMove, id };
    let entry = |on, postings| {
        let about = Description::of(DescriptionKind::VatMove).numbered(number);
        JournalEntry::new(on, about, source, postings).expect(BALANCED)
    };
    [entry(paid_on, postings), entry(vat_date, mirrored)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vat::{VatBox, VatCategory, VatRate};
    use jiff::civil::date;

    fn group(rate: u16, base: i64, amount: i64) -> VatGroup {
        let vat_box = match rate {
            2100 => Some(VatBox::B1a),
            900 => Some(VatBox::B1b),
            _ => None,
        };
        VatGroup {
            rate: VatRate::from_basis_points(rate),
            category: if rate == 0 { VatCategory::Exempt } else { VatCategory::Standard },
            supply: None,
            tax_country: None,
            base: Cents::new(base),
            amount: Cents::new(amount),
            vat_box,
        }
    }

    #[test]
    fn payments_take_their_share_of_the_vat_and_the_last_one_the_rest() {
        // 100.00 at 21 %, 50.00 at 9 % and 25.00 exempt: 200.50 in all.
        let invoiced = [group(2100, 10_000, 2_100), group(900, 5_000, 450), group(0, 2_500, 0)];
        let vat = |before, amount| -> Vec<i64> {
            let groups = groups(&invoiced, Cents::new(before), Cents::new(amount));
            groups.iter().map(|group| group.amount.get()).collect()
        };
        assert_eq!(vat(0, 20_050), [2_100, 450]);
        // A third is 66.83: 40.33 of it is at 21 % (7.00 of VAT), and 18.17 at 9 % (1.50 of VAT).
        assert_eq!(vat(0, 6_683), [700, 150]);
        assert_eq!(vat(6_683, 13_367), [1_400, 300]);
        // A surplus has no VAT.
        assert_eq!(vat(0, 30_000), [2_100, 450]);
        assert!(vat(20_050, 1_000).is_empty());
        assert!(groups(&[group(0, 2_500, 0)], Cents::ZERO, Cents::new(2_500)).is_empty());
    }

    #[test]
    fn the_entries_cancel_each_other_in_every_box() {
        let days = (date(2026, 9, 15), date(2026, 12, 20));
        let paid = [group(2100, 50_000, 10_500)];
        for (earned, account) in [(Earned::Now, 8000), (Earned::Later, 1620)] {
            let both = entries(3, "2026-0001", days, &paid, earned);
            let lines = both.each_ref().map(|entry| -> Vec<(u16, i64, Option<VatBox>)> {
                let signed = |p: &Posting| p.debited().get() - p.credited().get();
                let postings = entry.postings().iter();
                postings.map(|p| (p.account().get(), signed(p), p.vat_box())).collect()
            });
            let there = [
                (account, -50_000, Some(VatBox::B1a)),
                (account, 50_000, None),
                (1700, -10_500, Some(VatBox::B1a)),
                (1325, 10_500, None),
            ];
            assert_eq!(lines[0], there);
            assert_eq!(lines[1], there.map(|(code, amount, vat_box)| (code, -amount, vat_box)));
            assert!(!both[0].carries_boxes(), "it is no part of an invoice");
        }
    }
}
