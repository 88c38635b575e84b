//! Prepayment invoices and the amounts set off against later invoices.

use crate::{
    StoreError, Tx,
    engine::record::{Record, Table},
    invoices::Invoice,
    oss::optional_country,
    params,
};
use ledger::{
    invoice::GroupKey,
    money::Cents,
    vat::{Supply, VatCategory, VatRate},
};

/// Amounts of a prepayment invoice that have been set off on other documents, excluding VAT, by
/// rate, category, supply and tax country. Set-offs are negative; a credit note that releases a set-off adds a
/// positive amount. Lines of the document `besides` are ignored.
///
/// # Errors
/// The storage failed.
pub fn set_off(
    tx: &mut Tx<'_>,
    account: i64,
    prepayment: i64,
    besides: i64,
) -> Result<Vec<(GroupKey, Cents)>, StoreError> {
    let sql = "SELECT i.vat_basis_points, i.vat_category, i.supply, CAST(SUM(i.amount) AS BIGINT), COALESCE(i.tax_country, '') FROM invoice_items i
               JOIN invoices n ON n.account_id = ?1 AND n.id = i.invoice_id
               WHERE i.account_id = ?1 AND i.sets_off = ?2 AND i.invoice_id <> ?3 AND n.status <> 'cancelled'
               GROUP BY i.vat_basis_points, i.vat_category, i.supply, i.tax_country";
    tx.query(sql, &params![account, prepayment, besides], |row| {
        let category = row.parsed(1, VatCategory::parse)?;
        let supply = category.distinguished(row.parsed(2, Supply::parse)?);
        let tax_country = row.parsed(4, optional_country)?.filter(|_| category == VatCategory::Oss);
        let rate = VatRate::from_basis_points(row.narrow(0)?);
        let key = GroupKey { rate, category, supply, tax_country };
        Ok((key, Cents::new(row.int(3)?)))
    })
}

/// Sent prepayment invoices to a contact, oldest first.
///
/// # Errors
/// The storage failed.
pub fn of_contact(tx: &mut Tx<'_>, account: i64, contact: i64) -> Result<Vec<Invoice>, StoreError> {
    let sql = Invoice::select(
        "account_id = ?1 AND contact_id = ?2 AND prepayment = 1 AND kind = 'invoice' AND status = 'sent'
         ORDER BY id",
    );
    tx.query(&sql, &params![account, contact], Invoice::read)
}
