//! Rows of a CSV file, split into fields within a fixed amount of memory.

use crate::{
    charset::{self, Charset},
    limits::{MOST_COLUMNS, MOST_RECORD_BYTES},
    refusal::{Cause, Unsupported},
    text::line_breaks,
};
use csv_core::{ReadRecordResult, Reader, ReaderBuilder};
use std::borrow::Cow;

/// Notation of rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Quoting {
    /// Fields may be in double quotes (RFC 4180).
    Fields,
    /// bunq: fields are in double quotes, and the whole row once more.
    Rows,
    /// ABN AMRO: quotes have no meaning.
    None,
    /// ASN, SNS, RegioBank: the last two texts are in single quotes.
    Asn,
}

/// Delimiter and notation of rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Notation {
    /// Delimiter.
    pub(super) delimiter: u8,
    /// Quotes.
    pub(super) quoting: Quoting,
}

/// Cursor over the rows of a file.
pub(super) struct Rows<'b> {
    bytes: &'b [u8],
    charset: Charset,
    notation: Notation,
    reader: Reader,
    next: usize,
    /// Line of the next row, and the line breaks that were counted.
    next_line: u32,
    /// Line of the current row.
    pub(super) line: u32,
    buffer: Vec<u8>,
    ends: Vec<usize>,
    count: usize,
    /// Whether the current row was cut within a quoted field.
    is_cut: bool,
}

impl<'b> Rows<'b> {
    /// Starts before the first row.
    pub(super) fn new(bytes: &'b [u8], charset: Charset, notation: Notation) -> Self {
        Self {
            bytes,
            charset,
            notation,
            reader: reader(notation),
            next: 0,
            next_line: 1,
            line: 0,
            buffer: vec![0; MOST_RECORD_BYTES],
            ends: vec![0; MOST_COLUMNS],
            count: 0,
            is_cut: false,
        }
    }

    /// Moves to the next row that is not empty; false at the end.
    ///
    /// # Errors
    /// The row is too long or has too many fields.
    pub(super) fn advance(&mut self) -> Result<bool, Cause> {
        self.skip_breaks();
        if self.next >= self.bytes.len() {
            return Ok(false);
        }
        self.line = self.next_line;
        let rest = &self.bytes[self.next..];
        if self.notation.quoting == Quoting::Asn {
            let length = memchr::memchr2(b'\n', b'\r', rest).unwrap_or(rest.len());
            self.split_asn(&rest[..length])?;
            let is_last = rest[length..].trim_ascii().is_empty();
            self.is_cut = self.is_cut && is_last;
            self.pass(length);
            return Ok(true);
        }
        let read = self.read(rest)?;
        let row = rest[..read].trim_ascii_end();
        let may_be_cut = read == rest.len() || memchr::memchr2(b'\n', b'\r', row).is_some();
        self.is_cut = self.notation.quoting != Quoting::None
            && may_be_cut
            && is_cut(row, self.notation.delimiter);
        self.pass(read);
        if self.notation.quoting == Quoting::Rows && self.count == 1 {
            let row = self.buffer[..self.ends[0]].to_vec();
            self.reader.reset();
            self.read(&row)?;
        }
        Ok(true)
    }

    /// Whether the current row was cut within a quoted field, which then has no end, or ends where
    /// the next one begins.
    pub(super) fn is_cut(&self) -> bool {
        self.is_cut
    }

    /// Number of fields in the current row.
    pub(super) fn len(&self) -> usize {
        self.count
    }

    /// Returns a field of the current row; empty if the row is shorter.
    pub(super) fn field(&self, index: usize) -> Cow<'_, str> {
        if index >= self.count {
            return Cow::Borrowed("");
        }
        let start = if index == 0 { 0 } else { self.ends[index - 1] };
        charset::decode(self.charset, &self.buffer[start..self.ends[index]])
    }

    /// Returns all fields of the current row.
    pub(super) fn fields(&self) -> Vec<Cow<'_, str>> {
        (0..self.count).map(|index| self.field(index)).collect()
    }

    /// Reads one row into the buffer, and returns the number of bytes that it has.
    fn read(&mut self, bytes: &[u8]) -> Result<usize, Cause> {
        self.count = 0;
        let (mut read, mut written) = (0, 0);
        loop {
            let (result, input, output, fields) = self.reader.read_record(
                &bytes[read..],
                &mut self.buffer[written..],
                &mut self.ends[self.count..],
            );
            read += input;
            written += output;
            self.count += fields;
            match result {
                // The end is only reported for empty input, which the next call has.
                ReadRecordResult::InputEmpty => {}
                ReadRecordResult::Record | ReadRecordResult::End => return Ok(read),
                ReadRecordResult::OutputFull | ReadRecordResult::OutputEndsFull => {
                    return Err(Cause::UnsupportedFile(Unsupported::RecordTooLong));
                }
            }
        }
    }

    /// Splits a row of ASN: 19 fields, of which only the last but one, and the one before it if it
    /// is in quotes, may contain the delimiter.
    fn split_asn(&mut self, row: &[u8]) -> Result<(), Cause> {
        if row.len() > MOST_RECORD_BYTES {
            return Err(Cause::UnsupportedFile(Unsupported::RecordTooLong));
        }
        (self.count, self.is_cut) = (0, false);
        let mut written = 0;
        let mut rest = Some(row);
        while let Some(bytes) = rest {
            let delimiter = self.notation.delimiter;
            let end = match self.count {
                16 if bytes.starts_with(b"'") => {
                    memchr::memmem::find(bytes, &[b'\'', delimiter]).map(|end| end + 1)
                }
                17 => memchr::memrchr(delimiter, bytes)
                    .filter(|end| bytes[end + 1..].iter().all(u8::is_ascii_digit)),
                _ => memchr::memchr(delimiter, bytes),
            };
            let field = &bytes[..end.unwrap_or(bytes.len())];
            let field = match field {
                [b'\'', inner @ .., b'\''] if self.count >= 16 => inner,
                [b'\'', ..] if self.count >= 16 && end.is_none() => {
                    self.is_cut = true;
                    field
                }
                [b'"', inner @ .., b'"'] => inner,
                _ => field,
            };
            if self.count == MOST_COLUMNS {
                return Err(Cause::UnsupportedFile(Unsupported::RecordTooLong));
            }
            self.buffer[written..written + field.len()].copy_from_slice(field);
            written += field.len();
            self.ends[self.count] = written;
            self.count += 1;
            rest = end.map(|end| &bytes[end + 1..]);
        }
        Ok(())
    }

    fn skip_breaks(&mut self) {
        let breaks =
            self.bytes[self.next..].iter().take_while(|byte| matches!(byte, b'\n' | b'\r'));
        let length = breaks.count();
        self.pass(length);
    }

    /// Moves past a number of bytes.
    fn pass(&mut self, length: usize) {
        let breaks = line_breaks(self.bytes, self.next..self.next + length);
        self.next_line = self.next_line.saturating_add(breaks);
        self.next += length;
    }
}

/// Whether a row ends within a quoted field, or a quoted field is followed by something else than a
/// delimiter.
fn is_cut(row: &[u8], delimiter: u8) -> bool {
    /// Place in a field.
    enum Place {
        Start,
        Plain,
        Quoted,
        Quote,
    }
    let mut place = Place::Start;
    for byte in row {
        place = match (place, *byte) {
            (Place::Start, b'"') | (Place::Quote, b'"') => Place::Quoted,
            (Place::Quoted, b'"') => Place::Quote,
            (Place::Quoted, _) => Place::Quoted,
            (_, byte) if byte == delimiter => Place::Start,
            (Place::Quote, _) => return true,
            (Place::Start | Place::Plain, _) => Place::Plain,
        };
    }
    matches!(place, Place::Quoted)
}

fn reader(notation: Notation) -> Reader {
    ReaderBuilder::new()
        .delimiter(notation.delimiter)
        .quoting(notation.quoting != Quoting::None)
        .build()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(text: &str, delimiter: u8, quoting: Quoting) -> Vec<(u32, Vec<String>)> {
        let mut rows = Rows::new(text.as_bytes(), Charset::Utf8, Notation { delimiter, quoting });
        let mut all = Vec::new();
        while rows.advance().unwrap() {
            all.push((rows.line, rows.fields().iter().map(ToString::to_string).collect()));
        }
        all
    }

    fn row(line: u32, fields: &[&str]) -> (u32, Vec<String>) {
        (line, fields.iter().map(ToString::to_string).collect())
    }

    #[test]
    fn quotes_breaks_and_lines_are_known() {
        let expected = [row(1, &["a", "b;\"c\nd"]), row(3, &["e", ""]), row(5, &["f"])];
        for text in ["a;\"b;\"\"c\nd\"\ne;\n\nf", "a;\"b;\"\"c\nd\"\r\ne;\r\n\r\nf\r\n"] {
            assert_eq!(all(text, b';', Quoting::Fields), expected);
        }
        assert_eq!(all("a\rb\r", b',', Quoting::Fields), [row(1, &["a"]), row(2, &["b"])]);
        assert_eq!(all("a\t\"b\tc", b'\t', Quoting::None), [row(1, &["a", "\"b", "c"])]);
    }

    #[test]
    fn rows_of_bunq_are_quoted_twice() {
        let text = "\"a,\"\"b\"\"\"\n\"1,\"\"-83,86\"\",\"\"\"\"\"\n";
        let expected = [row(1, &["a", "b"]), row(2, &["1", "-83,86", ""])];
        assert_eq!(all(text, b',', Quoting::Rows), expected);
    }

    #[test]
    fn texts_of_asn_may_contain_delimiters_and_quotes() {
        let head = "d,i,i,'t Hoekje,,,,EUR,1.00,EUR,2.00,d,d,1,OVB,5";
        let cases = [
            (",,'a, b',3", "", "a, b"),
            (",'123abc/1','PIN 's-Hage, x',3", "123abc/1", "PIN 's-Hage, x"),
            (",'1,2','a',3", "1,2", "a"),
        ];
        for (tail, reference, text) in cases {
            let rows = all(&format!("{head}{tail}"), b',', Quoting::Asn);
            let fields = &rows[0].1;
            assert_eq!((fields.len(), &*fields[3]), (19, "'t Hoekje"), "{tail}");
            assert_eq!((&*fields[16], &*fields[17], &*fields[18]), (reference, text, "3"));
        }
    }

    #[test]
    fn rows_that_were_cut_within_a_quoted_field_are_known() {
        let cut = |text: &str, quoting| {
            let mut rows =
                Rows::new(text.as_bytes(), Charset::Utf8, Notation { delimiter: b',', quoting });
            let mut cut = Vec::new();
            while rows.advance().unwrap() {
                cut.push(rows.is_cut());
            }
            cut
        };
        for (text, expected) in [
            ("a,\"b\"\nc,\"d", &[false, true][..]),
            ("a,\"b\"\nc,\"d\"", &[false, false]),
            ("a,\"b\"\nc,\"d\"\"", &[false, true]),
            ("a,\"b\"\nc,\"d\"\r\n", &[false, false]),
            ("a,\"b\nc\",\"d\"\n", &[false]),
            ("a,\"b\n\"c\",\"d\"\n", &[true]),
            // Only rows of several lines can contain the next one.
            ("a,\"b \"x\" c\"\nd\n", &[false, false]),
            ("a,\"\"\n", &[false]),
        ] {
            assert_eq!(cut(text, Quoting::Fields), expected, "{text}");
        }
        assert_eq!(cut("\"a,\"\"b\"\"\"\n\"1,\"\"-83", Quoting::Rows), [false, true]);
        let head = "d,i,i,'t Hoekje,,,,EUR,1.00,EUR,2.00,d,d,1,OVB,5,,";
        assert_eq!(cut(&format!("{head}'a, b\n"), Quoting::Asn), [true]);
        assert_eq!(cut(&format!("{head}'a, b',3\n{head}'a'"), Quoting::Asn), [false, false]);
    }

    #[test]
    fn an_open_quote_does_not_swallow_the_file() {
        let text = format!("a;\"{}", "x\n".repeat(MOST_RECORD_BYTES));
        let mut rows = Rows::new(
            text.as_bytes(),
            Charset::Utf8,
            Notation { delimiter: b';', quoting: Quoting::Fields },
        );
        assert!(rows.advance().is_err());
    }
}
