//! Invoice arithmetic: line amounts, VAT and totals, rounded as in EN 16931.

use crate::{
    chart::AccountCode,
    country::CountryCode,
    decimal::{self, Decimal},
    money::{AmountOutOfRange, Cents},
    vat::{Supply, VatBox, VatCategory, VatRate, sales_box},
};
use jiff::civil::Date;
use thiserror::Error;

/// Invoice line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// Description of the goods or services.
    pub description: String,
    /// Quantity; negative for a discount or a credit.
    pub quantity: Decimal,
    /// Price per unit in euros, excluding VAT unless the document's prices include it.
    pub unit_price: Decimal,
    /// VAT rate.
    pub vat_rate: VatRate,
    /// VAT category: the reason for the rate.
    pub vat_category: VatCategory,
    /// Kind of supply.
    pub supply: Supply,
    /// Country that taxes the supply, for a line of the Union scheme. The Netherlands on a taxed
    /// line for a customer abroad who received the supply here.
    pub tax_country: Option<CountryCode>,
    /// Id of the prepayment invoice that the line sets off.
    pub sets_off: Option<i64>,
    /// Revenue account, if it is not the account of the VAT group.
    pub account: Option<AccountCode>,
    /// Difference between the line's amount and quantity × price: at most a cent, and only on
    /// credit notes ([`crate::credit_lines::round`]).
    pub rounding: Cents,
}

/// Basis of the unit prices of a document: excluding or including VAT.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Prices {
    /// Excluding VAT.
    #[default]
    Net,
    /// Including VAT, as quoted to consumers.
    Gross,
}

impl Line {
    /// VAT group of the line.
    #[must_use]
    pub fn group(&self) -> GroupKey {
        let category = self.vat_category;
        let tax_country = self.tax_country.filter(|_| category == VatCategory::Oss);
        let supply = category.distinguished(self.supply);
        GroupKey { rate: self.vat_rate, category, supply, tax_country }
    }

    /// Quantity × price, rounded half away from zero to cents.
    pub(crate) fn rounded(&self) -> Result<Cents, AmountOutOfRange> {
        decimal::multiply_to_cents(&self.quantity, &self.unit_price)
    }
}

/// Key of a VAT group: the values that its lines share.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct GroupKey {
    /// Rate.
    pub rate: VatRate,
    /// Category.
    pub category: VatCategory,
    /// Kind of supply, if the return or the EC sales list distinguishes it.
    pub supply: Option<Supply>,
    /// Country that taxes the supply under the Union scheme.
    pub tax_country: Option<CountryCode>,
}

/// VAT group: all lines with the same rate, category and, if distinguished, supply and country.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VatGroup {
    /// Rate.
    pub rate: VatRate,
    /// Category.
    pub category: VatCategory,
    /// Kind of supply, if the return or the EC sales list distinguishes it
    /// ([`VatCategory::distinguished`]).
    pub supply: Option<Supply>,
    /// Country that taxes the supply under the Union scheme.
    pub tax_country: Option<CountryCode>,
    /// Sum of the line amounts in cents, excluding VAT.
    pub base: Cents,
    /// VAT on that sum, in cents.
    pub amount: Cents,
    /// Box of the VAT return, if the group is declared.
    pub vat_box: Option<VatBox>,
}

impl VatGroup {
    /// Key of the group.
    #[must_use]
    pub fn key(&self) -> GroupKey {
        let Self { rate, category, supply, tax_country, .. } = *self;
        GroupKey { rate, category, supply, tax_country }
    }
}

/// Amounts of an invoice, in euro cents.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Priced {
    /// Amount of each line, excluding VAT.
    pub line_amounts: Vec<Cents>,
    /// Amount of each line, including VAT.
    pub line_gross: Vec<Cents>,
    /// VAT groups, highest rate first, then by category, supply and country.
    pub groups: Vec<VatGroup>,
    /// Sum of each group's lines that set off prepayment invoices, excluding VAT.
    pub set_off: Vec<(GroupKey, Cents)>,
    /// Sum of each group's lines with a revenue account of their own, by account, excluding VAT.
    pub own_revenue: Vec<(GroupKey, AccountCode, Cents)>,
    /// Total excluding VAT.
    pub subtotal: Cents,
    /// Total VAT.
    pub vat_total: Cents,
    /// Total including VAT.
    pub total: Cents,
}

/// Reason why lines do not make a valid invoice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum PricingError {
    /// A line amount exceeds the limit.
    #[error("line_out_of_range: line {line}")]
    LineOutOfRange {
        /// Index of the line, from 0.
        line: usize,
    },
    /// A total exceeds the limit.
    #[error("total_out_of_range")]
    TotalOutOfRange,
    /// The rate does not match the category: `standard` and `oss` need a rate above zero, the others
    /// 0 %.
    #[error("rate_with_category: line {line}")]
    RateWithCategory {
        /// Index of the line, from 0.
        line: usize,
    },
    /// A group at a rate above zero, or one with prepayments set off, is negative. That would
    /// reclaim VAT that was never charged (art. 29 Wet OB 1968 refunds only VAT that was charged).
    #[error("negative_vat_group: {rate} per cent")]
    NegativeVatGroup {
        /// Rate of the group.
        rate: VatRate,
    },
    /// The total has the wrong sign: an invoice must not be negative, a credit note not positive.
    #[error("negative_total")]
    NegativeTotal,
}

/// Prices an invoice. A line is quantity × unit price, rounded half away from zero to cents. VAT
/// per rate and category is the sum of its line amounts × rate, rounded the same way (EN 16931,
/// BR-CO-17; art. 5a Uitvoeringsbesluit omzetbelasting 1968: a third decimal of 5 or more is
/// rounded up). The total is the sum of line amounts and VAT.
///
/// If prices include VAT, the VAT per rate and category is the sum of its lines × rate ÷ (100 +
/// rate), rounded the same way, and the total is exactly the sum of the lines.
///
/// ```
/// use ledger::{
///     calendar::parse_date,
///     decimal,
///     invoice::{self, Line, Prices},
///     money::Cents,
///     vat::{Supply, VatBox, VatCategory, VatRate},
/// };
///
/// let line = Line {
///     description: "Web design".into(),
///     quantity: decimal::parse("8")?,
///     unit_price: decimal::parse("95.50")?,
///     vat_rate: VatRate::from_basis_points(2_100),
///     vat_category: VatCategory::Standard,
///     supply: Supply::Services,
///     tax_country: None,
///     sets_off: None,
///     account: None,
///     rounding: Cents::ZERO,
/// };
/// let priced = invoice::price(&[line], parse_date("2026-03-15")?, Prices::Net)?;
/// assert_eq!(priced.subtotal, Cents::new(76_400));
/// assert_eq!(priced.vat_total, Cents::new(16_044));
/// assert_eq!(priced.groups[0].vat_box, Some(VatBox::B1a));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// An amount is out of range, a rate does not match its category, a group at a rate above zero or
/// the total is negative, or more is set off in a group than is invoiced.
pub fn price(lines: &[Line], on: Date, prices: Prices) -> Result<Priced, PricingError> {
    let priced = add_up(lines, on, prices)?;
    let prepaid = |group: &VatGroup| {
        priced.set_off.iter().any(|(key, amount)| *key == group.key() && amount.is_negative())
    };
    let below =
        |group: &&VatGroup| group.base.is_negative() && (!group.rate.is_zero() || prepaid(group));
    if let Some(group) = priced.groups.iter().find(below) {
        return Err(PricingError::NegativeVatGroup { rate: group.rate });
    }
    if priced.total.is_negative() { Err(PricingError::NegativeTotal) } else { Ok(priced) }
}

/// Like [`price`], but allows negative groups and totals.
///
/// # Errors
/// As for [`price`], except for negative groups and totals.
pub(crate) fn add_up(lines: &[Line], on: Date, prices: Prices) -> Result<Priced, PricingError> {
    let mut asked = Vec::with_capacity(lines.len());
    let mut groups: Vec<VatGroup> = Vec::new();
    for (place, line) in lines.iter().enumerate() {
        if line.vat_rate.is_zero() == line.vat_category.is_taxed() {
            return Err(PricingError::RateWithCategory { line: place });
        }
        let amount = line.rounded().map_err(|_| PricingError::LineOutOfRange { line: place })?
            + line.rounding;
        asked.push(amount);
        let GroupKey { rate, category, supply, tax_country } = line.group();
        match groups.iter_mut().find(|group| group.key() == line.group()) {
            Some(group) => group.base += amount,
            None => groups.push(VatGroup {
                rate,
                category,
                supply,
                tax_country,
                base: amount,
                amount: Cents::ZERO,
                vat_box: sales_box(line.vat_category, line.vat_rate, on),
            }),
        }
    }
    groups.sort_by_key(|group| {
        (std::cmp::Reverse(group.rate), group.category, group.supply, group.tax_country)
    });
    let (mut subtotal, mut vat_total) = (Cents::ZERO, Cents::ZERO);
    for group in &mut groups {
        // Each base is checked separately, so that no part of a total exceeds the limit of a
        // posting.
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
    let mut priced = Priced {
        line_amounts,
        line_gross,
        groups,
        set_off: Vec::new(),
        own_revenue: Vec::new(),
        subtotal,
        vat_total,
        total,
    };
    priced.share_out(lines, prices);
    Ok(priced)
}

impl Priced {
    /// Allocates the sums of the groups to their lines: the gross line amounts if prices are net,
    /// and the net ones if prices are gross. Also adds up the lines that set off prepayments, and
    /// those with a revenue account of their own.
    pub(crate) fn share_out(&mut self, lines: &[Line], prices: Prices) {
        self.set_off.clear();
        for group in &self.groups {
            let its: Vec<usize> =
                (0..lines.len()).filter(|place| lines[*place].group() == group.key()).collect();
            let (points, whole) = (i128::from(group.rate.basis_points()), 10_000);
            let (asked, other, times, over, sum) = match prices {
                Prices::Net => (
                    &self.line_amounts,
                    &mut self.line_gross,
                    whole + points,
                    whole,
                    group.base + group.amount,
                ),
                Prices::Gross => {
                    (&self.line_gross, &mut self.line_amounts, whole, whole + points, group.base)
                }
            };
            let exact: Vec<i128> =
                its.iter().map(|place| i128::from(asked[*place].get()) * times).collect();
            for (place, share) in its.iter().zip(largest_remainders(&exact, over, sum)) {
                other[*place] = share;
            }
            let setting_off = || its.iter().filter(|place| lines[**place].sets_off.is_some());
            if setting_off().next().is_some() {
                self.set_off.push((
                    group.key(),
                    setting_off().map(|place| self.line_amounts[*place]).sum(),
                ));
            }
        }
        let amounts = self.line_amounts.iter().copied();
        self.own_revenue = own_revenue(lines.iter().zip(amounts));
    }
}

/// Adds up the lines with a revenue account of their own, by VAT group and account.
#[must_use]
pub fn own_revenue<'l>(
    lines: impl Iterator<Item = (&'l Line, Cents)>,
) -> Vec<(GroupKey, AccountCode, Cents)> {
    let mut sums: Vec<(GroupKey, AccountCode, Cents)> = Vec::new();
    for (line, amount) in lines {
        let Some(account) = line.account else { continue };
        let key = (line.group(), account);
        match sums.iter_mut().find(|(group, account, _)| (*group, *account) == key) {
            Some((.., sum)) => *sum += amount,
            None => sums.push((line.group(), account, amount)),
        }
    }
    sums
}

/// Largest-remainder method: rounds each exact amount (a count of cents over `over`) down to the
/// cent, then gives the missing cents to the largest remainders; if remainders are equal, the
/// earlier line comes first.
fn largest_remainders(exact: &[i128], over: i128, sum: Cents) -> Vec<Cents> {
    let cut = |amount: &i128| {
        i64::try_from(amount.div_euclid(over))
            .expect("a part of an amount is no larger than a few times the amount")
    };
    let mut shares: Vec<i64> = exact.iter().map(cut).collect();
    let mut order: Vec<usize> = (0..exact.len()).collect();
    order.sort_by_key(|place| std::cmp::Reverse(exact[*place].rem_euclid(over)));
    let missing = sum.get() - shares.iter().sum::<i64>();
    if let Ok(count @ 1..) = i64::try_from(order.len()) {
        // After a rounding correction, more than a cent per line can be missing, or the difference
        // can be negative: all lines then share the difference.
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
        // 1.25, 1.75 and 1.50: the first missing cent goes to the largest remainder.
        assert_eq!(shares(&[125, 175, 150], 4), [1, 2, 1]);
        assert_eq!(shares(&[125, 175, 150], 8), [2, 3, 3]);
        assert_eq!(shares(&[125, 175, 150], 0), [0, 0, 0]);
        assert_eq!(shares(&[125, 175, 150], -1), [0, -1, 0]);
        assert_eq!(
            shares(&[0, 0, 0], 1_000_000_000_001),
            [333_333_333_334, 333_333_333_334, 333_333_333_333]
        );
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
            tax_country: None,
            sets_off: None,
            account: None,
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
        let groups: Vec<_> = priced
            .groups
            .iter()
            .map(|group| (group.base.get(), group.amount.get(), group.vat_box))
            .collect();
        assert_eq!(
            groups,
            [
                (75_400, 15_834, Some(VatBox::B1a)),
                (3_334, 300, Some(VatBox::B1b)),
                (2_500, 0, None)
            ]
        );
        assert_eq!(
            (priced.subtotal.get(), priced.vat_total.get(), priced.total.get()),
            (81_234, 16_134, 97_368)
        );
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
        let groups: Vec<_> = price(&lines, ON)
            .unwrap()
            .groups
            .iter()
            .map(|group| (group.supply, group.base.get()))
            .collect();
        assert_eq!(
            groups,
            [(None, 2_000), (Some(Supply::Services), 1_000), (Some(Supply::Goods), 1_000)]
        );
    }

    #[test]
    fn prices_that_include_vat_come_to_their_sum_and_share_out_the_rest() {
        let of = |price: &str, rate| line("1", price, rate, VatCategory::Standard);
        let cents =
            |amounts: &[Cents]| amounts.iter().map(|amount| amount.get()).collect::<Vec<_>>();
        // Three lines of 10.00: 30.00 includes 5.21 of VAT. Each net amount is 8.264…, so 24.79 is
        // three times 8.26 plus a cent for the first line.
        let three =
            super::price(&[of("10", 2100), of("10", 2100), of("10", 2100)], ON, Prices::Gross)
                .unwrap();
        assert_eq!(
            (three.subtotal.get(), three.vat_total.get(), three.total.get()),
            (2_479, 521, 3_000)
        );
        assert_eq!(
            (cents(&three.line_amounts), cents(&three.line_gross)),
            (vec![827, 826, 826], vec![1_000; 3])
        );
        // The missing cent goes to the larger remainder: 1.00 is 0.826… net, 2.00 is 1.652…
        let two =
            super::price(&[of("2", 2100), of("1", 2100), of("10.90", 900)], ON, Prices::Gross)
                .unwrap();
        assert_eq!((cents(&two.line_amounts), two.total.get()), (vec![165, 83, 1_000], 1_390));
        // With prices excluding VAT, the gross amounts of the lines are allocated the same way.
        let net = price(&[of("0.02", 2100), of("0.02", 2100), of("0.02", 2100)], ON).unwrap();
        assert_eq!((cents(&net.line_gross), net.total.get()), (vec![3, 2, 2], 7));
    }

    #[test]
    fn what_was_prepaid_comes_off_its_group_and_never_more() {
        let prepaid = |price: &str, rate, category| Line {
            sets_off: Some(1),
            ..line("-1", price, rate, category)
        };
        let work = line("1", "3000", 2100, VatCategory::Standard);
        let priced =
            price(&[work.clone(), prepaid("1000", 2100, VatCategory::Standard)], ON).unwrap();
        assert_eq!(priced.set_off, [(work.group(), Cents::new(-100_000))]);
        assert_eq!((priced.subtotal.get(), priced.total.get()), (200_000, 242_000));
        let refused = price(&[work.clone(), prepaid("3000.01", 2100, VatCategory::Standard)], ON);
        assert_eq!(refused, Err(PricingError::NegativeVatGroup { rate: work.vat_rate }));
        // A set-off that exceeds its group is rejected at 0 % too, although a discount alone may
        // make such a group negative.
        let other = price(&[work, prepaid("1", 0, VatCategory::Exempt)], ON);
        assert_eq!(other, Err(PricingError::NegativeVatGroup { rate: VatRate::ZERO }));
        // Part of a discount outside the scope of VAT was already given on the prepayment invoice.
        // Its set-off is positive, so the group may still be negative.
        let discount = |price: &str| line("1", price, 0, VatCategory::OutOfScope);
        let part = Line { sets_off: Some(1), ..discount("50") };
        assert!(
            price(&[line("1", "1000", 0, VatCategory::Exempt), discount("-100"), part], ON).is_ok()
        );
    }

    #[test]
    fn refuses_what_is_not_an_invoice() {
        let cases = [
            (
                line("1", "10", 2100, VatCategory::Export),
                PricingError::RateWithCategory { line: 0 },
            ),
            (line("1", "10", 0, VatCategory::Standard), PricingError::RateWithCategory { line: 0 }),
            (line("-1", "10", 0, VatCategory::Zero), PricingError::NegativeTotal),
            (
                line("-1", "10", 2100, VatCategory::Standard),
                PricingError::NegativeVatGroup { rate: VatRate::from_basis_points(2100) },
            ),
            (
                line("1000000000", "1000000000", 0, VatCategory::Zero),
                PricingError::LineOutOfRange { line: 0 },
            ),
            (
                line("1000000", "99999.99", 2100, VatCategory::Standard),
                PricingError::TotalOutOfRange,
            ),
        ];
        for (line, error) in cases {
            assert_eq!(price(&[line], ON), Err(error));
        }
        // A discount at a rate other than that of the discounted line is allowed only at 0 %.
        let exempt = line("1", "1000", 0, VatCategory::Exempt);
        let discount = [exempt.clone(), line("-1", "500", 2100, VatCategory::Standard)];
        assert_eq!(
            price(&discount, ON),
            Err(PricingError::NegativeVatGroup { rate: VatRate::from_basis_points(2100) })
        );
        assert!(price(&[exempt, line("-1", "500", 0, VatCategory::OutOfScope)], ON).is_ok());
    }
}
