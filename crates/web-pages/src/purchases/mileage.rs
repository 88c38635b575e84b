//! `/mileage`: business kilometres with a private vehicle.

use crate::{
    done::Done,
    form::Form,
    frame::{
        download::{Cell, Download, MOST_ROWS},
        list::{ListState, Pager},
    },
    id::Id,
    journal::years_with,
    page::Authenticated,
};
use askama::Template;
use axum::{http::StatusCode, response::Response};
use jiff::civil::date;
use ledger::{calendar::amsterdam_today, decimal::Decimal, entry::SourceType, money::Cents};
use service::{
    Context, entries, ledger_cards,
    mileage::{self, NewTrip},
    projects,
};
use store::{ListFilter, trips::Trip};
use web_core::{
    input::{self, new_trip},
    problem::Problem,
};

/// Maximum number of projects in the form.
const MOST: i64 = 500;
/// Columns of a download.
const COLUMNS: [&str; 10] =
    ["id", "date", "from", "to", "km", "purpose", "projectId", "rate", "amount", "status"];

#[derive(Template)]
#[template(path = "purchases/mileage.html")]
struct View<'a> {
    page: &'a Authenticated,
    form: &'a Form,
    list: ListState,
    pager: Pager,
    years: Vec<(String, bool)>,
    trips: Vec<Trip>,
    projects: Vec<(String, String)>,
    km: Decimal,
    amount: Cents,
    rate: Option<Cents>,
    year: String,
}

impl View<'_> {
    #[expect(clippy::unused_self, reason = "a template reaches it by its view")]
    fn distance(&self, trip: &Trip) -> Decimal {
        Decimal::new(trip.distance, 2).normalize()
    }
}

/// Year in the URL; by default the current year.
fn year_of(page: &Authenticated, list: &ListState) -> i16 {
    list.year().unwrap_or_else(|| amsterdam_today(page.app.now()).year())
}

/// Trip filter from the URL.
fn filter(page: &Authenticated, list: &ListState) -> ListFilter {
    let year = year_of(page, list);
    ListFilter { days: Some((date(year, 1, 1), date(year, 12, 31))), ..list.filter(page) }
}

async fn show_with(
    page: &Authenticated,
    form: &Form,
    status: StatusCode,
) -> Result<Response, Problem> {
    let cx = page.context();
    let today = cx.today();
    let list = ListState::of(page, "-date");
    let (year, filter, part) = (year_of(page, &list), filter(page, &list), list.part(list.rows()));
    let read = move |tx: &mut store::Tx<'_>| {
        let trips = mileage::table(tx, &cx, &filter, part)?;
        let projects =
            projects::list(tx, &cx, &store::projects::ProjectFilter::default(), 0, MOST)?;
        Ok::<_, service::Error>((trips, ledger_cards::years(tx, &cx)?, projects))
    };
    let ((trips, sums), years, projects) = page.list(read).await?;
    let active = projects.into_iter().filter(|project| !project.archived);
    let mut choices = vec![(String::new(), page.t("mileage-no-project").to_string())];
    choices.extend(active.map(|project| (project.id.to_string(), project.name)));
    let view = View {
        page,
        form,
        pager: list.pager(usize::try_from(sums.count).unwrap_or(0)),
        years: list.years(years_with(years, today.year()), Some(year)),
        list,
        trips,
        projects: choices,
        km: Decimal::new(sums.distance, 2).normalize(),
        amount: sums.amount,
        rate: mileage::rate_on(today),
        year: year.to_string(),
    };
    page.show_as(status, &view)
}

/// New form, dated today.
fn fresh(page: &Authenticated) -> Result<Form, Problem> {
    let today = amsterdam_today(page.app.now());
    Ok(Form::of([("submission", page.new_submission()?), ("date", today.to_string())]))
}

/// `GET /mileage`
pub(super) async fn show(page: Authenticated) -> Result<Response, Problem> {
    let form = fresh(&page)?;
    show_with(&page, &form, StatusCode::OK).await
}

/// `GET /mileage.csv`, `GET /mileage.xlsx`: the filtered list as a spreadsheet.
pub(super) async fn download(page: Authenticated) -> Result<Response, Problem> {
    let (cx, format) = (page.context(), page.format());
    let list = ListState::of(&page, "-date");
    let (year, filter, part) =
        (year_of(&page, &list), filter(&page, &list), list.part((0, MOST_ROWS)));
    let (trips, _) = page.list(move |tx| mileage::table(tx, &cx, &filter, part)).await?;
    let file = Download::begin(format, &format!("mileage-{year}"), &COLUMNS)?;
    file.answer(&page, trips, |file, trip| {
        file.row([
            Cell::number(trip.id),
            Cell::Day(trip.date),
            Cell::Text(&trip.from),
            Cell::Text(&trip.to),
            Cell::number(Decimal::new(trip.distance, 2).normalize()),
            Cell::text(trip.purpose.as_deref()),
            trip.project_id.map_or(Cell::Empty, Cell::number),
            Cell::number(trip.rate),
            Cell::number(trip.amount),
            Cell::Text(if trip.undone_at.is_some() { "undone" } else { "booked" }),
        ])
    })
    .await
}

/// `POST /mileage`
pub(super) async fn record(page: Authenticated, form: Form) -> Result<Response, Problem> {
    let parsed = input::form(form.pairs(), page.texts.language, new_trip);
    let run = |tx: &mut store::Tx<'_>, cx: &Context, command: &NewTrip| {
        let trip = mileage::record(tx, cx, command)?.into_inner();
        let (amount, entry, undo) =
            (Some(trip.amount), Some(trip.entry_id), Some(format!("/mileage/{}/undo", trip.id)));
        Ok(Done { code: "trip-recorded".into(), amount, entry, undo, ..Done::default() }
            .at("/mileage"))
    };
    page.carry_out(form, parsed, run, async |form, status| show_with(&page, &form, status).await)
        .await
}

/// `POST /mileage/{id}/undo`
pub(super) async fn undo(page: Authenticated, Id(id): Id, form: Form) -> Result<Response, Problem> {
    let run = move |tx: &mut store::Tx<'_>, cx: &Context| {
        let (amount, entry) = (
            Some(mileage::undo(tx, cx, id)?.amount),
            entries::last_of(tx, cx, SourceType::Mileage, id)?,
        );
        Ok(Done { code: "trip-undone".into(), amount, entry, ..Done::default() }.at("/mileage"))
    };
    page.press(form, run, async |form, status| {
        show_with(&page, &form.beside(fresh(&page)?), status).await
    })
    .await
}
