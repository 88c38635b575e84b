//! Instruction for correcting an invalid second-factor code.

use crate::{frame::faults, page::PageContext};
use service::people::second_factor::Code;
use web_core::input::Parsed;

/// Returns the instruction for the kind of code that the input resembles, or for missing input.
pub(crate) fn code_fault(page: &PageContext, given: &Parsed<Code>) -> String {
    let text = match &given.command {
        Some(Code::App(_)) => page.t("fault-code"),
        Some(Code::Recovery(_)) => page.t("fault-recovery-code"),
        Some(Code::Other) => page.t("fault-code-form"),
        None => {
            return given
                .faults
                .first()
                .map(|fault| faults::text(page.texts, fault, ""))
                .unwrap_or_default();
        }
    };
    text.into()
}
