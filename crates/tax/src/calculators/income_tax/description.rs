//! Inputs and outputs of the calculator `income-tax`.

use super::{
    assessment::{Assessment, Input, MOST, Tariff, years},
    steps,
};
use crate::{
    calculator::{
        self, Arguments, Calculator, InputKind, Node, Outcome, Output, OutputKind, Run, optional,
        output, required,
    },
    fault::Fault,
    value::{Value, round},
    words::Words,
};
use ledger::decimal::Decimal;

const MONEY: InputKind = InputKind::Money { least: 0, most: MOST };

/// Tax year, an input of `income-tax` and `hourly-rate`.
pub(crate) const YEAR: calculator::Input = required(
    "year",
    InputKind::Year(years),
    Words::new("Jaar", "Year"),
    Words::new("Het belastingjaar.", "The tax year."),
    "2026",
);

/// Hours criterion, an input of `income-tax` and `hourly-rate`.
pub(crate) const HOURS_CRITERION: calculator::Input = required(
    "hoursCriterion",
    InputKind::Boolean,
    Words::new("Urencriterium gehaald", "Hours criterion met"),
    Words::new(
        "Minstens 1.225 uur per jaar aan je bedrijf besteed.",
        "At least 1,225 hours a year spent on your own business.",
    ),
    "true",
);

/// Starter's deduction, an input of `income-tax` and `hourly-rate`.
pub(crate) const STARTER: calculator::Input = optional(
    "starter",
    InputKind::Boolean,
    Some("false"),
    Words::new("Starter", "Starter"),
    Words::new(
        "In een van de vijf jaren hiervoor geen ondernemer, en daarin hoogstens twee keer zelfstandigenaftrek gehad.",
        "No entrepreneur in one of the five years before, and the self-employed person's deduction at most twice in them.",
    ),
    "false",
);

static INPUTS: &[calculator::Input] = &[
    YEAR,
    required(
        "profit",
        MONEY,
        Words::new("Winst", "Profit"),
        Words::new(
            "Omzet min kosten, exclusief btw, vóór alle ondernemersaftrek.",
            "Revenue less costs, excluding VAT, before any deduction for entrepreneurs.",
        ),
        "50000",
    ),
    HOURS_CRITERION,
    STARTER,
    optional(
        "otherIncome",
        MONEY,
        Some("0"),
        Words::new("Loon en ander inkomen in box 1", "Wages and other box 1 income"),
        Words::new("Bruto, over het hele jaar.", "Gross, over the whole year."),
        "0",
    ),
    optional(
        "investments",
        MONEY,
        Some("0"),
        Words::new("Investeringen", "Investments"),
        Words::new(
            "Bedrijfsmiddelen die in dit jaar zijn gekocht en meetellen voor de KIA, exclusief aftrekbare btw.",
            "Business assets bought in the year that count for the small-scale investment deduction, excluding deductible VAT.",
        ),
        "0",
    ),
];

const fn money(name: &'static str, nl: &'static str, en: &'static str) -> Output {
    output(name, OutputKind::Money, Words::new(nl, en))
}

static OUTPUTS: &[Output] = &[
    money("fiscalProfit", "Winst na KIA", "Profit after investment deduction"),
    money(
        "investmentDeduction",
        "Kleinschaligheidsinvesteringsaftrek",
        "Small-scale investment deduction",
    ),
    money("selfEmployedDeduction", "Zelfstandigenaftrek", "Self-employed person's deduction"),
    money("starterDeduction", "Startersaftrek", "Starter's deduction"),
    money("smeProfitExemption", "Mkb-winstvrijstelling", "SME profit exemption"),
    money("taxableProfit", "Belastbare winst", "Taxable profit"),
    money("taxableIncome", "Belastbaar inkomen in box 1", "Taxable income in box 1"),
    money(
        "incomeTaxBeforeCredits",
        "Belasting en premie vóór kortingen",
        "Tax and contributions before credits",
    ),
    money(
        "deductionRateCap",
        "Tariefaanpassing aftrekposten",
        "Surcharge for the capped rate of deductions",
    ),
    money("generalTaxCredit", "Algemene heffingskorting", "General tax credit"),
    money("labourTaxCredit", "Arbeidskorting", "Labour tax credit"),
    money("incomeTax", "Inkomstenbelasting en premie", "Income tax and contributions"),
    money("healthInsuranceContribution", "Bijdrage Zvw", "Zvw contribution"),
    money("total", "Samen te betalen", "To pay in all"),
    money("net", "Wat overblijft", "What is left"),
    output(
        "effectiveRate",
        OutputKind::Percent,
        Words::new("Deel van winst en loon", "Share of profit and wages"),
    ),
    output("estimate", OutputKind::Boolean, Words::new("Schatting", "Estimate")),
];

/// The calculator.
pub static CALCULATOR: Calculator = Calculator {
    id: "income-tax",
    title: Words::new("Inkomstenbelasting voor zzp’ers", "Income tax for the self-employed"),
    description: Words::new(
        "Inkomstenbelasting, premie volksverzekeringen en bijdrage Zvw over de winst van een eenmanszaak, voor wie het hele jaar jonger is dan de AOW-leeftijd en alleen inkomen in box 1 heeft. Een schatting: de aanslag rekent in hele euro's (ongeveer € 2 verschil), en toeslagen, hypotheekrente, lijfrente, partner en al ingehouden loonbelasting tellen niet mee.",
        "Income tax, national insurance and Zvw contribution (health care) on the profit of a sole trader who is below state pension age all year and has income in box 1 only. An estimate: the assessment works in whole euros (about €2 off), and allowances, mortgage interest, annuities, a partner and wage tax already withheld are left out.",
    ),
    inputs: INPUTS,
    outputs: OUTPUTS,
    run: Run::Query(run),
};

fn run(arguments: &Arguments) -> Result<Outcome, Vec<Fault>> {
    let input = Input {
        year: arguments.year("year"),
        profit: arguments.number("profit"),
        hours_criterion: arguments.flag("hoursCriterion"),
        starter: arguments.flag("starter"),
        other_income: arguments.number("otherIncome"),
        investments: arguments.number("investments"),
    };
    let tariff =
        Tariff::of(input.year).ok_or_else(|| vec![Fault::unknown_year("year", years())])?;
    let assessment = tariff.assess(&input);
    Ok(Outcome {
        fields: fields(&input, &assessment),
        steps: steps::of(tariff, &input, &assessment),
    })
}

fn fields(input: &Input, it: &Assessment) -> Vec<(&'static str, Node)> {
    let money = |amount: Decimal| Node::from(Value::Money(amount));
    vec![
        ("fiscalProfit", money(it.fiscal_profit)),
        ("investmentDeduction", money(it.investment_deduction)),
        ("selfEmployedDeduction", money(it.self_employed_deduction)),
        ("starterDeduction", money(it.starter_deduction)),
        ("smeProfitExemption", money(it.sme_profit_exemption)),
        ("taxableProfit", money(it.taxable_profit)),
        ("taxableIncome", money(it.taxable_income)),
        ("incomeTaxBeforeCredits", money(it.before_credits)),
        ("deductionRateCap", money(it.deduction_rate_cap)),
        ("generalTaxCredit", money(it.general_tax_credit)),
        ("labourTaxCredit", money(it.labour_tax_credit)),
        ("incomeTax", money(it.income_tax)),
        ("healthInsuranceContribution", money(it.health_insurance_contribution)),
        ("total", money(it.total())),
        ("net", money(it.net(input))),
        ("effectiveRate", Value::Percent(effective_rate(input, it)).into()),
        ("estimate", Value::Boolean(true).into()),
    ]
}

/// Amount due as a percentage of profit and wages, with two decimals; zero without income.
fn effective_rate(input: &Input, it: &Assessment) -> Decimal {
    let whole = input.profit + input.other_income;
    if whole.is_zero() {
        Decimal::ZERO
    } else {
        round(&(it.total() * Decimal::ONE_HUNDRED / whole), 2)
    }
}
