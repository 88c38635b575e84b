//! Items that were open at the start of the books: invoices and expenses created by an opening
//! balance, with the details that only the opening balance has.

use crate::{
    StoreError, Tx,
    engine::record::{self, Record, columns_by_name, record},
    param::Param,
    params,
    tx::id_list,
};
use jiff::civil::Date;

/// Kind of an open item.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum OpenItemKind {
    /// Invoice that the customer has not paid yet.
    Receivable,
    /// Bill that the business has not paid yet.
    Payable,
}

impl OpenItemKind {
    /// Name in the API and in the database.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Receivable => "receivable",
            Self::Payable => "payable",
        }
    }

    /// Parses the name of a kind.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        [Self::Receivable, Self::Payable].into_iter().find(|kind| kind.as_str() == text)
    }
}

/// Stored open item; all other details are in its invoice or expense.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenItem {
    /// Id of the opening balance.
    pub event_id: i64,
    /// Line number in the opening balance, from 1.
    pub line: i64,
    /// Kind of the item.
    pub kind: OpenItemKind,
    /// Id of the invoice if the item is a receivable, or of the expense if it is a payable.
    pub document_id: i64,
    /// Number of the document.
    pub number: String,
    /// Due date.
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

/// Items of the given opening balances, ordered by opening balance and line.
pub fn of(tx: &mut Tx<'_>, account: i64, events: &[i64]) -> Result<Vec<OpenItem>, StoreError> {
    let (places, ids) = id_list(events, 2);
    let mut values: Vec<Param<'_>> = params![account].into();
    values.extend(ids.into_iter().map(Param::Int));
    let columns = OpenItem::COLUMNS;
    let sql = format!(
        "SELECT {columns} FROM opening_items WHERE account_id = ?1 AND event_id IN ({places}) ORDER BY event_id, line"
    );
    tx.query(&sql, &values, OpenItem::read)
}

/// Open item of an invoice or expense.
pub fn by_document(
    tx: &mut Tx<'_>,
    account: i64,
    kind: OpenItemKind,
    document: i64,
) -> Result<Option<OpenItem>, StoreError> {
    let columns = OpenItem::COLUMNS;
    let sql = format!(
        "SELECT {columns} FROM opening_items WHERE account_id = ?1 AND kind = ?2 AND document_id = ?3"
    );
    tx.query_opt(&sql, &params![account, kind.as_str(), document], OpenItem::read)
}

/// Invoices and expenses marked as open at the start of the books. Used by the verification of the
/// books.
pub fn documents(tx: &mut Tx<'_>, account: i64) -> Result<Vec<(OpenItemKind, i64)>, StoreError> {
    let sql = "SELECT 'receivable', id FROM invoices WHERE account_id = ?1 AND source = 'opening'
               UNION ALL SELECT 'payable', id FROM expenses WHERE account_id = ?1 AND source = 'opening'";
    tx.query(sql, &params![account], record::read)
}

/// All items, ordered by opening balance and line. Used by the verification of the books.
pub fn all(tx: &mut Tx<'_>, account: i64) -> Result<Vec<OpenItem>, StoreError> {
    let sql = format!(
        "SELECT {} FROM opening_items WHERE account_id = ?1 ORDER BY event_id, line",
        OpenItem::COLUMNS
    );
    tx.query(&sql, &params![account], OpenItem::read)
}
