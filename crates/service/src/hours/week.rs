//! Weekly timesheet (a grid of projects and log categories by day, saved by a single command) and
//! monthly overview.

use super::{
    description_of,
    hours_log::{self, CATEGORIES, EditLoggedHours, NewLoggedHours},
    projects,
    time_entries::{self, EditTimeEntry, NewTimeEntry},
    timer,
};
use crate::{Context, Error, Fault, Reason, TimeTrackingError, context};
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

/// Maximum number of entries loaded for one week or month.
const MOST: i64 = 20_000;
/// Maximum number of active projects that all have a row. If there are more active projects, only
/// those used recently have a row.
const MANY: usize = 15;
/// A project counts as recently used if it has hours within this number of days before the week.
const LATELY: i64 = 28;

/// Kind of work on which hours are spent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Work {
    /// Project, by its id.
    Project(i64),
    /// Category of the hours log.
    Log(&'static str),
}

/// Hours of one kind of work on one day.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Cell {
    /// Total of the entries.
    pub hours: Hours,
    /// Number of entries.
    pub entries: usize,
    /// Whether any of the entries has been invoiced.
    pub invoiced: bool,
}

/// Row of the grid.
#[derive(Debug, Clone)]
pub struct WeekRow {
    /// Kind of work on which the hours of the row were spent.
    pub work: Work,
    /// Project of the row; `None` for a category of the log.
    pub project: Option<ProjectRow>,
    /// Days, from Monday.
    pub cells: [Cell; 7],
}

impl WeekRow {
    /// Returns the total of the row.
    #[must_use]
    pub fn total(&self) -> Hours {
        self.cells.iter().map(|cell| cell.hours).sum()
    }
}

/// Timesheet of one week.
#[derive(Debug, Clone)]
pub struct Week {
    /// First day.
    pub monday: Date,
    /// Projects by name, then the categories of the log.
    pub rows: Vec<WeekRow>,
    /// Active projects without a row, by name.
    pub others: Vec<ProjectRow>,
    /// Running timer.
    pub timer: Option<Timer>,
    /// Progress towards the hours criterion, for the year that contains the week's Thursday.
    pub criterion: HoursCriterion,
    /// All active projects, by name.
    pub projects: Vec<ProjectRow>,
}

type Cells = BTreeMap<Work, [Cell; 7]>;

/// Returns a week. Projects in `extra` have a row even if they have no hours.
///
/// # Errors
/// The storage failed.
pub fn read(tx: &mut Tx<'_>, cx: &Context, monday: Date, extra: &[i64]) -> Result<Week, Error> {
    let sunday = monday + 6.days();
    let cells = cells(tx, cx, monday)?;
    let active = projects::by_name(
        tx,
        cx,
        &ProjectFilter { archived: Some(false), ..ProjectFilter::default() },
    )?;
    let lately: Vec<i64> = rows::by_project(tx, cx.actor.account, monday - LATELY.days(), sunday)?
        .into_iter()
        .map(|(project, _)| project)
        .collect();
    let few = active.len() <= MANY;
    let has_row = |id: i64| {
        few || lately.contains(&id) || extra.contains(&id) || cells.contains_key(&Work::Project(id))
    };
    let (mut with_row, others): (Vec<ProjectRow>, Vec<ProjectRow>) =
        active.iter().cloned().partition(|row| has_row(row.project.id));
    // An archived project keeps its row in weeks in which it has hours.
    let archived = projects::by_name(
        tx,
        cx,
        &ProjectFilter { archived: Some(true), ..ProjectFilter::default() },
    )?;
    with_row.extend(
        archived.into_iter().filter(|row| cells.contains_key(&Work::Project(row.project.id))),
    );
    let row = |work: Work, project: Option<ProjectRow>| WeekRow {
        work,
        project,
        cells: cells.get(&work).cloned().unwrap_or_default(),
    };
    let mut week_rows: Vec<WeekRow> = with_row
        .into_iter()
        .map(|project| row(Work::Project(project.project.id), Some(project)))
        .collect();
    if cx.actor.country.is_dutch() {
        week_rows.extend(CATEGORIES.map(|category| row(Work::Log(category), None)));
    }
    let year = (monday + 3.days()).year();
    Ok(Week {
        monday,
        rows: week_rows,
        others,
        timer: timer::running(tx, cx)?,
        criterion: criterion(tx, cx, year, cx.today())?,
        projects: active,
    })
}

/// Returns the progress of a year towards the hours criterion, up to and including `today`. Hours
/// on later days of the year are reported as `future`.
///
/// # Errors
/// The storage failed.
pub fn criterion(
    tx: &mut Tx<'_>,
    cx: &Context,
    year: i16,
    today: Date,
) -> Result<HoursCriterion, Error> {
    let (first, last) = (date(year, 1, 1), date(year, 12, 31));
    let worked = rows::in_year(tx, cx.actor.account, first, last.min(today))?;
    let all = rows::in_year(tx, cx.actor.account, first, last)?;
    let criterion = hours::criterion(worked.project, worked.logged);
    Ok(HoursCriterion {
        future: Hours::new(all.project.get() + all.logged.get() - criterion.total.get()),
        ..criterion
    })
}

fn cells(tx: &mut Tx<'_>, cx: &Context, monday: Date) -> Result<Cells, Error> {
    let mut cells = Cells::new();
    let (entries, logged) = between(tx, cx, monday, monday + 6.days())?;
    let mut add = |work: Work, date: Date, hours: Hours, invoiced: bool| {
        let day = (date - monday).get_days();
        if let Some(cell) =
            usize::try_from(day).ok().and_then(|day| cells.entry(work).or_default().get_mut(day))
        {
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

fn category(name: &str) -> &'static str {
    CATEGORIES.into_iter().find(|category| *category == name).unwrap_or("other")
}

/// Returns all hours from `from` to `to`, both inclusive, by day.
///
/// # Errors
/// The storage failed.
pub fn between(
    tx: &mut Tx<'_>,
    cx: &Context,
    from: Date,
    to: Date,
) -> Result<(Vec<TimeEntry>, Vec<LoggedHours>), Error> {
    let filter = HoursFilter { from: Some(from), to: Some(to), ..HoursFilter::default() };
    let entries = rows::entries_by_day(tx, cx.actor.account, &filter, MOST)?;
    Ok((entries, rows::logged_by_day(tx, cx.actor.account, &filter, MOST)?))
}

/// Submitted row of the grid.
#[derive(Debug, Clone)]
pub struct WrittenRow {
    /// Index of the row in the form.
    pub place: usize,
    /// Kind of work of the row.
    pub work: Work,
    /// Description of new hours. Defaults to the name of the project or category.
    pub description: Option<String>,
    /// Hours per day, from Monday: `None` if not submitted, zero if the cell is empty.
    pub days: [Option<Hours>; 7],
}

/// Names of the days, as used in the names of the form's fields.
pub const DAYS: [&str; 7] =
    ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];

/// Submitted week.
#[derive(Debug, Clone)]
pub struct WriteWeek {
    /// First day.
    pub monday: Date,
    /// Rows of the grid.
    pub rows: Vec<WrittenRow>,
}

/// Saves a week: changes the hours of each cell whose submitted total differs from the stored
/// total. `expected` is called on the stored week while the books are locked; if it returns false,
/// there is an edit conflict.
///
/// # Errors
/// The stored week is not as expected, a day would exceed 24 hours, or the hours of a cell cannot
/// be reduced because they have been invoiced or consist of several entries.
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
            let submitted =
                row.days.iter().enumerate().filter_map(|(day, hours)| Some((day, (*hours)?)));
            for (day, hours) in submitted {
                let date = command.monday + i64::try_from(day).unwrap_or(0).days();
                let stored = StoredHours::find(row.work, date, &entries, &logged);
                // The grid shows whole minutes, so a value equal to the rounded total is not a
                // change.
                let unchanged = hours == stored.hours() || hours == stored.hours().by_the_clock();
                if !unchanged {
                    changes.push(Change { row, day, date, hours, stored });
                }
            }
        }
        // Decreases are applied first, so that hours can move between projects on a full day.
        changes.sort_by_key(|change| change.hours > change.stored.hours());
        let mut faults = Vec::new();
        for change in changes {
            match change.carry_out(tx, books, cx) {
                Ok(()) => {}
                Err(Error::Invalid(cell_faults)) => {
                    let path = change.path();
                    faults.extend(
                        cell_faults.into_iter().map(|fault| Fault::new(path.clone(), fault.reason)),
                    );
                }
                Err(Error::TimeTracking(TimeTrackingError::AlreadyInvoiced)) => {
                    faults.push(Fault::new(change.path(), Reason::HoursInParts))
                }
                Err(other) => return Err(other),
            }
        }
        if faults.is_empty() { Ok(()) } else { Err(Error::Invalid(faults)) }
    })
}

/// Stored entries of one kind of work on one day.
enum StoredHours<'h> {
    Entries(Vec<&'h TimeEntry>),
    Logged(Vec<&'h LoggedHours>),
}

impl<'h> StoredHours<'h> {
    fn find(work: Work, date: Date, entries: &'h [TimeEntry], logged: &'h [LoggedHours]) -> Self {
        match work {
            Work::Project(id) => Self::Entries(
                entries
                    .iter()
                    .filter(|entry| entry.project_id == id && entry.date == date)
                    .collect(),
            ),
            Work::Log(name) => Self::Logged(
                logged
                    .iter()
                    .filter(|logged| category(&logged.category) == name && logged.date == date)
                    .collect(),
            ),
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
    stored: StoredHours<'h>,
}

impl Change<'_> {
    fn path(&self) -> String {
        format!("/rows/{}/{}", self.row.place, DAYS.get(self.day).copied().unwrap_or("monday"))
    }

    fn carry_out(&self, tx: &mut Tx<'_>, books: &mut Books, cx: &Context) -> Result<(), Error> {
        let nothing = self.hours == Hours::new(0);
        match &self.stored {
            StoredHours::Entries(entries) => match &entries[..] {
                [only] if only.invoice_id.is_none() && nothing => {
                    time_entries::remove(tx, cx, only)
                }
                [only] if only.invoice_id.is_none() => {
                    let edit =
                        EditTimeEntry { hours: Some(self.hours), ..EditTimeEntry::default() };
                    time_entries::change(tx, cx, only, &edit).map(drop)
                }
                _ => self.write_more(tx, books, cx),
            },
            StoredHours::Logged(logged) => match &logged[..] {
                [only] if nothing => hours_log::remove(tx, cx, only),
                [only] => {
                    let edit =
                        EditLoggedHours { hours: Some(self.hours), ..EditLoggedHours::default() };
                    hours_log::change(tx, cx, only, &edit).map(drop)
                }
                _ => self.write_more(tx, books, cx),
            },
        }
    }

    /// Adds an entry for the hours beyond the stored total.
    fn write_more(&self, tx: &mut Tx<'_>, books: &mut Books, cx: &Context) -> Result<(), Error> {
        let hours = self.hours - self.stored.hours();
        if hours < Hours::new(0) {
            return Err(Error::fault("", Reason::HoursInParts));
        }
        let (external_id, date, description) = (None, self.date, self.row.description.clone());
        match self.row.work {
            Work::Project(project_id) => {
                let description = match description {
                    Some(description) => description,
                    None => projects::read(tx, cx, project_id)?.name,
                };
                let entry = NewTimeEntry { external_id, project_id, date, hours, description };
                time_entries::insert(tx, books, cx, &entry).map(drop)
            }
            Work::Log(category) => {
                cx.actor.require_dutch()?;
                let description = description
                    .unwrap_or_else(|| description_of(category, cx.actor.language).to_owned());
                let logged = NewLoggedHours { external_id, date, hours, description, category };
                hours_log::insert(tx, books, cx, &logged).map(drop)
            }
        }
    }
}

/// Hours of one month.
#[derive(Debug, Clone)]
pub struct Month {
    /// First day.
    pub first: Date,
    /// Hours per day, for days with hours.
    pub days: Vec<(Date, DayHours)>,
    /// Hours per project, by project name.
    pub projects: Vec<(ProjectRow, Hours)>,
    /// Hours per category of the log.
    pub categories: Vec<(&'static str, Hours)>,
}

impl Month {
    /// Returns the total of the month.
    #[must_use]
    pub fn total(&self) -> DayHours {
        self.days.iter().fold(DayHours::default(), |sum, (_, day)| DayHours {
            project: sum.project + day.project,
            logged: sum.logged + day.logged,
        })
    }
}

/// Returns the month that starts on `first`.
///
/// # Errors
/// The storage failed.
pub fn month(tx: &mut Tx<'_>, cx: &Context, first: Date) -> Result<Month, Error> {
    let last = first.last_of_month();
    let by_project = rows::by_project(tx, cx.actor.account, first, last)?;
    let all = projects::by_name(tx, cx, &ProjectFilter::default())?;
    let hours_of =
        |id: i64| by_project.iter().find(|(project, _)| *project == id).map(|(_, hours)| *hours);
    let categories = rows::by_category(tx, cx.actor.account, first, last)?;
    Ok(Month {
        first,
        days: rows::by_day(tx, cx.actor.account, first, last)?,
        projects: all
            .into_iter()
            .filter_map(|row| hours_of(row.project.id).map(|hours| (row, hours)))
            .collect(),
        categories: categories.into_iter().map(|(name, hours)| (category(&name), hours)).collect(),
    })
}
