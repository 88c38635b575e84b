//! Random payments, written in each format and read again.

use super::{
    right,
    writers::{self, Payment},
};
use bank_files::Charset;
use jiff::{ToSpan, civil::date};
use proptest::prelude::*;

/// Words with single blanks between them, without the keys of any bank.
fn text(letters: &'static str) -> impl Strategy<Value = String> {
    proptest::collection::vec(letters, 1..12).prop_map(|words| words.join(" "))
}

fn payments(letters: &'static str) -> impl Strategy<Value = Vec<Payment>> {
    let payment = (
        0_i64..300,
        prop_oneof![-9_999_999_i64..-1, 1_i64..9_999_999],
        text(letters),
        proptest::option::of("[A-Z]{2}[0-9]{2}[A-Z]{4}[0-9]{10}"),
        text(letters),
        proptest::option::of("[a-z0-9]{1,10}x"),
    );
    proptest::collection::vec(payment, 0..20).prop_map(|payments| {
        let mut payments: Vec<Payment> = payments
            .into_iter()
            .map(|(day, cents, name, iban, text, end_to_end_id)| Payment {
                date: date(2026, 1, 1).saturating_add(day.days()),
                cents,
                name,
                iban,
                text,
                end_to_end_id,
            })
            .collect();
        payments.sort_by_key(|payment| payment.date);
        payments
    })
}

/// Reads a file, and checks that its account is that of the writers.
fn read_back(bytes: &[u8]) -> Vec<Payment> {
    let upload = right(bytes);
    assert_eq!(upload.statements.len(), 1);
    assert_eq!(upload.statements[0].account.as_ref().unwrap().as_str(), writers::ACCOUNT);
    assert_eq!(upload.warnings.count, 0);
    let lines = upload.statements.into_iter().flat_map(|statement| statement.lines);
    lines
        .map(|line| Payment {
            date: line.date,
            cents: line.amount.get(),
            name: line.name.map(String::from).unwrap_or_default(),
            iban: line.iban.map(String::from),
            text: line.text.into(),
            end_to_end_id: line.end_to_end_id.map(String::from),
        })
        .collect()
}

proptest! {
    #[test]
    fn camt_is_read_back(payments in payments("[A-Za-z0-9&<>/:.,'\"é€中-]{1,9}"), opening in -1_000_000_i64..1_000_000) {
        let file = writers::camt(&payments, opening, date(2026, 1, 1), date(2026, 11, 1));
        prop_assert_eq!(read_back(file.as_bytes()), payments);
    }

    #[test]
    fn mt940_is_read_back(payments in payments("[A-Za-z0-9&.,'é]([A-Za-z0-9&/:.,'é+]{0,8}[a-zé+.])?"), opening in -1_000_000_i64..1_000_000) {
        let file = writers::mt940(&payments, opening, date(2026, 1, 1), date(2026, 11, 1));
        prop_assert_eq!(read_back(file.as_bytes()), payments);
    }

    #[test]
    fn csv_is_read_back(payments in payments("[A-Za-z0-9&<>/:.,;'\"é€-]{1,9}"), opening in -1_000_000_i64..1_000_000) {
        prop_assume!(!payments.is_empty());
        let file = writers::csv(&payments, opening);
        prop_assert_eq!(read_back(file.as_bytes()), payments.clone());
        // The newest line first, in the charset that the bank uses.
        let (head, rows) = file.split_once("\r\n").unwrap();
        let mut rows: Vec<&str> = rows.lines().collect();
        rows.reverse();
        let turned = format!("{head}\n{}", rows.join("\n"));
        let encoded = encoding_rs::WINDOWS_1252.encode(&turned).0;
        let upload = right(&encoded);
        if !turned.is_ascii() {
            prop_assert_eq!(upload.charset, Charset::Windows1252);
        }
        prop_assert_eq!(read_back(&encoded), payments);
    }

    #[test]
    fn any_bytes_are_read_or_refused(bytes in proptest::collection::vec(any::<u8>(), 0..2_000)) {
        let _ = bank_files::read(&bytes, &bank_files::Options::new(super::TODAY));
    }
}
