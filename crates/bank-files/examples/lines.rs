//! Prints the lines of files for a comparison with other readers: file, date, cents, and IBAN of the
//! counterparty, separated by tabs: `cargo run -p bank-files --example lines FILE…`. Of a file that
//! is refused it prints the name alone.

use bank_files::{Options, read};
use jiff::civil::date;
use std::{env, fs, io::Write as _};

fn main() -> std::io::Result<()> {
    let mut out = std::io::stdout().lock();
    for name in env::args().skip(1) {
        let options =
            Options { only_euro: true, accept_balance: true, ..Options::new(date(2099, 1, 1)) };
        let Ok(upload) = read(&fs::read(&name)?, &options) else {
            writeln!(out, "{name}")?;
            continue;
        };
        for line in upload.statements.iter().flat_map(|statement| &statement.lines) {
            let iban = line.iban.as_deref().unwrap_or_default();
            writeln!(out, "{name}\t{}\t{}\t{iban}", line.date, line.amount.get())?;
        }
    }
    Ok(())
}
