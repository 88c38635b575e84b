//! Input for reminders: sending one, stopping them, and the owner's plan.

use super::{
    CalendarDate, EXTERNAL_ID, EXTERNAL_ID_MEANING, Fields, Flag, Integer, MultiLine, OneOf,
    Parsed, Presence, SingleLine,
    sales::{CC, COPY_TO_ME, Emails, MAIL_LANGUAGE, mailable},
};
use ledger::{
    language::Language,
    reminder::{LATEST_STEP, MINIMUM_DAYS, MOST_STEPS, ReminderMode, ReminderPlan},
};
use service::{
    Reason,
    messages::{LONGEST_SUBJECT, LONGEST_TEXT},
    reminders::{LONGEST_REASON, Remind, StopReminders},
};

/// Reads the fields of a reminder.
pub fn new_reminder(fields: &mut Fields<'_, '_>, invoice_id: i64) -> Parsed<Remind> {
    let external_id = fields.optional("externalId", EXTERNAL_ID_MEANING, EXTERNAL_ID);
    let meaning = "Subject of the mail. Default: the usual one. Not for the letter to a consumer.";
    let subject = fields.optional("subject", meaning, SingleLine(LONGEST_SUBJECT));
    let meaning = "Text of the mail. Default: the usual one. Not for the letter to a consumer.";
    let message = fields.optional("message", meaning, MultiLine(LONGEST_TEXT));
    let meaning = "Whether to send it although the last reminder is recent; not for the letter to a \
                   consumer and the claim of costs after it. Default: false.";
    let force = fields.optional("force", meaning, Flag).unwrap_or(false);
    let command = Remind {
        external_id: external_id.clone(),
        invoice_id,
        to: fields.optional(
            "to",
            "Email address of the recipient. Default: the customer's.",
            mailable(),
        ),
        cc: fields.optional("cc", CC, Emails),
        subject,
        message,
        language: fields.optional("language", MAIL_LANGUAGE, OneOf(Language::ALL)),
        copy_to_me: fields.optional("copyToMe", COPY_TO_ME, Flag).unwrap_or(false),
        force,
    };
    Parsed::new(external_id, Some(command))
}

/// Reads the fields for stopping the reminders of an invoice.
pub fn stopped_reminders(fields: &mut Fields<'_, '_>, invoice_id: i64) -> Parsed<StopReminders> {
    let meaning = "Reason, for the owner only.";
    let reason = fields.optional("reason", meaning, SingleLine(LONGEST_REASON));
    let meaning = "Last day of the stop. Default: until the reminders are resumed.";
    let until = fields.optional("until", meaning, CalendarDate);
    Parsed::new(None, Some(StopReminders { invoice_id, reason, until }))
}

/// Reads the owner's plan for reminders.
pub fn reminder_plan(fields: &mut Fields<'_, '_>) -> Parsed<ReminderPlan> {
    let meaning = "Whether reminders fall due, and whether they are sent automatically.";
    let mode = fields.required("mode", meaning, OneOf(ReminderMode::ALL));
    let meaning = "Minimum number of days between two reminders of one invoice.";
    let (least, most) = MINIMUM_DAYS;
    let minimum_days = fields.required("minimumDays", meaning, Integer(least, most));
    let business = read_steps(fields, "business");
    let consumer = read_steps(fields, "consumer");
    let plan = |(mode, minimum_days)| ReminderPlan { mode, minimum_days, business, consumer };
    Parsed::new(None, mode.zip(minimum_days).map(plan))
}

/// Reads the steps to a kind of customer, which must ascend; without any, there are none.
fn read_steps(fields: &mut Fields<'_, '_>, name: &'static str) -> Vec<i64> {
    let meaning = "Steps: days after the due date.";
    let step = |fields: &mut Fields<'_, '_>| {
        fields.required("days", "Days after the due date.", Integer(1, LATEST_STEP))
    };
    let steps = fields.list(name, meaning, Presence::Optional, (0, MOST_STEPS), &[], step);
    let steps = steps.unwrap_or_default();
    for (place, pair) in steps.windows(2).enumerate() {
        if pair[0] >= pair[1] {
            fields.fault_in_item(name, place + 1, "days", Reason::StepsNotAscending);
        }
    }
    steps
}
