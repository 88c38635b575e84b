//! Settings: company details and preferences of the owner.

use super::{Account, Language, events, language_of};
use crate::{
    Environment, Error, Fault, Reason, bank_accounts,
    numbering::{self, Pattern},
};
use ledger::{
    country::CountryCode,
    identifiers::{Bic, Iban, KvkNumber, VatNumber},
};
use store::{Tx, books, people as rows};

/// New settings of an account.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UpdateSettings {
    /// Name of the person or company.
    pub name: String,
    /// Street and house number.
    pub street: Option<String>,
    /// Postal code.
    pub postal_code: Option<String>,
    /// Town.
    pub city: Option<String>,
    /// Country in which the owner is established; `None` keeps the current one. See
    /// [`has_choice_of_country`].
    pub country: Option<CountryCode>,
    /// Number in the Dutch Business Register.
    pub kvk_number: Option<KvkNumber>,
    /// VAT identification number.
    pub vat_number: Option<VatNumber>,
    /// Bank account to which customers pay.
    pub iban: Option<Iban>,
    /// BIC of its bank.
    pub bic: Option<Bic>,
    /// Telephone number.
    pub phone: Option<String>,
    /// Website.
    pub website: Option<String>,
    /// Language of the pages: `Some(None)` follows the browser, `None` keeps the setting.
    pub language: Option<Option<Language>>,
}

impl UpdateSettings {
    /// Returns the current settings of an account.
    #[must_use]
    pub fn of(account: &Account) -> Self {
        Self {
            name: account.name.clone(),
            street: account.street.clone(),
            postal_code: account.postal_code.clone(),
            city: account.city.clone(),
            country: Some(account.country),
            kvk_number: account
                .kvk_number
                .as_deref()
                .and_then(|number| KvkNumber::parse(number).ok()),
            vat_number: account
                .vat_number
                .as_deref()
                .and_then(|number| VatNumber::parse(number).ok()),
            iban: account.iban.as_deref().and_then(|iban| Iban::parse(iban).ok()),
            bic: account.bic.as_deref().and_then(|bic| Bic::parse(bic).ok()),
            phone: account.phone.clone(),
            website: account.website.clone(),
            language: Some(language_of(account)),
        }
    }
}

/// Returns the number that the next invoice of a year would get under the given pattern; `None` if
/// the pattern is invalid.
///
/// # Errors
/// The storage failed.
pub fn next_number(
    tx: &mut Tx<'_>,
    account: i64,
    pattern: &str,
    year: i16,
) -> Result<Option<String>, Error> {
    let series = store::invoices::series(tx, account)?;
    let last = series.into_iter().find(|(of, _, _)| *of == year).map_or(0, |(_, _, last)| last);
    Ok(numbering::check(pattern).and_then(|()| numbering::format(pattern, year, last + 1)).ok())
}

/// Whether an account can still change its country, because nothing has been booked yet. This
/// matters to an owner who confirmed the address with a link from another sign-up than their own: a
/// stranger may have entered the country.
///
/// # Errors
/// The storage failed.
pub fn has_choice_of_country(tx: &mut Tx<'_>, account: i64) -> Result<bool, Error> {
    Ok(books::are_empty(tx, account)?)
}

/// Returns the stored settings of an account.
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
        bic: account.bic.clone(),
        phone: account.phone.clone(),
        website: account.website.clone(),
        payment_term_days: account.payment_term_days,
        number_pattern: account.number_pattern.clone(),
        language: account.language.clone(),
    }
}

/// Validates new settings against the account's current state.
///
/// # Errors
/// The storage failed, or there is no such account.
pub fn faults(
    tx: &mut Tx<'_>,
    account: i64,
    country: Option<CountryCode>,
    vat_number: Option<&VatNumber>,
    iban: Option<&Iban>,
) -> Result<Vec<Fault>, Error> {
    let stored = store::accounts::by_id(tx, account)?.ok_or(Error::NotFound("account"))?;
    let now = stored.country;
    let country = country.unwrap_or(now);
    let mut faults = Vec::new();
    if country != now && !has_choice_of_country(tx, account)? {
        faults.push(Fault::new("/country", Reason::CountryFixed));
    }
    if country.is_dutch() && vat_number.is_some_and(|number| !number.country().is_dutch()) {
        faults.push(Fault::new("/vatNumber", Reason::VatNumberNotDutch));
    }
    faults.extend(bank_accounts::iban_fault(stored.own_accounts.banks(), iban));
    Ok(faults)
}

/// Changes the settings; returns the updated account. If nothing changes, no event is recorded.
///
/// # Errors
/// The country cannot be changed any more, or a Dutch account would get a foreign VAT number
/// ([`Error::Invalid`]).
pub fn update(
    tx: &mut Tx<'_>,
    env: &Environment,
    account: i64,
    command: &UpdateSettings,
) -> Result<Account, Error> {
    // The locks are taken in the same order as when an account is closed. While the books are
    // locked nothing can be booked, so books found empty are still empty when the country changes.
    if !rows::lock_owner(tx, account)? || !books::lock(tx, account)? {
        return Err(Error::NotFound("account"));
    }
    let (vat_number, iban) = (command.vat_number.as_ref(), command.iban.as_ref());
    let faults = faults(tx, account, command.country, vat_number, iban)?;
    if !faults.is_empty() {
        return Err(Error::Invalid(faults));
    }
    let change = |before: rows::Settings| rows::Settings {
        name: command.name.clone(),
        street: command.street.clone(),
        postal_code: command.postal_code.clone(),
        city: command.city.clone(),
        country: command.country.unwrap_or(before.country),
        kvk_number: command.kvk_number.as_ref().map(ToString::to_string),
        vat_number: command.vat_number.as_ref().map(ToString::to_string),
        iban: command.iban.as_ref().map(ToString::to_string),
        bic: command.bic.as_ref().map(ToString::to_string),
        phone: command.phone.clone(),
        website: command.website.clone(),
        language: match command.language {
            Some(chosen) => chosen.map(|language| language.as_str().to_owned()),
            None => before.language,
        },
        ..before
    };
    save(tx, env, account, change)
}

/// Changes only the language of the pages; with `None`, they follow the browser. Returns the
/// updated account.
///
/// # Errors
/// There is no such account.
pub fn set_language(
    tx: &mut Tx<'_>,
    env: &Environment,
    account: i64,
    language: Option<Language>,
) -> Result<Account, Error> {
    let chosen = language.map(|language| language.as_str().to_owned());
    save(tx, env, account, |before| rows::Settings { language: chosen, ..before })
}

/// Changes only the invoice terms: the default number of days between invoice date and due date,
/// and the pattern for invoice numbers.
pub(crate) fn set_terms(
    tx: &mut Tx<'_>,
    env: &Environment,
    account: i64,
    (payment_term_days, number_pattern): (i64, &Pattern),
) -> Result<Account, Error> {
    let number_pattern = number_pattern.as_str().to_owned();
    save(tx, env, account, |before| rows::Settings { payment_term_days, number_pattern, ..before })
}

fn save(
    tx: &mut Tx<'_>,
    env: &Environment,
    account: i64,
    change: impl FnOnce(rows::Settings) -> rows::Settings,
) -> Result<Account, Error> {
    let before = store::accounts::by_id(tx, account)?.ok_or(Error::NotFound("account"))?;
    let settings = change(current(&before));
    if current(&before) == settings {
        return Ok(before);
    }
    rows::save_settings(tx, &before, &settings)?;
    if before.iban != settings.iban {
        bank_accounts::iban_changed(tx, env, account)?;
    }
    events::record(tx, env, before.owner.id, events::EventKind::SettingsChanged, "")?;
    store::accounts::by_id(tx, account)?.ok_or(Error::NotFound("account"))
}
