//! Published samples against the table of an independent reader (`tests/samples`).

use super::TODAY;
use bank_files::{Cause, Dialect, ForeignFormat, Format, Options, read};
use std::{collections::BTreeMap, fs, path::Path};

pub(crate) const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/samples");

fn sample(name: &str) -> Vec<u8> {
    fs::read(Path::new(FOLDER).join(name)).unwrap()
}

pub(crate) fn lenient() -> Options<'static> {
    Options { accept_balance: true, only_euro: true, ..Options::new(TODAY) }
}

/// Lines of a file as in the table: date, cents, IBAN.
fn lines(name: &str) -> Vec<String> {
    let upload =
        read(&sample(name), &lenient()).unwrap_or_else(|cause| panic!("{name}: {cause:?}"));
    let lines = upload.statements.iter().flat_map(|statement| &statement.lines);
    let mut lines: Vec<String> = lines
        .map(|line| {
            let iban = line.iban.as_deref().unwrap_or_default();
            format!("{}\t{}\t{iban}", line.date, line.amount.get())
        })
        .collect();
    lines.sort();
    lines
}

#[test]
fn samples_have_the_lines_of_an_independent_reader() {
    let table = String::from_utf8(sample("expected.tsv")).unwrap();
    let mut expected: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for row in table.lines() {
        let (file, line) = row.split_once('\t').unwrap();
        expected.entry(file).or_default().push(line.to_owned());
    }
    let mut differences = Vec::new();
    for (file, mut wanted) in expected {
        wanted.sort();
        let found = lines(file);
        if found != wanted {
            differences.push(format!("{file}\n  found    {found:?}\n  expected {wanted:?}"));
        }
    }
    assert!(differences.is_empty(), "{}", differences.join("\n"));
    assert_eq!(table.lines().count(), 293);
}

#[test]
fn each_bank_is_recognized() {
    let cases = [
        ("mt940-rs/abnamro.sta", Format::Mt940, Some(Dialect::AbnAmroOld)),
        ("mt940-rs/february_30.sta", Format::Mt940, Some(Dialect::Generic)),
        ("mt940-rs/rabobank-iban.sta", Format::Mt940, Some(Dialect::Rabobank)),
        ("php-mt940/abn-issue48.sta", Format::Mt940, Some(Dialect::AbnAmro)),
        ("php-mt940/asn-sample.sta", Format::Mt940, Some(Dialect::AsnSnsRegio)),
        ("php-mt940/bunq-sample.sta", Format::Mt940, Some(Dialect::Bunq)),
        ("php-mt940/ing-sample.sta", Format::Mt940, Some(Dialect::IngOld)),
        ("php-mt940/knab-sample.sta", Format::Mt940, Some(Dialect::Knab)),
        ("php-mt940/knab-sample2.sta", Format::Mt940, Some(Dialect::Knab)),
        ("php-mt940/rabo-sample.sta", Format::Mt940, Some(Dialect::RabobankOld)),
        ("php-mt940/triodos-sample.sta", Format::Mt940, Some(Dialect::Triodos)),
        ("camt053-rs/test-camt053.xml", Format::Camt053, None),
        ("ynabgoingdutch/asn.csv", Format::Csv, Some(Dialect::AsnSnsRegio)),
        ("ynabgoingdutch/bunq.csv", Format::Csv, Some(Dialect::Bunq)),
        ("ynabgoingdutch/ing-spaar.csv", Format::Csv, Some(Dialect::Ing)),
        ("ynabgoingdutch/knab.csv", Format::Csv, Some(Dialect::Knab)),
        ("ynabgoingdutch/rabo.csv", Format::Csv, Some(Dialect::Rabobank)),
        ("ynabgoingdutch/triodos.csv", Format::Csv, Some(Dialect::Triodos)),
    ];
    for (name, format, dialect) in cases {
        let upload = read(&sample(name), &lenient()).unwrap();
        assert_eq!((upload.format, upload.dialect), (format, dialect), "{name}");
    }
}

#[test]
fn samples_that_do_not_add_up_are_refused_with_the_difference() {
    let refusal = read(&sample("camt053-rs/error-camt053.xml"), &Options::new(TODAY)).unwrap_err();
    let Cause::BalanceMismatch(mismatch) = refusal.cause else { panic!("{refusal:?}") };
    assert_eq!(mismatch.difference.get(), -5_000);
    assert_eq!(mismatch.date.unwrap().to_string(), "2026-07-21");
    read(&sample("camt053-rs/test-camt053.xml"), &Options::new(TODAY)).unwrap();
}

#[test]
fn other_currencies_are_refused_with_account_and_count() {
    for (name, account, currency, count) in [
        ("camt053-rs/example-camt053-b.xml", "DD01100056869", "USD", 19),
        ("mt940-rs/postfinance.sta", "123456789", "CHF", 2),
    ] {
        let refusal = read(&sample(name), &Options::new(TODAY)).unwrap_err();
        let expected = |cause: &Cause| {
            matches!(cause, Cause::UnsupportedCurrency { account: Some(found), currency: code, count: lines }
                if found.as_str() == account && code.as_str() == currency && *lines == count)
        };
        assert!(expected(&refusal.cause), "{refusal:?}");
        // With only the euro accounts nothing remains.
        assert!(expected(&read(&sample(name), &lenient()).unwrap_err().cause), "{name}");
    }
}

#[test]
fn mt942_is_named() {
    let file = ":20:1\n:25:NL02ABNA0123456789\n:28C:1\n:34F:EUR0,\n:13D:2601010000+0100\n:61:260101D1,NTRFX\n";
    let refusal = read(file.as_bytes(), &Options::new(TODAY)).unwrap_err();
    assert_eq!(refusal.cause, Cause::NoStatement(Some(ForeignFormat::Mt942)));
}
