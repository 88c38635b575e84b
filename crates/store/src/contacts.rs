//! Contacts: customers and suppliers.

use crate::{StoreError, Tx, param::Param, params, row::Row};
use jiff::Timestamp;
use ledger::country::CountryCode;

/// Who a contact is; an invoice keeps a copy of it as it was.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Party {
    /// The caller's own identifier, unique inside the account.
    pub external_id: Option<String>,
    /// The person's or company's name.
    pub name: String,
    /// Where they are established.
    pub country: CountryCode,
    /// An e-mail address.
    pub email: Option<String>,
    /// A VAT number in its compact form.
    pub vat_number: Option<String>,
    /// A number of the Dutch chamber of commerce.
    pub kvk_number: Option<String>,
    /// Whom to ask for.
    pub contact_person: Option<String>,
    /// Street and house number.
    pub street: Option<String>,
    /// Postal code.
    pub postal_code: Option<String>,
    /// Town.
    pub city: Option<String>,
}

/// A contact as it is stored.
#[derive(Debug, Clone)]
pub struct Contact {
    /// Unique inside the account.
    pub id: i64,
    /// Who it is.
    pub party: Party,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it last changed.
    pub updated_at: Timestamp,
}

const COLUMNS: &str = "id, external_id, name, country, email, vat_number, kvk_number, contact_person, street, postal_code, city, \
                       created_at, updated_at";

fn read(row: &Row<'_>) -> Result<Contact, StoreError> {
    Ok(Contact { id: row.int(0)?, party: read_party(row, 1)?, created_at: row.time(11)?, updated_at: row.time(12)? })
}

/// Reads the ten columns of a party from `first` on.
pub(crate) fn read_party(row: &Row<'_>, first: usize) -> Result<Party, StoreError> {
    Ok(Party {
        external_id: row.opt_text(first)?,
        name: row.text(first + 1)?,
        country: row.parsed(first + 2, |text| CountryCode::parse(text).ok())?,
        email: row.opt_text(first + 3)?,
        vat_number: row.opt_text(first + 4)?,
        kvk_number: row.opt_text(first + 5)?,
        contact_person: row.opt_text(first + 6)?,
        street: row.opt_text(first + 7)?,
        postal_code: row.opt_text(first + 8)?,
        city: row.opt_text(first + 9)?,
    })
}

/// Stores a new contact.
pub fn insert(tx: &mut Tx<'_>, account: i64, id: i64, party: &Party, now: Timestamp) -> Result<(), StoreError> {
    tx.execute(
        "INSERT INTO contacts (account_id, id, external_id, name, country, email, vat_number, kvk_number, contact_person, street,
         postal_code, city, folded, created_at, updated_at)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?14)",
        &params![
            account,
            id,
            &party.external_id,
            &party.name,
            party.country.as_str(),
            &party.email,
            &party.vat_number,
            &party.kvk_number,
            &party.contact_person,
            &party.street,
            &party.postal_code,
            &party.city,
            folded(party),
            now,
        ],
    )
}

/// What a search looks in. The line feed keeps a text from being found across both.
fn folded(party: &Party) -> String {
    format!("{}\n{}", party.name, party.email.as_deref().unwrap_or("")).to_lowercase()
}

/// The contact with that id.
pub fn by_id(tx: &mut Tx<'_>, account: i64, id: i64) -> Result<Option<Contact>, StoreError> {
    tx.query_opt(&format!("SELECT {COLUMNS} FROM contacts WHERE account_id = ?1 AND id = ?2"), &params![account, id], read)
}

/// The contact with that external id.
pub fn by_external_id(tx: &mut Tx<'_>, account: i64, external_id: &str) -> Result<Option<Contact>, StoreError> {
    tx.query_opt(
        &format!("SELECT {COLUMNS} FROM contacts WHERE account_id = ?1 AND external_id = ?2"),
        &params![account, external_id],
        read,
    )
}

/// The oldest contact without an external id that has exactly this name and country.
pub fn by_name(tx: &mut Tx<'_>, account: i64, name: &str, country: CountryCode) -> Result<Option<Contact>, StoreError> {
    tx.query_opt(
        &format!(
            "SELECT {COLUMNS} FROM contacts WHERE account_id = ?1 AND name = ?2 AND country = ?3 AND external_id IS NULL
             ORDER BY id LIMIT 1"
        ),
        &params![account, name, country.as_str()],
        read,
    )
}

/// Which contacts are meant.
#[derive(Debug, Clone, Default)]
pub struct ContactFilter {
    /// Only the one with this external id.
    pub external_id: Option<String>,
    /// Only those whose name or e-mail address holds this text, in upper or lower case.
    pub text: Option<String>,
}

/// Contacts in the order of their ids, from `after` on.
pub fn list(tx: &mut Tx<'_>, account: i64, filter: &ContactFilter, after: i64, limit: i64) -> Result<Vec<Contact>, StoreError> {
    let mut values: Vec<Param<'_>> = params![account, after, limit].into();
    let mut conditions = String::new();
    if let Some(external_id) = &filter.external_id {
        values.push(external_id.into());
        conditions += &format!(" AND external_id = ?{}", values.len());
    }
    if let Some(text) = &filter.text {
        let pattern = format!("%{}%", text.to_lowercase().replace('\\', "\\\\").replace('%', "\\%").replace('_', "\\_"));
        values.push(pattern.into());
        let place = values.len();
        conditions += &format!(" AND folded LIKE ?{place} ESCAPE '\\'");
    }
    let sql = format!("SELECT {COLUMNS} FROM contacts WHERE account_id = ?1 AND id > ?2{conditions} ORDER BY id LIMIT ?3");
    tx.query(&sql, &values, read)
}
