//! Handling of entries that would change a filed VAT return: they are rejected, or booked as a
//! correction that a later return carries.
//!
//! Every command that books an entry with a box appends it with [`append`], reverses it with
//! [`reverse`], and passes on its caller's choice for filed periods ([`IfFiled`]). The entries of a
//! correction are defined in `ledger::correction`.

use crate::{Context, Error, PeriodError, bank_lines};
use jiff::civil::Date;
use ledger::{
    correction::{self, LIMIT, Split},
    entry::{JournalEntry, Source},
    late_invoice,
    money::Cents,
    vat_period::VatPeriod,
};
use std::collections::BTreeMap;
use store::{
    Tx,
    books::Books,
    checks as rows, filings,
    journal::{self, StoredEntry},
    years,
};

/// Handling of an entry whose boxes would change a return that was filed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum IfFiled {
    /// Rejects it ([`PeriodError::Filed`]).
    #[default]
    Refuse,
    /// Books it as a correction of the period: the entry stays on its own date without boxes, and
    /// the first open return carries the boxes.
    Correct,
}

impl From<bool> for IfFiled {
    fn from(correction: bool) -> Self {
        if correction { Self::Correct } else { Self::Refuse }
    }
}

/// Rejects an entry that would change a filed return. Only an entry with a posting in a VAT box
/// does so.
pub(crate) fn require_open(
    tx: &mut Tx<'_>,
    account: i64,
    entry: &JournalEntry,
) -> Result<(), Error> {
    match filed_period(tx, account, entry)? {
        Some(filed) => Err(PeriodError::Filed(filed).into()),
        None => Ok(()),
    }
}

/// Returns the filed period that contains the given date.
pub(crate) fn filed_on(
    tx: &mut Tx<'_>,
    account: i64,
    date: Date,
) -> Result<Option<VatPeriod>, Error> {
    Ok(filings::filed_on(tx, account, date)?)
}

/// Returns the filed period whose return an entry would change.
fn filed_period(
    tx: &mut Tx<'_>,
    account: i64,
    entry: &JournalEntry,
) -> Result<Option<VatPeriod>, Error> {
    if entry.has_boxes() { filed_on(tx, account, entry.vat_date()) } else { Ok(None) }
}

/// Returns the entries to append for an entry: the entry itself, the two parts of a correction if
/// its period was filed, or the two parts of an invoice whose VAT is due in an earlier year.
///
/// # Errors
/// The period was filed and [`IfFiled::Refuse`] was given, or the corrections of the period would
/// exceed the limit.
pub fn plan(
    tx: &mut Tx<'_>,
    account: i64,
    entry: JournalEntry,
    if_filed: IfFiled,
) -> Result<Vec<JournalEntry>, Error> {
    let filed = filed_period(tx, account, &entry)?;
    plan_knowing(tx, account, entry, if_filed, filed)
}

/// Like [`plan`], for callers that know the filed period that contains the entry's VAT date.
pub(crate) fn plan_knowing(
    tx: &mut Tx<'_>,
    account: i64,
    entry: JournalEntry,
    if_filed: IfFiled,
    filed: Option<VatPeriod>,
) -> Result<Vec<JournalEntry>, Error> {
    let planned = split_where_filed(tx, account, entry, if_filed, filed)?;
    if let [own, _] = planned.as_slice()
        && let Some(period) = own.corrects_period()
    {
        require_small(tx, account, period, correction::waiting(own))?;
    }
    Ok(planned)
}

/// Like [`plan_knowing`], without the limit on corrections.
fn split_where_filed(
    tx: &mut Tx<'_>,
    account: i64,
    entry: JournalEntry,
    if_filed: IfFiled,
    filed: Option<VatPeriod>,
) -> Result<Vec<JournalEntry>, Error> {
    let Some(filed) = filed.filter(|_| entry.has_boxes()) else {
        return declared_ahead(tx, account, entry);
    };
    if if_filed == IfFiled::Refuse {
        return Err(PeriodError::Filed(filed).into());
    }
    let Split { own, carrying } =
        correction::split(&entry, filed, first_open_after(tx, account, filed)?);
    Ok(vec![own, carrying])
}

/// Returns the entry or, if its VAT is due in an earlier year that is not closed, its two parts
/// ([`late_invoice::split`]).
fn declared_ahead(
    tx: &mut Tx<'_>,
    account: i64,
    entry: JournalEntry,
) -> Result<Vec<JournalEntry>, Error> {
    let Some(split) = late_invoice::split(&entry) else { return Ok(vec![entry]) };
    let is_closed =
        years::last_closed(tx, account)?.is_some_and(|last| split.early.date().year() <= last);
    Ok(if is_closed { vec![entry] } else { vec![split.own, split.early] })
}

/// Appends an entry or, if its period was filed, the two parts of a correction; returns the ids.
///
/// # Errors
/// Those of [`plan`], or the year is closed.
pub fn append(
    tx: &mut Tx<'_>,
    books: &mut Books,
    cx: &Context,
    entry: JournalEntry,
    if_filed: IfFiled,
) -> Result<Vec<i64>, Error> {
    let planned = plan(tx, books.account(), entry, if_filed)?;
    append_planned(tx, books, cx, &planned)
}

/// Id of the entry that has the document's date: the first id that [`append`] returned.
pub(crate) fn own(booked: &[i64]) -> Result<i64, Error> {
    booked.first().copied().ok_or_else(|| Error::Internal("nothing was booked".into()))
}

/// Ids of a document's entries that are in force: neither reversed nor reversals themselves.
/// Entries that carry the boxes of another entry are left out.
pub(crate) fn not_taken_back(
    tx: &mut Tx<'_>,
    account: i64,
    ids: &[i64],
) -> Result<Vec<i64>, Error> {
    let mut standing: Vec<i64> = Vec::new();
    for id in ids {
        let entry = stored(tx, account, *id)?.entry;
        match entry.reverses() {
            Some(reversed) => standing.retain(|id| *id != reversed),
            None if entry.carries_boxes() => {}
            None => standing.push(*id),
        }
    }
    Ok(standing)
}

/// VAT period whose return carries the boxes of a document: the period of its date or, if the
/// document corrects a filed return, a later one.
pub(crate) fn counts_in(cx: &Context, entries: &[StoredEntry], day: Date) -> VatPeriod {
    // The first entry books the document itself, not a payment.
    let own = entries.first().map(|first| first.entry.source());
    let carrying = entries.iter().rev().map(|stored| &stored.entry).find(|entry| {
        Some(entry.source()) == own && entry.carries_correction() && entry.reverses().is_none()
    });
    cx.actor.vat_units.period_of(carrying.map_or(day, JournalEntry::vat_date))
}

fn stored(tx: &mut Tx<'_>, account: i64, id: i64) -> Result<StoredEntry, Error> {
    journal::by_id(tx, account, id)?
        .ok_or_else(|| Error::Internal(format!("entry {id} is missing")))
}

/// Appends the entries of a [`plan`] in order; returns their ids.
pub(crate) fn append_planned(
    tx: &mut Tx<'_>,
    books: &mut Books,
    cx: &Context,
    planned: &[JournalEntry],
) -> Result<Vec<i64>, Error> {
    planned.iter().map(|entry| Ok(books.append(tx, entry, cx.now())?)).collect()
}

/// Booking of a document: an entry and, if it is a correction, the following entry that carries its
/// boxes.
#[derive(Debug, Clone)]
pub struct Booking {
    own: StoredEntry,
    carrying: Option<StoredEntry>,
}

impl Booking {
    /// Returns the booking that an entry belongs to.
    ///
    /// # Errors
    /// There is no such entry.
    pub fn of(tx: &mut Tx<'_>, account: i64, id: i64) -> Result<Self, Error> {
        let mut read = |id| stored(tx, account, id);
        let entry = read(id)?;
        if entry.entry.carries_boxes() {
            // Both parts are appended together; the part that carries the boxes comes second.
            return Ok(Self { own: read(id - 1)?, carrying: Some(entry) });
        }
        let has_other = entry.entry.corrects_period().is_some() || entry.entry.is_declared_ahead();
        let carrying = if has_other { Some(read(id + 1)?) } else { None };
        Ok(Self { own: entry, carrying })
    }

    /// Last booking among the entries of a document.
    pub(crate) fn last_of(tx: &mut Tx<'_>, account: i64, ids: &[i64]) -> Result<Self, Error> {
        let last = ids
            .last()
            .ok_or_else(|| Error::Internal("a document without a journal entry".into()))?;
        Self::of(tx, account, *last)
    }

    /// Returns the document's booking that is in force. This need not be the last booking: when a
    /// return is reopened, its corrections are booked again, even corrections that are reversals.
    pub(crate) fn standing(tx: &mut Tx<'_>, account: i64, ids: &[i64]) -> Result<Self, Error> {
        match not_taken_back(tx, account, ids)?.as_slice() {
            [id] => Self::of(tx, account, *id),
            several => {
                Err(Error::Internal(format!("a document with {} bookings in force", several.len())))
            }
        }
    }

    /// Id of the entry that has the document's date.
    pub(crate) fn id(&self) -> i64 {
        self.own.id
    }

    /// Filed VAT period that contains the booking's VAT date, even if a later return carries its
    /// boxes.
    fn filed_period(&self, tx: &mut Tx<'_>, account: i64) -> Result<Option<VatPeriod>, Error> {
        filed_on(tx, account, self.own.entry.vat_date())
    }

    /// Total VAT of the existing corrections of each given period; must be read before the booking
    /// is reversed. Empty if the booking is not a correction and `if_filed` does not allow any.
    fn corrected(
        &self,
        tx: &mut Tx<'_>,
        account: i64,
        if_filed: IfFiled,
        periods: impl IntoIterator<Item = VatPeriod>,
    ) -> Result<BTreeMap<VatPeriod, Cents>, Error> {
        if self.carrying.is_none() && if_filed == IfFiled::Refuse {
            return Ok(BTreeMap::new());
        }
        periods
            .into_iter()
            .map(|period| Ok((period, rows::corrected_vat(tx, account, period)?)))
            .collect()
    }

    /// The booking as a single entry on its own date, with its boxes.
    #[must_use]
    pub fn entry(&self) -> JournalEntry {
        match &self.carrying {
            None => self.own.entry.clone(),
            Some(carrying) => correction::joined(&self.own.entry, &carrying.entry),
        }
    }
}

/// Returns the entry that a document names by its id. Fails if the entry belongs to another
/// document: the row of the document was modified outside this program, and a reversal would affect
/// that other document.
pub(crate) fn require_own(
    tx: &mut Tx<'_>,
    account: i64,
    id: i64,
    source: Source,
) -> Result<StoredEntry, Error> {
    let named = stored(tx, account, id)?;
    if named.entry.source() == source {
        return Ok(named);
    }
    let (Source { kind, id: document }, other) = (source, named.entry.source());
    Err(Error::Internal(format!(
        "{} {document} names entry {id}, which is of {} {}: the books were changed past the program, see `grootboek verify`",
        kind.as_str(),
        other.kind.as_str(),
        other.id
    )))
}

/// Reverses an entry of a document on its own date and, if it is a correction, the entry that
/// carries its boxes; returns the ids. Bank lines that the entry booked are new again.
///
/// # Errors
/// The entry belongs to another document, or to a bank line with more allocations; one of its boxes is on a filed return and
/// [`IfFiled::Refuse`] was given, the corrections of the period would exceed the limit, or the year
/// is closed.
pub fn reverse(
    tx: &mut Tx<'_>,
    books: &mut Books,
    cx: &Context,
    (source, id): (Source, i64),
    if_filed: IfFiled,
) -> Result<Vec<i64>, Error> {
    require_own(tx, books.account(), id, source)?;
    let booking = Booking::of(tx, books.account(), id)?;
    let filed = booking.filed_period(tx, books.account())?;
    let before = booking.corrected(tx, books.account(), if_filed, filed)?;
    bank_lines::release_moved(tx, cx, &booking.own)?;
    let ids = take_back(tx, books, cx, &booking, if_filed)?;
    require_all_small(tx, books.account(), &before)?;
    Ok(ids)
}

/// Reverses an entry like [`reverse`], but on another day if `on` is one: the VAT return of that day
/// then carries the boxes.
///
/// # Errors
/// Those of [`reverse`] and [`append`].
pub(crate) fn reverse_on(
    tx: &mut Tx<'_>,
    books: &mut Books,
    cx: &Context,
    (source, id): (Source, i64),
    on: Option<Date>,
    if_filed: IfFiled,
) -> Result<Vec<i64>, Error> {
    let own = require_own(tx, books.account(), id, source)?;
    let Some(on) = on.filter(|on| *on != own.entry.date()) else {
        return reverse(tx, books, cx, (source, id), if_filed);
    };
    let booking = Booking::of(tx, books.account(), id)?;
    bank_lines::release_moved(tx, cx, &booking.own)?;
    let reversal = booking.entry().reversal(booking.id(), on, on);
    append(tx, books, cx, reversal, if_filed)
}

/// Reverses an entry like [`reverse`] and books another in its place; returns the ids. If the
/// reversal and the new entry correct the same period, the limit applies to their combined amount.
///
/// # Errors
/// Those of [`reverse`] and [`append`].
pub fn replace(
    tx: &mut Tx<'_>,
    books: &mut Books,
    cx: &Context,
    id: i64,
    entry: JournalEntry,
    if_filed: IfFiled,
) -> Result<Vec<i64>, Error> {
    require_own(tx, books.account(), id, entry.source())?;
    let booking = Booking::of(tx, books.account(), id)?;
    let filed = filed_on(tx, books.account(), entry.vat_date())?;
    let periods = booking.filed_period(tx, books.account())?.into_iter().chain(filed);
    let before = booking.corrected(tx, books.account(), if_filed, periods)?;
    let mut ids = take_back(tx, books, cx, &booking, if_filed)?;
    let planned = split_where_filed(tx, books.account(), entry, if_filed, filed)?;
    ids.extend(append_planned(tx, books, cx, &planned)?);
    bank_lines::follow(tx, cx, booking.own.id, &ids)?;
    require_all_small(tx, books.account(), &before)?;
    Ok(ids)
}

/// Reverses a booking, without the limit on corrections.
fn take_back(
    tx: &mut Tx<'_>,
    books: &mut Books,
    cx: &Context,
    booking: &Booking,
    if_filed: IfFiled,
) -> Result<Vec<i64>, Error> {
    let (account, own) = (books.account(), &booking.own);
    let reversal = own.entry.reversal(own.id, own.entry.date(), own.entry.vat_date());
    let reversals = match &booking.carrying {
        Some(early) if early.entry.declares_ahead() => {
            let back = early.entry.reversal(early.id, early.entry.date(), early.entry.vat_date());
            let filed = filed_period(tx, account, &back)?;
            let mut reversals = vec![reversal];
            reversals.extend(split_where_filed(tx, account, back, if_filed, filed)?);
            reversals
        }
        Some(carrying) => vec![reversal, reversal_of_carrying(tx, account, carrying, if_filed)?],
        None => {
            let filed = filed_period(tx, account, &reversal)?;
            split_where_filed(tx, account, reversal, if_filed, filed)?
        }
    };
    append_planned(tx, books, cx, &reversals)
}

/// Reversal of an entry that carries a correction's boxes. It has the date of that entry or, if the
/// return for that date has been filed, the first day of the next open period.
fn reversal_of_carrying(
    tx: &mut Tx<'_>,
    account: i64,
    carrying: &StoredEntry,
    if_filed: IfFiled,
) -> Result<JournalEntry, Error> {
    let mut day = carrying.entry.date();
    if let Some(carried) = filed_on(tx, account, carrying.entry.vat_date())? {
        if if_filed == IfFiled::Refuse {
            return Err(PeriodError::Filed(carried).into());
        }
        day = first_open_after(tx, account, carried)?;
    }
    Ok(carrying.entry.reversal(carrying.id, day, day))
}

/// First day of the first period after `filed` whose return is open.
fn first_open_after(tx: &mut Tx<'_>, account: i64, filed: VatPeriod) -> Result<Date, Error> {
    let mut day = filed.next().first_day();
    while let Some(next) = filed_on(tx, account, day)? {
        day = next.next().first_day();
    }
    Ok(day)
}

/// Rejects a correction that would raise the total of the period's corrections above the limit for
/// carrying them on a later return.
fn require_small(
    tx: &mut Tx<'_>,
    account: i64,
    period: VatPeriod,
    vat: Cents,
) -> Result<(), Error> {
    let before = rows::corrected_vat(tx, account, period)?;
    require_within(period, before, before + vat)
}

fn require_within(period: VatPeriod, before: Cents, after: Cents) -> Result<(), Error> {
    let is_too_much = after.abs() > LIMIT && after.abs() > before.abs();
    if is_too_much {
        Err(PeriodError::CorrectionTooLarge { period, vat: after }.into())
    } else {
        Ok(())
    }
}

/// Fails if the corrections of one of the periods exceed the limit and have grown since `before`.
fn require_all_small(
    tx: &mut Tx<'_>,
    account: i64,
    before: &BTreeMap<VatPeriod, Cents>,
) -> Result<(), Error> {
    for (period, before) in before {
        require_within(*period, *before, rows::corrected_vat(tx, account, *period)?)?;
    }
    Ok(())
}

/// Moves the corrections of a reopened period back to their own dates, with their boxes.
/// Corrections carried by a return that was filed stay as they are.
pub(super) fn take_home(
    tx: &mut Tx<'_>,
    books: &mut Books,
    cx: &Context,
    period: VatPeriod,
) -> Result<(), Error> {
    for id in standing(tx, books.account(), period)? {
        let booking = Booking::of(tx, books.account(), id)?;
        let carried_is_filed = match &booking.carrying {
            Some(carrying) => filed_on(tx, books.account(), carrying.entry.vat_date())?.is_some(),
            None => true,
        };
        if !carried_is_filed {
            // The limit does not apply here: it caps the total of the period's corrections, and
            // these cease to be corrections.
            let mut by = take_back(tx, books, cx, &booking, IfFiled::Refuse)?;
            let entry = booking.entry();
            require_open(tx, books.account(), &entry)?;
            let booked = books.append(tx, &entry, cx.now())?;
            by.push(booked);
            bank_lines::follow(tx, cx, booking.own.id, &by)?;
            rows::rebooked(tx, books.account(), id, booked)?;
        }
    }
    Ok(())
}

/// Ids of the corrections in force for a period, excluding the entries that carry boxes.
fn standing(tx: &mut Tx<'_>, account: i64, period: VatPeriod) -> Result<Vec<i64>, Error> {
    let mut own = Vec::new();
    for id in rows::corrections(tx, account, period)? {
        let entry = stored(tx, account, id)?.entry;
        if entry.has_boxes() {
            continue;
        }
        match entry.reverses() {
            // The reversal of an entry on a filed return is itself a correction; the reversal of a
            // correction only cancels it.
            Some(taken_back) if own.contains(&taken_back) => own.retain(|id| *id != taken_back),
            _ => own.push(id),
        }
    }
    Ok(own)
}

/// Corrections in force for a period, as they would be booked if its return were open.
///
/// # Errors
/// The storage failed.
pub fn of_period(
    tx: &mut Tx<'_>,
    account: i64,
    period: VatPeriod,
) -> Result<Vec<(i64, JournalEntry)>, Error> {
    let ids = standing(tx, account, period)?;
    ids.into_iter().map(|id| Ok((id, Booking::of(tx, account, id)?.entry()))).collect()
}
