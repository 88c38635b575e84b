//! Charset of a file: byte order mark, else strict UTF-8, else windows-1252.

use encoding_rs::{UTF_16BE, UTF_16LE, WINDOWS_1252};
use std::borrow::Cow;

/// Charset of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Charset {
    /// UTF-8, of which ASCII is a part.
    Utf8,
    /// UTF-16 with the low byte first.
    Utf16Le,
    /// UTF-16 with the high byte first.
    Utf16Be,
    /// Windows-1252, of which ISO 8859-1 is a part.
    Windows1252,
}

impl Charset {
    /// Returns the name of the WHATWG encoding standard.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Utf8 => "utf-8",
            Self::Utf16Le => "utf-16le",
            Self::Utf16Be => "utf-16be",
            Self::Windows1252 => "windows-1252",
        }
    }

    /// Parses a name that [`as_str`](Self::as_str) returns.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        let all = [Self::Utf8, Self::Utf16Le, Self::Utf16Be, Self::Windows1252];
        all.into_iter().find(|charset| charset.as_str() == name)
    }
}

/// Bytes of a text file, without byte order mark and in an encoding of which ASCII is a part.
///
/// Windows-1252 is decoded field by field, so that a large file is not copied as a whole.
pub(crate) struct Source<'b> {
    /// Bytes.
    pub(crate) bytes: Cow<'b, [u8]>,
    /// Charset of the file.
    pub(crate) charset: Charset,
}

impl<'b> Source<'b> {
    /// Determines the charset.
    pub(crate) fn new(bytes: &'b [u8]) -> Self {
        let (charset, bytes) = if let Some(rest) = bytes.strip_prefix(b"\xEF\xBB\xBF") {
            let charset = if is_utf8(rest) { Charset::Utf8 } else { Charset::Windows1252 };
            (charset, Cow::Borrowed(rest))
        } else if let Some(rest) = bytes.strip_prefix(b"\xFF\xFE") {
            (Charset::Utf16Le, owned(UTF_16LE.decode_without_bom_handling(rest).0))
        } else if let Some(rest) = bytes.strip_prefix(b"\xFE\xFF") {
            (Charset::Utf16Be, owned(UTF_16BE.decode_without_bom_handling(rest).0))
        } else if is_utf8(bytes) {
            (Charset::Utf8, Cow::Borrowed(bytes))
        } else {
            (Charset::Windows1252, Cow::Borrowed(bytes))
        };
        Self { bytes, charset }
    }

    /// Decodes a part of the bytes. A character that is cut in half becomes U+FFFD.
    pub(crate) fn decode<'f>(&self, field: &'f [u8]) -> Cow<'f, str> {
        decode(self.charset, field)
    }
}

/// Decodes bytes of a [`Source`].
pub(crate) fn decode(charset: Charset, field: &[u8]) -> Cow<'_, str> {
    match charset {
        Charset::Windows1252 => WINDOWS_1252.decode_without_bom_handling(field).0,
        Charset::Utf8 | Charset::Utf16Le | Charset::Utf16Be => String::from_utf8_lossy(field),
    }
}

fn is_utf8(bytes: &[u8]) -> bool {
    std::str::from_utf8(bytes).is_ok()
}

fn owned(text: Cow<'_, str>) -> Cow<'static, [u8]> {
    Cow::Owned(text.into_owned().into_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mark_decides_then_strict_utf8_then_windows_1252() {
        let cases: [(&[u8], Charset, &str); 7] = [
            (b"\xEF\xBB\xBFcaf\xC3\xA9", Charset::Utf8, "café"),
            (b"caf\xC3\xA9", Charset::Utf8, "café"),
            (b"caf\xE9 \x80", Charset::Windows1252, "café €"),
            (b"\xFF\xFEc\0\xE9\0", Charset::Utf16Le, "cé"),
            (b"\xFE\xFF\0c\0\xE9", Charset::Utf16Be, "cé"),
            (b"\xEF\xBB\xBFcaf\xE9", Charset::Windows1252, "café"),
            (b"", Charset::Utf8, ""),
        ];
        for (bytes, charset, text) in cases {
            let source = Source::new(bytes);
            assert_eq!((source.charset, &*source.decode(&source.bytes)), (charset, text));
        }
    }
}
