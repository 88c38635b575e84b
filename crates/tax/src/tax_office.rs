//! Bank accounts of the tax office.

use crate::{dataset, value::Value};

/// Bank account of the tax office.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TaxOfficeAccount {
    /// IBAN without blanks.
    pub iban: &'static str,
    /// Holder.
    pub holder: &'static str,
}

/// Returns the accounts of all times, in the order of the data set.
///
/// ```
/// use tax::tax_office;
///
/// assert!(tax_office::accounts().any(|account| account.iban == "NL04RABO0200112244"));
/// ```
pub fn accounts() -> impl Iterator<Item = TaxOfficeAccount> {
    let rows = dataset::find("tax-office-accounts").map(dataset::Dataset::rows).unwrap_or_default();
    rows.iter().filter_map(|row| {
        let text = |column: &str| match row.get(column) {
            Some(Value::Text(text)) => Some(&**text),
            _ => None,
        };
        Some(TaxOfficeAccount { iban: text("iban")?, holder: text("holder")? })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use ledger::identifiers::Iban;

    #[test]
    fn every_row_has_a_valid_iban_without_blanks_and_a_holder() {
        let rows = dataset::find("tax-office-accounts").unwrap().rows();
        assert_eq!(accounts().count(), rows.len());
        for account in accounts() {
            assert_eq!(Iban::parse(account.iban).unwrap().as_str(), account.iban);
            assert!(!account.holder.is_empty());
        }
    }
}
