//! The tools for assistants (Model Context Protocol).

use super::{SERVER, get};
use serde_json::{Value, json};
use tax::{calculators, dataset};

fn call(method: &str, parameters: &Value) -> Value {
    let body = json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": parameters });
    let headers = [
        ("content-type", "application/json"),
        ("accept", "application/json, text/event-stream"),
        ("mcp-protocol-version", "2025-06-18"),
    ];
    let reply = SERVER.send("POST", "/open-data/mcp", &headers, Some(body.to_string().as_bytes()));
    assert_eq!(reply.status, 200, "{method}: {}", reply.text);
    assert_eq!(reply.header("access-control-allow-origin"), Some("*"));
    reply.json()
}

#[test]
fn every_data_set_and_calculator_is_a_tool_that_only_reads() {
    let hello = call(
        "initialize",
        &json!({ "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": { "name": "test", "version": "1" } }),
    );
    assert!(hello["result"]["capabilities"]["tools"].is_object(), "{hello}");
    let listed = call("tools/list", &json!({}));
    let tools = listed["result"]["tools"].as_array().unwrap();
    let names: Vec<&str> = tools.iter().map(|tool| tool["name"].as_str().unwrap()).collect();
    let data = dataset::all().iter().map(|set| format!("data_{}", set.id));
    let expected: Vec<String> = data.chain(calculators::all().iter().map(|one| format!("calculate_{}", one.id))).collect();
    assert_eq!(names, expected);
    for tool in tools {
        assert!(tool["inputSchema"]["type"] == "object" && tool["outputSchema"]["type"] == "object", "{}", tool["name"]);
        assert!(tool["annotations"]["readOnlyHint"] == true && tool["annotations"]["idempotentHint"] == true, "{}", tool["name"]);
    }
}

#[test]
fn a_tool_answers_what_the_json_says() {
    let answer = call("tools/call", &json!({ "name": "data_vat-rates", "arguments": { "on": "2026-07-01" } }));
    assert_eq!(answer["result"]["structuredContent"], get("/open-data/vat-rates.json?on=2026-07-01").json());
    let arguments = json!({ "year": 2026, "profit": 50000, "hoursCriterion": true, "starter": false });
    let answer = call("tools/call", &json!({ "name": "calculate_income-tax", "arguments": arguments }));
    let expected = get("/open-data/calculators/income-tax.json?year=2026&profit=50000&hoursCriterion=true&starter=false").json();
    assert_eq!(answer["result"]["structuredContent"], expected);
    assert_eq!(expected["total"].to_string(), "9674.05");
    let arguments = json!({ "items": [{ "description": "Work", "unitPrice": 100, "vatRate": 21 }] });
    let answer = call("tools/call", &json!({ "name": "calculate_invoice", "arguments": arguments }));
    assert_eq!(answer["result"]["structuredContent"]["total"], json!(121.0), "{answer}");
}

#[test]
fn a_tool_names_every_fault() {
    let refused = call("tools/call", &json!({ "name": "calculate_vat", "arguments": { "amount": -1, "rate": 500 } }));
    assert_eq!(refused["result"]["isError"], true);
    let text = refused["result"]["content"][0]["text"].as_str().unwrap();
    assert!(text.contains("amount:") && text.contains("rate:"), "{text}");
    let unknown = call("tools/call", &json!({ "name": "calculate_luck", "arguments": {} }));
    assert!(unknown["error"]["message"].as_str().unwrap().contains("calculate_luck"), "{unknown}");
}
