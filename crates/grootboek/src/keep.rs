//! `backup` and `restore`: copies of an SQLite database.

use crate::{database, private::beside};
use anyhow::Context;
use std::path::Path;
use store::DatabaseUrl;

pub(crate) fn backup(given: Option<DatabaseUrl>, to: &Path) -> anyhow::Result<()> {
    let from = database::sqlite_file(given, "pg_dump or pg_basebackup")?;
    if !from.exists() {
        anyhow::bail!("there is no database at {}", from.display());
    }
    let store = database::open_store(&DatabaseUrl::Sqlite(from.clone()), 1)?;
    store.backup(to)?;
    let size = std::fs::metadata(to).context("the backup is not where it was written")?.len();
    say!("copied {} to {} ({size} bytes)", from.display(), to.display())?;
    say!(
        "not in the copy: the secret file ({}, unless the server is given another) and the folder of mails",
        beside(&from).display()
    )?;
    Ok(())
}

pub(crate) fn restore(given: Option<DatabaseUrl>, from: &Path, replace: bool) -> anyhow::Result<()> {
    let to = database::sqlite_file(given, "pg_restore or psql")?;
    store::restore(from, &to, replace)?;
    say!("{} now holds what {} held; prove it with `grootboek verify`", to.display(), from.display())?;
    say!("everybody has to sign in again; passwords, keys and connections are as they were then")?;
    say!(
        "not in the copy: the folder of mails, and the secret file of its second factors, which belongs at {} unless the server is \
         given another place",
        beside(&to).display()
    )?;
    Ok(())
}
