//! Pages of events: a list with a form that records an event, and a page for each event with its
//! entries and a form that undoes the event.

use super::kinds::{self, Field, FieldKind, Words};
use crate::{
    done::Done,
    form::Form,
    frame::{
        download::{Cell, Download, MOST_ROWS},
        list::{ListState, Pager},
    },
    id::{Id, Ids},
    page::Authenticated,
    submit::SUBMISSION,
};
use askama::Template;
use axum::{http::StatusCode, response::Response};
use ledger::{calendar::amsterdam_today, entry::SourceType, event::Event, money::Cents};
use service::{
    Context, Error,
    corrections::IfFiled,
    events::{self, EventDetails, EventTable, NewEvent},
    ledger_cards,
};
use store::{ListPart, SyncFilter, Tx};
use web_core::{
    input::{self, new_event},
    problem::Problem,
};

/// Number of events read at once for a download.
const STEP: usize = 1_000;
const CHUNK: i64 = 1_000;
/// Columns of a download.
const COLUMNS: [&str; 7] = ["id", "date", "kind", "description", "amount", "entry", "status"];

#[derive(Template)]
#[template(path = "journal/events.html")]
struct ListView<'a> {
    page: &'a Authenticated,
    form: &'a Form,
    words: Words,
    fields: Vec<Field>,
    path: &'static str,
    kind: SourceType,
    list: ListState,
    pager: Pager,
    years: Vec<(String, bool)>,
    table: EventTable,
}

impl ListView<'_> {
    fn variant(&self, details: &EventDetails) -> String {
        kinds::variant(self.page, &details.stored.event)
    }

    fn amount(&self, details: &EventDetails) -> Cents {
        kinds::amount(&details.stored.event)
    }

    /// Totals of the list with their labels: a single total, or one for each variant.
    fn sums(&self) -> Vec<(String, Cents)> {
        let counted: Vec<_> = self.table.sums.iter().filter(|of| of.count > 0).collect();
        let total = self.page.t("journal-total").to_string();
        match counted.as_slice() {
            [one] => vec![(total, one.amount)],
            several => several
                .iter()
                .map(|of| {
                    (kinds::variant_name(self.page, self.kind, of).unwrap_or_default(), of.amount)
                })
                .collect(),
        }
    }
}

#[derive(Template)]
#[template(path = "journal/event.html")]
struct OneView<'a> {
    page: &'a Authenticated,
    form: &'a Form,
    words: Words,
    path: &'static str,
    details: EventDetails,
    /// Repayments of a loan, with the form that adds one.
    repayments: Vec<EventDetails>,
    repayment_words: Words,
    repayment_fields: Vec<Field>,
}

impl OneView<'_> {
    fn variant(&self, details: &EventDetails) -> String {
        kinds::variant(self.page, &details.stored.event)
    }

    fn amount(&self, details: &EventDetails) -> Cents {
        kinds::amount(&details.stored.event)
    }

    /// Path to which the form that undoes a repayment is submitted.
    fn undo_of(&self, repayment: &EventDetails) -> String {
        format!("/loans/{}/repayments/{}/undo", self.details.stored.id, repayment.stored.id)
    }

    /// Whether the bank line of one half of the transfer has yet to come.
    fn is_awaited(&self) -> bool {
        let stored = &self.details.stored;
        stored.undone_at.is_none()
            && matches!(stored.event, Event::Transfer { awaited: Some(_), .. })
    }

    fn is_loan(&self) -> bool {
        self.details.stored.event.source_type() == SourceType::Loan
    }
}

fn blank(page: &Authenticated) -> Result<Form, Problem> {
    Ok(Form::of([
        (SUBMISSION, page.new_submission()?),
        ("date", amsterdam_today(page.app.now()).to_string()),
        ("method", "bank".to_owned()),
        ("from", "bank".to_owned()),
        ("to", "savings".to_owned()),
    ]))
}

async fn list_with(
    page: &Authenticated,
    form: &Form,
    status: StatusCode,
) -> Result<Response, Problem> {
    let cx = page.context();
    let (kind, path) = kinds::of_path(page.path());
    let list = ListState::of(page, "-date");
    let (filter, part) = (list.filter(page), list.part(list.rows()));
    let read = move |tx: &mut Tx<'_>| {
        Ok((events::table(tx, &cx, kind, &filter, part)?, ledger_cards::years(tx, &cx)?))
    };
    let (table, years) = page.list(read).await?;
    let count: i64 = table.sums.iter().map(|of| of.count).sum();
    let (pager, years) =
        (list.pager(usize::try_from(count).unwrap_or(0)), list.years(years, list.year()));
    let (words, fields) = (kinds::words(page, kind), kinds::fields(page, kind));
    page.show_as(
        status,
        &ListView { page, form, words, fields, path, kind, list, pager, years, table },
    )
}

/// `GET /transfers`, and the lists of the other kinds.
pub(super) async fn list(page: Authenticated) -> Result<Response, Problem> {
    let form = blank(&page)?;
    list_with(&page, &form, StatusCode::OK).await
}

/// `GET /transfers.csv`, `GET /transfers.xlsx`, and the same for the other kinds: the filtered list
/// as a spreadsheet.
pub(super) async fn download(page: Authenticated) -> Result<Response, Problem> {
    let (cx, (kind, path)) = (page.context(), kinds::of_path(page.path()));
    let list = ListState::of(&page, "-date");
    let (filter, first) = (list.filter(&page), list.part((0, CHUNK)));
    let file = Download::begin(page.format(), path.trim_start_matches('/'), &COLUMNS)?;
    let read = move |tx: &mut Tx<'_>| {
        let mut all = Vec::new();
        for offset in (0..MOST_ROWS).step_by(STEP) {
            let found = events::table(tx, &cx, kind, &filter, ListPart { offset, ..first })?.rows;
            let is_last = found.len() < STEP;
            all.extend(found);
            if is_last {
                break;
            }
        }
        Ok(all)
    };
    let all = page.list(read).await?;
    let named = all
        .into_iter()
        .map(|details| (kinds::variant(&page, &details.stored.event), details))
        .collect();
    file.answer(&page, named, |file, (variant, details): &(String, _)| {
        file.row([
            Cell::number(details.stored.id),
            Cell::Day(details.stored.date),
            Cell::Text(variant),
            Cell::text(details.stored.description.as_deref()),
            Cell::number(kinds::amount(&details.stored.event)),
            Cell::number(details.entries.first().map_or(0, |stored| stored.id)),
            Cell::Text(if details.stored.undone_at.is_some() { "undone" } else { "booked" }),
        ])
    })
    .await
}

/// Message after an event has been recorded.
fn booked(made: &EventDetails, undo: Option<String>) -> Done {
    let (amount, entry) =
        (Some(kinds::amount(&made.stored.event)), made.entries.first().map(|stored| stored.id));
    Done { code: "event-made".into(), amount, entry, undo, ..Done::default() }
}

/// Message after an event has been undone.
fn undone(event: &EventDetails) -> Done {
    let (amount, entry) =
        (Some(kinds::amount(&event.stored.event)), event.entries.last().map(|stored| stored.id));
    Done { code: "event-undone".into(), amount, entry, ..Done::default() }
}

/// `POST /transfers`, and the same for the other kinds.
pub(super) async fn send(page: Authenticated, form: Form) -> Result<Response, Problem> {
    let (kind, path) = kinds::of_path(page.path());
    let parsed =
        input::form(form.pairs(), page.texts.language, |fields| new_event(fields, kind, None));
    let run = move |tx: &mut Tx<'_>, cx: &Context, command: &NewEvent| {
        let made = events::record(tx, cx, command)?.into_inner();
        let undo = format!("{path}/{}/undo", made.stored.id);
        Ok(booked(&made, Some(undo)).at(&format!("{path}/{}", made.stored.id)))
    };
    page.carry_out(form, parsed, run, async |form, status| list_with(&page, &form, status).await)
        .await
}

async fn show_with(
    page: &Authenticated,
    id: i64,
    form: &Form,
    status: StatusCode,
) -> Result<Response, Problem> {
    let cx = page.context();
    let (kind, path) = kinds::of_path(page.path());
    let read = move |tx: &mut Tx<'_>| {
        let details = events::read(tx, &cx, kind, id)?;
        let repayments = match kind {
            SourceType::Loan => {
                events::list(
                    tx,
                    &cx,
                    SourceType::LoanRepayment,
                    Some(id),
                    &SyncFilter::default(),
                    i64::MAX,
                    500,
                )?
                .rows
            }
            _ => Vec::new(),
        };
        Ok((details, repayments))
    };
    let (details, repayments) = page.app.query(page.who.account.id, read).await?;
    let repayment_words = kinds::words(page, SourceType::LoanRepayment);
    let repayment_fields = kinds::fields(page, SourceType::LoanRepayment);
    let words = kinds::words(page, kind);
    page.show_as(
        status,
        &OneView {
            page,
            form,
            words,
            path,
            details,
            repayments,
            repayment_words,
            repayment_fields,
        },
    )
}

/// `GET /transfers/{id}`, and the same for the other kinds.
pub(super) async fn show(page: Authenticated, Id(id): Id) -> Result<Response, Problem> {
    let form = blank(&page)?;
    show_with(&page, id, &form, StatusCode::OK).await
}

/// `POST /transfers/{id}/undo`, and the same for the other kinds.
pub(super) async fn undo(
    page: Authenticated,
    Id(id): Id,
    mut form: Form,
) -> Result<Response, Problem> {
    let (kind, path) = kinds::of_path(page.path());
    let if_filed = form.if_filed();
    form = form.goes_to(format!("{path}/{id}/undo"));
    let run = move |tx: &mut Tx<'_>, cx: &Context| {
        Ok(undone(&events::undo(tx, cx, (kind, id), if_filed)?).at(&format!("{path}/{id}")))
    };
    page.press(form, run, async |form, status| show_with(&page, id, &form, status).await).await
}

/// `POST /loans/{id}/repayments`
pub(super) async fn repay(
    page: Authenticated,
    Id(loan): Id,
    form: Form,
) -> Result<Response, Problem> {
    let take = |fields: &mut input::Fields<'_, '_>| {
        new_event(fields, SourceType::LoanRepayment, Some(loan))
    };
    let parsed = input::form(form.pairs(), page.texts.language, take);
    let run = move |tx: &mut Tx<'_>, cx: &Context, command: &NewEvent| {
        let made = events::record(tx, cx, command)?.into_inner();
        let undo = format!("/loans/{loan}/repayments/{}/undo", made.stored.id);
        Ok(booked(&made, Some(undo)).at(&format!("/loans/{loan}")))
    };
    page.carry_out(form, parsed, run, async |form, status| {
        show_with(&page, loan, &form, status).await
    })
    .await
}

/// `POST /loans/{id}/repayments/{repayment}/undo`
pub(super) async fn undo_repayment(
    page: Authenticated,
    Ids(loan, repayment): Ids,
    form: Form,
) -> Result<Response, Problem> {
    let run = move |tx: &mut Tx<'_>, cx: &Context| {
        let found = events::read(tx, cx, SourceType::LoanRepayment, repayment)?;
        if found.stored.parent_id != Some(loan) {
            return Err(Error::NotFound("repayment"));
        }
        let before = events::undo(tx, cx, (SourceType::LoanRepayment, repayment), IfFiled::Refuse)?;
        Ok(undone(&before).at(&format!("/loans/{loan}")))
    };
    page.press(form, run, async |form, status| show_with(&page, loan, &form, status).await).await
}
