//! Settings: the company's details, each checked, and what its owner prefers.

use super::{Account, Language, Visitor, events};
use crate::{Error, Fault, accounts, numbering, outside::Random};
use jiff::Timestamp;
use ledger::{
    country::CountryCode,
    identifiers::{Iban, KvkNumber, VatNumber},
};
use store::{Tx, books, people as rows};

/// Settings as a form gives them: texts, empty where nothing is given.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Settings {
    /// The person's or company's name.
    pub name: String,
    /// Street and house number.
    pub street: String,
    /// Postal code.
    pub postal_code: String,
    /// Town.
    pub city: String,
    /// The code of the country where they are established; empty for the one that it is. See [`has_choice_of_country`].
    pub country: String,
    /// The number in the Dutch Business Register.
    pub kvk_number: String,
    /// The VAT identification number.
    pub vat_number: String,
    /// The bank account that customers pay to.
    pub iban: String,
    /// Days between invoice date and due date unless an invoice says otherwise.
    pub payment_term_days: String,
    /// How invoice numbers look, such as `{year}-{number:4}`.
    pub number_pattern: String,
    /// `nl` or `en`; empty for the browser's.
    pub language: String,
}

impl Settings {
    /// The settings of an account, as a form shows them.
    #[must_use]
    pub fn of(account: &Account) -> Self {
        let text = |value: &Option<String>| value.clone().unwrap_or_default();
        Self {
            name: account.name.clone(),
            street: text(&account.street),
            postal_code: text(&account.postal_code),
            city: text(&account.city),
            country: account.country.as_str().to_owned(),
            kvk_number: text(&account.kvk_number),
            vat_number: text(&account.vat_number),
            iban: account.iban.as_deref().map(grouped).unwrap_or_default(),
            payment_term_days: account.payment_term_days.to_string(),
            number_pattern: account.number_pattern.clone(),
            language: text(&account.language),
        }
    }
}

/// An IBAN in groups of four, as it is printed (ISO 13616).
fn grouped(iban: &str) -> String {
    let mut text = String::new();
    for (place, character) in iban.chars().enumerate() {
        if place > 0 && place % 4 == 0 {
            text.push(' ');
        }
        text.push(character);
    }
    text
}

/// The number that the next invoice of a year gets by a pattern; none when that is no pattern.
///
/// # Errors
/// The storage failed.
pub fn next_number(tx: &mut Tx<'_>, account: i64, pattern: &str, year: i16) -> Result<Option<String>, Error> {
    let series = store::invoices::series(tx, account)?;
    let last = series.into_iter().find(|(found, _)| *found == year).map_or(0, |(_, last)| last);
    Ok(numbering::check(pattern).and_then(|()| numbering::format(pattern, year, last + 1)).ok())
}

/// Whether an account can still change its country: as long as nothing was booked. Who confirms an address by a link that carries no
/// details of its own may find a country there that a stranger gave.
///
/// # Errors
/// The storage failed.
pub fn has_choice_of_country(tx: &mut Tx<'_>, account: i64) -> Result<bool, Error> {
    Ok(books::are_empty(tx, account)?)
}

/// The settings of an account, as they are stored.
pub(super) fn current(account: &Account) -> rows::Settings {
    rows::Settings {
        name: account.name.clone(),
        street: account.street.clone(),
        postal_code: account.postal_code.clone(),
        city: account.city.clone(),
        country: account.country,
        kvk_number: account.kvk_number.clone(),
        vat_number: account.vat_number.clone(),
        iban: account.iban.clone(),
        payment_term_days: account.payment_term_days,
        number_pattern: account.number_pattern.clone(),
        language: account.language.clone(),
    }
}

/// Reads settings, collecting the faults of all fields.
struct Reader(Vec<Fault>);

impl Reader {
    /// Nothing when the text is empty, or a fault.
    fn read<T, E: std::fmt::Display>(&mut self, field: &str, text: &str, parse: impl FnOnce(&str) -> Result<T, E>) -> Option<T> {
        if text.trim().is_empty() {
            return None;
        }
        parse(text.trim()).map_err(|error| self.0.push(Fault::new(format!("/{field}"), "invalid_format", error.to_string()))).ok()
    }

    fn country(&mut self, now: CountryCode, text: &str, has_choice: bool) -> CountryCode {
        let given = if text.trim().is_empty() { Ok(now) } else { CountryCode::parse(text.trim()) };
        match given {
            Err(error) => self.0.push(Fault::new("/country", "unknown_value", error.to_string())),
            Ok(country) if country != now && !has_choice => {
                let message = "the country cannot be changed any more: there is something in the books";
                self.0.push(Fault::new("/country", "out_of_range", message));
            }
            Ok(country) => return country,
        }
        now
    }

    fn line(&mut self, field: &str, text: &str, longest: usize) -> Option<String> {
        self.read(field, text, |line| {
            if line.chars().count() > longest || line.chars().any(char::is_control) {
                return Err(format!("give one line of {longest} characters at the most"));
            }
            Ok(line.to_owned())
        })
    }
}

/// Changes the settings; gives the account as it is then. Settings that are as they were leave no event.
///
/// # Errors
/// The faults of all fields ([`Error::Invalid`]); the pointers are `/` and the field's name.
pub fn update(
    tx: &mut Tx<'_>,
    random: &dyn Random,
    now: Timestamp,
    account: &Account,
    given: &Settings,
    visitor: &Visitor,
) -> Result<Account, Error> {
    let before = store::accounts::by_id(tx, account.id)?.ok_or(Error::NotFound("account"))?;
    let settings = check(&before, given, has_choice_of_country(tx, account.id)?)?;
    save(tx, random, now, account.id, |_| settings, visitor)
}

/// Changes the language alone; gives the account as it is then.
///
/// # Errors
/// There is no such account.
pub fn set_language(
    tx: &mut Tx<'_>,
    random: &dyn Random,
    now: Timestamp,
    account: i64,
    language: Language,
    visitor: &Visitor,
) -> Result<Account, Error> {
    let chosen = Some(language.as_str().to_owned());
    save(tx, random, now, account, |before| rows::Settings { language: chosen, ..before }, visitor)
}

fn save(
    tx: &mut Tx<'_>,
    random: &dyn Random,
    now: Timestamp,
    account: i64,
    change: impl FnOnce(rows::Settings) -> rows::Settings,
    visitor: &Visitor,
) -> Result<Account, Error> {
    let before = store::accounts::by_id(tx, account)?.ok_or(Error::NotFound("account"))?;
    let settings = change(current(&before));
    if current(&before) == settings {
        return Ok(before);
    }
    rows::save_settings(tx, account, &settings)?;
    events::note(tx, random, account, now, events::Kind::SettingsChanged, "", &visitor.address)?;
    store::accounts::by_id(tx, account)?.ok_or(Error::NotFound("account"))
}

fn check(account: &Account, given: &Settings, has_choice_of_country: bool) -> Result<rows::Settings, Error> {
    let mut reader = Reader(Vec::new());
    let country = reader.country(account.country, &given.country, has_choice_of_country);
    let dutch = country.is_dutch();
    let name = accounts::name_of(&given.name);
    if name.is_none() {
        reader.0.push(accounts::name_fault());
    }
    let street = reader.line("street", &given.street, 255);
    let postal_code = if dutch {
        reader.read("postal_code", &given.postal_code, dutch_postal_code)
    } else {
        reader.line("postal_code", &given.postal_code, 20)
    };
    let city = reader.line("city", &given.city, 255);
    let kvk_number = reader.read("kvk_number", &given.kvk_number, KvkNumber::parse);
    let vat_number = reader.read("vat_number", &given.vat_number, |text| match VatNumber::parse(text) {
        Err(error) => Err(error.to_string()),
        Ok(number) if dutch && !number.country().is_dutch() => {
            Err("give the Dutch VAT number (NL…): the books of this account are kept in the Netherlands".to_owned())
        }
        Ok(number) => Ok(number),
    });
    let iban = reader.read("iban", &given.iban, Iban::parse);
    let days = given.payment_term_days.trim();
    let digits = days.len() <= 3 && days.bytes().all(|byte| byte.is_ascii_digit());
    let payment_term_days = days.parse().ok().filter(|days: &i64| digits && (0..=365).contains(days));
    if payment_term_days.is_none() {
        reader.0.push(Fault::new("/payment_term_days", "out_of_range", "give a whole number of days from 0 to 365"));
    }
    let number_pattern = given.number_pattern.trim();
    if let Err(error) = numbering::check(number_pattern) {
        reader.0.push(Fault::new("/number_pattern", "invalid_format", error.to_string()));
    }
    let language = reader.read("language", &given.language, |text| Language::parse(text).ok_or("choose nl or en"));
    let (Some(name), Some(payment_term_days), true) = (name, payment_term_days, reader.0.is_empty()) else {
        return Err(Error::Invalid(reader.0));
    };
    Ok(rows::Settings {
        name,
        street,
        postal_code,
        city,
        country,
        kvk_number: kvk_number.map(|number| number.to_string()),
        vat_number: vat_number.map(|number| number.to_string()),
        iban: iban.map(|iban| iban.to_string()),
        payment_term_days,
        number_pattern: number_pattern.to_owned(),
        language: language.map(|language| language.as_str().to_owned()),
    })
}

/// Four digits of which the first is not 0, and two letters, but not SA, SD or SS (PostNL); written as `1234 AB`.
fn dutch_postal_code(text: &str) -> Result<String, &'static str> {
    let compact: String = text.chars().filter(|c| !c.is_whitespace()).map(|c| c.to_ascii_uppercase()).collect();
    let is_code = compact.len() == 6
        && compact.bytes().take(4).all(|byte| byte.is_ascii_digit())
        && !compact.starts_with('0')
        && compact.bytes().skip(4).all(|byte| byte.is_ascii_uppercase())
        && !["SA", "SD", "SS"].iter().any(|never| compact.ends_with(never));
    if is_code { Ok(format!("{} {}", &compact[..4], &compact[4..])) } else { Err("give the postal code as 1234 AB") }
}
