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
use ledger::{money::Cents, vat::VatRate};

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

/// VAT of an open invoice at one rate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OpeningVat {
    /// Rate.
    pub rate: VatRate,
    /// Amount excluding VAT.
    pub base: Cents,
    /// VAT.
    pub amount: Cents,
}

/// Formats the VAT of an invoice by rate as the text of one column.
#[must_use]
pub fn vat_text(lines: &[OpeningVat]) -> String {
    let text = |line: &OpeningVat| {
        let (rate, base, amount) = (line.rate.basis_points(), line.base, line.amount);
        format!("{rate} {} {}", base.get(), amount.get())
    };
    lines.iter().map(text).collect::<Vec<_>>().join("\n")
}

fn read_vat(line: &str) -> Option<OpeningVat> {
    let mut numbers = line.split(' ');
    let rate = VatRate::from_basis_points(numbers.next()?.parse().ok()?);
    let mut amount = || Some(Cents::new(numbers.next()?.parse().ok()?));
    let (base, vat) = (amount()?, amount()?);
    numbers.next().is_none().then_some(OpeningVat { rate, base, amount: vat })
}

/// Stored open item, without the data that its invoice or expense contains.
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
    /// Total of the invoice including VAT, if it is known to differ from the open amount.
    pub total: Option<Cents>,
    /// Day of supply.
    pub supply_date: Option<Date>,
    /// VAT of the whole invoice, formatted by [`vat_text`]; empty if it is unknown.
    pub vat: String,
}

impl OpenItem {
    /// Returns the VAT of the whole invoice by rate; empty if it is unknown.
    #[must_use]
    pub fn vat_lines(&self) -> Vec<OpeningVat> {
        self.vat.lines().filter_map(read_vat).collect()
    }
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
        "total": total,
        "supply_date": supply_date,
        "vat": vat,
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
