"""A tour of the API with a client that openapi-python-client generated: from a contact to the annual summary.

The account has no books yet. `cargo lab judge --only python` generates the package `grootboek_client` beside this, checks the types and runs it.
"""

import datetime
import io
import os
from collections.abc import Iterable
from http import HTTPStatus
from typing import Protocol, TypeVar

from grootboek_client import AuthenticatedClient
from grootboek_client.api.annual_summary import read_summary
from grootboek_client.api.contacts import create_contact
from grootboek_client.api.invoices import create_credit_note, create_invoice, create_payment, edit_invoice, read_invoice
from grootboek_client.api.receipts import create_receipt, read_receipt_file
from grootboek_client.api.vat_returns import list_vat_box_postings, read_vat_filing
from grootboek_client.models import (
    AnnualSummary,
    Contact,
    CreateContactRequest,
    CreateCreditNoteRequest,
    CreateInvoiceItemInput,
    CreateInvoiceRequest,
    CreateInvoiceStatus,
    CreatePaymentRequest,
    CustomerInput,
    EditInvoiceRequest,
    Invoice,
    InvoiceKind,
    InvoiceStatus,
    ListVatBoxPostingsBox,
    Payment,
    PaymentMethod,
    Receipt,
    VatBoxPostingPage,
    VatFiling,
    VatFilingBoxBox,
    VatFilingStatus,
)
from grootboek_client.types import File

T = TypeVar("T")


class Answer(Protocol):
    """What the generated calls give, whatever they parse."""

    @property
    def status_code(self) -> HTTPStatus: ...

    @property
    def parsed(self) -> object: ...


client = AuthenticatedClient(
    base_url=os.environ["JUDGE_ORIGIN"], token=os.environ["JUDGE_KEY"], prefix="", auth_header_name="X-API-Key"
)


def day(month: int, day_of_month: int) -> datetime.date:
    return datetime.date(2026, month, day_of_month)


def given(kind: type[T], answer: Answer, status: HTTPStatus) -> T:
    """What an answer holds that must have the status."""
    assert answer.status_code == status, answer
    assert isinstance(answer.parsed, kind), answer
    return answer.parsed


def refused(answer: Answer, status: HTTPStatus, code: str) -> dict[str, object]:
    """What an answer says that must be this problem. The generator reads problems into a class of their own for each."""
    assert answer.status_code == status, answer
    problem = answer.parsed
    assert problem is not None and hasattr(problem, "to_dict"), answer
    said: dict[str, object] = problem.to_dict()
    assert (said["status"], said["code"]) == (status.value, code), said
    return said


def total(amounts: Iterable[float | None]) -> float:
    return sum(round((amount or 0) * 100) for amount in amounts) / 100


def same(said: tuple[object, ...], expected: tuple[object, ...]) -> None:
    assert said == expected, f"{said} and not {expected}"


# A contact, twice: the second time it is known.
new_contact = CreateContactRequest(
    external_id="c-1", name="Bakkerij De Korenaar", email="administratie@korenaar.example"
)
contact = given(Contact, create_contact.sync_detailed(client=client, body=new_contact), HTTPStatus.CREATED)
same((contact.country, contact.external_id), ("NL", "c-1"))
again = given(Contact, create_contact.sync_detailed(client=client, body=new_contact), HTTPStatus.OK)
assert again.id == contact.id
customer = CustomerInput(external_id="c-1")

# An invoice that a credit note takes back partly, later.
body = CreateInvoiceRequest(
    external_id="o-1",
    invoice_date=day(2, 2),
    status=CreateInvoiceStatus.SENT,
    customer=customer,
    items=[CreateInvoiceItemInput(description="Advice", quantity=4, unit_price=25, vat_rate=21)],
)
other = given(Invoice, create_invoice.sync_detailed(client=client, body=body), HTTPStatus.CREATED)
same((other.number, other.status, other.total), ("2026-0001", InvoiceStatus.SENT, 121))
assert other.customer.contact_id == contact.id

# A draft.
body = CreateInvoiceRequest(
    external_id="o-2",
    invoice_date=day(3, 13),
    customer=customer,
    items=[
        CreateInvoiceItemInput(description="Design of a web page", quantity=8, unit_price=95.5, vat_rate=21),
        CreateInvoiceItemInput(description="Printed guide", quantity=2, unit_price=12.5, vat_rate=9),
    ],
)
made = create_invoice.sync_detailed(client=client, body=body)
draft = given(Invoice, made, HTTPStatus.CREATED)
same((draft.number, draft.status, draft.paid), ("2026-0002", InvoiceStatus.DRAFT, False))
same((draft.subtotal, draft.vat_total, draft.total, draft.amount_due), (789, 162.69, 951.69, 951.69))
same(
    tuple((vat.rate, vat.base, vat.amount, vat.box) for vat in draft.vat), ((21, 764, 160.44, "1a"), (9, 25, 2.25, "1b"))
)

# Edited by who has seen it last, and by nobody else.
edit = EditInvoiceRequest(
    items=[
        CreateInvoiceItemInput(description="Design of a web page", quantity=9, unit_price=95.5, vat_rate=21),
        CreateInvoiceItemInput(description="Printed guide", quantity=2, unit_price=12.5, vat_rate=9),
    ]
)
etag = made.headers["ETag"]
edited = given(Invoice, edit_invoice.sync_detailed(draft.id, client=client, body=edit, if_match=etag), HTTPStatus.OK)
same((edited.number, edited.status, edited.total), ("2026-0002", InvoiceStatus.DRAFT, 1067.25))
late = edit_invoice.sync_detailed(draft.id, client=client, body=EditInvoiceRequest(reference="PO 8"), if_match=etag)
refused(late, HTTPStatus.PRECONDITION_FAILED, "precondition_failed")

# Sent: its number stays, and it is edited no more.
sending = EditInvoiceRequest(status=CreateInvoiceStatus.SENT)
sent = given(Invoice, edit_invoice.sync_detailed(draft.id, client=client, body=sending), HTTPStatus.OK)
same((sent.number, sent.status, sent.total, sent.paid), ("2026-0002", InvoiceStatus.SENT, 1067.25, False))
thanks = EditInvoiceRequest(notes="Thank you")
refused(edit_invoice.sync_detailed(draft.id, client=client, body=thanks), HTTPStatus.CONFLICT, "not_a_draft")

# Paid in two parts, the second being all that is left.
paying = CreatePaymentRequest(external_id="b-1", date=day(3, 14), amount=400)
part = given(Payment, create_payment.sync_detailed(draft.id, client=client, body=paying), HTTPStatus.CREATED)
same((part.invoice_id, part.amount, part.method), (draft.id, 400, PaymentMethod.BANK))
partly = given(Invoice, read_invoice.sync_detailed(draft.id, client=client), HTTPStatus.OK)
same((partly.paid, partly.paid_at, partly.amount_paid, partly.amount_due), (False, None, 400, 667.25))
paying = CreatePaymentRequest(external_id="b-2", date=day(3, 20))
rest = given(Payment, create_payment.sync_detailed(draft.id, client=client, body=paying), HTTPStatus.CREATED)
assert rest.amount == 667.25, rest
paid = given(Invoice, read_invoice.sync_detailed(draft.id, client=client), HTTPStatus.OK)
same((paid.paid, paid.paid_at, paid.amount_paid, paid.amount_due), (True, day(3, 20), 1067.25, 0))

# A credit note of the other invoice.
taking_back = CreateCreditNoteRequest(
    external_id="r-1",
    date=day(3, 21),
    reason="An hour less.",
    items=[CreateInvoiceItemInput(description="Advice", quantity=1, unit_price=25, vat_rate=21)],
)
credit = given(Invoice, create_credit_note.sync_detailed(other.id, client=client, body=taking_back), HTTPStatus.CREATED)
same((credit.kind, credit.number, credit.credited_invoice_id), (InvoiceKind.CREDITNOTE, "2026-0003", other.id))
same((credit.subtotal, credit.vat_total, credit.total), (-25, -5.25, -30.25))
credited = given(Invoice, read_invoice.sync_detailed(other.id, client=client), HTTPStatus.OK)
same((credited.amount_credited, credited.amount_due, credited.paid), (30.25, 90.75, False))

# What cannot be used is told with its place.
body = CreateInvoiceRequest(
    invoice_date=day(3, 13),
    customer=customer,
    items=[CreateInvoiceItemInput(description="Advice", unit_price=25, vat_rate=6)],
)
faulty = refused(
    create_invoice.sync_detailed(client=client, body=body), HTTPStatus.UNPROCESSABLE_ENTITY, "validation_failed"
)
assert "/items/0/vatRate" in str(faulty["errors"]), faulty

# The VAT return of the quarter, and the postings behind a box.
filing = given(VatFiling, read_vat_filing.sync_detailed(2026, 1, client=client), HTTPStatus.OK)
boxes = {box.box: box for box in filing.boxes}
high, low = boxes[VatFilingBoxBox("1a")], boxes[VatFilingBoxBox("1b")]
same((high.turnover, high.vat, low.turnover, low.vat), (934.5, 196.25, 25, 2.25))
vat_of = {box.box.value: box.vat for box in filing.boxes}
same((vat_of["5a"], vat_of["5b"], vat_of["5g"], filing.payable), (198.5, 0, 198.5, 198.5))
assert total(vat for name, vat in vat_of.items() if not name.startswith("5")) == vat_of["5a"], vat_of
assert filing.status == VatFilingStatus.OPEN, filing
postings = list_vat_box_postings.sync_detailed(2026, 1, ListVatBoxPostingsBox("1a"), client=client)
behind = given(VatBoxPostingPage, postings, HTTPStatus.OK)
assert behind.next_cursor is None, behind
same((total(row.turnover for row in behind.data), total(row.vat for row in behind.data)), (high.turnover, high.vat))

# The year.
summary = given(AnnualSummary, read_summary.sync_detailed(2026, client=client), HTTPStatus.OK)
same((summary.revenue, summary.profit, summary.receivables), (959.5, 959.5, 90.75))
same((summary.vat.charged, summary.vat.deductible, summary.vat.payable), (198.5, 0, 198.5))
same((summary.invoices.count, summary.invoices.drafts), (3, 0))

print("python: the tour went as it should")

# A file as it is. The generator knows no pictures and PDF in answers: their bytes are in the answer as it came.
pdf = b"%PDF-1.7 a receipt for toner"
receipt = given(Receipt, create_receipt.sync_detailed(client=client, body=File(payload=io.BytesIO(pdf)), name="toner.pdf"), HTTPStatus.CREATED)
assert (receipt.name, receipt.media_type, receipt.size) == ("toner.pdf", "application/pdf", len(pdf))
assert read_receipt_file.sync_detailed(receipt.id, client=client).content == pdf
