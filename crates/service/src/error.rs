//! Errors of the service layer, named after the event and grouped by area.
//!
//! `Display` gives the name and its values, for the log. The texts are in `web-core/src/refusals.rs`
//! for the API and the command line, and in `i18n` for the pages.

use crate::{Fault, Reason, people::Refusal};
use jiff::civil::Date;
use ledger::{money::Cents, quote::QuoteStatus, schedule::OccurrenceStatus, vat_period::VatPeriod};
use store::{StoreError, accounts::Plan};
use thiserror::Error;

/// Failure of a command or query. A failed command has written nothing.
#[derive(Debug, Clone, Error)]
pub enum Error {
    /// The account has no such resource.
    #[error("not_found: {0}")]
    NotFound(&'static str),
    /// The input is invalid. The list contains every fault that was found.
    #[error("invalid: {} values", .0.len())]
    Invalid(Vec<Fault>),
    /// The idempotency key was used for another request.
    #[error("idempotency_key_reused")]
    IdempotencyKeyReused,
    /// The resource has changed since the caller read it.
    #[error("changed")]
    Changed,
    /// The state of the VAT period or year does not allow the operation.
    #[error(transparent)]
    Period(#[from] PeriodError),
    /// The VAT scheme does not allow the operation.
    #[error(transparent)]
    Vat(#[from] VatError),
    /// The state of the invoice does not allow the operation.
    #[error(transparent)]
    Invoice(#[from] InvoiceError),
    /// The state of the entry, or of the document behind it, does not allow the operation.
    #[error(transparent)]
    Booking(#[from] BookingError),
    /// The state of the bank line or statement does not allow the operation.
    #[error(transparent)]
    Bank(#[from] BankError),
    /// The state of the project, its hours or the timer does not allow the operation.
    #[error(transparent)]
    TimeTracking(#[from] TimeTrackingError),
    /// The account or its credentials do not allow the operation.
    #[error(transparent)]
    Access(#[from] AccessError),
    /// Sign-in, a link from an email or the second factor was refused.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// An invariant of the program was violated.
    #[error("internal: {0}")]
    Internal(String),
    /// The concurrency limit for this kind of work is reached.
    #[error("busy: {0}")]
    Busy(&'static str),
    /// The storage failed.
    #[error(transparent)]
    Store(StoreError),
}

/// Errors concerning VAT periods and bookkeeping years.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum PeriodError {
    /// The VAT return of the period is filed.
    #[error("period_filed: {0}")]
    Filed(VatPeriod),
    /// The VAT return of the period is filed, so a setting on which it depends cannot change.
    #[error("setting_filed: {0}")]
    SettingFiled(VatPeriod),
    /// The VAT return of the period is filed, so it cannot be filed again.
    #[error("filed_already: {0}")]
    FiledAlready(VatPeriod),
    /// The VAT return of the period is not filed.
    #[error("period_not_filed: {0}")]
    NotFiled(VatPeriod),
    /// The period is not over yet, so its return cannot be filed.
    #[error("period_not_over: {0}")]
    NotOver(VatPeriod),
    /// The corrections of a filed period exceed the maximum that a later return may carry.
    #[error("correction_too_large: {period}, {vat}")]
    CorrectionTooLarge {
        /// Filed period.
        period: VatPeriod,
        /// Sum of the corrections; negative if less VAT is due.
        vat: Cents,
    },
    /// The account files VAT returns in another unit at that time (month, quarter or year), so it
    /// has no return for this period.
    #[error("other_unit: {period}, not {first} to {last}")]
    NotFiledBy {
        /// Requested period.
        period: VatPeriod,
        /// First period of the account that overlaps the requested one.
        first: VatPeriod,
        /// Last period of the account that overlaps the requested one.
        last: VatPeriod,
    },
    /// No EC sales list has this period.
    #[error("not_a_list: {period}, but {first} to {last}")]
    NotAList {
        /// Requested period.
        period: VatPeriod,
        /// First list of the quarter in which the requested period ends.
        first: VatPeriod,
        /// Last list of that quarter.
        last: VatPeriod,
    },
    /// The EC sales list of the period is filed, so it cannot be filed again.
    #[error("list_filed_already: {0}")]
    ListFiledAlready(VatPeriod),
    /// The EC sales list of the period is not filed.
    #[error("list_not_filed: {0}")]
    ListNotFiled(VatPeriod),
    /// The calendar quarter is not a period of the account, so it cannot be filed or reopened.
    #[error("other_period: {first} to {last}")]
    OtherPeriod {
        /// First period of the account that overlaps the quarter.
        first: VatPeriod,
        /// Last period of the account that overlaps the quarter.
        last: VatPeriod,
    },
    /// The return of the Union scheme (OSS) of the quarter is filed.
    #[error("oss_filed: {0}")]
    OssFiled(VatPeriod),
    /// The return of the Union scheme (OSS) of the quarter is not filed.
    #[error("oss_not_filed: {0}")]
    OssNotFiled(VatPeriod),
    /// The year, or a later one, is closed.
    #[error("year_closed: {0}")]
    YearClosed(i16),
    /// The year is not closed.
    #[error("year_not_closed: {0}")]
    YearNotClosed(i16),
    /// The year is not over yet, so it cannot be closed.
    #[error("year_not_over: {0}")]
    YearNotOver(i16),
    /// The year-end step is done elsewhere.
    #[error("step_elsewhere: {step}")]
    StepElsewhere {
        /// Name of the step.
        step: &'static str,
        /// Operation or page that does the step instead.
        place: &'static str,
    },
    /// A row of a year-end step has changed since the caller read it.
    #[error("row_changed")]
    RowChanged,
}

/// Errors concerning the VAT scheme.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum VatError {
    /// Invoices with VAT have been issued under the small businesses scheme; contains their ids.
    #[error("kor_has_taxed_invoices: {0:?}")]
    KorHasTaxedInvoices(Vec<i64>),
    /// Assets have been sold with VAT under the small businesses scheme; contains their ids.
    #[error("kor_has_taxed_sales: {0:?}")]
    KorHasTaxedSales(Vec<i64>),
    /// Private use has been booked with VAT under the small businesses scheme; contains the ids.
    #[error("kor_has_taxed_private_use: {0:?}")]
    KorHasTaxedPrivateUse(Vec<i64>),
    /// No VAT on assets to revise for the year: nothing is due, the law waives all of it, or it is
    /// already booked.
    #[error("nothing_to_revise: {0}")]
    NothingToRevise(i16),
    /// The account is not registered for the Union scheme (OSS) on the day of the supply.
    #[error("oss_not_registered: {0}")]
    OssNotRegistered(Date),
    /// The return of the Union scheme (OSS) of the quarter can no longer be corrected.
    #[error("too_old_for_oss: {0}")]
    TooOldForOss(VatPeriod),
}

/// Errors concerning invoices, credit notes and the emails about them.
#[derive(Debug, Clone, Error)]
pub enum InvoiceError {
    /// Only a draft can be edited.
    #[error("not_a_draft")]
    NotADraft,
    /// The draft was cancelled, which is final.
    #[error("cancelled")]
    Cancelled,
    /// A draft can be neither paid nor credited.
    #[error("is_a_draft")]
    IsADraft,
    /// A credit note can be neither paid nor credited.
    #[error("is_a_credit_note")]
    IsACreditNote,
    /// Part of the invoice is written off, with its VAT reclaimed. The write-off has to be undone
    /// before the invoice can be credited.
    #[error("is_written_off")]
    IsWrittenOff,
    /// The invoice is credited in full.
    #[error("already_credited")]
    AlreadyCredited,
    /// Final invoices have set off the entire remainder of the prepayment.
    #[error("is_set_off")]
    IsSetOff,
    /// The payment cannot be undone, because refunds would then exceed receipts.
    #[error("paid_back")]
    PaidBack,
    /// The e-invoice format cannot express the invoice.
    #[error("not_expressible: {0}")]
    NotExpressible(documents::ubl::NotExpressible),
    /// The account has reached its daily limit for emails to customers.
    #[error("too_many_mails")]
    TooManyMails {
        /// Limit of the account's plan, per 24 hours.
        most: i64,
    },
    /// The last reminder for the invoice was sent too recently, or the term of the letter to a consumer
    /// runs.
    #[error("reminded_recently")]
    RemindedRecently {
        /// Earliest day of the next reminder.
        next: Date,
    },
    /// The owner stopped the reminders of the invoice or of its customer.
    #[error("reminders_stopped")]
    RemindersStopped {
        /// Last day of the stop, if it has one.
        until: Option<Date>,
    },
    /// The state of the quote does not allow the operation.
    #[error("quote_not_open: {}", .0.as_str())]
    QuoteNotOpen(QuoteStatus),
    /// A newer quote, which is sent, replaces the quote.
    #[error("quote_replaced: {0}")]
    QuoteReplaced(i64),
    /// An invoice of the quote stands, so it cannot be reopened.
    #[error("quote_has_invoice: {0}")]
    QuoteHasInvoice(i64),
    /// The quote is invoiced already.
    #[error("quote_invoiced: {0}")]
    QuoteInvoiced(i64),
    /// The recurring invoice has ended.
    #[error("recurring_ended")]
    RecurringEnded,
    /// The occurrence of a recurring invoice was decided on already, or its day has not come.
    #[error("occurrence_not_open: {number}, {}", status.as_str())]
    OccurrenceNotOpen {
        /// Number of the occurrence.
        number: i64,
        /// Its state.
        status: OccurrenceStatus,
    },
    /// The account has as many active recurring invoices as it may have.
    #[error("too_many_active: {most}")]
    TooManyActive {
        /// Maximum number.
        most: i64,
    },
}

/// Errors concerning journal entries, and the expenses, assets and receipts behind them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum BookingError {
    /// The entry or its document has already been undone.
    #[error("already_undone")]
    AlreadyUndone,
    /// A dependent event, such as a loan repayment, has to be undone first.
    #[error("has_parts")]
    HasParts,
    /// The entry belongs to a document and is reversed with it.
    #[error("has_document")]
    HasDocument,
    /// The books already have an opening balance.
    #[error("has_opening_balance")]
    HasOpeningBalance,
    /// The document is an open item in the opening balance, so only its amount is known.
    #[error("is_opening_item")]
    IsOpeningItem,
    /// The expense is the purchase of an asset, and can only be changed through the asset.
    #[error("is_an_asset")]
    IsAnAsset,
    /// The asset was sold or scrapped.
    #[error("already_disposed")]
    AlreadyDisposed,
    /// A journal entry refers to the receipt.
    #[error("receipt_in_use")]
    ReceiptInUse,
    /// The ledger account has a balance, so it cannot be hidden.
    #[error("account_in_use: {code:04}, {balance}")]
    AccountInUse {
        /// Code of the account.
        code: u16,
        /// Balance, debit less credit.
        balance: Cents,
    },
    /// The bank account has a balance, so it cannot be archived.
    #[error("bank_account_in_use: {0}")]
    BankAccountInUse(Cents),
    /// Lines of the bank account wait to be booked, so it cannot be archived; contains their number.
    #[error("bank_account_in_use: {0} new lines")]
    BankAccountHasLines(i64),
    /// The bank account is the default of its kind, so it cannot be archived, and another one has
    /// to become the default first.
    #[error("is_default")]
    IsDefault,
    /// The ledger account is one of the program's, which cannot be renamed or hidden.
    #[error("account_of_program: {0:04}")]
    AccountOfProgram(u16),
}

/// Errors concerning bank statements and their lines.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum BankError {
    /// The account has reached its limit of imports per hour.
    #[error("too_many_statements")]
    TooManyStatements {
        /// Limit per hour.
        most: i64,
    },
    /// Lines of the statement are booked, so it cannot be undone; contains their ids.
    #[error("lines_booked: {0:?}")]
    LinesBooked(Vec<i64>),
    /// The line is booked already; contains its id.
    #[error("already_booked: {0}")]
    AlreadyBooked(i64),
    /// The line is ignored; contains its id.
    #[error("line_ignored: {0}")]
    LineIgnored(i64),
    /// The booking belongs to a bank line with more allocations, and can only be undone with it;
    /// contains the id of the line.
    #[error("booked_from_bank_line: {0}")]
    BookedFromBankLine(i64),
    /// A bank line paid the expense, so its total and the source of its payment stay; contains the id of
    /// the line.
    #[error("booked_from_bank_line: {0}")]
    PaidByBankLine(i64),
    /// The line is neither booked nor ignored; contains its id.
    #[error("not_booked: {0}")]
    NotBooked(i64),
    /// The line is ignored because it moves no money, so nothing can be booked; contains its id.
    #[error("not_booked: {0}")]
    NothingToBook(i64),
    /// The books no longer yield the suggestion; contains the id of the line.
    #[error("stale_suggestion: {0}")]
    StaleSuggestion(i64),
    /// The bill is in another batch of payments that is to be paid.
    #[error("already_in_batch: {expense} in {batch}")]
    AlreadyInBatch {
        /// Bill.
        expense: i64,
        /// Batch.
        batch: i64,
    },
    /// A bank line paid an item of the batch, so it cannot be cancelled; contains its id.
    #[error("batch_paid: {0}")]
    BatchPaid(i64),
    /// The batch is cancelled, so it has no payment file any more; contains its id.
    #[error("batch_cancelled: {0}")]
    BatchCancelled(i64),
    /// Less is due on this bill than the payment batch pays; or it is undone.
    #[error("batch_outdated: {expense}")]
    BatchOutdated {
        /// Bill.
        expense: i64,
    },
    /// Neither the bill nor its contact has an IBAN to pay to.
    #[error("no_payee")]
    NoPayee,
    /// Nothing is to be paid on the expense.
    #[error("nothing_due")]
    NothingDue,
}

/// Errors concerning projects, hours and the timer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum TimeTrackingError {
    /// No timer is running.
    #[error("no_timer")]
    NoTimer,
    /// A timer is running already.
    #[error("timer_running")]
    TimerRunning,
    /// An archived project accepts no hours.
    #[error("project_archived")]
    ProjectArchived,
    /// Invoiced hours can be neither changed nor invoiced again.
    #[error("already_invoiced")]
    AlreadyInvoiced,
    /// The project has no hours.
    #[error("nothing_to_invoice")]
    NothingToInvoice,
}

/// Errors concerning accounts, plans, scopes and webhooks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum AccessError {
    /// The account's plan is too low.
    #[error("plan_required: {}", minimum.as_str())]
    PlanRequired {
        /// Lowest sufficient plan.
        minimum: Plan,
    },
    /// The key or token lacks this scope.
    #[error("insufficient_scope: {0}")]
    InsufficientScope(&'static str),
    /// Only an account in the Netherlands can do this.
    #[error("dutch_account_required")]
    DutchAccountRequired,
    /// Only a test account can do this.
    #[error("test_account_required")]
    TestAccountRequired,
    /// Another account has the email address.
    #[error("email_taken")]
    EmailTaken,
    /// The webhook is disabled.
    #[error("webhook_disabled")]
    WebhookDisabled,
    /// Only the owner can make the change, on a page.
    #[error("page_only")]
    PageOnly,
}

impl From<StoreError> for Error {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::YearClosed(year) => PeriodError::YearClosed(year).into(),
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
