//! What a person filled in, and what is wrong with it.

use axum::{body::Bytes, http::StatusCode};
use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use ledger::language::Language;
use percent_encoding::percent_decode_str;
use sha2::{Digest, Sha256};
use std::{borrow::Cow, collections::HashMap, sync::Arc};
use web_core::{capacity::Permit, input};

/// A form as it was sent, or an empty one; with its faults it can be shown again.
#[derive(Debug, Clone, Default)]
pub struct Form {
    pairs: Vec<(String, String)>,
    /// Where each field is among the pairs: an invoice of 500 lines has thousands, and its page asks for each several times.
    places: HashMap<String, Vec<usize>>,
    faults: Vec<FieldFault>,
    files: Vec<FormFile>,
    /// Counts the files among those that are taken in, for as long as they are held.
    _permit: Option<Arc<Permit>>,
    /// Whether the state of the books is at fault, and no value that was filled in.
    is_refused_by_books: bool,
    /// Whether it was refused because a return is filed, so that a correction is offered.
    offers_correction: bool,
    /// Where it goes when it has no fields of its own to show a correction beside.
    address: Option<String>,
}

/// The hidden field with the language that a form was filled in in: `2.500` is another number in another language.
pub const LANGUAGE: &str = input::FORM_LANGUAGE;

/// The hidden field that tells whose books a form was filled in for.
pub const BOOKS: &str = "books";

/// What that field holds: the same in every page of an account, and nothing that is asked for anywhere.
pub fn mark_of(account: i64) -> String {
    Form::of([(BOOKS, account.to_string())]).version()
}

/// Whether a field is an identifier of an API client's own, which a page never takes.
fn is_external_id(field: &str) -> bool {
    field.rsplit('.').next() == Some("externalId")
}

/// A file that was sent with a form.
#[derive(Debug, Clone)]
pub struct FormFile {
    /// The field's name.
    pub field: String,
    /// The name that the file had on its owner's machine.
    pub name: Option<String>,
    /// What is in it.
    pub bytes: Bytes,
}

/// What is wrong with a field.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FieldFault {
    /// The field's name; empty when it is about the form as a whole.
    pub field: String,
    /// What to do about it, in the visitor's language.
    pub message: String,
}

/// The body is not a form: its characters are not UTF-8.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NotUtf8;

impl Form {
    /// Reads `application/x-www-form-urlencoded` (WHATWG URL, section 5.1), but strictly: what is not UTF-8 is refused and not replaced.
    pub fn read(body: &[u8]) -> Result<Self, NotUtf8> {
        let text = std::str::from_utf8(body).map_err(|_| NotUtf8)?;
        let decode = |part: &str| {
            let spaced = part.replace('+', " ");
            percent_decode_str(&spaced).decode_utf8().map(Cow::into_owned).map_err(|_| NotUtf8)
        };
        let mut pairs = Vec::new();
        for pair in text.split('&').filter(|pair| !pair.is_empty()) {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            pairs.push((decode(name)?, decode(value)?));
        }
        Ok(Self::indexed(pairs))
    }

    /// A form that shows these values.
    pub fn of(pairs: impl IntoIterator<Item = (impl Into<String>, impl Into<String>)>) -> Self {
        Self::indexed(pairs.into_iter().map(|(name, value)| (name.into(), value.into())).collect())
    }

    fn indexed(mut pairs: Vec<(String, String)>) -> Self {
        pairs.retain(|(name, _)| !is_external_id(name));
        let mut form = Self { pairs, ..Self::default() };
        form.index();
        form
    }

    /// Finds out anew where each field is.
    fn index(&mut self) {
        self.places.clear();
        for (place, (name, _)) in self.pairs.iter().enumerate() {
            match self.places.get_mut(name) {
                Some(places) => places.push(place),
                None => drop(self.places.insert(name.clone(), vec![place])),
            }
        }
    }

    /// The form with files that came with it.
    pub fn with_files(self, files: Vec<FormFile>) -> Self {
        Self { files, ..self }
    }

    /// The form with the permit by which it was read, which is kept for as long as its files are.
    pub fn with_permit(self, permit: Permit) -> Self {
        Self { _permit: (!self.files.is_empty()).then(|| Arc::new(permit)), ..self }
    }

    /// The files that came in a field, without those that were left empty.
    pub fn files<'f>(&'f self, field: &'f str) -> impl Iterator<Item = &'f FormFile> {
        self.files.iter().filter(move |file| file.field == field)
    }

    /// The first of all files that came.
    pub fn first_file(&self) -> Option<&FormFile> {
        self.files.first()
    }

    /// All fields in the order in which they were sent.
    pub fn pairs(&self) -> impl Iterator<Item = (&str, &str)> {
        self.pairs.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }

    /// Characters of its values that the font of documents has no glyph for.
    pub fn unprintable(&self) -> String {
        service::invoices::unprintable(self.pairs().map(|(_, value)| value))
    }

    /// The field exactly as it was sent; empty when it was not.
    pub fn raw(&self, name: &str) -> &str {
        self.all(name).next().unwrap_or("")
    }

    /// The language that it was filled in in; else that of the page.
    pub fn language(&self, of_page: Language) -> Language {
        Language::parse(self.raw(LANGUAGE)).unwrap_or(of_page)
    }

    /// The field without spaces around it.
    pub fn value(&self, name: &str) -> &str {
        self.raw(name).trim()
    }

    /// A day as a field of days takes it: written as ISO 8601 where it can be read and nothing is wrong with it, else as it was typed.
    pub fn day(&self, name: &str) -> String {
        let typed = self.raw(name);
        match i18n::read_date(typed) {
            Ok(day) if self.fault(name).is_none() => day.to_string(),
            _ => typed.to_owned(),
        }
    }

    /// Every value that the field was sent with: ticked boxes of one name.
    pub fn all<'f>(&'f self, name: &str) -> impl Iterator<Item = &'f str> + use<'f> {
        let places = self.places.get(name).map(Vec::as_slice).unwrap_or_default();
        places.iter().filter_map(|place| self.pairs.get(*place)).map(|(_, value)| value.as_str())
    }

    /// Whether the field was sent with that value.
    pub fn has(&self, name: &str, value: &str) -> bool {
        self.all(name).any(|found| found == value)
    }

    /// The form with another value of a field: for the hidden ones.
    pub fn with(mut self, name: &str, value: impl Into<String>) -> Self {
        self.pairs.retain(|(found, _)| found != name);
        self.pairs.push((name.to_owned(), value.into()));
        self.index();
        self
    }

    /// What tells this state of a form from every other: filled from a resource, it is the version of the resource.
    pub fn version(&self) -> String {
        let mut hash = Sha256::new();
        for (name, value) in &self.pairs {
            for part in [name, value] {
                hash.update(part.len().to_be_bytes());
                hash.update(part);
            }
        }
        URL_SAFE_NO_PAD.encode(&hash.finalize()[..16])
    }

    /// The fields that are different in another form, with both values; those that the other has not come last.
    pub fn differences<'f>(&'f self, other: &'f Self) -> Vec<(&'f str, &'f str, &'f str)> {
        let theirs = other.pairs.iter().map(|(name, value)| (name.as_str(), self.value(name), value.as_str()));
        let mine = self
            .pairs
            .iter()
            .filter(|(name, _)| !other.places.contains_key(name))
            .map(|(name, value)| (name.as_str(), value.trim(), ""));
        theirs.chain(mine).filter(|(_, here, there)| here != there).collect()
    }

    /// Offers to book what was refused as a correction of the quarter whose return is filed.
    pub fn offer_correction(&mut self) {
        self.offers_correction = true;
    }

    /// Whether a correction is offered, or was chosen.
    pub fn offers_correction(&self) -> bool {
        self.offers_correction || self.has("correction", "true")
    }

    /// Notes where a form without fields goes, so that it can be sent again as a correction.
    pub fn goes_to(self, address: impl Into<String>) -> Self {
        Self { address: Some(address.into()), ..self }
    }

    /// Where to send a form without fields again as a correction, where that is offered.
    pub fn correction_at(&self) -> Option<&str> {
        self.address.as_deref().filter(|_| self.offers_correction)
    }

    /// What is to be done where a return is filed, as a form without fields says it.
    pub fn if_filed(&self) -> service::corrections::IfFiled {
        self.has("correction", "true").into()
    }

    /// The fields of another form, and what is wrong with this one: on a page whose forms are not the one that was refused.
    pub fn beside(self, other: Self) -> Self {
        let faults = self.faults.into_iter().map(|fault| FieldFault { field: String::new(), ..fault }).collect();
        let Self { is_refused_by_books, offers_correction, address, .. } = self;
        Self { faults, is_refused_by_books, offers_correction, address, ..other }
    }

    /// Notes a fault.
    pub fn refuse(&mut self, field: &str, message: impl Into<String>) {
        self.faults.push(FieldFault { field: field.to_owned(), message: message.into() });
    }

    /// The form with one fault.
    pub fn refused(mut self, field: &str, message: impl Into<String>) -> Self {
        self.refuse(field, message);
        self
    }

    /// The id of a field of a page with several forms: its name after the form's prefix.
    pub fn id(&self, prefix: &str, name: &str) -> String {
        [prefix, name].concat()
    }

    /// Notes that no field is to blame for the refusal, but the state of the books.
    pub(super) fn blame_books(&mut self) {
        self.is_refused_by_books = true;
    }

    /// The status of the page that shows it again: 422 where the value of a field is at fault; 409 where the state of the books is, or what
    /// it was filled from changed meanwhile.
    pub fn refused_status(&self) -> StatusCode {
        if self.is_refused_by_books || self.faults.is_empty() { StatusCode::CONFLICT } else { StatusCode::UNPROCESSABLE_ENTITY }
    }

    /// Whether a refused form was filled from an older state of what it edits: such a form has no faults.
    pub fn is_outdated(&self) -> bool {
        self.faults.is_empty()
    }

    /// All faults, in the order in which they were found.
    pub fn faults(&self) -> &[FieldFault] {
        &self.faults
    }

    /// Whether a field of the form is to blame, and not only the form as a whole.
    pub fn has_wrong_field(&self) -> bool {
        self.faults.iter().any(|fault| !fault.field.is_empty())
    }

    /// What is wrong with a field.
    pub fn fault(&self, name: &str) -> Option<&str> {
        self.faults.iter().find(|fault| fault.field == name).map(|fault| fault.message.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_are_read_as_browsers_write_them() {
        let form = Form::read(b"email=a%40b.example&name=+Jan+%26+Zn.+&scope=read&scope=write&empty=&bare&e=%E2%82%AC").unwrap();
        assert_eq!(form.value("email"), "a@b.example");
        assert_eq!(form.raw("name"), " Jan & Zn. ");
        assert_eq!(form.value("name"), "Jan & Zn.");
        assert_eq!(form.all("scope").collect::<Vec<_>>(), ["read", "write"]);
        assert!(form.has("scope", "write") && !form.has("scope", "admin") && form.has("bare", "") && form.has("empty", ""));
        assert_eq!((form.raw("e"), form.raw("missing")), ("€", ""));
    }

    #[test]
    fn external_ids_are_dropped() {
        let form = Form::read(b"externalId=a&customer.externalId=b&customer.name=externalId&externalIds=c").unwrap();
        assert_eq!(form.pairs().collect::<Vec<_>>(), [("customer.name", "externalId"), ("externalIds", "c")]);
    }

    #[test]
    fn what_is_not_utf_8_is_refused() {
        for bad in [&b"name=%FF"[..], b"name=\xff", b"%C3=1", b"name=%E2%82"] {
            assert_eq!(Form::read(bad).unwrap_err(), NotUtf8, "{bad:?}");
        }
        assert_eq!(Form::read(b"").unwrap().raw("name"), "");
        // A lone percent sign stands for itself (WHATWG URL, "percent-decode").
        assert_eq!(Form::read(b"name=100%").unwrap().raw("name"), "100%");
    }
}
