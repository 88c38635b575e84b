//! Reads any bytes as a bank statement: as they are, and within each format, so that inputs need
//! not guess its beginning. Accepted lines keep to the limits, add up, and are known when they are
//! read again.
#![no_main]

use bank_files::{
    Amounts, Column, Columns, DateFormat, DecimalSeparator, Mapping, Options, limits, read,
    same::{Outcome, compare, entries},
};
use jiff::civil::date;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    check(bytes);
    let Some((kind, rest)) = bytes.split_first() else { return };
    let (before, after): (&[u8], &[u8]) = match kind % 4 {
        0 => (b"<Document><BkToCstmrStmt><Stmt>", b"</Stmt></BkToCstmrStmt></Document>"),
        1 => (b":20:1\n:25:NL02ABNA0123456789\n:60F:C260301EUR0,\n", b"\n:62F:C260301EUR0,\n-\n"),
        2 => (b"Datum,Rentedatum,Bedrag,Rekening,Tegenrekening,Naam,Omschrijving\n", b""),
        _ => (b"", b"\n"),
    };
    check(&[before, rest, after].concat());
});

fn check(bytes: &[u8]) {
    let mappings = [Mapping {
        delimiter: b',',
        encoding: None,
        head_rows: 0,
        columns: Columns {
            date: Column::Index(0),
            amount: Amounts::Signed(Column::Index(1)),
            value_date: None,
            name: Some(Column::Index(2)),
            iban: Some(Column::Index(3)),
            text: vec![Column::Index(4)],
            reference: None,
            balance: Some(Column::Index(5)),
            account: None,
            currency: None,
        },
        date_format: DateFormat::parse("D-M-YYYY").expect("the form has a day, month and year"),
        decimal: DecimalSeparator::Either,
        out_words: Vec::new(),
        invert: false,
        head: None,
    }];
    let options = Options::new(date(2026, 11, 28));
    let mapped = Options { mappings: &mappings, mapping: Some(0), ..options.clone() };
    for options in
        [options.clone(), Options { accept_balance: true, only_euro: true, ..options }, mapped]
    {
        let Ok(upload) = read(bytes, &options) else { continue };
        assert!(!upload.statements.is_empty());
        for statement in &upload.statements {
            let sum: i64 = statement.lines.iter().map(|line| line.amount.get()).sum();
            if let (Some(opening), Some(closing), false) =
                (statement.opening, statement.closing, options.accept_balance)
            {
                assert_eq!(opening.amount.get() + sum, closing.amount.get());
            }
            for line in &statement.lines {
                assert!(line.text.chars().count() <= limits::MOST_CHARACTERS);
                assert!(!line.text.contains(char::is_control));
                assert!(line.date.year() >= 2000);
            }
            let entries: Vec<_> = entries(statement).collect();
            let balances = statement.balances();
            let outcomes = compare(&entries, &entries, &balances, &balances);
            assert!(outcomes.iter().all(|outcome| matches!(outcome, Outcome::Existing(_))));
        }
    }
}
