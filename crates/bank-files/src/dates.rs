//! Dates as files write them.

use jiff::{
    civil::{self, Date},
    tz::TimeZone,
};
use ledger::calendar;

/// Form of dates in a CSV file: `D`, `M` and `Y` stand for digits, other characters for themselves.
/// A single `D` or `M` stands for one or two digits, `YY` for a year from 2000.
///
/// ```
/// use bank_files::DateFormat;
/// use jiff::civil::date;
///
/// let format = DateFormat::parse("DD-MM-YYYY").expect("it has a day, a month and a year");
/// assert_eq!(format.read("15-03-2026"), Some(date(2026, 3, 15)));
/// assert_eq!(format.read("2026-03-15"), None);
/// assert_eq!(DateFormat::parse("DD-MM"), None);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DateFormat(Box<str>);

impl DateFormat {
    /// Parses a form of at most 20 characters with one day, one month and one year.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.trim().to_ascii_uppercase();
        let has = |letter: char, lengths: &[usize]| {
            let first = text.find(letter)?;
            let run = text[first..].chars().take_while(|c| *c == letter).count();
            (lengths.contains(&run) && text.matches(letter).count() == run).then_some(())
        };
        has('D', &[1, 2])?;
        has('M', &[1, 2])?;
        has('Y', &[2, 4])?;
        (text.len() <= 20 && text.is_ascii()).then(|| Self(text.into_boxed_str()))
    }

    /// Returns the form.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Reads a date; a time after it, separated by a blank or `T`, is ignored.
    #[must_use]
    pub fn read(&self, text: &str) -> Option<Date> {
        read(&self.0, text)
    }
}

/// Reads a date in a form that is known to be one of [`DateFormat`].
pub(crate) fn read(format: &str, text: &str) -> Option<Date> {
    let (mut rest, mut form) = (text.trim(), format);
    let (mut day, mut month, mut year) = (0, 0, 0);
    while let Some(letter) = form.chars().next() {
        let run = form.chars().take_while(|c| *c == letter).count();
        form = &form[run..];
        if !matches!(letter, 'D' | 'M' | 'Y') {
            for _ in 0..run {
                rest = rest.strip_prefix(letter)?;
            }
            continue;
        }
        let most = if run == 1 { 2 } else { run };
        let digits = rest.bytes().take(most).take_while(u8::is_ascii_digit).count();
        // Two digits where the bank may write one: separators make that clear.
        let least = if run == 4 || !format.contains(['-', '/', '.', ' ']) { run } else { 1 };
        if digits < least {
            return None;
        }
        let value: i16 = rest[..digits].parse().ok()?;
        rest = &rest[digits..];
        match letter {
            'D' => day = value,
            'M' => month = value,
            _ => year = if run == 2 { 2000 + value } else { value },
        }
    }
    if !(rest.is_empty() || rest.starts_with([' ', 'T'])) {
        return None;
    }
    Date::new(year, i8::try_from(month).ok()?, i8::try_from(day).ok()?).ok()
}

/// Reads the date of an ISO 20022 date or date and time, as the bank wrote it: an offset from UTC
/// does not move it.
pub(crate) fn iso(text: &str) -> Option<Date> {
    read("YYYY-MM-DD", text.split(['Z', '+']).next().unwrap_or(""))
}

/// Reads `YYMMDD` of MT940. A day after the end of the month becomes its last day, as some banks
/// value interest on 30 February.
pub(crate) fn swift(digits: &[u8]) -> Option<Date> {
    let [year, month, day] = pairs(digits)?;
    let first = Date::new(2000 + i16::from(year), month, 1).ok()?;
    (1..=31)
        .contains(&day)
        .then(|| civil::date(first.year(), month, day.min(first.days_in_month())))
}

/// Reads `MMDD` of MT940, in the year that brings it closest to another date.
pub(crate) fn swift_near(digits: &[u8], near: Date) -> Option<Date> {
    let [month, day] = pairs(digits)?;
    let distance = |date: &Date| near.since(*date).map_or(i32::MAX, |span| span.get_days().abs());
    (near.year() - 1..=near.year() + 1)
        .filter_map(|year| Date::new(year, month, day).ok())
        .min_by_key(distance)
}

fn pairs<const N: usize>(digits: &[u8]) -> Option<[i8; N]> {
    let mut pairs = [0; N];
    if digits.len() != 2 * N || !digits.iter().all(u8::is_ascii_digit) {
        return None;
    }
    for (pair, digits) in pairs.iter_mut().zip(digits.chunks_exact(2)) {
        *pair = i8::try_from((digits[0] - b'0') * 10 + (digits[1] - b'0')).ok()?;
    }
    Some(pairs)
}

/// Returns the day in the Netherlands of a date and time in UTC, such as `2026-03-15 23:30:00` or
/// `2026-03-15T23:30:00Z`; of a date alone, that date.
pub(crate) fn utc(date: &str, time: &str) -> Option<Date> {
    let day = read("YYYY-MM-DD", date)?;
    let time =
        if time.trim().is_empty() { date.trim().get(11..).unwrap_or("") } else { time.trim() };
    let hour: Option<i8> = time.get(..2).and_then(|hour| hour.parse().ok());
    let minute: Option<i8> = time.get(3..5).and_then(|minute| minute.parse().ok());
    // Amsterdam is one or two hours ahead of UTC, so only the last two hours can change the day.
    let (Some(hour @ 22..=23), Some(minute @ 0..=59)) = (hour, minute) else { return Some(day) };
    let moment = day.at(hour, minute, 0, 0).to_zoned(TimeZone::UTC).ok()?.timestamp();
    Some(calendar::amsterdam_today(moment))
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::civil::date;

    #[test]
    fn forms_read_their_own_dates_only() {
        let cases = [
            ("DD-MM-YYYY", "15-03-2026", Some(date(2026, 3, 15))),
            ("DD-MM-YYYY", "5-3-2026", Some(date(2026, 3, 5))),
            ("DD-MM-YYYY", "15-03-2026 12:30", Some(date(2026, 3, 15))),
            ("DD-MM-YYYY", "15-03-26", None),
            ("D/M/YYYY", "5/3/2026", Some(date(2026, 3, 5))),
            ("YYYYMMDD", "20260315", Some(date(2026, 3, 15))),
            ("YYYYMMDD", "2026315", None),
            ("DD.MM.YY", "15.03.26", Some(date(2026, 3, 15))),
            ("YYYY-MM-DD", "2026-02-29", None),
            ("YYYY-MM-DD", "2026-03-15x", None),
            ("YYYY-MM-DD", "", None),
        ];
        for (form, text, expected) in cases {
            assert_eq!(DateFormat::parse(form).unwrap().read(text), expected, "{form} {text}");
        }
        for form in ["", "DD-MM", "DD-MM-YYY", "DDMMDD-YYYY", "DD-MM-YYYY-D", "é-DD-MM-YYYY"] {
            assert_eq!(DateFormat::parse(form), None, "{form}");
        }
    }

    #[test]
    fn the_entry_date_takes_the_nearest_year() {
        let cases = [
            ("0101", date(2009, 12, 31), date(2010, 1, 1)),
            ("1231", date(2009, 1, 1), date(2008, 12, 31)),
            ("0624", date(2009, 6, 23), date(2009, 6, 24)),
            ("0229", date(2024, 3, 1), date(2024, 2, 29)),
        ];
        for (digits, near, expected) in cases {
            assert_eq!(swift_near(digits.as_bytes(), near), Some(expected));
        }
        assert_eq!(swift_near(b"1301", date(2026, 1, 1)), None);
    }

    #[test]
    fn a_day_after_the_month_is_its_last() {
        assert_eq!(swift(b"160230"), Some(date(2016, 2, 29)));
        assert_eq!(swift(b"160132"), None);
        assert_eq!(swift(b"161301"), None);
        assert_eq!(swift(b"1601"), None);
    }

    #[test]
    fn the_evening_in_utc_is_the_next_day_in_amsterdam() {
        let cases = [
            ("2026-03-15", "", date(2026, 3, 15)),
            ("2026-01-15 23:30:00", "", date(2026, 1, 16)),
            ("2026-01-15 22:30:00", "", date(2026, 1, 15)),
            ("2026-07-15T22:30:00Z", "", date(2026, 7, 16)),
            ("2026-07-15", "21:59:59", date(2026, 7, 15)),
        ];
        for (day, time, expected) in cases {
            assert_eq!(utc(day, time), Some(expected), "{day} {time}");
        }
        assert_eq!(iso("2026-03-05T23:59:00.000Z"), Some(date(2026, 3, 5)));
        assert_eq!(iso("2026-03-05+01:00"), Some(date(2026, 3, 5)));
    }
}
