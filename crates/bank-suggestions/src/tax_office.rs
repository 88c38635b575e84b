//! Recognition of the tax office by its bank accounts.

use crate::names::{self, compact};
use std::collections::HashSet;
use tax::tax_office;

/// IBANs and names of the tax office, from open data.
#[derive(Debug)]
pub struct TaxOffice {
    ibans: HashSet<&'static str>,
    names: Vec<String>,
}

impl Default for TaxOffice {
    fn default() -> Self {
        Self {
            ibans: tax_office::accounts().map(|account| account.iban).collect(),
            names: tax_office::accounts().map(|account| names::key(account.holder)).collect(),
        }
    }
}

impl TaxOffice {
    /// Whether a counterparty has an IBAN or the name of the tax office.
    ///
    /// ```
    /// use bank_suggestions::TaxOffice;
    ///
    /// let office = TaxOffice::default();
    /// assert!(office.is_meant(Some("Belastingdienst Apeldoorn"), None));
    /// assert!(office.is_meant(None, Some("NL04 RABO 0200 1122 44")));
    /// assert!(!office.is_meant(Some("Bakkerij"), Some("NL91ABNA0417164300")));
    /// ```
    #[must_use]
    pub fn is_meant(&self, name: Option<&str>, iban: Option<&str>) -> bool {
        iban.is_some_and(|iban| self.has_iban(&compact(iban)))
            || name.is_some_and(|name| self.has_name(name))
    }

    pub(crate) fn has_iban(&self, iban: &str) -> bool {
        self.ibans.contains(iban)
    }

    /// Whether the name is that of the tax office, perhaps with more words.
    pub(crate) fn has_name(&self, name: &str) -> bool {
        let key = names::key(name);
        self.names.iter().any(|holder| {
            key.strip_prefix(holder.as_str())
                .is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
        })
    }
}
