//! Events that no invoice and no receipt tells of, and what each books: money moved between accounts of one's own, private money, accruals,
//! loans, private use, the opening balance, and entries made by hand.

use crate::{
    booking::MoneyAccount,
    chart::{AccountCode, codes},
    description::{Description, DescriptionKind},
    entry::{JournalEntry, Posting, Source, SourceType, Unbalanced},
    money::Cents,
    named::named,
    vat::{VatBox, VatRate},
};
use jiff::civil::Date;

named! {
    /// What moves between the owner and the business.
    PrivateKind {
        /// Taken out.
        Drawing => "drawing",
        /// Put in.
        Deposit => "deposit",
        /// Income tax of the owner, paid by the business; below zero when it was paid back.
        IncomeTax => "incomeTax",
        /// The owner's income-dependent contribution for health insurance, never a cost (art. 3.16(2)(e) Wet IB 2001).
        HealthInsurance => "healthInsurance",
        /// The owner's premiums for disability insurance and annuities.
        Premium => "premium",
    }
}

named! {
    /// What belongs to another period than the one in which it is invoiced or paid.
    AccrualKind {
        /// Work that was done and is not invoiced yet.
        WorkToInvoice => "workToInvoice",
        /// Costs of which the bill is still to come.
        AccruedCost => "accruedCost",
        /// Costs that were paid for a later period.
        PrepaidCost => "prepaidCost",
    }
}

named! {
    /// What of the business is used privately.
    PrivateUseKind {
        /// A car (art. 15 Uitvoeringsbeschikking omzetbelasting 1968).
        Car => "car",
        /// Goods or services (art. 3(3) and 4(2) Wet OB 1968).
        Goods => "goods",
    }
}

/// The loans of the chart.
pub const LOANS: [AccountCode; 2] = [codes::BANK_LOAN, codes::OTHER_LOANS];

/// An event, with its amounts in euros.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// An entry made by hand.
    ByHand {
        /// Its lines, none with a box.
        postings: Vec<Posting>,
    },
    /// What the books begin with.
    OpeningBalance {
        /// Debit minus credit per account; what is left between them is the owner's equity.
        balances: Vec<(AccountCode, Cents)>,
    },
    /// Money moved between accounts of the business.
    Transfer {
        /// Where it left.
        from: MoneyAccount,
        /// Where it came in.
        to: MoneyAccount,
        /// How much.
        amount: Cents,
        /// The day on which it came in; until then it is in transit.
        arrived: Date,
    },
    /// Private money.
    Private {
        /// What it was for.
        kind: PrivateKind,
        /// How much; below zero for tax and premiums that were paid back.
        amount: Cents,
        /// The account of the business.
        method: MoneyAccount,
    },
    /// Revenue or a cost of this period that is invoiced or paid in another.
    Accrual {
        /// What it is.
        kind: AccrualKind,
        /// The account of the revenue or cost.
        account: AccountCode,
        /// How much, excluding VAT.
        amount: Cents,
        /// The day on which it is taken back.
        reverse_on: Date,
    },
    /// A loan that was drawn.
    Loan {
        /// One of [`LOANS`].
        account: AccountCode,
        /// How much.
        amount: Cents,
        /// Where the money came in.
        method: MoneyAccount,
    },
    /// A loan repaid, wholly or in part, and interest on it.
    LoanRepayment {
        /// The account of the loan.
        account: AccountCode,
        /// What is owed less.
        principal: Cents,
        /// The cost of the loan.
        interest: Cents,
        /// Where it was paid from.
        method: MoneyAccount,
    },
    /// Something of the business used privately (box 1d).
    PrivateUse {
        /// What.
        kind: PrivateUseKind,
        /// The VAT that is due on it; nothing under the small businesses scheme, and then it stands in no box.
        vat: Cents,
        /// Of a car: what is added to the profit for its private use (art. 3.20 Wet IB 2001). Of goods: their value, excluding VAT.
        base: Option<Cents>,
    },
}

impl Event {
    /// The kind of source that its entries name.
    #[must_use]
    pub const fn source_type(&self) -> SourceType {
        match self {
            Self::ByHand { .. } => SourceType::Manual,
            Self::OpeningBalance { .. } => SourceType::OpeningBalance,
            Self::Transfer { .. } => SourceType::Transfer,
            Self::Private { .. } => SourceType::PrivateBooking,
            Self::Accrual { .. } => SourceType::Accrual,
            Self::Loan { .. } => SourceType::Loan,
            Self::LoanRepayment { .. } => SourceType::LoanRepayment,
            Self::PrivateUse { .. } => SourceType::PrivateUse,
        }
    }

    const fn description_kind(&self) -> DescriptionKind {
        match self {
            Self::ByHand { .. } => DescriptionKind::Manual,
            Self::OpeningBalance { .. } => DescriptionKind::OpeningBalance,
            Self::Transfer { .. } => DescriptionKind::Transfer,
            Self::Private { kind: PrivateKind::Drawing, .. } => DescriptionKind::PrivateDrawing,
            Self::Private { kind: PrivateKind::Deposit, .. } => DescriptionKind::PrivateDeposit,
            Self::Private { kind: PrivateKind::IncomeTax, .. } => DescriptionKind::IncomeTax,
            Self::Private { kind: PrivateKind::HealthInsurance, .. } => DescriptionKind::HealthInsurance,
            Self::Private { kind: PrivateKind::Premium, .. } => DescriptionKind::PrivatePremium,
            Self::Accrual { kind: AccrualKind::WorkToInvoice, .. } => DescriptionKind::WorkToInvoice,
            Self::Accrual { kind: AccrualKind::AccruedCost, .. } => DescriptionKind::AccruedCost,
            Self::Accrual { kind: AccrualKind::PrepaidCost, .. } => DescriptionKind::PrepaidCost,
            Self::Loan { .. } => DescriptionKind::Loan,
            Self::LoanRepayment { .. } => DescriptionKind::LoanRepayment,
            Self::PrivateUse { .. } => DescriptionKind::PrivateUse,
        }
    }

    /// The entries that it books from its day on, oldest first. `words` are the owner's own; `first_id` is the id that the first entry
    /// gets, which the second one names when it takes it back.
    ///
    /// # Errors
    /// Debit and credit of an entry made by hand differ, or it has no lines.
    pub fn entries(&self, id: i64, on: Date, words: Option<&str>, first_id: i64) -> Result<Vec<JournalEntry>, Unbalanced> {
        let source = Source { kind: self.source_type(), id };
        let about = Description { text: words.map(str::to_owned), ..Description::of(self.description_kind()) };
        let first = JournalEntry::new(on, about.clone(), source, self.postings(on))?;
        Ok(match self {
            Self::Transfer { to, amount, arrived, .. } => {
                let arrival =
                    vec![Posting::debit(to.code(), *amount, None), Posting::credit(codes::MONEY_IN_TRANSIT, *amount, None)];
                vec![first, JournalEntry::new(*arrived, about, source, arrival)?]
            }
            Self::Accrual { reverse_on, .. } => {
                let back = first.reversal(first_id, *reverse_on, *reverse_on);
                vec![first, back]
            }
            _ => vec![first],
        })
    }

    /// The lines of its first entry.
    fn postings(&self, on: Date) -> Vec<Posting> {
        let pair = |debit, credit, amount| vec![Posting::debit(debit, amount, None), Posting::credit(credit, amount, None)];
        match self {
            Self::ByHand { postings } => postings.clone(),
            Self::OpeningBalance { balances } => {
                let mut postings: Vec<Posting> =
                    balances.iter().map(|(account, balance)| Posting::debit(*account, *balance, None)).collect();
                let equity = balances.iter().map(|(_, balance)| *balance).sum();
                postings.push(Posting::credit(codes::EQUITY, equity, None));
                postings
            }
            Self::Transfer { from, amount, .. } => pair(codes::MONEY_IN_TRANSIT, from.code(), *amount),
            Self::Private { kind: PrivateKind::Deposit, amount, method } => pair(method.code(), codes::PRIVATE_DEPOSITS, *amount),
            Self::Private { kind, amount, method } => {
                let account = match kind {
                    PrivateKind::Drawing | PrivateKind::Deposit => codes::PRIVATE_DRAWINGS,
                    PrivateKind::IncomeTax | PrivateKind::HealthInsurance => codes::PRIVATE_TAX,
                    PrivateKind::Premium => codes::PRIVATE_PREMIUMS,
                };
                pair(account, method.code(), *amount)
            }
            Self::Accrual { kind, account, amount, .. } => match kind {
                AccrualKind::WorkToInvoice => pair(codes::WORK_TO_INVOICE, *account, *amount),
                AccrualKind::AccruedCost => pair(*account, codes::ACCRUED_COSTS, *amount),
                AccrualKind::PrepaidCost => pair(codes::PREPAID_COSTS, *account, *amount),
            },
            Self::Loan { account, amount, method } => pair(method.code(), *account, *amount),
            Self::LoanRepayment { account, principal, interest, method } => vec![
                Posting::debit(*account, *principal, None),
                Posting::debit(codes::INTEREST, *interest, None),
                Posting::credit(method.code(), *principal + *interest, None),
            ],
            Self::PrivateUse { kind, vat, base } => private_use(*kind, *vat, *base, on),
        }
    }
}

/// VAT on private use is due in box 1d. That on a car is a cost; what it is counted on is told in the box without being revenue, and what is
/// added to the profit takes costs away. Goods are revenue, and with their VAT drawn in kind.
fn private_use(kind: PrivateUseKind, vat: Cents, base: Option<Cents>, on: Date) -> Vec<Posting> {
    let boxed = (!vat.is_zero()).then_some(VatBox::B1d);
    let due = Posting::credit(codes::VAT_DUE_PRIVATE_USE, vat, boxed);
    let value = base.unwrap_or_default();
    match kind {
        PrivateUseKind::Car => {
            let counted_on = VatRate::high_on(on).base_of(vat);
            vec![
                Posting::debit(codes::VAT_PRIVATE_USE_CAR, vat, None),
                due,
                Posting::credit(codes::VAT_PRIVATE_USE_CAR, counted_on, boxed),
                Posting::debit(codes::VAT_PRIVATE_USE_CAR, counted_on, None),
                Posting::debit(codes::DRAWINGS_IN_KIND, value, None),
                Posting::credit(codes::PRIVATE_USE_CAR, value, None),
            ]
        }
        PrivateUseKind::Goods => vec![
            Posting::debit(codes::DRAWINGS_IN_KIND, value + vat, None),
            Posting::credit(codes::PRIVATE_USE, value, boxed),
            due,
        ],
    }
}

#[cfg(test)]
mod tests;
