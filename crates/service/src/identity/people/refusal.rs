//! Why a person cannot do something just now.

use thiserror::Error;

/// Why a person cannot do something just now.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum Refusal {
    /// The link was used, has expired, or never was.
    #[error("link_spent")]
    LinkSpent,
    /// The address that the account was opened with is not confirmed.
    #[error("email_unconfirmed")]
    EmailUnconfirmed,
    /// The password was changed between being compared and being used.
    #[error("password_changed")]
    PasswordChanged,
    /// The session ended meanwhile.
    #[error("signed_out")]
    SignedOut,
    /// The code of the second factor is wrong, or was used before.
    #[error("wrong_code")]
    WrongCode,
    /// There is a second factor already.
    #[error("second_factor_on")]
    SecondFactorOn,
    /// There is no second factor.
    #[error("second_factor_off")]
    SecondFactorOff,
    /// The server has no key to encrypt a second factor with, or another one than it was encrypted with.
    #[error("no_encryption_key")]
    NoEncryptionKey,
}
