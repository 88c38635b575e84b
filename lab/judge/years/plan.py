"""Draws a random year: commands for the API, and the same events for the oracle."""

from datetime import date, timedelta
from decimal import Decimal
import heapq
import random

from books import Books
from buying import Buying
from draw import Draw
from extras import Extras
from lists import KOR_LIMIT, kor
from money import euros, last_day, period_of
from purchases import Purchases
from sales import Sales
from supplies import Key, Line, totals, vat_day

YEAR = 2025


class Year(Buying, Extras):
    """A random year of books."""

    year = YEAR

    def __init__(self, seed, switches):
        self.random = random.Random(seed)
        self.on = switches
        self.script = []
        self.queue = []
        self.count = 0
        self.draw = Draw(self.random, switches)
        self.books = Books(self.draw.unit())
        self.sales = Sales(self.books)
        self.purchases = Purchases(self.books)
        self.now = date(YEAR, 1, 1)
        # Amounts of hours that are not invoiced, by project, and payments of VAT.
        self.unbilled = {}
        self.vat_paid = []
        self.settings()
        self.plan()
        self.plan_extras(YEAR)
        while self.queue:
            self.now, _, act = heapq.heappop(self.queue)
            act()
        if "switched" in self.on and "corrections" not in self.on:
            # The method is recorded after the documents, which are booked again.
            late = [each for each in self.script if each[1] == "/vat-accounting"]
            self.script = [each for each in self.script if each not in late] + late
            # The scheme is recorded after the expenses, which are booked again.
            early = [each for each in self.script if self.is_purchase(each)]
            self.script = early + [each for each in self.script if each not in early]

    @staticmethod
    def is_purchase(command):
        """Whether a command buys something, or pays for it."""
        return command[1].startswith("/expenses") or command[1] == "/assets"

    # Script

    def command(self, path, body, ident=None, method="POST"):
        """Adds a command; `{name}` in its path is replaced by an id of the server."""
        self.script.append((method, path, body, ident))

    def at(self, day, act):
        """Plans an event for a day."""
        self.count += 1
        heapq.heappush(self.queue, (day, self.count, act))

    def name(self, prefix):
        """A new name."""
        self.count += 1
        return f"{prefix}{self.count}"

    def chance(self, probability):
        """Whether an event of a probability happens."""
        return self.random.random() < probability

    def day(self, first=date(YEAR, 1, 1), last=date(YEAR, 12, 31)):
        """A random day."""
        return first + timedelta(days=self.random.randint(0, max(0, (last - first).days)))

    # Settings

    def settings(self):
        """Unit, cash accounting, scheme and registration, before any document."""
        if self.books.unit != "quarter":
            body = {"unit": self.books.unit, "from": date(YEAR, 1, 1)}
            self.command("/vat-periods", body)
        starts = [date(YEAR, int(p[5:7] if "Q" not in p else 3 * int(p[-1]) - 2), 1)
                  if len(p) > 4 else date(YEAR, 1, 1) for p in self.books.periods(YEAR)]
        if "cash" in self.on:
            begin = starts[0] if self.chance(0.6) else self.random.choice(starts)
            self.sales.methods.append((begin, True))
            body = {"method": "cash", "from": begin, "ground": "listedTrade"}
            self.command("/vat-accounting", body)
            later = [day for day in starts if day > begin]
            if later and self.chance(0.5):
                end = self.random.choice(later)
                self.sales.methods.append((end, False))
                self.command("/vat-accounting", {"method": "invoice", "from": end})
                self.at(end, lambda: self.sales.end_cash(end))
        if "kor" in self.on:
            self.kor(starts)
        if "oss" in self.on:
            begin = self.random.choice([date(YEAR, 1, 1), date(YEAR, 4, 1), date(YEAR, 7, 1)])
            self.command("/oss", {"from": begin, "ground": "choice"})
            self.draw.oss_from = begin
        if "corrections" in self.on:
            for period in self.books.periods(YEAR)[:-1]:
                day = last_day(period) + timedelta(days=self.random.randint(1, 30))
                self.at(day, lambda period=period: self.file(period))

    def kor(self, starts):
        """Begins the small businesses scheme, and perhaps ends it."""
        begin = starts[0] if self.chance(0.6) else self.random.choice(starts)
        self.purchases.schemes.append((begin, True))
        self.command("/vat-scheme", {"scheme": "kor", "from": begin})
        quarters = [date(YEAR, month, 1) for month in (4, 7, 10)]
        later = [day for day in quarters if day > begin]
        if later and self.chance(0.5):
            end = self.random.choice(later)
            self.purchases.schemes.append((end, False))
            self.command("/vat-scheme", {"scheme": "normal", "from": end})

    def file(self, period):
        """Files a return before the next documents."""
        lists = "icpFiled" in self.on
        self.command(f"/vat-returns/{period}/file", {"icp": lists})
        self.books.file(period)
        if lists:
            self.sales.file_lists(period)

    # Events

    def plan(self):
        """Draws the documents of the year and their days."""
        for _ in range(self.random.randint(4, 12)):
            day = self.day()
            self.at(day, lambda day=day: self.invoice(day))
        if "late" in self.on:
            for _ in range(self.random.randint(1, 3)):
                day = self.day(date(YEAR + 1, 1, 1), date(YEAR + 1, 2, 10))
                self.at(day, lambda day=day: self.invoice(day, late=True))
        if "expenses" in self.on:
            for _ in range(self.random.randint(2, 8)):
                day = self.day()
                self.at(day, lambda day=day: self.expense(day))
        if "cutOff" in self.on:
            for _ in range(self.random.randint(1, 3)):
                day = self.day(date(YEAR, 6, 1), date(YEAR + 1, 2, 10))
                self.at(day, lambda day=day: self.expense(day, period=True))
        if "assets" in self.on:
            for _ in range(self.random.randint(1, 3)):
                first = date(YEAR - 4, 1, 1) if "revision" in self.on else date(YEAR, 1, 1)
                day = self.day(first)
                self.at(day, lambda day=day: self.asset(day))
        if "private" in self.on:
            self.at(date(YEAR, 12, 31), lambda: self.private(date(YEAR, 12, 31)))
        if "prepay" in self.on:
            for _ in range(self.random.randint(1, 3)):
                day = self.day(last=date(YEAR, 11, 30))
                self.at(day, lambda day=day: self.prepay(day))

    def invoice(self, day, late=False):
        """Makes an invoice and plans what happens to it."""
        op = self.draw.invoice(day, late, self.purchases.is_kor, self.sales.is_cash)
        if op is None:
            return
        ident = self.name("i")
        lines = [Line(quantity, price, key) for quantity, price, key in op["lines"]]
        if not sum(line.amount for line in lines) > 0:
            return
        if self.passes_kor(op, lines):
            lines = self.pass_limit(op, lines)
            if lines is None:
                return
        body = self.body(op, ident)
        if not self.correct(body, self.vat_day_of(op, lines), self.vat_of(op, lines)):
            return
        # The additional line of a draft could pass the limit of the small businesses scheme.
        edits = "edits" in self.on and not self.purchases.schemes and "correction" not in body
        if edits and self.chance(0.3):
            self.edit(body, op, ident)
        else:
            self.command("/invoices", body, ident)
        invoice = self.sales.invoice(ident, op, lines)
        if not op["draft"]:
            self.paid_before(invoice, day)
        self.sales.leave(invoice, op["date"])
        if not op["draft"]:
            self.follow(invoice, day)

    def pass_limit(self, op, lines):
        """Makes the supply that passes the limit a taxed one, which ends the scheme on its day."""
        day = op["date"]
        dated = [each["op"]["date"] for each in self.purchases.expenses.values()]
        dated += [asset.date for asset in self.purchases.assets.values()]
        sales = [each.supply_day for each in self.sales.invoices.values()]
        plain = not op["from"] and not op["gross"] and not op["draft"] and day.year == YEAR
        if "korPass" not in self.on or not plain or max(dated + sales, default=day) > day:
            return None
        if day in dated or any(line.key.category != "exempt" for line in lines):
            return None
        if self.books.carried(day) != day:
            return None
        taxed = Key("21", "standard")
        op["lines"] = [(quantity, price, taxed) for quantity, price, _ in op["lines"]]
        self.purchases.schemes.append((day, False))
        self.purchases.schemes.sort()
        return [Line(*line) for line in op["lines"]]

    def edit(self, body, op, ident):
        """Makes an invoice as a draft with another line and customer, and edits it."""
        del op
        other = dict(body, status="draft")
        extra = dict(body["items"][0], unitPrice=body["items"][0]["unitPrice"] + 1)
        other["items"] = [extra] + body["items"]
        self.command("/invoices", other, ident)
        change = {"items": body["items"], "status": body["status"]}
        self.command("/invoices/{%s}" % ident, change, None, "PATCH")

    @staticmethod
    def vat_day_of(op, lines):
        """Day of the VAT of an invoice."""
        return vat_day(op["date"], op["until"] or op["from"], [line.key for line in lines])

    @staticmethod
    def vat_of(op, lines):
        """Dutch VAT of an invoice."""
        groups = totals([(line.key, line.amount) for line in lines], op["gross"])
        return sum(group.vat for key, group in groups.items() if key.pays)

    def correct(self, body, day, vat):
        """Marks a body as a correction if its period is filed; returns whether it may be made.

        The corrections of a period may not be more than € 1 000.
        """
        if self.books.carried(day) == day:
            return True
        body["correction"] = True
        corrected = self.books.corrected[period_of(day, self.books.unit)]
        return abs(corrected - vat) <= 100_000

    def passes_kor(self, op, lines):
        """Whether an invoice would pass the limit of the small businesses scheme."""
        day = op["until"] or op["from"] or op["date"]
        if not self.purchases.is_kor(day):
            return False
        _, counted = kor(self.sales.supplied, day.year)
        return counted + sum(line.amount for line in lines) > KOR_LIMIT

    def body(self, op, ident):
        """Body of the request for an invoice."""
        items = []
        for quantity, price, key in op["lines"]:
            item = {
                "description": "Werk", "quantity": quantity, "unitPrice": price,
                "vatRate": Decimal(key.rate), "vatCategory": key.category, "supply": key.supply,
            }
            if key.exemption:
                item["exemption"] = key.exemption
            items.append(item)
        customer = {k: v for k, v in op["customer"].items() if k != "consumer"}
        body = {
            "externalId": ident, "invoiceDate": op["date"], "customer": customer, "items": items,
            "status": "draft" if op["draft"] else "sent",
        }
        if op["gross"]:
            body["pricesIncludeVat"] = True
        if op["from"]:
            body["supplyDate"] = op["from"]
        if op["until"]:
            body["supplyUntil"] = op["until"]
        if op.get("prepayment"):
            body["prepayment"] = True
        if op.get("set_off"):
            body["prepaymentInvoiceIds"] = ["{%s}" % name for name in op["set_off"]]
        return body

    def paid_before(self, invoice, day):
        """Pays an invoice, or a part of it, before its date."""
        if "corrections" in self.on:
            return
        if "before" in self.on and self.chance(0.3) and day.year == YEAR:
            early = day - timedelta(days=self.random.randint(20, 120))
            if early.year == YEAR and all(key.pays for key in invoice.groups):
                self.pay(invoice.id, early, self.chance(0.5))

    def follow(self, invoice, day):
        """Plans payments, credit notes and write-offs of an invoice."""
        ident, last = invoice.id, date(YEAR + 1, 2, 20)
        fate = self.random.random()
        days = sorted(self.day(day, min(last, day + timedelta(days=200))) for _ in range(3))
        if fate < 0.15:
            return
        if "surplus" in self.on and fate < 0.3:
            self.at(days[0], lambda: self.pay(ident, days[0], True))
            self.at(days[1], lambda: self.overpay(ident, days[1]))
            self.at(days[2], lambda: self.refund(ident, days[2]))
            return
        if fate < 0.6:
            self.at(days[0], lambda: self.pay(ident, days[0], self.chance(0.4)))
            self.at(days[1], lambda: self.pay(ident, days[1], self.chance(0.2)))
        elif "credits" in self.on and fate < 0.85:
            if self.chance(0.6):
                self.at(days[0], lambda: self.pay(ident, days[0], self.chance(0.5)))
            self.at(days[1], lambda: self.credit(ident, days[1]))
            self.at(days[2], lambda: self.refund(ident, days[2]))
        elif "writeOffs" in self.on:
            if self.chance(0.6):
                self.at(days[0], lambda: self.pay(ident, days[0], True))
            self.at(days[1], lambda: self.write_off(ident, days[1]))
            if self.chance(0.4):
                self.at(days[2], lambda: self.pay(ident, days[2], self.chance(0.5)))
        else:
            self.at(days[0], lambda: self.pay(ident, days[0], False))

    def pay(self, ident, day, part=False):
        """Pays an invoice, or a part of it."""
        invoice = self.sales.invoices[ident]
        owed = max(invoice.balance, 0) + invoice.written
        if owed <= 0:
            return
        amount = self.random.randint(1, owed) if part else owed
        method = self.random.choice(("bank", "cash", "ideal"))
        name = self.name("p")
        body = {"date": day, "amount": euros(amount), "method": method}
        self.command("/invoices/{%s}/payments" % ident, body, name)
        self.sales.pay(ident, day, amount, method, name)
        if "undo" in self.on and self.chance(0.3):
            later = self.now + timedelta(days=self.random.randint(1, 40))
            if later < date(YEAR + 1, 2, 20):
                self.at(later, lambda: self.undo_payment(ident, name, later))
                again = later + timedelta(days=5)
                self.at(again, lambda: self.pay(ident, again, self.chance(0.4)))

    def refund(self, ident, day):
        """Pays back what a customer is owed, or a part of it."""
        invoice = self.sales.invoices[ident]
        owed = max(-invoice.balance, 0)
        if not owed:
            return
        amount = self.random.randint(1, owed) if self.chance(0.3) else owed
        body = {"date": day, "amount": -euros(amount), "method": "bank"}
        name = self.name("p")
        self.command("/invoices/{%s}/payments" % ident, body, name)
        self.sales.pay(ident, day, -amount, "bank", name)

    def credit(self, ident, day):
        """Credits an invoice as a whole, or some of its lines."""
        invoice = self.sales.invoices[ident]
        if invoice.remaining <= 0 or invoice.written or invoice.set_off:
            return
        items = None
        if self.chance(0.6) and not invoice.prepayment:
            items = []
            for index, line in enumerate(invoice.lines):
                if self.chance(0.7) and line.quantity >= 1:
                    items.append((index, Decimal(self.random.randint(1, int(line.quantity)))))
            items = items or None
        body = {"date": day, "reason": "Retour"}
        if items:
            body["items"] = [self.credited(invoice.lines[index], n) for index, n in items]
        self.command("/invoices/{%s}/credit-notes" % ident, body, self.name("c"))
        self.sales.credit(ident, day, items)

    @staticmethod
    def credited(line, quantity):
        """Item of a credit note."""
        item = {
            "description": "Werk", "quantity": quantity, "unitPrice": line.price,
            "vatRate": Decimal(line.key.rate), "vatCategory": line.key.category,
            "supply": line.key.supply,
        }
        if line.key.exemption:
            item["exemption"] = line.key.exemption
        if line.key.country:
            item["taxCountry"] = line.key.country
        return item

    def write_off(self, ident, day):
        """Writes an invoice off, or a part of it."""
        invoice = self.sales.invoices[ident]
        if invoice.balance <= 0 or not all(key.pays for key in invoice.groups):
            return
        amount = invoice.balance
        if self.chance(0.3):
            amount = self.random.randint(1, min(amount, self.random.choice((100, amount))))
        body = {"date": day, "amount": euros(amount), "reason": "Failliet"}
        name = self.name("w")
        self.command("/invoices/{%s}/write-off" % ident, body, name)
        self.sales.write_off(ident, day, amount)
        invoice.events.append(name)
        if "undo" in self.on and self.chance(0.3):
            later = day + timedelta(days=self.random.randint(1, 20))
            self.at(later, lambda: self.undo_write_off(ident, name, later, amount))

    def prepay(self, day):
        """Makes a prepayment invoice, and a final invoice that sets it off."""
        if self.purchases.is_kor(day):
            return
        op = self.draw.prepayment(day)
        ident = self.name("i")
        self.command("/invoices", self.body(op, ident), ident)
        lines = [Line(*line) for line in op["lines"]]
        invoice = self.sales.invoice(ident, op, lines)
        later = self.day(day, min(date(YEAR, 12, 31), day + timedelta(days=120)))
        if self.chance(0.7):
            self.at(later, lambda: self.pay(ident, later))
        if "credits" in self.on and self.chance(0.2):
            self.at(later, lambda: self.credit(ident, later))
            self.at(later, lambda: self.refund(ident, later))
        elif self.chance(0.8):
            final = self.day(day, date(YEAR, 12, 31))
            self.at(final, lambda: self.final(invoice, final))

    def final(self, before, day):
        """Makes the final invoice of a prepayment."""
        if self.purchases.is_kor(day):
            return
        op = self.draw.final(day, before)
        ident = self.name("i")
        self.command("/invoices", self.body(op, ident), ident)
        lines = [Line(*line) for line in op["lines"]]
        invoice = self.sales.invoice(ident, op, lines)
        self.sales.leave(invoice, day)
        if invoice.balance > 0:
            later = self.day(day, date(YEAR + 1, 2, 1))
            self.at(later, lambda: self.pay(ident, later, self.chance(0.4)))
