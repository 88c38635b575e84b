//! Texts of the emails that commands of the books send.

use mail::{Mail, Mailer};
use service::{environment::Letters, people::Language};
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
}

/// Returns the texts of the emails that commands of the books send.
pub(crate) fn letters(mailer: &Arc<Mailer>, base_url: &str) -> Arc<dyn Letters> {
    Arc::new(OfMailer { mailer: Arc::clone(mailer), base_url: base_url.to_owned() })
}
