//! Input for hours: on projects, and in the hours log.

use super::{
    CalendarDate, Choice, EXTERNAL_ID, EXTERNAL_ID_MEANING, Fields, FixedDecimal, Integer,
    MultiLine, Parsed, Presence, Raw, Reader, SingleLine, euros,
};
use jiff::civil::Date;
use ledger::{
    decimal::Decimal,
    hours::{Hours, HoursError},
    money::Cents,
};
use serde_json::{Value, json};
use service::{
    Reason,
    hours_log::{EditLoggedHours, EditedDay, NewLoggedHours},
    invoicing::InvoiceHours,
    projects::{EditProject, NewProject},
    time_entries::{EditTimeEntry, NewTimeEntry},
    timer::{StartTimer, StopTimer},
    week::{DAYS, Work, WriteWeek, WrittenRow},
};

/// Date and hours, which the books validate together with the other hours of that day.
pub type HoursOfDay = Option<(Date, Hours)>;

/// Reads the fields of hours on a project.
pub fn new_time_entry(
    fields: &mut Fields<'_, '_>,
) -> Parsed<NewTimeEntry, (Option<i64>, HoursOfDay)> {
    let external_id = fields.optional("externalId", EXTERNAL_ID_MEANING, EXTERNAL_ID);
    let project_id = fields.required(
        "projectId",
        "Id of an active project. `GET /projects` lists them.",
        Integer(1, i64::MAX),
    );
    let date = fields.required("date", "Date of the work.", CalendarDate);
    let hours = fields.required("hours", HOURS_MEANING, WorkedHours);
    let description = fields.required("description", "Description of the work.", MultiLine(1000));
    let command = match (project_id, date, hours, description) {
        (Some(project_id), Some(date), Some(hours), Some(description)) => Some(NewTimeEntry {
            external_id: external_id.clone(),
            project_id,
            date,
            hours,
            description,
        }),
        _ => None,
    };
    Parsed::with_partial(external_id, command, (project_id, date.zip(hours)))
}

/// Reads the fields of hours in the log.
pub fn new_logged_hours(fields: &mut Fields<'_, '_>) -> Parsed<NewLoggedHours, HoursOfDay> {
    let external_id = fields.optional("externalId", EXTERNAL_ID_MEANING, EXTERNAL_ID);
    let date = fields.required("date", "Date of the work.", CalendarDate);
    let hours = fields.required("hours", HOURS_MEANING, WorkedHours);
    let description = fields.required(
        "description",
        "Description of the work. The tax office requires it to be specific.",
        MultiLine(1000),
    );
    let category = fields
        .optional("category", "Kind of work. Default: other.", Choice(LOG_CATEGORIES))
        .unwrap_or("other");
    let command = match (date, hours, description) {
        (Some(date), Some(hours), Some(description)) => Some(NewLoggedHours {
            external_id: external_id.clone(),
            date,
            hours,
            description,
            category,
        }),
        _ => None,
    };
    Parsed::with_partial(external_id, command, date.zip(hours))
}

/// Reads the fields for editing hours on a project; absent fields stay unchanged.
pub fn edited_time_entry(
    fields: &mut Fields<'_, '_>,
) -> Parsed<EditTimeEntry, (Option<i64>, EditedDay)> {
    let external_id = fields.removable("externalId", "Your own identifier.", EXTERNAL_ID);
    let project_id = fields.changeable("projectId", "Id of a project.", Integer(1, i64::MAX));
    let (date, hours, day) = edited_day(fields);
    let description = fields.changeable("description", "Description of the work.", MultiLine(1000));
    let external = external_id.clone().flatten();
    let edit = EditTimeEntry { external_id, project_id, date, hours, description };
    Parsed::with_partial(external, Some(edit), (project_id, day))
}

/// Reads the day and the hours of an edit. The third value contains both, so that the books can
/// validate them together; it is `None` if either has a fault.
fn edited_day(fields: &mut Fields<'_, '_>) -> (Option<Date>, Option<Hours>, EditedDay) {
    let present = (fields.has("date"), fields.has("hours"));
    let date = fields.changeable("date", "Date of the work.", CalendarDate);
    let hours = fields.changeable("hours", HOURS_MEANING, WorkedHours);
    (date, hours, (present == (date.is_some(), hours.is_some())).then_some((date, hours)))
}

/// Reads the fields for editing hours in the log; absent fields stay unchanged.
pub fn edited_logged_hours(fields: &mut Fields<'_, '_>) -> Parsed<EditLoggedHours, EditedDay> {
    let external_id = fields.removable("externalId", "Your own identifier.", EXTERNAL_ID);
    let (date, hours, day) = edited_day(fields);
    let description = fields.changeable(
        "description",
        "Description of the work. The tax office requires it to be specific.",
        MultiLine(1000),
    );
    let category = fields.changeable("category", "Kind of work.", Choice(LOG_CATEGORIES));
    let external = external_id.clone().flatten();
    let edit = EditLoggedHours { external_id, date, hours, description, category };
    Parsed::with_partial(external, Some(edit), day)
}

/// Names of project statuses in the API, each with whether it means archived.
pub const PROJECT_STATUSES: &[(&str, bool)] = &[("active", false), ("archived", true)];

const CUSTOMER_MEANING: &str =
    "Id of the customer's contact. Hours can only be invoiced to a customer.";
const RATE_MEANING: &str = "Hourly rate in euros, excluding VAT, with at most two decimals.";
const BUDGET_MEANING: &str = "Budget in hours.";
const PROJECT_STATUS_MEANING: &str =
    "Status of the project. No hours can be recorded on an `archived` one.";

/// Reads the fields of a new project.
pub fn new_project(fields: &mut Fields<'_, '_>) -> Parsed<NewProject, Option<i64>> {
    let external_id = fields.optional("externalId", EXTERNAL_ID_MEANING, EXTERNAL_ID);
    let name = fields.required("name", "Your own name for it.", SingleLine(255));
    let contact_id = fields.optional("contactId", CUSTOMER_MEANING, Integer(1, i64::MAX));
    let hourly_rate = fields.optional("hourlyRate", RATE_MEANING, HourlyRate);
    let budget_hours = fields.optional("budgetHours", BUDGET_MEANING, Budget);
    let archived = fields
        .optional("status", PROJECT_STATUS_MEANING, Choice(PROJECT_STATUSES))
        .unwrap_or(false);
    let external = external_id.clone();
    let command = name.map(|name| NewProject {
        external_id,
        name,
        contact_id,
        hourly_rate,
        budget_hours,
        archived,
    });
    Parsed::with_partial(external, command, contact_id)
}

/// Reads the fields for editing a project; absent fields stay unchanged.
pub fn edited_project(fields: &mut Fields<'_, '_>) -> Parsed<EditProject, Option<i64>> {
    let external_id = fields.removable("externalId", "Your own identifier.", EXTERNAL_ID);
    let name = fields.changeable("name", "Your own name for it.", SingleLine(255));
    let contact_id = fields.removable("contactId", CUSTOMER_MEANING, Integer(1, i64::MAX));
    let hourly_rate = fields.removable("hourlyRate", RATE_MEANING, HourlyRate);
    let budget_hours = fields.removable("budgetHours", BUDGET_MEANING, Budget);
    let archived = fields.changeable("status", PROJECT_STATUS_MEANING, Choice(PROJECT_STATUSES));
    let external = external_id.clone().flatten();
    let edit = EditProject { external_id, name, contact_id, hourly_rate, budget_hours, archived };
    Parsed::with_partial(external, Some(edit), contact_id.flatten())
}

/// Reads the fields of an invoice for the hours of a project.
pub fn hours_to_invoice(fields: &mut Fields<'_, '_>, project_id: i64) -> Parsed<InvoiceHours> {
    let external_id = fields.optional("externalId", EXTERNAL_ID_MEANING, EXTERNAL_ID);
    let until = fields.optional(
        "until",
        "Last day whose hours are invoiced. Default: all hours.",
        CalendarDate,
    );
    let meaning = "Date of the invoice. Default: today in Amsterdam.";
    let invoice_date = fields.optional("invoiceDate", meaning, CalendarDate);
    Parsed::new(
        external_id.clone(),
        Some(InvoiceHours { external_id, project_id, until, invoice_date }),
    )
}

/// Reads the fields for starting the timer.
pub fn start_timer(fields: &mut Fields<'_, '_>) -> Parsed<StartTimer> {
    let meaning = "Id of the project for the hours. Default: none, for the hours log.";
    let project_id = fields.optional("projectId", meaning, Integer(1, i64::MAX));
    let description = fields.optional("description", "Description of the work.", MultiLine(1000));
    let meaning = "Kind of work, for the hours log. Default: other.";
    let category = fields.optional("category", meaning, Choice(LOG_CATEGORIES));
    Parsed::new(None, Some(StartTimer { project_id, description, category }))
}

/// Reads the fields for stopping the timer.
pub fn stop_timer(fields: &mut Fields<'_, '_>) -> Parsed<StopTimer> {
    let meaning = "Description of the work. Default: the one given at the start, or else the name of the project.";
    let description = fields.optional("description", meaning, MultiLine(1000));
    let hours =
        fields.optional("hours", "Number of hours. Default: the time on the clock.", WorkedHours);
    Parsed::new(None, Some(StopTimer { description, hours }))
}

/// Maximum number of rows of a week.
const MOST_ROWS: usize = 500;

/// Reads the hours of the week that starts on `monday`: rows by project or category, with a field
/// for each day. An empty field means no hours; an absent field leaves the day unchanged.
pub fn written_week(fields: &mut Fields<'_, '_>, monday: Date) -> Parsed<WriteWeek> {
    let place = std::cell::Cell::new(0);
    let rows = fields.list(
        "rows",
        "The rows of the week.",
        Presence::Optional,
        (0, MOST_ROWS),
        &[],
        |fields| {
            let at = place.get();
            place.set(at + 1);
            let project_id =
                fields.optional("projectId", "Id of the project.", Integer(1, i64::MAX));
            let category = fields.optional(
                "category",
                "Without a project, what kind of work it was.",
                Choice(LOG_CATEGORIES),
            );
            let description =
                fields.optional("description", "Description of the work.", MultiLine(1000));
            let days = DAYS.map(|day| {
                fields
                    .removable(day, "The hours of that day.", DayOfWeek)
                    .map(Option::unwrap_or_default)
            });
            let work = match (project_id, category) {
                (Some(id), _) => Work::Project(id),
                (None, Some(category)) => Work::Log(category),
                (None, None) => {
                    fields.fault("projectId", Reason::Required);
                    return None;
                }
            };
            Some(WrittenRow { place: at, work, description, days })
        },
    );
    Parsed::new(None, Some(WriteWeek { monday, rows: rows.unwrap_or_default() }))
}

/// Categories of hours in the log.
pub const LOG_CATEGORIES: &[(&str, &str)] = &[
    ("administration", "administration"),
    ("acquisition", "acquisition"),
    ("travel", "travel"),
    ("training", "training"),
    ("other", "other"),
];

/// Description of hours.
const HOURS_MEANING: &str = "Number of hours: above 0, at most 24, with at most two decimals. The \
                             hours of one date on projects and in the hours log are at most 24 in \
                             total.";

/// Hours on one day in the week grid: like worked hours, but zero is allowed.
struct DayOfWeek;

impl Reader for DayOfWeek {
    type Value = Hours;

    fn read(&self, raw: &Raw) -> Result<Hours, Reason> {
        let zero = matches!(raw, Raw::Typed(text, language) if i18n::read_duration(text, *language) == Ok(Hours::new(0)));
        if zero { Ok(Hours::new(0)) } else { WorkedHours.read(raw) }
    }

    fn schema(&self) -> Value {
        WorkedHours.schema()
    }
}

/// Hourly rate in euros.
struct HourlyRate;

/// Maximum hourly rate: the maximum price of an invoice line.
const MOST_PER_HOUR: Cents = Cents::new(100_000_000_000);

impl Reader for HourlyRate {
    type Value = Cents;

    fn read(&self, raw: &Raw) -> Result<Cents, Reason> {
        let rate = euros(raw, &Reason::NegativeAmount)?;
        if (Cents::ZERO..=MOST_PER_HOUR).contains(&rate) {
            Ok(rate)
        } else {
            Err(Reason::NegativeAmount)
        }
    }

    fn schema(&self) -> Value {
        json!({ "type": "number", "minimum": 0, "maximum": 1_000_000_000, "examples": [95.5] })
    }
}

/// Budget of a project in hours.
struct Budget;

/// Maximum budget.
const MOST_BUDGET: Hours = Hours::new(10_000_000);

impl Reader for Budget {
    type Value = Hours;

    fn read(&self, raw: &Raw) -> Result<Hours, Reason> {
        let range = || Reason::OutOfRange { least: Decimal::ZERO, most: MOST_BUDGET.to_decimal() };
        if let Raw::Typed(text, language) = raw {
            let hours = i18n::read_duration(text, *language).map_err(|_| Reason::NotHours)?;
            return if hours <= MOST_BUDGET { Ok(hours) } else { Err(range()) };
        }
        let value = FixedDecimal(2).read(raw)?;
        if value < Decimal::ZERO || value > MOST_BUDGET.to_decimal() {
            return Err(range());
        }
        i64::try_from(value * Decimal::ONE_HUNDRED).map(Hours::new).map_err(|_| range())
    }

    fn schema(&self) -> Value {
        json!({ "type": "number", "minimum": 0, "maximum": 100_000, "examples": [60] })
    }
}

/// Hours worked on one day: a number, and on a page also `1:30` or `90m`.
struct WorkedHours;

impl Reader for WorkedHours {
    type Value = Hours;

    fn read(&self, raw: &Raw) -> Result<Hours, Reason> {
        let value = match raw {
            Raw::Typed(text, language) => {
                let worked = i18n::read_duration(text, *language);
                worked.map_err(|_| Reason::NotHours)?.to_decimal()
            }
            _ => FixedDecimal(2).read(raw)?,
        };
        Hours::parse(&value).map_err(|error| match error {
            HoursError::OutOfRange => Reason::HoursOutOfRange,
            HoursError::TooManyDecimals => Reason::TooManyDecimals { most: 2 },
        })
    }

    fn schema(&self) -> Value {
        let mut schema = FixedDecimal(2).schema();
        schema["minimum"] = json!(0.01);
        schema["maximum"] = json!(24);
        schema
    }
}
