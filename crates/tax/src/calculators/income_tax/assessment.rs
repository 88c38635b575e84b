//! The assessment of a year: figures, deductions, tax and credits.

use crate::{
    dataset::Row,
    status::Status,
    year::{Band, band_of, bands, last_day, number, row, rows, years_of},
};
use ledger::decimal::Decimal;
use std::sync::LazyLock;

/// Maximum for profit, income and investments as inputs of the calculators, in euros.
pub const MOST: i64 = 100_000_000;

/// Input for the assessment of a year.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Input {
    /// The tax year; one of [`years`].
    pub year: i16,
    /// Profit for tax before the deductions for entrepreneurs, in euros.
    pub profit: Decimal,
    /// Whether the hours criterion is met.
    pub hours_criterion: bool,
    /// Whether the starter's deduction applies; without effect unless the hours criterion is met.
    pub starter: bool,
    /// Wages and other income in box 1, in euros.
    pub other_income: Decimal,
    /// Investments in business assets that qualify for the small-scale investment deduction, in
    /// euros.
    pub investments: Decimal,
    /// Addition for disposed assets, in euros; see [`Disinvestment`].
    ///
    /// [`Disinvestment`]: super::Disinvestment
    pub disinvestment_addition: Decimal,
    /// Premiums for disability insurance paid in the year, in euros.
    pub disability_premiums: Decimal,
    /// Annuity premiums paid in the year, in euros.
    pub annuity_premiums: Decimal,
    /// Maximum deduction of annuity premiums (art. 3.127 Wet IB 2001), in euros.
    pub annuity_margin: Decimal,
}

impl Input {
    /// Deductible annuity premiums: at most the margin.
    #[must_use]
    pub fn deductible_annuities(&self) -> Decimal {
        self.annuity_premiums.min(self.annuity_margin)
    }
}

/// Result of the assessment, in euros, unrounded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Assessment {
    /// Profit less the small-scale investment deduction, plus the disinvestment addition.
    pub fiscal_profit: Decimal,
    /// Disinvestment addition (art. 3.47 Wet IB 2001).
    pub disinvestment_addition: Decimal,
    /// Small-scale investment deduction (art. 3.41 Wet IB 2001).
    pub investment_deduction: Decimal,
    /// Self-employed deduction (art. 3.76).
    pub self_employed_deduction: Decimal,
    /// Starter's deduction (art. 3.76, third paragraph).
    pub starter_deduction: Decimal,
    /// SME profit exemption (art. 3.79a); negative if it reduces a loss.
    pub sme_profit_exemption: Decimal,
    /// Taxable profit (art. 3.2); negative for a loss.
    pub taxable_profit: Decimal,
    /// Expenses for income provisions: premiums for disability insurance and, up to the margin,
    /// annuities (art. 3.124).
    pub income_provisions: Decimal,
    /// Taxable income from work and home; may be negative.
    pub taxable_income: Decimal,
    /// Tax and national insurance by bracket, before credits (art. 2.10).
    pub before_credits: Decimal,
    /// Surcharge that limits the rate at which deductions reduce tax (art. 2.10, second paragraph).
    pub deduction_rate_cap: Decimal,
    /// General tax credit in full (art. 8.10).
    pub general_tax_credit: Decimal,
    /// Labour tax credit in full (art. 8.11).
    pub labour_tax_credit: Decimal,
    /// Income tax and national insurance after credits, at least zero (art. 8.8).
    pub income_tax: Decimal,
    /// Health insurance contribution (art. 43 Zvw).
    pub health_insurance_contribution: Decimal,
}

impl Assessment {
    /// Income tax plus health insurance contribution.
    #[must_use]
    pub fn total(&self) -> Decimal {
        self.income_tax + self.health_insurance_contribution
    }

    /// Profit and wages after tax.
    #[must_use]
    pub fn net(&self, input: &Input) -> Decimal {
        input.profit + input.other_income - self.total()
    }
}

/// Years with complete figures.
#[must_use]
pub fn years() -> &'static [i16] {
    static YEARS: LazyLock<Vec<i16>> = LazyLock::new(|| {
        years_of(&[
            "income-tax-brackets",
            "general-tax-credit",
            "labour-tax-credit",
            "entrepreneur-deductions",
            "deduction-rate-cap",
            "health-insurance-contribution",
            "investment-deduction",
        ])
    });
    &YEARS
}

/// Figures of tax law for a year.
#[derive(Clone, Debug)]
pub struct Tariff {
    pub(super) brackets: Vec<Band>,
    pub(super) general_credit: Vec<Band>,
    pub(super) labour_credit: Vec<Band>,
    pub(super) investment: Vec<Band>,
    pub(super) self_employed: Decimal,
    pub(super) starter: Decimal,
    /// SME profit exemption, in per cent.
    pub(super) exemption: Decimal,
    pub(super) self_employed_row: &'static Row,
    pub(super) starter_row: &'static Row,
    pub(super) exemption_row: &'static Row,
    pub(super) cap_row: &'static Row,
    /// Maximum rate at which deductions may reduce tax, in per cent.
    pub(super) cap_rate: Decimal,
    pub(super) cap_threshold: Decimal,
    /// Rate of the health insurance contribution, in per cent.
    pub(super) health_rate: Decimal,
    pub(super) health_maximum: Decimal,
    pub(super) health_row: &'static Row,
}

impl Tariff {
    /// Returns the figures of a year; `None` if the year is not in [`years`].
    #[must_use]
    pub fn of(year: i16) -> Option<&'static Self> {
        static TARIFFS: LazyLock<Vec<(i16, Tariff)>> = LazyLock::new(|| {
            years()
                .iter()
                .filter_map(|year| Tariff::read(*year).map(|tariff| (*year, tariff)))
                .collect()
        });
        TARIFFS.iter().find(|(other, _)| *other == year).map(|(_, tariff)| tariff)
    }

    fn read(year: i16) -> Option<Self> {
        let on = last_day(year);
        let deduction = |name: &str| {
            row("entrepreneur-deductions", on, &[("deduction", name), ("variant", "")])
        };
        let (self_employed_row, starter_row) = (deduction("selfEmployed")?, deduction("starter")?);
        let exemption_row = deduction("smeProfitExemption")?;
        let cap_row = *rows("deduction-rate-cap", on).first()?;
        let health_row = *rows("health-insurance-contribution", on).first()?;
        Some(Self {
            brackets: bands("income-tax-brackets", on),
            general_credit: bands("general-tax-credit", on),
            labour_credit: bands("labour-tax-credit", on),
            investment: bands("investment-deduction", on),
            self_employed: number(self_employed_row, "amount"),
            starter: number(starter_row, "amount"),
            exemption: number(exemption_row, "percent"),
            self_employed_row,
            starter_row,
            exemption_row,
            cap_row,
            cap_rate: number(cap_row, "maximumRate"),
            cap_threshold: number(cap_row, "threshold"),
            health_rate: number(health_row, "rate"),
            health_maximum: number(health_row, "maximumIncome"),
            health_row,
        })
    }

    /// Returns the data set rows that contain the figures.
    pub(crate) fn rows(&self) -> impl Iterator<Item = &'static Row> {
        let bands = [&self.brackets, &self.general_credit, &self.labour_credit, &self.investment];
        let single = [
            self.self_employed_row,
            self.starter_row,
            self.exemption_row,
            self.cap_row,
            self.health_row,
        ];
        bands.into_iter().flatten().map(|band| band.row).chain(single)
    }

    /// Whether any of the figures is still a proposal.
    #[must_use]
    pub fn is_proposed(&self) -> bool {
        self.rows().any(|row| row.status == Status::Proposal)
    }

    /// Computes the assessment of a year.
    #[must_use]
    pub fn assess(&self, input: &Input) -> Assessment {
        let nil = Decimal::ZERO;
        let investment_deduction = investment_deduction(&self.investment, input.investments);
        let fiscal_profit = input.profit - investment_deduction + input.disinvestment_addition;
        let starts = input.hours_criterion && input.starter;
        let starter_deduction = if starts { self.starter } else { nil };
        let self_employed_deduction = match (input.hours_criterion, input.starter) {
            (false, _) => nil,
            (true, true) => self.self_employed,
            (true, false) => self.self_employed.min(fiscal_profit.max(nil)),
        };
        let after_deductions = fiscal_profit - self_employed_deduction - starter_deduction;
        let sme_profit_exemption = percent(after_deductions, self.exemption);
        let taxable_profit = after_deductions - sme_profit_exemption;
        let income_provisions = input.disability_premiums + input.deductible_annuities();
        let taxable_income = taxable_profit + input.other_income - income_provisions;
        let before_credits: Decimal =
            self.brackets.iter().map(|band| percent(band.part_of(taxable_income), band.rate)).sum();
        let capped = self_employed_deduction + starter_deduction + sme_profit_exemption.max(nil);
        let above = (taxable_income + capped - self.cap_threshold).max(nil);
        let deduction_rate_cap = percent(capped.min(above), self.surcharge_rate());
        let general_tax_credit = credit(&self.general_credit, taxable_income.max(nil));
        let labour_tax_credit =
            credit(&self.labour_credit, (fiscal_profit + input.other_income).max(nil));
        let income_tax =
            (before_credits + deduction_rate_cap - general_tax_credit - labour_tax_credit).max(nil);
        let remaining_of_maximum = (self.health_maximum - input.other_income).max(nil);
        let health_insurance_contribution =
            percent(taxable_profit.max(nil).min(remaining_of_maximum), self.health_rate);
        Assessment {
            fiscal_profit,
            disinvestment_addition: input.disinvestment_addition,
            investment_deduction,
            self_employed_deduction,
            starter_deduction,
            sme_profit_exemption,
            taxable_profit,
            income_provisions,
            taxable_income,
            before_credits,
            deduction_rate_cap,
            general_tax_credit,
            labour_tax_credit,
            income_tax,
            health_insurance_contribution,
        }
    }

    /// Highest bracket rate minus the maximum rate for deductions, in per cent.
    pub(super) fn surcharge_rate(&self) -> Decimal {
        self.brackets.last().map(|band| band.rate).unwrap_or_default() - self.cap_rate
    }
}

/// `rate` per cent of an amount.
pub(crate) fn percent(amount: Decimal, rate: Decimal) -> Decimal {
    amount * rate / Decimal::ONE_HUNDRED
}

/// Tax credit at an income: the base amount of the income's band, plus the band's rate applied to
/// the part of the income in the band. The result is at least zero and at most the band's maximum.
fn credit(bands: &[Band], income: Decimal) -> Decimal {
    band_of(bands, income).map_or(Decimal::ZERO, |band| {
        let exact = band.base + percent(band.part_of(income), band.rate);
        exact.min(band.maximum).max(Decimal::ZERO)
    })
}

/// Small-scale investment deduction for a year's investments (art. 3.41 Wet IB 2001).
pub(crate) fn investment_deduction(bands: &[Band], investments: Decimal) -> Decimal {
    band_of(bands, investments).map_or(Decimal::ZERO, |band| {
        let reduced = band.amount - percent(band.part_of(investments), band.reduction_percent);
        (percent(investments, band.percent) + reduced).max(Decimal::ZERO)
    })
}
