//! Unfinished forms: what a person typed and no command has received yet.

use crate::{StoreError, Tx, params, person_id::PersonId, row::Row};
use jiff::Timestamp;

/// Unfinished form to store.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unfinished {
    /// UUID that the page drew.
    pub id: String,
    /// Kind of the form.
    pub form: String,
    /// Path and query of the page with the form.
    pub path: String,
    /// Number of the save in its window, from 1.
    pub rev: i64,
    /// Fields as a browser sends them; empty once a command received the form.
    pub fields: String,
    /// Subject of the work, such as the customer's name; may be empty.
    pub label: String,
}

/// Unfinished form in a list, without its fields.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Summary {
    /// UUID of the form.
    pub id: String,
    /// Kind of the form.
    pub form: String,
    /// Path and query of the page with the form.
    pub path: String,
    /// Subject of the work, such as the customer's name; may be empty.
    pub label: String,
    /// Time of the last save.
    pub saved_at: Timestamp,
}

/// Person in an account.
pub type Whose = (i64, PersonId);

fn summary(row: &Row<'_>) -> Result<Summary, StoreError> {
    Ok(Summary {
        id: row.text(0)?,
        form: row.text(1)?,
        path: row.text(2)?,
        label: row.text(3)?,
        saved_at: row.time(4)?,
    })
}

/// Form with this UUID, with the time at which it ended, if it did.
///
/// # Errors
/// The storage failed.
pub fn find(
    tx: &mut Tx<'_>,
    (account, person): Whose,
    id: &str,
) -> Result<Option<(Unfinished, Option<Timestamp>)>, StoreError> {
    tx.query_opt(
        "SELECT id, form, path, rev, fields, label, ended_at FROM unfinished_forms
         WHERE account_id = ?1 AND person_id = ?2 AND id = ?3",
        &params![account, person, id],
        |row| {
            let stored = Unfinished {
                id: row.text(0)?,
                form: row.text(1)?,
                path: row.text(2)?,
                rev: row.int(3)?,
                fields: row.text(4)?,
                label: row.text(5)?,
            };
            Ok((stored, row.opt_time(6)?))
        },
    )
}

/// Stores a form, in place of its earlier state.
///
/// # Errors
/// The storage failed.
pub fn put(
    tx: &mut Tx<'_>,
    (account, person): Whose,
    form: &Unfinished,
    now: Timestamp,
) -> Result<(), StoreError> {
    let Unfinished { id, form, path, rev, fields, label } = form;
    tx.execute(
        "INSERT INTO unfinished_forms
           (account_id, person_id, id, form, path, rev, fields, label, saved_at)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)
         ON CONFLICT (account_id, person_id, id) DO UPDATE SET
           form = excluded.form, path = excluded.path, rev = excluded.rev,
           fields = excluded.fields, label = excluded.label, saved_at = excluded.saved_at",
        &params![account, person, id, form, path, *rev, fields, label, now],
    )
}

/// Records that a command received the form, stored or not, and removes its content.
///
/// # Errors
/// The storage failed.
pub fn end(
    tx: &mut Tx<'_>,
    (account, person): Whose,
    id: &str,
    now: Timestamp,
) -> Result<(), StoreError> {
    tx.execute(
        "INSERT INTO unfinished_forms
           (account_id, person_id, id, form, path, rev, fields, label, saved_at, ended_at)
         VALUES (?1, ?2, ?3, '', '', 0, '', '', ?4, ?4)
         ON CONFLICT (account_id, person_id, id) DO UPDATE SET
           path = '', fields = '', label = '', ended_at = excluded.ended_at",
        &params![account, person, id, now],
    )
}

/// Records that the form was discarded; returns whether it was unfinished until now.
///
/// # Errors
/// The storage failed.
pub fn discard(
    tx: &mut Tx<'_>,
    (account, person): Whose,
    id: &str,
    now: Timestamp,
) -> Result<bool, StoreError> {
    let discarded = tx.query_opt(
        "UPDATE unfinished_forms SET ended_at = ?4
         WHERE account_id = ?1 AND person_id = ?2 AND id = ?3 AND ended_at IS NULL RETURNING id",
        &params![account, person, id, now],
        |row| row.text(0),
    )?;
    Ok(discarded.is_some())
}

/// Takes back that the form was discarded, if that was after `since`; returns whether it was.
///
/// # Errors
/// The storage failed.
pub fn restore(
    tx: &mut Tx<'_>,
    (account, person): Whose,
    id: &str,
    since: Timestamp,
) -> Result<bool, StoreError> {
    let restored = tx.query_opt(
        "UPDATE unfinished_forms SET ended_at = NULL
         WHERE account_id = ?1 AND person_id = ?2 AND id = ?3 AND ended_at > ?4 AND fields <> ''
         RETURNING id",
        &params![account, person, id, since],
        |row| row.text(0),
    )?;
    Ok(restored.is_some())
}

/// Unfinished forms of a person saved after `since`, the latest first.
///
/// # Errors
/// The storage failed.
pub fn list(
    tx: &mut Tx<'_>,
    (account, person): Whose,
    since: Timestamp,
) -> Result<Vec<Summary>, StoreError> {
    tx.query(
        "SELECT id, form, path, label, saved_at FROM unfinished_forms
         WHERE account_id = ?1 AND person_id = ?2 AND ended_at IS NULL AND saved_at > ?3
         ORDER BY saved_at DESC, id",
        &params![account, person, since],
        summary,
    )
}

/// Forms that the person discarded after `since`, the latest first.
///
/// # Errors
/// The storage failed.
pub fn discarded(
    tx: &mut Tx<'_>,
    (account, person): Whose,
    since: Timestamp,
) -> Result<Vec<Summary>, StoreError> {
    tx.query(
        "SELECT id, form, path, label, saved_at FROM unfinished_forms
         WHERE account_id = ?1 AND person_id = ?2 AND ended_at > ?3 AND fields <> ''
         ORDER BY ended_at DESC, id",
        &params![account, person, since],
        summary,
    )
}

/// Removes the oldest forms of a person: of the unfinished and of the discarded ones, `most` each
/// remain.
///
/// # Errors
/// The storage failed.
pub fn keep_latest(tx: &mut Tx<'_>, (account, person): Whose, most: i64) -> Result<(), StoreError> {
    tx.execute(
        "DELETE FROM unfinished_forms
         WHERE account_id = ?1 AND person_id = ?2 AND ended_at IS NULL AND id NOT IN
           (SELECT id FROM unfinished_forms
            WHERE account_id = ?1 AND person_id = ?2 AND ended_at IS NULL
            ORDER BY saved_at DESC, id LIMIT ?3)",
        &params![account, person, most],
    )?;
    tx.execute(
        "DELETE FROM unfinished_forms
         WHERE account_id = ?1 AND person_id = ?2 AND fields <> '' AND ended_at IS NOT NULL
           AND id NOT IN
           (SELECT id FROM unfinished_forms
            WHERE account_id = ?1 AND person_id = ?2 AND fields <> '' AND ended_at IS NOT NULL
            ORDER BY ended_at DESC, id LIMIT ?3)",
        &params![account, person, most],
    )
}

/// Removes at most `limit` forms that were saved at or before `saved`, or ended at or before
/// `ended`; returns the number removed.
///
/// # Errors
/// The storage failed.
pub fn sweep(
    tx: &mut Tx<'_>,
    (saved, ended): (Timestamp, Timestamp),
    limit: i64,
) -> Result<i64, StoreError> {
    let gone = tx.query(
        "DELETE FROM unfinished_forms WHERE (account_id, person_id, id) IN
           (SELECT account_id, person_id, id FROM unfinished_forms
            WHERE saved_at <= ?1 OR ended_at <= ?2 LIMIT ?3)
         RETURNING account_id",
        &params![saved, ended, limit],
        |row| row.int(0),
    )?;
    Ok(i64::try_from(gone.len()).unwrap_or(i64::MAX))
}
