//! Operations of the API: address, handler, requirements and documentation. The router, the admission
//! of requests and the OpenAPI description are all derived from them, so they cannot disagree.

use super::query::{self, Query};
use axum::{handler::Handler, routing::MethodRouter};
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde_json::Value;
use service::actor::Scope;
use web_core::{AppState, catalogue::ProblemKind};

/// An operation.
pub struct Operation {
    /// Lower case, as OpenAPI writes it.
    pub method: &'static str,
    /// Under `/api/v1`.
    pub path: &'static str,
    /// Unique, `lowerCamelCase`; generated clients make a function of it.
    pub id: &'static str,
    /// What it does, in a few words.
    pub summary: &'static str,
    /// What else there is to know.
    pub description: &'static str,
    /// Parameters of the query.
    pub query: Vec<Value>,
    /// The body, as JSON Schema.
    pub body: Option<Value>,
    /// Whether the body may be left out.
    pub body_optional: bool,
    /// Media types of a body that is a file.
    pub files: &'static [&'static str],
    /// A whole body to begin with.
    pub example: Option<Value>,
    /// What is answered when all is well.
    pub answer: Answer,
    /// The schema of the resource that is answered.
    pub resource: fn(&mut SchemaGenerator) -> Schema,
    /// Problems beside those that every operation can have.
    pub problems: &'static [&'static ProblemKind],
    /// Whether it is only for accounts in the Netherlands.
    pub dutch: bool,
    /// Scopes that it requires.
    pub scopes: &'static [Scope],
    /// Who answers.
    pub route: MethodRouter<AppState>,
}

/// The kinds of good answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Answer {
    /// 200 with a resource and its entity tag, or 304.
    Resource,
    /// 200 with a file of one of these media types and its entity tag, or 304.
    File(&'static [&'static str]),
    /// 200 with a file of one of these media types, written while it is read.
    Stream(&'static [&'static str]),
    /// 200 with a page of resources.
    Page,
    /// 201 with what was made, or 200 with what the external id names already.
    Created,
    /// 202 with what will be done, or 200 with what the external id names already.
    Accepted,
    /// 200 with the resource as it is now.
    Changed,
    /// 201 with what was made; there is no external id that it could be known by.
    Made,
    /// 201 with what was made under an external id, or 200 with what is there now in place of what was.
    Replaced,
    /// 204: it is gone.
    Gone,
}

impl Answer {
    /// Media types of which the answer has one.
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
            problems: &[],
            dutch: false,
            scopes: if method == "get" { &[Scope::Read] } else { &[Scope::Write] },
            route,
        }
    }

    /// Reads one resource.
    pub fn read<T: JsonSchema, H: Handler<S, AppState>, S: 'static>(path: &'static str, id: &'static str, handler: H) -> Self {
        Self::new::<T>("get", path, id, Answer::Resource, axum::routing::get(handler))
    }

    /// Reads a file.
    pub fn file<H: Handler<S, AppState>, S: 'static>(
        path: &'static str,
        id: &'static str,
        media_types: &'static [&'static str],
        handler: H,
    ) -> Self {
        Self::new::<String>("get", path, id, Answer::File(media_types), axum::routing::get(handler))
    }

    /// Reads a file that is written while it is read.
    pub fn stream<H: Handler<S, AppState>, S: 'static>(
        path: &'static str,
        id: &'static str,
        media_types: &'static [&'static str],
        handler: H,
    ) -> Self {
        Self::new::<String>("get", path, id, Answer::Stream(media_types), axum::routing::get(handler))
    }

    /// Lists resources in pages.
    pub fn list<T: JsonSchema, H: Handler<S, AppState>, S: 'static>(path: &'static str, id: &'static str, handler: H) -> Self {
        Self::new::<T>("get", path, id, Answer::Page, axum::routing::get(handler))
    }

    /// Makes a resource.
    pub fn create<T: JsonSchema, H: Handler<S, AppState>, S: 'static>(path: &'static str, id: &'static str, handler: H) -> Self {
        Self::new::<T>("post", path, id, Answer::Created, axum::routing::post(handler))
    }

    /// Has something done that follows the answer.
    pub fn accept<T: JsonSchema, H: Handler<S, AppState>, S: 'static>(path: &'static str, id: &'static str, handler: H) -> Self {
        Self::new::<T>("post", path, id, Answer::Accepted, axum::routing::post(handler))
    }

    /// Changes a resource.
    pub fn change<T: JsonSchema, H: Handler<S, AppState>, S: 'static>(path: &'static str, id: &'static str, handler: H) -> Self {
        Self::new::<T>("patch", path, id, Answer::Changed, axum::routing::patch(handler))
    }

    /// Does something with a resource and answers with what was made.
    pub fn act<T: JsonSchema, H: Handler<S, AppState>, S: 'static>(
        path: &'static str,
        id: &'static str,
        answer: Answer,
        handler: H,
    ) -> Self {
        Self::new::<T>("post", path, id, answer, axum::routing::post(handler))
    }

    /// Makes a resource under its external id, or replaces the one that there is.
    pub fn replace<T: JsonSchema, H: Handler<S, AppState>, S: 'static>(path: &'static str, id: &'static str, handler: H) -> Self {
        Self::new::<T>("put", path, id, Answer::Replaced, axum::routing::put(handler))
    }

    /// Takes a resource away: it is answered as it is then, or not at all.
    pub fn delete<T: JsonSchema, H: Handler<S, AppState>, S: 'static>(
        path: &'static str,
        id: &'static str,
        answer: Answer,
        handler: H,
    ) -> Self {
        Self::new::<T>("delete", path, id, answer, axum::routing::delete(handler))
    }

    /// What it does, and what else there is to know.
    pub fn says(self, summary: &'static str, description: &'static str) -> Self {
        Self { summary, description, ..self }
    }

    /// Which parameters the query has: what `take` reads.
    pub(crate) fn with_query<T>(self, take: impl FnOnce(&mut Query) -> T) -> Self {
        Self { query: query::describe(take), ..self }
    }

    /// Which body it takes, and one that can be sent.
    pub fn with_body(self, schema: Value, example: Value) -> Self {
        Self { body: Some(schema), example: Some(example), ..self }
    }

    /// The body may be left out.
    pub fn or_without_body(self) -> Self {
        Self { body_optional: true, ..self }
    }

    /// The body is a file of one of these media types.
    pub fn with_file(self, files: &'static [&'static str]) -> Self {
        Self { files, ..self }
    }

    /// Problems beside those that every operation can have.
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

    /// Restricts it to accounts in the Netherlands.
    pub fn for_dutch_accounts(self) -> Self {
        Self { dutch: true, ..self }
    }
}
