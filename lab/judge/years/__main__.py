"""Recomputes random years of books by the law, and compares every cell with the API."""

import argparse
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from datetime import date
import random
import sys
import threading
import traceback

import compare
import year_end
from client import Client, Program, Refused
from judges import Judges
from money import euros, percent
from plan import YEAR, Year
from switches import SWITCHES, of_year


def replace(value, ids):
    """A body in which names are replaced by ids of the server."""
    if isinstance(value, dict):
        return {name: replace(each, ids) for name, each in value.items()}
    if isinstance(value, list):
        return [replace(each, ids) for each in value]
    if isinstance(value, str) and value.startswith("{"):
        return ids[value[1:-1]]
    return value


def closing(cells, client, year, ids):
    """Does the steps that close the year, and compares what they would book before."""
    books, sales, purchases = year.books, year.sales, year.purchases
    last = date(YEAR, 12, 31)
    steps = {row["step"]: row for row in client.all(f"/years/{YEAR}/closing-steps")}
    if purchases.assets:
        expected = purchases.depreciate(last)
        actual = compare.cents(steps["depreciation"]["amount"])
        cells.cell("steps", "depreciation", expected, actual)
        if expected:
            client.post(f"/years/{YEAR}/closing-steps/depreciation")
    rows = year_end.cut_off(sales, purchases, year.unbilled, YEAR)
    compare.cut_off(cells, steps["cutOff"], rows, ids)
    if any(abs(row[3]) >= 10_000 for row in rows):
        client.post(f"/years/{YEAR}/closing-steps/cutOff")
        year_end.book_cut_off(books, rows, YEAR)
    if "goods" in year.on:
        goods(cells, client, year)
    if "revision" in year.on:
        expected = year_end.revision(sales, purchases, YEAR)
        compare.revision(cells, client.get(f"/vat-revisions/{YEAR}"), expected, ids)
        if expected[2] and not expected[3]:
            client.post(f"/vat-revisions/{YEAR}")
            year_end.book_revision(books, expected[2], YEAR)


def goods(cells, client, year):
    """Books goods for private use by the step of the year's end."""
    if year.purchases.is_kor(date(YEAR, 12, 31)):
        return
    rows, total = [], 0
    for _ in range(year.random.randint(1, 2)):
        base, rate = year.random.randint(100, 50_000), year.random.choice(("21", "9"))
        vat = percent(base, rate)
        rows.append({"description": "Goederen", "base": euros(base), "vatRate": int(rate)})
        year.purchases.private_goods(date(YEAR, 12, 31), base, vat)
        total += base + vat
    path = f"/years/{YEAR}/closing-steps/goodsPrivateUse"
    answer = client.post(path, {"rows": rows})
    cells.cell("steps", "goodsPrivateUse", total, compare.cents(answer["amount"]))


def run(seed, only, client, key, judges):
    """Draws a year, sends it, and compares it; returns the cells."""
    cells = compare.Cells()
    year = Year(seed, of_year(seed, only))
    client.with_key(key)
    ids = {}
    for method, path, body, ident in year.script:
        while "{" in path:
            name = path[path.index("{") + 1 : path.index("}")]
            path = path.replace("{%s}" % name, str(ids[name]))
        answer = client.call(method, path, replace(body, ids))
        if ident:
            ids[ident] = answer["id"]
    closing(cells, client, year, ids)
    books = year.books
    if "filed" in year.on:
        for period in books.periods(YEAR):
            if period in books.filed:
                continue
            lists = "icpFiled" in year.on
            client.post(f"/vat-returns/{period}/file", {"icp": lists})
            books.file(period)
            if lists:
                year.sales.file_lists(period)
    compare.returns(cells, client, books, YEAR)
    compare.icp(cells, client, year.sales, YEAR)
    compare.kor(cells, client, year.sales, YEAR)
    compare.oss(cells, client, year.sales, YEAR)
    compare.invoices(cells, client, year.sales, ids)
    compare.summary(cells, client, books, YEAR)
    compare.reconciliation(cells, client, books, year.vat_paid, YEAR)
    entries = compare.trial_balance(cells, client, books, YEAR)
    if judges is not None:
        judges.judge(cells, client, entries, (YEAR - 1, YEAR, YEAR + 1))
    return cells


class Work:
    """Runs years on several threads and prints the outcome."""

    def __init__(self, options):
        self.options = options
        self.program = Program(options.binary, options.database)
        self.judges = Judges() if options.judges else None
        self.local = threading.local()
        self.lock = threading.Lock()
        self.cells = self.years = self.wrong = 0
        self.areas = Counter()
        self.kinds = Counter()
        self.shown = 0

    def one(self, seed):
        """Runs a year."""
        if not hasattr(self.local, "client"):
            self.local.client = Client(self.options.origin)
        try:
            key = self.program.open_account(f"year{seed}-{random.getrandbits(40)}@example.com")
            cells = run(seed, self.options.only, self.local.client, key, self.judges)
            areas, differences = cells.by_area, cells.differences
        except Refused as refused:
            areas, differences = {}, [("refused", str(refused)[:900], None, None)]
        except Exception:  # a fault of the oracle, which is reported like a difference
            areas, differences = {}, [("failed", traceback.format_exc(), None, None)]
            self.local.client = Client(self.options.origin)
        with self.lock:
            self.years += 1
            self.areas.update(areas)
            self.cells += sum(areas.values())
            self.wrong += len(differences)
            self.kinds.update(area for area, *_ in differences)
            if self.years % 100 == 0:
                print(f"{self.years} years: {self.cells} cells, {self.wrong} differ", flush=True)
            if differences and self.shown < self.options.show:
                self.shown += 1
                names = sorted(of_year(seed, self.options.only))
                print(f"seed {seed} ({' '.join(names)}): {len(differences)} differences")
                for area, name, expected, actual in differences[:6]:
                    print(f"  {area}: {name}: expected {expected}, actual {actual}", flush=True)

    def run(self):
        """Runs all years; returns whether nothing differs."""
        options = self.options
        seeds = range(options.seed, options.seed + options.years)
        with ThreadPoolExecutor(options.threads) as pool:
            list(pool.map(self.one, seeds))
        found = self.program.verify() if options.verify else None
        for area, count in sorted(self.areas.items()):
            print(f"{area:<10} {count:>9} cells, {self.kinds.pop(area, 0)} differ")
        for area, count in self.kinds.items():
            print(f"{area:<10} {count:>9} years")
        said = "" if found is None else f"; verify: {found} discrepancies"
        print(f"{self.years} years from seed {options.seed}: {self.cells} cells compared, "
              f"{self.wrong} differ{said}")
        return self.wrong == 0 and not found


def main():
    """Reads the options and runs."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--origin", required=True, help="origin of the server")
    parser.add_argument("--binary", required=True, help="the program, for accounts and verify")
    parser.add_argument("--database", required=True, help="URL of the server's database")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--years", type=int, default=100)
    parser.add_argument("--threads", type=int, default=3)
    parser.add_argument("--show", type=int, default=5, help="years whose differences are printed")
    parser.add_argument(
        "--only", nargs="*", choices=sorted(SWITCHES), metavar="SWITCH",
        help="switches [default: a random half of all]: "
        + "; ".join(f"{name}: {about}" for name, about in SWITCHES.items()),
    )
    parser.add_argument(
        "--judges", action="store_true",
        help="let hledger read the journal, and the schemas and pyxaf the audit files",
    )
    parser.add_argument("--no-verify", dest="verify", action="store_false")
    options = parser.parse_args()
    sys.exit(0 if Work(options).run() else 1)


if __name__ == "__main__":
    main()
