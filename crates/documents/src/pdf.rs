//! Invoice as a PDF file: PDF/A-3 (level A) and PDF/UA-1 in one file, with the e-invoice attached.
//!
//! The layout fits A4 in a Dutch window envelope, with the window on the left or right. The writer
//! (krilla) validates its output against both standards and rejects violations, so no invalid file
//! can result.
#![expect(clippy::float_arithmetic, reason = "places on a page, never amounts")]

mod canvas;
mod font;
mod foot;
mod letter;
mod payment;
mod sheet;
mod table;
mod tail;
mod totals;
mod write;

use crate::{
    invoice::{Invoice, Version},
    logo::Logo,
    words::words,
};
use sheet::Sheet;
use thiserror::Error;

/// Appearance of a user's invoices.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Appearance {
    /// Logo at the top left, at most 62 × 16 mm. Without a logo, the seller's name and details are
    /// the letterhead.
    pub logo: Option<Logo>,
    /// Accent colour: used for the invoice number, the rules and, as a tint, the payment panel;
    /// without a logo also for the seller's name.
    pub accent: Colour,
    /// Side of the envelope's window.
    pub window: Window,
    /// Text above the lines.
    pub opening: Option<String>,
    /// Text at the end.
    pub closing: Option<String>,
}

impl Default for Appearance {
    fn default() -> Self {
        Self {
            logo: None,
            accent: Colour([17, 94, 89]),
            window: Window::None,
            opening: None,
            closing: None,
        }
    }
}

/// Side of the envelope's window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Window {
    /// No window: the letter reserves no space for it.
    None,
    /// Window that shows the sheet from 20 to 120 mm from its left edge.
    Left,
    /// Window that shows the sheet from 95 to 195 mm from its left edge.
    Right,
}

/// Colour: red, green and blue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Colour(pub [u8; 3]);

impl Colour {
    /// Parses `#115e59`.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let digits = text
            .strip_prefix('#')
            .filter(|digits| digits.len() == 6 && digits.bytes().all(|b| b.is_ascii_hexdigit()))?;
        let part = |from: usize| u8::from_str_radix(&digits[from..from + 2], 16).ok();
        Some(Self([part(0)?, part(2)?, part(4)?]))
    }

    /// Returns the colour, darkened until text in it is readable on white: a contrast of 4.5 to 1
    /// (WCAG 2.2, 1.4.3).
    #[must_use]
    pub fn readable(self) -> [u8; 3] {
        let mut ink = self.0;
        while contrast_with_white(ink) < 4.5 {
            ink = ink.map(|part| (f32::from(part) * 0.94) as u8);
        }
        ink
    }

    /// Returns a light tint of the colour, for backgrounds.
    fn tint(self) -> [u8; 3] {
        self.0.map(|part| (255.0 - (255.0 - f32::from(part)) * 0.075) as u8)
    }
}

/// Contrast of a colour with white (WCAG 2.2, "relative luminance").
fn contrast_with_white(ink: [u8; 3]) -> f32 {
    let linear = |part: u8| {
        let part = f32::from(part) / 255.0;
        if part <= 0.04045 { part / 12.92 } else { ((part + 0.055) / 1.055).powf(2.4) }
    };
    1.05 / (0.2126 * linear(ink[0]) + 0.7152 * linear(ink[1]) + 0.0722 * linear(ink[2]) + 0.05)
}

/// Reason why the document cannot be written.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum PdfError {
    /// The stored logo cannot be decoded.
    #[error("unreadable_logo")]
    Logo,
    /// The layout violates PDF/A-3 or PDF/UA-1, which is a bug.
    #[error("not PDF/A-3 and PDF/UA-1: {0}")]
    Refused(String),
}

/// File attached to the document.
struct Attachment<'a> {
    name: &'static str,
    description: &'static str,
    bytes: &'a [u8],
}

/// Writes the document, with the e-invoice attached if there is one. A draft never has an
/// attachment.
///
/// # Errors
/// The logo cannot be decoded, or the layout violates the standards.
pub fn write(
    invoice: &Invoice,
    appearance: &Appearance,
    e_invoice: Option<&[u8]>,
) -> Result<Vec<u8>, PdfError> {
    let words = words(invoice.language);
    let attachment =
        e_invoice.filter(|_| invoice.version != Version::Draft).map(|bytes| Attachment {
            name: if invoice.is_credit_note() { "credit-note.xml" } else { "invoice.xml" },
            description: words.attachment,
            bytes,
        });
    let mut sheet = Sheet::new(invoice, appearance);
    sheet.letter();
    let tail = sheet.tail(attachment.is_some());
    sheet.lines(&tail);
    sheet.draw_tail(tail);
    sheet.feet();
    let (canvas, structure, about) = sheet.finish();
    write::write(canvas, structure, about, appearance.logo.as_ref(), attachment.as_ref())
}

/// Returns the characters of a text that have no glyph in the document's font, each once, in order.
/// They are printed as □.
///
/// The font contains Latin, Greek and Cyrillic only, because more scripts would make it much larger
/// (measured with Noto): Hebrew, Arabic, Thai and Devanagari would add 1.1 MB in two weights and
/// need bidirectional lines; the 13 927 characters of GB 2312, JIS X 0208 and KS X 1001 would add
/// 2.8 MB per weight, complete Chinese, Japanese and Korean 39 MB, and emoji 11 MB.
///
/// ```
/// use documents::pdf::missing_glyphs;
///
/// assert!(missing_glyphs("Café Ωmega").is_empty());
/// assert_eq!(missing_glyphs("東京"), ['東', '京']);
/// ```
#[must_use]
pub fn missing_glyphs(text: &str) -> Vec<char> {
    font::missing(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_without_a_glyph_are_named_once() {
        let cases = [
            ("Café Ĳsselstein Ω Привет ₫ e\u{301} a\u{ad}b\u{200d}\u{202e} A\u{a0}B\tC\nD", ""),
            ("株式会社 会社 B.V.", "株式会社"),
            ("مكتبة", "مكتبة"),
            ("שלום", "שלום"),
            ("한국", "한국"),
            ("ไทย", "ไทย"),
            ("हिन्दी", "हिन्दी"),
            ("🌷🌷", "🌷"),
        ];
        for (text, missing) in cases {
            assert_eq!(missing_glyphs(text).into_iter().collect::<String>(), missing, "{text}");
        }
    }

    #[test]
    fn colours_are_read_and_made_readable() {
        assert_eq!(Colour::parse("#115e59"), Some(Colour([17, 94, 89])));
        for text in ["", "115e59", "#115e5", "#115e5g", "#115e599", "#é15e5"] {
            assert_eq!(Colour::parse(text), None, "{text}");
        }
        for colour in [[255, 255, 255], [255, 255, 0], [0, 200, 255], [17, 94, 89], [0, 0, 0]] {
            assert!(contrast_with_white(Colour(colour).readable()) >= 4.5, "{colour:?}");
        }
        assert_eq!(Colour([17, 94, 89]).readable(), [17, 94, 89]);
    }
}
