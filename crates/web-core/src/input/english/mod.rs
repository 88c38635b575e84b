//! The English of the API and of the command line, made from values with types: what is below `web` has names and figures, and no sentences
//! for people. Pages have texts of their own (the crate `i18n`).

#[cfg(any(test, feature = "examples"))]
pub mod examples;
mod faults;
mod oauth;
mod operating;
mod refusals;
#[cfg(test)]
mod tests;
mod warnings;

pub use faults::message;
pub use oauth::{redirect_uri, request_fault, token_refusal};
pub use operating::{database_url, mail, storage};
pub(crate) use refusals::{not_expressible, person};
pub use warnings::{expense_warning, glyphs_missing, invoice_warning, ubl_not_possible};
