//! Invoices and credit notes with their lines.

use crate::{
    StoreError, Tx,
    contacts::{Party, read_party},
    param::Param,
    params,
    row::Row,
    tx::id_list,
};
use jiff::{Timestamp, civil::Date};
use ledger::{
    calendar::Quarter,
    decimal::{self, Decimal},
    invoice::Line,
    money::Cents,
    vat::{VatCategory, VatRate},
};

/// What kind of document it is; both share one number series.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A claim on the customer.
    Invoice,
    /// Takes an invoice back, wholly or in part; its amounts are negative.
    CreditNote,
}

/// Whether the document has gone out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Status {
    /// Can still be edited.
    Draft,
    /// Can only be paid or credited.
    Sent,
}

/// Which door it came in by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Door {
    /// The REST API.
    Api,
    /// The application.
    App,
}

macro_rules! names {
    ($kind:ty { $($variant:path => $name:literal),* $(,)? }) => {
        impl $kind {
            /// The name in the API and in the database.
            #[must_use]
            pub fn as_str(self) -> &'static str {
                match self { $($variant => $name),* }
            }

            /// What has that name.
            #[must_use]
            pub fn parse(text: &str) -> Option<Self> {
                match text { $($name => Some($variant),)* _ => None }
            }
        }
    };
}
names!(Kind { Kind::Invoice => "invoice", Kind::CreditNote => "creditNote" });
names!(Status { Status::Draft => "draft", Status::Sent => "sent" });
names!(Door { Door::Api => "api", Door::App => "app" });

/// An invoice or credit note as it is stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Invoice {
    /// Unique inside the account.
    pub id: i64,
    /// The caller's own identifier.
    pub external_id: Option<String>,
    /// Invoice or credit note.
    pub kind: Kind,
    /// The number as it is printed.
    pub number: String,
    /// The year of the series that the number is from.
    pub number_year: i16,
    /// The place in that series, from 1.
    pub number_in_year: i64,
    /// Draft or sent.
    pub status: Status,
    /// Decides the VAT period.
    pub invoice_date: Date,
    /// When it should be paid.
    pub due_date: Date,
    /// The contact behind it.
    pub contact_id: i64,
    /// The customer as it was when the invoice was made.
    pub customer: Party,
    /// Printed on the invoice.
    pub reference: Option<String>,
    /// Printed on the invoice.
    pub notes: Option<String>,
    /// Excluding VAT.
    pub subtotal: Cents,
    /// The VAT.
    pub vat_total: Cents,
    /// Including VAT.
    pub total: Cents,
    /// The sum of its payments.
    pub amount_paid: Cents,
    /// The sum of its credit notes, positive.
    pub amount_credited: Cents,
    /// The day on which it was wholly paid.
    pub paid_at: Option<Date>,
    /// The invoice that a credit note takes back.
    pub credited_invoice_id: Option<i64>,
    /// Which door it came in by.
    pub source: Door,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it last changed.
    pub updated_at: Timestamp,
}

const COLUMNS: &str = "id, external_id, kind, number, number_year, number_in_year, status, invoice_date, due_date, contact_id, \
     customer_external_id, customer_name, customer_country, customer_email, customer_vat_number, customer_kvk_number, \
     customer_contact_person, customer_street, customer_postal_code, customer_city, reference, notes, subtotal, vat_total, total, \
     amount_paid, amount_credited, paid_at, credited_invoice_id, source, created_at, updated_at";

fn read(row: &Row<'_>) -> Result<Invoice, StoreError> {
    Ok(Invoice {
        id: row.int(0)?,
        external_id: row.opt_text(1)?,
        kind: row.parsed(2, Kind::parse)?,
        number: row.text(3)?,
        number_year: row.narrow(4)?,
        number_in_year: row.int(5)?,
        status: row.parsed(6, Status::parse)?,
        invoice_date: row.date(7)?,
        due_date: row.date(8)?,
        contact_id: row.int(9)?,
        customer: read_party(row, 10)?,
        reference: row.opt_text(20)?,
        notes: row.opt_text(21)?,
        subtotal: Cents::new(row.int(22)?),
        vat_total: Cents::new(row.int(23)?),
        total: Cents::new(row.int(24)?),
        amount_paid: Cents::new(row.int(25)?),
        amount_credited: Cents::new(row.int(26)?),
        paid_at: row.opt_date(27)?,
        credited_invoice_id: row.opt_int(28)?,
        source: row.parsed(29, Door::parse)?,
        created_at: row.time(30)?,
        updated_at: row.time(31)?,
    })
}

/// Stores a new document with its lines.
pub fn insert(tx: &mut Tx<'_>, account: i64, invoice: &Invoice, lines: &[Line], amounts: &[Cents]) -> Result<(), StoreError> {
    let customer = &invoice.customer;
    tx.insert_rows(
        &format!("INSERT INTO invoices (account_id, {COLUMNS})"),
        33,
        &params![
            account,
            invoice.id,
            &invoice.external_id,
            invoice.kind.as_str(),
            &invoice.number,
            i64::from(invoice.number_year),
            invoice.number_in_year,
            invoice.status.as_str(),
            invoice.invoice_date,
            invoice.due_date,
            invoice.contact_id,
            &customer.external_id,
            &customer.name,
            customer.country.as_str(),
            &customer.email,
            &customer.vat_number,
            &customer.kvk_number,
            &customer.contact_person,
            &customer.street,
            &customer.postal_code,
            &customer.city,
            &invoice.reference,
            &invoice.notes,
            invoice.subtotal.get(),
            invoice.vat_total.get(),
            invoice.total.get(),
            invoice.amount_paid.get(),
            invoice.amount_credited.get(),
            invoice.paid_at,
            invoice.credited_invoice_id,
            invoice.source.as_str(),
            invoice.created_at,
            invoice.updated_at,
        ],
        "",
    )?;
    insert_lines(tx, account, invoice.id, lines, amounts)
}

fn insert_lines(tx: &mut Tx<'_>, account: i64, invoice: i64, lines: &[Line], amounts: &[Cents]) -> Result<(), StoreError> {
    let mut values = Vec::with_capacity(lines.len() * 9);
    for (place, (line, amount)) in (1_i64..).zip(lines.iter().zip(amounts)) {
        values.extend(params![
            account,
            invoice,
            place,
            &line.description,
            decimal::plain(&line.quantity),
            decimal::plain(&line.unit_price),
            i64::from(line.vat_rate.basis_points()),
            line.vat_category.as_str(),
            amount.get(),
        ]);
    }
    tx.insert_rows(
        "INSERT INTO invoice_items (account_id, invoice_id, line, description, quantity, unit_price, vat_basis_points, vat_category, amount)",
        9,
        &values,
        "",
    )
}

/// Replaces what an edit of a draft may change, its lines among it.
pub fn replace(tx: &mut Tx<'_>, account: i64, invoice: &Invoice, lines: &[Line], amounts: &[Cents]) -> Result<(), StoreError> {
    let customer = &invoice.customer;
    tx.execute(
        "UPDATE invoices SET status = ?3, invoice_date = ?4, due_date = ?5, contact_id = ?6, customer_external_id = ?7,
         customer_name = ?8, customer_country = ?9, customer_email = ?10, customer_vat_number = ?11, customer_kvk_number = ?12,
         customer_contact_person = ?13, customer_street = ?14, customer_postal_code = ?15, customer_city = ?16, reference = ?17,
         notes = ?18, subtotal = ?19, vat_total = ?20, total = ?21, paid_at = ?22, updated_at = ?23 WHERE account_id = ?1 AND id = ?2",
        &params![
            account,
            invoice.id,
            invoice.status.as_str(),
            invoice.invoice_date,
            invoice.due_date,
            invoice.contact_id,
            &customer.external_id,
            &customer.name,
            customer.country.as_str(),
            &customer.email,
            &customer.vat_number,
            &customer.kvk_number,
            &customer.contact_person,
            &customer.street,
            &customer.postal_code,
            &customer.city,
            &invoice.reference,
            &invoice.notes,
            invoice.subtotal.get(),
            invoice.vat_total.get(),
            invoice.total.get(),
            invoice.paid_at,
            invoice.updated_at,
        ],
    )?;
    tx.execute("DELETE FROM invoice_items WHERE account_id = ?1 AND invoice_id = ?2", &params![account, invoice.id])?;
    insert_lines(tx, account, invoice.id, lines, amounts)
}

/// Notes what has been paid and credited.
pub fn settle(tx: &mut Tx<'_>, account: i64, invoice: &Invoice) -> Result<(), StoreError> {
    tx.execute(
        "UPDATE invoices SET amount_paid = ?3, amount_credited = ?4, paid_at = ?5, updated_at = ?6 WHERE account_id = ?1 AND id = ?2",
        &params![
            account,
            invoice.id,
            invoice.amount_paid.get(),
            invoice.amount_credited.get(),
            invoice.paid_at,
            invoice.updated_at,
        ],
    )
}

/// The document with that id.
pub fn by_id(tx: &mut Tx<'_>, account: i64, id: i64) -> Result<Option<Invoice>, StoreError> {
    tx.query_opt(&format!("SELECT {COLUMNS} FROM invoices WHERE account_id = ?1 AND id = ?2"), &params![account, id], read)
}

/// The id of the document with that external id.
pub fn id_by_external_id(tx: &mut Tx<'_>, account: i64, kind: Kind, external_id: &str) -> Result<Option<i64>, StoreError> {
    let sql = "SELECT id FROM invoices WHERE account_id = ?1 AND kind = ?2 AND external_id = ?3";
    tx.query_opt(sql, &params![account, kind.as_str(), external_id], |row| row.int(0))
}

/// The lines of a document with their amounts, in order.
pub fn lines(tx: &mut Tx<'_>, account: i64, invoice: i64) -> Result<Vec<(Line, Cents)>, StoreError> {
    tx.query(
        "SELECT description, quantity, unit_price, vat_basis_points, vat_category, amount FROM invoice_items
         WHERE account_id = ?1 AND invoice_id = ?2 ORDER BY line",
        &params![account, invoice],
        read_line,
    )
}

/// Which documents are meant.
#[derive(Debug, Clone, Default)]
pub struct InvoiceFilter {
    /// Only those in this state.
    pub status: Option<Status>,
    /// Only those that are paid, or that are not.
    pub paid: Option<bool>,
    /// Only those of this kind.
    pub kind: Option<Kind>,
    /// Only those dated from this day on.
    pub from: Option<Date>,
    /// Only those dated up to and including this day.
    pub to: Option<Date>,
    /// Only those with this external id.
    pub external_id: Option<String>,
    /// Only the one with this number.
    pub number: Option<String>,
    /// Only those of this contact.
    pub contact_id: Option<i64>,
    /// Only those that changed at this moment or later.
    pub updated_since: Option<Timestamp>,
}

/// Documents, newest first, those with an id below `before`.
pub fn list(tx: &mut Tx<'_>, account: i64, filter: &InvoiceFilter, before: i64, limit: i64) -> Result<Vec<Invoice>, StoreError> {
    let mut values: Vec<Param<'_>> = params![account, before, limit].into();
    let mut conditions = String::new();
    let wanted: [(&str, Option<Param<'_>>); 6] = [
        ("status =", filter.status.map(|status| status.as_str().into())),
        ("kind =", filter.kind.map(|kind| kind.as_str().into())),
        ("invoice_date >=", filter.from.map(Param::Date)),
        ("invoice_date <=", filter.to.map(Param::Date)),
        ("contact_id =", filter.contact_id.map(Param::Int)),
        ("updated_at >=", filter.updated_since.map(Param::Time)),
    ];
    for (condition, value) in wanted {
        if let Some(value) = value {
            values.push(value);
            conditions += &format!(" AND {condition} ?{}", values.len());
        }
    }
    if let Some(named) = named(tx, account, filter)? {
        if named.is_empty() {
            return Ok(Vec::new());
        }
        let first = values.len() + 1;
        let (places, ids) = id_list(&named, first);
        values.extend(ids.into_iter().map(Param::Int));
        conditions += &format!(" AND id IN ({places})");
    }
    conditions += match filter.paid {
        Some(true) => " AND paid_at IS NOT NULL",
        Some(false) => " AND paid_at IS NULL",
        None => "",
    };
    let sql = format!("SELECT {COLUMNS} FROM invoices WHERE account_id = ?1 AND id < ?2{conditions} ORDER BY id DESC LIMIT ?3");
    tx.query(&sql, &values, read)
}

/// The few documents that an external id and a number name, if the filter has either. They are looked up by themselves, each in its
/// own index: asked together with the order, a planner may walk all documents instead.
fn named(tx: &mut Tx<'_>, account: i64, filter: &InvoiceFilter) -> Result<Option<Vec<i64>>, StoreError> {
    let mut named: Option<Vec<i64>> = None;
    if let Some(external_id) = &filter.external_id {
        let of_kind = [Kind::Invoice, Kind::CreditNote].map(|kind| id_by_external_id(tx, account, kind, external_id));
        named = Some(of_kind.into_iter().collect::<Result<Vec<_>, _>>()?.into_iter().flatten().collect());
    }
    if let Some(number) = &filter.number {
        let sql = "SELECT id FROM invoices WHERE account_id = ?1 AND number = ?2";
        let numbered = tx.query(sql, &params![account, number], |row| row.int(0))?;
        named = Some(match named {
            Some(ids) => ids.into_iter().filter(|id| numbered.contains(id)).collect(),
            None => numbered,
        });
    }
    Ok(named)
}

/// The lines of several documents with their amounts: document, line, amount; by document and in order.
pub fn lines_of(tx: &mut Tx<'_>, account: i64, invoices: &[i64]) -> Result<Vec<(i64, Line, Cents)>, StoreError> {
    let (places, ids) = id_list(invoices, 2);
    let mut values: Vec<Param<'_>> = params![account].into();
    values.extend(ids.into_iter().map(Param::Int));
    let sql = format!(
        "SELECT description, quantity, unit_price, vat_basis_points, vat_category, amount, invoice_id FROM invoice_items
         WHERE account_id = ?1 AND invoice_id IN ({places}) ORDER BY invoice_id, line"
    );
    tx.query(&sql, &values, |row| {
        let (line, amount) = read_line(row)?;
        Ok((row.int(6)?, line, amount))
    })
}

/// What must be known before a document is made.
#[derive(Debug, Clone, Copy)]
pub struct Ground {
    /// The document of this kind that has the external id already.
    pub known: Option<i64>,
    /// The return of the date's quarter is filed.
    pub filed: bool,
    /// The last number that was given out in the date's year.
    pub last_number: i64,
}

/// What must be known before a document is made, in one question.
pub fn ground(tx: &mut Tx<'_>, account: i64, kind: Kind, external_id: Option<&str>, date: Date) -> Result<Ground, StoreError> {
    let quarter = Quarter::of(date);
    tx.query_one(
        "SELECT (SELECT id FROM invoices WHERE account_id = ?1 AND kind = ?2 AND external_id = ?3),
                (SELECT count(*) FROM vat_filings WHERE account_id = ?1 AND year = ?4 AND quarter = ?5 AND status = 'filed'),
                (SELECT last FROM number_series WHERE account_id = ?1 AND year = ?4)",
        &params![account, kind.as_str(), external_id, i64::from(quarter.year()), i64::from(quarter.number())],
        |row| Ok(Ground { known: row.opt_int(0)?, filed: row.int(1)? > 0, last_number: row.opt_int(2)?.unwrap_or(0) }),
    )
}

/// By how much the VAT of a credit note differs from what its lines say; see `Priced::correct_vat` of the ledger.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct VatCorrection {
    /// The rate of the group.
    pub rate: VatRate,
    /// The category of the group.
    pub category: VatCategory,
    /// The difference, in cents.
    pub by: Cents,
}

/// Stores the corrections of a new credit note.
pub fn insert_vat_corrections(
    tx: &mut Tx<'_>,
    account: i64,
    invoice: i64,
    corrections: &[VatCorrection],
) -> Result<(), StoreError> {
    let mut values = Vec::with_capacity(corrections.len() * 5);
    for correction in corrections {
        let basis_points = i64::from(correction.rate.basis_points());
        values.extend(params![account, invoice, basis_points, correction.category.as_str(), correction.by.get()]);
    }
    let head = "INSERT INTO vat_corrections (account_id, invoice_id, vat_basis_points, vat_category, difference)";
    tx.insert_rows(head, 5, &values, "")
}

/// The corrections of a credit note.
pub fn vat_corrections(tx: &mut Tx<'_>, account: i64, invoice: i64) -> Result<Vec<VatCorrection>, StoreError> {
    tx.query(
        "SELECT vat_basis_points, vat_category, difference FROM vat_corrections WHERE account_id = ?1 AND invoice_id = ?2
         ORDER BY vat_basis_points, vat_category",
        &params![account, invoice],
        |row| {
            Ok(VatCorrection {
                rate: VatRate::from_basis_points(row.narrow(0)?),
                category: row.parsed(1, VatCategory::parse)?,
                by: Cents::new(row.int(2)?),
            })
        },
    )
}

fn read_line(row: &Row<'_>) -> Result<(Line, Cents), StoreError> {
    let line = Line {
        description: row.text(0)?,
        quantity: row.parsed(1, decimal_from)?,
        unit_price: row.parsed(2, decimal_from)?,
        vat_rate: VatRate::from_basis_points(row.narrow(3)?),
        vat_category: row.parsed(4, VatCategory::parse)?,
    };
    Ok((line, Cents::new(row.int(5)?)))
}

fn decimal_from(text: &str) -> Option<Decimal> {
    decimal::parse(text).ok()
}

/// Documents after an id, in the order of their ids; for the proof of the books.
pub fn after(tx: &mut Tx<'_>, account: i64, after: i64, limit: i64) -> Result<Vec<Invoice>, StoreError> {
    tx.query(
        &format!("SELECT {COLUMNS} FROM invoices WHERE account_id = ?1 AND id > ?2 ORDER BY id LIMIT ?3"),
        &params![account, after, limit],
        read,
    )
}

/// The last number given out per year.
pub fn series(tx: &mut Tx<'_>, account: i64) -> Result<Vec<(i16, i64)>, StoreError> {
    tx.query("SELECT year, last FROM number_series WHERE account_id = ?1 ORDER BY year", &params![account], |row| {
        Ok((row.narrow(0)?, row.int(1)?))
    })
}

/// The ids of the credit notes on an invoice, oldest first.
pub fn credit_notes_of(tx: &mut Tx<'_>, account: i64, invoice: i64) -> Result<Vec<i64>, StoreError> {
    tx.query(
        "SELECT id FROM invoices WHERE account_id = ?1 AND credited_invoice_id = ?2 ORDER BY id",
        &params![account, invoice],
        |row| row.int(0),
    )
}
