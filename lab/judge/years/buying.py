"""Purchases of a random year: expenses, assets and private use."""

from datetime import date, timedelta
from decimal import Decimal

from money import euros
from purchases import month_before


class Buying:
    """Plans purchases and what happens to them."""

    def expense(self, day, period=False):
        """Makes an expense, and pays the bill later if it is one."""
        op = self.draw.expense(day, period, self.purchases.is_kor(day))
        if "corrections" in self.on and self.chance(0.3):
            # The bill is found some time later.
            found = day + timedelta(days=self.random.randint(20, 100))
            self.at(found, lambda: self.book_expense(op, day, period))
        else:
            self.book_expense(op, day, period)

    def book_expense(self, op, day, period):
        """Books an expense, and pays the bill later if it is one."""
        ident = self.name("e")
        items = []
        for line in op["lines"]:
            item = {
                "category": line["category"], "vatTreatment": line["treatment"],
                "amount": euros(line["amount"]),
            }
            if line.get("includes"):
                item["includesVat"] = True
            if line.get("rate"):
                item["vatRate"] = Decimal(line["rate"])
            if "vat" in line:
                item["vat"] = euros(line["vat"])
            items.append(item)
        body = {
            "externalId": ident, "date": day, "supplier": "Groothandel", "items": items,
            "paidFrom": op["paid_from"], "businessShare": op["share"],
        }
        if period:
            body["periodFrom"], body["periodUntil"] = op["period"]
        if not self.correct(body, day, -self.purchases.deducted(op)):
            return
        self.command("/expenses", body, ident)
        self.purchases.expense(ident, op)
        if op["paid_from"] == "unpaid" and self.chance(0.7):
            later = self.day(day, min(date(self.year + 1, 2, 10), day + timedelta(days=90)))
            self.at(max(later, self.now), lambda: self.pay_bill(ident, max(later, self.now)))

    def pay_bill(self, ident, day):
        """Pays a bill, or a part of it."""
        due = self.purchases.expenses[ident]["due"]
        amount = self.random.randint(1, due) if self.chance(0.3) else due
        body = {"date": day, "amount": euros(amount), "method": "bank"}
        self.command("/expenses/{%s}/payments" % ident, body)
        self.purchases.pay(ident, day, amount, "bank")

    def asset(self, day):
        """Buys an asset, and perhaps sells it."""
        op = self.draw.asset(day)
        ident = self.name("a")
        body = {
            "externalId": ident, "date": day, "description": "Camera", "cost": euros(op["cost"]),
            "residualValue": euros(op["residual"]), "lifeYears": op["life"], "vatRate": 21,
            "paidFrom": op["paid_from"],
        }
        self.command("/assets", body, ident)
        self.purchases.asset(ident, op)
        if "sales" in self.on and self.chance(0.3) and day < date(self.year, 11, 1):
            sold = self.day(max(day, date(self.year, 1, 1)) + timedelta(days=20))
            self.at(sold, lambda: self.dispose(ident, sold))

    def dispose(self, ident, day):
        """Depreciates an asset up to the month before its sale, and sells it."""
        until = month_before(day)
        if until >= self.purchases.assets[ident].date:
            self.command("/assets/depreciate", {"until": until})
            self.purchases.depreciate(until)
        proceeds = self.random.choice((0, self.random.randint(1, 150_000)))
        rate = "0" if self.purchases.is_kor(day) else "21"
        body = {"date": day, "proceeds": euros(proceeds), "vatRate": Decimal(rate)}
        self.command("/assets/{%s}/dispose" % ident, body)
        self.purchases.dispose(ident, day, proceeds, rate)

    def private(self, day):
        """Books private use of a car and of goods."""
        kor = self.purchases.is_kor(day)
        if self.chance(0.6):
            vat, addition = self.random.randint(100, 200_000), self.random.randint(0, 900_000)
            body = {"date": day, "kind": "car", "vat": euros(vat), "base": euros(addition)}
            if kor:
                del body["vat"]
                addition = max(addition, 1)
                body["base"] = euros(addition)
            self.command("/private-use", body)
            self.purchases.private_car(day, 0 if kor else vat, addition)
        if self.chance(0.6):
            base = self.random.randint(100, 90_000)
            vat = self.random.choice((base * 9 // 100, base * 21 // 100))
            body = {"date": day, "kind": "goods", "vat": euros(vat), "base": euros(base)}
            if kor or not vat:
                vat = 0
                del body["vat"]
            self.command("/private-use", body)
            self.purchases.private_goods(day, base, vat)
