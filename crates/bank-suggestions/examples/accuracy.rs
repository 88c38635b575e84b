//! Measures suggestions: `cargo run --release -p bank-suggestions --example accuracy [SEED]`.
//!
//! Prints the rates of right suggestions for 2 000 generated lines, and the time for a line in books
//! with 10 000 open items. With a seed, each line whose first suggestion is wrong is printed too.

#[path = "../tests/suggestions/generator.rs"]
mod generator;
#[path = "../tests/suggestions/score.rs"]
mod score;

use bank_suggestions::{Books, Contact, Decision, Item, ItemKind, Line, Precedent, Suggester};
use jiff::{ToSpan as _, civil::date};
use ledger::{identifiers::Iban, money::Cents};
use score::Score;
use std::{
    env,
    time::{Duration, Instant},
};

/// Number of generated books of 200 lines.
const BOOKS: u64 = 10;

#[expect(clippy::print_stdout, reason = "a command-line example")]
fn main() {
    let seed: Option<u64> = env::args().nth(1).and_then(|text| text.parse().ok());
    let first = seed.unwrap_or(1);
    let score = Score::of(first..first + BOOKS, |example, suggestions| {
        let is_right =
            |at: usize| suggestions.get(at).is_some_and(|of| example.is_right(&of.allocations));
        if seed.is_some() && !is_right(0) {
            println!("{example:?}");
            suggestions.iter().for_each(|suggestion| println!("  {suggestion:?}"));
        }
    });
    println!("{} lines; per mille:", score.lines);
    println!(
        "certain: {}, of these right: {}",
        Score::per_mille(score.certain, score.lines),
        score.certain_rate()
    );
    println!(
        "first suggestion for invoices: precision {}, recall {}",
        score.precision(),
        score.recall()
    );
    println!("right one among five: {}", score.among_rate());
    println!("sort: lines, first right, among five, certain, wrongly certain");
    score.sorts.iter().for_each(|(sort, counts)| println!("  {sort}: {counts:?}"));
    for (name, equal_amounts) in [("different amounts", false), ("equal amounts and names", true)] {
        measure(name, equal_amounts);
    }
}

#[expect(clippy::print_stdout, reason = "a command-line example")]
fn measure(name: &str, are_equal: bool) {
    let books = large(are_equal);
    let started = Instant::now();
    let suggester = Suggester::new(books.clone());
    let building = started.elapsed();
    let mut times: Vec<Duration> = Vec::new();
    let lines = 1_000;
    for (number, item) in (0..lines).zip(&books.items) {
        let contact = &books.contacts[usize::try_from(number).unwrap_or(0) % books.contacts.len()];
        let text = format!(
            "Betaling {} en 2026-{:05}, project 12 van 31-10-2026 {}",
            item.numbers[0],
            number * 7,
            "x1 ".repeat(300)
        );
        let line = Line {
            id: number,
            bank_account: 1,
            date: date(2026, 11, 2),
            amount: item.due,
            name: Some(&contact.names[0]),
            iban: contact.ibans.first().map(Iban::as_str),
            text: &text,
            end_to_end_id: Some("NOTPROVIDED1"),
            payment_reference: None,
            creditor_id: None,
            charge: None,
            parts: &[],
            is_doubtful: false,
            refused: &[],
        };
        // The shortest of three runs, because other processes interrupt some.
        let run = |_| {
            let begun = Instant::now();
            assert!(!suggester.suggest(&line).is_empty());
            begun.elapsed()
        };
        times.extend((0..3).map(run).min());
    }
    times.sort_unstable();
    let at = |per_mille: usize| times[(times.len() - 1) * per_mille / 1_000].as_micros();
    println!(
        "{} open items, {name}: index {} ms; µs a line: median {}, p99 {}, slowest {}",
        books.items.len(),
        building.as_millis(),
        at(500),
        at(990),
        at(1_000)
    );
}

/// Books with 10 000 open items, 2 000 contacts and 20 000 earlier lines; if they are equal, one contact has half of the
/// items, and all names begin alike.
fn large(are_equal: bool) -> Books {
    let mut rng = fastrand::Rng::with_seed(7);
    let mut books = Books::default();
    for id in 0..2_000 {
        let name = if are_equal {
            format!("Stichting Beheer Derdengelden {id}")
        } else {
            (0..14).map(|_| char::from(rng.u8(b'a'..=b'z'))).collect()
        };
        let account = format!("INGB{:010}", rng.u64(1..10_000_000_000));
        let checked =
            (0..100).find_map(|check| Iban::parse(&format!("NL{check:02}{account}")).ok());
        books.contacts.push(Contact {
            id,
            names: vec![name],
            ibans: checked.into_iter().collect(),
        });
    }
    for number in 0..20_000 {
        let contact = &books.contacts[number % 2_000];
        books.history.push(Precedent {
            is_in: number.is_multiple_of(2),
            name: contact.names.first().cloned(),
            iban: None,
            creditor_id: None,
            decision: Decision::Other,
        });
    }
    for id in 0..10_000 {
        let contact = if are_equal && id % 2 == 0 { 1 } else { rng.i64(0..2_000) };
        let due = if are_equal { 12_100 } else { rng.i64(1_000..1_000_000) };
        books.items.push(Item {
            kind: ItemKind::Invoice,
            id,
            contact: Some(contact),
            date: date(2026, 1, 1) + rng.i64(0..300).days(),
            due: Cents::new(due),
            numbers: vec![format!("2026-{id:05}")],
            references: Vec::new(),
            orders: Vec::new(),
            pay_to: None,
            has_box: false,
        });
    }
    books
}
