//! Quotes with their lines, invoices and documents.

use crate::{
    Page, StoreError, Tx, Updated,
    changes::{Event, ResourceKind, Topic},
    contacts::{Party, customer_columns},
    engine::{
        checksum,
        filter::Filter,
        record::{self, Column as _, Record, columns_by_name, record},
        table,
    },
    invoices::{Origin, Particulars, insert_lines_into, lines_from, particulars_columns},
    param::Param,
    params,
};
use jiff::{Timestamp, civil::Date};
use ledger::{
    chain::Hash,
    invoice::{Line, Prices},
    language::Language,
    money::Cents,
    quote::{DecidedBy, OnAccept, QuotePart, QuoteStatus},
};
use std::collections::HashMap;

columns_by_name!(QuoteStatus, OnAccept, DecidedBy, QuotePart);

/// Stored quote.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Quote {
    /// Unique within the account.
    pub id: i64,
    /// The caller's own identifier.
    pub external_id: Option<String>,
    /// Number as printed.
    pub number: String,
    /// Year of the number series.
    pub number_year: i16,
    /// Number within the series of the year, from 1.
    pub number_in_year: i64,
    /// Stored status: a sent quote stays `sent` when it expires.
    pub status: QuoteStatus,
    /// Date of the quote, which determines the year of the number and the VAT rates.
    pub quote_date: Date,
    /// Last day on which the customer can accept the quote.
    pub valid_until: Date,
    /// Id of the customer's contact.
    pub contact_id: i64,
    /// Customer details at the time of quoting.
    pub customer: Party,
    /// Reference printed on the quote.
    pub reference: Option<String>,
    /// Notes printed on the quote.
    pub notes: Option<String>,
    /// Total excluding VAT.
    pub subtotal: Cents,
    /// VAT.
    pub vat_total: Cents,
    /// Total including VAT.
    pub total: Cents,
    /// Whether the unit prices include VAT.
    pub prices_include_vat: bool,
    /// Payment term of its invoices, in days.
    pub payment_term_days: Option<i64>,
    /// Part to be invoiced in advance, in hundredths of a per cent.
    pub prepayment_percent: Option<i64>,
    /// Automatic step after the acceptance.
    pub on_accept: OnAccept,
    /// Code of the refusal of that step.
    pub on_accept_refused: Option<String>,
    /// Id of the quote that this one replaces once it is sent.
    pub replaces_id: Option<i64>,
    /// Language chosen for a draft, or in which the quote was sent.
    pub language: Option<Language>,
    /// SHA-256 of the settings with which the quote was sent.
    pub settings: Option<Hash>,
    /// Time at which the quote was first sent.
    pub sent_at: Option<Timestamp>,
    /// Person who decided.
    pub decided_by: Option<DecidedBy>,
    /// Name of the person who decided.
    pub decided_name: Option<String>,
    /// Time of the decision.
    pub decided_at: Option<Timestamp>,
    /// Note of the person who decided.
    pub decided_note: Option<String>,
    /// SHA-256 of the PDF on which the customer decided.
    pub decided_on: Option<Hash>,
    /// Origin of the quote.
    pub source: Origin,
    /// Creation time.
    pub created_at: Timestamp,
    /// Time of the last change.
    pub updated_at: Timestamp,
    /// Discount on all lines, and numbers of the customer.
    pub particulars: Particulars,
    /// Lines and invoices, which have tables of their own.
    pub content: QuoteContent,
}

/// Lines and invoices of a quote.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct QuoteContent {
    /// Lines with their amounts, in order.
    pub lines: Vec<(Line, Cents)>,
    /// Invoices made from the quote, oldest first.
    pub invoices: Vec<QuoteInvoice>,
}

record! {
    "quotes": Quote {
        "id": id,
        "external_id": external_id,
        "number": number,
        "number_year": number_year,
        "number_in_year": number_in_year,
        "status": status,
        "quote_date": quote_date,
        "valid_until": valid_until,
        "contact_id": contact_id,
        customer_columns!(): customer,
        "reference": reference,
        "notes": notes,
        "subtotal": subtotal,
        "vat_total": vat_total,
        "total": total,
        "prices_include_vat": prices_include_vat,
        "payment_term_days": payment_term_days,
        "prepayment_percent": prepayment_percent,
        "on_accept": on_accept,
        "on_accept_refused": on_accept_refused,
        "replaces_id": replaces_id,
        "language": language,
        "settings": settings,
        "sent_at": sent_at,
        "decided_by": decided_by,
        "decided_name": decided_name,
        "decided_at": decided_at,
        "decided_note": decided_note,
        "decided_on": decided_on,
        "source": source,
        "created_at": created_at,
        "updated_at": updated_at,
        particulars_columns!(): particulars,
        .. content
    }
}

/// Invoice made from a quote.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct QuoteInvoice {
    /// The invoice.
    pub invoice_id: i64,
    /// Part of the quote that it asks for.
    pub part: QuotePart,
}

record! {
    QuoteInvoice {
        "invoice_id": invoice_id,
        "part": part,
    }
}

impl Quote {
    /// Kind of unit prices: gross (with VAT) or net.
    #[must_use]
    pub fn prices(&self) -> Prices {
        if self.prices_include_vat { Prices::Gross } else { Prices::Net }
    }

    /// State on a day; a sent quote expires.
    #[must_use]
    pub fn status_on(&self, today: Date) -> QuoteStatus {
        self.status.on(self.valid_until, today)
    }
}

const ITEMS: (&str, &str) = ("quote_items", "quote_id");

/// Checksum of a quote with its lines and invoices.
fn checksum(quote: &Quote) -> [u8; 32] {
    let mut values = quote.own_values();
    for (line, amount) in &quote.content.lines {
        line.put(&mut values);
        amount.put(&mut values);
    }
    quote.content.invoices.iter().for_each(|invoice| invoice.put(&mut values));
    checksum::of(&values)
}

fn checked_columns() -> String {
    format!("{}, checksum", Quote::COLUMNS)
}

fn checked_values(account: i64, quote: &Quote) -> Vec<Param<'_>> {
    let mut values = quote.values(account);
    values.push(Param::Bytes(checksum(quote).to_vec().into()));
    values
}

fn insert_parts(tx: &mut Tx<'_>, account: i64, quote: &Quote) -> Result<(), StoreError> {
    let (lines, amounts): (Vec<Line>, Vec<Cents>) = quote.content.lines.iter().cloned().unzip();
    insert_lines_into(tx, ITEMS, (account, quote.id), &lines, &amounts)?;
    let mut values = Vec::new();
    for invoice in &quote.content.invoices {
        values.extend(params![account, quote.id]);
        invoice.put(&mut values);
    }
    let columns = format!("quote_id, {}", QuoteInvoice::COLUMNS);
    record::insert(tx, "quote_invoices", &columns, &values)
}

/// Stores a new quote.
///
/// # Errors
/// The storage failed.
pub fn insert(tx: &mut Tx<'_>, account: i64, quote: &Quote) -> Result<(), StoreError> {
    record::insert(tx, "quotes", &checked_columns(), &checked_values(account, quote))?;
    insert_parts(tx, account, quote)?;
    tx.record(ResourceKind::Quote, quote.id, Event::Created);
    Ok(())
}

/// Stores a changed quote, and reports `topic` to webhooks if the change has one.
///
/// # Errors
/// The storage failed.
pub fn update(
    tx: &mut Tx<'_>,
    account: i64,
    quote: &Quote,
    topic: Option<Topic>,
) -> Result<(), StoreError> {
    record::update(tx, "quotes", &checked_columns(), &checked_values(account, quote))?;
    for table in ["quote_items", "quote_invoices"] {
        let sql = format!("DELETE FROM {table} WHERE account_id = ?1 AND quote_id = ?2");
        tx.execute(&sql, &params![account, quote.id])?;
    }
    insert_parts(tx, account, quote)?;
    match topic {
        Some(topic) => tx.record_topic(ResourceKind::Quote, quote.id, topic),
        None => tx.record(ResourceKind::Quote, quote.id, Event::Updated),
    }
    Ok(())
}

/// Reads the lines and invoices of a quote.
fn with_parts(tx: &mut Tx<'_>, account: i64, mut quote: Quote) -> Result<Quote, StoreError> {
    quote.content.lines = lines_from(tx, ITEMS, (account, quote.id))?;
    let sql = format!(
        "SELECT {} FROM quote_invoices WHERE account_id = ?1 AND quote_id = ?2 ORDER BY invoice_id",
        QuoteInvoice::COLUMNS
    );
    quote.content.invoices = tx.query(&sql, &params![account, quote.id], QuoteInvoice::read)?;
    Ok(quote)
}

fn all_with_parts(
    tx: &mut Tx<'_>,
    account: i64,
    quotes: Vec<Quote>,
) -> Result<Vec<Quote>, StoreError> {
    quotes.into_iter().map(|quote| with_parts(tx, account, quote)).collect()
}

/// Quote with this id.
///
/// # Errors
/// The storage failed.
pub fn by_id(tx: &mut Tx<'_>, account: i64, id: i64) -> Result<Option<Quote>, StoreError> {
    match table::find(tx, account, "id", id)? {
        Some(quote) => with_parts(tx, account, quote).map(Some),
        None => Ok(None),
    }
}

/// Quote with this external id.
///
/// # Errors
/// The storage failed.
pub fn by_external_id(
    tx: &mut Tx<'_>,
    account: i64,
    external_id: &str,
) -> Result<Option<Quote>, StoreError> {
    match table::find(tx, account, "external_id", external_id)? {
        Some(quote) => with_parts(tx, account, quote).map(Some),
        None => Ok(None),
    }
}

/// Ids of the quotes that replace a quote once they are sent, oldest first, with their stored
/// states.
///
/// # Errors
/// The storage failed.
pub fn replacing(
    tx: &mut Tx<'_>,
    account: i64,
    replaced: i64,
) -> Result<Vec<(i64, QuoteStatus)>, StoreError> {
    let sql =
        "SELECT id, status FROM quotes WHERE account_id = ?1 AND replaces_id = ?2 ORDER BY id";
    tx.query(sql, &params![account, replaced], record::read)
}

/// Last number used in a year.
///
/// # Errors
/// The storage failed.
pub fn last_number(tx: &mut Tx<'_>, account: i64, year: i16) -> Result<i64, StoreError> {
    let sql = "SELECT MAX(number_in_year) FROM quotes WHERE account_id = ?1 AND number_year = ?2";
    tx.query_one(sql, &params![account, i64::from(year)], |row| Ok(row.opt_int(0)?.unwrap_or(0)))
}

/// Assigns the quotes of one contact to another contact.
///
/// # Errors
/// The storage failed.
pub fn move_to(
    tx: &mut Tx<'_>,
    account: i64,
    from: i64,
    into: i64,
    now: Timestamp,
) -> Result<(), StoreError> {
    let moved = table::all::<Quote>(tx, account, "contact_id", from)?;
    for quote in all_with_parts(tx, account, moved)? {
        let quote = Quote { contact_id: into, updated_at: now, ..quote };
        update(tx, account, &quote, None)?;
    }
    Ok(())
}

/// Filter for quotes.
#[derive(Debug, Clone, Default)]
pub struct QuoteFilter {
    /// Only the quote with this external id.
    pub external_id: Option<String>,
    /// Only quotes in this state.
    pub status: Option<QuoteStatus>,
    /// Only quotes for this contact.
    pub contact_id: Option<i64>,
    /// Only quotes whose number, customer, reference or order number contains this text, ignoring
    /// case.
    pub text: Option<String>,
    /// Amount: quotes with this total match even if they do not contain the text.
    pub amount: Option<Cents>,
    /// Only quotes that changed in this period.
    pub updated: Option<Updated>,
}

impl QuoteFilter {
    fn of(&self, account: i64, today: Date) -> Filter<'_> {
        let mut filter = Filter::of(account);
        filter.given("external_id =", self.external_id.as_ref());
        match self.status {
            None => {}
            Some(QuoteStatus::Expired) => {
                filter.and("status = 'sent'");
                filter.with("valid_until <", today);
            }
            Some(QuoteStatus::Sent) => {
                filter.and("status = 'sent'");
                filter.with("valid_until >=", today);
            }
            Some(status) => filter.with("status =", status.as_str()),
        }
        filter.given("contact_id =", self.contact_id);
        if let Some(text) = &self.text {
            let fields = [
                "lower(number)",
                "lower(customer_name)",
                "lower(COALESCE(reference, ''))",
                "lower(COALESCE(order_number, ''))",
            ];
            let amount = self.amount.map(|amount| ("total =", Param::Int(amount.get())));
            filter.holds(&fields, text, amount);
        }
        filter.updated(self.updated);
        filter
    }
}

/// Quotes with an id below `before`, newest first. `today` decides which sent quotes have expired.
///
/// # Errors
/// The storage failed.
pub fn list(
    tx: &mut Tx<'_>,
    account: i64,
    (filter, today): (&QuoteFilter, Date),
    before: i64,
    limit: i64,
) -> Result<Page<Quote>, StoreError> {
    let mut wanted = filter.of(account, today);
    wanted.with("id <", before);
    let page: Page<Quote> = table::page(tx, wanted, "id DESC", limit)?;
    Ok(Page { rows: all_with_parts(tx, account, page.rows)?, more: page.more })
}

/// Column by which a page orders quotes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum QuoteColumn {
    /// Number.
    Number,
    /// Name of the customer.
    Customer,
    /// Date of the quote.
    Date,
    /// Last day on which it is valid.
    ValidUntil,
    /// Total.
    Total,
}

/// Section of the filtered and ordered list, without lines and invoices.
///
/// # Errors
/// The storage failed.
pub fn rows(
    tx: &mut Tx<'_>,
    account: i64,
    (filter, today): (&QuoteFilter, Date),
    (column, down): (QuoteColumn, bool),
    part: (i64, i64),
) -> Result<Vec<Quote>, StoreError> {
    let direction = if down { "DESC" } else { "ASC" };
    let order = match column {
        QuoteColumn::Number => format!("number_year {direction}, number_in_year {direction}"),
        QuoteColumn::Customer => format!("lower(customer_name) {direction}, id {direction}"),
        QuoteColumn::Date => format!("quote_date {direction}, id {direction}"),
        QuoteColumn::ValidUntil => format!("valid_until {direction}, id {direction}"),
        QuoteColumn::Total => format!("total {direction}, id {direction}"),
    };
    table::section(tx, filter.of(account, today), &order, part)
}

/// Number of the filtered quotes, their sum excluding VAT and their sum including VAT.
///
/// # Errors
/// The storage failed.
pub fn sums(
    tx: &mut Tx<'_>,
    account: i64,
    (filter, today): (&QuoteFilter, Date),
) -> Result<(i64, Cents, Cents), StoreError> {
    let filter = filter.of(account, today);
    let sum = |column: &str| format!("CAST(COALESCE(SUM({column}), 0) AS BIGINT)");
    let sql = format!(
        "SELECT COUNT(*), {}, {} FROM quotes WHERE {filter}",
        sum("subtotal"),
        sum("total")
    );
    tx.query_one(&sql, filter.values(), |row| {
        Ok((row.int(0)?, Cents::new(row.int(1)?), Cents::new(row.int(2)?)))
    })
}

/// Number of quotes per state.
///
/// # Errors
/// The storage failed.
pub fn counts(
    tx: &mut Tx<'_>,
    account: i64,
    today: Date,
) -> Result<HashMap<QuoteStatus, i64>, StoreError> {
    let sql = "SELECT CASE WHEN status = 'sent' AND valid_until < ?2 THEN 'expired' ELSE status END AS state, COUNT(*)
               FROM quotes WHERE account_id = ?1 GROUP BY 1";
    let counted = tx.query(sql, &params![account, today], |row| {
        Ok((row.parsed(0, QuoteStatus::parse)?, row.int(1)?))
    })?;
    Ok(counted.into_iter().collect())
}

/// Quotes on which customers decided since a time, newest decision first, without their lines:
/// accepted ones that are not invoiced, and refused ones.
///
/// # Errors
/// The storage failed.
pub fn decided_since(
    tx: &mut Tx<'_>,
    account: i64,
    since: Timestamp,
    limit: i64,
) -> Result<Vec<Quote>, StoreError> {
    let mut filter = Filter::of(account);
    filter.and("(status = 'accepted' OR status = 'refused') AND decided_by = 'customer'");
    filter.with("decided_at >=", since);
    table::first(tx, filter, "decided_at DESC, id DESC", limit)
}

/// Quotes with an id above `after`, and whether each still has its checksum. Used by the
/// verification of the books.
///
/// # Errors
/// The storage failed.
pub fn check(
    tx: &mut Tx<'_>,
    account: i64,
    after: i64,
    limit: i64,
) -> Result<Vec<(Quote, bool)>, StoreError> {
    let sql = format!(
        "SELECT {} FROM quotes WHERE account_id = ?1 AND id > ?2 ORDER BY id LIMIT ?3",
        checked_columns()
    );
    let rows = tx.query(&sql, &params![account, after, limit], |row| {
        record::read::<(Quote, [u8; 32])>(row)
    })?;
    let mut quotes = Vec::with_capacity(rows.len());
    for (row, stored) in rows {
        let quote = with_parts(tx, account, row)?;
        let is_intact = checksum(&quote) == stored;
        quotes.push((quote, is_intact));
    }
    Ok(quotes)
}

/// Ids of the invoices that name a quote. Used by the verification of the books.
///
/// # Errors
/// The storage failed.
pub fn invoices_naming(tx: &mut Tx<'_>, account: i64, quote: i64) -> Result<Vec<i64>, StoreError> {
    let sql = "SELECT id FROM invoices WHERE account_id = ?1 AND quote_id = ?2 ORDER BY id";
    tx.query(sql, &params![account, quote], |row| row.int(0))
}

/// Stored PDF of a quote.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QuoteDocument {
    /// The quote.
    pub quote_id: i64,
    /// SHA-256 of the bytes.
    pub sha256: Hash,
    /// Size in bytes.
    pub size: i64,
    /// The bytes.
    pub bytes: Vec<u8>,
}

record! {
    QuoteDocument {
        "quote_id": quote_id,
        "sha256": sha256,
        "size": size,
        "bytes": bytes,
    }
}

/// Stores the PDF of a quote unless it is stored already.
///
/// # Errors
/// The storage failed.
pub fn insert_document(
    tx: &mut Tx<'_>,
    account: i64,
    quote: i64,
    bytes: &[u8],
    now: Timestamp,
) -> Result<(), StoreError> {
    tx.execute(
        "INSERT INTO quote_documents (account_id, quote_id, sha256, size, bytes, created_at)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6) ON CONFLICT DO NOTHING",
        &params![
            account,
            quote,
            &checksum::sha256(bytes),
            i64::try_from(bytes.len()).unwrap_or(i64::MAX),
            bytes,
            now
        ],
    )
}

/// PDF of a quote, if it is stored.
///
/// # Errors
/// The storage failed.
pub fn document(
    tx: &mut Tx<'_>,
    account: i64,
    quote: i64,
) -> Result<Option<QuoteDocument>, StoreError> {
    let sql = format!(
        "SELECT {} FROM quote_documents WHERE account_id = ?1 AND quote_id = ?2",
        QuoteDocument::COLUMNS
    );
    tx.query_opt(&sql, &params![account, quote], QuoteDocument::read)
}

/// Stored PDFs of quotes with an id above `after`. Used by the verification of the books.
///
/// # Errors
/// The storage failed.
pub fn documents_after(
    tx: &mut Tx<'_>,
    account: i64,
    after: i64,
    limit: i64,
) -> Result<Vec<(QuoteDocument, bool)>, StoreError> {
    let sql = format!(
        "SELECT {} FROM quote_documents WHERE account_id = ?1 AND quote_id > ?2 ORDER BY quote_id LIMIT ?3",
        QuoteDocument::COLUMNS
    );
    let documents = tx.query(&sql, &params![account, after, limit], QuoteDocument::read)?;
    let checked = documents.into_iter().map(|document| {
        let size = i64::try_from(document.bytes.len()).unwrap_or(i64::MAX);
        let is_intact =
            checksum::sha256(&document.bytes) == document.sha256 && size == document.size;
        (document, is_intact)
    });
    Ok(checked.collect())
}

/// Stores the address and browser of a customer who decided, in place of those of an earlier
/// decision.
///
/// # Errors
/// The storage failed.
pub fn put_visitor(
    tx: &mut Tx<'_>,
    account: i64,
    quote: i64,
    (address, user_agent): (&str, &str),
    now: Timestamp,
) -> Result<(), StoreError> {
    tx.execute(
        "DELETE FROM quote_visitors WHERE account_id = ?1 AND quote_id = ?2",
        &params![account, quote],
    )?;
    tx.execute(
        "INSERT INTO quote_visitors (account_id, quote_id, address, user_agent, created_at) VALUES (?1, ?2, ?3, ?4, ?5)",
        &params![account, quote, address, user_agent, now],
    )
}

/// Address and browser of the customer who decided, unless they were removed.
///
/// # Errors
/// The storage failed.
pub fn visitor(
    tx: &mut Tx<'_>,
    account: i64,
    quote: i64,
) -> Result<Option<(String, String)>, StoreError> {
    let sql =
        "SELECT address, user_agent FROM quote_visitors WHERE account_id = ?1 AND quote_id = ?2";
    tx.query_opt(sql, &params![account, quote], |row| Ok((row.text(0)?, row.text(1)?)))
}

/// Removes at most `limit` addresses and browsers that were stored at or before `until`; returns
/// the number removed.
///
/// # Errors
/// The storage failed.
pub fn sweep_visitors(tx: &mut Tx<'_>, until: Timestamp, limit: i64) -> Result<i64, StoreError> {
    let gone = tx.query(
        "DELETE FROM quote_visitors WHERE (account_id, quote_id) IN
           (SELECT account_id, quote_id FROM quote_visitors WHERE created_at <= ?1 LIMIT ?2) RETURNING account_id",
        &params![until, limit],
        |row| row.int(0),
    )?;
    Ok(i64::try_from(gone.len()).unwrap_or(i64::MAX))
}
