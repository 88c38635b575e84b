//! Invariants of suggestions.

use crate::generator::{Example, LINES, generate};
use bank_suggestions::{
    Allocation, AllocationKind, Line, MOST_SUGGESTIONS, Reason, Suggester, Suggestion, Target,
};
use ledger::money::Cents;
use proptest::prelude::*;
use std::collections::BTreeSet;

/// Whether the reasons suffice for certainty.
fn suffices(reasons: &[Reason]) -> bool {
    let has = |codes: &[&str]| reasons.iter().any(|reason| codes.contains(&reason.code()));
    let has_amount = has(&["amount", "amountOfSeveral"]);
    has(&["alreadyBooked", "ownAccount", "learned", "rule"])
        || (has(&["number", "reference"]) && has_amount)
        || (has(&["iban", "taxOffice"]) && has(&["amount"]))
}

fn is_overpayment(allocation: &Allocation) -> bool {
    matches!(allocation.target, Target::Invoice { overpayment: true, .. })
}

fn check(line: &Line<'_>, suggestions: &[Suggestion]) {
    assert!(suggestions.len() <= MOST_SUGGESTIONS);
    let ids: BTreeSet<_> = suggestions.iter().map(|suggestion| suggestion.id).collect();
    assert_eq!(ids.len(), suggestions.len(), "ids differ");
    for (at, suggestion) in suggestions.iter().enumerate() {
        let sum: Cents = suggestion.allocations.iter().map(|allocation| allocation.amount).sum();
        assert_eq!(sum, line.amount.abs(), "{suggestion:?}");
        assert!(!suggestion.reasons.is_empty(), "{suggestion:?}");
        assert!(suggestion.allocations.iter().all(|allocation| !allocation.amount.is_zero()));
        if suggestion.certain {
            assert!(at == 0 && suffices(&suggestion.reasons), "{suggestion:?}");
            assert!(!suggestion.allocations.iter().any(is_overpayment), "{suggestion:?}");
        }
    }
}

/// A line with the name, IBAN and text of another one.
fn mixed<'a>(one: &'a Example, other: &'a Example, delta: i64, mixture: u8) -> Line<'a> {
    let (one, other) = (one.line(), other.line());
    let amount = if mixture & 1 == 0 { one.amount } else { other.amount };
    Line {
        amount: amount + Cents::new(delta),
        name: if mixture & 2 == 0 { one.name } else { other.name },
        iban: if mixture & 4 == 0 { one.iban } else { other.iban },
        text: if mixture & 8 == 0 { one.text } else { other.text },
        ..one
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    #[test]
    fn suggestions_add_up_and_are_certain_for_good_reasons_only(
        seed in 0_u64..1_000_000,
        others in proptest::collection::vec((0..LINES, -3_000_i64..3_000, 0_u8..16), 40),
    ) {
        let (books, examples) = generate(seed);
        let (again, _) = generate(seed);
        let (suggester, again) = (Suggester::new(books), Suggester::new(again));
        for (example, (other, delta, mixture)) in examples.iter().zip(others) {
            let line = mixed(example, &examples[other], delta, mixture);
            let suggestions = suggester.suggest(&line);
            check(&line, &suggestions);
            prop_assert_eq!(&again.suggest(&line), &suggestions);
            let doubtful = Line { is_doubtful: true, ..line };
            prop_assert!(suggester.suggest(&doubtful).iter().all(|of| !of.certain));
            let refused: Vec<_> = suggestions.iter().map(|suggestion| suggestion.id).collect();
            let rest = suggester.suggest(&Line { refused: &refused, ..line });
            prop_assert!(rest.iter().all(|of| !refused.contains(&of.id)));
        }
    }

    #[test]
    fn documents_are_never_certain_without_the_amount(seed in 0_u64..1_000_000) {
        let (books, examples) = generate(seed);
        let dues: BTreeSet<Cents> = books.items.iter().map(|item| item.flow()).collect();
        let suggester = Suggester::new(books);
        let documents = [AllocationKind::Invoice, AllocationKind::Bill, AllocationKind::Refund];
        for example in &examples {
            // No item and no sum of items has this amount: it is above all of them.
            let most: Cents = dues.iter().map(|due| due.abs()).sum();
            let more = most + Cents::new(1);
            let amount = if example.amount.is_negative() { -more } else { more };
            let line = Line { amount, ..example.line() };
            for suggestion in suggester.suggest(&line) {
                prop_assert!(
                    !suggestion.certain || !documents.contains(&suggestion.kind()),
                    "{suggestion:?}"
                );
            }
        }
    }

    #[test]
    fn any_text_has_suggestions_that_add_up(
        text in "\\PC{0,120}",
        name in proptest::option::of("\\PC{0,40}"),
        iban in proptest::option::of("\\PC{0,20}"),
        amount in any::<i64>(),
    ) {
        let (books, examples) = generate(3);
        let suggester = Suggester::new(books);
        let line = Line {
            amount: Cents::new(amount),
            text: &text,
            name: name.as_deref(),
            iban: iban.as_deref(),
            ..examples[0].line()
        };
        let suggestions = suggester.suggest(&line);
        if amount.unsigned_abs() <= Cents::MAX.get().unsigned_abs() {
            check(&line, &suggestions);
        } else {
            prop_assert!(suggestions.is_empty());
        }
    }
}
