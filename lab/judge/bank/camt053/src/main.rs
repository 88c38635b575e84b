//! Prints the lines of CAMT.053 files as the crate `camt053` reads them: file, date, cents, and IBAN
//! of the counterparty, separated by tabs. Of a file that the crate refuses it prints the name and,
//! after a tab, the reason.

use camt053::{CamtError, Document, schema::EntryStatusCode};
use std::{env, io::Write as _};

fn main() -> std::io::Result<()> {
    let mut out = std::io::stdout().lock();
    for name in env::args().skip(1) {
        match lines(&name) {
            Ok(lines) => {
                for (date, cents, iban) in lines {
                    writeln!(out, "{name}\t{date}\t{cents}\t{iban}")?;
                }
            }
            Err(error) => {
                let reason: Vec<String> =
                    error.to_string().split_whitespace().map(str::to_owned).collect();
                writeln!(out, "{name}\t{}", reason.join(" "))?;
            }
        }
    }
    Ok(())
}

/// Reads the booked entries of euro accounts. Entries rather than the crate's simpler statements,
/// which it refuses if they do not add up.
fn lines(name: &str) -> Result<Vec<(String, i128, String)>, CamtError> {
    let document = Document::load(name)?;
    let statements = document.statements().iter();
    let entries = statements
        .filter(|statement| statement.account.currency.as_deref() == Some("EUR"))
        .flat_map(|statement| &statement.entry)
        .filter(|entry| matches!(entry.status.code(), Some(EntryStatusCode::BOOK)));
    entries
        .map(|entry| {
            let mut amount = entry.amount();
            amount.rescale(2);
            let iban = entry.counter_iban().unwrap_or_default();
            Ok((entry.book_date()?.to_string(), amount.mantissa(), iban))
        })
        .collect()
}
