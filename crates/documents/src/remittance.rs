//! Remittance information: structured reference or text of a payment.

/// Reference or text of a payment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Remittance {
    /// Dutch payment reference ("betalingskenmerk") of 16 digits.
    Dutch(String),
    /// ISO 11649 creditor reference, `RF` with check digits.
    Iso(String),
    /// Text, at most 140 characters in payments.
    Text(String),
}

impl Remittance {
    /// Returns the structured reference if `reference` is one, or else a text: the reference if
    /// there is one, and otherwise `text`. Blanks, dots and dashes in a structured reference do not
    /// count.
    ///
    /// Banks reject a structured reference with wrong check digits, so that it becomes a text.
    ///
    /// ```
    /// use documents::remittance::Remittance;
    ///
    /// let remittance = Remittance::of(Some("2036 0000 1630 1110"), "Aangifte");
    /// assert_eq!(remittance, Remittance::Dutch("2036000016301110".to_owned()));
    /// let remittance = Remittance::of(None, "Factuur 12");
    /// assert_eq!(remittance, Remittance::Text("Factuur 12".to_owned()));
    /// ```
    #[must_use]
    pub fn of(reference: Option<&str>, text: &str) -> Self {
        let Some(reference) = reference.map(str::trim).filter(|reference| !reference.is_empty())
        else {
            return Self::Text(text.to_owned());
        };
        let compact: String = reference
            .chars()
            .filter(|c| !c.is_whitespace() && !matches!(c, '.' | '-'))
            .flat_map(char::to_uppercase)
            .collect();
        if is_dutch(&compact) {
            Self::Dutch(compact)
        } else if is_iso(&compact) {
            Self::Iso(compact)
        } else {
            Self::Text(reference.to_owned())
        }
    }
}

/// Whether a text is a payment reference of 16 digits, the first of which is a check digit: 11 minus
/// the weighted sum of the others modulo 11 (Belastingdienst, Specificatie Betalingskenmerk 1.0).
fn is_dutch(text: &str) -> bool {
    const WEIGHTS: [u32; 10] = [2, 4, 8, 5, 10, 9, 7, 3, 6, 1];
    let digits: Option<Vec<u32>> = text.chars().map(|c| c.to_digit(10)).collect();
    let Some([check, rest @ ..]) = digits.as_deref() else { return false };
    if rest.len() != 15 {
        return false;
    }
    let weighted =
        rest.iter().rev().zip(WEIGHTS.iter().cycle()).map(|(digit, weight)| digit * weight);
    let expected = match 11 - weighted.sum::<u32>() % 11 {
        10 => 1,
        11 => 0,
        digit => digit,
    };
    *check == expected
}

/// Whether a text is a creditor reference: `RF`, two check digits, and 1 to 21 letters and digits; 1
/// modulo 97 with the first four characters at the end and letters as 10 to 35 (ISO 11649).
fn is_iso(text: &str) -> bool {
    let Some((head, reference)) = text.split_at_checked(4) else { return false };
    let has_form = head.starts_with("RF")
        && head[2..].bytes().all(|byte| byte.is_ascii_digit())
        && (1..=21).contains(&reference.len())
        && reference.bytes().all(|byte| byte.is_ascii_alphanumeric());
    let remainder = reference.chars().chain(head.chars()).try_fold(0, |remainder, c| {
        let value = c.to_digit(36)?;
        Some((remainder * if value < 10 { 10 } else { 100 } + value) % 97)
    });
    has_form && remainder == Some(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn structured_references_have_valid_check_digits() {
        // Published examples of the tax office's references and of ISO 11649.
        for reference in ["2036 0000 1630 1110", "3516.1077.8150.1300", "2583366276601070"] {
            let digits = reference.replace([' ', '.'], "");
            assert_eq!(Remittance::of(Some(reference), ""), Remittance::Dutch(digits));
        }
        for reference in ["RF18 5390 0754 7034", "rf18539007547034", "RF45G72UUR"] {
            let compact = reference.replace(' ', "").to_uppercase();
            assert_eq!(Remittance::of(Some(reference), ""), Remittance::Iso(compact));
        }
    }

    #[test]
    fn any_other_reference_is_a_text() {
        for reference in [
            "2036 0000 1630 1111",
            "203600001630111",
            "20360000163011100",
            "RF19539007547034",
            "RF18",
            "RFAB539007547034",
            "RF18é",
            "F2026-12",
        ] {
            let text = Remittance::Text(reference.to_owned());
            assert_eq!(Remittance::of(Some(reference), "other"), text);
        }
        assert_eq!(Remittance::of(Some("  "), "text"), Remittance::Text("text".to_owned()));
    }

    #[test]
    fn each_changed_digit_is_noticed() {
        let valid = "2036000016301110";
        for place in 0..16 {
            for digit in ('0'..='9').filter(|digit| !valid[place..].starts_with(*digit)) {
                let mut changed = valid.to_owned();
                changed.replace_range(place..=place, &digit.to_string());
                // Remainders 0 and 10, and 1 and 11, give no digits of their own.
                if is_dutch(&changed) {
                    assert!(matches!(&valid[place..=place], "0" | "1"), "{changed}");
                }
            }
        }
    }
}
