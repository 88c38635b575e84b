//! Entry point: determines the format of a file by its bytes, and reads it.

use crate::{
    archive, balance, camt,
    charset::{Charset, Source},
    csv::{self, Mapping},
    limits::MOST_BYTES,
    mt940,
    refusal::{Cause, ForeignFormat, Refusal, Unsupported, WarningKind, Warnings},
    report::Report,
    upload::{Dialect, Format, Statement},
};
use jiff::civil::Date;
use std::sync::Arc;

/// Choices of the caller.
#[derive(Clone, Debug)]
pub struct Options<'m> {
    /// Current day; lines may be booked at most 7 days after it.
    pub today: Date,
    /// Whether accounts in other currencies are skipped with a warning; otherwise they refuse the
    /// file.
    pub only_euro: bool,
    /// Whether lines that do not add up to the closing balance are accepted with a warning.
    pub accept_balance: bool,
    /// Mappings of the books: one whose [`head`](Mapping::head) is that of a CSV file reads it.
    pub mappings: &'m [Mapping],
    /// Index of the mapping for CSV files; their heads are then not compared.
    pub mapping: Option<usize>,
}

impl Options<'_> {
    /// Returns the default choices: everything must be in euros and add up, no mappings.
    #[must_use]
    pub const fn new(today: Date) -> Self {
        Self { today, only_euro: false, accept_balance: false, mappings: &[], mapping: None }
    }
}

/// Contents of a file.
#[derive(Clone, Debug)]
pub struct Upload {
    /// Format of the file itself; that of each file in an archive is in its statements.
    pub format: Format,
    /// Dialect of the first statement; `None` for CAMT.053 and for CSV read with a mapping.
    pub dialect: Option<Dialect>,
    /// Charset of the file, or of the first file in an archive.
    pub charset: Charset,
    /// Index in [`Options::mappings`] of the mapping that was used.
    pub mapping: Option<usize>,
    /// Statements in the order of the file; at least one.
    pub statements: Vec<Statement>,
    /// Oddities that reject nothing.
    pub warnings: Warnings,
}

/// Contents of one file that is not an archive.
struct Contents {
    format: Format,
    charset: Charset,
    mapping: Option<usize>,
    statements: Vec<Statement>,
}

/// Reads a file of at most 20 MiB.
///
/// # Errors
/// The file cannot be read or has a fault; nothing of it may be stored.
pub fn read(bytes: &[u8], options: &Options<'_>) -> Result<Upload, Refusal> {
    let refuse = |cause| Refusal { file: None, cause };
    if bytes.len() > MOST_BYTES {
        return Err(refuse(Cause::UnsupportedFile(Unsupported::TooLarge)));
    }
    let mut report = Report::new(options.today, options.only_euro);
    let mut contents = if archive::is_archive(bytes) {
        read_archive(bytes, options, &mut report)?
    } else {
        read_file(bytes, options, &mut report).map_err(refuse)?
    };
    report.file = None;
    if report.fault_count() == 0 {
        check_balances(&contents.statements, options, &mut report)?;
    }
    let nothing = contents.statements.is_empty().then(|| report.nothing_read());
    let warnings = report.finish().map_err(refuse)?;
    if let Some(cause) = nothing {
        return Err(refuse(cause));
    }
    contents.statements.shrink_to_fit();
    Ok(Upload {
        format: contents.format,
        dialect: contents.statements.first().and_then(|statement| statement.dialect),
        charset: contents.charset,
        mapping: contents.mapping,
        statements: contents.statements,
        warnings,
    })
}

fn read_archive(
    bytes: &[u8],
    options: &Options<'_>,
    report: &mut Report,
) -> Result<Contents, Refusal> {
    let mut first: Option<Contents> = None;
    archive::for_each_file(bytes, |name, bytes| {
        let file: Arc<str> = name.into();
        report.file = Some(file.clone());
        let contents = read_file(bytes, options, report)
            .map_err(|cause| Refusal { file: Some(file), cause })?;
        match &mut first {
            Some(first) => first.statements.extend(contents.statements),
            None => first = Some(Contents { format: Format::Zip, ..contents }),
        }
        Ok(())
    })?;
    first.ok_or(Refusal { file: None, cause: Cause::NoStatement(None) })
}

fn read_file(bytes: &[u8], options: &Options<'_>, report: &mut Report) -> Result<Contents, Cause> {
    let source = Source::new(bytes);
    let charset = source.charset;
    let start = source.bytes.trim_ascii_start();
    if start.is_empty() {
        return Err(Cause::UnsupportedFile(Unsupported::Empty));
    }
    if start.starts_with(b"%PDF") {
        return Err(Cause::NoStatement(Some(ForeignFormat::Pdf)));
    }
    if memchr::memchr(0, &source.bytes).is_some() {
        return Err(Cause::UnsupportedFile(Unsupported::Binary));
    }
    if start.starts_with(b"OFXHEADER") {
        return Err(Cause::NoStatement(Some(ForeignFormat::Ofx)));
    }
    if start.starts_with(b"<") {
        let statements = camt::read(&source, report)?;
        return Ok(Contents { format: Format::Camt053, charset, mapping: None, statements });
    }
    if mt940::is_mt940(&source) {
        let statements = mt940::read(&source, report)?;
        return Ok(Contents { format: Format::Mt940, charset, mapping: None, statements });
    }
    let csv::Contents { statements, mapping } =
        csv::read(source, options.mappings, options.mapping, report)?;
    Ok(Contents { format: Format::Csv, charset, mapping, statements })
}

/// Checks that the lines of each statement add up.
fn check_balances(
    statements: &[Statement],
    options: &Options<'_>,
    report: &mut Report,
) -> Result<(), Refusal> {
    for statement in statements {
        let Some(mismatch) = balance::check(statement) else { continue };
        if !options.accept_balance {
            let cause = Cause::BalanceMismatch(mismatch);
            return Err(Refusal { file: statement.file.clone(), cause });
        }
        report.file.clone_from(&statement.file);
        report.warn(statement.source_line, WarningKind::BalanceAccepted(mismatch));
    }
    Ok(())
}
