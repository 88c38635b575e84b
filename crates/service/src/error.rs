//! Why something was not done, by the name of what happened. The sentences are in `web`: English for the API in `input/english`, and those of
//! the pages in `i18n`.

use crate::{Fault, Reason};
use jiff::Timestamp;
use ledger::{calendar::Quarter, money::Cents};
use store::{StoreError, accounts::Plan};
use thiserror::Error;

/// Why something was not done. Nothing of it is in the books then. Printed it is its name with its values, for the log.
#[derive(Debug, Clone, Error)]
pub enum Error {
    /// There is no such thing in this account.
    #[error("not_found: {0}")]
    NotFound(&'static str),
    /// What was asked has faults; all that were found.
    #[error("invalid: {} values", .0.len())]
    Invalid(Vec<Fault>),
    /// The VAT return of that quarter is filed.
    #[error("period_filed: {0}")]
    PeriodFiled(Quarter),
    /// The VAT return of that quarter is filed, so it is not filed once more.
    #[error("filed_already: {0}")]
    FiledAlready(Quarter),
    /// The VAT return of that quarter is not filed.
    #[error("period_not_filed: {0}")]
    PeriodNotFiled(Quarter),
    /// The corrections of a filed quarter would come to more VAT than may go onto a later return.
    #[error("correction_too_large: {period}, {vat}")]
    CorrectionTooLarge {
        /// The quarter.
        period: Quarter,
        /// What they would come to: due more, or less when negative.
        vat: Cents,
    },
    /// The year is closed, or a later one is.
    #[error("year_closed: {0}")]
    YearClosed(i16),
    /// The year is not closed.
    #[error("year_not_closed: {0}")]
    YearNotClosed(i16),
    /// The year is not over yet, so it cannot be closed.
    #[error("year_not_over: {0}")]
    YearNotOver(i16),
    /// The quarter is not over yet, so its return cannot be filed.
    #[error("period_not_over: {0}")]
    PeriodNotOver(Quarter),
    /// Only a draft can be edited.
    #[error("not_a_draft")]
    NotADraft,
    /// Nothing more happens to a draft that was cancelled.
    #[error("cancelled")]
    Cancelled,
    /// Another request was carried out under the key.
    #[error("idempotency_key_reused")]
    IdempotencyKeyReused,
    /// It is not any more what the asker took it to be.
    #[error("changed")]
    Changed,
    /// What was written off is not credited too: its VAT was given back already.
    #[error("is_written_off")]
    IsWrittenOff,
    /// A draft can be neither paid nor credited.
    #[error("is_a_draft")]
    IsADraft,
    /// A credit note can be neither paid nor credited.
    #[error("is_a_credit_note")]
    IsACreditNote,
    /// The purchase of an asset is changed with the asset.
    #[error("is_an_asset")]
    IsAnAsset,
    /// An asset has left the business.
    #[error("already_disposed")]
    AlreadyDisposed,
    /// A receipt stands in the journal.
    #[error("receipt_in_use")]
    ReceiptInUse,
    /// The form of the e-invoice cannot carry the invoice.
    #[error("not_expressible: {0}")]
    NotExpressible(documents::ubl::NotExpressible),
    /// Nothing of the invoice remains to be credited.
    #[error("already_credited")]
    AlreadyCredited,
    /// What remains of a prepayment is set off by final invoices.
    #[error("is_set_off")]
    IsSetOff,
    /// It was undone before.
    #[error("already_undone")]
    AlreadyUndone,
    /// Something that belongs to it is still there.
    #[error("has_parts")]
    HasParts,
    /// Without the payment more would have been paid back than was received.
    #[error("paid_back")]
    PaidBack,
    /// The entry belongs to a document, with which it is taken back.
    #[error("has_document")]
    HasDocument,
    /// The books have an opening balance.
    #[error("has_opening_balance")]
    HasOpeningBalance,
    /// Of what was open when the books began only the amount is known.
    #[error("is_opening_item")]
    IsOpeningItem,
    /// Nothing is being timed.
    #[error("no_timer")]
    NoTimer,
    /// An archived project takes no hours.
    #[error("project_archived")]
    ProjectArchived,
    /// Hours that are on an invoice stay as they are, and are not invoiced again.
    #[error("already_invoiced")]
    AlreadyInvoiced,
    /// The project has no hours.
    #[error("nothing_to_invoice")]
    NothingToInvoice,
    /// Nothing is sent to a webhook that is switched off.
    #[error("webhook_disabled")]
    WebhookDisabled,
    /// A clock runs already.
    #[error("timer_running")]
    TimerRunning,
    /// The account's plan is too low.
    #[error("plan_required: {}", minimum.as_str())]
    PlanRequired {
        /// The lowest plan that will do.
        minimum: Plan,
    },
    /// The key or token was not given this scope.
    #[error("insufficient_scope: {0}")]
    InsufficientScope(&'static str),
    /// Only the books of an account in the Netherlands can do this.
    #[error("dutch_account_required")]
    DutchAccountRequired,
    /// Only a test account can do this.
    #[error("test_account_required")]
    TestAccountRequired,
    /// Another account has that e-mail address.
    #[error("email_taken")]
    EmailTaken,
    /// A person cannot do this just now.
    #[error(transparent)]
    Refused(#[from] crate::people::Refusal),
    /// A rule of the program itself was broken; nothing was written.
    #[error("internal: {0}")]
    Internal(String),
    /// The account mailed as much in a day as it may.
    #[error("too_many_mails")]
    TooManyMails {
        /// How many mails to customers an account of its plan may send in 24 hours.
        most: i64,
    },
    /// The customer was reminded of the invoice less than a day ago.
    #[error("reminded_recently")]
    RemindedRecently {
        /// When the next reminder can go.
        from: Timestamp,
    },
    /// More is asked at once than the server does of this.
    #[error("busy: {0}")]
    Busy(&'static str),
    /// The storage failed.
    #[error(transparent)]
    Store(StoreError),
}

impl From<StoreError> for Error {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::YearClosed(year) => Self::YearClosed(year),
            other => Self::Store(other),
        }
    }
}

impl Error {
    pub(crate) fn fault(path: &str, reason: Reason) -> Self {
        Self::Invalid(vec![Fault::new(path, reason)])
    }
}

impl From<Fault> for Error {
    fn from(fault: Fault) -> Self {
        Self::Invalid(vec![fault])
    }
}
