"""Figures: those of the law in force, typed from its text, and those of the open data.

The calculators use the open data, so this program computes with the same figures. Those of the law
are compared with the open data first; a year that is still a bill has figures in the open data
only.
"""

from dataclasses import dataclass
from datetime import date
from fractions import Fraction

from exact import ZERO, exact

# Wet IB 2001, text of each year. Brackets of art. 2.10: upper limit, tax; the rate of the first
# bracket includes the national insurance contributions of 27.65 per cent.
LAW = {
    2024: {
        "brackets": [("38098", "36.97"), ("75518", "36.97"), (None, "49.50")],
        "cap": "12.53",
        "general": ("3362", "24812", "6.630"),
        "labour": [("0", "8.425", "968"), ("11490", "31.433", "5158"), ("24820", "2.471", "5532"),
                   ("39957", "-6.51", None)],
        "selfEmployed": "3750", "starter": "2123", "exemption": "13.31",
        "contribution": ("5.32", "71628"),
        "investments": ("2800", "28", "69765", "19535", "129194", "7.56", "387580"),
        "disinvestment": "2800",
        "mileage": "0.23", "electric": ("16", "30000"),
    },
    2025: {
        "brackets": [("38441", "35.82"), ("76817", "37.48"), (None, "49.50")],
        "cap": "12.02",
        "general": ("3068", "28406", "6.337"),
        "labour": [("0", "8.053", "980"), ("12169", "30.030", "5220"), ("26288", "2.258", "5599"),
                   ("43071", "-6.51", None)],
        "selfEmployed": "2470", "starter": "2123", "exemption": "12.7",
        "contribution": ("5.26", "75864"),
        "investments": ("2900", "28", "70602", "19769", "130744", "7.56", "392230"),
        "disinvestment": "2900",
        "mileage": "0.23", "electric": ("17", "30000"),
    },
    2026: {
        "brackets": [("38883", "35.75"), ("78426", "37.56"), (None, "49.50")],
        "cap": "11.94",
        "general": ("3115", "29736", "6.398"),
        "labour": [("0", "8.324", "996"), ("11965", "31.009", "5300"), ("25845", "1.950", "5685"),
                   ("45592", "-6.51", None)],
        "selfEmployed": "1200", "starter": "2123", "exemption": "12.7",
        "contribution": ("4.85", "79409"),
        "investments": ("2900", "28", "71683", "20072", "132746", "7.56", "398236"),
        "disinvestment": "2900",
        "mileage": "0.25", "electric": ("18", "30000"),
    },
}
# Besluit vergoeding voor buitengerechtelijke incassokosten, art. 2.
COLLECTION = [("2500", "15"), ("5000", "10"), ("10000", "5"), ("200000", "1"), (None, "0.5")]


@dataclass
class Investments:
    """Table of art. 3.41(2)."""

    first: Fraction
    percent: Fraction
    second: Fraction
    amount: Fraction
    third: Fraction
    reduction: Fraction
    last: Fraction


@dataclass
class Year:
    """Figures of a tax year."""

    brackets: list
    cap: Fraction
    cap_from: Fraction
    general: tuple
    labour: list
    self_employed: Fraction
    starter: Fraction
    exemption: Fraction
    contribution: tuple
    disinvestment: Fraction


def optional(value):
    """Fraction of an optional number."""
    return None if value is None else exact(value)


def day(text):
    """Date of an optional ISO text."""
    return None if text is None else date.fromisoformat(text)


class Figures:
    """All figures, from the open data."""

    def __init__(self, client):
        self.client = client
        sets = {name: client.rows(name) for name in (
            "income-tax-brackets", "deduction-rate-cap", "general-tax-credit",
            "labour-tax-credit", "entrepreneur-deductions", "health-insurance-contribution",
            "investment-deduction", "thresholds", "mileage-allowance", "car-benefit",
            "statutory-interest", "collection-costs",
        )}
        self.sets = sets
        self.investments = {
            year: self._investments(rows)
            for year, rows in by_year(sets["investment-deduction"]).items()
        }
        years = set(by_year(sets["income-tax-brackets"]))
        for name in ("deduction-rate-cap", "general-tax-credit", "labour-tax-credit",
                     "entrepreneur-deductions", "health-insurance-contribution"):
            years &= set(by_year(sets[name]))
        self.years = {year: self._year(year) for year in sorted(years & set(self.investments))}
        self.mileage = {}
        for row in sets["mileage-allowance"]:
            first, last = day(row["validFrom"]), day(row["validTo"])
            for year in range(first.year, last.year + 1):
                self.mileage[year] = exact(row["amountPerKm"])
        self.standard_car = {}
        self.electric_car = {}
        kinds = {}
        for row in sets["car-benefit"]:
            for year in range(day(row["validFrom"]).year, day(row["validTo"]).year + 1):
                kinds.setdefault(row["kind"], set()).add(year)
                if row["kind"] == "standard":
                    self.standard_car[year] = exact(row["percent"])
                elif row["kind"] == "zeroEmission":
                    self.electric_car[year] = tuple(
                        exact(row[name]) for name in ("percent", "upTo", "percentAbove")
                    )
        # The calculator takes the years with figures of every kind of car.
        self.car_years = sorted(set.intersection(*kinds.values()))
        self.interest = {}
        for row in sets["statutory-interest"]:
            rates = self.interest.setdefault(row["kind"], [])
            rates.append((day(row["validFrom"]), day(row["validTo"]), exact(row["rate"])))
        for rates in self.interest.values():
            rates.sort()
        rows = sorted(sets["collection-costs"], key=lambda row: row["from"])
        self.collection = [(optional(row["to"]), exact(row["percent"])) for row in rows]
        self.collection_least = max(exact(row["minimum"] or 0) for row in rows)
        self.collection_most = max(exact(row["maximum"] or 0) for row in rows)

    def threshold(self, name, year):
        """A threshold that holds on the last day of a year."""
        last = date(year, 12, 31)
        for row in self.sets["thresholds"]:
            until = day(row["validTo"])
            if row["id"] == name and day(row["validFrom"]) <= last and (not until or last <= until):
                return exact(row["value"])
        return None

    def _year(self, year):
        rows = {name: by_year(rows).get(year) for name, rows in self.sets.items()
                if rows and "year" in rows[0]}
        brackets = [(optional(row["to"]), exact(row["rate"]))
                    for row in sorted(rows["income-tax-brackets"], key=lambda row: row["bracket"])]
        [cap] = rows["deduction-rate-cap"]
        general = sorted(rows["general-tax-credit"], key=lambda row: row["band"])
        labour = sorted(rows["labour-tax-credit"], key=lambda row: row["band"])
        deductions = {row["deduction"]: row for row in rows["entrepreneur-deductions"]
                      if not row["variant"]}
        [contribution] = rows["health-insurance-contribution"]
        return Year(
            brackets=brackets,
            cap=brackets[-1][1] - exact(cap["maximumRate"]),
            cap_from=exact(cap["threshold"]),
            general=(exact(general[0]["maximum"]), exact(general[1]["from"]),
                     -exact(general[1]["rate"])),
            labour=[(exact(row["from"]), exact(row["rate"]), exact(row["maximum"]))
                    for row in labour],
            self_employed=exact(deductions["selfEmployed"]["amount"]),
            starter=exact(deductions["starter"]["amount"]),
            exemption=exact(deductions["smeProfitExemption"]["percent"]),
            contribution=(exact(contribution["rate"]), exact(contribution["maximumIncome"])),
            disinvestment=self.threshold("disinvestment", year),
        )

    @staticmethod
    def _investments(rows):
        _, second, third, fourth, fifth = sorted(rows, key=lambda row: row["band"])
        return Investments(
            first=exact(second["from"]), percent=exact(second["percent"]),
            second=exact(third["from"]), amount=exact(third["amount"]),
            third=exact(fourth["from"]), reduction=exact(fourth["reductionPercent"]),
            last=exact(fifth["from"]),
        )


def by_year(rows):
    """Rows of a data set by tax year."""
    found = {}
    for row in rows:
        if "year" in row:
            found.setdefault(int(row["year"]), []).append(row)
    return found


def compare(cells, figures):
    """Compares the figures of the law with the open data."""
    for year, law in LAW.items():
        data = figures.years[year]
        limits = [ZERO] + [optional(to) for to, _ in law["brackets"][:-1]]
        pairs = {
            "brackets": ([(optional(to), exact(rate)) for to, rate in law["brackets"]],
                         data.brackets),
            "cap": ((exact(law["cap"]), limits[-1]), (data.cap, data.cap_from)),
            "general": (tuple(map(exact, law["general"])), data.general),
            "labour": ([(exact(start), exact(rate)) for start, rate, _ in law["labour"]],
                       [(start, rate) for start, rate, _ in data.labour]),
            "labour maximum": ([exact(most) for _, _, most in law["labour"][:-1]],
                               [most for _, _, most in data.labour[:-1]]),
            "selfEmployed": (exact(law["selfEmployed"]), data.self_employed),
            "starter": (exact(law["starter"]), data.starter),
            "exemption": (exact(law["exemption"]), data.exemption),
            "contribution": (tuple(map(exact, law["contribution"])), data.contribution),
            "investments": (Investments(*map(exact, law["investments"])),
                            figures.investments[year]),
            "disinvestment": (exact(law["disinvestment"]), data.disinvestment),
            "mileage": (exact(law["mileage"]), figures.mileage[year]),
            "electric car": (tuple(map(exact, law["electric"])), figures.electric_car[year][:2]),
            "car": (exact("22"), figures.standard_car[year]),
            "KOR": (exact("20000"), figures.threshold("korTurnover", year)),
            "asset": (exact("450"), figures.threshold("businessAssetMinimum", year)),
            "hours": (exact("1225"), figures.threshold("hoursCriterion", year)),
        }
        for name, (expected, actual) in pairs.items():
            cells.cell("figures", f"{year} {name}", expected, actual)
    expected = [(optional(to), exact(rate)) for to, rate in COLLECTION]
    cells.cell("figures", "collection costs", expected, figures.collection)
    cells.cell("figures", "collection costs, limits", (exact("40"), exact("6775")),
               (figures.collection_least, figures.collection_most))
