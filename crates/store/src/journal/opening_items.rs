//! What was open when the books began: which invoices and expenses an opening balance made, and what only it tells of them.

use crate::{
    StoreError, Tx,
    engine::record::{self, Record, columns_by_name, record},
    param::Param,
    params,
    tx::id_list,
};
use jiff::civil::Date;

/// What an open item is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum OpenItemKind {
    /// An invoice that a customer still owes.
    Receivable,
    /// A bill that is still to be paid.
    Payable,
}

impl OpenItemKind {
    /// The name in the API and in the database.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Receivable => "receivable",
            Self::Payable => "payable",
        }
    }

    /// What has that name.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        [Self::Receivable, Self::Payable].into_iter().find(|kind| kind.as_str() == text)
    }
}

/// An item as it is stored; the rest is told by its invoice or expense.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenItem {
    /// The opening balance.
    pub event_id: i64,
    /// Its place in it, from 1.
    pub line: i64,
    /// What it is.
    pub kind: OpenItemKind,
    /// The invoice of a receivable, the expense of a payable.
    pub document_id: i64,
    /// The number of the document.
    pub number: String,
    /// When it should be paid.
    pub due_date: Date,
}

columns_by_name!(OpenItemKind);
record! {
    OpenItem {
        "event_id": event_id,
        "line": line,
        "kind": kind,
        "document_id": document_id,
        "number": number,
        "due_date": due_date,
    }
}

/// Stores the items of an opening balance.
pub fn insert(tx: &mut Tx<'_>, account: i64, items: &[OpenItem]) -> Result<(), StoreError> {
    record::insert(tx, "opening_items", OpenItem::COLUMNS, &record::rows(account, items))
}

/// The items of opening balances, each in its order.
pub fn of(tx: &mut Tx<'_>, account: i64, events: &[i64]) -> Result<Vec<OpenItem>, StoreError> {
    let (places, ids) = id_list(events, 2);
    let mut values: Vec<Param<'_>> = params![account].into();
    values.extend(ids.into_iter().map(Param::Int));
    let columns = OpenItem::COLUMNS;
    let sql =
        format!("SELECT {columns} FROM opening_items WHERE account_id = ?1 AND event_id IN ({places}) ORDER BY event_id, line");
    tx.query(&sql, &values, OpenItem::read)
}

/// The item that an invoice or expense is.
pub fn by_document(tx: &mut Tx<'_>, account: i64, kind: OpenItemKind, document: i64) -> Result<Option<OpenItem>, StoreError> {
    let columns = OpenItem::COLUMNS;
    let sql = format!("SELECT {columns} FROM opening_items WHERE account_id = ?1 AND kind = ?2 AND document_id = ?3");
    tx.query_opt(&sql, &params![account, kind.as_str(), document], OpenItem::read)
}

/// The invoices and expenses that say that they were open when the books began; for the verification of the books.
pub fn documents(tx: &mut Tx<'_>, account: i64) -> Result<Vec<(OpenItemKind, i64)>, StoreError> {
    let sql = "SELECT 'receivable', id FROM invoices WHERE account_id = ?1 AND source = 'opening'
               UNION ALL SELECT 'payable', id FROM expenses WHERE account_id = ?1 AND source = 'opening'";
    tx.query(sql, &params![account], record::read)
}

/// All items, by opening balance and place; for the verification of the books.
pub fn all(tx: &mut Tx<'_>, account: i64) -> Result<Vec<OpenItem>, StoreError> {
    let sql = format!("SELECT {} FROM opening_items WHERE account_id = ?1 ORDER BY event_id, line", OpenItem::COLUMNS);
    tx.query(&sql, &params![account], OpenItem::read)
}
