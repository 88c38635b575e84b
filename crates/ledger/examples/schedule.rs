//! Prints the days of schedules, so that another program can compare them.
//!
//! Each line of standard input is a schedule: unit, number of units, `true` for the last day of the
//! month, first day, and number of occurrences, separated by spaces. Its days are printed on one
//! line, separated by spaces.

use ledger::schedule::{Rhythm, RhythmUnit, Schedule};
use std::{error::Error, io, process::ExitCode};

fn main() -> ExitCode {
    for line in io::stdin().lines() {
        match line.map_err(Into::into).and_then(|line| days(&line)) {
            Ok(days) => println!("{}", days.join(" ")),
            Err(error) => {
                eprintln!("{error}");
                return ExitCode::FAILURE;
            }
        }
    }
    ExitCode::SUCCESS
}

fn days(line: &str) -> Result<Vec<String>, Box<dyn Error>> {
    let [unit, count, last_day_of_month, first_date, occurrences] =
        line.split(' ').collect::<Vec<_>>()[..]
    else {
        return Err(format!("five values are needed: {line:?}").into());
    };
    let unit = RhythmUnit::parse(unit).ok_or("unknown unit")?;
    let rhythm =
        Rhythm { unit, count: count.parse()?, last_day_of_month: last_day_of_month.parse()? };
    let first_date = first_date.parse()?;
    let count = Some(occurrences.parse()?);
    let schedule = Schedule { rhythm, first_date, first_number: 1, last_date: None, count };
    Ok(schedule.from(1).map(|(_, day)| day.to_string()).collect())
}
