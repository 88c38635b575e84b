// A tour of the API with a client that openapi-typescript generated: from a contact to the annual summary. The account has no books yet.
// `cargo lab judge --only typescript` generates schema.d.ts beside this, compiles and runs it.

import assert from "node:assert/strict";
import createClient from "openapi-fetch";
import type { components, paths } from "./schema.js";

type Problem = components["schemas"]["Problem"];

const [origin, key] = [process.env["JUDGE_ORIGIN"], process.env["JUDGE_KEY"]];
assert(origin && key, "JUDGE_ORIGIN and JUDGE_KEY say where the server is and who we are");
const api = createClient<paths>({ baseUrl: origin, headers: { "X-API-Key": key } });

/** The data of an answer that must have the status. */
function given<T>(answer: { data?: T; error?: Problem; response: Response }, status: number): T {
  assert.equal(answer.response.status, status, JSON.stringify(answer.error));
  assert(answer.data !== undefined);
  return answer.data;
}

/** A sum of amounts, in euros. */
function sum(amounts: (number | null)[]): number {
  return amounts.reduce<number>((cents, amount) => cents + Math.round((amount ?? 0) * 100), 0) / 100;
}

// A contact, twice: the second time it is known.
const newContact = { externalId: "c-1", name: "Bakkerij De Korenaar", email: "administratie@korenaar.example" };
const contact = given(await api.POST("/api/v1/contacts", { body: newContact }), 201);
assert.equal(contact.country, "NL");
assert.equal(given(await api.POST("/api/v1/contacts", { body: newContact }), 200).id, contact.id);

// An invoice that a credit note takes back partly, later.
const other = given(
  await api.POST("/api/v1/invoices", {
    body: {
      externalId: "o-1",
      invoiceDate: "2026-02-02",
      status: "sent",
      customer: { externalId: "c-1" },
      items: [{ description: "Advice", quantity: 4, unitPrice: 25, vatRate: 21 }],
    },
  }),
  201,
);
assert.deepEqual([other.number, other.status, other.total], ["2026-0001", "sent", 121]);
assert.equal(other.customer.contactId, contact.id);

// A draft.
const guide = { description: "Printed guide", quantity: 2, unitPrice: 12.5, vatRate: 9 } as const;
const made = await api.POST("/api/v1/invoices", {
  body: {
    externalId: "o-2",
    invoiceDate: "2026-03-13",
    customer: { externalId: "c-1" },
    items: [{ description: "Design of a web page", quantity: 8, unitPrice: 95.5, vatRate: 21 }, guide],
  },
});
const draft = given(made, 201);
assert.deepEqual([draft.number, draft.status, draft.paid], ["2026-0002", "draft", false]);
assert.deepEqual([draft.subtotal, draft.vatTotal, draft.total, draft.amountDue], [789, 162.69, 951.69, 951.69]);
assert.deepEqual(draft.vat.map((vat) => [vat.rate, vat.base, vat.amount, vat.box]), [
  [21, 764, 160.44, "1a"],
  [9, 25, 2.25, "1b"],
]);

// Edited by who has seen it last, and by nobody else.
const path = { id: draft.id };
const etag = made.response.headers.get("ETag");
assert(etag);
const edit = { items: [{ description: "Design of a web page", quantity: 9, unitPrice: 95.5, vatRate: 21 }, guide] };
const edited = given(
  await api.PATCH("/api/v1/invoices/{id}", { params: { path, header: { "If-Match": etag } }, body: edit }),
  200,
);
assert.deepEqual([edited.number, edited.status, edited.total], ["2026-0002", "draft", 1067.25]);
const late = await api.PATCH("/api/v1/invoices/{id}", {
  params: { path, header: { "If-Match": etag } },
  body: { reference: "PO 8" },
});
assert.equal(late.error?.status, 412);

// Sent: its number stays, and it is edited no more.
const sent = given(await api.PATCH("/api/v1/invoices/{id}", { params: { path }, body: { status: "sent" } }), 200);
assert.deepEqual([sent.number, sent.status, sent.total, sent.paid], ["2026-0002", "sent", 1067.25, false]);
const refused = await api.PATCH("/api/v1/invoices/{id}", { params: { path }, body: { notes: "Thank you" } });
assert.equal(refused.error?.code, "not_a_draft");

// Paid in two parts, the second being all that is left.
const part = given(
  await api.POST("/api/v1/invoices/{id}/payments", {
    params: { path },
    body: { externalId: "b-1", date: "2026-03-14", amount: 400 },
  }),
  201,
);
assert.deepEqual([part.invoiceId, part.amount, part.method], [draft.id, 400, "bank"]);
const partly = given(await api.GET("/api/v1/invoices/{id}", { params: { path } }), 200);
assert.deepEqual([partly.paid, partly.paidAt, partly.amountPaid, partly.amountDue], [false, null, 400, 667.25]);
const rest = given(
  await api.POST("/api/v1/invoices/{id}/payments", { params: { path }, body: { externalId: "b-2", date: "2026-03-20" } }),
  201,
);
assert.equal(rest.amount, 667.25);
const paid = given(await api.GET("/api/v1/invoices/{id}", { params: { path } }), 200);
assert.deepEqual([paid.paid, paid.paidAt, paid.amountPaid, paid.amountDue], [true, "2026-03-20", 1067.25, 0]);

// A credit note of the other invoice.
const credit = given(
  await api.POST("/api/v1/invoices/{id}/credit-notes", {
    params: { path: { id: other.id } },
    body: {
      externalId: "r-1",
      date: "2026-03-21",
      reason: "An hour less.",
      items: [{ description: "Advice", quantity: 1, unitPrice: 25, vatRate: 21 }],
    },
  }),
  201,
);
assert.deepEqual([credit.kind, credit.number, credit.creditedInvoiceId], ["creditNote", "2026-0003", other.id]);
assert.deepEqual([credit.subtotal, credit.vatTotal, credit.total], [-25, -5.25, -30.25]);
const credited = given(await api.GET("/api/v1/invoices/{id}", { params: { path: { id: other.id } } }), 200);
assert.deepEqual([credited.amountCredited, credited.amountDue, credited.paid], [30.25, 90.75, false]);

// What cannot be used is told with its place.
const faulty = await api.POST("/api/v1/invoices", {
  body: { invoiceDate: "2026-02-30", customer: { externalId: "c-1" }, items: [guide] },
});
assert(faulty.error !== undefined && "errors" in faulty.error);
assert.equal(faulty.error.code, "validation_failed");
assert.deepEqual(faulty.error.errors?.map((fault) => [fault.pointer, fault.code]), [["/invoiceDate", "invalid_date"]]);

// The VAT return of the quarter, and the postings behind a box.
const quarter = { year: 2026, quarter: 1 };
const filing = given(await api.GET("/api/v1/vat-filings/{year}/{quarter}", { params: { path: quarter } }), 200);
const boxes = new Map(filing.boxes.map((box) => [box.box, box]));
const box = (name: components["schemas"]["VatFilingBox"]["box"]) => {
  const found = boxes.get(name);
  assert(found, `the return has no box ${name}`);
  return found;
};
assert.deepEqual([box("1a").turnover, box("1a").vat, box("1b").turnover, box("1b").vat], [934.5, 196.25, 25, 2.25]);
assert.deepEqual([box("5a").vat, box("5b").vat, box("5g").vat, filing.payable], [198.5, 0, 198.5, 198.5]);
const due = filing.boxes.filter((line) => !line.box.startsWith("5"));
assert.equal(sum(due.map((line) => line.vat)), box("5a").vat);
assert.equal(filing.status, "open");
const behind = given(
  await api.GET("/api/v1/vat-filings/{year}/{quarter}/boxes/{box}", { params: { path: { ...quarter, box: "1a" } } }),
  200,
);
assert.equal(behind.nextCursor, null);
assert.equal(sum(behind.data.map((posting) => posting.turnover)), box("1a").turnover);
assert.equal(sum(behind.data.map((posting) => posting.vat)), box("1a").vat);

// The year.
const summary = given(await api.GET("/api/v1/summary/{year}", { params: { path: { year: 2026 } } }), 200);
assert.deepEqual([summary.revenue, summary.profit, summary.receivables], [959.5, 959.5, 90.75]);
assert.deepEqual([summary.vat.charged, summary.vat.deductible, summary.vat.payable], [198.5, 0, 198.5]);
assert.deepEqual([summary.invoices.count, summary.invoices.drafts], [3, 0]);

console.log("typescript: the tour went as it should");

// A file as it is: the generator calls it a string.
const pdf = new TextEncoder().encode("%PDF-1.7 a receipt for toner");
const receipt = given(
  await api.POST("/api/v1/receipts", {
    params: { query: { name: "toner.pdf" } },
    body: pdf as unknown as string,
    bodySerializer: (body) => body,
    headers: { "Content-Type": "application/pdf" },
  }),
  201,
);
assert.deepEqual([receipt.name, receipt.mediaType, receipt.size], ["toner.pdf", "application/pdf", pdf.length]);
const file = await api.GET("/api/v1/receipts/{id}/file", { params: { path: { id: receipt.id } }, parseAs: "arrayBuffer" });
assert.deepEqual(new Uint8Array(given(file, 200)), pdf);
