//! `oauth`: partner applications registered by the operator.

use crate::{
    cli::{OauthCommand, ScopeName},
    commands::{counted, environment, read, write},
    database,
};
use anyhow::bail;
use serde_json::json;
use service::oauth::clients::{self, NewClient, Registered};
use std::io::{self, Write as _};
use store::{DatabaseUrl, keys::Scopes};

pub(crate) fn run(given: Option<DatabaseUrl>, command: OauthCommand) -> anyhow::Result<()> {
    if let OauthCommand::Register { client_id: None, client_secret: Some(_), .. } = &command {
        bail!(
            "there is a secret without an id: --client-secret, or the variable GROOTBOEK_CLIENT_SECRET, is for an application that comes \
             from another server; give its --client-id too, or leave the secret out (unset GROOTBOEK_CLIENT_SECRET)"
        );
    }
    let first = matches!(command, OauthCommand::Register { .. });
    let store = if first { database::open(given)? } else { database::open_existing(given)? };
    match command {
        OauthCommand::Register { name, redirect_uri, scope, client_id, client_secret, json } => {
            let has = |name| scope.is_empty() || scope.contains(&name);
            // Without `--scope`, only reading and writing are allowed; the scope for filing must be
            // named.
            let scopes = Scopes {
                read: has(ScopeName::Read),
                write: has(ScopeName::Write),
                file: scope.contains(&ScopeName::File),
            };
            let new = NewClient {
                name,
                redirect_uris: redirect_uri,
                scopes,
                id: client_id,
                secret: client_secret,
            };
            let is_short = new.secret.as_ref().is_some_and(|secret| secret.chars().count() < 22);
            let name = new.name.clone();
            let made = write(&store, move |tx| clients::register(tx, &environment(), &new))?;
            if !json {
                say!(
                    "{name} is registered with the scopes {}; its secret is shown this once:",
                    scopes.as_str()
                )?;
            }
            print(&made, json)?;
            if is_short {
                // A closed standard error is not a failure.
                let _ = writeln!(
                    io::stderr(),
                    "warning: a secret of fewer than 22 characters can be guessed; `grootboek oauth rotate-secret` gives a good one"
                );
            }
        }
        OauthCommand::List { json } => {
            list(&read(&store, |tx| clients::list(tx, &environment()))?, json)?
        }
        OauthCommand::RotateSecret { client_id, json } => {
            let made =
                write(&store, move |tx| clients::rotate_secret(tx, &environment(), &client_id))?;
            if !json {
                say!("the old secret no longer works; the new one is shown this once:")?;
            }
            print(&made, json)?;
        }
        OauthCommand::Remove { client_id } => {
            let id = client_id.clone();
            write(&store, move |tx| clients::remove(tx, &environment(), &id))?;
            say!("{client_id} is removed; everyone who connected it is disconnected")?;
        }
    }
    Ok(())
}

fn print(made: &Registered, json: bool) -> io::Result<()> {
    if json {
        say!("{}", json!({ "clientId": made.client_id, "clientSecret": made.client_secret }))?;
    } else {
        say!("client_id      {}", made.client_id)?;
        say!("client_secret  {}", made.client_secret)?;
    }
    Ok(())
}

fn list(all: &[clients::Listed], json: bool) -> io::Result<()> {
    if json {
        let rows: Vec<_> = all
            .iter()
            .map(|listed| {
                let client = &listed.client;
                json!({ "clientId": client.id, "name": client.name, "redirectUris": listed.redirect_uris,
                        "scopes": client.scopes.as_str().split(' ').collect::<Vec<_>>(), "connections": listed.connections,
                        "createdAt": client.created_at.to_string(), "secretChangedAt": client.secret_changed_at.to_string() })
            })
            .collect();
        return say!("{}", json!(rows));
    }
    for listed in all {
        let connections = counted(listed.connections, "connection");
        say!(
            "{}  {:<10}  {connections:<14}  {}",
            listed.client.id,
            listed.client.scopes.as_str(),
            listed.client.name
        )?;
        for uri in &listed.redirect_uris {
            say!("    {uri}")?;
        }
    }
    say!("{}", counted(all.len(), "application"))
}
