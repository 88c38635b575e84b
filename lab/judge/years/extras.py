"""Rarer events of a random year: undoing, surpluses, money of the owner, loans, trips and hours."""

from datetime import date, timedelta
from decimal import Decimal

from money import euros, half, last_day, times

# Allowance per kilometre with the owner's own vehicle, in cents (art. 3.16 Wet IB 2001).
PER_KILOMETRE = {2025: 23}


class Extras:
    """Plans events that have no documents of sales or purchases."""

    # Long: one block per kind of event.
    def plan_extras(self, year):
        """Draws events and their days."""
        if "owner" in self.on:
            for _ in range(self.random.randint(1, 4)):
                day = self.day()
                self.at(day, lambda day=day: self.owner(day))
            day = self.day(last=date(year, 6, 30))
            self.at(day, lambda: self.loan(day))
        if "trips" in self.on:
            for _ in range(self.random.randint(1, 3)):
                trip = self.day()
                self.at(trip, lambda trip=trip: self.trip(trip))
        if "hours" in self.on:
            self.hours(year)
        if "vatPayments" in self.on:
            for period in self.books.periods(year):
                paid = last_day(period) + timedelta(days=self.random.randint(1, 31))
                self.at(paid, lambda period=period, paid=paid: self.pay_vat(period, paid))

    def owner(self, day):
        """Money of the owner, or a transfer."""
        amount = self.random.randint(1, 500_000)
        kind = self.random.choice(
            ("drawing", "deposit", "incomeTax", "healthInsurance", "premium", "transfer", "manual")
        )
        body = {"date": day, "amount": euros(amount)}
        if kind == "transfer":
            body |= {"from": "bank", "to": self.random.choice(("savings", "cash", "card"))}
            to = {"savings": "1110", "cash": "1000", "card": "1120"}[body["to"]]
            arrived = day + timedelta(days=self.random.randint(0, 3))
            if arrived != day:
                body["arrived"] = arrived
            self.command("/transfers", body)
            self.books.post(day, ("1190", amount), ("1100", -amount))
            self.books.post(arrived, (to, amount), ("1190", -amount))
            return
        if kind == "manual":
            lines = [
                {"account": "4610", "debit": euros(amount)},
                {"account": "1100", "credit": euros(amount)},
            ]
            self.command("/manual-entries", {"date": day, "description": "Kosten", "lines": lines})
            self.books.post(day, ("4610", amount), ("1100", -amount))
            return
        body["kind"] = kind
        if kind == "premium":
            body["premium"] = "disability"
        account = {
            "drawing": "0520", "deposit": "0510", "incomeTax": "0530", "healthInsurance": "0530",
            "premium": "0540",
        }[kind]
        sign = -1 if kind == "deposit" else 1
        self.command("/private-bookings", body)
        self.books.post(day, (account, sign * amount), ("1100", -sign * amount))

    def loan(self, day):
        """Draws a loan and repays a part of it."""
        amount, ident = self.random.randint(100_000, 5_000_000), self.name("l")
        self.command("/loans", {"date": day, "account": "0700", "amount": euros(amount)}, ident)
        self.books.post(day, ("1100", amount), ("0700", -amount))
        later = self.day(day)
        principal, interest = self.random.randint(1, amount), self.random.randint(1, 50_000)

        def repay():
            body = {"date": later, "principal": euros(principal), "interest": euros(interest)}
            self.command("/loans/{%s}/repayments" % ident, body)
            self.books.post(
                later, ("0700", principal), ("4600", interest), ("1100", -principal - interest)
            )

        self.at(later, repay)

    def trip(self, day):
        """A business trip with the owner's own vehicle."""
        kilometres = Decimal(self.random.randint(1, 100_000)).scaleb(-2)
        amount = times(kilometres, euros(PER_KILOMETRE[day.year]))
        body = {"date": day, "from": "Utrecht", "to": "Zwolle", "km": kilometres}
        self.command("/mileage", body)
        if amount:
            self.books.post(day, ("4220", amount), ("0510", -amount))

    def hours(self, year):
        """Hours on a project that are not invoiced at the end of the year."""
        rate, ident = self.random.randint(1_000, 20_000), self.name("h")
        body = {"name": "Project", "hourlyRate": euros(rate)}
        self.command("/projects", body, ident)
        total = 0
        for _ in range(self.random.randint(1, 3)):
            day = self.day(date(year, 10, 1), date(year, 12, 31))
            hundredths = self.random.randint(1, 800)
            total += hundredths
            entry = {
                "projectId": "{%s}" % ident, "date": day, "description": "Werk",
                "hours": Decimal(hundredths).scaleb(-2),
            }
            self.command("/time-entries", entry)
        self.unbilled[ident] = half(total * rate, 100)

    def pay_vat(self, period, day):
        """Pays VAT for a period, or receives it."""
        amount = self.random.randint(-100_000, 300_000)
        if amount == 0 or day > date(2026, 2, 20):
            return
        self.command("/vat-payments", {"date": day, "amount": euros(amount), "vatPeriod": period})
        self.books.post(day, ("1780", amount), ("1100", -amount))
        self.vat_paid.append((period, day, amount))

    # Sales

    def undo_payment(self, ident, name, day):
        """Undoes a payment, such as a chargeback, on a day of its own."""
        invoice = self.sales.invoices[ident]
        if not self.sales.can_undo(invoice, name):
            return
        path = "/invoices/{%s}/payments/{%s}?date=%s" % (ident, name, day)
        self.command(path, None, None, "DELETE")
        self.sales.undo_payment(invoice, name, day)

    def undo_write_off(self, ident, name, day, amount):
        """Undoes a write-off that nothing followed."""
        invoice = self.sales.invoices[ident]
        if invoice.written != amount or invoice.events[-1] != name:
            return
        path = "/invoices/{%s}/write-off/{%s}/undo" % (ident, name)
        self.command(path, {"date": day})
        before = invoice.balance
        posted = self.sales.write(invoice, day, -amount)
        self.sales.receivable(invoice, before, day, posted)
        self.sales.settle(invoice, day)
        invoice.events.append("undone")

    def overpay(self, ident, day):
        """Pays more than is due; the surplus is kept for the customer."""
        invoice = self.sales.invoices[ident]
        if invoice.balance <= 0 or invoice.written:
            return
        amount = invoice.balance + self.random.randint(1, 50_000)
        body = {"date": day, "amount": euros(amount), "method": "bank", "overpayment": "keep"}
        name = self.name("p")
        self.command("/invoices/{%s}/payments" % ident, body, name)
        self.sales.pay(ident, day, amount, "bank", name)

