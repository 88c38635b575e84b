"""Second reader of the samples, for comparison only: prints file, date, cents, IBAN per line.

Uses the standard library alone. It knows nothing of texts, balances or dialects; an IBAN is found
by its place in each notation.
"""

import csv
import datetime
import pathlib
import re
import xml.etree.ElementTree as ElementTree
from decimal import Decimal

HERE = pathlib.Path(__file__).parent
IBAN = r"[A-Z]{2}\d{2}[A-Z0-9]{11,30}"


def cents(text):
    text = text.strip()
    if re.search(r",\d{0,2}$", text):
        text = text.replace(".", "").replace(",", ".")
    value = Decimal(text) * 100
    assert value == int(value), text
    return int(value)


def text_of(path):
    data = path.read_bytes()
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return data.decode("cp1252")


def camt(path):
    def local(element):
        return element.tag.rsplit("}", 1)[-1]

    def find(element, *names):
        for name in names:
            element = next((child for child in element if local(child) == name), None)
            if element is None:
                return None
        return element

    root = ElementTree.parse(path).getroot()
    for statement in (element for element in root.iter() if local(element) == "Stmt"):
        if find(statement, "Acct", "Ccy").text != "EUR":
            continue
        for entry in (child for child in statement if local(child) == "Ntry"):
            amount = find(entry, "Amt")
            status = find(entry, "Sts")
            if (status.text or find(status, "Cd").text).strip() != "BOOK":
                continue
            out = find(entry, "CdtDbtInd").text == "DBIT"
            day = find(entry, "BookgDt")[0].text[:10]
            party = find(entry, "NtryDtls", "TxDtls", "RltdPties", "CdtrAcct" if out else "DbtrAcct", "Id", "IBAN")
            yield day, cents(amount.text) * (-1 if out else 1), "" if party is None else party.text


def day_of(line):
    year, month, day = 2000 + int(line[:2]), int(line[2:4]), int(line[4:6])
    try:
        value = datetime.date(year, month, day)
    except ValueError:
        value = datetime.date(year, month, 28)
    entry = re.match(r"\d{6}(\d\d)(\d\d)", line)
    if not entry:
        return value
    days = [datetime.date(y, int(entry[1]), int(entry[2])) for y in (year - 1, year, year + 1)]
    return min(days, key=lambda other: abs((other - value).days))


def mt940(path):
    lines = text_of(path).splitlines()
    currency = "EUR"
    for index, line in enumerate(lines):
        opening = re.match(r":60[FM]:[CD]\d{6}([A-Z]{3})", line)
        if opening:
            currency = opening[1]
        if not line.startswith(":61:") or currency != "EUR":
            continue
        match = re.match(r":61:\d{6}(?:\d{4})?(R?)([CD])[A-Z]?([\d,.]+)(.*)", line)
        following = []
        for other in lines[index + 1:]:
            if re.match(r":(20|25P?|28C?|61|6[02][FM]|64|65|940):", other) or re.match(r"-($|}|X)", other):
                break
            following.append(other)
        supplement = following[0] if following and not following[0].startswith(":86:") else ""
        details = "".join(re.sub("^:86:", "", other) for other in following if other != supplement)
        iban = ""
        for pattern, where in (
            (rf"/CNTP/({IBAN})/", details),
            (rf"/IBAN/({IBAN})(?:/|$)", details),
            (rf"REK: ({IBAN})/", details),
            (rf"IBAN: ({IBAN})\b", details),
            (rf">21({IBAN})\s*>", details),
            (rf"\?31({IBAN})\?", details),
            (rf"^N[A-Z]{{3}}({IBAN})$", match[4].strip()),
            (rf"^({IBAN})\s*$", supplement),
        ):
            found = re.search(pattern, where)
            if found:
                iban = found[1]
                break
        out = (match[2] == "D") != (match[1] == "R")
        yield day_of(line[4:]).isoformat(), cents(match[3]) * (-1 if out else 1), iban


def date_of(text):
    for form in ("%Y-%m-%d", "%Y%m%d", "%d-%m-%Y", "%d/%m/%Y"):
        try:
            return datetime.datetime.strptime(text.strip(), form).date().isoformat()
        except ValueError:
            pass
    raise ValueError(text)


def table(path):
    lines = text_of(path).splitlines()
    if path.name == "bunq.csv":
        lines = [next(csv.reader([line]))[0] for line in lines]
    if lines[0].startswith("KNAB EXPORT"):
        lines = lines[1:]
    delimiter = ";" if lines[0].count(";") > lines[0].count(",") else ","
    if path.name in ("asn.csv", "sns.csv"):
        for row in csv.reader(lines, quotechar="'"):
            yield date_of(row[0]), cents(row[10]), row[2]
    elif path.name == "triodos.csv":
        for row in csv.reader(lines):
            yield date_of(row[0]), cents(row[2]) * (-1 if row[3] == "Debet" else 1), row[5].split()[-1]
    else:
        for row in csv.DictReader(lines, delimiter=delimiter):
            row = {name.lower(): value for name, value in row.items() if name}
            day = row.get("datum") or row.get("date") or row.get("boekdatum")
            amount = next(value for name, value in row.items() if re.match("bedrag|amount", name))
            sign = row.get("af bij") or row.get("debit/credit") or row.get("creditdebet") or ""
            party = next(
                row[name]
                for name in ("tegenrekening", "tegenrekening iban/bban", "tegenrekeningnummer", "counterparty")
                if name in row
            )
            yield date_of(day), cents(amount) * (-1 if sign in ("Af", "Debit", "D") else 1), party.strip()


for path in sorted(HERE.glob("*/*")):
    readers = {".xml": camt, ".sta": mt940, ".csv": table}
    if path.suffix in readers:
        for day, amount, iban in readers[path.suffix](path):
            print(path.relative_to(HERE), day, amount, iban, sep="\t")
