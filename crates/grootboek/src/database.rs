//! Which database is meant, and opening it.

use anyhow::{Context, bail};
use std::path::PathBuf;
use store::{DatabaseUrl, Store, StoreError};

/// The database that is meant when none is named: `./data` in a checkout of the project, else the platform's data directory.
pub(crate) fn choose(given: Option<DatabaseUrl>) -> anyhow::Result<DatabaseUrl> {
    if let Some(url) = given {
        return Ok(url);
    }
    let checkout = std::path::Path::new("crates/grootboek/Cargo.toml").exists();
    let folder = if checkout {
        PathBuf::from("data")
    } else {
        dirs::data_dir()
            .context("this platform has no data directory; say where the books are with --database")?
            .join("grootboek")
    };
    std::fs::create_dir_all(&folder).with_context(|| format!("cannot make the folder {}", folder.display()))?;
    Ok(DatabaseUrl::Sqlite(folder.join("grootboek.db")))
}

/// Opens the database for a command that may be the first.
pub(crate) fn open(given: Option<DatabaseUrl>) -> anyhow::Result<Store> {
    let url = choose(given)?;
    open_store(&url, 1)
}

/// Opens a database that must be there: a mistyped name must not make an empty one, of which anything is true.
pub(crate) fn open_existing(given: Option<DatabaseUrl>) -> anyhow::Result<Store> {
    open_store(&existing_books(given)?, 1)
}

/// The database that is meant, in which there must be books: a PostgreSQL database can be there without.
pub(crate) fn existing_books(given: Option<DatabaseUrl>) -> anyhow::Result<DatabaseUrl> {
    let url = existing(given)?;
    if !explained(store::is_begun(&url))? {
        bail!(
            "there are no books in this database yet: is its name right? `grootboek account add` or `grootboek serve` begins them"
        );
    }
    Ok(url)
}

/// The database that is meant, which must be there.
pub(crate) fn existing(given: Option<DatabaseUrl>) -> anyhow::Result<DatabaseUrl> {
    let url = choose(given)?;
    if let DatabaseUrl::Sqlite(path) = &url
        // A folder that one may not look into is another matter.
        && !path.try_exists().with_context(|| format!("cannot look for {}", path.display()))?
    {
        bail!("there is no database at {}; `grootboek account add` or `grootboek serve` makes one", path.display());
    }
    Ok(url)
}

/// Opens it; a failure also says how another database is chosen.
pub(crate) fn open_store(url: &DatabaseUrl, connections: usize) -> anyhow::Result<Store> {
    explained(Store::open(url, connections))
}

/// A failure also says how another database is chosen.
pub(crate) fn explained<T>(opened: Result<T, StoreError>) -> anyhow::Result<T> {
    opened.map_err(|error| {
        anyhow::anyhow!("{} (--database or GROOTBOEK_DATABASE says which database to open)", web::english::storage(&error))
    })
}

/// The file of an SQLite database.
pub(crate) fn sqlite_file(given: Option<DatabaseUrl>, instead: &str) -> anyhow::Result<PathBuf> {
    match choose(given)? {
        DatabaseUrl::Sqlite(path) => Ok(path),
        DatabaseUrl::Postgres(_) => bail!("this works on SQLite files; for PostgreSQL use its own {instead}"),
    }
}
