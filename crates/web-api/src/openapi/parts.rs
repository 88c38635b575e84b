//! Parts of the description that do not depend on the operations: path parameters, pages, problems,
//! credentials, headers.

use super::reference;
use ledger::{closing_step::ClosingStep, vat::VatBox};
use serde_json::{Map, Value, json};
use web_core::catalogue::FAULTS;
use web_core::http::keyed_request;

pub(super) fn path_parameters(path: &str) -> Value {
    let names = path.split('/').filter_map(|part| part.strip_prefix('{')?.strip_suffix('}'));
    names.map(|name| path_parameter(path, name)).collect()
}

fn path_parameter(path: &str, name: &str) -> Value {
    let (description, schema) = match name {
        "year" => (
            "Calendar year.",
            json!({ "type": "integer", "minimum": 2000, "maximum": 2099, "examples": [2026] }),
        ),
        "quarter" => (
            "Quarter of the year, 1 to 4.",
            json!({ "type": "integer", "minimum": 1, "maximum": 4, "examples": [1] }),
        ),
        "period" => (
            "Id of the VAT period: a month, quarter or year by the unit in which the account files.",
            json!({ "type": "string", "examples": ["2026-Q1", "2026-05", "2026"] }),
        ),
        "step" => (
            "Step at the end of a year.",
            json!({ "type": "string", "enum": ClosingStep::ALL.iter().map(|step| step.as_str()).collect::<Vec<_>>(), "examples": ["cutOff"] }),
        ),
        "code" => (
            "Code of the ledger account, four digits.",
            json!({ "type": "string", "pattern": "^[0-9]{4}$", "minLength": 4, "maxLength": 4, "examples": ["4100"] }),
        ),
        "box" => (
            "Box of the return. `5a` is the VAT due, `5b` the input VAT, `5g` the total.",
            json!({ "type": "string", "enum": box_names(), "examples": ["1a"] }),
        ),
        "externalId" => (
            "Your own identifier, percent-encoded.",
            json!({ "type": "string", "minLength": 1, "maxLength": 255, "examples": ["order-1001"] }),
        ),
        "paymentId" => ("Id of the payment.", id_schema(1)),
        "n" => ("Number of the occurrence.", id_schema(1)),
        _ => ("Id, unique within the account.", id_schema(example_id(path))),
    };
    json!({ "name": name, "in": "path", "required": true, "description": description, "schema": schema })
}

fn id_schema(example: i64) -> Value {
    json!({ "type": "integer", "format": "int64", "minimum": 1, "maximum": i64::MAX, "examples": [example] })
}

/// Returns an id for which the operation succeeds in the demo books, where clients first try the
/// API: a draft that can be edited, or a sent invoice that can be paid and credited.
fn example_id(path: &str) -> i64 {
    match path {
        "/invoices/{id}" => 21,
        "/invoices/{id}/payments" | "/invoices/{id}/credit-notes" => 17,
        _ => 1,
    }
}

/// Makes the page `/api/docs` initially leave a parameter empty, because most requests do not need
/// it. Uses an extension of RapiDoc.
pub(super) fn leave_empty(parameter: &mut Value) {
    parameter["x-fill-example"] = json!("no");
}

/// Returns the boxes of a VAT return, in the order of the form.
pub(crate) fn box_names() -> Vec<&'static str> {
    let lines = ledger::vat_return::vat_return([]).lines;
    lines.iter().map(|line| line.vat_box).collect()
}

/// Returns the boxes that a posting can have.
pub(crate) fn posting_box_names() -> Vec<&'static str> {
    VatBox::ALL.iter().map(|vat_box| vat_box.as_str()).collect()
}

pub(super) fn page_schema(resource: &Value) -> Value {
    json!({
        "type": "object",
        "description": "A page of a list.",
        "required": ["data", "nextCursor"],
        "properties": {
            "data": { "type": "array", "description": "Rows of the page.", "items": resource },
            "nextCursor": {
                "type": ["string", "null"],
                "description": "Send it as `cursor` to get the next page; null on the last page.",
                "examples": ["MTAw"],
            },
        },
    })
}

pub(super) fn problem_schema() -> Value {
    json!({
        "type": "object",
        "description": "Problem details (RFC 9457).",
        "required": ["type", "title", "status", "detail", "code", "requestId"],
        "properties": {
            "type": { "type": "string", "format": "uri", "description": "URL of the documentation of the code." },
            "title": { "type": "string", "description": "Title of the code, the same for every occurrence." },
            "status": { "type": "integer", "minimum": 400, "maximum": 599, "description": "HTTP status." },
            "detail": { "type": "string", "description": "Explanation of this occurrence, and how to resolve it." },
            "code": { "type": "string", "description": "Stable code in `snake_case`. More codes may be added." },
            "requestId": {
                "type": "string",
                "description": "Id of the request, as in `X-Request-Id`. Mention it when you contact the operator.",
            },
            "errors": {
                "type": "array",
                "description": "All faults of the request, with status 422.",
                "items": reference("Fault"),
            },
        },
    })
}

pub(super) fn fault_schema() -> Value {
    let codes: Vec<&str> = FAULTS.iter().map(|(code, _)| *code).collect();
    json!({
        "type": "object",
        "description": "A value that cannot be used.",
        "required": ["code", "message"],
        "properties": {
            "pointer": {
                "type": "string",
                "description": "Position in the body as a JSON pointer (RFC 6901).",
                "examples": ["/items/0/vatRate"],
            },
            "parameter": { "type": "string", "description": "Name of the parameter of the query or path.", "examples": ["year"] },
            "code": { "type": "string", "enum": codes, "description": "Stable code in `snake_case`. More codes may be added." },
            "message": { "type": "string", "description": "Explanation of the fault, and how to resolve it." },
        },
    })
}

pub(super) fn security_schemes(base_url: &str) -> Value {
    let scopes = json!({
        "read": "Read all of the books.",
        "write": "Write to the books, except filing VAT returns: invoices, payments, expenses, \
                  private money, the VAT scheme, closing years, webhooks and more. Does not \
                  include `read`.",
        "file": "Record VAT returns as filed, and reopen them. Not included in any other scope.",
    });
    json!({
        "apiKey": {
            "type": "apiKey", "in": "header", "name": "X-API-Key",
            "description": "API key, created on the page /api-access on a paid plan. It has only the scopes chosen there.",
        },
        "oauth2": {
            "type": "oauth2",
            "description": "For applications of partners, which the operator registers: \
                            authorization code with PKCE (S256). The metadata for clients is at \
                            `/.well-known/oauth-authorization-server`.",
            "flows": { "authorizationCode": {
                "authorizationUrl": format!("{base_url}/oauth/authorize"),
                "tokenUrl": format!("{base_url}/api/oauth/token"),
                "refreshUrl": format!("{base_url}/api/oauth/token"),
                "scopes": scopes,
            } },
        },
    })
}

pub(super) fn headers() -> Value {
    let text = |description: &str, example: &str| json!({ "description": description, "schema": { "type": "string", "examples": [example] } });
    json!({
        "X-Request-Id": text("Id of this request in the log of the server.", "33a7713dba4f9b17"),
        "RateLimit-Policy": text("Number of requests that the account may make per minute, if \
                                  there is a limit.", "\"default\";q=600;w=60"),
        "RateLimit": text("Remaining requests (r), and seconds until the full quota is available \
                           again (t).", "\"default\";r=98;t=1"),
        "ETag": text("Entity tag of the current state of the resource.", "\"0c45f4f5f57b0348ba77ccb68f44733e\""),
        "Location": text("URL of the resource.", "https://books.example.com/api/v1/invoices/7"),
        "Link": text("URL of the next page, if there is one.", "<https://books.example.com/api/v1/invoices?cursor=MTAw>; rel=\"next\""),
        "Idempotent-Replay": {
            "description": "The request was a repeat of a known `externalId` or `Idempotency-Key`; nothing was done.",
            "schema": { "type": "string", "enum": ["true"] },
        },
        "Idempotent-Replay-Differs": {
            "description": "Sent with `Idempotent-Replay` if this body differs from the one that \
                            created the resource; none of it was applied. The order of members \
                            and the notation of numbers do not matter.",
            "schema": { "type": "string", "enum": ["true"] },
        },
        "WWW-Authenticate": text("Accepted credentials.", "ApiKey realm=\"grootboek\""),
        "Accept": text("Accepted media type.", "application/json"),
        "Retry-After": {
            "description": "Seconds to wait before trying again.",
            "schema": { "type": "integer", "minimum": 1, "examples": [1] },
        },
    })
}

pub(super) fn header_references(names: &[&str]) -> Value {
    let all = names.iter().copied().chain(["X-Request-Id", "RateLimit-Policy", "RateLimit"]);
    all.map(|name| (name.to_owned(), json!({ "$ref": format!("#/components/headers/{name}") })))
        .collect::<Map<_, _>>()
        .into()
}

pub(super) fn request_headers() -> Value {
    let parameter = |name: &str, description: &str, schema: Value| {
        let mut parameter = json!({ "name": name, "in": "header", "required": false, "description": description, "schema": schema });
        leave_empty(&mut parameter);
        parameter
    };
    let tag = json!({ "type": "string", "examples": ["\"0c45f4f5f57b0348ba77ccb68f44733e\""] });
    let key = json!({
        "type": "string", "minLength": 1, "maxLength": keyed_request::LONGEST, "pattern": "^[!-~]+$",
        "examples": ["5b2f3c1e-8a1d-4c5e-9f0a-7d6e5c4b3a21"],
    });
    json!({
        "IfNoneMatch": parameter("If-None-Match", "`ETag` of your copy. If the resource still has \
                                                   it, the answer is 304.", tag.clone()),
        "IfNoneMatchToReplace": parameter(
            "If-None-Match",
            "`*` creates the resource only if none has this `externalId`; an `ETag` prevents \
             replacing the resource in that state. Otherwise the answer is 412.",
            json!({ "type": "string", "examples": ["*"] }),
        ),
        "IfMatch": parameter("If-Match", "`ETag` of the state that your change is based on. If \
                                          the resource has changed since, the answer is 412.", tag),
        "IdempotencyKey": parameter(
            keyed_request::HEADER,
            "Your own key for this request, kept for 24 hours. Repeating the request with the \
             same path and the same bytes does nothing, and returns 200 with the original \
             response and `Idempotent-Replay: true`. Another request with the same key is \
             rejected with `idempotency_key_reused`. A rejected request does not use up its key. \
             The key is ignored if the body has an `externalId`.",
            key,
        ),
    })
}
