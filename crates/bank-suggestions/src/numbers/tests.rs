use super::*;

/// Whether the number is found in the text, and whether it needs no further evidence.
fn finds(number: &str, text: &str) -> Option<bool> {
    let mut numbers = Numbers::default();
    numbers.add(number, 7, 3);
    let mut is_strong = None;
    numbers.find(text, |found| {
        assert_eq!((found.document, found.place), (7, 3));
        is_strong = Some(is_strong.unwrap_or(false) || !found.is_weak);
    });
    is_strong
}

#[test]
fn blanks_signs_case_and_zeros_in_front_do_not_count() {
    for (number, text) in [
        ("2026-0028", "Factuur 2026-0028"),
        ("2026-0028", "fact.2026/0028, dank"),
        ("2026-0028", "20260028"),
        ("2026-0028", "2026 0028 21 november"),
        ("2026-0028", "2026 - 0028"),
        ("2026-0028", "2026-28"),
        ("2026-0028", "betaling 2026.028."),
        ("2026-28", "2026-00028"),
        ("2026-0028", "2026-0027/2026-0028/2026-0029"),
        ("2026-0028", "factuurnr2026-0028"),
        ("F2026-0028", "f20260028"),
        ("F2026-0028", "F 2026 0028"),
        ("F2026-0028", "factuur 2026-0028"),
        ("INV-A12", "betreft inva12"),
        ("0004711", "kenmerk 4711"),
        ("47110", "000047110"),
        ("1234567890123456", "1234 5678 9012 3456"),
        ("RF18539007547034", "RF18 5390 0754 7034"),
        ("10007", "10007 21-11-2026 14:02"),
    ] {
        assert_eq!(finds(number, text), Some(true), "{number} in {text}");
    }
}

#[test]
fn digits_at_the_edges_years_dates_and_amounts_are_no_numbers() {
    for (number, text) in [
        ("2026-0028", "2026-00281"),
        ("2026-0028", "12026-0028"),
        ("2026-0028", "2026 28 november"),
        ("2026-0011", "periode 2026-11-28"),
        ("1128", "31-11-28"),
        ("0028", "2026-0028"),
        ("0028", "2026-0028-0029"),
        ("2026", "jaar 2026"),
        ("F2026", "jaar 2026"),
        ("0028", "28 stuks"),
        ("12100", "totaal 121,00"),
        ("1210", "totaal 1.210,00"),
        ("121", "EUR 121,00"),
        ("ABC", "ABC"),
        ("", "2026"),
        ("12345", "123:45"),
    ] {
        assert_eq!(finds(number, text), None, "{number} in {text}");
    }
}

#[test]
fn short_numbers_need_a_word_in_front_or_other_evidence() {
    for (number, text, is_strong) in [
        ("1043", "1043 AB Amsterdam", false),
        ("1043", "factuur 1043", true),
        ("1043", "factuurnummer: 1043", true),
        ("1043", "#1043", true),
        ("0028", "factuur 28", true),
        ("0028", "0028", false),
        ("128", "128", false),
        ("F128", "F128", true),
        ("F128", "128", false),
        ("20261128", "2026-11-28", false),
    ] {
        assert_eq!(finds(number, text), Some(is_strong), "{number} in {text}");
    }
}

#[test]
fn the_letter_of_an_assessment_number_follows_nine_digits() {
    for (text, letter) in [
        ("Aanslagnummer 1234.56.789.H.66.01", Some('H')),
        ("123456789B016210 btw", Some('B')),
        ("2026 123456789 W 66 0111", Some('W')),
        ("123456789 L", None),
        ("12345678.B.01", None),
        ("1234567890B01", None),
        ("123456789BV01", None),
        ("1234567890123456", None),
    ] {
        assert_eq!(assessment_letter(text), letter, "{text}");
    }
}
