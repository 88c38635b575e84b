//! Bilingual sentences that contain numbers, formatted by the crate `i18n`.

use crate::{
    value::{cents, round},
    words::Words,
};
use i18n::Texts;
use jiff::civil::Date;
use ledger::{
    decimal::{Decimal, multiply_to_cents, plain},
    language::Language,
};

/// Formats numbers and dates for readers of one language.
pub(crate) struct Notation(Texts);

impl Notation {
    /// An amount, rounded to cents; whole euros are written without cents: `€ 38.883`,
    /// `€ 38.883,50`.
    pub(crate) fn euros(&self, amount: Decimal) -> String {
        let rounded = cents(&amount);
        if let (true, Ok(euros)) = (rounded.fract().is_zero(), i64::try_from(rounded.trunc())) {
            return self.0.whole_euros(euros);
        }
        // Amounts over the limit are rejected earlier.
        multiply_to_cents(&rounded, &Decimal::ONE)
            .map_or_else(|_| plain(&round(&amount, 2)), |cents| self.0.money(cents))
    }

    /// A percentage: `36,97%`.
    pub(crate) fn rate(&self, rate: Decimal) -> String {
        self.0.percent(rate)
    }

    /// Another number: `7,5`.
    pub(crate) fn number(&self, number: Decimal) -> String {
        self.0.number(number)
    }

    /// A day: `14 mei 2026`.
    pub(crate) fn date(&self, day: Date) -> String {
        self.0.date(day)
    }
}

/// A sentence in both languages, each with numbers in its own notation.
pub(crate) fn words(nl: impl Fn(&Notation) -> String, en: impl Fn(&Notation) -> String) -> Words {
    let in_language = |language| Notation(Texts { language });
    Words::owned(nl(&in_language(Language::Dutch)), en(&in_language(Language::English)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use ledger::decimal::parse;

    #[test]
    fn amounts_are_rounded_to_cents_and_whole_euros_have_none() {
        let cases = [
            ("38883", "€\u{a0}38.883", "€38,883"),
            ("-2900.975", "−\u{a0}€\u{a0}2.900,98", "−€2,900.98"),
            ("999.995", "€\u{a0}1.000", "€1,000"),
            ("0.004", "€\u{a0}0", "€0"),
        ];
        for (exact, nl, en) in cases {
            let amount = parse(exact).unwrap();
            assert_eq!(
                words(|n| n.euros(amount), |n| n.euros(amount)),
                Words::owned(nl.to_owned(), en.to_owned()),
                "{exact}"
            );
        }
    }
}
