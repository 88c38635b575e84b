//! Descriptions with words such as `IBAN: NL… Naam: …`: ABN AMRO before SEPA, CSV of ING, Knab.

use super::{Facts, split};
use crate::kind;
use std::borrow::Cow;

/// Field that a word names.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Word {
    Creditor,
    EndToEnd,
    Iban,
    Mandate,
    Name,
    Other,
    Payment,
    Text,
}

/// Words of ABN AMRO and ING, in Dutch and English, in lower case.
const WORDS: &[(&str, Word)] = &[
    ("betalingskenm.:", Word::Payment),
    ("bic:", Word::Other),
    ("creditor id:", Word::Creditor),
    ("date/time:", Word::Other),
    ("datum/tijd:", Word::Other),
    ("description:", Word::Text),
    ("iban:", Word::Iban),
    ("incassant id:", Word::Creditor),
    ("incassant:", Word::Creditor),
    ("kenmerk machtiging:", Word::Mandate),
    ("kenmerk:", Word::EndToEnd),
    ("machtiging id:", Word::Mandate),
    ("machtiging:", Word::Mandate),
    ("mandate id:", Word::Mandate),
    ("naam:", Word::Name),
    ("name:", Word::Name),
    ("omschrijving:", Word::Text),
    ("other party:", Word::Name),
    ("reference:", Word::EndToEnd),
    ("valutadatum:", Word::Other),
    ("value date:", Word::Other),
];

/// Words of Knab.
const KNAB: &[(&str, Word)] = &[("naam:", Word::Name), ("rek:", Word::Iban)];

/// Returns the word at a place, after a blank, a slash or at the beginning.
fn word_at(words: &[(&str, Word)], text: &str, place: usize) -> Option<(Word, usize)> {
    let bytes = text.as_bytes();
    let is_start = place == 0 || matches!(bytes[place - 1], b' ' | b'/');
    if !is_start || !bytes[place].is_ascii_alphabetic() {
        return None;
    }
    words
        .iter()
        .find(|(word, _)| {
            bytes[place..]
                .get(..word.len())
                .is_some_and(|start| start.eq_ignore_ascii_case(word.as_bytes()))
        })
        .map(|(word, field)| (*field, word.len()))
}

fn read<'t>(text: &'t str, words: &[(&str, Word)]) -> (Facts<'t>, &'t str) {
    let mut facts = Facts::default();
    let before = split(
        text,
        |text, place| word_at(words, text, place),
        |word, value| {
            let field = match word {
                Word::Creditor => &mut facts.creditor_id,
                Word::EndToEnd => &mut facts.end_to_end_id,
                Word::Iban => &mut facts.iban,
                Word::Mandate => &mut facts.mandate_id,
                Word::Name => &mut facts.name,
                Word::Payment => &mut facts.payment_reference,
                Word::Text => &mut facts.text,
                Word::Other => return,
            };
            // The first value: a later one may be part of what the payer wrote.
            if field.is_empty() {
                *field = Cow::Borrowed(value.trim().trim_end_matches('/'));
            }
        },
    );
    (facts, before.trim())
}

/// Reads a description of ING's CSV, or of ABN AMRO before SEPA.
pub(crate) fn ing(text: &str) -> Facts<'_> {
    let (mut facts, before) = read(text, WORDS);
    facts.kind = kind::of_words(before);
    if facts.text.is_empty() {
        // No word for the text: what precedes the first word, or all of it.
        facts.text = Cow::Borrowed(if before.is_empty() { text } else { before });
    }
    facts
}

/// Reads a description of Knab before SEPA, such as `FACTUUR 1REK: NL…/NAAM: PICQER`.
pub(crate) fn knab(text: &str) -> Facts<'_> {
    let Some(place) = text.rfind("REK:").or_else(|| text.rfind("NAAM:")) else {
        return Facts::plain(text);
    };
    let (before, fields) = text.split_at(place);
    let (mut facts, _) = read(fields, KNAB);
    facts.text = Cow::Borrowed(before.trim());
    facts.kind = kind::of_words(before);
    facts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_separate_the_fields() {
        let facts = ing(
            "Naam: Hr A.B. de Vries Omschrijving: Bier: twee IBAN: NL01RABO0123456789 Kenmerk: K1 Valutadatum: 03-05-2018",
        );
        assert_eq!(facts.name, "Hr A.B. de Vries");
        assert_eq!(facts.text, "Bier: twee");
        assert_eq!(facts.iban, "NL01RABO0123456789");
        assert_eq!(facts.end_to_end_id, "K1");
        assert_eq!(ing("Terminal 12").text, "Terminal 12");
        assert_eq!(ing("Pasvolgnr: 001 Valutadatum: 03-05-2018").text, "Pasvolgnr: 001");
    }

    #[test]
    fn knab_ends_with_the_counterparty() {
        let facts = knab("FACTUUR 201403110, 201403113REK: NL65INGB0123456789/NAAM: PICQER");
        assert_eq!(facts.text, "FACTUUR 201403110, 201403113");
        assert_eq!((&*facts.iban, &*facts.name), ("NL65INGB0123456789", "PICQER"));
        assert_eq!(knab("03-12-2015 PAS: 1122NAAM: POS").name, "POS");
        assert_eq!(knab("tekst").text, "tekst");
    }
}
