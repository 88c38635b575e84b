//! Rates of right suggestions, on books whose seeds were not used to choose the ranks.

use crate::score::Score;

/// Seeds that `examples/accuracy.rs` never uses unless asked.
const SEEDS: std::ops::Range<u64> = 20_000..20_010;

#[test]
fn most_suggestions_are_right() {
    let mut wrongly_certain = Vec::new();
    let score = Score::of(SEEDS, |example, suggestions| {
        let first = suggestions.first().filter(|first| first.certain);
        if first.is_some_and(|first| !example.is_right(&first.allocations)) {
            wrongly_certain.push(format!("{example:?}\n  {first:?}"));
        }
    });
    assert_eq!(score.lines, 2_000);
    assert!(score.certain_rate() >= 995, "{score:#?}\n{}", wrongly_certain.join("\n"));
    assert!(score.precision() >= 980, "{score:#?}");
    assert!(score.recall() >= 850, "{score:#?}");
    assert!(score.among_rate() >= 800, "{score:#?}");
    // A scorer that is never certain would have no wrong certainty.
    assert!(Score::per_mille(score.certain, score.lines) >= 500, "{score:#?}");
}

#[test]
fn each_sort_of_example_is_recognised_unless_nothing_is_known() {
    let score = Score::of(SEEDS, |_, _| {});
    for (sort, [lines, _, among, ..]) in &score.sorts {
        let least = match *sort {
            "unknown" | "payout with small payments" => 0,
            _ => 800,
        };
        assert!(Score::per_mille(*among, *lines) >= least, "{sort}: {score:#?}");
    }
}
