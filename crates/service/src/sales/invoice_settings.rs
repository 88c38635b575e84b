//! How an account's invoices look and what they say by its owner's choice.

use crate::{Context, Error, Fault, Reason, invoice_documents::Unmade, numbering::Pattern, people::settings};
use ledger::chain::Hash;
use sha2::{Digest, Sha256};
use store::{
    Tx, books,
    documents::{self as rows, Look},
};

pub use documents::logo::{Logo, LogoError};

/// What the owner chooses; what is empty is as the program has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UpdateInvoiceSettings {
    /// Days between invoice date and due date unless an invoice says otherwise.
    pub payment_term_days: i64,
    /// How invoice numbers look.
    pub number_pattern: Pattern,
    /// `#115e59`.
    pub accent: Option<String>,
    /// The side of the envelope's window: `left`, `right` or `none`.
    pub window: Option<String>,
    /// Above the lines.
    pub opening: Option<String>,
    /// At the end.
    pub closing: Option<String>,
    /// Takes the logo away.
    pub without_logo: bool,
}

/// How documents look now.
///
/// # Errors
/// The account was closed meanwhile.
pub fn read(tx: &mut Tx<'_>, cx: &Context) -> Result<Look, Error> {
    Ok(books::terms(tx, cx.actor.account)?.ok_or(Error::NotFound("account"))?.look)
}

/// The picture that is the logo now, a PNG or a JPEG.
///
/// # Errors
/// There is none, or the account was closed meanwhile.
pub fn logo(tx: &mut Tx<'_>, cx: &Context) -> Result<Vec<u8>, Error> {
    let hash = read(tx, cx)?.logo.ok_or(Error::NotFound("logo"))?;
    rows::logo(tx, cx.actor.account, &hash)?.ok_or(Error::NotFound("logo"))
}

/// Changes the terms of invoices and how documents look; those that were sent stay as they are. With a picture that was read, that becomes the
/// logo.
///
/// # Errors
/// The picture cannot be a logo, the account was closed meanwhile, or the storage failed.
pub fn update(
    tx: &mut Tx<'_>,
    cx: &Context,
    (command, picture): (&UpdateInvoiceSettings, Option<&Result<Logo, LogoError>>),
) -> Result<(), Error> {
    // Whoever sends a document meanwhile shows the one or the other, and never half of each.
    if !store::people::lock_owner(tx, cx.actor.account)? || !books::lock(tx, cx.actor.account)? {
        return Err(Error::NotFound("account"));
    }
    settings::set_terms(tx, &cx.env, cx.actor.account, (command.payment_term_days, &command.number_pattern))?;
    let before = read(tx, cx)?;
    let logo = match picture {
        Some(Ok(logo)) => Some(keep_logo(tx, cx, logo)?),
        Some(Err(error)) => return Err(Error::Invalid(vec![Fault::new("/logo", reason(*error))])),
        None => before.logo.filter(|_| !command.without_logo),
    };
    let look = Look {
        accent: command.accent.clone(),
        window: command.window.clone(),
        opening: command.opening.clone(),
        closing: command.closing.clone(),
        logo,
    };
    Ok(rows::set_look(tx, cx.actor.account, &look)?)
}

fn keep_logo(tx: &mut Tx<'_>, cx: &Context, logo: &Logo) -> Result<Hash, Error> {
    let hash: Hash = Sha256::digest(logo.bytes()).into();
    rows::insert_logo(tx, cx.actor.account, &hash, logo.bytes())?;
    Ok(hash)
}

fn reason(error: LogoError) -> Reason {
    match error {
        LogoError::TooManyBytes => Reason::LogoTooLarge,
        LogoError::TooManyPixels => Reason::LogoTooManyPixels,
        LogoError::WrongFormat => Reason::LogoWrongFormat,
        LogoError::Damaged => Reason::LogoDamaged,
    }
}

/// An invoice that shows how it would look.
///
/// # Errors
/// The account was closed meanwhile, or the storage failed.
pub fn preview(tx: &mut Tx<'_>, cx: &Context, command: &UpdateInvoiceSettings) -> Result<Unmade, Error> {
    let mut terms = books::terms(tx, cx.actor.account)?.ok_or(Error::NotFound("account"))?;
    terms.look = Look {
        accent: command.accent.clone(),
        window: command.window.clone(),
        opening: command.opening.clone(),
        closing: command.closing.clone(),
        logo: terms.look.logo.filter(|_| !command.without_logo),
    };
    crate::invoice_documents::sample(tx, cx.actor.account, &terms, cx.today())
}
