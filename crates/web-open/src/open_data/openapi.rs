//! OpenAPI 3.1 description of this interface, derived from the definitions of data sets and
//! calculators.

use super::{
    catalog::{ABOUT, PREFIX, TITLE},
    schema,
};
use ledger::language::Language;
use serde_json::{Map, Value as Json, json};
use tax::{
    calculator::{Calculator, InputKind, Run},
    calculators,
    dataset::{self, Dataset},
};

/// Version of the contract, not of the program.
const VERSION: &str = "1.0.0";

/// Returns the description for a server with the base URL `base`.
pub(super) fn document(base: &str, invoice_body: &Json) -> Json {
    let mut paths = Map::new();
    paths.insert(format!("{PREFIX}/catalog.json"), json!({ "get": operation("listOpenData", "List everything", "Catalogue", "All data sets, calculators and sources.", &[lang()], json_answer(json!({ "type": "object" }))) }));
    paths.insert(format!("{PREFIX}/catalog.jsonld"), json!({ "get": operation("describeForPortals", "Describe the data sets for data portals", "Catalogue", "DCAT 3 as JSON-LD.", &[], answer("application/ld+json", json!({ "type": "object" }))) }));
    for set in dataset::all() {
        add_dataset(&mut paths, set);
    }
    paths.insert(format!("{PREFIX}/deadlines.ics"), json!({ "get": deadlines() }));
    for calculator in calculators::all() {
        add_calculator(&mut paths, calculator, invoice_body);
    }
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": TITLE.get(Language::English),
            "version": VERSION,
            "summary": "Figures of Dutch tax law with their sources, and calculators",
            "description": ABOUT.get(Language::English),
            "contact": { "name": "grootboek", "url": base },
            "license": { "name": "CC0-1.0", "identifier": "CC0-1.0" },
        },
        "servers": [{ "url": base }],
        "security": [],
        "tags": [
            { "name": "Catalogue", "description": "What there is." },
            { "name": "Data sets", "description": "Tables of figures, each row with its source and the days on which it holds." },
            { "name": "Calculators", "description": "What is worked out from the figures, with every step." },
        ],
        "paths": paths,
        "components": { "schemas": { "Problem": problem() }, "responses": responses(), "headers": headers() },
    })
}

fn add_dataset(paths: &mut Map<String, Json>, set: &Dataset) {
    let name = camel(&set.id);
    let description = set.description.get(Language::English);
    let title = set.title.get(Language::English);
    let parameters = [on(), year(set), lang()];
    let read = operation(
        &format!("get{name}"),
        title,
        "Data sets",
        description,
        &parameters,
        json_answer(schema::of_dataset(set)),
    );
    paths.insert(format!("{PREFIX}/{}.json", set.id), json!({ "get": read }));
    let table = answer("text/csv", json!({ "type": "string", "maxLength": 10_000_000 }));
    let read = operation(
        &format!("get{name}Csv"),
        &format!("{title} (CSV)"),
        "Data sets",
        description,
        &parameters,
        table,
    );
    paths.insert(format!("{PREFIX}/{}.csv", set.id), json!({ "get": read }));
}

fn add_calculator(paths: &mut Map<String, Json>, calculator: &Calculator, invoice_body: &Json) {
    let id = format!("calculate{}", camel(calculator.id));
    let (title, description) =
        (calculator.title.get(Language::English), calculator.description.get(Language::English));
    let answer = json_answer(schema::of_outcome(calculator));
    let path = format!("{PREFIX}/calculators/{}.json", calculator.id);
    match calculator.run {
        Run::Query(_) => {
            let mut parameters: Vec<Json> = calculator
                .inputs
                .iter()
                .map(|input| {
                    let description = format!("{}. {}", input.label.en, input.hint.en);
                    let mut parameter = json!({ "name": input.name, "in": "query", "required": input.required, "description": description.trim(), "schema": schema::of_input(input) });
                    if matches!(input.kind, InputKind::Rows { .. }) {
                        // With this style, each property of the object is a separate query
                        // parameter.
                        parameter["style"] = json!("form");
                        parameter["explode"] = json!(true);
                    }
                    parameter
                })
                .collect();
            parameters.push(lang());
            paths.insert(path, json!({ "get": operation(&id, title, "Calculators", description, &parameters, answer) }));
        }
        Run::Body => {
            let mut post = operation(&id, title, "Calculators", description, &[lang()], answer);
            post["requestBody"] = json!({ "required": true, "content": { "application/json": { "schema": invoice_body } } });
            for (status, name) in
                [("400", "Malformed"), ("413", "TooLarge"), ("415", "UnsupportedMediaType")]
            {
                post["responses"][status] =
                    json!({ "$ref": format!("#/components/responses/{name}") });
            }
            paths.insert(path, json!({ "post": post }));
        }
    }
}

fn deadlines() -> Json {
    let period = json!({ "name": "vatPeriod", "in": "query", "required": false, "description": "How often VAT is returned. Default: quarter.",
        "schema": { "type": "string", "enum": ["month", "quarter", "year"], "default": "quarter" } });
    let calendar = answer("text/calendar", json!({ "type": "string", "maxLength": 10_000_000 }));
    operation(
        "subscribeToDeadlines",
        "Deadlines as a calendar",
        "Data sets",
        "The days to file and to pay, to subscribe to (RFC 5545).",
        &[period, lang()],
        calendar,
    )
}

fn operation(
    id: &str,
    summary: &str,
    tag: &str,
    description: &str,
    parameters: &[Json],
    answer: Json,
) -> Json {
    json!({
        "operationId": id,
        "summary": summary,
        "description": description,
        "tags": [tag],
        "parameters": parameters,
        "responses": {
            "200": answer,
            "304": { "description": "Not changed since the entity tag in `If-None-Match`." },
            "422": { "$ref": "#/components/responses/Invalid" },
            "429": { "$ref": "#/components/responses/RateLimited" },
            "500": { "$ref": "#/components/responses/Internal" },
        },
    })
}

fn json_answer(schema: Json) -> Json {
    answer("application/json", schema)
}

fn answer(media: &str, schema: Json) -> Json {
    json!({
        "description": "What was asked for.",
        "headers": {
            "ETag": { "$ref": "#/components/headers/ETag" },
            "Access-Control-Allow-Origin": { "$ref": "#/components/headers/AccessControlAllowOrigin" },
        },
        "content": { media: { "schema": schema } },
    })
}

fn headers() -> Json {
    json!({
        "ETag": { "description": "Changes with the answer; send it as `If-None-Match`.", "schema": { "type": "string", "maxLength": 100 } },
        "AccessControlAllowOrigin": { "description": "Any page may read this.", "schema": { "type": "string", "enum": ["*"] } },
        "RetryAfter": { "description": "Seconds to wait.", "schema": { "type": "integer", "format": "int32", "minimum": 1, "maximum": 3600 } },
    })
}

fn responses() -> Json {
    let problem = |meaning: &str| json!({ "description": meaning, "content": { "application/problem+json": { "schema": { "$ref": "#/components/schemas/Problem" } } } });
    let mut limited = problem("Too many requests from this address.");
    limited["headers"] = json!({ "Retry-After": { "$ref": "#/components/headers/RetryAfter" } });
    json!({
        "Invalid": problem("Values that cannot be used, all of them in `errors`."),
        "RateLimited": limited,
        "Internal": problem("A failure on the server's side."),
        "Malformed": problem("The body is not JSON."),
        "TooLarge": problem("The body is too large."),
        "UnsupportedMediaType": problem("The body is not declared as application/json."),
    })
}

fn problem() -> Json {
    let text = |longest: u32| json!({ "type": "string", "maxLength": longest });
    json!({
        "type": "object",
        "description": "A failure (RFC 9457).",
        "required": ["type", "title", "status", "detail", "code", "requestId"],
        "properties": {
            "type": { "type": "string", "format": "uri", "maxLength": 500 },
            "title": text(200), "detail": text(5_000), "code": text(60), "requestId": text(40),
            "status": { "type": "integer", "format": "int32", "minimum": 400, "maximum": 599 },
            "errors": { "type": "array", "maxItems": 1_000, "items": {
                "type": "object",
                "required": ["code", "message"],
                "properties": { "parameter": text(200), "pointer": text(500), "code": text(60), "message": text(2_000) },
            } },
        },
    })
}

fn on() -> Json {
    json!({ "name": "on", "in": "query", "required": false, "description": "Only the rows that hold on this day. Not together with `year`.",
        "schema": { "type": "string", "format": "date", "minLength": 10, "maxLength": 10 } })
}

fn year(set: &Dataset) -> Json {
    let (first, last) = set.days();
    // Figures without an end date also apply to later years.
    let last = last.map_or(2099, |day| day.year());
    json!({ "name": "year", "in": "query", "required": false, "description": "Only the rows that hold on at least one day of this year. Not together with `on`.",
        "schema": { "type": "integer", "format": "int32", "minimum": first.year().max(2000), "maximum": last } })
}

fn lang() -> Json {
    json!({ "name": "lang", "in": "query", "required": false, "description": "The language of texts. Default: en.",
        "schema": { "type": "string", "enum": ["nl", "en"], "default": "en" } })
}

/// Converts `vat-rates` to `VatRates`.
fn camel(id: &str) -> String {
    id.split('-').map(|part| part[..1].to_uppercase() + &part[1..]).collect()
}
