//! Texts of the emails that commands of the books send.

use i18n::Texts;
use mail::{Mail, Mailer};
use service::{
    environment::{Letters, QuoteDecision, StoppedRecurringInvoice},
    people::Language,
};
use std::sync::Arc;

/// Texts of the emails that commands of the books send.
struct OfMailer {
    mailer: Arc<Mailer>,
    /// URL of the pages.
    base_url: String,
}

impl Letters for OfMailer {
    fn kor_limit_near(&self, language: Language, year: i16) -> (String, String) {
        let link = format!("{}/kor", self.base_url);
        self.mailer.texts(&Mail::KorLimitNear { year: year.to_string(), link }, language)
    }

    fn quote_decided(&self, language: Language, decision: &QuoteDecision<'_>) -> (String, String) {
        let mail = Mail::QuoteDecided {
            is_accepted: decision.is_accepted,
            number: decision.number.to_owned(),
            customer: decision.customer.to_owned(),
            total: Texts { language }.money(decision.total),
            name: decision.name.to_owned(),
            note: decision.note.map(str::to_owned),
            is_step_refused: decision.is_step_refused,
            link: format!("{}/quotes/{}", self.base_url, decision.id),
        };
        self.mailer.texts(&mail, language)
    }

    fn recurring_stopped(
        &self,
        language: Language,
        stopped: &StoppedRecurringInvoice<'_>,
    ) -> (String, String) {
        let mail = Mail::RecurringStopped {
            customer: stopped.customer.to_owned(),
            cause: stopped.cause.map(str::to_owned),
            link: format!("{}/recurring/{}", self.base_url, stopped.id),
        };
        self.mailer.texts(&mail, language)
    }

    fn recurring_postponed(&self, language: Language) -> (String, String) {
        let link = format!("{}/recurring", self.base_url);
        self.mailer.texts(&Mail::RecurringPostponed { link }, language)
    }

    fn reminders_postponed(&self, language: Language) -> (String, String) {
        let link = format!("{}/reminders", self.base_url);
        self.mailer.texts(&Mail::RemindersPostponed { link }, language)
    }
}

/// Returns the texts of the emails that commands of the books send.
pub(crate) fn letters(mailer: &Arc<Mailer>, base_url: &str) -> Arc<dyn Letters> {
    Arc::new(OfMailer { mailer: Arc::clone(mailer), base_url: base_url.to_owned() })
}
