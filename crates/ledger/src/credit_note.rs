//! Credit notes: the amounts credited per rate, category and supply, and the check that they do not
//! exceed the remaining amounts of the invoice.

use crate::{
    decimal::divide_half_away,
    discount::Discount,
    invoice::{self, GroupKey, Line, Priced, Prices, PricingError, VatGroup},
    money::Cents,
    vat::VatRate,
};
use jiff::civil::Date;
use std::collections::BTreeMap;

/// Correction of a credit note's VAT: the difference from base × rate; see [`price`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VatCorrection {
    /// VAT group to correct.
    pub group: GroupKey,
    /// Difference, in euro cents.
    pub by: Cents,
}

/// Returns the amounts of an invoice that remain after its credit notes, per rate, category and
/// supply. The amounts of credit notes are negative.
#[must_use]
pub fn remaining_of(invoiced: &[VatGroup], credited: &[VatGroup]) -> Vec<VatGroup> {
    let mut remaining = invoiced.to_vec();
    for group in credited {
        match remaining.iter_mut().find(|remaining| same(remaining, group)) {
            Some(remaining) => {
                remaining.base += group.base;
                remaining.amount += group.amount;
            }
            None => remaining.push(*group),
        }
    }
    remaining
}

/// Whether nothing remains. The total alone does not show this: lines of opposite sign can add up
/// to zero and still carry VAT.
#[must_use]
pub fn is_nothing(remaining: &[VatGroup]) -> bool {
    remaining.iter().all(|group| group.base.is_zero() && group.amount.is_zero())
}

/// Prices a credit note against the remaining amounts of its invoice. The note's quantities have
/// the opposite sign of the invoiced ones.
///
/// VAT is rounded as on an invoice. It is then corrected, because rounding several notes one by one
/// could credit more or less than was charged: a note credits at most the remaining VAT, and the
/// note that credits the last of a group's base credits the rest of its VAT. If prices include VAT,
/// the total stays the sum of the lines: a correction then moves cents between VAT and base.
///
/// ```
/// use ledger::{
///     calendar::parse_date,
///     credit_note, decimal,
///     discount::Discount,
///     invoice::{self, Line, Prices},
///     money::Cents,
///     vat::{Supply, VatCategory, VatRate},
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
/// let on = parse_date("2026-03-15")?;
/// let invoiced = invoice::price(&[line.clone()], on, Prices::Net)?;
///
/// let note = Line { quantity: decimal::parse("-2")?, ..line };
/// let (priced, corrections) = credit_note::price(&[note], on, Prices::Net, &invoiced.groups)?;
/// assert_eq!((priced.subtotal, priced.vat_total), (Cents::new(-19_100), Cents::new(-4_011)));
/// assert!(corrections.is_empty());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// An amount is out of range, a rate does not match its category, or the total is above zero. To
/// check whether the note exceeds the remaining amounts, call [`beyond`].
pub fn price(
    lines: &[Line],
    on: Date,
    prices: Prices,
    remaining: &[VatGroup],
) -> Result<(Priced, Vec<VatCorrection>), PricingError> {
    let mut priced = invoice::add_up(Discount::None, lines, on, prices)?;
    let as_given = priced.total;
    let corrections: Vec<VatCorrection> =
        priced.groups.iter().filter_map(|group| correction(group, prices, remaining)).collect();
    correct(&mut priced, lines, prices, &corrections);
    // If the note exceeds the remaining amounts, the corrections distort its total, so the sign of
    // the uncorrected total is checked.
    let total = if beyond(&priced.groups, remaining).is_empty() { priced.total } else { as_given };
    if total > Cents::ZERO { Err(PricingError::NegativeTotal) } else { Ok((priced, corrections)) }
}

/// Prices an existing credit note with the corrections that were stored with it.
///
/// # Errors
/// An amount is out of range, a rate does not match its category, or the total is above zero.
pub fn price_again(
    lines: &[Line],
    on: Date,
    prices: Prices,
    corrections: &[VatCorrection],
) -> Result<Priced, PricingError> {
    let mut priced = invoice::add_up(Discount::None, lines, on, prices)?;
    correct(&mut priced, lines, prices, corrections);
    if priced.total > Cents::ZERO { Err(PricingError::NegativeTotal) } else { Ok(priced) }
}

/// Returns the groups in which a credit note exceeds the remaining base of the invoice, each with
/// that base. Groups that the invoice lacks are omitted.
#[must_use]
pub fn beyond(note: &[VatGroup], remaining: &[VatGroup]) -> Vec<(VatGroup, Cents)> {
    let remaining_before = |group: &VatGroup| {
        remaining.iter().find(|remaining| same(remaining, group)).map(|remaining| remaining.base)
    };
    let too_much = |group: &VatGroup| {
        remaining_before(group)
            .filter(|remaining| !within(-group.base, *remaining))
            .map(|remaining| (*group, remaining))
    };
    note.iter().filter_map(too_much).collect()
}

/// Returns the groups of an invoice that its credit notes overdraw: more base or VAT was credited
/// than charged, or all of the base but not all of the VAT.
#[must_use]
pub fn overdrawn(invoiced: &[VatGroup], credited: &[VatGroup]) -> Vec<VatGroup> {
    let fits = |remaining: &VatGroup| {
        let charged = invoiced.iter().find(|group| same(group, remaining));
        let (base, vat) =
            charged.map_or((Cents::ZERO, Cents::ZERO), |group| (group.base, group.amount));
        within(remaining.base, base)
            && within(remaining.amount, vat)
            && (!remaining.base.is_zero() || remaining.amount.is_zero())
    };
    remaining_of(invoiced, credited).into_iter().filter(|remaining| !fits(remaining)).collect()
}

/// Amount of a line in cents, excluding VAT unless prices include it; zero if it is out of range.
#[must_use]
pub fn amount(line: &Line) -> Cents {
    line.amount().unwrap_or(Cents::ZERO)
}

/// Returns the amounts of prepayments that a credit note releases: the place in `offsets` of each
/// line with which the invoice sets off a prepayment, and the released part in cents, excluding VAT
/// unless prices include it. Also returns the most that can be credited per group.
///
/// The lines of a note credit first the amount due, then the prepayments, and then what the customer
/// paid. `due` is the amount due of the invoice including VAT. If the lines exceed the remainder and
/// the prepayments together, nothing is released.
#[must_use]
pub fn release(
    lines: &[Line],
    offsets: &[Line],
    prices: Prices,
    (remaining, due): (&[VatGroup], Cents),
) -> (Vec<(usize, Cents)>, Vec<VatGroup>) {
    let mut most = remaining.to_vec();
    let mut available: BTreeMap<GroupKey, Cents> = BTreeMap::new();
    for offset in offsets {
        *available.entry(offset.group()).or_default() -= amount(offset);
        for group in most.iter_mut().filter(|group| group.key() == offset.group()) {
            group.base -= amount(offset);
        }
    }
    let mut wanted: BTreeMap<GroupKey, Cents> = BTreeMap::new();
    for line in lines {
        *wanted.entry(line.group()).or_default() -= amount(line);
    }
    let mut parts = Vec::new();
    for (key, wanted) in &wanted {
        let remains = remaining.iter().find(|group| group.key() == *key);
        let remains = remains.map_or(Cents::ZERO, |group| match prices {
            Prices::Net => group.base,
            Prices::Gross => group.base + group.amount,
        });
        let available = available.get(key).copied().unwrap_or_default();
        let least = (*wanted - remains).max(Cents::ZERO);
        if least > available {
            return (Vec::new(), most);
        }
        parts.push((*key, least, available.min(*wanted).max(least)));
    }
    let gross = |rate: VatRate, amount: Cents| match prices {
        Prices::Net => amount + rate.of(amount),
        Prices::Gross => amount,
    };
    let total: Cents = wanted.iter().map(|(key, wanted)| gross(key.rate, *wanted)).sum();
    let least: Cents = parts.iter().map(|(key, least, _)| gross(key.rate, *least)).sum();
    let mut rest = total - due.max(Cents::ZERO) - least;
    let mut released = Vec::new();
    for (key, least, most) in parts {
        let more = most - least;
        let taken = if gross(key.rate, more) <= rest {
            more
        } else {
            net(key.rate, rest.max(Cents::ZERO), prices).min(more)
        };
        rest -= gross(key.rate, taken);
        let mut to_release = least + taken;
        for (place, offset) in offsets.iter().enumerate().filter(|(_, of)| of.group() == key) {
            let part = to_release.min(-amount(offset));
            to_release -= part;
            released.extend((!part.is_zero()).then_some((place, part)));
        }
    }
    (released, remaining.to_vec())
}

/// Amount of lines whose total including VAT is `gross`, rounded half away from zero.
fn net(rate: VatRate, gross: Cents, prices: Prices) -> Cents {
    let all = 10_000 + i128::from(rate.basis_points());
    match prices {
        Prices::Net => {
            let base = divide_half_away(i128::from(gross.get()) * 10_000, all);
            Cents::new(i64::try_from(base).expect("a base is at most its gross amount"))
        }
        Prices::Gross => gross,
    }
}

fn correction(note: &VatGroup, prices: Prices, remaining: &[VatGroup]) -> Option<VatCorrection> {
    let remaining = remaining.iter().find(|remaining| same(remaining, note))?;
    let (least, most) = (remaining.amount.min(Cents::ZERO), remaining.amount.max(Cents::ZERO));
    let taken = match prices {
        Prices::Net if (remaining.base + note.base).is_zero() => remaining.amount,
        Prices::Net => (-note.amount).clamp(least, most),
        Prices::Gross => within_gross(-note.amount, -(note.base + note.amount), remaining),
    };
    let by = -taken - note.amount;
    (!by.is_zero()).then_some(VatCorrection { group: note.key(), by })
}

/// VAT to credit within `gross`: the value nearest to `vat` that leaves neither a negative base nor
/// negative VAT, and no VAT without base.
fn within_gross(vat: Cents, gross: Cents, remaining: &VatGroup) -> Cents {
    let all = remaining.base + remaining.amount;
    let sign = if all.is_negative() { -1 } else { 1 };
    let (vat, gross) = (vat.get() * sign, gross.get() * sign);
    let (charged, rest) = (remaining.amount.get() * sign, all.get() * sign - gross);
    let most = charged.min(gross).max(0);
    let least = (charged - rest + i64::from(rest > 0)).clamp(0, most);
    Cents::new(vat.clamp(least, most) * sign)
}

fn correct(priced: &mut Priced, lines: &[Line], prices: Prices, corrections: &[VatCorrection]) {
    for correction in corrections {
        let meant = |group: &&mut VatGroup| group.key() == correction.group;
        for group in priced.groups.iter_mut().filter(meant) {
            group.amount += correction.by;
            priced.vat_total += correction.by;
            match prices {
                Prices::Net => priced.total += correction.by,
                Prices::Gross => {
                    group.base -= correction.by;
                    priced.subtotal -= correction.by;
                }
            }
        }
    }
    if !corrections.is_empty() {
        priced.share_out(lines, prices);
    }
}

fn same(one: &VatGroup, other: &VatGroup) -> bool {
    one.key() == other.key()
}

/// Whether an amount lies between zero and `most`, which may be negative.
fn within(amount: Cents, most: Cents) -> bool {
    (most.min(Cents::ZERO)..=most.max(Cents::ZERO)).contains(&amount)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        decimal::Decimal,
        vat::{Supply, VatCategory, VatRate},
    };
    use jiff::civil::date;

    const ON: Date = date(2026, 3, 15);

    fn line(cents: i64, rate: u16) -> Line {
        Line {
            description: "work".into(),
            quantity: Decimal::ONE,
            unit_price: Decimal::new(cents, 2),
            vat_rate: VatRate::from_basis_points(rate),
            vat_category: if rate == 0 { VatCategory::OutOfScope } else { VatCategory::Standard },
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

    fn groups(lines: &[(i64, u16)]) -> Vec<VatGroup> {
        let lines: Vec<Line> = lines.iter().map(|(cents, rate)| line(*cents, *rate)).collect();
        invoice::add_up(Discount::None, &lines, ON, Prices::Net).unwrap().groups
    }

    fn note(lines: &[(i64, u16)], remaining: &[VatGroup]) -> Result<Priced, PricingError> {
        let lines: Vec<Line> = lines.iter().map(|(cents, rate)| line(-cents, *rate)).collect();
        let (priced, corrections) = price(&lines, ON, Prices::Net, remaining)?;
        assert_eq!(price_again(&lines, ON, Prices::Net, &corrections).as_ref(), Ok(&priced));
        Ok(priced)
    }

    #[test]
    fn notes_one_after_the_other_take_back_what_was_charged_to_the_cent() {
        // Invoiced base, base credited by each note, and VAT of each note.
        type Case<'c> = (i64, &'c [i64], &'c [i64]);
        let cases: [Case<'_>; 5] = [
            (100, &[100], &[-21]),
            (100, &[50, 50], &[-11, -10]),
            (6, &[2, 2, 2], &[0, 0, -1]),
            (20, &[3, 3, 3, 3, 3, 3, 2], &[-1, -1, -1, -1, 0, 0, 0]),
            (-20, &[-3, -3, -3, -3, -3, -5], &[1, 1, 1, 1, 0, 0]),
        ];
        for (invoiced, notes, wanted) in cases {
            // A line at 0 % ensures that the note's total has the correct sign.
            let whole = groups(&[(invoiced, 2100), (10_000, 0)]);
            let mut credited: Vec<VatGroup> = Vec::new();
            let mut vat = Vec::new();
            for back in notes {
                let remaining = remaining_of(&whole, &credited);
                let priced = note(&[(*back, 2100), (100, 0)], &remaining).unwrap();
                vat.push(priced.vat_total.get());
                credited.extend(priced.groups);
                assert_eq!(overdrawn(&whole, &credited), []);
            }
            assert_eq!(vat, wanted, "{invoiced} {notes:?}");
        }
    }

    #[test]
    fn a_total_of_nothing_does_not_mean_that_nothing_is_left() {
        let whole = groups(&[(10_000, 2100), (-12_100, 0)]);
        assert!(!is_nothing(&whole));
        let half = note(&[(5_000, 2100), (-6_050, 0)], &whole).unwrap();
        assert_eq!(half.total, Cents::ZERO);
        let remaining = remaining_of(&whole, &half.groups);
        assert_eq!(
            remaining
                .iter()
                .map(|group| (group.base.get(), group.amount.get()))
                .collect::<Vec<_>>(),
            [(5_000, 1_050), (-6_050, 0)]
        );
        let rest = note(&[(5_000, 2100), (-6_050, 0)], &remaining).unwrap();
        assert!(is_nothing(&remaining_of(&remaining, &rest.groups)));
    }

    #[test]
    fn more_than_is_left_is_told_in_either_direction() {
        let remaining = groups(&[(10_000, 2100), (-6_050, 0)]);
        for (back, beyond_it) in [
            ((10_000, 2100), false),
            ((10_001, 2100), true),
            ((-1, 2100), true),
            ((-6_050, 0), false),
            ((1, 0), true),
        ] {
            let reported = beyond(&groups(&[(-back.0, back.1)]), &remaining);
            assert_eq!(!reported.is_empty(), beyond_it, "{back:?}");
        }
    }

    #[test]
    fn vat_that_stays_or_comes_back_without_its_base_is_overdrawn() {
        let whole = groups(&[(10_000, 2100)]);
        let taken = |base: i64, vat: i64| VatGroup {
            base: Cents::new(-base),
            amount: Cents::new(-vat),
            ..whole[0]
        };
        for (credited, fits) in [
            ((10_000, 2_100), true),
            ((10_000, 2_099), false),
            ((5_000, 2_101), false),
            ((10_001, 2_100), false),
            ((-1, 0), false),
        ] {
            assert_eq!(
                overdrawn(&whole, &[taken(credited.0, credited.1)]).is_empty(),
                fits,
                "{credited:?}"
            );
        }
        assert_eq!(overdrawn(&[], &[taken(1, 0)]).len(), 1, "a group that was never invoiced");
    }

    #[test]
    fn a_note_takes_the_amount_due_then_prepayments_then_what_was_paid() {
        // Invoiced base, prepaid base, amount due and credited base; released base. All at 21 %.
        let cases: [(i64, i64, i64, i64, i64); 9] = [
            (100_000, 100_000, 0, 10_000, 10_000),
            (100_000, 100_000, 0, 100_000, 100_000),
            (100_000, 100_000, 0, 100_001, 0),
            (100_000, 40_000, 72_600, 60_000, 0),
            (100_000, 40_000, 72_600, 70_000, 10_000),
            (100_000, 40_000, 0, 70_000, 40_000),
            (100_000, 40_000, 0, 30_000, 30_000),
            // Half of the rest is paid: 363.00 due is a base of 300.00.
            (100_000, 40_000, 36_300, 50_000, 20_000),
            // To be refunded already: nothing is due.
            (100_000, 40_000, -12_100, 50_000, 40_000),
        ];
        for (invoiced, prepaid, due, credited, wanted) in cases {
            let offset = Line { sets_off: Some(1), ..line(-prepaid, 2100) };
            let whole = invoice::add_up(
                Discount::None,
                &[line(invoiced, 2100), offset.clone()],
                ON,
                Prices::Net,
            );
            let remaining = whole.unwrap().groups;
            let (released, most) = release(
                &[line(-credited, 2100)],
                &[offset],
                Prices::Net,
                (&remaining, Cents::new(due)),
            );
            let released: i64 = released.iter().map(|(_, part)| part.get()).sum();
            assert_eq!(released, wanted, "{invoiced} {prepaid} {due} {credited}");
            let limit = if credited > invoiced { invoiced } else { invoiced - prepaid };
            assert_eq!(most[0].base.get(), limit, "{credited}");
        }
    }

    #[test]
    fn a_note_that_comes_to_more_than_nothing_is_none() {
        let remaining = groups(&[(10_000, 2100), (-6_050, 0)]);
        assert_eq!(note(&[(-1, 0)], &remaining), Err(PricingError::NegativeTotal));
    }
}
