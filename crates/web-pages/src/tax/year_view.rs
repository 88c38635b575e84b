//! View of a year's page.

use super::path_of;
use crate::{
    form::Form,
    frame::charts::{self, Fill},
    html::Html,
    page::Authenticated,
    texts::Phrase,
};
use askama::Template;
use jiff::civil::Date;
use ledger::{
    chart::AccountCode,
    decimal::{self, Decimal},
    money::Cents,
    summary::AmountOf,
    vat_period::VatPeriod,
};
use service::{
    closing_steps,
    estimate::{DisposedAsset, EstimateData},
    summary::SummaryDetails,
    year_report::YearReport,
    years::YearState,
};
use std::borrow::Borrow;
use tax::calculators::income_tax::{
    Assessment, DISINVESTMENT_YEARS, Disinvestment, Input, NOT_INCLUDED, Part, Tariff,
};

#[derive(Template)]
#[template(path = "tax/year.html")]
pub(super) struct View<'a> {
    pub(super) page: &'a Authenticated,
    pub(super) form: Form,
    pub(super) now: SummaryDetails,
    /// Summary of the previous year.
    pub(super) before: SummaryDetails,
    pub(super) report: YearReport,
    pub(super) state: YearState,
    /// Year-end steps.
    pub(super) closing: Vec<closing_steps::Step>,
    pub(super) assumptions: Assumptions,
    pub(super) today: Date,
}

/// Fields of the assumptions form, named as in the API.
const ASSUMED: [&str; 8] = [
    "hoursCriterion",
    "starter",
    "otherIncome",
    "investments",
    "disabilityPremiums",
    "annuityPremiums",
    "annuityMargin",
    "provisional",
];

/// Assumptions of the income tax estimate: from the books, unless the form overrides them.
pub(super) struct Assumptions {
    pub(super) form: Form,
    provisional: Cents,
    data: EstimateData,
    disinvestment: Disinvestment,
    estimate: Option<(Input, Assessment, &'static Tariff)>,
}

/// Reader for the amounts in the assumptions form.
struct Amounts<'p> {
    page: &'p Authenticated,
    form: Form,
}

impl Amounts<'_> {
    /// Reads an amount from the page's query; `usual` if it is absent or empty or, with a fault on
    /// the field, if it is invalid.
    fn read(&mut self, name: &str, usual: Cents) -> Cents {
        let texts = self.page.texts;
        let typed = self.page.query(name).filter(|typed| !typed.trim().is_empty());
        let read = typed.as_deref().map(|typed| i18n::read_money(typed, texts.language).ok());
        let value = match read {
            Some(Some(value)) if !value.is_negative() => value,
            Some(_) => {
                self.form.refuse(name, texts.t("year-amount-fault"));
                usual
            }
            None => usual,
        };
        let typed = typed.unwrap_or_else(|| texts.money_field(value));
        self.form = std::mem::take(&mut self.form).with(name, typed);
        value
    }
}

/// Name of the form field for the market value of an asset that the owner kept.
fn market_value(of: &DisposedAsset) -> String {
    format!("marketValue.{}", of.asset.id)
}

impl Assumptions {
    /// Reads the assumptions from the page's query.
    pub(super) fn read(page: &Authenticated, now: &SummaryDetails, data: EstimateData) -> Self {
        let asked = ASSUMED.iter().any(|name| page.query(name).is_some());
        // Browsers do not submit unticked boxes, so a missing field means an unticked box.
        let said = |name: &str| {
            page.query(name).is_some_and(|value| !matches!(value.as_str(), "" | "false"))
        };
        let ticked = |name: &str, usual: bool| if asked { said(name) } else { usual };
        let hours_criterion = ticked("hoursCriterion", now.hours.met);
        let starter = ticked("starter", page.who.account.starter);
        let mut amounts = Amounts { page, form: Form::default() };
        let other_income = amounts.read("otherIncome", Cents::ZERO);
        let investments = amounts.read("investments", data.investments);
        let usual = |premiums: Cents| premiums.max(Cents::ZERO);
        let disability = amounts.read("disabilityPremiums", usual(data.premiums.disability));
        let annuity = amounts.read("annuityPremiums", usual(data.premiums.annuity));
        let margin = amounts.read("annuityMargin", Cents::ZERO);
        let provisional = amounts.read("provisional", Cents::ZERO);
        let mut proceeds = |of: &DisposedAsset| match of.asset.proceeds {
            Some(proceeds) if !of.is_without_proceeds() => proceeds,
            _ => amounts.read(&market_value(of), Cents::ZERO),
        };
        let disposals: Vec<_> = data.disposed.iter().map(|of| of.disposal(proceeds(of))).collect();
        let disinvestment = Disinvestment::of(now.year, &disposals);
        let mut form = amounts.form;
        for (name, is_set) in [("hoursCriterion", hours_criterion), ("starter", starter)] {
            if is_set {
                form = form.with(name, "true");
            }
        }
        let input = Input {
            year: now.year,
            profit: euros(now.fiscal_profit()),
            hours_criterion,
            starter,
            other_income: euros(other_income),
            investments: euros(investments),
            disinvestment_addition: disinvestment.total(),
            disability_premiums: euros(disability),
            annuity_premiums: euros(annuity),
            annuity_margin: euros(margin),
        };
        let estimate = Tariff::of(now.year).map(|tariff| (input, tariff.assess(&input), tariff));
        Self { form, provisional, data, disinvestment, estimate }
    }

    /// Premiums on account 0540 whose kind is unknown; `None` if there are none.
    fn unknown_premiums(&self) -> Option<Cents> {
        Some(self.data.premiums.unknown).filter(|amount| !amount.is_zero())
    }

    /// Whether annuity premiums were paid but the margin is missing.
    fn lacks_margin(&self) -> bool {
        self.estimate.as_ref().is_some_and(|(input, _, _)| {
            input.annuity_margin.is_zero() && !input.annuity_premiums.is_zero()
        })
    }

    /// Assets disposed of without proceeds: name of the form field for the market value, and
    /// description.
    fn kept(&self) -> Vec<(String, &str)> {
        let kept = self.data.disposed.iter().filter(|of| of.is_without_proceeds());
        kept.map(|of| (market_value(of), of.asset.description.as_str())).collect()
    }

    /// Descriptions of the disposed assets that the estimate leaves out, because the deduction for
    /// their year of purchase is unknown.
    fn unknown_disposals(&self) -> Vec<&str> {
        let is_above = self.disinvestment.proceeds > self.disinvestment.threshold;
        let parts = self.data.disposed.iter().zip(&self.disinvestment.parts);
        let is_unknown = |of: &DisposedAsset, part: &Part| {
            let is_recent = self.year() - of.asset.date.year() < DISINVESTMENT_YEARS;
            part.amount.is_none() || (of.investments.is_none() && is_recent)
        };
        parts
            .filter(|(of, part)| {
                is_above && !part.disposal.proceeds.is_zero() && is_unknown(of, part)
            })
            .map(|(of, _)| of.asset.description.as_str())
            .collect()
    }

    fn year(&self) -> i16 {
        self.estimate.as_ref().map_or(i16::MAX, |(input, _, _)| input.year)
    }
}

fn euros(amount: Cents) -> Decimal {
    Decimal::new(amount.get(), 2)
}

fn rounded(amount: Decimal) -> Cents {
    decimal::multiply_to_cents(&amount, &Decimal::ONE).unwrap_or_default()
}

/// Step of the estimate: name, bar, amount, and whether it is a total.
pub(super) struct Step {
    name: Phrase<'static>,
    bar: Html,
    amount: Cents,
    is_sum: bool,
    /// Whether the amount depends on proposed figures.
    is_proposed: bool,
}

/// Line of the income statement, with the previous year's amount.
pub(super) struct Line {
    code: AccountCode,
    name: String,
    now: Cents,
    before: Cents,
}

impl View<'_> {
    /// Last day of the year, the date of the balance sheet.
    pub(super) fn last_day(&self) -> Date {
        Date::new(self.now.year, 12, 31).unwrap_or(self.today)
    }

    fn title(&self) -> String {
        self.page.t("year-title").with("year", &self.now.year.to_string()).into()
    }

    fn path(&self, year: impl Borrow<i16>) -> String {
        format!("/year/{}", year.borrow())
    }

    fn is_over(&self) -> bool {
        self.today.year() > self.now.year
    }

    fn name(&self, code: AccountCode) -> &str {
        self.page.name_of_account(code)
    }

    fn lines(&self, now: &[AmountOf], before: &[AmountOf]) -> Vec<Line> {
        let mut codes: Vec<AccountCode> = now.iter().chain(before).map(|of| of.account).collect();
        codes.sort_unstable();
        codes.dedup();
        let amount = |of: &[AmountOf], code| {
            of.iter().filter(|of| of.account == code).map(|of| of.amount).sum()
        };
        let line = |code| Line {
            code,
            name: self.name(code).to_owned(),
            now: amount(now, code),
            before: amount(before, code),
        };
        codes.into_iter().map(line).collect()
    }

    fn revenue(&self) -> Vec<Line> {
        self.lines(&self.now.summary.revenue_by_account, &self.before.summary.revenue_by_account)
    }

    fn costs(&self) -> Vec<Line> {
        self.lines(&self.now.summary.costs_by_account, &self.before.summary.costs_by_account)
    }

    /// Whether the previous year has revenue or costs to compare with.
    fn is_compared(&self) -> bool {
        let before = &self.before.summary;
        !(before.revenue.is_zero() && before.costs.is_zero())
    }

    /// Change of an amount in per cent; `None` if the previous amount was zero.
    fn change(&self, now: &Cents, before: &Cents) -> Option<String> {
        if before.is_zero() {
            return None;
        }
        let hundredfold = i128::from(now.get() - before.get()) * 100;
        let change = i64::try_from(hundredfold / i128::from(before.get().abs())).ok()?;
        let sign = if change > 0 { "+" } else { "" };
        Some(format!("{sign}{}", self.page.texts.percent(Decimal::from(change))))
    }

    fn assets(&self) -> Vec<(AccountCode, &str, Cents)> {
        self.side(&self.now.summary.balance_sheet.assets)
    }

    fn equity(&self) -> Vec<(AccountCode, &str, Cents)> {
        self.side(&self.now.summary.balance_sheet.equity)
    }

    fn liabilities(&self) -> Vec<(AccountCode, &str, Cents)> {
        self.side(&self.now.summary.balance_sheet.liabilities)
    }

    fn side(&self, amounts: &[AmountOf]) -> Vec<(AccountCode, &str, Cents)> {
        amounts.iter().map(|of| (of.account, self.name(of.account), of.amount)).collect()
    }

    fn private(&self) -> Vec<(AccountCode, &str, Cents)> {
        self.report
            .private
            .iter()
            .map(|(code, amount)| (*code, self.name(*code), *amount))
            .collect()
    }

    fn cash_flow(&self) -> Vec<(Phrase<'static>, Cents)> {
        let (texts, flow) = (self.page.texts, &self.report.cash_flow);
        let steps = [
            (texts.t("year-profit"), flow.profit),
            (texts.t("year-cash-depreciation"), flow.depreciation),
            (texts.t("year-cash-working-capital"), flow.working_capital),
            (texts.t("year-cash-investments"), flow.investments),
            (texts.t("year-cash-loans"), flow.loans),
            (texts.t("year-cash-private"), flow.private),
        ];
        steps.into_iter().filter(|(_, amount)| !amount.is_zero()).collect()
    }

    fn total_tax(&self) -> Option<Cents> {
        self.assumptions.estimate.as_ref().map(|(_, it, _)| rounded(it.total()))
    }

    fn after_tax(&self) -> Option<Cents> {
        self.total_tax().map(|tax| self.now.summary.profit - tax)
    }

    /// Tax still payable for the year, after the provisional assessment.
    fn to_pay(&self) -> Option<Cents> {
        self.total_tax().map(|tax| tax - self.assumptions.provisional)
    }

    /// Steps of the income tax estimate.
    // Long: the steps of the estimate in order.
    fn steps(&self) -> Vec<Step> {
        let Some((input, it, tariff)) = &self.assumptions.estimate else { return Vec::new() };
        let texts = self.page.texts;
        let full = rounded(input.profit + input.other_income).max(Cents::new(100));
        let sum = |name, amount: Decimal, fill| {
            let amount = rounded(amount);
            let bar = charts::step(Cents::ZERO, amount, full, fill);
            Step { name, bar, amount, is_sum: true, is_proposed: tariff.is_proposed() }
        };
        let off = |name, from: Decimal, amount: Decimal, fill| {
            let bar = charts::step(rounded(from), rounded(from - amount), full, fill);
            let (amount, is_proposed) = (-rounded(amount), tariff.is_proposed());
            Step { name, bar, amount, is_sum: false, is_proposed }
        };
        let booked = euros(self.now.summary.profit);
        let deductions = it.self_employed_deduction + it.starter_deduction;
        let mut steps = vec![
            sum(texts.t("year-profit"), booked, Fill::Solid),
            off(texts.t("year-tax-not-deductible"), booked, booked - input.profit, Fill::Hollow),
            off(texts.t("year-tax-kia"), input.profit, it.investment_deduction, Fill::Hollow),
            off(
                texts.t("year-tax-disinvestment"),
                input.profit - it.investment_deduction,
                -it.disinvestment_addition,
                Fill::Hollow,
            ),
            off(
                texts.t("year-tax-self-employed"),
                it.fiscal_profit,
                it.self_employed_deduction,
                Fill::Hollow,
            ),
            off(
                texts.t("year-tax-starter"),
                it.fiscal_profit - it.self_employed_deduction,
                it.starter_deduction,
                Fill::Hollow,
            ),
            off(
                texts.t("year-tax-exemption"),
                it.fiscal_profit - deductions,
                it.sme_profit_exemption,
                Fill::Hollow,
            ),
            sum(texts.t("year-tax-taxable-profit"), it.taxable_profit, Fill::Solid),
            off(
                texts.t("year-tax-other-income"),
                it.taxable_profit,
                -input.other_income,
                Fill::Solid,
            ),
            off(
                texts.t("year-tax-provisions"),
                it.taxable_profit + input.other_income,
                it.income_provisions,
                Fill::Hollow,
            ),
            sum(
                texts.t("year-tax-before-credits"),
                it.before_credits + it.deduction_rate_cap,
                Fill::Ink,
            ),
            off(
                texts.t("year-tax-general-credit"),
                it.before_credits + it.deduction_rate_cap,
                it.general_tax_credit,
                Fill::InkHollow,
            ),
            off(
                texts.t("year-tax-labour-credit"),
                it.before_credits + it.deduction_rate_cap - it.general_tax_credit,
                it.labour_tax_credit,
                Fill::InkHollow,
            ),
            sum(texts.t("year-tax-income-tax"), it.income_tax, Fill::Ink),
            off(
                texts.t("year-tax-health"),
                it.income_tax,
                -it.health_insurance_contribution,
                Fill::Ink,
            ),
            sum(texts.t("year-tax-total"), it.total(), Fill::Ink),
        ];
        // The first two steps, the profit and the non-deductible costs, come from the books.
        steps.iter_mut().take(2).for_each(|step| step.is_proposed = false);
        steps.retain(|step| step.is_sum || !step.amount.is_zero());
        steps
    }

    /// Aspects of income tax that the estimate leaves out, in words.
    fn not_included(&self) -> String {
        let language = self.page.texts.language;
        let texts: Vec<&str> =
            NOT_INCLUDED.iter().map(|choice| choice.label.get(language)).collect();
        texts.join(", ")
    }

    fn link(&self, period: &VatPeriod) -> (String, String) {
        (path_of(*period), self.page.texts.vat_period(period))
    }

    fn returns_to_file(&self) -> Vec<(String, String)> {
        self.report.open_returns.iter().map(|period| self.link(period)).collect()
    }

    /// Number of open tasks before the year can be closed.
    fn tasks_remaining(&self) -> usize {
        self.report.open_returns.len()
            + self.report.unsettled.len()
            + usize::from(self.now.invoices.drafts.count > 0)
            + usize::from(self.report.depreciation_missing)
            + usize::from(self.report.year_before_open)
    }

    fn remaining(&self) -> String {
        self.page.t("year-left").with("count", &self.tasks_remaining()).into()
    }

    fn unsettled(&self) -> Vec<(AccountCode, &str, Cents)> {
        self.report
            .unsettled
            .iter()
            .map(|(code, amount)| (*code, self.name(*code), *amount))
            .collect()
    }

    fn has_majority_unsaid(&self) -> bool {
        self.now.hours.reached
            && !self.now.hours.met
            && self.page.who.account.majority_of_time.is_none()
    }
}
