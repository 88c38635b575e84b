//! ICP declaration (EC sales list) of a period: supplies to businesses in other member states.

use crate::{Context, Error, vat_checks, vat_filings};
pub use documents::icp::{Declaration, Row, list};
use ledger::vat_period::VatPeriod;
use store::Tx;

/// Returns the declaration of a period from the current books, including drafts, as on the VAT
/// return.
///
/// # Errors
/// The storage failed.
pub fn declaration(tx: &mut Tx<'_>, cx: &Context, period: VatPeriod) -> Result<Declaration, Error> {
    let details = vat_filings::read_any(tx, cx, period)?;
    vat_checks::ec_sales_list(tx, cx, &details)
}
