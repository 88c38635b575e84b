"""Sales by the law: invoices, credit notes, payments and write-offs, also under cash accounting."""

from money import half, months_of, percent, period_of, periods, quarter_of, times, vat_within
from supplies import DEFERRED, Invoice, Sum, totals, vat_day

MONEY = {"bank": "1100", "cash": "1000", "ideal": "1130"}


class Sales:
    """Books the documents of sales and what happens to them."""

    def __init__(self, books):
        self.books = books
        self.invoices = {}
        # Days on which cash accounting begins and ends, in order.
        self.methods = []
        self.supplied = []
        # Quarters whose ICP declaration is filed.
        self.lists = set()
        # Supplies recorded after that: declaration that corrects, quarter, and the supply.
        self.corrections = []

    # Methods and periods

    def is_cash(self, day):
        """Whether cash accounting applies to what is supplied on a day."""
        method = False
        for begin, cash in self.methods:
            if begin <= day:
                method = cash
        return method

    def leaves(self, day):
        """First day after which cash accounting no longer applies, if it ends."""
        return next((begin for begin, cash in self.methods if begin > day and not cash), None)

    # Documents

    def invoice(self, ident, op, lines):
        """Books an invoice."""
        groups = totals([(line.key, line.amount) for line in lines], op["gross"])
        on = vat_day(op["date"], op["until"] or op["from"], groups)
        invoice = Invoice(
            ident, op["date"], op["from"], op["until"] or op["from"], on, op["gross"], lines,
            groups, op["customer"], op.get("prepayment", False), op.get("draft", False),
        )
        for before in op.get("set_off", ()):
            self.set_off(invoice, self.invoices[before])
        groups = invoice.groups
        invoice.left = {key: Sum(g.base, g.vat, g.gross) for key, g in groups.items()}
        invoice.free = {key: g.base for key, g in groups.items()} if invoice.prepayment else {}
        self.invoices[ident] = invoice
        invoice.deferred = not invoice.prepayment and self.is_cash(invoice.method_day)
        posted = [("1300", invoice.total)]
        late = 0
        prepaid = dict.fromkeys(groups, 0)
        for key, base in invoice.set_off:
            prepaid[key] += base
        for key, group in groups.items():
            revenue, vat_account, box = key.accounts()
            if invoice.prepayment:
                revenue = "1620"
            posted.append((revenue, -group.base - prepaid[key]))
            posted.append(("1620", prepaid[key]))
            if invoice.deferred and box in DEFERRED:
                posted.append(("1770", -group.vat))
                continue
            self.books.declare(on, box, group.base, group.vat)
            if box and group.vat and on.year < op["date"].year:
                self.books.post(on, ("1325", group.vat), (vat_account, -group.vat))
                late += group.vat
            elif group.vat:
                posted.append((vat_account, -group.vat))
        posted.append(("1325", -late))
        self.books.post(op["date"], *posted, vat_day=on)
        self.supply(invoice, groups, on, 1, None)
        return invoice

    def set_off(self, invoice, before):
        """Deducts what is left of a prepayment from a final invoice."""
        for key, base in before.free.items():
            group = invoice.groups[key]
            group.base -= base
            group.vat = percent(group.base, key.rate)
            group.gross = group.base
            invoice.set_off.append((key, base))
        before.free = {}
        before.finals.append(invoice.id)

    def supply(self, invoice, groups, on, sign, note):
        """Records supplies for the lists: ICP, OSS and the turnover of the KOR."""
        for key, group in groups.items():
            row = (invoice, key, on, sign * group.base, sign * group.vat, note)
            self.supplied.append(row)
            quarter = quarter_of(on)
            if key.category == "intraCommunity" and quarter in self.lists:
                self.corrections.append((self.first_open(quarter), quarter, row))

    def first_open(self, quarter):
        """First quarter after another whose ICP declaration is open."""
        while quarter in self.lists:
            year, number = int(quarter[:4]), int(quarter[-1])
            quarter = f"{year + number // 4}-Q{number % 4 + 1}"
        return quarter

    def file_lists(self, period):
        """Files the ICP declarations that end in a period and have something to declare."""
        filled = {
            quarter_of(on) for invoice, key, on, *_ in self.supplied
            if key.category == "intraCommunity" and invoice.customer.get("vatNumber")
        }
        filled |= {corrects for corrects, _, _ in self.corrections}
        for quarter in periods(int(period[:4]), "quarter"):
            if months_of(quarter)[-1] in months_of(period) and quarter in filled:
                self.lists.add(quarter)

    def credit(self, ident, on, items=None):
        """Books a credit note: of lines, given as index and quantity, or of what is left."""
        invoice = self.invoices[ident]
        note = {}
        if items is None:
            note = {key: Sum(g.base, g.vat, g.gross) for key, g in invoice.left.items()}
            for line in invoice.lines:
                line.credited, line.left = line.quantity, 0
        else:
            amounts = {}
            for index, quantity in items:
                line = invoice.lines[index]
                line.credited += quantity
                amount = min(line.left, self.amount_of(line, quantity))
                line.left -= amount
                amounts[line.key] = amounts.get(line.key, 0) + amount
            for key, amount in amounts.items():
                note[key] = self.part(invoice, key, amount)
        before = invoice.balance
        total = 0
        posted = []
        for key, group in note.items():
            left = invoice.left[key]
            left.base -= group.base
            left.vat -= group.vat
            left.gross -= group.gross
            total += group.total
            revenue, vat_account, box = key.accounts()
            if invoice.prepayment:
                revenue = "1620"
                invoice.free[key] -= group.base
            posted.append((revenue, group.base))
            if invoice.deferred and box in DEFERRED:
                posted.append(("1770", group.vat))
            else:
                posted.append((vat_account or "1700", group.vat))
                self.books.declare(on, box, -group.base, -group.vat)
        invoice.credited += total
        invoice.events.append("credited")
        invoice.credits.append((on, {key: Sum(g.base, g.vat) for key, g in note.items()}))
        self.receivable(invoice, before, on, posted)
        self.supply(invoice, note, on, -1, on)
        self.settle(invoice, on)

    @staticmethod
    def amount_of(line, quantity):
        """Amount of a credited quantity of a line; the last takes what is left."""
        if line.credited == line.quantity:
            return line.left
        return times(quantity, line.price)

    @staticmethod
    def part(invoice, key, amount):
        """Base and VAT of an amount credited on a group; the last takes the rest."""
        left = invoice.left[key]
        if amount == left.gross:
            return Sum(left.base, left.vat, amount)
        if invoice.gross_prices:
            vat = vat_within(amount, key.rate)
            return Sum(amount - vat, vat, amount)
        return Sum(amount, percent(amount, key.rate), amount)

    def receivable(self, invoice, before, on, posted):
        """Posts the change of what a customer owes, or is owed, with its counterpart."""
        after = invoice.balance
        owes = max(after, 0) - max(before, 0)
        owed = max(-after, 0) - max(-before, 0)
        self.books.post(on, *posted, ("1300", owes), ("1630", -owed))

    # Money

    def pay(self, ident, on, amount, method="bank", payment=None):
        """Books a payment, or a refund if the amount is negative."""
        invoice = self.invoices[ident]
        before = invoice.balance
        recovered = min(amount, invoice.written) if amount > 0 else 0
        posted = [(MONEY[method], amount)]
        if recovered:
            posted += self.write(invoice, on, -recovered)
        owed_before = before
        invoice.paid += amount
        invoice.events.append(payment)
        invoice.payments[payment] = [amount, method, {}, recovered]
        self.receivable(invoice, before, on, posted)
        if invoice.deferred:
            if amount < 0:
                due = self.due_on_refund(invoice, -amount, -owed_before)
            else:
                due = self.due_on_payment(invoice, amount, owed_before + recovered)
            self.receive(invoice, on, due, payment)
            self.settle(invoice, on, payment)
        elif not invoice.deferred and amount > 0:
            self.paid_before(invoice, on, amount)

    @staticmethod
    def can_undo(invoice, payment):
        """Whether nothing followed a payment, so that undoing it turns round what it booked."""
        last = invoice.events and invoice.events[-1] == payment
        last = last and not invoice.payments[payment][3]
        return last and not invoice.written and not invoice.credits and not invoice.moved

    def undo_payment(self, invoice, payment, on):
        """Turns a payment round on a day of its own."""
        amount, method, due, _ = invoice.payments[payment]
        before = invoice.balance
        invoice.paid -= amount
        invoice.events.append("undone")
        self.receivable(invoice, before, on, [(MONEY[method], -amount)])
        if invoice.deferred:
            turned = {key: (-base, -vat) for key, (base, vat) in due.items()}
            self.receive(invoice, on, turned, None)

    def paid_before(self, invoice, on, amount):
        """Moves the VAT of a payment in an earlier period to its day (art. 13(2) Wet OB 1968)."""
        unit = self.books.unit
        if invoice.prepayment or on >= invoice.vat_day:
            return
        if period_of(on, unit) == period_of(invoice.vat_day, unit):
            return
        before = invoice.moved
        invoice.moved += amount
        old = self.shares(invoice, min(before, invoice.remaining))
        new = self.shares(invoice, min(before + amount, invoice.remaining))
        for key, (base, vat) in new.items():
            _, account, box = key.accounts()
            if not key.pays:
                continue
            base, vat = base - old[key][0], vat - old[key][1]
            self.books.declare(on, box, base, vat)
            self.books.declare(invoice.vat_day, box, -base, -vat)
            self.books.post(on, ("1325", vat), (account, -vat))
            self.books.post(invoice.vat_day, ("1325", -vat), (account, vat))

    # Write-offs

    @staticmethod
    def shares(invoice, amount):
        """Amount including VAT, divided among what remains of the groups."""
        total = invoice.remaining
        parts, before, given = {}, 0, 0
        for key, group in invoice.left.items():
            before += group.total
            until = half(amount * before, total) if total else 0
            own, given = until - given, until
            vat = half(own * group.vat, group.total) if group.total else 0
            parts[key] = (own - vat, vat)
        return parts

    def write_off(self, ident, on, amount):
        """Books a write-off."""
        invoice = self.invoices[ident]
        before = invoice.balance
        posted = self.write(invoice, on, amount)
        self.receivable(invoice, before, on, posted)
        self.settle(invoice, on)

    def write(self, invoice, on, amount):
        """Changes the amount that is written off; returns the postings without the receivable."""
        was, now = invoice.written, invoice.written + amount
        invoice.written = now
        invoice.events.append("written")
        if invoice.deferred:
            return self.lose(invoice, on, was, now, amount > 0 and invoice.balance == 0)
        old, new = self.split(invoice, was), self.split(invoice, now)
        posted = []
        for name in sorted(set(old) | set(new), key=str):
            base_before, vat_before = old.get(name, (0, 0))
            base, vat = new.get(name, (0, 0))
            base, vat = base - base_before, vat - vat_before
            if name == "4990":
                posted.append(("4990", base))
                continue
            _, account, box = name.accounts()
            posted.append(("1620" if invoice.prepayment else "4340", base))
            posted.append((account or "1700", vat))
            self.books.declare(on, box, -base, -vat)
            if invoice.prepayment:
                invoice.free[name] -= base
        return posted

    def lose(self, invoice, on, was, now, settles):
        """Under cash accounting, VAT that was not due is lost with the amount, and no cost.

        After leaving, the VAT was due, and comes back when the invoice is settled.
        """
        cost_before = was - sum(vat for _, vat in invoice.lost.values())
        if settles:
            got = invoice.received
            lost = {
                key: (group.base - got.get(key, (0, 0))[0], group.vat - got.get(key, (0, 0))[1])
                for key, group in invoice.left.items()
            }
        else:
            lost = self.shares(invoice, now)
        posted = []
        for key, (base, vat) in lost.items():
            before = invoice.lost.get(key, (0, 0))
            base, vat = base - before[0], vat - before[1]
            posted.append(("1770", vat))
        invoice.lost = lost
        cost = now - sum(vat for _, vat in lost.values())
        for account, small in (("4990", True), ("4340", False)):
            amount = cost if (now <= 100) == small else 0
            amount -= cost_before if (was <= 100) == small else 0
            posted.append((account, amount))
        return posted

    def split(self, invoice, amount):
        """A total of at most one euro is a payment difference, without VAT."""
        if amount <= 100:
            return {"4990": (amount, 0)} if amount else {}
        return self.shares(invoice, amount)

    # Cash accounting

    def has_left(self, invoice, on):
        """Whether all VAT of an invoice is due, because the account left cash accounting."""
        day = self.leaves(invoice.method_day)
        return day is not None and max(day, invoice.vat_day) <= on

    @staticmethod
    def open_groups(invoice, minus=None):
        """Base and VAT per group that are not received yet, or not due yet."""
        rest = {}
        minus = invoice.received if minus is None else minus
        for key, group in invoice.left.items():
            if key.box in DEFERRED:
                due, lost = minus.get(key, (0, 0)), invoice.lost.get(key, (0, 0))
                rest[key] = (group.base - due[0] - lost[0], group.vat - due[1] - lost[1])
        return rest

    def due_on_payment(self, invoice, amount, owed):
        """Base and VAT of each group × paid ÷ gross; the payment that settles takes the rest."""
        if owed <= 0:
            return {}
        if invoice.balance <= 0:
            return self.open_groups(invoice)
        total = invoice.remaining
        return {
            key: (half(group.base * amount, total), half(group.vat * amount, total))
            for key, group in invoice.left.items()
            if key.box in DEFERRED
        }

    def due_on_refund(self, invoice, amount, owed):
        """The boxes turn for what was credited after it was paid; a surplus had no VAT."""
        surplus = max(invoice.paid + amount - invoice.total, 0)
        credited = owed - surplus
        if credited <= 0:
            return {}
        part = min(amount, credited)
        return {
            key: (half(base * part, credited), half(vat * part, credited))
            for key, (base, vat) in self.open_groups(invoice).items()
        }

    def receive(self, invoice, on, amounts, payment):
        """Counts amounts as received; their VAT becomes due unless it was on leaving."""
        for key, (base, vat) in amounts.items():
            sums = invoice.received.get(key, (0, 0))
            invoice.received[key] = (sums[0] + base, sums[1] + vat)
            if payment in invoice.payments:
                sums = invoice.payments[payment][2].get(key, (0, 0))
                invoice.payments[payment][2][key] = (sums[0] + base, sums[1] + vat)
        if not self.has_left(invoice, on):
            self.become_due(invoice, on, amounts, payment)

    def become_due(self, invoice, on, due, payment):
        """Declares VAT that becomes due, and takes it from 1770."""
        for key, (base, vat) in due.items():
            if not base and not vat:
                continue
            _, account, box = key.accounts()
            self.books.declare(on, box, base, vat)
            self.books.post(on, ("1770", vat), (account or "1700", -vat))
            sums = invoice.due.get(key, (0, 0))
            invoice.due[key] = (sums[0] + base, sums[1] + vat)
            invoice.dues.append((on, payment, base, vat))

    def settle(self, invoice, on, payment=None):
        """Everything is received once nothing is open; after leaving, all VAT is due."""
        if not invoice.deferred:
            return
        if invoice.balance == 0:
            self.receive(invoice, on, self.open_groups(invoice), payment)
        if self.has_left(invoice, on):
            self.become_due(invoice, on, self.open_groups(invoice, invoice.due), None)

    def leave(self, invoice, on):
        """VAT of an invoice that is recorded after cash accounting ended is due at once."""
        day = self.leaves(invoice.method_day) if invoice.deferred else None
        if day is not None and day <= max(on, invoice.vat_day):
            due_on = max(day, invoice.vat_day)
            self.become_due(invoice, due_on, self.open_groups(invoice, invoice.due), None)

    def end_cash(self, on):
        """On leaving cash accounting, the VAT on each open invoice is due."""
        for invoice in self.invoices.values():
            if invoice.deferred and self.leaves(invoice.method_day) == on and invoice.vat_day <= on:
                self.become_due(invoice, on, self.open_groups(invoice, invoice.due), None)
