//! Tests of formatting and parsing numbers.

use super::*;
use proptest::prelude::*;

const NL: Texts = Texts { language: Language::Dutch };
const EN: Texts = Texts { language: Language::English };

#[test]
fn numbers_are_formatted_per_language() {
    let cases = [
        ("0", "0", "0"),
        ("8.5", "8,5", "8.5"),
        ("-1234.125", "−1.234,125", "−1,234.125"),
        ("8.264462809917356", "8,264462809917356", "8.264462809917356"),
        ("1e6", "1.000.000", "1,000,000"),
        ("-100", "−100", "−100"),
    ];
    for (plain, dutch, english) in cases {
        let value = decimal::parse(plain).unwrap();
        assert_eq!((NL.number(value).as_str(), EN.number(value).as_str()), (dutch, english));
    }
    assert_eq!(
        (NL.count(1_225_usize).as_str(), EN.count(-1_225_i64).as_str()),
        ("1.225", "−1,225")
    );
    assert_eq!(
        (NL.percent(Decimal::new(175, 1)).as_str(), EN.percent(Decimal::new(21, 0)).as_str()),
        ("17,5%", "21%")
    );
    assert_eq!(
        (
            NL.number_field(Decimal::new(-12_345, 1)).as_str(),
            EN.number_field(Decimal::new(12_345, 1)).as_str()
        ),
        ("-1234,5", "1234.5")
    );
}

#[test]
fn unambiguous_numbers_are_parsed_alike_in_both_languages() {
    let cases = [
        ("12", "12"),
        ("1234,56", "1234.56"),
        ("1234.56", "1234.56"),
        ("1.234,56", "1234.56"),
        ("1,234.56", "1234.56"),
        ("€ 1.234,56", "1234.56"),
        ("€\u{a0}1.234,56", "1234.56"),
        ("EUR 12,50", "12.50"),
        ("12,50 €", "12.50"),
        ("− € 12,50", "-12.50"),
        ("€ -12,50", "-12.50"),
        ("-€12.50", "-12.50"),
        ("\u{2013}3", "-3"),
        ("1.234.567", "1234567"),
        ("1,234,567.89", "1234567.89"),
        ("1 234 567,8", "1234567.8"),
        ("0.125", "0.125"),
        ("0,125", "0.125"),
        ("1234.567", "1234.567"),
        ("12,5", "12.5"),
        (",5", "0.5"),
        (".75", "0.75"),
        ("5,", "5"),
        ("12,-", "12.00"),
        ("€ 1.234,–", "1234.00"),
        ("21%", "21"),
        ("17,5 %", "17.5"),
        ("007", "7"),
        ("0", "0"),
        ("-0,00", "-0.00"),
    ];
    for (typed, plain) in cases {
        for language in [Language::Dutch, Language::English] {
            assert_eq!(plain_number(typed, language).as_deref(), Ok(plain), "{typed}");
        }
    }
}

#[test]
fn one_mark_before_three_digits_depends_on_the_language() {
    for (typed, dutch, english) in
        [("1.234", "1234", "1.234"), ("1,234", "1.234", "1234"), ("€ 999.000", "999000", "999.000")]
    {
        assert_eq!(plain_number(typed, Language::Dutch).as_deref(), Ok(dutch), "{typed}");
        assert_eq!(plain_number(typed, Language::English).as_deref(), Ok(english), "{typed}");
    }
}

#[test]
fn invalid_numbers_are_rejected() {
    let bad = [
        "",
        " ",
        "-",
        "12 50",
        "1 23",
        "12 - 3",
        "€",
        "twaalf",
        "1.2.3",
        "1,2,3",
        "1.23,45.6",
        "12.34,56",
        "1,234,56",
        "1.234,567.8",
        "--1",
        "€€1",
        "1e3",
        "0x1f",
        "1-2",
        "1/2",
        "1'000",
        "٣",
        "½",
        ",",
        ".",
        ",-",
        "1,234.567.89",
        "12a",
        "1..2",
    ];
    for typed in bad {
        for language in [Language::Dutch, Language::English] {
            assert_eq!(plain_number(typed, language), Err(DecimalError::NotANumber), "{typed}");
        }
    }
}

#[test]
fn amounts_have_two_decimals_and_a_limit() {
    assert_eq!(read_money("1.234,56", Language::Dutch), Ok(Cents::new(123_456)));
    assert_eq!(read_money("0,005", Language::Dutch), Err(DecimalError::TooManyDecimals));
    assert_eq!(read_money("100.000.000.000", Language::Dutch), Err(DecimalError::OutOfRange));
    assert_eq!(read_number("0,125", Language::Dutch), Ok(Decimal::new(125, 3)));
    assert_eq!(read_number("1.000.000.001", Language::Dutch), Err(DecimalError::OutOfRange));
}

proptest! {
    #[test]
    fn formatted_numbers_are_parsed_to_the_same_number(mantissa in -1_000_000_000_000_000_i64..1_000_000_000_000_000, scale in 6_u32..15) {
        let value = Decimal::new(mantissa, scale).normalize();
        for texts in [NL, EN] {
            prop_assert_eq!(read_number(&texts.number(value), texts.language), Ok(value));
            prop_assert_eq!(read_number(&texts.number_field(value), texts.language), Ok(value));
        }
    }

    #[test]
    fn any_text_is_parsed_or_rejected(text in "[-−€ 0-9.,%a]{0,12}") {
        for language in [Language::Dutch, Language::English] {
            if let Ok(plain) = plain_number(&text, language) {
                // JSON's notation is unambiguous.
                prop_assert_ne!(decimal::parse(&plain), Err(DecimalError::NotANumber));
            }
        }
    }
}
