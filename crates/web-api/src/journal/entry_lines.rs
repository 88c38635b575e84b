//! Lines of journal entries.

use crate::{number::Amount, openapi::posting_box_names};
use ledger::{
    entry::{JournalEntry, Posting},
    language::Language,
    own_account::OwnAccounts,
};
use schemars::JsonSchema;
use serde::Serialize;
use web_core::input::or_null;

/// A posting: an amount on one side of a ledger account.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "EntryLine")]
pub(crate) struct LineBody {
    /// Code of the ledger account, four digits.
    #[schemars(regex(pattern = "^[0-9]{4}$"))]
    #[schemars(example = &"8000")]
    account_code: String,
    /// Name of the ledger account: in English, or as you named an account of your own.
    #[schemars(example = &"Revenue at the high rate")]
    account_name: String,
    /// Code in the Dutch reference chart of accounts (RGS 3.7).
    #[schemars(example = &"WOmzNodOdh")]
    rgs_code: String,
    /// Debit amount in euros; 0.00 for a credit line.
    debit: Amount,
    /// Credit amount in euros; 0.00 for a debit line.
    credit: Amount,
    /// Box of the VAT return, such as `1a`.
    #[schemars(extend("enum" = or_null(posting_box_names())))]
    vat_box: Option<&'static str>,
}

impl LineBody {
    /// Returns the lines of an entry.
    pub(crate) fn all(entry: &JournalEntry, own: &OwnAccounts) -> Vec<Self> {
        entry.postings().iter().map(|posting| Self::new(posting, own)).collect()
    }

    /// Returns the line of a posting.
    pub(crate) fn new(posting: &Posting, own: &OwnAccounts) -> Self {
        Self {
            account_code: posting.account().to_string(),
            account_name: own.name(posting.account(), Language::English).to_owned(),
            rgs_code: own.rgs(posting.account()).to_owned(),
            debit: Amount(posting.debited()),
            credit: Amount(posting.credited()),
            vat_box: posting.vat_box().map(ledger::vat::VatBox::as_str),
        }
    }
}
