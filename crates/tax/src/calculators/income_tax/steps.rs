//! Steps of the income tax calculation, one sentence each.

use super::{
    assessment::{Assessment, Input, Tariff, percent},
    disinvestment::Disinvestment,
};
use crate::{
    calculator::Step,
    dataset::Row,
    notation::words,
    status::Status,
    value::{Value, round},
    words::Words,
    year::{Band, band_of},
};
use ledger::decimal::Decimal;

/// Ids of the rules for income provisions: disability insurance, and annuities.
pub(crate) const PROVISIONS: [&str; 2] = ["wet-ib-3.124", "wet-ib-3.127"];

/// Steps in the order of the law. Parts that are zero because they do not apply are omitted.
pub(super) fn of(
    tariff: &Tariff,
    input: &Input,
    it: &Assessment,
    disinvestment: &Disinvestment,
) -> Vec<Step> {
    let mut steps = Vec::new();
    additions(&mut steps, disinvestment);
    deductions(&mut steps, tariff, input, it);
    income(&mut steps, input, it);
    tax(&mut steps, tariff, it);
    credits(&mut steps, tariff, input, it);
    ends(&mut steps, tariff, input, it);
    with_proposals(steps)
}

/// Adds to each step the proposed figures of earlier steps, on which its result depends.
fn with_proposals(mut steps: Vec<Step>) -> Vec<Step> {
    let mut proposed: Vec<&'static Row> = Vec::new();
    for step in &mut steps {
        *step = step.clone().with_figures(proposed.iter().copied());
        proposed.extend(step.figures.iter().filter(|row| row.status == Status::Proposal));
    }
    steps
}

/// Adds the steps for the disinvestment addition: the total proceeds, then each disposal if they
/// exceed the threshold.
fn additions(steps: &mut Vec<Step>, disinvestment: &Disinvestment) {
    if disinvestment.parts.is_empty() {
        return;
    }
    let (proceeds, threshold) = (disinvestment.proceeds, disinvestment.threshold);
    let is_above = proceeds > threshold;
    let text = words(
        |n| {
            let so = if is_above { "meer dan" } else { "niet meer dan" };
            format!(
                "Verkocht of naar privé gehaald: {} in het jaar, {so} {}",
                n.euros(proceeds),
                n.euros(threshold)
            )
        },
        |n| {
            let so = if is_above { "more than" } else { "not more than" };
            format!(
                "Sold or taken over privately: {} in the year, {so} {}",
                n.euros(proceeds),
                n.euros(threshold)
            )
        },
    );
    let step = Step::new("disposals", text, Value::Money(proceeds), "wet-ib-3.47");
    steps.push(step.with_figures(disinvestment.threshold_row));
    for part in disinvestment.parts.iter().filter(|_| is_above) {
        let (year, rate, base) = (part.disposal.year, round(&part.percent, 2), part.base);
        let text = if part.percent.is_zero() {
            words(
                |n| format!("Geen desinvesteringsbijtelling over {}, van {year}", n.euros(base)),
                |n| format!("No disinvestment addition on {}, of {year}", n.euros(base)),
            )
        } else {
            words(
                |n| {
                    format!(
                        "Desinvesteringsbijtelling: {} aftrek in {year}, over {}",
                        n.rate(rate),
                        n.euros(base)
                    )
                },
                |n| {
                    format!(
                        "Disinvestment addition: {} deducted in {year}, on {}",
                        n.rate(rate),
                        n.euros(base)
                    )
                },
            )
        };
        let amount = Value::Money(part.amount.unwrap_or_default());
        let step = Step::new("disinvestmentAddition", text, amount, "wet-ib-3.47");
        steps.push(step.with_figures(part.row));
    }
}

// Long: the deductions in the order in which the tax return lists them.
fn deductions(steps: &mut Vec<Step>, tariff: &Tariff, input: &Input, it: &Assessment) {
    let mut add = |id, text, amount, source: &str, figure: Option<&'static Row>| {
        steps.push(Step::new(id, text, Value::Money(amount), source).with_figures(figure));
    };
    if !input.investments.is_zero() {
        let text = words(
            |n| {
                format!(
                    "Kleinschaligheidsinvesteringsaftrek over {} aan investeringen",
                    n.euros(input.investments)
                )
            },
            |n| {
                format!(
                    "Small-scale investment deduction over {} of investments",
                    n.euros(input.investments)
                )
            },
        );
        add(
            "investmentDeduction",
            text,
            it.investment_deduction,
            "wet-ib-3.41",
            figures_of(&tariff.investment, input.investments),
        );
    }
    let text = if it.disinvestment_addition.is_zero() {
        Words::new(
            "Winst na kleinschaligheidsinvesteringsaftrek",
            "Profit after the small-scale investment deduction",
        )
    } else {
        Words::new(
            "Winst na kleinschaligheidsinvesteringsaftrek en desinvesteringsbijtelling",
            "Profit after the small-scale investment deduction and the disinvestment addition",
        )
    };
    add("fiscalProfit", text, it.fiscal_profit, "wet-ib-3.41", None);
    if input.hours_criterion {
        let text = if it.self_employed_deduction < tariff.self_employed {
            words(
                |n| {
                    format!(
                        "Zelfstandigenaftrek: {}, maar nooit meer dan de winst",
                        n.euros(tariff.self_employed)
                    )
                },
                |n| {
                    format!(
                        "Self-employed person's deduction: {}, but never more than the profit",
                        n.euros(tariff.self_employed)
                    )
                },
            )
        } else {
            Words::new(
                "Zelfstandigenaftrek, omdat het urencriterium is gehaald",
                "Self-employed person's deduction, as the hours criterion is met",
            )
        };
        add(
            "selfEmployedDeduction",
            text,
            it.self_employed_deduction,
            "wet-ib-3.76",
            Some(tariff.self_employed_row),
        );
    }
    if !it.starter_deduction.is_zero() {
        let text = Words::new(
            "Startersaftrek, boven op de zelfstandigenaftrek",
            "Starter's deduction, on top of the self-employed person's deduction",
        );
        add(
            "starterDeduction",
            text,
            it.starter_deduction,
            "wet-ib-3.76",
            Some(tariff.starter_row),
        );
    }
    let base = it.fiscal_profit - it.self_employed_deduction - it.starter_deduction;
    let text = words(
        |n| format!("Mkb-winstvrijstelling: {} van {}", n.rate(tariff.exemption), n.euros(base)),
        |n| format!("SME profit exemption: {} of {}", n.rate(tariff.exemption), n.euros(base)),
    );
    add(
        "smeProfitExemption",
        text,
        it.sme_profit_exemption,
        &tariff.exemption_row.source.id,
        Some(tariff.exemption_row),
    );
}

fn income(steps: &mut Vec<Step>, input: &Input, it: &Assessment) {
    let text = Words::new(
        "Belastbare winst: wat na deze aftrek overblijft",
        "Taxable profit: what is left after these deductions",
    );
    steps.push(Step::new("taxableProfit", text, Value::Money(it.taxable_profit), "wet-ib-3.79a"));
    if !input.other_income.is_zero() {
        let text = words(
            |n| format!("Met {} loon en ander inkomen in box 1", n.euros(input.other_income)),
            |n| format!("With {} of wages and other box 1 income", n.euros(input.other_income)),
        );
        let (id, with_wages) = if it.income_provisions.is_zero() {
            ("taxableIncome", it.taxable_income)
        } else {
            ("otherIncome", it.taxable_profit + input.other_income)
        };
        steps.push(Step::new(id, text, Value::Money(with_wages), "wet-ib-2.10"));
    }
    provisions(steps, input);
    if !it.income_provisions.is_zero() {
        let text = Words::new(
            "Belastbaar inkomen in box 1, na de uitgaven voor inkomensvoorzieningen",
            "Taxable income in box 1, after the expenses for income provisions",
        );
        let amount = Value::Money(it.taxable_income);
        steps.push(Step::new("taxableIncome", text, amount, "wet-ib-2.10"));
    }
}

/// Adds the steps for income provisions. Annuities are deductible up to the margin, which the text
/// states.
fn provisions(steps: &mut Vec<Step>, input: &Input) {
    let [disability, annuity] = PROVISIONS;
    if !input.disability_premiums.is_zero() {
        let text = Words::new(
            "Premies voor arbeidsongeschiktheid: helemaal aftrekbaar van het inkomen",
            "Premiums for disability insurance: deductible in full from the income",
        );
        let amount = Value::Money(input.disability_premiums);
        steps.push(Step::new("disabilityPremiums", text, amount, disability));
    }
    if !input.annuity_premiums.is_zero() {
        let (paid, margin) = (input.annuity_premiums, input.annuity_margin);
        let text = words(
            |n| {
                format!(
                    "Lijfrente: {} betaald, aftrekbaar tot de jaarruimte van {}",
                    n.euros(paid),
                    n.euros(margin)
                )
            },
            |n| {
                format!(
                    "Annuities: {} paid, deductible up to the margin of {}",
                    n.euros(paid),
                    n.euros(margin)
                )
            },
        );
        let amount = Value::Money(input.deductible_annuities());
        steps.push(Step::new("annuityPremiums", text, amount, annuity));
    }
}

fn tax(steps: &mut Vec<Step>, tariff: &Tariff, it: &Assessment) {
    for (number, band) in (1..).zip(&tariff.brackets) {
        let (part, rate) = (band.part_of(it.taxable_income), band.rate);
        if part > Decimal::ZERO {
            let text = words(
                |n| format!("Schijf {number}: {} van {}", n.rate(rate), n.euros(part)),
                |n| format!("Bracket {number}: {} of {}", n.rate(rate), n.euros(part)),
            );
            steps.push(Step::of("bracket", text, Value::Money(percent(part, rate)), band.row));
        }
    }
    let text =
        Words::new("Belasting en premie vóór kortingen", "Tax and contributions before credits");
    steps.push(Step::new(
        "incomeTaxBeforeCredits",
        text,
        Value::Money(it.before_credits),
        "wet-ib-2.10",
    ));
    if !it.deduction_rate_cap.is_zero() {
        let text = words(
            |n| {
                format!(
                    "Tariefaanpassing: aftrek telt voor hoogstens {}, dus {} over de aftrek die boven {} valt",
                    n.rate(tariff.cap_rate),
                    n.rate(tariff.surcharge_rate()),
                    n.euros(tariff.cap_threshold)
                )
            },
            |n| {
                format!(
                    "Capped rate: deductions count at {} at most, so {} over the deduction that lies above {}",
                    n.rate(tariff.cap_rate),
                    n.rate(tariff.surcharge_rate()),
                    n.euros(tariff.cap_threshold)
                )
            },
        );
        let step =
            Step::new("deductionRateCap", text, Value::Money(it.deduction_rate_cap), "wet-ib-2.10");
        steps.push(step.with_figures([tariff.cap_row]));
    }
}

fn credits(steps: &mut Vec<Step>, tariff: &Tariff, input: &Input, it: &Assessment) {
    let income = it.taxable_income.max(Decimal::ZERO);
    let text = words(
        |n| format!("Algemene heffingskorting bij een inkomen van {}", n.euros(income)),
        |n| format!("General tax credit at an income of {}", n.euros(income)),
    );
    steps.extend(of_band(
        "generalTaxCredit",
        text,
        it.general_tax_credit,
        &tariff.general_credit,
        income,
    ));
    let labour = (it.fiscal_profit + input.other_income).max(Decimal::ZERO);
    let text = words(
        |n| {
            format!(
                "Arbeidskorting bij {} inkomen uit werk: winst vóór ondernemersaftrek, en loon",
                n.euros(labour)
            )
        },
        |n| {
            format!(
                "Labour tax credit at {} of income from work: profit before the entrepreneur's deduction, and wages",
                n.euros(labour)
            )
        },
    );
    steps.extend(of_band(
        "labourTaxCredit",
        text,
        it.labour_tax_credit,
        &tariff.labour_credit,
        labour,
    ));
}

/// Creates a step whose figures come from the band that contains an income.
fn of_band(
    id: &'static str,
    text: Words,
    amount: Decimal,
    bands: &[Band],
    income: Decimal,
) -> Option<Step> {
    figures_of(bands, income).map(|row| Step::of(id, text, Value::Money(amount), row))
}

/// Returns the row of the band that contains an amount.
fn figures_of(bands: &[Band], amount: Decimal) -> Option<&'static Row> {
    band_of(bands, amount).map(|band| band.row)
}

fn ends(steps: &mut Vec<Step>, tariff: &Tariff, input: &Input, it: &Assessment) {
    let text = if it.income_tax.is_zero() {
        Words::new(
            "De kortingen zijn minstens zo hoog als de belasting: er is niets te betalen",
            "The credits are at least as high as the tax: nothing is due",
        )
    } else {
        Words::new(
            "Inkomstenbelasting en premie: belasting min kortingen",
            "Income tax and contributions: tax less credits",
        )
    };
    steps.push(Step::new("incomeTax", text, Value::Money(it.income_tax), "wet-ib-8.8"));
    let remaining = (tariff.health_maximum - input.other_income).max(Decimal::ZERO);
    let base = it.taxable_profit.max(Decimal::ZERO).min(remaining);
    let text = words(
        |n| format!("Bijdrage Zvw: {} van {}", n.rate(tariff.health_rate), n.euros(base)),
        |n| format!("Zvw contribution: {} of {}", n.rate(tariff.health_rate), n.euros(base)),
    );
    steps.push(Step::of(
        "healthInsuranceContribution",
        text,
        Value::Money(it.health_insurance_contribution),
        tariff.health_row,
    ));
}
