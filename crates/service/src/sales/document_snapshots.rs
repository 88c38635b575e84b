//! Snapshot of a document when it is sent: the account's settings at that moment, stored as text
//! under its SHA-256, and the SHA-256 of the document's contents, which is appended to the
//! account's hash chain.

use crate::{Context, Error, vat_schemes};
use documents::{
    invoice::{Address, Seller},
    pdf::{Appearance, Colour, Window},
};
use jiff::civil::Date;
use ledger::{
    chain::{DocumentRecord, Form, Hash},
    country::CountryCode,
    decimal,
    discount::Discount,
    identifiers::{Bic, Iban, KvkNumber, VatNumber},
    invoice::Line,
    language::Language,
    money::Cents,
    vat::{VatCategory, VatScheme},
};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use store::{
    Tx,
    books::{Books, Terms},
    contacts::Party,
    documents as rows,
    invoices::Invoice,
};

/// Version of the layout of documents. From the first release on, each change gets a new number and
/// earlier layouts are kept.
const TEMPLATE: &str = "2";

/// Number of leading customer details that are in the hash of every document. Any further detail is
/// in the hash only if it has a value, so the hashes of existing documents stay the same when a
/// detail is added to the program.
const FIRST_DETAILS: usize = 7;

/// Settings of the account that a document shows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Settings(BTreeMap<String, String>);

impl Settings {
    /// Returns the current settings.
    pub(super) fn of(terms: &Terms) -> Self {
        let (account, look) = (&terms.account, &terms.look);
        let logo = look.logo.as_ref().map(hex);
        let fields = [
            ("template", Some(TEMPLATE)),
            ("language", Some(own_language(terms).as_str())),
            ("name", Some(account.name.as_str())),
            ("street", account.street.as_deref()),
            ("postalCode", account.postal_code.as_deref()),
            ("city", account.city.as_deref()),
            ("country", Some(account.country.as_str())),
            ("email", Some(account.owner.email.as_str())),
            ("kvkNumber", account.kvk_number.as_deref()),
            ("vatNumber", account.vat_number.as_deref()),
            ("iban", account.iban.as_deref()),
            ("bic", account.bic.as_deref()),
            ("phone", account.phone.as_deref()),
            ("website", account.website.as_deref()),
            ("accent", look.accent.as_deref()),
            ("window", look.window.as_deref()),
            ("opening.nl", look.opening_nl.as_deref()),
            ("opening.en", look.opening_en.as_deref()),
            ("closing.nl", look.closing_nl.as_deref()),
            ("closing.en", look.closing_en.as_deref()),
            ("logo", logo.as_deref()),
            // Every document of a test account is marked as such.
            ("test", account.test.map(|_| "yes")),
        ];
        Self(
            fields
                .into_iter()
                .filter_map(|(name, value)| Some((name.to_owned(), value?.to_owned())))
                .collect(),
        )
    }

    /// Adds the small businesses scheme, if it applies: documents under it must not mention VAT
    /// (art. 25a(4) Wet OB 1968).
    pub(super) fn under(mut self, kor: Option<Date>) -> Self {
        if kor.is_some() {
            self.0.insert("scheme".to_owned(), VatScheme::Kor.as_str().to_owned());
        }
        self
    }

    /// Sets the language of the document.
    pub(super) fn in_language(mut self, language: Language) -> Self {
        self.0.insert("language".to_owned(), language.as_str().to_owned());
        self
    }

    /// Whether the small businesses scheme applies to the document.
    pub(super) fn is_small_business(&self) -> bool {
        self.get("scheme").and_then(VatScheme::parse) == Some(VatScheme::Kor)
    }

    /// Whether the document belongs to a test account.
    pub(super) fn is_test(&self) -> bool {
        self.get("test").is_some()
    }

    /// Serialises the settings: one field per line, sorted by name. A line break in a value is
    /// escaped as `\n`, a backslash as `\\`.
    pub(super) fn to_text(&self) -> String {
        let line = |(name, value): (&String, &String)| {
            format!("{name} {}\n", value.replace('\\', "\\\\").replace('\n', "\\n"))
        };
        self.0.iter().map(line).collect()
    }

    /// Parses the output of [`Settings::to_text`].
    pub(super) fn parse(text: &str) -> Option<Self> {
        let field = |line: &str| {
            line.split_once(' ').map(|(name, value)| (name.to_owned(), unescape(value)))
        };
        text.split_terminator('\n').map(field).collect::<Option<_>>().map(Self)
    }

    fn get(&self, name: &str) -> Option<&str> {
        self.0.get(name).map(String::as_str)
    }

    fn owned(&self, name: &str) -> Option<String> {
        self.0.get(name).cloned()
    }

    /// Returns the language of the document.
    pub(super) fn language(&self) -> Language {
        self.get("language").and_then(Language::parse).unwrap_or(Language::Dutch)
    }

    /// Returns the seller.
    pub(super) fn seller(&self) -> Seller {
        Seller {
            name: self.owned("name").unwrap_or_default(),
            address: Address {
                street: self.owned("street"),
                postal_code: self.owned("postalCode"),
                city: self.owned("city"),
                country: self
                    .get("country")
                    .and_then(|text| CountryCode::parse(text).ok())
                    .unwrap_or(CountryCode::NL),
            },
            kvk_number: self.get("kvkNumber").and_then(|text| KvkNumber::parse(text).ok()),
            vat_number: self.get("vatNumber").and_then(|text| VatNumber::parse(text).ok()),
            iban: self.get("iban").and_then(|text| Iban::parse(text).ok()),
            bic: self.get("bic").and_then(|text| Bic::parse(text).ok()),
            account_holder: None,
            email: self.owned("email"),
            phone: self.owned("phone"),
            website: self.owned("website"),
        }
    }

    /// Returns the owner's text in a language.
    fn text_in(&self, name: &str, language: Language) -> Option<String> {
        self.owned(&format!("{name}.{}", language.as_str()))
    }

    /// Returns the appearance of a document in a language, without the logo.
    pub(super) fn appearance(&self, language: Language) -> Appearance {
        let default = Appearance::default();
        Appearance {
            logo: None,
            accent: self.get("accent").and_then(Colour::parse).unwrap_or(default.accent),
            window: match self.get("window") {
                Some("left") => Window::Left,
                Some("right") => Window::Right,
                _ => Window::None,
            },
            opening: self.text_in("opening", language),
            closing: self.text_in("closing", language),
        }
    }

    /// Returns the SHA-256 of the logo.
    pub(super) fn logo(&self) -> Option<Hash> {
        let text = self.get("logo")?;
        let mut hash = Hash::default();
        for (place, byte) in hash.iter_mut().enumerate() {
            *byte = u8::from_str_radix(text.get(place * 2..place * 2 + 2)?, 16).ok()?;
        }
        Some(hash)
    }
}

/// Reverses the escaping of [`Settings::to_text`].
fn unescape(value: &str) -> String {
    let mut text = String::with_capacity(value.len());
    let mut characters = value.chars();
    while let Some(character) = characters.next() {
        match character {
            '\\' => text
                .push(characters.next().map_or('\\', |next| if next == 'n' { '\n' } else { next })),
            other => text.push(other),
        }
    }
    text
}

fn hex(hash: &Hash) -> String {
    hash.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Returns the default language of the account's documents.
pub(super) fn own_language(terms: &Terms) -> Language {
    terms.account.document_language()
}

/// Returns the default language of documents for a customer: the customer's, or else the account's.
pub(super) fn language_for(customer: &Party, terms: &Terms) -> Language {
    customer.own_language().unwrap_or_else(|| own_language(terms))
}

/// Returns the language in which an invoice was sent; `None` if it has not been sent.
pub(super) fn language_of(
    tx: &mut Tx<'_>,
    cx: &Context,
    invoice: i64,
) -> Result<Option<Language>, Error> {
    let sent = rows::sent(tx, cx.actor.account, invoice)?;
    Ok(sent.and_then(|sent| Language::parse(&sent.record.language)))
}

/// Records in the hash chain that an invoice was sent, with its language and the SHA-256 of the
/// contents of its document.
pub(super) fn record_sent(
    tx: &mut Tx<'_>,
    books: &mut Books,
    cx: &Context,
    invoice: &Invoice,
    lines: &[(Line, Cents)],
    (credited, language): (Option<&Invoice>, Language),
) -> Result<(), Error> {
    // A credit note follows the scheme of its invoice.
    let original = credited.unwrap_or(invoice);
    let kor = vat_schemes::kor_of(tx, books, original.rates_on(), Some(original.id))?;
    let text = Settings::of(books.terms()).under(kor).in_language(language).to_text();
    let settings: Hash = Sha256::digest(&text).into();
    let language = language.as_str();
    rows::insert_settings(tx, books.account(), &settings, &text)?;
    let record = DocumentRecord {
        after_entry: 0,
        kind: "sent".to_owned(),
        invoice_id: invoice.id,
        language: language.to_owned(),
        settings: Some(settings),
        sha256: shown(&settings, language, invoice, lines, credited),
    };
    books.record(tx, record, cx.now())?;
    store::invoices::record_sent(tx, invoice);
    Ok(())
}

/// Returns the SHA-256 of the contents of an invoice's document, by the rules of
/// [`ledger::chain::entry_hash`].
// Long: every value that a document shows, in the order of its hash.
pub(crate) fn shown(
    settings: &Hash,
    language: &str,
    invoice: &Invoice,
    lines: &[(Line, Cents)],
    credited: Option<&Invoice>,
) -> Hash {
    let mut form = Form::new(b"grootboek-document-1");
    form.hash(settings);
    form.text(language);
    form.text(invoice.kind.as_str());
    form.text(&invoice.number);
    form.optional(credited.map(|credited| credited.number.as_str()));
    for day in [
        Some(invoice.invoice_date),
        Some(invoice.due_date),
        invoice.supply_date,
        invoice.supply_until,
        credited.map(|credited| credited.invoice_date),
    ] {
        form.optional(day.map(|day| day.to_string()).as_deref());
    }
    let customer = &invoice.customer;
    form.text(&customer.name);
    form.text(customer.country.as_str());
    for (_, text) in customer.details().take(FIRST_DETAILS) {
        form.optional(text);
    }
    for text in [&invoice.reference, &invoice.notes] {
        form.optional(text.as_deref());
    }
    for flag in [invoice.prices_include_vat, invoice.prepayment] {
        form.number(i64::from(flag));
    }
    for amount in [invoice.subtotal, invoice.vat_total, invoice.total] {
        form.number(amount.get());
    }
    form.length(lines.len());
    for (line, amount) in lines {
        form.text(&line.description);
        form.text(&decimal::plain(&line.quantity));
        form.text(&decimal::plain(&line.unit_price));
        form.number(line.vat_rate.basis_points().into());
        form.text(recorded(line.vat_category));
        form.text(line.supply.as_str());
        form.number(amount.get());
        form.number(line.sets_off.unwrap_or(0));
        if let Some(country) = &line.tax_country {
            form.text(country.as_str());
        }
        let credits = line.credits.map(|number| number.to_string());
        let [percent, amount] = texts_of(line.discount);
        let more = [
            ("unit", line.unit.clone()),
            ("discountPercent", percent),
            ("discountAmount", amount),
            ("invoiceItem", credits),
        ];
        put_given(&mut form, more);
    }
    for (path, text) in customer.details().skip(FIRST_DETAILS) {
        if let Some(text) = text {
            form.text(path);
            form.text(text);
        }
    }
    let particulars = &invoice.particulars;
    let [percent, amount] = texts_of(particulars.discount);
    let more = [
        ("document.discountPercent", percent),
        ("document.discountAmount", amount),
        ("document.discountDescription", particulars.discount_description.clone()),
        ("document.orderNumber", particulars.order_number.clone()),
        ("document.buyerReference", particulars.buyer_reference.clone()),
    ];
    put_given(&mut form, more);
    form.finish()
}

/// Appends the values that are given, each after its name, so that the hashes of documents without
/// them stay the same.
fn put_given<const N: usize>(form: &mut Form, values: [(&str, Option<String>); N]) {
    for (name, value) in values {
        if let Some(value) = value {
            form.text(name);
            form.text(&value);
        }
    }
}

/// Percentage and amount of a discount, as texts.
fn texts_of(discount: Discount) -> [Option<String>; 2] {
    let percent = discount.percent().map(|percent| decimal::plain(&percent));
    [percent, discount.amount().map(|amount| amount.get().to_string())]
}

/// Name of a category in the hash of a document. Sales under the small businesses scheme are hashed
/// as `exempt`, as they were before the kind of exemption was stored.
const fn recorded(category: VatCategory) -> &'static str {
    match category {
        VatCategory::SmallBusiness => VatCategory::Exempt.as_str(),
        other => other.as_str(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_round_trip() {
        let fields = [
            ("name", "Studio \\ Noord\nB.V."),
            ("opening", "\\n\n\\\\"),
            ("city", ""),
            ("logo", &"0f".repeat(32)),
        ];
        let settings = Settings(
            fields.into_iter().map(|(name, value)| (name.to_owned(), value.to_owned())).collect(),
        );
        assert_eq!(
            Settings::parse(&settings.to_text()),
            Some(settings.clone()),
            "{}",
            settings.to_text()
        );
        assert_eq!(settings.logo(), Some([15; 32]));
    }
}
