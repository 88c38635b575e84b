//! Corrections of the VAT on credit notes: differences between that VAT and the VAT computed from
//! the credit note's own amounts.

use crate::{StoreError, Tx, engine::record, oss::optional_country, params};
use ledger::{
    country::CountryCode,
    credit_note::VatCorrection,
    invoice::GroupKey,
    money::Cents,
    vat::{Supply, VatCategory, VatRate},
};

const COLUMNS: &str = "vat_basis_points, vat_category, supply, tax_country, difference";

/// Stores the corrections of a new credit note.
pub fn insert(
    tx: &mut Tx<'_>,
    account: i64,
    invoice: i64,
    corrections: &[VatCorrection],
) -> Result<(), StoreError> {
    let mut values = Vec::with_capacity(corrections.len() * 7);
    for VatCorrection { group, by } in corrections {
        let (basis_points, supply) =
            (i64::from(group.rate.basis_points()), group.supply.map_or("", Supply::as_str));
        values.extend(params![
            account,
            invoice,
            basis_points,
            group.category.as_str(),
            supply,
            group.tax_country.as_ref().map_or("", CountryCode::as_str),
            by.get()
        ]);
    }
    record::insert(tx, "vat_corrections", &format!("invoice_id, {COLUMNS}"), &values)
}

/// Corrections of a credit note.
pub fn of(tx: &mut Tx<'_>, account: i64, invoice: i64) -> Result<Vec<VatCorrection>, StoreError> {
    tx.query(
        &format!("SELECT {COLUMNS} FROM vat_corrections WHERE account_id = ?1 AND invoice_id = ?2 ORDER BY {COLUMNS}"),
        &params![account, invoice],
        |row| {
            let group = GroupKey {
                rate: VatRate::from_basis_points(row.narrow(0)?),
                category: row.parsed(1, VatCategory::parse)?,
                supply: row.parsed(2, |text| if text.is_empty() { Some(None) } else { Supply::parse(text).map(Some) })?,
                tax_country: row.parsed(3, optional_country)?,
            };
            Ok(VatCorrection { group, by: Cents::new(row.int(4)?) })
        },
    )
}
