//! What to do about a code of the second factor that is not right.

use crate::{frame::faults, page::PageContext};
use service::people::second_factor::Code;
use web_core::input::Parsed;

/// That depends on which kind it seems to be, and whether there is any.
pub(crate) fn code_fault(page: &PageContext, given: &Parsed<Code>) -> String {
    let text = match &given.command {
        Some(Code::App(_)) => page.t("fault-code"),
        Some(Code::Recovery(_)) => page.t("fault-recovery-code"),
        Some(Code::Other) => page.t("fault-code-form"),
        None => return given.faults.first().map(|fault| faults::text(page.texts, fault, "")).unwrap_or_default(),
    };
    text.into()
}
