//! `verify`: the proof of the books.

use crate::{
    cli::VerifyOptions,
    database,
    people::{counted, explain},
};
use indicatif::{ProgressBar, ProgressStyle};
use serde_json::json;
use service::{Actor, Error, accounts, verify};
use std::process::ExitCode;
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
    let mut proofs = Vec::new();
    for account in &accounts {
        let proof = prove(&store, account)?;
        let head: String = proof.head.iter().map(|byte| format!("{byte:02x}")).collect();
        found += proof.discrepancies.len();
        if options.json {
            proofs.push(json!({ "email": account.email, "entries": proof.entries, "invoices": proof.invoices, "head": head,
                                "discrepancies": proof.discrepancies }));
        } else {
            say!("{}: {} entries, {} invoices, head {head}", account.email, proof.entries, proof.invoices)?;
            for discrepancy in &proof.discrepancies {
                say!("  WRONG: {discrepancy}")?;
            }
        }
    }
    if options.json {
        say!("{}", json!({ "accounts": proofs, "discrepancies": found }))?;
    } else if found == 0 {
        say!("all is as the entries say: {}", counted(accounts.len(), "account"))?;
    } else {
        say!("{}", if found == 1 { "1 discrepancy".to_owned() } else { format!("{found} discrepancies") })?;
    }
    Ok(if found == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
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
