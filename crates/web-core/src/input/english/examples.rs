//! One example of every error, for tests of the texts.

use jiff::civil::date;
use ledger::{
    money::Cents,
    quote::QuoteStatus,
    schedule::OccurrenceStatus,
    vat_period::{VatPeriod, VatUnit},
};
use service::{
    AccessError, BankError, BookingError, Error, InvoiceError, PeriodError, TimeTrackingError,
    VatError,
    invoice_documents::{Cause, NotExpressible},
    people::Refusal,
};
use store::{StoreError, accounts::Plan};

/// Builds a list with one example of each variant of a type. A missing variant is a compile
/// error.
macro_rules! every {
    ($type:ty: $($pattern:pat => $example:expr,)+) => {{
        fn is_listed(value: &$type) {
            match value {
                $($pattern => {})+
            }
        }
        let examples: Vec<$type> = vec![$($example),+];
        examples.iter().for_each(is_listed);
        // Each example must match its own pattern.
        let mut rest = examples.iter();
        $(assert!(matches!(rest.next(), Some($pattern)), "{}", stringify!($pattern));)+
        examples
    }};
}
#[cfg(test)]
pub(super) use every;

pub(super) fn period() -> VatPeriod {
    VatPeriod::of(jiff::civil::date(2026, 7, 1), VatUnit::Quarter)
}

/// Returns one example of each error.
pub fn errors() -> Vec<Error> {
    let mut errors = every! { Error:
        Error::NotFound(_) => Error::NotFound("invoice"),
        Error::Invalid(_) => Error::Invalid(Vec::new()),
        Error::IdempotencyKeyReused => Error::IdempotencyKeyReused,
        Error::Changed => Error::Changed,
        Error::Refused(_) => Error::Refused(Refusal::LinkSpent),
        Error::Internal(_) => Error::Internal("two entries".into()),
        Error::Busy(_) => Error::Busy("exports"),
        Error::Store(_) => Error::Store(StoreError::TooLong),
        Error::Period(_) => Error::Period(PeriodError::FiledAlready(period())),
        Error::Vat(_) => Error::Vat(VatError::KorHasTaxedInvoices(vec![3, 5])),
        Error::Invoice(_) => Error::Invoice(InvoiceError::NotADraft),
        Error::Booking(_) => Error::Booking(BookingError::AlreadyUndone),
        Error::TimeTracking(_) => Error::TimeTracking(TimeTrackingError::NoTimer),
        Error::Bank(_) => Error::Bank(BankError::NotBooked(3)),
        Error::Access(_) => Error::Access(AccessError::EmailTaken),
    };
    // The one example for each area is replaced by all examples of that area's errors.
    errors.retain(|error| !is_of_an_area(error));
    errors.extend(period_errors().into_iter().map(Error::from));
    errors.extend(vat_errors().into_iter().map(Error::from));
    errors.extend(invoice_errors().into_iter().map(Error::from));
    errors.extend(booking_errors().into_iter().map(Error::from));
    errors.extend(bank_errors().into_iter().map(Error::from));
    errors.extend(time_tracking_errors().into_iter().map(Error::from));
    errors.extend(access_errors().into_iter().map(Error::from));
    errors
}

fn is_of_an_area(error: &Error) -> bool {
    matches!(
        error,
        Error::Period(_)
            | Error::Vat(_)
            | Error::Invoice(_)
            | Error::Booking(_)
            | Error::Bank(_)
            | Error::TimeTracking(_)
            | Error::Access(_)
    )
}

fn period_errors() -> Vec<PeriodError> {
    every! { PeriodError:
        PeriodError::Filed(_) => PeriodError::Filed(period()),
        PeriodError::SettingFiled(_) => PeriodError::SettingFiled(period()),
        PeriodError::FiledAlready(_) => PeriodError::FiledAlready(period()),
        PeriodError::NotFiled(_) => PeriodError::NotFiled(period()),
        PeriodError::CorrectionTooLarge { .. } => PeriodError::CorrectionTooLarge { period: period(), vat: Cents::new(123_456) },
        PeriodError::NotFiledBy { .. } => PeriodError::NotFiledBy { period: period(), first: period(), last: period() },
        PeriodError::NotAList { .. } => PeriodError::NotAList { period: period(), first: period(), last: period() },
        PeriodError::ListFiledAlready(_) => PeriodError::ListFiledAlready(period()),
        PeriodError::ListNotFiled(_) => PeriodError::ListNotFiled(period()),
        PeriodError::OssFiled(_) => PeriodError::OssFiled(period()),
        PeriodError::OssNotFiled(_) => PeriodError::OssNotFiled(period()),
        PeriodError::OtherPeriod { .. } => PeriodError::OtherPeriod { first: period(), last: period() },
        PeriodError::YearClosed(_) => PeriodError::YearClosed(2026),
        PeriodError::YearNotClosed(_) => PeriodError::YearNotClosed(2026),
        PeriodError::YearNotOver(_) => PeriodError::YearNotOver(2026),
        PeriodError::StepElsewhere { .. } => PeriodError::StepElsewhere { step: "receipts", place: "/api/v1/expenses" },
        PeriodError::RowChanged => PeriodError::RowChanged,
        PeriodError::NotOver(_) => PeriodError::NotOver(period()),
    }
}

fn vat_errors() -> Vec<VatError> {
    every! { VatError:
        VatError::KorHasTaxedInvoices(_) => VatError::KorHasTaxedInvoices(vec![3, 5]),
        VatError::KorHasTaxedSales(_) => VatError::KorHasTaxedSales(vec![2]),
        VatError::KorHasTaxedPrivateUse(_) => VatError::KorHasTaxedPrivateUse(vec![7]),
        VatError::NothingToRevise(_) => VatError::NothingToRevise(2026),
        VatError::OssNotRegistered(_) => VatError::OssNotRegistered(jiff::civil::date(2026, 3, 15)),
        VatError::TooOldForOss(_) => VatError::TooOldForOss(period()),
    }
}

fn invoice_errors() -> Vec<InvoiceError> {
    every! { InvoiceError:
        InvoiceError::NotADraft => InvoiceError::NotADraft,
        InvoiceError::Cancelled => InvoiceError::Cancelled,
        InvoiceError::IsWrittenOff => InvoiceError::IsWrittenOff,
        InvoiceError::IsADraft => InvoiceError::IsADraft,
        InvoiceError::IsACreditNote => InvoiceError::IsACreditNote,
        InvoiceError::NotExpressible(_) => InvoiceError::NotExpressible(NotExpressible(causes())),
        InvoiceError::AlreadyCredited => InvoiceError::AlreadyCredited,
        InvoiceError::IsSetOff => InvoiceError::IsSetOff,
        InvoiceError::PaidBack => InvoiceError::PaidBack,
        InvoiceError::TooManyMails { .. } => InvoiceError::TooManyMails { most: 50 },
        InvoiceError::QuoteNotOpen(_) => InvoiceError::QuoteNotOpen(QuoteStatus::Expired),
        InvoiceError::QuoteReplaced(_) => InvoiceError::QuoteReplaced(7),
        InvoiceError::QuoteHasInvoice(_) => InvoiceError::QuoteHasInvoice(7),
        InvoiceError::QuoteInvoiced(_) => InvoiceError::QuoteInvoiced(7),
        InvoiceError::RecurringEnded => InvoiceError::RecurringEnded,
        InvoiceError::OccurrenceNotOpen { .. } => InvoiceError::OccurrenceNotOpen { number: 3, status: OccurrenceStatus::Made },
        InvoiceError::TooManyActive { .. } => InvoiceError::TooManyActive { most: 500 },
        InvoiceError::RemindedRecently { .. } => InvoiceError::RemindedRecently { next: date(2026, 4, 20) },
        InvoiceError::RemindersStopped { .. } => InvoiceError::RemindersStopped { until: Some(date(2026, 4, 20)) },
    }
}

fn booking_errors() -> Vec<BookingError> {
    every! { BookingError:
        BookingError::IsAnAsset => BookingError::IsAnAsset,
        BookingError::AlreadyDisposed => BookingError::AlreadyDisposed,
        BookingError::ReceiptInUse => BookingError::ReceiptInUse,
        BookingError::AlreadyUndone => BookingError::AlreadyUndone,
        BookingError::HasParts => BookingError::HasParts,
        BookingError::HasDocument => BookingError::HasDocument,
        BookingError::HasOpeningBalance => BookingError::HasOpeningBalance,
        BookingError::IsOpeningItem => BookingError::IsOpeningItem,
        BookingError::AccountInUse { .. } => BookingError::AccountInUse { code: 4105, balance: Cents::new(12_345) },
        BookingError::BankAccountInUse(_) => BookingError::BankAccountInUse(Cents::new(12_500)),
        BookingError::BankAccountHasLines(_) => BookingError::BankAccountHasLines(3),
        BookingError::IsDefault => BookingError::IsDefault,
        BookingError::AccountOfProgram(_) => BookingError::AccountOfProgram(8000),
    }
}

fn bank_errors() -> Vec<BankError> {
    every! { BankError:
        BankError::TooManyStatements { .. } => BankError::TooManyStatements { most: 60 },
        BankError::LinesBooked(_) => BankError::LinesBooked(vec![3, 5]),
        BankError::AlreadyBooked(_) => BankError::AlreadyBooked(3),
        BankError::LineIgnored(_) => BankError::LineIgnored(3),
        BankError::BookedFromBankLine(_) => BankError::BookedFromBankLine(3),
        BankError::PaidByBankLine(_) => BankError::PaidByBankLine(3),
        BankError::NotBooked(_) => BankError::NotBooked(3),
        BankError::NothingToBook(_) => BankError::NothingToBook(3),
        BankError::StaleSuggestion(_) => BankError::StaleSuggestion(3),
        BankError::AlreadyInBatch { .. } => BankError::AlreadyInBatch { expense: 7, batch: 3 },
        BankError::BatchPaid(_) => BankError::BatchPaid(3),
        BankError::BatchCancelled(_) => BankError::BatchCancelled(3),
        BankError::BatchOutdated { .. } => BankError::BatchOutdated { expense: 8 },
        BankError::NoPayee => BankError::NoPayee,
        BankError::NothingDue => BankError::NothingDue,
    }
}

fn time_tracking_errors() -> Vec<TimeTrackingError> {
    every! { TimeTrackingError:
        TimeTrackingError::NoTimer => TimeTrackingError::NoTimer,
        TimeTrackingError::TimerRunning => TimeTrackingError::TimerRunning,
        TimeTrackingError::ProjectArchived => TimeTrackingError::ProjectArchived,
        TimeTrackingError::AlreadyInvoiced => TimeTrackingError::AlreadyInvoiced,
        TimeTrackingError::NothingToInvoice => TimeTrackingError::NothingToInvoice,
    }
}

fn access_errors() -> Vec<AccessError> {
    every! { AccessError:
        AccessError::PlanRequired { .. } => AccessError::PlanRequired { minimum: Plan::Pro },
        AccessError::InsufficientScope(_) => AccessError::InsufficientScope("write"),
        AccessError::DutchAccountRequired => AccessError::DutchAccountRequired,
        AccessError::TestAccountRequired => AccessError::TestAccountRequired,
        AccessError::EmailTaken => AccessError::EmailTaken,
        AccessError::PageOnly => AccessError::PageOnly,
        AccessError::WebhookDisabled => AccessError::WebhookDisabled,
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
