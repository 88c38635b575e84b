//! `cargo xtask figures`: prints the figures of tax law that are missing for the year after a given
//! date. Fails if any of them should have been published by that date.

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
