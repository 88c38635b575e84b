//! Limits on files. They bound the time and the memory that a file can cost.

/// Maximum size of a file, in bytes: 20 MiB.
pub const MOST_BYTES: usize = 20 << 20;
/// Maximum number of files in an archive.
pub const MOST_FILES: usize = 200;
/// Maximum size of all files in an archive together, in bytes: 100 MiB.
pub const MOST_UNPACKED_BYTES: u64 = 100 << 20;
/// Maximum number of lines, and of payments in batches, in a file or in all files of an archive.
pub const MOST_LINES: usize = 100_000;
/// Maximum number of statements in a file or in all files of an archive: 27 accounts with a
/// statement on each day of a year.
pub const MOST_STATEMENTS: usize = 10_000;
/// Maximum depth of elements in XML.
pub const MOST_DEPTH: usize = 64;
/// Maximum size of a row of CSV, in bytes.
pub const MOST_RECORD_BYTES: usize = 64 << 10;
/// Maximum number of columns of CSV.
pub const MOST_COLUMNS: usize = 200;
/// Maximum number of characters in a text.
pub const MOST_CHARACTERS: usize = 1_000;
/// Maximum number of bytes of a text that are looked at: enough for [`MOST_CHARACTERS`] of four
/// bytes and as many blanks.
pub(crate) const MOST_TEXT_BYTES: usize = 8_000;
/// Maximum number of days that a booking date may be ahead.
pub const MOST_DAYS_AHEAD: i32 = 7;
