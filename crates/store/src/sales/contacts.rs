//! Contacts: customers and suppliers.

use crate::{
    StoreError, Tx, Updated,
    changes::{Event, ResourceKind},
    engine::{
        filter::Filter,
        record::{self, Record, Table, fields, next, record},
        table::{self, table_functions},
    },
    param::Param,
    params,
    row::Row,
};
use jiff::Timestamp;
use ledger::{country::CountryCode, money::Cents};

/// Identity of a contact; an invoice keeps a copy of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Party {
    /// The caller's own identifier, unique within the account.
    pub external_id: Option<String>,
    /// The person's or company's name.
    pub name: String,
    /// Country in which they are established.
    pub country: CountryCode,
    /// Email address.
    pub email: Option<String>,
    /// VAT number in its compact form.
    pub vat_number: Option<String>,
    /// Number in the Dutch Business Register.
    pub kvk_number: Option<String>,
    /// Contact person.
    pub contact_person: Option<String>,
    /// Street and house number.
    pub street: Option<String>,
    /// Postal code.
    pub postal_code: Option<String>,
    /// Town.
    pub city: Option<String>,
}

/// Stored contact.
#[derive(Debug, Clone)]
pub struct Contact {
    /// Unique within the account.
    pub id: i64,
    /// Identity of the contact.
    pub party: Party,
    /// Creation time.
    pub created_at: Timestamp,
    /// Time of the last change.
    pub updated_at: Timestamp,
    /// Whether it is archived, so that it is no longer suggested.
    pub archived: bool,
    /// Contact into which it was merged.
    pub merged_into: Option<i64>,
}

record! {
    "contacts": Contact {
        "id": id,
        "external_id, name, country, email, vat_number, kvk_number, contact_person, street, postal_code, city": party,
        "created_at": created_at,
        "updated_at": updated_at,
        "status": archived with archived,
        "merged_into": merged_into,
    }
}
table_functions!(Contact: by_id, by_external_id);
fields! { Party { external_id, name, country, email, vat_number, kvk_number, contact_person, street, postal_code, city } }

/// Column adapter for the archived flag.
pub(crate) mod archived {
    use super::{Param, Row, StoreError, next, status};

    pub(crate) fn take(row: &Row<'_>, at: &mut usize) -> Result<bool, StoreError> {
        row.parsed(next(at), |text| [false, true].into_iter().find(|archived| status(*archived) == text))
    }

    pub(crate) fn put(archived: &bool, values: &mut Vec<Param<'_>>) {
        values.push(status(*archived).into());
    }
}

/// Status name of the archived flag in the database and in the API.
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

/// Stores a changed contact.
pub fn update(tx: &mut Tx<'_>, account: i64, contact: &Contact) -> Result<(), StoreError> {
    tx.record(ResourceKind::Contact, contact.id, Event::Updated);
    let (columns, values) = with_folded(account, contact);
    record::update(tx, "contacts", &columns, &values)
}

/// Columns and values of a contact, with the text for searches. The line feed prevents matches that
/// span both parts.
fn with_folded(account: i64, contact: &Contact) -> (String, Vec<Param<'_>>) {
    let mut values = contact.values(account);
    let folded = format!("{}\n{}", contact.party.name, contact.party.email.as_deref().unwrap_or("")).to_lowercase();
    values.push(folded.into());
    (format!("{}, folded", Contact::COLUMNS), values)
}

/// Redirects the contacts that were merged into `from` to `into`.
pub fn lead_on(tx: &mut Tx<'_>, account: i64, from: i64, into: i64, now: Timestamp) -> Result<(), StoreError> {
    let leading = "SELECT id FROM contacts WHERE account_id = ?1 AND merged_into = ?2 ORDER BY id";
    for id in tx.query(leading, &params![account, from], |row| row.int(0))? {
        tx.record(ResourceKind::Contact, id, Event::Updated);
    }
    let sql = "UPDATE contacts SET merged_into = ?3, updated_at = ?4 WHERE account_id = ?1 AND merged_into = ?2";
    tx.execute(sql, &params![account, from, into, now])
}

/// Oldest contact without an external id that has exactly this name and country.
pub fn by_name(tx: &mut Tx<'_>, account: i64, name: &str, country: CountryCode) -> Result<Option<Contact>, StoreError> {
    let sql = Contact::select("account_id = ?1 AND name = ?2 AND country = ?3 AND external_id IS NULL ORDER BY id LIMIT 1");
    tx.query_opt(&sql, &params![account, name, country.as_str()], Contact::read)
}

/// Filter for contacts.
#[derive(Debug, Clone, Default)]
pub struct ContactFilter {
    /// Only the contact with this external id.
    pub external_id: Option<String>,
    /// Only contacts whose name or email address contains this text, ignoring case.
    pub text: Option<String>,
    /// Only archived, or only other contacts.
    pub archived: Option<bool>,
    /// Only contacts that changed at this time or later.
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

/// Contacts after an id, ordered by id.
pub fn list(tx: &mut Tx<'_>, account: i64, filter: &ContactFilter, after: i64, limit: i64) -> Result<Vec<Contact>, StoreError> {
    let mut filter = filter.of(account);
    filter.with("id >", after);
    table::first(tx, filter, "id", limit)
}

/// Column by which a page orders contacts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ContactColumn {
    /// Name, in lower case.
    Name,
    /// Town.
    City,
    /// Order of creation.
    Made,
    /// Amount still to be received.
    Due,
    /// Turnover, excluding VAT.
    Turnover,
    /// Turnover of one year, excluding VAT.
    TurnoverOf(i16),
}

/// A contact in a list, with its totals.
#[derive(Debug, Clone)]
pub struct ContactRow {
    /// The contact.
    pub contact: Contact,
    /// Totals of the contact.
    pub sums: ContactSums,
}

/// Totals of a contact's invoices, in euros.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ContactSums {
    /// Number of invoices and credit notes, including drafts.
    pub documents: i64,
    /// Turnover excluding VAT, less credit notes.
    pub turnover: Cents,
    /// Part of the turnover in the requested year.
    pub turnover_of_year: Cents,
    /// Amount still to be received on sent invoices.
    pub due: Cents,
}

/// Page of contacts in an order.
pub fn table(
    tx: &mut Tx<'_>,
    account: i64,
    filter: &ContactFilter,
    (column, down): (ContactColumn, bool),
    part: (i64, i64),
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
    table::section(tx, filter, &order, part)
}

/// Number of contacts that match a filter.
pub fn count(tx: &mut Tx<'_>, account: i64, filter: &ContactFilter) -> Result<i64, StoreError> {
    let filter = filter.of(account);
    tx.query_one(&format!("SELECT COUNT(*) FROM contacts WHERE {filter}"), filter.values(), |row| row.int(0))
}

/// Totals of all contacts that match a filter; `turnover_of_year` is that of `year`.
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

/// SQL expression for a total of a contact, to order by.
fn total(of: &str) -> String {
    format!(
        "(SELECT COALESCE(SUM({of}), 0) FROM sales_totals t
          WHERE t.account_id = ?1 AND t.dimension = 'contact' AND t.member = CAST(contacts.id AS TEXT))"
    )
}
