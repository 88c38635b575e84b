//! Tests of whole files: published samples, files written after the banks' descriptions, random
//! files and hostile ones.

#![expect(clippy::unwrap_used, reason = "a test may panic, also in what it calls")]

mod abuse;
mod banks;
mod camt;
mod csv_mapping;
mod dialects;
mod mutations;
mod overlap;
mod round_trip;
mod samples;
mod second_readers;
mod writers;

use bank_files::{Options, Refusal, Upload, read};
use jiff::civil::{Date, date};

/// Day on which the tests read files.
const TODAY: Date = date(2026, 11, 28);

/// Reads a file that has to be right.
fn right(bytes: impl AsRef<[u8]>) -> Upload {
    read(bytes.as_ref(), &Options::new(TODAY)).unwrap()
}

/// Reads a file that has to be refused.
fn refused(bytes: impl AsRef<[u8]>) -> Refusal {
    read(bytes.as_ref(), &Options::new(TODAY)).unwrap_err()
}
