//! Why a command was refused: sentences without capital letter and full stop.

use super::storage;
use service::{Error, invoice_documents::Cause, people::Refusal};

/// Why something was not done, and mostly what to do about it, as a sentence without capital letter and full stop.
#[must_use]
// Long: one match over all errors.
pub fn refusal(error: &Error) -> String {
    match error {
        Error::NotFound(what) => format!("there is no such {what} in this account"),
        Error::Invalid(faults) => format!("{} of the values given cannot be used", faults.len()),
        Error::PeriodFiled(of) => format!("the VAT return of {} quarter {} is filed", of.year(), of.number()),
        Error::FiledAlready(of) => {
            format!("the VAT return of {} quarter {} is filed already; open it again first to file it anew", of.year(), of.number())
        }
        Error::PeriodNotFiled(of) => format!("the VAT return of {} quarter {} is not filed", of.year(), of.number()),
        Error::CorrectionTooLarge { period, vat } => format!(
            "with this the corrections of {} quarter {} come to {vat} of VAT, and a later return may carry at most 1000.00 of them",
            period.year(),
            period.number()
        ),
        Error::YearClosed(year) => format!("the year {year} is closed"),
        Error::YearNotClosed(year) => format!("the year {year} is not closed"),
        Error::YearNotOver(year) => format!("the year {year} is not over yet; it can be closed from 1 January on"),
        Error::PeriodNotOver(of) => format!(
            "{} quarter {} is not over yet; its return can be filed from the day after its last",
            of.year(),
            of.number()
        ),
        Error::NotADraft => {
            "the invoice is sent; only a draft can be edited or withdrawn, a sent invoice is corrected with a credit note".into()
        }
        Error::Cancelled => {
            "the draft was cancelled, so it is not sent, paid or credited; its number stays used, and a new invoice takes the next".into()
        }
        Error::IdempotencyKeyReused => "another request was carried out under this Idempotency-Key".into(),
        Error::Changed => "it has changed meanwhile; read it again and apply the change to what it is now".into(),
        Error::IsWrittenOff => "something of the invoice is written off; undo the write-off before crediting it".into(),
        Error::IsADraft => "the invoice is still a draft; send it first".into(),
        Error::IsACreditNote => {
            "this is a credit note, which can be neither paid nor credited; name the invoice that it credits".into()
        }
        Error::IsAnAsset => "it bought an asset, and what it came to stands on the asset; undo the asset, and record it anew".into(),
        Error::AlreadyDisposed => "the asset was sold or written off already".into(),
        Error::ReceiptInUse => {
            "a journal entry was made from the receipt, so its file is kept (art. 52 AWR: seven years)".into()
        }
        Error::NotExpressible(why) => format!("this cannot be an e-invoice: {}", not_expressible(&why.0)),
        Error::AlreadyCredited => {
            "the invoice is wholly credited already; if something is to be paid after all, make a new invoice".into()
        }
        Error::IsSetOff => {
            "what remains of this prepayment is set off by a final invoice; credit or withdraw that one first".into()
        }
        Error::AlreadyUndone => {
            "this was undone already (`undoneAt`) and stays so: there is nothing left to do; record it anew if it should count after all".into()
        }
        Error::HasParts => "something that belongs to this is not undone yet, such as a repayment of a loan, or a payment or write-off of what was open when the books began; undo that first".into(),
        Error::PaidBack => "some of this payment was paid back to the customer; undo that refund first".into(),
        Error::HasDocument => {
            "a document or a return is behind this entry; take that back, and the entry is reversed with it".into()
        }
        Error::HasOpeningBalance => "the books have an opening balance already; undo it to enter another".into(),
        Error::IsOpeningItem => "this was open when the books began, and only its amount is known here: it can be paid, and an invoice reminded of and written off; to change it, undo the opening balance and enter it anew".into(),
        Error::NoTimer => "no timer runs".into(),
        Error::ProjectArchived => {
            "the project is archived; make it active again (`status: active`), or write the hours on another project".into()
        }
        Error::AlreadyInvoiced => {
            "the hours are on an invoice already; withdraw it while it is a draft (DELETE /api/v1/invoices/{id}), or credit it when it is sent".into()
        }
        Error::NothingToInvoice => "the project has no hours; write some on it first (POST /api/v1/time-entries)".into(),
        Error::WebhookDisabled => {
            "nothing is sent to this webhook: it is switched off; set `enabled` to true first".into()
        }
        Error::TimerRunning => "a timer is running already; stop or discard it first".into(),
        Error::PlanRequired { minimum } => format!("this needs the {} plan or a higher one", minimum.as_str()),
        Error::InsufficientScope(scope) => format!("this needs the scope `{scope}`"),
        Error::DutchAccountRequired => "this is for accounts in the Netherlands only".into(),
        Error::TestAccountRequired => {
            "this is for test accounts only; send the key of one, which the page /api-access makes".into()
        }
        Error::EmailTaken => "there is an account with that e-mail address already; give another address".into(),
        Error::Refused(refusal) => of_person(*refusal).into(),
        Error::Internal(what) => format!("a rule of the books was about to be broken: {what}"),
        Error::TooManyMails { most } => format!(
            "the account sent {most} mails about invoices in the last 24 hours, which is as many as it may; send this one tomorrow, or in another way"
        ),
        Error::RemindedRecently { from } => format!(
            "the customer was reminded of this invoice less than a day ago; the next reminder can go from {from} on"
        ),
        Error::Busy(what) => format!("too many {what} are under way"),
        Error::Store(error) => storage(error),
    }
}

/// Why a person cannot do something just now.
fn of_person(refusal: Refusal) -> &'static str {
    match refusal {
        Refusal::LinkSpent => "this link does not work any more: it was used before, or is too old; ask for a new one",
        Refusal::EmailUnconfirmed => "confirm your e-mail address first; the link to do so is in your mailbox",
        Refusal::PasswordChanged => "the password was changed meanwhile; sign in again",
        Refusal::SignedOut => "you are signed out; sign in again",
        Refusal::WrongCode => "this code is not right, or was used before; wait for the next one",
        Refusal::SecondFactorOn => "a second factor is set up already",
        Refusal::SecondFactorOff => "no second factor is set up",
        Refusal::NoEncryptionKey => "the second factor is not available: the operator must give the server its secret file",
    }
}

/// What has to be done before an invoice can be an e-invoice.
pub(super) fn not_expressible(causes: &[Cause]) -> String {
    let causes: Vec<&str> = causes.iter().copied().map(cause).collect();
    causes.join("; ")
}

fn cause(cause: Cause) -> &'static str {
    match cause {
        Cause::Draft => "send the invoice first: a draft is no e-invoice",
        Cause::MixesOutOfScope => "split the invoice in two: lines with and without Dutch VAT cannot stand on one e-invoice",
        Cause::SellerAddressMissing => "complete your own address (street, postal code and city)",
        Cause::SellerKvkMissing => "add your own KvK number",
        Cause::SellerVatNumberMissing => "add your own VAT number (btw-id)",
        Cause::BuyerVatNumberMissing => "add the customer's VAT number: the VAT is reverse-charged or the supply intra-Community",
    }
}
