//! Countries, and which of them belong to the VAT territory of the European Union.

use jiff::civil::{Date, date};
use std::fmt;
use thiserror::Error;

/// A country: an officially assigned ISO 3166-1 alpha-2 code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CountryCode([u8; 2]);

/// The text is not the code of a country.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("give a country as its two-letter ISO 3166-1 code, such as NL (Greece is GR, the United Kingdom is GB)")]
pub struct UnknownCountry;

/// The 249 officially assigned codes of ISO 3166-1, each two letters.
const CODES: &str = "AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY BZ \
CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO FR GA GB GD GE GF GG \
GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP KE KG KH KI KM KN KP KR KW KY KZ \
LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR \
NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS RU RW SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ \
TC TD TF TG TH TJ TK TL TM TN TO TR TT TV TW TZ UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS YE YT ZA ZM ZW";

impl CountryCode {
    /// The Netherlands.
    pub const NL: Self = Self(*b"NL");

    /// The country of a code; lower case is raised.
    ///
    /// # Errors
    /// No country has that code.
    pub fn parse(text: &str) -> Result<Self, UnknownCountry> {
        let code: [u8; 2] = text.as_bytes().try_into().map_err(|_| UnknownCountry)?;
        let code = code.map(|letter| letter.to_ascii_uppercase());
        // Every third byte begins a code, and the codes are in order.
        let codes = CODES.as_bytes();
        let count = codes.len().div_ceil(3);
        let (mut low, mut high) = (0, count);
        while low < high {
            let middle = usize::midpoint(low, high);
            let here = [codes[middle * 3], codes[middle * 3 + 1]];
            match here.cmp(&code) {
                std::cmp::Ordering::Equal => return Ok(Self(code)),
                std::cmp::Ordering::Less => low = middle + 1,
                std::cmp::Ordering::Greater => high = middle,
            }
        }
        Err(UnknownCountry)
    }

    /// The two letters, upper case.
    #[must_use]
    pub fn as_str(&self) -> &str {
        std::str::from_utf8(&self.0).expect("a code is two letters of the list above")
    }

    /// Whether it is the Netherlands (without its Caribbean parts, which are countries of their own here).
    #[must_use]
    pub fn is_dutch(self) -> bool {
        self == Self::NL
    }

    /// Whether supplies to it are supplies inside the European Union on a day, going by member state (Directive 2006/112/EC,
    /// art. 5 to 7). Monaco and the Isle of Man are treated as France and the United Kingdom (art. 7). Parts of member states
    /// outside the territory (the Canary Islands, Åland, …) cannot be told from a country code, except where they have their own.
    /// For Northern Ireland, goods only stay inside; give the category of such lines explicitly.
    #[must_use]
    pub fn in_eu(self, on: Date) -> bool {
        let until_brexit = on <= date(2020, 12, 31);
        match &self.0 {
            b"AT" | b"BE" | b"DE" | b"DK" | b"ES" | b"FI" | b"FR" | b"GR" | b"IE" | b"IT" | b"LU" | b"MC" | b"NL" | b"PT" | b"SE" => true,
            b"CY" | b"CZ" | b"EE" | b"HU" | b"LT" | b"LV" | b"MT" | b"PL" | b"SI" | b"SK" => on >= date(2004, 5, 1),
            b"BG" | b"RO" => on >= date(2007, 1, 1),
            b"HR" => on >= date(2013, 7, 1),
            b"GB" | b"IM" => until_brexit,
            _ => false,
        }
    }
}

impl fmt::Display for CountryCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_249_countries_in_order() {
        let codes: Vec<&str> = CODES.split(' ').collect();
        assert_eq!(codes.len(), 249);
        assert!(codes.is_sorted() && codes.iter().all(|code| CountryCode::parse(code).unwrap().as_str() == *code));
    }

    #[test]
    fn lower_case_is_raised_and_others_are_refused() {
        assert_eq!(CountryCode::parse("nl"), Ok(CountryCode::NL));
        for bad in ["", "N", "NLD", "EL", "XI", "UK", "XX", "AA", "ZZ", "N1", "é", " NL"] {
            assert_eq!(CountryCode::parse(bad), Err(UnknownCountry), "{bad}");
        }
    }

    #[test]
    fn member_states_come_and_go() {
        let cases = [
            ("NL", "2000-01-01", true), ("PL", "2004-04-30", false), ("PL", "2004-05-01", true), ("RO", "2006-12-31", false),
            ("BG", "2007-01-01", true), ("HR", "2013-06-30", false), ("HR", "2013-07-01", true), ("GB", "2020-12-31", true),
            ("GB", "2021-01-01", false), ("MC", "2026-01-01", true), ("CH", "2026-01-01", false), ("NO", "2026-01-01", false),
            ("CW", "2026-01-01", false), ("AX", "2026-01-01", false),
        ];
        for (code, day, inside) in cases {
            assert_eq!(CountryCode::parse(code).unwrap().in_eu(day.parse().unwrap()), inside, "{code} on {day}");
        }
    }
}
