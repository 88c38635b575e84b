//! Bookings of bank lines that other lines can repeat: allocations without an amount and without a
//! document.

use crate::{
    bank_allocations::{Allocation, LineBooking, LineExpense},
    corrections::IfFiled,
    expenses::{Covered, ExpenseLine, Supplier},
};
use ledger::{
    bank_line::AllocationKind,
    chart::AccountCode,
    event::{PremiumKind, PrivateKind},
    money::Cents,
    purchase::{BusinessShare, VatTreatment},
    vat::VatRate,
};
use store::expenses::Bill;

/// Booking that another line can repeat.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RepeatedBooking {
    /// Expense of one line, which takes the whole amount.
    Expense(RepeatedExpense),
    /// Payment of VAT for a period that the owner chooses.
    Vat,
    /// Private money.
    Private {
        /// Kind.
        kind: PrivateKind,
        /// Kind of premium.
        premium: Option<PremiumKind>,
    },
    /// Transfer to or from another bank account of the books.
    Transfer {
        /// The other bank account.
        bank_account_id: i64,
    },
    /// Charge of the bank.
    BankCosts,
    /// Interest.
    Interest,
    /// Repayment of a loan.
    LoanRepayment {
        /// Loan.
        loan_id: i64,
        /// Interest in the amount.
        interest: Cents,
    },
    /// Any other ledger account.
    Ledger {
        /// Ledger account.
        account: AccountCode,
        /// Description of the entry.
        description: Option<String>,
    },
}

/// Expense without its amount, date and documents.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RepeatedExpense {
    /// Supplier; without one, the counterparty of the line.
    pub supplier: Supplier,
    /// Description of the purchase.
    pub description: Option<String>,
    /// Cost account.
    pub category: AccountCode,
    /// VAT treatment.
    pub treatment: VatTreatment,
    /// VAT rate, if the treatment has one.
    pub rate: Option<VatRate>,
    /// Whether the amount includes VAT.
    pub includes_vat: bool,
    /// Share of the purchase that is for the business.
    pub business_share: BusinessShare,
}

impl RepeatedExpense {
    fn of(expense: &LineExpense) -> Option<Self> {
        let [line] = expense.lines.as_slice() else { return None };
        // An amount besides the whole, or a printed VAT amount, is of one document.
        if !expense.takes_all || line.vat.is_some() {
            return None;
        }
        Some(Self {
            supplier: expense.supplier.clone(),
            description: expense.description.clone(),
            category: line.category,
            treatment: line.treatment,
            rate: line.rate,
            includes_vat: line.includes_vat,
            business_share: expense.business_share,
        })
    }

    fn expense(&self) -> LineExpense {
        LineExpense {
            external_id: None,
            date: None,
            supplier: self.supplier.clone(),
            description: self.description.clone(),
            lines: vec![ExpenseLine {
                category: self.category,
                amount: Cents::ZERO,
                treatment: self.treatment,
                rate: self.rate,
                includes_vat: self.includes_vat,
                vat: None,
            }],
            takes_all: true,
            business_share: self.business_share,
            receipt_ids: Vec::new(),
            period: Covered::default(),
            bill: Bill::default(),
        }
    }

    fn to_fields(&self) -> [String; 8] {
        let id = self.supplier.contact_id.map(|id| id.to_string());
        [
            self.category.stored().to_string(),
            self.treatment.as_str().to_owned(),
            self.rate.map(|rate| rate.basis_points().to_string()).unwrap_or_default(),
            if self.includes_vat { "1" } else { "0" }.to_owned(),
            self.business_share.basis_points().to_string(),
            id.unwrap_or_default(),
            plain(self.supplier.name.as_deref()),
            plain(self.description.as_deref()),
        ]
    }

    fn parse(fields: &[&str]) -> Option<Self> {
        let [category, treatment, rate, includes_vat, share, contact, name, description] = fields
        else {
            return None;
        };
        let text = |text: &str| Some(text.to_owned()).filter(|text| !text.is_empty());
        let number = |text: &str| -> Option<Option<i64>> {
            if text.is_empty() { Some(None) } else { Some(Some(text.parse().ok()?)) }
        };
        let rate = match number(rate)? {
            Some(points) => Some(VatRate::from_basis_points(u16::try_from(points).ok()?)),
            None => None,
        };
        Some(Self {
            supplier: Supplier { contact_id: number(contact)?, name: text(name) },
            description: text(description),
            category: AccountCode::restore(category.parse().ok()?)?,
            treatment: VatTreatment::parse(treatment)?,
            rate,
            includes_vat: match *includes_vat {
                "1" => true,
                "0" => false,
                _ => return None,
            },
            business_share: BusinessShare::from_basis_points(share.parse().ok()?)?,
        })
    }
}

/// Text on one line, without tabs.
fn plain(text: Option<&str>) -> String {
    text.unwrap_or_default().replace(char::is_control, " ")
}

impl RepeatedBooking {
    /// Returns the booking that lines like the booked one can repeat; `None` if it settles a
    /// document or an amount of its own. A description belongs to one line, so it is left out.
    #[must_use]
    pub fn learned(booking: &LineBooking) -> Option<Self> {
        match Self::of(booking)? {
            Self::Ledger { account, .. } => Some(Self::Ledger { account, description: None }),
            Self::Expense(expense) => {
                Some(Self::Expense(RepeatedExpense { description: None, ..expense }))
            }
            other => Some(other),
        }
    }

    /// Returns a booking without its period and its other line; `None` if it settles a document or
    /// an amount of its own.
    #[must_use]
    pub fn of(booking: &LineBooking) -> Option<Self> {
        Some(match booking {
            LineBooking::Expense(expense) => Self::Expense(RepeatedExpense::of(expense)?),
            LineBooking::Vat { .. } => Self::Vat,
            LineBooking::Private { kind, premium } => {
                Self::Private { kind: *kind, premium: *premium }
            }
            LineBooking::Transfer { bank_account_id, .. } => {
                Self::Transfer { bank_account_id: *bank_account_id }
            }
            LineBooking::BankCosts => Self::BankCosts,
            LineBooking::Interest => Self::Interest,
            LineBooking::LoanRepayment { loan_id, interest } => {
                Self::LoanRepayment { loan_id: *loan_id, interest: *interest }
            }
            LineBooking::Ledger { account, description } => {
                Self::Ledger { account: *account, description: description.clone() }
            }
            LineBooking::Invoice { .. }
            | LineBooking::Refund { .. }
            | LineBooking::Bill { .. }
            | LineBooking::Payout { .. }
            | LineBooking::Loan { .. }
            | LineBooking::Existing { .. } => return None,
        })
    }

    /// Returns the allocation of a whole line.
    #[must_use]
    pub fn allocation(&self) -> Allocation {
        let booking = match self.clone() {
            Self::Expense(expense) => LineBooking::Expense(Box::new(expense.expense())),
            Self::Vat => LineBooking::Vat { period: None, oss_period: None },
            Self::Private { kind, premium } => LineBooking::Private { kind, premium },
            Self::Transfer { bank_account_id } => {
                LineBooking::Transfer { bank_account_id, line_id: None }
            }
            Self::BankCosts => LineBooking::BankCosts,
            Self::Interest => LineBooking::Interest,
            Self::LoanRepayment { loan_id, interest } => {
                LineBooking::LoanRepayment { loan_id, interest }
            }
            Self::Ledger { account, description } => LineBooking::Ledger { account, description },
        };
        Allocation { amount: None, booking, if_filed: IfFiled::default() }
    }

    /// Kind of allocation.
    #[must_use]
    pub fn kind(&self) -> AllocationKind {
        self.allocation().booking.kind()
    }

    /// Whether the booking changes a box of the VAT return.
    #[must_use]
    pub fn has_box(&self) -> bool {
        matches!(self, Self::Expense(expense) if expense.treatment != VatTreatment::None)
    }

    /// Returns kind and fields, separated by tabs, which no field contains.
    #[must_use]
    pub fn to_text(&self) -> String {
        let kind = self.kind().as_str();
        let text = |fields: &[String]| {
            let fields = std::iter::once(kind).chain(fields.iter().map(String::as_str));
            fields.collect::<Vec<_>>().join("\t")
        };
        match self {
            Self::Expense(expense) => text(&expense.to_fields()),
            Self::Vat | Self::BankCosts | Self::Interest => kind.to_owned(),
            Self::Private { kind, premium } => {
                let premium = premium.map_or("", PremiumKind::as_str);
                text(&[kind.as_str().to_owned(), premium.to_owned()])
            }
            Self::Transfer { bank_account_id } => text(&[bank_account_id.to_string()]),
            Self::LoanRepayment { loan_id, interest } => {
                text(&[loan_id.to_string(), interest.get().to_string()])
            }
            Self::Ledger { account, description } => {
                text(&[account.stored().to_string(), plain(description.as_deref())])
            }
        }
    }

    /// Reads a booking from [`Self::to_text`].
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let mut fields = text.split('\t');
        let kind = AllocationKind::parse(fields.next()?)?;
        let fields: Vec<&str> = fields.collect();
        let booking = match (kind, &fields[..]) {
            (AllocationKind::Expense, fields) => Self::Expense(RepeatedExpense::parse(fields)?),
            (AllocationKind::Vat, []) => Self::Vat,
            (AllocationKind::BankCosts, []) => Self::BankCosts,
            (AllocationKind::Interest, []) => Self::Interest,
            (AllocationKind::Private, [kind, premium]) => Self::Private {
                kind: PrivateKind::parse(kind)?,
                premium: match *premium {
                    "" => None,
                    name => Some(PremiumKind::parse(name)?),
                },
            },
            (AllocationKind::Transfer, [id]) => {
                Self::Transfer { bank_account_id: id.parse().ok()? }
            }
            (AllocationKind::LoanRepayment, [loan, interest]) => Self::LoanRepayment {
                loan_id: loan.parse().ok()?,
                interest: Cents::new(interest.parse().ok()?),
            },
            (AllocationKind::Ledger, [account, description]) => Self::Ledger {
                account: AccountCode::restore(account.parse().ok()?)?,
                description: Some((*description).to_owned()).filter(|text| !text.is_empty()),
            },
            _ => return None,
        };
        Some(booking)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ledger::chart::codes;

    #[test]
    fn a_booking_is_read_as_it_was_written() {
        let expense = RepeatedExpense {
            supplier: Supplier { contact_id: Some(3), name: None },
            description: Some("Hosting".to_owned()),
            category: codes::INTEREST,
            treatment: VatTreatment::Normal,
            rate: Some(VatRate::from_basis_points(2_100)),
            includes_vat: true,
            business_share: BusinessShare::WHOLE,
        };
        let bookings = [
            RepeatedBooking::Expense(expense.clone()),
            RepeatedBooking::Expense(RepeatedExpense {
                supplier: Supplier { contact_id: None, name: Some("TransIP".to_owned()) },
                description: None,
                treatment: VatTreatment::None,
                rate: None,
                includes_vat: false,
                ..expense
            }),
            RepeatedBooking::Vat,
            RepeatedBooking::Private { kind: PrivateKind::Drawing, premium: None },
            RepeatedBooking::Private {
                kind: PrivateKind::ALL[PrivateKind::ALL.len() - 1],
                premium: Some(PremiumKind::ALL[0]),
            },
            RepeatedBooking::Transfer { bank_account_id: 2 },
            RepeatedBooking::BankCosts,
            RepeatedBooking::Interest,
            RepeatedBooking::LoanRepayment { loan_id: 7, interest: Cents::new(1_250) },
            RepeatedBooking::Ledger { account: codes::INTEREST, description: None },
            RepeatedBooking::Ledger {
                account: codes::INTEREST,
                description: Some("Rente, kwartaal 1".to_owned()),
            },
        ];
        for booking in bookings {
            let text = booking.to_text();
            assert_eq!(RepeatedBooking::parse(&text), Some(booking), "{text}");
        }
        for broken in ["", "vat\t1", "private", "private\tnone\t", "transfer\tx", "invoice\t1"] {
            assert_eq!(RepeatedBooking::parse(broken), None, "{broken}");
        }
    }
}
