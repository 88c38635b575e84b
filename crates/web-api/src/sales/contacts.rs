//! Contacts: customers and suppliers.

use crate::{
    body,
    moment::Moment,
    number::Number,
    operation::{Answer, Operation},
    query::{self, Query},
    resource::{self, Creatable, Editable, Filter, Listed, Replaceable, Resource},
};
use axum::{
    Extension,
    extract::{Path, RawQuery, Request, State},
    http::HeaderMap,
    response::Response,
};
use ledger::{
    customer::{CustomerEmail, CustomerKind, EmailUse},
    identifiers::{Bic, Iban},
    language::Language,
    vat::{Supply, VatCategory},
};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::json;
use service::{
    Context, Created, Error, Upserted,
    contact_edits::{self, EditContact},
    contacts::{self, NewContact},
};
use store::{
    Page, Tx, Updated,
    contacts::{Contact, ContactFilter, Party, status},
};
use web_core::{
    AppState,
    catalogue::{NOT_FOUND, PRECONDITION_FAILED},
    input::{
        self, CONTACT_STATUSES, Fields, Parsed, edited_contact, merged_contact, names, names_of,
        new_contact, or_null,
    },
    problem::Problem,
};

/// A contact: a customer or supplier.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "Contact")]
pub(crate) struct ContactBody<'c> {
    /// Id, unique within the account.
    id: i64,
    #[serde(flatten)]
    party: PartyBody<'c>,
    /// `active` or `archived`. Archived contacts are not offered for new documents.
    #[schemars(extend("enum" = names(CONTACT_STATUSES)))]
    status: &'static str,
    /// IBAN to which bills of the contact are paid.
    #[schemars(example = &"NL02ABNA0123456789")]
    iban: Option<&'c str>,
    /// BIC of its bank.
    #[schemars(example = &"ABNANL2A")]
    bic: Option<&'c str>,
    /// Id of the contact into which this contact was merged. A reference to this contact is treated
    /// as a reference to that one.
    merged_into: Option<i64>,
    /// Time of creation.
    created_at: Moment,
    /// Time of the last change.
    updated_at: Moment,
}

/// Fields common to a contact and the customer of an invoice.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PartyBody<'c> {
    /// Your own identifier.
    #[schemars(example = &"order-1001")]
    external_id: Option<&'c str>,
    /// Name of a person or company.
    name: &'c str,
    /// Country, ISO 3166-1 alpha-2.
    #[schemars(example = &"NL")]
    country: &'c str,
    /// Email address.
    #[schemars(example = &"administratie@korenaar.example")]
    email: Option<&'c str>,
    /// VAT number in its compact form.
    #[schemars(example = &"NL002455799B11")]
    vat_number: Option<&'c str>,
    /// KvK number (Dutch chamber of commerce), eight digits.
    #[schemars(example = &"12345678")]
    kvk_number: Option<&'c str>,
    /// Contact person.
    #[schemars(example = &"Anna de Bakker")]
    contact_person: Option<&'c str>,
    /// Postal address.
    address: Option<AddressBody<'c>>,
    /// `business` or `consumer`. Null: a business with a KvK or VAT number, otherwise unknown.
    #[schemars(extend("enum" = or_null(names_of(CustomerKind::ALL))))]
    kind: Option<&'c str>,
    /// Language of documents and emails: `nl` or `en`; null for that of the account.
    #[schemars(extend("enum" = or_null(names_of(Language::ALL))))]
    language: Option<&'c str>,
    /// Telephone number.
    #[schemars(example = &"+31 30 123 45 67")]
    phone: Option<&'c str>,
    /// Days between invoice date and due date, where an invoice names neither a term nor a due date;
    /// null for those of the account.
    #[schemars(range(min = 0, max = 365))]
    payment_term_days: Option<i64>,
    /// VAT proposed where an invoice leaves `vatRate` out.
    vat_default: Option<UsualVatBody>,
    /// Electronic address of Peppol, `scheme:value`; null for the one that follows from the numbers.
    #[schemars(example = &"0106:12345678")]
    peppol_id: Option<&'c str>,
    /// Email addresses by use: the first one of a use is the recipient, the others get a copy.
    emails: Vec<EmailBody>,
    /// Whether the customer gets no reminders of any invoice.
    reminders_stopped: bool,
}

/// VAT usually charged to a customer.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "VatDefault")]
struct UsualVatBody {
    /// Rate in per cent.
    vat_rate: Number,
    /// VAT category; null for the one that the rate and the customer's country give.
    #[schemars(extend("enum" = or_null(names_of(VatCategory::PUBLIC))))]
    vat_category: Option<&'static str>,
    /// Kind of supply; null for the setting of the account.
    #[schemars(extend("enum" = or_null(names_of(Supply::ALL))))]
    supply: Option<&'static str>,
}

/// Email address with its uses.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "ContactEmail")]
struct EmailBody {
    /// Email address.
    #[schemars(example = &"administratie@korenaar.example")]
    email: String,
    /// Uses: `invoice`, `quote`, `reminder`, `thanks`. Values may be added.
    #[schemars(extend("items" = { "type": "string", "enum": names_of(EmailUse::ALL) }))]
    uses: Vec<&'static str>,
}

/// Postal address.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "Address")]
struct AddressBody<'c> {
    /// Street and house number.
    #[schemars(example = &"Dorpsstraat 1")]
    street: Option<&'c str>,
    /// Postal code.
    #[schemars(example = &"3511 AA")]
    postal_code: Option<&'c str>,
    /// City.
    #[schemars(example = &"Utrecht")]
    city: Option<&'c str>,
}

impl<'c> AddressBody<'c> {
    /// Returns the address; `None` if no part of it is known.
    fn of(party: &'c Party) -> Option<Self> {
        let (street, postal_code, city) =
            (party.street.as_deref(), party.postal_code.as_deref(), party.city.as_deref());
        let known = street.is_some() || postal_code.is_some() || city.is_some();
        known.then_some(Self { street, postal_code, city })
    }
}

impl<'c> From<&'c Party> for PartyBody<'c> {
    fn from(party: &'c Party) -> Self {
        Self {
            external_id: party.external_id.as_deref(),
            name: &party.name,
            country: party.country.as_str(),
            email: party.email.as_deref(),
            vat_number: party.vat_number.as_deref(),
            kvk_number: party.kvk_number.as_deref(),
            contact_person: party.contact_person.as_deref(),
            address: AddressBody::of(party),
            kind: party.kind.as_deref(),
            language: party.language.as_deref(),
            phone: party.phone.as_deref(),
            payment_term_days: party.own_term(),
            vat_default: party.vat_default().map(|usual| UsualVatBody {
                vat_rate: Number(usual.rate.percent()),
                vat_category: usual.category.map(VatCategory::as_str),
                supply: usual.supply.map(Supply::as_str),
            }),
            peppol_id: party.peppol_id.as_deref(),
            emails: party.addresses().into_iter().map(EmailBody::from).collect(),
            reminders_stopped: party.reminders_stopped.is_some(),
        }
    }
}

impl From<CustomerEmail> for EmailBody {
    fn from(address: CustomerEmail) -> Self {
        let uses = address.uses.into_iter().map(EmailUse::as_str).collect();
        Self { email: address.email, uses }
    }
}

impl Resource for Contact {
    type Key = i64;
    type Body<'r> = ContactBody<'r>;
    const PATH: &'static str = "/contacts/{id}";
    const NAME: &'static str = "contact";

    fn key(&self) -> i64 {
        self.id
    }

    fn body(&self, _: &Context) -> ContactBody<'_> {
        ContactBody {
            id: self.id,
            party: (&self.party).into(),
            status: status(self.archived),
            iban: self.account.iban.as_ref().map(Iban::as_str),
            bic: self.account.bic.as_ref().map(Bic::as_str),
            merged_into: self.merged_into,
            created_at: Moment(self.created_at),
            updated_at: Moment(self.updated_at),
        }
    }

    fn find(tx: &mut Tx<'_>, cx: &Context, id: i64) -> Result<Self, Error> {
        contacts::read(tx, cx, id)
    }
}

impl Filter for ContactFilter {
    fn read(query: &mut Query) -> Self {
        let external_id = query.text(
            "externalId",
            "Returns only the contact with this external identifier.",
            255,
        );
        let text = query.text(
            "q",
            "Returns only contacts whose name or email address contains this text, ignoring case.",
            255,
        );
        let archived = query.choice(
            "status",
            "Returns only active or only archived resources.",
            CONTACT_STATUSES,
        );
        let updated = query.updated();
        Self { external_id, text, archived, updated }
    }

    fn updated(&self) -> Option<Updated> {
        self.updated
    }
}

impl Listed for Contact {
    type Filter = ContactFilter;

    fn list(
        tx: &mut Tx<'_>,
        cx: &Context,
        (): (),
        filter: &ContactFilter,
        after: i64,
        limit: i64,
    ) -> Result<Page<Self>, Error> {
        Ok(Page::of(contacts::list(tx, cx, filter, after, limit + 1)?, limit))
    }
}

impl Creatable for Contact {
    type New = NewContact;
    type Partial = ();

    fn read_new(fields: &mut Fields<'_, '_>, (): ()) -> Parsed<NewContact> {
        new_contact(fields)
    }

    fn create(tx: &mut Tx<'_>, cx: &Context, new: &NewContact) -> Result<Created<Self>, Error> {
        contacts::create(tx, cx, new)
    }

    fn find_by_external_id(
        tx: &mut Tx<'_>,
        cx: &Context,
        external_id: Option<&str>,
    ) -> Result<Option<Self>, Error> {
        contacts::find_by_external_id(tx, cx, external_id)
    }
}

impl Replaceable for Contact {
    fn replace(
        tx: &mut Tx<'_>,
        cx: &Context,
        external_id: &str,
        new: &NewContact,
        expected: &dyn Fn(Option<&Self>) -> bool,
    ) -> Result<Upserted<Self>, Error> {
        contact_edits::replace(tx, cx, external_id, new, expected)
    }
}

impl Editable for Contact {
    type Edit = EditContact;
    type PartialEdit = ();

    fn read_edit(fields: &mut Fields<'_, '_>) -> Parsed<EditContact> {
        edited_contact(fields)
    }

    fn edit(
        tx: &mut Tx<'_>,
        cx: &Context,
        id: i64,
        edit: &EditContact,
        expected: &dyn Fn(&Self) -> bool,
    ) -> Result<Self, Error> {
        contact_edits::edit(tx, cx, id, edit, expected)
    }
}

pub(crate) fn operations() -> Vec<Operation> {
    vec![
        Operation::list_of::<Contact>("listContacts").says("List contacts", "Oldest first."),
        Operation::create_of::<Contact>("createContact", example())
            .says(
                "Create a contact",
                "Invoices also create a contact if their customer is unknown.",
            )
            .for_dutch_accounts(),
        Operation::read_of::<Contact>("readContact").says("Read a contact", ""),
        Operation::edit_of::<Contact>(
            "editContact",
            json!({ "email": "post@korenaar.example", "contactPerson": null }),
        )
        .says(
            "Update a contact",
            "Absent fields stay unchanged; null removes a value. Existing invoices keep their \
                 own copy.",
        )
        .or(&[NOT_FOUND, PRECONDITION_FAILED])
        .for_dutch_accounts(),
        Operation::delete::<ContactBody<'_>, _, _>(
            "/contacts/{id}",
            "archiveContact",
            Answer::Changed,
            archive,
        )
        .says(
            "Archive a contact",
            "An archived contact is not offered for new documents; existing references remain \
                 valid. Use PATCH to make it active again.",
        )
        .or(&[NOT_FOUND, PRECONDITION_FAILED])
        .for_dutch_accounts(),
        Operation::act::<ContactBody<'_>, _, _>(
            "/contacts/{id}/merge",
            "mergeContact",
            Answer::Changed,
            merge,
        )
        .says(
            "Merge a contact into another",
            "Moves its invoices and projects to the other contact, and archives it. Later \
                 references to it are resolved to the other contact, which is returned.",
        )
        .with_body(input::schema(merged_contact), json!({ "into": 2 }))
        .or(&[NOT_FOUND])
        .for_dutch_accounts(),
        Operation::replace_of::<Contact>(
            "/contacts/external/{externalId}",
            "putContact",
            example(),
        )
        .says(
            "Create or replace a contact",
            "Creates or replaces the resource with this external identifier. Absent fields \
                 get their defaults.",
        )
        .or(&[PRECONDITION_FAILED])
        .for_dutch_accounts(),
    ]
}

fn example() -> serde_json::Value {
    json!({
        "externalId": "c-43", "name": "Bakkerij De Korenaar", "country": "NL", "email": "administratie@korenaar.example",
        "vatNumber": "NL002455799B11", "kvkNumber": "12345678", "contactPerson": "Anna de Bakker",
        "address": { "street": "Dorpsstraat 1", "postalCode": "3511 AA", "city": "Utrecht" }, "iban": "NL02ABNA0123456789",
        "kind": "business", "language": "nl", "phone": "+31 30 123 45 67", "paymentTermDays": 14,
        "vatDefault": { "vatRate": 21 }, "peppolId": "0106:12345678",
        "emails": [
            { "email": "administratie@korenaar.example", "uses": ["invoice", "reminder"] },
            { "email": "anna@korenaar.example", "uses": ["quote", "thanks"] },
        ],
    })
}

async fn archive(
    State(app): State<AppState>,
    Extension(cx): Extension<Context>,
    Path(id): Path<String>,
    RawQuery(raw): RawQuery,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    query::none(raw.as_deref())?;
    let archive = EditContact { archived: Some(true), ..EditContact::default() };
    resource::edit_as::<Contact>(&app, cx, &headers, &id, archive).await
}

async fn merge(
    State(app): State<AppState>,
    Extension(cx): Extension<Context>,
    Path(id): Path<String>,
    request: Request,
) -> Result<Response, Problem> {
    let json = body::read(request).await?;
    resource::act((app, cx, id), json, merged_contact, |tx, cx, id, into| {
        contact_edits::merge(tx, cx, id, *into)
    })
    .await
}

#[cfg(fuzzing)]
pub(crate) fn try_body(json: &input::Raw) {
    let parsed = input::json(json, new_contact);
    assert_eq!(parsed.command.is_some(), parsed.faults.is_empty());
}
