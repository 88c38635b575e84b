//! Moves all books from one engine to the other: every row of every table in both catalogues.
//!
//! The target is filled in one transaction (PostgreSQL) or under a temporary name (SQLite), and is
//! verified before it becomes visible. It therefore contains everything or nothing: a partial copy
//! cannot be served, and an interrupted move is simply started again.

mod catalogue;
mod postgres;
mod sqlite;

use crate::{DatabaseUrl, StoreError, Tx, param::Param};
use catalogue::Table;
use std::hash::{DefaultHasher, Hash, Hasher};

/// Rows between two progress reports.
const ROWS_PER_REPORT: u64 = 10_000;

/// Progress of a move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress<'a> {
    /// The table being copied or compared.
    pub table: &'a str,
    /// Rows copied or compared so far.
    pub rows: u64,
    /// Total number of rows to copy and compare: each row is counted twice.
    pub of: u64,
}

/// Result of a move.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Moved {
    /// Names of the tables and numbers of rows moved.
    pub tables: Vec<(String, u64)>,
}

/// A database to read from.
trait Source {
    /// Number of rows of a table.
    fn count(&mut self, table: &Table) -> Result<u64, StoreError>;

    /// Passes each row of a table to `each`.
    fn read(&mut self, table: &Table, each: Put<'_>) -> Result<(), StoreError>;
}

/// Receives the values of a row.
type Put<'p> = &'p mut dyn FnMut(&[Param<'_>]) -> Result<(), StoreError>;

/// A database to fill. Other connections do not see its contents until [`Target::finish`].
trait Target: Source {
    /// Writes the rows of a table, which `rows` supplies one by one.
    fn write(
        &mut self,
        table: &Table,
        rows: &mut dyn FnMut(Put<'_>) -> Result<(), StoreError>,
    ) -> Result<(), StoreError>;

    /// Completes the tables once all rows have been written.
    fn complete(&mut self, tables: &[Table]) -> Result<(), StoreError>;

    /// Transaction for queries on the written rows.
    fn tx(&mut self) -> Tx<'_>;

    /// Makes the database durable and visible to other connections.
    fn finish(self: Box<Self>) -> Result<(), StoreError>;
}

/// Checksum of all rows of a table, independent of their order.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Fingerprint {
    rows: u64,
    sum: u64,
}

impl Fingerprint {
    fn add(&mut self, values: &[Param<'_>]) {
        let mut hasher = DefaultHasher::new();
        values.hash(&mut hasher);
        self.rows += 1;
        self.sum = self.sum.wrapping_add(hasher.finish());
    }
}

/// Copies all rows of a database into an empty one of the other engine and compares every value.
/// Then `verify` checks the books in the target before they become visible. The source is
/// unchanged.
///
/// # Errors
/// The source is being served or has another schema version; the target is not empty or is being
/// served; a row cannot be read or written; the written rows differ from the source; or `verify`
/// fails. The target is then empty.
pub fn move_books<E: From<StoreError>>(
    from: &DatabaseUrl,
    to: &DatabaseUrl,
    report: &mut dyn FnMut(Progress<'_>),
    verify: impl FnOnce(&mut Tx<'_>) -> Result<(), E>,
) -> Result<Moved, E> {
    let (mut source, mut target, tables) = open(from, to)?;
    let moved = copy(source.as_mut(), target.as_mut(), &tables, report)?;
    verify(&mut target.tx())?;
    target.finish()?;
    Ok(moved)
}

type Ends = (Box<dyn Source>, Box<dyn Target>, Vec<Table>);

fn open(from: &DatabaseUrl, to: &DatabaseUrl) -> Result<Ends, StoreError> {
    match (from, to) {
        (DatabaseUrl::Sqlite(from), DatabaseUrl::Postgres(to)) => {
            let source = sqlite::Source::open(from)?;
            let mut target = postgres::Target::open(to)?;
            let tables = catalogue::tables(&source.catalogue()?, &target.catalogue()?)?;
            target.clear(&tables)?;
            Ok((Box::new(source), Box::new(target), tables))
        }
        (DatabaseUrl::Postgres(from), DatabaseUrl::Sqlite(to)) => {
            let mut source = postgres::Source::open(from)?;
            let target = sqlite::Target::create(to)?;
            let tables = catalogue::tables(&target.catalogue()?, &source.catalogue()?)?;
            Ok((Box::new(source), Box::new(target), tables))
        }
        (DatabaseUrl::Sqlite(_), DatabaseUrl::Sqlite(_)) => Err(StoreError::Unsupported(
            "both are SQLite files: use `grootboek backup` and `grootboek restore`".into(),
        )),
        (DatabaseUrl::Postgres(_), DatabaseUrl::Postgres(_)) => Err(StoreError::Unsupported(
            "both are PostgreSQL databases: use pg_dump and pg_restore".into(),
        )),
    }
}

fn copy(
    source: &mut dyn Source,
    target: &mut dyn Target,
    tables: &[Table],
    report: &mut dyn FnMut(Progress<'_>),
) -> Result<Moved, StoreError> {
    let mut of = 0;
    for table in tables {
        of += 2 * source.count(table)?;
    }
    let mut rows = 0;
    let mut step = |table: &Table| {
        rows += 1;
        if rows % ROWS_PER_REPORT == 0 || rows == of {
            report(Progress { table: &table.name, rows, of });
        }
    };
    let mut copied = Vec::with_capacity(tables.len());
    for table in tables {
        let mut fingerprint = Fingerprint::default();
        let written = target.write(table, &mut |put| {
            source.read(table, &mut |values| {
                fingerprint.add(values);
                step(table);
                put(values)
            })
        });
        within(table, written)?;
        copied.push(fingerprint);
    }
    target.complete(tables)?;
    for (table, copied) in tables.iter().zip(&copied) {
        let mut written = Fingerprint::default();
        let compared = target.read(table, &mut |values| {
            written.add(values);
            step(table);
            Ok(())
        });
        within(table, compared)?;
        if written != *copied {
            let message = format!(
                "{}: the written rows differ from those read; nothing was moved",
                table.name
            );
            return Err(StoreError::Unreadable(message));
        }
    }
    Ok(Moved {
        tables: tables
            .iter()
            .zip(copied)
            .map(|(table, copied)| (table.name.clone(), copied.rows))
            .collect(),
    })
}

/// Adds the name of the table to an error.
fn within(table: &Table, done: Result<(), StoreError>) -> Result<(), StoreError> {
    done.map_err(|error| StoreError::InTable { table: table.name.clone(), error: Box::new(error) })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fingerprint(rows: &[[Param<'static>; 2]]) -> Fingerprint {
        let mut fingerprint = Fingerprint::default();
        rows.iter().for_each(|row| fingerprint.add(row));
        fingerprint
    }

    /// An in-memory table that, given a fault, stores row 2 incorrectly.
    #[derive(Default)]
    struct Rows(Vec<Vec<Param<'static>>>, Option<Fault>);

    #[derive(Debug, Clone, Copy)]
    enum Fault {
        Loses,
        Changes,
        Doubles,
    }

    impl Source for Rows {
        fn count(&mut self, _: &Table) -> Result<u64, StoreError> {
            Ok(self.0.len() as u64)
        }

        fn read(&mut self, _: &Table, each: Put<'_>) -> Result<(), StoreError> {
            self.0.iter().try_for_each(|row| each(row))
        }
    }

    impl Target for Rows {
        fn write(
            &mut self,
            _: &Table,
            rows: &mut dyn FnMut(Put<'_>) -> Result<(), StoreError>,
        ) -> Result<(), StoreError> {
            let Self(kept, fault) = self;
            rows(&mut |values| {
                let row: Vec<_> = values.iter().cloned().map(Param::into_owned).collect();
                match fault.filter(|_| values[0] == Param::Int(2)) {
                    None => kept.push(row),
                    Some(Fault::Loses) => {}
                    Some(Fault::Changes) => kept.push(vec![Param::Int(2), Param::Null]),
                    Some(Fault::Doubles) => kept.extend([row.clone(), row]),
                }
                Ok(())
            })
        }

        fn complete(&mut self, _: &[Table]) -> Result<(), StoreError> {
            Ok(())
        }

        fn tx(&mut self) -> Tx<'_> {
            panic!("no queries are run on it")
        }

        fn finish(self: Box<Self>) -> Result<(), StoreError> {
            Ok(())
        }
    }

    #[test]
    fn written_rows_must_equal_those_read() {
        let columns = vec![
            ("id".into(), catalogue::ColumnKind::Int),
            ("name".into(), catalogue::ColumnKind::Text),
        ];
        let table = Table { name: "names".into(), columns, key: vec!["id".into()] };
        let rows: Vec<Vec<Param<'static>>> =
            (1..=3).map(|id| vec![Param::Int(id), "a".into()]).collect();
        let moved = |fault| {
            let (mut source, mut target) = (Rows(rows.clone(), None), Rows(Vec::new(), fault));
            let mut last = None;
            let moved =
                copy(&mut source, &mut target, std::slice::from_ref(&table), &mut |progress| {
                    last = Some((progress.rows, progress.of));
                });
            moved.map(|moved| (moved.tables, last, target.0))
        };
        let (tables, last, written) = moved(None).unwrap();
        assert_eq!(
            (tables, last, written),
            (vec![("names".to_owned(), 3)], Some((6, 6)), rows.clone())
        );
        for fault in [Fault::Loses, Fault::Changes, Fault::Doubles] {
            let message = moved(Some(fault)).unwrap_err().to_string();
            assert!(
                message.contains("names: the written rows differ from those read"),
                "{fault:?}: {message}"
            );
        }
    }

    #[test]
    fn a_fingerprint_depends_on_every_value_and_not_on_the_order_of_rows() {
        let rows = [[Param::Int(1), "a".into()], [Param::Int(2), Param::Null]];
        let reversed = [rows[1].clone(), rows[0].clone()];
        assert_eq!(fingerprint(&rows), fingerprint(&reversed));
        for other in [
            [[Param::Int(1), Param::Null], [Param::Int(2), "a".into()]],
            [[Param::Int(1), "b".into()], rows[1].clone()],
            [rows[0].clone(), [Param::Int(2), "".into()]],
        ] {
            assert_ne!(fingerprint(&rows), fingerprint(&other), "{other:?}");
        }
        assert_ne!(fingerprint(&rows), fingerprint(&rows[..1]));
    }
}
