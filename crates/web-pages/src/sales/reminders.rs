//! `/reminders`: reminders that are due or stopped; sending several, and stopping those of an invoice.

use super::{reminder_texts, show::show_refused};
use crate::{
    done::Done, form::Form, frame::list::ListState, id::Id, page::Authenticated,
    submit::SUBMISSION, texts::Phrase,
};
use askama::Template;
use axum::{http::StatusCode, response::Response};
use ledger::{money::Cents, reminder::ReminderKind};
use service::{
    Context, Error, invoices,
    reminders::{self, InvoiceReminders, Remind, ReminderState, StopReminders},
};
use store::Tx;
use web_core::{
    input::{self, stopped_reminders},
    problem::Problem,
};

/// Maximum number of listed invoices.
const MOST: i64 = 200;

#[derive(Template)]
#[template(path = "sales/reminders.html")]
struct View<'a> {
    page: &'a Authenticated,
    form: Form,
    state: ReminderState,
    rows: Vec<InvoiceReminders>,
    has_more: bool,
    /// Whether reminders wait for the limit of emails.
    are_postponed: bool,
}

impl View<'_> {
    fn is_due(&self) -> bool {
        self.state == ReminderState::Due
    }

    fn due(&self, row: &InvoiceReminders) -> Cents {
        invoices::amount_due(&row.invoice)
    }

    fn kind(&self, row: &InvoiceReminders) -> Option<Phrase<'static>> {
        row.next.map(|next| reminder_texts::kind(self.page.texts, next.kind))
    }

    fn cause(&self, row: &InvoiceReminders) -> Option<Phrase<'static>> {
        row.stopped_because.map(|cause| reminder_texts::cause(self.page.texts, cause))
    }

    /// Id of the checkbox of an invoice, to which its refusal belongs.
    fn field(&self, row: &InvoiceReminders) -> String {
        field(row.invoice.id)
    }

    fn is_ticked(&self, row: &InvoiceReminders) -> bool {
        let id = row.invoice.id.to_string();
        let is_first = self.form.all("invoiceIds").next().is_none();
        is_first && self.form.faults().is_empty() && row.next.is_some_and(|next| !next.is_by_hand)
            || self.form.all("invoiceIds").any(|ticked| ticked == id)
    }
}

fn field(id: i64) -> String {
    format!("invoice-{id}")
}

async fn show_with(
    page: &Authenticated,
    form: Form,
    status: StatusCode,
) -> Result<Response, Problem> {
    let list = ListState::of(page, "due");
    let is_stopped = list.value("state") == "stopped";
    let state = if is_stopped { ReminderState::Stopped } else { ReminderState::Due };
    let cx = page.context();
    let read = move |tx: &mut Tx<'_>| {
        Ok((reminders::list(tx, &cx, state, 0, MOST)?, reminders::are_postponed(tx, &cx)?))
    };
    let (found, are_postponed) = page.list(read).await?;
    let view = View { page, form, state, rows: found.rows, has_more: found.more, are_postponed };
    page.show_as(status, &view)
}

/// `GET /reminders`
pub(super) async fn show(page: Authenticated) -> Result<Response, Problem> {
    let form = Form::of([(SUBMISSION, page.new_submission()?)]);
    show_with(&page, form, StatusCode::OK).await
}

/// `POST /reminders`: sends the reminders of the ticked invoices. Each is a command of its own; the
/// page shows those that were refused.
pub(super) async fn send(page: Authenticated, mut form: Form) -> Result<Response, Problem> {
    let mut ids: Vec<i64> = form.all("invoiceIds").filter_map(|id| id.parse().ok()).collect();
    ids.sort_unstable();
    ids.dedup();
    if ids.is_empty() {
        form.refuse("invoiceIds", page.t("reminders-choose").to_string());
        return show_with(&page, form, StatusCode::UNPROCESSABLE_ENTITY).await;
    }
    let token = form.value(SUBMISSION).to_owned();
    let (mut sent, mut refused) = (0_usize, Vec::new());
    for id in ids {
        // Sending the same form again sends nothing twice.
        let own = Form::of([(SUBMISSION, format!("{token}-{id}"))]);
        match page.once(&own, move |tx, cx| send_one(tx, cx, id)).await {
            Ok(_) => sent += 1,
            Err(error) => refused.push((id, refusal(&page, error)?)),
        }
    }
    page.app.wake_outbox();
    let done = Done { code: "reminders-sent".into(), name: sent.to_string(), ..Done::default() };
    if refused.is_empty() {
        return Ok(page.see_done("/reminders", &done));
    }
    let mut form =
        Form::of(refused.iter().map(|(id, _)| ("invoiceIds".to_owned(), id.to_string())))
            .with(SUBMISSION, page.new_submission()?);
    for (id, message) in refused {
        form.refuse(&field(id), message);
    }
    show_with(&page, form, StatusCode::CONFLICT).await
}

/// Sends the reminder of an invoice, unless a letter of today is about it.
fn send_one(tx: &mut Tx<'_>, cx: &Context, id: i64) -> Result<String, Error> {
    let reminders = reminders::of_invoice(tx, cx, id)?;
    let is_in_letter = reminders
        .sent
        .last()
        .is_some_and(|last| last.kind == ReminderKind::Letter && last.sent_on == cx.today());
    if !is_in_letter {
        reminders::remind(tx, cx, &Remind { invoice_id: id, ..Remind::default() })?;
    }
    Ok("/reminders".to_owned())
}

/// Returns the message about a refused reminder.
fn refusal(page: &Authenticated, error: Error) -> Result<String, Error> {
    let mut form = Form::default();
    form.take(error, page.texts)?;
    Ok(form.faults().iter().map(|fault| fault.message.clone()).collect::<Vec<_>>().join(" "))
}

/// `POST /invoices/{id}/reminders/stop`
pub(super) async fn stop(page: Authenticated, Id(id): Id, form: Form) -> Result<Response, Problem> {
    let parsed =
        input::form(form.pairs(), page.texts.language, |fields| stopped_reminders(fields, id));
    let run = move |tx: &mut Tx<'_>, cx: &Context, command: &StopReminders| {
        reminders::stop(tx, cx, command)?;
        Ok(format!("/invoices/{id}?done=reminders-stopped"))
    };
    page.carry_out(form, parsed, run, async |form, _| show_refused(&page, id, form).await).await
}

/// `POST /invoices/{id}/reminders/resume`
pub(super) async fn resume(
    page: Authenticated,
    Id(id): Id,
    form: Form,
) -> Result<Response, Problem> {
    let run = move |tx: &mut Tx<'_>, cx: &Context| {
        reminders::resume(tx, cx, id)?;
        Ok(format!("/invoices/{id}?done=reminders-resumed"))
    };
    page.press(form, run, async |form, _| show_refused(&page, id, form).await).await
}
