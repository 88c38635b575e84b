//! Comparison of the document records in the hash chain with the stored documents.

use super::{CHUNK, Verification};
use crate::Error;
use ledger::chain::{self, DocumentRecord, Hash};
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use store::{
    StoreError, Tx,
    documents::{self as rows, StoredRecord},
    invoices,
};

/// Number of documents read per query.
const DOCUMENTS: i64 = 50;

/// Document records in the hash chain.
#[derive(Default)]
pub(super) struct Records {
    /// Id of the last record.
    pub(super) last: i64,
    /// Records that an invoice was sent, by invoice.
    pub(super) sent: BTreeMap<i64, DocumentRecord>,
    /// SHA-256 of generated documents, by invoice, format and language.
    made: BTreeMap<(i64, String, String), Hash>,
    /// Hashes of the settings that documents show.
    settings: BTreeSet<Hash>,
}

/// Reader that advances through the records in step with the entries of the chain.
#[derive(Default)]
pub(super) struct Walk {
    waiting: VecDeque<StoredRecord>,
    read: i64,
    ended: bool,
}

impl Walk {
    /// Checks the records that precede an entry in the chain.
    pub(super) fn up_to(
        &mut self,
        tx: &mut Tx<'_>,
        account: i64,
        entry: i64,
        verification: &mut Verification,
        records: &mut Records,
    ) -> Result<(), Error> {
        loop {
            if self.waiting.is_empty() && !self.ended {
                self.waiting = match rows::records_after(tx, account, self.read, CHUNK) {
                    Ok(records) => records.into(),
                    Err(StoreError::Unreadable(why)) => {
                        verification
                            .discrepancies
                            .push(format!("a record of a document cannot be read: {why}"));
                        VecDeque::new()
                    }
                    Err(error) => return Err(error.into()),
                };
                self.ended = self.waiting.is_empty();
                self.read = self.waiting.back().map_or(self.read, |last| last.id);
            }
            let Some(next) =
                self.waiting.front().filter(|record| record.record.after_entry < entry)
            else {
                return Ok(());
            };
            check(next, account, verification, records);
            self.waiting.pop_front();
        }
    }
}

/// Checks the sequence and the hash of one record, and collects its contents.
fn check(
    stored: &StoredRecord,
    account: i64,
    verification: &mut Verification,
    records: &mut Records,
) {
    let (id, record) = (stored.id, &stored.record);
    records.last += 1;
    if id != records.last {
        verification
            .discrepancies
            .push(format!("record {} of a document is missing before record {id}", records.last));
        records.last = id;
    }
    let hash = chain::record_hash(
        &verification.head,
        account,
        id,
        record,
        stored.created_at.as_microsecond(),
    );
    if hash != stored.hash {
        let what = "its hash does not match: it, or the chain before it, was changed";
        verification
            .discrepancies
            .push(format!("record {id}, of a document of invoice {}: {what}", record.invoice_id));
    }
    verification.head = stored.hash;
    records.settings.extend(record.settings);
    if record.kind == "sent" {
        records.sent.insert(record.invoice_id, record.clone());
    } else {
        records.made.insert(
            (record.invoice_id, record.kind.clone(), record.language.clone()),
            record.sha256,
        );
    }
}

/// Checks that the stored documents are exactly those recorded in the chain, with the same bytes;
/// does the same for settings and logos.
pub(super) fn verify(
    tx: &mut Tx<'_>,
    account: i64,
    records: &Records,
    verification: &mut Verification,
) -> Result<(), Error> {
    let mut missing: BTreeMap<&(i64, String, String), &Hash> = records.made.iter().collect();
    let mut place = (i64::MIN, String::new(), String::new());
    loop {
        let chunk = rows::after(tx, account, (place.0, &place.1, &place.2), DOCUMENTS)?;
        let Some(last) = chunk.last() else { break };
        place = (last.invoice, last.format.clone(), last.language.clone());
        for kept in chunk {
            let key = (kept.invoice, kept.format, kept.language);
            let hash: Hash = Sha256::digest(&kept.bytes).into();
            if i64::try_from(kept.bytes.len()) != Ok(kept.size) {
                let named = name(tx, account, &key)?;
                verification.discrepancies.push(format!(
                    "{named} does not have the recorded size of {} bytes",
                    kept.size
                ));
            }
            let reported = missing.remove(&key);
            if reported != Some(&hash) || kept.sha256 != hash {
                let what = if reported.is_none() {
                    "was never made"
                } else {
                    "was changed after it was made"
                };
                let named = name(tx, account, &key)?;
                verification.discrepancies.push(format!("{named} {what}"));
            }
        }
    }
    for key in missing.into_keys() {
        let named = name(tx, account, key)?;
        verification.discrepancies.push(format!("{named} is gone"));
    }
    let mut missing_settings = records.settings.clone();
    for (hash, text) in rows::all_settings(tx, account)? {
        missing_settings.remove(&hash);
        if Hash::from(Sha256::digest(&text)) != hash {
            verification.discrepancies.push(
                "settings that documents show were changed after the documents were sent".into(),
            );
        }
    }
    if !missing_settings.is_empty() {
        verification
            .discrepancies
            .push(format!("{} settings that documents show are gone", missing_settings.len()));
    }
    for (hash, bytes) in rows::all_logos(tx, account)? {
        if Hash::from(Sha256::digest(&bytes)) != hash {
            verification.discrepancies.push("a logo was changed after it was stored".into());
        }
    }
    Ok(())
}

fn name(
    tx: &mut Tx<'_>,
    account: i64,
    (invoice, format, language): &(i64, String, String),
) -> Result<String, Error> {
    let number = invoices::by_id(tx, account, *invoice)?
        .map_or_else(|| invoice.to_string(), |invoice| invoice.number);
    let form = if format == "ubl" { "e-invoice" } else { "PDF" };
    Ok(format!("the {form} of invoice {number} ({language})"))
}
