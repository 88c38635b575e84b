//! Costs that are not, or only partly, deductible.

use ledger::{
    chart::{AccountCode, codes},
    money::Cents,
};

/// Mixed costs: food and drink, entertainment and gifts, and conferences (art. 3.15(1) Wet IB
/// 2001).
const MIXED: [AccountCode; 3] = [codes::REPRESENTATION, codes::MEALS, codes::GIFTS];
/// Non-deductible percentage of mixed costs under the option of art. 3.15(5) Wet IB 2001. The
/// alternative, a non-deductible amount of €5,700, is less favourable unless mixed costs exceed
/// €28,500 a year.
const NOT_DEDUCTIBLE_PERCENT: i64 = 20;

/// Non-deductible part of a year's costs, given per account: fines in full (art. 3.14(1)(c) Wet IB
/// 2001) and a percentage of mixed costs.
///
/// ```
/// use ledger::{chart::codes, money::Cents};
/// use tax::costs::not_deductible;
///
/// // 20 % of meals for 1 000.00, and a fine of 82.00.
/// let costs = [(codes::MEALS, Cents::new(100_000)), (codes::FINES, Cents::new(8_200))];
/// assert_eq!(not_deductible(costs), Cents::new(28_200));
/// ```
#[must_use]
pub fn not_deductible(costs: impl IntoIterator<Item = (AccountCode, Cents)>) -> Cents {
    let (mut fines, mut mixed) = (Cents::ZERO, Cents::ZERO);
    for (account, amount) in costs {
        if account == codes::FINES {
            fines += amount;
        } else if MIXED.contains(&account) {
            mixed += amount;
        }
    }
    let part = (mixed.get().max(0) * NOT_DEDUCTIBLE_PERCENT + 50) / 100;
    fines.max(Cents::ZERO) + Cents::new(part)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fines_count_whole_and_mixed_costs_for_a_fifth() {
        let cases: [(&[(AccountCode, i64)], i64); 5] = [
            (&[], 0),
            (&[(codes::FINES, 10_000), (codes::MEALS, 10_900)], 12_180),
            (
                &[
                    (codes::REPRESENTATION, 5_000),
                    (codes::GIFTS, 5_003),
                    (codes::MARKETING, 99_999),
                ],
                2_001,
            ),
            // A refund of costs from another year does not result in a deduction.
            (&[(codes::FINES, -500)], 0),
            (&[(codes::MEALS, -500)], 0),
        ];
        for (costs, wanted) in cases {
            let costs = costs.iter().map(|(account, amount)| (*account, Cents::new(*amount)));
            assert_eq!(not_deductible(costs), Cents::new(wanted));
        }
    }
}
