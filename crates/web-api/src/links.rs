//! Links in the description (OpenAPI 3.1, Link Object). Each response links to the operations that
//! can use its values. The links are derived from the paths: the resource at `/invoices/{id}`
//! passes its id to every operation below that path.

use super::operation::{Answer, Operation};
use schemars::SchemaGenerator;
use serde_json::{Map, Value, json};

/// A resource with a path of its own, such as `/invoices/{id}`.
struct Home {
    /// Name of the resource's schema.
    resource: String,
    path: &'static str,
}

/// Returns the links from the successful responses of each operation, in the order of `operations`.
pub(super) fn links(
    schemas: &mut SchemaGenerator,
    operations: &[Operation],
) -> Vec<Map<String, Value>> {
    let names: Vec<String> =
        operations.iter().map(|operation| name_of(schemas, operation)).collect();
    let named = || operations.iter().zip(&names);
    let is_home = |operation: &Operation| {
        // A part of a resource, such as `/invoices/{id}/link`, has no id of its own.
        operation.answer == Answer::Resource && operation.path.ends_with('}')
    };
    let homes: Vec<Home> = named()
        .filter(|(operation, _)| is_home(operation))
        .map(|(operation, name)| Home { resource: name.clone(), path: operation.path })
        .collect();
    named()
        .map(|(operation, name)| {
            let home = homes.iter().find(|home| home.resource == *name);
            home.map_or_else(Map::new, |home| from(operation, home, operations))
        })
        .collect()
}

fn name_of(schemas: &mut SchemaGenerator, operation: &Operation) -> String {
    let schema = json!((operation.resource)(schemas));
    schema["$ref"].as_str().and_then(|path| path.rsplit('/').next()).unwrap_or("").to_owned()
}

/// Returns the links from an operation that responds with a resource.
fn from(operation: &Operation, home: &Home, operations: &[Operation]) -> Map<String, Value> {
    let row = if operation.answer == Answer::Page { "/data/0" } else { "" };
    let known: Vec<&str> = parameters(home.path).collect();
    let root = &home.path[..=home.path.find('}').unwrap_or(0)];
    let mut links = Map::new();
    for target in operations.iter().filter(|target| target.id != operation.id) {
        let mut values = Map::new();
        if target.path.starts_with(root)
            && parameters(target.path).all(|name| known.contains(&name))
        {
            for name in parameters(target.path) {
                values.insert(
                    format!("path.{name}"),
                    json!(format!("$response.body#{row}/{}", field(home.path, name))),
                );
            }
        }
        let mine = format!("{}Id", singular(home.path));
        if target.query.iter().any(|parameter| parameter["name"] == *mine) {
            values.insert(format!("query.{mine}"), json!(format!("$response.body#{row}/id")));
        }
        if !values.is_empty() {
            links.insert(
                target.id.to_owned(),
                json!({ "operationId": target.id, "parameters": values, "description": target.summary }),
            );
        }
    }
    links
}

/// Returns the names of the parameters in a path.
fn parameters(path: &str) -> impl Iterator<Item = &str> {
    path.split('/').filter_map(|part| part.strip_prefix('{')?.strip_suffix('}'))
}

/// Returns the singular of the first segment of a path, such as `invoice`.
fn singular(path: &str) -> &str {
    let first = path.split('/').nth(1).unwrap_or("");
    first.strip_suffix('s').unwrap_or(first)
}

/// Returns the field of the resource at `home` that supplies a path parameter.
fn field(home: &str, parameter: &str) -> String {
    match parameter {
        "year" | "quarter" => parameter.to_owned(),
        own if parameters(home).last() == Some(own) => "id".to_owned(),
        _ => format!("{}Id", singular(home)),
    }
}

#[cfg(test)]
mod tests {
    use crate::{openapi::document, operations};
    use serde_json::{Value, json};

    fn links_of(path: &str, method: &str, status: &str) -> Value {
        let document = document("https://books.example.com", &operations());
        document["paths"][path][method]["responses"][status]["links"].clone()
    }

    #[test]
    fn a_create_links_to_the_operations_that_follow() {
        let created = links_of("/api/v1/invoices", "post", "201");
        let ids: Vec<&String> = created.as_object().unwrap().keys().collect();
        assert_eq!(
            ids,
            [
                "readInvoice",
                "editInvoice",
                "cancelInvoice",
                "readInvoiceLink",
                "renewInvoiceLink",
                "withdrawInvoiceLink",
                "readInvoicePdf",
                "readInvoiceUbl",
                "stopReminders",
                "resumeReminders",
                "sendInvoice",
                "remindInvoice",
                "listMessages",
                "listPayments",
                "createPayment",
                "moveInvoiceVat",
                "createCreditNote",
                "listWriteOffs",
                "createWriteOff",
                "changeIcpVatNumber",
                "undoIcpVatNumber"
            ]
        );
        assert_eq!(
            created["createPayment"]["parameters"],
            json!({ "path.id": "$response.body#/id" })
        );
        assert_eq!(links_of("/api/v1/invoices", "post", "200"), created);
        let paid = links_of("/api/v1/invoices/{id}/payments", "post", "201");
        let expected = json!({ "path.id": "$response.body#/invoiceId", "path.paymentId": "$response.body#/id" });
        assert_eq!(paid["readPayment"]["parameters"], expected);
        assert_eq!(
            paid["readInvoice"]["parameters"],
            json!({ "path.id": "$response.body#/invoiceId" })
        );
    }

    #[test]
    fn a_page_links_by_its_first_row() {
        let projects = links_of("/api/v1/projects", "get", "200");
        assert_eq!(
            projects["readProject"]["parameters"],
            json!({ "path.id": "$response.body#/data/0/id" })
        );
        assert_eq!(
            projects["listTimeEntries"]["parameters"],
            json!({ "query.projectId": "$response.body#/data/0/id" })
        );
        let filings = links_of("/api/v1/vat-filings", "get", "200");
        let quarter = json!({ "path.year": "$response.body#/data/0/year", "path.quarter": "$response.body#/data/0/quarter" });
        assert_eq!(filings["readVatFiling"]["parameters"], quarter);
    }
}
