//! Expenses: purchases with their VAT. Recording, editing, paying, undoing and querying them.

mod edit;
mod opening;
mod prospect;
mod read;
mod record;
mod settle;

pub(crate) use edit::deduct;
pub use edit::{EditExpense, edit, undo};
pub(crate) use edit::{take_back, undo_on};
pub(crate) use opening::{OpenBill, close, open};
pub use prospect::{CountsIn, Prospect, prospect};
pub(crate) use read::price_again;
pub use read::{
    Dossier, Table, dossier, find_by_external_id, list, list_payments, read, read_payment, table,
};
pub(crate) use record::book;
pub use record::{NewExpense, price, record};
pub use settle::{NewExpensePayment, find_payment_by_external_id, pay, repay_vat, undo_payment};
pub(crate) use settle::{to_repay, undo_payment_on};
pub use store::expenses::{Bill, PayTo};

use crate::{BookingError, Context, Error, Fault, Reason, days};
use jiff::{ToSpan, civil::Date};
use ledger::{
    booking::{self, MoneyAccount, Purchase},
    chart::AccountCode,
    description::{Description, DescriptionKind, ReceiptHash},
    entry::{JournalEntry, Source, SourceType},
    identifiers::{Bic, Iban},
    money::Cents,
    own_account::OwnAccounts,
    purchase::{
        self, ASSET_THRESHOLD, BusinessShare, Deduction, LineAmounts, PricedPurchase, PurchaseLine,
        VatTreatment,
    },
    unusual_day::UnusualDay,
    vat::VatRate,
};
use store::{
    Tx, contacts as contact_rows,
    expenses::{self as rows, Expense},
    receipts as receipt_rows,
};

/// Input for an expense line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExpenseLine {
    /// Cost account.
    pub category: AccountCode,
    /// Amount in euro cents; negative on a credit note from the supplier.
    pub amount: Cents,
    /// VAT treatment.
    pub treatment: VatTreatment,
    /// VAT rate, which must exist on the date of the document; ignored if the treatment has no
    /// rate.
    pub rate: Option<VatRate>,
    /// Whether the amount includes VAT.
    pub includes_vat: bool,
    /// VAT as printed on the document, if it is known.
    pub vat: Option<Cents>,
}

impl ExpenseLine {
    /// Returns the purchase line to price, without values that do not apply to the VAT treatment.
    #[must_use]
    pub fn to_purchase_line(&self) -> PurchaseLine {
        PurchaseLine {
            category: self.category,
            amount: self.amount,
            treatment: self.treatment,
            rate: self.rate.filter(|_| self.treatment.has_rate()).unwrap_or(VatRate::ZERO),
            includes_vat: self.includes_vat && self.treatment == VatTreatment::Normal,
            printed_vat: self.vat.filter(|_| self.treatment.has_printed_vat()),
        }
    }
}

/// Period that a purchase covers. Either both days are set or neither.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Covered {
    /// First day.
    pub from: Option<Date>,
    /// Last day.
    pub until: Option<Date>,
}

impl Covered {
    /// Returns the fault of a period with only one of its days, or whose last day is before its
    /// first.
    fn fault(self) -> Option<Fault> {
        match (self.from, self.until) {
            (Some(from), Some(until)) if until < from => {
                Some(Fault::new("/periodUntil", Reason::DayBefore { day: from }))
            }
            (Some(_), None) => Some(Fault::new("/periodUntil", Reason::Required)),
            (None, Some(_)) => Some(Fault::new("/periodFrom", Reason::Required)),
            _ => None,
        }
    }
}

/// Changes of what a supplier's invoice says: absent fields are `None`; `Some(None)` empties a
/// field.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct EditBill {
    /// Number of the invoice.
    pub number: Option<Option<String>>,
    /// Last day to pay.
    pub due_date: Option<Option<Date>>,
    /// Name of the account holder.
    pub name: Option<Option<String>>,
    /// Account.
    pub iban: Option<Option<Iban>>,
    /// BIC of the bank.
    pub bic: Option<Option<Bic>>,
    /// Reference that the supplier asks for.
    pub reference: Option<Option<String>>,
}

impl EditBill {
    /// Returns a bill with the given fields replaced.
    #[must_use]
    pub fn applied_to(&self, bill: Bill) -> Bill {
        let given = self.clone();
        Bill {
            number: given.number.unwrap_or(bill.number),
            due_date: given.due_date.unwrap_or(bill.due_date),
            pay_to: PayTo {
                name: given.name.unwrap_or(bill.pay_to.name),
                iban: given.iban.unwrap_or(bill.pay_to.iban),
                bic: given.bic.unwrap_or(bill.pay_to.bic),
                reference: given.reference.unwrap_or(bill.pay_to.reference),
            },
        }
    }
}

/// Returns the last day to pay a bill that names none.
pub(crate) fn usual_due_date(date: Date) -> Date {
    date.saturating_add(rows::TERM_DAYS.days())
}

/// Returns the fault of a due date before the date of the document.
fn due_fault(bill: &Bill, date: Date) -> Option<Fault> {
    let is_early = bill.due_date.is_some_and(|due| due < date);
    is_early.then(|| Fault::new("/dueDate", Reason::DayBefore { day: date }))
}

/// Supplier: a contact, or a name.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Supplier {
    /// Id of a contact; takes precedence over the name.
    pub contact_id: Option<i64>,
    /// Name.
    pub name: Option<String>,
}

/// Expense with its lines, receipts, entries and duplicates.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExpenseDetails {
    /// The expense itself.
    pub expense: Expense,
    /// Last day to pay, if it is known.
    pub due_date: Option<Date>,
    /// Lines and their amounts.
    pub priced: PricedPurchase,
    /// Id and file hash of each receipt.
    pub receipts: Vec<(i64, ReceiptHash)>,
    /// Ids of the journal entries of the expense, oldest first.
    pub entry_ids: Vec<i64>,
    /// Ids of other expenses with the same supplier, date and amount.
    pub duplicates: Vec<i64>,
    /// Date of the first payment that is not undone.
    pub first_paid_on: Option<Date>,
    /// Id of the batch of payments that is to pay the bill.
    pub in_batch: Option<i64>,
}

impl ExpenseDetails {
    /// Returns the expense's only line, if an asset can replace the whole expense. `None` if other
    /// lines, payments or a private share would be lost; such an expense has to be undone and
    /// booked again by hand.
    #[must_use]
    pub fn asset_line(&self) -> Option<&(PurchaseLine, LineAmounts)> {
        let expense = &self.expense;
        let is_free = expense.undone_at.is_none()
            && expense.asset_id.is_none()
            && expense.amount_paid.is_zero();
        match self.priced.lines.as_slice() {
            [line] if is_free && expense.business_share == BusinessShare::WHOLE => Some(line),
            _ => None,
        }
    }
}

/// Warning about an expense that is legal but probably wrong, or could be improved.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ExpenseWarning {
    /// The VAT printed on the document differs from the VAT at the rate.
    VatDiffers {
        /// Index of the line, from 0.
        line: usize,
        /// VAT at the rate.
        expected: Cents,
    },
    /// The date looks like a typing error.
    DateUnusual(UnusualDay),
    /// Other expenses have the same supplier, date and amount.
    DuplicateAmount {
        /// Ids of these other expenses, oldest first.
        expenses: Vec<i64>,
    },
    /// A payment of the bill is dated before the bill itself.
    PaidBeforeBill {
        /// Date of the first payment.
        on: Date,
    },
    /// The purchase may be an asset instead of a cost.
    MayBeAsset {
        /// Index of the line, from 0.
        line: usize,
    },
    /// Goods are imported with reverse-charged VAT under the small businesses scheme, which rules
    /// out the licence required for reverse-charging (art. 23(5) Wet OB 1968).
    NoArticle23 {
        /// Index of the line, from 0.
        line: usize,
    },
}

impl ExpenseWarning {
    /// Stable code in `snake_case`.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::VatDiffers { .. } => "vat_differs",
            Self::DateUnusual(_) => "date_unusual",
            Self::DuplicateAmount { .. } => "duplicate_amount",
            Self::PaidBeforeBill { .. } => "paid_before_bill",
            Self::MayBeAsset { .. } => "may_be_asset",
            Self::NoArticle23 { .. } => "no_article_23",
        }
    }
}

impl ExpenseDetails {
    /// Returns the warnings that can still be acted on: none once the expense has been undone or
    /// the filing deadline of its VAT return has passed ([`days::is_current`]).
    #[must_use]
    pub fn warnings(&self, today: Date) -> Vec<ExpenseWarning> {
        let expense = &self.expense;
        if expense.undone_at.is_some() || !days::is_current(expense.date, expense.updated_at, today)
        {
            return Vec::new();
        }
        let unusual = expense.date_unusual.filter(|reason| reason.holds(expense.date, today));
        let mut warnings = warnings(&self.priced, unusual, &self.duplicates);
        let early = self.first_paid_on.filter(|on| *on < expense.date);
        warnings.extend(early.map(|on| ExpenseWarning::PaidBeforeBill { on }));
        if self.expense.asset_id.is_some() {
            warnings.retain(|warning| !matches!(warning, ExpenseWarning::MayBeAsset { .. }));
        }
        warnings
    }

    /// Whether nothing remains to be paid.
    #[must_use]
    pub fn paid(&self) -> bool {
        self.expense.amount_due().is_zero()
    }
}

/// Returns the warnings about a purchase.
fn warnings(
    priced: &PricedPurchase,
    unusual: Option<UnusualDay>,
    duplicates: &[i64],
) -> Vec<ExpenseWarning> {
    let mut warnings = Vec::new();
    for (place, (line, of)) in priced.lines.iter().enumerate() {
        if let Some(expected) = of.expected_vat {
            warnings.push(ExpenseWarning::VatDiffers { line: place, expected });
        }
        if may_be_asset(line, of) {
            warnings.push(ExpenseWarning::MayBeAsset { line: place });
        }
        if priced.deduction == Deduction::Never && imports_goods(line) {
            warnings.push(ExpenseWarning::NoArticle23 { line: place });
        }
    }
    warnings.extend(unusual.map(ExpenseWarning::DateUnusual));
    if !duplicates.is_empty() {
        warnings.push(ExpenseWarning::DuplicateAmount { expenses: duplicates.to_vec() });
    }
    warnings
}

/// Whether a line imports goods, that is, its category is not a category of services.
fn imports_goods(line: &PurchaseLine) -> bool {
    use ledger::chart::codes;
    let services = [
        codes::HOUSING,
        codes::SOFTWARE,
        codes::TELEPHONE,
        codes::CAR_INSURANCE,
        codes::CAR_LEASE,
        codes::TRAVEL,
        codes::MARKETING,
        codes::SHIPPING,
        codes::WEBSITE,
        codes::INSURANCE,
        codes::ACCOUNTANT,
        codes::TRAINING,
        codes::SUBSCRIPTIONS,
        codes::INTEREST,
        codes::BANK_COSTS,
        codes::SUBCONTRACTORS,
    ];
    line.treatment == VatTreatment::Import && !services.contains(&line.category)
}

/// Whether a line may be a business asset: its category can contain durable goods, and its net
/// amount reaches the threshold (art. 3.30(3) Wet IB 2001).
fn may_be_asset(line: &PurchaseLine, of: &LineAmounts) -> bool {
    let lasting = [
        ledger::chart::codes::SMALL_EQUIPMENT,
        ledger::chart::codes::OFFICE,
        ledger::chart::codes::OTHER_COSTS,
    ];
    lasting.contains(&line.category) && of.net >= ASSET_THRESHOLD
}

/// Validates the lines, and replaces the codes that the caller named by those of own accounts.
/// `allowed` selects the accounts that may be used.
fn checked_lines(
    own: &OwnAccounts,
    lines: &[ExpenseLine],
    on: Date,
    allowed: fn(AccountCode) -> bool,
) -> Result<Vec<PurchaseLine>, Vec<Fault>> {
    let mut faults = Vec::new();
    let of_books =
        |line: &ExpenseLine| ExpenseLine { category: own.resolve(line.category), ..line.clone() };
    let lines: Vec<ExpenseLine> = lines.iter().map(of_books).collect();
    for (place, line) in lines.iter().enumerate() {
        let mut fault = |field: &str, reason| {
            faults.push(Fault::new(format!("/items/{place}/{field}"), reason))
        };
        if !allowed(line.category) {
            fault("category", Reason::NotACostAccount);
        }
        match line.rate {
            None if line.treatment.has_rate() => fault("vatRate", Reason::Required),
            Some(rate) if line.treatment.has_rate() => {
                if let Err(unknown) = VatRate::from_percent(&rate.percent(), on) {
                    fault("vatRate", unknown.into());
                }
            }
            _ => {}
        }
        match line.vat {
            None if line.treatment == VatTreatment::ImportVatPaid => fault("vat", Reason::Required),
            Some(_) if !line.treatment.has_printed_vat() => fault("vat", Reason::VatNotPrinted),
            // VAT whose sign differs from the sign of the amount is a typing error.
            Some(vat)
                if vat.is_negative() != line.amount.is_negative()
                    && !vat.is_zero()
                    && !line.amount.is_zero() =>
            {
                fault("vat", Reason::VatOfOtherSign);
            }
            // No rate exceeds 100%, so the VAT cannot exceed the amount. Import VAT can: customs
            // base it on the value of the goods, not on the courier's charge.
            Some(vat)
                if line.treatment == VatTreatment::Normal && vat.abs() > line.amount.abs() =>
            {
                fault("vat", Reason::VatExceedsAmount { most: line.amount.abs() });
            }
            _ => {}
        }
        if line.amount.is_zero() && line.vat.is_none_or(Cents::is_zero) {
            fault("amount", Reason::NothingBought);
        }
    }
    if !faults.is_empty() {
        return Err(faults);
    }
    Ok(lines.iter().map(ExpenseLine::to_purchase_line).collect())
}

/// Validates the lines and prices them.
fn priced(
    own: &OwnAccounts,
    lines: &[ExpenseLine],
    (share, deduction): (BusinessShare, Deduction),
    on: Date,
    allowed: fn(AccountCode) -> bool,
) -> Result<PricedPurchase, Error> {
    let lines = checked_lines(own, lines, on, allowed).map_err(Error::Invalid)?;
    purchase::price(&lines, share, deduction)
        .map_err(|_| Error::fault("/items", Reason::PurchaseOutOfRange))
}

/// Resolves a supplier to a contact: by id, otherwise by name. If no contact has the name, the
/// supplier remains a name only.
pub(crate) fn identify(
    tx: &mut Tx<'_>,
    account: i64,
    supplier: &Supplier,
) -> Result<Supplier, Error> {
    if let Some(id) = supplier.contact_id {
        let contact = contact_rows::by_id(tx, account, id)?;
        let contact = contact.ok_or_else(|| Error::fault("/contactId", Reason::UnknownContact))?;
        return Ok(Supplier {
            contact_id: Some(id),
            name: Some(supplier.name.clone().unwrap_or(contact.party.name)),
        });
    }
    let Some(name) = supplier.name.clone() else { return Ok(Supplier::default()) };
    let contact = contact_rows::by_name(tx, account, &name, ledger::country::CountryCode::NL)?;
    Ok(Supplier { contact_id: contact.map(|contact| contact.id), name: Some(name) })
}

/// Returns the receipts with these ids, each with the hash of its file.
fn receipts_of(
    tx: &mut Tx<'_>,
    account: i64,
    ids: &[i64],
) -> Result<Vec<(i64, ReceiptHash)>, Error> {
    let mut ids = ids.to_vec();
    ids.sort_unstable();
    ids.dedup();
    let mut receipts = Vec::with_capacity(ids.len());
    for id in ids {
        let receipt = receipt_rows::by_id(tx, account, id)?;
        let receipt =
            receipt.ok_or_else(|| Error::fault("/receiptIds", Reason::UnknownReceipt { id }))?;
        receipts.push((id, receipt.sha256));
    }
    Ok(receipts)
}

/// Returns the journal entry of an expense.
pub(crate) fn entry(
    expense: &Expense,
    priced: &PricedPurchase,
    receipts: &[(i64, ReceiptHash)],
) -> JournalEntry {
    let purchase = Purchase {
        party: expense.supplier.clone(),
        description: expense.description.clone(),
        priced: priced.clone(),
        paid_from: expense.paid_from,
        receipts: receipts.iter().map(|(_, hash)| *hash).collect(),
    };
    booking::expense(source(expense.id), expense.date, &purchase)
}

pub(crate) fn source(id: i64) -> Source {
    Source { kind: SourceType::Expense, id }
}

/// Returns the description of a payment or VAT repayment of an expense.
fn about(expense: &Expense) -> Description {
    Description {
        party: expense.supplier.clone(),
        text: expense.description.clone(),
        ..Description::of(DescriptionKind::Expense)
    }
}

/// Returns an expense that is not undone.
fn require_booked(tx: &mut Tx<'_>, cx: &Context, id: i64) -> Result<Expense, Error> {
    let expense = rows::by_id(tx, cx.actor.account, id)?.ok_or(Error::NotFound("expense"))?;
    if expense.undone_at.is_some() { Err(BookingError::AlreadyUndone.into()) } else { Ok(expense) }
}

/// Copies the sums of a purchase to the expense.
fn take_sums(expense: &mut Expense, priced: &PricedPurchase) {
    (expense.business_share, expense.deduction) = (priced.share, priced.deduction);
    (expense.net, expense.vat, expense.deductible, expense.total) =
        (priced.net, priced.vat, priced.deductible, priced.total);
}

/// Accounts from which an expense can be paid.
pub const PAID_FROM: &[MoneyAccount] =
    &[MoneyAccount::Bank, MoneyAccount::Private, MoneyAccount::Cash, MoneyAccount::Card];
