//! A value as it came in, before a reader makes it a typed one: out of a JSON body, or out of a form.

use i18n::Language;

/// A value of a request. Numbers keep their text: an amount never passes through a binary float.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Raw {
    /// Null.
    Null,
    /// Boolean.
    Bool(bool),
    /// A number in JSON's notation.
    Number(String),
    /// String.
    Text(String),
    /// Array.
    Array(Vec<Raw>),
    /// Object, in the order of the input.
    Object(Vec<(String, Raw)>),
    /// A form's field, as a person typed it on a page in this language; without white space around it.
    Typed(String, Language),
}

impl Raw {
    /// Whether it says nothing: null, or a form's field that was left empty.
    pub fn is_absent(&self) -> bool {
        match self {
            Self::Null => true,
            Self::Typed(text, _) => text.is_empty(),
            _ => false,
        }
    }

    /// The text, unless it is something else.
    pub fn text(&self) -> Option<&str> {
        match self {
            Self::Text(text) | Self::Typed(text, _) => Some(text),
            _ => None,
        }
    }
}
