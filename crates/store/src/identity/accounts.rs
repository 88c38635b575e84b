//! Accounts with their owners, plans and settings.

use super::person_id::PersonId;
pub use super::plan::Plan;
pub use super::test_mode::TestMode;
use crate::{
    StoreError, Tx, own_accounts, params,
    row::Row,
    vat_units::{self, UnitChange},
};
use jiff::Timestamp;
use ledger::{
    country::CountryCode,
    language::Language,
    own_account::OwnAccounts,
    vat::{SalesDefaults, Supply, VatCategory},
};

/// Stored account.
#[derive(Debug, Clone)]
pub struct Account {
    /// Unique across all accounts.
    pub id: i64,
    /// The account's owner.
    pub owner: Owner,
    /// The person's or company's name.
    pub name: String,
    /// Country in which the owner is established.
    pub country: CountryCode,
    /// Plan of the account.
    pub plan: Plan,
    /// Days between invoice date and due date, unless an invoice specifies another term.
    pub payment_term_days: i64,
    /// Pattern of invoice numbers, for example `{year}-{number:4}`.
    pub number_pattern: String,
    /// Creation time.
    pub created_at: Timestamp,
    /// Language of the books, if the owner chose one: `nl` or `en`.
    pub language: Option<String>,
    /// Street and house number.
    pub street: Option<String>,
    /// Postal code.
    pub postal_code: Option<String>,
    /// Town.
    pub city: Option<String>,
    /// Number in the Dutch Business Register.
    pub kvk_number: Option<String>,
    /// VAT identification number.
    pub vat_number: Option<String>,
    /// Bank account that customers pay to.
    pub iban: Option<String>,
    /// BIC of its bank, shown to customers abroad.
    pub bic: Option<String>,
    /// Telephone number shown on documents.
    pub phone: Option<String>,
    /// Website shown on documents.
    pub website: Option<String>,
    /// Defaults for sales, which an invoice line can override.
    pub sales: SalesDefaults,
    /// Whether most of the owner's working time goes into the business, according to the owner
    /// (art. 3.6(1)(b) Wet IB 2001); `None` if the owner has not answered.
    pub majority_of_time: Option<bool>,
    /// Whether the owner is a starter, who need not spend most of the working time on the business
    /// (art. 3.6(2) Wet IB 2001).
    pub starter: bool,
    /// Changes of the unit in which VAT returns are filed (month, quarter or year), ordered by
    /// first day.
    pub vat_units: Vec<UnitChange>,
    /// Ledger accounts that the owner added, and the bank accounts.
    pub own_accounts: OwnAccounts,
    /// Test mode, for a test account.
    pub test: Option<TestMode>,
}

/// Owner of an account: the personal data that the account needs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Owner {
    /// Unique across all people.
    pub id: PersonId,
    /// Lower case; unique.
    pub email: String,
    /// Preferred language, if chosen: `nl` or `en`.
    pub language: Option<String>,
    /// Time at which the email address was confirmed.
    pub email_confirmed_at: Option<Timestamp>,
    /// Whether sign-in requires a second factor.
    pub second_factor: bool,
}

impl Account {
    /// Current time in the books: the server's time, or the time set for a test account.
    #[must_use]
    pub fn clock(&self, now: Timestamp) -> Timestamp {
        self.test.map_or(now, |test| test.clock(now))
    }

    /// Language of the books in the API: the chosen language, or else English.
    #[must_use]
    pub fn books_language(&self) -> Language {
        self.language.as_deref().and_then(Language::parse).unwrap_or(Language::English)
    }

    /// Language of documents for customers without a language of their own.
    #[must_use]
    pub fn document_language(&self) -> Language {
        self.language.as_deref().and_then(Language::parse).unwrap_or(Language::Dutch)
    }
}

/// Flags for the supplier details that an invoice must state (art. 35a(1) Wet OB 1968, art. 25
/// Handelsregisterbesluit 2008).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Supplier {
    /// Whether street and town are known.
    pub has_address: bool,
    /// Whether the number in the Dutch Business Register is known.
    pub has_kvk_number: bool,
    /// Whether the VAT identification number is known.
    pub has_vat_number: bool,
}

impl Account {
    /// Returns the flags for the supplier details.
    #[must_use]
    pub fn supplier(&self) -> Supplier {
        Supplier {
            has_address: self.street.is_some() && self.city.is_some(),
            has_kvk_number: self.kvk_number.is_some(),
            has_vat_number: self.vat_number.is_some(),
        }
    }
}

/// SQL expression that packs the flags of [`Supplier`] into one integer. The query must alias the
/// table `accounts` as `a`.
pub(crate) const SUPPLIER: &str = "CAST((CASE WHEN a.street IS NULL OR a.city IS NULL THEN 0 ELSE 1 END)
    + (CASE WHEN a.kvk_number IS NULL THEN 0 ELSE 2 END) + (CASE WHEN a.vat_number IS NULL THEN 0 ELSE 4 END) AS BIGINT)";

/// Reads the column [`SUPPLIER`].
pub(crate) fn read_supplier(row: &Row<'_>, column: usize) -> Result<Supplier, StoreError> {
    let known = row.int(column)?;
    Ok(Supplier {
        has_address: known & 1 != 0,
        has_kvk_number: known & 2 != 0,
        has_vat_number: known & 4 != 0,
    })
}

/// Reads the defaults for sales from two columns; a null column has the default of a new account.
pub(crate) fn read_sales(row: &Row<'_>, column: usize) -> Result<SalesDefaults, StoreError> {
    let usual = SalesDefaults::default();
    let unknown = |text: &str| StoreError::Unreadable(format!("{text:?} is no default of sales"));
    let (supply, zero) = (row.opt_text(column)?, row.opt_text(column + 1)?);
    Ok(SalesDefaults {
        supply: supply
            .map_or(Ok(usual.supply), |text| Supply::parse(&text).ok_or_else(|| unknown(&text)))?,
        zero_means: zero.map_or(Ok(usual.zero_means), |text| {
            VatCategory::parse(&text).ok_or_else(|| unknown(&text))
        })?,
        ..usual
    })
}

/// Owner's settings for sales and for the hours criterion.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BookkeepingSettings {
    /// Defaults for sales, which an invoice line can override.
    pub sales: SalesDefaults,
    /// Whether most of the owner's working time goes into the business, according to the owner;
    /// `None` if the owner has not answered.
    pub majority_of_time: Option<bool>,
    /// Whether the owner is a starter.
    pub starter: bool,
}

/// Stores the settings for sales and for the hours criterion.
pub fn set_bookkeeping(
    tx: &mut Tx<'_>,
    id: i64,
    settings: &BookkeepingSettings,
) -> Result<(), StoreError> {
    tx.execute(
        "UPDATE accounts SET default_supply = ?2, zero_means = ?3, majority_of_time = ?4, starter = ?5 WHERE id = ?1",
        &params![
            id,
            settings.sales.supply.as_str(),
            settings.sales.zero_means.as_str(),
            settings.majority_of_time.map(i64::from),
            i64::from(settings.starter),
        ],
    )
}

/// Data for a new account and for the person who owns it.
#[derive(Debug, Clone)]
pub struct NewAccount {
    /// Lower case.
    pub email: String,
    /// Argon2id hash as a PHC string, if the owner can sign in with a password.
    pub password_hash: Option<String>,
    /// The person's or company's name.
    pub name: String,
    /// Country in which the owner is established.
    pub country: CountryCode,
    /// Plan of the account.
    pub plan: Plan,
    /// Days between invoice date and due date.
    pub payment_term_days: i64,
    /// Pattern of invoice numbers.
    pub number_pattern: String,
    /// Creation time.
    pub created_at: Timestamp,
    /// Time at which the email address was confirmed; `None` until the owner confirms it.
    pub email_confirmed_at: Option<Timestamp>,
}

/// Columns that [`read`] expects, selected from [`FROM`].
pub(crate) const COLUMNS: &str = "a.id, p.email, a.name, a.country, a.plan, a.payment_term_days, a.number_pattern, a.created_at,
    a.language, p.email_confirmed_at, a.street, a.postal_code, a.city, a.kvk_number, a.vat_number, a.iban,
    CAST(CASE WHEN p.totp_seed IS NULL THEN 0 ELSE 1 END AS BIGINT), a.default_supply, a.zero_means, a.majority_of_time, a.starter,
    p.id, p.language, a.test_of, a.test_ahead, a.vat_units, a.own_accounts, a.bank_accounts, a.iban, a.created_at,
    a.bic, a.phone, a.website";
/// Number of columns in [`COLUMNS`].
pub(crate) const WIDTH: usize = 33;
/// Join of accounts with their owners.
pub(crate) const FROM: &str = "accounts a JOIN memberships m ON m.account_id = a.id AND m.role = 'owner' JOIN people p ON p.id = m.person_id";

pub(crate) fn read(row: &Row<'_>) -> Result<Account, StoreError> {
    Ok(Account {
        id: row.int(0)?,
        owner: Owner {
            id: PersonId(row.int(21)?),
            email: row.text(1)?,
            language: row.opt_text(22)?,
            email_confirmed_at: row.opt_time(9)?,
            second_factor: row.int(16)? == 1,
        },
        name: row.text(2)?,
        country: row.parsed(3, |text| CountryCode::parse(text).ok())?,
        plan: row.parsed(4, Plan::parse)?,
        payment_term_days: row.int(5)?,
        number_pattern: row.text(6)?,
        created_at: row.time(7)?,
        language: row.opt_text(8)?,
        street: row.opt_text(10)?,
        postal_code: row.opt_text(11)?,
        city: row.opt_text(12)?,
        kvk_number: row.opt_text(13)?,
        vat_number: row.opt_text(14)?,
        iban: row.opt_text(15)?,
        bic: row.opt_text(30)?,
        phone: row.opt_text(31)?,
        website: row.opt_text(32)?,
        sales: read_sales(row, 17)?,
        majority_of_time: row.opt_int(19)?.map(|answer| answer == 1),
        starter: row.opt_int(20)? == Some(1),
        test: TestMode::read(row, 23)?,
        vat_units: vat_units::read(row, 25)?,
        own_accounts: own_accounts::read(row, 26)?,
    })
}

/// Creates an account and the person who owns it. Returns the account's id, or `None` if the email
/// address is taken.
pub(crate) fn insert(tx: &mut Tx<'_>, account: &NewAccount) -> Result<Option<i64>, StoreError> {
    let owner = tx.query_opt(
        "INSERT INTO people (email, password_hash, created_at, email_confirmed_at) VALUES (?1, ?2, ?3, ?4)
         ON CONFLICT (email) DO NOTHING RETURNING id",
        &params![&account.email, &account.password_hash, account.created_at, account.email_confirmed_at],
        |row| row.int(0),
    )?;
    let Some(owner) = owner else { return Ok(None) };
    let id = tx.query_one(
        "INSERT INTO accounts (name, country, plan, payment_term_days, number_pattern, created_at)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6) RETURNING id",
        &params![
            &account.name,
            account.country.as_str(),
            account.plan.as_str(),
            account.payment_term_days,
            &account.number_pattern,
            account.created_at,
        ],
        |row| row.int(0),
    )?;
    tx.execute(
        "INSERT INTO memberships (account_id, person_id, role) VALUES (?1, ?2, 'owner')",
        &params![id, owner],
    )?;
    Ok(Some(id))
}

/// Live account of the owner with this email address (lower case), unless it is closed.
pub fn by_email(tx: &mut Tx<'_>, email: &str) -> Result<Option<Account>, StoreError> {
    tx.query_opt(
        &format!("SELECT {COLUMNS} FROM {FROM} WHERE p.email = ?1 AND a.test_of IS NULL AND a.closed_at IS NULL"),
        &params![email],
        read,
    )
}

/// Account with this id, unless it is closed.
pub fn by_id(tx: &mut Tx<'_>, id: i64) -> Result<Option<Account>, StoreError> {
    tx.query_opt(
        &format!("SELECT {COLUMNS} FROM {FROM} WHERE a.id = ?1 AND a.closed_at IS NULL"),
        &params![id],
        read,
    )
}

/// Live account of a person, unless it is closed.
pub fn of(tx: &mut Tx<'_>, owner: PersonId) -> Result<Option<Account>, StoreError> {
    tx.query_opt(
        &format!("SELECT {COLUMNS} FROM {FROM} WHERE p.id = ?1 AND a.test_of IS NULL AND a.closed_at IS NULL"),
        &params![owner],
        read,
    )
}

/// Whether an account with this id exists and is not closed.
pub fn is_open(tx: &mut Tx<'_>, id: i64) -> Result<bool, StoreError> {
    Ok(tx
        .query_opt(
            "SELECT id FROM accounts WHERE id = ?1 AND closed_at IS NULL",
            &params![id],
            |row| row.int(0),
        )?
        .is_some())
}

/// All open live accounts, oldest first.
pub fn all(tx: &mut Tx<'_>) -> Result<Vec<Account>, StoreError> {
    tx.query(&format!("SELECT {COLUMNS} FROM {FROM} WHERE a.test_of IS NULL AND a.closed_at IS NULL ORDER BY a.id"), &[], read)
}

/// All open test accounts, oldest first.
pub fn all_tests(tx: &mut Tx<'_>) -> Result<Vec<Account>, StoreError> {
    tx.query(
        &format!("SELECT {COLUMNS} FROM {FROM} WHERE a.test_of IS NOT NULL AND a.closed_at IS NULL ORDER BY a.id"),
        &[],
        read,
    )
}

/// Ids of accounts that have books or entries but that [`all`] and [`all_tests`] cannot return,
/// because their row in `accounts`, `memberships` or `people` does not exist. Used by the
/// verification of the books.
pub fn lost(tx: &mut Tx<'_>) -> Result<Vec<i64>, StoreError> {
    let mut lost = tx.query(
        &format!("SELECT b.account_id FROM books b WHERE NOT EXISTS (SELECT 1 FROM {FROM} WHERE a.id = b.account_id)"),
        &[],
        |row| row.int(0),
    )?;
    // Finds each account with one index lookup, because there can be many millions of entries.
    let next = "SELECT MIN(account_id) FROM entries WHERE account_id > ?1";
    let mut after = i64::MIN;
    while let Some(account) = tx.query_one(next, &params![after], |row| row.opt_int(0))? {
        if tx
            .query_opt("SELECT id FROM accounts WHERE id = ?1", &params![account], |row| {
                row.int(0)
            })?
            .is_none()
        {
            lost.push(account);
        }
        after = account;
    }
    lost.sort_unstable();
    lost.dedup();
    Ok(lost)
}

/// Changes the plan of an account and of its test account.
pub fn set_plan(tx: &mut Tx<'_>, id: i64, plan: Plan) -> Result<(), StoreError> {
    tx.execute(
        "UPDATE accounts SET plan = ?2 WHERE id = ?1 OR test_of = ?1",
        &params![id, plan.as_str()],
    )
}

/// Id of an arbitrary account, if one exists.
pub fn any(tx: &mut Tx<'_>) -> Result<Option<i64>, StoreError> {
    tx.query_opt("SELECT id FROM accounts LIMIT 1", &[], |row| row.int(0))
}
