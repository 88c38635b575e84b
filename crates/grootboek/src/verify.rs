//! `verify`: the proof of the books.

use crate::{
    cli::VerifyOptions,
    database,
    people::{counted, explain},
};
use indicatif::{ProgressBar, ProgressStyle};
use serde_json::json;
use service::{Actor, Error, accounts, verify};
use std::{io::ErrorKind, process::ExitCode};
use store::{DatabaseUrl, Store, accounts::Account};

pub(crate) fn run(given: Option<DatabaseUrl>, options: &VerifyOptions) -> anyhow::Result<ExitCode> {
    let store = database::open_existing(given)?;
    let email = options.email.clone();
    let accounts: Vec<Account> = store
        .read_blocking(move |tx| match &email {
            Some(email) => accounts::by_email(tx, email).map(|account| vec![account]),
            None => accounts::list(tx),
        })
        .map_err(explain)?;
    let mut found = 0;
    // Whoever reads no further still gets a proof of everything, and its exit code.
    let mut told = Ok(());
    let mut proofs = Vec::new();
    for account in &accounts {
        let proof = prove(&store, account)?;
        let head: String = proof.head.iter().map(|byte| format!("{byte:02x}")).collect();
        found += proof.discrepancies.len();
        if options.json {
            proofs.push(json!({ "email": account.email, "entries": proof.entries, "invoices": proof.invoices, "head": head,
                                "discrepancies": proof.discrepancies }));
        } else {
            told = told.and_then(|()| {
                say!("{}: {} entries, {} invoices, head {head}", account.email, proof.entries, proof.invoices)?;
                proof.discrepancies.iter().try_for_each(|discrepancy| say!("  WRONG: {discrepancy}"))
            });
        }
    }
    told = told.and_then(|()| match found {
        _ if options.json => say!("{}", json!({ "accounts": proofs, "discrepancies": found })),
        0 => say!("all is as the entries say: {}", counted(accounts.len(), "account")),
        1 => say!("1 discrepancy"),
        _ => say!("{found} discrepancies"),
    });
    match told {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => Err(error.into()),
        _ if found == 0 => Ok(ExitCode::SUCCESS),
        _ => Ok(ExitCode::FAILURE),
    }
}

fn prove(store: &Store, account: &Account) -> anyhow::Result<verify::Proof> {
    let actor = Actor::owner(account);
    // The bar shows on a terminal only.
    let bar = ProgressBar::new(0);
    if let Ok(style) = ProgressStyle::with_template("{msg} {wide_bar} {pos}/{len} entries, {eta} left") {
        bar.set_style(style);
    }
    bar.set_message(account.email.clone());
    let shown = bar.clone();
    let proof = store
        .read_blocking(move |tx| {
            shown.set_length(u64::try_from(verify::size(tx, actor.account)?).unwrap_or(0));
            verify::prove(tx, &actor, &|done| shown.set_position(u64::try_from(done).unwrap_or(0)))
        })
        .map_err(|error: Error| explain(error));
    bar.finish_and_clear();
    proof
}
