//! The annual summary: profit and loss, VAT and balance sheet of a calendar year.

use crate::{
    chart::{self, AccountCode, Class, Role, codes},
    money::Cents,
    vat_return::Total,
};
use std::collections::BTreeMap;

/// Summed postings of one month on one account and box.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MonthTotal {
    /// The year.
    pub year: i16,
    /// The month, 1 to 12.
    pub month: i8,
    /// The sums.
    pub total: Total,
}

/// An account and what stands on it, on the side where its class grows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AmountOf {
    /// The account.
    pub account: AccountCode,
    /// The amount.
    pub amount: Cents,
}

/// What the business has and owes at the end of the year. Assets equal equity and liabilities together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BalanceSheet {
    /// What it has.
    pub assets: Vec<AmountOf>,
    /// What is the owner's; results of earlier years are in equity, this year's is a line of its own.
    pub equity: Vec<AmountOf>,
    /// What it owes.
    pub liabilities: Vec<AmountOf>,
    /// The sum of the assets.
    pub total: Cents,
}

/// The result of one quarter.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct QuarterResult {
    /// Its number, 1 to 4.
    pub quarter: u8,
    /// Revenue, excluding VAT.
    pub revenue: Cents,
    /// Costs, excluding deductible VAT.
    pub costs: Cents,
    /// Revenue less costs.
    pub profit: Cents,
    /// VAT due less input VAT; to be received when negative.
    pub vat_payable: Cents,
}

/// The summary of a year.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AnnualSummary {
    /// Excluding VAT.
    pub revenue: Cents,
    /// Excluding deductible VAT.
    pub costs: Cents,
    /// Revenue less costs.
    pub profit: Cents,
    /// Revenue per account.
    pub revenue_by_account: Vec<AmountOf>,
    /// Costs per account.
    pub costs_by_account: Vec<AmountOf>,
    /// VAT due on the year's returns.
    pub vat_charged: Cents,
    /// Input VAT on the year's returns.
    pub vat_deductible: Cents,
    /// VAT due less input VAT.
    pub vat_payable: Cents,
    /// What customers owe at the end of the year.
    pub receivables: Cents,
    /// At the end of the year.
    pub balance_sheet: BalanceSheet,
    /// By quarter.
    pub quarters: [QuarterResult; 4],
}

/// Sums a year up. `totals` are those of all months up to and including December of the year.
#[must_use]
pub fn annual_summary(year: i16, totals: &[MonthTotal]) -> AnnualSummary {
    let mut result: BTreeMap<AccountCode, Cents> = BTreeMap::new();
    let mut balance: BTreeMap<AccountCode, Cents> = BTreeMap::new();
    let (mut charged, mut deductible) = (Cents::ZERO, Cents::ZERO);
    let mut quarters = [1, 2, 3, 4].map(|quarter| QuarterResult { quarter, ..QuarterResult::default() });
    for MonthTotal { year: of, month, total } in totals.iter().filter(|total| total.year <= year) {
        let account = chart::account(total.account);
        let credited = total.credit - total.debit;
        let this_year = *of == year;
        let quarter = &mut quarters[usize::from((month.unsigned_abs().clamp(1, 12) - 1) / 3)];
        match account.class {
            Class::Revenue | Class::Cost if this_year => {
                *result.entry(total.account).or_default() += credited;
                *balance.entry(codes::RESULT).or_default() += credited;
                if account.class == Class::Revenue { quarter.revenue += credited } else { quarter.costs -= credited }
            }
            Class::Revenue | Class::Cost => *balance.entry(codes::EQUITY).or_default() += credited,
            Class::Asset | Class::Equity | Class::Liability => *balance.entry(total.account).or_default() += credited,
        }
        if this_year && total.vat_box.is_some() {
            match account.role {
                Role::VatDue => {
                    charged += credited;
                    quarter.vat_payable += credited;
                }
                Role::InputVat => {
                    deductible -= credited;
                    quarter.vat_payable += credited;
                }
                _ => {}
            }
        }
    }
    for quarter in &mut quarters {
        quarter.profit = quarter.revenue - quarter.costs;
    }
    let revenue_by_account = of_class(&result, Class::Revenue);
    let costs_by_account = of_class(&result, Class::Cost);
    let (revenue, costs) = (sum(&revenue_by_account), sum(&costs_by_account));
    let assets = of_class(&balance, Class::Asset);
    AnnualSummary {
        revenue,
        costs,
        profit: revenue - costs,
        revenue_by_account,
        costs_by_account,
        vat_charged: charged,
        vat_deductible: deductible,
        vat_payable: charged - deductible,
        receivables: -balance.get(&codes::RECEIVABLES).copied().unwrap_or_default(),
        balance_sheet: BalanceSheet {
            total: sum(&assets),
            assets,
            equity: of_class(&balance, Class::Equity),
            liabilities: of_class(&balance, Class::Liability),
        },
        quarters,
    }
}

/// The accounts of a class that something stands on; `credited` is credit less debit.
fn of_class(credited: &BTreeMap<AccountCode, Cents>, class: Class) -> Vec<AmountOf> {
    let grows_on_debit = matches!(class, Class::Asset | Class::Cost);
    credited
        .iter()
        .filter(|(account, amount)| chart::account(**account).class == class && !amount.is_zero())
        .map(|(account, amount)| AmountOf { account: *account, amount: if grows_on_debit { -*amount } else { *amount } })
        .collect()
}

fn sum(amounts: &[AmountOf]) -> Cents {
    amounts.iter().map(|of| of.amount).sum()
}
