//! One operation of the API: where it is, who answers, and what the description says of it. Router and description are both made
//! from these, so that neither can know something that the other does not.

use super::query::{self, Query};
use crate::{App, catalogue::ProblemKind};
use axum::{handler::Handler, routing::MethodRouter};
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde_json::Value;

/// An operation.
pub(crate) struct Operation {
    /// Lower case, as OpenAPI writes it.
    pub(crate) method: &'static str,
    /// Under `/api/v1`.
    pub(crate) path: &'static str,
    /// Unique, `lowerCamelCase`; generated clients make a function of it.
    pub(crate) id: &'static str,
    /// What it does, in a few words.
    pub(crate) summary: &'static str,
    /// What else there is to know.
    pub(crate) description: &'static str,
    /// Parameters of the query.
    pub(crate) query: Vec<Value>,
    /// The body, as JSON Schema.
    pub(crate) body: Option<Value>,
    /// A whole body to begin with.
    pub(crate) example: Option<Value>,
    /// What is answered when all is well.
    pub(crate) answer: Answer,
    /// The schema of the resource that is answered.
    pub(crate) resource: fn(&mut SchemaGenerator) -> Schema,
    /// Problems beside those that every operation can have.
    pub(crate) problems: &'static [&'static ProblemKind],
    /// Only for accounts in the Netherlands.
    pub(crate) dutch: bool,
    /// Who answers.
    pub(crate) route: MethodRouter<App>,
}

/// The kinds of good answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Answer {
    /// 200 with a resource and its entity tag, or 304.
    Resource,
    /// 200 with a page of resources.
    Page,
    /// 201 with what was made, or 200 with what the external id names already.
    Created,
    /// 200 with the resource as it is now.
    Changed,
}

impl Operation {
    fn new<T: JsonSchema>(
        method: &'static str,
        path: &'static str,
        id: &'static str,
        answer: Answer,
        route: MethodRouter<App>,
    ) -> Self {
        Self {
            method,
            path,
            id,
            summary: "",
            description: "",
            query: Vec::new(),
            body: None,
            example: None,
            answer,
            resource: SchemaGenerator::subschema_for::<T>,
            problems: &[],
            dutch: false,
            route,
        }
    }

    /// Reads one resource.
    pub(crate) fn read<T: JsonSchema, H: Handler<S, App>, S: 'static>(path: &'static str, id: &'static str, handler: H) -> Self {
        Self::new::<T>("get", path, id, Answer::Resource, axum::routing::get(handler))
    }

    /// Lists resources in pages.
    pub(crate) fn list<T: JsonSchema, H: Handler<S, App>, S: 'static>(path: &'static str, id: &'static str, handler: H) -> Self {
        Self::new::<T>("get", path, id, Answer::Page, axum::routing::get(handler))
    }

    /// Makes a resource.
    pub(crate) fn create<T: JsonSchema, H: Handler<S, App>, S: 'static>(
        path: &'static str,
        id: &'static str,
        handler: H,
    ) -> Self {
        Self::new::<T>("post", path, id, Answer::Created, axum::routing::post(handler))
    }

    /// Changes a resource.
    pub(crate) fn change<T: JsonSchema, H: Handler<S, App>, S: 'static>(
        path: &'static str,
        id: &'static str,
        handler: H,
    ) -> Self {
        Self::new::<T>("patch", path, id, Answer::Changed, axum::routing::patch(handler))
    }

    /// What it does, and what else there is to know.
    pub(crate) fn says(self, summary: &'static str, description: &'static str) -> Self {
        Self { summary, description, ..self }
    }

    /// Which parameters the query has: what `take` reads.
    pub(crate) fn with_query<T>(self, take: impl FnOnce(&mut Query) -> T) -> Self {
        Self { query: query::describe(take), ..self }
    }

    /// Which body it takes, and one that can be sent.
    pub(crate) fn with_body(self, schema: Value, example: Value) -> Self {
        Self { body: Some(schema), example: Some(example), ..self }
    }

    /// Problems beside those that every operation can have.
    pub(crate) fn or(self, problems: &'static [&'static ProblemKind]) -> Self {
        Self { problems, ..self }
    }

    /// Only for accounts in the Netherlands.
    pub(crate) fn for_dutch_accounts(self) -> Self {
        Self { dutch: true, ..self }
    }
}
