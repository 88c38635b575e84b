//! Tests of the four rules and of the balances.

use super::*;
use jiff::civil::date;

fn entry<'l>(layout: &'l str, day: i8, cents: i64, text: &'l str) -> Entry<'l> {
    Entry {
        layout,
        date: date(2026, 3, day),
        amount: Cents::new(cents),
        iban: None,
        end_to_end_id: None,
        bank_reference: None,
        text,
    }
}

fn outcomes(known: &[Entry<'_>], incoming: &[Entry<'_>]) -> Vec<Outcome> {
    compare(known, incoming, &[], &[])
}

#[test]
fn a_reference_needs_the_same_amount_and_date() {
    let known = [Entry { bank_reference: Some("R1"), ..entry("a", 1, 500, "x") }];
    let with = |day, cents| Entry { bank_reference: Some("R1"), ..entry("b", day, cents, "y") };
    assert_eq!(
        outcomes(&known, &[with(1, 501), with(2, 500), with(1, 500)]),
        [Outcome::New, Outcome::New, Outcome::Existing(0)]
    );
}

#[test]
fn two_coffees_stay_two() {
    let coffee = entry("a", 1, -450, "Koffie");
    for (known, incoming, new) in [(1, 2, 1), (2, 1, 0), (2, 2, 0), (0, 3, 3), (3, 2, 0)] {
        let found = outcomes(&vec![coffee; known], &vec![coffee; incoming]);
        assert_eq!(found.iter().filter(|found| **found == Outcome::New).count(), new);
    }
}

#[test]
fn texts_are_compared_without_blanks_case_and_signs() {
    let known = [entry("a", 1, 500, "Factuur 2026-001")];
    assert_eq!(outcomes(&known, &[entry("a", 1, 500, "FACTUUR2026001")]), [Outcome::Existing(0)]);
    assert_eq!(outcomes(&known, &[entry("a", 1, 500, "Factuur 2026-002")]), [Outcome::New]);
    let other = Entry { bank_reference: Some("R2"), ..known[0] };
    let first = Entry { bank_reference: Some("R1"), ..known[0] };
    assert_eq!(outcomes(&[first], &[other]), [Outcome::New], "two different references");
}

#[test]
fn another_layout_matches_by_amount_and_date_if_no_identifier_differs() {
    let known = [
        Entry { iban: Some("NL1"), ..entry("a", 1, 500, "Huur maart") },
        Entry { iban: Some("NL2"), ..entry("a", 1, 500, "Factuur 12") },
    ];
    let incoming = [
        entry("b", 1, 500, "Factuur 12 van Jansen"),
        Entry { iban: Some("NL1"), ..entry("b", 1, 500, "Iets anders") },
        Entry { iban: Some("NL3"), ..entry("b", 1, 500, "Huur maart") },
    ];
    let expected = [Outcome::Existing(1), Outcome::Existing(0), Outcome::New];
    assert_eq!(outcomes(&known, &incoming), expected);
    let same_layout = incoming.map(|entry| Entry { layout: "a", ..entry });
    assert_eq!(outcomes(&known, &same_layout), [Outcome::New; 3]);
}

#[test]
fn a_few_days_apart_is_only_a_doubt() {
    let known = [entry("a", 10, 500, "Factuur 2026-001 Jansen")];
    let at = |day, text| entry("b", day, 500, text);
    assert_eq!(outcomes(&known, &[at(13, "Factuur 2026 001 Jansen")]), [Outcome::Doubtful(0)]);
    assert_eq!(outcomes(&known, &[at(14, "Factuur 2026 001 Jansen")]), [Outcome::New]);
    assert_eq!(outcomes(&known, &[at(11, "Huur")]), [Outcome::New]);
}

#[test]
fn balances_decide_what_the_texts_do_not() {
    let balance = |day, cents| Balance { date: date(2026, 3, day), amount: Cents::new(cents) };
    let known = [entry("a", 10, 500, "Factuur 2026-001 Jansen")];
    let incoming = [entry("b", 11, 500, "Factuur 2026-001 Jansen")];
    let before = [balance(9, 0), balance(10, 500)];
    // The account has the payment once, or twice.
    assert_eq!(compare(&known, &incoming, &before, &[balance(12, 500)]), [Outcome::Existing(0)]);
    assert_eq!(compare(&known, &incoming, &before, &[balance(12, 1000)]), [Outcome::New]);
    assert_eq!(compare(&known, &incoming, &before, &[balance(12, 700)]), [Outcome::Doubtful(0)]);
    // Two equal payments on a day, of which one is known.
    let same_day = [entry("b", 10, 500, "Anders"); 2];
    assert_eq!(
        compare(&known, &same_day, &[balance(9, 0)], &[balance(10, 1000)]),
        [Outcome::Existing(0), Outcome::New]
    );
    assert_eq!(
        compare(&known, &same_day[..1], &[balance(9, 0)], &[balance(10, 1000)]),
        [Outcome::New]
    );
}

#[test]
fn many_equal_lines_are_all_matched() {
    let known = vec![entry("a", 1, 500, "x"); 5_000];
    let incoming = vec![entry("b", 1, 500, "y"); 6_000];
    let found = outcomes(&known, &incoming);
    assert_eq!(found.iter().filter(|found| **found == Outcome::New).count(), 1_000);
}
