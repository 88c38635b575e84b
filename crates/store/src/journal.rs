//! The journal: entries and their postings, appended and never changed, and the sums kept beside them.

use crate::{StoreError, Tx, param::Param, params, row::Row, tx::id_list};
use jiff::{Timestamp, civil::Date};
use ledger::{
    calendar::Quarter,
    chain::Hash,
    chart::AccountCode,
    entry::{JournalEntry, Posting, Source, SourceType},
    money::Cents,
    summary::MonthTotal,
    vat::VatBox,
    vat_return::Total,
};

/// An entry as it is stored.
#[derive(Debug, Clone)]
pub struct StoredEntry {
    /// Unique inside the account; the order of booking.
    pub id: i64,
    /// What was booked.
    pub entry: JournalEntry,
    /// Chains this entry to the one before it.
    pub hash: Hash,
    /// When it was booked.
    pub created_at: Timestamp,
}

/// Which entries are asked for.
#[derive(Debug, Clone)]
pub struct EntryFilter {
    /// The first day.
    pub from: Date,
    /// The last day.
    pub to: Date,
    /// Only entries with a posting on this account.
    pub account_code: Option<AccountCode>,
    /// Only entries of this kind of source.
    pub source_type: Option<SourceType>,
    /// Only entries after this one, in the order of date and id.
    pub after: Option<(Date, i64)>,
    /// How many at the most.
    pub limit: i64,
}

pub(crate) fn box_text(vat_box: Option<VatBox>) -> &'static str {
    vat_box.map_or("", VatBox::as_str)
}

fn read_box(row: &Row<'_>, column: usize) -> Result<Option<VatBox>, StoreError> {
    row.parsed(column, |text| if text.is_empty() { Some(None) } else { VatBox::parse(text).map(Some) })
}

fn read_code(row: &Row<'_>, column: usize) -> Result<AccountCode, StoreError> {
    let code: u16 = row.narrow(column)?;
    AccountCode::new(code).ok_or_else(|| StoreError::Unreadable(format!("account {code} is not in the chart")))
}

pub(crate) fn insert(
    tx: &mut Tx<'_>,
    account: i64,
    id: i64,
    entry: &JournalEntry,
    hash: &Hash,
    now: Timestamp,
) -> Result<(), StoreError> {
    tx.execute(
        "INSERT INTO entries (account_id, id, date, description, source_type, source_id, reverses_entry_id, hash, created_at)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
        &params![
            account,
            id,
            entry.date(),
            entry.description(),
            entry.source().kind.as_str(),
            entry.source().id,
            entry.reverses(),
            hash,
            now,
        ],
    )?;
    let mut values = Vec::with_capacity(entry.postings().len() * 7);
    for (line, posting) in (1_i64..).zip(entry.postings()) {
        values.extend(params![
            account,
            id,
            line,
            i64::from(posting.account().get()),
            posting.debited().get(),
            posting.credited().get(),
            box_text(posting.vat_box()),
        ]);
    }
    tx.insert_rows("INSERT INTO postings (account_id, entry_id, line, account_code, debit, credit, vat_box)", 7, &values, "")
}

/// Entries of a period, by date and id.
pub fn in_period(tx: &mut Tx<'_>, account: i64, filter: &EntryFilter) -> Result<Vec<StoredEntry>, StoreError> {
    let mut values: Vec<Param<'_>> = params![account, filter.from, filter.to].into();
    let mut conditions = String::new();
    let place = |values: &Vec<Param<'_>>| format!("?{}", values.len());
    if let Some((date, id)) = filter.after {
        values.push(date.into());
        let date = place(&values);
        values.push(id.into());
        conditions += &format!(" AND (e.date, e.id) > ({date}, {})", place(&values));
    }
    if let Some(kind) = filter.source_type {
        values.push(kind.as_str().into());
        conditions += &format!(" AND e.source_type = {}", place(&values));
    }
    if let Some(code) = filter.account_code {
        values.push(i64::from(code.get()).into());
        conditions += &format!(
            " AND EXISTS (SELECT 1 FROM postings x WHERE x.account_id = e.account_id AND x.entry_id = e.id AND x.account_code = {})",
            place(&values)
        );
    }
    values.push(filter.limit.into());
    let limit = place(&values);
    let sql = format!(
        "SELECT e.id, e.date, e.description, e.source_type, e.source_id, e.reverses_entry_id, e.hash, e.created_at,
                p.account_code, p.debit, p.credit, p.vat_box
         FROM (SELECT * FROM entries e WHERE e.account_id = ?1 AND e.date BETWEEN ?2 AND ?3{conditions}
               ORDER BY e.date, e.id LIMIT {limit}) e
         JOIN postings p ON p.account_id = e.account_id AND p.entry_id = e.id
         ORDER BY e.date, e.id, p.line"
    );
    gather(tx, &sql, &values)
}

/// Entries in the order of booking, from `after` on; for the proof of the books.
pub fn after(tx: &mut Tx<'_>, account: i64, after: i64, limit: i64) -> Result<Vec<RawEntry>, StoreError> {
    let rows = tx.query(
        "SELECT e.id, e.date, e.description, e.source_type, e.source_id, e.reverses_entry_id, e.hash, e.created_at,
                p.line, p.account_code, p.debit, p.credit, p.vat_box
         FROM (SELECT * FROM entries WHERE account_id = ?1 AND id > ?2 ORDER BY id LIMIT ?3) e
         LEFT JOIN postings p ON p.account_id = e.account_id AND p.entry_id = e.id
         ORDER BY e.id, p.line",
        &params![account, after, limit],
        |row| {
            let id = row.int(0)?;
            let head = RawEntry {
                id,
                date: row.date(1).map_err(|e| e.to_string()),
                description: row.text(2).map_err(|e| e.to_string()),
                source_type: row.parsed(3, SourceType::parse).map_err(|e| e.to_string()),
                source_id: row.int(4).map_err(|e| e.to_string()),
                reverses: row.opt_int(5).map_err(|e| e.to_string()),
                hash: row.hash(6).map_err(|e| e.to_string()),
                created_at: row.time(7).map_err(|e| e.to_string()),
                postings: Vec::new(),
            };
            let posting = row.opt_int(8)?.map(|line| read_raw_posting(row, line));
            Ok((head, posting))
        },
    )?;
    let mut entries: Vec<RawEntry> = Vec::new();
    for (head, posting) in rows {
        if entries.last().is_none_or(|last| last.id != head.id) {
            entries.push(head);
        }
        if let (Some(entry), Some(posting)) = (entries.last_mut(), posting) {
            entry.postings.push(posting);
        }
    }
    Ok(entries)
}

/// How many postings there are, whether or not they belong to an entry; for the proof of the books.
pub fn count_postings(tx: &mut Tx<'_>, account: i64) -> Result<i64, StoreError> {
    tx.query_one("SELECT COUNT(*) FROM postings WHERE account_id = ?1", &params![account], |row| row.int(0))
}

fn read_raw_posting(row: &Row<'_>, line: i64) -> Result<(i64, Posting), String> {
    let read = || -> Result<Posting, StoreError> {
        let (debit, credit) = (Cents::new(row.int(10)?), Cents::new(row.int(11)?));
        posting(read_code(row, 9)?, debit, credit, read_box(row, 12)?)
    };
    read().map(|posting| (line, posting)).map_err(|error| error.to_string())
}

/// An entry as it lies on the disk, where each part may have been damaged.
#[derive(Debug)]
pub struct RawEntry {
    /// Unique inside the account.
    pub id: i64,
    /// The day it is booked on.
    pub date: Result<Date, String>,
    /// What it is about.
    pub description: Result<String, String>,
    /// The kind of document behind it.
    pub source_type: Result<SourceType, String>,
    /// The document's id.
    pub source_id: Result<i64, String>,
    /// The entry that it takes back.
    pub reverses: Result<Option<i64>, String>,
    /// Its link in the chain.
    pub hash: Result<Hash, String>,
    /// When it was booked.
    pub created_at: Result<Timestamp, String>,
    /// Line numbers and postings.
    pub postings: Vec<Result<(i64, Posting), String>>,
}

fn posting(code: AccountCode, debit: Cents, credit: Cents, vat_box: Option<VatBox>) -> Result<Posting, StoreError> {
    let negative = debit.is_negative() || credit.is_negative();
    if negative || (!debit.is_zero() && !credit.is_zero()) {
        return Err(StoreError::Unreadable(format!("a posting on account {code} has debit {debit} and credit {credit}")));
    }
    Ok(if credit.is_zero() { Posting::debit(code, debit, vat_box) } else { Posting::credit(code, credit, vat_box) })
}

/// An entry by its id.
pub fn by_id(tx: &mut Tx<'_>, account: i64, id: i64) -> Result<Option<StoredEntry>, StoreError> {
    let sql = "SELECT e.id, e.date, e.description, e.source_type, e.source_id, e.reverses_entry_id, e.hash, e.created_at,
                      p.account_code, p.debit, p.credit, p.vat_box
               FROM entries e JOIN postings p ON p.account_id = e.account_id AND p.entry_id = e.id
               WHERE e.account_id = ?1 AND e.id = ?2 ORDER BY p.line";
    Ok(gather(tx, sql, &params![account, id])?.pop())
}

/// The ids of the entries behind a document, oldest first.
pub fn ids_by_source(tx: &mut Tx<'_>, account: i64, source: Source) -> Result<Vec<i64>, StoreError> {
    tx.query(
        "SELECT id FROM entries WHERE account_id = ?1 AND source_type = ?2 AND source_id = ?3 ORDER BY id",
        &params![account, source.kind.as_str(), source.id],
        |row| row.int(0),
    )
}

/// The ids of the entries behind several invoices and credit notes: document, entry; by document, oldest entry first.
pub fn ids_by_invoices(tx: &mut Tx<'_>, account: i64, invoices: &[i64]) -> Result<Vec<(i64, i64)>, StoreError> {
    let (places, ids) = id_list(invoices, 4);
    let kinds = [SourceType::Invoice.as_str(), SourceType::CreditNote.as_str()];
    let mut values: Vec<Param<'_>> = params![account, kinds[0], kinds[1]].into();
    values.extend(ids.into_iter().map(Param::Int));
    let sql = format!(
        "SELECT source_id, id FROM entries WHERE account_id = ?1 AND source_type IN (?2, ?3) AND source_id IN ({places})
         ORDER BY source_id, id"
    );
    tx.query(&sql, &values, |row| Ok((row.int(0)?, row.int(1)?)))
}

/// A posting that stands behind a box of a VAT return.
#[derive(Debug, Clone)]
pub struct BoxPosting {
    /// The entry that it is part of.
    pub entry_id: i64,
    /// Its place in the entry, from 1.
    pub line: i64,
    /// The entry's day.
    pub date: Date,
    /// What the entry is about.
    pub description: String,
    /// The document behind the entry.
    pub source: Source,
    /// The posting itself.
    pub posting: Posting,
}

/// The postings of a quarter under some boxes, by date, entry and line, from `after` (date, entry, line) on.
pub fn behind_boxes(
    tx: &mut Tx<'_>,
    account: i64,
    quarter: Quarter,
    boxes: &[VatBox],
    after: (Date, i64, i64),
    limit: i64,
) -> Result<Vec<BoxPosting>, StoreError> {
    let (date, entry, line) = after;
    let mut values: Vec<Param<'_>> = params![account, quarter.first_day(), quarter.last_day(), date, entry, line, limit].into();
    let places: Vec<String> = (values.len() + 1..=values.len() + boxes.len()).map(|place| format!("?{place}")).collect();
    values.extend(boxes.iter().map(|vat_box| vat_box.as_str().into()));
    let sql = format!(
        "SELECT e.id, p.line, e.date, e.description, e.source_type, e.source_id, p.account_code, p.debit, p.credit, p.vat_box
         FROM entries e JOIN postings p ON p.account_id = e.account_id AND p.entry_id = e.id
         WHERE e.account_id = ?1 AND e.date BETWEEN ?2 AND ?3 AND (e.date, e.id, p.line) > (?4, ?5, ?6)
         AND p.vat_box IN ({}) ORDER BY e.date, e.id, p.line LIMIT ?7",
        places.join(", ")
    );
    tx.query(&sql, &values, |row| {
        Ok(BoxPosting {
            entry_id: row.int(0)?,
            line: row.int(1)?,
            date: row.date(2)?,
            description: row.text(3)?,
            source: Source { kind: row.parsed(4, SourceType::parse)?, id: row.int(5)? },
            posting: posting(read_code(row, 6)?, Cents::new(row.int(7)?), Cents::new(row.int(8)?), read_box(row, 9)?)?,
        })
    })
}

/// Puts rows of entry and posting back together.
fn gather(tx: &mut Tx<'_>, sql: &str, values: &[Param<'_>]) -> Result<Vec<StoredEntry>, StoreError> {
    struct Head {
        id: i64,
        date: Date,
        description: String,
        source: Source,
        reverses: Option<i64>,
        hash: Hash,
        created_at: Timestamp,
        postings: Vec<Posting>,
    }
    let mut heads: Vec<Head> = Vec::new();
    tx.query(sql, values, |row| {
        let id = row.int(0)?;
        if heads.last().is_none_or(|last| last.id != id) {
            heads.push(Head {
                id,
                date: row.date(1)?,
                description: row.text(2)?,
                source: Source { kind: row.parsed(3, SourceType::parse)?, id: row.int(4)? },
                reverses: row.opt_int(5)?,
                hash: row.hash(6)?,
                created_at: row.time(7)?,
                postings: Vec::new(),
            });
        }
        let found = posting(read_code(row, 8)?, Cents::new(row.int(9)?), Cents::new(row.int(10)?), read_box(row, 11)?)?;
        if let Some(last) = heads.last_mut() {
            last.postings.push(found);
        }
        Ok(())
    })?;
    heads
        .into_iter()
        .map(|head| {
            let entry = JournalEntry::restore(head.date, head.description, head.source, head.reverses, head.postings)
                .map_err(|error| StoreError::Unreadable(format!("entry {}: {error}", head.id)))?;
            Ok(StoredEntry { id: head.id, entry, hash: head.hash, created_at: head.created_at })
        })
        .collect()
}

/// The sums of postings per month, account and box, from the beginning up to and including the year.
pub fn month_totals(tx: &mut Tx<'_>, account: i64, until_year: i16) -> Result<Vec<MonthTotal>, StoreError> {
    read_totals(
        tx,
        "SELECT year, month, account_code, vat_box, debit, credit FROM period_totals
         WHERE account_id = ?1 AND year <= ?2 ORDER BY year, month, account_code, vat_box",
        &params![account, i64::from(until_year)],
    )
}

/// The same sums for one quarter.
pub fn quarter_month_totals(tx: &mut Tx<'_>, account: i64, year: i16, months: [i8; 3]) -> Result<Vec<MonthTotal>, StoreError> {
    read_totals(
        tx,
        "SELECT year, month, account_code, vat_box, debit, credit FROM period_totals
         WHERE account_id = ?1 AND year = ?2 AND month BETWEEN ?3 AND ?4 ORDER BY month, account_code, vat_box",
        &params![account, i64::from(year), i64::from(months[0]), i64::from(months[2])],
    )
}

fn read_totals(tx: &mut Tx<'_>, sql: &str, values: &[Param<'_>]) -> Result<Vec<MonthTotal>, StoreError> {
    tx.query(sql, values, |row| {
        Ok(MonthTotal {
            year: row.narrow(0)?,
            month: row.narrow(1)?,
            total: Total {
                account: read_code(row, 2)?,
                vat_box: read_box(row, 3)?,
                debit: Cents::new(row.int(4)?),
                credit: Cents::new(row.int(5)?),
            },
        })
    })
}
