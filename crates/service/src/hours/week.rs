//! A week of hours as a grid: projects and the hours log by days, written as a whole; and the overview of a month.

use super::{
    description_of,
    hours_log::{self, CATEGORIES, EditLoggedHours, NewLoggedHours},
    projects,
    time_entries::{self, EditTimeEntry, NewTimeEntry},
    timer,
};
use crate::{Context, Error, Fault, Reason, context};
use jiff::{
    ToSpan,
    civil::{Date, date},
};
use ledger::hours::{self, Hours, HoursCriterion};
use std::collections::BTreeMap;
use store::{
    Tx,
    books::Books,
    projects::{ProjectFilter, ProjectRow},
    time::{self as rows, DayHours, HoursFilter, LoggedHours, TimeEntry},
    timers::Timer,
};

/// Entries of one week or month that are looked at.
const MOST: i64 = 20_000;
/// From so many projects on, only those that were worked on lately have a row of their own.
const MANY: usize = 15;
/// How many days back counts as lately.
const LATELY: i64 = 28;

/// What hours are for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Work {
    /// A project, by its id.
    Project(i64),
    /// The hours log, by its category.
    Log(&'static str),
}

/// The hours of one kind of work on one day.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Cell {
    /// The sum.
    pub hours: Hours,
    /// How many times something was written down.
    pub entries: usize,
    /// Whether a part of it is on an invoice.
    pub invoiced: bool,
}

/// A row of the grid.
#[derive(Debug, Clone)]
pub struct WeekRow {
    /// What the hours are for.
    pub work: Work,
    /// The project, where it is one.
    pub project: Option<ProjectRow>,
    /// The days, from Monday.
    pub cells: [Cell; 7],
}

impl WeekRow {
    /// The sum of the row.
    #[must_use]
    pub fn total(&self) -> Hours {
        self.cells.iter().map(|cell| cell.hours).sum()
    }
}

/// A week of hours.
#[derive(Debug, Clone)]
pub struct Week {
    /// Its first day.
    pub monday: Date,
    /// Projects by name, then the log.
    pub rows: Vec<WeekRow>,
    /// Active projects without a row, by name.
    pub others: Vec<ProjectRow>,
    /// The timer that runs.
    pub timer: Option<Timer>,
    /// How the year of the week's Thursday stands against the hours criterion.
    pub criterion: HoursCriterion,
    /// Every project that is not archived, by name.
    pub projects: Vec<ProjectRow>,
}

type Cells = BTreeMap<Work, [Cell; 7]>;

/// A week; `extra` names projects that get a row whether or not there are hours on them.
///
/// # Errors
/// The storage failed.
pub fn read(tx: &mut Tx<'_>, cx: &Context, monday: Date, extra: &[i64]) -> Result<Week, Error> {
    let sunday = monday + 6.days();
    let cells = cells(tx, cx, monday)?;
    let active = projects::by_name(tx, cx, &ProjectFilter { archived: Some(false), ..ProjectFilter::default() })?;
    let lately: Vec<i64> =
        rows::by_project(tx, cx.actor.account, monday - LATELY.days(), sunday)?.into_iter().map(|(project, _)| project).collect();
    let few = active.len() <= MANY;
    let has_row = |id: i64| few || lately.contains(&id) || extra.contains(&id) || cells.contains_key(&Work::Project(id));
    let (mut with_row, others): (Vec<ProjectRow>, Vec<ProjectRow>) =
        active.iter().cloned().partition(|row| has_row(row.project.id));
    // An archived project stays in the weeks in which it was worked on.
    let archived = projects::by_name(tx, cx, &ProjectFilter { archived: Some(true), ..ProjectFilter::default() })?;
    with_row.extend(archived.into_iter().filter(|row| cells.contains_key(&Work::Project(row.project.id))));
    let row =
        |work: Work, project: Option<ProjectRow>| WeekRow { work, project, cells: cells.get(&work).cloned().unwrap_or_default() };
    let mut found: Vec<WeekRow> =
        with_row.into_iter().map(|project| row(Work::Project(project.project.id), Some(project))).collect();
    if cx.actor.country.is_dutch() {
        found.extend(CATEGORIES.map(|category| row(Work::Log(category), None)));
    }
    let year = (monday + 3.days()).year();
    Ok(Week {
        monday,
        rows: found,
        others,
        timer: timer::running(tx, cx)?,
        criterion: criterion(tx, cx, year, cx.today())?,
        projects: active,
    })
}

/// How a year stands against the hours criterion, with the hours until a day; those of later days are told apart.
///
/// # Errors
/// The storage failed.
pub fn criterion(tx: &mut Tx<'_>, cx: &Context, year: i16, today: Date) -> Result<HoursCriterion, Error> {
    let (first, last) = (date(year, 1, 1), date(year, 12, 31));
    let worked = rows::in_year(tx, cx.actor.account, first, last.min(today))?;
    let all = rows::in_year(tx, cx.actor.account, first, last)?;
    let criterion = hours::criterion(worked.project, worked.logged);
    Ok(HoursCriterion { future: Hours::new(all.project.get() + all.logged.get() - criterion.total.get()), ..criterion })
}

fn cells(tx: &mut Tx<'_>, cx: &Context, monday: Date) -> Result<Cells, Error> {
    let mut cells = Cells::new();
    let (entries, logged) = between(tx, cx, monday, monday + 6.days())?;
    let mut add = |work: Work, date: Date, hours: Hours, invoiced: bool| {
        let day = (date - monday).get_days();
        if let Some(cell) = usize::try_from(day).ok().and_then(|day| cells.entry(work).or_default().get_mut(day)) {
            cell.hours += hours;
            cell.entries += 1;
            cell.invoiced |= invoiced;
        }
    };
    for entry in &entries {
        add(Work::Project(entry.project_id), entry.date, entry.hours, entry.invoice_id.is_some());
    }
    for logged in &logged {
        add(Work::Log(category(&logged.category)), logged.date, logged.hours, false);
    }
    Ok(cells)
}

fn category(stored: &str) -> &'static str {
    CATEGORIES.into_iter().find(|known| *known == stored).unwrap_or("other")
}

/// All hours from one day to another, by day.
///
/// # Errors
/// The storage failed.
pub fn between(tx: &mut Tx<'_>, cx: &Context, from: Date, to: Date) -> Result<(Vec<TimeEntry>, Vec<LoggedHours>), Error> {
    let filter = HoursFilter { from: Some(from), to: Some(to), ..HoursFilter::default() };
    let entries = rows::entries_by_day(tx, cx.actor.account, &filter, MOST)?;
    Ok((entries, rows::logged_by_day(tx, cx.actor.account, &filter, MOST)?))
}

/// A row of the grid as it was filled in.
#[derive(Debug, Clone)]
pub struct WrittenRow {
    /// Its number in the form.
    pub place: usize,
    /// What the hours are for.
    pub work: Work,
    /// What was done, for hours that are new; the project's name or that of the category unless given.
    pub description: Option<String>,
    /// The days, from Monday: not given, or so many hours, none of them being nothing.
    pub days: [Option<Hours>; 7],
}

/// The names of the days as the fields of the form have them.
pub const DAYS: [&str; 7] = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];

/// A week as it was filled in.
#[derive(Debug, Clone)]
pub struct WriteWeek {
    /// Its first day.
    pub monday: Date,
    /// The rows.
    pub rows: Vec<WrittenRow>,
}

/// Writes a week: where a day has another sum than was filled in, its hours are made so. `expected` looks at the week while nobody else
/// can change it.
///
/// # Errors
/// The week is not as expected, a day would have more than 24 hours, or what is there cannot be made less: it is on an invoice, or was
/// written down in several parts.
pub fn write(
    tx: &mut Tx<'_>,
    cx: &Context,
    command: &WriteWeek,
    extra: &[i64],
    expected: &dyn Fn(&Week) -> bool,
) -> Result<(), Error> {
    context::transact(tx, cx, |tx, books, cx| {
        if !expected(&read(tx, cx, command.monday, extra)?) {
            return Err(Error::Changed);
        }
        let (entries, logged) = between(tx, cx, command.monday, command.monday + 6.days())?;
        let mut changes = Vec::new();
        for row in &command.rows {
            let wanted = row.days.iter().enumerate().filter_map(|(day, hours)| Some((day, (*hours)?)));
            for (day, hours) in wanted {
                let date = command.monday + i64::try_from(day).unwrap_or(0).days();
                let there = There::find(row.work, date, &entries, &logged);
                // The grid shows minutes: what it showed is what is there.
                let is_as_shown = hours == there.hours() || hours == there.hours().by_the_clock();
                if !is_as_shown {
                    changes.push(Change { row, day, date, hours, there });
                }
            }
        }
        // What becomes less goes first: hours may move from one project to another on a full day.
        changes.sort_by_key(|change| change.hours > change.there.hours());
        let mut faults = Vec::new();
        for change in changes {
            match change.carry_out(tx, books, cx) {
                Ok(()) => {}
                Err(Error::Invalid(found)) => {
                    let path = change.path();
                    faults.extend(found.into_iter().map(|fault| Fault::new(path.clone(), fault.reason)));
                }
                Err(Error::AlreadyInvoiced) => faults.push(Fault::new(change.path(), Reason::HoursInParts)),
                Err(other) => return Err(other),
            }
        }
        if faults.is_empty() { Ok(()) } else { Err(Error::Invalid(faults)) }
    })
}

/// What is written down of one kind of work on one day.
enum There<'h> {
    Entries(Vec<&'h TimeEntry>),
    Logged(Vec<&'h LoggedHours>),
}

impl<'h> There<'h> {
    fn find(work: Work, date: Date, entries: &'h [TimeEntry], logged: &'h [LoggedHours]) -> Self {
        match work {
            Work::Project(id) => {
                Self::Entries(entries.iter().filter(|entry| entry.project_id == id && entry.date == date).collect())
            }
            Work::Log(name) => {
                Self::Logged(logged.iter().filter(|logged| category(&logged.category) == name && logged.date == date).collect())
            }
        }
    }

    fn hours(&self) -> Hours {
        match self {
            Self::Entries(entries) => entries.iter().map(|entry| entry.hours).sum(),
            Self::Logged(logged) => logged.iter().map(|logged| logged.hours).sum(),
        }
    }
}

struct Change<'h> {
    row: &'h WrittenRow,
    day: usize,
    date: Date,
    hours: Hours,
    there: There<'h>,
}

impl Change<'_> {
    fn path(&self) -> String {
        format!("/rows/{}/{}", self.row.place, DAYS.get(self.day).copied().unwrap_or("monday"))
    }

    fn carry_out(&self, tx: &mut Tx<'_>, books: &mut Books, cx: &Context) -> Result<(), Error> {
        let nothing = self.hours == Hours::new(0);
        match &self.there {
            There::Entries(entries) => match &entries[..] {
                [only] if only.invoice_id.is_none() && nothing => time_entries::remove(tx, cx, only),
                [only] if only.invoice_id.is_none() => {
                    let edit = EditTimeEntry { hours: Some(self.hours), ..EditTimeEntry::default() };
                    time_entries::change(tx, cx, only, &edit).map(drop)
                }
                _ => self.write_more(tx, books, cx),
            },
            There::Logged(logged) => match &logged[..] {
                [only] if nothing => hours_log::remove(tx, cx, only),
                [only] => {
                    let edit = EditLoggedHours { hours: Some(self.hours), ..EditLoggedHours::default() };
                    hours_log::change(tx, cx, only, &edit).map(drop)
                }
                _ => self.write_more(tx, books, cx),
            },
        }
    }

    /// Writes down what is more than is there.
    fn write_more(&self, tx: &mut Tx<'_>, books: &mut Books, cx: &Context) -> Result<(), Error> {
        let hours = self.hours - self.there.hours();
        if hours < Hours::new(0) {
            return Err(Error::fault("", Reason::HoursInParts));
        }
        let (external_id, date, said) = (None, self.date, self.row.description.clone());
        match self.row.work {
            Work::Project(project_id) => {
                let description = match said {
                    Some(said) => said,
                    None => projects::read(tx, cx, project_id)?.name,
                };
                let entry = NewTimeEntry { external_id, project_id, date, hours, description };
                time_entries::insert(tx, books, cx, &entry).map(drop)
            }
            Work::Log(category) => {
                cx.actor.require_dutch()?;
                let description = said.unwrap_or_else(|| description_of(category, cx.actor.language).to_owned());
                let logged = NewLoggedHours { external_id, date, hours, description, category };
                hours_log::insert(tx, books, cx, &logged).map(drop)
            }
        }
    }
}

/// A month of hours.
#[derive(Debug, Clone)]
pub struct Month {
    /// Its first day.
    pub first: Date,
    /// The hours of the days on which there are any.
    pub days: Vec<(Date, DayHours)>,
    /// The hours on projects, by the project's name.
    pub projects: Vec<(ProjectRow, Hours)>,
    /// The hours in the log, by what they were for.
    pub categories: Vec<(&'static str, Hours)>,
}

impl Month {
    /// The sum of the month.
    #[must_use]
    pub fn total(&self) -> DayHours {
        self.days.iter().fold(DayHours::default(), |sum, (_, day)| DayHours {
            project: sum.project + day.project,
            logged: sum.logged + day.logged,
        })
    }
}

/// A month from its first day on.
///
/// # Errors
/// The storage failed.
pub fn month(tx: &mut Tx<'_>, cx: &Context, first: Date) -> Result<Month, Error> {
    let last = first.last_of_month();
    let by_project = rows::by_project(tx, cx.actor.account, first, last)?;
    let all = projects::by_name(tx, cx, &ProjectFilter::default())?;
    let hours_of = |id: i64| by_project.iter().find(|(project, _)| *project == id).map(|(_, hours)| *hours);
    let categories = rows::by_category(tx, cx.actor.account, first, last)?;
    Ok(Month {
        first,
        days: rows::by_day(tx, cx.actor.account, first, last)?,
        projects: all.into_iter().filter_map(|row| hours_of(row.project.id).map(|hours| (row, hours))).collect(),
        categories: categories.into_iter().map(|(name, hours)| (category(&name), hours)).collect(),
    })
}
