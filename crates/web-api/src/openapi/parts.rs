//! What of the description is the same whatever operations there are: parameters of paths, pages, problems, credentials, headers.

use super::reference;
use ledger::vat::VatBox;
use serde_json::{Map, Value, json};
use web_core::catalogue::FAULTS;
use web_core::http::keyed_request;

pub(super) fn path_parameters(path: &str) -> Value {
    let names = path.split('/').filter_map(|part| part.strip_prefix('{')?.strip_suffix('}'));
    names.map(|name| path_parameter(path, name)).collect()
}

fn path_parameter(path: &str, name: &str) -> Value {
    let (description, schema) = match name {
        "year" => ("The calendar year.", json!({ "type": "integer", "minimum": 2000, "maximum": 2099, "examples": [2026] })),
        "quarter" => ("The quarter of the year.", json!({ "type": "integer", "minimum": 1, "maximum": 4, "examples": [1] })),
        "box" => (
            "A box of the return; `5a` is the VAT due, `5b` the input VAT, `5g` the total.",
            json!({ "type": "string", "enum": box_names(), "examples": ["1a"] }),
        ),
        "externalId" => (
            "Your own identifier, percent-encoded.",
            json!({ "type": "string", "minLength": 1, "maxLength": 255, "examples": ["order-1001"] }),
        ),
        "paymentId" => ("The id of the payment.", id_schema(1)),
        _ => ("The id, unique in the account.", id_schema(example_id(path))),
    };
    json!({ "name": name, "in": "path", "required": true, "description": description, "schema": schema })
}

fn id_schema(example: i64) -> Value {
    json!({ "type": "integer", "format": "int64", "minimum": 1, "maximum": i64::MAX, "examples": [example] })
}

/// An id for which the calls on that path work in the demo, where they are tried first: a draft can be edited, and a sent invoice of which
/// something is due be paid and credited.
fn example_id(path: &str) -> i64 {
    match path {
        "/invoices/{id}" => 21,
        "/invoices/{id}/payments" | "/invoices/{id}/credit-notes" => 17,
        _ => 1,
    }
}

/// Has the page of `/api/docs` leave a parameter empty at first (an extension of RapiDoc): its example is one value of many, and not what
/// most calls want.
pub(super) fn leave_empty(parameter: &mut Value) {
    parameter["x-fill-example"] = json!("no");
}

/// The boxes of a return, in the order of the form.
pub(crate) fn box_names() -> Vec<&'static str> {
    let lines = ledger::vat_return::vat_return([]).lines;
    lines.iter().map(|line| line.vat_box).collect()
}

/// The boxes that a posting can be marked with.
pub(crate) fn posting_box_names() -> Vec<&'static str> {
    VatBox::ALL.iter().map(|vat_box| vat_box.as_str()).collect()
}

pub(super) fn page_schema(resource: &Value) -> Value {
    json!({
        "type": "object",
        "description": "A page of a list.",
        "required": ["data", "nextCursor"],
        "properties": {
            "data": { "type": "array", "description": "The rows.", "items": resource },
            "nextCursor": {
                "type": ["string", "null"],
                "description": "Send it as `cursor` for the next page; null on the last one.",
                "examples": ["MTAw"],
            },
        },
    })
}

pub(super) fn problem_schema() -> Value {
    json!({
        "type": "object",
        "description": "What went wrong (RFC 9457).",
        "required": ["type", "title", "status", "detail", "code", "requestId"],
        "properties": {
            "type": { "type": "string", "format": "uri", "description": "The address of a page about the code." },
            "title": { "type": "string", "description": "The same for every occurrence." },
            "status": { "type": "integer", "minimum": 400, "maximum": 599, "description": "The HTTP status." },
            "detail": { "type": "string", "description": "What to do about this occurrence." },
            "code": { "type": "string", "description": "Stable, `snake_case`; more may come." },
            "requestId": { "type": "string", "description": "As in `X-Request-Id`; tell it to the operator." },
            "errors": { "type": "array", "description": "With 422: every fault that was found.", "items": reference("Fault") },
        },
    })
}

pub(super) fn fault_schema() -> Value {
    let codes: Vec<&str> = FAULTS.iter().map(|(code, _)| *code).collect();
    json!({
        "type": "object",
        "description": "One value that cannot be used.",
        "required": ["code", "message"],
        "properties": {
            "pointer": { "type": "string", "description": "Where in the body (RFC 6901).", "examples": ["/items/0/vatRate"] },
            "parameter": { "type": "string", "description": "Which parameter of the query or path.", "examples": ["year"] },
            "code": { "type": "string", "enum": codes, "description": "Stable, `snake_case`; more may come." },
            "message": { "type": "string", "description": "What to do about it." },
        },
    })
}

pub(super) fn security_schemes(base_url: &str) -> Value {
    let scopes = json!({
        "read": "Read all of the books.",
        "write": "Write into the books: everything but filing, such as invoices, payments, expenses, private money, the VAT scheme, the closing of years, and webhooks. Does not include `read`.",
        "file": "Note VAT returns as filed, and open them again. Nothing else includes it.",
    });
    json!({
        "apiKey": {
            "type": "apiKey", "in": "header", "name": "X-API-Key",
            "description": "A key is made on the page /api-access, on a paid plan, and carries only the scopes that are chosen there.",
        },
        "oauth2": {
            "type": "oauth2",
            "description": "For partners' applications, which the operator registers: authorization code with PKCE (S256). What else a client needs to know is at `/.well-known/oauth-authorization-server`.",
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
        "X-Request-Id": text("Names this request in the log of the server.", "33a7713dba4f9b17"),
        "RateLimit-Policy": text("Requests a minute that the account may make, when there is a limit.", "\"default\";q=600;w=60"),
        "RateLimit": text("Requests that are left (r), and seconds until all are there again (t).", "\"default\";r=98;t=1"),
        "ETag": text("What the resource looks like now.", "\"0c45f4f5f57b0348ba77ccb68f44733e\""),
        "Location": text("The address of the resource.", "https://books.example.com/api/v1/invoices/7"),
        "Link": text("The next page, when there is one.", "<https://books.example.com/api/v1/invoices?cursor=MTAw>; rel=\"next\""),
        "Idempotent-Replay": {
            "description": "Nothing was done: the `externalId` or the `Idempotency-Key` was known.",
            "schema": { "type": "string", "enum": ["true"] },
        },
        "Idempotent-Replay-Differs": {
            "description": "Beside `Idempotent-Replay`: this body is not the one that made it, and nothing of it was taken over. The order of \
                            members and how a number is written do not matter.",
            "schema": { "type": "string", "enum": ["true"] },
        },
        "WWW-Authenticate": text("Which credentials are asked for.", "ApiKey realm=\"grootboek\""),
        "Accept": text("The media type to send.", "application/json"),
        "Retry-After": {
            "description": "Seconds to wait before trying again.",
            "schema": { "type": "integer", "minimum": 1, "examples": [1] },
        },
    })
}

pub(super) fn header_references(names: &[&str]) -> Value {
    let all = names.iter().copied().chain(["X-Request-Id", "RateLimit-Policy", "RateLimit"]);
    all.map(|name| (name.to_owned(), json!({ "$ref": format!("#/components/headers/{name}") }))).collect::<Map<_, _>>().into()
}

pub(super) fn request_headers() -> Value {
    let parameter = |name: &str, description: &str, schema: Value| {
        let mut parameter =
            json!({ "name": name, "in": "header", "required": false, "description": description, "schema": schema });
        leave_empty(&mut parameter);
        parameter
    };
    let tag = json!({ "type": "string", "examples": ["\"0c45f4f5f57b0348ba77ccb68f44733e\""] });
    let key = json!({
        "type": "string", "minLength": 1, "maxLength": keyed_request::LONGEST, "pattern": "^[!-~]+$",
        "examples": ["5b2f3c1e-8a1d-4c5e-9f0a-7d6e5c4b3a21"],
    });
    json!({
        "IfNoneMatch": parameter("If-None-Match", "The `ETag` of what you have: if it is still that, the answer is 304.", tag.clone()),
        "IfNoneMatchToReplace": parameter(
            "If-None-Match",
            "`*`: make it only if there is none with this `externalId`; or the `ETag` of what you do not want to replace. If there is one, the answer is 412.",
            json!({ "type": "string", "examples": ["*"] }),
        ),
        "IfMatch": parameter("If-Match", "The `ETag` of what you changed: if it is something else by now, the answer is 412.", tag),
        "IdempotencyKey": parameter(
            keyed_request::HEADER,
            "A key of your own for this request, kept for 24 hours. The same request again, with the same path and the same bytes, does nothing \
             and is answered with 200, the first answer and `Idempotent-Replay: true`; another under the same key is refused with \
             `idempotency_key_reused`. A request that is refused uses no key up. A body with an `externalId` needs none: the key is not looked at then.",
            key,
        ),
    })
}
