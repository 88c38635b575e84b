//! People: credentials and settings.

pub use crate::person_id::PersonId;
use crate::{
    StoreError, Tx,
    accounts::{self, Account},
    mail_tokens::Details,
    params,
    row::Row,
};
use jiff::Timestamp;
use ledger::country::CountryCode;

/// An account with its owner's credentials.
#[derive(Debug, Clone)]
pub struct Credentials {
    /// The account.
    pub account: Account,
    /// Argon2id hash as a PHC string; `None` if sign-in with a password is impossible.
    pub password_hash: Option<String>,
}

/// Owner's settings: details of the business, and preferences.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settings {
    /// The person's or company's name.
    pub name: String,
    /// Street and house number.
    pub street: Option<String>,
    /// Postal code.
    pub postal_code: Option<String>,
    /// Town.
    pub city: Option<String>,
    /// Country in which the person or company is established.
    pub country: CountryCode,
    /// Number in the Dutch Business Register, without separators.
    pub kvk_number: Option<String>,
    /// VAT identification number, without separators.
    pub vat_number: Option<String>,
    /// IBAN of the bank account that customers pay to, without separators.
    pub iban: Option<String>,
    /// BIC of its bank.
    pub bic: Option<String>,
    /// Telephone number.
    pub phone: Option<String>,
    /// Website.
    pub website: Option<String>,
    /// Days between invoice date and due date, unless an invoice specifies another term.
    pub payment_term_days: i64,
    /// Pattern of invoice numbers.
    pub number_pattern: String,
    /// Preferred language of the owner: `nl` or `en`.
    pub language: Option<String>,
}

fn read_credentials(row: &Row<'_>) -> Result<Credentials, StoreError> {
    Ok(Credentials { account: accounts::read(row)?, password_hash: row.opt_text(accounts::WIDTH)? })
}

/// Account and password hash of the owner with this email address (lower case).
pub fn by_email(tx: &mut Tx<'_>, email: &str) -> Result<Option<Credentials>, StoreError> {
    let sql = format!(
        "SELECT {}, p.password_hash FROM {} WHERE p.email = ?1 AND a.test_of IS NULL AND a.closed_at IS NULL",
        accounts::COLUMNS,
        accounts::FROM
    );
    tx.query_opt(&sql, &params![email], read_credentials)
}

/// Account and password hash of a person.
pub fn by_id(tx: &mut Tx<'_>, person: PersonId) -> Result<Option<Credentials>, StoreError> {
    let sql = format!(
        "SELECT {}, p.password_hash FROM {} WHERE p.id = ?1 AND a.test_of IS NULL AND a.closed_at IS NULL",
        accounts::COLUMNS,
        accounts::FROM
    );
    tx.query_opt(&sql, &params![person], read_credentials)
}

/// Locks a person's credentials until the end of the transaction, so that changes are made one
/// after another. Returns whether the person exists and has not closed their account.
pub fn lock(tx: &mut Tx<'_>, person: PersonId) -> Result<bool, StoreError> {
    let sql = "SELECT id FROM people WHERE id = ?1 AND closed_at IS NULL";
    Ok(tx.query_opt_for_update(sql, &params![person], |row| row.int(0))?.is_some())
}

/// Like [`lock`], for the owner of an account; returns whether the account is open.
pub fn lock_owner(tx: &mut Tx<'_>, account: i64) -> Result<bool, StoreError> {
    let Some(owner) = owner(tx, account)? else { return Ok(false) };
    Ok(lock(tx, owner)? && accounts::is_open(tx, account)?)
}

/// Sets a new password.
pub fn set_password(tx: &mut Tx<'_>, person: PersonId, hash: &str) -> Result<(), StoreError> {
    tx.execute(
        "UPDATE people SET password_hash = ?2 WHERE id = ?1 AND closed_at IS NULL",
        &params![person, hash],
    )
}

/// Stores a new hash of the same password, unless the password has changed in the meantime.
pub fn rehash(tx: &mut Tx<'_>, person: PersonId, old: &str, new: &str) -> Result<(), StoreError> {
    tx.execute(
        "UPDATE people SET password_hash = ?3 WHERE id = ?1 AND password_hash = ?2",
        &params![person, old, new],
    )
}

/// Records that the email address is confirmed, unless it already was.
pub fn confirm_email(tx: &mut Tx<'_>, person: PersonId, now: Timestamp) -> Result<(), StoreError> {
    tx.execute(
        "UPDATE people SET email_confirmed_at = ?2 WHERE id = ?1 AND email_confirmed_at IS NULL",
        &params![person, now],
    )
}

/// Overwrites the details of an unconfirmed account and its owner with those of a later sign-up
/// with the same address.
pub fn set_details(
    tx: &mut Tx<'_>,
    account: &Account,
    details: &Details,
) -> Result<(), StoreError> {
    let Details { password_hash, name, country, language } = details;
    let unconfirmed = tx.query_opt(
        "UPDATE people SET password_hash = ?2, language = ?3
         WHERE id = ?1 AND email_confirmed_at IS NULL AND closed_at IS NULL RETURNING id",
        &params![account.owner.id, password_hash, language],
        |row| row.int(0),
    )?;
    if unconfirmed.is_none() {
        return Ok(());
    }
    tx.execute(
        "UPDATE accounts SET name = ?2, country = ?3, language = ?4 WHERE id = ?1",
        &params![account.id, name, country.as_str(), language],
    )
}

/// Sets a new, confirmed email address.
pub fn set_email(
    tx: &mut Tx<'_>,
    person: PersonId,
    email: &str,
    now: Timestamp,
) -> Result<(), StoreError> {
    tx.execute(
        "UPDATE people SET email = ?2, email_confirmed_at = ?3 WHERE id = ?1",
        &params![person, email, now],
    )
}

/// Stores the owner's settings.
pub fn save_settings(
    tx: &mut Tx<'_>,
    account: &Account,
    settings: &Settings,
) -> Result<(), StoreError> {
    tx.execute(
        "UPDATE people SET language = ?2 WHERE id = ?1",
        &params![account.owner.id, &settings.language],
    )?;
    tx.execute(
        "UPDATE accounts SET name = ?2, street = ?3, postal_code = ?4, city = ?5, kvk_number = ?6, vat_number = ?7, iban = ?8,
         payment_term_days = ?9, number_pattern = ?10, language = ?11, country = ?12,
         bic = ?13, phone = ?14, website = ?15 WHERE id = ?1 AND closed_at IS NULL",
        &params![
            account.id,
            &settings.name,
            &settings.street,
            &settings.postal_code,
            &settings.city,
            &settings.kvk_number,
            &settings.vat_number,
            &settings.iban,
            settings.payment_term_days,
            &settings.number_pattern,
            &settings.language,
            settings.country.as_str(),
            &settings.bic,
            &settings.phone,
            &settings.website,
        ],
    )
}

/// Encrypted seed of the second factor, if the person has one.
pub fn seed(tx: &mut Tx<'_>, person: PersonId) -> Result<Option<String>, StoreError> {
    let seed = tx.query_opt(
        "SELECT totp_seed FROM people WHERE id = ?1 AND closed_at IS NULL",
        &params![person],
        |row| row.opt_text(0),
    )?;
    Ok(seed.flatten())
}

/// Encrypted seeds of all second factors, with their owners.
pub fn seeds(tx: &mut Tx<'_>) -> Result<Vec<(PersonId, String)>, StoreError> {
    let sql = "SELECT id, totp_seed FROM people WHERE totp_seed IS NOT NULL AND closed_at IS NULL";
    tx.query(sql, &params![], |row| Ok((PersonId(row.int(0)?), row.text(1)?)))
}

/// Stores the encrypted seed of the second factor and the last used time step, or removes both.
pub fn set_seed(
    tx: &mut Tx<'_>,
    person: PersonId,
    seed: Option<(&str, i64)>,
) -> Result<(), StoreError> {
    let (seed, step) = seed.unzip();
    tx.execute(
        "UPDATE people SET totp_seed = ?2, totp_last_step = ?3 WHERE id = ?1",
        &params![person, seed, step],
    )
}

/// Consumes a time step; returns false if this step or a later one has been used before.
pub fn take_step(tx: &mut Tx<'_>, person: PersonId, step: i64) -> Result<bool, StoreError> {
    let taken = tx.query_opt(
        "UPDATE people SET totp_last_step = ?2
         WHERE id = ?1 AND closed_at IS NULL AND (totp_last_step IS NULL OR totp_last_step < ?2) RETURNING id",
        &params![person, step],
        |row| row.int(0),
    )?;
    Ok(taken.is_some())
}

/// Replaces the recovery codes.
pub fn replace_recovery_codes(
    tx: &mut Tx<'_>,
    person: PersonId,
    hashes: &[[u8; 32]],
) -> Result<(), StoreError> {
    tx.execute("DELETE FROM recovery_codes WHERE person_id = ?1", &params![person])?;
    let mut values = Vec::with_capacity(hashes.len() * 2);
    for hash in hashes {
        values.extend(params![person, hash]);
    }
    tx.insert_rows("INSERT INTO recovery_codes (person_id, hash)", 2, &values, "")
}

/// Consumes a recovery code; returns whether it existed.
pub fn take_recovery_code(
    tx: &mut Tx<'_>,
    person: PersonId,
    hash: &[u8; 32],
) -> Result<bool, StoreError> {
    let taken = tx.query_opt(
        "DELETE FROM recovery_codes WHERE person_id = ?1 AND hash = ?2 RETURNING person_id",
        &params![person, hash],
        |row| row.int(0),
    )?;
    Ok(taken.is_some())
}

/// Number of unused recovery codes.
pub fn remaining_recovery_codes(tx: &mut Tx<'_>, person: PersonId) -> Result<i64, StoreError> {
    tx.query_one(
        "SELECT COUNT(*) FROM recovery_codes WHERE person_id = ?1",
        &params![person],
        |row| row.int(0),
    )
}

/// At most `limit` people created at or before `moment` whose email address is not confirmed and
/// who have never had an API key or a journal entry and have no valid link.
pub fn unconfirmed_until(
    tx: &mut Tx<'_>,
    moment: Timestamp,
    now: Timestamp,
    limit: i64,
) -> Result<Vec<PersonId>, StoreError> {
    tx.query(
        "SELECT p.id FROM people p JOIN memberships m ON m.person_id = p.id JOIN books b ON b.account_id = m.account_id
         WHERE p.email_confirmed_at IS NULL AND p.closed_at IS NULL AND p.created_at <= ?1 AND b.last_api_key = 0 AND b.last_entry = 0
         AND NOT EXISTS (SELECT 1 FROM mail_tokens t WHERE t.person_id = p.id AND t.expires_at > ?2)
         ORDER BY p.created_at LIMIT ?3",
        &params![moment, now, limit],
        |row| Ok(PersonId(row.int(0)?)),
    )
}

/// Owner of an account.
pub fn owner(tx: &mut Tx<'_>, account: i64) -> Result<Option<PersonId>, StoreError> {
    tx.query_opt(
        "SELECT person_id FROM memberships WHERE account_id = ?1 AND role = 'owner'",
        &params![account],
        |row| Ok(PersonId(row.int(0)?)),
    )
}

/// Id of an arbitrary person, if one exists.
pub fn any(tx: &mut Tx<'_>) -> Result<Option<PersonId>, StoreError> {
    tx.query_opt("SELECT id FROM people LIMIT 1", &[], |row| Ok(PersonId(row.int(0)?)))
}
