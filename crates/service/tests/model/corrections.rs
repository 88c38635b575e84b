//! Booking in the model: an entry with boxes of a filed return is rejected, or is a correction that
//! a later return carries; a closed year always rejects entries.

use crate::books::{
    Account, Entry, Money, Posting, at, code, is_input_vat, is_vat_due, last, tidy,
};
use jiff::{ToSpan, civil::Date};
use ledger::{entry::SourceType, money::Cents, vat_period::VatPeriod};
use service::{Error, PeriodError, corrections::IfFiled};
use std::collections::BTreeMap;

/// Maximum total VAT of the corrections of a period.
const LIMIT: Money = 100_000;

impl Entry {
    fn has_boxes(&self) -> bool {
        let mut postings = self.postings.clone();
        tidy(&mut postings);
        postings.iter().any(|(_, vat_box, _)| !vat_box.is_empty())
    }

    /// Whether the entry is the part of a correction that is on a later return.
    fn carries(&self) -> bool {
        self.corrects.is_some() && self.has_boxes()
    }

    /// Whether this is an entry of an invoice with VAT on account 1325.
    fn is_ahead(&self) -> bool {
        self.corrects.is_none()
            && self.source.0 == SourceType::Invoice
            && self.postings.iter().any(|(account, ..)| *account == code::VAT_BEFORE_INVOICE)
    }

    /// Whether the entry declares the VAT of an invoice that is dated in a later year.
    fn declares_ahead(&self) -> bool {
        self.is_ahead() && self.has_boxes()
    }

    /// VAT that the entry leaves for a later return.
    fn waiting(&self) -> Money {
        let own = self.postings.iter().filter(|(account, vat_box, _)| {
            *account == code::VAT_CORRECTIONS && vat_box.is_empty()
        });
        -own.map(|(.., amount)| amount).sum::<Money>()
    }

    pub(crate) fn reversal(&self, id: i64, day: Date) -> Self {
        let vat_date = if day == self.date { self.vat_date } else { day };
        let postings = self
            .postings
            .iter()
            .map(|(account, vat_box, amount)| (*account, *vat_box, -amount))
            .collect();
        let description =
            self.description.strip_prefix("Reversal of: ").unwrap_or(&self.description);
        let description = format!("Reversal of: {description}");
        Self { date: day, vat_date, description, reverses: Some(id), postings, ..self.clone() }
    }
}

/// Splits an entry into two: one on its own date without boxes, and one on the first day of a later
/// period that carries the boxes.
fn split(entry: &Entry, filed: VatPeriod, carried_on: Date) -> [Entry; 2] {
    let [own, carrying] = parts(entry, code::VAT_CORRECTIONS);
    let corrects = Some(filed);
    // Only the part on the original date is a reversal.
    let description =
        entry.description.strip_prefix("Reversal of: ").unwrap_or(&entry.description).to_owned();
    let (date, vat_date, reverses) = (carried_on, carried_on, None);
    let carrying = Entry {
        date,
        vat_date,
        description,
        corrects,
        reverses,
        postings: carrying,
        ..entry.clone()
    };
    [Entry { corrects, postings: own, ..entry.clone() }, carrying]
}

/// Splits the postings of an entry into postings without boxes, which leave the VAT on the account
/// `through`, and postings that carry the boxes.
fn parts(entry: &Entry, through: u16) -> [Vec<Posting>; 2] {
    let (mut own, mut carrying, mut vat) = (Vec::new(), Vec::new(), 0);
    for (account, vat_box, amount) in entry.postings.clone() {
        if vat_box.is_empty() {
            own.push((account, "", amount));
        } else if is_vat_due(account) || is_input_vat(account) {
            vat += amount;
            carrying.push((account, vat_box, amount));
        } else {
            own.push((account, "", amount));
            carrying.extend([(account, vat_box, amount), (account, "", -amount)]);
        }
    }
    own.push((through, "", vat));
    carrying.push((through, "", -vat));
    [own, carrying]
}

impl Account {
    /// First day of the first period after `filed` whose return is open.
    fn open_after(&self, filed: VatPeriod) -> Date {
        let mut day = filed.last_day() + 1.day();
        while self.is_filed(day) {
            day = self.period_of(day).last_day() + 1.day();
        }
        day
    }

    /// Total of all corrections of a period.
    fn corrected(&self, period: VatPeriod) -> Money {
        let own = self
            .journal
            .iter()
            .filter(|entry| entry.corrects == Some(period) && !entry.has_boxes());
        own.map(Entry::waiting).sum()
    }

    /// Returns the entry itself or, if its VAT is due in an earlier year that is not closed, the
    /// two parts of the entry.
    fn declared_ahead(&self, entry: Entry) -> Vec<Entry> {
        let day = entry.vat_date;
        let vat: Money = entry
            .postings
            .iter()
            .filter(|(account, vat_box, _)| {
                !vat_box.is_empty() && (is_vat_due(*account) || is_input_vat(*account))
            })
            .map(|(.., amount)| amount)
            .sum();
        let is_late = day.year() < entry.date.year() && entry.reverses.is_none() && vat != 0;
        if !is_late || self.closed.is_some_and(|closed| day.year() <= closed) {
            return vec![entry];
        }
        let [own, early] = parts(&entry, code::VAT_BEFORE_INVOICE);
        vec![
            Entry { postings: own, ..entry.clone() },
            Entry { date: day, postings: early, ..entry },
        ]
    }

    /// Returns the entry itself, or both parts of a correction.
    fn planned(&self, entry: Entry, how: IfFiled) -> Result<Vec<Entry>, Error> {
        let period = self.period_of(entry.vat_date);
        if !entry.has_boxes() || self.filed(period).is_none() {
            return Ok(self.declared_ahead(entry));
        }
        match how {
            IfFiled::Refuse => Err(PeriodError::Filed(period).into()),
            IfFiled::Correct => Ok(split(&entry, period, self.open_after(period)).into()),
        }
    }

    /// Books entries in order; returns the id of the first one.
    fn book_all(&mut self, entries: Vec<Entry>) -> Result<i64, Error> {
        let first = last(&self.journal) + 1;
        for entry in entries {
            self.book(entry)?;
        }
        Ok(first)
    }

    fn within_limit(&self, period: VatPeriod, before: Money) -> Result<(), Error> {
        let after = self.corrected(period);
        let too_much = after.abs() > LIMIT && after.abs() > before.abs();
        let vat = Cents::new(i64::try_from(after).unwrap());
        if too_much { Err(PeriodError::CorrectionTooLarge { period, vat }.into()) } else { Ok(()) }
    }

    /// Books an entry, or both parts of a correction; returns the id of the entry on its own date.
    pub(crate) fn book_as(&mut self, entry: Entry, how: IfFiled) -> Result<i64, Error> {
        let period = self.period_of(entry.vat_date);
        let before = self.corrected(period);
        let planned = self.planned(entry, how)?;
        if let [own, _] = &planned[..]
            && own.corrects.is_some()
        {
            let after = before + own.waiting();
            if after.abs() > LIMIT && after.abs() > before.abs() {
                return Err(PeriodError::CorrectionTooLarge {
                    period,
                    vat: Cents::new(i64::try_from(after).unwrap()),
                }
                .into());
            }
        }
        self.book_all(planned)
    }

    /// Ids of both parts of the booking to which an entry belongs: the part on its own date and, if
    /// the booking is a correction, the part on the later return.
    fn parts(&self, id: i64) -> (i64, Option<i64>) {
        let entry = at(&self.journal, id).unwrap();
        match (entry.carries() || entry.declares_ahead(), entry.corrects) {
            (true, _) => (id - 1, Some(id)),
            (false, None) if entry.is_ahead() => (id, Some(id + 1)),
            (false, Some(_)) => (id, Some(id + 1)),
            (false, None) => (id, None),
        }
    }

    /// Returns the booking to which an entry belongs as if it had not been split: a single entry on
    /// its own date, with its boxes.
    pub(crate) fn joined(&self, id: i64) -> Entry {
        let (own, carrying) = self.parts(id);
        let mut entry = at(&self.journal, own).unwrap().clone();
        if let Some(carrying) = carrying {
            entry.postings.extend(at(&self.journal, carrying).unwrap().postings.clone());
            entry.corrects = None;
        }
        entry
    }

    fn take_back(&mut self, id: i64, how: IfFiled) -> Result<i64, Error> {
        let (own, carrying) = self.parts(id);
        let entry = at(&self.journal, own).unwrap().clone();
        let reversal = entry.reversal(own, entry.date);
        let Some(carrying) = carrying else {
            let planned = self.planned(reversal, how)?;
            return self.book_all(planned);
        };
        let carried = at(&self.journal, carrying).unwrap().clone();
        if carried.declares_ahead() {
            let back = carried.reversal(carrying, carried.date);
            let mut planned = vec![reversal];
            planned.extend(self.planned(back, how)?);
            return self.book_all(planned);
        }
        let period = self.period_of(carried.vat_date);
        let day = match (self.filed(period), how) {
            (None, _) => carried.date,
            (Some(_), IfFiled::Refuse) => return Err(PeriodError::Filed(period).into()),
            (Some(_), IfFiled::Correct) => self.open_after(period),
        };
        self.book_all(vec![reversal, carried.reversal(carrying, day)])
    }

    /// Reverses a booking and returns the id of the reversal on the booking's own date. If a correction
    /// carries its boxes, that part is reversed in a separate entry.
    pub(crate) fn reverse_as(&mut self, id: i64, how: IfFiled) -> Result<i64, Error> {
        let period = self.period_of(at(&self.journal, self.parts(id).0).unwrap().vat_date);
        let before = self.corrected(period);
        let taken_back = self.take_back(id, how)?;
        self.within_limit(period, before)?;
        Ok(taken_back)
    }

    /// Reverses a booking and books another one in its place.
    pub(crate) fn replace_as(&mut self, id: i64, entry: Entry, how: IfFiled) -> Result<(), Error> {
        let periods = [
            self.period_of(at(&self.journal, self.parts(id).0).unwrap().vat_date),
            self.period_of(entry.vat_date),
        ];
        let before: BTreeMap<VatPeriod, Money> =
            periods.iter().map(|period| (*period, self.corrected(*period))).collect();
        self.take_back(id, how)?;
        let planned = self.planned(entry, how)?;
        self.book_all(planned)?;
        before.iter().try_for_each(|(period, before)| self.within_limit(*period, *before))
    }

    /// Ids of the entries of a document.
    pub(crate) fn entries_of(&self, source: (SourceType, i64)) -> Vec<i64> {
        (1..)
            .zip(&self.journal)
            .filter(|(_, entry)| entry.source == source)
            .map(|(id, _)| id)
            .collect()
    }

    /// For each booking of a document that is in force, the id of the entry on its own date.
    pub(crate) fn standing(&self, source: (SourceType, i64)) -> Vec<i64> {
        let mut standing = Vec::new();
        for id in self.entries_of(source) {
            let entry = at(&self.journal, id).unwrap();
            match entry.reverses {
                Some(reversed) => standing.retain(|id| *id != reversed),
                None if entry.carries() || entry.declares_ahead() => {}
                None => standing.push(id),
            }
        }
        standing
    }

    /// Moves the corrections of a reopened period back to the return of that period, except those
    /// on a later return that was filed.
    pub(crate) fn take_home(&mut self, period: VatPeriod) -> Result<(), Error> {
        let mut corrections: Vec<i64> = Vec::new();
        for (id, entry) in (1..)
            .zip(&self.journal)
            .filter(|(_, entry)| entry.corrects == Some(period) && !entry.has_boxes())
        {
            match entry.reverses {
                Some(reversed) if corrections.contains(&reversed) => {
                    corrections.retain(|id| *id != reversed)
                }
                _ => corrections.push(id),
            }
        }
        for id in corrections {
            let carrying = at(&self.journal, self.parts(id).1.unwrap()).unwrap();
            if self.is_filed(carrying.vat_date) {
                continue;
            }
            let entry = self.joined(id);
            self.take_back(id, IfFiled::Refuse)?;
            let booked = self.book(entry)?;
            self.rebooked(id, booked);
        }
        Ok(())
    }

    /// Updates the documents that refer to the entry `old`, so that they refer to `new`.
    fn rebooked(&mut self, old: i64, new: i64) {
        let moved = |entry: &mut i64| {
            if *entry == old {
                *entry = new;
            }
        };
        self.expenses.iter_mut().for_each(|done| moved(&mut done.entry));
        self.payments.iter_mut().for_each(|done| moved(&mut done.entry));
        self.payments.iter_mut().filter_map(|done| done.undone.as_mut()).for_each(moved);
        self.write_offs.iter_mut().for_each(|done| moved(&mut done.entry));
        self.write_offs.iter_mut().filter_map(|done| done.undone.as_mut()).for_each(moved);
        self.payouts.iter_mut().for_each(|done| moved(&mut done.entry));
        self.payouts.iter_mut().filter_map(|done| done.undone.as_mut()).for_each(moved);
    }
}
