//! Stored invoice documents, whose bytes never change.

use crate::{
    StoreError, Tx,
    engine::record::{self, Record, fields, overwriting, record},
    params,
};
use jiff::Timestamp;
use ledger::{
    chain::{DocumentRecord, Hash},
    language::Language,
};

/// Format of a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// PDF for people.
    Pdf,
    /// UBL e-invoice.
    Ubl,
}

impl Format {
    /// Name in the database.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Pdf => "pdf",
            Self::Ubl => "ubl",
        }
    }
}

/// A document to be stored.
#[derive(Debug, Clone)]
pub struct NewDocument<'d> {
    /// Invoice or credit note.
    pub invoice: i64,
    /// Format.
    pub format: Format,
    /// Language.
    pub language: Language,
    /// Whether the language differs from that in which the document was sent.
    pub is_translation: bool,
    /// SHA-256 of the bytes.
    pub sha256: &'d [u8; 32],
    /// The bytes.
    pub bytes: &'d [u8],
}

/// Stores a document unless it is already stored: a stored version is never replaced.
pub fn insert(
    tx: &mut Tx<'_>,
    account: i64,
    document: &NewDocument<'_>,
    now: Timestamp,
) -> Result<(), StoreError> {
    tx.execute(
        &format!(
            "INSERT INTO invoice_documents (account_id, {}, is_translation, created_at)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9) ON CONFLICT DO NOTHING",
            KeptDocument::COLUMNS
        ),
        &params![
            account,
            document.invoice,
            document.format.as_str(),
            document.language.as_str(),
            document.sha256,
            i64::try_from(document.bytes.len()).unwrap_or(i64::MAX),
            document.bytes,
            i64::from(document.is_translation),
            now,
        ],
    )
}

/// Total size of all documents of the account, in bytes.
pub fn bytes_in_all(tx: &mut Tx<'_>, account: i64) -> Result<i64, StoreError> {
    let sql = "SELECT CAST(COALESCE(SUM(size), 0) AS BIGINT) FROM invoice_documents WHERE account_id = ?1";
    tx.query_one(sql, &params![account], |row| row.int(0))
}

/// Bytes of a document, if it is stored.
pub fn bytes(
    tx: &mut Tx<'_>,
    account: i64,
    invoice: i64,
    format: Format,
    language: Language,
) -> Result<Option<Vec<u8>>, StoreError> {
    tx.query_opt(
        "SELECT bytes FROM invoice_documents WHERE account_id = ?1 AND invoice_id = ?2 AND format = ?3 AND language = ?4",
        &params![account, invoice, format.as_str(), language.as_str()],
        |row| row.bytes(0),
    )
}

/// A stored document with its recorded SHA-256, to check that the bytes still match.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeptDocument {
    /// Invoice or credit note.
    pub invoice: i64,
    /// `pdf` or `ubl`.
    pub format: String,
    /// Language.
    pub language: String,
    /// Recorded SHA-256.
    pub sha256: Hash,
    /// Size in bytes.
    pub size: i64,
    /// The bytes.
    pub bytes: Vec<u8>,
}

record! {
    KeptDocument {
        "invoice_id": invoice,
        "format": format,
        "language": language,
        "sha256": sha256,
        "size": size,
        "bytes": bytes,
    }
}

/// Documents after the given position, ordered by invoice, format and language. Used by the
/// verification of the books.
pub fn after(
    tx: &mut Tx<'_>,
    account: i64,
    place: (i64, &str, &str),
    limit: i64,
) -> Result<Vec<KeptDocument>, StoreError> {
    let sql = format!(
        "SELECT {} FROM invoice_documents
         WHERE account_id = ?1 AND (invoice_id, format, language) > (?2, ?3, ?4) ORDER BY invoice_id, format, language LIMIT ?5",
        KeptDocument::COLUMNS
    );
    tx.query(&sql, &params![account, place.0, place.1, place.2, limit], KeptDocument::read)
}

/// Stored document record.
#[derive(Debug, Clone)]
pub struct StoredRecord {
    /// Unique within the account; ids follow the order of the chain.
    pub id: i64,
    /// Content of the record.
    pub record: DocumentRecord,
    /// Hash that chains the record to its predecessor.
    pub hash: Hash,
    /// Creation time.
    pub created_at: Timestamp,
}

record! {
    StoredRecord {
        "id": id,
        "after_entry, kind, invoice_id, language, settings, sha256": record,
        "hash": hash,
        "created_at": created_at,
    }
}
fields! { DocumentRecord { after_entry, kind, invoice_id, language, settings, sha256 } }

pub(crate) fn insert_record(
    tx: &mut Tx<'_>,
    account: i64,
    record: &StoredRecord,
) -> Result<(), StoreError> {
    record::insert(tx, "document_records", StoredRecord::COLUMNS, &record.values(account))
}

/// Records with an id above `after`, in the order of the chain. Used by the verification of the
/// books.
pub fn records_after(
    tx: &mut Tx<'_>,
    account: i64,
    after: i64,
    limit: i64,
) -> Result<Vec<StoredRecord>, StoreError> {
    let columns = StoredRecord::COLUMNS;
    let sql = format!(
        "SELECT {columns} FROM document_records WHERE account_id = ?1 AND id > ?2 ORDER BY id LIMIT ?3"
    );
    tx.query(&sql, &params![account, after, limit], StoredRecord::read)
}

/// Record created when an invoice was sent; `None` if the invoice has not been sent.
pub fn sent(
    tx: &mut Tx<'_>,
    account: i64,
    invoice: i64,
) -> Result<Option<StoredRecord>, StoreError> {
    let sql = format!(
        "SELECT {} FROM document_records WHERE account_id = ?1 AND invoice_id = ?2 AND kind = 'sent' ORDER BY id",
        StoredRecord::COLUMNS
    );
    tx.query_opt(&sql, &params![account, invoice], StoredRecord::read)
}

/// Stores settings that affect a document, under the SHA-256 of their text.
pub fn insert_settings(
    tx: &mut Tx<'_>,
    account: i64,
    sha256: &Hash,
    settings: &str,
) -> Result<(), StoreError> {
    tx.execute(
        "INSERT INTO document_settings (account_id, sha256, settings) VALUES (?1, ?2, ?3) ON CONFLICT DO NOTHING",
        &params![account, sha256, settings],
    )
}

/// Settings that affect a document, found by their SHA-256.
pub fn settings(
    tx: &mut Tx<'_>,
    account: i64,
    sha256: &Hash,
) -> Result<Option<String>, StoreError> {
    let sql = "SELECT settings FROM document_settings WHERE account_id = ?1 AND sha256 = ?2";
    tx.query_opt(sql, &params![account, sha256], |row| row.text(0))
}

/// All stored settings that affect documents. Used by the verification of the books.
pub fn all_settings(tx: &mut Tx<'_>, account: i64) -> Result<Vec<(Hash, String)>, StoreError> {
    let sql =
        "SELECT sha256, settings FROM document_settings WHERE account_id = ?1 ORDER BY sha256";
    tx.query(sql, &params![account], |row| Ok((row.hash(0)?, row.text(1)?)))
}

/// Layout and fixed texts of an account's documents, chosen by the owner.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Look {
    /// Accent colour, such as `#115e59`.
    pub accent: Option<String>,
    /// Side of the envelope's window: `left` or `right`.
    pub window: Option<String>,
    /// Text above the lines of Dutch documents.
    pub opening_nl: Option<String>,
    /// Text above the lines of English documents.
    pub opening_en: Option<String>,
    /// Text at the end of Dutch documents.
    pub closing_nl: Option<String>,
    /// Text at the end of English documents.
    pub closing_en: Option<String>,
    /// SHA-256 of the logo.
    pub logo: Option<Hash>,
    /// Pattern of quote numbers, if it is not that of the program.
    pub quote_pattern: Option<String>,
}

record! {
    Look {
        "accent": accent,
        "envelope_window": window,
        "opening": opening_nl,
        "opening_en": opening_en,
        "closing": closing_nl,
        "closing_en": closing_en,
        "logo": logo,
        "quote_pattern": quote_pattern,
    }
}

/// Stores the layout of an account's documents.
pub fn set_look(tx: &mut Tx<'_>, account: i64, look: &Look) -> Result<(), StoreError> {
    let columns = format!("account_id, {}", Look::COLUMNS);
    let tail = overwriting("account_id", Look::COLUMNS);
    record::insert_into(tx, "invoice_settings", &columns, &look.values(account), &tail)
}

/// Stores a logo under its SHA-256.
pub fn insert_logo(
    tx: &mut Tx<'_>,
    account: i64,
    sha256: &Hash,
    bytes: &[u8],
) -> Result<(), StoreError> {
    tx.execute(
        "INSERT INTO logos (account_id, sha256, bytes) VALUES (?1, ?2, ?3) ON CONFLICT DO NOTHING",
        &params![account, sha256, bytes],
    )
}

/// Logo with this SHA-256.
pub fn logo(tx: &mut Tx<'_>, account: i64, sha256: &Hash) -> Result<Option<Vec<u8>>, StoreError> {
    let sql = "SELECT bytes FROM logos WHERE account_id = ?1 AND sha256 = ?2";
    tx.query_opt(sql, &params![account, sha256], |row| row.bytes(0))
}

/// All logos of an account, including those of older documents. Used by the verification of the
/// books.
pub fn all_logos(tx: &mut Tx<'_>, account: i64) -> Result<Vec<(Hash, Vec<u8>)>, StoreError> {
    let sql = "SELECT sha256, bytes FROM logos WHERE account_id = ?1 ORDER BY sha256";
    tx.query(sql, &params![account], |row| Ok((row.hash(0)?, row.bytes(1)?)))
}
