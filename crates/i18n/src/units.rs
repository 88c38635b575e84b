//! Names of the known units of quantities.

use crate::{Language, Texts};
use ledger::decimal::Decimal;
use std::borrow::Borrow;

/// Known units: name in data, and singular and plural in Dutch and in English.
const UNITS: [(&str, [&str; 2], [&str; 2]); 12] = [
    ("hour", ["uur", "uur"], ["hour", "hours"]),
    ("day", ["dag", "dagen"], ["day", "days"]),
    ("week", ["week", "weken"], ["week", "weeks"]),
    ("month", ["maand", "maanden"], ["month", "months"]),
    ("year", ["jaar", "jaar"], ["year", "years"]),
    ("piece", ["stuk", "stuks"], ["piece", "pieces"]),
    ("km", ["km", "km"], ["km", "km"]),
    ("kg", ["kg", "kg"], ["kg", "kg"]),
    ("m", ["m", "m"], ["m", "m"]),
    ("m2", ["m²", "m²"], ["m²", "m²"]),
    ("litre", ["liter", "liter"], ["litre", "litres"]),
    ("set", ["set", "sets"], ["set", "sets"]),
];

impl Texts {
    /// The unit of a quantity: a known one in this language, and any other text as it is.
    #[must_use]
    pub fn unit(self, unit: &str, quantity: impl Borrow<Decimal>) -> String {
        let Some((_, dutch, english)) = UNITS.iter().find(|(name, ..)| *name == unit) else {
            return unit.to_owned();
        };
        let [one, many] = match self.language {
            Language::Dutch => dutch,
            Language::English => english,
        };
        if quantity.borrow().abs() == Decimal::ONE { *one } else { *many }.to_owned()
    }

    /// A quantity with its unit, if it has one: `8 uur`, `8 hours`.
    #[must_use]
    pub fn quantity(self, quantity: impl Borrow<Decimal>, unit: Option<&str>) -> String {
        let number = self.number(quantity.borrow());
        match unit {
            Some(unit) => format!("{number} {}", self.unit(unit, quantity)),
            None => number,
        }
    }

    /// The known units by their plural, to choose from.
    pub fn units(self) -> impl Iterator<Item = String> {
        UNITS.iter().map(move |(name, ..)| self.unit(name, Decimal::TEN))
    }
}

/// Returns the known unit with a name in Dutch or English, ignoring case; any other text as it is.
#[must_use]
pub fn read_unit(text: &str) -> String {
    let lower = text.trim().to_lowercase();
    let is_named = |(name, dutch, english): &&(&str, [&str; 2], [&str; 2])| {
        *name == lower || dutch.contains(&lower.as_str()) || english.contains(&lower.as_str())
    };
    UNITS.iter().find(is_named).map_or_else(|| text.to_owned(), |(name, ..)| (*name).to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_units_are_named_in_each_language_and_read_back() {
        let (dutch, english) =
            (Texts { language: Language::Dutch }, Texts { language: Language::English });
        let quantity = Decimal::new(8, 0);
        assert_eq!(dutch.quantity(quantity, Some("day")), "8 dagen");
        assert_eq!(english.quantity(-Decimal::ONE, Some("day")), "−1 day");
        assert_eq!(dutch.quantity(quantity, Some("dagdeel")), "8 dagdeel");
        assert_eq!(dutch.quantity(quantity, None), "8");
        for (name, ..) in UNITS {
            for texts in [dutch, english] {
                assert_eq!(read_unit(&texts.unit(name, Decimal::ONE)), name);
                assert_eq!(read_unit(&texts.unit(name, Decimal::TEN)), name);
            }
            assert!(ledger::unit::KNOWN.iter().any(|(known, _)| *known == name));
        }
        assert_eq!(UNITS.len(), ledger::unit::KNOWN.len());
        assert_eq!(read_unit("Uur"), "hour");
        assert_eq!(read_unit("Dagdeel"), "Dagdeel");
    }
}
