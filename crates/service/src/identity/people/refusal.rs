//! Why a person cannot do something just now.

use thiserror::Error;

/// Why a person cannot do something just now.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum Refusal {
    /// The link was used, has expired, or never was.
    #[error("this link does not work any more: it was used before, or is too old; ask for a new one")]
    LinkSpent,
    /// The address that the account was opened with is not confirmed.
    #[error("confirm your e-mail address first; the link to do so is in your mailbox")]
    EmailUnconfirmed,
    /// The password was changed between being compared and being used.
    #[error("the password was changed meanwhile; sign in again")]
    PasswordChanged,
    /// The session ended meanwhile.
    #[error("you are signed out; sign in again")]
    SignedOut,
    /// The code of the second factor is wrong, or was used before.
    #[error("this code is not right, or was used before; wait for the next one")]
    WrongCode,
    /// There is a second factor already.
    #[error("a second factor is set up already")]
    SecondFactorOn,
    /// There is no second factor.
    #[error("no second factor is set up")]
    SecondFactorOff,
    /// The server has no key to encrypt a second factor with, or another one than it was encrypted with.
    #[error("the second factor is not available: the operator must give the server its secret file")]
    NoEncryptionKey,
}
