//! Choice and opening of the database.

use anyhow::{Context, bail};
use std::path::PathBuf;
use store::{DatabaseUrl, Store, StoreError};

/// Returns the given database, or else the default: `./data` in a checkout of the project,
/// otherwise the platform's data directory.
pub(crate) fn choose(given: Option<DatabaseUrl>) -> anyhow::Result<DatabaseUrl> {
    if let Some(url) = given {
        return Ok(url);
    }
    let checkout = std::path::Path::new("crates/grootboek/Cargo.toml").exists();
    let folder = if checkout {
        PathBuf::from("data")
    } else {
        dirs::data_dir()
            .context("this platform has no data directory; name the database with --database")?
            .join("grootboek")
    };
    std::fs::create_dir_all(&folder)
        .with_context(|| format!("cannot create the folder {}", folder.display()))?;
    Ok(DatabaseUrl::Sqlite(folder.join("grootboek.db")))
}

/// Opens the database for a command that may create it.
pub(crate) fn open(given: Option<DatabaseUrl>) -> anyhow::Result<Store> {
    let url = choose(given)?;
    open_store(&url, 1)
}

/// Opens an existing database. A typo in the name must not create an empty database, which would
/// pass every check.
pub(crate) fn open_existing(given: Option<DatabaseUrl>) -> anyhow::Result<Store> {
    open_store(&existing_books(given)?, 1)
}

/// Returns the database, which must contain books: a PostgreSQL database can exist without books.
pub(crate) fn existing_books(given: Option<DatabaseUrl>) -> anyhow::Result<DatabaseUrl> {
    let url = existing(given)?;
    if !explained(store::is_begun(&url))? {
        bail!(
            "there are no books in this database yet; check its name. `grootboek account add` or `grootboek serve` creates them"
        );
    }
    Ok(url)
}

/// Returns the database, whose file must exist if it is an SQLite database.
pub(crate) fn existing(given: Option<DatabaseUrl>) -> anyhow::Result<DatabaseUrl> {
    let url = choose(given)?;
    if let DatabaseUrl::Sqlite(path) = &url
        // If the path cannot be accessed, the error says so; it does not say that no database
        // exists.
        && !path.try_exists().with_context(|| format!("cannot look for {}", path.display()))?
    {
        bail!(
            "there is no database at {}; `grootboek account add` or `grootboek serve` creates one",
            path.display()
        );
    }
    Ok(url)
}

/// Opens a store; an error also mentions how to choose another database.
pub(crate) fn open_store(url: &DatabaseUrl, connections: usize) -> anyhow::Result<Store> {
    explained(Store::open(url, connections))
}

/// Adds to an error a hint on how to choose another database.
pub(crate) fn explained<T>(opened: Result<T, StoreError>) -> anyhow::Result<T> {
    opened.map_err(|error| {
        anyhow::anyhow!(
            "{} (--database or GROOTBOEK_DATABASE selects the database)",
            web::english::storage(&error)
        )
    })
}

/// Returns the file of an SQLite database; for PostgreSQL, the error names the tools to use.
pub(crate) fn sqlite_file(given: Option<DatabaseUrl>, instead: &str) -> anyhow::Result<PathBuf> {
    match choose(given)? {
        DatabaseUrl::Sqlite(path) => Ok(path),
        DatabaseUrl::Postgres(_) => {
            bail!("this works on SQLite files; for PostgreSQL use its own {instead}")
        }
    }
}
