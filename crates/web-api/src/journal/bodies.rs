//! Bodies of events: the fields common to all kinds, and those of each kind.

use super::bank_accounts::{id_of, word};
use crate::{
    moment::Moment,
    number::{Amount, Number},
    resource::Key,
    sales::invoice_body::WarningBody,
};
use jiff::civil::Date;
use ledger::{
    booking::MoneyAccount,
    entry::{Posting, SourceType},
    event::{AccrualKind, Event, LOANS, PremiumKind, PrivateKind, PrivateUseKind},
    language::Language,
    own_account::OwnAccounts,
};
use schemars::JsonSchema;
use serde::Serialize;
use service::{events::EventDetails, open_items::OpenItemDetails};
use store::opening_items::{OpenItemKind, OpeningVat};
use web_core::input::{OPEN_ITEM_KINDS, names, names_of, or_null};

/// Representation of a kind of event.
pub(super) trait EventBody: Serialize + JsonSchema + Sized + Send + Sync + 'static {
    /// Key of an event of the kind.
    type Key: Key;

    /// Kind of source.
    const KIND: SourceType;
    /// Path of an event under `/api/v1`.
    const PATH: &'static str;

    /// Returns the key.
    fn key(&self) -> Self::Key;
    /// Returns the representation of an event; `None` if the event is of another kind.
    fn of(details: &EventDetails, own: &OwnAccounts) -> Option<Self>;
}

macro_rules! event_bodies {
    ($(
        $(#[$doc:meta])+
        $name:ident = $schema:literal $kind:ident $path:literal, $key:ty = |$body:ident| $key_value:expr,
        |$details:ident, $own:ident| $pattern:pat => {
            $($(#[$field_doc:meta])+ $field:ident: $type:ty = $value:expr,)*
        }
    )*) => {
        $(
            $(#[$doc])+
            #[derive(Serialize, JsonSchema)]
            #[serde(rename_all = "camelCase")]
            #[schemars(rename = $schema)]
            pub(super) struct $name {
                /// Id, unique within the account among events of all kinds.
                id: i64,
                /// Your own identifier.
                #[schemars(example = &"order-1001")]
                external_id: Option<String>,
                /// Date of the booking.
                date: Date,
                /// Description by the owner.
                #[schemars(example = &"As agreed")]
                description: Option<String>,
                $($(#[$field_doc])+ $field: $type,)*
                /// Ids of the journal entries, oldest first, including reversals.
                entry_ids: Vec<i64>,
                /// Time at which the event was undone. Undone events remain listed, but their
                /// entries are reversed.
                undone_at: Option<Moment>,
                /// Time of creation.
                created_at: Moment,
                /// Time of the last change, including repayments of a loan.
                updated_at: Moment,
                /// Warnings about unusual data. They are reported until the event is undone, or
                /// until the filing deadline for the quarter of its date or the quarter in which it
                /// was recorded, whichever is later.
                warnings: Vec<WarningBody>,
            }

            impl EventBody for $name {
                type Key = $key;

                const KIND: SourceType = SourceType::$kind;
                const PATH: &'static str = $path;

                fn key(&self) -> $key {
                    let $body = self;
                    $key_value
                }

                fn of($details: &EventDetails, $own: &OwnAccounts) -> Option<Self> {
                    let $pattern = &$details.stored.event else { return None };
                    Some(Self {
                        id: $details.stored.id,
                        external_id: $details.stored.external_id.clone(),
                        date: $details.stored.date,
                        description: $details.stored.description.clone(),
                        $($field: $value,)*
                        entry_ids: $details.entries.iter().map(|stored| stored.id).collect(),
                        undone_at: $details.stored.undone_at.map(Moment),
                        created_at: Moment($details.stored.created_at),
                        updated_at: Moment($details.stored.updated_at),
                        warnings: WarningBody::of_event($details),
                    })
                }
            }
        )*
    };
}

/// A line of a manual entry.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "ManualEntryLine")]
pub(super) struct ManualLineBody {
    /// Code of the ledger account, four digits.
    #[schemars(regex(pattern = "^[0-9]{4}$"))]
    #[schemars(example = &"4610")]
    account: String,
    /// Name of the ledger account: in English, or as you named an account of your own.
    #[schemars(example = &"Bank costs")]
    account_name: String,
    /// Debit amount in euros; 0.00 for a credit line.
    debit: Amount,
    /// Credit amount in euros; 0.00 for a debit line.
    credit: Amount,
}

impl ManualLineBody {
    fn new(posting: &Posting, own: &OwnAccounts) -> Self {
        Self {
            account: posting.account().to_string(),
            account_name: own.name(posting.account(), Language::English).to_owned(),
            debit: Amount(posting.debited()),
            credit: Amount(posting.credited()),
        }
    }
}

/// Balance of a ledger account at the start of the books.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "OpeningBalanceAmount")]
pub(super) struct OpeningAmountBody {
    /// Code of the ledger account, four digits.
    #[schemars(regex(pattern = "^[0-9]{4}$"))]
    #[schemars(example = &"1100")]
    account: String,
    /// Name of the ledger account: in English, or as you named an account of your own.
    #[schemars(example = &"Bank")]
    account_name: String,
    /// Debit less credit, in euros.
    amount: Amount,
}

impl OpeningAmountBody {
    fn new(posting: &Posting, own: &OwnAccounts) -> Self {
        Self {
            account: posting.account().to_string(),
            account_name: own.name(posting.account(), Language::English).to_owned(),
            amount: Amount(posting.debited() - posting.credited()),
        }
    }
}

/// An item that was open at the start of the books.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "OpenItem")]
pub(super) struct OpenItemBody {
    /// `receivable` for an invoice, `payable` for a bill.
    #[schemars(extend("enum" = names(OPEN_ITEM_KINDS)))]
    kind: &'static str,
    /// Id of the invoice that represents a receivable.
    invoice_id: Option<i64>,
    /// Id of the expense that represents a payable.
    expense_id: Option<i64>,
    /// Id of the contact.
    contact_id: Option<i64>,
    /// Name of the customer or supplier.
    #[schemars(example = &"Bakkerij De Korenaar")]
    contact: String,
    /// Number of the invoice or bill.
    #[schemars(example = &"2025-0041")]
    number: String,
    /// Date of the invoice or bill.
    date: Date,
    /// Last day to pay.
    due_date: Date,
    /// Amount open at the start of the books, including VAT.
    amount: Amount,
    /// Amount still open.
    amount_due: Amount,
    /// Total of the invoice including VAT; null if it is the open amount.
    total: Option<Amount>,
    /// Last day of supply.
    supply_date: Option<Date>,
    /// VAT of the whole invoice by rate; empty if it is unknown.
    vat: Vec<OpeningVatBody>,
}

/// VAT of an open item at one rate.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "OpenItemVat")]
struct OpeningVatBody {
    /// VAT rate in per cent.
    rate: Number,
    /// Amount excluding VAT.
    base: Amount,
    /// VAT.
    amount: Amount,
}

impl From<OpeningVat> for OpeningVatBody {
    fn from(line: OpeningVat) -> Self {
        Self {
            rate: Number(line.rate.percent()),
            base: Amount(line.base),
            amount: Amount(line.amount),
        }
    }
}

impl From<&OpenItemDetails> for OpenItemBody {
    fn from(details: &OpenItemDetails) -> Self {
        let item = &details.item;
        let of = |kind| (item.kind == kind).then_some(item.document_id);
        Self {
            kind: item.kind.as_str(),
            invoice_id: of(OpenItemKind::Receivable),
            expense_id: of(OpenItemKind::Payable),
            contact_id: details.contact_id,
            contact: details.party.clone(),
            number: item.number.clone(),
            date: details.date,
            due_date: item.due_date,
            amount: Amount(details.amount),
            amount_due: Amount(details.amount_due),
            total: item.total.map(Amount),
            supply_date: item.supply_date,
            vat: item.vat_lines().into_iter().map(Into::into).collect(),
        }
    }
}

/// Returns the codes of the ledger accounts for loans.
fn loan_codes() -> Vec<String> {
    LOANS.iter().map(ToString::to_string).collect()
}

/// Accounts of the business between which money can be transferred.
const ACCOUNTS: [MoneyAccount; 4] =
    [MoneyAccount::Bank, MoneyAccount::Savings, MoneyAccount::Cash, MoneyAccount::Card];

event_bodies! {
    /// An entry made by hand.
    ManualEntryBody = "ManualEntry" Manual "/manual-entries/{id}", i64 = |body| body.id,
    |details, own| Event::ByHand { .. } => {
        /// Lines; debits and credits balance.
        lines: Vec<ManualLineBody> = details.postings().iter().map(|posting| ManualLineBody::new(posting, own)).collect(),
    }

    /// The opening balance of the books.
    OpeningBalanceBody = "OpeningBalance" OpeningBalance "/opening-balance/{id}", i64 = |body| body.id,
    |details, own| Event::OpeningBalance { .. } => {
        /// Balances of the ledger accounts, including the owner's equity (0500). They add up to
        /// zero.
        balances: Vec<OpeningAmountBody> = details.postings().iter().map(|posting| OpeningAmountBody::new(posting, own)).collect(),
        /// Open items. The receivables add up to the balance of account 1300, the payables to the
        /// balance of account 1600.
        open_items: Vec<OpenItemBody> = details.open_items.iter().map(OpenItemBody::from).collect(),
    }

    /// A transfer of money between accounts of the business.
    TransferBody = "Transfer" Transfer "/transfers/{id}", i64 = |body| body.id,
    |details, own| Event::Transfer { from, to, amount, arrived, awaited } => {
        /// Account that the money leaves.
        #[schemars(extend("enum" = names_of(&ACCOUNTS)))]
        from: &'static str = word(*from, &ACCOUNTS),
        /// Id of the bank account that the money leaves.
        from_bank_account_id: Option<i64> = id_of(own, *from),
        /// Account that receives the money.
        #[schemars(extend("enum" = names_of(&ACCOUNTS)))]
        to: &'static str = word(*to, &ACCOUNTS),
        /// Id of the bank account that receives the money.
        to_bank_account_id: Option<i64> = id_of(own, *to),
        /// Amount in euros.
        amount: Amount = Amount(*amount),
        /// Date of arrival; the date of the transfer while it is awaited.
        arrived: Date = *arrived,
        /// Whether only one half is booked, by the line of its bank account. The other half is booked
        /// with its line.
        #[schemars(example = &false)]
        awaited: bool = awaited.is_some(),
    }

    /// Private money withdrawn or deposited, or private taxes and premiums paid by the business.
    PrivateBookingBody = "PrivateBooking" PrivateBooking "/private-bookings/{id}", i64 = |body| body.id,
    |details, own| Event::Private { kind, amount, method, premium } => {
        /// Purpose.
        #[schemars(extend("enum" = names_of(PrivateKind::ALL)))]
        kind: &'static str = kind.as_str(),
        /// Amount in euros; negative if repaid.
        amount: Amount = Amount(*amount),
        /// Account of the business.
        #[schemars(extend("enum" = names_of(&ACCOUNTS)))]
        method: &'static str = word(*method, &ACCOUNTS),
        /// Id of the bank account.
        bank_account_id: Option<i64> = id_of(own, *method),
        /// Kind of a premium; null for the other kinds, and if it is unknown.
        #[schemars(extend("enum" = or_null(names_of(PremiumKind::ALL))))]
        premium: Option<&'static str> = premium.map(PremiumKind::as_str),
    }

    /// Revenue or a cost of this period that is invoiced or paid in another period.
    AccrualBody = "Accrual" Accrual "/accruals/{id}", i64 = |body| body.id,
    |details, _own| Event::Accrual { kind, account, amount, reverse_on } => {
        /// Kind of accrual.
        #[schemars(extend("enum" = names_of(AccrualKind::ALL)))]
        kind: &'static str = kind.as_str(),
        /// Ledger account of the revenue or the cost.
        #[schemars(regex(pattern = "^[0-9]{4}$"))]
        #[schemars(example = &"8000")]
        account: String = account.to_string(),
        /// Amount in euros, excluding VAT.
        amount: Amount = Amount(*amount),
        /// Date of the reversal.
        reverse_on: Date = *reverse_on,
    }

    /// A loan to the business.
    LoanBody = "Loan" Loan "/loans/{id}", i64 = |body| body.id,
    |details, own| Event::Loan { account, amount, method } => {
        /// `0700` for a loan from a bank, `0710` for other loans.
        #[schemars(extend("enum" = loan_codes()))]
        account: String = account.to_string(),
        /// Amount in euros.
        amount: Amount = Amount(*amount),
        /// Account that receives the money.
        #[schemars(extend("enum" = names_of(&ACCOUNTS)))]
        method: &'static str = word(*method, &ACCOUNTS),
        /// Id of the bank account.
        bank_account_id: Option<i64> = id_of(own, *method),
        /// Amount repaid.
        amount_repaid: Amount = Amount(details.repaid),
        /// Amount owed; 0.00 if the loan was undone.
        amount_owed: Amount = Amount(details.owed()),
    }

    /// A repayment of a loan, and interest on it.
    RepaymentBody = "LoanRepayment" LoanRepayment "/loans/{id}/repayments/{repaymentId}", (i64, i64) = |body| (body.loan_id, body.id),
    |details, own| Event::LoanRepayment { principal, interest, method, .. } => {
        /// Id of the loan.
        loan_id: i64 = details.stored.parent_id.unwrap_or_default(),
        /// Principal repaid.
        principal: Amount = Amount(*principal),
        /// Interest paid.
        interest: Amount = Amount(*interest),
        /// Account that the payment was made from.
        #[schemars(extend("enum" = names_of(&ACCOUNTS)))]
        method: &'static str = word(*method, &ACCOUNTS),
        /// Id of the bank account.
        bank_account_id: Option<i64> = id_of(own, *method),
    }

    /// Private use of goods, services or a car of the business (box 1d).
    PrivateUseBody = "PrivateUse" PrivateUse "/private-use/{id}", i64 = |body| body.id,
    |details, _own| Event::PrivateUse { kind, vat, base } => {
        /// Kind of private use.
        #[schemars(extend("enum" = names_of(PrivateUseKind::ALL)))]
        kind: &'static str = kind.as_str(),
        /// VAT due on the private use.
        vat: Amount = Amount(*vat),
        /// For a car, the addition to the profit. For goods, their value excluding VAT.
        base: Option<Amount> = base.map(Amount),
    }
}
