"""Income tax of a sole trader below state pension age, by the Wet IB 2001 and the Zvw.

An estimate is exact until each amount is rounded to cents. The law rounds the tax of the lower
brackets (art. 2.10(1), column III) and the assessment to whole euros; the estimate does not.
"""

from dataclasses import dataclass, field
from fractions import Fraction

from exact import ZERO, exact, percent, rounded, up_to_cents

# What the estimate leaves out.
NOT_INCLUDED = ["partner", "box2", "box3", "ownHome", "gifts", "careCosts", "losses"]


@dataclass
class Disposal:
    """An asset disposed of: year and total of the investments, cost and proceeds of the asset."""

    year: int
    investments: Fraction
    cost: Fraction
    proceeds: Fraction


@dataclass
class Case:
    """Inputs of an estimate."""

    year: int
    profit: Fraction
    hours: bool
    starter: bool = False
    wages: Fraction = ZERO
    investments: Fraction = ZERO
    disability: Fraction = ZERO
    annuity: Fraction = ZERO
    margin: Fraction = ZERO
    disposals: list = field(default_factory=list)


def investment_deduction(table, investments):
    """Small-scale investment deduction (art. 3.41(2))."""
    if investments <= table.first or investments > table.last:
        return ZERO
    if investments <= table.second:
        return percent(table.percent, investments)
    if investments <= table.third:
        return table.amount
    return table.amount - percent(table.reduction, investments - table.third)


def disinvestment_addition(figures, case):
    """Disinvestment addition (art. 3.47, 3.45(2)(b))."""
    if sum(sold.proceeds for sold in case.disposals) <= figures.years[case.year].disinvestment:
        return ZERO
    total = ZERO
    for sold in case.disposals:
        # Within five years from the beginning of the year of the investment (2); an asset below
        # 450 had no deduction.
        if case.year - sold.year >= 5 or sold.cost < 450 or not sold.investments:
            continue
        deduction = investment_deduction(figures.investments[sold.year], sold.investments)
        total += min(sold.proceeds, sold.cost) * deduction / sold.investments
    return total


def bracket_tax(brackets, income):
    """Tax and national insurance contributions by bracket (art. 2.10(1))."""
    total, start = ZERO, ZERO
    for end, rate in brackets:
        top = income if end is None else min(income, end)
        total += percent(rate, max(ZERO, top - start))
        start = end
    return total


def general_credit(general, income):
    """General tax credit (art. 8.10(2))."""
    most, start, rate = general
    return max(ZERO, most - percent(rate, max(ZERO, income - start)))


def labour_credit(labour, income):
    """Labour tax credit (art. 8.11(2)), by the tax office's published tables.

    A table begins each band at the rounded maximum of the band before it. By the act's text, the
    sum reaches that maximum up to € 1.61 later, which makes at most € 0.07 of difference there.
    """
    *parts, (fall_from, fall, _) = labour
    total = ZERO
    for place, (start, rate, most) in enumerate(parts):
        if income > start or place == 0:
            base = parts[place - 1][2] if place else ZERO
            total = min(most, base + percent(rate, max(ZERO, income - start)))
    if income > fall_from:
        total = parts[-1][2] + percent(fall, income - fall_from)
    return max(ZERO, total)


def assess(figures, case):
    """Exact amounts of an estimate, by name of the answer's field."""
    year = figures.years[case.year]
    investment = investment_deduction(figures.investments[case.year], case.investments)
    addition = disinvestment_addition(figures, case)
    profit = case.profit - investment + addition
    # Self-employed person's deduction (art. 3.76): at most the profit, unless a starter (5).
    own = starter = ZERO
    if case.hours:
        own = year.self_employed
        if case.starter:
            starter = year.starter
        else:
            own = min(own, max(ZERO, profit))
    remainder = profit - own - starter
    exemption = percent(year.exemption, remainder)  # art. 3.79a, of a loss too
    taxable_profit = remainder - exemption
    # Expenses for income provisions (art. 3.124(1)(a)(c), 3.127).
    provisions = case.disability + min(case.annuity, case.margin)
    income = taxable_profit + case.wages - provisions
    tax = bracket_tax(year.brackets, max(ZERO, income))
    # Cap on the rate of deductions (art. 2.10(2)(3)); income provisions are not among them.
    capped = own + starter + max(ZERO, exemption)
    above = max(ZERO, income + capped - year.cap_from)
    cap = percent(year.cap, min(capped, above))
    general = general_credit(year.general, income)
    labour = labour_credit(year.labour, profit + case.wages)
    due = max(ZERO, tax + cap - general - labour)  # art. 8.8
    # Contribution on the taxable profit (Zvw art. 43(2)(b), (3) and (5)); wages come first.
    rate, most = year.contribution
    base = min(max(ZERO, taxable_profit), max(ZERO, most - case.wages))
    return {
        "fiscalProfit": profit, "investmentDeduction": investment,
        "disinvestmentAddition": addition, "selfEmployedDeduction": own,
        "starterDeduction": starter, "smeProfitExemption": exemption,
        "taxableProfit": taxable_profit, "incomeProvisions": provisions, "taxableIncome": income,
        "incomeTaxBeforeCredits": tax, "deductionRateCap": cap, "generalTaxCredit": general,
        "labourTaxCredit": labour, "incomeTax": due,
        "healthInsuranceContribution": percent(rate, base),
    }


def left(case, amounts):
    """Profit and wages after tax, exact."""
    return case.profit + case.wages - amounts["incomeTax"] - amounts["healthInsuranceContribution"]


def answer(figures, case):
    """Expected answer of the calculator: exact amounts, each rounded once."""
    amounts = assess(figures, case)
    total = amounts["incomeTax"] + amounts["healthInsuranceContribution"]
    whole = case.profit + case.wages
    fields = {name: rounded(value) for name, value in amounts.items()}
    fields["total"] = rounded(total)
    fields["net"] = rounded(left(case, amounts))
    fields["effectiveRate"] = rounded(100 * total / whole if whole else ZERO)
    fields["estimate"] = True
    fields["notIncluded"] = NOT_INCLUDED
    return fields


def parameters(case):
    """Query parameters of a case."""
    pairs = [("year", case.year), ("profit", text(case.profit)),
             ("hoursCriterion", flag(case.hours))]
    optional = [("otherIncome", case.wages), ("investments", case.investments),
                ("disabilityPremiums", case.disability), ("annuityPremiums", case.annuity),
                ("annuityMargin", case.margin)]
    if case.starter:
        pairs.append(("starter", "true"))
    pairs += [(name, text(value)) for name, value in optional if value]
    for number, sold in enumerate(case.disposals):
        pairs.append((f"disposals.{number}.year", sold.year))
        pairs += [(f"disposals.{number}.{name}", text(getattr(sold, name)))
                  for name in ("investments", "cost", "proceeds")]
    return pairs


def text(amount):
    """An amount as a parameter."""
    return str(rounded(amount))


def flag(value):
    """A boolean as a parameter."""
    return "true" if value else "false"


def hourly_rate(figures, year, net, hours, costs, criterion, starter):
    """Expected answer of `hourly-rate`: the least profit, in cents, that leaves the net income."""

    def enough(amount):
        case = Case(year, Fraction(amount, 100), criterion, starter)
        return exact(rounded(left(case, assess(figures, case)))) >= net

    low, high = 0, 100
    while not enough(high):
        high *= 2
    while low < high:
        middle = (low + high) // 2
        if enough(middle):
            high = middle
        else:
            low = middle + 1
    profit = Fraction(low, 100)
    turnover = profit + costs
    return {
        "profit": rounded(profit), "turnover": rounded(turnover),
        "rate": up_to_cents(turnover / hours),
    }
