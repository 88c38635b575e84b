//! Accounts: made, listed, put on a plan.

use crate::{Context, EmailAddress, Environment, Error, Fault, Reason, numbering, passwords, text};
use ledger::country::CountryCode;
use store::{
    StoreError, Tx,
    accounts::{self, Account, NewAccount, Plan},
    books,
};

/// Days between invoice date and due date for a new account.
pub(crate) const PAYMENT_TERM_DAYS: i64 = 30;
/// Characters of an account's name at the most.
pub const NAME_CHARS: usize = 255;

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
    let email = EmailAddress::parse(email).map_err(|_| Error::NotFound("account"))?;
    accounts::by_email(tx, email.as_str())?.ok_or(Error::NotFound("account"))
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

/// The name without blanks around it, if it can be one.
fn name_of(text: &str) -> Option<String> {
    text::single_line(text, NAME_CHARS).ok()
}

/// Asks the database for the least that it can tell: whether there is any account.
///
/// # Errors
/// The storage failed.
pub fn any(tx: &mut Tx<'_>) -> Result<bool, Error> {
    Ok(accounts::any(tx)?.is_some())
}
