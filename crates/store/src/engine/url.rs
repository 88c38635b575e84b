//! Database URLs: `sqlite:PATH` or `postgres://…`.

use std::{fmt, path::PathBuf, str::FromStr};
use thiserror::Error;

/// A database URL.
#[derive(Clone, PartialEq, Eq)]
pub enum DatabaseUrl {
    /// Path of a file.
    Sqlite(PathBuf),
    /// A connection string as libpq reads it (PostgreSQL manual, 34.1.1.2).
    Postgres(String),
}

/// Error for a text that is not a database URL.
#[derive(Debug, Error)]
#[error("not_a_database_url: {0}")]
pub struct NotADatabaseUrl(
    /// The rejected text, without any password in it.
    pub String,
);

impl FromStr for DatabaseUrl {
    type Err = NotADatabaseUrl;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if let Some(path) = text.strip_prefix("sqlite:") {
            let path = path.strip_prefix("//").unwrap_or(path);
            if !path.is_empty() {
                return Ok(Self::Sqlite(PathBuf::from(path)));
            }
        } else if text.starts_with("postgres://") || text.starts_with("postgresql://") {
            return Ok(Self::Postgres(text.to_owned()));
        }
        Err(NotADatabaseUrl(without_password(text)))
    }
}

/// Prints the URL without its password, for logs and messages.
impl fmt::Display for DatabaseUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Sqlite(path) => write!(f, "sqlite:{}", path.display()),
            Self::Postgres(url) => f.write_str(&without_password(url)),
        }
    }
}

impl fmt::Debug for DatabaseUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

fn without_password(url: &str) -> String {
    let Some((scheme, rest)) = url.split_once("://") else { return url.to_owned() };
    // A password may also be among the query parameters, so all of them are omitted.
    let rest = rest.split('?').next().unwrap_or(rest);
    match rest.rsplit_once('@') {
        Some((user, host)) => {
            let user = user.split(':').next().unwrap_or(user);
            format!("{scheme}://{user}@{host}")
        }
        None => format!("{scheme}://{rest}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parses_both_schemes_and_rejects_others() {
        assert_eq!(
            "sqlite:a/b.db".parse::<DatabaseUrl>().unwrap(),
            DatabaseUrl::Sqlite("a/b.db".into())
        );
        assert_eq!(
            "sqlite:///a/b.db".parse::<DatabaseUrl>().unwrap(),
            DatabaseUrl::Sqlite("/a/b.db".into())
        );
        assert!(matches!("postgres://h/d".parse::<DatabaseUrl>(), Ok(DatabaseUrl::Postgres(_))));
        for bad in ["", "sqlite:", "mysql://h/d", "books.db"] {
            assert!(bad.parse::<DatabaseUrl>().is_err(), "{bad}");
        }
    }

    #[test]
    fn never_prints_a_password() {
        let url: DatabaseUrl =
            "postgres://me:s3cret@host:5432/books?password=s3cret&sslmode=require".parse().unwrap();
        assert_eq!(url.to_string(), "postgres://me@host:5432/books");
        assert!(
            !"mysql://me:s3cret@h"
                .parse::<DatabaseUrl>()
                .unwrap_err()
                .to_string()
                .contains("s3cret")
        );
    }
}
