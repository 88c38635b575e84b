"""Random cases: on and around every limit, and in between."""

from datetime import date, timedelta
from fractions import Fraction

import calculators
from exact import CENT, ZERO, exact, rounded
from income_tax import Case, Disposal, answer, flag, hourly_rate, parameters, text

# Largest amount that the calculators take.
MOST = 100_000_000


class Draw:
    """Draws the inputs of a case and computes its answer."""

    def __init__(self, random, figures):
        self.random, self.figures = random, figures

    def near(self, limits):
        """An amount on a limit, a cent or a euro from it, or somewhat further."""
        limit = self.random.choice(limits)
        step = self.random.choice((ZERO, CENT, -CENT, Fraction(1), Fraction(-1), None))
        if step is None:
            step = Fraction(self.random.randint(-200_000, 200_000), 100)
        return self.amount(limit + step)

    @staticmethod
    def amount(value):
        """An amount of cents that the calculators take."""
        return min(Fraction(MOST), max(ZERO, Fraction(rounded(value))))

    def plain(self, most):
        """An amount of euros or of cents, small ones as often as large ones."""
        value = Fraction(str(round(most ** self.random.random(), 2)))
        return value if self.random.random() < 0.6 else Fraction(int(value))

    def limits(self, year):
        """Limits of the incomes of a year."""
        data = self.figures.years[year]
        limits = [end for end, _ in data.brackets[:-1]] + [data.cap_from, data.general[1]]
        limits.append(data.general[1] + data.general[0] * 100 / data.general[2])
        limits += [start for start, _, _ in data.labour]
        start, rate, most = data.labour[-1]
        limits.append(start - most * 100 / rate)
        return limits + [data.contribution[1], data.self_employed, data.starter, ZERO]

    def profit(self, case):
        """A profit: anything, on a limit, or one by which the income comes on a limit."""
        kind = self.random.random()
        if kind < 0.08:
            return self.random.choice((ZERO, CENT, Fraction(1), Fraction(100)))
        limits = self.limits(case.year)
        if kind < 0.35:
            return self.near(limits)
        if kind < 0.65:
            data = self.figures.years[case.year]
            income = self.random.choice(limits) - case.wages + case.disability
            own = data.self_employed if case.hours else ZERO
            own += data.starter if case.hours and case.starter else ZERO
            return self.near([max(ZERO, income) * 100 / (100 - data.exemption) + own])
        return self.plain(MOST if kind > 0.98 else 250_000)

    def investments(self, year):
        """Investments of a year, mostly around a limit of the deduction."""
        table = self.figures.investments[year]
        if self.random.random() < 0.6:
            return self.near([table.first, table.second, table.third, table.last])
        return self.plain(450_000)

    def disposals(self, year):
        """Assets disposed of; in some cases the proceeds are on the threshold."""
        count = self.random.choice((1, 1, 1, 2, 2, 3, 4, 20))
        threshold = self.figures.years[year].disinvestment
        sold = []
        for _ in range(count):
            bought = self.random.choice(
                [each for each in self.figures.investments if each <= year])
            invested = max(self.investments(bought), Fraction(1))
            cost = self.random.choice((invested, self.near([exact("450")]),
                                       self.plain(max(2, int(invested)))))
            cost = min(cost, invested)
            proceeds = self.random.choice((cost, self.near([cost]), self.plain(20_000), ZERO))
            sold.append(Disposal(bought, invested, cost, proceeds))
        if self.random.random() < 0.4:
            others = sum(each.proceeds for each in sold[1:])
            if others < threshold:
                step = self.random.choice((ZERO, CENT, -CENT))
                sold[0].proceeds = self.amount(threshold - others + step)
        return sold

    def income_tax(self):
        """An estimate; three of four use the fields of income provisions or disposals."""
        random = self.random
        case = Case(random.choice(sorted(self.figures.years)), ZERO, random.random() < 0.7)
        case.starter = random.random() < 0.3
        if random.random() < 0.4:
            case.wages = self.near(self.limits(case.year)) if random.random() < 0.5 \
                else self.plain(120_000)
        if random.random() < 0.5:
            case.disability = self.plain(15_000)
        if random.random() < 0.5:
            case.annuity = self.plain(40_000)
            case.margin = random.choice(
                (ZERO, case.annuity, case.annuity + CENT, self.amount(case.annuity - CENT),
                 self.plain(40_000)))
        elif random.random() < 0.2:
            case.margin = self.plain(40_000)
        if random.random() < 0.4:
            case.investments = self.investments(case.year)
        if random.random() < 0.5:
            case.disposals = self.disposals(case.year)
        case.profit = self.profit(case)
        return "income-tax", parameters(case), answer(self.figures, case)

    def hourly_rate(self):
        """An hourly rate."""
        random = self.random
        year = random.choice(sorted(self.figures.years))
        net, costs = self.plain(150_000), self.plain(50_000)
        hours = Fraction(random.randint(100, 200_000), 100)
        criterion, starter = random.random() < 0.7, random.random() < 0.3
        expected = hourly_rate(self.figures, year, net, hours, costs, criterion, starter)
        pairs = [("year", year), ("net", text(net)), ("billableHours", text(hours)),
                 ("costs", text(costs)), ("hoursCriterion", flag(criterion)),
                 ("starter", flag(starter))]
        return "hourly-rate", pairs, {**expected, "estimate": True}

    def investment_deduction(self):
        """An investment deduction."""
        year = self.random.choice(sorted(self.figures.investments))
        amount = self.investments(year)
        pairs = [("year", year), ("investments", text(amount))]
        return "investment-deduction", pairs, calculators.deduction(self.figures, year, amount)

    def vat(self):
        """VAT."""
        amount = self.plain(1_000_000)
        rate = self.random.choice(("21", "9", "0", "6", "13.5", "25.5", "100"))
        mode = self.random.choice(("including", "excluding"))
        pairs = [("amount", text(amount)), ("rate", rate), ("mode", mode)]
        expected = calculators.vat(amount, exact(rate), mode == "including")
        if self.random.random() < 0.4:
            changes = [first for rates in calculators.VAT_RATES for first, _ in rates[1:]]
            on = self.random.choice(changes) + timedelta(days=self.random.choice((-1, 0, 400)))
            pairs.append(("on", on.isoformat()))
            if rate not in calculators.vat_rates(on):
                expected = ("rate", "unknown_vat_rate")
        return "vat", pairs, expected

    def kor(self):
        """The small businesses scheme."""
        year = self.random.choice((2024, 2025, 2026, 2027))
        turnover = self.near([exact("20000")]) if self.random.random() < 0.7 \
            else self.plain(60_000)
        charged, deducted = self.plain(8_000), self.plain(8_000)
        pairs = [("year", year), ("turnover", text(turnover)), ("vatOnSales", text(charged)),
                 ("inputVat", text(deducted))]
        return "kor", pairs, calculators.kor(self.figures, year, turnover, charged, deducted)

    def mileage(self):
        """Business kilometres."""
        year = self.random.choice(sorted(self.figures.mileage))
        km = self.plain(60_000)
        return ("mileage", [("year", year), ("km", text(km))],
                calculators.mileage(self.figures, year, km))

    def car(self):
        """A business car."""
        figures, random = self.figures, self.random
        year = random.choice(figures.car_years)
        electric = random.random() < 0.8
        limits = sorted({limit for _, limit, _ in figures.electric_car.values()})
        value = self.near(limits) if random.random() < 0.7 else self.plain(150_000)
        admitted = None
        if electric and random.random() < 0.8:
            first = max(min(figures.electric_car), year - 7)
            admitted = date(random.randint(first, year), random.randint(1, 12),
                            random.randint(1, 28))
        pairs = [("year", year), ("catalogueValue", text(value)), ("zeroEmission", flag(electric))]
        if admitted:
            pairs.append(("firstAdmission", admitted.isoformat()))
        return "car-benefit", pairs, calculators.car(figures, year, value, electric, admitted)

    def late_payment(self):
        """A late payment."""
        random = self.random
        debtor = random.choice(("business", "consumer"))
        kind = "commercial" if debtor == "business" else "consumer"
        rates = self.figures.interest[kind]
        first, last = rates[0][0], rates[-1][1]
        due = first + timedelta(days=random.randint(0, (last - first).days - 1))
        paid = due + timedelta(days=random.choice((
            random.randint(0, 40), random.randint(0, 400), random.randint(300, 1200), 14, 15, 16)))
        paid = min(paid, last)
        limits = [end for end, _ in self.figures.collection if end] + [exact("266.67")]
        amount = self.near(limits) if random.random() < 0.5 else self.plain(1_500_000)
        pairs = [("amount", text(amount)), ("due", due.isoformat()), ("paid", paid.isoformat()),
                 ("debtor", debtor)]
        return ("late-payment", pairs,
                calculators.late_payment(self.figures, amount, due, paid, debtor))

    def depreciation(self):
        """A depreciation."""
        random = self.random
        cost = self.plain(100_000)
        residual = random.choice((ZERO, self.amount(cost / 10), cost))
        years = random.choice((1, 3, 5, 5, 6, 7, 10, 50))
        start = date(2026, 1, 1) + timedelta(days=random.randint(0, 700))
        pairs = [("cost", text(cost)), ("residual", text(residual)), ("years", years),
                 ("from", start.isoformat())]
        return "depreciation", pairs, calculators.depreciation(cost, residual, years, start)

    def hours(self):
        """The hours criterion."""
        on = date(self.random.randint(2024, 2026), 1, 1) + timedelta(
            days=self.random.randint(0, 365))
        worked = self.near([exact("1225")]) if self.random.random() < 0.4 else self.plain(2_000)
        if self.random.random() < 0.1:
            on = date(on.year, 12, 31)
        return ("hours-criterion", [("on", on.isoformat()), ("hours", text(worked))],
                calculators.hours(self.figures, on, worked))

    def deadlines(self):
        """The next deadlines."""
        on = date(2025, 6, 1) + timedelta(days=self.random.randint(0, 700))
        if self.random.random() < 0.5:
            first = date(on.year, on.month, 1)
            on = first + timedelta(days=self.random.choice((-2, -1, 0)))
        unit = self.random.choice(("month", "quarter", "year"))
        pairs = [("on", on.isoformat()), ("vatPeriod", unit)]
        return "deadlines", pairs, {"next": calculators.deadlines(on, unit)}

    def refused(self):
        """An input that is refused, with the field and the reason."""
        random, years = self.random, self.figures.years
        year = random.choice(sorted(years))
        plain = [("profit", "50000"), ("hoursCriterion", "true")]
        sold = {"investments": "10000", "cost": "5000", "proceeds": "3000"}

        def disposal(bought):
            pairs = [("disposals.0.year", bought)]
            return pairs + [(f"disposals.0.{name}", value) for name, value in sold.items()]

        kind = random.choice(("year", "bought", "later", "amount", "amount", "part", "other"))
        if kind == "other":
            return self.refused_elsewhere()
        if kind == "year":
            other = random.choice((min(years) - 1, max(years) + 1, 1999))
            return ("income-tax", [("year", other)] + plain, ("year", "unknown_value"))
        if kind == "bought":
            # A year without rows is refused, never computed with the figures of another year.
            earlier = min(self.figures.investments) - random.randint(1, 3)
            return ("income-tax", [("year", year)] + plain + disposal(earlier),
                    ("disposals.0.year", "unknown_value"))
        if kind == "later":
            year = min(year, max(years) - 1)
            return ("income-tax", [("year", year)] + plain + disposal(year + 1),
                    ("disposals.0.year", "out_of_range"))
        if kind == "part":
            left_out = random.choice(sorted(sold))
            pairs = [pair for pair in disposal(year) if not pair[0].endswith(left_out)]
            return ("income-tax", [("year", year)] + plain + pairs,
                    (f"disposals.0.{left_out}", "required"))
        name = random.choice(("profit", "otherIncome", "investments", "disabilityPremiums",
                              "annuityPremiums", "annuityMargin"))
        value, reason = random.choice((
            ("-0.01", "out_of_range"), (f"{MOST}.01", "out_of_range"), ("1.001", "too_many"),
            ("veel", "invalid_format")))
        pairs = [pair for pair in plain if pair[0] != name]
        return "income-tax", [("year", year), (name, value)] + pairs, (name, reason)

    def refused_elsewhere(self):
        """An input that another calculator refuses, because no figures are known."""
        figures = self.figures
        investments, mileage = figures.investments, figures.mileage
        last = figures.interest["commercial"][-1][1]
        after = (last + timedelta(days=1)).isoformat()
        return self.random.choice((
            ("investment-deduction", [("year", max(investments) + 1), ("investments", "5000")],
             ("year", "unknown_value")),
            ("mileage", [("year", min(mileage) - 1), ("km", "100")], ("year", "unknown_value")),
            ("car-benefit", [("year", max(figures.car_years) + 1), ("catalogueValue", "45000"),
                             ("zeroEmission", "true")], ("year", "unknown_value")),
            ("late-payment", [("amount", "100"), ("due", last.replace(day=1).isoformat()),
                              ("paid", after), ("debtor", "business")], ("paid", "out_of_range")),
            ("depreciation", [("cost", "100"), ("residual", "100.01"), ("years", 5),
                              ("from", "2026-01-01")], ("residual", "out_of_range")),
        ))
