//! Tables as described by the catalogues of both engines.

use crate::{StoreError, engine::names::quoted};
use std::collections::{BTreeMap, BTreeSet};
use tokio_postgres::types::Type;

/// Column type as reported by PostgreSQL. SQLite has no types for dates and timestamps.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ColumnKind {
    Int,
    Text,
    Bytes,
    Date,
    Time,
}

impl ColumnKind {
    /// Returns the type with this PostgreSQL name.
    pub(super) fn named(udt_name: &str) -> Option<Self> {
        Some(match udt_name {
            "int8" => Self::Int,
            "text" => Self::Text,
            "bytea" => Self::Bytes,
            "date" => Self::Date,
            "timestamptz" => Self::Time,
            _ => return None,
        })
    }

    /// Returns the PostgreSQL type.
    pub(super) fn postgres(self) -> Type {
        match self {
            Self::Int => Type::INT8,
            Self::Text => Type::TEXT,
            Self::Bytes => Type::BYTEA,
            Self::Date => Type::DATE,
            Self::Time => Type::TIMESTAMPTZ,
        }
    }
}

/// A table that exists on both engines.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Table {
    pub(super) name: String,
    pub(super) columns: Vec<(String, ColumnKind)>,
    /// Columns of the primary key, in order.
    pub(super) key: Vec<String>,
}

impl Table {
    /// Quoted name.
    pub(super) fn quoted(&self) -> String {
        quoted(&self.name)
    }

    /// Column list for a statement.
    pub(super) fn column_list(&self) -> String {
        list(self.columns.iter().map(|(name, _)| name))
    }

    /// Key columns for a statement.
    pub(super) fn key_list(&self) -> String {
        list(&self.key)
    }
}

fn list<'n>(names: impl IntoIterator<Item = &'n String>) -> String {
    names.into_iter().map(|name| quoted(name)).collect::<Vec<_>>().join(", ")
}

/// SQLite's catalogue: the columns of each table, each with its position in the primary key (from
/// 1; 0 for none).
pub(super) type OfSqlite = BTreeMap<String, Vec<(String, i64)>>;

/// PostgreSQL's catalogue: the columns of each table, each with the name of its type.
pub(super) type OfPostgres = BTreeMap<String, Vec<(String, String)>>;

/// Returns the tables, which must be the same on both engines.
///
/// # Errors
/// The catalogues differ, or a column has an unknown type.
pub(super) fn tables(sqlite: &OfSqlite, postgres: &OfPostgres) -> Result<Vec<Table>, StoreError> {
    let differ = |what: String| {
        Err(StoreError::Unsupported(format!("the tables of the two databases differ: {what}")))
    };
    let (ours, theirs): (BTreeSet<_>, BTreeSet<_>) =
        (sqlite.keys().collect(), postgres.keys().collect());
    if let Some(table) = ours.symmetric_difference(&theirs).next() {
        return differ(format!("only one of them has {table}"));
    }
    let mut tables = Vec::new();
    for (name, columns) in postgres {
        let others = &sqlite[name];
        let (ours, theirs): (BTreeSet<_>, BTreeSet<_>) = (
            others.iter().map(|(column, _)| column).collect(),
            columns.iter().map(|(column, _)| column).collect(),
        );
        if let Some(column) = ours.symmetric_difference(&theirs).next() {
            return differ(format!("only one of them has {name}.{column}"));
        }
        let mut kinds = Vec::new();
        for (column, udt_name) in columns {
            let Some(kind) = ColumnKind::named(udt_name) else {
                return differ(format!(
                    "{name}.{column} is of the type {udt_name}, which has no counterpart in SQLite"
                ));
            };
            kinds.push((column.clone(), kind));
        }
        let mut key: Vec<_> = others.iter().filter(|(_, place)| *place > 0).collect();
        key.sort_by_key(|(_, place)| place);
        let key = key.into_iter().map(|(column, _)| column.clone()).collect();
        tables.push(Table { name: name.clone(), columns: kinds, key });
    }
    Ok(tables)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn catalogues(names: &[&str]) -> (OfSqlite, OfPostgres) {
        let sqlite = names.iter().map(|name| ((*name).to_owned(), vec![("id".to_owned(), 1)]));
        let postgres = names
            .iter()
            .map(|name| ((*name).to_owned(), vec![("id".to_owned(), "int8".to_owned())]));
        (sqlite.collect(), postgres.collect())
    }

    #[test]
    fn differences_are_reported() {
        let refused = |change: fn(&mut OfSqlite, &mut OfPostgres)| {
            let (mut sqlite, mut postgres) = catalogues(&["a", "b"]);
            change(&mut sqlite, &mut postgres);
            tables(&sqlite, &postgres).unwrap_err().to_string()
        };
        assert!(refused(|sqlite, _| drop(sqlite.remove("b"))).ends_with("only one of them has b"));
        assert!(
            refused(|_, postgres| drop(postgres.remove("a"))).ends_with("only one of them has a")
        );
        let added = refused(|sqlite, _| sqlite.get_mut("b").unwrap().push(("note".into(), 0)));
        assert!(added.ends_with("only one of them has b.note"), "{added}");
        let unknown = refused(|_, postgres| postgres.get_mut("b").unwrap()[0].1 = "jsonb".into());
        assert!(unknown.contains("b.id is of the type jsonb"), "{unknown}");
    }
}
