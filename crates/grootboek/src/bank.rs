//! `bank`: bank accounts, bank statements and their lines.

use crate::{
    cli::{BankCommand, BankOptions},
    commands::{counted, environment, explain, read},
    database,
};
use anyhow::Context as _;
use jiff::ToSpan;
use ledger::bank_line::LineState;
use serde_json::{Value, json};
use service::{
    Context, Created, Error, Fault, Reason, accounts,
    bank_accounts::{self, BankAccountDetails},
    bank_lines, bank_mappings,
    bank_statements::{self, Import, NewStatement, ReadOptions, sum},
    context::{rehearse, rehearsed},
};
use std::{fs, path::PathBuf, sync::Arc};
use store::{DatabaseUrl, Store, Tx, bank_lines::LineFilter};

/// Number of days before today that `days` shows.
const DAYS: i64 = 30;

pub(crate) fn run(given: Option<DatabaseUrl>, command: BankCommand) -> anyhow::Result<()> {
    let store = database::open_existing(given)?;
    match command {
        BankCommand::Accounts(options) => list_accounts(&store, options),
        BankCommand::Import { options, files, dry_run, accept_balance } => {
            import(&store, options, &files, (dry_run, accept_balance))
        }
        BankCommand::Lines(options) => lines(&store, options),
        BankCommand::Days(options) => days(&store, options),
    }
}

/// Context of the owner of the account.
fn owner(tx: &mut Tx<'_>, options: &BankOptions) -> Result<Context, Error> {
    Ok(Context::of_owner(&accounts::by_email(tx, &options.account)?, environment()))
}

/// Bank account that the option names.
fn named(
    tx: &mut Tx<'_>,
    cx: &Context,
    options: &BankOptions,
) -> Result<Option<BankAccountDetails>, Error> {
    let Some(name) = &options.bank_account else { return Ok(None) };
    let compact = name.replace(' ', "").to_uppercase();
    let is_it = |of: &BankAccountDetails| {
        of.account.name(cx.actor.language).to_lowercase() == name.to_lowercase()
            || of.account.iban.as_ref().is_some_and(|iban| iban.as_str() == compact)
    };
    let found = bank_accounts::list(tx, cx)?.into_iter().find(is_it);
    let unknown = || Fault::new("/bankAccountId", Reason::UnknownBankAccount);
    Ok(Some(found.ok_or_else(unknown)?))
}

fn list_accounts(store: &Store, options: BankOptions) -> anyhow::Result<()> {
    let json = options.json;
    let (accounts, language) = read(store, move |tx| {
        let cx = owner(tx, &options)?;
        Ok((bank_accounts::list(tx, &cx)?, cx.actor.language))
    })?;
    if json {
        let object = |of: &BankAccountDetails| {
            json!({
                "id": of.account.id, "name": of.account.name(language), "code": of.account.code.to_string(),
                "iban": of.account.iban.as_ref().map(|iban| iban.as_str()), "balance": of.balance.to_string(),
                "bankBalance": of.bank_balance.map(|balance| balance.amount.to_string()), "newLines": of.lines.new,
            })
        };
        return Ok(say!("{}", accounts.iter().map(object).collect::<Value>())?);
    }
    for of in accounts {
        let (account, bank) = (&of.account, of.bank_balance);
        let iban = account.iban.as_ref().map_or("-", |iban| iban.as_str());
        let bank = bank.map_or_else(String::new, |bank| format!("  bank {}", bank.amount));
        let name = account.name(language);
        say!(
            "{}  {name:<20}  {iban:<22}  books {}{bank}  new {}",
            account.code,
            of.balance,
            of.lines.new
        )?;
    }
    Ok(())
}

/// Context of the owner, the bank account that the options name, and how files are read.
fn choices(
    tx: &mut Tx<'_>,
    options: &BankOptions,
    accept_balance: bool,
) -> Result<(Context, Option<i64>, ReadOptions), Error> {
    let cx = owner(tx, options)?;
    let account = named(tx, &cx, options)?;
    let mappings = Arc::new(bank_mappings::for_reading(tx, &cx, None)?);
    let reading = ReadOptions { accept_balance, mappings, ..ReadOptions::default() };
    Ok((cx, account.map(|of| of.account.id), reading))
}

fn import(
    store: &Store,
    options: BankOptions,
    files: &[PathBuf],
    (dry_run, accept_balance): (bool, bool),
) -> anyhow::Result<()> {
    let json = options.json;
    let of_import = options.clone();
    let (cx, bank_account_id, reading) =
        read(store, move |tx| choices(tx, &of_import, accept_balance))?;
    let mut commands = Vec::new();
    for path in files {
        let shown = path.display();
        let bytes: Arc<[u8]> =
            fs::read(path).with_context(|| format!("{shown} cannot be read"))?.into();
        let file =
            bank_statements::read_file(bytes, cx.today(), reading.clone()).map_err(|refusal| {
                let (faults, count) = bank_statements::faults(&refusal);
                anyhow::anyhow!("{shown}: {}", in_file(&faults, count))
            })?;
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned());
        commands.push(NewStatement {
            external_id: None,
            name,
            bank_account_id,
            file,
            is_limited: false,
        });
    }
    let is_large = commands.iter().any(|command| command.file.is_large());
    let all = move |tx: &mut Tx<'_>| {
        let cx = owner(tx, &options)?;
        let imports = commands.iter().map(|command| bank_statements::import(tx, &cx, command));
        imports.collect::<Result<Vec<_>, _>>()
    };
    let imports = if dry_run {
        let (failing, result) = rehearse(all);
        rehearsed(store.write_blocking(failing), &result).map_err(explain)?
    } else {
        store.write_blocking(all).map_err(explain)?
    };
    if is_large && !dry_run {
        store.write_blocking(bank_statements::analyze).map_err(explain)?;
    }
    if json {
        let object = |(path, import): (&PathBuf, &Created<Import>)| {
            let (is_new, statement) = parts(import);
            json!({
                "file": path.display().to_string(), "id": (!dry_run).then_some(statement.id), "known": !is_new,
                "taken": sum(statement, |part| part.taken), "knownLines": sum(statement, |part| part.known),
            })
        };
        return Ok(say!("{}", files.iter().zip(&imports).map(object).collect::<Value>())?);
    }
    for (path, import) in files.iter().zip(&imports) {
        let (is_new, statement) = parts(import);
        let shown = path.display();
        if !is_new {
            say!("{shown}: taken before, as bank statement {}", statement.id)?;
            continue;
        }
        let (taken, known) = (sum(statement, |part| part.taken), sum(statement, |part| part.known));
        let would = if dry_run { "would be taken" } else { "taken" };
        say!("{shown}: {} {would}, {known} known", counted(taken, "line"))?;
        for warning in &statement.warnings {
            say!("  warning: {}", web::statements::warning(warning))?;
        }
    }
    Ok(())
}

/// Whether the import is new, and its upload.
fn parts(import: &Created<Import>) -> (bool, &bank_statements::BankStatement) {
    match import {
        Created::New(import) => (true, &import.statement),
        Created::Existing(import) => (false, &import.statement),
    }
}

/// Faults of a file in words, each with its place.
fn in_file(faults: &[Fault], count: usize) -> String {
    let mut words: Vec<String> = faults
        .iter()
        .map(|fault| {
            let place = fault.place.as_deref();
            let file = place.and_then(|place| place.file.as_ref());
            let line = place.and_then(|place| place.line);
            let file = file.map_or_else(String::new, |file| format!("{file}, "));
            let line = line.map_or_else(String::new, |line| format!("line {line}: "));
            format!("{file}{line}{}", web::english::message(fault))
        })
        .collect();
    if count > faults.len() {
        words.push(format!("and {} more", count - faults.len()));
    }
    words.join("; ")
}

fn lines(store: &Store, options: BankOptions) -> anyhow::Result<()> {
    let json = options.json;
    let page = read(store, move |tx| {
        let cx = owner(tx, &options)?;
        let bank_account = named(tx, &cx, &options)?.map(|of| of.account.id);
        let filter =
            LineFilter { bank_account, state: Some(LineState::New), ..LineFilter::default() };
        bank_lines::list(tx, &cx, &filter, i64::MAX, i64::MAX - 1)
    })?;
    if json {
        let object = |of: &bank_lines::LineDetails| {
            let line = &of.line;
            json!({
                "id": line.id, "bankAccountId": line.bank_account_id, "date": line.date, "amount": line.amount.to_string(),
                "name": line.name, "iban": line.iban, "text": line.text, "duplicateOf": line.duplicate_of,
            })
        };
        return Ok(say!("{}", page.rows.iter().map(object).collect::<Value>())?);
    }
    for of in page.rows {
        let line = of.line;
        let amount = line.amount.to_string();
        say!(
            "{}  {}  {amount:>12}  {}  {}",
            line.id,
            line.date,
            line.name.unwrap_or_default(),
            line.text
        )?;
    }
    Ok(())
}

fn days(store: &Store, options: BankOptions) -> anyhow::Result<()> {
    let json = options.json;
    let days = read(store, move |tx| {
        let cx = owner(tx, &options)?;
        let account = named(tx, &cx, &options)?;
        let first = bank_accounts::list(tx, &cx)?.into_iter().next();
        let Some(of) = account.or(first) else { return Ok(Vec::new()) };
        let to = cx.today();
        bank_lines::days(tx, &cx, of.account.id, (to.saturating_sub(DAYS.days()), to))
    })?;
    if json {
        let object = |day: &bank_lines::BankDay| {
            json!({
                "date": day.date, "bankBalance": day.bank_balance.map(|of| of.to_string()),
                "linesBalance": day.lines_balance.map(|of| of.to_string()), "booksBalance": day.books_balance.to_string(),
                "difference": day.difference.map(|of| of.to_string()), "newLines": day.new_lines,
                "status": day.status.as_str(),
            })
        };
        return Ok(say!("{}", days.iter().map(object).collect::<Value>())?);
    }
    for day in days {
        let bank = day.bank_balance.or(day.lines_balance);
        let bank = bank.map_or_else(|| "-".to_owned(), |bank| bank.to_string());
        say!(
            "{}  bank {bank:>12}  books {:>12}  {}",
            day.date,
            day.books_balance.to_string(),
            day.status.as_str()
        )?;
    }
    Ok(())
}
