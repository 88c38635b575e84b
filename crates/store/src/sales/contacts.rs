//! Contacts: customers and suppliers.

use crate::{
    StoreError, Tx, Updated,
    changes::{Event, ResourceKind},
    engine::{
        filter::Filter,
        record::{self, Record, fields, next, record},
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

record! {
    Contact {
        "id": id,
        "external_id, name, country, email, vat_number, kvk_number, contact_person, street, postal_code, city": party,
        "created_at": created_at,
        "updated_at": updated_at,
        "status": archived with archived,
        "merged_into": merged_into,
    }
}
fields! { Party { external_id, name, country, email, vat_number, kvk_number, contact_person, street, postal_code, city } }

/// Whether something is archived, as a column tells it.
pub(crate) mod archived {
    use super::{Param, Row, StoreError, next, status};

    pub(crate) fn take(row: &Row<'_>, at: &mut usize) -> Result<bool, StoreError> {
        row.parsed(next(at), |text| [false, true].into_iter().find(|archived| status(*archived) == text))
    }

    pub(crate) fn put(archived: &bool, values: &mut Vec<Param<'_>>) {
        values.push(status(*archived).into());
    }
}

/// How it is stored, and told, whether something is archived.
#[must_use]
pub fn status(archived: bool) -> &'static str {
    if archived { "archived" } else { "active" }
}

/// Stores a new contact.
pub fn insert(tx: &mut Tx<'_>, account: i64, contact: &Contact) -> Result<(), StoreError> {
    tx.record(ResourceKind::Contact, contact.id, Event::Created);
    let (columns, values) = with_folded(account, contact);
    record::insert(tx, "contacts", &columns, &values)
}

/// Stores what has become of a contact.
pub fn update(tx: &mut Tx<'_>, account: i64, contact: &Contact) -> Result<(), StoreError> {
    tx.record(ResourceKind::Contact, contact.id, Event::Updated);
    let (columns, values) = with_folded(account, contact);
    record::update(tx, "contacts", &columns, &values)
}

/// The columns of a contact and their values, with what a search looks in. The line feed keeps a text from being found across both.
fn with_folded(account: i64, contact: &Contact) -> (String, Vec<Param<'_>>) {
    let mut values = contact.values(account);
    let folded = format!("{}\n{}", contact.party.name, contact.party.email.as_deref().unwrap_or("")).to_lowercase();
    values.push(folded.into());
    (format!("{}, folded", Contact::COLUMNS), values)
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

/// The contact with that id.
pub fn by_id(tx: &mut Tx<'_>, account: i64, id: i64) -> Result<Option<Contact>, StoreError> {
    let sql = format!("SELECT {} FROM contacts WHERE account_id = ?1 AND id = ?2", Contact::COLUMNS);
    tx.query_opt(&sql, &params![account, id], Contact::read)
}

/// The contact with that external id.
pub fn by_external_id(tx: &mut Tx<'_>, account: i64, external_id: &str) -> Result<Option<Contact>, StoreError> {
    let sql = format!("SELECT {} FROM contacts WHERE account_id = ?1 AND external_id = ?2", Contact::COLUMNS);
    tx.query_opt(&sql, &params![account, external_id], Contact::read)
}

/// The oldest contact without an external id that has exactly this name and country.
pub fn by_name(tx: &mut Tx<'_>, account: i64, name: &str, country: CountryCode) -> Result<Option<Contact>, StoreError> {
    let sql = format!(
        "SELECT {} FROM contacts WHERE account_id = ?1 AND name = ?2 AND country = ?3 AND external_id IS NULL ORDER BY id LIMIT 1",
        Contact::COLUMNS
    );
    tx.query_opt(&sql, &params![account, name, country.as_str()], Contact::read)
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
    let sql = format!("SELECT {} FROM contacts WHERE {filter} ORDER BY id LIMIT {limit}", Contact::COLUMNS);
    tx.query(&sql, filter.values(), Contact::read)
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
    let columns = Contact::COLUMNS;
    let sql = format!("SELECT {columns} FROM contacts WHERE {filter} ORDER BY {order} LIMIT {limit} OFFSET {offset}");
    tx.query(&sql, filter.values(), Contact::read)
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
