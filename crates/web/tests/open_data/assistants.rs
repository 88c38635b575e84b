//! Tools for assistants (Model Context Protocol).

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
    let expected: Vec<String> =
        data.chain(calculators::all().iter().map(|one| format!("calculate_{}", one.id))).collect();
    assert_eq!(names, expected);
    for tool in tools {
        assert!(
            tool["inputSchema"]["type"] == "object" && tool["outputSchema"]["type"] == "object",
            "{}",
            tool["name"]
        );
        assert!(
            tool["annotations"]["readOnlyHint"] == true
                && tool["annotations"]["idempotentHint"] == true,
            "{}",
            tool["name"]
        );
    }
}

#[test]
fn a_tool_answers_what_the_json_says() {
    let answer = call(
        "tools/call",
        &json!({ "name": "data_vat-rates", "arguments": { "on": "2026-07-01" } }),
    );
    assert_eq!(
        answer["result"]["structuredContent"],
        get("/open-data/vat-rates.json?on=2026-07-01").json()
    );
    let arguments =
        json!({ "year": 2026, "profit": 50000, "hoursCriterion": true, "starter": false });
    let answer =
        call("tools/call", &json!({ "name": "calculate_income-tax", "arguments": arguments }));
    let expected = get("/open-data/calculators/income-tax.json?year=2026&profit=50000&hoursCriterion=true&starter=false").json();
    assert_eq!(answer["result"]["structuredContent"], expected);
    assert_eq!(expected["total"].to_string(), "9674.05");
    // Tools take rows as an array of objects; the query has numbered parameters instead.
    let sold = json!([{ "year": 2024, "investments": 10000, "cost": 5000, "proceeds": 3000 }]);
    let arguments =
        json!({ "year": 2026, "profit": 60000, "hoursCriterion": true, "disposals": sold });
    let answer =
        call("tools/call", &json!({ "name": "calculate_income-tax", "arguments": arguments }));
    assert_eq!(answer["result"]["structuredContent"]["disinvestmentAddition"], json!(840.0));
    let arguments =
        json!({ "items": [{ "description": "Work", "unitPrice": 100, "vatRate": 21 }] });
    let answer =
        call("tools/call", &json!({ "name": "calculate_invoice", "arguments": arguments }));
    assert_eq!(answer["result"]["structuredContent"]["total"], json!(121.0), "{answer}");
}

#[test]
fn a_tool_names_every_fault() {
    let refused = call(
        "tools/call",
        &json!({ "name": "calculate_vat", "arguments": { "amount": -1, "rate": 500 } }),
    );
    assert_eq!(refused["result"]["isError"], true);
    let text = refused["result"]["content"][0]["text"].as_str().unwrap();
    assert!(text.contains("amount:") && text.contains("rate:"), "{text}");
    let rows = json!({ "year": 2026, "profit": 1, "hoursCriterion": true, "disposals": [{ "year": 2019 }] });
    let refused = call("tools/call", &json!({ "name": "calculate_income-tax", "arguments": rows }));
    let text = refused["result"]["content"][0]["text"].as_str().unwrap();
    assert!(text.contains("disposals.0.year:") && text.contains("disposals.0.cost:"), "{text}");
    let unknown = call("tools/call", &json!({ "name": "calculate_luck", "arguments": {} }));
    assert!(unknown["error"]["message"].as_str().unwrap().contains("calculate_luck"), "{unknown}");
}

/// Content type, `Accept` and body of a request; status, error code and id of the response.
type MalformedMessage<'m> = (&'m str, &'m str, &'m [u8], u16, i64, Value);

/// Malformed messages get an error object of JSON-RPC 2.0 (section 5.1), never plain text.
#[test]
// Long: a table of cases.
fn a_malformed_message_is_answered_in_json_rpc() {
    let send = |kind: &str, accept: &str, body: &[u8]| {
        SERVER.send(
            "POST",
            "/open-data/mcp",
            &[("content-type", kind), ("accept", accept)],
            Some(body),
        )
    };
    let (json_type, both) = ("application/json", "application/json, text/event-stream");
    let large =
        format!("{{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"{}\"}}", "x".repeat(1024 * 1024));
    let cases: [MalformedMessage; 13] = [
        (json_type, both, b"{", 400, -32700, Value::Null),
        (json_type, both, b"", 400, -32700, Value::Null),
        (json_type, both, b"\xff", 400, -32700, Value::Null),
        ("application/json; charset=utf-8", both, b"{]", 400, -32700, Value::Null),
        (json_type, both, b"7", 400, -32600, Value::Null),
        (json_type, both, b"[]", 400, -32600, Value::Null),
        (json_type, both, b"{}", 400, -32600, Value::Null),
        (
            json_type,
            both,
            br#"{"jsonrpc":"1.0","id":7,"method":"tools/list"}"#,
            400,
            -32600,
            json!(7),
        ),
        (json_type, both, br#"{"jsonrpc":"2.0","id":"a","method":7}"#, 400, -32600, json!("a")),
        (
            json_type,
            both,
            br#"[{"jsonrpc":"2.0","id":1,"method":"tools/list"}]"#,
            400,
            -32600,
            Value::Null,
        ),
        (
            "text/plain",
            both,
            br#"{"jsonrpc":"2.0","id":7,"method":"tools/list"}"#,
            415,
            -32600,
            json!(7),
        ),
        (
            json_type,
            "text/html",
            br#"{"jsonrpc":"2.0","id":7,"method":"tools/list"}"#,
            406,
            -32600,
            json!(7),
        ),
        (json_type, both, large.as_bytes(), 413, -32600, Value::Null),
    ];
    for (kind, accept, body, status, code, id) in cases {
        let excerpt = String::from_utf8_lossy(&body[..body.len().min(60)]).into_owned();
        let reply = send(kind, accept, body);
        assert_eq!(
            (reply.status, reply.header("content-type")),
            (status, Some("application/json")),
            "{excerpt}: {}",
            reply.text
        );
        let answer = reply.json();
        assert_eq!(
            (&answer["jsonrpc"], &answer["id"], &answer["error"]["code"]),
            (&json!("2.0"), &id, &json!(code)),
            "{excerpt}: {answer}"
        );
        assert!(!answer["error"]["message"].as_str().unwrap().is_empty());
        assert_eq!(reply.header("access-control-allow-origin"), Some("*"), "{excerpt}");
    }
}
