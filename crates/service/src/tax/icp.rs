//! The ICP declaration of a quarter: what went to businesses in other member states.

use crate::{Actor, Error, invoices};
use documents::icp::{self, Item};
pub use documents::icp::{Declaration, Row};
use ledger::{
    calendar::Quarter,
    identifiers::VatNumber,
    money::Cents,
    vat::{Supply, VatBox, VatCategory},
};
use store::{Tx, invoices as rows, journal};

/// The declaration of a quarter as the books stand, drafts among it as on the return.
///
/// # Errors
/// The account is not Dutch, or the storage failed.
pub fn declaration(tx: &mut Tx<'_>, actor: &Actor, quarter: Quarter) -> Result<Declaration, Error> {
    actor.require_dutch()?;
    let mut items = Vec::new();
    for id in rows::with_category(tx, actor.account, VatCategory::IntraCommunity, quarter)? {
        let details = invoices::read(tx, actor, id)?;
        let number = details.invoice.customer.vat_number.as_deref().and_then(|text| VatNumber::parse(text).ok());
        for (line, amount) in details.lines.iter().filter(|(line, _)| line.vat_category == VatCategory::IntraCommunity) {
            let supply = match line.supply {
                Supply::Goods => icp::Supply::Goods,
                Supply::Services => icp::Supply::Services,
                Supply::Triangular => icp::Supply::Triangular,
            };
            items.push(Item { document: details.invoice.number.clone(), vat_number: number.clone(), supply, amount: *amount });
        }
    }
    let totals = journal::vat_totals_of(tx, actor.account, quarter)?;
    let box_3b: Cents = totals.iter().filter(|total| total.vat_box == VatBox::B3b).map(|total| total.credit - total.debit).sum();
    Ok(icp::declare(&items, box_3b))
}
