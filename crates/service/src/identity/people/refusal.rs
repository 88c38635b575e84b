//! Reason why a person's request cannot be carried out now.

use thiserror::Error;

/// Reason why a person's request cannot be carried out now.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum Refusal {
    /// The link was used, has expired, or never existed.
    #[error("link_spent")]
    LinkSpent,
    /// The address of the account is not confirmed.
    #[error("email_unconfirmed")]
    EmailUnconfirmed,
    /// The password was changed after it was verified.
    #[error("password_changed")]
    PasswordChanged,
    /// The session has ended.
    #[error("signed_out")]
    SignedOut,
    /// The code of the second factor is wrong, or was used before.
    #[error("wrong_code")]
    WrongCode,
    /// A second factor is already set up.
    #[error("second_factor_on")]
    SecondFactorOn,
    /// There is no second factor.
    #[error("second_factor_off")]
    SecondFactorOff,
    /// The server has no encryption key for second factors, or not the one that this one was
    /// encrypted with.
    #[error("no_encryption_key")]
    NoEncryptionKey,
}
