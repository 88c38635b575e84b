//! The hash chain: each entry carries the hash of the one before it, so that a change behind the program's back shows.

use crate::entry::JournalEntry;
use sha2::{Digest, Sha256};

/// A link of the chain: SHA-256.
pub type Hash = [u8; 32];

/// What the first entry of an account follows.
pub const GENESIS: Hash = [0; 32];

/// Which canonical form is hashed, so that a later form can tell itself apart.
const FORM: &[u8] = b"grootboek-entry-1";

/// The hash of an entry that follows `previous` in an account's journal: SHA-256 over
/// the form's name, `previous`, and then each field in this order, every number as 8 bytes big-endian, every text as its length
/// in bytes (8 bytes big-endian) and its UTF-8 bytes, an absent number as a single byte 0 and a present one as a byte 1 before it:
/// account id, entry id, moment of booking (microseconds since 1970-01-01 UTC), date as text (`2026-03-15`), description, source
/// type as text, source id, the reversed entry's id or absent, the number of postings, and per posting account code, debit in
/// cents, credit in cents, and the VAT box as text (empty where none).
#[must_use]
pub fn entry_hash(previous: &Hash, account_id: i64, entry_id: i64, entry: &JournalEntry, created_at_micros: i64) -> Hash {
    let mut form = Form(Sha256::new());
    form.0.update(FORM);
    form.0.update(previous);
    form.number(account_id);
    form.number(entry_id);
    form.number(created_at_micros);
    form.text(&entry.date().to_string());
    form.text(entry.description());
    form.text(entry.source().kind.as_str());
    form.number(entry.source().id);
    match entry.reverses() {
        None => form.0.update([0]),
        Some(id) => {
            form.0.update([1]);
            form.number(id);
        }
    }
    form.length(entry.postings().len());
    for posting in entry.postings() {
        form.number(posting.account().get().into());
        form.number(posting.debited().get());
        form.number(posting.credited().get());
        form.text(posting.vat_box().map_or("", crate::vat::VatBox::as_str));
    }
    form.0.finalize().into()
}

struct Form(Sha256);

impl Form {
    fn number(&mut self, number: i64) {
        self.0.update(number.to_be_bytes());
    }

    fn length(&mut self, length: usize) {
        // No text or list in memory is longer than 63 bits can count.
        self.number(i64::try_from(length).unwrap_or(i64::MAX));
    }

    fn text(&mut self, text: &str) {
        self.length(text.len());
        self.0.update(text.as_bytes());
    }
}
