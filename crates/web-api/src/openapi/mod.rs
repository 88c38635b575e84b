//! The API description (OpenAPI 3.1), generated from the operations, so that parsing and
//! description cannot differ.

mod parts;
mod share;
mod webhooks;

pub(crate) use parts::{box_names, posting_box_names};

use super::{
    examples,
    links::links,
    operation::{Answer, Operation},
};
use axum::http::StatusCode;
use parts::{
    fault_schema, header_references, headers, page_schema, path_parameters, problem_schema,
    request_headers, security_schemes,
};
use schemars::{SchemaGenerator, generate::SchemaSettings};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use web_core::catalogue::{self, ProblemKind};

/// Version of the contract, not of the program. Changes within v1 only add to the contract.
const VERSION: &str = "1.0.0";

const ABOUT: &str = "\
Bookkeeping for self-employed people in the Netherlands: invoices that are booked, numbered and \
included in the VAT return in one step, hours, the journal, VAT returns and the annual summary.

- **Credentials**: send an API key in `X-API-Key`, or an OAuth access token in \
`Authorization: Bearer`, but not both. The scope `read` is for every GET, `write` for everything \
else; `write` does not include `read`.
- **Amounts** are euros with exactly two decimals. Numbers in requests are parsed from their \
decimal text, never as a binary float. If the number of decimals is fixed, a value within \
0.000000001 of such a number (`112.55999999999999`) is rounded to it.
- **Texts** are trimmed. They must contain a visible character, and no control characters or \
direction overrides (U+202A to U+202E, U+2066 to U+2069).
- **Idempotency**: send an `externalId` with each create. Repeating it returns the existing \
resource with status 200 and the header `Idempotent-Replay: true`. If the body differs from the \
original one, none of it is applied, and the header `Idempotent-Replay-Differs: true` is sent as \
well. For a POST without an `externalId`, the header `Idempotency-Key` has the same effect for 24 \
hours.
- **Faults** are all reported at once: 422 with a JSON pointer for each. Unknown fields are \
rejected.
- **Lists** are paginated: send `nextCursor` as `cursor`, with the same filters, until it is null.
- **Compatibility**: v1 only gains additions. Ignore unknown fields, enum values and codes.
- `HEAD` works wherever `GET` does. Other methods are answered with 405 and `Allow`.";

/// Tags: first segment of the path, name, and description.
const TAGS: &[(&str, &str, &str)] = &[
    ("account", "Account", "The account of the credentials, and their permissions."),
    (
        "invoices",
        "Invoices",
        "Invoices, credit notes and payments on them. Drafts are also booked and numbered.",
    ),
    (
        "quotes",
        "Quotes",
        "Offers to customers, who decide on a page of their own. Nothing of a quote is booked.",
    ),
    (
        "recurring-invoices",
        "Recurring invoices",
        "Invoices that are made by themselves on the days of a schedule.",
    ),
    ("reminders", "Reminders", "Reminders of unpaid invoices that are due, or stopped."),
    ("payouts", "Payouts", "Payouts of payment providers, and their fees."),
    ("contacts", "Contacts", "Customers."),
    (
        "articles",
        "Articles",
        "Goods and services with a usual price and VAT, from which lines of invoices and quotes are \
         filled.",
    ),
    ("expenses", "Expenses", "Purchases with their VAT, and payments of bills."),
    (
        "receipts",
        "Receipts",
        "Files that document expenses, stored unchanged and identified by their hash.",
    ),
    ("assets", "Assets", "Fixed assets: purchase, depreciation, sale and write-off."),
    ("mileage", "Mileage", "Business kilometres with a private vehicle."),
    ("projects", "Projects", "Projects for hours, with a customer, an hourly rate and a budget."),
    ("time-entries", "Time entries", "Hours worked on projects."),
    (
        "hours-log",
        "Hours log",
        "Hours outside projects that count towards the hours criterion of the income tax \
         (urencriterium).",
    ),
    ("timer", "Timer", "A running timer, whose time is recorded as hours or discarded."),
    (
        "entries",
        "Journal",
        "Journal entries in double-entry bookkeeping, chained by hashes. They are never changed or deleted.",
    ),
    ("manual-entries", "Manual entries", "Journal entries made by hand."),
    ("transfers", "Transfers", "Money moved between accounts of the business."),
    (
        "private-bookings",
        "Private bookings",
        "Money between the business and its owner: drawings, deposits, private tax and premiums.",
    ),
    ("accruals", "Accruals", "Work not yet invoiced, and costs that belong to another period."),
    ("loans", "Loans", "Loans to the business, and their repayments."),
    ("private-use", "Private use", "VAT on private use of business assets and goods."),
    ("opening-balance", "Opening balance", "Balances and open items at the start of the books."),
    (
        "ledger-accounts",
        "Ledger accounts",
        "The chart of accounts: those of the program, and your own.",
    ),
    (
        "bank-accounts",
        "Bank accounts",
        "Accounts at banks and payment providers, credit cards and cash, each with its balance.",
    ),
    (
        "bank-statements",
        "Bank statements",
        "Files of banks, and lines of a feed, each line of which is taken once.",
    ),
    (
        "bank-lines",
        "Bank lines",
        "Lines of bank statements, which wait to be booked, are booked, or are ignored.",
    ),
    (
        "bank-rules",
        "Bank rules",
        "Conditions on bank lines, and the booking that follows, suggested or automatic.",
    ),
    (
        "payment-batches",
        "Payment batches",
        "Payment files of bills for the bank. Nothing here moves money or books anything.",
    ),
    (
        "vat-filings",
        "VAT returns",
        "The VAT return of each quarter, open or filed, and the postings in each box.",
    ),
    (
        "vat-returns",
        "VAT returns by period",
        "The VAT return of each period in which the account files: month, quarter or year.",
    ),
    (
        "icp-declarations",
        "ICP declarations",
        "The ICP declarations (EC sales lists) with the supplies to businesses in other EU countries.",
    ),
    (
        "vat-periods",
        "VAT periods",
        "The length of the account's VAT periods: month, quarter or year.",
    ),
    (
        "kor",
        "Small businesses scheme",
        "The turnover of a year, compared with the limit of the small businesses scheme (KOR).",
    ),
    (
        "oss",
        "Union scheme",
        "Registration for the Union scheme (OSS), and the turnover with consumers in other EU countries.",
    ),
    (
        "oss-returns",
        "Union scheme returns",
        "The quarterly returns of the Union scheme (OSS), with the VAT of other EU countries.",
    ),
    ("vat-payments", "VAT payments", "VAT paid to or refunded by the tax office."),
    (
        "vat-scheme",
        "VAT scheme",
        "The VAT scheme of the account: normal, or the small businesses scheme (KOR).",
    ),
    (
        "vat-revisions",
        "VAT revisions",
        "Revision of the VAT deducted on assets, as their use follows the turnover of a year.",
    ),
    (
        "vat-accounting",
        "VAT accounting",
        "The method of declaring VAT on sales: by invoice, or when the customer pays (kasstelsel).",
    ),
    ("years", "Years", "Open and closed years."),
    (
        "audit-files",
        "Audit file",
        "The books of a year in the format for the tax office and accountants.",
    ),
    ("summary", "Annual summary", "Result, VAT, balance sheet and hours of a year."),
    ("changes", "Changes", "The change feed, for keeping a copy in sync."),
    ("test", "Test account", "Operations of test accounts only: set the clock, reset the books."),
    ("webhooks", "Webhooks", "Notifications of events by HTTP, and their deliveries."),
];

/// Problems that every operation can return.
const ALWAYS: &[&ProblemKind] = &[
    catalogue::MALFORMED_REQUEST,
    catalogue::MULTIPLE_CREDENTIALS,
    catalogue::MISSING_CREDENTIALS,
    catalogue::INVALID_API_KEY,
    catalogue::INVALID_TOKEN,
    catalogue::INSUFFICIENT_SCOPE,
    catalogue::PLAN_REQUIRED,
    catalogue::NOT_ACCEPTABLE,
    catalogue::VALIDATION_FAILED,
    catalogue::RATE_LIMITED,
    catalogue::INTERNAL,
    catalogue::UNAVAILABLE,
    catalogue::QUERY_TOO_LONG,
];

/// Problems that reading a body can cause.
const WITH_BODY: &[&ProblemKind] = &[
    catalogue::MALFORMED_JSON,
    catalogue::REQUEST_TIMEOUT,
    catalogue::BODY_TOO_LARGE,
    catalogue::UNSUPPORTED_MEDIA_TYPE,
];

/// Returns the description for a server with this base URL.
pub(crate) fn document(base_url: &str, operations: &[Operation]) -> Value {
    let settings = SchemaSettings::draft2020_12().for_serialize();
    let schemas = settings
        .with(|settings| settings.definitions_path = "/components/schemas".into())
        .into_generator();
    let mut document = Document { base_url, schemas, named: Map::new(), responses: Map::new() };
    let mut paths: Map<String, Value> = Map::new();
    document.problems(operations);
    let links = links(&mut document.schemas, operations);
    for (operation, links) in operations.iter().zip(links) {
        let described = document.operation(operation, &links);
        let path = paths.entry(format!("/api/v1{}", operation.path)).or_insert_with(|| json!({}));
        if path.get("parameters").is_none() && operation.path.contains('{') {
            path["parameters"] = path_parameters(operation.path);
        }
        path[operation.method] = described;
    }
    let mut components = document.schemas.take_definitions(true);
    components.append(&mut document.named);
    components.insert("Problem".into(), problem_schema());
    components.insert("Fault".into(), fault_schema());
    for (name, schema) in &mut components {
        examples::fill(name, schema);
    }
    share::share(&mut components, &mut paths);
    components.sort_keys();
    document.responses.sort_keys();
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "grootboek",
            "version": VERSION,
            "summary": "Dutch bookkeeping as an API",
            "description": ABOUT,
            "license": { "name": "AGPL-3.0-or-later", "identifier": "AGPL-3.0-or-later" },
        },
        "servers": [{ "url": base_url }],
        "tags": TAGS.iter().map(|(_, name, about)| json!({ "name": name, "description": about })).collect::<Vec<_>>(),
        "paths": paths,
        "webhooks": webhooks::messages(),
        "components": {
            "securitySchemes": security_schemes(base_url),
            "headers": headers(),
            "parameters": request_headers(),
            "responses": document.responses,
            "schemas": components,
        },
    })
}

/// API description under construction.
struct Document<'d> {
    base_url: &'d str,
    schemas: SchemaGenerator,
    /// Schemas of bodies and pages.
    named: Map<String, Value>,
    /// Problem responses, one per status.
    responses: Map<String, Value>,
}

impl Document<'_> {
    // Long: it fills in every field that describes an operation.
    fn operation(&mut self, operation: &Operation, links: &Map<String, Value>) -> Value {
        let mut parameters = operation.query.clone();
        for parameter in &mut parameters {
            let name = parameter["name"].as_str().unwrap_or("").to_owned();
            examples::give("", &name, &mut parameter["schema"]);
            if parameter["required"] == false {
                parts::leave_empty(parameter);
            }
        }
        if matches!(operation.answer, Answer::Resource | Answer::File(_)) {
            parameters.push(json!({ "$ref": "#/components/parameters/IfNoneMatch" }));
        }
        if operation.problems.contains(&catalogue::PRECONDITION_FAILED) {
            parameters.push(json!({ "$ref": "#/components/parameters/IfMatch" }));
        }
        if operation.answer == Answer::Replaced {
            parameters.push(json!({ "$ref": "#/components/parameters/IfNoneMatchToReplace" }));
        }
        if operation.method == "post" {
            parameters.push(json!({ "$ref": "#/components/parameters/IdempotencyKey" }));
        }
        let mut responses = self.answers(operation);
        for (_, good) in
            responses.iter_mut().filter(|(status, _)| !links.is_empty() && status.starts_with("20"))
        {
            good["links"] = json!(links);
        }
        for (status, _) in problems(operation) {
            responses.insert(
                status.to_string(),
                json!({ "$ref": format!("#/components/responses/{}", problem_name(status)) }),
            );
        }
        let scopes: Vec<&str> = operation.scopes.iter().map(|scope| scope.name()).collect();
        let mut notes = vec![operation.description.to_owned()];
        if operation.dutch {
            notes.push("Only for accounts in the Netherlands.".into());
        }
        if !operation.problems.is_empty() {
            let codes: Vec<String> =
                operation.problems.iter().map(|kind| format!("`{}`", kind.code)).collect();
            notes.push(format!("Specific problems: {}.", codes.join(", ")));
        }
        notes.push(match scopes.as_slice() {
            [scope] => format!("Scope: `{scope}`."),
            _ => format!("Scopes: `{}`.", scopes.join("` and `")),
        });
        notes.retain(|note| !note.is_empty());
        let mut described = json!({
            "operationId": operation.id,
            "summary": operation.summary,
            "description": notes.join("\n\n"),
            "tags": [tag(operation.path)],
            "security": [{ "apiKey": [] }, { "oauth2": scopes }],
            "parameters": parameters,
            "responses": responses,
        });
        if let Some(body) = &operation.body {
            let name = format!("{}Request", capitalised(operation.id));
            self.named.insert(name.clone(), body.clone());
            let mut content = json!({ "schema": reference(&name) });
            if let Some(example) = &operation.example {
                // `examples` rather than `example`: the page `/api/docs` ignores an `example` that
                // is an object, and makes one up.
                content["examples"] = json!({ operation.id: { "value": example } });
            }
            // An action whose fields are all optional can be called without a body.
            let required = !operation.body_optional
                && (operation.method != "post" || body.get("required").is_some());
            described["requestBody"] =
                json!({ "required": required, "content": { "application/json": content } });
        }
        if !operation.files.is_empty() {
            let mut content = file(operation.files);
            if let Some(json) = described.pointer("/requestBody/content/application~1json") {
                content["application/json"] = json.clone();
            }
            described["requestBody"] = json!({ "required": true, "content": content });
        }
        described
    }

    /// Returns the successful responses.
    // Long: one match over all kinds of responses.
    fn answers(&mut self, operation: &Operation) -> Map<String, Value> {
        let resource = (operation.resource)(&mut self.schemas);
        let mut answers = Map::new();
        let mut answer =
            |status: &str, description: &str, names: &[&str], schema: Option<&Value>| {
                let mut response =
                    json!({ "description": description, "headers": header_references(names) });
                if let Some(schema) = schema {
                    response["content"] = json!({ "application/json": { "schema": schema } });
                }
                answers.insert(status.to_owned(), response);
            };
        let schema = json!(resource);
        let takes_external_id = operation
            .body
            .as_ref()
            .is_some_and(|body| body["properties"].get("externalId").is_some());
        let replayed: &[&str] = if takes_external_id {
            &["Idempotent-Replay", "Idempotent-Replay-Differs"]
        } else {
            &["Idempotent-Replay"]
        };
        match operation.answer {
            Answer::Resource => {
                answer("200", "The resource.", &["ETag"], Some(&schema));
                answer(
                    "304",
                    "The resource still has the `ETag` sent in `If-None-Match`.",
                    &["ETag"],
                    None,
                );
            }
            Answer::File(media_types) => {
                answer("200", "The document.", &["ETag"], None);
                answer(
                    "304",
                    "The resource still has the `ETag` sent in `If-None-Match`.",
                    &["ETag"],
                    None,
                );
                answers["200"]["content"] = file(media_types);
            }
            Answer::Stream(media_types) => {
                answer("200", "The file.", &[], None);
                answers["200"]["content"] = file(media_types);
            }
            Answer::Page => {
                let name = format!(
                    "{}Page",
                    schema["$ref"].as_str().and_then(|path| path.rsplit('/').next()).unwrap_or("")
                );
                self.named.entry(name.clone()).or_insert_with(|| page_schema(&schema));
                answer("200", "A page of the list.", &["Link"], Some(&reference(&name)));
            }
            Answer::Created => {
                answer("201", "Created.", &["Location", "ETag"], Some(&schema));
                let known = "The existing resource with this `externalId` in its current state, \
                             or the original response to this `Idempotency-Key`. Nothing was \
                             created.";
                answer(
                    "200",
                    known,
                    &[&["Location", "ETag"][..], replayed].concat(),
                    Some(&schema),
                );
            }
            Answer::Accepted => {
                answer("202", "Accepted for processing.", &[], Some(&schema));
                let known = "The existing resource with this `externalId` in its current state, \
                             or the original response to this `Idempotency-Key`. Nothing further \
                             is processed.";
                answer("200", known, replayed, Some(&schema));
            }
            Answer::Changed if operation.method == "post" => {
                let known = "The resource in its current state, or the original response to this `Idempotency-Key`.";
                answer("200", known, &["ETag", "Idempotent-Replay"], Some(&schema));
            }
            Answer::Changed => {
                answer("200", "The resource in its current state.", &["ETag"], Some(&schema))
            }
            Answer::Made => {
                answer("201", "Created.", &["Location", "ETag"], Some(&schema));
                let known = "The original response to this `Idempotency-Key`. Nothing was created.";
                answer("200", known, &["Location", "ETag", "Idempotent-Replay"], Some(&schema));
            }
            Answer::Replaced => {
                answer(
                    "201",
                    "Created: no resource had this `externalId`.",
                    &["Location", "ETag"],
                    Some(&schema),
                );
                answer("200", "The existing resource was replaced.", &["ETag"], Some(&schema));
            }
            Answer::Gone => answer("204", "Deleted.", &[], None),
        }
        if let Some(preview) = operation.preview {
            // The schema of the response stays that of the resource: clients that never ask for a dry
            // run need no other type.
            let preview = json!(preview(&mut self.schemas));
            let name = preview["$ref"].as_str().and_then(|path| path.rsplit('/').next());
            let shown = name.unwrap_or("what the request would do").to_owned();
            let description = answers["200"]["description"].as_str().unwrap_or_default();
            let description = format!("{description} With `dryRun`: `{shown}`.");
            answers["200"]["description"] = json!(description);
            answers["200"]["x-dryRun"] = preview;
        }
        answers
    }

    /// Adds one problem response per status, shared by all operations.
    fn problems(&mut self, operations: &[Operation]) {
        let mut by_status: BTreeMap<u16, Vec<&ProblemKind>> = BTreeMap::new();
        for (status, kinds) in operations.iter().flat_map(problems) {
            by_status.entry(status).or_default().extend(kinds);
        }
        for (status, named) in by_status {
            let kinds: Vec<_> = catalogue::ALL
                .iter()
                .copied()
                .filter(|kind| named.iter().any(|one| one.code == kind.code))
                .collect();
            let response = self.describe_problem(status, &kinds);
            self.responses.insert(problem_name(status), response);
        }
    }

    fn describe_problem(&mut self, status: u16, kinds: &[&ProblemKind]) -> Value {
        let codes: Vec<&str> = kinds.iter().map(|kind| kind.code).collect();
        // Not every client generator combines a `const` with the integer in `Problem`, so an
        // enumeration with one value is added.
        let status_only = json!({ "type": "integer", "enum": [status], "const": status });
        let mut narrowed =
            json!({ "properties": { "status": status_only, "code": { "enum": codes } } });
        if status == 422 {
            narrowed["required"] = json!(["errors"]);
        }
        let mut names = Vec::new();
        match status {
            401 => names.push("WWW-Authenticate"),
            415 => names.push("Accept"),
            429 | 503 => names.push("Retry-After"),
            _ => {}
        }
        let examples: Map<String, Value> = kinds
            .iter()
            .map(|kind| (kind.code.to_owned(), json!({ "value": self.example(kind) })))
            .collect();
        let name = problem_name(status);
        self.named.insert(name.clone(), json!({ "allOf": [reference("Problem"), narrowed] }));
        let lines: Vec<String> =
            kinds.iter().map(|kind| format!("`{}`: {}", kind.code, kind.meaning)).collect();
        json!({
            "description": lines.join("\n\n"),
            "headers": header_references(&names),
            "content": { "application/problem+json": {
                "schema": reference(&name),
                "examples": examples,
            } },
        })
    }

    fn example(&self, kind: &ProblemKind) -> Value {
        let mut example = json!({
            "type": format!("{}/docs/errors#{}", self.base_url, kind.code),
            "title": kind.title,
            "status": kind.status,
            "detail": kind.meaning,
            "code": kind.code,
            "requestId": "33a7713dba4f9b17",
        });
        if kind.status == 422 {
            let message = "write a day that exists as YYYY-MM-DD, from 2000-01-01 to 2099-12-31";
            example["detail"] = json!(format!("`invoiceDate`: {message}."));
            example["errors"] =
                json!([{ "pointer": "/invoiceDate", "code": "invalid_date", "message": message }]);
        }
        example
    }
}

/// Returns the problems that an operation can return, by status, in the order of the catalogue.
fn problems(operation: &Operation) -> Vec<(u16, Vec<&'static ProblemKind>)> {
    let mut named: Vec<&str> =
        ALWAYS.iter().chain(operation.problems).map(|kind| kind.code).collect();
    if operation.body.is_some() {
        named.extend(WITH_BODY.iter().map(|kind| kind.code));
    }
    if !operation.files.is_empty() {
        named.extend(
            WITH_BODY
                .iter()
                .map(|kind| kind.code)
                .filter(|code| *code != catalogue::MALFORMED_JSON.code),
        );
    }
    if operation.query.iter().any(|parameter| parameter["name"] == "cursor") {
        named.push(catalogue::INVALID_CURSOR.code);
    }
    if operation.method == "post" {
        named.push(catalogue::IDEMPOTENCY_KEY_REUSED.code);
    }
    // A path whose parameter is empty or contains a slash belongs to no operation.
    if operation.path.contains('{') {
        named.push(catalogue::UNKNOWN_ROUTE.code);
    }
    if operation.dutch {
        named.push(catalogue::DUTCH_ACCOUNT_REQUIRED.code);
    }
    let mut by_status: Vec<(u16, Vec<&'static ProblemKind>)> = Vec::new();
    for &kind in catalogue::ALL.iter().filter(|kind| named.contains(&kind.code)) {
        match by_status.iter_mut().find(|(status, _)| *status == kind.status) {
            Some((_, kinds)) => kinds.push(kind),
            None => by_status.push((kind.status, vec![kind])),
        }
    }
    by_status
}

/// Returns the name of the component for the problems with a status, derived from the status's
/// reason phrase.
fn problem_name(status: u16) -> String {
    let reason = StatusCode::from_u16(status)
        .ok()
        .and_then(|status| status.canonical_reason())
        .unwrap_or("");
    format!("{}Problem", reason.replace(' ', ""))
}

fn tag(path: &str) -> &'static str {
    let first = path.split('/').nth(1).unwrap_or("");
    TAGS.iter().find(|(part, ..)| *part == first).map_or("", |(_, name, _)| name)
}

/// Returns the content of a body that is a file of one of these media types. The schema has both
/// `contentMediaType`, as JSON Schema specifies, and `format`, which client generators read.
fn file(media_types: &[&str]) -> Value {
    let kind = |kind: &&str| {
        let schema = json!({ "type": "string", "format": "binary", "contentMediaType": kind });
        ((*kind).to_owned(), json!({ "schema": schema }))
    };
    media_types.iter().map(kind).collect::<Map<_, _>>().into()
}

fn reference(schema: &str) -> Value {
    json!({ "$ref": format!("#/components/schemas/{schema}") })
}

fn capitalised(word: &str) -> String {
    let mut chars = word.chars();
    chars.next().map(|first| first.to_ascii_uppercase()).into_iter().chain(chars).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn this() -> Value {
        document("https://books.example.com", &crate::operations())
    }

    #[test]
    fn the_checked_in_description_is_that_of_the_code() {
        // UPDATE_EXPECT=1 rewrites the file. The order of keys is irrelevant.
        let mut document = this();
        document.sort_all_objects();
        let text = serde_json::to_string_pretty(&document).unwrap() + "\n";
        expect_test::expect_file!["../../../../docs/openapi.json"].assert_eq(&text);
    }

    #[test]
    fn every_operation_says_what_it_is() {
        let mut ids = Vec::new();
        for operation in crate::operations() {
            assert!(
                !operation.id.is_empty() && !operation.summary.is_empty(),
                "{}",
                operation.path
            );
            assert!(!tag(operation.path).is_empty(), "{} has no tag", operation.path);
            assert_eq!(operation.body.is_some(), operation.example.is_some(), "{}", operation.id);
            ids.push(operation.id);
        }
        let count = ids.len();
        ids.sort_unstable();
        ids.dedup();
        assert_eq!(ids.len(), count);
    }

    /// Collects every property of a schema, with its path.
    fn properties<'v>(schema: &'v Value, way: &str, fields: &mut Vec<(String, &'v Value)>) {
        if let Some(members) = schema["properties"].as_object() {
            for (name, member) in members {
                let way = format!("{way}.{name}");
                properties(member, &way, fields);
                fields.push((way, member));
            }
        }
        if schema.get("items").is_some() {
            properties(&schema["items"], way, fields);
        }
    }

    #[test]
    fn every_field_and_parameter_has_a_description_and_an_example() {
        let document = this();
        let mut fields = Vec::new();
        for (name, schema) in document["components"]["schemas"].as_object().unwrap() {
            properties(schema, name, &mut fields);
        }
        assert!(fields.len() > 150, "only {} fields were checked", fields.len());
        let bare: Vec<_> = fields
            .iter()
            .filter(|(_, field)| field["description"].as_str().is_none_or(str::is_empty))
            .collect();
        assert!(bare.is_empty(), "{bare:?}");
        let plain: Vec<_> = fields
            .iter()
            .filter(|(_, field)| examples::wants_one(field))
            .map(|(way, _)| way)
            .collect();
        assert!(plain.is_empty(), "without an example: {plain:?}");
        for (path, item) in document["paths"].as_object().unwrap() {
            let own = item["parameters"].as_array().into_iter().flatten();
            let of_operations = item
                .as_object()
                .unwrap()
                .values()
                .filter_map(|operation| operation["parameters"].as_array());
            for parameter in own
                .chain(of_operations.flatten())
                .filter(|parameter| parameter.get("$ref").is_none())
            {
                assert!(
                    parameter["description"].as_str().is_some_and(|text| !text.is_empty()),
                    "{path} {parameter}"
                );
                let flag = parameter["schema"]["type"] == "boolean";
                assert!(
                    flag || !examples::wants_one(&parameter["schema"]),
                    "without an example: {path} {parameter}"
                );
            }
        }
    }
}
