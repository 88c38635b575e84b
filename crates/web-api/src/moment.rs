//! Timestamps in responses. They always have six decimals, so that they sort by time as strings.

use jiff::Timestamp;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Serialize, Serializer};
use std::borrow::Cow;

/// A timestamp: `2026-03-15T11:00:00.000000Z`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Moment(pub(crate) Timestamp);

impl From<Timestamp> for Moment {
    fn from(moment: Timestamp) -> Self {
        Self(moment)
    }
}

impl Serialize for Moment {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&format_args!("{:.6}", self.0))
    }
}

impl JsonSchema for Moment {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Moment".into()
    }

    fn json_schema(schemas: &mut SchemaGenerator) -> Schema {
        Timestamp::json_schema(schemas)
    }
}
