//! Lines of bank statements: reading, ignoring, and comparing balances of days.

use crate::{BankError, Context, Error, bank_accounts, context, payment_batches};
use bank_suggestions::Suggestion;
use jiff::{
    ToSpan,
    civil::{Date, date},
};
use ledger::{
    bank_line::{AllocationKind, IgnoreReason, LineState},
    chart::AccountCode,
    money::Cents,
};
use std::collections::BTreeMap;
use store::{
    Page, Tx,
    bank_allocations::{self, BankAllocation, UnlinkedEntry},
    bank_lines::{self as rows, BankLine, LineFilter},
    bank_statements,
    changes::{ResourceKind, Topic},
    journal::StoredEntry,
    ledger_cards,
};

pub use store::bank_lines::{LineCounts, LinePart, LineSums, OriginalAmount};

/// Maximum number of days of [`days`].
pub const MOST_DAYS: i64 = 400;
/// Number of days by which the date of an entry is compared with that of its line.
const DAYS_APART: i64 = 100;
/// First day that a line can have.
const FIRST_DAY: Date = date(2000, 1, 1);

/// Line with the statements that contain it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LineDetails {
    /// The line.
    pub line: BankLine,
    /// Ids of the uploads that contain the line, in order.
    pub statement_ids: Vec<i64>,
    /// Allocations of a booked line, in order.
    pub allocations: Vec<BankAllocation>,
    /// Suggestions for a new line, the best first; `None` if they were not asked for.
    pub suggestions: Option<Vec<Suggestion>>,
    /// Transfer of which the line is a half.
    pub transfer_id: Option<i64>,
    /// Whether the line books revenue on a ledger account, which is in no box.
    pub has_revenue_without_vat: bool,
}

/// Warning about the booking of a line that is legal but probably wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LineWarning {
    /// Revenue was booked on a ledger account, without VAT.
    RevenueWithoutVat,
}

impl LineWarning {
    /// Returns the stable code.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::RevenueWithoutVat => "revenue_without_vat",
        }
    }
}

impl LineDetails {
    /// Returns the warnings about the booking.
    #[must_use]
    pub fn warnings(&self) -> Vec<LineWarning> {
        self.has_revenue_without_vat.then_some(LineWarning::RevenueWithoutVat).into_iter().collect()
    }
}

/// Command that ignores a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IgnoreLine {
    /// Reason.
    pub reason: IgnoreReason,
    /// Remark; absent if it stays as it is.
    pub note: Option<String>,
}

/// Edit of a line. A field that is `None` stays unchanged; `Some(None)` clears it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct EditLine {
    /// Remark.
    pub note: Option<Option<String>>,
}

fn detailed(
    tx: &mut Tx<'_>,
    cx: &Context,
    lines: Vec<BankLine>,
) -> Result<Vec<LineDetails>, Error> {
    let ids: Vec<i64> = lines.iter().map(|line| line.id).collect();
    let mut statements = rows::statements_of(tx, cx.actor.account, &ids)?;
    let mut allocations = bank_allocations::of_lines(tx, cx.actor.account, &ids)?;
    let entries_of = |kind: AllocationKind| -> Vec<i64> {
        let of_kind = allocations.values().flatten().filter(|of| of.kind == kind);
        of_kind.flat_map(|of| of.entry_ids.iter().copied()).collect()
    };
    let (tied, by_hand) =
        (entries_of(AllocationKind::Existing), entries_of(AllocationKind::Ledger));
    let transfers = bank_allocations::transfers_of_entries(tx, cx.actor.account, &tied)?;
    let revenue = bank_allocations::with_revenue(tx, cx.actor.account, &by_hand)?;
    let transfer = |of: &BankAllocation| match of.kind {
        AllocationKind::Transfer => of.target_id,
        _ => of.entry_ids.iter().find_map(|entry| transfers.get(entry)).copied(),
    };
    let is_revenue = |of: &BankAllocation| {
        of.kind == AllocationKind::Ledger
            && of.entry_ids.iter().any(|entry| revenue.binary_search(entry).is_ok())
    };
    let details = |line: BankLine| {
        let allocations = allocations.remove(&line.id).unwrap_or_default();
        LineDetails {
            transfer_id: allocations.iter().find_map(transfer),
            has_revenue_without_vat: allocations.iter().any(is_revenue),
            allocations,
            statement_ids: statements.remove(&line.id).unwrap_or_default(),
            suggestions: None,
            line,
        }
    };
    Ok(lines.into_iter().map(details).collect())
}

/// Returns a line by its id.
///
/// # Errors
/// The account is not Dutch, or has no such line.
pub fn read(tx: &mut Tx<'_>, cx: &Context, id: i64) -> Result<LineDetails, Error> {
    cx.actor.require_dutch()?;
    let line = rows::by_id(tx, cx.actor.account, id)?.ok_or(Error::NotFound("bank line"))?;
    detailed(tx, cx, vec![line])?.pop().ok_or(Error::NotFound("bank line"))
}

/// Lists lines with an id below `before`, newest first.
///
/// # Errors
/// The account is not Dutch, or the storage failed.
pub fn list(
    tx: &mut Tx<'_>,
    cx: &Context,
    filter: &LineFilter,
    before: i64,
    limit: i64,
) -> Result<Page<LineDetails>, Error> {
    cx.actor.require_dutch()?;
    let Page { rows, more } = rows::list(tx, cx.actor.account, filter, before, limit)?;
    Ok(Page { rows: detailed(tx, cx, rows)?, more })
}

/// Section of a list of lines with the totals of the list.
#[derive(Debug, Clone)]
pub struct LineTable {
    /// Lines, latest first.
    pub rows: Vec<LineDetails>,
    /// Totals of the whole list.
    pub sums: LineSums,
    /// Number of lines that wait, of the bank account in the filter or of all.
    pub counts: LineCounts,
}

/// Returns a section of a list of lines with the totals of the list; `rows` are offset and limit.
///
/// # Errors
/// The account is not Dutch, or the storage failed.
pub fn table(
    tx: &mut Tx<'_>,
    cx: &Context,
    filter: &LineFilter,
    rows: (i64, i64),
) -> Result<LineTable, Error> {
    cx.actor.require_dutch()?;
    let account = cx.actor.account;
    let lines = rows::section(tx, account, filter, rows)?;
    Ok(LineTable {
        rows: detailed(tx, cx, lines)?,
        sums: rows::sums(tx, account, filter)?,
        counts: rows::counts(tx, account, filter.bank_account)?,
    })
}

/// Returns the ids of the lines that an entry belongs to.
///
/// # Errors
/// The storage failed.
pub fn of_entry(tx: &mut Tx<'_>, cx: &Context, entry: i64) -> Result<Vec<i64>, Error> {
    Ok(bank_allocations::lines_of_entry(tx, cx.actor.account, entry)?)
}

/// Changes a line under the lock of the books. `change` returns the topic for webhooks, if any.
fn change(
    tx: &mut Tx<'_>,
    cx: &Context,
    id: i64,
    change: impl FnOnce(&mut LineDetails) -> Result<Option<Topic>, Error>,
) -> Result<LineDetails, Error> {
    context::transact(tx, cx, |tx, _, cx| change_locked(tx, cx, id, change))
}

/// Like [`change`], in books that are locked.
fn change_locked(
    tx: &mut Tx<'_>,
    cx: &Context,
    id: i64,
    change: impl FnOnce(&mut LineDetails) -> Result<Option<Topic>, Error>,
) -> Result<LineDetails, Error> {
    let existing = read(tx, cx, id)?;
    let mut details = existing.clone();
    let topic = change(&mut details)?;
    if details != existing {
        details.line.updated_at = cx.now();
        rows::update(tx, cx.actor.account, &details.line)?;
        if let Some(topic) = topic {
            tx.record_topic(ResourceKind::BankLine, id, topic);
        }
    }
    Ok(details)
}

/// Changes the remark of a line, in books that are locked.
pub(crate) fn set_note(
    tx: &mut Tx<'_>,
    cx: &Context,
    id: i64,
    command: &EditLine,
) -> Result<LineDetails, Error> {
    change_locked(tx, cx, id, |details| {
        if let Some(note) = &command.note {
            details.line.note.clone_from(note);
        }
        Ok(None)
    })
}

/// Leaves a new line out of the books.
///
/// # Errors
/// The account is not Dutch; it has no such line; or the line is booked or ignored already.
pub fn ignore(
    tx: &mut Tx<'_>,
    cx: &Context,
    id: i64,
    command: &IgnoreLine,
) -> Result<LineDetails, Error> {
    change(tx, cx, id, |LineDetails { line, .. }| {
        require_new(line)?;
        line.state = LineState::Ignored;
        line.state_reason = Some(command.reason);
        if command.note.is_some() {
            line.note.clone_from(&command.note);
        }
        Ok(Some(Topic::Ignored))
    })
}

/// Requires a line that is neither booked nor ignored.
pub(crate) fn require_new(line: &BankLine) -> Result<(), Error> {
    match line.state {
        LineState::New => Ok(()),
        LineState::Booked => Err(BankError::AlreadyBooked(line.id).into()),
        LineState::Ignored => Err(BankError::LineIgnored(line.id).into()),
    }
}

/// Removes the booking of a line, under the lock of the books.
pub(crate) fn set_new(tx: &mut Tx<'_>, cx: &Context, id: i64) -> Result<(), Error> {
    let account = cx.actor.account;
    let line = rows::by_id(tx, account, id)?.ok_or(Error::NotFound("bank line"))?;
    let allocations = bank_allocations::of_line(tx, account, id)?;
    bank_allocations::remove(tx, account, id)?;
    payment_batches::recount(tx, cx, &allocations)?;
    let line = BankLine {
        state: LineState::New,
        state_reason: None,
        booked_by: None,
        accepted: None,
        external_id: None,
        updated_at: cx.now(),
        ..line
    };
    rows::update(tx, account, &line)?;
    tx.record_topic(ResourceKind::BankLine, id, Topic::Undone);
    Ok(())
}

/// Makes the lines of entries new again whose booking is undone elsewhere. The books must be locked.
///
/// # Errors
/// A line has more allocations, so that it can only be undone as a whole.
pub(crate) fn release(tx: &mut Tx<'_>, cx: &Context, entries: &[i64]) -> Result<(), Error> {
    for linked in bank_allocations::lines_of_entries(tx, cx.actor.account, entries)? {
        release_line(tx, cx, linked.line_id)?;
    }
    Ok(())
}

/// Like [`release`], for an entry that is reversed: only the lines of the bank accounts whose money it
/// moves. Entries that move nothing, such as those that move VAT, come and go with other documents.
pub(crate) fn release_moved(
    tx: &mut Tx<'_>,
    cx: &Context,
    entry: &StoredEntry,
) -> Result<(), Error> {
    for linked in bank_allocations::lines_of_entries(tx, cx.actor.account, &[entry.id])? {
        if moves_money_of(cx, entry, linked.bank_account_id) {
            release_line(tx, cx, linked.line_id)?;
        }
    }
    Ok(())
}

/// Whether an entry has a posting on the ledger account of a bank account.
pub(crate) fn moves_money_of(cx: &Context, entry: &StoredEntry, bank_account: i64) -> bool {
    let bank = cx.actor.own_accounts.banks().by_id(bank_account);
    bank.is_some_and(|bank| entry.entry.postings().iter().any(|of| of.account() == bank.code))
}

/// Makes a line new again. An allocation of an existing entry is untied; others can only be undone with
/// the line.
fn release_line(tx: &mut Tx<'_>, cx: &Context, line: i64) -> Result<(), Error> {
    let allocations = bank_allocations::of_line(tx, cx.actor.account, line)?;
    if allocations.is_empty() {
        return Ok(());
    }
    let is_untied = allocations.iter().all(|of| of.kind == AllocationKind::Existing);
    if allocations.len() > 1 && !is_untied {
        return Err(BankError::BookedFromBankLine(line).into());
    }
    set_new(tx, cx, line)
}

/// Links the entries that replace an entry to its lines, whose booking thereby stays the same.
pub(crate) fn follow(
    tx: &mut Tx<'_>,
    cx: &Context,
    replaced: i64,
    by: &[i64],
) -> Result<(), Error> {
    let account = cx.actor.account;
    for id in bank_allocations::lines_of_entry(tx, account, replaced)? {
        bank_allocations::add_entries(tx, account, (id, replaced), by)?;
        let line = rows::by_id(tx, account, id)?.ok_or(Error::NotFound("bank line"))?;
        rows::update(tx, account, &BankLine { updated_at: cx.now(), ..line })?;
    }
    Ok(())
}

/// Returns the first line of an entry.
pub(crate) fn line_of(tx: &mut Tx<'_>, cx: &Context, entry: i64) -> Result<Option<i64>, Error> {
    Ok(bank_allocations::lines_of_entry(tx, cx.actor.account, entry)?.first().copied())
}

/// Declares that a line is a payment of its own, although it resembles another one.
///
/// # Errors
/// The account is not Dutch, or has no such line.
pub fn distinct(tx: &mut Tx<'_>, cx: &Context, id: i64) -> Result<LineDetails, Error> {
    change(tx, cx, id, |LineDetails { line, .. }| {
        line.duplicate_of = None;
        Ok(None)
    })
}

/// Result of comparing the balances of a day.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DayStatus {
    /// Bank, lines and books agree.
    Ok,
    /// Only new lines explain the difference between bank and books.
    Unbooked,
    /// A closing balance is not the next opening balance: a statement is missing.
    Gap,
    /// The lines do not add up to the balance of the bank.
    Mismatch,
    /// The books have an entry that no line explains.
    Unmatched,
    /// No balance of the bank is known.
    Unknown,
}

impl DayStatus {
    /// All results.
    pub const ALL: [Self; 6] =
        [Self::Ok, Self::Unbooked, Self::Gap, Self::Mismatch, Self::Unmatched, Self::Unknown];

    /// Returns the name in the API.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::Unbooked => "unbooked",
            Self::Gap => "gap",
            Self::Mismatch => "mismatch",
            Self::Unmatched => "unmatched",
            Self::Unknown => "unknown",
        }
    }
}

/// Entry that makes books and bank differ at the end of a day, because the bank has it on another day
/// or not at all.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EntryApart {
    /// Entry.
    pub entry_id: i64,
    /// Date in the books.
    pub date: Date,
    /// Amount; negative if money goes out.
    pub amount: Cents,
    /// Date of its line; `None` without one.
    pub line_date: Option<Date>,
}

impl EntryApart {
    /// Part of the difference of bank and books that the entry explains at the end of a day.
    fn difference_on(&self, day: Date) -> Cents {
        let is_in_books = self.date <= day;
        let is_at_bank = self.line_date.is_some_and(|date| date <= day);
        match (is_in_books, is_at_bank) {
            (true, false) => -self.amount,
            (false, true) => self.amount,
            _ => Cents::ZERO,
        }
    }
}

/// Balances of a bank account at the end of a day.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BankDay {
    /// Day.
    pub date: Date,
    /// Balance according to the bank, if it stated one on this day.
    pub bank_balance: Option<Cents>,
    /// Opening balance of the next statement, if it is not the balance of this day.
    pub next_opening: Option<Cents>,
    /// Last balance of the bank and all lines after it.
    pub lines_balance: Option<Cents>,
    /// Balance in the books.
    pub books_balance: Cents,
    /// Balance of the bank less that of the books.
    pub difference: Option<Cents>,
    /// Number of new lines of the day.
    pub new_lines: i64,
    /// Entries of the day that belong to no line of the bank account.
    pub unlinked: Vec<UnlinkedEntry>,
    /// Sum of the lines up to this day that are ignored, but not as duplicates, if they explain the
    /// difference together with the new lines.
    pub ignored: Option<Cents>,
    /// Entries up to this day that make books and bank differ; none if the status is not
    /// [`DayStatus::Unmatched`].
    pub apart: Vec<EntryApart>,
    /// Whether books and bank only have the same entries on different days.
    pub is_by_days: bool,
    /// Result of the comparison.
    pub status: DayStatus,
}

/// Entries on the ledger account of a bank account that the bank has on another day than the books, or
/// not at all, as far as they matter to a period; ordered by date. The bank stated its first balance
/// on the day `first`.
fn entries_apart(
    tx: &mut Tx<'_>,
    account: i64,
    of_account: (i64, AccountCode),
    (from, to): (Date, Date),
    first: Date,
) -> Result<Vec<EntryApart>, Error> {
    let span = DAYS_APART.days();
    let since = from.saturating_sub(span);
    let lines = (since, to.saturating_add(span));
    // What is older is in the first balance of the bank.
    let period = (since.max(first), to);
    let missing = bank_allocations::unlinked(tx, account, of_account, period)?;
    let missing = missing.into_iter().map(|of| (of, None));
    let other = bank_allocations::of_other_days(tx, account, of_account, (from, to), lines)?;
    let other = other.into_iter().map(|of| (of.entry, Some(of.line_date)));
    let apart = |(of, line_date): (UnlinkedEntry, Option<Date>)| EntryApart {
        entry_id: of.entry_id,
        date: of.date,
        amount: of.amount,
        line_date,
    };
    let mut entries: Vec<EntryApart> = missing.chain(other).map(apart).collect();
    entries.sort_by_key(|of| (of.date, of.entry_id));
    Ok(entries)
}

/// Compares the balances of a bank account on each day of a period, the last of which is `to`.
///
/// # Errors
/// The account is not Dutch, or has no such bank account.
// Long: the figures of a day, each from those before it.
pub fn days(
    tx: &mut Tx<'_>,
    cx: &Context,
    id: i64,
    (from, to): (Date, Date),
) -> Result<Vec<BankDay>, Error> {
    let bank_account = bank_accounts::read(tx, cx, id)?.account;
    let account = cx.actor.account;
    let (mut openings, mut closings) = (BTreeMap::new(), BTreeMap::new());
    for balance in bank_statements::balances(tx, account, id, (FIRST_DAY, to))? {
        if balance.is_opening {
            openings.entry(balance.date).or_insert(balance.amount);
        } else {
            closings.insert(balance.date, balance.amount);
        }
    }
    let mut sums = rows::sums_of_days(tx, account, id, to)?.into_iter().peekable();
    let mut entries =
        ledger_cards::days(tx, account, bank_account.code, to)?.into_iter().peekable();
    let of_account = (id, bank_account.code);
    let unlinked = bank_allocations::unlinked(tx, account, of_account, (from, to))?;
    let mut unlinked = unlinked.into_iter().peekable();
    let first = openings.keys().chain(closings.keys()).min().copied();
    let apart = entries_apart(tx, account, of_account, (from, to), first.unwrap_or(from))?;
    let mut day = first.unwrap_or(from).min(from);
    let (mut lines, mut waiting, mut books) = (Cents::ZERO, Cents::ZERO, Cents::ZERO);
    let mut ignored = Cents::ZERO;
    // Balance of the bank before the first line, by the last balance that it stated.
    let mut base: Option<Cents> = None;
    let mut days = Vec::new();
    while day <= to {
        let mut new_lines = 0;
        while let Some(sum) = sums.next_if(|sum| sum.date <= day) {
            lines += sum.amount;
            waiting += sum.new;
            ignored += sum.ignored;
            new_lines = if sum.date == day { sum.count } else { 0 };
        }
        while let Some((_, amount)) = entries.next_if(|(date, _)| *date <= day) {
            books += amount;
        }
        let (closing, opening) = (closings.get(&day).copied(), openings.get(&day).copied());
        let stated = closing.or(opening);
        let by_lines = base.map(|base| base + lines);
        let is_gap = opening.zip(closing.or(by_lines)).is_some_and(|(next, last)| next != last);
        let is_mismatch = closing.zip(by_lines).is_some_and(|(stated, sum)| stated != sum);
        if let Some(stated) = opening.or(closing) {
            base = Some(stated - lines);
        }
        let difference = stated.or(by_lines).map(|bank| bank - books);
        let mut without_line = Vec::new();
        while let Some(entry) = unlinked.next_if(|entry| entry.date <= day) {
            without_line.push(entry);
        }
        let status = match difference {
            None => DayStatus::Unknown,
            _ if is_gap => DayStatus::Gap,
            _ if is_mismatch => DayStatus::Mismatch,
            _ if !without_line.is_empty() => DayStatus::Unmatched,
            Some(Cents::ZERO) => DayStatus::Ok,
            Some(difference) if difference == waiting => DayStatus::Unbooked,
            Some(_) => DayStatus::Unmatched,
        };
        let is_by_ignored = status == DayStatus::Unmatched
            && without_line.is_empty()
            && !ignored.is_zero()
            && difference == Some(waiting + ignored);
        if day >= from {
            let is_unmatched = status == DayStatus::Unmatched;
            let is_open = |of: &&EntryApart| is_unmatched && !of.difference_on(day).is_zero();
            let apart: Vec<EntryApart> = apart.iter().filter(is_open).copied().collect();
            let explained: Cents = apart.iter().map(|of| of.difference_on(day)).sum();
            days.push(BankDay {
                date: day,
                bank_balance: stated,
                next_opening: opening.filter(|_| is_gap),
                lines_balance: by_lines.or(stated),
                books_balance: books,
                difference,
                new_lines,
                unlinked: without_line,
                ignored: is_by_ignored.then_some(ignored),
                is_by_days: !apart.is_empty()
                    && apart.iter().all(|of| of.line_date.is_some())
                    && difference == Some(waiting + explained),
                apart,
                status,
            });
        }
        let Ok(next) = day.tomorrow() else { break };
        day = next;
    }
    Ok(days)
}

/// Days of a period on which a statement of a bank account begins with another balance than the
/// earlier statements end with: those of [`days`] with [`DayStatus::Gap`], as far as the statements
/// of the period reveal them. Reads lines only between statements.
///
/// # Errors
/// The account is not Dutch, or the storage failed.
pub fn gaps(
    tx: &mut Tx<'_>,
    cx: &Context,
    id: i64,
    period: (Date, Date),
) -> Result<Vec<Date>, Error> {
    cx.actor.require_dutch()?;
    let account = cx.actor.account;
    let mut of_days: BTreeMap<Date, (Option<Cents>, Option<Cents>)> = BTreeMap::new();
    for balance in bank_statements::balances(tx, account, id, period)? {
        let (opening, closing) = of_days.entry(balance.date).or_default();
        if balance.is_opening {
            opening.get_or_insert(balance.amount);
        } else {
            *closing = Some(balance.amount);
        }
    }
    let mut gaps = Vec::new();
    let mut last: Option<(Date, Cents)> = None;
    for (day, (opening, closing)) in of_days {
        let expected = match (opening, closing, last) {
            (None, _, _) | (_, None, None) => None,
            (Some(_), Some(closing), _) => Some(closing),
            (Some(_), None, Some((earlier, amount))) => {
                Some(amount + rows::sum_between(tx, account, id, (earlier, day))?)
            }
        };
        if opening.zip(expected).is_some_and(|(next, expected)| next != expected) {
            gaps.push(day);
        }
        last = opening.or(closing).map(|amount| (day, amount));
    }
    Ok(gaps)
}
