//! What the form of the e-invoice can carry, and what a receiver may stumble over.

use super::{code, party::endpoint};
use crate::invoice::{Invoice, Version};
use std::fmt;
use thiserror::Error;

/// Why an invoice cannot be an e-invoice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum Cause {
    /// It was not sent.
    #[error("draft")]
    Draft,
    /// What is out of scope of Dutch VAT stands beside what is not (BR-O-11 to BR-O-14).
    #[error("mixes_out_of_scope")]
    MixesOutOfScope,
    /// The seller's address is not complete (NL-R-002).
    #[error("seller_address_missing")]
    SellerAddressMissing,
    /// The seller's number in the business register is missing (NL-R-003).
    #[error("seller_kvk_missing")]
    SellerKvkMissing,
    /// The seller's VAT number is missing (BR-S-02 and its like).
    #[error("seller_vat_number_missing")]
    SellerVatNumberMissing,
    /// The buyer's VAT number is missing where the VAT is theirs (BR-AE-02, BR-IC-02).
    #[error("buyer_vat_number_missing")]
    BuyerVatNumberMissing,
}

/// All the causes for which an invoice cannot be an e-invoice.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub struct NotExpressible(pub Vec<Cause>);

impl fmt::Display for NotExpressible {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let causes: Vec<String> = self.0.iter().map(ToString::to_string).collect();
        f.write_str(&causes.join(", "))
    }
}

/// What only the receiver of an e-invoice would see. The invoice can be sent all the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Warning {
    /// No reference of the buyer: governments and larger companies refuse an invoice without the one they gave.
    ReferenceMissing,
    /// Nothing tells where the buyer receives e-invoices: no KvK number and no VAT number (PEPPOL-EN16931-R010).
    BuyerEndpointMissing,
    /// The address of a Dutch buyer is not complete (NL-R-004); it belongs on every invoice (art. 35a(1)(e) Wet OB 1968).
    BuyerAddressMissing,
}

/// What a receiver of the e-invoice may stumble over.
#[must_use]
pub fn warnings(invoice: &Invoice) -> Vec<Warning> {
    let blank = |text: &Option<String>| text.as_deref().is_none_or(|text| text.trim().is_empty());
    let found = [
        (blank(&invoice.reference), Warning::ReferenceMissing),
        (endpoint(&invoice.buyer).is_none(), Warning::BuyerEndpointMissing),
        (invoice.buyer.address.country.is_dutch() && invoice.buyer.address.complete().is_none(), Warning::BuyerAddressMissing),
    ];
    found.into_iter().filter_map(|(is_so, warning)| is_so.then_some(warning)).collect()
}

/// Whether the form can carry the invoice.
pub(super) fn expressible(invoice: &Invoice) -> Result<(), NotExpressible> {
    let codes: Vec<&str> = invoice.treatments().into_iter().map(code).collect();
    let has = |wanted: &str| codes.contains(&wanted);
    let buyer = &invoice.buyer;
    // BR-AE-02 takes the register number too; BR-IC-02 takes nothing but the VAT number.
    let reverse_charged_to_nobody = has("AE") && buyer.vat_number.is_none() && buyer.kvk_number.is_none();
    let delivered_to_nobody = has("K") && buyer.vat_number.is_none();
    let found = [
        (invoice.version == Version::Draft, Cause::Draft),
        (has("O") && codes.iter().any(|code| *code != "O"), Cause::MixesOutOfScope),
        (invoice.seller.address.complete().is_none(), Cause::SellerAddressMissing),
        (invoice.seller.kvk_number.is_none(), Cause::SellerKvkMissing),
        (!has("O") && invoice.seller.vat_number.is_none(), Cause::SellerVatNumberMissing),
        (reverse_charged_to_nobody || delivered_to_nobody, Cause::BuyerVatNumberMissing),
    ];
    let causes: Vec<Cause> = found.into_iter().filter_map(|(is_so, cause)| is_so.then_some(cause)).collect();
    if causes.is_empty() { Ok(()) } else { Err(NotExpressible(causes)) }
}
