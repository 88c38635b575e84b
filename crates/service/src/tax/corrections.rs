//! Entries with boxes of a VAT period whose return was filed: refused, or booked as a correction that a later return carries.
//!
//! Every command that books something with a box appends by [`append`] and takes back by [`reverse`], and hands on what its caller said
//! of filed periods ([`IfFiled`]). What the rules make of the entry is in `ledger::correction`.

use crate::{Context, Error};
use jiff::civil::Date;
use ledger::{
    calendar::Quarter,
    correction::{self, LIMIT, Split},
    entry::{JournalEntry, Source},
    money::Cents,
};
use std::collections::BTreeMap;
use store::{
    Tx,
    books::Books,
    checks as rows, filings,
    journal::{self, StoredEntry},
};

/// What is to be done with an entry whose boxes would come onto a return that was filed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum IfFiled {
    /// It is refused ([`Error::PeriodFiled`]).
    #[default]
    Refuse,
    /// It corrects the period: it stays on its own day without boxes, and the first open return carries them.
    Correct,
}

impl From<bool> for IfFiled {
    fn from(correction: bool) -> Self {
        if correction { Self::Correct } else { Self::Refuse }
    }
}

/// Refuses an entry that would change the return of a quarter that is filed: one with a posting in a box. Money that moves without VAT
/// changes no return.
pub(crate) fn require_open(tx: &mut Tx<'_>, account: i64, entry: &JournalEntry) -> Result<(), Error> {
    let refused = refuse_boxes(entry);
    if refused.is_err() && filings::is_filed(tx, account, Quarter::of(entry.vat_date()))? { refused } else { Ok(()) }
}

/// Whether the return of a quarter is filed.
pub(crate) fn is_filed(tx: &mut Tx<'_>, account: i64, quarter: Quarter) -> Result<bool, Error> {
    Ok(filings::is_filed(tx, account, quarter)?)
}

/// Refuses an entry with a posting in a box, for whoever knows that the return of its quarter is filed.
fn refuse_boxes(entry: &JournalEntry) -> Result<(), Error> {
    if entry.has_boxes() { Err(Error::PeriodFiled(Quarter::of(entry.vat_date()))) } else { Ok(()) }
}

/// The entries to append for an entry: itself, or where its period was filed the two parts of a correction.
///
/// # Errors
/// The period was filed and no correction is asked for, or the corrections of the period would come to too much.
pub fn plan(tx: &mut Tx<'_>, account: i64, entry: JournalEntry, if_filed: IfFiled) -> Result<Vec<JournalEntry>, Error> {
    let period = Quarter::of(entry.vat_date());
    let filed = entry.has_boxes() && filings::is_filed(tx, account, period)?;
    plan_knowing(tx, account, entry, if_filed, filed)
}

/// [`plan`] for whoever knows whether the return of the entry's VAT period is filed.
pub(crate) fn plan_knowing(
    tx: &mut Tx<'_>,
    account: i64,
    entry: JournalEntry,
    if_filed: IfFiled,
    filed: bool,
) -> Result<Vec<JournalEntry>, Error> {
    let planned = split_where_filed(tx, account, entry, if_filed, filed)?;
    if let [own, _] = planned.as_slice()
        && let Some(period) = own.corrects_period()
    {
        require_small(tx, account, period, correction::waiting(own))?;
    }
    Ok(planned)
}

/// [`plan_knowing`], however much it is.
fn split_where_filed(
    tx: &mut Tx<'_>,
    account: i64,
    entry: JournalEntry,
    if_filed: IfFiled,
    filed: bool,
) -> Result<Vec<JournalEntry>, Error> {
    let period = Quarter::of(entry.vat_date());
    if !filed || !entry.has_boxes() {
        return Ok(vec![entry]);
    }
    if if_filed == IfFiled::Refuse {
        return Err(Error::PeriodFiled(period));
    }
    let Split { own, carrying } = correction::split(&entry, first_open_after(tx, account, period)?);
    Ok(vec![own, carrying])
}

/// Appends an entry, or where its period was filed the two parts of a correction; gives the ids.
///
/// # Errors
/// As for [`plan`], or the year is closed.
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

/// Of the entries that [`append`] made the one on its own day; what carries its boxes comes after it.
pub(crate) fn own(booked: &[i64]) -> Result<i64, Error> {
    booked.first().copied().ok_or_else(|| Error::Internal("nothing was booked".into()))
}

/// Of the entries of a document those that were not taken back, without what carries the boxes of another.
pub(crate) fn not_taken_back(tx: &mut Tx<'_>, account: i64, ids: &[i64]) -> Result<Vec<i64>, Error> {
    let mut open: Vec<i64> = Vec::new();
    for id in ids {
        let entry = stored(tx, account, *id)?.entry;
        match entry.reverses() {
            Some(reversed) => open.retain(|id| *id != reversed),
            None if entry.carries_correction() => {}
            None => open.push(*id),
        }
    }
    Ok(open)
}

/// The VAT period whose return carries the boxes of a document: that of its day, or a later one where it corrects what was filed.
#[must_use]
pub fn counts_in(entries: &[StoredEntry], day: Date) -> Quarter {
    // The first entry of a document is its own, not that of a payment.
    let own = entries.first().map(|first| first.entry.source());
    let carrying = entries
        .iter()
        .rev()
        .map(|stored| &stored.entry)
        .find(|entry| Some(entry.source()) == own && entry.carries_correction() && entry.reverses().is_none());
    Quarter::of(carrying.map_or(day, JournalEntry::vat_date))
}

fn stored(tx: &mut Tx<'_>, account: i64, id: i64) -> Result<StoredEntry, Error> {
    journal::by_id(tx, account, id)?.ok_or_else(|| Error::Internal(format!("entry {id} is lost")))
}

/// Appends the entries of a [`plan`], one after another; gives their ids.
pub(crate) fn append_planned(
    tx: &mut Tx<'_>,
    books: &mut Books,
    cx: &Context,
    planned: &[JournalEntry],
) -> Result<Vec<i64>, Error> {
    planned.iter().map(|entry| Ok(books.append(tx, entry, cx.now())?)).collect()
}

/// What a document is booked by now: an entry, and the one after it that carries its boxes where it is a correction.
#[derive(Debug, Clone)]
pub struct Booking {
    own: StoredEntry,
    carrying: Option<StoredEntry>,
}

impl Booking {
    /// The booking that an entry is, or is a part of.
    ///
    /// # Errors
    /// There is no such entry.
    pub fn of(tx: &mut Tx<'_>, account: i64, id: i64) -> Result<Self, Error> {
        let mut read = |id| stored(tx, account, id);
        let found = read(id)?;
        if found.entry.carries_correction() {
            // Both parts are appended together, the carrying one last.
            return Ok(Self { own: read(id - 1)?, carrying: Some(found) });
        }
        let carrying = if found.entry.corrects_period().is_some() { Some(read(id + 1)?) } else { None };
        Ok(Self { own: found, carrying })
    }

    /// The last booking among the entries of a document.
    pub(crate) fn last_of(tx: &mut Tx<'_>, account: i64, ids: &[i64]) -> Result<Self, Error> {
        let last = ids.last().ok_or_else(|| Error::Internal("a document without a journal entry".into()))?;
        Self::of(tx, account, *last)
    }

    /// The booking of a document that stands: the one that was not taken back. It need not be the last one, since opening a return again
    /// books what took an earlier one back anew.
    pub(crate) fn standing(tx: &mut Tx<'_>, account: i64, ids: &[i64]) -> Result<Self, Error> {
        match not_taken_back(tx, account, ids)?.as_slice() {
            [id] => Self::of(tx, account, *id),
            several => Err(Error::Internal(format!("a document with {} bookings that stand", several.len()))),
        }
    }

    /// The id of its entry on its own day.
    pub(crate) fn id(&self) -> i64 {
        self.own.id
    }

    /// The VAT period that it belongs to, whichever return carries it.
    fn period(&self) -> Quarter {
        Quarter::of(self.own.entry.vat_date())
    }

    /// What the corrections of periods come to before it is taken back; nothing where neither it is one nor a new one can come.
    fn corrected(
        &self,
        tx: &mut Tx<'_>,
        account: i64,
        if_filed: IfFiled,
        periods: impl IntoIterator<Item = Quarter>,
    ) -> Result<BTreeMap<Quarter, Cents>, Error> {
        if self.carrying.is_none() && if_filed == IfFiled::Refuse {
            return Ok(BTreeMap::new());
        }
        periods.into_iter().map(|period| Ok((period, rows::corrected_vat(tx, account, period)?))).collect()
    }

    /// The entry with its boxes on its own day.
    #[must_use]
    pub fn entry(&self) -> JournalEntry {
        match &self.carrying {
            None => self.own.entry.clone(),
            Some(carrying) => correction::joined(&self.own.entry, &carrying.entry),
        }
    }
}

/// The entry that a document names. An entry of another document would be taken back in its place, so that is an error: the row of the
/// document was changed past the program.
pub(crate) fn require_own(tx: &mut Tx<'_>, account: i64, id: i64, source: Source) -> Result<StoredEntry, Error> {
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

/// Takes an entry of a document back on its own day, with the one that carries its boxes where it is a correction; gives the ids.
///
/// # Errors
/// The entry is of another document, a box of it is on a return that was filed and no correction is asked for, the corrections of the period would come to too much, or the
/// year is closed.
pub fn reverse(
    tx: &mut Tx<'_>,
    books: &mut Books,
    cx: &Context,
    (source, id): (Source, i64),
    if_filed: IfFiled,
) -> Result<Vec<i64>, Error> {
    require_own(tx, books.account(), id, source)?;
    let booking = Booking::of(tx, books.account(), id)?;
    let before = booking.corrected(tx, books.account(), if_filed, [booking.period()])?;
    let ids = take_back(tx, books, cx, &booking, if_filed)?;
    require_all_small(tx, books.account(), &before)?;
    Ok(ids)
}

/// Takes an entry back as [`reverse`] does and books another in its place; gives the ids. Of a period that both correct it is what they
/// come to together that counts.
///
/// # Errors
/// As for [`reverse`] and [`append`].
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
    let period = Quarter::of(entry.vat_date());
    let before = booking.corrected(tx, books.account(), if_filed, [booking.period(), period])?;
    let mut ids = take_back(tx, books, cx, &booking, if_filed)?;
    let filed = entry.has_boxes() && filings::is_filed(tx, books.account(), period)?;
    let planned = split_where_filed(tx, books.account(), entry, if_filed, filed)?;
    ids.extend(append_planned(tx, books, cx, &planned)?);
    require_all_small(tx, books.account(), &before)?;
    Ok(ids)
}

/// Takes a booking back, however much it is.
fn take_back(tx: &mut Tx<'_>, books: &mut Books, cx: &Context, booking: &Booking, if_filed: IfFiled) -> Result<Vec<i64>, Error> {
    let (account, own) = (books.account(), &booking.own);
    let reversal = own.entry.reversal(own.id, own.entry.date(), own.entry.vat_date());
    let reversals = match &booking.carrying {
        Some(carrying) => vec![reversal, reversal_of_carrying(tx, account, carrying, if_filed)?],
        None => {
            let filed = reversal.has_boxes() && filings::is_filed(tx, account, Quarter::of(reversal.vat_date()))?;
            split_where_filed(tx, account, reversal, if_filed, filed)?
        }
    };
    append_planned(tx, books, cx, &reversals)
}

/// The entry that takes back the boxes that a later return carries: on that return, or where that was filed too on the first open one.
fn reversal_of_carrying(tx: &mut Tx<'_>, account: i64, carrying: &StoredEntry, if_filed: IfFiled) -> Result<JournalEntry, Error> {
    let carried = Quarter::of(carrying.entry.vat_date());
    let mut day = carrying.entry.date();
    if filings::is_filed(tx, account, carried)? {
        if if_filed == IfFiled::Refuse {
            return Err(Error::PeriodFiled(carried));
        }
        day = first_open_after(tx, account, carried)?;
    }
    Ok(carrying.entry.reversal(carrying.id, day, day))
}

/// The first day of the first period after this one whose return is open.
fn first_open_after(tx: &mut Tx<'_>, account: i64, filed: Quarter) -> Result<Date, Error> {
    let mut period = filed.next();
    while filings::is_filed(tx, account, period)? {
        period = period.next();
    }
    Ok(period.first_day())
}

/// Refuses a correction with which those of the period come to more than may go onto a later return.
fn require_small(tx: &mut Tx<'_>, account: i64, period: Quarter, vat: Cents) -> Result<(), Error> {
    let before = rows::corrected_vat(tx, account, period)?;
    require_within(period, before, before + vat)
}

fn require_within(period: Quarter, before: Cents, after: Cents) -> Result<(), Error> {
    let is_too_much = after.abs() > LIMIT && after.abs() > before.abs();
    if is_too_much { Err(Error::CorrectionTooLarge { period, vat: after }) } else { Ok(()) }
}

/// Refuses what made the corrections of a period come to too much since `before`.
fn require_all_small(tx: &mut Tx<'_>, account: i64, before: &BTreeMap<Quarter, Cents>) -> Result<(), Error> {
    for (period, before) in before {
        require_within(*period, *before, rows::corrected_vat(tx, account, *period)?)?;
    }
    Ok(())
}

/// Books the corrections of a period that was opened again with their boxes on their own day, as far as the return that carries them is
/// open; the others stay.
pub(super) fn take_home(tx: &mut Tx<'_>, books: &mut Books, cx: &Context, period: Quarter) -> Result<(), Error> {
    for id in standing(tx, books.account(), period)? {
        let booking = Booking::of(tx, books.account(), id)?;
        let carried = booking.carrying.as_ref().map(|carrying| Quarter::of(carrying.entry.vat_date()));
        let carried_is_filed = match carried {
            Some(carried) => filings::is_filed(tx, books.account(), carried)?,
            None => true,
        };
        if !carried_is_filed {
            // Each may be large: it is what all of them come to that is limited, and here they all end.
            take_back(tx, books, cx, &booking, IfFiled::Refuse)?;
            let entry = booking.entry();
            require_open(tx, books.account(), &entry)?;
            let booked = books.append(tx, &entry, cx.now())?;
            rows::rebooked(tx, books.account(), id, booked)?;
        }
    }
    Ok(())
}

/// The corrections of a period that were not taken back: the ids of their entries on their own day.
fn standing(tx: &mut Tx<'_>, account: i64, period: Quarter) -> Result<Vec<i64>, Error> {
    let mut own = Vec::new();
    for id in rows::corrections(tx, account, period)? {
        let entry = stored(tx, account, id)?.entry;
        if entry.has_boxes() {
            continue;
        }
        match entry.reverses() {
            // A correction that takes back what was filed is one; what takes back a correction is none.
            Some(taken_back) if own.contains(&taken_back) => own.retain(|id| *id != taken_back),
            _ => own.push(id),
        }
    }
    Ok(own)
}

/// The corrections of a period that were not taken back, as they would be booked if its return were open.
///
/// # Errors
/// The storage failed.
pub fn of_period(tx: &mut Tx<'_>, account: i64, period: Quarter) -> Result<Vec<(i64, JournalEntry)>, Error> {
    let ids = standing(tx, account, period)?;
    ids.into_iter().map(|id| Ok((id, Booking::of(tx, account, id)?.entry()))).collect()
}
