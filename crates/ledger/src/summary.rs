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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vat::VatBox;

    /// A debit (positive) or credit (negative) of a month.
    fn month(year: i16, month: i8, account: AccountCode, vat_box: Option<VatBox>, debited: i64) -> MonthTotal {
        let (debit, credit) = if debited < 0 { (0, -debited) } else { (debited, 0) };
        MonthTotal { year, month, total: Total { account, vat_box, debit: Cents::new(debit), credit: Cents::new(credit) } }
    }

    fn named(amounts: &[AmountOf]) -> Vec<(AccountCode, i64)> {
        amounts.iter().map(|of| (of.account, of.amount.get())).collect()
    }

    /// Two years: in 2025 1 000.00 earned and paid; in 2026 a sale in each half, costs, a drawing, and the VAT of the first quarter filed.
    fn books() -> Vec<MonthTotal> {
        vec![
            month(2025, 12, codes::BANK, None, 100_000),
            month(2025, 12, codes::REVENUE_EXEMPT, None, -100_000),
            month(2026, 1, codes::RECEIVABLES, None, 121_000),
            month(2026, 1, codes::REVENUE_HIGH, Some(VatBox::B1a), -100_000),
            month(2026, 1, codes::VAT_DUE_HIGH, Some(VatBox::B1a), -21_000),
            month(2026, 3, codes::VAT_DUE_HIGH, None, 21_000),
            month(2026, 3, codes::VAT_SETTLEMENT, None, -21_000),
            month(2026, 4, codes::OFFICE, None, 40_000),
            month(2026, 4, codes::INPUT_VAT_HIGH, Some(VatBox::B5b), 8_400),
            month(2026, 4, codes::BANK, None, -48_400),
            month(2026, 8, codes::RECEIVABLES, None, -121_000),
            month(2026, 8, codes::BANK, None, 121_000),
            month(2026, 9, codes::PRIVATE_DRAWINGS, None, 30_000),
            month(2026, 9, codes::BANK, None, -30_000),
            month(2026, 12, codes::RECEIVABLES, None, 50_000),
            month(2026, 12, codes::REVENUE_EU, Some(VatBox::B3b), -50_000),
            // The year after is not in the summary of 2026.
            month(2027, 1, codes::RECEIVABLES, None, -50_000),
            month(2027, 1, codes::BANK, None, 50_000),
        ]
    }

    #[test]
    fn a_year_is_summed_up_from_its_months() {
        let summary = annual_summary(2026, &books());
        assert_eq!((summary.revenue.get(), summary.costs.get(), summary.profit.get()), (150_000, 40_000, 110_000));
        assert_eq!(named(&summary.revenue_by_account), [(codes::REVENUE_HIGH, 100_000), (codes::REVENUE_EU, 50_000)]);
        assert_eq!(named(&summary.costs_by_account), [(codes::OFFICE, 40_000)]);
        let vat = (summary.vat_charged.get(), summary.vat_deductible.get(), summary.vat_payable.get());
        assert_eq!(vat, (21_000, 8_400, 12_600), "filing moves VAT but changes nothing about what was charged");
        assert_eq!(summary.receivables.get(), 50_000);
        let quarters =
            summary.quarters.map(|of| (of.quarter, of.revenue.get(), of.costs.get(), of.profit.get(), of.vat_payable.get()));
        let wanted =
            [(1, 100_000, 0, 100_000, 21_000), (2, 0, 40_000, -40_000, -8_400), (3, 0, 0, 0, 0), (4, 50_000, 0, 50_000, 0)];
        assert_eq!(quarters, wanted);
    }

    #[test]
    fn the_balance_sheet_carries_earlier_results_in_equity() {
        let sheet = annual_summary(2026, &books()).balance_sheet;
        assert_eq!(named(&sheet.assets), [(codes::BANK, 142_600), (codes::RECEIVABLES, 50_000)]);
        assert_eq!(
            named(&sheet.equity),
            [(codes::EQUITY, 100_000), (codes::PRIVATE_DRAWINGS, -30_000), (codes::RESULT, 110_000)]
        );
        // What may be deducted is a claim on the tax office; it stands among the liabilities, below zero.
        assert_eq!(named(&sheet.liabilities), [(codes::INPUT_VAT_HIGH, -8_400), (codes::VAT_SETTLEMENT, 21_000)]);
        assert_eq!(sheet.total.get(), 192_600);
        assert_eq!(sum(&sheet.equity) + sum(&sheet.liabilities), sheet.total);

        let before = annual_summary(2025, &books());
        assert_eq!(named(&before.balance_sheet.equity), [(codes::RESULT, 100_000)]);
        let after = annual_summary(2027, &books());
        assert_eq!((after.profit, after.receivables), (Cents::ZERO, Cents::ZERO));
        assert_eq!(named(&after.balance_sheet.equity), [(codes::EQUITY, 210_000), (codes::PRIVATE_DRAWINGS, -30_000)]);
    }

    #[test]
    fn a_year_without_entries_is_all_zero() {
        let summary = annual_summary(2026, &[]);
        assert_eq!((summary.profit, summary.vat_payable, summary.receivables), (Cents::ZERO, Cents::ZERO, Cents::ZERO));
        assert_eq!(
            summary.balance_sheet,
            BalanceSheet { assets: vec![], equity: vec![], liabilities: vec![], total: Cents::ZERO }
        );
        assert_eq!(summary.quarters.map(|of| of.quarter), [1, 2, 3, 4]);
    }
}
