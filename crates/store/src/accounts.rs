//! Accounts: whose books they are, and on which plan.

use crate::{StoreError, Tx, params, row::Row};
use jiff::Timestamp;
use ledger::country::CountryCode;

/// What an account pays for. The order is the order of the plans: a later one includes the earlier ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Plan {
    /// The application without the API.
    Free,
    /// The lowest paid plan.
    Starter,
    /// The highest plan.
    Pro,
}

impl Plan {
    /// The plan's name in the API and on the command line.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Free => "free",
            Self::Starter => "starter",
            Self::Pro => "pro",
        }
    }

    /// The plan of that name.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        [Self::Free, Self::Starter, Self::Pro].into_iter().find(|plan| plan.as_str() == text)
    }
}

/// An account as it is stored.
#[derive(Debug, Clone)]
pub struct Account {
    /// Unique over all accounts.
    pub id: i64,
    /// Lower case; unique.
    pub email: String,
    /// The person's or company's name.
    pub name: String,
    /// Where the account's owner is established.
    pub country: CountryCode,
    /// What the account pays for.
    pub plan: Plan,
    /// Days between invoice date and due date unless an invoice says otherwise.
    pub payment_term_days: i64,
    /// How invoice numbers look, for example `{year}-{number:4}`.
    pub number_pattern: String,
    /// When it was made.
    pub created_at: Timestamp,
    /// The language that its owner reads, if they chose one: `nl` or `en`.
    pub language: Option<String>,
    /// When it was known that the e-mail address is the owner's.
    pub email_confirmed_at: Option<Timestamp>,
    /// Street and house number.
    pub street: Option<String>,
    /// Postal code.
    pub postal_code: Option<String>,
    /// Town.
    pub city: Option<String>,
    /// The number in the Dutch Business Register.
    pub kvk_number: Option<String>,
    /// The VAT identification number.
    pub vat_number: Option<String>,
    /// The bank account that customers pay to.
    pub iban: Option<String>,
    /// Whether signing in takes a second factor.
    pub second_factor: bool,
}

/// What is needed to make an account.
#[derive(Debug, Clone)]
pub struct NewAccount {
    /// Lower case.
    pub email: String,
    /// A PHC string of argon2id, where the account can sign in.
    pub password_hash: Option<String>,
    /// The person's or company's name.
    pub name: String,
    /// Where the account's owner is established.
    pub country: CountryCode,
    /// What the account pays for.
    pub plan: Plan,
    /// Days between invoice date and due date.
    pub payment_term_days: i64,
    /// How invoice numbers look.
    pub number_pattern: String,
    /// When it is made.
    pub created_at: Timestamp,
    /// When it was known that the address is the owner's; nothing until they confirm it.
    pub email_confirmed_at: Option<Timestamp>,
}

/// What [`read`] reads, from `accounts a`.
pub(crate) const COLUMNS: &str = "a.id, a.email, a.name, a.country, a.plan, a.payment_term_days, a.number_pattern, a.created_at,
    a.language, a.email_confirmed_at, a.street, a.postal_code, a.city, a.kvk_number, a.vat_number, a.iban,
    CAST(CASE WHEN a.totp_seed IS NULL THEN 0 ELSE 1 END AS BIGINT)";
/// How many columns those are.
pub(crate) const WIDTH: usize = 17;

pub(crate) fn read(row: &Row<'_>) -> Result<Account, StoreError> {
    Ok(Account {
        id: row.int(0)?,
        email: row.text(1)?,
        name: row.text(2)?,
        country: row.parsed(3, |text| CountryCode::parse(text).ok())?,
        plan: row.parsed(4, Plan::parse)?,
        payment_term_days: row.int(5)?,
        number_pattern: row.text(6)?,
        created_at: row.time(7)?,
        language: row.opt_text(8)?,
        email_confirmed_at: row.opt_time(9)?,
        street: row.opt_text(10)?,
        postal_code: row.opt_text(11)?,
        city: row.opt_text(12)?,
        kvk_number: row.opt_text(13)?,
        vat_number: row.opt_text(14)?,
        iban: row.opt_text(15)?,
        second_factor: row.int(16)? == 1,
    })
}

/// Makes an account with empty books; gives its id, or nothing when the e-mail address is taken.
pub fn insert(tx: &mut Tx<'_>, account: &NewAccount) -> Result<Option<i64>, StoreError> {
    let id = tx.query_opt(
        "INSERT INTO accounts (email, password_hash, name, country, plan, vat_period, payment_term_days, number_pattern, created_at, email_confirmed_at)
         VALUES (?1, ?2, ?3, ?4, ?5, 'quarter', ?6, ?7, ?8, ?9) ON CONFLICT (email) DO NOTHING RETURNING id",
        &params![
            &account.email,
            &account.password_hash,
            &account.name,
            account.country.as_str(),
            account.plan.as_str(),
            account.payment_term_days,
            &account.number_pattern,
            account.created_at,
            account.email_confirmed_at,
        ],
        |row| row.int(0),
    )?;
    if let Some(id) = id {
        crate::books::insert(tx, id)?;
    }
    Ok(id)
}

/// The account with that e-mail address (lower case). A closed one has none any more.
pub fn by_email(tx: &mut Tx<'_>, email: &str) -> Result<Option<Account>, StoreError> {
    tx.query_opt(&format!("SELECT {COLUMNS} FROM accounts a WHERE a.email = ?1 AND a.closed_at IS NULL"), &params![email], read)
}

/// The account with that id, unless it is closed.
pub fn by_id(tx: &mut Tx<'_>, id: i64) -> Result<Option<Account>, StoreError> {
    tx.query_opt(&format!("SELECT {COLUMNS} FROM accounts a WHERE a.id = ?1 AND a.closed_at IS NULL"), &params![id], read)
}

/// All accounts that are not closed, oldest first.
pub fn all(tx: &mut Tx<'_>) -> Result<Vec<Account>, StoreError> {
    tx.query(&format!("SELECT {COLUMNS} FROM accounts a WHERE a.closed_at IS NULL ORDER BY a.id"), &[], read)
}

/// Puts an account on another plan.
pub fn set_plan(tx: &mut Tx<'_>, id: i64, plan: Plan) -> Result<(), StoreError> {
    tx.execute("UPDATE accounts SET plan = ?2 WHERE id = ?1", &params![id, plan.as_str()])
}

/// The id of any account, if there is one.
pub fn any(tx: &mut Tx<'_>) -> Result<Option<i64>, StoreError> {
    tx.query_opt("SELECT id FROM accounts LIMIT 1", &[], |row| row.int(0))
}
