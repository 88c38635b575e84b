//! Model of recurring invoices: random commands, and a clock that jumps ahead and goes back. After
//! each command, the states of all occurrences, the invoices, the emails and the balances of the
//! ledger are those of the model, whose days are computed from the calendar alone.

use crate::desk::{CONTENTS, Content, Desk, customer, total};
use jiff::{
    ToSpan,
    civil::{Date, date},
};
use ledger::schedule::{
    Deliver, Missed, OccurrenceStatus, PausedBecause, RecurringStatus, Rhythm, RhythmUnit,
    SupplyPeriod,
};
use service::{
    messages,
    recurring::{self, DueOccurrence, EditRecurring, NewRecurring, Outcome},
};
use std::collections::BTreeMap;
use store::invoices::{Particulars, Status};
use testing::Engine;

/// Number of commands.
const STEPS: u32 = 600;
/// Default seed; `GROOTBOEK_MODEL_SEED` sets another.
const SEED: u64 = 2026;
/// Number of days after which an occurrence waits for the owner.
const LATE: i32 = 7;
/// Maximum number of recurring invoices that have not ended.
const MOST: usize = 10;

#[test]
fn recurring_invoices_on_sqlite_are_those_of_the_model() {
    run(Engine::Sqlite);
}

#[test]
fn recurring_invoices_on_postgres_are_those_of_the_model() {
    run(Engine::Postgres);
}

#[derive(Clone, Debug)]
struct Recurring {
    unit: RhythmUnit,
    every: i64,
    is_last_day: bool,
    first_date: Date,
    /// Number of the occurrence on the first date.
    first_number: i64,
    last_date: Option<Date>,
    count: Option<i64>,
    deliver: Deliver,
    has_email: bool,
    content: Content,
    status: RecurringStatus,
    because: Option<PausedBecause>,
    bounces: u32,
    /// Occurrences that are no longer planned, with the ids of their invoices.
    occurrences: BTreeMap<i64, (Date, OccurrenceStatus, Option<i64>)>,
}

#[derive(Clone, Debug)]
struct Invoice {
    recurring: i64,
    number: i64,
    day: Date,
    made_on: Date,
    content: Content,
    status: Status,
    is_mailed: bool,
}

fn days_in(year: i64, month: i64) -> i64 {
    match month {
        2 if year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

impl Recurring {
    /// Day of an occurrence by the calendar.
    fn day(&self, number: i64) -> Option<Date> {
        let steps = number - self.first_number;
        if steps < 0 || self.count.is_some_and(|count| number > count) {
            return None;
        }
        let first = self.first_date;
        let months = match self.unit {
            RhythmUnit::Week => None,
            RhythmUnit::Month => Some(1),
            RhythmUnit::Quarter => Some(3),
            RhythmUnit::Year => Some(12),
        };
        let day = match months {
            None => {
                let mut day = first;
                for _ in 0..7 * self.every * steps {
                    day = day.tomorrow().unwrap();
                }
                day
            }
            Some(months) => {
                let month = i64::from(first.year()) * 12 + i64::from(first.month()) - 1;
                let month = month + months * self.every * steps;
                let (year, month) = (month / 12, month % 12 + 1);
                let last = days_in(year, month);
                let day = if self.is_last_day { last } else { i64::from(first.day()).min(last) };
                date(
                    i16::try_from(year).unwrap(),
                    i8::try_from(month).unwrap(),
                    i8::try_from(day).unwrap(),
                )
            }
        };
        self.last_date.is_none_or(|last| day <= last).then_some(day)
    }

    /// Number of the next planned occurrence.
    fn next(&self) -> i64 {
        (1..).find(|number| !self.occurrences.contains_key(number)).unwrap()
    }

    fn next_day(&self) -> Option<Date> {
        self.day(self.next()).filter(|_| self.status != RecurringStatus::Ended)
    }

    /// Ends without a next occurrence.
    fn end_if_over(&mut self) {
        if self.day(self.next()).is_none() {
            (self.status, self.because) = (RecurringStatus::Ended, None);
        }
    }

    fn set(&mut self, number: i64, day: Date, state: (OccurrenceStatus, Option<i64>)) {
        let was_next = number == self.next();
        self.occurrences.insert(number, (day, state.0, state.1));
        if was_next {
            self.end_if_over();
        }
    }

    fn is_due(&self, today: Date) -> bool {
        self.status == RecurringStatus::Active && self.next_day().is_some_and(|day| day <= today)
    }

    fn cannot_be_mailed(&self) -> bool {
        self.deliver == Deliver::Mail && !self.has_email
    }
}

fn is_late(day: Date, today: Date) -> bool {
    (today - day).get_days() >= LATE
}

fn not_open(number: i64, status: OccurrenceStatus) -> String {
    format!("occurrence_not_open: {number}, {}", status.as_str())
}

/// Result of work that fell due.
#[derive(Debug, PartialEq, Eq)]
enum Worked {
    Made(i64),
    Waiting,
    Refused,
}

struct Books {
    desk: Desk,
    all: BTreeMap<i64, Recurring>,
    invoices: BTreeMap<i64, Invoice>,
    counts: BTreeMap<(&'static str, bool), u32>,
}

impl Books {
    fn of(&mut self, id: i64) -> &mut Recurring {
        self.all.get_mut(&id).unwrap()
    }

    /// Asserts that a command ended as in the model, and counts it.
    fn agree<T>(
        &mut self,
        kind: &'static str,
        answer: Result<T, String>,
        expected: Result<(), String>,
    ) -> bool {
        assert_eq!(answer.map(drop), expected, "{kind}");
        *self.counts.entry((kind, expected.is_ok())).or_default() += 1;
        expected.is_ok()
    }

    /// One of the recurring invoices, mostly one that has not ended.
    fn some(&mut self) -> Option<i64> {
        let is_any = self.desk.rng.u32(0..8) == 0;
        let is_chosen = |of: &Recurring| is_any || of.status != RecurringStatus::Ended;
        let ids: Vec<i64> =
            self.all.iter().filter(|(_, of)| is_chosen(of)).map(|(id, _)| *id).collect();
        (!ids.is_empty()).then(|| self.desk.choose(&ids))
    }

    fn rhythm(&mut self) -> (RhythmUnit, i64, bool) {
        let unit = self.desk.choose(RhythmUnit::ALL);
        let every = if unit == RhythmUnit::Week { self.desk.rng.i64(1..=6) } else { 1 };
        let is_double = unit == RhythmUnit::Month && self.desk.rng.bool();
        let every = if is_double { 2 } else { every };
        (unit, every, unit != RhythmUnit::Week && self.desk.rng.u32(0..3) == 0)
    }

    /// Day near today on which a schedule may begin; months have their last days more often.
    fn first_date(&mut self) -> Date {
        let day = self.desk.today + self.desk.rng.i64(-1..25).days();
        if self.desk.rng.u32(0..3) == 0 { day.last_of_month() } else { day }
    }

    fn create(&mut self) {
        let running = self.all.values().filter(|of| of.status != RecurringStatus::Ended);
        if running.count() >= MOST {
            return;
        }
        let (unit, every, is_last_day) = self.rhythm();
        let first_date = self.first_date();
        let last_date =
            (self.desk.rng.u32(0..4) == 0).then(|| first_date + self.desk.rng.i64(-2..200).days());
        let count = (self.desk.rng.u32(0..4) == 0).then(|| self.desk.rng.i64(1..6));
        let of = Recurring {
            unit,
            every,
            is_last_day,
            first_date,
            first_number: 1,
            last_date,
            count,
            deliver: self.desk.choose(Deliver::ALL),
            has_email: self.desk.rng.u32(0..4) > 0,
            content: self.desk.choose(&CONTENTS),
            status: RecurringStatus::Active,
            because: None,
            bounces: 0,
            occurrences: BTreeMap::new(),
        };
        let expected = if first_date < self.desk.today {
            Err("/firstDate out_of_range".to_owned())
        } else if of.day(1).is_none() {
            Err("/lastDate out_of_range".to_owned())
        } else {
            Ok(())
        };
        let command = NewRecurring {
            external_id: None,
            customer: customer(of.has_email),
            lines: of.content.inputs(),
            prices: of.content.prices,
            payment_term_days: None,
            reference: None,
            notes: None,
            particulars: Particulars::default(),
            language: None,
            rhythm: Rhythm { unit, count: every, last_day_of_month: is_last_day },
            first_date,
            last_date,
            count,
            deliver: of.deliver,
            supply_period: SupplyPeriod::None,
        };
        let answer = self.desk.write(move |tx, cx| {
            Ok(recurring::create(tx, cx, &command)?.into_inner().recurring.id)
        });
        if let Ok(id) = answer {
            assert!(self.all.insert(id, of).is_none());
        }
        self.agree("create", answer, expected);
    }

    /// Does what is due, as a node does, and asserts that nothing is done twice.
    fn work(&mut self) {
        let mut expected = Vec::new();
        while let Some((_, id)) = self.next_due() {
            expected.push(self.work_on(id));
        }
        let mut worked = Vec::new();
        let mut last: Option<DueOccurrence> = None;
        while let Some(due) = self.desk.read(recurring::due_next) {
            let next = due.clone();
            let outcome = self.desk.write(move |tx, cx| recurring::make_due(tx, cx, &next));
            let result = match outcome {
                Ok(Outcome::Made(invoice)) => Worked::Made(invoice),
                Ok(Outcome::Waiting) => Worked::Waiting,
                Ok(Outcome::Overtaken) => panic!("{due:?} was overtaken"),
                Err(refusal) => {
                    assert_eq!(refusal, " required");
                    let next = due.clone();
                    let stopped =
                        self.desk.write(move |tx, cx| recurring::refuse(tx, cx, &next, "required"));
                    stopped.unwrap();
                    Worked::Refused
                }
            };
            worked.push((due.recurring_id, due.number, result));
            last = Some(due);
        }
        for (_, _, result) in &worked {
            let kind = match result {
                Worked::Made(_) => "made when due",
                Worked::Waiting => "waits",
                Worked::Refused => "refused when due",
            };
            *self.counts.entry((kind, true)).or_default() += 1;
        }
        assert_eq!(worked, expected);
        // A node that was slower finds nothing to do.
        if let Some(due) = last {
            let again = self.desk.write(move |tx, cx| recurring::make_due(tx, cx, &due));
            assert_eq!(again.unwrap(), Outcome::Overtaken);
        }
    }

    /// Day and id of the recurring invoice whose occurrence is due first.
    fn next_due(&self) -> Option<(Date, i64)> {
        let due = self.all.iter().filter(|(_, of)| of.is_due(self.desk.today));
        due.map(|(id, of)| (of.next_day().unwrap(), *id)).min()
    }

    fn work_on(&mut self, id: i64) -> (i64, i64, Worked) {
        let (today, of) = (self.desk.today, self.of(id));
        let number = of.next();
        let day = of.day(number).unwrap();
        if is_late(day, today) {
            let mut late = number;
            while let Some(day) = of.day(late).filter(|day| is_late(*day, today)) {
                let waiting = (day, OccurrenceStatus::Waiting, None);
                of.occurrences.entry(late).or_insert(waiting);
                late += 1;
            }
            of.end_if_over();
            return (id, number, Worked::Waiting);
        }
        if of.cannot_be_mailed() {
            (of.status, of.because) = (RecurringStatus::Paused, Some(PausedBecause::Refused));
            return (id, number, Worked::Refused);
        }
        (id, number, Worked::Made(self.add_invoice(id, number, day)))
    }

    fn add_invoice(&mut self, id: i64, number: i64, day: Date) -> i64 {
        let made = i64::try_from(self.invoices.len()).unwrap() + 1;
        let (made_on, of) = (self.desk.today, self.of(id));
        let invoice = Invoice {
            recurring: id,
            number,
            day,
            made_on,
            content: of.content,
            status: if of.deliver == Deliver::Draft { Status::Draft } else { Status::Sent },
            is_mailed: of.deliver == Deliver::Mail,
        };
        of.set(number, day, (OccurrenceStatus::Made, Some(made)));
        self.invoices.insert(made, invoice);
        made
    }

    fn pause(&mut self) {
        let Some(id) = self.some() else { return };
        let answer = self.desk.write(move |tx, cx| recurring::pause(tx, cx, id));
        let expected = self.open(id);
        if self.agree("pause", answer, expected) && self.of(id).status == RecurringStatus::Active {
            let of = self.of(id);
            (of.status, of.because) = (RecurringStatus::Paused, Some(PausedBecause::Owner));
        }
    }

    fn open(&self, id: i64) -> Result<(), String> {
        let is_ended = self.all[&id].status == RecurringStatus::Ended;
        if is_ended { Err("recurring_ended".to_owned()) } else { Ok(()) }
    }

    fn resume(&mut self) {
        let Some(id) = self.some() else { return };
        let missed = self.desk.choose(Missed::ALL);
        let answer = self.desk.write(move |tx, cx| recurring::resume(tx, cx, id, missed));
        let expected = self.open(id);
        let today = self.desk.today;
        if self.agree("resume", answer, expected) && self.of(id).status == RecurringStatus::Paused {
            let status = match missed {
                Missed::Skip => OccurrenceStatus::Skipped,
                Missed::Ask => OccurrenceStatus::Waiting,
            };
            let of = self.of(id);
            let mut number = of.next();
            while let Some(day) = of.day(number).filter(|day| *day < today) {
                of.occurrences.entry(number).or_insert((day, status, None));
                number += 1;
            }
            (of.status, of.because, of.bounces) = (RecurringStatus::Active, None, 0);
            of.end_if_over();
        }
    }

    fn end(&mut self) {
        let Some(id) = self.some() else { return };
        let answer = self.desk.write(move |tx, cx| recurring::end(tx, cx, id));
        self.agree("end", answer, Ok(()));
        let of = self.of(id);
        (of.status, of.because) = (RecurringStatus::Ended, None);
    }

    /// Number of an occurrence to act on: one that waits, or one near the next.
    fn number(&mut self, id: i64) -> i64 {
        let of = &self.all[&id];
        let waiting = of.occurrences.iter().filter(|(_, of)| of.1 == OccurrenceStatus::Waiting);
        let waiting: Vec<i64> = waiting.map(|(number, _)| *number).collect();
        let near = of.next() + self.desk.rng.i64(-2..3);
        if waiting.is_empty() || self.desk.rng.bool() {
            near.max(0)
        } else {
            self.desk.choose(&waiting)
        }
    }

    /// Day of an occurrence that is planned, or the refusal of a command on it.
    fn planned(&self, id: i64, number: i64) -> Result<Date, String> {
        let of = &self.all[&id];
        let day = of.day(number).filter(|_| number >= of.next());
        let day = day.ok_or_else(|| "not_found: occurrence".to_owned())?;
        self.open(id).map(|()| day)
    }

    fn make(&mut self) {
        let Some(id) = self.some() else { return };
        let number = self.number(id);
        let found = self.all[&id].occurrences.get(&number).copied();
        let day = match found {
            Some((_, OccurrenceStatus::Made, _)) => Ok(None),
            Some((day, OccurrenceStatus::Waiting, _)) => Ok(Some(day)),
            Some((_, status, _)) => Err(not_open(number, status)),
            None => match self.planned(id, number) {
                Ok(day) if day > self.desk.today => {
                    Err(not_open(number, OccurrenceStatus::Planned))
                }
                planned => planned.map(Some),
            },
        };
        let day = match day {
            Ok(Some(_)) if self.all[&id].cannot_be_mailed() => Err(" required".to_owned()),
            day => day,
        };
        let answer = self.desk.write(move |tx, cx| recurring::make(tx, cx, id, number));
        if let Ok(details) = &answer {
            assert_eq!(details.status, OccurrenceStatus::Made);
        }
        self.agree("make", answer, day.clone().map(drop));
        if let Ok(Some(day)) = day {
            self.add_invoice(id, number, day);
        }
    }

    fn skip(&mut self) {
        let Some(id) = self.some() else { return };
        let number = self.number(id);
        let found = self.all[&id].occurrences.get(&number).copied();
        let day = match found {
            Some((day, OccurrenceStatus::Waiting | OccurrenceStatus::Skipped, _)) => Ok(day),
            Some((_, status, _)) => Err(not_open(number, status)),
            None => self.planned(id, number),
        };
        let answer = self.desk.write(move |tx, cx| recurring::skip(tx, cx, id, number));
        if self.agree("skip", answer, day.clone().map(drop)) {
            self.of(id).set(number, day.unwrap(), (OccurrenceStatus::Skipped, None));
        }
    }

    fn edit(&mut self) {
        let Some(id) = self.some() else { return };
        let today = self.desk.today;
        let old = self.all[&id].clone();
        let (mut edit, mut new) = (EditRecurring::default(), old.clone());
        let mut is_past = false;
        match self.desk.rng.u32(0..6) {
            0 => {
                new.content = self.desk.choose(&CONTENTS);
                (edit.lines, edit.prices) = (Some(new.content.inputs()), Some(new.content.prices));
            }
            1 => {
                new.deliver = self.desk.choose(Deliver::ALL);
                edit.deliver = Some(new.deliver);
            }
            2 => {
                (new.unit, new.every, new.is_last_day) = self.rhythm();
                edit.every = Some((new.unit, new.every));
                edit.last_day_of_month = Some(new.is_last_day);
            }
            3 => {
                new.first_date = self.first_date();
                edit.first_date = Some(new.first_date);
                is_past = new.first_date != old.first_date && new.first_date < today;
            }
            4 => {
                let days = self.desk.rng.i64(-10..300);
                new.last_date = self.desk.rng.bool().then(|| today + days.days());
                edit.last_date = Some(new.last_date);
            }
            _ => {
                new.count = self.desk.rng.bool().then(|| old.next() + self.desk.rng.i64(0..5));
                edit.count = Some(new.count);
            }
        }
        let rhythm = |of: &Recurring| (of.unit, of.every, of.is_last_day);
        let is_moved = new.first_date != old.first_date;
        let is_other = is_moved || rhythm(&new) != rhythm(&old);
        if is_other {
            new.first_number = old.next();
            if !is_moved {
                new.first_date = old.next_day().unwrap_or(old.first_date);
            }
        }
        let is_empty = is_other && new.day(new.first_number).is_none();
        let expected = match self.open(id) {
            Ok(()) if is_past => Err("/firstDate out_of_range".to_owned()),
            Ok(()) if is_empty => Err("/lastDate out_of_range".to_owned()),
            state => state,
        };
        let answer = self.desk.write(move |tx, cx| recurring::edit(tx, cx, id, &edit, &|_| true));
        if self.agree("edit", answer, expected) {
            if (rhythm(&new), new.first_date) != (rhythm(&old), old.first_date) {
                // Those skipped in advance were occurrences of other days.
                let next = old.next();
                new.occurrences.retain(|number, (_, status, _)| {
                    *number < next || *status != OccurrenceStatus::Skipped
                });
            }
            new.end_if_over();
            self.all.insert(id, new);
        }
    }

    /// Reports that an email with an invoice did not arrive.
    fn bounce(&mut self) {
        let mailed: Vec<i64> =
            self.invoices.iter().filter(|(_, of)| of.is_mailed).map(|(id, _)| *id).collect();
        if mailed.is_empty() {
            return;
        }
        let invoice = self.desk.choose(&mailed[mailed.len().saturating_sub(6)..]);
        let answer = self.desk.write(move |tx, cx| recurring::bounced(tx, cx, invoice));
        self.agree("bounce", answer, Ok(()));
        let id = self.invoices[&invoice].recurring;
        let of = self.of(id);
        of.bounces += 1;
        if of.bounces >= 2 && of.status == RecurringStatus::Active {
            (of.status, of.because) = (RecurringStatus::Paused, Some(PausedBecause::Bounced));
        }
    }

    fn compare(&self, step: u32) {
        let is_full = step.is_multiple_of(25);
        for (id, of) in &self.all {
            if of.status == RecurringStatus::Ended && !is_full {
                continue;
            }
            let id = *id;
            let (details, rows, coming) = self.desk.read(move |tx, cx| {
                Ok((
                    recurring::read(tx, cx, id)?,
                    recurring::occurrences(tx, cx, id, (0, None), 1_000)?.rows,
                    recurring::upcoming(tx, cx, id, 3)?,
                ))
            });
            let row = details.recurring;
            let next_day =
                if of.status == RecurringStatus::Ended { None } else { of.day(of.next()) };
            assert_eq!(
                (row.status, row.paused_because, row.next_date, row.total.get()),
                (of.status, of.because, next_day, total(&of.content.groups())),
                "{id}: {of:?}"
            );
            let stored: BTreeMap<_, _> = rows
                .iter()
                .map(|row| (row.number, (row.date, row.status, row.invoice_id)))
                .collect();
            assert_eq!(stored, of.occurrences, "{id}: {of:?}");
            let waiting = of.occurrences.values().filter(|of| of.1 == OccurrenceStatus::Waiting);
            assert_eq!(usize::try_from(details.waiting).unwrap(), waiting.count());
            let coming: Vec<_> = coming.iter().map(|row| (row.number, row.date)).collect();
            assert_eq!(coming, self.coming(of), "{id}: {of:?}");
        }
        self.compare_invoices();
        if is_full {
            self.desk.verify();
        }
    }

    /// The next three planned occurrences. Those whose day passed during a pause do not count.
    fn coming(&self, of: &Recurring) -> Vec<(i64, Date)> {
        if of.status == RecurringStatus::Ended {
            return Vec::new();
        }
        let is_paused = of.status == RecurringStatus::Paused;
        (of.next()..)
            .map_while(|number| Some((number, of.day(number)?)))
            .filter(|(number, _)| !of.occurrences.contains_key(number))
            .filter(|(_, day)| !is_paused || *day >= self.desk.today)
            .take(3)
            .collect()
    }

    fn compare_invoices(&self) {
        let rows = self.desk.invoices();
        assert_eq!(rows.len(), self.invoices.len());
        let mut numbers: BTreeMap<i16, i64> = BTreeMap::new();
        let (mut receivable, mut revenue, mut vat) = (0, 0, 0);
        for row in &rows {
            let of = &self.invoices[&row.id];
            let groups = of.content.groups();
            assert_eq!(
                (row.recurring_id, row.occurrence_number, row.occurrence_date),
                (Some(of.recurring), Some(of.number), Some(of.day)),
                "invoice {}",
                row.id
            );
            assert_eq!(
                (row.status, row.invoice_date, row.total.get()),
                (of.status, of.made_on, total(&groups)),
                "invoice {}",
                row.id
            );
            let number = numbers.entry(of.made_on.year()).or_default();
            *number += 1;
            assert_eq!((row.number_year, row.number_in_year), (of.made_on.year(), *number));
            receivable += total(&groups);
            revenue += groups.values().map(|(base, _)| base).sum::<i64>();
            vat += groups.values().map(|(_, vat)| vat).sum::<i64>();
        }
        let last_year = numbers.last_key_value().map_or(2026, |(year, _)| *year);
        let balances = self.desk.balances(last_year);
        let sum = |codes: std::ops::Range<u16>| -> i64 {
            balances.range(codes).map(|(_, balance)| balance).sum()
        };
        let booked = (sum(1300..1301), -sum(8000..9000), -sum(1700..1780));
        assert_eq!(booked, (receivable, revenue, vat));
    }

    /// Asserts that each invoice that is mailed has one email, and the others none.
    fn compare_mails(&self) {
        for (id, of) in &self.invoices {
            let id = *id;
            let mails = self.desk.read(move |tx, cx| messages::of_invoice(tx, cx, id));
            assert_eq!(mails.len(), usize::from(of.is_mailed), "invoice {id}");
        }
    }

    fn move_clock(&mut self) {
        let days = match self.desk.rng.u32(0..30) {
            0..14 => self.desk.rng.i64(0..5),
            14 => self.desk.rng.i64(10..50),
            15 => -self.desk.rng.i64(1..9),
            _ => 0,
        };
        self.desk.today += days.days();
    }
}

fn run(engine: Engine) {
    let seed = super::number_from("GROOTBOEK_MODEL_SEED").unwrap_or(SEED);
    let desk = Desk::open(engine, seed);
    let (all, invoices) = (BTreeMap::new(), BTreeMap::new());
    let mut books = Books { desk, all, invoices, counts: BTreeMap::new() };
    for step in 1..=STEPS {
        let mut trace = super::Trace { seed, step: step.into(), command: String::new() };
        books.move_clock();
        let command = books.desk.rng.u32(0..24);
        trace.command = format!("command {command} on {}", books.desk.today);
        match command {
            0..5 => books.create(),
            5..11 => books.work(),
            11..13 => books.pause(),
            13..16 => books.resume(),
            16 if step.is_multiple_of(2) => books.end(),
            17..19 => books.edit(),
            19..21 => books.make(),
            21 => books.skip(),
            22 => books.bounce(),
            _ => books.work(),
        }
        books.compare(step);
    }
    books.compare_mails();
    books.desk.verify();
    println!("seed {seed}: {:?}; {} invoices", books.counts, books.invoices.len());
    let worked = ["made when due", "waits", "refused when due"];
    let kinds = ["create", "pause", "resume", "end", "edit", "make", "skip", "bounce"];
    for kind in worked.into_iter().chain(kinds) {
        let done = books.counts.get(&(kind, true)).is_some_and(|count| *count > 1);
        assert!(done || seed != SEED, "{kind}: {:?}", books.counts);
    }
}
