//! Units of quantities: known words, with their codes in e-invoices.

/// Maximum number of characters of a unit.
pub const LONGEST: usize = 20;

/// Known units with their codes (UN/ECE Recommendations 20 and 21).
pub const KNOWN: [(&str, &str); 12] = [
    ("hour", "HUR"),
    ("day", "DAY"),
    ("week", "WEE"),
    ("month", "MON"),
    ("year", "ANN"),
    ("piece", "H87"),
    ("km", "KMT"),
    ("kg", "KGM"),
    ("m", "MTR"),
    ("m2", "MTK"),
    ("litre", "LTR"),
    ("set", "SET"),
];

/// Returns the code of a unit in e-invoices: "one" (C62) without a unit or for any other text.
///
/// ```
/// use ledger::unit::code;
///
/// assert_eq!(code(Some("hour")), "HUR");
/// assert_eq!(code(Some("part of a day")), "C62");
/// ```
#[must_use]
pub fn code(unit: Option<&str>) -> &'static str {
    let known = KNOWN.iter().find(|(name, _)| Some(*name) == unit);
    known.map_or("C62", |(_, code)| code)
}
