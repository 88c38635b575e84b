//! Golden cases: documents with the entries and the VAT return that the law prescribes for them.
//!
//! Each file in `cases/` holds the cases on one subject, in a notation for accountants (described
//! in CONTRIBUTING.md). The figures are exact to the cent; they were computed by hand or come from
//! published examples. `UPDATE_EXPECT=1` rewrites the expected parts of the files.

#![expect(clippy::unwrap_used, reason = "a test may panic, also in what it calls")]

mod books;
mod difference;
mod documents;
mod reader;
mod table;

use reader::Case;
use std::{
    fs,
    path::{Path, PathBuf},
};

/// Returns the files with cases, sorted by name.
fn files() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/cases");
    let mut files: Vec<PathBuf> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "txt"));
    files.sort();
    files
}

/// Returns the outcome of a case as lines of text; panics if the input has a fault.
fn outcome(case: &Case) -> Vec<String> {
    books::run(case).unwrap_or_else(|fault| panic!("{}: {fault}", case.title))
}

#[test]
fn every_case_comes_out_as_the_law_prescribes() {
    let update = std::env::var_os("UPDATE_EXPECT").is_some();
    let mut failures = Vec::new();
    for path in files() {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let text = fs::read_to_string(&path).unwrap();
        let cases = reader::read(&text).unwrap_or_else(|fault| panic!("{name}: {fault}"));
        let outcomes: Vec<Vec<String>> = cases.iter().map(outcome).collect();
        if update {
            // The file is replaced in one step, because other tests read it at the same time.
            let new = path.with_extension("new");
            fs::write(&new, reader::rewritten(&text, &cases, &outcomes)).unwrap();
            fs::rename(new, &path).unwrap();
            continue;
        }
        for (case, actual) in cases.iter().zip(&outcomes) {
            let actual: Vec<String> =
                actual.iter().filter(|line| !line.is_empty()).cloned().collect();
            if let Some(difference) = difference::between(&case.expected, &actual) {
                failures.push(format!("{name}:{}: {}\n{difference}", case.line, case.title));
            }
        }
    }
    assert!(
        failures.is_empty(),
        "{} cases fail (- expected, + actual; UPDATE_EXPECT=1 accepts the actual figures):\n\n{}",
        failures.len(),
        failures.join("\n")
    );
}

#[test]
fn there_are_cases_of_every_subject_and_each_names_its_source() {
    assert!(files().len() >= 10, "the folder of cases is complete");
    let mut titles = Vec::new();
    for path in files() {
        let cases = reader::read(&fs::read_to_string(&path).unwrap()).unwrap();
        assert!(!cases.is_empty(), "{} has no case", path.display());
        for case in cases {
            assert!(
                !case.source.is_empty() && !case.expected.is_empty(),
                "{} is incomplete",
                case.title
            );
            titles.push(case.title);
        }
    }
    let count = titles.len();
    titles.sort();
    titles.dedup();
    assert!(
        count >= 30 && titles.len() == count,
        "{count} cases, {} different titles",
        titles.len()
    );
}

/// Returns the fault that the reader or the books report for a case with this input.
fn fault(input: &str) -> String {
    let text = format!("case: A case\nsource: a source\n\n{input}\nexpected:\nnothing\n");
    reader::read(&text).and_then(|cases| books::run(&cases[0])).expect_err(input)
}

#[test]
fn unknown_words_are_rejected_with_their_line() {
    let invoice = "invoice 2026-03-15\n  number: 1\n";
    let line = "  | description | quantity | price | VAT |\n  | Work | 1 | 10 | 21% |\n";
    let cases = [
        (
            "colour: red\n\ninvoice 2026-03-15\n  number: 1\n".to_owned() + line,
            "line 4: unknown key `colour`",
        ),
        (format!("{invoice}  discount: 5\n{line}"), "line 6: unknown key `discount`"),
        (format!("{invoice}  number: 2\n{line}"), "line 6: `number` occurs twice"),
        (format!("invoice 2026-03-15\n{line}"), "line 4: `number` is missing"),
        (
            format!("{invoice}  customer: Germany\n{line}"),
            "line 4: `Germany` is not a value of `customer`",
        ),
        (
            format!(
                "{invoice}  | description | quantity | price | rate |\n  | Work | 1 | 10 | 21% |\n"
            ),
            "line 7: `VAT` is missing",
        ),
        (
            format!("{invoice}{line}  | Work | 1 | 10 | 21% | 5 |\n"),
            "line 8: the row has 5 cells, and the table 4 columns",
        ),
        (
            format!(
                "{invoice}  | description | quantity | price | VAT | colour |\n  | Work | 1 | 10 | 21% | red |\n"
            ),
            "line 7: unknown key `colour`",
        ),
        ("receipt 2026-03-15\n".to_owned(), "line 4: unknown document `receipt`"),
        ("invoice 2026-02-30\n".to_owned(), "line 4: `2026-02-30` is not a date"),
        (
            format!("invoice 2026-03-15\n  number: 1\n  summary: 2026\n{line}"),
            "line 6: unknown key `summary`",
        ),
        (
            "mileage 2026-03-15\n  kilometres: 12O\n  rate: 0.25\n".to_owned(),
            "line 4: `12O` is not a value of `kilometres`",
        ),
        (
            "expense 2026-03-15\n  | account | amount | VAT |\n  | 4110 Hardware | 10 | 21% |\n"
                .to_owned(),
            "line 6: `4110 Hardware` is not a value of `account`",
        ),
        ("payment 2026-03-15\n  invoice: 7\n  amount: 10\n".to_owned(), "line 4: no invoice `7`"),
    ];
    for (input, wanted) in cases {
        assert_eq!(fault(&input), wanted, "{input}");
    }
    assert_eq!(
        reader::read("case: A case\nsource: a source\n").unwrap_err(),
        "line 1: the case has no `expected:`"
    );
}

#[test]
fn a_difference_shows_both_tables_and_ignores_alignment() {
    let lines = |text: &str| text.lines().map(str::to_owned).collect::<Vec<_>>();
    let expected = lines("| account | debit |\n| 1100 Bank | 5.00 |\n| 4100 Office costs | |");
    let aligned = lines(
        "| account           | debit |\n| 1100 Bank         |  5.00 |\n| 4100 Office costs |       |",
    );
    assert_eq!(difference::between(&expected, &aligned), None);
    let other = lines(
        "| account           | debit |\n| 1100 Bank         |  6.00 |\n| 4100 Office costs |       |",
    );
    let shown = "  | account           | debit |\n- | 1100 Bank | 5.00 |\n+ | 1100 Bank         |  6.00 |\n  | 4100 Office costs |       |\n";
    assert_eq!(difference::between(&expected, &other).as_deref(), Some(shown));
}

#[test]
fn rewriting_changes_the_expected_part_only() {
    let text = "# About the file.\ncase: One\nsource: a\n\nmileage 2026-03-15\n\nexpected:\nold\n\n# Note.\ncase: Two\nsource: b\n\nexpected:\n";
    let cases = reader::read(text).unwrap();
    let written =
        reader::rewritten(text, &cases, &[vec!["new".to_owned()], vec!["other".to_owned()]]);
    let wanted = "# About the file.\ncase: One\nsource: a\n\nmileage 2026-03-15\n\nexpected:\nnew\n\n# Note.\ncase: Two\nsource: b\n\nexpected:\nother\n";
    assert_eq!(written, wanted);
}
