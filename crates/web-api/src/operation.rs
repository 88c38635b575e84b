//! Operations of the API: path, handler, requirements and documentation. The router, the checks
//! before each request and the OpenAPI description are derived from the operations, so they cannot
//! disagree.

use super::{
    dry_run,
    query::{self, Query},
};
use axum::{handler::Handler, routing::MethodRouter};
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde_json::Value;
use service::actor::Scope;
use web_core::{AppState, catalogue::ProblemKind};

/// An operation.
pub struct Operation {
    /// HTTP method in lower case, as in OpenAPI.
    pub method: &'static str,
    /// Path below `/api/v1`.
    pub path: &'static str,
    /// Unique id in `lowerCamelCase`; client generators name a function after it.
    pub id: &'static str,
    /// Summary in a few words.
    pub summary: &'static str,
    /// Further description.
    pub description: &'static str,
    /// Parameters of the query.
    pub query: Vec<Value>,
    /// JSON Schema of the body.
    pub body: Option<Value>,
    /// Whether the body may be omitted.
    pub body_optional: bool,
    /// Accepted media types, if the body is a file.
    pub files: &'static [&'static str],
    /// Example of a body.
    pub example: Option<Value>,
    /// Response on success.
    pub answer: Answer,
    /// Schema of the resource in the response.
    pub resource: fn(&mut SchemaGenerator) -> Schema,
    /// Schema of the response to a dry run.
    pub preview: Option<fn(&mut SchemaGenerator) -> Schema>,
    /// Problems in addition to those that every operation can have.
    pub problems: &'static [&'static ProblemKind],
    /// Whether the operation is only for accounts in the Netherlands.
    pub dutch: bool,
    /// Required scopes.
    pub scopes: &'static [Scope],
    /// Handler.
    pub route: MethodRouter<AppState>,
}

/// Kinds of successful responses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Answer {
    /// 200 with a resource and its entity tag, or 304.
    Resource,
    /// 200 with a file of one of these media types and its entity tag, or 304.
    File(&'static [&'static str]),
    /// 200 with a file of one of these media types, streamed while it is generated.
    Stream(&'static [&'static str]),
    /// 200 with a page of resources.
    Page,
    /// 201 with the created resource, or 200 with an existing one that has the same external id.
    Created,
    /// 202 with the accepted resource, or 200 with an existing one that has the same external id.
    Accepted,
    /// 200 with the resource after the change.
    Changed,
    /// 201 with the created resource, which has no external id.
    Made,
    /// 201 with the resource created under an external id, or 200 with the replaced one.
    Replaced,
    /// 204: the resource is removed.
    Gone,
}

impl Answer {
    /// Possible media types of the response.
    pub(crate) const fn media_types(self) -> &'static [&'static str] {
        match self {
            Self::File(media_types) | Self::Stream(media_types) => media_types,
            _ => &["application/json"],
        }
    }
}

impl Operation {
    fn new<T: JsonSchema>(
        method: &'static str,
        path: &'static str,
        id: &'static str,
        answer: Answer,
        route: MethodRouter<AppState>,
    ) -> Self {
        Self {
            method,
            path,
            id,
            summary: "",
            description: "",
            query: Vec::new(),
            body: None,
            body_optional: false,
            files: &[],
            example: None,
            answer,
            resource: SchemaGenerator::subschema_for::<T>,
            preview: None,
            problems: &[],
            dutch: false,
            scopes: if method == "get" { &[Scope::Read] } else { &[Scope::Write] },
            route,
        }
    }

    /// Creates an operation that reads a single resource.
    pub fn read<T: JsonSchema, H: Handler<S, AppState>, S: 'static>(
        path: &'static str,
        id: &'static str,
        handler: H,
    ) -> Self {
        Self::new::<T>("get", path, id, Answer::Resource, axum::routing::get(handler))
    }

    /// Creates an operation that reads a file.
    pub fn file<H: Handler<S, AppState>, S: 'static>(
        path: &'static str,
        id: &'static str,
        media_types: &'static [&'static str],
        handler: H,
    ) -> Self {
        Self::new::<String>("get", path, id, Answer::File(media_types), axum::routing::get(handler))
    }

    /// Creates an operation that reads a file, which is streamed while it is generated.
    pub fn stream<H: Handler<S, AppState>, S: 'static>(
        path: &'static str,
        id: &'static str,
        media_types: &'static [&'static str],
        handler: H,
    ) -> Self {
        Self::new::<String>(
            "get",
            path,
            id,
            Answer::Stream(media_types),
            axum::routing::get(handler),
        )
    }

    /// Creates an operation that lists resources in pages.
    pub fn list<T: JsonSchema, H: Handler<S, AppState>, S: 'static>(
        path: &'static str,
        id: &'static str,
        handler: H,
    ) -> Self {
        Self::new::<T>("get", path, id, Answer::Page, axum::routing::get(handler))
    }

    /// Creates an operation that creates a resource.
    pub fn create<T: JsonSchema, H: Handler<S, AppState>, S: 'static>(
        path: &'static str,
        id: &'static str,
        handler: H,
    ) -> Self {
        Self::new::<T>("post", path, id, Answer::Created, axum::routing::post(handler))
    }

    /// Creates an operation that accepts a request for work to be done after the response.
    pub fn accept<T: JsonSchema, H: Handler<S, AppState>, S: 'static>(
        path: &'static str,
        id: &'static str,
        handler: H,
    ) -> Self {
        Self::new::<T>("post", path, id, Answer::Accepted, axum::routing::post(handler))
    }

    /// Creates an operation that edits a resource.
    pub fn change<T: JsonSchema, H: Handler<S, AppState>, S: 'static>(
        path: &'static str,
        id: &'static str,
        handler: H,
    ) -> Self {
        Self::new::<T>("patch", path, id, Answer::Changed, axum::routing::patch(handler))
    }

    /// Creates an operation that executes a command on a resource.
    pub fn act<T: JsonSchema, H: Handler<S, AppState>, S: 'static>(
        path: &'static str,
        id: &'static str,
        answer: Answer,
        handler: H,
    ) -> Self {
        Self::new::<T>("post", path, id, answer, axum::routing::post(handler))
    }

    /// Creates an operation that creates or replaces the resource with the external id in the path.
    pub fn replace<T: JsonSchema, H: Handler<S, AppState>, S: 'static>(
        path: &'static str,
        id: &'static str,
        handler: H,
    ) -> Self {
        Self::new::<T>("put", path, id, Answer::Replaced, axum::routing::put(handler))
    }

    /// Creates an operation that removes or undoes a resource. After undoing, the response contains
    /// the resource.
    pub fn delete<T: JsonSchema, H: Handler<S, AppState>, S: 'static>(
        path: &'static str,
        id: &'static str,
        answer: Answer,
        handler: H,
    ) -> Self {
        Self::new::<T>("delete", path, id, answer, axum::routing::delete(handler))
    }

    /// Sets the summary and the description.
    pub fn says(self, summary: &'static str, description: &'static str) -> Self {
        Self { summary, description, ..self }
    }

    /// Describes the query parameters, which `take` reads.
    pub(crate) fn with_query<T>(self, take: impl FnOnce(&mut Query) -> T) -> Self {
        Self { query: query::describe(take), ..self }
    }

    /// Adds the parameter `dryRun`, whose response is a `T`.
    pub(crate) fn with_dry_run<T: JsonSchema>(self) -> Self {
        let preview =
            Some(SchemaGenerator::subschema_for::<T> as fn(&mut SchemaGenerator) -> Schema);
        Self { preview, ..self.with_query(dry_run::parameter) }
    }

    /// Sets the schema and an example of the body.
    pub fn with_body(self, schema: Value, example: Value) -> Self {
        Self { body: Some(schema), example: Some(example), ..self }
    }

    /// Makes the body optional.
    pub fn or_without_body(self) -> Self {
        Self { body_optional: true, ..self }
    }

    /// Sets the body to a file of one of these media types.
    pub fn with_file(self, files: &'static [&'static str]) -> Self {
        Self { files, ..self }
    }

    /// Sets the problems in addition to those that every operation can have.
    pub fn or(self, problems: &'static [&'static ProblemKind]) -> Self {
        Self { problems, ..self }
    }

    /// Requires the scope `read` in addition to `write`.
    pub fn also_reads(self) -> Self {
        Self { scopes: &[Scope::Write, Scope::Read], ..self }
    }

    /// Requires the scope `file` instead of `write`.
    pub fn files_returns(self) -> Self {
        Self { scopes: &[Scope::File], ..self }
    }

    /// Restricts the operation to accounts in the Netherlands.
    pub fn for_dutch_accounts(self) -> Self {
        Self { dutch: true, ..self }
    }
}
