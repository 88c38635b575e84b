//! Input: shared readers for JSON bodies of the API and forms of the pages.
//!
//! One function reads each command of `service`, field by field ([`Fields`]), from either source:
//! [`json`] calls the function with the object of a body, [`form()`] with the fields of a form, and
//! [`schema`] uses it to describe the possible bodies. A field has the same path in both sources:
//! `/items/0/unitPrice` is the form field `items.0.unitPrice`.

mod access;
mod articles;
mod bank_accounts;
mod bank_lines;
mod bank_mappings;
pub mod english;
mod fields;
mod form;
mod hours;
mod identity;
mod journal;
mod payment_batches;
mod purchases;
mod quotes;
mod raw;
mod readers;
mod recurring;
mod reminders;
mod sales;
mod settings;
mod settlements;
mod tax;
mod test_accounts;
#[cfg(test)]
mod tests;
mod vat_rate;
mod webhooks;

pub use access::*;
pub use articles::*;
pub use bank_accounts::*;
pub use bank_lines::*;
pub use bank_mappings::*;
pub use english::message;
pub use fields::{Defaults, Fields, Presence, schema};
pub use hours::*;
pub use identity::*;
pub use journal::*;
pub use payment_batches::*;
pub use purchases::*;
pub use quotes::*;
pub use raw::Raw;
pub use readers::*;
pub use recurring::*;
pub use reminders::*;
pub use sales::*;
pub use settings::*;
pub use settlements::*;
pub use tax::*;
pub use test_accounts::*;
pub use webhooks::*;

use i18n::Language;
use service::{Fault, Reason, corrections::IfFiled};

/// Description of `correction`, wherever it is accepted.
pub const CORRECTION: &str = "Whether to book it as a correction if the return of its quarter is \
                              filed: it keeps its date, and the next open return includes its \
                              VAT. The corrections of a quarter are limited to 1000.00 of VAT. \
                              Default: false, which answers 409.";

/// Reads `correction`: whether a document whose VAT return is already filed is booked as a
/// correction or rejected.
pub fn if_filed(fields: &mut Fields<'_, '_>) -> IfFiled {
    fields.optional("correction", CORRECTION, Flag).unwrap_or_default().into()
}

/// Result of reading a command. Even if faults prevent a command, the result suffices to recognise
/// a repeated request and to report every fault.
#[derive(Debug, Clone)]
pub struct Parsed<C, P = ()> {
    /// The caller's own identifier, even if other fields have faults.
    pub external_id: Option<String>,
    /// The command, if there are no faults.
    pub command: Option<C>,
    /// Parsed parts that only the books can validate.
    pub partial: P,
    /// All faults that are detectable without the books.
    pub faults: Vec<Fault>,
}

impl<C> Parsed<C> {
    /// Creates a result without a partial value and without faults.
    pub fn new(external_id: Option<String>, command: Option<C>) -> Self {
        Self::with_partial(external_id, command, ())
    }
}

impl<C, P> Parsed<C, P> {
    /// Creates a result without faults, whose `partial` value is validated against the books later.
    pub fn with_partial(external_id: Option<String>, command: Option<C>, partial: P) -> Self {
        Self { external_id, command, partial, faults: Vec::new() }
    }

    fn with_faults(self, faults: Vec<Fault>) -> Self {
        Self { command: self.command.filter(|_| faults.is_empty()), faults, ..self }
    }
}

/// Reads a JSON body.
pub fn json<C, P>(
    body: &Raw,
    take: impl FnOnce(&mut Fields<'_, '_>) -> Parsed<C, P>,
) -> Parsed<C, P> {
    let mut faults = Vec::new();
    fields::read_json(body, &mut faults, take).with_faults(faults)
}

/// Name of the hidden field that holds the language in which a form was filled in.
pub const FORM_LANGUAGE: &str = "formLanguage";

/// Reads the fields of a form. The language of the input is the value of [`FORM_LANGUAGE`] if the
/// form has that field, otherwise `language`.
pub fn form<'p, C, P>(
    pairs: impl IntoIterator<Item = (&'p str, &'p str)>,
    language: Language,
    take: impl FnOnce(&mut Fields<'_, '_>) -> Parsed<C, P>,
) -> Parsed<C, P> {
    let (parsed, faults) = with_faults(pairs, language, take);
    parsed.with_faults(faults)
}

/// Reads the fields of a form while it is being filled in; unreadable values are treated as absent.
pub fn unfinished<'p, T>(
    pairs: impl IntoIterator<Item = (&'p str, &'p str)>,
    language: Language,
    take: impl FnOnce(&mut Fields<'_, '_>) -> T,
) -> T {
    with_faults(pairs, language, take).0
}

fn with_faults<'p, T>(
    pairs: impl IntoIterator<Item = (&'p str, &'p str)>,
    language: Language,
    take: impl FnOnce(&mut Fields<'_, '_>) -> T,
) -> (T, Vec<Fault>) {
    let pairs: Vec<(&str, &str)> = pairs.into_iter().collect();
    let of_form = pairs
        .iter()
        .find(|(name, _)| *name == FORM_LANGUAGE)
        .and_then(|(_, language)| Language::parse(language));
    let mut faults = Vec::new();
    let taken =
        fields::read_form(&form::object(pairs, of_form.unwrap_or(language)), &mut faults, take);
    (taken, faults)
}

/// Reads the caller's own identifier from a URL.
pub fn external_id(raw: &Raw) -> Result<String, Reason> {
    EXTERNAL_ID.read(raw)
}
