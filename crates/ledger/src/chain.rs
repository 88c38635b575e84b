//! Hash chain: each entry's hash covers the hash of its predecessor, so that a change made outside
//! the program is detected.

use crate::entry::JournalEntry;
use sha2::{Digest, Sha256};

/// Link of the chain: a SHA-256 hash.
pub type Hash = [u8; 32];

/// Predecessor of an account's first entry.
pub const GENESIS: Hash = [0; 32];

/// Name of the hashed canonical form; a later form would have another name.
const FORM: &[u8] = b"grootboek-entry-1";

/// Returns the hash of an entry that follows `previous` in an account's journal: SHA-256 (FIPS
/// 180-4) over the concatenation of these bytes, so that anyone can recompute it. A number is 8
/// bytes, big-endian, two's complement; a text is its length in bytes, as such a number, and then
/// its UTF-8 bytes.
/// 1. the 17 bytes `grootboek-entry-1`, which name this form;
/// 2. the 32 bytes of `previous` ([`GENESIS`] for the first entry);
/// 3. number: account id; number: entry id; number: time of booking in microseconds since
///    1970-01-01T00:00:00Z;
/// 4. text: date (`2026-03-15`); text: date on which the entry's VAT is due;
/// 5. the byte 1 and the VAT period that the entry corrects (`2026-Q1`), or the byte 0 for an
///    entry that corrects no period;
/// 6. text: the kind of the description ([`crate::description::DescriptionKind`]'s name), and then,
///    each encoded like 5: number of the document, number of the related document, party, VAT
///    period, the owner's text; and number: count of the entry's receipts, and for each receipt the
///    32 bytes of the SHA-256 of its file;
/// 7. text: source type ([`crate::entry::SourceType`]'s name); number: source id;
/// 8. the byte 0, or the byte 1 and number: the id of the entry that this one reverses;
/// 9. number: count of the postings; and for each of them number: account code; number: debit in
///    cents; number: credit in cents; text: VAT box (`1a`), empty if there is none.
#[must_use]
pub fn entry_hash(
    previous: &Hash,
    account_id: i64,
    entry_id: i64,
    entry: &JournalEntry,
    created_at_micros: i64,
) -> Hash {
    let mut form = Form::new(FORM);
    form.0.update(previous);
    form.number(account_id);
    form.number(entry_id);
    form.number(created_at_micros);
    form.text(&entry.date().to_string());
    form.text(&entry.vat_date().to_string());
    form.optional(entry.corrects_period().map(|period| period.to_string()).as_deref());
    let description = entry.description();
    form.text(description.kind.as_str());
    form.optional(description.number.as_deref());
    form.optional(description.related_number.as_deref());
    form.optional(description.party.as_deref());
    form.optional(description.period.map(|period| period.to_string()).as_deref());
    form.optional(description.text.as_deref());
    form.length(description.receipts.len());
    for receipt in &description.receipts {
        form.0.update(receipt);
    }
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
    form.finish()
}

/// Record of an event in a document's life, chained together with the entries.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DocumentRecord {
    /// Id of the last entry before the record.
    pub after_entry: i64,
    /// Recorded event: `sent`, or the format of a file that was created (`pdf` or `ubl`).
    pub kind: String,
    /// Id of the invoice or credit note.
    pub invoice_id: i64,
    /// Language of the document.
    pub language: String,
    /// SHA-256 of the settings that the document shows; only for `sent`.
    pub settings: Option<Hash>,
    /// SHA-256 of everything the document shows, or of the file's bytes.
    pub sha256: Hash,
}

/// Returns the hash of a document record that follows `previous` in an account's chain, by the
/// rules of [`entry_hash`]: the 18 bytes `grootboek-record-1`; the 32 bytes of `previous`; number:
/// account id; number: record id; number: time in microseconds; number: id of the last entry before
/// the record; text: kind; number: invoice id; text: language; the byte 0, or the byte 1 and the 32
/// bytes of the settings' SHA-256; the 32 bytes of the record's SHA-256.
#[must_use]
pub fn record_hash(
    previous: &Hash,
    account_id: i64,
    record_id: i64,
    record: &DocumentRecord,
    created_at_micros: i64,
) -> Hash {
    let mut form = Form::new(b"grootboek-record-1");
    form.0.update(previous);
    form.number(account_id);
    form.number(record_id);
    form.number(created_at_micros);
    form.number(record.after_entry);
    form.text(&record.kind);
    form.number(record.invoice_id);
    form.text(&record.language);
    match &record.settings {
        None => form.0.update([0]),
        Some(settings) => {
            form.0.update([1]);
            form.0.update(settings);
        }
    }
    form.0.update(record.sha256);
    form.finish()
}

/// Hash input in canonical form: numbers as 8 bytes, strings prefixed with their length.
pub struct Form(Sha256);

impl Form {
    /// Starts a form with its name.
    #[must_use]
    pub fn new(name: &[u8]) -> Self {
        let mut hash = Sha256::new();
        hash.update(name);
        Self(hash)
    }

    /// Returns the hash of all input.
    #[must_use]
    pub fn finish(self) -> Hash {
        self.0.finalize().into()
    }

    /// Appends a hash.
    pub fn hash(&mut self, hash: &Hash) {
        self.0.update(hash);
    }

    /// Appends a number.
    pub fn number(&mut self, number: i64) {
        self.0.update(number.to_be_bytes());
    }

    /// Appends the length of a list.
    pub fn length(&mut self, length: usize) {
        // No text or list in memory has a length beyond 63 bits.
        self.number(i64::try_from(length).unwrap_or(i64::MAX));
    }

    /// Appends a text.
    pub fn text(&mut self, text: &str) {
        self.length(text.len());
        self.0.update(text.as_bytes());
    }

    /// Appends an optional text.
    pub fn optional(&mut self, text: Option<&str>) {
        match text {
            None => self.0.update([0]),
            Some(text) => {
                self.0.update([1]);
                self.text(text);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        chart::AccountCode,
        description::{Description, DescriptionKind},
        entry::{Head, Posting, Source, SourceType},
        money::Cents,
        vat::VatBox,
        vat_period::VatPeriod,
    };
    use jiff::civil::date;

    fn invoice(id: i64, customer: &str, debit: u16, vat_box: Option<VatBox>) -> JournalEntry {
        let account = |number| AccountCode::new(number).unwrap();
        let postings = vec![
            Posting::debit(account(debit), Cents::new(12_100), None),
            Posting::credit(account(8000), Cents::new(10_000), vat_box),
            Posting::credit(account(1700), Cents::new(2_100), Some(VatBox::B1a)),
        ];
        let source = Source { kind: SourceType::Invoice, id };
        let about = Description {
            party: Some(customer.into()),
            ..Description::of(DescriptionKind::Invoice).numbered("2026-0001")
        };
        JournalEntry::new(date(2026, 3, 15), about, source, postings).unwrap()
    }

    fn hex(hash: &Hash) -> String {
        hash.iter().map(|byte| format!("{byte:02x}")).collect()
    }

    /// Another program in another language computed these hashes from the description of
    /// [`entry_hash`] alone.
    #[test]
    fn anyone_can_recompute_the_chain() {
        let entry = invoice(7, "Café Zuid", 1300, Some(VatBox::B1a));
        let first = entry_hash(&GENESIS, 42, 1, &entry, 1_773_561_600_000_000);
        assert_eq!(hex(&first), "dd1b4a22300291a91f46ec0e28801f9a401218414689d44b93fe89d942290ee7");
        let back = entry
            .reversal(1, entry.date(), date(2026, 4, 1))
            .correcting(VatPeriod::quarter(2025, 4).unwrap());
        let second = entry_hash(&first, 42, 2, &back, 1_773_561_600_000_001);
        assert_eq!(
            hex(&second),
            "d6da3ca7c4ad874b6752cd44530969c5a8413be73cb37968b44c2cd9c09499f3"
        );
    }

    /// Returns entries that each differ from `entry` in one value.
    fn all_but_one(entry: &JournalEntry) -> Vec<JournalEntry> {
        let head = entry.head();
        let mut heads = vec![
            Head { date: date(2026, 3, 16), ..head.clone() },
            Head { vat_date: date(2026, 3, 16), ..head.clone() },
            Head { corrects_period: VatPeriod::quarter(2026, 1), ..head.clone() },
            Head { source: Source { kind: SourceType::Manual, ..head.source }, ..head.clone() },
            Head { source: Source { id: 8, ..head.source }, ..head.clone() },
            Head { reverses: Some(0), ..head.clone() },
        ];
        let about = &head.description;
        let some = || Some("2026-0001".to_owned());
        let descriptions = [
            Description { kind: DescriptionKind::Payment, ..about.clone() },
            Description { number: None, related_number: some(), ..about.clone() },
            Description { number: Some("2026-0002".into()), ..about.clone() },
            Description { related_number: some(), ..about.clone() },
            Description { party: None, ..about.clone() },
            Description { party: Some("abc".into()), ..about.clone() },
            Description { period: VatPeriod::quarter(2026, 1), ..about.clone() },
            Description { text: some(), ..about.clone() },
            Description { receipts: vec![[1; 32]], ..about.clone() },
        ];
        heads.extend(descriptions.map(|description| Head { description, ..head.clone() }));
        let mut swapped = entry.postings().to_vec();
        swapped.swap(0, 1);
        let mut longer = entry.postings().to_vec();
        longer.push(Posting::debit(swapped[0].account(), Cents::ZERO, None));
        let of_heads = heads
            .into_iter()
            .map(|head| JournalEntry::restore(head, entry.postings().to_vec()).unwrap());
        let of_postings = [swapped, longer]
            .map(|postings| JournalEntry::restore(head.clone(), postings).unwrap());
        let back = entry.reversal(1, entry.date(), entry.vat_date());
        of_heads.chain(of_postings).chain([back]).collect()
    }

    #[test]
    fn every_field_of_a_record_counts() {
        let record = DocumentRecord {
            after_entry: 3,
            kind: "sent".into(),
            invoice_id: 7,
            language: "nl".into(),
            settings: Some([1; 32]),
            sha256: [2; 32],
        };
        let others = [
            DocumentRecord { after_entry: 4, ..record.clone() },
            DocumentRecord { kind: "pdf".into(), ..record.clone() },
            DocumentRecord { invoice_id: 8, ..record.clone() },
            DocumentRecord { language: "en".into(), ..record.clone() },
            DocumentRecord { settings: None, ..record.clone() },
            DocumentRecord { settings: Some([3; 32]), ..record.clone() },
            DocumentRecord { sha256: [3; 32], ..record.clone() },
        ];
        let mut hashes = vec![
            record_hash(&GENESIS, 42, 1, &record, 5),
            record_hash(&[1; 32], 42, 1, &record, 5),
            record_hash(&GENESIS, 43, 1, &record, 5),
            record_hash(&GENESIS, 42, 2, &record, 5),
            record_hash(&GENESIS, 42, 1, &record, 6),
        ];
        hashes.extend(others.iter().map(|other| record_hash(&GENESIS, 42, 1, other, 5)));
        for (place, hash) in hashes.iter().enumerate() {
            assert!(!hashes[..place].contains(hash), "hash {place} is one of those before it");
        }
    }

    #[test]
    fn every_field_counts() {
        let entry = invoice(7, "ab", 1300, Some(VatBox::B1a));
        let micros = 1_773_561_600_000_000;
        let mut hashes = vec![
            entry_hash(&GENESIS, 42, 1, &entry, micros),
            entry_hash(&[1; 32], 42, 1, &entry, micros),
            entry_hash(&GENESIS, 43, 1, &entry, micros),
            entry_hash(&GENESIS, 42, 2, &entry, micros),
            entry_hash(&GENESIS, 42, 1, &entry, micros + 1),
            entry_hash(&GENESIS, 42, 1, &invoice(7, "ab", 1100, Some(VatBox::B1a)), micros),
            entry_hash(&GENESIS, 42, 1, &invoice(7, "ab", 1300, Some(VatBox::B1b)), micros),
            entry_hash(&GENESIS, 42, 1, &invoice(7, "ab", 1300, None), micros),
        ];
        hashes.extend(
            all_but_one(&entry).iter().map(|other| entry_hash(&GENESIS, 42, 1, other, micros)),
        );
        for (place, hash) in hashes.iter().enumerate() {
            assert!(!hashes[..place].contains(hash), "hash {place} is one of those before it");
        }
    }
}
