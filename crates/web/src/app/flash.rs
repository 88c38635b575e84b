//! What was just done, told once at the top of the next page. The address carries it (`?done=…`), so no state is kept.

use crate::app::{page::Page, texts::Phrase};

impl Page {
    /// What the address says was done, if it is something that we do.
    pub(crate) fn done(&self) -> Option<Phrase<'static>> {
        let texts = self.texts;
        Some(match self.query("done")?.as_str() {
            "key-revoked" => texts.t("done-key-revoked"),
            "disconnected" => texts.t("done-disconnected"),
            "signed-out" => texts.t("done-signed-out"),
            "confirmed" => texts.t("done-confirmed"),
            "password-set" => texts.t("done-password-set"),
            "password-changed" => texts.t("done-password-changed"),
            "saved" => texts.t("done-saved"),
            "session-ended" => texts.t("done-session-ended"),
            "sessions-ended" => texts.t("done-sessions-ended"),
            "email-mailed" => texts.t("done-email-mailed"),
            "email-changed" => texts.t("done-email-changed"),
            "second-factor-off" => texts.t("done-second-factor-off"),
            "closed" => texts.t("done-closed"),
            _ => return None,
        })
    }

    /// Whether that was another password: who changed it because somebody else knew it is told what still opens the books.
    pub(crate) fn is_password_done(&self) -> bool {
        matches!(self.query("done").as_deref(), Some("password-changed" | "password-set"))
    }
}
