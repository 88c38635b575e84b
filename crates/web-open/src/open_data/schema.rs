//! JSON Schema (2020-12) of rows, parameters and results, for the OpenAPI description and for
//! assistants.

use serde_json::{Map, Value as Json, json};
use tax::{
    calculator::{Calculator, Input, InputKind, Output, OutputKind},
    dataset::{Column, ColumnKind, Dataset, Status},
    words::Choice,
};

/// Maximum number of characters in a text of a response; the longest notes are far shorter.
const LONGEST: usize = 5_000;

/// Returns the schema of a data set.
pub(super) fn of_dataset(dataset: &Dataset) -> Json {
    let source = object(
        [
            ("id", text("The name that rows give in `source`.")),
            ("title", text("What it is called.")),
            ("reference", text("The article, page or number in it.")),
            ("url", json!({ "type": "string", "format": "uri", "maxLength": 2_000 })),
            ("checked", date("When the figures were compared with it last.")),
        ],
        &[],
    );
    let optional: Vec<&str> = dataset
        .columns
        .iter()
        .filter(|column| column.optional)
        .map(|column| column.name.as_str())
        .collect();
    let row = object(
        dataset.columns.iter().map(|column| (column.name.as_str(), of_column(column))),
        &optional,
    );
    object(
        [
            ("id", json!({ "type": "string", "const": dataset.id })),
            ("title", text("What the data set is called.")),
            ("description", text("What it says, what it leaves out, and what is uncertain.")),
            ("licence", text("SPDX identifier of the licence.")),
            (
                "version",
                json!({ "type": "integer", "format": "int32", "minimum": 1, "maximum": 1_000_000 }),
            ),
            ("updated", date("When the figures were changed or checked last.")),
            ("sources", json!({ "type": "array", "maxItems": 100, "items": source })),
            ("data", json!({ "type": "array", "maxItems": 10_000, "items": row })),
        ],
        &[],
    )
}

fn of_column(column: &Column) -> Json {
    let mut schema = match &column.kind {
        ColumnKind::Date => json!({ "type": "string", "format": "date", "maxLength": 10 }),
        ColumnKind::Percent | ColumnKind::Money | ColumnKind::Number => json!({ "type": "number" }),
        ColumnKind::Integer => {
            json!({ "type": "integer", "format": "int64", "minimum": i64::MIN, "maximum": i64::MAX })
        }
        ColumnKind::Boolean => json!({ "type": "boolean" }),
        ColumnKind::Text | ColumnKind::Words => json!({ "type": "string", "maxLength": LONGEST }),
        ColumnKind::Enum(choices) => choice(choices),
    };
    describe(&mut schema, &column.meaning.en);
    schema
}

/// Returns the schema of the result of a calculator.
pub(super) fn of_outcome(calculator: &Calculator) -> Json {
    let figure = object(
        [
            (
                "source",
                text(
                    "Where the figure was found: the name of a source, see `/open-data/catalog.json`.",
                ),
            ),
            ("status", status()),
            ("note", text("What is uncertain of it, or otherwise worth knowing.")),
        ],
        &["note"],
    );
    let figures = json!({ "type": "array", "maxItems": 100, "items": figure,
        "description": "Where the step's figures come from and how firm they are, the least firm first; empty where it only works with what was given." });
    let step = object(
        [
            ("id", text("The step's name, the same in every language.")),
            ("text", text("What was done.")),
            (
                "amount",
                json!({ "description": "What came of it.", "type": ["number", "string", "boolean"] }),
            ),
            ("source", text("The rule: the name of a source, see `/open-data/catalog.json`.")),
            ("figures", figures),
        ],
        &[],
    );
    let optional: Vec<&str> = calculator
        .outputs
        .iter()
        .filter(|output| output.optional)
        .map(|output| output.name)
        .collect();
    let mut fields: Vec<(&str, Json)> =
        calculator.outputs.iter().map(|output| (output.name, of_output(output))).collect();
    fields.push(("steps", json!({ "type": "array", "maxItems": 10_000, "items": step })));
    object(fields, &optional)
}

/// Returns the schema of the status of a figure.
fn status() -> Json {
    let names = Status::ALL.map(Status::as_str);
    let meanings: Vec<String> = Status::ALL
        .iter()
        .map(|status| format!("`{}`: {}", status.as_str(), status.meaning().en))
        .collect();
    json!({ "type": "string", "enum": names, "description": meanings.join(" ") })
}

fn of_output(output: &Output) -> Json {
    let mut schema = match output.kind {
        OutputKind::Money | OutputKind::Percent | OutputKind::Number => json!({ "type": "number" }),
        OutputKind::Integer => {
            json!({ "type": "integer", "format": "int64", "minimum": i64::MIN, "maximum": i64::MAX })
        }
        OutputKind::Boolean => json!({ "type": "boolean" }),
        OutputKind::Date => json!({ "type": "string", "format": "date", "maxLength": 10 }),
        OutputKind::Text | OutputKind::Words => json!({ "type": "string", "maxLength": LONGEST }),
        OutputKind::Choice(choices) => choice(choices),
        OutputKind::Choices(choices) => {
            json!({ "type": "array", "maxItems": choices.len(), "items": choice(choices) })
        }
        OutputKind::Rows(outputs) => {
            let optional: Vec<&str> =
                outputs.iter().filter(|output| output.optional).map(|output| output.name).collect();
            let row =
                object(outputs.iter().map(|output| (output.name, of_output(output))), &optional);
            json!({ "type": "array", "maxItems": 10_000, "items": row })
        }
    };
    describe(&mut schema, &output.label.en);
    schema
}

/// Returns the schema of a parameter.
pub(super) fn of_input(input: &Input) -> Json {
    let mut schema = match input.kind {
        InputKind::Money { least, most }
        | InputKind::Percent { least, most }
        | InputKind::Number { least, most } => {
            json!({ "type": "number", "minimum": least, "maximum": most, "multipleOf": 0.01 })
        }
        InputKind::Integer { least, most } => {
            json!({ "type": "integer", "format": "int64", "minimum": least, "maximum": most })
        }
        InputKind::Year(years) => json!({ "type": "integer", "format": "int32", "enum": years() }),
        InputKind::Boolean => json!({ "type": "boolean" }),
        InputKind::Date => {
            json!({ "type": "string", "format": "date", "minLength": 10, "maxLength": 10 })
        }
        InputKind::Choice(choices) => choice(choices),
        InputKind::Text { longest } => {
            json!({ "type": "string", "minLength": 1, "maxLength": longest })
        }
        // In a query, each field of a row is a separate parameter.
        InputKind::Rows { columns, most } => fields_of_rows(input.name, columns, most),
        InputKind::Json => json!({}),
    };
    if let Some(default) = input.default {
        schema["default"] = literal(input, default);
    }
    if !input.example.is_empty() {
        schema["examples"] = json!([literal(input, input.example)]);
    }
    schema
}

/// Returns the schema for rows in a query: an object whose properties are query parameters. A row
/// has either all its fields or none.
fn fields_of_rows(name: &str, columns: &[Input], most: usize) -> Json {
    let (mut properties, mut together) = (Map::new(), Map::new());
    for place in 0..most {
        let names: Vec<String> =
            columns.iter().map(|column| format!("{name}.{place}.{}", column.name)).collect();
        for (column, name) in columns.iter().zip(&names) {
            properties.insert(name.clone(), of_input(column));
            together.insert(name.clone(), json!(names));
        }
    }
    json!({ "type": "object", "properties": properties, "dependentRequired": together, "additionalProperties": false })
}

/// Returns the schema for an input in a JSON body, where rows are an array of objects.
fn of_member(input: &Input) -> Json {
    match input.kind {
        InputKind::Rows { columns, most } => {
            json!({ "type": "array", "maxItems": most, "items": of_members(columns) })
        }
        _ => of_input(input),
    }
}

fn of_members(inputs: &[Input]) -> Json {
    let mut properties = Map::new();
    for input in inputs {
        let mut schema = of_member(input);
        describe(&mut schema, &format!("{}. {}", input.label.en, input.hint.en));
        properties.insert(input.name.to_owned(), schema);
    }
    let required: Vec<&str> =
        inputs.iter().filter(|input| input.required).map(|input| input.name).collect();
    json!({ "type": "object", "properties": properties, "required": required, "additionalProperties": false })
}

/// Returns the schema for all inputs of a calculator, as one JSON object.
pub(super) fn of_inputs(calculator: &Calculator) -> Json {
    of_members(calculator.inputs)
}

/// Converts a query value to JSON.
pub(super) fn literal(input: &Input, text: &str) -> Json {
    match input.kind {
        InputKind::Money { .. }
        | InputKind::Percent { .. }
        | InputKind::Number { .. }
        | InputKind::Integer { .. }
        | InputKind::Year(_)
        | InputKind::Boolean => serde_json::from_str(text).unwrap_or_else(|_| json!(text)),
        _ => json!(text),
    }
}

fn choice(choices: &[Choice]) -> Json {
    json!({ "type": "string", "enum": choices.iter().map(|choice| choice.value.as_ref()).collect::<Vec<_>>() })
}

fn text(meaning: &str) -> Json {
    json!({ "type": "string", "maxLength": LONGEST, "description": meaning })
}

fn date(meaning: &str) -> Json {
    json!({ "type": "string", "format": "date", "maxLength": 10, "description": meaning })
}

/// Returns the schema of an object that always has all these fields; fields in `optional` may be
/// null.
fn object<'f>(fields: impl IntoIterator<Item = (&'f str, Json)>, optional: &[&str]) -> Json {
    let (mut properties, mut required) = (Map::new(), Vec::new());
    for (name, mut schema) in fields {
        if optional.contains(&name) {
            allow_null(&mut schema);
        }
        required.push(name.to_owned());
        properties.insert(name.to_owned(), schema);
    }
    json!({ "type": "object", "properties": properties, "required": required, "additionalProperties": false })
}

fn allow_null(schema: &mut Json) {
    if let Some(kind) = schema.get("type").and_then(Json::as_str).map(str::to_owned) {
        schema["type"] = json!([kind, "null"]);
    }
    if let Some(values) = schema.get_mut("enum").and_then(Json::as_array_mut) {
        values.push(Json::Null);
    }
}

fn describe(schema: &mut Json, meaning: &str) {
    if !meaning.is_empty() {
        schema["description"] = json!(meaning);
    }
}
