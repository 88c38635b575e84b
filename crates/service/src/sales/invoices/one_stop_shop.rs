//! Lines of the Union scheme (OSS): the country that taxes them, and its rate (art. 28q to 28sj Wet
//! OB 1968).

use super::LineInput;
use crate::{Context, Error, Fault, Reason, VatError, oss_turnover};
use ::tax::eu_rates;
use jiff::civil::Date;
use ledger::{
    country::CountryCode,
    customer::{CustomerKind, VatChoice},
    language::Language,
    oss::{is_counted_kind, member_state},
    vat::{Buyer, VatCategory, VatRate},
    vat_proposal,
};
use store::{Tx, contacts::Party};

/// Customer of an invoice, as far as VAT depends on it.
#[derive(Debug, Clone, Copy)]
pub struct Consumer {
    /// Country.
    pub country: CountryCode,
    /// Kind; `None` if it is unknown.
    pub kind: Option<CustomerKind>,
    /// Whether the customer has a VAT number.
    pub has_vat_number: bool,
    /// Whether that number is one of Northern Ireland.
    pub in_northern_ireland: bool,
    /// VAT usually charged to the customer.
    pub usual: Option<VatChoice>,
    /// Language of the document; `None` for that of the account.
    pub language: Option<Language>,
}

impl Consumer {
    /// Returns the customer of a document whose language is chosen.
    #[must_use]
    pub fn in_language(self, chosen: Option<Language>) -> Self {
        Self { language: chosen.or(self.language), ..self }
    }

    /// Returns a customer of whom only the country is known.
    #[must_use]
    pub const fn of_country(country: CountryCode) -> Self {
        Self {
            country,
            kind: None,
            has_vat_number: false,
            in_northern_ireland: false,
            usual: None,
            language: None,
        }
    }

    /// Whether the customer is a business.
    #[must_use]
    pub fn is_business(self) -> bool {
        self.kind == Some(CustomerKind::Business)
    }

    /// Place of the customer for VAT purposes.
    #[must_use]
    pub const fn place(self) -> Buyer {
        Buyer { country: self.country, in_northern_ireland: self.in_northern_ireland }
    }
}

impl From<Consumer> for vat_proposal::Customer {
    fn from(customer: Consumer) -> Self {
        Self { buyer: customer.place(), kind: customer.kind, usual: customer.usual }
    }
}

impl From<&Party> for Consumer {
    fn from(party: &Party) -> Self {
        Self {
            country: party.country,
            kind: party.known_kind(),
            has_vat_number: party.vat_number.is_some(),
            in_northern_ireland: party.place().in_northern_ireland,
            usual: party.vat_default(),
            language: party.own_language(),
        }
    }
}

/// Fills in the category, country and rate of the lines that the scheme declares, and checks the
/// rates of all lines. `on` is the day of supply.
///
/// A line is declared by the scheme if it states so or names a country, and by default if it is
/// counted towards the threshold and the account is registered on that day.
///
/// # Errors
/// A rate, category or country is invalid, or the account is not registered.
pub(super) fn resolve(
    tx: &mut Tx<'_>,
    cx: &Context,
    customer: Consumer,
    inputs: &[LineInput],
    on: Date,
) -> Result<Vec<LineInput>, Error> {
    let usual = |input: &LineInput| input.supply.unwrap_or(cx.actor.sales.supply);
    let place = member_state(customer.country, on);
    let is_open = |input: &LineInput| input.vat_category.is_none() && input.exemption.is_none();
    let by_default = |input: &LineInput| {
        let is_consumer_abroad = place.is_some() && !customer.is_business();
        is_open(input)
            && input.place.country.is_none()
            && is_consumer_abroad
            && is_counted_kind(usual(input))
    };
    let is_stated = |input: &LineInput| {
        let names_country = input.place.country.is_some_and(|country| !country.is_dutch());
        input.vat_category == Some(VatCategory::Oss) || (is_open(input) && names_country)
    };
    let is_registered = inputs.iter().any(|input| by_default(input) || is_stated(input))
        && oss_turnover::is_registered(tx, cx.actor.account, on)?;
    let (mut lines, mut faults) = (Vec::with_capacity(inputs.len()), Vec::new());
    let mut is_used = false;
    for (place_of_line, input) in inputs.iter().enumerate() {
        let is_oss = is_stated(input) || (is_registered && by_default(input));
        is_used |= is_oss;
        let resolved =
            if is_oss { declared(customer, input, on) } else { dutch(customer, input, on) };
        match resolved {
            Ok(line) => lines.push(line),
            Err((field, reason)) => {
                faults.push(Fault::new(format!("/items/{place_of_line}/{field}"), reason));
            }
        }
    }
    if !faults.is_empty() {
        return Err(Error::Invalid(faults));
    }
    if is_used && !is_registered {
        return Err(VatError::OssNotRegistered(on).into());
    }
    Ok(lines)
}

/// Fills in the lines of an invoice that is priced without an account, and so without a
/// registration.
///
/// # Errors
/// A rate, category or country is invalid.
pub(super) fn resolve_quote(
    country: CountryCode,
    inputs: &[LineInput],
    on: Date,
) -> Result<Vec<LineInput>, Error> {
    let customer = Consumer::of_country(country);
    let (mut lines, mut faults) = (Vec::with_capacity(inputs.len()), Vec::new());
    for (place, input) in inputs.iter().enumerate() {
        let is_oss = input.vat_category == Some(VatCategory::Oss);
        match if is_oss { declared(customer, input, on) } else { dutch(customer, input, on) } {
            Ok(line) => lines.push(line),
            Err((field, reason)) => {
                faults.push(Fault::new(format!("/items/{place}/{field}"), reason));
            }
        }
    }
    if faults.is_empty() { Ok(lines) } else { Err(Error::Invalid(faults)) }
}

type Misfit = (&'static str, Reason);

/// Fills in a line that the scheme declares.
fn declared(customer: Consumer, input: &LineInput, on: Date) -> Result<LineInput, Misfit> {
    if customer.has_vat_number {
        return Err(("vatCategory", Reason::OssWithVatNumber));
    }
    let country = match input.place.country {
        Some(country) if country.is_dutch() => {
            return Err(("taxCountry", Reason::TaxCountryOfOther));
        }
        Some(country) if member_state(country, on) != Some(country) => {
            return Err(("taxCountry", Reason::TaxCountryUnknown));
        }
        Some(country) => country,
        None => {
            member_state(customer.country, on).ok_or(("taxCountry", Reason::TaxCountryRequired))?
        }
    };
    let rates = eu_rates::on(country, on);
    let rate = match input.place.standard_rate {
        true => eu_rates::standard(country, on),
        false => rates.iter().copied().find(|rate| *rate == input.vat_rate),
    };
    let unknown = || Reason::RateOfCountry {
        country: country.to_string(),
        on,
        rates: rates.iter().map(|rate| rate.percent()).collect(),
    };
    Ok(LineInput {
        vat_rate: rate.ok_or_else(|| ("vatRate", unknown()))?,
        vat_category: Some(VatCategory::Oss),
        place: TaxPlace { country: Some(country), standard_rate: false },
        ..input.clone()
    })
}

/// Checks a line that the scheme does not declare.
fn dutch(customer: Consumer, input: &LineInput, on: Date) -> Result<LineInput, Misfit> {
    if input.place.country.is_some_and(|country| !country.is_dutch()) {
        return Err(("taxCountry", Reason::TaxCountryOfOther));
    }
    if input.place.standard_rate {
        return Err(("vatRate", Reason::Required));
    }
    VatRate::from_percent(&input.vat_rate.percent(), on)
        .map_err(|unknown| ("vatRate", unknown.into()))?;
    // For a Dutch customer there is nothing to state.
    let country = input.place.country.filter(|_| !customer.country.is_dutch());
    let place = TaxPlace { country, standard_rate: false };
    Ok(LineInput { place, ..input.clone() })
}

/// Whether the scheme declares one of the lines.
pub(super) fn is_declared_by_oss(lines: &[LineInput]) -> bool {
    lines.iter().any(|line| line.vat_category == Some(VatCategory::Oss))
}

/// Country that taxes a line, as far as the input states it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct TaxPlace {
    /// Country. The Netherlands if a customer abroad received the supply here.
    pub country: Option<CountryCode>,
    /// Whether the rate is omitted: it is proposed, or the standard rate of the country applies, and
    /// the rate of the line has no meaning.
    pub standard_rate: bool,
}
