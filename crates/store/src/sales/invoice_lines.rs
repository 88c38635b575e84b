//! Lines of several documents, limited to the size of a page.

use crate::{
    StoreError, Tx, engine::record, invoices::line_columns, page::PAGE_BYTES, param::Param, params,
    tx::id_list,
};
use ledger::{invoice::Line, money::Cents};
use std::collections::HashMap;

/// Minimum size of a line in a response, in bytes, excluding its description.
const BESIDES: usize = 100;
/// Maximum number of lines read by one statement.
const LINES_AT_ONCE: i64 = 4_000;

/// Lines of each document with their amounts, in order.
pub type LinesOf = HashMap<i64, Vec<(Line, Cents)>>;

/// Reads the lines of the given documents, in the given order, until the page is full; at least one
/// document is read. Also returns the number of documents read.
pub fn lines_of(
    tx: &mut Tx<'_>,
    account: i64,
    invoices: &[i64],
) -> Result<(LinesOf, usize), StoreError> {
    let counts = line_counts(tx, account, invoices)?;
    let (mut lines, mut bytes, mut done) = (LinesOf::new(), 0, 0);
    while done < invoices.len() && bytes < PAGE_BYTES {
        let mut expected = 0;
        let fits = |id: &&i64| {
            expected += counts.get(*id).copied().unwrap_or(0);
            expected <= LINES_AT_ONCE
        };
        let count = invoices[done..].iter().take_while(fits).count().max(1);
        let (places, ids) = id_list(&invoices[done..done + count], 2);
        let mut values: Vec<Param<'_>> = params![account].into();
        values.extend(ids.into_iter().map(Param::Int));
        let sql = format!(
            "SELECT {}, invoice_id FROM invoice_items
             WHERE account_id = ?1 AND invoice_id IN ({places}) ORDER BY invoice_id, line",
            line_columns()
        );
        tx.query(&sql, &values, |row| {
            let (line, amount, invoice): (Line, Cents, i64) = record::read(row)?;
            bytes += line.description.len() + BESIDES;
            lines.entry(invoice).or_default().push((line, amount));
            Ok(())
        })?;
        done += count;
    }
    Ok((lines, done))
}

/// Number of lines per document: the highest line number, because lines are numbered from 1.
fn line_counts(
    tx: &mut Tx<'_>,
    account: i64,
    invoices: &[i64],
) -> Result<HashMap<i64, i64>, StoreError> {
    let (places, ids) = id_list(invoices, 2);
    let mut values: Vec<Param<'_>> = params![account].into();
    values.extend(ids.into_iter().map(Param::Int));
    let sql = format!(
        "SELECT n.id, (SELECT MAX(i.line) FROM invoice_items i WHERE i.account_id = ?1 AND i.invoice_id = n.id) FROM invoices n
         WHERE n.account_id = ?1 AND n.id IN ({places})"
    );
    Ok(tx
        .query(&sql, &values, |row| Ok((row.int(0)?, row.opt_int(1)?.unwrap_or(0))))?
        .into_iter()
        .collect())
}
