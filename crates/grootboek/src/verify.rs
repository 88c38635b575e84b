//! `verify`: verification of the books.

mod heads;

use crate::{
    cli::VerifyOptions,
    commands::{counted, environment, explain, write},
    database,
};
use indicatif::{ProgressBar, ProgressStyle};
use serde_json::json;
use service::{
    Context, Error, accounts,
    maintenance::{self, Task},
    test_accounts, verify,
};
use std::{io::ErrorKind, process::ExitCode};
use store::{DatabaseUrl, Store, Tx, accounts::Account};

// Long: two kinds of run, with their reports side by side.
pub(crate) fn run(given: Option<DatabaseUrl>, options: &VerifyOptions) -> anyhow::Result<ExitCode> {
    let store = database::open_existing(given)?;
    let (email, test) = (options.email.clone(), options.test);
    let accounts: Vec<Account> =
        store.read_blocking(move |tx| chosen(tx, email.as_deref(), test)).map_err(explain)?;
    let recorded = options.against.as_deref().map(heads::read).transpose()?;
    let mut discrepancies = 0;
    // If the output is closed, the verification still runs to its end and sets the exit code.
    let mut reported = Ok(());
    let mut verifications = Vec::new();
    for account in &accounts {
        let mut verification = verify_account(&store, account)?;
        if let Some(recorded) = &recorded {
            let (id, heads) = (account.id, recorded.of(account));
            let missing =
                store.read_blocking(move |tx| heads::missing(tx, id, &heads)).map_err(explain)?;
            verification.discrepancies.extend(missing);
        }
        let head: String = verification.head.iter().map(|byte| format!("{byte:02x}")).collect();
        discrepancies += verification.discrepancies.len();
        if options.json {
            verifications.push(
                json!({ "id": account.id, "email": account.owner.email, "entries": verification.entries, "invoices": verification.invoices, "head": head,
                                "discrepancies": verification.discrepancies }),
            );
        } else {
            reported = reported.and_then(|()| {
                say!(
                    "{}: {} entries, {} invoices, head {head}",
                    account.owner.email,
                    verification.entries,
                    verification.invoices
                )?;
                verification
                    .discrepancies
                    .iter()
                    .try_for_each(|discrepancy| say!("  WRONG: {discrepancy}"))
            });
        }
    }
    let mut report_other = |of: serde_json::Value, line: String| {
        discrepancies += 1;
        if options.json {
            let mut of = of;
            of["discrepancies"] = json!([line]);
            verifications.push(of);
        } else if reported.is_ok() {
            reported = say!("  WRONG: {line}");
        }
    };
    if options.email.is_none() && !options.test {
        for line in store.read_blocking(verify::lost_accounts).map_err(explain)? {
            report_other(json!({}), line);
        }
    }
    if let (Some(recorded), None) = (&recorded, &options.email) {
        for gone in recorded.without_account(&accounts) {
            let line = format!(
                "{gone} is recorded in the file, but there is no such account: it was closed or removed"
            );
            report_other(json!({ "email": gone }), line);
        }
    }
    if discrepancies == 0 && options.email.is_none() && !options.test {
        write(&store, |tx| maintenance::record(tx, &environment(), Task::Verify))?;
    }
    reported = reported.and_then(|()| match discrepancies {
        _ if options.json => {
            say!("{}", json!({ "accounts": verifications, "discrepancies": discrepancies }))
        }
        0 => {
            say!(
                "everything agrees with the entries: {}",
                counted(accounts.len(), if options.test { "test account" } else { "account" })
            )
        }
        1 => say!("1 discrepancy"),
        _ => say!("{discrepancies} discrepancies"),
    });
    match reported {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => Err(error.into()),
        _ if discrepancies == 0 => Ok(ExitCode::SUCCESS),
        _ => Ok(ExitCode::FAILURE),
    }
}

/// Accounts to verify: one owner's or all; live accounts or test accounts.
fn chosen(tx: &mut Tx<'_>, email: Option<&str>, test: bool) -> Result<Vec<Account>, Error> {
    let Some(email) = email else {
        return if test { accounts::list_tests(tx) } else { accounts::list(tx) };
    };
    let account = accounts::by_email(tx, email)?;
    if !test {
        return Ok(vec![account]);
    }
    test_accounts::find(tx, account.id)?
        .map(|test| vec![test])
        .ok_or(Error::NotFound("test account"))
}

/// Verifies the books of all accounts, including test accounts, in one transaction. Returns the
/// discrepancies and adds the number of accounts to `accounts`.
pub(crate) fn all(tx: &mut Tx<'_>, accounts: &mut usize) -> Result<Vec<String>, Error> {
    let mut discrepancies = verify::lost_accounts(tx)?;
    let tests = accounts::list_tests(tx)?;
    for account in accounts::list(tx)?.into_iter().chain(tests) {
        let verification =
            verify::verify_books(tx, &Context::of_owner(&account, environment()), &|_| ())?;
        discrepancies.extend(
            verification
                .discrepancies
                .into_iter()
                .map(|discrepancy| format!("{}: {discrepancy}", account.owner.email)),
        );
        *accounts += 1;
    }
    Ok(discrepancies)
}

fn verify_account(store: &Store, account: &Account) -> anyhow::Result<verify::Verification> {
    let cx = Context::of_owner(account, environment());
    // The progress bar is shown on terminals only.
    let bar = ProgressBar::new(0);
    if let Ok(style) =
        ProgressStyle::with_template("{msg} {wide_bar} {pos}/{len} entries, {eta} left")
    {
        bar.set_style(style);
    }
    bar.set_message(account.owner.email.clone());
    let shown = bar.clone();
    let verification = store
        .read_blocking(move |tx| {
            shown.set_length(u64::try_from(verify::size(tx, cx.actor.account)?).unwrap_or(0));
            verify::verify_books(tx, &cx, &|done| {
                shown.set_position(u64::try_from(done).unwrap_or(0))
            })
        })
        .map_err(|error: Error| explain(error));
    bar.finish_and_clear();
    verification
}
