//! Descriptions of ABN AMRO before SEPA, in columns of 32 or 33 characters.

use super::{Facts, words};
use crate::{kind, upload::LineKind};
use std::borrow::Cow;

/// Width of the first column.
const COLUMN: usize = 32;

/// Reads a description: `SEPA …` with words, `BEA` and `GEA` (cards), `GIRO` and old account
/// numbers.
pub(crate) fn old(text: &str) -> Facts<'_> {
    if text.starts_with("SEPA") || text.contains("IBAN:") {
        return words::ing(text);
    }
    let mut facts = Facts::plain(text);
    let name = match facts.kind {
        LineKind::Card | LineKind::Cash => card(text),
        _ => text.strip_prefix("GIRO").map_or_else(|| after_account(text), giro),
    };
    facts.name = Cow::Borrowed(name.trim());
    facts.kind = kind::first(&[
        facts.kind,
        if name.is_empty() { LineKind::Other } else { LineKind::Transfer },
    ]);
    facts
}

/// Returns the first column of a text; all of it if it is shorter.
fn column(text: &str) -> &str {
    let end = text.char_indices().nth(COLUMN).map_or(text.len(), |(end, _)| end);
    &text[..end]
}

/// Name of a shop: after date and time, or in the second column, up to the number of the card.
fn card(text: &str) -> &str {
    let rest = &text[column(text).len()..];
    let start = match text.find('/') {
        // `23.06.09/22.22 SHOP,PAS590`
        Some(slash) if text[..slash].ends_with(|c: char| c.is_ascii_digit()) && slash < 48 => {
            text[slash..].split_once(' ').map_or("", |(_time, shop)| shop)
        }
        // `BEA, Betaalpas                  SHOP,PAS590`
        _ => rest,
    };
    start.split(",PAS").next().unwrap_or("")
}

/// Name after the number of a giro account: `   428428 KPN BV             BETALINGSKENM.`.
fn giro(text: &str) -> &str {
    let name = text.trim_start().trim_start_matches(|c: char| c.is_ascii_digit());
    let length = (COLUMN + 1 - "GIRO".len()).saturating_sub(text.len() - name.len());
    let end = name.char_indices().nth(length).map_or(name.len(), |(end, _)| end);
    name[..end].split("  ").find(|part| !part.trim().is_empty()).unwrap_or("")
}

/// Name after an old account number: `52.89.39.882                    MYCOM DEN HAAG`.
fn after_account(text: &str) -> &str {
    let first = column(text);
    let number = first.split_whitespace().next().unwrap_or("");
    let is_account =
        number.len() >= 9 && number.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    if !is_account {
        return "";
    }
    let same_column = first[number.len()..].trim();
    let name = if same_column.is_empty() { column(&text[first.len()..]) } else { same_column };
    name.split("  ").next().unwrap_or("")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_found_in_the_columns() {
        let cases = [
            (
                "GIRO   428428 KPN BV             BETALINGSKENM.  0000000185039955109227317                       BETREFT FACTUUR",
                "KPN BV",
            ),
            ("BEA               23.06.09/22.22 VILLA DORIA SCHOTEN,PAS590", "VILLA DORIA SCHOTEN"),
            (
                "BEA   NR:XXX1234   21.05.11/12.54 DIRCKIII FIL2500 KATWIJK,PAS999",
                "DIRCKIII FIL2500 KATWIJK",
            ),
            (
                "BEA, Betaalpas                  Albert Heijn 1571,PAS123        NR:AB12, 01.02.24/12:34",
                "Albert Heijn 1571",
            ),
            ("52.89.39.882                    MYCOM DEN HAAG", "MYCOM DEN HAAG"),
            ("64.45.12.113 G.B. ROTTERDAM     AANSLAGBILJETNUMMER 30076145", "G.B. ROTTERDAM"),
            ("VERKOOP BECAM HOLDING PER        23/06 ST 1.439 @ 17.52246", ""),
        ];
        for (text, name) in cases {
            assert_eq!(old(text).name, name, "{text}");
        }
        let sepa = old(
            "SEPA Overboeking                 IBAN: NL44RABO0123456789        BIC: RABONL2U                    Naam: Jansen                     Omschrijving: Factuur 12         Kenmerk: E1",
        );
        assert_eq!(
            (&*sepa.name, &*sepa.iban, &*sepa.text),
            ("Jansen", "NL44RABO0123456789", "Factuur 12")
        );
        assert_eq!(sepa.kind, LineKind::Transfer);
    }
}
