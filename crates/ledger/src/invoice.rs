//! Invoice arithmetic: lines to amounts, amounts to VAT, VAT to totals, rounded as EN 16931 does.

use crate::{
    decimal::{self, Decimal},
    money::{AmountOutOfRange, Cents},
    vat::{Supply, VatBox, VatCategory, VatRate, sales_box},
};
use jiff::civil::Date;
use thiserror::Error;

/// A line of an invoice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// What was supplied.
    pub description: String,
    /// How many; negative for a discount or a credit.
    pub quantity: Decimal,
    /// Euros per unit, excluding VAT unless the prices of the document include it.
    pub unit_price: Decimal,
    /// The rate.
    pub vat_rate: VatRate,
    /// Why the rate is what it is.
    pub vat_category: VatCategory,
    /// What is supplied.
    pub supply: Supply,
    /// The prepayment invoice, by its id, that the line sets off.
    pub sets_off: Option<i64>,
    /// Difference between its amount and quantity × price: a cent at most, and only on credit notes
    /// ([`crate::credit_lines::round`]).
    pub rounding: Cents,
}

/// What the unit prices of a document are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Prices {
    /// Excluding VAT.
    #[default]
    Net,
    /// Including VAT, as consumers are told them.
    Gross,
}

impl Line {
    /// The group that its amount belongs to.
    #[must_use]
    pub fn group(&self) -> GroupKey {
        let supply = self.vat_category.distinguished(self.supply);
        GroupKey { rate: self.vat_rate, category: self.vat_category, supply }
    }

    /// Quantity × price, rounded half away from zero to cents.
    pub(crate) fn rounded(&self) -> Result<Cents, AmountOutOfRange> {
        decimal::multiply_to_cents(&self.quantity, &self.unit_price)
    }
}

/// What the lines of one VAT group have in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct GroupKey {
    /// The rate.
    pub rate: VatRate,
    /// The category.
    pub category: VatCategory,
    /// What is supplied, where the return or the EC sales list tells it apart.
    pub supply: Option<Supply>,
}

/// The VAT of all lines with one rate and category, and one supply where that is told apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VatGroup {
    /// The rate.
    pub rate: VatRate,
    /// The category.
    pub category: VatCategory,
    /// What is supplied, where the return or the EC sales list tells it apart ([`VatCategory::distinguished`]).
    pub supply: Option<Supply>,
    /// The sum of the lines' amounts, excluding VAT.
    pub base: Cents,
    /// The VAT on that sum.
    pub amount: Cents,
    /// The box of the return that it belongs to, if it is declared.
    pub vat_box: Option<VatBox>,
}

impl VatGroup {
    /// What its lines have in common.
    #[must_use]
    pub fn key(&self) -> GroupKey {
        GroupKey { rate: self.rate, category: self.category, supply: self.supply }
    }
}

/// An invoice with its amounts, in euros.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Priced {
    /// The amount of each line, excluding VAT.
    pub line_amounts: Vec<Cents>,
    /// The amount of each line, including VAT.
    pub line_gross: Vec<Cents>,
    /// The VAT, highest rate first; within a rate in the order of the categories, and within a category in that of the supplies.
    pub groups: Vec<VatGroup>,
    /// What of the groups sets off prepayment invoices, excluding VAT.
    pub set_off: Vec<(GroupKey, Cents)>,
    /// Excluding VAT.
    pub subtotal: Cents,
    /// The VAT.
    pub vat_total: Cents,
    /// Including VAT.
    pub total: Cents,
}

/// The lines cannot be an invoice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum PricingError {
    /// A line is beyond the limit of an amount.
    #[error("line_out_of_range: line {line}")]
    LineOutOfRange {
        /// The line's place, from 0.
        line: usize,
    },
    /// The total is beyond the limit of an amount.
    #[error("total_out_of_range")]
    TotalOutOfRange,
    /// A rate above zero goes with the category `standard` and with no other.
    #[error("rate_with_category: line {line}")]
    RateWithCategory {
        /// The line's place, from 0.
        line: usize,
    },
    /// A group at a rate above zero comes to less than zero: VAT would be reclaimed that was never charged (art. 29 Wet OB 1968 takes
    /// back what was charged, and nothing else).
    #[error("negative_vat_group: {rate} per cent")]
    NegativeVatGroup {
        /// The rate of the group.
        rate: VatRate,
    },
    /// The total has the wrong sign: an invoice asks for money, a credit note gives it back.
    #[error("negative_total")]
    NegativeTotal,
}

/// Prices an invoice: a line is quantity × unit price rounded half away from zero to cents; per rate and category, VAT is the sum
/// of its lines' amounts × rate, rounded likewise (EN 16931, BR-CO-17; art. 5a Uitvoeringsbesluit omzetbelasting 1968: a third
/// decimal of 5 or more is rounded up); the total is the sum of both.
///
/// Where prices include VAT, the VAT of a rate and category is the sum of its lines × rate ÷ (100 + rate), rounded likewise, and the
/// total is the sum of the lines to the cent.
///
/// # Errors
/// An amount is out of range, a rate does not go with its category, the lines at a rate above zero or the total are below zero, or more
/// was prepaid at a rate than is invoiced.
pub fn price(lines: &[Line], on: Date, prices: Prices) -> Result<Priced, PricingError> {
    let priced = add_up(lines, on, prices)?;
    let prepaid = |group: &VatGroup| priced.set_off.iter().any(|(key, amount)| *key == group.key() && amount.is_negative());
    let below = |group: &&VatGroup| group.base.is_negative() && (!group.rate.is_zero() || prepaid(group));
    if let Some(group) = priced.groups.iter().find(below) {
        return Err(PricingError::NegativeVatGroup { rate: group.rate });
    }
    if priced.total.is_negative() { Err(PricingError::NegativeTotal) } else { Ok(priced) }
}

/// [`price`] for either sign of the total.
///
/// # Errors
/// As for [`price`], but for the sign.
pub(crate) fn add_up(lines: &[Line], on: Date, prices: Prices) -> Result<Priced, PricingError> {
    let mut asked = Vec::with_capacity(lines.len());
    let mut groups: Vec<VatGroup> = Vec::new();
    for (place, line) in lines.iter().enumerate() {
        if line.vat_rate.is_zero() == (line.vat_category == VatCategory::Standard) {
            return Err(PricingError::RateWithCategory { line: place });
        }
        let amount = line.rounded().map_err(|_| PricingError::LineOutOfRange { line: place })? + line.rounding;
        asked.push(amount);
        let GroupKey { rate, category, supply } = line.group();
        match groups.iter_mut().find(|group| group.key() == line.group()) {
            Some(group) => group.base += amount,
            None => groups.push(VatGroup {
                rate,
                category,
                supply,
                base: amount,
                amount: Cents::ZERO,
                vat_box: sales_box(line.vat_category, line.vat_rate, on),
            }),
        }
    }
    groups.sort_by_key(|group| (std::cmp::Reverse(group.rate), group.category, group.supply));
    let (mut subtotal, mut vat_total) = (Cents::ZERO, Cents::ZERO);
    for group in &mut groups {
        // Each base is checked by itself, so that no part of a total is beyond what a posting can hold.
        let sum = group.base.within_limit().map_err(|_| PricingError::TotalOutOfRange)?;
        match prices {
            Prices::Net => group.amount = group.rate.of(sum),
            Prices::Gross => {
                group.amount = group.rate.within(sum);
                group.base = sum - group.amount;
            }
        }
        subtotal += group.base;
        vat_total += group.amount;
    }
    let total = (subtotal + vat_total).within_limit().map_err(|_| PricingError::TotalOutOfRange)?;
    subtotal.within_limit().map_err(|_| PricingError::TotalOutOfRange)?;
    let (line_amounts, line_gross) = (asked.clone(), asked);
    let mut priced = Priced { line_amounts, line_gross, groups, set_off: Vec::new(), subtotal, vat_total, total };
    priced.share_out(lines, prices);
    Ok(priced)
}

impl Priced {
    /// Shares the sums of the groups out over their lines: to the amounts that the lines do not say themselves, and to what sets off
    /// prepayments.
    pub(crate) fn share_out(&mut self, lines: &[Line], prices: Prices) {
        self.set_off.clear();
        for group in &self.groups {
            let its: Vec<usize> = (0..lines.len()).filter(|place| lines[*place].group() == group.key()).collect();
            let (points, whole) = (i128::from(group.rate.basis_points()), 10_000);
            let (asked, other, times, over, sum) = match prices {
                Prices::Net => (&self.line_amounts, &mut self.line_gross, whole + points, whole, group.base + group.amount),
                Prices::Gross => (&self.line_gross, &mut self.line_amounts, whole, whole + points, group.base),
            };
            let exact: Vec<i128> = its.iter().map(|place| i128::from(asked[*place].get()) * times).collect();
            for (place, share) in its.iter().zip(largest_remainders(&exact, over, sum)) {
                other[*place] = share;
            }
            let setting_off = || its.iter().filter(|place| lines[**place].sets_off.is_some());
            if setting_off().next().is_some() {
                self.set_off.push((group.key(), setting_off().map(|place| self.line_amounts[*place]).sum()));
            }
        }
    }
}

/// Cuts each exact amount (a count of cents over `over`) down to the cent, and gives the cents that are then missing from the sum to the
/// largest remainders, those of the first lines first.
fn largest_remainders(exact: &[i128], over: i128, sum: Cents) -> Vec<Cents> {
    let cut = |amount: &i128| {
        i64::try_from(amount.div_euclid(over)).expect("a part of an amount is no larger than a few times the amount")
    };
    let mut shares: Vec<i64> = exact.iter().map(cut).collect();
    let mut order: Vec<usize> = (0..exact.len()).collect();
    order.sort_by_key(|place| std::cmp::Reverse(exact[*place].rem_euclid(over)));
    let missing = sum.get() - shares.iter().sum::<i64>();
    if let Ok(count @ 1..) = i64::try_from(order.len()) {
        // Only where rounding was corrected is there more to give than a cent each, or something to take: then all lines share it.
        let (each, first) = (missing / count, missing % count);
        for (place, nth) in order.iter().zip(0..) {
            shares[*place] += each + if nth < first.abs() { first.signum() } else { 0 };
        }
    }
    shares.into_iter().map(Cents::new).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::civil::date;

    const ON: Date = date(2026, 3, 15);

    #[test]
    fn what_is_missing_is_shared_by_all_lines_however_much_it_is() {
        let shares = |exact: &[i128], sum: i64| -> Vec<i64> {
            largest_remainders(exact, 100, Cents::new(sum)).into_iter().map(Cents::get).collect()
        };
        // 1.25, 1.75 and 1.50: the largest remainder is first.
        assert_eq!(shares(&[125, 175, 150], 4), [1, 2, 1]);
        assert_eq!(shares(&[125, 175, 150], 8), [2, 3, 3]);
        assert_eq!(shares(&[125, 175, 150], 0), [0, 0, 0]);
        assert_eq!(shares(&[125, 175, 150], -1), [0, -1, 0]);
        assert_eq!(shares(&[0, 0, 0], 1_000_000_000_001), [333_333_333_334, 333_333_333_334, 333_333_333_333]);
        assert_eq!(shares(&[], 5), [0_i64; 0]);
    }

    fn line(quantity: &str, price: &str, rate: u16, category: VatCategory) -> Line {
        Line {
            description: "work".into(),
            quantity: decimal::parse(quantity).unwrap(),
            unit_price: decimal::parse(price).unwrap(),
            vat_rate: VatRate::from_basis_points(rate),
            vat_category: category,
            supply: Supply::Services,
            sets_off: None,
            rounding: Cents::ZERO,
        }
    }

    fn price(lines: &[Line], on: Date) -> Result<Priced, PricingError> {
        super::price(lines, on, Prices::Net)
    }

    #[test]
    fn prices_lines_groups_and_total() {
        let lines = [
            line("8", "95.50", 2100, VatCategory::Standard),
            line("1", "33.335", 900, VatCategory::Standard),
            line("-1", "10", 2100, VatCategory::Standard),
            line("2", "12.50", 0, VatCategory::Exempt),
        ];
        let priced = price(&lines, ON).unwrap();
        let amounts: Vec<i64> = priced.line_amounts.iter().map(|amount| amount.get()).collect();
        assert_eq!(amounts, [76_400, 3_334, -1_000, 2_500]);
        let groups: Vec<_> = priced.groups.iter().map(|group| (group.base.get(), group.amount.get(), group.vat_box)).collect();
        assert_eq!(groups, [(75_400, 15_834, Some(VatBox::B1a)), (3_334, 300, Some(VatBox::B1b)), (2_500, 0, None)]);
        assert_eq!((priced.subtotal.get(), priced.vat_total.get(), priced.total.get()), (81_234, 16_134, 97_368));
    }

    #[test]
    fn vat_is_on_the_sum_of_the_lines_not_the_sum_of_rounded_vat() {
        let lines = vec![line("1", "0.02", 2100, VatCategory::Standard); 10];
        // Each line alone would carry 0.00 of VAT; together they carry 0.04.
        assert_eq!(price(&lines, ON).unwrap().vat_total, Cents::new(4));
    }

    #[test]
    fn intra_community_supplies_are_told_apart_and_nothing_else_is() {
        let of = |rate, category, supply| Line { supply, ..line("1", "10", rate, category) };
        let lines = [
            of(0, VatCategory::IntraCommunity, Supply::Goods),
            of(0, VatCategory::IntraCommunity, Supply::Services),
            of(2100, VatCategory::Standard, Supply::Goods),
            of(2100, VatCategory::Standard, Supply::Services),
        ];
        let groups: Vec<_> = price(&lines, ON).unwrap().groups.iter().map(|group| (group.supply, group.base.get())).collect();
        assert_eq!(groups, [(None, 2_000), (Some(Supply::Services), 1_000), (Some(Supply::Goods), 1_000)]);
    }

    #[test]
    fn prices_that_include_vat_come_to_their_sum_and_share_out_the_rest() {
        let of = |price: &str, rate| line("1", price, rate, VatCategory::Standard);
        let cents = |amounts: &[Cents]| amounts.iter().map(|amount| amount.get()).collect::<Vec<_>>();
        // Three of 10.00: 30.00 holds 5.21 of VAT; each is 8.264…, so that 24.79 is 8.26 three times and a cent for the first.
        let three = super::price(&[of("10", 2100), of("10", 2100), of("10", 2100)], ON, Prices::Gross).unwrap();
        assert_eq!((three.subtotal.get(), three.vat_total.get(), three.total.get()), (2_479, 521, 3_000));
        assert_eq!((cents(&three.line_amounts), cents(&three.line_gross)), (vec![827, 826, 826], vec![1_000; 3]));
        // The larger remainder goes first: 1.00 is 0.826…, 2.00 is 1.652…
        let two = super::price(&[of("2", 2100), of("1", 2100), of("10.90", 900)], ON, Prices::Gross).unwrap();
        assert_eq!((cents(&two.line_amounts), two.total.get()), (vec![165, 83, 1_000], 1_390));
        // Excluding VAT, what a line comes to with it is shared out likewise.
        let net = price(&[of("0.02", 2100), of("0.02", 2100), of("0.02", 2100)], ON).unwrap();
        assert_eq!((cents(&net.line_gross), net.total.get()), (vec![3, 2, 2], 7));
    }

    #[test]
    fn what_was_prepaid_comes_off_its_group_and_never_more() {
        let prepaid = |price: &str, rate, category| Line { sets_off: Some(1), ..line("-1", price, rate, category) };
        let work = line("1", "3000", 2100, VatCategory::Standard);
        let priced = price(&[work.clone(), prepaid("1000", 2100, VatCategory::Standard)], ON).unwrap();
        assert_eq!(priced.set_off, [(work.group(), Cents::new(-100_000))]);
        assert_eq!((priced.subtotal.get(), priced.total.get()), (200_000, 242_000));
        let refused = price(&[work.clone(), prepaid("3000.01", 2100, VatCategory::Standard)], ON);
        assert_eq!(refused, Err(PricingError::NegativeVatGroup { rate: work.vat_rate }));
        // At 0 % too, although a discount may be there.
        let other = price(&[work, prepaid("1", 0, VatCategory::Exempt)], ON);
        assert_eq!(other, Err(PricingError::NegativeVatGroup { rate: VatRate::ZERO }));
        // A discount out of scope, a part of which was on the prepayment.
        let discount = |price: &str| line("1", price, 0, VatCategory::OutOfScope);
        let part = Line { sets_off: Some(1), ..discount("50") };
        assert!(price(&[line("1", "1000", 0, VatCategory::Exempt), discount("-100"), part], ON).is_ok());
    }

    #[test]
    fn refuses_what_is_not_an_invoice() {
        let cases = [
            (line("1", "10", 2100, VatCategory::Export), PricingError::RateWithCategory { line: 0 }),
            (line("1", "10", 0, VatCategory::Standard), PricingError::RateWithCategory { line: 0 }),
            (line("-1", "10", 0, VatCategory::Zero), PricingError::NegativeTotal),
            (
                line("-1", "10", 2100, VatCategory::Standard),
                PricingError::NegativeVatGroup { rate: VatRate::from_basis_points(2100) },
            ),
            (line("1000000000", "1000000000", 0, VatCategory::Zero), PricingError::LineOutOfRange { line: 0 }),
            (line("1000000", "99999.99", 2100, VatCategory::Standard), PricingError::TotalOutOfRange),
        ];
        for (line, error) in cases {
            assert_eq!(price(&[line], ON), Err(error));
        }
        // A discount at another rate than what it discounts; at 0 % it may be.
        let exempt = line("1", "1000", 0, VatCategory::Exempt);
        let discount = [exempt.clone(), line("-1", "500", 2100, VatCategory::Standard)];
        assert_eq!(price(&discount, ON), Err(PricingError::NegativeVatGroup { rate: VatRate::from_basis_points(2100) }));
        assert!(price(&[exempt, line("-1", "500", 0, VatCategory::OutOfScope)], ON).is_ok());
    }
}
