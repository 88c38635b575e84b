//! Events without an invoice or receipt, and their entries: transfers between own accounts, private
//! money, accruals, loans, private use, the opening balance, and manual entries.

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
    /// Kind of private booking between the owner and the business.
    PrivateKind {
        /// Drawing.
        Drawing => "drawing",
        /// Deposit.
        Deposit => "deposit",
        /// Income tax of the owner, paid by the business; negative for a refund.
        IncomeTax => "incomeTax",
        /// The owner's income-dependent health insurance contribution, never a cost (art.
        /// 3.16(2)(e) Wet IB 2001).
        HealthInsurance => "healthInsurance",
        /// The owner's premiums for disability insurance and annuities.
        Premium => "premium",
    }
}

named! {
    /// Kind of premium that the owner pays for an income provision (art. 3.124 Wet IB 2001).
    PremiumKind {
        /// Disability insurance, deductible in full.
        Disability => "disability",
        /// Annuity, deductible up to the margin (art. 3.127).
        Annuity => "annuity",
    }
}

named! {
    /// Kind of accrual: an amount that belongs to a different period than its invoice or payment.
    AccrualKind {
        /// Work done but not yet invoiced.
        WorkToInvoice => "workToInvoice",
        /// Accrued costs, for which no bill has arrived yet.
        AccruedCost => "accruedCost",
        /// Prepaid costs for a later period.
        PrepaidCost => "prepaidCost",
    }
}

named! {
    /// Kind of private use of the business.
    PrivateUseKind {
        /// A car (art. 15 Uitvoeringsbeschikking omzetbelasting 1968).
        Car => "car",
        /// Goods or services (art. 3(3) and 4(2) Wet OB 1968).
        Goods => "goods",
    }
}

named! {
    /// Half of a transfer.
    TransferHalf {
        /// The money leaves an account.
        Departure => "departure",
        /// The money arrives on the other account.
        Arrival => "arrival",
    }
}

/// Maximum number of days between the two halves of a transfer that bank lines book.
pub const DAYS_OF_TRANSFER: i32 = 10;

/// Loan accounts in the chart.
pub const LOANS: [AccountCode; 2] = [codes::BANK_LOAN, codes::OTHER_LOANS];

/// Event, with its amounts in euro cents.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// Manual entry.
    ByHand {
        /// Postings, none with a VAT box.
        postings: Vec<Posting>,
    },
    /// Opening balance.
    OpeningBalance {
        /// Debit minus credit per account. The sum is booked to the owner's equity.
        balances: Vec<(AccountCode, Cents)>,
    },
    /// Transfer between accounts of the business.
    Transfer {
        /// Account that the money leaves.
        from: MoneyAccount,
        /// Account that receives the money.
        to: MoneyAccount,
        /// Amount.
        amount: Cents,
        /// Date of receipt; until then the money is in transit.
        arrived: Date,
        /// Half that is not booked yet, because the statement of its account has not come. Both dates
        /// are that of the other half.
        awaited: Option<TransferHalf>,
    },
    /// Private booking.
    Private {
        /// Kind.
        kind: PrivateKind,
        /// Amount; negative for refunds of tax and premiums.
        amount: Cents,
        /// Account of the business.
        method: MoneyAccount,
        /// Kind of premium; `None` for other kinds of booking, or if the owner did not state it.
        premium: Option<PremiumKind>,
    },
    /// Accrual: revenue or a cost of this period that is invoiced or paid in another.
    Accrual {
        /// Kind.
        kind: AccrualKind,
        /// Revenue or cost account.
        account: AccountCode,
        /// Amount, excluding VAT.
        amount: Cents,
        /// Date of the reversal.
        reverse_on: Date,
    },
    /// Loan taken out.
    Loan {
        /// One of [`LOANS`].
        account: AccountCode,
        /// Amount.
        amount: Cents,
        /// Account that receives the money.
        method: MoneyAccount,
    },
    /// Full or partial loan repayment with interest.
    LoanRepayment {
        /// Account of the loan.
        account: AccountCode,
        /// Reduction of the debt.
        principal: Cents,
        /// Interest, a cost.
        interest: Cents,
        /// Account that the money is paid from.
        method: MoneyAccount,
    },
    /// Private use of business goods or services (box 1d).
    PrivateUse {
        /// Kind.
        kind: PrivateUseKind,
        /// VAT due; zero under the small businesses scheme, in which case no box is used.
        vat: Cents,
        /// For a car, the addition to profit for private use (art. 3.20 Wet IB 2001). For goods,
        /// their value excluding VAT.
        base: Option<Cents>,
    },
}

impl Event {
    /// Source type of the event's entries.
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
            Self::Private { kind: PrivateKind::HealthInsurance, .. } => {
                DescriptionKind::HealthInsurance
            }
            Self::Private { kind: PrivateKind::Premium, .. } => DescriptionKind::PrivatePremium,
            Self::Accrual { kind: AccrualKind::WorkToInvoice, .. } => {
                DescriptionKind::WorkToInvoice
            }
            Self::Accrual { kind: AccrualKind::AccruedCost, .. } => DescriptionKind::AccruedCost,
            Self::Accrual { kind: AccrualKind::PrepaidCost, .. } => DescriptionKind::PrepaidCost,
            Self::Loan { .. } => DescriptionKind::Loan,
            Self::LoanRepayment { .. } => DescriptionKind::LoanRepayment,
            Self::PrivateUse { .. } => DescriptionKind::PrivateUse,
        }
    }

    /// Returns the entries of the event, oldest first; the first has the date `on`. `words` is the
    /// owner's own text. `first_id` is the id of the first entry, to which a reversal refers.
    ///
    /// ```
    /// use ledger::{
    ///     calendar::parse_date,
    ///     chart::codes,
    ///     event::{AccrualKind, Event},
    ///     money::Cents,
    /// };
    ///
    /// let event = Event::Accrual {
    ///     kind: AccrualKind::WorkToInvoice,
    ///     account: codes::REVENUE_HIGH,
    ///     amount: Cents::new(160_000),
    ///     reverse_on: parse_date("2027-01-01")?,
    /// };
    /// let entries = event.entries(1, parse_date("2026-12-31")?, None, 7)?;
    /// assert_eq!(entries.len(), 2);
    /// assert_eq!(entries[1].reverses(), Some(7));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Debit and credit of a manual entry differ, or it has no postings.
    pub fn entries(
        &self,
        id: i64,
        on: Date,
        words: Option<&str>,
        first_id: i64,
    ) -> Result<Vec<JournalEntry>, Unbalanced> {
        let source = Source { kind: self.source_type(), id };
        let about = Description {
            text: words.map(str::to_owned),
            ..Description::of(self.description_kind())
        };
        let first = JournalEntry::new(on, about.clone(), source, self.postings(on))?;
        Ok(match self {
            Self::Transfer { to, amount, arrived, awaited, .. } => {
                let arrival = vec![
                    Posting::debit(to.code(), *amount, None),
                    Posting::credit(codes::MONEY_IN_TRANSIT, *amount, None),
                ];
                let arrival = JournalEntry::new(*arrived, about, source, arrival)?;
                match awaited {
                    None => vec![first, arrival],
                    Some(TransferHalf::Arrival) => vec![first],
                    Some(TransferHalf::Departure) => vec![arrival],
                }
            }
            Self::Accrual { reverse_on, .. } => {
                let back = first.reversal(first_id, *reverse_on, *reverse_on);
                vec![first, back]
            }
            _ => vec![first],
        })
    }

    /// Returns the event once the awaited half of a transfer is booked on `on`, with that half. `date`
    /// is the date of the event, and becomes `on` if the departure was awaited.
    #[must_use]
    pub fn completed(&self, date: Date, on: Date) -> Option<(Self, Date, TransferHalf)> {
        let Self::Transfer { from, to, amount, awaited: Some(half), arrived } = *self else {
            return None;
        };
        let (date, arrived) = match half {
            TransferHalf::Departure => (on, arrived),
            TransferHalf::Arrival => (date, on),
        };
        Some((Self::Transfer { from, to, amount, arrived, awaited: None }, date, half))
    }

    /// Postings of the first entry.
    fn postings(&self, on: Date) -> Vec<Posting> {
        let pair = |debit, credit, amount| {
            vec![Posting::debit(debit, amount, None), Posting::credit(credit, amount, None)]
        };
        match self {
            Self::ByHand { postings } => postings.clone(),
            Self::OpeningBalance { balances } => {
                let mut postings: Vec<Posting> = balances
                    .iter()
                    .map(|(account, balance)| Posting::debit(*account, *balance, None))
                    .collect();
                let equity = balances.iter().map(|(_, balance)| *balance).sum();
                postings.push(Posting::credit(codes::EQUITY, equity, None));
                postings
            }
            Self::Transfer { from, amount, .. } => {
                pair(codes::MONEY_IN_TRANSIT, from.code(), *amount)
            }
            Self::Private { kind: PrivateKind::Deposit, amount, method, .. } => {
                pair(method.code(), codes::PRIVATE_DEPOSITS, *amount)
            }
            Self::Private { kind, amount, method, .. } => {
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

/// Postings of private use; the VAT is due in box 1d. For a car, the VAT is a cost, its base is
/// reported in the box without being revenue, and the addition to profit reduces costs. Goods are
/// revenue; their value and the VAT are drawings in kind.
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
