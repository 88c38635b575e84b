//! Trial of a mapping: the first rows of a file, and the lines that the mapping reads from them.

use super::{
    Groups,
    mapping::Mapping,
    plan,
    proposal::{self, SHOWN},
    read_row, recognize,
    rows::Rows,
};
use crate::{
    charset::{Charset, Source},
    fault::Fault,
    refusal::Cause,
    report::Report,
    upload::Line,
};
use jiff::civil::Date;

/// First rows of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sample {
    /// First five rows.
    pub rows: Vec<Vec<Box<str>>>,
    /// Hash of the first row, for [`Mapping::head`].
    pub head: Option<Box<str>>,
}

/// Row of a file as a mapping reads it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TrialRow {
    /// Line of the file, from 1.
    pub line: u32,
    /// Line that was read, or the faults of its values; `Ok(None)` for a row without a line in euros.
    pub outcome: Result<Option<Line>, Vec<Fault>>,
}

/// Splits the first rows of a file.
#[must_use]
pub fn sample(bytes: &[u8], delimiter: u8, encoding: Option<Charset>) -> Sample {
    let mut source = Source::new(bytes);
    recognize::apply_encoding(&mut source, encoding);
    let (rows, head) = proposal::first_rows(&source, delimiter, SHOWN);
    Sample { rows, head }
}

/// Reads the first `most` rows after the head of a file with a mapping; `None` if a column that the
/// mapping names is absent, or the head is too long.
#[must_use]
pub fn trial(bytes: &[u8], mapping: &Mapping, today: Date, most: usize) -> Option<Vec<TrialRow>> {
    let mut source = Source::new(bytes);
    recognize::apply_encoding(&mut source, mapping.encoding);
    let plan = plan::of_mapping(&source, mapping).ok()??;
    let mut rows = Rows::new(&source.bytes, source.charset, plan.notation);
    for _ in 0..plan.head_rows {
        rows.advance().ok()?;
    }
    let mut read = Vec::new();
    while read.len() < most && rows.advance() == Ok(true) {
        let (mut report, mut groups) = (Report::new(today, true), Groups::default());
        let outcome = match read_row(&rows, &plan, &mut groups, &mut report) {
            Ok(()) => match report.finish() {
                Ok(_) => Ok(groups.groups.into_iter().flat_map(|group| group.lines).next()),
                Err(Cause::Faults(faults)) => Err(faults.first),
                Err(_) => Ok(None),
            },
            Err(_) => Ok(None),
        };
        read.push(TrialRow { line: rows.line, outcome });
    }
    Some(read)
}
