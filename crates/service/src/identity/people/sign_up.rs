//! Signing up: an account that waits for its e-mail address to be confirmed.

use super::{
    Account, Credentials, Language, MailToken, Purpose, Refusal, credentials, events, hash, make_link, make_link_for,
    make_no_link,
};
use crate::{EmailAddress, Environment, Error, accounts, numbering};
use ledger::country::CountryCode;
use store::{
    Tx,
    accounts::{self as account_rows, NewAccount, Plan},
    books, closing,
    mail_tokens::{self, Details},
    people as rows,
};

/// What somebody gives to open an account.
#[derive(Debug, Clone)]
pub struct SignUp {
    /// Their e-mail address.
    pub email: EmailAddress,
    /// Their password, judged and hashed.
    pub password_hash: String,
    /// Their name, or their company's: on one line, of 1 to [`accounts::NAME_CHARS`] characters.
    pub name: String,
    /// Where they are established.
    pub country: CountryCode,
    /// The language of the page that they signed up on.
    pub language: Language,
}

/// What came of signing up. To the visitor both look the same: who has an account is nobody else's business. The mails differ.
pub enum SignUpOutcome {
    /// The account is there; send this link to its address.
    Mailed(MailToken),
    /// The address has an account; tell so by a mail to it, nothing else happened.
    Taken(Account),
}

/// Opens an account that nobody can sign in to before its address is confirmed.
///
/// Who signs up with an address that waits for confirmation is sent a link as well, which confirms what they gave themselves. The link
/// that is used first decides, and ends the others: so nobody can keep an address from its owner, lie in wait behind it with a password of
/// their own, or make the owner's link useless.
///
/// # Errors
/// Another opened an account with the address at this very moment; the storage failed, or there is no randomness.
pub fn sign_up(tx: &mut Tx<'_>, env: &Environment, given: &SignUp, plan: Plan) -> Result<SignUpOutcome, Error> {
    let (email, name) = (String::from(given.email.clone()), given.name.clone());
    if let Some(known) = account_rows::by_email(tx, &email)? {
        // One of several at once may just have confirmed.
        rows::lock(tx, known.owner.id)?;
        let known = account_rows::by_id(tx, known.id)?.ok_or(Error::EmailTaken)?;
        if !is_waiting(tx, &known)? {
            return Ok(SignUpOutcome::Taken(known));
        }
        let language = Some(given.language.as_str().to_owned());
        let details = Details { password_hash: given.password_hash.clone(), name, country: given.country, language };
        let sent = mail_tokens::Sent { person: known.owner.id, email, details: Some(details) };
        let link = make_link_for(tx, env, &known, Purpose::Confirm, sent)?;
        events::record(tx, env, known.owner.id, events::EventKind::SignedUp, "")?;
        return Ok(SignUpOutcome::Mailed(link));
    }
    let account = NewAccount {
        email: email.clone(),
        password_hash: Some(given.password_hash.clone()),
        name,
        country: given.country,
        plan,
        payment_term_days: accounts::PAYMENT_TERM_DAYS,
        number_pattern: numbering::DEFAULT_PATTERN.to_owned(),
        created_at: env.now,
        email_confirmed_at: None,
    };
    let Some(id) = books::open_account(tx, &account)? else { return Err(Error::EmailTaken) };
    let account = account_rows::by_id(tx, id)?.ok_or(Error::NotFound("account"))?;
    let language = Some(given.language.as_str().to_owned());
    rows::save_settings(tx, &account, &rows::Settings { language, ..super::settings::current(&account) })?;
    events::record(tx, env, account.owner.id, events::EventKind::SignedUp, "")?;
    let account = account_rows::by_id(tx, id)?.ok_or(Error::NotFound("account"))?;
    let sent = mail_tokens::Sent { person: account.owner.id, email, details: None };
    make_link_for(tx, env, &account, Purpose::Confirm, sent).map(SignUpOutcome::Mailed)
}

/// Whether an account was never confirmed and never used.
fn is_waiting(tx: &mut Tx<'_>, account: &Account) -> Result<bool, Error> {
    Ok(account.owner.email_confirmed_at.is_none() && !books::are_used(tx, account.id)?)
}

/// Closes an account that was never confirmed and never used, so that its address is free; tells whether it was one.
pub(super) fn make_way(tx: &mut Tx<'_>, env: &Environment, account: &Account) -> Result<bool, Error> {
    if !is_waiting(tx, account)? {
        return Ok(false);
    }
    // If another closed it this very moment, the address is free too.
    closing::close(tx, account.owner.id, env.now)?;
    Ok(true)
}

/// Whose address the link confirms, for a page that asks for the password chosen at sign-up before it confirms: then a link that was
/// sent because somebody else signed up with the address does nothing for them.
///
/// # Errors
/// The link was used or is too old.
pub fn find(tx: &mut Tx<'_>, env: &Environment, token: &str) -> Result<Credentials, Error> {
    let sent = mail_tokens::find(tx, &hash(token), Purpose::Confirm, env.now)?.ok_or(Refusal::LinkSpent)?;
    let mut credentials = rows::by_id(tx, sent.person)?.ok_or(Refusal::LinkSpent)?;
    if credentials.account.owner.email != sent.email {
        return Err(Refusal::LinkSpent.into());
    }
    if let Some(details) = sent.details {
        credentials.password_hash = Some(details.password_hash);
    }
    Ok(credentials)
}

/// Confirms the address that the link was sent to, and what was given at the sign-up that sent it.
///
/// # Errors
/// The link was used or is too old.
pub fn confirm(tx: &mut Tx<'_>, env: &Environment, token: &str) -> Result<Account, Error> {
    let found = mail_tokens::find(tx, &hash(token), Purpose::Confirm, env.now)?.ok_or(Refusal::LinkSpent)?;
    // Links of several sign-ups with one address follow one another: the first ends the others.
    rows::lock(tx, found.person)?;
    let sent = mail_tokens::take(tx, &hash(token), Purpose::Confirm, env.now)?.ok_or(Refusal::LinkSpent)?;
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

/// Confirms the address of an account, as its operator may who knows that it is the owner's; tells whether it was not confirmed yet. What
/// others gave who signed up with the address is forgotten with their links.
///
/// # Errors
/// There is no account with that e-mail address.
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

/// Another link to confirm the address, for who lost the first; none when nobody has the address, it is confirmed or was sent enough of
/// them. As much is written then.
///
/// # Errors
/// The storage failed, or there is no randomness.
pub fn link_again(tx: &mut Tx<'_>, env: &Environment, email: &EmailAddress) -> Result<Option<MailToken>, Error> {
    let waiting = credentials::find(tx, email)?.filter(|found| found.account.owner.email_confirmed_at.is_none());
    let link = match waiting {
        Some(Credentials { account, .. }) => make_link(tx, env, &account, Purpose::Confirm, &account.owner.email)?,
        None => None,
    };
    if link.is_none() {
        make_no_link(tx, env, Purpose::Confirm)?;
    }
    Ok(link)
}
