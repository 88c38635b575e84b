"""Compares what the API returns with what the oracle computes, cell by cell."""

from datetime import date

import lists
import year_end
from books import FORM, VAT_ACCOUNTS
from money import periods, to_cents


class Cells:
    """Counts compared cells and keeps the differences."""

    def __init__(self):
        self.count = 0
        self.by_area = {}
        self.differences = []

    def cell(self, area, name, expected, actual):
        """Compares one cell."""
        self.count += 1
        self.by_area[area] = self.by_area.get(area, 0) + 1
        if expected != actual:
            self.differences.append((area, name, expected, actual))

    def table(self, area, name, expected, actual):
        """Compares the cells of two dictionaries."""
        for key in sorted(set(expected) | set(actual), key=str):
            self.cell(area, f"{name} {key}", expected.get(key), actual.get(key))


def cents(value):
    """Cents of an optional amount."""
    return None if value is None else to_cents(value)


def returns(cells, client, books, year):
    """VAT returns of every period."""
    for period in books.periods(year):
        answer = client.get(f"/vat-returns/{period}")
        rows = {row["box"]: row for row in answer["boxes"]}
        expected = books.vat_return(period)
        for box in FORM:
            base, vat, declared_base, declared_vat = expected[box]
            row = rows[box]
            cells.cell("returns", f"{period} {box} turnover", base, cents(row["turnover"]))
            cells.cell("returns", f"{period} {box} vat", vat, cents(row["vat"]))
            name = f"{period} {box} declared"
            cells.cell("returns", name + "Turnover", declared_base, row["declaredTurnover"])
            cells.cell("returns", name + "Vat", declared_vat, row["declaredVat"])
        cells.cell("returns", f"{period} payable", expected["5g"][1], cents(answer["payable"]))
        total = answer["declaredPayable"]
        cells.cell("returns", f"{period} declaredPayable", expected["5g"][3], total)
        status = "filed" if period in books.filed else "open"
        cells.cell("returns", f"{period} status", status, answer["status"])


def icp(cells, client, sales, year):
    """ICP declarations."""
    listed = client.all(f"/icp-declarations?year={year}")
    answers = {row["period"]: row for row in listed}
    late = [row for _, _, row in sales.corrections]
    in_time = [row for row in sales.supplied if not any(row is each for each in late)]
    for period, months in lists.icp_periods(sales.supplied, year):
        rows, box, _ = lists.icp(in_time, months)
        _, box, _ = lists.icp(sales.supplied, months)
        answer = answers.pop(period, None)
        if answer is None:
            cells.cell("icp", f"{period} rows", rows, {})
            continue
        actual = {
            row["vatNumber"]: {name: row[name] for name in ("goods", "services", "triangular")}
            for row in answer["rows"]
        }
        cells.table("icp", period, rows, actual)
        actual = {
            (row["period"], row["vatNumber"]): {
                name: row[name] for name in ("goods", "services", "triangular")
            }
            for row in answer["corrections"]
        }
        cells.table("icp", f"{period} corrections", lists.icp_corrections(sales, period), actual)
        if rows and "Q" in period:
            status = "filed" if period in sales.lists else "open"
            cells.cell("icp", f"{period} status", status, answer["status"])
        cells.cell("icp", f"{period} box3b", box, cents(answer["box3b"]))
        cells.cell("icp", f"{period} start", months[0] + "-01", answer["periodStart"])
        without = sum(cents(row["amount"]) for row in answer["withoutNumber"])
        _, _, expected = lists.icp(sales.supplied, months)
        cells.cell("icp", f"{period} withoutNumber", expected, without)
    for period, answer in answers.items():
        cells.cell("icp", f"{period} is not due", [], answer["rows"])


def kor(cells, client, sales, year):
    """Turnover of the small businesses scheme."""
    kinds, counted = lists.kor(sales.supplied, year)
    answer = client.get(f"/kor?year={year}")
    actual = {row["kind"]: cents(row["amount"]) for row in answer["lines"]}
    cells.table("kor", str(year), kinds, {name: sum_ for name, sum_ in actual.items() if sum_})
    cells.cell("kor", f"{year} counted", counted, cents(answer["counted"]))
    cells.cell("kor", f"{year} percent", counted * 100 // lists.KOR_LIMIT, answer["percent"])


def oss(cells, client, sales, year):
    """OSS returns."""
    answers = {row["period"]: row for row in client.all(f"/oss-returns?year={year}")}
    for quarter in periods(year, "quarter"):
        rows, corrections = lists.oss(sales.supplied, quarter)
        answer = answers.get(quarter)
        if answer is None:
            cells.cell("oss", f"{quarter} rows", {}, rows)
            continue
        actual = {
            (row["country"], row["supply"], str(row["rate"])):
                (cents(row["base"]), cents(row["vat"]))
            for row in answer["rows"]
        }
        cells.table("oss", quarter, rows, actual)
        told = {(r["period"], r["country"]): cents(r["vat"]) for r in answer["corrections"]}
        cells.table("oss", f"{quarter} corrections", corrections, told)
        sums = {}
        for (country, _, _), (_, vat) in rows.items():
            sums[country] = sums.get(country, 0) + vat
        for (_, country), vat in corrections.items():
            sums[country] = sums.get(country, 0) + vat
        payable = sum(vat for vat in sums.values() if vat > 0)
        cells.cell("oss", f"{quarter} payable", payable, cents(answer["payable"]))


    counted = {row["year"]: cents(row["counted"]) for row in client.get("/oss")["years"]}
    if year in counted:
        expected = lists.oss_counted(sales.supplied, year)
        cells.cell("oss", f"{year} counted", expected, counted[year])


def invoices(cells, client, sales, ids):
    """Amounts and days of each invoice, and the VAT that is due under cash accounting."""
    answers = {row["id"]: row for row in client.all("/invoices?limit=500")}
    for ident, invoice in sales.invoices.items():
        answer = answers[ids[ident]]
        subtotal = sum(group.base for group in invoice.groups.values())
        vat = sum(group.vat for group in invoice.groups.values())
        expected = {
            "subtotal": subtotal, "vatTotal": vat, "total": subtotal + vat,
            "amountPaid": invoice.paid, "amountCredited": invoice.credited,
            "amountWrittenOff": invoice.written, "amountDue": max(invoice.balance, 0),
            "amountToRefund": max(-invoice.balance, 0), "vatDeferred": invoice.open_vat(),
        }
        actual = {name: cents(answer[name] or 0) for name in expected}
        cells.table("invoices", ident, expected, actual)
        cells.cell("invoices", f"{ident} vatDate", str(invoice.vat_day), answer["vatDate"])
        if invoice.deferred:
            dues = {}
            for on, _, base, due in invoice.dues:
                sums = dues.setdefault(str(on), [0, 0])
                sums[0] += base
                sums[1] += due
            actual = {}
            for row in answer["vatDue"] or []:
                sums = actual.setdefault(row["date"], [0, 0])
                sums[0] += cents(row["base"])
                sums[1] += cents(row["vat"])
            kept = {day: sums for day, sums in dues.items() if any(sums)}
            cells.table("cash", f"{ident} due", kept, actual)


def revision(cells, answer, expected, ids):
    """Revision of the VAT on assets."""
    of_year, rows, total, waived = expected
    share = round(of_year * 100, 6)
    cells.cell("revision", "share", float(share), float(round(answer["share"], 6)))
    actual = {row["assetId"]: cents(row["due"]) for row in answer["assets"]}
    cells.table("revision", "due", {ids[name]: due for name, due in rows.items()}, actual)
    cells.cell("revision", "total", total, cents(answer["total"]))
    cells.cell("revision", "waived", waived, answer["waived"])


def cut_off(cells, step, expected, ids):
    """Rows of the cut-off."""
    rows = {}
    for source, account, kind, amount, reverse in expected:
        ticked = abs(amount) >= 10_000
        rows[source[0], ids[source[1]], account] = (kind, amount, str(reverse), ticked)
    actual = {}
    for row in step["rows"]:
        name = (row["sourceType"], row["sourceId"], row["account"])
        actual[name] = (row["kind"], cents(row["amount"]), row["reverseOn"], row["ticked"])
    cells.table("cutOff", "row", rows, actual)


def summary(cells, client, books, year):
    """Result, balance sheet and VAT of the year."""
    answer = client.get(f"/summary/{year}")
    revenue, costs = year_end.result(books, date(year, 1, 1), date(year, 12, 31))
    named = {row["accountCode"]: cents(row["amount"]) for row in answer["revenueByAccount"]}
    cells.table("summary", "revenue", revenue, {c: a for c, a in named.items() if a})
    named = {row["accountCode"]: cents(row["amount"]) for row in answer["costsByAccount"]}
    cells.table("summary", "costs", costs, {c: a for c, a in named.items() if a})
    sums = sum(revenue.values()), sum(costs.values())
    cells.cell("summary", "revenue", sums[0], cents(answer["revenue"]))
    cells.cell("summary", "costs", sums[1], cents(answer["costs"]))
    cells.cell("summary", "profit", sums[0] - sums[1], cents(answer["profit"]))
    charged, deducted = books.vat_return(str(year))["5a"][1], books.vat_return(str(year))["5b"][1]
    cells.cell("summary", "vat charged", charged, cents(answer["vat"]["charged"]))
    cells.cell("summary", "vat deductible", deducted, cents(answer["vat"]["deductible"]))
    for row in answer["quarters"]:
        payable = books.vat_return(f"{year}-Q{row['quarter']}")["5g"][1]
        cells.cell("summary", f"Q{row['quarter']} vat", payable, cents(row["vatPayable"]))
    expected = year_end.balance_sheet(books, year)
    sheet = answer["balanceSheet"]
    for side in ("assets", "equity", "liabilities"):
        actual = {row["accountCode"]: cents(row["amount"]) for row in sheet[side]}
        actual = {code: amount for code, amount in actual.items() if amount}
        cells.table("balance", side, expected[side], actual)
    total = sum(expected["assets"].values())
    cells.cell("balance", "total", total, cents(sheet["total"]))


def reconciliation(cells, client, books, paid, year):
    """VAT of each period at the end of the year: declared, paid and open."""
    last = date(year, 12, 31)
    answer = client.get(f"/summary/{year}")["balanceSheet"]["vatReconciliation"]
    rows = {row["period"]: row for row in answer}
    total = 0
    earlier = [p for each in range(year - 5, year) for p in periods(each, "quarter")]
    earlier = [period for period in earlier if books.vat_return(period)["5g"][1]]
    for period in earlier + books.periods(year):
        declared = books.filed.get(period)
        amount = sum(sum_ for name, day, sum_ in paid if name == period and day <= last)
        due = books.vat_return(period)["5g"][1] if declared is None else declared
        total += due - amount
        row = rows.get(period)
        if row is None:
            cells.cell("reconciled", f"{period} without a row", (0, 0), (due, amount))
            continue
        cells.cell("reconciled", f"{period} declared", declared, cents(row["declared"]))
        cells.cell("reconciled", f"{period} paid", amount, cents(row["paid"]))
        cells.cell("reconciled", f"{period} open", due - amount, cents(row["open"]))
    # The VAT in the balance sheet is that of the open amounts and of 1785.
    corrections = -books.balances(last).get("1785", 0)
    cells.cell("reconciled", "balance sheet", books.open_vat(last), total + corrections)


def trial_balance(cells, client, books, year):
    """Balances by account, from all entries; every entry and the whole add up to zero. Returns the
    entries."""
    sums, entries = {}, []
    for each in range(year - 5, year + 3):
        for entry in client.all(f"/entries?year={each}&limit=500"):
            entries.append(entry)
            debit = sum(cents(line["debit"]) for line in entry["lines"])
            credit = sum(cents(line["credit"]) for line in entry["lines"])
            cells.cell("trial", f"entry {entry['id']}", debit, credit)
            for line in entry["lines"]:
                code = line["accountCode"]
                amount = cents(line["debit"]) - cents(line["credit"])
                sums[code] = sums.get(code, 0) + amount
    cells.cell("trial", "sum", 0, sum(sums.values()))
    actual = {code: amount for code, amount in sums.items() if amount}
    cells.table("trial", "balance", books.balances(), actual)
    vat = sum(actual.get(code, 0) for code in VAT_ACCOUNTS)
    expected = sum(books.balances().get(code, 0) for code in VAT_ACCOUNTS)
    cells.cell("trial", "VAT accounts", expected, vat)
    return entries
