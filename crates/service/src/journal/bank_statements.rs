//! Bank statements: importing files, so that no line is there twice, and undoing imports.

mod import;

use crate::{
    BankError, BookingError, Context, Created, Error, Fault, FilePlace, Reason,
    bank_mappings::{BankMapping, Mappings},
    context, receipts,
};
use bank_files::{
    Balance, Cause, Charset, Currency, Format, Line, LineKind, Options, Refusal, Statement, Upload,
    Warnings, mismatch,
};
use jiff::{SignedDuration, civil::Date};
use ledger::{bank_line::LineState, identifiers::Iban, money::Cents};
use sha2::{Digest, Sha256};
use std::sync::Arc;
use store::{
    Page, SyncFilter, Tx,
    bank_lines::{self, BankLine},
    bank_rules as rule_rows, bank_statements as rows, bank_uploads as upload_rows,
    books::IdSequence,
    changes::{ResourceKind, Topic},
};

pub use bank_files::limits::{MOST_BYTES, MOST_LINES};
pub use store::{
    bank_statements::{BankStatement, StatementPart, StatementWarning},
    bank_uploads::BankUpload,
};

/// Maximum number of uploads per hour.
const MOST_PER_HOUR: i64 = 60;
/// Period during which the file of a preview is stored.
pub(crate) const UPLOADS_KEPT: SignedDuration = SignedDuration::from_hours(24);
/// Maximum number of files of previews that an account stores; the latest remain.
const MOST_UPLOADS: i64 = 48;
/// Maximum number of lines that a preview shows.
pub const MOST_SHOWN: usize = 500;
/// Number of lines from which a file is large.
const MANY_LINES: usize = 5_000;

/// Choices for reading a file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ReadOptions {
    /// Whether accounts in other currencies are skipped with a warning.
    pub only_euro: bool,
    /// Whether lines that do not add up to the closing balance are accepted with a warning.
    pub accept_balance: bool,
    /// Mappings of the account, for CSV files of banks that are not known.
    pub mappings: Arc<Mappings>,
}

/// File that was read, or lines that a client sent.
#[derive(Debug, Clone)]
pub struct StatementFile {
    sha256: [u8; 32],
    bytes: Arc<[u8]>,
    upload: Arc<Upload>,
    mappings: Arc<Mappings>,
}

/// Lines that a client sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SentLines {
    /// Bank account.
    pub bank_account_id: i64,
    /// First day.
    pub from: Date,
    /// Last day.
    pub to: Date,
    /// Balance before the first line.
    pub opening: Option<Cents>,
    /// Balance after the last line.
    pub closing: Option<Cents>,
    /// Booked lines, in the order of the bank.
    pub lines: Vec<SentLine>,
}

/// Line that a client sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SentLine {
    /// Day on which the bank booked it.
    pub date: Date,
    /// Day from which the amount counts for interest.
    pub value_date: Option<Date>,
    /// Amount; negative if money went out.
    pub amount: Cents,
    /// Name of the counterparty.
    pub name: Option<String>,
    /// IBAN of the counterparty.
    pub iban: Option<Iban>,
    /// Remittance information.
    pub text: String,
    /// End-to-end id of the payer.
    pub end_to_end_id: Option<String>,
    /// Reference that the bank gave the line.
    pub bank_reference: Option<String>,
}

impl SentLines {
    /// Returns the lines as the contents of a file.
    fn upload(&self) -> Upload {
        let boxed = |text: Option<&String>| text.map(|text| text.as_str().into());
        let line = |(place, line): (u32, &SentLine)| Line {
            source_line: place,
            date: line.date,
            value_date: line.value_date,
            amount: line.amount,
            balance_after: None,
            name: boxed(line.name.as_ref()),
            iban: line.iban.as_ref().map(|iban| iban.as_str().into()),
            text: line.text.as_str().into(),
            kind: LineKind::Other,
            end_to_end_id: boxed(line.end_to_end_id.as_ref()),
            bank_reference: boxed(line.bank_reference.as_ref()),
            payment_reference: None,
            details: None,
        };
        let balance = |date, amount: Option<Cents>| amount.map(|amount| Balance { date, amount });
        let closing = balance(self.to, self.closing);
        let statement = Statement {
            file: None,
            source_line: 1,
            format: Format::Json,
            dialect: None,
            layout: Format::Json.as_str().into(),
            mapping: None,
            account: None,
            currency: Currency::EUR,
            number: None,
            from: Some(self.from),
            to: Some(self.to),
            opening: balance(self.from, self.opening),
            closing,
            days: closing.into_iter().collect(),
            lines: (1..).zip(&self.lines).map(line).collect(),
            pending: 0,
        };
        Upload {
            format: Format::Json,
            dialect: None,
            charset: Charset::Utf8,
            mapping: None,
            statements: vec![statement],
            warnings: Warnings::default(),
        }
    }
}

/// Command that imports a file.
#[derive(Debug, Clone)]
pub struct NewStatement {
    /// The caller's own identifier.
    pub external_id: Option<String>,
    /// Name of the file.
    pub name: Option<String>,
    /// Bank account of statements that name none.
    pub bank_account_id: Option<i64>,
    /// The file.
    pub file: StatementFile,
    /// Whether the number of uploads per hour is limited.
    pub is_limited: bool,
}

/// Result of an import.
#[derive(Debug, Clone)]
pub struct Import {
    /// The upload.
    pub statement: BankStatement,
    /// The first lines of the file, in its order.
    pub lines: Vec<ImportedLine>,
}

/// Line of an imported file.
#[derive(Debug, Clone)]
pub struct ImportedLine {
    /// Line as the file has it; the id is 0 if the line is known.
    pub line: BankLine,
    /// Result of the comparison with the lines that are here.
    pub outcome: LineOutcome,
    /// Id of the line that this one is, or may be.
    pub known_as: Option<i64>,
}

/// Result of the comparison of a line with the lines that are here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LineOutcome {
    /// The line is new.
    New,
    /// The line is here already.
    Existing,
    /// The line is new, and ignored.
    Ignored,
    /// The line is new, but may be another one.
    Doubtful,
}

impl LineOutcome {
    /// All outcomes.
    pub const ALL: [Self; 4] = [Self::New, Self::Existing, Self::Ignored, Self::Doubtful];

    /// Returns the name in the API.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::New => "new",
            Self::Existing => "known",
            Self::Ignored => "ignored",
            Self::Doubtful => "doubtful",
        }
    }
}

/// Reads a file, which takes up to two seconds.
///
/// # Errors
/// The file cannot be read, or has a fault.
pub fn read_file(
    bytes: Arc<[u8]>,
    today: Date,
    reading: ReadOptions,
) -> Result<StatementFile, Box<Refusal>> {
    let options = Options {
        only_euro: reading.only_euro,
        accept_balance: reading.accept_balance,
        mappings: &reading.mappings.read,
        mapping: reading.mappings.chosen,
        ..Options::new(today)
    };
    let upload = bank_files::read(&bytes, &options).map_err(Box::new)?;
    Ok(StatementFile { mappings: reading.mappings, ..StatementFile::new(bytes, upload) })
}

impl StatementFile {
    fn new(bytes: Arc<[u8]>, upload: Upload) -> Self {
        Self {
            sha256: Sha256::digest(&bytes).into(),
            bytes,
            upload: Arc::new(upload),
            mappings: Arc::default(),
        }
    }

    /// Mapping with which a statement was read.
    fn mapping_of(&self, statement: &Statement) -> Option<&BankMapping> {
        statement.mapping.and_then(|index| self.mappings.get(index))
    }

    /// Mappings with which the file was read, each once.
    #[must_use]
    pub fn used_mappings(&self) -> Vec<&BankMapping> {
        let mut used: Vec<&BankMapping> = Vec::new();
        for mapping in self.upload.statements.iter().filter_map(|of| self.mapping_of(of)) {
            if !used.iter().any(|other| other.id == mapping.id) {
                used.push(mapping);
            }
        }
        used
    }

    /// Whether the file has so many lines that [`analyze`] is due after its import.
    #[must_use]
    pub fn is_large(&self) -> bool {
        self.upload.statements.iter().map(|of| of.lines.len()).sum::<usize>() >= MANY_LINES
    }

    /// SHA-256 of the file.
    #[must_use]
    pub const fn sha256(&self) -> [u8; 32] {
        self.sha256
    }

    /// Returns lines that a client sent, with the body of its request.
    ///
    /// # Errors
    /// The lines and the opening balance do not add up to the closing balance.
    pub fn of_lines(bytes: Arc<[u8]>, sent: &SentLines) -> Result<Self, Fault> {
        let upload = sent.upload();
        match upload.statements.iter().find_map(mismatch) {
            Some(mismatch) => Err(Fault::new("/closingBalance", balance_reason(&mismatch))),
            None => Ok(Self::new(bytes, upload)),
        }
    }
}

/// Returns the faults of a refused file, and the number of all faults, of which the first are
/// listed.
#[must_use]
pub fn faults(refusal: &Refusal) -> (Vec<Fault>, usize) {
    let file = refusal.file.as_deref();
    let one = |line: Option<u32>, reason| {
        let place = FilePlace { file: file.map(str::to_owned), line };
        (vec![Fault::new("", reason).at(place)], 1)
    };
    match &refusal.cause {
        Cause::UnsupportedFile(why) => {
            let line = match why {
                bank_files::Unsupported::MalformedXml { line } => Some(*line),
                _ => None,
            };
            one(line, Reason::UnsupportedFile { why: *why })
        }
        Cause::NoStatement(None) => one(None, Reason::NoStatement),
        Cause::NoStatement(Some(format)) => {
            one(None, Reason::NoStatementButOther { format: format.as_str() })
        }
        Cause::UnknownCsv(_) => one(None, Reason::UnknownCsv),
        Cause::UnsupportedCurrency { account, currency, count } => {
            let account = account.as_ref().map_or_else(String::new, ToString::to_string);
            let currency = currency.to_string();
            one(None, Reason::UnsupportedCurrency { account, currency, count: *count })
        }
        Cause::BalanceMismatch(mismatch) => one(Some(mismatch.line), balance_reason(mismatch)),
        Cause::Faults(faults) => {
            let each = faults.first.iter().map(|fault| {
                let place = FilePlace {
                    file: fault.file.as_deref().map(str::to_owned),
                    line: Some(fault.line),
                };
                Fault::new(format!("/{}", fault.field.as_str()), value_reason(fault)).at(place)
            });
            (each.collect(), faults.count)
        }
    }
}

fn balance_reason(mismatch: &bank_files::BalanceMismatch) -> Reason {
    let difference = mismatch.difference;
    match mismatch.date {
        Some(day) => Reason::BalanceMismatch { day, difference },
        None => Reason::BalanceMismatchAtEnd { difference },
    }
}

/// Returns the reason of a value in a file that cannot be read.
#[must_use]
pub fn value_reason(fault: &bank_files::Fault) -> Reason {
    use bank_files::FaultReason;
    let (field, value) = (fault.field.as_str(), fault.value.to_string());
    match fault.reason {
        FaultReason::Required => Reason::FileValueRequired { field },
        FaultReason::Invalid => Reason::FileValueInvalid { field, value },
        FaultReason::TooManyDecimals => Reason::FileValueTooFine { field, value },
        FaultReason::OutOfRange => Reason::FileValueOutOfRange { field, value },
        FaultReason::UnknownValue => Reason::FileValueUnknown { field, value },
    }
}

/// Imports a file: stores it, its balances, and the lines that are not here yet. The same file, or
/// one with the same external id, is imported once.
///
/// # Errors
/// The account is not Dutch; too many files were imported within the hour; the receipts and files
/// of the account have reached the quota of its plan; or the bank account of a statement is unknown,
/// archived, or contradicts the file.
pub fn import(
    tx: &mut Tx<'_>,
    cx: &Context,
    command: &NewStatement,
) -> Result<Created<Import>, Error> {
    context::transact(tx, cx, |tx, books, cx| {
        cx.actor.require_dutch()?;
        let account = cx.actor.account;
        let existing = match &command.external_id {
            Some(external_id) => rows::by_external_id(tx, account, external_id)?,
            None => None,
        };
        let existing = match existing {
            Some(existing) => Some(existing),
            None => rows::by_hash(tx, account, &command.file.sha256)?,
        };
        if let Some(statement) = existing {
            return Ok(Created::Existing(Import { statement, lines: Vec::new() }));
        }
        if command.is_limited {
            let hour_ago =
                cx.now().saturating_sub(SignedDuration::from_hours(1)).unwrap_or(cx.now());
            let latest = rows::time_of_latest(tx, account, MOST_PER_HOUR)?;
            if latest.is_some_and(|at| at > hour_ago) {
                return Err(BankError::TooManyStatements { most: MOST_PER_HOUR }.into());
            }
        }
        receipts::require_room(tx, cx, command.file.bytes.len())?;
        let id = books.next_id(IdSequence::BankStatement);
        let imported = import::run(tx, books, cx, command)?;
        let file = &command.file;
        let statement = BankStatement {
            id,
            external_id: command.external_id.clone(),
            sha256: file.sha256,
            name: command.name.clone(),
            size: i64::try_from(file.bytes.len()).unwrap_or(i64::MAX),
            format: file.upload.format.as_str().to_owned(),
            dialect: file.upload.dialect.map(|dialect| dialect.as_str().to_owned()),
            is_undone: false,
            warning_count: imported.warning_count,
            warnings: imported.warnings,
            created_at: cx.now(),
            updated_at: cx.now(),
            parts: imported.parts,
        };
        rows::insert(tx, account, &statement, &file.bytes, &imported.balances, &imported.lines)?;
        tx.record_topic(ResourceKind::BankStatement, id, Topic::Taken);
        rule_rows::queue_if_automatic(tx, account, cx.env.now)?;
        Ok(Created::New(Import { statement, lines: imported.shown }))
    })
}

/// Updates the statistics by which PostgreSQL plans queries, after the import of a large file has been
/// committed.
///
/// # Errors
/// The storage failed.
pub fn analyze(tx: &mut Tx<'_>) -> Result<(), Error> {
    Ok(rows::analyze(tx)?)
}

/// Stores files whose preview is shown, so that they can be imported as they were previewed.
///
/// # Errors
/// The account is not Dutch, or its files have reached the quota of its plan.
pub fn keep_uploads(tx: &mut Tx<'_>, cx: &Context, uploads: &[BankUpload]) -> Result<(), Error> {
    context::transact(tx, cx, |tx, _, cx| {
        cx.actor.require_dutch()?;
        let account = cx.actor.account;
        for upload in uploads {
            receipts::require_room(tx, cx, upload.bytes.len())?;
            upload_rows::put(tx, account, upload, cx.now())?;
        }
        Ok(upload_rows::keep_latest(tx, account, MOST_UPLOADS)?)
    })
}

/// Returns the stored files with these hashes; `None` if one of them has expired.
///
/// # Errors
/// The account is not Dutch, or the storage failed.
pub fn uploads(
    tx: &mut Tx<'_>,
    cx: &Context,
    hashes: &[[u8; 32]],
) -> Result<Option<Vec<BankUpload>>, Error> {
    cx.actor.require_dutch()?;
    let since = cx.now() - UPLOADS_KEPT;
    let find = |hash: &[u8; 32]| upload_rows::find(tx, cx.actor.account, *hash, since);
    Ok(hashes.iter().map(find).collect::<Result<Option<Vec<_>>, _>>()?)
}

/// Imports several files in one transaction, and removes the stored files of their previews.
///
/// # Errors
/// As for [`import()`].
pub fn import_all(
    tx: &mut Tx<'_>,
    cx: &Context,
    commands: &[NewStatement],
) -> Result<Vec<Created<Import>>, Error> {
    let mut imports = Vec::with_capacity(commands.len());
    for command in commands {
        imports.push(import(tx, cx, command)?);
        upload_rows::remove(tx, cx.actor.account, command.file.sha256)?;
    }
    Ok(imports)
}

/// Returns an upload by its id.
///
/// # Errors
/// The account is not Dutch, or has no such upload.
pub fn read(tx: &mut Tx<'_>, cx: &Context, id: i64) -> Result<BankStatement, Error> {
    cx.actor.require_dutch()?;
    rows::by_id(tx, cx.actor.account, id)?.ok_or(Error::NotFound("bank statement"))
}

/// Returns an upload with its file.
///
/// # Errors
/// As for [`read`].
pub fn file(tx: &mut Tx<'_>, cx: &Context, id: i64) -> Result<(BankStatement, Vec<u8>), Error> {
    let statement = read(tx, cx, id)?;
    let bytes = rows::bytes(tx, cx.actor.account, id)?.ok_or(Error::NotFound("bank statement"))?;
    Ok((statement, bytes))
}

/// Lists uploads with an id below `before`, newest first.
///
/// # Errors
/// The account is not Dutch, or the storage failed.
pub fn list(
    tx: &mut Tx<'_>,
    cx: &Context,
    filter: &SyncFilter,
    before: i64,
    limit: i64,
) -> Result<Page<BankStatement>, Error> {
    cx.actor.require_dutch()?;
    Ok(rows::list(tx, cx.actor.account, filter, before, limit)?)
}

/// Undoes an import: removes the lines that only this file brought. The file stays, and can be
/// imported again.
///
/// # Errors
/// The account is not Dutch, or has no such upload; it is undone already; or one of the lines is
/// booked.
pub fn undo(tx: &mut Tx<'_>, cx: &Context, id: i64) -> Result<BankStatement, Error> {
    context::transact(tx, cx, |tx, _, cx| {
        let account = cx.actor.account;
        let stored = read(tx, cx, id)?;
        if stored.is_undone {
            return Err(BookingError::AlreadyUndone.into());
        }
        let lines = bank_lines::only_of_statement(tx, account, id)?;
        let booked = lines.iter().filter(|(_, state)| *state == LineState::Booked);
        let booked: Vec<i64> = booked.map(|(line, _)| *line).collect();
        if !booked.is_empty() {
            return Err(BankError::LinesBooked(booked).into());
        }
        let statement = BankStatement { is_undone: true, updated_at: cx.now(), ..stored };
        let lines: Vec<i64> = lines.into_iter().map(|(line, _)| line).collect();
        rows::undo(tx, account, &statement, &lines)?;
        for line in bank_lines::doubts_without_line(tx, account)? {
            let line = BankLine { duplicate_of: None, updated_at: cx.now(), ..line };
            bank_lines::update(tx, account, &line)?;
        }
        tx.record_topic(ResourceKind::BankStatement, id, Topic::Undone);
        Ok(statement)
    })
}

/// Sums of the statements in an upload.
#[must_use]
pub fn sum(statement: &BankStatement, of: impl Fn(&StatementPart) -> i64) -> i64 {
    statement.parts.iter().map(of).sum()
}
