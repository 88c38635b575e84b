//! Single-use links sent by email, looked up by the hash of their secret.

use crate::{StoreError, Tx, params, person_id::PersonId, row::Row};
use jiff::Timestamp;
use ledger::country::CountryCode;

/// Action of a link.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    /// Confirms the email address with which the account was opened.
    Confirm,
    /// Sets a new password.
    Reset,
    /// Confirms a new email address of an account.
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

/// Recipient of a link.
#[derive(Debug, Clone)]
pub struct Sent {
    /// The person.
    pub person: PersonId,
    /// Email address to which the link was sent.
    pub email: String,
    /// Details that take effect when the link is used, if they differ from those of the person and
    /// the account.
    pub details: Option<Details>,
}

/// Details submitted by a later sign-up with an address that was still unconfirmed.
#[derive(Debug, Clone)]
pub struct Details {
    /// Argon2id hash of the password, as a PHC string.
    pub password_hash: String,
    /// The person's or company's name.
    pub name: String,
    /// Country in which the person or company is established.
    pub country: CountryCode,
    /// Language of the sign-up page: `nl` or `en`.
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

/// Recipient of a link, if the link is still valid.
pub fn find(
    tx: &mut Tx<'_>,
    hash: &[u8; 32],
    purpose: Purpose,
    now: Timestamp,
) -> Result<Option<Sent>, StoreError> {
    tx.query_opt(
        &format!(
            "SELECT {SENT} FROM mail_tokens WHERE hash = ?1 AND purpose = ?2 AND expires_at > ?3"
        ),
        &params![hash, purpose.as_str(), now],
        read,
    )
}

/// Consumes a link and returns its recipient, if the link is still valid.
pub fn take(
    tx: &mut Tx<'_>,
    hash: &[u8; 32],
    purpose: Purpose,
    now: Timestamp,
) -> Result<Option<Sent>, StoreError> {
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

/// Number of unused links for this purpose created for a person after `after`. Excludes links that
/// carry [`Details`] from a later sign-up, because anyone can cause such links to be sent.
pub fn made_since(
    tx: &mut Tx<'_>,
    person: PersonId,
    purpose: Purpose,
    after: Timestamp,
) -> Result<i64, StoreError> {
    tx.query_one(
        "SELECT COUNT(*) FROM mail_tokens WHERE person_id = ?1 AND purpose = ?2 AND created_at > ?3 AND password_hash IS NULL",
        &params![person, purpose.as_str(), after],
        |row| row.int(0),
    )
}

/// Removes the links of a person for a purpose.
pub fn remove(tx: &mut Tx<'_>, person: PersonId, purpose: Purpose) -> Result<(), StoreError> {
    tx.execute(
        "DELETE FROM mail_tokens WHERE person_id = ?1 AND purpose = ?2",
        &params![person, purpose.as_str()],
    )
}

/// Removes all links of a person.
pub fn remove_all(tx: &mut Tx<'_>, person: PersonId) -> Result<(), StoreError> {
    tx.execute("DELETE FROM mail_tokens WHERE person_id = ?1", &params![person])
}

/// Removes at most `limit` expired links and returns their number.
pub fn sweep(tx: &mut Tx<'_>, now: Timestamp, limit: i64) -> Result<i64, StoreError> {
    let gone = tx.query(
        "DELETE FROM mail_tokens WHERE hash IN (SELECT hash FROM mail_tokens WHERE expires_at <= ?1 LIMIT ?2) RETURNING person_id",
        &params![now, limit],
        |row| row.int(0),
    )?;
    Ok(gone.len() as i64)
}
