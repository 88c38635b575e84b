//! Bad debts: division of a written-off amount into turnover and VAT.

use crate::{decimal::divide_half_away, invoice::VatGroup, money::Cents};

/// Divides the gross amount `written_off` (in cents) over `remaining`, the VAT groups of an invoice
/// after subtracting its credit notes. The bases and VAT amounts of the parts add up to
/// `written_off`. If that is the whole remaining amount, the parts equal the remaining groups.
///
/// ```
/// use ledger::{
///     invoice::VatGroup,
///     money::Cents,
///     vat::{VatBox, VatCategory, VatRate},
///     write_off,
/// };
///
/// let remaining = VatGroup {
///     rate: VatRate::from_basis_points(2_100),
///     category: VatCategory::Standard,
///     supply: None,
///     base: Cents::new(100_000),
///     amount: Cents::new(21_000),
///     vat_box: Some(VatBox::B1a),
/// };
/// // Half of 1 210.00 is lost.
/// let parts = write_off::parts(&[remaining], Cents::new(60_500));
/// assert_eq!((parts[0].base, parts[0].amount), (Cents::new(50_000), Cents::new(10_500)));
/// ```
#[must_use]
pub fn parts(remaining: &[VatGroup], written_off: Cents) -> Vec<VatGroup> {
    let total: Cents = remaining.iter().map(|group| group.base + group.amount).sum();
    if total.is_zero() {
        return Vec::new();
    }
    let (mut before, mut given) = (Cents::ZERO, Cents::ZERO);
    let part = |group: &VatGroup| {
        let gross = group.base + group.amount;
        before += gross;
        let until = share(written_off, before, total);
        let own = until - given;
        given = until;
        let amount = if gross.is_zero() { Cents::ZERO } else { share(own, group.amount, gross) };
        VatGroup { base: own - amount, amount, ..*group }
    };
    remaining.iter().map(part).collect()
}

/// Returns the parts that are written off (or recovered, if negative) when the total written off
/// changes from `before` to `after`: the difference between the [`parts`] of both totals.
#[must_use]
pub fn between(remaining: &[VatGroup], before: Cents, after: Cents) -> Vec<VatGroup> {
    let both = parts(remaining, before).into_iter().zip(parts(remaining, after));
    both.map(|(before, after)| VatGroup {
        base: after.base - before.base,
        amount: after.amount - before.amount,
        ..after
    })
    .collect()
}

fn share(amount: Cents, part: Cents, whole: Cents) -> Cents {
    let (part, whole) = if whole.is_negative() { (-part, -whole) } else { (part, whole) };
    let exact = divide_half_away(
        i128::from(amount.get()) * i128::from(part.get()),
        i128::from(whole.get()),
    );
    Cents::new(
        i64::try_from(exact).expect("a part of an amount is no larger than a few times the amount"),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vat::{VatBox, VatCategory, VatRate};

    fn group(rate: u16, base: i64, vat: i64) -> VatGroup {
        let category = if rate == 0 { VatCategory::Zero } else { VatCategory::Standard };
        let (base, amount) = (Cents::new(base), Cents::new(vat));
        VatGroup {
            rate: VatRate::from_basis_points(rate),
            category,
            supply: None,
            base,
            amount,
            vat_box: Some(VatBox::B1a),
        }
    }

    fn figures(groups: &[VatGroup]) -> Vec<(i64, i64)> {
        groups.iter().map(|group| (group.base.get(), group.amount.get())).collect()
    }

    #[test]
    fn a_bad_debt_takes_its_vat_along() {
        let remaining = [group(2100, 100_000, 21_000)];
        assert_eq!(figures(&parts(&remaining, Cents::new(121_000))), [(100_000, 21_000)]);
        assert_eq!(figures(&parts(&remaining, Cents::new(60_500))), [(50_000, 10_500)]);
        // Half of the debt was paid after all.
        assert_eq!(
            figures(&between(&remaining, Cents::new(121_000), Cents::new(60_500))),
            [(-50_000, -10_500)]
        );
    }

    #[test]
    fn parts_add_up_whatever_is_written_off() {
        let remaining = [group(2100, 33_33, 7_00), group(900, 10_01, 90), group(0, -5_00, 0)];
        let total: i64 = figures(&remaining).iter().map(|(base, vat)| base + vat).sum();
        for written_off in 0..=total {
            let parts = parts(&remaining, Cents::new(written_off));
            assert_eq!(
                figures(&parts).iter().map(|(base, vat)| base + vat).sum::<i64>(),
                written_off
            );
            assert!(
                parts
                    .iter()
                    .zip(&remaining)
                    .all(|(part, remaining)| part.amount.abs() <= remaining.amount.abs()),
                "{written_off}"
            );
        }
        assert_eq!(figures(&parts(&remaining, Cents::new(total))), figures(&remaining));
        assert!(parts(&[], Cents::new(1)).is_empty());
    }
}
