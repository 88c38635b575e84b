//! Appearance and texts of an account's invoices, as set by its owner.

use crate::{
    Context, Error, Fault, Reason, invoice_documents::Unmade, numbering::Pattern, people::settings,
};
use ledger::chain::Hash;
use sha2::{Digest, Sha256};
use store::{
    Tx, books,
    documents::{self as rows, Look},
};

pub use documents::logo::{Logo, LogoError};

/// Input for the invoice settings. Empty fields use the program's defaults.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UpdateInvoiceSettings {
    /// Default number of days between invoice date and due date.
    pub payment_term_days: i64,
    /// Pattern for invoice numbers.
    pub number_pattern: Pattern,
    /// Pattern for quote numbers; `None` leaves it as it is.
    pub quote_number_pattern: Option<Pattern>,
    /// Accent colour, such as `#115e59`.
    pub accent: Option<String>,
    /// Side of the envelope on which the address window is: `left`, `right` or `none`.
    pub window: Option<String>,
    /// Text above the lines of Dutch documents.
    pub opening_nl: Option<String>,
    /// Text above the lines of English documents.
    pub opening_en: Option<String>,
    /// Text at the end of Dutch documents.
    pub closing_nl: Option<String>,
    /// Text at the end of English documents.
    pub closing_en: Option<String>,
    /// Whether to remove the logo.
    pub without_logo: bool,
}

/// Returns the current appearance of documents.
///
/// # Errors
/// The account has been closed.
pub fn read(tx: &mut Tx<'_>, cx: &Context) -> Result<Look, Error> {
    Ok(books::terms(tx, cx.actor.account)?.ok_or(Error::NotFound("account"))?.look)
}

/// Returns the current logo, a PNG or JPEG file.
///
/// # Errors
/// There is no logo, or the account has been closed.
pub fn logo(tx: &mut Tx<'_>, cx: &Context) -> Result<Vec<u8>, Error> {
    let hash = read(tx, cx)?.logo.ok_or(Error::NotFound("logo"))?;
    rows::logo(tx, cx.actor.account, &hash)?.ok_or(Error::NotFound("logo"))
}

/// Changes the terms of invoices and the appearance of documents. Sent documents stay as they are.
/// A validated `picture` becomes the logo.
///
/// # Errors
/// The picture cannot be a logo, the account has been closed, or the storage failed.
pub fn update(
    tx: &mut Tx<'_>,
    cx: &Context,
    (command, picture): (&UpdateInvoiceSettings, Option<&Result<Logo, LogoError>>),
) -> Result<(), Error> {
    // The locks ensure that a concurrently sent document shows either the old or the new settings,
    // not a mixture.
    if !store::people::lock_owner(tx, cx.actor.account)? || !books::lock(tx, cx.actor.account)? {
        return Err(Error::NotFound("account"));
    }
    settings::set_terms(
        tx,
        &cx.env,
        cx.actor.account,
        (command.payment_term_days, &command.number_pattern),
    )?;
    let before = read(tx, cx)?;
    let logo = match picture {
        Some(Ok(logo)) => Some(keep_logo(tx, cx, logo)?),
        Some(Err(error)) => return Err(Error::Invalid(vec![Fault::new("/logo", reason(*error))])),
        None => before.logo.filter(|_| !command.without_logo),
    };
    let look = Look {
        accent: command.accent.clone(),
        window: command.window.clone(),
        opening_nl: command.opening_nl.clone(),
        opening_en: command.opening_en.clone(),
        closing_nl: command.closing_nl.clone(),
        closing_en: command.closing_en.clone(),
        logo,
        quote_pattern: command
            .quote_number_pattern
            .as_ref()
            .map(|pattern| pattern.as_str().to_owned())
            .or(before.quote_pattern),
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

/// Returns a sample invoice with the submitted settings.
///
/// # Errors
/// The account has been closed, or the storage failed.
pub fn preview(
    tx: &mut Tx<'_>,
    cx: &Context,
    command: &UpdateInvoiceSettings,
) -> Result<Unmade, Error> {
    let mut terms = books::terms(tx, cx.actor.account)?.ok_or(Error::NotFound("account"))?;
    terms.look = Look {
        accent: command.accent.clone(),
        window: command.window.clone(),
        opening_nl: command.opening_nl.clone(),
        opening_en: command.opening_en.clone(),
        closing_nl: command.closing_nl.clone(),
        closing_en: command.closing_en.clone(),
        logo: terms.look.logo.filter(|_| !command.without_logo),
        quote_pattern: terms.look.quote_pattern,
    };
    crate::invoice_documents::sample(tx, cx.actor.account, &terms, cx.today())
}
