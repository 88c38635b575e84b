//! Messages: one statement each, or a page of one.

use super::{
    bank,
    field::{Fields, Tag},
    line,
};
use crate::{
    amount::DecimalSeparator,
    charset::{self, Charset},
    dates,
    fault::{FaultReason, Field},
    refusal::Cause,
    report::Report,
    text,
    upload::{AccountName, Balance, Currency, Dialect, Format, Line, Statement},
};

/// Statements from the messages that were read so far.
pub(super) struct Messages<'b> {
    charset: Charset,
    /// Bank that the envelope names.
    envelope: Option<Dialect>,
    message: Message<'b>,
    /// Whether the last field was `:61:` or belongs to it.
    is_in_line: bool,
    statements: Vec<Statement>,
    /// Whether the last statement ended with a page that another one continues.
    is_continued: bool,
}

/// Message while it is read.
#[derive(Default)]
struct Message<'b> {
    source_line: u32,
    bank: Option<Dialect>,
    account: Option<AccountName>,
    number: Option<Box<str>>,
    currency: Option<Currency>,
    opening: Option<Balance>,
    is_page: bool,
    closing: Option<Balance>,
    has_next_page: bool,
    /// Whether a balance was stated, even one that cannot be read.
    has_opening: bool,
    has_closing: bool,
    draft: Option<line::Draft<'b>>,
    lines: Vec<Line>,
    count: usize,
    has_fields: bool,
    is_interim_report: bool,
}

impl<'b> Messages<'b> {
    /// Starts without messages.
    pub(super) fn new(charset: Charset) -> Self {
        Self {
            charset,
            envelope: None,
            message: Message::default(),
            is_in_line: false,
            statements: Vec::new(),
            is_continued: false,
        }
    }

    /// Takes the current field.
    pub(super) fn take(&mut self, field: &Fields<'b>, report: &mut Report) -> Result<(), Cause> {
        let value = field.lines.first().copied().unwrap_or_default();
        let was_in_line = std::mem::replace(&mut self.is_in_line, false);
        match field.tag {
            Tag::Envelope => {
                let text = charset::decode(self.charset, &value[..value.len().min(200)]);
                self.envelope = bank::of(&text).or(self.envelope);
            }
            Tag::Start => {
                report.count_message()?;
                self.finish_message(report)?;
                let text = charset::decode(self.charset, value);
                self.start(field.line, bank::of(&text));
            }
            Tag::Account => {
                // Some files omit `:20:`.
                if self.message.has_opening || self.message.source_line == 0 {
                    report.count_message()?;
                    self.finish_message(report)?;
                    self.start(field.line, None);
                }
                let text = charset::decode(self.charset, value);
                self.message.bank = self.message.bank.or_else(|| bank::of(&text));
                self.message.account = text::account(&text);
            }
            Tag::Number => {
                let text = charset::decode(self.charset, value);
                self.message.number = report.text(field.line, Field::Reference, &text);
            }
            Tag::Opening | Tag::OpeningOfPage => {
                self.message.has_opening = true;
                self.message.is_page = field.tag == Tag::OpeningOfPage;
                self.message.opening = self.balance(value, field.line, report);
            }
            Tag::Closing | Tag::ClosingOfPage => {
                self.finish_line(report);
                self.message.has_closing = true;
                self.message.has_next_page = field.tag == Tag::ClosingOfPage;
                self.message.closing = self.balance(value, field.line, report);
            }
            Tag::Line => {
                self.finish_line(report);
                report.count_line()?;
                self.message.count += 1;
                self.is_in_line = true;
                if self.is_in_euros() {
                    self.message.draft = line::Draft::read(&field.lines, field.line, report);
                }
            }
            Tag::Details => {
                self.is_in_line = was_in_line;
                if let Some(draft) = self.message.draft.as_mut().filter(|_| was_in_line) {
                    draft.describe(&field.lines);
                }
            }
            Tag::FloorLimit => self.message.is_interim_report = true,
            Tag::Other => {}
        }
        Ok(())
    }

    fn start(&mut self, source_line: u32, bank: Option<Dialect>) {
        self.message = Message { source_line, bank: bank.or(self.envelope), ..Message::default() };
    }

    fn is_in_euros(&self) -> bool {
        self.message.currency.is_none_or(|currency| currency == Currency::EUR)
    }

    /// Reads a balance: `C260301EUR100,00`.
    fn balance(&mut self, value: &[u8], line: u32, report: &mut Report) -> Option<Balance> {
        let text = charset::decode(self.charset, value.trim_ascii());
        let (mark, date, currency, amount) = (
            text.get(..1).unwrap_or(""),
            text.get(1..7).unwrap_or(""),
            text.get(7..10).unwrap_or(""),
            text.get(10..).unwrap_or(""),
        );
        let Some(currency) = Currency::parse(currency) else {
            report.fault(line, Field::Balance, FaultReason::Invalid, &text);
            return None;
        };
        self.message.currency.get_or_insert(currency);
        if !self.is_in_euros() {
            return None;
        }
        let date = dates::swift(date.as_bytes());
        let (Some(date), "C" | "D") = (date, mark) else {
            report.fault(line, Field::Balance, FaultReason::Invalid, &text);
            return None;
        };
        let separator = DecimalSeparator::Either;
        let amount = report.amount(line, Field::Balance, amount, separator)?;
        Some(Balance { date, amount: if mark == "D" { -amount } else { amount } })
    }

    fn finish_line(&mut self, report: &mut Report) {
        let Some(draft) = self.message.draft.take() else { return };
        self.message.has_fields |= draft.has_fields();
        let line = draft.finish(self.message.bank, self.charset, report);
        self.message.lines.push(line);
    }

    fn finish_message(&mut self, report: &mut Report) -> Result<(), Cause> {
        self.finish_line(report);
        let message = std::mem::take(&mut self.message);
        if !message.has_opening && (message.count == 0 || message.is_interim_report) {
            return Ok(());
        }
        report.count_statement()?;
        if let Some(currency) = message.currency.filter(|currency| *currency != Currency::EUR) {
            let (line, count) = (message.source_line, message.count);
            return report.skip_account(line, message.account, currency, count);
        }
        if !(message.has_opening && message.has_closing) {
            report.fault(message.source_line, Field::Balance, FaultReason::Required, "");
        }
        let continues = self.is_continued && message.is_page;
        self.is_continued = message.has_next_page;
        if let Some(previous) = self.statements.last_mut().filter(|previous| {
            continues
                && previous.account == message.account
                && previous.closing.map(|balance| balance.amount)
                    == message.opening.map(|balance| balance.amount)
        }) {
            previous.lines.extend(message.lines);
            previous.closing = message.closing;
            previous.days = message.closing.into_iter().collect();
            previous.to = latest(previous);
            return Ok(());
        }
        self.statements.push(message.into_statement(report));
        Ok(())
    }

    /// Returns the statements.
    pub(super) fn finish(mut self, report: &mut Report) -> Result<Vec<Statement>, Cause> {
        self.finish_message(report)?;
        Ok(self.statements)
    }
}

impl Message<'_> {
    fn into_statement(mut self, report: &Report) -> Statement {
        let is_iban =
            self.account.as_ref().is_some_and(|account| text::iban(account.as_str()).is_some());
        let dialect = bank::dialect(self.bank, !is_iban && !self.has_fields);
        self.lines.shrink_to_fit();
        let first = self.lines.iter().map(|line| line.date).min();
        let mut statement = Statement {
            file: report.file.clone(),
            source_line: self.source_line,
            format: Format::Mt940,
            dialect: Some(dialect),
            layout: bank::layout(dialect).into(),
            mapping: None,
            account: self.account,
            currency: Currency::EUR,
            number: self.number,
            from: first.or(self.opening.map(|opening| opening.date)),
            to: None,
            opening: self.opening,
            closing: self.closing,
            days: self.closing.into_iter().collect(),
            lines: self.lines,
            pending: 0,
        };
        statement.to = latest(&statement);
        statement
    }
}

/// Returns the last day of a statement: of its lines and its closing balance.
fn latest(statement: &Statement) -> Option<jiff::civil::Date> {
    let closing = statement.closing.map(|closing| closing.date);
    statement.lines.iter().map(|line| line.date).chain(closing).max()
}
