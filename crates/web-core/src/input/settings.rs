//! Input for the settings of an account.

use super::{
    Choice, Country, Fields, Flag, Integer, MultiLine, OneOf, Parsed, Presence, Reader, SingleLine,
    bank_accounts, sales, validated,
};
use i18n::Language;
use ledger::{
    country::CountryCode,
    identifiers::{Iban, PostalCode, VatNumber},
};
use serde_json::json;
use service::{
    Reason, invoice_settings::UpdateInvoiceSettings, numbering::Pattern,
    people::settings::UpdateSettings,
};

const WINDOWS: &[(&str, &str)] = &[("none", "none"), ("left", "left"), ("right", "right")];

/// Reads the fields for the terms and layout of invoices.
pub fn update_invoice_settings(fields: &mut Fields<'_, '_>) -> Parsed<UpdateInvoiceSettings> {
    let term = fields.required(
        "paymentTermDays",
        "Days between invoice date and due date.",
        Integer(0, 365),
    );
    let pattern = validated(SingleLine(255), || json!({}), |text| Ok(Pattern::parse(&text)?));
    let pattern = fields.required(
        "numberPattern",
        "How invoice numbers look, such as {year}-{number:4}.",
        pattern,
    );
    let reader = validated(SingleLine(255), || json!({}), |text| Ok(Pattern::parse(&text)?));
    let quote_pattern = fields.optional(
        "quoteNumberPattern",
        "How quote numbers look, such as O-{year}-{number:4}.",
        reader,
    );
    let colour = validated(
        SingleLine(7),
        || json!({ "pattern": "^#[0-9a-fA-F]{6}$" }),
        |text| {
            let digits = text.strip_prefix('#').filter(|digits| digits.len() == 6);
            let is_colour =
                digits.is_some_and(|digits| digits.bytes().all(|byte| byte.is_ascii_hexdigit()));
            if is_colour { Ok(text.to_ascii_lowercase()) } else { Err(Reason::InvalidColour) }
        },
    );
    let accent = fields.optional("accent", "The colour, such as #115e59.", colour);
    let window = fields
        .optional("window", "The side of the envelope's window; default: none.", Choice(WINDOWS))
        .map(str::to_owned);
    let [opening_nl, opening_en] = read_texts(fields, "opening", "Above the lines.");
    let [closing_nl, closing_en] = read_texts(fields, "closing", "At the end.");
    let without_logo =
        fields.optional("withoutLogo", "Takes the logo away.", Flag).unwrap_or(false);
    let command =
        term.zip(pattern).map(|(payment_term_days, number_pattern)| UpdateInvoiceSettings {
            payment_term_days,
            number_pattern,
            quote_number_pattern: quote_pattern,
            accent,
            window,
            opening_nl,
            opening_en,
            closing_nl,
            closing_en,
            without_logo,
        });
    Parsed::new(None, command)
}

/// Reads a text of documents in Dutch and in English.
fn read_texts(
    fields: &mut Fields<'_, '_>,
    name: &'static str,
    meaning: &str,
) -> [Option<String>; 2] {
    let texts = fields.object(name, meaning, Presence::Optional, |fields| {
        let dutch = fields.optional("nl", "On Dutch documents.", MultiLine(1000));
        [dutch, fields.optional("en", "On English documents.", MultiLine(1000))]
    });
    texts.unwrap_or_default()
}

/// Returns a reader of the address of a website.
fn website() -> impl Reader<Value = String> {
    validated(
        SingleLine(200),
        || json!({}),
        |text| {
            let host =
                text.strip_prefix("https://").and_then(|rest| rest.split(['/', '?', '#']).next());
            let is_host = |host: &str| {
                host.contains('.')
                    && host.split('.').all(|label| !label.is_empty())
                    && host.chars().all(|c| c.is_alphanumeric() || matches!(c, '.' | '-'))
            };
            let is_whole = host.is_some_and(is_host) && !text.contains(char::is_whitespace);
            if is_whole { Ok(text) } else { Err(Reason::InvalidWebsite) }
        },
    )
}

/// Values that can only be validated against the account: the new country, if any, the VAT number
/// and the IBAN.
pub type ByAccount = (Option<CountryCode>, Option<VatNumber>, Option<Iban>);

/// Reads the settings of an account; `country` is its current country, which the fields can change.
pub fn update_settings(
    fields: &mut Fields<'_, '_>,
    country: CountryCode,
) -> Parsed<UpdateSettings, ByAccount> {
    let name = fields.required("name", "The person's or company's name.", SingleLine(255));
    let new_country = fields.optional(
        "country",
        "Where they are established; it can be changed until something is booked.",
        Country,
    );
    let dutch = new_country.unwrap_or(country).is_dutch();
    let address = fields.object("address", "Their postal address.", Presence::Optional, |fields| {
        let street = fields.optional("street", "Street and house number.", SingleLine(255));
        let postal_code = if dutch {
            let reader = validated(
                SingleLine(20),
                || json!({}),
                |text| Ok(PostalCode::parse(&text)?.to_string()),
            );
            fields.optional("postalCode", "Postal code.", reader)
        } else {
            fields.optional("postalCode", "Postal code.", SingleLine(20))
        };
        (street, postal_code, fields.optional("city", "City.", SingleLine(255)))
    });
    let (street, postal_code, city) = address.unwrap_or_default();
    let kvk_number = fields.optional(
        "kvkNumber",
        "Number of the Dutch chamber of commerce.",
        sales::kvk_number(),
    );
    let vat_number =
        fields.optional("vatNumber", "VAT identification number.", sales::vat_number());
    let iban = validated(SingleLine(50), || json!({}), |text| Ok(Iban::parse(&text)?));
    let iban = fields.optional("iban", "The bank account that customers pay to.", iban);
    let bic = fields.optional("bic", "The BIC of its bank.", bank_accounts::bic());
    let country_of_iban = iban.as_ref().and_then(|iban| iban.as_str().get(..2));
    if let (Some(country), Some(bic)) = (country_of_iban, &bic)
        && bic.as_str().get(4..6) != Some(country)
    {
        let reason = Reason::BicOfOtherCountry { country: country.to_owned() };
        fields.fault("bic", reason);
    }
    let phone = fields.optional("phone", "Telephone number.", sales::phone());
    let website = fields.optional("website", "Website, with https.", website());
    // The language is set on a page of its own. Without the field, the language stays unchanged.
    let has_language = fields.has("language") || fields.is_null("language");
    let language = fields.optional(
        "language",
        "The language of the pages; the browser's unless chosen.",
        OneOf(Language::ALL),
    );
    let by_account = (new_country, vat_number.clone(), iban.clone());
    let command = name.map(|name| UpdateSettings {
        name,
        street,
        postal_code,
        city,
        country: new_country,
        kvk_number,
        vat_number,
        iban,
        bic,
        phone,
        website,
        language: has_language.then_some(language),
    });
    Parsed::with_partial(None, command, by_account)
}
