//! Check of the journals by hledger, an independent program: it must find every entry balanced and
//! compute the same balance for every account.

use crate::{compare::ask, generate::COUNTRIES};
use jiff::civil::date;
use ledger::money::Cents;
use service::{Context, entries, ledger_cards};
use std::{
    collections::BTreeMap,
    fmt::Write as _,
    io::Write as _,
    process::{Command, Stdio},
};
use store::{
    Store,
    journal::{EntryFilter, Period},
};

/// The hledger executable; `cargo xtask test` installs Debian's package.
fn program() -> String {
    std::env::var("GROOTBOEK_TEST_HLEDGER").unwrap_or_else(|_| "hledger".to_owned())
}

/// Parses an amount printed by hledger, which can be of any size.
fn cents(text: &str) -> Cents {
    let (whole, decimals) = text.split_once('.').unwrap_or((text, ""));
    assert!(decimals.len() <= 2, "{text}");
    Cents::new(
        format!("{whole}{decimals:0<2}")
            .parse()
            .unwrap_or_else(|_| panic!("{text} is not an amount")),
    )
}

/// Balances that hledger computes from the entries dated on or after `first` and before `after`.
fn balances(journal: &str, first: &str, after: &str) -> BTreeMap<String, Cents> {
    let mut command = Command::new(program());
    command.args([
        "-f",
        "-",
        "balance",
        "--flat",
        "--no-total",
        "--empty",
        "-O",
        "csv",
        "-b",
        first,
        "-e",
        after,
    ]);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let missing = "hledger is missing; install it: `apt-get install hledger` on Debian, or run `cargo xtask test`";
    let mut running = command.spawn().expect(missing);
    running.stdin.take().unwrap().write_all(journal.as_bytes()).unwrap();
    let output = running.wait_with_output().unwrap();
    assert!(
        output.status.success(),
        "hledger rejects the journal: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    let read = |line: &str| {
        let (account, amount) = line.split_once(',').unwrap();
        let amount = amount.trim_matches('"').trim_start_matches("EUR").trim();
        (account.trim_matches('"').to_owned(), cents(amount))
    };
    String::from_utf8(output.stdout)
        .unwrap()
        .lines()
        .skip(1)
        .map(read)
        .filter(|(_, amount)| !amount.is_zero())
        .collect()
}

/// Compares the movements and closing balances of every account, year by year.
pub(crate) fn agrees(store: &Store, owners: Vec<Context>) {
    assert!(owners.len() <= COUNTRIES.len());
    for cx in owners {
        let journal = journal(store, &cx);
        for year in [2025, 2026, 2027] {
            let its = cx.clone();
            let ours = ask(store, move |tx| ledger_cards::trial_balance(tx, &its, year));
            let moved: BTreeMap<String, Cents> = ours
                .iter()
                .map(|of| (of.code.to_string(), of.debit - of.credit))
                .filter(|(_, amount)| !amount.is_zero())
                .collect();
            let theirs =
                balances(&journal, &format!("{year}-01-01"), &format!("{}-01-01", year + 1));
            assert_eq!(moved, theirs, "movements of {year}");
            // Closing balances. For accounts that start each year at zero, the balance of earlier
            // years is moved to equity.
            let mut stood = balances(&journal, "2000-01-01", &format!("{}-01-01", year + 1));
            let before = balances(&journal, "2000-01-01", &format!("{year}-01-01"));
            for (account, amount) in before {
                let code = ledger::chart::AccountCode::parse(&account).unwrap();
                if ledger::summary::begins_at_nought(code) {
                    *stood.entry(account).or_default() -= amount;
                    *stood.entry("0500".to_owned()).or_default() += amount;
                }
            }
            stood.retain(|_, amount| !amount.is_zero());
            let closing: BTreeMap<String, Cents> = ours
                .iter()
                .map(|of| (of.code.to_string(), of.closing()))
                .filter(|(_, amount)| !amount.is_zero())
                .collect();
            assert_eq!(closing, stood, "closing balances of {year}");
        }
        cards(store, &cx);
    }
}

/// Journal in hledger's format.
fn journal(store: &Store, cx: &Context) -> String {
    let filter = |after| EntryFilter {
        newest_first: true,
        period: Period::Days(date(2000, 1, 1), date(2099, 12, 31)),
        account_code: None,
        source_type: None,
        booked_since: None,
        after,
        limit: 97,
    };
    let (mut text, mut after, mut last) = (String::new(), None, None);
    loop {
        let (its, page_filter) = (cx.clone(), filter(after));
        let page = ask(store, move |tx| entries::list(tx, &its, &page_filter));
        for stored in &page.rows {
            let place = (stored.entry.date(), stored.id);
            assert!(last.is_none_or(|last| place < last), "{place:?} comes after {last:?}");
            last = Some(place);
            writeln!(text, "{} entry {}", stored.entry.date(), stored.id).unwrap();
            for posting in stored.entry.postings() {
                writeln!(
                    text,
                    "    {}  EUR {}",
                    posting.account(),
                    posting.debited() - posting.credited()
                )
                .unwrap();
            }
            text.push('\n');
        }
        after = last;
        if !page.more {
            return text;
        }
    }
}

/// Checks that every ledger card, read page by page, ends with the balance of its account.
fn cards(store: &Store, cx: &Context) {
    let its = cx.clone();
    ask(store, move |tx| {
        for of in ledger_cards::trial_balance(tx, &its, 2026)? {
            let (mut after, mut balance) = (None, of.opening);
            loop {
                let card = ledger_cards::card(tx, &its, of.code, 2026, after, 50)?;
                assert_eq!((card.account, card.carried), (of, balance));
                balance = card.rows.last().map_or(balance, |(_, balance)| *balance);
                after = card.next;
                if after.is_none() {
                    break;
                }
            }
            assert_eq!(balance, of.closing(), "the card of {}", of.code);
        }
        Ok(())
    });
}
