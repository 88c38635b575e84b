//! The chart of accounts uses only published RGS codes, which are listed in `data/rgs_used.csv`.

use ledger::chart::{CHART, SHARED_RGS, codes};
use std::collections::{BTreeMap, BTreeSet};

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
        // The first level is one letter (balance sheet or profit and loss), and each further level
        // adds three; accounts are at the fourth and fifth level.
        assert!(code.starts_with(['B', 'W']) && matches!(code.len(), 10 | 13), "{code}");
        assert!(!description.trim().is_empty(), "{code}");
    }
}

#[test]
fn accounts_share_a_code_only_for_a_reason_that_is_told() {
    let used = |rgs: &str| CHART.iter().filter(|account| account.rgs == rgs).count();
    let shared: BTreeSet<&str> =
        CHART.iter().map(|account| account.rgs).filter(|rgs| used(rgs) > 1).collect();
    assert_eq!(shared, SHARED_RGS.iter().map(|(rgs, _)| *rgs).collect());
    assert!(SHARED_RGS.iter().all(|(_, reason)| !reason.is_empty()));
}

/// Revenue declared in boxes 3a and 3b has separate codes for goods and for services.
#[test]
fn revenue_abroad_has_the_code_of_its_box() {
    let descriptions: BTreeMap<&str, &str> = published().into_iter().collect();
    let rgs = |code| CHART.iter().find(|account| account.code == code).unwrap().rgs;
    for (code, branch, vat_box) in [
        (codes::REVENUE_EXPORT, "WOmzNoh", "3a."),
        (codes::REVENUE_EU_GOODS, "WOmzNoh", "3b."),
        (codes::REVENUE_EU, "WOmzNod", "3b."),
        (codes::REVENUE_OSS, "WOmzNoh", "3c."),
    ] {
        assert!(
            rgs(code).starts_with(branch) && descriptions[rgs(code)].starts_with(vat_box),
            "{code}"
        );
    }
}

/// Own accounts can have every code that the program's accounts have, and no code without a class.
#[test]
fn the_list_of_own_accounts_contains_the_codes_of_the_chart() {
    let codes = ledger::rgs::all();
    assert!(codes.is_sorted_by(|one, next| one.code < next.code));
    for of in codes {
        assert!(matches!(of.code.len(), 10 | 13) && !of.description.trim().is_empty(), "{of:?}");
    }
    for (code, description) in published() {
        let of = ledger::rgs::find(code).expect("a code of the list");
        assert_eq!(of.description, description, "{code}");
    }
    assert!(codes.iter().all(|of| ledger::rgs::class(of.code).is_some()));
}
