//! Reason why a person's request is refused.

use thiserror::Error;

/// Reason why a person's request is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum Refusal {
    /// The link was used, has expired, or never existed.
    #[error("link_spent")]
    LinkSpent,
    /// The address of the account is not confirmed.
    #[error("email_unconfirmed")]
    EmailUnconfirmed,
    /// The password has been changed since it was verified.
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
    /// No second factor is set up.
    #[error("second_factor_off")]
    SecondFactorOff,
    /// The server has no encryption key for second factors, or this person's second factor was
    /// encrypted with another key.
    #[error("no_encryption_key")]
    NoEncryptionKey,
}
