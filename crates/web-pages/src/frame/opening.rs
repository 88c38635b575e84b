//! Opening of a page with a form: with an unfinished form, or offering some.

use jiff::Timestamp;

/// Unfinished form that a page offers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Offer {
    /// UUID of the form.
    pub id: String,
    /// Name of its kind.
    pub title: String,
    /// Subject; may be empty.
    pub label: String,
    /// Work of the person, as in a sentence.
    pub work: String,
    /// Address of the page that goes on with it.
    pub address: String,
    /// Time of the last save.
    pub saved_at: Timestamp,
}

/// Form that a page opens with.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Opening {
    /// Unfinished forms of the same page.
    pub offers: Vec<Offer>,
    /// Whether the form is filled from an unfinished one.
    pub is_resumed: bool,
    /// Whether the requested unfinished form does not exist any more.
    pub is_gone: bool,
}
