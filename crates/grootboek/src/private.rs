//! What a server keeps beside its database: the folder for mails, and the secret that second factors are encrypted with.

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

/// What a server keeps beside its database.
pub(crate) struct Private {
    /// Where mails go.
    pub(crate) delivery: Delivery,
    /// What second factors are encrypted with.
    pub(crate) encryption_key: Option<EncryptionKey>,
}

impl Private {
    /// What the options say, or else what lies beside the database; the secret is drawn at the first start.
    ///
    /// A database that was restored without its secret is not served with a new one: nobody with a second factor could sign in.
    pub(crate) fn open(url: &DatabaseUrl, options: &ServeOptions, store: &Store) -> anyhow::Result<Self> {
        let delivery = delivery(url, &options.mail)?;
        let secret = match (&options.secret_file, url) {
            (Some(file), _) => Some(file.clone()),
            (None, DatabaseUrl::Sqlite(database)) => Some(beside(database)),
            (None, DatabaseUrl::Postgres(_)) => None,
        };
        let there = secret.as_deref().filter(|file| file.exists()).map(read_secret).transpose()?;
        if !options.new_secret {
            let key = there.clone();
            let encrypted = read(store, move |tx| second_factor::out_of_reach(tx, key.as_ref()))?;
            if encrypted > 0 {
                let missing = match (&secret, there) {
                    (None, _) => "no --secret-file says where the secret is that they are sealed with: name that file".to_owned(),
                    (Some(file), None) => {
                        format!("the secret that they are sealed with is not in {}: put that file back", file.display())
                    }
                    (Some(file), Some(_)) => {
                        format!("the secret in {} is not the one that they are sealed with: put that one back", file.display())
                    }
                };
                bail!(
                    "the database has second factors of {}, and {missing}, or say --new-secret, and their owners sign in by a recovery code",
                    counted(encrypted, "account")
                );
            }
        }
        let Some(secret) = secret else {
            warn!("there is no --secret-file, so nobody can set up a second factor or sign in with one");
            return Ok(Self { delivery, encryption_key: None });
        };
        Ok(Self { delivery, encryption_key: Some(secret_in(&secret)?) })
    }

    /// Checks that what the options name can be made, before the database is: a start that fails leaves nothing behind.
    pub(crate) fn check(url: &DatabaseUrl, options: &ServeOptions) -> anyhow::Result<()> {
        if let Some(file) = &options.secret_file {
            if file.exists() {
                read_secret(file)?;
            } else {
                let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
                let cannot = || format!("--secret-file: no file can be made at {}", file.display());
                tempfile::NamedTempFile::new_in(folder).map_err(plain).with_context(cannot)?;
            }
        }
        // Beside a SQLite file they can be made where that can.
        let folder = match (&options.mail.smtp, &options.mail.mail_folder, url) {
            (Some(_), ..) | (None, None, DatabaseUrl::Sqlite(_)) => return Ok(()),
            (None, Some(folder), _) => folder.clone(),
            (None, None, DatabaseUrl::Postgres(_)) => mail_folder(url)?,
        };
        let made = mail::make_folder(&folder).and_then(|()| tempfile::NamedTempFile::new_in(&folder));
        made.map_err(plain).with_context(|| format!("--mail-folder: mails cannot be written into {}", folder.display()))?;
        Ok(())
    }
}

/// How mails go out, as the options say.
pub(crate) fn delivery(url: &DatabaseUrl, options: &MailOptions) -> anyhow::Result<Delivery> {
    Ok(match (&options.smtp, &options.mail_folder) {
        (Some(smtp), _) => Delivery::Smtp(smtp.clone()),
        (None, Some(folder)) => Delivery::Folder(folder.clone()),
        (None, None) => Delivery::Folder(mail_folder(url)?),
    })
}

/// What the system said alone: the name of a file that was tried would stand there too.
fn plain(error: std::io::Error) -> std::io::Error {
    error.raw_os_error().map_or(error, std::io::Error::from_raw_os_error)
}

fn mail_folder(url: &DatabaseUrl) -> anyhow::Result<PathBuf> {
    match url {
        DatabaseUrl::Sqlite(database) => Ok(database.with_file_name("mail")),
        DatabaseUrl::Postgres(_) => Ok(dirs::data_dir()
            .context("this platform has no data directory; say where mails go with --smtp or --mail-folder")?
            .join("grootboek")
            .join("mail")),
    }
}

/// The file with the secret of an SQLite database, unless another is named.
pub(crate) fn beside(database: &Path) -> PathBuf {
    let mut name = database.as_os_str().to_owned();
    name.push(".secret");
    name.into()
}

/// The secret in a file; drawn and written if there is no such file.
fn secret_in(file: &Path) -> anyhow::Result<EncryptionKey> {
    match store::create_private(file) {
        Ok(mut made) => {
            let mut bytes = [0; 32];
            System.fill(&mut bytes)?;
            let written = made.write_all(&bytes).and_then(|()| made.sync_all());
            written.with_context(|| format!("cannot write the secret file {}", file.display()))?;
            info!(file = %file.display(), "a secret for second factors was made; keep a copy of it apart from the backups");
            Ok(EncryptionKey::new(bytes))
        }
        Err(error) if error.kind() == ErrorKind::AlreadyExists => read_secret(file),
        Err(error) => Err(error).with_context(|| format!("cannot make the secret file {}", file.display())),
    }
}

fn read_secret(file: &Path) -> anyhow::Result<EncryptionKey> {
    let bytes = std::fs::read(file).with_context(|| format!("cannot read the secret file {}", file.display()))?;
    let Ok(bytes) = <[u8; 32]>::try_from(bytes) else {
        bail!("{} is not a secret file: it must hold 32 random bytes, such as a first start writes", file.display());
    };
    #[cfg(unix)]
    if std::os::unix::fs::MetadataExt::mode(&std::fs::metadata(file)?) & 0o077 != 0 {
        warn!(file = %file.display(), "others on this machine can read the secret file; chmod 600 it");
    }
    Ok(EncryptionKey::new(bytes))
}

/// The sender of mails: as configured, or grootboek at the host that people know.
pub(crate) fn mail_from(options: &MailOptions, base_url: &str) -> String {
    if let Some(given) = &options.mail_from {
        return given.clone();
    }
    let host = base_url.split_once("://").map_or(base_url, |(_, rest)| rest);
    let host = if host.starts_with('[') { "localhost" } else { host.split(':').next().unwrap_or(host) };
    // An address of numbers is no domain of a mail address.
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

    /// Beside a database without accounts, whatever the address says.
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
        assert_eq!(std::os::unix::fs::MetadataExt::mode(&std::fs::metadata(&file).unwrap()) & 0o777, 0o600);
        std::fs::write(&file, b"too short").unwrap();
        assert!(open(&url, &[]).is_err());
        let other = folder.path().join("other");
        let other = open(&url, &["--secret-file", other.to_str().unwrap()]).unwrap().encryption_key.unwrap();
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
    fn mails_go_beside_the_database_unless_told_otherwise() {
        let folder = tempfile::tempdir().unwrap();
        let url = DatabaseUrl::Sqlite(folder.path().join("books.db"));
        let delivery = |arguments: &[&str]| open(&url, arguments).unwrap().delivery;
        assert!(delivery(&[]) == Delivery::Folder(folder.path().join("mail")));
        assert!(delivery(&["--mail-folder", "/elsewhere"]) == Delivery::Folder("/elsewhere".into()));
        assert!(delivery(&["--mail-folder", "/elsewhere", "--smtp", "smtps://u:p@h"]) == Delivery::Smtp("smtps://u:p@h".into()));
    }

    #[test]
    fn the_sender_is_at_the_host_that_people_know() {
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
        assert_eq!(mail_from(&options(&["--mail-from", "a@b.nl"]).mail, "https://books.example.com"), "a@b.nl");
    }
}
