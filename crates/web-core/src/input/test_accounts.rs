//! Input for the clock of a test account.

use super::{Fields, Parsed, SingleLine, validated};
use jiff::Timestamp;
use serde_json::json;
use service::Reason;

/// Reads the new time for the books of a test account.
pub fn set_clock(fields: &mut Fields<'_, '_>) -> Parsed<Timestamp> {
    let moment = validated(
        SingleLine(64),
        || json!({ "format": "date-time", "examples": ["2036-01-15T09:00:00Z"] }),
        |text| text.parse().map_err(|_| Reason::InvalidMoment),
    );
    let meaning = "New time of the books (RFC 3339), no earlier than the current one, and at most twenty years from now.";
    let to = fields.required("now", meaning, moment);
    Parsed::new(None, to)
}
