//! What to do about a code of the second factor that is not right.

use crate::pages::{page::PageContext, texts::Phrase};
use service::people::second_factor;

/// That depends on which kind it seems to be.
pub(crate) fn code_fault(page: &PageContext, code: &str) -> Phrase<'static> {
    let digits = code.chars().filter(|c| !c.is_whitespace());
    if code.is_empty() {
        page.t("fault-code-empty")
    } else if second_factor::is_like_recovery_code(code) {
        page.t("fault-recovery-code")
    } else if digits.clone().count() == 6 && digits.clone().all(|c| c.is_ascii_digit()) {
        page.t("fault-code")
    } else {
        page.t("fault-code-form")
    }
}
