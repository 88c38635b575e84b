//! Parses any text as a number or a date: parsed values are within their limits, and printing and
//! parsing them again gives the same value.
#![no_main]

use ledger::{calendar, decimal};

libfuzzer_sys::fuzz_target!(|text: &str| {
    if let Ok(number) = decimal::parse(text) {
        assert!(number.abs() <= decimal::max());
        assert_eq!(decimal::parse(&decimal::plain(&number)).ok(), Some(number), "{text}");
        if let Ok(cents) = decimal::to_cents(&number) {
            assert!(cents.within_limit().is_ok());
        }
        // May be out of range, but never panics.
        let _ = decimal::multiply_to_cents(&number, &number);
    }
    if let Ok(date) = calendar::parse_date(text) {
        assert_eq!(date.to_string(), text);
        assert!((2000..=2099).contains(&date.year()));
    }
});
