//! Descriptions with fields such as `/IBAN/NL…/NAME/…/REMI/…`: ABN AMRO, ASN, bunq, ING, Knab,
//! Rabobank.

use super::{Facts, split};
use crate::{kind, upload::LineKind};
use std::borrow::Cow;

/// Known keys of all banks.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Key {
    /// Account of the counterparty.
    Account,
    /// Address and other fields that are not kept.
    Other,
    /// Counterparty of ING: IBAN, BIC, name and city.
    Counterparty,
    Creditor,
    EndToEnd,
    Mandate,
    Name,
    Original,
    /// The following name is that of the counterparty.
    Party,
    Rate,
    Remittance,
    Return,
    /// Kind of transaction in words.
    Type,
    /// The following name is that of the ultimate party.
    Ultimate,
}

const KEYS: &[(&str, Key)] = &[
    ("ACCW", Key::Account),
    ("ADDR", Key::Other),
    ("BBAN", Key::Account),
    ("BENM", Key::Party),
    ("BIC", Key::Other),
    ("CHGS", Key::Other),
    ("CHGS1", Key::Other),
    ("CHGS2", Key::Other),
    ("CNTP", Key::Counterparty),
    ("CREF", Key::Other),
    ("CSID", Key::Creditor),
    ("EREF", Key::EndToEnd),
    ("EXCH", Key::Rate),
    ("IBAN", Key::Account),
    ("INIT", Key::Other),
    ("IREF", Key::Other),
    ("ISDT", Key::Other),
    ("KREF", Key::Other),
    ("MARF", Key::Mandate),
    ("NAME", Key::Name),
    ("OCMT", Key::Original),
    ("ORDP", Key::Party),
    ("PREF", Key::Other),
    ("PURP", Key::Other),
    ("REMI", Key::Remittance),
    ("RREF", Key::Other),
    ("RTRN", Key::Return),
    ("TRCD", Key::Other),
    ("TRTP", Key::Type),
    ("ULTB", Key::Ultimate),
    ("ULTC", Key::Ultimate),
    ("ULTD", Key::Ultimate),
];

/// Returns the key at a place, such as `/NAME/`, and its length.
fn key_at(text: &str, place: usize) -> Option<(Key, usize)> {
    let bytes = text.as_bytes();
    if bytes[place] != b'/' {
        return None;
    }
    let rest = &bytes[place + 1..];
    let length = rest.iter().take(6).position(|byte| *byte == b'/')?;
    let name = &rest[..length];
    let index = KEYS.binary_search_by(|(key, _)| key.as_bytes().cmp(name)).ok()?;
    Some((KEYS[index].1, length + 2))
}

/// Whether a description has one of the keys that begin the descriptions of these banks.
pub(crate) fn has_keys(text: &str) -> bool {
    text.match_indices('/').any(|(place, _)| key_at(text, place).is_some())
}

/// Reads a description.
///
/// A payer can write keys into the remittance information. So a field before it keeps its value,
/// and of the fields after it the last one counts, which is that of the bank.
pub(crate) fn read(text: &str) -> Facts<'_> {
    let (mut facts, mut later) = (Facts::default(), Facts::default());
    let (mut is_remittance_over, mut is_ultimate) = (false, false);
    let before = split(text, key_at, |key, value| {
        let current = if is_remittance_over { &mut later } else { &mut facts };
        let field = match key {
            Key::Party | Key::Ultimate => {
                is_ultimate = key == Key::Ultimate;
                return;
            }
            Key::Name if is_ultimate => return,
            Key::Name => &mut current.name,
            Key::Account => {
                // Rabobank puts the BIC after a comma.
                current.iban = trimmed(value.split(',').next().unwrap_or(""));
                return;
            }
            Key::EndToEnd => &mut current.end_to_end_id,
            Key::Mandate => &mut current.mandate_id,
            Key::Creditor => &mut current.creditor_id,
            Key::Return => &mut current.return_reason,
            Key::Original => &mut current.original,
            Key::Rate => &mut current.rate,
            Key::Type => {
                current.kind = kind::of_words(value);
                return;
            }
            Key::Counterparty => {
                let (iban, name) = counterparty(value);
                current.iban = trimmed(iban);
                current.name = trimmed(name);
                return;
            }
            Key::Remittance => {
                if !is_remittance_over {
                    is_remittance_over = true;
                    remittance(value, &mut facts);
                }
                return;
            }
            Key::Other => return,
        };
        *field = trimmed(value);
    });
    facts.complete(later);
    let before = before.trim();
    if facts.kind == LineKind::Other {
        facts.kind = kind::of_words(before);
    }
    if facts.text.is_empty() {
        facts.text = Cow::Borrowed(before);
    }
    if facts.kind == LineKind::Other && !facts.mandate_id.is_empty() {
        facts.kind = LineKind::DirectDebit;
    }
    facts
}

/// Returns a value without the slash that ends it at ING.
fn trimmed(value: &str) -> Cow<'_, str> {
    Cow::Borrowed(value.trim().trim_end_matches('/').trim_end())
}

/// Splits `IBAN/BIC/name/city/`. The name may contain slashes, the other fields may not.
fn counterparty(value: &str) -> (&str, &str) {
    let mut fields = value.splitn(3, '/');
    let (iban, _bic, rest) =
        (fields.next().unwrap_or(""), fields.next(), fields.next().unwrap_or(""));
    let rest = rest.strip_suffix('/').unwrap_or(rest);
    (iban, rest.rsplit_once('/').map_or(rest, |(name, _city)| name))
}

/// Takes remittance information: free text, `USTD//text/`, or `STRD/CUR/reference/`.
fn remittance<'t>(value: &'t str, facts: &mut Facts<'t>) {
    let value = value.trim();
    if let Some(reference) = value.strip_prefix("STRD/") {
        let reference = reference.split_once('/').map_or(reference, |(_kind, reference)| reference);
        facts.payment_reference = Cow::Borrowed(reference.trim_matches('/'));
    } else {
        let text = value.strip_prefix("USTD//").map_or(value, |text| text.trim_end_matches('/'));
        facts.text = Cow::Borrowed(text.trim());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_sorted() {
        assert!(KEYS.is_sorted_by_key(|(name, _)| *name));
    }

    #[test]
    fn values_may_contain_slashes() {
        let facts = read(
            "/TRTP/SEPA INCASSO ALGEMEEN DOORLOPEND/CSID/NL36ZZZ123456780000/NAME/A/B B.V./MARF/000000059990/REMI//INV/1511682351 1.12.2016/IBAN/NL37DEUT0123456789/BIC/DEUTNL2AXXX/EREF/012345678912361000",
        );
        assert_eq!(facts.name, "A/B B.V.");
        assert_eq!(facts.iban, "NL37DEUT0123456789");
        assert_eq!(facts.text, "/INV/1511682351 1.12.2016");
        assert_eq!(facts.end_to_end_id, "012345678912361000");
        assert_eq!(facts.mandate_id, "000000059990");
        assert_eq!(facts.creditor_id, "NL36ZZZ123456780000");
        assert_eq!(facts.kind, LineKind::DirectDebit);
    }

    #[test]
    fn ing_puts_the_counterparty_into_one_field() {
        let cases = [
            ("NL32INGB0000012345/INGBNL2A/ING BANK NV INZAKE WEB///", "ING BANK NV INZAKE WEB"),
            ("NL32INGB0000012345/INGBNL2A/J/O Janssen/Amsterdam//", "J/O Janssen"),
            ("NL32INGB0000012345/INGBNL2A/Janssen///", "Janssen"),
        ];
        for (value, name) in cases {
            let text = format!("/EREF/E1//CNTP/{value}REMI/USTD//EV10/001 T1000/");
            let facts = read(&text);
            assert_eq!(facts.iban, "NL32INGB0000012345");
            assert_eq!(facts.name, name, "{value}");
            assert_eq!(facts.text, "EV10/001 T1000");
            assert_eq!(facts.end_to_end_id, "E1");
        }
        assert_eq!(read("/REMI/STRD/CUR/9001123412341234/").payment_reference, "9001123412341234");
    }

    #[test]
    fn empty_fields_and_ultimate_parties_do_not_shift_names() {
        let facts = read(
            "/EREF/02-04-2013 22:56 1120000153447185/BENM//NAME/Nespresso Nederland B.V./ULTD//NAME/Ander/REMI/674725433/ISDT/2013-04-03",
        );
        assert_eq!((&*facts.name, &*facts.text), ("Nespresso Nederland B.V.", "674725433"));
    }

    #[test]
    fn keys_in_what_the_payer_wrote_change_no_field_before_it() {
        let facts = read(
            "/IBAN/NL65BUNQ2206724936/NAME/Wacki/REMI/x/NAME/Belastingdienst/IBAN/NL86INGB0002445588",
        );
        assert_eq!((&*facts.name, &*facts.iban), ("Wacki", "NL65BUNQ2206724936"));
    }
}
