//! Moving all books from one engine to the other: every row of every table that both catalogues name.
//!
//! The target is filled in one transaction (PostgreSQL) or under another name (SQLite) and is verified before it is there for others, so that
//! it holds everything or nothing: nobody can serve a half of it, and a move that was broken off is simply begun again.

mod catalogue;
mod postgres;
mod sqlite;

use crate::{DatabaseUrl, StoreError, Tx, param::Param};
use catalogue::Table;
use std::hash::{DefaultHasher, Hash, Hasher};

/// Rows between two reports.
const ROWS_PER_REPORT: u64 = 10_000;

/// How far a move is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress<'a> {
    /// The table that is copied or compared just now.
    pub table: &'a str,
    /// Rows that are copied or compared so far.
    pub rows: u64,
    /// Rows that will be copied or compared in all: each row is both.
    pub of: u64,
}

/// What was moved.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Moved {
    /// Each table with the number of its rows.
    pub tables: Vec<(String, u64)>,
}

/// A database whose rows are read.
trait Source {
    /// How many rows a table has.
    fn count(&mut self, table: &Table) -> Result<u64, StoreError>;

    /// Hands each row of a table to `each`, one after the other.
    fn read(&mut self, table: &Table, each: Put<'_>) -> Result<(), StoreError>;
}

/// What takes the values of a row.
type Put<'p> = &'p mut dyn FnMut(&[Param<'_>]) -> Result<(), StoreError>;

/// A database that is filled. Until [`Target::finish`] nothing of it is there for others.
trait Target: Source {
    /// Writes the rows of a table, which `rows` hands over one after the other.
    fn write(&mut self, table: &Table, rows: &mut dyn FnMut(Put<'_>) -> Result<(), StoreError>) -> Result<(), StoreError>;

    /// Does what is to be done once all rows are there.
    fn complete(&mut self, tables: &[Table]) -> Result<(), StoreError>;

    /// For questions about what was written.
    fn tx(&mut self) -> Tx<'_>;

    /// Makes it durable, and there for others.
    fn finish(self: Box<Self>) -> Result<(), StoreError>;
}

/// All rows of a table in one number, whatever their order.
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

/// Copies all rows of a database into an empty one of the other engine, and compares every value; `verify` then looks at the books in the
/// target before anybody else can. The source is left as it is.
///
/// # Errors
/// The source is served, or its tables are not those of this program; the target is not empty, or is served; a row cannot be read, or cannot
/// be written; what was written is not what was read; or `verify` says so. Then nothing is in the target.
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
        (DatabaseUrl::Sqlite(_), DatabaseUrl::Sqlite(_)) => {
            Err(StoreError::Unsupported("both are SQLite files: use `grootboek backup` and `grootboek restore`".into()))
        }
        (DatabaseUrl::Postgres(_), DatabaseUrl::Postgres(_)) => {
            Err(StoreError::Unsupported("both are PostgreSQL databases: use pg_dump and pg_restore".into()))
        }
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
        let mut found = Fingerprint::default();
        let compared = target.read(table, &mut |values| {
            found.add(values);
            step(table);
            Ok(())
        });
        within(table, compared)?;
        if found != *copied {
            let said = format!("{}: what was written is not what was read; nothing was moved", table.name);
            return Err(StoreError::Unreadable(said));
        }
    }
    Ok(Moved { tables: tables.iter().zip(copied).map(|(table, copied)| (table.name.clone(), copied.rows)).collect() })
}

/// Says which table it was that something was wrong with.
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

    /// A table in memory, and what is wrong with how it keeps the row 2.
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
        fn write(&mut self, _: &Table, rows: &mut dyn FnMut(Put<'_>) -> Result<(), StoreError>) -> Result<(), StoreError> {
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
            panic!("nothing is asked of it")
        }

        fn finish(self: Box<Self>) -> Result<(), StoreError> {
            Ok(())
        }
    }

    #[test]
    fn what_was_written_must_be_what_was_read() {
        let columns = vec![("id".into(), catalogue::ColumnKind::Int), ("name".into(), catalogue::ColumnKind::Text)];
        let table = Table { name: "names".into(), columns, key: vec!["id".into()] };
        let rows: Vec<Vec<Param<'static>>> = (1..=3).map(|id| vec![Param::Int(id), "a".into()]).collect();
        let moved = |fault| {
            let (mut source, mut target) = (Rows(rows.clone(), None), Rows(Vec::new(), fault));
            let mut last = None;
            let moved = copy(&mut source, &mut target, std::slice::from_ref(&table), &mut |progress| {
                last = Some((progress.rows, progress.of));
            });
            moved.map(|moved| (moved.tables, last, target.0))
        };
        let (tables, last, written) = moved(None).unwrap();
        assert_eq!((tables, last, written), (vec![("names".to_owned(), 3)], Some((6, 6)), rows.clone()));
        for fault in [Fault::Loses, Fault::Changes, Fault::Doubles] {
            let said = moved(Some(fault)).unwrap_err().to_string();
            assert!(said.contains("names: what was written is not what was read"), "{fault:?}: {said}");
        }
    }

    #[test]
    fn a_fingerprint_sees_every_value_and_not_the_order_of_rows() {
        let rows = [[Param::Int(1), "a".into()], [Param::Int(2), Param::Null]];
        let turned = [rows[1].clone(), rows[0].clone()];
        assert_eq!(fingerprint(&rows), fingerprint(&turned));
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
