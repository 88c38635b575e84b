//! Booking: a document in, a balanced journal entry out.

use crate::{
    asset,
    calendar::Quarter,
    chart::{AccountCode, codes},
    description::{Description, DescriptionKind, ReceiptHash},
    entry::{JournalEntry, Posting, Source, Unbalanced},
    invoice::{Priced, VatGroup},
    money::Cents,
    named::named,
    purchase::{self, PricedPurchase},
    vat::{Supply, VatBox, VatCategory, VatRate},
    vat_return::VatReturn,
};
use jiff::civil::Date;

named! {
    /// Where money is, or comes from.
    MoneyAccount {
        /// The business bank account.
        Bank => "bank",
        /// The business savings account.
        Savings => "savings",
        /// The cash box.
        Cash => "cash",
        /// The business credit card.
        Card => "card",
        /// The owner's own pocket.
        Private => "private",
        /// The bank, by a collection that the payer allowed.
        DirectDebit => "directDebit",
        /// A payment provider, by iDEAL.
        Ideal => "ideal",
        /// PayPal.
        Paypal => "paypal",
        /// A payment provider in another way, such as the customer's card.
        Provider => "provider",
    }
}

impl MoneyAccount {
    /// The account in the chart. For the owner's own pocket it is private deposits, which is where business costs paid from it go.
    #[must_use]
    pub const fn code(self) -> AccountCode {
        match self {
            Self::Bank | Self::DirectDebit => codes::BANK,
            Self::Ideal | Self::Paypal | Self::Provider => codes::PROVIDER_CLEARING,
            Self::Savings => codes::SAVINGS,
            Self::Cash => codes::CASH,
            Self::Card => codes::CARD,
            Self::Private => codes::PRIVATE_DEPOSITS,
        }
    }

    /// The account for that much money coming in (negative: going out). Money that ends up in the owner's own pocket is drawn.
    fn receiving(self, amount: Cents) -> AccountCode {
        if self == Self::Private && amount > Cents::ZERO { codes::PRIVATE_DRAWINGS } else { self.code() }
    }
}

const BALANCED: &str = "the postings are built so that debit equals credit";

fn entry(on: Date, description: Description, source: Source, postings: Vec<Posting>) -> JournalEntry {
    JournalEntry::new(on, description, source, postings).expect(BALANCED)
}

fn two_sided(
    on: Date,
    description: Description,
    source: Source,
    debit: AccountCode,
    credit: AccountCode,
    amount: Cents,
) -> JournalEntry {
    let postings = vec![Posting::debit(debit, amount, None), Posting::credit(credit, amount, None)];
    entry(on, description, source, postings)
}

/// What moves between a customer and the business: debtors hold what is to be received on an invoice, and what is to be paid back stands
/// among the liabilities. Both follow from the invoice's balance (positive: to be received) before and after.
fn receivable(before: Cents, after: Cents) -> [Posting; 2] {
    let due = |balance: Cents| balance.max(Cents::ZERO);
    let refund = |balance: Cents| (-balance).max(Cents::ZERO);
    [
        Posting::debit(codes::RECEIVABLES, due(after) - due(before), None),
        Posting::credit(codes::OWED_TO_CUSTOMERS, refund(after) - refund(before), None),
    ]
}

/// Whether what is invoiced is earned by the sale, or received in advance of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Earned {
    /// It is revenue.
    Now,
    /// A prepayment: the VAT is due (art. 13(2) Wet OB 1968), the revenue comes with the final invoice.
    Later,
}

/// A sales invoice: receivables against revenue of each kind, or what is received in advance, and the VAT due on it.
#[must_use]
pub fn sales_invoice(source: Source, number: &str, customer: &str, on: Date, priced: &Priced, earned: Earned) -> JournalEntry {
    let about = Description { party: Some(customer.to_owned()), ..Description::of(DescriptionKind::Invoice) };
    let mut postings = vec![Posting::debit(codes::RECEIVABLES, priced.total, None)];
    postings.extend(sale_postings(priced, earned));
    entry(on, about.numbered(number), source, postings)
}

/// A credit note on the invoice with the number `credits`, of which `balance` is still to be received (negative: to be paid back): the
/// mirror image of the sale, at its own date. The amounts of `priced` are negative.
#[must_use]
pub fn credit_note(
    source: Source,
    number: &str,
    credits: &str,
    on: Date,
    priced: &Priced,
    earned: Earned,
    balance: Cents,
) -> JournalEntry {
    let about = Description { related_number: Some(credits.to_owned()), ..Description::of(DescriptionKind::CreditNote) };
    let mut postings = receivable(balance, balance + priced.total).to_vec();
    postings.extend(sale_postings(priced, earned));
    entry(on, about.numbered(number), source, postings)
}

fn sale_postings(priced: &Priced, earned: Earned) -> Vec<Posting> {
    let mut postings = Vec::with_capacity(2 * priced.groups.len());
    for group in &priced.groups {
        let its = priced.set_off.iter().find(|(key, _)| *key == group.key());
        let set_off = its.map_or(Cents::ZERO, |(_, set_off)| *set_off);
        let account = match earned {
            Earned::Now => revenue_account(group),
            Earned::Later => codes::RECEIVED_IN_ADVANCE,
        };
        postings.push(Posting::credit(account, group.base - set_off, group.vat_box));
        if !set_off.is_zero() {
            postings.push(Posting::credit(codes::RECEIVED_IN_ADVANCE, set_off, group.vat_box));
        }
        if !group.amount.is_zero() {
            postings.push(Posting::credit(vat_due_account(group.vat_box), group.amount, group.vat_box));
        }
    }
    postings
}

fn revenue_account(group: &VatGroup) -> AccountCode {
    match (group.category, group.vat_box) {
        (VatCategory::Standard, Some(VatBox::B1a)) => codes::REVENUE_HIGH,
        (VatCategory::Standard, Some(VatBox::B1b)) => codes::REVENUE_LOW,
        (VatCategory::Standard, _) => codes::REVENUE_OTHER_RATE,
        (VatCategory::Zero, _) => codes::REVENUE_ZERO,
        (VatCategory::Exempt, _) => codes::REVENUE_EXEMPT,
        (VatCategory::ReverseCharge, _) => codes::REVENUE_REVERSE_CHARGED,
        (VatCategory::IntraCommunity, _) => match group.supply {
            Some(Supply::Goods | Supply::Triangular) => codes::REVENUE_EU_GOODS,
            Some(Supply::Services) | None => codes::REVENUE_EU,
        },
        (VatCategory::Export, _) => codes::REVENUE_EXPORT,
        (VatCategory::ServiceOutsideEu, _) => codes::REVENUE_SERVICES_OUTSIDE_EU,
        (VatCategory::OutOfScope, _) => codes::REVENUE_OUT_OF_SCOPE,
    }
}

/// Where the VAT on a sale waits for its return.
fn vat_due_account(vat_box: Option<VatBox>) -> AccountCode {
    match vat_box {
        Some(VatBox::B1a) => codes::VAT_DUE_HIGH,
        Some(VatBox::B1b) => codes::VAT_DUE_LOW,
        _ => codes::VAT_DUE_OTHER,
    }
}

/// Money that moves on an invoice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settlement {
    /// What was received, in euros; paid back when negative.
    pub amount: Cents,
    /// Where it came in, or went out.
    pub method: MoneyAccount,
    /// What was still to be received on the invoice before (negative: to be paid back).
    pub balance: Cents,
    /// What of it had been written off, by rate: it is recovered.
    pub recovered: Vec<VatGroup>,
}

impl Settlement {
    fn description(&self, number: &str) -> Description {
        let kind = if self.amount.is_negative() { DescriptionKind::Refund } else { DescriptionKind::Payment };
        Description::of(kind).numbered(number)
    }

    /// The postings of the money (`sign` 1), or of taking it back (-1).
    fn postings(&self, is_taken_back: bool) -> Vec<Posting> {
        let moved = |amount: Cents| if is_taken_back { -amount } else { amount };
        let mut postings = vec![Posting::debit(self.method.receiving(self.amount), moved(self.amount), None)];
        for group in &self.recovered {
            postings.extend(bad_debt(group, -moved(group.base), -moved(group.amount)));
        }
        let recovered: Cents = self.recovered.iter().map(|group| group.base + group.amount).sum();
        postings.extend(receivable(self.balance, self.balance - moved(self.amount - recovered)));
        postings
    }
}

/// A payment on an invoice, or money paid back. What comes in on an invoice that was written off is recovered first: cost and VAT come
/// back (art. 29(5) Wet OB 1968).
#[must_use]
pub fn payment_received(source: Source, number: &str, on: Date, payment: &Settlement) -> JournalEntry {
    entry(on, payment.description(number), source, payment.postings(false))
}

/// A payment that is taken back by reversing `entry_id`. What moves between debtors and what is owed to customers follows from the
/// balance now.
#[must_use]
pub fn payment_undone(source: Source, number: &str, on: Date, payment: &Settlement, entry_id: i64) -> JournalEntry {
    entry(on, payment.description(number), source, payment.postings(true)).taking_back(entry_id)
}

/// A bad debt of a rate, in the boxes of that rate where VAT is given back.
fn bad_debt(group: &VatGroup, base: Cents, vat: Cents) -> [Posting; 2] {
    let vat_box = group.vat_box.filter(|_| !group.rate.is_zero());
    [Posting::debit(codes::BAD_DEBTS, base, vat_box), Posting::debit(vat_due_account(group.vat_box), vat, vat_box)]
}

/// What is written off of an invoice (`groups`, by rate) of which `balance` was still to be received: cost, and VAT that is given back
/// (art. 29(1) Wet OB 1968).
#[must_use]
pub fn write_off(source: Source, number: &str, on: Date, groups: &[VatGroup], balance: Cents) -> JournalEntry {
    let mut postings: Vec<Posting> = groups.iter().flat_map(|group| bad_debt(group, group.base, group.amount)).collect();
    let gross: Cents = groups.iter().map(|group| group.base + group.amount).sum();
    postings.extend(receivable(balance, balance - gross));
    entry(on, Description::of(DescriptionKind::WriteOff).numbered(number), source, postings)
}

/// A purchase as it is booked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Purchase {
    /// The supplier.
    pub party: Option<String>,
    /// What was bought.
    pub description: Option<String>,
    /// Its lines and amounts.
    pub priced: PricedPurchase,
    /// What it was paid from; nothing while it is owed.
    pub paid_from: Option<MoneyAccount>,
    /// The files that it was booked from.
    pub receipts: Vec<ReceiptHash>,
}

/// Postings that are added up per account and box, in the order in which they first came.
#[derive(Default)]
struct Sums(Vec<(AccountCode, Option<VatBox>, Cents)>);

impl Sums {
    fn debit(&mut self, account: AccountCode, amount: Cents, vat_box: Option<VatBox>) {
        match self.0.iter_mut().find(|(known, its_box, _)| (*known, *its_box) == (account, vat_box)) {
            Some((.., sum)) => *sum += amount,
            None => self.0.push((account, vat_box, amount)),
        }
    }

    fn credit(&mut self, account: AccountCode, amount: Cents, vat_box: Option<VatBox>) {
        self.debit(account, -amount, vat_box);
    }

    fn postings(self) -> Vec<Posting> {
        self.0.into_iter().map(|(account, vat_box, amount)| Posting::debit(account, amount, vat_box)).collect()
    }
}

/// A purchase: cost and input VAT against money or payables; with the VAT due where it is reverse-charged. What is not for the business
/// is drawn privately, and so is the VAT on it (art. 15(1) Wet OB 1968: deducted as far as it is for the business).
#[must_use]
pub fn expense(source: Source, on: Date, purchase: &Purchase) -> JournalEntry {
    let about = Description {
        party: purchase.party.clone(),
        text: purchase.description.clone(),
        receipts: purchase.receipts.clone(),
        ..Description::of(DescriptionKind::Expense)
    };
    let share = purchase.priced.share;
    let (mut debits, mut due) = (Sums::default(), Sums::default());
    for (line, of) in &purchase.priced.lines {
        let input = purchase::input_account(line, on);
        // VAT that cannot be deducted at all is cost, as far as it is for the business.
        let lost = if of.deductible.is_zero() { share.of(of.vat) } else { Cents::ZERO };
        if let Some((vat_box, due_on)) = line.treatment.reverse_charged() {
            let cost = share.of(of.net);
            debits.debit(line.category, cost, Some(vat_box));
            debits.debit(codes::PRIVATE_DRAWINGS, of.net - cost, Some(vat_box));
            debits.debit(input, of.deductible, Some(VatBox::B5b));
            debits.debit(line.category, lost, None);
            debits.debit(codes::PRIVATE_DRAWINGS, of.vat - of.deductible - lost, None);
            due.credit(due_on, of.vat, Some(vat_box));
        } else {
            let cost = if lost.is_zero() { share.of(of.net) } else { share.of(of.net + of.vat) };
            debits.debit(line.category, cost, None);
            debits.debit(input, of.deductible, Some(VatBox::B5b));
            debits.debit(codes::PRIVATE_DRAWINGS, of.charged - cost - of.deductible, None);
        }
    }
    let total = purchase.priced.total;
    due.credit(purchase.paid_from.map_or(codes::PAYABLES, |money| money.receiving(-total)), total, None);
    let postings = debits.postings().into_iter().chain(due.postings()).collect();
    entry(on, about, source, postings)
}

/// A bill that is paid, in part or whole (negative: the supplier pays back). `recovered` is deducted VAT that was paid back because the
/// bill stayed unpaid, and is deducted again (art. 29(8) Wet OB 1968), by the account that it was deducted on.
#[must_use]
pub fn expense_payment(
    source: Source,
    about: Description,
    on: Date,
    amount: Cents,
    from: MoneyAccount,
    recovered: &[(AccountCode, Cents)],
) -> JournalEntry {
    let mut postings = vec![Posting::debit(codes::PAYABLES, amount, None)];
    postings.extend(recovered.iter().map(|(account, vat)| Posting::debit(*account, *vat, Some(VatBox::B5b))));
    postings.push(Posting::credit(from.receiving(-amount), amount, None));
    postings.push(Posting::credit(codes::VAT_NOT_DEDUCTIBLE, recovered.iter().map(|(_, vat)| *vat).sum(), None));
    entry(on, Description { kind: DescriptionKind::ExpensePayment, ..about }, source, postings)
}

/// Deducted VAT that is paid back because the bill stays unpaid, a year after it was due at the latest (art. 29(7) Wet OB 1968), by the
/// account that it was deducted on.
#[must_use]
pub fn vat_repayment(source: Source, about: Description, on: Date, deducted: &[(AccountCode, Cents)]) -> JournalEntry {
    let mut postings = vec![Posting::debit(codes::VAT_NOT_DEDUCTIBLE, deducted.iter().map(|(_, vat)| *vat).sum(), None)];
    postings.extend(deducted.iter().map(|(account, vat)| Posting::credit(*account, *vat, Some(VatBox::B5b))));
    entry(on, Description { kind: DescriptionKind::VatRepayment, ..about }, source, postings)
}

/// Money taken out for private use.
#[must_use]
pub fn private_drawing(source: Source, on: Date, amount: Cents, from: MoneyAccount) -> JournalEntry {
    two_sided(on, Description::of(DescriptionKind::PrivateDrawing), source, codes::PRIVATE_DRAWINGS, from.code(), amount)
}

/// Private money put in.
#[must_use]
pub fn private_deposit(source: Source, on: Date, amount: Cents, into: MoneyAccount) -> JournalEntry {
    two_sided(on, Description::of(DescriptionKind::PrivateDeposit), source, into.code(), codes::PRIVATE_DEPOSITS, amount)
}

/// Business goods or services used privately: VAT is due on them (box 1d; art. 3(3) and 4(2) Wet OB 1968). The use itself is
/// income, against private drawings. `base` is in euros, excluding VAT.
#[must_use]
pub fn private_use(source: Source, on: Date, base: Cents, rate: VatRate) -> JournalEntry {
    let vat = rate.of(base);
    let postings = vec![
        Posting::debit(codes::PRIVATE_DRAWINGS, base + vat, None),
        Posting::credit(codes::PRIVATE_USE, base, Some(VatBox::B1d)),
        Posting::credit(codes::VAT_DUE_PRIVATE_USE, vat, Some(VatBox::B1d)),
    ];
    entry(on, Description::of(DescriptionKind::PrivateUse), source, postings)
}

/// Equipment written off.
#[must_use]
pub fn depreciation(source: Source, on: Date, amount: Cents) -> JournalEntry {
    two_sided(
        on,
        Description::of(DescriptionKind::Depreciation),
        source,
        codes::DEPRECIATION,
        codes::ACCUMULATED_DEPRECIATION,
        amount,
    )
}

/// The depreciation of one asset.
#[must_use]
pub fn asset_depreciation(source: Source, what: &str, on: Date, asset: AccountCode, amount: Cents) -> JournalEntry {
    let (accumulated, cost, _) = asset::accounts(asset);
    two_sided(on, Description::text(DescriptionKind::Depreciation, what), source, cost, accumulated, amount)
}

/// VAT on an asset that is revised because sales are taxed no longer, or are again: the small businesses scheme began or ended since it was
/// bought (art. 15(4) Wet OB 1968). `vat` is paid back; negative: deducted after all.
#[must_use]
pub fn vat_revision(source: Source, what: &str, on: Date, input: AccountCode, vat: Cents) -> JournalEntry {
    let postings = vec![Posting::debit(codes::VAT_NOT_DEDUCTIBLE, vat, None), Posting::credit(input, vat, Some(VatBox::B5b))];
    entry(on, Description::text(DescriptionKind::VatRevision, what), source, postings)
}

/// An asset that leaves the business.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Disposal {
    /// The account that it stands on.
    pub asset: AccountCode,
    /// What it cost.
    pub cost: Cents,
    /// What was depreciated of it.
    pub depreciated: Cents,
    /// What is received for it, excluding VAT; nothing when it is written off.
    pub proceeds: Cents,
    /// The rate of the VAT on that.
    pub rate: VatRate,
    /// Where it is received.
    pub into: MoneyAccount,
}

/// An asset that is sold or written off: its book value goes to the result on disposal, and so does what is received for it, as turnover
/// with its VAT.
#[must_use]
pub fn disposal(source: Source, what: &str, on: Date, of: &Disposal) -> JournalEntry {
    let (accumulated, _, result) = asset::accounts(of.asset);
    let vat = of.rate.of(of.proceeds);
    let vat_box = if of.proceeds.is_zero() || of.rate.is_zero() { None } else { Some(sale_box(of.rate, on)) };
    let postings = vec![
        Posting::debit(of.into.receiving(of.proceeds + vat), of.proceeds + vat, None),
        Posting::debit(accumulated, of.depreciated, None),
        Posting::debit(result, of.cost - of.depreciated, None),
        Posting::credit(of.asset, of.cost, None),
        Posting::credit(result, of.proceeds, vat_box),
        Posting::credit(vat_due_account(vat_box), vat, vat_box),
    ];
    entry(on, Description::text(DescriptionKind::Disposal, what), source, postings)
}

/// The box of a taxed sale at a rate.
fn sale_box(rate: VatRate, on: Date) -> VatBox {
    if rate == VatRate::high_on(on) {
        VatBox::B1a
    } else if rate == VatRate::low_on(on) {
        VatBox::B1b
    } else {
        VatBox::B1c
    }
}

/// Business kilometres with a private vehicle: a cost that the owner puts in (art. 3.17(1)(b) Wet IB 2001). No VAT.
#[must_use]
pub fn mileage(source: Source, what: &str, on: Date, amount: Cents) -> JournalEntry {
    let about = Description::text(DescriptionKind::Mileage, what);
    two_sided(on, about, source, codes::MILEAGE, codes::PRIVATE_DEPOSITS, amount)
}

/// What an account starts with. `balances` is debit minus credit in euros per account, so what is owed is negative; what is left
/// between them is the owner's equity.
#[must_use]
pub fn opening_balance(source: Source, on: Date, balances: &[(AccountCode, Cents)]) -> JournalEntry {
    let mut postings: Vec<Posting> = balances.iter().map(|(account, balance)| Posting::debit(*account, *balance, None)).collect();
    postings.push(Posting::credit(codes::EQUITY, balances.iter().map(|(_, balance)| *balance).sum(), None));
    entry(on, Description::of(DescriptionKind::OpeningBalance), source, postings)
}

/// An invoice that a customer still owed when the books began: its VAT was declared in other books, so it is in no box.
#[must_use]
pub fn opening_receivable(source: Source, number: &str, customer: &str, on: Date, amount: Cents) -> JournalEntry {
    two_sided(on, opening_item(number, customer), source, codes::RECEIVABLES, codes::EQUITY, amount)
}

/// A bill that was still to be paid when the books began.
#[must_use]
pub fn opening_payable(source: Source, number: &str, supplier: &str, on: Date, amount: Cents) -> JournalEntry {
    two_sided(on, opening_item(number, supplier), source, codes::EQUITY, codes::PAYABLES, amount)
}

fn opening_item(number: &str, party: &str) -> Description {
    Description { party: Some(party.to_owned()), ..Description::of(DescriptionKind::OpeningBalance) }.numbered(number)
}

/// An entry made by hand.
///
/// # Errors
/// Debit and credit differ, or there is no line.
pub fn manual(source: Source, on: Date, description: &str, postings: Vec<Posting>) -> Result<JournalEntry, Unbalanced> {
    JournalEntry::new(on, Description::text(DescriptionKind::Manual, description), source, postings)
}

/// Filing a return: clears what stands on each VAT account for the period, and puts what was declared on the settlement account;
/// the difference is rounding. `balances` is debit minus credit per VAT account of the postings that carry a box. The entry's own
/// postings carry none, so that the return stays what it was.
#[must_use]
pub fn vat_settlement(
    source: Source,
    (period, on): (Quarter, Date),
    vat_return: &VatReturn,
    balances: &[(AccountCode, Cents)],
) -> JournalEntry {
    let mut postings: Vec<Posting> =
        balances.iter().map(|(account, balance)| Posting::credit(*account, *balance, None)).collect();
    let cleared: Cents = balances.iter().map(|(_, balance)| *balance).sum();
    let declared = Cents::new(vat_return.declared_payable * 100);
    postings.push(Posting::credit(codes::VAT_SETTLEMENT, declared, None));
    // Credits so far are cleared + declared, so this balances the entry.
    postings.push(Posting::debit(codes::ROUNDING, cleared + declared, None));
    let about = Description { period: Some(period), ..Description::of(DescriptionKind::VatReturn) };
    entry(on, about, source, postings)
}

/// VAT paid to the tax office, or paid back by it when negative.
#[must_use]
pub fn vat_payment(source: Source, on: Date, amount: Cents, from: MoneyAccount) -> JournalEntry {
    let kind = if amount.is_negative() { DescriptionKind::VatRefund } else { DescriptionKind::VatPayment };
    two_sided(on, Description::of(kind), source, codes::VAT_SETTLEMENT, from.receiving(-amount), amount)
}

#[cfg(test)]
mod tests;
