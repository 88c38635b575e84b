//! Why something was not done, by the name of what happened.

use crate::{Fault, Reason};
use ledger::{calendar::Quarter, money::Cents};
use store::{StoreError, accounts::Plan};
use thiserror::Error;

/// Why something was not done. Nothing of it is in the books then.
#[derive(Debug, Clone, Error)]
pub enum Error {
    /// There is no such thing in this account.
    #[error("there is no such {0} in this account")]
    NotFound(&'static str),
    /// What was asked has faults; all that were found.
    #[error("{} of the values given cannot be used", .0.len())]
    Invalid(Vec<Fault>),
    /// The VAT return of that quarter is filed.
    #[error("the VAT return of {} quarter {} is filed", .0.year(), .0.number())]
    PeriodFiled(Quarter),
    /// The VAT return of that quarter is filed, so it is not filed once more.
    #[error("the VAT return of {} quarter {} is filed already; open it again first to file it anew", .0.year(), .0.number())]
    FiledAlready(Quarter),
    /// The VAT return of that quarter is not filed.
    #[error("the VAT return of {} quarter {} is not filed", .0.year(), .0.number())]
    PeriodNotFiled(Quarter),
    /// The corrections of a filed quarter would come to more VAT than may go onto a later return.
    #[error("with this the corrections of {} quarter {} come to {vat} of VAT, and a later return may carry at most 1000.00 of them", period.year(), period.number())]
    CorrectionTooLarge {
        /// The quarter.
        period: Quarter,
        /// What they would come to: due more, or less when negative.
        vat: Cents,
    },
    /// The year is closed, or a later one is.
    #[error("the year {0} is closed")]
    YearClosed(i16),
    /// The year is not closed.
    #[error("the year {0} is not closed")]
    YearNotClosed(i16),
    /// The year is not over yet, so it cannot be closed.
    #[error("the year {0} is not over yet; it can be closed from 1 January on")]
    YearNotOver(i16),
    /// The quarter is not over yet, so its return cannot be filed.
    #[error("{} quarter {} is not over yet; its return can be filed from the day after its last", .0.year(), .0.number())]
    PeriodNotOver(Quarter),
    /// Only a draft can be edited.
    #[error("the invoice is sent; only a draft can be edited, a sent invoice is corrected with a credit note")]
    NotADraft,
    /// Nothing more happens to a draft that was cancelled.
    #[error(
        "the draft was cancelled, so it is not sent, paid or credited; its number stays used, and a new invoice takes the next"
    )]
    Cancelled,
    /// Another request was carried out under the key.
    #[error("another request was carried out under this Idempotency-Key")]
    IdempotencyKeyReused,
    /// It is not any more what the asker took it to be.
    #[error("it has changed meanwhile; read it again and apply the change to what it is now")]
    Changed,
    /// What was written off is not credited too: its VAT was given back already.
    #[error("something of the invoice is written off; undo the write-off before crediting it")]
    IsWrittenOff,
    /// A draft can be neither paid nor credited.
    #[error("the invoice is still a draft; send it first")]
    IsADraft,
    /// A credit note can be neither paid nor credited.
    #[error("this is a credit note, which can be neither paid nor credited; name the invoice that it credits")]
    IsACreditNote,
    /// The purchase of an asset is changed with the asset.
    #[error("it bought an asset, and what it came to stands on the asset; undo the asset, and record it anew")]
    IsAnAsset,
    /// An asset has left the business.
    #[error("the asset was sold or written off already")]
    AlreadyDisposed,
    /// A receipt stands in the journal.
    #[error("a journal entry was made from the receipt, so its file is kept (art. 52 AWR: seven years)")]
    ReceiptInUse,
    /// The form of the e-invoice cannot carry the invoice.
    #[error("this cannot be an e-invoice: {0}")]
    NotExpressible(documents::ubl::NotExpressible),
    /// Nothing of the invoice remains to be credited.
    #[error("the invoice is wholly credited already; if something is to be paid after all, make a new invoice")]
    AlreadyCredited,
    /// What remains of a prepayment is set off by final invoices.
    #[error("what remains of this prepayment is set off by a final invoice; credit or withdraw that one first")]
    IsSetOff,
    /// It was undone before.
    #[error("this was undone already")]
    AlreadyUndone,
    /// Something that belongs to it is still there.
    #[error(
        "something that belongs to this is not undone yet, such as a repayment of a loan, or a payment or write-off of what was open when the books began; undo that first"
    )]
    HasParts,
    /// Without the payment more would have been paid back than was received.
    #[error("some of this payment was paid back to the customer; undo that refund first")]
    PaidBack,
    /// The entry belongs to a document, with which it is taken back.
    #[error("a document or a return is behind this entry; take that back, and the entry is reversed with it")]
    HasDocument,
    /// The books have an opening balance.
    #[error("the books have an opening balance already; undo it to enter another")]
    HasOpeningBalance,
    /// Of what was open when the books began only the amount is known.
    #[error(
        "this was open when the books began, and only its amount is known here: it can be paid, and an invoice reminded of and written off; to change it, undo the opening balance and enter it anew"
    )]
    IsOpeningItem,
    /// Nothing is being timed.
    #[error("no timer runs")]
    NoTimer,
    /// An archived project takes no hours.
    #[error("the project is archived; make it active again (`status: active`), or write the hours on another project")]
    ProjectArchived,
    /// Hours that are on an invoice stay as they are, and are not invoiced again.
    #[error("the hours are on an invoice already; credit that invoice first")]
    AlreadyInvoiced,
    /// Nothing is sent to a webhook that is switched off.
    #[error("nothing is sent to this webhook: it is switched off; set `enabled` to true first")]
    WebhookDisabled,
    /// A clock runs already.
    #[error("a timer is running already; stop or discard it first")]
    TimerRunning,
    /// The account's plan is too low.
    #[error("this needs the {} plan or a higher one", minimum.as_str())]
    PlanRequired {
        /// The lowest plan that will do.
        minimum: Plan,
    },
    /// The key or token was not given this scope.
    #[error("this needs the scope `{0}`")]
    InsufficientScope(&'static str),
    /// Only the books of an account in the Netherlands can do this.
    #[error("this is for accounts in the Netherlands only")]
    DutchAccountRequired,
    /// Only a test account can do this.
    #[error("this is for test accounts only; send the key of one, which the page /api-access makes")]
    TestAccountRequired,
    /// Another account has that e-mail address.
    #[error("there is an account with that e-mail address already; give another address")]
    EmailTaken,
    /// A person cannot do this just now.
    #[error(transparent)]
    Refused(#[from] crate::people::Refusal),
    /// A rule of the program itself was broken; nothing was written.
    #[error("a rule of the books was about to be broken: {0}")]
    Internal(String),
    /// More is asked at once than the server does of this.
    #[error("too many {0} are under way")]
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
