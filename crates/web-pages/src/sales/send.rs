//! `/invoices/{id}/send` and `/invoices/{id}/remind`: previewing and sending the email to the
//! customer.

use super::{
    actions::require_as_seen,
    form::version,
    show::missing_for_e_invoice,
    warnings::{self, require_seen, seen_by},
};
use crate::{
    done::Done,
    form::Form,
    id::Id,
    page::Authenticated,
    submit::{Difference, SUBMISSION},
    texts::Phrase,
};
use askama::Template;
use axum::{http::StatusCode, response::Response};
use jiff::{ToSpan, civil::Date};
use ledger::{calendar::amsterdam_today, reminder::ReminderKind};
use service::{
    Context, Created, Error, Fault, Reason, invoices,
    messages::{self, Proposal, SendInvoice},
    reminders::{self, Remind},
};
use store::{
    Tx,
    invoices::{Invoice, InvoiceKind, Status},
    receivables::Bucket,
};
use web_core::{
    input::{self, Parsed, new_reminder, sent_invoice},
    problem::Problem,
};

#[derive(Template)]
#[template(path = "sales/send.html")]
struct View<'a> {
    page: &'a Authenticated,
    form: &'a Form,
    invoice: Invoice,
    /// Value of the hidden field with the version of the invoice for which the email was written, and
    /// the codes of its warnings.
    seen: String,
    /// Warnings about the invoice.
    warnings: Vec<warnings::Shown>,
    /// Whether nothing was sent because the invoice has changed.
    has_changed: bool,
    /// Differences between the submitted email and the current default.
    differences: Vec<Difference>,
    /// Kind of the reminder.
    reminder: Option<ReminderKind>,
    /// Paragraphs of the letter to a consumer, which cannot be edited.
    fixed: Vec<String>,
    /// Details required for an e-invoice that are missing.
    missing: Vec<Phrase<'static>>,
    /// Whether the email asks for payment without naming a bank account.
    lacks_iban: bool,
    /// Earliest day of the next reminder, if not today.
    next_reminder_from: Option<Date>,
    /// Whether the reminder can be sent before that day.
    can_be_forced: bool,
    /// Whether the owner stopped the reminders.
    is_stopped: bool,
    /// Date of the last reminder, if less than a week ago.
    reminded_on: Option<Date>,
    /// Other invoices in the same letter to a consumer.
    also_late: Bucket,
    /// Characters that the attached PDF prints as □.
    unprintable: String,
}

impl View<'_> {
    fn title(&self) -> Phrase<'_> {
        let (texts, number) = (self.page.texts, &self.invoice.number);
        match (self.reminder.is_some(), self.invoice.kind) {
            (true, _) => texts.t("remind-title").with("number", number),
            (false, InvoiceKind::Invoice) => texts.t("send-title").with("number", number),
            (false, InvoiceKind::CreditNote) => {
                texts.t("send-credit-note-title").with("number", number)
            }
        }
    }

    fn is_draft(&self) -> bool {
        self.invoice.status == Status::Draft
    }

    /// Hint about the text of a reminder. The law prescribes only the letter to a consumer (art.
    /// 6:96(6) BW).
    fn hint(&self) -> Option<Phrase<'static>> {
        let texts = self.page.texts;
        match self.reminder? {
            ReminderKind::Friendly | ReminderKind::Interest => None,
            ReminderKind::Costs => Some(texts.t("remind-hint-last")),
            ReminderKind::Letter => Some(texts.t("remind-hint-fourteen-days")),
        }
    }

    /// Whether the email can be sent, early reminders included.
    fn can_be_sent(&self) -> bool {
        !self.is_stopped && (self.next_reminder_from.is_none() || self.can_be_forced)
    }

    fn action(&self) -> &'static str {
        action(self.reminder.is_some())
    }

    /// Path of the page with the form.
    fn place(&self) -> String {
        place(self.invoice.id, self.reminder.is_some())
    }
}

fn action(reminds: bool) -> &'static str {
    if reminds { "remind" } else { "send" }
}

fn place(id: i64, reminds: bool) -> String {
    format!("/invoices/{id}/{}", action(reminds))
}

fn fill(page: &Authenticated, proposal: &Proposal) -> Result<Form, Problem> {
    Ok(Form::of([
        (SUBMISSION, page.new_submission()?),
        ("to", proposal.to.clone().unwrap_or_default()),
        ("cc", proposal.cc.join(", ")),
        ("subject", proposal.letter.subject.clone()),
        ("message", proposal.letter.text.clone()),
    ]))
}

async fn show_with(
    page: &Authenticated,
    id: i64,
    form: Option<Form>,
    reminds: bool,
    status: StatusCode,
) -> Result<Response, Problem> {
    let cx = page.context();
    let read = move |tx: &mut Tx<'_>| {
        let details = invoices::read(tx, &cx, id)?;
        let proposal = if reminds {
            reminders::propose(tx, &cx, id)?
        } else {
            messages::propose(tx, &cx, id)?
        };
        let missing = details.missing_glyphs();
        let unprintable =
            invoices::unprintable(missing.iter().map(|missing| missing.characters.as_str()));
        Ok((details, proposal, unprintable))
    };
    let (details, proposal, unprintable) = page.app.query(page.who.account.id, read).await?;
    // A reminder is about an invoice that cannot be changed any more.
    let warnings = if reminds { Vec::new() } else { warnings::of(page, &details) };
    let seen = warnings::seen(&version(&details), &warnings);
    let invoice = details.invoice;
    let has_changed = form.as_ref().is_some_and(Form::is_outdated);
    let form = match form {
        Some(form) => form,
        None => page.open(&place(id, reminds), fill(page, &proposal)?).await?,
    };
    let letter = &proposal.letter;
    let written =
        [("subject", "send-subject", &letter.subject), ("message", "send-message", &letter.text)];
    let differs = |(name, label, now): &(&str, &'static str, &String)| -> Option<Difference> {
        let typed = form.value(name);
        (has_changed && typed.replace("\r\n", "\n") != **now)
            .then(|| (page.t(label).to_string(), typed.to_owned(), (*now).clone()))
    };
    let differences = written.iter().filter_map(differs).collect();
    let fixed = match proposal.kind {
        Some(ReminderKind::Letter) => {
            proposal.letter.text.split("\n\n").map(str::to_owned).collect()
        }
        _ => Vec::new(),
    };
    let today = amsterdam_today(page.app.now());
    let reminded_on = proposal.reminded_on.filter(|day| *day > today.saturating_sub(7.days()));
    let view = View {
        page,
        form: &form,
        invoice,
        seen,
        warnings,
        has_changed,
        differences,
        reminder: proposal.kind,
        fixed,
        missing: missing_for_e_invoice(page.texts, &proposal.not_expressible),
        lacks_iban: proposal.lacks_iban,
        next_reminder_from: proposal.next_reminder_from,
        can_be_forced: proposal.can_be_forced,
        is_stopped: proposal.is_stopped,
        reminded_on,
        also_late: proposal.also_late,
        unprintable,
    };
    page.show_as(status, &view)
}

/// `GET /invoices/{id}/send`
pub(super) async fn show(page: Authenticated, Id(id): Id) -> Result<Response, Problem> {
    show_with(&page, id, None, false, StatusCode::OK).await
}

/// `GET /invoices/{id}/remind`
pub(super) async fn show_reminder(page: Authenticated, Id(id): Id) -> Result<Response, Problem> {
    show_with(&page, id, None, true, StatusCode::OK).await
}

/// `POST /invoices/{id}/send`
pub(super) async fn send(page: Authenticated, Id(id): Id, form: Form) -> Result<Response, Problem> {
    let parsed = addressed(
        &form,
        input::form(form.pairs(), page.texts.language, |fields| sent_invoice(fields, id)),
    );
    let ((seen, codes), on_page) = (seen_by(&form), page.clone());
    let run = move |tx: &mut Tx<'_>, cx: &Context, command: &SendInvoice| {
        require_as_seen(tx, cx, id, &seen)?;
        if codes.is_some() {
            require_seen(&on_page, &invoices::read(tx, cx, id)?, codes.as_deref())?;
        }
        led_to(id, messages::send(tx, cx, command)?, "invoice-mailed")
    };
    let show_again = async |form, status| show_with(&page, id, Some(form), false, status).await;
    let response = page.carry_out(form, parsed, run, show_again).await;
    page.app.wake_outbox();
    response
}

/// `POST /invoices/{id}/remind`
pub(super) async fn remind(
    page: Authenticated,
    Id(id): Id,
    form: Form,
) -> Result<Response, Problem> {
    let parsed = addressed(
        &form,
        input::form(form.pairs(), page.texts.language, |fields| new_reminder(fields, id)),
    );
    let run = move |tx: &mut Tx<'_>, cx: &Context, command: &Remind| {
        led_to(id, reminders::remind(tx, cx, command)?, "invoice-reminded")
    };
    let show_again = async |form, status| show_with(&page, id, Some(form), true, status).await;
    let response = page.carry_out(form, parsed, run, show_again).await;
    page.app.wake_outbox();
    response
}

/// Requires a recipient in the form: an email cannot be recalled, so a cleared field must not fall
/// back to the default recipient.
pub(super) fn addressed<C>(form: &Form, mut parsed: Parsed<C>) -> Parsed<C> {
    if form.all("to").any(|to| to.trim().is_empty()) {
        parsed.faults.insert(0, Fault::new("/to", Reason::Required));
        parsed.command = None;
    }
    parsed
}

fn led_to(id: i64, outcome: Created<store::outbox::Mail>, done: &str) -> Result<String, Error> {
    Ok(match outcome {
        Created::New(mail) => {
            Done { code: done.to_owned(), name: mail.recipient, ..Done::default() }
                .at(&format!("/invoices/{id}"))
        }
        Created::Existing(_) => format!("/invoices/{id}"),
    })
}
