//! IBANs as pages show them.

/// IBAN in groups of four, as printed (ISO 13616).
pub fn grouped(iban: &str) -> String {
    let mut text = String::new();
    for (place, character) in iban.chars().enumerate() {
        if place > 0 && place % 4 == 0 {
            text.push(' ');
        }
        text.push(character);
    }
    text
}
