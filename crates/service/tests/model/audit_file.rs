//! Comparison of each year's audit file, in both versions, with the trial balance, the ledger cards
//! and the summary.

use crate::compare::ask;
use jiff::civil::date;
use ledger::{
    chart::{AccountCode, codes},
    money::Cents,
};
use service::{
    Context,
    audit_files::{self, Version},
    ledger_cards, summary,
};
use std::collections::{BTreeMap, BTreeSet};
use store::{
    Store, books,
    journal::{self, EntryFilter, Period},
};

/// Accounts whose lines name a customer or supplier.
const SUBLEDGERS: [AccountCode; 3] =
    [codes::RECEIVABLES, codes::PAYABLES, codes::OWED_TO_CUSTOMERS];

/// Contents of all elements with this name.
fn elements<'t>(text: &'t str, name: &str) -> Vec<&'t str> {
    let (open, close) = (format!("<{name}>"), format!("</{name}>"));
    text.split(&open).skip(1).map(|rest| rest.split(&close).next().unwrap()).collect()
}

fn element<'t>(text: &'t str, name: &str) -> Option<&'t str> {
    elements(text, name).first().copied()
}

/// Signed amount of a line: positive on the debit side.
fn sided(text: &str, amount: &str, side: &str) -> Cents {
    let cents = Cents::new(element(text, amount).unwrap().replace('.', "").parse().unwrap());
    if element(text, side) == Some("C") { -cents } else { cents }
}

fn by_account(lines: &[&str]) -> BTreeMap<AccountCode, Cents> {
    let mut sums = BTreeMap::new();
    for line in lines {
        let code = AccountCode::parse(element(line, "accID").unwrap()).unwrap();
        *sums.entry(code).or_default() += sided(line, "amnt", "amntTp");
    }
    sums.retain(|_, sum: &mut Cents| !sum.is_zero());
    sums
}

/// Number of postings with a VAT box in a year.
fn boxes(store: &Store, cx: &Context, year: i16) -> usize {
    let filter = EntryFilter {
        newest_first: false,
        period: Period::Days(date(year, 1, 1), date(year, 12, 31)),
        account_code: None,
        source_type: None,
        booked_since: None,
        after: None,
        limit: i64::MAX,
    };
    let account = cx.actor.account;
    let entries = ask(store, move |tx| Ok(journal::in_period(tx, account, &filter)?)).rows;
    entries
        .iter()
        .flat_map(|stored| stored.entry.postings())
        .filter(|posting| posting.vat_box().is_some())
        .count()
}

/// Compares a year's audit files with the trial balance, and the trial balance with the ledger
/// cards and the summary.
pub(crate) fn agrees(store: &Store, cx: &Context, year: i16) {
    let its = cx.clone();
    let trial = ask(store, move |tx| ledger_cards::trial_balance(tx, &its, year));
    let account = cx.actor.account;
    let began =
        ask(store, move |tx| Ok(books::terms(tx, account)?)).and_then(|terms| terms.opening);
    for version in [Version::V3_2, Version::V4_0] {
        let its = cx.clone();
        let file = ask(store, move |tx| audit_files::write(tx, &its, year, version, Vec::new()));
        let file = String::from_utf8(file).unwrap();
        let opening = by_account(&elements(element(&file, "openingBalance").unwrap(), "obLine"));
        let lines = elements(&file, "trLine");
        let mut closing = opening.clone();
        for (code, moved) in by_account(&lines) {
            *closing.entry(code).or_default() += moved;
        }
        closing.retain(|_, sum| !sum.is_zero());
        let of = |amount: fn(&ledger_cards::AccountYear) -> Cents| -> BTreeMap<AccountCode, Cents> {
            trial.iter().map(|of| (of.code, amount(of))).filter(|(_, sum)| !sum.is_zero()).collect()
        };
        // In the year in which the books began, the file contains their opening balance instead of
        // the previous year's closing balance.
        if began.is_none_or(|day| day.year() != year) {
            assert_eq!(opening, of(|account| account.opening), "opening balances of {year}");
        }
        assert_eq!(closing, of(ledger_cards::AccountYear::closing), "closing balances of {year}");
        subledgers(&file, &opening, &closing, version);
        let with_vat = lines.iter().filter(|line| line.contains("<vat>")).count();
        assert_eq!(with_vat, boxes(store, cx, year), "lines with a box in {year}");
    }
    for code in [codes::EQUITY, codes::PRIVATE_DRAWINGS, codes::RECEIVABLES] {
        let its = cx.clone();
        let card = ask(store, move |tx| ledger_cards::card(tx, &its, code, year, None, 1)).account;
        let row = trial.iter().find(|of| of.code == code).copied();
        assert_eq!(row.unwrap_or(card), card);
    }
    let its = cx.clone();
    let sheet = ask(store, move |tx| summary::read(tx, &its, year, date(year, 12, 31), None))
        .summary
        .balance_sheet;
    for line in sheet.equity.iter().filter(|line| line.account != codes::RESULT) {
        let row = trial.iter().find(|of| of.code == line.account);
        assert_eq!(
            row.map(|of| -of.closing()),
            Some(line.amount),
            "{} in the summary of {year}",
            line.account
        );
    }
}

/// Checks that exactly the lines on [`SUBLEDGERS`] name a customer or supplier in the file, and
/// that the balances of the customers and suppliers add up to the balances of the accounts.
fn subledgers(
    file: &str,
    opening: &BTreeMap<AccountCode, Cents>,
    closing: &BTreeMap<AccountCode, Cents>,
    version: Version,
) {
    let relations = elements(file, "customerSupplier");
    let ids: BTreeSet<&str> =
        relations.iter().map(|relation| element(relation, "custSupID").unwrap()).collect();
    assert_eq!(ids.len(), relations.len(), "the identifiers of relations are unique");
    for line in elements(file, "trLine") {
        let code = AccountCode::parse(element(line, "accID").unwrap()).unwrap();
        match element(line, "custSupID") {
            Some(id) => assert!(SUBLEDGERS.contains(&code) && ids.contains(id), "{line}"),
            None => assert!(!SUBLEDGERS.contains(&code), "{line}"),
        }
    }
    let stands = |on: &BTreeMap<AccountCode, Cents>| -> Cents {
        SUBLEDGERS.iter().filter_map(|code| on.get(code)).copied().sum()
    };
    if version == Version::V4_0 {
        let owed = |amount: &str, side: &str| -> Cents {
            relations.iter().map(|relation| sided(relation, amount, side)).sum()
        };
        assert_eq!(
            (owed("opBalDesc", "opBalTp"), owed("clBalDesc", "clBalTp")),
            (stands(opening), stands(closing))
        );
    } else {
        let owed: Cents =
            elements(file, "obSbLine").iter().map(|line| sided(line, "amnt", "amntTp")).sum();
        assert_eq!(owed, stands(opening));
    }
}
