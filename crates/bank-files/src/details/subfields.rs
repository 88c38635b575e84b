//! Descriptions with numbered subfields: Triodos (`>20…`) and German banks (`?20…`).

use super::{Facts, split};
use crate::{kind, text, upload::LineKind};
use std::borrow::Cow;

/// Returns the number of the subfield at a place and the length of its mark.
fn number_at(mark: u8, text: &str, place: usize) -> Option<(u8, usize)> {
    match text.as_bytes()[place..] {
        [found, tens, ones, ..]
            if found == mark && tens.is_ascii_digit() && ones.is_ascii_digit() =>
        {
            Some(((tens - b'0') * 10 + (ones - b'0'), 3))
        }
        _ => None,
    }
}

/// Whether a description has the subfields of German banks, after a code of three digits.
pub(crate) fn has_german(text: &str) -> bool {
    let bytes = text.trim_start().as_bytes();
    bytes.len() > 4 && bytes[..3].iter().all(u8::is_ascii_digit) && bytes[3] == b'?'
}

/// Reads a description of a German bank (subfields of the Deutsche Kreditwirtschaft): `?20` to
/// `?29` and `?60` to `?63` text, `?30` bank, `?31` account, `?32` and `?33` name.
pub(crate) fn german(text: &str) -> Facts<'static> {
    let (mut remittance, mut name) = (String::new(), String::new());
    let mut facts = Facts::default();
    split(
        text,
        |text, place| number_at(b'?', text, place),
        |number, value| match number {
            20..=29 | 60..=63 => remittance.push_str(value),
            31 => facts.iban = Cow::Owned(value.trim().to_owned()),
            32 | 33 => name.push_str(value),
            0 => facts.kind = kind::of_words(value),
            _ => {}
        },
    );
    facts.name = Cow::Owned(name.trim().to_owned());
    sepa(&remittance, &mut facts);
    facts
}

/// Splits remittance information at the marks of SEPA, such as `EREF+` and `SVWZ+`.
fn sepa(remittance: &str, facts: &mut Facts<'static>) {
    let mut remaining = None;
    let before = split(
        remittance,
        |text, place| {
            let mark = text.as_bytes()[place..].get(..5)?;
            (mark[4] == b'+' && mark[..4].iter().all(u8::is_ascii_uppercase))
                .then_some((<[u8; 4]>::try_from(&mark[..4]).ok()?, 5))
        },
        |mark, value| {
            let owned = Cow::Owned(value.trim().to_owned());
            match &mark {
                b"EREF" => facts.end_to_end_id = owned,
                b"MREF" => facts.mandate_id = owned,
                b"CRED" => facts.creditor_id = owned,
                b"SVWZ" => remaining = Some(owned),
                _ => {}
            }
        },
    );
    facts.text = remaining.unwrap_or_else(|| Cow::Owned(before.trim().to_owned()));
    if facts.text.is_empty() {
        facts.text = Cow::Owned(remittance.trim().to_owned());
    }
}

/// Reads a description of Triodos: `>10` account before SEPA, `>20` to `>30` BIC, IBAN, then name
/// and text without a separator.
pub(crate) fn triodos(description: &str) -> Facts<'static> {
    let (mut remittance, mut account) = (String::new(), String::new());
    let mut facts = Facts::default();
    split(
        description,
        |text, place| number_at(b'>', text, place),
        |number, value| match number {
            10 => value.trim().clone_into(&mut account),
            21 if remittance.trim().len() <= 11 && text::iban(value).is_some() => {
                // What precedes the IBAN is its BIC.
                remittance.clear();
                facts.iban = Cow::Owned(value.trim().to_owned());
            }
            20..=30 => remittance.push_str(value),
            _ => {}
        },
    );
    if facts.iban.is_empty() && account.bytes().any(|byte| byte != b'0') {
        facts.iban = Cow::Owned(account);
    }
    let remittance = if remittance.is_empty() { description } else { &remittance };
    facts.text = Cow::Owned(remittance.trim().to_owned());
    facts.kind = kind::first(&[kind::of_words(remittance), LineKind::Other]);
    facts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn german_subfields_and_marks_are_separated() {
        let facts = german(
            "166?00GUTSCHRIFT?100399?20EREF+TFNR 22 004?21SVWZ+Rechnung ?22INV-00002?30DRESDEFF508?31DE14508800500194785000?32KARL?33 KAUFMANN",
        );
        assert_eq!(facts.text, "Rechnung INV-00002");
        assert_eq!(facts.end_to_end_id, "TFNR 22 004");
        assert_eq!((&*facts.name, &*facts.iban), ("KARL KAUFMANN", "DE14508800500194785000"));
        assert!(has_german("166?00X"));
        assert!(!has_german("Wat?"));
    }

    #[test]
    fn triodos_puts_the_iban_before_name_and_text() {
        let facts = triodos(
            "000>100000000000>20BBBBAA2U>21NL99BBBB0555555555>22NAAM EN TEK>23ST>310666666666",
        );
        assert_eq!((&*facts.iban, &*facts.text), ("NL99BBBB0555555555", "NAAM EN TEKST"));
        let old = triodos("000>100555555555>20NAAM EN TEK>21ST>310666666666");
        assert_eq!((&*old.iban, &*old.text), ("0555555555", "NAAM EN TEKST"));
    }
}
