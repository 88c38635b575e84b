//! Collector of faults, warnings and counts while a file is read.

use crate::{
    amount::{self, DecimalSeparator},
    fault::{Fault, FaultReason, Faults, Field, MOST_FAULTS},
    limits::{MOST_DAYS_AHEAD, MOST_LINES, MOST_STATEMENTS},
    refusal::{Cause, MOST_WARNINGS, Unsupported, Warning, WarningKind, Warnings},
    text,
    upload::{AccountName, Currency},
};
use jiff::{ToSpan, civil::Date};
use ledger::money::Cents;
use std::sync::Arc;

/// Number of characters of a value that a fault shows.
const SHOWN: usize = 40;
/// First accepted day.
const FIRST_YEAR: i16 = 2000;

/// Faults, warnings and counts of one upload.
pub(crate) struct Report {
    /// File in the archive that is read now.
    pub(crate) file: Option<Arc<str>>,
    latest: Date,
    only_euro: bool,
    skipped: Option<Cause>,
    faults: Faults,
    warnings: Warnings,
    lines: usize,
    parts: usize,
    messages: usize,
    statements: usize,
}

impl Report {
    /// Starts a report on a day. `only_euro` skips accounts in other currencies.
    pub(crate) fn new(today: Date, only_euro: bool) -> Self {
        Self {
            file: None,
            only_euro,
            skipped: None,
            latest: today.saturating_add(MOST_DAYS_AHEAD.days()),
            faults: Faults::default(),
            warnings: Warnings::default(),
            lines: 0,
            parts: 0,
            messages: 0,
            statements: 0,
        }
    }

    /// Returns the warnings, or the faults if there are any.
    pub(crate) fn finish(self) -> Result<Warnings, Cause> {
        if self.faults.count == 0 { Ok(self.warnings) } else { Err(Cause::Faults(self.faults)) }
    }

    /// Number of faults so far.
    pub(crate) fn fault_count(&self) -> usize {
        self.faults.count
    }

    /// Returns the cause of refusing a file from which no statement was read.
    pub(crate) fn nothing_read(&mut self) -> Cause {
        self.skipped.take().unwrap_or(Cause::NoStatement(None))
    }

    /// Skips an account in another currency.
    ///
    /// # Errors
    /// The caller did not ask to skip these.
    pub(crate) fn skip_account(
        &mut self,
        line: u32,
        account: Option<AccountName>,
        currency: Currency,
        count: usize,
    ) -> Result<(), Cause> {
        let cause = Cause::UnsupportedCurrency { account: account.clone(), currency, count };
        if !self.only_euro {
            return Err(cause);
        }
        self.skipped.get_or_insert(cause);
        self.warn(line, WarningKind::OtherCurrency { account, currency, count });
        Ok(())
    }

    /// Records a fault.
    pub(crate) fn fault(&mut self, line: u32, field: Field, reason: FaultReason, value: &str) {
        self.faults.count += 1;
        if self.faults.first.len() < MOST_FAULTS {
            let value: String = value.chars().take(SHOWN).collect();
            let value = text::clean(&value).text.unwrap_or_default();
            let file = self.file.clone();
            self.faults.first.push(Fault { file, line, field, reason, value });
        }
    }

    /// Records a warning.
    pub(crate) fn warn(&mut self, line: u32, kind: WarningKind) {
        self.warnings.count += 1;
        if self.warnings.first.len() < MOST_WARNINGS {
            self.warnings.first.push(Warning { file: self.file.clone(), line, kind });
        }
    }

    /// Counts a line, be it one that is not booked or has a fault.
    pub(crate) fn count_line(&mut self) -> Result<(), Cause> {
        self.lines += 1;
        within(self.lines, MOST_LINES, Unsupported::TooManyLines)
    }

    /// Counts a payment in a batch.
    pub(crate) fn count_part(&mut self) -> Result<(), Cause> {
        self.parts += 1;
        within(self.parts, MOST_LINES, Unsupported::TooManyLines)
    }

    /// Counts a message, be it one without a statement.
    pub(crate) fn count_message(&mut self) -> Result<(), Cause> {
        self.messages += 1;
        within(self.messages, MOST_LINES, Unsupported::TooManyStatements)
    }

    /// Counts a statement.
    pub(crate) fn count_statement(&mut self) -> Result<(), Cause> {
        self.statements += 1;
        within(self.statements, MOST_STATEMENTS, Unsupported::TooManyStatements)
    }

    /// Cleans a text, with a warning if it is cut.
    pub(crate) fn text(&mut self, line: u32, field: Field, raw: &str) -> Option<Box<str>> {
        let cleaned = text::clean(raw);
        if cleaned.is_cut {
            self.warn(line, WarningKind::TextCut { field });
        }
        cleaned.text
    }

    /// Cleans a reference; `None` if it says that there is no reference.
    pub(crate) fn reference(&mut self, line: u32, raw: &str) -> Option<Box<str>> {
        self.text(line, Field::Reference, raw).filter(|text| !text::is_no_reference(text))
    }

    /// Parses an amount, with a fault if it is invalid.
    pub(crate) fn amount(
        &mut self,
        line: u32,
        field: Field,
        raw: &str,
        separator: DecimalSeparator,
    ) -> Option<Cents> {
        if raw.trim().is_empty() {
            self.fault(line, field, FaultReason::Required, "");
            return None;
        }
        amount::parse(raw, separator).map_err(|reason| self.fault(line, field, reason, raw)).ok()
    }

    /// Checks a date that was read from a value: an existing day from 2000 to a few days ahead.
    pub(crate) fn date(
        &mut self,
        line: u32,
        field: Field,
        raw: &str,
        date: Option<Date>,
    ) -> Option<Date> {
        let reason = match date {
            Some(date) if date.year() >= FIRST_YEAR && date <= self.latest => return Some(date),
            Some(_) => FaultReason::OutOfRange,
            None if raw.trim().is_empty() => FaultReason::Required,
            None => FaultReason::Invalid,
        };
        self.fault(line, field, reason, raw);
        None
    }
}

fn within(count: usize, most: usize, excess: Unsupported) -> Result<(), Cause> {
    if count > most { Err(Cause::UnsupportedFile(excess)) } else { Ok(()) }
}
