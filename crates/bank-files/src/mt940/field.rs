//! Fields: a tag, its value, and lines that continue it.

use crate::limits::MOST_RECORD_BYTES;

/// Tag of a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tag {
    /// `:20:`, start of a message.
    Start,
    /// `:25:`
    Account,
    /// `:28:` or `:28C:`
    Number,
    /// `:60F:`
    Opening,
    /// `:60M:`, opening balance of a page.
    OpeningOfPage,
    /// `:61:`
    Line,
    /// `:62F:`
    Closing,
    /// `:62M:`, closing balance of a page.
    ClosingOfPage,
    /// `:86:`
    Details,
    /// `:34F:`, only in MT942.
    FloorLimit,
    /// Other tags.
    Other,
    /// Lines between messages.
    Envelope,
}

const TAGS: &[(&[u8], Tag)] = &[
    (b"20", Tag::Start),
    (b"21", Tag::Other),
    (b"25", Tag::Account),
    (b"25P", Tag::Account),
    (b"28", Tag::Number),
    (b"28C", Tag::Number),
    (b"34F", Tag::FloorLimit),
    (b"60F", Tag::Opening),
    (b"60M", Tag::OpeningOfPage),
    (b"61", Tag::Line),
    (b"62F", Tag::Closing),
    (b"62M", Tag::ClosingOfPage),
    (b"64", Tag::Other),
    (b"65", Tag::Other),
    (b"86", Tag::Details),
    (b"940", Tag::Envelope),
    (b"NS", Tag::Other),
];

/// Cursor over the fields of a file.
pub(super) struct Fields<'b> {
    bytes: &'b [u8],
    /// Offset and number of the next line.
    next: usize,
    next_line: u32,
    /// Tag of the current field.
    pub(super) tag: Tag,
    /// Number of its first line.
    pub(super) line: u32,
    /// Its lines; the first without the tag.
    pub(super) lines: Vec<&'b [u8]>,
}

impl<'b> Fields<'b> {
    /// Starts before the first field.
    pub(super) fn new(bytes: &'b [u8]) -> Self {
        Self { bytes, next: 0, next_line: 1, tag: Tag::Envelope, line: 1, lines: Vec::new() }
    }

    /// Moves to the next field; false at the end of the file.
    ///
    /// # Errors
    /// A line or a field is too long.
    pub(super) fn advance(&mut self) -> Result<bool, ()> {
        self.lines.clear();
        let Some((line, end)) = self.peek()? else { return Ok(false) };
        self.line = self.next_line;
        self.pass(end);
        if let Some((tag, value)) = tag_of(line) {
            self.tag = tag;
            self.lines.push(value);
        } else {
            self.tag = Tag::Envelope;
            self.lines.push(line);
            return Ok(true);
        }
        let mut length = 0;
        while let Some((line, end)) = self.peek()? {
            if tag_of(line).is_some() || is_end_of_message(line) {
                break;
            }
            length += line.len();
            if length > MOST_RECORD_BYTES {
                return Err(());
            }
            self.pass(end);
            if !line.is_empty() {
                self.lines.push(line);
            }
        }
        Ok(true)
    }

    /// Returns the next line and the offset behind its break.
    fn peek(&self) -> Result<Option<(&'b [u8], usize)>, ()> {
        let rest = &self.bytes[self.next..];
        if rest.is_empty() {
            return Ok(None);
        }
        let length = memchr::memchr2(b'\n', b'\r', rest).unwrap_or(rest.len());
        if length > MOST_RECORD_BYTES {
            return Err(());
        }
        let line_break = match rest[length..] {
            [b'\r', b'\n', ..] => 2,
            [] => 0,
            _ => 1,
        };
        Ok(Some((&rest[..length], self.next + length + line_break)))
    }

    fn pass(&mut self, end: usize) {
        self.next = end;
        self.next_line = self.next_line.saturating_add(1);
    }
}

/// Returns the tag with which a line begins, and the value after it.
fn tag_of(line: &[u8]) -> Option<(Tag, &[u8])> {
    let rest = line.strip_prefix(b":")?;
    let length = rest.iter().take(4).position(|byte| *byte == b':')?;
    let (_, tag) = TAGS.iter().find(|(name, _)| *name == &rest[..length])?;
    Some((*tag, &rest[length + 1..]))
}

/// Whether a line ends a message: `-`, `-}`, ING's `-XXX`, or a block such as `{5:}`. The hyphen of
/// ING may be a soft one.
fn is_end_of_message(line: &[u8]) -> bool {
    let line = line.trim_ascii();
    match line {
        [b'-' | 0xAD]
        | [b'-' | 0xAD, b'X', b'X', b'X', ..]
        | [0xC2, 0xAD, b'X', b'X', b'X', ..] => true,
        [b'-', b'}', ..] => true,
        [b'{', digit, b':', ..] => digit.is_ascii_digit(),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_continue_until_a_known_tag_or_the_end_of_the_message() {
        let file =
            b"{1:F01}{4:\r\n:20:A\r\n:86:een\r\n:12:11\r\n\r\n-twee\r\n-}\r\nABNANL2A\r\n:61:x";
        let mut fields = Fields::new(file);
        let mut all = Vec::new();
        while fields.advance() == Ok(true) {
            let lines: Vec<_> = fields
                .lines
                .iter()
                .map(|line| String::from_utf8_lossy(line).into_owned())
                .collect();
            all.push((fields.tag, fields.line, lines.join("|")));
        }
        let expected = [
            (Tag::Envelope, 1, "{1:F01}{4:"),
            (Tag::Start, 2, "A"),
            (Tag::Details, 3, "een|:12:11|-twee"),
            (Tag::Envelope, 7, "-}"),
            (Tag::Envelope, 8, "ABNANL2A"),
            (Tag::Line, 9, "x"),
        ];
        assert_eq!(all, expected.map(|(tag, line, text)| (tag, line, text.to_owned())));
    }

    #[test]
    fn a_line_of_megabytes_is_refused() {
        let file = [b":86:".to_vec(), vec![b'x'; MOST_RECORD_BYTES + 1]].concat();
        assert_eq!(Fields::new(&file).advance(), Err(()));
    }
}
