//! Write-offs: a written-off amount is split into turnover and VAT, or is a payment difference.

use crate::{
    decimal::divide_half_away,
    invoice::VatGroup,
    money::Cents,
    vat::{VatCategory, VatRate},
};

/// Divides the gross amount `written_off` (in cents) among `remaining`, the VAT groups of an
/// invoice after subtracting its credit notes. The bases and VAT amounts of the parts add up to
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
///     tax_country: None,
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

/// Maximum total written off on an invoice that is a payment difference rather than a bad debt, in
/// cents. Reclaiming the VAT on such an amount would cost more than the VAT is worth.
pub const DIFFERENCE: Cents = Cents::new(100);

/// Amount written off or recovered, as bad debts by rate and a payment difference.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WrittenOff {
    /// Bad debts, whose VAT is reclaimed.
    pub groups: Vec<VatGroup>,
    /// Payment difference, in cents; its VAT is not reclaimed.
    pub difference: Cents,
    /// Whether the invoice is a prepayment: nothing was supplied, so the net amount is no cost but
    /// reduces the amount received in advance.
    pub is_prepayment: bool,
    /// VAT that was not due yet under cash accounting, in cents. Nothing is reclaimed for it.
    pub deferred_vat: Cents,
}

impl WrittenOff {
    /// Creates an amount that consists of bad debts only.
    #[must_use]
    pub const fn of(groups: Vec<VatGroup>) -> Self {
        Self { groups, difference: Cents::ZERO, is_prepayment: false, deferred_vat: Cents::ZERO }
    }

    /// Returns the same amounts for an invoice that is a prepayment, or is not.
    #[must_use]
    pub fn of_prepayment(self, is_prepayment: bool) -> Self {
        Self { is_prepayment, ..self }
    }

    /// Returns the total including VAT, in cents.
    #[must_use]
    pub fn gross(&self) -> Cents {
        self.difference
            + self.deferred_vat
            + self.groups.iter().map(|group| group.base + group.amount).sum::<Cents>()
    }

    fn total(remaining: &[VatGroup], written_off: Cents) -> Self {
        if written_off <= DIFFERENCE {
            let groups = parts(remaining, Cents::ZERO);
            Self { difference: written_off, ..Self::of(groups) }
        } else {
            Self::of(parts(remaining, written_off))
        }
    }
}

/// Returns the parts that are written off (or recovered, if negative) when the total written off
/// changes from `before` to `after`. A total of at most [`DIFFERENCE`] is a payment difference; a
/// larger total is a bad debt in full.
#[must_use]
pub fn between(remaining: &[VatGroup], before: Cents, after: Cents) -> WrittenOff {
    let (before, after) =
        (WrittenOff::total(remaining, before), WrittenOff::total(remaining, after));
    let both = before.groups.into_iter().zip(after.groups);
    let groups = both.map(|(before, after)| VatGroup {
        base: after.base - before.base,
        amount: after.amount - before.amount,
        ..after
    });
    WrittenOff {
        groups: groups.filter(|group| !group.base.is_zero() || !group.amount.is_zero()).collect(),
        difference: after.difference - before.difference,
        is_prepayment: false,
        deferred_vat: Cents::ZERO,
    }
}

/// Like [`between`], for an invoice under cash accounting. `before` and `after` are the total
/// written off and the part of it that is VAT which was not due yet. The rest is a cost without a
/// box: a payment difference up to [`DIFFERENCE`] in total, and otherwise a bad debt.
#[must_use]
pub fn between_deferred(before: (Cents, Cents), after: (Cents, Cents)) -> WrittenOff {
    let cost = |(total, vat): (Cents, Cents), is_difference: bool| {
        if (total <= DIFFERENCE) == is_difference { total - vat } else { Cents::ZERO }
    };
    let bad_debt = VatGroup {
        rate: VatRate::ZERO,
        category: VatCategory::OutOfScope,
        supply: None,
        tax_country: None,
        base: cost(after, false) - cost(before, false),
        amount: Cents::ZERO,
        vat_box: None,
    };
    WrittenOff {
        difference: cost(after, true) - cost(before, true),
        deferred_vat: after.1 - before.1,
        ..WrittenOff::of(vec![bad_debt])
    }
}

/// Returns `amount × part ÷ whole`, rounded half away from zero.
pub(crate) fn share(amount: Cents, part: Cents, whole: Cents) -> Cents {
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
    use crate::vat::VatBox;

    fn group(rate: u16, base: i64, vat: i64) -> VatGroup {
        let category = if rate == 0 { VatCategory::Zero } else { VatCategory::Standard };
        let (base, amount) = (Cents::new(base), Cents::new(vat));
        VatGroup {
            rate: VatRate::from_basis_points(rate),
            category,
            supply: None,
            tax_country: None,
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
            figures(&between(&remaining, Cents::new(121_000), Cents::new(60_500)).groups),
            [(-50_000, -10_500)]
        );
    }

    #[test]
    fn up_to_a_euro_in_all_is_a_payment_difference() {
        let remaining = [group(2100, 100_000, 21_000)];
        // Total written off before, total written off after, bad debts, payment difference.
        type Case<'c> = (i64, i64, &'c [(i64, i64)], i64);
        let cases: [Case<'_>; 6] = [
            (0, 1, &[], 1),
            (0, 100, &[], 100),
            // 1.01 / 1.21 × 0.21 = 0.1753.
            (0, 101, &[(83, 18)], 0),
            // 60 cents and then 60 more: 1.20 in all is a bad debt. 1.20 / 1.21 × 0.21 = 0.2083.
            (60, 120, &[(99, 21)], -60),
            // All but the last 50 cents is recovered.
            (121_000, 50, &[(-100_000, -21_000)], 50),
            (50, 0, &[], -50),
        ];
        for (before, after, debts, difference) in cases {
            let found = between(&remaining, Cents::new(before), Cents::new(after));
            assert_eq!(figures(&found.groups), debts, "{before} {after}");
            assert_eq!(found.difference.get(), difference, "{before} {after}");
            assert_eq!(found.gross().get(), after - before);
        }
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
