//! Contacts: `POST /contacts`, `GET /contacts` and `GET /contacts/{id}`.

use super::{
    body::{self, Json},
    fields::{self, Country, Fields, Line, Need, Reader},
    operation::Operation,
    projects::page,
    query::{self, Query, page_of},
    reply,
};
use crate::{App, Reading, catalogue::NOT_FOUND, problem::Problem};
use axum::{
    Extension,
    extract::{Path, RawQuery, Request, State},
    http::HeaderMap,
    response::Response,
};
use jiff::Timestamp;
use ledger::{
    country::CountryCode,
    identifiers::{KvkNumber, VatNumber},
};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::json;
use service::{
    Actor, Created, Error, Fault,
    contacts::{self, CustomerGiven},
};
use store::contacts::{Contact, ContactFilter, Party};

/// A customer.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "Contact")]
struct ContactBody<'c> {
    /// Unique in the account.
    id: i64,
    /// Your own identifier.
    #[schemars(example = &"order-1001")]
    external_id: Option<&'c str>,
    /// A person's or a company's name.
    name: &'c str,
    /// Where the contact is established, ISO 3166-1 alpha-2.
    #[schemars(example = &"NL")]
    country: &'c str,
    /// An e-mail address.
    #[schemars(example = &"administratie@korenaar.example")]
    email: Option<&'c str>,
    /// A VAT number, in its compact form.
    #[schemars(example = &"NL002455799B11")]
    vat_number: Option<&'c str>,
    /// A number of the Dutch chamber of commerce, eight digits.
    #[schemars(example = &"12345678")]
    kvk_number: Option<&'c str>,
    /// Whom to ask for.
    #[schemars(example = &"Anna de Bakker")]
    contact_person: Option<&'c str>,
    /// A postal address.
    address: Option<AddressBody<'c>>,
    /// When it was made.
    created_at: Timestamp,
    /// When it last changed.
    updated_at: Timestamp,
}

/// A postal address.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "Address")]
pub(super) struct AddressBody<'c> {
    /// Street and house number.
    #[schemars(example = &"Dorpsstraat 1")]
    street: Option<&'c str>,
    /// Postal code.
    #[schemars(example = &"3511 AA")]
    postal_code: Option<&'c str>,
    /// Town.
    #[schemars(example = &"Utrecht")]
    city: Option<&'c str>,
}

impl<'c> AddressBody<'c> {
    /// The address, if any part of it is known.
    pub(super) fn of(party: &'c Party) -> Option<Self> {
        let (street, postal_code, city) = (party.street.as_deref(), party.postal_code.as_deref(), party.city.as_deref());
        let known = street.is_some() || postal_code.is_some() || city.is_some();
        known.then_some(Self { street, postal_code, city })
    }
}

impl<'c> From<&'c Contact> for ContactBody<'c> {
    fn from(contact: &'c Contact) -> Self {
        let party = &contact.party;
        Self {
            id: contact.id,
            external_id: party.external_id.as_deref(),
            name: &party.name,
            country: party.country.as_str(),
            email: party.email.as_deref(),
            vat_number: party.vat_number.as_deref(),
            kvk_number: party.kvk_number.as_deref(),
            contact_person: party.contact_person.as_deref(),
            address: AddressBody::of(party),
            created_at: contact.created_at,
            updated_at: contact.updated_at,
        }
    }
}

pub(super) fn operations() -> Vec<Operation> {
    vec![
        Operation::list::<ContactBody<'_>, _, _>("/contacts", "listContacts", list)
            .says("List contacts", "Oldest first.")
            .with_query(filter),
        Operation::create::<ContactBody<'_>, _, _>("/contacts", "createContact", create)
            .says("Make a contact", "Invoices make contacts by themselves too, from their customer.")
            .with_body(
                fields::schema(new_contact),
                json!({
                    "externalId": "c-43", "name": "Bakkerij De Korenaar", "country": "NL", "email": "administratie@korenaar.example",
                    "vatNumber": "NL002455799B11", "kvkNumber": "12345678", "contactPerson": "Anna de Bakker",
                    "address": { "street": "Dorpsstraat 1", "postalCode": "3511 AA", "city": "Utrecht" },
                }),
            )
            .for_dutch_accounts(),
        Operation::read::<ContactBody<'_>, _, _>("/contacts/{id}", "readContact", read)
            .says("Read a contact", "")
            .or(&[NOT_FOUND]),
    ]
}

fn filter(query: &mut Query) -> (ContactFilter, (i64, i64)) {
    let external_id = query.text("externalId", "Only the contact with this identifier of yours.", 255);
    let text = query.text("q", "Only contacts whose name or e-mail address holds this text, in upper or lower case.", 255);
    (ContactFilter { external_id, text }, page(query))
}

async fn list(
    State(app): State<App>,
    Extension(actor): Extension<Actor>,
    Extension(books): Extension<Reading>,
    RawQuery(raw): RawQuery,
) -> Result<Response, Problem> {
    let (filter, (after, limit)) = query::read(raw.as_deref(), filter)?;
    let rows = books.ask(move |tx| contacts::list(tx, &actor, &filter, after, limit + 1)).await?;
    let (rows, next) = page_of(rows, limit, |last| last.id.to_string());
    let address = format!("{}/api/v1/contacts", app.settings().base_url);
    Ok(reply::page(rows.iter().map(ContactBody::from).collect(), next, &address, raw.as_deref()))
}

async fn read(
    Extension(actor): Extension<Actor>,
    Extension(books): Extension<Reading>,
    Path(id): Path<String>,
    RawQuery(raw): RawQuery,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    query::none(raw.as_deref())?;
    let id = query::id(&id, "contact")?;
    let contact = books.ask(move |tx| contacts::read(tx, &actor, id)).await?;
    Ok(reply::resource(&headers, &ContactBody::from(&contact)))
}

async fn create(State(app): State<App>, Extension(actor): Extension<Actor>, request: Request) -> Result<Response, Problem> {
    let (external_id, party) = read_contact(&body::read(request).await?);
    let now = app.now();
    let outcome = match party {
        Ok(party) => app.write_for(actor.account, move |tx| contacts::create(tx, &actor, now, &party)).await?,
        Err(faults) => {
            let known = move |tx: &mut store::Tx<'_>| {
                let known = contacts::known(tx, &actor, external_id.as_deref())?;
                known.ok_or_else(|| Error::Invalid(faults.clone()))
            };
            Created::Known(app.read(known).await?)
        }
    };
    let base = app.settings().base_url.clone();
    let location = |contact: &Contact| format!("{base}/api/v1/contacts/{}", contact.id);
    Ok(reply::created(outcome, location, |contact| reply::body(&ContactBody::from(&contact))))
}

fn read_contact(json: &Json) -> (Option<String>, Result<Party, Vec<Fault>>) {
    let mut faults = Vec::new();
    let (external_id, party) = fields::read(json, &mut faults, new_contact);
    (external_id, party.filter(|_| faults.is_empty()).ok_or(faults))
}

fn new_contact(fields: &mut Fields<'_, '_>) -> (Option<String>, Option<Party>) {
    let external_id = fields.optional("externalId", fields::EXTERNAL_ID_MEANING, fields::EXTERNAL_ID);
    let name = fields.required("name", "A person's or a company's name.", Line(255));
    let country = fields.optional("country", "Where the contact is established. Default: NL.", Country);
    let given = read_details(fields);
    let party = name.map(|name| Party {
        external_id: external_id.clone(),
        name,
        country: country.unwrap_or(CountryCode::NL),
        email: given.email,
        vat_number: given.vat_number,
        kvk_number: given.kvk_number,
        contact_person: given.contact_person,
        street: given.street,
        postal_code: given.postal_code,
        city: given.city,
    });
    (external_id, party)
}

/// What contacts and the customers of invoices have alike.
pub(super) fn read_details(fields: &mut Fields<'_, '_>) -> CustomerGiven {
    let email = fields.optional("email", "An e-mail address.", email());
    let vat_number = fields.optional(
        "vatNumber",
        "A VAT number, such as NL002455799B11; its form and check digits are looked at.",
        vat_number(),
    );
    let kvk_number = fields.optional("kvkNumber", "A number of the Dutch chamber of commerce, eight digits.", kvk_number());
    let contact_person = fields.optional("contactPerson", "Whom to ask for.", Line(255));
    let address = fields.object("address", "A postal address.", Need::Optional, |fields| {
        let street = fields.optional("street", "Street and house number.", Line(255));
        let postal_code = fields.optional("postalCode", "Postal code.", Line(20));
        (street, postal_code, fields.optional("city", "Town.", Line(255)))
    });
    let (street, postal_code, city) = address.unwrap_or_default();
    CustomerGiven { email, vat_number, kvk_number, contact_person, street, postal_code, city, ..CustomerGiven::default() }
}

/// Only a mail that arrives proves an address, so the form is checked loosely.
fn email() -> impl Reader<Value = String> {
    fields::judged(
        Line(254),
        || json!({ "pattern": r"^[^\s@]+@[^\s@]+$" }),
        |text| {
            let fits = text
                .split_once('@')
                .is_some_and(|(local, domain)| !local.is_empty() && !domain.is_empty() && !domain.contains('@'));
            if fits && !text.contains(char::is_whitespace) {
                Ok(text)
            } else {
                Err(("invalid_format", "give an e-mail address such as name@example.com".into()))
            }
        },
    )
}

fn vat_number() -> impl Reader<Value = String> {
    fields::judged(
        Line(40),
        || json!({ "examples": ["NL002455799B11"] }),
        |text| {
            VatNumber::parse(&text)
                .map(|number| number.as_str().to_owned())
                .map_err(|error| ("invalid_format", error.to_string()))
        },
    )
}

fn kvk_number() -> impl Reader<Value = String> {
    fields::judged(
        Line(20),
        || json!({ "pattern": "^([ .-]*[0-9]){8}[ .-]*$", "examples": ["12345678"] }),
        |text| {
            KvkNumber::parse(&text)
                .map(|number| number.as_str().to_owned())
                .map_err(|error| ("invalid_format", error.to_string()))
        },
    )
}

#[cfg(fuzzing)]
pub(super) fn try_body(json: &Json) {
    let (_, read) = read_contact(json);
    assert!(read.is_ok() || read.is_err_and(|faults| !faults.is_empty()));
}
