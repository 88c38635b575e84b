//! Names of the kinds of reminders, and of the causes that stop them.

use crate::texts::{Phrase, Texts};
use ledger::reminder::ReminderKind;
use service::reminders::StopCause;

/// Name of a kind of reminder.
pub(super) fn kind(texts: Texts, kind: ReminderKind) -> Phrase<'static> {
    match kind {
        ReminderKind::Friendly => texts.t("reminder-friendly"),
        ReminderKind::Interest => texts.t("reminder-interest"),
        ReminderKind::Costs => texts.t("reminder-costs"),
        ReminderKind::Letter => texts.t("reminder-letter"),
    }
}

/// Cause for which reminders are stopped.
pub(super) fn cause(texts: Texts, cause: StopCause) -> Phrase<'static> {
    match cause {
        StopCause::Owner => texts.t("reminders-stopped-owner"),
        StopCause::Customer => texts.t("reminders-stopped-customer"),
        StopCause::Bounced => texts.t("reminders-stopped-bounced"),
    }
}
