//! Kinds of transactions, from the codes of banks and from words in descriptions.

use crate::upload::{Dialect, LineKind};

/// Returns the kind that the codes of ISO 20022 name: family, subfamily.
pub(crate) fn of_iso(family: &str, subfamily: &str) -> LineKind {
    match (family, subfamily) {
        (_, "CHRG" | "COMM" | "FEES" | "COME") => LineKind::Fee,
        (_, "INTR") => LineKind::Interest,
        (_, "CWDL" | "CDPT" | "XBCW" | "BCDP" | "CSHW") | ("CNTR", _) => LineKind::Cash,
        ("CCRD" | "MCRD", _) => LineKind::Card,
        ("RDDT" | "IDDT", _) => LineKind::DirectDebit,
        ("ICDT" | "RCDT" | "IRCT" | "RRCT", _) => LineKind::Transfer,
        _ => LineKind::Other,
    }
}

/// Returns the kind that a bank's own code names, in MT940 (after the letter of `:61:`) or CSV.
pub(crate) fn of_code(dialect: Option<Dialect>, code: &str) -> LineKind {
    let mut upper = [0; 3];
    let Some(upper) = code.trim().as_bytes().get(..code.trim().len().min(3)).map(|start| {
        upper[..start.len()].copy_from_slice(start);
        upper.make_ascii_uppercase();
        &upper[..start.len()]
    }) else {
        return LineKind::Other;
    };
    let of_bank = match dialect {
        Some(Dialect::Rabobank | Dialect::RabobankOld) => match upper {
            b"AC" | b"BG" | b"CB" | b"DB" | b"SB" | b"SP" | b"TB" | b"OV" | b"WB" => {
                LineKind::Transfer
            }
            b"BA" | b"BC" | b"CK" => LineKind::Card,
            b"EI" | b"EB" | b"MA" => LineKind::DirectDebit,
            b"GA" | b"GB" | b"KH" => LineKind::Cash,
            b"ID" => LineKind::Ideal,
            _ => LineKind::Other,
        },
        Some(Dialect::Ing | Dialect::IngOld) => match upper {
            b"AC" | b"GT" | b"OV" | b"PO" | b"VZ" | b"GF" => LineKind::Transfer,
            b"BA" => LineKind::Card,
            b"IC" => LineKind::DirectDebit,
            b"ID" => LineKind::Ideal,
            b"GM" | b"ST" | b"PK" => LineKind::Cash,
            b"RNT" => LineKind::Interest,
            _ => LineKind::Other,
        },
        Some(Dialect::AsnSnsRegio) => match upper {
            b"ACC" | b"OVB" | b"IOB" | b"IMB" | b"BTL" | b"TEL" | b"AFB" => LineKind::Transfer,
            b"BEA" => LineKind::Card,
            b"INC" => LineKind::DirectDebit,
            b"IDB" => LineKind::Ideal,
            b"GEA" | b"KAS" => LineKind::Cash,
            b"KTN" | b"KST" | b"PRV" => LineKind::Fee,
            b"RNT" => LineKind::Interest,
            _ => LineKind::Other,
        },
        Some(Dialect::Triodos) => match upper {
            b"AC" | b"ET" | b"IT" | b"OV" | b"PO" => LineKind::Transfer,
            b"BA" => LineKind::Card,
            b"IC" => LineKind::DirectDebit,
            b"ID" => LineKind::Ideal,
            b"GA" => LineKind::Cash,
            b"KN" => LineKind::Fee,
            b"RE" => LineKind::Interest,
            _ => LineKind::Other,
        },
        _ => LineKind::Other,
    };
    if of_bank != LineKind::Other {
        return of_bank;
    }
    match upper {
        b"TRF" | b"STO" => LineKind::Transfer,
        b"DDT" => LineKind::DirectDebit,
        b"CHG" | b"COM" => LineKind::Fee,
        b"INT" => LineKind::Interest,
        _ => LineKind::Other,
    }
}

/// Words at the beginning of a description or of a type in words, in lower case.
const WORDS: &[(&str, LineKind)] = &[
    ("ideal", LineKind::Ideal),
    ("sepa ideal", LineKind::Ideal),
    ("ing ideal", LineKind::Ideal),
    ("sepa incasso", LineKind::DirectDebit),
    ("europese incasso", LineKind::DirectDebit),
    ("zakelijke europese incasso", LineKind::DirectDebit),
    ("incasso", LineKind::DirectDebit),
    ("direct debit", LineKind::DirectDebit),
    ("sepa direct debit", LineKind::DirectDebit),
    ("sepa overboeking", LineKind::Transfer),
    ("sepa acceptgiro", LineKind::Transfer),
    ("sepa periodieke overb.", LineKind::Transfer),
    ("overboeking", LineKind::Transfer),
    ("overschrijving", LineKind::Transfer),
    ("online bankieren", LineKind::Transfer),
    ("transfer", LineKind::Transfer),
    ("topup", LineKind::Transfer),
    ("bea", LineKind::Card),
    ("ecom", LineKind::Card),
    ("betaalautomaat", LineKind::Card),
    ("betaalpas", LineKind::Card),
    ("payment terminal", LineKind::Card),
    ("card", LineKind::Card),
    ("[pin betaling]", LineKind::Card),
    ("gea", LineKind::Cash),
    ("geldautomaat", LineKind::Cash),
    ("geldopname", LineKind::Cash),
    ("cash machine", LineKind::Cash),
    ("atm", LineKind::Cash),
    ("storting", LineKind::Cash),
    ("rente", LineKind::Interest),
    ("interest", LineKind::Interest),
    ("bankkosten", LineKind::Fee),
    ("kosten", LineKind::Fee),
    ("fee", LineKind::Fee),
];

/// Returns the kind that the first words of a description name.
pub(crate) fn of_words(description: &str) -> LineKind {
    let start = description.trim_start();
    let begins = |word: &str| {
        start.get(..word.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(word))
            && !(word.ends_with(|c: char| c.is_ascii_lowercase())
                && start[word.len()..].starts_with(char::is_alphabetic))
    };
    WORDS.iter().find(|(word, _)| begins(word)).map_or(LineKind::Other, |(_, kind)| *kind)
}

/// Returns the first kind that is not [`LineKind::Other`].
pub(crate) fn first(kinds: &[LineKind]) -> LineKind {
    kinds.iter().copied().find(|kind| *kind != LineKind::Other).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_mean_what_their_bank_says() {
        let cases = [
            (Some(Dialect::Rabobank), "cb", LineKind::Transfer),
            (Some(Dialect::Rabobank), "bg", LineKind::Transfer),
            (Some(Dialect::Ing), "BA", LineKind::Card),
            (Some(Dialect::Ing), "IC", LineKind::DirectDebit),
            (Some(Dialect::AsnSnsRegio), "IDB", LineKind::Ideal),
            (Some(Dialect::Triodos), "RE", LineKind::Interest),
            (Some(Dialect::Bunq), "TRF", LineKind::Transfer),
            (None, "CHG", LineKind::Fee),
            (None, "", LineKind::Other),
            (None, "é", LineKind::Other),
        ];
        for (dialect, code, kind) in cases {
            assert_eq!(of_code(dialect, code), kind, "{code}");
        }
        assert_eq!(of_words("SEPA Incasso algemeen doorlopend"), LineKind::DirectDebit);
        assert_eq!(of_words("Kosten januari"), LineKind::Fee);
        assert_eq!(of_words("Kostenloos"), LineKind::Other);
        assert_eq!(of_words("Factuur"), LineKind::Other);
        assert_eq!(of_iso("RDDT", "ESDD"), LineKind::DirectDebit);
        assert_eq!(of_iso("MDOP", "CHRG"), LineKind::Fee);
    }
}
