//! Statement (`Stmt`): account, period, balances.

use super::{entry, tag::Tag};
use crate::{
    amount::DecimalSeparator,
    dates,
    fault::{FaultReason, Field},
    refusal::Cause,
    report::Report,
    text,
    upload::{AccountName, Balance, Currency, Format, Line, Statement},
};
use jiff::civil::Date;

/// Statement while it is read.
#[derive(Default)]
pub(super) struct Draft {
    source_line: u32,
    account: Option<AccountName>,
    currency: Option<Currency>,
    number: Option<Box<str>>,
    from: Option<Date>,
    to: Option<Date>,
    balance: BalanceDraft,
    opening: Option<Balance>,
    closing: Option<Balance>,
    interim: Option<Balance>,
    entry: entry::Draft,
    lines: Vec<Line>,
    /// Entries of an account in another currency.
    other: usize,
    pending: u32,
}

/// Balance (`Bal`) while it is read.
#[derive(Default)]
struct BalanceDraft {
    kind: Option<BalanceKind>,
    amount: String,
    is_debit: bool,
    date: String,
}

#[derive(Clone, Copy)]
enum BalanceKind {
    Opening,
    Closing,
    Interim,
}

impl Draft {
    /// Starts a statement on a line of the file.
    pub(super) fn new(source_line: u32) -> Self {
        Self { source_line, ..Self::default() }
    }

    /// Starts an entry on a line of the file.
    pub(super) fn start_entry(&mut self, source_line: u32) {
        self.entry = entry::Draft::new(source_line);
    }

    /// Takes the text of an element that ends; `path` begins below the statement.
    pub(super) fn element(
        &mut self,
        path: &[Tag],
        value: &str,
        currency: Option<Currency>,
        report: &mut Report,
    ) -> Result<(), Cause> {
        use Tag::*;
        match path {
            [Ntry] => return self.finish_entry(report),
            [Ntry, inner @ ..] => {
                let own = self.account.as_ref().map(AccountName::as_str);
                return self.entry.element(inner, value, currency, own, report);
            }
            [Acct, Id, Iban] => self.account = text::account(value),
            [Acct, Id, Othr, Id] if self.account.is_none() => self.account = text::account(value),
            [Acct, Ccy] => self.currency = Currency::parse(value),
            [ElctrncSeqNb] => self.number = report.text(self.source_line, Field::Reference, value),
            [LglSeqNb] if self.number.is_none() => {
                self.number = report.text(self.source_line, Field::Reference, value);
            }
            [FrToDt, FrDtTm] => self.from = dates::iso(value),
            [FrToDt, ToDtTm] => self.to = dates::iso(value),
            [Bal, Tp, CdOrPrtry, Cd] => {
                self.balance.kind = match value {
                    "OPBD" | "PRCD" => Some(BalanceKind::Opening),
                    "CLBD" => Some(BalanceKind::Closing),
                    "ITBD" => Some(BalanceKind::Interim),
                    _ => None,
                }
            }
            [Bal, Amt] => {
                self.balance.amount = value.chars().take(40).collect();
                self.currency = self.currency.or(currency);
            }
            [Bal, CdtDbtInd] => self.balance.is_debit = value == "DBIT",
            [Bal, Dt, Dt | DtTm] => self.balance.date = value.chars().take(40).collect(),
            [Bal] => self.finish_balance(report),
            _ => {}
        }
        Ok(())
    }

    fn finish_balance(&mut self, report: &mut Report) {
        let draft = std::mem::take(&mut self.balance);
        let Some(kind) = draft.kind.filter(|_| self.currency.is_none_or(|c| c == Currency::EUR))
        else {
            return;
        };
        let line = self.source_line;
        let Some(date) = dates::iso(&draft.date) else {
            return report.fault(line, Field::Balance, FaultReason::Invalid, &draft.date);
        };
        let separator = DecimalSeparator::Point;
        let Some(amount) = report.amount(line, Field::Balance, &draft.amount, separator) else {
            return;
        };
        let amount = if draft.is_debit { -amount } else { amount };
        let balance = Balance { date, amount };
        match kind {
            BalanceKind::Opening => self.opening = Some(balance),
            BalanceKind::Closing => self.closing = Some(balance),
            // Pages of one statement carry an interim balance over from the previous page.
            BalanceKind::Interim if self.opening.is_none() => self.opening = Some(balance),
            BalanceKind::Interim => self.interim = Some(balance),
        }
    }

    fn finish_entry(&mut self, report: &mut Report) -> Result<(), Cause> {
        let entry = std::mem::take(&mut self.entry);
        report.count_line()?;
        if !entry.is_booked(report) {
            self.pending += 1;
            return Ok(());
        }
        let currency = *self.currency.get_or_insert(entry.currency().unwrap_or(Currency::EUR));
        if currency == Currency::EUR {
            self.lines.extend(entry.finish(currency, report));
        } else {
            self.other += 1;
        }
        Ok(())
    }

    /// Returns the statement; `None` if its account is in another currency and is skipped.
    pub(super) fn finish(mut self, report: &mut Report) -> Result<Option<Statement>, Cause> {
        let currency = self.currency.unwrap_or(Currency::EUR);
        if currency != Currency::EUR {
            report.skip_account(self.source_line, self.account, currency, self.other)?;
            return Ok(None);
        }
        self.lines.shrink_to_fit();
        let closing = self.closing.or(self.interim);
        let dates = || self.lines.iter().map(|line| line.date);
        let earliest = [self.from, dates().min()].into_iter().flatten().min();
        let latest = [self.to, dates().max(), closing.map(|closing| closing.date)];
        Ok(Some(Statement {
            file: report.file.clone(),
            source_line: self.source_line,
            format: Format::Camt053,
            dialect: None,
            layout: "camt053".into(),
            mapping: None,
            account: self.account,
            currency,
            number: self.number,
            from: earliest.or(self.opening.map(|opening| opening.date)),
            to: latest.into_iter().flatten().max(),
            opening: self.opening,
            closing,
            days: closing.into_iter().collect(),
            lines: self.lines,
            pending: self.pending,
        }))
    }
}
