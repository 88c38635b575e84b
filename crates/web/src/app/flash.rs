//! What was just done, told once at the top of the next page. The address carries it (`?done=…`), so no state is kept.

use crate::app::{page::Page, texts::Phrase};

impl Page {
    /// What the address says was done, if it is something that we do.
    pub(crate) fn done(&self) -> Option<Phrase<'static>> {
        let texts = self.texts;
        Some(match self.query("done")?.as_str() {
            "signed-out" => texts.t("done-signed-out"),
            _ => return None,
        })
    }
}
