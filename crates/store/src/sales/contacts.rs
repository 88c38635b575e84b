//! Contacts: customers and suppliers.

use crate::{
    StoreError, Tx, Updated,
    changes::{Event, ResourceKind},
    engine::{
        filter::Filter,
        record::{Column, next},
    },
    param::Param,
    params,
    row::Row,
};
use jiff::Timestamp;
use ledger::{country::CountryCode, money::Cents};

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
    /// One that is archived is not offered any more.
    pub archived: bool,
    /// The contact that it was merged into.
    pub merged_into: Option<i64>,
}

const COLUMNS: &str = "id, external_id, name, country, email, vat_number, kvk_number, contact_person, street, postal_code, city, \
                       created_at, updated_at, status, merged_into";

fn read(row: &Row<'_>) -> Result<Contact, StoreError> {
    Ok(Contact {
        id: row.int(0)?,
        party: Column::take(row, &mut 1)?,
        created_at: row.time(11)?,
        updated_at: row.time(12)?,
        archived: read_archived(row, 13)?,
        merged_into: row.opt_int(14)?,
    })
}

/// Reads whether something is archived.
pub(crate) fn read_archived(row: &Row<'_>, column: usize) -> Result<bool, StoreError> {
    row.parsed(column, |text| match text {
        "active" => Some(false),
        "archived" => Some(true),
        _ => None,
    })
}

/// How it is stored, and told, whether something is archived.
#[must_use]
pub fn status(archived: bool) -> &'static str {
    if archived { "archived" } else { "active" }
}

/// The ten columns of a party, beside each other.
impl Column for Party {
    fn take(row: &Row<'_>, at: &mut usize) -> Result<Self, StoreError> {
        Ok(Self {
            external_id: Column::take(row, at)?,
            name: Column::take(row, at)?,
            country: row.parsed(next(at), |text| CountryCode::parse(text).ok())?,
            email: Column::take(row, at)?,
            vat_number: Column::take(row, at)?,
            kvk_number: Column::take(row, at)?,
            contact_person: Column::take(row, at)?,
            street: Column::take(row, at)?,
            postal_code: Column::take(row, at)?,
            city: Column::take(row, at)?,
        })
    }

    fn put<'v>(&'v self, values: &mut Vec<Param<'v>>) {
        values.extend(params![
            &self.external_id,
            &self.name,
            self.country.as_str(),
            &self.email,
            &self.vat_number,
            &self.kvk_number,
            &self.contact_person,
            &self.street,
            &self.postal_code,
            &self.city,
        ]);
    }
}

/// Stores a new contact.
pub fn insert(tx: &mut Tx<'_>, account: i64, id: i64, party: &Party, now: Timestamp) -> Result<(), StoreError> {
    tx.record(ResourceKind::Contact, id, Event::Created);
    tx.execute(
        "INSERT INTO contacts (account_id, id, external_id, name, country, email, vat_number, kvk_number, contact_person, street,
         postal_code, city, folded, created_at, updated_at, status)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?14, 'active')",
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

/// Stores what has become of a contact.
pub fn update(tx: &mut Tx<'_>, account: i64, contact: &Contact) -> Result<(), StoreError> {
    let party = &contact.party;
    tx.record(ResourceKind::Contact, contact.id, Event::Updated);
    tx.execute(
        "UPDATE contacts SET external_id = ?3, name = ?4, country = ?5, email = ?6, vat_number = ?7, kvk_number = ?8,
         contact_person = ?9, street = ?10, postal_code = ?11, city = ?12, folded = ?13, updated_at = ?14, status = ?15,
         merged_into = ?16 WHERE account_id = ?1 AND id = ?2",
        &params![
            account,
            contact.id,
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
            contact.updated_at,
            status(contact.archived),
            contact.merged_into,
        ],
    )
}

/// Lets what was merged into one contact earlier lead on to another.
pub fn lead_on(tx: &mut Tx<'_>, account: i64, from: i64, into: i64, now: Timestamp) -> Result<(), StoreError> {
    let leading = "SELECT id FROM contacts WHERE account_id = ?1 AND merged_into = ?2 ORDER BY id";
    for id in tx.query(leading, &params![account, from], |row| row.int(0))? {
        tx.record(ResourceKind::Contact, id, Event::Updated);
    }
    let sql = "UPDATE contacts SET merged_into = ?3, updated_at = ?4 WHERE account_id = ?1 AND merged_into = ?2";
    tx.execute(sql, &params![account, from, into, now])
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
    /// Only those that are archived, or only those that are not.
    pub archived: Option<bool>,
    /// Only those that changed at this moment or later.
    pub updated: Option<Updated>,
}

impl ContactFilter {
    fn of(&self, account: i64) -> Filter<'_> {
        let mut filter = Filter::of(account);
        filter.given("external_id =", self.external_id.as_ref());
        if let Some(text) = &self.text {
            filter.holds(&["folded"], text, None);
        }
        filter.given("status =", self.archived.map(status));
        filter.updated(self.updated);
        filter
    }
}

/// Contacts in the order of their ids, from `after` on.
pub fn list(tx: &mut Tx<'_>, account: i64, filter: &ContactFilter, after: i64, limit: i64) -> Result<Vec<Contact>, StoreError> {
    let mut filter = filter.of(account);
    filter.with("id >", after);
    let limit = filter.bind(limit);
    tx.query(&format!("SELECT {COLUMNS} FROM contacts WHERE {filter} ORDER BY id LIMIT {limit}"), filter.values(), read)
}

/// The column that a page orders contacts by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ContactColumn {
    /// The name, in lower case.
    Name,
    /// The town.
    City,
    /// The order in which they were made.
    Made,
    /// What is still to be received.
    Due,
    /// What was invoiced, excluding VAT.
    Turnover,
    /// The same of one year.
    TurnoverOf(i16),
}

/// A contact in a list, with what it was invoiced and what of that is open.
#[derive(Debug, Clone)]
pub struct ContactRow {
    /// The contact.
    pub contact: Contact,
    /// Its sums.
    pub sums: ContactSums,
}

/// What a contact was invoiced, in euros.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ContactSums {
    /// Invoices and credit notes, drafts too.
    pub documents: i64,
    /// Excluding VAT, credit notes taken off.
    pub turnover: Cents,
    /// Of that, of the year that was asked for.
    pub turnover_of_year: Cents,
    /// Still to be received on what has gone out.
    pub due: Cents,
}

/// A page of contacts in an order, each with its sums.
pub fn table(
    tx: &mut Tx<'_>,
    account: i64,
    filter: &ContactFilter,
    (column, down): (ContactColumn, bool),
    (offset, limit): (i64, i64),
) -> Result<Vec<Contact>, StoreError> {
    let mut filter = filter.of(account);
    let direction = if down { "DESC" } else { "ASC" };
    let order = match column {
        ContactColumn::Name => format!("folded {direction}, id"),
        ContactColumn::City => format!("COALESCE(city, '') {direction}, folded, id"),
        ContactColumn::Made => format!("id {direction}"),
        ContactColumn::Due => format!("{} {direction}, folded, id", total("t.due")),
        ContactColumn::Turnover => format!("{} {direction}, folded, id", total("t.subtotal")),
        ContactColumn::TurnoverOf(year) => {
            let year = filter.bind(i64::from(year));
            format!("{} {direction}, folded, id", total(&format!("CASE WHEN t.year = {year} THEN t.subtotal ELSE 0 END")))
        }
    };
    let (limit, offset) = (filter.bind(limit), filter.bind(offset));
    let sql = format!("SELECT {COLUMNS} FROM contacts WHERE {filter} ORDER BY {order} LIMIT {limit} OFFSET {offset}");
    tx.query(&sql, filter.values(), read)
}

/// How many contacts a filter finds.
pub fn count(tx: &mut Tx<'_>, account: i64, filter: &ContactFilter) -> Result<i64, StoreError> {
    let filter = filter.of(account);
    tx.query_one(&format!("SELECT COUNT(*) FROM contacts WHERE {filter}"), filter.values(), |row| row.int(0))
}

/// What the contacts that a filter finds were invoiced, all together; `turnover_of_year` is that of `year`.
pub fn sums(tx: &mut Tx<'_>, account: i64, filter: &ContactFilter, year: i16) -> Result<ContactSums, StoreError> {
    let mut filter = filter.of(account);
    let year = filter.bind(i64::from(year));
    let sum = |what: &str| format!("CAST(COALESCE(SUM({what}), 0) AS BIGINT)");
    let (documents, turnover, due) = (sum("documents"), sum("subtotal"), sum("due"));
    let of_year = sum(&format!("CASE WHEN year = {year} THEN subtotal ELSE 0 END"));
    let sql = format!(
        "SELECT {documents}, {turnover}, {of_year}, {due} FROM sales_totals WHERE account_id = ?1 AND dimension = 'contact'
         AND member IN (SELECT CAST(id AS TEXT) FROM contacts WHERE {filter})"
    );
    tx.query_one(&sql, filter.values(), |row| {
        let amount = |column| row.int(column).map(Cents::new);
        Ok(ContactSums { documents: row.int(0)?, turnover: amount(1)?, turnover_of_year: amount(2)?, due: amount(3)? })
    })
}

/// A sum over the kept sums of a contact, to order by.
fn total(of: &str) -> String {
    format!(
        "(SELECT COALESCE(SUM({of}), 0) FROM sales_totals t
          WHERE t.account_id = ?1 AND t.dimension = 'contact' AND t.member = CAST(contacts.id AS TEXT))"
    )
}
