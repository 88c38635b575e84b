//! API keys: a key is stored as its hash and found by it.

use crate::{
    StoreError, Tx,
    accounts::{Plan, SUPPLIER, Supplier, TestMode, read_sales, read_supplier},
    params,
    row::Row,
};
use jiff::Timestamp;
use ledger::{country::CountryCode, language::Language, vat::SalesDefaults};

/// What a key may do. `write` does not include `read`: a key carries only what was chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Scopes {
    /// Every GET.
    pub read: bool,
    /// Every other POST, PATCH and DELETE.
    pub write: bool,
    /// Filing VAT returns and opening them again, for which `write` is not enough.
    pub file: bool,
}

impl Scopes {
    /// The names of the scopes, separated by a space (RFC 6749, section 3.3).
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match (self.read, self.write, self.file) {
            (true, true, true) => "read write file",
            (true, true, false) => "read write",
            (true, false, true) => "read file",
            (true, false, false) => "read",
            (false, true, true) => "write file",
            (false, true, false) => "write",
            (false, false, true) => "file",
            (false, false, false) => "",
        }
    }

    pub(crate) fn parse(text: &str) -> Option<Self> {
        let mut scopes = Self { read: false, write: false, file: false };
        for name in text.split_ascii_whitespace() {
            match name {
                "read" => scopes.read = true,
                "write" => scopes.write = true,
                "file" => scopes.file = true,
                _ => return None,
            }
        }
        Some(scopes)
    }
}

/// A key as it is listed: what it was is not known any more.
#[derive(Debug, Clone)]
pub struct ApiKey {
    /// Unique inside the account.
    pub id: i64,
    /// What its owner calls it.
    pub name: String,
    /// The first characters, to recognise it by.
    pub prefix: String,
    /// What it may do.
    pub scopes: Scopes,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it was last used, to the minute or so.
    pub last_used_at: Option<Timestamp>,
    /// From where it was last used.
    pub last_used_address: Option<String>,
    /// When it stopped working.
    pub revoked_at: Option<Timestamp>,
}

/// Who a key speaks for.
#[derive(Debug, Clone)]
pub struct Holder {
    /// The account.
    pub account: i64,
    /// The key's id inside the account.
    pub key: i64,
    /// What the key may do.
    pub scopes: Scopes,
    /// The account's plan now.
    pub plan: Plan,
    /// The account's country.
    pub country: CountryCode,
    /// Days between invoice date and due date unless an invoice says otherwise.
    pub payment_term_days: i64,
    /// How invoice numbers look.
    pub number_pattern: String,
    /// What the sales are as long as a line does not say.
    pub sales: SalesDefaults,
    /// The language that the books speak.
    pub language: Language,
    /// What of the seller is known.
    pub supplier: Supplier,
    /// What makes it a test account, if it is one.
    pub test: Option<TestMode>,
}

/// Who the unrevoked key with this hash speaks for.
pub fn holder(tx: &mut Tx<'_>, hash: &[u8; 32]) -> Result<Option<Holder>, StoreError> {
    tx.query_opt(
        &format!(
            "SELECT k.account_id, k.id, k.scopes, a.plan, a.country, a.payment_term_days, a.number_pattern, a.default_supply, a.zero_means, a.language, {SUPPLIER}, a.test_of, a.test_ahead
         FROM api_keys k JOIN accounts a ON a.id = k.account_id
         WHERE k.hash = ?1 AND k.revoked_at IS NULL AND a.closed_at IS NULL"
        ),
        &params![hash],
        |row| {
            Ok(Holder {
                account: row.int(0)?,
                key: row.int(1)?,
                scopes: row.parsed(2, Scopes::parse)?,
                plan: row.parsed(3, Plan::parse)?,
                country: row.parsed(4, |text| CountryCode::parse(text).ok())?,
                payment_term_days: row.int(5)?,
                number_pattern: row.text(6)?,
                sales: read_sales(row, 7)?,
                language: row.opt_text(9)?.as_deref().and_then(Language::parse).unwrap_or(Language::English),
                supplier: read_supplier(row, 10)?,
                test: TestMode::read(row, 11)?,
            })
        },
    )
}

/// Stores a new key.
pub fn insert(tx: &mut Tx<'_>, account: i64, key: &ApiKey, hash: &[u8; 32]) -> Result<(), StoreError> {
    tx.execute(
        "INSERT INTO api_keys (hash, account_id, id, name, prefix, scopes, created_at) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
        &params![hash, account, key.id, &key.name, &key.prefix, key.scopes.as_str(), key.created_at],
    )
}

/// All keys of an account, also the revoked ones, oldest first.
pub fn all(tx: &mut Tx<'_>, account: i64) -> Result<Vec<ApiKey>, StoreError> {
    tx.query(
        "SELECT id, name, prefix, scopes, created_at, last_used_at, last_used_address, revoked_at FROM api_keys WHERE account_id = ?1 ORDER BY id",
        &params![account],
        read,
    )
}

/// Ends a key; gives its name, or nothing when there was none to end.
pub fn revoke(tx: &mut Tx<'_>, account: i64, id: i64, now: Timestamp) -> Result<Option<String>, StoreError> {
    tx.query_opt(
        "UPDATE api_keys SET revoked_at = ?3 WHERE account_id = ?1 AND id = ?2 AND revoked_at IS NULL RETURNING name",
        &params![account, id, now],
        |row| row.text(0),
    )
}

/// Notes when a key was last used, and from where.
pub fn record_use(tx: &mut Tx<'_>, account: i64, id: i64, at: Timestamp, address: &str) -> Result<(), StoreError> {
    tx.execute(
        "UPDATE api_keys SET last_used_at = ?3, last_used_address = ?4 WHERE account_id = ?1 AND id = ?2",
        &params![account, id, at, address],
    )
}

fn read(row: &Row<'_>) -> Result<ApiKey, StoreError> {
    Ok(ApiKey {
        id: row.int(0)?,
        name: row.text(1)?,
        prefix: row.text(2)?,
        scopes: row.parsed(3, Scopes::parse)?,
        created_at: row.time(4)?,
        last_used_at: row.opt_time(5)?,
        last_used_address: row.opt_text(6)?,
        revoked_at: row.opt_time(7)?,
    })
}
