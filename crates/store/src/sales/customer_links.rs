//! Links to the pages of customers. A token contains its document and the number of the link, so
//! only a link that was opened, renewed or withdrawn has a row.

use crate::{
    StoreError, Tx,
    changes::{Event, ResourceKind},
    engine::record::{Record as _, read, record},
    param::Param,
    params,
    tx::id_list,
};
use jiff::Timestamp;
use std::collections::HashMap;

/// Kind of a document with a page for its customer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LinkedKind {
    /// A quote.
    Quote,
    /// An invoice or a credit note.
    Invoice,
}

impl LinkedKind {
    /// Table of the links, and its column with the id of the document.
    fn table(self) -> (&'static str, &'static str) {
        match self {
            Self::Quote => ("quote_links", "quote_id"),
            Self::Invoice => ("invoice_links", "invoice_id"),
        }
    }
}

/// State of the link of a document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LinkState {
    /// Number of the link among those of the document, from 1.
    pub number: i64,
    /// Time at which the owner withdrew the link.
    pub withdrawn_at: Option<Timestamp>,
    /// Time at which a visitor other than the owner first opened the page.
    pub opened_at: Option<Timestamp>,
    /// Time at which a visitor other than the owner last opened the page.
    pub last_opened_at: Option<Timestamp>,
    /// Number of these times.
    pub open_count: i64,
}

impl Default for LinkState {
    /// State of a link without a row.
    fn default() -> Self {
        Self { number: 1, withdrawn_at: None, opened_at: None, last_opened_at: None, open_count: 0 }
    }
}

record! {
    LinkState {
        "number": number,
        "withdrawn_at": withdrawn_at,
        "opened_at": opened_at,
        "last_opened_at": last_opened_at,
        "open_count": open_count,
    }
}

/// Links of documents that have a row, by document.
///
/// # Errors
/// The storage failed.
pub fn of(
    tx: &mut Tx<'_>,
    account: i64,
    kind: LinkedKind,
    documents: &[i64],
) -> Result<HashMap<i64, LinkState>, StoreError> {
    let (table, document) = kind.table();
    let (places, ids) = id_list(documents, 2);
    let mut values: Vec<Param<'_>> = params![account].into();
    values.extend(ids.into_iter().map(Param::Int));
    let sql = format!(
        "SELECT {}, {document} FROM {table} WHERE account_id = ?1 AND {document} IN ({places})",
        LinkState::COLUMNS
    );
    let links = tx.query(&sql, &values, read::<(LinkState, i64)>)?;
    Ok(links.into_iter().map(|(link, document)| (document, link)).collect())
}

/// Creation time of a document that was sent, and so has a page; `None` for others.
///
/// # Errors
/// The storage failed.
pub fn sent_document(
    tx: &mut Tx<'_>,
    account: i64,
    kind: LinkedKind,
    document: i64,
) -> Result<Option<Timestamp>, StoreError> {
    let sql = match kind {
        LinkedKind::Quote => {
            "SELECT created_at FROM quotes WHERE account_id = ?1 AND id = ?2 AND sent_at IS NOT NULL"
        }
        LinkedKind::Invoice => {
            "SELECT created_at FROM invoices
             WHERE account_id = ?1 AND id = ?2 AND status = 'sent' AND source <> 'opening'"
        }
    };
    tx.query_opt(sql, &params![account, document], |row| row.time(0))
}

/// Stores the link of a document, and reports a change of the document: the address of its page
/// changed.
///
/// # Errors
/// The storage failed.
pub fn put(
    tx: &mut Tx<'_>,
    account: i64,
    (kind, id): (LinkedKind, i64),
    link: &LinkState,
) -> Result<(), StoreError> {
    let (table, document) = kind.table();
    let sql = format!(
        "INSERT INTO {table} (account_id, {document}, {}) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
         ON CONFLICT (account_id, {document}) DO UPDATE SET number = excluded.number,
           withdrawn_at = excluded.withdrawn_at, opened_at = excluded.opened_at,
           last_opened_at = excluded.last_opened_at, open_count = excluded.open_count",
        LinkState::COLUMNS
    );
    let LinkState { number, withdrawn_at, opened_at, last_opened_at, open_count } = *link;
    tx.execute(
        &sql,
        &params![account, id, number, withdrawn_at, opened_at, last_opened_at, open_count],
    )?;
    let resource = match kind {
        LinkedKind::Quote => ResourceKind::Quote,
        LinkedKind::Invoice => ResourceKind::Invoice,
    };
    tx.record(resource, id, Event::Updated);
    Ok(())
}

/// Counts an opening of the page of a document.
///
/// # Errors
/// The storage failed.
pub fn opened(
    tx: &mut Tx<'_>,
    account: i64,
    (kind, id): (LinkedKind, i64),
    now: Timestamp,
) -> Result<(), StoreError> {
    let (table, document) = kind.table();
    let sql = format!(
        "INSERT INTO {table} (account_id, {document}, {}) VALUES (?1, ?2, 1, NULL, ?3, ?3, 1)
         ON CONFLICT (account_id, {document}) DO UPDATE SET
           opened_at = COALESCE({table}.opened_at, excluded.opened_at),
           last_opened_at = excluded.last_opened_at, open_count = {table}.open_count + 1",
        LinkState::COLUMNS
    );
    tx.execute(&sql, &params![account, id, now])
}
