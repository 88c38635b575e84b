//! Sign-up: opens an account whose email address has to be confirmed.

use super::{
    Account, Credentials, Language, MailToken, Purpose, Refusal, credentials, events, hash,
    make_link, make_link_for, make_no_link,
};
use crate::{AccessError, EmailAddress, Environment, Error, accounts, numbering};
use ledger::country::CountryCode;
use store::{
    Tx,
    accounts::{self as account_rows, NewAccount, Plan},
    books, closing,
    mail_tokens::{self, Details},
    people as rows,
};

/// Input for the sign-up form.
#[derive(Debug, Clone)]
pub struct SignUp {
    /// Email address.
    pub email: EmailAddress,
    /// Hash of the password, which has already been validated.
    pub password_hash: String,
    /// Name of the person or company: a single line of 1 to [`accounts::NAME_CHARS`] characters.
    pub name: String,
    /// Country in which the person or company is established.
    pub country: CountryCode,
    /// Language of the sign-up page.
    pub language: Language,
}

/// Result of a sign-up. The response is the same in both cases, so that it does not reveal who has
/// an account; only the emails differ.
pub enum SignUpOutcome {
    /// The account awaits confirmation; send this link to its address.
    Mailed(MailToken),
    /// The address already has an account; notify its owner by email. Nothing else was changed.
    Taken(Account),
}

/// Opens an account whose owner cannot sign in until its address has been confirmed.
///
/// A further sign-up with an address that still awaits confirmation gets its own link, which
/// confirms the details of that sign-up. The first link that is used determines the details and
/// invalidates the other links. An attacker can therefore neither block an address for its owner,
/// nor set the password of an account that the owner confirms, nor invalidate the owner's link.
///
/// # Errors
/// An account with the address was opened concurrently, the storage failed, or the random number
/// generator failed.
pub fn sign_up(
    tx: &mut Tx<'_>,
    env: &Environment,
    input: &SignUp,
    plan: Plan,
) -> Result<SignUpOutcome, Error> {
    let (email, name) = (String::from(input.email.clone()), input.name.clone());
    if let Some(existing) = account_rows::by_email(tx, &email)? {
        // Read again under the lock, because a concurrent request may have confirmed the address.
        rows::lock(tx, existing.owner.id)?;
        let existing = account_rows::by_id(tx, existing.id)?.ok_or(AccessError::EmailTaken)?;
        if !is_waiting(tx, &existing)? {
            return Ok(SignUpOutcome::Taken(existing));
        }
        let language = Some(input.language.as_str().to_owned());
        let details = Details {
            password_hash: input.password_hash.clone(),
            name,
            country: input.country,
            language,
        };
        let sent = mail_tokens::Sent { person: existing.owner.id, email, details: Some(details) };
        let link = make_link_for(tx, env, &existing, Purpose::Confirm, sent)?;
        events::record(tx, env, existing.owner.id, events::EventKind::SignedUp, "")?;
        return Ok(SignUpOutcome::Mailed(link));
    }
    let account = NewAccount {
        email: email.clone(),
        password_hash: Some(input.password_hash.clone()),
        name,
        country: input.country,
        plan,
        payment_term_days: accounts::PAYMENT_TERM_DAYS,
        number_pattern: numbering::DEFAULT_PATTERN.to_owned(),
        created_at: env.now,
        email_confirmed_at: None,
    };
    let Some(id) = books::open_account(tx, &account)? else {
        return Err(AccessError::EmailTaken.into());
    };
    let account = account_rows::by_id(tx, id)?.ok_or(Error::NotFound("account"))?;
    let language = Some(input.language.as_str().to_owned());
    rows::save_settings(
        tx,
        &account,
        &rows::Settings { language, ..super::settings::current(&account) },
    )?;
    events::record(tx, env, account.owner.id, events::EventKind::SignedUp, "")?;
    let account = account_rows::by_id(tx, id)?.ok_or(Error::NotFound("account"))?;
    let sent = mail_tokens::Sent { person: account.owner.id, email, details: None };
    make_link_for(tx, env, &account, Purpose::Confirm, sent).map(SignUpOutcome::Mailed)
}

/// Whether an account was never confirmed and never used.
fn is_waiting(tx: &mut Tx<'_>, account: &Account) -> Result<bool, Error> {
    Ok(account.owner.email_confirmed_at.is_none() && !books::are_used(tx, account.id)?)
}

/// Closes an account that was never confirmed and never used, so that its address becomes
/// available. Returns false, and does nothing, if the account was confirmed or used.
pub(super) fn make_way(
    tx: &mut Tx<'_>,
    env: &Environment,
    account: &Account,
) -> Result<bool, Error> {
    if !is_waiting(tx, account)? {
        return Ok(false);
    }
    // If the account has been closed concurrently, its address is available too.
    closing::close(tx, account.owner.id, env.now)?;
    Ok(true)
}

/// Returns the credentials that a link would confirm. Before confirming, the page asks for the
/// password chosen at sign-up, so that a link from a stranger's sign-up is of no use to the
/// stranger.
///
/// # Errors
/// The link was used or has expired.
pub fn find(tx: &mut Tx<'_>, env: &Environment, token: &str) -> Result<Credentials, Error> {
    let sent = mail_tokens::find(tx, &hash(token), Purpose::Confirm, env.now)?
        .ok_or(Refusal::LinkSpent)?;
    let mut credentials = rows::by_id(tx, sent.person)?.ok_or(Refusal::LinkSpent)?;
    if credentials.account.owner.email != sent.email {
        return Err(Refusal::LinkSpent.into());
    }
    if let Some(details) = sent.details {
        credentials.password_hash = Some(details.password_hash);
    }
    Ok(credentials)
}

/// Confirms the address to which the link was sent, and the details of the sign-up that sent the
/// link.
///
/// # Errors
/// The link was used or has expired.
pub fn confirm(tx: &mut Tx<'_>, env: &Environment, token: &str) -> Result<Account, Error> {
    let link = mail_tokens::find(tx, &hash(token), Purpose::Confirm, env.now)?
        .ok_or(Refusal::LinkSpent)?;
    // Several sign-ups can have the same address. The lock makes their links take effect one at a
    // time: the first one used invalidates the others.
    rows::lock(tx, link.person)?;
    let sent = mail_tokens::take(tx, &hash(token), Purpose::Confirm, env.now)?
        .ok_or(Refusal::LinkSpent)?;
    let account = account_rows::of(tx, sent.person)?.ok_or(Refusal::LinkSpent)?;
    if account.owner.email != sent.email {
        return Err(Refusal::LinkSpent.into());
    }
    if let Some(details) = &sent.details {
        rows::set_details(tx, &account, details)?;
    }
    rows::confirm_email(tx, account.owner.id, env.now)?;
    mail_tokens::remove(tx, account.owner.id, Purpose::Confirm)?;
    events::record(tx, env, account.owner.id, events::EventKind::EmailConfirmed, "")?;
    account_rows::by_id(tx, account.id)?.ok_or(Error::NotFound("account"))
}

/// Confirms the address of an account on behalf of the operator, who has verified that it belongs
/// to the owner; returns whether it was unconfirmed. The links of other sign-ups with the address
/// are removed with their details.
///
/// # Errors
/// There is no account with this email address.
pub fn confirm_by_operator(tx: &mut Tx<'_>, env: &Environment, email: &str) -> Result<bool, Error> {
    let account = accounts::by_email(tx, email)?;
    rows::lock(tx, account.owner.id)?;
    if account.owner.email_confirmed_at.is_some() {
        return Ok(false);
    }
    rows::confirm_email(tx, account.owner.id, env.now)?;
    mail_tokens::remove(tx, account.owner.id, Purpose::Confirm)?;
    events::record(tx, env, account.owner.id, events::EventKind::EmailConfirmed, "operator")?;
    Ok(true)
}

/// Makes another link to confirm the address, for an owner who has lost the first. `None` if the
/// address has no account or is already confirmed, or the rate limit is reached; the number of
/// writes is the same in all cases.
///
/// # Errors
/// The storage failed, or the random number generator failed.
pub fn link_again(
    tx: &mut Tx<'_>,
    env: &Environment,
    email: &EmailAddress,
) -> Result<Option<MailToken>, Error> {
    let waiting = credentials::find(tx, email)?
        .filter(|credentials| credentials.account.owner.email_confirmed_at.is_none());
    let link = match waiting {
        Some(Credentials { account, .. }) => {
            make_link(tx, env, &account, Purpose::Confirm, &account.owner.email)?
        }
        None => None,
    };
    if link.is_none() {
        make_no_link(tx, env, Purpose::Confirm)?;
    }
    Ok(link)
}
