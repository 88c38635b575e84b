//! The journal: append-only entries with their postings, and the stored totals.

pub mod audit;
pub mod bank_accounts;
pub mod bank_allocations;
pub mod bank_lines;
pub mod bank_mappings;
pub mod bank_rules;
pub mod bank_statements;
pub mod bank_suggestions;
pub mod bank_uploads;
pub mod books;
pub mod events;
pub mod ledger_cards;
pub mod opening_items;
pub mod own_accounts;

use crate::{
    Page, StoreError, Tx,
    engine::{
        filter::anywhere,
        record::{self, Column, Record, columns_by_name, fields, record},
    },
    param::Param,
    params,
    row::Row,
    tx::id_list,
};
use jiff::{Timestamp, civil::Date};
use ledger::{
    chain::Hash,
    chart::AccountCode,
    description::{Description, DescriptionKind, ReceiptHash},
    entry::{Head, JournalEntry, Posting, Source, SourceType},
    money::Cents,
    summary::{MonthTotal, VatTotal},
    vat::VatBox,
    vat_period::VatPeriod,
    vat_return::Total,
};

/// Maximum number of postings read for one page; an entry has far fewer.
const MOST_POSTINGS: usize = 20_000;

/// Stored journal entry.
#[derive(Debug, Clone)]
pub struct StoredEntry {
    /// Unique within the account; ids follow the order of booking.
    pub id: i64,
    /// Content of the entry.
    pub entry: JournalEntry,
    /// Hash that chains this entry to the previous one.
    pub hash: Hash,
    /// Time of booking.
    pub created_at: Timestamp,
}

/// Period by which entries are selected.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Period {
    /// Entries dated from the first to the last day.
    Days(Date, Date),
    /// Entries that count towards the return for a VAT period: those with a posting in a box of the
    /// return whose VAT is due in that period.
    Vat(VatPeriod),
}

impl Period {
    fn bounds(self) -> (Date, Date) {
        match self {
            Self::Days(first, last) => (first, last),
            Self::Vat(period) => (period.first_day(), period.last_day()),
        }
    }

    /// Name of the date column by which entries are selected and ordered.
    fn day(self) -> &'static str {
        match self {
            Self::Days(..) => "date",
            Self::Vat(_) => "vat_date",
        }
    }
}

/// Filter for entries.
#[derive(Debug, Clone)]
pub struct EntryFilter {
    /// Period of the entry date or of the VAT date.
    pub period: Period,
    /// Only entries with a posting on this account.
    pub account_code: Option<AccountCode>,
    /// Only entries with this kind of source.
    pub source_type: Option<SourceType>,
    /// Only entries booked at this time or later.
    pub booked_since: Option<Timestamp>,
    /// Only entries after this one, in the order of the list.
    pub after: Option<(Date, i64)>,
    /// Whether the list is ordered from the last day to the first.
    pub newest_first: bool,
    /// Maximum number of entries on a page.
    pub limit: i64,
}

/// Columns of an entry besides those of its [`Head`].
const ENTRY: &str = "id, hash, created_at";
/// Columns of a posting, which follow those of the posting's entry.
const POSTING: &str = "line, account_code, debit, credit, vat_box";
/// Date and id of the entries whose VAT is due from `?2` to `?3`. In most entries the VAT date is
/// the entry date. These entries and the others are selected separately, each through an index.
pub(crate) const DUE: &str =
    "SELECT date AS day, id FROM entries WHERE account_id = ?1 AND date BETWEEN ?2 AND ?3 AND vat_date = date
     UNION ALL SELECT vat_date, id FROM entries WHERE account_id = ?1 AND vat_date BETWEEN ?2 AND ?3 AND vat_date <> date";
/// Number of columns of an entry, which precede those of a posting.
const WIDTH: usize = 16;

record! {
    Head {
        "date": date,
        "vat_date": vat_date,
        "corrects_period": corrects_period,
        "description_kind, description_number, description_related_number, description_party, description_period, description_text, \
         description_receipts": description,
        "source_type, source_id": source,
        "reverses_entry_id": reverses,
    }
}
columns_by_name!(DescriptionKind);
fields! { Description { kind, number, related_number, party, period, text, receipts } }
fields! { Source { kind, id } }

/// Columns of entries `e` and their postings `p`.
fn columns() -> String {
    format!(
        "{}, {}, {}",
        record::of("e", ENTRY),
        record::of("e", Head::COLUMNS),
        record::of("p", POSTING)
    )
}

fn read_head(row: &Row<'_>) -> Result<Head, StoreError> {
    Head::take(row, &mut 3)
}

/// Receipt hashes, stored as space-separated hexadecimal.
impl Column for Vec<ReceiptHash> {
    fn take(row: &Row<'_>, at: &mut usize) -> Result<Self, StoreError> {
        let Some(text) = row.opt_text(record::next(at))? else { return Ok(Vec::new()) };
        let unreadable = || StoreError::Unreadable(format!("{text:?} is no list of hashes"));
        let hashes: Option<Self> = text.split(' ').map(hash_of_hex).collect();
        // Only one representation of each list is valid, so that any modification of the stored
        // text is detected.
        hashes
            .filter(|hashes| hashes_as_text(hashes).as_deref() == Some(text.as_str()))
            .ok_or_else(unreadable)
    }

    fn put<'v>(&'v self, values: &mut Vec<Param<'v>>) {
        values.push(hashes_as_text(self).into());
    }
}

fn hash_of_hex(text: &str) -> Option<ReceiptHash> {
    let mut hash = [0; 32];
    if text.len() != 64 || !text.is_ascii() {
        return None;
    }
    for (place, byte) in hash.iter_mut().enumerate() {
        *byte = u8::from_str_radix(text.get(2 * place..2 * place + 2)?, 16).ok()?;
    }
    Some(hash)
}

fn hashes_as_text(hashes: &[ReceiptHash]) -> Option<String> {
    let hex =
        |hash: &ReceiptHash| hash.iter().map(|byte| format!("{byte:02x}")).collect::<String>();
    (!hashes.is_empty()).then(|| hashes.iter().map(hex).collect::<Vec<_>>().join(" "))
}

pub(crate) fn box_text(vat_box: Option<VatBox>) -> &'static str {
    vat_box.map_or("", VatBox::as_str)
}

fn read_box(row: &Row<'_>, column: usize) -> Result<Option<VatBox>, StoreError> {
    row.parsed(
        column,
        |text| if text.is_empty() { Some(None) } else { VatBox::parse(text).map(Some) },
    )
}

fn read_code(row: &Row<'_>, column: usize) -> Result<AccountCode, StoreError> {
    let code: u32 = row.narrow(column)?;
    AccountCode::restore(code)
        .ok_or_else(|| StoreError::Unreadable(format!("account {code} is not in the chart")))
}

pub(crate) fn insert(
    tx: &mut Tx<'_>,
    account: i64,
    id: i64,
    entry: &JournalEntry,
    hash: &Hash,
    now: Timestamp,
) -> Result<(), StoreError> {
    let mut values: Vec<Param<'_>> = params![account, id, hash, now].into();
    entry.head().put(&mut values);
    record::insert(tx, "entries", &format!("{ENTRY}, {}", Head::COLUMNS), &values)?;
    let mut values = Vec::with_capacity(entry.postings().len() * 8);
    for (line, posting) in (1_i64..).zip(entry.postings()) {
        values.extend(params![
            account,
            id,
            entry.date(),
            line,
            i64::from(posting.account().stored()),
            posting.debited().get(),
            posting.credited().get(),
            box_text(posting.vat_box()),
        ]);
    }
    record::insert(tx, "postings", &format!("entry_id, date, {POSTING}"), &values)
}

/// Page of the entries of a period, ordered by day and id. The day is the entry date or the VAT
/// date, depending on the kind of period.
pub fn in_period(
    tx: &mut Tx<'_>,
    account: i64,
    filter: &EntryFilter,
) -> Result<Page<StoredEntry>, StoreError> {
    of_events_in_period(tx, account, filter, None)
}

/// Like [`in_period`]; with `text`, only entries of events whose description contains that text.
pub fn of_events_in_period(
    tx: &mut Tx<'_>,
    account: i64,
    filter: &EntryFilter,
    text: Option<&str>,
) -> Result<Page<StoredEntry>, StoreError> {
    let beyond_id = match filter.booked_since {
        Some(since) => last_before(tx, account, since)?,
        None => None,
    };
    let (keys, values) = keys_in_period(account, filter, text, beyond_id);
    let (day, down) = (filter.period.day(), if filter.newest_first { " DESC" } else { "" });
    // CROSS JOIN makes SQLite start with the keys: it has no statistics to show that there are only
    // a few of them.
    let sql = format!(
        "SELECT {}
         FROM ({keys}) k CROSS JOIN entries e CROSS JOIN postings p
         WHERE e.account_id = ?1 AND e.id = k.id AND p.account_id = ?1 AND p.entry_id = k.id
         ORDER BY e.{day}{down}, e.id{down}, p.line LIMIT {MOST_POSTINGS}",
        columns()
    );
    let (mut rows, postings) = gather(tx, &sql, &values)?;
    let cut_off = postings == MOST_POSTINGS;
    if cut_off {
        // The last entry may lack some of its postings.
        rows.pop();
    }
    let mut page = Page::of(restored(rows)?, filter.limit);
    page.more |= cut_off;
    Ok(page)
}

/// Id of the last entry booked before `moment`. Ids follow the order of booking, so the query scans
/// backwards and stops at the first earlier entry.
fn last_before(
    tx: &mut Tx<'_>,
    account: i64,
    moment: Timestamp,
) -> Result<Option<i64>, StoreError> {
    let sql =
        "SELECT id FROM entries WHERE account_id = ?1 AND created_at < ?2 ORDER BY id DESC LIMIT 1";
    tx.query_opt(sql, &params![account, moment], |row| row.int(0))
}

/// Query for the dates and ids of the entries of a page, plus one more entry. Each filter has an
/// index in the order of the page.
// Long: one statement, assembled from its parts.
fn keys_in_period(
    account: i64,
    filter: &EntryFilter,
    text: Option<&str>,
    beyond_id: Option<i64>,
) -> (String, Vec<Param<'static>>) {
    let (first, last) = filter.period.bounds();
    // The start is the bound of the period, or the date of the last entry on the previous page if
    // that lies further on.
    let begin = |bound: Date, beyond: fn(Date, Date) -> Date| {
        filter.after.map_or(bound, |(date, _)| beyond(date, bound))
    };
    let (from, to) = if filter.newest_first {
        (first, begin(last, Date::min))
    } else {
        (begin(first, Date::max), last)
    };
    let (beyond, down) = if filter.newest_first { ("<", " DESC") } else { (">", "") };
    let mut values: Vec<Param<'static>> =
        params![account, from, to, filter.limit.saturating_add(1)].into();
    let mut bind = |value: Param<'static>| {
        values.push(value);
        format!("?{}", values.len())
    };
    let after = filter.after.map(|(date, id)| (bind(date.into()), bind(id.into())));
    let kind = filter.source_type.map(|kind| bind(kind.as_str().into()));
    let code = filter.account_code.map(|code| bind(i64::from(code.stored()).into()));
    let text = text.map(|text| bind(anywhere(text).into()));
    let beyond_id = beyond_id.map(|id| bind(id.into()));
    let since =
        |id: &str| beyond_id.as_ref().map_or(String::new(), |last| format!(" AND {id} > {last}"));
    let by_vat_day = matches!(filter.period, Period::Vat(_));
    let Some(code) = code.clone().filter(|_| !by_vat_day && text.is_none()) else {
        let kind = kind.map_or(String::new(), |kind| format!(" AND e.source_type = {kind}"))
            + &since("e.id");
        let with_posting = |which: String| {
            format!(
                " AND EXISTS (SELECT 1 FROM postings x WHERE x.account_id = ?1 AND x.entry_id = e.id AND x.{which})"
            )
        };
        let code =
            code.map_or(String::new(), |code| with_posting(format!("account_code = {code}")));
        let boxed =
            if by_vat_day { with_posting("vat_box <> ''".to_owned()) } else { String::new() };
        let text = text.map_or(String::new(), |text| {
            format!(
                " AND EXISTS (SELECT 1 FROM events v WHERE v.account_id = ?1 AND v.id = e.source_id AND v.kind = e.source_type
                 AND LOWER(COALESCE(v.description, '')) LIKE {text} ESCAPE '\\')"
            )
        });
        let found = |day: &str, which: &str| {
            let after = after.as_ref().map_or(String::new(), |(date, id)| {
                format!(" AND (e.{day}, e.id) {beyond} ({date}, {id})")
            });
            format!(
                "SELECT e.{day} AS day, e.id FROM entries e
                 WHERE e.account_id = ?1 AND e.{day} BETWEEN ?2 AND ?3{which}{after}{kind}{text}{code}{boxed}"
            )
        };
        let found = if by_vat_day {
            format!(
                "{} UNION ALL {}",
                found("date", " AND e.vat_date = e.date"),
                found("vat_date", " AND e.vat_date <> e.date")
            )
        } else {
            found("date", "")
        };
        return (format!("{found} ORDER BY day{down}, id{down} LIMIT ?4"), values);
    };
    let after = after.map_or(String::new(), |(date, id)| {
        format!(" AND (x.date, x.entry_id) {beyond} ({date}, {id})")
    }) + &since("x.entry_id");
    let kind = kind.map_or(String::new(), |kind| {
        format!(" AND EXISTS (SELECT 1 FROM entries y WHERE y.account_id = ?1 AND y.id = x.entry_id AND y.source_type = {kind})")
    });
    let sql = format!(
        "SELECT DISTINCT x.date, x.entry_id AS id FROM postings x
         WHERE x.account_id = ?1 AND x.account_code = {code} AND x.date BETWEEN ?2 AND ?3{after}{kind}
         ORDER BY x.date{down}, x.entry_id{down} LIMIT ?4"
    );
    (sql, values)
}

/// Id of the last entry; 0 if there is none.
pub fn last_id(tx: &mut Tx<'_>, account: i64) -> Result<i64, StoreError> {
    let sql = "SELECT COALESCE(MAX(id), 0) FROM entries WHERE account_id = ?1";
    tx.query_one(sql, &params![account], |row| row.int(0))
}

/// Entries with an id above `after`, ordered by id, which is the order of booking. Used by the
/// verification of the books.
pub fn after(
    tx: &mut Tx<'_>,
    account: i64,
    after: i64,
    limit: i64,
) -> Result<Vec<RawEntry>, StoreError> {
    let sql = format!(
        "SELECT {}, p.date
         FROM (SELECT * FROM entries WHERE account_id = ?1 AND id > ?2 ORDER BY id LIMIT ?3) e
         LEFT JOIN postings p ON p.account_id = ?1 AND p.entry_id = e.id
         ORDER BY e.id, p.line",
        columns()
    );
    let rows = tx.query(&sql, &params![account, after, limit], |row| {
        let head = RawEntry {
            id: row.int(0)?,
            hash: row.hash(1).map_err(|e| e.to_string()),
            created_at: row.time(2).map_err(|e| e.to_string()),
            head: read_head(row).map_err(|e| e.to_string()),
            postings: Vec::new(),
        };
        let posting = row.opt_int(WIDTH)?.map(|line| read_raw_posting(row, line, &head));
        Ok((head, posting))
    })?;
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

/// Hashes of all links of an account's chain, both entries and document records, in no particular
/// order.
pub fn hashes(tx: &mut Tx<'_>, account: i64) -> Result<Vec<Hash>, StoreError> {
    let mut all =
        tx.query("SELECT hash FROM entries WHERE account_id = ?1", &params![account], |row| {
            row.hash(0)
        })?;
    all.extend(tx.query(
        "SELECT hash FROM document_records WHERE account_id = ?1",
        &params![account],
        |row| row.hash(0),
    )?);
    Ok(all)
}

/// Earliest date before `day` that has an entry still in force on `day` (neither a reversal nor
/// reversed before `day`).
pub fn first_day_before(
    tx: &mut Tx<'_>,
    account: i64,
    day: Date,
) -> Result<Option<Date>, StoreError> {
    let sql = "SELECT MIN(date) FROM entries WHERE account_id = ?1 AND date < ?2 AND reverses_entry_id IS NULL AND id NOT IN
               (SELECT reverses_entry_id FROM entries WHERE account_id = ?1 AND date < ?2 AND reverses_entry_id IS NOT NULL)";
    tx.query_one(sql, &params![account, day], |row| row.opt_date(0))
}

/// Number of postings, including any whose entry is missing. Used by the verification of the books.
pub fn count_postings(tx: &mut Tx<'_>, account: i64) -> Result<i64, StoreError> {
    tx.query_one("SELECT COUNT(*) FROM postings WHERE account_id = ?1", &params![account], |row| {
        row.int(0)
    })
}

fn read_posting(row: &Row<'_>) -> Result<Posting, StoreError> {
    let amount = |column| row.int(column).map(Cents::new);
    posting(
        read_code(row, WIDTH + 1)?,
        amount(WIDTH + 2)?,
        amount(WIDTH + 3)?,
        read_box(row, WIDTH + 4)?,
    )
}

fn read_raw_posting(row: &Row<'_>, line: i64, entry: &RawEntry) -> Result<(i64, Posting), String> {
    if entry.head.as_ref().is_ok_and(|head| row.date(WIDTH + 5).ok() != Some(head.date)) {
        return Err(format!("line {line} is not dated as its entry"));
    }
    read_posting(row).map(|posting| (line, posting)).map_err(|error| error.to_string())
}

/// An entry as read from the database; each part may be damaged.
#[derive(Debug)]
pub struct RawEntry {
    /// Unique within the account.
    pub id: i64,
    /// Hash that chains this entry to the previous link.
    pub hash: Result<Hash, String>,
    /// Time of booking.
    pub created_at: Result<Timestamp, String>,
    /// Data of the entry besides its postings.
    pub head: Result<Head, String>,
    /// Line numbers and postings.
    pub postings: Vec<Result<(i64, Posting), String>>,
}

fn posting(
    code: AccountCode,
    debit: Cents,
    credit: Cents,
    vat_box: Option<VatBox>,
) -> Result<Posting, StoreError> {
    let negative = debit.is_negative() || credit.is_negative();
    if negative || (!debit.is_zero() && !credit.is_zero()) {
        return Err(StoreError::Unreadable(format!(
            "a posting on account {code} has debit {debit} and credit {credit}"
        )));
    }
    Ok(if credit.is_zero() {
        Posting::debit(code, debit, vat_box)
    } else {
        Posting::credit(code, credit, vat_box)
    })
}

/// Entry with this id.
pub fn by_id(tx: &mut Tx<'_>, account: i64, id: i64) -> Result<Option<StoredEntry>, StoreError> {
    let sql = format!(
        "SELECT {} FROM entries e JOIN postings p ON p.account_id = ?1 AND p.entry_id = e.id
         WHERE e.account_id = ?1 AND e.id = ?2 ORDER BY p.line",
        columns()
    );
    Ok(restored(gather(tx, &sql, &params![account, id])?.0)?.pop())
}

/// Ids of the entries of a document, oldest first.
pub fn ids_by_source(
    tx: &mut Tx<'_>,
    account: i64,
    source: Source,
) -> Result<Vec<i64>, StoreError> {
    tx.query(
        "SELECT id FROM entries WHERE account_id = ?1 AND source_type = ?2 AND source_id = ?3 ORDER BY id",
        &params![account, source.kind.as_str(), source.id],
        |row| row.int(0),
    )
}

/// Ids of the entries of invoices and credit notes: pairs of document id and entry id, ordered by
/// document, oldest entry first.
pub fn ids_by_invoices(
    tx: &mut Tx<'_>,
    account: i64,
    invoices: &[i64],
) -> Result<Vec<(i64, i64)>, StoreError> {
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

/// A posting that counts towards a box of a VAT return.
#[derive(Debug, Clone)]
pub struct BoxPosting {
    /// Id of the entry that contains the posting.
    pub entry_id: i64,
    /// Line number in the entry, from 1.
    pub line: i64,
    /// Data of the entry besides its postings.
    pub head: Head,
    /// The posting.
    pub posting: Posting,
}

/// Postings of a VAT period in the given boxes that follow the position `after`, ordered by VAT
/// date, entry and line.
pub fn postings_of_boxes(
    tx: &mut Tx<'_>,
    account: i64,
    period: VatPeriod,
    boxes: &[VatBox],
    after: (Date, i64, i64),
    limit: i64,
) -> Result<Vec<BoxPosting>, StoreError> {
    let (date, entry, line) = after;
    let mut values: Vec<Param<'_>> =
        params![account, period.first_day().max(date), period.last_day(), date, entry, line, limit]
            .into();
    let places: Vec<String> =
        (values.len() + 1..=values.len() + boxes.len()).map(|place| format!("?{place}")).collect();
    let places = places.join(", ");
    values.extend(boxes.iter().map(|vat_box| vat_box.as_str().into()));
    let sql = format!(
        "SELECT {}
         FROM (SELECT d.day, d.id FROM ({DUE}) d WHERE (d.day, d.id) >= (?4, ?5)
               AND EXISTS (SELECT 1 FROM postings x WHERE x.account_id = ?1 AND x.entry_id = d.id AND x.vat_box IN ({places}))
               ORDER BY d.day, d.id LIMIT ?7 + 1) k
         CROSS JOIN entries e CROSS JOIN postings p
         WHERE e.account_id = ?1 AND e.id = k.id AND p.account_id = ?1 AND p.entry_id = k.id
         AND (k.day, k.id, p.line) > (?4, ?5, ?6) AND p.vat_box IN ({places}) ORDER BY k.day, k.id, p.line LIMIT ?7",
        columns()
    );
    tx.query(&sql, &values, |row| {
        Ok(BoxPosting {
            entry_id: row.int(0)?,
            line: row.int(WIDTH)?,
            head: read_head(row)?,
            posting: read_posting(row)?,
        })
    })
}

/// An entry being assembled from its rows.
struct Gathered {
    id: i64,
    hash: Hash,
    created_at: Timestamp,
    head: Head,
    postings: Vec<Posting>,
}

/// Groups joined rows of entries and postings by entry; also returns the number of rows.
fn gather(
    tx: &mut Tx<'_>,
    sql: &str,
    values: &[Param<'_>],
) -> Result<(Vec<Gathered>, usize), StoreError> {
    let mut entries: Vec<Gathered> = Vec::new();
    let rows = tx.query(sql, values, |row| {
        let id = row.int(0)?;
        if entries.last().is_none_or(|last| last.id != id) {
            let (hash, created_at) = (row.hash(1)?, row.time(2)?);
            entries.push(Gathered {
                id,
                hash,
                created_at,
                head: read_head(row)?,
                postings: Vec::new(),
            });
        }
        let posting = read_posting(row)?;
        if let Some(last) = entries.last_mut() {
            last.postings.push(posting);
        }
        Ok(())
    })?;
    Ok((entries, rows.len()))
}

/// Converts grouped rows to entries; fails if an entry does not balance.
fn restored(entries: Vec<Gathered>) -> Result<Vec<StoredEntry>, StoreError> {
    let restore = |Gathered { id, hash, created_at, head, postings }| {
        let entry = JournalEntry::restore(head, postings)
            .map_err(|error| StoreError::Unreadable(format!("entry {id}: {error}")))?;
        Ok(StoredEntry { id, entry, hash, created_at })
    };
    entries.into_iter().map(restore).collect()
}

record! {
    MonthTotal {
        "year": year,
        "month": month,
        "account_code": account,
        "debit": debit,
        "credit": credit,
    }
}
record! {
    VatTotal {
        "year, month": month,
        "account_code, vat_box, debit, credit": total,
    }
}
fields! { Total { account, vat_box, debit, credit } }

/// Totals of postings per month and account, from the start of the books through the given month.
pub fn month_totals(
    tx: &mut Tx<'_>,
    account: i64,
    until: (i16, i8),
) -> Result<Vec<MonthTotal>, StoreError> {
    let sql = format!(
        "SELECT {} FROM period_totals WHERE account_id = ?1 AND (year, month) <= (?2, ?3) ORDER BY year, month, account_code",
        MonthTotal::COLUMNS
    );
    tx.query(&sql, &params![account, i64::from(until.0), i64::from(until.1)], MonthTotal::read)
}

/// Totals of postings per account between two days of one month, computed from the entries.
pub fn day_totals(
    tx: &mut Tx<'_>,
    account: i64,
    from: Date,
    to: Date,
) -> Result<Vec<MonthTotal>, StoreError> {
    tx.query(
        "SELECT p.account_code, CAST(SUM(p.debit) AS BIGINT), CAST(SUM(p.credit) AS BIGINT)
         FROM entries e JOIN postings p ON p.account_id = ?1 AND p.entry_id = e.id
         WHERE e.account_id = ?1 AND e.date BETWEEN ?2 AND ?3 GROUP BY p.account_code ORDER BY p.account_code % 10000",
        &params![account, from, to],
        |row| {
            Ok(MonthTotal {
                year: from.year(),
                month: from.month(),
                account: read_code(row, 0)?,
                debit: Cents::new(row.int(1)?),
                credit: Cents::new(row.int(2)?),
            })
        },
    )
}

/// Totals of the postings that have a VAT box, per month, account and box, for one year or for all
/// years.
pub fn vat_totals(
    tx: &mut Tx<'_>,
    account: i64,
    year: Option<i16>,
) -> Result<Vec<VatTotal>, StoreError> {
    let (from, to) = (year.unwrap_or(i16::MIN), year.unwrap_or(i16::MAX));
    let sql = format!(
        "SELECT {} FROM vat_totals WHERE account_id = ?1 AND year BETWEEN ?2 AND ?3 ORDER BY year, month, account_code, vat_box",
        VatTotal::COLUMNS
    );
    tx.query(&sql, &params![account, i64::from(from), i64::from(to)], VatTotal::read)
}

/// Totals of the postings that have a VAT box, per account and box, for one VAT period.
pub fn vat_totals_of(
    tx: &mut Tx<'_>,
    account: i64,
    period: VatPeriod,
) -> Result<Vec<Total>, StoreError> {
    let (first, last) = (period.first_day(), period.last_day());
    tx.query(
        "SELECT account_code, vat_box, CAST(SUM(debit) AS BIGINT), CAST(SUM(credit) AS BIGINT) FROM vat_totals
         WHERE account_id = ?1 AND year = ?2 AND month BETWEEN ?3 AND ?4
         GROUP BY account_code, vat_box ORDER BY account_code, vat_box",
        &params![account, i64::from(first.year()), i64::from(first.month()), i64::from(last.month())],
        record::read,
    )
}
