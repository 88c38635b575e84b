//! Hourly rate needed for a given net income: the income tax calculation in reverse.

use super::income_tax::{self, Tariff, years};
use crate::{
    calculator::{
        Arguments, Calculator, Input, InputKind, Outcome, Output, OutputKind, Run, Step, optional,
        output, required,
    },
    fault::Fault,
    notation::words,
    value::{Value, cents},
    words::Words,
};
use ledger::decimal::Decimal;

static INPUTS: &[Input] = &[
    income_tax::YEAR,
    required(
        "net",
        InputKind::Money { least: 0, most: 10_000_000 },
        Words::new("Gewenst inkomen na belasting", "Wanted income after tax"),
        Words::new(
            "Per jaar, na inkomstenbelasting en bijdrage Zvw. Denk aan pensioen, verzekering en ziekte.",
            "A year, after income tax and Zvw contribution. Mind pension, insurance and sickness.",
        ),
        "36000",
    ),
    required(
        "billableHours",
        InputKind::Number { least: 1, most: 8784 },
        Words::new("Declarabele uren", "Billable hours"),
        Words::new(
            "Uren per jaar die je kunt factureren, zonder vrije dagen, ziekte en werk aan je eigen bedrijf.",
            "Hours a year that you can invoice, without days off, sickness and work on your own business.",
        ),
        "1200",
    ),
    optional(
        "costs",
        InputKind::Money { least: 0, most: 100_000_000 },
        Some("0"),
        Words::new("Zakelijke kosten", "Business costs"),
        Words::new("Per jaar, exclusief btw.", "A year, excluding VAT."),
        "6000",
    ),
    income_tax::HOURS_CRITERION,
    income_tax::STARTER,
];

static OUTPUTS: &[Output] = &[
    output("profit", OutputKind::Money, Words::new("Benodigde winst", "Profit needed")),
    output("turnover", OutputKind::Money, Words::new("Benodigde omzet", "Revenue needed")),
    output(
        "rate",
        OutputKind::Money,
        Words::new("Uurtarief exclusief btw", "Hourly rate excluding VAT"),
    ),
    output("estimate", OutputKind::Boolean, Words::new("Schatting", "Estimate")),
];

/// The calculator.
pub static CALCULATOR: Calculator = Calculator {
    id: "hourly-rate",
    title: Words::new("Uurtarief berekenen", "Hourly rate"),
    description: Words::new(
        "Welk uurtarief je nodig hebt om na belasting een bepaald inkomen over te houden. Het rekent de inkomstenbelasting terug, op de cent. Een schatting, want dat is die ook; zie daar wat niet meetelt.",
        "Which hourly rate you need to be left with a certain income after tax. It works the income tax backwards, to the cent. An estimate, as that is one; see there what is left out.",
    ),
    inputs: INPUTS,
    outputs: OUTPUTS,
    run: Run::Query(run),
};

fn run(arguments: &Arguments) -> Result<Outcome, Vec<Fault>> {
    let year = arguments.year("year");
    let tariff = Tariff::of(year).ok_or_else(|| vec![Fault::unknown_year("year", years())])?;
    let (net, hours, costs) =
        (arguments.number("net"), arguments.number("billableHours"), arguments.number("costs"));
    let nil = Decimal::ZERO;
    let input = income_tax::Input {
        year,
        profit: nil,
        hours_criterion: arguments.flag("hoursCriterion"),
        starter: arguments.flag("starter"),
        ..income_tax::Input::default()
    };
    let profit = profit_for(tariff, input, net);
    let turnover = profit + costs;
    let rate = round_up(turnover / hours);
    let total = tariff.assess(&income_tax::Input { profit, ..input }).total();
    // There is only one step, because the income tax is the only rule involved: revenue and rate
    // follow from the profit.
    let step = Step::new(
        "profit",
        words(
            |n| {
                format!(
                    "Van {} winst blijft na {} belasting en bijdrage Zvw het gewenste bedrag over. Met {} zakelijke kosten is dat {} omzet: gedeeld door {} uur, naar boven afgerond op een cent",
                    n.euros(profit),
                    n.euros(total),
                    n.euros(costs),
                    n.euros(turnover),
                    n.number(hours)
                )
            },
            |n| {
                format!(
                    "Of {} of profit the wanted amount is left after {} of tax and Zvw contribution. With {} of business costs that is {} of revenue: divided by {} hours, rounded up to a cent",
                    n.euros(profit),
                    n.euros(total),
                    n.euros(costs),
                    n.euros(turnover),
                    n.number(hours)
                )
            },
        ),
        Value::Money(profit),
        "wet-ib-2.10",
    );
    let steps = vec![step.with_figures(tariff.rows())];
    let fields = vec![
        ("profit", Value::Money(profit).into()),
        ("turnover", Value::Money(turnover).into()),
        ("rate", Value::Money(rate).into()),
        ("estimate", Value::Boolean(true).into()),
    ];
    Ok(Outcome { fields, steps })
}

/// Smallest profit in whole cents that leaves at least `net` after tax.
///
/// Net income never falls as profit grows, and never exceeds the profit (tested in `income_tax`).
/// So the search starts from a profit that leaves too little and one that leaves enough. It then
/// interpolates between the two, because net income is nearly linear in the profit.
fn profit_for(tariff: &Tariff, input: income_tax::Input, net: Decimal) -> Decimal {
    let remaining_of = |hundredths: i64| {
        let input = income_tax::Input { profit: Decimal::new(hundredths, 2), ..input };
        hundredths_of(cents(&tariff.assess(&input).net(&input)))
    };
    let net = hundredths_of(net);
    if net <= 0 {
        return Decimal::ZERO;
    }
    let most = income_tax::MOST * 100;
    let mut short = (net - 1, remaining_of(net - 1));
    let mut enough = (most, i64::MAX);
    // Tax takes about half of each extra euro, so raising the profit by twice the shortfall reaches
    // the target in a few steps.
    while short.0 < most {
        let profit = (short.0 + 2 * (net - short.1)).min(most);
        let remaining = remaining_of(profit);
        if remaining >= net {
            enough = (profit, remaining);
            break;
        }
        short = (profit, remaining);
    }
    let mut step = 0;
    while short.0 + 1 < enough.0 {
        step += 1;
        // Bisects every third step: at a kink, interpolation alone would converge slowly.
        let profit = if step % 3 == 0 {
            i64::midpoint(short.0, enough.0)
        } else {
            short.0 + share(enough.0 - short.0, net - short.1, enough.1 - short.1)
        };
        let profit = profit.clamp(short.0 + 1, enough.0 - 1);
        let remaining = remaining_of(profit);
        if remaining >= net { enough = (profit, remaining) } else { short = (profit, remaining) }
    }
    Decimal::new(enough.0, 2)
}

/// `whole × part ÷ of`, rounded up.
fn share(whole: i64, part: i64, of: i64) -> i64 {
    let (product, of) = (i128::from(whole) * i128::from(part), i128::from(of));
    // The quotient is at most `whole`, because `part` is at most `of`.
    i64::try_from((product + of - 1) / of).unwrap_or(whole)
}

/// Converts an amount in euros to cents. The amount must have at most two decimals.
fn hundredths_of(mut amount: Decimal) -> i64 {
    amount.rescale(2);
    // The conversion cannot fail, because inputs and results are far below 2⁶³ cents.
    i64::try_from(amount.mantissa()).unwrap_or(i64::MAX)
}

/// Rounds up to the next cent.
fn round_up(amount: Decimal) -> Decimal {
    (amount * Decimal::ONE_HUNDRED).ceil() / Decimal::ONE_HUNDRED
}
