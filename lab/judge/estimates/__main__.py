"""Recomputes random cases of the tax calculators by the law, and compares every cell."""

import argparse
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from decimal import Decimal
import random
import sys
import threading
import traceback

from client import Client
from draw import Draw
import figures

# Share of each kind of case, in percent; the rest are estimates of income tax.
KINDS = {
    "refused": 6, "hourly_rate": 4, "investment_deduction": 5, "vat": 5, "kor": 5, "mileage": 3,
    "car": 6, "late_payment": 8, "depreciation": 5, "hours": 3, "deadlines": 3,
}
# Fields for income provisions and disposals; the cases that have one of them are counted.
PROVISIONS = ("disabilityPremiums", "annuityPremiums", "annuityMargin", "disposals.0.year")


class Cells:
    """Counts compared cells by area, and keeps the differences."""

    def __init__(self):
        self.by_area = Counter()
        self.differences = []

    def cell(self, area, name, expected, actual):
        """Compares one cell."""
        self.by_area[area] += 1
        if expected != actual or isinstance(expected, bool) != isinstance(actual, bool):
            self.differences.append((area, name, expected, actual))

    def value(self, area, name, expected, actual):
        """Compares the cells of a value: a list row by row, an object field by field."""
        if isinstance(expected, list) and isinstance(actual, list):
            self.cell(area, f"{name} rows", len(expected), len(actual))
            for number, pair in enumerate(zip(expected, actual)):
                self.value(area, f"{name}.{number}", *pair)
        elif isinstance(expected, dict) and isinstance(actual, dict):
            for key, value in expected.items():
                self.value(area, f"{name}.{key}", value, actual.get(key))
        else:
            self.cell(area, name, expected, actual)


def statuses(cells, sets, parameters, body):
    """Compares the status of the figures of each step: a proposal is called a proposal."""
    known = {(row["source"], row["status"]) for rows in sets.values() for row in rows}
    year = int(dict(parameters)["year"])
    brackets = [row["status"] for row in sets["income-tax-brackets"] if row["year"] == year]
    for step in body["steps"]:
        for figure in step["figures"]:
            pair = figure["source"], figure["status"]
            cells.cell("status", f"{step['id']} {pair}", True, pair in known)
            if step["id"] == "bracket":
                cells.cell("status", "bracket", brackets[0], figure["status"])


def compare(cells, client, sets, case):
    """Asks a calculator and compares its answer."""
    calculator, parameters, expected = case
    status, body = client.calculate(calculator, parameters)
    if isinstance(expected, tuple):
        cells.cell("refused", "status", 422, status)
        faults = [(fault["parameter"], fault["code"]) for fault in body.get("errors", [])]
        cells.cell("refused", f"{expected} in {faults}", True, expected in faults)
        return
    cells.cell(calculator, "status", 200, status)
    if calculator == "deadlines":
        body = {"next": {row["kind"]: row for row in body["next"]}}
    for name, value in expected.items():
        cells.value(calculator, name, value, body.get(name))
    if calculator == "income-tax":
        statuses(cells, sets, parameters, body)


def of_seed(seed, draw_from):
    """Case of a seed: its kind, and what the kind draws."""
    generator = random.Random(seed)
    place = generator.random() * 100
    kind = "income_tax"
    for name, share in KINDS.items():
        if place < share:
            kind = name
            break
        place -= share
    return getattr(Draw(generator, draw_from), kind)()


class Work:
    """Runs cases on several threads and prints the outcome."""

    def __init__(self, options):
        self.options = options
        self.figures = figures.Figures(Client(options.origin))
        self.local = threading.local()
        self.lock = threading.Lock()
        self.areas, self.wrong, self.cases = Counter(), Counter(), Counter()
        self.shown = 0

    def one(self, seed):
        """Runs the case of a seed."""
        if not hasattr(self.local, "client"):
            self.local.client = Client(self.options.origin)
        cells, case = Cells(), None
        try:
            case = of_seed(seed, self.figures)
            compare(cells, self.local.client, self.figures.sets, case)
        except Exception:  # a fault of this program, which is reported like a difference
            cells.differences.append(("failed", traceback.format_exc(), None, None))
            self.local.client = Client(self.options.origin)
        self.add(cells, f"seed {seed}", case)

    def add(self, cells, name, case):
        """Adds the cells of a case, and prints its differences."""
        with self.lock:
            self.areas.update(cells.by_area)
            self.wrong.update(area for area, *_ in cells.differences)
            if case:
                self.cases[case[0]] += 1
                fields = {field for field, _ in case[1]}
                if case[0] == "income-tax" and fields.intersection(PROVISIONS):
                    self.cases["income-tax, provisions"] += 1
            if cells.differences and self.shown < self.options.show:
                self.shown += 1
                print(f"{name}: {case and case[:2]}")
                for _, field, expected, actual in cells.differences[:8]:
                    print(f"  {field}: expected {plain(expected)}, actual {plain(actual)}",
                          flush=True)

    def run(self):
        """Compares the figures, then runs all cases; returns whether nothing differs."""
        options = self.options
        cells = Cells()
        figures.compare(cells, self.figures)
        self.add(cells, "figures", None)
        with ThreadPoolExecutor(options.threads) as pool:
            list(pool.map(self.one, range(options.seed, options.seed + options.cases)))
        differ = sum(self.wrong.values())
        for name, count in sorted(self.cases.items()):
            print(f"{name:<26} {count:>7} cases")
        for area, count in sorted(self.areas.items()):
            print(f"{area:<26} {count:>7} cells, {self.wrong.pop(area, 0)} differ")
        for area, count in self.wrong.items():
            print(f"{area:<26} {count:>7} cases")
        print(f"{options.cases} cases from seed {options.seed}: "
              f"{sum(self.areas.values())} cells compared, {differ} differ")
        return differ == 0


def plain(value):
    """A value as it is printed."""
    return format(value, "f") if isinstance(value, Decimal) else value


def main():
    """Reads the options and runs."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--origin", required=True, help="origin of the server")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--cases", type=int, default=1000)
    parser.add_argument("--threads", type=int, default=3)
    parser.add_argument("--show", type=int, default=5, help="cases whose differences are printed")
    options = parser.parse_args()
    sys.exit(0 if Work(options).run() else 1)


if __name__ == "__main__":
    main()
