//! Annual summary: profit and loss, VAT and balance sheet of a calendar year.

use crate::{
    calendar::Month,
    chart::{AccountCode, Class, Role, codes},
    money::Cents,
    vat_return::Total,
};
use std::collections::BTreeMap;

/// Sums of one month's postings on one account, by booking date.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MonthTotal {
    /// Year.
    pub year: i16,
    /// Month, 1 to 12.
    pub month: i8,
    /// Account.
    pub account: AccountCode,
    /// Sum of the debits, in euro cents.
    pub debit: Cents,
    /// Sum of the credits, in euro cents.
    pub credit: Cents,
}

/// Sums of one month's postings on one account and box, by VAT date.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VatTotal {
    /// Month of the VAT date.
    pub month: Month,
    /// Sums.
    pub total: Total,
}

/// Account with its amount: credit minus debit for revenue, equity and liabilities, debit minus
/// credit for costs and assets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AmountOf {
    /// Account.
    pub account: AccountCode,
    /// Amount, in euro cents.
    pub amount: Cents,
}

/// Balance sheet, in euro cents. Assets equal equity plus liabilities. Every line except those of
/// equity is positive: an account is listed on the side of its balance. Depreciation is deducted
/// from the assets and the provision from the debtors; all VAT accounts are one line (1780).
/// Accumulated depreciation on an own account is a negative line of the assets, because any asset
/// account can be depreciated on it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BalanceSheet {
    /// Assets.
    pub assets: Vec<AmountOf>,
    /// Equity: the capital at the beginning of the year (0500), then the year's deposits, drawings,
    /// private tax and premiums, and its result (0590).
    pub equity: Vec<AmountOf>,
    /// Liabilities.
    pub liabilities: Vec<AmountOf>,
    /// Sum of the assets.
    pub total: Cents,
}

/// Result of one quarter, in euro cents.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct QuarterResult {
    /// Number, 1 to 4.
    pub quarter: u8,
    /// Revenue, excluding VAT.
    pub revenue: Cents,
    /// Costs, excluding deductible VAT.
    pub costs: Cents,
    /// Revenue minus costs.
    pub profit: Cents,
    /// VAT due minus input VAT, for the postings with a VAT date in the quarter; negative for a
    /// refund.
    pub vat_payable: Cents,
}

/// Summary of a year, in euro cents.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AnnualSummary {
    /// Revenue, excluding VAT.
    pub revenue: Cents,
    /// Costs, excluding deductible VAT.
    pub costs: Cents,
    /// Revenue minus costs.
    pub profit: Cents,
    /// Revenue per account.
    pub revenue_by_account: Vec<AmountOf>,
    /// Costs per account.
    pub costs_by_account: Vec<AmountOf>,
    /// VAT due on the year's returns.
    pub vat_charged: Cents,
    /// Input VAT on the year's returns.
    pub vat_deductible: Cents,
    /// VAT due minus input VAT.
    pub vat_payable: Cents,
    /// Receivables at the end of the year.
    pub receivables: Cents,
    /// Balance sheet at the end of the year.
    pub balance_sheet: BalanceSheet,
    /// Results by quarter.
    pub quarters: [QuarterResult; 4],
}

/// Credit minus debit per account.
type Balances = BTreeMap<AccountCode, Cents>;

/// Computes the summary of a year. `months` holds the monthly totals of the year and of all earlier
/// years; later years are ignored. `vat` holds the totals by month of the VAT date.
///
/// ```
/// use ledger::{
///     chart::codes,
///     money::Cents,
///     summary::{MonthTotal, annual_summary},
/// };
///
/// let none = Cents::ZERO;
/// let march = |account, debit, credit| MonthTotal { year: 2026, month: 3, account, debit, credit };
/// let months = [
///     march(codes::REVENUE_EXEMPT, none, Cents::new(300_000)),
///     march(codes::OFFICE, Cents::new(40_000), none),
///     march(codes::BANK, Cents::new(260_000), none),
/// ];
/// let summary = annual_summary(2026, &months, &[]);
/// assert_eq!(summary.profit, Cents::new(260_000));
/// assert_eq!(summary.balance_sheet.total, Cents::new(260_000));
/// ```
#[must_use]
pub fn annual_summary(year: i16, months: &[MonthTotal], vat: &[VatTotal]) -> AnnualSummary {
    let (mut result, mut balance) = (Balances::new(), Balances::new());
    let mut quarters =
        [1, 2, 3, 4].map(|quarter| QuarterResult { quarter, ..QuarterResult::default() });
    for of in months.iter().filter(|of| of.year <= year) {
        let Some(class) = of.account.class() else { continue };
        let credited = of.credit - of.debit;
        let quarter = &mut quarters[usize::from((of.month.unsigned_abs().clamp(1, 12) - 1) / 3)];
        match (class, of.year == year) {
            (Class::Revenue | Class::Cost, true) => {
                *result.entry(of.account).or_default() += credited;
                if class == Class::Revenue {
                    quarter.revenue += credited
                } else {
                    quarter.costs -= credited
                }
            }
            // Earlier years are closed: their results and private bookings are part of the owner's
            // capital.
            (Class::Revenue | Class::Cost, false) => {
                *balance.entry(codes::EQUITY).or_default() += credited
            }
            (Class::Equity, false) if is_private(of.account) => {
                *balance.entry(codes::EQUITY).or_default() += credited
            }
            (Class::Asset | Class::Equity | Class::Liability, _) => {
                *balance.entry(of.account).or_default() += credited
            }
        }
    }
    let (charged, deductible) = vat_of(year, vat, &mut quarters);
    for quarter in &mut quarters {
        quarter.profit = quarter.revenue - quarter.costs;
    }
    let revenue_by_account = of_class(&result, Class::Revenue);
    let costs_by_account = of_class(&result, Class::Cost);
    let (revenue, costs) = (sum(&revenue_by_account), sum(&costs_by_account));
    let receivables = -balance.get(&codes::RECEIVABLES).copied().unwrap_or_default();
    balance.insert(codes::RESULT, revenue - costs);
    AnnualSummary {
        revenue,
        costs,
        profit: revenue - costs,
        revenue_by_account,
        costs_by_account,
        vat_charged: charged,
        vat_deductible: deductible,
        vat_payable: charged - deductible,
        receivables,
        balance_sheet: balance_sheet(&balance),
        quarters,
    }
}

/// Whether an account starts every year at zero. At the end of a year, its balance is added to the
/// owner's equity (0500).
#[must_use]
pub fn begins_at_nought(account: AccountCode) -> bool {
    matches!(account.class(), Some(Class::Revenue | Class::Cost)) || is_private(account)
}

/// Whether an account records the private deposits, drawings, tax and premiums of a single year,
/// which become part of the owner's capital at the end of the year. Reserves stay separate.
fn is_private(account: AccountCode) -> bool {
    (codes::PRIVATE_DEPOSITS..codes::RESULT).contains(&account)
}

/// Sums the year's VAT due and input VAT, and sets the VAT payable of each quarter.
fn vat_of(year: i16, vat: &[VatTotal], quarters: &mut [QuarterResult; 4]) -> (Cents, Cents) {
    let (mut charged, mut deductible) = (Cents::ZERO, Cents::ZERO);
    for VatTotal { month, total } in vat.iter().filter(|of| of.month.year() == year) {
        let credited = total.credit - total.debit;
        match total.account.role() {
            Role::VatDue => charged += credited,
            Role::InputVat => deductible -= credited,
            Role::Ordinary
            | Role::VatSettlement
            | Role::VatCorrection
            | Role::DeferredVat
            | Role::VatAssessment => {
                continue;
            }
        }
        quarters[usize::from(month.quarter().number() - 1)].vat_payable += credited;
    }
    (charged, deductible)
}

/// Whether the balance sheet includes an account in the line of VAT payable. VAT that is not due
/// yet has a line of its own.
fn is_in_vat_line(account: AccountCode) -> bool {
    !matches!(account.role(), Role::Ordinary | Role::DeferredVat)
}

/// Returns the line of the balance sheet that includes an account.
fn line_of(account: AccountCode) -> AccountCode {
    match account {
        codes::ACCUMULATED_AMORTISATION => codes::INTANGIBLES,
        codes::ACCUMULATED_DEPRECIATION => codes::EQUIPMENT,
        codes::ACCUMULATED_CAR_DEPRECIATION => codes::CAR,
        codes::BAD_DEBT_PROVISION => codes::RECEIVABLES,
        codes::VAT_BEFORE_INVOICE => codes::WORK_TO_INVOICE,
        other if is_in_vat_line(other) => codes::VAT_SETTLEMENT,
        other => other,
    }
}

fn balance_sheet(balance: &Balances) -> BalanceSheet {
    let mut lines = Balances::new();
    for (account, credited) in balance {
        *lines.entry(line_of(*account)).or_default() += *credited;
    }
    let equity = of_class(&lines, Class::Equity);
    lines.retain(|account, _| account.class() != Some(Class::Equity));
    let side = |assets: bool| -> Vec<AmountOf> {
        let is_asset = |account: AccountCode, credited: Cents| {
            credited.is_negative() || account.is_accumulated()
        };
        lines
            .iter()
            .filter(|(account, credited)| {
                !credited.is_zero() && is_asset(**account, **credited) == assets
            })
            .map(|(account, credited)| AmountOf {
                account: *account,
                amount: if assets { -*credited } else { *credited },
            })
            .collect()
    };
    let assets = side(true);
    BalanceSheet { total: sum(&assets), assets, equity, liabilities: side(false) }
}

/// Returns the accounts of a class with a balance other than zero.
fn of_class(credited: &Balances, class: Class) -> Vec<AmountOf> {
    let grows_on_debit = matches!(class, Class::Asset | Class::Cost);
    credited
        .iter()
        .filter(|(account, amount)| account.class() == Some(class) && !amount.is_zero())
        .map(|(account, amount)| AmountOf {
            account: *account,
            amount: if grows_on_debit { -*amount } else { *amount },
        })
        .collect()
}

fn sum(amounts: &[AmountOf]) -> Cents {
    amounts.iter().map(|of| of.amount).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vat::VatBox;

    /// Total of a month; `debited` is in cents, negative for a credit.
    fn month(year: i16, month: i8, account: AccountCode, debited: i64) -> MonthTotal {
        let (debit, credit) = if debited < 0 { (0, -debited) } else { (debited, 0) };
        MonthTotal { year, month, account, debit: Cents::new(debit), credit: Cents::new(credit) }
    }

    fn named(amounts: &[AmountOf]) -> Vec<(AccountCode, i64)> {
        amounts.iter().map(|of| (of.account, of.amount.get())).collect()
    }

    /// Books of two years. In 2025, 1 000.00 is earned and received, and 200.00 drawn. In 2026,
    /// there is a sale in each half of the year, costs, a drawing, and the filed VAT of the first
    /// quarter.
    fn books() -> (Vec<MonthTotal>, Vec<VatTotal>) {
        let months = vec![
            month(2025, 12, codes::BANK, 100_000),
            month(2025, 12, codes::REVENUE_EXEMPT, -100_000),
            month(2025, 12, codes::PRIVATE_DRAWINGS, 20_000),
            month(2025, 12, codes::BANK, -20_000),
            month(2026, 1, codes::RECEIVABLES, 121_000),
            month(2026, 1, codes::REVENUE_HIGH, -100_000),
            month(2026, 1, codes::VAT_DUE_HIGH, -21_000),
            month(2026, 3, codes::VAT_DUE_HIGH, 21_000),
            month(2026, 3, codes::VAT_SETTLEMENT, -21_000),
            month(2026, 4, codes::OFFICE, 40_000),
            month(2026, 4, codes::INPUT_VAT_HIGH, 8_400),
            month(2026, 4, codes::BANK, -48_400),
            month(2026, 8, codes::RECEIVABLES, -121_000),
            month(2026, 8, codes::BANK, 121_000),
            month(2026, 9, codes::PRIVATE_DRAWINGS, 30_000),
            month(2026, 9, codes::BANK, -30_000),
            month(2026, 12, codes::RECEIVABLES, 50_000),
            month(2026, 12, codes::REVENUE_EU, -50_000),
            // Postings of the following year are not in the summary of 2026.
            month(2027, 1, codes::RECEIVABLES, -50_000),
            month(2027, 1, codes::BANK, 50_000),
        ];
        let vat = |number, account, vat_box, credited: i64| VatTotal {
            month: Month::new(2026, number).unwrap(),
            total: Total { account, vat_box, debit: Cents::ZERO, credit: Cents::new(credited) },
        };
        let vat = vec![
            vat(1, codes::REVENUE_HIGH, VatBox::B1a, 100_000),
            vat(1, codes::VAT_DUE_HIGH, VatBox::B1a, 21_000),
            // Booked in April, but with a VAT date in the third quarter.
            vat(7, codes::INPUT_VAT_HIGH, VatBox::B5b, -8_400),
            vat(12, codes::REVENUE_EU, VatBox::B3b, 50_000),
        ];
        (months, vat)
    }

    fn summary_of(year: i16) -> AnnualSummary {
        let (months, vat) = books();
        annual_summary(year, &months, &vat)
    }

    #[test]
    fn a_year_is_summed_up_from_its_months() {
        let summary = summary_of(2026);
        assert_eq!(
            (summary.revenue.get(), summary.costs.get(), summary.profit.get()),
            (150_000, 40_000, 110_000)
        );
        assert_eq!(
            named(&summary.revenue_by_account),
            [(codes::REVENUE_HIGH, 100_000), (codes::REVENUE_EU, 50_000)]
        );
        assert_eq!(named(&summary.costs_by_account), [(codes::OFFICE, 40_000)]);
        let vat =
            (summary.vat_charged.get(), summary.vat_deductible.get(), summary.vat_payable.get());
        assert_eq!(
            vat,
            (21_000, 8_400, 12_600),
            "filing moves VAT but changes nothing about what was charged"
        );
        assert_eq!(summary.receivables.get(), 50_000);
        let quarters = summary.quarters.map(|of| {
            (of.quarter, of.revenue.get(), of.costs.get(), of.profit.get(), of.vat_payable.get())
        });
        let wanted = [
            (1, 100_000, 0, 100_000, 21_000),
            (2, 0, 40_000, -40_000, 0),
            (3, 0, 0, 0, -8_400),
            (4, 50_000, 0, 50_000, 0),
        ];
        assert_eq!(quarters, wanted);
    }

    #[test]
    fn what_is_private_becomes_capital_when_the_year_is_over() {
        let sheet = summary_of(2026).balance_sheet;
        assert_eq!(named(&sheet.assets), [(codes::BANK, 122_600), (codes::RECEIVABLES, 50_000)]);
        // 1 000.00 earned and 200.00 drawn in 2025.
        assert_eq!(
            named(&sheet.equity),
            [(codes::EQUITY, 80_000), (codes::PRIVATE_DRAWINGS, -30_000), (codes::RESULT, 110_000)]
        );
        // 210.00 due, 84.00 deductible.
        assert_eq!(named(&sheet.liabilities), [(codes::VAT_SETTLEMENT, 12_600)]);
        assert_eq!(sheet.total.get(), 172_600);
        assert_eq!(sum(&sheet.equity) + sum(&sheet.liabilities), sheet.total);

        let before = summary_of(2025);
        assert_eq!(
            named(&before.balance_sheet.equity),
            [(codes::PRIVATE_DRAWINGS, -20_000), (codes::RESULT, 100_000)]
        );
        let after = summary_of(2027);
        assert_eq!((after.profit, after.receivables), (Cents::ZERO, Cents::ZERO));
        assert_eq!(named(&after.balance_sheet.equity), [(codes::EQUITY, 160_000)]);
    }

    #[test]
    fn every_line_but_those_of_equity_is_above_zero_on_the_side_where_it_stands() {
        let months = [
            (codes::EQUIPMENT, 189_900),
            (codes::ACCUMULATED_DEPRECIATION, -34_182),
            (codes::DEPRECIATION, 34_182),
            (codes::REINVESTMENT_RESERVE, -1_000),
            (codes::BANK, -5_000),
            (codes::CARD, -12_100),
            (codes::CASH, 2_000),
            (codes::RECEIVABLES, 121_000),
            (codes::BAD_DEBT_PROVISION, -21_000),
            (codes::OWED_TO_CUSTOMERS, -9_000),
            (codes::PAYABLES, 700),
            (codes::INPUT_VAT_HIGH, 39_879),
            (codes::VAT_DUE_HIGH, -21_000),
            (codes::VAT_CORRECTIONS, 8_400),
            (codes::VAT_ON_OPEN_INVOICES, -10_500),
            (codes::REVENUE_HIGH, 10_500),
            (codes::EQUITY, -297_797),
            (codes::PRIVATE_DEPOSITS, 5_018),
        ];
        let months: Vec<_> =
            months.into_iter().map(|(account, debited)| month(2026, 1, account, debited)).collect();
        let sheet = annual_summary(2026, &months, &[]).balance_sheet;
        let assets = [
            (codes::EQUIPMENT, 155_718),
            (codes::CASH, 2_000),
            (codes::RECEIVABLES, 100_000),
            (codes::PAYABLES, 700),
            (codes::VAT_SETTLEMENT, 27_279),
        ];
        assert_eq!(named(&sheet.assets), assets);
        assert_eq!(
            named(&sheet.liabilities),
            [
                (codes::BANK, 5_000),
                (codes::CARD, 12_100),
                (codes::OWED_TO_CUSTOMERS, 9_000),
                (codes::VAT_ON_OPEN_INVOICES, 10_500)
            ]
        );
        assert_eq!(sum(&sheet.equity) + sum(&sheet.liabilities), sheet.total);
        // A reserve is equity too, and is kept at the end of the year.
        let next = annual_summary(2027, &months, &[]).balance_sheet;
        assert_eq!(
            named(&next.equity),
            [
                (codes::EQUITY, 297_797 - 5_018 - 34_182 - 10_500),
                (codes::REINVESTMENT_RESERVE, 1_000)
            ]
        );
    }

    #[test]
    fn a_year_without_entries_is_all_zero() {
        let summary = annual_summary(2026, &[], &[]);
        assert_eq!(
            (summary.profit, summary.vat_payable, summary.receivables),
            (Cents::ZERO, Cents::ZERO, Cents::ZERO)
        );
        assert_eq!(
            summary.balance_sheet,
            BalanceSheet {
                assets: vec![],
                equity: vec![],
                liabilities: vec![],
                total: Cents::ZERO
            }
        );
        assert_eq!(summary.quarters.map(|of| of.quarter), [1, 2, 3, 4]);
    }
}
