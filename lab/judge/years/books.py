"""A second, small general ledger: postings and boxes of the VAT return, from inputs only."""

from collections import defaultdict
from datetime import date, timedelta

from money import last_day, month_of, months_of, period_of, periods

# Accounts of VAT that is due and of input VAT, which the balance sheet shows in one line.
VAT_ACCOUNTS = ("1500", "1510", "1520", "1700", "1710", "1720", "1730", "1740", "1750", "1760")
# Boxes whose VAT is due, those with turnover only, and input VAT.
DUE = ("1a", "1b", "1c", "1d", "2a", "4a", "4b")
TURNOVER_ONLY = ("1e", "3a", "3b", "3c")
FORM = ("1a", "1b", "1c", "1d", "1e", "2a", "3a", "3b", "3c", "4a", "4b", "5a", "5b", "5g")


class Books:
    """Postings of an account, and the boxes in which they are declared."""

    def __init__(self, unit="quarter"):
        self.unit = unit
        self.lines = []
        self.boxes = defaultdict(lambda: [0, 0])
        self.filed = {}
        # VAT of the corrections of each filed period.
        self.corrected = defaultdict(int)

    def post(self, day, *lines, vat_day=None):
        """Posts lines of account and amount; debit is positive.

        VAT of a period that is filed is a correction: it stays on 1785 until the first open period.
        """
        assert sum(amount for _, amount in lines) == 0, (day, lines)
        vat_day = vat_day or day
        carried = self.carried(vat_day)
        for account, amount in lines:
            if not amount:
                continue
            if account in VAT_ACCOUNTS and carried != vat_day:
                self.corrected[period_of(vat_day, self.unit)] += amount
                self.lines.append((day, "1785", amount, vat_day))
                self.lines.append((carried, "1785", -amount, carried))
                self.lines.append((carried, account, amount, carried))
            else:
                self.lines.append((day, account, amount, vat_day))

    def carried(self, day):
        """Day on which the boxes of a day are declared: its own, or that of a correction."""
        if day == date.max or period_of(day, self.unit) not in self.filed:
            return day
        while period_of(day, self.unit) in self.filed:
            day = last_day(period_of(day, self.unit)) + timedelta(days=1)
        return day

    def declare(self, day, box, base, vat=0):
        """Adds amounts to a box in the month of a day."""
        if box:
            day = self.carried(day)
            sums = self.boxes[month_of(day), box]
            sums[0] += base
            sums[1] += vat

    def balances(self, until=date.max):
        """Balance of each account at the end of a day; credit is negative."""
        sums = defaultdict(int)
        for day, account, amount, _ in self.lines:
            if day <= until:
                sums[account] += amount
        return {account: amount for account, amount in sums.items() if amount}

    def moved(self, first, until):
        """Balance of each account from a day to another."""
        sums = defaultdict(int)
        for day, account, amount, _ in self.lines:
            if first <= day <= until:
                sums[account] += amount
        return {account: amount for account, amount in sums.items() if amount}

    def box(self, period, box):
        """Turnover and VAT of a box in a period."""
        months = months_of(period)
        parts = [self.boxes.get((month, box), (0, 0)) for month in months]
        return sum(part[0] for part in parts), sum(part[1] for part in parts)

    def vat_return(self, period):
        """Boxes of a return: turnover, VAT, and both in whole euros as declared.

        Taxpayers may round in their favour: turnover and VAT due down, input VAT up.
        """
        rows = {}
        due = declared = 0
        for box in DUE + TURNOVER_ONLY:
            base, vat = self.box(period, box)
            if box in DUE:
                rows[box] = (base, vat, base // 100, vat // 100)
                due += vat
                declared += vat // 100
            else:
                rows[box] = (base, None, base // 100, None)
        _, deducted = self.box(period, "5b")
        up = -(-deducted // 100)
        rows["5a"] = (None, due, None, declared)
        rows["5b"] = (None, deducted, None, up)
        rows["5g"] = (None, due - deducted, None, declared - up)
        return rows

    def file(self, period):
        """Files a return: its VAT moves to 1780 in whole euros, and the difference to 4990."""
        day = last_day(period)
        sums = defaultdict(int)
        for _, account, amount, vat_day in self.lines:
            if account in VAT_ACCOUNTS and period_of(vat_day, self.unit) == period:
                sums[account] += amount
        declared = self.vat_return(period)["5g"][3] * 100
        lines = [(account, -amount) for account, amount in sums.items()]
        rest = -sum(amount for _, amount in lines) + declared
        self.post(day, *lines, ("1780", -declared), ("4990", rest), vat_day=date.max)
        self.filed[period] = declared

    def open_vat(self, until):
        """VAT that is to be paid at the end of a day, as one amount; negative if receivable."""
        sums = self.balances(until)
        return -sum(sums.get(account, 0) for account in VAT_ACCOUNTS + ("1780", "1785"))

    def periods(self, year):
        """Periods of a year."""
        return periods(year, self.unit)
