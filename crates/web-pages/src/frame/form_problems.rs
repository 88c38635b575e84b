//! What can be wrong with a form before any field of it is looked at.

use web_core::catalogue::ProblemKind;

/// Another site sent the form.
pub const FOREIGN_FORM: &ProblemKind = &kind("foreign_form", 403);
/// The form was made for another session, or the browser sent no cookie.
pub const STALE_FORM: &ProblemKind = &kind("stale_form", 403);
/// The form's characters are not UTF-8.
pub const MALFORMED_FORM: &ProblemKind = &kind("malformed_form", 400);
/// The form is larger than any form of ours.
pub const FORM_TOO_LARGE: &ProblemKind = &kind("form_too_large", 413);
/// What was sent is not a form.
pub const NOT_A_FORM: &ProblemKind = &kind("not_a_form", 415);

const fn kind(code: &'static str, status: u16) -> ProblemKind {
    // Pages put a problem into words by its code.
    ProblemKind { code, status, title: "", meaning: "" }
}
