//! Explanations of errors, by area: kind of problem, English text, and text for pages.

use crate::{
    catalogue::{self, ProblemKind},
    input::english::{not_expressible, person, storage},
};
use ledger::{
    language::Language, quote::QuoteStatus, schedule::OccurrenceStatus, vat_period::VatPeriod,
};
use service::{
    AccessError, BankError, BookingError, Error, InvoiceError, PeriodError, TimeTrackingError,
    VatError,
};

/// Explanation of an error.
#[derive(Debug, Clone)]
pub struct Explanation {
    /// Kind of problem that the API answers with.
    pub kind: &'static ProblemKind,
    /// English text, without an initial capital or a full stop.
    pub text: String,
    /// Id of the text for pages; `None` if the error cannot be corrected in a form.
    pub page_text: Option<&'static str>,
    detail: Option<String>,
}

impl Explanation {
    /// Creates an explanation without a text for pages.
    fn new(kind: &'static ProblemKind, text: impl Into<String>) -> Self {
        Self { kind, text: text.into(), page_text: None, detail: None }
    }

    /// Creates an explanation with a text for pages.
    fn shown(kind: &'static ProblemKind, page_text: &'static str, text: impl Into<String>) -> Self {
        Self { page_text: Some(page_text), ..Self::new(kind, text) }
    }

    /// Adds a sentence for clients of the API.
    fn advise(self, advice: &str) -> Self {
        let detail = format!("{} {advice}", sentence(&self.text));
        self.detail(detail)
    }

    /// Sets a different text for clients of the API.
    fn detail(self, detail: String) -> Self {
        Self { detail: Some(detail), ..self }
    }

    /// Returns the `detail` of the problem: the text for clients of the API.
    #[must_use]
    pub fn into_detail(self) -> String {
        self.detail.unwrap_or_else(|| sentence(&self.text))
    }
}

/// Returns the English text of an error.
#[must_use]
pub fn refusal(error: &Error) -> String {
    explanation(error).text
}

/// Returns the explanation of an error.
#[must_use]
pub fn explanation(error: &Error) -> Explanation {
    match error {
        Error::NotFound(what) => Explanation::new(catalogue::NOT_FOUND, format!("there is no such {what} in this account"))
            .advise("Check the id; each account counts its own."),
        Error::Invalid(faults) => {
            Explanation::new(catalogue::VALIDATION_FAILED, format!("{} of the values given cannot be used", faults.len()))
        }
        Error::IdempotencyKeyReused => {
            Explanation::new(catalogue::IDEMPOTENCY_KEY_REUSED, "another request was carried out under this Idempotency-Key")
                .advise("Repeat a request with the same path and the same bytes, or give a new one a key of its own.")
        }
        Error::Changed => Explanation::new(
            catalogue::PRECONDITION_FAILED,
            "it has changed meanwhile; read it again and apply the change to what it is now",
        ),
        Error::Period(error) => period(error),
        Error::Vat(error) => vat(error),
        Error::Invoice(error) => invoice(error),
        Error::Booking(error) => booking(*error),
        Error::Bank(error) => bank(error),
        Error::TimeTracking(error) => time_tracking(*error),
        Error::Access(error) => access(error),
        Error::Refused(refusal) => Explanation::new(catalogue::INTERNAL, person(*refusal)),
        Error::Internal(what) => {
            Explanation::new(catalogue::INTERNAL, format!("a rule of the books was about to be broken: {what}"))
        }
        Error::Busy(what) => Explanation::new(catalogue::UNAVAILABLE, format!("too many {what} are under way")),
        Error::Store(error) => Explanation::new(catalogue::INTERNAL, storage(error)),
    }
}

fn listed(ids: &[i64]) -> String {
    ids.iter().map(i64::to_string).collect::<Vec<_>>().join(", ")
}

fn vat(error: &VatError) -> Explanation {
    match error {
        VatError::KorHasTaxedInvoices(ids) => Explanation::shown(
            catalogue::KOR_HAS_TAXED_INVOICES,
            "refused-kor-has-taxed-invoices",
            format!("invoices with VAT were made from that day on: {}", listed(ids)),
        )
        .advise("Credit each of them in full, or withdraw it if it is a draft."),
        VatError::KorHasTaxedSales(ids) => Explanation::shown(
            catalogue::KOR_HAS_TAXED_INVOICES,
            "refused-kor-has-taxed-sales",
            format!("assets were sold with VAT from that day on: {}", listed(ids)),
        )
        .advise(
            "Undo each sale (POST /api/v1/assets/{id}/depreciate/undo), change the scheme, and \
             record the sale again without VAT.",
        ),
        VatError::KorHasTaxedPrivateUse(ids) => Explanation::shown(
            catalogue::KOR_HAS_TAXED_INVOICES,
            "refused-kor-has-taxed-private-use",
            format!("private use was booked with VAT from that day on: {}", listed(ids)),
        )
        .advise(
            "Undo each booking (POST /api/v1/private-use/{id}/undo), change the scheme, and record \
             it again without VAT.",
        ),
        VatError::NothingToRevise(year) => Explanation::shown(
            catalogue::NOTHING_TO_REVISE,
            "refused-nothing-to-revise",
            format!("no VAT on assets is to be revised for {year}, or it is booked already"),
        ),
        VatError::OssNotRegistered(day) => Explanation::shown(
            catalogue::OSS_NOT_REGISTERED,
            "refused-oss-not-registered",
            format!("the account is not registered for the Union scheme (OSS) on {day}"),
        )
        .advise("Register at the tax office, and record it with POST /api/v1/oss."),
        VatError::TooOldForOss(of) => Explanation::shown(
            catalogue::TOO_OLD_FOR_OSS,
            "refused-too-old-for-oss",
            format!(
                "the return of the Union scheme (OSS) of {} was due more than three years before, and is corrected no more",
                of.words(Language::English)
            ),
        ),
    }
}

// Long: one match over all refusals about periods.
fn period(error: &PeriodError) -> Explanation {
    match error {
        PeriodError::Filed(of) => Explanation::shown(
            catalogue::PERIOD_FILED,
            "refused-period-filed",
            format!("the VAT return of {} is filed", of.words(Language::English)),
        )
        .advise(
            "Use a date in an open period, or send `correction: true`: then it stays on its day, and the next open return \
             carries its VAT.",
        ),
        PeriodError::SettingFiled(of) => Explanation::shown(
            catalogue::PERIOD_FILED,
            "refused-setting-filed",
            format!(
                "the setting cannot change, because the VAT return of {} is filed",
                of.words(Language::English)
            ),
        )
        .advise("Give a first day in an open period, or reopen the return first (scope `file`)."),
        PeriodError::FiledAlready(of) => Explanation::shown(
            catalogue::PERIOD_FILED,
            "refused-filed-already",
            format!("the VAT return of {} is filed already; reopen it first to file it again", of.words(Language::English)),
        ),
        PeriodError::NotFiled(of) => Explanation::shown(
            catalogue::PERIOD_NOT_FILED,
            "refused-period-not-filed",
            format!("the VAT return of {} is not filed", of.words(Language::English)),
        )
        .advise("Only a filed return can be opened again."),
        PeriodError::NotOver(of) => Explanation::shown(
            catalogue::PERIOD_NOT_OVER,
            "refused-period-not-over",
            format!("{} is not over yet; its return can be filed from the day after its last", of.words(Language::English)),
        ),
        PeriodError::CorrectionTooLarge { period: of, vat } => Explanation::shown(
            catalogue::CORRECTION_TOO_LARGE,
            "refused-correction-too-large",
            format!(
                "with this the corrections of {} come to {vat} of VAT, and a later return may carry at most 1000.00 of them",
                of.words(Language::English)
            ),
        )
        .advise("Open the return again, book this on its own day, and file it again (suppletie)."),
        PeriodError::NotFiledBy { period, first, last } => {
            let own = if first == last { first.to_string() } else { format!("{first} to {last}") };
            Explanation::new(
                catalogue::NOT_FOUND,
                format!("this account files no VAT return of {period}; the period there is {own}"),
            )
        }
        PeriodError::NotAList { period, first, last } => {
            let own = if first == last { first.to_string() } else { format!("{first} to {last}") };
            Explanation::new(
                catalogue::NOT_FOUND,
                format!("there is no ICP declaration of {period}; the period there is {own}"),
            )
        }
        PeriodError::ListFiledAlready(of) => Explanation::shown(
            catalogue::PERIOD_FILED,
            "refused-list-filed",
            format!("the ICP declaration of {} is filed already; reopen it first to file it again", of.words(Language::English)),
        ),
        PeriodError::ListNotFiled(of) => Explanation::shown(
            catalogue::PERIOD_NOT_FILED,
            "refused-list-not-filed",
            format!("the ICP declaration of {} is not filed", of.words(Language::English)),
        ),
        PeriodError::OtherPeriod { first, last } => {
            let path = |period: &VatPeriod| format!("/api/v1/vat-returns/{period}");
            let paths = if first == last { path(first) } else { format!("{} to {}", path(first), path(last)) };
            Explanation::shown(
                catalogue::OTHER_PERIOD,
                "refused-other-period",
                format!("this account does not file by quarter; use {paths}"),
            )
        }
        PeriodError::OssFiled(of) => Explanation::shown(
            catalogue::PERIOD_FILED,
            "refused-oss-filed",
            format!("the return of the Union scheme (OSS) of {} is filed; reopen it first", of.words(Language::English)),
        ),
        PeriodError::OssNotFiled(of) => Explanation::shown(
            catalogue::PERIOD_NOT_FILED,
            "refused-oss-not-filed",
            format!("the return of the Union scheme (OSS) of {} is not filed", of.words(Language::English)),
        ),
        PeriodError::YearClosed(year) => {
            Explanation::shown(catalogue::YEAR_CLOSED, "refused-year-closed", format!("the year {year} is closed"))
                .advise("Use a later date, or open the year again.")
        }
        PeriodError::YearNotClosed(year) => {
            Explanation::shown(catalogue::YEAR_NOT_CLOSED, "refused-year-not-closed", format!("the year {year} is not closed"))
        }
        PeriodError::YearNotOver(year) => Explanation::shown(
            catalogue::YEAR_NOT_OVER,
            "refused-year-not-over",
            format!(
                "the year {year} is not over yet; its steps can be booked once it has begun, and it can be closed from 1 January on"
            ),
        ),
        PeriodError::StepElsewhere { step, place } => {
            Explanation::new(catalogue::NOT_FOUND, format!("the step {step} is not done here, but with {place}"))
        }
        PeriodError::RowChanged => Explanation::shown(
            catalogue::ROW_CHANGED,
            "refused-row-changed",
            "a row of the step would be booked in another way than when it was read",
        )
        .advise("Read the steps again, and send the ids of the rows as they are now."),
    }
}

/// Text of pages for a quote whose state does not allow a command.
fn quote_text(status: QuoteStatus) -> &'static str {
    match status {
        QuoteStatus::Draft => "refused-quote-draft",
        QuoteStatus::Sent => "refused-quote-sent",
        QuoteStatus::Accepted => "refused-quote-accepted",
        QuoteStatus::Refused => "refused-quote-refused",
        QuoteStatus::Expired => "refused-quote-expired",
        QuoteStatus::Invoiced => "refused-quote-is-invoiced",
        QuoteStatus::Withdrawn => "refused-quote-withdrawn",
    }
}

// Long: one match over all refusals about invoices and quotes.
fn invoice(error: &InvoiceError) -> Explanation {
    match error {
        InvoiceError::NotADraft => Explanation::shown(
            catalogue::NOT_A_DRAFT,
            "refused-not-a-draft",
            "the invoice is sent; only a draft can be edited or withdrawn, a sent invoice is corrected with a credit note",
        ),
        InvoiceError::Cancelled => Explanation::shown(
            catalogue::NOT_A_DRAFT,
            "refused-cancelled",
            "the draft was cancelled, so it is not sent, paid or credited; its number stays used, and a new invoice takes the next",
        ),
        InvoiceError::IsADraft => Explanation::shown(
            catalogue::IS_A_DRAFT,
            "refused-is-a-draft",
            "the invoice is still a draft; send it first",
        ),
        InvoiceError::IsACreditNote => Explanation::shown(
            catalogue::IS_A_CREDIT_NOTE,
            "refused-is-a-credit-note",
            "this is a credit note, which can be neither paid nor credited; name the invoice that it credits",
        ),
        InvoiceError::IsWrittenOff => Explanation::shown(
            catalogue::IS_WRITTEN_OFF,
            "refused-is-written-off",
            "something of the invoice is written off; undo the write-off before crediting it",
        ),
        InvoiceError::AlreadyCredited => Explanation::shown(
            catalogue::ALREADY_CREDITED,
            "refused-already-credited",
            "the invoice is wholly credited already; if something is to be paid after all, make a new invoice",
        ),
        InvoiceError::IsSetOff => Explanation::shown(
            catalogue::ALREADY_CREDITED,
            "refused-is-set-off",
            "what remains of this prepayment is set off by a final invoice; credit or withdraw that one first",
        ),
        InvoiceError::PaidBack => Explanation::shown(
            catalogue::HAS_PARTS,
            "refused-paid-back",
            "some of this payment was paid back to the customer; undo that refund first",
        ),
        InvoiceError::NotExpressible(why) => Explanation::new(
            catalogue::NOT_EXPRESSIBLE,
            format!("this cannot be an e-invoice: {}", not_expressible(&why.0)),
        ),
        InvoiceError::TooManyMails { most } => Explanation::shown(
            catalogue::RATE_LIMITED,
            "refused-too-many-mails",
            format!(
                "the account sent {most} mails about invoices in the last 24 hours, which is as many as it may; send this one \
                 tomorrow, or in another way"
            ),
        ),
        InvoiceError::QuoteNotOpen(status) => Explanation::shown(
            catalogue::QUOTE_NOT_OPEN,
            quote_text(*status),
            format!("the quote is {}, which does not allow this", status.as_str()),
        ),
        InvoiceError::QuoteReplaced(newer) => Explanation::shown(
            catalogue::QUOTE_NOT_OPEN,
            "refused-quote-replaced",
            format!("quote {newer} replaces this one; withdraw that one first"),
        ),
        InvoiceError::QuoteHasInvoice(invoice) => Explanation::shown(
            catalogue::QUOTE_NOT_OPEN,
            "refused-quote-has-invoice",
            format!("invoice {invoice} was made from the quote; withdraw or credit it first"),
        ),
        InvoiceError::QuoteInvoiced(invoice) => Explanation::shown(
            catalogue::ALREADY_INVOICED,
            "refused-quote-invoiced",
            format!(
                "the quote is invoiced already by invoice {invoice}; withdraw it while it is a draft, or credit it when it is sent"
            ),
        ),
        InvoiceError::RecurringEnded => Explanation::shown(
            catalogue::RECURRING_ENDED,
            "refused-recurring-ended",
            "the recurring invoice has ended",
        )
        .advise("Create another one."),
        InvoiceError::OccurrenceNotOpen { number, status } => Explanation::shown(
            catalogue::OCCURRENCE_NOT_OPEN,
            match status {
                OccurrenceStatus::Made => "refused-occurrence-made",
                OccurrenceStatus::Skipped => "refused-occurrence-skipped",
                OccurrenceStatus::Planned | OccurrenceStatus::Waiting => {
                    "refused-occurrence-planned"
                }
            },
            format!("occurrence {number} is {}, which does not allow this", status.as_str()),
        ),
        InvoiceError::TooManyActive { most } => Explanation::shown(
            catalogue::TOO_MANY_ACTIVE,
            "refused-too-many-active",
            format!("{most} recurring invoices are active, which is as many as may be"),
        )
        .advise("End or pause one first."),
        InvoiceError::RemindedRecently { next } => Explanation::shown(
            catalogue::REMINDED_RECENTLY,
            "refused-reminded-recently",
            format!(
                "the customer was reminded of this invoice recently; the next reminder can go from {next} on"
            ),
        ),
        InvoiceError::RemindersStopped { until: Some(until) } => Explanation::shown(
            catalogue::REMINDERS_STOPPED,
            "refused-reminders-stopped-until",
            format!("the reminders of this invoice are stopped up to {until}"),
        )
        .advise("Resume them with POST /api/v1/invoices/{id}/reminders/resume."),
        InvoiceError::RemindersStopped { until: None } => Explanation::shown(
            catalogue::REMINDERS_STOPPED,
            "refused-reminders-stopped",
            "the reminders of this invoice or of its customer are stopped",
        )
        .advise(
            "Resume them with POST /api/v1/invoices/{id}/reminders/resume, and set \
             `remindersStopped` of the contact to false.",
        ),
    }
}

// Long: one match over all refusals about bank lines and payment batches.
fn bank(error: &BankError) -> Explanation {
    match error {
        BankError::TooManyStatements { most } => Explanation::shown(
            catalogue::RATE_LIMITED,
            "refused-too-many-statements",
            format!(
                "the account took {most} bank statements within an hour; send the next one later"
            ),
        ),
        BankError::LinesBooked(ids) => Explanation::shown(
            catalogue::LINES_BOOKED,
            "refused-lines-booked",
            format!("lines of the bank statement are booked: {}", listed(ids)),
        )
        .advise("Undo each with POST /api/v1/bank-lines/{id}/undo, then undo the statement."),
        BankError::AlreadyBooked(id) => Explanation::shown(
            catalogue::ALREADY_BOOKED,
            "refused-already-booked",
            format!("bank line {id} is booked already"),
        )
        .advise("Undo it with POST /api/v1/bank-lines/{id}/undo first."),
        BankError::LineIgnored(id) => Explanation::shown(
            catalogue::LINE_IGNORED,
            "refused-line-ignored",
            format!("bank line {id} is ignored"),
        )
        .advise("Undo that with POST /api/v1/bank-lines/{id}/undo first."),
        BankError::BookedFromBankLine(id) => Explanation::shown(
            catalogue::BOOKED_FROM_BANK_LINE,
            "refused-booked-from-bank-line",
            format!("this is a part of the booking of bank line {id}"),
        )
        .advise("Undo the line with POST /api/v1/bank-lines/{id}/undo."),
        BankError::StaleSuggestion(id) => Explanation::shown(
            catalogue::STALE_SUGGESTION,
            "refused-stale-suggestion",
            format!("the books have changed, and bank line {id} no longer has this suggestion"),
        )
        .advise("Read the line again with GET /api/v1/bank-lines/{id}."),
        BankError::PaidByBankLine(id) => Explanation::shown(
            catalogue::BOOKED_FROM_BANK_LINE,
            "refused-paid-by-bank-line",
            format!("bank line {id} paid this expense, so its total and paidFrom stay as they are"),
        )
        .advise("Undo the line with POST /api/v1/bank-lines/{id}/undo."),
        BankError::NotBooked(id) => Explanation::shown(
            catalogue::NOT_BOOKED,
            "refused-not-booked",
            format!("bank line {id} is neither booked nor ignored, so there is nothing to undo"),
        ),
        BankError::NothingToBook(id) => Explanation::shown(
            catalogue::NOT_BOOKED,
            "refused-nothing-to-book",
            format!(
                "bank line {id} is ignored because its amount is zero: it moves no money, so there \
                 is nothing to book"
            ),
        ),
        BankError::AlreadyInBatch { expense, batch } => Explanation::shown(
            catalogue::ALREADY_IN_BATCH,
            "refused-already-in-batch",
            format!("expense {expense} is in payment batch {batch}, which is to be paid"),
        )
        .advise("Cancel that batch with POST /api/v1/payment-batches/{id}/cancel first."),
        BankError::BatchPaid(id) => Explanation::shown(
            catalogue::BATCH_PAID,
            "refused-batch-paid",
            format!("a bank line paid an item of payment batch {id}"),
        ),
        BankError::BatchCancelled(id) => Explanation::shown(
            catalogue::BATCH_CANCELLED,
            "refused-batch-cancelled",
            format!("payment batch {id} is cancelled, so its file must not go to the bank"),
        )
        .advise("Make a new batch."),
        BankError::BatchOutdated { expense } => Explanation::shown(
            catalogue::BATCH_OUTDATED,
            "refused-batch-outdated",
            format!(
                "less is due on expense {expense} than the batch pays, or the expense is undone"
            ),
        )
        .advise("Cancel the batch and make a new one."),
        BankError::NoPayee => Explanation::shown(
            catalogue::NO_PAYEE,
            "refused-no-payee",
            "neither the bill nor its contact has an IBAN to pay to",
        )
        .advise("Give `payTo` of the bill, or `iban` of the contact."),
        BankError::NothingDue => Explanation::shown(
            catalogue::NOTHING_DUE,
            "refused-nothing-due",
            "nothing is to be paid on the expense",
        ),
    }
}

// Long: one match over all refusals of bookings.
fn booking(error: BookingError) -> Explanation {
    let (kind, page_text, text) = match error {
        BookingError::AlreadyUndone => (
            catalogue::ALREADY_UNDONE,
            "refused-already-undone",
            "this was undone already (`undoneAt`) and stays so: there is nothing left to do; record it anew if it should count \
             after all",
        ),
        BookingError::HasParts => (
            catalogue::HAS_PARTS,
            "refused-has-parts",
            "something that belongs to this is not undone yet, such as a repayment of a loan, or a payment or write-off of \
             what was open when the books began; undo that first",
        ),
        BookingError::HasDocument => (
            // No request to the API should cause this error, so the API reports it as a defect.
            catalogue::INTERNAL,
            "refused-has-document",
            "a document or a return is behind this entry; take that back, and the entry is reversed with it",
        ),
        BookingError::HasOpeningBalance => (
            catalogue::HAS_OPENING_BALANCE,
            "refused-has-opening-balance",
            "the books have an opening balance already; undo it to enter another",
        ),
        BookingError::IsOpeningItem => (
            catalogue::IS_OPENING_ITEM,
            "refused-is-opening-item",
            "this was open when the books began, and only its amount is known here: it can be paid, and an invoice \
             credited, reminded of and written off; to change it, undo the opening balance and enter it anew",
        ),
        BookingError::IsAnAsset => (
            catalogue::IS_AN_ASSET,
            "refused-is-an-asset",
            "it bought an asset, and what it came to stands on the asset; undo the asset, and record it anew",
        ),
        BookingError::AlreadyDisposed => (
            catalogue::ALREADY_DISPOSED,
            "refused-already-disposed",
            "the asset was sold or written off already",
        ),
        BookingError::AccountInUse { .. } => (
            catalogue::ACCOUNT_IN_USE,
            "refused-account-in-use",
            "the ledger account has a balance, so it cannot be hidden; book the balance on another account first",
        ),
        BookingError::BankAccountInUse(_) => (
            catalogue::BANK_ACCOUNT_IN_USE,
            "refused-bank-account-in-use",
            "the bank account has a balance, so it cannot be archived; book the balance on another account first",
        ),
        BookingError::BankAccountHasLines(_) => (
            catalogue::BANK_ACCOUNT_IN_USE,
            "refused-bank-account-has-lines",
            "lines of the bank account wait to be booked, so it cannot be archived; book or ignore them first",
        ),
        BookingError::IsDefault => (
            catalogue::IS_DEFAULT,
            "refused-is-default",
            "the bank account is the default of its kind; make another one the default first",
        ),
        BookingError::AccountOfProgram(_) => (
            catalogue::ACCOUNT_IN_USE,
            "refused-account-of-program",
            "the program books on this ledger account, so it can be neither renamed nor hidden; add an account of your own instead",
        ),
        BookingError::ReceiptInUse => (
            catalogue::RECEIPT_IN_USE,
            "refused-receipt-in-use",
            "a journal entry was made from the receipt, so its file is kept (art. 52 AWR: seven years)",
        ),
    };
    Explanation::shown(kind, page_text, text)
}

fn time_tracking(error: TimeTrackingError) -> Explanation {
    match error {
        TimeTrackingError::NoTimer => {
            Explanation::shown(catalogue::NOT_FOUND, "refused-no-timer", "no timer runs")
                .advise("Start one with `POST /api/v1/timer`.")
        }
        TimeTrackingError::TimerRunning => Explanation::shown(
            catalogue::TIMER_RUNNING,
            "refused-timer-running",
            "a timer is running already; stop or discard it first",
        ),
        TimeTrackingError::ProjectArchived => Explanation::shown(
            catalogue::PROJECT_ARCHIVED,
            "refused-project-archived",
            "the project is archived; make it active again (`status: active`), or write the hours on another project",
        ),
        TimeTrackingError::AlreadyInvoiced => Explanation::shown(
            catalogue::ALREADY_INVOICED,
            "refused-already-invoiced",
            "the hours are on an invoice already; withdraw it while it is a draft (DELETE /api/v1/invoices/{id}), or credit it \
             when it is sent",
        ),
        TimeTrackingError::NothingToInvoice => Explanation::shown(
            catalogue::NOTHING_TO_INVOICE,
            "refused-nothing-to-invoice",
            "the project has no hours; write some on it first (POST /api/v1/time-entries)",
        ),
    }
}

fn access(error: &AccessError) -> Explanation {
    match error {
        AccessError::PlanRequired { minimum } => {
            Explanation::new(catalogue::PLAN_REQUIRED, format!("this needs the {} plan or a higher one", minimum.as_str()))
                .detail(format!("The API needs the {} plan or a higher one; the operator can change the plan.", minimum.as_str()))
        }
        AccessError::InsufficientScope(scope) => {
            Explanation::new(catalogue::INSUFFICIENT_SCOPE, format!("this needs the scope `{scope}`"))
                .detail(format!("This needs the scope `{scope}`; use a key or a token that carries it."))
        }
        AccessError::DutchAccountRequired => Explanation::new(
            catalogue::DUTCH_ACCOUNT_REQUIRED,
            "this is for accounts in the Netherlands only",
        )
        .advise(
            "What works for accounts of every country is reading, projects and the hours on them, the timer on a project, and \
             webhooks.",
        ),
        AccessError::TestAccountRequired => Explanation::new(
            catalogue::TEST_ACCOUNT_REQUIRED,
            "this is for test accounts only; send the key of one, which the page /api-access makes",
        ),
        AccessError::EmailTaken => {
            Explanation::new(catalogue::EMAIL_TAKEN, "there is an account with that e-mail address already; give another address")
        }
        AccessError::PageOnly => Explanation::new(
            catalogue::PAGE_ONLY,
            "only the owner can change this, on the pages, with a recent password: invoices print this IBAN, or it was set before",
        ),
        AccessError::WebhookDisabled => Explanation::shown(
            catalogue::WEBHOOK_DISABLED,
            "refused-webhook-disabled",
            "nothing is sent to this webhook: it is switched off; set `enabled` to true first",
        ),
    }
}

/// Adds a capital letter and a full stop.
pub(crate) fn sentence(text: &str) -> String {
    let mut chars = text.chars();
    let first = chars.next().map(char::to_uppercase);
    let rest = chars.as_str();
    format!("{}{rest}.", first.map(String::from_iter).unwrap_or_default())
}
