//! Invariants of all bookings: random documents and random books, checked against an independent
//! computation.

#![expect(clippy::unwrap_used, reason = "a test may panic, also in what it calls")]

mod support;

use jiff::civil::date;
use ledger::{
    calendar::{self, Quarter},
    chart::{Role, codes},
    credit_lines::{self, Credited},
    credit_note,
    decimal::{self, Decimal, DecimalError},
    discount::Discount,
    entry::{JournalEntry, Posting, Source, SourceType},
    hours::Hours,
    invoice::{self, Line, LineAmounts, Prices, VatGroup},
    money::{AmountOutOfRange, Cents},
    summary::annual_summary,
    vat::{Supply, VatBox, VatCategory, VatRate},
    vat_return::{VatReturn, vat_return},
};
use num_bigint::BigInt;
use proptest::prelude::*;
use std::{cmp::Reverse, collections::BTreeMap};
use support::{Book, YEARS, a_book, a_date, lines_of_a_sale, net, quarters};

/// Rounds half away from zero with exact integers: twice the magnitude plus one unit, divided by
/// two units.
fn reference_cents(a: &Decimal, b: &Decimal) -> BigInt {
    let product = BigInt::from(a.mantissa()) * BigInt::from(b.mantissa()) * BigInt::from(100);
    let unit = BigInt::from(10).pow(a.scale() + b.scale());
    let negative = product < BigInt::ZERO;
    let magnitude = if negative { -product } else { product };
    let rounded = (magnitude * BigInt::from(2) + &unit) / (unit * BigInt::from(2));
    if negative { -rounded } else { rounded }
}

fn a_decimal(digits: u32, scales: std::ops::RangeInclusive<u32>) -> impl Strategy<Value = Decimal> {
    let largest = 10_i128.pow(digits) - 1;
    (-largest..=largest, scales)
        .prop_map(|(mantissa, scale)| Decimal::from_i128_with_scale(mantissa, scale))
}

proptest! {
    /// Factors have up to 24 digits each, so most products need more than 128 bits.
    #[test]
    fn products_are_exact_before_the_one_rounding(a in a_decimal(24, 0..=28), b in a_decimal(24, 0..=28)) {
        let exact = reference_cents(&a, &b);
        let limit = BigInt::from(Cents::MAX.get());
        let wanted = if exact <= limit && exact >= -limit { Ok(exact) } else { Err(AmountOutOfRange) };
        prop_assert_eq!(decimal::multiply_to_cents(&a, &b).map(|cents| BigInt::from(cents.get())), wanted);
    }

    /// Products at and just below half a cent, which random factors rarely produce, are rounded as
    /// in the reference.
    #[test]
    fn halves_are_rounded_away_from_zero(cents in -1_000_000_i64..1_000_000, places in 1_u32..=20) {
        let half = Decimal::from_i128_with_scale((i128::from(cents) * 10 + 5) * 10_i128.pow(places - 1), places + 2);
        let below = half - Decimal::from_i128_with_scale(1, places + 2);
        for value in [half, below, -half] {
            let cents = decimal::multiply_to_cents(&value, &Decimal::ONE).unwrap();
            prop_assert_eq!(BigInt::from(cents.get()), reference_cents(&value, &Decimal::ONE));
        }
    }

    /// A number parses to the same value in any notation, and formatting it loses nothing.
    #[test]
    fn numbers_read_the_same_however_they_are_written(value in a_decimal(24, 15..=15), zeros in 0_usize..60, shift in -60_i64..60) {
        let plain = decimal::plain(&value);
        prop_assert!(!plain.contains(['e', 'E']) && (!plain.contains('.') || !plain.ends_with('0')));
        let (point, exponent) = if plain.contains('.') { ("", "") } else { (".0", "") };
        let padded = format!("{plain}{point}{}{exponent}", "0".repeat(zeros));
        // The mantissa as a whole number, shifted back by the exponent.
        let whole = format!("{}{}e{}", value.mantissa(), "0".repeat(zeros), -15 - i64::try_from(zeros).unwrap());
        let sign = if value.mantissa() < 0 { "-" } else { "" };
        let small = format!("{sign}0.{}{}E{:+}", "0".repeat(zeros), value.mantissa().abs(), {
            let digits = i64::try_from(value.mantissa().abs().to_string().len()).unwrap();
            i64::try_from(zeros).unwrap() + digits - 15
        });
        for text in [&plain, &padded, &whole, &small] {
            prop_assert_eq!(decimal::parse(text), Ok(value.normalize()), "{}", text);
        }
        let shifted = decimal::parse(&format!("{plain}e{shift}"));
        if let Ok(moved) = shifted {
            let back = decimal::parse(&format!("{}e{}", decimal::plain(&moved), -shift));
            prop_assert_eq!(back, Ok(value.normalize()));
        }
    }

    #[test]
    fn no_text_makes_the_reader_panic(text in "\\PC{0,60}", numeric in "[-+0-9.eE]{0,60}") {
        for text in [text, numeric] {
            if let Ok(value) = decimal::parse(&text) {
                prop_assert!(value.scale() <= 15 && value.abs() <= Decimal::from(1_000_000_000));
                prop_assert_eq!(decimal::parse(&decimal::plain(&value)), Ok(value));
            }
            let _ = calendar::parse_date(&text);
        }
    }

    #[test]
    fn amounts_and_hours_print_what_they_read(cents in -Cents::MAX.get()..=Cents::MAX.get(), hundredths in 1_i64..=2_400) {
        let amount = Cents::new(cents);
        let text = amount.to_string();
        prop_assert_eq!(text.rsplit_once('.').map(|(_, decimals)| decimals.len()), Some(2));
        prop_assert_eq!(text.replace('.', "").parse::<i64>(), Ok(cents));
        if let Ok(value) = decimal::parse(&text) {
            prop_assert_eq!(decimal::to_cents(&value), Ok(amount));
        } else {
            prop_assert_eq!(decimal::parse(&text), Err(DecimalError::OutOfRange));
        }
        let (down, up) = (amount.whole_euros_down() * 100, amount.whole_euros_up() * 100);
        prop_assert!(down <= cents && cents - down < 100 && up >= cents && up - cents < 100);
        let hours = Hours::new(hundredths);
        prop_assert_eq!(Hours::parse(&decimal::parse(&hours.to_string()).unwrap()), Ok(hours));
    }

    #[test]
    fn dates_read_back_and_lie_in_their_quarter(on in a_date()) {
        prop_assert_eq!(calendar::parse_date(&on.to_string()), Ok(on));
        let quarter = Quarter::of(on);
        prop_assert!(quarter.first_day() <= on && on <= quarter.last_day());
        prop_assert_eq!(Quarter::new(quarter.year(), quarter.number()), Some(quarter));
    }

    /// VAT per rate and category differs from the exact amount by at most half a cent, and a credit
    /// note for all lines reverses exactly the charged amounts.
    #[test]
    fn an_invoice_adds_up_and_its_credit_note_mirrors_it((on, lines) in lines_of_a_sale()) {
        let Ok(priced) = invoice::price(&lines, on, Prices::Net) else { return Ok(()) };
        let sum = |amounts: &[Cents]| amounts.iter().copied().sum::<Cents>();
        prop_assert_eq!(sum(&priced.line_amounts), priced.subtotal);
        prop_assert_eq!(priced.groups.iter().map(|group| group.base).sum::<Cents>(), priced.subtotal);
        prop_assert_eq!(priced.groups.iter().map(|group| group.amount).sum::<Cents>(), priced.vat_total);
        prop_assert_eq!(priced.subtotal + priced.vat_total, priced.total);
        for (line, amount) in lines.iter().zip(&priced.line_amounts) {
            prop_assert_eq!(BigInt::from(amount.get()), reference_cents(&line.quantity, &line.unit_price));
        }
        for group in &priced.groups {
            let exact = i128::from(group.base.get()) * i128::from(group.rate.basis_points());
            let drift = i128::from(group.amount.get()) * 10_000 - exact;
            prop_assert!(drift.abs() <= 5_000, "{:?} drifts by {} hundredths of a cent", group, drift / 100);
        }
        // The order is strict (highest rate first, then category, supply), so no group repeats.
        let place = |group: &VatGroup| (Reverse(group.rate), group.category, group.supply);
        prop_assert!(priced.groups.is_sorted_by(|one, next| place(one) < place(next)));
        let gross: Vec<Cents> = priced.groups.iter().map(|group| group.base + group.amount).collect();
        prop_assert_eq!((sum(&priced.line_gross), sum(&gross)), (priced.total, priced.total));

        let mut back = lines;
        for line in &mut back {
            line.quantity = -line.quantity;
        }
        let credited = credit_note::price_again(&back, on, Prices::Net, &[]).unwrap();
        prop_assert_eq!(credited.total, -priced.total);
        prop_assert_eq!(credited.line_amounts, priced.line_amounts.iter().map(|amount| -*amount).collect::<Vec<_>>());
        for (there, here) in priced.groups.iter().zip(&credited.groups) {
            prop_assert_eq!((there.base, there.amount, there.vat_box), (-here.base, -here.amount, here.vat_box));
        }
    }

    /// Prices that include VAT: the total is exactly the sum of the lines. VAT differs from the
    /// exact amount by at most half a cent per group, the net amount of a line by less than two
    /// cents.
    #[test]
    fn gross_prices_come_to_their_sum((on, lines) in lines_of_a_sale()) {
        let Ok(priced) = invoice::price(&lines, on, Prices::Gross) else { return Ok(()) };
        let sum = |amounts: &[Cents]| amounts.iter().copied().sum::<Cents>();
        prop_assert_eq!((sum(&priced.line_gross), sum(&priced.line_amounts)), (priced.total, priced.subtotal));
        prop_assert_eq!(priced.subtotal + priced.vat_total, priced.total);
        for ((line, gross), net) in lines.iter().zip(&priced.line_gross).zip(&priced.line_amounts) {
            prop_assert_eq!(BigInt::from(gross.get()), reference_cents(&line.quantity, &line.unit_price));
            let whole = 10_000 + i128::from(line.vat_rate.basis_points());
            let off = i128::from(net.get()) * whole - i128::from(gross.get()) * 10_000;
            prop_assert!(off.abs() < 2 * whole, "{} of {}", net, gross);
        }
        for group in &priced.groups {
            let whole = 10_000 + i128::from(group.rate.basis_points());
            let drift = i128::from(group.amount.get()) * whole - i128::from((group.base + group.amount).get()) * (whole - 10_000);
            prop_assert!(2 * drift.abs() <= whole, "{:?} drifts by {} of {}", group, drift, whole);
        }
    }

    /// Credit notes on an invoice whose prices include VAT: the total of each note is exactly the
    /// sum of its lines, and together the notes reverse exactly the charged base and VAT.
    #[test]
    fn gross_credit_notes_take_back_to_the_cent(
        (total, parts) in (1_i64..50_000).prop_flat_map(|total| (Just(total), prop::collection::vec(1_i64..=total, 0..12))),
        rate in prop::sample::select(vec![2_100_u16, 900, 1_250]),
    ) {
        let on = date(2026, 3, 15);
        let line = |cents: i64| Line {
            description: "work".into(),
            quantity: Decimal::from(cents.signum()),
            unit_price: Decimal::new(cents.abs(), 2),
            vat_rate: VatRate::from_basis_points(rate),
            vat_category: VatCategory::Standard,
            supply: Supply::Services,
            tax_country: None,
            sets_off: None,
            account: None,
            rounding: Cents::ZERO,
            unit: None,
            discount: Discount::None,
            credits: None,
        };
        let invoiced = invoice::price(&[line(total)], on, Prices::Gross).unwrap();
        let (mut credited, mut rest): (Vec<VatGroup>, i64) = (Vec::new(), total);
        for part in parts.into_iter().chain([total]) {
            let part = part.min(rest);
            if part == 0 {
                continue;
            }
            rest -= part;
            let lines = [line(-part)];
            let remaining = credit_note::remaining_of(&invoiced.groups, &credited);
            let (note, corrections) = credit_note::price(&lines, on, Prices::Gross, &remaining).unwrap();
            prop_assert_eq!(note.total, Cents::new(-part));
            prop_assert_eq!(&note.line_amounts, &[note.subtotal]);
            let again = credit_note::price_again(&lines, on, Prices::Gross, &corrections).unwrap();
            prop_assert_eq!(&again, &note);
            prop_assert!(credit_note::beyond(&note.groups, &remaining).is_empty());
            credited.extend(note.groups);
            prop_assert_eq!(credit_note::overdrawn(&invoiced.groups, &credited), vec![]);
        }
        prop_assert!(credit_note::is_nothing(&credit_note::remaining_of(&invoiced.groups, &credited)));
    }

    /// Credit notes for parts of an invoice's lines, of any size, together credit the invoice in
    /// full. The amount of each line of a credit note is within a cent of quantity × price.
    #[test]
    fn credit_by_lines_ends_at_zero(
        lines in prop::collection::vec(
            (1_i64..40_000, 0_u32..3, 1_i64..100_000_000, 2_u32..9, prop::sample::select(vec![2_100_u16, 900, 0]), "[ab]"),
            1..4,
        ),
        splits in prop::collection::vec((0_usize..4, 1_i64..100), 0..24),
        gross: bool,
    ) {
        let on = date(2026, 3, 15);
        let line = |(quantity, decimals, price, scale, rate, description): (i64, u32, i64, u32, u16, String)| Line {
            description,
            quantity: Decimal::new(quantity, decimals),
            unit_price: Decimal::new(price, scale),
            vat_rate: VatRate::from_basis_points(rate),
            vat_category: if rate == 0 { VatCategory::Zero } else { VatCategory::Standard },
            supply: Supply::Services,
            tax_country: None,
            sets_off: None,
            account: None,
            rounding: Cents::ZERO,
            unit: None,
            discount: Discount::None,
            credits: None,
        };
        let invoiced: Vec<Line> = lines.into_iter().map(line).collect();
        let prices = if gross { Prices::Gross } else { Prices::Net };
        let Ok(priced) = invoice::price(&invoiced, on, prices) else { return Ok(()) };
        let (mut notes, mut credited): (Vec<Line>, Vec<VatGroup>) = (Vec::new(), Vec::new());
        // Each split credits a percentage of a line's remaining quantity, rounded to that
        // quantity's decimals. Finally, the whole remainder of each line is credited.
        let rest = (0..invoiced.len()).map(|place| (place, 100));
        for (place, share) in splits.into_iter().chain(rest).filter(|(place, _)| *place < invoiced.len()) {
            let taken = Credited::new(&invoiced, &notes);
            let remaining = taken.remaining()[place];
            let part = (remaining * Decimal::new(share, 2)).round_dp(remaining.scale());
            if part.is_zero() {
                continue;
            }
            let mut note = [Line { quantity: -part, ..invoiced[place].clone() }];
            let remaining = credit_note::remaining_of(&priced.groups, &credited);
            credit_lines::round(&mut note, taken, prices, &remaining);
            let (made, corrections) = credit_note::price(&note, on, prices, &remaining).unwrap();
            let again = credit_note::price_again(&note, on, prices, &corrections).unwrap();
            prop_assert_eq!(&again, &made);
            prop_assert_eq!(credit_note::beyond(&made.groups, &remaining), vec![]);
            let asked = if gross { made.line_gross[0] } else { made.line_amounts[0] };
            let (plain, amount) = (reference_cents(&note[0].quantity, &note[0].unit_price), BigInt::from(asked.get()));
            prop_assert!(plain.clone() - 1 <= amount && amount <= plain + 1);
            credited.extend(made.groups);
            notes.extend(note);
        }
        prop_assert_eq!(credit_note::overdrawn(&priced.groups, &credited), vec![]);
        prop_assert!(credit_note::is_nothing(&credit_note::remaining_of(&priced.groups, &credited)), "{:?}", credited);
    }

    /// With discounts on lines and on the document, the lines add up to the amounts on which VAT is
    /// charged, as a document and an e-invoice state them, and credit notes by line, in parts of any
    /// size, together credit each line exactly.
    #[test]
    fn discounts_balance_and_are_credited_in_full(
        lines in prop::collection::vec((a_discounted_line(), a_discount(1_000_000)), 1..5),
        whole in a_discount(20_000_000),
        splits in prop::collection::vec((0_usize..5, 1_i64..100), 0..16),
        gross: bool,
    ) {
        let on = date(2026, 3, 15);
        let with_discount = |(line, discount): (Line, Discount)| {
            // An amount above that of the line is refused; here it is the line's own.
            let most = line.gross_amount().unwrap_or(Cents::ZERO);
            let fits = discount.amount().is_none_or(|amount| amount <= most);
            Line { discount: if fits { discount } else { Discount::Amount(most) }, ..line }
        };
        let invoiced: Vec<Line> = lines.into_iter().map(with_discount).collect();
        let prices = if gross { Prices::Gross } else { Prices::Net };
        let Ok(priced) = invoice::price_less(whole, &invoiced, on, prices) else { return Ok(()) };
        let sum = |of: fn(&LineAmounts) -> Cents| priced.shown.lines.iter().map(of).sum::<Cents>();
        let asked = if gross { priced.total } else { priced.subtotal };
        prop_assert_eq!(priced.shown.lines_total - priced.shown.discount, asked);
        prop_assert_eq!(sum(|line| line.gross - line.discount), priced.shown.lines_total);
        prop_assert_eq!(sum(|line| line.charged), asked);
        prop_assert_eq!(priced.line_amounts.iter().copied().sum::<Cents>(), priced.subtotal);
        prop_assert_eq!(priced.line_gross.iter().copied().sum::<Cents>(), priced.total);
        // EN 16931, BR-CO-13 and BR-S-08: the lines of a group less its allowance are its base.
        for group in &priced.groups {
            let its = invoiced.iter().zip(&priced.shown.lines);
            let its = its.filter(|(line, _)| line.group() == group.key());
            let off = priced.shown.discounts.iter().find(|(key, _)| *key == group.key());
            let off = off.map_or(Cents::ZERO, |(_, off)| *off);
            prop_assert!(!off.is_negative());
            prop_assert_eq!(its.map(|(_, of)| of.amount).sum::<Cents>() - off, group.base);
        }
        let charged = || invoiced.iter().zip(priced.shown.lines.iter().map(|of| of.charged));
        let (mut notes, mut credited): (Vec<Line>, Vec<VatGroup>) = (Vec::new(), Vec::new());
        let rest = (0..invoiced.len()).map(|place| (place, 100));
        for (place, share) in splits.into_iter().chain(rest).filter(|(place, _)| *place < invoiced.len()) {
            let taken = Credited::less_discounts(charged(), &notes);
            let remaining = taken.remaining()[place];
            let part = (remaining * Decimal::new(share, 2)).round_dp(remaining.scale());
            if part.is_zero() {
                continue;
            }
            let credits = i64::try_from(place + 1).ok();
            let mut note = [Line { quantity: -part, credits, ..invoiced[place].clone() }];
            let remaining = credit_note::remaining_of(&priced.groups, &credited);
            credit_lines::round(&mut note, taken, prices, &remaining);
            let (made, corrections) = credit_note::price(&note, on, prices, &remaining).unwrap();
            let again = credit_note::price_again(&note, on, prices, &corrections).unwrap();
            prop_assert_eq!(&again, &made);
            prop_assert_eq!(credit_note::beyond(&made.groups, &remaining), vec![]);
            credited.extend(made.groups);
            notes.extend(note);
        }
        for (number, (_, charged)) in (1_i64..).zip(charged()) {
            let of_line = notes.iter().filter(|note| note.credits == Some(number));
            prop_assert_eq!(of_line.map(|note| note.amount().unwrap()).sum::<Cents>(), -charged);
        }
        prop_assert_eq!(credit_note::overdrawn(&priced.groups, &credited), vec![]);
        prop_assert!(credit_note::is_nothing(&credit_note::remaining_of(&priced.groups, &credited)), "{:?}", credited);
    }

    #[test]
    fn vat_is_within_half_a_cent_and_mirrors_below_zero(base in -Cents::MAX.get()..=Cents::MAX.get(), basis_points in 0_u16..=10_000) {
        let rate = VatRate::from_basis_points(basis_points);
        let vat = rate.of(Cents::new(base));
        let drift = i128::from(vat.get()) * 10_000 - i128::from(base) * i128::from(basis_points);
        prop_assert!(drift.abs() <= 5_000);
        prop_assert_eq!(rate.of(Cents::new(-base)), -vat);
    }
}

/// A line of a positive amount at one of three rates, without a discount.
fn a_discounted_line() -> impl Strategy<Value = Line> {
    let rates = prop::sample::select(vec![2_100_u16, 900, 0]);
    (1_i64..40_000, 0_u32..3, 1_i64..100_000_000, 2_u32..6, rates).prop_map(
        |(quantity, decimals, price, scale, rate)| Line {
            description: "work".into(),
            quantity: Decimal::new(quantity, decimals),
            unit_price: Decimal::new(price, scale),
            vat_rate: VatRate::from_basis_points(rate),
            vat_category: if rate == 0 { VatCategory::Zero } else { VatCategory::Standard },
            supply: Supply::Services,
            tax_country: None,
            sets_off: None,
            account: None,
            rounding: Cents::ZERO,
            unit: None,
            discount: Discount::None,
            credits: None,
        },
    )
}

/// No discount, a percentage, or an amount up to `most` cents.
fn a_discount(most: i64) -> impl Strategy<Value = Discount> {
    prop_oneof![
        Just(Discount::None),
        (0_i64..=1_000_000).prop_map(|percent| Discount::Percent(Decimal::new(percent, 4))),
        (1..=most).prop_map(|cents| Discount::Amount(Cents::new(cents))),
    ]
}

/// For every price from a cent to 200 euros at both rates, the included VAT is rounded to the
/// nearest cent by its third decimal, as the law requires.
#[test]
fn the_vat_within_a_price_is_swept() {
    for (points, whole) in [(2_100_i64, 12_100_i64), (900, 10_900)] {
        let rate = VatRate::from_basis_points(u16::try_from(points).unwrap());
        for gross in 1..=20_000_i64 {
            let line = Line {
                description: "work".into(),
                quantity: Decimal::ONE,
                unit_price: Decimal::new(gross, 2),
                vat_rate: rate,
                vat_category: VatCategory::Standard,
                supply: Supply::Goods,
                tax_country: None,
                sets_off: None,
                account: None,
                rounding: Cents::ZERO,
                unit: None,
                discount: Discount::None,
                credits: None,
            };
            let priced = invoice::price(&[line], date(2026, 3, 15), Prices::Gross).unwrap();
            // Nearest cent, halves rounded up: (2·gross·points + whole) / (2·whole), rounded down.
            let vat = (2 * gross * points + whole) / (2 * whole);
            assert_eq!(
                (priced.total.get(), priced.vat_total.get(), priced.subtotal.get()),
                (gross, vat, gross - vat)
            );
        }
    }
}

/// Returns the turnover and VAT of a return by box.
fn boxes(vat_return: &VatReturn) -> BTreeMap<&'static str, (i64, i64)> {
    let amount = |cents: Option<Cents>| cents.map_or(0, Cents::get);
    vat_return
        .lines
        .iter()
        .map(|line| (line.vat_box, (amount(line.turnover), amount(line.vat))))
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(192))]

    #[test]
    fn every_booking_balances(book in a_book()) {
        for entry in &book.entries {
            let sum = |side: fn(&Posting) -> Cents| entry.postings().iter().map(side).sum::<Cents>();
            prop_assert_eq!(sum(Posting::debited), sum(Posting::credited));
            prop_assert!(!entry.postings().is_empty());
            for posting in entry.postings() {
                let (debit, credit) = (posting.debited(), posting.credited());
                prop_assert!(!debit.is_negative() && !credit.is_negative() && (debit.is_zero() || credit.is_zero()));
            }
            let stored = JournalEntry::restore(entry.head().clone(), entry.postings().to_vec());
            prop_assert_eq!(stored.as_ref(), Ok(entry));
        }
        prop_assert_eq!(net(book.entries.iter()).values().sum::<i64>(), 0);
    }

    /// The boxes equal the declared amounts of the documents, summed without a ledger.
    #[test]
    fn the_vat_return_says_what_the_documents_said(book in a_book()) {
        for quarter in quarters() {
            let vat_return = vat_return(book.totals_of(quarter));
            let boxes = boxes(&vat_return);
            let mut due = 0;
            for vat_box in VatBox::ALL {
                let declared: Vec<_> =
                    book.declared.iter().filter(|declared| declared.vat_box == *vat_box && Quarter::of(declared.on) == quarter).collect();
                let turnover: i64 = declared.iter().map(|declared| declared.turnover.get()).sum();
                let vat: i64 = declared.iter().map(|declared| declared.vat.get()).sum();
                prop_assert_eq!(boxes[vat_box.as_str()], (turnover, vat), "{:?} {:?}", quarter, vat_box);
                due += if *vat_box == VatBox::B5b { 0 } else { vat };
            }
            prop_assert_eq!(boxes["5a"].1, due);
            prop_assert_eq!(boxes["5g"].1, due - boxes["5b"].1);
            prop_assert_eq!(vat_return.payable.get(), boxes["5g"].1);
        }
    }

    /// Rounding is never to the taxpayer's disadvantage, and changes each box by less than a euro.
    #[test]
    fn declared_amounts_favour_the_taxpayer_by_less_than_a_euro(book in a_book()) {
        for quarter in quarters() {
            let vat_return = vat_return(book.totals_of(quarter));
            let (mut due, mut input) = (0, 0);
            for line in &vat_return.lines {
                if matches!(line.vat_box, "5a" | "5g") {
                    continue;
                }
                if let (Some(exact), Some(declared)) = (line.turnover, line.declared_turnover) {
                    prop_assert!((0..100).contains(&(exact.get() - declared * 100)));
                }
                if let (Some(exact), Some(declared)) = (line.vat, line.declared_vat) {
                    let favour = if line.vat_box == "5b" { declared * 100 - exact.get() } else { exact.get() - declared * 100 };
                    prop_assert!((0..100).contains(&favour), "{}: {} declared as {}", line.vat_box, exact, declared);
                    *(if line.vat_box == "5b" { &mut input } else { &mut due }) += declared;
                }
            }
            let declared = |name| vat_return.lines.iter().find(|line| line.vat_box == name).and_then(|line| line.declared_vat);
            prop_assert_eq!((declared("5a"), declared("5b"), declared("5g")), (Some(due), Some(input), Some(due - input)));
            prop_assert_eq!(vat_return.declared_payable, due - input);
            prop_assert!(vat_return.declared_payable * 100 <= vat_return.payable.get());
        }
    }

    /// The summary equals the sums of the entries and of its own quarters, and its balance sheet
    /// balances.
    #[test]
    fn the_annual_summary_says_what_the_entries_say(book in a_book()) {
        use ledger::chart::Class::{Asset, Cost, Equity, Liability, Revenue};
        let (months, vat) = (book.month_totals(), book.vat_totals());
        for year in YEARS {
            let summary = annual_summary(year, &months, &vat);
            let of_year = || book.entries.iter().filter(move |entry| entry.date().year() == year);
            let until = || book.entries.iter().filter(move |entry| entry.date().year() <= year);
            let class = |nets: &BTreeMap<ledger::chart::AccountCode, i64>, classes: &[ledger::chart::Class]| -> i64 {
                nets.iter().filter(|(code, _)| code.class().is_some_and(|class| classes.contains(&class))).map(|(_, net)| *net).sum()
            };
            let (this, all) = (net(of_year()), net(until()));
            prop_assert_eq!(summary.revenue.get(), -class(&this, &[Revenue]));
            prop_assert_eq!(summary.costs.get(), class(&this, &[Cost]));
            prop_assert_eq!(summary.profit, summary.revenue - summary.costs);
            for of in &summary.revenue_by_account {
                prop_assert_eq!(of.amount.get(), -this[&of.account]);
            }
            for of in &summary.costs_by_account {
                prop_assert_eq!(of.amount.get(), this[&of.account]);
            }
            prop_assert_eq!(summary.receivables.get(), all.get(&ledger::chart::codes::RECEIVABLES).copied().unwrap_or(0));

            let sum = |amounts: &[ledger::summary::AmountOf]| amounts.iter().map(|of| of.amount.get()).sum::<i64>();
            let sheet = &summary.balance_sheet;
            prop_assert_eq!(sum(&sheet.assets) - sum(&sheet.liabilities), class(&all, &[Asset, Liability]));
            prop_assert!(sheet.assets.iter().chain(&sheet.liabilities).all(|of| of.amount > Cents::ZERO));
            prop_assert_eq!(sum(&sheet.equity), -class(&all, &[Equity, Revenue, Cost]));
            prop_assert_eq!(sheet.total.get(), sum(&sheet.assets));
            prop_assert_eq!(sum(&sheet.assets) - sum(&sheet.equity) - sum(&sheet.liabilities), 0);

            let mut added = (Cents::ZERO, Cents::ZERO, Cents::ZERO, Cents::ZERO);
            for (number, quarter) in (1..).zip(&summary.quarters) {
                prop_assert_eq!(quarter.quarter, number);
                let vat_return = vat_return(book.totals_of(Quarter::new(year, number).unwrap()));
                prop_assert_eq!(quarter.vat_payable, vat_return.payable);
                added.0 += quarter.revenue;
                added.1 += quarter.costs;
                added.2 += quarter.profit;
                added.3 += quarter.vat_payable;
            }
            prop_assert_eq!(added, (summary.revenue, summary.costs, summary.profit, summary.vat_payable));
            prop_assert_eq!(summary.vat_charged - summary.vat_deductible, summary.vat_payable);
        }
    }

    /// Opening balance plus movements equals the closing balance: for every account and for equity,
    /// in every year.
    #[test]
    fn a_year_begins_where_the_last_one_ended(book in a_book()) {
        let (months, vat) = (book.month_totals(), book.vat_totals());
        let equity = |year| annual_summary(year, &months, &vat).balance_sheet.equity.iter().map(|of| of.amount.get()).sum::<i64>();
        for year in YEARS {
            let of = |chosen: &dyn Fn(i16) -> bool| net(book.entries.iter().filter(|entry| chosen(entry.date().year())));
            let (before, within, until) = (of(&|of| of < year), of(&|of| of == year), of(&|of| of <= year));
            for (account, closing) in &until {
                let at = |nets: &BTreeMap<_, i64>| nets.get(account).copied().unwrap_or(0);
                prop_assert_eq!(at(&before) + at(&within), *closing);
            }
            let sheet = annual_summary(year, &months, &vat).balance_sheet;
            let line = |code| sheet.equity.iter().find(|of| of.account == code).map_or(0, |of| of.amount.get());
            // The opening capital is the total equity at the end of the previous year.
            let opened: i64 = -within.get(&codes::EQUITY).copied().unwrap_or(0);
            prop_assert_eq!(line(codes::EQUITY) - opened, equity(year - 1));
        }
    }

    /// Booking an entry and reversing it on the same day leaves every figure unchanged.
    #[test]
    fn a_reversal_restores_every_figure(book in a_book(), which in any::<prop::sample::Index>()) {
        if book.entries.is_empty() {
            return Ok(());
        }
        let entry = which.get(&book.entries);
        let twice = entry.reversal(99, entry.date(), entry.vat_date());
        let mut after = Book { entries: book.entries.clone(), declared: vec![] };
        after.entries.push(entry.clone());
        after.entries.push(twice.clone());
        prop_assert_eq!(twice.reverses(), Some(99));
        let kept = |book: &Book| -> BTreeMap<_, _> { net(book.entries.iter()).into_iter().filter(|(_, net)| *net != 0).collect() };
        prop_assert_eq!(kept(&after), kept(&book));
        for quarter in quarters() {
            prop_assert_eq!(vat_return(after.totals_of(quarter)), vat_return(book.totals_of(quarter)));
        }
        for year in YEARS {
            prop_assert_eq!(annual_summary(year, &after.month_totals(), &after.vat_totals()), annual_summary(year, &book.month_totals(), &book.vat_totals()));
        }
    }

    /// Filing clears the period's balance of every VAT account, books exactly the declared amount
    /// as payable, and leaves the return unchanged.
    #[test]
    fn settling_clears_every_vat_account_of_the_period(mut book in a_book()) {
        for quarter in quarters() {
            let filed = vat_return(book.totals_of(quarter));
            let source = Source { kind: SourceType::VatFiling, id: 1 };
            let entry = ledger::booking::vat_settlement(source, (quarter.into(), quarter.last_day()), &filed, &book.vat_balances(quarter));
            prop_assert_eq!(entry.date(), quarter.last_day());
            prop_assert!(entry.postings().iter().all(|posting| posting.vat_box().is_none()));

            let moved = net([&entry]);
            let settled = moved.get(&ledger::chart::codes::VAT_SETTLEMENT).copied().unwrap_or(0);
            prop_assert_eq!(settled, -filed.declared_payable * 100);
            let rounding = moved.get(&ledger::chart::codes::ROUNDING).copied().unwrap_or(0);
            prop_assert_eq!(rounding, filed.declared_payable * 100 - filed.payable.get());
            prop_assert!(rounding <= 0, "rounding in one's own favour is never a cost");

            book.entries.push(entry);
            // The settlement and all postings whose VAT is due in the quarter. Postings booked in
            // the quarter whose VAT is due in another quarter are excluded.
            let boxed = |posting: &Posting| posting.vat_box().is_some();
            let of_quarter = book.entries.iter().filter(|entry| Quarter::of(entry.vat_date()) == quarter);
            let mut remaining_on: BTreeMap<_, i64> = net([&book.entries[book.entries.len() - 1]]);
            for posting in of_quarter.flat_map(JournalEntry::postings).filter(|posting| boxed(posting)) {
                *remaining_on.entry(posting.account()).or_default() += posting.debited().get() - posting.credited().get();
            }
            for (code, remaining) in remaining_on {
                if matches!(code.role(), Role::VatDue | Role::InputVat) {
                    prop_assert_eq!(remaining, 0, "{} is left on {}", remaining, code);
                }
            }
            prop_assert_eq!(vat_return(book.totals_of(quarter)), filed);
        }
    }
}
