//! English texts of the API and the command line, generated from typed values: lower layers provide
//! names and figures rather than sentences. Pages have their own texts (the crate `i18n`).

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
pub use warnings::{
    ANNUAL_RETURN_DOUBTFUL, CASH_ACCOUNTING_DOUBTFUL, NOT_LAST_PERIOD, bank_line_warning,
    batch_warning, closing_row, closing_warning, expense_warning, glyphs_missing, invoice_warning,
    kor_kind, kor_limit_near, oss_limit_near, ubl_not_possible,
};
