//! Ledger accounts of the turnover and the VAT of a sale.

use crate::{
    chart::{AccountCode, codes},
    invoice::VatGroup,
    vat::{Supply, VatBox, VatCategory},
};

/// Returns the account for the turnover of a sale.
pub(crate) fn revenue_account(group: &VatGroup) -> AccountCode {
    match (group.category, group.vat_box) {
        (VatCategory::Standard, Some(VatBox::B1a)) => codes::REVENUE_HIGH,
        (VatCategory::Standard, Some(VatBox::B1b)) => codes::REVENUE_LOW,
        (VatCategory::Standard, _) => codes::REVENUE_OTHER_RATE,
        (VatCategory::Zero, _) => codes::REVENUE_ZERO,
        (VatCategory::Exempt | VatCategory::ExemptCounted | VatCategory::SmallBusiness, _) => {
            codes::REVENUE_EXEMPT
        }
        (VatCategory::ReverseCharge, _) => codes::REVENUE_REVERSE_CHARGED,
        (VatCategory::IntraCommunity | VatCategory::SmallBusinessEu, _) => match group.supply {
            Some(Supply::Goods | Supply::Triangular) => codes::REVENUE_EU_GOODS,
            Some(Supply::Services | Supply::Electronic) | None => codes::REVENUE_EU,
        },
        (VatCategory::Export, _) => codes::REVENUE_EXPORT,
        (VatCategory::ServiceOutsideEu, _) => codes::REVENUE_SERVICES_OUTSIDE_EU,
        (VatCategory::OutOfScope, _) => codes::REVENUE_OUT_OF_SCOPE,
        (VatCategory::Oss, _) => codes::REVENUE_OSS,
    }
}

/// Returns the account for the VAT of a sale: that of the box, or under the Union scheme the account
/// of VAT owed to other member states.
pub(crate) fn vat_account_of(group: &VatGroup) -> AccountCode {
    if group.category == VatCategory::Oss {
        codes::VAT_OF_OTHER_COUNTRIES
    } else {
        vat_due_account(group.vat_box)
    }
}

/// Returns the account that accumulates VAT on sales until it is filed.
pub(crate) fn vat_due_account(vat_box: Option<VatBox>) -> AccountCode {
    match vat_box {
        Some(VatBox::B1a) => codes::VAT_DUE_HIGH,
        Some(VatBox::B1b) => codes::VAT_DUE_LOW,
        _ => codes::VAT_DUE_OTHER,
    }
}
