//! Bad requests to every resource: what is said about each, and that the books stay byte for byte as they were.

use super::help::{books, one_of_everything};
use serde_json::json;
use std::{
    io::{Read, Write},
    net::TcpStream,
};
use testing::{Server, on_both_engines};

/// A bad request: method, path under `/api/v1`, body, and what is answered: status, code, faults by place and code.
type Bad = (&'static str, &'static str, &'static str, u16, &'static str, &'static [(&'static str, &'static str)]);

const MALFORMED: (u16, &str) = (400, "malformed_json");

/// A refusal with its faults.
const fn bad(
    method: &'static str,
    path: &'static str,
    body: &'static str,
    faults: &'static [(&'static str, &'static str)],
) -> Bad {
    (method, path, body, 422, "validation_failed", faults)
}

/// A refusal as a whole.
const fn no(method: &'static str, path: &'static str, body: &'static str, (status, code): (u16, &'static str)) -> Bad {
    (method, path, body, status, code, &[])
}

const NOT_FOUND: (u16, &str) = (404, "not_found");
const UNKNOWN: (u16, &str) = (404, "unknown_route");
const METHOD: (u16, &str) = (405, "method_not_allowed");
const CURSOR: (u16, &str) = (400, "invalid_cursor");

const TABLE: &[Bad] = &[
    // Contacts.
    bad("POST", "contacts", "{}", &[("/name", "required")]),
    bad("POST", "contacts", "[]", &[("", "invalid_type"), ("/name", "required")]),
    bad("POST", "contacts", "null", &[("", "invalid_type"), ("/name", "required")]),
    bad("POST", "contacts", "7", &[("", "invalid_type"), ("/name", "required")]),
    bad("POST", "contacts", r#"{"name":null}"#, &[("/name", "required")]),
    bad("POST", "contacts", r#"{"name":""}"#, &[("/name", "required")]),
    bad("POST", "contacts", r#"{"name":"\n \t"}"#, &[("/name", "required")]),
    bad("POST", "contacts", r#"{"name":5}"#, &[("/name", "invalid_type")]),
    bad("POST", "contacts", r#"{"name":{"first":"A"}}"#, &[("/name", "invalid_type")]),
    bad("POST", "contacts", r#"{"name":"a\u0000b"}"#, &[("/name", "invalid_format")]),
    bad("POST", "contacts", r#"{"name":"a\nb"}"#, &[("/name", "invalid_format")]),
    bad("POST", "contacts", r#"{"name":"a\u007fb"}"#, &[("/name", "invalid_format")]),
    bad("POST", "contacts", r#"{"name":"a\u0085b"}"#, &[("/name", "invalid_format")]),
    bad("POST", "contacts", r#"{"name":"A","country":""}"#, &[("/country", "unknown_value")]),
    bad("POST", "contacts", r#"{"name":"A","country":"ZZ"}"#, &[("/country", "unknown_value")]),
    bad("POST", "contacts", r#"{"name":"A","country":"Nederland"}"#, &[("/country", "unknown_value")]),
    bad("POST", "contacts", r#"{"name":"A","country":["NL"]}"#, &[("/country", "invalid_type")]),
    bad("POST", "contacts", r#"{"name":"A","email":"a b@c"}"#, &[("/email", "invalid_format")]),
    bad("POST", "contacts", r#"{"name":"A","email":"@"}"#, &[("/email", "invalid_format")]),
    bad("POST", "contacts", r#"{"name":"A","email":7}"#, &[("/email", "invalid_type")]),
    bad("POST", "contacts", r#"{"name":"A","vatNumber":"NL1"}"#, &[("/vatNumber", "invalid_format")]),
    bad("POST", "contacts", r#"{"name":"A","vatNumber":true}"#, &[("/vatNumber", "invalid_type")]),
    bad("POST", "contacts", r#"{"name":"A","kvkNumber":"123456789"}"#, &[("/kvkNumber", "invalid_format")]),
    bad("POST", "contacts", r#"{"name":"A","kvkNumber":"1234567a"}"#, &[("/kvkNumber", "invalid_format")]),
    bad("POST", "contacts", r#"{"name":"A","contactPerson":" "}"#, &[("/contactPerson", "required")]),
    bad("POST", "contacts", r#"{"name":"A","address":[]}"#, &[("/address", "invalid_type")]),
    bad(
        "POST",
        "contacts",
        r#"{"name":"A","address":{"street":5,"postalCode":"123456789012345678901","city":"\u0007","x":1}}"#,
        &[
            ("/address/street", "invalid_type"),
            ("/address/postalCode", "too_long"),
            ("/address/city", "invalid_format"),
            ("/address/x", "unknown_field"),
        ],
    ),
    bad("POST", "contacts", r#"{"name":"A","id":1}"#, &[("/id", "unknown_field")]),
    bad("POST", "contacts", r#"{"name":"A","Name":"B"}"#, &[("/Name", "unknown_field")]),
    bad("POST", "contacts", r#"{"name":"A","":1}"#, &[("/", "unknown_field")]),
    bad("POST", "contacts", r#"{"name":"A","a/b~c":1}"#, &[("/a~1b~0c", "unknown_field")]),
    bad("POST", "contacts", r#"{"name":"A","externalId":""}"#, &[("/externalId", "required")]),
    bad("POST", "contacts", r#"{"name":"A","externalId":1}"#, &[("/externalId", "invalid_type")]),
    bad("POST", "contacts", r#"{"name":"A","externalId":"a\tb"}"#, &[("/externalId", "invalid_format")]),
    bad(
        "POST",
        "contacts",
        r#"{"externalId":[],"name":0,"country":1,"email":2,"vatNumber":3,"kvkNumber":4,"contactPerson":5,"address":6,"x":7}"#,
        &[
            ("/externalId", "invalid_type"),
            ("/name", "invalid_type"),
            ("/country", "invalid_type"),
            ("/email", "invalid_type"),
            ("/vatNumber", "invalid_type"),
            ("/kvkNumber", "invalid_type"),
            ("/contactPerson", "invalid_type"),
            ("/address", "invalid_type"),
            ("/x", "unknown_field"),
        ],
    ),
    no("POST", "contacts", r#"{"name":"A","name":"B"}"#, MALFORMED),
    no("POST", "contacts", r#"{"name":"A"}}"#, MALFORMED),
    no("POST", "contacts", "", MALFORMED),
    no("PUT", "contacts", "{}", METHOD),
    no("PATCH", "contacts/1", "{}", METHOD),
    no("DELETE", "contacts/1", "", METHOD),
    no("GET", "contacts/0", "", NOT_FOUND),
    no("GET", "contacts/01x", "", NOT_FOUND),
    no("GET", "contacts/%2e%2e%2finvoices", "", NOT_FOUND),
    no("GET", "contacts/1/invoices", "", UNKNOWN),
    no("GET", "contacts/", "", UNKNOWN),
    bad("GET", "contacts?q=", "", &[("q", "required")]),
    bad("GET", "contacts?q=a%00b", "", &[("q", "invalid_format")]),
    bad("GET", "contacts?externalId=", "", &[("externalId", "required")]),
    bad("GET", "contacts?name=A", "", &[("name", "unknown_field")]),
    bad("GET", "contacts?q=a&q=b", "", &[("q", "too_many")]),
    bad("GET", "contacts?limit=abc", "", &[("limit", "out_of_range")]),
    no("GET", "contacts?cursor=", "", CURSOR),
    no("GET", "contacts?cursor=MQ==", "", CURSOR),
    no("GET", "contacts?cursor=LTE", "", CURSOR),
    // Time entries.
    bad(
        "POST",
        "time-entries",
        r#"{"projectId":0,"date":"2026-03-01","hours":1,"description":"x"}"#,
        &[("/projectId", "out_of_range")],
    ),
    bad(
        "POST",
        "time-entries",
        r#"{"projectId":-1,"date":"2026-03-01","hours":1,"description":"x"}"#,
        &[("/projectId", "out_of_range")],
    ),
    bad(
        "POST",
        "time-entries",
        r#"{"projectId":9,"date":"2026-03-01","hours":1,"description":"x"}"#,
        &[("/projectId", "unknown_project")],
    ),
    bad(
        "POST",
        "time-entries",
        r#"{"projectId":"1","date":"2026-03-01","hours":1,"description":"x"}"#,
        &[("/projectId", "invalid_type")],
    ),
    bad(
        "POST",
        "time-entries",
        r#"{"projectId":1.5,"date":"2026-03-01","hours":1,"description":"x"}"#,
        &[("/projectId", "invalid_type")],
    ),
    bad(
        "POST",
        "time-entries",
        r#"{"projectId":1e400,"date":"2026-03-01","hours":1,"description":"x"}"#,
        &[("/projectId", "out_of_range")],
    ),
    bad(
        "POST",
        "time-entries",
        r#"{"projectId":99999999999999999999,"date":"2026-03-01","hours":1,"description":"x"}"#,
        &[("/projectId", "out_of_range")],
    ),
    bad(
        "POST",
        "time-entries",
        r#"{"projectId":9223372036854775807,"date":"2026-03-01","hours":1,"description":"x"}"#,
        &[("/projectId", "unknown_project")],
    ),
    bad(
        "POST",
        "time-entries",
        r#"{"projectId":1,"date":"2026-02-29","hours":1,"description":"x"}"#,
        &[("/date", "invalid_date")],
    ),
    bad("POST", "time-entries", r#"{"projectId":1,"date":"2026-3-1","hours":1,"description":"x"}"#, &[("/date", "invalid_date")]),
    bad(
        "POST",
        "time-entries",
        r#"{"projectId":1,"date":"2026-00-10","hours":1,"description":"x"}"#,
        &[("/date", "invalid_date")],
    ),
    bad(
        "POST",
        "time-entries",
        r#"{"projectId":1,"date":"2100-01-01","hours":1,"description":"x"}"#,
        &[("/date", "invalid_date")],
    ),
    bad(
        "POST",
        "time-entries",
        r#"{"projectId":1,"date":"1999-12-31","hours":1,"description":"x"}"#,
        &[("/date", "invalid_date")],
    ),
    bad("POST", "time-entries", r#"{"projectId":1,"date":"","hours":1,"description":"x"}"#, &[("/date", "invalid_date")]),
    bad(
        "POST",
        "time-entries",
        r#"{"projectId":1,"date":null,"hours":null,"description":null}"#,
        &[("/date", "required"), ("/hours", "required"), ("/description", "required")],
    ),
    bad(
        "POST",
        "time-entries",
        r#"{"projectId":1,"date":"2026-03-01","hours":0,"description":"x"}"#,
        &[("/hours", "out_of_range")],
    ),
    bad(
        "POST",
        "time-entries",
        r#"{"projectId":1,"date":"2026-03-01","hours":-0.01,"description":"x"}"#,
        &[("/hours", "out_of_range")],
    ),
    bad(
        "POST",
        "time-entries",
        r#"{"projectId":1,"date":"2026-03-01","hours":24.001,"description":"x"}"#,
        &[("/hours", "out_of_range")],
    ),
    bad(
        "POST",
        "time-entries",
        r#"{"projectId":1,"date":"2026-03-01","hours":0.005,"description":"x"}"#,
        &[("/hours", "too_many")],
    ),
    bad(
        "POST",
        "time-entries",
        r#"{"projectId":1,"date":"2026-03-01","hours":1e99,"description":"x"}"#,
        &[("/hours", "out_of_range")],
    ),
    bad(
        "POST",
        "time-entries",
        r#"{"projectId":1,"date":"2026-02-14","hours":4.01,"description":"x"}"#,
        &[("/hours", "out_of_range")],
    ),
    bad(
        "POST",
        "time-entries",
        r#"{"projectId":1,"date":"2026-03-01","hours":1,"description":""}"#,
        &[("/description", "required")],
    ),
    bad(
        "POST",
        "time-entries",
        r#"{"projectId":1,"date":"2026-03-01","hours":1,"description":"\u0000"}"#,
        &[("/description", "invalid_format")],
    ),
    bad(
        "POST",
        "time-entries",
        r#"{"projectId":1,"date":"2026-03-01","hours":1,"description":"x","billable":true}"#,
        &[("/billable", "unknown_field")],
    ),
    bad(
        "POST",
        "time-entries",
        r#"{"projectId":9,"date":"2026-02-14","hours":5,"description":"x"}"#,
        &[("/projectId", "unknown_project"), ("/hours", "out_of_range")],
    ),
    no("POST", "time-entries", r#"{"projectId":2,"date":"2026-03-01","hours":1,"description":"x"}"#, (409, "project_archived")),
    no("POST", "time-entries", r#"{"projectId":1,"projectId":1,"date":"2026-03-01","hours":1,"description":"x"}"#, MALFORMED),
    no("POST", "time-entries", r#"{"projectId":1,"date":"2026-03-01","hours":0x1,"description":"x"}"#, MALFORMED),
    no("POST", "time-entries", r#"{"projectId":1,"date":"2026-03-01","hours":Infinity,"description":"x"}"#, MALFORMED),
    no("DELETE", "time-entries/1", "", METHOD),
    no("GET", "time-entries/2", "", NOT_FOUND),
    bad("GET", "time-entries?projectId=0", "", &[("projectId", "out_of_range")]),
    bad("GET", "time-entries?projectId=x", "", &[("projectId", "out_of_range")]),
    bad("GET", "time-entries?from=2026-02-30&to=x", "", &[("from", "invalid_date"), ("to", "invalid_date")]),
    bad("GET", "time-entries?from=2026-02-01&from=2026-02-02", "", &[("from", "too_many")]),
    bad("GET", "time-entries?year=2026", "", &[("year", "unknown_field")]),
    no("GET", "time-entries?cursor=x", "", CURSOR),
    // Hours log.
    bad("POST", "hours-log", "{}", &[("/date", "required"), ("/hours", "required"), ("/description", "required")]),
    bad(
        "POST",
        "hours-log",
        "\"x\"",
        &[("", "invalid_type"), ("/date", "required"), ("/hours", "required"), ("/description", "required")],
    ),
    bad(
        "POST",
        "hours-log",
        r#"{"date":"2026-03-01","hours":1,"description":"x","category":"sleep"}"#,
        &[("/category", "unknown_value")],
    ),
    bad(
        "POST",
        "hours-log",
        r#"{"date":"2026-03-01","hours":1,"description":"x","category":"Travel"}"#,
        &[("/category", "unknown_value")],
    ),
    bad(
        "POST",
        "hours-log",
        r#"{"date":"2026-03-01","hours":1,"description":"x","category":0}"#,
        &[("/category", "invalid_type")],
    ),
    bad("POST", "hours-log", r#"{"date":"2026-03-01","hours":"1","description":"x"}"#, &[("/hours", "invalid_type")]),
    bad("POST", "hours-log", r#"{"date":"2026-03-01","hours":25,"description":"x"}"#, &[("/hours", "out_of_range")]),
    bad("POST", "hours-log", r#"{"date":"2026-02-14","hours":4.5,"description":"x"}"#, &[("/hours", "out_of_range")]),
    bad(
        "POST",
        "hours-log",
        r#"{"date":"2026-02-15","hours":22.01,"description":""}"#,
        &[("/description", "required"), ("/hours", "out_of_range")],
    ),
    bad("POST", "hours-log", r#"{"date":"2026-13-01","hours":1,"description":"x"}"#, &[("/date", "invalid_date")]),
    bad(
        "POST",
        "hours-log",
        r#"{"date":"2026-03-01","hours":1,"description":"x","projectId":1}"#,
        &[("/projectId", "unknown_field")],
    ),
    bad(
        "POST",
        "hours-log",
        r#"{"date":"2026-03-01","hours":1,"description":"x","externalId":{}}"#,
        &[("/externalId", "invalid_type")],
    ),
    no("POST", "hours-log", r#"{"date":"2026-03-01","hours":+1,"description":"x"}"#, MALFORMED),
    no("POST", "hours-log", "{\"date\":\"2026-03-01\",\"hours\":1,\"description\":\"a\nb\"}", MALFORMED),
    no("PATCH", "hours-log/1", "{}", METHOD),
    no("GET", "hours-log/7", "", NOT_FOUND),
    bad("GET", "hours-log?year=1999", "", &[("year", "out_of_range")]),
    bad("GET", "hours-log?year=2100", "", &[("year", "out_of_range")]),
    bad("GET", "hours-log?year=", "", &[("year", "out_of_range")]),
    bad("GET", "hours-log?Year=2026", "", &[("Year", "unknown_field")]),
    // Invoices: lists and edits; what can be wrong with a new one is told elsewhere.
    bad("GET", "invoices?status=open", "", &[("status", "unknown_value")]),
    bad("GET", "invoices?paid=1", "", &[("paid", "unknown_value")]),
    bad("GET", "invoices?paid=TRUE", "", &[("paid", "unknown_value")]),
    bad("GET", "invoices?kind=creditnote", "", &[("kind", "unknown_value")]),
    bad("GET", "invoices?from=yesterday", "", &[("from", "invalid_date")]),
    bad("GET", "invoices?to=2026-04-31", "", &[("to", "invalid_date")]),
    bad("GET", "invoices?contactId=-1", "", &[("contactId", "out_of_range")]),
    bad("GET", "invoices?contactId=99999999999999999999", "", &[("contactId", "out_of_range")]),
    bad("GET", "invoices?number=", "", &[("number", "required")]),
    bad("GET", "invoices?externalId=%0a", "", &[("externalId", "required")]),
    bad("GET", "invoices?updatedSince=2026-03-15", "", &[("updatedSince", "invalid_format")]),
    bad("GET", "invoices?updatedSince=2026-03-15T25:00:00Z", "", &[("updatedSince", "invalid_format")]),
    bad("GET", "invoices?updatedSince=2026-03-15T11:00:00", "", &[("updatedSince", "invalid_format")]),
    bad("GET", "invoices?updatedSince=-009998-01-02T00:00:00Z", "", &[("updatedSince", "invalid_format")]),
    bad("GET", "invoices?limit=1e2", "", &[("limit", "out_of_range")]),
    bad("GET", "invoices?limit=%EF%BC%95", "", &[("limit", "out_of_range")]),
    bad("GET", "invoices?status=sent&status=sent", "", &[("status", "too_many")]),
    bad("GET", "invoices?sort=number", "", &[("sort", "unknown_field")]),
    bad("GET", "invoices/1?expand=items", "", &[("expand", "unknown_field")]),
    no("GET", "invoices?cursor=%FF", "", CURSOR),
    no("GET", "invoices?cursor=OTk5OTk5OTk5OTk5OTk5OTk5OTk5", "", CURSOR),
    no("GET", "invoices?cursor=MSAx", "", CURSOR),
    no("GET", "invoices/1/pdfs", "", UNKNOWN),
    no("GET", "invoices//1", "", UNKNOWN),
    no("POST", "invoices/1", "{}", METHOD),
    no("PUT", "invoices/2", "{}", METHOD),
    no("PATCH", "invoices", "{}", METHOD),
    no("PATCH", "invoices/99", r#"{"status":5}"#, NOT_FOUND),
    no("PATCH", "invoices/1", "{}", (409, "not_a_draft")),
    no("PATCH", "invoices/3", "{}", (409, "not_a_draft")),
    no("PATCH", "invoices/2", r#"{"invoiceDate":"2025-12-31"}"#, (409, "period_filed")),
    no("PATCH", "invoices/2", r#"{"notes":"a","notes":"b"}"#, MALFORMED),
    no("PATCH", "invoices/99", "{", MALFORMED),
    bad("PATCH", "invoices/2", r#"{"id":3}"#, &[("/id", "unknown_field")]),
    bad("PATCH", "invoices/2", r#"{"notes":"\u0000"}"#, &[("/notes", "invalid_format")]),
    bad("PATCH", "invoices/2", r#"{"reference":""}"#, &[("/reference", "required")]),
    bad(
        "PATCH",
        "invoices/2",
        r#"{"items":[{"description":"x","unitPrice":1,"vatRate":6}]}"#,
        &[("/items/0/vatRate", "unknown_vat_rate")],
    ),
    bad(
        "PATCH",
        "invoices/2",
        r#"{"items":[{"description":"x","unitPrice":1e10,"vatRate":21}]}"#,
        &[("/items/0/unitPrice", "out_of_range")],
    ),
    bad("PATCH", "invoices/2", r#"{"items":{"0":{}}}"#, &[("/items", "invalid_type")]),
    bad("PATCH", "invoices/2", r#"{"customer":[]}"#, &[("/customer", "invalid_type")]),
    bad("PATCH", "invoices/2", r#"{"customer":{"name":""}}"#, &[("/customer/name", "required")]),
    bad("PATCH", "invoices/2", r#"{"paymentTermDays":1e400}"#, &[("/paymentTermDays", "out_of_range")]),
    bad("PATCH", "invoices/2", r#"{"invoiceDate":"2099-12-15"}"#, &[("/invoiceDate", "out_of_range")]),
    bad("PATCH", "invoices/1", r#"{"status":"void"}"#, &[("/status", "unknown_value")]),
    no(
        "POST",
        "invoices",
        r#"{"invoiceDate":"2025-10-01","customer":{"name":"A"},"items":[{"description":"x","unitPrice":1,"vatRate":21}]}"#,
        (409, "period_filed"),
    ),
    // Payments.
    bad("POST", "invoices/1/payments", "{}", &[("/date", "required")]),
    bad("POST", "invoices/1/payments", "[]", &[("", "invalid_type"), ("/date", "required")]),
    bad("POST", "invoices/1/payments", r#"{"date":"2026-02-31"}"#, &[("/date", "invalid_date")]),
    bad("POST", "invoices/1/payments", r#"{"date":20260301}"#, &[("/date", "invalid_type")]),
    bad("POST", "invoices/1/payments", r#"{"date":"2026-03-01","amount":58.91}"#, &[("/amount", "exceeds_outstanding")]),
    bad("POST", "invoices/1/payments", r#"{"date":"2026-03-01","amount":0}"#, &[("/amount", "out_of_range")]),
    bad("POST", "invoices/1/payments", r#"{"date":"2026-03-01","amount":-58.9}"#, &[("/amount", "out_of_range")]),
    bad("POST", "invoices/1/payments", r#"{"date":"2026-03-01","amount":1.001}"#, &[("/amount", "too_many")]),
    bad("POST", "invoices/1/payments", r#"{"date":"2026-03-01","amount":"1"}"#, &[("/amount", "invalid_type")]),
    bad("POST", "invoices/1/payments", r#"{"date":"2026-03-01","method":"ideal"}"#, &[("/method", "unknown_value")]),
    bad("POST", "invoices/1/payments", r#"{"date":"2026-03-01","method":1}"#, &[("/method", "invalid_type")]),
    bad("POST", "invoices/1/payments", r#"{"date":"2026-03-01","reference":"a\nb"}"#, &[("/reference", "invalid_format")]),
    bad("POST", "invoices/1/payments", r#"{"date":"2026-03-01","currency":"USD"}"#, &[("/currency", "unknown_field")]),
    bad(
        "POST",
        "invoices/1/payments",
        r#"{"externalId":" ","date":"x","amount":0,"method":"x","reference":1}"#,
        &[
            ("/externalId", "required"),
            ("/date", "invalid_date"),
            ("/amount", "out_of_range"),
            ("/method", "unknown_value"),
            ("/reference", "invalid_type"),
        ],
    ),
    no("POST", "invoices/2/payments", r#"{"date":"2026-03-01"}"#, (409, "is_a_draft")),
    no("POST", "invoices/1/payments", r#"{"date":"2025-12-31"}"#, (409, "period_filed")),
    no("POST", "invoices/99/payments", r#"{"date":5}"#, NOT_FOUND),
    no("POST", "invoices/x/payments", "{}", NOT_FOUND),
    no("POST", "invoices/1/payments", "{\"date\"", MALFORMED),
    no("DELETE", "invoices/1/payments/1", "", METHOD),
    no("PATCH", "invoices/1/payments", "{}", METHOD),
    no("GET", "invoices/2/payments/1", "", NOT_FOUND),
    no("GET", "invoices/1/payments/2", "", NOT_FOUND),
    no("GET", "invoices/99/payments", "", NOT_FOUND),
    bad("GET", "invoices/1/payments?method=bank", "", &[("method", "unknown_field")]),
    // Credit notes.
    bad("POST", "invoices/1/credit-notes", "[]", &[("", "invalid_type")]),
    bad("POST", "invoices/1/credit-notes", r#"{"items":[]}"#, &[("/items", "required")]),
    bad(
        "POST",
        "invoices/1/credit-notes",
        r#"{"items":[{}]}"#,
        &[("/items/0/description", "required"), ("/items/0/unitPrice", "required"), ("/items/0/vatRate", "required")],
    ),
    bad(
        "POST",
        "invoices/1/credit-notes",
        r#"{"items":[{"description":"x","unitPrice":90.01,"vatRate":21}]}"#,
        &[("/items", "exceeds_outstanding")],
    ),
    bad(
        "POST",
        "invoices/1/credit-notes",
        r#"{"items":[{"description":"x","unitPrice":1,"vatRate":6}]}"#,
        &[("/items/0/vatRate", "unknown_vat_rate")],
    ),
    bad("POST", "invoices/1/credit-notes", r#"{"date":"2026-06-31"}"#, &[("/date", "invalid_date")]),
    bad("POST", "invoices/1/credit-notes", r#"{"reason":["x"]}"#, &[("/reason", "invalid_type")]),
    bad("POST", "invoices/1/credit-notes", r#"{"customer":{"name":"B"}}"#, &[("/customer", "unknown_field")]),
    no("POST", "invoices/2/credit-notes", "{}", (409, "is_a_draft")),
    no("POST", "invoices/1/credit-notes", r#"{"date":"2025-11-11"}"#, (409, "period_filed")),
    no("POST", "invoices/99/credit-notes", r#"{"items":7}"#, NOT_FOUND),
    no("POST", "invoices/1/credit-notes", "{}{}", MALFORMED),
    no("GET", "invoices/1/credit-notes", "", METHOD),
    // The journal, the summary, the returns, projects, the account.
    bad("GET", "entries?year=2026&quarter=4.0", "", &[("quarter", "out_of_range")]),
    bad("GET", "entries?year=%202026", "", &[("year", "out_of_range")]),
    bad("GET", "entries?year=2026&accountCode=130", "", &[("accountCode", "unknown_value")]),
    bad("GET", "entries?year=2026&sourceType=Invoice", "", &[("sourceType", "unknown_value")]),
    no("GET", "entries?year=2026&cursor=LTAwOTk5OS0wMS0wMSAx", "", CURSOR),
    no("GET", "entries?year=2026&cursor=MjAyNi0wMS0wMSAxIDE", "", CURSOR),
    no("GET", "entries/99", "", NOT_FOUND),
    no("POST", "entries", "{}", METHOD),
    no("DELETE", "entries/1", "", METHOD),
    bad("GET", "summary/1999", "", &[("year", "out_of_range")]),
    bad("GET", "summary/2026?quarter=1", "", &[("quarter", "unknown_field")]),
    no("GET", "summary", "", UNKNOWN),
    no("POST", "summary/2026", "{}", METHOD),
    bad("GET", "vat-filings", "", &[("year", "required")]),
    bad("GET", "vat-filings?year=2026&quarter=1", "", &[("quarter", "unknown_field")]),
    bad("GET", "vat-filings/2026/5", "", &[("quarter", "out_of_range")]),
    bad("GET", "vat-filings/2100/1", "", &[("year", "out_of_range")]),
    bad("GET", "vat-filings/2026/1/boxes/1a?limit=0", "", &[("limit", "out_of_range")]),
    no("GET", "vat-filings?year=2026&cursor=NQ", "", CURSOR),
    no("GET", "vat-filings/2026/1/boxes/1a?cursor=MjAyNi0wMS0wMSAx", "", CURSOR),
    no("GET", "vat-filings/2026/1/boxes/1a?cursor=LTAwOTk5OS0wMS0wMSAxIDE", "", CURSOR),
    no("GET", "vat-filings/2026/1/boxes/9z", "", NOT_FOUND),
    no("GET", "vat-filings/2026", "", UNKNOWN),
    no("POST", "vat-filings/2026/1", "{}", METHOD),
    no("GET", "projects/99", "", NOT_FOUND),
    no("POST", "projects", r#"{"name":"P"}"#, METHOD),
    bad("GET", "projects?status=active", "", &[("status", "unknown_field")]),
    no("GET", "projects?cursor=cHJvamVjdA", "", CURSOR),
    bad("GET", "account?id=2", "", &[("id", "unknown_field")]),
    no("PATCH", "account", r#"{"plan":"pro"}"#, METHOD),
    no("GET", "accounts", "", UNKNOWN),
];

on_both_engines! {
    fn each_bad_request_is_told_what_is_wrong_and_the_books_stay_as_they_were(engine) {
        let server = Server::start(engine);
        let key = server.account("anna@example.com");
        one_of_everything(&server, "anna@example.com", &key);
        let before = books(&server, &key);
        assert!(TABLE.len() >= 200, "{}", TABLE.len());
        let mut wrong = Vec::new();
        for (method, path, body, status, code, faults) in TABLE {
            let mut headers = vec![("x-api-key", key.as_str())];
            if matches!(*method, "POST" | "PATCH" | "PUT") {
                headers.push(("content-type", "application/json"));
            }
            let sent = (headers.len() == 2).then_some(body.as_bytes());
            let reply = server.send(method, &format!("/api/v1/{path}"), &headers, sent);
            let found = reply.faults();
            let found: Vec<(&str, &str)> = found.iter().map(|(place, code)| (place.as_str(), code.as_str())).collect();
            if (reply.status, reply.code().as_str(), found.as_slice()) != (*status, *code, *faults) {
                let code = if reply.status < 300 { String::new() } else { reply.code() };
                wrong.push(format!("{method} {path} {body}: {} {code} {found:?}, not {status} {faults:?}", reply.status));
                continue;
            }
            assert_eq!(reply.header("content-type"), Some("application/problem+json"), "{method} {path}");
            let told = reply.json();
            assert!(told["detail"].as_str().is_some_and(|detail| detail.len() > 8 && detail.ends_with('.') && !detail.starts_with(char::is_lowercase)) && told["title"].is_string() && told["status"] == *status, "{}", reply.text);
            assert_eq!(told["requestId"].as_str(), reply.header("x-request-id"));
        }
        assert_eq!(wrong, Vec::<String>::new(), "{}", wrong.join("\n"));
        assert_eq!(books(&server, &key), before);
        assert_eq!(server.discrepancies("anna@example.com"), Vec::<String>::new());
    }

    fn every_door_for_json_refuses_what_is_not_json(engine) {
        let server = Server::start(engine);
        let key = server.account("anna@example.com");
        one_of_everything(&server, "anna@example.com", &key);
        let before = books(&server, &key);
        let doors = [("POST", "invoices"), ("PATCH", "invoices/2"), ("POST", "invoices/1/payments"), ("POST", "invoices/1/credit-notes"), ("POST", "contacts"), ("POST", "time-entries"), ("POST", "hours-log")];
        let types = ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "application/json; charset=utf-16", "application/jsonx", "application/xml", "text/json", ""];
        let deep = format!("{{\"a\":{}1{}}}", "[".repeat(32), "]".repeat(32));
        let objects = format!("{}1{}", "{\"a\":".repeat(33), "}".repeat(33));
        let bottomless = "[".repeat(500_000);
        let malformed: [&[u8]; 12] = [
            b"{\"notes\":\"\xff\xfe\"}", b"\xff\xfe{\0}\0", b"\xc3\x28", b"{\"a\":\"\xed\xa0\x80\"}", b"{\"a\":\"\\udc00\"}", b"{\"a\":-}", b"{\"a\":1.e5}",
            b"{\"a\":1}\0", b"{\"\\u0061\":1,\"a\":2}", deep.as_bytes(), objects.as_bytes(), bottomless.as_bytes(),
        ];
        for (method, path) in doors {
            let send = |kind: Option<&str>, body: &[u8]| {
                let mut headers = vec![("x-api-key", key.as_str())];
                headers.extend(kind.map(|kind| ("content-type", kind)));
                let reply = server.send(method, &format!("/api/v1/{path}"), &headers, Some(body));
                (reply.status, reply.code())
            };
            for kind in types {
                assert_eq!(send(Some(kind), b"{}"), (415, "unsupported_media_type".into()), "{method} {path} {kind}");
            }
            assert_eq!(send(None, b"{}"), (415, "unsupported_media_type".into()), "{method} {path}");
            for body in malformed {
                assert_eq!(send(Some("application/json"), body), (400, "malformed_json".into()), "{method} {path} {}", String::from_utf8_lossy(&body[..body.len().min(40)]));
            }
            // Refused by what it announces, before it is sent.
            let mut stream = TcpStream::connect(server.address).unwrap();
            write!(stream, "{method} /api/v1/{path} HTTP/1.1\r\nhost: x\r\nx-api-key: {key}\r\ncontent-type: application/json\r\ncontent-length: 1048577\r\n\r\n").unwrap();
            let mut status = [0; 12];
            stream.read_exact(&mut status).unwrap();
            assert_eq!(&status, b"HTTP/1.1 413", "{method} {path}");
        }
        assert_eq!(books(&server, &key), before);
    }

    fn texts_as_long_as_they_may_be_are_taken_and_one_longer_is_not(engine) {
        let server = Server::start(engine);
        let key = server.account("anna@example.com");
        one_of_everything(&server, "anna@example.com", &key);
        // Characters count, not bytes.
        let text = |length: usize| "é".repeat(length);
        let items = json!([{"description": "x", "unitPrice": 1, "vatRate": 21}]);
        let cases = [
            ("contacts", json!({"name": "A"}), "name", 255),
            ("contacts", json!({"name": "A"}), "externalId", 255),
            ("contacts", json!({"name": "A"}), "contactPerson", 255),
            ("time-entries", json!({"projectId": 1, "date": "2026-03-01", "hours": 1, "description": "x"}), "description", 1000),
            ("time-entries", json!({"projectId": 1, "date": "2026-03-01", "hours": 1, "description": "x"}), "externalId", 255),
            ("hours-log", json!({"date": "2026-03-01", "hours": 1, "description": "x"}), "description", 1000),
            ("hours-log", json!({"date": "2026-03-01", "hours": 1, "description": "x"}), "externalId", 255),
            ("invoices", json!({"customer": {"name": "A"}, "items": items}), "notes", 5000),
            ("invoices", json!({"customer": {"name": "A"}, "items": items}), "externalId", 255),
            ("invoices/1/payments", json!({"date": "2026-03-01", "amount": 1}), "externalId", 255),
            ("invoices/1/credit-notes", json!({"items": items}), "externalId", 255),
        ];
        for (path, payload, field, most) in cases {
            let path = format!("/api/v1/{path}");
            let mut payload = payload;
            payload[field] = json!(text(most + 1));
            let refused = server.post(&key, &path, &payload);
            assert_eq!((refused.status, refused.faults()), (422, vec![(format!("/{field}"), "too_long".to_owned())]), "{path} {field}");
            payload[field] = json!(text(most));
            let taken = server.post(&key, &path, &payload);
            assert_eq!((taken.status, &taken.json()[field]), (201, &json!(text(most))), "{path} {field}");
        }
        assert_eq!(server.discrepancies("anna@example.com"), Vec::<String>::new());
    }

    fn strange_texts_come_back_as_they_were_given(engine) {
        let server = Server::start(engine);
        let key = server.account("anna@example.com");
        one_of_everything(&server, "anna@example.com", &key);
        let texts = ["\u{202e}olleh\u{202c}", "\u{2067}a\u{2069}\u{200f}", "e\u{301} é", "😀\u{1f468}\u{200d}\u{1f469}", "\u{feff}x", "%00 %s {0} $(x)", "'; DROP TABLE contacts;--", "\\u0041 \\ \"", "\u{10ffff}\u{fffd}"];
        for (place, text) in texts.into_iter().enumerate() {
            let external_id = format!("{text} {place}");
            let items = json!([{"description": text, "unitPrice": 0.01, "vatRate": 21}]);
            let creates = [
                ("contacts", json!({"externalId": external_id, "name": text, "contactPerson": text}), "name"),
                ("time-entries", json!({"externalId": external_id, "projectId": 1, "date": "2026-03-01", "hours": 0.01, "description": text}), "description"),
                ("hours-log", json!({"externalId": external_id, "date": "2026-03-01", "hours": 0.01, "description": text}), "description"),
                ("invoices", json!({"externalId": external_id, "customer": {"name": text}, "items": items, "notes": text}), "notes"),
                ("invoices/1/payments", json!({"externalId": external_id, "date": "2026-03-01", "amount": 0.01, "reference": text}), "reference"),
                ("invoices/1/credit-notes", json!({"externalId": external_id, "items": items, "reason": text}), "notes"),
            ];
            for (path, payload, field) in creates {
                let made = server.post(&key, &format!("/api/v1/{path}"), &payload);
                assert_eq!((made.status, &made.json()[field], &made.json()["externalId"]), (201, &json!(text), &json!(external_id)), "{path} {text:?}: {}", made.text);
                assert_eq!(server.post(&key, &format!("/api/v1/{path}"), &payload).status, 200, "{path} {text:?}");
            }
        }
        assert_eq!(server.discrepancies("anna@example.com"), Vec::<String>::new());
    }
}
