//! Tests of the migration from sums per quarter to sums per month, on filled books.

#![expect(clippy::unwrap_used, reason = "a failure is a failed test")]

use ledger::calendar::Quarter;
use service::{
    Context, Environment, Error, accounts,
    environment::{Clock, System},
    vat_filings, verify,
};
use store::Store;
use testing::{Database, Raw, by_quarter, on_both_engines};

/// Columns of the counts of documents, in both versions.
const COUNTS: &str = "entries invoices drafts draft_revenue draft_vat draft_amount paid outstanding due_drafts due_draft_revenue due_draft_vat due_draft_amount";

/// Sums per quarter from a table with sums per quarter or month, without rows that are zero.
fn per_quarter(raw: &Raw, table: &str, quarter: &str, keys: &str, sums: &str) -> Vec<String> {
    let text = |column: &str| format!("CAST({column} AS TEXT)");
    let key: Vec<String> = keys.split_whitespace().map(str::to_owned).collect();
    let sum: Vec<String> = sums.split(' ').map(|column| format!("SUM({column})")).collect();
    let groups = [vec!["account_id".into(), "year".into(), quarter.to_owned()], key].concat();
    let columns: Vec<String> = groups.iter().chain(&sum).map(|column| text(column)).collect();
    let is_other_than_zero: Vec<String> = sum.iter().map(|sum| format!("{sum} <> 0")).collect();
    let sql = format!(
        "SELECT {} FROM {table} GROUP BY {} HAVING {}",
        columns.join(", "),
        groups.join(", "),
        is_other_than_zero.join(" OR ")
    );
    let row = |row: Vec<Option<String>>| {
        row.into_iter().map(Option::unwrap).collect::<Vec<_>>().join(" ")
    };
    let mut rows: Vec<String> = raw.rows(&sql).into_iter().map(row).collect();
    rows.sort();
    rows
}

fn filings(raw: &Raw, table: &str, period: &str, columns: &str) -> Vec<Vec<Option<String>>> {
    let text = |column: &str| format!("CAST({column} AS TEXT)");
    let columns: Vec<String> = [period].into_iter().chain(columns.split(' ')).map(text).collect();
    let mut rows =
        raw.rows(&format!("SELECT CAST(account_id AS TEXT), {} FROM {table}", columns.join(", ")));
    rows.sort();
    rows
}

fn returns(raw: &Raw, period: &str) -> [Vec<Vec<Option<String>>>; 2] {
    [
        filings(
            raw,
            "vat_filings",
            period,
            "version filed_at reopened_at entry_id payable declared_payable",
        ),
        filings(
            raw,
            "vat_filing_boxes",
            period,
            "version line vat_box turnover vat declared_turnover declared_vat",
        ),
    ]
}

fn ask<T: Send + 'static>(
    store: &Store,
    query: impl FnMut(&mut store::Tx<'_>) -> Result<T, Error> + Send + 'static,
) -> T {
    store.read_blocking(query).unwrap()
}

on_both_engines! {
    fn months_add_up_to_the_quarters_of_before(engine) {
        let database = Database::new(engine);
        by_quarter::fill(&database);
        let raw = Raw::open(&database);
        let vat = per_quarter(&raw, "vat_totals", "quarter", "account_code vat_box", "debit credit");
        let counts = per_quarter(&raw, "quarter_totals", "quarter", "", COUNTS);
        let filed = returns(&raw, "year || '-Q' || quarter");
        assert!(vat.len() > 20 && counts.len() >= 4, "{} {}", vat.len(), counts.len());
        assert!(filed.iter().all(|rows| rows.len() >= 2), "{filed:?}");
        let store = database.open();
        let month = "(month + 2) / 3";
        assert_eq!(per_quarter(&raw, "vat_totals", month, "account_code vat_box", "debit credit"), vat);
        assert_eq!(per_quarter(&raw, "document_totals", month, "", COUNTS), counts);
        assert_eq!(returns(&raw, "period"), filed);
        drop(store);
    }

    fn migrated_books_are_right(engine) {
        let database = Database::new(engine);
        by_quarter::fill(&database);
        let store = database.open();
        let cx = ask(&store, |tx| {
            let account = accounts::by_email(tx, "demo@example.com")?;
            Ok(Context::of_owner(&account, Environment::at(System.now())))
        });
        let verified = {
            let cx = cx.clone();
            ask(&store, move |tx| verify::verify_books(tx, &cx, &|_| {}))
        };
        assert_eq!(verified.discrepancies, Vec::<String>::new());
        assert!(verified.entries > 100, "{}", verified.entries);
        for number in 1..=2 {
            let (quarter, cx) = (Quarter::new(2026, number).unwrap(), cx.clone());
            let of = ask(&store, move |tx| vat_filings::read_quarter(tx, &cx, quarter)).details;
            let (filing, boxes) = of.versions.last().unwrap();
            assert_eq!((filing.period, of.versions.len()), (quarter.into(), 1));
            let computed = of.vat_return.lines.iter();
            let computed: Vec<_> =
                computed.map(|line| (line.vat_box, line.turnover, line.vat)).collect();
            let filed = boxes.iter().map(|of| (of.vat_box.as_str(), of.turnover, of.vat));
            assert_eq!(computed, filed.collect::<Vec<_>>(), "{quarter:?}");
        }
        let corrected = "SELECT CAST(id AS TEXT) FROM entries WHERE corrects_period IS NOT NULL";
        assert!(!Raw::open(&database).rows(corrected).is_empty(), "a correction is among the rows");
    }
}
