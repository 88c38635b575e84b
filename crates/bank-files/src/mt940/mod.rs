//! Reader of MT940 (SWIFT customer statement message), as Dutch banks write it.
//!
//! Envelopes are skipped. Only known tags at the beginning of a line start a field, because
//! descriptions may contain colons.

mod bank;
mod field;
mod line;
mod message;

use crate::{
    charset::Source,
    refusal::{Cause, ForeignFormat, Unsupported},
    report::Report,
    upload::Statement,
};
use field::{Fields, Tag};
use message::Messages;

/// Number of bytes in which the first field must begin, after any envelope.
const HEAD_BYTES: usize = 4096;

/// Whether a text has a line that begins with a tag of MT940 near its start.
pub(crate) fn is_mt940(source: &Source<'_>) -> bool {
    let head = &source.bytes[..source.bytes.len().min(HEAD_BYTES)];
    head.split(|byte| matches!(byte, b'\n' | b'\r')).any(|line| {
        [&b":20:"[..], b":25:", b":940:", b":60F:", b":60M:"]
            .iter()
            .any(|tag| line.starts_with(tag))
    })
}

/// Reads the statements of a file.
///
/// # Errors
/// The file has no statement, or exceeds a limit.
pub(crate) fn read(source: &Source<'_>, report: &mut Report) -> Result<Vec<Statement>, Cause> {
    let mut messages = Messages::new(source.charset);
    let mut is_interim_report = false;
    let mut fields = Fields::new(&source.bytes);
    while fields.advance().map_err(|()| Cause::UnsupportedFile(Unsupported::RecordTooLong))? {
        is_interim_report |= fields.tag == Tag::FloorLimit;
        messages.take(&fields, report)?;
    }
    let statements = messages.finish(report)?;
    if statements.is_empty() && is_interim_report {
        return Err(Cause::NoStatement(Some(ForeignFormat::Mt942)));
    }
    Ok(statements)
}
