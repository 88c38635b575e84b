//! The description of the API (OpenAPI 3.1), made from the operations.

use super::operation::{Answer, Operation};
use schemars::{SchemaGenerator, generate::SchemaSettings};
use serde_json::{Map, Value, json};

/// The description, for a server that is reached by `base_url`.
pub(crate) fn document(base_url: &str, operations: &[Operation]) -> Value {
    let mut schemas =
        SchemaSettings::draft2020_12().with(|settings| settings.definitions_path = "/components/schemas".into()).into_generator();
    let mut paths: Map<String, Value> = Map::new();
    for operation in operations {
        let path = paths.entry(format!("/api/v1{}", operation.path)).or_insert_with(|| json!({}));
        path[operation.method] = describe(operation, &mut schemas);
    }
    json!({
        "openapi": "3.1.0",
        "info": { "title": "grootboek", "version": env!("CARGO_PKG_VERSION") },
        "servers": [{ "url": base_url }],
        "paths": paths,
        "components": { "schemas": schemas.take_definitions(true) },
    })
}

fn describe(operation: &Operation, schemas: &mut SchemaGenerator) -> Value {
    let resource = (operation.resource)(schemas);
    let schema = match operation.answer {
        Answer::Page => json!({ "type": "object", "properties": { "data": { "type": "array", "items": resource } } }),
        Answer::Resource | Answer::Created | Answer::Changed => json!(resource),
    };
    let status = if operation.answer == Answer::Created { "201" } else { "200" };
    let mut described = json!({
        "operationId": operation.id,
        "summary": operation.summary,
        "description": operation.description,
        "parameters": operation.query,
        "responses": { status: { "description": "", "content": { "application/json": { "schema": schema } } } },
    });
    if let Some(body) = &operation.body {
        described["requestBody"] = json!({ "required": true, "content": { "application/json": { "schema": body } } });
    }
    for problem in operation.problems {
        described["responses"][problem.status.to_string()] = json!({ "description": problem.title });
    }
    described["x-dutch-accounts-only"] = json!(operation.dutch);
    described
}
