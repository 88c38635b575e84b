//! Test accounts: separate books in which an account owner tries out an integration.

use super::accounts::{self, Account};
use crate::{StoreError, Tx, books, params};
use jiff::{SignedDuration, Timestamp};

/// Tables that hold the credentials of programs. When a test account is reset, these credentials
/// move to the new account.
const WAYS_IN: [&str; 5] =
    ["api_keys", "oauth_grants", "oauth_codes", "oauth_access_tokens", "oauth_refresh_tokens"];

/// Columns that a new test account copies from its live account.
const SETTINGS: &str = "name, country, plan, payment_term_days, number_pattern, language, street, postal_code, city, \
                        kvk_number, vat_number, iban, bic, phone, website, default_supply, zero_means, majority_of_time, starter, vat_units, own_accounts, bank_accounts, reminder_plan";

/// Test account of a live account.
pub fn find(tx: &mut Tx<'_>, live: i64) -> Result<Option<Account>, StoreError> {
    let sql = format!(
        "SELECT {} FROM {} WHERE a.test_of = ?1 AND a.closed_at IS NULL",
        accounts::COLUMNS,
        accounts::FROM
    );
    tx.query_opt(&sql, &params![live], accounts::read)
}

/// Creates a test account with empty books and the settings of its live account; returns its id.
pub fn insert(tx: &mut Tx<'_>, live: &Account, now: Timestamp) -> Result<i64, StoreError> {
    let id = tx.query_one(
        &format!(
            "INSERT INTO accounts ({SETTINGS}, created_at, test_of, test_ahead) SELECT {SETTINGS}, ?2, id, 0
             FROM accounts WHERE id = ?1 RETURNING id"
        ),
        &params![live.id, now],
        |row| row.int(0),
    )?;
    tx.execute(
        "INSERT INTO memberships (account_id, person_id, role) VALUES (?1, ?2, 'owner')",
        &params![id, live.owner.id],
    )?;
    books::open(tx, id)?;
    Ok(id)
}

/// Sets how far the clock of a test account is ahead of the server's.
pub fn set_ahead(tx: &mut Tx<'_>, id: i64, ahead: SignedDuration) -> Result<(), StoreError> {
    let micros = i64::try_from(ahead.as_micros()).unwrap_or(i64::MAX);
    tx.execute(
        "UPDATE accounts SET test_ahead = ?2 WHERE id = ?1 AND test_of IS NOT NULL",
        &params![id, micros],
    )
}

/// Marks a test account as closed, so that another can be created. The credentials stay until
/// [`hand_over`], and the rows until [`close_account`](crate::closing::close_account) and erasure.
pub fn set_aside(tx: &mut Tx<'_>, id: i64, now: Timestamp) -> Result<(), StoreError> {
    tx.execute(
        "UPDATE accounts SET closed_at = ?2 WHERE id = ?1 AND test_of IS NOT NULL AND closed_at IS NULL",
        &params![id, now],
    )
}

/// Moves the credentials of one test account to another.
pub fn hand_over(tx: &mut Tx<'_>, from: i64, to: i64) -> Result<(), StoreError> {
    for table in WAYS_IN {
        tx.execute(
            &format!("UPDATE {table} SET account_id = ?2 WHERE account_id = ?1"),
            &params![from, to],
        )?;
    }
    // New key ids in the new books continue after the highest transferred id.
    tx.execute(
        "UPDATE books SET last_api_key = (SELECT COALESCE(MAX(k.id), 0) FROM api_keys k WHERE k.account_id = ?1) WHERE account_id = ?1",
        &params![to],
    )
}
