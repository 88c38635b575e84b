//! The hours log: hours that belong to no project but count towards the hours criterion.

use crate::{
    moment::Moment,
    number::Number,
    operation::Operation,
    query::Query,
    resource::{Creatable, Deletable, Editable, Filter, Listed, Replaceable, Resource},
};
use jiff::civil::{self, Date};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::json;
use service::{
    Context, Created, Error, Fault, Upserted,
    hours_log::{self, EditLoggedHours, EditedDay, NewLoggedHours},
};
use store::{
    Page, Tx, Updated,
    time::{HoursFilter, LoggedHours},
};
#[cfg(fuzzing)]
use web_core::input::{self, Raw};
use web_core::{
    catalogue::{NOT_FOUND, PRECONDITION_FAILED},
    input::{
        Fields, HoursOfDay, LOG_CATEGORIES, Parsed, edited_logged_hours, names, new_logged_hours,
    },
};

/// Hours outside projects, which count towards the hours criterion of the income tax
/// (urencriterium).
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "LoggedHours")]
pub(crate) struct LoggedHoursBody<'h> {
    /// Id, unique within the account.
    id: i64,
    /// Your own identifier.
    #[schemars(example = &"order-1001")]
    external_id: Option<&'h str>,
    /// Date of the work.
    date: Date,
    /// Number of hours.
    hours: Number,
    /// Description of the work.
    description: &'h str,
    /// `administration`, `acquisition`, `travel`, `training` or `other`.
    #[schemars(extend("enum" = names(LOG_CATEGORIES)))]
    category: &'h str,
    /// Time of creation.
    created_at: Moment,
    /// Time of the last change.
    updated_at: Moment,
}

impl Resource for LoggedHours {
    type Key = i64;
    type Body<'r> = LoggedHoursBody<'r>;
    const PATH: &'static str = "/hours-log/{id}";
    const NAME: &'static str = "hours log entry";

    fn key(&self) -> i64 {
        self.id
    }

    fn body(&self, _: &Context) -> LoggedHoursBody<'_> {
        LoggedHoursBody {
            id: self.id,
            external_id: self.external_id.as_deref(),
            date: self.date,
            hours: self.hours.into(),
            description: &self.description,
            category: &self.category,
            created_at: Moment(self.created_at),
            updated_at: Moment(self.updated_at),
        }
    }

    fn find(tx: &mut Tx<'_>, cx: &Context, id: i64) -> Result<Self, Error> {
        hours_log::read(tx, cx, id)
    }
}

/// Filter for the hours log.
pub(crate) struct LogFilter(HoursFilter);

impl Filter for LogFilter {
    fn read(query: &mut Query) -> Self {
        let external_id =
            query.text("externalId", "Returns only resources with this external identifier.", 255);
        let year = query
            .integer("year", "Returns only hours of this year.", 2000, 2099)
            .and_then(|year| i16::try_from(year).ok());
        let (from, to) =
            (year.map(|year| civil::date(year, 1, 1)), year.map(|year| civil::date(year, 12, 31)));
        Self(HoursFilter {
            external_id,
            from,
            to,
            updated: query.updated(),
            ..HoursFilter::default()
        })
    }

    fn updated(&self) -> Option<Updated> {
        self.0.updated
    }
}

impl Listed for LoggedHours {
    type Filter = LogFilter;

    fn list(
        tx: &mut Tx<'_>,
        cx: &Context,
        (): (),
        filter: &LogFilter,
        after: i64,
        limit: i64,
    ) -> Result<Page<Self>, Error> {
        Ok(Page::of(hours_log::list(tx, cx, &filter.0, after, limit + 1)?, limit))
    }
}

impl Creatable for LoggedHours {
    type New = NewLoggedHours;
    type Partial = HoursOfDay;

    fn read_new(fields: &mut Fields<'_, '_>, (): ()) -> Parsed<NewLoggedHours, HoursOfDay> {
        new_logged_hours(fields)
    }

    fn create(tx: &mut Tx<'_>, cx: &Context, new: &NewLoggedHours) -> Result<Created<Self>, Error> {
        hours_log::create(tx, cx, new)
    }

    fn find_by_external_id(
        tx: &mut Tx<'_>,
        cx: &Context,
        external_id: Option<&str>,
    ) -> Result<Option<Self>, Error> {
        hours_log::find_by_external_id(tx, cx, external_id)
    }

    fn validate(
        tx: &mut Tx<'_>,
        cx: &Context,
        (): (),
        day: &HoursOfDay,
    ) -> Result<Vec<Fault>, Error> {
        let Some((date, hours)) = *day else { return Ok(Vec::new()) };
        Ok(hours_log::day_fault(tx, cx, date, hours)?.into_iter().collect())
    }
}

impl Replaceable for LoggedHours {
    fn replace(
        tx: &mut Tx<'_>,
        cx: &Context,
        external_id: &str,
        new: &NewLoggedHours,
        expected: &dyn Fn(Option<&Self>) -> bool,
    ) -> Result<Upserted<Self>, Error> {
        hours_log::replace(tx, cx, external_id, new, expected)
    }
}

impl Editable for LoggedHours {
    type Edit = EditLoggedHours;
    type PartialEdit = EditedDay;

    fn read_edit(fields: &mut Fields<'_, '_>) -> Parsed<EditLoggedHours, EditedDay> {
        edited_logged_hours(fields)
    }

    fn validate_edit(
        tx: &mut Tx<'_>,
        cx: &Context,
        there: &Self,
        day: &EditedDay,
    ) -> Result<Vec<Fault>, Error> {
        Ok(hours_log::edited_day_fault(tx, cx, (there.date, there.hours), *day)?
            .into_iter()
            .collect())
    }

    fn edit(
        tx: &mut Tx<'_>,
        cx: &Context,
        id: i64,
        edit: &EditLoggedHours,
        expected: &dyn Fn(&Self) -> bool,
    ) -> Result<Self, Error> {
        hours_log::edit(tx, cx, id, edit, expected)
    }
}

impl Deletable for LoggedHours {
    fn delete(
        tx: &mut Tx<'_>,
        cx: &Context,
        id: i64,
        expected: &dyn Fn(&Self) -> bool,
    ) -> Result<(), Error> {
        hours_log::delete(tx, cx, id, expected)
    }
}

pub(crate) fn operations() -> Vec<Operation> {
    let example = || {
        json!({
            "externalId": "log-7", "date": "2026-11-20", "hours": 1.25, "description": "Quarterly bookkeeping",
            "category": "administration",
        })
    };
    vec![
        Operation::list_of::<LoggedHours>("listHoursLog")
            .says("List the hours log", "In order of recording."),
        Operation::create_of::<LoggedHours>("createHoursLogEntry", example())
            .says(
                "Create hours in the log",
                "Hours on projects count towards the hours criterion automatically; only log \
                 other hours.",
            )
            .for_dutch_accounts(),
        Operation::read_of::<LoggedHours>("readHoursLogEntry").says("Read hours in the log", ""),
        Operation::edit_of::<LoggedHours>("editHoursLogEntry", json!({ "hours": 1.5 }))
            .says("Update hours in the log", "Absent fields stay unchanged.")
            .or(&[NOT_FOUND, PRECONDITION_FAILED])
            .for_dutch_accounts(),
        Operation::delete_of::<LoggedHours>("deleteHoursLogEntry")
            .says("Delete hours from the log", "")
            .or(&[NOT_FOUND, PRECONDITION_FAILED])
            .for_dutch_accounts(),
        Operation::replace_of::<LoggedHours>(
            "/hours-log/external/{externalId}",
            "putHoursLogEntry",
            example(),
        )
        .says(
            "Create or replace hours in the log",
            "Creates or replaces the resource with this external identifier. Absent fields \
                 get their defaults.",
        )
        .or(&[PRECONDITION_FAILED])
        .for_dutch_accounts(),
    ]
}

#[cfg(fuzzing)]
pub(crate) fn try_body(json: &Raw) {
    let parsed = input::json(json, new_logged_hours);
    assert_eq!(parsed.command.is_some(), parsed.faults.is_empty());
}
