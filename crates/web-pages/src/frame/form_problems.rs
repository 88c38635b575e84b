//! Problems with a form that are detected before its fields are read.

use web_core::catalogue::ProblemKind;

/// The form was sent by another site.
pub const FOREIGN_FORM: &ProblemKind = &kind("foreign_form", 403);
/// The form belongs to another session, or the browser sent no cookie.
pub const STALE_FORM: &ProblemKind = &kind("stale_form", 403);
/// The form is not valid UTF-8.
pub const MALFORMED_FORM: &ProblemKind = &kind("malformed_form", 400);
/// The form exceeds the size limit.
pub const FORM_TOO_LARGE: &ProblemKind = &kind("form_too_large", 413);
/// The body is not a form.
pub const NOT_A_FORM: &ProblemKind = &kind("not_a_form", 415);

/// The form cannot be saved unfinished: its kind, UUID or number is unknown.
pub const INVALID_UNFINISHED: &ProblemKind = &kind("invalid_unfinished", 422);
/// Another window saved the unfinished form, or it has ended.
pub const OUTDATED_UNFINISHED: &ProblemKind = &kind("outdated_unfinished", 409);

const fn kind(code: &'static str, status: u16) -> ProblemKind {
    // Pages select the text of a problem by its code.
    ProblemKind { code, status, title: "", meaning: "" }
}
