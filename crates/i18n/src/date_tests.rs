//! Tests of formatting and parsing dates and times.

use super::*;
use jiff::civil::date;
use proptest::prelude::*;

const NL: Texts = Texts { language: Language::Dutch };
const EN: Texts = Texts { language: Language::English };

#[test]
fn dates_are_formatted_per_language() {
    let cases = [
        (date(2026, 3, 1), "1 maart 2026", "1 March 2026", "1 mrt 2026", "1 Mar 2026"),
        (date(2000, 12, 31), "31 december 2000", "31 December 2000", "31 dec 2000", "31 Dec 2000"),
        (date(2024, 2, 29), "29 februari 2024", "29 February 2024", "29 feb 2024", "29 Feb 2024"),
        (date(2026, 9, 9), "9 september 2026", "9 September 2026", "9 sep 2026", "9 Sept 2026"),
    ];
    for (day, dutch, english, dutch_short, english_short) in cases {
        assert_eq!((NL.date(day).as_str(), EN.date(day).as_str()), (dutch, english));
        assert_eq!(
            (NL.short_date(day).as_str(), EN.short_date(day).as_str()),
            (dutch_short, english_short)
        );
    }
}

#[test]
fn timestamps_are_formatted_in_dutch_local_time() {
    let cases = [
        ("2026-03-15T11:00:00Z", "15 mrt 2026 12:00", "15 Mar 2026, 12:00"),
        // Summer time starts: the hour from 02:00 to 03:00 does not exist.
        ("2026-03-29T00:59:59Z", "29 mrt 2026 01:59", "29 Mar 2026, 01:59"),
        ("2026-03-29T01:00:00Z", "29 mrt 2026 03:00", "29 Mar 2026, 03:00"),
        ("2026-12-31T23:30:00Z", "1 jan 2027 00:30", "1 Jan 2027, 00:30"),
    ];
    for (moment, dutch, english) in cases {
        let moment: Timestamp = moment.parse().unwrap();
        assert_eq!((NL.moment(moment).as_str(), EN.moment(moment).as_str()), (dutch, english));
        let second = moment.as_second().rem_euclid(60);
        assert_eq!(NL.second(moment), format!("{dutch}:{second:02}"));
    }
}
#[test]
fn dates_have_weekdays_and_short_forms() {
    let day = date(2026, 11, 20);
    assert_eq!(
        (NL.long_date(day).as_str(), EN.long_date(day).as_str()),
        ("vrijdag 20 november 2026", "Friday 20 November 2026")
    );
    assert_eq!(
        (NL.day_and_month(day).as_str(), EN.day_and_month(day).as_str()),
        ("20 nov", "20 Nov")
    );
    assert_eq!(
        (NL.short_weekday_name(Weekday::Friday), EN.short_weekday_name(Weekday::Sunday)),
        ("vr", "Sun")
    );
    assert_eq!(NL.date_field(date(2026, 3, 5)), "05-03-2026");
    assert_eq!((NL.month_name(0), NL.month_name(13), NL.month_name(12)), ("", "", "december"));
}

#[test]
fn typed_dates_are_parsed() {
    let cases = [
        ("2026-12-31", date(2026, 12, 31)),
        ("31-12-2026", date(2026, 12, 31)),
        (" 31/12/2026 ", date(2026, 12, 31)),
        ("31.12.2026", date(2026, 12, 31)),
        ("1-2-26", date(2026, 2, 1)),
        ("1 2 2026", date(2026, 2, 1)),
        ("31 december 2026", date(2026, 12, 31)),
        ("5 Maart 2026", date(2026, 3, 5)),
        ("5 mrt 2026", date(2026, 3, 5)),
        ("5-Mar-2026", date(2026, 3, 5)),
        ("29-02-2024", date(2024, 2, 29)),
    ];
    for (typed, day) in cases {
        assert_eq!(read_date(typed), Ok(day), "{typed}");
    }
    let bad = [
        "",
        "morgen",
        "31-02-2026",
        "29-02-2026",
        "12/31/2026",
        "31-12",
        "31-12-1999",
        "1-1-2100",
        "001-01-2026",
        "1-1-226",
        "1-1-20266",
        "32-01-2026",
        "0-1-2026",
        "1-0-2026",
        "-1-1-2026 x",
        "1-13-2026",
        "2026-1-1-1",
        "+1-1-2026",
    ];
    for typed in bad {
        assert_eq!(read_date(typed), Err(DayError), "{typed}");
    }
}

proptest! {
    #[test]
    fn formatted_dates_are_parsed_to_the_same_date(days in 0_i64..36_525) {
        let day = date(2000, 1, 1).checked_add(jiff::Span::new().days(days)).unwrap();
        for texts in [NL, EN] {
            for written in [texts.date(day), texts.short_date(day), texts.date_field(day), day.to_string()] {
                prop_assert_eq!(read_date(&written), Ok(day), "{}", written);
            }
        }
    }
}
