//! A year in three formats, cut into overlapping pieces that arrive in any order: no line is lost,
//! and none is doubled.

use super::{
    right,
    writers::{self, Payment},
};
use bank_files::{
    Balance, Statement,
    same::{Entry, Outcome, compare, entries},
};
use fastrand::Rng;
use jiff::{
    ToSpan,
    civil::{Date, date},
};
use std::collections::BTreeMap;

const DAYS: i64 = 365;
const CUTS: usize = 50;
const SHUFFLES_OF_CUT: usize = 20;
/// Days around a file whose lines are compared with its lines, as the product does.
const DAYS_NEAR: i64 = 3;

fn day(number: i64) -> Date {
    date(2025, 1, 1).saturating_add(number.days())
}

/// Payments of the days, among them equal ones on one day.
fn year(random: &mut Rng) -> Vec<Payment> {
    let mut payments = Vec::new();
    for number in 0..DAYS {
        for _ in 0..random.usize(0..4) {
            let is_card = random.bool();
            let customer = random.u32(1..6);
            let payment = Payment {
                date: day(number),
                cents: if is_card { -450 } else { 100 * random.i64(1..6) },
                name: if is_card { "Koffie".into() } else { format!("Klant {customer}") },
                iban: (!is_card).then(|| format!("NL02RABO000000000{customer}")),
                text: if is_card {
                    "BEA Koffie".into()
                } else {
                    format!("Factuur {}", random.u32(1..90))
                },
                end_to_end_id: (!is_card && random.bool())
                    .then(|| format!("E{}", random.u32(1..99))),
            };
            for _ in 0..if random.u8(0..5) == 0 { 2 } else { 1 } {
                payments.push(payment.clone());
            }
        }
    }
    payments
}

/// Cuts the year into files of random formats; each day is in at least one, many are in several.
fn cut(payments: &[Payment], random: &mut Rng) -> Vec<Statement> {
    let mut pieces = Vec::new();
    let mut next = 0;
    while next < DAYS {
        let first = (next - random.i64(0..15)).max(0);
        let last = (next + random.i64(1..30)).min(DAYS);
        let (first_day, last_day) = (day(first), day(last - 1));
        let of = |range: &dyn Fn(&Date) -> bool| -> Vec<Payment> {
            payments.iter().filter(|payment| range(&payment.date)).cloned().collect()
        };
        let opening = 100_000
            + of(&|date| *date < first_day).iter().map(|payment| payment.cents).sum::<i64>();
        let inner = of(&|date| (first_day..=last_day).contains(date));
        let file = match random.u8(0..3) {
            0 => writers::camt(&inner, opening, first_day, last_day),
            1 => writers::mt940(&inner, opening, first_day, last_day),
            _ if inner.is_empty() => writers::camt(&inner, opening, first_day, last_day),
            _ => {
                // The bank's CSV has no end-to-end ids here, and says more in its texts.
                let mut rows = inner.clone();
                for row in &mut rows {
                    row.end_to_end_id = None;
                    row.text = format!("{} {}", row.name, row.text);
                }
                writers::csv(&rows, opening)
            }
        };
        pieces.extend(right(file).statements);
        next = last;
    }
    pieces
}

/// Imports pieces in an order; returns the lines that were stored, and the number of doubts.
fn import(pieces: &[&Statement]) -> (Vec<(Date, i64)>, usize) {
    let mut known: BTreeMap<Date, Vec<Entry<'_>>> = BTreeMap::new();
    let mut balances: BTreeMap<Date, Vec<Balance>> = BTreeMap::new();
    let mut doubts = 0;
    for piece in pieces {
        let incoming: Vec<Entry<'_>> = entries(piece).collect();
        let own = piece.balances();
        let outcomes = {
            let dates = incoming.iter().map(|entry| entry.date);
            let (first, last) = dates.clone().min().zip(dates.max()).unwrap_or_default();
            let (first, last) =
                (first.saturating_sub(DAYS_NEAR.days()), last.saturating_add(DAYS_NEAR.days()));
            let near: Vec<Entry<'_>> =
                known.range(first..=last).flat_map(|(_, of_day)| of_day).copied().collect();
            let day_before = first.saturating_sub(1.day());
            let balances: Vec<Balance> =
                balances.range(day_before..=last).flat_map(|(_, of_day)| of_day).copied().collect();
            compare(&near, &incoming, &balances, &own)
        };
        for (entry, outcome) in incoming.into_iter().zip(outcomes) {
            doubts += usize::from(matches!(outcome, Outcome::Doubtful(_)));
            if !matches!(outcome, Outcome::Existing(_)) {
                known.entry(entry.date).or_default().push(entry);
            }
        }
        for balance in own {
            balances.entry(balance.date).or_default().push(balance);
        }
    }
    let lines = known.into_values().flatten();
    let mut lines: Vec<_> = lines.map(|entry| (entry.date, entry.amount.get())).collect();
    lines.sort_unstable();
    (lines, doubts)
}

#[test]
fn a_thousand_shuffles_lose_nothing_and_double_nothing() {
    let mut random = Rng::with_seed(20_261_128);
    let (mut doubts, mut count) = (0, 0);
    let payments = year(&mut random);
    let mut expected: Vec<_> =
        payments.iter().map(|payment| (payment.date, payment.cents)).collect();
    expected.sort_unstable();
    assert!(expected.windows(3).any(|equal| equal[0] == equal[2]), "three equal payments on a day");
    for _ in 0..CUTS {
        let pieces = cut(&payments, &mut random);
        let mut order: Vec<&Statement> = pieces.iter().collect();
        for _ in 0..SHUFFLES_OF_CUT {
            random.shuffle(&mut order);
            let (lines, doubtful) = import(&order);
            assert_eq!(lines, expected);
            doubts += doubtful;
            count += lines.len();
        }
    }
    assert!(doubts * 200 <= count, "{doubts} of {count} are doubtful");
}
