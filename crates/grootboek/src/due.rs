//! `due`: what falls due by itself now, and doing it once.

use crate::{
    cli::{DueCommand, DueOptions, PageOptions},
    commands::{NOT_MAILED, environment, explain, read},
    database,
    private::{existing_secret, secret_file},
};
use serde_json::{Value, json};
use service::{
    Context, Environment, Error, accounts,
    environment::Links,
    recurring::{self, DueOccurrence},
};
use std::sync::Arc;
use store::{
    DatabaseUrl, Store, Tx,
    due_work::{self, DueKind},
};
use web::{
    customer_links,
    due_work::{WorkResult, Worked, do_work},
};

/// Maximum number of listed occurrences per account.
const MOST: i64 = 1_000;

/// Name of the command line in leases.
const NODE: &str = "command line";

pub(crate) fn run(given: Option<DatabaseUrl>, command: DueCommand) -> anyhow::Result<()> {
    match command {
        DueCommand::List(options) => list(given, options),
        DueCommand::Run { options, pages } => work(given, options, pages),
    }
}

/// Contexts of the owners of the named account, or of all accounts that have work.
fn owners(
    store: &Store,
    email: Option<String>,
    links: Option<Arc<dyn Links>>,
) -> anyhow::Result<Vec<Owner>> {
    read(store, move |tx| {
        let of = |account: store::accounts::Account| Owner {
            email: account.owner.email.clone(),
            cx: Context::of_owner(&account, Environment { links: links.clone(), ..environment() }),
        };
        if let Some(email) = &email {
            return Ok(vec![of(accounts::by_email(tx, email)?)]);
        }
        let mut owners = Vec::new();
        for account in due_work::accounts(tx, DueKind::RecurringInvoice)? {
            owners.extend(store::accounts::by_id(tx, account)?.map(of));
        }
        Ok(owners)
    })
}

/// Owner of an account.
struct Owner {
    email: String,
    cx: Context,
}

/// Occurrence as JSON.
fn described(owner: &Owner, due: &DueOccurrence) -> Value {
    json!({
        "account": owner.email, "isTest": owner.cx.actor.test.is_some(),
        "kind": DueKind::RecurringInvoice.as_str(), "recurringInvoiceId": due.recurring_id,
        "n": due.number, "date": due.date, "customer": due.customer,
    })
}

/// Occurrence as a part of a line.
fn words(owner: &Owner, due: &DueOccurrence) -> String {
    let test = if owner.cx.actor.test.is_some() { " (test account)" } else { "" };
    let customer = due.customer.replace(['\r', '\n'], " ");
    format!(
        "{}{test}  recurring invoice {} for {customer}, number {} of {}",
        owner.email, due.recurring_id, due.number, due.date
    )
}

fn list(given: Option<DatabaseUrl>, options: DueOptions) -> anyhow::Result<()> {
    let store = database::open_existing(given)?;
    let (mut lines, mut rows) = (Vec::new(), Vec::new());
    for owner in owners(&store, options.account, None)? {
        let cx = owner.cx.clone();
        let found = read(&store, move |tx: &mut Tx<'_>| -> Result<_, Error> {
            recurring::due_of(tx, &cx, MOST)
        })?;
        for due in found {
            let action = if due.is_late { "wait" } else { "make" };
            lines.push(format!("{}: to {action}", words(&owner, &due)));
            let mut row = described(&owner, &due);
            row["action"] = json!(action);
            rows.push(row);
        }
    }
    print(options.json, rows, &lines, "nothing is due")
}

/// Links to the pages of customers, for mails; `None` without a base URL or a secret.
fn links(url: &DatabaseUrl, pages: PageOptions) -> anyhow::Result<Option<Arc<dyn Links>>> {
    let key = existing_secret(secret_file(url, pages.secret_file).as_deref())?;
    let base_url = pages.base_url.map(|url| url.trim_end_matches('/').to_owned());
    Ok(base_url.zip(key).map(|(base_url, key)| customer_links::of_secret(&key, base_url)))
}

fn work(given: Option<DatabaseUrl>, options: DueOptions, pages: PageOptions) -> anyhow::Result<()> {
    let url = database::existing_books(given)?;
    let store = database::open_store(&url, 1)?;
    let links = links(&url, pages)?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let (mut lines, mut rows, mut is_stopped) = (Vec::new(), Vec::new(), false);
    for owner in owners(&store, options.account, links)? {
        let worked = runtime.block_on(do_work(&store, &owner.cx, NODE)).map_err(explain)?;
        for Worked { due, result } in worked {
            let mut row = described(&owner, &due);
            let outcome = match &result {
                WorkResult::Made(invoice) => {
                    row["invoiceId"] = json!(invoice);
                    ("made", format!("made invoice {invoice}"))
                }
                WorkResult::Waiting => ("waiting", "waits for the owner".to_owned()),
                WorkResult::Refused(cause) => {
                    is_stopped = true;
                    row["cause"] = json!(cause);
                    ("refused", format!("refused ({cause}), so it is paused"))
                }
                WorkResult::Postponed => {
                    ("postponed", "waits until the account may send mails again".to_owned())
                }
            };
            row["result"] = json!(outcome.0);
            lines.push(format!("{}: {}", words(&owner, &due), outcome.1));
            rows.push(row);
        }
    }
    if is_stopped && !options.json {
        lines.push(NOT_MAILED.to_owned());
    }
    print(options.json, rows, &lines, "nothing was due")
}

fn print(as_json: bool, rows: Vec<Value>, lines: &[String], nothing: &str) -> anyhow::Result<()> {
    if as_json {
        say!("{}", Value::Array(rows))?;
        return Ok(());
    }
    if lines.is_empty() {
        say!("{nothing}")?;
    }
    for line in lines {
        say!("{line}")?;
    }
    Ok(())
}
