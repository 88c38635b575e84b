//! Reminders of overdue invoices: what is due, what is stopped, and stopping them.

use crate::{
    number::Amount,
    operation::Operation,
    query::Query,
    resource::{Filter, Listed, Resource},
};
use jiff::civil::Date;
use ledger::reminder::ReminderKind;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::json;
use service::{
    Context, Error,
    invoices::amount_due,
    reminders::{self, InvoiceReminders, ReminderState, StopCause},
};
use store::{Page, Tx, Updated};
use web_core::{
    catalogue::{IS_A_CREDIT_NOTE, IS_A_DRAFT, NOT_FOUND},
    input::{Fields, Parsed, names_of, or_null, stopped_reminders},
};

/// Next reminder of an unpaid invoice.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "Reminder")]
pub(crate) struct ReminderBody<'r> {
    /// Id of the invoice.
    invoice_id: i64,
    /// Id of the customer's contact.
    contact_id: i64,
    /// Number of the step, from 1; null if no more reminders follow.
    step: Option<i64>,
    /// Kind: `friendly`; to a business `interest`, then `costs`; to a consumer the statutory `letter`
    /// (art. 6:96(6) BW), then `costs`. A `letter` is about all due invoices of the customer.
    #[schemars(extend("enum" = or_null(names_of(ReminderKind::ALL))))]
    kind: Option<&'static str>,
    /// Day from which it is due.
    due_since: Option<Date>,
    /// Amount due on the invoice.
    amount_due: Amount,
    /// Day on which it is sent automatically or, while you stopped the reminders, on which they go on;
    /// null if you send it yourself.
    next_on: Option<Date>,
    /// Cause that stops the reminders: you (`owner`), `remindersStopped` of the contact (`customer`), or an
    /// email that did not arrive (`bounced`).
    #[schemars(extend("enum" = [null, "owner", "customer", "bounced"]))]
    stopped_because: Option<&'static str>,
    /// Reason that you gave for the stop.
    #[schemars(example = &"payment plan")]
    reason: Option<&'r str>,
    /// Last day of the stop; null if it has none.
    until: Option<Date>,
}

/// Filter of the list.
pub(crate) struct StateFilter(ReminderState);

impl Filter for StateFilter {
    fn read(query: &mut Query) -> Self {
        let meaning = "`due` (default): a reminder is due and nothing stops it. `stopped`: you, the \
                       customer's `remindersStopped` or an email that did not arrive stops them.";
        let states = [("due", ReminderState::Due), ("stopped", ReminderState::Stopped)];
        Self(query.choice("state", meaning, &states).unwrap_or(ReminderState::Due))
    }

    fn updated(&self) -> Option<Updated> {
        None
    }
}

impl Resource for InvoiceReminders {
    type Key = i64;
    type Body<'r> = ReminderBody<'r>;
    const PATH: &'static str = "/reminders/{id}";
    const NAME: &'static str = "invoice";

    fn key(&self) -> i64 {
        self.invoice.id
    }

    fn body(&self, _: &Context) -> ReminderBody<'_> {
        ReminderBody {
            invoice_id: self.invoice.id,
            contact_id: self.invoice.contact_id,
            step: self.next.map(|next| next.step),
            kind: self.next.map(|next| next.kind.as_str()),
            due_since: self.next.map(|next| next.due_since),
            amount_due: Amount(amount_due(&self.invoice)),
            next_on: self.next_on,
            stopped_because: self.stopped_because.map(|cause| match cause {
                StopCause::Owner => "owner",
                StopCause::Customer => "customer",
                StopCause::Bounced => "bounced",
            }),
            reason: self.stop.as_ref().and_then(|stop| stop.reason.as_deref()),
            until: self.stop.as_ref().and_then(|stop| stop.until),
        }
    }

    fn find(tx: &mut Tx<'_>, cx: &Context, id: i64) -> Result<Self, Error> {
        reminders::of_invoice(tx, cx, id)
    }
}

impl Listed for InvoiceReminders {
    type Filter = StateFilter;

    fn list(
        tx: &mut Tx<'_>,
        cx: &Context,
        (): (),
        filter: &StateFilter,
        after: i64,
        limit: i64,
    ) -> Result<Page<Self>, Error> {
        reminders::list(tx, cx, filter.0, after, limit)
    }
}

pub(crate) fn operations() -> Vec<Operation> {
    vec![
        Operation::list_of::<InvoiceReminders>("listReminders")
            .says(
                "List due or stopped reminders",
                "The next reminder of each unpaid invoice whose reminder is due, or whose reminders \
                 are stopped; ordered by invoice. Send one with `POST /api/v1/invoices/{id}/remind`.",
            )
            .for_dutch_accounts(),
        Operation::act_on::<InvoiceReminders, _>(
            "/invoices/{id}/reminders/stop",
            "stopReminders",
            json!({ "reason": "payment plan", "until": "2036-12-31" }),
            |fields| stopped_reminders(fields, 0),
            |tx, cx, id, command| {
                let command = reminders::StopReminders { invoice_id: id, ..command.clone() };
                reminders::stop(tx, cx, &command)
            },
        )
        .says(
            "Stop the reminders of an invoice",
            "No reminder falls due up to `until` (inclusive) or until they are resumed, and \
             `remind` answers 409 `reminders_stopped`. Replaces an earlier stop. Paid, credited and \
             written-off invoices get no reminders anyway.",
        )
        .or_without_body()
        .or(&[NOT_FOUND, IS_A_DRAFT, IS_A_CREDIT_NOTE])
        .for_dutch_accounts(),
        Operation::act_on::<InvoiceReminders, ()>(
            "/invoices/{id}/reminders/resume",
            "resumeReminders",
            json!({}),
            nothing,
            |tx, cx, id, ()| reminders::resume(tx, cx, id),
        )
        .says("Resume the reminders of an invoice", "Ends your stop, if there is one.")
        .or_without_body()
        .or(&[NOT_FOUND, IS_A_DRAFT, IS_A_CREDIT_NOTE])
        .for_dutch_accounts(),
    ]
}

fn nothing(_: &mut Fields<'_, '_>) -> Parsed<()> {
    Parsed::new(None, Some(()))
}
