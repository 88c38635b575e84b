//! Countries, and their membership of the EU VAT territory on a date.

use jiff::civil::{Date, date};
use std::fmt;
use thiserror::Error;

/// Country or territory: an officially assigned two-letter code of ISO 3166-1, upper case.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CountryCode([u8; 2]);

/// The text is not a country code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("unknown_country")]
pub struct UnknownCountry;

/// The 249 officially assigned alpha-2 codes of ISO 3166-1, sorted, each followed by a space.
const ASSIGNED: &str = "\
    AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY BZ \
    CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO \
    FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE \
    JM JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO \
    MP MQ MR MS MT MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW \
    PY QA RE RO RS RU RW SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM \
    TN TO TR TT TV TW TZ UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS YE YT ZA ZM ZW ";

impl CountryCode {
    /// The Netherlands.
    pub const NL: Self = Self(*b"NL");

    /// Parses a code, ignoring case. `EL` and `XI` are prefixes of VAT numbers, not countries, and
    /// `UK` is only reserved.
    ///
    /// ```
    /// use ledger::{calendar::parse_date, country::CountryCode};
    ///
    /// let germany = CountryCode::parse("de")?;
    /// assert_eq!(germany.as_str(), "DE");
    /// assert!(germany.in_eu(parse_date("2026-03-15")?));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// The code is not assigned.
    pub fn parse(text: &str) -> Result<Self, UnknownCountry> {
        let code = <[u8; 2]>::try_from(text.as_bytes())
            .map_err(|_| UnknownCountry)?
            .map(|letter| letter.to_ascii_uppercase());
        let (assigned, _) = ASSIGNED.as_bytes().as_chunks::<3>();
        let found = assigned.binary_search_by(|entry| entry[..2].cmp(&code));
        found.map(|_| Self(code)).map_err(|_| UnknownCountry)
    }

    /// Returns all assigned codes, sorted.
    pub fn all() -> impl Iterator<Item = Self> {
        ASSIGNED.as_bytes().as_chunks::<3>().0.iter().map(|entry| Self([entry[0], entry[1]]))
    }

    /// Returns the two letters, upper case.
    #[must_use]
    pub fn as_str(&self) -> &str {
        std::str::from_utf8(&self.0).expect("an assigned code is two letters")
    }

    /// Whether the country is the European part of the Netherlands. Bonaire, Sint Eustatius and
    /// Saba (`BQ`), Aruba, Curaçao and Sint Maarten have codes and turnover taxes of their own.
    #[must_use]
    pub fn is_dutch(self) -> bool {
        self == Self::NL
    }

    /// Whether the country belongs to the VAT territory of the European Union on a date, as far as
    /// a country code shows.
    ///
    /// That is the territory of a member state (Directive 2006/112/EC, art. 5). The United Kingdom
    /// is included until the end of its transition period, 31 December 2020 (Withdrawal Agreement,
    /// art. 126 and 127). Special territories:
    ///
    /// - Monaco is treated as France, and the Isle of Man as the United Kingdom (art. 7).
    /// - Territories with a code of their own are outside: Åland (`AX`), the French overseas
    ///   departments (`GF`, `GP`, `MQ`, `RE`, `YT`, and `MF`), the Channel Islands (`GG`, `JE`;
    ///   art. 6), and the overseas countries that never were inside, such as `GL`, `FO`, `GI`, `AW`
    ///   and `CW`.
    /// - Territories without a code are treated as part of their country, although art. 6 excludes
    ///   them: the Canary Islands, Ceuta and Melilla, Mount Athos, Büsingen and Heligoland,
    ///   Livigno, northern Cyprus. A sale to them needs the category export, set explicitly.
    /// - Northern Ireland is `GB` and outside since 2021. For goods, but not for services, it is
    ///   still treated as a member state (Protocol on Ireland/Northern Ireland, art. 8); a sale of
    ///   goods to a customer with an `XI` number needs the category intra-community, set
    ///   explicitly.
    #[must_use]
    pub fn in_eu(self, on: Date) -> bool {
        match &self.0 {
            b"AT" | b"BE" | b"DE" | b"DK" | b"ES" | b"FI" | b"FR" | b"GR" | b"IE" | b"IT"
            | b"LU" | b"NL" | b"PT" | b"SE" => true,
            b"MC" => true,
            b"GB" | b"IM" => on <= date(2020, 12, 31),
            b"CY" | b"CZ" | b"EE" | b"HU" | b"LT" | b"LV" | b"MT" | b"PL" | b"SI" | b"SK" => {
                on >= date(2004, 5, 1)
            }
            b"BG" | b"RO" => on >= date(2007, 1, 1),
            b"HR" => on >= date(2013, 7, 1),
            _ => false,
        }
    }
}

impl fmt::Display for CountryCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn members_on(day: Date) -> Vec<&'static str> {
        ASSIGNED
            .split_whitespace()
            .filter(|code| CountryCode::parse(code).unwrap().in_eu(day))
            .collect()
    }

    #[test]
    fn there_are_249_codes_in_order() {
        let codes: Vec<&str> = ASSIGNED.split_whitespace().collect();
        assert_eq!(codes.len(), 249);
        assert_eq!(ASSIGNED.len(), 3 * 249);
        assert!(codes.is_sorted_by(|one, next| one < next));
    }

    #[test]
    fn every_code_is_read_in_either_case() {
        for code in ASSIGNED.split_whitespace() {
            assert_eq!(CountryCode::parse(code).unwrap().as_str(), code);
            assert_eq!(CountryCode::parse(&code.to_lowercase()).unwrap().to_string(), code);
        }
        assert_eq!(CountryCode::parse("nL"), Ok(CountryCode::NL));
    }

    #[test]
    fn what_is_no_country_is_refused() {
        for text in [
            "", " ", "N", "NLD", "EL", "XI", "UK", "EU", "XX", "XK", "AA", "ZZ", "AN", "N1", "1N",
            "é", " NL", "NL ", "D ", " A",
        ] {
            assert_eq!(CountryCode::parse(text), Err(UnknownCountry), "{text}");
        }
    }

    #[test]
    fn the_union_has_the_right_number_of_members() {
        // The member states plus Monaco and, through 2020, the Isle of Man.
        let cases = [
            (date(2000, 1, 1), 15 + 2),
            (date(2004, 4, 30), 15 + 2),
            (date(2004, 5, 1), 25 + 2),
            (date(2006, 12, 31), 25 + 2),
            (date(2007, 1, 1), 27 + 2),
            (date(2013, 6, 30), 27 + 2),
            (date(2013, 7, 1), 28 + 2),
            (date(2020, 12, 31), 28 + 2),
            (date(2021, 1, 1), 27 + 1),
            (date(2099, 12, 31), 27 + 1),
        ];
        for (day, count) in cases {
            assert_eq!(members_on(day).len(), count, "{day}");
        }
    }

    #[test]
    fn member_states_come_and_go_on_their_day() {
        let cases = [
            ("NL", date(2000, 1, 1), true),
            ("PL", date(2004, 4, 30), false),
            ("PL", date(2004, 5, 1), true),
            ("RO", date(2006, 12, 31), false),
            ("BG", date(2007, 1, 1), true),
            ("HR", date(2013, 6, 30), false),
            ("HR", date(2013, 7, 1), true),
            ("GB", date(2020, 12, 31), true),
            ("GB", date(2021, 1, 1), false),
            ("IM", date(2021, 1, 1), false),
        ];
        for (code, day, inside) in cases {
            assert_eq!(CountryCode::parse(code).unwrap().in_eu(day), inside, "{code} on {day}");
        }
    }

    #[test]
    fn special_territories_follow_the_directive() {
        assert!(CountryCode::parse("MC").unwrap().in_eu(date(2026, 1, 1)));
        for code in [
            "AX", "GF", "GP", "MQ", "RE", "YT", "MF", "BL", "GG", "JE", "GL", "FO", "GI", "AW",
            "BQ", "CW", "SX", "SM", "VA", "AD", "CH", "NO",
        ] {
            for day in [date(2000, 1, 1), date(2020, 12, 31), date(2026, 1, 1)] {
                assert!(!CountryCode::parse(code).unwrap().in_eu(day), "{code} on {day}");
            }
        }
    }

    #[test]
    fn only_the_netherlands_in_europe_are_dutch() {
        assert!(CountryCode::NL.is_dutch());
        for code in ["BQ", "AW", "CW", "SX", "BE"] {
            assert!(!CountryCode::parse(code).unwrap().is_dutch(), "{code}");
        }
    }
}
