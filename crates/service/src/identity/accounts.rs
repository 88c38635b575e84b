//! Accounts: made, listed, put on a plan.

use crate::{Context, Environment, Error, Fault, Reason, numbering, passwords};
use ledger::country::CountryCode;
use store::{
    StoreError, Tx,
    accounts::{self, Account, NewAccount, Plan},
    books,
};

/// Days between invoice date and due date for a new account.
pub(crate) const PAYMENT_TERM_DAYS: i64 = 30;

/// What is needed to open an account.
#[derive(Debug, Clone)]
pub struct OpenAccount {
    /// The owner's e-mail address.
    pub email: String,
    /// The owner's or company's name.
    pub name: String,
    /// Where they are established.
    pub country: CountryCode,
    /// What they pay for.
    pub plan: Plan,
    /// To sign in with; without one nobody can sign in.
    pub password: Option<String>,
}

/// Opens an account with empty books; gives its id.
///
/// # Errors
/// The e-mail address is taken or not one, the name is empty or too long, the password is too short or too common.
pub fn open(tx: &mut Tx<'_>, env: &Environment, command: &OpenAccount) -> Result<i64, Error> {
    let (email, name) = (normalise_email(&command.email), name_of(&command.name));
    let mut faults = Vec::new();
    if email.is_none() {
        faults.push(email_fault());
    }
    if name.is_none() {
        faults.push(name_fault());
    }
    if let Some(password) = &command.password {
        faults.extend(passwords::validate(password, &[&command.email, &command.name]));
    }
    let (Some(email), Some(name)) = (email, name) else { return Err(Error::Invalid(faults)) };
    if !faults.is_empty() {
        return Err(Error::Invalid(faults));
    }
    let account = NewAccount {
        email,
        password_hash: command.password.as_deref().map(|password| passwords::hash(env.random(), password)).transpose()?,
        name,
        country: command.country,
        plan: command.plan,
        payment_term_days: PAYMENT_TERM_DAYS,
        number_pattern: numbering::DEFAULT_PATTERN.to_owned(),
        created_at: env.now,
        // The operator knows whose it is.
        email_confirmed_at: Some(env.now),
    };
    books::open_account(tx, &account)?.ok_or(Error::EmailTaken)
}

/// The account with that e-mail address.
///
/// # Errors
/// There is none.
pub fn by_email(tx: &mut Tx<'_>, email: &str) -> Result<Account, Error> {
    let email = normalise_email(email).ok_or(Error::NotFound("account"))?;
    accounts::by_email(tx, &email)?.ok_or(Error::NotFound("account"))
}

/// The actor's own account.
///
/// # Errors
/// It was closed meanwhile.
pub fn own(tx: &mut Tx<'_>, cx: &Context) -> Result<Account, Error> {
    accounts::by_id(tx, cx.actor.account)?.ok_or(Error::Store(StoreError::AccountClosed))
}

/// All test accounts, oldest first.
///
/// # Errors
/// The storage failed.
pub fn list_tests(tx: &mut Tx<'_>) -> Result<Vec<Account>, Error> {
    Ok(accounts::all_tests(tx)?)
}

/// All accounts, oldest first; without test accounts.
///
/// # Errors
/// The storage failed.
pub fn list(tx: &mut Tx<'_>) -> Result<Vec<Account>, Error> {
    Ok(accounts::all(tx)?)
}

/// Puts an account on another plan.
///
/// # Errors
/// There is no account with that e-mail address.
pub fn set_plan(tx: &mut Tx<'_>, email: &str, plan: Plan) -> Result<(), Error> {
    let account = by_email(tx, email)?;
    Ok(accounts::set_plan(tx, account.id, plan)?)
}

/// The address in lower case, if mail can be sent to it everywhere: ASCII, a dot-atom before the @ and a host name with a dot behind it
/// (RFC 5321, section 4.1.2, without quoted parts and literal addresses). Only a mail that arrives confirms an address.
#[must_use]
pub fn normalise_email(text: &str) -> Option<String> {
    let text = text.trim();
    let (local, domain) = text.rsplit_once('@')?;
    let is_atom = |atom: &str| {
        !atom.is_empty() && atom.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"!#$%&'*+-/=?^_`{|}~".contains(&byte))
    };
    let is_label = |label: &str| {
        (1..=63).contains(&label.len())
            && label.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
            && !label.starts_with('-')
            && !label.ends_with('-')
    };
    let (_, top) = domain.rsplit_once('.')?;
    let fits = text.len() <= 254
        && local.len() <= 64
        && local.split('.').all(is_atom)
        && domain.split('.').all(is_label)
        && !top.bytes().all(|byte| byte.is_ascii_digit());
    fits.then(|| text.to_ascii_lowercase())
}

/// The name without blanks around it, if it can be one.
pub(crate) fn name_of(text: &str) -> Option<String> {
    let name = text.trim();
    let fits = !name.is_empty() && name.chars().count() <= 255 && !name.chars().any(char::is_control);
    fits.then(|| name.to_owned())
}

pub(crate) fn name_fault() -> Fault {
    Fault::new("/name", Reason::InvalidName { most: 255 })
}

pub(crate) fn email_fault() -> Fault {
    Fault::new("/email", Reason::InvalidEmail)
}

/// Asks the database for the least that it can tell: whether there is any account.
///
/// # Errors
/// The storage failed.
pub fn any(tx: &mut Tx<'_>) -> Result<bool, Error> {
    Ok(accounts::any(tx)?.is_some())
}
