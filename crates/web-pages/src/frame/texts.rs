//! Language of a page: the visitor's choice, or the browser's preference. The texts themselves are
//! in the crate `i18n`.

use axum::http::{HeaderMap, header};
pub use i18n::{Language, Phrase, Texts};
use jiff::civil::Date;
use ledger::{decimal::plain, vat::VatRate};
use std::borrow::Borrow;
use store::accounts::Plan;
use web_core::cookies::Cookies;

/// Language chosen by the visitor, or else the browser's preference.
pub fn chosen(cookies: Cookies, headers: &HeaderMap) -> Texts {
    cookies.read_language(headers).and_then(Texts::of_tag).unwrap_or_else(|| negotiated(headers))
}

/// Language preferred by the browser (RFC 9110, section 12.5.4): English if it accepts neither
/// Dutch nor English, Dutch if it states no preference.
pub fn negotiated(headers: &HeaderMap) -> Texts {
    let mut best: Option<(u32, Language)> = None;
    let mut asked = false;
    for value in headers.get_all(header::ACCEPT_LANGUAGE) {
        for range in value.to_str().unwrap_or("").split(',') {
            let (tag, quality) = range.split_once(';').unwrap_or((range, ""));
            let tag = tag.trim();
            let language = match tag.split('-').next() {
                Some(first) if first.eq_ignore_ascii_case("nl") => Language::Dutch,
                Some(first) if first.eq_ignore_ascii_case("en") => Language::English,
                Some("*" | "") | None => continue,
                Some(_) => {
                    asked = true;
                    continue;
                }
            };
            asked = true;
            let quality = thousandths(quality);
            if quality > 0 && best.is_none_or(|(other, _)| quality > other) {
                best = Some((quality, language));
            }
        }
    }
    let fallback = if asked { Language::English } else { Language::Dutch };
    Texts { language: best.map_or(fallback, |(_, language)| language) }
}

/// VAT rates in force on a date, as choices, highest first.
pub fn vat_rates(texts: Texts, day: Date) -> Vec<(String, String)> {
    let mut rates = VatRate::known_on(day);
    rates.sort_unstable();
    rates.iter().rev().map(|rate| (plain(&rate.percent()), texts.percent(rate.percent()))).collect()
}

/// Name of a plan.
pub fn plan(texts: Texts, plan: impl Borrow<Plan>) -> String {
    match *plan.borrow() {
        Plan::Free => texts.t("plan-free"),
        Plan::Starter => texts.t("plan-starter"),
        Plan::Pro => texts.t("plan-pro"),
    }
    .into()
}

/// Quality value (RFC 9110, section 12.4.2), in thousandths.
fn thousandths(parameter: &str) -> u32 {
    let Some(quality) = parameter.trim().strip_prefix("q=") else { return 1000 };
    let (whole, fraction) = quality.split_once('.').unwrap_or((quality, ""));
    let fraction: u32 =
        format!("{fraction:0<3}").get(..3).and_then(|digits| digits.parse().ok()).unwrap_or(0);
    match whole {
        "0" => fraction,
        "1" => 1000,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_language_is_the_one_that_the_browser_likes_best() {
        let cases = [
            ("", "nl"),
            ("*", "nl"),
            ("nl", "nl"),
            ("NL-be", "nl"),
            ("en-GB,en;q=0.9", "en"),
            ("de-DE,de;q=0.9,nl;q=0.5,en;q=0.4", "nl"),
            ("en;q=0.5, nl;q=0.6", "nl"),
            ("nl;q=0, en;q=0.001", "en"),
            ("fr", "en"),
            ("nl;q=0", "en"),
            ("en;q=x,nl;q=0.1", "nl"),
        ];
        for (asked, expected) in cases {
            let mut headers = HeaderMap::new();
            headers.insert(header::ACCEPT_LANGUAGE, asked.parse().unwrap());
            assert_eq!(negotiated(&headers).tag(), expected, "{asked}");
        }
        assert_eq!(negotiated(&HeaderMap::new()).tag(), "nl");
    }
}
