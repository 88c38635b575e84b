//! Time entries: hours on a project.

use crate::{
    moment::Moment,
    number::Number,
    operation::Operation,
    query::Query,
    resource::{Creatable, Deletable, Editable, Filter, Listed, Replaceable, Resource},
};
use jiff::civil::Date;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::json;
use service::{
    Context, Created, Error, Fault, Upserted,
    hours_log::{self, EditedDay},
    time_entries::{self, EditTimeEntry, NewTimeEntry},
};
use store::{
    Page, Tx, Updated,
    time::{HoursFilter, TimeEntry},
};
#[cfg(fuzzing)]
use web_core::input::{self, Raw};
use web_core::{
    catalogue::{ALREADY_INVOICED, NOT_FOUND, PRECONDITION_FAILED, PROJECT_ARCHIVED},
    input::{Fields, HoursOfDay, Parsed, edited_time_entry, new_time_entry},
};

/// Hours on a project.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "TimeEntry")]
pub(crate) struct TimeEntryBody<'e> {
    /// Id, unique within the account.
    id: i64,
    /// Your own identifier.
    #[schemars(example = &"order-1001")]
    external_id: Option<&'e str>,
    /// Id of the project.
    project_id: i64,
    /// Date of the work.
    date: Date,
    /// Number of hours.
    hours: Number,
    /// Description of the work.
    description: &'e str,
    /// Id of the invoice for the hours. Invoiced hours are locked.
    invoice_id: Option<i64>,
    /// Time of creation.
    created_at: Moment,
    /// Time of the last change.
    updated_at: Moment,
}

impl Resource for TimeEntry {
    type Key = i64;
    type Body<'r> = TimeEntryBody<'r>;
    const PATH: &'static str = "/time-entries/{id}";
    const NAME: &'static str = "time entry";

    fn key(&self) -> i64 {
        self.id
    }

    fn body(&self, _: &Context) -> TimeEntryBody<'_> {
        TimeEntryBody {
            id: self.id,
            external_id: self.external_id.as_deref(),
            project_id: self.project_id,
            date: self.date,
            hours: self.hours.into(),
            description: &self.description,
            invoice_id: self.invoice_id,
            created_at: Moment(self.created_at),
            updated_at: Moment(self.updated_at),
        }
    }

    fn find(tx: &mut Tx<'_>, cx: &Context, id: i64) -> Result<Self, Error> {
        time_entries::read(tx, cx, id)
    }
}

impl Filter for HoursFilter {
    fn read(query: &mut Query) -> Self {
        Self {
            external_id: query.text(
                "externalId",
                "Returns only resources with this external identifier.",
                255,
            ),
            project_id: query.integer(
                "projectId",
                "Returns only hours on this project.",
                1,
                i64::MAX,
            ),
            from: query.day("from", "Returns only hours on or after this date."),
            to: query.day("to", "Returns only hours on or before this date."),
            invoiced: query
                .flag("invoiced", "Returns only invoiced or only not yet invoiced hours."),
            updated: query.updated(),
        }
    }

    fn updated(&self) -> Option<Updated> {
        self.updated
    }
}

impl Listed for TimeEntry {
    type Filter = HoursFilter;

    fn list(
        tx: &mut Tx<'_>,
        cx: &Context,
        (): (),
        filter: &HoursFilter,
        after: i64,
        limit: i64,
    ) -> Result<Page<Self>, Error> {
        Ok(Page::of(time_entries::list(tx, cx, filter, after, limit + 1)?, limit))
    }
}

impl Creatable for TimeEntry {
    type New = NewTimeEntry;
    type Partial = (Option<i64>, HoursOfDay);

    fn read_new(
        fields: &mut Fields<'_, '_>,
        (): (),
    ) -> Parsed<NewTimeEntry, (Option<i64>, HoursOfDay)> {
        new_time_entry(fields)
    }

    fn create(tx: &mut Tx<'_>, cx: &Context, new: &NewTimeEntry) -> Result<Created<Self>, Error> {
        time_entries::create(tx, cx, new)
    }

    fn find_by_external_id(
        tx: &mut Tx<'_>,
        cx: &Context,
        external_id: Option<&str>,
    ) -> Result<Option<Self>, Error> {
        time_entries::find_by_external_id(tx, cx, external_id)
    }

    fn validate(
        tx: &mut Tx<'_>,
        cx: &Context,
        (): (),
        (project_id, day): &(Option<i64>, HoursOfDay),
    ) -> Result<Vec<Fault>, Error> {
        let mut faults = Vec::new();
        if let Some(project_id) = project_id {
            faults.extend(time_entries::project_fault(tx, cx, *project_id)?);
        }
        if let Some((date, hours)) = day {
            faults.extend(hours_log::day_fault(tx, cx, *date, *hours)?);
        }
        Ok(faults)
    }
}

impl Replaceable for TimeEntry {
    fn replace(
        tx: &mut Tx<'_>,
        cx: &Context,
        external_id: &str,
        new: &NewTimeEntry,
        expected: &dyn Fn(Option<&Self>) -> bool,
    ) -> Result<Upserted<Self>, Error> {
        time_entries::replace(tx, cx, external_id, new, expected)
    }
}

impl Editable for TimeEntry {
    type Edit = EditTimeEntry;
    type PartialEdit = (Option<i64>, EditedDay);

    fn read_edit(fields: &mut Fields<'_, '_>) -> Parsed<EditTimeEntry, (Option<i64>, EditedDay)> {
        edited_time_entry(fields)
    }

    fn validate_edit(
        tx: &mut Tx<'_>,
        cx: &Context,
        there: &Self,
        (project_id, day): &(Option<i64>, EditedDay),
    ) -> Result<Vec<Fault>, Error> {
        let mut faults = Vec::new();
        if let Some(project_id) = project_id {
            faults.extend(time_entries::project_fault(tx, cx, *project_id)?);
        }
        faults.extend(hours_log::edited_day_fault(tx, cx, (there.date, there.hours), *day)?);
        Ok(faults)
    }

    fn edit(
        tx: &mut Tx<'_>,
        cx: &Context,
        id: i64,
        edit: &EditTimeEntry,
        expected: &dyn Fn(&Self) -> bool,
    ) -> Result<Self, Error> {
        time_entries::edit(tx, cx, id, edit, expected)
    }
}

impl Deletable for TimeEntry {
    fn delete(
        tx: &mut Tx<'_>,
        cx: &Context,
        id: i64,
        expected: &dyn Fn(&Self) -> bool,
    ) -> Result<(), Error> {
        time_entries::delete(tx, cx, id, expected)
    }
}

pub(crate) fn operations() -> Vec<Operation> {
    let example = || json!({ "externalId": "toggl-88", "projectId": 1, "date": "2026-11-20", "hours": 2.5, "description": "Sketches" });
    vec![
        Operation::list_of::<TimeEntry>("listTimeEntries").says("List time entries", "In order of recording."),
        Operation::create_of::<TimeEntry>("createTimeEntry", example())
            .says("Create a time entry", "Available to accounts of every country.")
            .or(&[PROJECT_ARCHIVED]),
        Operation::read_of::<TimeEntry>("readTimeEntry").says("Read a time entry", ""),
        Operation::edit_of::<TimeEntry>("editTimeEntry", json!({ "hours": 3.25 }))
            .says(
                "Update a time entry",
                "Absent fields stay unchanged. Invoiced hours are locked until the draft is \
                 deleted or the sent invoice is credited.",
            )
            .or(&[NOT_FOUND, ALREADY_INVOICED, PROJECT_ARCHIVED, PRECONDITION_FAILED]),
        Operation::delete_of::<TimeEntry>("deleteTimeEntry")
            .says("Delete a time entry", "Invoiced hours are locked until the draft is deleted or the sent invoice is credited.")
            .or(&[NOT_FOUND, ALREADY_INVOICED, PRECONDITION_FAILED]),
        Operation::replace_of::<TimeEntry>("/time-entries/external/{externalId}", "putTimeEntry", example())
            .says(
                "Create or replace a time entry",
                "Creates or replaces the time entry with this external identifier, such as after \
                 a correction in your system.",
            )
            .or(&[ALREADY_INVOICED, PROJECT_ARCHIVED, PRECONDITION_FAILED]),
    ]
}

#[cfg(fuzzing)]
pub(crate) fn try_body(json: &Raw) {
    let parsed = input::json(json, new_time_entry);
    assert_eq!(parsed.command.is_some(), parsed.faults.is_empty());
}
