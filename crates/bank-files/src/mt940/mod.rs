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

/// Whether a field is followed by XML, or a line between messages is XML or CSV: several files that
/// became one, of which only a part would be read.
fn is_mixed(fields: &Fields<'_>) -> bool {
    let is_xml = |line: &&[u8]| line.starts_with(b"<?xml") || line.starts_with(b"<Document");
    let is_foreign = |line: &&[u8]| {
        line.starts_with(b"<")
            || line.iter().any(|byte| matches!(byte, b';' | b'\t' | b'"'))
            || line.iter().filter(|byte| **byte == b',').count() > 4
    };
    match fields.tag {
        Tag::Envelope => fields.lines.iter().any(is_foreign),
        _ => fields.lines.iter().skip(1).any(is_xml),
    }
}

/// Reads the statements of a file.
///
/// # Errors
/// The file has no statement, exceeds a limit, or has a part in another format.
pub(crate) fn read(source: &Source<'_>, report: &mut Report) -> Result<Vec<Statement>, Cause> {
    let mut messages = Messages::new(source.charset);
    let (mut is_interim_report, mut has_begun) = (false, false);
    let mut fields = Fields::new(&source.bytes);
    while fields.advance().map_err(|()| Cause::UnsupportedFile(Unsupported::RecordTooLong))? {
        is_interim_report |= fields.tag == Tag::FloorLimit;
        has_begun |= fields.tag == Tag::Account;
        if has_begun && is_mixed(&fields) {
            return Err(Cause::UnsupportedFile(Unsupported::Unknown));
        }
        messages.take(&fields, report)?;
    }
    let statements = messages.finish(report)?;
    if statements.is_empty() && is_interim_report {
        return Err(Cause::NoStatement(Some(ForeignFormat::Mt942)));
    }
    Ok(statements)
}
