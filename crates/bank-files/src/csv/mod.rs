//! Reader of CSV: files of known banks, with and without a head, and others by a mapping.

mod chain;
mod layout;
mod mapping;
mod plan;
mod proposal;
mod recognize;
mod rows;
mod trial;

pub use mapping::{Amounts, Column, Columns, MOST_TEXTS, Mapping, head_of};
pub use trial::{Sample, TrialRow, sample, trial};

use crate::{
    amount::{self, DecimalSeparator},
    charset::Source,
    dates,
    details::{self, Facts},
    fault::{FaultReason, Field},
    kind,
    refusal::Cause,
    report::Report,
    text,
    upload::{AccountName, Currency, Details, Dialect, Format, Line, Original, Statement},
};
use jiff::civil::Date;
use layout::{BalanceMoment, Role, TextNotation};
use ledger::money::Cents;
use plan::Plan;
use rows::Rows;
use std::{borrow::Cow, collections::HashMap};

/// Statements of a file, and the mapping with which they were read.
pub(crate) struct Contents {
    /// Statements, one for each account and currency.
    pub(crate) statements: Vec<Statement>,
    /// Index of the mapping.
    pub(crate) mapping: Option<usize>,
}

/// Words that mean that money comes in, of the known banks.
const IN_WORDS: &[&str] = &["bij", "credit", "c"];
/// State of Revolut's lines that are booked, and of those that are not booked yet.
const COMPLETED: &str = "COMPLETED";
const PENDING: &str = "PENDING";

/// Reads a file with the mapping that the caller chose, in the layout of a known bank, or with the
/// mapping that has the same head.
///
/// # Errors
/// No layout fits, or the file exceeds a limit.
pub(crate) fn read(
    mut source: Source<'_>,
    mappings: &[Mapping],
    chosen: Option<usize>,
    report: &mut Report,
) -> Result<Contents, Cause> {
    let mut mapping = chosen;
    let mut plan = if chosen.is_some() { None } else { recognize::bank(&source)? };
    if plan.is_none() {
        mapping = mapping.or_else(|| recognize::mapping(&source, mappings));
        if let Some(mapping) = mapping.and_then(|index| mappings.get(index)) {
            recognize::apply_encoding(&mut source, mapping.encoding);
            plan = plan::of_mapping(&source, mapping)?;
        }
    }
    let Some(plan) = plan else { return Err(proposal::refuse(&source)) };
    let mut groups = Groups::default();
    let mut rows = Rows::new(&source.bytes, source.charset, plan.notation);
    for _ in 0..plan.head_rows {
        rows.advance()?;
    }
    while rows.advance()? {
        read_row(&rows, &plan, &mut groups, report)?;
    }
    Ok(Contents { statements: groups.finish(&plan, mapping, report)?, mapping })
}

/// Lines by account and currency, in the order in which the accounts appear.
#[derive(Default)]
struct Groups {
    index: HashMap<(Option<AccountName>, Currency), usize>,
    groups: Vec<Group>,
    last: usize,
}

/// Lines of one account.
struct Group {
    account: Option<AccountName>,
    currency: Currency,
    source_line: u32,
    lines: Vec<Line>,
    /// Amounts with fees, if the file has them.
    totals: Vec<Cents>,
    count: usize,
    pending: u32,
}

impl Groups {
    fn of(
        &mut self,
        account: Option<AccountName>,
        currency: Currency,
        line: u32,
        report: &mut Report,
    ) -> Result<&mut Group, Cause> {
        let is_last = self
            .groups
            .get(self.last)
            .is_some_and(|group| group.account == account && group.currency == currency);
        if !is_last {
            let next = self.groups.len();
            self.last = *self.index.entry((account.clone(), currency)).or_insert(next);
            if self.last == next {
                report.count_statement()?;
                self.groups.push(Group {
                    account,
                    currency,
                    source_line: line,
                    lines: Vec::new(),
                    totals: Vec::new(),
                    count: 0,
                    pending: 0,
                });
            }
        }
        Ok(&mut self.groups[self.last])
    }

    fn finish(
        self,
        plan: &Plan,
        mapping: Option<usize>,
        report: &mut Report,
    ) -> Result<Vec<Statement>, Cause> {
        let mut statements = Vec::with_capacity(self.groups.len());
        for group in self.groups {
            if group.currency != Currency::EUR {
                report.skip_account(
                    group.source_line,
                    group.account,
                    group.currency,
                    group.count,
                )?;
                continue;
            }
            let chain = chain::order(group.lines, &group.totals);
            statements.push(Statement {
                file: report.file.clone(),
                source_line: group.source_line,
                format: Format::Csv,
                dialect: plan.dialect,
                layout: plan.name.clone(),
                mapping,
                account: group.account,
                currency: group.currency,
                number: None,
                from: chain.lines.iter().map(|line| line.date).min(),
                to: chain.lines.iter().map(|line| line.date).max(),
                opening: chain.opening,
                closing: chain.days.last().copied(),
                days: chain.days,
                lines: chain.lines,
                pending: group.pending,
            });
        }
        Ok(statements)
    }
}

fn read_row(
    rows: &Rows<'_>,
    plan: &Plan,
    groups: &mut Groups,
    report: &mut Report,
) -> Result<(), Cause> {
    let line = rows.line;
    if !rows.is_cut() && (0..rows.len()).all(|index| rows.field(index).trim().is_empty()) {
        return Ok(());
    }
    report.count_line()?;
    let has_more = || {
        plan.dialect.is_some()
            && (plan.width..rows.len()).any(|index| !rows.field(index).trim().is_empty())
    };
    if rows.is_cut() || rows.len() < plan.width || has_more() {
        report.fault(line, Field::Columns, FaultReason::Invalid, &rows.field(0));
        return Ok(());
    }
    let cell = |role| plan.places.get(role).map_or(Cow::Borrowed(""), |place| rows.field(place));
    let account = text::account(&cell(Role::Account));
    let code = cell(Role::Currency);
    let Some(currency) = currency_of(&code, plan) else {
        report.fault(line, Field::Currency, FaultReason::Invalid, &code);
        return Ok(());
    };
    let group = groups.of(account, currency, line, report)?;
    let state = cell(Role::State);
    if plan.places.get(Role::State).is_some() && !state.trim().eq_ignore_ascii_case(COMPLETED) {
        group.pending += u32::from(state.trim().eq_ignore_ascii_case(PENDING));
        return Ok(());
    }
    group.count += 1;
    if currency == Currency::EUR
        && let Some((line, total)) = (Cells { rows, plan, line }).line(report)
    {
        group.lines.push(line);
        group.totals.extend(total);
    }
    Ok(())
}

fn currency_of(code: &str, plan: &Plan) -> Option<Currency> {
    if code.trim().is_empty() { Some(plan.currency) } else { Currency::parse(code) }
}

/// Row with its meaning.
struct Cells<'r> {
    rows: &'r Rows<'r>,
    plan: &'r Plan,
    line: u32,
}

impl Cells<'_> {
    fn get(&self, role: Role) -> Cow<'_, str> {
        self.plan.places.get(role).map_or(Cow::Borrowed(""), |place| self.rows.field(place))
    }

    /// Returns the line, and its amount with the fee; `None` if it has a fault.
    fn line(&self, report: &mut Report) -> Option<(Line, Option<Cents>)> {
        let line = self.line;
        let date = self.date(report);
        let amount = self.amount(report);
        let balance = self.optional_amount(Role::Balance, Field::Balance, report);
        let total = self.optional_amount(Role::Total, Field::Amount, report);
        let (date, amount) = (date?, amount?);
        let value = self.get(Role::ValueDate);
        let description = self.description();
        let facts = self.facts(&description);
        let own = |role, fact: &Cow<'_, str>| {
            let cell = self.get(role);
            if cell.trim().is_empty() { fact.to_string() } else { cell.into_owned() }
        };
        let details = Details {
            mandate_id: report.reference(line, &own(Role::Mandate, &facts.mandate_id)),
            creditor_id: report.reference(line, &own(Role::Creditor, &facts.creditor_id)),
            return_reason: report.reference(line, &own(Role::ReturnReason, &facts.return_reason)),
            original: self.original(),
            parts: Vec::new(),
        };
        let payment_reference = own(Role::PaymentReference, &facts.payment_reference);
        let is_before = self.plan.balance == BalanceMoment::Before;
        let line = Line {
            source_line: line,
            date,
            value_date: self.plan.date(&value),
            amount,
            balance_after: balance.map(|it| if is_before { it + amount } else { it }),
            name: report.text(line, Field::Name, &own(Role::Name, &facts.name)),
            iban: iban(&own(Role::Iban, &facts.iban)),
            text: report.text(line, Field::Text, &facts.text).unwrap_or_default(),
            kind: kind::first(&[
                kind::of_code(self.plan.dialect, &self.get(Role::Code)),
                kind::of_words(&self.get(Role::Type)),
                facts.kind,
            ]),
            end_to_end_id: report.reference(line, &own(Role::EndToEnd, &facts.end_to_end_id)),
            bank_reference: report.reference(line, &self.get(Role::Reference)),
            payment_reference: report.reference(line, &payment_reference),
            details: details.boxed(),
        };
        Some((line, total))
    }

    fn date(&self, report: &mut Report) -> Option<Date> {
        let later = self.get(Role::LaterDate);
        let raw = if later.trim().is_empty() { self.get(Role::Date) } else { later };
        let date = match self.plan.dialect {
            Some(Dialect::Revolut) => dates::utc(&raw, &self.get(Role::Time)),
            _ => self.plan.date(&raw),
        };
        report.date(self.line, Field::Date, &raw, date)
    }

    fn amount(&self, report: &mut Report) -> Option<Cents> {
        let (line, decimal) = (self.line, self.plan.decimal);
        let amount = if self.plan.places.get(Role::Amount).is_some() {
            let amount = report.amount(line, Field::Amount, &self.get(Role::Amount), decimal)?;
            if self.plan.places.get(Role::Sign).is_some() && self.is_out(report)? {
                -amount
            } else {
                amount
            }
        } else {
            self.debit_or_credit(decimal, report)?
        };
        Some(if self.plan.invert { -amount } else { amount })
    }

    fn is_out(&self, report: &mut Report) -> Option<bool> {
        let sign = self.get(Role::Sign);
        let word = sign.trim().to_lowercase();
        if self.plan.out_words.contains(&word) {
            return Some(true);
        }
        if self.plan.dialect.is_none() || IN_WORDS.contains(&&*word) {
            return Some(false);
        }
        report.fault(self.line, Field::Sign, FaultReason::UnknownValue, &sign);
        None
    }

    fn debit_or_credit(&self, decimal: DecimalSeparator, report: &mut Report) -> Option<Cents> {
        let mut read = |role| {
            let cell = self.get(role);
            if cell.trim().is_empty() {
                return Some(Cents::ZERO);
            }
            report.amount(self.line, Field::Amount, &cell, decimal).map(Cents::abs)
        };
        let (debit, credit) = (read(Role::Debit)?, read(Role::Credit)?);
        match (debit.is_zero(), credit.is_zero()) {
            (false, false) => {
                report.fault(
                    self.line,
                    Field::Amount,
                    FaultReason::Invalid,
                    &self.get(Role::Debit),
                );
                None
            }
            (true, true)
                if (self.get(Role::Debit) + &*self.get(Role::Credit)).trim().is_empty() =>
            {
                report.fault(self.line, Field::Amount, FaultReason::Required, "");
                None
            }
            _ => Some(credit - debit),
        }
    }

    fn optional_amount(&self, role: Role, field: Field, report: &mut Report) -> Option<Cents> {
        let cell = self.get(role);
        if cell.trim().is_empty() {
            return None;
        }
        report.amount(self.line, field, &cell, self.plan.decimal)
    }

    /// Returns the texts, joined with blanks.
    fn description(&self) -> Cow<'_, str> {
        let mut texts =
            self.plan.places.texts.iter().map(|place| self.rows.field(usize::from(*place)));
        let mut description = texts.next().unwrap_or(Cow::Borrowed(""));
        for text in texts.filter(|text| !text.trim().is_empty()) {
            let joined = description.to_mut();
            joined.push(' ');
            joined.push_str(&text);
        }
        description
    }

    fn facts<'t>(&self, description: &'t str) -> Facts<'t> {
        match self.plan.text {
            TextNotation::Plain => Facts::plain(description),
            TextNotation::Words => details::ing(description),
            TextNotation::AbnAmro if details::has_slashes(description) => {
                details::slashes(description)
            }
            TextNotation::AbnAmro => details::abn_amro_old(description),
        }
    }

    fn original(&self) -> Option<Original> {
        let currency = Currency::parse(&self.get(Role::OriginalCurrency))?;
        let amount = amount::decimal(&self.get(Role::OriginalAmount))?.abs();
        let rate = amount::decimal(&self.get(Role::Rate));
        (currency != Currency::EUR).then_some(Original { amount, currency, rate })
    }
}

/// Returns the IBAN in a cell, which may begin with a BIC (Triodos).
fn iban(cell: &str) -> Option<Box<str>> {
    text::iban(cell).or_else(|| text::iban(cell.split_whitespace().next_back()?))
}
