//! Queue of unsent statements, and the merging of adjacent writes into one statement.

use crate::engine::param::Param;
use std::fmt::Write as _;

/// Maximum number of parameters in a merged statement. The protocol allows 65,535 in any statement.
const MOST_PARAMETERS: usize = 10_000;

/// An unsent statement.
pub(super) enum Queued {
    Simple(&'static str),
    Write(Query),
    /// A query whose result is kept until it is requested.
    Prefetch(Query),
}

/// A statement with its parameters.
#[derive(Clone, PartialEq)]
pub(super) struct Query {
    pub(super) sql: String,
    pub(super) params: Vec<Param<'static>>,
}

/// Merges adjacent writes to different tables into one statement (`WITH … AS (…)`), because each
/// separate statement costs the server a packet and the client a wake-up. All parts see the tables
/// as they were before the statement, so a second write to the same table starts a new statement. A
/// write that reads (contains a `SELECT`) is not merged, as it may depend on an adjacent write.
pub(super) fn merged(queued: Vec<Queued>) -> Vec<Queued> {
    let mut kept: Vec<Queued> = Vec::with_capacity(queued.len());
    let mut run: Vec<Query> = Vec::new();
    for item in queued {
        match item {
            Queued::Write(write) if reads(&write.sql) => {
                kept.extend(one(&mut run));
                kept.push(Queued::Write(write));
            }
            Queued::Write(write) => {
                let table = table_of(&write.sql);
                let params: usize = run.iter().map(|earlier| earlier.params.len()).sum();
                if run.iter().any(|earlier| table_of(&earlier.sql) == table)
                    || params + write.params.len() > MOST_PARAMETERS
                {
                    kept.extend(one(&mut run));
                }
                run.push(write);
            }
            other => {
                kept.extend(one(&mut run));
                kept.push(other);
            }
        }
    }
    kept.extend(one(&mut run));
    kept
}

/// Merges the collected writes into one.
fn one(run: &mut Vec<Query>) -> Option<Queued> {
    if run.len() < 2 {
        return run.pop().map(Queued::Write);
    }
    let mut sql = String::with_capacity(run.iter().map(|write| write.sql.len() + 16).sum());
    let mut params = Vec::new();
    for (part, write) in run.drain(..).enumerate() {
        // Writing to a String cannot fail.
        let _ = write!(sql, "{}w{part} AS (", if part == 0 { "WITH " } else { ", " });
        let mut pieces = write.sql.split('?');
        sql.push_str(pieces.next().unwrap_or(""));
        for piece in pieces {
            let digits = piece.bytes().take_while(u8::is_ascii_digit).count();
            let number: usize = piece[..digits].parse().unwrap_or(0);
            let _ = write!(sql, "?{}{}", number + params.len(), &piece[digits..]);
        }
        sql.push(')');
        params.extend(write.params);
    }
    sql.push_str(" SELECT 1");
    Some(Queued::Write(Query { sql, params }))
}

/// Whether a write also reads from tables.
fn reads(sql: &str) -> bool {
    sql.split(|c: char| !c.is_ascii_alphanumeric()).any(|word| word == "SELECT")
}

/// Returns the table that a write changes.
fn table_of(sql: &str) -> &str {
    let mut words = sql.split_ascii_whitespace();
    match words.next() {
        Some("UPDATE") => words.next().unwrap_or(""),
        _ => words.nth(1).unwrap_or(""),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn write(sql: &str, params: &[i64]) -> Queued {
        Queued::Write(Query {
            sql: sql.to_owned(),
            params: params.iter().copied().map(Param::Int).collect(),
        })
    }

    #[test]
    fn a_write_that_reads_is_not_merged_with_its_neighbours() {
        let reading = "DELETE FROM b WHERE x = ?1 AND y IN (SELECT y FROM a WHERE x = ?1)";
        let queued = vec![
            write("INSERT INTO a (x) VALUES (?1)", &[1]),
            write(reading, &[1]),
            write("UPDATE c SET x = ?1", &[1]),
        ];
        let sent: Vec<String> = merged(queued)
            .into_iter()
            .filter_map(|item| if let Queued::Write(query) = item { Some(query.sql) } else { None })
            .collect();
        assert_eq!(sent, ["INSERT INTO a (x) VALUES (?1)", reading, "UPDATE c SET x = ?1"]);
    }

    #[test]
    fn neighbouring_writes_to_different_tables_become_one_statement() {
        let queued = vec![
            Queued::Simple("BEGIN"),
            write("INSERT INTO a (x, y) VALUES (?1, ?2), (?1, ?3) ", &[1, 2, 3]),
            write("UPDATE b SET x = ?2 WHERE y = ?1", &[4, 5]),
            write("INSERT INTO b (x) VALUES (?1)", &[6]),
            Queued::Simple("COMMIT"),
        ];
        let sent: Vec<(String, usize)> = merged(queued)
            .into_iter()
            .map(|item| match item {
                Queued::Simple(sql) => (sql.to_owned(), 0),
                Queued::Write(query) | Queued::Prefetch(query) => (query.sql, query.params.len()),
            })
            .collect();
        let first = "WITH w0 AS (INSERT INTO a (x, y) VALUES (?1, ?2), (?1, ?3) ), w1 AS (UPDATE b SET x = ?5 WHERE y = ?4) SELECT 1";
        let expected =
            [("BEGIN", 0), (first, 5), ("INSERT INTO b (x) VALUES (?1)", 1), ("COMMIT", 0)];
        assert_eq!(sent, expected.map(|(sql, params)| (sql.to_owned(), params)));
    }
}
