//! English texts of refusals, without an initial capital or a full stop.

use service::{invoice_documents::Cause, people::Refusal};

/// Returns the text for a refused sign-in, link or second factor.
pub(crate) fn person(refusal: Refusal) -> &'static str {
    match refusal {
        Refusal::LinkSpent => {
            "this link does not work any more: it was used before, or is too old; ask for a new one"
        }
        Refusal::EmailUnconfirmed => {
            "confirm your e-mail address first; the link to do so is in your mailbox"
        }
        Refusal::PasswordChanged => "the password was changed meanwhile; sign in again",
        Refusal::SignedOut => "you are signed out; sign in again",
        Refusal::WrongCode => "this code is not right, or was used before; wait for the next one",
        Refusal::SecondFactorOn => "a second factor is set up already",
        Refusal::SecondFactorOff => "no second factor is set up",
        Refusal::NoEncryptionKey => {
            "the second factor is not available: the operator must give the server its secret file"
        }
    }
}

/// Returns the steps that make an invoice expressible as an e-invoice.
pub(crate) fn not_expressible(causes: &[Cause]) -> String {
    let causes: Vec<&str> = causes.iter().copied().map(cause).collect();
    causes.join("; ")
}

fn cause(cause: Cause) -> &'static str {
    match cause {
        Cause::Draft => "send the invoice first: a draft is no e-invoice",
        Cause::MixesOutOfScope => {
            "split the invoice in two: lines with and without Dutch VAT cannot stand on one e-invoice"
        }
        Cause::SellerAddressMissing => "complete your own address (street, postal code and city)",
        Cause::SellerKvkMissing => "add your own KvK number",
        Cause::SellerVatNumberMissing => "add your own VAT number (btw-id)",
        Cause::BuyerVatNumberMissing => {
            "add the customer's VAT number: the VAT is reverse-charged or the supply intra-Community"
        }
    }
}
