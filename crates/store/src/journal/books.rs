//! Unit of work on one account's books: ids, invoice numbers, journal entries and totals change
//! together.

use crate::{
    StoreError, Tx,
    accounts::{self, Account, NewAccount},
    change_kinds::{topics, webhook_type},
    changes::{self, Change},
    documents::{self, Look, StoredRecord},
    engine::record::{self, Column, Record, adding, fields, record},
    filings, journal,
    param::Param,
    params,
    sales_totals::{self, Group, Sums},
    webhooks::{self, Message},
};
use jiff::{SignedDuration, Timestamp, civil::Date};
use ledger::{
    calendar::Month,
    chain::{self, DocumentRecord, Hash},
    chart::AccountCode,
    entry::JournalEntry,
    money::Cents,
    summary::{MonthTotal, VatTotal},
    vat::VatBox,
    vat_period::VatPeriod,
    vat_return::Total,
};
use std::{
    collections::BTreeMap,
    ops::{AddAssign, Neg},
};

/// Sequences of ids within an account.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum IdSequence {
    /// An API key.
    ApiKey,
    /// A customer or supplier.
    Contact,
    /// An invoice or credit note.
    Invoice,
    /// A payment on an invoice.
    Payment,
    /// A write-off of an invoice.
    WriteOff,
    /// A payout of a payment provider.
    Payout,
    /// A purchase.
    Expense,
    /// The file of a receipt.
    Receipt,
    /// A business asset.
    Asset,
    /// A business trip.
    Trip,
    /// An event, or a manual booking without a document (VAT payment, depreciation).
    Manual,
    /// A project.
    Project,
    /// Hours on a project.
    TimeEntry,
    /// An entry of the hours log, for hours on no project.
    HoursLog,
    /// A journal entry.
    Entry,
    /// A record of a document in the hash chain.
    Document,
    /// A row of the change feed.
    Change,
    /// A webhook.
    Webhook,
    /// A message to a webhook.
    Delivery,
    /// An upload of bank statements.
    BankStatement,
    /// A line of a bank statement.
    BankLine,
    /// A rule for lines of bank statements.
    BankRule,
    /// A mapping of CSV files of a bank.
    BankMapping,
    /// A batch of payments.
    PaymentBatch,
    /// A quote.
    Quote,
    /// An article.
    Article,
    /// A recurring invoice.
    Recurring,
}

const ID_SEQUENCES: usize = 27;
/// Columns of `books` in the order of [`IdSequence`].
const COLUMNS: &str = "last_api_key, last_contact, last_invoice, last_payment, last_write_off, last_payout, last_expense, last_receipt, \
                       last_asset, last_trip, last_manual, last_project, last_time_entry, last_hours_log, last_entry, last_document, last_change, last_webhook, \
                       last_delivery, last_bank_statement, last_bank_line, last_bank_rule, last_bank_mapping, last_payment_batch, last_quote, last_article, last_recurring";

/// Stored document totals for a month or VAT period, or a change to such totals. Totals of postings
/// are stored separately.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct DocumentTotals {
    /// Number of journal entries dated in the period.
    pub entries: i64,
    /// Number of invoices and credit notes dated in the period.
    pub invoices: i64,
    /// Totals of the drafts dated in the period.
    pub drafts: Drafts,
    /// Number of paid invoices dated in the period.
    pub paid: i64,
    /// Amount still to be received on invoices dated in the period.
    pub outstanding: Cents,
    /// Totals of the drafts whose VAT is due in the period.
    pub due_drafts: Drafts,
}

/// Totals of drafts. Drafts are already booked, but the customer does not owe the amount yet.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Drafts {
    /// Number of drafts.
    pub count: i64,
    /// Revenue excluding VAT.
    pub revenue: Cents,
    /// VAT.
    pub vat: Cents,
    /// Total including VAT.
    pub amount: Cents,
}

impl AddAssign for Drafts {
    fn add_assign(&mut self, other: Self) {
        self.count += other.count;
        self.revenue += other.revenue;
        self.vat += other.vat;
        self.amount += other.amount;
    }
}

impl Neg for Drafts {
    type Output = Self;
    fn neg(self) -> Self {
        Self { count: -self.count, revenue: -self.revenue, vat: -self.vat, amount: -self.amount }
    }
}

impl AddAssign for DocumentTotals {
    fn add_assign(&mut self, other: Self) {
        self.entries += other.entries;
        self.invoices += other.invoices;
        self.drafts += other.drafts;
        self.paid += other.paid;
        self.outstanding += other.outstanding;
        self.due_drafts += other.due_drafts;
    }
}

impl Neg for DocumentTotals {
    type Output = Self;
    fn neg(self) -> Self {
        Self {
            entries: -self.entries,
            invoices: -self.invoices,
            drafts: -self.drafts,
            paid: -self.paid,
            outstanding: -self.outstanding,
            due_drafts: -self.due_drafts,
        }
    }
}

/// Resolution of stored timestamps.
const TICK: SignedDuration = SignedDuration::from_micros(1);

type MonthKey = (i16, i8, AccountCode);
type VatKey = (Month, AccountCode, VatBox);

/// Settings of an account that affect how its books are written and what its documents look like.
#[derive(Debug, Clone)]
pub struct Terms {
    /// The account.
    pub account: Account,
    /// Layout of the account's documents.
    pub look: Look,
    /// Latest closed year.
    pub closed_until: Option<i16>,
    /// Number of times that the VAT scheme has changed.
    pub scheme_changes: i64,
    /// Number of times that the method of declaring VAT on sales has changed.
    pub method_changes: i64,
    /// Last day of the latest VAT period with a filed return.
    pub last_filed: Option<Date>,
    /// First day of the first month with a journal entry.
    pub first_posting: Option<Date>,
    /// Date of the opening balance.
    pub opening: Option<Date>,
}

/// An account's books, locked for writing.
pub struct Books {
    account: i64,
    terms: Terms,
    last: [i64; ID_SEQUENCES],
    head: Hash,
    /// The server's clock at the start of the command.
    asked_at: Timestamp,
    /// The clock of the books. `now` is the timestamp that the command writes.
    clock: Timestamp,
    now: Timestamp,
    months: BTreeMap<MonthKey, (Cents, Cents)>,
    vat: BTreeMap<VatKey, (Cents, Cents)>,
    documents: BTreeMap<Month, DocumentTotals>,
    sales: BTreeMap<Group, Sums>,
    /// Last used number per year, for the years in which this command has used a number.
    numbers: BTreeMap<i16, i64>,
}

/// Locks an account's books, runs `work` on them, and keeps ids, hash chain, totals and change feed
/// consistent.
///
/// `work` gets the timestamp to write: the clock of the books, or one microsecond after the
/// previous command's timestamp if the clock is not later. Timestamps therefore follow the order of
/// commits, regardless of clock differences between nodes and of waiting times.
///
/// # Errors
/// Those of `work`, [`StoreError::AccountClosed`], and another [`StoreError`] if the books cannot
/// be read or written.
pub fn transact<T, E: From<StoreError>>(
    tx: &mut Tx<'_>,
    account: i64,
    clock: Timestamp,
    work: impl FnOnce(&mut Tx<'_>, &mut Books, Timestamp) -> Result<T, E>,
) -> Result<T, E> {
    transact_with_prefetch(tx, account, clock, |_| {}, work)
}

/// Like [`transact`], for work whose queries are known in advance: `questions` issues them for
/// [`Tx::prefetch`].
///
/// # Errors
/// As for [`transact`].
pub fn transact_with_prefetch<T, E: From<StoreError>>(
    tx: &mut Tx<'_>,
    account: i64,
    clock: Timestamp,
    questions: impl FnOnce(&mut Tx<'_>),
    work: impl FnOnce(&mut Tx<'_>, &mut Books, Timestamp) -> Result<T, E>,
) -> Result<T, E> {
    tx.prefetch(|tx| {
        // The lock comes first, so that no other command changes the data between the prefetched
        // queries and the work.
        drop(Books::open(tx, account, clock));
        questions(tx);
    });
    let mut books = Books::open(tx, account, clock)?;
    let (now, writes) = (books.now, tx.writes());
    let done = work(tx, &mut books, now)?;
    if tx.writes() != writes {
        books.report_changes(tx)?;
        books.save_heads(tx)?;
    }
    books.save_numbers(tx)?;
    books.save_totals(tx)?;
    Ok(done)
}

/// Creates an account with empty books. Returns its id, or `None` if the email address is taken.
pub fn open_account(tx: &mut Tx<'_>, account: &NewAccount) -> Result<Option<i64>, StoreError> {
    let Some(id) = accounts::insert(tx, account)? else { return Ok(None) };
    open(tx, id)?;
    Ok(Some(id))
}

/// Creates the empty books of an account.
pub(crate) fn open(tx: &mut Tx<'_>, id: i64) -> Result<(), StoreError> {
    let mut values: Vec<Param<'_>> = params![id].into();
    values.extend(std::iter::repeat_n(Param::Int(0), ID_SEQUENCES));
    values.extend(params![&chain::GENESIS, Timestamp::UNIX_EPOCH]);
    record::insert(tx, "books", &format!("{COLUMNS}, head_hash, stamped_at"), &values)
}

/// Last ids of all sequences, and the last hash of the chain, as stored. Used by the verification
/// of the books.
pub fn heads(tx: &mut Tx<'_>, account: i64) -> Result<([i64; ID_SEQUENCES], Hash), StoreError> {
    tx.query_one(
        &format!("SELECT {COLUMNS}, head_hash FROM books WHERE account_id = ?1"),
        &params![account],
        read_heads,
    )
}

/// Like [`heads`]; `None` if there are no books.
pub fn find_heads(
    tx: &mut Tx<'_>,
    account: i64,
) -> Result<Option<([i64; ID_SEQUENCES], Hash)>, StoreError> {
    tx.query_opt(
        &format!("SELECT {COLUMNS}, head_hash FROM books WHERE account_id = ?1"),
        &params![account],
        read_heads,
    )
}

/// Timestamp of the last change to an account; no row of the account has a later one.
pub fn stamped_at(tx: &mut Tx<'_>, account: i64) -> Result<Timestamp, StoreError> {
    tx.query_one("SELECT stamped_at FROM books WHERE account_id = ?1", &params![account], |row| {
        row.time(0)
    })
}

/// Whether the books have ever had an entry or an API key.
pub fn are_used(tx: &mut Tx<'_>, account: i64) -> Result<bool, StoreError> {
    let sql = "SELECT account_id FROM books WHERE account_id = ?1 AND (last_api_key <> 0 OR last_entry <> 0)";
    Ok(tx.query_opt(sql, &params![account], |row| row.int(0))?.is_some())
}

/// Whether the books have no journal entry and no invoice, including drafts.
pub fn are_empty(tx: &mut Tx<'_>, account: i64) -> Result<bool, StoreError> {
    let sql = "SELECT account_id FROM books WHERE account_id = ?1 AND last_entry = 0 AND last_invoice = 0";
    Ok(tx.query_opt(sql, &params![account], |row| row.int(0))?.is_some())
}

/// Stored last id and highest existing id of every sequence except those of invoices and entries.
/// Used by the verification of the books.
pub fn last_of_others(
    tx: &mut Tx<'_>,
    account: i64,
) -> Result<Vec<(&'static str, i64, i64)>, StoreError> {
    const OTHERS: [(&str, &str, &str); 24] = [
        ("API key", "last_api_key", "MAX(id) FROM api_keys WHERE"),
        ("contact", "last_contact", "MAX(id) FROM contacts WHERE"),
        ("payment", "last_payment", "MAX(id) FROM payments WHERE"),
        ("write-off", "last_write_off", "MAX(id) FROM write_offs WHERE"),
        ("payout", "last_payout", "MAX(id) FROM payouts WHERE"),
        ("expense", "last_expense", "MAX(id) FROM expenses WHERE"),
        ("receipt", "last_receipt", "MAX(id) FROM receipts WHERE"),
        ("asset", "last_asset", "MAX(id) FROM assets WHERE"),
        ("trip", "last_trip", "MAX(id) FROM trips WHERE"),
        (
            "manual booking or event",
            "last_manual",
            "MAX(id) FROM (SELECT account_id, source_id AS id FROM entries WHERE account_id = ?1 AND source_type IN ('manual', \
             'openingBalance', 'transfer', 'privateBooking', 'accrual', 'loan', 'loanRepayment', 'privateUse') \
             UNION ALL SELECT account_id, id FROM events WHERE account_id = ?1) m WHERE",
        ),
        ("project", "last_project", "MAX(id) FROM projects WHERE"),
        ("time entry", "last_time_entry", "MAX(id) FROM time_entries WHERE"),
        ("logged hours", "last_hours_log", "MAX(id) FROM hours_log WHERE"),
        ("change", "last_change", "MAX(sequence) FROM changes WHERE"),
        ("webhook", "last_webhook", "MAX(id) FROM webhooks WHERE"),
        ("webhook delivery", "last_delivery", "MAX(id) FROM webhook_deliveries WHERE"),
        ("bank statement", "last_bank_statement", "MAX(id) FROM bank_statements WHERE"),
        ("bank rule", "last_bank_rule", "MAX(id) FROM bank_rules WHERE"),
        ("bank mapping", "last_bank_mapping", "MAX(id) FROM bank_mappings WHERE"),
        ("bank line", "last_bank_line", "MAX(id) FROM bank_lines WHERE"),
        ("payment batch", "last_payment_batch", "MAX(id) FROM payment_batches WHERE"),
        ("quote", "last_quote", "MAX(id) FROM quotes WHERE"),
        ("article", "last_article", "MAX(id) FROM articles WHERE"),
        ("recurring invoice", "last_recurring", "MAX(id) FROM recurring_invoices WHERE"),
    ];
    let mut sequences = Vec::with_capacity(OTHERS.len());
    for (sequence, column, highest) in OTHERS {
        let sql = format!(
            "SELECT {column}, (SELECT {highest} account_id = ?1) FROM books WHERE account_id = ?1"
        );
        sequences.push(tx.query_one(&sql, &params![account], |row| {
            Ok((sequence, row.int(0)?, row.opt_int(1)?.unwrap_or(0)))
        })?);
    }
    Ok(sequences)
}

/// Sequences with gaps: those whose rows are never deleted, but whose number of rows differs from
/// the last id. Used by the verification of the books.
pub fn gaps(tx: &mut Tx<'_>, account: i64) -> Result<Vec<String>, StoreError> {
    const NEVER_DELETED: [(&str, &str, &str); 15] = [
        ("API keys", "last_api_key", "api_keys WHERE id > 0"),
        ("contacts", "last_contact", "contacts WHERE id > 0"),
        ("payments", "last_payment", "payments WHERE id > 0"),
        ("write-offs", "last_write_off", "write_offs WHERE id > 0"),
        ("payouts", "last_payout", "payouts WHERE id > 0"),
        ("expenses", "last_expense", "expenses WHERE id > 0"),
        ("assets", "last_asset", "assets WHERE id > 0"),
        ("trips", "last_trip", "trips WHERE id > 0"),
        ("projects", "last_project", "projects WHERE id > 0"),
        ("changes", "last_change", "changes WHERE sequence > 0"),
        ("bank statements", "last_bank_statement", "bank_statements WHERE id > 0"),
        ("payment batches", "last_payment_batch", "payment_batches WHERE id > 0"),
        ("quotes", "last_quote", "quotes WHERE id > 0"),
        ("articles", "last_article", "articles WHERE id > 0"),
        ("recurring invoices", "last_recurring", "recurring_invoices WHERE id > 0"),
    ];
    let mut gaps = Vec::new();
    for (words, column, rows) in NEVER_DELETED {
        let sql = format!(
            "SELECT {column}, (SELECT COUNT(*) FROM {rows} AND account_id = ?1) FROM books WHERE account_id = ?1"
        );
        let (last, count) =
            tx.query_one(&sql, &params![account], |row| Ok((row.int(0)?, row.int(1)?)))?;
        if last != count {
            gaps.push(format!(
                "the books say that there are {last} {words}, but {count} were found"
            ));
        }
    }
    Ok(gaps)
}

/// References to rows that do not exist. Foreign keys prevent some of these, but not if the
/// database was changed manually. Used by the verification of the books.
// Long: a table of all references.
pub fn missing_references(tx: &mut Tx<'_>, account: i64) -> Result<Vec<String>, StoreError> {
    const REFERENCES: [(&str, &str, &str); 52] = [
        ("invoices", "contact_id", "contacts"),
        ("invoices", "credited_invoice_id", "invoices"),
        ("invoice_items", "invoice_id", "invoices"),
        ("invoice_items", "sets_off", "invoices"),
        ("vat_corrections", "invoice_id", "invoices"),
        ("vat_due", "invoice_id", "invoices"),
        ("vat_due", "payment_id", "payments"),
        ("vat_due", "write_off_id", "write_offs"),
        ("payments", "invoice_id", "invoices"),
        ("write_offs", "invoice_id", "invoices"),
        ("mails", "invoice_id", "invoices"),
        ("expenses", "contact_id", "contacts"),
        ("expenses", "asset_id", "assets"),
        ("expense_items", "expense_id", "expenses"),
        ("expense_payments", "expense_id", "expenses"),
        ("expense_receipts", "expense_id", "expenses"),
        ("expense_receipts", "receipt_id", "receipts"),
        ("receipt_files", "receipt_id", "receipts"),
        ("assets", "expense_id", "expenses"),
        ("contacts", "merged_into", "contacts"),
        ("projects", "contact_id", "contacts"),
        ("time_entries", "project_id", "projects"),
        ("timers", "project_id", "projects"),
        ("trips", "project_id", "projects"),
        ("opening_items", "event_id", "events"),
        ("bank_statement_files", "statement_id", "bank_statements"),
        ("bank_statement_parts", "statement_id", "bank_statements"),
        ("bank_balances", "statement_id", "bank_statements"),
        ("bank_line_statements", "statement_id", "bank_statements"),
        ("bank_line_statements", "line_id", "bank_lines"),
        ("bank_lines", "duplicate_of", "bank_lines"),
        ("bank_allocations", "line_id", "bank_lines"),
        ("bank_line_entries", "line_id", "bank_lines"),
        ("bank_line_entries", "entry_id", "entries"),
        ("payment_batch_items", "batch_id", "payment_batches"),
        ("payment_batch_items", "expense_id", "expenses"),
        ("payment_batch_items", "paid_by_line", "bank_lines"),
        ("invoices", "quote_id", "quotes"),
        ("mails", "quote_id", "quotes"),
        ("quotes", "contact_id", "contacts"),
        ("quotes", "replaces_id", "quotes"),
        ("quote_items", "quote_id", "quotes"),
        ("quote_invoices", "quote_id", "quotes"),
        ("quote_invoices", "invoice_id", "invoices"),
        ("quote_documents", "quote_id", "quotes"),
        ("quote_links", "quote_id", "quotes"),
        ("invoice_links", "invoice_id", "invoices"),
        ("invoices", "recurring_id", "recurring_invoices"),
        ("recurring_invoices", "contact_id", "contacts"),
        ("recurring_items", "recurring_id", "recurring_invoices"),
        ("recurring_occurrences", "recurring_id", "recurring_invoices"),
        ("recurring_occurrences", "invoice_id", "invoices"),
    ];
    let mut missing = Vec::new();
    for (table, column, target) in REFERENCES {
        let sql = format!(
            "SELECT COUNT(*), MIN({column}) FROM {table} f WHERE f.account_id = ?1 AND f.{column} IS NOT NULL
             AND NOT EXISTS (SELECT 1 FROM {target} t WHERE t.account_id = ?1 AND t.id = f.{column})"
        );
        let (count, first) =
            tx.query_one(&sql, &params![account], |row| Ok((row.int(0)?, row.opt_int(1)?)))?;
        if let Some(first) = first {
            let rows = if count == 1 { "1 row".to_owned() } else { format!("{count} rows") };
            missing.push(format!(
                "{rows} of {table} name {first} of {target} in {column}, which does not exist"
            ));
        }
    }
    Ok(missing)
}

/// Settings of an account that is not closed.
pub fn terms(tx: &mut Tx<'_>, account: i64) -> Result<Option<Terms>, StoreError> {
    let sql = format!(
        "SELECT {}, {},
         (SELECT MAX(year) FROM year_closings WHERE account_id = ?1 AND reopened_at IS NULL),
         (SELECT COUNT(*) FROM vat_schemes WHERE account_id = ?1),
         (SELECT MAX({}) FROM vat_filings WHERE account_id = ?1 AND reopened_at IS NULL),
         (SELECT MIN(year * 100 + month) FROM document_totals WHERE account_id = ?1 AND entries > 0),
         (SELECT MAX(date) FROM events WHERE account_id = ?1 AND kind = 'openingBalance' AND undone_at IS NULL),
         (SELECT COUNT(*) FROM vat_methods WHERE account_id = ?1)
         FROM {} LEFT JOIN invoice_settings s ON s.account_id = ?1 WHERE a.id = ?1 AND a.closed_at IS NULL",
        accounts::COLUMNS,
        record::of("s", Look::COLUMNS),
        filings::LAST_MONTH,
        accounts::FROM
    );
    tx.query_opt(&sql, &params![account], |row| {
        let mut next = accounts::WIDTH;
        Ok(Terms {
            account: accounts::read(row)?,
            look: Look::take(row, &mut next)?,
            closed_until: row.opt_int(next)?.and_then(|year| i16::try_from(year).ok()),
            scheme_changes: row.int(next + 1)?,
            last_filed: row
                .opt_text(next + 2)?
                .and_then(|month| VatPeriod::parse(&month))
                .map(VatPeriod::last_day),
            first_posting: row
                .opt_int(next + 3)?
                .and_then(VatPeriod::from_id)
                .map(VatPeriod::first_day),
            opening: row.opt_date(next + 4)?,
            method_changes: row.int(next + 5)?,
        })
    })
}

/// Locks an account's books until the end of the transaction; returns whether they exist.
pub fn lock(tx: &mut Tx<'_>, account: i64) -> Result<bool, StoreError> {
    let sql = "SELECT account_id FROM books WHERE account_id = ?1";
    Ok(tx.query_opt_for_update(sql, &params![account], |row| row.int(0))?.is_some())
}

fn read_heads(row: &crate::row::Row<'_>) -> Result<([i64; ID_SEQUENCES], Hash), StoreError> {
    let mut last = [0; ID_SEQUENCES];
    for (column, value) in last.iter_mut().enumerate() {
        *value = row.int(column)?;
    }
    Ok((last, row.hash(ID_SEQUENCES)?))
}

impl Books {
    fn open(tx: &mut Tx<'_>, account: i64, asked_at: Timestamp) -> Result<Self, StoreError> {
        let sql =
            format!("SELECT {COLUMNS}, head_hash, stamped_at FROM books WHERE account_id = ?1");
        // Both queries are issued before either result is used, so that PostgreSQL can prefetch
        // them.
        let heads = tx.query_opt_for_update(&sql, &params![account], |row| {
            Ok((read_heads(row)?, row.time(ID_SEQUENCES + 1)?))
        })?;
        let terms = terms(tx, account)?;
        let (((last, head), stamped_at), terms) =
            heads.zip(terms).ok_or(StoreError::AccountClosed)?;
        let clock = terms.account.clock(asked_at);
        Ok(Self {
            account,
            terms,
            last,
            head,
            asked_at,
            clock,
            now: clock.max(stamped_at + TICK),
            months: BTreeMap::new(),
            vat: BTreeMap::new(),
            documents: BTreeMap::new(),
            sales: BTreeMap::new(),
            numbers: BTreeMap::new(),
        })
    }

    /// Settings of the account. They cannot change while the books are locked, because changing the
    /// settings requires the same lock.
    #[must_use]
    pub fn terms(&self) -> &Terms {
        &self.terms
    }

    /// The clock of the books, which determines the current day; in a test account it may be ahead
    /// of the server's clock. The timestamp that a command writes may be later still, if the clock
    /// of another node is fast.
    #[must_use]
    pub fn clock(&self) -> Timestamp {
        self.clock
    }

    /// The server's clock at the start of the command, used to schedule work outside the books.
    #[must_use]
    pub fn asked_at(&self) -> Timestamp {
        self.asked_at
    }

    /// The account.
    #[must_use]
    pub fn account(&self) -> i64 {
        self.account
    }

    /// Returns the next id of a sequence. The id is released if the transaction rolls back.
    pub fn next_id(&mut self, sequence: IdSequence) -> i64 {
        let last = &mut self.last[sequence as usize];
        *last += 1;
        *last
    }

    /// Id that [`Books::append`] will assign to the next entry.
    #[must_use]
    pub fn upcoming_entry(&self) -> i64 {
        self.last[IdSequence::Entry as usize] + 1
    }

    /// Returns the next number in the invoice series of a year. `last` is the last number stored in
    /// the database. The series has no gaps, because a rollback also releases the number.
    pub fn next_number(&mut self, year: i16, last: i64) -> i64 {
        let number = self.numbers.entry(year).or_insert(last);
        *number += 1;
        *number
    }

    /// Appends an entry to the journal and adds it to the totals; returns its id.
    ///
    /// # Errors
    /// The entry is dated in a closed year ([`StoreError::YearClosed`]), or the storage failed.
    pub fn append(
        &mut self,
        tx: &mut Tx<'_>,
        entry: &JournalEntry,
        now: Timestamp,
    ) -> Result<i64, StoreError> {
        if let Some(closed) =
            self.terms.closed_until.filter(|closed| entry.date().year() <= *closed)
        {
            return Err(StoreError::YearClosed(closed));
        }
        let id = self.next_id(IdSequence::Entry);
        self.head = chain::entry_hash(&self.head, self.account, id, entry, now.as_microsecond());
        journal::insert(tx, self.account, id, entry, &self.head, now)?;
        let date = entry.date();
        for posting in entry.postings() {
            let add = |sums: &mut (Cents, Cents)| {
                sums.0 += posting.debited();
                sums.1 += posting.credited();
            };
            add(self.months.entry((date.year(), date.month(), posting.account())).or_default());
            if let Some(vat_box) = posting.vat_box() {
                add(self
                    .vat
                    .entry((Month::of(entry.vat_date()), posting.account(), vat_box))
                    .or_default());
            }
        }
        self.count(date, DocumentTotals { entries: 1, ..DocumentTotals::default() });
        Ok(id)
    }

    /// Appends a record of a document to the hash chain and returns its id. The field `after_entry`
    /// is overwritten with the id of the last journal entry.
    pub fn record(
        &mut self,
        tx: &mut Tx<'_>,
        record: DocumentRecord,
        now: Timestamp,
    ) -> Result<i64, StoreError> {
        let record =
            DocumentRecord { after_entry: self.last[IdSequence::Entry as usize], ..record };
        let id = self.next_id(IdSequence::Document);
        self.head = chain::record_hash(&self.head, self.account, id, &record, now.as_microsecond());
        documents::insert_record(
            tx,
            self.account,
            &StoredRecord { id, record, hash: self.head, created_at: now },
        )?;
        Ok(id)
    }

    /// Adds a change to the totals of the month that contains a day; the fields of the change may
    /// be negative.
    pub fn count(&mut self, day: Date, change: DocumentTotals) {
        *self.documents.entry(Month::of(day)).or_default() += change;
    }

    /// Adds a change to the totals of a group of sales documents; the fields of the change may be
    /// negative.
    pub fn count_sales(&mut self, group: Group, change: Sums) {
        *self.sales.entry(group).or_default() += change;
    }

    /// Appends the changes that the command recorded to the change feed.
    fn report_changes(&mut self, tx: &mut Tx<'_>) -> Result<(), StoreError> {
        let recorded = tx.report(self.account);
        let reported = recorded.iter().map(|recorded| Change {
            sequence: self.next_id(IdSequence::Change),
            kind: recorded.kind,
            id: recorded.id,
            event: recorded.event,
            at: self.now,
        });
        let reported: Vec<Change> = reported.collect();
        changes::append(tx, self.account, &reported)?;
        if self.last[IdSequence::Webhook as usize] == 0 {
            return Ok(());
        }
        for (change, recorded) in reported.iter().zip(&recorded) {
            for name in topics(change.event, &recorded.topics)
                .into_iter()
                .filter_map(|topic| webhook_type(change.kind, topic))
            {
                let id = self.next_id(IdSequence::Delivery);
                webhooks::report(
                    tx,
                    self.account,
                    &Message { id, name, change, since: self.asked_at },
                )?;
            }
        }
        Ok(())
    }

    /// Sequence number of the last change.
    #[must_use]
    pub fn last_change(&self) -> i64 {
        self.last[IdSequence::Change as usize]
    }

    fn save_heads(&self, tx: &mut Tx<'_>) -> Result<(), StoreError> {
        let mut values: Vec<_> = params![self.account].into();
        values.extend(self.last.iter().map(|last| (*last).into()));
        values.extend(params![&self.head, self.now]);
        let set: Vec<String> = COLUMNS
            .split(", ")
            .zip(2..)
            .map(|(column, place)| format!("{column} = ?{place}"))
            .collect();
        let (head, now) = (values.len() - 1, values.len());
        let sql = format!(
            "UPDATE books SET {}, head_hash = ?{head}, stamped_at = ?{now} WHERE account_id = ?1",
            set.join(", ")
        );
        tx.execute(&sql, &values)
    }

    fn save_numbers(&self, tx: &mut Tx<'_>) -> Result<(), StoreError> {
        for (year, last) in &self.numbers {
            tx.execute(
                "INSERT INTO number_series (account_id, year, start, last) VALUES (?1, ?2, 0, ?3)
                 ON CONFLICT (account_id, year) DO UPDATE SET last = excluded.last",
                &params![self.account, i64::from(*year), *last],
            )?;
        }
        Ok(())
    }

    fn save_totals(&mut self, tx: &mut Tx<'_>) -> Result<(), StoreError> {
        self.sales.retain(|_, sums| *sums != Sums::default());
        sales_totals::add(tx, self.account, &self.sales)?;
        self.save_month_totals(tx)?;
        self.save_vat_totals(tx)?;
        self.save_document_totals(tx)
    }

    fn save_month_totals(&self, tx: &mut Tx<'_>) -> Result<(), StoreError> {
        let total = |(&(year, month, account), &(debit, credit))| MonthTotal {
            year,
            month,
            account,
            debit,
            credit,
        };
        let totals: Vec<MonthTotal> = self.months.iter().map(total).collect();
        let columns = format!("account_id, {}", MonthTotal::COLUMNS);
        let tail =
            adding("period_totals", "account_id, year, month, account_code", "debit, credit");
        record::insert_into(
            tx,
            "period_totals",
            &columns,
            &record::rows(self.account, &totals),
            &tail,
        )
    }

    fn save_vat_totals(&self, tx: &mut Tx<'_>) -> Result<(), StoreError> {
        let total = |(&(month, account, vat_box), &(debit, credit))| VatTotal {
            month,
            total: Total { account, vat_box, debit, credit },
        };
        let totals: Vec<VatTotal> = self.vat.iter().map(total).collect();
        let columns = format!("account_id, {}", VatTotal::COLUMNS);
        let tail =
            adding("vat_totals", "account_id, year, month, account_code, vat_box", "debit, credit");
        record::insert_into(tx, "vat_totals", &columns, &record::rows(self.account, &totals), &tail)
    }

    fn save_document_totals(&self, tx: &mut Tx<'_>) -> Result<(), StoreError> {
        let mut values = Vec::with_capacity(self.documents.len() * 15);
        for (month, sums) in
            self.documents.iter().filter(|(_, sums)| **sums != DocumentTotals::default())
        {
            values.push(self.account.into());
            month.put(&mut values);
            sums.put(&mut values);
        }
        let key = "account_id, year, month";
        let columns = format!("{key}, {}", DocumentTotals::COLUMNS);
        let tail = adding("document_totals", key, DocumentTotals::COLUMNS);
        record::insert_into(tx, "document_totals", &columns, &values, &tail)
    }
}

record! {
    DocumentTotals {
        "entries": entries,
        "invoices": invoices,
        "paid": paid,
        "outstanding": outstanding,
        "drafts, draft_revenue, draft_vat, draft_amount": drafts,
        "due_drafts, due_draft_revenue, due_draft_vat, due_draft_amount": due_drafts,
    }
}
fields! { Drafts { count, revenue, vat, amount } }

/// Stored totals of a VAT period.
pub fn totals_of(
    tx: &mut Tx<'_>,
    account: i64,
    period: VatPeriod,
) -> Result<DocumentTotals, StoreError> {
    let (first, last) = (period.first_month(), period.last_month());
    let mut totals = DocumentTotals::default();
    for (month, of_month) in document_totals(tx, account, period.calendar_year())? {
        if (first..=last).contains(&month) {
            totals += of_month;
        }
    }
    Ok(totals)
}

/// Stored totals for the months of a year, in order.
pub fn document_totals(
    tx: &mut Tx<'_>,
    account: i64,
    year: i16,
) -> Result<Vec<(Month, DocumentTotals)>, StoreError> {
    let columns = DocumentTotals::COLUMNS;
    let sql = format!(
        "SELECT year, month, {columns} FROM document_totals WHERE account_id = ?1 AND year = ?2 ORDER BY month"
    );
    tx.query(&sql, &params![account, i64::from(year)], record::read)
}

/// Stored totals for all months, in order. Used by the verification of the books.
pub fn all_document_totals(
    tx: &mut Tx<'_>,
    account: i64,
) -> Result<Vec<(Month, DocumentTotals)>, StoreError> {
    let columns = DocumentTotals::COLUMNS;
    let sql = format!(
        "SELECT year, month, {columns} FROM document_totals WHERE account_id = ?1 ORDER BY year, month"
    );
    tx.query(&sql, &params![account], record::read)
}
