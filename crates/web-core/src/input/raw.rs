//! Raw values from a JSON body or a form, before a reader converts them.

use i18n::Language;

/// Raw value from a request. Numbers keep their text: an amount never passes through a binary
/// float.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Raw {
    /// Null.
    Null,
    /// Boolean.
    Bool(bool),
    /// Number in JSON notation.
    Number(String),
    /// String.
    Text(String),
    /// Array.
    Array(Vec<Raw>),
    /// Object, in the order of the input.
    Object(Vec<(String, Raw)>),
    /// Form field as typed on a page in the given language, without surrounding white space.
    Typed(String, Language),
}

impl Raw {
    /// Whether the value is absent: null, or an empty form field.
    pub fn is_absent(&self) -> bool {
        match self {
            Self::Null => true,
            Self::Typed(text, _) => text.is_empty(),
            _ => false,
        }
    }

    /// Returns the text of a string or form field.
    pub fn text(&self) -> Option<&str> {
        match self {
            Self::Text(text) | Self::Typed(text, _) => Some(text),
            _ => None,
        }
    }
}
