//! `backup` and `restore`: backups of an SQLite database.

use crate::{
    cli::BackupOptions,
    commands::{environment, write},
    database,
    private::beside,
};
use anyhow::{Context, bail};
use service::{
    environment::{Clock, System},
    maintenance::{self, Task},
};
use std::{
    fs,
    io::{ErrorKind, Write},
    path::{Path, PathBuf},
};
use store::{DatabaseUrl, Store, known_schema};

/// Prefix and suffix of the file names that `backup` generates.
const BEGINNING: &str = "grootboek-";
const END: &str = ".db";

pub(crate) fn backup(given: Option<DatabaseUrl>, options: &BackupOptions) -> anyhow::Result<()> {
    let from = database::sqlite_file(given, "pg_dump or pg_basebackup")?;
    if !from.exists() {
        bail!("there is no database at {}", from.display());
    }
    if options.to.as_os_str() == "-" {
        bail!("a backup cannot be written to standard output; give a file or a folder");
    }
    let folder = options.to.is_dir().then_some(options.to.as_path());
    if folder.is_none() && options.to.as_os_str().as_encoded_bytes().ends_with(b"/") {
        bail!("there is no folder {}; create it first", options.to.display());
    }
    if options.keep.is_some() && folder.is_none() {
        bail!(
            "--keep counts the backups in a folder, but {} is not a folder; create it first",
            options.to.display()
        );
    }
    let to = folder.map_or_else(|| options.to.clone(), |folder| folder.join(name_now()));
    // Does not migrate the tables, so that a newer program can make a backup before their
    // migration.
    store::copy(&from, &to)?;
    let size = fs::metadata(&to).context("the backup is not where it was written")?.len();
    say!("copied {} to {} ({size} bytes)", from.display(), to.display())?;
    let secret = copy_secret(&from, &to, options)?;
    say!(
        "not in the copy: {secret}the folder of mails, the configuration, and what the proxy needs"
    )?;
    note(&from)?;
    if let (Some(folder), Some(keep)) = (folder, options.keep) {
        for old in surplus(folder, keep)? {
            fs::remove_file(&old).with_context(|| format!("cannot remove {}", old.display()))?;
            remove_if_there(&beside(&old))?;
            say!("removed {}", old.display())?;
        }
    }
    Ok(())
}

/// Name of a backup made now (UTC); names sort by time.
fn name_now() -> String {
    format!("{BEGINNING}{}{END}", System.now().strftime("%Y-%m-%dT%H%M%S%.3f"))
}

/// Copies the server's secret to the backup, because people with a second factor cannot sign in
/// without the secret. If it is not copied, returns a remark that says so.
fn copy_secret(from: &Path, to: &Path, options: &BackupOptions) -> anyhow::Result<String> {
    let secret = options.secret_file.clone().unwrap_or_else(|| beside(from));
    if options.without_secret {
        return Ok(format!("the secret file {}, which you keep elsewhere, ", secret.display()));
    }
    if !secret.exists() {
        return Ok(format!("the secret file {}, which does not exist, ", secret.display()));
    }
    let copy = beside(to);
    write_private(&secret, &copy)?;
    say!(
        "and the secret file {} to {}: with both files, second factors can be forged",
        secret.display(),
        copy.display()
    )?;
    Ok(String::new())
}

fn write_private(from: &Path, to: &Path) -> anyhow::Result<()> {
    let bytes = fs::read(from).with_context(|| format!("cannot read {}", from.display()))?;
    let written = store::create_private(to)
        .and_then(|mut file| file.write_all(&bytes).and_then(|()| file.sync_all()));
    written.with_context(|| format!("cannot write {}", to.display()))
}

/// Records in the database that a backup was made, for the metrics. Does nothing if the version of
/// the tables differs from the program's.
fn note(from: &Path) -> anyhow::Result<()> {
    let url = DatabaseUrl::Sqlite(from.to_owned());
    if store::schema(&url)? == known_schema() {
        write(&Store::open(&url, 1)?, |tx| maintenance::record(tx, &environment(), Task::Backup))?;
    }
    Ok(())
}

/// Backups in a folder except the newest `keep`.
fn surplus(folder: &Path, keep: usize) -> anyhow::Result<Vec<PathBuf>> {
    let mut names = Vec::new();
    for entry in
        fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))?
    {
        if let Ok(name) = entry?.file_name().into_string()
            && is_ours(&name)
        {
            names.push(name);
        }
    }
    names.sort_unstable();
    names.truncate(names.len().saturating_sub(keep));
    Ok(names.into_iter().map(|name| folder.join(name)).collect())
}

/// Whether a file name was made by [`name_now`]. Only such backups are ever removed.
fn is_ours(name: &str) -> bool {
    let moment = name.strip_prefix(BEGINNING).and_then(|rest| rest.strip_suffix(END));
    moment
        .is_some_and(|moment| jiff::civil::DateTime::strptime("%Y-%m-%dT%H%M%S%.f", moment).is_ok())
}

fn remove_if_there(file: &Path) -> anyhow::Result<()> {
    match fs::remove_file(file) {
        Err(error) if error.kind() != ErrorKind::NotFound => {
            Err(error).with_context(|| format!("cannot remove {}", file.display()))
        }
        _ => Ok(()),
    }
}

pub(crate) fn restore(
    given: Option<DatabaseUrl>,
    from: &Path,
    replace: bool,
    secret: Option<PathBuf>,
) -> anyhow::Result<()> {
    let to = database::sqlite_file(given, "pg_restore or psql")?;
    store::restore(from, &to, replace)?;
    say!(
        "{} now has the contents of {}; check it with `grootboek verify`",
        to.display(),
        from.display()
    )?;
    say!("everybody has to sign in again; passwords, keys and connections are as they were then")?;
    let (copied, secret) = (beside(from), secret.unwrap_or_else(|| beside(&to)));
    let mut missing = String::new();
    match (copied.exists(), secret.exists()) {
        (true, false) => {
            write_private(&copied, &secret)?;
            say!("the secret file {} was restored too", secret.display())?;
        }
        (true, true) if fs::read(&copied)? == fs::read(&secret)? => {}
        (true, true) => say!(
            "the secret file {} was not changed; that of the backup is {}: copy it there if the server asks for it",
            secret.display(),
            copied.display()
        )?,
        (false, _) => {
            missing = format!(
                "the secret file of its second factors, which belongs at {}, and ",
                secret.display()
            )
        }
    }
    say!("not in the copy: {missing}the folder of mails")?;
    Ok(())
}
