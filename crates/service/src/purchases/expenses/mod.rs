//! Expenses: purchases with their VAT, recorded, edited, paid, taken back, read.

mod edit;
mod opening;
mod prospect;
mod read;
mod record;
mod settle;

pub(crate) use edit::take_back;
pub use edit::{EditExpense, edit, undo};
pub(crate) use opening::{OpenBill, close, open};
pub use prospect::{CountsIn, Prospect, prospect};
pub(crate) use read::price_again;
pub use read::{Dossier, Table, dossier, find_by_external_id, list, list_payments, read, read_payment, table};
pub(crate) use record::book;
pub use record::{NewExpense, price, record};
pub(crate) use settle::to_repay;
pub use settle::{NewExpensePayment, find_payment_by_external_id, pay, repay_vat, undo_payment};

use crate::{Context, Error, Fault, Reason, days};
use jiff::civil::Date;
use ledger::{
    booking::{self, MoneyAccount, Purchase},
    chart::AccountCode,
    description::{Description, DescriptionKind, ReceiptHash},
    entry::{JournalEntry, Source, SourceType},
    money::Cents,
    purchase::{self, ASSET_THRESHOLD, BusinessShare, Deduction, LineAmounts, PricedPurchase, PurchaseLine, VatTreatment},
    unusual_day::UnusualDay,
    vat::VatRate,
};
use store::{
    Tx, contacts as contact_rows,
    expenses::{self as rows, Expense},
    receipts as receipt_rows,
};

/// A line as it is given: the rate may be left out where the treatment has none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExpenseLine {
    /// The account of the cost.
    pub category: AccountCode,
    /// Euros; negative when the supplier credits.
    pub amount: Cents,
    /// How its VAT is treated.
    pub treatment: VatTreatment,
    /// A rate that exists on the day of the document.
    pub rate: Option<VatRate>,
    /// Whether the amount includes the VAT.
    pub includes_vat: bool,
    /// The VAT as it is printed on the document.
    pub vat: Option<Cents>,
}

/// Who supplied: a contact, or a name.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Supplier {
    /// The id of a contact; it wins over the name in saying who it is.
    pub contact_id: Option<i64>,
    /// The name.
    pub name: Option<String>,
}

/// An expense with all that is told about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExpenseDetails {
    /// The expense itself.
    pub expense: Expense,
    /// When it should be paid, of a bill that was open when the books began; of others it is not asked.
    pub due_date: Option<Date>,
    /// Its lines and what they come to.
    pub priced: PricedPurchase,
    /// Its receipts and the hashes of their files.
    pub receipts: Vec<(i64, ReceiptHash)>,
    /// Its journal entries, oldest first.
    pub entry_ids: Vec<i64>,
    /// Other expenses of the same supplier, day and amount.
    pub duplicates: Vec<i64>,
    /// Date of the first payment of a bill that counts.
    pub first_paid_on: Option<Date>,
}

impl ExpenseDetails {
    /// The line that can become an asset in the place of the whole expense. Of an expense with other lines these would be lost, with payments
    /// their entries, with a private share that share; those are taken back and booked anew by hand.
    #[must_use]
    pub fn asset_line(&self) -> Option<&(PurchaseLine, LineAmounts)> {
        let expense = &self.expense;
        let is_free = expense.undone_at.is_none() && expense.asset_id.is_none() && expense.amount_paid.is_zero();
        match self.priced.lines.as_slice() {
            [line] if is_free && expense.business_share == BusinessShare::WHOLE => Some(line),
            _ => None,
        }
    }
}

/// Something that is legal but looks wrong, or could be better.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ExpenseWarning {
    /// The VAT printed on the document is not what the rate gives.
    VatDiffers {
        /// The line, from 0.
        line: usize,
        /// What the rate gives.
        expected: Cents,
    },
    /// The day is far from the rest of the books.
    DateUnusual(UnusualDay),
    /// There are others of the same supplier, day and amount.
    DuplicateAmount {
        /// Their ids, oldest first.
        expenses: Vec<i64>,
    },
    /// A payment of the bill is dated before it.
    PaidBeforeBill {
        /// The day of the first payment.
        on: Date,
    },
    /// What is bought may be an asset and not a cost.
    MayBeAsset {
        /// The line, from 0.
        line: usize,
    },
}

impl ExpenseWarning {
    /// Stable, `snake_case`.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::VatDiffers { .. } => "vat_differs",
            Self::DateUnusual(_) => "date_unusual",
            Self::DuplicateAmount { .. } => "duplicate_amount",
            Self::PaidBeforeBill { .. } => "paid_before_bill",
            Self::MayBeAsset { .. } => "may_be_asset",
        }
    }
}

impl ExpenseDetails {
    /// What is legal but looks wrong, or could be better, as long as it can be acted on: not after it is undone, and not once the VAT
    /// return is due ([`days::is_current`]).
    #[must_use]
    pub fn warnings(&self, today: Date) -> Vec<ExpenseWarning> {
        let expense = &self.expense;
        if expense.undone_at.is_some() || !days::is_current(expense.date, expense.updated_at, today) {
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

    /// Whether nothing is to be paid any more.
    #[must_use]
    pub fn paid(&self) -> bool {
        self.expense.amount_due().is_zero()
    }
}

/// What looks wrong with a purchase.
fn warnings(priced: &PricedPurchase, unusual: Option<UnusualDay>, duplicates: &[i64]) -> Vec<ExpenseWarning> {
    let mut warnings = Vec::new();
    for (place, (line, of)) in priced.lines.iter().enumerate() {
        if let Some(expected) = of.expected_vat {
            warnings.push(ExpenseWarning::VatDiffers { line: place, expected });
        }
        if may_be_asset(line, of) {
            warnings.push(ExpenseWarning::MayBeAsset { line: place });
        }
    }
    warnings.extend(unusual.map(ExpenseWarning::DateUnusual));
    if !duplicates.is_empty() {
        warnings.push(ExpenseWarning::DuplicateAmount { expenses: duplicates.to_vec() });
    }
    warnings
}

/// Whether what is bought may last for years and be worth an asset (art. 3.30(3) Wet IB 2001).
fn may_be_asset(line: &PurchaseLine, of: &LineAmounts) -> bool {
    let lasting = [ledger::chart::codes::SMALL_EQUIPMENT, ledger::chart::codes::OFFICE, ledger::chart::codes::OTHER_COSTS];
    lasting.contains(&line.category) && of.net >= ASSET_THRESHOLD
}

/// The lines as they are booked; faults at each that cannot be. `allowed` says on which accounts.
fn checked_lines(lines: &[ExpenseLine], on: Date, allowed: fn(AccountCode) -> bool) -> Result<Vec<PurchaseLine>, Vec<Fault>> {
    let mut faults = Vec::new();
    for (place, line) in lines.iter().enumerate() {
        let mut fault = |field: &str, reason| faults.push(Fault::new(format!("/items/{place}/{field}"), reason));
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
            // What is on the other side than the amount is a slip of the pen.
            Some(vat) if vat.is_negative() != line.amount.is_negative() && !vat.is_zero() && !line.amount.is_zero() => {
                fault("vat", Reason::VatOfOtherSign);
            }
            // No rate is that high; customs reckon with what the goods are worth, not with what the courier asks.
            Some(vat) if line.treatment == VatTreatment::Normal && vat.abs() > line.amount.abs() => {
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
    let checked = |line: &ExpenseLine| PurchaseLine {
        category: line.category,
        amount: line.amount,
        treatment: line.treatment,
        rate: line.rate.filter(|_| line.treatment.has_rate()).unwrap_or(VatRate::ZERO),
        includes_vat: line.includes_vat && line.treatment == VatTreatment::Normal,
        printed_vat: line.vat,
    };
    Ok(lines.iter().map(checked).collect())
}

/// The lines and what they come to.
fn priced(
    lines: &[ExpenseLine],
    (share, deduction): (BusinessShare, Deduction),
    on: Date,
    allowed: fn(AccountCode) -> bool,
) -> Result<PricedPurchase, Error> {
    let lines = checked_lines(lines, on, allowed).map_err(Error::Invalid)?;
    purchase::price(&lines, share, deduction).map_err(|_| Error::fault("/items", Reason::PurchaseOutOfRange))
}

/// The supplier as the expense keeps it: the contact that is named, or one of that name.
pub(crate) fn identify(tx: &mut Tx<'_>, account: i64, given: &Supplier) -> Result<Supplier, Error> {
    if let Some(id) = given.contact_id {
        let contact = contact_rows::by_id(tx, account, id)?;
        let contact = contact.ok_or_else(|| Error::fault("/contactId", Reason::UnknownContact))?;
        return Ok(Supplier { contact_id: Some(id), name: Some(given.name.clone().unwrap_or(contact.party.name)) });
    }
    let Some(name) = given.name.clone() else { return Ok(Supplier::default()) };
    let known = contact_rows::by_name(tx, account, &name, ledger::country::CountryCode::NL)?;
    Ok(Supplier { contact_id: known.map(|contact| contact.id), name: Some(name) })
}

/// The receipts by their ids, each with the hash of its file.
fn receipts_of(tx: &mut Tx<'_>, account: i64, ids: &[i64]) -> Result<Vec<(i64, ReceiptHash)>, Error> {
    let mut ids = ids.to_vec();
    ids.sort_unstable();
    ids.dedup();
    let mut found = Vec::with_capacity(ids.len());
    for id in ids {
        let receipt = receipt_rows::by_id(tx, account, id)?;
        let receipt = receipt.ok_or_else(|| Error::fault("/receiptIds", Reason::UnknownReceipt { id }))?;
        found.push((id, receipt.sha256));
    }
    Ok(found)
}

/// The journal entry of an expense.
pub(crate) fn entry(expense: &Expense, priced: &PricedPurchase, receipts: &[(i64, ReceiptHash)]) -> JournalEntry {
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

/// What a payment of an expense says it is about.
fn about(expense: &Expense) -> Description {
    Description {
        party: expense.supplier.clone(),
        text: expense.description.clone(),
        ..Description::of(DescriptionKind::Expense)
    }
}

/// The expense, which must not have been taken back.
fn require_booked(tx: &mut Tx<'_>, cx: &Context, id: i64) -> Result<Expense, Error> {
    let expense = rows::by_id(tx, cx.actor.account, id)?.ok_or(Error::NotFound("expense"))?;
    if expense.undone_at.is_some() { Err(Error::AlreadyUndone) } else { Ok(expense) }
}

/// Puts the sums of a purchase into the expense.
fn take_sums(expense: &mut Expense, priced: &PricedPurchase) {
    (expense.business_share, expense.deduction) = (priced.share, priced.deduction);
    (expense.net, expense.vat, expense.deductible, expense.total) = (priced.net, priced.vat, priced.deductible, priced.total);
}

/// Where an expense may be paid from.
pub const PAID_FROM: &[MoneyAccount] = &[MoneyAccount::Bank, MoneyAccount::Private, MoneyAccount::Cash, MoneyAccount::Card];
