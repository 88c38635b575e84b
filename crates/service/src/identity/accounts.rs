//! Accounts: opening, listing and changing the plan.

use crate::{
    AccessError, Context, EmailAddress, Environment, Error, Fault, Reason, numbering, passwords,
    text,
};
use ledger::country::CountryCode;
use store::{
    StoreError, Tx,
    accounts::{self, Account, NewAccount, Plan},
    books,
};

/// Default number of days between invoice date and due date for a new account.
pub(crate) const PAYMENT_TERM_DAYS: i64 = 30;
/// Maximum length of an account's name, in characters.
pub const NAME_CHARS: usize = 255;

/// Command that opens an account.
#[derive(Debug, Clone)]
pub struct OpenAccount {
    /// Email address of the owner.
    pub email: String,
    /// Name of the owner or company.
    pub name: String,
    /// Country in which the owner is established.
    pub country: CountryCode,
    /// Plan of the account.
    pub plan: Plan,
    /// Password for signing in. Without it, the owner cannot sign in until a password is set.
    pub password: Option<String>,
}

/// Opens an account with empty books; returns its id.
///
/// # Errors
/// The email address is invalid or already has an account, the name is empty or too long, or the
/// password does not meet the policy.
pub fn open(tx: &mut Tx<'_>, env: &Environment, command: &OpenAccount) -> Result<i64, Error> {
    let (email, name) = (EmailAddress::parse(&command.email), name_of(&command.name));
    let mut faults = Vec::new();
    if let Err(reason) = &email {
        faults.push(Fault::new("/email", reason.clone()));
    }
    if name.is_none() {
        faults.push(Fault::new("/name", Reason::InvalidName { most: NAME_CHARS }));
    }
    if let Some(password) = &command.password {
        faults.extend(passwords::validate(password, &[&command.email, &command.name]));
    }
    let (Ok(email), Some(name)) = (email, name) else { return Err(Error::Invalid(faults)) };
    if !faults.is_empty() {
        return Err(Error::Invalid(faults));
    }
    let account = NewAccount {
        email: email.into(),
        password_hash: command
            .password
            .as_deref()
            .map(|password| passwords::hash(env.random(), password))
            .transpose()?,
        name,
        country: command.country,
        plan: command.plan,
        payment_term_days: PAYMENT_TERM_DAYS,
        number_pattern: numbering::DEFAULT_PATTERN.to_owned(),
        created_at: env.now,
        // The operator vouches for the address, so it needs no confirmation.
        email_confirmed_at: Some(env.now),
    };
    books::open_account(tx, &account)?.ok_or(AccessError::EmailTaken.into())
}

/// Returns the account with the given email address.
///
/// # Errors
/// There is no such account.
pub fn by_email(tx: &mut Tx<'_>, email: &str) -> Result<Account, Error> {
    let email = EmailAddress::parse(email).map_err(|_| Error::NotFound("account"))?;
    accounts::by_email(tx, email.as_str())?.ok_or(Error::NotFound("account"))
}

/// Returns the caller's account.
///
/// # Errors
/// The account has been closed.
pub fn own(tx: &mut Tx<'_>, cx: &Context) -> Result<Account, Error> {
    accounts::by_id(tx, cx.actor.account)?.ok_or(Error::Store(StoreError::AccountClosed))
}

/// Lists all test accounts, oldest first.
///
/// # Errors
/// The storage failed.
pub fn list_tests(tx: &mut Tx<'_>) -> Result<Vec<Account>, Error> {
    Ok(accounts::all_tests(tx)?)
}

/// Lists all accounts except test accounts, oldest first.
///
/// # Errors
/// The storage failed.
pub fn list(tx: &mut Tx<'_>) -> Result<Vec<Account>, Error> {
    Ok(accounts::all(tx)?)
}

/// Changes the plan of an account.
///
/// # Errors
/// There is no account with this email address.
pub fn set_plan(tx: &mut Tx<'_>, email: &str, plan: Plan) -> Result<(), Error> {
    let account = by_email(tx, email)?;
    Ok(accounts::set_plan(tx, account.id, plan)?)
}

/// Returns the trimmed name, if it is valid.
fn name_of(text: &str) -> Option<String> {
    text::single_line(text, NAME_CHARS).ok()
}

/// Whether any account exists. This is the cheapest query, for checking the database connection.
///
/// # Errors
/// The storage failed.
pub fn any(tx: &mut Tx<'_>) -> Result<bool, Error> {
    Ok(accounts::any(tx)?.is_some())
}
