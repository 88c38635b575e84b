//! Invoice arithmetic: lines to amounts, amounts to VAT, VAT to totals, rounded as EN 16931 does.

use crate::{
    decimal::{self, Decimal},
    money::Cents,
    vat::{VatBox, VatCategory, VatRate, sales_box},
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
    /// Euros per unit, excluding VAT.
    pub unit_price: Decimal,
    /// The rate.
    pub vat_rate: VatRate,
    /// Why the rate is what it is.
    pub vat_category: VatCategory,
}

/// The VAT of all lines with one rate and category.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VatGroup {
    /// The rate.
    pub rate: VatRate,
    /// The category.
    pub category: VatCategory,
    /// The sum of the lines' amounts, excluding VAT.
    pub base: Cents,
    /// The VAT on that sum.
    pub amount: Cents,
    /// The box of the return that it belongs to, if it is declared.
    pub vat_box: Option<VatBox>,
}

/// An invoice with its amounts, in euros.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Priced {
    /// The amount of each line, excluding VAT.
    pub line_amounts: Vec<Cents>,
    /// The VAT, highest rate first.
    pub groups: Vec<VatGroup>,
    /// Excluding VAT.
    pub subtotal: Cents,
    /// The VAT.
    pub vat_total: Cents,
    /// Including VAT.
    pub total: Cents,
}

impl Priced {
    /// Moves the VAT of a rate and category by so much; the totals follow.
    ///
    /// Credit notes are rounded one by one, as invoices are. The one that takes back the last of a rate's base takes back the VAT
    /// that is left of it too, which may be a cent more or less than the rate of its own base.
    pub fn correct_vat(&mut self, rate: VatRate, category: VatCategory, by: Cents) {
        for group in self.groups.iter_mut().filter(|group| (group.rate, group.category) == (rate, category)) {
            group.amount += by;
            self.vat_total += by;
            self.total += by;
        }
    }
}

/// The lines cannot be an invoice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum PricingError {
    /// A line is beyond the limit of an amount.
    #[error("quantity times unit price must lie between -99999999999.99 and 99999999999.99")]
    LineOutOfRange {
        /// The line's place, from 0.
        line: usize,
    },
    /// The total is beyond the limit of an amount.
    #[error("the total must lie between -99999999999.99 and 99999999999.99")]
    TotalOutOfRange,
    /// A rate above zero goes with the category `standard` and with no other.
    #[error("a VAT rate above 0 goes with the category standard, and only with it")]
    RateWithCategory {
        /// The line's place, from 0.
        line: usize,
    },
    /// The total has the wrong sign: an invoice asks for money, a credit note gives it back.
    #[error("an invoice must not come to less than zero (make a credit note), nor a credit note to more (make an invoice)")]
    NegativeTotal,
}

/// Prices an invoice: a line is quantity × unit price rounded half away from zero to cents; per rate and category, VAT is the sum
/// of its lines' amounts × rate, rounded likewise (EN 16931, BR-CO-17; art. 5a Uitvoeringsbesluit omzetbelasting 1968: a third
/// decimal of 5 or more is rounded up); the total is the sum of both.
///
/// # Errors
/// An amount is out of range, a rate does not go with its category, or the total is below zero.
pub fn price(lines: &[Line], on: Date) -> Result<Priced, PricingError> {
    let priced = add_up(lines, on)?;
    if priced.total.is_negative() { Err(PricingError::NegativeTotal) } else { Ok(priced) }
}

/// Prices a credit note, whose quantities are the negatives of what is taken back.
///
/// # Errors
/// As for [`price`], with a total above zero in place of one below.
pub fn price_credit_note(lines: &[Line], on: Date) -> Result<Priced, PricingError> {
    let priced = add_up(lines, on)?;
    if priced.total > Cents::ZERO { Err(PricingError::NegativeTotal) } else { Ok(priced) }
}

fn add_up(lines: &[Line], on: Date) -> Result<Priced, PricingError> {
    let mut line_amounts = Vec::with_capacity(lines.len());
    let mut groups: Vec<VatGroup> = Vec::new();
    for (place, line) in lines.iter().enumerate() {
        if line.vat_rate.is_zero() == (line.vat_category == VatCategory::Standard) {
            return Err(PricingError::RateWithCategory { line: place });
        }
        let amount = decimal::multiply_to_cents(&line.quantity, &line.unit_price)
            .map_err(|_| PricingError::LineOutOfRange { line: place })?;
        line_amounts.push(amount);
        match groups.iter_mut().find(|group| (group.rate, group.category) == (line.vat_rate, line.vat_category)) {
            Some(group) => group.base += amount,
            None => groups.push(VatGroup {
                rate: line.vat_rate,
                category: line.vat_category,
                base: amount,
                amount: Cents::ZERO,
                vat_box: sales_box(line.vat_category, line.vat_rate, on),
            }),
        }
    }
    groups.sort_by_key(|group| (std::cmp::Reverse(group.rate), group.category));
    let (mut subtotal, mut vat_total) = (Cents::ZERO, Cents::ZERO);
    for group in &mut groups {
        // Each base is checked by itself, so that no part of a total is beyond what a posting can hold.
        let base = group.base.within_limit().map_err(|_| PricingError::TotalOutOfRange)?;
        group.amount = group.rate.of(base);
        subtotal += base;
        vat_total += group.amount;
    }
    let total = (subtotal + vat_total).within_limit().map_err(|_| PricingError::TotalOutOfRange)?;
    subtotal.within_limit().map_err(|_| PricingError::TotalOutOfRange)?;
    Ok(Priced { line_amounts, groups, subtotal, vat_total, total })
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::civil::date;

    const ON: Date = date(2026, 3, 15);

    fn line(quantity: &str, price: &str, rate: u16, category: VatCategory) -> Line {
        Line {
            description: "work".into(),
            quantity: decimal::parse(quantity).unwrap(),
            unit_price: decimal::parse(price).unwrap(),
            vat_rate: VatRate::from_basis_points(rate),
            vat_category: category,
        }
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
    fn refuses_what_is_not_an_invoice() {
        let cases = [
            (line("1", "10", 2100, VatCategory::Export), PricingError::RateWithCategory { line: 0 }),
            (line("1", "10", 0, VatCategory::Standard), PricingError::RateWithCategory { line: 0 }),
            (line("-1", "10", 2100, VatCategory::Standard), PricingError::NegativeTotal),
            (line("1000000000", "1000000000", 0, VatCategory::Zero), PricingError::LineOutOfRange { line: 0 }),
            (line("1000000", "99999.99", 2100, VatCategory::Standard), PricingError::TotalOutOfRange),
        ];
        for (line, error) in cases {
            assert_eq!(price(&[line], ON), Err(error));
        }
        // The subtotal alone is beyond the limit; negative VAT brings the total back under it.
        let lines = [
            line("999999999", "99.99", 0, VatCategory::Zero),
            line("999999999", "0.01", 0, VatCategory::Exempt),
            line("1", "110.99", 0, VatCategory::Export),
            line("-1", "10", 2100, VatCategory::Standard),
        ];
        assert_eq!(price(&lines, ON), Err(PricingError::TotalOutOfRange));
        assert_eq!(price_credit_note(&[line("1", "1", 0, VatCategory::Zero)], ON), Err(PricingError::NegativeTotal));
    }
}
