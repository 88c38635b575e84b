//! Invoice arithmetic: line amounts, VAT and totals, rounded as in EN 16931.

use crate::{
    chart::AccountCode,
    country::CountryCode,
    decimal::{self, Decimal},
    discount::Discount,
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
    /// Unit of the quantity: a known one ([`crate::unit::KNOWN`]) or any other text.
    pub unit: Option<String>,
    /// Discount on the line. On a credit note: the credited part of both discounts.
    pub discount: Discount,
    /// Number of the invoiced line that a line of a credit note credits, from 1.
    pub credits: Option<i64>,
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

    /// Amount before the discount of the line, excluding VAT unless the prices include it.
    ///
    /// # Errors
    /// The amount exceeds the limit.
    pub fn gross_amount(&self) -> Result<Cents, AmountOutOfRange> {
        Ok(self.rounded()? + self.rounding)
    }

    /// Amount after the discount of the line, excluding VAT unless the prices include it.
    ///
    /// # Errors
    /// The amount exceeds the limit.
    pub fn amount(&self) -> Result<Cents, AmountOutOfRange> {
        let gross = self.gross_amount()?;
        Ok(gross - self.discount.on(gross))
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
    /// Amount of each line after all discounts, excluding VAT.
    pub line_amounts: Vec<Cents>,
    /// Amount of each line after all discounts, including VAT.
    pub line_gross: Vec<Cents>,
    /// Amounts of the lines before the discount of the document, and that discount.
    pub shown: ShownAmounts,
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

/// Amounts that a document shows about its lines, and the discount on all of them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ShownAmounts {
    /// Amounts of each line.
    pub lines: Vec<LineAmounts>,
    /// Sum of the lines, including VAT if the prices do.
    pub lines_total: Cents,
    /// Discount on the lines, including VAT if the prices do.
    pub discount: Cents,
    /// Discount of each VAT group excluding VAT, if there is a discount.
    pub discounts: Vec<(GroupKey, Cents)>,
}

impl ShownAmounts {
    /// Whether a line has a discount of its own.
    #[must_use]
    pub fn has_line_discounts(&self) -> bool {
        self.lines.iter().any(|line| !line.discount.is_zero())
    }

    /// Returns the discount on the lines as a negative amount.
    #[must_use]
    pub fn taken_off(&self) -> Cents {
        -self.discount
    }
}

/// Amounts of a line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LineAmounts {
    /// Quantity × price, including VAT if the prices do.
    pub gross: Cents,
    /// Discount of the line, including VAT if the prices do.
    pub discount: Cents,
    /// Amount after the discount of the line, excluding VAT.
    pub amount: Cents,
    /// Amount after the discount of the line, including VAT.
    pub amount_incl_vat: Cents,
    /// Amount after the discounts of the line and of the document, including VAT if the prices do.
    pub charged: Cents,
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
    /// The discount of a line is below zero or above the amount of the line, or the line is below
    /// zero.
    #[error("line_discount_out_of_range: line {line}")]
    LineDiscountOutOfRange {
        /// Index of the line, from 0.
        line: usize,
        /// Maximum discount.
        most: Cents,
    },
    /// The lines come to nothing or less, so that no amount can be taken off them.
    #[error("discount_out_of_range")]
    DiscountOutOfRange,
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
///     discount::Discount,
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
///     unit: None,
///     discount: Discount::None,
///     credits: None,
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
    price_less(Discount::None, lines, on, prices)
}

/// Prices an invoice like [`price`], less a discount on all lines except those that set off
/// prepayments. A percentage is taken of each rate and category, rounded half away from zero; an
/// amount is divided over them by size, with the missing cents to the largest remainders. VAT is
/// computed after it.
///
/// # Errors
/// As for [`price`], or a discount is out of range.
pub fn price_less(
    discount: Discount,
    lines: &[Line],
    on: Date,
    prices: Prices,
) -> Result<Priced, PricingError> {
    let priced = add_up(discount, lines, on, prices)?;
    for (place, (line, amounts)) in lines.iter().zip(&priced.shown.lines).enumerate() {
        let most = amounts.gross.max(Cents::ZERO);
        let is_within = (Cents::ZERO..=most).contains(&amounts.discount);
        if !line.discount.is_zero() && (amounts.gross.is_negative() || !is_within) {
            return Err(PricingError::LineDiscountOutOfRange { line: place, most });
        }
    }
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
// Long: the steps from lines to totals, in order.
pub(crate) fn add_up(
    discount: Discount,
    lines: &[Line],
    on: Date,
    prices: Prices,
) -> Result<Priced, PricingError> {
    let mut shown =
        ShownAmounts { lines: Vec::with_capacity(lines.len()), ..ShownAmounts::default() };
    let mut asked = Vec::with_capacity(lines.len());
    let mut groups: Vec<VatGroup> = Vec::new();
    for (place, line) in lines.iter().enumerate() {
        if line.vat_rate.is_zero() == line.vat_category.is_taxed() {
            return Err(PricingError::RateWithCategory { line: place });
        }
        let gross =
            line.gross_amount().map_err(|_| PricingError::LineOutOfRange { line: place })?;
        let discount = line.discount.on(gross);
        let amount = gross - discount;
        shown.lines.push(LineAmounts { gross, discount, ..LineAmounts::default() });
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
    let taken_off = taken_off(discount, lines, &asked, &groups)?;
    let (mut subtotal, mut vat_total) = (Cents::ZERO, Cents::ZERO);
    for (place, group) in groups.iter_mut().enumerate() {
        let before = group.base;
        let off = taken_off.as_ref().map_or(Cents::ZERO, |off| off.of_groups[place]);
        group.base -= off;
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
        if taken_off.is_some() {
            let net = match prices {
                Prices::Net => off,
                // Both sums excluding VAT, so that the lines less the discount are the base.
                Prices::Gross => before - group.rate.within(before) - group.base,
            };
            shown.discounts.push((group.key(), net));
        }
        shown.discount += off;
        subtotal += group.base;
        vat_total += group.amount;
    }
    let total = (subtotal + vat_total).within_limit().map_err(|_| PricingError::TotalOutOfRange)?;
    subtotal.within_limit().map_err(|_| PricingError::TotalOutOfRange)?;
    shown.lines_total = asked.iter().copied().sum();
    let charged: Vec<Cents> = match &taken_off {
        None => asked.clone(),
        Some(off) => asked.iter().zip(&off.of_lines).map(|(asked, off)| *asked - *off).collect(),
    };
    for (amounts, charged) in shown.lines.iter_mut().zip(&charged) {
        amounts.charged = *charged;
    }
    let mut priced = Priced {
        line_amounts: charged.clone(),
        line_gross: charged,
        shown,
        groups,
        set_off: Vec::new(),
        own_revenue: Vec::new(),
        subtotal,
        vat_total,
        total,
    };
    priced.share_out(lines, prices);
    if taken_off.is_some() {
        priced.show_before_discount(lines, &asked, prices);
    }
    Ok(priced)
}

/// Parts of the discount of a document.
struct TakenOff {
    /// Part of each VAT group, in the order of the groups.
    of_groups: Vec<Cents>,
    /// Part of each line.
    of_lines: Vec<Cents>,
}

/// Divides the discount of a document over its VAT groups, and each part over the lines of the
/// group; `None` without a discount. `asked` has the amounts of the lines.
fn taken_off(
    discount: Discount,
    lines: &[Line],
    asked: &[Cents],
    groups: &[VatGroup],
) -> Result<Option<TakenOff>, PricingError> {
    if discount.is_zero() {
        return Ok(None);
    }
    let is_own = |place: &usize| lines[*place].sets_off.is_none();
    let places_of = |group: &VatGroup| -> Vec<usize> {
        let its = (0..lines.len()).filter(|place| lines[*place].group() == group.key());
        its.filter(is_own).collect()
    };
    let sum = |places: &[usize]| places.iter().map(|place| asked[*place]).sum::<Cents>();
    let places: Vec<Vec<usize>> = groups.iter().map(places_of).collect();
    let sums: Vec<Cents> = places.iter().map(|places| sum(places)).collect();
    let total: Cents = sums.iter().copied().sum();
    if !discount.is_possible() || (discount.amount().is_some() && total <= Cents::ZERO) {
        return Err(PricingError::DiscountOutOfRange);
    }
    let (part, whole) = discount.ratio(total);
    let exact = |amount: Cents| i128::from(amount.get()) * part;
    let of_groups: Vec<Cents> = match discount {
        Discount::None | Discount::Percent(_) => sums.iter().map(|sum| discount.on(*sum)).collect(),
        Discount::Amount(amount) => {
            let exact: Vec<i128> = sums.iter().map(|sum| exact(*sum)).collect();
            largest_remainders(&exact, whole, amount)
        }
    };
    let mut of_lines = vec![Cents::ZERO; lines.len()];
    for (places, sum) in places.iter().zip(&of_groups) {
        let exact: Vec<i128> = places.iter().map(|place| exact(asked[*place])).collect();
        for (place, share) in places.iter().zip(largest_remainders(&exact, whole, *sum)) {
            of_lines[*place] = share;
        }
    }
    Ok(Some(TakenOff { of_groups, of_lines }))
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
        for (place, shown) in self.shown.lines.iter_mut().enumerate() {
            shown.amount = self.line_amounts[place];
            shown.amount_incl_vat = self.line_gross[place];
        }
    }

    /// Allocates the sums of the groups before the discount of the document to their lines, as a
    /// document shows them. `asked` has the amounts of the lines.
    fn show_before_discount(&mut self, lines: &[Line], asked: &[Cents], prices: Prices) {
        for group in &self.groups {
            let its: Vec<usize> =
                (0..lines.len()).filter(|place| lines[*place].group() == group.key()).collect();
            let before: Cents = its.iter().map(|place| asked[*place]).sum();
            let (points, whole) = (i128::from(group.rate.basis_points()), 10_000);
            let (times, over, sum) = match prices {
                Prices::Net => (whole + points, whole, before + group.rate.of(before)),
                Prices::Gross => (whole, whole + points, before - group.rate.within(before)),
            };
            let exact: Vec<i128> =
                its.iter().map(|place| i128::from(asked[*place].get()) * times).collect();
            for (place, share) in its.iter().zip(largest_remainders(&exact, over, sum)) {
                let shown = &mut self.shown.lines[*place];
                (shown.amount, shown.amount_incl_vat) = match prices {
                    Prices::Net => (asked[*place], share),
                    Prices::Gross => (share, asked[*place]),
                };
            }
        }
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
            unit: None,
            discount: Discount::None,
            credits: None,
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
    fn discounts_come_off_before_vat() {
        let cents =
            |amounts: &[Cents]| amounts.iter().map(|amount| amount.get()).collect::<Vec<_>>();
        let percent = |text: &str| Discount::Percent(decimal::parse(text).unwrap());
        let less = |discount, line| Line { discount, ..line };
        // 8 × 100 less 10 %, and 40 less 5 at 9 %; then 10 % off each rate.
        let lines = [
            less(percent("10"), line("8", "100", 2100, VatCategory::Standard)),
            less(Discount::Amount(Cents::new(500)), line("1", "40", 900, VatCategory::Standard)),
        ];
        let priced = price_less(percent("10"), &lines, ON, Prices::Net).unwrap();
        let of_lines: Vec<_> = priced
            .shown
            .lines
            .iter()
            .map(|of| [of.gross, of.discount, of.amount, of.charged].map(Cents::get))
            .collect();
        assert_eq!(of_lines, [[80_000, 8_000, 72_000, 64_800], [4_000, 500, 3_500, 3_150]]);
        assert_eq!((priced.shown.lines_total.get(), priced.shown.discount.get()), (75_500, 7_550));
        let bases: Vec<_> =
            priced.groups.iter().map(|group| (group.base.get(), group.amount.get())).collect();
        assert_eq!(bases, [(64_800, 13_608), (3_150, 284)]);
        // 10.00 off lines of 2 × 33.33 and 33.34, by size: 6.666 and 3.334, the missing cent to the
        // largest remainder.
        let lines = [
            line("2", "33.33", 2100, VatCategory::Standard),
            line("1", "33.34", 900, VatCategory::Standard),
        ];
        let ten = Discount::Amount(Cents::new(1_000));
        let priced = price_less(ten, &lines, ON, Prices::Net).unwrap();
        let off: Vec<_> = priced.shown.discounts.iter().map(|(_, off)| off.get()).collect();
        assert_eq!(off, [667, 333]);
        // With prices including VAT the discount includes VAT too: 121 − 21 = 100, of which 17.36
        // is VAT; excluding VAT that is 100 less 17.36.
        let gross = [line("1", "121", 2100, VatCategory::Standard)];
        let off = Discount::Amount(Cents::new(2_100));
        let priced = price_less(off, &gross, ON, Prices::Gross).unwrap();
        assert_eq!((priced.subtotal.get(), priced.vat_total.get()), (8_264, 1_736));
        let shown = &priced.shown;
        assert_eq!((shown.lines_total.get(), shown.discount.get()), (12_100, 2_100));
        assert_eq!((shown.lines[0].amount.get(), shown.discounts[0].1.get()), (10_000, 1_736));
        assert_eq!(cents(&priced.line_amounts), [8_264]);
    }

    #[test]
    fn set_off_prepayments_have_no_discount() {
        let prepaid = Line { sets_off: Some(1), ..line("-1", "100", 2100, VatCategory::Standard) };
        let lines = [line("1", "300", 2100, VatCategory::Standard), prepaid];
        let ten = Discount::Percent(Decimal::TEN);
        let priced = price_less(ten, &lines, ON, Prices::Net).unwrap();
        assert_eq!((priced.shown.discount.get(), priced.subtotal.get()), (3_000, 17_000));
        assert_eq!(priced.set_off[0].1.get(), -10_000);
    }

    #[test]
    fn discounts_out_of_range_are_refused() {
        let percent = |percent: i64| Discount::Percent(Decimal::new(percent, 0));
        let amount = |cents: i64| Discount::Amount(Cents::new(cents));
        let of = |quantity: &str, discount| Line {
            discount,
            ..line(quantity, "10", 2100, VatCategory::Standard)
        };
        let refused = |most: i64| {
            Err(PricingError::LineDiscountOutOfRange { line: 1, most: Cents::new(most) })
        };
        let price = |line: Line, discount| {
            let other = self::line("5", "10", 2100, VatCategory::Standard);
            price_less(discount, &[other, line], ON, Prices::Net).map(|priced| priced.total.get())
        };
        assert_eq!(price(of("1", amount(1_001)), Discount::None), refused(1_000));
        assert_eq!(price(of("1", amount(1_000)), Discount::None), Ok(6_050));
        assert_eq!(price(of("1", percent(101)), Discount::None), refused(1_000));
        assert_eq!(price(of("-1", percent(10)), Discount::None), refused(0));
        assert_eq!(price(of("-1", amount(1)), Discount::None), refused(0));
        assert_eq!(price(of("-1", Discount::None), percent(50)), Ok(2_420));
        assert_eq!(price(of("-1", Discount::None), percent(100)), Ok(0));
        assert_eq!(
            price(of("-1", Discount::None), amount(4_001)),
            Err(PricingError::NegativeVatGroup { rate: VatRate::from_basis_points(2100) })
        );
        assert_eq!(
            price(of("-5", Discount::None), amount(1)),
            Err(PricingError::DiscountOutOfRange)
        );
        assert_eq!(
            price(of("1", Discount::None), percent(101)),
            Err(PricingError::DiscountOutOfRange)
        );
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
