//! Booking: a document in, a balanced journal entry out.

use crate::{
    calendar::Quarter,
    chart::{AccountCode, codes},
    entry::{JournalEntry, Posting, Source, Unbalanced},
    invoice::{Priced, VatGroup},
    money::{AmountOutOfRange, Cents},
    vat::{VatBox, VatCategory, VatRate, named},
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
    }
}

impl MoneyAccount {
    /// The account in the chart. For the owner's own pocket it is private deposits, which is where business costs paid from it go.
    #[must_use]
    pub const fn code(self) -> AccountCode {
        match self {
            Self::Bank => codes::BANK,
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

fn entry(on: Date, description: String, source: Source, postings: Vec<Posting>) -> JournalEntry {
    JournalEntry::new(on, description, source, postings).expect(BALANCED)
}

fn two_sided(
    on: Date,
    description: &str,
    source: Source,
    debit: AccountCode,
    credit: AccountCode,
    amount: Cents,
) -> JournalEntry {
    let postings = vec![Posting::debit(debit, amount, None), Posting::credit(credit, amount, None)];
    entry(on, description.to_owned(), source, postings)
}

/// A sales invoice: receivables against revenue of each kind and the VAT due on it.
#[must_use]
pub fn sales_invoice(source: Source, number: &str, customer: &str, on: Date, priced: &Priced) -> JournalEntry {
    entry(on, format!("Invoice {number}, {customer}"), source, sale_postings(priced))
}

/// A credit note: the mirror image of the sale, at its own date. The amounts of `priced` are negative.
#[must_use]
pub fn credit_note(source: Source, number: &str, credits: &str, on: Date, priced: &Priced) -> JournalEntry {
    let about = if credits.is_empty() { String::new() } else { format!(" on invoice {credits}") };
    entry(on, format!("Credit note {number}{about}"), source, sale_postings(priced))
}

fn sale_postings(priced: &Priced) -> Vec<Posting> {
    let mut postings = vec![Posting::debit(codes::RECEIVABLES, priced.total, None)];
    for group in &priced.groups {
        postings.push(Posting::credit(revenue_account(group), group.base, group.vat_box));
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
        (VatCategory::IntraCommunity, _) => codes::REVENUE_EU,
        (VatCategory::Export, _) => codes::REVENUE_EXPORT,
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

/// A payment on an invoice, in euros; a negative amount is a refund.
#[must_use]
pub fn payment_received(source: Source, number: &str, on: Date, amount: Cents, into: MoneyAccount) -> JournalEntry {
    two_sided(on, &format!("Payment on invoice {number}"), source, into.receiving(amount), codes::RECEIVABLES, amount)
}

/// Why the VAT on a purchase is due by the buyer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReverseChargeKind {
    /// Reverse-charged inside the Netherlands (box 2a).
    Domestic,
    /// From outside the EU (box 4a).
    OutsideEu,
    /// From another member state (box 4b).
    Eu,
}

/// How the VAT of a purchase is treated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PurchaseVat {
    /// On the supplier's invoice, and deductible.
    Deductible {
        /// The rate on the supplier's invoice.
        rate: VatRate,
        /// The VAT on the supplier's invoice.
        vat: Cents,
    },
    /// None, or not deductible: the whole amount is cost.
    None,
    /// Due by the buyer.
    ReverseCharged {
        /// Why.
        kind: ReverseChargeKind,
        /// The Dutch rate.
        rate: VatRate,
        /// Whether it is deductible at once; otherwise it is cost.
        deductible: bool,
    },
}

/// A purchase.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Purchase {
    /// What was bought.
    pub description: String,
    /// The account that it is booked on.
    pub cost: AccountCode,
    /// Excluding deductible VAT; negative when the supplier credits.
    pub net: Cents,
    /// Its VAT.
    pub vat: PurchaseVat,
    /// What it was paid from; nothing while it is owed.
    pub paid_from: Option<MoneyAccount>,
}

/// A purchase: cost and input VAT against money or payables; with the VAT due where it is reverse-charged.
///
/// # Errors
/// The amounts are beyond what a document can carry.
pub fn expense(source: Source, on: Date, purchase: &Purchase) -> Result<JournalEntry, AmountOutOfRange> {
    let net = purchase.net.within_limit()?;
    let against = |paid: Cents| purchase.paid_from.map_or(codes::PAYABLES, |money| money.receiving(-paid));
    let postings = match purchase.vat {
        PurchaseVat::Deductible { rate, vat } => {
            let total = (net + vat.within_limit()?).within_limit()?;
            let input = if rate == VatRate::low_on(on) { codes::INPUT_VAT_LOW } else { codes::INPUT_VAT_HIGH };
            vec![
                Posting::debit(purchase.cost, net, None),
                Posting::debit(input, vat, Some(VatBox::B5b)),
                Posting::credit(against(total), total, None),
            ]
        }
        PurchaseVat::None => vec![Posting::debit(purchase.cost, net, None), Posting::credit(against(net), net, None)],
        PurchaseVat::ReverseCharged { kind, rate, deductible } => {
            let (vat_box, due_on) = match kind {
                ReverseChargeKind::Domestic => (VatBox::B2a, codes::VAT_DUE_REVERSE_CHARGED),
                ReverseChargeKind::OutsideEu => (VatBox::B4a, codes::VAT_DUE_OUTSIDE_EU),
                ReverseChargeKind::Eu => (VatBox::B4b, codes::VAT_DUE_EU),
            };
            let vat = rate.of(net).within_limit()?;
            let own = if deductible {
                Posting::debit(codes::INPUT_VAT_REVERSE_CHARGED, vat, Some(VatBox::B5b))
            } else {
                // VAT that cannot be deducted is part of the cost, but not of the purchase that the box asks for.
                Posting::debit(purchase.cost, vat, None)
            };
            vec![
                Posting::debit(purchase.cost, net, Some(vat_box)),
                own,
                Posting::credit(due_on, vat, Some(vat_box)),
                Posting::credit(against(net), net, None),
            ]
        }
    };
    Ok(entry(on, purchase.description.clone(), source, postings))
}

/// Money taken out for private use.
#[must_use]
pub fn private_drawing(source: Source, on: Date, amount: Cents, from: MoneyAccount) -> JournalEntry {
    two_sided(on, "Private drawing", source, codes::PRIVATE_DRAWINGS, from.code(), amount)
}

/// Private money put in.
#[must_use]
pub fn private_deposit(source: Source, on: Date, amount: Cents, into: MoneyAccount) -> JournalEntry {
    two_sided(on, "Private deposit", source, into.code(), codes::PRIVATE_DEPOSITS, amount)
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
    entry(on, "Private use".to_owned(), source, postings)
}

/// Equipment written off.
#[must_use]
pub fn depreciation(source: Source, on: Date, amount: Cents) -> JournalEntry {
    two_sided(on, "Depreciation of equipment", source, codes::DEPRECIATION, codes::ACCUMULATED_DEPRECIATION, amount)
}

/// What an account starts with. `balances` is debit minus credit in euros per account, so what is owed is negative; what is left
/// between them is the owner's equity.
#[must_use]
pub fn opening_balance(source: Source, on: Date, balances: &[(AccountCode, Cents)]) -> JournalEntry {
    let mut postings: Vec<Posting> = balances.iter().map(|(account, balance)| Posting::debit(*account, *balance, None)).collect();
    postings.push(Posting::credit(codes::EQUITY, balances.iter().map(|(_, balance)| *balance).sum(), None));
    entry(on, "Opening balance".to_owned(), source, postings)
}

/// An entry made by hand.
///
/// # Errors
/// Debit and credit differ, or there is no line.
pub fn manual(source: Source, on: Date, description: &str, postings: Vec<Posting>) -> Result<JournalEntry, Unbalanced> {
    JournalEntry::new(on, description.to_owned(), source, postings)
}

/// Filing a return: clears what stands on each VAT account for the period, and puts what was declared on the settlement account;
/// the difference is rounding. `balances` is debit minus credit per VAT account of the postings that carry a box. The entry's own
/// postings carry none, so that the return stays what it was.
#[must_use]
pub fn vat_settlement(
    source: Source,
    period: Quarter,
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
    entry(period.last_day(), format!("VAT return {} quarter {}", period.year(), period.number()), source, postings)
}

/// VAT paid to the tax office, or paid back by it when negative.
#[must_use]
pub fn vat_payment(source: Source, on: Date, amount: Cents, from: MoneyAccount) -> JournalEntry {
    two_sided(on, "VAT payment", source, codes::VAT_SETTLEMENT, from.receiving(-amount), amount)
}

#[cfg(test)]
mod tests;
