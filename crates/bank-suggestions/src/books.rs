//! Open items of the books, and other facts that suggestions are derived from.

use crate::{
    rule::Rule,
    suggestion::{ReturnPeriod, Template},
};
use jiff::civil::Date;
use ledger::{identifiers::Iban, money::Cents, vat_period::VatPeriod};

/// Facts of the books of one account, as of one moment.
#[derive(Clone, Debug, Default)]
pub struct Books {
    /// Bank accounts of the books.
    pub bank_accounts: Vec<OwnAccount>,
    /// Customers and suppliers.
    pub contacts: Vec<Contact>,
    /// Open invoices, refunds due and unpaid bills.
    pub items: Vec<Item>,
    /// Invoices that are paid in full, with the amount of a line.
    pub paid_invoices: Vec<PaidInvoice>,
    /// Filed VAT returns that are not settled.
    pub returns: Vec<FiledReturn>,
    /// VAT returns of periods that are over, which are not filed.
    pub due_returns: Vec<DueReturn>,
    /// Postings on bank accounts that belong to no bank line.
    pub postings: Vec<Posting>,
    /// Transfers between own accounts of which one line is missing.
    pub transfers: Vec<AwaitedTransfer>,
    /// New lines of all bank accounts: a line may be the other half of a transfer, or a rival for
    /// the same half or posting.
    pub lines: Vec<NewLine>,
    /// Payment batches that are downloaded and not paid.
    pub batches: Vec<PaymentBatch>,
    /// Payment providers with a balance.
    pub providers: Vec<Provider>,
    /// Booked lines and refused suggestions, from old to new.
    pub history: Vec<Precedent>,
    /// Rules, ordered by position.
    pub rules: Vec<Rule>,
    /// Last day of the last closed year.
    pub closed_until: Option<Date>,
    /// First and last days of the periods whose VAT return is filed.
    pub filed: Vec<(Date, Date)>,
}

/// Bank account of the books.
#[derive(Clone, Debug)]
pub struct OwnAccount {
    /// Unique within the account.
    pub id: i64,
    /// IBAN.
    pub iban: Option<Iban>,
    /// Other numbers of the account in files of banks.
    pub identifiers: Vec<String>,
    /// Name that the user gave the account.
    pub name: Option<String>,
    /// Whether it is a savings account in use.
    pub is_savings: bool,
}

/// Customer or supplier.
#[derive(Clone, Debug)]
pub struct Contact {
    /// Unique within the account.
    pub id: i64,
    /// Names: of the business, of the person, on bank accounts.
    pub names: Vec<String>,
    /// IBANs that the user entered, or that a booking by a person confirmed.
    pub ibans: Vec<Iban>,
}

/// Kind of open item.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ItemKind {
    /// Invoice to a customer.
    Invoice,
    /// Amount owed back to a customer.
    Refund,
    /// Bill of a supplier; its credit note has a negative amount due.
    Bill,
}

/// Invoice, refund or bill that is not settled.
#[derive(Clone, Debug)]
pub struct Item {
    /// Kind.
    pub kind: ItemKind,
    /// Id of the invoice or of the expense.
    pub id: i64,
    /// Customer or supplier.
    pub contact: Option<i64>,
    /// Date of the document.
    pub date: Date,
    /// Amount due; negative for the credit note of a supplier only.
    pub due: Cents,
    /// Numbers: of the invoice, its credit notes, or the supplier's.
    pub numbers: Vec<String>,
    /// Other references: the customer's, the payment reference, end-to-end ids of own payments.
    pub references: Vec<String>,
    /// Payments of a bill that the bank was asked to make: end-to-end id and amount, which may be
    /// less than what is due.
    pub orders: Vec<(String, Cents)>,
    /// Account that the bill asks to pay to.
    pub pay_to: Option<Iban>,
    /// Whether a payment changes a box of the VAT return, as with cash accounting.
    pub has_box: bool,
}

impl Item {
    /// Returns the amount of a line that settles the item: positive if money comes in.
    #[must_use]
    pub fn flow(&self) -> Cents {
        match self.kind {
            ItemKind::Invoice => self.due,
            ItemKind::Refund | ItemKind::Bill => -self.due,
        }
    }
}

/// Invoice that is paid in full. Its customer may pay it once more.
#[derive(Clone, Debug)]
pub struct PaidInvoice {
    /// Unique within the account.
    pub id: i64,
    /// Customer.
    pub contact: Option<i64>,
    /// Invoice date.
    pub date: Date,
    /// Amount that was paid.
    pub amount: Cents,
    /// Number.
    pub number: String,
}

/// Filed VAT return that is not settled.
#[derive(Clone, Copy, Debug)]
pub struct FiledReturn {
    /// Period.
    pub period: ReturnPeriod,
    /// Declared amount that is not paid yet; negative if the tax office owes it.
    pub payable: Cents,
}

/// VAT return that can be filed and is not.
#[derive(Clone, Copy, Debug)]
pub struct DueReturn {
    /// Period.
    pub period: VatPeriod,
    /// Amount that the return would declare, less payments; negative if the tax office owes it.
    pub payable: Cents,
}

/// Posting on a bank account that belongs to no bank line.
#[derive(Clone, Copy, Debug)]
pub struct Posting {
    /// Entry that contains the posting.
    pub entry: i64,
    /// Bank account.
    pub bank_account: i64,
    /// Date of the entry.
    pub date: Date,
    /// Amount; negative if money went out.
    pub amount: Cents,
}

/// Transfer between own accounts that was booked on one account and is awaited on the other.
#[derive(Clone, Copy, Debug)]
pub struct AwaitedTransfer {
    /// Unique within the account.
    pub id: i64,
    /// Bank account with the booked line.
    pub booked_on: i64,
    /// Bank account with the awaited line.
    pub awaited_on: i64,
    /// Date of the booked line.
    pub date: Date,
    /// Amount of the awaited line, with its sign.
    pub amount: Cents,
}

/// New line of a bank account.
#[derive(Clone, Copy, Debug)]
pub struct NewLine {
    /// Unique within the account.
    pub id: i64,
    /// Bank account of the books.
    pub bank_account: i64,
    /// Booking date.
    pub date: Date,
    /// Amount; negative if money went out.
    pub amount: Cents,
}

/// Downloaded payment file that is not wholly paid.
#[derive(Clone, Debug)]
pub struct PaymentBatch {
    /// Message id in the file.
    pub reference: String,
    /// Bank account that pays.
    pub bank_account: i64,
    /// Unpaid items: id of the expense, and amount.
    pub items: Vec<(i64, Cents)>,
}

/// Payment provider that pays out what customers paid.
#[derive(Clone, Debug)]
pub struct Provider {
    /// Bank account of the books with the balance at the provider.
    pub bank_account: i64,
    /// Names on bank lines.
    pub names: Vec<String>,
    /// IBANs of payouts so far.
    pub ibans: Vec<Iban>,
    /// Payments that are not paid out yet, from old to new.
    pub payments: Vec<Cents>,
}

/// Earlier decision of a user on a bank line.
#[derive(Clone, Debug)]
pub struct Precedent {
    /// Whether money came in.
    pub is_in: bool,
    /// Name of the counterparty.
    pub name: Option<String>,
    /// IBAN of the counterparty.
    pub iban: Option<String>,
    /// Creditor identifier of a direct debit.
    pub creditor_id: Option<String>,
    /// Decision.
    pub decision: Decision,
}

/// Decision of a user on a bank line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Decision {
    /// The line was booked with one allocation that another line can repeat.
    Booked(Template),
    /// The line was booked in another way: on an invoice or a bill, or with several allocations.
    Other,
    /// The suggestion to repeat this allocation was refused.
    Refused(Template),
}
