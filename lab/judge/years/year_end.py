"""The end of the year by the law: cut-off, revision of VAT on assets, result and balance sheet."""

from datetime import date, timedelta
from fractions import Fraction

from money import half
from books import VAT_ACCOUNTS


def days(first, last):
    """Number of days from one to another, both included."""
    return max(0, (last - first).days + 1)


def cut_off(sales, purchases, unbilled, year):
    """Revenue and costs that belong to another year than their document (art. 3.25 Wet IB 2001).

    Rows of source, account, kind, amount and day of the reversal.
    """
    first, last = date(year, 1, 1), date(year, 12, 31)
    rows = []
    for invoice in sales.invoices.values():
        if invoice.date <= last or invoice.supplied is None or invoice.prepayment:
            continue
        begin = invoice.supplied_from or invoice.supplied
        within = days(max(begin, first), min(invoice.supplied, last))
        accounts = {}
        for key, group in invoice.left.items():
            account = key.accounts()[0]
            accounts[account] = accounts.get(account, 0) + group.base
        for account, base in accounts.items():
            amount = half(base * within, days(begin, invoice.supplied))
            if amount:
                source = ("invoice", invoice.id)
                rows.append((source, account, "workToInvoice", amount, invoice.date))
    for ident, expense in purchases.expenses.items():
        op = expense["op"]
        if "period" not in op:
            continue
        begin, until = op["period"]
        whole = days(begin, until)
        if op["date"] <= last:
            kind, part = "prepaidCost", days(max(begin, last + timedelta(days=1)), until)
            reverse = date(year + 1, 1, 1)
        else:
            kind, part = "accruedCost", days(max(begin, first), min(until, last))
            reverse = op["date"]
        for account, cost in expense["costs"].items():
            amount = half(cost * part, whole)
            if amount:
                rows.append((("expense", ident), account, kind, amount, reverse))
    for ident, amount in unbilled.items():
        if amount:
            source = ("project", ident)
            account = "8070" if purchases.is_kor(last) else "8000"
            rows.append((source, account, "workToInvoice", amount, date(year + 1, 1, 1)))
    return rows


def book_cut_off(books, rows, year):
    """Books the rows of the cut-off of at least € 100, and their reversals."""
    day = date(year, 12, 31)
    for _, account, kind, amount, reverse in rows:
        if abs(amount) < 10_000:
            continue
        lines = {
            "workToInvoice": (("1320", amount), (account, -amount)),
            "accruedCost": ((account, amount), ("1610", -amount)),
            "prepaidCost": (("1330", amount), (account, -amount)),
        }[kind]
        books.post(day, *lines)
        books.post(reverse, *((name, -sum_) for name, sum_ in lines))


def share(sales, purchases, year):
    """Part of the turnover with the right to deduct (art. 11(1)(c) Uitvoeringsbeschikking)."""
    within = without = 0
    for invoice, key, _, base, _, _ in sales.supplied:
        day = invoice.supply_day
        if day.year != year or key.category == "outOfScope":
            continue
        exempt = key.category == "exempt"
        if key.category != "standard" and purchases.is_kor(day):
            exempt = True
        if exempt:
            without += base
        else:
            within += base
    within, without = max(within, 0), max(without, 0)
    if within + without == 0:
        return Fraction(0 if purchases.is_kor(date(year, 12, 31)) else 1)
    return Fraction(within, within + without)


def revision(sales, purchases, year):
    """Share, due per asset, total, and whether all is waived (art. 13 Uitvoeringsbeschikking)."""
    of_year = share(sales, purchases, year)
    rows, first, differs = {}, {}, False
    for asset in purchases.assets.values():
        sold = asset.disposed and asset.disposed.year <= year
        if not year - 4 <= asset.date.year <= year or sold and asset.date.year < year:
            continue
        deducted = Fraction(asset.deducted, asset.vat) if asset.vat else Fraction(1)
        due = asset.vat * (deducted - of_year)
        # After a sale in the year of first use, four fifths were revised at the sale.
        if asset.date.year < year or sold and asset.proceeds:
            due /= 5
        differs |= half(due.numerator, due.denominator) != 0
        # Not more than a tenth of what was deducted: no revision (art. 13(4)).
        if asset.date.year < year and abs(due) * 10 <= asset.vat * deducted / 5:
            due = Fraction(0)
        rows[asset.id] = half(due.numerator, due.denominator)
        first[asset.id] = asset.date.year == year
    # Less than € 500 because of the scheme: no revision, except in the year of first use.
    changes = any(begin.year == year for begin, _ in purchases.schemes)
    later = sum(due for name, due in rows.items() if not first[name])
    payable = dict(rows)
    if changes and abs(later) < 50_000:
        payable = {name: due if first[name] else 0 for name, due in rows.items()}
    waived = differs and not any(payable.values())
    if not waived:
        rows = payable
    return of_year, rows, sum(rows.values()), waived


def book_revision(books, total, year):
    """Books the revision on 31 December, in box 5b."""
    day = date(year, 12, 31)
    books.declare(day, "5b", 0, -total)
    books.post(day, ("4450", total), ("1500", -total))


def result(books, first, until):
    """Revenue, costs, and both by account."""
    moved = books.moved(first, until)
    revenue = {code: -amount for code, amount in moved.items() if code[0] == "8"}
    costs = {code: amount for code, amount in moved.items() if code[0] in "47"}
    return revenue, costs


def balance_sheet(books, year):
    """Lines of the balance sheet by account, positive on the side where they stand."""
    last = date(year, 12, 31)
    before = books.balances(date(year - 1, 12, 31))
    sums = books.balances(last)
    revenue, costs = result(books, date(year, 1, 1), last)
    lines = {"assets": {}, "equity": {}, "liabilities": {}}
    opening = -sums.get("0500", 0)
    for code, amount in before.items():
        if code[0] in "478" or "0510" <= code <= "0550":
            opening -= amount
    equity = {"0500": opening, "0590": sum(revenue.values()) - sum(costs.values())}
    for code in ("0510", "0520", "0530", "0540", "0550"):
        equity[code] = -(sums.get(code, 0) - before.get(code, 0))
    lines["equity"] = {code: amount for code, amount in equity.items() if amount}
    merged = {}
    for code, amount in sums.items():
        if code[0] in "478" or code[:2] == "05" or code in VAT_ACCOUNTS or code in ("1780", "1785"):
            continue
        # Depreciation is deducted from the assets; 1325 is shown with the work to be invoiced.
        name = {"0210": "0200", "1325": "1320"}.get(code, code)
        merged[name] = merged.get(name, 0) + amount
    merged["1780"] = -books.open_vat(last)
    for code, amount in merged.items():
        put(lines, code, amount)
    return lines


def put(lines, code, amount):
    """Puts a balance on its side."""
    if amount > 0:
        lines["assets"][code] = amount
    elif amount < 0:
        lines["liabilities"][code] = -amount
