//! Test accounts: books beside those of an account, where an integration is tried out.

use super::accounts::{self, Account};
use crate::{StoreError, Tx, books, params};
use jiff::{SignedDuration, Timestamp};

/// What lets programs in, and goes along when a test account is emptied.
const WAYS_IN: [&str; 5] = ["api_keys", "oauth_grants", "oauth_codes", "oauth_access_tokens", "oauth_refresh_tokens"];

/// The columns of an account that its test account begins with.
const SETTINGS: &str = "name, country, plan, vat_period, payment_term_days, number_pattern, language, street, postal_code, city, \
                        kvk_number, vat_number, iban, default_supply, zero_means, majority_of_time, starter";

/// The test account beside an account.
pub fn find(tx: &mut Tx<'_>, live: i64) -> Result<Option<Account>, StoreError> {
    let sql = format!("SELECT {} FROM {} WHERE a.test_of = ?1 AND a.closed_at IS NULL", accounts::COLUMNS, accounts::FROM);
    tx.query_opt(&sql, &params![live], accounts::read)
}

/// Makes a test account with empty books and the settings of the account that it is beside; gives its id.
pub fn insert(tx: &mut Tx<'_>, live: &Account, now: Timestamp) -> Result<i64, StoreError> {
    let id = tx.query_one(
        &format!(
            "INSERT INTO accounts ({SETTINGS}, created_at, test_of, test_ahead) SELECT {SETTINGS}, ?2, id, 0
             FROM accounts WHERE id = ?1 RETURNING id"
        ),
        &params![live.id, now],
        |row| row.int(0),
    )?;
    tx.execute("INSERT INTO memberships (account_id, person_id, role) VALUES (?1, ?2, 'owner')", &params![id, live.owner.id])?;
    books::open(tx, id)?;
    Ok(id)
}

/// Sets the clock of its books so far ahead of the server's.
pub fn set_ahead(tx: &mut Tx<'_>, id: i64, ahead: SignedDuration) -> Result<(), StoreError> {
    let micros = i64::try_from(ahead.as_micros()).unwrap_or(i64::MAX);
    tx.execute("UPDATE accounts SET test_ahead = ?2 WHERE id = ?1 AND test_of IS NOT NULL", &params![id, micros])
}

/// Closes a test account, so that there can be another; what speaks for it, and its rows, wait for [`hand_over`] and
/// [`close_account`](crate::closing::close_account).
pub fn set_aside(tx: &mut Tx<'_>, id: i64, now: Timestamp) -> Result<(), StoreError> {
    tx.execute(
        "UPDATE accounts SET closed_at = ?2 WHERE id = ?1 AND test_of IS NOT NULL AND closed_at IS NULL",
        &params![id, now],
    )
}

/// Lets what spoke for one test account speak for another from now on.
pub fn hand_over(tx: &mut Tx<'_>, from: i64, to: i64) -> Result<(), StoreError> {
    for table in WAYS_IN {
        tx.execute(&format!("UPDATE {table} SET account_id = ?2 WHERE account_id = ?1"), &params![from, to])?;
    }
    // Ids of keys go on where they were.
    tx.execute(
        "UPDATE books SET last_api_key = (SELECT COALESCE(MAX(k.id), 0) FROM api_keys k WHERE k.account_id = ?1) WHERE account_id = ?1",
        &params![to],
    )
}
