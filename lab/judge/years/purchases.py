"""Purchases by the law: expenses, assets with their depreciation, and private use."""

from datetime import date

from books import VAT_ACCOUNTS
from money import half, month_end, percent, vat_within

SOURCES = {"bank": "1100", "cash": "1000", "card": "1120", "private": "0510", "unpaid": "1600"}
# Account of the VAT that is due by the buyer, and its box.
SHIFTED = {
    "reverseCharge": ("1740", "2a"),
    "eu": ("1760", "4b"),
    "import": ("1750", "4a"),
}
INPUT = {"21": "1500", "9": "1510"}
MEALS = "4315"


class Asset:
    """An asset in use."""

    def __init__(self, ident, op, cost, vat, deducted):
        self.id, self.date = ident, op["date"]
        self.cost, self.vat, self.deducted = cost, vat, deducted
        self.residual, self.life = op["residual"], op["life"]
        self.booked = 0
        self.disposed = None
        self.proceeds = 0

    def depreciation(self, until):
        """Depreciation up to the end of the month of a day."""
        months = 12 * (until.year - self.date.year) + until.month - self.date.month + 1
        months = max(0, min(months, 12 * self.life))
        return half((self.cost - self.residual) * months, 12 * self.life)


class Purchases:
    """Books purchases."""

    def __init__(self, books):
        self.books = books
        self.schemes = []
        self.expenses = {}
        self.assets = {}

    def is_kor(self, day):
        """Whether the small businesses scheme applies on a day."""
        applies = False
        for begin, kor in self.schemes:
            if begin <= day:
                applies = kor
        return applies

    def expense(self, ident, op):
        """Books an expense: cost, VAT and the private part."""
        posted, paid = [], 0
        costs = {}
        for line in op["lines"]:
            cost = self.line(op, line, posted)
            costs[line["category"]] = costs.get(line["category"], 0) + cost[0]
            paid += cost[1]
        posted.append((SOURCES[op["paid_from"]], -paid))
        self.books.post(op["date"], *posted)
        self.expenses[ident] = {"op": op, "costs": costs, "due": paid}

    def deducted(self, op):
        """VAT that an expense deducts, less the VAT that it makes due."""
        posted = []
        for line in op["lines"]:
            self.line(op, line, posted, declares=False)
        return sum(amount for account, amount in posted if account in VAT_ACCOUNTS)

    def line(self, op, line, posted, declares=True):
        """Posts a line; returns its cost and the amount paid."""
        share, day, treatment = op.get("share", 100), op["date"], line["treatment"]
        amount, rate = line["amount"], line.get("rate")
        vat = 0
        if treatment == "normal" and line.get("includes"):
            vat = vat_within(amount, rate)
            amount -= vat
        elif treatment == "importVatPaid":
            vat = line["vat"]
        elif treatment != "none":
            vat = percent(amount, rate)
        deducts = not self.is_kor(day) and line["category"] != MEALS
        deducted = percent(vat, share) if deducts else 0
        # VAT that is not deducted is part of the cost, in one amount with what the supplier charges.
        cost = percent(amount, share)
        if not deducts and treatment in SHIFTED:
            cost += percent(vat, share)
        elif not deducts:
            cost = percent(amount + vat, share)
        if treatment in SHIFTED:
            account, box = SHIFTED[treatment]
            if declares:
                self.books.declare(day, box, amount, vat)
            posted += [("1520", deducted), (account, -vat)]
            paid = amount
        else:
            account = INPUT.get(rate, "1500")
            posted.append((account, deducted))
            paid = amount + vat
        if declares:
            self.books.declare(day, "5b", 0, deducted)
        private = amount + vat - cost - deducted
        posted += [(line["category"], cost), ("0520", private)]
        return cost, paid

    def pay(self, ident, on, amount, method):
        """Pays a bill, or a part of it."""
        self.expenses[ident]["due"] -= amount
        self.books.post(on, ("1600", amount), (SOURCES[method], -amount))

    # Assets

    def asset(self, ident, op):
        """Buys an asset."""
        vat = percent(op["cost"], "21")
        kor = self.is_kor(op["date"])
        deducted = 0 if kor else vat
        cost = op["cost"] + vat - deducted
        self.books.declare(op["date"], "5b", 0, deducted)
        self.books.post(
            op["date"], ("0200", cost), ("1500", deducted),
            (SOURCES[op["paid_from"]], -op["cost"] - vat),
        )
        self.assets[ident] = Asset(ident, op, cost, vat, deducted)

    def depreciate(self, until):
        """Depreciates all assets up to the end of a month; returns the total."""
        total = 0
        for asset in self.assets.values():
            if asset.date > until or asset.disposed:
                continue
            # Each year bears its own depreciation, on its last day.
            for year in range(asset.date.year, until.year + 1):
                day = min(until, date(year, 12, 31))
                amount = asset.depreciation(day) - asset.booked
                if amount > 0:
                    asset.booked += amount
                    total += amount
                    self.books.post(day, ("4500", amount), ("0210", -amount))
        return total

    def dispose(self, ident, on, proceeds, rate):
        """Sells an asset, or writes it off."""
        asset = self.assets[ident]
        vat = percent(proceeds, rate)
        asset.disposed, asset.proceeds = on, proceeds
        if not self.is_kor(on) and proceeds:
            self.books.declare(on, "1a", proceeds, vat)
        value = asset.cost - asset.booked
        self.books.post(
            on, ("1100", proceeds + vat), ("1700", -vat), ("0210", asset.booked),
            ("0200", -asset.cost), ("4530", value - proceeds),
        )
        if proceeds:
            self.revise_sold(asset, on, rate)

    def revise_sold(self, asset, on, rate):
        """A sale revises all years that are left at once (art. 13a Uitvoeringsbeschikking).

        The asset counts as used for taxed supplies to the end if the sale is taxed, else for exempt
        ones.
        """
        # The year of first use is revised by the turnover of that year (art. 12(3)).
        left = min(4, 5 - (on.year - asset.date.year))
        if left <= 0:
            return
        deducted_after = asset.vat if rate != "0" else 0
        due = half((asset.deducted - deducted_after) * left, 5)
        self.books.declare(on, "5b", 0, -due)
        self.books.post(on, ("4450", due), ("1500", -due))

    # Private use

    def private_car(self, on, vat, addition):
        """Private use of a car: VAT is a cost, the addition to the profit takes costs away."""
        if self.is_kor(on):
            vat = 0
        self.books.declare(on, "1d", half(vat * 100, 21), vat)
        self.books.post(
            on, ("4240", vat), ("1730", -vat), ("0550", addition), ("4230", -addition)
        )

    def private_goods(self, on, base, vat):
        """Private use of goods (art. 3(3)(a) Wet OB 1968)."""
        if self.is_kor(on):
            vat = 0
        else:
            self.books.declare(on, "1d", base, vat)
        self.books.post(on, ("0550", base + vat), ("8900", -base), ("1730", -vat))


def month_before(day):
    """Last day of the month before that of a day."""
    return month_end(date(day.year - (day.month == 1), (day.month - 2) % 12 + 1, 1))
