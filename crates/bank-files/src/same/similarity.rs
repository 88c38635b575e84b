//! Likeness of texts.

use crate::limits::MOST_CHARACTERS;

/// Number of different hashes of pairs of characters.
const BINS: usize = 256;
/// Maximum number of characters that are compared.
const COMPARED: usize = 300;

/// Returns a text without blanks, signs and case.
pub(super) fn normalized(text: &str) -> String {
    text.chars()
        .filter(|c| c.is_alphanumeric())
        .flat_map(char::to_lowercase)
        .take(MOST_CHARACTERS)
        .collect()
}

/// Likeness of two texts: the share of their pairs of adjacent letters and digits that both have
/// (Dice coefficient of bigrams, in bins). The texts of two formats have the same words in another
/// order or between other words.
pub(super) struct Likeness(u32);

impl Likeness {
    /// Compares two texts.
    pub(super) fn of(one: &str, other: &str) -> Self {
        if one == other {
            return Self(100);
        }
        let ((one, one_count), (other, other_count)) = (bins(one), bins(other));
        if one_count + other_count == 0 {
            return Self(100);
        }
        let common: u32 =
            one.iter().zip(&other).map(|(one, other)| u32::from(*one.min(other))).sum();
        Self(200 * common / (one_count + other_count))
    }

    /// Returns the likeness, from 0 to 100.
    pub(super) fn hundredths(&self) -> u32 {
        self.0
    }
}

fn bins(text: &str) -> ([u16; BINS], u32) {
    let mut bins = [0; BINS];
    let mut count = 0;
    let mut previous = None;
    let letters = text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase);
    for c in letters.take(COMPARED) {
        if let Some(previous) = previous {
            let pair = u32::from(previous).wrapping_mul(0x9E37).wrapping_add(u32::from(c));
            let bin = pair.wrapping_mul(0x9E37_79B1) >> 24;
            bins[bin as usize] += 1;
            count += 1;
        }
        previous = Some(c);
    }
    (bins, count)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn likeness_ignores_blanks_case_and_signs() {
        let cases = [
            ("Factuur 2026-001", "FACTUUR 2026001", 100..=100),
            ("", "", 100..=100),
            ("Factuur 2026-0281", "Factuur 2026-0282", 80..=99),
            ("Factuur 1", "", 0..=0),
            ("Albert Heijn 1571 Utrecht", "Belastingdienst Apeldoorn", 0..=40),
        ];
        for (one, other, range) in cases {
            let likeness = Likeness::of(one, other).hundredths();
            assert!(range.contains(&likeness), "{one} {other} {likeness}");
        }
    }
}
