//! Invariants of all data sets.

use super::*;
use crate::value::Value;
use jiff::civil::date;
use ledger::language::Language;
use std::collections::BTreeMap;

/// Key values of a row.
fn figure(dataset: &Dataset, row: &Row) -> Vec<String> {
    let value =
        |column: &String| row.get(column).map(|value| value.plain(Language::English).into_owned());
    dataset.key.iter().map(|column| value(column).unwrap_or_default()).collect()
}

#[test]
fn every_file_can_be_read() {
    assert_eq!(read::all().map(|datasets| datasets.len()), Ok(all().len()));
}

#[test]
fn every_data_set_is_described_in_both_languages() {
    for dataset in all() {
        assert!(
            !dataset.title.is_incomplete() && !dataset.description.is_incomplete(),
            "{}",
            dataset.id
        );
        assert!(!dataset.rows().is_empty(), "{}", dataset.id);
        for column in dataset.columns.iter() {
            assert!(
                !column.title.is_incomplete() && !column.meaning.is_incomplete(),
                "{} {}",
                dataset.id,
                column.name
            );
        }
        assert_eq!(
            all().iter().filter(|other| other.id == dataset.id).count(),
            1,
            "{}",
            dataset.id
        );
    }
}

/// Tests that the rows of a figure never overlap, and leave no gap unless the figure may end.
#[test]
fn the_periods_of_a_figure_follow_one_another_without_gap_or_overlap() {
    for dataset in all() {
        let mut figures: BTreeMap<Vec<String>, Vec<&Row>> = BTreeMap::new();
        for row in dataset.rows() {
            figures.entry(figure(dataset, row)).or_default().push(row);
        }
        for (figure, mut rows) in figures {
            rows.sort_by_key(|row| row.valid_from);
            for pair in rows.windows(2) {
                let next = pair[0].valid_to.map(|last| last.tomorrow().unwrap());
                let fits = if dataset.may_end {
                    next.is_some_and(|next| next <= pair[1].valid_from)
                } else {
                    next == Some(pair[1].valid_from)
                };
                assert!(
                    fits,
                    "{} {figure:?}: {} does not follow {:?}",
                    dataset.id, pair[1].valid_from, pair[0].valid_to
                );
            }
        }
    }
}

#[test]
fn a_row_with_a_year_is_valid_in_exactly_that_year() {
    for dataset in all() {
        for row in dataset.rows() {
            if let Some(Value::Integer(year)) = row.get("year") {
                let year = i16::try_from(*year).unwrap();
                assert_eq!(
                    (row.valid_from, row.valid_to),
                    (date(year, 1, 1), Some(date(year, 12, 31))),
                    "{} {year}",
                    dataset.id
                );
            }
        }
    }
}

/// Tests that the first band begins at zero, that each other band begins where the previous one
/// ends, and that only the last band is unbounded.
#[test]
fn bands_cover_every_amount_once() {
    for dataset in
        all().iter().filter(|dataset| dataset.columns.iter().any(|column| column.name == "to"))
    {
        for year in dataset.years() {
            for status in [Status::Law, Status::Proposal] {
                let same =
                    |row: &&Row| (row.status == Status::Proposal) == (status == Status::Proposal);
                let rows: Vec<_> =
                    dataset.select(Selection::On(date(year, 7, 1))).filter(same).collect();
                let mut end = Some(Value::Money(crate::Decimal::ZERO));
                for row in &rows {
                    assert_eq!(row.get("from"), end.as_ref(), "{} {year}", dataset.id);
                    end = row.get("to").cloned();
                }
                assert!(rows.is_empty() || end.is_none(), "{} {year} has no last band", dataset.id);
            }
        }
    }
}

#[test]
fn invalid_rows_are_rejected() {
    let file = |row: &str| {
        format!(
            "id = \"x\"\nversion = 1\nupdated = \"2026-01-01\"\nkey = [\"rate\"]\n[title]\nnl = \"x\"\nen = \"x\"\n\
             [description]\nnl = \"x\"\nen = \"x\"\n[[columns]]\nname = \"rate\"\ntype = \"percent\"\n\
             title = {{ nl = \"x\", en = \"x\" }}\nmeaning = {{ nl = \"x\", en = \"x\" }}\n[[rows]]\n{row}\n"
        )
    };
    let valid = "rate = '21'\nvalidFrom = '2026-01-01'\nsource = 'wet-ob-9'\nstatus = 'law'\n";
    assert_eq!(read::dataset(&file(valid)).err(), None);
    let cases = [
        ("source = 'wet-ob-9'", "", "source is missing"),
        ("'wet-ob-9'", "'hearsay'", "is not in sources.toml"),
        ("validFrom = '2026-01-01'", "", "validFrom is missing"),
        ("2026-01-01", "2026-02-30", "is not a valid Date"),
        ("status =", "validTo = '2025-12-31'\nstatus =", "ends before it begins"),
        ("'law'", "'sure'", "for status"),
        ("'21'", "'x'", "is not a valid Percent"),
        ("'21'", "21.0", "is not a valid Percent"),
        ("status =", "note = 'alleen Nederlands'\nstatus =", "is not a valid Words"),
        ("status =", "note.nl = 'alleen Nederlands'\nstatus =", "missing field `en`"),
        ("status =", "note = { nl = 'alleen Nederlands', en = ' ' }\nstatus =", "lacks a language"),
        ("rate =", "rates =", "rates is not a column"),
    ];
    for (from, to, expected) in cases {
        let error = read::dataset(&file(&valid.replace(from, to))).err().unwrap_or_default();
        assert!(error.contains(expected), "{to}: {error}");
    }
}

#[test]
fn a_day_or_a_year_selects_its_rows() {
    let rates = find("vat-rates").unwrap();
    let percentages = |selection| {
        rates
            .select(selection)
            .map(|row| row.get("rate").unwrap().plain(Language::English))
            .collect::<Vec<_>>()
    };
    assert_eq!(percentages(Selection::On(date(2018, 12, 31))), ["21", "6", "0"]);
    assert_eq!(percentages(Selection::On(date(2019, 1, 1))), ["21", "9", "0"]);
    assert_eq!(percentages(Selection::Year(2012)), ["19", "21", "6", "0"]);
    assert_eq!(percentages(Selection::All).len(), 6);
}

#[test]
fn a_selection_reports_all_faults_at_once() {
    let brackets = find("income-tax-brackets").unwrap();
    let faults = |parameters: &[(&str, &str)]| {
        let faults = Selection::read(brackets, parameters).err().unwrap_or_default();
        faults.into_iter().map(|fault| (fault.parameter, fault.code)).collect::<Vec<_>>()
    };
    let fault = |parameter: &str, code| (parameter.to_owned(), code);
    assert_eq!(faults(&[]), []);
    assert_eq!(faults(&[("year", "2026")]), []);
    assert_eq!(
        faults(&[("on", "2026-02-30"), ("year", "1e30"), ("x", "")]),
        [fault("x", "unknown_field"), fault("on", "invalid_date"), fault("year", "unknown_value")]
    );
    assert_eq!(faults(&[("on", "2026-02-03"), ("year", "2026")]), [fault("year", "unknown_field")]);
    assert_eq!(faults(&[("on", "2023-12-31")]), [fault("on", "out_of_range")]);
    let unknown = Selection::read(brackets, &[("year", "2019")]).unwrap_err();
    assert_eq!(unknown[0].known, ["2024", "2025", "2026", "2027"]);
}
