//! Generated rows: figures defined in `ledger`, and deadlines computed from rules.

use crate::{deadline, words::Words};
use jiff::civil::date;
use ledger::{chart::CHART, language::Language, vat::VatBox, vat_period::VatUnit};
use toml::{Table, Value};

/// First and last year of the listed deadlines, by filing date.
const DEADLINE_YEARS: (i16, i16) = (2024, 2030);

/// First day of validity of the generated rows for boxes and accounts. The EU table also omits
/// Dutch rates that ended before this day.
const START: &str = "2024-01-01";

/// Generated rows of a data set, to be appended to the rows in its file.
pub(super) fn rows(id: &str) -> Vec<Table> {
    match id {
        "vat-rates" => rates(),
        "vat-rates-eu" => dutch_rates(),
        "vat-return-boxes" => boxes(),
        "chart-of-accounts" => accounts(),
        "deadlines" => deadlines(),
        _ => Vec::new(),
    }
}

fn row<const N: usize>(cells: [(&str, Value); N]) -> Table {
    cells.into_iter().map(|(column, cell)| (column.to_owned(), cell)).collect()
}

fn words(words: Words) -> Value {
    row([("nl", words.nl.into_owned().into()), ("en", words.en.into_owned().into())]).into()
}

fn rates() -> Vec<Table> {
    let mut file: Table = ledger::vat::RATES.parse().expect("ledger's tests parse this file");
    let rows: Option<Vec<Table>> = file.remove("rows").and_then(|rows| rows.try_into().ok());
    rows.expect("ledger's tests read these rows")
}

/// Dutch rates as rows of the EU table, which starts in 2024 and has no zero rates.
fn dutch_rates() -> Vec<Table> {
    let mut rates = rates();
    rates.retain(|rate| {
        let ended = rate.get("validTo").and_then(Value::as_str).is_some_and(|last| last < START);
        !ended && rate.get("kind").and_then(Value::as_str) != Some("zero")
    });
    for rate in &mut rates {
        rate.insert("country".to_owned(), "NL".into());
        rate.insert("name".to_owned(), words(Words::new("Nederland", "Netherlands")));
    }
    rates
}

fn boxes() -> Vec<Table> {
    let mut rows = Vec::new();
    let mut add = |name: &str, dutch: &str, english: &str, turnover: bool, vat: bool| {
        rows.push(row([
            ("box", name.into()),
            ("titleNl", dutch.into()),
            ("titleEn", english.into()),
            ("turnover", turnover.into()),
            ("vat", vat.into()),
            ("validFrom", START.into()),
            ("source", "sbr-ob-2026".into()),
            ("status", "official".into()),
        ]));
    };
    for vat_box in VatBox::ALL {
        let (dutch, english) =
            (vat_box.description(Language::Dutch), vat_box.description(Language::English));
        if *vat_box == VatBox::B5b {
            add("5a", "Verschuldigde omzetbelasting", "VAT due", false, true);
        }
        add(vat_box.as_str(), dutch, english, *vat_box != VatBox::B5b, vat_box.asks_for_vat());
    }
    add("total", "Totaal te betalen of terug te vragen", "Total to pay or to reclaim", false, true);
    rows
}

fn accounts() -> Vec<Table> {
    let account = |account: &ledger::chart::Account| {
        row([
            ("code", account.code.to_string().into()),
            ("nameNl", account.dutch.into()),
            ("nameEn", account.english.into()),
            ("rgsCode", account.rgs.into()),
            ("class", account.class.as_str().into()),
            ("validFrom", START.into()),
            ("source", "rgs".into()),
            ("status", "official".into()),
        ])
    };
    CHART.iter().map(account).collect()
}

fn deadlines() -> Vec<Table> {
    let (first, last) = (date(DEADLINE_YEARS.0, 1, 1), date(DEADLINE_YEARS.1, 12, 31));
    let mut all: Vec<_> =
        VatUnit::ALL.iter().flat_map(|unit| deadline::between(*unit, first, last)).collect();
    all.sort_by_key(|deadline| (deadline.file_by, deadline.kind, deadline.period));
    all.dedup();
    let deadline = |it: deadline::Deadline| {
        let (kind, period) = (it.kind.as_str(), it.period);
        let mut row = row([
            ("id", format!("{kind}-{period}").into()),
            ("kind", kind.into()),
            ("period", period.to_string().into()),
            ("fileBy", it.file_by.to_string().into()),
            ("validFrom", it.opens.to_string().into()),
            ("validTo", it.file_by.to_string().into()),
            ("source", it.kind.source(period).into()),
            ("status", it.kind.status(period).as_str().into()),
        ]);
        if let Some(day) = it.pay_by {
            row.insert("payBy".to_owned(), day.to_string().into());
        }
        if let Some(note) = it.kind.note(period) {
            row.insert("note".to_owned(), words(note));
        }
        row
    };
    all.into_iter().map(deadline).collect()
}
