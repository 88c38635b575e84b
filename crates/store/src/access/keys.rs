//! API keys, stored as hashes and looked up by hash.

use crate::{
    StoreError, Tx,
    accounts::{Plan, SUPPLIER, Supplier, TestMode, read_sales, read_supplier},
    bank_accounts::COLUMNS as BANK_ACCOUNTS,
    engine::record::{self, Column, Record, columns_by_name, record},
    own_accounts,
    param::Param,
    params,
    vat_units::{self, UnitChange},
};
use jiff::Timestamp;
use ledger::{
    country::CountryCode, language::Language, own_account::OwnAccounts, vat::SalesDefaults,
};

/// Permissions of a credential. `write` does not include `read`: each scope is granted separately.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Scopes {
    /// All GET requests.
    pub read: bool,
    /// All POST, PATCH and DELETE requests that no other scope covers.
    pub write: bool,
    /// Filing and reopening VAT returns, for which `write` is not enough.
    pub file: bool,
}

impl Scopes {
    /// Names of the scopes, separated by spaces (RFC 6749, section 3.3).
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

/// API key as listed, without its secret, which is not stored.
#[derive(Debug, Clone)]
pub struct ApiKey {
    /// Unique within the account.
    pub id: i64,
    /// Name chosen by the owner.
    pub name: String,
    /// First characters of the key, by which its owner recognises it.
    pub prefix: String,
    /// Permissions of the key.
    pub scopes: Scopes,
    /// Creation time.
    pub created_at: Timestamp,
    /// Time of the last use, accurate to about a minute.
    pub last_used_at: Option<Timestamp>,
    /// Network address of the last use.
    pub last_used_address: Option<String>,
    /// Time of revocation.
    pub revoked_at: Option<Timestamp>,
}

columns_by_name!(Scopes);
record! {
    ApiKey {
        "id": id,
        "name": name,
        "prefix": prefix,
        "scopes": scopes,
        "created_at": created_at,
        "last_used_at": last_used_at,
        "last_used_address": last_used_address,
        "revoked_at": revoked_at,
    }
}

/// Account that a key or access token gives access to.
#[derive(Debug, Clone)]
pub struct Holder<C> {
    /// The account.
    pub account: i64,
    /// Id of the key or of the token's grant, within the account.
    pub credential: C,
    /// Permissions of the credential.
    pub scopes: Scopes,
    /// Current plan of the account.
    pub plan: Plan,
    /// The account's country.
    pub country: CountryCode,
    /// Days between invoice date and due date, unless an invoice specifies another term.
    pub payment_term_days: i64,
    /// Pattern for invoice numbers.
    pub number_pattern: String,
    /// Defaults for sales, which an invoice line can override.
    pub sales: SalesDefaults,
    /// Language of the account, if the owner chose one.
    pub language: Option<Language>,
    /// Flags for the supplier details that an invoice must state: whether the account has each of
    /// them.
    pub supplier: Supplier,
    /// Changes of the unit of VAT periods, ordered by first day.
    pub vat_units: Vec<UnitChange>,
    /// Ledger accounts that the owner added, and the bank accounts.
    pub own_accounts: OwnAccounts,
    /// Test mode, if this is a test account.
    pub test: Option<TestMode>,
}

/// Holder of the unrevoked key with this hash.
pub fn holder(tx: &mut Tx<'_>, hash: &[u8; 32]) -> Result<Option<Holder<i64>>, StoreError> {
    let from = "api_keys k JOIN accounts a ON a.id = k.account_id WHERE k.hash = ?1 AND k.revoked_at IS NULL";
    find_holder(tx, "k.account_id, k.id, k.scopes", from, &params![hash])
}

/// Holder of a credential, unless the account is closed. `columns` selects account, id and scopes;
/// `from` joins the credential with its account `a`.
pub(super) fn find_holder<C: Column>(
    tx: &mut Tx<'_>,
    columns: &str,
    from: &str,
    values: &[Param<'_>],
) -> Result<Option<Holder<C>>, StoreError> {
    let sql = format!(
        "SELECT {columns}, a.plan, a.country, a.payment_term_days, a.number_pattern, a.default_supply, a.zero_means, a.language,
         {SUPPLIER}, a.test_of, a.test_ahead, a.vat_units, a.own_accounts, {BANK_ACCOUNTS}
         FROM {from} AND a.closed_at IS NULL"
    );
    tx.query_opt(&sql, values, |row| {
        let (account, credential, scopes) = record::read(row)?;
        Ok(Holder {
            account,
            credential,
            scopes,
            plan: row.parsed(3, Plan::parse)?,
            country: row.parsed(4, |text| CountryCode::parse(text).ok())?,
            payment_term_days: row.int(5)?,
            number_pattern: row.text(6)?,
            sales: read_sales(row, 7)?,
            language: row.opt_text(9)?.as_deref().and_then(Language::parse),
            supplier: read_supplier(row, 10)?,
            test: TestMode::read(row, 11)?,
            vat_units: vat_units::read(row, 13)?,
            own_accounts: own_accounts::read(row, 14)?,
        })
    })
}

/// Stores a new key.
pub fn insert(
    tx: &mut Tx<'_>,
    account: i64,
    key: &ApiKey,
    hash: &[u8; 32],
) -> Result<(), StoreError> {
    let mut values = key.values(account);
    values.push(hash.into());
    record::insert(tx, "api_keys", &format!("{}, hash", ApiKey::COLUMNS), &values)
}

/// All keys of an account, including revoked ones, oldest first.
pub fn all(tx: &mut Tx<'_>, account: i64) -> Result<Vec<ApiKey>, StoreError> {
    let sql = format!("SELECT {} FROM api_keys WHERE account_id = ?1 ORDER BY id", ApiKey::COLUMNS);
    tx.query(&sql, &params![account], ApiKey::read)
}

/// Number of an account's keys that have not been revoked.
pub fn working(tx: &mut Tx<'_>, account: i64) -> Result<i64, StoreError> {
    let sql = "SELECT COUNT(*) FROM api_keys WHERE account_id = ?1 AND revoked_at IS NULL";
    tx.query_one(sql, &params![account], |row| row.int(0))
}

/// Name of an unrevoked key.
pub fn name_of(tx: &mut Tx<'_>, account: i64, id: i64) -> Result<Option<String>, StoreError> {
    let sql = "SELECT name FROM api_keys WHERE account_id = ?1 AND id = ?2 AND revoked_at IS NULL";
    tx.query_opt(sql, &params![account, id], |row| row.text(0))
}

/// Revokes a key; returns its name, or `None` if there is no such unrevoked key.
pub fn revoke(
    tx: &mut Tx<'_>,
    account: i64,
    id: i64,
    now: Timestamp,
) -> Result<Option<String>, StoreError> {
    tx.query_opt(
        "UPDATE api_keys SET revoked_at = ?3 WHERE account_id = ?1 AND id = ?2 AND revoked_at IS NULL RETURNING name",
        &params![account, id, now],
        |row| row.text(0),
    )
}

/// Records the time and network address of a key's last use.
pub fn record_use(
    tx: &mut Tx<'_>,
    account: i64,
    id: i64,
    at: Timestamp,
    address: &str,
) -> Result<(), StoreError> {
    tx.execute(
        "UPDATE api_keys SET last_used_at = ?3, last_used_address = ?4 WHERE account_id = ?1 AND id = ?2",
        &params![account, id, at, address],
    )
}
