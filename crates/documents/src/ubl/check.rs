//! Checks whether the e-invoice format can express an invoice, and determines which specification
//! its file claims to follow.

use super::{code, party::endpoint};
use crate::invoice::{Invoice, VatTreatment, Version};
use std::fmt;
use thiserror::Error;

/// Reason why an invoice cannot be an e-invoice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum Cause {
    /// The invoice has not been sent, or the document is a quote.
    #[error("draft")]
    Draft,
    /// Lines outside the scope of Dutch VAT are mixed with other lines (BR-O-11 to BR-O-14).
    #[error("mixes_out_of_scope")]
    MixesOutOfScope,
    /// The seller's address is incomplete (NL-R-002).
    #[error("seller_address_missing")]
    SellerAddressMissing,
    /// The seller's number in the business register is missing (NL-R-003).
    #[error("seller_kvk_missing")]
    SellerKvkMissing,
    /// The seller's VAT number is missing (BR-S-02 and similar rules).
    #[error("seller_vat_number_missing")]
    SellerVatNumberMissing,
    /// The buyer's VAT number is missing although the buyer owes the VAT (BR-AE-02, BR-IC-02).
    #[error("buyer_vat_number_missing")]
    BuyerVatNumberMissing,
}

/// All reasons why an invoice cannot be an e-invoice.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub struct NotExpressible(pub Vec<Cause>);

impl fmt::Display for NotExpressible {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let causes: Vec<String> = self.0.iter().map(ToString::to_string).collect();
        f.write_str(&causes.join(", "))
    }
}

/// Specification that an e-invoice claims to follow (BT-24). Every file follows EN 16931. A file
/// names Peppol only if Peppol accepts the file, because receivers validate by the named
/// specification.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Profile {
    /// EN 16931 alone.
    En16931,
    /// Peppol BIS Billing 3.0.
    PeppolBis,
}

impl Profile {
    /// Returns the profile of an expressible invoice. Peppol requires the buyer's electronic
    /// address (PEPPOL-EN16931-R010), a reference or an order number of the buyer
    /// (PEPPOL-EN16931-R003), and the complete address of a Dutch buyer (NL-R-004). Every invoice
    /// without a [`Cause`] meets Peppol's other rules.
    #[must_use]
    pub fn of(invoice: &Invoice) -> Self {
        let buyer = &invoice.buyer;
        let has_address = !buyer.address.country.is_dutch() || buyer.address.complete().is_some();
        let has_reference = buyer_reference(invoice).is_some() || order_number(invoice).is_some();
        let is_accepted = endpoint(buyer).is_some() && has_address && has_reference;
        if is_accepted { Self::PeppolBis } else { Self::En16931 }
    }
}

/// Returns the buyer reference (BT-10): the one given for it, else the other reference of the buyer,
/// else the contact person.
pub(super) fn buyer_reference(invoice: &Invoice) -> Option<&str> {
    let given = [&invoice.buyer_reference, &invoice.reference, &invoice.buyer.contact_person];
    given.into_iter().flatten().map(|text| text.trim()).find(|text| !text.is_empty())
}

/// Returns the order number of the buyer (BT-13).
pub(super) fn order_number(invoice: &Invoice) -> Option<&str> {
    invoice.order_number.as_deref().map(str::trim).filter(|text| !text.is_empty())
}

/// Presence of the party data that determines whether an invoice can be an e-invoice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Identified {
    /// Street, postal code and town.
    pub address: bool,
    /// Number in the business register.
    pub kvk_number: bool,
    /// VAT number.
    pub vat_number: bool,
}

/// Returns the reasons why a sent invoice with these treatments could not be an e-invoice.
///
/// ```
/// use documents::{
///     invoice::VatTreatment,
///     ubl::{Cause, Identified, causes},
/// };
///
/// let seller = Identified { address: true, kvk_number: true, vat_number: true };
/// let buyer = Identified { address: true, kvk_number: false, vat_number: false };
/// let found = causes(&[VatTreatment::EuGoods], seller, buyer);
/// assert_eq!(found, [Cause::BuyerVatNumberMissing]);
/// ```
#[must_use]
pub fn causes(treatments: &[VatTreatment], seller: Identified, buyer: Identified) -> Vec<Cause> {
    let codes: Vec<&str> = treatments.iter().map(|treatment| code(*treatment)).collect();
    let has = |wanted: &str| codes.contains(&wanted);
    // BR-AE-02 also accepts the register number; BR-IC-02 accepts only the VAT number.
    let reverse_charged_to_nobody = has("AE") && !buyer.vat_number && !buyer.kvk_number;
    let delivered_to_nobody = has("K") && !buyer.vat_number;
    let found = [
        (has("O") && codes.iter().any(|code| *code != "O"), Cause::MixesOutOfScope),
        (!seller.address, Cause::SellerAddressMissing),
        (!seller.kvk_number, Cause::SellerKvkMissing),
        (!has("O") && !seller.vat_number, Cause::SellerVatNumberMissing),
        (reverse_charged_to_nobody || delivered_to_nobody, Cause::BuyerVatNumberMissing),
    ];
    found.into_iter().filter_map(|(is_so, cause)| is_so.then_some(cause)).collect()
}

/// Rejects an invoice that the format cannot express, with all causes.
pub(super) fn expressible(invoice: &Invoice) -> Result<(), NotExpressible> {
    let (seller, buyer) = (&invoice.seller, &invoice.buyer);
    let of_seller = Identified {
        address: seller.address.complete().is_some(),
        kvk_number: seller.kvk_number.is_some(),
        vat_number: seller.vat_number.is_some(),
    };
    let of_buyer = Identified {
        address: buyer.address.complete().is_some(),
        kvk_number: buyer.kvk_number.is_some(),
        vat_number: buyer.vat_number.is_some(),
    };
    // A quote is not an invoice yet, like a draft.
    let draft = (invoice.version == Version::Draft || invoice.is_quote()).then_some(Cause::Draft);
    let causes: Vec<Cause> =
        draft.into_iter().chain(causes(&invoice.treatments(), of_seller, of_buyer)).collect();
    if causes.is_empty() { Ok(()) } else { Err(NotExpressible(causes)) }
}
