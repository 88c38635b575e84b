//! One example of every error, for the tests of the texts about them.

use jiff::Timestamp;
use ledger::{calendar::Quarter, money::Cents};
use service::{
    Error,
    invoice_documents::{Cause, NotExpressible},
    people::Refusal,
};
use store::{StoreError, accounts::Plan};

/// Builds a list with one example of each variant of a type. A variant without an example does not
/// compile.
macro_rules! every {
    ($type:ty: $($pattern:pat => $example:expr,)+) => {{
        fn is_listed(value: &$type) {
            match value {
                $($pattern => {})+
            }
        }
        let examples: Vec<$type> = vec![$($example),+];
        examples.iter().for_each(is_listed);
        // Each example is of its own pattern.
        let mut rest = examples.iter();
        $(assert!(matches!(rest.next(), Some($pattern)), "{}", stringify!($pattern));)+
        examples
    }};
}
#[cfg(test)]
pub(super) use every;

pub(super) fn quarter() -> Quarter {
    Quarter::of(jiff::civil::date(2026, 7, 1))
}

/// Returns one example of each error.
pub fn errors() -> Vec<Error> {
    every! { Error:
        Error::NotFound(_) => Error::NotFound("invoice"),
        Error::Invalid(_) => Error::Invalid(Vec::new()),
        Error::PeriodFiled(_) => Error::PeriodFiled(quarter()),
        Error::FiledAlready(_) => Error::FiledAlready(quarter()),
        Error::PeriodNotFiled(_) => Error::PeriodNotFiled(quarter()),
        Error::CorrectionTooLarge { .. } => Error::CorrectionTooLarge { period: quarter(), vat: Cents::new(123_456) },
        Error::YearClosed(_) => Error::YearClosed(2026),
        Error::YearNotClosed(_) => Error::YearNotClosed(2026),
        Error::YearNotOver(_) => Error::YearNotOver(2026),
        Error::PeriodNotOver(_) => Error::PeriodNotOver(quarter()),
        Error::NotADraft => Error::NotADraft,
        Error::Cancelled => Error::Cancelled,
        Error::IdempotencyKeyReused => Error::IdempotencyKeyReused,
        Error::Changed => Error::Changed,
        Error::IsWrittenOff => Error::IsWrittenOff,
        Error::IsADraft => Error::IsADraft,
        Error::IsACreditNote => Error::IsACreditNote,
        Error::IsAnAsset => Error::IsAnAsset,
        Error::AlreadyDisposed => Error::AlreadyDisposed,
        Error::ReceiptInUse => Error::ReceiptInUse,
        Error::NotExpressible(_) => Error::NotExpressible(NotExpressible(causes())),
        Error::AlreadyCredited => Error::AlreadyCredited,
        Error::IsSetOff => Error::IsSetOff,
        Error::AlreadyUndone => Error::AlreadyUndone,
        Error::HasParts => Error::HasParts,
        Error::PaidBack => Error::PaidBack,
        Error::HasDocument => Error::HasDocument,
        Error::HasOpeningBalance => Error::HasOpeningBalance,
        Error::IsOpeningItem => Error::IsOpeningItem,
        Error::NoTimer => Error::NoTimer,
        Error::ProjectArchived => Error::ProjectArchived,
        Error::AlreadyInvoiced => Error::AlreadyInvoiced,
        Error::NothingToInvoice => Error::NothingToInvoice,
        Error::WebhookDisabled => Error::WebhookDisabled,
        Error::TimerRunning => Error::TimerRunning,
        Error::PlanRequired { .. } => Error::PlanRequired { minimum: Plan::Pro },
        Error::InsufficientScope(_) => Error::InsufficientScope("write"),
        Error::DutchAccountRequired => Error::DutchAccountRequired,
        Error::TestAccountRequired => Error::TestAccountRequired,
        Error::EmailTaken => Error::EmailTaken,
        Error::Refused(_) => Error::Refused(Refusal::LinkSpent),
        Error::Internal(_) => Error::Internal("two entries".into()),
        Error::TooManyMails { .. } => Error::TooManyMails { most: 50 },
        Error::RemindedRecently { .. } => Error::RemindedRecently { from: Timestamp::UNIX_EPOCH },
        Error::Busy(_) => Error::Busy("exports"),
        Error::Store(_) => Error::Store(StoreError::TooLong),
    }
}

pub(super) fn causes() -> Vec<Cause> {
    every! { Cause:
        Cause::Draft => Cause::Draft,
        Cause::MixesOutOfScope => Cause::MixesOutOfScope,
        Cause::SellerAddressMissing => Cause::SellerAddressMissing,
        Cause::SellerKvkMissing => Cause::SellerKvkMissing,
        Cause::SellerVatNumberMissing => Cause::SellerVatNumberMissing,
        Cause::BuyerVatNumberMissing => Cause::BuyerVatNumberMissing,
    }
}
