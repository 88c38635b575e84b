//! Commands on a bank line: booking it, ignoring it, and undoing both.

use super::{
    allocations::{ALLOCATIONS, with_usual_rates},
    lines::{LIST, address_of, filled, show_with},
};
use crate::{
    done::Done,
    form::Form,
    frame::{lines::is_reshaping, list::ListState},
    id::Id,
    page::Authenticated,
    purchases::usual_vat,
    submit::{SUBMISSION, VERSION},
};
use axum::{http::StatusCode, response::Response};
use service::{
    Context,
    bank_booking::{self, BookLine, UndoLine},
    bank_lines::{self, EditLine, IgnoreLine, LineDetails},
    bank_suggestions::{self, SuggestionId},
};
use store::Tx;
use web_core::{
    input::{self, Parsed, booked_line, edited_line, ignored_line, refused_suggestion},
    problem::Problem,
};

/// URL to go to after a command on a line: its list with the line below it.
fn target(form: &Form) -> String {
    let address = address_of(form);
    match form.value("next").parse::<i64>() {
        Ok(next) => ListState::read(&address, "").with_on_page("line", &next.to_string()),
        Err(_) => address,
    }
}

/// URL to which the line of a command returns.
pub(super) fn back_to(form: &Form, id: i64) -> String {
    ListState::read(&address_of(form), "").with_on_page("line", &id.to_string())
}

pub(super) async fn show_again(
    page: &Authenticated,
    id: i64,
    form: Form,
    status: StatusCode,
) -> Result<Response, Problem> {
    let list = ListState::read(&address_of(&form), "-date");
    let form = match form.raw(SUBMISSION) {
        "" => form.with(SUBMISSION, page.new_submission()?),
        _ => form,
    };
    show_with(page, list, Some(id), &form, status).await
}

/// Message about a line that was booked.
fn done_of(booked: LineDetails) -> Done {
    let mut entries = booked.allocations.iter().flat_map(|of| of.entry_ids.iter().copied());
    Done {
        code: "bank-line-booked".into(),
        amount: Some(booked.line.amount),
        entry: entries.next(),
        undo: Some(format!("{LIST}/{}/undo", booked.line.id)),
        name: booked.line.name.unwrap_or_default(),
    }
}

/// `POST /bank-lines/{id}/book` with the action `accept`.
async fn accept(page: Authenticated, id: i64, form: Form) -> Result<Response, Problem> {
    let parsed = input::form(form.pairs(), page.texts.language, refused_suggestion);
    let target = target(&form);
    let run = move |tx: &mut Tx<'_>, cx: &Context, suggestion: &SuggestionId| {
        let booked = bank_suggestions::accept(tx, cx, id, *suggestion)?.into_inner();
        Ok(done_of(booked).at(&target))
    };
    page.carry_out(form, parsed, run, async |form, status| {
        show_again(&page, id, form, status).await
    })
    .await
}

/// `POST /bank-lines/{id}/book`
pub(super) async fn book(page: Authenticated, Id(id): Id, form: Form) -> Result<Response, Problem> {
    if form.value("action") == "accept" {
        return accept(page, id, form).await;
    }
    let action = form.value("action").replace("Allocation", "Line");
    let arranged = ALLOCATIONS.arrange(&form, &action);
    let filled = with_usual_rates(&arranged, page.context().today());
    if is_reshaping(&action) {
        return show_again(&page, id, filled.marked(), StatusCode::OK).await;
    }
    let (form, is_as_shown) = filled.checked(&page);
    let mut parsed = input::form(usual_vat::as_read(&form), page.texts.language, booked_line);
    parsed.command = parsed.command.filter(|_| is_as_shown);
    let target =
        if action == "rule" { format!("/bank-rules/new?line={id}") } else { target(&form) };
    let run = move |tx: &mut Tx<'_>, cx: &Context, command: &BookLine| {
        let booked = bank_booking::book(tx, cx, id, command)?.into_inner();
        Ok(done_of(booked).at(&target))
    };
    page.carry_out(form, parsed, run, async |form, status| {
        show_again(&page, id, form, status).await
    })
    .await
}

/// `POST /bank-lines/{id}/ignore`
pub(super) async fn ignore(
    page: Authenticated,
    Id(id): Id,
    form: Form,
) -> Result<Response, Problem> {
    let parsed = input::form(form.pairs(), page.texts.language, ignored_line);
    let target = target(&form);
    let run = move |tx: &mut Tx<'_>, cx: &Context, command: &IgnoreLine| {
        let ignored = bank_lines::ignore(tx, cx, id, command)?;
        let done = Done {
            code: "bank-line-ignored".into(),
            amount: Some(ignored.line.amount),
            undo: Some(format!("{LIST}/{id}/undo")),
            ..Done::default()
        };
        Ok(done.at(&target))
    };
    page.carry_out(form, parsed, run, async |form, status| {
        show_again(&page, id, form, status).await
    })
    .await
}

/// `POST /bank-lines/{id}/undo`
pub(super) async fn undo(page: Authenticated, Id(id): Id, form: Form) -> Result<Response, Problem> {
    let parsed = input::form(form.pairs(), page.texts.language, |fields| {
        Parsed::new(None, Some(fields.optional("date", "", input::CalendarDate)))
    });
    let if_filed = form.if_filed();
    let target = format!("{LIST}?state=new&line={id}");
    let run = move |tx: &mut Tx<'_>, cx: &Context, date: &Option<jiff::civil::Date>| {
        let undone = bank_booking::undo(tx, cx, id, UndoLine { date: *date, if_filed })?;
        let done = Done {
            code: "bank-line-undone".into(),
            amount: Some(undone.line.amount),
            ..Done::default()
        };
        Ok(done.at(&target))
    };
    page.carry_out(form, parsed, run, async |form, status| {
        show_again(&page, id, form, status).await
    })
    .await
}

/// `POST /bank-lines/{id}/distinct`: declares a doubtful line to be a payment of its own.
pub(super) async fn distinct(
    page: Authenticated,
    Id(id): Id,
    form: Form,
) -> Result<Response, Problem> {
    let target = back_to(&form, id);
    let run = move |tx: &mut Tx<'_>, cx: &Context| {
        bank_lines::distinct(tx, cx, id)?;
        let done = Done { code: "bank-line-distinct".into(), ..Done::default() };
        Ok(done.at(&target))
    };
    page.press(form, run, async |form, status| show_again(&page, id, form, status).await).await
}

/// `POST /bank-lines/{id}`: writes the note of a line.
pub(super) async fn note(page: Authenticated, Id(id): Id, form: Form) -> Result<Response, Problem> {
    let parsed = input::form(form.pairs(), page.texts.language, edited_line);
    let (target, version) = (back_to(&form, id), form.raw(VERSION).to_owned());
    let run = move |tx: &mut Tx<'_>, cx: &Context, command: &EditLine| {
        let as_seen = |line: &LineDetails| version.is_empty() || filled(line).version() == version;
        bank_suggestions::edit(tx, cx, id, command, &as_seen)?;
        let done = Done { code: "bank-line-noted".into(), ..Done::default() };
        Ok(done.at(&target))
    };
    page.carry_out(form, parsed, run, async |mut form, status| {
        if form.is_outdated() {
            let cx = page.context();
            let read = move |tx: &mut Tx<'_>| bank_lines::read(tx, &cx, id);
            let stored = page.app.query(page.who.account.id, read).await?;
            let note = stored.line.note.clone().unwrap_or_default();
            form.refuse("note", page.t("bank-note-changed").with("note", &note));
        }
        show_again(&page, id, form, status).await
    })
    .await
}
