//! Inputs and outputs of the calculator `income-tax`.

use super::{
    assessment::{Assessment, Input, MOST, Tariff, years},
    disinvestment::{self, Disinvestment, Disposal},
    steps,
};
use crate::{
    calculator::{
        self, Arguments, Calculator, InputKind, Node, Outcome, Output, OutputKind, Run, optional,
        output, required,
    },
    fault::Fault,
    value::{Value, round},
    words::{Choice, Words},
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
    optional(
        "disabilityPremiums",
        MONEY,
        Some("0"),
        Words::new("Premies arbeidsongeschiktheid", "Disability insurance premiums"),
        Words::new(
            "Betaald voor een eigen arbeidsongeschiktheidsverzekering (AOV), in dit jaar.",
            "Paid for your own disability insurance, in the year.",
        ),
        "0",
    ),
    optional(
        "annuityPremiums",
        MONEY,
        Some("0"),
        Words::new("Premies lijfrente", "Annuity premiums"),
        Words::new("Betaald voor een lijfrente, in dit jaar.", "Paid for an annuity, in the year."),
        "0",
    ),
    optional(
        "annuityMargin",
        MONEY,
        Some("0"),
        Words::new("Jaarruimte en reserveringsruimte", "Annuity margin"),
        Words::new(
            "Wat je aan lijfrente hoogstens mag aftrekken. De Belastingdienst heeft er een rekenhulp voor.",
            "What you may deduct for annuities at most. The tax office (Belastingdienst) has a tool for it.",
        ),
        "0",
    ),
    DISPOSALS,
];

/// Input for the business assets disposed of in the year.
const DISPOSALS: calculator::Input = optional(
    "disposals",
    InputKind::Rows { columns: DISPOSAL, most: 20 },
    None,
    Words::new("Verkochte bedrijfsmiddelen", "Assets sold"),
    Words::new(
        "Bedrijfsmiddelen die je dit jaar verkocht, naar privé haalde of terugbracht, zonder personenauto's en goodwill.",
        "Assets that you sold, took over privately or returned this year, without cars and goodwill.",
    ),
    "",
);

static DISPOSAL: &[calculator::Input] = &[
    required(
        "year",
        InputKind::Year(disinvestment::years),
        Words::new("Jaar van aanschaf", "Year of purchase"),
        Words::new("Het jaar waarin je investeerde.", "The year in which you invested."),
        "",
    ),
    required(
        "investments",
        MONEY,
        Words::new("Investeringen in dat jaar", "Investments of that year"),
        Words::new(
            "Alles wat in dat jaar meetelde voor de KIA.",
            "Everything that counted for the small-scale investment deduction in that year.",
        ),
        "",
    ),
    required(
        "cost",
        MONEY,
        Words::new("Aanschafkosten", "Cost"),
        Words::new("Van dit bedrijfsmiddel, exclusief btw.", "Of this asset, excluding VAT."),
        "",
    ),
    required(
        "proceeds",
        MONEY,
        Words::new("Opbrengst", "Proceeds"),
        Words::new(
            "Exclusief btw. Naar privé: de waarde op dat moment.",
            "Excluding VAT. Taken over privately: its value at that time.",
        ),
        "",
    ),
];

/// Aspects of income tax that the estimate leaves out.
pub static NOT_INCLUDED: &[Choice] = &[
    Choice::new("partner", "een fiscale partner", "a fiscal partner"),
    Choice::new("box2", "box 2 (aanmerkelijk belang)", "box 2 (substantial interest)"),
    Choice::new("box3", "box 3 (sparen en beleggen)", "box 3 (savings and investments)"),
    Choice::new("ownHome", "de eigen woning", "the home that you own"),
    Choice::new("gifts", "giften", "gifts"),
    Choice::new("careCosts", "zorgkosten", "care costs"),
    Choice::new("losses", "verliezen uit andere jaren", "losses of other years"),
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
    money("disinvestmentAddition", "Desinvesteringsbijtelling", "Disinvestment addition"),
    money("selfEmployedDeduction", "Zelfstandigenaftrek", "Self-employed person's deduction"),
    money("starterDeduction", "Startersaftrek", "Starter's deduction"),
    money("smeProfitExemption", "Mkb-winstvrijstelling", "SME profit exemption"),
    money("taxableProfit", "Belastbare winst", "Taxable profit"),
    money(
        "incomeProvisions",
        "Uitgaven voor inkomensvoorzieningen",
        "Expenses for income provisions",
    ),
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
    output(
        "notIncluded",
        OutputKind::Choices(NOT_INCLUDED),
        Words::new("Telt niet mee", "Left out"),
    ),
];

/// The calculator.
pub static CALCULATOR: Calculator = Calculator {
    id: "income-tax",
    title: Words::new("Inkomstenbelasting voor zzp’ers", "Income tax for the self-employed"),
    description: Words::new(
        "Inkomstenbelasting, premie volksverzekeringen en bijdrage Zvw over de winst van een eenmanszaak, voor wie het hele jaar jonger is dan de AOW-leeftijd en alleen inkomen in box 1 heeft. Een schatting: de aanslag rekent in hele euro's (ongeveer € 2 verschil), en toeslagen en al ingehouden loonbelasting tellen niet mee.",
        "Income tax, national insurance and Zvw contribution (health care) on the profit of a sole trader who is below state pension age all year and has income in box 1 only. An estimate: the assessment works in whole euros (about €2 off), and allowances and wage tax already withheld are left out.",
    ),
    inputs: INPUTS,
    outputs: OUTPUTS,
    run: Run::Query(run),
};

fn run(arguments: &Arguments) -> Result<Outcome, Vec<Fault>> {
    let year = arguments.year("year");
    let tariff = Tariff::of(year).ok_or_else(|| vec![Fault::unknown_year("year", years())])?;
    let disinvestment = Disinvestment::of(year, &disposals(arguments, year)?);
    let input = Input {
        year,
        profit: arguments.number("profit"),
        hours_criterion: arguments.flag("hoursCriterion"),
        starter: arguments.flag("starter"),
        other_income: arguments.number("otherIncome"),
        investments: arguments.number("investments"),
        disinvestment_addition: disinvestment.total(),
        disability_premiums: arguments.number("disabilityPremiums"),
        annuity_premiums: arguments.number("annuityPremiums"),
        annuity_margin: arguments.number("annuityMargin"),
    };
    let assessment = tariff.assess(&input);
    Ok(Outcome {
        fields: fields(&input, &assessment),
        steps: steps::of(tariff, &input, &assessment, &disinvestment),
    })
}

/// Reads the disposals. An asset cannot be bought after the year in which it is disposed of, and it
/// is one of the investments of that year. Investments of zero stand for an asset without
/// investment deduction, such as a car.
fn disposals(arguments: &Arguments, year: i16) -> Result<Vec<Disposal>, Vec<Fault>> {
    let (mut disposals, mut faults) = (Vec::new(), Vec::new());
    for (place, row) in arguments.rows("disposals") {
        let bought = row.year("year");
        if bought > year {
            let first = disinvestment::years().first().copied().unwrap_or(year);
            let name = format!("disposals.{place}.year");
            faults.push(Fault::out_of_range(&name, first, year));
        }
        let (investments, cost) = (row.number("investments"), row.number("cost"));
        if cost > investments && !investments.is_zero() {
            let name = format!("disposals.{place}.cost");
            faults.push(Fault::out_of_range(&name, Decimal::ZERO, investments));
        }
        disposals.push(Disposal {
            year: bought,
            investments,
            cost,
            proceeds: row.number("proceeds"),
        });
    }
    if faults.is_empty() { Ok(disposals) } else { Err(faults) }
}

fn fields(input: &Input, it: &Assessment) -> Vec<(&'static str, Node)> {
    let money = |amount: Decimal| Node::from(Value::Money(amount));
    vec![
        ("fiscalProfit", money(it.fiscal_profit)),
        ("investmentDeduction", money(it.investment_deduction)),
        ("disinvestmentAddition", money(it.disinvestment_addition)),
        ("selfEmployedDeduction", money(it.self_employed_deduction)),
        ("starterDeduction", money(it.starter_deduction)),
        ("smeProfitExemption", money(it.sme_profit_exemption)),
        ("taxableProfit", money(it.taxable_profit)),
        ("incomeProvisions", money(it.income_provisions)),
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
        ("notIncluded", Node::Choices(NOT_INCLUDED.iter().map(code).collect())),
    ]
}

/// Code of a choice.
fn code(choice: &'static Choice) -> &'static str {
    &choice.value
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
