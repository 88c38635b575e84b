//! The unit of work on one account's books: ids, numbers, journal entries and totals that change together.

use crate::{StoreError, Tx, journal, params};
use jiff::Timestamp;
use ledger::{
    calendar::Quarter,
    chain::{self, Hash},
    chart::AccountCode,
    entry::JournalEntry,
    money::Cents,
    vat::VatBox,
};
use std::collections::BTreeMap;

/// The things that are numbered one by one inside an account.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Noun {
    /// An API key.
    ApiKey,
    /// A customer or supplier.
    Contact,
    /// An invoice or credit note.
    Invoice,
    /// A payment on an invoice.
    Payment,
    /// A purchase.
    Expense,
    /// A booking without a document of its own (private drawings, VAT paid, depreciation).
    Manual,
    /// A project.
    Project,
    /// Hours on a project.
    TimeEntry,
    /// Hours beside projects.
    HoursLog,
    /// A journal entry.
    Entry,
}

const NOUNS: usize = 10;
/// The columns of `books` in the order of [`Noun`].
const COLUMNS: &str = "last_api_key, last_contact, last_invoice, last_payment, last_expense, last_manual, last_project, \
                       last_time_entry, last_hours_log, last_entry";

/// What changes in a quarter beside its postings; also the stored sums themselves.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct QuarterTotals {
    /// Journal entries dated in the quarter.
    pub entries: i64,
    /// Invoices and credit notes dated in the quarter.
    pub invoices: i64,
    /// Of these, drafts.
    pub drafts: i64,
    /// VAT on the drafts.
    pub draft_vat: Cents,
    /// Of the invoices, those that are paid.
    pub paid: i64,
    /// Still to be received on the invoices.
    pub outstanding: Cents,
}

type MonthKey = (i16, i8, AccountCode, Option<VatBox>);

/// An account's books, held for writing.
pub struct Books {
    account: i64,
    last: [i64; NOUNS],
    head: Hash,
    months: BTreeMap<MonthKey, (Cents, Cents)>,
    quarters: BTreeMap<(i16, u8), QuarterTotals>,
    /// The last number of each year's series that a number was taken from.
    numbers: BTreeMap<i16, i64>,
}

/// Holds the account's books, lets `work` write to them, and keeps ids, hash chain and totals in step.
///
/// # Errors
/// Those of `work`, [`StoreError::AccountClosed`], and another [`StoreError`] when the books cannot be read or written.
pub fn change<T, E: From<StoreError>>(
    tx: &mut Tx<'_>,
    account: i64,
    work: impl FnOnce(&mut Tx<'_>, &mut Books) -> Result<T, E>,
) -> Result<T, E> {
    change_foreseen(tx, account, |_| {}, work)
}

/// [`change`] for work that knows what it will ask before it writes; see [`Tx::ask_ahead`].
///
/// # Errors
/// As for [`change`].
pub fn change_foreseen<T, E: From<StoreError>>(
    tx: &mut Tx<'_>,
    account: i64,
    questions: impl FnOnce(&mut Tx<'_>),
    work: impl FnOnce(&mut Tx<'_>, &mut Books) -> Result<T, E>,
) -> Result<T, E> {
    tx.ask_ahead(|tx| {
        // First of all, so that what follows is asked while nobody else changes it.
        drop(Books::open(tx, account));
        questions(tx);
    });
    let mut books = Books::open(tx, account)?;
    let before = (books.last, books.head);
    let done = work(tx, &mut books)?;
    if before != (books.last, books.head) {
        books.save_heads(tx)?;
    }
    books.save_numbers(tx)?;
    books.save_totals(tx)?;
    Ok(done)
}

/// Empty books for a new account.
pub(crate) fn insert(tx: &mut Tx<'_>, account: i64) -> Result<(), StoreError> {
    tx.execute(
        &format!("INSERT INTO books (account_id, {COLUMNS}, head_hash) VALUES (?1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, ?2)"),
        &params![account, &chain::GENESIS],
    )
}

/// The last ids given out and the head of the hash chain, as stored; for the proof of the books.
pub fn heads(tx: &mut Tx<'_>, account: i64) -> Result<([i64; NOUNS], Hash), StoreError> {
    tx.query_one(&format!("SELECT {COLUMNS}, head_hash FROM books WHERE account_id = ?1"), &params![account], read_heads)
}

/// Whether anything was ever booked in them, or a key made for them.
pub fn are_used(tx: &mut Tx<'_>, account: i64) -> Result<bool, StoreError> {
    let sql = "SELECT account_id FROM books WHERE account_id = ?1 AND (last_api_key <> 0 OR last_entry <> 0)";
    Ok(tx.query_opt(sql, &params![account], |row| row.int(0))?.is_some())
}

/// Whether there is nothing in them: no journal entry and no invoice, not even a draft.
pub fn are_empty(tx: &mut Tx<'_>, account: i64) -> Result<bool, StoreError> {
    let sql = "SELECT account_id FROM books WHERE account_id = ?1 AND last_entry = 0 AND last_invoice = 0";
    Ok(tx.query_opt(sql, &params![account], |row| row.int(0))?.is_some())
}

/// The last id given out as the books say, and the highest that there is, of everything but invoices and entries; for the proof of the
/// books.
pub fn last_of_others(tx: &mut Tx<'_>, account: i64) -> Result<Vec<(&'static str, i64, i64)>, StoreError> {
    const OTHERS: [(&str, &str, &str); 8] = [
        ("API key", "last_api_key", "MAX(id) FROM api_keys WHERE"),
        ("contact", "last_contact", "MAX(id) FROM contacts WHERE"),
        ("payment", "last_payment", "MAX(id) FROM payments WHERE"),
        ("expense", "last_expense", "MAX(id) FROM expenses WHERE"),
        ("manual booking", "last_manual", "MAX(source_id) FROM entries WHERE source_type = 'manual' AND"),
        ("project", "last_project", "MAX(id) FROM projects WHERE"),
        ("time entry", "last_time_entry", "MAX(id) FROM time_entries WHERE"),
        ("logged hours", "last_hours_log", "MAX(id) FROM hours_log WHERE"),
    ];
    let mut found = Vec::with_capacity(OTHERS.len());
    for (noun, column, highest) in OTHERS {
        let sql = format!("SELECT {column}, (SELECT {highest} account_id = ?1) FROM books WHERE account_id = ?1");
        found.push(tx.query_one(&sql, &params![account], |row| Ok((noun, row.int(0)?, row.opt_int(1)?.unwrap_or(0))))?);
    }
    Ok(found)
}

fn read_heads(row: &crate::row::Row<'_>) -> Result<([i64; NOUNS], Hash), StoreError> {
    let mut last = [0; NOUNS];
    for (column, value) in last.iter_mut().enumerate() {
        *value = row.int(column)?;
    }
    Ok((last, row.hash(NOUNS)?))
}

impl Books {
    fn open(tx: &mut Tx<'_>, account: i64) -> Result<Self, StoreError> {
        let sql = format!("SELECT {COLUMNS}, head_hash FROM books WHERE account_id = ?1");
        let (last, head) = tx.query_opt_for_update(&sql, &params![account], read_heads)?.ok_or(StoreError::AccountClosed)?;
        Ok(Self { account, last, head, months: BTreeMap::new(), quarters: BTreeMap::new(), numbers: BTreeMap::new() })
    }

    /// Whose books they are.
    #[must_use]
    pub fn account(&self) -> i64 {
        self.account
    }

    /// The next id of a noun; given out for good when the transaction commits.
    pub fn next_id(&mut self, noun: Noun) -> i64 {
        let last = &mut self.last[noun as usize];
        *last += 1;
        *last
    }

    /// The id that [`Books::append`] will give to the next entry.
    #[must_use]
    pub fn upcoming_entry(&self) -> i64 {
        self.last[Noun::Entry as usize] + 1
    }

    /// The next number in the invoice series of a year whose last number is `last`; without gaps, because it is taken back with
    /// the transaction.
    pub fn next_number(&mut self, year: i16, last: i64) -> i64 {
        let number = self.numbers.entry(year).or_insert(last);
        *number += 1;
        *number
    }

    /// Appends an entry to the journal and counts it in the totals; gives its id.
    pub fn append(&mut self, tx: &mut Tx<'_>, entry: &JournalEntry, now: Timestamp) -> Result<i64, StoreError> {
        let id = self.next_id(Noun::Entry);
        self.head = chain::entry_hash(&self.head, self.account, id, entry, now.as_microsecond());
        journal::insert(tx, self.account, id, entry, &self.head, now)?;
        let date = entry.date();
        for posting in entry.postings() {
            let key = (date.year(), date.month(), posting.account(), posting.vat_box());
            let sums = self.months.entry(key).or_default();
            sums.0 += posting.debited();
            sums.1 += posting.credited();
        }
        self.count(Quarter::of(date), QuarterTotals { entries: 1, ..QuarterTotals::default() });
        Ok(id)
    }

    /// Adds to the sums of a quarter; fields may be negative.
    pub fn count(&mut self, quarter: Quarter, change: QuarterTotals) {
        let sums = self.quarters.entry((quarter.year(), quarter.number())).or_default();
        sums.entries += change.entries;
        sums.invoices += change.invoices;
        sums.drafts += change.drafts;
        sums.draft_vat += change.draft_vat;
        sums.paid += change.paid;
        sums.outstanding += change.outstanding;
    }

    fn save_heads(&self, tx: &mut Tx<'_>) -> Result<(), StoreError> {
        let mut values: Vec<_> = params![self.account].into();
        values.extend(self.last.iter().map(|last| (*last).into()));
        values.push((&self.head).into());
        tx.execute(
            "UPDATE books SET last_api_key = ?2, last_contact = ?3, last_invoice = ?4, last_payment = ?5, last_expense = ?6,
             last_manual = ?7, last_project = ?8, last_time_entry = ?9, last_hours_log = ?10, last_entry = ?11, head_hash = ?12
             WHERE account_id = ?1",
            &values,
        )
    }

    fn save_numbers(&self, tx: &mut Tx<'_>) -> Result<(), StoreError> {
        for (year, last) in &self.numbers {
            tx.execute(
                "INSERT INTO number_series (account_id, year, last) VALUES (?1, ?2, ?3)
                 ON CONFLICT (account_id, year) DO UPDATE SET last = excluded.last",
                &params![self.account, i64::from(*year), *last],
            )?;
        }
        Ok(())
    }

    fn save_totals(&self, tx: &mut Tx<'_>) -> Result<(), StoreError> {
        let mut values = Vec::with_capacity(self.months.len() * 7);
        for ((year, month, account, vat_box), (debit, credit)) in &self.months {
            values.extend(params![
                self.account,
                i64::from(*year),
                i64::from(*month),
                i64::from(account.get()),
                journal::box_text(*vat_box),
                debit.get(),
                credit.get(),
            ]);
        }
        tx.insert_rows(
            "INSERT INTO period_totals (account_id, year, month, account_code, vat_box, debit, credit)",
            7,
            &values,
            "ON CONFLICT (account_id, year, month, account_code, vat_box)
             DO UPDATE SET debit = period_totals.debit + excluded.debit, credit = period_totals.credit + excluded.credit",
        )?;
        let mut values = Vec::with_capacity(self.quarters.len() * 9);
        for ((year, quarter), sums) in self.quarters.iter().filter(|(_, sums)| **sums != QuarterTotals::default()) {
            values.extend(params![
                self.account,
                i64::from(*year),
                i64::from(*quarter),
                sums.entries,
                sums.invoices,
                sums.drafts,
                sums.draft_vat.get(),
                sums.paid,
                sums.outstanding.get(),
            ]);
        }
        tx.insert_rows(
            "INSERT INTO quarter_totals (account_id, year, quarter, entries, invoices, drafts, draft_vat, paid, outstanding)",
            9,
            &values,
            "ON CONFLICT (account_id, year, quarter) DO UPDATE SET entries = quarter_totals.entries + excluded.entries,
             invoices = quarter_totals.invoices + excluded.invoices, drafts = quarter_totals.drafts + excluded.drafts,
             draft_vat = quarter_totals.draft_vat + excluded.draft_vat, paid = quarter_totals.paid + excluded.paid,
             outstanding = quarter_totals.outstanding + excluded.outstanding",
        )
    }
}

/// The stored sums of the quarters of a year, by quarter.
pub fn quarter_totals(tx: &mut Tx<'_>, account: i64, year: i16) -> Result<Vec<(u8, QuarterTotals)>, StoreError> {
    tx.query(
        "SELECT quarter, entries, invoices, drafts, draft_vat, paid, outstanding FROM quarter_totals
         WHERE account_id = ?1 AND year = ?2 ORDER BY quarter",
        &params![account, i64::from(year)],
        |row| Ok((row.narrow(0)?, read_quarter_totals(row)?)),
    )
}

/// The stored sums of all quarters: year, quarter, sums; for the proof of the books.
pub fn all_quarter_totals(tx: &mut Tx<'_>, account: i64) -> Result<Vec<(i16, u8, QuarterTotals)>, StoreError> {
    tx.query(
        "SELECT quarter, entries, invoices, drafts, draft_vat, paid, outstanding, year FROM quarter_totals
         WHERE account_id = ?1 ORDER BY year, quarter",
        &params![account],
        |row| Ok((row.narrow(7)?, row.narrow(0)?, read_quarter_totals(row)?)),
    )
}

fn read_quarter_totals(row: &crate::row::Row<'_>) -> Result<QuarterTotals, StoreError> {
    Ok(QuarterTotals {
        entries: row.int(1)?,
        invoices: row.int(2)?,
        drafts: row.int(3)?,
        draft_vat: Cents::new(row.int(4)?),
        paid: row.int(5)?,
        outstanding: Cents::new(row.int(6)?),
    })
}
