//! Unfinished forms: work that a person typed and no command has received yet. They belong to the
//! person in the account, and nothing in the books follows from them.

use crate::{
    Context, Error, contacts,
    environment::Random,
    invoices,
    people::{ENDED_FORMS_KEPT, EncryptionKey, PersonId, UNFINISHED_FORMS_KEPT},
};
use jiff::{SignedDuration, Timestamp};
use store::{Tx, books, unfinished as rows};

pub use store::unfinished::{Summary, Unfinished};

/// Maximum size of a form's fields in bytes.
pub const MOST_BYTES: usize = 256 * 1024;
/// Maximum number of unfinished forms of a person in an account. One more removes the oldest.
pub const MOST: i64 = 20;
/// Maximum length of a label, in characters.
const LABEL: usize = 100;
/// Period in which a form that a page carries encrypted can be decrypted.
const ENCRYPTED_KEPT: SignedDuration = SignedDuration::from_hours(24);
/// Purpose of the encryption of carried forms.
const PURPOSE: &str = "unfinished form";

/// Subject of a form, from which its label follows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Subject {
    /// Nothing is known.
    Unknown,
    /// A name or another text.
    Text(String),
    /// A contact, by id.
    Contact(i64),
    /// An invoice, by id.
    Invoice(i64),
}

/// Form to save.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Save {
    /// UUID that the page drew.
    pub id: String,
    /// Kind of the form.
    pub form: &'static str,
    /// Path and query of the page with the form.
    pub path: String,
    /// Number of the save in its window, from 1.
    pub rev: i64,
    /// Fields as a browser sends them.
    pub fields: String,
    /// Subject of the form.
    pub subject: Subject,
}

/// Outcome of saving a form.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Saved {
    /// The form is stored.
    Stored,
    /// Nothing was stored: another window saved the form, or the form has ended.
    Outdated,
}

/// Saves a form, unless a later save, the end of the form or another window came first. The same
/// save may arrive twice.
///
/// # Errors
/// The storage failed.
pub fn save(tx: &mut Tx<'_>, cx: &Context, person: PersonId, form: &Save) -> Result<Saved, Error> {
    let whose = (cx.actor.account, person);
    if !books::lock(tx, cx.actor.account)? {
        return Err(Error::NotFound("account"));
    }
    if let Some((stored, ended_at)) = rows::find(tx, whose, &form.id)? {
        if ended_at.is_none() && stored.rev == form.rev && stored.fields == form.fields {
            return Ok(Saved::Stored);
        }
        if ended_at.is_some() || stored.rev >= form.rev {
            return Ok(Saved::Outdated);
        }
    }
    let label = label(tx, cx, &form.subject)?;
    let row = Unfinished {
        id: form.id.clone(),
        form: form.form.to_owned(),
        path: form.path.clone(),
        rev: form.rev,
        fields: form.fields.clone(),
        label: label.chars().filter(|c| !c.is_control()).take(LABEL).collect(),
    };
    rows::put(tx, whose, &row, cx.env.now)?;
    rows::keep_latest(tx, whose, MOST)?;
    Ok(Saved::Stored)
}

/// Name of what a form is about; empty if it is unknown.
fn label(tx: &mut Tx<'_>, cx: &Context, subject: &Subject) -> Result<String, Error> {
    let found = match subject {
        Subject::Unknown => Ok(String::new()),
        Subject::Text(text) => Ok(text.trim().to_owned()),
        Subject::Contact(id) => contacts::read(tx, cx, *id).map(|contact| contact.party.name),
        Subject::Invoice(id) => invoices::read(tx, cx, *id).map(|found| found.invoice.number),
    };
    match found {
        Err(Error::NotFound(_)) => Ok(String::new()),
        other => other,
    }
}

/// Ends a form, because a command received it: it runs in the transaction of that command. A save
/// that comes later stores nothing.
///
/// # Errors
/// The storage failed.
pub fn end(tx: &mut Tx<'_>, cx: &Context, person: PersonId, id: &str) -> Result<(), Error> {
    Ok(rows::end(tx, (cx.actor.account, person), id, cx.env.now)?)
}

/// Discards a form. It can be taken back for a day.
///
/// # Errors
/// The person has no such form, or the storage failed.
pub fn discard(tx: &mut Tx<'_>, cx: &Context, person: PersonId, id: &str) -> Result<(), Error> {
    let whose = (cx.actor.account, person);
    if rows::discard(tx, whose, id, cx.env.now)? {
        return Ok(rows::keep_latest(tx, whose, MOST)?);
    }
    // A form that is discarded twice, as by a double click, is discarded.
    match rows::find(tx, whose, id)? {
        Some((stored, _)) if !stored.fields.is_empty() => Ok(()),
        _ => Err(Error::NotFound("form")),
    }
}

/// Takes back that a form was discarded.
///
/// # Errors
/// The person discarded no such form within the last day, or the storage failed.
pub fn restore(tx: &mut Tx<'_>, cx: &Context, person: PersonId, id: &str) -> Result<(), Error> {
    let whose = (cx.actor.account, person);
    if rows::restore(tx, whose, id, cx.env.now - ENDED_FORMS_KEPT)? {
        return Ok(());
    }
    match rows::find(tx, whose, id)? {
        Some((_, None)) => Ok(()),
        _ => Err(Error::NotFound("form")),
    }
}

/// Form that the person can go on with; `None` if there is no such form.
///
/// # Errors
/// The storage failed.
pub fn read(
    tx: &mut Tx<'_>,
    cx: &Context,
    person: PersonId,
    id: &str,
) -> Result<Option<Unfinished>, Error> {
    let found = rows::find(tx, (cx.actor.account, person), id)?;
    Ok(found.and_then(|(form, ended_at)| ended_at.is_none().then_some(form)))
}

/// Unfinished forms of the person, the latest first.
///
/// # Errors
/// The storage failed.
pub fn list(tx: &mut Tx<'_>, cx: &Context, person: PersonId) -> Result<Vec<Summary>, Error> {
    Ok(rows::list(tx, (cx.actor.account, person), cx.env.now - UNFINISHED_FORMS_KEPT)?)
}

/// Forms that the person discarded within the last day, the latest first.
///
/// # Errors
/// The storage failed.
pub fn discarded(tx: &mut Tx<'_>, cx: &Context, person: PersonId) -> Result<Vec<Summary>, Error> {
    Ok(rows::discarded(tx, (cx.actor.account, person), cx.env.now - ENDED_FORMS_KEPT)?)
}

/// Encrypts a form that was sent after its session ended, so that the sign-in page can carry it: a
/// page without a signed-in person shows nobody's work.
///
/// # Errors
/// The encryption failed.
pub fn encrypt(
    key: &EncryptionKey,
    random: &dyn Random,
    now: Timestamp,
    form: &str,
) -> Result<String, Error> {
    let until = (now + ENCRYPTED_KEPT).as_second();
    key.encrypt(random, PURPOSE, format!("{until}\n{form}").as_bytes())
}

/// Decrypts a form that was encrypted within the last 24 hours.
#[must_use]
pub fn decrypt(key: &EncryptionKey, now: Timestamp, encrypted: &str) -> Option<String> {
    let text = String::from_utf8(key.decrypt(PURPOSE, encrypted)?).ok()?;
    let (until, form) = text.split_once('\n')?;
    let is_in_time = until.parse::<i64>().ok()? > now.as_second();
    is_in_time.then(|| form.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::environment::System;

    #[test]
    fn a_carried_form_can_be_decrypted_for_a_day() {
        let (key, other) = (EncryptionKey::new([1; 32]), EncryptionKey::new([2; 32]));
        let now = Timestamp::UNIX_EPOCH;
        let encrypted = encrypt(&key, &System, now, "name=Korenaar\n").unwrap();
        assert!(!encrypted.contains("Korenaar"));
        let opened = |key, hours| decrypt(key, now + SignedDuration::from_hours(hours), &encrypted);
        assert_eq!(opened(&key, 23).as_deref(), Some("name=Korenaar\n"));
        assert_eq!((opened(&key, 24), opened(&other, 1)), (None, None));
        assert_eq!(decrypt(&key, now, ""), None);
    }
}
