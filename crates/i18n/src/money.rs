//! Formatting of euro amounts: `€ 1.234,56` in Dutch, `€1,234.56` in English. [`crate::read_money`]
//! parses them.

use crate::{
    Language, Texts,
    number::{MINUS, NO_BREAK_SPACE},
};
use ledger::money::Cents;
use std::borrow::Borrow;

impl Texts {
    /// An amount with its currency: `€ 1.234,56`, `€1,234.56`; negative `− € 12,50`, `−€12.50`.
    #[must_use]
    pub fn money(self, amount: impl Borrow<Cents>) -> String {
        self.with_currency(*amount.borrow(), |amount| amount.to_string())
    }

    /// An amount in whole euros, as on tax returns: `€ 1.234`, `€1,234`. The caller rounds it.
    #[must_use]
    pub fn whole_euros(self, euros: i64) -> String {
        self.with_currency(Cents::new(euros), |euros| euros.get().to_string())
    }

    /// An amount in a column: `1.234,56`, `1,234.56`.
    #[must_use]
    pub fn amount(self, amount: impl Borrow<Cents>) -> String {
        self.grouped(&amount.borrow().to_string())
    }

    /// An amount as shown in a field: `1.234,56`, `1,234.56`, with the keyboard's minus sign.
    #[must_use]
    pub fn money_field(self, amount: impl Borrow<Cents>) -> String {
        self.amount(amount).replace(MINUS, "-")
    }

    fn with_currency(self, amount: Cents, plain: impl Fn(Cents) -> String) -> String {
        let digits = self.grouped(&plain(amount.abs()));
        match (self.language, amount.is_negative()) {
            (Language::Dutch, false) => format!("€{NO_BREAK_SPACE}{digits}"),
            (Language::Dutch, true) => format!("{MINUS}{NO_BREAK_SPACE}€{NO_BREAK_SPACE}{digits}"),
            (Language::English, false) => format!("€{digits}"),
            (Language::English, true) => format!("{MINUS}€{digits}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read_money;
    use proptest::prelude::*;

    const NL: Texts = Texts { language: Language::Dutch };
    const EN: Texts = Texts { language: Language::English };

    #[test]
    fn amounts_are_formatted_per_language() {
        let cases = [
            (0, "€\u{a0}0,00", "€0.00"),
            (5, "€\u{a0}0,05", "€0.05"),
            (-5, "−\u{a0}€\u{a0}0,05", "−€0.05"),
            (12_100, "€\u{a0}121,00", "€121.00"),
            (99_999, "€\u{a0}999,99", "€999.99"),
            (100_000, "€\u{a0}1.000,00", "€1,000.00"),
            (-123_456_789, "−\u{a0}€\u{a0}1.234.567,89", "−€1,234,567.89"),
            (9_999_999_999_999, "€\u{a0}99.999.999.999,99", "€99,999,999,999.99"),
        ];
        for (cents, dutch, english) in cases {
            assert_eq!(NL.money(Cents::new(cents)), dutch);
            assert_eq!(EN.money(Cents::new(cents)), english);
        }
        assert_eq!(
            (NL.whole_euros(-1_234).as_str(), EN.whole_euros(1_234).as_str()),
            ("−\u{a0}€\u{a0}1.234", "€1,234")
        );
        assert_eq!(
            (NL.amount(Cents::new(-123_456)).as_str(), EN.amount(Cents::new(-123_456)).as_str()),
            ("−1.234,56", "−1,234.56")
        );
        assert_eq!(NL.money_field(Cents::new(-123_456)), "-1.234,56");
    }

    proptest! {
        #[test]
        fn formatted_amounts_are_parsed_to_the_same_amount(cents in -9_999_999_999_999_i64..=9_999_999_999_999) {
            let amount = Cents::new(cents);
            for texts in [NL, EN] {
                for written in [texts.money(amount), texts.amount(amount), texts.money_field(amount)] {
                    prop_assert_eq!(read_money(&written, texts.language), Ok(amount), "{}", written);
                }
            }
        }
    }
}
