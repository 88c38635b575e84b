//! Generated rows: figures defined in `ledger`, and deadlines computed from rules.

use crate::deadline::{self, VatPeriod};
use jiff::civil::date;
use ledger::{chart::CHART, language::Language, table::Table, vat::VatBox};
use std::{borrow::Cow, fmt::Write};

/// First and last year of the listed deadlines, by filing date.
const DEADLINE_YEARS: (i16, i16) = (2024, 2030);

/// Generated rows of a data set: either the whole table, or rows appended to those of its file.
pub(super) fn rows(id: &str) -> Option<Cow<'static, str>> {
    Some(match id {
        "vat-rates" => Cow::Borrowed(ledger::vat::RATES),
        "vat-rates-eu" => Cow::Owned(dutch_rates()),
        "vat-return-boxes" => Cow::Owned(boxes()),
        "chart-of-accounts" => Cow::Owned(accounts()),
        "deadlines" => Cow::Owned(deadlines()),
        _ => return None,
    })
}

/// Dutch rates as rows of the EU table, which starts in 2024 and has no zero rates.
fn dutch_rates() -> String {
    let table = Table::parse(ledger::vat::RATES).expect("ledger's tests parse this file");
    let mut text = String::new();
    for row in table.rows() {
        // kind, rate, validFrom, validTo, source, status, note
        if let [kind, rate, from, to, source, status, note] = row[..]
            && kind != "zero"
            && (to.is_empty() || to >= "2024-01-01")
        {
            let _ =
                writeln!(text, "NL | Nederland // Netherlands | {kind} | {rate} | {from} | {to} | {source} | {status} | {note}");
        }
    }
    text
}

fn boxes() -> String {
    let mut text = String::from("box | titleNl | titleEn | turnover | vat | validFrom | validTo | source | status | note\n");
    let mut add = |name: &str, dutch: &str, english: &str, turnover: bool, vat: bool| {
        let _ = writeln!(text, "{name} | {dutch} | {english} | {turnover} | {vat} | 2024-01-01 | | sbr-ob-2026 | official |");
    };
    for vat_box in VatBox::ALL {
        let (dutch, english) = (vat_box.description(Language::Dutch), vat_box.description(Language::English));
        if *vat_box == VatBox::B5b {
            add("5a", "Verschuldigde omzetbelasting", "VAT due", false, true);
        }
        add(vat_box.as_str(), dutch, english, *vat_box != VatBox::B5b, vat_box.asks_for_vat());
    }
    add("total", "Totaal te betalen of terug te vragen", "Total to pay or to reclaim", false, true);
    text
}

fn accounts() -> String {
    let mut text = String::from("code | nameNl | nameEn | rgsCode | class | validFrom | validTo | source | status | note\n");
    for account in CHART {
        let (code, dutch, english, rgs) = (account.code, account.dutch, account.english, account.rgs);
        let _ =
            writeln!(text, "{code} | {dutch} | {english} | {rgs} | {} | 2024-01-01 | | rgs | official |", account.class.as_str());
    }
    text
}

fn deadlines() -> String {
    let mut text = String::from("id | kind | period | fileBy | payBy | validFrom | validTo | source | status | note\n");
    let (first, last) = (date(DEADLINE_YEARS.0, 1, 1), date(DEADLINE_YEARS.1, 12, 31));
    let mut all: Vec<_> = VatPeriod::ALL.into_iter().flat_map(|period| deadline::between(period, first, last)).collect();
    all.sort_by_key(|deadline| (deadline.file_by, deadline.kind, deadline.period));
    all.dedup();
    for it in all {
        let (kind, pay_by) = (it.kind.as_str(), it.pay_by.map(|day| day.to_string()).unwrap_or_default());
        let (period, from, file_by) = (it.period, it.opens, it.file_by);
        let (source, status) = (it.kind.source(it.period), it.kind.status(it.period).as_str());
        let _ = writeln!(
            text,
            "{kind}-{period} | {kind} | {period} | {file_by} | {pay_by} | {from} | {file_by} | {source} | {status} | {}",
            it.kind.note(it.period)
        );
    }
    text
}
