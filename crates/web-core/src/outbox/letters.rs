//! Texts of the emails that commands of the books send.

use mail::{Mail, Mailer};
use service::{environment::Letters, people::Language};
use std::sync::Arc;

/// Texts of the emails that commands of the books send.
struct OfMailer(Arc<Mailer>);

impl Letters for OfMailer {
    fn kor_limit_near(&self, language: Language, year: i16) -> (String, String) {
        self.0.texts(&Mail::KorLimitNear { year: year.to_string() }, language)
    }
}

/// Returns the texts of the emails that commands of the books send.
pub(crate) fn letters(mailer: &Arc<Mailer>) -> Arc<dyn Letters> {
    Arc::new(OfMailer(Arc::clone(mailer)))
}
