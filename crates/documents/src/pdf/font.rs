//! Typeface of the documents, and shaping: the conversion of text to glyphs with their widths.
//!
//! The font is Inter (SIL Open Font License 1.1, `fonts/OFL.txt`), reduced to Latin, Greek and
//! Cyrillic. Characters without a glyph are shown as a square, because PDF/A allows no missing
//! glyphs. The original characters stay in the file for copying and for screen readers.

use krilla::text::{Font, GlyphId, KrillaGlyph};
use rustybuzz::{Direction, Face, Feature, UnicodeBuffer, ttf_parser::Tag};
use std::{collections::HashMap, sync::LazyLock};

/// Font weight.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Weight {
    Regular,
    SemiBold,
}

struct Typeface {
    font: Font,
    face: Face<'static>,
}

static REGULAR: LazyLock<Typeface> =
    LazyLock::new(|| Typeface::read(include_bytes!("../../fonts/Inter-Regular.ttf")));
static SEMI_BOLD: LazyLock<Typeface> =
    LazyLock::new(|| Typeface::read(include_bytes!("../../fonts/Inter-SemiBold.ttf")));

/// Replacement for characters that the font lacks.
const SQUARE: char = '\u{25a1}';

impl Typeface {
    fn read(data: &'static [u8]) -> Self {
        let face = Face::from_slice(data, 0).expect("the font that is built in can be read");
        Self {
            font: Font::new(data.into(), 0).expect("the font that is built in can be read"),
            face,
        }
    }
}

impl Weight {
    fn typeface(self) -> &'static Typeface {
        match self {
            Self::Regular => &REGULAR,
            Self::SemiBold => &SEMI_BOLD,
        }
    }

    pub(super) fn font(self) -> Font {
        self.typeface().font.clone()
    }
}

/// Shaped text; widths are in units of the font size.
#[derive(Clone, Debug, Default)]
pub(super) struct Shaped {
    /// Drawn text.
    pub(super) text: String,
    pub(super) glyphs: Vec<KrillaGlyph>,
    pub(super) width: f32,
    /// Original text, if it differs from the drawn text.
    pub(super) original: Option<String>,
}

impl Shaped {
    /// Appends another piece.
    pub(super) fn append(&mut self, next: &Self) {
        if self.original.is_some() || next.original.is_some() {
            let meant = self.original.get_or_insert_with(|| self.text.clone());
            meant.push_str(next.original.as_deref().unwrap_or(&next.text));
        }
        let offset = self.text.len();
        self.text.push_str(&next.text);
        self.glyphs.extend(next.glyphs.iter().cloned().map(|mut glyph| {
            glyph.text_range = glyph.text_range.start + offset..glyph.text_range.end + offset;
            glyph
        }));
        self.width += next.width;
    }
}

/// Shaper with a cache of words, because the lines of a long invoice repeat most words.
#[derive(Default)]
pub(super) struct Shaper {
    words: HashMap<(Weight, String), Shaped>,
}

impl Shaper {
    /// Shapes a text without line breaks.
    pub(super) fn shape(&mut self, text: &str, weight: Weight) -> Shaped {
        let mut whole = Shaped::default();
        for (place, word) in text.split(' ').enumerate() {
            if place > 0 {
                whole.append(self.word(" ", weight));
            }
            if !word.is_empty() {
                whole.append(self.word(word, weight));
            }
        }
        whole
    }

    fn word(&mut self, word: &str, weight: Weight) -> &Shaped {
        self.words.entry((weight, word.to_owned())).or_insert_with(|| shape(word, weight))
    }

    /// Wraps text into lines of at most `width` font sizes. Wider words are split.
    pub(super) fn wrap(&mut self, text: &str, weight: Weight, width: f32) -> Vec<Shaped> {
        let mut lines = Vec::new();
        for paragraph in text.split('\n') {
            let mut line = Shaped::default();
            for word in paragraph.split_whitespace() {
                let next = self.word(word, weight).clone();
                let space = self.word(" ", weight).clone();
                if !line.text.is_empty() && line.width + space.width + next.width <= width {
                    line.append(&space);
                    line.append(&next);
                    continue;
                }
                if !line.text.is_empty() {
                    // Where a line is broken between words, the text still needs a space (PDF/UA-1,
                    // section 7.2).
                    line.append(&space);
                    lines.push(std::mem::take(&mut line));
                }
                let mut pieces = cut(word, next, weight, width);
                line = pieces.pop().unwrap_or_default();
                lines.append(&mut pieces);
            }
            lines.push(line);
        }
        lines
    }
}

/// Splits a word that is wider than the line into pieces that fit. Clusters are never split; one
/// that is too wide is a piece by itself.
///
/// The pieces reuse the glyphs of the whole word. Shaping each piece again would take time
/// quadratic in the word's length, or more for characters without width.
fn cut(word: &str, whole: Shaped, weight: Weight, width: f32) -> Vec<Shaped> {
    if whole.width <= width {
        return vec![whole];
    }
    let mut places = places_in_text(word, &weight.typeface().face);
    let (mut drawn_begin, mut begin) = (0, 0);
    let fitting = fit(&whole.glyphs, width);
    let mut pieces = Vec::with_capacity(fitting.len());
    for (number, (glyphs, width)) in fitting.iter().enumerate() {
        let drawn_end =
            fitting.get(number + 1).map_or(whole.text.len(), |(next, _)| next[0].text_range.start);
        // Invisible characters between two pieces belong to the first of them.
        let end =
            places.find(|(drawn, _)| *drawn == drawn_end).map_or(word.len(), |(_, place)| place);
        let (drawn, meant) = (&whole.text[drawn_begin..drawn_end], &word[begin..end]);
        let glyphs = glyphs.iter().cloned().map(|mut glyph| {
            glyph.text_range =
                glyph.text_range.start - drawn_begin..glyph.text_range.end - drawn_begin;
            glyph
        });
        pieces.push(Shaped {
            text: drawn.to_owned(),
            glyphs: glyphs.collect(),
            width: *width,
            original: (drawn != meant).then(|| meant.to_owned()),
        });
        (drawn_begin, begin) = (drawn_end, end);
    }
    pieces
}

/// Divides the glyphs into pieces of as many clusters as fit; returns the glyphs and width of each
/// piece.
fn fit(glyphs: &[KrillaGlyph], width: f32) -> Vec<(&[KrillaGlyph], f32)> {
    let mut pieces = Vec::new();
    let (mut begin, mut end, mut filled) = (0, 0, 0.0);
    for cluster in glyphs.chunk_by(|glyph, next| glyph.text_range == next.text_range) {
        let advance: f32 = cluster.iter().map(|glyph| glyph.x_advance).sum();
        if filled + advance > width && end > begin {
            pieces.push((&glyphs[begin..end], filled));
            (begin, filled) = (end, 0.0);
        }
        end += cluster.len();
        filled += advance;
    }
    pieces.push((&glyphs[begin..end], filled));
    pieces
}

fn shape(text: &str, weight: Weight) -> Shaped {
    let Typeface { face, .. } = weight.typeface();
    let drawn = drawable(text, face);
    #[cfg(test)]
    tests::SHAPED.with(|shaped| shaped.set(shaped.get() + drawn.len()));
    let mut buffer = UnicodeBuffer::new();
    buffer.push_str(&drawn);
    buffer.guess_segment_properties();
    buffer.set_direction(Direction::LeftToRight);
    let tabular = Feature::new(Tag::from_bytes(b"tnum"), u32::from(is_amount(text)), ..);
    let shaped = rustybuzz::shape(face, &[tabular], buffer);
    let per_unit = 1.0 / f32::from(u16::try_from(face.units_per_em()).unwrap_or(1));
    let (infos, positions) = (shaped.glyph_infos(), shaped.glyph_positions());
    let mut glyphs = Vec::with_capacity(infos.len());
    let mut width = 0.0;
    let clusters = infos.chunk_by(|info, next| info.cluster == next.cluster);
    let ends = clusters.clone().skip(1).map(|next| next[0].cluster as usize).chain([drawn.len()]);
    let ranges = clusters.zip(ends).flat_map(|(cluster, end)| {
        cluster.iter().map(move |info| (info, info.cluster as usize..end))
    });
    for ((info, range), position) in ranges.zip(positions) {
        let em = |units: i32| f32::from(i16::try_from(units).unwrap_or_default()) * per_unit;
        width += em(position.x_advance);
        glyphs.push(KrillaGlyph::new(
            GlyphId::new(info.glyph_id),
            em(position.x_advance),
            em(position.x_offset),
            em(position.y_offset),
            em(position.y_advance),
            range,
            None,
        ));
    }
    let original = (drawn != text).then(|| text.to_owned());
    Shaped { text: drawn, glyphs, width, original }
}

/// Whether the text is a number or an amount. Its digits then have equal widths, so that columns
/// are aligned; in other text, equal widths would set a hyphen apart from the digits around it.
fn is_amount(text: &str) -> bool {
    text.chars().all(|character| {
        character.is_ascii_digit() || matches!(character, '.' | ',' | '%' | '€' | '−' | '\u{a0}')
    })
}

/// Returns the characters of the text that the font lacks, each once, in order.
pub(super) fn missing(text: &str) -> Vec<char> {
    let face = &Weight::Regular.typeface().face;
    let mut missing = Vec::new();
    for character in text.chars().filter(|character| !is_invisible(*character) && *character != ' ')
    {
        if face.glyph_index(character).is_none_or(|glyph| glyph.0 == 0)
            && !missing.contains(&character)
        {
            missing.push(character);
        }
    }
    missing
}

/// Returns the text with a square for each character that the font lacks, and without invisible
/// characters.
fn drawable(text: &str, face: &Face<'_>) -> String {
    let drawn: String = drawn_characters(text, face).map(|(_, character)| character).collect();
    // A word that consists only of invisible characters is drawn as a square.
    if drawn.is_empty() && !text.is_empty() { SQUARE.to_string() } else { drawn }
}

/// Returns the drawn characters of a text. The position of each is that of the original character
/// in `text`, in bytes.
fn drawn_characters(text: &str, face: &Face<'_>) -> impl Iterator<Item = (usize, char)> {
    let mut after_square = false;
    text.char_indices().filter(|(_, character)| !is_invisible(*character)).filter_map(
        move |(place, character)| {
            let known =
                character == ' ' || face.glyph_index(character).is_some_and(|glyph| glyph.0 != 0);
            let drawn = match character {
                '\t' if known => Some(' '),
                _ if known => Some(character),
                _ => (!(after_square && is_mark(character))).then_some(SQUARE),
            };
            after_square = !known;
            drawn.map(|drawn| (place, drawn))
        },
    )
}

/// Returns the start of each drawn character, in the drawn text and in the original.
fn places_in_text(text: &str, face: &Face<'_>) -> impl Iterator<Item = (usize, usize)> {
    drawn_characters(text, face).scan(0, |drawn, (place, character)| {
        let begin = *drawn;
        *drawn += character.len_utf8();
        Some((begin, place))
    })
}

/// Whether a character is never drawn: formatting and control characters, joiners, variation
/// selectors and soft hyphens.
fn is_invisible(character: char) -> bool {
    matches!(character, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{2064}' | '\u{2066}'..='\u{206f}'
        | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{e0000}'..='\u{e0fff}')
        || character.is_control()
}

/// Whether a character modifies the preceding one: combining marks, vowel signs of Arabic and
/// Hebrew, skin tones of emoji.
fn is_mark(character: char) -> bool {
    matches!(character, '\u{300}'..='\u{36f}' | '\u{591}'..='\u{5c7}' | '\u{610}'..='\u{61a}' | '\u{64b}'..='\u{65f}' | '\u{6d6}'..='\u{6ed}'
        | '\u{1f3fb}'..='\u{1f3ff}')
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::cell::Cell;

    thread_local! {
        /// Number of bytes of text that this thread has shaped.
        pub(super) static SHAPED: Cell<usize> = const { Cell::new(0) };
    }

    #[test]
    fn every_language_of_the_union_has_its_letters() {
        let text = "Ĳĳ ëïöü àâçéèêîôûœ äöüßẞ ąćęłńóśźż ăâîșț čďěňřšťůž őű ħġ āčēģīķļņšūž õ ŋ ΑΒΓΔ αβγδάέήίόύώ АБВГ абвгщьюя ĂĐĞİŞ € № – — ’ “ ” − ×";
        for weight in [Weight::Regular, Weight::SemiBold] {
            assert_eq!(Shaper::default().shape(text, weight).original, None);
        }
    }

    #[test]
    fn what_the_font_lacks_is_a_square_and_keeps_its_meaning() {
        let mut shaper = Shaper::default();
        let shaped = shaper.shape("Café 王小明 🎉", Weight::Regular);
        assert_eq!(shaped.text, "Café □□□ □");
        assert_eq!(shaped.original.as_deref(), Some("Café 王小明 🎉"));
        assert!(shaped.glyphs.iter().all(|glyph| glyph.glyph_id.to_u32() != 0));
        let family = shaper.shape("👩🏽\u{200d}💻 a\u{ad}b", Weight::Regular);
        assert_eq!(
            (family.text.as_str(), family.original.as_deref()),
            ("□□ ab", Some("👩🏽\u{200d}💻 a\u{ad}b"))
        );
    }

    #[test]
    fn lines_are_no_wider_than_they_may_be_and_lose_no_letter() {
        let mut shaper = Shaper::default();
        let text = format!("een twee {} drie\n\nvier", "W".repeat(300));
        let lines = shaper.wrap(&text, Weight::Regular, 20.0);
        // The space at the end of a line is invisible.
        assert!(
            lines.iter().all(|line| line.width <= 20.0 + 0.5),
            "{:?}",
            lines.iter().map(|line| line.width).collect::<Vec<_>>()
        );
        let letters = |text: &str| text.chars().filter(|c| !c.is_whitespace()).collect::<String>();
        assert_eq!(
            letters(&lines.iter().map(|line| line.text.as_str()).collect::<String>()),
            letters(&text)
        );
        assert_eq!(lines.last().map(|line| line.text.as_str()), Some("vier"));
    }
    fn meant(piece: &Shaped) -> &str {
        piece.original.as_deref().unwrap_or(&piece.text)
    }

    /// Letters of several scripts, digits, characters that the font lacks, invisible characters,
    /// and combining marks.
    const CHARACTERS: &str =
        "[a-zA-Z0-9WfilÄßéЖω€.,/>\u{ad}\u{200b}\u{200d}\u{fe0f}\u{301}\u{308}\u{5b0}王🎉👩]{1,60}";

    proptest! {
        #[test]
        fn a_word_that_is_cut_is_the_word_in_pieces_that_fit(word in CHARACTERS, width in 0.1_f32..12.0, heavy: bool) {
            let weight = if heavy { Weight::SemiBold } else { Weight::Regular };
            let whole = shape(&word, weight);
            let pieces = cut(&word, whole.clone(), weight, width);
            prop_assert_eq!(pieces.iter().map(meant).collect::<String>(), &*word);
            prop_assert_eq!(pieces.iter().map(|piece| &*piece.text).collect::<String>(), &*whole.text);
            let glyphs = |of: &Shaped| of.glyphs.iter().map(|glyph| glyph.glyph_id).collect::<Vec<_>>();
            prop_assert_eq!(pieces.iter().flat_map(glyphs).collect::<Vec<_>>(), glyphs(&whole));
            for piece in &pieces {
                let is_one_cluster = piece.glyphs.iter().all(|glyph| glyph.text_range == (0..piece.text.len()));
                prop_assert!(piece.width <= width || is_one_cluster, "{} in {}: {:?}", piece.width, width, piece.text);
                prop_assert!(piece.glyphs.iter().all(|glyph| piece.text.get(glyph.text_range.clone()).is_some()));
                prop_assert_eq!(piece.glyphs.iter().map(|glyph| glyph.x_advance).sum::<f32>(), piece.width);
            }
        }
    }

    #[test]
    fn each_word_is_shaped_once_however_often_and_into_however_many_lines_it_is_cut() {
        let mut shaper = Shaper::default();
        for word in [
            "W".repeat(1_000),
            "a\u{ad}".repeat(500),
            "\u{ad}".repeat(1_000),
            "\u{200b}W".repeat(500),
            "e\u{301}".repeat(500),
            "王".repeat(1_000),
        ] {
            let drawn = drawable(&word, &REGULAR.face).len();
            SHAPED.set(0);
            for width in [20.0, 20.0, 10.0, 1.0] {
                let lines = shaper.wrap(&word, Weight::Regular, width);
                assert_eq!(lines.iter().map(meant).collect::<String>(), word);
            }
            // Regardless of the number of lines, only the word and one space are shaped.
            assert!(SHAPED.get() <= drawn + 1, "{} of {drawn}", SHAPED.get());
        }
    }
}
