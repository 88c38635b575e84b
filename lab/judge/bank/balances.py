"""Balances per bank account and day: of the bank, of the API and of hledger.

Two bank accounts get the payments of four months, in overlapping statements. Every line is booked,
by every kind of booking, and later a fifth is undone. The bank's balances are computed here, from
the payments alone.
"""

from datetime import date, timedelta
import csv
import io
import random
import shutil
import subprocess

from compare import cents as cents_of
from money import euros, to_cents

FIRST, DAYS = date(2026, 3, 1), 122
CHECKING, SAVINGS = "NL02ABNA0123456789", "NL20INGB0001234567"
OPENING = 500_000


def day(number):
    """Day by its number."""
    return FIRST + timedelta(days=number)


class Line:
    """A payment as the bank sees it."""

    def __init__(self, number, date_, cents, partner=None):
        self.text = f"Regel {number}"
        self.date, self.cents, self.partner = date_, cents, partner
        self.id = None
        self.is_booked = False


def draw(rng):
    """Lines of both accounts; some are the two halves of a transfer."""
    checking, savings = [], []
    for number in range(DAYS):
        for _ in range(rng.randint(0, 3)):
            text = len(checking)
            cents = rng.choice((-1, 1)) * rng.choice((450, 12_100, rng.randint(1_000, 90_000)))
            checking.append(Line(text, day(number), cents))
        if rng.random() < 0.15 and number < DAYS - 4:
            cents = rng.randint(10_000, 60_000)
            out = Line(f"naar spaarrekening {number}", day(number), -cents)
            arrival = day(number + rng.randint(0, 3))
            out.partner = Line(f"van betaalrekening {number}", arrival, cents, out)
            checking.append(out)
            savings.append(out.partner)
        if rng.random() < 0.05:
            savings.append(Line(f"rente {number}", day(number), rng.randint(1, 900)))
    savings.sort(key=lambda line: line.date)
    return checking, savings


def before(lines, date_, opening):
    """Balance before a day."""
    return opening + sum(line.cents for line in lines if line.date < date_)


def mt940(lines, first, last, opening):
    """Statement of some days, as ABN AMRO writes it."""

    def balance(tag, date_, cents):
        mark = "D" if cents < 0 else "C"
        return f":{tag}:{mark}{date_:%y%m%d}EUR{abs(cents) // 100},{abs(cents) % 100:02}\r\n"

    start = before(lines, first, opening)
    inner = [line for line in lines if first <= line.date <= last]
    text = f"ABNANL2A\r\n940\r\nABNANL2A\r\n:20:ABN AMRO BANK NV\r\n:25:{CHECKING}\r\n:28:1/1\r\n"
    text += balance("60F", first, start)
    for line in inner:
        mark = "D" if line.cents < 0 else "C"
        amount = f"{abs(line.cents) // 100},{abs(line.cents) % 100:02}"
        text += f":61:{line.date:%y%m%d}{line.date:%m%d}{mark}{amount}N654NONREF\r\n"
        text += f":86:/TRTP/SEPA OVERBOEKING/NAME/Partij/REMI/{line.text}\r\n"
    text += balance("62F", last, start + sum(line.cents for line in inner))
    return text + "-\r\n"


def send(client, rng, accounts, checking, savings):
    """Sends statements that overlap, in random order; finds the ids of the lines."""
    pieces, start = [], 0
    while start < DAYS:
        first, last = max(0, start - rng.randint(0, 9)), min(DAYS - 1, start + rng.randint(3, 25))
        pieces.append(mt940(checking, day(first), day(last), OPENING))
        start = last + 1
    rng.shuffle(pieces)
    for piece in pieces:
        headers = {"X-API-Key": client.key, "Content-Type": "text/plain"}
        client.send("POST", "/bank-statements", piece.encode(), headers)
    rows = [{"date": of.date, "amount": euros(of.cents), "text": of.text} for of in savings]
    last = day(DAYS - 1)
    feed = {"bankAccountId": accounts[1], "from": FIRST, "to": last, "openingBalance": euros(0),
            "closingBalance": euros(before(savings, day(DAYS), 0)), "lines": rows}
    client.post("/bank-statements", feed)
    for account, lines in zip(accounts, (checking, savings)):
        stored = client.all(f"/bank-lines?bankAccountId={account}&limit=500")
        for row in stored:
            key = (date.fromisoformat(row["date"]), to_cents(row["amount"]))
            fits = (of for of in lines if of.id is None and (of.date, of.cents) == key)
            line = next((of for of in fits if of.text == row["text"]), None)
            assert line is not None, f"no such payment: {row}"
            line.id = row["id"]
        yield len(lines), len(stored)


def bill_of(client, line):
    """Bill of the amount of a line."""
    items = [{"category": "4100", "amount": euros(-line.cents), "vatRate": 21, "includesVat": True}]
    body = {"date": FIRST, "supplier": "Papierhal", "paidFrom": "unpaid", "items": items}
    return client.post("/expenses", body)["id"]


def invoice_of(client, line):
    """Invoice of the amount of a line."""
    item = {"description": "Werk", "quantity": 1, "unitPrice": euros(line.cents), "vatRate": 21}
    body = {"status": "sent", "invoiceDate": FIRST, "customer": {"name": "Klant", "country": "NL"},
            "pricesIncludeVat": True, "items": [item]}
    return client.post("/invoices", body)["id"]


def existing_of(client, line, code):
    """Entry of a private booking of the amount of a line, on its day."""
    kind = "drawing" if line.cents < 0 else "deposit"
    body = {"date": line.date, "kind": kind, "amount": euros(abs(line.cents)), "method": str(code)}
    made = client.post("/private-bookings", body)
    return made["entryIds"][0] if "entryIds" in made else made["entryId"]


def allocations(client, rng, line, account, code):
    """How a line is booked; the kinds take turns by chance."""
    if line.partner is not None:
        return [{"kind": "transfer", "bankAccountId": account, "lineId": line.partner.id}]
    costs = [{"category": "4100", "vatRate": 21}]
    out = (
        lambda: [{"kind": "bankCosts"}],
        lambda: [{"kind": "interest"}],
        lambda: [{"kind": "private", "privateKind": "drawing"}],
        lambda: [{"kind": "private", "privateKind": "incomeTax"}],
        lambda: [{"kind": "vat"}],
        lambda: [{"kind": "expense", "description": "Toner", "items": costs}],
        lambda: [{"kind": "bill", "expenseId": bill_of(client, line)}],
        lambda: [{"kind": "ledger", "account": "4100", "description": "Kantoor"}],
        lambda: [{"kind": "existing", "entryId": existing_of(client, line, code)}],
        lambda: [{"kind": "bankCosts", "amount": euros(1)}, {"kind": "interest"}],
    )
    into = (
        lambda: [{"kind": "private", "privateKind": "deposit"}],
        lambda: [{"kind": "interest"}],
        lambda: [{"kind": "vat"}],
        lambda: [{"kind": "loan", "account": "0700"}],
        lambda: [{"kind": "payout", "fee": euros(25), "provider": "Mollie"}],
        lambda: [{"kind": "invoice", "invoiceId": invoice_of(client, line)}],
        lambda: [{"kind": "existing", "entryId": existing_of(client, line, code)}],
        lambda: [{"kind": "bankCosts", "amount": euros(-100)}, {"kind": "interest"}],
    )
    return rng.choice(out if line.cents < 0 else into)()


def by_hledger(client, codes):
    """Balance per account and day by hledger, in cents, and the number of entries."""
    entries = client.all(f"/entries?year={FIRST.year}&limit=500")
    text = []
    for entry in sorted(entries, key=lambda entry: entry["id"]):
        text.append(f"{entry['date']} entry {entry['id']}")
        for line in entry["lines"]:
            amount = euros(cents_of(line["debit"]) - cents_of(line["credit"]))
            text.append(f"    {line['accountCode']}  EUR {amount}")
        text.append("")
    command = [shutil.which("hledger"), "-f", "-", "balance", "--flat", "--no-total", "--empty"]
    command += ["--daily", "--historical", "-O", "csv", "-b", str(FIRST), "-e", str(day(DAYS))]
    command += [f"^{code}$" for code in codes]
    text = "\n".join(text)
    done = subprocess.run(command, input=text, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    rows = list(csv.reader(io.StringIO(done.stdout)))
    found = {}
    for row in rows[1:]:
        for head, amount in zip(rows[0][1:], row[1:]):
            amount = amount.replace("EUR", "").replace(",", "").strip()
            found[(row[0], head)] = to_cents(amount or "0")
    return found, len(entries)


def compare(cells, client, accounts, what):
    """Compares each day of each account: the bank's payments that are booked, the API, hledger."""
    hledger, entries = by_hledger(client, [code for _, code, _, _ in accounts])
    cells.cell("balances", f"{what}: entries were booked", True, entries > 0)
    for account, code, lines, opening in accounts:
        path = f"/bank-accounts/{account}/days?from={FIRST}&to={day(DAYS - 1)}"
        for row in client.get(path)["data"]:
            date_ = date.fromisoformat(row["date"])
            until = [of for of in lines if of.date <= date_]
            booked = opening + sum(of.cents for of in until if of.is_booked)
            of_bank = opening + sum(of.cents for of in until)
            at = f"{what}: {code} on {date_}"
            cells.cell("hledger", at, booked, hledger.get((str(code), str(date_)), 0))
            cells.cell("books", at, booked, cents_of(row["booksBalance"]))
            # Before the first line and balance there is nothing to add up.
            if until or row["linesBalance"] is not None:
                cells.cell("lines", at, of_bank, cents_of(row["linesBalance"]))
            if row["bankBalance"] is not None:
                cells.cell("bank", at, of_bank, cents_of(row["bankBalance"]))
                cells.cell("difference", at, of_bank - booked, cents_of(row["difference"]))


def judge(cells, client, seed):
    """Sends, books, compares, undoes a part and compares again."""
    rng = random.Random(seed)
    made = [
        client.post("/bank-accounts", {"name": name, "kind": kind, "iban": iban})
        for name, kind, iban in (("Betaal", "checking", CHECKING), ("Spaar", "savings", SAVINGS))
    ]
    ids, codes = [of["id"] for of in made], [of["accountCode"] for of in made]
    opening = {"date": FIRST, "balances": [{"account": str(codes[0]), "amount": euros(OPENING)}]}
    client.post("/opening-balance", opening)
    checking, savings = draw(rng)
    for expected, actual in send(client, rng, ids, checking, savings):
        cells.cell("import", "number of lines", expected, actual)
    accounts = [(ids[0], codes[0], checking, OPENING), (ids[1], codes[1], savings, 0)]
    booked = []
    for place, lines in enumerate((checking, savings)):
        other = ids[1 - place]
        for line in rng.sample(lines, len(lines)):
            if line.is_booked:
                continue
            body = {"allocations": allocations(client, rng, line, other, codes[place])}
            client.post(f"/bank-lines/{line.id}/book", body)
            for each in (line, line.partner):
                if each is not None:
                    each.is_booked = True
            booked.append((line, body["allocations"][0]["kind"]))
    compare(cells, client, accounts, "all booked")
    for line, kind in rng.sample(booked, len(booked) // 5):
        client.post(f"/bank-lines/{line.id}/undo")
        for each in (line, line.partner):
            # What was booked by hand stays in the books.
            if each is not None and kind != "existing":
                each.is_booked = False
    compare(cells, client, accounts, "a fifth undone")
