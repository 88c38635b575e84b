//! Data for the checks before a VAT return is filed: drafts, supplies to other member states,
//! corrections.

use crate::{
    StoreError, Tx,
    journal::{DUE, box_text},
    params,
};
use ledger::{
    chart::{AccountCode, codes},
    entry::SourceType,
    money::Cents,
    vat::{Supply, VatBox},
    vat_period::VatPeriod,
};

/// A draft whose VAT is due in the period.
#[derive(Debug, Clone)]
pub struct DueDraft {
    /// The invoice.
    pub id: i64,
    /// Invoice number.
    pub number: String,
    /// Name of the customer.
    pub customer: String,
    /// VAT on the draft.
    pub vat: Cents,
}

/// Drafts whose VAT is due in a period, at most `limit`.
pub fn due_drafts(
    tx: &mut Tx<'_>,
    account: i64,
    period: VatPeriod,
    limit: i64,
) -> Result<Vec<DueDraft>, StoreError> {
    tx.query(
        "SELECT id, number, customer_name, vat_total FROM invoices
         WHERE account_id = ?1 AND status <> 'sent' AND status = 'draft' AND vat_date BETWEEN ?2 AND ?3 ORDER BY id LIMIT ?4",
        &params![account, period.first_day(), period.last_day(), limit],
        |row| Ok(DueDraft { id: row.int(0)?, number: row.text(1)?, customer: row.text(2)?, vat: Cents::new(row.int(3)?) }),
    )
}

/// Amount of a document in box 3b of a return.
#[derive(Debug, Clone)]
pub struct EuSupply {
    /// Invoice or credit note; `None` for an entry of another kind.
    pub document: Option<EuDocument>,
    /// Ledger account of the amount.
    pub account: AccountCode,
    /// Amount excluding VAT; negative on a credit note.
    pub amount: Cents,
}

/// A document with a supply to another member state.
#[derive(Debug, Clone)]
pub struct EuDocument {
    /// Id of the document.
    pub id: i64,
    /// Number of the document.
    pub number: String,
    /// Name of the customer.
    pub customer: String,
    /// Customer's VAT number on the document.
    pub vat_number: Option<String>,
}

/// Amounts that make up box 3b of a period's return, by document and ledger account.
pub fn eu_supplies(
    tx: &mut Tx<'_>,
    account: i64,
    period: VatPeriod,
) -> Result<Vec<EuSupply>, StoreError> {
    let sql = format!(
        "SELECT s.account_code, s.amount, i.id, i.number, i.customer_name, i.customer_vat_number
         FROM (SELECT e.source_type, e.source_id, p.account_code, CAST(SUM(p.credit - p.debit) AS BIGINT) AS amount
               FROM ({DUE}) k CROSS JOIN entries e CROSS JOIN postings p
               WHERE e.account_id = ?1 AND e.id = k.id AND p.account_id = ?1 AND p.entry_id = k.id AND p.vat_box = ?4
               GROUP BY e.source_type, e.source_id, p.account_code) s
         LEFT JOIN invoices i ON i.account_id = ?1 AND i.id = s.source_id AND s.source_type IN (?5, ?6)
         WHERE s.amount <> 0 ORDER BY i.id, s.account_code"
    );
    tx.query(
        &sql,
        &params![
            account,
            period.first_day(),
            period.last_day(),
            box_text(Some(VatBox::B3b)),
            SourceType::Invoice.as_str(),
            SourceType::CreditNote.as_str(),
        ],
        |row| {
            let code: u16 = row.narrow(0)?;
            let unknown = || StoreError::Unreadable(format!("account {code} is not in the chart"));
            let document = match row.opt_int(2)? {
                Some(id) => Some(EuDocument {
                    id,
                    number: row.text(3)?,
                    customer: row.text(4)?,
                    vat_number: row.opt_text(5)?,
                }),
                None => None,
            };
            Ok(EuSupply {
                document,
                account: AccountCode::new(code).ok_or_else(unknown)?,
                amount: Cents::new(row.int(1)?),
            })
        },
    )
}

/// Supplies to other member states in the lines of an invoice or credit note: the amount per kind
/// of supply.
pub fn eu_lines(
    tx: &mut Tx<'_>,
    account: i64,
    invoice: i64,
) -> Result<Vec<(Supply, Cents)>, StoreError> {
    tx.query(
        "SELECT supply, CAST(SUM(amount) AS BIGINT) FROM invoice_items
         WHERE account_id = ?1 AND invoice_id = ?2 AND vat_category = 'intraCommunity' GROUP BY supply ORDER BY supply",
        &params![account, invoice],
        |row| Ok((row.parsed(0, Supply::parse)?, Cents::new(row.int(1)?))),
    )
}

/// VAT on account 1785 from corrections of a period: positive if more is due, negative if less.
/// Undone corrections cancel out.
pub fn corrected_vat(
    tx: &mut Tx<'_>,
    account: i64,
    period: VatPeriod,
) -> Result<Cents, StoreError> {
    let sum = tx.query_one(
        "SELECT CAST(SUM(p.credit - p.debit) AS BIGINT) FROM entries e JOIN postings p ON p.account_id = ?1 AND p.entry_id = e.id
         WHERE e.account_id = ?1 AND e.corrects_period = ?2 AND p.account_code = ?3
         AND NOT EXISTS (SELECT 1 FROM postings b WHERE b.account_id = ?1 AND b.entry_id = e.id AND b.vat_box <> '')",
        &params![account, period.to_string(), i64::from(codes::VAT_CORRECTIONS.get())],
        |row| row.opt_int(0),
    )?;
    Ok(Cents::new(sum.unwrap_or(0)))
}

/// Ids of the entries that correct a period or carry the VAT of such a correction, oldest first.
pub fn corrections(
    tx: &mut Tx<'_>,
    account: i64,
    period: VatPeriod,
) -> Result<Vec<i64>, StoreError> {
    tx.query(
        "SELECT id FROM entries WHERE account_id = ?1 AND corrects_period = ?2 ORDER BY id",
        &params![account, period.to_string()],
        |row| row.int(0),
    )
}

/// Replaces the id of an entry with that of its new booking in all documents that refer to it.
pub fn rebooked(tx: &mut Tx<'_>, account: i64, entry: i64, by: i64) -> Result<(), StoreError> {
    let naming = [
        ("expenses", "entry_id"),
        ("expense_payments", "entry_id"),
        ("payments", "entry_id"),
        ("payments", "undoing_entry_id"),
        ("payouts", "entry_id"),
        ("payouts", "undoing_entry_id"),
        ("write_offs", "entry_id"),
        ("write_offs", "undoing_entry_id"),
    ];
    for (table, column) in naming {
        let sql =
            format!("UPDATE {table} SET {column} = ?3 WHERE account_id = ?1 AND {column} = ?2");
        tx.execute(&sql, &params![account, entry, by])?;
    }
    Ok(())
}
