//! Links that were sent by mail: found by their hash, and gone when they are used.

use crate::{StoreError, Tx, params, person_id::PersonId, row::Row};
use jiff::Timestamp;
use ledger::country::CountryCode;

/// What following a link does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    /// Confirms the address that an account was opened with.
    Confirm,
    /// Sets another password.
    Reset,
    /// Confirms the address that an account is to have from then on.
    ChangeEmail,
}

impl Purpose {
    fn as_str(self) -> &'static str {
        match self {
            Self::Confirm => "confirm",
            Self::Reset => "reset",
            Self::ChangeEmail => "change_email",
        }
    }
}

/// Whom a link was sent to.
#[derive(Debug, Clone)]
pub struct Sent {
    /// The person.
    pub person: PersonId,
    /// The address.
    pub email: String,
    /// What the link confirms, where that is not what the person and the account have.
    pub details: Option<Details>,
}

/// What somebody gave who signed up with an address that was waiting for confirmation already.
#[derive(Debug, Clone)]
pub struct Details {
    /// A PHC string of argon2id.
    pub password_hash: String,
    /// Their name, or their company's.
    pub name: String,
    /// Where they are established.
    pub country: CountryCode,
    /// The language of the page that they signed up on: `nl` or `en`.
    pub language: Option<String>,
}

const SENT: &str = "person_id, email, password_hash, name, country, language";

fn read(row: &Row<'_>) -> Result<Sent, StoreError> {
    let details = match row.opt_text(2)? {
        Some(password_hash) => Some(Details {
            password_hash,
            name: row.text(3)?,
            country: row.parsed(4, |text| CountryCode::parse(text).ok())?,
            language: row.opt_text(5)?,
        }),
        None => None,
    };
    Ok(Sent { person: PersonId(row.int(0)?), email: row.text(1)?, details })
}

/// Stores a new link.
pub fn insert(
    tx: &mut Tx<'_>,
    hash: &[u8; 32],
    purpose: Purpose,
    sent: &Sent,
    created_at: Timestamp,
    expires_at: Timestamp,
) -> Result<(), StoreError> {
    let details = sent.details.as_ref();
    tx.execute(
        &format!("INSERT INTO mail_tokens (hash, purpose, created_at, expires_at, {SENT}) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)"),
        &params![
            hash,
            purpose.as_str(),
            created_at,
            expires_at,
            sent.person,
            &sent.email,
            details.map(|it| it.password_hash.as_str()),
            details.map(|it| it.name.as_str()),
            details.map(|it| it.country.as_str()),
            details.and_then(|it| it.language.as_deref()),
        ],
    )
}

/// Whom the link was sent to, if it can still be used.
pub fn find(tx: &mut Tx<'_>, hash: &[u8; 32], purpose: Purpose, now: Timestamp) -> Result<Option<Sent>, StoreError> {
    tx.query_opt(
        &format!("SELECT {SENT} FROM mail_tokens WHERE hash = ?1 AND purpose = ?2 AND expires_at > ?3"),
        &params![hash, purpose.as_str(), now],
        read,
    )
}

/// Uses a link up, if it still can be.
pub fn take(tx: &mut Tx<'_>, hash: &[u8; 32], purpose: Purpose, now: Timestamp) -> Result<Option<Sent>, StoreError> {
    tx.query_opt(
        &format!("DELETE FROM mail_tokens WHERE hash = ?1 AND purpose = ?2 AND expires_at > ?3 RETURNING {SENT}"),
        &params![hash, purpose.as_str(), now],
        read,
    )
}

/// Removes a link.
pub fn forget(tx: &mut Tx<'_>, hash: &[u8; 32]) -> Result<(), StoreError> {
    tx.execute("DELETE FROM mail_tokens WHERE hash = ?1", &params![hash])
}

/// How many links for this purpose were made for a person after a moment and are not used; without those that confirm details of
/// their own, which anybody can have sent.
pub fn made_since(tx: &mut Tx<'_>, person: PersonId, purpose: Purpose, after: Timestamp) -> Result<i64, StoreError> {
    tx.query_one(
        "SELECT COUNT(*) FROM mail_tokens WHERE person_id = ?1 AND purpose = ?2 AND created_at > ?3 AND password_hash IS NULL",
        &params![person, purpose.as_str(), after],
        |row| row.int(0),
    )
}

/// Removes the links of a person for this purpose.
pub fn remove(tx: &mut Tx<'_>, person: PersonId, purpose: Purpose) -> Result<(), StoreError> {
    tx.execute("DELETE FROM mail_tokens WHERE person_id = ?1 AND purpose = ?2", &params![person, purpose.as_str()])
}

/// Removes all links of a person.
pub fn remove_all(tx: &mut Tx<'_>, person: PersonId) -> Result<(), StoreError> {
    tx.execute("DELETE FROM mail_tokens WHERE person_id = ?1", &params![person])
}

/// Removes links that expired, `limit` at the most; tells how many.
pub fn sweep(tx: &mut Tx<'_>, now: Timestamp, limit: i64) -> Result<i64, StoreError> {
    let gone = tx.query(
        "DELETE FROM mail_tokens WHERE hash IN (SELECT hash FROM mail_tokens WHERE expires_at <= ?1 LIMIT ?2) RETURNING person_id",
        &params![now, limit],
        |row| row.int(0),
    )?;
    Ok(gone.len() as i64)
}
