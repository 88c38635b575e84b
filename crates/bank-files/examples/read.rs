//! Prints the statements and lines of a file: `cargo run -p bank-files --example read FILE…`.

use bank_files::{Cause, Options, Refusal, read};
use jiff::civil::date;
use std::{env, fs};

#[expect(clippy::print_stdout, reason = "a command-line example")]
fn main() -> std::io::Result<()> {
    for name in env::args().skip(1) {
        let bytes = fs::read(&name)?;
        let options =
            Options { only_euro: true, accept_balance: true, ..Options::new(date(2099, 1, 1)) };
        let upload = match read(&bytes, &options) {
            Ok(upload) => upload,
            Err(Refusal { cause: Cause::UnknownCsv(proposal), .. }) => {
                println!("{name}: unknown CSV, proposed: {:#?}", proposal.mapping);
                continue;
            }
            Err(refusal) => {
                println!("{name}: {refusal:?}");
                continue;
            }
        };
        println!(
            "{name}: {} {:?} {}",
            upload.format.as_str(),
            upload.dialect,
            upload.charset.as_str()
        );
        for warning in &upload.warnings.first {
            println!("  line {}: {:?}", warning.line, warning.kind);
        }
        for statement in &upload.statements {
            println!(
                "  {:?} {:?} {} {:?} {:?}–{:?} {:?} → {:?}",
                statement.account,
                statement.number,
                statement.layout,
                statement.currency,
                statement.from,
                statement.to,
                statement.opening,
                statement.closing
            );
            for line in &statement.lines {
                println!(
                    "    {} {} {:>12} {:?} {:?} [{}] {:?} e2e={:?} ref={:?} pay={:?} {:?}",
                    line.source_line,
                    line.date,
                    line.amount.to_string(),
                    line.name,
                    line.iban,
                    line.text,
                    line.kind,
                    line.end_to_end_id,
                    line.bank_reference,
                    line.payment_reference,
                    line.details
                );
            }
        }
    }
    Ok(())
}
