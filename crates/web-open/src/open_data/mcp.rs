//! Data sets and calculators as tools of the Model Context Protocol, for assistants (streamable
//! HTTP, without sessions).

use super::{
    catalog::{ABOUT, TITLE},
    invoice, json, schema,
};
use axum::{
    body::Body,
    extract::Request,
    http::{Method, StatusCode, header},
    middleware::Next,
    response::{IntoResponse, Response},
};
use jiff::civil::Date;
use ledger::language::Language;
use rmcp::{
    ErrorData, RoleServer, ServerHandler,
    model::{
        CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, ErrorCode,
        Implementation, JsonObject, ListToolsResult, PaginatedRequestParams, ServerCapabilities,
        ServerConfig, Tool, ToolAnnotations,
    },
    service::RequestContext,
    transport::streamable_http_server::{
        StreamableHttpServerConfig, StreamableHttpService, session::never::NeverSessionManager,
    },
};
use serde_json::{Value as Json, json};
use std::sync::{Arc, LazyLock};
use tax::{
    calculator::{Calculator, Run},
    calculators,
    dataset::{self, Dataset, Selection},
    fault::Fault,
};

/// Maximum size of a request body, in bytes.
const BODY: usize = 1024 * 1024;

static TOOLS: LazyLock<Vec<Tool>> = LazyLock::new(|| {
    let data = dataset::all().iter().map(data_tool);
    data.chain(calculators::all().iter().map(|calculator| calculator_tool(calculator))).collect()
});

/// Handler of the tools.
#[derive(Clone)]
pub(super) struct Tools {
    today: Arc<dyn Fn() -> Date + Send + Sync>,
}

/// Returns the service at `/open-data/mcp`.
pub(super) fn service(
    today: impl Fn() -> Date + Send + Sync + 'static,
) -> StreamableHttpService<Tools, NeverSessionManager> {
    let config = StreamableHttpServerConfig::default()
        .with_legacy_session_mode(false)
        .with_json_response(true)
        .with_max_request_body_bytes(BODY)
        // Hosts and origins need no restriction: the service is public and read-only.
        .disable_allowed_hosts();
    let tools = Tools { today: Arc::new(today) };
    StreamableHttpService::new(move || Ok(tools.clone()), Arc::default(), config)
}

/// Converts errors of the transport, which are plain text, to JSON-RPC error objects (JSON-RPC 2.0,
/// section 5.1).
pub(super) async fn in_json_rpc(request: Request, next: Next) -> Response {
    if request.method() != Method::POST {
        return next.run(request).await;
    }
    let (parts, body) = request.into_parts();
    let is_json = parts
        .headers
        .get(header::CONTENT_TYPE)
        .is_some_and(|kind| kind.as_bytes().starts_with(b"application/json"));
    let Ok(body) = axum::body::to_bytes(body, BODY).await else {
        let message = format!("send a message of at most {BODY} bytes");
        return refusal(
            StatusCode::PAYLOAD_TOO_LARGE,
            ErrorCode::INVALID_REQUEST,
            &message,
            &Json::Null,
        );
    };
    let response = next.run(Request::from_parts(parts, Body::from(body.clone()))).await;
    let status = response.status();
    let is_answer =
        response.headers().get(header::CONTENT_TYPE).is_some_and(|kind| kind == "application/json");
    if !(status.is_client_error() || status.is_server_error()) || is_answer {
        return response;
    }
    let message = serde_json::from_slice::<Json>(&body);
    let id = message
        .as_ref()
        .map(|message| &message["id"])
        .ok()
        .filter(|id| id.is_string() || id.is_number());
    let id = id.unwrap_or(&Json::Null);
    match (status, &message) {
        (StatusCode::UNSUPPORTED_MEDIA_TYPE, Err(error)) if is_json => {
            let message = format!("the body is no JSON: {error}");
            refusal(StatusCode::BAD_REQUEST, ErrorCode::PARSE_ERROR, &message, id)
        }
        (StatusCode::UNSUPPORTED_MEDIA_TYPE, Ok(_)) if is_json => {
            let message = "the body is no message of JSON-RPC 2.0 that MCP knows; send one object with jsonrpc, id, method and params";
            refusal(StatusCode::BAD_REQUEST, ErrorCode::INVALID_REQUEST, message, id)
        }
        _ => {
            let text = axum::body::to_bytes(response.into_body(), BODY).await.unwrap_or_default();
            refusal(status, ErrorCode::INVALID_REQUEST, &String::from_utf8_lossy(&text), id)
        }
    }
}

fn refusal(status: StatusCode, code: ErrorCode, message: &str, id: &Json) -> Response {
    let error =
        json!({ "jsonrpc": "2.0", "id": id, "error": { "code": code.0, "message": message } });
    (status, [(header::CONTENT_TYPE, "application/json")], error.to_string()).into_response()
}

impl ServerHandler for Tools {
    fn get_info(&self) -> ServerConfig {
        let server = Implementation::new("grootboek-open-data", env!("CARGO_PKG_VERSION"))
            .with_title(TITLE.get(Language::English));
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
            .with_server_info(server)
            .with_instructions(ABOUT.get(Language::English))
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(TOOLS.clone()))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let arguments = request.arguments.unwrap_or_default();
        let answer = if let Some(set) = request.name.strip_prefix("data_").and_then(dataset::find) {
            read_data(set, arguments)
        } else if let Some(calculator) =
            request.name.strip_prefix("calculate_").and_then(calculators::find)
        {
            calculate(calculator, arguments, (self.today)())
        } else {
            return Err(ErrorData::invalid_params(
                format!("there is no tool {}; tools/list names them all", request.name),
                None,
            ));
        };
        Ok(match answer {
            // Parsing cannot fail, because our own code generated the JSON.
            Ok(text) => {
                CallToolResult::structured(serde_json::from_str(&text).unwrap_or(Json::Null))
            }
            Err(faults) => CallToolResult::error(vec![ContentBlock::text(faults)]),
        }
        .into())
    }

    fn get_tool(&self, name: &str) -> Option<Tool> {
        TOOLS.iter().find(|tool| tool.name == name).cloned()
    }
}

fn read_data(set: &Dataset, arguments: JsonObject) -> Result<String, String> {
    let (language, parameters) = parameters(arguments)?;
    let selection = Selection::read(set, &borrowed(&parameters))
        .map_err(|faults| in_words(&faults, language))?;
    Ok(json::dataset(set, selection, language))
}

fn calculate(
    calculator: &Calculator,
    arguments: JsonObject,
    today: Date,
) -> Result<String, String> {
    if matches!(calculator.run, Run::Body) {
        return invoice::calculate(Json::Object(arguments).to_string().as_bytes(), today);
    }
    let (language, parameters) = parameters(arguments)?;
    let outcome = calculator
        .calculate(&borrowed(&parameters))
        .map_err(|faults| in_words(&faults, language))?;
    Ok(json::outcome(&outcome, language))
}

/// Converts the arguments to query parameters, and returns them with the language of the texts. A
/// field of a row becomes the parameter `name.0.field`.
fn parameters(arguments: JsonObject) -> Result<(Language, Vec<(String, String)>), String> {
    let mut language = Language::English;
    let mut parameters = Vec::with_capacity(arguments.len());
    for (name, value) in arguments {
        if let Json::Array(rows) = value {
            for (place, row) in rows.into_iter().enumerate() {
                let Json::Object(row) = row else {
                    return Err(format!("{name}: give objects in the array"));
                };
                for (field, value) in row {
                    let name = format!("{name}.{place}.{field}");
                    parameters.extend(single(&name, value)?.map(|text| (name, text)));
                }
            }
            continue;
        }
        let Some(text) = single(&name, value)? else { continue };
        match (name.as_str(), text.as_str()) {
            ("lang", "nl") => language = Language::Dutch,
            ("lang", "en") => language = Language::English,
            _ => parameters.push((name, text)),
        }
    }
    Ok((language, parameters))
}

/// Converts a single value to text; `None` for null.
fn single(name: &str, value: Json) -> Result<Option<String>, String> {
    match value {
        Json::Null => Ok(None),
        Json::String(text) => Ok(Some(text)),
        Json::Number(number) => Ok(Some(number.to_string())),
        Json::Bool(yes) => Ok(Some(yes.to_string())),
        Json::Array(_) | Json::Object(_) => {
            Err(format!("{name}: give a text, a number, true or false"))
        }
    }
}

fn borrowed(parameters: &[(String, String)]) -> Vec<(&str, &str)> {
    parameters.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect()
}

/// Returns all faults, one per line.
fn in_words(faults: &[Fault], language: Language) -> String {
    let lines: Vec<String> = faults
        .iter()
        .map(|fault| format!("{}: {}", fault.parameter, fault.message.get(language)))
        .collect();
    lines.join("\n")
}

fn data_tool(set: &Dataset) -> Tool {
    let input = json!({
        "type": "object",
        "properties": {
            "on": { "type": "string", "format": "date", "description": "Only the rows that hold on this day, YYYY-MM-DD." },
            "year": { "type": "integer", "description": "Only the rows that hold on at least one day of this year. Not together with on." },
            "lang": language_schema(),
        },
        "additionalProperties": false,
    });
    tool(
        format!("data_{}", set.id),
        set.title.get(Language::English),
        set.description.get(Language::English),
        input,
        schema::of_dataset(set),
    )
}

fn calculator_tool(calculator: &Calculator) -> Tool {
    let (title, description) =
        (calculator.title.get(Language::English), calculator.description.get(Language::English));
    let input = if matches!(calculator.run, Run::Body) {
        invoice::schema()
    } else {
        let mut input = schema::of_inputs(calculator);
        input["properties"]["lang"] = language_schema();
        input
    };
    tool(
        format!("calculate_{}", calculator.id),
        title,
        description,
        input,
        schema::of_outcome(calculator),
    )
}

fn language_schema() -> Json {
    json!({ "type": "string", "enum": ["nl", "en"], "description": "The language of texts. Default: en." })
}

fn tool(name: String, title: &str, description: &str, input: Json, output: Json) -> Tool {
    let hints = ToolAnnotations::with_title(title)
        .read_only(true)
        .idempotent(true)
        .destructive(false)
        .open_world(false);
    Tool::new(name, description.to_owned(), object(input))
        .with_title(title)
        .with_raw_output_schema(object(output))
        .with_annotations(hints)
}

fn object(schema: Json) -> Arc<JsonObject> {
    match schema {
        Json::Object(members) => Arc::new(members),
        _ => Arc::default(),
    }
}
