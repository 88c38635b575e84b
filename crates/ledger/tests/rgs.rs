//! The chart of accounts uses published RGS codes only; the list of those it uses is in `data/rgs_used.csv`.

use ledger::chart::CHART;
use std::collections::BTreeSet;

const PUBLISHED: &str = include_str!("data/rgs_used.csv");

fn published() -> Vec<(&'static str, &'static str)> {
    let mut lines = PUBLISHED.lines();
    assert_eq!(lines.next(), Some("referentiecode;omschrijving"));
    lines.map(|line| line.split_once(';').expect("a code and a description")).collect()
}

#[test]
fn every_account_has_a_published_rgs_code_and_none_is_listed_in_vain() {
    let listed: BTreeSet<&str> = published().into_iter().map(|(code, _)| code).collect();
    let used: BTreeSet<&str> = CHART.iter().map(|account| account.rgs).collect();
    assert_eq!(used, listed);
}

#[test]
fn the_list_is_in_order_and_complete() {
    let published = published();
    assert!(published.is_sorted_by(|(one, _), (next, _)| one < next));
    for (code, description) in published {
        // One letter for balance sheet or result, then three for each level; accounts are on the fourth and the fifth.
        assert!(code.starts_with(['B', 'W']) && matches!(code.len(), 10 | 13), "{code}");
        assert!(!description.trim().is_empty(), "{code}");
    }
}
