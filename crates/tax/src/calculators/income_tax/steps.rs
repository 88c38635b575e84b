//! Steps of the income tax calculation, one sentence each.

use super::assessment::{Assessment, Input, Tariff, percent};
use crate::{
    calculator::Step,
    dataset::Row,
    notation::words,
    value::Value,
    words::Words,
    year::{Band, band_of},
};
use ledger::decimal::Decimal;

/// Steps in the order of the law. Parts that are zero because they do not apply are omitted.
pub(super) fn of(tariff: &Tariff, input: &Input, it: &Assessment) -> Vec<Step> {
    let mut steps = Vec::new();
    deductions(&mut steps, tariff, input, it);
    income(&mut steps, input, it);
    tax(&mut steps, tariff, it);
    credits(&mut steps, tariff, input, it);
    ends(&mut steps, tariff, input, it);
    steps
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
    let text = Words::new(
        "Winst na kleinschaligheidsinvesteringsaftrek",
        "Profit after the small-scale investment deduction",
    );
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
        steps.push(Step::new(
            "taxableIncome",
            text,
            Value::Money(it.taxable_income),
            "wet-ib-2.10",
        ));
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
