//! Submitted forms: input and faults.

use super::opening::{Offer, Opening};
use axum::{body::Bytes, http::StatusCode};
use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use ledger::language::Language;
use percent_encoding::percent_decode_str;
use sha2::{Digest, Sha256};
use std::{borrow::Cow, collections::HashMap, sync::Arc};
use web_core::{capacity::Permit, input};

/// Submitted or empty form. It includes its faults, so that it can be shown again.
#[derive(Debug, Clone, Default)]
pub struct Form {
    pairs: Vec<(String, String)>,
    /// Index of each field's positions among the pairs: an invoice of 500 rows has thousands of
    /// fields, and its page reads each several times.
    places: HashMap<String, Vec<usize>>,
    faults: Vec<FieldFault>,
    files: Vec<FormFile>,
    /// Upload permit, held as long as the files are in memory.
    _permit: Option<Arc<Permit>>,
    /// Whether the form was rejected because of the state of the books, rather than a submitted
    /// value.
    is_refused_by_books: bool,
    /// Whether the form was rejected because a return has been filed, so that a correction is
    /// offered.
    offers_correction: bool,
    /// Target path of a form without fields, for which a correction is offered separately.
    address: Option<String>,
    /// Opening of the page with the form.
    opening: Opening,
}

/// Hidden field with the language in which a form was filled in: `2.500` is a different number in
/// another language.
pub const LANGUAGE: &str = input::FORM_LANGUAGE;

/// Hidden field with the idempotency key, so that a double click executes the command only once.
pub const SUBMISSION: &str = "submission";

/// Hidden field with the version of the resource that the form was filled from.
pub const VERSION: &str = "version";

/// Hidden field that identifies the account for whose books a form was filled in.
pub const BOOKS: &str = "books";

/// Hidden field with the kind of the form.
pub const KIND: &str = "form";
/// Hidden field with the UUID of the unfinished form; also the parameter of the page that goes on
/// with it.
pub const UNFINISHED: &str = "unfinished";
/// Hidden field with the number of the last save.
pub const REV: &str = "rev";
/// Hidden field with the path of the page that shows the form.
pub const AT: &str = "unfinishedAt";
/// Hidden field that identifies the person who fills in the form.
pub const OF: &str = "unfinishedOf";
/// Hidden fields of unfinished forms, which no command reads.
pub const OWN_FIELDS: [&str; 5] = [KIND, UNFINISHED, REV, AT, OF];

/// Hidden field with the name of a file that was not carried along.
pub const MISSING_FILE: &str = "leftFile";

/// Value of [`BOOKS`] for an account: the same on every page of the account, and useless for any
/// other account.
pub fn mark_of(account: i64) -> String {
    Form::of([(BOOKS, account.to_string())]).version()
}

/// Whether a field is an API client's own identifier, which pages never accept.
fn is_external_id(field: &str) -> bool {
    field.rsplit('.').next() == Some("externalId")
}

/// File submitted with a form.
#[derive(Debug, Clone)]
pub struct FormFile {
    /// Name of the field.
    pub field: String,
    /// Original name of the file.
    pub name: Option<String>,
    /// Content.
    pub bytes: Bytes,
}

/// Fault found in a field of the form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FieldFault {
    /// Name of the field; empty for the form in general.
    pub field: String,
    /// Instruction for correcting the fault, in the visitor's language.
    pub message: String,
}

/// Error of a body that is not valid UTF-8.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NotUtf8;

impl Form {
    /// Reads `application/x-www-form-urlencoded` (WHATWG URL, section 5.1) strictly: invalid UTF-8
    /// is rejected rather than replaced.
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

    /// Form with these values.
    pub fn of(pairs: impl IntoIterator<Item = (impl Into<String>, impl Into<String>)>) -> Self {
        Self::indexed(pairs.into_iter().map(|(name, value)| (name.into(), value.into())).collect())
    }

    fn indexed(mut pairs: Vec<(String, String)>) -> Self {
        pairs.retain(|(name, _)| !is_external_id(name));
        let mut form = Self { pairs, ..Self::default() };
        form.index();
        form
    }

    /// Rebuilds the positions of the fields.
    fn index(&mut self) {
        self.places.clear();
        for (place, (name, _)) in self.pairs.iter().enumerate() {
            match self.places.get_mut(name) {
                Some(places) => places.push(place),
                None => drop(self.places.insert(name.clone(), vec![place])),
            }
        }
    }

    /// Adds the submitted files.
    pub fn with_files(self, files: Vec<FormFile>) -> Self {
        Self { files, ..self }
    }

    /// Adds the permit under which the form was read. The form holds it for as long as it holds the
    /// files.
    pub fn with_permit(self, permit: Permit) -> Self {
        Self { _permit: (!self.files.is_empty()).then(|| Arc::new(permit)), ..self }
    }

    /// Files submitted in a field.
    pub fn files<'f>(&'f self, field: &'f str) -> impl Iterator<Item = &'f FormFile> {
        self.files.iter().filter(move |file| file.field == field)
    }

    /// First submitted file.
    pub fn first_file(&self) -> Option<&FormFile> {
        self.files.first()
    }

    /// All fields in the order of submission.
    pub fn pairs(&self) -> impl Iterator<Item = (&str, &str)> {
        self.pairs.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }

    /// Characters in the values for which the font of documents has no glyph.
    pub fn unprintable(&self) -> String {
        service::invoices::unprintable(self.pairs().map(|(_, value)| value))
    }

    /// Value of a field exactly as submitted; empty if absent.
    pub fn raw(&self, name: &str) -> &str {
        self.all(name).next().unwrap_or("")
    }

    /// Language in which the form was filled in; by default that of the page.
    pub fn language(&self, of_page: Language) -> Language {
        Language::parse(self.raw(LANGUAGE)).unwrap_or(of_page)
    }

    /// Value of the field without surrounding spaces.
    pub fn value(&self, name: &str) -> &str {
        self.raw(name).trim()
    }

    /// Date for a date field: in ISO 8601 if it is readable and valid, otherwise as submitted.
    pub fn day(&self, name: &str) -> String {
        let typed = self.raw(name);
        match i18n::read_date(typed) {
            Ok(day) if self.fault(name).is_none() => day.to_string(),
            _ => typed.to_owned(),
        }
    }

    /// Whether a date picker can show the value: a date without a fault, or nothing.
    pub fn is_day(&self, name: &str) -> bool {
        let typed = self.value(name);
        self.fault(name).is_none() && (typed.is_empty() || i18n::read_date(typed).is_ok())
    }

    /// All values submitted for the field, such as ticked checkboxes with the same name.
    pub fn all<'f>(&'f self, name: &str) -> impl Iterator<Item = &'f str> + use<'f> {
        let places = self.places.get(name).map(Vec::as_slice).unwrap_or_default();
        places.iter().filter_map(|place| self.pairs.get(*place)).map(|(_, value)| value.as_str())
    }

    /// Whether the field was submitted with the given value.
    pub fn has(&self, name: &str, value: &str) -> bool {
        self.all(name).any(|found| found == value)
    }

    /// Sets the value of a field, such as a hidden one.
    pub fn with(mut self, name: &str, value: impl Into<String>) -> Self {
        self.pairs.retain(|(found, _)| found != name);
        self.pairs.push((name.to_owned(), value.into()));
        self.index();
        self
    }

    /// Records how the page with the form opens.
    pub(super) fn opening(self, opening: Opening) -> Self {
        Self { opening, ..self }
    }

    /// Opening of the page with the form.
    pub(super) fn how_it_opens(&self) -> &Opening {
        &self.opening
    }

    /// Unfinished forms of the same page, which it offers.
    pub fn offers(&self) -> &[Offer] {
        &self.opening.offers
    }

    /// Whether the form goes on with an unfinished one.
    pub fn is_resumed(&self) -> bool {
        self.opening.is_resumed
    }

    /// Whether the unfinished form with which the page should go on does not exist any more.
    pub fn is_gone(&self) -> bool {
        self.opening.is_gone
    }

    /// Hash of the form's content. For a form filled from a resource, this is the resource's
    /// version.
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

    /// Fields whose values differ between this form and another, with both values. Fields that the
    /// other form lacks come last.
    pub fn differences<'f>(&'f self, other: &'f Self) -> Vec<(&'f str, &'f str, &'f str)> {
        let theirs = other
            .pairs
            .iter()
            .map(|(name, value)| (name.as_str(), self.value(name), value.as_str()));
        let mine = self
            .pairs
            .iter()
            .filter(|(name, _)| !other.places.contains_key(name))
            .map(|(name, value)| (name.as_str(), value.trim(), ""));
        theirs.chain(mine).filter(|(_, here, there)| here != there).collect()
    }

    /// Offers to book the rejected command as a correction of the quarter whose return has been
    /// filed.
    pub fn offer_correction(&mut self) {
        self.offers_correction = true;
    }

    /// Whether a correction is offered or was chosen.
    pub fn offers_correction(&self) -> bool {
        self.offers_correction || self.has("correction", "true")
    }

    /// Sets the target path of a form without fields, so that it can be submitted again as a
    /// correction.
    pub fn goes_to(self, address: impl Into<String>) -> Self {
        Self { address: Some(address.into()), ..self }
    }

    /// Path to which a form without fields can be submitted again as a correction, if offered.
    pub fn correction_at(&self) -> Option<&str> {
        self.address.as_deref().filter(|_| self.offers_correction)
    }

    /// Policy for a filed return, as chosen in a form without fields.
    pub fn if_filed(&self) -> service::corrections::IfFiled {
        self.has("correction", "true").into()
    }

    /// Moves the faults of this form to another form, as general faults, for a page that does not
    /// show the rejected form.
    pub fn beside(self, other: Self) -> Self {
        let faults = self
            .faults
            .into_iter()
            .map(|fault| FieldFault { field: String::new(), ..fault })
            .collect();
        let Self { is_refused_by_books, offers_correction, address, .. } = self;
        Self { faults, is_refused_by_books, offers_correction, address, ..other }
    }

    /// Adds a fault.
    pub fn refuse(&mut self, field: &str, message: impl Into<String>) {
        self.faults.push(FieldFault { field: field.to_owned(), message: message.into() });
    }

    /// Returns the form with one more fault.
    pub fn refused(mut self, field: &str, message: impl Into<String>) -> Self {
        self.refuse(field, message);
        self
    }

    /// Id of a field on a page with several forms: the form's prefix and the field's name.
    pub fn id(&self, prefix: &str, name: &str) -> String {
        [prefix, name].concat()
    }

    /// Records that the state of the books caused the rejection.
    pub(super) fn blame_books(&mut self) {
        self.is_refused_by_books = true;
    }

    /// Status of the page that shows the form again: 422 for an invalid field; 409 for a conflict
    /// with the state of the books or a concurrent edit.
    pub fn refused_status(&self) -> StatusCode {
        if self.is_refused_by_books || self.faults.is_empty() {
            StatusCode::CONFLICT
        } else {
            StatusCode::UNPROCESSABLE_ENTITY
        }
    }

    /// Whether a rejected form was filled from an outdated version of its resource. Only a form
    /// that is rejected for this reason has no faults.
    pub fn is_outdated(&self) -> bool {
        self.faults.is_empty()
    }

    /// All faults, in the order in which they were added.
    pub fn faults(&self) -> &[FieldFault] {
        &self.faults
    }

    /// Whether any fault belongs to a field rather than to the form in general.
    pub fn has_wrong_field(&self) -> bool {
        self.faults.iter().any(|fault| !fault.field.is_empty())
    }

    /// Whether a field has input or a fault.
    pub fn is_given(&self, name: &str) -> bool {
        !self.value(name).is_empty() || self.fault(name).is_some()
    }

    /// Fault of a field.
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
        assert!(
            form.has("scope", "write")
                && !form.has("scope", "admin")
                && form.has("bare", "")
                && form.has("empty", "")
        );
        assert_eq!((form.raw("e"), form.raw("missing")), ("€", ""));
    }

    #[test]
    fn external_ids_are_dropped() {
        let form = Form::read(
            b"externalId=a&customer.externalId=b&customer.name=externalId&externalIds=c",
        )
        .unwrap();
        assert_eq!(
            form.pairs().collect::<Vec<_>>(),
            [("customer.name", "externalId"), ("externalIds", "c")]
        );
    }

    #[test]
    fn what_is_not_utf_8_is_refused() {
        for bad in [&b"name=%FF"[..], b"name=\xff", b"%C3=1", b"name=%E2%82"] {
            assert_eq!(Form::read(bad).unwrap_err(), NotUtf8, "{bad:?}");
        }
        assert_eq!(Form::read(b"").unwrap().raw("name"), "");
        // A lone percent sign is literal (WHATWG URL, "percent-decode").
        assert_eq!(Form::read(b"name=100%").unwrap().raw("name"), "100%");
    }
}
