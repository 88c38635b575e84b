//! The hash chain: each entry carries the hash of the one before it, so that a change behind the program's back shows.

use crate::entry::JournalEntry;
use sha2::{Digest, Sha256};

/// A link of the chain: SHA-256.
pub type Hash = [u8; 32];

/// What the first entry of an account follows.
pub const GENESIS: Hash = [0; 32];

/// Which canonical form is hashed, so that a later form can tell itself apart.
const FORM: &[u8] = b"grootboek-entry-1";

/// The hash of an entry that follows `previous` in an account's journal: SHA-256 (FIPS 180-4) over these bytes, one after another,
/// so that anyone can recompute it. Every number is 8 bytes, big-endian, two's complement; every text is its length in bytes (such
/// a number) and its UTF-8 bytes.
/// 1. the 17 bytes `grootboek-entry-1`, which name this form;
/// 2. the 32 bytes of `previous` ([`GENESIS`] for the first entry);
/// 3. number: account id; number: entry id; number: moment of booking in microseconds since 1970-01-01T00:00:00Z;
/// 4. text: date (`2026-03-15`); text: description; text: source type ([`crate::entry::SourceType`]'s name); number: source id;
/// 5. the byte 0, or the byte 1 and number: the id of the entry that it reverses;
/// 6. number: how many postings there are; and for each of them number: account code; number: debit in cents; number: credit in
///    cents; text: VAT box (`1a`), empty where there is none.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        chart::AccountCode,
        entry::{Posting, Source, SourceType},
        money::Cents,
        vat::VatBox,
    };
    use jiff::civil::date;

    fn invoice(id: i64, description: &str, debit: u16, vat_box: Option<VatBox>) -> JournalEntry {
        let account = |number| AccountCode::new(number).unwrap();
        let postings = vec![
            Posting::debit(account(debit), Cents::new(12_100), None),
            Posting::credit(account(8000), Cents::new(10_000), vat_box),
            Posting::credit(account(1700), Cents::new(2_100), Some(VatBox::B1a)),
        ];
        let source = Source { kind: SourceType::Invoice, id };
        JournalEntry::new(date(2026, 3, 15), description.into(), source, postings).unwrap()
    }

    fn hex(hash: &Hash) -> String {
        hash.iter().map(|byte| format!("{byte:02x}")).collect()
    }

    /// The hashes were computed from the description of [`entry_hash`] alone, by another program in another language.
    #[test]
    fn anyone_can_recompute_the_chain() {
        let entry = invoice(7, "Invoice 2026-0001, Café Zuid", 1300, Some(VatBox::B1a));
        let first = entry_hash(&GENESIS, 42, 1, &entry, 1_773_561_600_000_000);
        assert_eq!(hex(&first), "9876a70db9b12ef469c5759a0555a7cb414b839b83241eb6cceb0e867f6d227c");
        let back = entry.reversal(1, entry.date(), "Reversal".into());
        let second = entry_hash(&first, 42, 2, &back, 1_773_561_600_000_001);
        assert_eq!(hex(&second), "60b16e75963695a1a4e7f8606cf576f17cca88bb8e4f877c70b3ae9f04d562e9");
    }

    #[test]
    fn every_field_counts() {
        let entry = invoice(7, "ab", 1300, Some(VatBox::B1a));
        let (micros, day) = (1_773_561_600_000_000, entry.date());
        let restored = |date, description: &str, kind, reverses, postings: &[Posting]| {
            JournalEntry::restore(date, description.into(), Source { kind, id: 7 }, reverses, postings.to_vec()).unwrap()
        };
        let mut swapped = entry.postings().to_vec();
        swapped.swap(0, 1);
        let mut longer = entry.postings().to_vec();
        longer.push(Posting::debit(swapped[0].account(), Cents::ZERO, None));
        let hashes = [
            entry_hash(&GENESIS, 42, 1, &entry, micros),
            entry_hash(&[1; 32], 42, 1, &entry, micros),
            entry_hash(&GENESIS, 43, 1, &entry, micros),
            entry_hash(&GENESIS, 42, 2, &entry, micros),
            entry_hash(&GENESIS, 42, 1, &entry, micros + 1),
            entry_hash(&GENESIS, 42, 1, &invoice(8, "ab", 1300, Some(VatBox::B1a)), micros),
            entry_hash(&GENESIS, 42, 1, &invoice(7, "abc", 1300, Some(VatBox::B1a)), micros),
            entry_hash(&GENESIS, 42, 1, &invoice(7, "ab", 1100, Some(VatBox::B1a)), micros),
            entry_hash(&GENESIS, 42, 1, &invoice(7, "ab", 1300, Some(VatBox::B1b)), micros),
            entry_hash(&GENESIS, 42, 1, &invoice(7, "ab", 1300, None), micros),
            entry_hash(&GENESIS, 42, 1, &restored(date(2026, 3, 16), "ab", SourceType::Invoice, None, entry.postings()), micros),
            entry_hash(&GENESIS, 42, 1, &restored(day, "ab", SourceType::Manual, None, entry.postings()), micros),
            entry_hash(&GENESIS, 42, 1, &restored(day, "ab", SourceType::Invoice, Some(0), entry.postings()), micros),
            entry_hash(&GENESIS, 42, 1, &restored(day, "ab", SourceType::Invoice, None, &swapped), micros),
            entry_hash(&GENESIS, 42, 1, &restored(day, "ab", SourceType::Invoice, None, &longer), micros),
            entry_hash(&GENESIS, 42, 1, &entry.reversal(1, day, "ab".into()), micros),
        ];
        for (place, hash) in hashes.iter().enumerate() {
            assert!(!hashes[..place].contains(hash), "hash {place} is one of those before it");
        }
    }
}
