//! `due`: what falls due by itself now, and doing it once.

use crate::{
    cli::{DueCommand, DueOptions, PageOptions},
    commands::{NOT_MAILED, environment, explain, read},
    database,
    private::{existing_secret, secret_file},
};
use serde_json::{Value, json};
use service::{Context, Environment, Error, accounts, environment::Links, recurring, reminders};
use std::{collections::BTreeSet, sync::Arc};
use store::{
    DatabaseUrl, Store, Tx,
    due_work::{self, DueKind},
};
use web::{
    customer_links,
    due_work::{DueWork, WorkResult, Worked, do_work},
};

/// Maximum number of listed occurrences, and of reminders, per account.
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
        let (mut owners, mut accounts) = (Vec::new(), BTreeSet::new());
        for kind in DueKind::ALL {
            accounts.extend(due_work::accounts(tx, kind)?);
        }
        for account in accounts {
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

/// Due work as JSON.
fn described(owner: &Owner, due: &DueWork) -> Value {
    let is_test = owner.cx.actor.test.is_some();
    match due {
        DueWork::Occurrence(due) => json!({
            "account": owner.email, "isTest": is_test, "kind": DueKind::RecurringInvoice.as_str(),
            "recurringInvoiceId": due.recurring_id, "n": due.number, "date": due.date,
            "customer": due.customer,
        }),
        DueWork::Reminder(due) => json!({
            "account": owner.email, "isTest": is_test, "kind": DueKind::Reminder.as_str(),
            "invoiceId": due.invoice_id, "step": due.step, "reminder": due.kind.as_str(),
            "customer": due.customer,
        }),
    }
}

/// Due work as a part of a line.
fn words(owner: &Owner, due: &DueWork) -> String {
    let test = if owner.cx.actor.test.is_some() { " (test account)" } else { "" };
    let plain = |text: &str| text.replace(['\r', '\n'], " ");
    let what = match due {
        DueWork::Occurrence(due) => format!(
            "recurring invoice {} for {}, number {} of {}",
            due.recurring_id,
            plain(&due.customer),
            due.number,
            due.date
        ),
        DueWork::Reminder(due) => format!(
            "reminder {} ({}) of invoice {} to {}",
            due.step,
            due.kind.as_str(),
            plain(&due.number),
            plain(&due.customer)
        ),
    };
    format!("{}{test}  {what}", owner.email)
}

/// Returns the action that due work needs.
fn action(due: &DueWork) -> &'static str {
    match due {
        DueWork::Occurrence(due) if due.is_late => "wait",
        DueWork::Occurrence(_) => "make",
        DueWork::Reminder(_) => "send",
    }
}

fn list(given: Option<DatabaseUrl>, options: DueOptions) -> anyhow::Result<()> {
    let store = database::open_existing(given)?;
    let (mut lines, mut rows) = (Vec::new(), Vec::new());
    for owner in owners(&store, options.account, None)? {
        let cx = owner.cx.clone();
        let found = read(&store, move |tx: &mut Tx<'_>| -> Result<_, Error> {
            let occurrences =
                recurring::due_of(tx, &cx, MOST)?.into_iter().map(DueWork::Occurrence);
            let mut found: Vec<DueWork> = occurrences.collect();
            found.extend(reminders::due_of(tx, &cx, 0, MOST)?.into_iter().map(DueWork::Reminder));
            Ok(found)
        })?;
        for due in found {
            let action = action(&due);
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
                WorkResult::Sent => ("sent", "queued".to_owned()),
                WorkResult::Waiting => ("waiting", "waits for the owner".to_owned()),
                WorkResult::Refused(cause) => {
                    row["cause"] = json!(cause);
                    match &due {
                        DueWork::Occurrence(_) => {
                            is_stopped = true;
                            ("refused", format!("refused ({cause}), so it is paused"))
                        }
                        DueWork::Reminder(_) => ("refused", format!("refused ({cause})")),
                    }
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
