//! Lines of credit notes: how much of each invoiced line they credit, and the rounding that makes
//! all credits of a line add up to its amount.

use crate::{
    credit_note::amount,
    decimal::{self, Decimal},
    discount::Discount,
    invoice::{Line, Prices, VatGroup},
    money::{AmountOutOfRange, Cents},
};
use std::cmp::Ordering;

/// One cent, the maximum by which rounding changes an amount.
const CENT: Cents = Cents::new(1);

/// Lines of an invoice, each with the quantity credited so far.
#[derive(Clone, Debug)]
pub struct Credited<'l>(Vec<Invoiced<'l>>);

/// Line of an invoice.
#[derive(Clone, Debug)]
struct Invoiced<'l> {
    line: &'l Line,
    /// Amount after all discounts, including VAT if the prices do.
    charged: Cents,
    /// Quantity credited so far.
    taken: Decimal,
}

impl Invoiced<'_> {
    /// Whether the line was charged for less than quantity × price.
    fn is_discounted(&self) -> bool {
        self.line.gross_amount().is_ok_and(|gross| gross != self.charged)
    }

    /// Amount of a part of the quantity. The whole quantity of a discounted line has exactly the
    /// charged amount.
    fn amount_of(&self, quantity: &Decimal) -> Result<Cents, AmountOutOfRange> {
        if self.is_discounted() {
            Ok(decimal::share(self.charged, quantity, &self.line.quantity))
        } else {
            decimal::multiply_to_cents(quantity, &self.line.unit_price)
        }
    }
}

impl<'l> Credited<'l> {
    /// Credits the lines of an invoice's credit notes, oldest first, against the invoice's lines.
    /// The invoice has no discount on all lines.
    pub fn new<'n>(
        invoiced: impl IntoIterator<Item = &'l Line>,
        notes: impl IntoIterator<Item = &'n Line>,
    ) -> Self {
        let charged = |line: &'l Line| (line, line.amount().unwrap_or(Cents::ZERO));
        Self::less_discounts(invoiced.into_iter().map(charged), notes)
    }

    /// Like [`Credited::new`], with the amount of each line after all discounts, including VAT if
    /// the prices do ([`crate::invoice::LineAmounts::charged`]).
    pub fn less_discounts<'n>(
        invoiced: impl IntoIterator<Item = (&'l Line, Cents)>,
        notes: impl IntoIterator<Item = &'n Line>,
    ) -> Self {
        let uncredited =
            |(line, charged): (&'l Line, Cents)| Invoiced { line, charged, taken: Decimal::ZERO };
        let mut credited = Self(invoiced.into_iter().map(uncredited).collect());
        for line in notes {
            // This cannot fail: booked amounts are within the limit.
            credited.take(line).ok();
        }
        credited
    }

    /// Returns the remaining quantity of each line.
    #[must_use]
    pub fn remaining(&self) -> Vec<Decimal> {
        self.0.iter().map(|of| of.line.quantity - of.taken).collect()
    }

    /// Credits the quantity of a credit note's line. Returns the line's amount, and whether an
    /// invoiced line that it credits was discounted.
    ///
    /// The quantity is credited against the invoiced line that the note names or, if it names none,
    /// against lines at the same price, rate, category and tax country, starting with those with the
    /// same description. Of each invoiced line, the rounded amount of the credited quantity is
    /// computed before and after; the note gets the difference. A note that completes the credit of
    /// a line therefore credits exactly the rest of the line's amount.
    fn take(&mut self, note: &Line) -> Result<(Cents, bool), AmountOutOfRange> {
        let mut remaining = -note.quantity;
        let (mut amount, mut is_discounted) = (Cents::ZERO, false);
        for same_description in [true, false] {
            for (number, of) in (1_i64..).zip(&mut self.0) {
                let line = of.line;
                let is_same = line.unit_price == note.unit_price
                    && (line.vat_rate, line.vat_category) == (note.vat_rate, note.vat_category)
                    && line.tax_country == note.tax_country
                    && note.credits.is_none_or(|credits| credits == number)
                    && (line.description == note.description) == same_description;
                if !is_same {
                    continue;
                }
                // A quantity of the opposite sign reverses earlier credits.
                let (least, most) =
                    (line.quantity.min(Decimal::ZERO), line.quantity.max(Decimal::ZERO));
                let after = (of.taken + remaining).clamp(least, most);
                amount += of.amount_of(&of.taken)?;
                amount -= of.amount_of(&after)?;
                is_discounted |= after != of.taken && of.is_discounted();
                remaining -= after - of.taken;
                of.taken = after;
            }
        }
        amount -= decimal::multiply_to_cents(&remaining, &note.unit_price)?;
        Ok((amount, is_discounted))
    }
}

/// Sets the discount of a credit note's lines that credit discounted lines of the invoice, without
/// rounding the others.
pub fn share_discounts(lines: &mut [Line], mut credited: Credited<'_>) {
    for line in lines {
        if let (Ok(plain), Ok((amount, true))) = (line.rounded(), credited.take(line)) {
            line.discount = Discount::new(None, Some(plain - amount));
        }
    }
}

/// Sets the rounding and the discount of a credit note's lines, whose quantities have the opposite
/// sign of the invoiced ones. A line that credits a discounted line has its share of both discounts
/// as its own.
///
/// Each amount follows from the invoiced lines that are credited, and is within a cent of the
/// line's own rounded quantity × price: readers of e-invoices check that product with a tolerance
/// of two cents (Peppol BIS Billing 3, rule R120). A note that exceeds `remaining` only because its
/// lines were rounded up credits exactly the remaining amount.
pub fn round(
    lines: &mut [Line],
    mut credited: Credited<'_>,
    prices: Prices,
    remaining: &[VatGroup],
) {
    for line in &mut *lines {
        // An amount out of range is skipped here; `credit_note::price` reports it.
        let (Ok(plain), Ok((amount, is_discounted))) = (line.rounded(), credited.take(line)) else {
            continue;
        };
        (line.rounding, line.discount) = if is_discounted {
            (Cents::ZERO, Discount::new(None, Some(plain - amount)))
        } else {
            ((amount - plain).clamp(-CENT, CENT), Discount::None)
        };
    }
    for group in remaining {
        let most = if prices == Prices::Gross { group.base + group.amount } else { group.base };
        let its = || lines.iter().filter(|line| line.group() == group.key());
        let excess = -its().map(amount).sum::<Cents>() - most;
        let (cent, rounded_up) =
            if most.is_negative() { (-CENT, Ordering::Greater) } else { (CENT, Ordering::Less) };
        let is_rounded_up = |line: &&mut Line| {
            line.group() == group.key()
                && line.discount == Discount::None
                && line.amount().is_ok_and(|amount| {
                    decimal::compare_to_product(amount, &line.quantity, &line.unit_price)
                        == rounded_up
                })
        };
        let mut rounded: Vec<&mut Line> = lines.iter_mut().filter(is_rounded_up).collect();
        let count = usize::try_from(excess.get() * cent.get()).unwrap_or(0);
        // A larger excess is not due to rounding; it is kept and rejected later.
        if count <= rounded.len() {
            rounded[..count].iter_mut().for_each(|line| line.rounding += cent);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        credit_note, invoice,
        vat::{Supply, VatCategory, VatRate},
    };
    use jiff::civil::{Date, date};

    const ON: Date = date(2026, 3, 15);

    fn line(description: &str, quantity: &str, price: &str) -> Line {
        Line {
            description: description.into(),
            quantity: decimal::parse(quantity).unwrap(),
            unit_price: decimal::parse(price).unwrap(),
            vat_rate: VatRate::from_basis_points(2100),
            vat_category: VatCategory::Standard,
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

    /// Credits an invoice with successive notes, each given as description, quantity and price,
    /// until a note exceeds the remaining amount. Returns the amounts of the notes before that one,
    /// and the total that then remains.
    fn credit(invoiced: &[Line], prices: Prices, notes: &[(&str, &str, &str)]) -> (Vec<i64>, i64) {
        let whole = invoice::price(invoiced, ON, prices).unwrap();
        let (mut lines, mut groups, mut amounts) = (Vec::new(), Vec::new(), Vec::new());
        for (description, quantity, price) in notes {
            let mut note = [line(description, &format!("-{quantity}"), price)];
            let remaining = credit_note::remaining_of(&whole.groups, &groups);
            round(&mut note, Credited::new(invoiced, &lines), prices, &remaining);
            let (priced, _) = credit_note::price(&note, ON, prices, &remaining).unwrap();
            if !credit_note::beyond(&priced.groups, &remaining).is_empty() {
                break;
            }
            amounts.push(-amount(&note[0]).get());
            groups.extend(priced.groups);
            lines.extend(note);
        }
        let remaining = credit_note::remaining_of(&whole.groups, &groups);
        (amounts, remaining.iter().map(|group| (group.base + group.amount).get()).sum())
    }

    #[test]
    fn the_last_of_a_line_takes_the_rest_of_its_amount() {
        // Quantity and price of a line, kind of prices, credited parts and their amounts.
        type Case<'c> = (&'c str, &'c str, Prices, &'c [&'c str], &'c [i64]);
        let cases: [Case<'_>; 8] = [
            ("10", "17.925", Prices::Gross, &["1", "9"], &[1_793, 16_132]),
            ("10", "17.925", Prices::Gross, &["9", "1"], &[16_133, 1_792]),
            (
                "10",
                "17.925",
                Prices::Gross,
                &["1"; 10],
                &[1_793, 1_792, 1_793, 1_792, 1_793, 1_792, 1_793, 1_792, 1_793, 1_792],
            ),
            ("1.5", "95.55", Prices::Net, &["0.75", "0.75"], &[7_166, 7_167]),
            ("2", "8.2645", Prices::Net, &["1", "1"], &[826, 827]),
            ("4", "1.6446280991735537", Prices::Net, &["1", "3"], &[164, 494]),
            ("3", "0.335", Prices::Net, &["1", "1", "1"], &[34, 33, 34]),
            ("2.5", "10.01", Prices::Net, &["0.5", "0.5", "1.5"], &[501, 500, 1_502]),
        ];
        for (quantity, price, prices, parts, amounts) in cases {
            let notes: Vec<_> = parts.iter().map(|part| ("work", *part, price)).collect();
            let expected = (amounts.to_vec(), 0);
            assert_eq!(
                credit(&[line("work", quantity, price)], prices, &notes),
                expected,
                "{quantity} x {price}"
            );
        }
    }

    #[test]
    fn other_words_and_other_prices_take_the_same() {
        let work = [line("work", "10", "17.925")];
        assert_eq!(
            credit(&work, Prices::Gross, &[("credit", "1", "17.925"), ("work", "9", "17.925")]),
            (vec![1_793, 16_132], 0)
        );
        // 9 × 17.925 is 161.325, half a cent more than remains, and would be rounded to 161.33.
        assert_eq!(
            credit(&work, Prices::Gross, &[("credit", "1", "17.93"), ("work", "9", "17.925")]),
            (vec![1_793, 16_132], 0)
        );
        // A product that exceeds the rest by one and a half cents is rejected.
        assert_eq!(
            credit(&work, Prices::Gross, &[("credit", "1", "17.94"), ("work", "9", "17.925")]),
            (vec![1_794], 16_131)
        );
        // One note credits both of two identical lines.
        let twice = [line("work", "1", "0.335"), line("work", "1", "0.335")];
        assert_eq!(credit(&twice, Prices::Net, &[("work", "2", "0.335")]), (vec![68], 0));
        assert_eq!(
            credit(&twice, Prices::Net, &[("work", "1", "0.335"), ("work", "1", "0.335")]),
            (vec![34, 34], 0)
        );
    }

    #[test]
    fn a_discounted_line_is_credited_by_its_share() {
        // Three pieces of 10 less 10 %, charged for 24.31 after a discount on the whole: the last
        // credit note takes what is left.
        let invoiced =
            Line { discount: Discount::Percent(Decimal::TEN), ..line("work", "3", "10") };
        let charged = Cents::new(2_431);
        let mut notes: Vec<Line> = Vec::new();
        for credits in [None, Some(1), Some(1)] {
            let taken = Credited::less_discounts([(&invoiced, charged)], &notes);
            let mut note = [Line { credits, ..line("work", "-1", "10") }];
            round(&mut note, taken, Prices::Net, &[]);
            notes.extend(note);
        }
        let amounts: Vec<i64> = notes.iter().map(|note| amount(note).get()).collect();
        assert_eq!(amounts, [-810, -811, -810]);
        let discounts: Vec<Discount> = notes.iter().map(|note| note.discount).collect();
        assert_eq!(discounts, [-190, -189, -190].map(|off| Discount::Amount(Cents::new(off))));
    }

    #[test]
    fn a_credit_note_can_name_one_of_two_equal_lines() {
        let invoiced = [line("work", "1", "10"), line("work", "1", "10")];
        let charged = [1_000, 500].map(Cents::new);
        let taken = Credited::less_discounts(invoiced.iter().zip(charged), &[]);
        let mut note = [Line { credits: Some(2), ..line("work", "-1", "10") }];
        round(&mut note, taken, Prices::Net, &[]);
        assert_eq!(amount(&note[0]), Cents::new(-500));
        let taken = Credited::less_discounts(invoiced.iter().zip(charged), &note);
        assert_eq!(taken.remaining(), [Decimal::ONE, Decimal::ZERO]);
    }

    #[test]
    fn a_quantity_of_the_other_sign_gives_back() {
        let invoiced = [line("work", "10", "1"), line("discount", "-2", "1")];
        let remaining = |notes: &[Line]| -> Vec<String> {
            Credited::new(&invoiced, notes).remaining().iter().map(decimal::plain).collect()
        };
        assert_eq!(remaining(&[line("work", "-3", "1"), line("discount", "1", "1")]), ["7", "-1"]);
        assert_eq!(remaining(&[line("work", "-3", "1"), line("work", "1", "1")]), ["8", "-2"]);
        // A line that was not invoiced credits nothing, nor does the excess over an invoiced
        // quantity.
        assert_eq!(remaining(&[line("work", "-3", "2"), line("work", "-11", "1")]), ["0", "-2"]);
    }
}
