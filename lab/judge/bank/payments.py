"""Payment files and codes of payments: batches of bills with every kind of reference."""

from datetime import date, timedelta
from decimal import Decimal
import subprocess

from lxml import etree

from money import euros, to_cents

IBAN = "NL91ABNA0417164300"
PAYEES = ("NL02ABNA0123456789", "BE68539007547034", "DE89370400440532013000")
NAMES = (
    "Papierhal",
    "Bäckerei Zoë & Søn B.V.",
    "O’Brien; Café Ünal – 100% €",
    "Łódź Logistiek \"Noord\" <Oost>",
    "王小明 Trading",
    "Vereniging van eigenaars van het appartementengebouw Oudegracht 12",
)
# Reference of a bill, and how it is expected in a file: as a structured reference with its issuer,
# or as a text.
REFERENCES = (
    ({"payTo": {"reference": "2036 0000 1630 1110"}}, ("CUR", "2036000016301110")),
    ({"payTo": {"reference": "RF18 5390 0754 7034"}}, ("ISO", "RF18539007547034")),
    ({"payTo": {"reference": "2036000016301111"}}, None),
    ({"payTo": {"reference": "Klant 12 / façade 7"}}, None),
    ({"supplierInvoiceNumber": "F-2026/0028"}, None),
    ({"supplierInvoiceNumber": "“Ünal” & zn. №7"}, None),
    ({}, None),
)
# Width in pixels at 100 dpi of a code as the page of a bill shows it: 192 px of CSS.
WIDTH = 200


def bill(client, number):
    """Records a bill to pay; returns its id, its amount in cents and its expected reference."""
    fields, expected = REFERENCES[number % len(REFERENCES)]
    cents = 12_100 + 121 * number
    body = {
        "date": date(date.today().year, 1, 2),
        "supplier": NAMES[number % len(NAMES)],
        "description": "Toner “Noord”",
        "paidFrom": "unpaid",
        "items": [{"category": "4100", "amount": euros(cents), "vatRate": 21, "includesVat": True}],
        **fields,
    }
    body["payTo"] = {"iban": PAYEES[number % len(PAYEES)], **fields.get("payTo", {})}
    return client.post("/expenses", body)["id"], cents, expected


def text_of(element, path):
    """Text of a descendant, in any namespace."""
    return element.findtext("/".join("{*}" + name for name in path.split("/")))


def file_of(cells, client, validator, folder, batch, bills):
    """Judges the files of a batch in both versions."""
    for version in (9, 3):
        path = f"/payment-batches/{batch['id']}/file?version={version}"
        bytes_ = client.text(path)
        cells.cell("file", f"{path} again", True, bytes_ == client.text(path))
        file = folder / f"{batch['id']}-{version}.xml"
        file.write_bytes(bytes_)
        judged = validator.judge(str(file))
        cells.cell("schema", path, [f"pain.001.001.{version:02}", "SEPA"], judged["layers"])
        cells.cell("schema", path, [], judged["findings"])
        root = etree.fromstring(bytes_)
        payments = list(root.iter("{*}CdtTrfTxInf"))
        cells.cell("file", f"{path} payments", len(bills), len(payments))
        for item, payment, (_, cents, expected) in zip(batch["items"], payments, bills):
            at = f"{path} {item['endToEndId']}"
            cells.cell("file", at, item["endToEndId"], text_of(payment, "PmtId/EndToEndId"))
            cells.cell("file", at, item["iban"], text_of(payment, "CdtrAcct/Id/IBAN"))
            cells.cell("file", at, cents, to_cents(text_of(payment, "Amt/InstdAmt")))
            structured = payment.find("{*}RmtInf/{*}Strd/{*}CdtrRefInf")
            found = None
            if structured is not None:
                found = (text_of(structured, "Tp/Issr"), text_of(structured, "Ref"))
            cells.cell("file", at, expected, found)
            if expected is None and item["reference"]:
                words = text_of(payment, "RmtInf/Ustrd")
                cells.cell("file", f"{at} has a text", True, bool(words))


def code_of(cells, client, folder, expense):
    """Lets zbar read the code of a bill from both pictures."""
    path = f"/expenses/{expense}/payment-qr"
    payload = client.text(f"{path}?format=text")
    png, svg, drawn = (folder / name for name in ("code.png", "code.svg", "drawn.png"))
    png.write_bytes(client.text(f"{path}?format=png"))
    svg.write_bytes(client.text(path))
    draw = ["rsvg-convert", "--width", str(WIDTH), "--keep-aspect-ratio", "-o", drawn, svg]
    subprocess.run(draw, check=True)
    for picture in (png, drawn):
        read = ["zbarimg", "--quiet", "--raw", "-Sbinary", picture]
        done = subprocess.run(read, capture_output=True, check=False)
        cells.cell("code", f"{path} as {picture.name}", payload, done.stdout)


def judge(cells, client, validator, folder):
    """Makes batches of 1 bill of each kind and of 500, and codes of bills."""
    bank = client.post("/bank-accounts", {"name": "Zakelijk", "kind": "checking", "iban": IBAN})
    tomorrow = date.today() + timedelta(days=1)
    for first, count in [(number, 1) for number in range(len(REFERENCES))] + [(0, 500)]:
        bills = [bill(client, number) for number in range(first, first + count)]
        body = {
            "bankAccountId": bank["id"],
            "executionDate": tomorrow,
            "items": [{"expenseId": expense} for expense, *_ in bills],
        }
        batch = client.post("/payment-batches", body)
        total = sum(cents for _, cents, _ in bills)
        cells.cell("file", f"total of {count}", total, to_cents(batch["total"]))
        file_of(cells, client, validator, folder, batch, bills)
    for number in range(len(REFERENCES) * len(NAMES)):
        expense, *_ = bill(client, number)
        code_of(cells, client, folder, expense)
    # The largest code: a name of 70 signs and a text of 140, each of two bytes.
    long = {"payTo": {"iban": PAYEES[0], "name": "é" * 70, "reference": "ü" * 140}}
    expense, *_ = bill(client, 4)
    edited = client.call("PATCH", f"/expenses/{expense}", long)
    cells.cell("code", "amount due", True, edited["amountDue"] > Decimal(0))
    code_of(cells, client, folder, expense)
