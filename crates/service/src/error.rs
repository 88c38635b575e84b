//! Why something was not done, by the name of what happened.

use ledger::calendar::Quarter;
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
    /// The VAT return of that quarter is not filed.
    #[error("the VAT return of {} quarter {} is not filed", .0.year(), .0.number())]
    PeriodNotFiled(Quarter),
    /// The quarter is not over yet, so its return cannot be filed.
    #[error("{} quarter {} is not over yet; its return can be filed from the day after its last", .0.year(), .0.number())]
    PeriodNotOver(Quarter),
    /// Only a draft can be edited.
    #[error("the invoice is sent; only a draft can be edited, a sent invoice is corrected with a credit note")]
    NotADraft,
    /// It is not any more what the asker took it to be.
    #[error("it has changed meanwhile; read it again and apply the change to what it is now")]
    Changed,
    /// A draft can be neither paid nor credited.
    #[error("the invoice is still a draft; send it first")]
    IsADraft,
    /// A credit note can be neither paid nor credited.
    #[error("this is a credit note, which can be neither paid nor credited; name the invoice that it credits")]
    IsACreditNote,
    /// Nothing of the invoice remains to be credited.
    #[error("the invoice is wholly credited already; if something is to be paid after all, make a new invoice")]
    AlreadyCredited,
    /// An archived project takes no hours.
    #[error("the project is archived; make it active again in the application, or write the hours on another project")]
    ProjectArchived,
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
    /// Another account has that e-mail address.
    #[error("there is an account with that e-mail address already; give another address")]
    EmailTaken,
    /// A person cannot do this just now.
    #[error(transparent)]
    Refused(#[from] crate::people::Refusal),
    /// A rule of the program itself was broken; nothing was written.
    #[error("a rule of the books was about to be broken: {0}")]
    Broken(String),
    /// More is asked at once than the server does of this.
    #[error("too many {0} are under way")]
    Busy(&'static str),
    /// The storage failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// One fault in what was given.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// Where: an RFC 6901 JSON pointer into the payload, such as `/items/2/vatRate`.
    pub pointer: String,
    /// What kind of fault: stable, `snake_case`.
    pub code: &'static str,
    /// What to do about it.
    pub message: String,
}

impl Fault {
    /// A fault at a place.
    pub fn new(pointer: impl Into<String>, code: &'static str, message: impl Into<String>) -> Self {
        Self { pointer: pointer.into(), code, message: message.into() }
    }
}

impl Error {
    pub(crate) fn fault(pointer: &str, code: &'static str, message: impl Into<String>) -> Self {
        Self::Invalid(vec![Fault::new(pointer, code, message)])
    }
}
