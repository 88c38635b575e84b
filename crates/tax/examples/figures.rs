//! `cargo xtask figures`: prints the figures of tax law missing for the year after a date. Fails if
//! they are required by then.

use std::process::ExitCode;
use tax::missing;

fn main() -> ExitCode {
    let Some(Ok(on)) = std::env::args().nth(1).map(|on| on.parse()) else {
        eprintln!("the date must be given as YYYY-MM-DD");
        return ExitCode::FAILURE;
    };
    let (text, complete) = missing::report(on);
    print!("{text}");
    if complete { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
