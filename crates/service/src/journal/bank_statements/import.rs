//! Import of a file: the bank account of each statement, and the comparison of its lines with those
//! that are here.

use super::{ImportedLine, LineOutcome, MOST_SHOWN, NewStatement};
use crate::{
    Context, Error, Fault, FilePlace, Reason, bank_accounts::require_active,
    bank_mappings::BankMapping,
};
use bank_files::{
    Balance, Line, Statement, Warning, WarningKind,
    same::{self, Entry, Outcome},
};
use jiff::{Span, civil::Date};
use ledger::{
    bank_account::{BankAccount, BankAccountKind, BankAccounts},
    bank_line::{IgnoreReason, LineState},
    identifiers::Iban,
};
use std::collections::{BTreeMap, BTreeSet};
use store::{
    Tx, bank_accounts,
    bank_lines::{self, BankLine, KnownLine, Learned, LinePart, OriginalAmount},
    bank_statements::{self as rows, DayBalance, StatementPart, StatementWarning},
    books::{Books, IdSequence},
    invoices::Origin,
};

/// Number of days around a file in which lines that are here are compared with its lines.
const DAYS_AROUND: i32 = 3;

/// Number of new lines that are written at once.
const CHUNK: usize = 1_000;

/// New line of a file. The row is made from it when it is written, so that the rows of a large file
/// are not in memory together.
#[derive(Clone, Copy)]
struct NewLine<'u> {
    id: i64,
    bank_account: i64,
    layout: &'u str,
    line: &'u Line,
    state_reason: Option<IgnoreReason>,
    duplicate_of: Option<i64>,
}

/// Result of an import, of which the lines are written.
#[derive(Default)]
pub(super) struct Imported {
    /// Ids of all lines of the file, ordered.
    pub(super) lines: Vec<i64>,
    pub(super) parts: Vec<StatementPart>,
    pub(super) balances: Vec<DayBalance>,
    pub(super) warnings: Vec<StatementWarning>,
    pub(super) warning_count: i64,
    /// The first lines in the order of the file.
    pub(super) shown: Vec<ImportedLine>,
}

/// Compares the lines of a file with those that are here.
pub(super) fn run(
    tx: &mut Tx<'_>,
    books: &mut Books,
    cx: &Context,
    command: &NewStatement,
) -> Result<Imported, Error> {
    let upload = &*command.file.upload;
    let mut imported = Imported {
        warnings: upload.warnings.first.iter().map(warning).collect(),
        warning_count: i64::try_from(upload.warnings.count).unwrap_or(i64::MAX),
        ..Imported::default()
    };
    let accounts = accounts_of(tx, cx, command, &mut imported)?;
    let mut import = Import {
        cx,
        opening: books.terms().opening,
        imported,
        new: Vec::new(),
        known: BTreeMap::new(),
        lines: BTreeSet::new(),
        learned: BTreeMap::new(),
    };
    // Lines of one file are never compared with each other, but those of files in an archive are.
    let places: Vec<usize> = (0..upload.statements.len()).collect();
    let file = |place: &usize| &upload.statements[*place].file;
    for of_file in places.chunk_by(|one, other| file(one) == file(other)) {
        let later = of_file.last().map_or(&[][..], |last| &accounts[last + 1..]);
        let of_file: BTreeSet<(i64, usize)> =
            of_file.iter().map(|place| (accounts[*place], *place)).collect();
        let of_file: Vec<(i64, usize)> = of_file.into_iter().collect();
        for of_account in of_file.chunk_by(|one, other| one.0 == other.0) {
            let statements: Vec<&Statement> =
                of_account.iter().map(|(_, place)| &upload.statements[*place]).collect();
            let bank_account = of_account[0].0;
            let is_last = !later.contains(&bank_account);
            import.compare(tx, books, (bank_account, is_last), &statements)?;
        }
    }
    import.finish(tx)
}

/// Returns the bank account of each statement.
fn accounts_of(
    tx: &mut Tx<'_>,
    cx: &Context,
    command: &NewStatement,
    imported: &mut Imported,
) -> Result<Vec<i64>, Error> {
    let account = cx.actor.account;
    let banks = cx.actor.own_accounts.banks();
    let named = match command.bank_account_id {
        None => None,
        Some(id) => {
            let unknown = || Fault::new("/bankAccountId", Reason::UnknownBankAccount);
            let named = banks.by_id(id).ok_or_else(unknown)?;
            require_active("/bankAccountId", named)?;
            Some(named)
        }
    };
    let earlier: BTreeMap<String, i64> = rows::account_names(tx, account)?.into_iter().collect();
    let figures = bank_lines::figures(tx, account)?;
    let free = banks
        .default_of(BankAccountKind::Checking)
        .filter(|checking| checking.iban.is_none() && !figures.contains_key(&checking.id));
    let mut proposed: Option<Iban> = None;
    let (mut faults, mut ids) = (Vec::new(), Vec::new());
    for statement in &command.file.upload.statements {
        let of_mapping = command.file.mapping_of(statement);
        let found = account_of(banks, named, &earlier, (statement, of_mapping));
        let found = found.or_else(|reason| {
            let iban = statement.account.as_ref().and_then(|of| Iban::parse(of.as_str()).ok());
            let is_first = proposed.is_none() || proposed == iban;
            match (reason, iban, free) {
                (Reason::UnknownAccountInFile { .. }, Some(iban), Some(free)) if is_first => {
                    proposed = Some(iban);
                    Ok(free.id)
                }
                (reason, ..) => Err(reason),
            }
        });
        let found = found.and_then(|id| match banks.by_id(id) {
            Some(bank) => require_active("", bank).map(|()| id).map_err(|fault| fault.reason),
            None => Ok(id),
        });
        match found {
            Ok(id) => ids.push(id),
            Err(reason) => {
                let place = FilePlace {
                    file: statement.file.as_deref().map(str::to_owned),
                    line: Some(statement.source_line),
                };
                let is_of_caller = matches!(
                    reason,
                    Reason::NoAccountInFile | Reason::OtherAccountInMapping { .. }
                );
                let path = if is_of_caller { "/bankAccountId" } else { "" };
                let fault = Fault::new(path, reason).at(place);
                if !faults.iter().any(|other: &Fault| other.reason == fault.reason) {
                    faults.push(fault);
                }
            }
        }
    }
    if !faults.is_empty() {
        return Err(Error::Invalid(faults));
    }
    if let Some((iban, free)) = proposed.zip(free) {
        propose(tx, cx, (free, iban), imported)?;
    }
    Ok(ids)
}

/// Sets the IBAN of the default checking account. A program only proposes it, because invoices
/// print it.
fn propose(
    tx: &mut Tx<'_>,
    cx: &Context,
    (free, iban): (&BankAccount, Iban),
    imported: &mut Imported,
) -> Result<(), Error> {
    let is_set = cx.actor.origin != Origin::Api;
    if is_set {
        let banks = cx.actor.own_accounts.banks();
        let changed =
            BankAccount { iban: Some(iban.clone()), updated_at: cx.now(), ..free.clone() };
        bank_accounts::put(tx, cx.actor.account, banks, &banks.with(changed))?;
    }
    let code = if is_set { "iban_set" } else { "iban_proposed" };
    let warning = StatementWarning {
        file: None,
        line: 0,
        code: code.to_owned(),
        values: vec![free.id.to_string(), iban.to_string()],
    };
    imported.warnings.insert(0, warning);
    imported.warning_count += 1;
    Ok(())
}

/// Returns the bank account of a statement, which may have been read with a mapping.
///
/// # Errors
/// The statement names no account, or an unknown one; or it, or its mapping, names another one than
/// the caller.
fn account_of(
    banks: &BankAccounts,
    named: Option<&BankAccount>,
    earlier: &BTreeMap<String, i64>,
    (statement, mapping): (&Statement, Option<&BankMapping>),
) -> Result<i64, Reason> {
    let Some(name) = statement.account.as_ref().map(|name| name.as_str()) else {
        let of_mapping = mapping.and_then(|mapping| Some((mapping, mapping.bank_account_id?)));
        return match (of_mapping, named) {
            (Some((mapping, id)), Some(named)) if named.id != id => {
                Err(Reason::OtherAccountInMapping { name: mapping.name.clone() })
            }
            (Some((_, id)), _) => Ok(id),
            (None, named) => named.map(|account| account.id).ok_or(Reason::NoAccountInFile),
        };
    };
    let found = banks.called(name).map(|account| account.id).or_else(|| earlier.get(name).copied());
    match (named, found) {
        (None, Some(found)) => Ok(found),
        (None, None) => Err(Reason::UnknownAccountInFile { account: name.to_owned() }),
        (Some(named), Some(found)) if named.id == found => Ok(found),
        // An IBAN in the file contradicts the IBAN of the account, but an old number does not.
        (Some(named), None) if named.iban.is_none() || Iban::parse(name).is_err() => Ok(named.id),
        (Some(_), _) => Err(Reason::OtherAccountInFile { account: name.to_owned() }),
    }
}

fn warning(warning: &Warning) -> StatementWarning {
    let text = |text: Option<&dyn ToString>| text.map_or_else(String::new, ToString::to_string);
    let values = match &warning.kind {
        WarningKind::UnknownVersion { version } => vec![version.to_string()],
        WarningKind::TextCut { field } => vec![field.as_str().to_owned()],
        WarningKind::BalanceAccepted(of) => vec![
            text(of.date.as_ref().map(|date| date as &dyn ToString)),
            of.difference.to_string(),
        ],
        WarningKind::OtherCurrency { account, currency, count } => vec![
            text(account.as_ref().map(|account| account as &dyn ToString)),
            currency.to_string(),
            count.to_string(),
        ],
    };
    StatementWarning {
        file: warning.file.as_deref().map(str::to_owned),
        line: i64::from(warning.line),
        code: warning.kind.as_str().to_owned(),
        values,
    }
}

/// Lines and balances of a bank account with which a file is compared.
#[derive(Default)]
struct ExistingLines {
    lines: Vec<KnownLine>,
    balances: Vec<Balance>,
    /// Days of which the lines are here.
    days: Option<(Date, Date)>,
}

/// Line of a file with the result of its comparison; its id is 0 if the line is known.
struct Compared<'u> {
    line: NewLine<'u>,
    outcome: LineOutcome,
    known_as: Option<i64>,
}

struct Import<'u> {
    cx: &'u Context,
    opening: Option<Date>,
    imported: Imported,
    /// New lines, ordered by id.
    new: Vec<NewLine<'u>>,
    known: BTreeMap<i64, ExistingLines>,
    lines: BTreeSet<i64>,
    /// Lines of other layouts that are the same as lines that were here.
    learned: BTreeMap<i64, Vec<&'u Line>>,
}

impl<'u> Import<'u> {
    /// Compares the statements of one bank account in one file. `is_last` is true if no later file of
    /// the upload has statements of that bank account.
    fn compare(
        &mut self,
        tx: &mut Tx<'_>,
        books: &mut Books,
        (bank_account, is_last): (i64, bool),
        statements: &[&'u Statement],
    ) -> Result<(), Error> {
        let incoming: Vec<Entry<'_>> =
            statements.iter().flat_map(|statement| same::entries(statement)).collect();
        let own: Vec<Balance> =
            statements.iter().flat_map(|statement| statement.balances()).collect();
        self.load(tx, bank_account, &incoming)?;
        let known = self.known.remove(&bank_account).unwrap_or_default();
        let entries: Vec<Entry<'_>> = known.lines.iter().map(entry).collect();
        let outcomes = same::compare(&entries, &incoming, &known.balances, &own);
        let mut outcomes = outcomes.into_iter();
        let first_new = self.new.len();
        for statement in statements {
            let mut part = self.part(bank_account, statement);
            for (line, outcome) in statement.lines.iter().zip(&mut outcomes) {
                let compared =
                    self.line(books, (bank_account, &*statement.layout), line, outcome, &known);
                match compared.outcome {
                    LineOutcome::Existing => part.known += 1,
                    of => {
                        part.taken += 1;
                        part.ignored += i64::from(of == LineOutcome::Ignored);
                        part.doubtful += i64::from(of == LineOutcome::Doubtful);
                        self.new.push(compared.line);
                    }
                }
                if self.imported.shown.len() < MOST_SHOWN {
                    let Compared { line, outcome, known_as } = compared;
                    self.imported.shown.push(ImportedLine {
                        line: self.row(&line),
                        outcome,
                        known_as,
                    });
                }
            }
            self.imported.parts.push(part);
            self.keep_balances(bank_account, statement);
        }
        if !is_last {
            let ExistingLines { mut lines, mut balances, days } = known;
            lines.extend(self.new[first_new..].iter().map(|new| known_line(self.row(new))));
            balances.extend(own);
            self.known.insert(bank_account, ExistingLines { lines, balances, days });
        }
        Ok(())
    }

    /// Loads the lines of a bank account around those of a file.
    ///
    /// A balance is compared only if the lines after it are here too, so none is from before the
    /// first day.
    fn load(
        &mut self,
        tx: &mut Tx<'_>,
        bank_account: i64,
        incoming: &[Entry<'_>],
    ) -> Result<(), Error> {
        let loaded = self.known.get(&bank_account).and_then(|known| known.days);
        let dates = incoming.iter().map(|entry| entry.date);
        let Some((first, last)) = dates.clone().min().zip(dates.max()) else { return Ok(()) };
        let span = Span::new().days(DAYS_AROUND);
        let wanted = (first.saturating_sub(span), last.saturating_add(span));
        if loaded.is_some_and(|days| days.0 <= wanted.0 && wanted.1 <= days.1) {
            return Ok(());
        }
        let days = loaded.unwrap_or(wanted);
        let days = (days.0.min(wanted.0), days.1.max(wanted.1));
        let account = self.cx.actor.account;
        // Lines of earlier files in the archive are not stored yet.
        let own = self.new.iter().filter(|new| new.bank_account == bank_account);
        let own: Vec<KnownLine> = own.map(|new| known_line(self.row(new))).collect();
        let mut lines = bank_lines::known(tx, account, bank_account, days)?;
        lines.extend(own);
        let before = days.0.yesterday().unwrap_or(days.0);
        let stored = rows::balances(tx, account, bank_account, (before, days.1))?;
        let own = self.imported.balances.iter().filter(|of| of.bank_account_id == bank_account);
        let balances = stored.iter().chain(own);
        let balances = balances.map(|of| Balance { date: of.date, amount: of.amount }).collect();
        self.known.insert(bank_account, ExistingLines { lines, balances, days: Some(days) });
        Ok(())
    }

    fn part(&self, bank_account: i64, statement: &Statement) -> StatementPart {
        let count = |count: usize| i64::try_from(count).unwrap_or(i64::MAX);
        StatementPart {
            line: count(self.imported.parts.len() + 1),
            file: statement.file.as_deref().map(str::to_owned),
            bank_account_id: bank_account,
            account_name: statement.account.as_ref().map(ToString::to_string),
            number: owned(statement.number.as_deref()),
            from: statement.from,
            to: statement.to,
            opening_on: statement.opening.map(|balance| balance.date),
            opening: statement.opening.map(|balance| balance.amount),
            closing_on: statement.closing.map(|balance| balance.date),
            closing: statement.closing.map(|balance| balance.amount),
            lines: count(statement.lines.len()),
            taken: 0,
            known: 0,
            ignored: 0,
            pending: i64::from(statement.pending),
            doubtful: 0,
        }
    }

    fn keep_balances(&mut self, bank_account: i64, statement: &Statement) {
        let balances = statement.balances();
        let has_opening = balances.len() > statement.days.len();
        for (place, balance) in balances.into_iter().enumerate() {
            let line = i64::try_from(self.imported.balances.len() + 1).unwrap_or(i64::MAX);
            self.imported.balances.push(DayBalance {
                line,
                bank_account_id: bank_account,
                date: balance.date,
                amount: balance.amount,
                is_opening: has_opening && place == 0,
            });
        }
    }

    /// Returns the result for a line of the file.
    fn line(
        &mut self,
        books: &mut Books,
        (bank_account, layout): (i64, &'u str),
        line: &'u Line,
        outcome: Outcome,
        known: &ExistingLines,
    ) -> Compared<'u> {
        let mut new =
            NewLine { id: 0, bank_account, layout, line, state_reason: None, duplicate_of: None };
        let (outcome, known_as) = match outcome {
            Outcome::Existing(place) => {
                let existing = &known.lines[place];
                self.lines.insert(existing.id);
                if existing.layout != layout {
                    self.learned.entry(existing.id).or_default().push(line);
                }
                let known_as = Some(existing.id);
                return Compared { line: new, outcome: LineOutcome::Existing, known_as };
            }
            Outcome::New => (LineOutcome::New, None),
            Outcome::Doubtful(place) => (LineOutcome::Doubtful, Some(known.lines[place].id)),
        };
        new.id = books.next_id(IdSequence::BankLine);
        self.lines.insert(new.id);
        new.state_reason = if line.amount.is_zero() {
            Some(IgnoreReason::ZeroAmount)
        } else {
            let is_before = self.opening.is_some_and(|opening| line.date < opening);
            is_before.then_some(IgnoreReason::BeforeOpening)
        };
        if new.state_reason.is_some() {
            return Compared { line: new, outcome: LineOutcome::Ignored, known_as: None };
        }
        new.duplicate_of = known_as;
        Compared { line: new, outcome, known_as }
    }

    /// Returns the row of a line of a file.
    fn row(&self, new: &NewLine<'_>) -> BankLine {
        let line = new.line;
        let details = line.details.as_deref();
        BankLine {
            id: new.id,
            bank_account_id: new.bank_account,
            date: line.date,
            value_date: line.value_date,
            amount: line.amount,
            balance_after: line.balance_after,
            name: owned(line.name.as_deref()),
            iban: owned(line.iban.as_deref()),
            text: line.text.to_string(),
            kind: line.kind.as_str().to_owned(),
            end_to_end_id: owned(line.end_to_end_id.as_deref()),
            mandate_id: owned(details.and_then(|of| of.mandate_id.as_deref())),
            creditor_id: owned(details.and_then(|of| of.creditor_id.as_deref())),
            bank_reference: owned(line.bank_reference.as_deref()),
            payment_reference: owned(line.payment_reference.as_deref()),
            original: details.and_then(|of| of.original.as_ref()).map(|of| OriginalAmount {
                amount: ledger::decimal::plain(&of.amount),
                currency: of.currency.to_string(),
                rate: of.rate.as_ref().map(ledger::decimal::plain),
            }),
            parts: details.map_or_else(Vec::new, |of| of.parts.iter().map(part).collect()),
            return_reason: owned(details.and_then(|of| of.return_reason.as_deref())),
            layout: new.layout.to_owned(),
            learned: Learned::default(),
            state: if new.state_reason.is_some() { LineState::Ignored } else { LineState::New },
            state_reason: new.state_reason,
            note: None,
            duplicate_of: new.duplicate_of,
            booked_by: None,
            rule_id: None,
            accepted: None,
            external_id: None,
            created_at: self.cx.now(),
            updated_at: self.cx.now(),
        }
    }

    /// Writes the new lines, and what files of other layouts say more about lines that were here.
    fn finish(mut self, tx: &mut Tx<'_>) -> Result<Imported, Error> {
        let account = self.cx.actor.account;
        let (new, learned) = (std::mem::take(&mut self.new), std::mem::take(&mut self.learned));
        for chunk in new.chunks(CHUNK) {
            let mut rows: Vec<BankLine> = chunk.iter().map(|new| self.row(new)).collect();
            for row in &mut rows {
                self.learn(row, learned.get(&row.id));
            }
            bank_lines::insert(tx, account, &rows)?;
        }
        let new_from = new.first().map_or(i64::MAX, |new| new.id);
        let stored: Vec<i64> = learned.keys().copied().filter(|id| *id < new_from).collect();
        for existing in bank_lines::by_ids(tx, account, &stored)? {
            let mut line = existing.clone();
            self.learn(&mut line, learned.get(&existing.id));
            if line != existing {
                line.updated_at = self.cx.now();
                bank_lines::update(tx, account, &line)?;
            }
        }
        self.imported.lines = self.lines.into_iter().collect();
        Ok(self.imported)
    }

    fn learn(&self, line: &mut BankLine, others: Option<&Vec<&Line>>) {
        for other in others.into_iter().flatten() {
            let more = self.row(&NewLine {
                id: line.id,
                bank_account: line.bank_account_id,
                layout: "",
                line: other,
                state_reason: None,
                duplicate_of: None,
            });
            line.learned.iban |= fill(&mut line.iban, more.iban);
            line.learned.end_to_end_id |= fill(&mut line.end_to_end_id, more.end_to_end_id);
            line.learned.bank_reference |= fill(&mut line.bank_reference, more.bank_reference);
            fill(&mut line.name, more.name);
            fill(&mut line.mandate_id, more.mandate_id);
            fill(&mut line.creditor_id, more.creditor_id);
            fill(&mut line.payment_reference, more.payment_reference);
            fill(&mut line.return_reason, more.return_reason);
            fill(&mut line.original, more.original);
            fill(&mut line.value_date, more.value_date);
            if line.parts.is_empty() {
                line.parts = more.parts;
            }
            if line.kind == bank_files::LineKind::Other.as_str() {
                line.kind = more.kind;
            }
        }
    }
}

/// Sets a value that is absent; returns whether it did.
fn fill<T>(value: &mut Option<T>, other: Option<T>) -> bool {
    let is_filled = value.is_none() && other.is_some();
    if is_filled {
        *value = other;
    }
    is_filled
}

fn owned(text: Option<&str>) -> Option<String> {
    text.map(ToOwned::to_owned)
}

fn part(part: &bank_files::Part) -> LinePart {
    LinePart {
        amount: part.amount,
        name: owned(part.name.as_deref()),
        iban: owned(part.iban.as_deref()),
        text: owned(part.text.as_deref()),
        end_to_end_id: owned(part.end_to_end_id.as_deref()),
    }
}

/// Returns the values of a new line by which later files are compared with it.
fn known_line(line: BankLine) -> KnownLine {
    KnownLine {
        id: line.id,
        date: line.date,
        amount: line.amount,
        iban: line.iban,
        end_to_end_id: line.end_to_end_id,
        bank_reference: line.bank_reference,
        text: line.text,
        layout: line.layout,
        learned: line.learned,
    }
}

/// Returns a line as its first file had it.
fn entry(line: &KnownLine) -> Entry<'_> {
    Entry {
        layout: &line.layout,
        date: line.date,
        amount: line.amount,
        iban: line.iban.as_deref().filter(|_| !line.learned.iban),
        end_to_end_id: line.end_to_end_id.as_deref().filter(|_| !line.learned.end_to_end_id),
        bank_reference: line.bank_reference.as_deref().filter(|_| !line.learned.bank_reference),
        text: &line.text,
    }
}
