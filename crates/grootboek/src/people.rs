//! `account`, `key`, `project`: operator commands for the users of the service.

use crate::{
    account_help,
    cli::{AccountCommand, KeyCommand, ProjectCommand, ScopeName},
    commands::{NOT_MAILED, counted, environment, explain, read, write},
    database,
};
use anyhow::{Context as _, bail};
use ledger::decimal;
use serde_json::json;
use service::{
    Context, Error,
    access::{self, CreateKey},
    accounts::{self, OpenAccount},
    environment::System,
    passwords,
    people::{data, password, second_factor},
    projects::{self, NewProject},
    test_accounts,
};
use std::io::Read;
use store::{DatabaseUrl, Store, Tx, accounts::Plan, keys::Scopes, projects::ProjectFilter};

/// Number of rows erased per transaction, small enough not to disturb a running server.
const ERASED_AT_ONCE: i64 = 500;

fn owner(tx: &mut Tx<'_>, email: &str) -> Result<Context, Error> {
    Ok(Context::of_owner(&accounts::by_email(tx, email)?, environment()))
}

/// Context of the account whose keys the command manages: the live account or its test account.
fn key_holder(tx: &mut Tx<'_>, email: &str, test: bool) -> Result<Context, Error> {
    let live = accounts::by_email(tx, email)?;
    if !test {
        return Ok(Context::of_owner(&live, environment()));
    }
    Ok(Context::of_owner(
        &test_accounts::find(tx, live.id)?.ok_or(Error::NotFound("test account"))?,
        environment(),
    ))
}

pub(crate) fn account(given: Option<DatabaseUrl>, command: AccountCommand) -> anyhow::Result<()> {
    let first = matches!(command, AccountCommand::Add { .. });
    let store = if first { database::open(given)? } else { database::open_existing(given)? };
    match command {
        AccountCommand::Add { email, name, country, plan, password_stdin, json } => {
            let password = password_stdin.then(|| read_password("add")).transpose()?;
            add(&store, OpenAccount { email, name, country, plan: plan.into(), password }, json)?;
        }
        AccountCommand::SetPlan { email, plan } => {
            let (who, plan) = (email.clone(), plan.into());
            write(&store, move |tx| accounts::set_plan(tx, &who, plan))?;
            say!("{email} is on the {} plan", plan.as_str())?;
        }
        AccountCommand::SetPassword { email, password_stdin: _ } => {
            let password = read_password("set-password")?;
            let who = email.clone();
            let account = read(&store, move |tx| accounts::by_email(tx, &who))?;
            if let Some(fault) =
                passwords::validate(&password, &[&account.owner.email, &account.name])
            {
                return Err(explain(Error::Invalid(vec![fault])));
            }
            let hash = passwords::hash(&System, &password)?;
            let who = email.clone();
            write(&store, move |tx| password::set_by_operator(tx, &environment(), &who, &hash))?;
            say!("{email} has another password; its sessions are ended")?;
            say!("{NOT_MAILED}, and that their security page shows it")?;
        }
        AccountCommand::Confirm { email } => account_help::confirm(&store, email)?,
        AccountCommand::SetEmail { email, to } => account_help::set_email(&store, email, to)?,
        AccountCommand::Show { email, json } => account_help::show(&store, email, json)?,
        AccountCommand::ResetSecondFactor { email } => {
            let who = email.clone();
            write(&store, move |tx| second_factor::reset_by_operator(tx, &environment(), &who))?;
            say!(
                "{email} no longer has a second factor, and signs in with the password only; its sessions are ended"
            )?;
            say!("{NOT_MAILED}, and that their security page shows it")?;
        }
        AccountCommand::Close { email, yes } => {
            if !yes {
                bail!(
                    "closing an account erases its books permanently; make a backup if you may need them, and add --yes"
                );
            }
            let who = email.clone();
            write(&store, move |tx| {
                let owner = accounts::by_email(tx, &who)?.owner.id;
                data::close(tx, &environment(), owner)
            })?;
            // If the command is interrupted, the server or the next such command erases the rest.
            while write(&store, |tx| data::erase_batch(tx, &environment(), ERASED_AT_ONCE))?
                >= ERASED_AT_ONCE
            {}
            say!("the account of {email} is closed and its books are erased")?;
            say!("{NOT_MAILED}")?;
        }
        AccountCommand::List { json } => list(&store, json)?,
    }
    Ok(())
}

fn add(store: &Store, open: OpenAccount, json: bool) -> anyhow::Result<()> {
    let (email, plan, passwordless) = (open.email.clone(), open.plan, open.password.is_none());
    let id = write(store, move |tx| accounts::open(tx, &environment(), &open))?;
    if json {
        say!("{}", json!({ "id": id }))?;
        return Ok(());
    }
    say!("account {id} is open for {email}")?;
    if passwordless {
        say!(
            "no password yet: set one with `grootboek account set-password --email {email} --password-stdin`, or the owner at \
             <base URL>/password/forgot"
        )?;
    }
    if plan == Plan::Free {
        say!(
            "the free plan does not include the API: `grootboek account set-plan --email {email} --plan starter`"
        )?;
    }
    Ok(())
}

fn list(store: &Store, json: bool) -> anyhow::Result<()> {
    let all = read(store, accounts::list)?;
    if json {
        let rows: Vec<_> = all
            .iter()
            .map(|account| {
                json!({ "id": account.id, "email": account.owner.email, "name": account.name, "country": account.country.as_str(),
                        "plan": account.plan.as_str(), "createdAt": account.created_at.to_string() })
            })
            .collect();
        say!("{}", json!(rows))?;
    } else {
        for account in &all {
            say!(
                "{:>6}  {:<8} {}  {}  {}",
                account.id,
                account.plan.as_str(),
                account.country,
                account.owner.email,
                account.name
            )?;
        }
        say!("{}", counted(all.len(), "account"))?;
    }
    Ok(())
}

fn read_password(command: &str) -> anyhow::Result<String> {
    let mut text = String::new();
    std::io::stdin()
        .read_to_string(&mut text)
        .context("cannot read the password from standard input")?;
    let password = text.strip_suffix('\n').unwrap_or(&text);
    let password = password.strip_suffix('\r').unwrap_or(password);
    if password.is_empty() {
        bail!(
            "standard input contained no password; for example: printf %s 'a long passphrase' | grootboek account {command} --password-stdin …"
        );
    }
    Ok(password.to_owned())
}

// Long: one match over the key commands.
pub(crate) fn key(given: Option<DatabaseUrl>, command: KeyCommand) -> anyhow::Result<()> {
    let store = database::open_existing(given)?;
    match command {
        KeyCommand::Add { email, name, scope, test, json } => {
            let has = |name| scope.contains(&name);
            let scopes = Scopes {
                read: has(ScopeName::Read),
                write: has(ScopeName::Write),
                file: has(ScopeName::File),
            };
            let made = write(&store, move |tx| {
                let env = environment();
                let live = accounts::by_email(tx, &email)?;
                let account = if test { test_accounts::open(tx, &env, live.id)? } else { live };
                let command = CreateKey::new(&name, scopes).map_err(Error::Invalid)?;
                access::create_key(tx, &Context::of_owner(&account, env), &command)
            })?;
            if json {
                say!("{}", json!({ "id": made.key.id, "key": made.secret }))?;
            } else {
                say!(
                    "key {} with the scopes {}; it is shown this once:",
                    made.key.id,
                    scopes.as_str()
                )?;
                say!("{}", made.secret)?;
            }
        }
        KeyCommand::List { email, test, json } => {
            let keys = read(&store, move |tx| {
                let cx = key_holder(tx, &email, test)?;
                access::list_keys(tx, &cx)
            })?;
            let time = |moment: Option<jiff::Timestamp>| moment.map(|moment| moment.to_string());
            if json {
                let rows: Vec<_> = keys
                    .iter()
                    .map(|key| {
                        json!({ "id": key.id, "name": key.name, "prefix": key.prefix, "createdAt": key.created_at.to_string(),
                                "scopes": key.scopes.as_str().split(' ').collect::<Vec<_>>(),
                                "lastUsedAt": time(key.last_used_at), "revokedAt": time(key.revoked_at) })
                    })
                    .collect();
                say!("{}", json!(rows))?;
            } else {
                for key in &keys {
                    let state = match (key.revoked_at, key.last_used_at) {
                        (Some(at), _) => format!("revoked {at:.0}"),
                        (None, Some(at)) => format!("last used {at:.0}"),
                        (None, None) => "never used".to_owned(),
                    };
                    say!(
                        "{:>4}  {}…  {:<10}  {:<30}  {state}",
                        key.id,
                        key.prefix,
                        key.scopes.as_str(),
                        key.name
                    )?;
                }
                say!("{}", counted(keys.len(), "key"))?;
            }
        }
        KeyCommand::Revoke { email, test, id } => {
            write(&store, move |tx| {
                let cx = key_holder(tx, &email, test)?;
                access::revoke_key(tx, &cx, id)
            })?;
            say!("key {id} is revoked")?;
        }
    }
    Ok(())
}

pub(crate) fn project(given: Option<DatabaseUrl>, command: ProjectCommand) -> anyhow::Result<()> {
    let store = database::open_existing(given)?;
    match command {
        ProjectCommand::Add { email, name, hourly_rate, json } => {
            let hourly_rate = hourly_rate
                .map(|text| {
                    let plain = text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
                    let euros = plain.then(|| decimal::parse_euros(&text).ok()).flatten();
                    euros.context(
                        "--hourly-rate: write euros with a point, not a comma, such as 95.50",
                    )
                })
                .transpose()?;
            let made = write(&store, move |tx| {
                let cx = owner(tx, &email)?;
                let project =
                    NewProject { name: name.clone(), hourly_rate, ..NewProject::default() };
                Ok(projects::create(tx, &cx, &project)?.into_inner())
            })?;
            if json {
                say!("{}", json!({ "id": made.id }))?;
            } else {
                say!("project {}: {}", made.id, made.name)?;
            }
        }
        ProjectCommand::List { email, json } => {
            let all = read(&store, move |tx| {
                let cx = owner(tx, &email)?;
                projects::list(tx, &cx, &ProjectFilter::default(), 0, i64::MAX)
            })?;
            if json {
                let rows: Vec<_> = all
                    .iter()
                    .map(|project| {
                        json!({ "id": project.id, "name": project.name, "status": if project.archived { "archived" } else { "active" },
                                "hourlyRate": project.hourly_rate.map(|rate| rate.to_string()), "hoursLogged": project.hours_logged.to_string() })
                    })
                    .collect();
                say!("{}", json!(rows))?;
            } else {
                for project in &all {
                    let rate = project
                        .hourly_rate
                        .map_or("no rate".to_owned(), |rate| format!("{rate} an hour"));
                    say!(
                        "{:>4}  {:>9} h  {rate:>15}  {}",
                        project.id,
                        project.hours_logged.to_string(),
                        project.name
                    )?;
                }
                say!("{}", counted(all.len(), "project"))?;
            }
        }
    }
    Ok(())
}
