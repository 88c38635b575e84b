//! Invoices and credit notes with their lines.

use crate::{
    StoreError, Tx, Updated,
    changes::{self, Event, Topic},
    contacts::{Party, customer_columns},
    engine::{
        filter::Filter,
        record::{self, Column, Record, columns_by_name, fields, record},
        table::{self, table_functions},
    },
    params,
    row::Row,
};
use jiff::{Timestamp, civil::Date};
use ledger::{
    cash_accounting::VatMethod,
    discount::Discount,
    invoice::{Line, Prices},
    language::Language,
    money::Cents,
    unusual_day::UnusualDay,
    vat_period::VatPeriod,
};

/// Kind of document; all kinds share one number series.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum InvoiceKind {
    /// A claim on the customer.
    Invoice,
    /// Credits an invoice, fully or in part; its amounts are negative.
    CreditNote,
}

/// Status of a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Status {
    /// Not sent; can still be edited.
    Draft,
    /// Sent; can no longer be edited.
    Sent,
    /// Cancelled draft; its number is not reused.
    Cancelled,
}

/// Origin of a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    /// The REST API.
    Api,
    /// The application.
    App,
    /// Opening balance: an item that was open at the start of the books, of which only the open
    /// amount is known.
    Opening,
}

impl InvoiceKind {
    /// Resource kind in the change feed.
    fn changes(self) -> changes::ResourceKind {
        match self {
            Self::Invoice => changes::ResourceKind::Invoice,
            Self::CreditNote => changes::ResourceKind::CreditNote,
        }
    }
}

macro_rules! names {
    ($kind:ty { $($variant:path => $name:literal),* $(,)? }) => {
        impl $kind {
            /// Name in the API and in the database.
            #[must_use]
            pub fn as_str(self) -> &'static str {
                match self { $($variant => $name),* }
            }

            /// Parses a name.
            #[must_use]
            pub fn parse(text: &str) -> Option<Self> {
                match text { $($name => Some($variant),)* _ => None }
            }
        }
    };
}
names!(InvoiceKind { InvoiceKind::Invoice => "invoice", InvoiceKind::CreditNote => "creditNote" });
names!(Status { Status::Draft => "draft", Status::Sent => "sent", Status::Cancelled => "cancelled" });
names!(Origin { Origin::Api => "api", Origin::App => "app", Origin::Opening => "opening" });
columns_by_name!(InvoiceKind, Status, Origin);

/// Stored invoice or credit note.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Invoice {
    /// Unique within the account.
    pub id: i64,
    /// The caller's own identifier.
    pub external_id: Option<String>,
    /// Invoice or credit note.
    pub kind: InvoiceKind,
    /// Number as printed.
    pub number: String,
    /// Year of the number series.
    pub number_year: i16,
    /// Number within the series of the year, from 1; 0 for an item that was open at the start of
    /// the books, and [`TAKEN_BACK`] once that item has been undone.
    pub number_in_year: i64,
    /// Status of the document.
    pub status: Status,
    /// Invoice date, which determines the year of the number and the due date.
    pub invoice_date: Date,
    /// First day of supply.
    pub supply_date: Option<Date>,
    /// Last day of supply, if the supply took more than one day.
    pub supply_until: Option<Date>,
    /// Date on which the VAT is due; determines the VAT period.
    pub vat_date: Date,
    /// Due date.
    pub due_date: Date,
    /// Id of the customer's contact.
    pub contact_id: i64,
    /// Customer details at the time of invoicing.
    pub customer: Party,
    /// Reference printed on the invoice.
    pub reference: Option<String>,
    /// Notes printed on the invoice.
    pub notes: Option<String>,
    /// Total excluding VAT.
    pub subtotal: Cents,
    /// VAT.
    pub vat_total: Cents,
    /// Total including VAT.
    pub total: Cents,
    /// Total of the payments on the invoice.
    pub amount_paid: Cents,
    /// Total of the credit notes for the invoice, as a positive amount.
    pub amount_credited: Cents,
    /// Amount written off as bad debt, less the amount recovered.
    pub amount_written_off: Cents,
    /// Date on which the document was fully paid.
    pub paid_at: Option<Date>,
    /// Date of the first payment.
    pub first_paid_on: Option<Date>,
    /// Whether the unit prices include VAT.
    pub prices_include_vat: bool,
    /// Whether the document is a prepayment invoice, sent before the supply.
    pub prepayment: bool,
    /// Id of the invoice that a credit note credits.
    pub credited_invoice_id: Option<i64>,
    /// Origin of the document.
    pub source: Origin,
    /// Creation time.
    pub created_at: Timestamp,
    /// Time of the last change.
    pub updated_at: Timestamp,
    /// Reason why the invoice date was unusual when it was entered.
    pub date_unusual: Option<UnusualDay>,
    /// Customer's VAT number for the EC sales list, if it was added or changed after sending.
    pub icp_vat_number: Option<String>,
    /// Number of payments whose VAT was moved to the earlier payment date.
    pub vat_moved: i64,
    /// Number of payments whose VAT could not be moved because a return was filed.
    pub vat_waiting: i64,
    /// Moment at which the VAT is due: when invoiced, or when paid.
    pub vat_method: VatMethod,
    /// VAT that is not due yet under cash accounting; zero on a credit note.
    pub vat_deferred: Cents,
    /// Quote from which the invoice was made.
    pub quote_id: Option<i64>,
    /// Discount on all lines, and numbers of the customer.
    pub particulars: Particulars,
    /// Language chosen for a draft, or in which the document was sent.
    pub language: Option<Language>,
    /// Recurring invoice from which the invoice was made.
    pub recurring_id: Option<i64>,
    /// Number of its occurrence.
    pub occurrence_number: Option<i64>,
    /// Day of the occurrence.
    pub occurrence_date: Option<Date>,
}

/// Discount on all lines of a document, and the customer's numbers on it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Particulars {
    /// Discount on all lines except those that set off prepayments.
    pub discount: Discount,
    /// Description of that discount, printed on the document.
    pub discount_description: Option<String>,
    /// The customer's order number (BT-13 of EN 16931).
    pub order_number: Option<String>,
    /// The customer's reference for routing the document (BT-10 of EN 16931).
    pub buyer_reference: Option<String>,
}

fields! { Particulars { discount, discount_description, order_number, buyer_reference } }

macro_rules! particulars_columns {
    () => {
        "discount_percent, discount_amount, discount_description, order_number, buyer_reference"
    };
}
pub(crate) use particulars_columns;

record! {
    "invoices": Invoice {
        "id": id,
        "external_id": external_id,
        "kind": kind,
        "number": number,
        "number_year": number_year,
        "number_in_year": number_in_year,
        "status": status,
        "invoice_date": invoice_date,
        "supply_date": supply_date,
        "supply_until": supply_until,
        "vat_date": vat_date,
        "due_date": due_date,
        "contact_id": contact_id,
        customer_columns!(): customer,
        "reference": reference,
        "notes": notes,
        "subtotal": subtotal,
        "vat_total": vat_total,
        "total": total,
        "amount_paid": amount_paid,
        "amount_credited": amount_credited,
        "amount_written_off": amount_written_off,
        "paid_at": paid_at,
        "first_paid_on": first_paid_on,
        "prices_include_vat": prices_include_vat,
        "prepayment": prepayment,
        "credited_invoice_id": credited_invoice_id,
        "source": source,
        "created_at": created_at,
        "updated_at": updated_at,
        "date_unusual": date_unusual,
        "icp_vat_number": icp_vat_number,
        "vat_moved": vat_moved,
        "vat_waiting": vat_waiting,
        "vat_method": vat_method,
        "vat_deferred": vat_deferred,
        "quote_id": quote_id,
        particulars_columns!(): particulars,
        "language": language,
        "recurring_id": recurring_id,
        "occurrence_number": occurrence_number,
        "occurrence_date": occurrence_date,
    }
}
table_functions!(Invoice: by_id, after);

/// Value of [`Invoice::number_in_year`] for an item of an undone opening balance, whose printed
/// number can be used again.
pub const TAKEN_BACK: i64 = -1;

impl Invoice {
    /// Whether the document was open at the start of the books. Such a document has a number
    /// outside the series, no lines, and no known VAT.
    #[must_use]
    pub fn is_opening_item(&self) -> bool {
        self.source == Origin::Opening
    }

    /// Last day of supply, if known.
    #[must_use]
    pub fn last_day_of_supply(&self) -> Option<Date> {
        self.supply_until.or(self.supply_date)
    }

    /// Date that determines the VAT rates: the last day of supply, or else the invoice date.
    #[must_use]
    pub fn rates_on(&self) -> Date {
        self.last_day_of_supply().unwrap_or(self.invoice_date)
    }

    /// Whether the VAT on domestic supplies is due when the customer pays.
    #[must_use]
    pub fn is_due_when_paid(&self) -> bool {
        self.vat_method == VatMethod::Cash
    }

    /// Kind of unit prices: gross (with VAT) or net.
    #[must_use]
    pub fn prices(&self) -> Prices {
        if self.prices_include_vat { Prices::Gross } else { Prices::Net }
    }
}

/// Stores a new document with its lines.
pub fn insert(
    tx: &mut Tx<'_>,
    account: i64,
    invoice: &Invoice,
    lines: &[Line],
    amounts: &[Cents],
) -> Result<(), StoreError> {
    table::insert(tx, account, invoice)?;
    tx.record(invoice.kind.changes(), invoice.id, Event::Created);
    if invoice.paid_at.is_some() {
        tx.record_topic(invoice.kind.changes(), invoice.id, Topic::Paid);
    }
    insert_lines(tx, account, invoice.id, lines, amounts)
}

fn insert_lines(
    tx: &mut Tx<'_>,
    account: i64,
    invoice: i64,
    lines: &[Line],
    amounts: &[Cents],
) -> Result<(), StoreError> {
    insert_lines_into(tx, ("invoice_items", "invoice_id"), (account, invoice), lines, amounts)
}

/// Stores lines in a table with the columns of `invoice_items`; `owner` is its column with the id
/// of the document.
pub(crate) fn insert_lines_into(
    tx: &mut Tx<'_>,
    (table, owner): (&str, &str),
    (account, id): (i64, i64),
    lines: &[Line],
    amounts: &[Cents],
) -> Result<(), StoreError> {
    let mut values = Vec::with_capacity(lines.len() * 17);
    for (place, (line, amount)) in (1_i64..).zip(lines.iter().zip(amounts)) {
        values.extend(params![account, id, place]);
        line.put(&mut values);
        amount.put(&mut values);
    }
    record::insert(tx, table, &format!("{owner}, line, {}", line_columns()), &values)
}

/// Records a change of a document: with [`Topic::Paid`] if the change settles the document, and
/// otherwise as an update.
fn record_update(tx: &mut Tx<'_>, before: &Invoice, after: &Invoice) {
    match (before.paid_at, after.paid_at) {
        (None, Some(_)) => tx.record_topic(after.kind.changes(), after.id, Topic::Paid),
        _ => tx.record(after.kind.changes(), after.id, Event::Updated),
    }
}

/// Records in the change feed that a document has become final.
pub fn record_sent(tx: &mut Tx<'_>, invoice: &Invoice) {
    tx.record_topic(invoice.kind.changes(), invoice.id, Topic::Sent);
}

/// Replaces an edited draft and its lines.
pub fn replace(
    tx: &mut Tx<'_>,
    account: i64,
    before: &Invoice,
    invoice: &Invoice,
    lines: &[Line],
    amounts: &[Cents],
) -> Result<(), StoreError> {
    record_update(tx, before, invoice);
    update(tx, account, invoice)?;
    tx.execute(
        "DELETE FROM invoice_items WHERE account_id = ?1 AND invoice_id = ?2",
        &params![account, invoice.id],
    )?;
    insert_lines(tx, account, invoice.id, lines, amounts)
}

/// Stores a changed document, without its lines.
pub fn update(tx: &mut Tx<'_>, account: i64, invoice: &Invoice) -> Result<(), StoreError> {
    tx.record(invoice.kind.changes(), invoice.id, Event::Updated);
    table::update(tx, account, invoice)
}

/// Stores the amounts paid, credited and written off, and records the change since `before`.
pub fn settle(
    tx: &mut Tx<'_>,
    account: i64,
    before: &Invoice,
    invoice: &Invoice,
) -> Result<(), StoreError> {
    record_update(tx, before, invoice);
    tx.execute(
        "UPDATE invoices SET amount_paid = ?3, amount_credited = ?4, paid_at = ?5, updated_at = ?6, amount_written_off = ?7,
         first_paid_on = ?8, vat_moved = ?9, vat_waiting = ?10, vat_deferred = ?11 WHERE account_id = ?1 AND id = ?2",
        &params![
            account,
            invoice.id,
            invoice.amount_paid.get(),
            invoice.amount_credited.get(),
            invoice.paid_at,
            invoice.updated_at,
            invoice.amount_written_off.get(),
            invoice.first_paid_on,
            invoice.vat_moved,
            invoice.vat_waiting,
            invoice.vat_deferred.get(),
        ],
    )
}

/// Records that a document was emailed, or that its customer was reminded.
pub fn mailed(
    tx: &mut Tx<'_>,
    account: i64,
    invoice: &Invoice,
    reminded: bool,
    now: Timestamp,
) -> Result<(), StoreError> {
    if reminded {
        tx.record_topic(invoice.kind.changes(), invoice.id, Topic::Reminded);
    }
    tx.record(invoice.kind.changes(), invoice.id, Event::Updated);
    let sql = "UPDATE invoices SET updated_at = ?3 WHERE account_id = ?1 AND id = ?2";
    tx.execute(sql, &params![account, invoice.id, now])
}

/// Assigns the documents of one contact to another contact.
pub fn move_to(
    tx: &mut Tx<'_>,
    account: i64,
    from: i64,
    into: i64,
    now: Timestamp,
) -> Result<(), StoreError> {
    let moved =
        "SELECT id, kind FROM invoices WHERE account_id = ?1 AND contact_id = ?2 ORDER BY id";
    let read = |row: &Row<'_>| Ok((row.int(0)?, row.parsed(1, InvoiceKind::parse)?));
    for (id, kind) in tx.query(moved, &params![account, from], read)? {
        tx.record(kind.changes(), id, Event::Updated);
    }
    let sql = "UPDATE invoices SET contact_id = ?3, updated_at = ?4 WHERE account_id = ?1 AND contact_id = ?2";
    tx.execute(sql, &params![account, from, into, now])
}

/// Id of the document of this kind with this external id.
pub fn id_by_external_id(
    tx: &mut Tx<'_>,
    account: i64,
    kind: InvoiceKind,
    external_id: &str,
) -> Result<Option<i64>, StoreError> {
    let sql = "SELECT id FROM invoices WHERE account_id = ?1 AND kind = ?2 AND external_id = ?3";
    tx.query_opt(sql, &params![account, kind.as_str(), external_id], |row| row.int(0))
}

/// Id of the document with this number.
pub fn id_by_number(
    tx: &mut Tx<'_>,
    account: i64,
    number: &str,
) -> Result<Option<i64>, StoreError> {
    // The condition `number_in_year >= 0` allows the partial index on the number to be used.
    let sql =
        "SELECT id FROM invoices WHERE account_id = ?1 AND number = ?2 AND number_in_year >= 0";
    tx.query_opt(sql, &params![account, number], |row| row.int(0))
}

/// Lines of a document with their amounts, in order.
pub fn lines(
    tx: &mut Tx<'_>,
    account: i64,
    invoice: i64,
) -> Result<Vec<(Line, Cents)>, StoreError> {
    lines_from(tx, ("invoice_items", "invoice_id"), (account, invoice))
}

/// Lines of a document with their amounts, from a table with the columns of `invoice_items`.
pub(crate) fn lines_from(
    tx: &mut Tx<'_>,
    (table, owner): (&str, &str),
    (account, id): (i64, i64),
) -> Result<Vec<(Line, Cents)>, StoreError> {
    let sql = format!(
        "SELECT {} FROM {table} WHERE account_id = ?1 AND {owner} = ?2 ORDER BY line",
        line_columns()
    );
    tx.query(&sql, &params![account, id], record::read)
}

/// Records the quote from which an invoice was made in the same transaction.
pub fn set_quote(
    tx: &mut Tx<'_>,
    account: i64,
    invoice: i64,
    quote: i64,
) -> Result<(), StoreError> {
    let sql = "UPDATE invoices SET quote_id = ?3 WHERE account_id = ?1 AND id = ?2";
    tx.execute(sql, &params![account, invoice, quote])
}

/// Records the occurrence of a recurring invoice from which an invoice was made, in the transaction
/// that creates the invoice, which is reported as created.
pub fn set_occurrence(
    tx: &mut Tx<'_>,
    account: i64,
    invoice: i64,
    (recurring, number, date): (i64, i64, Date),
) -> Result<(), StoreError> {
    tx.execute(
        "UPDATE invoices SET recurring_id = ?3, occurrence_number = ?4, occurrence_date = ?5
         WHERE account_id = ?1 AND id = ?2",
        &params![account, invoice, recurring, number, date],
    )
}

/// Filter for documents.
#[derive(Debug, Clone, Default)]
pub struct InvoiceFilter {
    /// Only documents with this status.
    pub status: Option<Status>,
    /// Only paid documents (`true`), or only unpaid ones (`false`).
    pub paid: Option<bool>,
    /// Only documents of this kind.
    pub kind: Option<InvoiceKind>,
    /// First invoice date.
    pub from: Option<Date>,
    /// Last invoice date, inclusive.
    pub to: Option<Date>,
    /// Only documents with this external id.
    pub external_id: Option<String>,
    /// Only the document with this number.
    pub number: Option<String>,
    /// Only documents for this contact.
    pub contact_id: Option<i64>,
    /// Only invoices that were made from this quote.
    pub quote_id: Option<i64>,
    /// Only invoices that were made from this recurring invoice.
    pub recurring_id: Option<i64>,
    /// Only documents that changed in this period.
    pub updated: Option<Updated>,
}

/// Documents with an id below `before`, newest first.
pub fn list(
    tx: &mut Tx<'_>,
    account: i64,
    filter: &InvoiceFilter,
    before: i64,
    limit: i64,
) -> Result<Vec<Invoice>, StoreError> {
    let mut wanted = Filter::of(account);
    wanted.with("id <", before);
    wanted.given("status =", filter.status.map(|status| status.as_str()));
    wanted.given("kind =", filter.kind.map(|kind| kind.as_str()));
    wanted.given("invoice_date >=", filter.from);
    wanted.given("invoice_date <=", filter.to);
    wanted.given("contact_id =", filter.contact_id);
    wanted.given("quote_id =", filter.quote_id);
    wanted.given("recurring_id =", filter.recurring_id);
    wanted.updated(filter.updated);
    wanted.either(filter.paid, "paid_at IS NOT NULL", "paid_at IS NULL");
    if let Some(named) = named(tx, account, filter)? {
        if named.is_empty() {
            return Ok(Vec::new());
        }
        wanted.one_of("id", &named);
    }
    table::first(tx, wanted, "id DESC", limit)
}

/// Ids of the documents that match the filter's external id and number; `None` if the filter has
/// neither. Each of the two has a query and an index of its own: in one query that also sorts the
/// documents, a planner might scan all of them.
fn named(
    tx: &mut Tx<'_>,
    account: i64,
    filter: &InvoiceFilter,
) -> Result<Option<Vec<i64>>, StoreError> {
    let mut named: Option<Vec<i64>> = None;
    if let Some(external_id) = &filter.external_id {
        let of_kind = [InvoiceKind::Invoice, InvoiceKind::CreditNote]
            .map(|kind| id_by_external_id(tx, account, kind, external_id));
        named = Some(
            of_kind.into_iter().collect::<Result<Vec<_>, _>>()?.into_iter().flatten().collect(),
        );
    }
    if let Some(number) = &filter.number {
        let numbered = Vec::from_iter(id_by_number(tx, account, number)?);
        named = Some(match named {
            Some(ids) => ids.into_iter().filter(|id| numbered.contains(id)).collect(),
            None => numbered,
        });
    }
    Ok(named)
}

/// Data that must be read before a document is created.
#[derive(Debug, Clone, Copy)]
pub struct Preconditions {
    /// Id of the existing document of this kind with the external id.
    pub known: Option<i64>,
    /// Filed VAT period that contains the document's date.
    pub filed: Option<VatPeriod>,
    /// Last number used in the year of the document's date.
    pub last_number: i64,
}

/// Reads the data needed before a new document is created, in one query.
pub fn preconditions(
    tx: &mut Tx<'_>,
    account: i64,
    kind: InvoiceKind,
    external_id: Option<&str>,
    date: Date,
) -> Result<Preconditions, StoreError> {
    let [month, quarter, year] = VatPeriod::all_of(date).map(|period| period.to_string());
    tx.query_one(
        "SELECT (SELECT id FROM invoices WHERE account_id = ?1 AND kind = ?2 AND external_id = ?3),
                (SELECT MAX(period) FROM vat_filings WHERE account_id = ?1 AND period IN (?5, ?6, ?7) AND reopened_at IS NULL),
                (SELECT last FROM number_series WHERE account_id = ?1 AND year = ?4)",
        &params![account, kind.as_str(), external_id, i64::from(date.year()), month, quarter, year],
        |row| {
            let filed = row.opt_text(1)?.and_then(|period| VatPeriod::parse(&period));
            Ok(Preconditions { known: row.opt_int(0)?, filed, last_number: row.opt_int(2)?.unwrap_or(0) })
        },
    )
}

record! {
    Line {
        "description": description,
        "quantity": quantity,
        "unit_price": unit_price,
        "vat_basis_points": vat_rate,
        "vat_category": vat_category,
        "supply": supply,
        "tax_country": tax_country,
        "sets_off": sets_off,
        "rounding": rounding,
        "account_code": account,
        "unit": unit,
        "discount_percent, discount_amount": discount,
        "credits_line": credits,
    }
}

/// Columns of a line and its amount.
pub(crate) fn line_columns() -> String {
    format!("{}, amount", Line::COLUMNS)
}

/// Sets the number after which the series of a year begins, before any number has been used.
pub fn begin_series(tx: &mut Tx<'_>, account: i64, year: i16, last: i64) -> Result<(), StoreError> {
    tx.execute(
        "INSERT INTO number_series (account_id, year, start, last) VALUES (?1, ?2, ?3, ?3)
         ON CONFLICT (account_id, year) DO UPDATE SET start = excluded.start, last = excluded.last",
        &params![account, i64::from(year), last],
    )
}

/// Number series: year, number after which the series begins, and last number used.
pub fn series(tx: &mut Tx<'_>, account: i64) -> Result<Vec<(i16, i64, i64)>, StoreError> {
    tx.query(
        "SELECT year, start, last FROM number_series WHERE account_id = ?1 ORDER BY year",
        &params![account],
        |row| Ok((row.narrow(0)?, row.int(1)?, row.int(2)?)),
    )
}

/// Ids of the credit notes for an invoice, oldest first.
pub fn credit_notes_of(
    tx: &mut Tx<'_>,
    account: i64,
    invoice: i64,
) -> Result<Vec<i64>, StoreError> {
    tx.query(
        "SELECT id FROM invoices WHERE account_id = ?1 AND credited_invoice_id = ?2 ORDER BY id",
        &params![account, invoice],
        |row| row.int(0),
    )
}
