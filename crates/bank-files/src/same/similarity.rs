//! Likeness of texts.

use crate::limits::MOST_CHARACTERS;

/// Number of different hashes of pairs of characters.
const BINS: usize = 128;
/// Maximum number of characters that are compared.
const COMPARED: usize = 200;

/// Returns a text without blanks, signs and case.
pub(super) fn normalized(text: &str) -> String {
    letters(text).take(MOST_CHARACTERS).collect()
}

fn letters(text: &str) -> impl Iterator<Item = char> {
    text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase)
}

/// Numbers of pairs of adjacent letters and digits in a text, in bins.
pub(super) struct Signature {
    bins: [u8; BINS],
    count: u8,
}

impl Signature {
    /// Counts the pairs of a text.
    pub(super) fn of(text: &str) -> Self {
        let mut signature = Self { bins: [0; BINS], count: 0 };
        let mut previous = None;
        for c in letters(text).take(COMPARED) {
            if let Some(previous) = previous {
                let pair = u32::from(previous).wrapping_mul(0x9E37).wrapping_add(u32::from(c));
                let bin = pair.wrapping_mul(0x9E37_79B1) >> 25;
                signature.bins[bin as usize] += 1;
                signature.count += 1;
            }
            previous = Some(c);
        }
        signature
    }

    /// Returns the likeness to another text, from 0 to 100: the share of pairs that both have
    /// (Dice coefficient). The texts of two formats have the same words in another order, or
    /// between other words.
    pub(super) fn likeness(&self, other: &Self) -> u8 {
        let total = u32::from(self.count) + u32::from(other.count);
        if total == 0 {
            return 100;
        }
        let common =
            self.bins.iter().zip(&other.bins).map(|(one, other)| u32::from(*one.min(other)));
        u8::try_from(200 * common.sum::<u32>() / total).unwrap_or(100)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn likeness_ignores_blanks_case_and_signs() {
        let long = "Abonnement voor het gebruik van de diensten, maand ".repeat(20);
        let cases = [
            ("Factuur 2026-001", "FACTUUR 2026001", 100..=100),
            ("", "", 100..=100),
            (&long, &long, 100..=100),
            ("Factuur 2026-0281", "Factuur 2026-0282", 80..=99),
            ("Factuur 1", "", 0..=0),
            ("Albert Heijn 1571 Utrecht", "Belastingdienst Apeldoorn", 0..=40),
        ];
        for (one, other, range) in cases {
            let likeness = Signature::of(one).likeness(&Signature::of(other));
            assert!(range.contains(&likeness), "{one} {other} {likeness}");
        }
    }
}
