//! Events as the API shows them: what all have, and what each kind adds.

use crate::{moment::Moment, number::Amount, sales::invoice_body::WarningBody};
use jiff::civil::Date;
use ledger::{
    chart,
    entry::{Posting, SourceType},
    event::{Event, LOANS},
};
use schemars::JsonSchema;
use serde::Serialize;
use service::{events::EventDetails, open_items::OpenItemDetails};
use store::opening_items::OpenItemKind;
use web_core::input::{ACCRUAL_KINDS, OPEN_ITEM_KINDS, PRIVATE_KINDS, PRIVATE_USES, names};

/// A kind of event in the API.
pub(super) trait EventBody: Serialize + JsonSchema + Send + 'static {
    /// Its kind of source.
    const KIND: SourceType;
    /// Where it is, under `/api/v1`.
    const PATH: &'static str;

    /// How an event of the kind is shown; nothing for one of another kind.
    fn of(details: &EventDetails) -> Option<Self>
    where
        Self: Sized;
}

macro_rules! event_bodies {
    ($(
        $(#[$doc:meta])+
        $name:ident = $schema:literal $kind:ident $path:literal, |$details:ident| $pattern:pat => {
            $($(#[$field_doc:meta])+ $field:ident: $type:ty = $value:expr,)*
        }
    )*) => {
        $(
            $(#[$doc])+
            #[derive(Serialize, JsonSchema)]
            #[serde(rename_all = "camelCase")]
            #[schemars(rename = $schema)]
            pub(super) struct $name {
                /// Unique in the account, among events of all kinds.
                id: i64,
                /// Your own identifier.
                #[schemars(example = &"order-1001")]
                external_id: Option<String>,
                /// The day.
                date: Date,
                /// In the owner's own words.
                #[schemars(example = &"As agreed")]
                description: Option<String>,
                $($(#[$field_doc])+ $field: $type,)*
                /// The journal entries behind it, oldest first; those that took it back too.
                entry_ids: Vec<i64>,
                /// When it was undone; it counts no more then.
                undone_at: Option<Moment>,
                /// When it was recorded.
                created_at: Moment,
                /// When it last changed; a loan changes with its repayments.
                updated_at: Moment,
                /// What looks wrong with it, until it is undone or the VAT return of its quarter is due, or of the quarter in which it was
                /// recorded.
                warnings: Vec<WarningBody>,
            }

            impl EventBody for $name {
                const KIND: SourceType = SourceType::$kind;
                const PATH: &'static str = $path;

                fn of($details: &EventDetails) -> Option<Self> {
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
                        warnings: WarningBody::of_day($details.unusual),
                    })
                }
            }
        )*
    };
}

/// A line of an entry by hand.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "ManualEntryLine")]
pub(super) struct ManualLineBody {
    /// The account of the chart, four digits.
    #[schemars(regex(pattern = "^[0-9]{4}$"))]
    #[schemars(example = &"4610")]
    account: String,
    /// Its name in English.
    #[schemars(example = &"Bank costs")]
    account_name: &'static str,
    /// Euros on the debit side; 0.00 when it is on the other.
    debit: Amount,
    /// Euros on the credit side.
    credit: Amount,
}

impl From<&Posting> for ManualLineBody {
    fn from(posting: &Posting) -> Self {
        Self {
            account: posting.account().to_string(),
            account_name: chart::account(posting.account()).english,
            debit: Amount(posting.debited()),
            credit: Amount(posting.credited()),
        }
    }
}

/// What stands on an account when the books begin.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "OpeningBalanceAmount")]
pub(super) struct OpeningAmountBody {
    /// The account of the chart, four digits.
    #[schemars(regex(pattern = "^[0-9]{4}$"))]
    #[schemars(example = &"1100")]
    account: String,
    /// Its name in English.
    #[schemars(example = &"Bank")]
    account_name: &'static str,
    /// Debit less credit, in euros.
    amount: Amount,
}

impl From<&Posting> for OpeningAmountBody {
    fn from(posting: &Posting) -> Self {
        Self {
            account: posting.account().to_string(),
            account_name: chart::account(posting.account()).english,
            amount: Amount(posting.debited() - posting.credited()),
        }
    }
}

/// What was open when the books began.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "OpenItem")]
pub(super) struct OpenItemBody {
    /// `receivable`, an invoice; or `payable`, a bill.
    #[schemars(extend("enum" = names(OPEN_ITEM_KINDS)))]
    kind: &'static str,
    /// The invoice that a receivable is listed as.
    invoice_id: Option<i64>,
    /// The expense that a payable is listed as.
    expense_id: Option<i64>,
    /// The contact behind it.
    contact_id: Option<i64>,
    /// The customer's or supplier's name.
    #[schemars(example = &"Bakkerij De Korenaar")]
    contact: String,
    /// The number of the invoice or bill.
    #[schemars(example = &"2025-0041")]
    number: String,
    /// The day of the invoice or bill.
    date: Date,
    /// The last day to pay.
    due_date: Date,
    /// What was open when the books began, including VAT.
    amount: Amount,
    /// What is still open.
    amount_due: Amount,
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
        }
    }
}

/// The accounts of loans.
fn loan_codes() -> Vec<String> {
    LOANS.iter().map(ToString::to_string).collect()
}

/// The accounts of the business that money moves between.
const ACCOUNT_NAMES: [&str; 4] = ["bank", "savings", "cash", "card"];

event_bodies! {
    /// An entry made by hand.
    ManualEntryBody = "ManualEntry" Manual "/manual-entries", |details| Event::ByHand { .. } => {
        /// Its lines; debits and credits add up to the same.
        lines: Vec<ManualLineBody> = details.postings().iter().map(ManualLineBody::from).collect(),
    }

    /// What the books begin with.
    OpeningBalanceBody = "OpeningBalance" OpeningBalance "/opening-balance", |details| Event::OpeningBalance { .. } => {
        /// What stands on each account, the owner's equity (0500) among them; together they come to nought.
        balances: Vec<OpeningAmountBody> = details.postings().iter().map(OpeningAmountBody::from).collect(),
        /// What was open then, item by item; its sums stand on 1300 and 1600.
        open_items: Vec<OpenItemBody> = details.open_items.iter().map(OpenItemBody::from).collect(),
    }

    /// Money moved between accounts of the business.
    TransferBody = "Transfer" Transfer "/transfers", |details| Event::Transfer { from, to, amount, arrived } => {
        /// Where it left.
        #[schemars(extend("enum" = ACCOUNT_NAMES))]
        from: &'static str = from.as_str(),
        /// Where it came in.
        #[schemars(extend("enum" = ACCOUNT_NAMES))]
        to: &'static str = to.as_str(),
        /// Euros.
        amount: Amount = Amount(*amount),
        /// The day on which it came in.
        arrived: Date = *arrived,
    }

    /// Private money, taken out or put in, and private taxes and premiums that the business paid.
    PrivateBookingBody = "PrivateBooking" PrivateBooking "/private-bookings", |details| Event::Private { kind, amount, method } => {
        /// What it was for.
        #[schemars(extend("enum" = names(PRIVATE_KINDS)))]
        kind: &'static str = kind.as_str(),
        /// Euros; below 0.00 where it was paid back.
        amount: Amount = Amount(*amount),
        /// The account of the business.
        #[schemars(extend("enum" = ACCOUNT_NAMES))]
        method: &'static str = method.as_str(),
    }

    /// Revenue or a cost of this period that is invoiced or paid in another.
    AccrualBody = "Accrual" Accrual "/accruals", |details| Event::Accrual { kind, account, amount, reverse_on } => {
        /// What it is.
        #[schemars(extend("enum" = names(ACCRUAL_KINDS)))]
        kind: &'static str = kind.as_str(),
        /// The account of the revenue or the cost.
        #[schemars(regex(pattern = "^[0-9]{4}$"))]
        #[schemars(example = &"8000")]
        account: String = account.to_string(),
        /// Euros, excluding VAT.
        amount: Amount = Amount(*amount),
        /// The day on which it is taken back.
        reverse_on: Date = *reverse_on,
    }

    /// A loan that was drawn.
    LoanBody = "Loan" Loan "/loans", |details| Event::Loan { account, amount, method } => {
        /// `0700` of a bank, `0710` of others.
        #[schemars(extend("enum" = loan_codes()))]
        account: String = account.to_string(),
        /// Euros.
        amount: Amount = Amount(*amount),
        /// Where the money came in.
        #[schemars(extend("enum" = ACCOUNT_NAMES))]
        method: &'static str = method.as_str(),
        /// What was repaid.
        amount_repaid: Amount = Amount(details.repaid),
        /// What is still owed; 0.00 when it was undone.
        amount_owed: Amount = Amount(details.owed()),
    }

    /// A loan repaid, wholly or in part, and interest on it.
    RepaymentBody = "LoanRepayment" LoanRepayment "/loans", |details| Event::LoanRepayment { principal, interest, method, .. } => {
        /// The loan.
        loan_id: i64 = details.stored.parent_id.unwrap_or_default(),
        /// What is owed less.
        principal: Amount = Amount(*principal),
        /// The interest.
        interest: Amount = Amount(*interest),
        /// Where it was paid from.
        #[schemars(extend("enum" = ACCOUNT_NAMES))]
        method: &'static str = method.as_str(),
    }

    /// Something of the business used privately (box 1d).
    PrivateUseBody = "PrivateUse" PrivateUse "/private-use", |details| Event::PrivateUse { kind, vat, base } => {
        /// What is used privately.
        #[schemars(extend("enum" = names(PRIVATE_USES)))]
        kind: &'static str = kind.as_str(),
        /// The VAT that is due on it.
        vat: Amount = Amount(*vat),
        /// Of a car: what is added to the profit. Of goods: their value, excluding VAT.
        base: Option<Amount> = base.map(Amount),
    }
}
