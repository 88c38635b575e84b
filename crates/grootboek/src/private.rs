//! Private data next to the database: the folder for emails, and the secret that encrypts second
//! factors.

use crate::{
    cli::{MailOptions, ServeOptions},
    commands::{counted, read},
};
use anyhow::{Context, bail};
use mail::Delivery;
use service::{
    environment::{Random, System},
    people::{EncryptionKey, second_factor},
};
use std::{
    io::{ErrorKind, Write},
    net::IpAddr,
    path::{Path, PathBuf},
};
use store::{DatabaseUrl, Store};
use tracing::{info, warn};

/// Private data of a server.
pub(crate) struct Private {
    /// Delivery method for emails.
    pub(crate) delivery: Delivery,
    /// Key that encrypts second factors.
    pub(crate) encryption_key: Option<EncryptionKey>,
}

impl Private {
    /// Opens the mail folder and the secret, as named by the options or at their default locations.
    /// The secret is generated at the first start.
    ///
    /// Fails if the database contains second factors but their secret is missing, unless the
    /// options ask for a new secret: without the old one, people with a second factor can only sign
    /// in with a recovery code.
    pub(crate) fn open(
        url: &DatabaseUrl,
        options: &ServeOptions,
        store: &Store,
    ) -> anyhow::Result<Self> {
        let delivery = delivery(url, &options.mail)?;
        let secret = secret_file(url, options.secret_file.clone());
        let existing = existing_secret(secret.as_deref())?;
        if !options.new_secret {
            let key = existing.clone();
            let encrypted = read(store, move |tx| second_factor::out_of_reach(tx, key.as_ref()))?;
            if encrypted > 0 {
                let missing = match (&secret, existing) {
                    (None, _) => {
                        "no --secret-file names the secret that encrypts them: name that file"
                            .to_owned()
                    }
                    (Some(file), None) => {
                        format!(
                            "the secret that encrypts them is not in {}: restore that file",
                            file.display()
                        )
                    }
                    (Some(file), Some(_)) => {
                        format!(
                            "the secret in {} is not the one that encrypts them: restore that one",
                            file.display()
                        )
                    }
                };
                bail!(
                    "the database has second factors of {}, and {missing}, or add --new-secret, and their owners sign in with a recovery code",
                    counted(encrypted, "account")
                );
            }
        }
        let Some(secret) = secret else {
            warn!(
                "there is no --secret-file, so nobody can set up a second factor or sign in with one"
            );
            return Ok(Self { delivery, encryption_key: None });
        };
        Ok(Self { delivery, encryption_key: Some(secret_in(&secret)?) })
    }

    /// Checks that the files named by the options can be created. Runs before the database is
    /// created, so that a failed start leaves nothing behind.
    pub(crate) fn check(url: &DatabaseUrl, options: &ServeOptions) -> anyhow::Result<()> {
        if let Some(file) = &options.secret_file {
            if file.exists() {
                read_secret(file)?;
            } else {
                let folder = file
                    .parent()
                    .filter(|folder| !folder.as_os_str().is_empty())
                    .unwrap_or(Path::new("."));
                let cannot =
                    || format!("--secret-file: no file can be created at {}", file.display());
                tempfile::NamedTempFile::new_in(folder).map_err(plain).with_context(cannot)?;
            }
        }
        // A folder next to an SQLite database needs no check: it can be created if the database
        // can.
        let folder = match (&options.mail.smtp, &options.mail.mail_folder, url) {
            (Some(_), ..) | (None, None, DatabaseUrl::Sqlite(_)) => return Ok(()),
            (None, Some(folder), _) => folder.clone(),
            (None, None, DatabaseUrl::Postgres(_)) => mail_folder(url)?,
        };
        let made =
            mail::make_folder(&folder).and_then(|()| tempfile::NamedTempFile::new_in(&folder));
        made.map_err(plain).with_context(|| {
            format!("--mail-folder: mails cannot be written into {}", folder.display())
        })?;
        Ok(())
    }
}

/// Delivery method for emails, according to the options.
pub(crate) fn delivery(url: &DatabaseUrl, options: &MailOptions) -> anyhow::Result<Delivery> {
    Ok(match (&options.smtp, &options.mail_folder) {
        (Some(smtp), _) => Delivery::Smtp(smtp.clone()),
        (None, Some(folder)) => Delivery::Folder(folder.clone()),
        (None, None) => Delivery::Folder(mail_folder(url)?),
    })
}

/// Operating system error alone, without the name of the temporary file.
fn plain(error: std::io::Error) -> std::io::Error {
    error.raw_os_error().map_or(error, std::io::Error::from_raw_os_error)
}

fn mail_folder(url: &DatabaseUrl) -> anyhow::Result<PathBuf> {
    match url {
        DatabaseUrl::Sqlite(database) => Ok(database.with_file_name("mail")),
        DatabaseUrl::Postgres(_) => Ok(dirs::data_dir()
            .context("this platform has no data directory; set --smtp or --mail-folder")?
            .join("grootboek")
            .join("mail")),
    }
}

/// Secret file of a database: the named one, or the default.
pub(crate) fn secret_file(url: &DatabaseUrl, named: Option<PathBuf>) -> Option<PathBuf> {
    match (named, url) {
        (Some(file), _) => Some(file),
        (None, DatabaseUrl::Sqlite(database)) => Some(beside(database)),
        (None, DatabaseUrl::Postgres(_)) => None,
    }
}

/// Reads the secret file, if it exists.
pub(crate) fn existing_secret(file: Option<&Path>) -> anyhow::Result<Option<EncryptionKey>> {
    file.filter(|file| file.exists()).map(read_secret).transpose()
}

/// Default secret file of an SQLite database.
pub(crate) fn beside(database: &Path) -> PathBuf {
    let mut name = database.as_os_str().to_owned();
    name.push(".secret");
    name.into()
}

/// Reads the secret from a file; generates and writes it if the file does not exist.
fn secret_in(file: &Path) -> anyhow::Result<EncryptionKey> {
    match store::create_private(file) {
        Ok(mut made) => {
            let mut bytes = [0; 32];
            System.fill(&mut bytes)?;
            let written = made.write_all(&bytes).and_then(|()| made.sync_all());
            written.with_context(|| format!("cannot write the secret file {}", file.display()))?;
            info!(file = %file.display(), "created a secret for second factors; keep a copy of it separate from the backups");
            Ok(EncryptionKey::new(bytes))
        }
        Err(error) if error.kind() == ErrorKind::AlreadyExists => read_secret(file),
        Err(error) => {
            Err(error).with_context(|| format!("cannot create the secret file {}", file.display()))
        }
    }
}

fn read_secret(file: &Path) -> anyhow::Result<EncryptionKey> {
    let bytes = std::fs::read(file)
        .with_context(|| format!("cannot read the secret file {}", file.display()))?;
    let Ok(bytes) = <[u8; 32]>::try_from(bytes) else {
        bail!(
            "{} is not a secret file: it must contain 32 random bytes, as written at the first start",
            file.display()
        );
    };
    #[cfg(unix)]
    if std::os::unix::fs::MetadataExt::mode(&std::fs::metadata(file)?) & 0o077 != 0 {
        warn!(file = %file.display(), "other users of the system can read the secret file; chmod 600 it");
    }
    Ok(EncryptionKey::new(bytes))
}

/// Sender address of emails: as configured, or grootboek at the public host.
pub(crate) fn mail_from(options: &MailOptions, base_url: &str) -> String {
    if let Some(sender) = &options.mail_from {
        return sender.clone();
    }
    let host = base_url.split_once("://").map_or(base_url, |(_, rest)| rest);
    let host =
        if host.starts_with('[') { "localhost" } else { host.split(':').next().unwrap_or(host) };
    // An IP address is not a valid domain for an email address.
    let host = if host.parse::<IpAddr>().is_ok() { "localhost" } else { host };
    format!("grootboek@{host}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        options: ServeOptions,
    }

    fn options(arguments: &[&str]) -> ServeOptions {
        Line::try_parse_from([&["serve"], arguments].concat()).unwrap().options
    }

    /// Opens the private data for `url`; the store itself is a new database without accounts.
    fn open(url: &DatabaseUrl, arguments: &[&str]) -> anyhow::Result<Private> {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(&DatabaseUrl::Sqlite(folder.path().join("empty.db")), 1).unwrap();
        Private::open(url, &options(arguments), &store)
    }

    #[test]
    fn the_secret_is_made_once_for_its_owner_only() {
        let folder = tempfile::tempdir().unwrap();
        let url = DatabaseUrl::Sqlite(folder.path().join("books.db"));
        let first = open(&url, &[]).unwrap().encryption_key.unwrap();
        let again = open(&url, &[]).unwrap().encryption_key.unwrap();
        assert!(first == again);
        let file = folder.path().join("books.db.secret");
        #[cfg(unix)]
        assert_eq!(
            std::os::unix::fs::MetadataExt::mode(&std::fs::metadata(&file).unwrap()) & 0o777,
            0o600
        );
        std::fs::write(&file, b"too short").unwrap();
        assert!(open(&url, &[]).is_err());
        let other = folder.path().join("other");
        let other = open(&url, &["--secret-file", other.to_str().unwrap()])
            .unwrap()
            .encryption_key
            .unwrap();
        assert!(first != other);
    }

    #[test]
    fn without_a_secret_file_postgresql_has_no_key() {
        let url = DatabaseUrl::Postgres("postgres://localhost/books".into());
        let private = open(&url, &["--smtp", "smtp://localhost"]).unwrap();
        assert!(private.encryption_key.is_none());
        assert!(private.delivery == Delivery::Smtp("smtp://localhost".into()));
    }

    #[test]
    fn mails_go_next_to_the_database_by_default() {
        let folder = tempfile::tempdir().unwrap();
        let url = DatabaseUrl::Sqlite(folder.path().join("books.db"));
        let delivery = |arguments: &[&str]| open(&url, arguments).unwrap().delivery;
        assert!(delivery(&[]) == Delivery::Folder(folder.path().join("mail")));
        assert!(
            delivery(&["--mail-folder", "/elsewhere"]) == Delivery::Folder("/elsewhere".into())
        );
        assert!(
            delivery(&["--mail-folder", "/elsewhere", "--smtp", "smtps://u:p@h"])
                == Delivery::Smtp("smtps://u:p@h".into())
        );
    }

    #[test]
    fn the_sender_is_at_the_public_host() {
        let cases = [
            ("https://books.example.com", "grootboek@books.example.com"),
            ("https://books.example.com:8443", "grootboek@books.example.com"),
            ("http://127.0.0.1:8080", "grootboek@localhost"),
            ("http://[::1]:8080", "grootboek@localhost"),
            ("http://localhost:8080", "grootboek@localhost"),
        ];
        for (base_url, sender) in cases {
            assert_eq!(mail_from(&options(&[]).mail, base_url), sender);
        }
        assert_eq!(
            mail_from(&options(&["--mail-from", "a@b.nl"]).mail, "https://books.example.com"),
            "a@b.nl"
        );
    }
}
