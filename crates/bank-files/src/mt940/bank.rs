//! Bank and dialect of a message.

use crate::upload::Dialect;

/// Marks of banks: in the IBAN of `:25:`, in `:20:`, or in the envelope.
const MARKS: &[(&str, Dialect)] = &[
    ("ABNA", Dialect::AbnAmro),
    ("ABN AMRO", Dialect::AbnAmro),
    ("INGB", Dialect::Ing),
    ("MPBZ", Dialect::Ing),
    ("RABO", Dialect::Rabobank),
    ("KNAB", Dialect::Knab),
    ("BUNQ", Dialect::Bunq),
    ("TRIO", Dialect::Triodos),
    ("ASNB", Dialect::AsnSnsRegio),
    ("SNSB", Dialect::AsnSnsRegio),
    ("RBRB", Dialect::AsnSnsRegio),
    // Also part of the envelopes of other banks, such as `O940ASNB`, so these come last.
    ("940A", Dialect::Rabobank),
    ("940S", Dialect::Rabobank),
];

/// Returns the bank whose mark a text of an envelope, `:20:` or `:25:` contains. Old notations
/// count as the new ones.
pub(super) fn of(text: &str) -> Option<Dialect> {
    MARKS.iter().find(|(mark, _)| text.contains(mark)).map(|(_, dialect)| *dialect)
}

/// Returns the dialect of a message: before SEPA, accounts were no IBANs and descriptions had no
/// fields.
pub(super) fn dialect(bank: Option<Dialect>, is_old: bool) -> Dialect {
    match bank {
        Some(Dialect::AbnAmro) if is_old => Dialect::AbnAmroOld,
        Some(Dialect::Ing) if is_old => Dialect::IngOld,
        Some(Dialect::Rabobank) if is_old => Dialect::RabobankOld,
        Some(bank) => bank,
        None => Dialect::Generic,
    }
}

/// Returns the name of the layout.
pub(super) fn layout(dialect: Dialect) -> &'static str {
    match dialect {
        Dialect::Ing => "mt940/ing",
        Dialect::IngOld => "mt940/ing-old",
        Dialect::Rabobank => "mt940/rabobank",
        Dialect::RabobankOld => "mt940/rabobank-old",
        Dialect::AbnAmro => "mt940/abn-amro",
        Dialect::AbnAmroOld => "mt940/abn-amro-old",
        Dialect::Knab => "mt940/knab",
        Dialect::Triodos => "mt940/triodos",
        Dialect::Bunq => "mt940/bunq",
        Dialect::AsnSnsRegio => "mt940/asn-sns-regio",
        Dialect::Revolut | Dialect::Generic => "mt940",
    }
}
