//! The audit file contains every entry, in order, with correct totals.

use crate::samples;
use documents::xaf::{AuditFile, AuditFileError, EntryLine, Head, Totals, Version};
use ledger::money::Cents;

fn text(version: Version) -> String {
    String::from_utf8(samples::audit_file(version)).expect("UTF-8")
}

fn count(text: &str, part: &str) -> usize {
    text.matches(part).count()
}

#[test]
fn both_versions_have_every_entry_in_order_and_the_balances() {
    for version in [Version::V3_2, Version::V4_0] {
        let text = text(version);
        let first = text.find("<nr>101</nr>").expect("the first entry");
        assert!(text.find("<nr>102</nr>").is_some_and(|second| second > first));
        assert_eq!(count(&text, "<trLine>"), 7);
        let transactions = &text[text.find("<transactions>").expect("transactions")..];
        assert!(transactions.contains("<linesCount>7</linesCount>"), "{transactions}");
        assert!(
            transactions.contains("<totalDebit>484.00</totalDebit>")
                && transactions.contains("<totalCredit>484.00</totalCredit>")
        );
        let opening = &text[text.find("<openingBalance>").expect("opening")..];
        assert!(opening.contains("<totalDebit>1000.00</totalDebit>"));
        assert_eq!(count(&text, "<period>"), 12);
        for role in ["C", "S"] {
            assert_eq!(count(&text, &format!("<custSupTp>{role}</custSupTp>")), 1);
        }
    }
}

#[test]
fn the_newer_version_has_rgs_codes_and_balances_of_relations_in_their_own_fields() {
    let (old, new) = (text(Version::V3_2), text(Version::V4_0));
    assert!(
        new.contains("<RGScode>BVorDebHad</RGScode>")
            && new.contains("<RGSVersion>3.7</RGSVersion>")
    );
    assert!(
        new.contains("<opBalDesc>250.00</opBalDesc>")
            && new.contains("<clBalDesc>371.00</clBalDesc>")
    );
    assert!(new.contains("<opBalDesc>50.00</opBalDesc>") && new.contains("<opBalTp>C</opBalTp>"));
    // The subledger's lines refer to the third and fourth lines of the opening balance.
    let subledger = &old[old.find("<obSubledger>").expect("a subledger")..];
    assert!(
        subledger.contains("<totalDebit>250.00</totalDebit>")
            && subledger.contains("<totalCredit>50.00</totalCredit>")
    );
    assert!(
        subledger.contains("<obLineNr>3</obLineNr>")
            && subledger.contains("<obLineNr>4</obLineNr>")
    );
    assert!(old.contains("<leadCode>BVorDebHad</leadCode>"));
    assert!(!old.contains("RGScode") && !new.contains("obSubledger"));
}

#[test]
fn what_does_not_add_up_is_refused() {
    let head = samples::head();
    let lines = [
        EntryLine { account: "1300", amount: Cents::new(100), ..samples::entry_line() },
        EntryLine { account: "8000", amount: Cents::new(-99), ..samples::entry_line() },
    ];
    let mut file = AuditFile::begin(Vec::new(), Version::V4_0, &head).expect("a beginning");
    file.journal(&samples::journal()).expect("a journal");
    let unbalanced = samples::entry(7, &lines);
    assert!(matches!(file.entry(&unbalanced), Err(AuditFileError::Unbalanced { entry: 7 })));
    let mut other_year = samples::entry(8, &[]);
    other_year.date = jiff::civil::date(2025, 12, 31);
    assert!(matches!(file.entry(&other_year), Err(AuditFileError::OtherYear { entry: 8, .. })));
    // No lines were written, but the head states seven.
    assert!(matches!(file.finish(), Err(AuditFileError::OtherTotals { .. })));
    let empty = Head { totals: Totals::default(), ..samples::head() };
    assert!(
        AuditFile::begin(Vec::new(), Version::V3_2, &empty).expect("a beginning").finish().is_ok()
    );
}
